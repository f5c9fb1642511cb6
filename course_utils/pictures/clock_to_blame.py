"""Pictures of the clock of RoPE that causes the loss beyond the training length.

Runs come from ``experiments/which_clock.json``: bits per character with single pairs held, and the
mean products of each pair in each head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..encodings import angular_frequencies
from ..words.text import words
from .drawing import COLORS, blank, in_course_style, in_words

__all__ = ["added_to_scores", "harm_undone", "share_undone", "what_the_clock_adds"]

SAID = words(Path(__file__).with_suffix(".toml"))
MARKS = {32: ("s", "position"), 64: ("o", "word"), 128: ("^", "green")}
"""Markers of the training lengths, so that colour is not the only distinction."""


def share_undone(run: Mapping) -> NDArray[np.float64]:
    """Return the share of the loss beyond the training length that holding each pair recovers.

    At 0, the model reads as badly as without holding; at 1, as well as with a window of the
    training length.

    Returns:
        Shape ``(n_pairs,)``.

    Example:
        >>> share_undone({"bits": {"beyond": 5, "window": 2, "held": [5, 2.75, 3.5]}})
        array([0.  , 0.75, 0.5 ])
    """
    bits = run["bits"]
    return (bits["beyond"] - np.array(bits["held"])) / (bits["beyond"] - bits["window"])


def added_to_scores(run: Mapping, pair: int, distances: NDArray) -> NDArray[np.float64]:
    """Return what one pair adds, on average, to the score of a key at each distance.

    Queries and keys of the pair are assumed to be independent of the distance: the mean of their
    product only turns with it.

    Returns:
        Shape ``(n_layers * n_heads, len(distances))``.

    Example:
        >>> run = {"d_head": 2, "mean_products": [[[[3.0, 0.0]]]]}
        >>> added_to_scores(run, 0, np.array([0, np.pi])).round(4)
        array([[ 3., -3.]])
    """
    products = np.array(run["mean_products"])[:, :, pair] @ [1, 1j]
    turns = np.exp(1j * np.asarray(distances) * angular_frequencies(run["d_head"])[pair])
    return (products.reshape(-1, 1) * turns).real


@in_course_style
def harm_undone(runs: Sequence[Mapping], language: str | None = None) -> Figure:
    """Draw the recovered share against each pair's turns in training."""
    figure, ((axes,),) = blank(430, left=76, bottom=122)
    for length, (marker, color) in MARKS.items():
        ours = [run for run in runs if run["trained_length"] == length]
        turns = np.concatenate([run["turns"] for run in ours])
        undone = np.concatenate([share_undone(run) for run in ours])
        name = in_words(SAID["trained-on"].format(length=length), language)
        look = {"color": COLORS[color], "markersize": 6, "alpha": 0.6, "linestyle": ""}
        axes.plot(turns, 100 * undone, marker, label=name, **look)
    axes.axhline(0, color=COLORS["grey"], linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks(ticks := [0.001, 0.01, 0.1, 1, 10], labels=[f"{tick:g}" for tick in ticks])
    axes.set_yticks((0, 50, 100), labels=("0 %", "50 %", "100 %"))
    axes.set(xlabel=in_words(SAID["turns"], language), ylim=(-40, 110))
    axes.set_title(in_words(SAID["undone"], language))
    figure.legend(loc="lower center", ncols=2)
    return figure


@in_course_style
def what_the_clock_adds(run: Mapping, language: str | None = None) -> Figure:
    """Draw the responsible pair's part of each head's scores, up to four training lengths."""
    largest = run["trained_length"] - 2
    distances = np.arange(4 * run["trained_length"])
    figure, ((axes,),) = blank(340)
    axes.axvspan(0, largest, color=COLORS["faint"], alpha=0.4, linewidth=0)
    axes.axvline(largest, color=COLORS["grey"], linewidth=1, linestyle=":")
    axes.axhline(0, color=COLORS["grey"], linewidth=1)
    for head in added_to_scores(run, run["blamed"], distances):
        axes.plot(distances[: largest + 1], head[: largest + 1], color=COLORS["word"])
        axes.plot(distances[largest:], head[largest:], "--", color=COLORS["position"])
    axes.set(xlim=(0, distances[-1]), xlabel=in_words(SAID["steps-back"], language))
    axes.set_title(in_words(SAID["added"], language))
    return figure
