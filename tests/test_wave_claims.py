"""What lessons 04 to 06 say of waves, at sizes, lengths and bases that their cells do not try."""

from itertools import pairwise

import numpy as np
import pytest

from course_utils.encodings import angular_frequencies, shift_matrix, sinusoidal_encoding
from course_utils.frequencies import (
    arithmetic_frequencies,
    exact_angles,
    normalized_dot_product,
)
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


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [4, 16, 64, 256])
def test_a_doubled_exponent_spares_the_first_two_columns_and_no_other(d_model, base) -> None:
    i = np.arange(50)[:, np.newaxis]
    angles = i / float(base) ** (2 * np.arange(0, d_model, 2) / d_model)
    wrong = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(50, d_model)
    errors = np.abs(wrong - sinusoidal_encoding(50, d_model, base=base)).max(axis=0)
    assert errors[:2].max() < 1e-12 and errors[2::2].min() > 1e-6 and errors.max() <= 2


def halved(n_positions: int, n_hands: int) -> np.ndarray:
    """A table of hands each half as fast as the one before, the first at 1 radian a position."""
    angles = np.outer(np.arange(n_positions), 0.5 ** np.arange(n_hands))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def test_at_one_radian_a_position_a_hand_is_just_inside_what_is_smooth() -> None:
    longest = 2.0
    step, a_little_faster = (2 * np.sin(speed / 2) for speed in (1, 1.05))
    assert step == pytest.approx(0.96, abs=0.002) and step < longest / 2 < a_little_faster
    before_slowing = 2 * np.sin(np.pi / 2)
    assert before_slowing == pytest.approx(longest)


def test_with_the_ratio_of_bits_few_hands_come_round_together_and_many_stand_still() -> None:
    table = halved(1000, 4)
    assert 16 * np.pi == pytest.approx(50, abs=0.3)  # when the slowest has made one turn
    from_first = np.linalg.norm(table - table[0], axis=1)
    assert from_first[50] < from_first[1] / 3
    idle = 999 * 0.5 ** np.arange(256) < 0.1
    assert idle.sum() == 242
    assert not (999 * angular_frequencies(512) < 0.1).any()


@pytest.mark.parametrize("n_hands", [3, 5, 6])
def test_the_ratio_of_bits_comes_round_at_other_numbers_of_hands_too(n_hands: int) -> None:
    turn = round(2 * np.pi * 2 ** (n_hands - 1))
    table = halved(turn + 1, n_hands)
    assert np.linalg.norm(table[turn] - table[0]) < np.linalg.norm(table[1] - table[0])


def test_two_positions_of_nearly_the_same_height_stand_on_two_sides() -> None:
    assert abs(np.cos(20) - np.cos(24)) < 0.02 and np.sin(24) < 0 < np.sin(20)


def test_the_hand_of_the_question_stands_in_columns_4_and_5() -> None:
    narrow, wide = sinusoidal_encoding(300, 4), sinusoidal_encoding(300, 8)
    same = [c for c in range(8) if np.allclose(wide[:, c : c + 2], narrow[:, 2:4], atol=1e-12)]
    assert same == [4]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [8, 64])
def test_sines_first_is_the_same_table_with_the_same_dot_products(d_model: int, base: int) -> None:
    table = sinusoidal_encoding(40, d_model, base=base)
    halves = np.hstack([table[:, 0::2], table[:, 1::2]])
    assert sorted(map(tuple, halves.T)) == sorted(map(tuple, table.T))
    np.testing.assert_allclose(halves @ halves.T, table @ table.T, atol=1e-12)


@pytest.mark.parametrize(("d_model", "base"), [(4, 10_000), (16, 10_000), (64, 100)])
def test_a_rod_of_so_many_steps_fits_everywhere_on_the_path(d_model: int, base: int) -> None:
    table = sinusoidal_encoding(500, d_model, base=base)
    for steps in (1, 7, 30):
        rods = np.linalg.norm(table[steps:] - table[:-steps], axis=1)
        assert np.ptp(rods) < 1e-12


# Lesson 05


@pytest.mark.parametrize("d_model", [8, 12, 16])
def test_the_last_curve_rises_at_six_steps_where_the_fast_hand_has_come_round(d_model) -> None:
    curve = similarity(np.arange(11), d_model)
    assert curve[6] > max(curve[3:6]) and np.cos(6) > 0.95
    slow = np.cos(np.outer(np.arange(11), angular_frequencies(d_model)[d_model // 4 :])).sum(axis=1)
    assert (np.diff(slow) < 0).all()


def test_the_last_curve_is_at_0_806_after_six_steps_higher_than_at_two() -> None:
    at_two, at_six = similarity(np.array([2, 6]), 16)
    assert at_two < at_six == pytest.approx(0.806, abs=5e-4)


@pytest.mark.parametrize("turn", [0.3, 5.0])
def test_a_block_is_the_transpose_of_the_anticlockwise_rotation_of_school(turn: float) -> None:
    anticlockwise = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    np.testing.assert_allclose(shift_matrix(turn, 2), np.transpose(anticlockwise))
    sideways, up = shift_matrix(0.3, 2) @ [0, 1]  # a hand at twelve
    assert sideways > 0 and 0 < up < 1


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


def test_equal_factors_never_come_back_where_there_are_many_and_do_where_there_are_few() -> None:
    distances = np.arange(21, 200_001)
    for d_model in (64, 96):  # with 48, position 175,043 is nearer than any
        assert distances[similarity(distances, d_model).argmax()] <= 25
    for d_model in (4, 8):
        assert similarity(distances, d_model).max() > 0.999


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


@pytest.mark.parametrize("d_model", [8, 64, 256])
@pytest.mark.parametrize("length", [50, 500])
def test_a_larger_base_leaves_more_hands_idle_and_the_last_one_slower(d_model, length) -> None:
    frequencies = [angular_frequencies(d_model, base=base) for base in BASES]
    idle = [np.count_nonzero((length - 1) * each < 0.1) for each in frequencies]
    assert idle == sorted(idle)
    assert all(slower[-1] < faster[-1] for faster, slower in pairwise(frequencies))


# Lesson 06: how similarity fades


@pytest.mark.parametrize("base", [1000, 10_000, 1_000_000])
def test_similarity_falls_like_a_logarithm_with_wiggles_that_shrink_with_more_waves(base) -> None:
    distances = np.arange(3, base // 3)[:30_000]
    rule = 1 - (np.log(distances) + np.euler_gamma) / np.log(base)
    off = [np.abs(similarity(distances, d, base) - rule).max() for d in (16, 64, 128, 512)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.1


@pytest.mark.parametrize(
    ("d_model", "soonest", "latest"),
    [(16, 20, 100), (64, 200, 5000), (96, 200, 5000), (512, 200, 5000)],
)
def test_similarity_takes_long_to_touch_zero_where_there_are_many_waves(d_model, soonest, latest):
    below = np.flatnonzero(similarity(np.arange(5001), d_model) < 0)
    assert soonest < below[0] < latest


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [4, 32, 128])
def test_the_bump_stands_at_its_own_position(d_model: int, base: int) -> None:
    table = sinusoidal_encoding(64, d_model, base=base)
    assert (table @ table.T).argmax(axis=0).tolist() == list(range(64))


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
