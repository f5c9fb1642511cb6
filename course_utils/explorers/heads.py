"""The explorer of a trained attention head: where it looks, and where it should."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..attention import look_back_accuracy, look_back_scores, softmax, train_look_back
from ..panels import bars_beside, map_panels
from ..scenes import Axis, Cursor, Dots, Map, Panel, Readout, Scene
from ..schemes import LOOK_BACK_ENCODINGS, look_back_table
from ..text import words
from .controls import NAMES, dropdown, slider
from .explorer import Explorer

__all__ = ["look_back_explorer"]

SAID = words(Path(__file__).with_name("heads.toml"))["look-back"]
D_MODEL, TRAINED_LENGTH = 32, 64
STRETCHES = {"trained": (0, 64), "twice": (0, 128), "far": (1000, 64)}
"""First position and length of the positions on which the head is tried."""


def look_back_explorer(selected: str = "sinusoidal") -> Explorer:
    """A head trained to look ``k`` positions back: where it looks, and where it should.

    ``selected`` is the encoding shown first, one of ``schemes.LOOK_BACK_ENCODINGS``.
    """
    look_back_table(selected, 1, D_MODEL)
    stretches = {name: SAID[name] for name in STRETCHES}
    return Explorer(
        _look_back,
        parameters={
            "encoding": dropdown(NAMES["encoding"], LOOK_BACK_ENCODINGS, selected),
            "k": slider(SAID["back"], 1, 1, 8),
            "stretch": dropdown(SAID["stretch"], stretches, "trained"),
        },
        position=slider(SAID["query"], 20, 0, 63),
        caption=SAID["caption"],
    )


@cache
def _trained(encoding: str, k: int) -> NDArray[np.float64]:
    return train_look_back(look_back_table(encoding, TRAINED_LENGTH, D_MODEL), k)


def _look_back(encoding: str, k: int, stretch: str) -> Scene:
    first, length = STRETCHES[stretch]
    table = look_back_table(encoding, first + length, D_MODEL)[first:]
    weights = _trained(encoding, k)
    attention = softmax(look_back_scores(table, weights))
    # Rounded, so that of equally attractive keys the first is shown on every machine.
    looks_at = attention.round(9).argmax(axis=1)
    queries = np.arange(length)
    early = (queries < k).tolist()
    shares = 100 * attention[queries, looks_at]
    numbers = {
        "i": (first + queries).tolist(),
        "j": (first + looks_at).tolist(),
        "share": [f"{share:.0f}" for share in shares],
        "wanted": (first + queries - k).tolist(),
        "k": k,
    }
    total = SAID["total"].format(share=f"{100 * look_back_accuracy(table, weights, k):.0f}")
    return Scene(
        height=420,
        panels=_panels(attention, looks_at, np.where(queries >= k, queries - k, np.nan), first),
        alt=SAID["alt"].format(
            k=k, encoding=LOOK_BACK_ENCODINGS[encoding], stretch=SAID[stretch], total=total
        ),
        readouts=(
            Readout(SAID["readout"], numbers, where=[not each for each in early]),
            Readout(SAID["too-early"], numbers, where=early),
            Readout(total),
        ),
        n_positions=length,
    )


def _panels(
    attention: NDArray, looks_at: NDArray, wanted: NDArray, first: int
) -> tuple[Panel, ...]:
    """The map with a column for each query, and the weights of one query beside it."""
    queries = np.arange(len(attention))
    heat, scale = map_panels(
        Map(attention.T, 0, 1, "from zero"),
        x=SAID["query-axis"],
        y=SAID["key-axis"],
        right=0.77,
        first=first,
        marks=[
            Cursor(x=queries, framed=True),
            Dots(x=queries, y=looks_at),
            Dots(x=queries, y=wanted, color="ink", filled=False),
        ],
    )
    weights = Axis(low=0, high=1, quantity=SAID["attention"], ticks=((0, "0"), (1, "1")))
    return heat, bars_beside(heat, attention, weights), scale
