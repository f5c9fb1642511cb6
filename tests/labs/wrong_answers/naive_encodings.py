"""Realistic wrong answers for lab 01, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from answers.naive_encodings import (
    column,
    exchangeable,
    exposing_by,
    exposing_calls,
    first,
    first_drowned,
    normalized,
    share,
)
from numpy.linalg import norm


def shares_in_a_table_of_integers(n: int, d: int, period: int) -> np.ndarray:
    table = np.zeros((n, d), dtype=int)
    for i in range(n):
        table[i] = i % period / (period - 1)
    return table


def but_for_the_largest(attempt: Callable, longest: int, widest: int) -> np.ndarray:
    return np.pad(exposing_calls(attempt, longest - 1, widest - 1), (0, 1)) if widest > 1 else [[0]]


def like_own_square(table: np.ndarray) -> np.ndarray:
    return np.array([[np.isclose(one @ other, one @ one) for other in table] for one in table])


WAVES = (
    lambda i, p: np.interp(i % (2 * p - 2), [0, p - 1, 2 * p - 2], [0, 1, 0]),
    lambda i, p: np.interp(i % p, [0, p / 2, p], [0, 1, 0]),
    lambda i, p: np.sin(np.pi * i / p) ** 2,
    lambda i, p: np.sin(np.pi * i / (2 * p - 2)) ** 2,
    lambda i, p: (1 + np.sin(2 * np.pi * i / p)) / 2,
    lambda i, p: np.sqrt(np.sin(np.pi * i / p) ** 2),
)
"""Waves of a position and a period that rise from 0 to 1 and fall."""


def cosine_similarity(table: np.ndarray) -> np.ndarray:
    products = table @ table.T
    return products / np.sqrt(np.outer(np.diag(products), np.diag(products)))


def unless_far(right: np.ndarray, theirs: np.ndarray) -> bool:
    """Compare tables like ``np.testing.assert_allclose``, which broadcasts single numbers."""
    try:
        np.testing.assert_allclose(theirs, right, rtol=0.05)
    except AssertionError:
        return True
    return False


WRONG = {
    "repeating-encoding": (
        ("integer-division", shares_in_a_table_of_integers),
        ("divided-by-period", lambda n, d, p: column(np.arange(n) % p / p, d)),
        ("never-begins-again", lambda n, d, p: column(np.arange(n) / (p - 1), d)),
        ("columns-counted", lambda n, d, p: np.ones((n, 1)) * (np.arange(d) % p / (p - 1))),
        ("period-too-short", lambda n, d, p: column(np.arange(n) % (p - 1) / (p - 1), d)),
        ("count-not-divided", lambda n, d, p: column(np.arange(n) % p, d)),
        ("length-for-period", lambda n, d, p: column(np.arange(n) % p / (n - 1), d)),
        ("length-for-period", lambda n, d, p: column(np.arange(n) % p / (n - 1 or 1), d)),
        ("positions-from-one", lambda n, d, p: column(np.arange(1, n + 1) % p / (p - 1), d)),
        (
            "never-begins-again length-for-period",
            lambda n, d, p: column(np.linspace(0, 1, n), d),
        ),
        (
            "never-begins-again length-for-period",
            lambda n, d, p: column(np.arange(n) / (n - 1), d),
        ),
        (
            "remainder-of-fractions",
            lambda n, d, p: column(np.arange(n) / (p - 1) % (p / (p - 1)), d),
        ),
        (
            "never-begins-again length-for-period remainder-of-fractions",
            lambda n, d, p: column(np.arange(n) / (n - 1 or 1) % 1, d),
        ),
        *(
            ("goes-down-again", lambda n, d, p, wave=wave: column(wave(np.arange(n), p), d))
            for wave in WAVES
        ),
    ),
    "exchangeable-words": (
        ("one-number-suffices", lambda table: (table[:, None] == table).any(axis=2)),
        ("first-column-only", lambda table: np.equal.outer(table[:, 0], table[:, 0])),
        ("rows-added-up", lambda table: np.equal.outer(table.sum(1), table.sum(1))),
        ("unlike-marked", lambda table: (table[:, None] != table).any(axis=2)),
        ("numbers-in-any-order", lambda table: exchangeable(np.sort(table))),
        ("products-like-own-square", like_own_square),
        ("products-like-own-square", lambda table: like_own_square(table).T),
        ("lengths-compared", lambda table: exchangeable(norm(table, axis=1)[:, None].round(9))),
        ("distances-for-marks", lambda table: norm(table[:, None] - table, axis=2)),
        ("distances-for-marks", lambda table: np.square(table[:, None] - table).sum(axis=2)),
        ("distances-for-marks", lambda table: norm(table[:, None] - table, 1, axis=2)),
        ("directions-compared", lambda table: abs(cosine_similarity(table) - 1) < 1e-9),
        ("directions-compared", lambda table: np.isclose(cosine_similarity(table), 1)),
        ("directions-compared", cosine_similarity),
        ("products-for-marks", lambda table: table @ table.T),
        ("itself-left-out", lambda table: exchangeable(table) - np.eye(len(table))),
        ("each-pair-once", lambda table: np.triu(exchangeable(table))),
        ("columns-compared", lambda table: exchangeable(table.T)),
        ("rows-rounded", lambda t: exchangeable(t.round(3))),
    ),
    "first-drowned-position": (
        # The word vector times the square root of its width, as in Vaswani et al.
        ("one-column", lambda w, s: first(lambda i: share(w * len(w) ** 0.5, i) < s)),
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
    "exposing-calls": (
        ("same-marked", lambda *given: 1 - np.array(exposing_calls(*given))),
        ("stretched-before-compared", exposing_by(lambda r, t: not np.allclose(r, t), True)),
        (
            "stretched-before-compared",
            exposing_by(lambda r, t: t.shape not in ((), r.shape) or not np.allclose(r, t), True),
        ),
        (
            "stretched-before-compared rounding-counted",
            exposing_by(lambda r, t: not (r == t).all(), True),
        ),
        (
            "stretched-before-compared rounding-counted",
            exposing_by(lambda r, t: not np.array_equiv(r, t), True),
        ),
        (
            "few-percent-unseen",
            exposing_by(lambda r, t: (abs(t - r) > 0.04 * r).any() or np.isnan(t).any()),
        ),
        ("few-percent-unseen", exposing_by(unless_far, True)),
        ("rounding-counted", exposing_by(lambda r, t: not np.array_equal(r, t))),
        ("all-must-differ", exposing_by(lambda r, t: not np.isclose(r, t).any())),
        ("one-side-only", exposing_by(lambda r, t: not (t - r < 1e-9).all())),
        ("one-side-only", exposing_by(lambda r, t: not (r - t < 1e-9).all())),
        ("sums-compared", exposing_by(lambda r, t: not np.isclose(r.sum(), t.sum()))),
        ("nan-unseen", exposing_by(lambda r, t: (abs(r - t) > 1e-9).any())),
        ("axes-swapped", lambda a, n, d: np.array(exposing_calls(a, n, d)).T),
        ("first-column-alone", exposing_by(lambda r, t: not np.allclose(r[:, 0], t[:, 0]))),
        ("wrong-numbers-counted", exposing_by(lambda r, t: (~np.isclose(r, t)).sum())),
        ("sizes-swapped", lambda a, n, d: np.array(exposing_calls(a, d, n)).T),
        ("largest-left-out", but_for_the_largest),
        ("small-faults-unseen", exposing_by(lambda r, t: not np.allclose(t, r, 0, 2e-3))),
        ("small-faults-unseen", exposing_by(lambda r, t: not np.allclose(t, r, atol=0.1))),
    ),
    "their-shares": (
        ("right-shares", lambda n, d: column(np.arange(n) / max(n - 1, 1), d)),
        ("right-shares axes-swapped", lambda n, d: normalized(n, d).T),
        ("zero-not-in-theirs", lambda n, d: column(np.arange(n) / n, d)),
        ("half-a-position-late", lambda n, d: column(np.arange(1, 2 * n, 2) / (2 * n), d)),
        ("from-minus-one", lambda n, d: column(np.linspace(-1, 1, n), d)),
        ("from-minus-one", lambda n, d: column(2 * np.arange(1, n + 1) / n - 1, d)),
        ("beyond-one", lambda n, d: column(np.arange(1, n + 1) / max(n - 1, 1), d)),
        ("short-of-one", lambda n, d: column(np.arange(1, n + 1) / (n + 1), d)),
        ("length-in-picture", lambda n, d: column(np.arange(1, n + 1) / 5, d)),
        ("columns-counted", lambda n, d: np.tile(np.arange(1, d + 1) / d, (n, 1))),
        ("axes-swapped", lambda n, d: np.tile(np.arange(1, n + 1) / n, (d, 1))),
        ("integer-division", lambda n, d: column(np.arange(1, n + 1) // n, d)),
    ),
}
