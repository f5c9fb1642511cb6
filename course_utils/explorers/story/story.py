"""The animation in nine chapters, from a bag of words to the clock that causes the failure.

Its numbers and pictures are computed in the browser, by ``story.js`` and its modules; a test
compares the numbers with the package's. The browser loads the weights of the character model
shortly before a chapter needs them.
"""

from __future__ import annotations

import json
from pathlib import Path

import traitlets

from ...notebook.display import Shown
from ...refusals import quoted
from ...text_model import WEIGHTS
from ...words.text import LANGUAGES, SHOWN, Text, words
from ..base import DIST, ExplorerWidget, explorer, still, style

__all__ = ["story_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
CHAPTERS = tuple(chapter["id"] for chapter in TEXTS["chapters"])
STILLS = Path(__file__).with_name("stills")
"""Folder with a picture of each chapter in each language, taken by ``tools/generate.py``."""

STYLE = style("story/story.css")


def still_of(chapter: str, language: str) -> Path:
    """Return the picture of a chapter, in the first language if this language has none."""
    still = STILLS / f"{chapter}-{language}.png"
    return still if still.exists() else STILLS / f"{chapter}-{next(iter(LANGUAGES))}.png"


def story_words() -> dict[str, dict[str, object]]:
    """Return the texts of the animation, keyed by language."""
    plain = {name: text for name, text in TEXTS.items() if isinstance(text, Text)}
    return {
        language: {name: text[language] for name, text in plain.items()}
        | {"chapters": [_of(chapter, language) for chapter in TEXTS["chapters"]]}
        for language in SHOWN
    }


def _of(chapter: dict[str, object], language: str) -> dict[str, str]:
    return {name: text[language] for name, text in chapter.items() if isinstance(text, Text)}


class StoryExplorer(ExplorerWidget):
    """The animation, open at one of its chapters.

    Attributes:
        chapter: the number of the chapter, counted from 0.
    """

    module = "story"
    style = STYLE
    _esm = DIST / "story.js"
    _css = style

    words = traitlets.Dict().tag(sync=True)
    chapter = traitlets.Int(0).tag(sync=True)
    links = traitlets.List(None, allow_none=True).tag(sync=True)

    def __init__(self, chapter: str) -> None:
        number = CHAPTERS.index(chapter)
        super().__init__(words=story_words(), chapter=number)
        self.add_class("course-story-box").remove_class("course-explorer-box")
        self.on_msg(_send_weights)

    def as_shown(self) -> Shown:
        """Return the chapter as a still, for readers without a kernel."""
        chapter = TEXTS["chapters"][self.chapter]
        pictures = {each: still_of(CHAPTERS[self.chapter], each).read_bytes() for each in SHOWN}
        caption = chapter["title"].map("<strong>{}</strong>".format) + chapter["then"]
        return still(pictures, chapter["seen"], caption)


def _send_weights(view: StoryExplorer, asked: object, buffers: list[bytes]) -> None:
    header = json.loads((WEIGHTS / "rope.json").read_text("utf-8"))
    view.send(header, [(WEIGHTS / "rope.bin").read_bytes()])


@explorer(TEXTS["name"])
def story_explorer(chapter: str = "bag") -> StoryExplorer:
    """Show the animation of the whole idea in nine chapters, open at one of them.

    Args:
        chapter: ``bag``, ``number``, ``bits``, ``waves``, ``clocks``, ``wedge``, ``rope``,
            ``beyond`` or ``blame``.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"chapter must be one of {', '.join(CHAPTERS)}; got {quoted(chapter)}.")
    return StoryExplorer(chapter)
