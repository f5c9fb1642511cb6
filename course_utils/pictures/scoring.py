"""Pictures for lesson 08: scores as a function of the distance to the key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from ..attention import softmax
from ..relative import alibi_slopes, t5_buckets
from ..words.text import words
from .drawing import COLORS, blank, in_course_style, in_words

__all__ = ["bucket_stairs", "penalty_shares", "scores_of_all"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
FARTHEST = 160
"""Maximum number of steps back on the axis."""

LOWEST = -8
"""Lower end of the axis, below which keys receive almost no attention."""


@in_course_style
def bucket_stairs(numbers: ArrayLike, language: str | None = None) -> Figure:
    """Plot T5's bias against steps back, with one stair per bucket.

    ``numbers`` contains the biases of a decoder, which only looks back, with shape
    ``(n_buckets,)``.
    """
    numbers = np.asarray(numbers)
    back = np.arange(FARTHEST + 1)
    buckets = t5_buckets(-back, n_buckets=len(numbers), bidirectional=False)
    figure, ((axes,),) = blank(300)
    for bucket in np.unique(buckets)[1::2]:
        inside = back[buckets == bucket]
        axes.axvspan(inside[0] - 0.5, inside[-1] + 0.5, color=COLORS["faint"], alpha=0.5, lw=0)
    axes.axhline(0, color=COLORS["grey"], linewidth=0.8)
    axes.step(back, numbers[buckets], where="mid", color=COLORS["position"])
    axes.set(xlim=(-0.5, FARTHEST + 0.5), xlabel=in_words(TEXTS["back"], language))
    axes.set_title(in_words(TEXTS["added"], language))
    return figure


@in_course_style
def penalty_shares(n_heads: int, n_keys: int, language: str | None = None) -> Figure:
    """Draw the attention of each ALiBi head at each distance if all words are equal."""
    slopes = alibi_slopes(n_heads)
    ends = (0, 11, 101, 1001, n_keys)
    shares = np.array(
        [np.add.reduceat(softmax(-slope * np.arange(n_keys)), ends[:-1]) for slope in slopes]
    )
    figure, ((axes,),) = blank(112 + 30 * n_heads, left=92, bottom=100, top=12)
    start = np.zeros(n_heads)
    colors = (COLORS["word"], COLORS["green"], COLORS["position"], COLORS["ink"])
    for share, name, color in zip(shares.T, TEXTS["stretches"], colors, strict=True):
        label = in_words(name, language)
        axes.barh(range(n_heads), share, left=start, color=color, label=label, height=0.75)
        start += share
    axes.set_yticks(range(n_heads), labels=[f"1/{1 / slope:.0f}" for slope in slopes])
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    axes.set_ylabel(in_words(TEXTS["slope"], language))
    figure.legend(loc="lower center", ncols=2)
    return figure


@in_course_style
def scores_of_all(
    curves: Mapping[str, tuple[ArrayLike, ArrayLike]], language: str | None = None
) -> Figure:
    """Plot scores against steps back for an early and a later query, with a panel per scheme.

    Args:
        curves: Scores of six schemes, keyed by their names in scoring.toml. Each entry contains two
            arrays of scores at 0, 1, 2, ... steps back, for the early and the later query.
        language: Language of all labels.
    """
    figure, panels = blank(
        650, 3, 2, sharex=True, sharey=True, left=52, right=20, down=44, bottom=128
    )
    looks = (("early", "word", "-"), ("later", "position", "--"))
    for axes, (name, both) in zip(panels.flat, curves.items(), strict=True):
        axes.axhline(0, color=COLORS["faint"], linewidth=1)
        for (who, color, line), scores in zip(looks, both, strict=True):
            label = in_words(TEXTS[who], language)
            axes.plot(scores, line, color=COLORS[color], linewidth=1.4, label=label)
        axes.set(ylim=(LOWEST, 5))
        axes.set_title(in_words(TEXTS["schemes"][name], language))
    for axes in panels[-1]:
        axes.set_xlabel(in_words(TEXTS["back"], language))
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="lower center")
    return figure
