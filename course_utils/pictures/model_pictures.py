"""A static picture of the clocks of released models and their turns in training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ..words.text import Text
from .drawing import COLORS, blank, by_powers, in_course_style, in_words

__all__ = ["clocks_by_turns"]

PART_OF_A_TURN = 0.2, 1.0
"""Range of the numbers of turns for which clocks were harmful in lesson 09."""


@in_course_style
def clocks_by_turns(
    names: Sequence[Text | str],
    turns: Sequence[ArrayLike],
    axis: Text,
    language: str | None = None,
) -> Figure:
    """Plot the turns of each model's clocks within the training length, one row per model.

    Clocks with 0.2 to 1 turn are drawn as squares in a different colour, and all other clocks as
    circles.
    """
    figure, ((axes,),) = blank(70 + 44 * len(names), left=186, right=44, top=16, bottom=60)
    low, high = PART_OF_A_TURN
    axes.axvspan(low, high, color=COLORS["faint"], alpha=0.6, lw=0)
    for row, values in enumerate(turns):
        values = np.asarray(values, dtype=float)
        values = values[values > 0]
        part = (values >= low) & (values < high)
        for chosen, marker, color in (
            (~part, "o", COLORS["position"]),
            (part, "s", COLORS["word"]),
        ):
            axes.plot(values[chosen], np.full(chosen.sum(), row), marker, ms=4, color=color)
    labels = [name if isinstance(name, str) else in_words(name, language) for name in names]
    axes.set(xscale="log", yticks=range(len(names)), yticklabels=labels)
    axes.set(xlabel=in_words(axis, language), ylim=(len(names) - 0.5, -0.5))
    axes.margins(x=0.06)
    by_powers(axes.xaxis)
    return figure
