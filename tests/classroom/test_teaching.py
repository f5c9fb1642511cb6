"""Tests that the documents for teachers agree with the notebooks and with each other."""

import re

import nbformat
import pytest
from checks.labs import REPOSITORY
from checks.parity import texts_problems

from course_utils.labs.diagnosis import diagnose
from course_utils.lessons.quiz import questions
from course_utils.words.text import words

FOUR = ("TEACHING.md", "classroom/grading.md", "classroom/mistakes.md", "classroom/hub/README.md")
FIVE = (*FOUR, "classroom/kubernetes/README.md")
PAGES = {name: (REPOSITORY / name).read_text(encoding="utf-8") for name in FIVE}
TEACHING = PAGES["TEACHING.md"]
MADE = re.compile(r"<!-- made.*?<!-- end -->", re.S)


def halves(page: str) -> tuple[str, str]:
    english, spanish = page.split("\n## English\n")[1].split("\n## Español\n")
    return english, spanish


@pytest.mark.parametrize("name", PAGES)
def test_document_languages_agree(name):
    patterns = (r"^```\n(.*?)\n```$", r"`([^`\n]+)`", r"\]\(([^)#]+)\)", r"^(#+) ", r"\d+")
    english, spanish = (MADE.sub("", half) for half in halves(PAGES[name]))
    for pattern in patterns:
        found = re.findall(pattern, english, re.S | re.M)
        assert found == re.findall(pattern, spanish, re.S | re.M)


@pytest.mark.parametrize("name", PAGES)
def test_document_links_have_targets(name):
    folder = (REPOSITORY / name).parent
    page = PAGES[name]
    headings = re.findall(r"^#+ (.+)$", page, re.M)
    anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
    for link in re.findall(r"\]\(([^)\s]+)\)", page):
        path, _, anchor = link.partition("#")
        assert "://" in link or (folder / path).exists(), link
        assert path or anchor in anchors, link


def test_teaching_documents_are_short():
    """Generated tables are not counted."""
    assert max(len(half.split()) for half in halves(TEACHING)) <= 1_700
    for language in (0, 1):
        prose = (MADE.sub("", halves(PAGES[name])[language]) for name in FOUR)
        assert sum(len(each.split()) for each in prose) <= 5_500


def test_plan_items_are_in_lessons_it_names():
    named = re.findall(r"(\d\d): ((?:`[a-z-]+`(?:, )?)+)", TEACHING)
    assert len(named) == 16
    for lesson, names in named:
        for name in re.findall("[a-z-]+", names):
            assert f'question("{name}")' in code(lesson)
    for lesson, explorer in re.findall(r"(\d\d): `(\w+_explorer\()\)`", TEACHING):
        assert explorer in code(lesson)
    plan = TEACHING.partition("<!-- made")[0]
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", plan)) <= questions().keys()


def code(lesson: str) -> str:
    path = min(REPOSITORY.glob(f"notebooks/{lesson}_*.ipynb"))
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def test_example_exercise_of_readme_works(tmp_path):
    readme = (REPOSITORY / "course_utils" / "labs" / "README.md").read_text(encoding="utf-8")
    code, tried = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    file = tmp_path / "words.toml"
    file.write_text(re.search(r"```toml\n(.*?)```", readme, re.DOTALL)[1], "utf-8")
    texts = words(file)
    assert list(texts_problems("words", texts)) == []
    made = {}
    exec(code + tried.rpartition("\n\n\n")[0], made)
    exercise = made["WAVELENGTHS"]
    found = diagnose(exercise, made["in_a_loop"]).misconceptions
    assert str(found) in tried and len(found) == 1
    assert texts["exercise"].keys() == {exercise.id}
    assert texts["misconception"].keys() <= exercise.misconceptions.keys()
