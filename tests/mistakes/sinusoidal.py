"""Lab 03 as people get it wrong."""

import math
from collections.abc import Callable

import numpy as np


def row_with(frequencies: tuple[float, ...], position: float = 12) -> list[float]:
    return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]


RIGHT_ROW = row_with((1, 1 / 4, 1 / 16))


def rows_of_the_lesson(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """As in the lesson, for an even width."""
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = positions[:, np.newaxis] * frequencies
    table = np.empty((len(positions), d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def rows(
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


def row_returned_too_soon(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    for position in positions:
        return rows()(np.array([position]), d_model, base)


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


def reading(
    angle: Callable[[np.ndarray], float] = lambda row: np.arctan2(row[-2], row[-1]) % math.tau,
    frequency: Callable[[int, float], float] = lambda d, base: base ** (-(d - 2) / d),
) -> Callable:
    return lambda row, base: round(angle(row) / frequency(len(row), base))


def cut_off(row: np.ndarray, base: float) -> int:
    d_model = len(row)
    return int(np.arctan2(row[-2], row[-1]) % math.tau / base ** (-(d_model - 2) / d_model))


def cut_off_otherwise(row: np.ndarray, base: float) -> int:
    frequencies = 1 / base ** (np.arange(0, len(row), 2) / len(row))
    angle = math.atan2(row[-2], row[-1])
    return int((angle + math.tau if angle < 0 else angle) / frequencies[-1])


def divided_down(row: np.ndarray, base: float) -> float:
    return math.atan2(row[-2], row[-1]) % math.tau // base ** (2 / len(row) - 1)


def search(n_positions: int, base: float | None = None) -> Callable:
    """The nearest row of a table, which may be too short, or have another base."""

    def nearest(row: np.ndarray, its_base: float) -> int:
        table = rows_of_the_lesson(np.arange(n_positions), len(row), base or its_base)
        return int(np.abs(table - row).sum(axis=1).argmin())

    return nearest


def table(waves: Callable[[int, int, int], float]) -> Callable:
    """A number for each position, column and width."""
    return lambda n, d: [[waves(i, c, d) for c in range(d)] for i in range(n)]


def by_parity(angle: Callable[[int, int, int], float]) -> Callable:
    return table(lambda i, c, d: (math.cos if c % 2 else math.sin)(angle(i, c, d)))


MISTAKES = {
    "row-by-hand": (
        ("degrees", row_with((math.pi / 180, math.pi / 720, math.pi / 2880))),
        ("another-base", row_with((1, 10_000 ** (-1 / 3), 10_000 ** (-2 / 3)))),
        ("neighbouring-position", row_with((1, 1 / 4, 1 / 16), 13)),
        ("neighbouring-position", row_with((1, 1 / 4, 1 / 16), 11)),
        ("ends-at-base", row_with((1, 1 / 8, 1 / 64))),
        ("pairs-from-one", row_with((1 / 4, 1 / 16, 1 / 64))),
        ("exponent-halved", row_with((1, 1 / 2, 1 / 4))),
        ("exponent-doubled", row_with((1, 1 / 16, 1 / 256))),
        ("sine-cosine-swapped", [x for s, c in zip(*[iter(RIGHT_ROW)] * 2) for x in (c, s)]),  # noqa: B905
        ("halves-concatenated", RIGHT_ROW[0::2] + RIGHT_ROW[1::2]),
        ("too-few-digits", [round(x, 2) for x in RIGHT_ROW]),
        ("too-few-digits", [math.trunc(x * 1e4) / 1e4 for x in RIGHT_ROW]),
        ("exponent-is-the-pair", row_with((1, 1 / 64, 1 / 4096))),
        ("pattern.decimal-comma", [0, 5366, 0, 8439, 0, 1411, 0, 9900, 0, 6816, 0, 7317]),
        ("pattern.reshaped", [RIGHT_ROW[:2], RIGHT_ROW[2:4], RIGHT_ROW[4:]]),
        ("wrong-count", row_with((1, 0.1, 0.01, 0.001))),
        ("wrong-shape", [RIGHT_ROW[0::2], RIGHT_ROW[1::2]]),
        ("pattern.entries-half-as-many", [12, 3, 0.75]),
        (
            "degrees neighbouring-position",
            row_with((math.pi / 180, math.pi / 720, math.pi / 2880), 13),
        ),
        ("pattern.lengths-right", row_with((1, 1 / 4, 1 / 8))),
    ),
    "sinusoidal-rows": (
        ("raised", rows_of_the_lesson),
        ("base-ignored", rows(lambda d, base: 10_000 ** (-np.arange(0, d, 2) / d))),
        ("positions-counted", lambda p, d, base: rows()(np.arange(len(p)), d, base)),
        ("positions-cut", lambda p, d, base: rows()(p.astype(int), d, base)),
        ("rounded-up-to-even", lambda p, d, base: rows()(p, d + d % 2, base)[:, :d]),
        ("last-sine-missing", rows_without_the_last),
        ("exponent-doubled", rows(lambda d, base: base ** (-2 * np.arange(0, d, 2) / d))),
        ("exponent-halved", rows(lambda d, base: base ** (-np.arange((d + 1) // 2) / d))),
        ("sine-cosine-swapped", rows(waves=(np.cos, np.sin))),
        ("sines-everywhere", rows(waves=(np.sin, np.sin))),
        ("halves-concatenated", rows_in_halves),
        ("cosine-own-frequency", each_column_its_own),
        ("raised", rows(lambda d, base: base ** -np.arange(0, d, 2) / d)),
        ("raised", lambda p, d, base: p * base ** (-np.arange(0, d, 2) / d)),
        ("pattern.only-first-returned", row_returned_too_soon),
        ("pattern.only-first-returned", lambda p, d, base: rows()(p, d, base)[0]),
        ("pattern.rows-elsewhere", lambda p, d, base: rows()(np.sort(p), d, base)),
        (
            "pattern.only-first-call-right",
            lambda p, d, base: rows()(np.arange(int(p.max()) + 1), d, base),
        ),
        ("raised", lambda p, d, base: rows()(np.arange(int(p.max()) + 1), d, base)[p]),
        (
            "base-ignored sine-cosine-swapped",
            rows(lambda d, base: 10_000 ** (-np.arange(0, d, 2) / d), (np.cos, np.sin)),
        ),
    ),
    "position-from-row": (
        ("fastest-hand-read", lambda row, base: round(np.arctan2(row[0], row[1]) % math.tau)),
        ("fastest-hand-read angle-negative", lambda row, base: np.arctan2(row[0], row[1])),
        ("angle-negative", reading(lambda row: np.arctan2(row[-2], row[-1]))),
        ("half-turn-added", reading(lambda row: np.arctan2(row[-2], row[-1]) + math.pi)),
        (
            "half-turn-added",
            reading(lambda row: np.arctan2(row[-2], row[-1]) + math.pi * (row[-2] < 0)),
        ),
        ("angle-not-unique", reading(lambda row: math.asin(row[-2]))),
        ("angle-not-unique", reading(lambda row: math.acos(row[-1]))),
        ("angle-not-unique", reading(lambda row: math.atan(row[-2] / row[-1]))),
        ("angle-for-position", reading(frequency=lambda d, base: 1)),
        ("arctangent-swapped", reading(lambda row: np.arctan2(row[-1], row[-2]) % math.tau)),
        ("angle-in-degrees", reading(lambda row: np.degrees(np.arctan2(row[-2], row[-1])) % 360)),
        ("base-ignored", reading(frequency=lambda d, base: 10_000 ** (-(d - 2) / d))),
        ("frequency-of-another-hand", reading(frequency=lambda d, base: 1 / base)),
        ("frequency-of-another-hand", reading(frequency=lambda d, base: base ** (-(d - 1) / d))),
        ("exponent-doubled", reading(frequency=lambda d, base: base ** (-2 * (d - 2) / d))),
        ("position-cut", cut_off),
        ("position-cut", cut_off_otherwise),
        ("pattern.cut-not-rounded", divided_down),
        ("pattern.always-too-small", search(64)),
        ("pattern.only-one-call-wrong", search(1000)),
        ("pattern.always-too-large", search(5000, 10_000)),
        (
            "pattern.always-too-small",
            reading(lambda row: math.acos(row[-1]), lambda d, base: base ** (-(d - 2) / d) * 2),
        ),
        (
            "pattern.right-for-small",
            reading(lambda row: np.arctan2(row[len(row) // 2 - 1], row[-1]) % math.tau),
        ),
        (
            "angle-negative base-ignored",
            reading(
                lambda row: np.arctan2(row[-2], row[-1]), lambda d, base: 10_000 ** (-(d - 2) / d)
            ),
        ),
    ),
    "strange-table": (
        ("the-right-table", by_parity(lambda i, c, d: i / 10_000 ** ((c - c % 2) / d))),
        ("another-wrong-table", by_parity(lambda i, c, d: i / 10_000 ** (2 * (c - c % 2) / d))),
        ("another-wrong-table", by_parity(lambda i, c, d: i / 10_000 ** (c // 2 / d))),
        ("another-wrong-table", by_parity(lambda i, c, d: (i + 1) / 10_000 ** ((c - c % 2) / d))),
        ("another-wrong-table", by_parity(lambda i, c, d: i / 1000 ** ((c - c % 2) / d))),
        (
            "another-wrong-table",
            table(
                lambda i, c, d: (math.sin if c % 2 else math.cos)(i / 10_000 ** ((c - c % 2) / d))
            ),
        ),
        ("another-exponent", by_parity(lambda i, c, d: i / 10_000 ** (2 * c / d))),
        ("another-cosine-frequency", by_parity(lambda i, c, d: i / 10_000 ** ((c + c % 2) / d))),
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
            "pattern.only-first-of-rows-right",
            by_parity(lambda i, c, d: i / 10_000 ** ((c + 1) / d)),
        ),
        ("positions-from-one", by_parity(lambda i, c, d: (i + 1) / 10_000 ** (c / d))),
        ("ratio-of-one-width", by_parity(lambda i, c, d: i * 0.1**c)),
        ("ratio-of-one-width", by_parity(lambda i, c, d: i * 0.31623**c)),
        (
            "ratio-of-one-width",
            by_parity(lambda i, c, d: i * 0.31623 ** (c % 2) * 0.1 ** (c // 2)),
        ),
        ("pattern.almost", by_parity(lambda i, c, d: i * round(10_000 ** (-1 / d), 4) ** c)),
        (
            "pattern.odd-columns-wrong",
            by_parity(lambda i, c, d: i / 10_000 ** ((c - c % 2) / d) + 0.1 * (c % 2)),
        ),
    ),
}
