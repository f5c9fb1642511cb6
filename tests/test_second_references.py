"""Two references of every exercise agree, on all that an answer may be asked."""

import pytest
from checks.labs import by_exercise, hidden_cases
from hypothesis import given

from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES

SECOND = by_exercise("second_references", "SECOND")


def test_every_exercise_has_a_second_reference():
    assert SECOND.keys() == EXERCISES.keys()


@pytest.mark.parametrize("exercise_id", SECOND)
def test_two_references_agree(exercise_id):
    exercise, second = EXERCISES[exercise_id], SECOND[exercise_id]

    def agree(arguments: tuple) -> None:
        answer = exercise.as_answer(second.function)
        if not exercise.parameters:
            answer = second.function(*arguments)
        assert diagnose(exercise, answer, [arguments]).solved

    for arguments in (*exercise.cases, *hidden_cases(exercise_id)):
        agree(arguments)
    given(second.strategy)(agree)()
