"""Lab 03: rows of the sinusoidal table, and positions read back from them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .shared import (
    AXES_SWAPPED,
    BASE_IGNORED,
    DEGREES,
    EXPONENT_DOUBLED,
    EXPONENT_HALVED,
    FREQUENCIES_ALL_ONE,
    FREQUENCIES_MULTIPLIED,
    INTEGER_DIVISION,
    POSITIONS_FROM_ONE,
    AnyRows,
    HandReading,
    Sinusoids,
    ratio_of_one_width,
    read_off,
)

# Base 1 would do as well, but here the base is an argument.
ALL_ONE = Misconception(FREQUENCIES_ALL_ONE.id, factor=0.0)
PAIRS_FROM_ONE = Misconception("pairs-from-one", first_pair=1)
SINE_COSINE_SWAPPED = Misconception("sine-cosine-swapped", sine=np.cos, cosine=np.sin)
SINES_EVERYWHERE = Misconception("sines-everywhere", cosine=np.sin)
HALVES_CONCATENATED = Misconception("halves-concatenated", halves=True)


@dataclass(frozen=True)
class Row(Sinusoids):
    """The row of position 12, six numbers wide."""

    base: float = 64.0
    shorten: Callable[[NDArray], NDArray] = np.asarray

    def __call__(self) -> NDArray[np.float64]:
        return self.shorten(self.rows(np.array([12]), 6)[0])


ENDS_AT_BASE = Misconception("ends-at-base", ends_at_base=True)

ROW_BY_HAND = Exercise(
    id="row-by-hand",
    named="row",
    reference=Row(),
    cases=((),),
    misconceptions=(
        DEGREES,
        Misconception("another-base", base=1e4),
        Misconception("another-base", base=6.0),
        Misconception("another-base", base=100.0),
        SINE_COSINE_SWAPPED,
        HALVES_CONCATENATED,
        Misconception("neighbouring-position", first_position=1),
        Misconception("neighbouring-position", first_position=-1),
        EXPONENT_DOUBLED,
        EXPONENT_HALVED,
        FREQUENCIES_MULTIPLIED,
        PAIRS_FROM_ONE,
        ENDS_AT_BASE,
        *(
            Misconception("too-few-digits", shorten=partial(np.round, decimals=decimals))
            for decimals in (3, 2, 1)
        ),
        Misconception("exponent-is-the-pair", factor=3.0),
    ),
    tolerance=6e-5,  # four decimals, as a pocket calculator is read
)


def _count(positions: NDArray) -> NDArray:
    return np.arange(len(positions))


COSINE_OWN_FREQUENCY = Misconception("cosine-own-frequency", cosine_step=1)

ROWS = (
    ([0, 1, 2, 3, 4], 4, 10_000),
    ([3, 0, 40], 8, 100),
    ([12], 5, 64),
    ([2.5, 1, 1], 2, 10),
    ([6, 3], 1, 50),
    ([0.5, 200, 7, 30], 17, 1_000),
    ([59, 58, 0.75], 52, 10_000),
    ([5, 6], 6, 2),
)
"""Positions, dimensions and base."""

SINUSOIDAL_ROWS = Exercise(
    id="sinusoidal-rows",
    reference=AnyRows(),
    cases=tuple((np.array(positions), d, base) for positions, d, base in ROWS),
    typed=tuple(f"np.array({positions}), {d}, {base:_}" for positions, d, base in ROWS),
    misconceptions=(
        BASE_IGNORED,
        Misconception("positions-counted", change=_count),
        Misconception("positions-cut", change=np.trunc),
        Misconception("rounded-up-to-even", rounded_up_to_even=True),
        Misconception("last-sine-missing", last_sine_missing=True),
        DEGREES,
        EXPONENT_DOUBLED,
        EXPONENT_HALVED,
        SINE_COSINE_SWAPPED,
        HALVES_CONCATENATED,
        COSINE_OWN_FREQUENCY,
        SINES_EVERYWHERE,
        ALL_ONE,
        INTEGER_DIVISION,
    ),
)


@dataclass(frozen=True)
class ClockReading(HandReading):
    """The position whose row this is, read from the slowest hand."""

    whole_turn: bool = True

    def __call__(self, row: NDArray, base: float) -> float:
        angle = self.angle_in(row)
        if self.whole_turn:
            angle %= 2 * np.pi
        return self.positions(angle, len(row), base)


def _half_turn_further(sine: float, cosine: float) -> float:
    return np.arctan2(sine, cosine) + np.pi


def _half_turn_for_negative(sine: float, cosine: float) -> float:
    return np.arctan2(sine, cosine) + np.pi * (sine < 0)


CLOCKS = (
    (3, 8, 10_000),
    (50, 4, 100),
    (3324, 8, 10_000),
    (5, 2, 10),
    (98, 6, 64),
    (0, 16, 1_000),
    (15, 4, 30),
    (700, 12, 500),
    (10, 8, 2),
    (5, 8, 500),
    (17_000, 16, 10_000),
)
"""A position within one turn of the slowest hand, dimensions and base."""


def clock(position: int, d_model: int, base: float) -> tuple[NDArray[np.float64], float]:
    """A row that is to be read, and the base of its table."""
    return AnyRows()(np.array([position]), d_model, base)[0], base


POSITION_FROM_ROW = Exercise(
    id="position-from-row",
    reference=ClockReading(),
    cases=tuple(clock(*read) for read in CLOCKS),
    typed=tuple(
        f"sinusoidal_rows(np.array([{position}]), {d}, {base:_})[0], {base:_}"
        for position, d, base in CLOCKS
    ),
    misconceptions=(
        *read_off("fastest-hand-read", fastest_hand=True),
        *read_off("angle-not-unique", angle=lambda sine, cosine: np.arcsin(sine)),
        *read_off("angle-not-unique", angle=lambda sine, cosine: np.arcsin(sine), whole_turn=False),
        *read_off("angle-not-unique", angle=lambda sine, cosine: np.arccos(cosine)),
        *read_off("angle-not-unique", angle=lambda sine, cosine: np.arctan(sine / cosine)),
        *read_off(
            "angle-not-unique",
            angle=lambda sine, cosine: np.arctan(sine / cosine),
            whole_turn=False,
        ),
        *read_off("angle-negative", whole_turn=False),
        *read_off("half-turn-added", angle=_half_turn_further, whole_turn=False),
        *read_off("half-turn-added", angle=_half_turn_for_negative, whole_turn=False),
        *read_off("angle-for-position", divided=False),
        *read_off("arctangent-swapped", angle=lambda sine, cosine: np.arctan2(cosine, sine)),
        *read_off("angle-in-degrees", units_per_radian=180 / np.pi),
        BASE_IGNORED,
        *read_off("frequency-of-another-hand", numerator_after=1),
        *read_off("frequency-of-another-hand", numerator_after=2),
        *read_off("exponent-doubled", factor=2.0),
        *read_off("exponent-halved", factor=0.5),
        # The choices of the angle keep their values: rounded to 0, they cannot be told.
        *read_off(
            "multiplied-by-frequency", sign=1, divided=True, angle=np.arctan2, whole_turn=True
        ),
        Misconception("position-cut", round=math.floor),
    ),
)

# Base 100 is not among them: its numbers are those of half the exponent.
ANOTHER_BASE = tuple(
    Misconception("another-base", base=base)
    for base in (1e3, 1e5, 10.0, 2.0, np.e, 500.0, 2e3, 5e3, 2e4, 5e4, 5e5, 1e6)
)

FAULTS_OF_ANY_TABLE = (
    SINES_EVERYWHERE,
    SINE_COSINE_SWAPPED,
    POSITIONS_FROM_ONE,
    DEGREES,
    HALVES_CONCATENATED,
    FREQUENCIES_MULTIPLIED,
    *ANOTHER_BASE,
)

STRANGE_TABLE = Exercise(
    id="strange-table",
    shows_wrong_output=True,
    reference=Sinusoids(cosine_step=1),
    cases=((5, 4), (4, 8), (50, 16), (1, 2), (60, 52)),
    misconceptions=(
        Misconception("the-right-table", cosine_step=0),
        *(
            Misconception("another-wrong-table", **known.choices, cosine_step=0)
            for known in (
                *FAULTS_OF_ANY_TABLE,
                EXPONENT_DOUBLED,
                EXPONENT_HALVED,
                ALL_ONE,
                PAIRS_FROM_ONE,
            )
        ),
        Misconception("another-cosine-frequency", cosine_step=2),
        Misconception("another-cosine-frequency", cosine_step=-1),
        # Strange they are as well: so nothing is said of the cosines besides.
        *(
            Misconception(known.id, **known.choices, cosine_step=1)
            for known in (
                Misconception("another-exponent", factor=2.0),
                Misconception("another-exponent", factor=0.5),
                *FAULTS_OF_ANY_TABLE,
                AXES_SWAPPED,
                INTEGER_DIVISION,
                *ratio_of_one_width(*(10_000 ** (-1 / d_model) for d_model in (4, 8, 16))),
            )
        ),
    ),
)

EXERCISES = (ROW_BY_HAND, SINUSOIDAL_ROWS, POSITION_FROM_ROW, STRANGE_TABLE)
