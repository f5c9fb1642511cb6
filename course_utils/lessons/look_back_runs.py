"""Stored runs of the look-back experiment in lesson 07, and pictures of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from ..attention import look_back_scores, softmax, train_look_back
from ..encodings import sinusoidal_encoding
from ..pictures.drawing import COLORS, RAMPS, blank, in_course_style, in_words
from ..words.text import Text, words

__all__ = [
    "D_MODELS",
    "LENGTHS",
    "WAYS",
    "LookBackRuns",
    "heads_at_work",
    "seen_directions",
    "share_dots",
    "share_maps",
    "unseen_numbers",
]

TEXTS = words(Path(__file__).with_suffix(".toml"))
WAYS = TEXTS["ways"]
"""Names of the training methods, in the order of the picture in lesson 07."""

DARKEST = 2
"""Proportion with the darkest colour, chosen so that every number is readable."""
D_MODELS, LENGTHS = (8, 16, 32, 64, 128, 256), (16, 32, 64, 128)
TRAINED = 64
USUAL = {"encoding": "sinusoidal", "length": TRAINED, "steps_back": 1, "training": "convex"}
USUAL |= {"n_steps": 300, "start": 0, "words": 0, "sentences": 1}


class LookBackRuns:
    """Settings and measurements of the runs stored by ``experiments/look_back.py``.

    Runs are selected by their settings. Settings that are not passed have the default values of
    lesson 07.
    """

    def __init__(self, file: str | Path) -> None:
        reading = {"delimiter": ",", "names": True, "dtype": None, "encoding": "utf-8"}
        self._runs = np.genfromtxt(file, skip_header=1, **reading)

    def find(self, measured: str, **setting: object) -> NDArray[np.float64]:
        """Return a measurement, such as ``"twice"``, of each run with these settings."""
        chosen = [self._runs[name] == value for name, value in (USUAL | setting).items()]
        return self._runs[measured][np.all(chosen, axis=0)]

    def over_sizes(self, measured: str, **setting: object) -> NDArray[np.float64]:
        """Return a measurement with one row per value in ``D_MODELS`` and one column per length."""
        found = [
            self.find(measured, d_model=d_model, length=length, **setting)
            for d_model in D_MODELS
            for length in LENGTHS
        ]
        return np.reshape(found, (len(D_MODELS), len(LENGTHS)))


def seen_directions(table: ArrayLike) -> NDArray[np.float64]:
    """Return an orthonormal basis of the row space, for singular values above 0.01.

    Returns:
        Array of shape ``(n_seen, d_model)`` with orthonormal rows.
    """
    _, along, directions = np.linalg.svd(table, full_matrices=False)
    return directions[along > 0.01]


def unseen_numbers(seen: NDArray[np.float64], size: float, seed: int = 0) -> NDArray[np.float64]:
    """Return a random matrix that gives a score of 0 to any two rows in the span of ``seen``.

    Returns:
        Array of shape ``(d_model, d_model)`` with norm ``size``.
    """
    inside = seen.T @ seen
    numbers = np.random.default_rng(seed).standard_normal(inside.shape)
    numbers -= inside @ numbers @ inside
    return numbers * size / np.linalg.norm(numbers)


@in_course_style
def heads_at_work(language: str | None = None) -> Figure:
    """Draw the attention of the lesson's first two heads at twice their training length.

    A line marks the end of the training length.
    """
    figure, (halves,) = blank(290, 1, 2, sharey=True, top=14, left=76, right=20)
    for axes, d_model in zip(halves, (32, 256), strict=True):
        # Proportions are rounded to tenths because fewer colours result in a smaller file.
        axes.imshow(_attention_at_work(d_model).round(1), cmap=RAMPS["from zero"], vmin=0, vmax=1)
        edge = TRAINED - 0.5
        axes.plot([edge, edge, -0.5], [-0.5, edge, edge], color=COLORS["position"])
        axes.set(xlabel=in_words(TEXTS["key"], language), aspect="equal")
    halves[0].set_ylabel(in_words(TEXTS["query"], language))
    return figure


@cache
def _attention_at_work(d_model: int) -> NDArray[np.float64]:
    """Compute the attention of a trained head."""
    table = sinusoidal_encoding(2 * TRAINED, d_model)
    return softmax(look_back_scores(table, train_look_back(table[:TRAINED], 1)))


@in_course_style
def share_maps(
    shares: Mapping[str, ArrayLike],
    rows: Sequence[Text | object],
    columns: Sequence[Text | object],
    *,
    framed: tuple[object, object] | None = None,
    language: str | None = None,
) -> Figure:
    """Draw maps of proportions, with percentages in coloured cells.

    Args:
        shares: Values from 0 to 1 with shape ``(n_rows, n_columns)``, keyed by the name of the map.
        rows: Row labels: numbers of dimensions, or names.
        columns: Column labels: training lengths, or names.
        framed: Row and column of the cell to be framed.
        language: Language of all labels.
    """
    height, left = 100 + 28 * len(rows), _room_for(_names(rows, language))
    left += 24 if framed else 0
    figure, (maps,) = blank(height, 1, len(shares), sharey=True, left=left, right=12, across=14)
    for axes, (name, values) in zip(maps, shares.items(), strict=True):
        values = np.asarray(values)
        axes.imshow(values, cmap=RAMPS["from zero"], vmin=0, vmax=DARKEST)
        for (row, column), share in np.ndenumerate(values):
            if not np.isnan(share):
                axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center")
        axes.set_title(name)
        axes.set_xticks(range(len(columns)), labels=_names(columns, language))
        axes.set_yticks(range(len(rows)), labels=_names(rows, language))
        if framed is not None:
            corner = columns.index(framed[1]) - 0.47, rows.index(framed[0]) - 0.47
            frame = {"edgecolor": COLORS["position"], "linewidth": 2, "fill": False}
            axes.add_patch(Rectangle(corner, 0.94, 0.94, **frame))
            axes.set_xlabel(in_words(TEXTS["length"], language))
    if framed is not None:
        maps[0].set_ylabel(in_words(TEXTS["dimensions"], language))
    return figure


@in_course_style
def share_dots(
    shares: Mapping[str, Mapping[Text | str, ArrayLike]], language: str | None = None
) -> Figure:
    """Draw each proportion as a dot, with one panel per group and one row per method.

    Args:
        shares: Values from 0 to 1, keyed by the name of the panel and then by the name of the row.
            All panels must have the same rows.
        language: Language of all labels.
    """
    names = list(next(iter(shares.values())))
    height, left = 100 + 32 * len(names), _room_for(_names(names, language))
    shared = {"sharex": True, "sharey": True}
    figure, (panels,) = blank(height, 1, len(shares), left=left, **shared)
    for axes, (group, by_name) in zip(panels, shares.items(), strict=True):
        for row, name in enumerate(names):
            dots = np.asarray(by_name[name])
            axes.plot(dots, np.full(len(dots), row), "o", color=COLORS["position"], alpha=0.7)
        axes.set_title(group)
        axes.set_xlabel(in_words(TEXTS["right"], language))
        axes.set_yticks(range(len(names)), labels=_names(names, language))
        axes.grid(axis="y", color=COLORS["faint"])
        axes.set_xticks((0, 1), labels=("0", "100 %"))
        for end, label in zip(("left", "right"), axes.get_xticklabels(), strict=True):
            label.set_horizontalalignment(end)
    panels[0].set(xlim=(-0.05, 1.05), ylim=(len(names) - 0.5, -0.5))
    return figure


def _names(names: Sequence[Text | object], language: str | None) -> list[str]:
    return [in_words(name, language) if isinstance(name, Text) else str(name) for name in names]


def _room_for(names: Sequence[str]) -> int:
    """Return the width in pixels of the longest tick label of an axis."""
    return 20 + 9 * max(map(len, names))
