"""Lab 03 a second time."""

import math
from collections.abc import Iterable

import numpy as np
from hypothesis import strategies as st

from . import Second

EVEN = st.integers(1, 40).map(lambda n_pairs: 2 * n_pairs)
WIDTHS = st.integers(1, 80)
BASES = st.integers(2, 10_000) | st.just(10_000)
PLACES = st.integers(0, 400) | st.integers(0, 1600).map(lambda quarters: quarters / 4)
POSITIONS = st.lists(PLACES, min_size=1, max_size=12).map(np.array)


def row(n_positions: int, d_model: int, position: int) -> list[float]:
    numbers = []
    for pair in range(d_model // 2):
        angle = position / 64 ** (2 * pair / d_model)
        numbers += [math.sin(angle), math.cos(angle)]
    return numbers


def rows(positions: Iterable[float], d_model: int, base: int) -> list[list[float]]:
    made = []
    for position in positions:
        made.append([])
        for column in range(d_model):
            angle = position / base ** ((column - column % 2) / d_model)
            made[-1].append(math.cos(angle) if column % 2 else math.sin(angle))
    return made


def table(n_positions: int, d_model: int) -> list[list[float]]:
    return rows(range(n_positions), d_model, 10_000)


def position_of(row: np.ndarray, base: int) -> int:
    """By bisection: up to half a turn the cosine of the slowest hand falls, then it rises."""
    sine, cosine = row[-2], row[-1]
    wavelength = 2 * math.pi * base ** ((len(row) - 2) / len(row))
    low, high = (0.0, wavelength / 2) if sine >= 0 else (wavelength / 2, wavelength)
    for _ in range(100):
        middle = (low + high) / 2
        reached = math.cos(2 * math.pi * middle / wavelength)
        if (reached > cosine) == (sine >= 0):
            low = middle
        else:
            high = middle
    return round(low)


def strange(n_positions: int, d_model: int) -> list[list[float]]:
    angles = [
        [position / 10_000 ** (column / d_model) for column in range(d_model)]
        for position in range(n_positions)
    ]
    return [
        [math.cos(angle) if column % 2 else math.sin(angle) for column, angle in enumerate(row)]
        for row in angles
    ]


@st.composite
def clocks(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    last = math.ceil(2 * math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, last) | st.sampled_from([0, last]))
    return np.array(rows([position], d_model, base)[0]), base


SECOND = {
    "row-by-hand": Second(row, st.just((14, 6, 12))),
    "sinusoidal-rows": Second(rows, st.tuples(POSITIONS, WIDTHS, BASES)),
    "position-from-row": Second(position_of, clocks()),
    "strange-table": Second(strange, st.tuples(st.integers(1, 100), EVEN)),
}
