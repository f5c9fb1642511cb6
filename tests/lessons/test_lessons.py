"""Tests that lessons are complete, match their stated durations and contain little code."""

import re

import nbformat.v4
import pytest
from checks.lesson_gaps import NOTEBOOKS, WORD, cells, code_lines, gaps, is_appendix, words_of
from checks.lesson_gaps import lessons as lesson_files

from course_utils.explorers.story.story import CHAPTERS
from course_utils.words.text import LANGUAGES

LESSONS = {path.stem: nbformat.read(path, as_version=4) for path in lesson_files()}
every_lesson = pytest.mark.parametrize("name", LESSONS)


def printing_cells(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the cells that print plain text."""
    return [
        cell.id
        for cell in cells(notebook, "code")
        if any("text/html" not in output.get("data", {}) for output in cell.outputs)
    ]


@pytest.mark.parametrize("path", lesson_files(), ids=lambda path: path.stem)
def test_lesson_lacks_nothing(path) -> None:
    found = gaps(path)
    assert not found, "\n".join(["", f"{path.name}:", *found])


def test_each_gap_of_new_lesson_is_reported(tmp_path) -> None:
    path = tmp_path / "99_new.ipynb"
    title = nbformat.v4.new_markdown_cell("# New", id="title")
    nbformat.write(nbformat.v4.new_notebook(cells=[title]), path)
    found = " ".join(gaps(path))
    for part in ("heading", "picture", "It takes", "Te llevará", "language_switch", "question"):
        assert part in found
    for part in ("explorer", "recap", "glossary", "map", "README", "cover", "promise", "act"):
        assert part in found
    asks = nbformat.v4.new_code_cell('question("bits")', id="question-bits")
    nbformat.write(nbformat.v4.new_notebook(cells=[title, asks]), path)
    assert "'question-bits' asks a question: add the tag hide-input." in " ".join(gaps(path))


@every_lesson
def test_lesson_has_little_code_without_printed_words(name: str) -> None:
    assert len(code_lines(LESSONS[name])) <= (130 if is_appendix(LESSONS[name]) else 60)
    assert len(printing_cells(LESSONS[name])) <= 5
    for cell in cells(LESSONS[name], "code"):  # words that are printed do not follow the switch
        assert not re.search("^[^#]* · ", cell.source, re.MULTILINE), cell.id
        printed = [output.text for output in cell.outputs if output.output_type == "stream"]
        assert {*WORD.findall(" ".join(printed))} <= {"True", "False"}, cell.id


def test_ten_minutes_shows_every_chapter_of_animation() -> None:
    notebook = nbformat.read(NOTEBOOKS / "ten_minutes.ipynb", as_version=4)
    for language in LANGUAGES:
        assert 600 <= words_of(notebook, language) <= 800
    sources = "\n".join(cell.source for cell in cells(notebook, "code"))
    assert re.findall(r'story_explorer\("(\w+)"\)', sources) == list(CHAPTERS)
    assert len(re.findall(r"\w_explorer\(", sources)) == len(CHAPTERS)
    assert code_lines(notebook) == printing_cells(notebook) == []
