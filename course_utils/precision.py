"""Numbers with few digits: what is left of a number in the formats that models compute in."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .refusals import quoted

__all__ = ["FORMATS", "rounded_to"]

FORMATS = {"float16": (11, 15), "bfloat16": (8, 127), "float32": (24, 127)}
"""By name: how many binary digits a format keeps, and the exponent of its largest numbers."""


def rounded_to(number_format: str, values: ArrayLike) -> NDArray[np.float64]:
    """The nearest numbers that a format has, as float64; of two equally near, the even one.

    Args:
        number_format: ``float16``, ``bfloat16`` or ``float32``.
        values: real numbers, any shape; infinity and NaN stay what they are.

    Returns:
        The shape of ``values``; infinite where the format has no number that large.

    Raises:
        TypeError, ValueError: an argument is not as above.

    Example:
        >>> rounded_to("bfloat16", [256, 257, 259])
        array([256., 256., 260.])
    """
    if not isinstance(number_format, str) or number_format not in FORMATS:
        raise ValueError(
            f"number_format must be one of {', '.join(FORMATS)}; got {quoted(number_format)}."
        )
    values = _real_array(values)
    digits, largest_exponent = FORMATS[number_format]
    # Near zero, numbers stop getting closer to each other: the exponent has a smallest value.
    exponent = np.maximum(np.frexp(values)[1] - 1, 1 - largest_exponent)
    steps = exponent - (digits - 1)
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -steps)), steps)
    largest = np.ldexp(2.0 - 2.0 ** (1 - digits), largest_exponent)
    rounded = np.where(np.abs(rounded) > largest, np.copysign(np.inf, values), rounded)
    return np.where(np.isfinite(values), rounded, values)


def _real_array(values: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.size and array.dtype.kind not in "iuf":
        raise TypeError(f"values must hold real numbers in a regular shape; got {quoted(values)}.")
    return array.astype(np.float64)
