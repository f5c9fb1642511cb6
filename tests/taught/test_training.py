"""Tests of the learning head's gradient, its JavaScript version, and statements in lesson 07."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from checks.javascript import exports, running

from course_utils import training_explorer
from course_utils.explorers.training import training
from course_utils.relative import rotate
from course_utils.training import (
    ENCODINGS,
    N_SYMBOLS,
    N_TEXTS,
    LearningHead,
    RandomNumbers,
    draw_texts,
)

every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


@pytest.fixture(scope="module")
def page() -> Iterator[Callable[[str, object], object]]:
    """Module of the explorer, with a head or a training run in ``kept``."""
    with running(
        exports("training/learning_head.js", "training/training.js") + "let kept;\n"
    ) as ask:
        yield ask


def some_texts(length: int = 12, n_texts: int = 3) -> np.ndarray:
    return draw_texts(RandomNumbers(seed=99), n_texts, length)


# The head


@every_encoding
def test_gradient_equals_finite_differences(encoding: str) -> None:
    head = LearningHead(encoding, steps_back=3, d_model=6, seed=4)
    head.train(3)  # initially, parts of it are small
    texts, step = some_texts(), 1e-5
    _, gradient = head.loss(texts)
    for name, matrix in head.weights.items():
        measured = np.empty_like(matrix)
        for place in np.ndindex(matrix.shape):
            kept, losses = matrix[place], []
            for change in (step, -step):
                matrix[place] = kept + change
                losses.append(head.loss(texts)[0])
            matrix[place] = kept
            measured[place] = (losses[0] - losses[1]) / (2 * step)
        assert np.abs(measured).max() > 1e-3
        np.testing.assert_allclose(gradient[name], measured, atol=1e-8)


@every_encoding
def test_head_equals_its_formulas_in_loop(encoding: str) -> None:
    head = LearningHead(encoding, d_model=6, seed=2)
    (text,) = texts = some_texts(7, 1)
    ((attention,), (scores,)) = head.read(texts)
    vectors = head.weights["E"][text]
    if encoding == "sinusoidal":
        waves = [10_000 ** (-2 * k / 6) for k in range(3)]
        at = lambda i: [f(i * w) for w in waves for f in (math.sin, math.cos)]  # noqa: E731
        vectors = vectors + np.array([at(i) for i in range(7)])
    queries, keys, values = (vectors @ head.weights[name] for name in ("W_Q", "W_K", "W_V"))
    for i in range(7):
        query = rotate(queries[i], i) if encoding == "rope" else queries[i]
        turned = [rotate(keys[j], j) if encoding == "rope" else keys[j] for j in range(i + 1)]
        raised = [math.exp(query @ key / math.sqrt(6)) for key in turned]
        shares = [each / math.fsum(raised) for each in raised]
        np.testing.assert_allclose(attention[i], [*shares, *[0] * (6 - i)], atol=1e-12)
        np.testing.assert_allclose(scores[i], shares @ values[: i + 1], atol=1e-12)


def test_loss_counts_expected_symbols() -> None:
    head, texts = LearningHead("rope", steps_back=2), some_texts()
    _, scores = head.read(texts)
    wrong = [
        math.log(math.fsum(map(math.exp, scores[number, i]))) - scores[number, i, text[i - 2]]
        for number, text in enumerate(texts)
        for i in range(2, len(text))
    ]
    assert head.loss(texts)[0] == pytest.approx(math.fsum(wrong) / len(wrong), rel=1e-12)
    guesses = LearningHead("none")
    guesses.weights["W_V"][:] = 0
    assert guesses.loss(texts)[0] == pytest.approx(math.log(N_SYMBOLS))


def test_invalid_training_is_rejected_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"three of none, sinusoidal, rope.*\.$"):
        training_explorer("rope")
    with pytest.raises(ValueError, match=r"at most 3; got 4\.$"):
        training_explorer(steps_back=4)


# The lesson's claims, with another seed, width and length


def test_only_rope_stays_ahead_beyond_training_length() -> None:
    seed, d_model, length = 3, 24, 24
    texts, inside, beyond = draw_texts(RandomNumbers(2**20), 8, 2 * length), {}, {}
    for encoding in ENCODINGS:
        head = LearningHead(encoding, seed=seed, d_model=d_model, length=length)
        head.train(200)
        parts = np.split(head.found(texts), [length - 1], axis=1)
        inside[encoding], beyond[encoding] = (part.mean() for part in parts)
        if encoding == "rope":
            wrong = ~parts[1]
            looks_at = head.read(texts)[0][:, length:].argmax(axis=-1)
            distances = np.arange(length, 2 * length) - looks_at
    assert 0.15 < inside["none"] < 0.35 < 0.8 < min(inside["sinusoidal"], inside["rope"])
    assert max(beyond["none"], beyond["sinusoidal"]) < 0.25 < 0.5 < beyond["rope"] < 1
    assert (distances[wrong] >= length).mean() > 0.6


# The JavaScript version


def test_both_languages_share_training_settings(page) -> None:
    settings = [training.RUN, training.N_TEST_TEXTS, training.TEST_SEED]
    assert page("[SYMBOLS, TEXTS, RUN, N_TEST_TEXTS, TEST_SEED]", None) == [
        N_SYMBOLS,
        N_TEXTS,
        *settings,
    ]


def test_training_explorer_matches_numpy(page) -> None:
    """Halfway, the encodings of all heads and their task are changed."""
    others = [*ENCODINGS[1:], ENCODINGS[0]]
    page(
        """(kept = new Training({ encodings: given[0], stepsBack: 1, seed: 6 }),
            Array.from({ length: 30 }, () => kept.step()),
            kept.change({ encodings: given[1], stepsBack: 2 }),
            Array.from({ length: 30 }, () => kept.step()), 1)""",
        [ENCODINGS, others],
    )
    losses = page("kept.losses", None)
    shares = {length: page("kept.shares(given, 128)", length) for length in (32, 50, 128)}
    shown = page("kept.shown(80).map(({attention, answer}) => [[...attention], answer])", None)
    again = page("(kept.restart(), kept.step(), kept.step(), kept.losses)", None)
    texts = draw_texts(RandomNumbers(training.TEST_SEED), training.N_TEST_TEXTS, 128)
    for number, (first, second) in enumerate(zip(ENCODINGS, others, strict=True)):
        head = LearningHead(first, seed=6)
        expected = head.train(30)
        head.encoding, head.steps_back = second, 2
        np.testing.assert_allclose(losses[number], [*expected, *head.train(30)], rtol=1e-8)
        found = head.found(texts)
        for length, shares_of_heads in shares.items():
            assert shares_of_heads[number]["inside"] == pytest.approx(found[:, :30].mean())
            beyond = pytest.approx(found[:, 30 : length - 2].mean()) if length > 32 else None
            assert shares_of_heads[number]["beyond"] == beyond
        attention, scores = head.read(texts[:1, :80])
        np.testing.assert_allclose(shown[number][0], attention.ravel(), atol=1e-8)
        assert shown[number][1] == scores[0, -1].argmax()
        anew = LearningHead(second, steps_back=2, seed=6).train(2)
        np.testing.assert_allclose(again[number], anew, rtol=1e-8)
