"""Attention against plain loops, and what it can and cannot tell about order."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from refusals import assert_refused

from course_utils.attention import (
    PositionalEncoding,
    look_back_accuracy,
    look_back_loss,
    look_back_scores,
    self_attention,
    softmax,
    train_look_back,
)
from course_utils.encodings import index_encoding, normalized_encoding, sinusoidal_encoding
from course_utils.relative import learned_encoding

SCORES = st.floats(-50, 50)
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
    expected = slow_attention(vectors.tolist())
    result = self_attention(vectors)
    assert result.dtype == np.float64 and result.shape == vectors.shape
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)
    assert slow_attention(vectors.tolist()) == expected, "the vectors were changed"


@given(VECTORS, st.randoms(use_true_random=False))
def test_shuffled_rows_come_out_shuffled_alike(vectors, random):
    order = list(range(len(vectors)))
    random.shuffle(order)
    difference = self_attention(vectors[order]) - self_attention(vectors)[order]
    assert np.abs(difference).max() < 1e-12


def test_large_scores_do_not_overflow():
    vectors = np.full((2, 2), 1e4) * [[1], [-1]]
    assert np.array_equal(self_attention(vectors), vectors)


# Softmax


@given(arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=SCORES))
def test_softmax_against_loops(scores):
    weights = softmax(scores)
    assert weights.dtype == np.float64 and weights.shape == scores.shape
    for row in np.ndindex(scores.shape[:-1]):
        exponentials = [math.exp(score) for score in scores[row].tolist()]
        total = math.fsum(exponentials)
        assert weights[row] == pytest.approx([e / total for e in exponentials], rel=1e-12)
        assert math.fsum(weights[row]) == pytest.approx(1, abs=1e-14)


def test_softmax_of_large_scores():
    assert softmax([[1000, 1000], [-1000, 1000]]).tolist() == [[0.5, 0.5], [0, 1]]
    assert softmax([[0, 0], [2000, 2000]]).tolist() == [[0.5, 0.5], [0.5, 0.5]]


# Positions added to words


def test_the_table_is_added_from_its_first_row_on():
    add_positions = PositionalEncoding(6, 4, base=50)
    words = np.random.default_rng(0).uniform(-1, 1, (2, 3, 5, 4))
    before = words.copy()
    result = add_positions(words)
    assert np.array_equal(words, before) and result.shape == words.shape
    for sentence in np.ndindex(2, 3):
        for word in range(5):
            for column in range(4):
                angle = word / math.pow(50, (column - column % 2) / 4)
                added = math.cos(angle) if column % 2 else math.sin(angle)
                expected = words[*sentence, word, column] + added
                assert result[*sentence, word, column] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("n_words", [0, 1, 5, 6])
def test_a_sentence_of_up_to_max_length_words_fits(n_words):
    assert PositionalEncoding(6, 4)(np.zeros((n_words, 4))).shape == (n_words, 4)
    assert PositionalEncoding(6, 4).table.shape == (6, 4)


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
            paid = math.exp(row[i - k]) / math.fsum(math.exp(score) for score in row)
            losses.append(-math.log(paid))
    return math.fsum(losses) / len(losses)


def slow_accuracy(scores: list[list[float]], k: int) -> float:
    hits = 0.0
    for i in range(k, len(scores)):
        highest = max(scores[i])
        chosen = [j for j, score in enumerate(scores[i]) if score == highest]
        hits += (i - k in chosen) / len(chosen)
    return hits / (len(scores) - k)


heads = st.tuples(st.integers(0, 2**32), st.integers(2, 7), st.integers(1, 3))


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


def test_the_gradient_against_autograd():
    torch = pytest.importorskip(
        "torch", reason="install the extra torch: pip install -e '.[torch]'"
    )
    table, weights = a_head(1, 20, 6)
    for k in (1, 7, 19):
        parameter = torch.tensor(weights, requires_grad=True)
        rows = torch.tensor(table)
        scores = (rows @ parameter @ rows.T)[k:]
        loss = torch.nn.functional.cross_entropy(scores, torch.arange(20 - k))
        loss.backward()
        ours, gradient = look_back_loss(weights, table, k)
        assert ours == pytest.approx(loss.item(), rel=1e-12)
        np.testing.assert_allclose(gradient, parameter.grad.numpy(), rtol=0, atol=1e-12)


@given(heads, st.integers(1, 6), st.floats(0, 1))
def test_the_loss_is_convex(head, k, share):
    table, first = a_head(*head)
    second = np.random.default_rng(head[0] + 1).normal(scale=5, size=first.shape)
    k = min(k, len(table) - 1)
    between, _ = look_back_loss(share * first + (1 - share) * second, table, k)
    (start, slope), (end, _) = (look_back_loss(weights, table, k) for weights in (first, second))
    assert between <= share * start + (1 - share) * end + 1e-9
    assert end >= start + np.sum(slope * (second - first)) - 1e-9


def test_large_scores_do_not_ruin_the_loss():
    loss, gradient = look_back_loss([[1e4]], [[1], [2], [3]], 1)
    # Query 2 looks at key 3, not at 1: 4e4 off; query 3 looks at key 3, not at 2: 3e4 off.
    assert loss == 3.5e4
    # The gradient is the mean of query times (key looked at - key wanted): (2 * 2 + 3 * 1) / 2.
    assert gradient.tolist() == [[3.5]]


@given(heads, st.integers(1, 6))
def test_accuracy_against_loops(head, k):
    table, weights = a_head(*head)
    k = min(k, len(table) - 1)
    expected = slow_accuracy(slow_scores(table.tolist(), weights.tolist()), k)
    assert look_back_accuracy(table, weights, k) == pytest.approx(expected, abs=1e-15)


@given(st.lists(st.sampled_from([-1, 1, 2]), min_size=2, max_size=7), st.integers(1, 6))
def test_a_tie_is_right_in_part(table, k):
    """Rows of one whole number each: many scores are equal, and equal exactly."""
    k = min(k, len(table) - 1)
    scores = [[first * second for second in table] for first in table]
    accuracy = look_back_accuracy([[row] for row in table], [[1]], k)
    assert accuracy == pytest.approx(slow_accuracy(scores, k), abs=1e-15)


def test_a_tie_that_rounding_broke_is_still_a_tie():
    assert look_back_accuracy([[1], [1 + 1e-12]], [[1]], 1) == 1 / 2
    assert look_back_accuracy([[1], [1 + 1e-6]], [[1]], 1) == 0


# Its training


def ones_at_random(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1.0, 1.0], (40, 1))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [1, 3])
def test_training_goes_down_to_where_the_loss_is_least(seed, k):
    """Rows of 1 and -1: the loss bends as sharply as it can, and steps too long would overshoot."""
    table = ones_at_random(seed)
    least = look_back_loss(train_look_back(table, k), table, k)
    assert abs(least[1].item()) < 1e-9
    losses = [
        look_back_loss(train_look_back(table, k, n_steps=n), table, k)[0] for n in (1, 2, 5, 50)
    ]
    assert max(losses) < math.log(40) and min(losses) >= least[0] - 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_training_ends_where_another_method_ends(seed):
    """Newton's method, its curvature from differences of the gradient, has no step to choose."""
    table = np.random.default_rng(seed).normal(size=(30, 2))
    weights = np.zeros(4)
    for _ in range(20):
        slope = look_back_loss(weights.reshape(2, 2), table, 1)[1].ravel()
        curvature = [
            look_back_loss((weights + 1e-6 * axis).reshape(2, 2), table, 1)[1].ravel() - slope
            for axis in np.eye(4)
        ]
        weights -= np.linalg.solve(np.array(curvature).T / 1e-6, slope)
    best = look_back_loss(weights.reshape(2, 2), table, 1)[0]
    loss, _ = look_back_loss(train_look_back(table, 1), table, 1)
    assert loss == pytest.approx(best, abs=1e-7)


def test_momentum_gets_further_than_plain_steps_could():
    """After n plain steps, the loss of this head would still be above 0.3."""
    table = sinusoidal_encoding(64, 32)
    loss, _ = look_back_loss(train_look_back(table, 3), table, 3)
    assert loss < 0.05


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


def test_training_goes_on_from_its_start_and_leaves_it_alone():
    table, start = a_head(0, 10, 3)
    before = start.copy()
    losses = [look_back_loss(start, table, 2)[0]]
    for n_steps in (1, 10, 100):
        weights = train_look_back(table, 2, n_steps=n_steps, start=start)
        losses.append(look_back_loss(weights, table, 2)[0])
    assert losses == sorted(losses, reverse=True) and np.array_equal(start, before)
    zero = train_look_back(table, 2, n_steps=5, start=np.zeros((3, 3)))
    assert np.array_equal(zero, train_look_back(table, 2, n_steps=5))
    for wrong in (start[:2], [[math.nan] * 3] * 3):
        assert_refused(partial(train_look_back, table, 2, start=wrong), "start must")


def test_training_is_the_same_every_time_and_leaves_the_table_alone():
    table = np.random.default_rng(0).normal(size=(10, 3))
    before = table.copy()
    first = train_look_back(table, 2, n_steps=20)
    assert np.array_equal(first, train_look_back(table, 2, n_steps=20))
    assert np.array_equal(first, train_look_back(table.tolist(), 2, n_steps=20))
    assert np.array_equal(train_look_back(table, 2), train_look_back(table, 2, n_steps=300))
    look_back_accuracy(table, first, 2)
    look_back_loss(first, table, 2)
    assert np.array_equal(table, before)


@pytest.mark.parametrize(
    "table", [np.zeros((5, 2)), np.full((9, 3), 0.1), [[0.1, 0.7]] * 8, np.eye(3) * 1e-200]
)
def test_training_on_rows_that_cannot_be_told_apart_stays_at_rest(table):
    weights = train_look_back(table, 1)
    assert np.abs(weights).max() < 0.01
    assert look_back_loss(weights, table, 1)[0] == pytest.approx(math.log(len(table)))


# What the lesson says of it: 32 dimensions, trained on 64 positions.


def accuracies(encoding: Callable[[int], np.ndarray], k: int) -> tuple[float, float, float]:
    """On the positions trained on, on 128, and on positions 1000 to 1063."""
    weights = train_look_back(encoding(64), k)
    tables = encoding(64), encoding(128), encoding(1064)[1000:]
    return tuple(look_back_accuracy(table, weights, k) for table in tables)


@pytest.mark.parametrize("k", range(1, 9))
def test_sinusoids_let_a_head_look_back_anywhere(k):
    assert accuracies(lambda n: sinusoidal_encoding(n, 32), k) == (1, 1, 1)


@pytest.mark.parametrize("encoding", [index_encoding, normalized_encoding])
def test_one_number_lets_no_head_look_back(encoding):
    for k in (1, 4, 8):
        assert accuracies(lambda n: encoding(n, 32), k) == (0, 0, 0)


@pytest.mark.parametrize("k", [1, 4, 8])
def test_learned_vectors_let_a_head_look_back_where_it_was_trained(k):
    trained, longer, far = accuracies(lambda n: learned_encoding(n, 32, max_length=1064), k)
    assert trained == 1 and 0.3 < longer < 0.6 and far < 0.1


# Bad input that is no other module's


def test_a_sentence_that_is_too_long_is_refused():
    add_positions = PositionalEncoding(6, 4)
    for shape in ((7, 4), (2, 7, 4), (100, 4)):
        said = "word_vectors must have at most max_length = 6 words", f"got {shape[-2]}."
        assert_refused(partial(add_positions, np.zeros(shape)), *said)


def test_no_look_further_back_than_the_sequence_is_long():
    table, weights = [[1, 2], [3, 4], [5, 6]], [[1, 0], [0, 1]]
    for call in (
        partial(look_back_loss, weights, table),
        partial(train_look_back, table),
        partial(look_back_accuracy, table, weights),
    ):
        call(2)
        for k in (3, 4, 10**12):
            assert_refused(
                partial(call, k), "steps_back must be at most 2", f"got {k}.", kind=ValueError
            )
