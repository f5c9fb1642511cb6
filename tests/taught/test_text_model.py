"""Tests of the character model in NumPy, against PyTorch and its definition."""

import numpy as np
import pytest
from checks.experiment_scripts import model_that_reads, pytorch

from course_utils import text_model
from course_utils.pictures.long_texts import shares_by_distance
from course_utils.stretching import stretched_frequencies
from course_utils.text_model import (
    CHARACTERS,
    ENCODINGS,
    LONGEST,
    STRETCHES,
    TRAINED_LENGTH,
    held_out_texts,
    indices,
    look_back_shares,
    read,
)
from course_utils.words.text import LANGUAGES

CHOICES = [(encoding, None) for encoding in ENCODINGS] + [("rope", each) for each in STRETCHES]


def random_text(length: int, seed: int = 0) -> str:
    """Return random characters."""
    return "".join(np.random.default_rng(seed).choice(list(CHARACTERS), length))


# The forward pass. --------------------------------------------------------------------------------


def assert_as_pytorch(reading, encoding, *arguments, **how) -> None:
    """Check that NumPy and PyTorch agree for the same weights."""
    attention = []
    batch = pytorch().tensor(indices(reading.text))[None]
    scores = model_that_reads(encoding)(batch, *arguments, attention=attention, **how)
    expected = scores[0].double().log_softmax(-1)
    bits = -expected[:-1].gather(1, batch[0, 1:, None])[:, 0] / np.log(2)
    np.testing.assert_allclose(reading.bits, bits, atol=1e-4)
    np.testing.assert_allclose(reading.probabilities, expected.exp(), atol=1e-4)
    np.testing.assert_allclose(reading.attention, pytorch().cat(attention), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "stretch"), CHOICES)
def test_numpy_agrees_with_pytorch_on_same_weights(encoding, stretch):
    for length in (1, 2, TRAINED_LENGTH) + (() if encoding == "learned" else (300,)):
        for text in (random_text(length), held_out_texts("es")[1][:length]):
            reading = read(text, encoding, stretch)
            factor = max(1, len(reading.text) / 64)
            assert_as_pytorch(reading, encoding, stretch or "trained", factor)


@pytest.mark.slow
def test_numpy_agrees_with_pytorch_on_held_pairs():
    how = {"held": (0, 2, 7), "limit": 11, "window": 40}
    reading = read(random_text(90), "rope", "ntk", factor=2, **how)
    assert_as_pytorch(reading, "rope", "ntk", 2, **how)


@pytest.mark.parametrize(("encoding", "stretch"), CHOICES)
def test_model_does_not_see_later_characters(encoding, stretch):
    how = {"factor": 4} if stretch else {}
    first, second = (
        read(random_text(40) + random_text(20, seed), encoding, stretch, **how) for seed in (1, 2)
    )
    assert first.attention.shape == (2, 4, 60, 60)
    np.testing.assert_allclose(first.attention.sum(axis=-1), 1, atol=1e-12)
    assert not np.triu(first.attention, k=1).any()
    np.testing.assert_allclose(first.bits[:39], second.bits[:39], atol=1e-12)
    assert not np.allclose(first.bits[40:], second.bits[40:])
    within = read(first.text, encoding, stretch, window=7, **how).attention
    assert not np.tril(within, k=-8).any() and (np.diagonal(within, -7, -2, -1) > 0).all()
    np.testing.assert_allclose(within.sum(axis=-1), 1, atol=1e-12)


def test_swap_changes_output_only_with_encoding():
    """Without positions, attention to a previous character does not depend on its position."""
    text = "position"
    swapped = "opsition"
    for encoding in ENCODINGS:
        one, other = (read(each, encoding).attention[0, :, -1] for each in (text, swapped))
        same = np.allclose(one[:, [1, 0]], other[:, :2], atol=1e-12)
        assert same == (encoding == "none"), encoding


@pytest.mark.parametrize("stretch", STRETCHES)
def test_stretching_starts_beyond_training_length(stretch):
    text = held_out_texts("en")[0]
    within, beyond = text[:TRAINED_LENGTH], text[: 2 * TRAINED_LENGTH]
    np.testing.assert_allclose(read(within, "rope", stretch).bits, read(within).bits, atol=1e-9)
    assert not np.allclose(read(beyond, "rope", stretch).bits, read(beyond).bits, atol=0.1)
    twice = read(beyond, "rope", stretch, factor=2).bits
    np.testing.assert_array_equal(read(beyond, "rope", stretch).bits, twice)


def test_start_affects_only_position_tables(monkeypatch):
    """RoPE, ALiBi and a model without positions depend only on distances, which do not change."""
    text = held_out_texts("es")[0][:40]
    for encoding in ENCODINGS:
        change = np.abs(read(text, encoding).bits - read(text, encoding, start=20).bits).max()
        assert (change < 1e-9) == (encoding not in ("learned", "sinusoidal")), encoding
    far = read(text, "rope", start=text_model.FURTHEST).bits
    np.testing.assert_allclose(far, read(text).bits, atol=1e-6)
    moved = read(text, "learned", start=20).bits
    weights = dict(text_model.weights("learned"))
    weights["positions"] = np.roll(weights["positions"], -20, axis=0)
    monkeypatch.setattr(text_model.forward, "weights", lambda encoding: weights)
    np.testing.assert_allclose(read(text, "learned").bits, moved, atol=1e-12)


def test_effect_of_fastest_clock_depends_on_distance():
    """“The idea in ten minutes” describes clock 1, which completes a turn in six letters."""
    texts = [text[:256] for language in LANGUAGES for text in held_out_texts(language)[:3]]

    def bits(**how: object) -> float:
        return np.mean([read(text, **how).bits[128:].mean() for text in texts])

    assert bits(held=(0,)) < bits() < bits(held=(0,), limit=64)


def plain_scores(queries, keys, held, limit, frequencies):
    """Compute scores pair by pair with complex numbers."""
    queries, keys = (each[..., 0::2] + 1j * each[..., 1::2] for each in (queries, keys))
    positions = np.arange(queries.shape[1])
    steps = positions[:, None] - positions
    scores = np.zeros((len(queries), *steps.shape))
    for pair, turning in enumerate(frequencies):
        turns = np.exp(1j * turning * (np.minimum(steps, limit) if pair in held else steps))
        scores += (queries[:, :, None, pair] * turns * keys[:, None, :, pair].conj()).real
    return scores


@pytest.mark.parametrize(
    ("held", "limit", "stretch"),
    [((0, 2, 7), 1, None), (range(8), None, "ntk"), ((3,), 0, "ntk")],
)
def test_held_pairs_turn_with_distance_up_to_limit(held, limit, stretch, monkeypatch):
    text, how = random_text(66 if limit is None else 20), {"factor": 3.0} if stretch else {}
    ours = read(text, "rope", stretch, start=17, held=held, limit=limit, **how)
    turning = stretched_frequencies(
        stretch or "trained", 16, 3, TRAINED_LENGTH, limits=text_model.YARN_LIMITS
    )
    monkeypatch.setattr(
        text_model.forward,
        "rope_products",
        lambda queries, keys, *_: plain_scores(
            queries, keys, set(held), 62 if limit is None else limit, turning
        ),
    )
    np.testing.assert_allclose(ours.bits, read(text, "rope", stretch, **how).bits, atol=1e-9)


# Predictions. -------------------------------------------------------------------------------------


def test_bits_are_logarithms_of_probabilities():
    reading = read("la posición de una palabra")
    for position, bits in enumerate(reading.bits, start=1):
        expected = dict(reading.expected(position, top=len(CHARACTERS)))
        assert sum(expected.values()) == pytest.approx(1)
        assert 2.0**-bits == pytest.approx(expected[reading.text[position]])
        likelihoods = list(expected.values())
        assert likelihoods == sorted(likelihoods, reverse=True)


LETTERS = "abcdefghijklmnñopqrstuvwxyzáéíóúü¿¡"


@pytest.mark.parametrize(
    ("typed", "plain", "left_out"),
    [
        (LETTERS + LETTERS.upper(), LETTERS + LETTERS, ()),
        ("n\N{COMBINING TILDE}u\N{COMBINING DIAERESIS}", "ñü", ()),
        ("«Sí» —dijo—\n\n  “no’t”", '"sí" -dijo- "no\'t"', ()),
        ("A ☃ b#c☃ ç", "a bc ", ("☃", "#", "ç")),
        ("a", "a", ()),
    ],
)
def test_typed_characters_are_normalised(typed, plain, left_out):
    reading = read(typed)
    assert (reading.text, reading.left_out) == (plain, left_out)
    assert reading.bits.shape == (len(plain) - 1,)
    assert reading.attention.shape == (2, 4, len(plain), len(plain))
    assert len(reading.expected(1)) == 3
    np.testing.assert_array_equal(reading.bits, read(plain).bits)


# Heads. -------------------------------------------------------------------------------------------


def test_head_that_looks_back_is_found_by_loop():
    length, given = 200, []
    for text in (*held_out_texts("en"), *held_out_texts("es")):
        for start in range(0, LONGEST - length + 1, length):
            attention = read(text[start : start + length], "rope", "yarn").attention
            for query in range(length // 2, length - 1):
                given.append(attention[:, :, query, query - 1])
    shares = look_back_shares("rope", length, "yarn")
    np.testing.assert_allclose(shares, np.mean(given, axis=0), atol=1e-12)


def test_shares_by_distance_against_loops():
    attention = np.tril(np.random.default_rng(0).random((12, 12)))
    attention /= attention.sum(axis=1, keepdims=True)
    expected = np.zeros((3, 3))
    for i in range(12):
        for j in range(i + 1):
            kind = 0 if i - j < 2 else 1 if i - j < 3 else 2
            expected[i // 4, kind] += attention[i, j] / 4
    assert np.allclose(shares_by_distance(attention, 4), expected, atol=1e-12)
