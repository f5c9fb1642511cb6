"""Safe runs of a reader's own encoding, with a table or a sentence about the error."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...refusals import quoted
from ...sandbox import TEXTS as SANDBOX_TEXTS
from ...sandbox import TooSlow, at_most, name_of, watched, words_of
from ...words.text import Text, words

TEXTS = words(Path(__file__).with_suffix(".toml"))
SECONDS = 2
"""Seconds after which an explorer stops a reader's function."""


def try_encoding(
    encoding: Callable[[int, int], object], n_positions: int, d_model: int
) -> tuple[NDArray[np.float64] | None, Text | None]:
    """Return a function's table, or a sentence about its error instead of raising the error."""

    def read() -> NDArray[np.float64] | Text:
        given = encoding(n_positions, d_model)
        if _is_real(given):
            return np.array(given, dtype=np.float64)
        return TEXTS["not-numbers"].format(given=quoted(given))

    try:
        with watched():
            table = at_most(SECONDS, read)
    except TooSlow:
        return None, SANDBOX_TEXTS["slow"].format(seconds=SECONDS, n_positions=n_positions)
    except KeyboardInterrupt:
        return None, SANDBOX_TEXTS["stopped"]
    except BaseException as error:  # also catches exit(): the page has to continue
        return None, SANDBOX_TEXTS["raised"].format(kind=name_of(error), message=words_of(error))
    if isinstance(table, Text):
        return None, table
    if table.shape != (n_positions, d_model):
        shape = {"n_positions": n_positions, "d_model": d_model}
        return None, TEXTS["shape"].format(**shape, given=table.shape)
    if not np.isfinite(table).all():
        i, j = np.argwhere(~np.isfinite(table))[0]
        return None, TEXTS["not-finite"].format(i=i, j=j, given=table[i, j])
    return table, None


def _is_real(given: object) -> bool:
    """Return True if a value consists of real numbers, unlike an array of objects or text."""
    try:
        return np.asarray(given).dtype.kind in "buif"
    except ValueError:  # rows of different lengths
        return False
