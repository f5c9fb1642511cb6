"""What lessons 04 to 06 say of waves, at sizes, lengths and bases that their cells do not try."""

import numpy as np
import pytest

from course_utils.encodings import angular_frequencies, sinusoidal_encoding
from course_utils.frequencies import arithmetic_frequencies, normalized_dot_product, wave_encoding
from course_utils.lessons.report_card import LONGEST_STEP
from course_utils.precision import FORMATS, largest_errors


def similarity(distances: np.ndarray, d_model: int, base: float = 10_000) -> np.ndarray:
    return normalized_dot_product(distances, angular_frequencies(d_model, base=base))


def test_at_one_radian_a_position_a_hand_is_just_inside_what_is_smooth() -> None:
    step, a_little_faster = (np.ptp(wave_encoding(2, [speed]), axis=0) for speed in (1, 1.05))
    assert np.linalg.norm(step) == pytest.approx(0.96, abs=0.002)
    assert np.linalg.norm(step) < LONGEST_STEP * 2 < np.linalg.norm(a_little_faster)


@pytest.mark.parametrize("base", [100, 1_000_000])
def test_all_rows_are_as_long_and_neighbours_as_alike_the_more_so_the_more_hands(base: int) -> None:
    alike = []
    for d_model in (2, 32, 512):
        table = sinusoidal_encoding(300, d_model, base=base)
        np.testing.assert_allclose(np.linalg.norm(table, axis=1), (d_model / 2) ** 0.5, rtol=1e-12)
        neighbours = (table[1:] * table[:-1]).sum(axis=1) / (d_model / 2)
        assert np.ptp(neighbours) < 1e-9
        alike.append(neighbours[0])
    assert alike == sorted(alike)


@pytest.mark.parametrize("d_model", [8, 64])
def test_sines_alone_are_never_moved_on_and_with_cosines_they_always_are(d_model: int) -> None:
    def largest_error(table: np.ndarray) -> float:
        best, *_ = np.linalg.lstsq(table[:-1], table[1:])
        return np.abs(table[:-1] @ best - table[1:]).max()

    table = sinusoidal_encoding(65, d_model)
    assert largest_error(table) < 1e-10
    assert largest_error(table[:, 0::2]) > np.sin(1) - 1e-9


@pytest.mark.parametrize("d_model", [32, 512])
def test_equal_steps_do_better_until_they_come_back(d_model: int) -> None:
    beat = round(np.pi * d_model)
    before = np.arange(21, beat - 20)
    equal_steps = normalized_dot_product(before, arithmetic_frequencies(d_model))
    assert equal_steps.max() < 0.05 and 0.55 < similarity(before, d_model).max() < 0.65
    assert normalized_dot_product(beat, arithmetic_frequencies(d_model)) > 0.95


@pytest.mark.parametrize(("d_model", "length"), [(64, 512), (256, 4096)])
def test_a_small_base_tells_positions_apart_and_a_large_one_feels_what_is_far(d_model, length):
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
def test_similarity_falls_like_a_logarithm_with_wiggles_that_shrink_with_more_waves(base) -> None:
    distances = np.arange(3, base // 3)[:30_000]
    rule = 1 - (np.log(distances) + np.euler_gamma) / np.log(base)
    off = [np.abs(similarity(distances, d, base) - rule).max() for d in (16, 64, 512)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.1


@pytest.mark.parametrize("d_model", [16, 256])
def test_angles_lose_digits_with_the_position_and_finished_sines_do_not(d_model) -> None:
    positions = np.unique(np.geomspace(1, 1_000_000, 60).round())
    at_hundred, at_ten_thousand = (positions.searchsorted(p) for p in (100, 10_000))
    errors = {}
    for name, (digits, _) in FORMATS.items():
        errors[name], of_sines = largest_errors(name, positions, d_model)
        assert of_sines.max() <= 2.0 ** -(digits + 1)
    assert np.isnan(errors["float16"][-1]) and errors["bfloat16"][at_hundred] > 0.05
    assert errors["float16"][at_ten_thousand] > 1 < errors["bfloat16"][at_ten_thousand]
    assert ((errors["float32"] / positions)[at_hundred:] < 1e-7).all()
