"""A scene, its controls and the view that paints it, put together for the reader to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from ..notebook.display import KEEPS_KEYS, PAGE_STYLE, Shown, disclosure, figure_html, png
from ..pictures.scenes import Scene, as_data, for_every_scene
from ..words.text import Text, words
from .controls import state, value_ahead

__all__ = ["Explorer", "ExplorerView", "Play"]

SAID = words(Path(__file__).with_name("controls.toml"))


class ExplorerView(anywidget.AnyWidget):
    """The scene in the browser, with the marks and the read-out of the current position."""

    _esm = Path(__file__).with_name("view.js")
    _css = PAGE_STYLE

    position = traitlets.Int(0).tag(sync=True)
    offset = traitlets.Int(0).tag(sync=True)
    controls = traitlets.List().tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    ahead = traitlets.Dict().tag(sync=True)
    guessed = traitlets.Int(None, allow_none=True).tag(sync=True)
    caption = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    play = traitlets.Dict().tag(sync=True)
    house = traitlets.Dict().tag(sync=True)


@dataclass(frozen=True)
class Play:
    """A button that moves a control to its end: ``position``, ``offset`` or a parameter's name."""

    control: str
    per_second: float


class Explorer:
    """Controls above a picture that follows them.

    Args:
        scene: function from the values of ``parameters`` to a Scene.
        parameters: controls that change the picture, by the name under which ``scene`` takes them.
        position: slider that moves the marks; tied to the view in the browser, it needs no kernel.
        caption: what to look at.
        offset: slider from 0 for what moves ahead of the position, tied in the same way.
        presets: settings worth a button, by the button's label.
        play: what a Play button moves, where time is the idea.
        foreseen: whether the scene of a parameter's next step is made before it is asked for, and
            scenes seen before are shown again without the kernel; not where a scene costs much or
            comes from somebody else's function.
    """

    def __init__(
        self,
        scene: Callable[..., Scene],
        *,
        parameters: Mapping[str, ipywidgets.ValueWidget],
        position: ipywidgets.IntSlider,
        caption: Text,
        offset: ipywidgets.IntSlider | None = None,
        presets: Mapping[str, Mapping[str, object]] | None = None,
        play: Play | None = None,
        foreseen: bool = True,
    ) -> None:
        self.parameters = dict(parameters)
        self.position = position
        self.offset = offset
        self.caption = caption
        self.presets = dict(presets or {})
        self.scene_for = scene
        in_the_browser = {"position": position} | ({"offset": offset} if offset else {})
        self.view = ExplorerView(
            controls=[_model(control) for control in self.parameters.values() if foreseen],
            caption=as_data(caption),
            words=as_data({name: SAID[name] for name in ("play", "show", "yours")}),
            house=for_every_scene(),
            play=self._played(play),
        )
        self._make_scene()
        for control in self.parameters.values():
            control.observe(self._make_scene, names="value")
        position.add_class("course-position")
        self.widget = ipywidgets.VBox([*self._preset_buttons(), *self.controls, self.view])
        self.widget.add_class("course-explorer-box").add_class(KEEPS_KEYS)
        self.widget.links = [  # live as long as what they tie together
            ipywidgets.jslink((control, "value"), (self.view, trait))
            for trait, control in in_the_browser.items()
        ]

    @property
    def controls(self) -> tuple[ipywidgets.ValueWidget, ...]:
        """Everything the reader can move, the position last."""
        offset = () if self.offset is None else (self.offset,)
        return (*self.parameters.values(), *offset, self.position)

    def apply(self, values: Mapping[str, object]) -> None:
        """Set several parameters and make the scene once."""
        for control in self.parameters.values():
            control.unobserve(self._make_scene, names="value")
        try:
            for name, value in values.items():
                self.parameters[name].value = value
        finally:
            for control in self.parameters.values():
                control.observe(self._make_scene, names="value")
        self._make_scene()

    def as_shown(self) -> Shown:
        """The explorer as it stands, for readers without a kernel."""
        # Matplotlib is needed on paper only, and an explorer on the screen starts without it.
        from ..pictures.on_paper import paint

        place = self.position.value, 0 if self.offset is None else self.offset.value
        said = self.scene.said(*place)
        picture = png(paint(self.scene, *place))
        html = figure_html(picture, self.scene.alt, said.blocks(), self.caption)
        if self.scene.guess is not None:
            html = disclosure(self.scene.guess.question, html, KEEPS_KEYS)
        return Shown(
            html=html,
            plain=f"{self.scene.alt.lines}\n{said.lines}",
            png=picture,
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        return {**self.widget._repr_mimebundle_(**kwargs), **self.as_shown().bundle()}

    def _make_scene(self, change: object = None) -> None:
        values = {name: control.value for name, control in self.parameters.items()}
        self.scene = self.scene_for(**values)
        # The view takes a position beyond the scene for its last one, in either order of arrival.
        self.view.scene = self._scene_data(self.scene, values)
        self.position.max = self.scene.n_positions - 1
        if change is not None and self.view.controls:
            self._look_ahead(values, change)

    def _look_ahead(self, values: dict[str, object], change: object) -> None:
        value = value_ahead(change.owner, change.old, change.new)
        if value is not None:
            moved = next(name for name, each in self.parameters.items() if each is change.owner)
            values = {**values, moved: value}
            self.view.ahead = self._scene_data(self.scene_for(**values), values)

    def _scene_data(self, scene: Scene, values: dict[str, object]) -> dict[str, object]:
        """The scene with the state of each control that it belongs to."""
        controls = self.parameters.items()
        return as_data(scene) | {"at": [state(each, values[name]) for name, each in controls]}

    def _played(self, play: Play | None) -> dict[str, object]:
        if play is None:
            return {}
        control = self.parameters.get(play.control)
        return {
            "trait": play.control if control is None else "value",
            "control": None if control is None else _model(control),
            "per_second": play.per_second,
        }

    def _preset_buttons(self) -> list[ipywidgets.HBox]:
        buttons = []
        for label, values in self.presets.items():
            button = ipywidgets.Button(description=label, layout={"width": "auto"})
            button.on_click(lambda _, values=values: self.apply(values))
            buttons.append(button)
        return [ipywidgets.HBox(buttons)] if buttons else []


def _model(control: ipywidgets.Widget) -> str:
    """What ipywidgets calls a widget when another one speaks of it."""
    return f"IPY_MODEL_{control.model_id}"
