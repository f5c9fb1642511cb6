"""Tests of stretched RoPE against plain loops and the lesson's statements."""

import math

import numpy as np
import pytest

from course_utils import angular_frequencies
from course_utils.fitting import fit_waves, smooth_scores
from course_utils.frequencies import wave_encoding
from course_utils.stretching import (
    WAYS,
    stretched_frequencies,
    turns_in_training,
    unseen_pairs,
)

SIZES = [(4, 64, 2, 10_000), (16, 32, 4, 10_000), (128, 8192, 8, 500_000)]


@pytest.mark.parametrize(("d_model", "length", "factor", "base"), SIZES)
def test_stretched_frequencies_match_papers(d_model, length, factor, base):
    for k in range(d_model // 2):
        omega = base ** (-2 * k / d_model)
        turns = length / (2 * math.pi / omega)
        kept = min(1, max(0, (turns - 1) / 31))
        larger = base * factor ** (d_model / (d_model - 2))
        expected = {
            "trained": omega,
            "interpolation": omega / factor,
            "ntk": larger ** (-2 * k / d_model),
            "yarn": (1 - kept) * omega / factor + kept * omega,
        }
        got = {way: stretched_frequencies(way, d_model, factor, length, base=base) for way in WAYS}
        assert {way: got[way][k] for way in WAYS} == pytest.approx(expected, rel=1e-12)
        assert turns_in_training(d_model, length, base=base)[k] == pytest.approx(turns)
    # Pairs with new angles: none with interpolation, and all slow pairs but the last with NTK.
    slow = (turns_in_training(d_model, length, base=base) < 1).sum()
    for way, n_new in zip(WAYS, (slow, 0, max(0, slow - 1), 0), strict=True):
        assert unseen_pairs(got[way], factor * length, length, base=base).sum() == n_new


@pytest.mark.parametrize(("d_model", "length"), [(32, 32), (128, 512)])
def test_only_penalised_fit_keeps_its_size(d_model, length):
    """The test checks the lesson's conclusions at two widths and training lengths."""
    table = wave_encoding(length, angular_frequencies(d_model))
    frequencies = [stretched_frequencies(way, d_model, 4, length) for way in WAYS]
    stretched = [wave_encoding(4 * length, each) for each in frequencies]
    wanted = [smooth_scores(length, seed) for seed in range(10)]
    peaks = {}
    for penalty in (1e-12, 1.0):
        weights = np.array([fit_waves(table, each, penalty) for each in wanted])
        assert np.abs(weights @ table.T - wanted).max() < (1e-4 if penalty < 1 else 0.7)
        peaks[penalty] = [np.abs(each @ weights.T).max() for each in stretched]
    as_trained, interpolation, ntk, yarn = peaks[1e-12]
    assert as_trained > 9 and ntk > 5 and interpolation < 1.5 and yarn < 4
    assert max(peaks[1.0]) < 2.6
