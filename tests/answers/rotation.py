"""Lab 04: right answers, wrong ones, and what is found in them."""

import math
from collections.abc import Callable

import numpy as np
from checks.labs import (
    by_exp_and_log,
    shift_by_kron,
)
from hypothesis import strategies as st

from . import Answers
from .sinusoidal import BASES, EVEN, rows


def back(steps_back: int, d_model: int) -> list[list[float]]:
    matrix = [[0.0] * d_model for _ in range(d_model)]
    half = d_model // 2
    for pair in range(half):
        angle = -steps_back / 10_000 ** (2 * pair / d_model)
        matrix[pair][pair] = matrix[pair + half][pair + half] = math.cos(angle)
        matrix[pair][pair + half] = math.sin(angle)
        matrix[pair + half][pair] = -math.sin(angle)
    return matrix


def frequencies(d_model: int, exponent: float = 2.0) -> np.ndarray:
    return 10_000.0 ** (-exponent * np.arange(d_model // 2) / d_model)


def blocks(angles: np.ndarray, signs: tuple[int, int, int, int] = (1, -1, 1, 1)) -> np.ndarray:
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    a, b, c, d = signs
    return np.block([[a * cosines, b * sines], [c * sines, d * cosines]])


def of_the_lesson(offset: int, d_model: int) -> np.ndarray:
    matrix = np.zeros((d_model, d_model))
    for k, angle in enumerate(offset * frequencies(d_model)):
        cosine, sine = math.cos(angle), math.sin(angle)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def swapped_blocks(steps_back: int, d_model: int) -> np.ndarray:
    angles = steps_back * frequencies(d_model)
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[sines, -cosines], [cosines, sines]])


def in_halves(table: np.ndarray) -> np.ndarray:
    return np.hstack([table[:, ::2], table[:, 1::2]])


OF_FREQUENCIES = ("exponent-doubled", "exponent-halved")


ONE_ANGLE = {("one-angle", name) for name in OF_FREQUENCIES}


def offset(row: np.ndarray, other: np.ndarray, base: int) -> int:
    """The angle of a quotient of complex numbers is the difference of their angles."""
    first, second = complex(row[-1], row[-2]), complex(other[-1], other[-2])
    turn = second / first
    return round(math.atan2(turn.imag, turn.real) * base ** ((len(row) - 2) / len(row)))


def distances(offsets: np.ndarray, d_model: int) -> list[float]:
    start = 1000
    (here,) = rows([start], d_model, 10_000)
    there = rows([start + int(offset) for offset in offsets], d_model, 10_000)
    return [math.dist(here, row) for row in there]


OFFSETS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12).map(np.array)


def products(offsets: np.ndarray, d_model: int) -> np.ndarray:
    return np.cos(np.outer(offsets, frequencies(d_model))).sum(axis=1)


def distance(offsets: np.ndarray, d_model: int, exponent: float = 2.0) -> np.ndarray:
    waves = np.cos(np.outer(offsets, frequencies(d_model, exponent)))
    return np.sqrt(d_model - 2 * waves.sum(axis=1))


def table(n_positions: int, d_model: int) -> np.ndarray:
    angles = np.outer(np.arange(n_positions), frequencies(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)


def distance_by_rows(offsets: np.ndarray, d_model: int) -> list[float]:
    def row(position: int) -> list[float]:
        angles = [position / 10_000 ** (2 * k / d_model) for k in range(d_model // 2)]
        return [wave(angle) for angle in angles for wave in (math.sin, math.cos)]

    return [math.dist(row(offset), row(0)) for offset in offsets]


AXIS = {"1 -> -1": "axis 1 is the last"}


@st.composite
def two_clocks(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    d_model, base = draw(EVEN), draw(BASES)
    most = math.ceil(math.pi * base ** ((d_model - 2) / d_model)) - 1
    position = draw(st.integers(0, 3 * most))
    moved = draw(st.integers(-most, most) | st.sampled_from([-most, 0, most]))
    return *np.array(rows([position, position + moved], d_model, base)), base


def nearer(angle: float) -> float:
    return (angle + math.pi) % math.tau - math.pi


def hand(row: np.ndarray, column: int = -2) -> float:
    return math.atan2(row[column], row[column + 1])


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (-(len(row) - 2) / len(row))


def reading(turn: Callable[[np.ndarray, np.ndarray], float]) -> Callable:
    return lambda row, other, base: round(turn(row, other) / slowest(row, base))


def honest_slowest(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def offset_by_two_readings(row: np.ndarray, other: np.ndarray, base: float) -> int:
    angle = math.atan2(*other[-2:]) - math.atan2(*row[-2:])
    if abs(angle) > math.pi:
        angle -= math.copysign(math.tau, angle)
    return round(angle / honest_slowest(row, base))


def offset_of_clocks(whole: Callable[[float], int]) -> Callable[..., int]:
    """What is asked for, made whole otherwise."""

    def offset(row: np.ndarray, other: np.ndarray, base: float) -> int:
        first, second = (read[-1] + 1j * read[-2] for read in (row, other))
        return whole(np.angle(second * first.conj()) / base ** (2 / len(row) - 1))

    return offset


FASTEST_READ = {
    ("fastest-hand-read", "multiplied-by-frequency"),
    ("fastest-hand-read", "angle-for-position"),
    ("angle-for-position", "frequency-of-another-hand"),
    *((read, "base-ignored") for read in ("fastest-hand-read", "angle-for-position")),
}


TOLERANCE = "an angle read off is whole, but for rounding"


def products_of_sines(n_positions: int, d_model: int) -> list[list[float]]:
    sines = [row[0::2] for row in table(n_positions, d_model)]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in sines] for a in sines]


def map_of(columns: Callable[[np.ndarray], np.ndarray]) -> Callable:
    def products(n_positions: int, d_model: int) -> np.ndarray:
        kept = columns(table(n_positions, d_model))
        return kept @ kept.T

    return products


NO_ODD_COLUMN = {"0::2 -> 0:-1:2": "of an even number of columns, the last is not taken"}


def wrapped_on_one_side(limit: float) -> Callable:
    def offset(row: np.ndarray, other: np.ndarray, base: float) -> int:
        turned = hand(other) - hand(row)
        if (turned > limit) if limit > 0 else (turned < limit):
            turned -= math.copysign(math.tau, limit)
        return round(turned / slowest(row, base))

    return offset


def two_rounded_positions(row: np.ndarray, other: np.ndarray, base: float) -> int:
    round_trip = math.tau / slowest(row, base)
    first, second = (round(hand(each) % math.tau / slowest(row, base)) for each in (row, other))
    return round((second - first + round_trip / 2) % round_trip - round_trip / 2)


def distance_in_float32(offsets: np.ndarray, d_model: int) -> np.ndarray:
    angles = np.outer(offsets.astype(np.float32), np.float32(frequencies(d_model)))
    return np.sqrt(np.maximum(0, d_model - 2 * np.cos(angles).sum(axis=1)))


def pairs_numbered_by_column(offsets: np.ndarray, d_model: int) -> np.ndarray:
    angles = np.outer(offsets, 10_000 ** (-2 * np.arange(d_model) / d_model))
    return np.sqrt(2 * d_model - 2 * np.cos(angles).sum(axis=1))


ANSWERS = {
    "shift-back": Answers(
        second=back,
        asked=st.tuples(st.integers(-500, 500), EVEN),
        right=(lambda r, d: in_halves(in_halves(shift_by_kron(r, d).T).T).T.tolist(),),
        wrong=(
            ("pattern.numbers-elsewhere", lambda r, d: np.array(back(abs(r), d))),
            ("wrong-sign", lambda r, d: blocks(r * frequencies(d), (1, 1, -1, 1))),
            ("neighbours-in-matrix", lambda r, d: of_the_lesson(-r, d)),
            ("no-rotation", lambda r, d: blocks(r * frequencies(d), (1, -1, -1, 1))),
            ("block-swapped", swapped_blocks),
            ("offset-forgotten", lambda r, d: blocks(frequencies(d))),
            ("offset-off-by-one", lambda r, d: blocks((r + 1) * frequencies(d))),
        ),
        alike=ONE_ANGLE,
    ),
    "distance-by-offset": Answers(
        second=distances,
        asked=st.tuples(OFFSETS, EVEN),
        right=(
            distance_in_float32,
            lambda r, d: np.array(distance_by_rows(r, d)).astype(complex),
        ),
        wrong=(
            (
                "half-angle-forgotten",
                lambda r, d: np.sqrt(((2 * np.sin(np.outer(r, frequencies(d)))) ** 2).sum(axis=1)),
            ),
            ("pattern.only-one-call-wrong", pairs_numbered_by_column),
            ("root-forgotten", lambda r, d: d - 2 * products(r, d)),
            ("dot-product-itself", products),
            ("product-once", lambda r, d: np.sqrt(d - products(r, d))),
            ("squares-miscounted", lambda r, d: np.sqrt(2 * d - 2 * products(r, d))),
            ("half-the-square", lambda r, d: np.sqrt(d / 2 - products(r, d))),
            ("signs-swapped", lambda r, d: np.sqrt(d + 2 * products(r, d))),
            (
                "chords-added",
                lambda r, d: (2 * np.abs(np.sin(np.outer(r, frequencies(d)) / 2))).sum(axis=1),
            ),
            ("mean-for-sum", lambda r, d: np.sqrt(d - 2 * products(r, d) / (d / 2))),
            (
                "sine-for-cosine",
                lambda r, d: np.sqrt(d - 2 * np.sin(np.outer(r, frequencies(d))).sum(axis=1)),
            ),
            ("one-angle", lambda r, d: np.sqrt(d - d * np.cos(r))),
            ("exponent-halved", lambda r, d: distance(r, d, 1)),
            ("exponent-doubled", lambda r, d: distance(r, d, 4)),
            (
                "degrees",
                lambda r, d: np.sqrt(
                    d - 2 * np.cos(np.radians(np.outer(r, frequencies(d)))).sum(1)
                ),
            ),
            ("positions-apart", lambda r, d: np.abs(r)),
            (
                "along-the-circle",
                lambda r, d: np.linalg.norm(np.outer(r, frequencies(d)), axis=1),
            ),
            ("first-pair-only", lambda r, d: np.sqrt(2 - 2 * np.cos(r))),
            ("root-of-product", lambda r, d: np.sqrt(products(r, d))),
        ),
        alike={
            *ONE_ANGLE,
            # The mean of equal cosines is one of them.
            ("mean-for-sum", "one-angle"),
            *(("first-pair-only", name) for name in OF_FREQUENCIES),
        },
        equal_changes=AXIS,
    ),
    "offset-between": Answers(
        second=offset,
        asked=two_clocks(),
        right=(offset_by_two_readings,),
        wrong=(
            ("pattern.only-one-call-wrong", wrapped_on_one_side(-math.pi)),
            ("pattern.some-calls-right", wrapped_on_one_side(math.pi)),
            ("pattern.opposite-sign-in-some-calls", two_rounded_positions),
            (
                "multiplied-by-frequency",
                lambda a, b, base: nearer(hand(b) - hand(a)) * slowest(a, base),
            ),
            ("direction-reversed", reading(lambda a, b: nearer(hand(a) - hand(b)))),
            ("longer-way-round", reading(lambda a, b: hand(b) - hand(a))),
            ("always-forward", reading(lambda a, b: (hand(b) - hand(a)) % math.tau)),
            ("direction-lost", reading(lambda a, b: math.acos(a[-2:] @ b[-2:]))),
            ("fastest-hand-read", lambda a, b, base: round(nearer(hand(b, 0) - hand(a, 0)))),
            ("angle-not-unique", reading(lambda a, b: math.asin(b[-2] * a[-1] - b[-1] * a[-2]))),
            ("angle-for-position", lambda a, b, base: nearer(hand(b) - hand(a))),
            ("angle-in-degrees", reading(lambda a, b: math.degrees(nearer(hand(b) - hand(a))))),
            (
                "base-ignored",
                lambda a, b, base: round(nearer(hand(b) - hand(a)) / slowest(a, 10_000)),
            ),
            (
                "frequency-of-another-hand",
                lambda a, b, base: round(nearer(hand(b) - hand(a)) * base),
            ),
            ("pattern.cut-not-rounded", offset_of_clocks(math.floor)),
            ("pattern.always-too-large", offset_of_clocks(math.ceil)),
        ),
        alike={*FASTEST_READ, ("longer-way-round", "angle-not-unique")},
        equal_changes={
            "round(np.arctan2(sine, cosine) / slowest)"
            " -> np.arctan2(sine, cosine) / slowest": TOLERANCE,
            "row -> other": "both rows have d_model numbers",
        },
    ),
    "strange-products": Answers(
        second=products_of_sines,
        asked=st.tuples(st.integers(1, 30), EVEN),
        right=(lambda n, d: np.einsum("ik,jk->ij", *[by_exp_and_log(n, d)[:, ::2]] * 2),),
        wrong=(
            ("the-right-products", map_of(lambda t: t)),
            ("cosines-alone", map_of(lambda t: t[:, 1::2])),
            ("first-half-of-columns", map_of(lambda t: t[:, : t.shape[1] // 2])),
            ("sines-with-cosines", lambda n, d: table(n, d)[:, 0::2] @ table(n, d)[:, 1::2].T),
            ("products-divided", lambda n, d: map_of(lambda t: t[:, 0::2])(n, d) / (d / 2)),
            (
                "waves-of-the-offset",
                lambda n, d: np.sin(
                    np.subtract.outer(np.arange(n), np.arange(n))[..., np.newaxis] * frequencies(d)
                ).sum(axis=-1),
            ),
            (
                "sine-for-each-column",
                lambda n, d: map_of(lambda t: t[:, 0::2])(n, 2 * d),
            ),
            ("positions-from-one", lambda n, d: map_of(lambda t: t[:, 0::2])(n + 1, d)[1:, 1:]),
        ),
        alike={
            # What depends on the offset alone is the same from wherever one counts.
            ("the-right-products", "positions-from-one"),
            ("waves-of-the-offset", "positions-from-one"),
        },
        equal_changes=NO_ODD_COLUMN,
    ),
}
