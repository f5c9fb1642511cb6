"""Pictures for lesson 08: a cached key in a growing text, and RoPE for rows and columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from ..words.text import words
from .drawing import COLORS, blank, in_course_style, in_words

__all__ = ["kept_key", "squares_with_clocks"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
SPEED = 0.16
"""Frequency of the pair in the picture, in radians per position."""

QUERY, KEY = (0.9, -0.4), (0.75, 1.1)
"""Length and angle of the arrows before rotation."""


def _dial(axes: Axes, x: float = 0, y: float = 0, size: float = 1) -> None:
    edge = Circle((x, y), size, fill=False, color=COLORS["grey"], linewidth=1.2)
    axes.add_patch(edge)


def _hand(axes: Axes, length: float, angle: float, color: str, filled: bool = True) -> None:
    """Draw a clock hand that points to twelve at angle 0 and turns clockwise."""
    x, y = length * np.sin(angle), length * np.cos(angle)
    axes.plot([0, x], [0, y], color=COLORS[color], linewidth=2.5, solid_capstyle="round")
    face = COLORS[color] if filled else COLORS["paper"]
    axes.plot(x, y, "o", color=COLORS[color], markerfacecolor=face, markeredgewidth=2, markersize=9)


@in_course_style
def kept_key(language: str | None = None) -> Figure:
    """Draw one pair of a cached key while the text grows and then loses its beginning.

    In the first three dials, the query moves on and the key does not change. Between the third and
    the last dial, the first ten positions are removed. The query and the key are then rotated back
    by ten positions, so the angle between them does not change.
    """
    figure, dials = blank(560, 2, 2, left=16, right=16, bottom=44, down=84)
    places = ((12, 16), (12, 20), (12, 24), (2, 14))
    for axes, (j, i), name in zip(dials.flat, places, TEXTS["kept"], strict=True):
        axes.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
        axes.set_axis_off()
        _dial(axes)
        _hand(axes, KEY[0], KEY[1] + j * SPEED, "position")
        _hand(axes, QUERY[0], QUERY[1] + i * SPEED, "ink", filled=False)
        axes.set_title(in_words(name, language), loc="center")
        axes.text(0, -1.3, f"i = {i}, j = {j}", ha="center", va="center")
    return figure


@in_course_style
def squares_with_clocks() -> Figure:
    """Draw a picture divided into squares, with clocks for the row and column of each square."""
    rows, columns = 3, 5
    figure, ((axes,),) = blank(316, left=36, right=12, top=12, bottom=36)
    down, across = np.mgrid[0 : rows : rows * 24j, 0 : columns : columns * 24j]
    hills = 0.55 * rows + 0.35 * np.sin(1.7 * across) + 0.2 * np.sin(3.1 * across + 1)
    sun = np.hypot(down - 0.75, across - 0.78 * columns) < 0.42
    grounds = (COLORS["faint"], "gold", COLORS["grey"])  # for the sky, the sun and the hills
    picture = np.array([to_rgb(each) for each in grounds])[np.where(down > hills, 2, 1 * sun)]
    extent = (-0.5, columns - 0.5, rows - 0.5, -0.5)
    axes.imshow(picture, extent=extent, aspect="equal")
    for row, column in np.ndindex(rows, columns):
        corner = column - 0.5, row - 0.5
        frame = {"fill": False, "edgecolor": COLORS["paper"], "linewidth": 6}
        axes.add_patch(Rectangle(corner, 1, 1, **frame))
        for shift, place, color in ((-0.2, row, "word"), (0.2, column, "position")):
            middle = column + shift, row + 0.2
            axes.add_patch(Circle(middle, 0.17, facecolor=COLORS["paper"], edgecolor=COLORS[color]))
            angle = place * 2 * np.pi / 8
            tip = middle[0] + 0.15 * np.sin(angle), middle[1] - 0.15 * np.cos(angle)
            axes.plot(*zip(middle, tip, strict=True), color=COLORS[color], linewidth=2.5)
    axes.set(xlim=extent[:2], ylim=extent[2:], xticks=range(columns), yticks=range(rows))
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    for label in axes.get_yticklabels():
        label.set_color(COLORS["word"])
    for label in axes.get_xticklabels():
        label.set_color(COLORS["position"])
    return figure
