"""Pictures of the RoPE clock that causes the loss beyond the training length.

The runs in ``experiments/which_clock.json`` contain the bits per character with single pairs held,
and the mean product of each pair in each head. The runs in ``experiments/clocks_at_scale.json``
have heads with more pairs, and contain the bits per character of every text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..encodings import angular_frequencies
from ..words.text import words
from .drawing import COLORS, blank, in_course_style, in_words

__all__ = [
    "Estimate",
    "added_to_scores",
    "bits_by_text",
    "gain_by_turns",
    "harm_undone",
    "mean_difference",
    "share_of_gain",
    "share_undone",
    "what_the_clock_adds",
]

TEXTS = words(Path(__file__).with_suffix(".toml"))
MARKS = {32: ("s", "position"), 64: ("o", "word"), 128: ("^", "green")}
"""Marker and colour of each training length."""
SEED_MARKS = (("o", "word"), ("s", "position"), ("^", "green"))
"""Marker and colour of each seed of the larger heads."""


class Estimate(NamedTuple):
    """A mean over texts with its standard error."""

    mean: float
    error: float


def bits_by_text(runs: Sequence[Mapping], way: str, factor: int) -> NDArray[np.float64]:
    """Return the bits per character of each text, averaged over runs that read the same texts.

    Args:
        runs: Runs of the task ``reading`` in ``experiments/clocks_at_scale.json``.
        way: Key of ``bits`` in these runs, such as ``"band at half"``.
        factor: Length of the texts as a multiple of the training length: 1, 4 or 8.

    Returns:
        Array of shape ``(n_texts,)``.

    Example:
        >>> bits_by_text([{"bits": {"4": {"free": [4.0, 5.0]}}}], "free", 4)
        array([4., 5.])
    """
    return np.mean([run["bits"][str(factor)][way] for run in runs], axis=0)


def mean_difference(bits: ArrayLike, reference: ArrayLike) -> Estimate:
    """Return the mean difference between paired measurements, with its standard error.

    Both arguments contain the bits per character of the same texts, in the same order.

    Example:
        >>> difference = mean_difference([2.5, 3.0, 3.5], [2.0, 2.0, 2.0])
        >>> round(difference.mean, 3), round(difference.error, 3)
        (1.0, 0.289)
    """
    differences = np.asarray(bits, dtype=float) - np.asarray(reference, dtype=float)
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return Estimate(float(differences.mean()), float(error))


def share_of_gain(free: ArrayLike, bits: ArrayLike, window: ArrayLike) -> Estimate:
    """Return the proportion of a window's gain that another method recovers.

    The value is 0 if the method has no effect, and 1 if it is as effective as the window. All three
    arguments contain the bits per character of the same texts, in the same order. The standard
    error is a jackknife estimate that omits one text at a time.

    Example:
        >>> share = share_of_gain([5, 6, 4], [3, 3, 3], [2, 2, 2])
        >>> round(share.mean, 3), round(share.error, 3)
        (0.667, 0.066)
    """
    free, bits, window = (np.asarray(each, dtype=float) for each in (free, bits, window))
    gained, most = free - bits, free - window
    without = (gained.sum() - gained) / (most.sum() - most)
    n_texts = len(free)
    error = np.sqrt((n_texts - 1) / n_texts * np.square(without - without.mean()).sum())
    return Estimate(float(gained.sum() / most.sum()), float(error))


def share_undone(run: Mapping) -> NDArray[np.float64]:
    """Return the share of the loss beyond the training length that holding each pair recovers.

    The value is 0 if holding the pair has no effect, and 1 if it is as effective as a window of the
    training length.

    Returns:
        Array of shape ``(n_pairs,)``.

    Example:
        >>> share_undone({"bits": {"beyond": 5, "window": 2, "held": [5, 2.75, 3.5]}})
        array([0.  , 0.75, 0.5 ])
    """
    bits = run["bits"]
    return (bits["beyond"] - np.array(bits["held"])) / (bits["beyond"] - bits["window"])


def added_to_scores(run: Mapping, pair: int, distances: NDArray) -> NDArray[np.float64]:
    """Return the mean contribution of one pair to the score of a key at each distance.

    The queries and keys are assumed to be independent of distance, so that distance only rotates
    their mean product.

    Returns:
        Array of shape ``(n_layers * n_heads, len(distances))``.

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
    """Plot the recovered proportion of the loss against each pair's turns in training."""
    figure, ((axes,),) = blank(430, left=76, bottom=122)
    for length, (marker, color) in MARKS.items():
        ours = [run for run in runs if run["trained_length"] == length]
        turns = np.concatenate([run["turns"] for run in ours])
        undone = np.concatenate([share_undone(run) for run in ours])
        name = in_words(TEXTS["trained-on"].format(length=length), language)
        look = {"color": COLORS[color], "markersize": 6, "alpha": 0.6, "linestyle": ""}
        axes.plot(turns, 100 * undone, marker, label=name, **look)
    axes.axhline(0, color=COLORS["grey"], linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks(ticks := [0.001, 0.01, 0.1, 1, 10], labels=[f"{tick:g}" for tick in ticks])
    axes.set_yticks((0, 50, 100), labels=("0 %", "50 %", "100 %"))
    axes.set(xlabel=in_words(TEXTS["turns"], language), ylim=(-40, 110))
    axes.set_title(in_words(TEXTS["undone"], language))
    figure.legend(loc="lower center", ncols=2)
    return figure


@in_course_style
def what_the_clock_adds(run: Mapping, language: str | None = None) -> Figure:
    """Plot the responsible pair's contribution to the scores of each head against distance."""
    largest = run["trained_length"] - 2
    distances = np.arange(4 * run["trained_length"])
    figure, ((axes,),) = blank(340)
    axes.axvspan(0, largest, color=COLORS["faint"], alpha=0.4, linewidth=0)
    axes.axvline(largest, color=COLORS["grey"], linewidth=1, linestyle=":")
    axes.axhline(0, color=COLORS["grey"], linewidth=1)
    for head in added_to_scores(run, run["blamed"], distances):
        axes.plot(distances[: largest + 1], head[: largest + 1], color=COLORS["word"])
        axes.plot(distances[largest:], head[largest:], "--", color=COLORS["position"])
    axes.set(xlim=(0, distances[-1]), xlabel=in_words(TEXTS["steps-back"], language))
    axes.set_title(in_words(TEXTS["added"], language))
    return figure


@in_course_style
def gain_by_turns(runs: Sequence[Mapping], language: str | None = None) -> Figure:
    """Plot the recovered proportion of the window's gain against the clocks' turns in training.

    Clocks are held at half of the largest distance in training. In the upper panel, single clocks
    are held. In the lower panel, groups of neighbouring clocks are held. Each group is as large as
    the shaded group, which the lesson's rule chooses. Each line spans the clocks that are held
    together.

    Args:
        runs: Runs of the task ``reading`` in ``experiments/clocks_at_scale.json``, with different
            seeds.
        language: Language of the labels.
    """
    figure, panels = blank(540, 2, left=76, bottom=100, down=50, sharex=True, sharey=True)
    turns, band = np.array(runs[0]["turns"]), runs[0]["band"]
    for row, (held, n_held) in enumerate({"singles": 1, "neighbours": len(band)}.items()):
        axes = panels[row, 0]
        axes.axvspan(turns[band[-1]], turns[band[0]], color=COLORS["faint"], alpha=0.4, linewidth=0)
        axes.axhline(0, color=COLORS["grey"], linewidth=1)
        axes.axhline(100, color=COLORS["grey"], linewidth=1, linestyle=":")
        sets = [turns[first : first + n_held] for first in range(len(turns) - n_held + 1)]
        centres = np.array([np.sqrt(each[0] * each[-1]) for each in sets])
        shares = np.array([_shares_at_half(run, held) for run in runs])
        for seed, (share, (marker, color)) in enumerate(zip(shares, SEED_MARKS, strict=True)):
            name = in_words(TEXTS["seed"].format(seed=seed), language)
            look = {"color": COLORS[color], "markersize": 5, "alpha": 0.7, "linestyle": ""}
            axes.plot(centres, 100 * share, marker, label=name, **look)
        if n_held > 1:
            for each, share in zip(sets, shares.mean(axis=0), strict=True):
                axes.hlines(100 * share, each[-1], each[0], color=COLORS["grey"], linewidth=1)
        axes.set_title(in_words(TEXTS[held], language))
    axes.set_xscale("log")
    axes.set_xticks(ticks := [0.001, 0.01, 0.1, 1, 10], labels=[f"{tick:g}" for tick in ticks])
    axes.set_yticks((0, 50, 100), labels=("0 %", "50 %", "100 %"))
    axes.set(xlabel=in_words(TEXTS["turns"], language), ylim=(-25, 112))
    figure.legend(*axes.get_legend_handles_labels(), loc="lower center", ncols=3)
    return figure


def _shares_at_half(run: Mapping, held: str) -> list[float]:
    """Return the recovered proportion of the window's gain for each set of held clocks."""
    free, window = (bits_by_text([run], way, 4) for way in ("free", "window"))
    return [share_of_gain(free, each, window).mean for each in run[f"{held} at half"]]
