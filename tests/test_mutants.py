"""Solutions with one small change are refused, by the cases of check and of the hidden test."""

import random

import mutants
import pytest
from mutants import tally
from net.labs import by_exercise

from course_utils.labs.tasks import EXERCISES

SECOND = by_exercise("second_references", "SECOND")

EQUAL = {
    "countdown-encoding": {
        "still_to_come[:, np.newaxis] * np.ones(d_model) -> "
        "still_to_come[:, np.newaxis] / np.ones(d_model)": "a factor of 1",
    },
    "first-drowned-position": {"0 -> 1": "at position 0 the word has all of the length"},
    "repeating-encoding": {
        "shares[:, np.newaxis] * np.ones(d_model) -> shares[:, np.newaxis] / np.ones(d_model)": (
            "a factor of 1"
        ),
    },
    "largest-change": {
        "long_table[:n_positions] - short_table -> short_table - long_table[:n_positions]": (
            "the sign is dropped"
        ),
    },
    "positions-from-bits": {"1 -> -1": "the second axis is the last"},
    "flips-at-distance": {"1 -> -1": "the second axis is the last"},
    "row-by-hand": {"3 -> -3": "a cosine has no sign"},
    "angular-frequencies": {"d_model -> d_model - 1": "the last column is odd"},
    "sinusoidal-encoding": {"0::2 -> 0:-1:2": "the last column is odd"},
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
