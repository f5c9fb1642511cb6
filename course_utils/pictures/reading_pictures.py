"""Static pictures of the character model: texts coloured by surprise, and attention maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Wedge
from numpy.typing import ArrayLike, NDArray

from ..text_model import TRAINED_LENGTH
from .on_paper import COLORS

__all__ = ["attention_map", "clocks_above_text", "coloured_texts", "texts_at_starts"]


COLUMNS = 56
SURPRISING = 4.0
MOST = 7.0
HEAT = np.array(to_rgb(COLORS["surprise"]))
LINE = COLORS["word"]
SEEN = "#dcb08c"
INK = COLORS["ink"]
SIZE = 13  # points
LETTER = 0.6021 * SIZE / 72  # inches; for DejaVu Sans Mono, which comes with Matplotlib
ROW = 0.3  # inches


def coloured_texts(texts: Sequence[tuple[str, ArrayLike]]) -> Figure:
    """Draw texts in which more surprising characters are darker red.

    Args:
        texts: Pairs of a text and the surprise of its characters, in bits, from the second
            character to the last that was read. Characters with more than 4 bits are underlined,
            and unread characters are grey.
    """
    all_places = [places_in_rows(text, COLUMNS) for text, _ in texts]
    n_rows = [int(places[-1][0]) + 1 for places in all_places]
    height = sum(n_rows) + 0.8 * (len(texts) - 1)
    figure = Figure(figsize=((COLUMNS + 5) * LETTER, (height + 0.4) * ROW), layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-1, COLUMNS + 4), ylim=(height - 0.1, -0.9))
    axes.axis("off")
    above = 0.0
    for (text, bits), places, n in zip(texts, all_places, n_rows, strict=True):
        _paint_text(axes, text, np.asarray(bits), places + (above, 0))
        above += n + 0.8
    return figure


def places_in_rows(text: str, n_columns: int) -> NDArray[np.float64]:
    """Return the row and column of each character.

    Only words that are longer than a row are split.

    Returns:
        Array of shape ``(len(text), 2)``.

    Example:
        >>> places_in_rows("a bee", 4).tolist()
        [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]
    """
    places, row, column, start = [], 0, 0, 0
    while start < len(text):
        end = text.find(" ", start)
        end = len(text) if end < 0 else end + 1
        if column and column + len(text[start:end].rstrip()) > n_columns:
            row, column = row + 1, 0
        for _ in range(start, end):
            if column > n_columns:
                row, column = row + 1, 0
            places.append((row, column))
            column += 1
        start = end
    return np.array(places, dtype=np.float64)


def clocks_above_text(turning: ArrayLike, text: str, bits: ArrayLike) -> Figure:
    """Draw clocks in a row, and below them the text coloured by surprise.

    On each dial, angles that occur in training are filled, and angles that occur only in the text
    are striped.

    Args:
        turning: Rotation of each clock per character, in radians.
        text: Text of at most a few rows.
        bits: Surprise of all characters except the first, in bits.
    """
    figure = coloured_texts([(text, bits)])
    width, height = figure.get_size_inches()
    dials = width / len(turning)  # inches
    figure.set_size_inches(width, height + 1.3 * dials)
    share = height / (height + 1.3 * dials)
    figure.axes[0].set_position((0, 0, 1, share))
    axes = figure.add_axes((0, share, 1, 1 - share))
    axes.set(xlim=(0, len(turning)), ylim=(0, 1.3))
    axes.axis("off")
    for k, each in enumerate(turning):
        seen, reach = (
            min(360.0, np.degrees(n * each)) for n in (TRAINED_LENGTH - 2, len(text) - 1)
        )
        centre = (k + 0.5, 0.48)
        style = {"facecolor": "white", "edgecolor": COLORS["grey"]}
        axes.add_patch(Circle(centre, 0.42, **style))
        if reach > seen:
            style = {"facecolor": "#fbe0dc", "edgecolor": HEAT, "hatch": "////", "lw": 0}
            axes.add_patch(Wedge(centre, 0.42, 90 - reach, 90 - seen, **style))
        axes.add_patch(Wedge(centre, 0.42, 90 - seen, 90, facecolor=SEEN))
        tip = (len(text) - 1) * each
        x, y = (
            [centre[0], centre[0] + 0.42 * np.sin(tip)],
            [centre[1], centre[1] + 0.42 * np.cos(tip)],
        )
        axes.plot(x, y, color=INK, lw=1.5)
        axes.text(k + 0.5, 1.0, str(k + 1), ha="center", weight="bold", color=INK)
    return figure


def texts_at_starts(
    names: Sequence[str], text: str, bits: Mapping[int, Sequence[ArrayLike]]
) -> Figure:
    """Draw the surprise of one row of text for several models and starting positions.

    Args:
        names: Names of the models.
        text: Text of at most 64 characters.
        bits: For each starting position and each model, the surprise in bits, from the second
            character to the last that was read. The array is empty if the text could not be read.
    """
    before = max(map(len, names)) + 2
    n_rows = (len(names) + 1.4) * len(bits)
    figure = Figure(figsize=((before + len(text) + 2) * LETTER, n_rows * ROW), layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-before - 1, len(text) + 1), ylim=(n_rows - 0.9, -0.9))
    axes.axis("off")
    places = np.stack([np.zeros(len(text)), np.arange(len(text))], axis=1)
    row = 0.0
    for start, its in bits.items():
        for column in range(0, len(text), 16):
            axes.text(
                column, row, f"{start + column}", va="center", color=COLORS["position"], fontsize=10
            )
        for name, each in zip(names, its, strict=True):
            row += 1
            axes.text(-1, row, name, ha="right", va="center", color=INK, fontsize=11)
            _paint_text(axes, text, np.asarray(each), places + (row, 0), is_read=len(each) > 0)
        row += 1.4
    return figure


def _paint_text(
    axes: Axes, text: str, bits: NDArray, places: NDArray, is_read: bool = True
) -> None:
    n_read = (len(bits) + 1) * is_read
    # The first character is not predicted, and characters without bits were not read.
    surprise = np.concatenate([[0.0], bits, np.zeros(len(text) - len(bits) - 1)])
    colors = 1 - np.minimum(1, surprise / MOST)[:, None] * 0.9 * (1 - HEAT)
    colors[n_read:] = 0.93
    for row in np.unique(places[:, 0]):
        (here,) = np.nonzero(places[:, 0] == row)
        cells = [(column, 1) for column in places[here, 1]]
        axes.broken_barh(cells, (row - 0.4, 0.8), facecolors=colors[here])
        high = [(places[i, 1], 1) for i in here if surprise[i] > SURPRISING]
        axes.broken_barh(high, (row + 0.32, 0.08), facecolors=INK)
        line = "".join(text[i] for i in here)
        axes.text(0, row, line, va="center", family="monospace", fontsize=SIZE, color=INK)
    if len(text) > TRAINED_LENGTH:
        row, column = places[TRAINED_LENGTH]
        corners = [(0, row + 0.5), (column, row + 0.5), (column, row - 0.5), (COLUMNS, row - 0.5)]
        axes.plot(*zip(*corners, strict=True), color=LINE, lw=2)
        style = {"color": LINE, "va": "center", "weight": "bold"}
        axes.text(COLUMNS + 0.3, row - 0.5, str(TRAINED_LENGTH), **style)


def attention_map(attention: ArrayLike) -> Figure:
    """Draw the attention of one head, with lines at the end of the training length.

    ``attention`` has the shape ``(n, n)``, with queries as rows and keys as columns. Colours
    represent the square root of the attention, so that small values are visible.
    """
    attention = np.asarray(attention)
    n = len(attention)
    figure = Figure(figsize=(4.4, 4.2), layout="constrained")
    axes = figure.add_subplot()
    shown = np.where(np.tri(n, dtype=bool), np.sqrt(attention), np.nan)
    edges = (0.5, n + 0.5, n + 0.5, 0.5)
    axes.imshow(shown, cmap="Blues", vmin=0, vmax=1, extent=edges, interpolation="nearest")
    if n > TRAINED_LENGTH:
        end = TRAINED_LENGTH + 0.5
        axes.plot([0.5, end, n + 0.5], [end, end, end], color=LINE, lw=1.5)
        axes.plot([end, end], [end, n + 0.5], color=LINE, lw=1.5)
    ticks = [1, *range(TRAINED_LENGTH, n + 1, TRAINED_LENGTH)]
    axes.set(xticks=ticks, yticks=ticks)
    return figure
