"""Absolute positional encodings as tables: a row for each position, a column for each dimension.

``n_positions`` and ``d_model`` are whole numbers of at least 1; ``d_model`` is even where sines and
cosines come in pairs. ``base`` is a finite number above 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .refusals import finite_array, finite_number, quoted, refuse_oversize, whole_number

__all__ = [
    "angular_frequencies",
    "binary_encoding",
    "dot_product_by_offset",
    "index_encoding",
    "normalized_encoding",
    "shift_matrix",
    "sinusoidal_encoding",
]

LONGEST_BY_FORMULA = 32
"""Positions up to which the sinusoidal table is computed number by number."""


def index_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position itself, in every dimension: ``p[i, j] = i``.

    Returns:
        Table of shape ``(n_positions, d_model)``, values from 0 to ``n_positions - 1``.

    Example:
        >>> index_encoding(3, 2)
        array([[0., 0.],
               [1., 1.],
               [2., 2.]])
    """
    n_positions, d_model = _table_shape(n_positions, d_model)
    table = _empty_table(n_positions, d_model)
    table[:] = np.arange(n_positions)[:, np.newaxis]
    return table


def normalized_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position as a share of the sequence: ``p[i, j] = i / (n_positions - 1)``.

    A sequence of one position has no share to speak of; its only row is 0.

    Returns:
        Table of shape ``(n_positions, d_model)``, values from 0 to 1.

    Example:
        >>> normalized_encoding(5, 1).ravel()
        array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    table = index_encoding(n_positions, d_model)
    table /= max(len(table) - 1, 1)
    return table


def binary_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position in base two, least significant bit in column 0.

    Returns:
        Table of shape ``(n_positions, d_model)`` of zeros and ones; ``n_positions`` is at most
        ``2**d_model``.

    Example:
        >>> binary_encoding(50, 6)[23]
        array([1., 1., 1., 0., 1., 0.])
    """
    n_positions, d_model = _table_shape(n_positions, d_model)
    if (n_positions - 1).bit_length() > d_model:
        raise ValueError(
            f"n_positions must be at most {2**d_model}, because d_model = {d_model} bits can write "
            f"no more numbers than that; got {n_positions}."
        )
    table = _empty_table(n_positions, d_model)
    positions = np.arange(n_positions)
    for bit in range(d_model):
        # Table sizes stop long before bit 62, and shifting an int64 by 64 or more is undefined.
        table[:, bit] = (positions >> min(bit, 62)) & 1
    return table


def angular_frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """The angle, in radians, by which each pair of dimensions turns from one position to the next.

    ``w_k = base ** (-2 k / d_model)`` for ``k = 0 ... d_model / 2 - 1``: the first is 1, the others
    fall geometrically.

    Returns:
        Shape ``(d_model // 2,)``, radians per position.

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
    """Sines and cosines of the position, one pair of columns for each angular frequency.

    ``PE[p, 2k] = sin(p w_k)`` and ``PE[p, 2k + 1] = cos(p w_k)``, with ``w_k`` from
    :func:`angular_frequencies`, which names the source.

    A table of more than ``LONGEST_BY_FORMULA`` positions holds the same numbers, computed faster.

    Returns:
        Table of shape ``(n_positions, d_model)``, values in [-1, 1], in the ``dtype`` asked for:
        float16, float32 or float64.

    Example:
        >>> sinusoidal_encoding(24, 6)[23].round(4)
        array([-0.8462, -0.5328,  0.876 ,  0.4823,  0.0495,  0.9988])
    """
    n_positions, d_model = _table_shape(n_positions, d_model)
    frequencies = angular_frequencies(d_model, base=base)
    table = _empty_table(n_positions, d_model, _float_dtype(dtype))
    if n_positions <= LONGEST_BY_FORMULA:
        angles = np.outer(np.arange(n_positions), frequencies)
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles)
    else:
        _fill_by_turning(table, frequencies)
    return table


def shift_matrix(offset: float, d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """The linear map that moves every position by ``offset``, back where it is negative.

    ``PE[p + offset] == shift_matrix(offset, d_model) @ PE[p]``: on the diagonal stands one 2 x 2
    rotation for each pair of dimensions, by ``offset * w_k`` radians.

    Returns:
        Shape ``(d_model, d_model)``.

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
    """The dot product of two sinusoidal vectors that are ``offset`` positions apart.

    Because ``sin a sin b + cos a cos b = cos(a - b)``, it is the sum of ``cos(offset * w_k)`` over
    the pairs, and depends on nothing but the offset.

    Returns:
        One dot product for each offset, in the shape of ``offsets``, whatever that is.

    Example:
        >>> dot_product_by_offset([0, 10, -10], 512).round(2)
        array([256.  , 173.79, 173.79])
    """
    offsets = finite_array("offsets", offsets)
    frequencies = angular_frequencies(d_model, base=base)
    refuse_oversize("offsets x d_model / 2", offsets.size, len(frequencies))
    return np.cos(offsets[..., np.newaxis] * frequencies).sum(axis=-1)


def _fill_by_turning(table: NDArray[np.floating], frequencies: NDArray[np.float64]) -> None:
    """Write the sinusoidal encoding of ``0 ... len(table) - 1`` into a table of any float dtype.

    Sines are taken for one block of positions only. Every later block is the first one turned by
    the angle of its start, in double precision, rounded to the table's dtype at the end: faster
    than a float64 sine for each number, and without the lost digits of float32 angles.
    """
    if table.dtype == np.float16:  # which has no complex numbers
        in_float64 = np.empty(table.shape)
        _fill_by_turning(in_float64, frequencies)
        table[:] = in_float64
    else:
        _fill_pairs_by_turning(table.view(np.result_type(table, np.complex64)), frequencies)


def _fill_pairs_by_turning(
    pairs: NDArray[np.complexfloating], frequencies: NDArray[np.float64]
) -> None:
    """Write ``sin + i cos``, a pair of columns in one complex number, into each row and column."""
    n_positions, n_pairs = pairs.shape
    # At most 256 KiB of complex numbers, which a small second-level cache holds beside the rest.
    length = max(min(LONGEST_BY_FORMULA, 2**14 // n_pairs), 2)
    angles = np.outer(np.arange(min(length, n_positions)), frequencies)
    block = np.sin(angles) + 1j * np.cos(angles)
    if n_positions <= length:
        pairs[:] = block
        return
    # The starts of the blocks are positions too, ``length`` times as far apart.
    turns = np.empty((-(-n_positions // length), n_pairs), np.complex128)
    _fill_pairs_by_turning(turns, length * frequencies)
    turns *= -1j
    n_whole, n_left = divmod(n_positions, length)
    whole_blocks = pairs[: n_whole * length].reshape(n_whole, length, n_pairs)
    np.multiply(block, turns[:n_whole, np.newaxis], out=whole_blocks, casting="same_kind")
    if n_left:
        np.multiply(block[:n_left], turns[-1], out=pairs[-n_left:], casting="same_kind")


def _table_shape(n_positions: int, d_model: int) -> tuple[int, int]:
    n_positions = whole_number("n_positions", n_positions)
    d_model = whole_number("d_model", d_model)
    refuse_oversize("n_positions x d_model", n_positions, d_model)
    return n_positions, d_model


def _float_dtype(dtype: DTypeLike) -> np.dtype:
    try:
        chosen = None if dtype is None else np.dtype(dtype)  # NumPy takes None for float64.
    except (TypeError, ValueError):
        chosen = None
    floats = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
    if chosen is None or chosen not in floats:
        raise TypeError(f"dtype must be float16, float32 or float64; got {quoted(dtype)}.")
    return chosen


def _empty_table(n_positions: int, d_model: int, dtype: DTypeLike = np.float64) -> NDArray:
    try:
        return np.empty((n_positions, d_model), dtype)
    except MemoryError:
        raise ValueError(
            f"n_positions x d_model = {n_positions} x {d_model} does not fit in the memory of "
            "this computer; choose a smaller table."
        ) from None
