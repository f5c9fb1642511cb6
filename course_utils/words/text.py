"""Texts in all languages of the course, and a parser for TOML files of texts."""

from __future__ import annotations

import html
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

FOLDER = Path(__file__).parent

_ENTRIES = tomllib.loads((FOLDER / "languages.toml").read_text("utf-8"))

LANGUAGES: dict[str, str] = {code: entry["name"] for code, entry in _ENTRIES.items()}
"""Native names of the languages, keyed by language code, in the order of the page."""

SHOWN = [code for code in LANGUAGES if code == os.environ.get("COURSE_LANGUAGE")] or [*LANGUAGES]
"""Codes of the shown languages: all languages, unless COURSE_LANGUAGE selects one."""

PERCENTAGE = r"(?<=\d)[ \u00a0]?%(?!\w| ?[\d(])"
"""Pattern of a percent sign after a number, except for the operator in code."""

BETWEEN = '<span class="course-both"> · </span>'
"""Separator between the languages in a line, which is hidden if only one language is shown."""


class Text:
    """An HTML text in every language.

    The arguments are the texts in the order of the languages, as in ``Text("the <b>last</b> row",
    "la <b>última</b> fila")``. A missing or empty language raises an error immediately, so that the
    gap cannot reach the page.
    """

    def __init__(self, *texts: str) -> None:
        if len(texts) != len(LANGUAGES):
            raise ValueError(
                f"a Text needs {len(LANGUAGES)} languages; got {len(texts)}: {texts!r}."
            )
        self._by_language = dict(zip(LANGUAGES, texts, strict=True))
        for language, words in self._by_language.items():
            if not isinstance(words, str) or not words.strip():
                raise ValueError(f"a Text needs words in every language; {language} is {words!r}.")

    def __getitem__(self, language: str) -> str:
        return self._by_language[language]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._by_language == other._by_language

    def __hash__(self) -> int:
        return hash(tuple(self._by_language.values()))

    def __repr__(self) -> str:
        return f"Text({', '.join(map(repr, self._by_language.values()))})"

    def map(self, change: Callable[[str], str]) -> Text:
        """Apply a function to the text in every language, as in ``text.map(str.lower)``."""
        return Text(*map(change, self._by_language.values()))

    def format(self, **values: object) -> Text:
        """Fill in the ``{placeholders}``.

        If a value is a Text, each language receives the text in that language. Other values are
        HTML-escaped.
        """
        return Text(
            *(
                with_percent_signs(
                    text.format(**{name: _in(language, value) for name, value in values.items()}),
                    language,
                )
                for language, text in self._by_language.items()
            )
        )

    def __add__(self, other: Text) -> Text:
        return Text(*(f"{text} {other[language]}" for language, text in self._by_language.items()))

    @staticmethod
    def join(separator: str, texts: list[Text]) -> Text:
        """Join texts language by language."""
        return Text(*(separator.join(text[language] for text in texts) for language in LANGUAGES))

    def blocks(self) -> str:
        """Return HTML in which each shown language has its own block, for sentences."""
        return "".join(self._marked("div"))

    def inline(self) -> str:
        """Return inline HTML with a dot between the shown languages, for labels."""
        return BETWEEN.join(self._marked("span"))

    def _marked(self, tag: str) -> Iterator[str]:
        # In labels, ipywidgets removes the attribute lang but keeps the class.
        for language, text in self.as_dict().items():
            yield f'<{tag} lang="{language}" class="course-{language}">{text}</{tag}>'

    @property
    def plain(self) -> Text:
        """Text without tags, for contexts that do not allow HTML."""
        return self.map(lambda text: html.unescape(re.sub(r"<[^>]+>", "", text)))

    @property
    def lines(self) -> str:
        """Text without tags, with one line per shown language."""
        return "\n".join(self.plain.as_dict().values())

    @property
    def one_line(self) -> str:
        """Text in all languages, on one line, without tags and duplicates."""
        return _on_a_line(self.plain._by_language)

    @property
    def shown_line(self) -> str:
        """Text without tags in the shown languages on one line."""
        return _on_a_line(self.plain.as_dict())

    def as_dict(self) -> dict[str, str]:
        """Return a dictionary of the shown languages, keyed by language code."""
        return {language: self._by_language[language] for language in SHOWN}


def _on_a_line(text: Mapping[str, str]) -> str:
    each = list(text.values())
    return each[0] if len(set(each)) == 1 else " · ".join(each)


def with_percent_signs(text: str, language: str) -> str:
    """Format percentages for a language: with a space in Spanish, without a space in English."""
    sign = _ENTRIES[language].get("percent")
    return text if sign is None else re.sub(PERCENTAGE, sign, text)


def _in(language: str, value: object) -> str:
    return value[language] if isinstance(value, Text) else html.escape(str(value))


def typeset(value: object) -> object:
    """Format a number for prose, with a minus sign instead of a hyphen."""
    return value if isinstance(value, Text) else re.sub(r"(?<!\w)-(?=\d)", "−", str(value))


class Words(dict):
    """Entries of a TOML file of texts.

    Errors about missing entries name the file.
    """

    def __init__(self, entries: Mapping[str, object], where: str) -> None:
        super().__init__(entries)
        self._where = where

    def __missing__(self, name: str) -> object:
        raise KeyError(f"{self._where} has no {name!r}; it has {', '.join(self)}.")


@cache
def words(file: Path) -> Words:
    """Read a TOML file in which each text is a table with one string per language.

    If a language is missing or unknown, or if the placeholders differ between languages, a
    ValueError names the file and the entry.
    """
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name}: {error}.") from error
    return _read(entries, file.name)


def _read(entry: object, where: str) -> object:
    if isinstance(entry, list):
        return [_read(each, f"{where} [{number}]") for number, each in enumerate(entry)]
    if not isinstance(entry, dict):
        return entry
    if entry.keys() & LANGUAGES.keys():
        return _text(entry, where)
    return Words({name: _read(each, f"{where} {name}") for name, each in entry.items()}, where)


def _text(entry: Mapping[str, str], where: str) -> Text:
    for language in [*LANGUAGES, *entry]:
        if language not in entry:
            raise ValueError(f"{where}: {language} is missing.")
        if language not in LANGUAGES:
            raise ValueError(f"{where}: {language!r} is not a language in languages.toml.")
    first = _placeholders(entry[next(iter(LANGUAGES))], where)
    for language in LANGUAGES:
        if (found := _placeholders(entry[language], where)) != first:
            raise ValueError(
                f"{where}: placeholders must be {first} in every language; {language} has {found}."
            )
    return Text(*(entry[language] for language in LANGUAGES))


def _placeholders(text: str, where: str) -> list[str]:
    try:
        return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})
    except ValueError as error:
        raise ValueError(f"{where}: {error} in {text!r}.") from None
