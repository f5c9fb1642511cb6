"""Pictures for lesson 06: wavelengths, similarity, and positions in number formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ..encodings import angular_frequencies
from ..frequencies import normalized_dot_product, wavelengths
from ..precision import rounded_to
from ..words.text import words
from .drawing import COLORS, blank, by_powers, in_course_style, in_words

__all__ = ["fading_by_base", "told_apart", "wavelengths_by_base"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
MARKS = ("o", "s", "^")
LINES = ("-", "--", "-.")
FARTHEST = 10_000
WINDOWS = ((248, 26), (2040, 26))
"""First position and length of each window in which bfloat16 or float16 begins to skip numbers.

Each window ends with a complete tile in both formats. A tile that is cut to one position would look
like an exact number.
"""


@in_course_style
def wavelengths_by_base(
    d_model: int, bases: Sequence[float], length: int, language: str | None = None
) -> Figure:
    """Plot the number of positions per turn of each hand, for up to three bases.

    Args:
        d_model: Number of dimensions, which must be even. There are ``d_model // 2`` hands.
        bases: At most three bases.
        length: Length of a text in positions, drawn as a line.
        language: Language of all labels.
    """
    figure, ((axes,),) = blank(360, left=98)
    by_powers(axes.yaxis)
    for base, mark in zip(bases, MARKS, strict=False):
        longest = wavelengths(angular_frequencies(d_model, base=base))
        name = f"{in_words(TEXTS['base'], language)} {base}"
        axes.plot(np.arange(d_model // 2), longest, mark, markersize=5, label=name)
    axes.axhline(length, color=COLORS["grey"], linewidth=1, linestyle="--")
    label = in_words(TEXTS["text"].format(length=length), language)
    below = {"xytext": (0, -4), "textcoords": "offset points", "ha": "right", "va": "top"}
    axes.annotate(label, (d_model // 2 - 1, length), **below)
    axes.set_xlabel(in_words(TEXTS["hand"], language))
    axes.set_title(in_words(TEXTS["wavelength"], language))
    axes.legend(loc="upper left")
    return figure


@in_course_style
def fading_by_base(d_model: int, bases: Sequence[float], language: str | None = None) -> Figure:
    """Plot similarity against distance on a logarithmic axis, for up to three bases."""
    distances = np.geomspace(1, FARTHEST, 97).round().astype(int)
    figure, ((axes,),) = blank(320)
    axes.axhline(0, color=COLORS["faint"], linewidth=1)
    for base, line in zip(bases, LINES, strict=False):
        similarity = normalized_dot_product(distances, angular_frequencies(d_model, base=base))
        name = f"{in_words(TEXTS['base'], language)} {base}"
        axes.plot(distances, similarity, line, linewidth=1.6, label=name)
    by_powers(axes.xaxis)
    axes.set_xlabel(in_words(TEXTS["distance"], language))
    axes.set_title(in_words(TEXTS["similarity"], language))
    axes.legend(loc="upper right")
    return figure


@in_course_style
def told_apart(formats: Sequence[str], language: str | None = None) -> Figure:
    """Draw one tile for all positions that a format rounds to the same number.

    Args:
        formats: Keys of ``precision.FORMATS``, one for each row of tiles.
        language: Language of the axes.
    """
    height = 40 + (36 * len(formats) + 46) * len(WINDOWS)
    figure, panels = blank(height, len(WINDOWS), 1, left=94, down=76)
    for (axes,), (first, n_positions) in zip(panels, WINDOWS, strict=True):
        positions = np.arange(first, first + n_positions)
        for row, name in enumerate(formats):
            held = rounded_to(name, positions)
            for number, value in enumerate(np.unique(held)):
                tile = positions[held == value]
                color = COLORS["position" if len(tile) > 1 else "word"]
                width, alpha = tile[-1] - tile[0] + 0.9, 0.85 if number % 2 else 0.55
                axes.barh(row, width, 0.8, tile[0] - 0.45, color=color, alpha=alpha)
        axes.set(
            xlim=(first - 0.7, first + n_positions - 0.3),
            ylim=(len(formats) - 0.5, -0.5),
            yticks=range(len(formats)),
            yticklabels=formats,
            xticks=positions[::4],
        )
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(in_words(TEXTS["position"], language))
    return figure
