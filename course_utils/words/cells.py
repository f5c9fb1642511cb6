"""Parser for bilingual Markdown cells, which consist of a heading and a text per language.

The heading contains a ``<span>`` for each language, and the text of each language is in a
``<div>``. The dot between the spans is inside another span, so that it can be hidden::

    ## 2 · <span lang="en">Waves</span>...<span lang="es">Ondas</span>

    <div lang="en">

    A wave.

    </div>
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HALF = re.compile(r'^<div lang="(\w*)">\n(.*?)^</div>$', re.DOTALL | re.MULTILINE)
"""Pattern of a cell's text in one language, with groups for the language code and the text."""

_SPAN = re.compile(r'<span lang="(\w+)">(.*?)</span>')
_HEADING = re.compile(rf"^(#+) (?:([\w.]+) · )?(?={_SPAN.pattern}).*$", re.MULTILINE)
_TAGGED = re.compile(r'<(div|span) lang="(\w+)"[^>]*>(.*?)</\1>', re.DOTALL)
_SEPARATOR = re.compile(r'<span class="course-both">.*?</span>')


@dataclass(frozen=True)
class Heading:
    """The heading of a Markdown cell.

    Attributes:
        level: Number of # characters before the heading.
        number: Number before the heading's text, as a string such as "2", or an empty string.
        texts: Text of the heading in each language, keyed by language code.
    """

    level: int
    number: str
    texts: dict[str, str]

    def line(self, language: str) -> str:
        """Return the number and the text in one language, such as “2 · Waves”."""
        return " · ".join(filter(None, (self.number, self.texts[language])))


def halves(source: str) -> dict[str, str]:
    """Return the text of a cell, without the heading, keyed by language code.

    The languages are in the order of the cell. Parts in the same language are joined by a blank
    line.
    """
    found: dict[str, list[str]] = {}
    for language, text in HALF.findall(source):
        found.setdefault(language, []).append(text.strip("\n"))
    return {language: "\n\n".join(texts) for language, texts in found.items()}


def heading(source: str) -> Heading | None:
    """Return the first multilingual heading of a cell, or None if there is none."""
    found = _HEADING.search(source)
    if found is None:
        return None
    return Heading(len(found[1]), found[2] or "", dict(_SPAN.findall(found[0])))


def in_one_language(source: str, language: str) -> str:
    """Return the Markdown of a cell in one language, including headings, without tags."""
    source = _SEPARATOR.sub("", source)
    return _TAGGED.sub(lambda part: part[3] if part[2] == language else "", source).strip()
