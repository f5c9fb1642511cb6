"""Lab 03: wrong answers as other people write them, and what is found in them."""

import math
from collections.abc import Callable

import numpy as np
from answers.sinusoidal import (
    right_angle,
    row_with,
    rows,
    rows_by,
    rows_in_halves,
    slowest,
    table_by,
    turned,
)

RIGHT_ROW = row_with((1, 1 / 4, 1 / 16))


def rows_without_the_last(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    table = np.array(rows(positions, d_model, base))
    table[:, d_model // 2 * 2 :] = 0
    return table


def sines_then_cosines(
    positions: np.ndarray, d_model: int, base: float, n_hands: int
) -> np.ndarray:
    angles = np.outer(positions, base ** (-2 * np.arange(n_hands) / d_model))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


Reading = Callable[[np.ndarray, float], float]
"""Of a position, from a row and its base."""


def by_angle(angle: Callable[[np.ndarray], float]) -> Reading:
    """By an angle that the slowest hand is taken to have turned."""
    return lambda row, base: angle(row) / slowest(row, base)


def atan_of_sine_by_cosine(row: np.ndarray) -> float:
    return math.atan(row[-2] / row[-1])


def with_half_a_turn_below_zero(row: np.ndarray) -> float:
    angle = math.atan2(row[-2], row[-1])
    return angle if angle >= 0 else angle + math.pi


READINGS = (
    ("fastest-hand-read", lambda row, base: math.atan2(row[0], row[1]) % math.tau),
    ("fastest-hand-read", lambda row, base: math.asin(row[0])),
    ("angle-not-unique", by_angle(lambda row: math.asin(row[-2]))),
    ("angle-not-unique", by_angle(lambda row: math.asin(row[-2]) % math.tau)),
    ("angle-not-unique", by_angle(lambda row: math.acos(row[-1]))),
    ("angle-not-unique", by_angle(atan_of_sine_by_cosine)),
    ("angle-not-unique", by_angle(lambda row: atan_of_sine_by_cosine(row) % math.tau)),
    ("angle-negative", by_angle(lambda row: math.atan2(row[-2], row[-1]))),
    ("half-turn-added", by_angle(lambda row: math.atan2(row[-2], row[-1]) + math.pi)),
    ("half-turn-added", by_angle(with_half_a_turn_below_zero)),
    ("angle-for-position", lambda row, base: turned(row)),
    ("arctangent-swapped", by_angle(lambda row: math.atan2(row[-1], row[-2]) % math.tau)),
    ("angle-in-degrees", by_angle(lambda row: math.degrees(turned(row)))),
    ("base-ignored", lambda row, base: turned(row) / slowest(row, 10_000)),
    ("frequency-of-another-hand", lambda row, base: turned(row) * base),
    ("frequency-of-another-hand", lambda row, base: turned(row) * base ** (1 - 1 / len(row))),
    ("exponent-doubled", lambda row, base: turned(row) * base ** (2 - 4 / len(row))),
    ("exponent-halved", lambda row, base: turned(row) * base ** (1 / 2 - 1 / len(row))),
    ("multiplied-by-frequency", lambda row, base: turned(row) * slowest(row, base)),
)
"""As they come out, before they are rounded."""


def rounded(reading: Reading) -> Reading:
    return lambda row, base: round(reading(row, base))


def one_by_one(c: int, d: int) -> float:
    return c / d


def pair_by_pair(c: int, d: int) -> float:
    return (c - c % 2) / d


def tables_with(exponent: Callable[[int, int], float]) -> list[tuple[str, Callable]]:
    """Tables whose columns have these exponents, each with one fault more."""

    def angle(i: float, c: int, d: int, base: float = 10_000) -> float:
        return i / base ** exponent(c, d)

    def in_halves(n: int, d: int) -> list[list[float]]:
        return [row[::2] + row[1::2] for row in table_by(angle)(n, d)]

    def with_base(base: float) -> Callable:
        return table_by(lambda i, c, d: angle(i, c, d, base))

    bases = (2, math.e, 10, 500, 1_000, 2_000, 5_000, 20_000, 50_000, 100_000, 500_000, 1_000_000)
    return [
        ("sines-everywhere", table_by(angle, math.sin, math.sin)),
        ("sine-cosine-swapped", table_by(angle, math.cos, math.sin)),
        ("positions-from-one", table_by(lambda i, c, d: angle(i + 1, c, d))),
        ("degrees", table_by(lambda i, c, d: math.radians(angle(i, c, d)))),
        ("halves-concatenated", in_halves),
        ("frequencies-multiplied", table_by(lambda i, c, d: i * 10_000 ** exponent(c, d))),
        ("another-exponent", table_by(lambda i, c, d: i / 10_000 ** (2 * exponent(c, d)))),
        ("another-exponent", table_by(lambda i, c, d: i / 100 ** exponent(c, d))),
        *(("another-base", with_base(base)) for base in bases),
    ]


RATIOS = (0.1, 10**-0.5, 0.32, 0.316, 0.3162, 0.31623, 10**-0.25, 0.56, 0.562, 0.5623, 0.56234)
"""From a column to the next, of widths 4, 8 and 16, and as one may read them."""


def table_with_ratio(ratio: float) -> Callable:
    return table_by(lambda i, c, d: i * ratio**c)


WRONG = {
    "row-by-hand": (
        ("degrees", row_with((math.pi / 180, math.pi / 720, math.pi / 2880))),
        *(
            ("another-base", row_with((1, base ** (-1 / 3), base ** (-2 / 3))))
            for base in (6, 100, 10_000)
        ),
        *(("neighbouring-position", row_with((1, 1 / 4, 1 / 16), i)) for i in (11, 13)),
        ("ends-at-base", row_with((1, 1 / 8, 1 / 64))),
        ("pairs-from-one", row_with((1 / 4, 1 / 16, 1 / 64))),
        ("exponent-halved", row_with((1, 1 / 2, 1 / 4))),
        ("exponent-doubled", row_with((1, 1 / 16, 1 / 256))),
        ("frequencies-multiplied", row_with((1, 4, 16))),
        ("sine-cosine-swapped", np.reshape(RIGHT_ROW, (3, 2))[:, ::-1].ravel()),
        ("halves-concatenated", RIGHT_ROW[0::2] + RIGHT_ROW[1::2]),
        *(("too-few-digits", [round(x, digits) for x in RIGHT_ROW]) for digits in (1, 2, 3)),
        ("exponent-is-the-pair", row_with((1, 1 / 64, 1 / 4096))),
    ),
    "sinusoidal-rows": (
        ("base-ignored", lambda p, d, base: rows(p, d, 10_000)),
        ("positions-counted", lambda p, d, base: rows(range(len(p)), d, base)),
        ("positions-cut", lambda p, d, base: rows(p.astype(int), d, base)),
        ("rounded-up-to-even", lambda p, d, b: np.array(rows(p, d + d % 2, b))[:, :d]),
        ("last-sine-missing", rows_without_the_last),
        ("last-column-missing", lambda p, d, b: [row[: d - d % 2] for row in rows(p, d, b)]),
        ("exponent-doubled", rows_by(lambda p, c, d, base: p / base ** (c // 2 * 4 / d))),
        ("exponent-halved", rows_by(lambda p, c, d, base: p / base ** (c // 2 / d))),
        ("integer-division", rows_by(lambda p, c, d, base: p * base ** (-(c // 2) * 2 // d))),
        ("degrees", rows_by(lambda *given: math.radians(right_angle(*given)))),
        ("one-angle", rows_by(lambda p, c, d, base: p)),
        ("sine-cosine-swapped", rows_by(right_angle, math.cos, math.sin)),
        ("sines-everywhere", rows_by(right_angle, math.sin, math.sin)),
        ("halves-concatenated", rows_in_halves),
        ("halves-concatenated", lambda p, d, b: sines_then_cosines(p, d, b, (d + 1) // 2)),
        (
            "halves-concatenated last-column-missing",
            lambda p, d, b: sines_then_cosines(p, d, b, d // 2),
        ),
        ("cosine-own-frequency", rows_by(lambda p, c, d, base: p / base ** (c / d))),
    ),
    "position-from-row": (
        *READINGS,
        *((found, rounded(reading)) for found, reading in READINGS),
        ("position-cut", lambda row, base: int(turned(row) / slowest(row, base))),
    ),
    "strange-table": (
        ("the-right-table", table_by(lambda i, c, d: right_angle(i, c, d, 10_000))),
        *(("another-wrong-table", table) for _, table in tables_with(pair_by_pair)),
        ("another-wrong-table", table_by(lambda i, c, d: i)),
        ("another-wrong-table", table_by(lambda i, c, d: i / 10_000 ** ((c // 2 + 1) * 2 / d))),
        ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c + c % 2) / d))),
        ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c - c % 2 * 2) / d))),
        *tables_with(one_by_one),
        ("last-column-at-base", table_by(lambda i, c, d: i / 10_000 ** (c / (d - 1)))),
        ("axes-swapped", lambda n, d: np.transpose(table_with_ratio(10_000 ** (-1 / d))(n, d))),
        ("integer-division", table_by(lambda i, c, d: i / 10_000 if c else i)),
        *(("ratio-of-one-width", table_with_ratio(ratio)) for ratio in RATIOS),
    ),
}
