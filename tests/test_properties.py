"""What is measured about tables, against plain loops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.attention import self_attention
from course_utils.encodings import binary_encoding, index_encoding, normalized_encoding
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
def test_smallest_distance_is_the_least_over_all_pairs(table: np.ndarray) -> None:
    expected = min(math.dist(a, b) for a, b in itertools.combinations(table.tolist(), 2))
    assert math.isclose(smallest_distance(table), expected, abs_tol=1e-9)


@given(TABLES)
def test_step_share_compares_neighbours_with_all_pairs(table: np.ndarray) -> None:
    rows = table.tolist()
    widest = max(math.dist(a, b) for a, b in itertools.combinations(rows, 2))
    step = max(math.dist(a, b) for a, b in itertools.pairwise(rows))
    assert math.isclose(largest_step_share(table), step / widest if widest else 0, abs_tol=1e-9)


@given(TABLES, st.integers(0, 7))
def test_dot_products_are_those_of_the_pairs_so_far_apart(table: np.ndarray, d: int) -> None:
    rows = table.tolist()
    d = min(d, len(rows) - 1)
    expected = [math.sumprod(a, b) if hasattr(math, "sumprod") else sum(map(float.__mul__, a, b))
                for a, b in zip(rows, rows[d:], strict=False)]  # fmt: skip
    np.testing.assert_allclose(dot_products_at_distance(table, d), expected, atol=1e-8)


@given(TABLES)
def test_flips_count_the_numbers_that_change(table: np.ndarray) -> None:
    expected = [
        sum(x != y for x, y in zip(a, b, strict=True))
        for a, b in itertools.pairwise(table.tolist())
    ]
    assert flips_per_step(table).tolist() == expected


def test_from_31_to_32_all_six_bits_flip() -> None:
    assert flips_per_step(binary_encoding(64, 6))[[22, 31]].tolist() == [1, 6]


@given(VECTORS, VECTORS)
def test_word_share_is_one_length_over_the_sum_of_both(word: np.ndarray, place: np.ndarray) -> None:
    lengths = math.hypot(*word), math.hypot(*place)
    if sum(lengths) == 0:
        with pytest.raises(ValueError, match="must not both be zero"):
            word_share(word, place)
    else:
        assert math.isclose(word_share(word, place), lengths[0] / sum(lengths), abs_tol=1e-12)


@given(VECTORS, VECTORS)
def test_cosine_is_that_of_the_angle(first: np.ndarray, second: np.ndarray) -> None:
    lengths = math.hypot(*first) * math.hypot(*second)
    if lengths < 1e-6:
        return
    expected = math.fsum(a * b for a, b in zip(first, second, strict=True)) / lengths
    assert math.isclose(cosine_similarity(first, second), expected, abs_tol=1e-9)


def test_largest_change_sees_what_a_longer_sentence_does_to_a_position() -> None:
    assert largest_change(index_encoding, 5, 10, 3) == 0
    assert math.isclose(largest_change(normalized_encoding, 5, 10, 3), 1 - 4 / 9)


@given(arrays(float, (4, 3), elements=st.floats(-3, 3)), st.permutations(range(4)))
def test_attention_is_the_weighted_mean_and_follows_the_order_of_its_rows(rows, order) -> None:
    expected = []
    for query in rows.tolist():
        scores = [
            math.exp(sum(map(float.__mul__, query, key)) / math.sqrt(3)) for key in rows.tolist()
        ]
        expected.append(
            [
                sum(s * row[j] for s, row in zip(scores, rows, strict=True)) / sum(scores)
                for j in range(3)
            ]
        )
    np.testing.assert_allclose(self_attention(rows), expected, atol=1e-12)
    np.testing.assert_allclose(self_attention(rows[order]), np.array(expected)[order], atol=1e-12)


def test_attention_does_not_overflow() -> None:
    assert np.isfinite(self_attention(np.full((2, 2), 1e4) * [[1], [-1]])).all()


BAD_TABLES = [[[1.0]], [1, 2], [[1, math.nan], [0, 0]], [["a"], ["b"]], [[True], [False]], [[], []]]


@pytest.mark.parametrize("table", BAD_TABLES)
def test_what_is_no_table_of_numbers_is_refused_in_one_sentence(table: list) -> None:
    for measure in (smallest_distance, largest_step_share, flips_per_step):
        with pytest.raises((TypeError, ValueError), match=r"^table must .*\.$"):
            measure(table)


@pytest.mark.parametrize("distance", [-1, 5, 1.0, "1", True, None])
def test_a_distance_that_no_pair_has_is_refused(distance) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^distance must .*\.$"):
        dot_products_at_distance(index_encoding(5, 2), distance)


@pytest.mark.parametrize("other", [[1, 2], [[1, 2, 3]], [1, 2, math.inf], []])
def test_vectors_that_do_not_fit_are_refused(other: list) -> None:
    for measure in (word_share, cosine_similarity):
        with pytest.raises(ValueError, match=r"^the two vectors must .*\.$"):
            measure([1, 2, 3], other)


@pytest.mark.parametrize("rows", [[1, 2], [[math.nan, 1]], np.empty((0, 3))])
def test_attention_refuses_what_is_no_table(rows) -> None:
    with pytest.raises(ValueError, match=r"^vectors must be a table .*\.$"):
        self_attention(rows)


def test_largest_change_refuses_a_longer_length_that_is_shorter() -> None:
    with pytest.raises(ValueError, match="longer must be at least n_positions = 5; got 4"):
        largest_change(index_encoding, 5, 4, 2)
