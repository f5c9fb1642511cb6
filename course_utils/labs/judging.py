"""How an answer is judged: run, compare, look for the misconception that gives the same. No words.

What is found is a Verdict: the key of a message and the values to fill in. The texts are elsewhere.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import linecache
import re
import sysconfig
from array import ArrayType
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from numbers import Real
from pathlib import Path
from traceback import walk_tb

import numpy as np
from numpy.typing import NDArray

from ..refusals import quoted
from .exercise import Exercise, WrongWay

__all__ = ["Verdict", "judge"]

LARGEST_ANSWER = 10_000_000
"""Numbers in an answer; no case asks for a thousandth of that."""

MOST_DIMENSIONS = 64
"""Of an array in NumPy."""

SEQUENCES = (list, tuple, range, deque, ArrayType)
"""What is read as an array, besides what NumPy itself and libraries like it have."""

MOST_PRINTED = 2_000
"""Characters of what an answer prints that are kept."""

INPUT_CHANGED = "input-changed"

ERROR_KINDS = (
    NotImplementedError,
    RecursionError,
    NameError,
    AttributeError,
    ZeroDivisionError,
    IndexError,
    KeyError,
    MemoryError,
    TypeError,
    ValueError,
)
"""The kinds that have a sentence of their own, each before those that it is a kind of."""

LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))
COURSE = Path(__file__).parent.parent


@dataclass(frozen=True)
class Verdict:
    """What was found about one answer.

    Attributes:
        key: which message says where the answer stands.
        misconceptions: those whose output this is, exactly; empty if nothing known fits.
        details: values for the message.
        expected: the right output of the case that ``details`` speak of, if there is one to show.
        got: the answer's output of that case.
        traceback: where the answer's own code failed, and its error.
        printed: what the answer printed.
    """

    key: str
    misconceptions: tuple[str, ...] = ()
    details: dict[str, object] = field(default_factory=dict)
    expected: NDArray | None = None
    got: NDArray | None = None
    traceback: str = ""
    printed: str = ""

    @property
    def solved(self) -> bool:
        return self.key == "solved"


@dataclass(frozen=True)
class Outcome:
    """What came out of one case: numbers, or the key of what is in their place, or an error."""

    numbers: NDArray[np.float64] | None = None
    not_numbers: str = ""
    error: BaseException | None = None
    input_changed: bool = False


def judge(exercise: Exercise, answer: object, cases: Iterable[tuple] | None = None) -> Verdict:
    """Run an answer once on each case and say what is to be said about it. Never raises.

    Args:
        exercise: what was asked.
        answer: a function, a class or a value, as the exercise wants; anything else as well.
        cases: tuples of arguments, if not those of the exercise.
    """
    cases = exercise.cases if cases is None else tuple(cases)
    if answer is None or answer is ...:
        return Verdict("not-attempted" if exercise.parameters else "empty-value")
    if not exercise.parameters:
        if callable(answer):
            return Verdict("not-a-value", details={"call": exercise.name})
        outcomes, said, warned = [_read(answer)], "", ""
    else:
        if not callable(answer):
            details = {"name": exercise.name, "given": _kind_of(answer)}
            key = "not-a-class" if exercise.called_with else "not-a-function"
            return Verdict(key, details=details)
        if not _takes(answer, len(exercise.parameters)):
            if exercise.called_with and not isinstance(answer, type):
                details = {"name": exercise.name, "given": _kind_of(answer)}
                return Verdict("not-a-class", details=details)
            return Verdict("wrong-parameters", details={"call": exercise.signature})
        outcomes, said, warned = _run(exercise, answer, cases)
    verdict = _verdict(exercise, cases, outcomes)
    if verdict.key in ("not-attempted", "nothing") and said.strip():
        verdict = replace(verdict, key="prints-only")
    return replace(verdict, printed=(said + warned)[:MOST_PRINTED])


# Running what somebody else wrote ---------------------------------------------------------------


class _Printed(io.StringIO):
    """The beginning of what is printed; an answer that prints for ever fills no memory."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, MOST_PRINTED - self.tell())])
        return len(text)

    def close(self) -> None:
        """Stay open: the next case may print too."""


def _run(
    exercise: Exercise, answer: Callable[..., object], cases: tuple[tuple, ...]
) -> tuple[list[Outcome], str, str]:
    """The outcomes, what was printed, and Python's warnings."""
    outcomes = []
    said, warned = _Printed(), _Printed()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(warned):
        for arguments in cases:
            outcomes.append(_outcome(lambda *given: exercise.call(answer, given), arguments))
            if not isinstance(outcomes[-1].error, Exception | None):
                break
    return outcomes, said.getvalue(), warned.getvalue()


def _outcome(function: Callable[..., object], arguments: tuple) -> Outcome:
    """One run on a copy of the arguments."""
    given = copy.deepcopy(arguments)
    try:
        value = function(*given)
    except BaseException as error:  # exit() and the Stop button too: the page has to go on.
        return Outcome(error=error)
    changed = not all(map(_same_argument, arguments, given))
    return replace(_read(value), input_changed=changed)


def _same_argument(before: object, after: object) -> bool:
    return not isinstance(before, np.ndarray) or np.array_equal(before, after)


def _takes(answer: Callable[..., object], n_arguments: int) -> bool:
    """Whether it can be called with that many arguments, as far as Python can tell."""
    try:
        signature = inspect.signature(answer)
    except BaseException:  # some built-in functions have none, and an object may do anything
        return True
    try:
        signature.bind(*range(n_arguments))
    except TypeError:
        return False
    return True


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
        return Outcome(not_numbers="ragged")
    if array.size > LARGEST_ANSWER:
        return Outcome(not_numbers="too-large")
    if array.dtype.kind == "O" and all(isinstance(number, Real | Decimal) for number in array.flat):
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
    level, size = [value], 1
    for _ in range(MOST_DIMENSIONS):
        if not all(map(_has_an_end, set(map(type, level)))):
            return "not-numbers"
        # Each row once: a list may hold itself.
        rows = {id(item): item for item in level if isinstance(item, SEQUENCES)}.values()
        size *= max(map(len, rows), default=0)
        if size > LARGEST_ANSWER:
            return "too-large"
        level = [item for row in rows for item in row]
    return ""


def _has_an_end(kind: type) -> bool:
    """Whether NumPy knows how long it is, or else would ask for one item after the other."""
    known = issubclass(kind, (*SEQUENCES, str, bytes)) or hasattr(kind, "__array__")
    return known or not hasattr(kind, "__getitem__")


def _kind_of(value: object) -> str:
    try:
        if isinstance(value, np.ndarray):
            return f"array {value.shape}"
        return quoted(value)
    except BaseException:  # exit() too
        return type(value).__name__


# Comparing --------------------------------------------------------------------------------------


def _verdict(exercise: Exercise, cases: tuple[tuple, ...], outcomes: list[Outcome]) -> Verdict:
    last_error = outcomes[-1].error
    if isinstance(last_error, KeyboardInterrupt | SystemExit):
        key = "stopped" if isinstance(last_error, KeyboardInterrupt) else "exits"
        return Verdict(key, details=_call(exercise, cases[len(outcomes) - 1]))
    if not isinstance(last_error, Exception | None):
        return _raised(_call(exercise, cases[len(outcomes) - 1]), last_error)
    untouched = [
        (outcome.not_numbers == "nothing" and not outcome.input_changed)
        or isinstance(outcome.error, NotImplementedError)
        for outcome in outcomes
    ]
    if all(untouched):
        return Verdict("not-attempted")

    expected = _outcomes(exercise.reference, cases)
    changed = any(outcome.input_changed for outcome in outcomes)
    if _all_alike(exercise, expected, outcomes):
        if changed:
            return _named(exercise, cases, expected, outcomes, (INPUT_CHANGED,))
        return Verdict("solved")
    if changed and all(outcome.not_numbers == "nothing" or outcome.error for outcome in outcomes):
        return _named(exercise, cases, expected, outcomes, (INPUT_CHANGED,))
    way = _way_that_gives(exercise, cases, expected, outcomes)
    if way is not None:
        names = way.misconceptions + (INPUT_CHANGED,) * changed
        return _named(exercise, cases, expected, outcomes, names, way.choices)
    first = _first_unlike(exercise, expected, outcomes)
    return _unnamed(exercise, cases[first], expected[first], outcomes[first])


def _outcomes(function: Callable[..., object], cases: tuple[tuple, ...]) -> list[Outcome]:
    with np.errstate(all="ignore"):
        return [_outcome(function, arguments) for arguments in cases]


def _way_that_gives(
    exercise: Exercise,
    cases: tuple[tuple, ...],
    expected: list[Outcome],
    outcomes: list[Outcome],
) -> WrongWay | None:
    """The first wrong way with exactly these outcomes, and not with the right ones.

    An answer that fails in every case has no output to recognise it by, and one that is the same
    number throughout has too little for two mistakes at once.
    """
    if not any(outcome.numbers is not None for outcome in outcomes):
        return None
    constant = _is_constant(outcomes)
    for way in exercise.wrong_ways():
        if constant and len(way.misconceptions) > 1:
            continue
        given = _outcomes(way.function, cases)
        if _all_alike(exercise, given, outcomes) and not _all_alike(exercise, given, expected):
            return way
    return None


def _is_constant(outcomes: list[Outcome]) -> bool:
    numbers = [outcome.numbers.ravel() for outcome in outcomes if outcome.numbers is not None]
    return np.unique(np.concatenate(numbers)).size <= 1


def _all_alike(exercise: Exercise, wanted: list[Outcome], outcomes: list[Outcome]) -> bool:
    return _first_unlike(exercise, wanted, outcomes) is None


def _first_unlike(exercise: Exercise, wanted: list[Outcome], outcomes: list[Outcome]) -> int | None:
    for case, (one, other) in enumerate(zip(wanted, outcomes, strict=True)):
        if not _alike(exercise, one, other):
            return case
    return None


def _alike(exercise: Exercise, wanted: Outcome, given: Outcome) -> bool:
    if wanted.error is not None:
        return isinstance(given.error, type(wanted.error))
    if wanted.numbers is None or given.numbers is None:
        return False
    return wanted.numbers.shape == given.numbers.shape and bool(
        _close(exercise, wanted.numbers, given.numbers).all()
    )


def _close(exercise: Exercise, wanted: NDArray, given: NDArray) -> NDArray[np.bool_]:
    return np.isclose(given, wanted, rtol=1e-5, atol=exercise.tolerance, equal_nan=True)


# What to say ------------------------------------------------------------------------------------


def _named(
    exercise: Exercise,
    cases: tuple[tuple, ...],
    expected: list[Outcome],
    outcomes: list[Outcome],
    names: tuple[str, ...],
    choices: dict[str, object] | None = None,
) -> Verdict:
    """A verdict that names misconceptions and has the learner's own numbers as evidence."""
    details = {name: _choice(value) for name, value in (choices or {}).items()}
    first = _first_unlike(exercise, expected, outcomes)
    if first is None:
        return Verdict("right-but", names, details)
    evidence = _unnamed(exercise, cases[first], expected[first], outcomes[first])
    return replace(evidence, misconceptions=names, details={**details, **evidence.details})


def _unnamed(exercise: Exercise, arguments: tuple, expected: Outcome, given: Outcome) -> Verdict:
    """Where one case parts from what was expected."""
    call = _call(exercise, arguments)
    if given.error is not None and expected.error is not None:
        kinds = {"error": type(expected.error).__name__, "raised": type(given.error).__name__}
        where = f"{_own_line(given.error)}\n{_error_text(given.error)}".strip()
        return Verdict("raises-other", details=call | kinds, traceback=where)
    if given.error is not None:
        return _raised(call, given.error)
    if expected.error is not None:
        return Verdict("does-not-raise", details=call | {"error": type(expected.error).__name__})
    if given.numbers is None:
        return Verdict(given.not_numbers, details=call)
    if given.numbers.shape != expected.numbers.shape:
        shapes = {"expected": expected.numbers.shape, "got": given.numbers.shape}
        key = {shapes["expected"]: "number-expected", shapes["got"]: "number-given"}.get((), "")
        return Verdict(key or "wrong-shape", details=call | shapes)
    unlike = ~_close(exercise, expected.numbers, given.numbers)
    index = tuple(int(i) for i in np.argwhere(unlike)[0])
    right, wrong = (_number(outcome.numbers[index]) for outcome in (expected, given))
    if right == wrong:
        right, wrong = (repr(float(outcome.numbers[index])) for outcome in (expected, given))
    entry = f"[{', '.join(map(str, index))}]"
    if not exercise.parameters:  # one right value for all: it is not given away
        return Verdict("entry-differs", details=call | {"entry": entry, "got": wrong})
    details = call | {"entry": entry, "expected": right, "got": wrong}
    details |= {"unlike": int(unlike.sum()), "total": unlike.size}
    key = "differs" if np.isfinite(given.numbers[index]) else "not-finite"
    if not index:
        key = f"value-{key}"
    return Verdict(key, details=details, expected=expected.numbers, got=given.numbers)


def _raised(call: dict[str, object], error: BaseException) -> Verdict:
    """An error where none was expected: of what kind, and in which line of the learner's."""
    line, text = _own_line(error), _error_text(error)
    kinds = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    kind = next(kinds, "other")
    if re.search(r": raise\b", line) and not isinstance(error, NotImplementedError):
        kind = "own"
    elif "negative integer powers" in text:
        kind = "negative-power"
    key = "raised" if line else "raised-somewhere"
    return Verdict(key, details=call | {"kind": kind}, traceback=f"{line}\n{text}".strip())


def _call(exercise: Exercise, arguments: tuple) -> dict[str, object]:
    shown = {"call": exercise.call_shown(arguments)}
    inputs = exercise.not_shown(arguments)
    before = exercise.called_before(arguments)
    return shown | ({"inputs": inputs} if inputs else {}) | ({"before": before} if before else {})


def _choice(value: object) -> str:
    if isinstance(value, Real) and value == int(value):
        return str(int(value))
    return _number(value)


def _number(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, Real) else str(value)


def _own_line(error: BaseException) -> str:
    """The last line of the learner's own code that the error went through, if it is known."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        line = linecache.getline(file, number).strip()
        if line and not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE))):
            return f"{number}: {line}"
    return ""


def _error_text(error: BaseException) -> str:
    try:
        words = str(error)[:300]
    except BaseException:  # exit() too
        words = "…"
    return f"{type(error).__name__}: {words}"
