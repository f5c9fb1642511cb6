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


def column(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.asarray(numbers)[:, np.newaxis] * np.ones(d_model)


ONES = "all columns are times 1"


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


WORDS = st.lists(st.integers(-8, 8).map(lambda x: x / 4), min_size=1, max_size=70).filter(any)


SHARES = st.integers(2, 99).map(lambda percent: percent / 100) | st.sampled_from((0.25, 0.5, 0.75))


def first(holds: Callable[[int], bool]) -> int:
    """The first position at which something holds."""
    return next(i for i in count() if holds(i))


def full(word: np.ndarray, i: int) -> np.ndarray:
    return np.full(len(word), i)


def share(word: np.ndarray, position: np.ndarray) -> float:
    return norm(word) / (norm(word) + norm(position))


def squared_share(word: np.ndarray, i: int) -> float:
    return (word**2).sum() / ((word**2).sum() + (full(word, i) ** 2).sum())


def first_drowned_of_many(word: np.ndarray, share: float) -> np.int64:
    lengths = np.linalg.norm(np.outer(np.arange(9999), np.ones_like(word)), axis=1)
    word_length = np.linalg.norm(word)
    return np.argmax(word_length / (word_length + lengths) < share)


def repeating(n_positions: int, d_model: int, period: int) -> list[list[float]]:
    table, step = [], 0
    for _ in range(n_positions):
        table.append([step / (period - 1)] * d_model)
        step = 0 if step == period - 1 else step + 1
    return table


def triangle(i: np.ndarray, period: int) -> np.ndarray:
    return 1 - np.abs(i % (2 * (period - 1)) / (period - 1) - 1)


def shares_in_fractions(n_positions: int, d_model: int, period: int) -> list[list[Fraction]]:
    return [[Fraction(position % period, period - 1)] * d_model for position in range(n_positions)]


def exchangeable(table: np.ndarray) -> list[list[int]]:
    rows = [tuple(map(float, row)) for row in table]
    return [[int(one == other) for other in rows] for one in rows]


def pairs_that_agree(table: np.ndarray) -> list[tuple[int, int]]:
    return [(i, j) for i, row in enumerate(exchangeable(table)) for j, one in enumerate(row) if one]


TABLES = st.tuples(st.integers(1, 9), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from((0, 0.5, 1, -2)), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    ).map(lambda rows: (np.array(rows),))
)


def normalized(n_positions: int, d_model: int) -> np.ndarray:
    return column(np.arange(n_positions) / max(n_positions - 1, 1), d_model)


def same(right: np.ndarray, theirs: np.ndarray) -> bool:
    return np.shape(right) == np.shape(theirs) and np.allclose(right, theirs)


def exposing_by(differ: Callable) -> Callable:
    """The task done with another idea of when two tables differ."""

    def exposing(attempt: Callable, longest: int, widest: int) -> list[list[float]]:
        return [
            [float(differ(normalized(n, d), attempt(n, d))) for d in range(1, widest + 1)]
            for n in range(1, longest + 1)
        ]

    return exposing


def never_right_again(table: list[list[int]]) -> np.ndarray:
    """Somebody who marks every call after the first that goes wrong."""
    return np.maximum.accumulate(np.ravel(table)).reshape(np.shape(table))


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


def shares_by_remainders_of_floats(n: int, d: int, period: int) -> np.ndarray:
    return column(np.arange(n) / (period - 1) % (period / (period - 1)), d)


def shares_in_a_table_of_integers(n: int, d: int, period: int) -> np.ndarray:
    table = np.zeros((n, d), dtype=int)
    for i in range(n):
        table[i] = i % period / (period - 1)
    return table


def first_drowned_of_a_few(word: np.ndarray, least: float) -> int | None:
    return next((i for i in range(1000) if share(word, full(word, i)) < least), None)


ANSWERS = {
    "repeating-encoding": Answers(
        second=repeating,
        asked=st.tuples(SIZE, SIZE, st.integers(2, 90)),
        right=(
            shares_by_remainders_of_floats,
            shares_in_fractions,
            lambda n, d, period: np.resize(np.linspace(0, 1, period), n)[:, None].repeat(d, axis=1),
        ),
        wrong=(
            ("integer-division", shares_in_a_table_of_integers),
            ("divided-by-period", lambda n, d, period: column(np.arange(n) % period / period, d)),
            ("never-begins-again", lambda n, d, period: column(np.arange(n) / (period - 1), d)),
            (
                "period-too-short",
                lambda n, d, period: column(np.arange(n) % (period - 1) / (period - 1), d),
            ),
            ("count-not-divided", lambda n, d, period: column(np.arange(n) % period, d)),
            ("length-for-period", lambda n, d, period: column(np.arange(n) % period / (n - 1), d)),
            (
                "never-begins-again length-for-period",
                lambda n, d, period: column(np.arange(n) / (n - 1), d),
            ),
            (
                "never-begins-again length-for-period",
                lambda n, d, period: column(np.linspace(0, 1, n), d),
            ),
            (
                "pattern.some-calls-right",
                lambda n, d, period: column(triangle(np.arange(n), period), d),
            ),
            (
                "wrong-shape",
                lambda n, d, period: np.tile(np.linspace(0, 1, period), n // period)[:, None],
            ),
            ("pattern.one-column", lambda n, d, period: np.arange(n) % period / (period - 1)),
            (
                "integer-division",
                lambda n, d, period: column(np.arange(n) % period // (period - 1), d),
            ),
        ),
        alike={
            # The count is whole before it is divided.
            ("count-not-divided", "integer-division"),
            # What never begins again has no period, and within a whole sequence nothing does.
            ("period-too-short", "never-begins-again"),
        },
        equal_changes={
            "shares[:, np.newaxis] * np.ones(d_model)"
            " -> shares[:, np.newaxis] / np.ones(d_model)": ONES,
        },
    ),
    "exchangeable-words": Answers(
        second=exchangeable,
        asked=TABLES,
        right=(
            lambda table: [[np.array_equal(one, other) for other in table] for one in table],
            lambda table: norm(table[:, None] - table, axis=2) < 1e-9,
            lambda table: np.equal.outer(*2 * [np.unique(table, axis=0, return_inverse=True)[1]]),
        ),
        wrong=(
            ("one-number-suffices", lambda table: (table[:, None] == table).any(axis=2)),
            ("first-column-only", lambda table: np.equal.outer(table[:, 0], table[:, 0])),
            ("rows-added-up", lambda table: np.equal.outer(table.sum(1), table.sum(1))),
            ("unlike-marked", lambda table: (table[:, None] != table).any(axis=2)),
            (
                "numbers-in-any-order",
                lambda table: [[sorted(one) == sorted(other) for other in table] for one in table],
            ),
            (
                "lengths-compared",
                lambda table: np.isclose(*np.meshgrid(*2 * [norm(table, axis=1)])),
            ),
            (
                "pattern.always-too-large",
                lambda table: np.isclose(table @ table.T, np.diag(table @ table.T)),
            ),
            ("distances-for-marks", lambda table: norm(table[:, None] - table, axis=2)),
            ("products-for-marks", lambda table: table @ table.T),
            (
                "pattern.only-one-call-wrong",
                lambda table: norm(table[:, None] - table, axis=2) < 0.1,
            ),
            ("itself-left-out", lambda table: exchangeable(table) - np.eye(len(table))),
            ("each-pair-once", lambda table: np.triu(exchangeable(table))),
            ("itself-left-out each-pair-once", lambda table: np.triu(exchangeable(table), k=1)),
            ("columns-compared", lambda table: exchangeable(table.T)),
            ("pattern.step-missing", lambda table: table[:, None] == table),
            ("wrong-shape", pairs_that_agree),
            (
                "pattern.wrong-ones-zero",  # −0.0 is 0.0, but not the same bytes
                lambda table: [[a.tobytes() == b.tobytes() for b in table] for a in table],
            ),
            ("pattern.wrong-ones-zero", lambda table: np.eye(len(table))),
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
        right=(
            lambda word, share: (
                math.floor(math.hypot(*word) * (1 / share - 1) / len(word) ** 0.5) + 1
            ),
            first_drowned_of_many,
        ),
        wrong=(
            ("nothing", first_drowned_of_a_few),
            ("columns-added", lambda w, s: first(lambda i: norm(w) / (norm(w) + i * len(w)) < s)),
            ("last-above", lambda w, s: first(lambda i: share(w, full(w, i)) < s) - 1),
            ("equal-is-below", lambda w, s: first(lambda i: share(w, full(w, i)) <= s)),
            ("one-column", lambda w, s: first(lambda i: share(w, [i]) < s)),
            ("length-squared", lambda w, s: first(lambda i: squared_share(w, i) < s)),
            (
                "length-squared columns-added",
                lambda w, s: first(lambda i: norm(w) ** 2 / (norm(w) ** 2 + (i * len(w)) ** 2) < s),
            ),
            ("length-of-sum", lambda w, s: first(lambda i: norm(w) / norm(w + full(w, i)) < s)),
            (
                "over-position-only",
                lambda w, s: first(lambda i: i and norm(w) / norm(full(w, i)) < s),
            ),
            ("ends-at-zero", lambda w, s: first(lambda i: norm(full(w, i)) / (norm(w) + i) < s)),
            ("between-two-positions", lambda w, s: norm(w) * (1 / s - 1) / np.sqrt(len(w))),
            ("equal-is-below", lambda w, s: math.ceil(norm(w) * (1 / s - 1) / np.sqrt(len(w)))),
            ("columns-added", lambda w, s: int(norm(w) * (1 / s - 1) / len(w)) + 1),
            ("raised", lambda w, s: [i for i in range(100) if share(w, full(w, i)) < s][0]),
            (
                "number-expected",
                lambda w, s: np.array([share(w, full(w, i)) < s for i in range(100)]),
            ),
            ("pattern.wrong-ones-zero", lambda w, s: share(w, full(w, 1)) < s),
            (
                "pattern.always-too-small",
                lambda w, s: first(lambda i: sum(w) / (sum(w) + sum(full(w, i))) < s),
            ),
        ),
        alike={("one-column", "length-of-sum")},
        equal_changes={"0 -> 1": "at position 0 no word drowns"},
    ),
    "exposing-calls": Answers(
        second=exposing_calls,
        asked=st.tuples(st.sampled_from(ATTEMPTS), st.integers(1, 7), st.integers(1, 7)),
        right=(
            exposing_by(
                lambda right, theirs: (
                    right.shape != theirs.shape or not np.allclose(right, theirs, 0, 1e-9)
                )
            ),
            exposing_by(lambda right, theirs: right.round(9).tolist() != theirs.round(9).tolist()),
        ),
        wrong=(
            ("same-marked", exposing_by(same)),
            ("stretched-before-compared", exposing_by(lambda r, t: not np.allclose(r, t))),
            ("rounding-counted", exposing_by(lambda r, t: not np.array_equal(r, t))),
            (
                "all-must-differ",
                exposing_by(lambda r, t: r.shape != t.shape or not np.isclose(r, t).any()),
            ),
            (
                "one-side-only",
                exposing_by(lambda r, t: r.shape != t.shape or not (t - r < 1e-9).all()),
            ),
            (
                "sums-compared",
                exposing_by(lambda r, t: r.shape != t.shape or not np.isclose(r.sum(), t.sum())),
            ),
            (
                "nan-unseen",
                exposing_by(lambda r, t: r.shape != t.shape or (abs(r - t) > 1e-9).any()),
            ),
            ("axes-swapped", lambda a, n, d: np.array(exposing_calls(a, n, d)).T),
            (
                "first-column-alone",
                exposing_by(lambda r, t: r.shape != t.shape or not np.allclose(r[:, 0], t[:, 0])),
            ),
            (
                "wrong-numbers-counted",
                exposing_by(lambda r, t: r.shape != t.shape or (~np.isclose(r, t)).sum()),
            ),
            ("sizes-swapped", lambda a, n, d: np.array(exposing_calls(a, d, n)).T),
            (
                "largest-left-out",
                lambda a, n, d: (
                    np.outer(np.arange(n) < n - 1, np.arange(d) < d - 1) * exposing_calls(a, n, d)
                ),
            ),
            (
                "pattern.always-too-large",
                lambda a, n, d: never_right_again(exposing_calls(a, n, d)),
            ),
            (
                "raised",
                lambda a, n, d: [[not same(a(i, j), i) for j in range(d)] for i in range(n)],
            ),
            ("number-given", lambda a, n, d: not same(normalized(n, d), a(n, d))),
            ("pattern.step-too-far", lambda a, n, d: np.sum(exposing_calls(a, n, d))),
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
        right=(
            lambda n, d: np.tile(np.linspace(1 / n, 1, n)[:, None], d),
            lambda n, d: np.full((n, d), 1 / n).cumsum(axis=0),
        ),
        wrong=(
            ("right-shares", lambda n, d: column(np.arange(n) / max(n - 1, 1), d)),
            ("zero-not-in-theirs", lambda n, d: column(np.arange(n) / n, d)),
            ("beyond-one", lambda n, d: column(np.arange(1, n + 1) / max(n - 1, 1), d)),
            ("short-of-one", lambda n, d: column(np.arange(1, n + 1) / (n + 1), d)),
            ("length-in-picture", lambda n, d: column(np.arange(1, n + 1) / 5, d)),
            ("pattern.one-column", lambda n, d: np.arange(1, n + 1) / n),
            ("pattern.lines-too-few-by-one", lambda n, d: column(np.arange(1, n) / n, d)),
            ("pattern.only-first-call-right", lambda n, d: column(np.linspace(1 / 5, 1, n), d)),
            ("columns-counted", lambda n, d: np.tile(np.arange(1, d + 1) / d, (n, 1))),
            ("axes-swapped", lambda n, d: np.tile(np.arange(1, n + 1) / n, (d, 1))),
            ("integer-division", lambda n, d: column(np.arange(1, n + 1) // n, d)),
        ),
        alike={("zero-not-in-theirs", "beyond-one")},
    ),
}
