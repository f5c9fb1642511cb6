"""The picture of an answer beside what was expected."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..figures import DIVERGING, round_ticks

__all__ = ["comparison"]

TITLES = ("expected · esperado", "yours · lo tuyo", "difference · diferencia")
LABEL_SIZE = 11

LARGEST_SHOWN = 1e100
"""Beyond it Matplotlib runs out of numbers for its scale."""


def comparison(expected: NDArray, got: NDArray) -> Figure:
    """Three heatmaps on one scale: what was expected, what came, and the difference.

    Args:
        expected: at least one dimension; all but the last are laid out one below the other.
        got: the same shape; NaN, infinity and anything nearly as large stay white.

    Returns:
        Figure with an axes for each heatmap and one for the colour scale.
    """
    rows = [
        np.where(np.abs(array) < LARGEST_SHOWN, array, np.nan).reshape(-1, array.shape[-1])
        for array in (expected, got)
    ]
    tables = [*rows, rows[1] - rows[0]]
    bound = float(np.nanmax(np.abs(tables), initial=1e-9))
    figure = FigureCanvasAgg(Figure(figsize=(9.0, 2.8))).figure
    for left, table, title in zip((0.07, 0.345, 0.62), tables, TITLES, strict=True):
        axes = figure.add_axes((left, 0.2, 0.24, 0.68))
        image = axes.imshow(table, cmap=DIVERGING, vmin=-bound, vmax=bound, aspect="auto")
        axes.set_title(title, fontsize=LABEL_SIZE)
        axes.set_xticks(round_ticks(table.shape[1], most=5))
        axes.set_yticks(round_ticks(len(table), most=5))
        axes.set_xlabel("column · columna", fontsize=LABEL_SIZE)
    figure.axes[0].set_ylabel("row · fila", fontsize=LABEL_SIZE)
    figure.colorbar(image, cax=figure.add_axes((0.885, 0.2, 0.015, 0.68)))
    return figure
