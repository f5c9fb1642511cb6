"""Tests that the steps worked by hand lead to the correct number."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from checks.labs import (
    WithoutSource,
    as_answer,
    by_exercise,
    hidden_cases,
    off,
    right_output,
)
from checks.snapshots import assert_current
from hypothesis import given, settings

from course_utils.labs import check
from course_utils.labs.diagnosis import Diagnosis, diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.feedback import feedback_on
from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")
TEXTS = {"en": ("Worked by hand: ", "At which step"), "es": ("A mano: ", "¿En qué paso")}


def right_numbers(exercise: Exercise, case: tuple) -> dict[tuple[int, ...], float]:
    """Return the correct numbers of a call, keyed by their indices."""
    try:
        return dict(np.ndenumerate(right_output(exercise, *case)))
    except ValueError:
        return {}


def assert_right(exercise: Exercise, case: tuple) -> None:
    for place, right in islice(right_numbers(exercise, case).items(), 20):
        made = exercise.by_hand(place, *case)["result"]
        assert made == pytest.approx(right, rel=1e-5, abs=exercise.tolerance), (case, place)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_steps_by_hand_end_at_correct_number(exercise_id):
    exercise = EXERCISES[exercise_id]
    for case in (*exercise.cases, *hidden_cases(exercise_id)):
        assert_right(exercise, case)
    asked = given(ANSWERS[exercise_id].asked)(lambda case: assert_right(exercise, case))
    settings(max_examples=8)(asked)()


def test_repeated_score_is_found_by_row_with_column():
    exercise = EXERCISES["their-scores"]
    for case in exercise.cases:
        scores = right_output(exercise, *case)
        for place in np.ndindex(*scores.shape):
            total = exercise.by_hand(place, *case)["sum"]
            row = max(0, total - len(scores) + 1)
            np.testing.assert_allclose(scores[row, total - row], scores[place])


def snapshot() -> str:
    """Return the current content of ``by_hand.json``."""
    steps = {name: list(steps_said(exercise)) for name, exercise in EXERCISES.items()}
    return json.dumps(steps, ensure_ascii=False, indent=1) + "\n"


def test_steps_by_hand_match_snapshot():
    now = snapshot()
    for name, steps in json.loads(now).items():
        assert len(steps) > len(EXERCISES[name].cases) / 3, name
    assert_current(Path(__file__).with_name("by_hand.json"), now)


def steps_said(exercise: Exercise) -> Iterator[str]:
    for case in exercise.cases:
        for place in [*right_numbers(exercise, case)][-1:]:
            # No known mistake produces this answer.
            wrong = off(exercise, lambda right, place=place: with_another(right, place))
            diagnosis = diagnose(exercise, wrong, [case])
            if diagnosis.steps:
                yield said_by_hand(exercise, diagnosis)


def with_another(right: np.ndarray, place: tuple[int, ...]) -> np.ndarray:
    numbers = np.array(right)
    if len(place) == numbers.ndim:
        numbers[place] = 1.01 * numbers[place] + 0.137 + 0.05 * np.sin(numbers[place])
    return numbers


def said_by_hand(exercise: Exercise, diagnosis: Diagnosis) -> str:
    """Return the steps in English, and check that the steps end in the number in each language."""
    feedback, result = feedback_on(exercise, diagnosis), diagnosis.steps["result"]
    for language, (begins, question) in TEXTS.items():
        steps = feedback.message(language).split(begins)[1].split(question)[0]
        assert not re.search(r"[{}]|nan|np\.|None|array|float", steps), steps
        there = re.search(rf"(?<![\w.]){re.escape(result)}(?!\w|\.\d)", steps)
        assert bool(there) == bool(exercise.parameters), steps
    return feedback.message("en").split("Worked by hand: ")[1].split("At which step")[0].strip()


@pytest.mark.parametrize(
    ("exercise_id", "call"),
    [
        ("their-stripes", "their_stripes(2, 1)"),
        ("move-keys", "move_keys(np.array([[0.25, 0.79]]), 1)"),
        ("first-return", "first_return(np.array([5]), 0.3)"),
        ("positional-encoding", "PositionalEncoding(1, 2)(np.array([[0.08, -0.31]]))"),
    ],
)
def test_smallest_wrong_call_is_worked_by_hand(exercise_id, call):
    exercise = EXERCISES[exercise_id]
    noise = np.random.default_rng(seed=1)
    wrong = off(exercise, lambda right: right + noise.normal(size=np.shape(right)))
    diagnosis = diagnose(exercise, wrong)
    assert diagnosis.call.typed == call and diagnosis.steps


def test_number_before_last_step_is_recognised():
    exercise = EXERCISES["positional-encoding"]

    def words_in_some_columns(*given: object) -> np.ndarray:
        words, right = given[-1], right_output(exercise, *given)
        return np.where(np.arange(words.shape[-1]) % 3 == 1, words, right)

    feedback = check(exercise.id, as_answer(exercise, WithoutSource(words_in_some_columns)))
    assert "Your number, -0.31, is one of the values on the way." in feedback.message("en")
    assert "Tu número, -0.31, es uno de los valores intermedios." in feedback.message("es")
