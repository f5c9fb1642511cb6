"""Realistic wrong answers for lab 08, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from answers.your_model import frequencies, positions, shifted, yarn
from numpy.typing import NDArray


def powers(base: float, n_pairs: int, width: float) -> NDArray:
    return 1.0 / float(base) ** (2 * np.arange(n_pairs) / width)


def with_rest(found: NDArray, head_dim: int, proportional: bool) -> NDArray:
    n_pairs = head_dim // 2 if proportional else len(found)
    return np.concatenate([found, [0.0] * (n_pairs - len(found))])


def mixed(
    head_dim: int,
    base: float,
    factor: float,
    trained: float,
    slowed: Callable[[float, float, int], float],
    scaling: float,
    ends: Callable[[float, float], tuple] = lambda a, b: (math.floor(a), math.ceil(b)),
) -> list[float]:
    first, last = ends(
        *(
            math.log(trained / (2 * math.pi * turns)) / math.log(base) * head_dim / 2
            for turns in (32, 1)
        )
    )
    found = []
    for k in range(head_dim // 2):
        share = slowed(first, last, k)
        found.append(base ** (-2 * k / head_dim) * (1 - share + share / factor))
    return [*found, scaling]


def usual(first: float, last: float, k: int) -> float:
    return min(max((k - first) / (last - first), 0), 1)


def scale(factor: float) -> float:
    return 1 + math.log(factor) / 10


def moved(keys: NDArray, steps: NDArray, omega: NDArray, first: list, second: list) -> NDArray:
    found = np.array(keys, dtype=float)
    for k, frequency in enumerate(omega):
        a, b = first[k], second[k]
        c, s = np.cos(steps * frequency), np.sin(steps * frequency)
        found[:, a] = keys[:, a] * c - keys[:, b] * s
        found[:, b] = keys[:, a] * s + keys[:, b] * c
    return found


def by_steps(steps: Callable[[NDArray, NDArray], NDArray]) -> Callable[..., NDArray]:
    return lambda keys, old, new, omega: moved(
        keys, steps(old, new), omega, range(len(omega)), range(len(omega), 2 * len(omega))
    )


def arange_rows(documents: NDArray) -> list[list[int]]:
    return [list(range(len(row))) for row in documents]


def late(documents: NDArray) -> list[list[int]]:
    rows = []
    for row, places in zip(documents.tolist(), positions(documents), strict=True):
        turned = [places[-1], *places[:-1]]
        rows.append([place if number else 0 for number, place in zip(row, turned, strict=True)])
    return rows


WRONG = {
    "frequencies-of-share": (
        (
            "exponents-over-the-head",
            lambda d, b, s, p: with_rest(powers(b, int(d * s) // 2, d), d, p),
        ),
        (
            "exponents-over-the-part",
            lambda d, b, s, p: with_rest(powers(b, int(d * s) // 2, d * s), d, p),
        ),
        (
            "no-pairs-at-rest",
            lambda d, b, s, p: powers(b, int(d * s) // 2, d if p else d * s),
        ),
        ("share-left-out", lambda d, b, s, p: powers(b, d // 2, d)),
        ("base-of-habit", lambda d, b, s, p: frequencies(d, 10_000, s, p)),
        (
            "always-proportional",
            lambda d, b, s, p: with_rest(powers(b, int(d * s) // 2, d), d, True),
        ),
        ("rules-exchanged", lambda d, b, s, p: frequencies(d, b, s, not p)),
        (
            "exponent-halved",
            lambda d, b, s, p: with_rest(powers(b, int(d * s) // 2, 2 * (d if p else d * s)), d, p),
        ),
        (
            "frequencies-multiplied",
            lambda d, b, s, p: with_rest(1 / powers(b, int(d * s) // 2, d if p else d * s), d, p),
        ),
        (
            "rest-at-one",
            lambda d, b, s, p: [number or 1 for number in frequencies(d, b, s, p)],
        ),
        (
            "share-counts-pairs",
            lambda d, b, s, p: np.asarray(
                frequencies(d, b, s, p)
                if s == 1
                else with_rest(
                    powers(b, math.ceil(int(d * s / 2) / 2), d if p else int(d * s / 2)), d, p
                )[: (math.ceil(int(d * s / 2) / 2) + (d - int(d * s / 2)) // 2) if p else None]
            ),
        ),
    ),
    "yarn-of-configuration": (
        (
            "stretched-length-taken",
            lambda d, b, f, t: mixed(d, b, f, t * f, usual, scale(f)),
        ),
        (
            "ramp-turned-round",
            lambda d, b, f, t: mixed(d, b, f, t, lambda *at: 1 - usual(*at), scale(f)),
        ),
        ("all-pairs-slowed", lambda d, b, f, t: [*powers(b, d // 2, d) / f, scale(f)]),
        ("no-pair-slowed", lambda d, b, f, t: [*powers(b, d // 2, d), scale(f)]),
        ("scaling-left-at-one", lambda d, b, f, t: [*yarn(d, b, f, t)[:-1], 1]),
        ("scaling-squared", lambda d, b, f, t: [*yarn(d, b, f, t)[:-1], scale(f) * scale(f)]),
        (
            "ends-not-rounded",
            lambda d, b, f, t: mixed(d, b, f, t, usual, scale(f), ends=lambda *ends: ends),
        ),
        (
            "decimal-logarithm-in-scaling",
            lambda d, b, f, t: [*yarn(d, b, f, t)[:-1], 1 + math.log10(f) / 10],
        ),
        ("one-left-out", lambda d, b, f, t: [*yarn(d, b, f, t)[:-1], math.log(f) / 10]),
        (
            "scaling-in-frequencies",
            lambda d, b, f, t: [*(scale(f) * np.array(yarn(d, b, f, t)[:-1])), scale(f)],
        ),
        ("base-of-habit", lambda d, b, f, t: yarn(d, 10_000, f, t)),
        (
            "larger-base-for-ramp",
            lambda d, b, f, t: [*powers(b * f ** (d / (d - 2)), d // 2, d), scale(f)],
        ),
    ),
    "positions-in-batch": (
        ("padding-counted", arange_rows),
        (
            "documents-counted-through",
            lambda documents: (np.cumsum(documents != 0, axis=1) - 1).clip(min=0),
        ),
        (
            "tokens-from-one",
            lambda documents: (np.array(positions(documents)) + 1) * (documents != 0),
        ),
        (
            "padding-below-zero",
            lambda documents: np.array(positions(documents)) - (documents == 0),
        ),
        (
            "padding-zeroed-only",
            lambda documents: np.array(arange_rows(documents)) * (documents > 0),
        ),
        ("padding-continues", lambda documents: (documents != 0).cumsum(axis=-1) - 1),
        (
            "counted-from-the-right",
            lambda given: [
                [row[c + 1 :].count(n) * (n > 0) for c, n in enumerate(row)]
                for row in given.tolist()
            ],
        ),
        (
            "padding-numbered",
            lambda given: [
                [
                    next(k for k in range(c + 1) if k == c or row[c - k - 1] != n)
                    for c, n in enumerate(row)
                ]
                for row in given.tolist()
            ],
        ),
        ("restart-one-late", late),
    ),
    "shifted-cache": (
        ("turned-to-new-only", by_steps(lambda old, new: new)),
        ("shift-turned-round", by_steps(lambda old, new: old - new)),
        ("one-shift-for-all-keys", by_steps(lambda old, new: np.full(len(old), new[0] - old[0]))),
        ("shift-without-turning", lambda keys, old, new, omega: keys.copy()),
        (
            "neighbours-in-halves",
            lambda keys, old, new, omega: moved(
                keys,
                new - old,
                omega,
                range(0, 2 * len(omega), 2),
                range(1, 2 * len(omega), 2),
            ),
        ),
        (
            "pairs-across-the-head",
            lambda keys, old, new, omega: moved(
                keys,
                new - old,
                omega,
                range(len(omega)),
                range(keys.shape[1] // 2, keys.shape[1] // 2 + len(omega)),
            ),
        ),
        ("turned-twice", by_steps(lambda old, new: 2 * new - 2 * old)),
        (
            "rest-dropped",
            lambda keys, old, new, omega: np.array(shifted(keys, old, new, omega))[
                :, : 2 * len(omega)
            ],
        ),
        (
            "base-of-habit",
            lambda keys, old, new, omega: shifted(
                keys, old, new, powers(10_000, len(omega), 2 * len(omega))
            ),
        ),
        (
            "frequencies-multiplied",
            lambda keys, old, new, omega: shifted(keys, old, new, [1 / w for w in omega]),
        ),
        ("both-positions-added", lambda keys, old, new, omega: shifted(keys, -old, new, omega)),
    ),
    "five-suspects": (
        ("layout-for-factor", [4, 1, 5, 2, 3]),
        ("base-for-precision", [1, 4, 5, 3, 2]),
        ("base-for-layout", [4, 3, 5, 1, 2]),
        ("base-for-factor", [4, 2, 5, 3, 1]),
        ("late-for-layout", [4, 1, 3, 5, 2]),
        ("faults-from-zero", [3, 0, 4, 2, 1]),
        ("suspects-by-fault", [2, 5, 4, 1, 3]),
    ),
}
