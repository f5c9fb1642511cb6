"""Which waves a sinusoidal encoding is made of, and what their choice does."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .refusals import finite_array, quoted, refuse_oversize, whole_number

__all__ = [
    "arithmetic_encoding",
    "arithmetic_frequencies",
    "exact_angles",
    "normalized_dot_product",
    "wave_encoding",
    "wavelengths",
]


def arithmetic_frequencies(d_model: int) -> NDArray[np.float64]:
    """Angular frequencies in equal steps from 1 down: ``w_k = 1 - k / (d_model / 2)``.

    Args:
        d_model: number of dimensions, even, at least 2.

    Returns:
        Shape ``(d_model // 2,)``, radians per position; the last is ``2 / d_model``.

    Raises:
        TypeError: ``d_model`` is not a whole number.
        ValueError: ``d_model`` is odd or below 2.
    """
    n_pairs = len(angular_frequencies(d_model))
    return np.arange(n_pairs, 0, -1) / n_pairs


def wave_encoding(n_positions: int, frequencies: ArrayLike) -> NDArray[np.float64]:
    """Sines and cosines of the position for any angular frequencies.

    Args:
        n_positions: number of positions, at least 1.
        frequencies: shape ``(n_pairs,)``, radians per position.

    Returns:
        Shape ``(n_positions, 2 * n_pairs)``: ``sin(p w_k)`` in column ``2k``, ``cos(p w_k)`` in
        column ``2k + 1``.

    Raises:
        TypeError: ``n_positions`` is not a whole number, or a frequency not a number.
        ValueError: ``n_positions`` is below 1, ``frequencies`` is not one row of finite numbers,
            or the table would not fit in memory.
    """
    n_positions = whole_number("n_positions", n_positions)
    frequencies = _frequencies(frequencies)
    refuse_oversize("n_positions x 2 n_pairs", n_positions, 2 * len(frequencies))
    angles = np.outer(np.arange(n_positions), frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)


def arithmetic_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Sines and cosines whose frequencies are in equal steps.

    Args:
        n_positions: number of positions, at least 1.
        d_model: number of dimensions, even, at least 2.

    Returns:
        Table of shape ``(n_positions, d_model)``, values in [-1, 1].

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, ``d_model`` is odd, or the table would not fit in memory.
    """
    return wave_encoding(n_positions, arithmetic_frequencies(d_model))


def wavelengths(frequencies: ArrayLike) -> NDArray[np.float64]:
    """After how many positions each wave repeats: ``2 pi / w_k``.

    Args:
        frequencies: shape ``(n_pairs,)``, radians per position, none of them 0.

    Raises:
        TypeError: a frequency is not a number.
        ValueError: ``frequencies`` is not one row of finite numbers, or one of them is 0.
    """
    frequencies = _frequencies(frequencies)
    if (frequencies == 0).any():
        raise ValueError("frequencies must not be 0: such a wave never repeats.")
    return 2 * np.pi / frequencies


def normalized_dot_product(offsets: ArrayLike, frequencies: ArrayLike) -> NDArray[np.float64]:
    """The dot product of two positions over that of a position with itself.

    It is the mean of ``cos(offset * w_k)`` over the pairs: 1 for the same vector, and for no
    other.

    Args:
        offsets: finite numbers of positions, any shape.
        frequencies: shape ``(n_pairs,)``, radians per position.

    Returns:
        From -1 to 1, in the shape of ``offsets``.

    Raises:
        TypeError: an argument holds something that is not a number.
        ValueError: an argument is not finite, ``frequencies`` is not one row, or the cosines
            would not fit in memory.
    """
    offsets, frequencies = finite_array("offsets", offsets), _frequencies(frequencies)
    refuse_oversize("offsets x n_pairs", offsets.size, len(frequencies))
    return np.cos(offsets[..., np.newaxis] * frequencies).mean(axis=-1)


def exact_angles(
    positions: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """The angle ``p w_k`` less all whole turns, from 50 decimal digits: right to the last bit.

    It is slow, and there to measure the errors of faster code.

    Args:
        positions: whole numbers up to 10**12 either side of 0, shape ``(n,)``.
        d_model: number of dimensions, even, at least 2.
        base: finite number above 1.

    Returns:
        Shape ``(n, d_model // 2)``, radians from ``-pi`` to ``pi``.

    Raises:
        TypeError: a position is not a number, ``d_model`` is not a whole number, or ``base`` not
            a number.
        ValueError: the positions are not one row of whole numbers in that range, ``d_model`` is
            odd or below 2, ``base`` is not finite and above 1, or the angles would not fit in
            memory.
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
        return np.array(
            [
                [float((Decimal(int(p)) * w).remainder_near(turn)) for w in frequencies]
                for p in positions
            ]
        ).reshape(len(positions), n_pairs)


def _frequencies(values: ArrayLike) -> NDArray[np.float64]:
    frequencies = finite_array("frequencies", values)
    if frequencies.ndim != 1 or frequencies.size == 0:
        raise ValueError(
            f"frequencies must be one row of at least one number; got shape {frequencies.shape}."
        )
    return frequencies
