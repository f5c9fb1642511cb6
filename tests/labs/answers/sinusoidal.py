"""Correct and wrong answers for lab 03, with the expected findings."""

import cmath
import math
from collections.abc import Callable

import numpy as np
from checks.labs import WithoutSource, strange_table
from hypothesis import strategies as st

from . import Answers

WIDTHS = st.integers(1, 80)
EVEN = st.integers(1, 40).map(lambda n_pairs: 2 * n_pairs)
BASES = st.integers(2, 10_000) | st.just(10_000)
PLACES = st.integers(0, 400) | st.integers(0, 1600).map(lambda quarters: quarters / 4)
POSITIONS = st.lists(PLACES, min_size=1, max_size=12).map(np.array)


def row_with(frequencies: tuple[float, ...], position: float = 12) -> list[float]:
    return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]


def row_by_hand() -> list[float]:
    numbers = []
    for pair in range(3):
        angle = 12 / 64 ** (2 * pair / 6)
        numbers += [math.sin(angle), math.cos(angle)]
    return numbers


Angle = Callable[[float, int, int, float], float]
"""Type of functions that return an angle for a position, a column, a width and a base."""


def rows_by(angle: Angle, even: Callable = math.sin, odd: Callable = math.cos) -> Callable:
    """Compute rows number by number, with different waves in even and odd columns."""
    return lambda positions, d, base: [
        [(odd if c % 2 else even)(angle(p, c, d, base)) for c in range(d)] for p in positions
    ]


def right_angle(p: float, c: int, d: int, base: float) -> float:
    return p / base ** ((c - c % 2) / d)


rows = rows_by(right_angle)


def rows_in_halves(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    angles = np.outer(positions, base ** (-np.arange(0, d_model, 2) / d_model))
    return np.hstack([np.sin(angles), np.cos(angles)])[:, :d_model]


def rows_in_float32(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = positions.astype(np.float32)[:, None] / np.float32(base) ** exponents
    table = np.zeros((len(positions), d_model), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d_model // 2]
    assert table.dtype == np.float32
    return table


KEPT: dict[int, list[float]] = {}


def rows_kept_by_width(positions: np.ndarray, d_model: int, base: float) -> list[list[float]]:
    """Compute rows with frequencies that are cached by width."""
    if d_model not in KEPT:
        KEPT[d_model] = [base ** (-(c - c % 2) / d_model) for c in range(d_model)]
    return [
        [(math.cos if c % 2 else math.sin)(p * w) for c, w in enumerate(KEPT[d_model])]
        for p in positions
    ]


def position_of(row: np.ndarray, base: int) -> int:
    """Compute the position by bisection of the slowest hand's cosine."""
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


@st.composite
def clocks(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    last = math.ceil(2 * math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, last) | st.sampled_from([0, last]))
    return np.array(rows([position], d_model, base)[0]), base


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def turned(row: np.ndarray) -> float:
    return math.atan2(row[-2], row[-1]) % math.tau


def in_a_table_of_10_000(row: np.ndarray, base: float) -> int:
    table = rows_in_halves(np.arange(10_000), len(row), base)
    return int(np.abs(table - np.append(row[::2], row[1::2])).sum(axis=1).argmin())


def position_by_half_turns(row: np.ndarray, base: float) -> float:
    angle = math.acos(row[-1])
    return (angle if row[-2] >= 0 else math.tau - angle) / slowest(row, base)


def table_by(angle: Callable[[int, int, int], float], *waves: Callable) -> Callable:
    """Return a function that computes a table number by number."""
    rows = rows_by(lambda i, c, d, base: angle(i, c, d), *waves)
    return lambda n, d: rows(range(n), d, 10_000)


ANSWERS = {
    "row-by-hand": Answers(
        second=row_by_hand,
        asked=st.just(()),
        right=(
            [-0.5366, 0.8439, 0.1411, -0.9900, 0.6816, 0.7317],
            np.float32([wave(12 / 4**k) for k in range(3) for wave in (math.sin, math.cos)]),
        ),
        wrong=(
            ("pattern.decimal-comma", [0, 5366, 0, 8439, 0, 1411, 0, 9900, 0, 6816, 0, 7317]),
            ("wrong-count", row_with((1, 0.1, 0.01, 0.001))),
            ("pattern.reshaped", np.reshape(row_with((1, 1 / 4, 1 / 16)), (3, 2))),
        ),
        equal_changes={"12 -> -12": "a cosine has no sign"},
    ),
    "sinusoidal-rows": Answers(
        second=rows,
        asked=st.tuples(POSITIONS, WIDTHS, BASES),
        right=(
            rows_in_float32,
            lambda *given: np.asfortranarray(rows(*given)).astype(">f8"),
            lambda p, d_model=16, base=100: rows(p, d_model, base),
        ),
        wrong=(
            ("pattern.repair-extra", lambda p, d, base: rows(np.round(p), d, base)),
            ("pattern.half-precision", lambda *given: np.float16(rows(*given))),
            ("pattern.result-of-earlier-call", rows_kept_by_width),
        ),
    ),
    "position-from-row": Answers(
        second=position_of,
        asked=clocks(),
        right=(
            position_by_half_turns,
            lambda row, base: (
                (cmath.phase(complex(-row[-1], -row[-2])) + math.pi) / slowest(row, base)
            ),
        ),
        wrong=(
            ("searched-in-table", in_a_table_of_10_000),
            (
                "pattern.repair-extra",  # the result for position 5 is slightly above 5
                lambda row, base: math.ceil(turned(row) / base ** (-(len(row) - 2) / len(row))),
            ),
        ),
        equal_changes={
            "round(angle / slowest) -> angle / slowest": (
                "an angle read off is whole, but for rounding"
            )
        },
    ),
    "strange-table": Answers(
        second=table_by(lambda i, c, d: i / 10_000 ** (c / d)),
        asked=st.tuples(st.integers(1, 100), EVEN),
        right=(strange_table,),
        wrong=(
            (
                "pattern.almost",
                WithoutSource(table_by(lambda i, c, d: i * round(10_000 ** (-1 / d), 4) ** c)),
            ),
            (
                "pattern.repair-extra",
                table_by(lambda i, c, d: (i + 2) / 10_000 ** (c / d)),
            ),
            (
                "pattern.where",
                table_by(lambda i, c, d: right_angle(i, c, d, 10_000) / (1 + 2 * (c % 2))),
            ),
        ),
        equal_changes={
            "columns % 2 == 0 -> columns % 2 <= 0": "no remainder is negative",
            "2 -> -2": "a remainder is 0 or not, whatever its sign",
        },
    ),
}
