"""Regularities in outputs that do not match any misconception.

``PATTERNS`` lists all patterns, from most to least informative. Only the first pattern that holds
is reported, with a sentence and a question from ``messages.toml``. A pattern holds only if its
sentence is true for every case that was run. A statement about an argument holds only if no other
argument distinguishes the right calls from the wrong calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations, product
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from .common_mistakes import PLACES, Change, Mistake, Rerun, changed_results, replaced_arguments
from .exercise import Answer, WrongAnswer
from .messages import SAID
from .repair import repair_of
from .running import Attempt, Outcome, alike, close, quiet

DIGITS = range(1, 8)
"""Numbers of decimals to which an output may be rounded."""

SMALLEST_SHOWN = 1e-4
"""Smallest difference between a factor and 1 that is visible in five digits."""

LITTLE = 0.01
"""Maximum relative error of a number that is nearly right."""

TELLING_NUMBERS = (0, 1, 2)
"""Special values for which wrong code often succeeds or fails."""

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
"""Minimum number of wrong numbers that is unlikely to be a coincidence."""

BITS_OF_HALF = (11, 8)
"""Significant bits of the numbers in float16 and bfloat16."""

FEWEST_BITS = 5
"""Number of significant bits that any number may have by coincidence."""

UNTELLING = ("equal 1", "one-row", "one-number")
"""Conditions under which wrong code often succeeds, so that success is not informative."""

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
        # Most comparisons end with the first number.
        first, other = expected.item(0), got.item(0)
        if abs(first - other) > tolerance + 1e-5 * abs(first):
            return False
        return bool(close(expected, got, tolerance).all())

    def all(self, holds: Callable[[NDArray, NDArray], bool]) -> bool:
        """Return True if a condition holds for the expected and actual outputs in every case."""
        return all(map(holds, self.expected, self.got))

    def are(self, change: Change) -> bool:
        """Return True if every output equals the changed expected output."""
        return self.all(lambda expected, got: self.same(change(expected), got))

    @property
    def wrong(self) -> list[NDArray[np.bool_]]:
        """Masks of the numbers that differ, if the shapes are correct."""
        tolerance = self.attempt.exercise.tolerance
        pairs = zip(self.expected, self.got, strict=True)
        return [~close(expected, got, tolerance) for expected, got in pairs]

    def calls(self, right: bool) -> frozenset[int]:
        """Return the numbers of all right calls or of all wrong calls."""
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


@quiet()
def pattern_in(attempt: Attempt) -> tuple[str, Details] | None:
    """Return the first pattern that holds for an answer.

    The first wrong case of the answer must have numbers. The values for the pattern's sentence are
    also returned.
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
        if found:
            details = found if isinstance(found, dict) else {}
            return details.pop("pattern", name), details
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


def _only_first_call_right(outputs: Outputs) -> Details | bool:
    attempt, right = outputs.attempt, outputs.attempt.right
    unseen = attempt.exercise.unseen_shapes(attempt.cases[0])
    if right[0] and len(right) > 2 and not any(right[1:]) and not unseen:
        return {"first": attempt.exercise.typed_call(attempt.cases[0])}
    return False


def _when(outputs: Outputs, right: bool, exact: bool) -> Details | bool:
    """Return the only condition under which calls are right (or wrong).

    Exact conditions are numbers and sizes, and other conditions are signs of numbers.
    """
    conditions, calls = _conditions_of_calls(outputs).items(), outputs.calls(right)
    telling = [each for each, held in conditions if held == calls]
    if exact == any(key in ("positive", "negative") for _, key, _ in telling):
        return False
    if right and any(f"{key} {value or ''}".strip() in UNTELLING for _, key, value in telling):
        return False
    return _told(telling)


Condition = tuple[str, str, object]
"""Type of conditions: the name of an argument, the key of the condition, and its number."""


def _conditions_of_calls(outputs: Outputs) -> dict[Condition, frozenset[int]]:
    """Return the calls in which each condition holds.

    A single call is not sufficient, because there may be another reason.
    """
    calls: dict[Condition, set[int]] = {}
    if min(len(outputs.calls(right)) for right in (True, False)) > 1:
        for name, given in _arguments(outputs.attempt).items():
            for number, argument in enumerate(given):
                for key, value in _conditions_of(argument):
                    calls.setdefault((name, key, value), set()).add(number)
    return {each: frozenset(held) for each, held in calls.items() if len(held) > 1}


def _conditions_of(argument: object) -> Iterator[tuple[str, object]]:
    if isinstance(argument, bool):
        yield "equal", argument
    elif isinstance(argument, Real):
        if argument:
            yield "negative" if argument < 0 else "positive", None
        if argument in TELLING_NUMBERS:
            yield "equal", int(argument)
    elif isinstance(argument, np.ndarray):
        if argument.dtype.kind in "iu":
            yield "whole", None
        if argument.ndim == 1 and argument.size == 1:
            yield "one-number", None
        if argument.ndim == 2 and argument.shape[0] == 1:
            yield "one-row", None
        if argument.ndim == 2 and argument.shape[1] in TELLING_NUMBERS:
            yield "columns", argument.shape[1]


def _told(telling: list[Condition]) -> Details | bool:
    """Return the values for a sentence about a condition if it is the only possible condition."""
    if len(telling) != 1:
        return False
    name, key, value = telling[0]
    return {"condition": SAID["condition"][key].format(input=name, value=value)}


def _mistaken(
    outputs: Outputs, mistakes: Callable[..., Iterator[Mistake]], combined: bool
) -> Details | bool:
    """Find a change of the right answer, or of a known wrong one, that gives every outcome.

    A coincidence is unlikely if it explains several wrong numbers.
    """
    attempt = outputs.attempt
    exercise, cases = attempt.exercise, sorted(range(len(attempt.cases)), key=attempt.rank)
    wrong = [attempt.outcomes[case].numbers for case in cases if not attempt.right[case]]
    numbers = np.concatenate([each.ravel() for each in wrong if each is not None] or [[]])
    if numbers.size < FEWEST_WRONG or len(wrong) == 1 or not np.ptp(numbers):
        return False
    answers = exercise.wrong_answers() if combined else [WrongAnswer((), exercise.reference)]
    for (details, rerun), known in product(mistakes(attempt, combined), list(answers)):

        def fits(case: int, rerun: Rerun = rerun, answer: Answer = known.answer) -> bool:
            try:
                return alike(rerun(answer, case), attempt.outcomes[case], exercise.tolerance)
            except (ValueError, IndexError, TypeError, ArithmeticError):
                return False

        if all(map(fits, cases)):
            return details | {"known": known}
    return False


def _argument_ignored(outputs: Outputs) -> Details | bool:
    """Return the argument that makes no difference, although it should."""
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
    """Return the earlier call whose correct output each wrong call repeats.

    A few numbers, or equal numbers, may agree by coincidence.
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


def _repaired(outputs: Outputs) -> Details | bool:
    """Return the place in the learner's code where one change makes every call right."""
    repair = repair_of(outputs.attempt)
    if repair is None:
        return False
    details = {key: value for key, value in vars(repair).items() if key != "kind"}
    return {"pattern": f"repair-{repair.kind}"} | details


# Wrong shapes ------------------------------------------------------------------------------------


def _extra_axis(outputs: Outputs) -> bool:
    return _reshaped(outputs) and outputs.all(
        lambda e, g: g.ndim > e.ndim and e.squeeze().shape == g.squeeze().shape
    )


def _reshaped(outputs: Outputs) -> bool:
    return outputs.all(lambda e, g: outputs.same(e.ravel(), g.ravel()))


def _decimal_comma(outputs: Outputs) -> bool:
    """Return True if each number was split at its decimal point into two integers."""
    return any((array % 1).any() for array in outputs.expected) and outputs.all(
        lambda e, g: e.ndim == 1 and g.shape == (2 * e.size,) and not (g % 1).any()
    )


def _lines_off_by(outputs: Outputs, step: int) -> Details | bool:
    """Return the axis that is too long or too short by one."""
    pairs = zip(outputs.expected, outputs.got, strict=True)
    steps = {tuple(np.subtract(g.shape, e.shape)) if g.ndim == e.ndim else () for e, g in pairs}
    names = {(step,): "entries", (step, 0): "rows", (0, step): "columns", (step, step): "both"}
    name = names.get(steps.pop()) if len(steps) == 1 else None
    return bool(name) and {"line": SAID["axis"][name]}


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
    said = [next((name for name, size in known if size == axis), "") for axis in axes]
    return all(said) and {"shape": f"({', '.join(said)}{',' * (len(said) == 1)})"}


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
    """Return the number of values of a small integer type if the wrong numbers overflowed."""
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


def _affine(outputs: Outputs) -> Details | bool:
    """Return a factor and a constant that map each correct number to the actual number."""
    expected, got = outputs.flat
    if not _varied(outputs) or len(np.unique(expected.round(6))) < FEWEST_WRONG:
        return False
    factor, constant = np.polyfit(expected, got, 1)
    fits = abs(factor) > SMALLEST_SHOWN and outputs.are(lambda e: factor * e + constant)
    return {"factor": factor, "constant": constant} if fits else False


def _transposed(array: NDArray) -> NDArray:
    return array.swapaxes(-1, -2) if array.ndim > 1 else array


def _lines_elsewhere(outputs: Outputs) -> Details | bool:
    for name, axis in outputs.axes.items():
        sorted_lines = partial(_sorted_lines, axis=axis)
        if outputs.all(lambda e, g, lines=sorted_lines: outputs.same(lines(e), lines(g))):
            return {"lines": SAID["axis"][f"all-{name}"]}
    return False


def _lines_shifted(outputs: Outputs) -> Details | bool:
    """Return the line of the output that is in the position of another line."""
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
            return {"line": SAID["axis"][name], "mine": mine, "right": right}
    return False


def _sorted_lines(array: NDArray, axis: int) -> NDArray:
    return np.array(sorted(np.moveaxis(array.round(6), axis, 0).tolist()))


def _where(outputs: Outputs) -> Details | bool:
    """Return the smallest place that has all wrong numbers, if most of its numbers are wrong."""
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
    return bool(fitting) and {"where": SAID["place"][min(fitting, key=fitting.get)]}


def _wrong_alike(outputs: Outputs) -> Details | bool:
    """Return the number that every wrong number is, as after an assignment that was forgotten."""
    got, wrong = outputs.flat[1], np.concatenate(outputs.wrong, axis=None)
    alike = FEWEST_WRONG <= wrong.sum() < wrong.size and np.ptp(got[wrong]) == 0
    return {"number": got[wrong][0]} if alike else False


def _factor_by(outputs: Outputs, lines: str = "") -> Details | bool:
    """Return True if the numbers of each call, or of each line, are off by one factor."""
    axis = outputs.axes.get(lines)
    if lines and (axis is None or len(outputs.axes) == 1):
        return False

    def multiple(expected: NDArray, got: NDArray) -> bool:
        both = expected.any() and got.any()
        return outputs.same(_best_factor(expected, got) * expected if both else expected, got)

    def multiples(expected: NDArray, got: NDArray) -> bool:
        if axis is None:
            return multiple(expected, got)
        each = (np.moveaxis(array, axis, 0) for array in (expected, got))
        return all(map(multiple, *each))

    telling = any(e.size and np.ptp(e) > 0 for e in outputs.expected)
    if axis is not None:
        telling = max(each.shape[-3 - axis] for each in outputs.expected) >= FEWEST_WRONG
    fits = telling and outputs.attempt.right.count(False) > 1 and outputs.all(multiples)
    return fits and {"line": SAID["axis"][lines] if lines else ""}


def _cut_not_rounded(outputs: Outputs) -> bool:
    """Return True if integers are truncated instead of rounded."""
    if not outputs.all(lambda e, g: e.ndim == 0 and e == np.round(e)):
        return False
    right = outputs.attempt.right
    several = any(right) and right.count(False) > 1
    return several and any(
        outputs.all(lambda e, g, step=step: g in (e, e - step(e)))
        for step in (np.sign, np.ones_like)
    )


def _lengths_right(outputs: Outputs) -> bool:
    def kept(expected: NDArray, got: NDArray) -> bool:
        # Only the wrong numbers are compared, because a much larger number would hide any change.
        wrong = ~close(expected, got, outputs.attempt.exercise.tolerance)
        lengths = [np.sqrt((each * each * wrong).sum(axis=-1)) for each in (expected, got)]
        return expected.ndim > 0 and outputs.same(*lengths)

    return outputs.all(kept)


PATTERNS: tuple[tuple[str, str, Callable[[Outputs], Details | bool]], ...] = (
    ("input-returned", "calls", _input_returned),
    ("result-of-earlier-call", "calls", _result_of_earlier_call),
    # Shapes.
    ("transposed", "shapes", lambda outputs: outputs.are(_transposed)),
    ("extra-axis", "shapes", _extra_axis),
    ("reshaped", "shapes", _reshaped),
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
    # The learner's own code.
    ("repair", "calls", _repaired),
    ("always-the-same", "numbers", _always_the_same),
    ("half-precision", "numbers", _half_precision),
    ("wrapped", "numbers", _wrapped),
    ("almost", "numbers", _almost),
    ("affine", "numbers", _affine),
    ("formula", "shapes", partial(_mistaken, mistakes=changed_results, combined=False)),
    ("lines-too-few-by-one", "shapes", partial(_lines_off_by, step=-1)),
    ("lines-too-many-by-one", "shapes", partial(_lines_off_by, step=1)),
    # Places.
    ("lines-shifted", "numbers", _lines_shifted),
    # Calls.
    ("right-for-another", "calls", partial(_mistaken, mistakes=replaced_arguments, combined=False)),
    ("formula", "arrays", partial(_mistaken, mistakes=changed_results, combined=False)),
    ("lines-elsewhere", "numbers", _lines_elsewhere),
    ("where", "numbers", _where),
    ("argument-ignored", "calls", _argument_ignored),
    ("factor-by-call", "numbers", _factor_by),
    ("factor-by-line", "numbers", partial(_factor_by, lines="rows")),
    ("factor-by-line", "numbers", partial(_factor_by, lines="columns")),
    ("formula-besides", "arrays", partial(_mistaken, mistakes=changed_results, combined=True)),
    ("another-besides", "calls", partial(_mistaken, mistakes=replaced_arguments, combined=True)),
    ("right-when", "calls", partial(_when, right=True, exact=True)),
    ("wrong-when", "calls", partial(_when, right=False, exact=True)),
    ("right-when", "calls", partial(_when, right=True, exact=False)),
    ("wrong-when", "calls", partial(_when, right=False, exact=False)),
    ("signs", "numbers", lambda o: o.all(lambda e, g: o.same(abs(e), abs(g)))),
    ("wrong-alike", "numbers", _wrong_alike),
    ("cut-not-rounded", "numbers", _cut_not_rounded),
    ("only-first-call-right", "calls", _only_first_call_right),
    ("only-one-call-wrong", "calls", _only_one_call_wrong),
    # The last resort.
    ("shape-in-arguments", "shapes", _shape_in_arguments),
    ("lengths-right", "numbers", _lengths_right),
)
"""Name, kind and condition of each pattern, from most to least informative.

Patterns of the kind ``"calls"`` are always tested. Patterns of the kind ``"shapes"`` are tested if
any output has an unexpected shape, and patterns of the kind ``"numbers"`` are tested otherwise. A
pattern that holds returns the values for its sentence, or True.
"""
