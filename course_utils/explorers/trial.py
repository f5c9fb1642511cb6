"""A reader's own encoding, run with care: a table, or one sentence about what went wrong."""

import contextlib
import io
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..words.text import Text, words

SAID = words(Path(__file__).with_name("trial.toml"))
SECONDS = 2
MOST_QUOTED = 120
"""Characters of somebody else's text that are shown."""


class _TooSlow(BaseException):
    """No Exception, so that the reader's own ``except`` does not catch it."""


def try_encoding(
    encoding: Callable[[int, int], object], n_positions: int, d_model: int
) -> tuple[NDArray[np.float64] | None, Text | None]:
    """The table that a function gives, or else what went wrong in one sentence. Never raises."""
    try:
        with _at_most(SECONDS), contextlib.redirect_stdout(io.StringIO()):
            given = encoding(n_positions, d_model)
            table = np.array(given, dtype=np.float64) if _is_real(given) else None
            if table is None:
                return None, SAID["not-numbers"].format(given=_quoted(repr(given)))
    except _TooSlow:
        return None, SAID["slow"].format(seconds=SECONDS, n_positions=n_positions)
    except KeyboardInterrupt:
        return None, SAID["stopped"]
    except BaseException as error:  # exit() too: the page has to go on.
        return None, SAID["raised"].format(kind=type(error).__name__, message=_message(error))
    if table.shape != (n_positions, d_model):
        shape = {"n_positions": n_positions, "d_model": d_model}
        return None, SAID["shape"].format(**shape, given=table.shape)
    if not np.isfinite(table).all():
        i, j = np.argwhere(~np.isfinite(table))[0]
        return None, SAID["not-finite"].format(i=i, j=j, given=table[i, j])
    return table, None


def _is_real(given: object) -> bool:
    """Whether it is made of real numbers; an array that holds objects or text is not."""
    try:
        return np.asarray(given).dtype.kind in "buif"
    except ValueError:  # rows of different lengths
        return False


@contextlib.contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Stop what runs too long. Windows and a kernel in the browser have the Stop button instead."""
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _message(error: BaseException) -> str:
    try:
        return _quoted(str(error))
    except BaseException:  # An error of the reader's own may fail to say what it is.
        return "?"


def _quoted(said: str) -> str:
    return said if len(said) <= MOST_QUOTED else said[: MOST_QUOTED - 1] + "…"
