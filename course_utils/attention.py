"""Minimal attention in plain NumPy, and an attention head that is trained to look back.

The head receives only positions. Its input is a ``table`` of shape ``(n_positions, d_model)``, and
its only parameters are ``weights`` of shape ``(d_model, d_model)``. The head looks back by
``steps_back`` positions, where ``steps_back`` is an integer from 1 to ``n_positions - 1``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import sinusoidal_encoding
from .properties import position_table
from .refusals import finite_array, quoted, refuse_oversize, shaped_array, whole_number

__all__ = [
    "PositionalEncoding",
    "look_back_accuracy",
    "look_back_loss",
    "look_back_scores",
    "self_attention",
    "softmax",
    "train_look_back",
]

TIE = 1e-9
"""Relative difference below which two scores count as equal."""


def softmax(scores: ArrayLike) -> NDArray[np.float64]:
    """Convert scores to weights that sum to 1 in each row.

    Larger scores receive larger weights.

    Returns:
        Array with the same shape as ``scores``, ``(..., n_keys)``, and values from 0 to 1.

    Example:
        >>> softmax([0, np.log(3)])
        array([0.25, 0.75])
    """
    scores = finite_array("scores", scores)
    if scores.ndim == 0 or scores.shape[-1] == 0:
        raise ValueError(
            f"scores must have at least one number in each row; got shape {scores.shape}."
        )
    # Subtracting the largest score prevents overflow and does not change the weights.
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def self_attention(vectors: ArrayLike) -> NDArray[np.float64]:
    """Apply an attention head whose queries, keys and values are the vectors themselves.

    The result is ``softmax(X X^T / sqrt(d_model)) X``. Each row is a weighted mean of all rows of
    ``X``, in which similar rows have larger weights.

    Returns:
        Array with the same shape as ``vectors``, ``(n_words, d_model)``.

    Example:
        >>> self_attention([[0], [1]]).round(4)
        array([[0.5   ],
               [0.7311]])

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762, section 3.2.1.
    """
    vectors = shaped_array("vectors", vectors, "n_words", "d_model")
    n_words, d_model = vectors.shape
    refuse_oversize("vectors: n_words x n_words", n_words, n_words)
    return softmax(vectors @ vectors.T / np.sqrt(d_model)) @ vectors


class PositionalEncoding:
    """A layer that adds sinusoidal position vectors to at most ``max_length`` word vectors.

    Example:
        >>> add_positions = PositionalEncoding(max_length=10, d_model=4)
        >>> add_positions(np.zeros((2, 4))).round(2)
        array([[0.  , 1.  , 0.  , 1.  ],
               [0.84, 0.54, 0.01, 1.  ]])
    """

    def __init__(self, max_length: int, d_model: int, *, base: float = 10_000.0) -> None:
        max_length = whole_number("max_length", max_length)
        d_model = whole_number("d_model", d_model)
        refuse_oversize("max_length x d_model", max_length, d_model)
        self.table = sinusoidal_encoding(max_length, d_model, base=base)

    def __call__(self, word_vectors: ArrayLike) -> NDArray[np.float64]:
        """Return the sum of word vectors and position vectors, without modifying the input.

        Returns:
            Array with the same shape as ``word_vectors``, ``(..., n_words, d_model)``.
        """
        word_vectors = finite_array("word_vectors", word_vectors)
        max_length, d_model = self.table.shape
        if word_vectors.ndim < 2 or word_vectors.shape[-1] != d_model:
            raise ValueError(
                f"word_vectors must have the shape (..., n_words, {d_model}); got shape "
                f"{word_vectors.shape}."
            )
        n_words = word_vectors.shape[-2]
        if n_words > max_length:
            raise ValueError(
                f"word_vectors must have at most max_length = {max_length} words; got {n_words}."
            )
        return word_vectors + self.table[:n_words]


def look_back_scores(table: ArrayLike, weights: ArrayLike) -> NDArray[np.float64]:
    """Compute attention scores ``E W E^T`` from positions alone.

    Returns:
        Array of shape ``(n_positions, n_positions)``; row ``i`` contains the scores of query ``i``.

    Example:
        >>> look_back_scores([[0, 1], [1, 0]], [[0, 1], [1, 0]])
        array([[0., 1.],
               [1., 0.]])
    """
    table = _positions(table)
    return table @ _square(weights, table) @ table.T


def look_back_loss(
    weights: ArrayLike, table: ArrayLike, steps_back: int
) -> tuple[float, NDArray[np.float64]]:
    """Compute the loss and the gradient of a head that should look ``steps_back`` positions back.

    The loss is the mean of ``-log(attention to position i - steps_back)`` over all queries ``i``
    for which this position exists. It is a convex function of the weights.

    Returns:
        The loss, and its gradient as an array of shape ``(d_model, d_model)``.

    Example:
        >>> look_back_loss([[1e4]], [[1], [2], [3]], 1)
        (35000.0, array([[3.5]]))
    """
    table = _positions(table)
    steps_back = _steps_back(steps_back, table)
    return _loss_and_gradient(_square(weights, table), table, steps_back)


def train_look_back(
    table: ArrayLike, steps_back: int, *, n_steps: int = 300, start: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Train a head to look ``steps_back`` positions back, and return its matrix.

    The function minimises :func:`look_back_loss` by ``n_steps`` steps of gradient descent with
    momentum. The initial weights are ``start``, or zero by default. Training is deterministic.

    Returns:
        Array of shape ``(d_model, d_model)``.

    Example:
        >>> table = sinusoidal_encoding(64, 32)
        >>> look_back_accuracy(table, train_look_back(table, 3), 3)
        1.0

    Source:
        Nesterov, "A method for solving the convex programming problem with convergence rate
        O(1/k^2)" (1983), Soviet Mathematics Doklady 27, 372-376, for the momentum.
    """
    table = _positions(table)
    steps_back = _steps_back(steps_back, table)
    n_steps = whole_number("n_steps", n_steps)
    zero = np.zeros((table.shape[1], table.shape[1]))
    weights = ahead = zero if start is None else _square(start, table, "start")
    # The variable bend bounds the curvature of the loss in every direction. Dividing the gradient
    # by a smaller value could overshoot. Only the spread of the keys matters, because adding a
    # constant to all scores does not change the attention. If all keys are equal, their spread is
    # only a rounding error, so a tiny fraction of their size replaces it.
    size = np.linalg.norm(table, 2) ** 2
    spread = np.square(table - table.mean(axis=0)).sum(axis=1).max()
    bend = size * max(spread, 1e-9 * size) / (len(table) - steps_back)
    for step in range(n_steps):
        _, gradient = _loss_and_gradient(ahead, table, steps_back)
        before, weights = weights, ahead - gradient / max(bend, np.finfo(float).tiny)
        ahead = weights + step / (step + 3) * (weights - before)
    return weights


def look_back_accuracy(table: ArrayLike, weights: ArrayLike, steps_back: int) -> float:
    """Return the proportion of queries whose highest score is ``steps_back`` positions back.

    If ``m`` positions share the highest score, up to rounding, and one of them is correct, the
    query counts as ``1 / m``. This is the probability that a random choice among them is correct.
    The table may differ from the table used in training.

    Returns:
        Value from 0 to 1. The first ``steps_back`` queries, which cannot look back that far, are
        ignored.

    Example:
        >>> look_back_accuracy([[0, 1], [1, 0], [0, 1]], [[0, 1], [1, 0]], 1)
        0.75
    """
    scores = look_back_scores(table, weights)
    steps_back = _steps_back(steps_back, scores)
    queries = np.arange(steps_back, len(scores))
    highest = scores[queries].max(axis=1, keepdims=True)
    chosen = scores[queries] >= highest - TIE * (1 + np.abs(highest))
    right = chosen[np.arange(len(queries)), queries - steps_back]
    return float(np.mean(right / chosen.sum(axis=1)))


def _loss_and_gradient(weights: NDArray, table: NDArray, steps_back: int) -> tuple[float, NDArray]:
    queries, targets = table[steps_back:], np.arange(len(table) - steps_back)
    scores = queries @ weights @ table.T
    scores -= scores.max(axis=1, keepdims=True)
    attention = np.exp(scores)
    totals = attention.sum(axis=1, keepdims=True)
    loss = np.mean(np.log(totals[:, 0]) - scores[targets, targets])
    # d loss / d scores: the actual attention minus the intended attention.
    attention /= totals
    attention[targets, targets] -= 1
    return float(loss), queries.T @ attention @ table / len(queries)


def _positions(values: ArrayLike) -> NDArray[np.float64]:
    table = position_table(values)
    for name, size in zip(("n_positions", "d_model"), table.shape, strict=True):
        refuse_oversize(f"table: {name} x {name}", size, size)
    return table


def _square(weights: ArrayLike, table: NDArray, name: str = "weights") -> NDArray[np.float64]:
    return shaped_array(name, weights, table.shape[1], table.shape[1])


def _steps_back(steps_back: int, table: NDArray) -> int:
    steps_back = whole_number("steps_back", steps_back)
    if steps_back >= len(table):
        raise ValueError(
            f"steps_back must be at most {len(table) - 1} in a sequence of {len(table)} positions; "
            f"got {quoted(steps_back)}."
        )
    return steps_back
