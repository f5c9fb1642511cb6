"""The protocol that all explorers follow; README.md in this folder describes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

import anywidget
import traitlets

from ..notebook.display import KEEPS_KEYS, Shown, WithStill, figure_html
from ..pictures import scenes
from ..words.text import SHOWN, Text

FOLDER = Path(__file__).parent
DIST = FOLDER / "dist"
"""One ES module for each kind of explorer, which ``tools/generate.py`` writes."""

FRAMED = ("shared/elements.css", "shared/framed.css")
"""The style sheets of explorers that compute pictures in frames."""

Build = TypeVar("Build", bound="Callable[..., ExplorerWidget]")


def style(*names: str) -> str:
    """Return the combined text of the given style sheets in this folder."""
    return "".join((FOLDER / name).read_text("utf-8") for name in names)


def view_texts(texts: Mapping[str, object], **others: object) -> dict[str, object]:
    """Return the texts of a view as data, including its question, caption and section."""
    around = {"question": texts["question"], "caption": texts["caption"]}
    return scenes.as_data({**texts["view"], **around, **others})


def still(pictures: Mapping[str, bytes], alt: Text, caption: Text, inside: str = "") -> Shown:
    """Return a still with a picture in each shown language, and optional HTML below the picture."""
    return Shown(
        html=figure_html(pictures, alt, inside, caption),
        plain=f"{alt.lines}\n{caption.lines}",
        png=pictures[SHOWN[0]],
    )


class ExplorerWidget(WithStill, anywidget.AnyWidget):
    """An interactive widget, and its still for readers without a kernel.

    Its traits contain everything that its ES module needs. A page without a kernel gives the
    module the same traits and then calls its function ``withoutKernel``, if it has one.

    Attributes:
        module: the name of the ES module in ``dist``, and of the folder with its sources.
        style: the style sheets of the module, without the one that all pages share.
        settings: colours, languages and texts that all explorers with the module share.
    """

    module: ClassVar[str]
    style: ClassVar[str]

    settings = traitlets.Dict().tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(settings=self.shared_settings(), **traits)
        self.add_class("course-explorer-box").add_class(KEEPS_KEYS)

    @classmethod
    def shared_settings(cls) -> dict[str, object]:
        """Return the settings of all explorers with the module."""
        return scenes.settings()

    def page_traits(self) -> dict[str, object]:
        """Return the traits that differ between explorers with the same module, for a page."""
        shared = {"settings", *anywidget.AnyWidget.class_traits()}
        names = (name for name in self.traits(sync=True) if not name.startswith("_"))
        return {name: getattr(self, name) for name in sorted(names) if name not in shared}

    @property
    def widget(self) -> ExplorerWidget:
        """The explorer itself, which can be placed in other widgets, linked and observed."""
        return self

    @property
    def view(self) -> ExplorerWidget:
        """The explorer itself, for code written when the view was a separate widget."""
        return self


@dataclass(frozen=True)
class Registered:
    """An explorer of the course: the function that builds it, and the question it asks."""

    function: Callable[..., ExplorerWidget]
    question: Text


REGISTERED: dict[str, Registered] = {}
"""All explorers, keyed by the name of their function, such as ``clock_explorer``."""


def explorer(question: Text) -> Callable[[Build], Build]:
    """Register a function that returns an explorer; the question is the explorer's title."""

    def register(function: Build) -> Build:
        REGISTERED[function.__name__] = Registered(function, question)
        return function

    return register


def widgets() -> dict[str, type[ExplorerWidget]]:
    """Return the explorer class for each ES module, keyed by the module's name."""
    found, waiting = {}, [ExplorerWidget]
    while waiting:
        widget = waiting.pop()
        waiting += widget.__subclasses__()
        if "module" in vars(widget):
            found[widget.module] = widget
    return dict(sorted(found.items()))
