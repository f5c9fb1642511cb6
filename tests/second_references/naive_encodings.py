"""Lab 01 a second time."""

import math
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from . import Second

SIZE = st.integers(1, 80)


def countdown(n_positions: int, d_model: int) -> list[list[int]]:
    table = []
    for following in range(n_positions - 1, -1, -1):
        table.append([following] * d_model)
    return table


def part_of_the_lengths(word: np.ndarray, position: int) -> float:
    word_length = math.sqrt(math.fsum(x * x for x in word))
    return word_length / (word_length + math.sqrt(len(word) * position**2))


def first_drowned(word: np.ndarray, share: float) -> int:
    position = 0
    while part_of_the_lengths(word, position) >= share:
        position += 1
    return position


def is_told_by_rounding(arguments: tuple[np.ndarray, float]) -> bool:
    """Whether the share is met at a position up to the last digits, in which sums may differ."""
    word, share = arguments
    first = first_drowned(word, share)
    return any(
        0 < abs(part_of_the_lengths(word, position) - share) < 1e-9
        for position in range(max(first - 1, 0), first + 2)
    )


def repeating(n_positions: int, d_model: int, period: int) -> list[list[float]]:
    table, step = [], 0
    for _ in range(n_positions):
        table.append([step / (period - 1)] * d_model)
        step = 0 if step == period - 1 else step + 1
    return table


def largest_change(encoding: Callable, n_positions: int, longer: int, d_model: int) -> float:
    shorter_table, longer_table = encoding(n_positions, d_model), encoding(longer, d_model)
    largest = 0.0
    for row in range(n_positions):
        for column in range(d_model):
            change = abs(float(longer_table[row][column]) - float(shorter_table[row][column]))
            largest = max(largest, change)
    return largest


def counted_from_one(n_positions: int, d_model: int) -> list[list[float]]:
    return [[number / n_positions] * d_model for number in range(1, n_positions + 1)]


def made_up_encoding(seed: int) -> Callable[[int, int], np.ndarray]:
    """Other numbers for each length and each number of dimensions."""

    def encoding(n_positions: int, d_model: int) -> np.ndarray:
        random = np.random.default_rng((seed, n_positions, d_model))
        return random.normal(size=(n_positions, d_model))

    return encoding


WORDS = st.lists(st.integers(-8, 8).map(lambda x: x / 4), min_size=1, max_size=70).filter(any)
SHARES = st.integers(2, 99).map(lambda percent: percent / 100) | st.sampled_from((0.25, 0.5, 0.75))
LENGTHS = st.tuples(SIZE, SIZE).map(lambda sizes: (sizes[0], sum(sizes)))

SECOND = {
    "countdown-encoding": Second(countdown, st.tuples(SIZE, SIZE)),
    "first-drowned-position": Second(
        first_drowned,
        st.tuples(WORDS.map(np.array), SHARES).filter(lambda asked: not is_told_by_rounding(asked)),
    ),
    "repeating-encoding": Second(repeating, st.tuples(SIZE, SIZE, st.integers(2, 90))),
    "largest-change": Second(
        largest_change,
        st.tuples(st.integers(0, 9).map(made_up_encoding), LENGTHS, SIZE).map(
            lambda drawn: (drawn[0], *drawn[1], drawn[2])
        ),
    ),
    "their-shares": Second(counted_from_one, st.tuples(SIZE, SIZE)),
}
