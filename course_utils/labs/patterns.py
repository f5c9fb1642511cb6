"""Where no misconception fits an answer: what is regular in its outputs.

``PATTERNS`` is the table of all patterns, the most telling first; the first that holds is said, in
one sentence and one question that stand under its name in ``messages.toml``. A pattern holds only
if its sentence is true of every case that was tried. What is said about an argument holds only if
no other argument tells the right calls from the wrong ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from .comparing import alike, close
from .messages import SAID
from .running import Attempt

FEWEST_ONE_SIDED = 3
"""Wrong numbers that must all be too large, or all too small, before that is worth a word."""

DIGITS = range(1, 8)
"""Decimals that may be left when a number is rounded."""

SMALLEST_SHOWN = 1e-4
"""By how much a factor must differ from 1 to be seen in five digits."""

LITTLE = 0.01
"""By how much a number may be off, beside its own size, to be called nearly right."""

Change = Callable[[NDArray], NDArray]
Details = dict[str, object]


@dataclass(frozen=True)
class Outputs:
    """What was expected and what came, from every case in which numbers are expected."""

    attempt: Attempt
    expected: tuple[NDArray, ...]
    got: tuple[NDArray, ...]
    right_calls: tuple[bool, ...]

    def same(self, expected: NDArray, got: NDArray) -> bool:
        tolerance = self.attempt.exercise.tolerance
        return expected.shape == got.shape and bool(close(expected, got, tolerance).all())

    def all(self, holds: Callable[[NDArray, NDArray], bool]) -> bool:
        """Whether something holds of what was expected and what came, in every case."""
        return all(map(holds, self.expected, self.got))

    def along(self, holds: Callable[[NDArray, NDArray, int], bool]) -> str:
        """The first axis along which something holds, in every case: its name, or nothing."""
        for name, axis in self.axes.items():
            if self.all(lambda expected, got, axis=axis: holds(expected, got, axis)):
                return name
        return ""

    def are(self, change: Change) -> bool:
        """Whether every output is the expected one after a change."""
        return self.all(lambda expected, got: self.same(change(expected), got))

    def need(self, change: Change) -> bool:
        """Whether every output, after a change, is the expected one."""
        return self.all(lambda expected, got: self.same(expected, change(got)))

    @property
    def wrong(self) -> list[NDArray[np.bool_]]:
        """Where the numbers differ, if the shapes are right."""
        tolerance = self.attempt.exercise.tolerance
        pairs = zip(self.expected, self.got, strict=True)
        return [~close(expected, got, tolerance) for expected, got in pairs]

    @property
    def flat(self) -> tuple[NDArray, NDArray]:
        """All numbers expected, and all that came."""
        return tuple(
            np.concatenate([array.ravel() for array in each]) for each in (self.expected, self.got)
        )

    @property
    def amounts(self) -> NDArray:
        """By how much each wrong number is too large."""
        expected, got = self.flat
        return (got - expected)[np.concatenate(self.wrong, axis=None)]

    @property
    def axes(self) -> dict[str, int]:
        """The axes of all expected outputs: rows and columns of tables, or entries of lists."""
        dimensions = tuple({array.ndim for array in self.expected})
        return {(1,): {"entries": 0}, (2,): {"rows": -2, "columns": -1}}.get(dimensions, {})


@np.errstate(all="ignore")
def pattern_in(attempt: Attempt) -> tuple[str, Details] | None:
    """The first pattern that holds for an answer whose first wrong case gave numbers.

    It comes with what goes into its sentence.
    """
    both = list(zip(attempt.expected, attempt.outcomes, strict=True))
    right = tuple(alike(*each, attempt.exercise.tolerance) for each in both)
    pairs = [(wanted.numbers, given.numbers) for wanted, given in both if not wanted.error]
    errors_right = all(ok or not wanted.error for (wanted, _), ok in zip(both, right, strict=True))
    whens = {"calls"}
    if errors_right and all(got is not None for _, got in pairs):
        outputs = Outputs(attempt, *zip(*pairs, strict=True), right)
        if any(expected.shape != got.shape for expected, got in pairs):
            whens.add("shapes")
        elif np.isfinite(outputs.flat).all() and outputs.flat[1].size:
            whens.add("numbers")
    else:
        outputs = Outputs(attempt, (), (), right)
    for name, when, holds in PATTERNS:
        found = holds(outputs) if when in whens else False
        if found:
            return name, found if isinstance(found, dict) else {}
    return None


# The arguments, and the calls that come out right ------------------------------------------------


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


def _only_first_call_right(outputs: Outputs) -> Details | bool:
    attempt, right = outputs.attempt, outputs.right_calls
    if right[0] and not any(right[1:]):
        return {"first": attempt.exercise.typed_call(attempt.cases[0])}
    return False


def _only_one_call_wrong(outputs: Outputs) -> Details | bool:
    n_calls = len(outputs.right_calls)
    return {"calls": n_calls} if sum(outputs.right_calls) == n_calls - 1 > 0 else False


def _some_calls_right(outputs: Outputs) -> Details | bool:
    attempt, right = outputs.attempt, outputs.right_calls
    if not any(right):
        return False
    calls = [attempt.exercise.typed_call(arguments) for arguments in attempt.cases]
    wrong = calls[right.index(False)]
    examples = [call for call, ok in zip(calls, right, strict=True) if ok and call != wrong]
    return bool(examples) and {"right": sum(right), "calls": len(right), "example": examples[0]}


def _right_for_small(outputs: Outputs) -> Details | bool:
    name, good, bad = _telling_argument(outputs) or ("", [], [])
    return {"input": name, "most": max(good)} if name and max(good) < min(bad) else False


def _right_unless_negative(outputs: Outputs) -> Details | bool:
    name, good, bad = _telling_argument(outputs) or ("", [], [])
    return {"input": name} if name and max(bad) < 0 <= min(good) else False


def _telling_argument(outputs: Outputs) -> tuple[str, set[float], set[float]] | None:
    """The argument that alone tells right calls from wrong ones, with its values in both.

    There is none if two do, or if it is a length or another summary of an argument that does. Both
    kinds of calls must have several values of it.
    """
    telling = []
    for name, given in _arguments(outputs.attempt).items():
        for values in _numbers_of(given):
            calls = list(zip(values, outputs.right_calls, strict=True))
            good = {value for value, is_right in calls if is_right}
            bad = {value for value, is_right in calls if not is_right}
            if good and bad and _are_told_apart(good, bad):
                telling.append((name, good, bad, values is given))
    if len(telling) != 1:
        return None
    name, good, bad, is_the_argument = telling[0]
    return (name, good, bad) if is_the_argument and min(len(good), len(bad)) > 1 else None


def _numbers_of(given: list[object]) -> list[list[float]]:
    """The argument itself if it is a whole number; its lengths, largest and least if an array."""
    if all(isinstance(argument, Integral) for argument in given):
        return [given]
    if all(isinstance(argument, np.ndarray) and argument.size for argument in given):
        summaries: tuple[Callable, ...] = (len, np.max, np.min, lambda array: array.shape[-1])
        return [[float(summary(argument)) for argument in given] for summary in summaries]
    if all(np.isscalar(argument) for argument in given):
        return [[float(argument) for argument in given]]
    return []


def _are_told_apart(good: set[float], bad: set[float]) -> bool:
    """Whether one is larger than the other throughout, or one even and the other odd."""
    odd = [{one % 2 for one in each} for each in (good, bad)]
    return max(good) < min(bad) or max(bad) < min(good) or odd in ([{0}, {1}], [{1}, {0}])


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


def _one_column(outputs: Outputs) -> bool:
    if not outputs.all(lambda e, g: e.ndim == 2):
        return False
    width = min(array.shape[1] for array in outputs.expected)
    return any(outputs.are(lambda array, c=c: array[:, c]) for c in range(width))


def _only_first_returned(outputs: Outputs) -> bool:
    return outputs.all(lambda e, g: e.ndim > 0 and len(e) > 0) and (
        outputs.are(lambda array: array[0]) or outputs.are(lambda array: array[:1])
    )


def _decimal_comma(outputs: Outputs) -> bool:
    """Whether two whole numbers came for each: what is before its point, and after it."""
    return any((array % 1).any() for array in outputs.expected) and outputs.all(
        lambda e, g: e.ndim == 1 and g.shape == (2 * e.size,) and not (g % 1).any()
    )


def _lines_too_few(outputs: Outputs) -> Details | bool:
    """The axis along which one is missing, where nothing is wrong with the others."""
    name = outputs.along(
        lambda e, g, axis: (
            e.ndim == g.ndim
            and g.shape[axis] == e.shape[axis] - 1
            and np.delete(e.shape, axis).tolist() == np.delete(g.shape, axis).tolist()
        )
    )
    return bool(name) and {"line": SAID["axis"][name]}


SUMMARIES: tuple[Change, ...] = tuple(
    lambda array, summary=summary, axis=axis: (
        summary(array, axis) if array.size and array.ndim > max(axis or 0, 0) else array
    )
    for axis in (None, 0, 1, 2)
    for summary in (np.sum, np.mean, np.max, np.min)
)
"""What makes one number of many, over all axes or over one."""


# Wrong numbers -----------------------------------------------------------------------------------


def _varied(outputs: Outputs) -> bool:
    return bool(np.ptp(outputs.flat[0]) > outputs.attempt.exercise.tolerance)


def _always_the_same(outputs: Outputs) -> Details | bool:
    got = outputs.flat[1]
    alike = _varied(outputs) and len(outputs.got) > 1 and np.ptp(got) == 0
    return {"number": got[0]} if alike else False


def _rounded(digits: Sequence[int]) -> Callable[[Outputs], bool]:
    def holds(outputs: Outputs) -> bool:
        expected, got = outputs.flat
        cuts = (
            change(expected * 10.0**n) / 10.0**n
            for n, change in product(digits, (np.round, np.trunc, np.floor, np.ceil))
        )
        return any((np.abs(cut - got) <= 1e-12 * np.abs(got)).all() for cut in cuts)

    return holds


def _almost(outputs: Outputs) -> bool:
    """Whether each number is off by little, beside its size or, of waves, that of the largest."""
    amounts = outputs.amounts
    return not outputs.same(amounts, np.full_like(amounts, amounts[0])) and outputs.all(
        lambda e, g: (
            np.abs(g - e) <= LITTLE * (np.abs(e).max(initial=0) if (e < 0).any() else np.abs(e))
        ).all()
    )


def _factor(outputs: Outputs) -> Details | bool:
    factor = _best_factor(*outputs.flat)
    needed = _varied(outputs) and abs(factor - 1) > SMALLEST_SHOWN
    return {"factor": factor} if needed and outputs.need(lambda g: g / factor) else False


def _best_factor(expected: NDArray, got: NDArray) -> float:
    """The factor that fits best; NaN where nothing but 0 was expected, and 0 if nothing came."""
    return float(np.vdot(expected, got) / np.vdot(expected, expected)) or np.nan


def _constant(sign: int) -> Callable[[Outputs], Details | bool]:
    def holds(outputs: Outputs) -> Details | bool:
        expected, got = outputs.flat
        amount = got[0] - expected[0]
        fits = _varied(outputs) and amount * sign > 0 and outputs.are(lambda e: e + amount)
        return {"constant": abs(amount)} if fits else False

    return holds


def _transposed(array: NDArray) -> NDArray:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _lines(array: NDArray, axis: int) -> NDArray:
    """The rows, or the columns, or the entries, each as a row of its own."""
    n_lines = array.shape[axis]
    return np.moveaxis(array, axis, 0).reshape(n_lines, array.size // max(n_lines, 1))


def _lines_elsewhere(outputs: Outputs) -> Details | bool:
    def sorted_lines(array: NDArray, axis: int) -> NDArray:
        lines = _lines(array, axis)
        return lines[np.lexsort(np.round(lines.T, 6))] if lines.size else lines

    name = outputs.along(lambda e, g, a: outputs.same(sorted_lines(e, a), sorted_lines(g, a)))
    return bool(name) and {"lines": SAID["axis"][f"all-{name}"]}


def _lines_agree(outputs: Outputs) -> Details | bool:
    def agree(array: NDArray, axis: int) -> bool:
        lines = _lines(array, axis)
        return bool((lines == lines[:1]).all())

    for name, axis in outputs.axes.items():
        if outputs.all(lambda e, g, a=axis: agree(g, a)) and not outputs.all(
            lambda e, g, a=axis: agree(e, a)
        ):
            return {"lines": SAID["axis"][f"all-{name}"]}
    return False


def _only_first_row_right(outputs: Outputs) -> bool:
    if "columns" not in outputs.axes:
        return False
    wrong = [each.any(axis=1) for each in outputs.wrong]
    return all(not each[:1].any() and each[1:].all() for each in wrong)


def _odd_columns_wrong(outputs: Outputs) -> bool:
    if "columns" not in outputs.axes:
        return False
    wrong = [each.any(axis=0) for each in outputs.wrong]
    return any(each.sum() > 1 for each in wrong) and not any(each[::2].any() for each in wrong)


def _opposite_sign_in_some_calls(outputs: Outputs) -> bool:
    return any(outputs.right_calls) and outputs.all(
        lambda e, g: outputs.same(e, g) or outputs.same(-e, g)
    )


def _factor_by_call(outputs: Outputs) -> bool:
    return (
        outputs.right_calls.count(False) > 1
        and any(e.size and np.ptp(e) > 0 for e in outputs.expected)
        and outputs.all(
            lambda e, g: outputs.same(_best_factor(e, g) * e if e.any() and g.any() else e, g)
        )
    )


def _cut_not_rounded(outputs: Outputs) -> bool:
    """Whole numbers one by one, of which some are the next lower one, or nearer to 0."""
    if not outputs.all(lambda e, g: e.ndim == 0 and e == np.round(e)):
        return False
    several = any(outputs.right_calls) and outputs.right_calls.count(False) > 1
    return several and any(
        outputs.all(lambda e, g, step=step: g in (e, e - step(e)))
        for step in (np.sign, np.ones_like)
    )


def _wrong_ones_zero(outputs: Outputs) -> bool:
    return outputs.amounts.size > 1 and not any(
        got[wrong].any() for got, wrong in zip(outputs.got, outputs.wrong, strict=True)
    )


def _lengths_right(outputs: Outputs) -> bool:
    def lengths(array: NDArray) -> NDArray:
        return np.sqrt((array * array).sum(axis=-1))

    return outputs.all(lambda e, g: e.ndim > 0 and outputs.same(lengths(e), lengths(g)))


def _never_negative(outputs: Outputs) -> bool:
    expected, got = outputs.flat
    return bool((got >= 0).all() and (expected < -outputs.attempt.exercise.tolerance).any())


def _one_sided(sign: int) -> Callable[[Outputs], bool]:
    def holds(outputs: Outputs) -> bool:
        amounts = outputs.amounts
        return len(amounts) >= FEWEST_ONE_SIDED and bool((amounts * sign > 0).all())

    return holds


PATTERNS: tuple[tuple[str, str, Callable[[Outputs], Details | bool]], ...] = (
    ("input-returned", "calls", _input_returned),
    # Of shapes.
    ("transposed", "shapes", lambda outputs: outputs.are(_transposed)),
    ("extra-axis", "shapes", _extra_axis),
    ("reshaped", "shapes", _reshaped),
    ("one-column", "shapes", _one_column),
    ("only-first-returned", "shapes", _only_first_returned),
    ("step-missing", "shapes", lambda outputs: any(map(outputs.need, SUMMARIES))),
    ("step-too-far", "shapes", lambda outputs: any(map(outputs.are, SUMMARIES))),
    ("decimal-comma", "shapes", _decimal_comma),
    ("lines-too-few-by-one", "shapes", _lines_too_few),
    # Of all numbers.
    ("always-the-same", "numbers", _always_the_same),
    ("opposite-sign", "numbers", lambda outputs: outputs.are(np.negative)),
    ("reciprocal", "numbers", lambda outputs: outputs.are(np.reciprocal)),
    ("transposed", "numbers", lambda outputs: outputs.are(_transposed)),
    ("whole-numbers", "numbers", _rounded([0])),
    ("few-digits", "numbers", _rounded(DIGITS)),
    ("almost", "numbers", _almost),
    ("factor", "numbers", _factor),
    ("too-large", "numbers", _constant(1)),
    ("too-small", "numbers", _constant(-1)),
    # Of places.
    ("lines-elsewhere", "numbers", _lines_elsewhere),
    (
        "numbers-elsewhere",
        "numbers",
        lambda o: o.all(
            lambda e, g: e.ndim and o.same(np.sort(e, axis=None), np.sort(g, axis=None))
        ),
    ),
    ("lines-agree", "numbers", _lines_agree),
    ("odd-columns-wrong", "numbers", _odd_columns_wrong),
    ("only-first-row-right", "numbers", _only_first_row_right),
    # Of calls.
    ("opposite-sign-in-some-calls", "numbers", _opposite_sign_in_some_calls),
    ("factor-by-call", "numbers", _factor_by_call),
    ("cut-not-rounded", "numbers", _cut_not_rounded),
    ("wrong-ones-zero", "numbers", _wrong_ones_zero),
    ("only-first-call-right", "calls", _only_first_call_right),
    ("right-for-small", "calls", _right_for_small),
    ("right-unless-negative", "calls", _right_unless_negative),
    ("only-one-call-wrong", "calls", _only_one_call_wrong),
    # Tendencies.
    ("lengths-right", "numbers", _lengths_right),
    ("never-negative", "numbers", _never_negative),
    ("always-too-large", "numbers", _one_sided(1)),
    ("always-too-small", "numbers", _one_sided(-1)),
    ("some-calls-right", "calls", _some_calls_right),
)
"""The name of each pattern, what it looks at, and when it holds, the most telling first.

``"calls"`` are looked at always; ``"shapes"`` if some output has another shape than the expected
one, ``"numbers"`` if none has. A pattern that holds gives what goes into its sentence, or True.
"""
