"""Tests of relative schemes and RoPE, against loops over queries and keys."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.relative import (
    alibi_bias,
    learned_encoding,
    rotate,
    shaw_scores,
    t5_bias,
    t5_buckets,
    transformer_xl_scores,
)

bases = st.floats(1.001, 1e12)
seeds = st.integers(0, 2**32)


def tables(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.uniform(-3, 3, shape) for shape in shapes]


def dot(first: np.ndarray, second: np.ndarray) -> float:
    return math.fsum(a * b for a, b in zip(first, second, strict=True))


# Learned vectors


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 8), seeds | st.just(10**30))
def test_learned_vector_is_independent_of_length(n_positions, more, d_model, seed):
    shorter = learned_encoding(n_positions, d_model, seed=seed)
    assert shorter.dtype == np.float64 and shorter.shape == (n_positions, d_model)
    longer = learned_encoding(n_positions + more, d_model, seed=seed, max_length=10_000)
    assert np.array_equal(longer[:n_positions], shorter)
    assert not np.isclose(learned_encoding(n_positions, d_model, seed=seed + 1), shorter).all()


def test_learned_vectors_are_uniform_from_minus_1_to_1():
    table = learned_encoding(1000, 100, max_length=1000)
    assert np.array_equal(table, learned_encoding(1000, 100, max_length=1000, seed=0))
    assert np.abs(table).max() <= 1 and abs(table.mean()) < 0.02
    assert abs(np.mean(np.abs(table) < 0.5) - 0.5) < 0.01
    assert np.linalg.matrix_rank(table) == 100


# Learned offsets


@given(st.integers(1, 7), st.integers(1, 5), st.integers(0, 9), seeds)
def test_shaw_transformer_xl_scores_against_loops(n_positions, d_model, reach, seed):
    rows, vector = (n_positions, d_model), (d_model,)
    queries, keys, a = tables(seed, rows, rows, (2 * reach + 1, d_model))
    r, u, v = tables(seed + 1, (2 * n_positions - 1, d_model), vector, vector)
    shaw = shaw_scores(queries, keys, a)
    transformer_xl = transformer_xl_scores(queries, keys, r, u, v)
    assert shaw.dtype == transformer_xl.dtype == np.float64
    assert shaw.shape == transformer_xl.shape == (n_positions, n_positions)
    for i, j in np.ndindex(shaw.shape):
        key = keys[j] + a[reach + min(max(j - i, -reach), reach)]
        expected = dot(queries[i], key) / math.sqrt(d_model)
        assert shaw[i, j] == pytest.approx(expected, abs=1e-12)
        position = dot(queries[i] + v, r[n_positions - 1 + i - j])
        expected = (dot(queries[i] + u, keys[j]) + position) / math.sqrt(d_model)
        assert transformer_xl[i, j] == pytest.approx(expected, abs=1e-12)


# T5


def slow_bucket(offset: int, n_buckets: int, max_distance: int, bidirectional: bool = True) -> int:
    """Compute a bucket with integers, following the docstring.

    On each side, half of the buckets contain one distance each. Bucket ``start + b`` then begins
    where ``distance / start`` reaches ``(max_distance / start) ** (b / n_growing)``.
    """
    one_side = n_buckets // 2 if bidirectional else n_buckets
    start = one_side // 2
    n_growing = one_side - start
    distance = abs(offset) if bidirectional else max(-offset, 0)
    bucket = min(distance, start)
    reached = Fraction(distance, start) ** n_growing
    for b in range(1, n_growing):
        bucket += reached >= Fraction(max_distance, start) ** b
    return bucket + one_side if offset > 0 and bidirectional else bucket


@given(st.data())
def test_buckets_against_whole_numbers(data):
    n_buckets = 4 * data.draw(st.integers(1, 16))
    both_ways = data.draw(st.booleans())
    max_distance = data.draw(st.integers(n_buckets // (4 if both_ways else 2) + 1, 600))
    shapes = array_shapes(min_dims=0, min_side=0, max_dims=2, max_side=4)
    offsets = data.draw(arrays(int, shapes, elements=st.integers(-700, 700)))
    sides = {"max_distance": max_distance, "bidirectional": both_ways}
    buckets = t5_buckets(offsets, n_buckets=n_buckets, **sides)
    assert buckets.dtype == np.int64 and buckets.shape == offsets.shape
    expected = [slow_bucket(int(offset), n_buckets, **sides) for offset in offsets.flat]
    assert buckets.ravel().tolist() == expected


def test_bucket_begins_at_its_first_distance():
    """If the exact result is an integer, a computed logarithm can be slightly smaller."""
    for start, factor in product([1, 3, 7, 8, 32], [3, 8, 32]):
        edges = [start * factor + step for step in (-1, 0, 1)]
        for power in range(1, 5):
            edges += [start * 2**power + step for step in (-1, 0, 1)]
        expected = [slow_bucket(-edge, 4 * start, start * factor) for edge in edges]
        offsets = [-edge for edge in edges]
        buckets = t5_buckets(offsets, n_buckets=4 * start, max_distance=start * factor)
        assert buckets.tolist() == expected
    assert t5_buckets([-8], max_distance=9).tolist() == [8]
    assert t5_buckets([-(10**15)], max_distance=10**300).tolist() == [8]
    distances = np.array([2 * 10**6 - 1, 2 * 10**6])
    buckets = t5_buckets(-distances, n_buckets=8, max_distance=2 * 10**12)
    assert buckets.tolist() == [2, 3]


@given(st.integers(1, 20), st.integers(1, 8), st.integers(17, 40), st.booleans(), seeds)
def test_bias_of_pair_equals_its_bucket_bias(n_positions, quarter, max_distance, both_ways, seed):
    (values,) = tables(seed, (4 * quarter,))
    bias = t5_bias(n_positions, values, max_distance=max_distance, bidirectional=both_ways)
    assert bias.dtype == np.float64
    assert bias.shape == (n_positions, n_positions)
    for i, j in np.ndindex(bias.shape):
        assert bias[i, j] == values[slow_bucket(j - i, 4 * quarter, max_distance, both_ways)]


# ALiBi


@given(st.integers(1, 12), st.integers(0, 6).map(lambda power: 2**power))
def test_penalty_grows_with_distance(n_positions, n_heads):
    bias = alibi_bias(n_positions, n_heads)
    assert bias.dtype == np.float64 and bias.shape == (n_heads, n_positions, n_positions)
    for head in range(n_heads):
        slope = math.pow(2, -8 * (head + 1) / n_heads)
        expected = [[-slope * abs(i - j) for j in range(n_positions)] for i in range(n_positions)]
        np.testing.assert_allclose(bias[head], expected, rtol=1e-14)


# Rotary

COLUMNS = {
    "neighbours": lambda pair, d_model: [2 * pair, 2 * pair + 1],
    "halves": lambda pair, d_model: [pair, pair + d_model // 2],
}


@given(st.data(), bases, st.sampled_from(sorted(COLUMNS)), st.booleans(), seeds)
def test_rotation_against_loop_over_pairs(data, base, layout, of_its_own, seed):
    """The test covers batches of vectors and custom frequencies."""
    n_batches, n_positions, n_pairs = (data.draw(st.integers(1, most)) for most in (3, 5, 6))
    d_model = 2 * n_pairs
    vectors, given_frequencies = tables(seed, (n_batches, n_positions, d_model), (n_pairs,))
    vectors.flags.writeable = False
    positions = data.draw(arrays(int, n_positions, elements=st.integers(-500, 500)))
    by_base = [1 / math.pow(base, k / n_pairs) for k in range(n_pairs)]
    how = {"frequencies": given_frequencies} if of_its_own else {"base": base}
    turned = rotate(vectors, positions, layout=layout, **how)
    assert turned.dtype == np.float64 and turned.shape == vectors.shape
    for batch, row, pair in np.ndindex(n_batches, n_positions, n_pairs):
        angle = positions[row] * (given_frequencies if of_its_own else by_base)[pair]
        cos, sin = math.cos(angle), math.sin(angle)
        columns = COLUMNS[layout](pair, d_model)
        x, y = vectors[batch, row, columns].tolist()
        expected = [cos * x - sin * y, sin * x + cos * y]
        assert turned[batch, row, columns] == pytest.approx(expected, abs=1e-11)
