"""Lab 03 a second time."""

import math

from hypothesis import strategies as st

from . import Second

EVEN = st.integers(1, 100).map(lambda n_pairs: 2 * n_pairs)


def frequencies(d_model: int) -> list[float]:
    return [10_000 ** (-2 * pair / d_model) for pair in range(d_model // 2)]


def table(n_positions: int, d_model: int) -> list[list[float]]:
    rows = []
    for position in range(n_positions):
        row = []
        for frequency in frequencies(d_model):
            row += [math.sin(position * frequency), math.cos(position * frequency)]
        rows.append(row)
    return rows


def row(n_positions: int, d_model: int, position: int) -> list[float]:
    return table(n_positions, d_model)[position]


SECOND = {
    "row-by-hand": Second(row, st.just((4, 8, 3))),
    "angular-frequencies": Second(frequencies, st.tuples(EVEN)),
    "sinusoidal-encoding": Second(table, st.tuples(st.integers(1, 100), EVEN)),
}
