"""Regularities in outputs that do not match any misconception.

``PATTERNS`` lists all patterns, from most to least informative. Only the first pattern that holds
is reported, with a sentence and a question from ``messages.toml``. A pattern holds only if its
sentence is true for every case that was run. A statement about an argument holds only if no other
argument distinguishes the right calls from the wrong calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from .messages import TEXTS
from .repair import Repair, repair_of
from .running import Attempt, Outcome, alike, close, quiet

DIGITS = range(1, 8)
"""Numbers of decimals to which an output may be rounded."""

SMALLEST_SHOWN = 1e-4
"""Smallest difference between a factor and 1 that is visible in five digits."""

LITTLE = 0.01
"""Maximum relative error of a number that is nearly right."""

NAMED_FACTORS = {
    math.tau: "2π",
    1 / math.tau: "1/(2π)",
    math.pi: "π",
    1 / math.pi: "1/π",
    math.degrees(1): "180/π",
    math.radians(1): "π/180",
    math.sqrt(2): "√2",
    math.sqrt(1 / 2): "1/√2",
}
"""Names of common factors."""

FEWEST_WRONG = 3
"""Minimum count of wrong numbers that is unlikely to be a coincidence."""

BITS_OF_HALF = (11, 8)
"""Significant bits of the numbers in float16 and bfloat16."""

FEWEST_BITS = 5
"""Count of significant bits that any number may have by coincidence."""

Change = Callable[[NDArray], NDArray]


def _on_axis(axis: int, holds: Callable[[NDArray, int], NDArray]) -> Change:
    return lambda x: holds(np.indices(x.shape)[axis], x.shape[axis])


LINES: dict[str, Callable[[NDArray, int], NDArray]] = {
    "first": lambda line, n_lines: line == 0,
    "last": lambda line, n_lines: line == n_lines - 1,
    "first-half": lambda line, n_lines: line < n_lines // 2,
    "second-half": lambda line, n_lines: line >= n_lines // 2,
    "not-first": lambda line, n_lines: line > 0,
    "not-last": lambda line, n_lines: line < n_lines - 1,
    "even": lambda line, n_lines: line % 2 == 0,
    "odd": lambda line, n_lines: line % 2 == 1,
}
"""Conditions on the index of a line in a table or list, given the number of lines."""

PLACES: dict[tuple[str, str], Change] = {
    **{("1", name): _on_axis(0, holds) for name, holds in LINES.items()},
    **{("2", f"{name}-row"): _on_axis(0, holds) for name, holds in LINES.items()},
    **{("2", f"{name}-column"): _on_axis(1, holds) for name, holds in LINES.items()},
    ("square", "diagonal"): lambda x: np.eye(*x.shape, dtype=bool),
    ("square", "off-diagonal"): lambda x: ~np.eye(*x.shape, dtype=bool),
    ("square", "above-diagonal"): lambda x: ~np.tri(*x.shape, dtype=bool),
    ("square", "below-diagonal"): lambda x: np.tri(*x.shape, k=-1, dtype=bool),
    ("any", "zero"): lambda x: x == 0,
    ("any", "negative"): lambda x: x < 0,
    ("any", "positive"): lambda x: x > 0,
}
"""Functions that return masks of regions, keyed by kind of output and name of the region."""

Details = dict[str, object]


@dataclass(frozen=True)
class Outputs:
    """Expected and actual outputs of all cases in which numbers are expected."""

    attempt: Attempt
    expected: tuple[NDArray, ...]
    got: tuple[NDArray, ...]

    def same(self, expected: NDArray, got: NDArray) -> bool:
        tolerance = self.attempt.exercise.tolerance
        if expected.shape != got.shape or not expected.size:
            return expected.shape == got.shape
        # The first number decides most comparisons.
        first, other = expected.item(0), got.item(0)
        if abs(first - other) > tolerance + 1e-5 * abs(first):
            return False
        return bool(close(expected, got, tolerance).all())

    def all(self, holds: Callable[[NDArray, NDArray], bool]) -> bool:
        """Return True if a condition holds for the expected and actual outputs in every case."""
        return all(map(holds, self.expected, self.got))

    def are(self, change: Change) -> bool:
        """Return True if every output equals the expected output after this change."""
        return self.all(lambda expected, got: self.same(change(expected), got))

    @property
    def wrong(self) -> list[NDArray[np.bool_]]:
        """Masks of the numbers that differ, if the shapes are correct."""
        tolerance = self.attempt.exercise.tolerance
        pairs = zip(self.expected, self.got, strict=True)
        return [~close(expected, got, tolerance) for expected, got in pairs]

    def calls(self, right: bool) -> frozenset[int]:
        """Return the indices of all right calls or of all wrong calls."""
        return frozenset(number for number, ok in enumerate(self.attempt.right) if ok == right)

    @property
    def flat(self) -> tuple[NDArray, NDArray]:
        """All expected numbers and all actual numbers."""
        return tuple(
            np.concatenate([array.ravel() for array in each]) for each in (self.expected, self.got)
        )

    @property
    def axes(self) -> dict[str, int]:
        """Axes of the expected outputs, keyed by their names."""
        dimensions = tuple({array.ndim for array in self.expected})
        return {(1,): {"entries": 0}, (2,): {"rows": -2, "columns": -1}}.get(dimensions, {})


@dataclass(frozen=True)
class Found:
    """A pattern that holds, with either the values for its sentence or a repair of the code."""

    pattern: str
    values: Details = field(default_factory=dict)
    repair: Repair | None = None


@quiet()
def pattern_in(attempt: Attempt) -> Found | None:
    """Return the first pattern that holds for an answer, or a repair of the learner's code.

    The output of the first wrong case must consist of numbers.
    """
    both = list(zip(attempt.expected, attempt.outcomes, attempt.right, strict=True))
    pairs = [(wanted.numbers, given.numbers) for wanted, given, _ in both if not wanted.error]
    errors_right = all(right or not wanted.error for wanted, _, right in both)
    whens, outputs = {"calls"}, Outputs(attempt, (), ())
    if errors_right and all(got is not None for _, got in pairs):
        outputs = Outputs(attempt, *zip(*pairs, strict=True))
        whens.add("arrays")
        if any(expected.shape != got.shape for expected, got in pairs):
            whens.add("shapes")
        elif np.isfinite(outputs.flat).all() and outputs.flat[1].size:
            whens.add("numbers")
    for name, when, holds in PATTERNS:
        found = holds(outputs) if when in whens else False
        if isinstance(found, Repair):
            return Found(f"{name}-{found.kind}", repair=found)
        if found:
            return Found(name, found if isinstance(found, dict) else {})
    return None


# Arguments of the calls that are right -----------------------------------------------------------


def _input_returned(outputs: Outputs) -> Details | bool:
    for name, given in _arguments(outputs.attempt).items():
        if not any(map(callable, given)) and all(
            outcome.numbers is not None
            and np.shape(argument) == outcome.numbers.shape
            and np.array_equal(argument, outcome.numbers)
            for argument, outcome in zip(given, outputs.attempt.outcomes, strict=True)
        ):
            return {"input": name}
    return False


def _argument_ignored(outputs: Outputs) -> Details | bool:
    """Return the argument that has no effect, although it should have one."""
    attempt, given = outputs.attempt, _arguments(outputs.attempt)
    pairs: dict[str, list[tuple[int, int]]] = {}
    for pair in combinations(range(len(attempt.cases)), 2):
        unlike = [
            n for n, each in given.items() if not np.array_equal(*(each[case] for case in pair))
        ]
        if len(unlike) == 1 and not _are_alike(attempt, attempt.expected, pair):
            pairs.setdefault(unlike[0], []).append(pair)
    for name, calls in pairs.items():
        numbers = [attempt.outcomes[one].numbers for one, _ in calls]
        telling = sum(np.size(each) for each in numbers if each is not None) >= FEWEST_WRONG
        typed = [attempt.exercise.typed_call(attempt.cases[case]) for case in calls[0]]
        same = all(_are_alike(attempt, attempt.outcomes, pair) for pair in calls)
        if telling and same and typed[0] != typed[1]:
            return {"input": name, "one_call": typed[0], "another_call": typed[1]}
    return False


def _are_alike(attempt: Attempt, outcomes: Sequence[Outcome], pair: tuple[int, int]) -> bool:
    return alike(*(outcomes[case] for case in pair), attempt.exercise.tolerance)


def _result_of_earlier_call(outputs: Outputs) -> Details | bool:
    """Return, for each wrong call, the earlier call whose correct output it repeats.

    Outputs with few numbers or only equal numbers do not count, as they may agree by chance.
    """
    attempt, tolerance = outputs.attempt, outputs.attempt.exercise.tolerance
    wrong = sorted(outputs.calls(right=False))
    given = [attempt.outcomes[case] for case in wrong]
    earlier = [
        next((e for e in range(case) if alike(attempt.expected[e], each, tolerance)), None)
        for case, each in zip(wrong, given, strict=True)
    ]
    if None in earlier or not any(
        each.numbers.size >= FEWEST_WRONG and np.ptp(each.numbers) > 0 for each in given
    ):
        return False
    return {"earlier_call": attempt.exercise.typed_call(attempt.cases[earlier[0]])}


def _only_one_call_wrong(outputs: Outputs) -> Details | bool:
    n_calls = len(outputs.attempt.right)
    return sum(outputs.attempt.right) == n_calls - 1 > 0 and {"calls": n_calls}


def _arguments(attempt: Attempt) -> dict[str, list[object]]:
    calls = [attempt.exercise.last_call(arguments) for arguments in attempt.cases]
    return {name: [call[name] for call in calls] for name in calls[0]}


# Wrong shapes ------------------------------------------------------------------------------------


def _extra_axis(outputs: Outputs) -> bool:
    return _reshaped(outputs) and outputs.all(
        lambda e, g: g.ndim > e.ndim and e.squeeze().shape == g.squeeze().shape
    )


def _reshaped(outputs: Outputs) -> bool:
    return outputs.all(lambda e, g: outputs.same(e.ravel(), g.ravel()))


def _only_first_returned(outputs: Outputs) -> bool:
    if not outputs.all(lambda e, g: e.ndim and len(e)):
        return False
    return outputs.are(lambda e: e[0]) or outputs.are(lambda e: e[:1])


def _decimal_comma(outputs: Outputs) -> bool:
    """Return True if each number was split at its decimal point into two integers."""
    return any((array % 1).any() for array in outputs.expected) and outputs.all(
        lambda e, g: e.ndim == 1 and g.shape == (2 * e.size,) and not (g % 1).any()
    )


def _one_line_missing(outputs: Outputs) -> Details | bool:
    """Return the name of the axis that is one line too short."""
    pairs = zip(outputs.expected, outputs.got, strict=True)
    steps = {tuple(np.subtract(e.shape, g.shape)) if g.ndim == e.ndim else () for e, g in pairs}
    names = {(1,): "entries", (1, 0): "rows", (0, 1): "columns"}
    name = names.get(steps.pop()) if len(steps) == 1 else None
    return bool(name) and {"line": TEXTS["axis"][name]}


def _shape_in_arguments(outputs: Outputs) -> Details | bool:
    """Return the expected shape in terms of the arguments, such as ``(n_positions, d_model)``.

    The function returns False if an axis has an unknown size or if an output is a single number. It
    also returns False if the shape is correct in the call that is shown, because a question about
    the shape would then be misleading.
    """
    shown = outputs.attempt.right.index(False)
    pair = outputs.attempt.expected[shown].numbers, outputs.attempt.outcomes[shown].numbers
    if np.shape(pair[0]) == np.shape(pair[1]):
        return False
    shapes = [array.shape for array in outputs.expected]
    if len(set(map(len, shapes))) > 1 or not outputs.all(lambda e, g: e.ndim and g.ndim):
        return False
    known = _sizes(outputs.attempt)
    axes = zip(*shapes, strict=True)
    sizes = [next((name for name, size in known if size == axis), "") for axis in axes]
    return all(sizes) and {"shape": f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"}


def _sizes(attempt: Attempt) -> list[tuple[str, tuple[int, ...]]]:
    """Return possible lengths of an axis in each call, with their descriptions."""
    known = []
    for name, given in _arguments(attempt).items():
        if all(isinstance(each, int) for each in given):
            known += [(name, tuple(given)), (f"{name} // 2", tuple(each // 2 for each in given))]
        elif all(np.ndim(each) for each in given):
            known.append((f"len({name})", tuple(map(len, given))))
            if all(np.ndim(each) == 2 for each in given):
                known.append((f"{name}.shape[1]", tuple(each.shape[1] for each in given)))
    for (one, longer), (other, shorter) in permutations(known, 2):
        less = np.subtract(longer, shorter)
        known += [(f"{one} - {other}", tuple(less)), (f"{one} - {other} + 1", tuple(less + 1))]
    return known


# Wrong numbers -----------------------------------------------------------------------------------


def _varied(outputs: Outputs) -> bool:
    return bool(np.ptp(outputs.flat[0]) > outputs.attempt.exercise.tolerance)


def _always_the_same(outputs: Outputs) -> Details | bool:
    got = outputs.flat[1]
    alike = _varied(outputs) and len(outputs.got) > 1 and np.ptp(got) == 0
    return {"number": got[0]} if alike else False


def _rounded(outputs: Outputs, digits: Sequence[int]) -> bool:
    expected, got = outputs.flat
    cuts = (
        change(expected * 10.0**n) / 10.0**n
        for n, change in product(digits, (np.round, np.trunc, np.floor, np.ceil))
    )
    return any((np.abs(cut - got) <= 1e-12 * np.abs(got)).all() for cut in cuts)


def _half_precision(outputs: Outputs) -> bool:
    """Return True if all numbers, unlike the correct numbers, have few significant bits."""
    expected, got = outputs.flat

    def fit(numbers: NDArray, bits: int) -> NDArray[np.bool_]:
        mantissas = np.frexp(numbers)[0] * 2.0**bits
        return mantissas == np.round(mantissas)

    near = (np.abs(got - expected) <= 0.1 * np.abs(expected).max()).all()
    return bool(near) and any(
        fit(got, bits).all() and not fit(expected, bits).all() and not fit(got, FEWEST_BITS).all()
        for bits in BITS_OF_HALF
    )


def _wrapped(outputs: Outputs) -> Details | bool:
    """Return the number of values of a small integer type, if its overflow explains the numbers."""
    expected, got = outputs.flat
    for n_values in (2**8, 2**16):
        fits = -n_values / 2 <= got.min() and got.max() < n_values
        if fits and (got == np.round(got)).all() and not ((got - expected) % n_values).any():
            return {"n_values": n_values, "smallest": f"int{n_values.bit_length() - 1}"}
    return False


def _almost(outputs: Outputs) -> bool:
    """Return True if each number is nearly right, relative to its size or to the largest number."""
    expected, got = outputs.flat
    amounts = (got - expected)[np.concatenate(outputs.wrong, axis=None)]
    return not outputs.same(amounts, np.full_like(amounts, amounts[0])) and outputs.all(
        lambda e, g: (
            np.abs(g - e) <= LITTLE * (np.abs(e).max(initial=0) if (e < 0).any() else np.abs(e))
        ).all()
    )


def _factor(outputs: Outputs) -> Details | bool:
    factor = _best_factor(*outputs.flat)
    needed = _varied(outputs) and abs(factor - 1) > SMALLEST_SHOWN
    fits = needed and outputs.all(lambda e, g: outputs.same(e, g / factor))
    named = (name for number, name in NAMED_FACTORS.items() if np.isclose(number, factor))
    return {"factor": f"{factor:.5g}" + "".join(f" ({name})" for name in named)} if fits else False


def _best_factor(expected: NDArray, got: NDArray) -> float:
    """Return the factor that fits best, or NaN if there is none."""
    return float(np.vdot(expected, got) / np.vdot(expected, expected)) or np.nan


def _constant(outputs: Outputs, sign: int) -> Details | bool:
    expected, got = outputs.flat
    amount = got[0] - expected[0]
    fits = _varied(outputs) and amount * sign > 0 and outputs.are(lambda e: e + amount)
    return {"constant": abs(amount)} if fits else False


def _transposed(array: NDArray) -> NDArray:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _lines_elsewhere(outputs: Outputs) -> Details | bool:
    for name, axis in outputs.axes.items():
        sorted_lines = partial(_sorted_lines, axis=axis)
        if outputs.all(lambda e, g, lines=sorted_lines: outputs.same(lines(e), lines(g))):
            return {"lines": TEXTS["axis"][f"all-{name}"]}
    return False


def _lines_shifted(outputs: Outputs) -> Details | bool:
    """Return the shift if the lines of the output have moved by one or two positions."""
    for (name, axis), (right, mine) in product(outputs.axes.items(), ((1, 0), (2, 0), (0, 1))):

        def lines(array: NDArray, first: int, last: int, axis: int = axis) -> NDArray:
            array = np.moveaxis(array, axis, 0)
            return array[first : max(len(array) - last, 0)]

        def shifted(given: tuple[NDArray, ...], lines=lines, right=right, mine=mine) -> list[bool]:
            pairs = zip(outputs.expected, given, strict=True)
            return [outputs.same(lines(e, right, mine), lines(g, mine, right)) for e, g in pairs]

        wrong = [mask.shape[axis] for mask in outputs.wrong if mask.any()]
        enough = wrong[0] > right + mine and max(wrong) >= FEWEST_WRONG
        if enough and all(shifted(outputs.got)) and not all(shifted(outputs.expected)):
            return {"line": TEXTS["axis"][name], "mine": mine, "right": right}
    return False


def _sorted_lines(array: NDArray, axis: int) -> NDArray:
    return np.array(sorted(np.moveaxis(array.round(6), axis, 0).tolist()))


def _where(outputs: Outputs) -> Details | bool:
    """Return the smallest region that contains all wrong numbers, if most of it is wrong."""
    wrong, expected = np.concatenate(outputs.wrong, axis=None), outputs.flat[0]
    kinds = {str(each.ndim) for each in outputs.expected}
    square = all(each.ndim == 2 and len(each) == each.shape[1] for each in outputs.expected)
    fitting = {}
    for (kind, name), holds in PLACES.items():
        if kind == "any" or {kind} == kinds or (square and kind == "square"):
            inside = np.concatenate([holds(each) for each in outputs.expected], axis=None)
            enough = min(wrong.sum(), (~inside).sum()) >= FEWEST_WRONG and expected[~inside].any()
            most = wrong.sum() >= inside.sum() / (1 if kind == "any" else 2)
            if enough and most and not wrong[~inside].any():
                fitting[name] = inside.sum()
    return bool(fitting) and {"where": TEXTS["place"][min(fitting, key=fitting.get)]}


def _wrong_alike(outputs: Outputs) -> Details | bool:
    """Return the common value of all wrong numbers, which may come from a forgotten assignment."""
    got, wrong = outputs.flat[1], np.concatenate(outputs.wrong, axis=None)
    alike = FEWEST_WRONG <= wrong.sum() < wrong.size and np.ptp(got[wrong]) == 0
    return {"number": got[wrong][0]} if alike else False


def _factor_by_call(outputs: Outputs) -> bool:
    """Return True if, in each call, all numbers are off by the same factor."""

    def multiple(expected: NDArray, got: NDArray) -> bool:
        both = expected.any() and got.any()
        return outputs.same(_best_factor(expected, got) * expected if both else expected, got)

    telling = any(e.size and np.ptp(e) > 0 for e in outputs.expected)
    return telling and outputs.attempt.right.count(False) > 1 and outputs.all(multiple)


PATTERNS: tuple[tuple[str, str, Callable[[Outputs], Details | Repair | bool]], ...] = (
    ("input-returned", "calls", _input_returned),
    ("result-of-earlier-call", "calls", _result_of_earlier_call),
    # Shapes.
    ("transposed", "shapes", lambda outputs: outputs.are(_transposed)),
    ("extra-axis", "shapes", _extra_axis),
    ("reshaped", "shapes", _reshaped),
    ("only-first-returned", "shapes", _only_first_returned),
    ("decimal-comma", "shapes", _decimal_comma),
    # All numbers.
    ("opposite-sign", "numbers", lambda outputs: outputs.are(np.negative)),
    ("reciprocal", "numbers", lambda outputs: outputs.are(np.reciprocal)),
    ("transposed", "numbers", lambda outputs: outputs.are(_transposed)),
    ("whole-numbers", "numbers", partial(_rounded, digits=[0])),
    ("few-digits", "numbers", partial(_rounded, digits=DIGITS)),
    ("factor", "numbers", _factor),
    ("too-large", "numbers", partial(_constant, sign=1)),
    ("too-small", "numbers", partial(_constant, sign=-1)),
    ("half-precision", "numbers", _half_precision),
    ("wrapped", "numbers", _wrapped),
    # The learner's own code.
    ("repair", "calls", lambda outputs: repair_of(outputs.attempt) or False),
    ("always-the-same", "numbers", _always_the_same),
    ("almost", "numbers", _almost),
    ("lines-too-few-by-one", "shapes", _one_line_missing),
    # Places.
    ("lines-shifted", "numbers", _lines_shifted),
    # Calls.
    ("lines-elsewhere", "numbers", _lines_elsewhere),
    ("where", "numbers", _where),
    ("argument-ignored", "calls", _argument_ignored),
    ("factor-by-call", "numbers", _factor_by_call),
    ("signs", "numbers", lambda o: o.all(lambda e, g: o.same(abs(e), abs(g)))),
    ("wrong-alike", "numbers", _wrong_alike),
    ("only-one-call-wrong", "calls", _only_one_call_wrong),
    # The last resort.
    ("shape-in-arguments", "shapes", _shape_in_arguments),
)
"""Name, kind and condition of each pattern, from most to least informative.

Patterns of the kind ``"calls"`` are always tested. Patterns of the kind ``"shapes"`` are tested if
any output has an unexpected shape, and patterns of the kind ``"numbers"`` are tested otherwise. A
pattern that holds returns the values for its sentence, or True.
"""
