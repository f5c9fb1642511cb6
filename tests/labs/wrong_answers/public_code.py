"""Wrong answers adapted from public code and questions, with the expected findings.

Most of them are from repositories, issues and threads about positional encodings, NumPy and bits.
"""

import math
from collections.abc import Callable

import numpy as np
from answers.naive_encodings import column as col
from answers.naive_encodings import first
from numpy.linalg import norm

from course_utils import angular_frequencies, sinusoidal_encoding
from course_utils.encodings import index_encoding, normalized_encoding
from course_utils.labs.tasks import EXERCISES

R = {id: exercise.reference for id, exercise in EXERCISES.items()}
sb, do = R["shift-back"], R["distance-by-offset"]


def k_of(d: int) -> np.ndarray:
    return np.arange((d + 1) // 2)


def inter(angles: np.ndarray, d: int) -> np.ndarray:
    """Return alternating sines and cosines."""
    table = np.zeros((len(angles), d))
    table[:, ::2] = np.sin(angles)[:, : (d + 1) // 2]
    table[:, 1::2] = np.cos(angles)[:, : d // 2]
    return table


def halves(angles: np.ndarray) -> np.ndarray:
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def half_k(shift: int) -> Callable:
    return lambda d, base: base ** (-(2 * k_of(d) + shift) / d)


def sr(frequencies: Callable, change: Callable = np.asarray) -> Callable:
    """Return rows of changed positions."""
    return lambda p, d, base: inter(np.outer(change(p), frequencies(d, base)), d)


fq = sr


def cols(exponent: Callable) -> Callable:
    return lambda p, d, base: inter_columns(p, [base ** -exponent(c, d) for c in range(d)])


def inter_columns(positions: np.ndarray, frequencies: list[float]) -> list[list[float]]:
    waves = (math.sin, math.cos)
    return [[waves[c % 2](p * w) for c, w in enumerate(frequencies)] for p in positions]


def sinp(positions: np.ndarray, d: int, base: float) -> np.ndarray:
    """Return rows in which the division follows the sine."""
    table = np.repeat(base ** (-2 * k_of(d) / d), 2)[:d] * np.ones((len(positions), 1))
    table[:, ::2] *= np.sin(positions)[:, None]
    table[:, 1::2] *= np.cos(positions)[:, None]
    return table


def row(frequencies: list[float], position: float = 12) -> list[float]:
    return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]


def right_t(d: int) -> np.ndarray:
    return 1e4 ** (-2 * np.arange((d + 1) // 2) / d)


def table_of(frequencies: Callable) -> Callable:
    return lambda n, d: inter(np.outer(range(n), frequencies(d)), d)


def rowsp(positions: np.ndarray, d: int) -> np.ndarray:
    return inter(np.outer(np.atleast_1d(positions), right_t(d)), d)


def slow(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def hand(row: np.ndarray) -> float:
    return math.atan2(row[-2], row[-1])


def wrap(turn: Callable) -> Callable:
    return lambda a, b, base: round(turn(hand(a), hand(b)) / slow(a, base))


def nearest(length: int) -> Callable:
    def found(row: np.ndarray, base: float) -> int:
        frequencies = base ** (-2 * np.arange(len(row) // 2) / len(row))
        table = inter(np.outer(range(length), frequencies), len(row))
        return int(norm(table - row, axis=1).argmin())

    return found


def allmean(row: np.ndarray, base: float) -> int:
    frequencies = base ** (-2 * np.arange(len(row) // 2) / len(row))
    return round(np.mean(np.arctan2(row[::2], row[1::2]) % math.tau / frequencies))


def corr(table: np.ndarray) -> np.ndarray:
    return np.isclose(np.corrcoef(table), 1)


def inverse_gray(n: int, d: int) -> np.ndarray:
    numbers = np.arange(n)
    for shift in (1, 2, 4, 8, 16):
        numbers = numbers ^ numbers >> shift
    return bits_of(numbers, d)


def bits_of(numbers: np.ndarray, d: int) -> np.ndarray:
    return numbers[:, None] >> np.arange(d) & 1


def stripes(width: Callable[[int], int]) -> Callable:
    return lambda n, d: np.arange(n)[:, None] // np.array([width(c) for c in range(d)]) % 2


def exposing(differ: Callable) -> Callable:
    def table(attempt: Callable, longest: int, widest: int) -> np.ndarray:
        found = np.zeros((longest, widest))
        for i, j in np.ndindex(longest, widest):
            found[i, j] = differ(normalized_encoding(i + 1, j + 1), attempt(i + 1, j + 1))
        return found

    return table


WRONG = {
    "sinusoidal-rows": (
        (
            "cosines-everywhere",
            lambda p, d, b: np.cos(np.outer(p, np.repeat(b ** (-2 * k_of(d) / d), 2)[:d])),
        ),
        # zju3dv/LoFTR#41
        ("integer-division", sr(lambda d, b: np.exp(2 * k_of(d) * (-math.log(b) / d // 2)))),
        ("integer-division", sr(lambda d, b: np.exp(2 * k_of(d) * (-math.log(b) // d)))),
        ("even-steps", sr(lambda d, b: np.arange(0, d, 2) * (b / d))),  # aharley/pips#30
        # BrianPulfer/PapersReimplementations#9
        ("exponent-doubled", sr(lambda d, b: 1 / b ** (4 * k_of(d) / d))),
        ("exponent-doubled", fq(lambda d, b: b ** (-2 * k_of(d) / max(d // 2, 1)))),
        ("width-rounded-down", fq(lambda d, b: b ** (-k_of(d) / max(d // 2, 1)))),
        ("powers-of-two", fq(lambda d, b: 2.0 ** k_of(d) * np.pi)),
        ("powers-of-two", fq(lambda d, b: 2.0 ** k_of(d))),
        (
            "powers-of-two halves-concatenated",
            lambda p, d, b: halves(np.outer(p, 2.0 ** np.arange(d // 2) * np.pi)),
        ),
        ("positions-scaled", sr(half_k(0), lambda p: p / len(p))),
        ("positions-scaled", sr(half_k(0), lambda p: p / np.max(p))),
        ("positions-scaled", sr(half_k(0), lambda p: p / (np.max(p) + 1e-6) * 2 * np.pi)),
        (
            "parentheses-missing",
            lambda p, d, b: inter(np.array([[x / b**2 * k / d for k in k_of(d)] for x in p]), d),
        ),
        (
            "parentheses-missing",
            lambda p, d, b: inter(
                np.array([[x / float(b) ** (2 * k) / d for k in k_of(d)] for x in p]), d
            ),
        ),
        ("divided-after-sine", sinp),
        ("degrees", sr(half_k(0), np.degrees)),
        ("hands-reversed", fq(lambda d, b: (b ** (-2 * k_of(d) / d))[::-1])),
        (
            "halves-concatenated positions-from-one",
            lambda p, d, b: halves(np.outer(p + 1, b ** (-2 * np.arange(d // 2) / d))),
        ),
        (
            "halves-concatenated exponent-halved",
            lambda p, d, b: halves(np.outer(p, b ** (-np.arange(d // 2) / d))),
        ),
        (
            "halves-concatenated exponent-doubled",
            lambda p, d, b: halves(np.outer(p, b ** (-4.0 * np.arange(d // 2) / d))),
        ),
        (
            "halves-concatenated base-ignored",
            lambda p, d, b: halves(np.outer(p, 1e4 ** (-2 * np.arange(d // 2) / d))),
        ),
        (
            "halves-concatenated frequencies-multiplied",
            lambda p, d, b: halves(np.outer(p, b ** (2 * np.arange(d // 2) / d))),
        ),
        (
            "halves-concatenated whole-turns",
            lambda p, d, b: halves(np.outer(p * 2 * np.pi, b ** (-2 * np.arange(d // 2) / d))),
        ),
        (
            "sine-cosine-swapped halves-concatenated",
            lambda p, d, b: halves(np.outer(p, b ** (-2 * np.arange(d // 2) / d)))[
                :, np.r_[d // 2 : 2 * (d // 2), 0 : d // 2]
            ],
        ),
        (
            "halves-concatenated pairs-from-one",
            lambda p, d, b: halves(np.outer(p, b ** (-2 * np.arange(1, d // 2 + 1) / d))),
        ),
        ("even-steps", fq(lambda d, b: 1 / (1 + k_of(d)))),
        ("even-steps", fq(lambda d, b: 1.0 + k_of(d))),
        (
            "positions-cut",
            lambda p, d, b: R["sinusoidal-rows"](np.arange(max(p) + 1), d, b)[
                np.asarray(p).astype(int)
            ],
        ),
        (
            "cosine-own-frequency",
            cols(lambda c, d: 2 * (c // 2) / d if c % 2 == 0 else (2 * (c // 2) + 1) / d),
        ),
        ("logarithm-missing", fq(lambda d, b: 10.0 ** (-2 * k_of(d) * np.log(b) / d))),
        ("logarithm-missing", fq(lambda d, b: np.exp(-2 * k_of(d) * b / d))),
        ("exponent-halved", fq(lambda d, b: np.exp(-k_of(d) * np.log(b) / d))),
        (
            "halves-concatenated positions-from-two",
            lambda p, d, b: halves(np.outer(p + 2, b ** (-2 * np.arange(d // 2) / d))),
        ),
        ("halves-concatenated one-angle", lambda p, d, b: halves(np.outer(p, np.ones(d // 2)))),
        (
            "powers-of-two halves-concatenated",
            lambda p, d, b: halves(np.outer(p, 2.0 ** np.arange(d // 2))),
        ),
        ("positions-scaled", sr(half_k(0), lambda p: p / max(len(p) - 1, 1))),
        ("logarithm-missing", sr(lambda d, b: np.exp(-2 * k_of(d) * np.log10(b) / d))),
    ),
    "row-by-hand": (
        ("angles-without-waves", [12 / 4 ** (c // 2) % (2 * math.pi) for c in range(6)]),
        ("cosines-everywhere", np.cos([12, 12, 3, 3, 0.75, 0.75])),
        ("parentheses-missing", row([12 * 0 / 12, 1 / 64**2 / 6, 2 / 64**2 / 6])),
        ("divided-after-sine", [g(12) / 4**k for k in range(3) for g in (np.sin, np.cos)]),
        ("degrees", row([1, 1 / 4, 1 / 16], math.degrees(12))),
        ("hands-reversed", row([1 / 16, 1 / 4, 1])),
        ("exponent-halved", row([1, 1 / 2, 1 / 4])),
        ("another-base", row([1, 10 ** (-1 / 3), 10 ** (-2 / 3)])),
        ("angles-without-waves", [12 * w for w in (1, 1, 1 / 4, 1 / 4, 1 / 16, 1 / 16)]),
        ("another-base", row([1, 1000 ** (-1 / 3), 1000 ** (-2 / 3)])),
        ("parentheses-missing", row([1 / 6, 1 / 64**2 / 6, 1 / 64**4 / 6])),
    ),
    "position-from-row": (
        ("sine-for-angle", lambda r, b: r[-2] / slow(r, b)),
        ("sine-for-angle", lambda r, b: round(r[-2] / slow(r, b))),
        ("sine-for-angle", lambda r, b: r[-2] / r[-1] / slow(r, b)),
        ("sine-for-angle", lambda r, b: round(r[-2] / r[-1] / slow(r, b))),
        ("searched-in-table", nearest(5000)),
        ("searched-in-table", nearest(1000)),
        ("searched-in-table", nearest(512)),
        ("all-hands-averaged", allmean),
        ("share-of-turn", lambda r, b: round(hand(r) % math.tau / math.tau / slow(r, b))),
        (
            "another-hand-read",
            lambda r, b: (
                round(math.atan2(r[-4], r[-3]) % math.tau / b ** (4 / len(r) - 1))
                if len(r) > 2
                else 0
            ),
        ),
        ("frequency-of-another-hand", lambda r, b: round(hand(r) % math.tau * b ** (2 / len(r)))),
        ("half-turn-added", lambda r, b: round(hand(r) % math.pi / slow(r, b))),
        ("angle-not-unique", lambda r, b: round(abs(hand(r)) / slow(r, b))),
        ("frequency-of-another-hand", lambda r, b: hand(r) % math.tau * b ** (2 / len(r))),
        (
            "all-hands-averaged",
            lambda r, b: np.mean(
                np.arctan2(r[::2], r[1::2]) % math.tau * b ** (2 * np.arange(len(r) // 2) / len(r))
            ),
        ),
        ("share-of-turn", lambda r, b: hand(r) % math.tau / math.tau / slow(r, b)),
        (
            "another-hand-read",
            lambda r, b: math.atan2(*r[-4:][:2]) % math.tau / b ** (4 / len(r) - 1),
        ),
        (
            "another-hand-read",
            lambda r, b: round(math.atan2(*r[-4:][:2]) % math.tau / b ** (4 / len(r) - 1)),
        ),
        ("another-hand-read", lambda r, b: math.atan2(*r[-4:][:2]) % math.tau / slow(r, b)),
        ("another-hand-read", lambda r, b: round(math.atan2(*r[-4:][:2]) % math.tau / slow(r, b))),
    ),
    "strange-table": (
        (
            "another-wrong-table",
            lambda n, d: np.cos(np.outer(range(n), np.repeat(right_t(d), 2))),
        ),
        ("cosines-everywhere", lambda n, d: np.cos(np.outer(range(n), 1e4 ** -(np.arange(d) / d)))),
        ("another-wrong-table", table_of(lambda d: np.degrees(right_t(d)))),
        (
            "another-exponent",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(p / 1e4 ** (2 * c / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "degrees",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(math.degrees(p) / 1e4 ** (c / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "whole-turns",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(math.tau * p / 1e4 ** (c / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "first-exponent-not-zero",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(p / 1e4 ** ((c + 1) / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "another-cosine-frequency",
            lambda n, d: [
                [
                    (np.cos if c % 2 else np.sin)(p / 1e4 ** ((c + 1 - 2 * (c % 2)) / d))
                    for c in range(d)
                ]
                for p in range(n)
            ],
        ),
        (
            "sines-everywhere",
            lambda n, d: [[np.sin(p / 1e4 ** (c / d)) for c in range(d)] for p in range(n)],
        ),
        ("another-wrong-table", table_of(lambda d: right_t(d) * 2 * np.pi)),
        ("another-wrong-table", lambda n, d: sr(half_k(1))(np.arange(n), d, 10_000)),
        ("another-wrong-table", table_of(lambda d: 1 / (1.0 + k_of(d)))),
        ("another-wrong-table", table_of(lambda d: 2.0 ** k_of(d))),
        ("another-wrong-table", table_of(lambda d: right_t(d)[::-1])),
        (
            "another-wrong-table",
            lambda n, d: (
                np.repeat(right_t(d), 2)
                * np.where(
                    np.arange(d) % 2, np.cos(np.arange(n))[:, None], np.sin(np.arange(n))[:, None]
                )
            ),
        ),
        (
            "another-cosine-frequency",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(p / 1e4 ** ((c - c % 2 / 2) / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "first-exponent-not-zero",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(p / 1e4 ** ((c - 1) / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
        (
            "first-exponent-not-zero",
            lambda n, d: [
                [(np.cos if c % 2 else np.sin)(p / 1e4 ** ((c + 2) / d)) for c in range(d)]
                for p in range(n)
            ],
        ),
    ),
    "their-shares": (
        ("width-for-length", lambda n, d: col((np.arange(n) + 1) / d, d)),
        ("counts-back", lambda n, d: col(1 - np.arange(n) / n, d)),
        ("zero-not-in-theirs", lambda n, d: col(np.arange(n) / (n + 1), d)),
        ("width-for-length", lambda n, d: col(np.arange(n) / d, d)),
        ("counts-back", lambda n, d: col(np.linspace(1, 0, n), d)),
    ),
    "repeating-encoding": (
        ("starts-above-zero", lambda n, d, p: col((np.arange(n) % p + 1) / p, d)),
        ("starts-above-zero", lambda n, d, p: col((np.arange(n) % p + 1) / (p - 1), d)),
        ("quotient-for-remainder", lambda n, d, p: col(np.arange(n) // p / (p - 1), d)),
        ("one-subtracted-last", lambda n, d, p: col(np.arange(n) % p / p - 1, d)),
        (
            "largest-present-divides",
            lambda n, d, p: col(np.arange(n) % p / max((np.arange(n) % p).max(), 1), d),
        ),
        (
            "columns-also-counted",
            lambda n, d, p: (np.arange(n)[:, None] + np.arange(d)) % p / (p - 1),
        ),
        ("stays-at-one", lambda n, d, p: col(np.minimum(np.arange(n) / (p - 1), 1), d)),
        ("quotient-for-remainder", lambda n, d, p: col(np.arange(n) // p, d)),
        ("quotient-for-remainder", lambda n, d, p: col(np.arange(n) / p, d)),
    ),
    "exchangeable-words": (
        (
            "directions-compared",
            lambda t: np.isclose(t @ t.T, norm(t, axis=1)[:, None] * norm(t, axis=1)),
        ),
        ("integer-division", lambda t: (t.astype(int)[:, None] == t.astype(int)).all(-1)),
        (
            "rows-rounded",
            lambda t: np.array([[np.allclose(a, b, atol=0.01) for a in t] for b in t]),
        ),
        ("numbers-in-any-order", lambda t: np.array([[set(a) == set(b) for a in t] for b in t])),
        ("similarities-for-marks", corr),
        ("largest-compared", lambda t: t.argmax(1)[:, None] == t.argmax(1)),
        ("numbers-in-any-order", lambda t: np.array([[np.isin(a, b).all() for a in t] for b in t])),
        (
            "neighbours-only",
            lambda t: np.array(
                [
                    [abs(i - j) <= 1 and (t[i] == t[j]).all() for j in range(len(t))]
                    for i in range(len(t))
                ]
            ),
        ),
        ("largest-compared", lambda t: t.max(1)[:, None] == t.max(1)),
        ("equal-numbers-counted", lambda t: (t[:, None] == t).sum(-1)),
        ("equal-numbers-counted", lambda t: (t[:, None] == t).mean(-1)),
        ("each-pair-once", lambda t: np.tril((t[:, None] == t).all(-1))),
        ("rows-rounded", lambda t: norm(t[:, None] - t, axis=-1) < 0.5),
        ("similarities-for-marks", lambda t: np.exp(-norm(t[:, None] - t, axis=-1))),
        (
            "numbers-in-any-order",
            lambda t: np.array([[set(a.tolist()) == set(b.tolist()) for b in t] for a in t]),
        ),
        (
            "numbers-in-any-order",
            lambda t: np.array([[set(a.tolist()) <= set(b.tolist()) for b in t] for a in t]),
        ),
        (
            "numbers-in-any-order",
            lambda t: np.array([[set(a.tolist()) >= set(b.tolist()) for b in t] for a in t]),
        ),
        ("equal-numbers-counted", lambda t: 2 * (t[:, None] == t).sum(-1) >= t.shape[1]),
        ("last-column-only", lambda t: np.equal.outer(t[:, -1], t[:, -1])),
        ("similarities-for-marks", lambda t: 1 / (norm(t[:, None] - t, axis=-1) + 1)),
        ("similarities-for-marks", lambda t: np.corrcoef(t)),
        ("rows-rounded", lambda t: ~(norm(t[:, None] - t, axis=-1) > 1)),
    ),
    "first-drowned-position": (
        (
            "right-angle-assumed",
            lambda w, s: first(lambda i: norm(w) < s * (w @ w + i * i * len(w)) ** 0.5),
        ),
        (
            "position-share",
            lambda w, s: first(lambda i: i * len(w) ** 0.5 / (norm(w) + i * len(w) ** 0.5) > s),
        ),
        (
            "signs-kept-in-sum",
            lambda w, s: first(lambda i: abs(w.sum()) / (abs(w.sum()) + i * len(w)) < s),
        ),
        (
            "largest-number-for-norm",
            lambda w, s: first(lambda i: abs(w).max() / (abs(w).max() + i) < s),
        ),
        ("absolute-sum", lambda w, s: first(lambda i: abs(w).mean() / (abs(w).mean() + i) < s)),
        (
            "columns-added",
            lambda w, s: first(
                lambda i: (
                    norm(w) / len(w) ** 0.5 / (norm(w) / len(w) ** 0.5 + i * len(w) ** 0.5) < s
                )
            ),
        ),
        (
            "last-above",
            lambda w, s: (
                1 + first(lambda i: norm(w) / (norm(w) + (i + 1) * len(w) ** 0.5) < s)
                if 0
                else first(lambda i: norm(w) / (norm(w) + (i + 1) * len(w) ** 0.5) < s)
            ),
        ),
        ("over-position-only", lambda w, s: first(lambda i: norm(w) < s * i * len(w) ** 0.5)),
        (
            "signs-kept-in-sum",
            lambda w, s: first(lambda i: w.sum() / (w.sum() + i * len(w)) < s or i > 20_000),
        ),
        (
            "largest-number-for-norm",
            lambda w, s: first(lambda i: w.max() / (w.max() + i) < s or i > 20_000),
        ),
    ),
    "exposing-calls": (
        (
            "smallest-left-out",
            lambda attempt, n, d: np.pad(R["exposing-calls"](attempt, n, d)[1:, 1:], (1, 0)),
        ),
        (
            "extremes-compared",
            exposing(lambda r, t: r.shape != t.shape or not np.isclose(np.max(r), np.max(t))),
        ),
        (
            "difference-for-mark",
            exposing(lambda r, t: abs(r - t).max() if r.shape == t.shape else 1),
        ),
        (
            "small-faults-unseen",
            exposing(lambda r, t: r.shape != t.shape or not np.allclose(r, t, atol=0.01)),
        ),
        ("shape-alone-compared", exposing(lambda r, t: r.shape != t.shape)),
        ("other-shape-passes", exposing(lambda r, t: r.shape == t.shape and not np.allclose(r, t))),
        (
            "one-row-alone",
            exposing(lambda r, t: r.shape != t.shape or not np.allclose(r[-1], t[-1])),
        ),
        ("one-row-alone", exposing(lambda r, t: r.shape != t.shape or not np.allclose(r[0], t[0]))),
        (
            "sums-compared",
            exposing(lambda r, t: r.shape != t.shape or not np.isclose(r.mean(), t.mean())),
        ),
        (
            "nan-unseen",
            exposing(
                lambda r, t: (
                    r.shape != t.shape or not np.allclose(np.nan_to_num(r), np.nan_to_num(t))
                )
            ),
        ),
        (
            "compared-with-index",
            exposing(
                lambda r, t: r.shape != t.shape or not np.allclose(index_encoding(*r.shape), t)
            ),
        ),
        (
            "difference-for-mark",
            exposing(lambda r, t: abs(r - t).sum() if r.shape == t.shape else 1),
        ),
        (
            "difference-for-mark",
            exposing(lambda r, t: abs(r - t).mean() if r.shape == t.shape else 1),
        ),
        ("difference-for-mark", exposing(lambda r, t: norm(r - t) if r.shape == t.shape else 1)),
        (
            "share-for-mark",
            exposing(lambda r, t: 1 - np.isclose(r, t).mean() if r.shape == t.shape else 1),
        ),
    ),
    "bits-needed": (
        ("written-out-and-counted", lambda n: len(bin(n))),
        ("written-out-and-counted", lambda n: bin(n).count("1")),
        ("written-out-and-counted", lambda n: bin(n - 1).count("1")),
        ("whole-bytes", lambda n: -(-(n - 1).bit_length() // 8) * 8),
        ("whole-bytes", lambda n: ((n - 1).bit_length() + 7) // 8),
        ("not-rounded", lambda n: math.log2(n) + 1),
        ("doublings-not-counted", lambda n: math.ceil(n**0.5)),
        ("written-out-and-counted", lambda n: len(bin(n - 1))),
    ),
    "positions-from-bits": (
        ("one-bit-alone", lambda b: [max(x << c for c, x in enumerate(row)) for row in b]),
        ("one-bit-alone", lambda b: b.argmax(1)),
        ("weights-not-doubled", lambda b: b @ 3 ** np.arange(b.shape[1])),
        ("whether-odd", lambda b: b.sum(1) % 2),
        ("weights-not-doubled", lambda b: b @ np.cumprod(np.arange(1, b.shape[1] + 1))),
        ("bytes-filled-from-the-left", lambda b: np.packbits(b.astype(bool), axis=1)[:, 0]),
        ("fractions-of-powers", lambda b: b @ 2.0 ** -np.arange(1, b.shape[1] + 1)),
        ("weights-not-doubled", lambda b: b @ np.exp(np.arange(b.shape[1]))),
        ("weights-not-doubled", lambda b: b @ np.maximum(2 * np.arange(b.shape[1]), 1)),
        ("whether-odd", lambda b: b[:, 0]),
        ("one-bit-alone", lambda b: [2 ** list(row).index(1) if 1 in row else 1 for row in b]),
        (
            "one-bit-alone",
            lambda b: [max([c for c, x in enumerate(row) if x], default=len(row) - 1) for row in b],
        ),
        ("fractions-of-powers", lambda b: b @ (1 / 2 ** np.arange(b.shape[1]))),
    ),
    "reading-order": (
        ("sorted-as-text", lambda b: np.argsort([str(x) for x in R["positions-from-bits"](b)])),
        ("sorted-within-rows", lambda b: np.argsort(b, axis=0)),
        ("sorted-within-rows", lambda b: np.argsort(b, axis=1)[:, 0]),
        ("most-significant-first", lambda b: sorted(range(len(b)), key=lambda i: tuple(b[i]))),
        ("not-sorted", lambda b: np.arange(len(b))),
        ("last-column-only-sorted", lambda b: b[:, -1].argsort(kind="stable")),
        ("sorted-within-rows", lambda b: b.argsort(axis=1)),
    ),
    "gray-encoding": (
        ("gray-read-back", inverse_gray),
        ("stripes-too-narrow", lambda n, d: bits_of(np.arange(n) ^ (np.arange(n) << 1), d)),
        ("two-columns-apart", lambda n, d: bits_of(np.arange(n) ^ (np.arange(n) >> 2), d)),
        ("stripes-too-narrow", lambda n, d: bits_of(np.arange(n) ^ (2 * np.arange(n)), d)),
        (
            "one-column-for-each-position",
            lambda n, d: (np.arange(n)[:, None] % d == np.arange(d)) * 1,
        ),
        (
            "one-column-for-each-position",
            lambda n, d: ((np.arange(n)[:, None] - np.arange(d) - 1) % (2 * d) < d) * 1,
        ),
        ("one-column-for-each-position", lambda n, d: (np.arange(n)[:, None] > np.arange(d)) * 1),
        (
            "stripes-too-narrow",
            lambda n, d: (np.arange(n)[:, None] + 2 ** np.arange(d) // 2) // 2 ** np.arange(d) % 2,
        ),
        ("one-column-for-each-position", lambda n, d: np.eye(max(n, d))[:n, :d]),
    ),
    "flips-at-distance": (
        ("ones-of-distance", lambda t, r: [bin(r).count("1")] * (len(t) - r)),
        ("one-direction-counted", lambda t, r: (t[r:] > t[: len(t) - r]).sum(1)),
        ("one-direction-counted", lambda t, r: (t[r:] < t[: len(t) - r]).sum(1)),
        ("differences-repeated", lambda t, r: abs(np.diff(t, n=r, axis=0)).sum(1)),
        ("whether-for-how-many", lambda t, r: (t[r:] != t[: len(t) - r]).max(1)),
        ("ones-of-either-counted", lambda t, r: (t[r:] | t[: len(t) - r]).sum(1)),
        ("ones-of-either-counted", lambda t, r: (t[r:] + t[: len(t) - r]).sum(1)),
        ("differences-repeated", lambda t, r: np.count_nonzero(np.diff(t, n=r, axis=0), axis=1)),
    ),
    "their-stripes": (
        ("stripes-grow-otherwise", stripes(lambda c: math.isqrt(c + 1))),
        ("stripes-grow-otherwise", stripes(lambda c: c + 2)),
        ("stripes-grow-otherwise", stripes(lambda c: 3**c)),
        ("stripes-grow-otherwise", stripes(lambda c: c * c + 1)),
        ("stripes-grow-otherwise", stripes(lambda c: max(c, 1))),
        (
            "width-of-both-stripes",
            lambda n, d: np.arange(n)[:, None] % np.arange(1, d + 1) >= np.arange(1, d + 1) / 2,
        ),
        (
            "first-stripe-half",
            lambda n, d: (
                (np.arange(n)[:, None] + np.arange(1, d + 1) // 2) // np.arange(1, d + 1) % 2
            ),
        ),
        ("equal-widths", lambda n, d: np.arange(n)[:, None] // d % 2 * np.ones(d)),
        ("equal-widths", lambda n, d: np.arange(n)[:, None] % 2 * np.ones(d)),
        ("stripes-grow-otherwise", stripes(lambda c: 3 * c + 1)),
        ("stripes-grow-otherwise", stripes(lambda c: 2 * 2**c)),
        ("equal-widths", stripes(lambda c: 2)),
        (
            "width-of-both-stripes",
            lambda n, d: 2 * np.arange(n)[:, None] // np.arange(1, d + 1) % 2,
        ),
    ),
    "shift-back": (
        (
            "divided-by-steps",
            lambda b, d: sb(1 / b if b else 1, d),
        ),
        (
            "another-base",
            lambda b, d: sb(b, d, frequencies=lambda d: 5e5 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "another-base",
            lambda b, d: sb(b, d, frequencies=lambda d: 1e3 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "half-of-rotation",
            lambda b, d: np.kron(
                np.array([[1, 0], [0, 1]]), np.diag(np.cos(b * angular_frequencies(d)))
            ),
        ),
        (
            "half-of-rotation",
            lambda b, d: sb(b, d) - np.kron(np.eye(2), np.diag(np.cos(b * angular_frequencies(d)))),
        ),
        ("single-step-changed", lambda b, d: sb(1, d) ** abs(b)),
        ("single-step-changed", lambda b, d: b * sb(1, d)),
        ("entries-inverted", lambda b, d: 1 / np.where(sb(-b, d) == 0, np.inf, sb(-b, d))),
        (
            "one-angle",
            lambda b, d: np.block(
                [
                    [np.cos(b) * np.eye(d // 2), -np.sin(b) * np.eye(d // 2)],
                    [np.sin(b) * np.eye(d // 2), np.cos(b) * np.eye(d // 2)],
                ]
            ),
        ),
        (
            "another-base",
            lambda b, d: sb(b, d, frequencies=lambda d: 2e4 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "another-base",
            lambda b, d: sb(b, d, frequencies=lambda d: 1e5 ** (-2 * np.arange(d // 2) / d)),
        ),
        ("hands-reversed", lambda b, d: sb(b, d, frequencies=lambda d: right_t(d)[::-1])),
        ("single-step-changed", lambda b, d: sb(1, d) ** b),
        ("single-step-changed", lambda b, d: sb(-1, d) ** b),
        ("entries-inverted", lambda b, d: 1 / sb(-b, d)),
    ),
    "distance-by-offset": (
        ("chords-added", lambda r, d: (2 * np.sin(np.outer(r, right_t(d)) / 2)).sum(axis=1)),
        ("one-minus-similarity", lambda r, d: 1 - np.cos(np.outer(r, right_t(d))).mean(1)),
        ("distance-divided", lambda r, d: do(r, d) / np.sqrt(d)),
        ("largest-alone", lambda r, d: abs(rowsp(r, d) - rowsp(0, d)).max(1)),
        ("distance-divided", lambda r, d: np.sqrt(((rowsp(r, d) - rowsp(0, d)) ** 2).mean(1))),
        (
            "another-base",
            lambda r, d: do(r, d, frequencies=lambda d: 1e3 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "cosine-own-frequency",
            lambda r, d: np.sqrt(
                (
                    (
                        np.array(
                            [
                                [
                                    (np.cos if c % 2 else np.sin)(x / 1e4 ** (c / d))
                                    for c in range(d)
                                ]
                                for x in r
                            ]
                        )
                        - np.array([c % 2 for c in range(d)])
                    )
                    ** 2
                ).sum(1)
            ),
        ),
        ("slowest-pair-only", lambda r, d: 2 * abs(np.sin(r * right_t(d)[-1] / 2))),
        ("largest-alone", lambda r, d: 2 * abs(np.sin(np.outer(r, right_t(d)) / 2)).max(1)),
        ("chords-added", lambda r, d: 2 * abs(np.sin(np.outer(r, right_t(d)) / 2)).mean(1)),
        ("negative-as-zero", lambda r, d: do(np.maximum(r, 0), d)),
        ("neighbours-compared", lambda r, d: np.linalg.norm(rowsp(r, d) - rowsp(r - 1, d), axis=1)),
        ("distance-divided", lambda r, d: do(r, d) / np.sqrt(d / 2)),
        ("distance-divided", lambda r, d: do(r, d) / d),
        ("distance-divided", lambda r, d: do(r, d) * 2 / d),
        (
            "another-base",
            lambda r, d: do(r, d, frequencies=lambda d: 2e4 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "another-base",
            lambda r, d: do(r, d, frequencies=lambda d: 1e5 ** (-2 * np.arange(d // 2) / d)),
        ),
        (
            "another-base",
            lambda r, d: do(r, d, frequencies=lambda d: 5e5 ** (-2 * np.arange(d // 2) / d)),
        ),
    ),
    "offset-between": (
        ("half-turns-lost", wrap(lambda a, b: (b - a) % math.pi)),
        (
            "frequency-of-another-hand",
            lambda a, b, base: round(
                ((hand(b) - hand(a) + math.pi) % math.tau - math.pi) * base ** (2 / len(a))
            ),
        ),
        (
            "longer-way-round",
            lambda a, b, base: (
                round(hand(b) % math.tau / slow(a, base))
                - round(hand(a) % math.tau / slow(a, base))
            ),
        ),
        ("chord-for-angle", lambda a, b, base: round(norm(a - b) / slow(a, base))),
        (
            "frequency-of-another-hand",
            lambda a, b, base: round(((hand(b) - hand(a) + math.pi) % math.tau - math.pi) * base),
        ),
        ("half-turn-added", wrap(lambda a, b: (b - a) % math.tau - math.pi)),
        (
            "share-of-turn-times-base",
            lambda a, b, base: round(
                ((hand(b) - hand(a) + math.pi) % math.tau - math.pi) / math.tau * base
            ),
        ),
        ("chord-for-angle", lambda a, b, base: round((b[-2] - a[-2]) / slow(a, base))),
        ("searched-in-table", lambda a, b, base: nearest(5000)(b, base) - nearest(5000)(a, base)),
        ("half-turns-lost", lambda a, b, base: (hand(b) - hand(a)) % math.pi / slow(a, base)),
        (
            "half-turns-lost",
            lambda a, b, base: (
                ((hand(b) - hand(a) + math.pi / 2) % math.pi - math.pi / 2) / slow(a, base)
            ),
        ),
        ("half-turns-lost", wrap(lambda a, b: (b - a + math.pi / 2) % math.pi - math.pi / 2)),
        (
            "half-turn-added",
            lambda a, b, base: ((hand(b) - hand(a)) % math.tau - math.pi) / slow(a, base),
        ),
        ("half-turn-added", lambda a, b, base: (hand(b) - hand(a) + math.pi) / slow(a, base)),
        ("half-turn-added", wrap(lambda a, b: b - a + math.pi)),
        ("chord-for-angle", lambda a, b, base: round(norm(b[-2:] - a[-2:]) / slow(a, base))),
        (
            "share-of-turn",
            lambda a, b, base: (
                ((hand(b) - hand(a) + math.pi) % math.tau - math.pi) / math.tau / slow(a, base)
            ),
        ),
        ("share-of-turn", wrap(lambda a, b: ((b - a + math.pi) % math.tau - math.pi) / math.tau)),
        (
            "share-of-turn-times-base",
            lambda a, b, base: (
                ((hand(b) - hand(a) + math.pi) % math.tau - math.pi) / math.tau * base
            ),
        ),
        ("searched-in-table", lambda a, b, base: nearest(512)(b, base) - nearest(512)(a, base)),
        ("searched-in-table", lambda a, b, base: nearest(1_000)(b, base) - nearest(1_000)(a, base)),
        (
            "searched-in-table",
            lambda a, b, base: nearest(10_000)(b, base) - nearest(10_000)(a, base),
        ),
        (
            "frequency-of-another-hand",
            lambda a, b, base: (
                ((hand(b) - hand(a) + math.pi) % math.tau - math.pi) * base ** (2 / len(a))
            ),
        ),
    ),
    "strange-products": (
        (
            "lengths-divided-out",
            lambda n, d: (
                lambda s: s @ s.T / np.maximum(np.outer(norm(s, axis=1), norm(s, axis=1)), 1e-12)
            )(sinusoidal_encoding(n, d)[:, ::2]),
        ),
        (
            "distances-for-products",
            lambda n, d: (lambda s: norm(s[:, None] - s, axis=-1))(
                sinusoidal_encoding(n, d)[:, ::2]
            ),
        ),
        (
            "sums-multiplied",
            lambda n, d: (lambda s: s[:, None].sum(-1) * s.sum(-1))(
                sinusoidal_encoding(n, d)[:, ::2]
            ),
        ),
        (
            "second-half-of-columns",
            lambda n, d: (lambda s: s @ s.T)(sinusoidal_encoding(n, d)[:, d // 2 :]),
        ),
        ("another-base", lambda n, d: R["strange-products"](n, d, base=1000.0)),
        (
            "another-base",
            lambda n, d: (lambda s: s @ s.T)(
                np.sin(np.outer(range(n), 100.0 ** (-2 * np.arange(d // 2) / d)))
            ),
        ),
        (
            "another-base",
            lambda n, d: (lambda s: s @ s.T)(
                np.sin(np.outer(range(n), 1e5 ** (-2 * np.arange(d // 2) / d)))
            ),
        ),
        (
            "another-base",
            lambda n, d: (lambda s: s @ s.T)(
                np.sin(np.outer(range(n), 5e5 ** (-2 * np.arange(d // 2) / d)))
            ),
        ),
    ),
}
