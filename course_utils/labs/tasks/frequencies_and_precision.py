"""Lab 05: another spacing of the frequencies, a base for a length, and what rounding costs."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..exercise import Exercise, Misconception
from .naive_encodings import POSITIONS_FROM_ONE, SIGN_KEPT_IN_MAXIMUM
from .sinusoidal import DEGREES, Frequencies


@dataclass(frozen=True)
class Arithmetic:
    """Equally spaced frequencies, from 1 down to 2 / d_model."""

    first: int = 1
    per_column: bool = False
    divided_by_columns: bool = False
    rising: bool = False

    def __call__(self, d_model: int) -> NDArray[np.float64]:
        n_pairs = d_model // 2
        number = d_model if self.per_column else n_pairs
        divisor = d_model if self.divided_by_columns or self.per_column else n_pairs
        rising = (np.arange(number) + self.first) / divisor
        return rising if self.rising else rising[::-1]


@dataclass(frozen=True)
class MostSimilar:
    """The distance, between two bounds, at which two positions resemble each other most."""

    radians_per_unit: float = 1.0
    index_only: bool = False
    last_left_out: bool = False
    from_zero: bool = False
    choose: Callable[[NDArray], np.intp] = np.argmax

    def __call__(self, frequencies: NDArray, shortest: int, longest: int) -> int:
        shortest = 0 if self.from_zero else shortest
        distances = np.arange(shortest, longest if self.last_left_out else longest + 1)
        angles = np.outer(distances, frequencies) * self.radians_per_unit
        chosen = self.choose(np.cos(angles).sum(axis=1))
        return int(chosen if self.index_only else distances[chosen])


@dataclass(frozen=True)
class BaseForLength:
    """The base with which the slowest hand goes round once in n_positions."""

    angle_of_a_round: float = 2 * np.pi
    exponent_inverted: bool = False
    all_pairs: bool = False

    def __call__(self, n_positions: int, d_model: int) -> float:
        share = 1.0 if self.all_pairs else (d_model - 2) / d_model
        power = share if self.exponent_inverted else 1 / share
        return float((n_positions / self.angle_of_a_round) ** power)


@dataclass(frozen=True)
class AngleError(Frequencies):
    """The largest error of the angles at one position, with the usual float32 code."""

    low: DTypeLike = np.float32
    rounded_once: bool = False
    absolute: bool = True
    negated: bool = False

    def __call__(self, position: int, d_model: int) -> float:
        frequencies = super().__call__(d_model)
        exact = position * frequencies
        low = np.dtype(self.low).type
        product = low(position) * frequencies.astype(low)
        rounded = exact.astype(low) if self.rounded_once else product
        error = rounded.astype(np.float64) - exact
        if self.negated:
            error = -error
        return float(np.abs(error).max() if self.absolute else error.max())


@dataclass(frozen=True)
class DistinctPositions:
    """How many different numbers are left of the positions in float16."""

    first_position: int = 0
    low: DTypeLike = np.float16
    lost: bool = False

    def __call__(self, n_positions: int) -> int:
        positions = np.arange(n_positions) + self.first_position
        distinct = len(np.unique(positions.astype(self.low)))
        return n_positions - distinct if self.lost else distinct


EXERCISES = (
    Exercise(
        id="arithmetic-frequencies",
        parameters=("d_model",),
        reference=Arithmetic(),
        cases=((4,), (8,), (64,), (2,), (130,)),
        misconceptions=(
            Misconception("starts-at-zero", {"first": 0}),
            Misconception("frequency-per-column", {"per_column": True}),
            Misconception("divided-by-dimensions", {"divided_by_columns": True}),
            Misconception("order-reversed", {"rising": True}),
        ),
    ),
    Exercise(
        id="most-similar-distance",
        parameters=("frequencies", "shortest", "longest"),
        reference=MostSimilar(),
        cases=(
            (Arithmetic()(64), 20, 500),
            (Arithmetic()(16), 10, 50),
            (Frequencies()(16), 7, 90),
            (Arithmetic()(32), 40, 95),
            *((np.array([0.1, 0.05]), *ends) for ends in ((1, 60), (70, 120), (110, 111))),
            *((np.array([0.9, 0.2]), *ends) for ends in ((17, 60), (300, 420))),
            *((np.array([1.6]), 1, longest) for longest in (3, 4)),
            (np.array([3.1]), 1, 3),
        ),
        typed=(
            "arithmetic_frequencies(64), 20, 500",
            "arithmetic_frequencies(16), 10, 50",
            "angular_frequencies(16), 7, 90",
            "arithmetic_frequencies(32), 40, 95",
        ),
        misconceptions=(
            Misconception("begins-at-zero", {"from_zero": True}),
            Misconception("index-for-distance", {"index_only": True}),
            Misconception("last-left-out", {"last_left_out": True}),
            Misconception("least-for-most", {"choose": np.argmin}),
            DEGREES,
        ),
    ),
    Exercise(
        id="base-for-length",
        parameters=("n_positions", "d_model"),
        reference=BaseForLength(),
        cases=((1000, 64), (5000, 128), (100, 8), (40, 4), (13, 8)),
        misconceptions=(
            Misconception("longest-wave-of-base", {"all_pairs": True}),
            Misconception("exponent-inverted", {"exponent_inverted": True}),
            Misconception("round-forgotten", {"angle_of_a_round": 1.0}),
            Misconception("round-in-degrees", {"angle_of_a_round": 360.0}),
            Misconception("half-a-round", {"angle_of_a_round": np.pi}),
        ),
    ),
    Exercise(
        id="angle-error",
        parameters=("position", "d_model"),
        reference=AngleError(),
        cases=((1000, 64), (12_345, 16), (50_000, 64), (1, 70), (60, 2), (60, 4)),
        misconceptions=(
            Misconception("rounded-once", {"rounded_once": True}),
            SIGN_KEPT_IN_MAXIMUM,
            Misconception("float16-for-float32", {"low": np.float16}),
        ),
        tolerance=1e-9,
    ),
    Exercise(
        id="distinct-positions",
        parameters=("n_positions",),
        reference=DistinctPositions(),
        cases=((100,), (4096,), (10_000,), (1,), (4411,)),
        misconceptions=(
            Misconception("float32-for-float16", {"low": np.float32}),
            POSITIONS_FROM_ONE,
            Misconception("lost-for-left", {"lost": True}),
        ),
    ),
)
