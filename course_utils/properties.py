"""Measurable properties of positional encoding tables.

A ``table`` must have the shape ``(n_positions, d_model)`` and at least two rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .refusals import quoted, shaped_array, whole_number

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
"""Type of functions that return a table for the arguments ``n_positions`` and ``d_model``."""


def smallest_distance(table: ArrayLike) -> float:
    """Return the smallest Euclidean distance between two rows.

    Example:
        >>> smallest_distance([[0, 0], [3, 4], [3, 0]])
        3.0
    """
    table = position_table(table)
    nearest = np.inf
    for position in range(len(table) - 1):
        distances = np.linalg.norm(table[position + 1 :] - table[position], axis=1)
        nearest = min(nearest, distances.min())
    return float(nearest)


def largest_step_share(table: ArrayLike) -> float:
    """Return the largest distance between adjacent rows, relative to the largest between any rows.

    The steps of a smooth encoding are small compared with the distance between its most distant
    rows. A result of 1 means that a single step covers that distance. If all rows are equal, the
    result is 0.

    Example:
        >>> largest_step_share([[0], [1], [2], [4]])
        0.5
    """
    table = position_table(table)
    largest_step = np.linalg.norm(np.diff(table, axis=0), axis=1).max()
    largest_distance = max(np.linalg.norm(table - row, axis=1).max() for row in table)
    return float(largest_step / largest_distance) if largest_distance > 0 else 0.0


def largest_change(encoding: Encoding, n_positions: int, longer: int, d_model: int) -> float:
    """Return the largest change in the first ``n_positions`` rows when a sequence becomes longer.

    Returns:
        Largest absolute difference between the table with ``n_positions`` rows and the first rows
        of the table with ``longer`` rows. ``longer`` must be at least ``n_positions``.

    Example:
        >>> from course_utils.encodings import index_encoding, normalized_encoding
        >>> largest_change(index_encoding, 5, 9, 4), largest_change(normalized_encoding, 5, 9, 4)
        (0.0, 0.5)
    """
    n_positions = whole_number("n_positions", n_positions)
    longer = whole_number("longer", longer)
    if longer < n_positions:
        raise ValueError(
            f"longer must be at least n_positions = {quoted(n_positions)}; got {quoted(longer)}."
        )
    beginning = encoding(longer, d_model)[:n_positions]
    return float(np.abs(beginning - encoding(n_positions, d_model)).max())


def dot_products_at_distance(table: ArrayLike, distance: int) -> NDArray[np.float64]:
    """Return the dot products of all pairs of positions at the given distance.

    Returns:
        Array of shape ``(n_positions - distance,)``; entry ``i`` is for positions ``i`` and ``i +
        distance``.

    Example:
        >>> dot_products_at_distance([[0, 0], [3, 4], [3, 0]], 1)
        array([0., 9.])
    """
    table = position_table(table)
    distance = whole_number("distance", distance, lowest=0)
    if distance >= len(table):
        raise ValueError(
            f"distance must be from 0 to {len(table) - 1} in a table of {len(table)} positions; "
            f"got {quoted(distance)}."
        )
    return np.einsum("ij,ij->i", table[: len(table) - distance], table[distance:])


def flips_per_step(table: ArrayLike) -> NDArray[np.int64]:
    """Count the dimensions that differ between each position and the next position.

    Returns:
        Array of shape ``(n_positions - 1,)``; entry ``i`` is for the step from position ``i`` to
        ``i + 1``.

    Example:
        >>> from course_utils.encodings import binary_encoding
        >>> flips_per_step(binary_encoding(8, 3))
        array([1, 2, 1, 3, 1, 2, 1])
    """
    return np.count_nonzero(np.diff(position_table(table), axis=0), axis=1)


def cosine_similarity(first: ArrayLike, second: ArrayLike) -> float:
    """Return the cosine of the angle between two vectors.

    Both vectors must have the shape ``(d_model,)`` and must not be zero. The result is 1 for
    vectors with the same direction and 0 for orthogonal vectors.

    Example:
        >>> cosine_similarity([1, 0], [0, 5])
        0.0
    """
    first = shaped_array("first", first, "d_model")
    second = shaped_array("second", second, len(first))
    lengths = math.hypot(*first), math.hypot(*second)
    if 0 in lengths:
        raise ValueError(
            "first and second must not be zero vectors, because these have no direction; got "
            f"{quoted(first)} and {quoted(second)}."
        )
    return float((first / lengths[0]) @ (second / lengths[1]))


def word_share(word: ArrayLike, position: ArrayLike) -> float:
    """Return a word vector's norm divided by the sum of its norm and the position vector's norm.

    Both vectors must have the shape ``(d_model,)``. They must not both be zero.

    Returns:
        Value from 0 (the word vector is zero) to 1 (the position vector is zero).

    Example:
        >>> word_share([3, 4], [0, 15])
        0.25
    """
    word = shaped_array("word", word, "d_model")
    position = shaped_array("position", position, len(word))
    word_length, position_length = math.hypot(*word), math.hypot(*position)
    if word_length + position_length == 0:
        raise ValueError(
            f"word and position must not both be zero vectors; got two of {len(word)} zeros."
        )
    return word_length / (word_length + position_length)


def position_table(values: ArrayLike) -> NDArray[np.float64]:
    """Check that values form a table with at least two positions, and return the table."""
    table = shaped_array("table", values, "n_positions", "d_model")
    if len(table) < 2:
        raise ValueError(f"table must have at least two positions; got shape {table.shape}.")
    return table
