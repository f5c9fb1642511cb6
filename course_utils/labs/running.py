"""Execution of answers on test cases without raising errors."""

import contextlib
import copy
import warnings
from array import ArrayType
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ..sandbox import at_most, watched
from .exercise import Answer, Exercise

LARGEST_ANSWER = 100_000
"""Maximum number of values in an output, more than ten times the number that any case needs."""

SECONDS = 10
"""Time limit in seconds for each call to an answer."""

SEQUENCES = (list, tuple, range, deque, ArrayType)
"""Types that are converted to arrays, in addition to arrays of NumPy and similar libraries."""

_judging = ContextVar("judging", default=False)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case: an array, the key of another kind of value, or an error."""

    numbers: NDArray[np.float64] | None = None
    not_numbers: str = ""
    error: BaseException | None = None
    input_changed: bool = False

    @property
    def nothing(self) -> bool:
        return self.not_numbers == "nothing"

    @property
    def not_attempted(self) -> bool:
        """True if the outcome is typical of an unimplemented function."""
        untouched = self.nothing and not self.input_changed
        return untouched or isinstance(self.error, NotImplementedError)

    @property
    def last(self) -> bool:
        """True if no further cases should be run, for example after exit()."""
        return self.not_numbers == "too-large" or not isinstance(self.error, Exception | None)


@dataclass(frozen=True)
class Attempt:
    """The outcomes and the printed output of an answer.

    The outcomes of the reference solution are computed first, so that the answer cannot affect
    them.
    """

    exercise: Exercise
    cases: tuple[tuple, ...]
    expected: tuple[Outcome, ...]
    outcomes: tuple[Outcome, ...]
    printed: str = ""
    warned: str = ""
    answer: object = None

    @cached_property
    def right(self) -> tuple[bool, ...]:
        """Tuple with True for each case whose outcome is correct, and False for all other cases."""
        both = zip(self.expected, self.outcomes, strict=True)
        return tuple(alike(*each, self.exercise.tolerance) for each in both)

    def rank(self, case: int) -> tuple[bool, float, float]:
        """Return a sort key: wrong cases first, then small outputs, then small arguments."""
        arguments = [each for each in self.cases[case] if not callable(each)]
        given = sum(np.size(each) if np.ndim(each) else abs(each) for each in arguments)
        return self.right[case], np.size(self.expected[case].numbers), given

    def outcome(self, answer: Answer, case: int) -> Outcome:
        """Return the outcome of the reference, or of a known wrong answer, in a case."""
        if self.cases is self.exercise.cases:
            return _kept_outcome(self.exercise, answer, case)
        return outcome_of(self.exercise, answer, self.cases[case])


@np.errstate(all="ignore")
def close(wanted: NDArray, given: NDArray, tolerance: float) -> NDArray[np.bool_]:
    """Return a mask of the numbers within the tolerance, where NaN equals NaN."""
    # np.isclose returns the same result but takes three times as long.
    near = np.abs(given - wanted) <= tolerance + 1e-5 * np.abs(wanted)
    equal = (given == wanted) | (np.isnan(given) & np.isnan(wanted))
    return (near & np.isfinite(wanted)) | equal


def alike(wanted: Outcome, given: Outcome, tolerance: float) -> bool:
    """Return True if two outcomes are equal within the tolerance."""
    if wanted.error is not None:
        return isinstance(given.error, type(wanted.error))
    if wanted.numbers is None or given.numbers is None:
        return False
    return wanted.numbers.shape == given.numbers.shape and bool(
        close(wanted.numbers, given.numbers, tolerance).all()
    )


def run(exercise: Exercise, answer: object, cases: tuple[tuple, ...]) -> Attempt:
    """Run an answer once on each case."""
    empty = Attempt(exercise, cases, (), ())
    with quiet():
        expected = tuple(empty.outcome(exercise.reference, case) for case in range(len(cases)))
    if not exercise.parameters:
        return Attempt(exercise, cases, expected, (_read(answer),))
    outcomes = []
    with watched() as (printed, warned), _as_judged():
        for arguments in cases:
            outcomes.append(outcome_of(exercise, answer, arguments, SECONDS))
            if outcomes[-1].last:
                break
    outputs = printed.getvalue(), warned.getvalue()
    return Attempt(exercise, cases, expected, tuple(outcomes), *outputs, answer)


def is_being_judged() -> bool:
    """Return True if this function is called by an answer that is being run."""
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
    """Suppress warnings of NumPy and Python in the course's own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        yield


@cache
def _kept_outcome(exercise: Exercise, answer: Answer, case: int) -> Outcome:
    return outcome_of(exercise, answer, exercise.cases[case])


def outcome_of(
    exercise: Exercise,
    answer: Answer,
    arguments: tuple,
    seconds: float | None = None,
) -> Outcome:
    """Run an answer once, on a copy of the arguments.

    A learner's answer has a time limit. All errors, even exit() and the Stop button, are caught so
    that the page can continue.
    """
    given = tuple(map(copy.copy, arguments))
    try:
        outcome = at_most(seconds, lambda: _read(exercise.call(answer, *given)))
    except BaseException as error:
        if seconds is None and not isinstance(error, Exception):
            raise  # The Stop button must interrupt the course's own code.
        outcome = Outcome(error=error)
    changed = any(
        isinstance(before, np.ndarray) and not _is_same(before, after)
        for before, after in zip(arguments, given, strict=True)
    )
    return replace(outcome, input_changed=changed)


def _is_same(before: NDArray, after: NDArray) -> bool:
    """Return True if an array is unchanged, including its dtype."""
    return before.dtype == after.dtype and np.array_equal(before, after)


def _read(value: object) -> Outcome:
    """Convert a value to an array, or return the key of its kind."""
    if value is None:
        return Outcome(not_numbers="nothing")
    try:
        return _read_numbers(value)
    except Exception:  # Inspecting an object may raise any error.
        return Outcome(not_numbers="not-numbers")
    except BaseException as error:  # exit(), the Stop button or the time limit
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
    # The array is copied, because the answer may return the same array in all cases.
    return Outcome(np.array(array, dtype=np.float64, subok=False))


def _is_too_large(value: object) -> bool:
    """Return True if nested lists contain too many values for NumPy to convert."""
    rows = [value]
    for _ in range(64):  # maximum number of axes of an array
        rows = [row for row in rows if isinstance(row, SEQUENCES)]
        if not rows:
            return False
        if sum(map(len, rows)) > LARGEST_ANSWER:
            return True
        rows = [item for row in rows for item in row]
    return False
