"""Self-attention in its smallest form, in plain NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import finite_array

__all__ = ["self_attention"]


def self_attention(vectors: ArrayLike) -> NDArray[np.float64]:
    """One attention head whose queries, keys and values are the vectors themselves.

    ``softmax(X X^T / sqrt(d_model)) X``: every row of the result is a weighted mean of all rows
    of ``X``, with more weight on the rows that resemble it.

    Args:
        vectors: shape ``(n_words, d_model)``.

    Returns:
        Shape ``(n_words, d_model)``.

    Raises:
        TypeError: ``vectors`` does not hold numbers.
        ValueError: ``vectors`` is not a table of finite numbers.

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762, section 3.2.1.
    """
    vectors = finite_array("vectors", vectors)
    if vectors.ndim != 2 or vectors.size == 0:
        raise ValueError(
            "vectors must have the shape (n_words, d_model) with at least one word and one "
            f"dimension; got shape {vectors.shape}."
        )
    scores = vectors @ vectors.T / np.sqrt(vectors.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ vectors
