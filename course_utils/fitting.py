"""Artificial attention scores, and a least-squares fit of waves to scores."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .refusals import finite_number, shaped_array, whole_number

__all__ = ["fit_waves", "smooth_scores"]


def smooth_scores(n_distances: int, seed: int = 0) -> NDArray[np.float64]:
    """Return a smooth random curve that represents scores learned in training.

    Returns:
        Array of shape ``(n_distances,)``; the largest absolute value is 1.

    Example:
        >>> smooth_scores(4).round(2)
        array([ 0.79,  0.25,  1.  , -0.81])
    """
    n_distances = whole_number("n_distances", n_distances, lowest=2)
    generator = np.random.default_rng(whole_number("seed", seed, lowest=0))
    heights = generator.uniform(-1, 1, 5)
    scores = np.polynomial.chebyshev.chebval(np.linspace(-1, 1, n_distances), heights)
    return scores / np.abs(scores).max()


def fit_waves(table: ArrayLike, scores: ArrayLike, penalty: float) -> NDArray[np.float64]:
    """Fit scores by a weighted sum of the columns of a table, using ridge regression.

    The table has shape ``(n_distances, d_model)`` and the scores have shape ``(n_distances,)``. The
    function minimises the squared error plus ``penalty`` times the sum of the squared weights.
    ``penalty`` must be positive.

    Returns:
        Weights of the columns, with shape ``(d_model,)``.

    Example:
        >>> fit_waves([[1, 0], [0, 1]], [3, 6], 0.5).round(2)
        array([2., 4.])
    """
    table = shaped_array("table", table, "n_distances", "d_model")
    scores = shaped_array("scores", scores, len(table))
    d_model = table.shape[1]
    small = math.sqrt(finite_number("penalty", penalty, above=0)) * np.eye(d_model)
    return np.linalg.lstsq(np.vstack([table, small]), np.append(scores, np.zeros(d_model)))[0]
