"""Tests of all encodings against plain loops, at sizes that reach every branch."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from checks.refusals import assert_refused
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from course_utils.encodings import (
    binary_encoding,
    dot_product_by_offset,
    index_encoding,
    normalized_encoding,
    shift_matrix,
    sinusoidal_encoding,
)
from course_utils.frequencies import exact_angles
from course_utils.long_tables import table_by_turning

sizes = st.integers(1, 300)
even_sizes = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1.001, 1e12)


def slow_sinusoid(position: float, d_model: int, base: float) -> list[float]:
    angles = [position / math.pow(base, 2 * pair / d_model) for pair in range(d_model // 2)]
    return [wave(angle) for angle in angles for wave in (math.sin, math.cos)]


# Index, normalised, binary


@given(sizes, sizes)
def test_index_encoding_equals_position_or_its_share(n_positions, d_model):
    last = max(n_positions - 1, 1)
    for make, divisor in ((index_encoding, 1), (normalized_encoding, last)):
        table = make(n_positions, d_model)
        assert table.dtype == np.float64
        column = [float(Fraction(i, divisor)) for i in range(n_positions)]
        assert table.T.tolist() == [column] * d_model


@given(st.data())
def test_binary_is_position_in_base_two(data):
    d_model = data.draw(st.integers(1, 70))
    n_positions = data.draw(st.integers(1, min(300, 2**d_model)))
    table = binary_encoding(n_positions, d_model)
    assert table.dtype == np.float64 and table.shape == (n_positions, d_model)
    for i in range(n_positions):
        written = format(i, f"0{d_model}b")
        assert table[i].tolist() == [float(bit) for bit in reversed(written)]


def test_binary_positions_are_limited_by_bits():
    for d_model in (1, 2, 5, 6, 10):
        most = 2**d_model
        assert binary_encoding(most, d_model)[-1].tolist() == [1.0] * d_model
        message = f"n_positions must be at most {most},", f"{d_model} bits", f"got {most + 1}."
        assert_refused(partial(binary_encoding, most + 1, d_model), *message, kind=ValueError)


# Sinusoidal


@given(sizes, even_sizes, bases)
def test_sinusoidal_against_loops(n_positions, d_model, base):
    table = sinusoidal_encoding(n_positions, d_model, base=base)
    expected = [slow_sinusoid(i, d_model, base) for i in range(n_positions)]
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("make", [sinusoidal_encoding, table_by_turning])
@pytest.mark.parametrize(
    ("dtype", "error"), [(np.float64, 1e-9), (np.float32, 1e-7), (np.float16, 2.5e-4)]
)
def test_sinusoidal_is_accurate_up_to_million_positions(make, dtype, error):
    table = make(1_000_001, 10, dtype=dtype)
    assert table.dtype == dtype and np.abs(table).max() <= 1 + np.finfo(dtype).eps
    rows = [0, 1, 32, 127, 128, 129, 1_023, 1_024, 32_768, 524_288, 999_983, 999_999, 1_000_000]
    angles, found = exact_angles(rows, 10), table[rows].astype(np.float64)
    np.testing.assert_allclose(found[:, 0::2], np.sin(angles), rtol=0, atol=error)
    np.testing.assert_allclose(found[:, 1::2], np.cos(angles), rtol=0, atol=error)


def test_arguments_are_accepted_in_any_numeric_form():
    expected = sinusoidal_encoding(5, 4)
    assert np.array_equal(sinusoidal_encoding(np.int32(5), np.uint8(4)), expected)
    for base in (10_000, np.float32(10_000), Fraction(10_000)):
        assert np.array_equal(sinusoidal_encoding(5, 4, base=base), expected)
    for dtype in ("float32", "f4", np.dtype("float32"), np.float32):
        assert sinusoidal_encoding(3, 2, dtype=dtype).dtype == np.float32


# Shifts and dot products


@given(st.floats(-500, 500), st.integers(1, 12).map(lambda pairs: 2 * pairs), bases)
def test_one_shift_matrix_moves_every_position(offset, d_model, base):
    matrix = shift_matrix(offset, d_model, base=base)
    assert matrix.shape == (d_model, d_model) and matrix.dtype == np.float64
    for position in (0, 1, 2.5, 499):
        here = slow_sinusoid(position, d_model, base)
        moved = [math.fsum(m * x for m, x in zip(row, here, strict=True)) for row in matrix]
        assert moved == pytest.approx(slow_sinusoid(position + offset, d_model, base), abs=1e-11)
    of_another_pair = np.kron(np.eye(d_model // 2), np.ones((2, 2))) == 0
    assert not matrix[of_another_pair].any()


@given(
    arrays(float, array_shapes(min_dims=0, min_side=0, max_side=3), elements=st.floats(-1e4, 1e4)),
    st.integers(0, 300),
    even_sizes,
    bases,
)
def test_dot_product_depends_only_on_offset(offsets, position, d_model, base):
    products = dot_product_by_offset(offsets, d_model, base=base)
    assert products.shape == offsets.shape and products.dtype == np.float64
    here = slow_sinusoid(position, d_model, base)
    for offset, product in zip(offsets.flat, np.ravel(products), strict=True):
        there = slow_sinusoid(position + float(offset), d_model, base)
        direct = math.fsum(x * y for x, y in zip(here, there, strict=True))
        assert product == pytest.approx(direct, abs=1e-9)


# Bad input that other test files do not cover


def test_other_dtypes_are_rejected():
    other_order = ">f8" if np.little_endian else "<f8"
    for dtype in (None, int, complex, object, "no such type", 5, other_order, ("f4", -1), [], {}):
        message = "dtype must be float16, float32 or float64"
        for make in (sinusoidal_encoding, table_by_turning):
            assert_refused(partial(make, 4, 4, dtype=dtype), message, kind=TypeError)
