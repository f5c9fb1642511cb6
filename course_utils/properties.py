"""What can be measured about a table of positional encodings, whatever formula made it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Encoding",
    "cosine_similarity",
    "dot_products_at_distance",
    "flips_per_step",
    "largest_change",
    "largest_step_share",
    "smallest_distance",
    "word_share",
]

Encoding = Callable[[int, int], NDArray[np.floating]]
"""A function from ``(n_positions, d_model)`` to a table of that shape."""


def smallest_distance(table: ArrayLike) -> float:
    """The Euclidean distance between the two most similar rows; 0 when two rows are equal.

    Args:
        table: shape ``(n_positions, d_model)``, at least two rows.

    Raises:
        TypeError: the table does not hold numbers.
        ValueError: it is not a table of finite numbers with at least two rows.
    """
    table = _table(table)
    nearest = np.inf
    for position in range(len(table) - 1):
        distances = np.linalg.norm(table[position + 1 :] - table[position], axis=1)
        nearest = min(nearest, distances.min())
    return float(nearest)


def largest_step_share(table: ArrayLike) -> float:
    """The largest step between neighbours, as a share of the largest distance in the table.

    A smooth encoding walks: its steps are small next to where it gets to. At 1 it crosses the
    whole table in a single step. A table whose rows are all equal takes no step; its share is 0.

    Args:
        table: shape ``(n_positions, d_model)``, at least two rows.

    Raises:
        TypeError: the table does not hold numbers.
        ValueError: it is not a table of finite numbers with at least two rows.
    """
    table = _table(table)
    largest_step = np.linalg.norm(np.diff(table, axis=0), axis=1).max()
    largest_distance = max(np.linalg.norm(table - row, axis=1).max() for row in table)
    return float(largest_step / largest_distance) if largest_distance > 0 else 0.0


def largest_change(encoding: Encoding, n_positions: int, longer: int, d_model: int) -> float:
    """By how much the first ``n_positions`` rows change when the sequence gets longer.

    Args:
        encoding: function from ``(n_positions, d_model)`` to a table.
        n_positions: length of the shorter sequence.
        longer: length of the longer sequence.
        d_model: number of dimensions.

    Returns:
        The largest absolute difference between the two tables; 0 when a position has the same
        vector in both.

    Raises:
        ValueError: ``longer`` is below ``n_positions``, or the encoding refuses a length.
    """
    if longer < n_positions:
        raise ValueError(f"longer must be at least n_positions = {n_positions}; got {longer}.")
    return float(
        np.abs(encoding(longer, d_model)[:n_positions] - encoding(n_positions, d_model)).max()
    )


def dot_products_at_distance(table: ArrayLike, distance: int) -> NDArray[np.float64]:
    """The dot product of every position with the one ``distance`` further on.

    Args:
        table: shape ``(n_positions, d_model)``, at least two rows.
        distance: whole number from 0 to ``n_positions - 1``.

    Returns:
        Shape ``(n_positions - distance,)``; entry ``i`` belongs to the pair ``(i, i + distance)``.

    Raises:
        TypeError: the table does not hold numbers, or ``distance`` is not a whole number.
        ValueError: it is not a table of finite numbers with at least two rows, or no pair is
            that far apart.
    """
    table = _table(table)
    if isinstance(distance, (bool, np.bool_)) or not isinstance(distance, (int, np.integer)):
        raise TypeError(f"distance must be a whole number; got {distance!r}.")
    if not 0 <= distance < len(table):
        raise ValueError(
            f"distance must be from 0 to {len(table) - 1} in a table of {len(table)} positions; "
            f"got {distance}."
        )
    return np.einsum("ij,ij->i", table[: len(table) - distance], table[distance:])


def flips_per_step(table: ArrayLike) -> NDArray[np.int64]:
    """How many dimensions differ between each position and the one before it.

    Args:
        table: shape ``(n_positions, d_model)``, at least two rows.

    Returns:
        Shape ``(n_positions - 1,)``; entry ``i`` counts the changes from position ``i`` to
        ``i + 1``.

    Raises:
        TypeError: the table does not hold numbers.
        ValueError: it is not a table of finite numbers with at least two rows.
    """
    return np.count_nonzero(np.diff(_table(table), axis=0), axis=1)


def cosine_similarity(first: ArrayLike, second: ArrayLike) -> float:
    """The cosine of the angle between two vectors: 1 for the same direction, 0 for a right angle.

    Args:
        first: shape ``(d_model,)``, not all zero.
        second: shape ``(d_model,)``, not all zero.

    Raises:
        ValueError: the shapes differ, or a vector is zero or not finite.
    """
    first, second = _same_length_vectors(first, second)
    lengths = np.linalg.norm(first) * np.linalg.norm(second)
    if not lengths > 0:
        raise ValueError("first and second must not be zero vectors: they have no direction.")
    return float(first @ second / lengths)


def word_share(word: ArrayLike, position: ArrayLike) -> float:
    """The word's part in ``word + position``: its length over the sum of the two lengths.

    Args:
        word: word vector, shape ``(d_model,)``.
        position: positional encoding of its place, shape ``(d_model,)``.

    Returns:
        From 0 (nothing of the word is left) to 1 (nothing was added).

    Raises:
        ValueError: the shapes differ, a vector is not finite, or both are zero.
    """
    word, position = _same_length_vectors(word, position)
    word_length, position_length = np.linalg.norm(word), np.linalg.norm(position)
    if word_length + position_length == 0:
        raise ValueError("word and position must not both be zero vectors.")
    return float(word_length / (word_length + position_length))


def _table(values: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"table must hold real numbers; got an array of {array.dtype}.")
    if array.ndim != 2 or len(array) < 2 or array.shape[1] == 0:
        raise ValueError(
            "table must have the shape (n_positions, d_model) with at least two positions and one "
            f"dimension; got shape {array.shape}."
        )
    if not np.isfinite(array).all():
        raise ValueError("table must hold finite numbers only; got NaN or infinity in it.")
    return array.astype(np.float64, copy=False)


def _same_length_vectors(
    first: ArrayLike, second: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    vectors = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if vectors[0].ndim != 1 or vectors[0].shape != vectors[1].shape or vectors[0].size == 0:
        raise ValueError(
            "the two vectors must have the same shape (d_model,); got "
            f"{vectors[0].shape} and {vectors[1].shape}."
        )
    if not (np.isfinite(vectors[0]).all() and np.isfinite(vectors[1]).all()):
        raise ValueError("the two vectors must hold finite numbers only; got NaN or infinity.")
    return vectors
