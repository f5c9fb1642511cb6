"""What came after sinusoids, against loops over queries and keys."""

import math
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusals import assert_refused

from course_utils.relative import (
    alibi_bias,
    alibi_slopes,
    learned_encoding,
    rotate,
    shaw_scores,
    t5_bias,
    t5_buckets,
    transformer_xl_scores,
)

numbers = st.floats(-5, 5)
bases = st.floats(1.001, 1e12)
seeds = st.integers(0, 2**32)


def tables(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    return [generator.uniform(-3, 3, shape) for shape in shapes]


def dot(first: list[float], second: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(first, second, strict=True))


# Learned vectors


def test_the_same_seed_gives_the_same_vectors_and_another_seed_others():
    first, again = learned_encoding(9, 5, seed=3), learned_encoding(9, 5, seed=3)
    assert first.dtype == np.float64 and first.shape == (9, 5)
    assert np.array_equal(first, again)
    assert np.array_equal(learned_encoding(9, 5), learned_encoding(9, 5, seed=0))
    for seed in (0, 1, 2, 4):
        assert not np.isclose(learned_encoding(9, 5, seed=seed), first).any()


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 8), seeds)
def test_a_position_keeps_its_learned_vector_in_a_longer_sequence(n_positions, more, d_model, seed):
    shorter = learned_encoding(n_positions, d_model, seed=seed)
    longer = learned_encoding(n_positions + more, d_model, seed=seed, max_length=10_000)
    assert np.array_equal(longer[:n_positions], shorter)


def test_learned_vectors_are_spread_evenly_from_minus_one_to_one():
    table = learned_encoding(1000, 100, max_length=1000)
    assert np.abs(table).max() <= 1 and abs(table.mean()) < 0.02
    assert abs(np.mean(np.abs(table) < 0.5) - 0.5) < 0.01
    assert np.linalg.matrix_rank(table) == 100


@pytest.mark.parametrize("max_length", [1, 5, 64])
def test_no_vector_was_learned_beyond_the_last_position(max_length):
    assert len(learned_encoding(max_length, 2, max_length=max_length)) == max_length
    call = partial(learned_encoding, max_length + 1, 2, max_length=max_length)
    said = "n_positions must", f"max_length = {max_length}", f"got {max_length + 1}."
    assert_refused(call, *said, kind=ValueError)
    assert_refused(lambda: learned_encoding(65, 2), "n_positions must", "max_length = 64")


# Shaw


@given(st.integers(1, 7), st.integers(1, 5), st.integers(0, 9), seeds)
def test_shaw_scores_against_loops(n_positions, d_model, reach, seed):
    queries, keys, relative_keys = tables(
        seed, (n_positions, d_model), (n_positions, d_model), (2 * reach + 1, d_model)
    )
    scores = shaw_scores(queries, keys, relative_keys)
    assert scores.dtype == np.float64 and scores.shape == (n_positions, n_positions)
    for i in range(n_positions):
        for j in range(n_positions):
            offset = j - i
            if offset > reach:
                offset = reach
            if offset < -reach:
                offset = -reach
            key = keys[j] + relative_keys[reach + offset]
            expected = dot(queries[i].tolist(), key.tolist()) / math.sqrt(d_model)
            assert scores[i, j] == pytest.approx(expected, abs=1e-12)


# Transformer-XL


@given(st.integers(1, 7), st.integers(1, 5), seeds)
def test_transformer_xl_scores_against_loops(n_positions, d_model, seed):
    queries, keys, position_keys, u, v = tables(
        seed,
        (n_positions, d_model),
        (n_positions, d_model),
        (2 * n_positions - 1, d_model),
        (d_model,),
        (d_model,),
    )
    scores = transformer_xl_scores(queries, keys, position_keys, u, v)
    assert scores.dtype == np.float64 and scores.shape == (n_positions, n_positions)
    for i in range(n_positions):
        for j in range(n_positions):
            content = dot((queries[i] + u).tolist(), keys[j].tolist())
            place = position_keys[n_positions - 1 + i - j]
            position = dot((queries[i] + v).tolist(), place.tolist())
            expected = (content + position) / math.sqrt(d_model)
            assert scores[i, j] == pytest.approx(expected, abs=1e-12)


# T5


def slow_bucket(offset: int, n_buckets: int, max_distance: int, bidirectional: bool = True) -> int:
    """The rule as the docstring says it, in whole numbers.

    Of one side's buckets, the first half hold one distance each. From there, bucket ``start + b``
    begins where ``distance / start`` reaches ``(max_distance / start) ** (b / n_growing)``.
    """
    one_side = n_buckets // 2 if bidirectional else n_buckets
    start = one_side // 2
    n_growing = one_side - start
    distance = abs(offset) if bidirectional else max(-offset, 0)
    if distance < start:
        bucket = distance
    else:
        reached = Fraction(distance, start) ** n_growing
        bucket = start
        while bucket < one_side - 1 and reached >= Fraction(max_distance, start) ** (
            bucket + 1 - start
        ):
            bucket += 1
    return bucket + one_side if offset > 0 and bidirectional else bucket


@given(st.data())
def test_buckets_against_whole_numbers(data):
    n_buckets = 4 * data.draw(st.integers(1, 16))
    both_ways = data.draw(st.booleans())
    max_distance = data.draw(st.integers(n_buckets // (4 if both_ways else 2) + 1, 600))
    offsets = data.draw(st.lists(st.integers(-700, 700), max_size=8))
    sides = {"max_distance": max_distance, "bidirectional": both_ways}
    buckets = t5_buckets(offsets, n_buckets=n_buckets, **sides)
    assert buckets.dtype == np.int64 and buckets.shape == (len(offsets),)
    assert buckets.tolist() == [slow_bucket(o, n_buckets, **sides) for o in offsets]


@pytest.mark.parametrize("start", [1, 2, 3, 5, 6, 7, 8, 11, 16, 24, 32])
@pytest.mark.parametrize("factor", [2, 3, 4, 5, 8, 9, 16, 32, 100])
def test_a_bucket_begins_at_its_very_first_distance(start, factor):
    """Where the rule gives a whole number, a logarithm can fall short of it by a bit."""
    n_buckets, max_distance = 4 * start, start * factor
    edges = {max_distance, max_distance - 1, max_distance + 1, start}
    for root in range(2, 17):
        power = round(factor ** (1 / root))
        if power**root == factor:
            edges |= {start * power**p + step for p in range(root) for step in (-1, 0, 1)}
    offsets = sorted(edges)
    expected = [slow_bucket(-o, n_buckets, max_distance) for o in offsets]
    buckets = t5_buckets([-o for o in offsets], n_buckets=n_buckets, max_distance=max_distance)
    assert buckets.tolist() == expected


def test_a_distance_just_short_of_a_bucket_stays_out_of_it():
    distances = np.array([2 * 10**6 - 1, 2 * 10**6])
    buckets = t5_buckets(-distances, n_buckets=8, max_distance=2 * 10**12)
    assert buckets.tolist() == [2, 3]


def test_the_published_buckets():
    """32 buckets to 128: 8 to 11 share one, then 12 to 15, 16 to 22, and so on."""
    firsts = [*range(9), 12, 16, 23, 32, 46, 64, 91]
    expected = [max(b for b, first in enumerate(firsts) if first <= d) for d in range(300)]
    distances = np.arange(300)
    assert t5_buckets(-distances).tolist() == expected
    assert t5_buckets(distances).tolist() == [0, *(16 + bucket for bucket in expected[1:])]
    assert t5_buckets([-(10**15), 10**15]).tolist() == [15, 31]


def test_buckets_come_in_the_shape_of_the_offsets():
    assert t5_buckets([[0, -1], [2, -300]]).tolist() == [[0, 1], [18, 15]]
    assert t5_buckets(-3).shape == () and t5_buckets([]).shape == (0,)


@given(st.integers(1, 20), st.integers(1, 8), st.integers(17, 40), st.booleans(), seeds)
def test_the_bias_of_a_pair_is_that_of_its_bucket(
    n_positions, quarter, max_distance, both_ways, seed
):
    (values,) = tables(seed, (4 * quarter,))
    bias = t5_bias(n_positions, values, max_distance=max_distance, bidirectional=both_ways)
    assert bias.dtype == np.float64
    assert bias.tolist() == [
        [
            values[slow_bucket(j - i, 4 * quarter, max_distance, both_ways)]
            for j in range(n_positions)
        ]
        for i in range(n_positions)
    ]


def test_the_bias_reaches_128_positions_unless_told_otherwise():
    values = np.arange(32.0)
    assert t5_bias(200, values)[150, [150, 134, 118, 60, 59, 0]].tolist() == [0, 10, 12, 14, 15, 15]


# ALiBi


@given(st.integers(1, 12), st.integers(0, 6).map(lambda power: 2**power))
def test_the_penalty_grows_with_distance(n_positions, n_heads):
    bias = alibi_bias(n_positions, n_heads)
    assert bias.dtype == np.float64 and bias.shape == (n_heads, n_positions, n_positions)
    for head in range(n_heads):
        slope = math.pow(2, -8 * (head + 1) / n_heads)
        expected = [[-slope * abs(i - j) for j in range(n_positions)] for i in range(n_positions)]
        np.testing.assert_allclose(bias[head], expected, rtol=1e-14)


@pytest.mark.parametrize("n_heads", [3, 6, 7, 12, 100, 2**40 - 1, 10**12])
def test_other_numbers_of_heads_are_refused(n_heads):
    for call in (lambda: alibi_slopes(n_heads), lambda: alibi_bias(3, n_heads)):
        said = "n_heads must be a power of two", f"got {n_heads}."
        assert_refused(call, *said, kind=ValueError)


# Rotary

pairs_of_rows = st.tuples(st.integers(1, 5), st.integers(1, 6)).map(lambda p: (p[0], 2 * p[1]))


COLUMNS = {
    "neighbours": lambda pair, d_model: [2 * pair, 2 * pair + 1],
    "halves": lambda pair, d_model: [pair, pair + d_model // 2],
}


@given(st.data(), pairs_of_rows, bases, st.sampled_from(sorted(COLUMNS)))
def test_rotation_pair_by_pair(data, shape, base, layout):
    vectors = data.draw(arrays(np.float64, shape, elements=numbers))
    positions = data.draw(st.lists(st.integers(-500, 500), min_size=shape[0], max_size=shape[0]))
    turned = rotate(vectors, positions, base=base, layout=layout)
    assert turned.dtype == np.float64 and turned.shape == shape
    for row, position in enumerate(positions):
        for pair in range(shape[1] // 2):
            angle = position / math.pow(base, 2 * pair / shape[1])
            columns = COLUMNS[layout](pair, shape[1])
            x, y = vectors[row, columns].tolist()
            expected = [
                math.cos(angle) * x - math.sin(angle) * y,
                math.sin(angle) * x + math.cos(angle) * y,
            ]
            assert turned[row, columns] == pytest.approx(expected, abs=1e-11)


@given(pairs_of_rows, st.integers(-200, 200), seeds)
def test_scores_depend_on_the_offset_alone(shape, shift, seed):
    queries, keys = tables(seed, shape, shape)
    positions = np.arange(shape[0])
    here = rotate(queries, positions) @ rotate(keys, positions).T
    there = rotate(queries, positions + shift) @ rotate(keys, positions + shift).T
    np.testing.assert_allclose(there, here, rtol=0, atol=1e-10)
    relative = [[dot(queries[i], rotate(keys[j], j - i)) for j in positions] for i in positions]
    np.testing.assert_allclose(here, relative, rtol=0, atol=1e-10)


def test_position_0_leaves_vectors_as_they_are_and_none_is_changed_in_place():
    (vectors,) = tables(5, (3, 6))
    before = vectors.copy()
    assert np.array_equal(rotate(vectors, [0, 0, 0]), vectors)
    rotate(vectors, [7, 8, 9])
    assert np.array_equal(vectors, before)


def test_positions_broadcast_over_batches_and_heads():
    (vectors,) = tables(6, (2, 3, 5, 4))
    for batch, head, layout in product(range(2), range(3), COLUMNS):
        turned = rotate(vectors, np.arange(5), layout=layout)
        expected = [rotate(vectors[batch, head, p], p, layout=layout) for p in range(5)]
        np.testing.assert_allclose(turned[batch, head], expected, rtol=0, atol=1e-14)


# Bad input that is no other module's


def test_a_seed_may_be_huge():
    assert np.isfinite(learned_encoding(2, 2, seed=10**30)).all()


def test_buckets_come_in_fours_and_the_distances_beyond_the_single_ones():
    for n_buckets in (5, 6, 7, 30, 33):
        said = "n_buckets must be a multiple of 4", f"got {n_buckets}."
        assert_refused(partial(t5_buckets, [1], n_buckets=n_buckets), *said)
    for max_distance in (7, 8):
        said = "max_distance must", "at least 9"
        assert_refused(partial(t5_buckets, [1], max_distance=max_distance), *said)
    assert t5_buckets([-8], max_distance=9).tolist() == [8]
    assert_refused(partial(t5_buckets, [1], max_distance=10**400), "max_distance must be a finite")
    assert t5_buckets([-(10**15)], max_distance=10**300).tolist() == [8]
    for n_values in (1, 3, 6):
        said = "bucket_values must hold a multiple of 4", f"got {n_values}."
        assert_refused(partial(t5_bias, 3, np.zeros(n_values)), *said)
    for bad in (0.5, [1, 1.25], [[-1e-9]]):
        assert_refused(partial(t5_buckets, bad), "offsets must be whole numbers", "got")


def test_relative_keys_are_odd_in_number():
    for rows in (2, 4):
        said = "relative_keys must have an odd number of rows", f"got {rows}."
        assert_refused(partial(shaw_scores, [[1]], [[1]], np.ones((rows, 1))), *said)


def test_there_is_one_position_for_each_vector():
    for shape, positions in (((3, 4), [1, 2]), ((4,), [1]), ((3, 4), [[1], [2]]), ((2, 4), [])):
        said = "positions must", f"got shape {np.shape(positions)}."
        assert_refused(partial(rotate, np.ones(shape), positions), *said)


def test_a_layout_that_does_not_exist_is_refused():
    for layout in ("neighbors", "half", None):
        said = "layout must be neighbours or halves", f"got {layout!r}."
        assert_refused(partial(rotate, [1, 2], 1, layout=layout), *said, kind=ValueError)
