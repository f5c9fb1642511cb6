"""Correct and wrong answers for lab 01, with the expected findings."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count

import numpy as np
from hypothesis import strategies as st
from numpy.linalg import norm

from . import Answers

SIZE = st.integers(1, 80)
WORDS = st.lists(st.integers(-8, 8).map(lambda x: x / 4), min_size=1, max_size=70).filter(any)
SHARES = st.integers(2, 99).map(lambda percent: percent / 100) | st.sampled_from((0.25, 0.5, 0.75))
TABLES = st.tuples(st.integers(1, 9), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from((0, 0.5, 1, -2)), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    ).map(lambda rows: (np.array(rows),))
)


def column(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.asarray(numbers)[:, np.newaxis] * np.ones(d_model)


def repeating(n_positions: int, d_model: int, period: int) -> list[list[float]]:
    table, step = [], 0
    for _ in range(n_positions):
        table.append([step / (period - 1)] * d_model)
        step = 0 if step == period - 1 else step + 1
    return table


def shares_in_fractions(n_positions: int, d_model: int, period: int) -> list[list[Fraction]]:
    return [[Fraction(position % period, period - 1)] * d_model for position in range(n_positions)]


def exchangeable(table: np.ndarray) -> list[list[int]]:
    rows = [tuple(map(float, row)) for row in table]
    return [[int(one == other) for other in rows] for one in rows]


def share(word: np.ndarray, position: int) -> float:
    word_length = math.sqrt(math.fsum(x * x for x in word))
    return word_length / (word_length + math.sqrt(len(word) * position**2))


def first(holds: Callable[[int], bool]) -> int:
    """Return the first position at which a condition holds."""
    return next(i for i in count() if holds(i))


def first_drowned(word: np.ndarray, least: float) -> int:
    return first(lambda i: share(word, i) < least)


def is_told_by_rounding(arguments: tuple[np.ndarray, float]) -> bool:
    """Return True if the share at a position equals the limit up to rounding."""
    word, least = arguments
    drowned = first_drowned(word, least)
    near = range(max(drowned - 1, 0), drowned + 2)
    return any(0 < abs(share(word, position) - least) < 1e-9 for position in near)


def normalized(n_positions: int, d_model: int) -> np.ndarray:
    return column(np.arange(n_positions) / max(n_positions - 1, 1), d_model)


def exposing_by(differ: Callable, any_shape: bool = False) -> Callable:
    """Return a solution with another criterion for different tables."""

    def exposing(attempt: Callable, longest: int, widest: int) -> list[list[float]]:
        table = np.ones((longest, widest))
        for n, d in np.ndindex(longest, widest):
            right, theirs = normalized(n + 1, d + 1), attempt(n + 1, d + 1)
            if any_shape or right.shape == theirs.shape:
                table[n, d] = differ(right, theirs)
        return table

    return exposing


def exposing_calls(attempt: Callable, longest: int, widest: int) -> list[list[int]]:
    table = []
    for n in range(1, longest + 1):
        table.append([])
        for d in range(1, widest + 1):
            theirs, wrong = attempt(n, d), 0
            if theirs.shape != (n, d):
                wrong = 1
            else:
                for i in range(n):
                    for number in theirs[i]:
                        if not abs(number - (i / (n - 1) if n > 1 else 0)) < 1e-9:
                            wrong = 1
            table[-1].append(wrong)
    return table


ATTEMPTS = (
    normalized,
    lambda n, d: normalized(n, d) * 3 / 0.3 / 10,
    lambda n, d: normalized(n + 1, d)[:n],
    lambda n, d: normalized(n, d)[::-1],
    lambda n, d: normalized(d, n).T,
    lambda n, d: normalized(n, 2),
    lambda n, d: np.where(np.arange(d) == 2, np.nan, normalized(n, d)),
)


def counted_from_one(n_positions: int, d_model: int) -> list[list[float]]:
    return [[number / n_positions] * d_model for number in range(1, n_positions + 1)]


ANSWERS = {
    "repeating-encoding": Answers(
        second=repeating,
        asked=st.tuples(SIZE, SIZE, st.integers(2, 90)),
        right=(shares_in_fractions,),
        wrong=(
            ("pattern.shape-in-arguments", lambda n, d, p: np.arange(n) % p / (p - 1)),
            ("", lambda n, d, p: 0.1 + 0.8 * np.array(repeating(n, d, p))),
        ),
        equal_changes={
            "shares[:, np.newaxis] * np.ones(d_model)"
            " -> shares[:, np.newaxis] / np.ones(d_model)": "all columns are times 1"
        },
    ),
    "exchangeable-words": Answers(
        second=exchangeable,
        asked=TABLES,
        right=(
            lambda table: [[np.array_equal(one, other) for other in table] for one in table],
            lambda table: norm(table[:, None] - table, axis=2) < 1e-9,
        ),
        wrong=(("rows-rounded", lambda t: norm(t[:, None] - t, axis=2) < 0.1),),
    ),
    "first-drowned-position": Answers(
        second=first_drowned,
        asked=st.tuples(WORDS.map(np.array), SHARES).filter(
            lambda asked: not is_told_by_rounding(asked)
        ),
        right=(lambda w, s: math.floor(norm(w) * (1 / s - 1) / len(w) ** 0.5) + 1,),
        wrong=(("nothing", lambda w, s: next((i for i in range(1000) if share(w, i) < s), None)),),
        equal_changes={"0 -> 1": "at position 0 no word drowns"},
    ),
    "exposing-calls": Answers(
        second=exposing_calls,
        asked=st.tuples(st.sampled_from(ATTEMPTS), st.integers(1, 7), st.integers(1, 7)),
        right=(exposing_by(lambda right, theirs: not np.allclose(right, theirs, 0, 1e-9)),),
        equal_changes={
            "np.allclose(theirs, right) -> np.allclose(right, theirs)": "near is near both ways"
        },
    ),
    "their-shares": Answers(
        second=counted_from_one,
        asked=st.tuples(SIZE, SIZE),
        right=(lambda n, d: np.tile(np.linspace(1 / n, 1, n)[:, None], d),),
        wrong=(
            (
                "",
                lambda n, d: np.tile((np.arange(n) + 1)[:, None] ** 2 / (3 * n), d),
            ),
        ),
    ),
}
