"""The report card: encodings by requirements, each cell of it measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .language import Text
from .page import KEEPS_KEYS, Shown
from .properties import largest_change, largest_step_share, smallest_distance
from .schemes import Scheme, scheme_named

__all__ = ["REQUIREMENTS", "Measured", "report_card"]

D_MODEL = 6
N_POSITIONS = 2**D_MODEL
"""As many positions as six bits can write, so that no encoding is refused too early."""

DISTANCE = 10
EQUAL = 1e-9
"""Differences below this are rounding; the smallest real one in the card is above 0.001."""

MOST_GROWTH = 1.1
"""Values that grow with the length double; a tenth more may be chance."""

SMOOTH_SHARE = 0.5
"""A smooth encoding crosses at most half of its table in one step."""


@dataclass(frozen=True)
class Measured:
    """One cell of the card: whether the requirement is met, and the numbers that decide it."""

    met: bool
    how: Text


def measure_unique(scheme: Scheme) -> Measured:
    """Do any two positions share a vector?"""
    nearest = smallest_distance(scheme.vectors(N_POSITIONS, D_MODEL))
    return Measured(
        nearest > EQUAL,
        Text(
            "The two nearest rows are {d} apart.", "Las dos filas más próximas distan {d}."
        ).format(d=_number(nearest)),
    )


def measure_consistent(scheme: Scheme) -> Measured:
    """Does a position keep its vector when the sentence gets longer?"""
    change = largest_change(scheme.vectors, N_POSITIONS // 2, N_POSITIONS, D_MODEL)
    return Measured(
        change < EQUAL,
        Text(
            "From {short} positions to {long}, the largest change of a number is {change}.",
            "De {short} posiciones a {long}, el mayor cambio de un número es {change}.",
        ).format(short=N_POSITIONS // 2, long=N_POSITIONS, change=_number(change)),
    )


def measure_bounded(scheme: Scheme) -> Measured:
    """Do the values stay about as large when the sequence gets twice as long?"""
    shorter, longer = (
        float(np.abs(scheme.vectors(n, D_MODEL)).max()) for n in (N_POSITIONS // 2, N_POSITIONS)
    )
    return Measured(
        longer <= MOST_GROWTH * shorter,
        Text(
            "Largest value: {shorter} in {short} positions, {longer} in {long}.",
            "Valor máximo: {shorter} en {short} posiciones, {longer} en {long}.",
        ).format(
            shorter=_number(shorter),
            longer=_number(longer),
            short=N_POSITIONS // 2,
            long=N_POSITIONS,
        ),
    )


def measure_distance_aware(scheme: Scheme) -> Measured:
    """Is the score of two positions decided by their distance, and only by it?"""
    scores = scheme.scores(N_POSITIONS, D_MODEL)
    near, far = (np.diagonal(scores, -distance) for distance in (1, DISTANCE))
    spread = float(np.ptp(far))
    return Measured(
        bool(spread < EQUAL and abs(near[0] - far[0]) > EQUAL),
        Text(
            "{scores} {distance} apart: from {low} to {high}; of positions 0 and 1: {near}.",
            "{scores} a distancia {distance}: de {low} a {high}; de las posiciones 0 y 1: {near}.",
        ).format(
            scores=scheme.scores_name,
            distance=DISTANCE,
            low=_number(far.min()),
            high=_number(far.max()),
            near=_number(near[0]),
        ),
    )


def measure_smooth(scheme: Scheme) -> Measured:
    """Is one step small next to the whole table?"""
    share = largest_step_share(scheme.vectors(N_POSITIONS, D_MODEL))
    if share == 0:
        return Measured(
            False,
            Text(
                "All rows are equal: there is no step to measure.",
                "Todas las filas son iguales: no hay pasos que medir.",
            ),
        )
    return Measured(
        share <= SMOOTH_SHARE,
        Text(
            "The longest step is {share} % of the longest distance in the table; smooth is up to "
            "{limit} %.",
            "El paso más largo es el {share} % de la mayor distancia de la tabla; suave es hasta "
            "el {limit} %.",
        ).format(share=f"{100 * share:.0f}", limit=f"{100 * SMOOTH_SHARE:.0f}"),
    )


def measure_beyond(scheme: Scheme) -> Measured:
    """Is there a vector for the position after the last, without touching the others?"""
    try:
        change = largest_change(scheme.vectors, N_POSITIONS, N_POSITIONS + 1, D_MODEL)
    except ValueError:
        return Measured(
            False,
            Text("Position {last} is refused.", "La posición {last} se rechaza.").format(
                last=N_POSITIONS
            ),
        )
    return Measured(
        change < EQUAL,
        Text(
            "Position {last} exists; with it, the largest change of the others is {change}.",
            "La posición {last} existe; con ella, el mayor cambio de las demás es {change}.",
        ).format(last=N_POSITIONS, change=_number(change)),
    )


def measure_cost(scheme: Scheme) -> Measured:
    """Is there nothing to learn or to store?"""
    first, second = (scheme.vectors(N_POSITIONS, D_MODEL) for _ in range(2))
    if not np.array_equal(first, second):
        return Measured(
            False,
            Text(
                "Computed twice, the tables differ: {n} numbers to keep.",
                "Calculada dos veces, la tabla es distinta: {n} números que guardar.",
            ).format(n=first.size),
        )
    return Measured(
        scheme.learned.size == 0,
        Text(
            "Computed twice, the tables are equal: {n} numbers to learn.",
            "Calculada dos veces, la tabla es la misma: {n} números que aprender.",
        ).format(n=scheme.learned.size),
    )


REQUIREMENTS: tuple[tuple[Text, Callable[[Scheme], Measured]], ...] = (
    (Text("unique", "única"), measure_unique),
    (Text("consistent across lengths", "igual en toda longitud"), measure_consistent),
    (Text("bounded", "acotada"), measure_bounded),
    (Text("distance-aware", "sensible a la distancia"), measure_distance_aware),
    (Text("smooth", "suave"), measure_smooth),
    (
        Text("defined beyond the last position", "definida más allá de la última posición"),
        measure_beyond,
    ),
    (Text("cheap", "barata"), measure_cost),
)

MET = Text("✓ yes", "✓ sí")
NOT_MET = Text("✗ no", "✗ no")


def report_card(*names: str) -> Shown:
    """The card for some encodings, measured anew on 64 positions and 6 dimensions.

    Args:
        names: keys of ``SCHEMES``, in the order in which they are to stand, at least one.

    Raises:
        ValueError: no name is given, or an encoding's name is unknown.
    """
    schemes = [scheme_named(name) for name in names or [None]]
    header = "".join(f'<th scope="col">{scheme.name.inline()}</th>' for scheme in schemes)
    rows, lines = [], []
    for requirement, measure in REQUIREMENTS:
        cells = []
        for scheme in schemes:
            measured = measure(scheme)
            verdict = MET if measured.met else NOT_MET
            cells.append(
                f'<td class="course-{"met" if measured.met else "unmet"}"><details>'
                f"<summary>{verdict.inline()}</summary>{measured.how.blocks()}</details></td>"
            )
            lines.append((scheme.name + requirement + verdict + measured.how).lines)
        rows.append(f'<tr><th scope="row">{requirement.inline()}</th>{"".join(cells)}</tr>')
    return Shown(
        html=f'<table class="course-report-card {KEEPS_KEYS}">'
        f"<thead><tr><td></td>{header}</tr></thead><tbody>{''.join(rows)}</tbody></table>",
        plain="\n".join(lines),
    )


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) > EQUAL else "0"
