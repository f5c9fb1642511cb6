"""What lessons 04 to 06 say of waves, at sizes, lengths and bases that their cells do not try."""

from itertools import pairwise

import numpy as np
import pytest

from course_utils.encodings import angular_frequencies, sinusoidal_encoding
from course_utils.frequencies import (
    arithmetic_frequencies,
    exact_angles,
    normalized_dot_product,
    wave_encoding,
)
from course_utils.lessons.report_card import LONGEST_STEP
from course_utils.precision import FORMATS, rounded_to

BASES = [2, 100, 10_000, 1_000_000]
LENGTHS = [512, 4096, 16_384]


def similarity(distances: np.ndarray, d_model: int, base: float = 10_000) -> np.ndarray:
    return normalized_dot_product(distances, angular_frequencies(d_model, base=base))


# Lesson 04


@pytest.mark.parametrize("base", BASES)
def test_all_rows_are_as_long_and_neighbours_as_alike_the_more_so_the_more_hands(base: int) -> None:
    alike = []
    for d_model in (2, 8, 32, 128, 512):
        table = sinusoidal_encoding(300, d_model, base=base)
        np.testing.assert_allclose(np.linalg.norm(table, axis=1), (d_model / 2) ** 0.5, rtol=1e-12)
        assert np.abs(table).max() <= 1
        neighbours = (table[1:] * table[:-1]).sum(axis=1) / (d_model / 2)
        assert np.ptp(neighbours) < 1e-9
        alike.append(neighbours[0])
    assert all(fewer < more for fewer, more in pairwise(alike))


def test_neighbours_get_no_more_alike_than_what_lesson_04_names() -> None:
    alike = [np.cos(angular_frequencies(d_model)).mean() for d_model in (1024, 8192, 65_536)]
    assert alike[0] < alike[1] < alike[2] == pytest.approx(0.974, abs=5e-4)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [4, 16, 64, 256])
def test_a_doubled_exponent_spares_the_first_two_columns_and_no_other(d_model, base) -> None:
    i = np.arange(50)[:, np.newaxis]
    angles = i / float(base) ** (2 * np.arange(0, d_model, 2) / d_model)
    wrong = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(50, d_model)
    errors = np.abs(wrong - sinusoidal_encoding(50, d_model, base=base)).max(axis=0)
    assert errors[:2].max() < 1e-12 and errors[2::2].min() > 1e-6 and errors.max() <= 2


def test_with_the_ratio_of_bits_few_hands_come_round_together_and_many_stand_still() -> None:
    """Each hand is half as fast as the one before, the first at 1 radian a position."""
    for n_hands in (3, 4, 5, 6):
        turn = round(2 * np.pi * 2 ** (n_hands - 1))  # when the slowest has made one turn
        table = wave_encoding(turn + 1, 0.5 ** np.arange(n_hands))
        step, back = (np.linalg.norm(table[at] - table[0]) for at in (1, turn))
        assert back < (step / 3 if n_hands == 4 else step)
        assert n_hands != 4 or turn == 50
    assert np.count_nonzero(999 * 0.5 ** np.arange(256) < 0.1) == 242
    assert not (999 * angular_frequencies(512) < 0.1).any()


def test_at_one_radian_a_position_a_hand_is_just_inside_what_is_smooth() -> None:
    step, a_little_faster = (np.ptp(wave_encoding(2, [speed]), axis=0) for speed in (1, 1.05))
    assert np.linalg.norm(step) == pytest.approx(0.96, abs=0.002)
    assert np.linalg.norm(step) < LONGEST_STEP * 2 < np.linalg.norm(a_little_faster)


def test_the_hand_of_the_question_stands_in_columns_4_and_5() -> None:
    narrow, wide = sinusoidal_encoding(300, 4), sinusoidal_encoding(300, 8)
    same = [c for c in range(8) if np.allclose(wide[:, c : c + 2], narrow[:, 2:4], atol=1e-12)]
    assert same == [4]


# Lesson 05


@pytest.mark.parametrize("d_model", [8, 12, 16])
def test_the_last_curve_rises_at_six_steps_where_the_fast_hand_has_come_round(d_model) -> None:
    curve = similarity(np.arange(11), d_model)
    assert curve[6] > max(curve[2:6])
    assert d_model != 16 or curve[6] == pytest.approx(0.806, abs=5e-4)
    slow = np.cos(np.outer(np.arange(11), angular_frequencies(d_model)[d_model // 4 :])).sum(axis=1)
    assert (np.diff(slow) < 0).all()


@pytest.mark.parametrize("base", [10, 10_000, 1_000_000])
@pytest.mark.parametrize("n_positions", [16, 64, 300])
@pytest.mark.parametrize("d_model", [2, 8, 64, 130])
def test_sines_alone_are_never_moved_on_and_with_cosines_they_always_are(
    d_model: int, n_positions: int, base: int
) -> None:
    def largest_error(table: np.ndarray) -> float:
        best, *_ = np.linalg.lstsq(table[:-1], table[1:])
        return np.abs(table[:-1] @ best - table[1:]).max()

    table = sinusoidal_encoding(n_positions + 1, d_model, base=base)
    assert largest_error(table) < 1e-10
    assert largest_error(table[:, 0::2]) > np.sin(1) - 1e-9


# Lesson 06: frequencies


@pytest.mark.parametrize("d_model", [32, 64, 128, 256, 512])
def test_equal_steps_do_better_until_they_come_back(d_model: int) -> None:
    beat = round(np.pi * d_model)
    before = np.arange(21, beat - 20)
    equal_steps = normalized_dot_product(before, arithmetic_frequencies(d_model))
    assert equal_steps.max() < 0.05 and 0.55 < similarity(before, d_model).max() < 0.65
    assert normalized_dot_product(beat, arithmetic_frequencies(d_model)) > 0.95


# Lesson 06: the base


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("d_model", [64, 128, 256])
def test_a_small_base_tells_positions_apart_and_a_large_one_feels_what_is_far(d_model, length):
    distances = np.arange(21, length)
    half = distances >= length / 2
    measured = {
        base: (curve.max(), curve[half].mean())
        for base in (10, 100, 1000, 3000, 10_000, 100_000, 1_000_000)
        for curve in [similarity(distances, d_model, base)]
    }
    closest, far = ({base: m[n] for base, m in measured.items()} for n in (0, 1))
    rising = [closest[base] for base in (1000, 3000, 10_000, 100_000, 1_000_000)]
    assert all(smaller < larger for smaller, larger in pairwise(rising))
    assert max(closest[10], closest[100]) < closest[1000] + 0.01 < closest[10_000]
    assert abs(far[10]) < 0.02 and abs(far[100]) < 0.1
    assert 0.05 < far[100_000] < far[1_000_000]


@pytest.mark.parametrize("length", LENGTHS)
def test_no_base_tells_positions_apart_well_with_few_hands(length: int) -> None:
    for base in (3, 10, 100, 1000, 10_000, 100_000):
        assert similarity(np.arange(21, length), 16, base).max() > 0.55


# Lesson 06: how similarity fades


@pytest.mark.parametrize("base", [1000, 10_000, 1_000_000])
def test_similarity_falls_like_a_logarithm_with_wiggles_that_shrink_with_more_waves(base) -> None:
    distances = np.arange(3, base // 3)[:30_000]
    rule = 1 - (np.log(distances) + np.euler_gamma) / np.log(base)
    off = [np.abs(similarity(distances, d, base) - rule).max() for d in (16, 64, 128, 512)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.1


# Lesson 06: digits


@pytest.mark.parametrize("base", [100, 10_000, 500_000])
@pytest.mark.parametrize("d_model", [16, 64, 256])
def test_angles_lose_digits_with_the_position_and_finished_sines_do_not(d_model, base) -> None:
    positions = np.unique(np.geomspace(1, 1_000_000, 60).round())
    frequencies = angular_frequencies(d_model, base=base)
    exact = exact_angles(positions, d_model, base=base)
    worst = {}
    for name, (digits, _) in FORMATS.items():
        angles = rounded_to(
            name, np.outer(rounded_to(name, positions), rounded_to(name, frequencies))
        )
        with np.errstate(invalid="ignore"):
            off = np.abs(np.remainder(angles - exact + np.pi, 2 * np.pi) - np.pi).max(axis=1)
        worst[name] = [off[positions <= p].max() for p in (100, 10_000, 1_000_000)]
        sines = np.sin(exact)
        assert np.abs(rounded_to(name, sines) - sines).max() <= 2.0 ** -(digits + 1)
    assert np.isnan(worst["float16"][2]) and worst["bfloat16"][0] > 0.05
    assert min(worst["float16"][1], worst["bfloat16"][1]) > 1
    for error, position in zip(worst["float32"], (100, 10_000, 1_000_000), strict=True):
        assert 5e-9 < error / position < 7e-8


# What the deeper notebook of lesson 06 says


@pytest.mark.parametrize("d_model", [4, 6, 8, 12])
def test_equal_factors_have_a_common_beat_where_the_factor_is_a_whole_number(d_model: int) -> None:
    for factor in (2, 3, 10):
        frequencies = float(factor) ** -np.arange(d_model // 2)
        base = float(factor) ** (d_model / 2)
        assert angular_frequencies(d_model, base=base) == pytest.approx(frequencies)
        beat = 2 * np.pi / frequencies[-1]
        assert normalized_dot_product(beat, frequencies) == pytest.approx(1, abs=1e-9)


def test_between_two_large_bases_the_closest_positions_are_once_less_alike() -> None:
    distances = np.arange(21, 4096)
    assert similarity(distances, 64, 612_000).max() < similarity(distances, 64, 375_000).max()
