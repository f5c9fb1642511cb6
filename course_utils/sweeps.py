"""Pictures of the look-back experiment: one training at many sizes, and in many ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .attention import look_back_scores, softmax, train_look_back
from .encodings import sinusoidal_encoding
from .figures import paint
from .panels import counting
from .scenes import WIDTH, Axis, Box, Curve, Labels, Map, Panel, Points, Scene
from .text import Text, words

__all__ = ["heads_at_work", "share_dots", "share_maps"]

SAID = words(Path(__file__).with_name("sweeps.toml"))
LETTER = 7
"""Pixels of a letter beside an axis."""
MARGINS = {"top": 26, "bottom": 46, "after": 20}
PER_CENT = ((0, "0 %"), (0.5, "50 %"), (1, "100 %"))


def heads_at_work(d_models: Mapping[str, int], trained_length: int) -> Figure:
    """Sinusoidal heads trained to look one back, on twice the length: their attention as maps.

    Args:
        d_models: number of dimensions of each head, by its name.
        trained_length: positions of the training; a line parts them from the others.
    """
    edge = trained_length - 0.5
    square = Curve(np.array([edge, edge, -0.5]), np.array([-0.5, edge, edge]), "position")
    panels = []
    for box, (name, d_model) in zip(
        _beside_names(["000"], len(d_models)), d_models.items(), strict=True
    ):
        table = sinusoidal_encoding(2 * trained_length, d_model)
        attention = softmax(look_back_scores(table, train_look_back(table[:trained_length], 1)))
        # In tenths: the fewer the colours, the smaller the file.
        shown = Map(attention.round(1), 0, 1, "from zero")
        panels.append(
            Panel(
                box=replace(box, after=40),
                x=counting(len(table), SAID["key"]),
                y=counting(len(table), SAID["query"].format(name=name), down=True),
                layers=(shown, square),
            )
        )
    return paint(Scene(height=370, panels=tuple(panels)))


def share_maps(
    shares: Mapping[str, ArrayLike],
    rows: Sequence[object],
    columns: Sequence[object],
    *,
    framed: tuple[object, object] | None = None,
) -> Figure:
    """Shares as coloured cells with their percentage, one map beside the other.

    Args:
        shares: shape ``(n_rows, n_columns)`` each, values from 0 to 1, by name of the map.
        rows: what stands beside each row: numbers of dimensions, or names.
        columns: what stands below each column: trained lengths, or names.
        framed: the row and the column of the cell with a frame around it.
    """
    by_size = framed is not None
    boxes = _beside_names(rows, len(shares))
    panels = []
    for number, (box, (name, values)) in enumerate(zip(boxes, shares.items(), strict=True)):
        values = np.asarray(values)
        layers = [Map(values, 0, 1, "from zero"), _percentages(values)]
        if by_size:
            layers.append(_frame(rows.index(framed[0]), columns.index(framed[1])))
        x, y = _lines(columns), _lines(rows)
        heading = SAID["sizes" if by_size else "as-it-is"].format(name=name)
        panels.append(
            Panel(
                box=box,
                x=replace(
                    x,
                    low=-0.5,
                    high=len(columns) - 0.5,
                    quantity=SAID["length"] if by_size else None,
                ),
                y=replace(y, quantity=heading, ticks=y.ticks if number == 0 else ()),
                layers=tuple(layers),
            )
        )
    return paint(Scene(height=90 + 32 * len(rows), panels=tuple(panels)))


def share_dots(shares: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Every single share as a dot: a panel for each group, in it a row for each way.

    Args:
        shares: values from 0 to 1, by name of the panel and then by name of the row; the rows
            are the same in all panels.
    """
    names = list(next(iter(shares.values())))
    panels = []
    for number, (box, (group, by_name)) in enumerate(
        zip(_beside_names(names, len(shares)), shares.items(), strict=True)
    ):
        rows = np.repeat(np.arange(len(names), dtype=float), [len(by_name[name]) for name in names])
        lines = [
            Curve(np.array([0.0, 1.0]), np.full(2, float(row)), "faint")
            for row in range(len(names))
        ]
        dots = Points(np.concatenate([by_name[name] for name in names]), rows, "position")
        y = _lines(names)
        panels.append(
            Panel(
                box=box,
                x=Axis(low=-0.04, high=1.04, quantity=SAID["right"], ticks=PER_CENT),
                y=replace(
                    y,
                    quantity=SAID["as-it-is"].format(name=group),
                    ticks=y.ticks if number == 0 else (),
                ),
                layers=(*lines, dots),
            )
        )
    return paint(Scene(height=80 + 32 * len(names), panels=tuple(panels)))


def _beside_names(names: Sequence[object], count: int) -> list[Box]:
    """Boxes of equal width on the right of the names of their rows."""
    longest = max(len(line) for name in names for line in _stacked(name).split("\n"))
    left = 24 + LETTER * longest
    width = (WIDTH - left) / count
    return [
        Box(left=(left + n * width) / WIDTH, right=(left + (n + 1) * width) / WIDTH, **MARGINS)
        for n in range(count)
    ]


def _lines(names: Sequence[object]) -> Axis:
    """An axis that runs down, with a name at each whole number."""
    ticks = tuple((float(place), _stacked(name)) for place, name in enumerate(names))
    return Axis(low=len(names) - 0.5, high=-0.5, ticks=ticks)


def _stacked(name: object) -> str:
    said = name.one_line if isinstance(name, Text) else str(name)
    return said.replace(" · ", "\n")


def _percentages(values: np.ndarray) -> Labels:
    places = [(row, column) for row, column in np.ndindex(values.shape)]
    shown = [values[place] for place in places]
    return Labels(
        x=tuple(float(column) for _, column in places),
        y=tuple(float(row) for row, _ in places),
        texts=tuple("" if np.isnan(share) else f"{100 * share:.0f}" for share in shown),
        colors=tuple("paper" if share > 0.6 else "ink" for share in shown),
    )


def _frame(row: int, column: int) -> Curve:
    across = np.array([-0.47, 0.47, 0.47, -0.47, -0.47])
    return Curve(column + across, row + np.array([-0.47, -0.47, 0.47, 0.47, -0.47]), "position")
