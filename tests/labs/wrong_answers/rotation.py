"""Realistic wrong answers for lab 04, with the expected findings."""

import cmath
import math
from collections.abc import Callable

import numpy as np
from answers.rotation import (
    between,
    distance,
    frequencies,
    hand,
    in_halves,
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
    """Return a solution that uses only some of the columns."""

    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = table(n_positions, d_model)[:, begin : int(end * d_model) : step]
        return kept @ kept.T

    return products


def with_squared_frequencies(n_positions: int, d_model: int) -> np.ndarray:
    sines = np.sin(np.outer(np.arange(n_positions), frequencies(d_model, 4)))
    return sines @ sines.T


def less_a_turn(angle: float) -> float:
    """Reduce only angles above half a turn, not those below minus half a turn."""
    return angle - math.tau if angle > math.pi else angle


def pointer(row: np.ndarray) -> complex:
    return complex(row[-1], row[-2])


OFFSETS = (
    ("multiplied-by-frequency", lambda a, b, base: between(a, b) * slowest(a, base)),
    ("direction-reversed", reading(lambda a, b: between(b, a))),
    ("longer-way-round", reading(lambda a, b: hand(b) - hand(a))),
    ("longer-way-round", reading(lambda a, b: hand(b) % math.tau - hand(a) % math.tau)),
    ("longer-way-round", reading(lambda a, b: math.fmod(hand(b) - hand(a), math.tau))),
    (  # fmod keeps the sign of the dividend
        "longer-way-round",
        reading(lambda a, b: math.fmod(hand(b) - hand(a) + math.pi, math.tau) - math.pi),
    ),
    ("longer-way-round", reading(lambda a, b: less_a_turn(hand(b) - hand(a)))),
    ("longer-way-round", reading(lambda a, b: -less_a_turn(hand(a) - hand(b)))),
    ("angles-added", reading(lambda a, b: cmath.phase(pointer(a) * pointer(b)))),
    ("angles-added", reading(lambda a, b: hand(a) + hand(b))),
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
"""Wrong offsets before rounding."""


def rotate_half_matrix(angles: np.ndarray) -> np.ndarray:
    """Return the matrix of x * cos - rotate_half(x) * sin."""
    half = len(angles) // 2
    columns = [
        unit * np.cos(angles) + np.append(-unit[half:], unit[:half]) * np.sin(angles)
        for unit in np.eye(len(angles))
    ]
    return np.array(columns).T


SHIFTS = (
    lambda r, d: np.roll(np.eye(d), -r, axis=0),
    lambda r, d: np.roll(np.eye(d), -r, axis=1),
    lambda r, d: np.diag(np.ones(max(d - abs(r), 0)), r) if abs(r) < d else np.zeros((d, d)),
    lambda r, d: np.diag(np.ones(max(d - abs(r), 0)), -r) if abs(r) < d else np.zeros((d, d)),
)


def unpermuted(matrix: np.ndarray) -> np.ndarray:
    """Apply the inverse permutation to rows and columns."""
    half = len(matrix) // 2
    columns = np.array([place for pair in range(half) for place in (pair, pair + half)])
    return matrix[np.ix_(columns, columns)]


def to_base(d_model: int) -> np.ndarray:
    return 10_000.0 ** -np.linspace(0, 1, d_model // 2)


def in_a_table(length: int) -> Callable:
    """Compute distances in a table in which negative offsets wrap around."""
    return lambda r, d: np.linalg.norm(table(length, d)[r] - table(1, d), axis=1)


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
        # huggingface/vjepa2#15: repeat_interleave where halves need a concatenation
        ("angles-in-pairs", lambda r, d: rotate_half_matrix(r * np.repeat(frequencies(d), 2))),
        ("angles-in-pairs", lambda r, d: rotate_half_matrix(-r * np.repeat(frequencies(d), 2))),
        *(("positions-permuted", shift) for shift in SHIFTS),
        *(
            ("permuted-the-wrong-way", lambda r, d, s=sign: unpermuted(of_the_lesson(s * r, d)))
            for sign in (-1, 1)
        ),
        ("rows-alone-permuted", lambda r, d: np.array([*in_halves(of_the_lesson(-r, d).T).T])),
        ("rows-alone-permuted", lambda r, d: in_halves(of_the_lesson(-r, d))),
        ("frequencies-multiplied", lambda r, d: blocks(r / frequencies(d))),
        ("whole-turns", lambda r, d: blocks(2 * math.pi * r * frequencies(d))),
        ("ends-at-base", lambda r, d: blocks(r * to_base(d))),
        ("pairs-from-one", lambda r, d: blocks(r * frequencies(d + 2, 2 * (d + 2) / d)[1:])),
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
        *(("taken-from-a-table", in_a_table(n)) for n in (128, 200, 256, 512, 1_000, 5_000)),
        ("angle-for-distance", lambda r, d: np.arccos(np.minimum(products(r, d) * 2 / d, 1))),
        (
            "differences-not-squared",
            lambda r, d: (abs(np.sin(turns(r, d))) + 1 - np.cos(turns(r, d))).sum(axis=1),
        ),
        ("norm-of-one-row", lambda r, d: np.full(len(r), math.sqrt(d / 2))),
        ("along-alone", lambda r, d: np.linalg.norm(2 * np.sin(turns(r, d) / 2) ** 2, axis=1)),
        ("along-alone", lambda r, d: d / 2 - products(r, d)),
        ("frequencies-multiplied", lambda r, d: distance(np.outer(r, 1 / frequencies(d)))),
        ("whole-turns", lambda r, d: distance(math.tau * turns(r, d))),
        ("ends-at-base", lambda r, d: distance(np.outer(r, to_base(d)))),
        (
            "pairs-from-one",
            lambda r, d: distance(np.outer(r, frequencies(d + 2, 2 * (d + 2) / d)[1:])),
        ),
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
        ("products-divided", lambda n, d: map_of(0, 2)(n, d) * d**-0.5),
        ("products-divided", lambda n, d: map_of(0, 2)(n, d) * (d / 2) ** -0.5),
        ("half-the-right-products", lambda n, d: map_of(0)(n, d) / 2),
        ("right-products-divided", lambda n, d: map_of(0)(n, d) / d),
        ("right-products-divided", lambda n, d: map_of(0)(n, d) * 2 / d),
        ("right-products-divided", lambda n, d: map_of(0)(n, d) / d**0.5),
        (
            "waves-of-the-offset",
            lambda n, d: [np.sin(turns(i - np.arange(n), d)).sum(axis=1) for i in range(n)],
        ),
        ("sine-for-each-column", lambda n, d: map_of(0, 2)(n, 2 * d)),
        ("positions-from-one", lambda n, d: map_of(0, 2)(n + 1, d)[1:, 1:]),
        ("exponent-doubled", with_squared_frequencies),
    ),
}
