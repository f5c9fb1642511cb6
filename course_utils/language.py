"""Texts in English and Spanish, and the switch that hides one of the two."""

from __future__ import annotations

import contextlib
import html
import json
import re
from dataclasses import dataclass
from pathlib import Path

import anywidget
import traitlets

from .folders import jupyter_config_dir
from .kept import keep

__all__ = ["LANGUAGES", "LanguageSwitch", "Text", "language_switch"]

LANGUAGES = ("en", "es")
"""The languages of the course, in the order in which a page holds them."""

MODULE_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Text:
    """One thing said in both languages.

    Each half is HTML: ``Text("the <b>last</b> row", "la <b>última</b> fila")``. Neither may be
    empty, so that a missing translation shows where it is made and not on the page.
    """

    en: str
    es: str

    def __post_init__(self) -> None:
        for language in LANGUAGES:
            half = getattr(self, language)
            if not isinstance(half, str) or not half.strip():
                raise ValueError(f"a Text needs words in both languages; {language} is {half!r}.")

    def format(self, **values: object) -> Text:
        """The same text with its ``{placeholders}`` filled in.

        A value that is itself a Text goes in language by language; any other is escaped.
        """
        return Text(
            *(
                getattr(self, language).format(
                    **{
                        name: getattr(value, language)
                        if isinstance(value, Text)
                        else html.escape(str(value))
                        for name, value in values.items()
                    }
                )
                for language in LANGUAGES
            )
        )

    def __add__(self, other: Text) -> Text:
        return Text(f"{self.en} {other.en}", f"{self.es} {other.es}")

    def blocks(self) -> str:
        """HTML with each language in a block of its own, for sentences."""
        return "".join(
            f'<div lang="{language}" class="course-{language}">{getattr(self, language)}</div>'
            for language in LANGUAGES
        )

    def inline(self) -> str:
        """HTML that stays in its line, for labels; a dot parts the halves when both are shown."""
        english, spanish = (
            f'<span lang="{language}" class="course-{language}">{getattr(self, language)}</span>'
            for language in LANGUAGES
        )
        return f'{english}<span class="course-both"> · </span>{spanish}'

    @property
    def plain(self) -> Text:
        """The same text without tags, for places that take no HTML."""
        return Text(*(_without_tags(getattr(self, language)) for language in LANGUAGES))

    @property
    def lines(self) -> str:
        """Both languages without tags, one below the other."""
        return f"{self.plain.en}\n{self.plain.es}"

    def as_dict(self) -> dict[str, str]:
        return {language: getattr(self, language) for language in LANGUAGES}


def _without_tags(fragment: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", fragment))


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
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):  # also: no home folder
        return "en"
    return choice if choice in [*LANGUAGES, "both"] else "en"


def remember_choice(choice: str) -> None:
    """Keep the choice for the next notebook, if there is a folder that can be written."""
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: no home folder
        keep(_choice_file(), json.dumps({"language": choice}))
