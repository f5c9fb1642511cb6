"""Safe execution of readers' functions, with time limits and one-sentence error messages.

Explorers and labs run functions written by readers. ``watched`` captures their output and undoes
their changes to modules, and ``at_most`` stops them after a time limit. ``kind_of``, ``own_line``
and ``words_of`` describe an error and never raise one.
"""

from __future__ import annotations

import _thread
import builtins
import contextlib
import dis
import io
import linecache
import math
import re
import signal
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType, ModuleType
from typing import TypeVar

import numpy as np

from .words.text import Text, words

TEXTS = words(Path(__file__).with_suffix(".toml"))
"""Sentences about each kind of ``error``, and about functions that were stopped."""

MOST_PRINTED = 10_000
"""Maximum number of characters kept from a function's output."""

PATIENCE = 1.5
"""Ratio of the limit for elapsed time to the limit for processor time."""

BETWEEN_STOPS = 0.1
"""Seconds between two attempts to stop a function."""

MOST_QUOTED = 300
"""Maximum number of characters shown from an error message."""

Value = TypeVar("Value")

_stopped_at: list[tuple[CodeType, int]] = []
"""Code object and instruction offset at which a function was last stopped."""

COURSE = Path(__file__).parent
LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


class TooSlow(BaseException):
    """Exception raised when a time limit is reached.

    It is not a subclass of Exception, so a reader's ``except`` does not catch it.
    """


class AsksForInput(Exception):
    """Exception raised if a reader's function calls ``input()`` instead of using its arguments."""


ERROR_KINDS = (
    AsksForInput,
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
"""Exceptions that have their own sentence, with subclasses before their base classes."""

CAUSES = {
    "negative integer powers": "negative-power",
    "broadcast": "broadcast",
    "does not have enough dimensions": "product-with-number",
    "not aligned|mismatch in its core dimension": "product",
    "too many indices": "many-indices",
    "indices must be integers.*not tuple": "list-of-lists",
    "indices must be integers|only integers, slices|of integers|as an integer": "not-whole",
    "takes .*argument|missing .*required|unexpected keyword|multiple values for": "arguments",
    "object is not callable": "not-callable",
    "only (length-1|0-dimensional|integer scalar) arrays": "one-number",
    "inhomogeneous": "ragged",
    "array element with a sequence": "array-for-number",
    "truth value of an array": "truth-of-array",
    "math domain error|^expected a (non|pos|number in)": "no-value",  # second one: from Python 3.14
    "'NoneType'": "none",
    "unsupported operand.*'(list|range|tuple)'|multiply sequence by": "list-computed",
}
"""Causes of errors, keyed by regular expressions for messages of Python and NumPy."""


class Printed(io.StringIO):
    """A text stream that keeps only the beginning of its input."""

    room = MOST_PRINTED

    def write(self, text: str) -> int:
        if self.room > 0:
            super().write(text[: self.room])
            self.room -= len(text)
        return len(text)

    def close(self) -> None:
        """Do nothing, because the next call may also print."""


@contextmanager
def watched() -> Iterator[tuple[Printed, Printed]]:
    """Capture the output and the warnings of readers' functions.

    Changes that these functions make to NumPy and ``math`` are undone on exit. Calls to ``input()``
    raise an error.
    """
    printed, warned = Printed(), Printed()
    with (
        _as_before(np, math),
        np.errstate(),
        _without_input(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(warned),
    ):
        yield printed, warned


def at_most(seconds: float | None, function: Callable[[], Value]) -> Value:
    """Call a function and stop it after a time limit, even if it catches all errors.

    The limit applies to processor time, so that other processes on the machine do not matter. The
    limit for elapsed time, which stops functions that wait, is 50% longer. NumPy functions cannot
    be interrupted. On Windows, in the browser and outside the main thread, there is no limit, and
    only the Stop button interrupts the function.

    Raises:
        TooSlow: If the limit is reached.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not in_main_thread:
        return function()
    limits = {
        signal.SIGPROF: (signal.ITIMER_PROF, 1),
        signal.SIGALRM: (signal.ITIMER_REAL, PATIENCE),
    }
    before = {each: signal.signal(each, _stop) for each in limits}
    _stopped_at.clear()
    try:
        for timer, times in limits.values():
            signal.setitimer(timer, times * seconds, BETWEEN_STOPS)
        return _limited(function)
    finally:
        for each, (timer, _) in limits.items():
            signal.setitimer(timer, 0)
            signal.signal(each, before[each])


def _limited(function: Callable[[], Value]) -> Value:
    """Call a function, and thereby mark its stack frames as code that can be stopped."""
    return function()


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise TooSlow if a limited function is running, and again if the function catches the error.

    During a long call to a C function, several signals can accumulate. A signal that arrives after
    the limited function has returned must not have any effect.
    """
    if frame is None or frame.f_code is _stop.__code__ or not _is_limited(frame.f_back):
        return
    # Python 3.12 handles an error raised by a loop's last step inside the loop, so the same step
    # must not be stopped twice in succession.
    here = frame.f_code, frame.f_lasti
    again = here in _stopped_at
    _stopped_at[:] = [] if again else [here]
    # A function call would let Python handle the new signal here; a loop delays the signal.
    for _ in map(_thread.interrupt_main, [number]):
        if again:
            return
        raise TooSlow


def _is_limited(frame: FrameType | None) -> bool:
    """Return True if one of the frames belongs to a call to a limited function."""
    while frame is not None and frame.f_code is not _limited.__code__:
        frame = frame.f_back
    return frame is not None


@contextmanager
def _as_before(*modules: ModuleType) -> Iterator[None]:
    """Restore module functions that were replaced inside the context."""
    before = [dict(vars(module)) for module in modules]
    try:
        yield
    finally:
        for module, names in zip(modules, before, strict=True):
            vars(module).update(names)


@contextmanager
def _without_input() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise AsksForInput("input")

    asking = builtins.input
    builtins.input = refuse
    try:
        yield
    finally:
        builtins.input = asking


# Descriptions of errors --------------------------------------------------------------------------


def kind_of(error: BaseException) -> str:
    """Return the key of the sentence that names the cause or the kind of an error."""
    if _is_of_an_own_raise(error) and not isinstance(error, NotImplementedError):
        return "own"
    causes = (cause for pattern, cause in CAUSES.items() if re.search(pattern, words_of(error)))
    names = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    return next(causes, next(names, "other"))


def _is_of_an_own_raise(error: BaseException) -> bool:
    """Return True if the error was raised by ``raise`` or ``assert`` in the reader's own code."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not is_own(step.tb_frame.f_code.co_filename):
        return False
    return dis.opname[step.tb_frame.f_code.co_code[step.tb_lasti]] == "RAISE_VARARGS"


def own_line(error: BaseException) -> str:
    """Return the innermost line of the reader's own code in the traceback, or an empty string."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        line = "" if "\0" in file else linecache.getline(file, number).strip()
        if line and is_own(file):
            return f"{number}: {line}"
    return ""


@cache
def is_own(file: str) -> bool:
    """Return True if a file contains a reader's own code, such as a cell of a notebook."""
    return not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE)))


def line_and_words_of(error: BaseException) -> str:
    """Return the reader's own line, if known, followed by Python's message."""
    return f"{own_line(error)}\n{name_of(error)}: {words_of(error)}".strip()


def name_of(error: BaseException) -> str:
    """Return the name of the error's class."""
    try:
        return str(type(error).__name__)
    except BaseException:  # The reader's own class may not have a readable name.
        return "…"


def words_of(error: BaseException) -> str:
    """Return Python's message, shortened if it is long."""
    try:
        message = str(error)
    except BaseException:  # A reader's own error may have no readable message, or call exit().
        return "…"
    return message if len(message) <= MOST_QUOTED else message[: MOST_QUOTED - 1] + "…"


def sentence_on(kind: str) -> Text:
    """Return the sentence about an error for a key returned by :func:`kind_of`."""
    return TEXTS["error"][kind]
