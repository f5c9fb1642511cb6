"""Data in, Matplotlib Figure out: these functions draw, keep nothing and show nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

__all__ = [
    "COLORS",
    "attention_frame",
    "attention_map",
    "clock_dials",
    "clock_frame",
    "curve_frame",
    "curve_with_lengths",
    "dot_product_curve",
    "dot_product_points",
    "encoding_heatmap",
    "heatmap_frame",
    "two_lines",
    "vectors_of_words",
    "wave_rows",
    "word_plus_position",
]

COLORS = {"ink": "#222222", "grey": "#767676", "blue": "#0072B2", "orange": "#B85000"}
"""After Okabe and Ito, told apart by colour-blind readers; the orange is darkened for contrast."""

DIVERGING = "RdBu_r"
"""Symmetric about zero: blue below, white at 0, red above."""

FROM_ZERO = "Blues"
"""White at 0, darker with every step up."""

WIDTH, DOTS_PER_INCH = 9.0, 100
LABEL_SIZE, TICK_SIZE = 12, 11
POSITION_LABEL = "position i · posición i"
DIMENSION_LABEL = "dimension j · dimensión j"
VALUE_LABEL = "value · valor"


def heatmap_frame() -> Figure:
    """What all pictures of :func:`encoding_heatmap` have in common, to be painted over and over.

    Most of the time of a drawing goes into texts, so those that never change are drawn once and
    kept as pixels.

    Returns:
        Figure with the axes "heatmap", "values" and "scale".
    """
    figure = _new_figure(3.7)
    heatmap = _add_axes(figure, (0.08, 0.17, 0.61, 0.80), "heatmap")
    values = _add_axes(figure, (0.71, 0.17, 0.17, 0.80), "values")
    scale = _add_axes(figure, (0.915, 0.17, 0.015, 0.80), "scale")
    _paint(heatmap, np.zeros((1, 1)), DIVERGING, -1.0, 1.0)
    box = heatmap.get_position()
    figure.text(
        (box.x0 + box.x1) / 2, 0.067, POSITION_LABEL, size=LABEL_SIZE, ha="center", va="center"
    )
    figure.text(
        0.005, (box.y0 + box.y1) / 2, DIMENSION_LABEL, size=LABEL_SIZE, va="center", rotation=90
    )
    values.set_yticks([])
    values.set_xticks([-1, 0, 1], labels=_numerals([-1, 0, 1]))
    values.set_xlim(-1.08, 1.08)
    values.set_xlabel(VALUE_LABEL, fontsize=LABEL_SIZE)
    values.axvline(0, color=COLORS["grey"], linewidth=0.8)
    _color_scale(scale, DIVERGING, -1.0, 1.0)
    _keep_as_pixels(figure, [values, scale, *figure.texts])
    return figure


def encoding_heatmap(table: ArrayLike, frame: Figure | None = None) -> Figure:
    """A table of encodings lying on its side: a column for each position, a row for each dimension.

    The second axes, on the right, is left empty for the values at one position.

    Args:
        table: shape ``(n_positions, d_model)``, values in [-1, 1].
        frame: a figure from :func:`heatmap_frame` to paint on, which takes a third of the time of
            a new one.

    Returns:
        The frame, or a new figure like it.
    """
    table = np.asarray(table)
    n_positions, d_model = table.shape
    figure = heatmap_frame() if frame is None else frame
    heatmap, values, _ = figure.axes
    (image,) = heatmap.images
    image.set_data(table.T)
    image.set_extent((-0.5, n_positions - 0.5, d_model - 0.5, -0.5))
    heatmap.set_xticks(round_ticks(n_positions))
    heatmap.set_yticks(round_ticks(d_model))
    heatmap.set(xlim=(-0.5, n_positions - 0.5), ylim=(d_model - 0.5, -0.5))
    values.set_ylim(d_model - 0.5, -0.5)
    return figure


def vectors_of_words(words: Sequence[str], vectors: ArrayLike, changes: ArrayLike) -> Figure:
    """One column for each word of a sentence, and below it how much its vector has changed.

    Args:
        words: the words in their order.
        vectors: shape ``(n_words, d_model)``.
        changes: shape ``(n_words,)``, each at least 0.

    Returns:
        Figure with the axes "heatmap", "changes" and "scale".
    """
    vectors, changes = np.asarray(vectors), np.asarray(changes)
    n_words, d_model = vectors.shape
    bound = 1.75
    figure = _new_figure(4.2)
    heatmap = _add_axes(figure, (0.1, 0.42, 0.78, 0.55), "heatmap")
    below = _add_axes(figure, (0.1, 0.07, 0.78, 0.2), "changes")
    scale = _add_axes(figure, (0.9, 0.42, 0.015, 0.55), "scale")
    _paint(heatmap, vectors, DIVERGING, -bound, bound)
    heatmap.set_xticks(range(n_words), labels=[word.replace(" · ", "\n") for word in words])
    heatmap.set_yticks(round_ticks(d_model, most=4))
    heatmap.set_ylabel(DIMENSION_LABEL.replace(" · ", "\n"), fontsize=LABEL_SIZE)
    below.bar(range(n_words), changes, color=COLORS["orange"], width=0.6)
    below.set(xlim=(-0.5, n_words - 0.5), ylim=(0, 1.5))
    below.set_xticks([])
    below.set_yticks([0, 1])
    below.set_ylabel("change\ncambio", fontsize=LABEL_SIZE)
    _color_scale(scale, DIVERGING, -bound, bound)
    return figure


def word_plus_position(word: ArrayLike, position: ArrayLike) -> Figure:
    """Three vectors as strips, one below the other: the word, its position, and their sum.

    Args:
        word: shape ``(d_model,)``.
        position: shape ``(d_model,)``.

    Returns:
        Figure with the axes "strips" and "scale".
    """
    word, position = np.asarray(word), np.asarray(position)
    rows = np.stack([word, position, word + position])
    bound = float(np.abs(rows).max())
    figure = _new_figure(2.5)
    strips = _add_axes(figure, (0.1, 0.25, 0.78, 0.7), "strips")
    scale = _add_axes(figure, (0.9, 0.25, 0.015, 0.7), "scale")
    _paint(strips, rows.T, DIVERGING, -bound, bound)
    strips.set_xticks(range(len(word)))
    strips.set_yticks(range(3), labels=["$w$", "$p$", "$e = w + p$"])
    strips.set_xlabel(DIMENSION_LABEL, fontsize=LABEL_SIZE)
    strips.hlines([0.5, 1.5], -0.5, len(word) - 0.5, color="white", linewidth=6)
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            dark = abs(value) > 0.6 * bound
            strips.text(
                column,
                row,
                f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
                size=TICK_SIZE,
                color="white" if dark else COLORS["ink"],
                ha="center",
                va="center",
            )
    _color_scale(scale, DIVERGING, -bound, bound)
    return figure


def curve_with_lengths(shares: ArrayLike, longest: float) -> Figure:
    """A word's share of the sum against its position; beside it, room for the two lengths.

    Args:
        shares: shape ``(n_positions,)``, from 0 to 1.
        longest: the largest length that the second axes must hold.

    Returns:
        Figure with the axes "shares" and "lengths".
    """
    shares = np.asarray(shares)
    figure = _new_figure(3.4)
    curve = _add_axes(figure, (0.08, 0.18, 0.52, 0.79), "shares")
    lengths = _add_axes(figure, (0.68, 0.18, 0.29, 0.79), "lengths")
    curve.plot(100 * shares, color=COLORS["blue"], linewidth=2)
    curve.set(xlim=(-0.5, len(shares) - 0.5), ylim=(0, 100))
    curve.set_xticks(round_ticks(len(shares), most=6))
    curve.set_yticks([0, 25, 50, 75, 100])
    curve.set_xlabel(POSITION_LABEL, fontsize=LABEL_SIZE)
    curve.set_ylabel("word, % · palabra, %", fontsize=LABEL_SIZE)
    lengths.set(xlim=(0, 1.05 * longest), ylim=(1.5, -0.5))
    lengths.set_xticks([tick for tick in round_ticks(int(longest) + 1, most=4)])
    lengths.set_yticks([0, 1], labels=["$w$", "$p$"])
    lengths.set_xlabel("length · longitud", fontsize=LABEL_SIZE)
    return figure


def two_lines(first: ArrayLike, second: ArrayLike) -> Figure:
    """Two sequences of values against position, told apart by colour and by marker.

    Args:
        first: shape ``(n_positions,)``.
        second: shape ``(other_n_positions,)``.

    Returns:
        Figure with the axes "lines".
    """
    figure = _new_figure(3.4)
    lines = _add_axes(figure, (0.08, 0.18, 0.89, 0.79), "lines")
    longest = max(len(first), len(second))
    for values, color, marker in ((first, "blue", "o"), (second, "orange", "s")):
        lines.plot(
            values,
            color=COLORS[color],
            marker=marker,
            markersize=5,
            linewidth=1.5,
            label=f"L = {len(values)}",
            zorder=3 - len(values) / longest,  # the shorter one is not hidden under the longer
        )
    lines.set(xlim=(-0.5, longest - 0.5), ylim=(-0.08, 1.08))
    lines.set_xticks(round_ticks(longest, most=12))
    lines.set_yticks([0, 0.5, 1])
    lines.set_xlabel(POSITION_LABEL, fontsize=LABEL_SIZE)
    lines.set_ylabel(VALUE_LABEL, fontsize=LABEL_SIZE)
    lines.legend(loc="lower right", fontsize=TICK_SIZE)
    return figure


def dot_product_points(dot_products: ArrayLike) -> Figure:
    """The dot product of each pair of positions that are equally far apart, as points.

    Args:
        dot_products: shape ``(n_pairs,)``; entry ``i`` belongs to the pair that starts at ``i``.

    Returns:
        Figure with the axes "points".
    """
    dot_products = np.asarray(dot_products)
    low, high = min(0.0, dot_products.min()), max(1e-12, dot_products.max())
    margin = 0.12 * (high - low)
    figure = _new_figure(3.4)
    points = _add_axes(figure, (0.13, 0.18, 0.84, 0.79), "points")
    points.plot(dot_products, "o", color=COLORS["blue"], markersize=5)
    points.set(xlim=(-0.5, len(dot_products) - 0.5), ylim=(low - margin, high + margin))
    points.set_xticks(round_ticks(len(dot_products)))
    points.locator_params(axis="y", nbins=5)
    points.set_xlabel(POSITION_LABEL, fontsize=LABEL_SIZE)
    points.set_ylabel("dot product\nproducto escalar", fontsize=LABEL_SIZE)
    points.yaxis.set_label_coords(-0.09, 0.5)  # stays there when the numbers grow
    points.axhline(0, color=COLORS["grey"], linewidth=0.8)
    return figure


def wave_rows(positions: ArrayLike, waves: ArrayLike) -> Figure:
    """Waves on one axis of positions, each in a row of its own.

    Args:
        positions: shape ``(n_points,)``, in positions.
        waves: shape ``(n_waves, n_points)``, values from 0 to 1.

    Returns:
        Figure with one axes for each wave, top to bottom.
    """
    positions, waves = np.asarray(positions), np.asarray(waves)
    figure = _new_figure(3.7)
    height = 0.8 / len(waves)
    for row, wave in enumerate(waves):
        axes = _add_axes(
            figure, (0.1, 0.97 - (row + 1) * height, 0.87, 0.8 * height), f"wave {row}"
        )
        axes.plot(positions, wave, color=COLORS["blue"], linewidth=2)
        axes.set(xlim=(positions[0], positions[-1]), ylim=(-0.15, 1.15))
        axes.set_yticks([0, 1])
        axes.set_xticks([])
        axes.set_ylabel(f"$j = {row}$", fontsize=LABEL_SIZE, rotation=0, ha="right", va="center")
    axes.set_xticks(round_ticks(int(positions[-1] + 0.5) + 1, most=16))
    axes.set_xlabel(POSITION_LABEL, fontsize=LABEL_SIZE)
    return figure


def clock_frame(n_dials: int) -> Figure:
    """Dials without hands and names, to be named over and over by :func:`clock_dials`.

    Args:
        n_dials: number of dials, at least 1.

    Returns:
        Figure with one axes for each dial, left to right, both axes from -1.1 to 1.1.
    """
    figure = _new_figure(2.7)
    for number in range(n_dials):
        dial = figure.add_axes((number / n_dials, 0.14, 1 / n_dials, 0.8), aspect="equal")
        dial.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        dial.add_patch(Circle((0, 0), 1, fill=False, color=COLORS["grey"], linewidth=1.5))
        angles = np.arange(12) * np.pi / 6
        dial.plot(0.93 * np.sin(angles), 0.93 * np.cos(angles), ".", color=COLORS["grey"])
        dial.set_axis_off()
    _keep_as_pixels(figure, figure.axes)
    for number in range(n_dials):
        figure.text((number + 0.5) / n_dials, 0.07, "", size=LABEL_SIZE, ha="center", va="center")
    return figure


def clock_dials(angular_frequencies: ArrayLike, frame: Figure | None = None) -> Figure:
    """One dial for each angular frequency, without its hand.

    Args:
        angular_frequencies: shape ``(n_pairs,)``, radians per position.
        frame: a figure from :func:`clock_frame` with as many dials.

    Returns:
        The frame, or a new figure like it.
    """
    frequencies = np.asarray(angular_frequencies)
    figure = clock_frame(len(frequencies)) if frame is None else frame
    for pair, (name, frequency) in enumerate(zip(figure.texts, frequencies, strict=True)):
        # Plain letters: a formula takes twenty times as long to draw.
        name.set_text(f"ω{chr(ord('₀') + pair)} = {frequency:.3g}")
    return figure


def dot_product_curve(
    offsets: ArrayLike, normalized: ArrayLike, *, logarithmic: bool = False
) -> Figure:
    """The normalised dot product of two positions against how far apart they are.

    Args:
        offsets: shape ``(n_offsets,)``, in positions, rising; above 0 on a logarithmic axis.
        normalized: shape ``(n_offsets,)``, from -1 to 1.
        logarithmic: whether equal steps on the x axis are equal factors.

    Returns:
        Figure with the axes "curve".
    """
    offsets, normalized = np.asarray(offsets), np.asarray(normalized)
    figure = _curve_axes(offsets, min(-0.45, normalized.min() - 0.05))
    (curve,) = figure.axes
    curve.plot(offsets, normalized, color=COLORS["blue"], linewidth=2)
    if logarithmic:
        curve.set_xscale("log")
        curve.set_xlim(offsets[0], offsets[-1])
        curve.xaxis.set_major_formatter("{x:.0f}")
    return figure


def curve_frame(offsets: ArrayLike) -> Figure:
    """Axes for any curve over these offsets, to be redrawn over and over.

    Args:
        offsets: shape ``(n_offsets,)``, in positions, rising.

    Returns:
        Figure with the axes "curve", whose only line takes one value for each offset.
    """
    figure = _curve_axes(np.asarray(offsets), -1.08)
    (curve,) = figure.axes
    curve.set_yticks([-1, -0.5, 0, 0.5, 1])
    _keep_as_pixels(figure, [curve])
    curve.set_visible(True)
    curve.set_axis_off()
    (zero,) = curve.lines  # is among the pixels
    zero.remove()
    curve.plot(offsets, np.zeros(len(offsets)), color=COLORS["blue"], linewidth=2)
    return figure


def _curve_axes(offsets: np.ndarray, lowest: float) -> Figure:
    figure = _new_figure(3.4)
    curve = _add_axes(figure, (0.12, 0.18, 0.83, 0.79), "curve")
    curve.axhline(0, color=COLORS["grey"], linewidth=0.8)
    curve.set(xlim=(offsets[0] - 0.5, offsets[-1] + 0.5), ylim=(lowest, 1.08))
    curve.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10], integer=True))
    curve.set_yticks([0, 0.5, 1])
    label = "offset · desplazamiento" if offsets[0] < 0 else "distance · distancia"
    curve.set_xlabel(label, fontsize=LABEL_SIZE)
    curve.set_ylabel("normalised dot product\nproducto escalar normalizado", fontsize=LABEL_SIZE)
    return figure


def attention_frame() -> Figure:
    """What all pictures of :func:`attention_map` have in common, to be painted over and over.

    Returns:
        Figure with the axes "map", "weights" and "scale".
    """
    figure = _new_figure(4.2)
    grid = _add_axes(figure, (0.09, 0.15, 0.6, 0.82), "map")
    beside = _add_axes(figure, (0.71, 0.15, 0.17, 0.82), "weights")
    scale = _add_axes(figure, (0.915, 0.15, 0.015, 0.82), "scale")
    _paint(grid, np.zeros((1, 1)), FROM_ZERO, 0.0, 1.0)
    figure.text(0.39, 0.05, "query i · consulta i", size=LABEL_SIZE, ha="center", va="center")
    figure.text(0.005, 0.56, "key j · clave j", size=LABEL_SIZE, va="center", rotation=90)
    beside.set_xlim(0, 1)
    beside.set_yticks([])
    beside.set_xticks([0, 1])
    beside.set_xlabel("attention\natención", fontsize=LABEL_SIZE, labelpad=-8)
    _color_scale(scale, FROM_ZERO, 0.0, 1.0)
    _keep_as_pixels(figure, [beside, scale, *figure.texts])
    return figure


def attention_map(
    weights: ArrayLike, first_position: int = 0, frame: Figure | None = None
) -> Figure:
    """Where each query looks: a column for each query, a row for each key, dark where it looks.

    The second axes, on the right, is left empty for the weights of one query.

    Args:
        weights: shape ``(n_positions, n_positions)``, from 0 to 1.
        first_position: the position of the first query and of the first key.
        frame: a figure from :func:`attention_frame` to paint on.

    Returns:
        The frame, or a new figure like it.
    """
    weights = np.asarray(weights)
    n_positions = len(weights)
    figure = attention_frame() if frame is None else frame
    grid, beside, _ = figure.axes
    (image,) = grid.images
    image.set_data(weights.T)
    image.set_extent((-0.5, n_positions - 0.5, n_positions - 0.5, -0.5))
    ticks = round_ticks(n_positions)
    for axis in (grid.xaxis, grid.yaxis):
        axis.set_ticks(ticks, labels=[str(first_position + tick) for tick in ticks])
    grid.set(xlim=(-0.5, n_positions - 0.5), ylim=(n_positions - 0.5, -0.5))
    beside.set_ylim(n_positions - 0.5, -0.5)
    return figure


def round_ticks(count: int, most: int = 7) -> list[int]:
    """Whole numbers from 0 to ``count - 1`` in a round step, at most ``most`` of them."""
    steps = (step * 10**power for power in range(12) for step in (1, 2, 5))
    step = next(step for step in steps if count <= step * most)
    return list(range(0, count, step))


def _new_figure(height: float) -> Figure:
    figure = Figure(figsize=(WIDTH, height), dpi=DOTS_PER_INCH)
    FigureCanvasAgg(figure)
    return figure


def _add_axes(figure: Figure, box: tuple[float, float, float, float], label: str) -> Axes:
    axes = figure.add_axes(box, label=label)
    axes.tick_params(labelsize=TICK_SIZE)
    return axes


def _keep_as_pixels(figure: Figure, finished: Sequence[Artist]) -> None:
    """Draw what is finished for the last time, and put the picture of it in its place."""
    others = [artist for artist in (*figure.axes, *figure.texts) if artist not in finished]
    for artist in others:
        artist.set_visible(False)
    figure.canvas.draw()
    pixels = np.array(figure.canvas.buffer_rgba())
    for artist in others:
        artist.set_visible(True)
    for artist in finished:
        artist.set_visible(False)
    figure.add_artist(_Pixels(pixels))


class _Pixels(Artist):
    """A picture of the whole figure; unlike ``Figure.figimage``, it is not sampled again."""

    zorder = -1

    def __init__(self, rgba: np.ndarray) -> None:
        super().__init__()
        self._from_below = np.ascontiguousarray(rgba[::-1])

    def draw(self, renderer: RendererAgg) -> None:
        renderer.draw_image(renderer.new_gc(), 0, 0, self._from_below)


def _paint(axes: Axes, table: np.ndarray, colors: str, low: float, high: float) -> None:
    axes.imshow(table.T, aspect="auto", cmap=colors, vmin=low, vmax=high, interpolation="nearest")


def _color_scale(axes: Axes, colors: str, low: float, high: float) -> None:
    """The colours of a picture from ``low`` to ``high``; cheaper to draw than a Colorbar."""
    ramp = np.linspace(high, low, 64)[:, np.newaxis]
    axes.imshow(ramp, aspect="auto", cmap=colors, vmin=low, vmax=high, extent=(0, 1, low, high))
    ticks = sorted({low, 0.0, high})
    axes.set_xticks([])
    axes.set_yticks(ticks, labels=_numerals(ticks))
    axes.yaxis.tick_right()


def _numerals(numbers: Sequence[float]) -> list[str]:
    return [f"{number:.3g}".replace("-", "\N{MINUS SIGN}") for number in numbers]
