"""Wrong answers with two mistakes that often occur together, and the names of both."""

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

EXPONENTS: dict[str, Callable[[int, int], float]] = {
    "exponent-doubled": lambda c, d: 4 * (c // 2) / d,
    "exponent-halved": lambda c, d: (c // 2) / d,
    "frequencies-multiplied": lambda c, d: -2 * (c // 2) / d,
    "cosine-own-frequency": lambda c, d: c / d,
    "column-for-pair": lambda c, d: 2 * c / d,
    "pairs-from-one": lambda c, d: 2 * (c // 2 + 1) / d,
    "degrees": lambda c, d: 2 * (c // 2) / d,
    "one-angle": lambda c, d: 0,
}
"""The exponent of each column, with a mistake; in degrees, it is right."""


def row(position: float, d_model: int, base: float, fault: str, first: int) -> list[float]:
    """Return one row with sines in even columns if ``first`` is 0, or cosines if it is 1."""
    angles = [position / base ** EXPONENTS[fault](c, d_model) for c in range(d_model)]
    angles = [math.radians(angle) if fault == "degrees" else angle for angle in angles]
    waves = (math.sin, math.cos)
    return [waves[(c + first) % 2](angle) for c, angle in enumerate(angles)]


def rows(fault: str) -> Callable:
    return lambda p, d, base: np.reshape(
        [row(float(each), d, float(base), fault, first=1) for each in p], (len(p), d)
    )


def rows_of_next(p: np.ndarray, d: int, base: float) -> list[list[float]]:
    """Return rows with sines and cosines exchanged, and positions counted from 1."""
    waves = (math.cos, math.sin)
    return [[waves[c % 2]((each + 1) / base ** (2 * (c // 2) / d)) for c in range(d)] for each in p]


ANGLES: dict[str, Callable[[float, float], float]] = {
    "angle-negative": lambda sine, cosine: math.atan2(sine, cosine),
    "arctangent-swapped": lambda sine, cosine: math.atan2(cosine, sine) % (2 * math.pi),
    "angle-in-degrees": lambda sine, cosine: math.degrees(math.atan2(sine, cosine)) % 360,
    "angle-not-unique": lambda sine, cosine: math.atan(sine / cosine),
}

PER_ANGLE: dict[str, Callable[[int, float], float]] = {
    "base-ignored": lambda d, base: 10_000 ** (1 - 2 / d),
    "frequency-of-another-hand": lambda d, base: base,
    "exponent-doubled": lambda d, base: base ** (2 - 4 / d),
    "exponent-halved": lambda d, base: base ** (0.5 - 1 / d),
    "multiplied-by-frequency": lambda d, base: base ** (2 / d - 1),
    "angle-in-degrees": lambda d, base: 180 / math.pi * base ** (1 - 2 / d),
}
"""Positions per radian, with a mistake."""


def wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


TURNED: dict[str, Callable[[float, float], float]] = {
    "direction-reversed": lambda a, b: wrapped(a - b),
    "longer-way-round": lambda a, b: b - a,
    "always-forward": lambda a, b: (b - a) % (2 * math.pi),
    "angles-added": lambda a, b: wrapped(a + b),
}

TURNS = {"whole-turn": 2 * math.pi, "half-for-quarter": math.pi, "turn-forgotten": 1}

POWERS: dict[str, Callable[[int], float]] = {
    "longest-wave-of-base": lambda d: 1,
    "exponent-inverted": lambda d: 1 - 2 / d,
    "exponent-of-pair": lambda d: 2 * d / (d - 2),
    "exponent-of-one-column": lambda d: d / (d - 1),
}


def positions_read() -> Iterator[tuple[str, Callable]]:
    for angle, per, last in product(ANGLES, [*PER_ANGLE][:-1], (float, round)):
        if (angle, per) == ("angle-not-unique", "multiplied-by-frequency"):
            continue  # most of these round to 0
        yield (
            f"{angle} {per}",
            lambda r, base, a=ANGLES[angle], p=PER_ANGLE[per], last=last: last(
                a(r[-2], r[-1]) * p(len(r), base)
            ),
        )


def offsets_read() -> Iterator[tuple[str, Callable]]:
    frequencies = ("base-ignored", "frequency-of-another-hand", "multiplied-by-frequency")
    for turned, per, last in product(TURNED, (*frequencies, "angle-in-degrees"), (float, round)):
        yield (
            f"{turned} {per}",
            lambda a, b, base, t=TURNED[turned], p=PER_ANGLE[per], last=last: last(
                t(math.atan2(a[-2], a[-1]), math.atan2(b[-2], b[-1])) * p(len(a), base)
            ),
        )


WRONG = {
    "row-by-hand": (
        *((f"sine-cosine-swapped {fault}", row(12, 6, 64, fault, first=1)) for fault in EXPONENTS),
        *(
            (f"halves-concatenated {fault}", [*each[::2], *each[1::2]])
            for fault in EXPONENTS
            for each in [row(12, 6, 64, fault, first=0)]
        ),
    ),
    "sinusoidal-rows": (
        *((f"sine-cosine-swapped {fault}", rows(fault)) for fault in EXPONENTS),
        ("sine-cosine-swapped positions-from-one", rows_of_next),
    ),
    "position-from-row": tuple(positions_read()),
    "offset-between": tuple(offsets_read()),
    "base-for-quarter-turn": tuple(
        (
            f"{turn} {power}",
            lambda n, d, t=TURNS[turn], e=POWERS[power]: ((n - 1) / t) ** e(d),
        )
        for turn, power in product(TURNS, POWERS)
    ),
}
