"""Tests that checking and grading accept correct answers and reject wrong answers."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from answers.naive_encodings import exposing_by
from checks.labs import (
    as_answer,
    by_exercise,
    grading_accepts,
    hidden_cases,
    right_output,
    strange_table,
)
from hypothesis import given, settings
from wrong_answers.naive_encodings import unless_far

from course_utils.labs import check, grade, wrong_output
from course_utils.labs.comparing import known_answer
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import WrongAnswer
from course_utils.labs.running import Attempt
from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")
WRITTEN_OTHERWISE = by_exercise("wrong_answers", "WRONG")
WRONG_OUTPUTS = [id for id, exercise in EXERCISES.items() if exercise.shows_wrong_output]


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_right_answers_in_any_form_are_accepted(exercise_id):
    right = ANSWERS[exercise_id].right
    for answer in (*right, EXERCISES[exercise_id].right_answer()):
        feedback = check(exercise_id, answer)
        assert feedback.solved, feedback.message("en")
        assert grading_accepts(exercise_id, answer)
    assert right


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # raised by the wrong answers
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_wrong_answers_are_named(exercise_id, monkeypatch):
    """The answers include every known mistake in another form.

    A changed number or sign in a known wrong answer is therefore detected.
    """
    exercise, recognised = EXERCISES[exercise_id], []

    def noted(attempt: Attempt) -> WrongAnswer | None:
        recognised.append(known_answer(attempt))
        return recognised[-1]

    monkeypatch.setattr("course_utils.labs.diagnosis.known_answer", noted)
    wrong = [*ANSWERS[exercise_id].wrong, *WRITTEN_OTHERWISE.get(exercise_id, ())]
    for number, (expected, answer) in enumerate(wrong):
        assert (number, diagnose(exercise, answer).finding) == (number, expected)
    assert [known for known in exercise.wrong_answers() if known not in recognised] == []
    # Grading tries the cases of check first, so it rejects what they reject; a sample is enough.
    for _, answer in wrong[::5]:
        assert not grading_accepts(exercise_id, answer)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_two_references_agree_on_allowed_arguments(exercise_id):
    exercise, answers = EXERCISES[exercise_id], ANSWERS[exercise_id]

    def agree(arguments: tuple) -> None:
        answer = as_answer(exercise, answers.second)
        assert diagnose(exercise, answer, [arguments]).solved

    for arguments in (*exercise.cases, *hidden_cases(exercise_id)):
        agree(arguments)
    settings(max_examples=10)(given(answers.asked)(agree))()


@pytest.mark.parametrize("exercise_id", WRONG_OUTPUTS)
def test_answer_cannot_change_its_output_after_display(exercise_id):
    exercise = EXERCISES[exercise_id]

    def shown(*arguments: object) -> np.ndarray:
        return wrong_output(exercise_id, *arguments)

    for case in exercise.cases:
        np.testing.assert_array_equal(shown(*case), right_output(exercise, *case))
    feedback = check(exercise_id, shown)
    assert not feedback.solved and not grading_accepts(exercise_id, shown)
    assert "solo muestra" in feedback.shown().plain
    with pytest.raises(ValueError, match="exercise_id must be one of"):
        wrong_output("position-from-row")


def test_grading_uses_more_cases_than_check():
    by_heart = {case: strange_table(*case) for case in EXERCISES["strange-table"].cases}
    with pytest.raises(AssertionError, match=r"strange_table\(7, 10\)"):
        grade("strange-table", lambda *case: by_heart.get(case, np.zeros(case)), [(7, 10)])
    with pytest.raises(AssertionError, match=r"strange_table\(5, 4\)"):
        grade("strange-table", lambda *case: np.zeros(case), [(7, 10)])
    grade("strange-table", strange_table, [(7, 10)])
    with pytest.raises(ValueError, match="cases must hold at least one"):
        grade("strange-table", strange_table, [])


def test_answer_solved_after_stop_is_graded():
    stops = [KeyboardInterrupt]

    def mended_elsewhere(n_positions: int) -> int:
        if stops:
            raise stops.pop()
        return (n_positions - 1).bit_length()

    assert not check("bits-needed", mended_elsewhere).solved
    assert check("bits-needed", mended_elsewhere).solved
    assert grading_accepts("bits-needed", mended_elsewhere)


KEYS = {"value": lambda given: given.tobytes(), "shape": lambda given: given.shape}
"""Possible keys of a cache, which are all numbers of an argument or only its shape."""

BASE_IN_ROW = ("position-from-row", "row", "value")
"""Keys that are sufficient, because no two calls have the same row but different bases."""

CACHED = [
    (id, name, key)
    for id, exercise in EXERCISES.items()
    if not exercise.called_with
    for name, argument in zip(exercise.parameters, exercise.cases[0], strict=True)
    for key in (["value", "shape"] if np.ndim(argument) else ["value"])
    if not callable(argument) and (key == "shape" or len(exercise.parameters) > 1)
    if (id, name, key) != BASE_IN_ROW
]


@pytest.mark.parametrize(("exercise_id", "argument", "key"), CACHED)
def test_cache_keyed_by_one_argument_is_rejected(exercise_id, argument, key):
    exercise, kept = EXERCISES[exercise_id], {}

    def answer(*arguments):
        given = np.asarray(arguments[exercise.parameters.index(argument)])
        if KEYS[key](given) not in kept:
            kept[KEYS[key](given)] = exercise.reference(*arguments)
        return kept[KEYS[key](given)]

    assert not diagnose(exercise, answer).solved


def searched_to(most: float) -> Callable[[int, int], float]:
    """Return an answer that finds the base by bisection."""

    def base(n_positions: int, d_model: int) -> float:
        low, high = 1.0, most
        for _ in range(200):
            middle = (low + high) / 2
            if (n_positions - 1) * middle ** (2 / d_model - 1) > math.pi / 2:
                low = middle
            else:
                high = middle
        return low

    return base


ACCEPTED_BEFORE = {
    "a quotient of logarithms in float32": (
        "bits-needed",
        lambda n: math.ceil(np.log(np.float32(n)) / np.log(np.float32(2))),
    ),
    "a relative tolerance": (
        "exposing-calls",
        exposing_by(lambda r, t: not np.allclose(t, r, 0.05, 0)),
    ),
    "a table that is stretched": ("exposing-calls", exposing_by(unless_far, any_shape=True)),
    "a search up to a million": ("base-for-quarter-turn", searched_to(1e6)),
    "sums in half precision": (
        "most-similar-distance",
        lambda w, first, last: (
            first + np.float16(np.cos(np.outer(np.arange(first, last + 1), w))).sum(axis=1).argmax()
        ),
    ),
    "sums with two decimals": (
        "most-similar-distance",
        lambda w, first, last: (
            first + np.cos(np.outer(np.arange(first, last + 1), w)).sum(axis=1).round(2).argmax()
        ),
    ),
    "half precision": (
        "positions-from-bits",
        lambda bits: np.float16(bits) @ np.float16(2 ** np.arange(bits.shape[1])),
    ),
}
"""Wrong answers that were accepted previously, keyed by their error."""


@pytest.mark.parametrize("name", ACCEPTED_BEFORE)
def test_wrong_answer_of_known_kind_is_rejected(name):
    exercise_id, answer = ACCEPTED_BEFORE[name]
    assert not check(exercise_id, answer).solved
    assert not grading_accepts(exercise_id, answer)


def test_rows_of_attention_sum_to_one_in_grading():
    """The task promises this, so answers may divide by the sum again."""
    cases = (*EXERCISES["share-before"].cases, *hidden_cases("share-before"))
    for attention, first in cases:
        np.testing.assert_allclose(attention.sum(axis=1)[first:], 1)
