"""Static pictures of the similarity of grid cells and of a network's predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..words.text import Text
from .drawing import COLORS, RAMPS, blank, in_course_style, in_words

__all__ = ["painted", "squares"]


@in_course_style
def squares(
    similar: NDArray[np.float64], low: float, chosen: tuple[int, int], language: str | None = None
) -> Figure:
    """Draw the similarity of every grid cell to a chosen cell."""
    figure, ((axes,),) = blank(330, left=40, right=90, top=16, bottom=36)
    shown = axes.imshow(similar, cmap=RAMPS["from zero"], vmin=low, vmax=1, aspect="equal")
    row, column = chosen
    axes.plot(column, row, "s", ms=20, mfc="none", mec=COLORS["position"], mew=3)
    figure.colorbar(shown, ax=axes, shrink=0.8)
    return figure


@in_course_style
def painted(
    names: Sequence[Text], pictures: Sequence[ArrayLike], language: str | None = None
) -> Figure:
    """Draw named pictures side by side, with grey levels from 0 (white) to 1 (black)."""
    figure, (all_axes,) = blank(170, 1, len(pictures), left=10, right=10, bottom=16, across=12)
    for axes, name, picture in zip(all_axes, names, pictures, strict=True):
        axes.imshow(picture, cmap="gray_r", vmin=0, vmax=1, interpolation="nearest", aspect="equal")
        axes.set(xticks=[], yticks=[], title=in_words(name, language))
    return figure
