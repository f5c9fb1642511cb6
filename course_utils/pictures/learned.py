"""A picture of the gears in the learned position vectors of all-MiniLM-L6-v2."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ..learned_positions import (
    CLEAN_ROWS,
    N_DIRECTIONS,
    continuous_phases,
    fit_clocks,
    learned_rows,
)
from ..words.text import words
from .drawing import COLORS, blank, in_course_style, in_words

__all__ = ["gears_along_table"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
PAIRS = (("position", "-"), ("word", "--"), ("sum", ":"))
"""Colour and line style of each pair of neighbouring clocks, from fastest to slowest."""


@in_course_style
def gears_along_table(outside: Sequence[float], language: str | None = None) -> Figure:
    """Plot the gear ratios along the table, and the length of each vector outside ten directions.

    Args:
        outside: For each position, the proportion of the vector's length outside the ten
            directions.
        language: Language of all labels.
    """
    clean = CLEAN_ROWS["minilm"]
    rows = learned_rows("minilm")[1:, : N_DIRECTIONS["minilm"]]
    clocks = fit_clocks(rows[clean.start - 1 : clean.stop - 1])
    turns = continuous_phases(rows @ clocks.planes, clocks.angles) / (2 * np.pi)
    turns -= turns[clean.start - 1]
    positions = np.arange(1, len(rows) + 1)
    figure, ((above,), (below,)) = blank(620, 2, 1)
    for pair, (color, line) in enumerate(PAIRS):
        name = in_words(TEXTS["clocks"].format(fast=pair + 1, slow=pair + 2), language)
        drift = turns[:, pair] - 3 * turns[:, pair + 1]
        above.plot(positions, drift, line, color=COLORS[color], label=name, linewidth=2)
    above.legend(loc="upper right")
    above.set_title(in_words(TEXTS["drift"], language))
    below.plot(positions, outside[1:], color=COLORS["position"], linewidth=1.2)
    below.set_ylim(0, 1)
    below.set_title(in_words(TEXTS["outside"], language))
    below.set_xlabel(in_words(TEXTS["position"], language))
    for axes in (above, below):
        for end in (clean.start, clean.stop - 1):
            axes.axvline(end, color=COLORS["grey"], linewidth=1, linestyle="--")
    return figure
