"""Alternatives to sinusoidal encodings: learned vectors, relative biases and rotary embeddings."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .refusals import (
    finite_array,
    finite_number,
    one_of,
    quoted,
    refuse_oversize,
    shaped_array,
    whole_number,
)

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "learned_encoding",
    "rotate",
    "shaw_scores",
    "t5_bias",
    "t5_buckets",
    "transformer_xl_scores",
]


def learned_encoding(
    n_positions: int, d_model: int, *, max_length: int = 64, seed: int = 0
) -> NDArray[np.float64]:
    """Return random initial vectors of a learned encoding with ``max_length`` positions.

    Training would change these vectors. There is no formula for rows beyond ``max_length``.
    ``seed`` must be a non-negative integer.

    Returns:
        Array of shape ``(n_positions, d_model)`` with values uniformly distributed between -1 and
        1.

    Example:
        >>> learned_encoding(2, 3).shape
        (2, 3)

    Source:
        Gehring et al., "Convolutional Sequence to Sequence Learning" (2017), arXiv:1705.03122,
        section 3.1.
    """
    n_positions = whole_number("n_positions", n_positions)
    d_model = whole_number("d_model", d_model)
    max_length = whole_number("max_length", max_length)
    if n_positions > max_length:
        raise ValueError(
            f"n_positions must be at most max_length = {quoted(max_length)}, because later "
            f"positions have no learned vector; got {quoted(n_positions)}."
        )
    refuse_oversize("n_positions x d_model", n_positions, d_model)
    generator = np.random.default_rng(whole_number("seed", seed, lowest=0))
    return generator.uniform(-1, 1, (n_positions, d_model))


def shaw_scores(
    queries: ArrayLike, keys: ArrayLike, relative_keys: ArrayLike
) -> NDArray[np.float64]:
    """Compute scores with a learned vector for each offset: ``q_i (k_j + a_{j-i})``.

    Args:
        queries: Array of shape ``(n_positions, d_model)``.
        keys: Array of shape ``(n_positions, d_model)``.
        relative_keys: Array of shape ``(2 * reach + 1, d_model)``. The middle row is for offset 0.
            Offsets beyond the reach use the first or the last row.

    Returns:
        Scores divided by ``sqrt(d_model)``, with shape ``(n_positions, n_positions)``.

    Example:
        >>> shaw_scores([[1], [1]], [[10], [20]], [[0.1], [0.2], [0.3]])
        array([[10.2, 20.3],
               [10.1, 20.2]])

    Source:
        Shaw et al., "Self-Attention with Relative Position Representations" (2018),
        arXiv:1803.02155, section 3.
    """
    queries, keys = _queries_and_keys(queries, keys)
    relative_keys = shaped_array("relative_keys", relative_keys, "2 * reach + 1", queries.shape[1])
    if len(relative_keys) % 2 == 0:
        raise ValueError(
            "relative_keys must have an odd number of rows, with offset 0 in the middle; got "
            f"{len(relative_keys)}."
        )
    reach = len(relative_keys) // 2
    rows = np.clip(_offsets(len(queries)), -reach, reach) + reach
    by_offset = queries @ relative_keys.T
    scores = queries @ keys.T + np.take_along_axis(by_offset, rows, axis=1)
    return scores / np.sqrt(queries.shape[1])


def transformer_xl_scores(
    queries: ArrayLike,
    keys: ArrayLike,
    position_keys: ArrayLike,
    content_bias: ArrayLike,
    position_bias: ArrayLike,
) -> NDArray[np.float64]:
    """Compute scores with a key for each offset and learned biases ``u`` and ``v``.

    The score is ``(q_i + u) k_j + (q_i + v) r_{i-j}``, divided by ``sqrt(d_model)``.
    ``position_keys`` contains ``r`` and has ``2 * n_positions - 1`` rows; row ``n_positions - 1 +
    o`` is for the offset ``o = i - j``. In the paper, these rows are a linear transformation of
    sinusoidal vectors. ``content_bias`` is ``u`` and ``position_bias`` is ``v``, both of shape
    ``(d_model,)``.

    Returns:
        Scores with shape ``(n_positions, n_positions)``.

    Example:
        >>> transformer_xl_scores([[1], [1]], [[10], [20]], [[0.1], [0.2], [0.3]], [0], [0])
        array([[10.2, 20.1],
               [10.3, 20.2]])

    Source:
        Dai et al., "Transformer-XL" (2019), arXiv:1901.02860, section 3.3.
    """
    queries, keys = _queries_and_keys(queries, keys)
    n_positions, d_model = queries.shape
    position_keys = shaped_array("position_keys", position_keys, 2 * n_positions - 1, d_model)
    u = shaped_array("content_bias", content_bias, d_model)
    v = shaped_array("position_bias", position_bias, d_model)
    rows = n_positions - 1 - _offsets(n_positions)
    by_offset = (queries + v) @ position_keys.T
    scores = (queries + u) @ keys.T + np.take_along_axis(by_offset, rows, axis=1)
    return scores / np.sqrt(d_model)


def t5_buckets(
    offsets: ArrayLike,
    *,
    n_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> NDArray[np.int64]:
    """Return T5's bucket for each offset ``j - i``.

    In an encoder, half of the buckets are for keys after the query. In a decoder, all buckets are
    for keys before the query. Later keys, which are masked, share bucket 0 with the query itself.
    On each side, half of the buckets contain a single distance each. The other buckets grow
    logarithmically up to ``max_distance``, and the last bucket contains all larger distances.

    Args:
        offsets: Integers with any shape.
        n_buckets: Number of buckets, a positive multiple of 4.
        max_distance: Integer greater than the number of single-distance buckets on a side, which is
            ``n_buckets / 4`` in an encoder and ``n_buckets / 2`` in a decoder. The last bucket
            begins slightly before this distance.
        bidirectional: True for an encoder, in which keys after the query have their own buckets.

    Returns:
        Array of integers from 0 to ``n_buckets - 1``, with the same shape as ``offsets``.

    Example:
        >>> t5_buckets([0, -1, 1, -7, -8, -100, -1000])
        array([ 0,  1, 17,  7,  8, 15, 15])
        >>> t5_buckets([0, -1, 1, -7, -8, -100, -1000], bidirectional=False)
        array([ 0,  1,  0,  7,  8, 30, 31])

    Source:
        Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
        Transformer" (2020), arXiv:1910.10683, section 2.1; the bucket formula comes from the
        authors' published code.
    """
    offsets = finite_array("offsets", offsets)
    if (offsets % 1).any():
        raise ValueError(f"offsets must be whole numbers; got {quoted(offsets)}.")
    n_buckets = whole_number("n_buckets", n_buckets, lowest=4)
    if n_buckets % 4:
        raise ValueError(f"n_buckets must be a multiple of 4; got {quoted(n_buckets)}.")
    refuse_oversize("n_buckets", n_buckets)
    one_side = n_buckets // 2 if bidirectional else n_buckets
    n_single = one_side // 2
    max_distance = whole_number("max_distance", max_distance, lowest=n_single + 1)
    finite_number("max_distance", max_distance)
    distances = np.abs(offsets) if bidirectional else np.maximum(-offsets, 0)
    growth = np.log(np.maximum(distances, 1) / n_single) / math.log(max_distance / n_single)
    # Without rounding, a logarithm slightly below an integer would fall into the previous bucket.
    steps = np.floor(np.round(growth * (one_side - n_single), 12))
    far = np.minimum(n_single + steps, one_side - 1)
    buckets = np.where(distances < n_single, distances, far)
    return (buckets + one_side * (offsets > 0) * bool(bidirectional)).astype(np.int64)


def t5_bias(
    n_positions: int,
    bucket_values: ArrayLike,
    *,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> NDArray[np.float64]:
    """Return T5's biases, which are added to the scores.

    Each bias depends only on the bucket of the offset. ``bucket_values`` contains one learned
    number for each bucket of :func:`t5_buckets`, so its length must be a multiple of 4. The last
    bucket begins slightly before ``max_distance``. If ``bidirectional`` is False, all buckets are
    for keys before the query.

    Returns:
        Array of shape ``(n_positions, n_positions)``; entry ``[i, j]`` is for query ``i`` and key
        ``j``.

    Example:
        >>> t5_bias(3, [0, -1, 0, -5])
        array([[ 0., -5., -5.],
               [-1.,  0., -5.],
               [-1., -1.,  0.]])
    """
    bucket_values = shaped_array("bucket_values", bucket_values, "n_buckets")
    n_buckets = len(bucket_values)
    if n_buckets % 4:
        raise ValueError(f"bucket_values must hold a multiple of 4 numbers; got {n_buckets}.")
    offsets = _offsets(_square_size(n_positions))
    sides = {"max_distance": max_distance, "bidirectional": bidirectional}
    return bucket_values[t5_buckets(offsets, n_buckets=n_buckets, **sides)]


def alibi_slopes(n_heads: int) -> NDArray[np.float64]:
    """Return ALiBi's slopes ``2 ** (-8 h / n_heads)`` for the heads ``h = 1, ..., n_heads``.

    The scores of a head decrease by its slope with each step of distance. ``n_heads`` must be a
    power of two. For other numbers, the paper's code combines two sets of slopes.

    Returns:
        Array of shape ``(n_heads,)``.

    Example:
        >>> 1 / alibi_slopes(4)
        array([  4.,  16.,  64., 256.])

    Source:
        Press et al., "Train Short, Test Long" (2022), arXiv:2108.12409, section 3.
    """
    n_heads = whole_number("n_heads", n_heads)
    if n_heads & (n_heads - 1):
        raise ValueError(f"n_heads must be a power of two; got {quoted(n_heads)}.")
    refuse_oversize("n_heads", n_heads)
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)


def alibi_bias(n_positions: int, n_heads: int) -> NDArray[np.float64]:
    """Return ALiBi's biases ``-slope * |i - j|``, which are added to the scores.

    The paper cited in :func:`alibi_slopes` uses these biases in models that only look back, where
    ``j <= i``.

    Returns:
        Array of shape ``(n_heads, n_positions, n_positions)``.

    Example:
        >>> alibi_bias(3, 8)[0]
        array([[ 0. , -0.5, -1. ],
               [-0.5,  0. , -0.5],
               [-1. , -0.5,  0. ]])
    """
    slopes = alibi_slopes(n_heads)
    n_positions = _square_size(n_positions, len(slopes))
    return slopes[:, np.newaxis, np.newaxis] * -np.abs(_offsets(n_positions))


def positions_of(
    name: str, positions: ArrayLike, vectors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return one position for each vector, with shape ``vectors.shape[:-1]``.

    Raises:
        ValueError: If the positions are not finite, or if their shape does not broadcast to the
            vectors. The message names the argument.
    """
    positions = finite_array(name, positions)
    try:
        return np.broadcast_to(positions, vectors.shape[:-1])
    except ValueError:
        raise ValueError(
            f"{name} must fit the {vectors.shape[:-1]} vectors, one for each; got shape "
            f"{positions.shape}."
        ) from None


def rotate(
    vectors: ArrayLike,
    positions: ArrayLike,
    *,
    base: float = 10_000.0,
    layout: Literal["neighbours", "halves"] = "neighbours",
    frequencies: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Apply a rotary position embedding (RoPE), which rotates vectors by their positions.

    At position ``i``, pair ``k`` of each vector is rotated by ``i * w_k`` radians, in the direction
    from (1, 0) to (0, 1). Pair ``k`` is in columns ``2k`` and ``2k + 1`` in the layout
    "neighbours", and in columns ``k`` and ``k + d_model / 2`` in the layout "halves". A model's
    weights fit only one layout.

    Args:
        vectors: Queries or keys of shape ``(..., d_model)``; ``d_model`` must be even.
        positions: Position of each vector; the shape must broadcast to ``vectors.shape[:-1]``.
        base: Base of the frequencies ``w_k``.
        layout: Columns of each pair, "neighbours" or "halves".
        frequencies: Frequencies ``w_k`` of shape ``(d_model // 2,)``. By default, they are computed
            from ``base``.

    Returns:
        Array with the same shape as ``vectors``. The norm of each vector is preserved.

    Example:
        >>> rotate([3, 1], np.pi / 2).round(4)
        array([-1.,  3.])
        >>> rotate([3, 0, 1, 0], np.pi / 2, layout="halves").round(4)
        array([-1.,  0.,  3.,  0.])

    Source:
        Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021),
        arXiv:2104.09864, section 3.
    """
    vectors = finite_array("vectors", vectors)
    if vectors.ndim == 0 or vectors.size == 0 or vectors.shape[-1] % 2:
        raise ValueError(
            "vectors must have the shape (..., d_model), with d_model even; got shape "
            f"{vectors.shape}."
        )
    if frequencies is None:
        frequencies = angular_frequencies(vectors.shape[-1], base=base)
    else:
        frequencies = shaped_array("frequencies", frequencies, vectors.shape[-1] // 2)
    positions = positions_of("positions", positions, vectors)
    one_of("layout", layout, ("neighbours", "halves"))
    # The axis of the two numbers in a pair is the last or the second-to-last axis.
    split, pair_axis = ((-1, 2), -1) if layout == "neighbours" else ((2, -1), -2)
    pairs = vectors.reshape(*vectors.shape[:-1], *split)
    first, second = np.moveaxis(pairs, pair_axis, 0)
    turned = (first + 1j * second) * np.exp(1j * positions[..., np.newaxis] * frequencies)
    return np.stack([turned.real, turned.imag], axis=pair_axis).reshape(vectors.shape)


def _offsets(n_positions: int) -> NDArray[np.int64]:
    """Return the offset ``j - i`` of each query ``i`` (rows) and key ``j`` (columns)."""
    positions = np.arange(n_positions)
    return positions - positions[:, np.newaxis]


def _square_size(n_positions: int, n_heads: int = 1) -> int:
    n_positions = whole_number("n_positions", n_positions)
    refuse_oversize("n_heads x n_positions x n_positions", n_heads, n_positions, n_positions)
    return n_positions


def _queries_and_keys(queries: ArrayLike, keys: ArrayLike) -> tuple[NDArray, NDArray]:
    queries = shaped_array("queries", queries, "n_positions", "d_model")
    refuse_oversize("n_positions x n_positions", len(queries), len(queries))
    return queries, shaped_array("keys", keys, *queries.shape)
