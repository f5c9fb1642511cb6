"""Explorers of clocks: hands that turn, alone and together, and their rotation matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import angular_frequencies, shift_matrix, sinusoidal_encoding
from ...pictures.panels import MAP_BOX, dials, dials_with_sum, map_panels
from ...pictures.scenes import (
    LENGTH_IN_SPACE,
    TURN,
    Axis,
    Box,
    Cells,
    Cursor,
    Drawn,
    Map,
    Panel,
    Readout,
    Rod,
    Scene,
    SpaceCurve,
    ValueBars,
)
from ...relative import rotate
from ...words.text import Text, words
from ..base import explorer
from .controls import NAMES, Range, base_slider, slider
from .explorer import Explorer, Play

TEXTS = words(Path(__file__).with_suffix(".toml"))
D_MODEL = 8
N_POSITIONS, N_OFFSETS = 64, 21
N_MATRICES = 64
"""Number of offsets for which the matrix is shown."""

N_DRAWN = 40
"""Number of positions in the table that clocks draw."""

N_BETWEEN = 8
"""Number of points on the line from one position to the next."""

HEIGHT = {"height": 270, "narrow": 340}
WITH_SUM = {"height": 350, "narrow": 420}
POSITIONS, OFFSETS = list(range(N_POSITIONS)), list(range(N_OFFSETS))


@explorer(TEXTS["clock"]["title"])
def clock_explorer() -> Explorer:
    """Show a clock for each pair of dimensions; the tip of its hand is the pair (sine, cosine)."""
    return _explorer("clock", _clock, offset=None)


def _clock(base: int) -> Scene:
    texts = TEXTS["clock"]
    frequencies = angular_frequencies(D_MODEL, base=base)
    table = sinusoidal_encoding(N_POSITIONS, D_MODEL, base=base)
    tips = [
        ", ".join(f"({sine:.2f}, {cosine:.2f})" for sine, cosine in row.reshape(-1, 2))
        for row in table
    ]
    return Scene(
        **HEIGHT,
        panels=dials(_names(frequencies), table),
        alt=texts["alt"].format(slowest=f"{frequencies[-1]:.3g}"),
        readouts=(Readout(texts["readout"], {"i": POSITIONS, "tips": tips}),),
        n_positions=N_POSITIONS,
    )


@explorer(TEXTS["shift"]["title"])
def shift_explorer() -> Explorer:
    """Show two hands on each dial, at the position and at the position plus an offset."""
    return _explorer("shift", _shift, slider(NAMES["offset"], 5, 0, N_OFFSETS - 1))


def _shift(base: int) -> Scene:
    texts = TEXTS["shift"]
    frequencies = angular_frequencies(D_MODEL, base=base)
    table = sinusoidal_encoding(N_POSITIONS + N_OFFSETS - 1, D_MODEL, base=base)
    return Scene(
        **WITH_SUM,
        panels=dials_with_sum(
            _names(frequencies),
            table[:N_POSITIONS],
            table,
            np.cos(np.outer(OFFSETS, frequencies)),
            _marks(),
            TEXTS["product"],
            TEXTS["sum"],
        ),
        alt=texts["alt"].format(frequencies=", ".join(f"{w:.3g}" for w in frequencies)),
        readouts=(
            Readout(texts["position"], {"i": POSITIONS}),
            Readout(texts["offset"], _turns(OFFSETS, frequencies), follows="offset"),
        ),
        n_positions=N_POSITIONS,
        n_offsets=N_OFFSETS,
    )


@explorer(TEXTS["matrix"]["title"])
def matrix_explorer() -> Explorer:
    """Show the matrix that maps the row of a position to the row ``offset`` positions later."""
    return Explorer(
        _matrix,
        TEXTS["matrix"],
        parameters={"base": base_slider()},
        position=slider(NAMES["position"], 3, 0, N_POSITIONS - 1),
        offset=slider(NAMES["offset"], 5, 0, N_MATRICES - 1),
        play=Play("offset", per_second=3),
    )


def _matrix(base: int) -> Scene:
    texts = TEXTS["matrix"]
    offsets = list(range(N_MATRICES))
    matrices = np.stack([shift_matrix(offset, D_MODEL, base=base) for offset in offsets])
    table = sinusoidal_encoding(N_POSITIONS + N_MATRICES - 1, D_MODEL, base=base)
    heat, scale = map_panels(
        Map(matrices[0], -1, 1),
        x=texts["column"],
        y=texts["row"],
        box=replace(MAP_BOX, right=0.56),
    )
    turning = Cells(values=matrices, low=-1, high=1, follows="offset")
    here = ValueBars(values=table[:N_POSITIONS], colors=("position",) * D_MODEL)
    moved = ValueBars(values=table, colors=("ink",) * D_MODEL, follows="moved")
    turns = _turns(offsets, angular_frequencies(D_MODEL, base=base))
    tops = [", ".join(f"{value:.2f}" for value in matrix[0, :2]) for matrix in matrices]
    return Scene(
        height=310,
        panels=(
            replace(heat, layers=(), moving=(turning,)),
            _column(0.57, texts["here"], here),
            _column(0.79, texts["moved"], moved),
            scale,
        ),
        alt=texts["alt"].format(d_model=D_MODEL),
        readouts=(
            Readout(TEXTS["shift"]["position"], {"i": POSITIONS}),
            Readout(texts["offset"], turns | {"top": tops}, follows="offset"),
        ),
        n_positions=N_POSITIONS,
        n_offsets=N_MATRICES,
    )


def _column(left: float, name: Text, bars: ValueBars) -> Panel:
    """Return a panel, next to the matrix, that shows a table row as bars from -1 to 1."""
    ticks = ((-1, "\N{MINUS SIGN}1"), (0, "0"), (1, "1"))
    return Panel(
        box=Box(left=left, right=left + 0.2, before=12, after=12, narrow_row=1),
        x=Axis(low=-1.08, high=1.08, quantity=name, ticks=ticks),
        y=Axis(low=D_MODEL - 0.5, high=-0.5),
        moving=(bars,),
    )


@explorer(TEXTS["hand"]["title"])
def hand_explorer() -> Explorer:
    """Show clocks whose hands draw the table, column by column, as the position moves."""
    return Explorer(
        _hand,
        TEXTS["hand"],
        parameters={"base": base_slider(10)},
        position=slider(NAMES["position"], 12, 0, N_DRAWN - 1),
        play=Play("position", per_second=4),
    )


def _hand(base: int) -> Scene:
    texts = TEXTS["hand"]
    frequencies = angular_frequencies(D_MODEL, base=base)
    table = sinusoidal_encoding(N_DRAWN, D_MODEL, base=base)
    hands = [
        replace(
            dial,
            box=replace(
                dial.box,
                right=0.905 * dial.box.right,
                left=0.905 * dial.box.left,
                lower=0.4,
                top=14,
                narrow_row=0,
            ),
        )
        for dial in dials(_names(frequencies), table)
    ]
    everything = Map(table.T, -1, 1)
    heat, scale = map_panels(
        everything,
        x=NAMES["position"],
        y=NAMES["dimension"],
        box=replace(MAP_BOX, upper=0.42, narrow_row=1),
        moving=[Cursor(x=np.arange(N_DRAWN), framed=True)],
    )
    drawn = replace(heat, layers=(), moving=(Drawn(values=table.T, low=-1, high=1), *heat.moving))
    values = [", ".join(f"{value:.2f}" for value in row) for row in table]
    return Scene(
        height=420,
        narrow=380,
        panels=(*hands, drawn, scale),
        alt=texts["alt"].format(n_positions=N_DRAWN, d_model=D_MODEL),
        readouts=(Readout(texts["readout"], {"i": list(range(N_DRAWN)), "values": values}),),
        n_positions=N_DRAWN,
    )


@explorer(TEXTS["helix"]["title"])
def helix_explorer() -> Explorer:
    """Show the rows as a path in space, and a rod of constant length between two of them."""
    return Explorer(
        _helix,
        TEXTS["helix"],
        parameters={"base": base_slider()},
        position=slider(NAMES["position"], 8, 0, N_POSITIONS - 1),
        offset=slider(TEXTS["helix"]["steps"], 4, 0, N_OFFSETS - 1),
        play=Play("position", per_second=8),
        own={"turn": list(TURN)},
    )


def _helix(base: int) -> Scene:
    texts = TEXTS["helix"]
    n_places = N_POSITIONS + N_OFFSETS - 1
    table = sinusoidal_encoding(n_places, 4, base=base)
    slow = angular_frequencies(4, base=base)[1]
    fine = np.arange(0, n_places - 1 + 1e-9, 1 / N_BETWEEN)
    ends = np.sin(slow * fine).min(), np.sin(slow * fine).max()

    def in_space(places: NDArray) -> NDArray[np.float64]:
        along = (np.sin(slow * places) - ends[0]) / (ends[1] - ends[0]) - 0.5
        return np.stack([np.sin(places), np.cos(places), LENGTH_IN_SPACE * along], axis=1)

    lengths = [np.linalg.norm(table[k:] - table[: n_places - k], axis=1) for k in OFFSETS]
    three = [
        np.linalg.norm(table[k:, :3] - table[: n_places - k, :3], axis=1)[:N_POSITIONS]
        for k in OFFSETS
    ]
    rods = {
        "r": OFFSETS,
        "whole": [f"{each[0]:.3f}" for each in lengths],
        "low": [f"{each.min():.3f}" for each in three],
        "high": [f"{each.max():.3f}" for each in three],
    }
    panel = Panel(
        box=Box(top=12, bottom=12, before=8, after=8),
        x=Axis(low=0, high=1),
        y=Axis(low=0, high=1),
        layers=(SpaceCurve(in_space(fine), np.sin(fine), per_dot=N_BETWEEN),),
        moving=(Rod(points=in_space(np.arange(n_places))),),
    )
    return Scene(
        height=340,
        narrow=300,
        panels=(panel,),
        alt=texts["alt"].format(n_rows=n_places),
        readouts=(
            Readout(texts["position"], {"i": POSITIONS}),
            Readout(texts["rod"], rods, follows="offset"),
            Readout(
                texts["drawn"],
                rods,
                follows="offset",
                where=[low != high for low, high in zip(rods["low"], rods["high"], strict=True)],
            ),
        ),
        n_positions=N_POSITIONS,
        n_offsets=N_OFFSETS,
    )


@explorer(TEXTS["rope"]["title"])
def rope_explorer() -> Explorer:
    """Show a query and a key rotated by their positions: the score depends only on the offset."""
    query, key = np.random.default_rng(4).normal(size=(2, D_MODEL))
    scene = partial(_rope, query=query, key=key)
    return _explorer("rope", scene, slider(NAMES["offset"], 5, 0, N_OFFSETS - 1))


def _rope(base: int, *, query: NDArray, key: NDArray) -> Scene:
    texts = TEXTS["rope"]
    places = np.arange(N_POSITIONS + N_OFFSETS - 1)
    queries, keys = (
        rotate(np.tile(vector, (len(places), 1)), places, base=base) for vector in (query, key)
    )
    longest = max(np.hypot(v[0::2], v[1::2]).max() for v in (query, key))
    scores = np.stack(
        [(keys[:N_POSITIONS] * queries[r : r + N_POSITIONS]).sum(axis=1) for r in OFFSETS]
    )
    low, high = ([f"{score:.6f}" for score in end(axis=1)] for end in (scores.min, scores.max))
    same = [one == other for one, other in zip(low, high, strict=True)]
    ends = {"offset": OFFSETS, "low": low, "high": high}
    products = (queries[:N_OFFSETS] * keys[0]).reshape(N_OFFSETS, -1, 2).sum(axis=2)
    return Scene(
        **WITH_SUM,
        panels=dials_with_sum(
            _names(angular_frequencies(D_MODEL, base=base)),
            _up_first(keys[:N_POSITIONS]) / longest,
            _up_first(queries) / longest,
            products,
            _marks(),
            TEXTS["product"],
            TEXTS["sum"],
        ),
        alt=texts["alt"].format(
            first=f"{scores[0, 0]:.3f}", last=OFFSETS[-1], end=f"{scores[-1, 0]:.3f}"
        ),
        readouts=(
            Readout(texts["position"], {"j": POSITIONS}),
            Readout(texts["same"], ends, follows="offset", where=same),
            Readout(texts["between"], ends, follows="offset", where=[not each for each in same]),
        ),
        n_positions=N_POSITIONS,
        n_offsets=N_OFFSETS,
    )


def _turns(offsets: list[int], frequencies: NDArray[np.float64]) -> dict[str, list]:
    """Return each offset and the angles by which it turns the hands, in radians."""
    angles = [", ".join(f"{offset * w:.3g}" for w in frequencies) for offset in offsets]
    return {"offset": offsets, "angles": angles}


def _up_first(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Swap the numbers of each pair, because dials expect (right, up).

    RoPE turns from the first number towards the second. If the first number points up and the
    second points right, the turn is clockwise from twelve, as on every other dial of the course.
    """
    return table.reshape(len(table), -1, 2)[:, :, ::-1].reshape(table.shape)


def _explorer(name: str, scene: Callable[..., Scene], offset: Range | None) -> Explorer:
    return Explorer(
        scene,
        TEXTS[name],
        parameters={"base": base_slider()},
        position=slider(NAMES["position"], 3, 0, N_POSITIONS - 1),
        offset=offset,
        play=Play("position", per_second=2),
    )


def _names(frequencies: NDArray[np.floating]) -> list[str]:
    return [f"{mark} = {w:.3g}" for mark, w in zip(_marks(), frequencies, strict=True)]


def _marks() -> list[str]:
    return [f"ω{chr(ord('₀') + pair)}" for pair in range(D_MODEL // 2)]
