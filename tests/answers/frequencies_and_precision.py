"""Lab 05: right answers, wrong ones, and what is found in them."""

import math
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from course_utils import angular_frequencies

from . import Answers
from .sinusoidal import rows, slowest, turned

AXIS = {"1 -> -1": "axis 1 is the last"}
EVEN_FROM_FOUR = st.integers(2, 100).map(lambda n_pairs: 2 * n_pairs)


def first_return(multiples: np.ndarray, step: float) -> float:
    largest = max(n for n in range(1, min(multiples) + 1) if not any(multiples % n))
    return math.tau / (largest * step)


def most_similar_distance(frequencies: np.ndarray, shortest: int, longest: int) -> int:
    best, highest = shortest, -math.inf
    for distance in range(shortest, longest + 1):
        total = math.fsum(math.cos(distance * frequency) for frequency in frequencies)
        if total > highest:
            best, highest = distance, total
    return best


FREQUENCIES = st.one_of(
    st.integers(1, 32).map(lambda n_pairs: np.arange(n_pairs, 0, -1) / n_pairs),
    st.lists(st.floats(0.02, 3.1), min_size=1, max_size=8).map(np.array),
)


ENDS = st.integers(1, 60).flatmap(
    lambda shortest: st.tuples(st.just(shortest), st.integers(shortest + 1, shortest + 90))
)


def searched(
    first: int = 0, end: int = 1, wave: Callable = np.cos, choose: Callable = np.argmax
) -> Callable[[np.ndarray, int, int], int]:
    """The search as most people write it, with one thing of it another."""

    def search(frequencies: np.ndarray, shortest: int, longest: int) -> int:
        distances = np.arange(shortest + first, longest + end)
        return distances[choose(wave(np.outer(distances, frequencies)).sum(axis=1))]

    return search


def return_in_the_loop(frequencies: np.ndarray, shortest: int, longest: int) -> int | None:
    best = -np.inf
    for distance in range(shortest, longest + 1):
        if np.cos(distance * frequencies).sum() > best:
            return distance


def base_for_quarter_turn(n_positions: int, d_model: int) -> float:
    frequency = math.pi / 2 / (n_positions - 1)
    slowest_pair = d_model // 2 - 1
    return math.exp(-math.log(frequency) * d_model / (2 * slowest_pair))


def their_frequencies(d_model: int) -> list[float]:
    n_steps = d_model // 2 - 1
    factor = 10_000 ** (1 / n_steps)
    frequencies = [1.0]
    for _ in range(n_steps):
        frequencies.append(frequencies[-1] / factor)
    return frequencies


def digits_that_count(position: int) -> int:
    while position % 2 == 0:
        position //= 2
    return position.bit_length()


def first_lost_position(n_digits: int) -> int:
    position = 1
    while digits_that_count(position) <= n_digits:
        position += 1
    return position


def nearest_position(row: np.ndarray, n_positions: int, base: float) -> int:
    table = rows(range(n_positions), len(row), base)
    distances = [math.dist(row, each) for each in table]
    return distances.index(min(distances))


def nearest(
    differences: Callable[[np.ndarray], np.ndarray], choose: Callable = np.argmin
) -> Callable[[np.ndarray, int, float], float]:
    """The way to do it, with other differences or another choice."""

    def position(row: np.ndarray, n_positions: int, base: float) -> float:
        table = np.array(rows(np.arange(n_positions), len(row), base))
        return choose(differences(table - row).sum(axis=1))

    return position


@st.composite
def noisy_rows(draw: st.DrawFn) -> tuple[np.ndarray, int, float]:
    n_positions, d_model = draw(st.integers(1, 60)), draw(st.sampled_from([4, 6, 8, 16]))
    position, base = draw(st.integers(0, n_positions - 1)), draw(st.sampled_from([30, 100, 10_000]))
    noise = np.random.default_rng(draw(st.integers(0, 99))).normal(0, 0.1, d_model)
    return np.array(rows([position], d_model, base)[0]) + noise, n_positions, base


ANSWERS = {
    "first-return": Answers(
        second=first_return,
        asked=st.tuples(
            st.lists(st.integers(1, 60), min_size=1, max_size=8).map(np.array), st.floats(0.001, 3)
        ),
        right=(lambda multiples, step: math.tau / step / math.gcd(*multiples.tolist()),),
        wrong=(
            ("slowest-decides", lambda multiples, step: 2 * np.pi / (step * min(multiples))),
            ("step-decides", lambda multiples, step: 2 * np.pi / step),
            ("fastest-decides", lambda multiples, step: 2 * np.pi / (step * multiples.max())),
            ("gap-decides", lambda m, step: 2 * np.pi / (step * np.mean(np.abs(np.diff(m))))),
            ("multiple-for-divisor", lambda m, step: 2 * np.pi / (step * np.lcm.reduce(m))),
            ("turn-forgotten", lambda m, step: 1 / (step * np.gcd.reduce(m))),
            ("half-a-turn", lambda m, step: np.pi / (step * np.gcd.reduce(m))),
            ("turn-in-degrees", lambda m, step: 360 / (step * np.gcd.reduce(m))),
            ("step-forgotten", lambda m, step: 2 * np.pi / np.gcd.reduce(m)),
            ("step-multiplied", lambda m, step: 2 * np.pi * step / np.gcd.reduce(m)),
            ("divisor-multiplied", lambda m, step: 2 * np.pi / step * np.gcd.reduce(m)),
            ("whole-distance", lambda m, step: round(2 * np.pi / (step * np.gcd.reduce(m)))),
            ("pattern.only-first-call-right", lambda m, step: 2 * np.pi * len(m)),
        ),
        alike={
            ("step-forgotten", "step-multiplied"),
            # A single step is 1, multiplied or divided by.
            ("step-decides", "divisor-multiplied"),
        },
    ),
    "most-similar-distance": Answers(
        second=most_similar_distance,
        asked=st.tuples(FREQUENCIES, ENDS).map(lambda drawn: (drawn[0], *drawn[1])),
        right=(lambda f, a, b: max(range(a, b + 1), key=lambda s: np.cos(s * f).sum()),),
        wrong=(
            (
                "pattern.only-one-call-wrong",
                searched(choose=lambda sums: sums.argmax() if sums.max() > 0 else 0),
            ),
            ("begins-at-zero", lambda f, a, b: searched()(f, 0, b)),
            ("begins-at-zero", lambda f, a, b: 0),
            ("first-stays", lambda f, a, b: a + np.cos(np.outer(range(a, b), f)).sum().argmax()),
            ("index-for-distance", lambda f, a, b: searched()(f, a, b) - a),
            ("last-left-out", searched(end=0)),
            ("first-left-out", searched(first=1)),
            ("first-stays", return_in_the_loop),
            ("least-for-most", searched(choose=np.argmin)),
            ("sine-for-cosine", searched(wave=np.sin)),
            ("sign-of-sum-lost", searched(choose=lambda sums: np.argmax(np.abs(sums)))),
            ("degrees", searched(wave=lambda angles: np.cos(np.radians(angles)))),
            ("one-hand-only", lambda f, a, b: max(range(a, b + 1), key=lambda r: np.cos(r * f[0]))),
            ("sum-for-distance", lambda f, a, b: max(np.cos(r * f).sum() for r in range(a, b + 1))),
        ),
        alike={
            # Where the first always wins, the others do not matter.
            *(
                ("first-stays", name)
                for name in ("sine-for-cosine", "sign-of-sum-lost", "one-hand-only", "degrees")
            ),
            ("last-left-out", "first-stays"),
            # In degrees the sum only falls, so the shortest distance wins.
            ("last-left-out", "degrees"),
            ("sign-of-sum-lost", "degrees"),
            ("one-hand-only", "degrees"),
        },
        equal_changes=AXIS
        | {
            "np.cos(np.outer(distances, frequencies)).sum"
            " -> np.cos(np.outer(distances, frequencies)).mean": "the largest has the largest mean"
        },
    ),
    "base-for-quarter-turn": Answers(
        second=base_for_quarter_turn,
        asked=st.tuples(st.integers(3, 100_000), EVEN_FROM_FOUR),
        right=(lambda n, d: (2 * (n - 1) / math.pi) ** (1 / (1 - 2 / d)),),
        wrong=(
            ("whole-turn", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2))),
            ("positions-for-steps", lambda n, d: (n / (math.pi / 2)) ** (d / (d - 2))),
            ("half-for-quarter", lambda n, d: ((n - 1) / math.pi) ** (d / (d - 2))),
            ("longest-wave-of-base", lambda n, d: (n - 1) / (math.pi / 2)),
            ("exponent-inverted", lambda n, d: ((n - 1) / (math.pi / 2)) ** ((d - 2) / d)),
            ("exponent-of-pair", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d / (d // 2 - 1))),
            ("turn-forgotten", lambda n, d: (n - 1) ** (d / (d - 2))),
            ("turn-in-degrees", lambda n, d: ((n - 1) / 90) ** (d / (d - 2))),
            ("angle-multiplied", lambda n, d: ((n - 1) * math.pi / 2) ** (d / (d - 2))),
            ("whole-exponent", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d // (d - 2))),
            ("quarter-of-the-base", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2)) / 4),
            ("four-turns", lambda n, d: ((n - 1) / (2 * math.pi) / 4) ** (d / (d - 2))),
            ("pattern.reciprocal", lambda n, d: (math.pi / 2 / (n - 1)) ** (d / (d - 2))),
            ("pattern.whole-numbers", lambda n, d: round((2 * (n - 1) / math.pi) ** (d / (d - 2)))),
        ),
        alike={
            # The exponent 1 is its own reciprocal, and whole, and 4 is 4 with it or without;
            # 1 radian may multiply or divide.
            ("longest-wave-of-base", "exponent-inverted"),
            ("longest-wave-of-base", "whole-exponent"),
            ("quarter-of-the-base", "longest-wave-of-base"),
            ("turn-forgotten", "angle-multiplied"),
        },
    ),
    "their-frequencies": Answers(
        second=their_frequencies,
        asked=st.tuples(EVEN_FROM_FOUR),
        right=(lambda d: 1 / np.logspace(0, 4, d // 2),),
        wrong=(
            ("the-right-frequencies", angular_frequencies),
            ("first-hand-slowed", lambda d: 10_000.0 ** (-np.arange(1, d // 2 + 1) / (d // 2))),
            ("divided-by-other-columns", lambda d: 1e4 ** (-2 * np.arange(d // 2) / (d - 1))),
            ("equal-steps-between", lambda d: np.linspace(1, 1e-4, d // 2)),
            ("frequency-per-column", lambda d: np.geomspace(1, 1e-4, d)),
            ("order-reversed", lambda d: np.geomspace(1e-4, 1, d // 2)),
            ("wavelengths-for-frequencies", lambda d: 2 * np.pi / np.geomspace(1, 1e-4, d // 2)),
            ("frequencies-multiplied", lambda d: np.geomspace(1, 1e4, d // 2)),
            ("pattern.factor", lambda d: 2 * np.pi * np.geomspace(1, 1e-4, d // 2)),
            ("last-hand-other", lambda d: np.geomspace(1, 1e-3, d // 2)),
            ("ratio-of-one-width", lambda d: [1e4 ** (-k / 3) for k in range(d // 2)]),
            ("pattern.always-too-large", lambda d: np.append(angular_frequencies(d)[:-1], 1e-4)),
            ("pattern.always-too-small", lambda d: angular_frequencies(d) ** 2),
            ("last-hand-other", lambda d: 10_000.0 ** (-np.arange(d // 2) / d)),
            ("pattern.few-digits", lambda d: np.geomspace(1, 1e-4, d // 2).round(5)),
        ),
        alike={
            # In equal steps no exponent has a sign, and in wavelengths the formula has its own.
            ("equal-steps-between", "frequencies-multiplied"),
            ("wavelengths-for-frequencies", "frequencies-multiplied"),
        },
    ),
    "first-lost-position": Answers(
        second=first_lost_position,
        asked=st.tuples(st.integers(1, 12)),
        right=(lambda n_digits: int("1" + "0" * (n_digits - 1) + "1", 2),),
        wrong=(
            ("still-there", lambda n: 2**n),
            ("all-digits-one", lambda n: 2**n - 1),
            ("next-but-one", lambda n: 2**n + 2),
            ("one-digit-fewer", lambda n: 2 ** (n - 1) + 1),
            ("one-digit-more", lambda n: 2 ** (n + 1) + 1),
            ("decimal-digits", lambda n: 10**n + 1),
            ("one-format-only", lambda n: next(i for i in range(9999) if int(np.float16(i)) != i)),
            ("caret-for-power", lambda n: 2 ^ n),
            ("", lambda n: n**2 + 1),
            ("pattern.always-the-same", lambda n: 65504),
            ("raised", lambda n: next(i for i in range(4096) if len(bin(i).rstrip("0")) > n + 2)),
            ("text", lambda n: f"1{'0' * (n - 1)}1"),
        ),
        alike={("one-digit-more", "caret-for-power")},
    ),
    "position-from-noisy-row": Answers(
        second=nearest_position,
        asked=noisy_rows(),
        right=(lambda row, n, base: (rows(np.arange(n), len(row), base) @ row).argmax(),),
        wrong=(
            ("slowest-hand-alone", nearest(lambda d: d[:, -2:] ** 2)),
            ("fastest-hand-alone", nearest(lambda d: d[:, :2] ** 2)),
            ("signs-cancel", nearest(lambda d: d, lambda sums: np.abs(sums).argmin())),
            ("farthest-for-nearest", nearest(np.square, np.argmax)),
            ("distance-for-position", nearest(np.square, np.min)),
            ("base-ignored", lambda row, n, base: nearest(np.square)(row, n, 10_000)),
            ("positions-from-one", nearest(np.square, lambda sums: sums.argmin() + 1)),
            ("not-in-a-straight-line", nearest(np.abs)),
            ("not-in-a-straight-line", nearest(lambda d: abs(d).max(axis=1, keepdims=True))),
            ("slowest-hand-alone", lambda row, n, base: round(turned(row) / slowest(row, base))),
        ),
        # The fastest hand turns by 1 with any base.
        alike={("fastest-hand-alone", "base-ignored")},
        equal_changes=AXIS
        | {
            "np.square(table - row).sum"
            " -> np.square(table - row).mean": "the smallest sum has the smallest mean",
            "table - row -> row - table": "a square has no sign",
        },
    ),
}
