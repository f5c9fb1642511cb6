"""Which of the two languages a text is in, and which of its characters are words at all."""

from __future__ import annotations

import re

import py3langid

__all__ = ["LANGUAGES", "fits", "halves_of_line", "language_of", "sentences", "words"]

LANGUAGES = ("en", "es")
SEPARATOR = " · "

FEWEST_WORDS = 5
"""Below this a sentence is not judged: names and numbers outweigh the language."""

# Words that no sentence does without, and that the other language does not have.
FUNCTION_WORDS = {
    "en": frozenset(
        "the of and to in is it that this these those are be was were for with from at by or not "
        "which each every what when how its your you they their them then than but into over only "
        "an as on if so can will has have does do here there between first last same other".split()
    ),
    "es": frozenset(
        "el la los las de del y en es que este esta estos estas ese esa son ser fue para con por o "
        "cada qué cuando cuándo cómo su sus tu tus te se lo al un una unos unas pero sobre entre "
        "solo más como si hay está están tiene aquí ya ni desde hasta misma mismo otra".split()
    ),
}

# Alike in both languages, in code or in mathematics.
NEUTRAL = frozenset(
    "sin cos tan exp log max min mod inf nan array softmax arxiv jupyter "
    "jupyterlab python numpy matplotlib pytorch github sinusoidal".split()
)

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

py3langid.set_languages(list(LANGUAGES))


def words(text: str) -> list[str]:
    """The words of a text, without code, numbers, acronyms and what is neutral."""
    found = WORD.findall(CODE.sub(" ", text))
    return [word for word in found if not word.isupper() and word.lower() not in NEUTRAL]


def sentences(text: str) -> list[str]:
    """A paragraph cut after each full stop, question or exclamation mark, and colon."""
    return [part.strip() for part in re.split(r"(?<=[.!?:;])\s+", text) if part.strip()]


def language_of(text: str) -> str | None:
    """``"en"`` or ``"es"``; None when the text is too short or its signs contradict each other.

    The classifier's word is not enough: «Elige Run All Cells en el menú» has more English letters
    than Spanish ones. So the language must also have at least as many function words as the other.
    """
    found = [word.lower() for word in words(text)]
    if len(found) < FEWEST_WORDS:
        return None
    guess, _ = py3langid.classify(" ".join(found))
    other = LANGUAGES[1 - LANGUAGES.index(guess)]
    counts = {language: sum(w in FUNCTION_WORDS[language] for w in found) for language in LANGUAGES}
    return guess if counts[guess] >= counts[other] else None


def fits(text: str, language: str) -> bool:
    """Whether nothing speaks against the text being in this language."""
    return language_of(text) in (language, None)


def halves_of_line(line: str) -> tuple[str, str] | None:
    """``"position i · posición i"`` as its two halves; None when the line has no such halves.

    A half may hold the separator itself, so the halves are the first cut that leaves each of them
    in its own language.
    """
    parts = line.split(SEPARATOR)
    for cut in range(1, len(parts)):
        english, spanish = SEPARATOR.join(parts[:cut]), SEPARATOR.join(parts[cut:])
        both_say_something = bool(words(english)) and bool(words(spanish))
        if both_say_something and fits(english, "en") and fits(spanish, "es"):
            return english, spanish
    return None
