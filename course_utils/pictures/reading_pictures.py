"""Static pictures of the model that reads: texts coloured by surprise, a head's map, and tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from ..text_model import TRAINED_LENGTH

__all__ = ["attention_map", "coloured_texts"]

COLUMNS = 56
SURPRISING = 4.0
MOST = 7.0
HEAT = np.array([228, 87, 70]) / 255
LINE = "#0072b2"
INK = "#222222"
ROW = 0.27  # inches
LETTER = 0.145


def coloured_texts(texts: Sequence[tuple[str, ArrayLike]]) -> Figure:
    """Texts in rows of whole words, each character as red as it was surprising.

    Args:
        texts: each with the bits of all its characters but the first, or of as many as were read.
            Those of more than 4 bits are underlined, those not read grey.
    """
    all_places = [places_in_rows(text, COLUMNS) for text, _ in texts]
    n_rows = [int(places[-1][0]) + 1 for places in all_places]
    height = sum(n_rows) + 0.8 * (len(texts) - 1)
    figure = Figure(figsize=(COLUMNS * LETTER + 0.3, height * ROW + 0.3), layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-1, COLUMNS + 1), ylim=(height + 0.5, -0.6))
    axes.axis("off")
    above = 0.0
    for (text, bits), places, n in zip(texts, all_places, n_rows, strict=True):
        _paint_text(axes, text, np.asarray(bits), places + (above, 0))
        above += n + 0.8
    return figure


def places_in_rows(text: str, n_columns: int) -> NDArray[np.float64]:
    """Row and column of each character, no word in two rows unless it is longer than one.

    Returns:
        Shape ``(len(text), 2)``.

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


def _paint_text(axes: object, text: str, bits: NDArray, places: NDArray) -> None:
    for i, (letter, (row, column)) in enumerate(zip(text, places, strict=True)):
        unread = i > len(bits)
        share = 0.0 if i == 0 or unread else min(1.0, bits[i - 1] / MOST)
        color = tuple(1 - share * 0.9 * (1 - HEAT))
        axes.add_patch(Rectangle((column, row - 0.4), 1, 0.8, color="#eeeeee" if unread else color))
        if i and not unread and bits[i - 1] > SURPRISING:
            axes.plot([column, column + 1], [row + 0.37] * 2, color=INK, lw=1.6)
        axes.text(
            column + 0.5, row, letter, ha="center", va="center", family="monospace", fontsize=11,
            color="#767676" if unread else INK,
        )  # fmt: skip
    if len(text) > TRAINED_LENGTH:
        row, column = places[TRAINED_LENGTH]
        line = [(0, row + 0.5), (column, row + 0.5), (column, row - 0.5), (COLUMNS, row - 0.5)]
        axes.plot(*zip(*line, strict=True), color=LINE, lw=2)
        axes.text(
            COLUMNS + 0.1, row - 0.5, str(TRAINED_LENGTH), color=LINE, va="center", fontsize=9,
            weight="bold",
        )  # fmt: skip


def attention_map(attention: ArrayLike) -> Figure:
    """The attention of one head, shape ``(n, n)``, with lines where training ended.

    Rows look and columns are looked at. Colours follow the root of the attention, so that faint
    marks can be seen, too.
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
