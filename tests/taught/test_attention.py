"""Tests of attention against plain loops, and of its dependence on order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.attention import (
    PositionalEncoding,
    look_back_accuracy,
    look_back_loss,
    look_back_scores,
    self_attention,
    softmax,
    train_look_back,
)

SCORES = st.floats(-50, 50)
VECTORS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7),
    elements=st.floats(-5, 5),
)


def slow_softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [each / math.fsum(exponentials) for each in exponentials]


@given(VECTORS)
def test_attention_weights_rows_by_softmax(vectors):
    vectors.flags.writeable = False
    result = self_attention(vectors)
    assert result.dtype == np.float64 and result.shape == vectors.shape
    for query, mixed in zip(vectors, result, strict=True):
        scores = [math.fsum(query * key) / math.sqrt(len(query)) for key in vectors]
        np.testing.assert_allclose(mixed, slow_softmax(scores) @ vectors, rtol=0, atol=1e-12)


@given(arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=SCORES))
def test_softmax_against_loops_with_large_scores(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64 and weights.shape == scores.shape
    for row in np.ndindex(scores.shape[:-1]):
        assert weights[row] == pytest.approx(slow_softmax(scores[row].tolist()), rel=1e-12)
    assert softmax([[1000, 1000], [-1000, 1000]]).tolist() == [[0.5, 0.5], [0, 1]]


# Positions added to words


def test_table_is_added_from_its_first_row():
    add_positions = PositionalEncoding(5, 4, base=50)
    words = np.random.default_rng(0).uniform(-1, 1, (2, 3, 5, 4))
    words.flags.writeable = False
    divisors, waves = [1, math.sqrt(50)], (math.sin, math.cos)
    table = [[wave(i / each) for each in divisors for wave in waves] for i in range(5)]
    np.testing.assert_allclose(add_positions(words), words + table, rtol=0, atol=1e-14)


# The head that looks back


def a_head(seed: int, n_positions: int, d_model: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n_positions, d_model)), generator.normal(size=(d_model, d_model))


def slow_loss(weights: np.ndarray, table: np.ndarray, k: int) -> float:
    losses = []
    for i in range(k, len(table)):
        scores = [math.fsum((np.outer(table[i], key) * weights).flat) for key in table]
        losses.append(-math.log(slow_softmax(scores)[i - k]))
    return math.fsum(losses) / len(losses)


def slow_accuracy(scores: np.ndarray, k: int) -> float:
    """Compute the accuracy in a loop, with ties broken at random."""
    hits = []
    for i in range(k, len(scores)):
        is_highest = scores[i] == max(scores[i])
        hits.append(is_highest[i - k] / sum(is_highest))
    return math.fsum(hits) / len(hits)


heads = st.tuples(st.integers(0, 2**32), st.integers(2, 7), st.integers(1, 3))
whole_numbers = arrays(
    float, st.tuples(st.integers(2, 7), st.integers(1, 2)), elements=st.sampled_from([-1, 1, 2])
)


@given(heads, st.integers(1, 6))
def test_scores_loss_gradient_against_loops(head, k):
    table, weights = a_head(*head)
    k = min(k, len(table) - 1)
    expected = np.einsum("ia,ab,jb->ij", table, weights, table)
    np.testing.assert_allclose(look_back_scores(table, weights), expected, rtol=0, atol=1e-11)
    loss, gradient = look_back_loss(weights, table, k)
    assert type(loss) is float
    assert gradient.dtype == np.float64 and gradient.shape == weights.shape
    assert loss == pytest.approx(slow_loss(weights, table, k), rel=1e-9)
    for entry in np.ndindex(weights.shape):
        step = np.zeros(weights.shape)
        step[entry] = 1e-4
        ahead, behind = (slow_loss(weights + change, table, k) for change in (step, -step))
        assert gradient[entry] == pytest.approx((ahead - behind) / 2e-4, abs=1e-5)


@given(whole_numbers, st.integers(1, 6))
def test_accuracy_against_loops_counts_ties_in_part(table, k):
    """The tables contain integers, so many scores are exactly equal."""
    k = min(k, len(table) - 1)
    weights = np.eye(table.shape[1])[::-1]
    accuracy = look_back_accuracy(table, weights, k)
    assert accuracy == pytest.approx(slow_accuracy(table @ weights @ table.T, k), abs=1e-15)


def test_rounding_keeps_ties():
    assert look_back_accuracy([[1], [1 + 1e-12]], [[1]], 1) == 1 / 2
    assert look_back_accuracy([[1], [1 + 1e-6]], [[1]], 1) == 0


# Training the head that looks back


def test_training_reaches_least_loss():
    """For rows of 1 and -1, the curvature is largest, so longer steps would overshoot."""
    for seed in range(4):
        table = np.random.default_rng(seed).choice([-1.0, 1.0], (40, 1))
        loss, slope = look_back_loss(train_look_back(table, 3), table, 3)
        assert abs(slope.item()) < 1e-9
        for n_steps in (1, 2, 5, 50):
            earlier, _ = look_back_loss(train_look_back(table, 3, n_steps=n_steps), table, 3)
            assert loss - 1e-12 <= earlier < math.log(40)


def test_training_takes_documented_steps():
    """The first steps follow the gradient, and momentum begins with the third step."""
    table, start = a_head(0, 10, 3)
    table.flags.writeable = start.flags.writeable = False
    zero = np.zeros((3, 3))
    length = -(train_look_back(table, 2, n_steps=1) / look_back_loss(zero, table, 2)[1])[0, 0]
    for begin, first in ((None, zero), (start, start)):
        weights = ahead = first
        for step in range(5):
            before, weights = weights, ahead - length * look_back_loss(ahead, table, 2)[1]
            ahead = weights + step / (step + 3) * (weights - before)
            trained = train_look_back(table, 2, n_steps=step + 1, start=begin)
            np.testing.assert_allclose(trained, weights, rtol=1e-9)
    # For eight rows of 1 and -1, the loss has a curvature of at most 8/6 and the slope -1 at 0.
    assert train_look_back([[1], [-1]] * 4, 2, n_steps=1) == pytest.approx(np.array([[6 / 8]]))
    in_300_steps = train_look_back(table.tolist(), 2, n_steps=300)
    assert np.array_equal(train_look_back(table, 2), in_300_steps)


@pytest.mark.parametrize(
    "table", [np.zeros((5, 2)), np.full((9, 3), 0.1), [[0.1, 0.7]] * 8, np.eye(3) * 1e-200]
)
def test_training_on_equal_rows_changes_nothing(table):
    weights = train_look_back(table, 1)
    assert np.abs(weights).max() < 0.01
    assert look_back_loss(weights, table, 1)[0] == pytest.approx(math.log(len(table)))
