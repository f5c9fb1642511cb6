"""The model that reads, in NumPy: against PyTorch, and against what its definition asks for."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from checks.experiment_scripts import model_that_reads, pytorch

from course_utils import text_model
from course_utils.stretching import stretched_frequencies, yarn_frequencies
from course_utils.text_model import (
    CHARACTERS,
    ENCODINGS,
    LONGEST,
    STRETCHES,
    TRAINED_LENGTH,
    head_looking_back,
    held_out_texts,
    indices,
    look_back_shares,
    read,
)

REPOSITORY = Path(__file__).resolve().parents[2]
CHOICES = [(encoding, None) for encoding in ENCODINGS] + [("rope", each) for each in STRETCHES]


def random_text(length: int, seed: int = 0) -> str:
    """Characters at random: no text that a model was tuned on."""
    return "".join(np.random.default_rng(seed).choice(list(CHARACTERS), length))


# The forward pass. --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "stretch"), CHOICES)
def test_numpy_and_pytorch_agree_on_the_same_weights(encoding, stretch):
    model = model_that_reads(encoding)
    for length in (1, 2, TRAINED_LENGTH) + (() if encoding == "learned" else (100, 300)):
        for text in (random_text(length), held_out_texts("es")[1][:length]):
            text = text_model.plain(text)
            reading = read(text, encoding, stretch)
            attention = []
            way = {"way": stretch or "trained", "factor": max(1, len(text) / 64)}
            batch = pytorch().tensor(indices(text))[None]
            expected = model(batch, attention=attention, **way)[0].double().log_softmax(-1)
            bits = -expected[:-1].gather(1, batch[0, 1:, None])[:, 0] / np.log(2)
            np.testing.assert_allclose(reading.bits, bits, atol=1e-4)
            np.testing.assert_allclose(reading.probabilities, expected.exp(), atol=1e-4)
            np.testing.assert_allclose(reading.attention, pytorch().cat(attention), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("held", [(3,), (0, 2, 7)])
def test_numpy_and_pytorch_agree_on_held_pairs_and_a_window(held):
    text = text_model.plain(random_text(90))
    reading = read(text, "rope", "ntk", factor=2, held=held, limit=11, window=40)
    batch = pytorch().tensor(indices(text))[None]
    scores = model_that_reads("rope")(batch, "ntk", 2, held=held, limit=11, window=40)
    expected = scores[0].double().softmax(-1)
    np.testing.assert_allclose(reading.probabilities, expected, atol=1e-4)


@pytest.mark.parametrize(("encoding", "stretch"), CHOICES)
def test_neither_attention_nor_a_guess_knows_what_comes_later(encoding, stretch):
    how = {"factor": 4} if stretch else {}
    first, second = (
        read(random_text(40) + random_text(20, seed), encoding, stretch, **how) for seed in (1, 2)
    )
    assert first.attention.shape == (2, 4, 60, 60)
    np.testing.assert_allclose(first.attention.sum(axis=-1), 1, atol=1e-12)
    assert not np.triu(first.attention, k=1).any()
    np.testing.assert_allclose(first.bits[:39], second.bits[:39], atol=1e-12)
    assert not np.allclose(first.bits[40:], second.bits[40:])


def test_without_an_encoding_the_first_layer_does_not_notice_a_swap_and_with_one_it_does():
    """A query looks at a character as much wherever before it the character stands."""
    text = "position"
    swapped = "opsition"
    for encoding in ENCODINGS:
        one, other = (read(each, encoding).attention[0, :, -1] for each in (text, swapped))
        same = np.allclose(one[:, [1, 0]], other[:, :2], atol=1e-12)
        assert same == (encoding == "none"), encoding


@pytest.mark.parametrize("stretch", STRETCHES)
def test_nothing_is_stretched_within_the_trained_length_and_much_beyond(stretch):
    text = held_out_texts("en")[0]
    within, beyond = text[:TRAINED_LENGTH], text[: 2 * TRAINED_LENGTH]
    np.testing.assert_allclose(read(within, "rope", stretch).bits, read(within).bits, atol=1e-9)
    assert not np.allclose(read(beyond, "rope", stretch).bits, read(beyond).bits, atol=0.1)
    twice = read(beyond, "rope", stretch, factor=2).bits
    np.testing.assert_array_equal(read(beyond, "rope", stretch).bits, twice)


def test_yarn_spares_the_fastest_pairs_only_with_limits_that_fit_short_texts():
    """The paper's 1 and 32 slow down even the pair that turns once in 6.3 characters."""
    fastest = {
        limits: yarn_frequencies(16, 4, TRAINED_LENGTH, limits=limits)[0]
        for limits in (text_model.YARN_LIMITS, (1, 32))
    }
    assert fastest == pytest.approx({text_model.YARN_LIMITS: 1, (1, 32): 0.4722}, abs=1e-4)


def test_where_a_text_starts_matters_to_tables_of_positions_only():
    """RoPE, ALiBi and a model without positions know distances, and those stay the same."""
    text = held_out_texts("es")[0][:60]
    for encoding in ENCODINGS:
        change = np.abs(read(text, encoding).bits - read(text, encoding, start=3).bits).max()
        assert (change < 1e-9) == (encoding not in ("learned", "sinusoidal")), encoding
    far = read(text, "rope", start=text_model.FURTHEST).bits
    np.testing.assert_allclose(far, read(text).bits, atol=1e-6)


def test_a_text_that_starts_later_is_read_with_the_rows_of_its_positions():
    """The same as the end of a longer text, if nobody can look back into what comes before it."""
    weights = text_model.weights("learned")
    moved = dict(weights, positions=np.roll(weights["positions"], -20, axis=0))
    before = read("only a test", "learned", start=20).bits
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_model, "weights", lambda encoding: moved)
        np.testing.assert_allclose(read("only a test", "learned").bits, before, atol=1e-12)


def plain_scores(queries, keys, held, limit, frequencies):
    """One query, one key, one pair after the other."""
    n_heads, n, d_head = queries.shape
    scores = np.zeros((n_heads, n, n))
    for head in range(n_heads):
        for i in range(n):
            for j in range(i + 1):
                for pair in range(d_head // 2):
                    steps = min(i - j, limit) if pair in held else i - j
                    turn = np.exp(1j * steps * frequencies[pair])
                    query = complex(*queries[head, i, 2 * pair : 2 * pair + 2])
                    key = complex(*keys[head, j, 2 * pair : 2 * pair + 2])
                    scores[head, i, j] += (query * turn * key.conjugate()).real
    return scores


@pytest.mark.parametrize(
    ("held", "limit"), [((), None), ((3,), 5), ((0, 2, 7), 1), (range(8), 12), ((3,), 0)]
)
@pytest.mark.parametrize("stretch", [None, "ntk"])
def test_held_pairs_turn_with_the_distance_up_to_the_limit(held, limit, stretch, monkeypatch):
    text, how = random_text(20), {"factor": 3.0} if stretch else {}
    ours = read(text, "rope", stretch, start=17, held=held, limit=limit, **how)
    turning = stretched_frequencies(
        stretch or "trained", 16, 3, TRAINED_LENGTH, limits=text_model.YARN_LIMITS
    )
    monkeypatch.setattr(
        text_model,
        "rope_products",
        lambda queries, keys, *_: plain_scores(queries, keys, set(held), limit, turning),
    )
    np.testing.assert_allclose(ours.bits, read(text, "rope", stretch, **how).bits, atol=1e-9)


def test_a_clock_held_at_62_changes_nothing_in_a_text_of_63():
    text = held_out_texts("en")[1]
    np.testing.assert_allclose(read(text[:63], held=range(8)).bits, read(text[:63]).bits, atol=1e-9)
    assert not np.allclose(read(text[:80], held=[3]).bits, read(text[:80]).bits, atol=1e-3)


@pytest.mark.parametrize("encoding", ["none", "sinusoidal", "alibi", "rope"])
def test_no_head_looks_further_back_than_the_window(encoding):
    reading = read(held_out_texts("en")[0][:90], encoding, window=7)
    assert not np.tril(reading.attention, k=-8).any()
    assert (np.diagonal(reading.attention, -7, -2, -1) > 0).all()
    np.testing.assert_allclose(reading.attention.sum(axis=-1), 1, atol=1e-12)


# What comes out. ----------------------------------------------------------------------------------


def test_bits_are_the_logarithms_of_what_was_expected():
    reading = read("la posición de una palabra")
    for position, bits in enumerate(reading.bits, start=1):
        expected = dict(reading.expected(position, top=len(CHARACTERS)))
        assert sum(expected.values()) == pytest.approx(1)
        assert 2.0**-bits == pytest.approx(expected[reading.text[position]])
        likelihoods = list(expected.values())
        assert likelihoods == sorted(likelihoods, reverse=True)


def test_every_letter_of_both_languages_is_read():
    letters = "abcdefghijklmnñopqrstuvwxyzáéíóúü¿¡"
    assert read(letters + letters.upper()).text == letters + letters


def test_accents_typed_apart_quotes_dashes_and_blanks_are_read_as_plain_ones():
    assert read("n\N{COMBINING TILDE}u\N{COMBINING DIAERESIS}").text == "ñü"
    assert read("«Sí» —dijo—\n\n  “no’t”").text == '"sí" -dijo- "no\'t"'


def test_unknown_characters_are_left_out_and_named_once():
    reading = read("A ☃ b#c☃ ç")
    assert (reading.text, reading.left_out) == ("a bc ", ("☃", "#", "ç"))
    assert len(reading.text) == len(reading.probabilities)
    np.testing.assert_array_equal(reading.bits, read("a bc ").bits)


def test_a_single_character_has_nothing_to_be_surprised_by():
    reading = read("a")
    assert reading.bits.shape == (0,) and reading.attention.shape == (2, 4, 1, 1)
    assert len(reading.expected(1)) == 3


# Heads. -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "stretch"), [(TRAINED_LENGTH, None), (200, "yarn")])
def test_the_head_that_looks_back_is_found_by_counting(length, stretch):
    given = []
    for text in (*held_out_texts("en"), *held_out_texts("es")):
        for start in range(0, LONGEST - length + 1, length):
            attention = read(text[start : start + length], "rope", stretch).attention
            for query in range(length // 2, length - 1):
                given.append(attention[:, :, query, query - 1])
    shares = np.mean(given, axis=0)
    np.testing.assert_allclose(look_back_shares("rope", length, stretch), shares, atol=1e-12)
    if length == TRAINED_LENGTH:
        layer, head = head_looking_back("rope")
        assert shares[layer, head] == shares.max()


# What is stored. ----------------------------------------------------------------------------------


def test_what_is_kept_cannot_be_changed_by_a_caller():
    for array in (text_model.weights("rope")["characters"], look_back_shares()):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_256_characters_take_at_most_30_ms():
    """Of processor time on one thread, since the machine may be busy with other tests."""
    code = (
        "import time; from course_utils.text_model import held_out_texts, read;"
        "text = held_out_texts('en')[0][:256]; read(text, stretch='yarn'); times = []\n"
        "for _ in range(9):\n"
        "    start = time.process_time(); read(text, stretch='yarn')\n"
        "    times.append(time.process_time() - start)\n"
        "print(sorted(times)[4])"
    )
    one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    environment = os.environ | one | {"PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-c", code], stdout=-1, env=environment, check=True)
    assert float(done.stdout) < 0.03
