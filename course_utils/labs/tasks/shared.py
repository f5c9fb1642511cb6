"""Code shared by several labs, such as the sinusoidal formula.

The texts of a shared misconception are in the file of the first lab that uses it.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exercise import Answer


def waves(
    positions: ArrayLike, frequencies: NDArray, sine: Callable = np.sin, cosine: Callable = np.cos
) -> NDArray[np.float64]:
    """Return alternating sines and cosines, with a row per position and a column per frequency."""
    angles = np.outer(positions, frequencies)
    return np.where(np.arange(len(frequencies)) % 2, cosine(angles), sine(angles))


def of_columns(d_model: int, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the correct frequency of each column."""
    columns = np.arange(d_model)
    return base ** (-(columns - columns % 2) / d_model)


def rows(positions: ArrayLike, d_model: int, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the rows of any positions in the sinusoidal table."""
    return waves(positions, of_columns(d_model, base))


@lru_cache(maxsize=32)
def _table(length: int, d_model: int, base: float) -> NDArray[np.float64]:
    return rows(range(length), d_model, base)


def nearest_in_table(row: NDArray, base: float, length: int) -> int:
    """Return the index of the table row that is nearest to the given row."""
    return (_table(length, len(row), base) @ row).argmax()


def slowest(d_model: int, base: float) -> float:
    """Return the frequency of the slowest hand."""
    return base ** (-(d_model - 2) / d_model)


def ratios_read_off(*ratios: float) -> list[float]:
    """Return the ratios, both exact and with the printed number of digits."""
    printed = (round(ratio, digits) for ratio in ratios for digits in (2, 3, 4, 5))
    return [ratio for ratio in dict.fromkeys((*ratios, *printed)) if ratio]


def rounded_or_not(number: Answer, *rounded: Callable[[float], float]) -> list[Answer]:
    """Return answers with a wrong number, both unchanged and rounded in several ways."""
    changes = (float, *(rounded or (round,)))
    return [lambda *given, change=change: change(number(*given)) for change in changes]


def in_half_precision(numbers: ArrayLike) -> NDArray[np.float64]:
    """Round numbers to float16."""
    return np.asarray(numbers, np.float16).astype(np.float64)


def in_bfloat16(numbers: ArrayLike) -> NDArray[np.float64]:
    """Round numbers to eight significant bits, as in bfloat16."""
    mantissas, exponents = np.frexp(numbers)
    return np.ldexp(np.round(mantissas * 2**8), exponents - 8)
