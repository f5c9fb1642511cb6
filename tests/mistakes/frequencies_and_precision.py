"""Lab 05 as people get it wrong."""

import math

import numpy as np

from course_utils import angular_frequencies


def stepwise_return(multiples, step):
    positions = 1
    while not np.allclose(np.cos(positions * step * multiples), 1, atol=0.01):
        positions += 1
    return positions


def product_of_returns(multiples, step):
    return math.prod(2 * np.pi / (step * multiples))


def summed_without_axis(frequencies, shortest, longest):
    distances = np.arange(shortest, longest + 1)
    return distances[np.cos(np.outer(distances, frequencies)).sum().argmax()]


def return_in_the_loop(frequencies, shortest, longest):
    best = -np.inf
    for distance in range(shortest, longest + 1):
        if np.cos(distance * frequencies).sum() > best:
            return distance


def search_from_zero(frequencies, shortest, longest):
    best, found = 0, None
    for distance in range(shortest, longest + 1):
        total = np.cos(distance * frequencies).sum()
        if total > best:
            best, found = total, distance
    return found


def largest_similarity(frequencies, shortest, longest):
    distances = np.arange(shortest, longest + 1)
    return np.cos(np.outer(distances, frequencies)).sum(axis=1).max()


def summed_over_distances(frequencies, shortest, longest):
    distances = np.arange(shortest, longest + 1)
    return distances[np.cos(np.outer(distances, frequencies)).sum(axis=0).argmax()]


def searched(**choices):
    """The search as most people write it, with one thing or two of it another."""

    def search(frequencies, shortest, longest):
        distances = np.arange(
            choices.get("first", lambda a: a)(shortest), longest + choices.get("end", 1)
        )
        sums = choices.get("wave", np.cos)(np.outer(distances, frequencies)).sum(axis=1)
        found = choices.get("choose", np.argmax)(sums)
        return found if choices.get("index") else distances[found]

    return search


def first_in_float16(n_digits):
    return next(i for i in range(5000) if float(np.float16(i)) != i)


def first_in_powers(n_digits):
    position = 1
    while position < 2**n_digits:
        position *= 2
    return position


MISTAKES = {
    "first-return": (
        ("slowest-decides", lambda multiples, step: 2 * np.pi / (step * min(multiples))),
        ("slowest-decides", lambda multiples, step: 2 * np.pi / (step * multiples).min()),
        ("step-decides", lambda multiples, step: 2 * np.pi / step),
        ("fastest-decides", lambda multiples, step: 2 * np.pi / (step * multiples.max())),
        ("gap-decides", lambda m, step: 2 * np.pi / (step * np.mean(np.abs(np.diff(m))))),
        ("multiple-for-divisor", lambda m, step: 2 * np.pi / (step * np.lcm.reduce(m))),
        ("turn-forgotten", lambda m, step: 1 / (step * np.gcd.reduce(m))),
        ("half-a-turn", lambda m, step: np.pi / (step * np.gcd.reduce(m))),
        ("turn-in-degrees", lambda m, step: 360 / (step * np.gcd.reduce(m))),
        ("step-forgotten", lambda m, step: 2 * np.pi / np.gcd.reduce(m)),
        ("step-multiplied", lambda m, step: 2 * np.pi * step / np.gcd.reduce(m)),
        ("divisor-multiplied", lambda m, step: 2 * np.pi / step * np.gcd.reduce(m)),
        ("step-forgotten divisor-multiplied", lambda m, step: 2 * np.pi * np.gcd.reduce(m)),
        ("whole-distance", lambda m, step: round(2 * np.pi / (step * np.gcd.reduce(m)))),
        ("slowest-decides turn-forgotten", lambda m, step: 1 / (step * min(m))),
        ("slowest-decides whole-distance", lambda m, step: round(2 * np.pi / (step * m.min()))),
        ("step-decides turn-in-degrees", lambda m, step: 360 / step),
        ("pattern.only-first-call-right", lambda m, step: 2 * np.pi * len(m)),
        ("pattern.some-calls-right", lambda m, step: 2 * np.pi / (step * np.gcd(m[0], m[-1]))),
        ("pattern.always-too-small", lambda m, step: 2 * np.pi / (step * sum(m))),
        ("number-expected", lambda m, step: 2 * np.pi / (step * m)),
        ("", stepwise_return),
        ("pattern.some-calls-right", product_of_returns),
    ),
    "most-similar-distance": (
        ("begins-at-zero", searched(first=lambda a: 0)),
        ("index-for-distance", searched(index=True)),
        ("last-left-out", searched(end=0)),
        ("first-left-out", searched(first=lambda a: a + 1)),
        ("first-stays", return_in_the_loop),
        ("least-for-most", searched(choose=np.argmin)),
        ("sine-for-cosine", searched(wave=np.sin)),
        ("sign-of-sum-lost", searched(choose=lambda sums: np.argmax(np.abs(sums)))),
        ("degrees", searched(wave=lambda angles: np.cos(np.radians(angles)))),
        ("one-hand-only", lambda f, a, b: max(range(a, b + 1), key=lambda r: np.cos(r * f[0]))),
        ("index-for-distance last-left-out", searched(index=True, end=0)),
        ("last-left-out sine-for-cosine", searched(end=0, wave=np.sin)),
        ("first-stays", summed_without_axis),
        ("pattern.some-calls-right", summed_over_distances),
        ("sum-for-distance", largest_similarity),
        ("number-expected", lambda f, a, b: np.cos(np.outer(np.arange(a, b + 1), f)).sum(axis=1)),
        ("pattern.right-for-small", lambda f, a, b: (searched(index=True)(f, a, b)) + 1),
        ("", lambda f, a, b: 2 * np.pi / f.min()),
        ("pattern.input-returned", searched(wave=np.array)),
        ("nothing", search_from_zero),
    ),
    "base-for-quarter-turn": (
        (
            "whole-turn positions-for-steps",
            lambda n, d: (n / (2 * math.pi)) ** (d / (d - 2)),
        ),
        ("whole-turn", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2))),
        ("positions-for-steps", lambda n, d: (n / (math.pi / 2)) ** (d / (d - 2))),
        ("half-for-quarter", lambda n, d: ((n - 1) / math.pi) ** (d / (d - 2))),
        ("longest-wave-of-base", lambda n, d: (n - 1) / (math.pi / 2)),
        (
            "positions-for-steps longest-wave-of-base",
            lambda n, d: 4 * n / (2 * math.pi),
        ),
        ("exponent-inverted", lambda n, d: ((n - 1) / (math.pi / 2)) ** ((d - 2) / d)),
        ("exponent-of-pair", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d / (d // 2 - 1))),
        ("turn-forgotten", lambda n, d: (n - 1) ** (d / (d - 2))),
        ("turn-in-degrees", lambda n, d: ((n - 1) / 90) ** (d / (d - 2))),
        ("angle-multiplied", lambda n, d: ((n - 1) * math.pi / 2) ** (d / (d - 2))),
        ("whole-exponent", lambda n, d: ((n - 1) / (math.pi / 2)) ** (d // (d - 2))),
        ("quarter-of-the-base", lambda n, d: ((n - 1) / (2 * math.pi)) ** (d / (d - 2)) / 4),
        ("quarter-of-the-base", lambda n, d: 4 * ((n - 1) / (2 * math.pi)) ** (d / (d - 2))),
        ("four-turns", lambda n, d: ((n - 1) / (2 * math.pi) / 4) ** (d / (d - 2))),
        ("pattern.reciprocal", lambda n, d: (math.pi / 2 / (n - 1)) ** (d / (d - 2))),
        ("pattern.always-too-large", lambda n, d: ((n + 1) / (math.pi / 2)) ** (d / (d - 2))),
        ("pattern.always-too-small", lambda n, d: (n - 1) / math.pi / 2 ** (d / (d - 2))),
        ("pattern.always-too-large", lambda n, d: ((n - 1) / (math.pi / 2)) ** d / (d - 2)),
        ("pattern.whole-numbers", lambda n, d: round(((n - 1) / (math.pi / 2)) ** (d / (d - 2)))),
    ),
    "their-frequencies": (
        ("the-right-frequencies", angular_frequencies),
        ("the-right-frequencies", lambda d: np.geomspace(1, 1e-4, d // 2 + 1)[:-1]),
        ("first-hand-slowed", lambda d: 10_000.0 ** (-np.arange(1, d // 2 + 1) / (d // 2))),
        ("first-hand-slowed", lambda d: np.geomspace(1, 1e-4, d // 2 + 1)[1:]),
        ("divided-by-other-columns", lambda d: [1e4 ** (-2 * k / (d - 1)) for k in range(d // 2)]),
        ("equal-steps-between", lambda d: np.linspace(1, 1e-4, d // 2)),
        ("frequency-per-column", lambda d: np.geomspace(1, 1e-4, d)),
        ("order-reversed", lambda d: np.geomspace(1e-4, 1, d // 2)),
        ("wavelengths-for-frequencies", lambda d: 2 * np.pi / np.geomspace(1, 1e-4, d // 2)),
        ("frequencies-multiplied", lambda d: np.geomspace(1, 1e4, d // 2)),
        ("pattern.times-two-pi", lambda d: 2 * np.pi * np.geomspace(1, 1e-4, d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1e-3, d // 2)),
        ("last-hand-other", lambda d: np.geomspace(1, 1 / (2 * np.pi * 1e4), d // 2)),
        (
            "equal-steps-between order-reversed",
            lambda d: np.linspace(1e-4, 1, d // 2),
        ),
        ("ratio-of-one-width", lambda d: [1e4 ** (-k / 3) for k in range(d // 2)]),
        ("pattern.only-first-call-right", lambda d: np.geomspace(1, 1e-4, 4)),
        ("ratio-of-one-width", lambda d: [0.04642**k for k in range(d // 2)]),
        ("pattern.almost", lambda d: round(1e4 ** (-2 / (d - 2)), 5) ** np.arange(d // 2)),
        ("pattern.always-too-large", lambda d: np.append(angular_frequencies(d)[:-1], 1e-4)),
        ("pattern.always-too-small", lambda d: angular_frequencies(d) ** 2),
        ("exponent-halved", lambda d: 10_000.0 ** (-np.arange(d // 2) / d)),
        ("last-hand-other", lambda d: [10_000 ** (-k / (d - 2)) for k in range(d // 2)]),
        ("pattern.few-digits", lambda d: np.geomspace(1, 1e-4, d // 2).round(5)),
        (
            "pattern.always-too-small",
            lambda d: [10_000 ** (-2 * k // (d - 2)) for k in range(d // 2)],
        ),
        ("pattern.always-too-small", lambda d: 10_000 ** (-np.arange(d // 2) / d // 2 - 1)),
    ),
    "first-lost-position": (
        ("still-there", lambda n: 2**n),
        ("still-there", first_in_powers),
        ("all-digits-one", lambda n: 2**n - 1),
        ("next-but-one", lambda n: 2**n + 2),
        ("one-digit-fewer", lambda n: 2 ** (n - 1) + 1),
        ("one-digit-more", lambda n: 2 ** (n + 1) + 1),
        ("decimal-digits", lambda n: 10**n + 1),
        ("decimal-digits", lambda n: 10**n),
        ("decimal-digits", lambda n: 10**n - 1),
        ("still-there one-digit-more", lambda n: 2 ** (n + 1)),
        ("one-format-only", first_in_float16),
        ("one-format-only", lambda n: 2049),
        ("caret-for-power", lambda n: 2 ^ n),
        ("caret-for-power", lambda n: 2 ^ n + 1),
        ("caret-for-power", lambda n: (2 ^ n) + 1),
        ("", lambda n: n**2 + 1),
        ("pattern.always-too-small", lambda n: 2 * n + 1),
        ("pattern.always-too-small", lambda n: 2.0**-n),
        ("pattern.always-the-same", lambda n: 65504),
        ("pattern.always-too-small", lambda n: 2 ** n.bit_length() + 1),
        ("pattern.always-too-small", lambda n: next(i for i in range(2**n + 2) if len(bin(i)) > n)),
        ("text", lambda n: f"1{'0' * (n - 1)}1"),
        ("decimal-digits", lambda n: int(f"1{'0' * (n - 1)}1")),
    ),
}
