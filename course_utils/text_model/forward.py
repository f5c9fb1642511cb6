"""The forward pass of the character model.

The model is a Transformer with two layers of four heads each. A LayerNorm without parameters
precedes each attention block and each feed-forward block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..attention import softmax
from ..encodings import angular_frequencies
from ..relative import alibi_bias, rotate
from ..stretching import stretched_frequencies, yarn_scale
from .characters import TRAINED_LENGTH, YARN_LIMITS
from .stored import header, weights

MASKED = -1e9
"""Score of a masked key, for which softmax returns exactly 0."""


class Turning(NamedTuple):
    """Settings of RoPE's rotation, as described in ``read``."""

    stretch: str | None
    factor: float
    held: list[int]
    limit: int


def forward(
    characters: NDArray[np.int64], encoding: str, start: int, window: int, rope: Turning
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Predict the next character after each of ``n`` characters, given as indices.

    Returns:
        The probabilities and the attention, as in :class:`Reading`.
    """
    matrix = weights(encoding)
    n, (_, d_model) = len(characters), matrix["characters"].shape
    positions = start + np.arange(n)
    steps_back = positions[:, np.newaxis] - positions

    # If the encoding is a table, the row of each position is added to the character's vector.
    x = matrix["characters"][characters] * np.sqrt(d_model)
    if encoding == "learned":
        x = x + matrix["positions"][positions]
    if encoding == "sinusoidal":
        angles = np.outer(positions, angular_frequencies(d_model))
        x = x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)

    # This array is added to the scores to mask later keys and keys before the window.
    n_layers, n_heads = header(encoding)["n_layers"], header(encoding)["n_heads"]
    bias = np.where((steps_back < 0) | (steps_back > window), MASKED, 0.0)
    if encoding == "alibi":
        bias = bias + alibi_bias(n, n_heads)

    attention = []
    for layer in range(n_layers):
        normal = normalized(x)
        queries, keys, values = (
            heads(normal @ matrix[f"{layer}.{part}"], n_heads)
            for part in ("queries", "keys", "values")
        )
        if encoding == "rope":
            scores = rope_products(queries, keys, positions, rope)
        else:
            scores = queries @ keys.swapaxes(1, 2)
        looked_at = softmax(scores / np.sqrt(queries.shape[-1]) + bias)
        attention.append(looked_at)
        x = x + side_by_side(looked_at @ values) @ matrix[f"{layer}.out"]
        x = x + gelu(normalized(x) @ matrix[f"{layer}.up"]) @ matrix[f"{layer}.down"]

    # The prediction favours characters whose vectors have the largest dot products with the output.
    return softmax(normalized(x) @ matrix["characters"].T), np.stack(attention)


def normalized(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply LayerNorm, which shifts and scales each row to mean 0 and variance 1."""
    x = x - x.mean(axis=1, keepdims=True)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)


def heads(x: NDArray[np.float64], n_heads: int) -> NDArray[np.float64]:
    """Split columns into heads, from ``(n, n_heads * d_head)`` to ``(n_heads, n, d_head)``."""
    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)


def side_by_side(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Concatenate the outputs of all heads, which is the inverse of :func:`heads`."""
    return x.swapaxes(0, 1).reshape(x.shape[1], -1)


def rope_products(
    queries: NDArray[np.float64],
    keys: NDArray[np.float64],
    positions: NDArray[np.int64],
    rope: Turning,
) -> NDArray[np.float64]:
    """Return the dot products of all queries and keys after rotation by their positions.

    At distances beyond the limit, the held pairs are rotated as far as at the limit.

    Returns:
        Array of shape ``(n_heads, n, n)``.
    """
    frequencies = stretched_frequencies(
        rope.stretch or "trained",
        queries.shape[-1],
        rope.factor,
        TRAINED_LENGTH,
        limits=YARN_LIMITS,
    )
    products = rotate(queries, positions, frequencies=frequencies) @ np.swapaxes(
        rotate(keys, positions, frequencies=frequencies), 1, 2
    )
    if rope.held:
        going_on = frequencies.copy()
        going_on[rope.held] = 0
        far_queries = rotate(
            rotate(queries, positions, frequencies=going_on),
            rope.limit,
            frequencies=frequencies - going_on,
        )
        far_keys = rotate(keys, positions, frequencies=going_on)
        is_far = positions[:, np.newaxis] - positions > rope.limit
        products = np.where(is_far, far_queries @ far_keys.swapaxes(1, 2), products)
    return products * yarn_scale(rope.factor) ** 2 if rope.stretch == "yarn" else products


def gelu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply the GELU activation, a smooth version of ``max(0, x)``."""
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x * x * x)))
