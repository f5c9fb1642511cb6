"""A pattern is said only if it is true of every case, as a second reading in plain Python finds."""

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import pytest
from mutants import ANSWERS, solution_changed

from course_utils.labs.diagnosis import Diagnosis, diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.messages import SAID
from course_utils.labs.patterns import PATTERNS
from course_utils.labs.running import outcome_of
from course_utils.labs.tasks import EXERCISES

A_FEW = 8
Lines = list[list[float]]


@dataclass(frozen=True)
class Call:
    """One call of an answer: what was given, and expected and got as nested lists of numbers."""

    given: dict[str, object]
    expected: object
    got: object
    expected_with: Callable[..., object] = dict

    @property
    def right(self) -> bool:
        return like(self.expected, self.got)

    @property
    def pairs(self) -> list[tuple[float, float]]:
        return list(zip(flat(self.expected), flat(self.got), strict=True))


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-4, abs_tol=6e-4)


def flat(numbers: object) -> list[float]:
    return [*chain(*map(flat, numbers))] if isinstance(numbers, list) else [numbers]


def like(one: object, other: object) -> bool:
    """The same numbers in the same lists."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(like, one, other))
    return isinstance(one, float) and isinstance(other, float) and near(one, other)


def columns(table: Lines) -> Lines:
    return [list(column) for column in zip(*table, strict=True)]


def lines(numbers: list) -> list[list]:
    """The rows of a table; of a list, each number as a row of its own."""
    return numbers if isinstance(numbers[0], list) else [[number] for number in numbers]


def each_number(holds: Callable[..., bool]) -> Callable[..., bool]:
    return lambda calls, told: all(holds(e, g, told) for call in calls for e, g in call.pairs)


def each_call(holds: Callable[[object, object], bool]) -> Callable[..., bool]:
    return lambda calls, told: all(holds(call.expected, call.got) for call in calls)


def one_by_one(longer: tuple[int, ...], shorter: tuple[int, ...]) -> set[int]:
    """By how much each axis is longer, all of them by 0 or 1; a list of no rows has no second."""
    steps = {one - other for one, other in zip(longer, shorter, strict=False)}
    return steps if steps <= {0, 1} else set()


SAYINGS: dict[str, Callable[[object, str], bool]] = {
    r"(\w+) is negative": lambda given, _: given < 0,
    r"(\w+) is positive": lambda given, _: given > 0,
    r"(\w+) is (\w+)": lambda given, value: str(given) == value or given == float(value),
    r"(\w+) holds whole numbers": lambda given, _: all(
        isinstance(number, int) for number in flat(given.tolist())
    ),
    r"(\w+) holds a single number": lambda given, _: len(flat(given.tolist())) == 1,
    r"(\w+) has a single row": lambda given, _: len(given) == 1,
    r"the number of columns of (\w+) is (\d+)": lambda given, value: len(given[0]) == int(value),
}


def holds(condition: str, given: dict[str, object]) -> bool:
    """Whether what is said of the arguments is true of these."""
    for said in condition.split(" or "):
        found = ((re.fullmatch(pattern, said), is_so) for pattern, is_so in SAYINGS.items())
        match, is_so = next((match, is_so) for match, is_so in found if match)
        if is_so(given[match[1]], match[match.lastindex]):
            return True
    return False


def same_factor(e: list[float], g: list[float]) -> bool:
    return all(
        math.isclose(b * c, a * d, rel_tol=1e-3, abs_tol=2e-3)
        for (a, b), (c, d) in pairwise(zip(e, g, strict=True))
    )


READINGS: dict[str, Callable[[list[Call], dict[str, object]], bool]] = {
    "input-returned": lambda calls, told: all(
        like(np.array(call.given[told["input"]], dtype=float).tolist(), call.got) for call in calls
    ),
    "transposed": each_call(lambda e, g: like(columns(e), g)),
    "extra-axis": each_call(lambda e, g: like(flat(e), flat(g)) and np.ndim(g) > np.ndim(e)),
    "reshaped": each_call(lambda e, g: like(flat(e), flat(g))),
    "one-column": each_call(lambda e, g: any(like(column, g) for column in columns(e))),
    "only-first-returned": each_call(lambda e, g: like(e[0], g) or like(e[:1], g)),
    "decimal-comma": each_call(lambda e, g: len(g) == 2 * len(e) and all(n == int(n) for n in g)),
    "lines-too-few-by-one": each_call(lambda e, g: 1 in one_by_one(np.shape(e), np.shape(g))),
    "lines-too-many-by-one": each_call(lambda e, g: 1 in one_by_one(np.shape(g), np.shape(e))),
    "always-the-same": each_number(lambda e, g, told: near(g, float(told["number"]))),
    "opposite-sign": each_number(lambda e, g, told: near(g, -e)),
    "reciprocal": each_number(lambda e, g, told: near(g * e, 1) or near(g, 1 / e)),
    "whole-numbers": each_number(lambda e, g, told: g == int(g) and abs(g - e) < 1),
    "few-digits": each_number(lambda e, g, told: abs(g - e) < 0.1 and near(round(g, 7), g)),
    "almost": each_call(
        lambda e, g: all(
            abs(a - b) <= 0.01 * max(map(abs, flat(e)))
            for a, b in zip(flat(e), flat(g), strict=True)
        )
    ),
    "factor": each_number(lambda e, g, told: near(g / float(told["factor"]), e)),
    "too-large": each_number(lambda e, g, told: near(g - float(told["constant"]), e)),
    "too-small": each_number(lambda e, g, told: near(g + float(told["constant"]), e)),
    "lines-elsewhere": each_call(
        lambda e, g: any(
            all(any(like(line, other) for other in there) for line in here)
            for here, there in ((lines(e), lines(g)), (columns(lines(e)), columns(lines(g))))
        )
    ),
    "factor-by-call": each_call(lambda e, g: like(e, g) or same_factor(flat(e), flat(g))),
    "cut-not-rounded": each_number(lambda e, g, told: g in (e, e - 1, e + 1)),
    "odd-columns-wrong": each_call(lambda e, g: like(columns(e)[::2], columns(g)[::2])),
    "shape-in-arguments": lambda calls, told: (
        all(eval(told["shape"], {}, call.given) == np.shape(call.expected) for call in calls)
        and any(np.shape(call.got) != np.shape(call.expected) for call in calls)
    ),
    "only-first-call-right": lambda calls, told: (
        [call.right for call in calls] == [True] + [False] * (len(calls) - 1)
    ),
    "right-when": lambda calls, told: all(
        call.right == holds(told["condition"].plain["en"], call.given) for call in calls
    ),
    "wrong-when": lambda calls, told: all(
        call.right != holds(told["condition"].plain["en"], call.given) for call in calls
    ),
    "right-for-another": lambda calls, told: all(
        like(call.expected_with(**{told["input"]: eval(told["instead"], {}, call.given)}), call.got)
        for call in calls
    ),
    "signs": each_number(lambda e, g, told: near(abs(e), abs(g))),
    "only-one-call-wrong": lambda calls, told: [call.right for call in calls].count(False) == 1,
    "lengths-right": each_call(
        lambda e, g: all(
            near(math.hypot(*a), math.hypot(*b))
            for a, b in (zip(e, g, strict=True) if isinstance(e[0], list) else [(e, g)])
        )
    ),
}
"""Whether what a pattern says is true of all calls, with what was put into its sentence."""


def as_lists(numbers: np.ndarray | None) -> object:
    return None if numbers is None else numbers.tolist()


def calls_of(exercise: Exercise, answer: object) -> list[Call]:
    made = []
    for case in exercise.cases:
        wanted = outcome_of(exercise, exercise.reference, case)
        given = outcome_of(exercise, answer if exercise.parameters else lambda: answer, case)
        expected, got = as_lists(wanted.numbers), as_lists(given.numbers)
        if wanted.error is not None and isinstance(given.error, type(wanted.error)):
            expected = got = 0.0  # an error that should be raised is right
        arguments = exercise.last_call(case)

        def expected_with(arguments: dict = arguments, **others: object) -> object:
            changed = tuple({**arguments, **others}.values())
            return as_lists(outcome_of(exercise, exercise.reference, changed).numbers)

        made.append(Call(arguments, expected, got, expected_with))
    return made


def assert_true(exercise: Exercise, answer: object, diagnosis: Diagnosis) -> None:
    with np.errstate(all="ignore"):
        calls = calls_of(exercise, answer)
        told = {name: value for name, value in diagnosis.details.items()}
        assert READINGS[diagnosis.pattern](calls, told), (exercise.id, diagnosis.pattern)


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
            assert_true(exercise, answer, diagnosis)


def test_each_pattern_is_met_by_some_natural_answer_and_has_a_reading_and_words():
    met = {found for answers in ANSWERS.values() for found, _ in answers.wrong}
    names = {name for name, _, _ in PATTERNS}
    assert names == {found[8:] for found in met if found.startswith("pattern.")}
    assert names == READINGS.keys() == set(SAID["pattern"])
