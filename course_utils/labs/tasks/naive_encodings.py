"""Lab 01: encodings that meet some requirements and miss others, and what shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from ...encodings import index_encoding, normalized_encoding
from ..exercise import Exercise, Misconception
from .shared import AXES_SWAPPED, INTEGER_DIVISION, POSITIONS_FROM_ONE, in_the_place_of


@dataclass(frozen=True)
class Repeating:
    """From 0 to 1 in equal steps, again and again."""

    first_position: int = 0
    within: Callable[[NDArray, int], NDArray] = np.mod
    shorter: int = 0
    beyond_last: int | None = 0
    length_divides: bool = False
    least_divisor: int = 0
    rounded_down: bool = False

    def __call__(self, n_positions: int, d_model: int, period: int) -> NDArray[np.float64]:
        positions = np.arange(n_positions) + self.first_position
        shares = self.within(positions, period - self.shorter)
        if self.beyond_last is not None:
            counted = n_positions if self.length_divides else period
            shares = shares / max(counted - 1 + self.beyond_last, self.least_divisor)
        if self.rounded_down:
            shares = np.floor(shares)
        return np.tile(shares[:, np.newaxis], (1, d_model))


REPEATING_ENCODING = Exercise(
    id="repeating-encoding",
    reference=Repeating(),
    cases=((9, 3, 5), (6, 4, 9), (3, 2, 5), (1, 8, 3), (11, 1, 2), (60, 2, 17)),
    misconceptions=(
        Misconception("divided-by-period", beyond_last=1),
        Misconception("count-not-divided", beyond_last=None, length_divides=False),
        Misconception("period-too-short", shorter=1),
        Misconception("never-begins-again", within=lambda i, period: i),
        Misconception("length-for-period", length_divides=True),
        Misconception("length-for-period", length_divides=True, least_divisor=1),
        POSITIONS_FROM_ONE,
        INTEGER_DIVISION,
    ),
)


@dataclass(frozen=True)
class Exchangeable:
    """Which two positions have the same row, as a table of zeros and ones."""

    judge: Callable[[NDArray, NDArray], NDArray] = lambda one, other: (one == other).all(axis=-1)
    with_itself: bool = True
    each_pair_once: bool = False
    transposed: bool = False

    def __call__(self, table: NDArray) -> NDArray[np.float64]:
        rows = table.T if self.transposed else table
        found = self.judge(rows[:, np.newaxis], rows).astype(np.float64)
        if not self.with_itself:
            np.fill_diagonal(found, 0)
        return np.triu(found) if self.each_pair_once else found


EXCHANGEABLE_WORDS = Exercise(
    id="exchangeable-words",
    named="exchangeable",
    reference=Exchangeable(),
    cases=(
        (REPEATING_ENCODING.reference(7, 3, 4),),
        (np.array([[0, 1], [1, 0], [0, 0], [0, 1]]),),
        (normalized_encoding(5, 2),),
        (np.array([[0.5, 2, 1], [0.5, 1, 2], [2, 0.5, 1], [0.5, 1, 2], [0, 1, 2]]),),
        (np.array([[1, 1, 0], [0, 2, 4], [1, 1, 0], [2, 0, 0]]),),
        (np.zeros((4, 6)) * [[1], [-1], [1], [1]],),  # −0.0 and 0.0 are the same number
        (np.array([[3.0]]),),
        (REPEATING_ENCODING.reference(40, 2, 9),),
        (np.array([[0.5, -1.5], [-0.5, 1.5], [0.5, -1.5], [1.5, -0.5]]),),
        (np.array([[0, 5, 3], [5, 0, 4]]),),
        (np.array([[0.5, 1.0], [0.5, 1.001]]),),  # more than rounding
    ),
    typed=(
        "repeating_encoding(7, 3, 4)",
        "np.array([[0, 1], [1, 0], [0, 0], [0, 1]])",
        "normalized_encoding(5, 2)",
    ),
    misconceptions=(
        Misconception("one-number-suffices", judge=lambda one, other: (one == other).any(axis=-1)),
        Misconception("first-column-only", judge=lambda one, other: one[..., 0] == other[..., 0]),
        Misconception(
            "rows-added-up", judge=lambda one, other: one.sum(axis=-1) == other.sum(axis=-1)
        ),
        Misconception("unlike-marked", judge=lambda one, other: (one != other).any(axis=-1)),
        Misconception("distances-for-marks", judge=lambda one, other: norm(one - other, axis=-1)),
        Misconception("products-for-marks", judge=lambda one, other: (one * other).sum(axis=-1)),
        Misconception(
            "numbers-in-any-order",
            judge=lambda one, other: (np.sort(one) == np.sort(other)).all(axis=-1),
        ),
        Misconception(
            "lengths-compared",
            judge=lambda one, other: np.isclose(*(norm(rows, axis=-1) for rows in (one, other))),
        ),
        Misconception("itself-left-out", with_itself=False),
        Misconception("each-pair-once", each_pair_once=True),
        Misconception("columns-compared", transposed=True),
    ),
)


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
    between_positions: bool = False

    def __call__(self, word: NDArray, share: float) -> float:
        if self.between_positions:
            return norm(word) * (1 / share - 1) / np.sqrt(len(word))
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
        return norm(vectors, 1 if self.absolute_sum else 2, axis=-1) ** self.power


FIRST_DROWNED_POSITION = Exercise(
    id="first-drowned-position",
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
        Misconception("last-above", position_before=True),
        Misconception("equal-is-below", below=np.less_equal),
        Misconception("ends-at-zero", below=np.greater),
        Misconception("one-column", one_column=True),
        Misconception("length-squared", power=2),
        Misconception("length-of-sum", below_the_bar="the sum"),
        Misconception("over-position-only", below_the_bar="the position"),
        Misconception("absolute-sum", absolute_sum=True, columns_added=False),
        Misconception(
            "columns-added",
            columns_added=True,
            one_column=False,
            absolute_sum=False,
            below_the_bar="both lengths",
        ),
        Misconception("between-two-positions", **in_the_place_of(FirstBelow, "between_positions")),
    ),
)

Encoding = Callable[[int, int], NDArray]


@dataclass(frozen=True)
class ExposingCalls:
    """Which calls show that an attempt is not the normalised encoding."""

    shapes_compared: bool = True
    rounding: float = 1e-9
    change: Callable[[NDArray], NDArray] = np.abs
    decide: Callable[[NDArray], NDArray] = np.any
    nan_seen: bool = True
    sizes_swapped: bool = False
    largest_left_out: bool = False
    right_marked: bool = False
    transposed: bool = False

    def __call__(self, attempt: Encoding, longest: int, widest: int) -> NDArray[np.float64]:
        sizes = product(range(1, longest + 1), range(1, widest + 1))
        called = [size[::-1] for size in sizes] if self.sizes_swapped else sizes
        exposed = [self._exposes(normalized_encoding(*size), attempt(*size)) for size in called]
        table = np.array(exposed, dtype=np.float64).reshape(longest, widest)
        if self.right_marked:
            table = 1 - table
        if self.largest_left_out:
            table[-1] = table[:, -1] = 0
        return table.T if self.transposed else table

    def _exposes(self, right: NDArray, theirs: NDArray) -> float:
        if self.shapes_compared and theirs.shape != right.shape:
            return 1
        change = self.change(theirs - right)
        differ = (change > self.rounding) | (self.nan_seen & np.isnan(change))
        return self.decide(differ)


def _in_single_steps(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """No fault: every row is the one before and a step, which differs by rounding."""
    step = 1 / max(n_positions - 1, 1)
    return np.cumsum(np.full((n_positions, d_model), step), axis=0) - step


EXPOSING_CALLS = Exercise(
    id="exposing-calls",
    reference=ExposingCalls(),
    cases=(
        (lambda n, d: index_encoding(n, d) / n, 5, 4),
        (lambda n, d: normalized_encoding(n, 1), 3, 5),
        (_in_single_steps, 9, 2),
        (lambda n, d: np.floor(normalized_encoding(n, d)), 4, 3),
        (lambda n, d: normalized_encoding(n, d) * (1 if n > 1 else np.nan), 2, 3),
        (lambda n, d: normalized_encoding(n + 1, d)[1:], 3, 2),
        (lambda n, d: normalized_encoding(d, n).T, 4, 6),
        (lambda n, d: index_encoding(n + 1, d) / max(n - 1, 1), 3, 2),
        (normalized_encoding, 1, 1),
    ),
    typed=(
        "lambda n, d: index_encoding(n, d) / n, 5, 4",
        "lambda n, d: normalized_encoding(n, 1), 3, 5",
        "lambda n, d: np.cumsum(np.ones((n, d)), axis=0) / max(n - 1, 1) - 1 / max(n - 1, 1), 9, 2",
        "lambda n, d: normalized_encoding(n, d) // 1, 4, 3",
        "lambda n, d: normalized_encoding(n, d) * (1 if n > 1 else np.nan), 2, 3",
        "lambda n, d: normalized_encoding(n + 1, d)[1:], 3, 2",
        "lambda n, d: normalized_encoding(d, n).T, 4, 6",
        "lambda n, d: index_encoding(n + 1, d) / max(n - 1, 1), 3, 2",
    ),
    misconceptions=(
        Misconception("same-marked", right_marked=True),
        Misconception("stretched-before-compared", shapes_compared=False),
        Misconception("rounding-counted", rounding=0.0),
        Misconception("all-must-differ", decide=np.all, change=np.abs, rounding=1e-9),
        Misconception("one-side-only", change=np.positive),
        Misconception("one-side-only", change=np.negative),
        Misconception("sums-compared", change=lambda difference: abs(difference.sum())),
        Misconception("nan-unseen", nan_seen=False),
        Misconception("first-column-alone", change=lambda difference: abs(difference[:, :1])),
        Misconception("wrong-numbers-counted", decide=np.sum),
        Misconception("sizes-swapped", sizes_swapped=True),
        Misconception("largest-left-out", largest_left_out=True),
        AXES_SWAPPED,
    ),
)


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


def _one_less(length: int) -> int:
    return max(length - 1, 1)


THEIR_SHARES = Exercise(
    id="their-shares",
    reference=CountedFromOne(),
    cases=((FIRST_LENGTH_SHOWN, 3), (2, 3), (1, 3), (8, 2), (3, 60), (60, 1)),
    misconceptions=(
        Misconception("right-shares", number_of_first=0, divisor=_one_less),
        Misconception("zero-not-in-theirs", number_of_first=0),
        Misconception("beyond-one", divisor=_one_less),
        Misconception("short-of-one", divisor=lambda length: length + 1),
        Misconception("length-in-picture", divisor=lambda length: FIRST_LENGTH_SHOWN),
        Misconception("columns-counted", along=1),
        INTEGER_DIVISION,
        AXES_SWAPPED,
    ),
    shows_wrong_output=True,
)

EXERCISES = (
    REPEATING_ENCODING,
    EXCHANGEABLE_WORDS,
    FIRST_DROWNED_POSITION,
    EXPOSING_CALLS,
    THEIR_SHARES,
)
