"""An error in what somebody else wrote: of what kind it is, in which line, and in whose words."""

import linecache
import re
import sysconfig
from pathlib import Path
from traceback import walk_tb

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


def kind_of(error: BaseException) -> str:
    """Which sentence explains it: one of the kinds above, or a special case of theirs."""
    if re.search(r": raise\b", own_line(error)) and not isinstance(error, NotImplementedError):
        return "own"
    if "negative integer powers" in _words_of(error):
        return "negative-power"
    names = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    return next(names, "other")


def own_line(error: BaseException) -> str:
    """The last line of the learner's own code that the error went through, if it is known."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        line = linecache.getline(file, number).strip()
        if line and not any(map(Path(file).is_relative_to, (*LIBRARIES, COURSE))):
            return f"{number}: {line}"
    return ""


def traceback_of(error: BaseException) -> str:
    """The learner's own line, if it is known, and below it Python's message."""
    return f"{own_line(error)}\n{type(error).__name__}: {_words_of(error)}".strip()


def _words_of(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except BaseException:  # exit() too
        return "…"
