"""Style, figures, maps and axes shared by all static pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import cycler, style
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
"""Width in pixels, and resolution in dots per inch."""

LINES = ("word", "position", "green", "purple", "olive", "slate")
"""Names of line colours that all readers can distinguish, even in print."""

COLOR_SETTINGS = {
    "axes.edgecolor": COLORS["grey"],
    "axes.labelcolor": COLORS["ink"],
    "axes.prop_cycle": cycler(color=[COLORS[name] for name in LINES]),
    "text.color": COLORS["ink"],
    "xtick.color": COLORS["grey"],
    "xtick.labelcolor": COLORS["ink"],
    "ytick.color": COLORS["grey"],
    "ytick.labelcolor": COLORS["ink"],
}
"""Matplotlib settings for colours, which are defined in colors.toml instead of the style sheet."""

in_course_style = style.context(
    ["default", Path(__file__).with_name("course.mplstyle"), COLOR_SETTINGS]
)
"""Decorator that draws with the course's style and ignores the reader's Matplotlib settings."""


def in_words(text: Text, language: str | None) -> str:
    """Return a text without tags in one language, or in all languages on one line."""
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
    """Create a figure with panels and with margins for text.

    The margins are fixed numbers of pixels. Margins computed by Matplotlib would depend on the size
    of its letters, which varies slightly between versions, so every stored picture would change.

    Args:
        height: Height in pixels.
        rows: Number of rows of panels.
        columns: Number of columns of panels.
        left: Left margin in pixels.
        right: Right margin in pixels.
        top: Upper margin in pixels.
        bottom: Lower margin in pixels.
        across: Horizontal gap between two panels, in pixels.
        down: Vertical gap between two panels, in pixels.
        options: Additional arguments of ``Figure.subplots``.

    Returns:
        The figure, and an array of its axes with shape ``(rows, columns)``.
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
    """Draw a table as a map whose colours range from blue (negative) to red (positive).

    Args:
        axes: Axes to draw on.
        values: Array of shape ``(n_rows, n_columns)``, drawn from the top down. NaN leaves a cell
            empty.
        bound: Absolute value with the darkest colour; by default, the largest absolute value.
    """
    values = np.asarray(values, dtype=float)
    if bound is None:
        bound = float(np.abs(values).max()) or 1.0
    return axes.imshow(values, cmap=RAMPS["diverging"], vmin=-bound, vmax=bound)


def by_powers(axis: Axis) -> None:
    """Make an axis logarithmic, with labels such as ``1000`` and ``1e-4``."""
    name = axis.axis_name
    axis.axes.set(**{f"{name}scale": "log"})
    axis.set_major_locator(LogLocator(numticks=5))
    axis.set_major_formatter(lambda value, _: _power(value))
    axis.axes.minorticks_off()


def _power(value: float) -> str:
    if value >= 1:
        return f"{value:.0f}"
    return f"1e\N{MINUS SIGN}{-np.log10(value):.0f}"
