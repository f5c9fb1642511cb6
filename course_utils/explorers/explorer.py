"""A figure, its controls and the live marks over it, put together for the reader to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import anywidget
import ipywidgets
import numpy as np
import traitlets
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..language import MODULE_FOLDER, Text
from ..page import KEEPS_KEYS, Shown, picture_html, pixels, png
from .marks import Marks, artist

__all__ = ["Explorer", "ExplorerView", "Scene"]


@dataclass(frozen=True)
class Scene:
    """All that an explorer shows for one setting of its parameters.

    ``readouts`` holds one Text for each position; ``track`` names the axes whose x axis runs over
    the positions, so that the reader can also drag in the picture. With an offset to move,
    ``offset_readouts`` holds what is said of each offset, after the position's own read-out;
    ``note`` is said after every read-out.
    """

    figure: Figure
    alt: Text
    readouts: Sequence[Text]
    marks: Sequence[Marks]
    track: Axes | None = None
    offset_readouts: Sequence[Text] = ()
    note: Text | None = None

    def readout(self, position: int, offset: int) -> Text:
        said = self.readouts[position]
        if self.offset_readouts:
            said += self.offset_readouts[offset]
        return said if self.note is None else said + self.note


class ExplorerView(anywidget.AnyWidget):
    """The picture in the browser, with the marks and the read-out of the current position."""

    _esm = MODULE_FOLDER / "explorer_view.js"
    _css = MODULE_FOLDER / "page.css"

    position = traitlets.Int(0).tag(sync=True)
    offset = traitlets.Int(0).tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)


class Explorer:
    """Controls above a picture that follows them.

    Args:
        draw: function from the values of ``parameters`` to a Scene.
        parameters: controls that change the picture, by the name under which ``draw`` takes them.
        position: slider that moves the marks; tied to the view in the browser, it needs no kernel.
        offset: slider from 0 for what moves ahead of the position, tied in the same way.
        caption: what to look at.
        presets: settings worth a button, by the button's label.
    """

    def __init__(
        self,
        draw: Callable[..., Scene],
        parameters: Mapping[str, ipywidgets.ValueWidget],
        position: ipywidgets.IntSlider,
        caption: Text,
        presets: Mapping[str, Mapping[str, int]] | None = None,
        offset: ipywidgets.IntSlider | None = None,
    ) -> None:
        self.parameters = dict(parameters)
        self.position = position
        self.offset = offset
        self.caption = caption
        self.presets = dict(presets or {})
        self.view = ExplorerView()
        self._draw = draw
        self._redraw()
        for control in self.parameters.values():
            control.observe(self._redraw, names="value")
        links = [ipywidgets.jslink((position, "value"), (self.view, "position"))]
        if offset is not None:
            links.append(ipywidgets.jslink((offset, "value"), (self.view, "offset")))
        self.widget = ipywidgets.VBox([*self._preset_buttons(), *self.controls, self.view])
        self.widget.add_class("course-explorer-box").add_class(KEEPS_KEYS)
        self.widget.links = links  # live as long as what they tie together

    @property
    def controls(self) -> tuple[ipywidgets.ValueWidget, ...]:
        """Everything the reader can move."""
        in_the_browser = (self.position,) if self.offset is None else (self.offset, self.position)
        return (*self.parameters.values(), *in_the_browser)

    def apply(self, values: Mapping[str, int]) -> None:
        """Set several parameters and draw once."""
        for control in self.parameters.values():
            control.unobserve(self._redraw, names="value")
        try:
            for name, value in values.items():
                self.parameters[name].value = value
        finally:
            for control in self.parameters.values():
                control.observe(self._redraw, names="value")
        self._redraw()

    def as_shown(self) -> Shown:
        """The explorer as it stands, for readers without a kernel."""
        offset = 0 if self.offset is None else self.offset.value
        readout = self.scene.readout(self.position.value, offset)
        picture = _picture_with_marks(self.scene, self.position.value, offset)
        return Shown(
            html=f'<figure class="course-figure">{picture_html(picture, self.scene.alt)}'
            f"{readout.blocks()}<figcaption>{self.caption.blocks()}</figcaption></figure>",
            plain=f"{self.scene.alt.lines}\n{readout.lines}",
            png=picture,
        )

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        return {**self.widget._repr_mimebundle_(**kwargs), **self.as_shown().bundle()}

    def _redraw(self, change: object = None) -> None:
        values = {name: control.value for name, control in self.parameters.items()}
        self.scene = self._draw(**values)
        # The view takes a position beyond the scene for its last one, in either order of arrival.
        self.view.scene = _for_the_browser(self.scene, self.caption)
        self.position.max = len(self.scene.readouts) - 1

    def _preset_buttons(self) -> list[ipywidgets.HBox]:
        buttons = []
        for label, values in self.presets.items():
            button = ipywidgets.Button(description=label, layout={"width": "auto"})
            button.on_click(lambda _, values=values: self.apply(values))
            buttons.append(button)
        return [ipywidgets.HBox(buttons)] if buttons else []


def _for_the_browser(scene: Scene, caption: Text) -> dict[str, object]:
    width, height = pixels(scene.figure)
    box = scene.track.get_position() if scene.track is not None else None
    return {
        "picture": png(scene.figure, compress_level=1),
        "width": width,
        "height": height,
        "track": [box.x0, box.width] if box is not None else None,
        "alt": scene.alt.as_dict(),
        "caption": caption.as_dict(),
        "readouts": [readout.as_dict() for readout in scene.readouts],
        "offset_readouts": [readout.as_dict() for readout in scene.offset_readouts],
        "note": scene.note.as_dict() if scene.note is not None else None,
        "marks": [
            {
                "shape": marks.shape,
                "color": marks.color,
                "filled": marks.filled,
                "follows": marks.follows,
                "per_position": marks.geometry.shape[1],
                "numbers": np.ascontiguousarray(marks.geometry, dtype="<f4").tobytes(),
            }
            for marks in scene.marks
        ],
    }


def _picture_with_marks(scene: Scene, position: int, offset: int) -> bytes:
    """The scene's picture with its marks at one place, as the browser lays them over it."""
    place = {"position": position, "moved": position + offset}
    figure = scene.figure
    painted = [
        figure.add_artist(artist(marks, numbers, figure.transFigure))
        for marks in scene.marks
        for numbers in marks.geometry[place[marks.follows]]
    ]
    picture = png(figure)
    for mark in painted:
        mark.remove()
    return picture
