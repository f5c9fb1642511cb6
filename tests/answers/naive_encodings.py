"""Lab 01: right answers, wrong ones, and what is found in them."""

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


def shares_in_a_table_of_integers(n: int, d: int, period: int) -> np.ndarray:
    table = np.zeros((n, d), dtype=int)
    for i in range(n):
        table[i] = i % period / (period - 1)
    return table


def exchangeable(table: np.ndarray) -> list[list[int]]:
    rows = [tuple(map(float, row)) for row in table]
    return [[int(one == other) for other in rows] for one in rows]


def share(word: np.ndarray, position: int) -> float:
    word_length = math.sqrt(math.fsum(x * x for x in word))
    return word_length / (word_length + math.sqrt(len(word) * position**2))


def first(holds: Callable[[int], bool]) -> int:
    """The first position at which something holds."""
    return next(i for i in count() if holds(i))


def first_drowned(word: np.ndarray, least: float) -> int:
    return first(lambda i: share(word, i) < least)


def is_told_by_rounding(arguments: tuple[np.ndarray, float]) -> bool:
    """Whether the share is met at a position up to the last digits, in which sums may differ."""
    word, least = arguments
    drowned = first_drowned(word, least)
    near = range(max(drowned - 1, 0), drowned + 2)
    return any(0 < abs(share(word, position) - least) < 1e-9 for position in near)


def normalized(n_positions: int, d_model: int) -> np.ndarray:
    return column(np.arange(n_positions) / max(n_positions - 1, 1), d_model)


def exposing_by(differ: Callable, any_shape: bool = False) -> Callable:
    """The task done with another idea of when two tables differ."""

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


def but_for_the_largest(attempt: Callable, longest: int, widest: int) -> np.ndarray:
    return np.pad(exposing_calls(attempt, longest - 1, widest - 1), (0, 1)) if widest > 1 else [[0]]


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
        right=(
            lambda n, d, p: column(np.arange(n) / (p - 1) % (p / (p - 1)), d),
            shares_in_fractions,
        ),
        wrong=(
            ("integer-division", shares_in_a_table_of_integers),
            ("divided-by-period", lambda n, d, p: column(np.arange(n) % p / p, d)),
            ("never-begins-again", lambda n, d, p: column(np.arange(n) / (p - 1), d)),
            ("period-too-short", lambda n, d, p: column(np.arange(n) % (p - 1) / (p - 1), d)),
            ("count-not-divided", lambda n, d, p: column(np.arange(n) % p, d)),
            ("length-for-period", lambda n, d, p: column(np.arange(n) % p / (n - 1), d)),
            (
                "never-begins-again length-for-period",
                lambda n, d, p: column(np.linspace(0, 1, n), d),
            ),
            ("pattern.one-column", lambda n, d, p: np.arange(n) % p / (p - 1)),
        ),
        alike={
            # The count is whole before it is divided.
            ("count-not-divided", "integer-division"),
            # What never begins again has no period, and within a whole sequence nothing does.
            ("period-too-short", "never-begins-again"),
        },
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
        wrong=(
            ("one-number-suffices", lambda table: (table[:, None] == table).any(axis=2)),
            ("first-column-only", lambda table: np.equal.outer(table[:, 0], table[:, 0])),
            ("rows-added-up", lambda table: np.equal.outer(table.sum(1), table.sum(1))),
            ("unlike-marked", lambda table: (table[:, None] != table).any(axis=2)),
            ("numbers-in-any-order", lambda table: exchangeable(np.sort(table))),
            ("lengths-compared", lambda table: exchangeable(norm(table, axis=1)[:, None].round(9))),
            ("distances-for-marks", lambda table: norm(table[:, None] - table, axis=2)),
            ("products-for-marks", lambda table: table @ table.T),
            ("pattern.only-one-call-wrong", lambda t: norm(t[:, None] - t, axis=2) < 0.1),
            ("itself-left-out", lambda table: exchangeable(table) - np.eye(len(table))),
            ("each-pair-once", lambda table: np.triu(exchangeable(table))),
            ("columns-compared", lambda table: exchangeable(table.T)),
            (
                "pattern.wrong-ones-zero",  # −0.0 is 0.0, but not the same bytes
                lambda table: [[a.tobytes() == b.tobytes() for b in table] for a in table],
            ),
        ),
        alike={
            # A row and itself are not unlike, and at no distance.
            ("unlike-marked", "itself-left-out"),
            ("distances-for-marks", "itself-left-out"),
        },
    ),
    "first-drowned-position": Answers(
        second=first_drowned,
        asked=st.tuples(WORDS.map(np.array), SHARES).filter(
            lambda asked: not is_told_by_rounding(asked)
        ),
        right=(lambda w, s: math.floor(norm(w) * (1 / s - 1) / len(w) ** 0.5) + 1,),
        wrong=(
            ("nothing", lambda w, s: next((i for i in range(1000) if share(w, i) < s), None)),
            ("columns-added", lambda w, s: first(lambda i: norm(w) / (norm(w) + i * len(w)) < s)),
            ("last-above", lambda w, s: first_drowned(w, s) - 1),
            ("one-column", lambda w, s: first(lambda i: norm(w) / (norm(w) + i) < s)),
            ("length-squared", lambda w, s: first(lambda i: w @ w / (w @ w + len(w) * i**2) < s)),
            ("length-of-sum", lambda w, s: first(lambda i: norm(w) / norm(w + i) < s)),
            ("over-position-only", lambda w, s: first(lambda i: norm(w) < s * i * len(w) ** 0.5)),
            ("absolute-sum", lambda w, s: first(lambda i: (1 - s) * sum(abs(w)) < s * len(w) * i)),
            ("ends-at-zero", lambda w, s: first(lambda i: share(w, i) > s)),
            ("between-two-positions", lambda w, s: norm(w) * (1 / s - 1) / np.sqrt(len(w))),
            ("equal-is-below", lambda w, s: math.ceil(norm(w) * (1 / s - 1) / np.sqrt(len(w)))),
        ),
        alike={("one-column", "length-of-sum")},
        equal_changes={"0 -> 1": "at position 0 no word drowns"},
    ),
    "exposing-calls": Answers(
        second=exposing_calls,
        asked=st.tuples(st.sampled_from(ATTEMPTS), st.integers(1, 7), st.integers(1, 7)),
        right=(exposing_by(lambda right, theirs: not np.allclose(right, theirs, 0, 1e-9)),),
        wrong=(
            ("same-marked", lambda *given: 1 - np.array(exposing_calls(*given))),
            ("stretched-before-compared", exposing_by(lambda r, t: not np.allclose(r, t), True)),
            ("rounding-counted", exposing_by(lambda r, t: not np.array_equal(r, t))),
            ("all-must-differ", exposing_by(lambda r, t: not np.isclose(r, t).any())),
            ("one-side-only", exposing_by(lambda r, t: not (t - r < 1e-9).all())),
            ("sums-compared", exposing_by(lambda r, t: not np.isclose(r.sum(), t.sum()))),
            ("nan-unseen", exposing_by(lambda r, t: (abs(r - t) > 1e-9).any())),
            ("axes-swapped", lambda a, n, d: np.array(exposing_calls(a, n, d)).T),
            ("first-column-alone", exposing_by(lambda r, t: not np.allclose(r[:, 0], t[:, 0]))),
            ("wrong-numbers-counted", exposing_by(lambda r, t: (~np.isclose(r, t)).sum())),
            ("sizes-swapped", lambda a, n, d: np.array(exposing_calls(a, d, n)).T),
            ("largest-left-out", but_for_the_largest),
        ),
        alike={
            # One sum is one number.
            ("sums-compared", "wrong-numbers-counted"),
            # No rounding shows in two positions.
            ("rounding-counted", "sizes-swapped"),
        },
        equal_changes={
            "np.allclose(theirs, right) -> np.allclose(right, theirs)": "near is near both ways"
        },
    ),
    "their-shares": Answers(
        second=counted_from_one,
        asked=st.tuples(SIZE, SIZE),
        right=(lambda n, d: np.tile(np.linspace(1 / n, 1, n)[:, None], d),),
        wrong=(
            ("right-shares", lambda n, d: column(np.arange(n) / max(n - 1, 1), d)),
            ("right-shares axes-swapped", lambda n, d: normalized(n, d).T),
            ("zero-not-in-theirs", lambda n, d: column(np.arange(n) / n, d)),
            ("beyond-one", lambda n, d: column(np.arange(1, n + 1) / max(n - 1, 1), d)),
            ("short-of-one", lambda n, d: column(np.arange(1, n + 1) / (n + 1), d)),
            ("length-in-picture", lambda n, d: column(np.arange(1, n + 1) / 5, d)),
            ("columns-counted", lambda n, d: np.tile(np.arange(1, d + 1) / d, (n, 1))),
            ("axes-swapped", lambda n, d: np.tile(np.arange(1, n + 1) / n, (d, 1))),
            ("integer-division", lambda n, d: column(np.arange(1, n + 1) // n, d)),
        ),
        alike={("zero-not-in-theirs", "beyond-one")},
    ),
}
