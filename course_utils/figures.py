"""Scenes on paper, for stored notebooks, print and tests, and pictures in which nothing moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike, NDArray

from . import scenes
from .panels import counting, map_panels, maps_in_a_row, round_ticks
from .scenes import WIDTH, Axis, Box, Curve, Labels, Map, Panel, Scene
from .text import Text, words

__all__ = [
    "comparison",
    "dot_product_curve",
    "encoding_heatmap",
    "maps_in_rows",
    "paint",
    "word_plus_position",
]

SAID = words(Path(__file__).with_name("figures.toml"))
DOTS_PER_INCH = 100
LABEL_SIZE, TICK_SIZE = 10.5, 9.5
COLORS = {name: on_light for name, (on_light, _) in scenes.COLORS.items()}
RAMPS = {
    name: LinearSegmentedColormap.from_list(name, on_light)
    for name, (on_light, _) in scenes.RAMPS.items()
}
MARKERS = {"circle": "o", "square": "s"}


@style.context("default")
def paint(scene: Scene, position: int = 0, offset: int = 0) -> Figure:
    """The scene as a figure, with its marks at one position and offset.

    Whatever a learner has set Matplotlib to, such as LaTeX for all texts, plays no part.
    """
    size = WIDTH / DOTS_PER_INCH, scene.height / DOTS_PER_INCH
    figure = FigureCanvasAgg(Figure(figsize=size, dpi=DOTS_PER_INCH)).figure
    places = {"position": position, "moved": position + offset, "offset": offset}
    for number, panel in enumerate(scene.panels):
        axes = _axes(figure, panel, scene.height, f"panel {number}")
        for mark in panel.marks:
            MARK_PAINTERS[type(mark)](axes, mark, places[mark.follows])
        for layer in panel.layers:
            LAYER_PAINTERS[type(layer)](axes, layer)
    return figure


def _axes(figure: Figure, panel: Panel, height: int, label: str) -> Axes:
    box, x, y = panel.box, panel.x, panel.y
    left, right = box.left * WIDTH + box.before, box.right * WIDTH - box.after
    rectangle = (left / WIDTH, box.bottom / height, (right - left) / WIDTH)
    axes = figure.add_axes((*rectangle, 1 - (box.top + box.bottom) / height), label=label)
    axes.set(xlim=(x.low, x.high), ylim=(y.low, y.high))
    if panel.dial:
        axes.set_aspect("equal")
        axes.set_axis_off()
        _dial(axes)
    if x.logarithmic:
        axes.set_xscale("log")
    if y.logarithmic:
        axes.set_yscale("log")
    axes.set_xticks([at for at, _ in x.ticks], labels=[_stacked(name) for _, name in x.ticks])
    axes.set_yticks([at for at, _ in y.ticks], labels=[_stacked(name) for _, name in y.ticks])
    axes.minorticks_off()
    axes.tick_params(labelsize=TICK_SIZE)
    if y.at_end:
        axes.yaxis.tick_right()
    middle = (left + right) / 2 / WIDTH
    below = panel.title if panel.title is not None else _named(x)
    figure.text(middle, 4 / height, below, size=LABEL_SIZE, ha="center", va="bottom")
    above = 1 - (box.top - 6) / height
    figure.text(left / WIDTH, above, _named(y), size=LABEL_SIZE, ha="left", va="bottom")
    return axes


def _named(axis: scenes.Axis) -> str:
    if axis.quantity is None:
        return ""
    return axis.named.one_line


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


def _points(axes: Axes, layer: scenes.Points) -> None:
    axes.plot(layer.x, layer.y, MARKERS[layer.marker], color=COLORS[layer.color], markersize=5)


def _bars(axes: Axes, layer: scenes.Bars) -> None:
    axes.bar(range(len(layer.values)), layer.values, color=COLORS[layer.color], width=0.6)


def _labels(axes: Axes, layer: scenes.Labels) -> None:
    colors = layer.colors or ("ink",) * len(layer.texts)
    for x, y, text, color in zip(layer.x, layer.y, layer.texts, colors, strict=True):
        axes.text(
            x, y, _stacked(text), size=TICK_SIZE, color=COLORS[color], ha="center", va="center"
        )


def _stacked(text: Text | str) -> str:
    """All languages, one below the other."""
    return text if isinstance(text, str) else text.one_line.replace(" · ", "\n")


def _cursor(axes: Axes, mark: scenes.Cursor, place: int) -> None:
    low, high = axes.get_xlim() if mark.lying else axes.get_ylim()
    start = mark.x[place] - mark.width / 2
    column = (start, low), mark.width, high - low
    if mark.lying:
        column = (low, start), high - low, mark.width
    if mark.framed:
        frame = Rectangle(*column, fill=False, edgecolor=COLORS["ink"], linewidth=1.5, zorder=3)
        frame.set_path_effects([withStroke(linewidth=3, foreground=COLORS["paper"])])
        axes.add_patch(frame)
    else:
        axes.add_patch(Rectangle(*column, color=COLORS["position"], alpha=0.3, zorder=0.5))


def _dots(axes: Axes, mark: scenes.Dots, place: int) -> None:
    face = COLORS[mark.color] if mark.filled else "none"
    style = {"markersize": 10, "markeredgewidth": 2, "markerfacecolor": face, "zorder": 4}
    axes.plot(mark.x[place], mark.y[place], "o", color=COLORS[mark.color], clip_on=False, **style)


def _hands(axes: Axes, mark: scenes.Hands, place: int) -> None:
    tip = [0, mark.x[place]], [0, mark.y[place]]
    axes.plot(*tip, color=COLORS[mark.color], linewidth=2, zorder=3)


def _value_bars(axes: Axes, mark: scenes.ValueBars, place: int) -> None:
    values = mark.values[place]
    colors = [COLORS[name] for name in mark.colors]
    if mark.changed is not None:
        colors = np.where(mark.changed[place], COLORS["position"], colors)
    bars, zero = (axes.bar, axes.axhline) if mark.upright else (axes.barh, axes.axvline)
    bars(range(len(values)), values, 0.8, color=colors)
    zero(0, color=COLORS["grey"], linewidth=0.8)


def _cells(axes: Axes, mark: scenes.Cells, place: int) -> None:
    _map(axes, Map(mark.values[place], mark.low, mark.high, mark.ramp))


LAYER_PAINTERS = {
    scenes.Map: _map,
    scenes.Curve: _curve,
    scenes.Points: _points,
    scenes.Bars: _bars,
    scenes.Labels: _labels,
}
MARK_PAINTERS = {
    scenes.Cursor: _cursor,
    scenes.Dots: _dots,
    scenes.Hands: _hands,
    scenes.ValueBars: _value_bars,
    scenes.Cells: _cells,
}


# Pictures in which nothing moves. -----------------------------------------------------------------


def encoding_heatmap(table: ArrayLike) -> Figure:
    """A table of shape ``(n_positions, d_model)``, values in [-1, 1], with positions across."""
    shown = Map(np.asarray(table).T, -1, 1)
    panels = map_panels(shown, x=SAID["position"], y=SAID["dimension"])
    return paint(Scene(height=370, panels=panels))


def dot_product_curve(offsets: ArrayLike, normalized: ArrayLike) -> Figure:
    """The normalised dot product of two positions against how far apart they are.

    The offsets rise; ``normalized`` is from -1 to 1 and, as they are, of shape ``(n_offsets,)``.
    """
    offsets, normalized = np.asarray(offsets), np.asarray(normalized)
    first, last = float(offsets[0]), float(offsets[-1])
    panel = Panel(
        box=Box(top=26, bottom=46, before=48, after=24),
        x=Axis(
            low=first,
            high=last,
            quantity=SAID["offset" if first < 0 else "distance"],
            ticks=round_ticks(first, last),
        ),
        y=Axis(
            low=min(-0.45, float(normalized.min()) - 0.05),
            high=1.08,
            quantity=SAID["normalized"],
            ticks=round_ticks(-0.5, 1, 5),
        ),
        layers=(Curve(offsets[[0, -1]], np.zeros(2), "faint"), Curve(offsets, normalized)),
    )
    return paint(Scene(height=340, panels=(panel,)))


def word_plus_position(word: ArrayLike, position: ArrayLike) -> Figure:
    """Three vectors of shape ``(d_model,)`` as strips: the word, its position, and their sum."""
    word, position = np.asarray(word), np.asarray(position)
    rows = np.stack([word, position, word + position])
    bound = float(np.abs(rows).max())
    n_columns = len(word)
    heat, scale = map_panels(Map(rows, -bound, bound), x=SAID["dimension"], y=SAID["vector"])
    numbers = Labels(
        x=tuple(float(column) for column in range(n_columns)) * 3,
        y=tuple(float(row) for row in np.repeat(range(3), n_columns)),
        texts=tuple(f"{value:.2f}".replace("-", "\N{MINUS SIGN}") for value in rows.flat),
        colors=tuple("paper" if abs(value) > 0.6 * bound else "ink" for value in rows.flat),
    )
    names = Labels(
        x=(-1.0,) * 3,
        y=(0.0, 1.0, 2.0),
        texts=("w", "p", "w + p"),
        colors=("word", "position", "sum"),
    )
    y = replace(heat.y, ticks=())
    box = replace(heat.box, before=130)
    heat = replace(heat, box=box, y=y, layers=(*heat.layers, numbers, names))
    return paint(Scene(height=260, panels=(heat, scale)))


@style.context("default")
def maps_in_rows(rows: Sequence[Sequence[ArrayLike]], names: Sequence[Sequence[str]]) -> Figure:
    """Maps in rows, each with its name below it and a scale of its own, from -its largest value.

    Args:
        rows: as many maps in each row, every one of shape ``(n_rows, n_columns)``.
        names: a name for each map, in the same order; formulas between dollar signs are set.
    """
    pitch = 258
    height = pitch * len(rows)
    panels = []
    for down, row in enumerate(rows):
        for across, values in enumerate(np.asarray(row, dtype=float)):
            bound = float(np.abs(values).max()) or 1.0
            left, right = across / len(row), (across + 1) / len(row)
            top, bottom = pitch * down + 14, height - pitch * (down + 1) + 62
            box = Box(left=left, right=right, top=top, bottom=bottom, before=30, after=10)
            x = counting(values.shape[1], most=4)
            y = counting(values.shape[0], down=True, most=4)
            panels.append(Panel(box=box, x=x, y=y, layers=(Map(values, -bound, bound),)))
    figure = paint(Scene(height=height, panels=tuple(panels)))
    for axes, name in zip(figure.axes, np.ravel(names), strict=True):
        axes.set_xlabel(name, size=LABEL_SIZE + 2)
    return figure


LARGEST_SHOWN = 1e100
"""Beyond it Matplotlib runs out of numbers for its scale."""


def comparison(expected: NDArray, got: NDArray) -> Figure:
    """Three maps on one scale: what was expected, what came, and the difference.

    Both have the same shape; all dimensions but the last are laid out one below the other. NaN,
    infinity and anything nearly as large stay empty.
    """
    rows = [
        np.where(np.abs(array) < LARGEST_SHOWN, array, np.nan).reshape(-1, array.shape[-1])
        for array in (expected, got)
    ]
    tables = [*rows, rows[1] - rows[0]]
    bound = float(np.nanmax(np.abs(tables), initial=1e-9))
    shown = [Map(table, -bound, bound) for table in tables]
    return paint(Scene(height=280, panels=maps_in_a_row(shown, SAID["column"], SAID["comparison"])))
