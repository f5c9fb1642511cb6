"""Lab 04: wrong answers as other people write them, and what is found in them."""

import math
from collections.abc import Callable

import numpy as np
from answers.rotation import (
    between,
    distance,
    frequencies,
    hand,
    products,
    table,
    turns,
)
from answers.sinusoidal import slowest


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


def reading(turn: Callable[[np.ndarray, np.ndarray], float]) -> Callable:
    return lambda row, other, base: round(turn(row, other) / slowest(row, base))


def map_of(begin: int, step: int = 1, end: float = 1) -> Callable:
    """The products of some columns: from one on, by steps, up to a share of the width."""

    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = table(n_positions, d_model)[:, begin : int(end * d_model) : step]
        return kept @ kept.T

    return products


WRONG = {
    "shift-back": (
        ("wrong-sign", lambda r, d: blocks(r * frequencies(d), (1, 1, -1, 1))),
        ("neighbours-in-matrix", lambda r, d: of_the_lesson(-r, d)),
        ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, -1, -1, 1))),
        ("block-swapped", lambda r, d: blocks(math.pi / 2 - r * frequencies(d))),
        ("offset-forgotten", lambda r, d: blocks(frequencies(d))),
        ("offset-off-by-one", lambda r, d: blocks((r + 1) * frequencies(d))),
    ),
    "distance-by-offset": (
        ("half-angle-forgotten", lambda r, d: distance(2 * turns(r, d))),
        ("root-forgotten", lambda r, d: d - 2 * products(r, d)),
        ("dot-product-itself", products),
        ("product-once", lambda r, d: np.sqrt(d - products(r, d))),
        ("squares-miscounted", lambda r, d: np.sqrt(2 * d - 2 * products(r, d))),
        ("half-the-square", lambda r, d: np.sqrt(d / 2 - products(r, d))),
        ("signs-swapped", lambda r, d: np.sqrt(d + 2 * products(r, d))),
        ("chords-added", lambda r, d: 2 * abs(np.sin(turns(r, d) / 2)).sum(axis=1)),
        ("mean-for-sum", lambda r, d: np.sqrt(d - 2 * products(r, d) / (d / 2))),
        ("sine-for-cosine", lambda r, d: np.sqrt(d - 2 * np.sin(turns(r, d)).sum(axis=1))),
        ("one-angle", lambda r, d: np.sqrt(d - d * np.cos(r))),
        ("exponent-halved", lambda r, d: distance(np.outer(r, frequencies(d, 1)))),
        ("exponent-doubled", lambda r, d: distance(np.outer(r, frequencies(d, 4)))),
        ("degrees", lambda r, d: distance(np.radians(turns(r, d)))),
        ("positions-apart", lambda r, d: np.abs(r)),
        ("along-the-circle", lambda r, d: np.linalg.norm(turns(r, d), axis=1)),
        ("first-pair-only", lambda r, d: np.sqrt(2 - 2 * np.cos(r))),
        ("sines-alone", lambda r, d: np.sqrt((np.sin(turns(r, d)) ** 2).sum(axis=1))),
        (
            "counted-from-the-end",
            lambda r, d: distance(turns(np.arange(abs(r).max() + 1)[r], d)),
        ),
        ("root-of-product", lambda r, d: np.sqrt(products(r, d))),
    ),
    "offset-between": (
        ("multiplied-by-frequency", lambda a, b, base: between(a, b) * slowest(a, base)),
        ("direction-reversed", reading(lambda a, b: between(b, a))),
        ("longer-way-round", reading(lambda a, b: hand(b) - hand(a))),
        ("always-forward", reading(lambda a, b: between(a, b) % math.tau)),
        ("direction-lost", reading(lambda a, b: math.acos(a[-2:] @ b[-2:]))),
        ("fastest-hand-read", lambda a, b, base: round(between(a, b, 0))),
        ("angle-not-unique", reading(lambda a, b: math.asin(b[-2] * a[-1] - b[-1] * a[-2]))),
        ("angle-for-position", lambda a, b, base: between(a, b)),
        ("angle-in-degrees", reading(lambda a, b: math.degrees(between(a, b)))),
        ("base-ignored", lambda a, b, base: round(between(a, b) / slowest(a, 10_000))),
        ("frequency-of-another-hand", lambda a, b, base: round(between(a, b) * base)),
    ),
    "strange-products": (
        ("the-right-products", map_of(0)),
        ("cosines-alone", map_of(1, 2)),
        ("first-half-of-columns", map_of(0, end=1 / 2)),
        ("sines-with-cosines", lambda n, d: table(n, d)[:, 0::2] @ table(n, d)[:, 1::2].T),
        ("products-divided", lambda n, d: map_of(0, 2)(n, d) / (d / 2)),
        (
            "waves-of-the-offset",
            lambda n, d: [np.sin(turns(i - np.arange(n), d)).sum(axis=1) for i in range(n)],
        ),
        ("sine-for-each-column", lambda n, d: map_of(0, 2)(n, 2 * d)),
        ("positions-from-one", lambda n, d: map_of(0, 2)(n + 1, d)[1:, 1:]),
    ),
}
