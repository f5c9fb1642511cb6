"""Numbers rounded by their digits, against the formats of NumPy and PyTorch."""

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import assert_refused

from course_utils.precision import FORMATS, rounded_to

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


@pytest.mark.parametrize("number_format", FORMATS)
@example(values=[*EDGES, 257.0, 259.0, 3.4028235e38, 3.39e38, 1e-40])
@given(values=SINGLE)
def test_rounded_as_pytorch_rounds(number_format: str, values: list) -> None:
    torch = pytest.importorskip(
        "torch", reason="install the extra torch: pip install -e '.[torch]'"
    )
    single = torch.tensor(np.array(values, np.float32))
    expected = single.to(getattr(torch, number_format)).double().numpy()
    assert np.array_equal(rounded_to(number_format, single.numpy()), expected)


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


@pytest.mark.parametrize("values", [["a"], None, [[1], [1, 2]], 1j, [True]])
def test_what_holds_no_real_numbers_is_refused(values: object) -> None:
    assert_refused(partial(rounded_to, "float16", values), "values must hold real numbers")


@pytest.mark.parametrize("number_format", ["float64", "", None, 16, ["float16"]])
def test_a_format_without_a_rule_is_refused(number_format: object) -> None:
    call = partial(rounded_to, number_format, [1])
    assert_refused(call, "number_format must be one of float16, bfloat16, float32", kind=ValueError)
