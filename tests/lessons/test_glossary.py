"""The glossary is what its data make, and its letters are those of all formulas."""

import re
from pathlib import Path

import nbformat
import pytest
from checks.letters import formulas_of_the_course, letters_problems
from make_glossary import NOTEBOOK, glossary

from course_utils.words.text import LANGUAGES


def test_the_glossary_is_what_its_data_make() -> None:
    made, stored = (
        [(cell.id, cell.source) for cell in notebook.cells]
        for notebook in (glossary(), nbformat.read(NOTEBOOK, as_version=4))
    )
    assert made == stored, "run python tools/make_glossary.py"


@pytest.mark.parametrize(
    "lesson", sorted(NOTEBOOK.parent.glob("[0-9]*.ipynb")), ids=lambda path: path.stem
)
def test_every_lesson_links_to_it_in_every_language(lesson: Path) -> None:
    assert lesson.read_text("utf-8").count("](glossary.ipynb)") >= len(LANGUAGES)


@pytest.mark.parametrize(
    ("formula", "problem"),
    [
        (r"PE_{p,\,2k}", "p"),
        (r"\cos\alpha + i \sin\alpha", "i "),
        (r"PE_{i+r} = M(r)\,PE_i", "i+r"),
    ],
)
def test_a_letter_in_another_meaning_is_found(formula: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in letters_problems(formula)), formula


# Where r still runs from the query to the key; to be emptied as these are rewritten.
R_REVERSED = {"04_rotation", "06_into_attention", "07_longer_than_trained"}


@pytest.mark.parametrize("place", sorted(formulas_of_the_course()), ids=str)
def test_a_letter_means_what_the_glossary_says(place: str) -> None:
    found = {
        problem: formula
        for formula in formulas_of_the_course()[place]
        for problem in letters_problems(formula)
        if not (place in R_REVERSED and re.search(r"j ?- ?i|i ?\+ ?r", problem))
    }
    assert found == {}
