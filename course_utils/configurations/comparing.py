"""A comparison of two implementations of RoPE, near and far, and five broken ones to try it on."""

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
"""The distances to compare: the same position, the next one, a page and a chapter."""

BASE, FACTOR = 500_000.0, 8.0
"""The base of the model that ``right_scores`` stands for, and the factor that slows its pairs."""

Scores = Callable[..., ArrayLike]
"""A function of queries, keys and a distance; it returns a score for each query and its key.

If keys do not start at position 0, it gets the positions of the queries and of the keys.
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
    """Return how much the scores of two implementations differ at each distance.

    Both get the same random queries and keys. 0 means that they agree, and 1 that the differences
    are as large as the scores themselves.

    Args:
        right: a function of queries, keys and a distance. The first two have the shape
            ``(n, head_dim)``; the query is ``distance`` positions after its key, at position 0.
            If ``start`` is not 0, the function gets four arguments: queries, keys, the position of
            the queries and the position of the keys.
        other: the implementation to check, called in the same way.
        head_dim: the width of a head.
        positions: the distances to compare.
        start: the position of the keys. Faults of precision, or of a table that is too short, show
            between neighbours far from the beginning.
        seed: the seed of the random numbers.

    Returns:
        Shape ``(len(positions),)``: the mean absolute difference over the mean absolute score.

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
    """Return the scores of queries at a position with keys at another, usually 0.

    The pairs are halves, the base is 500,000, and all pairs are slowed by the factor 8.

    Example:
        >>> right_scores(np.ones((1, 4)), np.ones((1, 4)), 0)
        array([4.])
    """
    return _scores(queries, keys, position, key_position)


def scores_of(kind: LayerPositions, *, neighbours: bool = False) -> Scores:
    """Return the correct scores for a kind of layer with RoPE, to compare your own with.

    Args:
        kind: an entry of ``read_configuration(...).kinds``.
        neighbours: True if the pairs are neighbouring columns, False if they are halves. A
            configuration does not state this.

    Raises:
        ValueError: the layers do not use RoPE.

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
    """Return the scores, with both angles computed in the format ``dtype``."""
    frequencies = (angular_frequencies(queries.shape[1], base=base) / factor).astype(dtype)
    query_angles = (dtype(position + late) * frequencies).astype(np.float64)
    key_angles = (dtype(key_position) * frequencies).astype(np.float64)
    turned = _turned(queries, query_angles, neighbours)
    return (turned * _turned(keys, key_angles, neighbours)).sum(axis=1)


def _turned(vectors: NDArray, angles: NDArray, neighbours: bool) -> NDArray[np.float64]:
    """Turn the first columns of vectors, a pair for each angle, and leave the others."""
    first, second = _columns(2 * len(angles), neighbours)
    x, y = vectors[:, first], vectors[:, second]
    turned = np.array(vectors, dtype=np.float64)
    turned[:, first] = x * np.cos(angles) - y * np.sin(angles)
    turned[:, second] = x * np.sin(angles) + y * np.cos(angles)
    return turned


def _columns(head_dim: int, neighbours: bool) -> NDArray:
    """Return the columns of the first and the second numbers of all pairs."""
    columns = np.arange(head_dim)
    return columns.reshape(-1, 2).T if neighbours else columns.reshape(2, -1)


BROKEN: dict[str, Scores] = {
    "base": partial(_scores, base=10_000.0),
    "factor": partial(_scores, factor=1.0),
    "layout": partial(_scores, neighbours=True),
    "precision": partial(_scores, dtype=np.float16),
    "late": partial(_scores, late=1),
}
"""Another base, an ignored factor, the other layout, half precision, and a late query."""
