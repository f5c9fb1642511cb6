"""What the labs say, from messages.toml and the files of words beside the exercises."""

from pathlib import Path

from ..words.text import Text, words

FOLDER = Path(__file__).parent
FILES = (FOLDER / "messages.toml", *sorted((FOLDER / "tasks").glob("*.toml")))

SAID = {
    group: {id: entry for file in FILES for id, entry in words(file).get(group, {}).items()}
    for group in (
        *("message", "pattern", "axis", "condition"),
        *("misconception", "exercise", "lab"),
    )
}
"""What every file says, by its group and its id: the title of a ``lab``; what to know when an
``exercise`` is solved, its hints, and how one of its numbers is worked by hand; what a
``misconception`` is, and what to ask then; what a ``pattern`` sees, and its question; what the
lines along an ``axis`` are called; and the ``condition`` under which a call comes out right or
wrong."""


def message(key: str) -> Text:
    """A sentence about what was found, with placeholders."""
    return SAID["message"][key]
