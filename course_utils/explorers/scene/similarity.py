"""Explorers of the similarity of positions: pair by pair, as a map, and against distance."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import angular_frequencies
from ...frequencies import arithmetic_frequencies, normalized_dot_product
from ...pictures.panels import (
    counting,
    map_over_curve,
    map_with_bars,
    one_curve,
    round_ticks,
)
from ...pictures.scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Guess,
    Map,
    Panel,
    Points,
    Readout,
    Scene,
)
from ...properties import Encoding, dot_products_at_distance
from ...schemes import scheme_named
from ...words.encoding_names import ENCODING_NAMES
from ...words.text import Text, words
from ..base import explorer
from .controls import NAMES, base_slider, dropdown, slider
from .explorer import Explorer, Play
from .trial import try_encoding

TEXTS = words(Path(__file__).with_suffix(".toml"))
ENCODINGS = ("index", "normalized", "binary", "sinusoidal")
N_POSITIONS, FARTHEST = 50, 30
D_MODEL, D_MODEL_OF_MAP = 6, 16
YOURS = "yours"


@explorer(TEXTS["dot-products"]["title"])
def dot_product_explorer(selected: str = "binary", encoding: Encoding | None = None) -> Explorer:
    """Plot the dot products of all pairs at one distance; a flat line shows distance-awareness.

    Args:
        selected: the encoding shown first: ``index``, ``normalized``, ``binary`` or ``sinusoidal``.
        encoding: a function of your own from ``(n_positions, d_model)`` to a table; it is shown
            first and is in the list with the others.
    """
    options, selected = _encodings(selected, encoding)
    return Explorer(
        partial(_dot_products, own=encoding),
        TEXTS["dot-products"],
        parameters={
            "encoding": dropdown(NAMES["encoding"], options, selected),
            "distance": slider(NAMES["distance"], 10, 1, FARTHEST),
        },
        position=slider(TEXTS["dot-products"]["first"], 10, 0, N_POSITIONS - 11),
        prefetched=encoding is None,
    )


def _dot_products(encoding: str, distance: int, *, own: Encoding | None) -> Scene:
    texts = TEXTS["dot-products"]
    table, name, problem = _table(encoding, own, D_MODEL)
    if table is None:
        return _nothing_but(problem, N_POSITIONS - distance)
    by_distance = [dot_products_at_distance(table, each) for each in range(1, FARTHEST + 1)]
    products = by_distance[distance - 1]
    low, high = _rounded(products.min()), _rounded(products.max())
    bottom = min(0.0, *(each.min() for each in by_distance))
    top = max(1e-12, *(each.max() for each in by_distance))
    margin = 0.08 * (top - bottom)
    x = np.arange(len(products))
    panel = Panel(
        box=Box(before=64),
        x=counting(N_POSITIONS - 1, texts["first"], most=12),
        y=Axis(
            low=bottom - margin,
            high=top + margin,
            quantity=NAMES["dot-product"],
            ticks=round_ticks(bottom, top, 5),
        ),
        layers=(one_curve(by_distance), Curve(x, products, "ink"), Points(x, products, "ink")),
        moving=(Cursor(x=x), Dots(x=x, y=products)),
        track=True,
    )
    pairs = {
        "i": x.tolist(),
        "j": (x + distance).tolist(),
        "product": [_rounded(product) for product in products],
    }
    ends = {"distance": distance, "low": low, "high": high}
    return Scene(
        height=340,
        narrow=310,
        panels=(panel,),
        alt=texts["alt"].format(**ends, name=name),
        readouts=(
            Readout(texts["pair"], pairs),
            Readout(texts["same" if low == high else "between"], ends),
        ),
        n_positions=len(products),
    )


@explorer(TEXTS["map"]["title"])
def similarity_explorer(selected: str = "sinusoidal", encoding: Encoding | None = None) -> Explorer:
    """Show the dot products of all positions with each other, as a map.

    ``selected`` and ``encoding`` are the same as for :func:`dot_product_explorer`.
    """
    options, selected = _encodings(selected, encoding)
    return Explorer(
        partial(_similarity, own=encoding),
        TEXTS["map"],
        parameters={"encoding": dropdown(NAMES["encoding"], options, selected)},
        position=slider(NAMES["position"], 20, 0, N_POSITIONS - 1),
        prefetched=encoding is None,
    )


def _similarity(encoding: str, *, own: Encoding | None) -> Scene:
    texts = TEXTS["map"]
    table, name, problem = _table(encoding, own, D_MODEL_OF_MAP)
    if table is None:
        return _nothing_but(problem, N_POSITIONS)
    products = table @ table.T
    bound = float(np.abs(products).max()) or 1.0
    positions = np.arange(N_POSITIONS)
    lowest = min(0.0, float(products.min()))
    panels = map_with_bars(
        Map(products, -bound, bound),
        split=0.70,
        x=NAMES["position"],
        y=texts["other"],
        values=Axis(
            low=1.08 * lowest,
            high=1.08 * bound,
            quantity=NAMES["dot-product"],
            ticks=round_ticks(lowest, bound, 3),
        ),
    )
    numbers = {
        "i": positions.tolist(),
        "own": [_rounded(value) for value in np.diagonal(products)],
        "next": [*(_rounded(value) for value in np.diagonal(products, 1)), ""],
    }
    is_last = (positions == N_POSITIONS - 1).tolist()
    at_ten = dot_products_at_distance(table, 10)
    return Scene(
        height=420,
        narrow=380,
        panels=panels,
        alt=texts["alt"].format(
            n_positions=N_POSITIONS,
            name=name,
            low=_rounded(products.min()),
            high=_rounded(products.max()),
        ),
        readouts=(
            Readout(texts["readout"], numbers, where=[not last for last in is_last]),
            Readout(texts["last"], numbers, where=is_last),
            Readout(texts["all"], {"distance": 10, "spread": _rounded(np.ptp(at_ten))}),
        ),
        n_positions=N_POSITIONS,
    )


def _encodings(selected: str, own: Encoding | None) -> tuple[dict[str, Text], str]:
    """Return the options of the list, and the initial choice."""
    scheme_named(selected, among=ENCODINGS)
    options = {name: ENCODING_NAMES[name] for name in ENCODINGS}
    if own is None:  # Offer only encodings of the lessons so far, so as not to reveal later ones.
        known = ENCODINGS[: ENCODINGS.index(selected) + 1]
        return {name: options[name] for name in known}, selected
    return {YOURS: TEXTS["yours"], **options}, YOURS


def _table(
    encoding: str, own: Encoding | None, d_model: int
) -> tuple[NDArray[np.float64] | None, Text, Text | None]:
    """Return the table, the encoding's name, and the error message if there is no table."""
    if encoding == YOURS:
        table, problem = try_encoding(own, N_POSITIONS, d_model)
        return table, TEXTS["yours"], problem
    vectors = scheme_named(encoding).vectors
    return vectors(N_POSITIONS, d_model), ENCODING_NAMES[encoding], None


def _nothing_but(problem: Text, n_positions: int) -> Scene:
    empty = Panel(
        box=Box(before=64),
        x=counting(N_POSITIONS, NAMES["position"]),
        y=Axis(low=0, high=1, quantity=NAMES["dot-product"]),
    )
    return Scene(
        height=340,
        narrow=310,
        panels=(empty,),
        alt=problem,
        readouts=(Readout(NAMES["whatever"], {"text": problem}),),
        n_positions=n_positions,
    )


SPACINGS = {name: TEXTS["spacing"][name] for name in ("geometric", "arithmetic")}
FARTHEST_COMPARED, NEAR, HALF = 500, 20, 0.5


@explorer(TEXTS["spacing"]["title"])
def spacing_explorer() -> Explorer:
    """Show the similarity of two positions against distance, for two spacings of frequencies."""
    return Explorer(
        _spacing,
        TEXTS["spacing"],
        parameters={
            "spacing": dropdown(TEXTS["spacing"]["label"], SPACINGS, "geometric"),
            "base": base_slider(),
            "d_model": slider(NAMES["d_model"], 64, 2, 128, step=2),
        },
        position=slider(NAMES["distance"], 50, 0, FARTHEST_COMPARED),
        play=Play("position", per_second=40),
    )


def _spacing(spacing: str, base: int, d_model: int) -> Scene:
    texts = TEXTS["spacing"]
    geometric = spacing == "geometric"
    frequencies = (
        angular_frequencies(d_model, base=base) if geometric else arithmetic_frequencies(d_model)
    )
    distances = np.arange(FARTHEST_COMPARED + 1)
    similarity = normalized_dot_product(distances, frequencies)
    highest = NEAR + 1 + int(similarity[NEAR + 1 :].argmax())
    notes = [texts["highest"].format(near=NEAR, value=f"{similarity[highest]:.4f}", at=highest)]
    notes += [] if geometric else [texts["no-base"]]
    numbers = {"distance": distances.tolist(), "value": [f"{value:.4f}" for value in similarity]}
    panel = Panel(
        x=Axis(
            low=-0.5,
            high=FARTHEST_COMPARED + 0.5,
            quantity=NAMES["distance"],
            ticks=round_ticks(0, FARTHEST_COMPARED),
        ),
        y=Axis(low=-1.08, high=1.08, quantity=texts["normalized"], ticks=round_ticks(-1, 1, 5)),
        layers=(Curve(distances[[0, -1]], np.zeros(2), "faint"), Curve(distances, similarity)),
        moving=(Cursor(x=distances), Dots(x=distances, y=similarity)),
        track=True,
    )
    below = np.flatnonzero(similarity < HALF)
    answer = int(below[0]) if len(below) else None
    truth = texts["never-below"] if answer is None else texts["below"].format(first=answer)
    return Scene(
        height=340,
        narrow=310,
        panels=(panel,),
        guess=Guess(question=texts["guess"], truth=truth, start=250, answer=answer),
        alt=texts["alt"].format(
            farthest=FARTHEST_COMPARED,
            n_pairs=len(frequencies),
            spacing=SPACINGS[spacing],
            highest=Text.join(" ", notes),
        ),
        readouts=(Readout(texts["readout"], numbers), *map(Readout, notes)),
        n_positions=len(distances),
    )


N_ALONG, D_MODEL_OF_BUMP, PEAK = 64, 32, 20


@explorer(TEXTS["bump"]["title"])
def bump_explorer() -> Explorer:
    """Show how waves, added one by one from the slowest, build a bump at one position."""
    return Explorer(
        _bump,
        TEXTS["bump"],
        parameters={
            "n_waves": slider(
                TEXTS["bump"]["waves"], D_MODEL_OF_BUMP // 2, 0, D_MODEL_OF_BUMP // 2
            ),
            "base": base_slider(),
        },
        position=slider(NAMES["position"], 24, 0, N_ALONG - 1),
        play=Play("n_waves", per_second=2),
    )


def _bump(n_waves: int, base: int) -> Scene:
    texts = TEXTS["bump"]
    frequencies = angular_frequencies(D_MODEL_OF_BUMP, base=base)
    n_pairs = len(frequencies)
    positions = np.arange(N_ALONG)
    waves = np.cos(np.outer(frequencies, positions - PEAK))
    waves[: n_pairs - n_waves] = np.nan
    total = np.nansum(waves, axis=0) / n_pairs
    low = min(0.0, float(total.min()))
    panels = map_over_curve(
        Map(waves, -1, 1),
        split=0.51,
        x=counting(N_ALONG, NAMES["position"], most=12),
        y=(
            texts["wave"],
            Axis(low=low - 0.08, high=1.08, quantity=texts["sum"], ticks=round_ticks(low, 1, 4)),
        ),
        curves=[Curve(positions[[0, -1]], np.zeros(2), "faint"), Curve(positions, total)],
        dots=[Dots(x=positions, y=total)],
    )
    return Scene(
        height=430,
        narrow=380,
        panels=panels,
        alt=texts["alt"].format(
            n_waves=n_waves, n_pairs=n_pairs, peak=PEAK, high=f"{total[PEAK]:.2f}"
        ),
        readouts=(
            Readout(
                texts["readout"],
                {"i": positions.tolist(), "value": [f"{value:.3f}" for value in total]},
            ),
            Readout(texts["added"], {"n_waves": n_waves, "n_pairs": n_pairs}),
        ),
        n_positions=N_ALONG,
    )


def _rounded(value: float) -> str:
    """Format whole numbers without decimals, and other numbers with three decimals."""
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.3f}"
