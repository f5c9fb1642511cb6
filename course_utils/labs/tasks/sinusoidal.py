"""Lab 03: angular frequencies and the sinusoidal table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..exercise import Exercise, Misconception
from .naive_encodings import AXES_SWAPPED, INTEGER_DIVISION, POSITIONS_FROM_ONE


@dataclass(frozen=True)
class Powers:
    """The powers of the base that frequencies are, and the choices in the exponent."""

    base: float = 10_000.0
    factor: float = 1.0
    sign: int = -1
    rounded_down: bool = False

    def powers(self, numerators: NDArray, d_model: int) -> NDArray[np.float64]:
        """``base ** (-numerator / d_model)``; the right numerator is 2 k for pair k."""
        exponents = self.sign * self.factor * numerators / d_model
        return self.base ** (np.floor(exponents) if self.rounded_down else exponents)


@dataclass(frozen=True)
class Frequencies(Powers):
    """The angular frequencies of all pairs."""

    first_pair: int = 0
    per_column: bool = False
    dtype: DTypeLike = np.float64

    def __call__(self, d_model: int) -> NDArray[np.floating]:
        pairs = np.arange(d_model // 2) + self.first_pair
        numerators = np.arange(d_model) if self.per_column else 2 * pairs
        return self.powers(numerators, d_model).astype(self.dtype)


@dataclass(frozen=True)
class Sinusoids(Powers):
    """The sinusoidal table."""

    radians_per_unit: float = 1.0
    cosine_step: int = 0
    cosine_first: bool = False
    halves: bool = False
    first_position: int = 0
    transposed: bool = False
    angle_dtype: DTypeLike = np.float64
    dtype: DTypeLike = np.float64

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.floating]:
        columns = np.arange(0, d_model, 2)
        waves = [
            np.sin(self._angles(n_positions, columns, d_model)),
            np.cos(self._angles(n_positions, columns + self.cosine_step, d_model)),
        ]
        if self.cosine_first:
            waves.reverse()
        joined = np.concatenate(waves, axis=1) if self.halves else np.stack(waves, axis=2)
        table = joined.reshape(n_positions, d_model).astype(self.dtype)
        return table.T if self.transposed else table

    def _angles(self, n_positions: int, numerators: NDArray, d_model: int) -> NDArray:
        positions = np.arange(n_positions) + self.first_position
        frequencies = self.powers(numerators, d_model).astype(self.angle_dtype)
        angles = np.outer(positions.astype(self.angle_dtype), frequencies)
        return angles.astype(np.float64) * self.radians_per_unit


@dataclass(frozen=True)
class Row(Sinusoids):
    """One row of a table."""

    def __call__(self, n_positions: int, d_model: int, position: int) -> NDArray[np.floating]:
        return super().__call__(n_positions, d_model)[position]


EXPONENT_DOUBLED = Misconception("exponent-doubled", {"factor": 2.0})
EXPONENT_HALVED = Misconception("exponent-halved", {"factor": 0.5})
# Base 100 is not among them: its numbers are those of half the exponent.
ANOTHER_BASE = Misconception(
    "another-base",
    *({"base": base} for base in (1e3, 1e5, 10.0, 2.0, np.e, 500.0, 2e3, 5e3, 2e4, 5e4, 5e5, 1e6)),
)
FREQUENCIES_MULTIPLIED = Misconception("frequencies-multiplied", {"sign": 1})
WRONG_POWERS = (EXPONENT_DOUBLED, EXPONENT_HALVED, FREQUENCIES_MULTIPLIED, ANOTHER_BASE)
# Without any frequencies, or with exponents that were rounded to 0, all powers are 1.
FREQUENCIES_ALL_ONE = Misconception("one-angle", {"base": 1.0})
DEGREES = Misconception(
    "degrees", {"radians_per_unit": np.pi / 180}, {"radians_per_unit": 180 / np.pi}
)
SINE_COSINE_SWAPPED = Misconception("sine-cosine-swapped", {"cosine_first": True})
HALVES_CONCATENATED = Misconception("halves-concatenated", {"halves": True})
COSINE_OWN_FREQUENCY = Misconception("cosine-own-frequency", {"cosine_step": 1})
FLOAT16 = Misconception(
    "float16", {"dtype": np.float16}, {"dtype": np.float16, "angle_dtype": np.float16}
)

EXERCISES = (
    Exercise(
        id="row-by-hand",
        named="row",
        parameters=(),
        reference=Row(),
        cases=((4, 8, 3),),
        misconceptions=(
            DEGREES,
            SINE_COSINE_SWAPPED,
            HALVES_CONCATENATED,
            COSINE_OWN_FREQUENCY,
            POSITIONS_FROM_ONE,
            Misconception(
                "other-hands", *(choices for way in WRONG_POWERS for choices in way.variants)
            ),
        ),
        tolerance=6e-5,  # four decimals, as a pocket calculator is read
    ),
    Exercise(
        id="angular-frequencies",
        parameters=("d_model",),
        reference=Frequencies(),
        cases=((4,), (8,), (16,), (2,), (130,)),
        misconceptions=(
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            Misconception(
                "frequency-per-column", {"per_column": True}, {"per_column": True, "factor": 2.0}
            ),
            FREQUENCIES_MULTIPLIED,
            Misconception("pairs-from-one", {"first_pair": 1}),
            FREQUENCIES_ALL_ONE,
            INTEGER_DIVISION,
            ANOTHER_BASE,
            Misconception("float16", {"dtype": np.float16}),
        ),
        tolerance=1e-9,
    ),
    Exercise(
        id="sinusoidal-encoding",
        parameters=("n_positions", "d_model"),
        reference=Sinusoids(),
        cases=((5, 4), (4, 8), (50, 16), (1, 2), (60, 52)),
        misconceptions=(
            DEGREES,
            EXPONENT_DOUBLED,
            EXPONENT_HALVED,
            SINE_COSINE_SWAPPED,
            HALVES_CONCATENATED,
            COSINE_OWN_FREQUENCY,
            POSITIONS_FROM_ONE,
            AXES_SWAPPED,
            FREQUENCIES_MULTIPLIED,
            FREQUENCIES_ALL_ONE,
            INTEGER_DIVISION,
            ANOTHER_BASE,
            FLOAT16,
        ),
    ),
)
