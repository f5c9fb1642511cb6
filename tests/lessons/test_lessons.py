"""A lesson asks no more of its reader than it says, and begins with something to move."""

import re
from pathlib import Path

import nbformat
import pytest
from checks.outputs import is_folded
from checks.parity import FORMULA
from nbformat import NotebookNode

from course_utils.explorers.story.story import CHAPTERS
from course_utils.words.text import LANGUAGES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

LESSONS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted(NOTEBOOKS.glob("[01]*.ipynb"))
    if not path.stem.startswith("00_")
}
APPENDIX = "07_pytorch_appendix"
LONGER = ("04_", "08_")
TAKES = {"en": r"\*\*It takes\*\* about (\d+) minutes", "es": r"\*\*Te llevará\*\* unos (\d+) min"}

# What readers took, as measured with some; two of them had to read a tenth of the words again.
WORDS_A_MINUTE = 130 / 1.1
CODE_LINES_A_MINUTE = 8
MINUTES_A_STOP = 2
MINUTES_A_PICTURE = 0.5

STOP = re.compile(r"\bquestion\(|\w_explorer\(|\bverdict\(")
TAKEN_HOLD_OF = re.compile(r"\w_explorer\(|\bverdict\(")
PICTURE = re.compile(r"\bshow\(")
LINK_TARGET = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")

every_lesson = pytest.mark.parametrize("name", LESSONS)


def cells(notebook: NotebookNode, kind: str) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def prose(cell: NotebookNode, language: str) -> str:
    """What a prose cell says in one language; headings, which hold all languages, are left."""
    return "\n".join(re.findall(rf'<div lang="{language}">\n(.*?)\n</div>', cell.source, re.DOTALL))


def n_words(text: str) -> int:
    """The words of a text, without formulas and addresses."""
    return len(WORD.findall(LINK_TARGET.sub("]", FORMULA.sub(" ", text))))


def words_of(notebook: NotebookNode, language: str) -> int:
    return sum(n_words(prose(cell, language)) for cell in cells(notebook, "markdown"))


def code_lines(notebook: NotebookNode) -> list[str]:
    """The lines that stand open and have something to read: no imports, no empty ones."""
    shown = (cell.source for cell in cells(notebook, "code") if not is_folded(cell))
    lines = "\n".join(shown).splitlines()
    return [line for line in lines if line.strip() and not re.match(r"import\b|from\b", line)]


def printing_cells(notebook: NotebookNode) -> list[str]:
    """The cells that leave plain text, not a picture, a table or anything else that is shown."""
    return [
        cell.id
        for cell in cells(notebook, "code")
        if any("text/html" not in output.get("data", {}) for output in cell.outputs)
    ]


@every_lesson
def test_a_lesson_takes_the_minutes_that_it_names(name: str) -> None:
    code = "\n".join(cell.source for cell in cells(LESSONS[name], "code"))
    takes = (
        words_of(LESSONS[name], "es") / WORDS_A_MINUTE
        + len(STOP.findall(code)) * MINUTES_A_STOP
        + len(code_lines(LESSONS[name])) / CODE_LINES_A_MINUTE
        + len(PICTURE.findall(code)) * MINUTES_A_PICTURE
    )
    for pattern in TAKES.values():
        named = int(re.search(pattern, LESSONS[name].cells[0].source)[1])
        assert abs(takes - named) <= 1.5, f"{takes:.1f} minutes"
    assert takes <= (40 if name.startswith(LONGER) else 35)


@every_lesson
def test_a_lesson_has_little_code_to_read_and_prints_seldom_and_no_words(name: str) -> None:
    assert len(code_lines(LESSONS[name])) <= (130 if name == APPENDIX else 60)
    assert len(printing_cells(LESSONS[name])) <= 5
    for cell in cells(LESSONS[name], "code"):  # words that are printed do not follow the switch
        assert not re.search("^[^#]* · ", cell.source, re.MULTILINE), cell.id
        printed = [output.text for output in cell.outputs if output.output_type == "stream"]
        assert {*WORD.findall(" ".join(printed))} <= {"True", "False"}, cell.id


@every_lesson
def test_something_can_be_taken_hold_of_on_the_first_screen(name: str) -> None:
    if name == APPENDIX:
        pytest.skip("it is for those who build models, and begins with code")
    first = next(x for x in cells(LESSONS[name], "code") if TAKEN_HOLD_OF.search(x.source))
    before = NotebookNode(cells=LESSONS[name].cells[: LESSONS[name].cells.index(first)])
    assert max(words_of(before, language) for language in LANGUAGES) <= 150


@every_lesson
def test_the_recap_is_short(name: str) -> None:
    (recap,) = (cell for cell in LESSONS[name].cells if cell.id == "recap")
    for language in LANGUAGES:
        first_paragraph = prose(recap, language).strip().split("\n\n")[0]
        assert 20 < n_words(first_paragraph) <= 75


def test_ten_minutes_are_nine_chapters_of_one_scene_and_little_to_read() -> None:
    notebook = nbformat.read(NOTEBOOKS / "ten_minutes.ipynb", as_version=4)
    for language in LANGUAGES:
        assert 600 <= words_of(notebook, language) <= 800
    sources = "\n".join(cell.source for cell in cells(notebook, "code"))
    assert re.findall(r'story_explorer\("(\w+)"\)', sources) == list(CHAPTERS)
    assert len(re.findall(r"\w_explorer\(", sources)) == len(CHAPTERS)
    assert code_lines(notebook) == printing_cells(notebook) == []
