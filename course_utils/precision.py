"""Low-precision numbers: how the number formats used by models affect positions and angles.

``number_format`` is ``float16``, ``bfloat16`` or ``float32``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .frequencies import exact_angles
from .refusals import one_of, real_array

__all__ = ["FORMATS", "largest_errors", "rounded_to"]

FORMATS = {"float16": (11, 15), "bfloat16": (8, 127), "float32": (24, 127)}
"""Number of binary digits and exponent of the largest numbers of each format, by name."""


def rounded_to(number_format: str, values: ArrayLike) -> NDArray[np.float64]:
    """Round to the nearest numbers of a format, as float64; ties go to the even number.

    ``values`` are real numbers of any shape; infinity and NaN are returned unchanged.

    Returns:
        The shape of ``values``; infinite where a value is too large for the format.

    Example:
        >>> rounded_to("bfloat16", [256, 257, 259])
        array([256., 256., 260.])
    """
    digits, largest_exponent = FORMATS[one_of("number_format", number_format, FORMATS)]
    values = real_array("values", values)
    # Near zero, the spacing of numbers stops shrinking because the exponent has a smallest value.
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
    """Return the largest errors of angles computed in a format, and of exact sines stored in it.

    An angle is the rounded product of a rounded position and a rounded frequency; a sine is
    computed from the exact angle and rounded once.

    Args:
        number_format: the format of angles and of stored sines.
        positions: whole numbers in ascending order, shape ``(n,)``, as ``exact_angles`` takes them.
        d_model: number of dimensions, even; the base is 10,000.

    Returns:
        Two arrays of shape ``(n,)``: for each position, the largest error so far of an angle, in
        radians up to half a turn, and of a sine. Values are NaN from the first angle that is too
        large for the format.

    Example:
        >>> of_angles, of_sines = largest_errors("float16", [1, 1000, 3001], 4)
        >>> of_angles.round(4), of_sines.round(4)
        (array([0., 0., 1.]), array([0.0002, 0.0002, 0.0002]))
    """
    exact = exact_angles(positions, d_model)
    i = rounded_to(number_format, positions)
    omega = rounded_to(number_format, angular_frequencies(d_model))
    with np.errstate(invalid="ignore"):  # infinity minus a number
        too_far = rounded_to(number_format, np.outer(i, omega)) - exact
        of_angles = np.abs(np.remainder(too_far + np.pi, 2 * np.pi) - np.pi)
    of_sines = np.abs(rounded_to(number_format, np.sin(exact)) - np.sin(exact))
    return (
        np.maximum.accumulate(of_angles.max(axis=1)),
        np.maximum.accumulate(of_sines.max(axis=1)),
    )
