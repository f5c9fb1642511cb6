"""What exercises of several labs have in common: the formula, and wrong answers made of it.

The words of a misconception stand beside the first lab that has it.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..exercise import Answer


def waves(
    positions: ArrayLike, frequencies: NDArray, sine: Callable = np.sin, cosine: Callable = np.cos
) -> NDArray[np.float64]:
    """A row for each position and a column for each frequency: sines and cosines in turn."""
    angles = np.outer(positions, frequencies)
    return np.where(np.arange(len(frequencies)) % 2, cosine(angles), sine(angles))


def of_columns(d_model: int, base: float = 10_000.0) -> NDArray[np.float64]:
    """The right frequency of each column: that of its pair."""
    columns = np.arange(d_model)
    return base ** (-(columns - columns % 2) / d_model)


def rows(positions: ArrayLike, d_model: int, base: float = 10_000.0) -> NDArray[np.float64]:
    """The rows of any positions in the sinusoidal table."""
    return waves(positions, of_columns(d_model, base))


def slowest(d_model: int, base: float) -> float:
    """The frequency of the slowest hand."""
    return base ** (-(d_model - 2) / d_model)


def ratios_read_off(*ratios: float) -> list[float]:
    """Each of these, exact or as it may be read off a print."""
    printed = (round(ratio, digits) for ratio in ratios for digits in (2, 3, 4, 5))
    return [ratio for ratio in dict.fromkeys((*ratios, *printed)) if ratio]


def rounded_or_not(number: Answer, *rounded: Callable[[float], float]) -> list[Answer]:
    """A wrong number as it is, and rounded, in these ways or to the nearest whole number."""
    changes = (float, *(rounded or (round,)))
    return [lambda *given, change=change: change(number(*given)) for change in changes]
