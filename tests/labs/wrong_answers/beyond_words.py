"""Realistic wrong answers for lab 08, after lesson 12, with the expected findings."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from answers.beyond_words import interleaved, square_vectors, turned, vectors_at
from numpy.typing import NDArray


def squares_from(
    row_and_column: Callable[[int, int, int], tuple],
    join: Callable[[list, list], list] = lambda row, column: row + column,
    table: Callable[[list, int], list] = turned,
) -> Callable[..., list]:
    """Return a loop over the squares with a different row, column or combination."""

    def answer(squares: NDArray, n_rows: int, n_columns: int, d_model: int) -> list:
        places = [row_and_column(square, n_rows, n_columns) for square in squares.tolist()]
        halves = [
            np.asarray(table(axis, d_model // 2)).tolist() for axis in zip(*places, strict=True)
        ]
        return [join(row, column) for row, column in zip(*halves, strict=True)]

    return answer


def place(square: int, n_rows: int, n_columns: int) -> tuple[int, int]:
    row = 0
    while square >= n_columns:
        square, row = square - n_columns, row + 1
    return row, square


def in_turn(row: list, column: list, size: int) -> list:
    return [
        number
        for k in range(0, len(row), size)
        for half in (row, column)
        for number in half[k : k + size]
    ]


def times(positions_of: Callable[[list, float, list], list]) -> Callable[..., list]:
    """Return a loop over the rows with different positions."""
    return lambda hours, per_hour, d_model: [
        turned(positions_of(row, per_hour, hours.tolist()), d_model) for row in hours.tolist()
    ]


def angles_by(exponent: Callable[[int, int], float]) -> Callable[[list, int], NDArray]:
    """Return a table with different exponents for each pair."""

    def table(given: list, width: int) -> NDArray:
        omega = [math.exp(-math.log(10_000) * exponent(k, width)) for k in range(width // 2)]
        return interleaved(np.multiply.outer(given, omega))

    return table


def in_order(table: Callable[[list, int], list], *order: int) -> Callable[[list, int], NDArray]:
    """Return a table with its columns in a different order."""

    def reordered(given: list, width: int) -> NDArray:
        found = np.asarray(table(given, width))
        if len(order) == 1:  # the cosine before its sine
            return found.reshape(*found.shape[:-1], -1, 2)[..., ::-1].reshape(found.shape)
        return np.concatenate([found[..., start::2] for start in order], axis=-1)

    return reordered


def own_frequencies(step: float) -> Callable[[list, int], NDArray]:
    def table(given: list, width: int) -> NDArray:
        angles = np.multiply.outer(given, [1 / 10_000 ** (step * c / width) for c in range(width)])
        return np.where(np.arange(width) % 2, np.cos(angles), np.sin(angles))

    return table


def since(hours: NDArray) -> NDArray:
    return np.array([row - row[0] for row in hours], dtype=float)


def turned_all(
    positions: NDArray, d_model: int, table: Callable[[list, int], list] = turned
) -> NDArray:
    return np.array([table(row, d_model) for row in positions.tolist()])


down_to_base = angles_by(lambda k, width: k / (width / 2 - 1))

TABLES = (
    ("sine-cosine-swapped", in_order(turned, 1)),
    ("halves-concatenated", in_order(turned, 0, 1)),
    ("halves-concatenated sine-cosine-swapped", in_order(turned, 1, 0)),
    ("exponent-doubled", angles_by(lambda k, width: 4 * k / width)),
    ("exponent-halved", angles_by(lambda k, width: k / width)),
    ("frequencies-multiplied", angles_by(lambda k, width: -2 * k / width)),
    ("cosine-own-frequency", own_frequencies(1)),
    ("column-for-pair", own_frequencies(2)),
    ("ends-at-base", down_to_base),
    ("ends-at-base halves-concatenated", in_order(down_to_base, 0, 1)),
    ("ends-at-base halves-concatenated sine-cosine-swapped", in_order(down_to_base, 1, 0)),
    ("another-base", angles_by(lambda k, width: 1.5 * k / width)),  # base 1000
)
"""Wrong sinusoidal tables of positions and a width."""


def rows_between(low: float, high: float, centre: float = 0) -> Callable[..., tuple]:
    """Return rows and columns on a scale between two numbers."""

    def scaled(square: int, n_rows: int, n_columns: int) -> tuple[float, float]:
        steps = zip(place(square, n_rows, n_columns), (n_rows, n_columns), strict=True)
        return tuple(low + (high - low) * (k + centre) / (size - 1 or 1) for k, size in steps)

    return scaled


def shares(change: Callable[[int, int], float]) -> Callable[..., tuple]:
    return lambda square, r, c: (change(square // c, r), change(square % c, c))


SQUARES = (
    ("axes-exchanged", squares_from(lambda *given: place(*given)[::-1])),
    (
        "numbered-down-columns",
        lambda s, r, c, d: (
            np.array(square_vectors(np.arange(r * c), r, c, d))
            .reshape(r, c, d)
            .swapaxes(0, 1)
            .reshape(-1, d)[s]
        ),
    ),
    (
        "divided-by-rows",
        lambda s, r, c, d: np.array(square_vectors(np.arange(r * c), c, r, d))[s],
    ),
    *(
        (
            "picture-taken-for-square",
            lambda s, r, c, d, side=side: squares_from(
                lambda number, *_: place(number, 0, side(s, r, c))
            )(s, r, c, d),
        )
        for side in (
            lambda s, r, c: r if r > c else c,
            lambda s, r, c: c if r > c else r,
            lambda s, r, c: int(math.sqrt(r * c) + 0.5),
            lambda s, r, c: math.isqrt(s.size),
        )
    ),
    ("running-number", lambda s, r, c, d: turned(s, d)),
    ("running-number", lambda s, r, c, d: turned(r * (s % c) + s // c, d)),
    ("running-number", squares_from(lambda s, r, c: (s, s))),
    ("column-not-remainder", squares_from(lambda s, r, c: (place(s, r, c)[0], s))),
    ("column-not-remainder", squares_from(lambda s, r, c: (s // c, s - s // c))),
    ("divided-by-both-sides", squares_from(lambda s, r, c: (s % r, s % c))),
    ("divided-by-both-sides", squares_from(lambda s, r, c: (s // c, s // r))),
    ("one-axis-twice", squares_from(lambda *given: place(*given)[:1] * 2)),
    ("one-axis-twice", squares_from(lambda *given: place(*given)[1:] * 2)),
    (
        "exponents-over-both-halves",
        squares_from(place, table=angles_by(lambda k, width: k / width)),
    ),
    (
        "frequencies-dealt-out",
        lambda s, r, c, d: interleaved(
            np.where(np.arange(d // 2) < d // 4, s[:, None] // c, s[:, None] % c)
            / 10_000 ** (np.arange(d // 2) * 2 / d)
        ),
    ),
    (
        "frequencies-dealt-out",
        lambda s, r, c, d: np.hstack(
            [
                interleaved(axis[:, None] / 10_000 ** ((2 * np.arange(d // 4) + k) * 2 / d))
                for k, axis in enumerate((s // c, s % c))
            ]
        ),
    ),
    *(
        (
            "axes-added",
            lambda s, r, c, d, join=join: join(
                [turned(axis, d) for axis in (s // c, s % c)], axis=0
            ),
        )
        for join in (np.sum, np.mean)
    ),
    ("axes-added", lambda s, r, c, d: turned([sum(place(k, r, c)) for k in s], d)),
    (
        "sine-of-row-cosine-of-column",
        lambda s, r, c, d: [
            [wave for row, column in zip(*pair, strict=True) for wave in (row, column)]
            for pair in zip(
                np.array(turned(s // c, d))[:, ::2],
                np.array(turned(s % c, d))[:, 1::2],
                strict=True,
            )
        ],
    ),
    ("axes-alternate", squares_from(place, lambda row, column: in_turn(row, column, 2))),
    ("axes-alternate", squares_from(place, lambda row, column: in_turn(row, column, 1))),
    ("axes-alternate", squares_from(place, lambda row, column: in_turn(column, row, 2))),
    (
        "axes-alternate squares-from-one",
        squares_from(
            lambda s, r, c: (s // c + 1, s % c + 1), lambda row, column: in_turn(column, row, 2)
        ),
    ),
    *(
        (found, squares_from(place, table=table))
        for found, table in TABLES
        if found != "exponent-halved"
    ),
    (
        "halves-concatenated",
        lambda s, r, c, d: in_order(lambda *_: square_vectors(s, r, c, d), 0, 1)(s, d),
    ),
    (
        "axes-exchanged halves-concatenated",
        squares_from(lambda *given: place(*given)[::-1], table=in_order(turned, 0, 1)),
    ),
    (
        "axes-exchanged ends-at-base halves-concatenated",
        squares_from(lambda *given: place(*given)[::-1], table=in_order(down_to_base, 0, 1)),
    ),
    (
        "divided-by-rows halves-concatenated",
        squares_from(lambda s, r, c: (s // r, s % r), table=in_order(turned, 0, 1)),
    ),
    *(
        ("coordinates-of-one-size", squares_from(scaled))
        for scaled in (
            rows_between(0, 1),
            rows_between(-1, 1),
            shares(lambda k, size: k / size),
            shares(lambda k, size: k / size + 1 / size),
            shares(lambda k, size: 2 * math.pi * k / size),
            shares(lambda k, size: (k + 1) * (2 * math.pi / size)),
            shares(lambda k, size: (2 * k + 1) / (2 * size)),
            shares(lambda k, size: k - (size - 1) * 0.5),
            shares(lambda k, size: k - int(size / 2)),
            lambda s, r, c: (s // c / max(r, c), s % c / max(r, c)),
            shares(lambda k, size: k / (size / 16)),
        )
    ),
    ("squares-from-one", squares_from(lambda *given: tuple(k + 1 for k in place(*given)))),
    ("squares-from-one", squares_from(lambda s, r, c: ((s - 1) // c, (s - 1) % c))),
    ("squares-from-one", squares_from(lambda s, r, c: ((s + 1) // c, (s + 1) % c))),
    ("squares-from-one", squares_from(lambda s, r, c: ((s + c - 1) // c, (s - 1) % c + 1))),
    ("row-not-whole", squares_from(lambda s, r, c: (s / c, s % c))),
    ("rows-from-below", squares_from(lambda s, r, c: (r - s // c - 1, s % c))),
    (
        "class-token-first",
        lambda s, r, c, d: np.vstack(
            [np.zeros(d), np.array(square_vectors(np.arange(r * c), r, c, d))]
        )[s],
    ),
    ("squares-put-in-order", lambda s, *sizes: square_vectors(np.array(sorted(s)), *sizes)),
    ("squares-put-in-order", lambda s, *sizes: square_vectors(np.arange(s.size), *sizes)),
    (
        "all-squares-returned",
        lambda s, r, c, d: [
            row + column for row in turned(range(r), d // 2) for column in turned(range(c), d // 2)
        ],
    ),
)


def cut(change: Callable[[float], float]) -> Callable[[NDArray], NDArray]:
    return np.vectorize(change, otypes=[float])


def few_bits(bits: int) -> Callable[[float], float]:
    def rounded(number: float) -> float:
        mantissa, exponent = math.frexp(number)
        return math.ldexp(round(mantissa * 2**bits) / 2**bits, exponent)

    return rounded


BFLOAT16, FLOAT16 = cut(few_bits(8)), lambda given: given.astype("e").astype(float)
CUTS = tuple(map(cut, (int, round, math.ceil)))

HOURS = (
    ("numbers-for-times", times(lambda row, per_hour, _: range(len(row)))),
    ("numbers-for-times", times(lambda row, per_hour, _: [k * per_hour for k in range(len(row))])),
    (
        "numbers-for-times",
        times(lambda row, _, rows: [sorted({h for r in rows for h in r}).index(h) for h in row]),
    ),
    ("start-not-subtracted", times(lambda row, per_hour, _: [hour * per_hour for hour in row])),
    (
        "first-row-subtracted",
        times(
            lambda row, per_hour, rows: [
                (hour - first) * per_hour for hour, first in zip(row, rows[0], strict=True)
            ]
        ),
    ),
    *(
        (
            "one-start-for-all",
            times(
                lambda row, per_hour, rows, start=start: [
                    per_hour * (hour - start(rows)) for hour in row
                ]
            ),
        )
        for start in (lambda rows: rows[0][0], lambda rows: min(map(min, rows)))
    ),
    (
        "gaps-for-positions",
        times(
            lambda row, per_hour, _: [
                (row[k] - row[max(k - 1, 0)]) * per_hour for k in range(len(row))
            ]
        ),
    ),
    *(
        ("rate-ignored", lambda hours, _, d, rate=rate: vectors_at(hours, rate, d))
        for rate in (1, 1 / 24, 60, 3600)
    ),
    *(
        (
            "rate-ignored halves-concatenated",
            lambda hours, _, d, rate=rate: in_order(lambda *_: vectors_at(hours, rate, d), 0, 1)(
                hours, d
            ),
        )
        for rate in (1, 1 / 24, 60, 3600)
    ),
    *(
        (
            "counted-from-the-last rate-ignored",
            times(lambda row, *_, rate=rate: [(hour - row[-1]) * rate for hour in row]),
        )
        for rate in (1, 1 / 24, 60, 3600)
    ),
    (
        "times-taken-for-gaps",
        times(lambda row, per_hour, _: [per_hour * sum(row[: k + 1]) for k in range(len(row))]),
    ),
    (
        "times-taken-for-gaps",
        times(
            lambda row, per_hour, _: [
                sum(hour - row[0] for hour in row[: k + 1]) * per_hour for k in range(len(row))
            ]
        ),
    ),
    (
        "logarithm-of-times",
        times(lambda row, per_hour, _: [math.log((t - row[0]) * per_hour + 1) for t in row]),
    ),
    (
        "logarithm-of-times",
        times(lambda row, per_hour, _: [per_hour * math.log(t - row[0] + 1) for t in row]),
    ),
    *(
        (
            "cosines-of-times",
            lambda hours, per_hour, d, scale=scale: np.cos(
                scale(hours, per_hour)[..., None] / 10 ** (9 * np.arange(d) / (d - 1))
            ),
        )
        for scale in (
            lambda hours, per_hour: hours * per_hour,
            lambda hours, per_hour: since(hours),
            lambda hours, per_hour: since(hours) * per_hour,
        )
    ),
    ("start-not-subtracted rate-ignored", times(lambda row, *_: row)),
    ("rate-divided", lambda hours, per_hour, d: vectors_at(hours, 1 / per_hour, d)),
    *(
        (
            "unit-converted",
            lambda hours, per_hour, d, factor=factor: vectors_at(hours, factor(per_hour), d),
        )
        for factor in (
            lambda per_hour: per_hour / 24,
            lambda per_hour: per_hour * 24,
            lambda per_hour: per_hour * 60,
            lambda per_hour: per_hour / 60,
            lambda per_hour: per_hour * 60**2,
            lambda per_hour: per_hour / 60**2,
            lambda per_hour: 1000 * per_hour,
        )
    ),
    (
        "rate-for-one-time",
        times(lambda row, per_hour, _: [hour - row[0] * per_hour for hour in row]),
    ),
    (
        "rate-for-one-time",
        times(lambda row, per_hour, _: [per_hour * hour - row[0] for hour in row]),
    ),
    *(
        (
            "hours-cut",
            lambda hours, per_hour, d, change=change: vectors_at(
                change(hours - hours[:, 0, None]), per_hour, d
            ),
        )
        for change in CUTS
    ),
    *(
        (
            "hours-cut",
            lambda hours, per_hour, d, change=change: vectors_at(change(hours), per_hour, d),
        )
        for change in CUTS
    ),
    *(
        (
            "positions-rounded",
            lambda hours, per_hour, d, change=change: turned_all(
                change(per_hour * (hours - hours[:, 0, None])), d
            ),
        )
        for change in CUTS
    ),
    (
        "positions-rounded",
        times(lambda row, per_hour, _: [int(h * per_hour) - int(row[0] * per_hour) for h in row]),
    ),
    (
        "positions-rounded",
        times(
            lambda row, per_hour, _: np.cumsum(
                [0] + [round((b - a) * per_hour) for a, b in pairwise(row)]
            )
        ),
    ),
    *(
        (
            "times-ending-at-one",
            lambda hours, per_hour, d, factor=factor: turned_all(
                factor(per_hour) * np.ptp(hours, axis=1, keepdims=True) ** -1.0 * since(hours), d
            ),
        )
        for factor in (lambda per_hour: 1, lambda per_hour: per_hour, lambda per_hour: 1000)
    ),
    *(
        (
            "times-ending-at-one",
            lambda hours, per_hour, d, factor=factor: turned_all(
                since(hours) / np.ptp(hours, axis=1).max() * factor(per_hour), d
            ),
        )
        for factor in (lambda per_hour: 1, lambda per_hour: per_hour, lambda per_hour: 1000)
    ),
    *(
        (
            "unit-from-data",
            lambda hours, _, d, unit=unit: turned_all(since(hours) / unit(hours), d),
        )
        for unit in (
            lambda hours: (hours[:, 1:] - hours[:, :-1]).min(),
            lambda hours: np.ptp(hours, axis=1).sum() / (hours.size - len(hours)),
            lambda hours: np.array([[min(b - a for a, b in pairwise(row))] for row in hours]),
            lambda hours: np.ptp(hours, axis=1)[:, None] / (hours.shape[1] - 1),
        )
    ),
    (
        "vectors-for-positions",
        lambda hours, per_hour, d: np.subtract(
            *(turned_all(per_hour * given, d) for given in (hours, 0 * hours + hours[:, :1]))
        ),
    ),
    (
        "vectors-for-positions",
        lambda hours, per_hour, d: np.array(vectors_at(hours, 1, d)) * per_hour,
    ),
    (
        "evenly-spaced",
        times(
            lambda row, per_hour, _: [
                k * per_hour * (row[-1] - row[0]) / (len(row) - 1) for k in range(len(row))
            ]
        ),
    ),
    (
        "counted-from-the-last",
        times(lambda row, per_hour, _: [(row[-1] - hour) * per_hour for hour in row]),
    ),
    (
        "counted-from-the-last",
        times(lambda row, per_hour, _: [(hour - row[-1]) * per_hour for hour in row]),
    ),
    ("hour-of-day", times(lambda row, per_hour, _: [math.fmod(h, 24) * per_hour for h in row])),
    ("hour-of-day", lambda hours, per_hour, d: vectors_at(np.fmod(hours, 24), per_hour, d)),
    (
        "hour-of-day",
        times(lambda row, per_hour, _: [(hour - row[0]) % 24 * per_hour for hour in row]),
    ),
    *(
        (
            "hour-of-day",
            lambda hours, _, d, given=given: interleaved(
                np.multiply.outer(given(hours), [k * math.pi / 12 for k in range(1, d // 2 + 1)])
            ),
        )
        for given in (since, lambda hours: hours)
    ),
    *(
        (
            "hours-in-half-precision",
            lambda hours, per_hour, d, low=low: turned_all(low(per_hour * since(low(hours))), d),
        )
        for low in (BFLOAT16, FLOAT16)
    ),
    (
        "readings-from-one",
        times(lambda row, per_hour, _: [1 + (hour - row[0]) * per_hour for hour in row]),
    ),
    *(
        (
            found,
            lambda hours, per_hour, d, table=table: turned_all(since(hours) * per_hour, d, table),
        )
        for found, table in TABLES
    ),
    (
        "another-base",
        lambda hours, per_hour, d: angles_by(lambda k, width: 2.5 * k / width)(
            since(hours) * per_hour, d
        ),
    ),
    (
        "one-start-for-all positions-rounded",
        lambda hours, per_hour, d: (lambda whole: turned_all(whole - whole.min(), d))(
            (hours * per_hour).astype(int)
        ),
    ),
)


WRONG = {"visible-squares": SQUARES, "uneven-hours": HOURS}
