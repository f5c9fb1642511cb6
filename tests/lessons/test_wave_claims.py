"""Tests of statements about waves in lessons 04 to 06, with other sizes, lengths and bases."""

import numpy as np
import pytest

from course_utils.encodings import angular_frequencies
from course_utils.frequencies import arithmetic_frequencies, normalized_dot_product, wave_encoding
from course_utils.lessons.report_card import LONGEST_STEP


def similarity(distances: np.ndarray, d_model: int, base: float = 10_000) -> np.ndarray:
    return normalized_dot_product(distances, angular_frequencies(d_model, base=base))


def test_one_radian_per_position_is_barely_smooth() -> None:
    step, a_little_faster = (np.ptp(wave_encoding(2, [speed]), axis=0) for speed in (1, 1.05))
    assert np.linalg.norm(step) == pytest.approx(0.96, abs=0.002)
    assert np.linalg.norm(step) < LONGEST_STEP * 2 < np.linalg.norm(a_little_faster)


@pytest.mark.parametrize("d_model", [32, 512])
def test_equal_steps_are_better_until_they_repeat(d_model: int) -> None:
    beat = round(np.pi * d_model)
    before = np.arange(21, beat - 20)
    equal_steps = normalized_dot_product(before, arithmetic_frequencies(d_model))
    assert equal_steps.max() < 0.05 and 0.55 < similarity(before, d_model).max() < 0.65
    assert normalized_dot_product(beat, arithmetic_frequencies(d_model)) > 0.95


@pytest.mark.parametrize(("d_model", "length"), [(64, 512), (256, 4096)])
def test_small_base_separates_large_base_reaches_far(d_model, length):
    distances = np.arange(21, length)
    curves = {
        base: similarity(distances, d_model, base)
        for base in (10, 100, 1000, 3000, 10_000, 100_000, 1_000_000)
    }
    closest = {base: curve.max() for base, curve in curves.items()}
    far = {base: curve[distances >= length / 2].mean() for base, curve in curves.items()}
    rising = [closest[base] for base in curves if base >= 1000]
    assert rising == sorted(rising)
    assert max(closest[10], closest[100]) < closest[1000] + 0.01 < closest[10_000]
    assert abs(far[10]) < 0.02 and abs(far[100]) < 0.1
    assert 0.05 < far[100_000] < far[1_000_000]


@pytest.mark.parametrize("base", [1000, 1_000_000])
def test_similarity_falls_like_logarithm(base) -> None:
    distances = np.arange(3, base // 3)[:30_000]
    rule = 1 - (np.log(distances) + np.euler_gamma) / np.log(base)
    off = [np.abs(similarity(distances, d, base) - rule).max() for d in (16, 64, 512)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.1
