"""A figure, its controls and the live marks over it, put together for the reader to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import anywidget
import ipywidgets
import numpy as np
import traitlets
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse, Rectangle
from numpy.typing import ArrayLike, NDArray

from . import figures
from .encodings import binary_encoding
from .figures import COLORS
from .language import MODULE_FOLDER, Text
from .page import DOTS_PER_INCH, Shown, picture_html, png
from .properties import flips_per_step

__all__ = ["Explorer", "binary_explorer", ]


@dataclass(frozen=True)
class Marks:
    """What lies over the picture at each position.

    ``geometry`` has the shape ``(n_positions, n_marks, 4)``, in shares of the picture's width and
    height from its upper left corner: x, y, width, height of a ``rect``; centre and half-axes of
    a ``dot``; the two ends of a ``line``.
    """

    shape: Literal["rect", "dot", "line"]
    geometry: NDArray[np.float32]
    color: str
    filled: bool = True


@dataclass(frozen=True)
class Scene:
    """All that an explorer shows for one setting of its parameters."""

    figure: Figure
    alt: Text
    readouts: Sequence[Text]
    marks: Sequence[Marks] = ()
    track: Axes | None = None


class ExplorerView(anywidget.AnyWidget):
    """The picture in the browser, with the marks and the read-out of the current position."""

    _esm = MODULE_FOLDER / "explorer_view.js"
    _css = MODULE_FOLDER / "page.css"

    position = traitlets.Int(0).tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)


class Explorer:
    """Controls above a picture that follows them.

    Args:
        draw: function from the values of ``parameters`` to a Scene.
        parameters: controls that change the picture, by the name ``draw`` takes them under.
        caption: what to look at.
        position: slider that moves the marks; tied to the view in the browser, so it needs no
            kernel.
    """

    def __init__(
        self,
        draw: Callable[..., Scene],
        parameters: Mapping[str, ipywidgets.ValueWidget],
        caption: Text,
        position: ipywidgets.IntSlider,
    ) -> None:
        self.draw = draw
        self.parameters = dict(parameters)
        self.caption = caption
        self.position = position
        self.view = ExplorerView()
        self.scene: Scene
        self._redraw()
        for control in self.parameters.values():
            control.observe(self._redraw, names="value")
        self._link = ipywidgets.jslink((position, "value"), (self.view, "position"))
        self.widget = ipywidgets.VBox([*self.parameters.values(), position, self.view])

    @property
    def controls(self) -> tuple[ipywidgets.ValueWidget, ...]:
        return (*self.parameters.values(), self.position)

    def _redraw(self, change: object = None) -> None:
        values = {name: control.value for name, control in self.parameters.items()}
        self.scene = self.draw(**values)
        self.position.max = len(self.scene.readouts) - 1
        self.view.scene = _for_the_browser(self.scene, self.caption)

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        return {**self.widget._repr_mimebundle_(**kwargs), **self.as_shown().bundle()}

    def as_shown(self) -> Shown:
        """The explorer as it stands, for readers without a kernel."""
        readout = self.scene.readouts[self.position.value]
        picture = png(_with_marks(self.scene, self.position.value))
        return Shown(
            html=f'<figure class="course-figure">{picture_html(picture, self.scene.alt)}'
            f"{readout.blocks()}<figcaption>{self.caption.blocks()}</figcaption></figure>",
            plain="\n".join((self.scene.alt.lines, readout.lines)),
            png=picture,
        )


def _for_the_browser(scene: Scene, caption: Text) -> dict:
    width, height = scene.figure.get_size_inches() * DOTS_PER_INCH
    track = None
    if scene.track is not None:
        box = scene.track.get_position()
        track = [box.x0, box.width]
    return {
        "picture": png(scene.figure),
        "width": width,
        "height": height,
        "track": track,
        "alt": scene.alt.as_dict(),
        "caption": caption.as_dict(),
        "readouts": [readout.as_dict() for readout in scene.readouts],
        "marks": [
            {
                "shape": marks.shape,
                "color": marks.color,
                "filled": marks.filled,
                "per_position": marks.geometry.shape[1],
                "numbers": np.ascontiguousarray(marks.geometry, dtype="<f4").tobytes(),
            }
            for marks in scene.marks
        ],
    }


def _with_marks(scene: Scene, position: int) -> Figure:
    """The scene's figure with the marks of one position painted on, as the browser lays them."""
    # TODO
    return scene.figure


def columns(axes: Axes, n_positions: int) -> Marks:
    """A frame around each position's column of a picture whose x axis runs over positions."""
    box = axes.get_position()
    geometry = np.empty((n_positions, 1, 4), np.float32)
    geometry[:, 0, 0] = box.x0 + np.arange(n_positions) / n_positions * box.width
    geometry[:, 0, 1:] = 1 - box.y1, box.width / n_positions, box.height
    return Marks("rect", geometry, COLORS["ink"], filled=False)


def bars(axes: Axes, table: NDArray) -> Marks:
    """For each position, its values as bars from zero, one below the other."""
    n_positions, d_model = table.shape
    rows = np.arange(d_model)
    zero = _shares(axes, np.zeros_like(table), rows)
    ends = _shares(axes, table, rows)
    height = axes.get_position().height / d_model
    geometry = np.empty((n_positions, d_model, 4), np.float32)
    geometry[..., 0] = np.minimum(zero[..., 0], ends[..., 0])
    geometry[..., 1] = ends[..., 1] - 0.4 * height
    geometry[..., 2] = np.abs(ends[..., 0] - zero[..., 0])
    geometry[..., 3] = 0.8 * height
    return Marks("rect", geometry, COLORS["blue"])


def _shares(axes: Axes, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Points in data coordinates as shares of the picture from its upper left corner."""
    points = np.stack(np.broadcast_arrays(x, y), axis=-1).astype(np.float64)
    in_pixels = axes.transData.transform(points.reshape(-1, 2))
    shares = axes.figure.transFigure.inverted().transform(in_pixels)
    shares[:, 1] = 1 - shares[:, 1]
    return shares.reshape(points.shape)


def _slider(label: Text, value: int, low: int, high: int, step: int = 1) -> ipywidgets.IntSlider:
    return ipywidgets.IntSlider(
        value=value, min=low, max=high, step=step, description=label.inline(),
        description_allow_html=True, style={"description_width": "11em"},
        layout={"width": "min(100%, 40em)"},
    )


def binary_explorer() -> Explorer:
    """Binary encodings as a heatmap, with the bits of one position."""

    def draw(n_positions: int, d_model: int) -> Scene:
        table = binary_encoding(n_positions, d_model)
        figure = figures.encoding_heatmap(table)
        heatmap, values = figure.axes[:2]
        flips = [0, *flips_per_step(table)]
        readout = Text(
            "Position {i}: bits {bits}, most significant first. {flips} bits flipped.",
            "Posición {i}: bits {bits}, el más significativo primero. Cambiaron {flips} bits.",
        )
        return Scene(
            figure,
            Text("Heatmap", "Mapa"),
            [readout.format(i=i, bits="".join(str(int(b)) for b in table[i, ::-1]), flips=flips[i])
             for i in range(n_positions)],
            [columns(heatmap, n_positions), bars(values, table)],
            heatmap,
        )

    return Explorer(
        draw,
        {"n_positions": _slider(Text("positions", "posiciones"), 50, 2, 64), "d_model": _slider(Text("bits", "bits"), 6, 6, 12)},
        Text("Each column is a position.", "Cada columna es una posición."),
        _slider(Text("position", "posición"), 23, 0, 49),
    )
