"""Tests of waves against plain loops, and of exact angles against mpmath."""

import math
from decimal import DefaultContext, getcontext

import numpy as np
import pytest
from checks.extras import missing
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.frequencies import (
    arithmetic_encoding,
    exact_angles,
    normalized_dot_product,
    wave_encoding,
    wavelengths,
)

rows_of_frequencies = st.lists(st.floats(-4, 4), min_size=1, max_size=8)


def slow_waves(n_positions: int, frequencies: list[float]) -> list[list[float]]:
    return [
        [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]
        for position in range(n_positions)
    ]


@given(st.integers(1, 60), rows_of_frequencies)
def test_arithmetic_encoding_equals_loop(n_positions, frequencies):
    n_pairs = len(frequencies)
    equal_steps = [1 - k / n_pairs for k in range(n_pairs)]
    for table, expected in (
        (wave_encoding(n_positions, frequencies), frequencies),
        (arithmetic_encoding(n_positions, 2 * n_pairs), equal_steps),
    ):
        assert table.dtype == np.float64 and table.shape == (n_positions, 2 * n_pairs)
        np.testing.assert_allclose(table, slow_waves(n_positions, expected), rtol=0, atol=1e-13)


@given(st.lists(st.floats(1e-6, 1e6) | st.floats(-1e6, -1e-6), min_size=1, max_size=8))
def test_wavelength_is_one_turn_over_frequency(frequencies):
    expected = [math.tau / w for w in frequencies]
    assert wavelengths(frequencies).tolist() == pytest.approx(expected, rel=1e-14)


@given(
    arrays(int, array_shapes(min_dims=0, min_side=0, max_side=3), elements=st.integers(-40, 40)),
    rows_of_frequencies,
)
def test_normalized_dot_product_is_cosine(offsets, frequencies):
    products = normalized_dot_product(offsets, frequencies)
    assert products.dtype == np.float64 and products.shape == offsets.shape
    first, *others = slow_waves(41, frequencies)
    own = math.fsum(a * a for a in first)
    for offset, product in zip(offsets.flat, products.flat, strict=True):
        other = [first, *others][abs(offset)]
        dot = math.fsum(a * b for a, b in zip(first, other, strict=True))
        assert product == pytest.approx(dot / own, abs=1e-11)


# Exact angles


@pytest.fixture(scope="module")
def mpmath():
    return pytest.importorskip("mpmath", reason=missing("mpmath", "torch"))


# Angles so close to whole turns that digits cancel.
@example(positions=[2 * 21_053_343_141, 10**12], d_model=2, base=10_000)
@given(
    positions=st.lists(st.integers(-(10**12), 10**12), max_size=3),
    d_model=st.integers(1, 6).map(lambda pairs: 2 * pairs),
    base=st.floats(1.001, 1e12),
)
def test_exact_angles_against_mpmath(mpmath, positions, d_model, base):
    angles = exact_angles(positions, d_model, base=base)
    assert angles.dtype == np.float64 and angles.shape == (len(positions), d_model // 2)
    with mpmath.workdps(90):
        for position, row in zip(positions, angles.tolist(), strict=True):
            for pair, angle in enumerate(row):
                exact = position * mpmath.mpf(base) ** (mpmath.mpf(-2 * pair) / d_model)
                turns = mpmath.nint(exact / (2 * mpmath.pi))
                assert angle == float(exact - turns * 2 * mpmath.pi)
    assert getcontext().prec == DefaultContext.prec
