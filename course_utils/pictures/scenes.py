"""What a picture shows, as data: panels with axes and layers, and what is said of it.

A scene knows no pixels of any screen. Two painters read it: the view in the browser and
Matplotlib on paper. Whatever both need, such as ticks, colours and boxes, is decided here.
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
"""Each colour by name, on light and on dark pages; each ramp of a map alike, lowest value first."""

# A table without negative numbers gets the same colours for them as a table with signs.
RAMPS["upper half"] = [colors[len(colors) // 2 :] for colors in RAMPS["diverging"]]

TURN = (-35.0, 20.0)
"""How a space curve is turned at first: degrees about the upright axis, then towards the reader."""

LENGTH_IN_SPACE = 3.4
"""How far a space curve reaches along its third direction, the radius across it being 1."""

WIDTH, NARROW = 900, 520
"""Pixels across: on paper; below the second, panels are stacked on the screen."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One direction of a panel: what it counts or measures, and the numbers that stand beside it.

    ``low`` is the left or lower end, so that ``low > high`` runs from the top downwards. The
    numbers of an upright axis stand on the left of it or, ``at_end``, on the right.
    """

    low: float
    high: float
    quantity: Text | None = None
    ticks: tuple[tuple[float, Text | str], ...] = ()
    at_end: bool = False


@dataclass(frozen=True, kw_only=True)
class Box:
    """Where a panel stands: a part of the picture, and around the panel room for names, in pixels.

    ``left``, ``right``, ``upper`` and ``lower`` are shares of the picture's width and height. On a
    narrow page the panels stand in rows, each stretched over the whole width.
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


# Layers that stay where they are, whatever the position. -----------------------------------------


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
    """A line through points, with a gap wherever a coordinate is NaN."""

    x: NDArray
    y: NDArray
    color: str = "ink"


@dataclass(frozen=True)
class Ribbons:
    """Waves below each other, row ``i`` of ``values`` in a lane around the height ``i``.

    Each is filled from the middle of its lane, which is 0, to its value; above the middle in the
    colour of large numbers of a map, below it in that of small ones. A row of NaN is not drawn.
    """

    x: NDArray
    values: NDArray
    low: float
    high: float


@dataclass(frozen=True)
class Points:
    """Points by themselves."""

    x: NDArray
    y: NDArray
    color: str = "ink"
    marker: Literal["circle", "square"] = "circle"


@dataclass(frozen=True)
class SpaceCurve:
    """A line through points in space, which the reader turns: shape ``(n_points, 3)``.

    Looked at from the front, the first coordinate runs towards the reader, the second up and the
    third to the right. Every ``per_dot``-th point has a dot. The colour goes from that of a word to
    that of a position as ``phase``, one number for each point, goes from -1 to 1.
    """

    points: NDArray
    phase: NDArray
    per_dot: int = 1


@dataclass(frozen=True)
class Labels:
    """Words at points: centred on them or, with ``before``, ending there.

    When another scene takes the place of this one, a label with a key moves to where the new scene
    has the label of the same key.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    texts: tuple[Text | str, ...]
    colors: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    before: bool = False


# Layers that move with the position, with one entry for each position. ----------------------------

Follows = Literal["position", "moved", "offset"]
"""What moves a layer: the position, the moved position (position plus offset), or the offset."""


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """The column at ``x``, one unit wide: framed over a map, a band behind everything else.

    One that is ``lying`` is the row at the height ``x``. Where the panel is a ``track``, the cursor
    has a handle with the position's name on it: one of ``names``, or its number.
    """

    x: NDArray
    framed: bool = False
    lying: bool = False
    names: tuple[Text | str, ...] = ()
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot, or a ring if it is not ``filled``, at a point; none where a coordinate is NaN."""

    x: NDArray
    y: NDArray
    color: str = "position"
    filled: bool = True
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Hands:
    """A line from the origin to a point, as the hand of a clock."""

    x: NDArray
    y: NDArray
    color: str = "position"
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Wedge:
    """The angle on a dial between the hand of the position and that of the moved one."""

    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Rod:
    """A straight line beside a SpaceCurve: from the position's point to the moved position's.

    ``points`` has the shape ``(n_places, 3)``.
    """

    points: NDArray
    follows: Follows = "moved"


@dataclass(frozen=True, kw_only=True)
class Drawn(Map):
    """A map that shows its columns up to the position and leaves the others empty."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class ValueBars:
    """Bars from zero, lying or ``upright``: row ``i`` of ``values`` at position ``i``.

    ``colors`` has a name for each bar; where ``changed`` is true, it is that of the position. A
    bar that has changed to 0 is drawn as the frame of what it was.
    """

    values: NDArray
    colors: tuple[str, ...]
    changed: NDArray | None = None
    upright: bool = False
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Cells(Map):
    """A map whose numbers depend on the place: ``values`` has the shape (places, rows, columns)."""

    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Words that the reader can reorder, with the vector that attention computes for each.

    Arcs go from the word at the position to the others; the larger the weight, the thicker the
    arc. Below each word stands its vector after attention, and how far that is from its vector in
    the first order. In the browser the reader may write another sentence: the vectors of its words
    are then made from their letters.

    Args:
        words: in the first order.
        vectors: shape ``(n_words, d_model)``.
        positions: what is added at each place, shape ``(n_places, d_model)``.
        bound: the number whose colour is deepest; larger ones have the same colour.
    """

    words: tuple[Text, ...]
    vectors: NDArray
    positions: NDArray
    bound: float
    follows: Follows = "position"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A box with two axes, layers from back to front, and over them those that are ``moving``.

    In a panel that is a ``track``, positions run along the x axis, or down if its cursor is lying,
    and the reader can drag. A ``dial`` is round, with a ``title`` below it in place of axes; the
    reader can drag its hand, which starts at twelve and turns clockwise. A panel without a
    ``frame`` has no line around it.
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
    """A sentence whose values may differ for each position or each offset.

    Args:
        template: the sentence with ``{placeholders}``.
        values: for each placeholder one value, or a list with one for each position or offset.
        follows: what the lists run over.
        where: at which positions or offsets it is said at all; everywhere if None.
    """

    template: Text
    values: Mapping[str, object] = field(default_factory=dict)
    follows: Literal["position", "offset"] = "position"
    where: Sequence[bool] | None = None

    def said(self, at: int) -> Text | None:
        """The sentence at one place."""
        if self.where is not None and not self.where[at]:
            return None
        values = {
            name: typeset(value[at] if isinstance(value, list) else value)
            for name, value in self.values.items()
        }
        return self.template.format(**values)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A place on the x axis of the first panel, to which the reader points before seeing the rest.

    Args:
        question: what is to be found there.
        truth: what is said once the reader has pointed.
        start: the whole number at which the reader's line stands at first.
        answer: where the picture then shows the truth, if there is such a place.
    """

    question: Text
    truth: Text
    start: int
    answer: int | None = None


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What a picture shows and says for one setting of the parameters.

    Args:
        height: pixels.
        narrow: pixels of the height on a narrow page.
        panels: from left to right.
        alt: what the picture shows, for those who cannot see it.
        readouts: what is said of the position and of the offset, in this order.
        n_positions: how many positions the moving layers and read-outs have.
        n_offsets: the same for offsets; 1 where nothing moves ahead of the position.
        guess: what the reader is asked first, if anything.
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
        """All read-outs at one place."""
        at = {"position": position, "offset": offset}
        said = (readout.said(at[readout.follows]) for readout in self.readouts)
        return Text.join(" ", [text for text in said if text is not None])


def only(value: object, language: str) -> object:
    """A scene, or any part of one, in one language."""
    if isinstance(value, Text):
        return value.plain[language]
    if isinstance(value, tuple):
        return tuple(only(each, language) for each in value)
    if is_dataclass(value):
        named = {each.name: only(getattr(value, each.name), language) for each in fields(value)}
        return replace(value, **named)
    return value


def as_data(value: object) -> object:
    """A scene, or any part of one, as dictionaries, lists and bytes for the browser."""
    if isinstance(value, (str, int, float)):  # most of what there is
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
    """A scene as data, with each table sent once, however many layers show it.

    A layer has the number of its table among the scene's ``tables``, and whether it is ``turned``.
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
    """What the view needs for every scene: colours, languages, and for which widths it is drawn."""
    widths = {"narrow": NARROW, "drawnFor": WIDTH}
    return as_data({**widths, "languages": SHOWN, "colors": COLORS, "ramps": RAMPS})
