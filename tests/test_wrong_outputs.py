"""What a wrong belief makes is shown to a learner, and made by the learner's own code."""

import numpy as np
import pytest
from checks.labs import grading_accepts

from course_utils.labs import check, wrong_output
from course_utils.labs.tasks import EXERCISES

OF_A_BELIEF = [id for id, exercise in EXERCISES.items() if exercise.of_a_belief]


@pytest.mark.parametrize("exercise_id", OF_A_BELIEF)
def test_an_answer_cannot_hand_in_what_is_shown(exercise_id):
    def shown(*arguments: object) -> np.ndarray:
        return wrong_output(exercise_id, *arguments)

    feedback = check(exercise_id, shown)
    assert not feedback.solved and not grading_accepts(exercise_id, shown)
    assert "solo muestra" in feedback.shown().plain
    exercise = EXERCISES[exercise_id]
    for case in exercise.cases:
        np.testing.assert_array_equal(shown(*case), exercise.reference(*case))


def test_other_exercises_show_nothing():
    with pytest.raises(ValueError, match="exercise_id must be one of"):
        wrong_output("angle-error")
