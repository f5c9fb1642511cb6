"""Lab 05: recurrence of hands, the base for a given length, and the first lost position."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from ...encodings import angular_frequencies
from ..exercise import Answer, Exercise, Steps
from .shared import nearest_in_table, ratios_read_off, rounded_or_not, rows


def first_return(multiples: NDArray, step: float, *, turn: float = math.tau) -> float:
    """Return the number of positions after which all hands point up again."""
    return turn / (np.gcd.reduce(multiples) * step)


def _turns_by_hand(place: tuple, multiples: NDArray, step: float) -> Steps:
    turns = next(
        n for n in range(1, max(multiples) + 1) if not (n * multiples % max(multiples)).any()
    )
    result = turns * math.tau / (max(multiples) * step)
    made = np.round(result * multiples * step / math.tau)
    return {"periods": math.tau / (multiples * step), "turns": made, "result": result}


def _periods(multiples: NDArray, step: float) -> NDArray[np.float64]:
    return math.tau / (multiples * step)


def _nearly_up(multiples: NDArray, step: float, *, similarity: float) -> int:
    """Return the first position at which all hands point nearly up, or 1 if there is none."""
    for last in (100, 20_000):
        cosines = np.cos(np.outer(np.arange(1, last), multiples * step))
        near = cosines.min(axis=1) > similarity
        if near.any():
            return near.argmax() + 1
    return 1


FIRST_RETURN = Exercise(
    id="first-return",
    reference=first_return,
    cases=(
        (np.array([4, 3, 2, 1]), 0.25),
        (np.array([8, 7, 6, 5]), 0.125),
        (np.array([6, 4]), 0.1),
        (np.array([9, 6, 3]), 0.01),
        (np.array([15, 10, 6]), 0.02),
        (np.array([30, 20, 12]), 0.5),
        (np.array([5]), 0.3),
        (np.array([35, 28, 21, 14, 7]), 1 / 64),
        (np.array([51, 34]), 0.1),
        (np.array([7, 4, 1]), 0.2),
        (np.array([5]), 0.7),
    ),
    typed=("np.array([4, 3, 2, 1]), 0.25", "np.array([8, 7, 6, 5]), 0.125"),
    by_hand=_turns_by_hand,
    misconceptions={
        "slowest-decides": lambda multiples, step: math.tau / (multiples.min() * step),
        "step-decides": lambda multiples, step: math.tau / step,
        "two-hands-alone": [
            lambda multiples, step: first_return(multiples[:2], step),
            lambda multiples, step: first_return(multiples[[0, -1]], step),
            lambda multiples, step: first_return(multiples[-2:], step),
            lambda multiples, step: first_return(
                multiples[:-1] if len(multiples) > 1 else multiples, step
            ),
            lambda multiples, step: first_return(
                multiples[1:] if len(multiples) > 1 else multiples, step
            ),
        ],
        "fastest-decides": lambda multiples, step: math.tau / (multiples.max() * step),
        "gap-decides": [
            *(
                lambda multiples, step, of=of: math.tau / (of(abs(np.diff(multiples))) * step)
                for of in (np.mean, np.gcd.reduce)
            ),
            lambda multiples, step: math.tau / ((np.ptp(multiples) or multiples[0]) * step),
        ],
        "multiple-for-divisor": [
            lambda multiples, step: math.tau / (np.lcm.reduce(multiples) * step),
            lambda multiples, step: math.tau / (multiples.prod() * step),
        ],
        "multiplied-by-multiple": [
            lambda multiples, step: math.tau * np.lcm.reduce(multiples) / step,
            lambda multiples, step: math.tau * multiples.prod() / step,
            lambda multiples, step: math.tau * multiples.prod() / (np.gcd.reduce(multiples) * step),
            lambda multiples, step: math.tau * multiples.max() / step,
        ],
        "multiplied-by-multiple step-multiplied": lambda multiples, step: (
            math.tau * np.lcm.reduce(multiples) * step
        ),
        "multiplied-by-multiple step-multiplied turn-forgotten": lambda multiples, step: (
            np.lcm.reduce(multiples) * step
        ),
        "turn-forgotten": partial(first_return, turn=1),
        "turn-in-degrees": partial(first_return, turn=360),
        "half-a-turn": partial(first_return, turn=math.pi),
        "step-forgotten": lambda multiples, step: math.tau / np.gcd.reduce(multiples),
        "step-multiplied": lambda multiples, step: math.tau / np.gcd.reduce(multiples) * step,
        "divisor-multiplied": lambda multiples, step: math.tau * np.gcd.reduce(multiples) / step,
        "whole-distance": lambda multiples, step: round(first_return(multiples, step)),
        "periods-rounded-first": lambda multiples, step: np.lcm.reduce(
            np.maximum(_periods(multiples, step).round().astype(int), 1)
        ),
        "periods-multiplied": lambda multiples, step: _periods(multiples, step).prod(),
        "periods-added": lambda multiples, step: _periods(multiples, step).sum(),
        "right-for-two-hands": lambda multiples, step: (
            math.tau * np.lcm.reduce(multiples) / (multiples.prod() * step)
        ),
        "nearly-up-suffices": [
            partial(_nearly_up, similarity=similarity) for similarity in (0.99, 0.999)
        ],
        "mean-decides": [
            lambda multiples, step: math.tau / (multiples.mean() * step),
            lambda multiples, step: math.tau / (np.median(multiples) * step),
            lambda multiples, step: math.tau / (multiples.sum() * step),
            lambda multiples, step: _periods(multiples, step).mean(),
        ],
    },
)


def _resemblance(
    frequencies: NDArray, shortest: int, longest: int, wave: Callable = np.cos
) -> NDArray[np.float64]:
    """Return the sum of all waves at each distance."""
    return wave(np.outer(np.arange(shortest, longest + 1), frequencies)).sum(axis=1)


def most_similar_distance(frequencies: NDArray, shortest: int, longest: int) -> int:
    """Return the distance in a range at which two positions are most similar."""
    return shortest + _resemblance(frequencies, shortest, longest).argmax()


def _cosines(frequencies: NDArray, shortest: int, longest: int) -> NDArray[np.float64]:
    """Return the cosine of each hand at each distance."""
    return np.cos(np.outer(np.arange(shortest, longest + 1), frequencies))


def _sums_by_hand(place: tuple, frequencies: NDArray, shortest: int, longest: int) -> Steps:
    sums = {r: sum(np.cos(r * frequencies)) for r in range(shortest, longest + 1)}
    best = sorted(sums, key=sums.get, reverse=True)[:2]
    return dict(
        shortest=shortest, longest=longest, best=best, sums=[sums[r] for r in best], result=best[0]
    )


def _first_peak(frequencies: NDArray, shortest: int, longest: int) -> int:
    """Return the first distance at which the sum has a peak, or the shortest distance."""
    sums = _resemblance(frequencies, shortest, longest)
    peaks = (sums[1:-1] > sums[:-2]) & (sums[1:-1] > sums[2:])
    return shortest + (peaks.argmax() + 1 if peaks.any() else 0)


def _first_similar(frequencies: NDArray, shortest: int, longest: int) -> int:
    """Return the first distance at which the mean cosine exceeds 0.9, or -1."""
    similar = _resemblance(frequencies, shortest, longest) > 0.9 * len(frequencies)
    return shortest + similar.argmax() if similar.any() else -1


def _first_above(frequencies: NDArray, shortest: int, longest: int, limit: Callable) -> int:
    """Return the first distance whose sum exceeds a limit, or the shortest distance."""
    sums = _resemblance(frequencies, shortest, longest)
    return shortest + (sums > limit(sums)).argmax()


def _between_distances(frequencies: NDArray, shortest: int, longest: int) -> float:
    """Return the vertex of a parabola through the largest sum and its neighbours."""
    sums = _resemblance(frequencies, shortest, longest)
    best = sums.argmax()
    if not 0 < best < len(sums) - 1:
        return shortest + best
    before, at, after = sums[best - 1 : best + 2]
    return shortest + best + (before - after) / (2 * (before - 2 * at + after))


MOST_SIMILAR_DISTANCE = Exercise(
    id="most-similar-distance",
    reference=most_similar_distance,
    cases=(
        (np.arange(32, 0, -1) / 32, 20, 500),
        (np.arange(8, 0, -1) / 8, 10, 50),
        (angular_frequencies(16), 7, 90),
        (np.arange(16, 0, -1) / 16, 40, 95),
        *((np.array([0.1, 0.05]), *ends) for ends in ((1, 60), (70, 120), (110, 111))),
        *((np.array([0.9, 0.2]), *ends) for ends in ((17, 60), (300, 420))),
        *((np.array([1.6]), 1, longest) for longest in (3, 4)),
        (np.array([3.1]), 1, 3),
        (np.array([0.7, 0.1]), 1, 2),
        (np.array([1.0]), 3, 4),
        (np.arange(24, 0, -1) / 24, 40, 700),
        (np.array([1.1, 0.4]), 3, 6),  # weighting the hands would change the distance
        (np.array([1.0]), 40, 340),  # 44 and 333 tie in half precision
    ),
    typed=(
        "np.arange(32, 0, -1) / 32, 20, 500",
        "np.arange(8, 0, -1) / 8, 10, 50",
        "angular_frequencies(16), 7, 90",
        "np.arange(16, 0, -1) / 16, 40, 95",
    ),
    by_hand=_sums_by_hand,
    misconceptions={
        "begins-at-zero": lambda w, first, last: most_similar_distance(w, 0, last),
        "index-for-distance": lambda w, first, last: _resemblance(w, first, last).argmax(),
        "sum-for-distance": lambda w, first, last: _resemblance(w, first, last).max(),
        "last-left-out": lambda w, first, last: most_similar_distance(w, first, last - 1),
        "first-left-out": lambda w, first, last: most_similar_distance(w, first + 1, last),
        "first-stays": lambda w, first, last: first,
        "least-for-most": lambda w, first, last: first + _resemblance(w, first, last).argmin(),
        "sine-for-cosine": lambda w, first, last: (
            first + _resemblance(w, first, last, np.sin).argmax()
        ),
        "sign-of-sum-lost": lambda w, first, last: (
            first + abs(_resemblance(w, first, last)).argmax()
        ),
        "one-hand-only": [
            lambda w, first, last: most_similar_distance(w[:1], first, last),
            lambda w, first, last: most_similar_distance(w[-1:], first, last),
        ],
        "degrees": lambda w, first, last: most_similar_distance(np.radians(w), first, last),
        "distance-off-by-one": [
            lambda w, first, last: most_similar_distance(w, first, last) - 1,
            lambda w, first, last: most_similar_distance(w, first, last) + 1,
        ],
        "sums-over-distances": lambda w, first, last: (
            first + np.cos(np.outer(np.arange(first, last + 1), w)).sum(axis=0).argmax()
        ),
        "frequencies-added-first": lambda w, first, last: (
            first + np.cos(np.arange(first, last + 1) * w.sum()).argmax()
        ),
        "cosines-multiplied": lambda w, first, last: (
            first + np.cos(np.outer(np.arange(first, last + 1), w)).prod(axis=1).argmax()
        ),
        "first-peak-for-highest": [
            _first_peak,
            lambda w, first, last: next(
                (
                    first + index
                    for index, growth in enumerate(np.diff(_resemblance(w, first, last)))
                    if growth < 0
                ),
                last,
            ),
        ],
        "first-similar-distance": [
            _first_similar,
            partial(_first_above, limit=np.mean),
            partial(_first_above, limit=lambda sums: 0),
            partial(_first_above, limit=lambda sums: sums.max() / 2),
        ],
        "between-two-distances": _between_distances,
        "other-than-sum": [
            lambda w, first, last: first + _cosines(w, first, last).min(axis=1).argmax(),
            lambda w, first, last: first + abs(_cosines(w, first, last)).sum(axis=1).argmax(),
            lambda w, first, last: first + (_cosines(w, first, last) * w).sum(axis=1).argmax(),
            lambda w, first, last: first + np.median(_cosines(w, first, last), axis=1).argmax(),
            lambda w, first, last: first + _cosines(w, first, last).max(axis=1).argmax(),
        ],
    },
)


def base_for_quarter_turn(
    n_positions: int, d_model: int, *, turn: float = math.tau / 4, times: float = 1
) -> float:
    """Return the base for which the slowest hand turns by the given angle over the sequence."""
    return times * ((n_positions - 1) / turn) ** (d_model / (d_model - 2))


def _with_exponent(exponent: Callable[[int], float]) -> Answer:
    return lambda n, d: ((n - 1) / (math.tau / 4)) ** exponent(d)


def _quarter_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    each = math.pi / 2 / (n_positions - 1)
    exponent = -(d_model - 2) / d_model
    result = math.exp(math.log(each) / exponent)
    return {"n": n_positions, "each": each, "exponent": exponent, "result": result}


TURNS = {"whole-turn": math.tau, "half-for-quarter": math.pi, "turn-forgotten": 1.0}
EXPONENTS: dict[str, Callable[[int], float]] = {
    "longest-wave-of-base": lambda d: 1,
    "exponent-inverted": lambda d: (d - 2) / d,
    "exponent-of-pair": lambda d: d / (d / 2 - 1),
    "exponent-of-one-column": lambda d: d / (d - 1),
}
"""Mistakes in the exponent that may occur together with mistakes in the angle."""


def _turn_and_exponent(
    n_positions: int, d_model: int, *, turn: float, exponent: Callable[[int], float]
) -> float:
    return ((n_positions - 1) / turn) ** exponent(d_model)


BASE_FOR_QUARTER_TURN = Exercise(
    id="base-for-quarter-turn",
    reference=base_for_quarter_turn,
    cases=((1000, 64), (5000, 128), (100, 8), (40, 4), (13, 6), (3, 10), (100, 4), (2000, 4)),
    by_hand=_quarter_by_hand,
    misconceptions={
        "whole-turn": [
            partial(base_for_quarter_turn, turn=math.tau),
            lambda n, d: base_for_quarter_turn(n + 1, d, turn=math.tau),
        ],
        "half-for-quarter": partial(base_for_quarter_turn, turn=math.pi),
        "four-turns": partial(base_for_quarter_turn, turn=4 * math.tau),
        "quarter-of-the-base": [
            partial(base_for_quarter_turn, turn=math.tau, times=times) for times in (1 / 4, 4)
        ],
        "positions-for-steps": lambda n, d: base_for_quarter_turn(n + 1, d),
        "longest-wave-of-base": _with_exponent(lambda d: 1),
        "exponent-inverted": _with_exponent(lambda d: (d - 2) / d),
        "exponent-of-pair": _with_exponent(lambda d: d / (d / 2 - 1)),
        "turn-forgotten": partial(base_for_quarter_turn, turn=1),
        "turn-in-degrees": [partial(base_for_quarter_turn, turn=turn) for turn in (90, 360)],
        "angle-multiplied": partial(base_for_quarter_turn, turn=4 / math.tau),
        "whole-exponent": _with_exponent(lambda d: d // (d - 2)),
        "half-of-a-quarter": partial(base_for_quarter_turn, turn=math.tau / 8),
        "usual-base-multiplied": partial(base_for_quarter_turn, times=10_000),
        "whole-base": [
            lambda n, d: round(base_for_quarter_turn(n, d)),
            lambda n, d: math.ceil(base_for_quarter_turn(n, d)),
        ],
        "exponent-of-one-column": _with_exponent(lambda d: d / (d - 1)),
        "width-for-number-of-positions": lambda n, d: base_for_quarter_turn(d, d),
        **{
            f"{turn} {exponent}": partial(_turn_and_exponent, turn=TURNS[turn], exponent=of)
            for turn in TURNS
            for exponent, of in EXPONENTS.items()
        },
    },
)


def their_frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray:
    """Return frequencies whose longest wave is 2 pi times the base, as if k ran from 0 to 1."""
    n_pairs = d_model // 2
    return base ** (-np.arange(n_pairs) / (n_pairs - 1))


def _with_exponents(exponents: Callable[[NDArray, int], NDArray]) -> Answer:
    """Create an answer with exponents that depend on the pair and on the number of pairs."""
    return lambda d: 10_000.0 ** -exponents(np.arange(d // 2), d // 2)


def _theirs_by_hand(place: tuple, d_model: int) -> Steps:
    n_pairs = d_model // 2
    theirs = np.geomspace(1, 1 / 10_000, n_pairs)
    return dict(
        n=n_pairs,
        k=place[0],
        ratio=theirs[1] / theirs[0],
        right=10_000 ** (-place[0] / n_pairs),
        result=theirs[place[0]],
    )


THEIR_FREQUENCIES = Exercise(
    id="their-frequencies",
    reference=their_frequencies,
    cases=((8,), (4,), (16,), (64,), (130,)),
    by_hand=_theirs_by_hand,
    misconceptions={
        "the-right-frequencies": angular_frequencies,
        "first-hand-slowed": _with_exponents(lambda k, n_pairs: (k + 1) / n_pairs),
        "last-hand-other": [
            *(partial(their_frequencies, base=base) for base in (1e3, 2e4 * np.pi, 1e5, 100.0)),
            _with_exponents(lambda k, n_pairs: k / n_pairs / 2),
            _with_exponents(lambda k, n_pairs: k / (2 * n_pairs - 1)),
            lambda d: math.tau / np.geomspace(math.tau, 10_000, d // 2),
        ],
        "divided-by-other-columns": _with_exponents(lambda k, n_pairs: k / (n_pairs - 0.5)),
        "ratio-of-one-width": [
            partial(lambda d, ratio: ratio ** np.arange(d // 2), ratio=ratio)
            # The last value, 0.26827, gives the same result as the exact ratio.
            for ratio in ratios_read_off(*(10_000 ** (-1 / (d / 2 - 1)) for d in (4, 8, 16)))[:-1]
        ],
        "first-hand-other": [
            lambda d: np.geomspace(1 / 2, 1 / 10_000, d // 2),
            lambda d: np.geomspace(2, 1 / 5_000, d // 2),
        ],
        "subtracted-from-quotient": [
            lambda d: np.exp(-np.arange(d // 2) * (math.log(10_000) / (d // 2) - 1)),
            lambda d: np.exp(-np.arange(d // 2) * math.log(10_000) / (d // 2) - 1),
            _with_exponents(lambda k, n_pairs: k / n_pairs - 1),
            _with_exponents(lambda k, n_pairs: k / (n_pairs - 1) - 1),
        ],
        "logarithm-missing": lambda d: np.exp(-4 * np.arange(d // 2) / (d // 2 - 1)),
        "halved-from-hand-to-hand": lambda d: 2.0 ** -np.arange(d // 2),
        "equal-steps-between": lambda d: np.linspace(1, 1 / 10_000, d // 2),
        "frequency-per-column": lambda d: their_frequencies(2 * d),
        "order-reversed": lambda d: their_frequencies(d)[::-1],
        "wavelengths-for-frequencies": lambda d: math.tau / their_frequencies(d),
        "frequencies-multiplied": lambda d: 1 / their_frequencies(d),
        "integer-division": [
            lambda d: np.exp(np.arange(0, d, 2) * (-math.log(10_000) / d // 2)),
            lambda d: 10_000.0 ** (-np.arange(d // 2) // (d // 2 - 1)),
        ],
        "even-steps": [
            lambda d: np.arange(0, d, 2) * 10_000 / d,
            lambda d: 1 / (1 + np.arange(d // 2)),
        ],
    },
    tolerance=1e-9,
    shows_wrong_output=True,
)


def first_lost_position(n_digits: int) -> int:
    """Return the first integer that a format cannot represent."""
    return 2**n_digits + 1


def _digits_by_hand(place: tuple, n_digits: int) -> Steps:
    lost = next(i for i in range(1, 4**n_digits) if len(f"{i:b}".rstrip("0")) > n_digits)
    written = {"before": f"{lost - 1:b}", "bits": f"{lost:b}"}
    return written | {"n": n_digits, "even": lost - 1, "more": n_digits + 1, "result": lost}


FIRST_LOST_POSITION = Exercise(
    id="first-lost-position",
    reference=first_lost_position,
    cases=((3,), (8,), (11,), (1,), (13,)),
    by_hand=_digits_by_hand,
    misconceptions={
        "still-there": lambda n: 2**n,
        "all-digits-one": lambda n: 2**n - 1,
        "next-but-one": lambda n: 2**n + 2,
        "one-digit-fewer": [lambda n: 2 ** (n - 1) + 1, lambda n: 2 ** (n - 1)],
        "one-digit-more": [lambda n: 2 ** (n + 1) + 1, lambda n: 2 ** (n + 1)],
        "decimal-digits": [lambda n: 10**n + 1, lambda n: 10**n, lambda n: 10**n - 1],
        "one-format-only": [lambda n: first_lost_position(11), lambda n: first_lost_position(8)],
        "caret-for-power": [
            lambda n: (2 ^ n) + 1,
            lambda n: 2 ^ n,
            lambda n: (2 ^ n) - 1,
            lambda n: 2 ^ (n + 1),
        ],
        "largest-finite-number": lambda n: 65_504,
        "sign-takes-a-digit": lambda n: 2 ** (n - 1) - 1,
        "one-digit-more all-digits-one": lambda n: 2 ** (n + 1) - 1,
        "digits-not-in-exponent": [
            lambda n: 2 * n + 1,
            lambda n: 2 * n,
            lambda n: n**2 + 1,
            lambda n: n**2,
        ],
    },
)


def _off(row: NDArray, n_positions: int, base: float) -> NDArray[np.float64]:
    """Return the differences between the rows of all positions and the given row."""
    return rows(range(n_positions), len(row), base) - row


def position_from_noisy_row(row: NDArray, n_positions: int, base: float) -> int:
    """Return the position whose row in a table is nearest to a noisy row."""
    return (_off(row, n_positions, base) ** 2).sum(axis=1).argmin()


def _hand_alone(columns: slice) -> list[Answer]:
    """Create wrong answers that use a single hand instead of the complete row."""

    def read(row: NDArray, n_positions: int, base: float) -> float:
        sine, cosine = row[columns]
        frequency = base ** (-np.arange(len(row)) / len(row))[columns][0]
        return np.arctan2(sine, cosine) % math.tau / frequency

    return [
        lambda row, n, base: (_off(row, n, base)[:, columns] ** 2).sum(axis=1).argmin(),
        *rounded_or_not(read),
    ]


def _first_near(row: NDArray, n_positions: int, base: float, limit: float) -> int:
    """Return the first position whose row is within the limit, or the last position."""
    near = norm(_off(row, n_positions, base), axis=1) < limit
    return near.argmax() if near.any() else n_positions - 1


NOISY = (
    (31, 8, 100, 60),
    (7, 16, 10_000, 40),
    (150, 12, 500, 200),
    (0, 4, 30, 20),
    (88, 32, 10_000, 90),
    (19, 6, 64, 20),
)
"""Test cases with a position, the number of dimensions, the base and the number of positions."""


def noisy(position: int, d_model: int, base: float, n_positions: int) -> tuple:
    """Return the arguments of a test case with a noisy row."""
    noise = np.random.default_rng(seed=position).normal(0, 0.15, d_model)
    return (rows([position], d_model, base)[0] + noise).round(3), n_positions, base


ROWS_WITH_NOISE = (
    # This is the row of position 12 with the first number of position 0.
    (np.array([0.0, 0.84, -0.61, -0.79, 0.93, 0.36, 0.37, 0.93]), 40, 100),
    # Position 45 is nearest but out of range; position 1 is next.
    (np.array([0.852, 0.523]), 20, 100),
    # The largest difference is smallest at position 16, but the distance is smallest at 17.
    (np.array([-0.8, -0.5, -1.4, -0.8, 0.9, 0.6]), 30, 50),
    # The sum of the differences without squares is smallest at position 18, not at 12.
    (np.array([-1.3, 1.1, -0.1, -0.5, -0.7, -0.3]), 30, 80),
    (np.array([0.2, 0.9]), 1, 30),
    # Position 0 is near, but position 44 is nearer.
    (np.array([0.03, 1.04]), 50, 100),
    # This is the row of the first position out of range.
    (np.array([0.91, 0.41, 0.91, -0.42]), 20, 100),
    # This case differs from the first only in the number of positions.
    (np.array([0.0, 0.84, -0.61, -0.79, 0.93, 0.36, 0.37, 0.93]), 9, 100),
    # Position 24 is nearest, but the angles of the hands fit position 5 best.
    (np.array([-1.1, 0.7, 0.5, -0.1, 0.7, -1.2]), 30, 80),
    # If values above 1 were clipped, position 9 would be nearest instead of 8.
    (np.array([1.3, -0.8, 0.9, -0.2, 0.1, 1.1]), 10, 100),
)


def _distances_by_hand(place: tuple, row: NDArray, n_positions: int, base: float) -> Steps:
    squares = {i: sum((row - rows([i], len(row), base)[0]) ** 2) for i in range(n_positions)}
    best = sorted(squares, key=squares.get)[:2]
    distances = [math.sqrt(squares[i]) for i in best]
    return {"last": n_positions - 1, "best": best, "distances": distances, "result": best[0]}


def _as_hands(rows: NDArray) -> NDArray[np.complex128]:
    """Return the hands as complex numbers."""
    return rows[..., 1::2] + 1j * rows[..., ::2]


def _hands_normalised(row: NDArray, n_positions: int, base: float) -> int:
    hands = _as_hands(row) / abs(_as_hands(row))
    return (_as_hands(rows(range(n_positions), len(row), base)) @ hands.conj()).real.argmax()


def _turned_apart(row: NDArray, n_positions: int, base: float) -> NDArray[np.float64]:
    """Return the angles between the hands of the row and the hands of each position."""
    return abs(np.angle(_as_hands(rows(range(n_positions), len(row), base)) / _as_hands(row)))


def _votes(row: NDArray, n_positions: int, base: float) -> int:
    """Return the position that is nearest according to most hands."""
    apart = abs(_as_hands(_off(row, n_positions, base)))
    return np.bincount(apart.argmin(axis=0), minlength=n_positions).argmax()


def _in_halves(row: NDArray, n_positions: int, base: float) -> int:
    table = rows(range(n_positions), len(row), base)
    halves = np.hstack([table[:, ::2], table[:, 1::2]])
    return ((halves - row) ** 2).sum(axis=1).argmin()


POSITION_FROM_NOISY_ROW = Exercise(
    id="position-from-noisy-row",
    reference=position_from_noisy_row,
    cases=(*(noisy(*read) for read in NOISY), *ROWS_WITH_NOISE),
    by_hand=_distances_by_hand,
    misconceptions={
        "slowest-hand-alone": [
            *_hand_alone(slice(-2, None)),
            lambda row, n, base: np.searchsorted(rows(range(n), len(row), base)[:, -2], row[-2]),
        ],
        "fastest-hand-alone": _hand_alone(slice(0, 2)),
        "not-in-a-straight-line": [
            lambda row, n, base: abs(_off(row, n, base)).sum(axis=1).argmin(),
            lambda row, n, base: abs(_off(row, n, base)).max(axis=1).argmin(),
            lambda row, n, base: np.median(abs(_off(row, n, base)), axis=1).argmin(),
            lambda row, n, base: (_off(row, n, base) ** 4).sum(axis=1).argmin(),
        ],
        "single-number-decides": [
            lambda row, n, base: (_off(row, n, base) ** 2).argmin() // len(row),
            lambda row, n, base: (_off(row, n, base) ** 2).argmin(),
        ],
        "wrong-axis": lambda row, n, base: (_off(row, n, base) ** 2).sum(axis=0).argmin(),
        "signs-cancel": [
            lambda row, n, base: abs(_off(row, n, base).sum(axis=1)).argmin(),
            lambda row, n, base: _off(row, n, base).sum(axis=1).argmin(),
            lambda row, n, base: _off(row, n, base).sum(axis=1).argmax(),
        ],
        "farthest-for-nearest": lambda row, n, base: (_off(row, n, base) ** 2).sum(axis=1).argmax(),
        "distance-for-position": [
            lambda row, n, base: (_off(row, n, base) ** 2).sum(axis=1).min(),
            lambda row, n, base: norm(_off(row, n, base), axis=1).min(),
            lambda row, n, base: abs(_off(row, n, base)).sum(axis=1).min(),
        ],
        "base-ignored": lambda row, n, base: position_from_noisy_row(row, n, 10_000),
        "positions-from-one": lambda row, n, base: position_from_noisy_row(row, n, base) + 1,
        "positions-beyond": [
            lambda row, n, base: position_from_noisy_row(row, n + 1, base),
            lambda row, n, base: nearest_in_table(row, base, 5_000),
        ],
        "row-clipped": lambda row, n, base: position_from_noisy_row(np.clip(row, -1, 1), n, base),
        "sign-of-product-lost": lambda row, n, base: abs(
            rows(range(n), len(row), base) @ row
        ).argmax(),
        "hands-normalised-first": _hands_normalised,
        "angles-compared": [
            lambda row, n, base: _turned_apart(row, n, base).sum(axis=1).argmin(),
            lambda row, n, base: (_turned_apart(row, n, base) ** 2).sum(axis=1).argmin(),
        ],
        "hands-vote": _votes,
        "near-numbers-counted": [
            partial(
                lambda row, n, base, near: (abs(_off(row, n, base)) <= near).sum(axis=1).argmax(),
                near=near,
            )
            for near in (0.1, 0.15, 0.2)
        ],
        "row-read-in-halves": _in_halves,
        "columns-weighted": [
            partial(
                lambda row, n, base, weights: (
                    (_off(row, n, base) ** 2 * weights(len(row), base)).sum(axis=1).argmin()
                ),
                weights=weights,
            )
            for weights in (
                lambda d, base: np.arange(1, d + 1),
                lambda d, base: np.arange(d, 0, -1),
                lambda d, base: base ** (-np.arange(d) / d),
            )
        ],
        "half-of-columns": [
            partial(
                lambda row, n, base, kept: (
                    (_off(row, n, base)[:, kept(len(row))] ** 2).sum(axis=1).argmin()
                ),
                kept=kept,
            )
            for kept in (
                lambda d: slice(0, d, 2),
                lambda d: slice(1, d, 2),
                lambda d: slice(0, d // 2),
                lambda d: slice(d // 2, d),
            )
        ],
        "compared-by-correlation": lambda row, n, base: np.nan_to_num(
            [np.corrcoef(each, row)[0, 1] for each in rows(range(n), len(row), base)]
        ).argmax(),
        "near-enough-taken": [partial(_first_near, limit=limit) for limit in (0.5, 1, 2)],
        "last-position-left-out": lambda row, n, base: position_from_noisy_row(
            row, max(n - 1, 1), base
        ),
        "half-of-the-product": [
            lambda row, n, base: (rows(range(n), len(row), base)[:, ::2] @ row[::2]).argmax(),
            lambda row, n, base: (rows(range(n), len(row), base)[:, 1::2] @ row[1::2]).argmax(),
        ],
    },
)

EXERCISES = (
    FIRST_RETURN,
    MOST_SIMILAR_DISTANCE,
    BASE_FOR_QUARTER_TURN,
    THEIR_FREQUENCIES,
    FIRST_LOST_POSITION,
    POSITION_FROM_NOISY_ROW,
)
