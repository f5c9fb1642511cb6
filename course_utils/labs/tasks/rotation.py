"""Lab 04: a shift is a rotation, and the dot product knows only the distance."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .binary import OFFSET_OFF_BY_ONE
from .sinusoidal import DEGREES, WRONG_POWERS, Powers, Sinusoids


@dataclass(frozen=True)
class Turns(Powers):
    """The angle by which each pair turns over an offset."""

    radians_per_unit: float = 1.0
    extra: int = 0
    one_angle: bool = False

    def angles(self, offsets: NDArray, d_model: int) -> NDArray[np.float64]:
        """Shape of the offsets, and one more axis for the pairs."""
        frequencies = self.powers(np.arange(0, d_model, 2), d_model)
        if self.one_angle:
            frequencies = np.ones_like(frequencies)
        return (offsets[..., np.newaxis] + self.extra) * frequencies * self.radians_per_unit


@dataclass(frozen=True)
class Shift(Turns):
    """The matrix that moves every position by an offset."""

    direction: int = 1
    halves: bool = False

    def __call__(self, offset: int, d_model: int) -> NDArray[np.float64]:
        matrix = np.zeros((d_model, d_model))
        for pair, angle in enumerate(self.angles(np.array(offset), d_model) * self.direction):
            sine, cosine = (pair, pair + d_model // 2) if self.halves else (2 * pair, 2 * pair + 1)
            matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
            matrix[sine, cosine], matrix[cosine, sine] = np.sin(angle), -np.sin(angle)
        return matrix


@dataclass(frozen=True)
class ClosedForm(Turns):
    """The dot product of two positions as a sum of cosines."""

    wave: Callable[[NDArray], NDArray] = np.cos
    times: float = 1.0
    mean: bool = False

    def __call__(self, offsets: NDArray, d_model: int) -> NDArray[np.float64]:
        waves = self.wave(self.angles(offsets, d_model)) * self.times
        return waves.mean(axis=-1) if self.mean else waves.sum(axis=-1)


@dataclass(frozen=True)
class Similarity:
    """The dot products of one row with all rows, divided by the square of the length of a row."""

    extra: int = 0
    divisor: Callable[[int], float] = lambda d_model: d_model / 2

    def __call__(self, table: NDArray, position: int) -> NDArray[np.float64]:
        return table @ table[position + self.extra] / self.divisor(table.shape[1])


ONE_ANGLE = Misconception("one-angle", {"one_angle": True})

TABLES = ((20, 16, 10), (7, 4, 2), (4, 2, 3), (60, 52, 58), (1, 6, 0))
"""Number of positions, dimensions, and the position that the others are compared with."""

EXERCISES = (
    Exercise(
        id="shift-matrix",
        parameters=("offset", "d_model"),
        reference=Shift(),
        cases=((3, 8), (1, 4), (-2, 6), (0, 2), (40, 22)),
        misconceptions=(
            Misconception("wrong-sign", {"direction": -1}),
            ONE_ANGLE,
            OFFSET_OFF_BY_ONE,
            DEGREES,
            Misconception("halves-in-matrix", {"halves": True}),
            *WRONG_POWERS,
        ),
    ),
    Exercise(
        id="dot-product-by-offset",
        parameters=("offsets", "d_model"),
        reference=ClosedForm(),
        cases=(
            (np.arange(-10, 11), 16),
            (np.array([0, 10, 100]), 8),
            (np.array([3]), 2),
            (np.array([-7, 5]), 60),
        ),
        typed=("np.arange(-10, 11), 16", "np.array([0, 10, 100]), 8"),
        misconceptions=(
            Misconception("every-pair-twice", {"times": 2.0}),
            Misconception("mean-for-sum", {"mean": True}),
            Misconception("sine-for-cosine", {"wave": np.sin}),
            ONE_ANGLE,
            Misconception("first-pair-only", {"one_angle": True, "mean": True}),
            DEGREES,
            *WRONG_POWERS,
            OFFSET_OFF_BY_ONE,
        ),
    ),
    Exercise(
        id="similarity",
        parameters=("table", "position"),
        reference=Similarity(),
        cases=tuple((Sinusoids()(n, d), position) for n, d, position in TABLES),
        typed=tuple(f"sinusoidal_encoding({n}, {d}), {position}" for n, d, position in TABLES),
        misconceptions=(
            Misconception("not-divided", {"divisor": lambda d_model: 1}),
            Misconception("divided-by-dimensions", {"divisor": lambda d_model: d_model}),
            Misconception(
                "divided-by-length-once", {"divisor": lambda d_model: np.sqrt(d_model / 2)}
            ),
            Misconception("neighbouring-rows", *OFFSET_OFF_BY_ONE.variants),
        ),
    ),
)
