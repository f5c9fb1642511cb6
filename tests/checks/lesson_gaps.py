"""Gaps in a lesson, each described by a sentence that names the file to change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from private_jupyter import REPOSITORY

from course_utils.words.cells import halves, heading
from course_utils.words.text import LANGUAGES
from web.covers import COVERS
from web.landing import TEXTS as LANDING

from .outputs import is_folded
from .parity import FORMULA

NOTEBOOKS = REPOSITORY / "notebooks"
START = NOTEBOOKS / "00_start_here.ipynb"
README = REPOSITORY / "README.md"

STATES_MINUTES = {
    "en": r"\*\*It takes\*\* about (\d+) minutes",
    "es": r"\*\*Te llevará\*\* unos (\d+) min",
}
EXAMPLE = {"en": "**It takes** about {} minutes", "es": "**Te llevará** unos {} minutos"}

# Reading times measured with readers, two of whom read 10% of the words twice.
WORDS_PER_MINUTE = 130 / 1.1
CODE_LINES_PER_MINUTE = 8
MINUTES_PER_STOP = 2
MINUTES_PER_PICTURE = 0.5
TOLERANCE = 1.5
MOST_MINUTES = 35
"""Maximum minutes of a lesson.

A first cell with the metadata {"course": {"most-minutes": 40}} sets a different maximum.
"""

MOST_WORDS_BEFORE_EXPLORER = 150
RECAP_WORDS = range(21, 76)

STOP = re.compile(r"\bquestion\(|\w_explorer\(|\bverdict\(")
ASKS = re.compile(r"\bquestion\(|\bverdict\(")
MOVES = re.compile(r"\w_explorer\(|\bverdict\(")
PICTURE = re.compile(r"\bshow\(")
LINK_TARGET = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")


def lessons() -> list[Path]:
    """Return the lessons and the appendix in order, except lesson 00."""
    return [path for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")) if path != START]


def course_data(notebook: NotebookNode) -> dict[str, object]:
    """Return the entries under ``course`` in the metadata of a lesson's first cell."""
    return notebook.cells[0].metadata.get("course", {})


def is_appendix(notebook: NotebookNode) -> bool:
    """Return True for lessons that begin with code, for people who build models."""
    return bool(course_data(notebook).get("appendix"))


def n_words(text: str) -> int:
    """Return the number of words in a text, except formulas and URLs."""
    return len(WORD.findall(LINK_TARGET.sub("]", FORMULA.sub(" ", text))))


def cells(notebook: NotebookNode, kind: str) -> list[NotebookNode]:
    """Return the cells of one type."""
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def words_of(notebook: NotebookNode, language: str) -> int:
    """Return the number of words in a notebook's prose, except headings."""
    texts = (halves(cell.source).get(language, "") for cell in cells(notebook, "markdown"))
    return sum(map(n_words, texts))


def code_lines(notebook: NotebookNode) -> list[str]:
    """Return the visible, non-empty lines of code, except imports."""
    shown = (cell.source for cell in cells(notebook, "code") if not is_folded(cell))
    lines = "\n".join(shown).splitlines()
    return [line for line in lines if line.strip() and not re.match(r"import\b|from\b", line)]


def minutes_to_read(notebook: NotebookNode) -> float:
    """Estimate the duration of a lesson from its words, stops, pictures and lines of code."""
    code = "\n".join(cell.source for cell in cells(notebook, "code"))
    return (
        words_of(notebook, "es") / WORDS_PER_MINUTE
        + len(STOP.findall(code)) * MINUTES_PER_STOP
        + len(code_lines(notebook)) / CODE_LINES_PER_MINUTE
        + len(PICTURE.findall(code)) * MINUTES_PER_PICTURE
    )


def gaps(path: Path) -> list[str]:
    """Return a sentence for each gap in a lesson."""
    notebook = nbformat.read(path, as_version=4)
    found = _gaps_of_title(path, notebook), _gaps_of_cells(notebook), _gaps_elsewhere(path)
    return [sentence for sentences in found for sentence in sentences]


def _gaps_of_title(path: Path, notebook: NotebookNode) -> Iterator[str]:
    title = notebook.cells[0]
    written = heading(title.source)
    number = path.stem.split("_")[0]
    if written is None or written.texts.keys() != LANGUAGES.keys():
        yield "The first cell needs a heading in every language: see “Add a lesson”."
    elif written.number != number and not is_appendix(notebook):
        yield f"The heading of the first cell must begin with {number} · as the file does."
    if "cover.png" not in title.get("attachments", {}):
        yield "There is no picture next to the title: run python tools/generate.py."
    minutes = minutes_to_read(notebook)
    for language, pattern in STATES_MINUTES.items():
        stated = re.search(pattern, title.source)
        example = EXAMPLE[language].format(round(minutes))
        if not stated:
            yield f"The first cell must state how long the lesson takes: “{example}”."
        elif abs(minutes - int(stated[1])) > TOLERANCE:
            yield f"The lesson takes {minutes:.1f} minutes; write “{example}” in its first cell."
    most = course_data(notebook).get("most-minutes", MOST_MINUTES)
    if minutes > most:
        yield f"The lesson takes {minutes:.1f} minutes; a lesson may take {most}."


def _gaps_of_cells(notebook: NotebookNode) -> Iterator[str]:
    code = cells(notebook, "code")
    if not any("language_switch()" in cell.source for cell in code):
        yield "The second cell must end in language_switch()."
    if not any(ASKS.search(cell.source) for cell in code):
        yield "There is no question: see “Add a question” in course_utils/lessons/README.md."
    for cell in code:
        if ASKS.search(cell.source) and not is_folded(cell):
            yield f"The cell {cell.id!r} asks a question: add the tag hide-input."
    movable = [
        number for number, x in enumerate(notebook.cells) if x in code and MOVES.search(x.source)
    ]
    if not is_appendix(notebook):
        before = notebook.cells[: movable[0]] if movable else []
        n_before = max(words_of(NotebookNode(cells=before), x) for x in LANGUAGES)
        if not movable:
            yield "There is no explorer: a lesson begins with something to move."
        elif n_before > MOST_WORDS_BEFORE_EXPLORER:
            yield (
                f"The first explorer comes after {n_before} words; "
                f"it must come within {MOST_WORDS_BEFORE_EXPLORER}."
            )
    recap = next((cell for cell in notebook.cells if cell.id == "recap"), None)
    if recap is None:
        yield "There is no cell with the id recap at the end."
        return
    for language in LANGUAGES:
        first, *_ = halves(recap.source).get(language, "").strip().split("\n\n")
        if n_words(first) not in RECAP_WORDS:
            yield (
                f"The first paragraph of the recap has {n_words(first)} words in {language!r}; "
                f"it must have {RECAP_WORDS[0]} to {RECAP_WORDS[-1]}."
            )


def _moves(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and MOVES.search(cell.source) is not None


def _gaps_elsewhere(path: Path) -> Iterator[str]:
    name = path.stem
    if path.read_text("utf-8").count("](glossary.ipynb)") < len(LANGUAGES):
        yield "No link leads to the glossary, glossary.ipynb, in each language."
    start = START.read_text("utf-8")
    if len(re.findall(rf"\| \[[^\]]+\]\({path.name}\) \|", start)) < len(LANGUAGES):
        yield "The map in notebooks/00_start_here.ipynb has no row for it in each language."
    if README.read_text("utf-8").count(f"(notebooks/{path.name})") < len(LANGUAGES):
        yield "README.md does not list it in each language."
    if name not in COVERS:
        yield "There is no cover: add a drawing to COVERS in web/covers.py."
    if name not in LANDING["promises"]:
        yield "There is no promise for its card: add a sentence to web/landing.toml."
    if name not in {lesson for act in LANDING["acts"] for lesson in act["lessons"]} and (
        "appendix" not in name
    ):
        yield "No act of web/landing.toml lists it."
    before = [each for each in lessons() if each < path and "appendix" not in each.name]
    if before and "appendix" not in name and f"({path.name})" not in before[-1].read_text("utf-8"):
        yield f"The recap of {before[-1].name} does not lead on to it."
