"""Every table against plain loops, at the sizes where the algorithm takes another branch."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import assert_refused

from course_utils.encodings import (
    angular_frequencies,
    binary_encoding,
    dot_product_by_offset,
    index_encoding,
    normalized_encoding,
    shift_matrix,
    sinusoidal_encoding,
)

PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899863"
)

# Blocks are of 32 positions up to 1,024 dimensions, of 16 at 2,048, and of 2 from 16,384 on; blocks
# of blocks begin after 32 * 32.
BLOCK_EDGES = [
    *((n, 6) for n in (1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129)),
    *((n, 8) for n in (1023, 1024, 1025, 1055, 1056, 1057, 2048, 2049)),
    *((n, 1024) for n in (31, 32, 33, 64, 65)),
    *((n, 2048) for n in (15, 16, 17, 33)),
    *((n, 40_000) for n in (1, 2, 3, 4, 5, 8, 9)),
]

sizes = st.integers(1, 300)
even_sizes = st.integers(1, 40).map(lambda pairs: 2 * pairs)
bases = st.floats(1.001, 1e12)


def slow_sinusoid(position: int, d_model: int, base: float) -> list[float]:
    row = []
    for pair in range(d_model // 2):
        angle = position / math.pow(base, 2 * pair / d_model)
        row += [math.sin(angle), math.cos(angle)]
    return row


def exact_sinusoid(position: int, d_model: int, base: float) -> list[float]:
    """The same with sixty digits, by Taylor's series."""
    row = []
    with localcontext(prec=60):
        for pair in range(d_model // 2):
            frequency = Decimal(base) ** (Decimal(-2 * pair) / d_model)
            angle = (position * frequency) % (2 * PI)
            term, sums = Decimal(1), [Decimal(0), Decimal(0)]
            for power in range(80):
                sums[power % 2] += term if power % 4 < 2 else -term
                term *= angle / (power + 1)
            row += [float(sums[1]), float(sums[0])]
    return row


# Index, normalised, binary


@given(sizes, sizes)
def test_index_is_the_position_everywhere(n_positions, d_model):
    expected = [[float(i)] * d_model for i in range(n_positions)]
    table = index_encoding(n_positions, d_model)
    assert table.dtype == np.float64
    assert table.tolist() == expected


@given(sizes, sizes)
def test_normalized_is_the_share_of_the_sequence(n_positions, d_model):
    table = normalized_encoding(n_positions, d_model)
    assert table.dtype == np.float64 and table.shape == (n_positions, d_model)
    for i in range(n_positions):
        expected = float(Fraction(i, n_positions - 1)) if n_positions > 1 else 0.0
        assert set(table[i].tolist()) == {expected}


@given(st.data())
def test_binary_is_the_position_in_base_two(data):
    d_model = data.draw(st.integers(1, 70))
    n_positions = data.draw(st.integers(1, min(300, 2**d_model)))
    table = binary_encoding(n_positions, d_model)
    assert table.dtype == np.float64 and table.shape == (n_positions, d_model)
    for i in range(n_positions):
        written = format(i, f"0{d_model}b")
        assert table[i].tolist() == [float(bit) for bit in reversed(written)]


@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 10])
def test_as_many_positions_as_the_bits_can_write_and_not_one_more(d_model):
    table = binary_encoding(2**d_model, d_model)
    assert table[-1].tolist() == [1.0] * d_model
    said = f"n_positions must be at most {2**d_model},", f"{d_model} bits", f"got {2**d_model + 1}."
    assert_refused(lambda: binary_encoding(2**d_model + 1, d_model), *said, kind=ValueError)


# Sinusoidal


@given(even_sizes, bases)
def test_frequencies_fall_geometrically_from_one(d_model, base):
    frequencies = angular_frequencies(d_model, base=base)
    assert frequencies.shape == (d_model // 2,) and frequencies.dtype == np.float64
    expected = [1 / math.pow(base, 2 * k / d_model) for k in range(d_model // 2)]
    np.testing.assert_allclose(frequencies, expected, rtol=1e-12)
    assert frequencies[0] == 1


@given(sizes, even_sizes, bases)
def test_sinusoidal_against_loops(n_positions, d_model, base):
    table = sinusoidal_encoding(n_positions, d_model, base=base)
    expected = [slow_sinusoid(i, d_model, base) for i in range(n_positions)]
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n_positions", "d_model"), BLOCK_EDGES)
def test_block_edges(n_positions, d_model):
    table = sinusoidal_encoding(n_positions, d_model)
    for row in {0, n_positions // 2, n_positions - 2, n_positions - 1}:
        expected = slow_sinusoid(row % n_positions, d_model, 10_000.0)
        np.testing.assert_allclose(table[row], expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("d_model", [2, 8, 38, 1026])
def test_a_shorter_table_is_the_beginning_of_a_longer_one(dtype, d_model):
    longer = sinusoidal_encoding(1200, d_model, dtype=dtype)
    for n_positions in (*range(1, 8), 31, 32, 33, 63, 64, 65, 127, 129, 1024, 1025, 1100):
        shorter = sinusoidal_encoding(n_positions, d_model, dtype=dtype)
        assert np.array_equal(shorter, longer[:n_positions])


@pytest.mark.parametrize(
    ("dtype", "error"), [(np.float64, 1e-9), (np.float32, 1e-7), (np.float16, 2.5e-4)]
)
def test_right_up_to_a_million_positions(dtype, error):
    d_model = 10
    table = sinusoidal_encoding(1_000_001, d_model, dtype=dtype)
    assert table.dtype == dtype and np.abs(table).max() <= 1 + np.finfo(dtype).eps
    rows = [0, 1, 31, 32, 33, 127, 128, 129, 1_000, 1_023, 1_024, 32_767, 32_768, 65_535]
    rows += [524_288, 999_983, 999_999, 1_000_000]
    for row in rows:
        exact = np.array(exact_sinusoid(row, d_model, 10_000.0))
        assert np.abs(table[row].astype(np.float64) - exact).max() < error


@pytest.mark.parametrize("dtype", ["float32", "f4", np.dtype("float32"), np.float32])
def test_dtype_by_any_of_its_names(dtype):
    assert sinusoidal_encoding(3, 2, dtype=dtype).dtype == np.float32


def test_numpy_integers_are_whole_numbers():
    expected = sinusoidal_encoding(5, 4)
    assert np.array_equal(sinusoidal_encoding(np.int32(5), np.uint8(4)), expected)
    assert np.array_equal(sinusoidal_encoding(5, 4, base=10_000), expected)
    assert np.array_equal(sinusoidal_encoding(5, 4, base=np.float32(10_000)), expected)
    assert np.array_equal(sinusoidal_encoding(5, 4, base=Fraction(10_000)), expected)


def test_each_call_returns_a_table_of_its_own():
    first = sinusoidal_encoding(5, 4)
    first[:] = 7
    assert sinusoidal_encoding(5, 4)[0].tolist() == [0, 1, 0, 1]


# Shifts and dot products


@given(st.integers(0, 500), st.integers(-500, 500), even_sizes, bases)
def test_the_shift_matrix_moves_every_position(position, offset, d_model, base):
    matrix = shift_matrix(offset, d_model, base=base)
    assert matrix.shape == (d_model, d_model)
    here = slow_sinusoid(position, d_model, base)
    moved = [math.fsum(m * x for m, x in zip(row, here, strict=True)) for row in matrix.tolist()]
    assert moved == pytest.approx(slow_sinusoid(position + offset, d_model, base), abs=1e-11)


@given(st.floats(-100, 100), even_sizes)
def test_the_shift_matrix_entry_by_entry(offset, d_model):
    matrix = shift_matrix(offset, d_model)
    for row in range(d_model):
        for column in range(d_model):
            angle = offset / math.pow(10_000, (row - row % 2) / d_model)
            if row // 2 != column // 2:
                expected = 0.0
            elif row == column:
                expected = math.cos(angle)
            else:
                expected = math.sin(angle) if row < column else -math.sin(angle)
            assert matrix[row, column] == pytest.approx(expected, abs=1e-13)


@given(st.integers(0, 300), st.integers(0, 300), even_sizes, bases)
def test_the_dot_product_depends_on_the_offset_alone(first, second, d_model, base):
    rows = slow_sinusoid(first, d_model, base), slow_sinusoid(second, d_model, base)
    direct = math.fsum(x * y for x, y in zip(*rows, strict=True))
    closed = dot_product_by_offset(second - first, d_model, base=base)
    assert float(closed) == pytest.approx(direct, abs=1e-10)


@given(st.lists(st.floats(-1e4, 1e4), max_size=6), even_sizes)
def test_dot_products_come_in_the_shape_of_the_offsets(offsets, d_model):
    values = dot_product_by_offset(offsets, d_model)
    assert values.shape == (len(offsets),) and values.dtype == np.float64
    for offset, value in zip(offsets, values, strict=True):
        angles = [offset / math.pow(10_000, 2 * k / d_model) for k in range(d_model // 2)]
        assert value == pytest.approx(math.fsum(map(math.cos, angles)), abs=1e-9)
    square = dot_product_by_offset([[1, 2], [3, 4]], d_model)
    assert np.array_equal(square.ravel(), dot_product_by_offset([1, 2, 3, 4], d_model))


# Bad input that is no other module's


@pytest.mark.parametrize(
    "dtype",
    [
        *(None, "int32", int, bool, complex, object, str, "no such type", "", 5, np.int8),
        *(">f8" if np.little_endian else "<f8", [], {}, "f4,f4", ("f4", -1), [("a", "f4")]),
        np.zeros(3),
    ],
    ids=str,
)
def test_no_other_dtype(dtype):
    said = "dtype must be float16, float32 or float64"
    assert_refused(lambda: sinusoidal_encoding(4, 4, dtype=dtype), said, kind=TypeError)


@pytest.mark.parametrize("n_positions", [32, 33, 64, 1000, 4097])
@pytest.mark.parametrize("d_model", [2, 6, 64, 2050])
def test_a_long_table_holds_the_numbers_of_the_formula(n_positions, d_model):
    """Up to 32 positions the table is the formula; beyond, blocks of it are turned."""
    angles = np.outer(np.arange(n_positions), angular_frequencies(d_model))
    by_formula = np.empty((n_positions, d_model))
    by_formula[:, 0::2], by_formula[:, 1::2] = np.sin(angles), np.cos(angles)
    assert np.abs(sinusoidal_encoding(n_positions, d_model) - by_formula).max() < 1e-12
