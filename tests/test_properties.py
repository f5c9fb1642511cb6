"""What is measured about tables, against plain loops."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from refusals import assert_refused

from course_utils.encodings import index_encoding, normalized_encoding
from course_utils.properties import (
    cosine_similarity,
    dot_products_at_distance,
    flips_per_step,
    largest_change,
    largest_step_share,
    smallest_distance,
    word_share,
)

NUMBERS = st.floats(-100, 100).map(lambda value: round(value, 3))
TABLES = arrays(
    float, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8), elements=NUMBERS
)
VECTORS = arrays(float, 5, elements=NUMBERS)


@given(TABLES)
def test_smallest_distance_is_the_least_over_all_pairs(table):
    expected = min(math.dist(a, b) for a, b in itertools.combinations(table.tolist(), 2))
    assert math.isclose(smallest_distance(table), expected, abs_tol=1e-9)


@given(TABLES)
def test_step_share_compares_neighbours_with_all_pairs(table):
    rows = table.tolist()
    widest = max(math.dist(a, b) for a, b in itertools.combinations(rows, 2))
    step = max(math.dist(a, b) for a, b in itertools.pairwise(rows))
    assert math.isclose(largest_step_share(table), step / widest if widest else 0, abs_tol=1e-9)


@given(TABLES, st.integers(0, 7))
def test_dot_products_are_those_of_the_pairs_so_far_apart(table, d):
    rows = table.tolist()
    d = min(d, len(rows) - 1)
    expected = [
        math.fsum(x * y for x, y in zip(a, b, strict=True))
        for a, b in zip(rows, rows[d:], strict=False)
    ]
    np.testing.assert_allclose(dot_products_at_distance(table, d), expected, atol=1e-8)


@given(TABLES)
def test_flips_count_the_numbers_that_change(table):
    expected = [
        sum(x != y for x, y in zip(a, b, strict=True))
        for a, b in itertools.pairwise(table.tolist())
    ]
    assert flips_per_step(table).tolist() == expected


@given(VECTORS, VECTORS)
def test_word_share_is_one_length_over_the_sum_of_both(word, place):
    lengths = math.hypot(*word), math.hypot(*place)
    if sum(lengths) == 0:
        with pytest.raises(ValueError, match="must not both be zero"):
            word_share(word, place)
    else:
        assert math.isclose(word_share(word, place), lengths[0] / sum(lengths), abs_tol=1e-12)


@given(VECTORS, VECTORS)
def test_cosine_is_that_of_the_angle(first, second):
    lengths = math.hypot(*first) * math.hypot(*second)
    if lengths < 1e-6:
        return
    expected = math.fsum(a * b for a, b in zip(first, second, strict=True)) / lengths
    assert math.isclose(cosine_similarity(first, second), expected, abs_tol=1e-9)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 5))
def test_largest_change_against_loops(n_positions, more, d_model):
    shares = [
        abs(i / max(n_positions + more - 1, 1) - i / max(n_positions - 1, 1))
        for i in range(n_positions)
    ]
    change = largest_change(normalized_encoding, n_positions, n_positions + more, d_model)
    assert math.isclose(change, max(shares), abs_tol=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e200, 1e300])
def test_very_long_and_very_short_vectors_have_a_direction_too(scale):
    first, second = np.array([1.0, 2.0, 2.0]), np.array([3.0, 0.0, 4.0])
    assert math.isclose(cosine_similarity(first * scale, second * scale), 11 / 15)
    assert math.isclose(word_share(first * scale, second * scale), 3 / 8)


def test_measuring_changes_nothing():
    table = np.arange(12.0).reshape(4, 3)
    before = table.copy()
    for measure in (smallest_distance, largest_step_share, flips_per_step):
        measure(table)
    dot_products_at_distance(table, 1)
    cosine_similarity(table[1], table[2])
    word_share(table[1], table[2])
    assert np.array_equal(table, before)


def test_a_distance_that_no_pair_has_is_refused():
    for distance in (5, 6, 10**30):
        said = "distance must be from 0 to 4", f"got {distance}."
        call = partial(dot_products_at_distance, np.eye(5), distance)
        assert_refused(call, *said, kind=ValueError)


def test_zero_vectors_are_refused_where_they_mean_nothing():
    for pair in (([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0], [0])):
        assert_refused(lambda p=pair: cosine_similarity(*p), "first and second", "zero")
    assert_refused(lambda: word_share([0, 0], [0, 0]), "word and position", "zero")


def test_largest_change_refuses_a_longer_length_that_is_shorter():
    assert_refused(
        lambda: largest_change(index_encoding, 5, 4, 2), "longer", "n_positions = 5; got 4."
    )
