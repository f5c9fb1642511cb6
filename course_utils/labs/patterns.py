"""Where no known mistake explains an answer: the first regularity in what came out.

Each is told in one sentence and one question, which stand under its name in ``messages.toml``. It
holds, within the tolerance of the exercise, for all outputs that its sentence speaks of.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, product
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from .comparing import alike, close
from .running import Attempt

AXES = {"rows": -2, "columns": -1, "entries": 0}
"""What the last two axes of a table hold, and what the only axis of a list holds."""

FEWEST_ONE_SIDED = 3
"""Wrong numbers that must all be too large, or all too small, before that is worth a word."""

DIGITS = range(8)
"""Decimals that may be left when a number is rounded or cut; with none, it is whole."""

SMALLEST_SHOWN = 1e-4
"""By how much a factor must differ from 1 to be seen in five digits."""


LITTLE = 0.01
"""By how much a number may be off, beside its own size, to be called nearly right."""


@dataclass(frozen=True)
class Pattern:
    """The name of a regularity, and what goes into its sentence."""

    name: str
    details: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Outputs:
    """What was expected and what came, from each case in which numbers came as they should."""

    expected: tuple[NDArray, ...]
    got: tuple[NDArray, ...]
    tolerance: float

    def same(self, expected: NDArray, got: NDArray) -> bool:
        return expected.shape == got.shape and bool(close(expected, got, self.tolerance).all())

    def all(self, holds: Callable[[NDArray, NDArray], bool]) -> bool:
        return all(map(holds, self.expected, self.got))

    def any(self, holds: Callable[[NDArray, NDArray], bool]) -> bool:
        return any(map(holds, self.expected, self.got))

    def are(self, change: Callable[[NDArray], NDArray]) -> bool:
        """Whether every output is the expected one after a change."""
        return self.all(lambda expected, got: self.same(change(expected), got))

    def need(self, change: Callable[[NDArray], NDArray]) -> bool:
        """Whether every output, after a change, is the expected one."""
        return self.all(lambda expected, got: self.same(expected, change(got)))

    def wrong(self) -> list[NDArray[np.bool_]]:
        """Where the numbers differ, for outputs of the right shapes."""
        pairs = zip(self.expected, self.got, strict=True)
        return [~close(expected, got, self.tolerance) for expected, got in pairs]


@np.errstate(all="ignore")
def pattern_in(attempt: Attempt) -> Pattern | None:
    """The first regularity there is, the most telling ones first.

    The first case that is not right must have given numbers.
    """
    pairs = [
        (expected.numbers, outcome.numbers)
        for expected, outcome in zip(attempt.expected, attempt.outcomes, strict=True)
        if expected.numbers is not None and outcome.numbers is not None
    ]
    if not pairs:
        return None
    outputs = Outputs(*zip(*pairs, strict=True), attempt.exercise.tolerance)
    right_shapes = outputs.all(lambda expected, got: expected.shape == got.shape)
    right_calls = [
        alike(expected, outcome, outputs.tolerance)
        for expected, outcome in zip(attempt.expected, attempt.outcomes, strict=True)
    ]
    patterns = chain(
        _inputs(attempt),
        _numbers(outputs) if right_shapes else _shapes(outputs),
        _calls(attempt, right_calls),
        _tendencies(outputs) if right_shapes else (),
        _some_calls(attempt, right_calls),
    )
    return next(patterns, None)


# The arguments, and the calls that come out right ------------------------------------------------


def _inputs(attempt: Attempt) -> Iterator[Pattern]:
    for name, given in _arguments(attempt).items():
        if not any(map(callable, given)) and all(
            outcome.numbers is not None
            and np.shape(argument) == outcome.numbers.shape
            and np.array_equal(argument, outcome.numbers)
            for argument, outcome in zip(given, attempt.outcomes, strict=True)
        ):
            yield Pattern("input-returned", {"input": name})


def _calls(attempt: Attempt, right: list[bool]) -> Iterator[Pattern]:
    n_right, total = sum(right), len(right)
    if n_right == 1 and right[0]:
        first = attempt.exercise.typed_call(attempt.cases[0])
        yield Pattern("only-first-call-right", {"first": first})
    if n_right > 1 and total - n_right > 1:
        yield from _arguments_of_right_calls(attempt, right)
    if n_right == total - 1 > 0:
        yield Pattern("only-one-call-wrong", {"calls": total})


def _some_calls(attempt: Attempt, right: list[bool]) -> Iterator[Pattern]:
    first_wrong = right.index(False)
    expected, got = attempt.expected[first_wrong], attempt.outcomes[first_wrong]
    if any(right) and expected.numbers.shape == got.numbers.shape:
        example = attempt.exercise.typed_call(attempt.cases[right.index(True)])
        counts = {"right": sum(right), "calls": len(right)}
        yield Pattern("some-calls-right", counts | {"example": example})


def _arguments_of_right_calls(attempt: Attempt, right: list[bool]) -> Iterator[Pattern]:
    for name, given in _arguments(attempt).items():
        if not all(isinstance(argument, Integral) for argument in given):
            continue
        good = {argument for argument, is_right in zip(given, right, strict=True) if is_right}
        bad = {argument for argument, is_right in zip(given, right, strict=True) if not is_right}
        remainders = {argument % 2 for argument in good}, {argument % 2 for argument in bad}
        if remainders == ({0}, {1}):
            yield Pattern("right-for-even", {"input": name})
        if remainders == ({1}, {0}):
            yield Pattern("right-for-odd", {"input": name})
        if max(good) < min(bad):
            yield Pattern("right-for-small", {"input": name, "most": max(good)})
        if min(good) > max(bad):
            which = "right-unless-negative" if max(bad) < 0 else "right-for-large"
            yield Pattern(which, {"input": name, "least": min(good)})


def _arguments(attempt: Attempt) -> dict[str, list[object]]:
    calls = [attempt.exercise.last_call(arguments) for arguments in attempt.cases]
    return {name: [call[name] for call in calls] for name in calls[0]}


# Wrong shapes ------------------------------------------------------------------------------------


def _shapes(outputs: Outputs) -> Iterator[Pattern]:
    if outputs.are(_transposed):
        yield Pattern("transposed")
    if outputs.all(lambda expected, got: outputs.same(expected.ravel(), got.ravel())):
        dimensions = {np.sign(g.ndim - e.ndim) for e, g in _of_wrong_shape(outputs)}
        name = {(1,): "extra-axis", (-1,): "missing-axis"}.get(tuple(dimensions), "reshaped")
        if name == "extra-axis" and not outputs.all(_same_without_ones):
            name = "reshaped"
        yield Pattern(name)
    yield from _one_of_several(outputs)
    if any(map(outputs.need, SUMMARIES)):
        yield Pattern("step-missing")
    if any(map(outputs.are, SUMMARIES)):
        yield Pattern("step-too-far")
    if outputs.all(lambda expected, got: expected.ndim == 2 and expected.T.shape == got.shape):
        yield Pattern("axes-exchanged")
    if outputs.all(_with_commas) and outputs.any(lambda e, g: (e % 1).any()):
        yield Pattern("decimal-comma")
    for name, axis in _axes(outputs):
        if not outputs.all(lambda expected, got: expected.ndim == got.ndim):
            continue
        pairs = [(list(e.shape), list(g.shape)) for e, g in zip(*_both(outputs), strict=True)]
        lengths = [(expected.pop(axis), got.pop(axis)) for expected, got in pairs]
        if not all(expected == got for expected, got in pairs):
            continue
        for amount, holds in AMOUNTS.items():
            if all(holds(expected, got) for expected, got in lengths):
                yield Pattern(f"{name}-{amount}")


def _same_without_ones(expected: NDArray, got: NDArray) -> bool:
    return expected.squeeze().shape == got.squeeze().shape


def _with_commas(expected: NDArray, got: NDArray) -> bool:
    """Whether two whole numbers came for each number: what is before its point, and after it."""
    return expected.ndim == 1 and got.shape == (2 * expected.size,) and not (got % 1).any()


def _one_of_several(outputs: Outputs) -> Iterator[Pattern]:
    if outputs.all(lambda expected, got: expected.ndim == 2):
        width = min(array.shape[1] for array in outputs.expected)
        if any(outputs.are(lambda array, c=c: array[:, c]) for c in range(width)):
            yield Pattern("one-column")
    if outputs.all(lambda expected, got: expected.ndim and len(expected)):
        if outputs.are(lambda array: array[0]) or outputs.are(lambda array: array[:1]):
            yield Pattern("only-first-returned")


def _of_wrong_shape(outputs: Outputs) -> list[tuple[NDArray, NDArray]]:
    pairs = zip(outputs.expected, outputs.got, strict=True)
    return [(expected, got) for expected, got in pairs if expected.shape != got.shape]


AMOUNTS: dict[str, Callable[[int, int], bool]] = {
    "too-few-by-one": lambda expected, got: got == expected - 1,
    "too-many-by-one": lambda expected, got: got == expected + 1,
    "half-as-many": lambda expected, got: 2 * got == expected,
    "twice-as-many": lambda expected, got: got == 2 * expected,
}
"""How many rows, columns or entries there are, beside how many were expected."""

SUMMARIES = tuple(
    lambda array, summary=summary, axis=axis: (
        summary(array, axis) if array.size and array.ndim > max(axis or 0, 0) else array
    )
    for axis in (None, 0, 1, 2)
    for summary in (np.sum, np.mean, np.max, np.min)
)
"""What makes one number of many, over all axes or over one."""


# Wrong numbers -----------------------------------------------------------------------------------


def _numbers(outputs: Outputs) -> Iterator[Pattern]:
    expected, got = (np.concatenate(list(map(np.ravel, each))) for each in _both(outputs))
    if not (np.isfinite(expected).all() and np.isfinite(got).all() and got.size):
        return
    varied = np.ptp(expected) > outputs.tolerance
    if not got.any():
        yield Pattern("all-zero")
    elif varied and np.ptp(got) == 0 and len(outputs.got) > 1:
        yield Pattern("always-the-same", {"number": got[0]})
    for name, factor in FACTORS.items():
        if outputs.need(partial(np.multiply, 1 / factor)):
            yield Pattern(name)
    yield from (Pattern(name) for name, change in CHANGES.items() if outputs.are(change))
    yield from _rounded(outputs, expected, got)
    amounts = (got - expected)[np.concatenate(outputs.wrong(), axis=None)]
    if outputs.all(_almost) and not outputs.same(amounts, np.full_like(amounts, amounts[0])):
        yield Pattern("almost")
    if varied:
        yield from _factor_or_constant(outputs, expected, got)
    yield from _order(outputs)
    yield from _agreement(outputs)
    yield from _places(outputs)
    yield from _by_call(outputs)
    yield from _cut(outputs)
    yield from _signs(outputs, expected, got)


def _both(outputs: Outputs) -> tuple[tuple[NDArray, ...], tuple[NDArray, ...]]:
    return outputs.expected, outputs.got


def _transposed(array: NDArray) -> NDArray:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _swapped_in_pairs(array: NDArray) -> NDArray:
    swapped = array.copy()
    even = array.shape[-1] // 2 * 2 if array.ndim else 0
    if even:
        swapped[..., 0:even:2], swapped[..., 1:even:2] = array[..., 1:even:2], array[..., 0:even:2]
    return swapped


FACTORS = {
    "percent": 100,
    "hundredth": 1 / 100,
    "times-two-pi": 2 * np.pi,
    "over-two-pi": 1 / (2 * np.pi),
    "radians-to-degrees": 180 / np.pi,
    "degrees-to-radians": np.pi / 180,
}
"""How many times as large all numbers may be as they should be, with a reason of its own."""

CHANGES: dict[str, Callable[[NDArray], NDArray]] = {
    "opposite-sign": np.negative,
    "sign-lost": np.abs,
    "reciprocal": np.reciprocal,
    "square": np.square,
    "root": np.sqrt,
    "complement": lambda array: 1 - array,
    "transposed": _transposed,
}
"""Which numbers come out instead of those expected."""


def _almost(expected: NDArray, got: NDArray) -> bool:
    """Whether each number is off by little; of waves, beside the largest of them."""
    size = np.abs(expected)
    if (expected < 0).any():
        size = size.max()
    return bool((np.abs(got - expected) <= LITTLE * size).all())


def _factor_or_constant(outputs: Outputs, expected: NDArray, got: NDArray) -> Iterator[Pattern]:
    factor = _factor(expected, got) or np.nan
    if abs(factor - 1) > SMALLEST_SHOWN and outputs.need(partial(np.multiply, 1 / factor)):
        yield Pattern("factor", {"factor": factor})
    constant = got[0] - expected[0]
    if outputs.are(lambda array: array + constant):
        name = "too-large" if constant > 0 else "too-small"
        yield Pattern(name, {"constant": abs(constant)})


def _factor(expected: NDArray, got: NDArray) -> float:
    """The factor that fits best; nothing fits where nothing was expected but 0."""
    return float(np.vdot(expected, got) / np.vdot(expected, expected))


def _rounded(outputs: Outputs, expected: NDArray, got: NDArray) -> Iterator[Pattern]:
    for digits, change in product(DIGITS, (np.round, np.trunc, np.floor, np.ceil)):
        cut = change(expected * 10.0**digits) / 10.0**digits
        if (np.abs(cut - got) <= 1e-12 * np.abs(got)).all():
            yield Pattern("few-digits" if digits else "whole-numbers")
    if np.array_equal(expected.astype(np.float16), got):
        yield Pattern("half-precision")


def _order(outputs: Outputs) -> Iterator[Pattern]:
    if outputs.are(_swapped_in_pairs):
        yield Pattern("swapped-in-pairs")
    for name, axis in _axes(outputs):
        if outputs.are(partial(np.flip, axis=axis)):
            yield Pattern(f"{name}-reversed")
        starts = [_lines(array, axis)[:-1] for array in outputs.expected]
        ends = [_lines(array, axis)[1:] for array in outputs.expected]
        if not all(map(outputs.same, starts, ends)):
            if all(map(outputs.same, starts, [_lines(array, axis)[1:] for array in outputs.got])):
                yield Pattern(f"{name}-late")
            if all(map(outputs.same, ends, [_lines(array, axis)[:-1] for array in outputs.got])):
                yield Pattern(f"{name}-early")
        if all(
            outputs.same(_sorted(_lines(expected, axis)), _sorted(_lines(got, axis)))
            for expected, got in zip(*_both(outputs), strict=True)
        ):
            yield Pattern(f"{name}-elsewhere")
    if outputs.all(lambda e, g: outputs.same(np.sort(e, axis=None), np.sort(g, axis=None))):
        yield Pattern("numbers-elsewhere")


def _axes(outputs: Outputs) -> list[tuple[str, int]]:
    """The axes that all outputs should have: rows and columns of tables, entries of lists."""
    dimensions = {min(array.ndim, 2) for array in outputs.expected}
    names = {(1,): ("entries",), (2,): ("rows", "columns")}.get(tuple(dimensions), ())
    return [(name, AXES[name]) for name in names]


def _lines(array: NDArray, axis: int) -> NDArray:
    """The rows, or the columns, or the entries, each as a row of its own."""
    n_lines = array.shape[axis]
    return np.moveaxis(array, axis, 0).reshape(n_lines, array.size // max(n_lines, 1))


def _sorted(lines: NDArray) -> NDArray:
    return lines[np.lexsort(np.round(lines.T, 6))] if lines.size else lines


def _agreement(outputs: Outputs) -> Iterator[Pattern]:
    for name, axis in _axes(outputs):
        expected, got = ([_lines(array, axis) for array in each] for each in _both(outputs))
        if all(map(_agree, got)) and not all(map(_agree, expected)):
            yield Pattern(f"{name}-agree")
        pairs = [lines[: len(lines) // 2 * 2] for lines in got]
        wanted_pairs = [lines[: len(lines) // 2 * 2] for lines in expected]
        if all(map(_agree_in_pairs, pairs)) and not all(map(_agree_in_pairs, wanted_pairs)):
            yield Pattern(f"{name}-agree-in-pairs")


def _agree(lines: NDArray) -> bool:
    return bool((lines == lines[:1]).all())


def _agree_in_pairs(lines: NDArray) -> bool:
    return np.array_equal(lines[::2], lines[1::2])


def _places(outputs: Outputs) -> Iterator[Pattern]:
    wrong = outputs.wrong()
    for name, axis in _axes(outputs):
        lines = [_lines(each, axis).any(axis=1) for each in wrong]
        if not any(each.any() for each in lines if len(each) > 1):
            continue
        if not any(each[1:].any() for each in lines):
            yield Pattern(f"only-first-of-{name}-wrong")
        if not any(each[:-1].any() for each in lines):
            yield Pattern(f"only-last-of-{name}-wrong")
        several = any(each.sum() > 1 for each in lines)
        if several and not any(each[::2].any() for each in lines):
            yield Pattern(f"odd-{name}-wrong")
        if several and not any(each[1::2].any() for each in lines):
            yield Pattern(f"even-{name}-wrong")
    if outputs.all(lambda expected, got: expected.ndim == 2 and len(set(expected.shape)) == 1):
        if not any((each & ~np.eye(len(each), dtype=bool)).any() for each in wrong):
            yield Pattern("only-diagonal-wrong")
        if not any(np.tril(each).any() for each in wrong):
            yield Pattern("only-above-diagonal-wrong")
        if not any(np.triu(each).any() for each in wrong):
            yield Pattern("only-below-diagonal-wrong")
    for name, axis in _axes(outputs)[-1:]:
        lines = [_lines(each, axis).any(axis=1) for each in wrong]
        if all(not each[:2].any() and each[2:].all() for each in lines):
            yield Pattern(f"only-first-pair-of-{name}-right")
    for name, axis in _axes(outputs):
        lines = [_lines(each, axis).any(axis=1) for each in wrong]
        if all(not each[:1].any() and each[1:].all() for each in lines):
            yield Pattern(f"only-first-of-{name}-right")


def _by_call(outputs: Outputs) -> Iterator[Pattern]:
    """The same in all of one call, and another in the next."""
    if len(outputs.got) < 2 or not outputs.any(lambda e, g: e.size and np.ptp(e) > 0):
        return
    if outputs.all(lambda e, g: outputs.same(e, g) or outputs.same(-e, g)):
        yield Pattern("opposite-sign-in-some-calls")
    if sum(each.any() for each in outputs.wrong()) < 2:
        return
    if outputs.all(lambda e, g: outputs.same(_factor(e, g) * e if e.any() else e, g)):
        yield Pattern("factor-by-call")
    if outputs.all(lambda e, g: outputs.same(e + (g - e).flat[0] if e.size else e, g)):
        yield Pattern("constant-by-call")


def _cut(outputs: Outputs) -> Iterator[Pattern]:
    """Whole numbers asked for one by one, of which some are the next lower one, or nearer to 0."""
    pairs = list(zip(*_both(outputs), strict=True))
    if all(e.ndim == 0 and e == np.round(e) for e, g in pairs) and any(e == g for e, g in pairs):
        if any(all(g in (e, e - step(e)) for e, g in pairs) for step in (np.sign, np.ones_like)):
            yield Pattern("cut-not-rounded")


def _signs(outputs: Outputs, expected: NDArray, got: NDArray) -> Iterator[Pattern]:
    if outputs.same(np.abs(expected), np.abs(got)):
        yield Pattern("some-signs")
    wrong = ~close(expected, got, outputs.tolerance)
    amounts = (got - expected)[wrong]
    if len(amounts) > 1 and not got[wrong].any():
        yield Pattern("wrong-ones-zero")
    if len(amounts) > 1 and outputs.same(amounts, np.full_like(amounts, amounts[0])):
        name = "some-too-large" if amounts[0] > 0 else "some-too-small"
        yield Pattern(name, {"constant": abs(amounts[0])})


def _tendencies(outputs: Outputs) -> Iterator[Pattern]:
    expected, got = (np.concatenate(list(map(np.ravel, each))) for each in _both(outputs))
    whole = np.array_equal(expected, np.round(expected))
    if whole and any(map(outputs.need, (np.floor, np.ceil, np.round))):
        yield Pattern("not-rounded")
    if outputs.all(lambda e, g: e.ndim and outputs.same(_lengths(e), _lengths(g))):
        yield Pattern("lengths-right")
    if (got >= 0).all() and (expected < -outputs.tolerance).any():
        yield Pattern("never-negative")
    differences = (got - expected)[~close(expected, got, outputs.tolerance)]
    if len(differences) >= FEWEST_ONE_SIDED:
        if (differences > 0).all():
            yield Pattern("always-too-large")
        if (differences < 0).all():
            yield Pattern("always-too-small")


def _lengths(array: NDArray) -> NDArray:
    """The length of each row, as a vector; of a list, its own."""
    return np.sqrt((array * array).sum(axis=-1))
