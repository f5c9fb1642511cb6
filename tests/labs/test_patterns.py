"""Tests that the sentence about a pattern is true for every call."""

from collections.abc import Callable
from itertools import chain

import numpy as np
import pytest
from checks.labs import (
    WithoutSource,
    as_answer,
    by_exercise,
    last_number,
    right_output,
)

from course_utils.labs import check
from course_utils.labs.edits import KINDS
from course_utils.labs.messages import TEXTS
from course_utils.labs.patterns import PATTERNS
from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")
WRONG = by_exercise("wrong_answers", "WRONG")

SENTENCES_OF = {
    ("positions-from-bits", "wrapped"): ["by a multiple of 256. A small integer type such as int8"],
    ("sinusoidal-rows", "result-of-earlier-call"): [
        "an earlier call, sinusoidal_rows(np.array([3, 0, 40]), 8, 100)."
    ],
    ("flips-at-distance", "only-one-call-wrong"): ["Of the 7 calls that were tried"],
    ("bits-needed", "too-small"): ["too small by 1."],
    ("reading-order", "too-large"): ["too large by 1."],
    ("gray-encoding", "lines-too-few-by-one"): ["one row too few"],
    ("gray-encoding", "shape-in-arguments"): ["should be (n_positions, d_model)."],
    ("gray-encoding", "argument-ignored"): ["does not depend on n_positions: gray_encoding("],
    ("strange-table", "where"): ["wrong numbers are in columns 1, 3, 5 and so on;"],
    ("their-frequencies", "factor"): ["6.2832 (2π) times"],
    ("query-looking-back", "input-returned"): ["Your code returns key unchanged"],
}
"""Expected sentences, keyed by exercise and pattern."""


def right_where(exercise_id: str, condition: Callable[..., bool]) -> object:
    """Return an answer that is correct only if the arguments satisfy a condition."""

    def answer(*given: object) -> np.ndarray:
        right = right_output(EXERCISES[exercise_id], *given)
        return right if condition(*given) else right - 0.37 * last_number(right)

    return as_answer(EXERCISES[exercise_id], WithoutSource(answer))


def misshapen(*given: object) -> np.ndarray:
    return np.full((1, 99), sum(np.sum(each) for each in given))


OTHERS = [
    ("exchangeable-words", misshapen, "should be (len(table), len(table))."),
    ("flips-at-distance", misshapen, "should be (len(table) - distance,)."),
    ("move-keys", misshapen, "should be (len(keys), keys.shape[1])."),
    ("surprise-along", misshapen, "should be (len(bits) - width + 1,)."),
    ("their-frequencies", misshapen, "should be (d_model // 2,)."),
    ("strange-table", right_where("strange-table", lambda n, d: n == 1), "Worked by hand: in the"),
]


@pytest.mark.parametrize(("exercise_id", "pattern"), SENTENCES_OF)
def test_pattern_describes_natural_answer(exercise_id, pattern):
    wrong = ANSWERS[exercise_id].wrong
    answers = [answer for found, answer in wrong if found == f"pattern.{pattern}"]
    sentences = SENTENCES_OF[exercise_id, pattern]
    for answer, words in zip(answers, sentences, strict=True):
        assert words in check(exercise_id, answer).message("en")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # raised by the wrong answers
@pytest.mark.parametrize(("exercise_id", "answer", "words"), OTHERS)
def test_pattern_names_axis_size_or_place(exercise_id, answer, words):
    assert words in check(exercise_id, answer).message("en")


def test_no_question_about_correct_shape():
    feedback = check("strange-table", lambda n, d: np.ones((n, d if d == 4 else d // 2)))
    assert "strange_table(5, 4)" in feedback.message("en")
    assert "shape" not in feedback.message("en")


def test_each_pattern_occurs_in_some_answer():
    wrong = [*chain(*(answers.wrong for answers in ANSWERS.values())), *chain(*WRONG.values())]
    met = {word for found, _ in wrong for word in found.split()}
    names = {name for name, _, _ in PATTERNS} - {"repair"}
    repairs = {f"repair-{kind}" for kind in KINDS}
    assert names == {word[8:] for word in met if word.startswith("pattern.")} - repairs
    assert names | repairs == set(TEXTS["pattern"])
