"""The animation on a page: its container, its texts, and its stills for readers without scripts."""

from __future__ import annotations

import html
import json

from course_utils.colors import COLORS
from course_utils.explorers.base import DIST
from course_utils.explorers.story.story import TEXTS, story_words

from .scripts import as_value

STORY = "story_explorer"
"""The explorer whose cells, one per chapter, become one animation next to their paragraphs."""


def story_script() -> str:
    """Return the animation as a constant of a classic script."""
    module = as_value((DIST / "story.js").read_text("utf-8"))
    return f"const story = {module}.default;\n"


def story_html(language: str, *, links: bool = False) -> str:
    """Return the container of the animation, with its texts in one language.

    ``links`` is True if each chapter links to its lesson.
    """
    given = {
        "words": {language: story_words()[language]},
        "settings": {"colors": COLORS},
        "chapter": 0,
        "links": [f"{each['notebook']}.html" for each in TEXTS["chapters"]] if links else None,
    }
    data = html.escape(json.dumps(given, ensure_ascii=False, separators=(",", ":")))
    return f'<div class="scene course-story-box" data-story="{data}"></div>\n'
