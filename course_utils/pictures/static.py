"""Static pictures for the lessons.

Each function draws a picture in one language. ``show(name, function, *arguments)`` calls the
function once for each language. If no language is passed, the labels contain all languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from ..frequencies import normalized_dot_product
from ..words.text import typeset, words
from .drawing import COLORS, RAMPS, blank, by_powers, in_course_style, in_words, signed_map

__all__ = [
    "comparison",
    "dot_product_curve",
    "encoding_heatmap",
    "fading_similarity",
    "maps_in_rows",
    "rounding_errors",
    "similarity_by_base",
    "two_curves",
    "two_layouts",
    "word_plus_position",
]

TEXTS = words(Path(__file__).with_suffix(".toml"))

FARTHEST = 10_000
"""Largest distance for which similarity is drawn, in positions."""

LARGEST_SHOWN = 1e100
"""Largest number that Matplotlib can map to a colour without overflow."""


def _named(name: str, language: str | None) -> str:
    return in_words(TEXTS[name], language)


@in_course_style
def similarity_by_base(
    bases: ArrayLike,
    closest: Mapping[str, ArrayLike],
    far: Mapping[str, ArrayLike],
    language: str | None = None,
) -> Figure:
    """Plot the largest similarity of distant pairs and the mean over the far half against the base.

    Args:
        bases: Increasing array of shape ``(n_bases,)``.
        closest: Values from -1 to 1 with shape ``(n_bases,)``, keyed by the name of the curve.
        far: Values for the second panel, in the same format.
        language: Language of the axes.
    """
    panels = {"closest": closest, "far": far}
    figure, (above, _) = _two_panels(bases, "base", panels, language)
    above.set_ylim(-0.15, 1)
    return figure


@in_course_style
def rounding_errors(
    positions: ArrayLike,
    angles: Mapping[str, ArrayLike],
    sines: Mapping[str, ArrayLike],
    language: str | None = None,
) -> Figure:
    """Plot the errors of angles and of stored sines against the position, for each format.

    Args:
        positions: Increasing array of shape ``(n_positions,)``, greater than 0.
        angles: Errors in radians with shape ``(n_positions,)``, keyed by format. Undefined errors
            are NaN.
        sines: Errors of stored sines, in the same format.
        language: Language of the axes.
    """
    panels = {"angles": angles, "sines": sines}
    figure, halves = _two_panels(positions, "position", panels, language)
    for axes in halves:
        by_powers(axes.yaxis)
    return figure


def _two_panels(
    x: ArrayLike, name: str, panels: Mapping[str, Mapping[str, ArrayLike]], language: str | None
) -> tuple[Figure, Sequence[Axes]]:
    """Draw two stacked panels with up to three curves each and a shared logarithmic x axis."""
    figure, grid = blank(560, 2, sharex=True, sharey=True, left=80, right=48, bottom=110, down=50)
    halves = grid[:, 0]
    for axes, (title, curves) in zip(halves, panels.items(), strict=True):
        by_powers(axes.xaxis)
        axes.set_title(_named(title, language))
        for (curve, values), line in zip(curves.items(), ("-", "--", "-."), strict=False):
            axes.plot(x, values, line, label=curve)
    halves[1].set_xlabel(_named(name, language))
    figure.legend(*halves[0].get_legend_handles_labels(), loc="lower center", ncols=3)
    return figure, halves


@in_course_style
def fading_similarity(frequencies: ArrayLike, language: str | None = None) -> Figure:
    """Draw each wave's contribution to the similarity at each distance, and the waves' mean below.

    On the logarithmic axis, a straight dashed line falls from 1 at distance 1 to 0 at a distance
    equal to the base.

    Args:
        frequencies: Decreasing geometric sequence of shape ``(n_pairs,)``, in radians per position.
        language: Language of the axes.
    """
    frequencies = np.asarray(frequencies)
    distances = np.geomspace(1, FARTHEST, 161)
    figure, ((above,), (below,)) = blank(480, 2, 1, sharex=True, height_ratios=(5, 4))
    waves = np.cos(np.outer(frequencies, distances))
    numbers = np.arange(len(frequencies))
    above.pcolormesh(distances, numbers, waves, cmap=RAMPS["diverging"], vmin=-1, vmax=1)
    above.invert_yaxis()
    above.set_title(_named("wave", language))
    below.axhline(0, color=COLORS["faint"], linewidth=1)
    below.plot(distances, normalized_dot_product(distances, frequencies), color=COLORS["ink"])
    base = (frequencies[0] / frequencies[-1]) ** (len(frequencies) / (len(frequencies) - 1))
    below.plot(distances, 1 - np.log(distances) / np.log(base), "--", color=COLORS["position"])
    by_powers(below.xaxis)
    below.set(xlim=(1, FARTHEST), xlabel=_named("distance", language))
    below.set_title(_named("similarity", language))
    return figure


@in_course_style
def encoding_heatmap(table: ArrayLike, language: str | None = None) -> Figure:
    """Draw a table as a map with positions along the x axis.

    The table must have the shape ``(n_positions, d_model)`` and values in [-1, 1].
    """
    figure, ((axes,),) = blank(370, right=44, top=16)
    image = signed_map(axes, np.asarray(table).T, 1)
    axes.set(xlabel=_named("position", language), ylabel=_named("dimension", language))
    axes.yaxis.get_major_locator().set_params(integer=True)
    figure.colorbar(image, ax=axes, ticks=(-1, 0, 1), pad=0.03, fraction=0.06)
    return figure


@in_course_style
def two_layouts(paired: ArrayLike, halves: ArrayLike, language: str | None = None) -> Figure:
    """Draw the neighbours layout and the halves layout of a table.

    Sines and cosines alternate in ``paired``, and all sines come first in ``halves``. Both tables
    have the shape ``(n_positions, d_model)`` and values in [-1, 1].
    """
    figure, grid = blank(580, 2, sharex=True, right=64, down=48)
    for (axes,), table, name in zip(grid, (paired, halves), TEXTS["layouts"], strict=True):
        image = signed_map(axes, table, 1)
        axes.set(title=in_words(name, language), ylabel=_named("position", language))
    axes.set_xlabel(_named("dimension", language))
    figure.colorbar(image, ax=list(grid.flat), ticks=(-1, 0, 1), pad=0.03, fraction=0.05)
    return figure


@in_course_style
def dot_product_curve(
    offsets: ArrayLike, normalized: ArrayLike, language: str | None = None
) -> Figure:
    """Plot the normalised dot product of two positions against their distance.

    Both arrays have the shape ``(n_offsets,)``. The offsets must be increasing, and ``normalized``
    must be between -1 and 1.
    """
    offsets, normalized = np.asarray(offsets), np.asarray(normalized)
    figure, ((axes,),) = blank(340)
    axes.axhline(0, color=COLORS["faint"], linewidth=1)
    axes.plot(offsets, normalized, color=COLORS["ink"])
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(
        ylim=(min(-0.45, float(normalized.min()) - 0.05), 1.08),
        xlabel=_named("offset" if offsets[0] < 0 else "distance", language),
        title=_named("normalized", language),
    )
    return figure


@in_course_style
def word_plus_position(word: ArrayLike, position: ArrayLike, language: str | None = None) -> Figure:
    """Draw a word vector, a position vector and their sum as coloured strips."""
    word, position = np.asarray(word), np.asarray(position)
    rows = np.stack([word, position, word + position])
    bound = float(np.abs(rows).max())
    figure, ((axes,),) = blank(240, left=76, right=8, top=16)
    signed_map(axes, rows, bound)
    for (row, column), value in np.ndenumerate(rows):
        color = COLORS["paper" if abs(value) > 0.6 * bound else "ink"]
        text = typeset(f"{value:.2f}")
        axes.text(column, row, text, color=color, ha="center", va="center", fontsize=11)
    axes.set_xticks(range(len(word)))
    axes.set_xlabel(_named("dimension", language))
    axes.set_yticks(range(3), labels=("w", "p", "w + p"))
    for label, name in zip(axes.get_yticklabels(), ("word", "position", "sum"), strict=True):
        label.set(color=COLORS[name], size="large")
    return figure


@in_course_style
def maps_in_rows(rows: Sequence[Sequence[ArrayLike]], names: Sequence[Sequence[str]]) -> Figure:
    """Draw rows of maps, with a name and a colour scale for each map.

    Zero is white, and the number furthest from zero in a map has the darkest colour.

    Args:
        rows: Rows of maps, each map with shape ``(n_rows, n_columns)``. All rows must have the same
            number of maps.
        names: Name of each map, in the same order. Text between dollar signs is typeset as a
            formula.
    """
    n_columns = len(rows[0])
    height = len(rows) * (420 // n_columns + 42) + 48
    shared = {"sharex": True, "sharey": True, "across": 12, "down": 46, "bottom": 74}
    figure, grid = blank(height, len(rows), n_columns, left=44, right=20, top=14, **shared)
    for axes, values, name in zip(
        grid.flat, (values for row in rows for values in row), np.ravel(names), strict=True
    ):
        signed_map(axes, values)
        axes.locator_params(nbins=4, integer=True)
        axes.set_xlabel(name, size="large")
    return figure


@in_course_style
def comparison(expected: NDArray, got: NDArray, language: str | None = None) -> Figure:
    """Draw the expected output, the actual output and their difference as maps on the same scale.

    Both outputs must have the same shape. All axes except the last are flattened to rows. Cells
    with NaN, infinity or very large numbers are empty.
    """
    rows = [
        np.where(np.abs(array) < LARGEST_SHOWN, array, np.nan).reshape(-1, array.shape[-1])
        for array in (expected, got)
    ]
    tables = [*rows, rows[1] - rows[0]]
    bound = float(np.nanmax(np.abs(tables), initial=1e-9))
    figure, (thirds,) = blank(280, 1, 3, sharey=True, right=112, across=12)
    for axes, table, name in zip(thirds, tables, TEXTS["comparison"], strict=True):
        image = signed_map(axes, table, bound)
        axes.locator_params(nbins=3, integer=True)
        axes.set_title(in_words(name, language))
        axes.set_xlabel(_named("column", language))
    thirds[0].set_ylabel(_named("row", language))
    scale = thirds[2].inset_axes((1.1, 0, 0.08, 1))
    figure.colorbar(image, cax=scale, ticks=MaxNLocator(4))
    return figure


@in_course_style
def two_curves(expected: NDArray, got: NDArray, language: str | None = None) -> Figure:
    """Plot the expected values as a solid line and the actual values as a dashed line.

    Both arrays have the shape ``(n,)``. NaN, infinity and very large numbers leave gaps.
    """
    figure, ((axes,),) = blank(300, bottom=88)
    names = (in_words(name, language) for name in TEXTS["comparison"])
    for array, name, line in zip((expected, got), names, ("-o", "--s"), strict=False):
        shown = np.where(np.abs(array) < LARGEST_SHOWN, array, np.nan)
        axes.plot(shown, line, label=name, markersize=4)
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel(_named("entry", language))
    figure.legend(*axes.get_legend_handles_labels(), loc="lower center", ncols=2)
    return figure
