"""Lab 04 as people get it wrong."""

import math
from collections.abc import Callable

import numpy as np


def frequencies(d_model: int, exponent: float = 2.0) -> np.ndarray:
    return 10_000.0 ** (-exponent * np.arange(d_model // 2) / d_model)


def blocks(angles: np.ndarray, signs: tuple[int, int, int, int] = (1, -1, 1, 1)) -> np.ndarray:
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    a, b, c, d = signs
    return np.block([[a * cosines, b * sines], [c * sines, d * cosines]])


def of_the_lesson(offset: int, d_model: int) -> np.ndarray:
    matrix = np.zeros((d_model, d_model))
    for k, angle in enumerate(offset * frequencies(d_model)):
        cosine, sine = math.cos(angle), math.sin(angle)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def swapped_blocks(steps_back: int, d_model: int) -> np.ndarray:
    angles = steps_back * frequencies(d_model)
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[sines, -cosines], [cosines, sines]])


def outer_blocks(steps_back: int, d_model: int) -> np.ndarray:
    angles = steps_back * frequencies(d_model)
    full = np.ones((d_model // 2, 1))
    return np.block(
        [
            [full * np.cos(angles), -full * np.sin(angles)],
            [full * np.sin(angles), full * np.cos(angles)],
        ]
    )


def overwritten(steps_back: int, d_model: int) -> np.ndarray:
    for angle in steps_back * frequencies(d_model):
        matrix = np.eye(d_model)
        matrix[0, 0] = math.cos(angle)
    return matrix


def products(offsets: np.ndarray, d_model: int) -> np.ndarray:
    return np.cos(np.outer(offsets, frequencies(d_model))).sum(axis=1)


def distance(offsets: np.ndarray, d_model: int, exponent: float = 2.0) -> np.ndarray:
    waves = np.cos(np.outer(offsets, frequencies(d_model, exponent)))
    return np.sqrt(d_model - 2 * waves.sum(axis=1))


def nearer(angle: float) -> float:
    return (angle + math.pi) % math.tau - math.pi


def hand(row: np.ndarray, column: int = -2) -> float:
    return math.atan2(row[column], row[column + 1])


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (-(len(row) - 2) / len(row))


def reading(turn: Callable[[np.ndarray, np.ndarray], float]) -> Callable:
    return lambda row, other, base: round(turn(row, other) / slowest(row, base))


def cut_off(row: np.ndarray, other: np.ndarray, base: float) -> int:
    return int(nearer(hand(other) - hand(row)) / slowest(row, base))


def by_dot_product(row: np.ndarray, other: np.ndarray, base: float) -> int:
    pairs = 10_000 ** (-np.arange(0, len(row), 2) / len(row))
    return min(range(100), key=lambda r: abs(np.cos(r * pairs).sum() - row @ other))


def table(n_positions: int, d_model: int) -> np.ndarray:
    angles = np.outer(np.arange(n_positions), frequencies(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)


def map_of(columns: Callable[[np.ndarray], np.ndarray]) -> Callable:
    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = columns(table(n_positions, d_model))
        return kept @ kept.T

    return products


def sines_with_the_first_row_empty(n_positions: int, d_model: int) -> np.ndarray:
    rows = table(n_positions, d_model)
    rows[0] = 0
    return rows @ rows.T


MISTAKES = {
    "shift-back": (
        ("wrong-sign", lambda r, d: blocks(r * frequencies(d), (1, 1, -1, 1))),
        ("neighbours-in-matrix", lambda r, d: of_the_lesson(-r, d)),
        ("wrong-sign neighbours-in-matrix", of_the_lesson),
        ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, -1, -1, 1))),
        ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, 1, 1, 1))),
        ("block-swapped", swapped_blocks),
        ("offset-forgotten", lambda r, d: blocks(frequencies(d))),
        ("one-angle", lambda r, d: blocks(r * np.ones(d // 2))),
        ("exponent-halved", lambda r, d: blocks(r * frequencies(d, 1))),
        ("exponent-doubled", lambda r, d: blocks(r * frequencies(d, 4))),
        ("degrees", lambda r, d: blocks(np.radians(r * frequencies(d)))),
        ("offset-off-by-one", lambda r, d: blocks((r + 1) * frequencies(d))),
        ("wrong-shape", lambda r, d: blocks(r * frequencies(d))[: d // 2, : d // 2]),
        ("pattern.some-calls-right", outer_blocks),
        ("pattern.never-negative", overwritten),
        (
            "wrong-shape",
            lambda r, d: np.block([[np.cos(r * frequencies(d)), -np.sin(r * frequencies(d))]]),
        ),
        ("pattern.never-negative", lambda r, d: np.eye(d, k=-r)),
        (
            "pattern.numbers-elsewhere",
            lambda r, d: np.linalg.inv(of_the_lesson(r, d)) @ np.eye(d)[::-1],
        ),
    ),
    "distance-by-offset": (
        ("root-forgotten", lambda r, d: d - 2 * products(r, d)),
        ("dot-product-itself", products),
        ("product-once", lambda r, d: np.sqrt(d - products(r, d))),
        ("squares-miscounted", lambda r, d: np.sqrt(2 * d - 2 * products(r, d))),
        ("squares-miscounted", lambda r, d: np.sqrt(d / 2 - 2 * products(r, d))),
        ("half-the-square", lambda r, d: np.sqrt(d / 2 - products(r, d))),
        ("signs-swapped", lambda r, d: np.sqrt(d + 2 * products(r, d))),
        (
            "chords-added",
            lambda r, d: (2 * np.abs(np.sin(np.outer(r, frequencies(d)) / 2))).sum(axis=1),
        ),
        ("mean-for-sum", lambda r, d: np.sqrt(d - 2 * products(r, d) / (d / 2))),
        (
            "sine-for-cosine",
            lambda r, d: np.sqrt(d - 2 * np.sin(np.outer(r, frequencies(d))).sum(axis=1)),
        ),
        ("one-angle", lambda r, d: np.sqrt(d - d * np.cos(r))),
        ("exponent-halved", lambda r, d: distance(r, d, 1)),
        ("exponent-doubled", lambda r, d: distance(r, d, 4)),
        (
            "degrees",
            lambda r, d: np.sqrt(d - 2 * np.cos(np.radians(np.outer(r, frequencies(d)))).sum(1)),
        ),
        ("wrong-shape", lambda r, d: np.sqrt(d - 2 * np.cos(np.outer(r, frequencies(d))))),
        ("number-given", lambda r, d: np.sqrt(d - 2 * np.cos(np.outer(r, frequencies(d))).sum())),
        ("positions-apart", lambda r, d: np.abs(r)),
        ("first-pair-only", lambda r, d: np.sqrt(2 - 2 * np.cos(r))),
        ("root-of-product", lambda r, d: np.sqrt(products(r, d))),
        (
            "pattern.right-for-small",
            lambda r, d: np.linalg.norm(table(1001, d)[r] - table(1001, d)[0], axis=1),
        ),
        ("raised", lambda r, d: np.sqrt(d - 2 * np.cos(r * frequencies(d)).sum())),
        (
            "pattern.entries-too-few-by-one",
            lambda r, d: [math.sqrt(abs(d - 2 * np.cos(x * frequencies(d)).sum())) for x in r[1:]],
        ),
        ("root-forgotten product-once", lambda r, d: d - products(r, d)),
    ),
    "offset-between": (
        ("direction-reversed", reading(lambda a, b: nearer(hand(a) - hand(b)))),
        ("longer-way-round", reading(lambda a, b: hand(b) - hand(a))),
        ("longer-way-round", reading(lambda a, b: hand(b) % math.tau - hand(a) % math.tau)),
        ("always-forward", reading(lambda a, b: (hand(b) - hand(a)) % math.tau)),
        ("direction-lost", reading(lambda a, b: math.acos(a[-2:] @ b[-2:]))),
        ("direction-lost", reading(lambda a, b: abs(nearer(hand(b) - hand(a))))),
        ("direction-reversed longer-way-round", reading(lambda a, b: hand(a) - hand(b))),
        ("fastest-hand-read", lambda a, b, base: round(nearer(hand(b, 0) - hand(a, 0)))),
        ("angle-not-unique", reading(lambda a, b: math.asin(b[-2] * a[-1] - b[-1] * a[-2]))),
        ("angle-for-position", lambda a, b, base: nearer(hand(b) - hand(a))),
        ("angle-in-degrees", reading(lambda a, b: math.degrees(nearer(hand(b) - hand(a))))),
        (
            "base-ignored",
            lambda a, b, base: round(nearer(hand(b) - hand(a)) / slowest(a, 10_000)),
        ),
        ("frequency-of-another-hand", lambda a, b, base: round(nearer(hand(b) - hand(a)) * base)),
        ("pattern.cut-not-rounded", cut_off),
        (
            "pattern.some-calls-right",
            reading(lambda a, b: math.atan2(b[-2] - a[-2], b[-1] - a[-1])),
        ),
        ("pattern.some-calls-right", reading(lambda a, b: b[-2] - a[-2])),
        ("pattern.never-negative", reading(lambda a, b: math.acos(a @ b / (len(a) / 2)))),
        ("pattern.never-negative", by_dot_product),
        ("number-expected", lambda a, b, base: b - a),
        ("pattern.some-calls-right", reading(lambda a, b: nearer(hand(b) + hand(a)))),
    ),
    "strange-products": (
        ("the-right-products", map_of(lambda t: t)),
        ("cosines-alone", map_of(lambda t: t[:, 1::2])),
        ("first-half-of-columns", map_of(lambda t: t[:, : t.shape[1] // 2])),
        ("sines-with-cosines", lambda n, d: table(n, d)[:, 0::2] @ table(n, d)[:, 1::2].T),
        ("products-divided", lambda n, d: map_of(lambda t: t[:, 0::2])(n, d) / (d / 2)),
        (
            "waves-of-the-offset",
            lambda n, d: np.sin(
                np.subtract.outer(np.arange(n), np.arange(n))[..., np.newaxis] * frequencies(d)
            ).sum(axis=-1),
        ),
        ("the-right-products products-divided", lambda n, d: map_of(lambda t: t)(n, d) / (d / 2)),
        ("the-right-products products-divided", lambda n, d: map_of(lambda t: t)(n, d) / 2),
        ("pattern.only-first-of-rows-right", sines_with_the_first_row_empty),
        ("", map_of(lambda t: t[:, :2])),
        ("pattern.only-first-of-rows-right", map_of(lambda t: t[:, :1])),
        ("wrong-shape", lambda n, d: map_of(lambda t: t[:, 0::2])(n, d).diagonal()),
        ("wrong-shape", lambda n, d: table(n, d)[:, 0::2]),
        ("wrong-shape", lambda n, d: table(n, d)[:, 0::2].T @ table(n, d)[:, 0::2]),
        (
            "pattern.only-first-of-rows-right",
            lambda n, d: np.sin(np.arange(n)[:, np.newaxis] * np.arange(n)),
        ),
        ("positions-from-one", lambda n, d: map_of(lambda t: t[:, 0::2])(n + 1, d)[1:, 1:]),
        ("pattern.sign-lost", lambda n, d: np.abs(map_of(lambda t: t[:, 0::2])(n, d))),
        (
            "pattern.only-first-of-rows-right",
            lambda n, d: map_of(lambda t: t)(n, d) - map_of(lambda t: t)(n, d)[0],
        ),
    ),
}
