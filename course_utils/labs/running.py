"""An answer is run on each case, and what comes out is read as numbers. Nothing here raises."""

import contextlib
import copy
from array import ArrayType
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ..notebook.readers_function import watched
from .exercise import Exercise

LARGEST_ANSWER = 100_000
"""Numbers in an answer; no case asks for a tenth of that."""

MOST_DIMENSIONS = 64
"""Of an array in NumPy."""

SEQUENCES = (list, tuple, range, deque, ArrayType)
"""What is read as an array, besides what NumPy itself and libraries like it have."""

_judging = ContextVar("judging", default=False)


@dataclass(frozen=True)
class Outcome:
    """What came out of one case: numbers, or the key of what is in their place, or an error."""

    numbers: NDArray[np.float64] | None = None
    not_numbers: str = ""
    error: BaseException | None = None
    input_changed: bool = False

    @property
    def nothing(self) -> bool:
        return self.not_numbers == "nothing"

    @property
    def not_attempted(self) -> bool:
        """Whether it is what a function gives that nobody has written yet."""
        untouched = self.nothing and not self.input_changed
        return untouched or isinstance(self.error, NotImplementedError)

    @property
    def last(self) -> bool:
        """Whether no case is run after it: exit(), the Stop button, or far too many numbers."""
        return self.not_numbers == "too-large" or not isinstance(self.error, Exception | None)


@dataclass(frozen=True)
class Attempt:
    """An answer that was run: what came out of each case, and what it printed on the way.

    What the right implementation gives for the same cases was computed before, so that nothing
    that the answer does when it is run has a part in it.
    """

    exercise: Exercise
    cases: tuple[tuple, ...]
    expected: tuple[Outcome, ...]
    outcomes: tuple[Outcome, ...]
    printed: str = ""
    warned: str = ""


def run(exercise: Exercise, answer: object, cases: tuple[tuple, ...]) -> Attempt:
    """Run a function or class once on each case; a value is read as it is."""
    with np.errstate(all="ignore"):
        expected = tuple(outcome_of(exercise.reference, arguments) for arguments in cases)
    if not exercise.parameters:
        return Attempt(exercise, cases, expected, (_read(answer),))
    outcomes = []
    with watched() as (printed, warned), _as_judged():
        for arguments in cases:
            # exit() and the Stop button are caught too: the page has to go on.
            outcomes.append(outcome_of(partial(_call, exercise, answer), arguments, BaseException))
            if outcomes[-1].last:
                break
    outputs = printed.getvalue(), warned.getvalue()
    return Attempt(exercise, cases, expected, tuple(outcomes), *outputs)


def is_being_judged() -> bool:
    """Whether this is called by an answer, while it is run."""
    return _judging.get()


@contextlib.contextmanager
def _as_judged() -> Iterator[None]:
    before = _judging.set(True)
    try:
        yield
    finally:
        _judging.reset(before)


def _call(exercise: Exercise, answer: Callable[..., object], *arguments: object) -> object:
    return exercise.call(answer, arguments)


def outcome_of(
    function: Callable[..., object], arguments: tuple, caught: type[BaseException] = Exception
) -> Outcome:
    """One run on a copy of the arguments."""
    given = copy.deepcopy(arguments)
    try:
        outcome = _read(function(*given))
    except caught as error:
        outcome = Outcome(error=error)
    changed = any(
        isinstance(before, np.ndarray) and not np.array_equal(before, after)
        for before, after in zip(arguments, given, strict=True)
    )
    return replace(outcome, input_changed=changed)


def _read(value: object) -> Outcome:
    """A value as numbers, or the key of what it is instead."""
    if value is None:
        return Outcome(not_numbers="nothing")
    try:
        return _read_numbers(value)
    except Exception:  # an object may do anything when it is looked at
        return Outcome(not_numbers="not-numbers")
    except BaseException as error:  # exit() and the Stop button
        return Outcome(error=error)


def _read_numbers(value: object) -> Outcome:
    if isinstance(value, str | bytes):
        return Outcome(not_numbers="text")
    if hasattr(value, "__next__"):
        return Outcome(not_numbers="generator")
    endless = _why_endless(value)
    if endless:
        return Outcome(not_numbers=endless)
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


def _why_endless(value: object) -> str:
    """The key of what NumPy would not come to an end with, or nothing."""
    rows = [([value], 1)]
    for _ in range(MOST_DIMENSIONS):
        if sum(times * len(row) for row, times in rows) > LARGEST_ANSWER:
            return "too-large"
        kinds = set().union(*(map(type, row) for row, _ in rows))
        if not all(map(_has_an_end, kinds)):
            return "not-numbers"
        if not any(issubclass(kind, SEQUENCES) for kind in kinds):
            return ""
        rows = _rows_within(rows)
    return ""


def _rows_within(rows: list[tuple[Sequence, int]]) -> list[tuple[Sequence, int]]:
    """Each row once, and how often it stands there: a list may hold itself."""
    within: dict[int, tuple[Sequence, int]] = {}
    for row, times in rows:
        for item in row:
            if isinstance(item, SEQUENCES):
                _, before = within.get(id(item), (item, 0))
                within[id(item)] = item, before + times
    return list(within.values())


def _has_an_end(kind: type) -> bool:
    """Whether NumPy knows how long it is, or else would ask for one item after the other."""
    known = issubclass(kind, (*SEQUENCES, str, bytes)) or hasattr(kind, "__array__")
    return known or not hasattr(kind, "__getitem__")
