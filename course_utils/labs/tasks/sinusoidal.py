"""Lab 03: rows of the sinusoidal table, and positions read back from them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .shared import (
    ANOTHER_BASE,
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
    Powers,
    Sinusoids,
    ratio_of_one_width,
    read_off,
)


@dataclass(frozen=True)
class Row(Sinusoids):
    """One row of a table."""

    shorten: Callable[[NDArray], NDArray] = np.asarray

    def __call__(self, n_positions: int, d_model: int, position: int) -> NDArray[np.floating]:
        return self.shorten(super().__call__(n_positions, d_model)[position])


@dataclass(frozen=True)
class ClockReading(Powers):
    """The position whose row this is, read from the slowest hand."""

    base_ignored: bool = False
    fastest_hand: bool = False
    angle: Callable[[float, float], float] = np.arctan2
    whole_turn: bool = True
    units_per_radian: float = 1.0
    divided: bool = True
    numerator_after: int = 0
    round: Callable[[float], float] = round

    def __call__(self, row: NDArray, base: float) -> float:
        d_model = len(row)
        column = 0 if self.fastest_hand else d_model - 2
        angle = self.angle(row[column], row[column + 1])
        if self.whole_turn:
            angle %= 2 * np.pi
        angle *= self.units_per_radian
        if self.divided:
            hand = self if self.base_ignored else replace(self, base=float(base))
            angle /= hand.powers(column + self.numerator_after, d_model)
        return self.round(angle)


def _cut(numbers: NDArray, decimals: int) -> NDArray:
    return np.trunc(numbers * 10**decimals) / 10**decimals


def _count(positions: NDArray) -> NDArray:
    return np.arange(len(positions))


def _half_turn_further(sine: float, cosine: float) -> float:
    return np.arctan2(sine, cosine) + np.pi


def _half_turn_for_negative(sine: float, cosine: float) -> float:
    return np.arctan2(sine, cosine) + np.pi * (sine < 0)


def _strange(id: str, cosine_step: int, *variants: dict[str, object]) -> Misconception:
    """One of the strange table; what is wrong with the cosines is said in each of them."""
    return Misconception(id, *({**choices, "cosine_step": cosine_step} for choices in variants))


ENDS_AT_BASE = Misconception("ends-at-base", {"ends_at_base": True})
PAIRS_FROM_ONE = Misconception("pairs-from-one", {"first_pair": 1})
SINE_COSINE_SWAPPED = Misconception("sine-cosine-swapped", {"sine": np.cos, "cosine": np.sin})
SINES_EVERYWHERE = Misconception("sines-everywhere", {"cosine": np.sin})
HALVES_CONCATENATED = Misconception("halves-concatenated", {"halves": True})
COSINE_OWN_FREQUENCY = Misconception("cosine-own-frequency", {"cosine_step": 1})
FLOAT16 = Misconception(
    "float16", {"dtype": np.float16}, {"dtype": np.float16, "angle_dtype": np.float16}
)

# With 8 dimensions a pair turns a tenth as far as the one before; within it, by a root of that.
PRINTED_BESIDE_A_TENTH = tuple(
    {"ratio": round(0.1**0.5, digits), "ratio_of_pairs": 0.1} for digits in (2, 3, 4, 5, 6)
)

# The strange table gives each cosine a frequency of its own; these do not.
OTHER_FAULTS = (
    {"halves": True},
    SINE_COSINE_SWAPPED.variants[0],
    {"factor": 2.0},
    {"factor": 0.5},
    {"factor": 0.0},
    {"sign": 1},
    {"first_position": 1},
    {"first_pair": 1},
    {"cosine": np.sin},
    *DEGREES.variants,
    *ANOTHER_BASE.variants,
)

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


EXERCISES = (
    Exercise(
        id="row-by-hand",
        named="row",
        parameters=(),
        reference=Row(base=64.0),
        cases=((14, 6, 12),),
        misconceptions=(
            DEGREES,
            Misconception("another-base", {"base": 1e4}, {"base": 6.0}, {"base": 100.0}),
            SINE_COSINE_SWAPPED,
            HALVES_CONCATENATED,
            COSINE_OWN_FREQUENCY,
            SINES_EVERYWHERE,
            Misconception("neighbouring-position", {"first_position": 1}, {"first_position": -1}),
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            FREQUENCIES_MULTIPLIED,
            PAIRS_FROM_ONE,
            ENDS_AT_BASE,
            Misconception(
                "too-few-digits",
                *({"shorten": partial(np.round, decimals=decimals)} for decimals in (3, 2, 1)),
                *({"shorten": partial(_cut, decimals=decimals)} for decimals in (4, 3, 2)),
            ),
            Misconception("exponent-is-the-pair", {"factor": 3.0}),
        ),
        tolerance=6e-5,  # four decimals, as a pocket calculator is read
    ),
    Exercise(
        id="sinusoidal-rows",
        parameters=("positions", "d_model", "base"),
        reference=AnyRows(),
        cases=tuple((np.array(positions), d, base) for positions, d, base in ROWS),
        typed=tuple(f"np.array({positions}), {d}, {base:_}" for positions, d, base in ROWS),
        misconceptions=(
            BASE_IGNORED,
            Misconception("positions-counted", {"change": _count}),
            Misconception("positions-cut", {"change": np.trunc}),
            Misconception("rounded-up-to-even", {"rounded_up_to_even": True}),
            Misconception("last-sine-missing", {"last_sine_missing": True}),
            DEGREES,
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            SINE_COSINE_SWAPPED,
            HALVES_CONCATENATED,
            COSINE_OWN_FREQUENCY,
            SINES_EVERYWHERE,
            AXES_SWAPPED,
            FREQUENCIES_MULTIPLIED,
            Misconception(FREQUENCIES_ALL_ONE.id, {"factor": 0.0}),
            INTEGER_DIVISION,
            PAIRS_FROM_ONE,
            ENDS_AT_BASE,
            FLOAT16,
        ),
    ),
    Exercise(
        id="position-from-row",
        parameters=("row", "base"),
        reference=ClockReading(),
        cases=tuple(clock(*read) for read in CLOCKS),
        typed=tuple(
            f"sinusoidal_rows(np.array([{position}]), {d}, {base:_})[0], {base:_}"
            for position, d, base in CLOCKS
        ),
        misconceptions=(
            read_off("fastest-hand-read", {"fastest_hand": True}),
            read_off(
                "angle-not-unique",
                {"angle": lambda sine, cosine: np.arcsin(sine)},
                {"angle": lambda sine, cosine: np.arcsin(sine), "whole_turn": False},
                {"angle": lambda sine, cosine: np.arccos(cosine)},
                {"angle": lambda sine, cosine: np.arctan(sine / cosine)},
                {"angle": lambda sine, cosine: np.arctan(sine / cosine), "whole_turn": False},
            ),
            read_off("angle-negative", {"whole_turn": False}),
            read_off(
                "half-turn-added",
                {"angle": _half_turn_further, "whole_turn": False},
                {"angle": _half_turn_for_negative, "whole_turn": False},
            ),
            read_off("angle-for-position", {"divided": False}),
            read_off(
                "arctangent-swapped", {"angle": lambda sine, cosine: np.arctan2(cosine, sine)}
            ),
            read_off("angle-in-degrees", {"units_per_radian": 180 / np.pi}),
            BASE_IGNORED,
            read_off("frequency-of-another-hand", {"numerator_after": 1}, {"numerator_after": 2}),
            read_off("exponent-doubled", *EXPONENT_DOUBLED.variants),
            read_off("exponent-halved", *EXPONENT_HALVED.variants),
            read_off(
                "multiplied-by-frequency",
                # The choices of the angle keep their values: rounded to 0, they cannot be told.
                {"sign": 1, "divided": True, "angle": np.arctan2, "whole_turn": True},
            ),
            Misconception("position-cut", {"round": math.floor}),
        ),
    ),
    Exercise(
        id="strange-table",
        shows_wrong_output=True,
        parameters=("n_positions", "d_model"),
        reference=Sinusoids(cosine_step=1),
        cases=((5, 4), (4, 8), (50, 16), (1, 2), (60, 52)),
        misconceptions=(
            _strange("the-right-table", 0, {}),
            _strange("another-wrong-table", 0, *OTHER_FAULTS),
            Misconception("another-cosine-frequency", {"cosine_step": 2}, {"cosine_step": -1}),
            *(
                _strange(known.id, 1, *known.variants)
                for known in (
                    Misconception(
                        "another-exponent", *EXPONENT_DOUBLED.variants, *EXPONENT_HALVED.variants
                    ),
                    SINES_EVERYWHERE,
                    SINE_COSINE_SWAPPED,
                    POSITIONS_FROM_ONE,
                    DEGREES,
                    HALVES_CONCATENATED,
                    AXES_SWAPPED,
                    FREQUENCIES_MULTIPLIED,
                    INTEGER_DIVISION,
                    ANOTHER_BASE,
                    ratio_of_one_width(*(10_000 ** (-1 / d_model) for d_model in (4, 8, 16))),
                    Misconception("ratio-of-one-width", *PRINTED_BESIDE_A_TENTH),
                )
            ),
        ),
    ),
)
