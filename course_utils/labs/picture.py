"""The picture of an answer beside what was expected."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..figures import DIVERGING

__all__ = ["comparison"]

TITLES = ("expected · esperado", "yours · lo tuyo", "difference · diferencia")


def comparison(expected: NDArray, got: NDArray) -> Figure:
    """Three heatmaps on one scale: what was expected, what came, and the difference.

    Args:
        expected: at least one dimension; all but the last are laid out one below the other.
        got: the same shape; NaN and infinity stay white.

    Returns:
        Figure with an axes for each heatmap and one for the colour scale.
    """
    rows = [array.reshape(-1, array.shape[-1]) for array in (expected, got)]
    with np.errstate(invalid="ignore"):
        tables = [*rows, rows[1] - rows[0]]
    finite = np.abs(np.concatenate([table[np.isfinite(table)] for table in tables]))
    bound = float(finite.max(initial=0)) or 1.0
    figure = FigureCanvasAgg(Figure(figsize=(9.0, 2.6), layout="constrained")).figure
    axes = figure.subplots(1, 3)
    for axis, table, title in zip(axes, tables, TITLES, strict=True):
        image = axis.imshow(table, cmap=DIVERGING, vmin=-bound, vmax=bound, aspect="auto")
        axis.set_title(title, fontsize=11)
        axis.locator_params(integer=True, nbins=5)
    figure.colorbar(image, ax=axes, shrink=0.9)
    return figure
