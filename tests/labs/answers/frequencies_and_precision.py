"""Correct and wrong answers for lab 05, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from . import Answers
from .sinusoidal import rows

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
    """Return a typical search with one change."""

    def search(frequencies: np.ndarray, shortest: int, longest: int) -> int:
        distances = np.arange(shortest + first, longest + end)
        return distances[choose(wave(np.outer(distances, frequencies)).sum(axis=1))]

    return search


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
        wrong=(("", lambda m, step: 2 * np.pi * len(m)),),
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
            (
                "pattern.repair-hard-coded",
                lambda f, a, b: np.argmax([np.cos(s * f).sum() for s in range(a, b + 1)]) + 1,
            ),
        ),
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
        wrong=(("pattern.reciprocal", lambda n, d: (math.pi / 2 / (n - 1)) ** (d / (d - 2))),),
    ),
    "their-frequencies": Answers(
        second=their_frequencies,
        asked=st.tuples(EVEN_FROM_FOUR),
        right=(lambda d: 1 / np.logspace(0, 4, d // 2),),
        wrong=(
            ("pattern.factor", lambda d: 2 * np.pi * np.geomspace(1, 1e-4, d // 2)),
            ("pattern.few-digits", lambda d: np.geomspace(1, 1e-4, d // 2).round(5)),
            # The norm is correct except for the fifth digit, so it does not reveal the mistake.
            (
                "pattern.repair-extra",
                lambda d: np.geomspace(1, 1e-4, d // 2) * ([1] * (d // 2 - 1) + [1.3]),
            ),
        ),
    ),
    "first-lost-position": Answers(
        second=first_lost_position,
        asked=st.tuples(st.integers(1, 12)),
        right=(lambda n_digits: int("1" + "0" * (n_digits - 1) + "1", 2),),
        wrong=(
            ("digits-not-in-exponent", lambda n: n**2 + 1),
            ("pattern.repair-hard-coded", lambda n: 2**24 + 1),
            ("raised", lambda n: next(i for i in range(4096) if len(bin(i).rstrip("0")) > n + 2)),
            ("text", lambda n: f"1{'0' * (n - 1)}1"),
        ),
    ),
    "position-from-noisy-row": Answers(
        second=nearest_position,
        asked=noisy_rows(),
        right=(lambda row, n, base: (rows(np.arange(n), len(row), base) @ row).argmax(),),
        # The fastest hand turns by 1 radian per position with any base.
        equal_changes=AXIS
        | {
            "np.square(table - row).sum"
            " -> np.square(table - row).mean": "the smallest sum has the smallest mean",
            "table - row -> row - table": "a square has no sign",
        },
    ),
}
