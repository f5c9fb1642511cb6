"""A static picture of the clocks of released models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..words.text import words
from .drawing import COLORS, blank, by_powers, in_course_style, in_words

__all__ = ["clocks_of_models"]

TEXTS = words(Path(__file__).parents[1] / "explorers" / "model_clocks" / "model_clocks.toml")
RINGS = {"markerfacecolor": "white", "markersize": 3.2, "markeredgecolor": COLORS["position"]}


@in_course_style
def clocks_of_models(
    models: Sequence[tuple[str, NDArray, NDArray]], language: str | None = None
) -> Figure:
    """Draw the turns of each model's clocks in training and in a longer text.

    Args:
        models: Name, turns in training and turns in the text for each model. Both arrays have shape
            ``(n_clocks,)``.
        language: Language of the labels; None for all languages.
    """
    figure, ((*panels,),) = blank(300, 1, max(1, len(models)), left=24, right=24, top=30, bottom=56)
    for axes, (name, turns, reach) in zip(panels, models, strict=True):
        rows = np.arange(len(turns))
        new = (turns < 1) & (reach > turns * (1 + 1e-9))
        axes.axvspan(0.2, 1, color=COLORS["grey"], alpha=0.25, linewidth=0)
        axes.hlines(rows[~new], turns[~new], reach[~new], color=COLORS["grey"], linewidth=1)
        axes.hlines(rows[new], turns[new], reach[new], color=COLORS["position"], linewidth=1.4)
        axes.plot(turns, rows, "o", color=COLORS["word"], markersize=2)
        axes.plot(reach[new], rows[new], "o", **RINGS)
        label = in_words(TEXTS["stored"]["turns"], language)
        axes.set(xscale="log", title=name, yticks=[], xlabel=label)
        axes.invert_yaxis()
        by_powers(axes.xaxis)
    return figure
