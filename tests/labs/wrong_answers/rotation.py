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
    return lambda row, other, base: turn(row, other) / slowest(row, base)


def rounded(offset: Callable) -> Callable:
    return lambda row, other, base: round(offset(row, other, base))


def map_of(begin: int, step: int = 1, end: float = 1) -> Callable:
    """The products of some columns: from one on, by steps, up to a share of the width."""

    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = table(n_positions, d_model)[:, begin : int(end * d_model) : step]
        return kept @ kept.T

    return products


def with_squared_frequencies(n_positions: int, d_model: int) -> np.ndarray:
    sines = np.sin(np.outer(np.arange(n_positions), frequencies(d_model, 4)))
    return sines @ sines.T


OFFSETS = (
    ("multiplied-by-frequency", lambda a, b, base: between(a, b) * slowest(a, base)),
    ("direction-reversed", reading(lambda a, b: between(b, a))),
    ("longer-way-round", reading(lambda a, b: hand(b) - hand(a))),
    ("longer-way-round", reading(lambda a, b: hand(b) % math.tau - hand(a) % math.tau)),
    ("always-forward", reading(lambda a, b: between(a, b) % math.tau)),
    ("direction-lost", reading(lambda a, b: math.acos(a[-2:] @ b[-2:]))),
    ("fastest-hand-read", lambda a, b, base: between(a, b, 0)),
    ("angle-not-unique", reading(lambda a, b: math.asin(b[-2] * a[-1] - b[-1] * a[-2]))),
    ("angle-not-unique", reading(lambda a, b: math.asin(b[-2]) - math.asin(a[-2]))),
    ("angle-not-unique", reading(lambda a, b: math.atan(b[-2] / b[-1]) - math.atan(a[-2] / a[-1]))),
    ("angle-for-position", lambda a, b, base: between(a, b)),
    ("angle-in-degrees", reading(lambda a, b: math.degrees(between(a, b)))),
    ("base-ignored", lambda a, b, base: between(a, b) / slowest(a, 10_000)),
    ("frequency-of-another-hand", lambda a, b, base: between(a, b) * base),
)
"""Offsets that are read wrongly, before they are rounded."""

WRONG = {
    "shift-back": (
        ("wrong-sign", lambda r, d: blocks(r * frequencies(d), (1, 1, -1, 1))),
        ("neighbours-in-matrix", lambda r, d: of_the_lesson(-r, d)),
        ("wrong-sign neighbours-in-matrix", of_the_lesson),
        ("one-angle", lambda r, d: blocks(np.full(d // 2, r))),
        ("degrees", lambda r, d: blocks(r * frequencies(d) * np.pi / 180)),
        ("exponent-doubled", lambda r, d: blocks(r * frequencies(d, 4))),
        ("exponent-halved", lambda r, d: blocks(r * frequencies(d, 1))),
        ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, 1, 1, 1))),
        ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, -1, -1, 1))),
        ("block-swapped", lambda r, d: blocks(math.pi / 2 - r * frequencies(d))),
        ("block-swapped", lambda r, d: blocks(math.pi / 2 - r * frequencies(d), (1, 1, -1, 1))),
        ("offset-forgotten", lambda r, d: blocks(frequencies(d))),
        ("offset-forgotten", lambda r, d: blocks(-frequencies(d))),
        ("offset-off-by-one", lambda r, d: blocks((r + 1) * frequencies(d))),
        ("offset-off-by-one", lambda r, d: blocks((r - 1) * frequencies(d))),
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
        ("first-pair-only", lambda r, d: np.sqrt(d - 2 * np.cos(r))),
        ("sines-alone", lambda r, d: np.sqrt((np.sin(turns(r, d)) ** 2).sum(axis=1))),
        (
            "counted-from-the-end",
            lambda r, d: distance(turns(np.arange(abs(r).max() + 1)[r], d)),
        ),
        ("root-of-product", lambda r, d: np.sqrt(products(r, d))),
    ),
    "offset-between": tuple(
        (found, answer) for found, offset in OFFSETS for answer in (offset, rounded(offset))
    ),
    "strange-products": (
        ("the-right-products", map_of(0)),
        ("cosines-alone", map_of(1, 2)),
        ("first-half-of-columns", map_of(0, end=1 / 2)),
        ("sines-with-cosines", lambda n, d: table(n, d)[:, 0::2] @ table(n, d)[:, 1::2].T),
        ("sines-with-cosines", lambda n, d: table(n, d)[:, 1::2] @ table(n, d)[:, 0::2].T),
        ("products-divided", lambda n, d: map_of(0, 2)(n, d) / (d / 2)),
        ("products-divided", lambda n, d: map_of(0, 2)(n, d) / d),
        (
            "waves-of-the-offset",
            lambda n, d: [np.sin(turns(i - np.arange(n), d)).sum(axis=1) for i in range(n)],
        ),
        ("sine-for-each-column", lambda n, d: map_of(0, 2)(n, 2 * d)),
        ("positions-from-one", lambda n, d: map_of(0, 2)(n + 1, d)[1:, 1:]),
        ("exponent-doubled", with_squared_frequencies),
    ),
}
