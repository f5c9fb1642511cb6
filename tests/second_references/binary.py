"""Lab 02 a second time."""

import numpy as np
from hypothesis import strategies as st

from . import Second


def bits_needed(n_positions: int) -> int:
    d_model, positions = 0, 1
    while positions < n_positions:
        d_model, positions = d_model + 1, 2 * positions
    return d_model


def positions_from_bits(bits: np.ndarray) -> list[int]:
    positions = []
    for row in bits:
        position, worth = 0, 1
        for bit in row:
            position += worth * int(bit)
            worth *= 2
        positions.append(position)
    return positions


def reflected(d_model: int) -> list[list[int]]:
    """Gray code as it is usually made: the rows so far, then the same backwards, with a 1 added."""
    rows = [[]]
    for _ in range(d_model):
        rows = [row + [0] for row in rows] + [row + [1] for row in reversed(rows)]
    return rows


def gray(n_positions: int, d_model: int) -> list[list[int]]:
    n_bits = min(d_model, bits_needed(max(n_positions, 2)))
    return [row + [0] * (d_model - n_bits) for row in reflected(n_bits)[:n_positions]]


def flips_at_distance(table: np.ndarray, distance: int) -> list[int]:
    flips = []
    for row in range(len(table) - distance):
        n_flips = 0
        for earlier, later in zip(table[row], table[row + distance], strict=True):
            n_flips += int(earlier != later)
        flips.append(n_flips)
    return flips


def stripes_one_wider(n_positions: int, d_model: int) -> list[list[int]]:
    columns = []
    for width in range(1, d_model + 1):
        column, bit = [], 0
        while len(column) < n_positions:
            column += [bit] * width
            bit = 1 - bit
        columns.append(column[:n_positions])
    return [[column[position] for column in columns] for position in range(n_positions)]


def tables_of_bits(size: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
    n_rows, d_model = size
    row = st.lists(st.integers(0, 1), min_size=d_model, max_size=d_model)
    return st.lists(row, min_size=n_rows, max_size=n_rows).map(np.array)


def with_a_distance(table: np.ndarray) -> st.SearchStrategy[tuple[np.ndarray, int]]:
    return st.tuples(st.just(table), st.integers(0, len(table) - 1))


def as_many_as_fit(d_model: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, min(2**d_model, 300)), st.just(d_model))


TABLES = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(tables_of_bits)

SECOND = {
    "bits-needed": Second(bits_needed, st.tuples(st.integers(2, 100_000))),
    "positions-from-bits": Second(positions_from_bits, st.tuples(TABLES)),
    "gray-encoding": Second(gray, st.integers(1, 16).flatmap(as_many_as_fit)),
    "flips-at-distance": Second(flips_at_distance, TABLES.flatmap(with_a_distance)),
    "their-stripes": Second(stripes_one_wider, st.tuples(st.integers(1, 200), st.integers(1, 40))),
}
