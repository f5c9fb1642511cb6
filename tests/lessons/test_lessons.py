"""A lesson asks no more of its reader than it says, and begins with something to move.

The times were measured with readers; tests/checks/reading.py has the formula.
"""

import re
from pathlib import Path

import nbformat
import pytest
from checks.reading import (
    code_lines,
    first_paragraph,
    minutes,
    n_words,
    printed_in_every_language,
    printing_cells,
    words_before_the_first_explorer,
)
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.explorers.story import CHAPTERS
from course_utils.words.text import LANGUAGES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

LESSONS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted(NOTEBOOKS.glob("[01]*.ipynb"))
    if not path.stem.startswith("00_")
}
APPENDIX = "07_pytorch_appendix"
TAKES = {"en": r"\*\*It takes\*\* about (\d+) minutes", "es": r"\*\*Te llevará\*\* unos (\d+) min"}
LONGER = ("04_", "08_")
MOST_WORDS_OF_A_RECAP = 75

every_lesson = pytest.mark.parametrize("name", LESSONS)


@every_lesson
def test_a_lesson_takes_the_minutes_that_it_names(name: str) -> None:
    takes = minutes(LESSONS[name])
    for pattern in TAKES.values():
        named = int(re.search(pattern, LESSONS[name].cells[0].source)[1])
        assert abs(takes - named) <= 1.5, f"{takes:.1f} minutes"
    assert takes <= (40 if name.startswith(LONGER) else 35)


@every_lesson
def test_a_lesson_has_little_code_to_read_and_prints_seldom_and_no_words(name: str) -> None:
    assert len(code_lines(LESSONS[name])) <= (130 if name == APPENDIX else 60)
    assert len(printing_cells(LESSONS[name])) <= 5
    assert printed_in_every_language(LESSONS[name]) == []


@every_lesson
def test_something_can_be_taken_hold_of_on_the_first_screen(name: str) -> None:
    if name == APPENDIX:
        pytest.skip("it is for those who build models, and begins with code")
    for language in LANGUAGES:
        assert words_before_the_first_explorer(LESSONS[name], language) <= 150


@every_lesson
def test_the_recap_is_short(name: str) -> None:
    (recap,) = (cell for cell in LESSONS[name].cells if cell.id == "recap")
    for language in LANGUAGES:
        assert 20 < len(first_paragraph(recap, language)) <= MOST_WORDS_OF_A_RECAP


def test_ten_minutes_are_nine_chapters_of_one_scene_and_little_to_read() -> None:
    notebook = nbformat.read(NOTEBOOKS / "ten_minutes.ipynb", as_version=4)
    for language in LANGUAGES:
        assert 600 <= n_words(notebook, language) <= 800
    sources = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert re.findall(r'story_explorer\("(\w+)"\)', sources) == list(CHAPTERS)
    assert len(re.findall(r"\w_explorer\(", sources)) == len(CHAPTERS)
    assert code_lines(notebook) == printing_cells(notebook) == []


def test_minutes_count_words_without_formulas_or_addresses_stops_open_code_and_pictures() -> None:
    words = "palabra " * 128 + "$a + b$ [una](dos_tres.ipynb) $$c d$$\n\ndos"
    halves = (f'<div lang="{x}">\n\n{words}\n\n</div>' for x in LANGUAGES)
    hidden = {"metadata": {"jupyter": {"source_hidden": True}}}
    cells = [
        new_markdown_cell("\n\n".join(halves)),
        new_code_cell('question("a")', **hidden),
        new_code_cell("import numpy\n\n" + "x = 1\n" * 16),
        new_code_cell('wave_explorer()\nshow("picture", draw)', **hidden),
    ]
    assert minutes(new_notebook(cells=cells)) == pytest.approx(1.1 + 4 + 2 + 0.5)
