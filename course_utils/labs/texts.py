"""What the labs say, from texts.toml."""

from __future__ import annotations

from pathlib import Path

from ..text import Text, words

SAID = words(Path(__file__).with_name("texts.toml"))

__all__ = ["exercise_text", "hint_texts", "lab_title", "message", "misconception_text"]


def message(key: str) -> Text:
    """A sentence about what was found, with placeholders."""
    return SAID["message"][key]


def misconception_text(id: str, part: str) -> Text:
    """What a misconception ``is``, or what to ``ask`` somebody who has it."""
    return SAID["misconception"][id][part]


def exercise_text(id: str, part: str) -> Text:
    """An exercise's ``title``, or what to know once it is ``solved``."""
    return SAID["exercise"][id][part]


def hint_texts(id: str) -> tuple[Text, ...]:
    """The hints of an exercise, in their order."""
    return tuple(SAID["exercise"][id]["hints"])


def lab_title(lab: str) -> Text:
    """What a lab is called on the page."""
    return SAID["lab"][lab]
