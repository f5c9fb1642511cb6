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


def reading(angle: Callable[[np.ndarray], float]) -> Callable[[np.ndarray, float], int]:
    return lambda row, base: round(angle(row) / slowest(row, base))


WRONG = {
    "row-by-hand": (
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
        ("cosine-own-frequency", rows_by(lambda p, c, d, base: p / base ** (c / d))),
    ),
    "position-from-row": (
        ("multiplied-by-frequency", lambda row, base: round(turned(row) * slowest(row, base))),
        ("fastest-hand-read", lambda row, base: round(np.arctan2(row[0], row[1]) % math.tau)),
        ("angle-negative", reading(lambda row: math.atan2(row[-2], row[-1]))),
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
    "strange-table": (
        ("the-right-table", table_by(lambda i, c, d: right_angle(i, c, d, 10_000))),
        ("another-wrong-table", table_by(lambda i, c, d: i / 10_000 ** (c // 2 * 4 / d))),
        ("another-exponent", table_by(lambda i, c, d: i / 10_000 ** (2 * c / d))),
        ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c + c % 2) / d))),
        ("sines-everywhere", table_by(lambda i, c, d: i / 1e4 ** (c / d), *2 * [math.sin])),
        (
            "sine-cosine-swapped",
            table_by(lambda i, c, d: i / 10_000 ** (c / d), math.cos, math.sin),
        ),
        ("last-column-at-base", table_by(lambda i, c, d: i / 10_000 ** (c / (d - 1)))),
        ("positions-from-one", table_by(lambda i, c, d: (i + 1) / 10_000 ** (c / d))),
        ("ratio-of-one-width", table_by(lambda i, c, d: i * 0.1**c)),
    ),
}
