"""Solutions with one small change are refused, by the cases of check and of the hidden test."""

import random

import mutants
import pytest
from checks.labs import by_exercise
from mutants import tally

from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")
A_FEW = 12


def a_few(of_all: list) -> list:
    return random.Random(1).sample(of_all, min(A_FEW, len(of_all)))


@pytest.mark.parametrize("exercise_id", sorted(ANSWERS))
def test_some_mutants_of_each_solution_are_refused(exercise_id, monkeypatch):
    monkeypatch.setattr(mutants, "N_SAMPLES", 40)
    found = tally(EXERCISES[exercise_id], a_few)
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) <= ANSWERS[exercise_id].equal_changes.keys()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the mutants themselves
@pytest.mark.parametrize("exercise_id", sorted(ANSWERS))
def test_all_mutants_of_each_solution_are_refused(exercise_id):
    found = tally(EXERCISES[exercise_id])
    assert found.refused > A_FEW
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) == ANSWERS[exercise_id].equal_changes.keys()
