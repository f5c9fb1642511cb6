"""Lab 01: encodings that meet some requirements and miss others, and two measurements of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...encodings import index_encoding, normalized_encoding, sinusoidal_encoding
from ..exercise import Exercise, Misconception
from .shared import AXES_SWAPPED, INTEGER_DIVISION, POSITIONS_FROM_ONE


@dataclass(frozen=True)
class Countdown:
    """How many words still follow, in every dimension."""

    number_of_last: int = 0
    counted_up: bool = False
    begun_at: int = 0
    along: int = 0
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        size = (n_positions, d_model)
        counted = np.indices(size)[self.along]
        if not self.counted_up:
            counted = size[self.begun_at] - 1 - counted
        table = counted + float(self.number_of_last)
        return table.T if self.transposed else table


@dataclass(frozen=True)
class FirstBelow:
    """The first position at which the word has less than a share of the two lengths."""

    power: int = 1
    absolute_sum: bool = False
    below_the_bar: str = "both lengths"
    one_column: bool = False
    columns_added: bool = False
    below: Callable[[NDArray, float], NDArray] = np.less
    position_before: bool = False

    def __call__(self, word: NDArray, share: float) -> int:
        n_tried = 16
        while not (below := self.below(self._shares(word, n_tried), share)).any():
            n_tried *= 4
        return int(below.argmax()) - self.position_before

    def _shares(self, word: NDArray, n_positions: int) -> NDArray[np.float64]:
        columns = 1 if self.one_column else len(word)
        positions = np.arange(float(n_positions))[:, np.newaxis] * np.ones(columns)
        of_word, of_positions = self._lengths(word), self._lengths(positions)
        if self.columns_added:
            of_positions = positions.sum(axis=1) ** self.power
        return (
            of_word
            / {
                "both lengths": of_word + of_positions,
                "the position": of_positions,
                "the sum": self._lengths(word + positions),
            }[self.below_the_bar]
        )

    def _lengths(self, vectors: NDArray) -> NDArray[np.float64]:
        return np.linalg.norm(vectors, 1 if self.absolute_sum else 2, axis=-1) ** self.power


@dataclass(frozen=True)
class Repeating:
    """From 0 to 1 in equal steps, again and again."""

    first_position: int = 0
    within: Callable[[NDArray, int], NDArray] = np.mod
    shorter: int = 0
    beyond_last: int | None = 0
    length_for_period: bool = False
    length_divides: bool = False
    rounded_down: bool = False
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int, period: int) -> NDArray[np.float64]:
        if self.length_for_period:
            period = max(n_positions, 2)
        positions = np.arange(n_positions) + self.first_position
        shares = self.within(positions, period - self.shorter)
        if self.beyond_last is not None:
            counted = n_positions if self.length_divides else period
            shares = shares / (counted - 1 + self.beyond_last)
        if self.rounded_down:
            shares = np.floor(shares)
        table = np.tile(shares[:, np.newaxis], (1, d_model))
        return table.T if self.transposed else table


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


@dataclass(frozen=True)
class CountedFromOne:
    """The number of each position over that of the last, for somebody who counts from 1."""

    number_of_first: int = 1
    divisor: Callable[[int], int] = lambda length: length
    rounded_down: bool = False
    along: int = 0
    transposed: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        size = (n_positions, d_model)
        numbers = np.indices(size)[self.along] + self.number_of_first
        table = numbers / self.divisor(size[self.along])
        if self.rounded_down:
            table = np.floor(table)
        return table.T if self.transposed else table


FIRST_LENGTH_SHOWN = 5


def _longest_row(change: NDArray) -> np.float64:
    return np.linalg.norm(change, axis=1).max()


def _one_less(length: int) -> int:
    return max(length - 1, 1)


def _around_the_middle(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding whose values rise in some rows and fall in others when it gets longer."""
    return np.cos(normalized_encoding(n_positions, d_model) * 3 + np.arange(d_model))


def _growing(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding whose values only rise when it gets longer."""
    return index_encoding(n_positions, d_model) * n_positions / 10


def _fading(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """An encoding that changes most in its first row, and in another column for each d_model."""
    rows, columns = np.indices((n_positions, d_model))
    return np.sin(columns + d_model) * n_positions / (rows + 1)


SIGN_KEPT_IN_MAXIMUM = Misconception(
    "sign-kept-in-maximum", {"absolute": False}, {"absolute": False, "negated": True}
)

EXERCISES = (
    Exercise(
        id="countdown-encoding",
        parameters=("n_positions", "d_model"),
        reference=Countdown(),
        cases=((5, 4), (3, 7), (50, 2), (60, 1), (1, 60)),
        misconceptions=(
            Misconception("word-itself-counted", {"number_of_last": 1}),
            Misconception("counted-up", {"counted_up": True}),
            Misconception("dimensions-counted-down", {"begun_at": 1}, {"begun_at": 1, "along": 1}),
            AXES_SWAPPED,
        ),
    ),
    Exercise(
        id="first-drowned-position",
        parameters=("word", "share"),
        reference=FirstBelow(),
        cases=(
            (np.array([3.0, 4.0]), 0.5),
            (np.array([1.0, -1.0, 1.0, 1.0]), 0.25),
            (np.array([1.0, -3.0, 0.5, 2.5]), 0.2),
            (np.array([-6.0]), 0.5),
            (np.array([0.25, 0.5, -0.75]), 0.7),
            (np.array([12.5, -3.0, 4.5]), 0.3),
            (np.array([3.0, 4.0]), 0.001),
        ),
        misconceptions=(
            Misconception("last-above", {"position_before": True}),
            Misconception("equal-is-below", {"below": np.less_equal}),
            Misconception("ends-at-zero", {"below": np.greater}),
            Misconception("one-column", {"one_column": True}),
            Misconception("length-squared", {"power": 2}),
            Misconception("length-of-sum", {"below_the_bar": "the sum"}),
            Misconception("over-position-only", {"below_the_bar": "the position"}),
            Misconception("absolute-sum", {"absolute_sum": True, "columns_added": False}),
            Misconception(
                "columns-added",
                {
                    "columns_added": True,
                    "one_column": False,
                    "absolute_sum": False,
                    "below_the_bar": "both lengths",
                },
            ),
        ),
    ),
    Exercise(
        id="repeating-encoding",
        parameters=("n_positions", "d_model", "period"),
        reference=Repeating(),
        cases=((9, 3, 5), (6, 4, 9), (3, 2, 5), (1, 8, 3), (11, 1, 2), (60, 2, 17)),
        misconceptions=(
            Misconception("divided-by-period", {"beyond_last": 1}),
            Misconception(
                "count-not-divided",
                {"beyond_last": None, "length_for_period": False, "length_divides": False},
            ),
            Misconception("period-too-short", {"shorter": 1}),
            Misconception("never-begins-again", {"within": lambda i, period: i}),
            Misconception("quotient-for-remainder", {"within": np.floor_divide}),
            Misconception(
                "length-for-period", {"length_for_period": True}, {"length_divides": True}
            ),
            POSITIONS_FROM_ONE,
            INTEGER_DIVISION,
            AXES_SWAPPED,
        ),
    ),
    Exercise(
        id="largest-change",
        parameters=("encoding", "n_positions", "longer", "d_model"),
        reference=LargestChange(),
        cases=(
            (normalized_encoding, 10, 20, 4),
            (_growing, 4, 7, 3),
            (_around_the_middle, 6, 9, 3),
            (sinusoidal_encoding, 5, 50, 6),
            (_fading, 12, 300, 60),
            (_fading, 4, 6, 2),
            (_fading, 1, 3, 1),
            (_around_the_middle, 1, 2, 1),
            (_growing, 60, 61, 1),
        ),
        typed=("normalized_encoding, 10, 20, 4",),
        misconceptions=(
            SIGN_KEPT_IN_MAXIMUM,
            Misconception("last-rows", {"last_rows": True}),
            Misconception("not-the-largest", {"summary": np.mean}, {"summary": np.sum}),
            Misconception(
                "rows-as-vectors",
                {"summary": _longest_row, "absolute": True},
                {"summary": np.linalg.norm, "absolute": True},
            ),
        ),
    ),
    Exercise(
        id="their-shares",
        parameters=("n_positions", "d_model"),
        reference=CountedFromOne(),
        cases=((FIRST_LENGTH_SHOWN, 3), (2, 3), (1, 3), (8, 2), (3, 60), (60, 1)),
        misconceptions=(
            Misconception("right-shares", {"number_of_first": 0, "divisor": _one_less}),
            Misconception("zero-not-in-theirs", {"number_of_first": 0}),
            Misconception("beyond-one", {"divisor": _one_less}),
            Misconception("short-of-one", {"divisor": lambda length: length + 1}),
            Misconception("length-in-picture", {"divisor": lambda length: FIRST_LENGTH_SHOWN}),
            Misconception("columns-counted", {"along": 1}),
            INTEGER_DIVISION,
            AXES_SWAPPED,
        ),
        shows_wrong_output=True,
    ),
)
