"""What the labs say, from texts.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from ..language import Text

__all__ = ["exercise_text", "hint_texts", "lab_title", "message", "misconception_text"]


def message(key: str) -> Text:
    """A sentence about what was found, with placeholders."""
    return _text(_texts()["message"][key])


def misconception_text(id: str, part: str) -> Text:
    """What a misconception ``is``, or what to ``ask`` somebody who has it."""
    return _text(_texts()["misconception"][id][part])


def exercise_text(id: str, part: str) -> Text:
    """An exercise's ``title``, or what to know once it is ``solved``."""
    return _text(_texts()["exercise"][id][part])


def hint_texts(id: str) -> tuple[Text, ...]:
    """The hints of an exercise, in their order."""
    return tuple(map(_text, _texts()["exercise"][id]["hints"]))


def lab_title(lab: str) -> Text:
    """What a lab is called on the page."""
    return _text(_texts()["lab"][lab])


@cache
def _texts() -> dict:
    with open(Path(__file__).with_name("texts.toml"), "rb") as file:
        return tomllib.load(file)


def _text(entry: dict[str, str]) -> Text:
    return Text(entry["en"], entry["es"])
