"""Tests that the sentence about a pattern is true for every call."""

from collections.abc import Callable

import numpy as np
import pytest
from checks.labs import as_answer, by_exercise, last_number, right_output, strange_table

from course_utils.labs import check
from course_utils.labs.common_mistakes import WITH_NAME
from course_utils.labs.messages import SAID
from course_utils.labs.patterns import PATTERNS
from course_utils.labs.tasks import EXERCISES
from course_utils.labs.tasks.shared import rows

ANSWERS = by_exercise("answers", "ANSWERS")

SAID_OF_ANSWERS = {
    ("positions-from-bits", "wrapped"): ["by a multiple of 256. A small integer type such as int8"],
    ("strange-table", "lines-shifted"): ["Your row 0 is what row 2 should be"],
    ("sinusoidal-rows", "result-of-earlier-call"): [
        "an earlier call, sinusoidal_rows(np.array([3, 0, 40]), 8, 100)."
    ],
    ("flips-at-distance", "only-one-call-wrong"): ["Of the 7 calls that were tried"],
    ("repeating-encoding", "affine"): ["yours is 0.8 · x + 0.1, in every call"],
    ("bits-needed", "too-small"): ["too small by 1."],
    ("reading-order", "too-large"): ["too large by 1."],
    ("gray-encoding", "lines-too-few-by-one"): ["one row too few"],
    ("gray-encoding", "shape-in-arguments"): ["should be (n_positions, d_model)."],
    ("gray-encoding", "argument-ignored"): ["does not depend on n_positions: gray_encoding("],
    ("their-stripes", "lines-too-many-by-one"): ["one row too many"],
    ("sinusoidal-rows", "right-for-another"): ["np.round(positions) in place of positions."],
    ("strange-table", "where"): ["wrong numbers are in columns 1, 3, 5 and so on;"],
    ("their-frequencies", "where"): ["wrong numbers are in the last entry;"],
    ("shift-back", "right-for-another"): [
        "with 0 in place of steps_back.",
        "with abs(steps_back) in place of steps_back.",
    ],
    ("first-return", "only-first-call-right"): ["first_return(np.array([4, 3, 2, 1]), 0.25), give"],
    ("their-frequencies", "factor"): ["6.2832 (2π) times"],
    ("first-lost-position", "always-the-same"): ["in your results is 16777217,"],
    ("share-looking-at", "right-when"): ["only when steps is 0."],
    ("share-looking-at", "wrong-when"): ["exactly when steps is negative."],
    ("query-looking-back", "input-returned"): ["Your code returns key unchanged"],
    ("query-looking-back", "formula"): ["your result is x[::-1], where x is the right result."],
    ("query-looking-back", "right-for-another"): ["key / np.linalg.norm(key) in place of key."],
    ("rotate-part", "lines-elsewhere"): ["The columns are right, but"],
}
"""Expected sentences, keyed by exercise and pattern."""


def right_where(exercise_id: str, condition: Callable[..., bool]) -> object:
    """Return an answer that is correct only if the arguments satisfy a condition."""

    def answer(*given: object) -> np.ndarray:
        right = right_output(EXERCISES[exercise_id], *given)
        return right if condition(*given) else right - 0.37 * last_number(right)

    return as_answer(EXERCISES[exercise_id], answer)


def misshapen(*given: object) -> np.ndarray:
    return np.full((1, 99), sum(np.sum(each) for each in given))


repeating = EXERCISES["repeating-encoding"].reference
OTHERS = [
    ("strange-table", lambda n, d: strange_table(n, d + 1), "one column too many"),
    ("strange-table", lambda n, d: strange_table(n + 1, d + 1), "one row and one column too many"),
    ("slopes-for-any-heads", lambda n: np.ones(n - 1), "one number too few"),
    ("exchangeable-words", misshapen, "should be (len(table), len(table))."),
    ("flips-at-distance", misshapen, "should be (len(table) - distance,)."),
    ("move-keys", misshapen, "should be (len(keys), keys.shape[1])."),
    ("surprise-along", misshapen, "should be (len(bits) - width + 1,)."),
    ("their-frequencies", misshapen, "should be (d_model // 2,)."),
    ("repeating-encoding", lambda n, d, p: repeating(n, d, p + 2), "with period + 2 in place of"),
    ("repeating-encoding", lambda n, d, p: repeating(n, d, 2 * p), "with 2 * period in place of"),
    *(
        (exercise_id, right_where(exercise_id, condition), words)
        for exercise_id, condition, words in (
            ("share-looking-at", lambda scores, steps: steps > 0, "steps is positive."),
            ("bucket-of-offset", lambda *given: given[-1], "both_ways is True."),
            ("flips-at-distance", lambda _, distance: distance != 0, "exactly when distance is 0."),
            ("strange-table", lambda n, d: n == 1, "Worked by hand: in the right table"),
            ("move-keys", lambda keys, _: keys.shape[1] == 2, "number of columns of keys is 2."),
        )
    ),
]


@pytest.mark.parametrize(("exercise_id", "pattern"), SAID_OF_ANSWERS)
def test_pattern_describes_a_natural_answer(exercise_id, pattern):
    wrong = ANSWERS[exercise_id].wrong
    answers = [answer for found, answer in wrong if found == f"pattern.{pattern}"]
    said = SAID_OF_ANSWERS[exercise_id, pattern]
    for answer, words in zip(answers, said, strict=True):
        assert words in check(exercise_id, answer).message("en")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong answers themselves
@pytest.mark.parametrize(("exercise_id", "answer", "words"), OTHERS)
def test_pattern_names_axis_size_condition(exercise_id, answer, words):
    assert words in check(exercise_id, answer).message("en")


def test_no_question_about_a_correct_shape():
    feedback = check("strange-table", lambda n, d: np.ones((n, d if d == 4 else d // 2)))
    assert "strange_table(5, 4)" in feedback.message("en")
    assert "shape" not in feedback.message("en")


def test_coincidence_does_not_count_as_another_argument():
    def with_hands_of_length_one(row: np.ndarray, n_positions: int, base: float) -> int:
        hands = row.reshape(-1, 2) / np.linalg.norm(row.reshape(-1, 2), axis=1)[:, np.newaxis]
        table = rows(range(n_positions), len(row), base)
        return np.linalg.norm(table - hands.ravel(), axis=1).argmin()

    # One call is wrong, and base + 1 would give the same.
    assert "base + 1" not in check("position-from-noisy-row", with_hands_of_length_one).message(
        "en"
    )


def test_each_pattern_occurs_in_some_answer():
    met = {
        word for answers in ANSWERS.values() for found, _ in answers.wrong for word in found.split()
    }
    names = {name for name, _, _ in PATTERNS} | {*WITH_NAME.values()}
    assert names == {word[8:] for word in met if word.startswith("pattern.")}
    assert names == set(SAID["pattern"])
