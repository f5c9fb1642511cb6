"""Detection of the language of a text, and separation of words from other characters."""

import re
import tomllib
from functools import cache
from pathlib import Path

import py3langid

from course_utils.words.text import LANGUAGES

FIRST, *OTHERS = LANGUAGES
SEPARATOR = " · "

FEWEST_WORDS = 5
"""Minimum number of words in sentences whose language is detected."""

LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
FUNCTION_WORDS = {
    language: frozenset(listed.split()) for language, listed in LISTS["function-words"].items()
}
NEUTRAL = frozenset(LISTS["neutral"].split())

CODE = re.compile(
    r"""
    (?<!\w)'[\w.-]*'(?!\w)          # a short string, as Python shows it
    | [\w.]*\w\(                    # a call: array(
    | \b\w+\s?=(?!=)                # a keyword: dtype=
    | \b[^\W\d]\w*\.[^\W\d]\w*      # an attribute: table.shape
    | \w*[\d_]\w*                   # a name with a digit or an underscore; a number
    | \b(?:None|True|False)\b(?![.!?])
    | https?://\S+
    """,
    re.VERBOSE,
)
WORD = re.compile(r"[^\W\d_]{2,}(?:[’'-][^\W\d_]+)*")

py3langid.set_languages(list(FUNCTION_WORDS))


def words(text: str) -> list[str]:
    """Return the words in a text, without code, numbers, acronyms and neutral words."""
    found = WORD.findall(CODE.sub(" ", text))
    return [word for word in found if not word.isupper() and word.lower() not in NEUTRAL]


def sentences(text: str) -> list[str]:
    """Split a paragraph after full stops, question marks, exclamation marks and colons."""
    return [part.strip() for part in re.split(r"(?<=[.!?:;])\s+", text) if part.strip()]


@cache
def language_of(text: str) -> str | None:
    """Return the language of a text, or None if it is uncertain.

    The classifier is not sufficient, because texts such as «Elige Run All Cells en el menú» contain
    more English than Spanish letters. Therefore, no other language may have more function words in
    the text.
    """
    found = [word.lower() for word in words(text)]
    if len(found) < FEWEST_WORDS:
        return None
    guess, _ = py3langid.classify(" ".join(found))
    counts = {
        language: sum(word in listed for word in found)
        for language, listed in FUNCTION_WORDS.items()
    }
    return guess if counts[guess] == max(counts.values()) else None


def fits(text: str, language: str) -> bool:
    """Return True if a text may be in this language."""
    return language not in FUNCTION_WORDS or language_of(text) in (language, None)


def line_by_language(line: str) -> dict[str, str] | None:
    """Split ``"position i · posición i"`` by language; return None if a language is missing."""
    parts = line.split(SEPARATOR)
    if len(parts) != len(LANGUAGES):
        return None
    by_language = dict(zip(LANGUAGES, parts, strict=True))
    # One word in each part is enough, even if it is the same in all languages.
    in_words = all(WORD.search(CODE.sub(" ", part)) for part in parts)
    return (
        by_language if in_words and all(fits(part, x) for x, part in by_language.items()) else None
    )
