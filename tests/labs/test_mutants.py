"""Solutions with one small change are refused, by the cases of check and of the hidden test."""

import pytest
from mutants import ANSWERS, tally

from course_utils.labs.tasks import EXERCISES


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the mutants themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_all_mutants_of_each_solution_are_refused(exercise_id):
    found = tally(EXERCISES[exercise_id])
    assert found.refused
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) == ANSWERS[exercise_id].equal_changes.keys()
