"""The explorer of a trained attention head: where it looks, and where it should look."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...attention import look_back_accuracy, look_back_scores, softmax, train_look_back
from ...pictures.panels import MAP_BOX, map_panels
from ...pictures.scenes import Axis, Cursor, Dots, Map, Panel, Readout, Scene, ValueBars
from ...schemes import LOOK_BACK_ENCODINGS, look_back_table
from ...words.encoding_names import ENCODING_NAMES
from ...words.text import words
from ..base import explorer
from .controls import NAMES, dropdown, slider
from .explorer import Explorer

TEXTS = words(Path(__file__).with_suffix(".toml"))
D_MODEL, TRAINED_LENGTH = 32, 64
NAMES_OF_ENCODINGS = {name: ENCODING_NAMES[name] for name in LOOK_BACK_ENCODINGS}
NAMES_OF_ENCODINGS["learned"] = ENCODING_NAMES["random"]
STRETCHES = {
    "trained": (0, TRAINED_LENGTH),
    "twice": (0, 2 * TRAINED_LENGTH),
    "far": (1000, TRAINED_LENGTH),
}
"""First position and number of positions of each range on which the head is tested."""


@explorer(TEXTS["title"])
def look_back_explorer(selected: str = "sinusoidal") -> Explorer:
    """Show where a trained look-back head attends, and where it should attend.

    ``selected`` is the encoding shown first, one of ``schemes.LOOK_BACK_ENCODINGS``.
    """
    look_back_table(selected, 1, D_MODEL)
    stretches = {name: TEXTS[name] for name in STRETCHES}
    return Explorer(
        _look_back,
        TEXTS,
        parameters={
            "encoding": dropdown(NAMES["encoding"], NAMES_OF_ENCODINGS, selected),
            "steps_back": slider(TEXTS["back"], 1, 1, 8),
            "stretch": dropdown(TEXTS["stretch"], stretches, "trained"),
        },
        position=slider(TEXTS["query"], 20, 0, TRAINED_LENGTH - 1),
        prefetched=False,
    )


@cache
def _trained(encoding: str, steps_back: int) -> NDArray[np.float64]:
    return train_look_back(look_back_table(encoding, TRAINED_LENGTH, D_MODEL), steps_back)


def _look_back(encoding: str, steps_back: int, stretch: str) -> Scene:
    first, length = STRETCHES[stretch]
    table = look_back_table(encoding, first + length, D_MODEL)[first:]
    weights = _trained(encoding, steps_back)
    attention = softmax(look_back_scores(table, weights))
    # Rounding makes every machine show the first of several keys with equal weights.
    looks_at = attention.round(9).argmax(axis=1)
    queries = np.arange(length)
    early = (queries < steps_back).tolist()
    shares = 100 * attention[queries, looks_at]
    numbers = {
        "i": (first + queries).tolist(),
        "j": (first + looks_at).tolist(),
        "share": [f"{share:.0f}" for share in shares],
        "wanted": (first + queries - steps_back).tolist(),
        "r": steps_back,
    }
    right = look_back_accuracy(table, weights, steps_back)
    total = TEXTS["total"].format(share=f"{100 * right:.0f}")
    wanted = np.where(early, np.nan, queries - steps_back)
    return Scene(
        height=540,
        narrow=420,
        panels=_panels(attention, looks_at, wanted, first),
        alt=TEXTS["alt"].format(
            r=steps_back, encoding=NAMES_OF_ENCODINGS[encoding], stretch=TEXTS[stretch], total=total
        ),
        readouts=(
            Readout(TEXTS["readout"], numbers, where=[not each for each in early]),
            Readout(TEXTS["too-early"], numbers, where=early),
            Readout(total),
        ),
        n_positions=length,
    )


def _panels(
    attention: NDArray, looks_at: NDArray, wanted: NDArray, first: int
) -> tuple[Panel, ...]:
    """Return the map with a row for each query, and below it the weights of one query."""
    queries = np.arange(len(attention))
    heat, scale = map_panels(
        Map(attention, 0, 1, "from zero"),
        x=TEXTS["key-axis"],
        y=TEXTS["query-axis"],
        box=replace(MAP_BOX, lower=0.74, bottom=28),
        first=first,
        moving=[
            Cursor(x=queries, framed=True, lying=True),
            Dots(x=looks_at, y=queries),
            Dots(x=wanted, y=queries, color="ink", filled=False),
        ],
    )
    below = Panel(
        box=replace(MAP_BOX, upper=0.74),
        x=heat.x,
        y=Axis(low=0, high=1, quantity=TEXTS["attention"], ticks=((0, "0"), (1, "1"))),
        moving=(ValueBars(values=attention, colors=("grey",) * len(queries), upright=True),),
    )
    return replace(heat, x=replace(heat.x, quantity=None)), below, scale
