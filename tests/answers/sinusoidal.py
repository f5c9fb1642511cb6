"""Lab 03: right answers, wrong ones, and what is found in them."""

import cmath
import math
from collections.abc import Callable, Iterable

import numpy as np
from checks.labs import (
    strange_table,
)
from hypothesis import strategies as st

from . import Answers


def row_by_hand() -> list[float]:
    numbers = []
    for pair in range(3):
        angle = 12 / 64 ** (2 * pair / 6)
        numbers += [math.sin(angle), math.cos(angle)]
    return numbers


def row_with(frequencies: tuple[float, ...], position: float = 12) -> list[float]:
    return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]


RIGHT_ROW = row_with((1, 1 / 4, 1 / 16))


WIDTHS = st.integers(1, 80)


BASES = st.integers(2, 10_000) | st.just(10_000)


PLACES = st.integers(0, 400) | st.integers(0, 1600).map(lambda quarters: quarters / 4)


POSITIONS = st.lists(PLACES, min_size=1, max_size=12).map(np.array)


def rows(positions: Iterable[float], d_model: int, base: int) -> list[list[float]]:
    made = []
    for position in positions:
        made.append([])
        for column in range(d_model):
            angle = position / base ** ((column - column % 2) / d_model)
            made[-1].append(math.cos(angle) if column % 2 else math.sin(angle))
    return made


def table(waves: Callable[[int, int, int], float]) -> Callable:
    """A number for each position, column and width."""
    return lambda n, d: [[waves(i, c, d) for c in range(d)] for i in range(n)]


def rows_of_the_lesson(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """As in the lesson, for an even width."""
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = positions[:, np.newaxis] * frequencies
    table = np.empty((len(positions), d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def mistaken_rows(
    frequencies: Callable[[int, float], np.ndarray] = lambda d, base: (
        base ** (-np.arange(0, d, 2) / d)
    ),
    waves: tuple[Callable, Callable] = (np.sin, np.cos),
) -> Callable:
    """The way to do it, with other frequencies or waves."""

    def made(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        angles = positions[:, np.newaxis] * frequencies(d_model, base)
        table = np.zeros((len(positions), d_model))
        table[:, 0::2] = waves[0](angles)
        table[:, 1::2] = waves[1](angles[:, : d_model // 2])
        return table

    return made


def rows_without_the_last(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    angles = positions[:, np.newaxis] * base ** (-2 * np.arange(d_model // 2) / d_model)
    table = np.zeros((len(positions), d_model))
    for pair in range(d_model // 2):
        table[:, 2 * pair] = np.sin(angles[:, pair])
        table[:, 2 * pair + 1] = np.cos(angles[:, pair])
    return table


def rows_in_halves(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    angles = np.outer(positions, base ** (-np.arange(0, d_model, 2) / d_model))
    return np.hstack([np.sin(angles), np.cos(angles)])[:, :d_model]


def each_column_its_own(positions: np.ndarray, d_model: int, base: float) -> list[list[float]]:
    return [
        [
            math.cos(position * base ** (-column / d_model))
            if column % 2
            else math.sin(position * base ** (-column / d_model))
            for column in range(d_model)
        ]
        for position in positions
    ]


def rows_in_float32(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = positions.astype(np.float32)[:, None] / np.float32(base) ** exponents
    table = np.zeros((len(positions), d_model), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d_model // 2]
    assert table.dtype == np.float32
    return table


ALL_ONE = {
    *((name, "one-angle") for name in ("base-ignored", "rounded-up-to-even")),
    ("cosine-own-frequency", "one-angle"),
    ("one-angle", "integer-division"),
}


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


EVEN = st.integers(1, 40).map(lambda n_pairs: 2 * n_pairs)


@st.composite
def clocks(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    last = math.ceil(2 * math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, last) | st.sampled_from([0, last]))
    return np.array(rows([position], d_model, base)[0]), base


def reading(
    angle: Callable[[np.ndarray], float] = lambda row: np.arctan2(row[-2], row[-1]) % math.tau,
    frequency: Callable[[int, float], float] = lambda d, base: base ** (-(d - 2) / d),
) -> Callable:
    return lambda row, base: round(angle(row) / frequency(len(row), base))


def cut_off(row: np.ndarray, base: float) -> int:
    d_model = len(row)
    return int(np.arctan2(row[-2], row[-1]) % math.tau / base ** (-(d_model - 2) / d_model))


def divided_down(row: np.ndarray, base: float) -> float:
    return math.atan2(row[-2], row[-1]) % math.tau // base ** (2 / len(row) - 1)


def search(n_positions: int, base: float | None = None) -> Callable:
    """The nearest row of a table, which may be too short, or have another base."""

    def nearest(row: np.ndarray, its_base: float) -> int:
        table = rows_of_the_lesson(np.arange(n_positions), len(row), base or its_base)
        return int(np.abs(table - row).sum(axis=1).argmin())

    return nearest


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def position_by_half_turns(row: np.ndarray, base: float) -> float:
    angle = math.acos(row[-1])
    return (angle if row[-2] >= 0 else math.tau - angle) / slowest(row, base)


FASTEST_READ = {
    ("fastest-hand-read", "multiplied-by-frequency"),
    ("fastest-hand-read", "angle-for-position"),
    ("angle-for-position", "frequency-of-another-hand"),
    *(
        (read, name)
        for read in ("fastest-hand-read", "angle-for-position")
        for name in ("base-ignored", "exponent-doubled")
    ),
}


TOLERANCE = "an angle read off is whole, but for rounding"


def strange(n_positions: int, d_model: int) -> list[list[float]]:
    angles = [
        [position / 10_000 ** (column / d_model) for column in range(d_model)]
        for position in range(n_positions)
    ]
    return [
        [math.cos(angle) if column % 2 else math.sin(angle) for column, angle in enumerate(row)]
        for row in angles
    ]


def by_parity(angle: Callable[[int, int, int], float]) -> Callable:
    return table(lambda i, c, d: (math.cos if c % 2 else math.sin)(angle(i, c, d)))


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
            (
                "sine-cosine-swapped",
                [x for s, c in zip(*[iter(RIGHT_ROW)] * 2, strict=True) for x in (c, s)],
            ),
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
            ("base-ignored", mistaken_rows(lambda d, base: 10_000 ** (-np.arange(0, d, 2) / d))),
            ("positions-counted", lambda p, d, base: mistaken_rows()(np.arange(len(p)), d, base)),
            ("positions-cut", lambda p, d, base: mistaken_rows()(p.astype(int), d, base)),
            ("rounded-up-to-even", lambda p, d, base: mistaken_rows()(p, d + d % 2, base)[:, :d]),
            ("last-sine-missing", rows_without_the_last),
            (
                "exponent-doubled",
                mistaken_rows(lambda d, base: base ** (-2 * np.arange(0, d, 2) / d)),
            ),
            (
                "exponent-halved",
                mistaken_rows(lambda d, base: base ** (-np.arange((d + 1) // 2) / d)),
            ),
            ("sine-cosine-swapped", mistaken_rows(waves=(np.cos, np.sin))),
            ("sines-everywhere", mistaken_rows(waves=(np.sin, np.sin))),
            ("halves-concatenated", rows_in_halves),
            ("cosine-own-frequency", each_column_its_own),
        ),
        alike={
            *ALL_ONE,
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
                cmath.phase(complex(-row[-1], -row[-2])) / slowest(row, base)
                + math.pi / slowest(row, base)
            ),
        ),
        wrong=(
            ("fastest-hand-read", lambda row, base: round(np.arctan2(row[0], row[1]) % math.tau)),
            ("fastest-hand-read angle-negative", lambda row, base: np.arctan2(row[0], row[1])),
            ("angle-negative", reading(lambda row: np.arctan2(row[-2], row[-1]))),
            ("angle-not-unique", reading(lambda row: math.asin(row[-2]))),
            ("angle-for-position", reading(frequency=lambda d, base: 1)),
            ("arctangent-swapped", reading(lambda row: np.arctan2(row[-1], row[-2]) % math.tau)),
            (
                "angle-in-degrees",
                reading(lambda row: np.degrees(np.arctan2(row[-2], row[-1])) % 360),
            ),
            ("base-ignored", reading(frequency=lambda d, base: 10_000 ** (-(d - 2) / d))),
            ("frequency-of-another-hand", reading(frequency=lambda d, base: 1 / base)),
            ("exponent-doubled", reading(frequency=lambda d, base: base ** (-2 * (d - 2) / d))),
            ("position-cut", cut_off),
            ("pattern.cut-not-rounded", divided_down),
            ("pattern.always-too-small", search(64)),
        ),
        alike={
            *FASTEST_READ,
            ("fastest-hand-read", "exponent-halved"),
            ("angle-for-position", "exponent-halved"),
            # The sine alone gives angles of both signs.
            ("angle-not-unique", "angle-negative"),
            ("angle-not-unique", "position-cut"),
        },
        equal_changes={"round(angle / slowest) -> angle / slowest": TOLERANCE},
    ),
    "strange-table": Answers(
        second=strange,
        asked=st.tuples(st.integers(1, 100), EVEN),
        right=(strange_table,),
        wrong=(
            ("the-right-table", by_parity(lambda i, c, d: i / 10_000 ** ((c - c % 2) / d))),
            ("another-wrong-table", by_parity(lambda i, c, d: i / 10_000 ** (2 * (c - c % 2) / d))),
            ("another-exponent", by_parity(lambda i, c, d: i / 10_000 ** (2 * c / d))),
            (
                "another-cosine-frequency",
                by_parity(lambda i, c, d: i / 10_000 ** ((c + c % 2) / d)),
            ),
            ("sines-everywhere", table(lambda i, c, d: math.sin(i / 10_000 ** (c / d)))),
            (
                "sine-cosine-swapped",
                table(lambda i, c, d: (math.sin if c % 2 else math.cos)(i / 10_000 ** (c / d))),
            ),
            (
                "pattern.odd-columns-wrong",
                by_parity(lambda i, c, d: i / 10_000 ** ((c - c % 2) / d) / (1 + 2 * (c % 2))),
            ),
            (
                "pattern.only-first-row-right",
                by_parity(lambda i, c, d: i / 10_000 ** ((c + 1) / d)),
            ),
            ("positions-from-one", by_parity(lambda i, c, d: (i + 1) / 10_000 ** (c / d))),
            ("ratio-of-one-width", by_parity(lambda i, c, d: i * 0.1**c)),
            ("pattern.almost", by_parity(lambda i, c, d: i * round(10_000 ** (-1 / d), 4) ** c)),
        ),
        equal_changes={
            "columns % 2 == 0 -> columns % 2 <= 0": "no remainder is negative",
            "2 -> -2": "a remainder is 0 or not, whatever its sign",
        },
    ),
}
