"""The look-back experiment, one training at many sizes and in many ways: its runs, its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..attention import look_back_scores, softmax, train_look_back
from ..encodings import sinusoidal_encoding
from ..pictures.on_paper import paint
from ..pictures.panels import counting
from ..pictures.scenes import WIDTH, Axis, Box, Curve, Labels, Map, Panel, Points, Scene
from ..words.text import Text, words

__all__ = [
    "D_MODELS",
    "LENGTHS",
    "LookBackRuns",
    "heads_at_work",
    "seen_directions",
    "share_dots",
    "share_maps",
    "unseen_numbers",
]

SAID = words(Path(__file__).with_name("look_back_runs.toml"))
LETTER = 7
"""Pixels of a letter beside an axis."""
DARKEST = 2
"""The share that would be darkest: 1 stays light enough for the dark number on it."""
MARGINS = {"top": 26, "bottom": 46, "after": 20}
PER_CENT = ((0, "0 %"), (0.5, "50 %"), (1, "100 %"))
D_MODELS, LENGTHS = (8, 16, 32, 64, 128, 256), (16, 32, 64, 128)
TRAINED = 64
USUAL = {"encoding": "sinusoidal", "length": TRAINED, "steps_back": 1, "training": "convex"}
USUAL |= {"n_steps": 300, "start": 0, "words": 0, "sentences": 1}


class LookBackRuns:
    """What was measured in each run that ``experiments/look_back.py`` stored in a file.

    A run is found by its settings; where none is named, it is the usual one of lesson 07.
    """

    def __init__(self, file: str | Path) -> None:
        reading = {"delimiter": ",", "names": True, "dtype": None, "encoding": "utf-8"}
        self._runs = np.genfromtxt(file, skip_header=1, **reading)

    def find(self, measured: str, **setting: object) -> NDArray[np.float64]:
        """What was measured, one number for each run with that setting."""
        chosen = [self._runs[name] == value for name, value in (USUAL | setting).items()]
        return self._runs[measured][np.all(chosen, axis=0)]

    def over_sizes(self, measured: str, **setting: object) -> NDArray[np.float64]:
        """The same, with a row for each of ``D_MODELS`` and a column for each of ``LENGTHS``."""
        found = [
            self.find(measured, d_model=d_model, length=length, **setting)
            for d_model in D_MODELS
            for length in LENGTHS
        ]
        return np.reshape(found, (len(D_MODELS), len(LENGTHS)))


def seen_directions(table: ArrayLike) -> NDArray[np.float64]:
    """The directions along which all rows of a table together are longer than 0.01.

    Returns:
        Shape ``(n_seen, d_model)``: rows of length 1, at right angles to one another.
    """
    _, along, directions = np.linalg.svd(table, full_matrices=False)
    return directions[along > 0.01]


def unseen_numbers(seen: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """Random numbers for a matrix, less all that two rows in the seen directions could meet.

    Returns:
        Shape ``(d_model, d_model)``, with the norm ``size``.
    """
    inside = seen.T @ seen
    numbers = np.random.default_rng(0).standard_normal(inside.shape)
    numbers -= inside @ numbers @ inside
    return numbers * size / np.linalg.norm(numbers)


def heads_at_work() -> Figure:
    """The first and the second head of the opening, on twice the length that they were trained on.

    A line parts the trained positions from the others.
    """
    edge = TRAINED - 0.5
    square = Curve(np.array([edge, edge, -0.5]), np.array([-0.5, edge, edge]), "position")
    panels = []
    for box, d_model in zip(_beside_names(["000"], 2), (32, 256), strict=True):
        table = sinusoidal_encoding(2 * TRAINED, d_model)
        attention = softmax(look_back_scores(table, train_look_back(table[:TRAINED], 1)))
        # In tenths: the fewer the colours, the smaller the file.
        shown = Map(attention.round(1), 0, 1, "from zero")
        panels.append(
            Panel(
                box=replace(box, after=40),
                x=counting(len(table), SAID["key"]),
                y=counting(len(table), SAID["query"], down=True),
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
        layers = [Map(values, 0, DARKEST, "from zero"), _percentages(values)]
        if by_size:
            layers.append(_frame(rows.index(framed[0]), columns.index(framed[1])))
        heading = SAID["sizes" if by_size else "as-it-is"].format(name=name)
        panels.append(
            Panel(
                box=box,
                x=_named_places(columns, SAID["length"] if by_size else None),
                y=_named_places(rows, heading, down=True, named=number == 0),
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
        heading = SAID["as-it-is"].format(name=group)
        panels.append(
            Panel(
                box=box,
                x=Axis(low=-0.04, high=1.04, quantity=SAID["right"], ticks=PER_CENT),
                y=_named_places(names, heading, down=True, named=number == 0),
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


def _named_places(
    names: Sequence[object], quantity: Text | None, *, down: bool = False, named: bool = True
) -> Axis:
    """An axis with a name at each whole number, or with their places alone."""
    ticks = tuple((float(place), _stacked(name)) for place, name in enumerate(names))
    ends = (-0.5, len(names) - 0.5)
    low, high = ends[::-1] if down else ends
    return Axis(low=low, high=high, quantity=quantity, ticks=ticks if named else ())


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
    )


def _frame(row: int, column: int) -> Curve:
    across = np.array([-0.47, 0.47, 0.47, -0.47, -0.47])
    return Curve(column + across, row + np.array([-0.47, -0.47, 0.47, 0.47, -0.47]), "position")
