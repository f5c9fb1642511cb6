"""Explorers whose views ask what the model that reads makes of a text.

In a notebook the numbers come from ``text_model``; a page without a kernel gets them from
``text_model.js``.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import anywidget
import ipywidgets
import traitlets

from ..notebook.display import KEEPS_KEYS, WithStill
from ..text_model import CHARACTERS

__all__ = ["SHARED", "AskingExplorer", "AskingView", "style"]

HERE = Path(__file__).parent
SHARED = (
    "surprise.js", "spoken.js", "elements.js", "theme.js", "around.js", "choices.js", "sliders.js",
    "pointers.js", "letters.js", "asking.js", "player.js",
)  # fmt: skip
"""What the views have in common; each module uses those before it."""


def style(*names: str) -> str:
    """The style sheets that all these views share, and after them those named."""
    files = ("elements.css", "reading.css", *names)
    return "".join((HERE / name).read_text("utf-8") for name in files)


class AskingView(anywidget.AnyWidget):
    """A view that asks for the numbers of what the reader types or chooses."""

    modules: ClassVar[tuple[str, ...]]
    """The files of the view's own JavaScript, of which the last one is the view."""

    text = traitlets.Unicode().tag(sync=True)
    samples = traitlets.Dict().tag(sync=True)
    given = traitlets.List().tag(sync=True)
    longest = traitlets.Int().tag(sync=True)
    characters = traitlets.Unicode(CHARACTERS).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)


class AskingExplorer(WithStill):
    """A view with what answers it; a subclass has ``answered`` and ``as_shown``.

    Attributes:
        view: the widget, whose traits follow the reader.
    """

    def __init__(self, view: AskingView) -> None:
        self.view = view
        view.on_msg(self._answer)
        self.widget = ipywidgets.VBox([view])
        self.widget.add_class("course-explorer-box").add_class(KEEPS_KEYS)

    def answered(self, asked: dict[str, object]) -> dict[str, object]:
        """What the view asks for, as lists, and arrays as bytes under ``buffers``."""
        raise NotImplementedError

    def _answer(self, view: AskingView, asked: dict[str, object], _: list[bytes]) -> None:
        answer = self.answered(asked)
        buffers = answer.pop("buffers")
        view.send({"question": asked["question"], **answer}, buffers)
