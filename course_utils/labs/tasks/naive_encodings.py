"""Lab 01: the index, the normalised index, and a measurement of why each of them fails."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...encodings import sinusoidal_encoding
from ..exercise import Exercise, Misconception


@dataclass(frozen=True)
class Index:
    """The position itself in every dimension."""

    first_position: int = 0
    columns_counted: bool = False
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        counted = np.indices((n_positions, d_model))[int(self.columns_counted)]
        table = counted + float(self.first_position)
        return table.T if self.transposed else table


@dataclass(frozen=True)
class Normalized:
    """The position as a share of the last one."""

    first_position: int = 0
    by_length: bool = False
    rounded_down: bool = False
    one_word_guarded: bool = True
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        divisor = n_positions if self.by_length else n_positions - 1
        if self.one_word_guarded:
            divisor = max(divisor, 1)
        shares = (np.arange(n_positions) + self.first_position) / np.float64(divisor)
        if self.rounded_down:
            shares = np.floor(shares)
        table = np.tile(shares[:, np.newaxis], (1, d_model))
        return table.T if self.transposed else table


@dataclass(frozen=True)
class WordShare:
    """The word's length over the sum of the two lengths."""

    of_position: bool = False
    power: int = 1
    length_of_sum: bool = False
    absolute_sum: bool = False

    def __call__(self, word: NDArray, position: NDArray) -> float:
        part = self._length(position if self.of_position else word)
        whole = self._length(word) + self._length(position)
        if self.length_of_sum:
            whole = self._length(word + position)
        return part / whole

    def _length(self, vector: NDArray) -> float:
        return float(np.linalg.norm(vector, 1 if self.absolute_sum else 2) ** self.power)


@dataclass(frozen=True)
class LargestChange:
    """By how much the rows of a table change when the sequence gets longer."""

    absolute: bool = True
    negated: bool = False
    last_rows: bool = False
    summary: Callable[[NDArray], float] = np.max

    def __call__(
        self, encoding: Callable[[int, int], NDArray], n_positions: int, longer: int, d_model: int
    ) -> float:
        rows = slice(longer - n_positions, None) if self.last_rows else slice(n_positions)
        change = encoding(longer, d_model)[rows] - encoding(n_positions, d_model)
        if self.negated:
            change = -change
        return float(self.summary(np.abs(change) if self.absolute else change))


def _around_the_middle(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding whose values rise in some rows and fall in others when it gets longer."""
    return np.cos(Normalized()(n_positions, d_model) * 3 + np.arange(d_model))


def _growing(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding whose values only rise when it gets longer."""
    return Index()(n_positions, d_model) * n_positions / 10


def _fading(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding that changes most in its first row, and in another column for each d_model."""
    rows, columns = np.indices((n_positions, d_model))
    return np.sin(columns + d_model) * n_positions / (rows + 1)


POSITIONS_FROM_ONE = Misconception("positions-from-one", {"first_position": 1})
AXES_SWAPPED = Misconception("axes-swapped", {"transposed": True})
INTEGER_DIVISION = Misconception("integer-division", {"rounded_down": True})
SIGN_KEPT_IN_MAXIMUM = Misconception(
    "sign-kept-in-maximum", {"absolute": False}, {"absolute": False, "negated": True}
)

EXERCISES = (
    Exercise(
        id="index-encoding",
        parameters=("n_positions", "d_model"),
        reference=Index(),
        cases=((5, 4), (3, 7), (50, 2), (60, 1), (1, 60)),
        misconceptions=(
            POSITIONS_FROM_ONE,
            AXES_SWAPPED,
            Misconception("columns-counted", {"columns_counted": True}),
        ),
    ),
    Exercise(
        id="word-share",
        parameters=("word", "position"),
        reference=WordShare(),
        cases=(
            (np.array([3.0, 4.0]), np.array([5.0, 12.0])),
            (np.array([1.0, -1.0, 0.5, 0.5]), np.array([2.0, 2.0, 2.0, 2.0])),
            (np.array([0.25]), np.array([-1.7])),
            (np.array([60.5, -11.0]), np.array([20.0, 99.5])),
        ),
        misconceptions=(
            Misconception("share-of-position", {"of_position": True}),
            Misconception("length-squared", {"power": 2}),
            Misconception("length-of-sum", {"length_of_sum": True}),
            Misconception("absolute-sum", {"absolute_sum": True}),
        ),
    ),
    Exercise(
        id="normalized-encoding",
        parameters=("n_positions", "d_model"),
        reference=Normalized(),
        cases=((5, 4), (10, 2), (1, 3), (60, 1), (1, 60), (3, 60), (2, 9), (1, 1)),
        misconceptions=(
            Misconception("divided-by-length", {"by_length": True}),
            POSITIONS_FROM_ONE,
            Misconception("one-word", {"one_word_guarded": False}),
            INTEGER_DIVISION,
            AXES_SWAPPED,
        ),
    ),
    Exercise(
        id="largest-change",
        parameters=("encoding", "n_positions", "longer", "d_model"),
        reference=LargestChange(),
        cases=(
            (Normalized(), 10, 20, 4),
            (_growing, 4, 7, 3),
            (_around_the_middle, 6, 9, 3),
            (sinusoidal_encoding, 5, 50, 6),
            (_fading, 12, 300, 60),
            (_fading, 1, 3, 1),
            (_around_the_middle, 1, 2, 1),
            (_growing, 60, 61, 1),
        ),
        typed=("normalized_encoding, 10, 20, 4",),
        misconceptions=(
            SIGN_KEPT_IN_MAXIMUM,
            Misconception("last-rows", {"last_rows": True}),
            Misconception("not-the-largest", {"summary": np.mean}, {"summary": np.sum}),
        ),
    ),
)
