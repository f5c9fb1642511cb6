"""Lab 02: positions in bits, and what is wrong with them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .naive_encodings import AXES_SWAPPED, POSITIONS_FROM_ONE


@dataclass(frozen=True)
class Bits:
    """The position in base two, least significant bit first."""

    first_position: int = 0
    first_bit: int = 0
    missing_columns: int = 0
    most_significant_first: bool = False
    whole_division: bool = True
    remainder: bool = True
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        positions = np.arange(n_positions)[:, np.newaxis] + self.first_position
        quotients = positions / 2.0 ** (np.arange(d_model - self.missing_columns) + self.first_bit)
        if self.whole_division:
            quotients = np.floor(quotients)
        bits = quotients % 2 if self.remainder else quotients
        if self.most_significant_first:
            bits = bits[:, ::-1]
        return bits.T if self.transposed else bits


@dataclass(frozen=True)
class BitsNeeded:
    """The smallest d with n_positions <= 2**d."""

    number_after: int = 0
    round: Callable[[float], int] = math.ceil
    logarithm: Callable[[float], float] = math.log2

    def __call__(self, n_positions: int) -> int:
        return self.round(self.logarithm(n_positions + self.number_after))


@dataclass(frozen=True)
class DotProducts:
    """The dot product of every row with the one ``distance`` further on."""

    extra: int = 0
    round_the_end: bool = False
    summed_over: int | None = 1
    at_zero: Callable[[NDArray], NDArray] | None = None

    def __call__(self, table: NDArray, distance: int) -> NDArray[np.float64]:
        if distance == 0 and self.at_zero is not None:
            return self.at_zero(table)
        distance += self.extra
        n_pairs = len(table) if self.round_the_end else len(table) - distance
        products = (table * np.roll(table, -distance, axis=0))[:n_pairs]
        return products if self.summed_over is None else products.sum(axis=self.summed_over)


@dataclass(frozen=True)
class Flips:
    """How many bits differ between each row and the one before it."""

    step: int = 1
    signed: bool = False
    unchanged: bool = False
    summed_over: int = 1

    def __call__(self, table: NDArray) -> NDArray[np.float64]:
        change = table[self.step :] - table[: -self.step]
        if self.unchanged:
            change = change == 0
        elif not self.signed:
            change = change != 0
        return change.sum(axis=self.summed_over)


def _no_pairs(table: NDArray) -> NDArray[np.float64]:
    return np.empty(0)


def _unequal_shapes(table: NDArray) -> NDArray[np.float64]:
    return (table[:0] * table).sum(axis=1)  # which NumPy refuses, but for a single row


def _whole_bits(n_positions: int, d_model: int) -> NDArray[np.int64]:
    return Bits()(n_positions, d_model).astype(np.int64)


def _no_bits(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Numbers of both signs: a product of two bits is also their minimum, and their "and"."""
    return Bits()(n_positions, d_model) / 3 - 0.25


WRONG_AXIS = Misconception("wrong-axis", {"summed_over": 0})
OFFSET_OFF_BY_ONE = Misconception("offset-off-by-one", {"extra": 1}, {"extra": -1})

FLIPPED = ((8, 4, 1), (33, 6, 1), (40, 6, 3), (2, 1, 1))
"""Number of positions, dimensions, and every which row is taken."""

BITS = ((8, 3, 2), (50, 6, 10), (4, 3, 0))
NO_BITS = ((9, 4, 1), (9, 4, 8), (9, 4, 0), (1, 4, 0))
"""Number of positions, dimensions, and the distance of the rows that are multiplied."""

EXERCISES = (
    Exercise(
        id="bits-needed",
        parameters=("n_positions",),
        reference=BitsNeeded(),
        cases=((2,), (50,), (63,), (64,), (65,), (1000,)),
        misconceptions=(
            Misconception(
                "one-bit-too-few",
                {"round": math.floor},
                {"number_after": -1},
                # With the number after, rounding may also give one bit too many.
                {"round": round, "number_after": 0},
            ),
            Misconception("length-itself-written", {"number_after": 1}),
            Misconception("another-logarithm", {"logarithm": math.log}, {"logarithm": math.log10}),
        ),
    ),
    Exercise(
        id="binary-encoding",
        parameters=("n_positions", "d_model"),
        reference=Bits(),
        cases=((4, 3), (50, 6), (2, 1), (1, 12), (600, 10)),
        misconceptions=(
            Misconception("most-significant-first", {"most_significant_first": True}),
            Misconception("column-missing", {"missing_columns": 1}),
            Misconception("ones-bit-lost", {"first_bit": 1}),
            Misconception("fractions-kept", {"whole_division": False}),
            Misconception("remainder-forgotten", {"remainder": False}),
            POSITIONS_FROM_ONE,
            AXES_SWAPPED,
        ),
    ),
    Exercise(
        id="flips-per-step",
        parameters=("table",),
        reference=Flips(),
        cases=tuple((_whole_bits(n, d)[::step],) for n, d, step in FLIPPED),
        typed=tuple(
            f"binary_encoding({n}, {d})" + (f"[::{step}]" if step > 1 else "")
            for n, d, step in FLIPPED
        ),
        misconceptions=(
            Misconception("sign-kept", {"signed": True}),
            WRONG_AXIS,
            Misconception("neighbouring-rows", {"step": 2}),
            Misconception("unchanged-counted", {"unchanged": True}),
        ),
    ),
    Exercise(
        id="dot-products-at-distance",
        parameters=("table", "distance"),
        reference=DotProducts(),
        cases=(
            *((_whole_bits(n, d), distance) for n, d, distance in BITS),
            *((_no_bits(n, d), distance) for n, d, distance in NO_BITS),
        ),
        typed=(
            *(f"binary_encoding({n}, {d}), {distance}" for n, d, distance in BITS),
            *(f"binary_encoding({n}, {d}) / 3 - 0.25, {distance}" for n, d, distance in NO_BITS),
        ),
        misconceptions=(
            OFFSET_OFF_BY_ONE,
            Misconception("round-the-end", {"round_the_end": True}),
            Misconception("products-not-summed", {"summed_over": None}),
            WRONG_AXIS,
            Misconception("minus-zero", {"at_zero": _unequal_shapes}, {"at_zero": _no_pairs}),
        ),
    ),
)
