"""Where no belief fits: the regularity that is found, and that it is what the words say."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.messages import SAID
from course_utils.labs.tasks import EXERCISES
from course_utils.labs.tasks.rotation import Shift
from course_utils.labs.tasks.sinusoidal import Frequencies, Sinusoids

TABLE = Exercise(
    id="sinusoidal-encoding",
    parameters=("n_positions", "d_model"),
    reference=Sinusoids(),
    cases=((5, 4), (4, 8), (50, 16), (1, 2), (60, 52)),
    misconceptions=(),
)
LIST = Exercise(
    id="angular-frequencies",
    parameters=("d_model",),
    reference=Frequencies(),
    cases=((4,), (8,), (16,), (2,), (130,)),
    misconceptions=(),
    tolerance=1e-9,
)
SQUARE = Exercise(
    id="shift-matrix",
    parameters=("offset", "d_model"),
    reference=Shift(),
    cases=((3, 8), (1, 4), (-2, 6), (0, 2), (40, 22)),
    misconceptions=(),
)
NUMBER = replace(EXERCISES["bits-needed"], misconceptions=())
COUNTED = replace(LIST, reference=lambda d: np.arange(d // 2) + 10.0)


def changed(exercise: Exercise, change: Callable[..., object]) -> Callable[..., object]:
    """Who hands in the right answer after a change, made with the arguments at hand if need be."""

    def answer(*arguments: object) -> object:
        return change(np.asarray(exercise.reference(*arguments), dtype=float))

    return answer


def put(index: object, value: float) -> Callable[[NDArray], NDArray]:
    """A change of some entries."""

    def change(array: NDArray) -> NDArray:
        array = array.copy()
        array[index] += value
        return array

    return change


def column(array: NDArray) -> NDArray:
    return np.arange(array.shape[-1])


def row(array: NDArray) -> NDArray:
    return np.arange(len(array))[:, np.newaxis]


FOUND: dict[str, tuple[Exercise, Callable]] = {
    "all-zero": (TABLE, lambda a: 0 * a),
    "always-the-same": (TABLE, lambda a: 0 * a + 3),
    "opposite-sign": (TABLE, lambda a: -a),
    "sign-lost": (TABLE, abs),
    "percent": (LIST, lambda a: 100 * a),
    "hundredth": (NUMBER, lambda a: a / 100),
    "times-two-pi": (TABLE, lambda a: math.tau * a),
    "over-two-pi": (NUMBER, lambda a: a / math.tau),
    "radians-to-degrees": (TABLE, np.degrees),
    "degrees-to-radians": (TABLE, np.radians),
    "factor": (NUMBER, lambda a: 3 * a),
    "factor-by-call": (TABLE, lambda a: a * len(a)),
    "opposite-sign-in-some-calls": (TABLE, lambda a: a * (-1) ** (len(a) % 4 == 0)),
    "too-large": (NUMBER, lambda a: a + 1),
    "too-small": (TABLE, lambda a: a - 0.5),
    "constant-by-call": (TABLE, lambda a: a + len(a)),
    "reciprocal": (LIST, lambda a: 1 / a),
    "square": (TABLE, lambda a: a * a),
    "root": (LIST, lambda a: a**0.5),
    "complement": (TABLE, lambda a: 1 - a),
    "transposed": (SQUARE, lambda a: a.T),
    "whole-numbers": (TABLE, lambda a: a.astype(int)),
    "few-digits": (TABLE, lambda a: a.round(3)),
    "half-precision": (TABLE, lambda a: a.astype(np.float16)),
    "swapped-in-pairs": (TABLE, lambda a: a[:, column(a) ^ 1]),
    "rows-reversed": (TABLE, lambda a: a[::-1]),
    "rows-late": (TABLE, lambda a: np.vstack([a[:1] - 7, a[:-1]])),
    "rows-early": (TABLE, lambda a: np.vstack([a[1:], a[:1] - 7])),
    "rows-elsewhere": (TABLE, lambda a: np.roll(a, 2, axis=0)),
    "columns-reversed": (TABLE, lambda a: a[:, ::-1]),
    "columns-late": (TABLE, lambda a: np.roll(a, 1, axis=1) + 9 * (column(a) == 0)),
    "columns-early": (TABLE, lambda a: np.roll(a, -1, axis=1)),
    "columns-elsewhere": (TABLE, lambda a: np.hstack([a[:, 1::2], a[:, ::2]])),
    "entries-reversed": (LIST, lambda a: a[::-1]),
    "entries-late": (LIST, lambda a: np.roll(a, 1) + 9 * (column(a) == 0)),
    "entries-early": (LIST, lambda a: np.roll(a, -1)),
    "entries-elsewhere": (COUNTED, lambda a: np.roll(a, 2)),
    "numbers-elsewhere": (TABLE, lambda a: np.sort(a.ravel()).reshape(a.shape)),
    "rows-agree": (TABLE, lambda a: a[0 * row(a)[:, 0] - 1]),
    "columns-agree": (TABLE, lambda a: a[:, 0 * column(a)]),
    "entries-agree": (COUNTED, lambda a: np.full(len(a), float(len(a)))),
    "rows-agree-in-pairs": (TABLE, lambda a: (a + 1)[row(a)[:, 0] // 2 * 2]),
    "columns-agree-in-pairs": (TABLE, lambda a: a[:, column(a) // 2 * 2]),
    "entries-agree-in-pairs": (COUNTED, lambda a: a[column(a) // 2 * 2] + 3),
    "only-first-of-rows-wrong": (TABLE, put(0, 5)),
    "only-last-of-rows-wrong": (TABLE, put(-1, 5)),
    "only-first-of-rows-right": (TABLE, lambda a: a * (row(a) + 1)),
    "odd-rows-wrong": (TABLE, lambda a: a * (1 + row(a) % 2)),
    "even-rows-wrong": (TABLE, lambda a: a * (3 - 2 * (row(a) % 2))),
    "only-first-of-columns-wrong": (TABLE, put((..., 0), 5)),
    "only-last-of-columns-wrong": (TABLE, put((..., -1), 5)),
    "only-first-of-columns-right": (TABLE, lambda a: a + column(a) * 1.1),
    "odd-columns-wrong": (TABLE, lambda a: a * (1 + 2 * (column(a) % 2))),
    "even-columns-wrong": (TABLE, lambda a: a * (3 - 2 * (column(a) % 2))),
    "only-first-of-entries-wrong": (LIST, put(0, 5)),
    "only-last-of-entries-wrong": (COUNTED, put(-1, 0.5)),
    "only-first-of-entries-right": (COUNTED, lambda a: a + column(a)),
    "odd-entries-wrong": (COUNTED, lambda a: a * (1 + 2 * (column(a) % 2))),
    "even-entries-wrong": (COUNTED, lambda a: a * (3 - 2 * (column(a) % 2))),
    "only-diagonal-wrong": (SQUARE, lambda a: a + np.eye(len(a)) * (row(a) + 1)),
    "only-above-diagonal-wrong": (SQUARE, lambda a: a + np.triu(a + 5, 1)),
    "only-below-diagonal-wrong": (SQUARE, lambda a: a + np.tril(a + 5, -1)),
    "some-signs": (TABLE, lambda a: a * (-1) ** (row(a) + column(a))),
    "almost": (TABLE, lambda a: a * (1 + 0.002 * np.cos(column(a)))),
    "cut-not-rounded": (NUMBER, lambda a: a - (a > 6)),
    "not-rounded": (NUMBER, lambda a: a - 0.9 / (a + 1)),
    "wrong-ones-zero": (TABLE, lambda a: a * ((row(a) < 2) | (column(a) > 1))),
    "lengths-right": (
        TABLE,
        lambda a: a @ np.kron(np.eye(a.shape[1] // 2), [[0.6, 0.8], [-0.8, 0.6]]),
    ),
    "only-first-pair-of-columns-right": (TABLE, lambda a: a + (column(a) // 2) ** 1.3),
    "only-first-pair-of-entries-right": (
        replace(COUNTED, cases=((8,), (20,))),
        lambda a: a + (column(a) // 2) ** 1.3,
    ),
    "never-negative": (TABLE, lambda a: abs(a) * 1.5),
    "some-too-large": (TABLE, lambda a: a + (a < 0.3)),
    "some-too-small": (TABLE, lambda a: a - (a < 0.3)),
    "always-too-large": (TABLE, lambda a: a + 0.3 * abs(a)),
    "always-too-small": (TABLE, lambda a: a - 0.3 * abs(a)),
    "extra-axis": (NUMBER, lambda a: [a]),
    "missing-axis": (TABLE, np.ravel),
    "reshaped": (TABLE, lambda a: a.reshape(a.shape[1], -1)),
    "axes-exchanged": (TABLE, lambda a: 2 * a.T),
    "step-missing": (NUMBER, lambda a: [0.0, a]),
    "one-column": (TABLE, lambda a: a[:, 0]),
    "only-first-returned": (TABLE, lambda a: a[0]),
    "step-too-far": (TABLE, lambda a: a.sum(axis=1)),
    "rows-too-few-by-one": (TABLE, lambda a: a[1:]),
    "rows-too-many-by-one": (TABLE, lambda a: np.vstack([a, a[:1]])),
    "rows-half-as-many": (replace(TABLE, cases=((4, 4), (6, 2))), lambda a: a[::2]),
    "rows-twice-as-many": (TABLE, lambda a: np.vstack([a, a])),
    "columns-too-few-by-one": (TABLE, lambda a: a[:, 1:]),
    "columns-too-many-by-one": (TABLE, lambda a: np.hstack([a[:, :1], a])),
    "columns-half-as-many": (TABLE, lambda a: a[:, ::2]),
    "columns-twice-as-many": (TABLE, lambda a: np.hstack([a, a])),
    "entries-too-few-by-one": (LIST, lambda a: a[1:]),
    "entries-too-many-by-one": (LIST, lambda a: [*a, 0]),
    "entries-half-as-many": (replace(LIST, cases=((4,), (8,))), lambda a: a[::2]),
    "decimal-comma": (
        LIST,
        lambda a: [part for number in a for part in map(int, f"{number + 0.5:.4f}".split("."))],
    ),
    "entries-twice-as-many": (LIST, lambda a: np.repeat(a, 2)),
}  # fmt: skip

OF_CALLS: dict[str, tuple[Exercise, Callable]] = {
    "input-returned": (NUMBER, lambda n: n),
    "only-first-call-right": (NUMBER, lambda n: 1 if n == 2 else n * 0.9),
    "only-one-call-wrong": (NUMBER, lambda n: math.ceil(math.log2(n)) + (n == 63) / 2),
    "some-calls-right": (NUMBER, lambda n: round(math.log2(n + 1))),
    "right-for-even": (NUMBER, lambda n: math.ceil(math.log2(n)) + n % 2 * n),
    "right-for-odd": (NUMBER, lambda n: math.ceil(math.log2(n)) + (1 - n % 2) * n),
    "right-for-small": (NUMBER, lambda n: math.ceil(math.log2(n)) + n // 64 * n),
    "right-for-large": (NUMBER, lambda n: math.ceil(math.log2(n)) - (n < 64) / n),
    "right-unless-negative": (
        replace(SQUARE, cases=((3, 8), (-1, 4), (-2, 6), (0, 2))),
        lambda r, d: SQUARE.reference(r, d) + (r < 0) * np.exp(np.arange(d)),
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_each_regularity_is_found(name):
    exercise, change = FOUND[name]
    assert diagnose(exercise, changed(exercise, change)).finding == f"pattern.{name}"


@pytest.mark.parametrize("name", OF_CALLS)
def test_what_distinguishes_right_calls_from_wrong_ones_is_found(name):
    exercise, answer = OF_CALLS[name]
    assert diagnose(exercise, answer).finding == f"pattern.{name}"


@pytest.mark.parametrize(
    ("exercise_id", "answer", "finding"),
    [
        ("their-frequencies", lambda d: math.tau * np.geomspace(1, 1e-4, d // 2), "times-two-pi"),
        ("distance-by-offset", lambda offsets, d: 3 * abs(offsets) % 7, ""),
    ],
)
def test_what_is_said_is_the_simplest_that_is_true(exercise_id, answer, finding):
    assert diagnose(EXERCISES[exercise_id], answer).pattern == finding


def test_each_pattern_that_can_be_told_was_found_here():
    assert set(SAID["pattern"]) == FOUND.keys() | OF_CALLS.keys()


# What a pattern says is true ---------------------------------------------------------------------


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-4)


NUMBERS: dict[str, Callable[..., bool]] = {
    "all-zero": lambda e, g, d: g == 0,
    "always-the-same": lambda e, g, d: near(g, d["number"]),
    "opposite-sign": lambda e, g, d: near(g, -e),
    "sign-lost": lambda e, g, d: near(g, abs(e)),
    "percent": lambda e, g, d: near(g / 100, e),
    "hundredth": lambda e, g, d: near(g * 100, e),
    "times-two-pi": lambda e, g, d: near(g / math.tau, e),
    "over-two-pi": lambda e, g, d: near(g * math.tau, e),
    "radians-to-degrees": lambda e, g, d: near(math.radians(g), e),
    "degrees-to-radians": lambda e, g, d: near(math.degrees(g), e),
    "factor": lambda e, g, d: near(g / d["factor"], e),
    "too-large": lambda e, g, d: near(g - d["constant"], e),
    "too-small": lambda e, g, d: near(g + d["constant"], e),
    "reciprocal": lambda e, g, d: near(g * e, 1) or near(g, 1 / e),
    "square": lambda e, g, d: near(g, e * e),
    "root": lambda e, g, d: near(g, math.sqrt(abs(e))),
    "complement": lambda e, g, d: near(g + e, 1),
    "whole-numbers": lambda e, g, d: g == int(g) and abs(g - e) < 1,
    "few-digits": lambda e, g, d: abs(g - e) < 0.1 and near(round(g, 7), g),
    "half-precision": lambda e, g, d: g == np.float16(e),
    "some-signs": lambda e, g, d: near(abs(g), abs(e)),
    "cut-not-rounded": lambda e, g, d: g in (e, e - 1, e + 1),
    "not-rounded": lambda e, g, d: e in (math.floor(g), round(g), math.ceil(g)),
    "wrong-ones-zero": lambda e, g, d: near(g, e) or g == 0,
    "never-negative": lambda e, g, d: g >= 0,
    "some-too-large": lambda e, g, d: near(g, e) or near(g - d["constant"], e),
    "some-too-small": lambda e, g, d: near(g, e) or near(g + d["constant"], e),
    "always-too-large": lambda e, g, d: near(g, e) or g > e,
    "always-too-small": lambda e, g, d: near(g, e) or g < e,
}
"""What holds for each number expected and got, with the numbers in the sentence."""

Lines = list[list[float]]
TOLD = ("number", "factor", "constant")


def like(one: Lines, other: Lines) -> bool:
    return len(one) == len(other) and all(
        len(a) == len(b) and all(map(near, a, b)) for a, b in zip(one, other, strict=True)
    )


def sums(lines: Lines) -> list[float]:
    return sorted(sum(number * (3 + at) for at, number in enumerate(line)) for line in lines)


def right(e: Lines, g: Lines, numbers: range) -> bool:
    return all(like([e[i]], [g[i]]) for i in numbers)


LINES: dict[str, Callable[[Lines, Lines], bool]] = {
    "reversed": lambda e, g: like(e[::-1], g),
    "late": lambda e, g: like(e[:-1], g[1:]),
    "early": lambda e, g: like(e[1:], g[:-1]),
    "elsewhere": lambda e, g: np.allclose(sums(e), sums(g), atol=0.01),
    "agree": lambda e, g: all(line == g[0] for line in g),
    "agree-in-pairs": lambda e, g: all(g[i] == g[i + 1] for i in range(0, len(g) - 1, 2)),
    "only-first-wrong": lambda e, g: right(e, g, range(1, len(e))),
    "only-last-wrong": lambda e, g: right(e, g, range(len(e) - 1)),
    "only-first-right": lambda e, g: (
        right(e, g, range(1)) and not any(e[i] == g[i] for i in range(1, len(e)))
    ),
    "only-first-pair-right": lambda e, g: (
        right(e, g, range(min(2, len(e)))) and not any(e[i] == g[i] for i in range(2, len(e)))
    ),
    "odd-wrong": lambda e, g: right(e, g, range(0, len(e), 2)),
    "even-wrong": lambda e, g: right(e, g, range(1, len(e), 2)),
    "too-few-by-one": lambda e, g: len(g) == len(e) - 1,
    "too-many-by-one": lambda e, g: len(g) == len(e) + 1,
    "half-as-many": lambda e, g: 2 * len(g) == len(e),
    "twice-as-many": lambda e, g: len(g) == 2 * len(e),
}
"""What holds for the rows, columns or entries of every output; ``like`` is near throughout."""

TABLES: dict[str, Callable[[Lines, Lines], bool]] = {
    "almost": lambda e, g: all(
        abs(a - b) <= 0.01 * max(map(abs, sum(e, [])), default=0) for a, b in flat(e, g)
    ),
    "transposed": lambda e, g: like(list(map(list, zip(*e, strict=True))), g),
    "axes-exchanged": lambda e, g: (len(e), len(e[0])) == (len(g[0]), len(g)),
    "lengths-right": lambda e, g: like(
        [[math.hypot(*line) for line in e]], [[math.hypot(*line) for line in g]]
    ),
    "numbers-elsewhere": lambda e, g: like([sorted(sum(e, []))], [sorted(sum(g, []))]),
    "swapped-in-pairs": lambda e, g: all(
        near(line[c], other[c ^ 1])
        for line, other in zip(e, g, strict=True)
        for c in range(len(line) // 2 * 2)
    ),
    "only-diagonal-wrong": lambda e, g: only_wrong(e, g, lambda i, j: i == j),
    "only-above-diagonal-wrong": lambda e, g: only_wrong(e, g, lambda i, j: i < j),
    "only-below-diagonal-wrong": lambda e, g: only_wrong(e, g, lambda i, j: i > j),
    "factor-by-call": lambda e, g: all(
        near(b * c, a * d) for (a, b), (c, d) in product(flat(e, g), repeat=2)
    ),
    "opposite-sign-in-some-calls": lambda e, g: any(
        like((sign * np.array(e)).tolist(), g) for sign in (1, -1)
    ),
    "constant-by-call": lambda e, g: all(
        near(b - a, d - c) for (a, b), (c, d) in product(flat(e, g), repeat=2)
    ),
}


def flat(e: Lines, g: Lines) -> list[tuple[float, float]]:
    pairs = list(zip(sum(e, []), sum(g, []), strict=True))
    return pairs[:: len(pairs) // 30 + 1]


def only_wrong(e: Lines, g: Lines, there: Callable[[int, int], bool]) -> bool:
    places = [(i, j) for i in range(len(e)) for j in range(len(e)) if not there(i, j)]
    return all(near(e[i][j], g[i][j]) for i, j in places)


def is_true(name: str, details: dict[str, str], e: NDArray, g: NDArray) -> bool:
    """Whether a lead is true of what was expected and got in one case, by its words."""
    if name in NUMBERS:
        told = {key: float(value) for key, value in details.items() if key in TOLD}
        return all(NUMBERS[name](a, b, told) for a, b in zip(e.flat, g.flat, strict=True))
    if name == "one-column":
        return any(like([g.tolist()], [column.tolist()]) for column in e.T)
    if name == "only-first-returned":
        return like([e[0].ravel().tolist()], [g.ravel().tolist()])
    if name == "decimal-comma":
        return len(g) == 2 * len(e) and all(number == int(number) for number in g)
    if name in ("extra-axis", "missing-axis", "reshaped"):
        return like([e.ravel().tolist()], [g.ravel().tolist()])
    for lines, axis in (("rows", -2), ("columns", -1), ("entries", 0)):
        if lines in name.split("-"):
            kind = (
                name.replace(f"of-{lines}-", "").replace(f"{lines}-", "").replace(f"-{lines}", "")
            )
            moved = (np.moveaxis(array, axis, 0) for array in (e, g))
            return LINES[kind](*([line.ravel().tolist() for line in array] for array in moved))
    return TABLES[name](*(np.atleast_2d(array).tolist() for array in (e, g)))


ANYWHERE: tuple[Callable[[NDArray], object], ...] = (
    *(change for exercise, change in FOUND.values()),
    lambda a: a * np.linspace(1, 2, a.size).reshape(a.shape),
    lambda a: a + np.sin(np.arange(a.size)).reshape(a.shape),
    put((..., 0), 1e-3),
)


@given(
    exercise_id=st.sampled_from(sorted(EXERCISES)),
    changes=st.lists(st.sampled_from(ANYWHERE), min_size=1, max_size=2),
)
@settings(max_examples=400)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the changes themselves
def test_a_pattern_is_true_of_every_output(exercise_id, changes):
    exercise = replace(EXERCISES[exercise_id], misconceptions=(), tolerance=1e-5)

    def change(array: NDArray) -> NDArray:
        for each in changes:
            array = np.asarray(each(array), dtype=float)
        return array

    answer = changed(exercise, change)
    outputs = []
    for case in exercise.cases:
        try:
            outputs.append((np.asarray(exercise.reference(*case), dtype=float), answer(*case)))
        except (ValueError, IndexError, TypeError):  # nothing, or no rows, for the change to change
            reject()
    found = diagnose(exercise, exercise.as_answer(answer))
    if found.pattern and found.pattern not in {"step-missing", "step-too-far", *OF_CALLS}:
        assert all(is_true(found.pattern, found.details, *pair) for pair in outputs), found.pattern
