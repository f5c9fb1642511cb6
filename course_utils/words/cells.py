"""The parts of a bilingual prose cell: its heading, and its text in each language.

The heading has a ``<span>`` for each language, and the text of each language is in a ``<div>``.
The dot between the spans is in a span that can be hidden::

    ## 2 · <span lang="en">Waves</span>...<span lang="es">Ondas</span>

    <div lang="en">

    A wave.

    </div>
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HALF = re.compile(r'^<div lang="(\w*)">\n(.*?)^</div>$', re.DOTALL | re.MULTILINE)
"""A part of a cell in one language: its code, and its text with the blank lines around it."""

_SPAN = re.compile(r'<span lang="(\w+)">(.*?)</span>')
_HEADING = re.compile(rf"^(#+) (?:([\w.]+) · )?(?={_SPAN.pattern}).*$", re.MULTILINE)
_TAGGED = re.compile(r'<(div|span) lang="(\w+)"[^>]*>(.*?)</\1>', re.DOTALL)
_SEPARATOR = re.compile(r'<span class="course-both">.*?</span>')


@dataclass(frozen=True)
class Heading:
    """The heading of a prose cell.

    Attributes:
        level: the number of signs # before it.
        number: the number before its text, as a text, such as "2"; empty if it has none.
        texts: its text in each language, by code.
    """

    level: int
    number: str
    texts: dict[str, str]

    def line(self, language: str) -> str:
        """Return the number and the text in one language, as in “2 · Waves”."""
        return " · ".join(filter(None, (self.number, self.texts[language])))


def halves(source: str) -> dict[str, str]:
    """Return the text of a prose cell in each language, by code, in the order of the cell.

    Several parts in one language are joined by a blank line. The heading is left out.
    """
    found: dict[str, list[str]] = {}
    for language, text in HALF.findall(source):
        found.setdefault(language, []).append(text.strip("\n"))
    return {language: "\n\n".join(texts) for language, texts in found.items()}


def heading(source: str) -> Heading | None:
    """Return the first heading of a prose cell with a text in each language; None without one."""
    found = _HEADING.search(source)
    if found is None:
        return None
    return Heading(len(found[1]), found[2] or "", dict(_SPAN.findall(found[0])))


def in_one_language(source: str, language: str) -> str:
    """Return the Markdown of a cell in one language, headings included, without the tags."""
    source = _SEPARATOR.sub("", source)
    return _TAGGED.sub(lambda part: part[3] if part[2] == language else "", source).strip()
