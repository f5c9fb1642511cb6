"""The explorer: a scene, its controls and the view that paints it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import traitlets

from ...notebook.display import (
    JUPYTER_STYLE,
    KEEPS_KEYS,
    Shown,
    disclosure,
    figure_html,
    png,
)
from ...pictures.scenes import Scene, as_data, only
from ...words.text import SHOWN, Text
from ..base import DIST, ExplorerWidget, style
from .controls import NAMES, Control, Range, indices_of, values_at

__all__ = ["Explorer", "Play"]

STILL = 390
"""Width in pixels of a picture that no live view replaces, also on a phone."""

BUTTONS = ("play", "pause", "next", "more", "reset", "hint")
BUTTONS += ("show", "yours", "you-said", "answer", "first", "empty")
"""Names of the texts of buttons; the second line concerns guesses."""


@dataclass(frozen=True)
class Play:
    """A button that moves a control to its end.

    ``control`` is ``position``, ``offset`` or the name of a parameter; the button moves
    the control through ``per_second`` values in a second.
    """

    control: str
    per_second: float


class Explorer(ExplorerWidget):
    """A picture that a reader moves, and its controls.

    The texts are a section of a TOML file: the question as ``title``, and a ``caption`` that
    describes the picture. The section may also contain ``main`` (the main control, which is
    the position by default), ``hint`` (the object to drag) and ``chapters`` (the chapters of Play,
    each with its ``name`` and its final value, ``at``). If the sentence answers a question next to
    the explorer, ``waits`` is the name of that question.

    Args:
        scene: function from the values of ``parameters`` to a Scene.
        texts: the title, the caption and the other texts.
        parameters: controls that change the picture, keyed by the name of an argument of ``scene``.
        position: the range of the position, which can be changed without a kernel.
        offset: the range of the distance ahead of the position, which starts at 0 and can also be
            changed without a kernel.
        presets: the settings of each preset button, keyed by the button's name.
        play: the control that a Play button moves, if there is such a button.
        prefetched: True if the view gets the scene of a parameter's next step in advance, and shows
            earlier scenes without asking the kernel. Set it to False if scenes are slow or come
            from the reader's own function.
        own: initial values of state that exists only in the browser, such as the order of words in
            a Sentence.

    Attributes:
        position: the current position, a trait that can be observed and linked.
        offset: the current offset, also a trait.
        at: for each parameter, the index of its value among its stops.
        scene: the current Scene.
    """

    module = "scene"
    style = style("scene/word_tiles.css")
    _esm = DIST / "scene.js"
    _css = JUPYTER_STYLE + style

    explorer = traitlets.Dict().tag(sync=True)
    at = traitlets.List().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    offset = traitlets.Int(0).tag(sync=True)
    scene_data = traitlets.Dict().tag(sync=True)
    next_scene = traitlets.Dict().tag(sync=True)
    guessed = traitlets.Int(None, allow_none=True).tag(sync=True)
    own = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        scene: Callable[..., Scene],
        texts: Mapping[str, object],
        *,
        parameters: Mapping[str, Control],
        position: Range,
        offset: Range | None = None,
        presets: Mapping[str, Mapping[str, object]] | None = None,
        play: Play | None = None,
        prefetched: bool = True,
        own: Mapping[str, object] | None = None,
    ) -> None:
        self.parameters = dict(parameters)
        self.moving = {"position": position}
        if offset is not None:
            self.moving = {"offset": offset, **self.moving}
        self.texts, self.presets, self.play = texts, dict(presets or {}), play
        self.counts = texts.get("counts", {})
        self.scene_for, self.prefetched = scene, prefetched
        start = {name: control.start for name, control in self.parameters.items()}
        self.scene = scene(**start)
        super().__init__(
            explorer=self.described(),
            at=indices_of(self.parameters, start),
            position=position.start,
            offset=0 if offset is None else offset.start,
            own=dict(own or {}),
            scene_data=self._scene_data(self.scene, start),
        )
        self.observe(self._follow, names="at")

    @classmethod
    def shared_settings(cls) -> dict[str, object]:
        """Return colours, languages and the texts of buttons."""
        return super().shared_settings() | {
            "words": as_data({name: NAMES[name] for name in BUTTONS})
        }

    @property
    def values(self) -> dict[str, object]:
        """The current value of each parameter, keyed by name."""
        return values_at(self.parameters, self.at)

    def apply(self, values: Mapping[str, object]) -> None:
        """Set several parameters and build the scene once."""
        self.at = indices_of(self.parameters, self.values | dict(values))

    def page_traits(self) -> dict[str, object]:
        """Return the traits without the scenes, which a page stores for all settings."""
        traits = super().page_traits()
        return {name: traits[name] for name in traits if name not in ("scene_data", "next_scene")}

    def described(
        self, stops: Mapping[str, Mapping[object, Text | str]] | None = None
    ) -> dict[str, object]:
        """Return, as data, everything the view needs in addition to the scene.

        ``stops`` contains the values that a page offers for each parameter, with their names; by
        default, these are all values of the control.
        """
        every = {name: control.stops for name, control in self.parameters.items()}
        stops = stops or every
        places = {name: list(values).index for name, values in stops.items()}
        play = {}
        if self.play is not None:
            control = self.play.control
            # All sliders take the same time from end to end, whatever their number of stops.
            share = (len(stops[control]) - 1) / (len(every[control]) - 1) if control in stops else 1
            chapters = [
                {"at": places.get(control, int)(each["at"]), "name": each["name"]}
                for each in self.texts.get("chapters", ())
            ]
            per_second = self.play.per_second * share
            play = {"control": control, "per_second": per_second, "chapters": chapters}
        moving = {name: self._described(name, control) for name, control in self.moving.items()}
        return as_data(
            {
                "title": self.texts["title"],
                "caption": self.texts["caption"],
                "hint": self.texts.get("hint"),
                "waits": self.texts.get("waits"),
                "main": self.texts.get("main", "position"),
                "controls": [
                    self._described(name, control) | {"names": [*stops[name].values()]}
                    for name, control in self.parameters.items()
                ],
                "moving": moving | self._own_controls(),
                "presets": [
                    {"name": name, "at": [places[each](value) for each, value in values.items()]}
                    for name, values in self.presets.items()
                ],
                "play": play,
            }
        )

    def as_shown(self) -> Shown:
        """Return the current state of the explorer, for readers without a kernel."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures.on_paper import paint

        # The view clips a position in the same way.
        place = min(self.position, self.scene.n_positions - 1), self.offset
        sentence = self.scene.sentence(*place)
        # If a page has the live view, one picture for all languages is enough.
        picture = (
            png(paint(self.scene, *place))
            if self.prefetched
            else {each: png(paint(only(self.scene, each), *place, STILL)) for each in SHOWN}
        )
        title = self.texts["title"]
        caption = title.map("<strong>{}</strong>".format) + self.texts["caption"]
        html = figure_html(picture, self.scene.alt, sentence.blocks(), caption)
        if self.scene.guess is not None:
            html = disclosure(self.scene.guess.question, html, KEEPS_KEYS)
        return Shown(
            html=html,
            plain=f"{self.scene.alt.lines}\n{sentence.lines}",
            png=picture if isinstance(picture, bytes) else picture[SHOWN[0]],
        )

    def _described(self, name: str, control: Control) -> dict[str, object]:
        described = {"name": name, "label": control.label.inline(), "kind": control.kind}
        return described | self._counted(name)

    def _counted(self, name: str) -> dict[str, Text]:
        """Return the words for a slider's values, such as "3 steps", if they count something."""
        counted = NAMES["counted"].get(self.counts.get(name, name))
        return {} if counted is None else {"counted": counted}

    def _own_controls(self) -> dict[str, dict[str, object]]:
        """Return the controls whose state exists only in the browser."""
        return {
            name: {"name": name, "label": self.texts[name].inline(), "kind": kind}
            | self._counted(name)
            for name, kind in (("place", "slider"), ("text", "text"))
            if "text" in self.texts
        }

    def _follow(self, change: Mapping[str, list[int]]) -> None:
        """Build the scene for the new values of the parameters, and perhaps the next scene."""
        values = self.values
        self.scene = self.scene_for(**values)
        # The view clips positions to the scene, so both messages can arrive in either order.
        self.scene_data = self._scene_data(self.scene, values)
        self.position = min(self.position, self.scene.n_positions - 1)
        both = zip(change["old"], change["new"], strict=True)
        moved = [number for number, (old, new) in enumerate(both) if old != new]
        if self.prefetched and len(moved) == 1:
            (number,) = moved
            self._prefetch(number, 2 * change["new"][number] - change["old"][number])

    def _prefetch(self, number: int, index: int) -> None:
        """Send the scene in which a parameter takes one more step of the same size."""
        name, control = [*self.parameters.items()][number]
        stops = [*control.stops]
        if 0 <= index < len(stops):
            values = self.values | {name: stops[index]}
            self.next_scene = self._scene_data(self.scene_for(**values), values)

    def _scene_data(self, scene: Scene, values: Mapping[str, object]) -> dict[str, object]:
        """Return the scene as data, with the indices of its controls if the view may cache it."""
        if not self.prefetched:
            return as_data(scene)
        return as_data(scene) | {"at": indices_of(self.parameters, values)}
