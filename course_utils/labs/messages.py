"""Texts of the labs, from messages.toml and the TOML files of the exercises."""

from pathlib import Path

from ..words.text import Text, words

FOLDER = Path(__file__).parent
FILES = (FOLDER / "messages.toml", *sorted((FOLDER / "tasks").glob("*.toml")))

TEXTS = {
    group: {id: entry for file in FILES for id, entry in words(file).get(group, {}).items()}
    for group in (
        *("message", "pattern", "axis", "place"),
        *("misconception", "exercise", "lab"),
    )
}
"""Texts of all files, keyed by group and id.

A ``lab`` has a title. An ``exercise`` has an explanation, hints and a worked example. Each
``misconception`` and each ``pattern`` has a description and a question. An ``axis`` is a name for
the lines of an output.
"""


def message(key: str) -> Text:
    """Return the message with this key, whose placeholders have not been filled in."""
    return TEXTS["message"][key]
