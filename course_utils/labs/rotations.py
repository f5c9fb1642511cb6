"""Lab 04: a shift is a rotation, and the dot product knows only the distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .exercise import Exercise, Misconception
from .sinusoids import (
    ANOTHER_BASE,
    DEGREES,
    EXPONENT_DOUBLED,
    EXPONENT_HALVED,
    FREQUENCIES_MULTIPLIED,
    Powers,
    Sinusoids,
)

__all__ = ["EXERCISES", "OFFSET_OFF_BY_ONE", "ONE_ANGLE", "WRONG_SIGN", "Shift"]


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
    divided_by: str = "square of the length"

    def __call__(self, table: NDArray, position: int) -> NDArray[np.float64]:
        d_model = table.shape[1]
        divisor = {
            "square of the length": d_model / 2,
            "length": np.sqrt(d_model / 2),
            "dimensions": d_model,
            "nothing": 1,
        }[self.divided_by]
        return table @ table[position + self.extra] / divisor


WRONG_SIGN = Misconception("wrong-sign", {"direction": -1})
OFFSET_OFF_BY_ONE = Misconception("offset-off-by-one", {"extra": 1}, {"extra": -1})
ONE_ANGLE = Misconception("one-angle", {"one_angle": True})

EXERCISES = (
    Exercise(
        id="shift-matrix",
        name="shift_matrix",
        parameters=("offset", "d_model"),
        reference=Shift(),
        cases=((3, 8), (1, 4), (-2, 6), (0, 2), (40, 22)),
        misconceptions=(
            WRONG_SIGN,
            ONE_ANGLE,
            OFFSET_OFF_BY_ONE,
            DEGREES,
            Misconception("halves-in-matrix", {"halves": True}),
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            FREQUENCIES_MULTIPLIED,
            ANOTHER_BASE,
        ),
    ),
    Exercise(
        id="dot-product-by-offset",
        name="dot_product_by_offset",
        parameters=("offsets", "d_model"),
        reference=ClosedForm(),
        cases=(
            (np.arange(-10, 11), 16),
            (np.array([0, 10, 100]), 8),
            (np.array([3]), 2),
            (np.array([-7, 5]), 60),
        ),
        written=(("np.arange(-10, 11)", "16"), ("np.array([0, 10, 100])", "8")),
        misconceptions=(
            Misconception("every-pair-twice", {"times": 2.0}),
            Misconception("mean-for-sum", {"mean": True}),
            Misconception("sine-for-cosine", {"wave": np.sin}),
            ONE_ANGLE,
            Misconception("first-pair-only", {"one_angle": True, "mean": True}),
            DEGREES,
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            FREQUENCIES_MULTIPLIED,
            ANOTHER_BASE,
            OFFSET_OFF_BY_ONE,
        ),
    ),
    Exercise(
        id="similarity",
        name="similarity",
        parameters=("table", "position"),
        reference=Similarity(),
        cases=(
            (Sinusoids()(20, 16), 10),
            (Sinusoids()(7, 4), 2),
            (Sinusoids()(4, 2), 3),
            (Sinusoids()(60, 52), 58),
            (Sinusoids()(1, 6), 0),
        ),
        written=(
            ("sinusoidal_encoding(20, 16)", "10"),
            ("sinusoidal_encoding(7, 4)", "2"),
            ("sinusoidal_encoding(4, 2)", "3"),
            ("sinusoidal_encoding(60, 52)", "58"),
            ("sinusoidal_encoding(1, 6)", "0"),
        ),
        misconceptions=(
            Misconception("not-divided", {"divided_by": "nothing"}),
            Misconception("divided-by-dimensions", {"divided_by": "dimensions"}),
            Misconception("divided-by-length-once", {"divided_by": "length"}),
            Misconception("neighbouring-rows", *OFFSET_OFF_BY_ONE.variants),
        ),
    ),
)
