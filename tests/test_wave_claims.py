"""What lessons 04 to 06 say of waves, at sizes, lengths and bases that their cells do not try."""

from itertools import pairwise

import numpy as np
import pytest

from course_utils.encodings import angular_frequencies, sinusoidal_encoding
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


# Lesson 05


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
