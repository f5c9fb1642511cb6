"""A pattern is said only if it is true of every case, as a second reading finds."""

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from test_mutants import ANSWERS, solution_changed

from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.messages import SAID
from course_utils.labs.patterns import PATTERNS
from course_utils.labs.running import outcome_of
from course_utils.labs.tasks import EXERCISES

A_FEW = 8


@dataclass(frozen=True)
class Call:
    """One call of an answer: what was given, expected and got; NaN where no numbers came."""

    given: dict[str, object]
    expected: NDArray
    got: NDArray
    expected_with: Callable[[dict[str, object]], NDArray]

    @property
    def right(self) -> bool:
        return same(self.expected, self.got)


Reading = Callable[[list[Call], dict[str, object]], bool]
"""Whether what a pattern says is true of all calls, with what was put into its sentence."""


def same(one: NDArray, other: NDArray) -> bool:
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=1e-4, atol=6e-4)


def each(holds: Callable[..., bool]) -> Reading:
    """Of what was expected and got in each call, and then the number that is told, if any."""

    def holds_of_all(calls: list[Call], told: dict[str, object]) -> bool:
        names = {"number", "factor", "constant"} & told.keys()
        numbers = [float(told[name]) for name in names]
        return all(holds(call.expected, call.got, *numbers) for call in calls)

    return holds_of_all


def longer_by_one(longer: NDArray, shorter: NDArray) -> bool:
    return set(np.subtract(longer.shape, shorter.shape)) in ({1}, {0, 1})


def has_the_lines_of(one: NDArray, other: NDArray) -> bool:
    return all(any(same(line, there) for there in other) for line in one)


def in_proportion(one: NDArray, other: NDArray) -> bool:
    products = np.outer(one, other)
    return np.allclose(products, products.T, rtol=1e-3, atol=2e-3)


CONDITIONS = {
    r"(\w+) is negative": r"\1 < 0",
    r"(\w+) is positive": r"\1 > 0",
    r"(\w+) holds whole numbers": r"\1.dtype.kind == 'i'",
    r"(\w+) holds a single number": r"\1.size == 1",
    r"(\w+) has a single row": r"len(\1) == 1",
    r"the number of columns of (\w+) is (\d+)": r"\1.shape[1] == \2",
    r"(\w+) is (\w+)": r"\1 == \2",
}
"""What may be said of the arguments, and the same in Python."""


def is_met(said: str, given: dict[str, object]) -> bool:
    for words, meant in CONDITIONS.items():
        said = re.sub(words, meant, said)
    return bool(eval(said, {}, given))


def right_exactly_when(meeting: bool) -> Reading:
    return lambda calls, told: all(
        call.right == (is_met(told["condition"].plain["en"], call.given) == meeting)
        for call in calls
    )


READINGS: dict[str, Reading] = {
    "input-returned": lambda calls, told: all(
        same(call.given[told["input"]], call.got) for call in calls
    ),
    "transposed": each(lambda e, g: same(e.T, g)),
    "extra-axis": each(lambda e, g: g.ndim > e.ndim and same(e.ravel(), g.ravel())),
    "reshaped": each(lambda e, g: same(e.ravel(), g.ravel())),
    "one-column": each(lambda e, g: any(same(column, g) for column in e.T)),
    "only-first-returned": each(lambda e, g: same(e[0], g) or same(e[:1], g)),
    "decimal-comma": each(lambda e, g: len(g) == 2 * len(e) and not (g % 1).any()),
    "lines-too-few-by-one": each(lambda e, g: longer_by_one(e, g)),
    "lines-too-many-by-one": each(lambda e, g: longer_by_one(g, e)),
    "always-the-same": each(lambda e, g, number: same(np.full(g.shape, number), g)),
    "opposite-sign": each(lambda e, g: same(-e, g)),
    "reciprocal": each(lambda e, g: same(e * g, np.ones(e.shape))),
    "whole-numbers": each(lambda e, g: not (g % 1).any() and (abs(g - e) < 1).all()),
    "few-digits": each(
        lambda e, g: np.allclose(g.round(7), g, atol=1e-12) and (abs(g - e) < 0.1).all()
    ),
    "almost": each(lambda e, g: (abs(g - e) <= 0.01 * abs(e).max()).all()),
    "factor": each(lambda e, g, factor: same(e, g / factor)),
    "too-large": each(lambda e, g, constant: same(e, g - constant)),
    "too-small": each(lambda e, g, constant: same(e, g + constant)),
    "lines-elsewhere": each(
        lambda e, g: has_the_lines_of(e, g) or has_the_lines_of(e.T, g.T),
    ),
    "factor-by-call": each(lambda e, g: same(e, g) or in_proportion(e, g)),
    "cut-not-rounded": each(lambda e, g: g in (e, e - 1, e + 1)),
    "odd-columns-wrong": each(lambda e, g: same(e[:, ::2], g[:, ::2])),
    "shape-in-arguments": lambda calls, told: (
        all(eval(told["shape"], {}, call.given) == call.expected.shape for call in calls)
        and any(call.got.shape != call.expected.shape for call in calls)
    ),
    "only-first-call-right": lambda calls, told: (
        [call.right for call in calls] == [True] + [False] * (len(calls) - 1)
    ),
    "only-one-call-wrong": lambda calls, told: (
        [call.right for call in calls].count(False) == 1 and told["calls"] == str(len(calls))
    ),
    "right-when": right_exactly_when(meeting=True),
    "wrong-when": right_exactly_when(meeting=False),
    "right-for-another": lambda calls, told: all(
        same(call.expected_with({told["input"]: eval(told["instead"], {}, call.given)}), call.got)
        for call in calls
    ),
    "signs": each(lambda e, g: same(abs(e), abs(g))),
    "lengths-right": each(
        lambda e, g: same(np.linalg.norm(e, axis=-1), np.linalg.norm(g, axis=-1))
    ),
}


def calls_of(exercise: Exercise, answer: object) -> list[Call]:
    function = answer if exercise.parameters else lambda: answer
    return [call_of(exercise, function, case) for case in exercise.cases]


def call_of(exercise: Exercise, function: Callable[..., object], case: tuple) -> Call:
    given = exercise.last_call(case)
    wanted, came = (outcome_of(exercise, each, case) for each in (exercise.reference, function))
    expected, got = (np.array(math.nan if o.numbers is None else o.numbers) for o in (wanted, came))
    if wanted.error is not None and isinstance(came.error, type(wanted.error)):
        expected = got = np.array(0.0)  # an error that should be raised is right

    def expected_with(other: dict[str, object]) -> NDArray:
        arguments = tuple((given | other).values())
        return np.array(outcome_of(exercise, exercise.reference, arguments).numbers, float)

    return Call(given, expected, got, expected_with)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong answers themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_a_pattern_said_of_a_wrong_answer_is_true_of_every_call(exercise_id):
    exercise = EXERCISES[exercise_id]
    mutants = list(solution_changed(exercise))
    some = random.Random(exercise_id).sample(mutants, min(A_FEW, len(mutants)))
    answers = [answer for said, answer in ANSWERS[exercise_id].wrong if "pattern." in said]
    answers += [mutant for _, mutant in some if exercise.parameters]
    for answer in answers:
        diagnosis = diagnose(exercise, answer)
        if diagnosis.pattern:
            calls = calls_of(exercise, answer)
            assert READINGS[diagnosis.pattern](calls, diagnosis.details), diagnosis.pattern


def test_each_pattern_is_met_by_some_natural_answer_and_has_a_reading_and_words():
    met = {found for answers in ANSWERS.values() for found, _ in answers.wrong}
    names = {name for name, _, _ in PATTERNS}
    assert names == {found[8:] for found in met if found.startswith("pattern.")}
    assert names == READINGS.keys() == set(SAID["pattern"])
