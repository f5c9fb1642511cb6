"""Static pictures of the model that reads: texts coloured by surprise, a head's map, and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..text_model import TRAINED_LENGTH
from ..words.text import words

__all__ = ["attention_map", "bits_after_steps", "bits_by_length", "coloured_texts"]

SAID = words(Path(__file__).with_name("reading_pictures.toml"))
INKS = {
    "none": "#5f6b7a",
    "learned": "#6b5b00",
    "sinusoidal": "#b85000",
    "alibi": "#7b3294",
    "rope": "#0072b2",
    "trained": "#0072b2",
    "interpolation": "#9b3d7d",
    "ntk": "#00795a",
    "yarn": "#b85000",
}
MARKERS = dict(zip(INKS, "sv^oDDPX*", strict=True))
HIGHEST = 6.5  # bits

COLUMNS = 56
SURPRISING = 4.0
MOST = 7.0
HEAT = np.array([228, 87, 70]) / 255
LINE = "#0072b2"
INK = "#222222"
SIZE = 13  # points
LETTER = 0.6021 * SIZE / 72  # inches, of DejaVu Sans Mono, which Matplotlib brings
ROW = 0.3  # inches


def coloured_texts(texts: Sequence[tuple[str, ArrayLike]]) -> Figure:
    """Texts in rows of whole words, each character as red as it was surprising.

    Args:
        texts: each with the bits of all its characters but the first, or of as many as were read.
            Those of more than 4 bits are underlined, those not read grey.
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


def _paint_text(axes: Axes, text: str, bits: NDArray, places: NDArray) -> None:
    n_read = len(bits) + 1
    # The first character was not guessed, and what has no bits was not read.
    surprise = np.concatenate([[0.0], bits, np.zeros(len(text) - n_read)])
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
        axes.text(
            COLUMNS + 0.3, row - 0.5, str(TRAINED_LENGTH), color=LINE, va="center", weight="bold"
        )


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


def bits_by_length(measured: Mapping[str, Mapping[int, ArrayLike]]) -> Figure:
    """How many bits a character costs in texts of each length, a line for each way to read.

    Args:
        measured: by encoding or stretch, then by length, one number for each seed; as
            ``text_model.measured_bits`` gives them. Seeds are dots, the line is their mean.
    """
    figure = Figure(figsize=(7.6, 4.2), layout="constrained")
    axes = figure.add_subplot()
    _dots_and_lines(
        axes, {name: {np.log2(n): of for n, of in each.items()} for name, each in measured.items()}
    )
    lengths = sorted({length for each in measured.values() for length in each})
    axes.axvline(np.log2(TRAINED_LENGTH), color=LINE, lw=2, zorder=0)
    axes.set_xticks(np.log2(lengths), map(str, lengths))
    axes.set_xlabel(SAID["axes"]["length"].shown_line)
    return figure


def bits_after_steps(tuned: Mapping[int, Mapping[str, Mapping[int, ArrayLike]]]) -> Figure:
    """What further training mends, a panel for each length of the texts.

    Args:
        tuned: by length of the texts, by stretch, by the number of further steps, one number for
            each seed; as ``text_model_runs.tuned_bits`` gives them.
    """
    figure = Figure(figsize=(9.4, 4.0), layout="constrained")
    panels = figure.subplots(1, len(tuned), sharey=True, squeeze=False)[0]
    for axes, (length, ways) in zip(panels, tuned.items(), strict=True):
        steps = sorted({each for way in ways.values() for each in way})
        places = {each: place for place, each in enumerate(steps)}
        by_place = {name: {places[n]: of for n, of in way.items()} for name, way in ways.items()}
        _dots_and_lines(axes, by_place, named=axes is panels[-1])
        axes.set_xticks(range(len(steps)), map(str, steps))
        axes.set_xlabel(SAID["axes"]["steps"].shown_line)
        axes.set_title(SAID["axes"]["at"].format(length=length).shown_line, fontsize=10)
    return figure


def _dots_and_lines(
    axes: Axes, measured: Mapping[str, Mapping[float, ArrayLike]], *, named: bool = True
) -> None:
    """Each seed a dot, a line through the means, and its name at the right end."""
    ends = []
    farthest = max(max(each) for each in measured.values())
    for name, by_place in measured.items():
        ink, places = INKS[name], sorted(by_place)
        means = [np.mean(by_place[place]) for place in places]
        axes.plot(places, means, color=ink, lw=2)
        for place in places:
            values = np.atleast_1d(by_place[place])
            axes.plot(
                np.full(len(values), place), values, MARKERS[name], color=ink, ms=5, mec="white",
                mew=0.4,
            )  # fmt: skip
        ends.append((means[-1], places[-1], name))
    below = -np.inf
    for height, place, name in sorted(ends) if named else ():
        # Names move up until none stands over another; one that ends early stands at its end.
        at = max(height, below + 0.42) if place == farthest else height - 0.35
        below = at if place == farthest else below
        label = {**SAID["encodings"], **SAID["stretches"]}[name].shown_line
        axes.annotate(
            f" {label}", (place, height), (place, at), color=INKS[name], va="center", fontsize=10,
            weight="bold", annotation_clip=False,
        )  # fmt: skip
    axes.set(ylim=(1.2, HIGHEST))
    if axes.get_subplotspec().is_first_col():
        axes.set_ylabel(SAID["axes"]["bits"].shown_line)
    axes.grid(axis="y", color="#dddddd", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
