"""A static picture of the attention and the training loss of several heads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ..words.text import Text, words
from .drawing import COLORS, RAMPS, blank, in_course_style, in_words

__all__ = ["three_heads"]

TEXTS = words(Path(__file__).parents[1] / "explorers" / "training" / "training.toml")["stored"]
LINES = ((":", "slate"), ("--", "position"), ("-", "word"))
"""Line style and colour of each head's loss, as in the explorer."""


@in_course_style
def three_heads(
    names: Sequence[Text], attention: ArrayLike, losses: ArrayLike, language: str | None = None
) -> Figure:
    """Draw the attention maps of three heads and, below them, their losses during training.

    ``attention`` has shape ``(3, n, n)``, with queries as rows and keys as columns. ``losses`` has
    shape ``(3, n_steps)``. Colours represent the square root of the attention, so that small values
    are visible.
    """
    figure, ((*maps,), (*lower,)) = blank(430, 2, 3, left=72, right=24, across=16, down=40)
    colors = RAMPS["from zero"]
    for axes, name, its in zip(maps, names, attention, strict=True):
        shown = np.where(np.tri(len(its), dtype=bool), its**0.5, np.nan)
        axes.imshow(shown, cmap=colors, vmin=0, vmax=1, interpolation="nearest")
        axes.set(xticks=[], yticks=[], title=in_words(name, language))
    grid = lower[0].get_gridspec()
    for axes in lower:
        axes.remove()
    curve = figure.add_subplot(grid[1, :])
    for (dash, color), name, its in zip(LINES, names, losses, strict=True):
        curve.plot(its, dash, color=COLORS[color], lw=2, label=in_words(name, language))
    curve.set(xlabel=in_words(TEXTS["steps"], language), ylabel=in_words(TEXTS["loss"], language))
    curve.set(xlim=(0, len(losses[0])), ylim=(0, None))
    curve.legend()
    return figure
