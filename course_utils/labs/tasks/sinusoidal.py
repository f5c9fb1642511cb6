"""Lab 03: rows of the sinusoidal table, and positions recovered from them."""

import math
from collections.abc import Callable
from functools import partial
from itertools import chain, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...encodings import sinusoidal_encoding
from ..exercise import Answer, Exercise, Steps
from .shared import (
    in_bfloat16,
    in_half_precision,
    nearest_in_table,
    of_columns,
    ratios_read_off,
    rounded_or_not,
    rows,
    slowest,
    waves,
)


def _in_halves(table: NDArray) -> NDArray:
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


def _from_hands(
    positions: ArrayLike, d_model: int, base: float, exponents: Callable[[NDArray, int], NDArray]
) -> NDArray[np.float64]:
    """Return rows whose exponents are a function of the hands and the width."""
    hands = np.arange(d_model) // 2
    return waves(positions, np.float64(base) ** -exponents(hands, d_model))


def _shifted(shift: int) -> Callable[[NDArray, int], NDArray]:
    return lambda hands, d_model: (2 * hands + shift) / d_model


SHIFTS = (-2, -1, 1)
"""Numbers that are added to 2k by mistake."""

TOWERS = (
    lambda hands, d_model: 2 ** (2 * hands / d_model),
    lambda hands, d_model: 2 ** (hands / d_model),
    lambda hands, d_model: 2.0**hands / d_model,
)
"""Exponents in which 2 is raised to a power instead of being a factor."""


FACTORS = (1_000, 2, math.pi, 0.001)
"""Factors by which positions are multiplied by mistake, as for times from 0 to 1."""


def _powers(positions: ArrayLike, base: float, exponents: NDArray, swapped: bool) -> NDArray:
    """Return waves of ``(position / base) ** exponent``."""
    angles = (np.asarray(positions, float)[:, np.newaxis] / base) ** exponents
    sine, cosine = (np.cos, np.sin) if swapped else (np.sin, np.cos)
    return np.where(np.arange(len(exponents)) % 2, cosine(angles), sine(angles))


def row(*, position: float = 12, base: float = 64) -> NDArray:
    """Return the row of position 12 in a table with six dimensions."""
    return rows([position], 6, base)[0]


def _hand_of_12(place: tuple) -> Steps:
    pair, is_cosine = divmod(place[0], 2)
    frequency = 1 / 64 ** (2 * pair / 6)
    result = (np.cos if is_cosine else np.sin)(12 * frequency)
    return {"c": place[0], "pair": pair, "frequency": frequency, "result": result}


ALSO: dict[str, Callable[[int, float], NDArray]] = {
    "exponent-doubled": lambda d, base: of_columns(d, base**2),
    "exponent-halved": lambda d, base: of_columns(d, base**0.5),
    "frequencies-multiplied": lambda d, base: 1 / of_columns(d, base),
    "cosine-own-frequency": lambda d, base: _of_own_columns(d, base),
    "column-for-pair": lambda d, base: _of_own_columns(d, base**2),
    "pairs-from-one": lambda d, base: of_columns(d, base) * float(base) ** (-2 / d),
    "degrees": lambda d, base: np.radians(of_columns(d, base)),
    "one-angle": lambda d, base: np.ones(d),
}
"""Column frequencies of mistakes that often accompany a wrong order of sines and cosines."""


def _together(positions: ArrayLike, d_model: int, base: float) -> dict[str, Answer]:
    """Return wrong rows with two mistakes, one of them in the order of sines and cosines."""

    def swapped(frequencies: Callable) -> Answer:
        return lambda: waves(positions, frequencies(d_model, base), np.cos, np.sin)[0]

    def halves(frequencies: Callable) -> Answer:
        return lambda: _in_halves(waves(positions, frequencies(d_model, base)))[0]

    return {
        **{f"sine-cosine-swapped {id}": swapped(each) for id, each in ALSO.items()},
        **{f"halves-concatenated {id}": halves(each) for id, each in ALSO.items()},
    }


ROW_BY_HAND = Exercise(
    id="row-by-hand",
    reference=row,
    cases=((),),
    by_hand=_hand_of_12,
    misconceptions={
        "degrees": [
            partial(row, position=math.radians(12)),
            partial(row, position=math.degrees(12)),
        ],
        "another-base": [partial(row, base=base) for base in (1e4, 6.0, 100.0, 10.0, 1e3)],
        "sine-cosine-swapped": lambda: waves([12], of_columns(6, 64), np.cos, np.sin)[0],
        "halves-concatenated": lambda: _in_halves(rows([12], 6, 64))[0],
        "neighbouring-position": [partial(row, position=position) for position in (13, 11)],
        "exponent-doubled": partial(row, base=64**2),
        "exponent-halved": partial(row, base=64 ** (1 / 2)),
        "frequencies-multiplied": partial(row, base=1 / 64),
        "pairs-from-one": lambda: waves([12], of_columns(8, 64 ** (8 / 6)))[0, 2:],
        "ends-at-base": partial(row, base=64 ** (6 / 4)),
        "too-few-digits": [lambda: row().round(3), lambda: row().round(2), lambda: row().round(1)],
        "exponent-is-the-pair": partial(row, base=64**3),
        "first-exponent-not-zero": [
            partial(lambda shift: _from_hands([12], 6, 64, _shifted(shift))[0], shift=shift)
            for shift in SHIFTS
        ],
        "column-for-pair": lambda: waves([12], _of_own_columns(6, 64**2))[0],
        "cosine-own-frequency": lambda: waves([12], _of_own_columns(6, 64))[0],
        "one-angle": lambda: waves([12], np.ones(6))[0],
        "integer-division": [
            lambda: waves([12], 64.0 ** (-2 * np.arange(6) // 6))[0],
            lambda: waves([12], 64.0 ** -(2 * np.arange(6) // 6))[0],
            lambda: waves([12], np.exp(2 * (np.arange(6) // 2) * (-math.log(64) / 6 // 2)))[0],
        ],
        "power-tower": [
            partial(lambda tower: _from_hands([12], 6, 64, tower)[0], tower) for tower in TOWERS
        ],
        "ends-at-base halves-concatenated": lambda: _in_halves(rows([12], 6, 64 ** (6 / 4)))[0],
        "whole-turns": partial(row, position=12 * math.tau),
        "sines-everywhere": lambda: waves([12], of_columns(6, 64), cosine=np.sin)[0],
        "parentheses-missing": [
            lambda: waves([12], np.arange(6) // 2 / 64**2 * 1 / 6)[0],
            lambda: waves([12], 64.0 ** (-2 * (np.arange(6) // 2)) / 6)[0],
        ],
        "divided-after-sine": lambda: _divided_after_sine([12], 6, 64)[0],
        "hands-reversed": lambda: waves([12], _reversed_hands(6, 64))[0],
        "angles-without-waves": [
            lambda: 12 * of_columns(6, 64),
            lambda: 12 * of_columns(6, 64) % math.tau,
        ],
        "cosines-everywhere": lambda: waves([12], of_columns(6, 64), np.cos)[0],
        "positions-multiplied": [
            partial(lambda factor: row(position=12 * factor), factor=factor)
            for factor in FACTORS
            if factor != 2  # a first exponent of −1/d has the same effect
        ],
        "position-in-the-power": lambda: _powers([12], 64, np.arange(6) / 3, swapped=True)[0],
        "even-steps": [
            lambda: waves([12], 2 * (np.arange(6) // 2) * 64 / 6)[0],
            lambda: waves([12], 1 / (1 + np.arange(6) // 2))[0],
        ],
        "powers-of-two": lambda: waves([12], 2.0 ** (np.arange(6) // 2))[0],
        **_together([12], 6, 64),
    },
    tolerance=6e-5,  # four decimals, as read from a pocket calculator
)


def sinusoidal_rows(positions: NDArray, d_model: int, base: float) -> NDArray:
    """Return the rows of any positions, which end with a sine if the width is odd."""
    return rows(positions, d_model, base)


def _last_sine_missing(positions: NDArray, d_model: int, base: float) -> NDArray:
    table = rows(positions, d_model, base)
    table[:, d_model - d_model % 2 :] = 0
    return table


def _with_every_cosine(positions: NDArray, d_model: int, base: float) -> NDArray:
    """Return rows that end with a cosine even if the width is odd."""
    n_columns = d_model + d_model % 2
    return rows(positions, n_columns, base ** (n_columns / d_model))


def _of_own_columns(d_model: int, base: float = 10_000.0) -> NDArray:
    """Return a frequency for each column instead of one for each pair."""
    return base ** (-np.arange(d_model) / d_model)


def _with_hands(
    positions: NDArray,
    d_model: int,
    base: float,
    *,
    spacing: Callable[[int], float],
    odd: tuple[int, int] = (0, 0),
) -> NDArray:
    """Return all sines, followed by all cosines.

    The frequency reaches ``1 / base`` after ``spacing`` steps. For an odd width, ``odd`` determines
    the numbers of additional sines and cosines.
    """
    n_sines, n_cosines = (d_model // 2 + more * (d_model % 2) for more in odd)
    angles = [
        np.outer(positions, np.float64(base) ** -(np.arange(n) / spacing(n)))
        for n in (n_sines, n_cosines)
    ]
    return np.concatenate([np.sin(angles[0]), np.cos(angles[1])], axis=1)


def _one_less(number: int) -> int:
    return number - 1


def _one_less_but_not_zero(number: int) -> int:
    return max(number - 1, 1)


def _evenly_to_base(positions: NDArray, d_model: int, base: float, spacing: Callable) -> NDArray:
    """Return rows whose last hand has the frequency ``1 / base``."""
    return _from_hands(positions, d_model, base, lambda hands, d: hands / spacing(d))


UP_TO_BASE = (
    lambda d: (d + 1) // 2 - 1,
    lambda d: max((d + 1) // 2 - 1, 1),
    lambda d: d / 2 - 1,
)
"""Incorrect numbers of steps in which frequencies decrease from 1 to ``1 / base``."""


def _in_low_precision() -> list[Answer]:
    """Create answers that round the frequencies, the angles, or both."""

    def table(positions: NDArray, d_model: int, base: float, change: tuple) -> NDArray:
        positions_as, frequencies_as, angles_as = change
        frequencies = frequencies_as(of_columns(d_model, base))
        angles = angles_as(np.outer(positions_as(positions), frequencies))
        return np.where(np.arange(d_model) % 2, np.cos(angles), np.sin(angles))

    same = np.asarray
    return [
        partial(table, change=change)
        for low in (in_half_precision, in_bfloat16)
        for change in ((low, low, low), (same, low, same), (same, same, low))
    ]


def _without_row(which: Callable[[NDArray], NDArray]) -> Answer:
    """Create an answer in which some rows are zero."""

    def table(positions: NDArray, d_model: int, base: float) -> NDArray:
        return rows(positions, d_model, base) * ~which(positions)[:, np.newaxis]

    return table


def _cosines_of_next_hand(d_model: int, base: float) -> NDArray[np.float64]:
    columns = np.arange(d_model)
    return base ** (-(columns + columns % 2) / d_model)


def _divided_after_sine(positions: ArrayLike, d_model: int, base: float) -> NDArray:
    return waves(positions, np.ones(d_model)) * of_columns(d_model, base)


def _reversed_hands(d_model: int, base: float) -> NDArray[np.float64]:
    return np.repeat(of_columns(d_model, base)[::2][::-1], 2)[:d_model]


def _in_halves_as_well() -> dict[str, Answer]:
    """Return wrong answers that also have all sines first."""

    def table(frequencies: Callable[[int, float], NDArray], *, more: int = 0) -> Answer:
        return lambda p, d, base: _in_halves(waves(p + more, frequencies(d, base)[: d // 2 * 2]))

    faults = {
        "positions-from-one": table(of_columns, more=1),
        "positions-from-two": table(of_columns, more=2),
        "exponent-doubled": table(lambda d, base: of_columns(d, base**2)),
        "exponent-halved": table(lambda d, base: of_columns(d, base**0.5)),
        "base-ignored": table(lambda d, base: of_columns(d)),
        "frequencies-multiplied": table(lambda d, base: 1 / of_columns(d, base)),
        "whole-turns": table(lambda d, base: math.tau * of_columns(d, base)),
        "pairs-from-one": table(lambda d, base: of_columns(d, base) * float(base) ** (-2 / d)),
        "one-angle": table(lambda d, base: np.ones(d)),
    }
    return {f"halves-concatenated {name}": answer for name, answer in faults.items()}


ROWS = (
    ([0, 1, 2, 3, 4], 4, 10_000),
    ([3, 0, 40], 8, 100),
    ([12], 5, 64),
    ([2.5, 1, 1], 2, 10),
    ([6, 3], 1, 50),
    ([0.5, 200, 7, 30], 17, 1_000),
    ([59, 58, 0.75], 52, 10_000),
    ([5, 6], 6, 2),
    ([3, 0, 40], 8, 10_000),  # only the base differs from an earlier call
)
"""Positions, dimensions and base."""


def _hand_by_hand(place: tuple, positions: NDArray, d_model: int, base: float) -> Steps:
    pair, is_cosine = divmod(place[1], 2)
    frequency = 1 / base ** (2 * pair / d_model)
    angle = positions[place[0]] * frequency
    wave, function = (np.cos, "cos") if is_cosine else (np.sin, "sin")
    return dict(
        i=place[0],
        position=positions[place[0]],
        c=place[1],
        pair=pair,
        frequency=frequency,
        angle=angle,
        wave=function,
        result=wave(angle),
    )


def _padded_halves(positions: NDArray, d_model: int, base: float) -> NDArray:
    """Return all cosines, followed by all sines and, if the width is odd, a column of zeros."""
    half = d_model // 2
    angles = np.outer(positions, float(base) ** (-np.arange(half) / max(half, 1)))
    zeros = np.zeros((len(angles), d_model % 2))
    return np.hstack([np.cos(angles), np.sin(angles), zeros])


SINUSOIDAL_ROWS = Exercise(
    id="sinusoidal-rows",
    reference=sinusoidal_rows,
    cases=tuple((np.array(positions), d, base) for positions, d, base in ROWS),
    typed=tuple(f"np.array({positions}), {d}, {base:_}" for positions, d, base in ROWS),
    by_hand=_hand_by_hand,
    misconceptions={
        "base-ignored": lambda p, d, base: rows(p, d),
        "positions-counted": lambda p, d, base: rows(range(len(p)), d, base),
        "positions-cut": lambda p, d, base: rows(np.trunc(p), d, base),
        "rounded-up-to-even": lambda p, d, base: rows(p, d + d % 2, base)[:, :d],
        "last-sine-missing": _last_sine_missing,
        "last-column-missing": lambda p, d, base: rows(p, d, base)[:, : d // 2 * 2],
        "degrees": [
            lambda p, d, base: rows(np.radians(p), d, base),
            lambda p, d, base: rows(np.degrees(p), d, base),
        ],
        "exponent-doubled": [
            lambda p, d, base: rows(p, d, base**2),
            lambda p, d, base: _from_hands(p, d, base, lambda k, d: 2 * k / max(d // 2, 1)),
        ],
        "width-rounded-down": lambda p, d, base: _from_hands(
            p, d, base, lambda k, d: k / max(d // 2, 1)
        ),
        "exponent-halved": lambda p, d, base: rows(p, d, base ** (1 / 2)),
        "sine-cosine-swapped": lambda p, d, base: waves(p, of_columns(d, base), np.cos, np.sin),
        "rows-for-columns": lambda p, d, base: np.where(
            np.arange(len(p))[:, np.newaxis] % 2,
            np.cos(np.outer(p, of_columns(d, base))),
            np.sin(np.outer(p, of_columns(d, base))),
        ),
        "halves-concatenated": [
            lambda p, d, base: _in_halves(rows(p, d, base)),
            lambda p, d, base: _in_halves(_with_every_cosine(p, d, base)),
        ],
        "halves-concatenated last-column-missing": lambda p, d, base: _in_halves(
            rows(p, d, base)[:, : d // 2 * 2]
        ),
        "column-for-pair": lambda p, d, base: waves(p, _of_own_columns(d, base**2)),
        "column-for-pair fixed-base": partial(
            lambda p, d, _, base: waves(p, _of_own_columns(d, base**2)), base=10_000
        ),
        "cosine-own-frequency": [
            lambda p, d, base: waves(p, _of_own_columns(d, base)),
            lambda p, d, base: waves(p, _cosines_of_next_hand(d, base)),
        ],
        "cosine-own-frequency fixed-base": [
            partial(lambda p, d, _, base: waves(p, _of_own_columns(d, base)), base=base)
            for base in (1_000, 10_000)
        ],
        "ends-at-base": [partial(_evenly_to_base, spacing=spacing) for spacing in UP_TO_BASE],
        "ends-at-base halves-concatenated": [
            partial(_with_hands, spacing=spacing, odd=odd)
            for spacing in (_one_less, _one_less_but_not_zero)
            for odd in ((0, 0), (1, 0))
        ],
        "ends-at-base halves-concatenated positions-from-two": [
            partial(
                lambda p, d, base, spacing: _with_hands(p + 2, d, base, spacing=spacing),
                spacing=spacing,
            )
            for spacing in (_one_less, _one_less_but_not_zero)
        ],
        "turns-once-in-base halves-concatenated": lambda p, d, base: _with_hands(
            p, d, base / math.tau, spacing=_one_less, odd=(0, 1)
        ),
        "pairs-from-one": lambda p, d, base: _from_hands(p, d, base, _shifted(2)),
        "first-exponent-not-zero": [
            partial(lambda p, d, base, shift: _from_hands(p, d, base, _shifted(shift)), shift=shift)
            for shift in SHIFTS
        ],
        "exponent-is-the-pair": lambda p, d, base: _from_hands(p, d, base, lambda k, d: k),
        "power-tower": [
            partial(lambda p, d, base, tower: _from_hands(p, d, base, tower), tower=tower)
            for tower in TOWERS
        ],
        "frequencies-multiplied": lambda p, d, base: rows(p, d, 1 / base),
        "frequencies-multiplied column-for-pair": lambda p, d, base: waves(
            p, 1 / _of_own_columns(d, base**2)
        ),
        "frequencies-multiplied cosine-own-frequency": lambda p, d, base: waves(
            p, 1 / _of_own_columns(d, base)
        ),
        "positions-from-one": lambda p, d, base: rows(p + 1, d, base),
        "positions-from-two": lambda p, d, base: rows(p + 2, d, base),
        "whole-turns": [
            lambda p, d, base: rows(p * math.tau, d, base),
            lambda p, d, base: rows(p / math.tau, d, base),
        ],
        "angles-in-low-precision": _in_low_precision(),
        "zeros-for-position-zero": [
            _without_row(lambda positions: positions == 0),
            _without_row(lambda positions: np.arange(len(positions)) == 0),
        ],
        **_in_halves_as_well(),
        "powers-of-two": [
            lambda p, d, base: waves(p, 2.0 ** (np.arange(d) // 2)),
            lambda p, d, base: waves(p, 2.0 ** (np.arange(d) // 2) * math.pi),
        ],
        "powers-of-two halves-concatenated": [
            lambda p, d, base: _in_halves(waves(p, 2.0 ** (np.arange(d // 2 * 2) // 2))),
            lambda p, d, base: _in_halves(waves(p, 2.0 ** (np.arange(d // 2 * 2) // 2) * math.pi)),
        ],
        "even-steps": [
            lambda p, d, base: waves(p, 1 / (1 + np.arange(d) // 2)),
            lambda p, d, base: waves(p, 1 + np.arange(d) // 2),
            lambda p, d, base: waves(p, 2 * (np.arange(d) // 2) * base / d),
        ],
        "positions-scaled": [
            lambda p, d, base: rows(p / len(p), d, base),
            lambda p, d, base: rows(p / max(len(p) - 1, 1), d, base),
            lambda p, d, base: rows(p / p.max(), d, base),
            lambda p, d, base: rows(math.tau * p / (p.max() + 1e-6), d, base),
            lambda p, d, base: rows(p / base, d, base),
        ],
        "parentheses-missing": [
            lambda p, d, base: waves(p, np.arange(d) // 2 / float(base) ** 2 / d),
            lambda p, d, base: waves(p, float(base) ** (-2 * (np.arange(d) // 2)) / d),
        ],
        "divided-after-sine": lambda p, d, base: _divided_after_sine(p, d, base),
        "hands-reversed": lambda p, d, base: waves(p, _reversed_hands(d, base)),
        "logarithm-missing": [
            lambda p, d, base: waves(p, np.exp(-2 * (np.arange(d) // 2) * base / d)),
            lambda p, d, base: waves(p, 10.0 ** (np.log(of_columns(d, base)))),
            lambda p, d, base: waves(p, np.exp(np.log10(of_columns(d, base)))),
        ],
        "fixed-base": [
            partial(lambda p, d, _, base: rows(p, d, base), base=base)
            for base in (1_000, 100, 500_000)
        ],
        "sine-cosine-swapped halves-concatenated": lambda p, d, base: _in_halves(
            waves(p, of_columns(d, base)[: d // 2 * 2], np.cos, np.sin)
        ),
        "sines-everywhere": lambda p, d, base: waves(p, of_columns(d, base), cosine=np.sin),
        "cosines-everywhere": lambda p, d, base: waves(p, of_columns(d, base), np.cos),
        "one-angle": lambda p, d, base: waves(p, np.ones(d)),
        "integer-division": [
            lambda p, d, base: waves(p, float(base) ** (-2 * (np.arange(d) // 2) // d)),
            lambda p, d, base: waves(p, float(base) ** -(2 * np.arange(d) // d)),
            lambda p, d, base: waves(p, np.exp(np.trunc(np.log(of_columns(d, base))))),
            lambda p, d, base: waves(
                p, np.exp(-2 * (np.arange(d) // 2) * math.floor(math.log(base) / d))
            ),
            lambda p, d, base: waves(p, np.exp(2 * (np.arange(d) // 2) * (-math.log(base) // d))),
            lambda p, d, base: waves(
                p, np.exp(2 * (np.arange(d) // 2) * (-math.log(base) / d // 2))
            ),
        ],
        "positions-multiplied": [
            partial(lambda p, d, base, factor: rows(p * factor, d, base), factor=factor)
            for factor in FACTORS
        ],
        "one-row-for-all": [
            lambda p, d, base: np.tile(rows([len(p)], d, base), (len(p), 1)),
            lambda p, d, base: np.tile(rows(p[-1:], d, base), (len(p), 1)),
        ],
        "sine-cosine-swapped halves-concatenated zeros-in-last-column": _padded_halves,
        "position-in-the-power": [
            lambda p, d, base: _powers(p, base, 2 * np.arange(d) / d, swapped=True),
            lambda p, d, base: _powers(p, base, 2 * (np.arange(d) // 2) / d, swapped=False),
        ],
        **{
            f"sine-cosine-swapped {id}": partial(
                lambda p, d, base, frequencies: waves(p, frequencies(d, base), np.cos, np.sin),
                frequencies=frequencies,
            )
            for id, frequencies in ALSO.items()
        },
        "sine-cosine-swapped positions-from-one": lambda p, d, base: waves(
            p + 1, of_columns(d, base), np.cos, np.sin
        ),
    },
)


def _angle(row: NDArray) -> float:
    """Return the angle of the slowest hand, from 0 to a full turn."""
    return np.arctan2(row[-2], row[-1]) % math.tau


def position_from_row(row: NDArray, base: float) -> float:
    """Return the position of a row according to the slowest hand."""
    return round(_angle(row) / slowest(len(row), base))


def _read(angle: Callable = _angle, frequency: Callable = slowest) -> list[Answer]:
    """Create answers that compute the position incorrectly, with and without rounding."""
    return rounded_or_not(lambda row, base: angle(row) / frequency(len(row), base))


def _averaged(row: NDArray, base: float) -> float:
    """Return the mean of the positions shown by all hands, ignoring completed turns."""
    angles = np.arctan2(row[::2], row[1::2]) % math.tau
    return (angles / of_columns(len(row), base)[::2]).mean()


ANGLES: dict[str, Callable[[NDArray], float]] = {
    "angle-negative": lambda row: np.arctan2(row[-2], row[-1]),
    "arctangent-swapped": lambda row: np.arctan2(row[-1], row[-2]) % math.tau,
    "angle-in-degrees": lambda row: np.degrees(_angle(row)),
    "angle-not-unique": lambda row: np.arctan(row[-2] / row[-1]),
}
"""Mistakes in the angle of the slowest hand."""

FREQUENCIES: dict[str, Callable[[int, float], float]] = {
    "base-ignored": lambda d, base: slowest(d, 10_000),
    "frequency-of-another-hand": lambda d, base: 1 / base,
    "exponent-doubled": lambda d, base: slowest(d, base) ** 2,
    "exponent-halved": lambda d, base: slowest(d, base) ** (1 / 2),
    "multiplied-by-frequency": lambda d, base: 1 / slowest(d, base),
}
"""Mistakes in the frequency of the slowest hand, which occur with any of these angles."""


CLOCKS = (
    (3, 8, 10_000),
    (49, 4, 100),
    (3324, 8, 10_000),
    (5, 2, 10),
    (97, 6, 64),
    (0, 16, 1_000),
    (14, 4, 30),
    (700, 12, 500),
    (10, 8, 2),
    (5, 8, 500),
    (17_000, 16, 10_000),
)
"""Test cases with a position, the number of dimensions and the base."""


def _clock_by_hand(place: tuple, row: NDArray, base: float) -> Steps:
    sine, cosine = row[-2:]
    angle = math.atan2(sine, cosine) % math.tau
    frequency = 1 / base ** (1 - 2 / len(row))
    steps = {"sine": sine, "cosine": cosine, "angle": angle, "frequency": frequency}
    return steps | {"result": round(angle / frequency)}


POSITION_FROM_ROW = Exercise(
    id="position-from-row",
    reference=position_from_row,
    cases=tuple((rows([position], d, base)[0], base) for position, d, base in CLOCKS),
    typed=tuple(
        f"sinusoidal_rows(np.array([{position}]), {d}, {base:_})[0], {base:_}"
        for position, d, base in CLOCKS
    ),
    by_hand=_clock_by_hand,
    misconceptions={
        "fastest-hand-read": [
            *_read(lambda row: np.arctan2(row[0], row[1]) % math.tau, lambda d, base: 1),
            *_read(lambda row: np.arcsin(row[0]), lambda d, base: 1),
        ],
        "angle-not-unique": [
            *_read(lambda row: np.arcsin(row[-2]) % math.tau),
            *_read(lambda row: np.arcsin(row[-2])),
            *_read(lambda row: np.arccos(row[-1])),
            *_read(lambda row: np.arctan(row[-2] / row[-1]) % math.tau),
            *_read(lambda row: np.arctan(row[-2] / row[-1])),
        ],
        "angle-negative": [
            *_read(lambda row: np.arctan2(row[-2], row[-1])),
            *_read(lambda row: np.arctan(row[-2] / row[-1]) + math.pi * (row[-1] < 0)),
        ],
        "half-turn-added": [
            *_read(lambda row: np.arctan2(row[-2], row[-1]) + math.pi),
            *_read(lambda row: np.arctan2(row[-2], row[-1]) + math.pi * (row[-2] < 0)),
        ],
        "angle-for-position": _read(frequency=lambda d, base: 1),
        "arctangent-swapped": _read(lambda row: np.arctan2(row[-1], row[-2]) % math.tau),
        "angle-in-degrees": _read(lambda row: np.degrees(_angle(row))),
        "base-ignored": _read(frequency=lambda d, base: slowest(d, 10_000)),
        "frequency-of-another-hand": [
            *_read(frequency=lambda d, base: base ** (-(d - 1) / d)),
            *_read(frequency=lambda d, base: 1 / base),
            *_read(frequency=lambda d, base: base ** (-2 / d)),
        ],
        "sine-for-angle": [
            *_read(lambda row: row[-2]),
            *_read(lambda row: row[-2] / row[-1]),
        ],
        "searched-in-table": [
            partial(nearest_in_table, length=length) for length in (512, 1_000, 5_000, 10_000)
        ],
        "all-hands-averaged": [_averaged, lambda row, base: round(_averaged(row, base))],
        "share-of-turn": _read(lambda row: _angle(row) / math.tau),
        "another-hand-read": [
            *_read(
                lambda row: np.arctan2(*row[-4:][:2]) % math.tau,
                lambda d, base: base ** (4 / d - 1),
            ),
            *_read(lambda row: np.arctan2(*row[-4:][:2]) % math.tau),
        ],
        "halves-read": _read(lambda row: np.arctan2(row[len(row) // 2 - 1], row[-1]) % math.tau),
        "share-of-turn-times-base": _read(
            lambda row: _angle(row) / math.tau, lambda d, base: 1 / base
        ),
        "exponent-doubled": _read(frequency=lambda d, base: slowest(d, base) ** 2),
        "exponent-halved": _read(frequency=lambda d, base: slowest(d, base) ** (1 / 2)),
        "multiplied-by-frequency": _read(frequency=lambda d, base: 1 / slowest(d, base)),
        "position-cut": lambda row, base: math.floor(_angle(row) / slowest(len(row), base)),
        "turns-counted-across-hands": rounded_or_not(
            lambda row, base: (
                np.unwrap(np.arctan2(row[::2], row[1::2]))[-1] / slowest(len(row), base)
            )
        ),
        "quarter-turn-added": _read(
            lambda row: (
                np.arctan2(row[-2], row[-1]) + math.pi / 2 * (np.arctan2(row[-2], row[-1]) < 0)
            )
        ),
        "parentheses-missing": [
            *_read(frequency=lambda d, base: 1 / base ** (d - 2) / d),
            *_read(frequency=lambda d, base: np.divide(d, base**2 * (d / 2 - 1))),
        ],
        "wavelength-for-frequency": [
            *_read(frequency=lambda d, base: slowest(d, base) / math.tau),
            *_read(frequency=lambda d, base: slowest(d, base) / math.tau**2),
        ],
        **{
            f"{angle} {frequency}": _read(ANGLES[angle], FREQUENCIES[frequency])
            for angle, frequency in product(ANGLES, FREQUENCIES)
            if (angle, frequency) != ("angle-not-unique", "multiplied-by-frequency")
        },
        "whole-turn-added": _read(lambda row: np.arctan2(row[-2], row[-1]) + math.tau),
    },
)


def strange_table(n_positions: int, d_model: int) -> NDArray:
    """Give every column its own frequency."""
    return waves(range(n_positions), _of_own_columns(d_model))


OTHER_BASES = (1e3, 1e5, 10.0, 2.0, np.e, 500.0, 2e3, 5e3, 2e4, 5e4, 5e5, 1e6)
"""Bases of wrong answers, except 100, which has the same effect as halving the exponent."""


def _faulty(frequencies: Callable[..., NDArray]) -> dict[str, list[Answer]]:
    """Return the wrong answers that are common to all tables, with the given frequencies."""

    def with_base(n_positions: int, d_model: int, *, base: float) -> NDArray:
        return waves(range(n_positions), frequencies(d_model, base))

    return {
        "sines-everywhere": [lambda n, d: waves(range(n), frequencies(d), cosine=np.sin)],
        "cosines-everywhere": [lambda n, d: waves(range(n), frequencies(d), np.cos)],
        "sine-cosine-swapped": [lambda n, d: waves(range(n), frequencies(d), np.cos, np.sin)],
        "positions-from-one": [lambda n, d: waves(range(1, n + 1), frequencies(d))],
        "degrees": [
            lambda n, d: waves(range(n), np.radians(frequencies(d))),
            lambda n, d: waves(range(n), np.degrees(frequencies(d))),
        ],
        "whole-turns": [lambda n, d: waves(range(n), math.tau * frequencies(d))],
        "first-exponent-not-zero": [
            partial(
                lambda n, d, shift: waves(range(n), frequencies(d) * 10_000 ** (-shift / d)),
                shift=shift,
            )
            for shift in (1, -1, 2)
        ],
        "halves-concatenated": [lambda n, d: _in_halves(waves(range(n), frequencies(d)))],
        "frequencies-multiplied": [lambda n, d: waves(range(n), 1 / frequencies(d))],
        "another-base": [partial(with_base, base=base) for base in OTHER_BASES],
        "another-exponent": [
            lambda n, d: waves(range(n), frequencies(d) ** 2),
            lambda n, d: waves(range(n), frequencies(d) ** (1 / 2)),
        ],
    }


def _cosines_further_on(columns: int) -> Answer:
    """Create an answer whose cosines have the exponents of later columns."""

    def table(n_positions: int, d_model: int) -> NDArray:
        numerators = np.arange(d_model) + (np.arange(d_model) % 2) * (columns - 1)
        return waves(range(n_positions), 10_000.0 ** (-numerators / d_model))

    return table


def _theirs_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    position, column = place
    right, theirs = (10_000 ** (-c / d_model) for c in (column - column % 2, column))
    wave, function = (np.cos, "cos") if column % 2 else (np.sin, "sin")
    return dict(
        i=position,
        c=column,
        wave=function,
        right=right,
        theirs=theirs,
        angle=position * theirs,
        result=wave(position * theirs),
    )


def _cosines_and_sines(n_positions: int, frequencies: NDArray) -> NDArray[np.float64]:
    angles = np.outer(range(n_positions), frequencies)
    return np.hstack([np.cos(angles), np.sin(angles)])


STRANGE_TABLE = Exercise(
    id="strange-table",
    reference=strange_table,
    cases=((5, 4), (4, 8), (50, 16), (1, 2), (60, 52), (1, 6), (7, 2), (7, 4)),
    by_hand=_theirs_by_hand,
    misconceptions={
        "the-right-table": sinusoidal_encoding,
        "another-wrong-table": [
            *chain(*_faulty(of_columns).values()),
            lambda n, d: waves(range(n), np.ones(d)),
            lambda n, d: sinusoidal_encoding(n, d) * math.sqrt(d),
            *(
                partial(lambda n, d, at: _from_hands(range(n), d, 10_000, at), at=at)
                for at in (*TOWERS, _shifted(-2))
            ),
            lambda n, d: _divided_after_sine(range(n), d, 10_000),
            lambda n, d: waves(range(n), _reversed_hands(d, 10_000)),
            lambda n, d: waves(range(n), 1 / (1 + np.arange(d) // 2)),
            lambda n, d: waves(range(n), 2.0 ** (np.arange(d) // 2)),
            *(
                partial(
                    lambda n, d, spacing: _evenly_to_base(range(n), d, 1e4, spacing),
                    spacing=spacing,
                )
                for spacing in UP_TO_BASE[:2]
            ),
        ],
        "another-cosine-frequency": [
            *map(_cosines_further_on, (2, -1, 1 / 2)),
            lambda n, d: waves(range(n), 10_000.0 ** (-(np.arange(d) ^ 1) / d)),
        ],
        **_faulty(_of_own_columns),
        "last-column-at-base": lambda n, d: waves(range(n), np.geomspace(1, 1 / 10_000, d)),
        "axes-swapped": lambda n, d: strange_table(n, d).T,
        "integer-division": [
            lambda n, d: waves(range(n), 10_000.0 ** (-np.arange(d) // d)),
            lambda n, d: waves(
                range(n), np.exp(2 * (np.arange(d) // 2) * (-math.log(1e4) / d // 2))
            ),
            lambda n, d: waves(range(n), np.exp(np.arange(d) * (-math.log(1e4) // d))),
        ],
        "ratio-of-one-width": [
            partial(lambda n, d, ratio: waves(range(n), ratio ** np.arange(d)), ratio=ratio)
            for ratio in ratios_read_off(*(10_000 ** (-1 / d) for d in (4, 8, 16)))
        ],
        "positions-multiplied": [
            partial(
                lambda n, d, factor: waves(np.arange(n) * factor, _of_own_columns(d)),
                factor=factor,
            )
            for factor in FACTORS
        ],
        "halves-of-first-columns": [
            lambda n, d: _cosines_and_sines(n, _of_own_columns(d)[: d // 2]),
            lambda n, d: _cosines_and_sines(n, _of_own_columns(d)[: d // 2])[
                :, np.roll(np.arange(d), d // 2)
            ],
        ],
        "position-in-the-power": lambda n, d: _powers(
            range(n), 10_000, np.arange(d) / d, swapped=False
        ),
    },
    shows_wrong_output=True,
)

EXERCISES = (ROW_BY_HAND, SINUSOIDAL_ROWS, POSITION_FROM_ROW, STRANGE_TABLE)
