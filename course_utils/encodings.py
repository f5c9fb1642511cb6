"""Absolute positional encodings as tables: a row for each position, a column for each dimension."""

from __future__ import annotations

import math
import operator
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = [
    "angular_frequencies",
    "binary_encoding",
    "dot_product_by_offset",
    "index_encoding",
    "normalized_encoding",
    "shift_matrix",
    "sinusoidal_encoding",
]

LARGEST_TABLE = 2**30
"""The most numbers a table may hold: 8 GiB of float64."""

BLOCK_LENGTH = 128
"""Positions whose sines are computed; the rest of a sinusoidal table is rotated from them."""


def index_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position itself, in every dimension: ``p[i, j] = i``.

    Args:
        n_positions: number of positions, at least 1.
        d_model: number of dimensions, at least 1.

    Returns:
        Table of shape ``(n_positions, d_model)``, values from 0 to ``n_positions - 1``.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, or the table would not fit in memory.
    """
    n_positions, d_model = _table_shape(n_positions, d_model)
    table = _empty_table(n_positions, d_model)
    table[:] = np.arange(n_positions)[:, np.newaxis]
    return table


def normalized_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position as a share of the sequence: ``p[i, j] = i / (n_positions - 1)``.

    A sequence of one position has no share to speak of; its only row is 0.

    Args:
        n_positions: number of positions, at least 1.
        d_model: number of dimensions, at least 1.

    Returns:
        Table of shape ``(n_positions, d_model)``, values from 0 to 1.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, or the table would not fit in memory.
    """
    table = index_encoding(n_positions, d_model)
    table /= max(len(table) - 1, 1)
    return table


def binary_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """The position in base two, least significant bit in column 0.

    Args:
        n_positions: number of positions, from 1 to ``2**d_model``.
        d_model: number of bits, at least 1.

    Returns:
        Table of shape ``(n_positions, d_model)`` of zeros and ones; row 23 of a table with
        6 columns is ``[1, 1, 1, 0, 1, 0]``.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1, a position does not fit in ``d_model`` bits, or the table
            would not fit in memory.
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

    Args:
        d_model: number of dimensions, even, at least 2.
        base: finite number above 1.

    Returns:
        Shape ``(d_model // 2,)``, radians per position.

    Raises:
        TypeError: ``d_model`` is not a whole number, or ``base`` not a number.
        ValueError: ``d_model`` is odd or below 2, or ``base`` is not finite and above 1.

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762, section 3.5.
    """
    d_model = _even_dimensions(d_model)
    base = _base(base)
    return base ** (-np.arange(0, d_model, 2) / d_model)


def sinusoidal_encoding(
    n_positions: int, d_model: int, *, base: float = 10_000.0, dtype: DTypeLike = np.float64
) -> NDArray[np.floating]:
    """Sines and cosines of the position, one pair of columns for each angular frequency.

    ``PE[p, 2k] = sin(p w_k)`` and ``PE[p, 2k + 1] = cos(p w_k)``, with ``w_k`` from
    :func:`angular_frequencies`.

    Sines are taken for one block of positions only. Every later block is the first one turned by
    the angle of its start: one complex multiplication a pair of numbers, in double precision,
    rounded to ``dtype`` once. In long tables that is faster than a float64 sine for each number,
    and it does not lose the angle's digits as float32 angles do.

    Args:
        n_positions: number of positions, at least 1.
        d_model: number of dimensions, even, at least 2.
        base: finite number above 1.
        dtype: float16, float32 or float64.

    Returns:
        Table of shape ``(n_positions, d_model)``, values in [-1, 1].

    Raises:
        TypeError: a size is not a whole number, ``base`` not a number, or ``dtype`` not one of
            the three.
        ValueError: a size is below 1, ``d_model`` is odd, ``base`` is not finite and above 1, or
            the table would not fit in memory.

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762, section 3.5.
    """
    n_positions, d_model = _table_shape(n_positions, d_model)
    frequencies = angular_frequencies(d_model, base=base)
    table = _empty_table(n_positions, d_model, _float_dtype(dtype))
    pairs = table.reshape(n_positions, d_model // 2, 2)

    first_block = _sine_cosine(np.arange(min(BLOCK_LENGTH, n_positions)), frequencies)
    block_starts = np.arange(0, n_positions, BLOCK_LENGTH)
    turns = np.exp(-1j * np.outer(block_starts, frequencies))
    turned = np.empty_like(first_block)
    for start, turn in zip(block_starts, turns, strict=True):
        block = pairs[start : start + BLOCK_LENGTH]
        np.multiply(first_block, turn, out=turned)
        block[:] = turned.view(np.float64).reshape(*turned.shape, 2)[: len(block)]
    return table


def shift_matrix(offset: float, d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """The linear map that moves every position by ``offset``, whatever the position is.

    ``PE[p + offset] == shift_matrix(offset, d_model) @ PE[p]``: on the diagonal stands one 2 x 2
    rotation for each pair of dimensions, by ``offset * w_k`` radians.

    Args:
        offset: finite number of positions, negative to move back.
        d_model: number of dimensions, even, at least 2.
        base: finite number above 1.

    Returns:
        Shape ``(d_model, d_model)``.

    Raises:
        TypeError: ``offset`` or ``base`` is not a number, or ``d_model`` not a whole number.
        ValueError: ``offset`` is not finite, ``d_model`` is odd or below 2, ``base`` is not finite
            and above 1, or the matrix would not fit in memory.

    Source:
        Vaswani et al. (2017), arXiv:1706.03762, section 3.5, which states that the map exists.
    """
    offset = finite_number("offset", offset)
    angles = offset * angular_frequencies(d_model, base=base)
    refuse_oversize(f"d_model x d_model = {d_model} x {d_model}", 2 * len(angles) * d_model)
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

    Args:
        offsets: finite numbers of positions, any shape.
        d_model: number of dimensions, even, at least 2.
        base: finite number above 1.

    Returns:
        One dot product for each offset, in the shape of ``offsets``.

    Raises:
        TypeError: ``offsets`` holds something that is not a number, ``d_model`` is not a whole
            number, or ``base`` not a number.
        ValueError: an offset is not finite, ``d_model`` is odd or below 2, ``base`` is not finite
            and above 1, or the cosines would not fit in memory.
    """
    offsets = finite_array("offsets", offsets)
    frequencies = angular_frequencies(d_model, base=base)
    refuse_oversize(
        f"offsets x d_model / 2 = {offsets.size} x {len(frequencies)}",
        offsets.size * len(frequencies),
    )
    return np.cos(offsets[..., np.newaxis] * frequencies).sum(axis=-1)


def _sine_cosine(positions: NDArray, frequencies: NDArray) -> NDArray[np.complex128]:
    """``sin + i cos`` for each position and frequency: a pair of columns in one complex number."""
    return 1j * np.exp(-1j * np.outer(positions, frequencies))


def _table_shape(n_positions: int, d_model: int) -> tuple[int, int]:
    n_positions = whole_number("n_positions", n_positions)
    d_model = whole_number("d_model", d_model)
    refuse_oversize(
        f"n_positions x d_model = {shown(n_positions)} x {shown(d_model)}", n_positions * d_model
    )
    return n_positions, d_model


def _even_dimensions(d_model: int) -> int:
    d_model = whole_number("d_model", d_model)
    if d_model % 2:
        raise ValueError(
            f"d_model must be even, because sines and cosines come in pairs; got {shown(d_model)}."
        )
    refuse_oversize(f"d_model = {shown(d_model)}", d_model)
    return d_model


def whole_number(name: str, value: int, *, lowest: int = 1) -> int:
    """The value as an int, or one sentence that says what the argument ``name`` must be."""
    sentence = f"{name} must be a whole number of at least {lowest}; got {shown(value)}."
    if isinstance(value, (bool, np.bool_, np.ndarray)):
        raise TypeError(sentence)
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(sentence) from None
    if number < lowest:
        raise ValueError(sentence)
    return number


def finite_number(name: str, value: float) -> float:
    """The value as a float, or one sentence that says what the argument ``name`` must be."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a finite number; got {shown(value)}.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number; got {shown(value)}.")
    return number


def _base(value: float) -> float:
    sentence = f"base must be a finite number above 1; got {shown(value)}."
    try:
        number = finite_number("base", value)
    except (TypeError, ValueError) as error:
        raise type(error)(sentence) from None
    if number <= 1:
        raise ValueError(sentence)
    return number


def finite_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """The values as float64, or one sentence that says what the argument ``name`` must hold."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise TypeError(
            f"{name} must hold real numbers in a regular shape; got {shown(values)}."
        ) from None
    if array.size and array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers; got {shown(values)}.")
    with np.errstate(over="ignore"):
        array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must hold finite numbers only; got {shown(values)}.")
    return array


def _float_dtype(dtype: DTypeLike) -> np.dtype:
    refusal = TypeError(f"dtype must be float16, float32 or float64; got {shown(dtype)}.")
    if dtype is None:  # which NumPy takes for float64
        raise refusal
    try:
        chosen = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):  # the last for "f4,,"
        raise refusal from None
    if chosen not in (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)):
        raise refusal
    return chosen


def refuse_oversize(product: str, size: int) -> None:
    """Say in one sentence that an array of ``size`` numbers is more than memory should hold."""
    if size > LARGEST_TABLE:
        raise ValueError(
            f"{product} is too large for memory; a table may hold at most 2**30 = "
            f"{LARGEST_TABLE} numbers."
        )


def _empty_table(n_positions: int, d_model: int, dtype: DTypeLike = np.float64) -> NDArray:
    try:
        return np.empty((n_positions, d_model), dtype)
    except MemoryError:
        raise ValueError(
            f"n_positions x d_model = {n_positions} x {d_model} does not fit in the memory of "
            "this computer; choose a smaller table."
        ) from None


def shown(value: object) -> str:
    """The value as an error message quotes it: on one line, and short."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes out no number of more than 4,300 digits.
        text = f"a {type(value).__name__} too long to write out"
    return text if len(text) <= 60 else f"{text[:57]}..."
