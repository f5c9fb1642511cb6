"""The search index: every part of a page that a reader can find, with its anchor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from bs4 import Tag

from .lesson import AS_WRITTEN, parsed

HEADING = re.compile(r"^h[1-3]$")
INLINE = {"a", "abbr", "b", "bdi", "button", "code", "em", "i", "small", "span", "strong", "sub"}
INLINE |= {"sup", "math", "mi", "mn", "mo", "mrow", "msub", "msup", "msubsup", "mtext", "mspace"}
UNREAD = "pre, script, style, math[display=block], h1, h2, h3, .still, [data-scenes], [data-story]"
"""Parts that are not prose, or that a script replaces."""
COVERED = "[data-guess] .course-choice > div, [data-after], .measure, .hint, "
COVERED += ".course-report-card, .note"
"""Answers, results and hints, which a list of search results must not give away."""
TERM, CLOSED = "term", "closed"

Part = tuple[str, ...]
"""Anchor, heading and text of a part, and its kind unless the text is visible."""


def searchable(body: str, *, is_glossary: bool = False) -> tuple[str, list[Part]]:
    """Give every part of a page an anchor, and return the page and its parts."""
    rows = "tbody tr" if is_glossary else ":not(*)"
    tree = parsed(body)
    found: list[Part] = []
    heading = latest = ""
    for cell in tree.select(".cell[id]"):
        own = cell.find(HEADING)
        heading = _text(own) if own else heading
        for anchor, name, text, *kind in _parts(cell, heading, rows):
            if text or name != latest:
                found.append((anchor, "" if name == latest else name, text, *kind))
                latest = name
    shown = tree.decode(formatter=AS_WRITTEN)
    return re.sub(r'<span class="(\w+)">', r"<span class=\1>", shown), found


def _parts(cell: Tag, heading: str, rows: str) -> Iterator[Part]:
    """Yield the visible text of a cell, then its folded texts, then the rows of the glossary."""
    hidden = {id(each) for each in cell.select(f"{UNREAD}, {COVERED}")}
    folded = [
        each
        for each in cell.select("details")
        if not hidden.intersection(map(id, (each, *each.parents)))
        and not each.find_parent("details")
        and not each.find_parent(attrs={"data-guess": True})
    ]
    terms = cell.select(rows)
    yield cell["id"], heading, _text(cell, hidden.union(map(id, (*folded, *terms))))
    for number, each in enumerate(folded, start=1):
        each["id"] = each.get("id", f"{cell['id']}-more-{number}")
        yield each["id"], heading, _text(each, hidden), CLOSED
    for number, row in enumerate(terms, start=1):
        row["id"] = f"{cell['id']}-{number}"
        # A row has a term, perhaps its name in the other language, its meaning and its lesson.
        term, *names, meaning, _ = map(_text, row.find_all("td"))
        yield row["id"], term, " · ".join([meaning, *names]), TERM


def _text(tag: Tag, hidden: Set[int] = frozenset()) -> str:
    """Return the text of a tag without its hidden parts, with spaces only between blocks."""
    text, last = "", None
    for piece in tag.find_all(string=True):
        above = [piece.parent, *piece.parent.parents]
        if any(id(each) in hidden for each in above):
            continue
        block = next(each for each in above if each.name not in INLINE)
        text += piece if block is last else f" {piece}"
        last = block
    return " ".join(text.split())
