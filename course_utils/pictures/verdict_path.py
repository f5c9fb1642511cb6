"""A picture of the conditions under which a claim holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from numpy.typing import ArrayLike

from ..words.text import words
from .drawing import COLORS, blank, by_powers, in_course_style, in_words

__all__ = ["verdict_path"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
MOST_NUMBERED = 6
"""Maximum number of values on the axis for which every value is labelled."""

MOST_DIGITS = 20
"""Maximum total number of digits for which every value is labelled."""


@in_course_style
def verdict_path(
    claim: str, x: ArrayLike, y: ArrayLike, holds: ArrayLike, language: str | None = None
) -> Figure:
    """Plot a measurement against a quantity that the claim does not mention, such as the base.

    Marker and colour indicate whether the claim holds at each point.

    Args:
        claim: Key of an entry in verdict_path.toml, which names both axes and lists the logarithmic
            axes in ``powers``.
        x: Increasing values of the quantity, with shape ``(n,)``.
        y: Measurements with shape ``(n,)``.
        holds: Mask of the values for which the claim holds, with shape ``(n,)``.
        language: Language of all labels.
    """
    x, y, holds = np.asarray(x), np.asarray(y), np.asarray(holds, dtype=bool)
    texts = TEXTS["claims"][claim]
    figure, ((axes,),) = blank(320, left=84, right=44, bottom=100)
    axes.plot(x, y, color=COLORS["faint"], zorder=1)
    for name, values in (("x", x), ("y", y)):
        if name in texts.get("powers", ()):
            axis = getattr(axes, f"{name}axis")
            by_powers(axis)
            # On a short axis, only one power of 10 would be labelled.
            if values.max() < 100 * values.min():
                axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    if len(x) <= MOST_NUMBERED:
        is_crowded = len("".join(f"{value:.0f}" for value in x)) > MOST_DIGITS
        axes.set_xticks(x[:: 2 if is_crowded else 1])
    marks = (holds, "holds", "o", "word"), (~holds, "not", "s", "position")
    for where, name, mark, color in marks:
        if where.any():
            label = in_words(TEXTS[name], language)
            axes.plot(x[where], y[where], mark, color=COLORS[color], markersize=5, label=label)
    axes.set_xlabel(in_words(texts["x"], language))
    axes.set_title(in_words(texts["y"], language))
    figure.legend(loc="lower center", ncols=2)
    return figure
