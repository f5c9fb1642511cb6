"""A checkbox for storing guesses, and the number of correct guesses."""

from html import escape
from pathlib import Path

import ipywidgets

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

TEXTS = words(Path(__file__).with_suffix(".toml"))


class GuessesKept(WithStill, ipywidgets.VBox):
    """A checkbox for storing guesses, with the numbers of stored and correct guesses below it.

    Without a kernel, only the numbers are shown.
    """

    def __init__(self) -> None:
        named = {"description": TEXTS["keep"].inline(), "description_allow_html": True}
        self.box = ipywidgets.Checkbox(value=False, indent=False, **named)
        self.below = ipywidgets.HTML()
        super().__init__([self.box, self.below])
        self.add_class(KEEPS_KEYS).add_class("course-kept")
        self.box.value = guesses_are_stored()
        self.box.observe(self._tick, names="value")
        self._say(guesses_so_far())

    def _tick(self, change: dict[str, object]) -> None:
        """Store the state of the checkbox, and show the guesses or an explanation of the error."""
        try:
            store_guesses_from_now_on(change["new"])
        except (OSError, RuntimeError) as error:
            self._say(why_not_stored(error))
        else:
            self._say(guesses_so_far())

    def _say(self, message: Text) -> None:
        self.message = message
        self.below.value = message.blocks()

    @property
    def widget(self) -> ipywidgets.VBox:
        return self

    def as_shown(self) -> Shown:
        """Return the numbers without the checkbox."""
        return Shown(html=self.message.blocks(), plain=self.message.lines)


def keep_guesses() -> GuessesKept:
    """Return the checkbox for storing guesses, which are never graded."""
    return GuessesKept()


def guesses_so_far() -> Text:
    """Return the numbers of stored and correct guesses, or explain why they are unknown."""
    try:
        guesses = first_guesses()
    except RuntimeError as error:
        return why_not_stored(error)
    except OSError:
        return TEXTS["not-readable"].format(place=escape(str(guesses_folder())))
    return TEXTS["right"].format(right=sum(guesses.values()), given=len(guesses))
