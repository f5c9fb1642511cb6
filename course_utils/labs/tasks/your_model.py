"""Lab 08: frequencies, YaRN, positions in batches, caches and five faulty implementations."""

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...configurations.comparing import BROKEN, right_scores, score_differences
from ...encodings import angular_frequencies
from ..exercise import Exercise, Steps

ROUNDED_ANGLES = 1e-4
"""Tolerance for angles of several hundred radians in float32, which many programs use."""


def frequencies(
    head_dim: int, base: float, share: float, proportional: bool, *, over: str = "rule"
) -> NDArray[np.float64]:
    """Return the frequencies of a head in which only a proportion of the columns is rotated."""
    turned = int(head_dim * share)
    widths = {"rule": head_dim if proportional else turned, "head": head_dim, "part": turned}
    found = base ** (-np.arange(0, turned, 2) / widths[over])
    return np.pad(found, (0, (head_dim - turned) // 2 if proportional else 0))


def _no_zeros(head_dim: int, base: float, share: float, proportional: bool) -> NDArray:
    return frequencies(head_dim, base, share, proportional)[: int(head_dim * share) // 2]


def _changed(
    head_dim: int,
    base: float,
    share: float,
    proportional: bool,
    *,
    change: Callable[[NDArray], NDArray] = lambda found: found,
    power: Callable[[NDArray, int, float], NDArray] = lambda k, n, base: base ** (-2 * k / n),
    rest: Callable[[int, bool], int] = lambda at_rest, proportional: (
        at_rest // 2 if proportional else 0
    ),
) -> NDArray[np.float64]:
    """Return frequencies with incorrect powers, zeros or final values."""
    turned = int(head_dim * share)
    found = power(np.arange(turned // 2), head_dim if proportional else turned, float(base))
    return change(np.pad(found, (0, rest(head_dim - turned, proportional))))


def _for_each_column(
    head_dim: int, base: float, share: float, proportional: bool, *, over_head: bool, zeros: bool
) -> NDArray[np.float64]:
    """Return a frequency for each rotated column."""
    turned = int(head_dim * share)
    found = float(base) ** (
        -np.arange(turned) / (head_dim if over_head and proportional else turned)
    )
    return np.pad(found, (0, head_dim - turned if zeros and proportional else 0))


def _share_slows(
    head_dim: int, base: float, share: float, proportional: bool, *, over: str
) -> NDArray[np.float64]:
    found = frequencies(head_dim, base, share, proportional, over=over)
    return found * (share if proportional else 1)


def _rest_turned(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    """Return the frequencies for the proportion of columns that should not be rotated."""
    return frequencies(head_dim, base, 1 - share if share < 1 else 1.0, proportional)


def _rest_like_the_last(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    found = _no_zeros(head_dim, base, share, proportional)
    at_rest = (head_dim - int(head_dim * share)) // 2 if proportional else 0
    return np.pad(found, (0, at_rest), mode="edge")


def _share_twice(
    head_dim: int, base: float, share: float, proportional: bool, *, in_exponents: bool = False
) -> NDArray[np.float64]:
    turned = int(head_dim * share)
    fewer = max(int(turned * share), 2)
    width = head_dim if proportional else fewer if in_exponents else turned
    found = float(base) ** (-np.arange(0, fewer, 2) / width)
    return np.pad(found, (0, head_dim // 2 - len(found) if proportional else 0))


def _rest_scattered(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    if not proportional:
        return frequencies(head_dim, base, share, False)
    step = head_dim // int(head_dim * share)
    found = angular_frequencies(head_dim, base=base)
    return found * (np.arange(head_dim // 2) % step == 0)


def _base_times_share(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    return frequencies(head_dim, base * share, share, proportional)


def _half_width_when_proportional(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    return frequencies(head_dim, base, share, proportional) ** (1 + proportional)


def _widths_exchanged(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    over = "part" if proportional else "head"
    return frequencies(head_dim, base, share, proportional, over=over)


def _repeated_with_zeros(
    head_dim: int, base: float, share: float, proportional: bool
) -> NDArray[np.float64]:
    found = np.tile(_no_zeros(head_dim, base, share, proportional), 2)
    return np.pad(found, (0, head_dim - int(head_dim * share) if proportional else 0))


def _zeros_otherwise(
    head_dim: int,
    base: float,
    share: float,
    proportional: bool,
    *,
    rest: Callable[[int, int], int],
) -> NDArray[np.float64]:
    found = _no_zeros(head_dim, base, share, proportional)
    return np.pad(found, (0, rest(head_dim, int(head_dim * share)) if proportional else 0))


def _slow_pairs(
    head_dim: int, base: float, share: float, proportional: bool, *, in_place: bool = False
) -> NDArray:
    turned = int(head_dim * share)
    if in_place and not proportional:
        return angular_frequencies(turned, base=base)
    found = angular_frequencies(head_dim, base=base)[-(turned // 2) :]
    at_rest = (head_dim - turned) // 2 if proportional else 0
    return np.pad(found, (at_rest, 0) if in_place else (0, at_rest))


def _columns_for_pairs(head_dim: int, base: float, share: float, proportional: bool) -> NDArray:
    turned = int(head_dim * share)
    if not proportional:
        return float(base) ** (-2 * np.arange(turned) / turned)
    found = angular_frequencies(head_dim, base=base)
    return found * (np.arange(head_dim // 2) < turned)


def _frequency_by_hand(
    place: tuple, head_dim: int, base: float, share: float, proportional: bool
) -> Steps:
    turned, pair = int(head_dim * share), place[0]
    over = head_dim if proportional else turned
    turns = 2 * pair < turned
    return dict(
        k=pair,
        turned=turned,
        pairs=turned // 2,
        over=over,
        exponent=2 * pair / over,
        result=base ** (-2 * pair / over) if turns else 0.0,
    )


FREQUENCIES_OF_SHARE = Exercise(
    id="frequencies-of-share",
    reference=frequencies,
    cases=(
        (8, 10_000, 0.5, False),
        (8, 10_000, 0.5, True),
        (16, 500_000, 0.25, False),
        (64, 1_000_000, 0.25, True),
        (80, 10_000, 0.4, False),
        (12, 100, 1.0, False),
        (12, 100, 1.0, True),
        (4, 1000, 0.5, True),
    ),
    tolerance=1e-9,
    by_hand=_frequency_by_hand,
    misconceptions={
        "exponents-over-the-head": partial(frequencies, over="head"),
        "exponents-over-the-part": partial(frequencies, over="part"),
        "no-pairs-at-rest": _no_zeros,
        "rule-ignored": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share, False
        ),
        "rest-always-kept": partial(_changed, rest=lambda at_rest, proportional: at_rest // 2),
        "zeros-for-columns": partial(
            _changed, rest=lambda at_rest, proportional: at_rest * proportional
        ),
        "share-left-out": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, 1.0, proportional
        ),
        "base-of-habit": lambda head_dim, base, share, proportional: frequencies(
            head_dim, 10_000, share, proportional
        ),
        "always-proportional": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share, True
        ),
        "rules-exchanged": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share, not proportional
        ),
        "exponent-halved": lambda head_dim, base, share, proportional: (
            frequencies(head_dim, base, share, proportional) ** 0.5
        ),
        "frequencies-multiplied": [
            lambda head_dim, base, share, proportional: frequencies(
                head_dim, 1 / base, share, proportional
            ),
            partial(_changed, change=lambda found: 1 / found),
        ],
        "exponent-doubled": partial(_changed, change=np.square),
        "pairs-from-one": partial(_changed, power=lambda k, n, base: base ** (-2 * (k + 1) / n)),
        "frequencies-repeated": [
            partial(_changed, change=lambda found: np.tile(found, 2)),
            partial(_changed, change=lambda found: np.repeat(found, 2)),
            _repeated_with_zeros,
        ],
        "frequency-per-column": [
            partial(_for_each_column, over_head=over_head, zeros=zeros)
            for over_head in (True, False)
            for zeros in (True, False)
        ],
        "share-slows": [partial(_share_slows, over=over) for over in ("part", "rule")],
        "ends-at-base": partial(
            _changed, power=lambda k, n, base: base ** (-k / max(len(k) - 1, 1))
        ),
        "rest-first": lambda head_dim, base, share, proportional: np.roll(
            frequencies(head_dim, base, share, proportional),
            (head_dim - int(head_dim * share)) // 2 if proportional else 0,
        ),
        "slow-pairs-kept": [_slow_pairs, partial(_slow_pairs, in_place=True)],
        "share-counts-columns": _columns_for_pairs,
        "whole-turns": [
            partial(_changed, change=lambda found: found * math.tau),
            partial(_changed, change=lambda found: found / math.tau),
        ],
        "logarithm-missing": [
            partial(_changed, power=lambda k, n, base: np.exp(-2 * k / n)),
            partial(_changed, power=lambda k, n, base: np.exp(-2 * k / n * np.log10(base))),
            partial(_changed, power=lambda k, n, base: np.exp(-2 * k / n * np.log2(base))),
        ],
        "parentheses-missing": partial(_changed, power=lambda k, n, base: base**-2 * k / n),
        "rest-keeps-turning": [
            lambda head_dim, base, share, proportional: frequencies(
                head_dim, base, 1.0 if proportional else share, False
            ),
            _rest_like_the_last,
        ],
        "rest-turned": _rest_turned,
        "list-as-long-as-the-head": lambda head_dim, base, share, proportional: (
            float(base)
            ** (
                -2
                * np.arange(head_dim // 2)
                / (head_dim if proportional else int(head_dim * share))
            )
        ),
        "share-taken-twice": [_share_twice, partial(_share_twice, in_exponents=True)],
        "rest-scattered": _rest_scattered,
        "power-otherwise": [
            *(
                partial(_changed, power=power)
                for power in (
                    lambda k, n, base: base ** (-(2 * k + 1) / n),
                    lambda k, n, base: base * (-2 * k / n),
                    lambda k, n, base: -2 * k / n,
                    lambda k, n, base: base ** (-2 * k),
                    lambda k, n, base: n ** (-2 * k / n),
                    lambda k, n, base: 10 ** (-2 * k / n),
                    lambda k, n, base: base ** (-2 * k / (n - 1)),
                    lambda k, n, base: base ** (-2 * k / max(n - 2, 1)),
                )
            ),
            _base_times_share,
            _half_width_when_proportional,
            _widths_exchanged,
        ],
        "frequencies-in-half-precision": partial(
            _changed, change=lambda found: found.astype(np.float16).astype(float)
        ),
        "zeros-otherwise": [
            partial(_zeros_otherwise, rest=rest)
            for rest in (
                lambda head_dim, turned: turned // 2,
                lambda head_dim, turned: turned,
                lambda head_dim, turned: head_dim // 2,
                lambda head_dim, turned: (head_dim - turned) // 2 + 1,
                lambda head_dim, turned: max((head_dim - turned) // 2 - 1, 0),
            )
        ],
        "rest-at-one": lambda head_dim, base, share, proportional: (
            (found := frequencies(head_dim, base, share, proportional)) + (found == 0)
        ),
        "share-counts-pairs": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share / 2 if share < 1 else 1.0, proportional
        ),
    },
)


def yarn(
    head_dim: int,
    base: float,
    factor: float,
    trained: int,
    *,
    length: Callable[[int, float], float] = lambda trained, factor: trained,
    limits: tuple[float, float] = (32, 1),
    turn: float = 2 * math.pi,
    columns_in_pair: int = 2,
    base_of_ramp: float | None = None,
    pair: Callable[[int, float, int, float], float] | None = None,
    ends: tuple[Callable[[float], float], Callable[[float], float]] = (math.floor, math.ceil),
    last_pair: Callable[[int], float] = lambda head_dim: math.inf,
    clipped: bool = True,
    numbers: Callable[[NDArray], NDArray] = lambda pairs: pairs,
    shares: Callable[[NDArray, float, float], NDArray] = lambda pairs, first, last: (
        (pairs - first) / (last - first)
    ),
    ramp: Callable[[NDArray], NDArray] = lambda stretched: stretched,
    mixture: Callable[[NDArray, float, NDArray], NDArray] = lambda plain, factor, stretched: (
        plain * (1 - stretched) + plain / factor * stretched
    ),
    power: Callable[[NDArray], NDArray] = lambda pairs: 2 * pairs,
    scaling: Callable[[float, int], float] = lambda factor, trained: 0.1 * math.log(factor) + 1,
) -> NDArray[np.float64]:
    """Return YaRN's frequencies, followed by the attention scaling."""

    def pair_with(turns: float) -> float:
        ratio = length(trained, factor) / (turn * turns)
        return head_dim * math.log(ratio) / (columns_in_pair * math.log(base_of_ramp or base))

    if pair is not None:
        pair_with = partial(pair, head_dim, base, trained)
    first, last = (end(pair_with(turns)) for end, turns in zip(ends, limits, strict=True))
    last = min(last, last_pair(head_dim))
    pairs = np.arange(head_dim // 2)
    share = shares(numbers(pairs), first, last)
    stretched = ramp(np.clip(share, 0, 1) if clipped else share)
    plain = float(base) ** (-power(pairs) / head_dim)
    return np.append(mixture(plain, factor, stretched), scaling(factor, trained))


def _right_scaling(factor: float) -> float:
    return 0.1 * math.log(factor) + 1


def _stretched_base_in_ramp(
    head_dim: int, base: float, factor: float, trained: int
) -> NDArray[np.float64]:
    return yarn(head_dim, base, factor, trained, base_of_ramp=base * factor)


def _usual_length(
    head_dim: int, base: float, factor: float, trained: int, *, usual: int
) -> NDArray[np.float64]:
    return yarn(head_dim, base, factor, trained, length=lambda trained, factor: usual)


def _ramp_in_turns(
    head_dim: int, base: float, factor: float, trained: int, *, fast: int = 32
) -> NDArray[np.float64]:
    """Return frequencies with a ramp that is linear in the number of turns."""
    plain = angular_frequencies(head_dim, base=base)
    kept = np.clip((plain * trained / (2 * math.pi) - 1) / (fast - 1), 0, 1)
    return np.append(plain * kept + plain / factor * (1 - kept), _right_scaling(factor))


def _frequencies_repeated(
    head_dim: int, base: float, factor: float, trained: int, *, repeat: Callable
) -> NDArray[np.float64]:
    *found, scaling = yarn(head_dim, base, factor, trained)
    return np.append(repeat(found, 2), scaling)


def _scaled(
    head_dim: int, base: float, factor: float, trained: int, *, divided: bool = False
) -> NDArray[np.float64]:
    *found, scaling = yarn(head_dim, base, factor, trained)
    return np.append(np.array(found) * scaling ** (-1 if divided else 1), scaling)


def _larger_base(head_dim: int, base: float, factor: float, trained: int) -> NDArray[np.float64]:
    """Return the frequencies of the NTK-aware base instead of YaRN's."""
    larger = base * factor ** (head_dim / (head_dim - 2))
    return np.append(
        angular_frequencies(head_dim, base=larger), yarn(head_dim, base, factor, trained)[-1]
    )


def _yarn_by_hand(place: tuple, head_dim: int, base: float, factor: float, trained: int) -> Steps:
    pair = place[0]
    first, last = (
        head_dim * math.log(trained / (2 * math.pi * turns)) / (2 * math.log(base))
        for turns in (32, 1)
    )
    first, last = math.floor(first), math.ceil(last)
    share = min(max((pair - first) / (last - first), 0), 1)
    plain = base ** (-2 * pair / head_dim)
    scaling = 0.1 * math.log(factor) + 1
    mixed = plain * (1 - share) + plain / factor * share
    return dict(
        k=pair,
        first=first,
        last=last,
        share=share,
        plain=plain,
        slow=plain / factor,
        scaling=scaling,
        result=scaling if pair == head_dim // 2 else mixed,
    )


YARN_OF_CONFIGURATION = Exercise(
    id="yarn-of-configuration",
    reference=yarn,
    cases=(
        (8, 100, 4.0, 4096),
        (128, 10_000, 4.0, 4096),
        (64, 150_000, 32.0, 4096),
        (128, 1_000_000, 4.0, 32_768),
        (32, 10_000, 2.0, 2048),
        (128, 500_000, 8.0, 8192),
    ),
    tolerance=1e-9,
    by_hand=_yarn_by_hand,
    misconceptions={
        "stretched-length-taken": partial(yarn, length=lambda trained, factor: trained * factor),
        "ramp-turned-round": partial(yarn, ramp=lambda stretched: 1 - stretched),
        "all-pairs-slowed": partial(yarn, ramp=np.ones_like),
        "no-pair-slowed": partial(yarn, ramp=np.zeros_like),
        "scaling-left-at-one": partial(yarn, scaling=lambda factor, trained: 1.0),
        "all-pairs-slowed scaling-left-at-one": partial(
            yarn, ramp=np.ones_like, scaling=lambda factor, trained: 1.0
        ),
        "no-pair-slowed scaling-left-at-one": partial(
            yarn, ramp=np.zeros_like, scaling=lambda factor, trained: 1.0
        ),
        "stretched-length-taken scaling-left-at-one": partial(
            yarn,
            length=lambda trained, factor: trained * factor,
            scaling=lambda factor, trained: 1.0,
        ),
        "ends-not-rounded scaling-left-at-one": partial(
            yarn, ends=(float, float), scaling=lambda factor, trained: 1.0
        ),
        "ramp-turned-round scaling-left-at-one": partial(
            yarn,
            ramp=lambda stretched: 1 - stretched,
            scaling=lambda factor, trained: 1.0,
        ),
        "scaling-squared": partial(
            yarn, scaling=lambda factor, trained: _right_scaling(factor) ** 2
        ),
        "scaling-root": partial(
            yarn, scaling=lambda factor, trained: _right_scaling(factor) ** 0.5
        ),
        "scaling-inverted": partial(
            yarn, scaling=lambda factor, trained: 1 / _right_scaling(factor)
        ),
        "ends-not-rounded": partial(yarn, ends=(float, float)),
        "ends-rounded-otherwise": [
            partial(yarn, ends=ends)
            for ends in (
                (math.floor, math.floor),
                (round, round),
                (math.ceil, math.floor),
                (math.ceil, math.ceil),
            )
        ],
        "one-left-out": partial(yarn, scaling=lambda factor, trained: 0.1 * math.log(factor)),
        "scaling-in-frequencies": [_scaled, partial(_scaled, divided=True)],
        "base-of-habit": lambda head_dim, base, factor, trained: yarn(
            head_dim, 10_000, factor, trained
        ),
        "larger-base-for-ramp": [
            _larger_base,
            lambda head_dim, base, factor, trained: np.append(
                angular_frequencies(head_dim, base=base * factor), _right_scaling(factor)
            ),
        ],
        "decimal-logarithm-in-scaling": partial(
            yarn, scaling=lambda factor, trained: 0.1 * math.log10(factor) + 1
        ),
        "binary-logarithm-in-scaling": partial(
            yarn, scaling=lambda factor, trained: 0.1 * math.log2(factor) + 1
        ),
        "usual-base-in-ramp": partial(yarn, base_of_ramp=10_000),
        "usual-length-in-ramp": [
            partial(_usual_length, usual=usual) for usual in (2048, 4096, 8192, 32_768)
        ],
        "shorter-length-taken": partial(yarn, length=lambda trained, factor: trained / factor),
        "turn-left-out": partial(yarn, turn=1),
        "half-left-out": partial(yarn, columns_in_pair=1),
        "ramp-over-columns": partial(yarn, numbers=lambda pairs: 2 * pairs),
        "ramp-in-turns": [_ramp_in_turns, partial(_ramp_in_turns, fast=4)],
        "limits-exchanged": partial(yarn, limits=(1, 32)),
        "ramp-without-ends": partial(yarn, clipped=False),
        "ramp-ends-at-last-pair": partial(yarn, last_pair=lambda head_dim: head_dim // 2 - 1),
        "step-for-ramp": [
            partial(yarn, ramp=lambda stretched: stretched > 0),
            partial(yarn, ramp=lambda stretched: stretched >= 1),
            partial(yarn, ramp=lambda stretched: stretched > 0.5),
            partial(yarn, ramp=lambda stretched: stretched >= 0.5),
            partial(yarn, clipped=False, ramp=lambda share: share >= 0),
            partial(yarn, clipped=False, ramp=lambda share: share > 1),
        ],
        "other-limits": [
            partial(yarn, limits=limits)
            for limits in ((4, 1), (16, 1), (64, 1), (32, 2), (32, 4), (32, 0.25))
        ],
        "factor-multiplied": partial(
            yarn,
            mixture=lambda plain, factor, stretched: (
                plain * (1 - stretched) + plain * factor * stretched
            ),
        ),
        "scaling-of-longrope": partial(
            yarn,
            scaling=lambda factor, trained: math.sqrt(1 + math.log(factor) / math.log(trained)),
        ),
        "length-in-scaling": [
            partial(yarn, scaling=lambda factor, trained: 0.1 * math.log(trained) + 1),
            partial(yarn, scaling=lambda factor, trained: 0.1 * math.log(factor * trained) + 1),
        ],
        "factor-for-scaling": [
            partial(yarn, scaling=lambda factor, trained: factor),
            partial(yarn, scaling=lambda factor, trained: math.sqrt(factor)),
        ],
        "scaling-first": lambda *given: np.roll(yarn(*given), 1),
        "factor-in-the-power": lambda head_dim, base, factor, trained: yarn(
            head_dim,
            base,
            factor,
            trained,
            mixture=lambda plain, factor, stretched: (
                plain * (1 - stretched)
                + angular_frequencies(head_dim, base=factor * base) * stretched
            ),
        ),
        "wavelengths-mixed": partial(
            yarn,
            mixture=lambda plain, factor, stretched: plain / (1 - stretched + factor * stretched),
        ),
        "exponents-mixed": partial(
            yarn, mixture=lambda plain, factor, stretched: plain / factor**stretched
        ),
        "frequencies-repeated": [
            partial(_frequencies_repeated, repeat=repeat) for repeat in (np.tile, np.repeat)
        ],
        "ends-by-another-formula": [
            *(
                partial(yarn, pair=pair)
                for pair in (
                    lambda d, base, length, turns: (
                        d * math.log10(length / (2 * math.pi * turns)) / (2 * math.log(base))
                    ),
                    lambda d, base, length, turns: (
                        d * math.log(length / (2 * math.pi * turns)) / (2 * math.log10(base))
                    ),
                    lambda d, base, length, turns: (
                        d * math.log(length / (math.pi * turns)) / (2 * math.log(base))
                    ),
                    lambda d, base, length, turns: (
                        d * math.log(length * turns / (2 * math.pi)) / (2 * math.log(base))
                    ),
                    lambda d, base, length, turns: (
                        d * math.log(2 * math.pi * length / turns) / (2 * math.log(base))
                    ),
                    lambda d, base, length, turns: (
                        math.log(length / (2 * math.pi * turns)) / (2 * math.log(base))
                    ),
                    lambda d, base, length, turns: (
                        d * math.log(length / (2 * math.pi * turns)) / (4 * math.log(base))
                    ),
                )
            ),
            _stretched_base_in_ramp,
            *(
                partial(yarn, shares=shares)
                for shares in (
                    lambda pairs, first, last: pairs / last,
                    lambda pairs, first, last: pairs / pairs[-1],
                    lambda pairs, first, last: (pairs - first) / (pairs[-1] - first),
                )
            ),
        ],
        "ramp-by-another-formula": [
            *(
                partial(yarn, shares=shares)
                for shares in (
                    lambda pairs, first, last: (pairs - first + 1) / (last - first + 1),
                    lambda pairs, first, last: (pairs - first) / (last - first + 1),
                    lambda pairs, first, last: (pairs - first + 1) / (last - first),
                    lambda pairs, first, last: (pairs - first) / last,
                    lambda pairs, first, last: pairs / (last - first),
                )
            ),
            *(
                partial(yarn, ramp=ramp)
                for ramp in (
                    np.square,
                    lambda stretched: stretched**2 * (3 - 2 * stretched),
                    lambda stretched: np.where((stretched > 0) & (stretched < 1), 0.5, stretched),
                )
            ),
        ],
        "mixture-by-another-formula": [
            partial(yarn, mixture=mixture)
            for mixture in (
                lambda plain, factor, stretched: plain * (1 - stretched) + plain / factor,
                lambda plain, factor, stretched: plain + plain / factor * stretched,
                lambda plain, factor, stretched: plain * (1 - stretched),
                lambda plain, factor, stretched: plain / factor * stretched,
                lambda plain, factor, stretched: (
                    plain * (1 - stretched) - plain / factor * stretched
                ),
                lambda plain, factor, stretched: (plain + plain / factor) / 2,
                lambda plain, factor, stretched: plain / np.maximum(factor * stretched, 1),
                lambda plain, factor, stretched: plain * (1 - stretched / factor),
                lambda plain, factor, stretched: (
                    plain * (1 - stretched) + plain / math.sqrt(factor) * stretched
                ),
            )
        ],
        "scaling-by-another-formula": [
            partial(yarn, scaling=scaling)
            for scaling in (
                lambda factor, trained: 0.1 * math.log(factor + 1) + 1,
                lambda factor, trained: 1 - 0.1 * math.log(factor),
                lambda factor, trained: math.log(factor) + 1,
                lambda factor, trained: math.log(factor),
                lambda factor, trained: 0.1 * (math.log(factor) + 1),
                lambda factor, trained: 0.1 * factor + 1,
                lambda factor, trained: 0.01 * math.log(factor) + 1,
                lambda factor, trained: 1 / factor,
                lambda factor, trained: 1 / math.sqrt(factor),
                lambda factor, trained: 0.0,
            )
        ],
        "power-otherwise": [
            partial(yarn, power=power)
            for power in (
                lambda pairs: 2 * pairs + 1,
                lambda pairs: 2 * pairs * (2 * len(pairs)),
                lambda pairs: 2 * pairs * len(pairs) / (len(pairs) - 1),
            )
        ],
        "exponent-halved": partial(yarn, power=lambda pairs: pairs),
        "exponent-doubled": partial(yarn, power=lambda pairs: 4 * pairs),
        "pairs-from-one": [
            partial(yarn, power=lambda pairs: 2 * (pairs + 1)),
            partial(yarn, power=lambda pairs: 2 * (pairs + 1), numbers=lambda pairs: pairs + 1),
        ],
    },
)


def positions(documents: NDArray) -> NDArray[np.int64]:
    """Return the position of each token within its document, or 0 for padding."""
    found = np.zeros(documents.shape, dtype=np.int64)
    for row, numbers in enumerate(documents):
        for column in range(1, len(numbers)):
            goes_on = numbers[column] and numbers[column] == numbers[column - 1]
            found[row, column] = found[row, column - 1] + 1 if goes_on else 0
    return found


def _columns(documents: NDArray) -> NDArray:
    return np.tile(np.arange(documents.shape[1]), (len(documents), 1))


def _real_tokens_counted(documents: NDArray) -> NDArray:
    return np.maximum(np.cumsum(documents > 0, axis=1) - 1, 0)


def _tokens_before(
    documents: NDArray,
    *,
    counts: Callable[[list[int], int], int],
) -> NDArray[np.int64]:
    """Return the number of earlier tokens in each token's document, or 0 for padding."""
    return np.array(
        [[counts(row, c) if n else 0 for c, n in enumerate(row)] for row in documents.tolist()]
    )


def _begins_where(
    documents: NDArray, *, begins: Callable[[int, int], bool], padding: bool = False
) -> NDArray[np.int64]:
    """Count from 0 wherever ``begins`` detects the beginning of a document."""
    found = np.zeros(documents.shape, dtype=np.int64)
    for column in range(1, documents.shape[1]):
        before, number = documents[:, column - 1], documents[:, column]
        found[:, column] = np.where(begins(before, number), 0, found[:, column - 1] + 1)
    return found if padding else found * (documents > 0)


def _padding_goes_on(documents: NDArray, *, on_the_left: bool) -> NDArray[np.int64]:
    found = _begins_where(
        documents,
        begins=lambda before, number: (number != before) & (number > 0),
        padding=True,
    )
    begun = np.maximum.accumulate(documents > 0, axis=1)
    return found if on_the_left else found * begun


def _over_batch(documents: NDArray) -> NDArray[np.int64]:
    numbers = documents.ravel()
    counts = [(numbers[:at] == number).sum() for at, number in enumerate(numbers)]
    return np.reshape(counts, documents.shape) * (documents > 0)


def _sorted_documents(documents: NDArray) -> NDArray[np.int64]:
    """Count as if the numbers of documents were increasing in each row."""
    found = np.zeros(documents.shape, dtype=np.int64)
    for row, numbers in enumerate(documents):
        real = numbers > 0
        counts = np.unique(numbers[real], return_counts=True)[1]
        found[row, real] = [position for count in counts for position in range(count)]
    return found


def _changes(documents: NDArray) -> NDArray[np.int64]:
    changed = np.zeros(documents.shape, dtype=np.int64)
    changed[:, 1:] = documents[:, 1:] != documents[:, :-1]
    return np.cumsum(changed, axis=1)


def _same_length(documents: NDArray) -> NDArray[np.int64]:
    """Count as if all documents in a row were as long as the first."""
    first = np.take_along_axis(documents, np.argmax(documents > 0, axis=1)[:, None], axis=1)
    lengths = np.sum((documents == first) & (documents > 0), axis=1)[:, None]
    return _columns(documents) % np.maximum(lengths, 1) * (documents > 0)


def _compared(documents: NDArray, *, apart: int) -> NDArray[np.int64]:
    """Compare each token with a token other than its left neighbour."""
    found = np.zeros(documents.shape, dtype=np.int64)
    n_columns = documents.shape[1]
    for column in range(1, n_columns):
        other = documents[:, (column - apart) % n_columns]
        goes_on = documents[:, column] == other
        found[:, column] = np.where(goes_on, found[:, column - 1] + 1, 0)
    return found * (documents > 0)


def _left_padding_subtracted(documents: NDArray) -> NDArray[np.int64]:
    left = np.argmax(documents > 0, axis=1)[:, None]
    return np.maximum(_columns(documents) - left, 0)


def _later_from_one(documents: NDArray) -> NDArray[np.int64]:
    first = np.take_along_axis(documents, np.argmax(documents > 0, axis=1)[:, None], axis=1)
    return positions(documents) + ((documents > 0) & (documents != first))


def _after_column_zero(documents: NDArray) -> NDArray[np.bool_]:
    """Return a mask of the tokens in documents that do not begin in column 0."""
    return (documents > 0) & (positions(documents) < _columns(documents))


def _restart_one_early(documents: NDArray) -> NDArray[np.int64]:
    last = np.zeros(documents.shape, dtype=bool)
    last[:, :-1] = documents[:, :-1] != documents[:, 1:]
    return np.where(last, 0, positions(documents))


def _token_by_hand(place: tuple, documents: NDArray) -> Steps:
    row, column = place
    number = int(documents[row, column])
    before = int((documents[row, :column] == number).sum())
    return dict(i=row, c=column, number=number, before=before, result=before if number else 0)


POSITIONS_IN_BATCH = Exercise(
    id="positions-in-batch",
    reference=positions,
    cases=(
        (np.array([[0, 0, 1, 1]]),),
        (np.array([[1, 1, 2, 2]]),),
        (np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]),),
        (np.array([[1, 1, 1, 2, 2, 3, 0, 0], [0, 1, 1, 1, 1, 2, 2, 2]]),),
        (np.array([[1]]),),
        (np.array([[2, 2, 1, 1, 1], [9, 4, 4, 0, 0]]),),
        (np.array([[0, 0, 0], [4, 4, 4], [5, 6, 6]]),),
        (np.array([[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]]),),
    ),
    typed=("np.array([[0, 0, 1, 1]])", "np.array([[1, 1, 2, 2]])"),
    by_hand=_token_by_hand,
    misconceptions={
        "padding-counted": lambda documents: _columns(documents),
        "documents-counted-through": [
            _real_tokens_counted,
            lambda documents: _real_tokens_counted(documents) * (documents > 0),
        ],
        "documents-counted-through padding-gets-one": lambda documents: np.where(
            documents > 0, _real_tokens_counted(documents), 1
        ),
        "padding-gets-one": lambda documents: np.where(documents > 0, positions(documents), 1),
        "left-padding-subtracted": [
            _left_padding_subtracted,
            lambda documents: _columns(documents) - np.argmax(documents > 0, axis=1)[:, None],
        ],
        "first-row-for-all": [
            lambda documents: np.tile(positions(documents)[0], (len(documents), 1)),
            lambda documents: positions(documents)[0] * (documents > 0),
        ],
        "tokens-from-one": lambda documents: (positions(documents) + 1) * (documents > 0),
        "padding-below-zero": lambda documents: np.where(documents > 0, positions(documents), -1),
        "padding-zeroed-only": lambda documents: _columns(documents) * (documents > 0),
        "padding-continues": lambda documents: np.cumsum(documents > 0, axis=1) - 1,
        "counted-from-the-right": lambda documents: positions(documents[:, ::-1])[:, ::-1],
        "padding-numbered": lambda documents: positions(documents + 1),
        "padding-goes-on": [
            partial(_padding_goes_on, on_the_left=on_the_left) for on_the_left in (False, True)
        ],
        "rows-run-together": lambda documents: positions(documents.reshape(1, -1)).reshape(
            documents.shape
        ),
        "counted-over-batch": _over_batch,
        "new-only-if-larger": partial(_begins_where, begins=lambda before, number: number > before),
        "new-only-if-smaller": partial(
            _begins_where, begins=lambda before, number: number < before
        ),
        "positions-from-padding-row": lambda documents: np.where(
            documents > 0, positions(documents) + 2, 1
        ),
        "later-documents-from-one": [
            _later_from_one,
            lambda documents: positions(documents) + _after_column_zero(documents),
        ],
        "first-two-at-zero": lambda documents: np.maximum(positions(documents) - 1, 0),
        "restart-one-early": _restart_one_early,
        "down-the-columns": [
            lambda documents: positions(documents.T).T,
            lambda documents: np.cumsum(documents > 0, axis=0) - 1,
            lambda documents: np.maximum(np.cumsum(documents > 0, axis=0) - 1, 0),
            lambda documents: _columns(documents.T).T * (documents > 0),
        ],
        "number-of-document": [
            lambda documents: np.maximum(documents - 1, 0),
            lambda documents: documents.copy(),
        ],
        "padding-keeps-column": lambda documents: np.where(
            documents > 0, positions(documents), _columns(documents)
        ),
        "padding-gets-a-large-number": [
            lambda documents: np.where(
                documents > 0, positions(documents), positions(documents).max()
            ),
            lambda documents: np.where(documents > 0, positions(documents), documents.shape[1]),
            lambda documents: np.where(documents > 0, positions(documents), documents.shape[1] - 1),
        ],
        "tokens-from-one documents-counted-through": [
            lambda documents: np.cumsum(documents > 0, axis=1) * (documents > 0),
            lambda documents: np.cumsum(documents > 0, axis=1),
        ],
        "tokens-from-one padding-counted": lambda documents: _columns(documents) + 1,
        "tokens-from-one padding-zeroed-only": lambda documents: (
            (_columns(documents) + 1) * (documents > 0)
        ),
        "documents-counted-through padding-below-zero": lambda documents: np.where(
            documents > 0, _real_tokens_counted(documents), -1
        ),
        "order-of-documents-assumed": _sorted_documents,
        "one-document-subtracted": lambda documents: (
            (_columns(documents) - np.argmax(documents == 1, axis=1)[:, None]) * (documents > 0)
        ),
        "columns-reversed": [
            lambda documents: _columns(documents)[:, ::-1] * (documents > 0),
            lambda documents: _columns(documents)[:, ::-1],
        ],
        "whether-it-goes-on": [
            lambda documents: np.minimum(positions(documents), 1),
            lambda documents: np.where(documents > 0, 1 - np.minimum(positions(documents), 1), 0),
        ],
        "first-column-of-document": lambda documents: (
            (_columns(documents) - positions(documents)) * (documents > 0)
        ),
        "mask-returned": [
            lambda documents: (documents > 0).astype(int),
            lambda documents: (documents == 0).astype(int),
        ],
        "changes-counted": [
            lambda documents: _changes(documents) * (documents > 0),
            _changes,
        ],
        "same-length-assumed": _same_length,
        "compared-elsewhere": [
            partial(_begins_where, begins=lambda before, number: before == number),
            partial(_begins_where, begins=lambda before, number: before != 0),
            partial(_compared, apart=2),
            partial(_compared, apart=-1),
            lambda documents: _begins_where(
                documents, begins=lambda before, number: number != documents[:, 0]
            ),
        ],
        "steps-of-another-size": [
            lambda documents: 2 * positions(documents),
            lambda documents: positions(documents) // 2,
            lambda documents: positions(documents) ** 2,
            lambda documents: positions(documents) * (positions(documents) + 1) // 2,
        ],
        "lengths-for-positions": partial(
            _tokens_before, counts=lambda row, column: row.count(row[column])
        ),
        "restart-one-late": lambda documents: np.where(
            documents > 0, np.roll(positions(documents), 1, axis=1), 0
        ),
    },
)


def shifted(
    keys: NDArray,
    old: ArrayLike,
    new: ArrayLike,
    frequencies: NDArray,
    *,
    by: Callable[[NDArray, NDArray], NDArray] = lambda old, new: new - old,
    neighbours: bool = False,
    over_head: bool = False,
) -> NDArray[np.float64]:
    """Move rotated keys to new positions, in the halves layout of the first columns."""
    n_pairs = len(frequencies)
    steps = by(np.asarray(old, dtype=float), np.asarray(new, dtype=float))
    angles = np.multiply.outer(np.broadcast_to(steps, len(keys)), frequencies)
    apart = keys.shape[1] // 2 if over_head else n_pairs
    first = np.arange(n_pairs) * (2 if neighbours else 1)
    second = first + (1 if neighbours else apart)
    moved = keys.astype(float)
    x, y = keys[:, first], keys[:, second]
    moved[:, first] = x * np.cos(angles) - y * np.sin(angles)
    moved[:, second] = x * np.sin(angles) + y * np.cos(angles)
    return moved


def _shifted_by(
    keys: NDArray,
    old: NDArray,
    new: NDArray,
    frequencies: NDArray,
    *,
    halves: Callable[[NDArray, NDArray, NDArray, NDArray], tuple[NDArray, NDArray]],
) -> NDArray[np.float64]:
    """Move keys with incorrect formulas for the two halves."""
    n_pairs = len(frequencies)
    angles = np.outer(new - old, frequencies)
    moved = keys.astype(float)
    x, y = keys[:, :n_pairs], keys[:, n_pairs : 2 * n_pairs]
    moved[:, :n_pairs], moved[:, n_pairs : 2 * n_pairs] = halves(
        x, y, np.cos(angles), np.sin(angles)
    )
    return moved


def _with_frequencies(
    keys: NDArray,
    old: NDArray,
    new: NDArray,
    frequencies: NDArray,
    *,
    change: Callable[[NDArray], NDArray],
) -> NDArray[np.float64]:
    return shifted(keys, old, new, change(frequencies))


def _written_in_pairs(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    n_pairs = len(frequencies)
    moved = shifted(keys, old, new, frequencies)
    first, second = moved[:, :n_pairs].copy(), moved[:, n_pairs : 2 * n_pairs].copy()
    moved[:, 0 : 2 * n_pairs : 2], moved[:, 1 : 2 * n_pairs : 2] = first, second
    return moved


def _layouts_mixed(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    """Rotate pairs in the halves layout by angles in the order of the neighbours layout."""
    n_pairs = len(frequencies)
    angles = np.repeat(np.outer(new - old, frequencies), 2, axis=1)
    x, y = keys[:, :n_pairs], keys[:, n_pairs : 2 * n_pairs]
    turned = np.hstack([x, y]) * np.cos(angles) + np.hstack([-y, x]) * np.sin(angles)
    return np.hstack([turned, keys[:, 2 * n_pairs :]])


def _partners_mirrored(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    n_pairs = len(frequencies)
    order = np.arange(keys.shape[1])
    order[n_pairs : 2 * n_pairs] = order[n_pairs : 2 * n_pairs][::-1]
    return shifted(keys[:, order], old, new, frequencies)[:, order]


def _turned_over_the_head(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    """Rotate the first columns with partners that are half the head's width away."""
    half, n_pairs = keys.shape[1] // 2, len(frequencies)
    angles = np.zeros(keys.shape)
    angles[:, :n_pairs] = np.outer(new - old, frequencies)
    angles[:, n_pairs : 2 * n_pairs] = angles[:, :n_pairs]
    partners = np.hstack([-keys[:, half:], keys[:, :half]])
    return keys * np.cos(angles) + partners * np.sin(angles)


def _shift_added_to_pairs(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    moved = keys.astype(float)
    angles = np.outer(new - old, frequencies)
    moved[:, : 2 * len(frequencies)] += np.hstack([angles, angles])
    return moved


def _turned_by(
    keys: NDArray,
    old: NDArray,
    new: NDArray,
    frequencies: NDArray,
    *,
    angles: Callable[[NDArray, NDArray, NDArray], NDArray],
) -> NDArray[np.float64]:
    """Rotate keys by incorrect angles."""
    found = angles(old[:, None].astype(float), new[:, None].astype(float), frequencies[None])
    return _shifted_by(
        keys,
        old,
        new,
        frequencies,
        halves=lambda x, y, cos, sin: (
            x * np.cos(found) - y * np.sin(found),
            x * np.sin(found) + y * np.cos(found),
        ),
    )


def _rest_zero(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    moved = shifted(keys, old, new, frequencies)
    moved[:, 2 * len(frequencies) :] = 0
    return moved


def _rest_overwritten(
    keys: NDArray,
    old: NDArray,
    new: NDArray,
    frequencies: NDArray,
    *,
    source: Callable[[NDArray, int], NDArray],
) -> NDArray[np.float64]:
    """Fill the unrotated columns with incorrect numbers."""
    n_pairs, moved = len(frequencies), shifted(keys, old, new, frequencies)
    other = np.resize(source(moved, n_pairs), keys.shape)
    moved[:, 2 * n_pairs :] = other[:, : keys.shape[1] - 2 * n_pairs]
    return moved


def _last_columns(
    keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> NDArray[np.float64]:
    rest = keys.shape[1] - 2 * len(frequencies)
    return np.hstack([keys[:, :rest], shifted(keys[:, rest:], old, new, frequencies)])


def _key_by_hand(
    place: tuple, keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> Steps:
    row, column = place
    n_pairs = len(frequencies)
    steps = float(new[row] - old[row])
    pair = column % n_pairs if column < 2 * n_pairs else 0
    angle = steps * float(frequencies[pair])
    x, y = (float(keys[row, pair + half]) for half in (0, n_pairs))
    turned = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    stays = column >= 2 * n_pairs
    return dict(
        i=row,
        c=column,
        steps=steps,
        n=2 * n_pairs,
        pair=[pair, pair + n_pairs],
        angle=angle,
        result=float(keys[row, column]) if stays else turned[column // n_pairs],
    )


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=11).uniform(-1, 1, shape).round(2)


SHIFTED_CACHE = Exercise(
    id="shifted-cache",
    reference=shifted,
    cases=(
        (_some(2, 4), np.array([5, 6]), np.array([0, 1]), np.array([1.0, 0.01])),
        (_some(3, 8), np.array([9, 10, 15]), np.array([2, 3, 4]), np.array([1.0, 0.1])),
        (_some(2, 4), np.array([3, 7]), np.array([3, 7]), np.array([1.0, 0.01])),
        (_some(2, 6), np.array([5, 6]), np.array([9, 2]), np.array([1.0, 0.5])),
        (_some(2, 6), np.array([8, 2]), np.array([0, 1]), np.array([1.0, 0.5])),
        (_some(4, 6), np.array([1, 2, 3, 4]), np.array([4, 3, 2, 1]), np.array([1.0, 0.3, 0.05])),
        (_some(1, 12), np.array([400]), np.array([100]), np.array([0.5, 0.02, 0.001])),
        (_some(5, 4), np.array([20, 21, 30, 31, 32]), np.arange(5), np.array([1.0])),
    ),
    tolerance=ROUNDED_ANGLES,
    by_hand=_key_by_hand,
    misconceptions={
        "turned-to-new-only": partial(shifted, by=lambda old, new: new),
        "shift-turned-round": partial(shifted, by=lambda old, new: old - new),
        "one-shift-for-all-keys": [
            partial(shifted, by=lambda old, new: (new - old)[0]),
            partial(shifted, by=lambda old, new: (new - old)[-1]),
            partial(shifted, by=lambda old, new: np.mean(new - old)),
            partial(shifted, by=lambda old, new: np.min(new - old)),
            partial(shifted, by=lambda old, new: np.max(new - old)),
        ],
        "shift-without-turning": lambda keys, old, new, frequencies: keys.astype(float),
        "neighbours-in-halves": partial(shifted, neighbours=True),
        "pairs-across-the-head": [partial(shifted, over_head=True), _turned_over_the_head],
        "turned-twice": partial(shifted, by=lambda old, new: 2 * (new - old)),
        "rest-dropped": lambda keys, old, new, frequencies: shifted(keys, old, new, frequencies)[
            :, : 2 * len(frequencies)
        ],
        "base-of-habit": lambda keys, old, new, frequencies: shifted(
            keys, old, new, angular_frequencies(2 * len(frequencies))
        ),
        "frequencies-multiplied": lambda keys, old, new, frequencies: shifted(
            keys, old, new, 1 / frequencies
        ),
        "both-positions-added": partial(shifted, by=lambda old, new: old + new),
        "only-turned-back": partial(shifted, by=lambda old, new: -old),
        "direction-of-shift-lost": partial(shifted, by=lambda old, new: np.abs(new - old)),
        "shift-off-by-one": [
            partial(shifted, by=lambda old, new: new - old + 1),
            partial(shifted, by=lambda old, new: new - old - 1),
        ],
        "shifts-added-up": partial(shifted, by=lambda old, new: np.cumsum(new - old)),
        "half-the-shift": partial(shifted, by=lambda old, new: (new - old) / 2),
        "rows-for-new-positions": [
            partial(shifted, by=lambda old, new: np.arange(len(old)) - old),
            partial(shifted, by=lambda old, new: new - np.arange(len(old))),
            partial(shifted, by=lambda old, new: np.arange(len(old))),
        ],
        "degrees": partial(shifted, by=lambda old, new: np.deg2rad(new - old)),
        "whole-turns": [
            partial(shifted, by=lambda old, new: 2 * math.pi * (new - old)),
            partial(shifted, by=lambda old, new: (new - old) / (2 * math.pi)),
        ],
        "one-frequency-for-all-pairs": [
            partial(_with_frequencies, change=lambda found: np.full_like(found, found[0])),
            partial(_with_frequencies, change=np.ones_like),
            partial(_with_frequencies, change=lambda found: np.full_like(found, found[-1])),
        ],
        "frequencies-reversed": partial(_with_frequencies, change=lambda found: found[::-1]),
        "one-pair-turned": partial(
            _with_frequencies, change=lambda found: found * (np.arange(len(found)) == 0)
        ),
        "both-signs-alike": [
            partial(
                _shifted_by, halves=lambda x, y, cos, sin: (x * cos + y * sin, x * sin + y * cos)
            ),
            partial(
                _shifted_by, halves=lambda x, y, cos, sin: (x * cos - y * sin, y * cos - x * sin)
            ),
        ],
        "overwritten-too-soon": partial(
            _shifted_by,
            halves=lambda x, y, cos, sin: (
                (first := x * cos - y * sin),
                first * sin + y * cos,
            ),
        ),
        "half-of-the-turn": [
            partial(_shifted_by, halves=lambda x, y, cos, sin: (x * cos, y * cos)),
            partial(_shifted_by, halves=lambda x, y, cos, sin: (-y * sin, x * sin)),
        ],
        "halves-exchanged": partial(
            _shifted_by, halves=lambda x, y, cos, sin: (x * sin + y * cos, x * cos - y * sin)
        ),
        "sine-cosine-exchanged": partial(
            _shifted_by, halves=lambda x, y, cos, sin: (x * sin - y * cos, x * cos + y * sin)
        ),
        "written-in-pairs": _written_in_pairs,
        "layouts-mixed": _layouts_mixed,
        "partners-mirrored": _partners_mirrored,
        "shift-added-to-numbers": [
            lambda keys, old, new, frequencies: keys + (new - old)[:, None],
            _shift_added_to_pairs,
        ],
        "products-otherwise": [
            partial(_shifted_by, halves=halves)
            for halves in (
                lambda x, y, cos, sin: (x * cos, x * sin + y * cos),
                lambda x, y, cos, sin: (-y * sin, x * sin + y * cos),
                lambda x, y, cos, sin: (x * cos - y * sin, x * sin),
                lambda x, y, cos, sin: (x * cos - y * sin, y * cos),
                lambda x, y, cos, sin: (x * cos - y * sin, x * sin - y * cos),
                lambda x, y, cos, sin: (x * cos - y * sin, x * cos + y * sin),
                lambda x, y, cos, sin: (x * cos - y * sin, x * cos - y * sin),
                lambda x, y, cos, sin: (x * cos - x * sin, y * cos + y * sin),
                lambda x, y, cos, sin: (x * cos - y * cos, x * sin + y * sin),
                lambda x, y, cos, sin: (x * cos - y * sin, y),
                lambda x, y, cos, sin: (x, x * sin + y * cos),
                lambda x, y, cos, sin: (x * cos + y * sin, x * sin - y * cos),
            )
        ],
        "angle-by-another-formula": [
            partial(_turned_by, angles=angles)
            for angles in (
                lambda old, new, found: new * found - old,
                lambda old, new, found: new - old * found,
                lambda old, new, found: new - old + found,
                lambda old, new, found: (new - old) * found**2,
                lambda old, new, found: np.rad2deg((new - old) * found),
                lambda old, new, found: new / np.maximum(old, 1) * found,
                lambda old, new, found: old * found,
                lambda old, new, found: (new + old) / 2 * found,
                lambda old, new, found: (new - new[0]) * found,
                lambda old, new, found: (new - old[0]) * found,
            )
        ],
        "rest-overwritten": [
            partial(_rest_overwritten, source=source)
            for source in (
                lambda keys, n_pairs: keys,
                lambda keys, n_pairs: keys[:, n_pairs:],
                lambda keys, n_pairs: np.ones_like(keys),
            )
        ],
        "rest-zero": _rest_zero,
        "last-columns-turned": _last_columns,
    },
)


SUSPECTS = tuple(BROKEN[name] for name in ("precision", "base", "late", "layout", "factor"))
"""The five implementations in the last exercise."""


def suspect(number: int) -> Callable:
    """Return one of the five faulty implementations, which are numbered from 1."""
    if number not in range(1, len(SUSPECTS) + 1):
        raise ValueError(f"number must be from 1 to {len(SUSPECTS)}; got {number!r}.")
    return SUSPECTS[number - 1]


RIGHT_FAULTS = (4, 1, 5, 3, 2)


def faults(*, given: tuple[int, ...] = RIGHT_FAULTS, **ignored: float) -> NDArray[np.int64]:
    """Return the number of each suspect's fault."""
    return np.array(given)


@cache
def _differences(number: int) -> NDArray[np.float64]:
    """Return the difference between a suspect and the correct scores at each distance."""
    return score_differences(right_scores, suspect(number)).round(3)


def _suspect_by_hand(place: tuple) -> Steps:
    same, near, page, far = _differences(place[0] + 1)
    found = RIGHT_FAULTS[place[0]]
    return dict(number=place[0] + 1, same=same, near=near, page=page, far=far, result=found)


def _another_fault(given: tuple[int, ...]) -> Callable[..., NDArray[np.int64]]:
    """Create a wrong answer, with numbers that describe the first suspect whose fault is wrong."""
    place = next(at for at, fault in enumerate(RIGHT_FAULTS) if given[at] != fault)
    _, near, page, far = _differences(RIGHT_FAULTS.index(given[place]) + 1)
    _, suspect_near, suspect_page, suspect_far = _differences(place + 1)
    return partial(
        faults,
        given=given,
        number=place + 1,
        fault=given[place],
        near=near,
        page=page,
        far=far,
        suspect_near=suspect_near,
        suspect_page=suspect_page,
        suspect_far=suspect_far,
    )


EXCHANGED_FAULTS = {
    "layout-for-factor": (4, 1, 5, 2, 3),
    "base-for-precision": (1, 4, 5, 3, 2),
    "base-for-layout": (4, 3, 5, 1, 2),
    "base-for-factor": (4, 2, 5, 3, 1),
    "late-for-layout": (4, 1, 3, 5, 2),
    "faults-from-zero": (3, 0, 4, 2, 1),
    "suspects-by-fault": (2, 5, 4, 1, 3),
}
"""Wrong answers with a misconception of their own."""


def _is_near(given: tuple[int, ...]) -> bool:
    """Return True if an answer names each fault once, or is correct except for two suspects."""
    if given in EXCHANGED_FAULTS.values():
        return False
    n_wrong = sum(fault != right for fault, right in zip(given, RIGHT_FAULTS, strict=True))
    return n_wrong > 0 and (n_wrong <= 2 or len(set(given)) == len(given))


FIVE_SUSPECTS = Exercise(
    id="five-suspects",
    reference=faults,
    cases=((),),
    by_hand=_suspect_by_hand,
    misconceptions={
        **{name: partial(faults, given=given) for name, given in EXCHANGED_FAULTS.items()},
        "another-fault": [
            _another_fault(given) for given in product(range(1, 6), repeat=5) if _is_near(given)
        ],
    },
)

EXERCISES = (
    FREQUENCIES_OF_SHARE,
    YARN_OF_CONFIGURATION,
    POSITIONS_IN_BATCH,
    SHIFTED_CACHE,
    FIVE_SUSPECTS,
)
