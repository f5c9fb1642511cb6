"""Realistic wrong answers for lab 05, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from answers.frequencies_and_precision import searched
from answers.sinusoidal import rows

from course_utils import angular_frequencies


def nearest(
    differences: Callable[[np.ndarray], np.ndarray], choose: Callable = np.argmin
) -> Callable[[np.ndarray, int, float], float]:
    """Return a solution with other differences or another choice."""

    def position(row: np.ndarray, n_positions: int, base: float) -> float:
        table = np.array(rows(np.arange(n_positions), len(row), base))
        return choose(differences(table - row).sum(axis=1))

    return position


def nearest_number(row: np.ndarray, n_positions: int, base: float) -> int:
    table = np.array(rows(np.arange(n_positions), len(row), base))
    return np.unravel_index(abs(table - row).argmin(), table.shape)[0]


def read_off(sine: int, change: Callable = float) -> Callable[[np.ndarray, int, float], float]:
    """Return the position according to a single hand."""

    def position(row: np.ndarray, n_positions: int, base: float) -> float:
        angle = math.atan2(row[sine], row[sine + 1]) % (2 * math.pi)
        return change(angle * base ** (sine % len(row) / len(row)))

    return position


RATIOS = (1e-4, 1e4 ** (-1 / 3), 0.05, 0.046, 0.0464, 0.04642, 1e4 ** (-1 / 7), 0.27, 0.268, 0.2683)
"""Ratios of adjacent frequencies, with 2, 4 and 8 pairs."""


def with_ratio(ratio: float) -> Callable[[int], list[float]]:
    return lambda d: [ratio**k for k in range(d // 2)]


WRONG = {
    "first-return": (
        ("slowest-decides", lambda multiples, step: 2 * np.pi / (step * min(multiples))),
        ("step-decides", lambda multiples, step: 2 * np.pi / step),
        ("two-hands-alone", lambda m, step: math.tau / (step * math.gcd(int(m[0]), int(m[-1])))),
        ("two-hands-alone", lambda m, step: math.tau / (step * math.gcd(int(m[0]), int(m[1])))),
        ("two-hands-alone", lambda m, step: math.tau / (step * math.gcd(*m.tolist()[-2:]))),
        ("fastest-decides", lambda multiples, step: 2 * np.pi / (step * multiples.max())),
        ("gap-decides", lambda m, step: 2 * np.pi / (step * np.mean(np.abs(np.diff(m))))),
        ("gap-decides", lambda m, step: 2 * np.pi / (step * np.gcd.reduce(m[1:] - m[:-1]))),
        ("multiple-for-divisor", lambda m, step: 2 * np.pi / (step * np.lcm.reduce(m))),
        ("multiplied-by-multiple", lambda m, step: 2 * np.pi * np.lcm.reduce(m) / step),
        (
            "multiplied-by-multiple step-multiplied",
            lambda m, step: 2 * np.pi * np.lcm.reduce(m) * step,
        ),
        ("turn-forgotten", lambda m, step: 1 / (step * np.gcd.reduce(m))),
        ("half-a-turn", lambda m, step: np.pi / (step * np.gcd.reduce(m))),
        ("turn-in-degrees", lambda m, step: 360 / (step * np.gcd.reduce(m))),
        ("step-forgotten", lambda m, step: 2 * np.pi / np.gcd.reduce(m)),
        ("step-multiplied", lambda m, step: 2 * np.pi * step / np.gcd.reduce(m)),
        ("divisor-multiplied", lambda m, step: 2 * np.pi / step * np.gcd.reduce(m)),
        ("whole-distance", lambda m, step: round(2 * np.pi / (step * np.gcd.reduce(m)))),
    ),
    "most-similar-distance": (
        ("begins-at-zero", lambda f, a, b: searched()(f, 0, b)),
        ("first-stays", lambda f, a, b: a + np.cos(np.outer(range(a, b), f)).sum().argmax()),
        ("index-for-distance", lambda f, a, b: searched()(f, a, b) - a),
        ("last-left-out", searched(end=0)),
        ("first-left-out", searched(first=1)),
        ("least-for-most", searched(choose=np.argmin)),
        ("sine-for-cosine", searched(wave=np.sin)),
        ("sign-of-sum-lost", searched(choose=lambda sums: np.argmax(np.abs(sums)))),
        ("degrees", searched(wave=lambda angles: np.cos(np.radians(angles)))),
        ("one-hand-only", lambda f, a, b: max(range(a, b + 1), key=lambda r: np.cos(r * f[0]))),
        ("one-hand-only", lambda f, a, b: max(range(a, b + 1), key=lambda r: np.cos(r * f[-1]))),
        ("sum-for-distance", lambda f, a, b: max(np.cos(r * f).sum() for r in range(a, b + 1))),
    ),
    "base-for-quarter-turn": (
        ("whole-turn", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2))),
        ("whole-turn", lambda n, d: (n / (2 * math.pi)) ** (d / (d - 2))),
        ("positions-for-steps", lambda n, d: (n / (math.pi / 2)) ** (d / (d - 2))),
        ("half-for-quarter", lambda n, d: ((n - 1) / math.pi) ** (d / (d - 2))),
        ("longest-wave-of-base", lambda n, d: (n - 1) / (math.pi / 2)),
        ("exponent-inverted", lambda n, d: ((n - 1) / (math.pi / 2)) ** ((d - 2) / d)),
        ("exponent-of-pair", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d / (d // 2 - 1))),
        ("turn-forgotten", lambda n, d: (n - 1) ** (d / (d - 2))),
        ("turn-in-degrees", lambda n, d: ((n - 1) / 90) ** (d / (d - 2))),
        ("turn-in-degrees", lambda n, d: ((n - 1) / 360) ** (d / (d - 2))),
        ("angle-multiplied", lambda n, d: ((n - 1) * math.pi / 2) ** (d / (d - 2))),
        ("whole-exponent", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d // (d - 2))),
        ("quarter-of-the-base", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2)) / 4),
        ("quarter-of-the-base", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2)) * 4),
        ("four-turns", lambda n, d: ((n - 1) / (2 * math.pi) / 4) ** (d / (d - 2))),
    ),
    "their-frequencies": (
        ("the-right-frequencies", angular_frequencies),
        ("first-hand-slowed", lambda d: 10_000.0 ** (-np.arange(1, d // 2 + 1) / (d // 2))),
        ("divided-by-other-columns", lambda d: 1e4 ** (-2 * np.arange(d // 2) / (d - 1))),
        ("equal-steps-between", lambda d: np.linspace(1, 1e-4, d // 2)),
        ("frequency-per-column", lambda d: np.geomspace(1, 1e-4, d)),
        ("order-reversed", lambda d: np.geomspace(1e-4, 1, d // 2)),
        ("wavelengths-for-frequencies", lambda d: 2 * np.pi / np.geomspace(1, 1e-4, d // 2)),
        ("frequencies-multiplied", lambda d: np.geomspace(1, 1e4, d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1e-3, d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1 / (2 * math.pi * 10_000), d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1e-5, d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1e-2, d // 2)),
        ("last-hand-other", lambda d: np.logspace(0, -2, d // 2, endpoint=False)),
        ("last-hand-other", lambda d: np.geomspace(1, 1e-4, d)[: d // 2]),
        *(("ratio-of-one-width", with_ratio(ratio)) for ratio in RATIOS),
    ),
    "first-lost-position": (
        ("still-there", lambda n: 2**n),
        ("all-digits-one", lambda n: 2**n - 1),
        ("next-but-one", lambda n: 2**n + 2),
        ("one-digit-fewer", lambda n: 2 ** (n - 1) + 1),
        ("one-digit-fewer", lambda n: 2**n // 2),
        ("one-digit-more", lambda n: 2 ** (n + 1) + 1),
        ("one-digit-more", lambda n: 2 * 2**n),
        ("decimal-digits", lambda n: 10**n + 1),
        ("decimal-digits", lambda n: int("1" + "0" * n)),
        ("decimal-digits", lambda n: int("9" * n)),
        ("one-format-only", lambda n: next(i for i in range(9999) if int(np.float16(i)) != i)),
        ("one-format-only", lambda n: 257),
        ("caret-for-power", lambda n: 2 ^ n),
        ("caret-for-power", lambda n: 1 + (2 ^ n)),
        ("caret-for-power", lambda n: (2 ^ n) - 1),
        ("caret-for-power", lambda n: 2 ^ n + 1),
    ),
    "position-from-noisy-row": (
        ("slowest-hand-alone", nearest(lambda d: d[:, -2:] ** 2)),
        ("slowest-hand-alone", read_off(-2)),
        ("slowest-hand-alone", read_off(-2, round)),
        ("fastest-hand-alone", nearest(lambda d: d[:, :2] ** 2)),
        ("fastest-hand-alone", read_off(0)),
        ("fastest-hand-alone", read_off(0, round)),
        ("single-number-decides", nearest_number),
        ("single-number-decides", nearest(lambda d: abs(d).reshape(-1, 1))),
        ("wrong-axis", nearest(lambda d: d.T**2)),
        ("distance-for-position", nearest(np.square, lambda sums: np.sqrt(sums.min()))),
        ("distance-for-position", nearest(np.square, min)),
        ("distance-for-position", nearest(np.abs, min)),
        ("signs-cancel", nearest(lambda d: d, lambda sums: np.abs(sums).argmin())),
        ("farthest-for-nearest", nearest(np.square, np.argmax)),
        ("base-ignored", lambda row, n, base: nearest(np.square)(row, n, 10_000)),
        ("positions-from-one", nearest(np.square, lambda sums: sums.argmin() + 1)),
        ("not-in-a-straight-line", nearest(np.abs)),
        ("not-in-a-straight-line", nearest(lambda d: abs(d).max(axis=1, keepdims=True))),
        ("positions-beyond", lambda row, n, base: nearest(np.square)(row, n + 1, base)),
        ("row-clipped", lambda row, n, base: nearest(np.square)(row.clip(-1, 1), n, base)),
    ),
}
