"""Attention against plain loops, and what it can and cannot tell about order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from refusals import assert_refused

from course_utils.attention import self_attention
from course_utils.encodings import sinusoidal_encoding

VECTORS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7),
    elements=st.floats(-5, 5),
)


def slow_attention(rows: list[list[float]]) -> list[list[float]]:
    d_model = len(rows[0])
    result = []
    for query in rows:
        scores = [
            math.fsum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(d_model)
            for key in rows
        ]
        weights = [math.exp(score - max(scores)) for score in scores]
        total = math.fsum(weights)
        result.append(
            [
                math.fsum(w * row[j] for w, row in zip(weights, rows, strict=True)) / total
                for j in range(d_model)
            ]
        )
    return result


@given(VECTORS)
def test_attention_against_loops(vectors):
    result = self_attention(vectors)
    assert result.dtype == np.float64 and result.shape == vectors.shape
    np.testing.assert_allclose(result, slow_attention(vectors.tolist()), rtol=0, atol=1e-12)


@given(VECTORS, st.randoms(use_true_random=False))
def test_shuffled_rows_come_out_shuffled_alike(vectors, random):
    order = list(range(len(vectors)))
    random.shuffle(order)
    difference = self_attention(vectors[order]) - self_attention(vectors)[order]
    assert np.abs(difference).max() < 1e-12


def test_positions_break_that_symmetry():
    vectors = np.random.default_rng(0).uniform(-1, 1, (5, 8))
    order = [0, 4, 2, 3, 1]
    positions = sinusoidal_encoding(5, 8)
    moved = self_attention(vectors[order] + positions) - self_attention(vectors + positions)[order]
    assert np.abs(moved).max() > 0.01


def test_attention_worked_by_hand():
    assert self_attention([[3.0, 4.0]]).tolist() == [[3, 4]]
    assert self_attention([[1, 2], [1, 2]]).tolist() == [[1, 2], [1, 2]]
    # One dimension: the scores of row 1 are 0 and 1, so its weights are 1 and e, over 1 + e.
    assert self_attention([[0], [1]])[:, 0] == pytest.approx([0.5, math.e / (1 + math.e)])


def test_large_scores_do_not_overflow():
    vectors = np.full((2, 2), 1e4) * [[1], [-1]]
    assert np.array_equal(self_attention(vectors), vectors)


def test_the_vectors_stay_as_they_are():
    vectors = np.arange(6.0).reshape(3, 2)
    self_attention(vectors)
    assert np.array_equal(vectors, np.arange(6.0).reshape(3, 2))


@pytest.mark.parametrize(
    "vectors",
    [
        *("ab", None, True, 1j, {1: 2}, [["a", "b"]], [[True]], [[None]], [[1, 2], [3]]),
        np.array([[1.0]], dtype=object),
    ],
    ids=repr,
)
def test_what_holds_no_numbers_is_refused(vectors):
    error = assert_refused(lambda: self_attention(vectors), "vectors must hold real numbers", "got")
    assert isinstance(error, TypeError)


@pytest.mark.parametrize("vectors", [[[math.nan, 1]], [[1], [math.inf]], np.full((9, 9), np.nan)])
def test_what_is_not_finite_is_refused(vectors):
    error = assert_refused(lambda: self_attention(vectors), "vectors must hold finite numbers")
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("vectors", [1.0, [], [1, 2], [[]], np.ones((2, 2, 2)), np.empty((0, 3))])
def test_what_is_no_table_is_refused(vectors):
    shape = f"got shape {np.shape(vectors)}."
    error = assert_refused(lambda: self_attention(vectors), "(n_words, d_model)", shape)
    assert isinstance(error, ValueError)
