"""Pictures in which nothing moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..frequencies import normalized_dot_product
from ..words.text import Text, words
from .on_paper import LABEL_SIZE, paint
from .panels import counting, map_over_curve, map_panels, maps_in_a_row, numeral, round_ticks
from .scenes import WIDTH, Axis, Box, Curve, Labels, Map, Panel, Scene

__all__ = [
    "comparison",
    "dot_product_curve",
    "encoding_heatmap",
    "fading_similarity",
    "maps_in_rows",
    "rounding_errors",
    "similarity_by_base",
    "word_plus_position",
]

SAID = words(Path(__file__).with_name("static.toml"))
HEIGHT = 340
INKS = ("green", "purple", "word")


def similarity_by_base(
    bases: ArrayLike, closest: Mapping[str, ArrayLike], far: Mapping[str, ArrayLike]
) -> Figure:
    """Two panels over the base: the most alike of distant positions, and what is left far away.

    Args:
        bases: shape ``(n_bases,)``, rising.
        closest: by the name of a curve, shape ``(n_bases,)``, from -1 to 1.
        far: the same for the second panel.
    """
    y = {"low": -0.15, "high": 1.0, "ticks": round_ticks(0, 1, 4)}
    return _side_by_side(
        SAID["base"],
        bases,
        (closest, Axis(**y, quantity=SAID["closest"])),
        (far, Axis(**y, quantity=SAID["far"])),
    )


def rounding_errors(
    positions: ArrayLike, angles: Mapping[str, ArrayLike], sines: Mapping[str, ArrayLike]
) -> Figure:
    """Two panels over the position: errors of angles, and errors of finished sines, by format.

    Args:
        positions: shape ``(n_positions,)``, rising, above 0.
        angles: by the name of a format, shape ``(n_positions,)``, radians; NaN where there is none.
        sines: the same for finished sines.
    """
    ticks = tuple((10.0**power, f"1e{numeral(power)}") for power in (-8, -6, -4, -2, 0))
    y = {"low": 1e-9, "high": 10.0, "ticks": ticks, "logarithmic": True}
    return _side_by_side(
        SAID["position"],
        positions,
        (angles, Axis(**y, quantity=SAID["angles"])),
        (sines, Axis(**y, quantity=SAID["sines"])),
    )


def _side_by_side(
    x_name: Text, x: ArrayLike, *halves: tuple[Mapping[str, ArrayLike], Axis]
) -> Figure:
    panels = []
    for number, (curves, y) in enumerate(halves):
        panels.append(_half(number * 0.5, x_name, np.asarray(x, float), curves, y))
    return paint(Scene(height=HEIGHT, panels=tuple(panels)))


def _half(
    left: float, x_name: Text, x: np.ndarray, curves: Mapping[str, ArrayLike], y: Axis
) -> Panel:
    """Curves over a logarithmic axis, each with its name at its right end."""
    box = Box(left=left, right=left + 0.5, top=26, bottom=46, before=56, after=82)
    powers = 10.0 ** np.arange(np.ceil(np.log10(x[0])), np.log10(x[-1]) + 1e-9)
    layers: list[Curve | Labels] = []
    beyond = 40 / ((box.right - box.left) * WIDTH - box.before - box.after)
    x_of_names = float(x[-1] * (x[-1] / x[0]) ** beyond)
    ends = []
    for (name, values), ink in zip(curves.items(), INKS, strict=False):
        values = np.asarray(values, float)
        layers.append(Curve(x, values, ink))
        ends.append((float(values[np.isfinite(values)][-1]), name, ink))
    ends.sort()
    layers.append(
        Labels(
            x=(x_of_names,) * len(ends),
            y=_apart([end for end, _, _ in ends], y),
            texts=tuple(name for _, name, _ in ends),
            colors=tuple(ink for _, _, ink in ends),
        )
    )
    axis = Axis(
        low=float(x[0]),
        high=float(x[-1]),
        quantity=x_name,
        ticks=tuple((power, f"{power:.0f}") for power in powers[:: 1 if len(powers) < 6 else 2]),
        logarithmic=True,
    )
    return Panel(box=box, x=axis, y=y, layers=tuple(layers))


def _apart(heights: list[float], axis: Axis, gap: float = 0.07) -> tuple[float, ...]:
    """The heights, rising, moved up until no two names stand over each other."""
    measure, back = (np.log10, lambda at: 10.0**at) if axis.logarithmic else (float, float)
    low, high = measure(axis.low), measure(axis.high)
    placed: list[float] = []
    for height in heights:
        at = measure(min(max(height, axis.low), axis.high))
        placed.append(max(at, placed[-1] + gap * (high - low)) if placed else at)
    over = max(0.0, placed[-1] - high)
    return tuple(float(back(at - over)) for at in placed)


def fading_similarity(frequencies: ArrayLike, *, farthest: float = 1e4) -> Figure:
    """What each wave gives to the similarity at each distance, and below it their mean.

    Args:
        frequencies: shape ``(n_pairs,)``, radians per position, the fastest first.
        farthest: the last distance, in positions; the first is 1.
    """
    frequencies = np.asarray(frequencies)
    steps_per_power = 40
    n_powers = int(np.log10(farthest))
    distances = 10.0 ** (np.arange(n_powers * steps_per_power + 1) / steps_per_power)
    columns = np.arange(len(distances))
    similarity = normalized_dot_product(distances, frequencies)
    ticks = tuple((power * steps_per_power, f"{10**power}") for power in range(n_powers + 1))
    low = min(-0.1, float(similarity.min()))
    panels = map_over_curve(
        Map(np.cos(np.outer(frequencies, distances)), -1, 1),
        split=0.54,
        x=Axis(low=-0.5, high=len(distances) - 0.5, quantity=SAID["distance"], ticks=ticks),
        y=(
            SAID["wave"],
            Axis(
                low=low - 0.05, high=1.08, quantity=SAID["similarity"], ticks=round_ticks(0, 1, 3)
            ),
        ),
        curves=[Curve(columns[[0, -1]], np.zeros(2), "faint"), Curve(columns, similarity)],
    )
    return paint(Scene(height=460, panels=panels))


def encoding_heatmap(table: ArrayLike) -> Figure:
    """A table of shape ``(n_positions, d_model)``, values in [-1, 1], with positions across."""
    shown = Map(np.asarray(table).T, -1, 1)
    panels = map_panels(shown, x=SAID["position"], y=SAID["dimension"])
    return paint(Scene(height=370, panels=panels))


def dot_product_curve(offsets: ArrayLike, normalized: ArrayLike) -> Figure:
    """The normalised dot product of two positions against how far apart they are.

    The offsets rise; ``normalized`` is from -1 to 1 and, as they are, of shape ``(n_offsets,)``.
    """
    offsets, normalized = np.asarray(offsets), np.asarray(normalized)
    first, last = float(offsets[0]), float(offsets[-1])
    panel = Panel(
        box=Box(top=26, bottom=46, before=48, after=24),
        x=Axis(
            low=first,
            high=last,
            quantity=SAID["offset" if first < 0 else "distance"],
            ticks=round_ticks(first, last),
        ),
        y=Axis(
            low=min(-0.45, float(normalized.min()) - 0.05),
            high=1.08,
            quantity=SAID["normalized"],
            ticks=round_ticks(-0.5, 1, 5),
        ),
        layers=(Curve(offsets[[0, -1]], np.zeros(2), "faint"), Curve(offsets, normalized)),
    )
    return paint(Scene(height=340, panels=(panel,)))


def word_plus_position(word: ArrayLike, position: ArrayLike) -> Figure:
    """Three vectors of shape ``(d_model,)`` as strips: the word, its position, and their sum."""
    word, position = np.asarray(word), np.asarray(position)
    rows = np.stack([word, position, word + position])
    bound = float(np.abs(rows).max())
    n_columns = len(word)
    heat, scale = map_panels(Map(rows, -bound, bound), x=SAID["dimension"], y=SAID["vector"])
    numbers = Labels(
        x=tuple(float(column) for column in range(n_columns)) * 3,
        y=tuple(float(row) for row in np.repeat(range(3), n_columns)),
        texts=tuple(f"{value:.2f}".replace("-", "\N{MINUS SIGN}") for value in rows.flat),
        colors=tuple("paper" if abs(value) > 0.6 * bound else "ink" for value in rows.flat),
    )
    names = Labels(
        x=(-1.0,) * 3,
        y=(0.0, 1.0, 2.0),
        texts=("w", "p", "w + p"),
        colors=("word", "position", "sum"),
    )
    y = replace(heat.y, ticks=())
    box = replace(heat.box, before=130)
    heat = replace(heat, box=box, y=y, layers=(*heat.layers, numbers, names))
    return paint(Scene(height=260, panels=(heat, scale)))


@style.context("default")
def maps_in_rows(rows: Sequence[Sequence[ArrayLike]], names: Sequence[Sequence[str]]) -> Figure:
    """Maps in rows, each with its name below it and a scale of its own, from -its largest value.

    Args:
        rows: as many maps in each row, every one of shape ``(n_rows, n_columns)``.
        names: a name for each map, in the same order; formulas between dollar signs are set.
    """
    pitch = 258
    height = pitch * len(rows)
    panels = []
    for down, row in enumerate(rows):
        for across, values in enumerate(np.asarray(row, dtype=float)):
            bound = float(np.abs(values).max()) or 1.0
            left, right = across / len(row), (across + 1) / len(row)
            top, bottom = pitch * down + 14, height - pitch * (down + 1) + 62
            box = Box(left=left, right=right, top=top, bottom=bottom, before=30, after=10)
            x = counting(values.shape[1], most=4)
            y = counting(values.shape[0], down=True, most=4)
            panels.append(Panel(box=box, x=x, y=y, layers=(Map(values, -bound, bound),)))
    figure = paint(Scene(height=height, panels=tuple(panels)))
    for axes, name in zip(figure.axes, np.ravel(names), strict=True):
        axes.set_xlabel(name, size=LABEL_SIZE + 2)
    return figure


LARGEST_SHOWN = 1e100
"""Beyond it Matplotlib runs out of numbers for its scale."""


def comparison(expected: NDArray, got: NDArray) -> Figure:
    """Three maps on one scale: what was expected, what came, and the difference.

    Both have the same shape; all dimensions but the last are laid out one below the other. NaN,
    infinity and anything nearly as large stay empty.
    """
    rows = [
        np.where(np.abs(array) < LARGEST_SHOWN, array, np.nan).reshape(-1, array.shape[-1])
        for array in (expected, got)
    ]
    tables = [*rows, rows[1] - rows[0]]
    bound = float(np.nanmax(np.abs(tables), initial=1e-9))
    shown = [Map(table, -bound, bound) for table in tables]
    return paint(Scene(height=280, panels=maps_in_a_row(shown, SAID["column"], SAID["comparison"])))
