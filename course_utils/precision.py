"""Effects of low-precision number formats on positions and angles.

``number_format`` must be ``float16``, ``bfloat16`` or ``float32``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .frequencies import exact_angles
from .refusals import one_of, real_array

__all__ = ["FORMATS", "largest_errors", "rounded_to"]

FORMATS = {"float16": (11, 15), "bfloat16": (8, 127), "float32": (24, 127)}
"""Number of significant bits and largest exponent of each format."""


def rounded_to(number_format: str, values: ArrayLike) -> NDArray[np.float64]:
    """Round values to a number format, with ties to even, and return them as float64.

    ``values`` can have any shape. Infinity and NaN are returned unchanged.

    Returns:
        Array with the same shape as ``values``. Values that are too large for the format become
        infinite.

    Example:
        >>> rounded_to("bfloat16", [256, 257, 259])
        array([256., 256., 260.])
    """
    digits, largest_exponent = FORMATS[one_of("number_format", number_format, FORMATS)]
    values = real_array("values", values)
    # Near zero, the spacing of numbers is constant because the exponent has a minimum.
    exponent = np.maximum(np.frexp(values)[1] - 1, 1 - largest_exponent)
    steps = exponent - (digits - 1)
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -steps)), steps)
    largest = np.ldexp(2.0 - 2.0 ** (1 - digits), largest_exponent)
    rounded = np.where(np.abs(rounded) > largest, np.copysign(np.inf, values), rounded)
    return np.where(np.isfinite(values), rounded, values)


def largest_errors(
    number_format: str, positions: ArrayLike, d_model: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest errors of angles computed in a format and of sines stored in it.

    Angles are computed as the rounded product of a rounded position and a rounded frequency. Sines
    are computed from exact angles and rounded once.

    Args:
        number_format: Format of the angles and of the stored sines.
        positions: Increasing integers with shape ``(n,)``, as in ``exact_angles``.
        d_model: Number of dimensions, which must be even. The base is 10,000.

    Returns:
        Two arrays of shape ``(n,)`` with running maxima of the errors of angles (in radians, at
        most half a turn) and of sines. Values are NaN from the first angle that is too large for
        the format.

    Example:
        >>> of_angles, of_sines = largest_errors("float16", [1, 1000, 3001], 4)
        >>> of_angles.round(4), of_sines.round(4)
        (array([0., 0., 1.]), array([0.0002, 0.0002, 0.0002]))
    """
    exact = exact_angles(positions, d_model)
    i = rounded_to(number_format, positions)
    omega = rounded_to(number_format, angular_frequencies(d_model))
    with np.errstate(invalid="ignore"):  # for the remainder of infinity
        too_far = rounded_to(number_format, np.outer(i, omega)) - exact
        of_angles = np.abs(np.remainder(too_far + np.pi, 2 * np.pi) - np.pi)
    of_sines = np.abs(rounded_to(number_format, np.sin(exact)) - np.sin(exact))
    return (
        np.maximum.accumulate(of_angles.max(axis=1)),
        np.maximum.accumulate(of_sines.max(axis=1)),
    )
