"""Lab 05: hands that come back, a base for a length, and the first position that is lost."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .shared import (
    BASE_IGNORED,
    DEGREES,
    POSITIONS_FROM_ONE,
    AnyRows,
    Frequencies,
    in_the_place_of,
    ratio_of_one_width,
)


@dataclass(frozen=True)
class FirstReturn:
    """After how many positions hands in whole steps point up again, all of them."""

    turn: float = 2 * np.pi
    decided_by: Callable[[NDArray], float] = np.gcd.reduce
    divisor_multiplied: bool = False
    step_used: bool = True
    step_multiplied: bool = False
    rounded: bool = False

    def __call__(self, multiples: NDArray, step: float) -> float:
        n_steps = float(self.decided_by(multiples))
        slow = 1 / n_steps if self.divisor_multiplied else n_steps
        if self.step_used:
            slow = slow / step if self.step_multiplied else slow * step
        positions = self.turn / slow
        return float(round(positions) if self.rounded else positions)


FIRST_RETURN = Exercise(
    id="first-return",
    reference=FirstReturn(),
    cases=(
        (np.array([4, 3, 2, 1]), 0.25),
        (np.array([8, 7, 6, 5]), 0.125),
        (np.array([6, 4]), 0.1),
        (np.array([9, 6, 3]), 0.01),
        (np.array([15, 10, 6]), 0.02),
        (np.array([30, 20, 12]), 0.5),
        (np.array([5]), 0.3),
        (np.array([35, 28, 21, 14, 7]), 1 / 64),
    ),
    typed=("np.array([4, 3, 2, 1]), 0.25", "np.array([8, 7, 6, 5]), 0.125"),
    misconceptions=(
        Misconception("slowest-decides", decided_by=np.min),
        Misconception("step-decides", decided_by=lambda multiples: 1.0),
        Misconception("fastest-decides", decided_by=np.max),
        Misconception("gap-decides", decided_by=lambda m: abs(m[0] - m[-1]) / len(m[1:])),
        Misconception("multiple-for-divisor", decided_by=np.lcm.reduce),
        Misconception("turn-forgotten", turn=1.0),
        Misconception("turn-in-degrees", turn=360.0),
        Misconception("half-a-turn", turn=np.pi),
        Misconception("step-forgotten", step_used=False),
        Misconception("step-multiplied", step_multiplied=True),
        Misconception("divisor-multiplied", divisor_multiplied=True),
        Misconception("whole-distance", rounded=True),
    ),
)


@dataclass(frozen=True)
class MostSimilar:
    """The distance, between two bounds, at which two positions resemble each other most."""

    radians_per_unit: float = 1.0
    wave: Callable[[NDArray], NDArray] = np.cos
    only_hand: int | None = None
    size_only: bool = False
    from_zero: bool = False
    first_left_out: bool = False
    last_left_out: bool = False
    given: str = "distance"
    choose: Callable[[NDArray], int] = np.argmax

    def __call__(self, frequencies: NDArray, shortest: int, longest: int) -> float:
        first = 0 if self.from_zero else shortest + self.first_left_out
        distances = np.arange(first, longest + 1 - self.last_left_out)
        if self.only_hand is not None:
            frequencies = frequencies[[self.only_hand]]
        angles = np.outer(distances, frequencies) * self.radians_per_unit
        sums = self.wave(angles).sum(axis=1)
        place = self.choose(np.abs(sums) if self.size_only else sums)
        found = {"distance": distances[place], "index": place, "sum": sums[place]}
        return found[self.given]


MOST_SIMILAR_DISTANCE = Exercise(
    id="most-similar-distance",
    reference=MostSimilar(),
    cases=(
        (np.arange(32, 0, -1) / 32, 20, 500),
        (np.arange(8, 0, -1) / 8, 10, 50),
        (Frequencies()(16), 7, 90),
        (np.arange(16, 0, -1) / 16, 40, 95),
        *((np.array([0.1, 0.05]), *ends) for ends in ((1, 60), (70, 120), (110, 111))),
        *((np.array([0.9, 0.2]), *ends) for ends in ((17, 60), (300, 420))),
        *((np.array([1.6]), 1, longest) for longest in (3, 4)),
        (np.array([3.1]), 1, 3),
        (np.array([0.7, 0.1]), 1, 2),
        (np.array([1.0]), 3, 4),
    ),
    typed=(
        "np.arange(32, 0, -1) / 32, 20, 500",
        "np.arange(8, 0, -1) / 8, 10, 50",
        "angular_frequencies(16), 7, 90",
        "np.arange(16, 0, -1) / 16, 40, 95",
    ),
    misconceptions=(
        Misconception("begins-at-zero", from_zero=True),
        Misconception("index-for-distance", given="index"),
        Misconception("sum-for-distance", given="sum"),
        Misconception("last-left-out", last_left_out=True),
        Misconception("first-left-out", first_left_out=True),
        Misconception("first-stays", choose=lambda sums: 0),
        Misconception("least-for-most", choose=np.argmin),
        Misconception("sine-for-cosine", wave=np.sin),
        Misconception("sign-of-sum-lost", size_only=True),
        Misconception("one-hand-only", only_hand=0),
        Misconception("one-hand-only", only_hand=-1),
        DEGREES,
    ),
)


@dataclass(frozen=True)
class BaseForTurn:
    """The base whose slowest hand turns by an angle from the first position to the last."""

    turn: float = np.pi / 2
    last_position: bool = True
    slowest: Callable[[int], float] = lambda d_model: (d_model - 2) / d_model
    exponent_inverted: bool = False
    multiplied: bool = False
    rounded_down: bool = False
    times: float = 1.0

    def __call__(self, n_positions: int, d_model: int) -> float:
        steps = n_positions - 1 if self.last_position else n_positions
        wave = steps * self.turn if self.multiplied else steps / self.turn
        exponent = self.slowest(d_model)
        exponent = exponent if self.exponent_inverted else 1 / exponent
        exponent = np.floor(exponent) if self.rounded_down else exponent
        return float(self.times * wave**exponent)


BASE_FOR_QUARTER_TURN = Exercise(
    id="base-for-quarter-turn",
    reference=BaseForTurn(),
    cases=((1000, 64), (5000, 128), (100, 8), (40, 4), (13, 6), (3, 10)),
    misconceptions=(
        Misconception("whole-turn", turn=2 * np.pi),
        Misconception("half-for-quarter", turn=np.pi),
        Misconception("four-turns", turn=8 * np.pi),
        Misconception("quarter-of-the-base", turn=2 * np.pi, times=0.25),
        Misconception("quarter-of-the-base", turn=2 * np.pi, times=4.0),
        Misconception("positions-for-steps", last_position=False),
        Misconception("longest-wave-of-base", slowest=lambda d_model: 1),
        Misconception("exponent-inverted", exponent_inverted=True),
        Misconception("exponent-of-pair", slowest=lambda d_model: (d_model / 2 - 1) / d_model),
        Misconception("turn-forgotten", turn=1.0),
        Misconception("turn-in-degrees", turn=90.0),
        Misconception("turn-in-degrees", turn=360.0),
        Misconception("angle-multiplied", multiplied=True),
        Misconception("whole-exponent", rounded_down=True),
    ),
)


@dataclass(frozen=True)
class TheirFrequencies(Frequencies):
    """Frequencies whose slowest wave is 2 pi times the base, as if k went from 0 to 1."""

    divisor: Callable[[int], int] = lambda n_pairs: n_pairs - 1
    first_pair: int = 0
    per_column: bool = False
    equal_steps: bool = False
    rising: bool = False
    wavelengths: bool = False

    def __call__(self, d_model: int) -> NDArray[np.float64]:
        number = d_model if self.per_column else d_model // 2
        shares = (np.arange(number) + self.first_pair) / self.divisor(number)
        if self.ratio is not None:
            frequencies = self.ratio ** np.arange(number, dtype=np.float64)
        elif self.equal_steps:
            frequencies = 1 + (1 / self.base - 1) * shares
        else:
            sign = -1 if self.wavelengths else self.sign
            frequencies = self.base ** (sign * self.factor * shares)
        frequencies = frequencies[::-1] if self.rising else frequencies
        return 2 * np.pi / frequencies if self.wavelengths else frequencies


RATIO_FOLLOWS_FROM = ("base", "sign", "divisor", "first_pair", "equal_steps")

THEIR_FREQUENCIES = Exercise(
    id="their-frequencies",
    reference=TheirFrequencies(),
    cases=((8,), (4,), (16,), (64,), (130,)),
    misconceptions=(
        Misconception("the-right-frequencies", divisor=lambda n_pairs: n_pairs, equal_steps=False),
        Misconception("first-hand-slowed", divisor=lambda n_pairs: n_pairs, first_pair=1),
        Misconception(
            "last-hand-other", divisor=lambda n_pairs: n_pairs, factor=0.5, equal_steps=False
        ),
        Misconception("divided-by-other-columns", divisor=lambda n_pairs: n_pairs - 0.5),
        *ratio_of_one_width(
            *(10_000 ** (-1 / (d_model / 2 - 1)) for d_model in (4, 8, 16)),
            **{name: getattr(TheirFrequencies, name) for name in RATIO_FOLLOWS_FROM},
        ),
        Misconception("equal-steps-between", equal_steps=True),
        Misconception("frequency-per-column", per_column=True),
        Misconception("order-reversed", rising=True),
        Misconception("wavelengths-for-frequencies", wavelengths=True),
        Misconception("frequencies-multiplied", sign=1),
        *(Misconception("last-hand-other", base=base) for base in (1e3, 2e4 * np.pi, 1e5, 100.0)),
    ),
    tolerance=1e-9,
    shows_wrong_output=True,
)


@dataclass(frozen=True)
class FirstLost:
    """The first whole number that has no place in a format."""

    base: int = 2
    extra_digits: int = 0
    after: int = 1
    always_digits: int = 0
    caret: bool = False

    def __call__(self, n_digits: int) -> int:
        digits = (self.always_digits or n_digits) + self.extra_digits
        power = self.base ^ digits if self.caret else self.base**digits
        return int(power + self.after)


FIRST_LOST_POSITION = Exercise(
    id="first-lost-position",
    reference=FirstLost(),
    cases=((3,), (8,), (11,), (1,), (13,)),
    misconceptions=(
        Misconception("still-there", after=0),
        Misconception("all-digits-one", after=-1),
        Misconception("next-but-one", after=2),
        Misconception("one-digit-fewer", extra_digits=-1),
        Misconception("one-digit-more", extra_digits=1),
        *(Misconception("decimal-digits", base=10, after=n) for n in (1, 0, -1)),
        Misconception("one-format-only", always_digits=11),
        Misconception("one-format-only", always_digits=8),
        *(Misconception("caret-for-power", caret=True, after=n) for n in (1, 0, -1)),
        Misconception("caret-for-power", caret=True, extra_digits=1, after=0),
    ),
)


@dataclass(frozen=True)
class NearestRow:
    """The position whose row of a table comes nearest to a row with noise in it."""

    columns: tuple[int | None, int | None] = (None, None)
    differences: Callable[[NDArray], NDArray] = np.square
    choose: Callable[[NDArray], int] = np.argmin
    distance_given: bool = False
    first_position: int = 0
    base_ignored: bool = False
    hand_read: int | None = None
    round: Callable[[float], float] = round

    def __call__(self, row: NDArray, n_positions: int, base: float) -> float:
        if self.hand_read is not None:
            frequency = base ** (-(self.hand_read % len(row)) / len(row))
            return self.round(self._angle_read(row) / frequency)
        used_base = 10_000.0 if self.base_ignored else float(base)
        table = AnyRows()(np.arange(n_positions), len(row), used_base)
        sums = self.differences((table - row)[:, slice(*self.columns)]).sum(axis=1)
        sums = np.abs(sums)
        return sums.min() if self.distance_given else self.choose(sums) + self.first_position

    def _angle_read(self, row: NDArray) -> float:
        """By how much one hand has turned, as in lab 03: its sine stands in column hand_read."""
        return np.arctan2(row[self.hand_read], row[self.hand_read + 1]) % (2 * np.pi)


NOISY = (
    (31, 8, 100, 60),
    (7, 16, 10_000, 40),
    (150, 12, 500, 200),
    (0, 4, 30, 20),
    (88, 32, 10_000, 90),
    (19, 6, 64, 20),
)
"""A position, dimensions, the base, and how many positions there are."""


def noisy(position: int, d_model: int, base: float, n_positions: int) -> tuple:
    """A row with noise in each number, as many positions as come into question, and the base."""
    noise = np.random.default_rng(seed=position).normal(0, 0.15, d_model)
    return (AnyRows()(np.array([position]), d_model, base)[0] + noise).round(3), n_positions, base


ROWS_WITH_NOISE = (
    # The row of position 12, but for its first number, which is exactly that of position 0.
    (np.array([0.0, 0.84, -0.61, -0.79, 0.93, 0.36, 0.37, 0.93]), 40, 100),
    # Nearest to position 45, which does not come into question, and then to 1.
    (np.array([0.852, 0.523]), 20, 100),
    # The largest difference is smaller at position 16, the distance at 17.
    (np.array([-0.8, -0.5, -1.4, -0.8, 0.9, 0.6]), 30, 50),
    # Added up without squares, the differences are smallest at position 18, not at 12.
    (np.array([-1.3, 1.1, -0.1, -0.5, -0.7, -0.3]), 30, 80),
    (np.array([0.2, 0.9]), 1, 30),
)

POSITION_FROM_NOISY_ROW = Exercise(
    id="position-from-noisy-row",
    reference=NearestRow(),
    cases=(*(noisy(*read) for read in NOISY), *ROWS_WITH_NOISE),
    misconceptions=(
        Misconception("slowest-hand-alone", columns=(-2, None)),
        Misconception("fastest-hand-alone", columns=(None, 2)),
        *(
            Misconception(id, **in_the_place_of(NearestRow, hand_read=column, round=rounded))
            for id, column in (("slowest-hand-alone", -2), ("fastest-hand-alone", 0))
            for rounded in (round, float)
        ),
        *(
            Misconception(
                "not-in-a-straight-line",
                differences=otherwise,
                columns=(None, None),
                choose=np.argmin,
                base_ignored=False,
            )
            for otherwise in (np.abs, lambda differences: abs(differences).max(1, keepdims=True))
        ),
        Misconception("signs-cancel", differences=np.asarray, columns=(None, None)),
        Misconception("farthest-for-nearest", choose=np.argmax),
        Misconception(
            "distance-for-position", distance_given=True, choose=np.argmin, first_position=0
        ),
        Misconception(
            "distance-for-position",
            distance_given=True,
            choose=np.argmin,
            differences=np.abs,
            first_position=0,
        ),
        BASE_IGNORED,
        POSITIONS_FROM_ONE,
    ),
)

EXERCISES = (
    FIRST_RETURN,
    MOST_SIMILAR_DISTANCE,
    BASE_FOR_QUARTER_TURN,
    THEIR_FREQUENCIES,
    FIRST_LOST_POSITION,
    POSITION_FROM_NOISY_ROW,
)
