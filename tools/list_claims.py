"""List sentences in notebooks that can be wrong, with the cells next to them.

    python tools/list_claims.py                          all notebooks, in English
    python tools/list_claims.py notebooks/08_*.ipynb     these
    python tools/list_claims.py --language es            in Spanish

A sentence can be tested by code if it contains a number, or a word such as always or only. Compare
the list with the cells it names, and test each sentence in your own code, with other sizes and
other seeds. The list covers prose and texts in outputs, such as answers to questions, captions and
verdicts. It omits questions and references.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import nbformat
from private_jupyter import REPOSITORY, notebooks_with_outputs

from course_utils.words.cells import halves

WIDE = {
    "en": "always never only no none every each all any cannot nothing nobody must",
    "es": "siempre nunca jamás solo ningún ninguna ninguno todo toda todos todas cada cualquier "
    "nada nadie no-puede no-pueden debe",
}
"""Words that do not allow exceptions, keyed by language, with hyphens instead of spaces."""

FEWEST_WORDS = 3
NUMBER = re.compile(r"\d")
LINK_TARGET = re.compile(r"\]\([^)]*\)")
PLACE = re.compile(
    r"\b(?:lessons?|sections?|labs?|lecci[oó]n(?:es)?|secci[oó]n(?:es)?|prácticas?)"
    r"(?: \[?\d+\]?(?:,| and| to| y| a)?)+|\[\d\d\]",
    re.IGNORECASE,
)
"""Pattern of references to lessons, whose numbers do not count as claims."""

SENTENCE_END = re.compile(r"(?<=[.!?:])[)”»*]*\s+(?=\W*[A-ZÁÉÍÓÚÑ])|\n+")
BLOCKS = {"div", "p", "li", "td", "th", "caption", "figcaption", "summary", "details", "tr"}


class Claim(NamedTuple):
    """A sentence that can be wrong.

    Attributes:
        cell: Id of the cell that contains the sentence.
        beside: Ids of the code cells before and after the sentence. For a sentence in an output,
            the id of its own cell.
        sentence: Text of the sentence on one line.
    """

    cell: str
    beside: tuple[str, ...]
    sentence: str


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in both folders")
    parser.add_argument("--language", default="en", choices=WIDE)
    chosen = parser.parse_args()
    count = 0
    for path in chosen.notebooks or notebooks_with_outputs():
        print(path.resolve().relative_to(REPOSITORY))
        for claim in claims(nbformat.read(path, as_version=4), chosen.language):
            print(f"  {claim.cell} ({', '.join(claim.beside)}): {claim.sentence}")
            count += 1
    print(count)
    return 0


def claims(notebook: nbformat.NotebookNode, language: str) -> list[Claim]:
    """Return a notebook's sentences in one language that can be wrong, in order."""
    found = []
    for number, cell in enumerate(notebook.cells):
        if cell.id == "references" or "kernel-only" in cell.metadata.get("tags", ()):
            continue
        beside = _code_beside(notebook, number) if cell.cell_type == "markdown" else (cell.id,)
        for text in _texts(cell, language):
            found += [
                Claim(cell.id, beside, sentence)
                for sentence in sentences(text)
                if can_be_wrong(sentence, language)
            ]
    return list(dict.fromkeys(found))  # Each choice repeats the verdict.


def sentences(text: str) -> list[str]:
    """Split a text into one-line sentences, and replace links with their texts."""
    parts = SENTENCE_END.split(LINK_TARGET.sub("]", text))
    return [" ".join(part.split()) for part in parts if part.strip()]


def can_be_wrong(sentence: str, language: str) -> bool:
    """Return True if a statement contains a number or a word that does not allow exceptions.

    Example:
        >>> can_be_wrong("Every row has the norm 4.", "en"), can_be_wrong("Why 4?", "en")
        (True, False)
    """
    if sentence.endswith("?") or len(sentence.split()) < FEWEST_WORDS:
        return False
    words = "|".join(word.replace("-", " ") for word in WIDE[language].split())
    is_wide = re.search(rf"\b(?:{words})\b", sentence, re.IGNORECASE)
    return bool(is_wide or NUMBER.search(PLACE.sub("", sentence)))


def _code_beside(notebook: nbformat.NotebookNode, number: int) -> tuple[str, ...]:
    """Return the ids of the nearest code cells before and after a Markdown cell."""
    before, after = notebook.cells[number::-1], notebook.cells[number:]
    nearest = (next((c.id for c in way if c.cell_type == "code"), None) for way in (before, after))
    return tuple(name for name in nearest if name)


def _texts(cell: nbformat.NotebookNode, language: str) -> Iterator[str]:
    """Yield the texts of a cell in one language, either its prose or texts in its outputs."""
    if cell.cell_type == "markdown":
        yield halves(cell.source).get(language, "")
        return
    for output in cell.get("outputs", []):
        html = output.get("data", {}).get("text/html")
        if html and "lang=" in html:
            shown = _Shown(language)
            shown.feed(html)
            yield "".join(shown.printed)


class _Shown(HTMLParser):
    """HTML parser that collects the text marked as being in one language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.inside: list[str | None] = []
        self.printed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("br", "img", "hr", "input"):
            return
        around = self.inside[-1] if self.inside else None
        self.inside.append(dict(attrs).get("lang") or around)

    def handle_endtag(self, tag: str) -> None:
        if self.inside:
            self.inside.pop()
        if tag in BLOCKS:
            self.printed.append("\n")

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] == self.language:
            self.printed.append(data)


if __name__ == "__main__":
    raise SystemExit(main())
