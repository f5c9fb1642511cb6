"""The terms that all languages must share, from glossary.toml."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course_utils.text import LANGUAGES


@dataclass(frozen=True)
class Term:
    """One entry of the glossary, by language: its name, its forms, and idioms with them."""

    names: dict[str, str]
    forms: dict[str, re.Pattern[str]]
    ordinary: dict[str, re.Pattern[str]]
    checked_from: tuple[str, ...]

    def used_in(self, text: str, language: str) -> bool:
        if language in self.ordinary:
            text = self.ordinary[language].sub(" ", text)
        return self.forms[language].search(text) is not None


def glossary_problems(said: dict[str, str]) -> list[str]:
    """Terms that are used in one language and not in another."""
    plain = {language: re.sub(r"[\s*]+", " ", text) for language, text in said.items()}
    return [
        f"{language} says “{term.names[language]}”, {other} does not say “{term.names[other]}”"
        for term in terms()
        for language in term.checked_from
        if term.used_in(plain[language], language)
        for other, forms in term.forms.items()
        if not forms.search(plain[other])
    ]


@cache
def terms() -> tuple[Term, ...]:
    """The glossary, compiled."""
    file = Path(__file__).with_suffix(".toml")
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["term"]
    return tuple(map(_term, entries))


def _term(entry: dict) -> Term:
    forms = {language: entry[language] for language in LANGUAGES if language in entry}
    ordinary = entry.get("ordinary", {})
    return Term(
        names={language: listed[0].replace("*", "") for language, listed in forms.items()},
        forms={language: _pattern(listed) for language, listed in forms.items()},
        ordinary={language: _pattern(listed) for language, listed in ordinary.items()},
        checked_from=tuple(entry.get("checked_from", forms)),
    )


def _pattern(forms: list[str]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(form).replace(r"\*", r"\w*") for form in forms)
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)
