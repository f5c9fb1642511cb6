"""Lab 04: shifts as rotations, and quantities that depend only on the offset."""

import math
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...encodings import angular_frequencies, shift_matrix, sinusoidal_encoding
from ..exercise import Answer, Exercise, Steps
from .shared import nearest_in_table, rounded_or_not, rows, slowest, waves


def _of_other_frequencies(answer: Answer) -> dict[str, Answer]:
    return {
        "one-angle": partial(answer, frequencies=lambda d: np.ones(d // 2)),
        "degrees": partial(answer, frequencies=lambda d: np.radians(angular_frequencies(d))),
        "exponent-doubled": partial(answer, frequencies=lambda d: angular_frequencies(d) ** 2),
        "exponent-halved": partial(answer, frequencies=lambda d: angular_frequencies(d) ** 0.5),
        "frequencies-multiplied": partial(answer, frequencies=lambda d: 1 / angular_frequencies(d)),
        "whole-turns": partial(answer, frequencies=lambda d: math.tau * angular_frequencies(d)),
        "another-base": [
            partial(
                lambda *given, base: answer(
                    *given, frequencies=lambda d: _slowest_first(d, base)[::-1]
                ),
                base=base,
            )
            for base in (1_000, 20_000, 100_000, 500_000)
        ],
        "ends-at-base": partial(answer, frequencies=_evenly_to_base),
        "pairs-from-one": partial(
            answer, frequencies=lambda d: angular_frequencies(d) * 10_000 ** (-2 / d)
        ),
    }


def _slowest_first(d_model: int, base: float) -> NDArray[np.float64]:
    """Return frequencies from the slowest to the fastest hand."""
    return float(base) ** (-np.arange(d_model - 2, -1, -2) / d_model)


def _evenly_to_base(d_model: int) -> NDArray[np.float64]:
    return np.geomspace(1, 1 / 10_000, d_model // 2)


def _backward(cosine: NDArray, sine: NDArray) -> list[list[NDArray]]:
    return [[cosine, -sine], [sine, cosine]]


def shift_back(
    steps_back: int,
    d_model: int,
    *,
    frequencies: Callable = angular_frequencies,
    blocks: Callable = _backward,
) -> NDArray:
    """Return the matrix that shifts every position back, for tables with all sines first."""
    angles = steps_back * frequencies(d_model)
    return np.block(blocks(np.diag(np.cos(angles)), np.diag(np.sin(angles))))


def _with_angles(angles: NDArray) -> NDArray:
    """Return a matrix for the halves layout in which each row has a different angle."""
    half = len(angles) // 2
    signs = np.repeat([-1, 1], half)
    partners = np.roll(np.eye(len(angles)), half, axis=0)
    return np.diag(np.cos(angles)) + (signs * np.sin(angles))[:, np.newaxis] * partners


def _halves(d_model: int) -> NDArray[np.int64]:
    """Return the lesson's columns in the order of a table with all sines first."""
    return np.r_[0:d_model:2, 1:d_model:2]


def _permuted_back(matrix: NDArray) -> NDArray:
    order = _halves(len(matrix)).argsort()
    return matrix[order][:, order]


def _inverted_if_not_zero(matrix: NDArray) -> NDArray:
    return np.divide(1, matrix, out=np.zeros_like(matrix), where=matrix != 0)


def _hands_by_hand(place: tuple, steps_back: int, d_model: int) -> Steps:
    (new, hand), (old, other) = (divmod(number, d_model // 2) for number in place)
    angle = steps_back / 10_000 ** (2 * hand / d_model)
    of_own = math.cos(angle) if new == old else math.sin(angle) * (1 if new else -1)
    return dict(
        r=place[0],
        c=place[1],
        hand=hand,
        other=other,
        steps=steps_back,
        new=("sin", "cos")[new],
        old=("sin", "cos")[old],
        angle=angle,
        cosine=math.cos(angle),
        sine=math.sin(angle),
        result=of_own if hand == other else 0.0,
    )


SHIFT_BACK = Exercise(
    id="shift-back",
    reference=shift_back,
    cases=((3, 8), (1, 4), (-2, 6), (-5, 10), (0, 2), (40, 22), (0, 4), (3, 2)),
    by_hand=_hands_by_hand,
    misconceptions={
        "wrong-sign": lambda back, d: shift_back(-back, d),
        "neighbours-in-matrix": lambda back, d: shift_matrix(-back, d),
        **_of_other_frequencies(shift_back),
        "wrong-sign neighbours-in-matrix": shift_matrix,
        "offset-off-by-one": [
            lambda back, d: shift_back(back + 1, d),
            lambda back, d: shift_back(back - 1, d),
        ],
        "offset-forgotten": [lambda back, d: shift_back(1, d), lambda back, d: shift_back(-1, d)],
        "angles-in-pairs": [
            lambda back, d: _with_angles(back * np.repeat(angular_frequencies(d), 2)),
            lambda back, d: _with_angles(-back * np.repeat(angular_frequencies(d), 2)),
        ],
        "positions-permuted": [
            lambda back, d: np.roll(np.eye(d), back, axis=0),
            lambda back, d: np.roll(np.eye(d), -back, axis=0),
            lambda back, d: np.eye(d, k=back),
            lambda back, d: np.eye(d, k=-back),
        ],
        "permuted-the-wrong-way": [
            lambda back, d: _permuted_back(shift_matrix(-back, d)),
            lambda back, d: _permuted_back(shift_matrix(back, d)),
        ],
        "rows-alone-permuted": [
            lambda back, d: shift_matrix(-back, d)[_halves(d)],
            lambda back, d: shift_matrix(-back, d)[:, _halves(d)],
        ],
        "hands-reversed": partial(shift_back, frequencies=lambda d: angular_frequencies(d)[::-1]),
        "divided-by-steps": lambda back, d: shift_back(
            1, d, frequencies=lambda d: angular_frequencies(d) / (back or 1)
        ),
        "half-of-rotation": [
            partial(shift_back, blocks=lambda c, s: [[c, 0 * s], [0 * s, c]]),
            partial(shift_back, blocks=lambda c, s: [[0 * c, -s], [s, 0 * c]]),
        ],
        "single-step-changed": [
            lambda back, d: back * shift_back(1, d),
            lambda back, d: shift_back(1, d) ** back,
            lambda back, d: shift_back(1, d) ** abs(back),
            lambda back, d: shift_back(-1, d) ** back,
        ],
        "entries-inverted": [
            lambda back, d: 1 / shift_back(-back, d),
            lambda back, d: _inverted_if_not_zero(shift_back(-back, d)),
        ],
        "no-rotation": [
            partial(shift_back, blocks=lambda c, s: [[c, s], [s, c]]),
            partial(shift_back, blocks=lambda c, s: [[c, -s], [-s, c]]),
        ],
        "block-swapped": [
            partial(shift_back, blocks=lambda c, s: [[s, -c], [c, s]]),
            partial(shift_back, blocks=lambda c, s: [[s, c], [-c, s]]),
        ],
    },
)


def _turns(
    offsets: NDArray, d_model: int, frequencies: Callable = angular_frequencies
) -> NDArray[np.float64]:
    """Return the angle of each hand for each offset."""
    return np.outer(offsets, frequencies(d_model))


def _products(offsets: NDArray, d_model: int) -> NDArray[np.float64]:
    return np.cos(_turns(offsets, d_model)).sum(axis=1)


def distance_by_offset(
    offsets: NDArray, d_model: int, *, frequencies: Callable = angular_frequencies
) -> NDArray:
    """Return the distance between two rows for each offset."""
    products = np.cos(_turns(offsets, d_model, frequencies)).sum(axis=1)
    return np.sqrt(d_model - 2 * products)


def _from_table(offsets: NDArray, d_model: int, *, length: int) -> NDArray:
    """Return distances between row 0 and rows of a table, in which negative offsets wrap around."""
    table = sinusoidal_encoding(length, d_model)
    return np.linalg.norm(table[offsets] - table[0], axis=1)


def _of_own_columns(d_model: int) -> NDArray[np.float64]:
    return 10_000.0 ** (-np.arange(d_model) / d_model)


def _tips_by_hand(place: tuple, offsets: NDArray, d_model: int) -> Steps:
    turned = offsets[place[0]] / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    across, along = np.sin(turned), 1 - np.cos(turned)
    squares = across**2 + along**2
    steps = {"offset": offsets[place[0]], "turned": turned, "squares": squares}
    return steps | {"sum": sum(squares), "result": math.sqrt(sum(squares))}


DISTANCE_BY_OFFSET = Exercise(
    id="distance-by-offset",
    reference=distance_by_offset,
    cases=(
        (np.arange(-10, 11), 16),
        (np.array([0, 10, 100]), 8),
        (np.array([3]), 2),
        (np.array([-7, 5]), 60),
        (np.array([100_000, -65_432]), 8),
        (np.array([0, 10, 100]), 4),
    ),
    typed=("np.arange(-10, 11), 16", "np.array([0, 10, 100]), 8"),
    tolerance=5e-4,  # angles of 100,000 radians in float32
    by_hand=_tips_by_hand,
    misconceptions={
        "root-forgotten": lambda r, d: d - 2 * _products(r, d),
        "dot-product-itself": _products,
        "root-of-product": lambda r, d: np.sqrt(_products(r, d)),
        "product-once": lambda r, d: np.sqrt(d - _products(r, d)),
        "squares-miscounted": lambda r, d: np.sqrt(2 * d - 2 * _products(r, d)),
        "half-the-square": lambda r, d: np.sqrt(d / 2 - _products(r, d)),
        "signs-swapped": lambda r, d: np.sqrt(d + 2 * _products(r, d)),
        "chords-added": [
            lambda r, d: 2 * abs(np.sin(_turns(r, d) / 2)).sum(axis=1),
            lambda r, d: 2 * abs(np.sin(_turns(r, d) / 2)).mean(axis=1),
            lambda r, d: 2 * np.sin(_turns(r, d) / 2).sum(axis=1),
        ],
        "one-minus-similarity": [
            lambda r, d: 1 - _products(r, d) / (d / 2),
            lambda r, d: 1 - _products(r, d) / d,
            lambda r, d: 2 - 2 * _products(r, d) / (d / 2),
        ],
        "largest-alone": [
            lambda r, d: abs(rows(r, d) - rows([0], d)).max(axis=1),
            lambda r, d: 2 * abs(np.sin(_turns(r, d) / 2)).max(axis=1),
        ],
        "distance-divided": [
            lambda r, d: distance_by_offset(r, d) / math.sqrt(d),
            lambda r, d: distance_by_offset(r, d) / math.sqrt(d / 2),
            lambda r, d: distance_by_offset(r, d) / d,
            lambda r, d: distance_by_offset(r, d) / (d / 2),
        ],
        "slowest-pair-only": lambda r, d: 2 * abs(np.sin(_turns(r, d)[:, -1] / 2)),
        "negative-as-zero": lambda r, d: distance_by_offset(np.maximum(r, 0), d),
        "neighbours-compared": lambda r, d: np.linalg.norm(rows(r, d) - rows(r - 1, d), axis=1),
        "cosine-own-frequency": lambda r, d: np.linalg.norm(
            waves(r, _of_own_columns(d)) - waves([0], _of_own_columns(d)), axis=1
        ),
        "first-pair-only": [
            lambda r, d: np.sqrt(d - 2 * np.cos(r)),
            lambda r, d: np.sqrt(2 - 2 * np.cos(r)),
        ],
        "sines-alone": lambda r, d: np.linalg.norm(np.sin(_turns(r, d)), axis=1),
        "counted-from-the-end": lambda r, d: distance_by_offset(r % (abs(r).max() + 1), d),
        "taken-from-a-table": [
            partial(_from_table, length=length) for length in (128, 200, 256, 512, 1_000, 5_000)
        ],
        "angle-for-distance": [
            lambda r, d: np.arccos(np.clip(_products(r, d) / (d / 2), -1, 1)),
            lambda r, d: np.arccos(np.clip(_products(r, d) / (d / 2), -1, 1)) / math.pi,
        ],
        "differences-not-squared": lambda r, d: abs(rows(r, d) - rows([0], d)).sum(axis=1),
        "norm-of-one-row": lambda r, d: np.linalg.norm(rows(r, d), axis=1),
        "along-alone": [
            lambda r, d: np.linalg.norm(1 - np.cos(_turns(r, d)), axis=1),
            lambda r, d: abs(1 - np.cos(_turns(r, d))).sum(axis=1),
        ],
        "positions-apart": lambda r, d: abs(r),
        "along-the-circle": lambda r, d: np.linalg.norm(_turns(r, d), axis=1),
        "mean-for-sum": lambda r, d: np.sqrt(d - 2 * _products(r, d) / (d / 2)),
        "sine-for-cosine": lambda r, d: np.sqrt(d - 2 * np.sin(_turns(r, d)).sum(axis=1)),
        "half-angle-forgotten": lambda r, d: distance_by_offset(2 * r, d),
        **_of_other_frequencies(distance_by_offset),
        "one-minus-product": lambda r, d: 1 - _products(r, d),
        "second-root": lambda r, d: np.sqrt(distance_by_offset(r, d)),
        "differences-cancel": [
            lambda r, d: np.sqrt(abs((rows(r, d) - rows([0], d)).sum(axis=1))),
            lambda r, d: abs((rows(r, d) - rows([0], d)).sum(axis=1)),
            lambda r, d: (rows(r, d) - rows([0], d)).sum(axis=1),
        ],
        "wrong-axis": lambda r, d: np.linalg.norm(2 * np.sin(_turns(r, d) / 2), axis=0),
    },
)


def _angle(row: NDArray) -> float:
    """Return the angle of the slowest hand."""
    return np.arctan2(row[-2], row[-1])


def _nearer_way(first: float, second: float) -> float:
    """Return the difference between two angles, at most half a turn."""
    return (second - first + math.pi) % math.tau - math.pi


def offset_between(row: NDArray, other: NDArray, base: float) -> float:
    """Return the offset between two rows of a table according to the slowest hands."""
    return round(_nearer_way(_angle(row), _angle(other)) / slowest(len(row), base))


def _read(
    turned: Callable = _nearer_way, angle: Callable = _angle, frequency: Callable = slowest
) -> list[Answer]:
    """Create answers that compute the offset incorrectly, with and without rounding."""
    return rounded_or_not(
        lambda row, other, base: turned(angle(row), angle(other)) / frequency(len(row), base)
    )


TURNED: dict[str, Callable[[float, float], float]] = {
    "direction-reversed": lambda first, second: _nearer_way(second, first),
    "longer-way-round": lambda first, second: second - first,
    "always-forward": lambda first, second: (second - first) % math.tau,
    "angles-added": lambda first, second: _nearer_way(-first, second),
}
"""Mistakes in the angle between the hands."""

FREQUENCIES: dict[str, Callable[[int, float], float]] = {
    "base-ignored": lambda d, base: slowest(d, 10_000),
    "frequency-of-another-hand": lambda d, base: 1 / base,
    "multiplied-by-frequency": lambda d, base: 1 / slowest(d, base),
    "angle-in-degrees": lambda d, base: np.radians(slowest(d, base)),
}
"""Mistakes in the frequency of the slowest hand."""


def _by_nearest_rows(row: NDArray, other: NDArray, base: float, *, length: int) -> int:
    first, second = (nearest_in_table(each, base, length) for each in (row, other))
    return second - first


MOVED = (
    (3, 5, 8, 10_000),
    (100, -7, 4, 10),
    (5000, 2000, 8, 10_000),
    (7000, -2500, 8, 10_000),
    (40, 2, 2, 7),
    (4, -1, 2, 7),
    (7, -3, 2, 9),
    (3, 1, 2, 7),
    (11, 0, 6, 64),
    (2, 60, 4, 1_000),
    (90, -20, 12, 500),
    (25, 4, 6, 2),
    (17, 16, 4, 26),
    (5000, 2, 4, 10),
    (5000, -1, 4, 10),
    (5000, -2, 4, 100),
    (25_000, 900, 8, 10_000),  # far from the beginning of a table
)
"""Test cases with a position, an offset, the number of dimensions and the base.

The slowest hand makes less than half a turn. In the three cases before the last, the computed
offset is slightly below an integer twice and slightly above an integer once.
"""


def _typed(position: int, offset: int, d_model: int, base: float) -> str:
    table = f"sinusoidal_encoding({max(position, position + offset) + 1}, {d_model}, base={base:_})"
    return f"{table}[{position}], {table}[{position + offset}], {base:_}"


def _turn_by_hand(place: tuple, row: NDArray, other: NDArray, base: float) -> Steps:
    first, second = (math.atan2(sine, cosine) for *_, sine, cosine in (row, other))
    turn = min((second - first + turns * math.tau for turns in (-1, 0, 1)), key=abs)
    frequency = 1 / base ** (1 - 2 / len(row))
    steps = {"first": first, "second": second, "turn": turn, "frequency": frequency}
    return steps | {"result": round(turn / frequency)}


OFFSET_BETWEEN = Exercise(
    id="offset-between",
    reference=offset_between,
    cases=tuple((*rows([i, i + offset], d, base), base) for i, offset, d, base in MOVED),
    typed=tuple(_typed(*moved) for moved in MOVED),
    by_hand=_turn_by_hand,
    misconceptions={
        "direction-reversed": lambda row, other, base: offset_between(other, row, base),
        "longer-way-round": [
            *_read(lambda first, second: second - first),
            *_read(lambda first, second: second % math.tau - first % math.tau),
            *_read(lambda first, second: math.fmod(second - first + math.pi, math.tau) - math.pi),
            *_read(lambda first, second: second - first + math.tau * (second - first < -math.pi)),
        ],
        "always-forward": _read(lambda first, second: (second - first) % math.tau),
        "half-turns-lost": [
            *_read(lambda first, second: (second - first) % math.pi),
            *_read(lambda first, second: (second - first + math.pi / 2) % math.pi - math.pi / 2),
        ],
        "half-turn-added": [
            *_read(lambda first, second: (second - first) % math.tau - math.pi),
            *_read(lambda first, second: second - first + math.pi),
            *_read(lambda first, second: math.fmod(second - first + math.pi, math.tau) + math.pi),
        ],
        "chord-for-angle": [
            lambda row, other, base: round(
                np.linalg.norm(other[-2:] - row[-2:]) / slowest(len(row), base)
            ),
            lambda row, other, base: round(np.linalg.norm(other - row) / slowest(len(row), base)),
            lambda row, other, base: round((other[-2] - row[-2]) / slowest(len(row), base)),
        ],
        "share-of-turn": _read(lambda first, second: _nearer_way(first, second) / math.tau),
        "share-of-turn-times-base": _read(
            lambda first, second: _nearer_way(first, second) / math.tau,
            frequency=lambda d, base: 1 / base,
        ),
        "searched-in-table": [
            partial(_by_nearest_rows, length=length) for length in (512, 1_000, 5_000, 10_000)
        ],
        "angles-added": [
            *_read(lambda first, second: _nearer_way(-first, second)),
            *_read(lambda first, second: first + second),
        ],
        "direction-lost": lambda *given: abs(offset_between(*given)),
        "fastest-hand-read": [
            *_read(angle=lambda row: np.arctan2(row[0], row[1]), frequency=lambda d, base: 1),
            *_read(angle=lambda row: np.arctan2(row[0], row[1])),
        ],
        "angle-not-unique": [
            *_read(lambda first, second: np.arcsin(np.sin(second - first))),
            *_read(angle=lambda row: np.arcsin(row[-2])),
            *_read(angle=lambda row: np.arctan(row[-2] / row[-1])),
        ],
        "angle-for-position": _read(frequency=lambda d, base: 1),
        "angle-in-degrees": _read(frequency=lambda d, base: np.radians(slowest(d, base))),
        "base-ignored": _read(frequency=lambda d, base: slowest(d, 10_000)),
        "frequency-of-another-hand": [
            *_read(frequency=lambda d, base: 1 / base),
            *_read(frequency=lambda d, base: base ** (-2 / d)),
        ],
        "multiplied-by-frequency": _read(frequency=lambda d, base: 1 / slowest(d, base)),
        **{
            f"{turned} {frequency}": _read(TURNED[turned], frequency=FREQUENCIES[frequency])
            for turned, frequency in product(TURNED, FREQUENCIES)
        },
    },
)


def strange_products(n_positions: int, d_model: int, *, base: float = 10_000.0) -> NDArray:
    """Return the dot products of all positions, computed only from sines."""
    sines = sinusoidal_encoding(n_positions, d_model, base=base)[:, 0::2]
    return sines @ sines.T


def _of_columns(begin: int, step: int = 1, share: float = 1) -> Answer:
    """Create an answer that uses only some of the columns."""

    def products(n_positions: int, d_model: int) -> NDArray:
        kept = sinusoidal_encoding(n_positions, d_model)[:, begin : int(share * d_model) : step]
        return kept @ kept.T

    return products


def _sines_with_cosines(n_positions: int, d_model: int) -> NDArray:
    table = sinusoidal_encoding(n_positions, d_model)
    return table[:, 0::2] @ table[:, 1::2].T


def _similarities(n_positions: int, d_model: int) -> NDArray:
    sines = sinusoidal_encoding(n_positions, d_model)[:, 0::2]
    lengths = np.maximum(np.linalg.norm(sines, axis=1), 1e-12)
    return sines @ sines.T / np.outer(lengths, lengths)


def _distances(n_positions: int, d_model: int) -> NDArray:
    sines = sinusoidal_encoding(n_positions, d_model)[:, 0::2]
    return np.linalg.norm(sines[:, np.newaxis] - sines, axis=-1)


def _theirs_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    rows_of_both = rows(place, d_model)
    products = rows_of_both[0] * rows_of_both[1]
    return dict(
        **dict(zip("ij", place, strict=True)),
        products=products,
        all=sum(products),
        result=sum(products[::2]),
    )


def _norms(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return the norm of each position's sines, which is 0 only at position 0."""
    norms = np.linalg.norm(sinusoidal_encoding(n_positions, d_model)[:, 0::2], axis=1)
    return np.maximum(norms, 1e-9)


STRANGE_PRODUCTS = Exercise(
    id="strange-products",
    reference=strange_products,
    cases=((5, 4), (4, 8), (40, 16), (1, 2), (30, 52), (1, 6), (7, 2), (7, 4)),
    by_hand=_theirs_by_hand,
    misconceptions={
        "the-right-products": _of_columns(0),
        "cosines-alone": _of_columns(1, 2),
        "sines-with-cosines": [_sines_with_cosines, lambda n, d: _sines_with_cosines(n, d).T],
        "first-half-of-columns": _of_columns(0, share=1 / 2),
        "waves-of-the-offset": lambda n, d: [
            np.sin(_turns(i - np.arange(n), d)).sum(axis=1) for i in range(n)
        ],
        "sine-for-each-column": lambda n, d: strange_products(n, 2 * d),
        "products-divided": [
            lambda n, d: strange_products(n, d) / (d / 2),
            lambda n, d: strange_products(n, d) / d,
            lambda n, d: strange_products(n, d) / math.sqrt(d),
            lambda n, d: strange_products(n, d) / math.sqrt(d / 2),
        ],
        "lengths-divided-out": lambda n, d: _similarities(n, d),
        "distances-for-products": lambda n, d: _distances(n, d),
        "sums-multiplied": lambda n, d: np.outer(
            sinusoidal_encoding(n, d)[:, 0::2].sum(axis=1),
            sinusoidal_encoding(n, d)[:, 0::2].sum(axis=1),
        ),
        "second-half-of-columns": lambda n, d: _of_columns(d // 2)(n, d),
        "another-base": [
            partial(strange_products, base=base) for base in (100, 1_000, 100_000, 500_000)
        ],
        "half-the-right-products": lambda n, d: _of_columns(0)(n, d) / 2,
        "right-products-divided": [
            lambda n, d: _of_columns(0)(n, d) / d,
            lambda n, d: _of_columns(0)(n, d) / (d / 2),
            lambda n, d: _of_columns(0)(n, d) / math.sqrt(d),
        ],
        "positions-from-one": lambda n, d: strange_products(n + 1, d)[1:, 1:],
        "exponent-doubled": partial(strange_products, base=10_000.0**2),
        "divided-by-one-norm": [
            lambda n, d: strange_products(n, d) / _norms(n, d)[:, np.newaxis],
            lambda n, d: strange_products(n, d) / _norms(n, d),
        ],
        "second-root": lambda n, d: (
            strange_products(n, d) / np.sqrt(np.outer(_norms(n, d), _norms(n, d)))
        ),
        "columns-with-columns": lambda n, d: (
            sinusoidal_encoding(n, d)[:, 0::2].T @ sinusoidal_encoding(n, d)[:, 0::2]
        ),
        "angles-multiplied": lambda n, d: np.sin(
            np.multiply.outer(np.outer(range(n), range(n)), angular_frequencies(d))
        ).sum(axis=-1),
    },
    shows_wrong_output=True,
)

EXERCISES = (SHIFT_BACK, DISTANCE_BY_OFFSET, OFFSET_BETWEEN, STRANGE_PRODUCTS)
