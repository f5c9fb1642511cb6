"""Matplotlib drawings of scenes for stored notebooks, print and tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patches import Wedge as MatplotlibWedge
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from ..attention import softmax
from ..colors import COLORS as COLOR_PAIRS
from ..colors import RAMPS as RAMP_PAIRS
from ..words.text import Text
from . import scenes
from .scenes import NARROW, WIDTH, Panel, Scene

DOTS_PER_INCH = 100
LABEL_SIZE, TICK_SIZE = 10.5, 9.5
COLORS = {name: on_light for name, (on_light, _) in COLOR_PAIRS.items()}
RAMPS = {
    name: LinearSegmentedColormap.from_list(name, on_light)
    for name, (on_light, _) in RAMP_PAIRS.items()
}
BY_PHASE = LinearSegmentedColormap.from_list("phase", [COLORS["word"], COLORS["position"]])
ARC_WIDTH = 24
"""Width in points of an arc with an attention of 1."""

MARKERS = {"circle": "o", "square": "s"}


@style.context("default")
def paint(scene: Scene, position: int = 0, offset: int = 0, width: int = WIDTH) -> Figure:
    """Draw a scene at one position and offset, with stacked panels if the figure is narrow.

    The reader's own Matplotlib settings, such as LaTeX for all text, are ignored.
    """
    scene = scene if width > NARROW else _stacked_panels(scene)
    size = width / DOTS_PER_INCH, scene.height / DOTS_PER_INCH
    figure = FigureCanvasAgg(Figure(figsize=size, dpi=DOTS_PER_INCH)).figure
    places = {"position": position, "moved": position + offset, "offset": offset}
    for number, panel in enumerate(scene.panels):
        axes = _axes(figure, panel, (width, scene.height), f"panel {number}")
        for layer in panel.moving:
            if isinstance(layer, scenes.Rod):
                _rod(axes, layer, position, position + offset)
            elif isinstance(layer, scenes.Wedge):
                _wedge(axes, panel, places)
            else:
                MOVING[type(layer)](axes, layer, places[layer.follows])
        for layer in panel.layers:
            STANDING[type(layer)](axes, layer)
    return figure


def _stacked_panels(scene: Scene) -> Scene:
    """Arrange the panels in rows that fill the width, as geometry.js does."""
    n_rows = 1 + max(panel.box.narrow_row for panel in scene.panels)

    def moved(panel: Panel) -> Panel:
        box, row = panel.box, panel.box.narrow_row
        beside = [each.box for each in scene.panels if each.box.narrow_row == row]
        start, highest = min(each.left for each in beside), min(each.upper for each in beside)
        span = max(each.right for each in beside) - start
        tall = max(each.lower for each in beside) - highest
        left, right = ((end - start) / span for end in (box.left, box.right))
        upper, lower = ((row + (end - highest) / tall) / n_rows for end in (box.upper, box.lower))
        ends = {"left": left, "right": right, "upper": upper, "lower": lower}
        return replace(panel, box=replace(box, **ends, after=max(box.after, 12)))

    return replace(scene, panels=tuple(map(moved, scene.panels)), height=scene.narrow)


def _axes(figure: Figure, panel: Panel, size: tuple[int, int], label: str) -> Axes:
    (width, height), box, x, y = size, panel.box, panel.x, panel.y
    left, right = box.left * width + box.before, box.right * width - box.after
    below, above = 1 - box.lower + box.bottom / height, 1 - box.upper - box.top / height
    rectangle = left / width, below, (right - left) / width, above - below
    axes = figure.add_axes(rectangle, label=label)
    axes.set(xlim=(x.low, x.high), ylim=(y.low, y.high))
    if panel.dial:
        axes.set_aspect("equal")
        axes.set_axis_off()
        _dial(axes)
    if not panel.frame:
        axes.set_axis_off()
    axes.set_xticks([at for at, _ in x.ticks], labels=[_stacked(name) for _, name in x.ticks])
    axes.set_yticks([at for at, _ in y.ticks], labels=[_stacked(name) for _, name in y.ticks])
    axes.minorticks_off()
    axes.tick_params(labelsize=TICK_SIZE)
    if y.at_end:
        axes.yaxis.tick_right()
    middle = (left + right) / 2 / width
    foot = _line(panel.title if panel.title is not None else x.quantity)
    style = {"size": LABEL_SIZE, "va": "bottom"}
    figure.text(middle, 1 - box.lower + 4 / height, foot, ha="center", **style)
    figure.text(left / width, above + 6 / height, _line(y.quantity), ha="left", **style)
    return axes


def _line(name: Text | str | None) -> str:
    return name.one_line if isinstance(name, Text) else name or ""


def _dial(axes: Axes) -> None:
    axes.add_patch(Circle((0, 0), 1, fill=False, color=COLORS["grey"], linewidth=1.5))
    angles = np.arange(12) * np.pi / 6
    axes.plot(0.93 * np.sin(angles), 0.93 * np.cos(angles), ".", color=COLORS["grey"])


def _map(axes: Axes, layer: scenes.Map) -> None:
    limits = axes.get_xlim(), axes.get_ylim()
    n_rows, n_columns = layer.values.shape
    axes.imshow(
        layer.values,
        aspect="auto",
        cmap=RAMPS[layer.ramp],
        vmin=layer.low,
        vmax=layer.high,
        interpolation="nearest",
        extent=(-0.5, n_columns - 0.5, -0.5, n_rows - 0.5),
        origin="lower",
        zorder=0,
    )
    axes.set(xlim=limits[0], ylim=limits[1])


def _curve(axes: Axes, layer: scenes.Curve) -> None:
    width = 1 if layer.color == "faint" else 2
    axes.plot(layer.x, layer.y, color=COLORS[layer.color], linewidth=width)


def _ribbons(axes: Axes, layer: scenes.Ribbons) -> None:
    half = 0.46 / max(layer.high, -layer.low)
    up = np.sign(axes.get_ylim()[1] - axes.get_ylim()[0])
    for lane, row in enumerate(layer.values):
        for share, side in ((0.8, np.maximum(row, 0)), (0.2, np.minimum(row, 0))):
            color = RAMPS["diverging"](share)
            axes.fill_between(layer.x, lane, lane + up * half * side, color=color, linewidth=0)


def _points(axes: Axes, layer: scenes.Points) -> None:
    axes.plot(layer.x, layer.y, MARKERS[layer.marker], color=COLORS[layer.color], markersize=5)


def seen(points: NDArray, box_width: float, box_height: float) -> NDArray[np.float64]:
    """Project three-dimensional points to pixels and depth in the initial view."""
    yaw, pitch = np.radians(scenes.TURN)
    near, up, right = points.T
    across = right * np.cos(yaw) + near * np.sin(yaw)
    depth = near * np.cos(yaw) - right * np.sin(yaw)
    upwards = up * np.cos(pitch) - depth * np.sin(pitch)
    nearness = depth * np.cos(pitch) + up * np.sin(pitch)
    shares = np.abs([np.cos(yaw), np.sin(yaw) * np.sin(pitch)])
    # The curve fits into the box at every angle, with a margin.
    reach = scenes.LENGTH_IN_SPACE * shares + 2 * np.sqrt(1 - shares**2) + 0.2
    scale = min((box_width, box_height) / reach)
    return np.stack([scale * across, scale * upwards, nearness], axis=1)


def _in_axes(axes: Axes, points: NDArray) -> NDArray[np.float64]:
    box = axes.get_window_extent()
    return seen(points, box.width, box.height)[:, :2] / (box.width, box.height) + 0.5


def _space_curve(axes: Axes, layer: scenes.SpaceCurve) -> None:
    places = _in_axes(axes, layer.points)
    box = axes.get_window_extent()
    depth = seen(layer.points, box.width, box.height)[:-1, 2]
    nearness = (depth - depth.min()) / np.ptp(depth)
    colors = BY_PHASE((layer.phase[:-1] + 1) / 2)
    colors[:, 3] = 0.3 + 0.7 * nearness
    order = depth.argsort()
    pieces = np.stack([places[:-1], places[1:]], axis=1)[order]
    style = {"transform": axes.transAxes, "capstyle": "round"}
    lines = LineCollection(
        pieces, colors=colors[order], linewidths=1 + 2 * nearness[order], **style
    )
    axes.add_collection(lines, autolim=False)
    some = slice(None, -1, layer.per_dot)
    axes.scatter(*places[some].T, s=9, c=colors[some], transform=axes.transAxes)
    axes.set(xlim=(0, 1), ylim=(0, 1))


def _rod(axes: Axes, layer: scenes.Rod, start: int, end: int) -> None:
    across, up = _in_axes(axes, layer.points[[start, end]]).T
    color = COLORS["position"]
    axes.plot(across, up, "o-", color=color, linewidth=4, markersize=9, transform=axes.transAxes)


def _labels(axes: Axes, layer: scenes.Labels) -> None:
    colors = layer.colors or ("ink",) * len(layer.texts)
    style = {"size": TICK_SIZE, "ha": "right" if layer.before else "center", "va": "center"}
    for x, y, text, color in zip(layer.x, layer.y, layer.texts, colors, strict=True):
        axes.text(x, y, _stacked(text), color=COLORS[color], **style)


def _stacked(text: Text | str) -> str:
    """Return the text with one language per line."""
    return text if isinstance(text, str) else text.one_line.replace(" · ", "\n")


def _cursor(axes: Axes, layer: scenes.Cursor, place: int) -> None:
    low, high = axes.get_xlim() if layer.lying else axes.get_ylim()
    start = layer.x[place] - 0.5
    column = ((low, start), high - low, 1) if layer.lying else ((start, low), 1, high - low)
    if layer.framed:
        frame = Rectangle(*column, fill=False, edgecolor=COLORS["ink"], linewidth=1.5, zorder=3)
        frame.set_path_effects([withStroke(linewidth=3, foreground=COLORS["paper"])])
        axes.add_patch(frame)
    else:
        axes.add_patch(Rectangle(*column, color=COLORS["position"], alpha=0.3, zorder=0.5))


def _dots(axes: Axes, layer: scenes.Dots, place: int) -> None:
    face = COLORS[layer.color] if layer.filled else "none"
    style = {"markersize": 10, "markeredgewidth": 2, "markerfacecolor": face, "clip_on": False}
    axes.plot(layer.x[place], layer.y[place], "o", color=COLORS[layer.color], zorder=4, **style)


def _hands(axes: Axes, layer: scenes.Hands, place: int) -> None:
    tip = [0, layer.x[place]], [0, layer.y[place]]
    axes.plot(*tip, color=COLORS[layer.color], linewidth=2, zorder=3)


def _wedge(axes: Axes, panel: Panel, places: dict[str, int]) -> None:
    hands = [layer for layer in panel.moving if isinstance(layer, scenes.Hands)]
    tips = {
        each.follows: (each.x[places[each.follows]], each.y[places[each.follows]]) for each in hands
    }
    start, end = (np.degrees(np.arctan2(*tips[name][::-1])) for name in ("moved", "position"))
    if (end - start) % 360 > 180:  # Fill the smaller of the two angles.
        start, end = end, start
    axes.add_patch(MatplotlibWedge((0, 0), 0.5, start, end, color=COLORS["grey"], alpha=0.35))


def _value_bars(axes: Axes, layer: scenes.ValueBars, place: int) -> None:
    values = layer.values[place]
    colors = [COLORS[name] for name in layer.colors]
    bars, zero = (axes.bar, axes.axhline) if layer.upright else (axes.barh, axes.axvline)
    if layer.changed is not None:
        changed = layer.changed[place]
        colors = np.where(changed, COLORS["position"], colors)
        was = np.where(changed & (values == 0), layer.values[place - 1], 0)
        bars(range(len(was)), was, 0.8, fill=False, edgecolor=COLORS["position"], linewidth=2)
    bars(range(len(values)), values, 0.8, color=colors)
    zero(0, color=COLORS["grey"], linewidth=0.8)


def _drawn(axes: Axes, layer: scenes.Drawn, place: int) -> None:
    there = np.where(np.arange(layer.values.shape[1]) <= place, layer.values, np.nan)
    _map(axes, replace(layer, values=there))


def _sentence(axes: Axes, layer: scenes.Sentence, place: int) -> None:
    rows = layer.vectors + layer.positions[: len(layer.vectors)]
    weights = softmax(rows @ rows.T / np.sqrt(rows.shape[1]))
    n_words = len(rows)
    strips = {"extent": (-0.5, n_words - 0.5, 0.02, 0.38), "interpolation": "nearest"}
    colors = {"cmap": RAMPS["diverging"], "vmin": -layer.bound, "vmax": layer.bound}
    axes.imshow((weights @ rows).T, aspect="auto", **strips, **colors)
    axes.set(xlim=(-0.5, n_words - 0.5), ylim=(0, 1))
    axes.vlines(np.arange(n_words + 1) - 0.5, 0.02, 0.38, color=COLORS["paper"], linewidth=8)
    share = np.linspace(0, 1, 40)
    for other, weight in enumerate(weights[place]):
        if other != place:
            height = 0.6 + 4 * (1 - share) * share * (0.1 + 0.28 * abs(other - place) / n_words)
            width = ARC_WIDTH * weight
            across = place + (other - place) * share
            axes.plot(across, height, color=COLORS["word"], linewidth=width, alpha=0.7)
    for at, word in enumerate(layer.words):
        style = {"boxstyle": "round,pad=0.5", "facecolor": COLORS["paper"]}
        edge = COLORS["position" if at == place else "word"]
        font = {"size": TICK_SIZE + 2, "color": COLORS["word"], "ha": "center", "va": "center"}
        axes.text(at, 0.49, _stacked(word), bbox={**style, "edgecolor": edge}, **font)


def _cells(axes: Axes, layer: scenes.Cells, place: int) -> None:
    _map(axes, replace(layer, values=layer.values[place]))


STANDING = {
    scenes.Map: _map,
    scenes.Curve: _curve,
    scenes.Ribbons: _ribbons,
    scenes.Points: _points,
    scenes.SpaceCurve: _space_curve,
    scenes.Labels: _labels,
}
MOVING = {
    scenes.Cursor: _cursor,
    scenes.Dots: _dots,
    scenes.Hands: _hands,
    scenes.ValueBars: _value_bars,
    scenes.Cells: _cells,
    scenes.Drawn: _drawn,
    scenes.Sentence: _sentence,
}
