"""Solutions with one small change are refused, by the cases of check and of the hidden test."""

import random

import mutants
import pytest
from mutants import tally
from net.labs import by_exercise

from course_utils.labs.tasks import EXERCISES

SECOND = by_exercise("second_references", "SECOND")

EQUAL = {
    "row-by-hand": {"3 -> -3": "a cosine has no sign"},
    "angular-frequencies": {"d_model -> d_model - 1": "the last column is odd"},
    "sinusoidal-encoding": {"0::2 -> 0:-1:2": "the last column is odd"},
    "most-similar-distance": {
        "np.cos(np.outer(distances, frequencies)).sum -> "
        "np.cos(np.outer(distances, frequencies)).mean": "each sum has as many cosines",
        "1 -> -1": "the last axis is axis 1",
    },
    "share-looking-at": {
        "(targets >= 0) & (targets < len(scores)) -> (targets < len(scores)) & (targets >= 0)": (
            "and has no order"
        ),
        "1 -> -1": "the last axis is axis 1",
    },
    "query-looking-back": {
        "np.array([x * cosine + y * sine, y * cosine - x * sine]) -> "
        "[x * cosine + y * sine, y * cosine - x * sine]": "a list of numbers will do",
    },
    "their-scores": {
        "x * cosines - y * sines -> y * sines - x * cosines": (
            "a minus in query and key leaves their product"
        ),
        "1 -> -1": "the last axis is axis 1",
    },
}
"""The changes that change nothing that an answer may be asked, and why."""

A_FEW = 12


def a_few(of_all: list) -> list:
    return random.Random(1).sample(of_all, min(A_FEW, len(of_all)))


@pytest.mark.parametrize("exercise_id", SECOND)
def test_some_mutants_of_each_solution_are_refused(exercise_id, monkeypatch):
    monkeypatch.setattr(mutants, "N_SAMPLES", 40)
    found = tally(EXERCISES[exercise_id], a_few)
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) <= EQUAL.get(exercise_id, {}).keys()


@pytest.mark.slow
@pytest.mark.parametrize("exercise_id", SECOND)
def test_all_mutants_of_each_solution_are_refused(exercise_id):
    found = tally(EXERCISES[exercise_id])
    assert found.refused > A_FEW
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) == EQUAL.get(exercise_id, {}).keys()
