"""Absolute positional encodings as tables with one row per position and one column per dimension.

``n_positions`` and ``d_model`` must be positive integers. ``d_model`` must be even for encodings
that pair sines with cosines. ``base`` must be finite and greater than 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .refusals import (
    empty_table,
    finite_array,
    finite_number,
    float_dtype,
    quoted,
    refuse_oversize,
    table_shape,
    whole_number,
)

__all__ = [
    "angular_frequencies",
    "binary_encoding",
    "dot_product_by_offset",
    "index_encoding",
    "normalized_encoding",
    "shift_matrix",
    "sinusoidal_encoding",
]


def index_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return a table in which every dimension contains the position: ``p[i, j] = i``.

    Returns:
        Table of shape ``(n_positions, d_model)`` with values from 0 to ``n_positions - 1``.

    Example:
        >>> index_encoding(3, 2)
        array([[0., 0.],
               [1., 1.],
               [2., 2.]])
    """
    n_positions, d_model = table_shape(n_positions, d_model)
    table = empty_table(n_positions, d_model)
    table[:] = np.arange(n_positions)[:, np.newaxis]
    return table


def normalized_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return positions divided by the last position: ``p[i, j] = i / (n_positions - 1)``.

    If there is only one position, its row is 0.

    Returns:
        Table of shape ``(n_positions, d_model)`` with values from 0 to 1.

    Example:
        >>> normalized_encoding(5, 1).ravel()
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    table = index_encoding(n_positions, d_model)
    table /= max(len(table) - 1, 1)
    return table


def binary_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return the binary digits of each position, with the least significant bit in column 0.

    Returns:
        Table of zeros and ones with shape ``(n_positions, d_model)``. ``n_positions`` must not
        exceed ``2**d_model``.

    Example:
        >>> binary_encoding(50, 6)[23]
        array([1., 1., 1., 0., 1., 0.])
    """
    n_positions, d_model = table_shape(n_positions, d_model)
    if (n_positions - 1).bit_length() > d_model:
        raise ValueError(
            f"n_positions must be at most {2**d_model}, because d_model = {d_model} bits "
            f"represent no more positions; got {n_positions}."
        )
    table = empty_table(n_positions, d_model)
    positions = np.arange(n_positions)
    for bit in range(d_model):
        # No table is large enough to need bit 62, and shifting an int64 by 64 bits or more is
        # undefined.
        table[:, bit] = (positions >> min(bit, 62)) & 1
    return table


def angular_frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the angular frequency of each pair of dimensions, in radians per position.

    The frequencies are ``w_k = base ** (-2 k / d_model)`` for ``k = 0, ..., d_model / 2 - 1``. They
    decrease geometrically from 1.

    Returns:
        Array of shape ``(d_model // 2,)``.

    Example:
        >>> angular_frequencies(4)
        array([1.  , 0.01])

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762, section 3.5.
    """
    d_model = whole_number("d_model", d_model)
    if d_model % 2:
        raise ValueError(
            f"d_model must be even, because sines and cosines come in pairs; got {quoted(d_model)}."
        )
    refuse_oversize("d_model", d_model)
    base = finite_number("base", base, above=1)
    return base ** (-np.arange(0, d_model, 2) / d_model)


def sinusoidal_encoding(
    n_positions: int, d_model: int, *, base: float = 10_000.0, dtype: DTypeLike = np.float64
) -> NDArray[np.floating]:
    """Return sines and cosines of each position, with two columns for each angular frequency.

    The table is ``PE[p, 2k] = sin(p w_k)`` and ``PE[p, 2k + 1] = cos(p w_k)``. The frequencies
    ``w_k`` are computed by :func:`angular_frequencies`, which cites the source.

    Returns:
        Table of shape ``(n_positions, d_model)`` with values in [-1, 1]. Its ``dtype`` can be
        float16, float32 or float64.

    Example:
        >>> sinusoidal_encoding(24, 6)[23].round(4)
        array([-0.8462, -0.5328,  0.876 ,  0.4823,  0.0495,  0.9988])
    """
    n_positions, d_model = table_shape(n_positions, d_model)
    frequencies = angular_frequencies(d_model, base=base)
    table = empty_table(n_positions, d_model, float_dtype(dtype))
    angles = np.outer(np.arange(n_positions), frequencies)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def shift_matrix(offset: float, d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the matrix that shifts every position by ``offset``, which may be negative.

    The matrix satisfies ``PE[p + offset] == shift_matrix(offset, d_model) @ PE[p]``. It is block
    diagonal, with a 2 x 2 rotation by ``offset * w_k`` radians for each pair of dimensions.

    Returns:
        Array of shape ``(d_model, d_model)``.

    Example:
        >>> table = sinusoidal_encoding(50, 8)
        >>> np.allclose(shift_matrix(10, 8) @ table[23], table[33])
        True

    Source:
        Vaswani et al. (2017), arXiv:1706.03762, section 3.5, which states that the map exists.
    """
    offset = finite_number("offset", offset)
    angles = offset * angular_frequencies(d_model, base=base)
    d_model = 2 * len(angles)
    refuse_oversize("d_model x d_model", d_model, d_model)
    matrix = np.zeros((d_model, d_model))
    sine_rows = np.arange(0, d_model, 2)
    cosine_rows = sine_rows + 1
    matrix[sine_rows, sine_rows] = matrix[cosine_rows, cosine_rows] = np.cos(angles)
    matrix[sine_rows, cosine_rows] = np.sin(angles)
    matrix[cosine_rows, sine_rows] = -np.sin(angles)
    return matrix


def dot_product_by_offset(
    offsets: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return the dot product of two sinusoidal vectors that are ``offset`` positions apart.

    Because ``sin a sin b + cos a cos b = cos(a - b)``, the dot product is the sum of ``cos(offset *
    w_k)`` over all pairs. It depends only on the offset.

    Returns:
        Array of dot products with the same shape as ``offsets``.

    Example:
        >>> dot_product_by_offset([0, 10, -10], 512).round(2)
        array([256.  , 173.79, 173.79])
    """
    offsets = finite_array("offsets", offsets)
    frequencies = angular_frequencies(d_model, base=base)
    refuse_oversize("offsets x d_model / 2", offsets.size, len(frequencies))
    return np.cos(offsets[..., np.newaxis] * frequencies).sum(axis=-1)
