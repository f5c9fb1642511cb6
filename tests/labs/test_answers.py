"""Right answers are solved, wrong ones are not, and check and grading agree on each of them."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from checks.labs import (
    as_answer,
    by_exercise,
    grading_accepts,
    hidden_cases,
    mistakes,
    right_output,
    strange_table,
)
from hypothesis import given, settings

from course_utils.labs import check, grade, wrong_output
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")
WRITTEN_OTHERWISE = by_exercise("wrong_answers", "WRONG")
WRONG_OUTPUTS = [id for id, exercise in EXERCISES.items() if exercise.shows_wrong_output]


def test_every_exercise_has_answers():
    assert ANSWERS.keys() == EXERCISES.keys()


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_right_answers_in_any_honest_form_are_solved_and_graded_so(exercise_id):
    right = ANSWERS[exercise_id].right
    for answer in (*right, EXERCISES[exercise_id].right_answer()):
        feedback = check(exercise_id, answer)
        assert feedback.solved, feedback.message("en")
        assert grading_accepts(exercise_id, answer)
    assert right


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong answers themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_wrong_answers_are_refused_for_what_they_are_and_graded_so(exercise_id):
    for number, (expected, answer) in enumerate(mistakes(exercise_id)):
        assert (number, diagnose(EXERCISES[exercise_id], answer).finding) == (number, expected)
        assert expected != "solved"
        assert not grading_accepts(exercise_id, answer)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("exercise_id", WRITTEN_OTHERWISE)
def test_a_mistake_is_recognised_however_it_is_written(exercise_id):
    for number, (expected, answer) in enumerate(WRITTEN_OTHERWISE[exercise_id]):
        assert (number, diagnose(EXERCISES[exercise_id], answer).finding) == (number, expected)
        assert not grading_accepts(exercise_id, answer)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_two_references_agree_on_all_that_an_answer_may_be_asked(exercise_id):
    exercise, answers = EXERCISES[exercise_id], ANSWERS[exercise_id]

    def agree(arguments: tuple) -> None:
        answer = as_answer(exercise, answers.second)
        assert diagnose(exercise, answer, [arguments]).solved

    for arguments in (*exercise.cases, *hidden_cases(exercise_id)):
        agree(arguments)
    settings(max_examples=25)(given(answers.asked)(agree))()


@pytest.mark.parametrize("exercise_id", WRONG_OUTPUTS)
def test_an_answer_cannot_hand_in_a_wrong_output_as_it_is_shown(exercise_id):
    def shown(*arguments: object) -> np.ndarray:
        return wrong_output(exercise_id, *arguments)

    feedback = check(exercise_id, shown)
    assert not feedback.solved and not grading_accepts(exercise_id, shown)
    assert "solo muestra" in feedback.shown().plain
    exercise = EXERCISES[exercise_id]
    for case in exercise.cases:
        np.testing.assert_array_equal(shown(*case), right_output(exercise, *case))


def test_other_exercises_show_no_wrong_output():
    with pytest.raises(ValueError, match="exercise_id must be one of"):
        wrong_output("position-from-row")


@pytest.mark.parametrize("names", [("isclose",), ("sin", "cos")])
def test_what_an_answer_puts_in_the_place_of_numpys_functions_judges_nothing(names, monkeypatch):
    def patching(n_positions: int, d_model: int) -> np.ndarray:
        for name in names:
            monkeypatch.setattr(np, name, lambda *given, **named: np.ones(np.shape(given[0])) > 0)
        return np.ones((n_positions, d_model))

    assert not check("strange-table", patching).solved


def table_for(cases: tuple[tuple, ...]) -> Callable[[int, int], object]:
    """Somebody who knows the right tables of these cases by heart, and no others."""
    known = {case: strange_table(*case) for case in cases}
    return lambda n, d: known.get((n, d), np.full((n, d), math.e))


def test_grading_asks_what_check_asks_and_more():
    with pytest.raises(AssertionError, match=r"strange_table\(7, 10\)"):
        grade("strange-table", table_for(EXERCISES["strange-table"].cases), [(7, 10)])
    with pytest.raises(AssertionError, match=r"strange_table\(5, 4\)"):
        grade("strange-table", table_for(((7, 10),)), [(7, 10)])
    grade("strange-table", strange_table, [(7, 10)])
    with pytest.raises(ValueError, match="cases must hold at least one"):
        grade("strange-table", strange_table, [])
