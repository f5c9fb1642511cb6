"""The switch that hides all languages but one, and what the reader chose last."""

from __future__ import annotations

import contextlib
from pathlib import Path

import anywidget
import traitlets

from ..words.text import LANGUAGES, SHOWN, words
from .display import JUPYTER_STYLE
from .storage import store_first_guess, store_language, stored_language

FOLDER = Path(__file__).parent
SAID = words(FOLDER / "switch.toml")
ALL = "both"
NAMES = {code: LANGUAGES[code] for code in SHOWN}
CHOICES = (*NAMES, ALL)
FIRST = CHOICES[0]


class LanguageSwitch(anywidget.AnyWidget):
    """Buttons for each language and for all; they hide the other languages in their notebook.

    The hiding is done in the browser, by style sheet, so it reaches all that is on the page at
    once and needs no kernel. The kernel only remembers the choice for the next notebook.
    """

    _esm = FOLDER / "switch.js"
    _css = JUPYTER_STYLE

    choice = traitlets.Enum(CHOICES, default_value=FIRST).tag(sync=True)
    languages = traitlets.Dict(NAMES).tag(sync=True)
    legend = traitlets.Unicode(SAID["legend"].shown_line).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(choice=remembered_choice())
        self.observe(lambda change: store_language(change["new"]), names="choice")
        self.on_msg(_note_guess)

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        bundle, metadata = super()._repr_mimebundle_(**kwargs)
        return {**bundle, **invitation()}, metadata


def invitation() -> dict[str, str]:
    """What stands in the switch's place until its cell is run, by media type."""
    said = SAID["invitation" if len(NAMES) > 1 else "only"]
    said = said.format(names=", ".join(NAMES.values()))
    return {"text/html": said.blocks(), "text/plain": said.lines}


def _note_guess(switch: LanguageSwitch, message: dict, buffers: list) -> None:
    """A choice was opened. A lesson goes on where guesses cannot be kept."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no home folder
        store_first_guess(message["guess"], message["isRight"])


def language_switch() -> LanguageSwitch:
    """The switch between the languages of the course, set to what the reader chose last."""
    return LanguageSwitch()


def remembered_choice() -> str:
    """The language chosen last; the first when none is stored or the course has it no more."""
    choice = stored_language()
    return choice if choice in CHOICES else FIRST
