"""The explorer: a scene, its controls and the view that paints it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from ...notebook.display import (
    JUPYTER_STYLE,
    KEEPS_KEYS,
    Shown,
    WithStill,
    disclosure,
    figure_html,
    png,
)
from ...pictures import scenes
from ...pictures.scenes import Scene, as_data, only
from ...words.text import SHOWN, Text
from ..bundles import script
from .controls import NAMES, kind_of, place_of, stops_of

__all__ = ["Explorer", "ExplorerView", "Play", "view_settings"]

STILL = 390
"""Width in pixels of a picture that no live view replaces, also on a phone."""

BUTTONS = ("play", "pause", "next", "more", "reset", "hint")
GUESSES = ("show", "yours", "you-said", "answer", "first", "empty")

MODULES = (
    "shared/spoken.js",
    "shared/elements.js",
    "shared/theme.js",
    "scene/js/geometry.js",
    "scene/js/readouts.js",
    "scene/js/motion.js",
    "scene/js/layers.js",
    "scene/js/panel.js",
    "scene/js/stage.js",
    "shared/sliders.js",
    "scene/js/control.js",
    "shared/player.js",
    "scene/js/chapters.js",
    "scene/js/guess.js",
    "scene/js/told.js",
    "scene/js/places.js",
    "scene/js/grip.js",
    "scene/js/view.js",
)
"""Modules of the view; each uses the modules before it."""

RARE = {
    ("scene/js/dials.js",): ("Hands", "Wedge"),
    ("scene/js/points.js",): ("Labels", "Points"),
    ("scene/js/ribbons.js",): ("Ribbons",),
    ("scene/js/space.js",): ("SpaceCurve", "Rod"),
    ("scene/js/sentence.js", "scene/js/word_tiles.js"): ("Sentence",),
    ("scene/js/values.js",): ("ValueBars", "Cells", "Drawn"),
}
"""Modules that only some explorers need, with the kinds of layers that they paint."""

EVERY_MODULE = (*MODULES[:-1], *chain(*RARE), MODULES[-1])
"""Modules of the view with all layers, the view itself last."""

TILES_STYLE = Path(__file__).with_name("word_tiles.css").read_text("utf-8")
"""The style sheet for the words of a sentence."""


class ExplorerView(anywidget.AnyWidget):
    """The explorer in the browser: its question, picture, sentence and controls."""

    _esm = script(EVERY_MODULE)
    _css = JUPYTER_STYLE + TILES_STYLE

    explorer = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    # For each parameter, the index of its value among its stops.
    at = traitlets.List().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    offset = traitlets.Int(0).tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    prefetched = traitlets.Dict().tag(sync=True)
    guessed = traitlets.Int(None, allow_none=True).tag(sync=True)
    own = traitlets.Dict().tag(sync=True)


@dataclass(frozen=True)
class Play:
    """A button that moves a control to its end.

    ``control`` is ``position``, ``offset`` or the name of a parameter; the button passes
    ``per_second`` of its values in a second.
    """

    control: str
    per_second: float


class Explorer(WithStill):
    """A picture that a reader moves, and its controls.

    The controls are sliders, lists and checkboxes of ipywidgets that are never displayed: they hold
    the values for Python, and the view draws its own.

    The texts are a section of a TOML file: the question as ``title``, and a ``caption`` that
    describes the picture. The section may name the ``main`` control (by default the position), the
    object to drag as ``hint``, and the ``chapters`` of Play, each with its ``name`` and the value
    ``at`` which it ends. If the sentence answers a question next to the explorer, ``waits`` is the
    name of that question.

    Args:
        scene: function from the values of ``parameters`` to a Scene.
        said: the texts.
        parameters: controls that change the picture, by the name under which ``scene`` takes them.
        position: the value that moves in the picture without a kernel.
        offset: a slider from 0 for the distance ahead of the position, also without a kernel.
        presets: settings with a button, by the button's name.
        play: the control that a Play button moves, if time is the idea.
        prefetched: True if the view gets the scene of a parameter's next step in advance, and shows
            earlier scenes without asking the kernel. Set it to False if scenes are slow or come
            from the reader's own function.
        own: initial values of state that exists only in the browser, such as the order of words in
            a Sentence.
    """

    def __init__(
        self,
        scene: Callable[..., Scene],
        said: Mapping[str, object],
        *,
        parameters: Mapping[str, ipywidgets.ValueWidget],
        position: ipywidgets.IntSlider,
        offset: ipywidgets.IntSlider | None = None,
        presets: Mapping[str, Mapping[str, object]] | None = None,
        play: Play | None = None,
        prefetched: bool = True,
        own: Mapping[str, object] | None = None,
    ) -> None:
        self.parameters = dict(parameters)
        self.position, self.offset = position, offset
        self.said, self.presets, self.play = said, dict(presets or {}), play
        self.counts = said.get("counts", {})
        self.scene_for, self.prefetched = scene, prefetched
        self.view = ExplorerView(
            explorer=self.described(),
            settings=view_settings(),
            at=self._places(),
            position=position.value,
            offset=0 if offset is None else offset.value,
            own=dict(own or {}),
        )
        self._make_scene()
        for trait, control in self._moving().items():
            traitlets.link((control, "value"), (self.view, trait))
        self.view.observe(self._follow, names="at")
        for control in self.parameters.values():
            control.observe(self._tell_the_view, names="value")
        self._is_following = False
        self.view.add_class("course-explorer-box").add_class(KEEPS_KEYS)

    @property
    def controls(self) -> tuple[ipywidgets.ValueWidget, ...]:
        """The controls that the reader can move, the position last."""
        offset = () if self.offset is None else (self.offset,)
        return (*self.parameters.values(), *offset, self.position)

    def apply(self, values: Mapping[str, object]) -> None:
        """Set several parameters and build the scene once."""
        after = {name: control.value for name, control in self.parameters.items()} | dict(values)
        self.view.at = [place_of(self.parameters[name], value) for name, value in after.items()]

    def described(
        self, stops: Mapping[str, Mapping[object, Text | str]] | None = None
    ) -> dict[str, object]:
        """Return, as data, everything the view needs in addition to the scene.

        ``stops`` are the values that a page offers, by parameter, each with its name; by default,
        all values of the control.
        """
        every = {name: stops_of(control) for name, control in self.parameters.items()}
        stops = stops or every
        places = {name: list(values).index for name, values in stops.items()}
        play = {}
        if self.play is not None:
            control = self.play.control
            # All sliders take the same time from end to end, whatever their number of stops.
            share = (len(stops[control]) - 1) / (len(every[control]) - 1) if control in stops else 1
            chapters = [
                {"at": places.get(control, int)(each["at"]), "name": each["name"]}
                for each in self.said.get("chapters", ())
            ]
            per_second = self.play.per_second * share
            play = {"control": control, "per_second": per_second, "chapters": chapters}
        return as_data(
            {
                "title": self.said["title"],
                "caption": self.said["caption"],
                "hint": self.said.get("hint"),
                "waits": self.said.get("waits"),
                "main": self.said.get("main", "position"),
                "controls": [
                    self._described(name, control) | {"names": [*stops[name].values()]}
                    for name, control in self.parameters.items()
                ],
                "moving": {
                    **{
                        name: self._described(name, control)
                        for name, control in self._moving().items()
                    },
                    **self._own(),
                },
                "presets": [
                    {"name": name, "at": [places[each](value) for each, value in values.items()]}
                    for name, values in self.presets.items()
                ],
                "play": play,
            }
        )

    def as_shown(self) -> Shown:
        """Return the current state of the explorer, for readers without a kernel."""
        # Matplotlib is needed only for paper, so an explorer on the screen starts without it.
        from ...pictures.on_paper import paint

        place = self.position.value, 0 if self.offset is None else self.offset.value
        said = self.scene.said(*place)
        # If a page has the live view, one picture for all languages is enough.
        picture = (
            png(paint(self.scene, *place))
            if self.prefetched
            else {each: png(paint(only(self.scene, each), *place, STILL)) for each in SHOWN}
        )
        title = self.said["title"]
        caption = title.map("<strong>{}</strong>".format) + self.said["caption"]
        html = figure_html(picture, self.scene.alt, said.blocks(), caption)
        if self.scene.guess is not None:
            html = disclosure(self.scene.guess.question, html, KEEPS_KEYS)
        return Shown(
            html=html,
            plain=f"{self.scene.alt.lines}\n{said.lines}",
            png=picture if isinstance(picture, bytes) else picture[SHOWN[0]],
        )

    @property
    def widget(self) -> ExplorerView:
        """The live view, which can be put into other widgets."""
        return self.view

    def _described(self, name: str, control: ipywidgets.ValueWidget) -> dict[str, object]:
        described = {"name": name, "label": control.description, "kind": kind_of(control)}
        return described | self._counted(name)

    def _counted(self, name: str) -> dict[str, Text]:
        """Return the words for what the values of a slider count, if they count something."""
        counted = NAMES["counted"].get(self.counts.get(name, name))
        return {} if counted is None else {"counted": counted}

    def _own(self) -> dict[str, dict[str, object]]:
        """Return the controls of state that exists only in the browser."""
        return {
            name: {"name": name, "label": self.said[name].inline(), "kind": kind}
            | self._counted(name)
            for name, kind in (("place", "slider"), ("text", "text"))
            if "text" in self.said
        }

    def _moving(self) -> dict[str, ipywidgets.IntSlider]:
        offset = {} if self.offset is None else {"offset": self.offset}
        return {**offset, "position": self.position}

    def _places(self) -> list[int]:
        return [place_of(control, control.value) for control in self.parameters.values()]

    def _tell_the_view(self, change: object) -> None:
        if not self._is_following:
            self.view.at = self._places()

    def _follow(self, change: object) -> None:
        """Give the controls the values that the view names by index, and build the scene."""
        self._is_following = True
        try:
            for control, place in zip(self.parameters.values(), change.new, strict=True):
                control.value = list(stops_of(control))[place]
        finally:
            self._is_following = False
        self._make_scene()
        both = zip(change.old, change.new, strict=True)
        moved = [number for number, (old, new) in enumerate(both) if old != new]
        if self.prefetched and len(moved) == 1:
            self._prefetch(moved[0], change.old[moved[0]], change.new[moved[0]])

    def _make_scene(self) -> None:
        values = {name: control.value for name, control in self.parameters.items()}
        self.scene = self.scene_for(**values)
        # The view clips positions to the scene, so both can arrive in either order.
        self.view.scene = self._scene_data(self.scene, values)
        self.position.max = self.scene.n_positions - 1

    def _prefetch(self, moved: int, old: int, new: int) -> None:
        """Send the scene for one more step of the same size and direction."""
        name, control = list(self.parameters.items())[moved]
        stops = list(stops_of(control))
        if 0 <= 2 * new - old < len(stops):
            values = {each: control.value for each, control in self.parameters.items()}
            values[name] = stops[2 * new - old]
            self.view.prefetched = self._scene_data(self.scene_for(**values), values)

    def _scene_data(self, scene: Scene, values: dict[str, object]) -> dict[str, object]:
        """Return the scene as data, with the indices of its controls if the view may cache it."""
        if not self.prefetched:
            return as_data(scene)
        controls = self.parameters.items()
        return as_data(scene) | {"at": [place_of(each, values[name]) for name, each in controls]}


def view_settings() -> dict[str, object]:
    """Return the view's settings for every explorer: colours, languages and texts of buttons."""
    return scenes.settings() | {"words": as_data({name: NAMES[name] for name in BUTTONS + GUESSES})}
