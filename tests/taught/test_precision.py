"""Rounding to a number format, against the formats of NumPy and PyTorch."""

import math

import numpy as np
import pytest
from checks.experiment_scripts import pytorch
from hypothesis import example, given
from hypothesis import strategies as st

from course_utils.precision import FORMATS, largest_errors, rounded_to

# float32 numbers, since PyTorch rounds to bfloat16 from there; with ties, edges and tiny ones.
SINGLE = st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20)
EDGES = [65504.0, 65519.0, 65520.0, -65520.0, 2049.0, 2051.0, 6e-8, 2.9e-8, -0.0, 1.5 * 2.0**-24]


@pytest.mark.parametrize("number_format", ["float16", "float32"])
@example(values=EDGES)
@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=20))
def test_rounded_as_numpy_rounds(number_format: str, values: list) -> None:
    with np.errstate(over="ignore"):
        expected = np.array(values).astype(number_format).astype(float)
    assert np.array_equal(rounded_to(number_format, values), expected)


@pytest.fixture(scope="module")
def torch():
    return pytorch()


@example(values=[*EDGES, 257.0, 259.0, 3.4028235e38, 3.39e38, 1e-40])
@given(values=SINGLE)
def test_rounded_to_bfloat16_as_pytorch_rounds(torch, values: list) -> None:
    single = torch.tensor(np.array(values, np.float32))
    expected = single.bfloat16().double().numpy()
    assert np.array_equal(rounded_to("bfloat16", single.numpy()), expected)


@pytest.mark.parametrize(
    ("number_format", "exact_up_to"), [("float16", 2048), ("bfloat16", 256), ("float32", 2**24)]
)
def test_whole_numbers_are_exact_up_to_two_to_the_number_of_digits(
    number_format: str, exact_up_to: int
) -> None:
    around = np.arange(exact_up_to - 200, exact_up_to + 2)
    wrong = around[rounded_to(number_format, around) != around]
    assert wrong.tolist() == [exact_up_to + 1]


@pytest.mark.parametrize("number_format", FORMATS)
def test_infinity_and_what_is_no_number_stay(number_format: str) -> None:
    values = [[np.inf, -np.inf], [np.nan, 1e39]]
    expected = [[np.inf, -np.inf], [np.nan, np.inf]]
    np.testing.assert_array_equal(rounded_to(number_format, values), expected)


@pytest.mark.parametrize(("number_format", "dtype"), [("float16", "e"), ("float32", "f")])
@pytest.mark.parametrize("d_model", [2, 8])
def test_errors_of_angles_and_sines_are_those_of_plain_loops(
    number_format: str, dtype: str, d_model: int
) -> None:
    positions = [0, 1, 3, 100, 2049, 3000]
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


def test_from_an_angle_on_that_is_too_large_the_error_is_no_number() -> None:
    of_angles, of_sines = largest_errors("float16", [1, 65_504, 65_520, 65_521], 4)
    assert np.isnan(of_angles).tolist() == [False, False, True, True]
    assert np.isfinite(of_sines).all()
