"""Comparison of RoPE implementations, with five faulty implementations as examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..encodings import angular_frequencies
from ..refusals import whole_number
from .positions import LayerPositions

__all__ = ["BROKEN", "POSITIONS", "right_scores", "score_differences", "scores_of"]

POSITIONS = (0, 1, 100, 8_000)
"""Distances to compare: zero, one position, a page and a chapter."""

BASE, FACTOR = 500_000.0, 8.0
"""Base and interpolation factor of the model in ``right_scores``."""

Scores = Callable[..., ArrayLike]
"""Type of functions that return a score for each query and its key.

The arguments are queries, keys and a distance. If keys do not start at position 0, the positions of
queries and keys are passed instead of the distance.
"""


def score_differences(
    right: Scores,
    other: Scores,
    *,
    head_dim: int = 64,
    positions: Sequence[int] = POSITIONS,
    start: int = 0,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Measure the difference between the scores of two implementations at each distance.

    Both implementations receive the same random queries and keys. A result of 0 means that they
    agree, and a result of 1 means that the differences are as large as the scores.

    Args:
        right: Function of queries, keys and a distance. Queries and keys have the shape ``(n,
            head_dim)``. Each key is at position 0, and its query is ``distance`` positions later.
            If ``start`` is not 0, the function receives four arguments: queries, keys, the position
            of the queries and the position of the keys.
        other: Implementation to check, which is called in the same way.
        head_dim: Width of a head.
        positions: Distances to compare.
        start: Position of the keys. Insufficient precision, or a table that is too short, affects
            even neighbours if both are far from the beginning.
        seed: Seed of the random numbers.

    Returns:
        Mean absolute differences divided by the mean absolute score, with shape
        ``(len(positions),)``.

    Example:
        >>> score_differences(right_scores, BROKEN["factor"]).round(1)
        array([0. , 0.2, 0.8, 1.2])
        >>> score_differences(right_scores, BROKEN["precision"], start=16_000).round(2)[:3]
        array([0.  , 0.03, 0.14])
    """
    start = whole_number("start", start, lowest=0)
    shape = 2, 200, whole_number("head_dim", head_dim, lowest=2)
    queries, keys = np.random.default_rng(seed).normal(size=shape)
    differences = []
    for position in positions:
        places = (position + start, start) if start else (position,)
        expected = np.asarray(right(queries, keys, *places), dtype=np.float64)
        found = np.asarray(other(queries, keys, *places), dtype=np.float64)
        differences.append(np.abs(found - expected).mean() / np.abs(expected).mean())
    return np.array(differences)


def right_scores(
    queries: NDArray, keys: NDArray, position: int, key_position: int = 0
) -> NDArray[np.float64]:
    """Compute the scores of queries at one position and keys at another.

    The layout is halves, the base is 500,000, and all frequencies are divided by 8.

    Example:
        >>> right_scores(np.ones((1, 4)), np.ones((1, 4)), 0)
        array([4.])
    """
    return _scores(queries, keys, position, key_position)


def scores_of(kind: LayerPositions, *, neighbours: bool = False) -> Scores:
    """Return a function that computes the correct scores for a kind of layer with RoPE.

    Args:
        kind: Entry of ``read_configuration(...).kinds``.
        neighbours: True for the neighbours layout, False for the halves layout. Configurations do
            not state the layout.

    Raises:
        ValueError: If the layers do not use RoPE.

    Example:
        >>> from course_utils.configurations import released_model
        >>> (kind,) = released_model("llama-2-7b").positions().kinds
        >>> scores_of(kind)(np.ones((1, 128)), np.ones((1, 128)), 0)
        array([128.])
    """
    if kind.scheme != "rope":
        raise ValueError(f"kind must be a kind of layer with RoPE; got {kind.scheme!r}.")

    def scores(
        queries: NDArray, keys: NDArray, position: int, key_position: int = 0
    ) -> NDArray[np.float64]:
        distance = position - key_position
        found = _turned(queries, distance * kind.frequencies, neighbours) * keys
        return kind.attention_scaling**2 * found.sum(axis=1)

    return scores


def _scores(
    queries: NDArray,
    keys: NDArray,
    position: int,
    key_position: int = 0,
    *,
    base: float = BASE,
    factor: float = FACTOR,
    late: int = 0,
    neighbours: bool = False,
    dtype: type = np.float64,
) -> NDArray[np.float64]:
    """Compute scores from query angles and key angles in the format ``dtype``."""
    frequencies = (angular_frequencies(queries.shape[1], base=base) / factor).astype(dtype)
    query_angles = (dtype(position + late) * frequencies).astype(np.float64)
    key_angles = (dtype(key_position) * frequencies).astype(np.float64)
    turned = _turned(queries, query_angles, neighbours)
    return (turned * _turned(keys, key_angles, neighbours)).sum(axis=1)


def _turned(vectors: NDArray, angles: NDArray, neighbours: bool) -> NDArray[np.float64]:
    """Rotate the first pairs of columns, with one pair for each angle."""
    first, second = _columns(2 * len(angles), neighbours)
    x, y = vectors[:, first], vectors[:, second]
    turned = np.array(vectors, dtype=np.float64)
    turned[:, first] = x * np.cos(angles) - y * np.sin(angles)
    turned[:, second] = x * np.sin(angles) + y * np.cos(angles)
    return turned


def _columns(head_dim: int, neighbours: bool) -> NDArray:
    """Return the columns of each pair's first number, and the columns of its second number."""
    columns = np.arange(head_dim)
    return columns.reshape(-1, 2).T if neighbours else columns.reshape(2, -1)


BROKEN: dict[str, Scores] = {
    "base": partial(_scores, base=10_000.0),
    "factor": partial(_scores, factor=1.0),
    "layout": partial(_scores, neighbours=True),
    "precision": partial(_scores, dtype=np.float16),
    "late": partial(_scores, late=1),
}
"""Faulty implementations, keyed by the name of the error."""
