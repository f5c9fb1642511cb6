"""Scenes: pictures as data, with panels, axes, layers and the texts about them.

A scene does not depend on screen pixels. Two painters draw it: the view in the browser and
Matplotlib on paper. Everything both need, such as ticks, colours and boxes, is decided here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..words.text import SHOWN, Text, typeset

COLORS, RAMPS = tomllib.loads(
    Path(__file__).with_name("colors.toml").read_text(encoding="utf-8")
).values()
"""Colours by name, for light and dark pages; colour ramps of maps likewise, lowest value first."""

# Tables without negative numbers use the same colours as tables with signs.
RAMPS["upper half"] = [colors[len(colors) // 2 :] for colors in RAMPS["diverging"]]

TURN = (-35.0, 20.0)
"""Initial rotation of a space curve: degrees about the upright axis, then towards the reader."""

LENGTH_IN_SPACE = 3.4
"""The length of a space curve along its third direction, relative to its radius."""

WIDTH, NARROW = 900, 520
"""Width in pixels on paper; screens narrower than the second value stack the panels."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of a panel: its quantity and the labels of its ticks.

    ``low`` is the left or lower end, so that ``low > high`` runs from the top downwards. The labels
    of an upright axis are on its left or, ``at_end``, on its right.
    """

    low: float
    high: float
    quantity: Text | None = None
    ticks: tuple[tuple[float, Text | str], ...] = ()
    at_end: bool = False


@dataclass(frozen=True, kw_only=True)
class Box:
    """The box of a panel: a part of the picture, and margins for labels, in pixels.

    ``left``, ``right``, ``upper`` and ``lower`` are shares of the picture's width and height. On a
    narrow page the panels are stacked, each stretched over the whole width.
    """

    left: float = 0.0
    right: float = 1.0
    upper: float = 0.0
    lower: float = 1.0
    top: int = 26
    bottom: int = 46
    before: int = 48
    after: int = 20
    narrow_row: int = 0


Ramp = Literal["diverging", "upper half", "from zero"]


# Layers that do not move with the position. ------------------------------------------------------


@dataclass(frozen=True)
class Map:
    """A table as coloured cells; the centre of cell ``[row, column]`` is at (column, row).

    NaN leaves its cell empty.
    """

    values: NDArray
    low: float
    high: float
    ramp: Ramp = "diverging"


@dataclass(frozen=True)
class Curve:
    """A line through points, with gaps at NaN coordinates."""

    x: NDArray
    y: NDArray
    color: str = "ink"


@dataclass(frozen=True)
class Ribbons:
    """Waves in lanes: row ``i`` of ``values`` is drawn around the height ``i``.

    Each is filled from the middle of its lane, which is 0, to its value: above the middle in the
    colour of large numbers of a map, below it in the colour of small numbers. A row of NaN is not
    drawn.
    """

    x: NDArray
    values: NDArray
    low: float
    high: float


@dataclass(frozen=True)
class Points:
    """Separate points."""

    x: NDArray
    y: NDArray
    color: str = "ink"
    marker: Literal["circle", "square"] = "circle"


@dataclass(frozen=True)
class SpaceCurve:
    """A line through points in space, which the reader turns: shape ``(n_points, 3)``.

    In the front view, the first coordinate points towards the reader, the second up and the third
    to the right. Every ``per_dot``-th point has a dot. The colour changes from the colour of a word
    to the colour of a position as ``phase``, one number per point, goes from -1 to 1.
    """

    points: NDArray
    phase: NDArray
    per_dot: int = 1


@dataclass(frozen=True)
class Labels:
    """Words at points, centred there or, with ``before``, ending there.

    When another scene replaces this one, a label with a key moves to the label with the same key in
    the new scene.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    texts: tuple[Text | str, ...]
    colors: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    before: bool = False


# Layers that move with the position, with one entry for each position. ----------------------------

Follows = Literal["position", "moved", "offset"]
"""The value that moves a layer: position, moved position (position plus offset), or offset."""


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """The column at ``x``, one unit wide: a frame on a map, or a band behind everything else.

    A ``lying`` cursor is the row at the height ``x``. In a ``track`` panel, the cursor has a handle
    with the position's name: one of ``names``, or its number.
    """

    x: NDArray
    framed: bool = False
    lying: bool = False
    names: tuple[Text | str, ...] = ()
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot, or a ring if not ``filled``, at a point; none if a coordinate is NaN."""

    x: NDArray
    y: NDArray
    color: str = "position"
    filled: bool = True
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Hands:
    """A line from the origin to a point, like the hand of a clock."""

    x: NDArray
    y: NDArray
    color: str = "position"
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Wedge:
    """The angle on a dial between the hands of the position and of the moved position."""

    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Rod:
    """A straight line next to a SpaceCurve, between the points of position and moved position.

    ``points`` has the shape ``(n_places, 3)``.
    """

    points: NDArray
    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Drawn(Map):
    """A map that shows its columns up to the position and leaves the rest empty."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class ValueBars:
    """Bars from zero, lying or ``upright``: row ``i`` of ``values`` at position ``i``.

    ``colors`` has a name for each bar; where ``changed`` is true, the bar has the position's
    colour. A bar that has changed to 0 is drawn as a frame of its previous size.
    """

    values: NDArray
    colors: tuple[str, ...]
    changed: NDArray | None = None
    upright: bool = False
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Cells(Map):
    """A map whose numbers depend on the position: ``(n_places, n_rows, n_columns)``."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Words that the reader can reorder, with the vector that attention computes for each.

    Arcs go from the word at the position to the others; a thicker arc means a larger weight. Below
    each word are its vector after attention and the distance to its vector in the original order.
    In the browser the reader may write another sentence, whose word vectors are computed from their
    letters.

    Args:
        words: the words in the original order.
        vectors: shape ``(n_words, d_model)``.
        positions: the vectors added at the positions, shape ``(n_places, d_model)``.
        bound: the number whose colour is deepest; larger ones have the same colour.
    """

    words: tuple[Text, ...]
    vectors: NDArray
    positions: NDArray
    bound: float
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A box with two axes, layers from back to front, and ``moving`` layers over them.

    In a ``track`` panel, positions run along the x axis, or down if its cursor is lying, and the
    reader can drag. A ``dial`` is round, with a ``title`` below it instead of axes; the reader can
    drag its hand, which starts at twelve and turns clockwise. A panel without a ``frame`` has no
    border.
    """

    box: Box = Box()
    x: Axis
    y: Axis
    layers: tuple[Map | Curve | Ribbons | Points | SpaceCurve | Labels, ...] = ()
    moving: tuple[
        Cursor | Dots | Hands | Wedge | Rod | ValueBars | Cells | Drawn | Sentence, ...
    ] = ()
    track: bool = False
    dial: bool = False
    frame: bool = True
    title: Text | str | None = None


@dataclass(frozen=True)
class Readout:
    """A sentence whose values may differ for each position or offset.

    Args:
        template: the sentence with ``{placeholders}``.
        values: one value for each placeholder, or a list with one value per position or offset.
        follows: the index of the lists.
        where: the positions or offsets at which the sentence is shown; all if None.
    """

    template: Text
    values: Mapping[str, object] = field(default_factory=dict)
    follows: Literal["position", "offset"] = "position"
    where: Sequence[bool] | None = None

    def said(self, at: int) -> Text | None:
        """Return the sentence at one position and offset."""
        if self.where is not None and not self.where[at]:
            return None
        values = {
            name: typeset(value[at] if isinstance(value, list) else value)
            for name, value in self.values.items()
        }
        return self.template.format(**values)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A position on the x axis of the first panel, which the reader guesses before seeing the rest.

    Args:
        question: the question about this position.
        truth: the text after the guess.
        start: the initial position of the reader's line, a whole number.
        answer: the position where the picture then shows the answer, if there is such a position.
    """

    question: Text
    truth: Text
    start: int
    answer: int | None = None


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The picture and the texts for one setting of the parameters.

    Args:
        height: pixels.
        narrow: pixels of the height on a narrow page.
        panels: from left to right.
        alt: the description of the picture, for readers who cannot see it.
        readouts: the sentences about the position and the offset, in this order.
        n_positions: the number of positions of the moving layers and read-outs.
        n_offsets: the number of offsets; 1 if nothing moves ahead of the position.
        guess: the first question for the reader, if any.
    """

    height: int = 370
    narrow: int = 340
    panels: tuple[Panel, ...]
    alt: Text | None = None
    readouts: tuple[Readout, ...] = ()
    n_positions: int = 1
    n_offsets: int = 1
    guess: Guess | None = None

    def said(self, position: int, offset: int = 0) -> Text:
        """Return all read-outs at one position and offset."""
        at = {"position": position, "offset": offset}
        said = (readout.said(at[readout.follows]) for readout in self.readouts)
        return Text.join(" ", [text for text in said if text is not None])


def only(value: object, language: str) -> object:
    """Reduce a scene, or any part of a scene, to one language."""
    if isinstance(value, Text):
        return value.plain[language]
    if isinstance(value, tuple):
        return tuple(only(each, language) for each in value)
    if is_dataclass(value):
        named = {each.name: only(getattr(value, each.name), language) for each in fields(value)}
        return replace(value, **named)
    return value


def as_data(value: object) -> object:
    """Convert a scene, or any part of a scene, to dictionaries, lists and bytes for the browser."""
    if isinstance(value, (str, int, float)):  # most values
        return value
    if isinstance(value, (list, tuple)):
        return [as_data(each) for each in value]
    if isinstance(value, Text):
        return value.as_dict()
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "numbers": value.astype("<f4").tobytes()}
    if isinstance(value, Scene):
        return _scene_as_data(value)
    if is_dataclass(value):
        named = {name: as_data(each) for name, each in vars(value).items()}
        return {"kind": type(value).__name__, **named}
    if isinstance(value, Mapping):
        return {name: as_data(each) for name, each in value.items()}
    return value


def _scene_as_data(scene: Scene) -> dict[str, object]:
    """Convert a scene to data, with each table sent once, however many layers show it.

    A layer refers to the number of its table among the scene's ``tables``, and notes if it is
    ``turned``.
    """
    named = {name: as_data(each) for name, each in vars(scene).items()}
    tables: list[NDArray] = []
    layers = [layer for panel in scene.panels for layer in (*panel.layers, *panel.moving)]
    sent = [layer for panel in named["panels"] for layer in (*panel["layers"], *panel["moving"])]
    for layer, data in zip(layers, sent, strict=True):
        for name, value in vars(layer).items():
            if isinstance(value, np.ndarray) and value.ndim == 2:
                data[name] = _place_among(tables, value)
    return {"kind": "Scene", **named, "tables": [as_data(table) for table in tables]}


def _place_among(tables: list[NDArray], table: NDArray) -> dict[str, object]:
    for at, other in enumerate(tables):
        for turned in (False, True):
            same = other.T if turned else other
            if same.shape == table.shape and np.array_equal(same, table, equal_nan=True):
                return {"table": at, "turned": turned}
    tables.append(table)
    return {"table": len(tables) - 1, "turned": False}


def settings() -> dict[str, object]:
    """Return the view's settings for every scene: colours, languages and widths."""
    widths = {"narrow": NARROW, "drawnFor": WIDTH}
    return as_data({**widths, "languages": SHOWN, "colors": COLORS, "ramps": RAMPS})
