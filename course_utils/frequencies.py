"""Frequencies of sinusoidal encodings, and the effects of different choices.

``frequencies`` are angular frequencies in radians per position, with shape ``(n_pairs,)``.
``n_positions``, ``d_model`` and ``base`` are defined as in ``encodings``, except that ``d_model``
must always be even.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .refusals import finite_array, quoted, refuse_oversize, shaped_array, whole_number

__all__ = [
    "arithmetic_encoding",
    "arithmetic_frequencies",
    "exact_angles",
    "normalized_dot_product",
    "wave_encoding",
    "wavelengths",
]


def arithmetic_frequencies(d_model: int) -> NDArray[np.float64]:
    """Return angular frequencies that decrease linearly from 1: ``w_k = 1 - k / (d_model / 2)``.

    Returns:
        Array of shape ``(d_model // 2,)``, in radians per position. The last value is ``2 /
        d_model``.

    Example:
        >>> arithmetic_frequencies(8)
        array([1.  , 0.75, 0.5 , 0.25])
    """
    n_pairs = len(angular_frequencies(d_model))
    return np.arange(n_pairs, 0, -1) / n_pairs


def wave_encoding(n_positions: int, frequencies: ArrayLike) -> NDArray[np.float64]:
    """Return sines and cosines of each position for the given angular frequencies.

    Returns:
        Table of shape ``(n_positions, 2 * n_pairs)``, with ``sin(p w_k)`` in column ``2k`` and
        ``cos(p w_k)`` in column ``2k + 1``.

    Example:
        >>> wave_encoding(2, [1, 0.5]).round(2)
        array([[0.  , 1.  , 0.  , 1.  ],
               [0.84, 0.54, 0.48, 0.88]])
    """
    n_positions = whole_number("n_positions", n_positions)
    frequencies = shaped_array("frequencies", frequencies, "n_pairs")
    refuse_oversize("n_positions x 2 n_pairs", n_positions, 2 * len(frequencies))
    angles = np.outer(np.arange(n_positions), frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)


def arithmetic_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return sines and cosines of each position for linearly spaced frequencies.

    Example:
        >>> arithmetic_encoding(24, 4)[23].round(4)
        array([-0.8462, -0.5328, -0.8755,  0.4833])
    """
    return wave_encoding(n_positions, arithmetic_frequencies(d_model))


def wavelengths(frequencies: ArrayLike) -> NDArray[np.float64]:
    """Return the wavelengths ``2 pi / w_k`` in positions.

    Frequencies must not be 0.

    Example:
        >>> wavelengths([1, 0.01]).round(2)
        array([  6.28, 628.32])
    """
    frequencies = shaped_array("frequencies", frequencies, "n_pairs")
    if (frequencies == 0).any():
        raise ValueError(
            "frequencies must not contain 0, because this wave never repeats; got "
            f"{quoted(frequencies)}."
        )
    return 2 * np.pi / frequencies


def normalized_dot_product(offsets: ArrayLike, frequencies: ArrayLike) -> NDArray[np.float64]:
    """Return dot products of position vectors, scaled so that the value at offset 0 is 1.

    The result is the mean of ``cos(offset * w_k)`` over all pairs. It is 1 only for equal vectors.

    Returns:
        Array of values from -1 to 1, with the same shape as ``offsets``.

    Example:
        >>> normalized_dot_product([0, 201], arithmetic_frequencies(64)).round(4)
        array([1.    , 0.9993])
    """
    offsets = finite_array("offsets", offsets)
    frequencies = shaped_array("frequencies", frequencies, "n_pairs")
    refuse_oversize("offsets x n_pairs", offsets.size, len(frequencies))
    angles = offsets[..., np.newaxis] * frequencies
    return np.cos(angles, out=angles).mean(axis=-1)


def exact_angles(
    positions: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return the angles ``p w_k`` modulo ``2 pi``, computed with 50 decimal digits.

    The result is correct to the last bit. This function is slow and is intended for measuring the
    errors of faster code. ``positions`` must be integers from ``-10**12`` to ``10**12``, with shape
    ``(n,)``.

    Returns:
        Array of shape ``(n, d_model // 2)``, in radians from ``-pi`` to ``pi``.

    Example:
        >>> exact_angles([1, 1000], 4).round(4)
        array([[ 1.    ,  0.01  ],
               [ 0.9735, -2.5664]])
    """
    positions = finite_array("positions", positions)
    if positions.ndim != 1 or (positions % 1).any() or (np.abs(positions) > 1e12).any():
        raise ValueError(
            "positions must be one row of whole numbers from -10**12 to 10**12; got "
            f"{quoted(positions)}."
        )
    n_pairs = len(angular_frequencies(d_model, base=base))
    refuse_oversize("positions x d_model / 2", len(positions), n_pairs)
    with localcontext(prec=50):
        turn = 2 * Decimal("3.14159265358979323846264338327950288419716939937510582")
        base_digits = Decimal(float(base))
        frequencies = [base_digits ** (Decimal(-2 * k) / d_model) for k in range(n_pairs)]
        angles = [Decimal(int(p)) * w for p in positions for w in frequencies]
        remainders = [float(angle.remainder_near(turn)) for angle in angles]
    return np.array(remainders).reshape(len(positions), n_pairs)
