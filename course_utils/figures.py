"""Data in, Matplotlib Figure out: these functions draw, keep nothing and show nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

__all__ = ["COLORS", "encoding_heatmap"]

COLORS = {
    "blue": "#0072B2",
    "vermilion": "#C04A00",
    "green": "#00735C",
    "ink": "#222222",
    "grey": "#767676",
}
"""Okabe and Ito's colours, told apart by colour-blind readers; two are darkened for contrast."""

DIVERGING = "PuOr_r"
"""Symmetric about zero: violet below, white at 0, orange above."""

WIDTH, HEIGHT = 9.0, 3.6
POSITION_LABEL = "position i · posición i"
DIMENSION_LABEL = "dimension j · dimensión j"


def new_figure(height: float = HEIGHT) -> Figure:
    """An empty figure that belongs to no window."""
    figure = Figure(figsize=(WIDTH, height))
    FigureCanvasAgg(figure)
    return figure


def encoding_heatmap(table: ArrayLike) -> Figure:
    """A table of encodings lying on its side: a column for each position, a row for each dimension.

    The second axes, at the right, is left empty for the values at one position.

    Args:
        table: shape ``(n_positions, d_model)``.

    Returns:
        Figure with the axes "heatmap", "values" and "scale".
    """
    table = np.asarray(table)
    n_positions, d_model = table.shape
    bound = max(1.0, np.abs(table).max())
    figure = new_figure()
    heatmap = figure.add_axes((0.075, 0.17, 0.61, 0.79), label="heatmap")
    values = figure.add_axes((0.71, 0.17, 0.18, 0.79), label="values")
    scale = figure.add_axes((0.925, 0.17, 0.015, 0.79), label="scale")
    image = heatmap.imshow(
        table.T, aspect="auto", cmap=DIVERGING, vmin=-bound, vmax=bound, interpolation="nearest"
    )
    heatmap.set(xlabel=POSITION_LABEL, ylabel=DIMENSION_LABEL)
    heatmap.set_xticks(few_ticks(n_positions))
    heatmap.set_yticks(few_ticks(d_model))
    values.set(xlim=(-1.08 * bound, 1.08 * bound), ylim=(d_model - 0.5, -0.5), yticks=[])
    values.set_xticks([-bound, 0, bound])
    values.set_xlabel("value · valor")
    values.axvline(0, color=COLORS["grey"], linewidth=0.8)
    figure.colorbar(image, cax=scale, ticks=[-bound, 0, bound])
    return figure


def few_ticks(count: int, most: int = 8) -> list[int]:
    """Whole numbers from 0 to ``count - 1`` in a round step, few enough to read."""
    steps = (step * 10**power for power in range(12) for step in (1, 2, 5))
    step = next(step for step in steps if count <= step * most)
    return list(range(0, count, step))
