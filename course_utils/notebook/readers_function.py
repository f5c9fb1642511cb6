"""Run a reader's own function safely: with a time limit and Stop, and its error in one sentence.

Explorers and labs run what a reader wrote. ``watched`` keeps what it prints, ends it after some
seconds if there is a limit, and lets the Stop button through even where the reader's code catches
everything. ``kind_of``, ``own_line`` and ``words_of`` say what an error was, and never raise.
"""

from __future__ import annotations

import contextlib
import dis
import io
import linecache
import re
import signal
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile
from pathlib import Path
from traceback import walk_stack, walk_tb
from types import FrameType

from ..words.text import Text, words

SAID = words(Path(__file__).with_suffix(".toml"))
"""A sentence for each kind of ``error``, and what is said of a function that was stopped."""

MOST_PRINTED = 2_000
"""Characters of what a function prints that are kept."""

MOST_QUOTED = 300
"""Characters of an error's own words that are shown."""

COURSE = Path(__file__).parents[1]
LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))
TraceFunction = Callable[[FrameType, str, object], object]

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
    "math domain error": "no-value",
    "'NoneType'": "none",
    "unsupported operand.*'(list|range|tuple)'|multiply sequence by": "list-computed",
}
"""What Python and NumPy say, and the cause behind it."""


class TooSlow(BaseException):
    """A limit was reached. No Exception, so that the reader's own ``except`` does not catch it."""


class Printed(io.StringIO):
    """The beginning of what is printed; a function that prints for ever fills no memory."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, MOST_PRINTED - self.tell())])
        return len(text)

    def close(self) -> None:
        """Stay open: the next call may print too."""


@contextmanager
def watched(seconds: float | None = None) -> Iterator[tuple[Printed, Printed]]:
    """A context in which a reader's function may run; it gives what is printed and warned of.

    Args:
        seconds: after how long it is stopped, in seconds; None for a reader who waits or presses
            Stop. Windows and a kernel in the browser have the Stop button alone.

    Raises:
        TooSlow: the limit was reached.
    """
    printed, warned = Printed(), Printed()
    with (
        _at_most(seconds),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(warned),
        interrupts_caught_at_most_once(),
    ):
        yield printed, warned


@contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    has_timer = hasattr(signal, "setitimer") and _in_main_thread()
    if seconds is None or not has_timer:
        yield
        return

    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


# The Stop button ---------------------------------------------------------------------------------


@contextmanager
def interrupts_caught_at_most_once() -> Iterator[None]:
    """A context in which code that catches an interrupt gets it once more, in its next line.

    That ends every loop, unless the code that catches the interrupt catches its own next line as
    well. As always, a running function of NumPy comes to its end first.
    """
    if not _in_main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    traced_before = sys.gettrace()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.settrace(traced_before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    frames = dropwhile(_is_ours, (frame for frame, _ in walk_stack(frame)))
    for frame in takewhile(lambda frame: not _is_ours(frame), frames):
        frame.f_trace = _interrupt_again
    sys.settrace(lambda *called: None)  # without which no frame is traced
    raise KeyboardInterrupt


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of the course, and not the reader's."""
    return Path(frame.f_code.co_filename).is_relative_to(COURSE)


def _interrupt_again(frame: FrameType, event: str, argument: object) -> TraceFunction:
    if event == "line":
        raise KeyboardInterrupt
    return _interrupt_again


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
        line = linecache.getline(file, number).strip()
        if line and _is_own(file):
            return f"{number}: {line}"
    return ""


def _is_own(file: str) -> bool:
    return not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE)))


def line_and_words_of(error: BaseException) -> str:
    """The learner's own line, if it is known, and below it Python's message."""
    return f"{own_line(error)}\n{type(error).__name__}: {words_of(error)}".strip()


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
