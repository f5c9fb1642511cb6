"""Scenes, which describe pictures as data.

A scene does not depend on the size of the screen. It is drawn either by the view in the browser or
by Matplotlib. This module defines everything that both need, such as ticks, colours and boxes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..colors import COLORS, RAMPS
from ..words.text import SHOWN, Text, typeset

TURN = (-35.0, 20.0)
"""Initial rotation of a space curve about the vertical and the horizontal axis, in degrees."""

LENGTH_IN_SPACE = 3.4
"""Length of a space curve along its third coordinate, relative to its radius."""

WIDTH, NARROW = 900, 520
"""Width of a scene on paper and width below which panels are stacked, both in pixels."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis of a panel, with its quantity and tick labels.

    ``low`` is the left or lower end of the axis. If ``low > high``, a vertical axis runs downwards.
    The labels of a vertical axis are on its left, or on its right if ``at_end`` is True.
    """

    low: float
    high: float
    quantity: Text | None = None
    ticks: tuple[tuple[float, Text | str], ...] = ()
    at_end: bool = False


@dataclass(frozen=True, kw_only=True)
class Box:
    """The part of a picture that a panel occupies, with margins for labels.

    ``left``, ``right``, ``upper`` and ``lower`` are fractions of the picture's width and height.
    The margins are in pixels. On a narrow page, the panels are stacked and fill the width.
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
    """A table of coloured cells.

    The centre of cell ``[row, column]`` is at (column, row). Cells with the value NaN are empty.
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
    """Waves in lanes.

    Row ``i`` of ``values`` is centred at height ``i``. The area between the values and 0, at the
    middle of the lane, is filled. Positive values have the colour of large numbers in a map, and
    negative values have the colour of small numbers. Rows of NaN are not drawn.
    """

    x: NDArray
    values: NDArray
    low: float
    high: float


@dataclass(frozen=True)
class Points:
    """Points without a connecting line."""

    x: NDArray
    y: NDArray
    color: str = "ink"
    marker: Literal["circle", "square"] = "circle"


@dataclass(frozen=True)
class SpaceCurve:
    """A line through points in space, which the reader can rotate.

    ``points`` has the shape ``(n_points, 3)``. In the front view, the first coordinate points
    towards the reader, the second points up, and the third points right. Every ``per_dot``-th point
    has a dot. ``phase`` contains one number per point, which determines its colour: -1 is the
    colour of words, and 1 is the colour of positions.
    """

    points: NDArray
    phase: NDArray
    per_dot: int = 1


@dataclass(frozen=True)
class Labels:
    """Text labels that are centred at points.

    If ``before`` is True, the labels end at the points instead. When a new scene replaces this
    scene, each label with a key moves to the position of the label with the same key.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    texts: tuple[Text | str, ...]
    colors: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    before: bool = False


# Layers that move with the position, with one entry per position. ----------------------------

Follows = Literal["position", "moved", "offset"]
"""The value that a layer follows.

The moved position is the position plus the offset.
"""


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A marker for the column at ``x``, drawn as a frame or as a band behind other layers.

    The marker is one unit wide. If ``lying`` is True, it marks the row at height ``x`` instead. In
    a ``track`` panel, it has a handle labelled with the position's entry in ``names``, or with its
    number.
    """

    x: NDArray
    framed: bool = False
    lying: bool = False
    names: tuple[Text | str, ...] = ()
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot, or a ring if ``filled`` is False.

    Nothing is drawn if a coordinate is NaN.
    """

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
    """The angle on a dial between the hands for the position and for the moved position."""

    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Rod:
    """A line between the points of a SpaceCurve at the position and at the moved position.

    ``points`` has the shape ``(n_places, 3)``.
    """

    points: NDArray
    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Drawn(Map):
    """A map whose columns after the position are empty."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class ValueBars:
    """Horizontal or ``upright`` bars that depend on the position.

    Row ``i`` of ``values`` contains the lengths of the bars at position ``i``. ``colors`` contains
    one colour name per bar. Where ``changed`` is True, the bar has the position's colour instead.
    If a bar has changed to 0, its previous size is drawn as a frame.
    """

    values: NDArray
    colors: tuple[str, ...]
    changed: NDArray | None = None
    upright: bool = False
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Cells(Map):
    """A map whose values depend on the position, with shape ``(n_places, n_rows, n_columns)``."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Words that the reader can reorder, with the output of attention for every word.

    Arcs connect the word at the position to the other words, and thicker arcs represent larger
    weights. Below each word are its vector after attention and the distance to its vector in the
    original order. In the browser, the reader can type another sentence, whose word vectors are
    computed from the letters.

    Args:
        words: Words in their original order.
        vectors: Word vectors with shape ``(n_words, d_model)``.
        positions: Vectors that are added at the positions, with shape ``(n_places, d_model)``.
        bound: Number with the darkest colour; larger numbers have the same colour.
    """

    words: tuple[Text, ...]
    vectors: NDArray
    positions: NDArray
    bound: float
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A box with two axes, fixed layers from back to front, and ``moving`` layers in front of them.

    In a ``track`` panel, the reader can drag the position along the x axis, or vertically if the
    cursor marks a row. A ``dial`` is round and has a ``title`` below it instead of axes. The reader
    can drag its hand, which starts at twelve and turns clockwise. If ``frame`` is False, the panel
    has no border.
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
    """A sentence whose values can depend on the position or on the offset.

    Args:
        template: Sentence with ``{placeholders}``.
        values: Value of each placeholder, or a list with one value per position or offset.
        follows: Index of these lists: ``"position"`` or ``"offset"``.
        where: Mask of the positions or offsets at which the sentence is shown. By default, it is
            always shown.
    """

    template: Text
    values: Mapping[str, object] = field(default_factory=dict)
    follows: Literal["position", "offset"] = "position"
    where: Sequence[bool] | None = None

    def sentence(self, at: int) -> Text | None:
        """Return the sentence for a position or offset, or None if there is no sentence."""
        if self.where is not None and not self.where[at]:
            return None
        values = {
            name: typeset(value[at] if isinstance(value, list) else value)
            for name, value in self.values.items()
        }
        return self.template.format(**values)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A position on the first panel's x axis that the reader guesses before seeing the picture.

    Args:
        question: Question about this position.
        truth: Text that is shown after the guess.
        start: Initial position of the reader's line, an integer.
        answer: Position that the picture shows after the guess, if any.
    """

    question: Text
    truth: Text
    start: int
    answer: int | None = None


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The picture and texts of an explorer for one setting of its parameters.

    Args:
        height: Height in pixels.
        narrow: Height on a narrow page, in pixels.
        panels: Panels from left to right.
        alt: Alternative text of the picture.
        readouts: Sentences about the position and the offset, in display order.
        n_positions: Number of positions for which moving layers and read-outs are stored.
        n_offsets: Number of offsets, which is 1 if the scene has no moved position.
        guess: Question that the reader answers first, if any.
    """

    height: int = 370
    narrow: int = 340
    panels: tuple[Panel, ...]
    alt: Text | None = None
    readouts: tuple[Readout, ...] = ()
    n_positions: int = 1
    n_offsets: int = 1
    guess: Guess | None = None

    def sentence(self, position: int, offset: int = 0) -> Text:
        """Return all read-outs for a position and offset."""
        at = {"position": position, "offset": offset}
        sentences = (readout.sentence(at[readout.follows]) for readout in self.readouts)
        return Text.join(" ", [text for text in sentences if text is not None])


def only(value: object, language: str) -> object:
    """Reduce a scene, or a part of a scene, to one language."""
    if isinstance(value, Text):
        return value.plain[language]
    if isinstance(value, tuple):
        return tuple(only(each, language) for each in value)
    if is_dataclass(value):
        named = {each.name: only(getattr(value, each.name), language) for each in fields(value)}
        return replace(value, **named)
    return value


def as_data(value: object) -> object:
    """Convert a scene, or a part of a scene, to dictionaries, lists and bytes for the browser."""
    if isinstance(value, (str, int, float)):  # true for most values
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
    """Convert a scene to data in which every table is included only once.

    A layer refers to its table by its index in the scene's ``tables``. ``turned`` is True if the
    layer uses the transpose.
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
    """Return the settings that all scenes share: colours, languages and widths."""
    widths = {"narrow": NARROW, "drawnFor": WIDTH}
    return as_data({**widths, "languages": SHOWN, "colors": COLORS, "ramps": RAMPS})
