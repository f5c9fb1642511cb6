"""What exercises of several labs have in common: the formula with its choices, and misconceptions.

The words of a misconception stand beside the first lab that has it.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from ..exercise import Misconception


@dataclass(frozen=True)
class Powers:
    """The powers of the base that frequencies are, and the choices in the exponent."""

    base: float = 10_000.0
    factor: float = 1.0
    sign: int = -1
    rounded_down: bool = False
    ends_at_base: bool = False
    ratio: float | None = None

    def powers(self, numerators: NDArray, d_model: int) -> NDArray[np.float64]:
        """``base ** (-numerator / d_model)``; the right numerator is 2 k for pair k."""
        if self.ratio is not None:
            return self.ratio ** numerators.astype(np.float64)
        divisor = max(d_model - 1, 2) // 2 * 2 if self.ends_at_base else d_model
        exponents = self.sign * self.factor * numerators / divisor
        return self.base ** (np.floor(exponents) if self.rounded_down else exponents)


@dataclass(frozen=True)
class Frequencies(Powers):
    """The angular frequencies of all pairs."""

    def __call__(self, d_model: int) -> NDArray[np.float64]:
        return self.powers(np.arange(0, d_model, 2), d_model)


@dataclass(frozen=True)
class Sinusoids(Powers):
    """The sinusoidal table; with an odd number of columns, the last hand has its sine alone."""

    radians_per_unit: float = 1.0
    first_pair: int = 0
    cosine_step: int = 0
    sine: Callable[[NDArray], NDArray] = np.sin
    cosine: Callable[[NDArray], NDArray] = np.cos
    halves: bool = False
    first_position: int = 0
    transposed: bool = False
    rounded_up_to_even: bool = False
    last_sine_missing: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        return self.rows(np.arange(n_positions), d_model)

    def rows(self, positions: NDArray, d_model: int) -> NDArray[np.float64]:
        """A row for each position."""
        columns = np.arange(0, d_model, 2) + 2 * self.first_pair
        waves = [
            self.sine(self._angles(positions, columns, d_model)),
            self.cosine(self._angles(positions, columns + self.cosine_step, d_model)),
        ]
        joined = np.concatenate(waves, axis=1) if self.halves else np.stack(waves, axis=2)
        table = joined.reshape(len(positions), -1)[:, :d_model]
        if self.last_sine_missing and d_model % 2:
            table[:, -1] = 0
        return table.T if self.transposed else table

    def _angles(self, positions: NDArray, numerators: NDArray, d_model: int) -> NDArray:
        width = d_model + (d_model % 2 if self.rounded_up_to_even else 0)
        frequencies = self.powers(numerators, width) * self.radians_per_unit
        return np.outer(positions + self.first_position, frequencies)


@dataclass(frozen=True)
class AnyRows(Sinusoids):
    """The rows of any positions, with any base."""

    base_ignored: bool = False
    change: Callable[[NDArray], NDArray] = np.asarray

    def __call__(self, positions: NDArray, d_model: int, base: float) -> NDArray[np.float64]:
        waves = self if self.base_ignored else replace(self, base=float(base))
        return waves.rows(self.change(positions), d_model)


@dataclass(frozen=True)
class HandReading(Powers):
    """What one hand of a clock says, and the choices in reading it; the right hand is the slowest.

    ``angle`` is made of the hand's two numbers, its sine first.
    """

    base_ignored: bool = False
    fastest_hand: bool = False
    angle: Callable[[float, float], float] = np.arctan2
    units_per_radian: float = 1.0
    divided: bool = True
    numerator_after: int = 0
    round: Callable[[float], float] = round

    def angle_in(self, row: NDArray) -> float:
        """The angle of the hand in a row."""
        column = self._column(len(row))
        return self.angle(row[column], row[column + 1])

    def positions(self, angle: float, d_model: int, base: float) -> float:
        """Over how many positions the hand turns by an angle."""
        positions = angle * self.units_per_radian
        if self.divided:
            hand = self if self.base_ignored else replace(self, base=float(base))
            positions /= hand.powers(self._column(d_model) + self.numerator_after, d_model)
        return self.round(positions)

    def _column(self, d_model: int) -> int:
        return 0 if self.fastest_hand else d_model - 2


def read_off(id: str, **choices: object) -> tuple[Misconception, Misconception]:
    """One of reading a clock, whose wrong number is rounded or not."""
    return Misconception(id, **choices), Misconception(id, **choices, round=float)


def ratio_of_one_width(*ratios: float, **instead_of: object) -> tuple[Misconception, ...]:
    """A fixed factor from one frequency to the next, exact or as it may be read off a print.

    The choices in whose place it comes keep the values that are named.
    """
    printed = (round(ratio, digits) for ratio in ratios for digits in (2, 3, 4, 5))
    return tuple(
        Misconception("ratio-of-one-width", ratio=number, **instead_of)
        for number in dict.fromkeys((*ratios, *printed))
        if number
    )


def in_the_place_of(reference: type, *chosen: str, **choices: object) -> dict[str, object]:
    """Choices in which no other choice of a dataclass comes in: the others keep their values.

    Those that are only ``chosen`` are True.
    """
    defaults = {each.name: each.default for each in fields(reference)}
    return defaults | dict.fromkeys(chosen, True) | choices


POSITIONS_FROM_ONE = Misconception("positions-from-one", first_position=1)
AXES_SWAPPED = Misconception("axes-swapped", transposed=True)
INTEGER_DIVISION = Misconception("integer-division", rounded_down=True)
OFFSET_OFF_BY_ONE = (
    Misconception("offset-off-by-one", extra=1),
    Misconception("offset-off-by-one", extra=-1),
)
EXPONENT_DOUBLED = Misconception("exponent-doubled", factor=2.0)
EXPONENT_HALVED = Misconception("exponent-halved", factor=0.5)
FREQUENCIES_MULTIPLIED = Misconception("frequencies-multiplied", sign=1)
BASE_IGNORED = Misconception("base-ignored", base_ignored=True)
# Without any frequencies, or with exponents that were rounded to 0, all powers are 1.
FREQUENCIES_ALL_ONE = Misconception("one-angle", base=1.0)
DEGREES = Misconception("degrees", radians_per_unit=np.pi / 180)
