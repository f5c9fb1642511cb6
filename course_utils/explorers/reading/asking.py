"""Explorers whose views ask for the character model's output for a text.

In a notebook the numbers come from ``text_model``; a page without a kernel gets them from
``text_model.js``.
"""

from __future__ import annotations

from typing import ClassVar

import anywidget
import ipywidgets
import traitlets

from ...notebook.display import KEEPS_KEYS, WithStill
from ...text_model import CHARACTERS
from ..bundles import FOLDER

__all__ = ["SHARED", "AskingExplorer", "AskingView", "style"]

SHARED = (
    "reading/surprise.js",
    "shared/spoken.js",
    "shared/templates.js",
    "shared/elements.js",
    "shared/theme.js",
    "reading/around.js",
    "reading/choices.js",
    "shared/sliders.js",
    "shared/pointers.js",
    "reading/letters.js",
    "reading/asking.js",
    "shared/player.js",
)
"""Modules that the views share; each uses the modules before it."""


def style(*names: str) -> str:
    """Return the style sheets that all these views share, followed by the named ones."""
    files = ("shared/elements.css", "reading/reading.css", *names)
    return "".join((FOLDER / name).read_text("utf-8") for name in files)


class AskingView(anywidget.AnyWidget):
    """A view that asks for the numbers for the reader's text or choice."""

    modules: ClassVar[tuple[str, ...]]
    """Files of the view's own JavaScript, the view itself last."""

    text = traitlets.Unicode().tag(sync=True)
    samples = traitlets.Dict().tag(sync=True)
    given = traitlets.List().tag(sync=True)
    longest = traitlets.Int().tag(sync=True)
    characters = traitlets.Unicode(CHARACTERS).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)


class AskingExplorer(WithStill):
    """A view and the code that answers it; a subclass has ``answered`` and ``as_shown``.

    Attributes:
        view: the widget, whose traits follow the reader.
    """

    def __init__(self, view: AskingView) -> None:
        self.view = view
        view.on_msg(self._answer)
        self.widget = ipywidgets.VBox([view])
        self.widget.add_class("course-explorer-box").add_class(KEEPS_KEYS)

    def answered(self, asked: dict[str, object]) -> dict[str, object]:
        """Return the answer to the view, as lists, with arrays as bytes under ``buffers``."""
        raise NotImplementedError

    def _answer(self, view: AskingView, asked: dict[str, object], _: list[bytes]) -> None:
        answer = self.answered(asked)
        buffers = answer.pop("buffers")
        view.send({"question": asked["question"], **answer}, buffers)
