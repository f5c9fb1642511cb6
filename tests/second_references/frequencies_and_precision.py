"""Lab 05 a second time."""

import math

import numpy as np
from hypothesis import strategies as st

from . import Second


def first_return(multiples: np.ndarray, step: float) -> float:
    largest = max(shared for shared in range(1, min(multiples) + 1) if divides(shared, multiples))
    return math.tau / (largest * step)


def divides(shared: int, multiples: np.ndarray) -> bool:
    for multiple in multiples:
        if multiple % shared:
            return False
    return True


def most_similar_distance(frequencies: np.ndarray, shortest: int, longest: int) -> int:
    best, highest = shortest, -math.inf
    for distance in range(shortest, longest + 1):
        total = math.fsum(math.cos(distance * frequency) for frequency in frequencies)
        if total > highest:
            best, highest = distance, total
    return best


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


def first_lost_position(n_digits: int) -> int:
    position = 1
    while digits_that_count(position) <= n_digits:
        position += 1
    return position


def digits_that_count(position: int) -> int:
    while position % 2 == 0:
        position //= 2
    return position.bit_length()


EVEN_FROM_FOUR = st.integers(2, 100).map(lambda n_pairs: 2 * n_pairs)
FREQUENCIES = st.one_of(
    st.integers(1, 32).map(lambda n_pairs: np.arange(n_pairs, 0, -1) / n_pairs),
    st.lists(st.floats(0.02, 3.1), min_size=1, max_size=8).map(np.array),
)
ENDS = st.integers(1, 60).flatmap(
    lambda shortest: st.tuples(st.just(shortest), st.integers(shortest + 1, shortest + 90))
)

SECOND = {
    "first-return": Second(
        first_return,
        st.tuples(
            st.lists(st.integers(1, 60), min_size=1, max_size=8).map(np.array), st.floats(0.001, 3)
        ),
    ),
    "most-similar-distance": Second(
        most_similar_distance,
        st.tuples(FREQUENCIES, ENDS).map(lambda drawn: (drawn[0], *drawn[1])),
    ),
    "base-for-quarter-turn": Second(
        base_for_quarter_turn, st.tuples(st.integers(3, 100_000), EVEN_FROM_FOUR)
    ),
    "their-frequencies": Second(their_frequencies, st.tuples(EVEN_FROM_FOUR)),
    "first-lost-position": Second(first_lost_position, st.tuples(st.integers(1, 12))),
}
