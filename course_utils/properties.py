"""Properties that can be measured in any table of positional encodings.

A ``table`` has the shape ``(n_positions, d_model)`` and at least two rows.
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
"""A function from ``(n_positions, d_model)`` to a table with this shape."""


def smallest_distance(table: ArrayLike) -> float:
    """Return the Euclidean distance between the two most similar rows; 0 if two rows are equal.

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
    """Return the largest step between neighbours as a share of the largest distance in the table.

    The steps of a smooth encoding are small compared with the distance they cover in total. At 1, a
    single step crosses the whole table. If all rows are equal, the share is 0.

    Example:
        >>> largest_step_share([[0], [1], [2], [4]])
        0.5
    """
    table = position_table(table)
    largest_step = np.linalg.norm(np.diff(table, axis=0), axis=1).max()
    largest_distance = max(np.linalg.norm(table - row, axis=1).max() for row in table)
    return float(largest_step / largest_distance) if largest_distance > 0 else 0.0


def largest_change(encoding: Encoding, n_positions: int, longer: int, d_model: int) -> float:
    """Return the largest change in the first ``n_positions`` rows when the sequence gets longer.

    Returns:
        The largest absolute difference from the table with ``longer`` rows, where ``longer`` is at
        least ``n_positions``; 0 if every position has the same vector in both.

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
    """Return the dot products of all pairs of positions that are ``distance`` apart.

    Returns:
        Shape ``(n_positions - distance,)``, not empty; entry ``i`` is for ``(i, i + distance)``.

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
    """Count the dimensions that differ between each position and the previous position.

    Returns:
        Shape ``(n_positions - 1,)``; entry ``i`` is for the step from position ``i`` to ``i + 1``.

    Example:
        >>> from course_utils.encodings import binary_encoding
        >>> flips_per_step(binary_encoding(8, 3))
        array([1, 2, 1, 3, 1, 2, 1])
    """
    return np.count_nonzero(np.diff(position_table(table), axis=0), axis=1)


def cosine_similarity(first: ArrayLike, second: ArrayLike) -> float:
    """Return the cosine of the angle between two vectors: 1 for equal directions, 0 if orthogonal.

    Both have the shape ``(d_model,)`` and are not all zero.

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
    """Return the word's share in ``word + position``: its norm over the sum of the two norms.

    Both have the shape ``(d_model,)`` and are not both zero.

    Returns:
        From 0 (nothing of the word is left) to 1 (nothing was added).

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
    """Return the values as a table of at least two positions, or raise an error of one sentence."""
    table = shaped_array("table", values, "n_positions", "d_model")
    if len(table) < 2:
        raise ValueError(f"table must have at least two positions; got shape {table.shape}.")
    return table
