"""Pictures of surprise and attention beyond the training length.

The runs are stored in ``experiments/text_model.json``. Each run contains its settings and the bits
per character for each language and length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from ..attention import softmax
from ..stretching import yarn_scale
from ..text_model import TRAINED_LENGTH
from ..words.encoding_names import ENCODING_NAMES
from ..words.text import words
from .drawing import COLORS, RAMPS, blank, in_course_style, in_words

__all__ = [
    "attention_by_distance",
    "bits_after_training",
    "bits_by_length",
    "flatter_attention",
    "recall_by_distance",
    "shares_by_distance",
    "shares_of_heads",
]

TEXTS = words(Path(__file__).with_suffix(".toml"))
MARKS = {
    "none": ("v", "slate"),
    "learned": ("D", "olive"),
    "sinusoidal": ("s", "position"),
    "rope": ("o", "word"),
    "alibi": ("^", "green"),
}
"""Marker and colour of each encoding."""

WAYS = {
    "trained": ("o", "word"),
    "interpolation": ("s", "position"),
    "ntk": ("^", "green"),
    "yarn": ("D", "purple"),
}


def _named(name: str, language: str | None) -> str:
    return in_words(TEXTS[name], language)


def mean_bits(by_language: Mapping[str, Mapping[str, float]], length: int) -> float:
    """Return the bits per character at a length, averaged over both languages."""
    return float(np.mean([bits[str(length)] for bits in by_language.values()]))


@in_course_style
def bits_by_length(runs: Sequence[Mapping], language: str | None = None) -> Figure:
    """Plot bits per character against length, with a dot per seed and a line through the means."""
    figure, ((axes,),) = blank(400, right=124)
    for encoding, (marker, color) in MARKS.items():
        ours = [run for run in runs if run["encoding"] == encoding]
        lengths = [int(length) for length in next(iter(ours[0]["bits"].values()))]
        bits = np.array([[mean_bits(run["bits"], each) for each in lengths] for run in ours])
        _dots_and_line(axes, lengths, bits, marker, COLORS[color])
        name = in_words(ENCODING_NAMES[encoding], language)
        # If a line stops early, other lines pass close to its end, so its label is lower.
        lower = 0 if lengths[-1] > TRAINED_LENGTH else -12
        _beside_the_end(axes, lengths[-1], bits.mean(axis=0)[-1], name, COLORS[color], lower)
    axes.axvline(TRAINED_LENGTH, color=COLORS["grey"], linewidth=1, linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths_shown := [32, 64, 128, 256, 512], labels=map(str, lengths_shown))
    axes.set(xlabel=_named("length", language), ylim=(1.5, 6.2))
    axes.set_title(_named("bits", language))
    return figure


@in_course_style
def bits_after_training(runs: Sequence[Mapping], language: str | None = None) -> Figure:
    """Plot the bits per character of stretched RoPE against the number of further training steps.

    The upper panel is for texts with four times the training length, and the lower panel is for
    texts with the training length.
    """
    runs = [run for run in runs if run["encoding"] == "rope"]
    figure, grid = blank(600, 2, sharex=True, sharey=True, bottom=128, down=50)
    halves = grid[:, 0]
    for axes, length in zip(halves, (4 * TRAINED_LENGTH, TRAINED_LENGTH), strict=True):
        for way, (marker, color) in WAYS.items():
            steps = list(runs[0]["tuned"][way])
            bits = np.array(
                [[mean_bits(run["tuned"][way][step], length) for step in steps] for run in runs]
            )
            name = _named(way, language)
            _dots_and_line(axes, range(len(steps)), bits, marker, COLORS[color], label=name)
        axes.set_xticks(range(len(steps)), labels=steps)
        axes.set(xlim=(-0.3, len(steps) - 0.7))
        axes.set_title(in_words(TEXTS["at-length"].format(length=length), language))
    axes.set_xlabel(_named("steps", language))
    figure.legend(*halves[0].get_legend_handles_labels(), loc="lower center", ncols=2)
    return figure


def _dots_and_line(
    axes: Axes, x: Sequence[float], bits: NDArray, marker: str, color: str, label: str = ""
) -> None:
    """Draw one dot per value in ``bits``, and a line through the means of the columns."""
    for row in bits:
        axes.plot(x, row, marker, color=color, markersize=4, alpha=0.6)
    axes.plot(x, bits.mean(axis=0), color=color, marker=marker, markersize=6, label=label)


def _beside_the_end(axes: Axes, x: float, y: float, name: str, color: str, lower: int = 0) -> None:
    place = {"xytext": (12, lower), "textcoords": "offset points", "va": "center"}
    axes.annotate(name, (x, y), color=color, annotation_clip=False, **place)


def shares_by_distance(attention: ArrayLike, trained_length: int) -> NDArray[np.float64]:
    """Return a causal head's attention to near keys, keys at training distances, and farther keys.

    The near keys are the character itself and the previous character.

    Args:
        attention: Attention of one head, with shape ``(n, n)``.
        trained_length: Number of characters in a training text, at least 3. The last character is
            not read in training, so the largest distance is ``trained_length - 2``.

    Returns:
        Array of shape ``(n // trained_length, 3)``, with one row for each block of
        ``trained_length`` queries. The three proportions in a row sum to 1.

    Example:
        >>> attention = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
        >>> shares_by_distance(attention, 4)
        array([[0.75, 0.  , 0.25]])
    """
    attention = np.asarray(attention, dtype=float)
    n = len(attention)
    steps_back = np.subtract.outer(np.arange(n), np.arange(n))
    is_near, is_unseen = steps_back < 2, steps_back >= trained_length - 1
    kinds = (is_near, ~is_near & ~is_unseen, is_unseen)
    shares = np.stack([np.where(kind, attention, 0).sum(axis=1) for kind in kinds], axis=1)
    n_stretches = n // trained_length
    return shares[: n_stretches * trained_length].reshape(n_stretches, -1, 3).mean(axis=1)


@in_course_style
def attention_by_distance(
    attention: Mapping[str, ArrayLike], trained_length: int, language: str | None = None
) -> Figure:
    """Draw the distances to which a head attends along a text, with one panel per RoPE variant."""
    figure, grid = blank(640, len(attention), sharex=True, sharey=True, bottom=150, down=50)
    panels = grid[:, 0]
    kinds = (("near", "word", ""), ("known", "faint", ""), ("unseen", "position", "///"))
    for axes, (way, weights) in zip(panels, attention.items(), strict=True):
        shares = shares_by_distance(weights, trained_length)
        starts = trained_length * np.arange(len(shares))
        stretches = [f"{start}\N{EN DASH}{start + trained_length - 1}" for start in starts]
        below = np.zeros(len(shares))
        for (name, color, hatch), share in zip(kinds, shares.T, strict=True):
            look = {"color": COLORS[color], "hatch": hatch, "edgecolor": "white", "linewidth": 0}
            axes.bar(stretches, share, 0.75, below, label=_named(name, language), **look)
            below += share
        axes.set(ylim=(0, 1))
        axes.set_title(_named(way, language))
    axes.set_xlabel(_named("position", language))
    panels[0].set_yticks((0, 0.5, 1), labels=("0 %", "50 %", "100 %"))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower center")
    return figure


@in_course_style
def flatter_attention(
    margins: Sequence[float],
    lengths: Sequence[int],
    trained_length: int,
    language: str | None = None,
) -> Figure:
    """Plot the attention to the key with the highest score against the number of keys.

    Each line shows one margin between the highest score and the other scores. Dashed lines show the
    attention with YaRN's scores, which are multiplied by a factor beyond the training length.
    """
    figure, ((axes,),) = blank(360, right=148)
    for margin, (marker, color) in zip(margins, WAYS.values(), strict=False):
        plain = [_share(margin, n) for n in lengths]
        sharper = [_share(margin * yarn_scale(max(1, n / trained_length)) ** 2, n) for n in lengths]
        axes.plot(lengths, plain, color=COLORS[color], marker=marker)
        axes.plot(lengths, sharper, "--", color=COLORS[color])
        name = in_words(TEXTS["margin"].format(margin=margin), language)
        _beside_the_end(axes, lengths[-1], plain[-1], name, COLORS[color])
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, labels=map(str, lengths))
    axes.set(ylim=(0, 1), xlabel=_named("keys", language))
    axes.set_title(_named("share", language))
    return figure


def _share(margin: float, n_keys: int) -> float:
    return float(softmax(np.append(margin, np.zeros(n_keys - 1)))[0])


@in_course_style
def recall_by_distance(
    runs: Sequence[Mapping], distances: Sequence[int], chance: float, language: str | None = None
) -> Figure:
    """Plot accuracy against the distance to the letter, with a panel for each question.

    Lines connect the means over seeds, and error bars range from the worst to the best seed.

    Args:
        runs: Runs from ``experiments/recall.json`` that differ only in their encoding and seed.
        distances: Distances to the answer, one for each accuracy of a run.
        chance: Accuracy of random guessing, drawn as a dotted line.
        language: Language of the labels.
    """
    figure, panels = blank(640, 2, bottom=152, sharex=True, sharey=True, down=50)
    for axes, task in zip(panels[:, 0], ("mark", "place"), strict=True):
        for number, (encoding, (marker, color)) in enumerate(MARKS.items()):
            ours = [run for run in runs if (run["task"], run["encoding"]) == (task, encoding)]
            shares = np.array([run["accuracy"] for run in ours])
            look = {"color": COLORS[color], "label": in_words(ENCODING_NAMES[encoding], language)}
            beside = np.asarray(distances) * 1.06 ** (number - 2)  # to separate dots
            axes.vlines(beside, shares.min(axis=0), shares.max(axis=0), color=COLORS[color])
            axes.plot(beside, shares.mean(axis=0), marker=marker, markersize=5, **look)
        axes.axhline(chance, color=COLORS["grey"], linewidth=1, linestyle=":")
        axes.set_title(_named(f"by-{task}", language))
        axes.set(ylim=(0, 1.04))
    axes.set_xscale("log", base=2)
    axes.set_xticks(shown := [1, 2, 4, 8, 16, 32, 60], labels=map(str, shown))
    axes.set_yticks((0, 0.5, 1), labels=("0 %", "50 %", "100 %"))
    axes.set_xlabel(_named("places-back", language))
    names = {"loc": "lower center", "ncols": 2, "handlelength": 1.6, "columnspacing": 1.2}
    figure.legend(*axes.get_legend_handles_labels(), **names)
    return figure


@in_course_style
def shares_of_heads(shares: ArrayLike, language: str | None = None) -> Figure:
    """Draw one percentage per head in a grid of shape ``(n_layers, n_heads)``.

    The largest percentage is framed.
    """
    shares = np.asarray(shares)
    n_layers, n_heads = shares.shape
    figure, ((axes,),) = blank(56 * n_layers + 84, left=92, right=12, top=20)
    axes.imshow(shares, cmap=RAMPS["from zero"], vmin=0, vmax=1.4)
    for (layer, head), share in np.ndenumerate(shares):
        axes.text(head, layer, f"{100 * share:.0f} %", ha="center", va="center")
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    frame = {"fill": False, "edgecolor": COLORS["position"], "linewidth": 3}
    axes.add_patch(Rectangle((head - 0.47, layer - 0.46), 0.94, 0.92, **frame))
    axes.set_xticks(range(n_heads), labels=range(1, n_heads + 1))
    layers = [in_words(TEXTS["layer"].format(layer=each + 1), language) for each in range(n_layers)]
    axes.set_yticks(range(n_layers), labels=layers)
    axes.set_xlabel(_named("head", language))
    return figure
