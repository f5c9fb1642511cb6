"""Wrong answers for lab 08 from public threads and code, with the expected findings.

Comments cite the threads and files in which such mistakes occurred.
"""

import math
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
from answers.your_model import frequencies, positions, yarn
from numpy.typing import NDArray

from .your_model import WRONG as EXCHANGED
from .your_model import arange_rows, by_steps, moved, powers, scale, usual, with_rest


def turned(d: int, share: float) -> int:
    return int(d * share)


def part(d: int, base: float, share: float) -> NDArray:
    """Return frequencies as for a smaller head."""
    return powers(base, turned(d, share) // 2, turned(d, share))


def width(d: int, share: float, proportional: bool) -> int:
    return d if proportional else turned(d, share)


def spread(exponents: Callable[[int], NDArray]) -> Callable:
    """Return exponents that depend only on the number of pairs or columns."""
    return lambda d, b, s, p: with_rest(float(b) ** -exponents(turned(d, s) // 2), d, p)


def stretched(
    d: int,
    base: float,
    factor: float,
    trained: float,
    *,
    pair: Callable[[float], float] | None = None,
    limits: tuple[float, float] = (32, 1),
    ends: Callable[[float, float], tuple] = lambda a, b: (math.floor(a), math.ceil(b)),
    slowed: Callable[[float, float, int], float] = usual,
    mix: Callable[[float, float, float], float] = lambda w, f, s: (1 - s) * w + s * w / f,
    scaling: float | None = None,
    first_pair: int = 0,
) -> list[float]:
    pair = pair or (lambda turns: d * math.log(trained / turns / math.tau, base) / 2)
    first, last = ends(*map(pair, limits))
    found = [
        mix(base ** (-2 * (k + first_pair) / d), factor, slowed(first, last, k))
        for k in range(d // 2)
    ]
    return [*found, scale(factor) if scaling is None else scaling]


def variant(**changes: object) -> Callable[..., list[float]]:
    return lambda *given: stretched(*given, **changes)


def pair_by(rule: Callable[[int, float, float, float, float], float]) -> Callable:
    return lambda d, b, f, t: stretched(d, b, f, t, pair=lambda turns: rule(d, b, f, t, turns))


def scaled_by(rule: Callable[[float, float], float]) -> Callable:
    return lambda d, b, f, t: stretched(d, b, f, t, scaling=rule(f, t))


def in_turns(d: int, base: float, factor: float, trained: float, fast: int = 32) -> list[float]:
    found = powers(base, d // 2, d)
    kept = np.clip((found * trained / math.tau - 1) / (fast - 1), 0, 1)
    return [*(found * kept + found / factor * (1 - kept)), scale(factor)]


def by_rows(place: Callable[[list[int], int], int]) -> Callable:
    """Compute positions from a row and a column, or 0 for padding."""
    return lambda documents: [
        [place(row, c) if n else 0 for c, n in enumerate(row)] for row in documents.tolist()
    ]


def starts(row: list[int]) -> list[int]:
    return [c for c, n in enumerate(row) if n and (c == 0 or row[c - 1] != n)]


def right(documents: NDArray) -> NDArray:
    return np.array(positions(documents))


def flattened(documents: NDArray) -> NDArray:
    flat = documents.ravel()
    found = np.zeros(flat.shape, dtype=int)
    for at in range(1, flat.size):
        found[at] = found[at - 1] + 1 if flat[at] and flat[at] == flat[at - 1] else 0
    return found.reshape(documents.shape)


def over_batch(documents: NDArray) -> NDArray:
    seen: dict[int, int] = {}
    found = np.zeros_like(documents)
    for at, number in np.ndenumerate(documents):
        found[at] = seen.get(int(number), 0) if number else 0
        seen[int(number)] = seen.get(int(number), 0) + 1
    return found


def new_when(begins: Callable[[int, int], bool]) -> Callable:
    def found(documents: NDArray) -> list[list[int]]:
        rows = []
        for row in documents.tolist():
            count, line = 0, []
            for c, number in enumerate(row):
                count = 0 if c == 0 or begins(row[c - 1], number) else count + 1
                line.append(count if number else 0)
            rows.append(line)
        return rows

    return found


def halves(change: Callable[..., tuple]) -> Callable[..., NDArray]:
    """Compute both halves of keys from cosines, sines and the old halves."""

    def found(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
        n, moved_keys = len(omega), np.array(keys, dtype=float)
        angles = np.outer(new - old, omega)
        x, y = keys[:, :n], keys[:, n : 2 * n]
        moved_keys[:, :n], moved_keys[:, n : 2 * n] = change(x, y, np.cos(angles), np.sin(angles))
        return moved_keys

    return found


def with_frequencies(change: Callable[[NDArray], NDArray]) -> Callable[..., NDArray]:
    move = by_steps(lambda old, new: new - old)
    return lambda keys, old, new, omega: move(keys, old, new, change(np.asarray(omega)))


def after(change: Callable[[NDArray, NDArray, int], NDArray]) -> Callable[..., NDArray]:
    """Return an answer that changes the correct keys."""
    move = by_steps(lambda old, new: new - old)
    return lambda keys, old, new, omega: change(move(keys, old, new, omega), keys, len(omega))


def interleaved(found: NDArray, keys: NDArray, n: int) -> NDArray:
    written = found.copy()
    written[:, 0 : 2 * n : 2], written[:, 1 : 2 * n : 2] = found[:, :n], found[:, n : 2 * n]
    return written


def last_turned(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
    n, d = len(omega), keys.shape[1]
    return moved(keys, new - old, omega, range(d - 2 * n, d - n), range(d - n, d))


def mean_step(old: NDArray, new: NDArray) -> NDArray:
    return np.full(len(old), np.mean(new - old))


def per_column(d: int, base: float, share: float, proportional: bool, n: int, at_rest: bool):
    found = [base ** (-column / n) for column in range(turned(d, share))]
    return found + [0.0] * (d - len(found)) if at_rest and proportional else found


def powered(rule: Callable[[float, int, int, int], float]) -> Callable:
    """Return frequencies that are computed by a given formula."""
    return lambda d, b, s, p: with_rest(
        np.array(
            [rule(float(b), k, width(d, s, p), turned(d, s) // 2) for k in range(turned(d, s) // 2)]
        ),
        d,
        p,
    )


def padded(n_zeros: Callable[[int, int], int]) -> Callable:
    return lambda d, b, s, p: (
        [*powers(b, turned(d, s) // 2, d), *[0] * n_zeros(d, turned(d, s))] if p else part(d, b, s)
    )


def fewer(d: int, b: float, s: float, p: bool, own_width: bool) -> list[float]:
    n = max(int(turned(d, s) * s), 2)
    over = d if p else n if own_width else turned(d, s)
    found = [b ** (-2 * k / over) for k in range((n + 1) // 2)]
    return found + [0.0] * (d // 2 - len(found)) if p else found


def scattered(d: int, b: float, s: float, p: bool) -> list[float]:
    every = d // turned(d, s)
    return (
        [b ** (-2 * k / d) if k % every == 0 else 0 for k in range(d // 2)] if p else part(d, b, s)
    )


def share_by(rule: Callable[[float, float, int, int], float]) -> Callable:
    """Return YaRN's frequencies with a different ramp."""

    def found(d: int, b: float, f: float, t: float) -> list[float]:
        def slowed(first: float, last: float, k: int) -> float:
            return min(max(rule(first, last, k, d // 2), 0), 1)

        return stretched(d, b, f, t, slowed=slowed)

    return found


def exponents(rule: Callable[[int, int], float]) -> Callable:
    """Return YaRN's frequencies with different exponents."""

    def found(d: int, b: float, f: float, t: float) -> list[float]:
        shares = [1 - w / (b ** (-2 * k / d)) for k, w in enumerate(yarn(d, b, f, t)[:-1])]
        plain = [b ** -rule(k, d) for k in range(d // 2)]
        return [*(w * (1 - s) for w, s in zip(plain, shares, strict=True)), scale(f)]

    return found


def filled_rest(source: Callable[[NDArray, int], NDArray]) -> Callable:
    def change(found: NDArray, keys: NDArray, n: int) -> NDArray:
        other = np.resize(source(found, n), keys.shape)
        return np.hstack([found[:, : 2 * n], other[:, : keys.shape[1] - 2 * n]])

    return after(change)


def in_ascending_order(row: list[int]) -> list[int]:
    """Return positions as if the documents in a row were sorted."""
    found = iter([k for n in sorted(set(row) - {0}) for k in range(row.count(n))])
    return [next(found) if n else 0 for n in row]


def changes(row: list[int]) -> int:
    return sum(one != other for one, other in pairwise(row))


def compared(goes_on: Callable[[list[int], int], bool]) -> Callable:
    def found(documents: NDArray) -> list[list[int]]:
        rows = []
        for row in documents.tolist():
            line = [0]
            for c in range(1, len(row)):
                line.append(line[-1] + 1 if goes_on(row, c) else 0)
            rows.append([count if n else 0 for count, n in zip(line, row, strict=True)])
        return rows

    return found


def by_angles(angles: Callable[[float, float, float, NDArray, NDArray], float]) -> Callable:
    def found(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
        n, result = len(omega), np.array(keys, dtype=float)
        for i, k in product(range(len(keys)), range(n)):
            turn = np.exp(1j * angles(float(old[i]), float(new[i]), omega[k], old, new))
            value = complex(keys[i, k], keys[i, k + n]) * turn
            result[i, k], result[i, k + n] = value.real, value.imag
        return result

    return found


def repeated_angles(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
    n, result = len(omega), np.array(keys, dtype=float)
    for column in range(2 * n):
        angle = (new - old) * omega[column // 2]
        other = -keys[:, column + n] if column < n else keys[:, column - n]
        result[:, column] = keys[:, column] * np.cos(angle) + other * np.sin(angle)
    return result


def rotate_half_of_head(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
    d, n = keys.shape[1], len(omega)
    result = np.array(keys, dtype=float)
    for column in range(2 * n):
        angle = (new - old) * omega[column % n]
        other = -keys[:, column + d // 2] if column < d // 2 else keys[:, column - d // 2]
        result[:, column] = keys[:, column] * np.cos(angle) + other * np.sin(angle)
    return result


def mirrored(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
    n = len(omega)
    return moved(keys, new - old, omega, range(n), range(2 * n - 1, n - 1, -1))


def angles_added(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> NDArray:
    n, result = len(omega), np.array(keys, dtype=float)
    for column in range(2 * n):
        result[:, column] += (new - old) * omega[column % n]
    return result


NAMED = [given for _, given in EXCHANGED["five-suspects"]]
"""Wrong lists of faults that have a separate misconception."""


def is_near(given: tuple[int, ...]) -> bool:
    n_wrong = sum(fault != right for fault, right in zip(given, (4, 1, 5, 3, 2), strict=True))
    return n_wrong in (1, 2) or (n_wrong > 0 and sorted(given) == [1, 2, 3, 4, 5])


WRONG = {
    "frequencies-of-share": (
        # pegainfer, issue 820: a table for ordinary partial RoPE only
        ("rule-ignored", lambda d, b, s, p: part(d, b, s)),
        # cascadia, pull request 69: padded to the width of the head
        (
            "rest-always-kept",
            lambda d, b, s, p: with_rest(
                powers(b, turned(d, s) // 2, width(d, s, p)), d, proportional=True
            ),
        ),
        # transformers: emb = cat((freqs, freqs)), one number for each column
        (
            "frequencies-repeated",
            lambda d, b, s, p: [*frequencies(d, b, s, p), *frequencies(d, b, s, p)],
        ),
        # labml, issue 313: pairs counted from 1
        (
            "pairs-from-one",
            lambda d, b, s, p: with_rest(
                powers(b, turned(d, s) // 2, width(d, s, p)) / b ** (2 / width(d, s, p)), d, p
            ),
        ),
        (
            "exponent-doubled",
            lambda d, b, s, p: with_rest(powers(b, turned(d, s) // 2, width(d, s, p) / 2), d, p),
        ),
        # DeepSeek's heads: the rotated part is last
        (
            "rest-first",
            lambda d, b, s, p: sorted(frequencies(d, b, s, p), key=bool),
        ),
        # mlx: divisors, with infinity for pairs that do not turn
        (
            "frequencies-multiplied",
            lambda d, b, s, p: [1 / w if w else math.inf for w in frequencies(d, b, s, p)],
        ),
        # Tensor2Tensor: the last frequency is one over the base
        ("ends-at-base", spread(lambda n: np.arange(n) / max(n - 1, 1))),
        # zml, pull request 660: “proportional” read as a factor
        (
            "share-slows",
            lambda d, b, s, p: with_rest(part(d, b, s) * (s if p else 1), d, p),
        ),
        # omlx, pull request 2295: the width of the table is not the width of the head
        (
            "zeros-for-columns",
            lambda d, b, s, p: (
                [*powers(b, turned(d, s) // 2, d), *[0] * (d - turned(d, s))]
                if p
                else part(d, b, s)
            ),
        ),
        # nexusquant, pull request 12: which pairs of the head turn
        (
            "slow-pairs-kept",
            lambda d, b, s, p: with_rest(powers(b, d // 2, d)[-(turned(d, s) // 2) :], d, p),
        ),
        # the same pairs, each at its own index
        (
            "slow-pairs-kept",
            lambda d, b, s, p: (
                [f * (2 * k >= d - turned(d, s)) for k, f in enumerate(powers(b, d // 2, d))]
                if p
                else part(d, b, s)
            ),
        ),
        (
            "whole-turns",
            lambda d, b, s, p: np.array(frequencies(d, b, s, p)) / math.tau,
        ),
        (
            "logarithm-missing",
            lambda d, b, s, p: with_rest(
                np.exp(-2 * np.arange(turned(d, s) // 2) / width(d, s, p)), d, p
            ),
        ),
        (
            "frequencies-repeated",
            lambda d, b, s, p: np.repeat(frequencies(d, b, s, p), 2),
        ),
        # cascadia, pull request 69: the mask counts columns
        (
            "share-counts-columns",
            lambda d, b, s, p: (
                with_rest(powers(b, turned(d, s), width(d, s, p)), 2 * d, p)
                if not p
                else powers(b, d // 2, d) * (np.arange(d // 2) < turned(d, s))
            ),
        ),
        (
            "parentheses-missing",
            lambda d, b, s, p: with_rest(
                float(b) ** -2 * np.arange(turned(d, s) // 2) / width(d, s, p), d, p
            ),
        ),
        ("frequency-per-column", lambda d, b, s, p: powers(b, turned(d, s), 2 * turned(d, s))),
        # Other forms of the same mistakes
        ("frequency-per-column", lambda d, b, s, p: per_column(d, b, s, p, width(d, s, p), True)),
        ("frequency-per-column", lambda d, b, s, p: per_column(d, b, s, p, width(d, s, p), False)),
        ("frequency-per-column", lambda d, b, s, p: per_column(d, b, s, p, turned(d, s), True)),
        ("share-slows", lambda d, b, s, p: [w * (s if p else 1) for w in frequencies(d, b, s, p)]),
        ("whole-turns", lambda d, b, s, p: [w * math.tau for w in frequencies(d, b, s, p)]),
        ("rest-keeps-turning", lambda d, b, s, p: powers(b, d // 2, d) if p else part(d, b, s)),
        (
            "rest-keeps-turning",
            lambda d, b, s, p: (
                [b ** (-2 * min(k, turned(d, s) // 2 - 1) / d) for k in range(d // 2)]
                if p
                else part(d, b, s)
            ),
        ),
        ("rest-turned", lambda d, b, s, p: frequencies(d, b, s if s == 1 else 1 - s, p)),
        ("list-as-long-as-the-head", lambda d, b, s, p: powers(b, d // 2, width(d, s, p))),
        ("share-taken-twice", lambda *given: fewer(*given, own_width=False)),
        ("share-taken-twice", lambda *given: fewer(*given, own_width=True)),
        ("rest-scattered", scattered),
        *(
            ("power-otherwise", powered(rule))
            for rule in (
                lambda b, k, w, n: b ** (-(2 * k + 1) / w),
                lambda b, k, w, n: b * -2 * k / w,
                lambda b, k, w, n: -2 * k / w,
                lambda b, k, w, n: b ** (-2 * k),
                lambda b, k, w, n: w ** (-2 * k / w),
                lambda b, k, w, n: 10 ** (-2 * k / w),
                lambda b, k, w, n: b ** (-2 * k / (w - 1)),
                lambda b, k, w, n: b ** (-2 * k / (w - 2 or 1)),
            )
        ),
        ("power-otherwise", lambda d, b, s, p: frequencies(d, b * s, s, p)),
        (
            "power-otherwise",
            lambda d, b, s, p: [w * w if p else w for w in frequencies(d, b, s, p)],
        ),
        ("zeros-otherwise", padded(lambda d, n: n // 2)),
        ("zeros-otherwise", padded(lambda d, n: n)),
        ("zeros-otherwise", padded(lambda d, n: d // 2)),
        ("zeros-otherwise", padded(lambda d, n: (d - n + 2) // 2)),
        ("zeros-otherwise", padded(lambda d, n: abs(d - n - 2) // 2 if d > n else 0)),
        (
            "power-otherwise",
            lambda d, b, s, p: with_rest(powers(b, turned(d, s) // 2, width(d, s, not p)), d, p),
        ),
        (
            "frequencies-in-half-precision",
            lambda d, b, s, p: np.array(frequencies(d, b, s, p), dtype=np.float16),
        ),
        (
            "frequencies-repeated",
            lambda d, b, s, p: [
                *2 * [b ** (-2 * k / width(d, s, p)) for k in range(turned(d, s) // 2)],
                *[0] * (d - turned(d, s)) * p,
            ],
        ),
        ("logarithm-missing", powered(lambda b, k, w, n: math.exp(-2 * k / w * math.log10(b)))),
        ("logarithm-missing", powered(lambda b, k, w, n: math.exp(-2 * k / w * math.log2(b)))),
    ),
    "yarn-of-configuration": (
        # keras-hub, pull request 2981, and vLLM, issue 27722: how the ends are rounded
        ("ends-rounded-otherwise", variant(ends=lambda *e: tuple(map(math.floor, e)))),
        ("ends-rounded-otherwise", variant(ends=lambda a, b: (math.ceil(a), math.floor(b)))),
        ("ends-rounded-otherwise", variant(ends=lambda *e: tuple(map(round, e)))),
        # lightllm and others: find_correction_dim(num_rotations, dim, base=10000, max_pos=2048)
        (
            "usual-base-in-ramp",
            pair_by(lambda d, b, f, t, n: d * math.log(t / n / math.tau) / 2 / math.log(1e4)),
        ),
        (
            "usual-length-in-ramp",
            pair_by(lambda d, b, f, t, n: d * math.log(2048 / n / math.tau, b) / 2),
        ),
        ("turn-left-out", pair_by(lambda d, b, f, t, n: d * math.log(t / n, b) / 2)),
        ("half-left-out", pair_by(lambda d, b, f, t, n: d * math.log(t / n / math.tau, b))),
        # minimind, issue 602, and yarn, issue 60: pairs confused with dimensions
        ("ramp-over-columns", variant(slowed=lambda a, b, k: usual(a, b, 2 * k))),
        # yarn, issues 60 and 65: the paper's ramp is measured in turns
        ("ramp-in-turns", in_turns),
        ("limits-exchanged", variant(limits=(1, 32))),
        ("ramp-without-ends", variant(slowed=lambda a, b, k: (k - a) / (b - a))),
        # keras-hub, pull request 2981, and minimind, issue 602
        (
            "ramp-ends-at-last-pair",
            lambda d, b, f, t: stretched(
                d, b, f, t, ends=lambda x, y: (max(math.floor(x), 0), min(math.ceil(y), d // 2 - 1))
            ),
        ),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(k >= a))),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(k > (a + b) / 2))),
        # Llama 3.1's limits, high_freq_factor 4 and low_freq_factor 1
        ("other-limits", variant(limits=(4, 1))),
        ("factor-multiplied", variant(mix=lambda w, f, s: (1 - s) * w + s * w * f)),
        (
            "shorter-length-taken",
            lambda d, b, f, t: [*yarn(d, b, f, t / f)[:-1], scale(f)],
        ),
        # LongRoPE's scaling, in the same module of transformers
        ("scaling-of-longrope", scaled_by(lambda f, t: math.sqrt(1 + math.log(f) / math.log(t)))),
        ("scaling-inverted", scaled_by(lambda f, t: 1 / scale(f))),
        ("binary-logarithm-in-scaling", scaled_by(lambda f, t: 0.1 * math.log2(f) + 1)),
        ("length-in-scaling", scaled_by(lambda f, t: 0.1 * math.log(t) + 1)),
        # MTPLX, pull request 394: the raw factor used as the scaling
        ("factor-for-scaling", scaled_by(lambda f, t: f)),
        # SGLang, pull request 33558
        ("scaling-root", scaled_by(lambda f, t: math.sqrt(scale(f)))),
        (
            "scaling-first",
            lambda d, b, f, t: np.roll(yarn(d, b, f, t), 1),
        ),
        # apache/tvm, pull request 18576: 1 / (factor · base) to the power
        (
            "factor-in-the-power",
            lambda d, b, f, t: stretched(
                d,
                b,
                f,
                t,
                mix=lambda w, f, s: (1 - s) * w + s * w * f ** (math.log(w) / math.log(b)),
            ),
        ),
        ("wavelengths-mixed", variant(mix=lambda w, f, s: 1 / ((1 - s) / w + s * f / w))),
        ("exponents-mixed", variant(mix=lambda w, f, s: w / f**s)),
        ("frequencies-repeated", lambda d, b, f, t: np.repeat(yarn(d, b, f, t), 2)[:-1]),
        ("exponent-halved", variant(mix=lambda w, f, s: math.sqrt(w) * (1 - s + s / f))),
        (
            "pairs-from-one",
            lambda d, b, f, t: [*(np.array(yarn(d, b, f, t)[:-1]) * b ** (-2 / d)), scale(f)],
        ),
        # Other forms of the same mistakes
        ("ends-rounded-otherwise", variant(ends=lambda *e: tuple(map(math.ceil, e)))),
        *(
            (
                "usual-length-in-ramp",
                pair_by(lambda d, b, f, t, n, m=m: d * math.log(m / n / math.tau, b) / 2),
            )
            for m in (4096, 8192, 2**15)
        ),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(k > a))),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(k >= b))),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(2 * k >= a + b))),
        ("step-for-ramp", variant(slowed=lambda a, b, k: float(k > b))),
        *(
            ("other-limits", variant(limits=limits))
            for limits in ((16, 1), (64, 1), (32, 2), (32, 4), (32, 1 / 4))
        ),
        ("ramp-in-turns", lambda d, b, f, t: in_turns(d, b, f, t, fast=4)),
        ("length-in-scaling", scaled_by(lambda f, t: (math.log(f) + math.log(t)) / 10 + 1)),
        ("factor-for-scaling", scaled_by(lambda f, t: f**0.5)),
        ("frequencies-repeated", lambda d, b, f, t: [*yarn(d, b, f, t)[:-1], *yarn(d, b, f, t)]),
        ("exponent-doubled", exponents(lambda k, d: 4 * k / d)),
        (
            "pairs-from-one",
            variant(
                slowed=lambda a, b, k: usual(a, b, k + 1),
                mix=lambda w, f, s: w * (1 - s + s / f),
                first_pair=1,
            ),
        ),
        ("larger-base-for-ramp", lambda d, b, f, t: [*powers(b * f, d // 2, d), scale(f)]),
        (
            "scaling-in-frequencies",
            lambda d, b, f, t: [*(w / scale(f) for w in yarn(d, b, f, t)[:-1]), scale(f)],
        ),
        *(
            ("ends-by-another-formula", pair_by(rule))
            for rule in (
                lambda d, b, f, t, n: d * math.log10(t / n / math.tau) / math.log(b) / 2,
                lambda d, b, f, t, n: d * math.log(t / n / math.tau) / math.log10(b) / 2,
                lambda d, b, f, t, n: d * math.log(t / n / math.pi, b) / 2,
                lambda d, b, f, t, n: d * math.log(t * n / math.tau, b) / 2,
                lambda d, b, f, t, n: d * math.log(t / n * math.tau, b) / 2,
                lambda d, b, f, t, n: math.log(t / n / math.tau, b) / 2,
                lambda d, b, f, t, n: d * math.log(t / n / math.tau, b) / 4,
            )
        ),
        ("ends-by-another-formula", share_by(lambda a, b, k, n: k / b)),
        ("ends-by-another-formula", share_by(lambda a, b, k, n: k / (n - 1))),
        ("ends-by-another-formula", share_by(lambda a, b, k, n: (k - a) / (n - 1 - a))),
        *(
            ("ramp-by-another-formula", share_by(rule))
            for rule in (
                lambda a, b, k, n: (k + 1 - a) / (b + 1 - a),
                lambda a, b, k, n: (k - a) / (b + 1 - a),
                lambda a, b, k, n: (k + 1 - a) / (b - a),
                lambda a, b, k, n: (k - a) / b,
                lambda a, b, k, n: k / (b - a),
                lambda a, b, k, n: usual(a, b, k) * usual(a, b, k),
                lambda a, b, k, n: 3 * usual(a, b, k) ** 2 - 2 * usual(a, b, k) ** 3,
                lambda a, b, k, n: 0.5 if a < k < b else usual(a, b, k),
            )
        ),
        *(
            ("mixture-by-another-formula", variant(mix=mix))
            for mix in (
                lambda w, f, s: w - w * s + w / f,
                lambda w, f, s: w + w * s / f,
                lambda w, f, s: w - w * s,
                lambda w, f, s: s * w / f,
                lambda w, f, s: w - w * s - s * w / f,
                lambda w, f, s: (w + w / f) / 2,
                lambda w, f, s: w / max(1, f * s),
                lambda w, f, s: w - w * s / f,
                lambda w, f, s: w - w * s + s * w / f**0.5,
            )
        ),
        *(
            ("scaling-by-another-formula", scaled_by(rule))
            for rule in (
                lambda f, t: math.log1p(f) / 10 + 1,
                lambda f, t: 2 - scale(f),
                lambda f, t: 1 + math.log(f),
                lambda f, t: math.log(f),
                lambda f, t: (1 + math.log(f)) / 10,
                lambda f, t: 1 + f / 10,
                lambda f, t: 1 + math.log(f) / 100,
                lambda f, t: 1 / f,
                lambda f, t: f**-0.5,
                lambda f, t: 0,
            )
        ),
        ("power-otherwise", exponents(lambda k, d: (2 * k + 1) / d)),
        ("power-otherwise", exponents(lambda k, d: 2 * k)),
        ("power-otherwise", exponents(lambda k, d: k / (d // 2 - 1))),
        (
            "ends-by-another-formula",
            pair_by(lambda d, b, f, t, n: d * math.log(t / n / math.tau, b * f) / 2),
        ),
        (
            "all-pairs-slowed scaling-left-at-one",
            lambda d, b, f, t: [*powers(b, d // 2, d) / f, 1],
        ),
        ("no-pair-slowed scaling-left-at-one", lambda d, b, f, t: [*powers(b, d // 2, d), 1]),
        (
            "stretched-length-taken scaling-left-at-one",
            lambda d, b, f, t: [*yarn(d, b, f, t * f)[:-1], 1],
        ),
        (
            "ends-not-rounded scaling-left-at-one",
            variant(ends=lambda *both: both, scaling=1),
        ),
        (
            "ramp-turned-round scaling-left-at-one",
            variant(slowed=lambda a, b, k: 1 - usual(a, b, k), scaling=1),
        ),
    ),
    "positions-in-batch": (
        # transformers: position_ids.masked_fill_(attention_mask == 0, 1)
        ("padding-gets-one", lambda given: np.where(given > 0, right(given), 1)),
        (
            "documents-counted-through padding-gets-one",
            lambda given: np.where(given > 0, np.cumsum(given > 0, axis=1) - 1, 1),
        ),
        # fairseq, issue 1177: positions begin at padding_idx + 1
        ("positions-from-padding-row", lambda given: np.where(given > 0, right(given) + 2, 1)),
        ("rows-run-together", flattened),
        ("counted-over-batch", over_batch),
        # ms-swift, pull request 9904: a boundary only where the number decreases
        ("new-only-if-larger", new_when(lambda before, number: number > before)),
        ("new-only-if-smaller", new_when(lambda before, number: number < before)),
        # unsloth, pull request 3803: one row of positions for the whole batch
        ("first-row-for-all", lambda given: [positions(given)[0]] * len(given)),
        # LLaDA, issue 120, and exllamav2, issue 606: only the padding on the left is subtracted
        (
            "left-padding-subtracted",
            lambda given: (np.arange(given.shape[1]) - (given > 0).argmax(axis=1)[:, None]).clip(
                min=0
            ),
        ),
        (
            "documents-counted-through",
            by_rows(lambda row, c: sum(n > 0 for n in row[:c])),
        ),
        ("down-the-columns", lambda given: right(given.T).T),
        ("number-of-document", lambda given: given - (given > 0)),
        (
            "lengths-for-positions",
            by_rows(lambda row, c: row.count(row[c])),
        ),
        # axolotl, pull request 2739: counting continues through the padding
        (
            "padding-goes-on",
            lambda given: [
                [c - max([s for s in starts(row) if s <= c], default=c) for c in range(len(row))]
                for row in given.tolist()
            ],
        ),
        # swiss-ai/Megatron-LM, pull request 40: the number subtracted is one too small
        (
            "later-documents-from-one",
            by_rows(lambda row, c: row[:c].count(row[c]) + (row[c] != row[starts(row)[0]])),
        ),
        ("first-two-at-zero", lambda given: (right(given) - 1).clip(min=0)),
        (
            "restart-one-early",
            by_rows(
                lambda row, c: (
                    0 if c + 1 < len(row) and row[c + 1] != row[c] else row[:c].count(row[c])
                )
            ),
        ),
        (
            "documents-counted-through",
            by_rows(lambda row, c: c - max([k for k in range(c) if row[k] == 0], default=-1) - 1),
        ),
        # Other forms of the same mistakes
        (
            "left-padding-subtracted",
            lambda given: [
                [c - next((k for k, n in enumerate(row) if n), 0) for c in range(len(row))]
                for row in given.tolist()
            ],
        ),
        (
            "first-row-for-all",
            lambda given: np.where(given > 0, np.array(positions(given[:1])), 0),
        ),
        (
            "padding-goes-on",
            lambda given: [
                [c - max([s for s in starts(row) if s <= c], default=0) for c in range(len(row))]
                for row in given.tolist()
            ],
        ),
        ("number-of-document", lambda given: given + 0),
        (
            "padding-keeps-column",
            lambda given: right(given) + np.arange(given.shape[1]) * (given == 0),
        ),
        (
            "padding-gets-a-large-number",
            lambda given: right(given) + (given == 0) * right(given).max(),
        ),
        (
            "padding-gets-a-large-number",
            lambda given: right(given) + (given == 0) * given.shape[1],
        ),
        (
            "padding-gets-a-large-number",
            lambda given: right(given) + (given == 0) * (given.shape[1] - 1),
        ),
        (
            "tokens-from-one documents-counted-through",
            by_rows(lambda row, c: np.count_nonzero(row[: c + 1])),
        ),
        (
            "tokens-from-one documents-counted-through",
            lambda given: (given != 0).cumsum(axis=-1),
        ),
        ("tokens-from-one padding-counted", lambda given: np.array(arange_rows(given)) + 1),
        ("tokens-from-one padding-zeroed-only", by_rows(lambda row, c: c + 1)),
        (
            "documents-counted-through padding-below-zero",
            lambda given: [
                [np.count_nonzero(row[:c]) if n else -1 for c, n in enumerate(row)]
                for row in given.tolist()
            ],
        ),
        (
            "order-of-documents-assumed",
            lambda given: [in_ascending_order(row) for row in given.tolist()],
        ),
        ("one-document-subtracted", by_rows(lambda row, c: c - (row.index(1) if 1 in row else 0))),
        ("columns-reversed", by_rows(lambda row, c: len(row) - 1 - c)),
        (
            "columns-reversed",
            lambda given: [list(range(len(row) - 1, -1, -1)) for row in given.tolist()],
        ),
        ("whether-it-goes-on", by_rows(lambda row, c: c > 0 and row[c] == row[c - 1])),
        ("whether-it-goes-on", by_rows(lambda row, c: c == 0 or row[c] != row[c - 1])),
        ("first-column-of-document", by_rows(lambda row, c: row.index(row[c]))),
        ("mask-returned", lambda given: given != 0),
        ("mask-returned", lambda given: given == 0),
        ("changes-counted", by_rows(lambda row, c: changes(row[: c + 1]))),
        (
            "changes-counted",
            lambda given: [
                [changes(row[: c + 1]) for c in range(len(row))] for row in given.tolist()
            ],
        ),
        (
            "same-length-assumed",
            by_rows(lambda row, c: c % row.count(next(n for n in row if n))),
        ),
        ("compared-elsewhere", new_when(lambda before, number: number == before)),
        ("compared-elsewhere", new_when(lambda before, number: before > 0)),
        ("compared-elsewhere", compared(lambda row, c: row[c] == row[c - 2])),
        ("compared-elsewhere", compared(lambda row, c: row[c] == row[(c + 1) % len(row)])),
        ("compared-elsewhere", compared(lambda row, c: row[c] == row[0])),
        ("steps-of-another-size", lambda given: right(given) + right(given)),
        ("steps-of-another-size", lambda given: right(given) >> 1),
        ("steps-of-another-size", lambda given: right(given) * right(given)),
        (
            "steps-of-another-size",
            by_rows(lambda row, c: sum(range(row[:c].count(row[c]) + 1))),
        ),
        ("down-the-columns", lambda given: (given != 0).cumsum(0) - 1),
        ("down-the-columns", lambda given: ((given != 0).cumsum(0) - 1).clip(0)),
        (
            "down-the-columns",
            lambda given: [[i * (n > 0) for n in row] for i, row in enumerate(given)],
        ),
        (
            "later-documents-from-one",
            by_rows(lambda row, c: row[:c].count(row[c]) + (row.index(row[c]) > 0)),
        ),
    ),
    "shifted-cache": (
        (
            "overwritten-too-soon",
            halves(lambda x, y, c, s: (x * c - y * s, (x * c - y * s) * s + y * c)),
        ),
        # OpenArch, issue 13, and others: the sign of one half
        ("both-signs-alike", halves(lambda x, y, c, s: (x * c + y * s, x * s + y * c))),
        ("both-signs-alike", halves(lambda x, y, c, s: (x * c - y * s, y * c - x * s))),
        (
            "rest-zero",
            after(lambda found, keys, n: found * (np.arange(keys.shape[1]) < 2 * n)),
        ),
        ("written-in-pairs", after(interleaved)),
        ("one-shift-for-all-keys", by_steps(lambda old, new: np.full(len(old), new[-1] - old[-1]))),
        ("one-shift-for-all-keys", by_steps(mean_step)),
        ("degrees", by_steps(lambda old, new: np.deg2rad(new - old))),
        ("direction-of-shift-lost", by_steps(lambda old, new: np.abs(new - old))),
        (
            "one-frequency-for-all-pairs",
            with_frequencies(lambda omega: np.full_like(omega, omega[0])),
        ),
        ("half-of-the-turn", halves(lambda x, y, c, s: (x * c, y * c))),
        ("half-of-the-turn", halves(lambda x, y, c, s: (-y * s, x * s))),
        ("halves-exchanged", halves(lambda x, y, c, s: (x * s + y * c, x * c - y * s))),
        ("last-columns-turned", last_turned),
        # llama.cpp, issue 3825: a shift that is not added to the previous one
        ("shifts-added-up", by_steps(lambda old, new: np.cumsum(new - old))),
        ("only-turned-back", by_steps(lambda old, new: -old)),
        ("shift-off-by-one", by_steps(lambda old, new: new - old + 1)),
        ("shift-off-by-one", by_steps(lambda old, new: new - old - 1)),
        ("frequencies-reversed", with_frequencies(lambda omega: omega[::-1])),
        ("one-frequency-for-all-pairs", with_frequencies(np.ones_like)),
        ("one-pair-turned", with_frequencies(lambda omega: omega * (np.arange(len(omega)) == 0))),
        ("sine-cosine-exchanged", halves(lambda x, y, c, s: (x * s - y * c, x * c + y * s))),
        # VeloxQuant-MLX, issue 389: the row number used as a position
        ("rows-for-new-positions", by_steps(lambda old, new: np.arange(len(old)) - old)),
        ("whole-turns", by_steps(lambda old, new: math.tau * (new - old))),
        ("half-the-shift", by_steps(lambda old, new: (new - old) / 2)),
        # Other forms of the same mistakes
        ("one-shift-for-all-keys", by_steps(lambda old, new: np.full(len(old), min(new - old)))),
        ("one-shift-for-all-keys", by_steps(lambda old, new: np.full(len(old), max(new - old)))),
        ("rows-for-new-positions", by_steps(lambda old, new: new - range(len(old)))),
        ("rows-for-new-positions", by_steps(lambda old, new: np.array(range(len(old))))),
        ("whole-turns", by_steps(lambda old, new: (new - old) / math.tau)),
        (
            "one-frequency-for-all-pairs",
            with_frequencies(lambda omega: np.full_like(omega, omega[-1])),
        ),
        ("pairs-across-the-head", rotate_half_of_head),
        ("layouts-mixed", repeated_angles),
        ("partners-mirrored", mirrored),
        (
            "shift-added-to-numbers",
            lambda keys, old, new, omega: [
                [number + after - before for number in key]
                for key, before, after in zip(keys.tolist(), old, new, strict=True)
            ],
        ),
        ("shift-added-to-numbers", angles_added),
        *(
            ("products-otherwise", halves(change))
            for change in (
                lambda x, y, c, s: (c * x, c * y + s * x),
                lambda x, y, c, s: (-s * y, c * y + s * x),
                lambda x, y, c, s: (c * x - s * y, s * x),
                lambda x, y, c, s: (c * x - s * y, c * y),
                lambda x, y, c, s: (c * x - s * y, s * x - c * y),
                lambda x, y, c, s: (c * x - s * y, c * x + s * y),
                lambda x, y, c, s: (c * x - s * y,) * 2,
                lambda x, y, c, s: ((c - s) * x, (c + s) * y),
                lambda x, y, c, s: (c * (x - y), s * (x + y)),
                lambda x, y, c, s: (c * x - s * y, y),
                lambda x, y, c, s: (x, c * y + s * x),
                lambda x, y, c, s: (c * x + s * y, s * x - c * y),
            )
        ),
        *(
            ("angle-by-another-formula", by_angles(angle))
            for angle in (
                lambda before, to, w, old, new: to * w - before,
                lambda before, to, w, old, new: to - before * w,
                lambda before, to, w, old, new: to - before + w,
                lambda before, to, w, old, new: (to - before) * w * w,
                lambda before, to, w, old, new: (to - before) * w * 180 / math.pi,
                lambda before, to, w, old, new: to / max(before, 1) * w,
                lambda before, to, w, old, new: before * w,
                lambda before, to, w, old, new: (to + before) * w / 2,
                lambda before, to, w, old, new: (to - new[0]) * w,
                lambda before, to, w, old, new: (to - old[0]) * w,
            )
        ),
        ("rest-overwritten", filled_rest(lambda found, n: found)),
        ("rest-overwritten", filled_rest(lambda found, n: found[:, n:])),
        ("rest-overwritten", filled_rest(lambda found, n: np.ones(1))),
    ),
    "five-suspects": tuple(
        ("another-fault", list(given))
        for given in product(range(1, 6), repeat=5)
        if list(given) not in NAMED and is_near(given)
    ),
}
