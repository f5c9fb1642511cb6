"""Tests of rounding against NumPy's number formats and the bits of bfloat16."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from course_utils.precision import largest_errors, rounded_to

# Ties, limits and tiny numbers.
EDGES = [65504.0, 65519.0, 65520.0, -65520.0, 2049.0, 2051.0, 6e-8, 2.9e-8, -0.0, 1.5 * 2.0**-24]


@pytest.mark.parametrize("number_format", ["float16", "float32"])
@example(values=EDGES)
@given(values=st.lists(st.floats(), max_size=20))
def test_rounding_matches_numpy(number_format: str, values: list) -> None:
    with np.errstate(over="ignore"):
        expected = np.array(values).astype(number_format).astype(float)
    np.testing.assert_array_equal(rounded_to(number_format, values), expected)


@example(values=[*EDGES, 257.0, 259.0, 3.4028235e38, 3.39e38, 1e-40])
@given(values=st.lists(st.floats(width=32, allow_nan=False), max_size=20))
def test_bfloat16_is_float32_rounded_to_even(
    values: list,
) -> None:
    single = np.array(values, np.float32)
    bits = single.view(np.uint32)
    upper = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    assert np.array_equal(rounded_to("bfloat16", single), upper.view(np.float32))


@pytest.mark.parametrize(("number_format", "dtype"), [("float16", "e"), ("float32", "f")])
def test_angle_errors_equal_loop(number_format: str, dtype: str) -> None:
    d_model, positions = 8, [0, 1, 3, 100, 2049, 3000]
    off_angles, off_sines = [0.0], [0.0]
    for i in positions:
        for k in range(d_model // 2):
            omega = 10_000 ** (-2 * k / d_model)
            angle = float(np.dtype(dtype).type(i) * np.dtype(dtype).type(omega))
            too_far = math.remainder(angle - i * omega, 2 * math.pi)
            stored = float(np.dtype(dtype).type(math.sin(i * omega)))
            off_angles.append(max(off_angles[-1], abs(too_far)))
            off_sines.append(max(off_sines[-1], abs(stored - math.sin(i * omega))))
    expected = [off[d_model // 2 :: d_model // 2] for off in (off_angles, off_sines)]
    measured = largest_errors(number_format, positions, d_model)
    np.testing.assert_allclose(measured, expected, rtol=0, atol=1e-9)


def test_error_is_nan_beyond_too_large_angle() -> None:
    of_angles, of_sines = largest_errors("float16", [1, 65_504, 65_520, 65_521], 4)
    assert np.isnan(of_angles).tolist() == [False, False, True, True]
    assert np.isfinite(of_sines).all()
