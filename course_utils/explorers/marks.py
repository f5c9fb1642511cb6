"""What an explorer lays over its picture at each position: frames, bars, dots and hands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Transform
from numpy.typing import ArrayLike, NDArray

from ..figures import COLORS
from ..page import pixels

__all__ = ["Marks", "artist", "bars", "columns", "dots", "hands", "two_hands"]


@dataclass(frozen=True)
class Marks:
    """What lies over the picture at each position.

    ``geometry`` has the shape ``(n_positions, n_marks, 4)``, in shares of the picture's width and
    height from its upper left corner: x, y, width, height of a ``rect``; centre and half-axes of
    a ``dot``; the two ends of a ``line``. Marks that follow the ``moved`` position stand at the
    position plus the offset, and hold that many more.
    """

    shape: Literal["rect", "dot", "line"]
    geometry: NDArray[np.float32]
    color: str
    filled: bool = True
    follows: Literal["position", "moved"] = "position"


def columns(axes: Axes, n_positions: int, narrowest: float = 0.0) -> Marks:
    """A frame around each position's column of a picture whose x axis runs over positions."""
    box = axes.get_position()
    width = max(box.width / n_positions, narrowest)
    centers = box.x0 + (np.arange(n_positions) + 0.5) * box.width / n_positions
    geometry = np.empty((n_positions, 1, 4), np.float32)
    geometry[:, 0, 0] = centers - width / 2
    geometry[:, 0, 1:] = 1 - box.y1, width, box.height
    return Marks("rect", geometry, COLORS["ink"], filled=False)


def bars(axes: Axes, table: NDArray) -> Marks:
    """For each position, its values as bars from zero, one below the other."""
    rows = np.arange(table.shape[1])
    zeros, ends = shares(axes, np.zeros_like(table), rows), shares(axes, table, rows)
    height = axes.get_position().height / table.shape[1]
    geometry = np.empty((*table.shape, 4), np.float32)
    geometry[..., 0] = np.minimum(zeros[..., 0], ends[..., 0])
    geometry[..., 1] = ends[..., 1] - 0.4 * height
    geometry[..., 2] = np.abs(ends[..., 0] - zeros[..., 0])
    geometry[..., 3] = 0.8 * height
    return Marks("rect", geometry, COLORS["grey"])


def dots(axes: Axes, x: NDArray, y: NDArray, color: str, *, filled: bool = True) -> Marks:
    """A dot, or a ring, of seven pixels' radius at one point for each position.

    A point that is not a number gets no dot.
    """
    geometry = np.empty((len(x), 1, 4), np.float32)
    geometry[:, 0, :2] = shares(axes, x, y)
    geometry[:, 0, 2:] = 7 / np.array(pixels(axes.figure))
    geometry[np.isnan(geometry).any(axis=-1)] = 0
    return Marks("dot", geometry, color, filled=filled)


def hands(axes: Axes, x: NDArray, y: NDArray, color: str = COLORS["ink"]) -> Marks:
    """A line from the axes' origin to one point for each position."""
    tips = shares(axes, x, y)
    origins = np.broadcast_to(shares(axes, 0.0, 0.0), tips.shape)
    geometry = np.concatenate([origins, tips], axis=-1)[:, np.newaxis].astype(np.float32)
    return Marks("line", geometry, color, filled=False)


def two_hands(axes: Axes, here: NDArray, ahead: NDArray) -> list[Marks]:
    """A dark hand at the position, and an orange one with a ring at the moved position.

    Args:
        axes: one dial.
        here: tips for each position, shape ``(n_positions, 2)``.
        ahead: tips for each moved position, shape ``(n_positions + n_offsets - 1, 2)``.
    """
    orange = (
        hands(axes, *ahead.T, COLORS["orange"]),
        dots(axes, *ahead.T, COLORS["orange"], filled=False),
    )
    dark = hands(axes, *here.T), dots(axes, *here.T, COLORS["ink"])
    return [*(replace(mark, follows="moved") for mark in orange), *dark]


def shares(axes: Axes, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Points in data coordinates as shares of the picture from its upper left corner."""
    axes.apply_aspect()
    points = np.stack(np.broadcast_arrays(x, y), axis=-1).astype(np.float64)
    in_pixels = axes.transData.transform(points.reshape(-1, 2))
    shares = axes.figure.transFigure.inverted().transform(in_pixels)
    shares[:, 1] = 1 - shares[:, 1]
    return shares.reshape(points.shape)


def artist(marks: Marks, numbers: NDArray, transform: Transform) -> Artist:
    """One mark as Matplotlib draws it, for readers without a kernel."""
    a, b, c, d = numbers
    style = {"color": marks.color, "transform": transform}
    if marks.shape == "line":
        return Line2D((a, c), (1 - b, 1 - d), linewidth=2, **style)
    if marks.shape == "dot":
        return Ellipse((a, 1 - b), 2 * c, 2 * d, fill=marks.filled, **style)
    frame = Rectangle((a, 1 - b - d), c, d, fill=marks.filled, linewidth=1.5, **style)
    frame.set_path_effects([withStroke(linewidth=4, foreground="white")])
    return frame
