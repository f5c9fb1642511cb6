"""The terms that both languages must share, from glossary.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["glossary_problems"]

OTHER = {"en": "es", "es": "en"}


@dataclass(frozen=True)
class Term:
    """One entry of the glossary: the forms it takes in each language, and their idioms."""

    names: dict[str, str]
    forms: dict[str, re.Pattern[str]]
    ordinary: dict[str, re.Pattern[str] | None]
    directions: tuple[str, ...]

    def used_in(self, text: str, language: str) -> bool:
        ordinary = self.ordinary[language]
        if ordinary is not None:
            text = ordinary.sub(" ", text)
        return self.forms[language].search(text) is not None


def glossary_problems(halves: dict[str, str]) -> list[str]:
    """Terms that one half uses and the other does not have."""
    plain = {language: re.sub(r"[\s*]+", " ", text) for language, text in halves.items()}
    return [
        f"the {language} half says “{term.names[language]}”, the {OTHER[language]} half does not "
        f"say “{term.names[OTHER[language]]}”"
        for term in terms()
        for language in term.directions
        if term.used_in(plain[language], language)
        and not term.forms[OTHER[language]].search(plain[OTHER[language]])
    ]


@cache
def terms() -> tuple[Term, ...]:
    """The glossary, compiled."""
    with open(Path(__file__).with_name("glossary.toml"), "rb") as file:
        entries = tomllib.load(file)["term"]
    return tuple(
        Term(
            names={language: entry[language][0].replace("*", "") for language in OTHER},
            forms={language: _pattern(entry[language]) for language in OTHER},
            ordinary={
                language: _pattern(entry[f"ordinary_{language}"])
                if f"ordinary_{language}" in entry
                else None
                for language in OTHER
            },
            directions=("en", "es") if entry["check"] == "both" else (entry["check"],),
        )
        for entry in entries
    )


def _pattern(forms: list[str]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(form).replace(r"\*", r"\w*") for form in forms)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)
