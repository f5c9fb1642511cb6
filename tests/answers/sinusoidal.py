"""Lab 03: right answers, wrong ones, and what is found in them."""

import cmath
import math
from collections.abc import Callable

import numpy as np
from checks.labs import strange_table
from hypothesis import strategies as st

from . import Answers

WIDTHS = st.integers(1, 80)
EVEN = st.integers(1, 40).map(lambda n_pairs: 2 * n_pairs)
BASES = st.integers(2, 10_000) | st.just(10_000)
PLACES = st.integers(0, 400) | st.integers(0, 1600).map(lambda quarters: quarters / 4)
POSITIONS = st.lists(PLACES, min_size=1, max_size=12).map(np.array)


def row_with(frequencies: tuple[float, ...], position: float = 12) -> list[float]:
    return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]


RIGHT_ROW = row_with((1, 1 / 4, 1 / 16))


def row_by_hand() -> list[float]:
    numbers = []
    for pair in range(3):
        angle = 12 / 64 ** (2 * pair / 6)
        numbers += [math.sin(angle), math.cos(angle)]
    return numbers


Angle = Callable[[float, int, int, float], float]
"""Of a position and a column, in a table of some width and base."""


def rows_by(angle: Angle, even: Callable = math.sin, odd: Callable = math.cos) -> Callable:
    """Rows number by number, with one wave in even columns and another in odd ones."""
    return lambda positions, d, base: [
        [(odd if c % 2 else even)(angle(p, c, d, base)) for c in range(d)] for p in positions
    ]


def right_angle(p: float, c: int, d: int, base: float) -> float:
    return p / base ** ((c - c % 2) / d)


rows = rows_by(right_angle)


def swapped_in_pairs(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    angles = positions[:, np.newaxis] / base ** (np.arange(0, d_model, 2) / d_model)
    table = np.empty((len(positions), d_model))
    table[:, 0::2], table[:, 1::2] = np.cos(angles), np.sin(angles)
    return table


def rows_without_the_last(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    table = np.array(rows(positions, d_model, base))
    table[:, d_model // 2 * 2 :] = 0
    return table


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


def reading(angle: Callable[[np.ndarray], float]) -> Callable[[np.ndarray, float], int]:
    return lambda row, base: round(angle(row) / slowest(row, base))


def in_a_table_of_10_000(row: np.ndarray, base: float) -> int:
    table = rows_in_halves(np.arange(10_000), len(row), base)
    return int(np.abs(table - np.append(row[::2], row[1::2])).sum(axis=1).argmin())


def position_by_half_turns(row: np.ndarray, base: float) -> float:
    angle = math.acos(row[-1])
    return (angle if row[-2] >= 0 else math.tau - angle) / slowest(row, base)


def table_by(angle: Callable[[int, int, int], float], *waves: Callable) -> Callable:
    """A whole table, number by number."""
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
            ("degrees", row_with((math.pi / 180, math.pi / 720, math.pi / 2880))),
            ("another-base", row_with((1, 10_000 ** (-1 / 3), 10_000 ** (-2 / 3)))),
            ("neighbouring-position", row_with((1, 1 / 4, 1 / 16), 13)),
            ("ends-at-base", row_with((1, 1 / 8, 1 / 64))),
            ("pairs-from-one", row_with((1 / 4, 1 / 16, 1 / 64))),
            ("exponent-halved", row_with((1, 1 / 2, 1 / 4))),
            ("exponent-doubled", row_with((1, 1 / 16, 1 / 256))),
            ("frequencies-multiplied", row_with((1, 4, 16))),
            ("sine-cosine-swapped", np.reshape(RIGHT_ROW, (3, 2))[:, ::-1].ravel()),
            ("halves-concatenated", RIGHT_ROW[0::2] + RIGHT_ROW[1::2]),
            ("too-few-digits", [round(x, 2) for x in RIGHT_ROW]),
            ("exponent-is-the-pair", row_with((1, 1 / 64, 1 / 4096))),
            ("pattern.decimal-comma", [0, 5366, 0, 8439, 0, 1411, 0, 9900, 0, 6816, 0, 7317]),
            ("pattern.reshaped", [RIGHT_ROW[:2], RIGHT_ROW[2:4], RIGHT_ROW[4:]]),
            ("wrong-count", row_with((1, 0.1, 0.01, 0.001))),
        ),
        alike={
            ("another-base", "exponent-halved"),
            # With 6 columns, a doubled exponent of one pair less is the number of the pair.
            ("exponent-doubled", "ends-at-base"),
        },
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
            ("base-ignored", lambda p, d, base: rows(p, d, 10_000)),
            ("positions-counted", lambda p, d, base: rows(range(len(p)), d, base)),
            ("positions-cut", lambda p, d, base: rows(p.astype(int), d, base)),
            ("pattern.lengths-right", lambda p, d, base: rows(np.round(p), d, base)),
            ("rounded-up-to-even", lambda p, d, b: np.array(rows(p, d + d % 2, b))[:, :d]),
            ("last-sine-missing", rows_without_the_last),
            ("exponent-doubled", rows_by(lambda p, c, d, base: p / base ** (c // 2 * 4 / d))),
            ("exponent-halved", rows_by(lambda p, c, d, base: p / base ** (c // 2 / d))),
            ("integer-division", rows_by(lambda p, c, d, base: p * base ** (-(c // 2) * 2 // d))),
            ("degrees", rows_by(lambda *given: math.radians(right_angle(*given)))),
            ("one-angle", rows_by(lambda p, c, d, base: p)),
            ("sine-cosine-swapped", rows_by(right_angle, math.cos, math.sin)),
            ("sine-cosine-swapped", swapped_in_pairs),  # which cannot be made for an odd size
            ("sines-everywhere", rows_by(right_angle, math.sin, math.sin)),
            ("halves-concatenated", rows_in_halves),
            ("cosine-own-frequency", rows_by(lambda p, c, d, base: p / base ** (c / d))),
        ),
        alike={
            *((name, "one-angle") for name in ("base-ignored", "rounded-up-to-even")),
            ("cosine-own-frequency", "one-angle"),
            ("one-angle", "integer-division"),
            # Rounded down, an exponent between -1 and 0 is -1, whatever it was.
            ("exponent-halved", "integer-division"),
            ("rounded-up-to-even", "integer-division"),
        },
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
            ("pattern.only-one-call-wrong", in_a_table_of_10_000),
            (
                "pattern.only-one-call-wrong",  # what is read at position 5 lies a hair above it
                lambda row, base: math.ceil(turned(row) / base ** (-(len(row) - 2) / len(row))),
            ),
            ("multiplied-by-frequency", lambda row, base: round(turned(row) * slowest(row, base))),
            ("fastest-hand-read", lambda row, base: round(np.arctan2(row[0], row[1]) % math.tau)),
            ("angle-negative", reading(lambda row: math.atan2(row[-2], row[-1]))),
            ("angle-negative", lambda row, base: math.atan2(row[-2], row[-1]) / slowest(row, base)),
            ("half-turn-added", reading(lambda row: math.atan2(row[-2], row[-1]) + math.pi)),
            ("angle-not-unique", reading(lambda row: math.asin(row[-2]))),
            ("angle-for-position", lambda row, base: round(turned(row))),
            ("arctangent-swapped", reading(lambda row: math.atan2(row[-1], row[-2]) % math.tau)),
            ("angle-in-degrees", reading(lambda row: math.degrees(turned(row)))),
            ("base-ignored", lambda row, base: round(turned(row) / slowest(row, 10_000))),
            ("frequency-of-another-hand", lambda row, base: round(turned(row) * base)),
            ("exponent-doubled", lambda row, base: round(turned(row) / slowest(row, base) ** 2)),
            ("position-cut", lambda row, base: int(turned(row) / slowest(row, base))),
        ),
        alike={
            ("fastest-hand-read", "multiplied-by-frequency"),
            ("fastest-hand-read", "angle-for-position"),
            ("angle-for-position", "frequency-of-another-hand"),
            *(
                (read, name)
                for read in ("fastest-hand-read", "angle-for-position")
                for name in ("base-ignored", "exponent-doubled")
            ),
            ("fastest-hand-read", "exponent-halved"),
            ("angle-for-position", "exponent-halved"),
            # The sine alone gives angles of both signs.
            ("angle-not-unique", "angle-negative"),
            ("angle-not-unique", "position-cut"),
        },
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
            ("the-right-table", table_by(lambda i, c, d: right_angle(i, c, d, 10_000))),
            ("another-wrong-table", table_by(lambda i, c, d: i / 10_000 ** (c // 2 * 4 / d))),
            ("another-exponent", table_by(lambda i, c, d: i / 10_000 ** (2 * c / d))),
            ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c + c % 2) / d))),
            ("sines-everywhere", table_by(lambda i, c, d: i / 1e4 ** (c / d), *2 * [math.sin])),
            (
                "sine-cosine-swapped",
                table_by(lambda i, c, d: i / 10_000 ** (c / d), math.cos, math.sin),
            ),
            (
                "pattern.odd-columns-wrong",
                table_by(lambda i, c, d: right_angle(i, c, d, 10_000) / (1 + 2 * (c % 2))),
            ),
            ("pattern.only-first-row-right", table_by(lambda i, c, d: i / 10_000 ** ((c + 1) / d))),
            ("positions-from-one", table_by(lambda i, c, d: (i + 1) / 10_000 ** (c / d))),
            ("ratio-of-one-width", table_by(lambda i, c, d: i * 0.1**c)),
            ("pattern.almost", table_by(lambda i, c, d: i * round(10_000 ** (-1 / d), 4) ** c)),
        ),
        equal_changes={
            "columns % 2 == 0 -> columns % 2 <= 0": "no remainder is negative",
            "2 -> -2": "a remainder is 0 or not, whatever its sign",
        },
    ),
}
