"""A box to tick for readers who want their guesses stored, and how many of them were right."""

from html import escape
from pathlib import Path

import ipywidgets

from ..explorers.controls import checkbox
from ..notebook.display import KEEPS_KEYS, Shown, WithStill
from ..notebook.storage import (
    first_guesses,
    guesses_are_stored,
    guesses_folder,
    store_guesses_from_now_on,
    why_not_stored,
)
from ..words.text import Text, words

__all__ = ["keep_guesses"]

SAID = words(Path(__file__).with_suffix(".toml"))


class GuessesKept(WithStill, ipywidgets.VBox):
    """A box to tick, and below it how many guesses are stored and how many of them were right.

    Where no kernel runs, only the numbers are shown.
    """

    def __init__(self) -> None:
        self.box = checkbox(SAID["keep"])
        self.box.indent = False
        self.below = ipywidgets.HTML()
        super().__init__([self.box, self.below])
        self.add_class(KEEPS_KEYS).add_class("course-kept")
        self.box.value = guesses_are_stored()
        self.box.observe(self._tick, names="value")
        self._say(guesses_so_far())

    def _tick(self, change: dict[str, object]) -> None:
        """Store what was ticked, and say how many guesses there are or why it was not stored."""
        try:
            store_guesses_from_now_on(change["new"])
        except (OSError, RuntimeError) as error:
            self._say(why_not_stored(error))
        else:
            self._say(guesses_so_far())

    def _say(self, said: Text) -> None:
        self.said = said
        self.below.value = said.blocks()

    @property
    def widget(self) -> ipywidgets.VBox:
        return self

    def as_shown(self) -> Shown:
        """Return the numbers alone."""
        return Shown(html=self.said.blocks(), plain=self.said.lines)


def keep_guesses() -> GuessesKept:
    """The box to tick for readers who want their guesses stored; no guess is ever graded."""
    return GuessesKept()


def guesses_so_far() -> Text:
    """How many guesses are stored and how many of them were right, or why that is not known."""
    try:
        guesses = first_guesses()
    except RuntimeError as error:
        return why_not_stored(error)
    except OSError:
        return SAID["not-readable"].format(place=escape(str(guesses_folder())))
    return SAID["right"].format(right=sum(guesses.values()), given=len(guesses))
