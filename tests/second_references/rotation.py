"""Lab 04 a second time."""

import math

import numpy as np
from hypothesis import strategies as st

from . import Second
from .sinusoidal import BASES, EVEN, rows, table


def back(steps_back: int, d_model: int) -> list[list[float]]:
    matrix = [[0.0] * d_model for _ in range(d_model)]
    half = d_model // 2
    for pair in range(half):
        angle = -steps_back / 10_000 ** (2 * pair / d_model)
        matrix[pair][pair] = matrix[pair + half][pair + half] = math.cos(angle)
        matrix[pair][pair + half] = math.sin(angle)
        matrix[pair + half][pair] = -math.sin(angle)
    return matrix


def distances(offsets: np.ndarray, d_model: int) -> list[float]:
    start = 1000
    (here,) = rows([start], d_model, 10_000)
    there = rows([start + int(offset) for offset in offsets], d_model, 10_000)
    return [math.dist(here, row) for row in there]


def offset(row: np.ndarray, other: np.ndarray, base: int) -> int:
    """The angle of a quotient of complex numbers is the difference of their angles."""
    first, second = complex(row[-1], row[-2]), complex(other[-1], other[-2])
    turn = second / first
    return round(math.atan2(turn.imag, turn.real) * base ** ((len(row) - 2) / len(row)))


def products_of_sines(n_positions: int, d_model: int) -> list[list[float]]:
    sines = [row[0::2] for row in table(n_positions, d_model)]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in sines] for a in sines]


@st.composite
def two_clocks(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    most = math.ceil(math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, 3 * most))
    moved = draw(st.integers(-most, most) | st.sampled_from([-most, 0, most]))
    return *np.array(rows([position, position + moved], d_model, base)), base


OFFSETS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12).map(np.array)

SECOND = {
    "shift-back": Second(back, st.tuples(st.integers(-500, 500), EVEN)),
    "distance-by-offset": Second(distances, st.tuples(OFFSETS, EVEN)),
    "offset-between": Second(offset, two_clocks()),
    "strange-products": Second(products_of_sines, st.tuples(st.integers(1, 30), EVEN)),
}
