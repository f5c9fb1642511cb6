"""Runs of an answer on each case, with the outputs read as numbers. Nothing here raises."""

import contextlib
import copy
import warnings
from array import ArrayType
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ..sandbox import at_most, watched
from .exercise import Answer, Exercise

LARGEST_ANSWER = 100_000
"""Largest number of values in an answer; no case needs a tenth of this."""

SECONDS = 10
"""Seconds after which each call to an answer is stopped."""

SEQUENCES = (list, tuple, range, deque, ArrayType)
"""Types that are read as arrays, in addition to NumPy's and similar libraries' own."""

_judging = ContextVar("judging", default=False)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one case: numbers, the key of another kind of value, or an error."""

    numbers: NDArray[np.float64] | None = None
    not_numbers: str = ""
    error: BaseException | None = None
    input_changed: bool = False

    @property
    def nothing(self) -> bool:
        return self.not_numbers == "nothing"

    @property
    def not_attempted(self) -> bool:
        """True if this is what an unimplemented function returns."""
        untouched = self.nothing and not self.input_changed
        return untouched or isinstance(self.error, NotImplementedError)

    @property
    def last(self) -> bool:
        """True if no further case is run: after a stop, exit(), or far too many numbers."""
        return self.not_numbers == "too-large" or not isinstance(self.error, Exception | None)


@dataclass(frozen=True)
class Attempt:
    """An answer that was run: the outcome of each case, and the printed output.

    The outcomes of the reference were computed before, so that the answer cannot influence them
    when it runs.
    """

    exercise: Exercise
    cases: tuple[tuple, ...]
    expected: tuple[Outcome, ...]
    outcomes: tuple[Outcome, ...]
    printed: str = ""
    warned: str = ""

    @cached_property
    def right(self) -> tuple[bool, ...]:
        """A tuple with True for each case whose outcome is right."""
        both = zip(self.expected, self.outcomes, strict=True)
        return tuple(alike(*each, self.exercise.tolerance) for each in both)


@np.errstate(all="ignore")
def close(wanted: NDArray, given: NDArray, tolerance: float) -> NDArray[np.bool_]:
    """Return True for each number within the tolerance of the expected number; NaN equals NaN."""
    # np.isclose gives the same result in three times the time.
    near = np.abs(given - wanted) <= tolerance + 1e-5 * np.abs(wanted)
    equal = (given == wanted) | (np.isnan(given) & np.isnan(wanted))
    return (near & np.isfinite(wanted)) | equal


def alike(wanted: Outcome, given: Outcome, tolerance: float) -> bool:
    """Return True if two outcomes are equal: numbers within the tolerance, or the same error."""
    if wanted.error is not None:
        return isinstance(given.error, type(wanted.error))
    if wanted.numbers is None or given.numbers is None:
        return False
    return wanted.numbers.shape == given.numbers.shape and bool(
        close(wanted.numbers, given.numbers, tolerance).all()
    )


def run(exercise: Exercise, answer: object, cases: tuple[tuple, ...]) -> Attempt:
    """Run a function or class once on each case; read a value directly."""
    with quiet():
        expected = tuple(outcome_of(exercise, exercise.reference, each) for each in cases)
    if not exercise.parameters:
        return Attempt(exercise, cases, expected, (_read(answer),))
    outcomes = []
    with watched() as (printed, warned), _as_judged():
        for arguments in cases:
            outcomes.append(outcome_of(exercise, answer, arguments, SECONDS))
            if outcomes[-1].last:
                break
    outputs = printed.getvalue(), warned.getvalue()
    return Attempt(exercise, cases, expected, tuple(outcomes), *outputs)


def is_being_judged() -> bool:
    """Return True if an answer calls this while it is run."""
    return _judging.get()


@contextlib.contextmanager
def _as_judged() -> Iterator[None]:
    before = _judging.set(True)
    try:
        yield
    finally:
        _judging.reset(before)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress warnings of NumPy and Python, for the course's own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        yield


def outcome_of(
    exercise: Exercise,
    answer: Answer,
    arguments: tuple,
    seconds: float | None = None,
) -> Outcome:
    """Run an answer once, on a copy of the arguments.

    A learner's answer has limited seconds, and anything it raises is caught, even exit() and the
    Stop button, because the page has to continue.
    """
    given = tuple(map(copy.copy, arguments))
    try:
        outcome = at_most(seconds, lambda: _read(exercise.call(answer, *given)))
    except BaseException as error:
        if seconds is None and not isinstance(error, Exception):
            raise  # the Stop button, while the course's own code runs
        outcome = Outcome(error=error)
    changed = any(
        isinstance(before, np.ndarray) and not _is_same(before, after)
        for before, after in zip(arguments, given, strict=True)
    )
    return replace(outcome, input_changed=changed)


def _is_same(before: NDArray, after: NDArray) -> bool:
    """Return True if an array is unchanged, including the type of its numbers."""
    return before.dtype == after.dtype and np.array_equal(before, after)


def _read(value: object) -> Outcome:
    """Read a value as numbers, or return the key of its kind."""
    if value is None:
        return Outcome(not_numbers="nothing")
    try:
        return _read_numbers(value)
    except Exception:  # an object may raise anything when it is inspected
        return Outcome(not_numbers="not-numbers")
    except BaseException as error:  # exit(), the Stop button and the limit
        return Outcome(error=error)


def _read_numbers(value: object) -> Outcome:
    if isinstance(value, str | bytes):
        return Outcome(not_numbers="text")
    if hasattr(value, "__next__"):
        return Outcome(not_numbers="generator")
    if _is_too_large(value):
        return Outcome(not_numbers="too-large")
    try:
        array = np.asarray(value)
    except ValueError:
        return Outcome(not_numbers="ragged" if isinstance(value, SEQUENCES) else "not-numbers")
    if array.size > LARGEST_ANSWER:
        return Outcome(not_numbers="too-large")
    if array.dtype.kind == "O" and all(
        issubclass(kind, Real | Decimal) for kind in set(map(type, array.flat))
    ):
        array = array.astype(np.float64)
    if array.dtype.kind == "c" and not array.imag.any():
        array = array.real
    if array.dtype.kind in "US":
        return Outcome(not_numbers="text")
    if array.dtype.kind not in "biuf":
        return Outcome(not_numbers="not-numbers")
    # A copy: the answer may use one array for all its cases.
    return Outcome(np.array(array, dtype=np.float64, subok=False))


def _is_too_large(value: object) -> bool:
    """Return True if nested lists hold too many values, for which NumPy would fill the memory."""
    rows = [value]
    for _ in range(64):  # the most axes of an array
        rows = [row for row in rows if isinstance(row, SEQUENCES)]
        if not rows:
            return False
        if sum(map(len, rows)) > LARGEST_ANSWER:
            return True
        rows = [item for row in rows for item in row]
    return False
