"""Texts in English and Spanish, and the switch that hides one of the two."""

from __future__ import annotations

import json
from pathlib import Path

import anywidget
import traitlets
from jupyter_core.paths import jupyter_config_dir

from .kept import keep
from .page import MODULE_FOLDER
from .text import LANGUAGES, Text

__all__ = ["LANGUAGES", "LanguageSwitch", "Text", "language_switch"]


class LanguageSwitch(anywidget.AnyWidget):
    """English, Español, or both: hides the other language in the notebook it stands in.

    The hiding is done in the browser, by style sheet, so it reaches all that is on the page at
    once and needs no kernel. The kernel only remembers the choice for the next notebook.
    """

    _esm = MODULE_FOLDER / "language_switch.js"
    _css = MODULE_FOLDER / "page.css"

    choice = traitlets.Enum([*LANGUAGES, "both"], default_value="en").tag(sync=True)

    def __init__(self) -> None:
        super().__init__(choice=remembered_choice())
        self.observe(lambda change: remember_choice(change["new"]), names="choice")

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        bundle, metadata = super()._repr_mimebundle_(**kwargs)
        invitation = Text(
            "Run this cell to choose a language: English, Español, or both.",
            "Ejecuta esta celda para elegir el idioma: English, Español o los dos.",
        )
        return {
            **bundle,
            "text/plain": invitation.lines,
            "text/html": invitation.blocks(),
        }, metadata


def language_switch() -> LanguageSwitch:
    """The switch between English, Spanish and both, set to what the reader chose last."""
    return LanguageSwitch()


def _choice_file() -> Path:
    return Path(jupyter_config_dir()) / "positional-encodings-course.json"


def remembered_choice() -> str:
    """The language chosen last, on any day; English when nothing readable was kept."""
    try:
        choice = json.loads(_choice_file().read_text(encoding="utf-8"))["language"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "en"
    return choice if choice in [*LANGUAGES, "both"] else "en"


def remember_choice(choice: str) -> None:
    """Keep the choice for the next notebook; a folder that cannot be written keeps nothing."""
    keep(_choice_file(), json.dumps({"language": choice}))
