"""A box to tick for readers who want their guesses stored, and how many of them were right."""

import os
from collections.abc import Callable
from html import escape
from pathlib import Path

import ipywidgets

from ..explorers.controls import checkbox
from ..notebook.display import KEEPS_KEYS
from ..notebook.storage import (
    first_guesses,
    guesses_are_handed_in,
    guesses_are_stored,
    guesses_folder,
    hand_in_guesses_from_now_on,
    store_guesses_from_now_on,
    why_not_stored,
)
from ..words.text import Text, words

__all__ = ["keep_guesses"]

SAID = words(Path(__file__).with_suffix(".toml"))

ASKS = "COURSE_GUESSES"
"""The variable that a hub sets to "yes" where the class agreed to hand in guesses."""


class GuessesKept(ipywidgets.VBox):
    """A box to tick, and below it how many guesses are stored and how many of them were right.

    Where no kernel runs, only the numbers are shown.
    """

    def __init__(self) -> None:
        self.box = checkbox(SAID["keep"])
        self.box.indent = False
        self.below = ipywidgets.HTML()
        parts = [self.box, self.below]
        if os.environ.get(ASKS) == "yes":
            parts += self._asked_to_hand_in()
        super().__init__(parts)
        self.add_class(KEEPS_KEYS)
        self.box.value = guesses_are_stored()
        self.box.observe(self._tick, names="value")
        self._say(guesses_so_far())

    def _asked_to_hand_in(self) -> list[ipywidgets.Widget]:
        """A second box, on a hub whose class agreed, and what ticking it does."""
        self.handed_in = checkbox(SAID["hand-in"])
        self.handed_in.indent = False
        self.handed_in.value = guesses_are_handed_in()
        self.handed_in.observe(self._hand_in, names="value")
        return [self.handed_in, ipywidgets.HTML(SAID["hand-in-note"].blocks())]

    def _hand_in(self, change: dict[str, object]) -> None:
        is_stored = self._stored(hand_in_guesses_from_now_on, change["new"])
        if is_stored and change["new"]:  # there is nothing to hand in where nothing is stored
            self.box.value = True

    def _tick(self, change: dict[str, object]) -> None:
        self._stored(store_guesses_from_now_on, change["new"])

    def _stored(self, store: Callable[[bool], None], wanted: bool) -> bool:
        """Store what was ticked, and say how many guesses there are or why it was not stored."""
        try:
            store(wanted)
        except (OSError, RuntimeError) as error:
            self._say(why_not_stored(error))
            return False
        self._say(guesses_so_far())
        return True

    def _say(self, said: Text) -> None:
        self.said = said
        self.below.value = said.blocks()

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        widget = super()._repr_mimebundle_(**kwargs)
        return {**widget, "text/plain": self.said.lines, "text/html": self.said.blocks()}


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
