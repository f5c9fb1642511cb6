"""Correct and wrong answers for lab 04, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from checks.labs import by_exp_and_log, shift_by_kron
from hypothesis import strategies as st

from . import Answers
from .sinusoidal import BASES, EVEN, rows, slowest

OFFSETS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12).map(np.array)


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


def in_halves(table: np.ndarray) -> np.ndarray:
    return np.hstack([table[:, ::2], table[:, 1::2]])


def offset(row: np.ndarray, other: np.ndarray, base: int) -> int:
    """Compute the offset from the quotient of complex numbers."""
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
    """Return the smaller angle from one hand to another."""
    return (hand(other, column) - hand(row, column) + math.pi) % math.tau - math.pi


def offset_by_two_readings(row: np.ndarray, other: np.ndarray, base: float) -> int:
    angle = math.atan2(*other[-2:]) - math.atan2(*row[-2:])
    if abs(angle) > math.pi:
        angle -= math.copysign(math.tau, angle)
    return round(angle / slowest(row, base))


def products_of_sines(n_positions: int, d_model: int) -> list[list[float]]:
    sines = [row[0::2] for row in table(n_positions, d_model)]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in sines] for a in sines]


def wrapped_on_one_side(limit: float) -> Callable:
    def offset(row: np.ndarray, other: np.ndarray, base: float) -> int:
        turned = hand(other) - hand(row)
        if (turned > limit) if limit > 0 else (turned < limit):
            turned -= math.copysign(math.tau, limit)
        return round(turned / slowest(row, base))

    return offset


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
            ("pattern.argument-ignored", lambda r, d: np.eye(d)),
            (
                "pattern.repair-extra",
                lambda r, d: in_halves(in_halves(shift_by_kron(abs(r), d).T).T).T,
            ),
        ),
    ),
    "distance-by-offset": Answers(
        second=distances,
        asked=st.tuples(OFFSETS, EVEN),
        right=(distance_in_float32, lambda r, d: distance(turns(r, d)).astype(complex)),
        wrong=(
            ("pattern.only-one-call-wrong", pairs_numbered_by_column),
            ("pattern.repair-extra", lambda r, d: np.sign(r) * distance(turns(r, d))),
            ("pattern.whole-numbers", lambda r, d: distance(turns(r, d)).round()),
        ),
        equal_changes={"1 -> -1": "axis 1 is the last"},
    ),
    "offset-between": Answers(
        second=offset,
        asked=two_clocks(),
        right=(offset_by_two_readings,),
        wrong=(
            ("longer-way-round", wrapped_on_one_side(-math.pi)),
            ("longer-way-round", wrapped_on_one_side(math.pi)),
            (
                "pattern.repair-extra",
                lambda a, b, base: math.floor(between(a, b) / slowest(a, base)),
            ),
        ),
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
        equal_changes={"0::2 -> 0:-1:2": "of an even number of columns, the last is not taken"},
    ),
}
