"""Numbers with few digits: what the number formats of models do to positions and angles.

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
"""By name: how many binary digits a format keeps, and the exponent of its largest numbers."""


def rounded_to(number_format: str, values: ArrayLike) -> NDArray[np.float64]:
    """The nearest numbers that a format has, as float64; of two equally near, the even one.

    ``values`` are real numbers, of any shape; infinity and NaN stay what they are.

    Returns:
        The shape of ``values``; infinite where the format has no number that large.

    Example:
        >>> rounded_to("bfloat16", [256, 257, 259])
        array([256., 256., 260.])
    """
    digits, largest_exponent = FORMATS[one_of("number_format", number_format, FORMATS)]
    values = real_array("values", values)
    # Near zero, numbers stop getting closer to each other: the exponent has a smallest value.
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
    """The largest errors of angles computed in a format, and of exact sines stored in it.

    An angle is the rounded product of a rounded position and a rounded frequency; a sine is that of
    the exact angle, rounded once.

    Args:
        number_format: the format of angles and of stored sines.
        positions: whole numbers in ascending order, shape ``(n,)``, as ``exact_angles`` takes them.
        d_model: number of dimensions, even; the base is 10,000.

    Returns:
        The largest error of an angle, in radians up to half a turn, and of a sine, among the
        positions up to each: two arrays of shape ``(n,)``. NaN from the first angle on that is too
        large for the format.

    Example:
        >>> of_angles, of_sines = largest_errors("float16", [1, 1000, 3001], 4)
        >>> of_angles.round(4), of_sines.round(4)
        (array([0., 0., 1.]), array([0.0002, 0.0002, 0.0002]))
    """
    exact = exact_angles(positions, d_model)
    i = rounded_to(number_format, positions)
    omega = rounded_to(number_format, angular_frequencies(d_model))
    with np.errstate(invalid="ignore"):  # an infinite angle less a finite one, and its remainder
        too_far = rounded_to(number_format, np.outer(i, omega)) - exact
        of_angles = np.abs(np.remainder(too_far + np.pi, 2 * np.pi) - np.pi)
    of_sines = np.abs(rounded_to(number_format, np.sin(exact)) - np.sin(exact))
    return (
        np.maximum.accumulate(of_angles.max(axis=1)),
        np.maximum.accumulate(of_sines.max(axis=1)),
    )
