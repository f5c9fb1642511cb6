"""Run a reader's own function safely: with a time limit, and its error in one sentence.

Explorers and labs run what a reader wrote. ``watched`` keeps what it prints and undoes what it
changes, ``at_most`` ends it after some seconds. ``kind_of``, ``own_line`` and ``words_of`` say what
an error was, and never raise.
"""

from __future__ import annotations

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import FrameType, ModuleType

import numpy as np

from ..words.text import Text, words

SAID = words(Path(__file__).with_suffix(".toml"))
"""A sentence for each kind of ``error``, and what is said of a function that was stopped."""

MOST_PRINTED = 10_000
"""Characters of what a function prints that are kept."""

PATIENCE = 1.5
"""How many times as long by the clock as of the processor a function may take."""

BETWEEN_STOPS = 0.1
"""Seconds from one attempt to stop a function to the next."""

MOST_QUOTED = 300
"""Characters of an error's own words that are shown."""

COURSE = Path(__file__).parents[1]
LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


class TooSlow(BaseException):
    """A limit was reached. No Exception, so that the reader's own ``except`` does not catch it."""


class AsksForInput(Exception):
    """A reader's function calls ``input()``. What it needs comes as arguments."""


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
"""The kinds of errors with a sentence of their own, each before its base classes."""

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
"""What Python and NumPy say, and the cause behind it."""


class Printed(io.StringIO):
    """The beginning of what is printed; a function that prints for ever fills no memory."""

    room = MOST_PRINTED

    def write(self, text: str) -> int:
        if self.room > 0:
            super().write(text[: self.room])
            self.room -= len(text)
        return len(text)

    def close(self) -> None:
        """Stay open: the next call may print too."""


@contextmanager
def watched() -> Iterator[tuple[Printed, Printed]]:
    """A context in which a reader's functions may run; it gives what is printed and warned of.

    What they change in NumPy and ``math`` is as it was afterwards, and ``input()`` is refused.
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


@contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """A context that is left by an error after some seconds of work, raised until it is heeded.

    Seconds of the processor, so that nothing is too slow because the machine does other things;
    what waits is stopped after half as many again by the clock. As always, a running function of
    NumPy comes to its end first. On Windows, in a kernel in the browser and outside the main thread
    there is the Stop button alone, as without a limit.

    Raises:
        TooSlow: the limit was reached.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not in_main_thread:
        yield
        return

    def stop(_: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code.co_filename != __file__:  # else it is being left already
            raise TooSlow

    limits = {
        signal.SIGPROF: (signal.ITIMER_PROF, 1),
        signal.SIGALRM: (signal.ITIMER_REAL, PATIENCE),
    }
    before = {each: signal.signal(each, stop) for each in limits}
    for timer, times in limits.values():
        signal.setitimer(timer, times * seconds, BETWEEN_STOPS)
    try:
        yield
    finally:
        for each, (timer, _) in limits.items():
            signal.setitimer(timer, 0)
            signal.signal(each, before[each])


@contextmanager
def _as_before(*modules: ModuleType) -> Iterator[None]:
    """Whatever is put in the place of a module's functions is taken back."""
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


# What an error was -------------------------------------------------------------------------------


def kind_of(error: BaseException) -> str:
    """The key of the sentence that explains an error: of its cause if known, else of its kind."""
    if _is_of_an_own_raise(error) and not isinstance(error, NotImplementedError):
        return "own"
    causes = (cause for said, cause in CAUSES.items() if re.search(said, words_of(error)))
    names = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    return next(causes, next(names, "other"))


def _is_of_an_own_raise(error: BaseException) -> bool:
    """Whether the error began with a ``raise`` or ``assert`` in the reader's own code."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not _is_own(step.tb_frame.f_code.co_filename):
        return False
    return dis.opname[step.tb_frame.f_code.co_code[step.tb_lasti]] == "RAISE_VARARGS"


def own_line(error: BaseException) -> str:
    """The last line of the learner's own code that the error went through, if it is known."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        line = "" if "\0" in file else linecache.getline(file, number).strip()
        if line and _is_own(file):
            return f"{number}: {line}"
    return ""


def _is_own(file: str) -> bool:
    return not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE)))


def line_and_words_of(error: BaseException) -> str:
    """The learner's own line, if it is known, and below it Python's message."""
    return f"{own_line(error)}\n{name_of(error)}: {words_of(error)}".strip()


def name_of(error: BaseException) -> str:
    """The name of its class."""
    try:
        return str(type(error).__name__)
    except BaseException:  # a class of the reader's own may fail to say how it is called
        return "…"


def words_of(error: BaseException) -> str:
    """Python's message, cut where it is long."""
    try:
        said = str(error)
    except BaseException:  # an error of the reader's own may fail to say what it is; exit() too
        return "…"
    return said if len(said) <= MOST_QUOTED else said[: MOST_QUOTED - 1] + "…"


def sentence_on(kind: str) -> Text:
    """The sentence on an error, by the key that :func:`kind_of` gives."""
    return SAID["error"][kind]
