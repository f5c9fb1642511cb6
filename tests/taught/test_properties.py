"""Tests of measured properties of tables, against plain loops."""

import itertools
import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.encodings import normalized_encoding
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


@given(TABLES, st.integers(0, 7))
def test_properties_against_loops(table, d):
    rows = table.tolist()
    distances = [math.dist(a, b) for a, b in itertools.combinations(rows, 2)]
    assert math.isclose(smallest_distance(table), min(distances), abs_tol=1e-9)
    step = max(math.dist(a, b) for a, b in itertools.pairwise(rows))
    share = step / max(distances) if any(distances) else 0
    assert math.isclose(largest_step_share(table), share, abs_tol=1e-9)
    d = min(d, len(rows) - 1)
    products = [
        math.fsum(x * y for x, y in zip(a, b, strict=True))
        for a, b in zip(rows, rows[d:], strict=False)
    ]
    np.testing.assert_allclose(dot_products_at_distance(table, d), products, atol=1e-8)
    flips = [sum(x != y for x, y in zip(a, b, strict=True)) for a, b in itertools.pairwise(rows)]
    assert flips_per_step(table).tolist() == flips


@given(VECTORS, VECTORS)
def test_word_share_is_one_length_over_sum_of_both(word, place):
    lengths = math.hypot(*word), math.hypot(*place)
    assume(sum(lengths) > 0)
    assert math.isclose(word_share(word, place), lengths[0] / sum(lengths), abs_tol=1e-12)


@given(VECTORS, VECTORS)
def test_cosine_equals_cosine_of_angle(first, second):
    lengths = math.hypot(*first) * math.hypot(*second)
    assume(lengths > 1e-6)
    expected = math.fsum(a * b for a, b in zip(first, second, strict=True)) / lengths
    assert math.isclose(cosine_similarity(first, second), expected, abs_tol=1e-9)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 5))
def test_largest_change_against_loops(n_positions, more, d_model):
    last, longest = max(n_positions - 1, 1), max(n_positions + more - 1, 1)
    shares = [abs(i / longest - i / last) for i in range(n_positions)]
    change = largest_change(normalized_encoding, n_positions, n_positions + more, d_model)
    assert math.isclose(change, max(shares), abs_tol=1e-15)


def test_extreme_norms_keep_their_direction():
    for scale in (1e-300, 1e-200, 1e200, 1e300):
        first, second = np.array([[1.0, 2.0, 2.0], [3.0, 0.0, 4.0]]) * scale
        assert math.isclose(cosine_similarity(first, second), 11 / 15)
        assert math.isclose(word_share(first, second), 3 / 8)
