"""Check that all languages use the same terms from course_utils/words/glossary.toml."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course_utils.words import text
from course_utils.words.text import Words, words


def glossary() -> Words:
    """Return the terms and symbols in the glossary."""
    return words(Path(text.__file__).with_name("glossary.toml"))


@dataclass(frozen=True)
class Term:
    """An entry of the glossary, with its name, forms and idioms in each language."""

    names: dict[str, str]
    forms: dict[str, re.Pattern[str]]
    ordinary: re.Pattern[str]
    checked_from: tuple[str, ...]

    def used_in(self, text: str, language: str) -> bool:
        return self.forms[language].search(self.ordinary.sub(" ", text)) is not None


def glossary_problems(texts: dict[str, str]) -> list[str]:
    """Return the terms that one language uses and another does not."""
    plain = {language: re.sub(r"(?:[\s*]|\{\w+\})+", " ", text) for language, text in texts.items()}
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
    """Return the terms that have forms, as compiled patterns."""
    return tuple(_term(entry) for entry in glossary()["term"].values() if "forms" in entry)


def _term(entry: Words) -> Term:
    forms = {x: listed.split(" | ") for x, listed in entry["forms"].as_dict().items()}
    return Term(
        names={language: listed[0].replace("*", "") for language, listed in forms.items()},
        forms={language: _pattern(listed) for language, listed in forms.items()},
        ordinary=_pattern(entry.get("ordinary", [])),
        checked_from=tuple(entry.get("checked_from", forms)),
    )


def _pattern(forms: list[str]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(form).replace(r"\*", r"\w*") for form in forms)
    return re.compile(rf"\b(?:{alternatives})\b" if forms else r"(?!)", re.IGNORECASE)
