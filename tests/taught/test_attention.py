"""Attention against plain loops, and what it can and cannot tell about order."""

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
from course_utils.encodings import sinusoidal_encoding

SCORES = st.floats(-50, 50)
VECTORS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7),
    elements=st.floats(-5, 5),
)


def dot(first: list[float], second: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(first, second, strict=True))


def slow_softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [each / math.fsum(exponentials) for each in exponentials]


def slow_attention(rows: list[list[float]]) -> list[list[float]]:
    root = math.sqrt(len(rows[0]))
    weights = [slow_softmax([dot(query, key) / root for key in rows]) for query in rows]
    return [[dot(row, column) for column in zip(*rows, strict=True)] for row in weights]


@given(VECTORS)
def test_attention_against_loops(vectors):
    vectors.flags.writeable = False
    result = self_attention(vectors)
    assert result.dtype == np.float64 and result.shape == vectors.shape
    np.testing.assert_allclose(result, slow_attention(vectors.tolist()), rtol=0, atol=1e-12)


@given(arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=SCORES))
def test_softmax_against_loops(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64 and weights.shape == scores.shape
    for row in np.ndindex(scores.shape[:-1]):
        assert weights[row] == pytest.approx(slow_softmax(scores[row].tolist()), rel=1e-12)


def test_large_scores_do_not_overflow():
    assert softmax([[1000, 1000], [-1000, 1000]]).tolist() == [[0.5, 0.5], [0, 1]]
    assert softmax([[0, 0], [2000, 2000]]).tolist() == [[0.5, 0.5], [0.5, 0.5]]


# Positions added to words


def test_the_table_is_added_from_its_first_row_on():
    add_positions = PositionalEncoding(6, 4, base=50)
    words = np.random.default_rng(0).uniform(-1, 1, (2, 3, 5, 4))
    words.flags.writeable = False
    result = add_positions(words)
    assert result.shape == words.shape
    for *sentence, word, column in np.ndindex(words.shape):
        angle = word / math.pow(50, (column - column % 2) / 4)
        added = math.cos(angle) if column % 2 else math.sin(angle)
        expected = words[*sentence, word, column] + added
        assert result[*sentence, word, column] == pytest.approx(expected, abs=1e-14)


def test_a_sentence_of_up_to_max_length_words_fits():
    add_positions = PositionalEncoding(6, 4)
    for n_words in (0, 1, 5, 6):
        assert add_positions(np.zeros((n_words, 4))).shape == (n_words, 4)


# The head that looks back


def a_head(seed: int, n_positions: int, d_model: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.normal(size=(n_positions, d_model)), generator.normal(size=(d_model, d_model))


def slow_scores(table: list[list[float]], weights: list[list[float]]) -> list[list[float]]:
    return [
        [
            math.fsum(q * weights[a][b] * k for a, q in enumerate(query) for b, k in enumerate(key))
            for key in table
        ]
        for query in table
    ]


def slow_loss(weights: list[list[float]], table: list[list[float]], k: int) -> float:
    losses = []
    for i, row in enumerate(slow_scores(table, weights)):
        if i >= k:
            losses.append(-math.log(slow_softmax(row)[i - k]))
    return math.fsum(losses) / len(losses)


def slow_accuracy(scores: list[list[float]], k: int) -> float:
    hits = 0.0
    for i in range(k, len(scores)):
        highest = max(scores[i])
        chosen = [j for j, score in enumerate(scores[i]) if score == highest]
        hits += (i - k in chosen) / len(chosen)
    return hits / (len(scores) - k)


heads = st.tuples(st.integers(0, 2**32), st.integers(2, 7), st.integers(1, 3))
whole_numbers = arrays(
    float, st.tuples(st.integers(2, 7), st.integers(1, 2)), elements=st.sampled_from([-1, 1, 2])
)


@given(heads)
def test_scores_of_a_head_against_loops(head):
    table, weights = a_head(*head)
    expected = slow_scores(table.tolist(), weights.tolist())
    np.testing.assert_allclose(look_back_scores(table, weights), expected, rtol=0, atol=1e-11)


@given(heads, st.integers(1, 6))
def test_loss_and_gradient_against_loops_and_differences(head, k):
    table, weights = a_head(*head)
    k = min(k, len(table) - 1)
    loss, gradient = look_back_loss(weights, table, k)
    assert type(loss) is float
    assert gradient.dtype == np.float64 and gradient.shape == weights.shape
    assert loss == pytest.approx(slow_loss(weights.tolist(), table.tolist(), k), rel=1e-9)
    for entry in np.ndindex(weights.shape):
        step = np.zeros(weights.shape)
        step[entry] = 1e-4
        ahead = slow_loss((weights + step).tolist(), table.tolist(), k)
        behind = slow_loss((weights - step).tolist(), table.tolist(), k)
        assert gradient[entry] == pytest.approx((ahead - behind) / 2e-4, abs=1e-5)


@given(whole_numbers, st.integers(1, 6))
def test_accuracy_against_loops_and_a_tie_is_right_in_part(table, k):
    """Of whole numbers: many scores are equal, and equal exactly."""
    k = min(k, len(table) - 1)
    weights = np.eye(table.shape[1])[::-1]
    scores = slow_scores(table.tolist(), weights.tolist())
    accuracy = look_back_accuracy(table, weights, k)
    assert accuracy == pytest.approx(slow_accuracy(scores, k), abs=1e-15)


def test_a_tie_that_rounding_broke_is_still_a_tie():
    assert look_back_accuracy([[1], [1 + 1e-12]], [[1]], 1) == 1 / 2
    assert look_back_accuracy([[1], [1 + 1e-6]], [[1]], 1) == 0


# Its training


@pytest.mark.parametrize("k", [1, 3])
def test_training_goes_down_to_where_the_loss_is_least(k):
    """Rows of 1 and -1: the loss bends as sharply as it can, and steps too long would overshoot."""
    for seed in range(6):
        table = np.random.default_rng(seed).choice([-1.0, 1.0], (40, 1))
        loss, slope = look_back_loss(train_look_back(table, k), table, k)
        assert abs(slope.item()) < 1e-9
        for n_steps in (1, 2, 5, 50):
            earlier, _ = look_back_loss(train_look_back(table, k, n_steps=n_steps), table, k)
            assert loss - 1e-12 <= earlier < math.log(40)


def test_each_step_is_of_the_documented_length_at_first():
    """From zero, the first step goes straight downhill; the second adds no momentum yet."""
    table = sinusoidal_encoding(20, 4)
    slope = look_back_loss(np.zeros((4, 4)), table, 2)[1]
    first = train_look_back(table, 2, n_steps=1)
    length = -first[0, 0] / slope[0, 0]
    np.testing.assert_allclose(first, -length * slope, rtol=1e-9)
    second = first - length * look_back_loss(first, table, 2)[1]
    np.testing.assert_allclose(train_look_back(table, 2, n_steps=2), second, rtol=1e-9)
    ahead = second + (second - first) / 4
    third = ahead - length * look_back_loss(ahead, table, 2)[1]
    np.testing.assert_allclose(train_look_back(table, 2, n_steps=3), third, rtol=1e-9)


def test_training_goes_on_from_its_start_and_changes_nothing_that_it_is_given():
    table, start = a_head(0, 10, 3)
    table.flags.writeable = start.flags.writeable = False
    losses = [look_back_loss(start, table, 2)[0]]
    for n_steps in (1, 10, 100):
        weights = train_look_back(table, 2, n_steps=n_steps, start=start)
        losses.append(look_back_loss(weights, table, 2)[0])
    assert losses == sorted(losses, reverse=True)
    from_zero = train_look_back(table, 2)
    assert np.array_equal(from_zero, train_look_back(table.tolist(), 2, n_steps=300))
    assert np.array_equal(from_zero, train_look_back(table, 2, start=np.zeros((3, 3))))


@pytest.mark.parametrize(
    "table", [np.zeros((5, 2)), np.full((9, 3), 0.1), [[0.1, 0.7]] * 8, np.eye(3) * 1e-200]
)
def test_training_on_rows_that_cannot_be_told_apart_stays_at_rest(table):
    weights = train_look_back(table, 1)
    assert np.abs(weights).max() < 0.01
    assert look_back_loss(weights, table, 1)[0] == pytest.approx(math.log(len(table)))
