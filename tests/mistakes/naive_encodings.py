"""Lab 01 as people get it wrong."""

from collections.abc import Callable
from itertools import count

import numpy as np
from numpy.linalg import norm


def first(holds: Callable[[int], bool]) -> int:
    """The first position at which something holds."""
    return next(i for i in count() if holds(i))


def full(word: np.ndarray, i: int) -> np.ndarray:
    return np.full(len(word), i)


def share(word: np.ndarray, position: np.ndarray) -> float:
    return norm(word) / (norm(word) + norm(position))


def column(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.asarray(numbers)[:, np.newaxis] * np.ones(d_model)


def squared_share(word: np.ndarray, i: int) -> float:
    return (word**2).sum() / ((word**2).sum() + (full(word, i) ** 2).sum())


def triangle(i: np.ndarray, period: int) -> np.ndarray:
    return 1 - np.abs(i % (2 * (period - 1)) / (period - 1) - 1)


def change(e: Callable, n: int, longer: int, d: int) -> np.ndarray:
    return e(longer, d)[:n] - e(n, d)


MISTAKES = {
    "countdown-encoding": (
        ("word-itself-counted", lambda n, d: column(n - np.arange(n), d)),
        ("counted-up", lambda n, d: column(np.arange(n), d)),
        ("pattern.one-column", lambda n, d: np.arange(n)[::-1]),
        ("raised", lambda n, d: np.arange(n)[::-1] * np.ones(d)),
        ("axes-swapped", lambda n, d: np.arange(n)[::-1] * np.ones((d, 1))),
        ("pattern.too-small", lambda n, d: column(n - 1 - np.arange(1, n + 1), d)),
        ("pattern.opposite-sign", lambda n, d: column(np.arange(n) - n + 1, d)),
        ("wrong-shape", lambda n, d: np.arange(n)[::-1, np.newaxis]),
        ("dimensions-counted-down", lambda n, d: np.tile(np.arange(d)[::-1], (n, 1))),
        ("pattern.rows-too-few-by-one", lambda n, d: column(np.arange(n - 1, 0, -1), d)),
        ("dimensions-counted-down", lambda n, d: [[d - 1 - i] * d for i in range(n)]),
        ("", lambda n, d: column(np.arange(n)[::-1] / (n - 1), d)),
        # Two at once: columns for rows, and the word itself counted.
        ("word-itself-counted axes-swapped", lambda n, d: np.tile(np.arange(n, 0, -1), (d, 1))),
    ),
    "first-drowned-position": (
        ("last-above", lambda w, s: first(lambda i: share(w, full(w, i)) < s) - 1),
        ("equal-is-below", lambda w, s: first(lambda i: share(w, full(w, i)) <= s)),
        ("one-column", lambda w, s: first(lambda i: share(w, [i]) < s)),
        ("length-squared", lambda w, s: first(lambda i: squared_share(w, i) < s)),
        ("length-of-sum", lambda w, s: first(lambda i: norm(w) / norm(w + full(w, i)) < s)),
        ("over-position-only", lambda w, s: first(lambda i: i and norm(w) / norm(full(w, i)) < s)),
        ("ends-at-zero", lambda w, s: first(lambda i: norm(full(w, i)) / (norm(w) + i) < s)),
        ("pattern.always-too-small", lambda w, s: norm(w) * (1 / s - 1) / np.sqrt(len(w))),
        ("last-above", lambda w, s: int(norm(w) * (1 / s - 1) / np.sqrt(len(w)))),
        ("pattern.always-too-small", lambda w, s: int(norm(w) * (1 / s - 1) / len(w)) + 1),
        ("raised", lambda w, s: [i for i in range(100) if share(w, full(w, i)) < s][0]),
        ("number-expected", lambda w, s: np.array([share(w, full(w, i)) < s for i in range(100)])),
        ("pattern.wrong-ones-zero", lambda w, s: share(w, full(w, 1)) < s),
        (
            "pattern.always-too-small",
            lambda w, s: first(lambda i: sum(w) / (sum(w) + sum(full(w, i))) < s),
        ),
        # Two at once: squares, and the last position that is still above.
        ("last-above length-squared", lambda w, s: first(lambda i: squared_share(w, i) < s) - 1),
    ),
    "repeating-encoding": (
        ("divided-by-period", lambda n, d, period: column(np.arange(n) % period / period, d)),
        ("never-begins-again", lambda n, d, period: column(np.arange(n) / (period - 1), d)),
        (
            "period-too-short",
            lambda n, d, period: column(np.arange(n) % (period - 1) / (period - 1), d),
        ),
        ("count-not-divided", lambda n, d, period: column(np.arange(n) % period, d)),
        ("length-for-period", lambda n, d, period: column(np.arange(n) % period / (n - 1), d)),
        (
            "length-for-period",
            lambda n, d, period: column(np.arange(n) / max(n - 1, 1) % period, d),
        ),
        ("divided-by-period", lambda n, d, period: column(np.arange(n) / period % 1, d)),
        ("period-too-short", lambda n, d, period: column(np.arange(n) / (period - 1) % 1, d)),
        (
            "pattern.some-calls-right",
            lambda n, d, period: column(triangle(np.arange(n), period), d),
        ),
        (
            "wrong-shape",
            lambda n, d, period: np.tile(np.linspace(0, 1, period), n // period)[:, None],
        ),
        ("pattern.one-column", lambda n, d, period: np.arange(n) % period / (period - 1)),
        ("integer-division", lambda n, d, period: column(np.arange(n) % period // (period - 1), d)),
        # Two at once: from 1, and over the period, as people do who want 1 at the end.
        (
            "divided-by-period positions-from-one",
            lambda n, d, period: column(np.arange(1, n + 1) % period / period, d),
        ),
    ),
    "largest-change": (
        ("sign-kept-in-maximum", lambda e, n, longer, d: change(e, n, longer, d).max()),
        ("sign-kept-in-maximum", lambda e, n, longer, d: abs(change(e, n, longer, d).max())),
        ("raised", lambda e, n, longer, d: np.abs(e(longer, d) - e(n, d)).max()),
        ("last-rows", lambda e, n, longer, d: np.abs(e(longer, d)[-n:] - e(n, d)).max()),
        ("pattern.step-missing", lambda e, n, longer, d: np.abs(change(e, n, longer, d))),
        (
            "pattern.step-missing",
            lambda e, n, longer, d: np.abs(change(e, n, longer, d)).max(axis=0),
        ),
        ("not-the-largest", lambda e, n, longer, d: np.abs(change(e, n, longer, d)).mean()),
        (
            "pattern.some-calls-right",
            lambda e, n, longer, d: np.abs(change(e, n, longer, d))[-1].max(),
        ),
        (
            "pattern.some-calls-right",
            lambda e, n, longer, d: np.abs(e(longer, d)).max() - np.abs(e(n, d)).max(),
        ),
        (
            "rows-as-vectors",
            lambda e, n, longer, d: norm(change(e, n, longer, d), axis=1).max(),
        ),
        ("pattern.square", lambda e, n, longer, d: np.square(change(e, n, longer, d)).max()),
        ("raised", lambda e, n, longer, d: max(change(e, n, longer, d))),
        # Two at once: the last rows, with their sign.
        (
            "sign-kept-in-maximum last-rows",
            lambda e, n, longer, d: (e(longer, d)[-n:] - e(n, d)).max(),
        ),
    ),
    "their-shares": (
        ("right-shares", lambda n, d: column(np.arange(n) / max(n - 1, 1), d)),
        ("zero-not-in-theirs", lambda n, d: column(np.arange(n) / n, d)),
        ("beyond-one", lambda n, d: column(np.arange(1, n + 1) / max(n - 1, 1), d)),
        ("short-of-one", lambda n, d: column(np.arange(1, n + 1) / (n + 1), d)),
        ("length-in-picture", lambda n, d: column(np.arange(1, n + 1) / 5, d)),
        ("length-in-picture", lambda n, d: column((np.arange(n) + 1) * 0.2, d)),
        ("pattern.one-column", lambda n, d: np.arange(1, n + 1) / n),
        ("pattern.rows-too-few-by-one", lambda n, d: column(np.arange(1, n) / n, d)),
        ("right-shares", lambda n, d: column(np.linspace(0, 1, n), d)),
        ("pattern.only-first-call-right", lambda n, d: column(np.linspace(1 / 5, 1, n), d)),
        ("columns-counted", lambda n, d: np.tile(np.arange(1, d + 1) / d, (n, 1))),
        ("axes-swapped", lambda n, d: np.tile(np.arange(1, n + 1) / n, (d, 1))),
        ("integer-division", lambda n, d: column(np.arange(1, n + 1) // n, d)),
        # Two at once: begun at 0, and the length of the first table.
        ("zero-not-in-theirs length-in-picture", lambda n, d: column(np.arange(n) / 5, d)),
    ),
}
