"""Lab 04: a shift is a rotation, and what depends on the offset alone."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .shared import (
    BASE_IGNORED,
    DEGREES,
    EXPONENT_DOUBLED,
    EXPONENT_HALVED,
    FREQUENCIES_ALL_ONE,
    OFFSET_OFF_BY_ONE,
    POSITIONS_FROM_ONE,
    AnyRows,
    HandReading,
    Powers,
    Sinusoids,
    in_the_place_of,
    read_off,
)


@dataclass(frozen=True)
class Turns(Powers):
    """The angle by which each pair turns over an offset."""

    radians_per_unit: float = 1.0
    extra: int = 0
    offset_used: bool = True

    def angles(self, offsets: NDArray, d_model: int) -> NDArray[np.float64]:
        """Shape of the offsets, and one more axis for the pairs."""
        frequencies = self.powers(np.arange(0, d_model, 2), d_model)
        turned = (offsets if self.offset_used else np.ones_like(offsets)) + self.extra
        return turned[..., np.newaxis] * frequencies * self.radians_per_unit


@dataclass(frozen=True)
class Shift(Turns):
    """The matrix that moves every position by an offset."""

    direction: int = 1
    halves: bool = False
    lower_left: int = -1
    block_swapped: bool = False

    def __call__(self, steps_back: int, d_model: int) -> NDArray[np.float64]:
        matrix = np.zeros((d_model, d_model))
        for pair, angle in enumerate(self.angles(np.array(steps_back), d_model)):
            sine, cosine = (pair, pair + d_model // 2) if self.halves else (2 * pair, 2 * pair + 1)
            straight, across = np.cos(angle), np.sin(angle)
            if self.block_swapped:
                straight, across = across, straight
            matrix[sine, sine] = matrix[cosine, cosine] = straight
            matrix[sine, cosine] = self.direction * across
            matrix[cosine, sine] = self.lower_left * self.direction * across
        return matrix


SHIFT_BACK = Exercise(
    id="shift-back",
    reference=Shift(direction=-1, halves=True),
    cases=((3, 8), (1, 4), (-2, 6), (-5, 10), (0, 2), (40, 22)),
    misconceptions=(
        Misconception("wrong-sign", direction=1),
        Misconception("neighbours-in-matrix", halves=False),
        FREQUENCIES_ALL_ONE,
        *OFFSET_OFF_BY_ONE,
        Misconception("offset-forgotten", offset_used=False, extra=0),
        Misconception("no-rotation", lower_left=1, direction=1),
        Misconception("no-rotation", lower_left=1, direction=-1),
        Misconception("block-swapped", block_swapped=True),
        DEGREES,
        EXPONENT_DOUBLED,
        EXPONENT_HALVED,
    ),
)


@dataclass(frozen=True)
class Distance(Turns):
    """How far apart two rows are, by their offset."""

    wave: Callable[[NDArray], NDArray] = np.cos
    mean: bool = False
    squared_lengths: float = 1.0
    products: float = 2.0
    root: bool = True
    chords_added: bool = False
    along_the_circle: bool = False
    another_way: Callable[[NDArray], NDArray] | None = None

    def __call__(self, offsets: NDArray, d_model: int) -> NDArray[np.float64]:
        if self.another_way is not None:
            return self.another_way(offsets)
        angles = self.angles(offsets, d_model)
        if self.along_the_circle:
            return np.sqrt((angles**2).sum(axis=-1))
        if self.chords_added:
            return (2 * np.abs(np.sin(angles / 2))).sum(axis=-1)
        waves = self.wave(angles)
        product = waves.mean(axis=-1) if self.mean else waves.sum(axis=-1)
        squares = self.squared_lengths * d_model - self.products * product
        return np.sqrt(squares) if self.root else squares


# The distances of the tips, hand by hand: no other choice but that of the angles comes in.
_CHORDS = {
    **{choice: getattr(Distance, choice) for choice in ("mean", "products", "root", "wave")},
    **{"squared_lengths": 1.0, "chords_added": True},
}


def _instead(another_way: Callable[[NDArray], NDArray]) -> dict[str, object]:
    """A distance in another way, in which no other choice comes in."""
    return in_the_place_of(Distance, another_way=another_way)


def _first_chord(offsets: NDArray) -> NDArray[np.float64]:
    return 2 * np.abs(np.sin(offsets / 2))


def _of_twice_the_angle(angles: NDArray) -> NDArray[np.float64]:
    return np.cos(2 * angles)


DISTANCE_BY_OFFSET = Exercise(
    id="distance-by-offset",
    reference=Distance(),
    cases=(
        (np.arange(-10, 11), 16),
        (np.array([0, 10, 100]), 8),
        (np.array([3]), 2),
        (np.array([-7, 5]), 60),
        (np.array([100_000, -65_432]), 8),
    ),
    typed=("np.arange(-10, 11), 16", "np.array([0, 10, 100]), 8"),
    tolerance=5e-4,  # angles of 100,000 radians in float32
    misconceptions=(
        Misconception("root-forgotten", root=False),
        Misconception("dot-product-itself", squared_lengths=0.0, products=-1.0, root=False),
        Misconception("root-of-product", squared_lengths=0.0, products=-1.0, root=True),
        Misconception("product-once", products=1.0),
        Misconception("squares-miscounted", squared_lengths=2.0),
        Misconception("half-the-square", squared_lengths=0.5, products=1.0),
        Misconception("signs-swapped", products=-2.0),
        Misconception("chords-added", **_CHORDS),
        Misconception("first-pair-only", base=1.0, mean=True),
        Misconception("first-pair-only", **_instead(_first_chord)),
        Misconception("positions-apart", **_instead(np.abs)),
        Misconception("along-the-circle", **in_the_place_of(Distance, "along_the_circle")),
        Misconception("mean-for-sum", mean=True),
        Misconception("sine-for-cosine", wave=np.sin),
        Misconception("half-angle-forgotten", wave=_of_twice_the_angle),
        FREQUENCIES_ALL_ONE,
        DEGREES,
        EXPONENT_DOUBLED,
        EXPONENT_HALVED,
    ),
)

_TURN = 2 * np.pi


def _nearer_way(first: float, second: float) -> float:
    """From one angle to another, by half a turn at most."""
    return (second - first + np.pi) % _TURN - np.pi


@dataclass(frozen=True)
class OffsetReading(HandReading):
    """How far it is from one row of a table to another, read from the slowest hands."""

    turn: Callable[[float, float], float] = _nearer_way
    forward: int = 1

    def __call__(self, row: NDArray, other: NDArray, base: float) -> float:
        turned = self.turn(self.angle_in(row), self.angle_in(other))
        return self.positions(turned * self.forward, len(row), base)


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
    (5000, 2, 4, 10),
    (5000, -1, 4, 10),
    (5000, -2, 4, 100),
)
"""A position, the offset to another (below half a turn of the slowest hand), dimensions, base.

What is computed for the last three lies a hair below the whole number, twice, and a hair above.
"""


def two_clocks(
    position: int, offset: int, d_model: int, base: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The rows of two positions, and the base of their table."""
    row, other = AnyRows()(np.array([position, position + offset]), d_model, base)
    return row, other, base


def _typed(position: int, offset: int, d_model: int, base: float) -> str:
    table = f"sinusoidal_encoding({max(position, position + offset) + 1}, {d_model}, base={base:_})"
    return f"{table}[{position}], {table}[{position + offset}], {base:_}"


OFFSET_BETWEEN = Exercise(
    id="offset-between",
    reference=OffsetReading(),
    cases=tuple(two_clocks(*moved) for moved in MOVED),
    typed=tuple(_typed(*moved) for moved in MOVED),
    misconceptions=(
        *read_off("direction-reversed", forward=-1),
        *read_off("longer-way-round", turn=lambda first, second: second - first),
        *read_off("longer-way-round", turn=lambda first, second: second % _TURN - first % _TURN),
        *read_off("always-forward", turn=lambda first, second: (second - first) % _TURN),
        *read_off("direction-lost", turn=lambda first, second: np.arccos(np.cos(second - first))),
        *read_off("direction-lost", turn=lambda first, second: abs(_nearer_way(first, second))),
        *read_off("fastest-hand-read", fastest_hand=True),
        *read_off("angle-not-unique", turn=lambda first, second: np.arcsin(np.sin(second - first))),
        *read_off("angle-not-unique", angle=lambda sine, cosine: np.arcsin(sine)),
        *read_off("angle-for-position", divided=False),
        *read_off("angle-in-degrees", units_per_radian=180 / np.pi),
        BASE_IGNORED,
        *read_off("frequency-of-another-hand", numerator_after=2),
        *read_off("multiplied-by-frequency", sign=1, divided=True),
    ),
)


def _whole(table: NDArray) -> NDArray:
    return table


def _sines(table: NDArray) -> NDArray:
    return table[:, 0::2]


def _cosines(table: NDArray) -> NDArray:
    return table[:, 1::2]


def _first_half(table: NDArray) -> NDArray:
    return table[:, : table.shape[1] // 2]


@dataclass(frozen=True)
class Products(Sinusoids):
    """The dot products of all positions, from some of the columns."""

    left: Callable[[NDArray], NDArray] = _whole
    right: Callable[[NDArray], NDArray] = _whole
    of_offset: Callable[[NDArray], NDArray] | None = None
    divisor: Callable[[int], float] = lambda d_model: 1
    twice_as_wide: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        table = super().__call__(n_positions, d_model * (2 if self.twice_as_wide else 1))
        products = self.left(table) @ self.right(table).T
        if self.of_offset is not None:
            positions = np.arange(n_positions)
            angles = np.subtract.outer(positions, positions)[..., np.newaxis] * self.powers(
                np.arange(0, d_model, 2), d_model
            )
            products = self.of_offset(angles).sum(axis=-1)
        return products / self.divisor(d_model)


STRANGE_PRODUCTS = Exercise(
    id="strange-products",
    shows_wrong_output=True,
    reference=Products(left=_sines, right=_sines),
    cases=((5, 4), (4, 8), (40, 16), (1, 2), (30, 52)),
    misconceptions=(
        Misconception("the-right-products", left=_whole, right=_whole),
        Misconception("cosines-alone", left=_cosines, right=_cosines),
        Misconception("sines-with-cosines", right=_cosines),
        Misconception("sines-with-cosines", left=_cosines),
        Misconception("first-half-of-columns", left=_first_half, right=_first_half),
        Misconception("waves-of-the-offset", of_offset=np.sin, left=_whole, right=_whole),
        Misconception(
            "sine-for-each-column",
            **in_the_place_of(Products, "twice_as_wide", left=_sines, right=_sines),
        ),
        Misconception("products-divided", divisor=lambda d_model: d_model / 2),
        Misconception("products-divided", divisor=lambda d_model: d_model),
        POSITIONS_FROM_ONE,
        EXPONENT_DOUBLED,
    ),
)

EXERCISES = (SHIFT_BACK, DISTANCE_BY_OFFSET, OFFSET_BETWEEN, STRANGE_PRODUCTS)
