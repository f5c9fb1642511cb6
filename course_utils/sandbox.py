"""Safe execution of a reader's function: with a time limit, and errors in one sentence.

Explorers and labs run functions that a reader wrote. ``watched`` keeps their output and undoes
their changes, and ``at_most`` stops them after some seconds. ``kind_of``, ``own_line`` and
``words_of`` describe an error and never raise.
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
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType, ModuleType
from typing import TypeVar

import numpy as np

from .words.text import Text, words

SAID = words(Path(__file__).with_suffix(".toml"))
"""A sentence for each kind of ``error``, and the sentences about a function that was stopped."""

MOST_PRINTED = 10_000
"""Number of characters of a function's output that are kept."""

PATIENCE = 1.5
"""Ratio of the limit in elapsed time to the limit in processor time."""

BETWEEN_STOPS = 0.1
"""Seconds between two attempts to stop a function."""

MOST_QUOTED = 300
"""Number of characters of an error message that are shown."""

Value = TypeVar("Value")

_stopped_at: list[tuple[CodeType, int]] = []
"""The step at which a function was last stopped: its code and the offset in it."""

COURSE = Path(__file__).parent
LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


class TooSlow(BaseException):
    """A limit was reached. It is not an Exception, so the reader's ``except`` cannot catch it."""


class AsksForInput(Exception):
    """A reader's function calls ``input()``, although its input comes as arguments."""


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
"""The kinds of errors with their own sentence, each before its base classes."""

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
    "math domain error|^expected a (non|pos|number in)": "no-value",  # the latter since Python 3.14
    "'NoneType'": "none",
    "unsupported operand.*'(list|range|tuple)'|multiply sequence by": "list-computed",
}
"""Messages of Python and NumPy, and the cause behind each."""


class Printed(io.StringIO):
    """The beginning of the output; endless printing does not fill the memory."""

    room = MOST_PRINTED

    def write(self, text: str) -> int:
        if self.room > 0:
            super().write(text[: self.room])
            self.room -= len(text)
        return len(text)

    def close(self) -> None:
        """Do nothing, since the next call may print too."""


@contextmanager
def watched() -> Iterator[tuple[Printed, Printed]]:
    """Yield what a reader's functions print and the warnings they raise.

    Changes that they make to NumPy and ``math`` are undone afterwards, and ``input()`` raises an
    error.
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
    """Call a function and stop it after some seconds of work, even if it catches every error.

    Processor time counts, so that other work on the machine does not make a function too slow; a
    function that waits is stopped after half as many seconds again of elapsed time. A running
    function of NumPy always finishes first. On Windows, in a kernel in the browser and outside the
    main thread there is no limit, only the Stop button.

    Raises:
        TooSlow: the limit was reached.
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
    """Call a function; only code that this call runs can be stopped."""
    return function()


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise an error if a limited function is running, and again when it has caught the error.

    A long call of a C function can outlast several signals, and the last of them arrives when the
    limited function has already been left. Such a signal must not do anything.
    """
    if frame is None or frame.f_code is _stop.__code__ or not _is_limited(frame.f_back):
        return
    # Python 3.12 catches an error from the last step of a loop in that loop, so the same step is
    # not stopped twice in succession.
    here = frame.f_code, frame.f_lasti
    again = here in _stopped_at
    _stopped_at[:] = [] if again else [here]
    # A call would let Python handle the new signal here; the loop makes it wait for the next one.
    for _ in map(_thread.interrupt_main, [number]):
        if again:
            return
        raise TooSlow


def _is_limited(frame: FrameType | None) -> bool:
    """Return True if one of the frames belongs to the call of a limited function."""
    while frame is not None and frame.f_code is not _limited.__code__:
        frame = frame.f_back
    return frame is not None


@contextmanager
def _as_before(*modules: ModuleType) -> Iterator[None]:
    """Undo replacements of a module's functions."""
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
    """Return the key of the sentence that explains an error, by its cause or else by its kind."""
    if _is_of_an_own_raise(error) and not isinstance(error, NotImplementedError):
        return "own"
    causes = (cause for said, cause in CAUSES.items() if re.search(said, words_of(error)))
    names = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    return next(causes, next(names, "other"))


def _is_of_an_own_raise(error: BaseException) -> bool:
    """Return True if the error began with ``raise`` or ``assert`` in the reader's own code."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not _is_own(step.tb_frame.f_code.co_filename):
        return False
    return dis.opname[step.tb_frame.f_code.co_code[step.tb_lasti]] == "RAISE_VARARGS"


def own_line(error: BaseException) -> str:
    """Return the last line of the learner's own code that the error passed through, if known."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        line = "" if "\0" in file else linecache.getline(file, number).strip()
        if line and _is_own(file):
            return f"{number}: {line}"
    return ""


def _is_own(file: str) -> bool:
    return not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE)))


def line_and_words_of(error: BaseException) -> str:
    """Return the learner's own line, if known, and Python's message below it."""
    return f"{own_line(error)}\n{name_of(error)}: {words_of(error)}".strip()


def name_of(error: BaseException) -> str:
    """Return the name of an error's class."""
    try:
        return str(type(error).__name__)
    except BaseException:  # a class of the reader's own may not have a readable name
        return "…"


def words_of(error: BaseException) -> str:
    """Return Python's message, shortened if it is long."""
    try:
        said = str(error)
    except BaseException:  # a reader's error or exit() may have no message
        return "…"
    return said if len(said) <= MOST_QUOTED else said[: MOST_QUOTED - 1] + "…"


def sentence_on(kind: str) -> Text:
    """Return the sentence about an error for a key returned by :func:`kind_of`."""
    return SAID["error"][kind]
