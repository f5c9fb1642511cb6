"""Tests of fractional coordinates and two axes, against loops and PyTorch."""

import math

import numpy as np
import pytest
from checks.experiment_scripts import pytorch
from checks.refusals import assert_refused
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course_utils.coordinates import encoding_at, grid_encoding, resized_table, rotate_on_grid
from course_utils.encodings import shift_matrix, sinusoidal_encoding

bases = st.floats(1.5, 1e6)
moments = st.floats(-1e4, 1e4)
sizes = st.integers(1, 9)


def vector_at(place: float, d_model: int, base: float) -> list[float]:
    angles = [place / base ** (2 * pair / d_model) for pair in range(d_model // 2)]
    return [wave(angle) for angle in angles for wave in (math.sin, math.cos)]


# Moments


@given(arrays(float, st.tuples(sizes, sizes), elements=moments), st.integers(1, 6), bases)
def test_encoding_at_follows_formula(positions, n_pairs, base):
    table = encoding_at(positions, 2 * n_pairs, base=base)
    assert table.shape == (*positions.shape, 2 * n_pairs)
    for place in np.ndindex(positions.shape):
        expected = vector_at(positions[place], 2 * n_pairs, base)
        np.testing.assert_allclose(table[place], expected, atol=1e-10)


@given(sizes, st.integers(1, 6), bases)
def test_whole_positions_give_sinusoidal_table(n_positions, n_pairs, base):
    table = encoding_at(range(n_positions), 2 * n_pairs, base=base)
    assert np.array_equal(table, sinusoidal_encoding(n_positions, 2 * n_pairs, base=base))


@given(moments, st.floats(-100, 100), st.integers(1, 6))
def test_elapsed_time_is_rotation(moment, elapsed, n_pairs):
    later = shift_matrix(elapsed, 2 * n_pairs) @ encoding_at(moment, 2 * n_pairs)
    np.testing.assert_allclose(later, encoding_at(moment + elapsed, 2 * n_pairs), atol=1e-10)


# Two axes


@given(sizes, sizes, st.integers(1, 4), bases)
def test_grid_has_row_before_column(n_rows, n_columns, n_quarters, base):
    half = 2 * n_quarters
    table = grid_encoding(n_rows, n_columns, 2 * half, base=base)
    assert table.shape == (n_rows, n_columns, 2 * half)
    listed = table.reshape(-1, 2 * half)
    for number, vector in enumerate(listed):
        row, column = divmod(number, n_columns)
        expected = [*vector_at(row, half, base), *vector_at(column, half, base)]
        np.testing.assert_allclose(vector, expected, atol=1e-10)


def test_similarity_adds_rows_to_columns():
    table = grid_encoding(6, 9, 32)
    scores = np.einsum("abd,ijd->abij", table, table)
    rows, columns = (sinusoidal_encoding(size, 16) for size in (6, 9))
    expected = (rows @ rows.T)[:, None, :, None] + (columns @ columns.T)[None, :, None, :]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@given(st.integers(0, 2**32), st.integers(-20, 20), st.integers(-20, 20), bases)
def test_rotated_scores_depend_on_offsets_only(seed, down, across, base):
    query, key = np.random.default_rng(seed).normal(size=(2, 12))
    rows, columns = np.arange(5)[:, None], np.arange(7)
    shape = (5, 7, 12)
    queries = rotate_on_grid(np.broadcast_to(query, shape), rows, columns, base=base)
    keys = rotate_on_grid(np.broadcast_to(key, shape), rows + down, columns + across, base=base)
    scores = (queries * keys).sum(axis=-1)
    np.testing.assert_allclose(scores, scores[0, 0], atol=1e-9)
    np.testing.assert_allclose((queries**2).sum(axis=-1), query @ query)


@given(st.integers(0, 2**32), st.floats(-50, 50), st.floats(-50, 50), bases)
def test_grid_rotation_against_complex_numbers(seed, row, column, base):
    vector = np.random.default_rng(seed).normal(size=12)
    expected = []
    for pair in range(6):
        place = row if pair < 3 else column
        angle = place / base ** (2 * (pair % 3) / 6)
        turned = complex(*vector[2 * pair : 2 * pair + 2]) * complex(
            math.cos(angle), math.sin(angle)
        )
        expected += [turned.real, turned.imag]
    np.testing.assert_allclose(rotate_on_grid(vector, row, column, base=base), expected, atol=1e-10)


# Grids of another size


@given(st.integers(0, 2**32), sizes, sizes, sizes, sizes)
def test_resized_table_against_pytorch(seed, n_rows, n_columns, rows_before, columns_before):
    torch = pytorch()
    table = np.random.default_rng(seed).normal(size=(rows_before, columns_before, 3))
    expected = torch.nn.functional.interpolate(
        torch.from_numpy(table).permute(2, 0, 1)[None],
        size=(n_rows, n_columns),
        mode="bilinear",
        align_corners=False,
    )[0].permute(1, 2, 0)
    np.testing.assert_allclose(resized_table(table, n_rows, n_columns), expected, atol=1e-12)


@given(sizes, sizes)
def test_same_size_keeps_table(n_rows, n_columns):
    table = np.random.default_rng(0).normal(size=(n_rows, n_columns, 4))
    np.testing.assert_allclose(resized_table(table, n_rows, n_columns), table, atol=1e-15)


# The claims of lesson 12, at other sizes


@pytest.mark.parametrize("base", [100, 10_000])
@pytest.mark.parametrize("d_model", [16, 64, 256, 1024])
def test_same_row_is_more_similar_than_diagonal(d_model, base):
    table = grid_encoding(12, 12, d_model, base=base)
    for row, column in ((0, 0), (5, 3), (8, 6)):
        here = table[row, column]
        assert here @ table[row, column + 5] > here @ table[row + 3, column + 3]


@pytest.mark.parametrize(("n_rows", "n_columns"), [(4, 4), (11, 11), (5, 8), (8, 5), (10, 15)])
def test_exchanged_axes_scatter_neighbours_unless_square(n_rows, n_columns):
    table = grid_encoding(n_rows, n_columns, 32)
    wrong = table.swapaxes(0, 1).reshape(table.shape)
    with_square_below = [
        np.sum(listed[1:] * listed[:-1], axis=-1).mean() / 16 for listed in (table, wrong)
    ]
    if n_rows == n_columns:
        assert with_square_below[1] == pytest.approx(with_square_below[0])
    else:
        assert with_square_below[1] < with_square_below[0] - 0.1
    # The one-line check: along a row, only the half that encodes the column may change.
    for listed, is_right in ((table, True), (wrong, False)):
        first, second = listed.reshape(-1, 32)[:2]
        assert np.array_equal(first[:16], second[:16]) == is_right


@pytest.mark.parametrize("d_model", [32, 128, 512])
def test_normalised_time_needs_many_radians(d_model):
    def ends(end, base):
        first, last = encoding_at([0, end], d_model, base=base)
        return first @ last / (d_model / 2)

    assert ends(1, 10_000) > 0.95 and 0.5 < ends(1, 2) < 0.8 and ends(1000, 10_000) < 0.3


# Bad input


def test_invalid_coordinates_are_rejected_in_one_sentence():
    assert_refused(lambda: encoding_at([0, math.nan], 4), "positions", "nan")
    assert_refused(lambda: encoding_at([0], 3), "d_model", "3")
    assert_refused(lambda: encoding_at(np.zeros(2**20), 2**12), "too large")
    assert_refused(lambda: grid_encoding(2, 3, 6), "d_model", "multiple of 4", "6")
    assert_refused(lambda: grid_encoding(0, 3, 4), "n_rows", "0")
    assert_refused(lambda: grid_encoding(2, 3.5, 4), "n_columns", "3.5", kind=TypeError)
    assert_refused(lambda: grid_encoding(2**12, 2**12, 256), "too large")
    assert_refused(lambda: rotate_on_grid(np.ones(6), 0, 0), "vectors", "(6,)")
    assert_refused(lambda: rotate_on_grid(np.ones((2, 4)), [0, 1, 2], 0), "rows", "(3,)")
    assert_refused(lambda: rotate_on_grid(np.ones((2, 4)), 0, [0, 1, 2]), "columns", "(3,)")
    assert_refused(lambda: resized_table(np.ones((2, 3)), 1, 1), "table", "(2, 3)")
    assert_refused(lambda: resized_table(np.ones((2, 3, 1)), 1, 0), "n_columns", "0")
