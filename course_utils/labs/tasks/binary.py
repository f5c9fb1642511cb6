"""Lab 02: positions in bits, there and back, and how far apart the bits are."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...encodings import binary_encoding
from ..exercise import Exercise, Misconception
from .shared import AXES_SWAPPED, OFFSET_OFF_BY_ONE, POSITIONS_FROM_ONE, in_the_place_of


@dataclass(frozen=True)
class PositionsFromBits:
    """The position that each row of bits belongs to, least significant bit first."""

    weight: Callable[[NDArray], NDArray] = np.exp2
    most_significant_first: bool = False
    zeros_counted: bool = False
    summed_over: int = 1

    def __call__(self, bits: NDArray) -> NDArray[np.float64]:
        if self.most_significant_first:
            bits = bits[:, ::-1]
        weights = self.weight(np.arange(bits.shape[1]))
        numbers = np.where(bits == 0, 1, weights) if self.zeros_counted else bits * weights
        return numbers.sum(axis=self.summed_over)


@dataclass(frozen=True)
class Stripes:
    """Bits in stripes of equal width: a column changes once, and then after every stripe."""

    widths: Callable[[NDArray], NDArray]
    first_stripe: float = 1
    first_position: int = 0
    whole_division: bool = True
    remainder: bool = True
    most_significant_first: bool = False
    transposed: bool = False
    too_many_refused: bool = False

    def __call__(self, n_positions: int, d_model: int) -> NDArray[np.float64]:
        if self.too_many_refused and n_positions > 2**d_model:
            raise ValueError
        positions = np.arange(n_positions)[:, np.newaxis] + self.first_position
        widths = self.widths(np.arange(d_model))
        quotients = positions / widths + 1 - self.first_stripe
        if self.whole_division:
            quotients = np.floor(quotients)
        bits = quotients % 2 if self.remainder else quotients
        if self.most_significant_first:
            bits = bits[:, ::-1]
        return bits.T if self.transposed else bits


def _whole_bits(n_positions: int, d_model: int) -> NDArray[np.int64]:
    return binary_encoding(n_positions, d_model).astype(np.int64)


WRONG_AXIS = Misconception("wrong-axis", summed_over=0)
MOST_SIGNIFICANT_FIRST = Misconception("most-significant-first", most_significant_first=True)
FRACTIONS_KEPT = Misconception("fractions-kept", whole_division=False)
REMAINDER_FORGOTTEN = Misconception("remainder-forgotten", remainder=False)


def _typed_bits(n_positions: int, d_model: int, step: int) -> str:
    every = f"[::{step}]" if step != 1 else ""
    return f"binary_encoding({n_positions}, {d_model}){every}"


@dataclass(frozen=True)
class BitsNeeded:
    """The smallest d with n_positions <= 2**d."""

    number_after: int = 0
    round: Callable[[float], float] = math.ceil
    logarithm: Callable[[float], float] = math.log2

    def __call__(self, n_positions: int) -> float:
        return self.round(self.logarithm(n_positions + self.number_after))


BITS_NEEDED = Exercise(
    id="bits-needed",
    reference=BitsNeeded(),
    cases=((2,), (50,), (63,), (64,), (65,), (1000,), (1025,)),
    misconceptions=(
        Misconception("one-bit-too-few", round=math.floor),
        Misconception("one-bit-too-few", number_after=-1),
        # With the number after, rounding may also give one bit too many.
        Misconception("one-bit-too-few", round=round, number_after=0),
        Misconception("length-itself-written", number_after=1),
        Misconception("not-rounded", round=float),
        Misconception("another-logarithm", logarithm=math.log),
        Misconception("another-logarithm", logarithm=math.log10),
        *(
            Misconception(
                "doublings-not-counted", logarithm=not_doublings, round=rounded, number_after=0
            )
            for not_doublings in (lambda n: n / 2, math.sqrt)
            for rounded in (math.ceil, math.floor, float)
        ),
    ),
)

ROWS_READ = ((8, 3, 1), (64, 6, -5), (2, 1, -2), (40, 7, 3), (600, 10, 599))

POSITIONS_FROM_BITS = Exercise(
    id="positions-from-bits",
    reference=PositionsFromBits(),
    cases=tuple((_whole_bits(n, d)[::step],) for n, d, step in ROWS_READ),
    typed=tuple(_typed_bits(*read) for read in ROWS_READ),
    misconceptions=(
        MOST_SIGNIFICANT_FIRST,
        Misconception("powers-from-two", weight=lambda c: 2.0 ** (c + 1)),
        Misconception("weights-not-doubled", weight=lambda c: 2 * c),
        Misconception("weights-not-doubled", weight=lambda c: c),
        Misconception("weights-not-doubled", weight=lambda c: c + 1),
        Misconception("weights-not-doubled", weight=lambda c: c**2),
        Misconception("ones-counted", weight=np.ones_like),
        Misconception("read-as-decimal", weight=lambda c: 10.0**c),
        Misconception("zeros-counted", zeros_counted=True, weight=np.exp2),
        WRONG_AXIS,
    ),
)


@dataclass(frozen=True)
class ReadingOrder(PositionsFromBits):
    """In which order to take cards, each with a row of bits, so that their positions rise."""

    given: str = "order"

    def __call__(self, bits: NDArray) -> NDArray[np.float64]:
        positions = super().__call__(bits)
        order = positions.argsort()
        return {
            "order": order,
            "positions": positions,
            "places": order.argsort(),
            "sorted positions": np.sort(positions),
            "last first": order[::-1],
        }[self.given]


SHUFFLED = (
    (2, [2, 0, 3, 1]),
    (4, [11, 4, 7, 1, 14, 8]),
    (5, [30, 17, 2, 9, 24, 0, 21, 12]),
    (6, [5]),
    (3, [5, 4, 0]),
    (6, [62, 33, 3, 40, 17, 26, 9, 51, 12, 20]),
)
"""The number of bits, and the positions of cards as they lie."""

READING_ORDER = Exercise(
    id="reading-order",
    reference=ReadingOrder(),
    cases=tuple((_whole_bits(2**d, d)[positions],) for d, positions in SHUFFLED),
    typed=tuple(f"binary_encoding({2**d}, {d})[{positions}]" for d, positions in SHUFFLED),
    misconceptions=(
        Misconception("positions-for-order", given="positions"),
        Misconception("positions-sorted", given="sorted positions"),
        Misconception("places-for-order", given="places"),
        Misconception("last-first", given="last first"),
        MOST_SIGNIFICANT_FIRST,
    ),
)


def _twice_as_wide(columns: NDArray) -> NDArray[np.float64]:
    return 2.0 ** (columns + 1)


GRAY_ENCODING = Exercise(
    id="gray-encoding",
    reference=Stripes(widths=_twice_as_wide, first_stripe=0.5),
    cases=((8, 3), (50, 6), (2, 1), (3, 5), (1, 12), (600, 10)),
    misconceptions=(
        Misconception("plain-binary", widths=np.exp2, first_stripe=1),
        Misconception("first-stripe-whole", first_stripe=1),
        Misconception(
            "one-position-for-half-a-stripe",
            **in_the_place_of(Stripes, widths=_twice_as_wide, first_position=1),
        ),
        Misconception("stripes-too-narrow", widths=np.exp2),
        Misconception("begins-with-ones", first_stripe=1.5),
        MOST_SIGNIFICANT_FIRST,
        FRACTIONS_KEPT,
        REMAINDER_FORGOTTEN,
        POSITIONS_FROM_ONE,
        AXES_SWAPPED,
    ),
)


@dataclass(frozen=True)
class FlipsAtDistance:
    """How many bits differ between every row and the one ``distance`` further on."""

    extra: int = 0
    round_the_end: bool = False
    backward: bool = False
    compare: Callable[[NDArray, NDArray], NDArray] = np.not_equal
    sign_lost_after: bool = False
    summed_over: int | None = 1
    root: bool = False
    at_zero: Callable[[NDArray], NDArray] | None = None

    def __call__(self, table: NDArray, distance: int) -> NDArray[np.float64]:
        if distance == 0 and self.at_zero is not None:
            return self.at_zero(table)
        distance += self.extra
        n_pairs = len(table) if self.round_the_end else len(table) - distance
        turned = np.roll(table, distance if self.backward else -distance, axis=0)
        flips = self.compare(turned, table)[:n_pairs]
        if self.summed_over is not None:
            flips = flips.sum(axis=self.summed_over)
        if self.root:
            return np.sqrt(flips)
        return np.abs(flips) if self.sign_lost_after else flips


def _no_pairs(table: NDArray) -> NDArray[np.float64]:
    return np.empty(0)


def _unequal_shapes(table: NDArray) -> NDArray[np.float64]:
    return (table[:0] * table).sum(axis=1)  # which NumPy refuses, but for a single row


COMPARED = ((8, 3, 1, 1), (33, 6, 1, 2), (40, 6, 3, 5), (9, 4, 1, 0), (9, 4, 2, 4), (1, 3, 1, 0))
"""Number of positions, dimensions, every which row is taken; and the distance of two rows."""

FLIPS_AT_DISTANCE = Exercise(
    id="flips-at-distance",
    reference=FlipsAtDistance(),
    cases=tuple((_whole_bits(n, d)[::step], distance) for n, d, step, distance in COMPARED),
    typed=tuple(f"{_typed_bits(*read)}, {distance}" for *read, distance in COMPARED),
    misconceptions=(
        *OFFSET_OFF_BY_ONE,
        Misconception("round-the-end", round_the_end=True),
        Misconception("round-the-end", round_the_end=True, backward=True),
        Misconception("round-the-end", backward=True),
        Misconception("sign-kept", compare=np.subtract),
        Misconception("sign-kept", compare=lambda later, earlier: earlier - later),
        Misconception("sign-kept", compare=np.subtract, sign_lost_after=True),
        Misconception("unchanged-counted", compare=np.equal),
        Misconception("dot-products-taken", compare=np.multiply),
        Misconception(
            "length-of-difference",
            root=True,
            compare=np.not_equal,
            sign_lost_after=False,
            summed_over=1,
        ),
        Misconception("flips-not-summed", summed_over=None),
        WRONG_AXIS,
        Misconception("minus-zero", at_zero=_unequal_shapes),
        Misconception("minus-zero", at_zero=_no_pairs),
    ),
)

THEIR_STRIPES = Exercise(
    id="their-stripes",
    reference=Stripes(widths=lambda c: c + 1.0),
    cases=((40, 6), (12, 3), (2, 1), (1, 9), (90, 5)),
    misconceptions=(
        Misconception("right-stripes", widths=np.exp2),
        Misconception(
            "right-stripes", **in_the_place_of(Stripes, "too_many_refused", widths=np.exp2)
        ),
        Misconception("stripes-grow-otherwise", widths=lambda c: 2.0 * c + 1),
        Misconception("stripes-grow-otherwise", widths=lambda c: 2.0 * (c + 1)),
        Misconception("stripes-grow-otherwise", widths=lambda c: (c + 1.0) ** 2),
        # Whoever divides whole numbers by a width of 0 gets 0 in NumPy, with a warning.
        Misconception("stripes-grow-otherwise", widths=lambda c: np.where(c == 0, np.inf, c)),
        Misconception("begins-with-ones", first_stripe=2),
        MOST_SIGNIFICANT_FIRST,
        FRACTIONS_KEPT,
        REMAINDER_FORGOTTEN,
        POSITIONS_FROM_ONE,
        AXES_SWAPPED,
    ),
    shows_wrong_output=True,
)

EXERCISES = (
    BITS_NEEDED,
    POSITIONS_FROM_BITS,
    READING_ORDER,
    GRAY_ENCODING,
    FLIPS_AT_DISTANCE,
    THEIR_STRIPES,
)
