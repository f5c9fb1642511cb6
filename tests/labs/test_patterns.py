"""What a pattern puts into its sentence is true of every case, as a second reading finds."""

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

A_FEW = 3


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


def with_number(name: str, right_again: Callable[[NDArray, float], NDArray]) -> Reading:
    """Of a number that is told: what it has to do with what came, and what was expected."""
    return lambda calls, told: all(
        same(call.expected, right_again(call.got, float(told[name]))) for call in calls
    )


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
    "always-the-same": lambda calls, told: all(
        same(np.full(call.got.shape, float(told["number"])), call.got) for call in calls
    ),
    "factor": with_number("factor", lambda got, factor: got / factor),
    "too-large": with_number("constant", lambda got, constant: got - constant),
    "too-small": with_number("constant", lambda got, constant: got + constant),
    "shape-in-arguments": lambda calls, told: (
        all(eval(told["shape"], {}, call.given) == call.expected.shape for call in calls)
        and any(call.got.shape != call.expected.shape for call in calls)
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
}
"""Of patterns that tell something of their own; the others are met or not by the answers."""


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
def test_what_a_pattern_tells_of_a_wrong_answer_is_true_of_every_call(exercise_id):
    exercise = EXERCISES[exercise_id]
    mutants = list(solution_changed(exercise))
    some = random.Random(exercise_id).sample(mutants, min(A_FEW, len(mutants)))
    answers = [answer for said, answer in ANSWERS[exercise_id].wrong if "pattern." in said]
    answers += [mutant for _, mutant in some if exercise.parameters]
    for answer in answers:
        diagnosis = diagnose(exercise, answer)
        if diagnosis.pattern in READINGS:
            calls = calls_of(exercise, answer)
            assert READINGS[diagnosis.pattern](calls, diagnosis.details), diagnosis.pattern


def test_each_pattern_is_met_by_some_natural_answer_and_has_words():
    met = {found for answers in ANSWERS.values() for found, _ in answers.wrong}
    names = {name for name, _, _ in PATTERNS}
    assert names == {found[8:] for found in met if found.startswith("pattern.")}
    assert READINGS.keys() < names == set(SAID["pattern"])
