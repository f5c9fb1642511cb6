"""Lab 04: right answers, wrong ones, and what is found in them."""

import math
from collections.abc import Callable

import numpy as np
from checks.labs import by_exp_and_log, shift_by_kron
from hypothesis import strategies as st

from . import Answers
from .sinusoidal import BASES, EVEN, rows, slowest

OFFSETS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12).map(np.array)
ONE_ANGLE = {("one-angle", name) for name in ("exponent-doubled", "exponent-halved")}


def back(steps_back: int, d_model: int) -> list[list[float]]:
    matrix = [[0.0] * d_model for _ in range(d_model)]
    half = d_model // 2
    for pair in range(half):
        angle = -steps_back / 10_000 ** (2 * pair / d_model)
        matrix[pair][pair] = matrix[pair + half][pair + half] = math.cos(angle)
        matrix[pair][pair + half] = math.sin(angle)
        matrix[pair + half][pair] = -math.sin(angle)
    return matrix


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


def in_halves(table: np.ndarray) -> np.ndarray:
    return np.hstack([table[:, ::2], table[:, 1::2]])


def offset(row: np.ndarray, other: np.ndarray, base: int) -> int:
    """The angle of a quotient of complex numbers is the difference of their angles."""
    first, second = complex(row[-1], row[-2]), complex(other[-1], other[-2])
    turn = second / first
    return round(math.atan2(turn.imag, turn.real) * base ** ((len(row) - 2) / len(row)))


def distances(offsets: np.ndarray, d_model: int) -> list[float]:
    start = 1000
    (here,) = rows([start], d_model, 10_000)
    there = rows([start + int(offset) for offset in offsets], d_model, 10_000)
    return [math.dist(here, row) for row in there]


def turns(offsets: np.ndarray, d_model: int) -> np.ndarray:
    return np.outer(offsets, frequencies(d_model))


def products(offsets: np.ndarray, d_model: int) -> np.ndarray:
    return np.cos(turns(offsets, d_model)).sum(axis=1)


def distance(angles: np.ndarray) -> np.ndarray:
    return np.linalg.norm(2 * np.sin(angles / 2), axis=1)


def table(n_positions: int, d_model: int) -> np.ndarray:
    angles = np.outer(np.arange(n_positions), frequencies(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)


@st.composite
def two_clocks(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    most = math.ceil(math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, 3 * most))
    moved = draw(st.integers(-most, most) | st.sampled_from([-most, 0, most]))
    return *np.array(rows([position, position + moved], d_model, base)), base


def hand(row: np.ndarray, column: int = -2) -> float:
    return math.atan2(row[column], row[column + 1])


def between(row: np.ndarray, other: np.ndarray, column: int = -2) -> float:
    """The angle from one hand to the other, the nearer way round."""
    return (hand(other, column) - hand(row, column) + math.pi) % math.tau - math.pi


def reading(turn: Callable[[np.ndarray, np.ndarray], float]) -> Callable:
    return lambda row, other, base: round(turn(row, other) / slowest(row, base))


def offset_by_two_readings(row: np.ndarray, other: np.ndarray, base: float) -> int:
    angle = math.atan2(*other[-2:]) - math.atan2(*row[-2:])
    if abs(angle) > math.pi:
        angle -= math.copysign(math.tau, angle)
    return round(angle / slowest(row, base))


def products_of_sines(n_positions: int, d_model: int) -> list[list[float]]:
    sines = [row[0::2] for row in table(n_positions, d_model)]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in sines] for a in sines]


def map_of(begin: int, step: int = 1, end: float = 1) -> Callable:
    """The products of some columns: from one on, by steps, up to a share of the width."""

    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = table(n_positions, d_model)[:, begin : int(end * d_model) : step]
        return kept @ kept.T

    return products


def wrapped_on_one_side(limit: float) -> Callable:
    def offset(row: np.ndarray, other: np.ndarray, base: float) -> int:
        turned = hand(other) - hand(row)
        if (turned > limit) if limit > 0 else (turned < limit):
            turned -= math.copysign(math.tau, limit)
        return round(turned / slowest(row, base))

    return offset


def two_rounded_positions(row: np.ndarray, other: np.ndarray, base: float) -> int:
    round_trip = math.tau / slowest(row, base)
    first, second = (round(hand(each) % math.tau / slowest(row, base)) for each in (row, other))
    return round((second - first + round_trip / 2) % round_trip - round_trip / 2)


def distance_in_float32(offsets: np.ndarray, d_model: int) -> np.ndarray:
    angles = np.outer(offsets.astype(np.float32), np.float32(frequencies(d_model)))
    return np.sqrt(np.maximum(0, d_model - 2 * np.cos(angles).sum(axis=1)))


def pairs_numbered_by_column(offsets: np.ndarray, d_model: int) -> np.ndarray:
    angles = np.outer(offsets, 10_000 ** (-2 * np.arange(d_model) / d_model))
    return np.sqrt(2 * d_model - 2 * np.cos(angles).sum(axis=1))


ANSWERS = {
    "shift-back": Answers(
        second=back,
        asked=st.tuples(st.integers(-500, 500), EVEN),
        right=(lambda r, d: in_halves(in_halves(shift_by_kron(r, d).T).T).T.tolist(),),
        wrong=(
            ("pattern.numbers-elsewhere", lambda r, d: np.array(back(abs(r), d))),
            ("pattern.lengths-right", lambda r, d: np.eye(d)),
            ("wrong-sign", lambda r, d: blocks(r * frequencies(d), (1, 1, -1, 1))),
            ("neighbours-in-matrix", lambda r, d: of_the_lesson(-r, d)),
            ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, -1, -1, 1))),
            ("block-swapped", lambda r, d: blocks(math.pi / 2 - r * frequencies(d))),
            ("offset-forgotten", lambda r, d: blocks(frequencies(d))),
            ("offset-off-by-one", lambda r, d: blocks((r + 1) * frequencies(d))),
        ),
        alike=ONE_ANGLE,
    ),
    "distance-by-offset": Answers(
        second=distances,
        asked=st.tuples(OFFSETS, EVEN),
        right=(distance_in_float32, lambda r, d: distance(turns(r, d)).astype(complex)),
        wrong=(
            ("half-angle-forgotten", lambda r, d: distance(2 * turns(r, d))),
            ("pattern.only-one-call-wrong", pairs_numbered_by_column),
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
            ("root-of-product", lambda r, d: np.sqrt(products(r, d))),
        ),
        alike={
            *ONE_ANGLE,
            # The mean of equal cosines is one of them.
            ("mean-for-sum", "one-angle"),
            ("first-pair-only", "exponent-doubled"),
            ("first-pair-only", "exponent-halved"),
        },
        equal_changes={"1 -> -1": "axis 1 is the last"},
    ),
    "offset-between": Answers(
        second=offset,
        asked=two_clocks(),
        right=(offset_by_two_readings,),
        wrong=(
            ("pattern.only-one-call-wrong", wrapped_on_one_side(-math.pi)),
            ("pattern.some-calls-right", wrapped_on_one_side(math.pi)),
            ("pattern.opposite-sign-in-some-calls", two_rounded_positions),
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
            (
                "pattern.cut-not-rounded",
                lambda a, b, base: math.floor(between(a, b) / slowest(a, base)),
            ),
            (
                "pattern.always-too-large",
                lambda a, b, base: math.ceil(between(a, b) / slowest(a, base)),
            ),
        ),
        alike={
            ("fastest-hand-read", "multiplied-by-frequency"),
            ("fastest-hand-read", "angle-for-position"),
            ("angle-for-position", "frequency-of-another-hand"),
            ("fastest-hand-read", "base-ignored"),
            ("angle-for-position", "base-ignored"),
            ("longer-way-round", "angle-not-unique"),
        },
        equal_changes={
            "round(np.arctan2(sine, cosine) / slowest)"
            " -> np.arctan2(sine, cosine) / slowest": "it is whole, but for rounding",
            "row -> other": "both rows have d_model numbers",
        },
    ),
    "strange-products": Answers(
        second=products_of_sines,
        asked=st.tuples(st.integers(1, 30), EVEN),
        right=(lambda n, d: np.einsum("ik,jk->ij", *[by_exp_and_log(n, d)[:, ::2]] * 2),),
        wrong=(
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
        alike={
            # What depends on the offset alone is the same from wherever one counts.
            ("the-right-products", "positions-from-one"),
            ("waves-of-the-offset", "positions-from-one"),
        },
        equal_changes={"0::2 -> 0:-1:2": "of an even number of columns, the last is not taken"},
    ),
}
