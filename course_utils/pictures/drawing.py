"""Code shared by all static pictures: style sheet, figures, maps and axes."""

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
"""Width in pixels: letters match the text of a lesson, or 12 pixels on a 358-pixel phone."""

in_course_style = style.context(["default", Path(__file__).with_name("course.mplstyle")])
"""Decorate a function that draws, so that it uses the course's style, not the reader's settings."""


def in_words(text: Text, language: str | None) -> str:
    """Return a text without tags, in one language or, without ``language``, all on one line."""
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
    """Return a figure and its panels, with margins for text.

    Margins are set in pixels instead of being computed by Matplotlib: the size of its letters
    varies slightly between versions, and if panels moved with them, every stored picture would
    change.

    Args:
        height: pixels.
        rows: number of rows of panels.
        columns: number of columns of panels.
        left: pixels left of the first panel.
        right: pixels right of the last panel.
        top: pixels above the first panel.
        bottom: pixels below the last panel.
        across: horizontal gap between two panels, in pixels.
        down: vertical gap between two panels, in pixels.
        options: further arguments of ``Figure.subplots``.

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
    """Draw a table in blue, white and red, from ``-bound`` to ``bound`` (by default its maximum).

    Args:
        axes: the axes to draw on.
        values: shape ``(n_rows, n_columns)``, drawn from the top down; NaN stays empty.
        bound: the absolute value with the deepest colour.
    """
    values = np.asarray(values, dtype=float)
    if bound is None:
        bound = float(np.abs(values).max()) or 1.0
    return axes.imshow(values, cmap=RAMPS["diverging"], vmin=-bound, vmax=bound)


def by_powers(axis: Axis) -> None:
    """Make an axis logarithmic, with whole numbers as labels, and below 1 as in ``1e-4``."""
    name = axis.axis_name
    axis.axes.set(**{f"{name}scale": "log"})
    axis.set_major_locator(LogLocator(numticks=5))
    axis.set_major_formatter(lambda value, _: _power(value))
    axis.axes.minorticks_off()


def _power(value: float) -> str:
    if value >= 1:
        return f"{value:.0f}"
    return f"1e\N{MINUS SIGN}{-np.log10(value):.0f}"
