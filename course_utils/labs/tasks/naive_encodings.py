"""Lab 01: encodings that meet only some requirements, and tests for them."""

import math
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from ...encodings import index_encoding, normalized_encoding
from ..exercise import Answer, Exercise, Steps


def _in_each_column(numbers: Callable[..., NDArray]) -> Answer:
    """Create an answer that returns a table with equal columns."""

    def table(n_positions: int, d_model: int, *more: int) -> NDArray:
        column = numbers(np.arange(n_positions), n_positions, *more)
        return np.tile(column[:, np.newaxis], d_model)

    return table


def repeating_encoding(n_positions: int, d_model: int, period: int) -> NDArray:
    """Return values that repeatedly increase from 0 to 1 in equal steps."""
    shares = np.arange(n_positions) % period / (period - 1)
    return np.tile(shares[:, np.newaxis], d_model)


def _round_by_hand(place: tuple, n_positions: int, d_model: int, period: int) -> Steps:
    past, last = place[0] % period, period - 1
    return {"i": place[0], "period": period, "last": last, "past": past, "result": past / last}


REPEATING_ENCODING = Exercise(
    id="repeating-encoding",
    reference=repeating_encoding,
    cases=((9, 3, 5), (6, 4, 9), (3, 2, 5), (1, 8, 3), (11, 1, 2), (60, 2, 17), (60, 2, 7)),
    by_hand=_round_by_hand,
    misconceptions={
        "divided-by-period": _in_each_column(lambda i, n, period: i % period / period),
        "count-not-divided": _in_each_column(lambda i, n, period: i % period),
        "period-too-short": [
            _in_each_column(lambda i, n, period: i % (period - 1) / (period - 1)),
            _in_each_column(lambda i, n, period: i % (period - 1) / period),
            _in_each_column(lambda i, n, period: i % (period - 1) / max(period - 2, 1)),
        ],
        "never-begins-again": _in_each_column(lambda i, n, period: i / (period - 1)),
        "never-begins-again length-for-period": [
            lambda n, d, period: normalized_encoding(n, d),
            _in_each_column(lambda i, n, period: i / (n - 1)),
        ],
        "length-for-period": [
            _in_each_column(lambda i, n, period: i % period / (n - 1)),
            _in_each_column(lambda i, n, period: i % period / max(n - 1, 1)),
        ],
        "positions-from-one": lambda n, d, period: repeating_encoding(n + 1, d, period)[1:],
        "integer-division": _in_each_column(lambda i, n, period: i % period // (period - 1)),
        "remainder-of-fractions": _in_each_column(
            lambda i, n, period: i / (period - 1) % (period / (period - 1))
        ),
        "columns-counted": lambda n, d, period: repeating_encoding(d, n, period).T,
        "never-begins-again length-for-period remainder-of-fractions": _in_each_column(
            lambda i, n, period: i / max(n - 1, 1) % 1
        ),
        "starts-above-zero": [
            _in_each_column(lambda i, n, period: (i % period + 1) / period),
            _in_each_column(lambda i, n, period: (i % period + 1) / (period - 1)),
        ],
        "quotient-for-remainder": [
            _in_each_column(lambda i, n, period: i // period),
            _in_each_column(lambda i, n, period: i // period / (period - 1)),
            _in_each_column(lambda i, n, period: i / period),
        ],
        "stays-at-one": _in_each_column(lambda i, n, period: np.minimum(i / (period - 1), 1)),
        "one-subtracted-last": _in_each_column(lambda i, n, period: i % period / period - 1),
        "largest-present-divides": _in_each_column(
            lambda i, n, period: i % period / max((i % period).max(), 1)
        ),
        "columns-also-counted": lambda n, d, period: (
            (np.arange(n)[:, np.newaxis] + np.arange(d)) % period / (period - 1)
        ),
        "goes-down-again": [
            _in_each_column(lambda i, n, period: 1 - abs(i % (2 * period - 2) / (period - 1) - 1)),
            _in_each_column(lambda i, n, period: 1 - abs(i % period / (period / 2) - 1)),
            _in_each_column(lambda i, n, period: 0.5 - 0.5 * np.cos(math.tau * i / period)),
            _in_each_column(lambda i, n, period: 0.5 - 0.5 * np.cos(math.pi * i / (period - 1))),
            _in_each_column(lambda i, n, period: 0.5 + 0.5 * np.sin(math.tau * i / period)),
            _in_each_column(lambda i, n, period: abs(np.sin(math.pi * i / period))),
        ],
        "falls-within-period": [
            _in_each_column(lambda i, n, period: 1 - i % period / period),
            _in_each_column(lambda i, n, period: 1 - i % period / (period - 1)),
        ],
        "goes-below-zero": [
            _in_each_column(lambda i, n, period: 2 * (i % period) / period - 1),
            _in_each_column(lambda i, n, period: 2 * (i % period) / (period - 1) - 1),
        ],
        "period-too-long": [
            _in_each_column(lambda i, n, period: i % (period + 1) / (period - 1)),
            _in_each_column(lambda i, n, period: i % (period + 1) / period),
        ],
        "begins-again-once": _in_each_column(
            lambda i, n, period: np.where(i < period, i, i - period) / (period - 1)
        ),
        "zeros-after-period": _in_each_column(
            lambda i, n, period: np.where(i < period, i / (period - 1), 0)
        ),
        "one-at-both-ends": _in_each_column(
            lambda i, n, period: np.where((i > 0) & (i % period == 0), 1, i % period / (period - 1))
        ),
    },
)


def exchangeable(table: NDArray) -> NDArray:
    """Return a table that is 1 for pairs of positions with equal rows, and 0 otherwise."""
    return (table[:, np.newaxis] == table).all(axis=2)


def _of_each_two(judge: Callable[[NDArray, NDArray], NDArray]) -> Answer:
    return lambda table: judge(table[:, np.newaxis], table)


def _similarities(table: NDArray) -> NDArray[np.float64]:
    """Return the cosine similarities of all rows, which are undefined for rows of zeros."""
    units = table / norm(table, axis=1, keepdims=True)
    return units @ units.T


def _units(table: NDArray) -> NDArray[np.float64]:
    """Return the rows with norm 1; a row of zeros is unchanged."""
    return table / np.maximum(norm(table, axis=1, keepdims=True), 1e-9)


def _rows_by_hand(place: tuple, table: NDArray) -> Steps:
    one, other = (table[position] + 0.0 for position in place)
    unlike = sum(abs(a - b) > 1e-9 for a, b in zip(one, other, strict=True))
    return dict(
        **dict(zip("ij", place, strict=True)),
        one=one,
        other=other,
        unlike=unlike,
        result=float(unlike == 0),
    )


EXCHANGEABLE_WORDS = Exercise(
    id="exchangeable-words",
    reference=exchangeable,
    cases=(
        (repeating_encoding(7, 3, 4),),
        (np.array([[0, 1], [1, 0], [0, 0], [0, 1]]),),
        (normalized_encoding(5, 2),),
        (np.array([[0.5, 2, 1], [0.5, 1, 2], [2, 0.5, 1], [0.5, 1, 2], [0, 1, 2]]),),
        (np.array([[1, 1, 0], [0, 2, 4], [1, 1, 0], [2, 0, 0]]),),
        (np.zeros((4, 6)) * [[1], [-1], [1], [1]],),  # −0.0 and 0.0 are the same number
        (np.array([[3.0]]),),
        (repeating_encoding(40, 2, 9),),
        (np.array([[0.5, -1.5], [-0.5, 1.5], [0.5, -1.5], [1.5, -0.5]]),),
        (np.array([[0, 5, 3], [5, 0, 4]]),),
        (np.array([[0.5, 1.0], [0.5, 1.0002]]),),  # differ by more than rounding
        (np.array([[1, 2, 3, 4], [1, 2, 5, 4], [1, 2, 3, 4]]),),
        (np.array([[2, 7], [5, 1], [5, 1]]),),  # equal neighbours after row 0
    ),
    typed=(
        "repeating_encoding(7, 3, 4)",
        "np.array([[0, 1], [1, 0], [0, 0], [0, 1]])",
        "normalized_encoding(5, 2)",
    ),
    by_hand=_rows_by_hand,
    misconceptions={
        "one-number-suffices": _of_each_two(lambda one, other: (one == other).any(axis=-1)),
        "first-column-only": lambda table: table[:, [0]] == table[:, 0],
        "rows-added-up": lambda table: table.sum(axis=1)[:, np.newaxis] == table.sum(axis=1),
        "unlike-marked": lambda table: ~exchangeable(table),
        "distances-for-marks": [
            _of_each_two(lambda one, other: norm(one - other, axis=-1)),
            _of_each_two(lambda one, other: ((one - other) ** 2).sum(axis=-1)),
            _of_each_two(lambda one, other: abs(one - other).sum(axis=-1)),
        ],
        "products-for-marks": [
            lambda table: table @ table.T,
            lambda table: table @ table.T > 0,
        ],
        "numbers-in-any-order": [
            lambda table: exchangeable(np.sort(table)),
            lambda table: [[np.isin(other, one).all() for other in table] for one in table],
            lambda table: [[np.isin(one, other).all() for other in table] for one in table],
        ],
        "equal-numbers-counted": [
            _of_each_two(lambda one, other: (one == other).sum(axis=-1)),
            _of_each_two(lambda one, other: (one == other).mean(axis=-1)),
            _of_each_two(lambda one, other: (one == other).mean(axis=-1) >= 0.5),
        ],
        "largest-compared": [
            lambda table: table.max(axis=1)[:, np.newaxis] == table.max(axis=1),
            lambda table: table.argmax(axis=1)[:, np.newaxis] == table.argmax(axis=1),
        ],
        "last-column-only": lambda table: table[:, [-1]] == table[:, -1],
        "neighbours-only": lambda table: (
            exchangeable(table)
            & np.tri(len(table), k=1, dtype=bool)
            & np.tri(len(table), k=1).T.astype(bool)
        ),
        "similarities-for-marks": [
            _of_each_two(lambda one, other: np.exp(-norm(one - other, axis=-1))),
            _of_each_two(lambda one, other: 1 / (1 + norm(one - other, axis=-1))),
            np.corrcoef,
            lambda table: np.isclose(np.corrcoef(table), 1),
        ],
        "lengths-compared": lambda table: np.isclose(
            norm(table, axis=1)[:, np.newaxis], norm(table, axis=1)
        ),
        "directions-compared": [
            lambda table: np.isclose(_similarities(table), 1),
            lambda table: np.isclose(
                table @ table.T, np.outer(norm(table, axis=1), norm(table, axis=1))
            ),
            lambda table: abs(_similarities(table) - 1) < 1e-9,
            lambda table: _similarities(table),
        ],
        "products-like-own-square": [
            lambda table: np.isclose(table @ table.T, (table**2).sum(axis=1)[:, np.newaxis]),
            lambda table: np.isclose(table @ table.T, (table**2).sum(axis=1)),
        ],
        "itself-left-out": lambda table: exchangeable(table) & ~np.eye(len(table), dtype=bool),
        "each-pair-once": [
            lambda table: np.triu(exchangeable(table)),
            lambda table: np.tril(exchangeable(table)),
        ],
        "columns-compared": lambda table: exchangeable(table.T),
        "integer-division": lambda table: exchangeable(np.trunc(table)),
        "rows-rounded": [
            lambda table: exchangeable(table.round(3)),
            lambda table: exchangeable(table.round()),
            _of_each_two(
                lambda one, other: (abs(one - other) <= 0.1 + 0.1 * abs(other)).all(axis=-1)
            ),
            _of_each_two(lambda one, other: norm(one - other, axis=-1) < 0.5),
            _of_each_two(lambda one, other: norm(one - other, axis=-1) <= 1),
            _of_each_two(lambda one, other: norm(one - other, axis=-1) < 1),
        ],
        "second-root": lambda table: np.isclose(
            table @ table.T / np.sqrt(np.outer(norm(table, axis=1), norm(table, axis=1))), 1
        ),
        "itself-alone": lambda table: np.eye(len(table)),
        "equal-rows-counted": [
            lambda table: np.tile(exchangeable(table).sum(axis=1), (len(table), 1)).T,
            lambda table: np.tile(exchangeable(table).sum(axis=1), (len(table), 1)),
        ],
        "one-side-normalised": [
            lambda table: np.isclose(_units(table) @ table.T, 1),
            lambda table: np.isclose(table @ _units(table).T, 1),
        ],
        "signs-ignored": lambda table: exchangeable(abs(table)),
        "summary-compared": [
            lambda table: np.equal.outer(table.prod(axis=1), table.prod(axis=1)),
            lambda table: np.equal.outer(table.min(axis=1), table.min(axis=1)),
            lambda table: np.isclose(table.std(axis=1)[:, np.newaxis], table.std(axis=1)),
        ],
        "wrong-axis": _of_each_two(lambda one, other: (one == other).all(axis=0)),
    },
)


def first_drowned_position(word: NDArray, share: float) -> int:
    """Return the first position at which the word's share falls below a limit."""
    last_above = norm(word) * (1 / share - 1) / math.sqrt(len(word))
    # Without the small number, a quotient slightly below a whole number would be rounded down.
    return math.floor(last_above + 1e-9) + 1


def _first(word_share: Callable[[NDArray, NDArray], NDArray], below: Callable = np.less) -> Answer:
    """Create a wrong answer from an incorrect word share or comparison."""

    def position(word: NDArray, share: float) -> int:
        for n_tried in (16, 1_000, 100_000):
            positions = np.arange(float(n_tried))[:, np.newaxis] * np.ones(len(word))
            is_below = below(word_share(word, positions), share)
            if is_below.any():
                return is_below.argmax()
        raise ValueError("no position is below")

    return position


def _of_lengths(length: Callable[[NDArray], NDArray]) -> Callable[[NDArray, NDArray], NDArray]:
    return lambda word, positions: length(word) / (length(word) + length(positions))


def _length(vectors: NDArray) -> NDArray:
    return norm(vectors, axis=-1)


def _shares_by_hand(place: tuple, word: NDArray, share: float) -> Steps:
    first = 0
    while norm(word) / (norm(word) + norm(np.full(len(word), first))) >= share:
        first += 1
    steps = {"length": norm(word), "share": share, "before": first - 1, "result": first}
    for name, position in (("before", first - 1), ("at", first)):
        length = norm(np.full(len(word), position))
        steps[f"{name}_length"] = length
        steps[f"{name}_share"] = norm(word) / (norm(word) + length)
    return steps


FIRST_DROWNED_POSITION = Exercise(
    id="first-drowned-position",
    reference=first_drowned_position,
    cases=(
        (np.array([3.0, 4.0]), 0.5),
        (np.array([1.0, -1.0, 1.0, 1.0]), 0.25),
        (np.array([1.0, -3.0, 0.5, 2.5]), 0.2),
        (np.array([-6.0]), 0.5),
        (np.array([0.25, 0.5, -0.75]), 0.7),
        (np.array([12.5, -3.0, 4.5]), 0.3),
        (np.array([3.0, 4.0]), 0.0006),
    ),
    by_hand=_shares_by_hand,
    misconceptions={
        "last-above": lambda word, share: first_drowned_position(word, share) - 1,
        "equal-is-below": _first(_of_lengths(_length), np.less_equal),
        "ends-at-zero": lambda word, share: 0,
        "one-column": _first(lambda word, positions: norm(word) / (norm(word) + positions[:, 0])),
        "length-squared": _first(_of_lengths(lambda vectors: _length(vectors) ** 2)),
        "right-angle-assumed": _first(
            lambda word, positions: norm(word) / np.hypot(norm(word), _length(positions))
        ),
        "length-of-sum": _first(lambda word, positions: norm(word) / _length(word + positions)),
        "over-position-only": _first(lambda word, positions: norm(word) / _length(positions)),
        "absolute-sum": _first(_of_lengths(lambda vectors: abs(vectors).sum(axis=-1))),
        "signs-kept-in-sum": [
            _first(_of_lengths(lambda vectors: vectors.sum(axis=-1))),
            _first(_of_lengths(lambda vectors: abs(vectors.sum(axis=-1)))),
        ],
        "largest-number-for-norm": [
            _first(_of_lengths(lambda vectors: vectors.max(axis=-1))),
            _first(_of_lengths(lambda vectors: abs(vectors).max(axis=-1))),
        ],
        "position-share": [
            _first(
                lambda word, positions: 1 - norm(word) / (norm(word) + _length(positions)),
                np.greater,
            ),
        ],
        "columns-added": _first(
            lambda word, positions: norm(word) / (norm(word) + positions.sum(axis=1))
        ),
        "between-two-positions": [
            lambda word, share: norm(word) * (1 / share - 1) / math.sqrt(len(word)),
            lambda word, share: round(norm(word) * (1 / share - 1) / math.sqrt(len(word))),
        ],
        "spread-for-norm": _first(
            lambda word, positions: word.std() / (word.std() + positions[:, 0])
        ),
        "search-ends-too-soon": [
            partial(
                lambda word, share, *, last: min(first_drowned_position(word, share), last),
                last=last,
            )
            for last in (999, 1_000, 4_999, 5_000)
        ],
    },
)

Encoding = Callable[[int, int], NDArray]


def _not_zero(difference: NDArray) -> NDArray[np.bool_]:
    return ~(abs(difference) <= 1e-9)


def _differ(right: NDArray, theirs: NDArray) -> bool:
    return theirs.shape != right.shape or _not_zero(theirs - right).any()


def _differ_if_stretched(right: NDArray, theirs: NDArray, *, otherwise: bool = True) -> bool:
    """Return True if two tables differ after NumPy has broadcast them to a common shape."""
    try:
        return _not_zero(theirs - right).any()
    except ValueError:
        return otherwise


def _differ_when_sorted(right: NDArray, theirs: NDArray) -> bool:
    if theirs.size != right.size:
        return True
    return _not_zero(np.sort(theirs, axis=None) - np.sort(right, axis=None)).any()


def _differ_by_percents(right: NDArray, theirs: NDArray, *, stretched: bool) -> bool:
    """Compare two tables with a relative tolerance."""
    shapes = ((), right.shape) if stretched else (right.shape,)
    return theirs.shape not in shapes or not np.allclose(theirs, right, rtol=0.05, atol=0)


def exposing_calls(
    attempt: Encoding,
    longest: int,
    widest: int,
    *,
    exposes: Callable[[NDArray, NDArray], float] = _differ,
) -> NDArray:
    """Return the calls that show that an attempt is not the normalised encoding."""
    table = np.zeros((longest, widest))
    for row, column in product(range(longest), range(widest)):
        size = (row + 1, column + 1)
        table[row, column] = exposes(normalized_encoding(*size), attempt(*size))
    return table


def _exposing_by(judge: Callable[[NDArray], float]) -> Answer:
    """Create an answer that judges tables of equal shape by their differences."""
    return partial(
        exposing_calls,
        exposes=lambda right, theirs: theirs.shape != right.shape or judge(theirs - right),
    )


def _largest_left_out(attempt: Encoding, longest: int, widest: int) -> NDArray:
    table = np.zeros((longest, widest))
    table[:-1, :-1] = exposing_calls(attempt, longest - 1, widest - 1)
    return table


def _smallest_left_out(attempt: Encoding, longest: int, widest: int) -> NDArray:
    table = exposing_calls(attempt, longest, widest)
    table[0, :] = table[:, 0] = 0
    return table


def _sizes_from_zero(attempt: Encoding, longest: int, widest: int) -> NDArray:
    """Compare calls for sizes starting at 0, where an empty table is never wrong."""
    table = np.zeros((longest, widest))
    table[1:, 1:] = exposing_calls(attempt, longest - 1, widest - 1)
    return table


def _in_single_steps(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return a table that is computed row by row and is correct up to rounding."""
    step = 1 / max(n_positions - 1, 1)
    return np.cumsum(np.full((n_positions, d_model), step), axis=0) - step


def _call_by_hand(place: tuple, attempt: Encoding, longest: int, widest: int) -> Steps:
    n_positions, d_model = (number + 1 for number in place)
    right, theirs = (np.array(f(n_positions, d_model)) for f in (normalized_encoding, attempt))
    same_shape = right.shape == theirs.shape
    unlike = (_not_zero(theirs - right) if same_shape else np.ones(right.shape)).sum()
    steps = {"n": n_positions, "d": d_model, "right": right.shape, "theirs": theirs.shape}
    return steps | {"size": right.size, "unlike": unlike, "result": float(unlike > 0)}


EXPOSING_CALLS = Exercise(
    id="exposing-calls",
    reference=exposing_calls,
    cases=(
        (lambda n, d: index_encoding(n, d) / n, 5, 4),
        (lambda n, d: normalized_encoding(n, 1), 3, 5),
        (_in_single_steps, 9, 2),
        (lambda n, d: np.floor(normalized_encoding(n, d)), 4, 3),
        (lambda n, d: normalized_encoding(n, d) * (1 if n > 1 else np.nan), 2, 3),
        (lambda n, d: normalized_encoding(n + 1, d)[1:], 3, 2),
        (lambda n, d: normalized_encoding(d, n).T, 4, 6),
        (lambda n, d: index_encoding(n + 1, d) / max(n - 1, 1), 3, 2),
        (lambda n, d: normalized_encoding(n, d) + 0.0015 * (d > 1), 3, 2),
        (lambda n, d: normalized_encoding(n, d) if n > 1 else np.zeros((d, 1)), 2, 3),
        (lambda n, d: normalized_encoding(n, d) * 1.03, 3, 2),
        (lambda n, d: np.array(0.0), 2, 2),
        (lambda n, d: normalized_encoding(n, d) + (np.arange(d) < d - 1), 2, 3),
        (normalized_encoding, 1, 1),
    ),
    typed=(
        "lambda n, d: index_encoding(n, d) / n, 5, 4",
        "lambda n, d: normalized_encoding(n, 1), 3, 5",
        "lambda n, d: np.cumsum(np.ones((n, d)), axis=0) / max(n - 1, 1) - 1 / max(n - 1, 1), 9, 2",
        "lambda n, d: normalized_encoding(n, d) // 1, 4, 3",
        "lambda n, d: normalized_encoding(n, d) * (1 if n > 1 else np.nan), 2, 3",
        "lambda n, d: normalized_encoding(n + 1, d)[1:], 3, 2",
        "lambda n, d: normalized_encoding(d, n).T, 4, 6",
        "lambda n, d: index_encoding(n + 1, d) / max(n - 1, 1), 3, 2",
        "lambda n, d: normalized_encoding(n, d) + 0.0015 * (d > 1), 3, 2",
        "lambda n, d: normalized_encoding(n, d) if n > 1 else np.zeros((d, 1)), 2, 3",
        "lambda n, d: normalized_encoding(n, d) * 1.03, 3, 2",
        "lambda n, d: np.array(0.0), 2, 2",
        "lambda n, d: normalized_encoding(n, d) + (np.arange(d) < d - 1), 2, 3",
    ),
    by_hand=_call_by_hand,
    misconceptions={
        "same-marked": lambda *given: 1 - exposing_calls(*given),
        "stretched-before-compared": [
            partial(exposing_calls, exposes=lambda right, theirs: _not_zero(theirs - right).any()),
            partial(
                exposing_calls,
                exposes=lambda right, theirs: (
                    theirs.shape not in (right.shape, ()) or _not_zero(theirs - right).any()
                ),
            ),
            partial(exposing_calls, exposes=_differ_if_stretched),
            partial(exposing_calls, exposes=partial(_differ_if_stretched, otherwise=False)),
        ],
        "stretched-before-compared rounding-counted": [
            partial(exposing_calls, exposes=lambda right, theirs: (theirs != right).any()),
            partial(
                exposing_calls, exposes=lambda right, theirs: not np.array_equiv(right, theirs)
            ),
        ],
        "rounding-counted": _exposing_by(lambda difference: (difference != 0).any()),
        "all-must-differ": _exposing_by(lambda difference: _not_zero(difference).all()),
        "one-side-only": [
            _exposing_by(lambda difference: _not_zero(np.maximum(difference, 0)).any()),
            _exposing_by(lambda difference: _not_zero(np.minimum(difference, 0)).any()),
        ],
        "sums-compared": _exposing_by(lambda difference: _not_zero(difference.sum())),
        "small-faults-unseen": [
            _exposing_by(lambda difference: ~(abs(difference) <= 0.002).all()),
            _exposing_by(lambda difference: ~(abs(difference) <= 0.05).all()),
        ],
        "few-percent-unseen": [
            partial(exposing_calls, exposes=partial(_differ_by_percents, stretched=False)),
            partial(exposing_calls, exposes=partial(_differ_by_percents, stretched=True)),
        ],
        "difference-for-mark": [
            _exposing_by(lambda difference: abs(difference).max()),
            _exposing_by(lambda difference: abs(difference).sum()),
            _exposing_by(lambda difference: abs(difference).mean()),
            _exposing_by(lambda difference: norm(difference)),
        ],
        "share-for-mark": _exposing_by(lambda difference: _not_zero(difference).mean()),
        "shape-alone-compared": partial(
            exposing_calls, exposes=lambda right, theirs: theirs.shape != right.shape
        ),
        "other-shape-passes": partial(
            exposing_calls,
            exposes=lambda right, theirs: (
                theirs.shape == right.shape and _not_zero(theirs - right).any()
            ),
        ),
        "one-row-alone": [
            _exposing_by(lambda difference: _not_zero(difference[0]).any()),
            _exposing_by(lambda difference: _not_zero(difference[-1]).any()),
        ],
        "compared-with-index": partial(
            exposing_calls,
            exposes=lambda right, theirs: (
                theirs.shape != right.shape
                or _not_zero(theirs - index_encoding(*right.shape)).any()
            ),
        ),
        "nan-unseen": _exposing_by(lambda difference: (abs(difference) > 1e-9).any()),
        "first-column-alone": _exposing_by(lambda difference: _not_zero(difference[:, 0]).any()),
        "wrong-numbers-counted": _exposing_by(lambda difference: _not_zero(difference).sum()),
        "sizes-swapped": lambda attempt, longest, widest: (
            exposing_calls(attempt, widest, longest).T
        ),
        "largest-left-out": _largest_left_out,
        "smallest-left-out": _smallest_left_out,
        "extremes-compared": partial(
            exposing_calls,
            exposes=lambda right, theirs: (
                theirs.shape != right.shape or not np.isclose(theirs.max(), right.max())
            ),
        ),
        "axes-swapped": lambda *given: exposing_calls(*given).T,
        "order-ignored": partial(exposing_calls, exposes=_differ_when_sorted),
        "sizes-from-zero": _sizes_from_zero,
        "one-call-for-all": lambda attempt, longest, widest: np.full(
            (longest, widest), exposing_calls(attempt, longest, widest)[-1, -1]
        ),
        "sums-compared nan-unseen": _exposing_by(lambda difference: abs(difference.sum()) > 1e-9),
        "other-shape-passes nan-unseen": partial(
            exposing_calls,
            exposes=lambda right, theirs: (
                theirs.shape == right.shape and (abs(theirs - right) > 1e-9).any()
            ),
        ),
        "one-entry-alone": [
            _exposing_by(lambda difference: _not_zero(difference[0, 0])),
            _exposing_by(lambda difference: _not_zero(difference[-1, -1])),
        ],
        "last-column-alone": _exposing_by(lambda difference: _not_zero(difference[:, -1]).any()),
        "one-entry-alone nan-unseen": _exposing_by(lambda difference: abs(difference[0, 0]) > 1e-9),
    },
)


def their_shares(n_positions: int, d_model: int) -> NDArray:
    """Return each position divided by the last position, both counted from 1."""
    return (index_encoding(n_positions, d_model) + 1) / n_positions


FIRST_LENGTH_SHOWN = 5


def _theirs_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    first = 1 / n_positions
    result = first + place[0] * first
    return {"n": n_positions, "i": place[0], "first": first, "result": result}


THEIR_SHARES = Exercise(
    id="their-shares",
    reference=their_shares,
    cases=((FIRST_LENGTH_SHOWN, 3), (2, 3), (1, 3), (8, 2), (3, 60), (60, 1), (8, 3)),
    by_hand=_theirs_by_hand,
    misconceptions={
        "right-shares": normalized_encoding,
        "zero-not-in-theirs": [
            lambda n, d: index_encoding(n, d) / n,
            lambda n, d: index_encoding(n, d) / (n + 1),
        ],
        "width-for-length": [
            lambda n, d: (index_encoding(n, d) + 1) / d,
            lambda n, d: index_encoding(n, d) / d,
        ],
        "counts-back": [
            lambda n, d: 1 - index_encoding(n, d) / n,
            lambda n, d: 1 - normalized_encoding(n, d),
        ],
        "half-a-position-late": lambda n, d: (index_encoding(n, d) + 0.5) / n,
        "from-minus-one": [
            lambda n, d: np.linspace([-1] * d, [1] * d, n),
            lambda n, d: (2 * index_encoding(n, d) - (n - 1)) / n,
            lambda n, d: 2 * their_shares(n, d) - 1,
        ],
        "beyond-one": lambda n, d: (index_encoding(n, d) + 1) / max(n - 1, 1),
        "short-of-one": lambda n, d: (index_encoding(n, d) + 1) / (n + 1),
        "length-in-picture": lambda n, d: (index_encoding(n, d) + 1) / FIRST_LENGTH_SHOWN,
        "columns-counted": lambda n, d: their_shares(d, n).T,
        "integer-division": lambda n, d: (index_encoding(n, d) + 1) // n,
        "axes-swapped": lambda n, d: their_shares(n, d).T,
        "right-shares axes-swapped": lambda n, d: normalized_encoding(n, d).T,
        "positions-of-ranks": lambda n, d: (index_encoding(n, d) + 0.625) / (n + 0.25),
        "fraction-of-the-position": [
            lambda n, d: 1 / (index_encoding(n, d) + 1),
            lambda n, d: index_encoding(n, d) / (index_encoding(n, d) + 1),
            lambda n, d: n / (index_encoding(n, d) + 1),
        ],
    },
    shows_wrong_output=True,
)

EXERCISES = (
    REPEATING_ENCODING,
    EXCHANGEABLE_WORDS,
    FIRST_DROWNED_POSITION,
    EXPOSING_CALLS,
    THEIR_SHARES,
)
