"""Lab 08, after lesson 12: position vectors of squares in a picture and of irregular times."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...coordinates import encoding_at
from ..exercise import Answer, Exercise, Steps
from .shared import in_bfloat16, in_half_precision


def _table(
    positions: NDArray,
    width: int,
    *,
    base: float = 10_000.0,
    exponents: Callable[[NDArray, int], NDArray] = lambda pairs, width: 2 * pairs / width,
    cosine_late: float = 0.0,
    cosine_first: bool = False,
    in_halves: bool = False,
) -> NDArray[np.float64]:
    """Return sinusoidal position vectors with other exponents or in another layout.

    ``cosine_late`` shifts the exponents of the cosines. If ``in_halves`` is True, all sines come
    first.
    """
    pairs = np.arange(width // 2)
    sines, cosines = (
        wave(np.multiply.outer(positions, base ** -exponents(pairs + late, width)))
        for wave, late in ((np.sin, 0.0), (np.cos, cosine_late))
    )
    waves = (cosines, sines) if cosine_first else (sines, cosines)
    return np.stack(waves, axis=-2 if in_halves else -1).reshape(*np.shape(positions), width)


def _vectors(positions: NDArray, frequencies: NDArray) -> NDArray[np.float64]:
    """Return the sine and cosine of each angle in adjacent columns."""
    angles = np.multiply.outer(positions, frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*np.shape(positions), -1)


def _up_to_base(pairs: NDArray, width: int) -> NDArray:
    return pairs / (width // 2 - 1)


WRONG_TABLES = {
    "sine-cosine-swapped": partial(_table, cosine_first=True),
    "halves-concatenated": partial(_table, in_halves=True),
    "halves-concatenated sine-cosine-swapped": partial(_table, in_halves=True, cosine_first=True),
    "exponent-halved": partial(_table, exponents=lambda pairs, width: pairs / width),
    "exponent-doubled": partial(_table, exponents=lambda pairs, width: 4 * pairs / width),
    "frequencies-multiplied": partial(_table, exponents=lambda pairs, width: -2 * pairs / width),
    "cosine-own-frequency": partial(_table, cosine_late=0.5),
    "column-for-pair": partial(
        _table, exponents=lambda pairs, width: 4 * pairs / width, cosine_late=0.5
    ),
    "ends-at-base": partial(_table, exponents=_up_to_base),
    "ends-at-base halves-concatenated": partial(_table, exponents=_up_to_base, in_halves=True),
    "ends-at-base halves-concatenated sine-cosine-swapped": partial(
        _table, exponents=_up_to_base, in_halves=True, cosine_first=True
    ),
}
"""Functions of positions and a width that compute wrong sinusoidal vectors."""


def _halves(
    rows: NDArray, columns: NDArray, d_model: int, *, table: Callable = encoding_at
) -> NDArray[np.float64]:
    """Return vectors whose first half encodes the row and whose second half encodes the column."""
    return np.hstack([table(rows, d_model // 2), table(columns, d_model // 2)])


def _exchanged(
    rows: NDArray, columns: NDArray, d_model: int, *, table: Callable = encoding_at
) -> NDArray[np.float64]:
    return _halves(columns, rows, d_model, table=table)


def square_vectors(
    squares: NDArray,
    n_rows: int,
    n_columns: int,
    d_model: int,
    *,
    places: Callable[[NDArray, int, int], tuple] = lambda squares, _, n_columns: np.divmod(
        squares, n_columns
    ),
    vectors: Callable[[NDArray, NDArray, int], NDArray] = _halves,
) -> NDArray[np.float64]:
    """Return the position vectors of squares, which are numbered row by row."""
    rows, columns = places(squares, n_rows, n_columns)
    return vectors(rows, columns, d_model)


def _fastest_half(positions: NDArray, width: int) -> NDArray[np.float64]:
    """Return the faster half of the columns of vectors that are twice as wide."""
    return encoding_at(positions, 2 * width)[:, :width]


def _dealt_out(rows: NDArray, columns: NDArray, d_model: int) -> NDArray[np.float64]:
    """Return vectors in which fast pairs depend on the row and slow pairs depend on the column."""
    half = d_model // 2
    return np.hstack(
        [encoding_at(rows, d_model)[:, :half], encoding_at(columns, d_model)[:, half:]]
    )


def _dealt_in_turn(rows: NDArray, columns: NDArray, d_model: int) -> NDArray[np.float64]:
    """Return vectors in which frequencies alternate between the row and the column.

    The pairs of the row are in the first half, as in Pixtral.
    """
    pairs = [encoding_at(each, d_model).reshape(len(each), -1, 2) for each in (rows, columns)]
    return np.hstack([pairs[0][:, 0::2], pairs[1][:, 1::2]]).reshape(len(rows), d_model)


def _axes_alternate(
    first: NDArray, second: NDArray, d_model: int, *, size: int
) -> NDArray[np.float64]:
    """Return vectors in which groups of numbers alternate between the two axes."""
    halves = [encoding_at(each, d_model // 2) for each in (first, second)]
    parts = [half.reshape(len(half), -1, size) for half in halves]
    return np.stack(parts, axis=2).reshape(len(first), d_model)


def _all_sines_first(rows: NDArray, columns: NDArray, d_model: int) -> NDArray[np.float64]:
    vectors = _halves(rows, columns, d_model)
    return np.hstack([vectors[:, 0::2], vectors[:, 1::2]])


ASSUMED_SIDES = (
    lambda squares, *sides: max(sides),
    lambda squares, *sides: min(sides),
    lambda squares, *sides: round(math.prod(sides) ** 0.5),
    lambda squares, *sides: int(len(squares) ** 0.5),
)
"""Side lengths used for both axes, as if every picture were square."""

SCALED_COORDINATES = (
    lambda place, size: place / size,
    lambda place, size: place / max(size - 1, 1),
    lambda place, size: (place + 1) / size,
    lambda place, size: math.tau * (place + 1) / size,
    lambda place, size: math.tau * place / size,
    lambda place, size: (place + 0.5) / size,
    lambda place, size: 2 * place / max(size - 1, 1) - 1,
    lambda place, size: place - (size - 1) / 2,
    lambda place, size: place - size // 2,
    lambda place, size: 16 * place / size,
)
"""Coordinates that depend on the size of the picture."""


def _placed(places: Callable[[NDArray, int, int], tuple]) -> Answer:
    """Create an answer that computes rows and columns incorrectly."""
    return partial(square_vectors, places=places)


def _coded(vectors: Callable[[NDArray, NDArray, int], NDArray]) -> Answer:
    """Create an answer that computes incorrect vectors from correct rows and columns."""
    return partial(square_vectors, vectors=vectors)


def _scaled_by(scale: Callable[[NDArray, int], NDArray]) -> Callable[..., tuple]:
    return lambda squares, n_rows, n_columns: (
        scale(squares // n_columns, n_rows),
        scale(squares % n_columns, n_columns),
    )


def _square_by_hand(
    place: tuple, squares: NDArray, n_rows: int, n_columns: int, d_model: int
) -> Steps:
    i, c = place
    half = d_model // 2
    row, column = divmod(int(squares[i]), n_columns)
    position = row if c < half else column
    pair, is_cosine = divmod(c % half, 2)
    angle = position / 10_000 ** (2 * pair / half)
    wave, function = (math.cos, "cos") if is_cosine else (math.sin, "sin")
    return dict(
        square=squares[i],
        n_columns=n_columns,
        row=row,
        column=column,
        half=half,
        c=c,
        position=position,
        pair=pair,
        exponent=2 * pair / half,
        angle=angle,
        wave=function,
        result=wave(angle),
    )


SQUARES = (
    ([0, 1, 2, 3], 2, 3, 8),
    ([5, 0, 17], 4, 6, 8),
    ([4, 3], 5, 1, 8),
    ([7, 2, 3], 3, 3, 8),
    ([11, 2, 8, 0], 2, 7, 16),
    ([9, 9, 20, 1], 7, 3, 12),
    ([50, 129, 3, 77], 12, 11, 32),
    ([50, 129, 3, 77], 11, 12, 32),
)
"""Test cases with numbers of squares, the size of a picture, and a width."""

VISIBLE_SQUARES = Exercise(
    id="visible-squares",
    reference=square_vectors,
    cases=tuple((np.array(squares), *sizes) for squares, *sizes in SQUARES),
    typed=tuple(
        f"np.array({squares}), {', '.join(map(str, sizes))}" for squares, *sizes in SQUARES
    ),
    by_hand=_square_by_hand,
    misconceptions={
        "axes-exchanged": _coded(_exchanged),
        "numbered-down-columns": _placed(
            lambda square, n_rows, _: (square % n_rows, square // n_rows)
        ),
        "divided-by-rows": _placed(lambda square, n_rows, _: np.divmod(square, n_rows)),
        "picture-taken-for-square": [
            _placed(lambda squares, *sides, side=side: np.divmod(squares, side(squares, *sides)))
            for side in ASSUMED_SIDES
        ],
        "running-number": [
            lambda squares, n_rows, n_columns, d_model: encoding_at(squares, d_model),
            lambda squares, n_rows, n_columns, d_model: encoding_at(
                squares % n_columns * n_rows + squares // n_columns, d_model
            ),
            _placed(lambda square, *_: (square, square)),
        ],
        "column-not-remainder": [
            _placed(lambda square, _, n_columns: (square // n_columns, square)),
            _placed(
                lambda square, _, n_columns: (square // n_columns, square - square // n_columns)
            ),
        ],
        "divided-by-both-sides": [
            _placed(lambda square, n_rows, n_columns: (square // n_columns, square // n_rows)),
            _placed(lambda square, n_rows, n_columns: (square % n_rows, square % n_columns)),
        ],
        "one-axis-twice": [
            _placed(lambda square, _, n_columns: (square // n_columns, square // n_columns)),
            _placed(lambda square, _, n_columns: (square % n_columns, square % n_columns)),
        ],
        "exponents-over-both-halves": _coded(partial(_halves, table=_fastest_half)),
        "frequencies-dealt-out": [_coded(_dealt_out), _coded(_dealt_in_turn)],
        "axes-added": [
            *(
                _coded(
                    lambda rows, columns, d, share=share: (
                        share * (encoding_at(rows, d) + encoding_at(columns, d))
                    )
                )
                for share in (1, 1 / 2)
            ),
            _coded(lambda rows, columns, d: encoding_at(rows + columns, d)),
        ],
        "sine-of-row-cosine-of-column": _coded(
            lambda rows, columns, d: np.where(
                np.arange(d) % 2, encoding_at(columns, d), encoding_at(rows, d)
            )
        ),
        "axes-alternate": [
            *(_coded(partial(_axes_alternate, size=size)) for size in (2, 1)),
            _coded(lambda rows, columns, d: _axes_alternate(columns, rows, d, size=2)),
        ],
        **{
            id: _coded(partial(_halves, table=table))
            for id, table in WRONG_TABLES.items()
            if id != "exponent-halved"  # in each half, this divides exponents by d_model
        },
        "halves-concatenated": [
            _coded(partial(_halves, table=WRONG_TABLES["halves-concatenated"])),
            _coded(_all_sines_first),
        ],
        "axes-exchanged halves-concatenated": _coded(
            partial(_exchanged, table=WRONG_TABLES["halves-concatenated"])
        ),
        "axes-exchanged ends-at-base halves-concatenated": _coded(
            partial(_exchanged, table=WRONG_TABLES["ends-at-base halves-concatenated"])
        ),
        "divided-by-rows halves-concatenated": partial(
            square_vectors,
            places=lambda square, n_rows, _: np.divmod(square, n_rows),
            vectors=partial(_halves, table=WRONG_TABLES["halves-concatenated"]),
        ),
        "another-base": partial(
            lambda squares, n_rows, n_columns, d_model, base: square_vectors(
                squares,
                n_rows,
                n_columns,
                d_model,
                vectors=partial(_halves, table=partial(encoding_at, base=base)),
            ),
            base=1000,
        ),
        "coordinates-of-one-size": [
            *(_placed(_scaled_by(scale)) for scale in SCALED_COORDINATES),
            _placed(lambda square, *sides: np.stack(np.divmod(square, sides[1])) / max(sides)),
        ],
        "squares-from-one": [
            _placed(lambda square, _, n_columns: (square // n_columns + 1, square % n_columns + 1)),
            _placed(lambda square, _, n_columns: np.divmod(square - 1, n_columns)),
            _placed(lambda square, _, n_columns: np.divmod(square + 1, n_columns)),
            _placed(lambda square, _, n_columns: np.add(1, np.divmod(square - 1, n_columns))),
        ],
        "axes-alternate squares-from-one": _coded(
            lambda rows, columns, d: _axes_alternate(columns + 1, rows + 1, d, size=2)
        ),
        "row-not-whole": _placed(
            lambda square, _, n_columns: (square / n_columns, square % n_columns)
        ),
        "rows-from-below": _placed(
            lambda square, n_rows, n_columns: (n_rows - 1 - square // n_columns, square % n_columns)
        ),
        "class-token-first": lambda squares, *sizes: np.where(
            (squares > 0)[:, np.newaxis], square_vectors(squares - 1, *sizes), 0
        ),
        "squares-put-in-order": [
            lambda squares, *sizes: square_vectors(np.sort(squares), *sizes),
            lambda squares, *sizes: square_vectors(np.arange(len(squares)), *sizes),
        ],
        "all-squares-returned": lambda squares, n_rows, n_columns, d_model: square_vectors(
            np.arange(n_rows * n_columns), n_rows, n_columns, d_model
        ),
    },
)


def _since_first(hours: NDArray) -> NDArray:
    return hours - hours[:, :1]


def vectors_at(
    hours: NDArray,
    per_hour: float,
    d_model: int,
    *,
    positions: Callable[[NDArray, float], NDArray] = lambda hours, per_hour: (
        _since_first(hours) * per_hour
    ),
    table: Callable[[NDArray, int], NDArray] = encoding_at,
) -> NDArray[np.float64]:
    """Return the position vectors of times relative to the first time in each row."""
    return table(positions(hours, per_hour), d_model)


def _at(positions: Callable[[NDArray, float], NDArray]) -> Answer:
    """Create an answer that computes incorrect positions."""
    return partial(vectors_at, positions=positions)


UNITS = (1, 24, 1 / 60, 1 / 3600)
"""Hours per position in answers that ignore ``per_hour``."""

WHOLE = (np.trunc, np.round, np.ceil)
"""Functions that convert numbers to integers."""

LATEST = (lambda since: since[:, -1:], np.max)
"""Functions that return the divisor in answers that normalise times."""


def _evenly_spaced(hours: NDArray, per_hour: float) -> NDArray[np.float64]:
    shares = np.linspace(0, 1, hours.shape[1])
    return _since_first(hours)[:, -1:] * per_hour * shares


def _gaps(hours: NDArray) -> NDArray:
    return np.diff(hours, axis=1, prepend=hours[:, :1])


def _cosines(times: NDArray, d_model: int) -> NDArray[np.float64]:
    """Return the cosines of TGAT’s time encoding, which has a frequency for each column."""
    return np.cos(np.multiply.outer(times, 10.0 ** -np.linspace(0, 9, d_model)))


def _moment_by_hand(place: tuple, hours: NDArray, per_hour: float, d_model: int) -> Steps:
    row, reading, c = place
    first, hour = float(hours[row, 0]), float(hours[row, reading])
    position = (hour - first) * per_hour
    pair, is_cosine = divmod(c, 2)
    frequency = 1 / 10_000 ** (2 * pair / d_model)
    wave, function = (math.cos, "cos") if is_cosine else (math.sin, "sin")
    return dict(
        i=row,
        j=reading,
        c=c,
        hour=hour,
        first=first,
        elapsed=hour - first,
        per_hour=per_hour,
        position=position,
        pair=pair,
        frequency=frequency,
        angle=position * frequency,
        wave=function,
        result=wave(position * frequency),
    )


HOURS = (
    ([[7.5, 8.0]], 3, 4),
    ([[7.25, 9.75, 30.5], [8.0, 8.5, 33.25]], 4, 8),
    ([[0, 3, 12], [5, 6, 40]], 1, 4),
    ([[7, 9, 10], [1, 5, 6], [7, 8, 33]], 2, 6),
    ([[100.125, 100.25, 101.5, 148.75]], 0.5, 6),
    ([[48000.25, 48000.75, 48003.5], [48010.0, 48010.5, 48011.0]], 12, 16),
    ([[7.25, 9.75, 30.5], [8.0, 8.5, 33.25]], 60, 8),
    ([[3.5, 4.25, 9.0, 9.75, 50.0], [2.0, 3.0, 4.0, 5.0, 6.0]], 4, 8),
)
"""Test cases with times, positions per hour, and a width."""

UNEVEN_HOURS = Exercise(
    id="uneven-hours",
    reference=vectors_at,
    cases=tuple((np.array(hours), *rest) for hours, *rest in HOURS),
    typed=tuple(f"np.array({hours}), {per_hour}, {d}" for hours, per_hour, d in HOURS),
    by_hand=_moment_by_hand,
    misconceptions={
        "numbers-for-times": [
            _at(lambda hours, _: np.arange(hours.shape[1]) + 0 * hours),
            _at(lambda hours, per_hour: np.arange(hours.shape[1]) * per_hour + 0 * hours),
            _at(lambda hours, _: np.searchsorted(np.unique(hours), hours)),
        ],
        "start-not-subtracted": _at(lambda hours, per_hour: hours * per_hour),
        "first-row-subtracted": _at(lambda hours, per_hour: (hours - hours[0]) * per_hour),
        "one-start-for-all": [
            _at(lambda hours, per_hour: (hours - hours.min()) * per_hour),
            _at(lambda hours, per_hour: (hours - hours[0, 0]) * per_hour),
        ],
        "gaps-for-positions": _at(lambda hours, per_hour: _gaps(hours) * per_hour),
        "rate-ignored": [
            partial(
                lambda hours, _, d_model, unit: encoding_at(_since_first(hours) / unit, d_model),
                unit=unit,
            )
            for unit in UNITS
        ],
        "rate-ignored halves-concatenated": [
            partial(
                lambda hours, _, d_model, unit: _table(
                    _since_first(hours) / unit, d_model, in_halves=True
                ),
                unit=unit,
            )
            for unit in UNITS
        ],
        "start-not-subtracted rate-ignored": partial(
            lambda hours, _, d_model, unit: encoding_at(hours / unit, d_model), unit=1
        ),
        "rate-divided": _at(lambda hours, per_hour: _since_first(hours) / per_hour),
        "unit-converted": [
            partial(
                lambda hours, per_hour, d_model, factor: encoding_at(
                    _since_first(hours) * per_hour * factor, d_model
                ),
                factor=factor,
            )
            for factor in (1 / 24, 24, 60, 1 / 60, 3600, 1 / 3600, 1000)
        ],
        "rate-for-one-time": [
            _at(lambda hours, per_hour: hours - hours[:, :1] * per_hour),
            _at(lambda hours, per_hour: hours * per_hour - hours[:, :1]),
        ],
        "hours-cut": [
            _at(lambda hours, per_hour, when=when, whole=whole: when(hours, whole) * per_hour)
            for whole in WHOLE
            for when in (
                lambda hours, whole: whole(_since_first(hours)),
                lambda hours, whole: _since_first(whole(hours)),
            )
        ],
        "positions-rounded": [
            *(
                _at(lambda hours, per_hour, whole=whole: whole(_since_first(hours) * per_hour))
                for whole in WHOLE
            ),
            _at(lambda hours, per_hour: _since_first(np.trunc(hours * per_hour))),
            _at(lambda hours, per_hour: np.cumsum(np.round(_gaps(hours) * per_hour), axis=1)),
        ],
        "times-ending-at-one": [
            _at(
                lambda hours, per_hour, latest=latest, factor=factor: (
                    _since_first(hours) / latest(_since_first(hours)) * factor(per_hour)
                )
            )
            for latest in LATEST
            for factor in (lambda per_hour: 1, float, lambda per_hour: 1000)
        ],
        "unit-from-data": [
            _at(lambda hours, _, typical=typical: _since_first(hours) / typical(np.diff(hours)))
            for typical in (
                np.min,
                np.mean,
                lambda gaps: gaps.min(axis=1, keepdims=True),
                lambda gaps: gaps.mean(axis=1, keepdims=True),
            )
        ],
        "vectors-for-positions": [
            lambda hours, per_hour, d_model: (
                encoding_at(hours * per_hour, d_model)
                - encoding_at(hours[:, :1] * per_hour, d_model)
            ),
            lambda hours, per_hour, d_model: per_hour * encoding_at(_since_first(hours), d_model),
        ],
        "evenly-spaced": _at(_evenly_spaced),
        "counted-from-the-last": [
            _at(lambda hours, per_hour: (hours[:, -1:] - hours) * per_hour),
            _at(lambda hours, per_hour: (hours - hours[:, -1:]) * per_hour),
        ],
        "counted-from-the-last rate-ignored": [
            partial(
                lambda hours, _, d_model, unit: encoding_at(
                    (hours - hours[:, -1:]) / unit, d_model
                ),
                unit=unit,
            )
            for unit in UNITS
        ],
        "times-taken-for-gaps": [
            _at(lambda hours, per_hour: np.cumsum(_since_first(hours), axis=1) * per_hour),
            _at(lambda hours, per_hour: np.cumsum(hours, axis=1) * per_hour),
        ],
        "logarithm-of-times": [
            _at(lambda hours, per_hour: np.log1p(_since_first(hours) * per_hour)),
            _at(lambda hours, per_hour: np.log1p(_since_first(hours)) * per_hour),
        ],
        "cosines-of-times": [
            lambda hours, per_hour, d_model: _cosines(_since_first(hours) * per_hour, d_model),
            lambda hours, per_hour, d_model: _cosines(_since_first(hours), d_model),
            lambda hours, per_hour, d_model: _cosines(hours * per_hour, d_model),
        ],
        "hour-of-day": [
            _at(lambda hours, per_hour: hours % 24 * per_hour),
            _at(lambda hours, per_hour: _since_first(hours % 24) * per_hour),
            _at(lambda hours, per_hour: _since_first(hours) % 24 * per_hour),
            *(
                lambda hours, _, d_model, start=start: _vectors(
                    hours - start(hours), math.tau / 24 * np.arange(1, d_model // 2 + 1)
                )
                for start in (lambda hours: 0, lambda hours: hours[:, :1])
            ),
        ],
        "hours-in-half-precision": [
            _at(lambda hours, per_hour, low=low: low(_since_first(low(hours)) * per_hour))
            for low in (in_bfloat16, in_half_precision)
        ],
        "readings-from-one": _at(lambda hours, per_hour: _since_first(hours) * per_hour + 1),
        **{id: partial(vectors_at, table=table) for id, table in WRONG_TABLES.items()},
        "another-base": [
            partial(
                lambda hours, per_hour, d_model, base: vectors_at(
                    hours, per_hour, d_model, table=partial(encoding_at, base=base)
                ),
                base=base,
            )
            for base in (1000, 100_000)
        ],
        "one-start-for-all positions-rounded": _at(
            lambda hours, per_hour: np.trunc(hours * per_hour) - np.trunc(hours * per_hour).min()
        ),
    },
)

EXERCISES = (VISIBLE_SQUARES, UNEVEN_HOURS)
