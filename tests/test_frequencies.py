"""Waves of any frequency against plain loops, and exact angles against mpmath and integers."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import assert_refused

from course_utils.encodings import angular_frequencies
from course_utils.frequencies import (
    arithmetic_encoding,
    arithmetic_frequencies,
    exact_angles,
    normalized_dot_product,
    wave_encoding,
    wavelengths,
)

even_sizes = st.integers(1, 40).map(lambda pairs: 2 * pairs)
rows_of_frequencies = st.lists(st.floats(-4, 4), min_size=1, max_size=8)

PI_DIGITS = 31415926535897932384626433832795028841971693993751058209749445923078164062862089986
"""Pi times 10**82."""


def slow_waves(n_positions: int, frequencies: list[float]) -> list[list[float]]:
    return [
        [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]
        for position in range(n_positions)
    ]


# Arithmetic frequencies


@given(even_sizes)
def test_arithmetic_frequencies_fall_in_equal_steps_from_one(d_model):
    frequencies = arithmetic_frequencies(d_model)
    assert frequencies.dtype == np.float64 and frequencies.shape == (d_model // 2,)
    expected = [1 - k / (d_model / 2) for k in range(d_model // 2)]
    assert frequencies.tolist() == pytest.approx(expected)


@given(st.integers(1, 60), even_sizes)
def test_the_arithmetic_encoding_is_made_of_those_waves(n_positions, d_model):
    table = arithmetic_encoding(n_positions, d_model)
    frequencies = [1 - k / (d_model / 2) for k in range(d_model // 2)]
    assert table.dtype == np.float64 and table.shape == (n_positions, d_model)
    np.testing.assert_allclose(table, slow_waves(n_positions, frequencies), rtol=0, atol=1e-13)


def test_arithmetic_waves_come_back_and_geometric_ones_do_not():
    """The lesson's case: 64 dimensions, where 201 positions are nearly 32 turns of each wave."""
    offsets = np.arange(21, 501)
    arithmetic = normalized_dot_product(offsets, arithmetic_frequencies(64))
    assert offsets[arithmetic.argmax()] == 201
    assert arithmetic.max() == pytest.approx(0.9993, abs=5e-5)
    assert np.abs(normalized_dot_product(offsets, angular_frequencies(64))).max() < 0.63


# Waves of any frequency


@given(st.integers(1, 60), rows_of_frequencies)
def test_waves_against_loops(n_positions, frequencies):
    table = wave_encoding(n_positions, frequencies)
    assert table.dtype == np.float64 and table.shape == (n_positions, 2 * len(frequencies))
    np.testing.assert_allclose(table, slow_waves(n_positions, frequencies), rtol=0, atol=1e-13)


@given(st.lists(st.floats(1e-6, 1e6) | st.floats(-1e6, -1e-6), min_size=1, max_size=8))
def test_a_wavelength_is_one_turn_over_the_frequency(frequencies):
    expected = [math.tau / w for w in frequencies]
    assert wavelengths(frequencies).tolist() == pytest.approx(expected, rel=1e-14)


# Normalized dot product


@given(st.lists(st.floats(-1e4, 1e4), max_size=6), rows_of_frequencies)
def test_the_normalized_dot_product_is_a_mean_of_cosines(offsets, frequencies):
    values = normalized_dot_product(offsets, frequencies)
    assert values.dtype == np.float64 and values.shape == (len(offsets),)
    for offset, value in zip(offsets, values.tolist(), strict=True):
        cosines = [math.cos(offset * w) for w in frequencies]
        assert value == pytest.approx(math.fsum(cosines) / len(cosines), abs=1e-12)


@given(st.integers(0, 40), st.integers(0, 40), rows_of_frequencies)
def test_it_is_the_dot_product_of_two_rows_over_that_of_one_with_itself(first, second, frequencies):
    table = slow_waves(41, frequencies)
    dot = math.fsum(a * b for a, b in zip(table[first], table[second], strict=True))
    own = math.fsum(a * a for a in table[first])
    value = float(normalized_dot_product(second - first, frequencies))
    assert value == pytest.approx(dot / own, abs=1e-11)


def test_normalized_dot_products_come_in_the_shape_of_the_offsets():
    frequencies = [1.0, 0.5]
    flat = normalized_dot_product([0, 1, 2, 3, 4, 5], frequencies)
    assert flat[0] == 1
    assert np.array_equal(normalized_dot_product([[0, 1, 2], [3, 4, 5]], frequencies).ravel(), flat)
    assert np.shape(normalized_dot_product(3, frequencies)) == ()


# Exact angles

positions_up_to_the_limit = st.integers(-(10**12), 10**12)


def exact_first_angle(position: int) -> float:
    """The angle of the pair that turns by 1, in whole numbers of 10**-82."""
    turn = 2 * PI_DIGITS
    rest = position * 10**82 % turn
    return float((rest - turn if 2 * rest > turn else rest) / 10**82)


@example(2 * 21_053_343_141)  # So close to whole turns that eleven digits cancel.
@example(10**12)
@given(positions_up_to_the_limit)
def test_exact_angles_of_the_first_pair_against_integers(position):
    assert exact_angles([position], 2).tolist() == [[exact_first_angle(position)]]


@given(
    st.lists(positions_up_to_the_limit, max_size=3),
    st.integers(1, 6).map(lambda pairs: 2 * pairs),
    st.floats(1.001, 1e12),
)
def test_exact_angles_against_mpmath(positions, d_model, base):
    mpmath = pytest.importorskip("mpmath", reason="mpmath comes with the extra torch")
    angles = exact_angles(positions, d_model, base=base)
    assert angles.dtype == np.float64 and angles.shape == (len(positions), d_model // 2)
    with mpmath.workdps(90):
        for position, row in zip(positions, angles.tolist(), strict=True):
            for pair, angle in enumerate(row):
                exact = position * mpmath.mpf(base) ** (mpmath.mpf(-2 * pair) / d_model)
                turns = mpmath.nint(exact / (2 * mpmath.pi))
                assert angle == float(exact - turns * 2 * mpmath.pi)


def test_exact_angles_worked_by_hand():
    assert exact_angles([0, 1, -3], 4).tolist() == [[0, 0], [1, 0.01], [-3, -0.03]]
    assert exact_angles([2, 4], 4, base=100).tolist() == [
        [2, 0.2],
        [pytest.approx(4 - math.tau, rel=1e-15), 0.4],
    ]
    # 710 is close to 113 turns: all digits but the last few cancel.
    assert exact_angles([710], 2)[0, 0] == pytest.approx(math.asin(math.sin(710)), rel=1e-15)
    assert math.sin(10**12) == pytest.approx(math.sin(exact_angles([10**12], 2)[0, 0]), rel=1e-13)


def test_exact_angles_take_numpy_numbers_alike():
    expected = exact_angles([5, 1000], 6, base=500)
    numpy_numbers = exact_angles(np.array([5, 1000], np.int16), np.int32(6), base=np.float32(500))
    assert np.array_equal(numpy_numbers, expected)


def test_exact_angles_leave_the_precision_of_decimals_alone():
    from decimal import getcontext

    before = getcontext().prec
    exact_angles([1], 4)
    assert getcontext().prec == before


# Bad input that is no other module's


def test_a_wave_that_never_repeats_has_no_wavelength():
    for bad in ([0], [1.0, 0.0], [-0.0]):
        assert_refused(partial(wavelengths, bad), "frequencies must not be 0")


def test_exact_angles_are_those_of_one_row_of_whole_numbers():
    for bad in (3, [[1, 2]], [0.5], [1, -1e-9], [10**12 + 1], [-(10**12) - 1], [10.0**300]):
        assert_refused(partial(exact_angles, bad, 4), "positions must be one row", "10**12")
