"""An error in what somebody else wrote: of what kind it is, in which line, and in whose words."""

import dis
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
"""What Python and NumPy say, and what it comes from."""

LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))
COURSE = Path(__file__).parent.parent


def kind_of(error: BaseException) -> str:
    """Which sentence explains it: that of a cause above, or else of a kind."""
    if _is_of_an_own_raise(error) and not isinstance(error, NotImplementedError):
        return "own"
    causes = (cause for said, cause in CAUSES.items() if re.search(said, _words_of(error)))
    names = (kind.__name__ for kind in ERROR_KINDS if isinstance(error, kind))
    return next(causes, next(names, "other"))


def _is_of_an_own_raise(error: BaseException) -> bool:
    """Whether a ``raise`` or ``assert`` outside of libraries and the course began it."""
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


def traceback_of(error: BaseException) -> str:
    """The learner's own line, if it is known, and below it Python's message."""
    return f"{own_line(error)}\n{type(error).__name__}: {_words_of(error)}".strip()


def _words_of(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except BaseException:  # exit() too
        return "…"
