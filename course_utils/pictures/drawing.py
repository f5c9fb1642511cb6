"""What all pictures in which nothing moves share: style sheet, figures, maps and axes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import LogLocator
from numpy.typing import ArrayLike, NDArray

from ..words.text import Text
from .on_paper import COLORS, RAMPS

__all__ = ["COLORS", "RAMPS", "blank", "by_powers", "in_course_style", "in_words", "signed_map"]

WIDTH, DOTS_PER_INCH = 500, 100
"""Pixels across: letters as large as the text of a lesson, and 12 pixels where a phone has 358."""

in_course_style = style.context(["default", Path(__file__).with_name("course.mplstyle")])
"""Decorator of functions that draw: they use the course's style, not the reader's settings."""


def in_words(text: Text, language: str | None) -> str:
    """A text without tags: in one language or, if ``language`` is None, in all on one line."""
    return text.one_line if language is None else text.plain[language]


def blank(
    height: int,
    rows: int = 1,
    columns: int = 1,
    *,
    left: int = 66,
    right: int = 32,
    top: int = 36,
    bottom: int = 62,
    across: int = 24,
    down: int = 72,
    **options: object,
) -> tuple[Figure, NDArray]:
    """A figure and its panels, with room for words around them.

    The room is given in pixels, not found by Matplotlib: its letters change a little from version
    to version, and panels that moved with them would change every stored picture.

    Args:
        height: pixels.
        rows: of panels.
        columns: of panels.
        left: pixels left of the first panel.
        right: pixels right of the last panel.
        top: pixels above the first panel.
        bottom: pixels below the last panel.
        across: pixels between two panels side by side.
        down: pixels between two panels one above the other.
        options: for ``Figure.subplots``.

    Returns:
        The figure and its axes, of shape ``(rows, columns)``.
    """
    wide = WIDTH - left - right - across * (columns - 1)
    tall = height - top - bottom - down * (rows - 1)
    room = {
        "left": left / WIDTH,
        "right": 1 - right / WIDTH,
        "top": 1 - top / height,
        "bottom": bottom / height,
        "wspace": across * columns / wide,
        "hspace": down * rows / tall,
    }
    figure = Figure(figsize=(WIDTH / DOTS_PER_INCH, height / DOTS_PER_INCH), dpi=DOTS_PER_INCH)
    return figure, figure.subplots(rows, columns, squeeze=False, gridspec_kw=room, **options)


def signed_map(axes: Axes, values: ArrayLike, bound: float | None = None) -> AxesImage:
    """A table in blue, white and red, from ``-bound`` to ``bound`` (its largest size by default).

    Args:
        axes: where it goes.
        values: shape ``(n_rows, n_columns)``, drawn from the top down; NaN stays empty.
        bound: the size at which a colour is deepest.
    """
    values = np.asarray(values, dtype=float)
    if bound is None:
        bound = float(np.abs(values).max()) or 1.0
    return axes.imshow(values, cmap=RAMPS["diverging"], vmin=-bound, vmax=bound)


def by_powers(axis: Axis) -> None:
    """Make an axis logarithmic, with whole numbers beside it, and below 1 as in ``1e-4``."""
    name = axis.axis_name
    axis.axes.set(**{f"{name}scale": "log"})
    axis.set_major_locator(LogLocator(numticks=5))
    axis.set_major_formatter(lambda value, _: _power(value))
    axis.axes.minorticks_off()


def _power(value: float) -> str:
    if value >= 1:
        return f"{value:.0f}"
    return f"1e\N{MINUS SIGN}{-np.log10(value):.0f}"
