"""What is written for teachers says what the notebooks say, and the same in both languages."""

import math
import re
import tomllib

import make_teaching
import nbformat
import pytest
from checks.labs import REPOSITORY

from course_utils.labs.diagnosis import diagnose
from course_utils.lessons.quiz import questions

PAGES = {
    name: (REPOSITORY / name).read_text(encoding="utf-8")
    for name in (
        "TEACHING.md",
        "docs/grading.md",
        "docs/mistakes.md",
        "deploy/hub/README.md",
        "deploy/kubernetes/README.md",
    )
}
TEACHING = PAGES["TEACHING.md"]
MOST_WORDS = 1_700


def halves(page: str) -> tuple[str, str]:
    english, spanish = page.split("\n## English\n")[1].split("\n## Español\n")
    return english, spanish


@pytest.mark.parametrize("name", make_teaching.PAGES)
def test_tables_are_those_of_the_notebooks(name):
    assert make_teaching.made_again(PAGES[name], name) == PAGES[name], (
        "run python tools/make_teaching.py"
    )
    assert PAGES[name].count("<!-- made: ") == 2


def test_every_language_of_the_course_has_its_words_for_the_tables():
    said = PAGES["docs/mistakes.md"]
    for half in halves(said):
        assert half.count("`row-by-hand`") == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_the_same_in_both_languages(name):
    patterns = (r"^```\n(.*?)\n```$", r"`([^`\n]+)`", r"\]\(([^)#]+)\)", r"^(#+) ", r"\d+")
    for pattern in patterns:
        english, spanish = (
            re.findall(
                pattern, re.sub(r"<!-- made.*?<!-- end -->", "", half, flags=re.S), re.S | re.M
            )
            for half in halves(PAGES[name])
        )
        assert english == spanish


@pytest.mark.parametrize("name", PAGES)
def test_a_page_links_to_files_and_headings_that_are_there(name):
    folder = (REPOSITORY / name).parent
    page = PAGES[name]
    headings = re.findall(r"^#+ (.+)$", page, re.M)
    anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
    for link in re.findall(r"\]\(([^)\s]+)\)", page):
        path, _, anchor = link.partition("#")
        assert "://" in link or (folder / path).exists(), link
        assert path or anchor in anchors, link


@pytest.mark.parametrize("half", [0, 1], ids=["English", "Español"])
def test_teaching_is_a_page_that_is_read(half):
    assert len(halves(TEACHING)[half].split()) <= MOST_WORDS


@pytest.mark.parametrize("name", PAGES)
def test_a_page_begins_with_what_one_does_first(name):
    starts = {
        "TEACHING.md": ("Is it for you?", "¿Es para ti?"),
        "docs/mistakes.md": ("Before a lab, read", "Antes de una práctica, lee"),
    }
    first = starts.get(name, ("What to do first", "Qué hacer primero"))
    for half, start in zip(halves(PAGES[name]), first, strict=True):
        assert half.strip().removeprefix("### ").startswith(start)


def test_safety_comes_before_the_commands():
    for name, word in (("TEACHING.md", "Safety first"), ("docs/grading.md", "could lose")):
        assert 0 < PAGES[name].index(word) < PAGES[name].index("nbgrader autograde")


def test_the_questions_of_the_plan_are_in_the_lessons_that_it_names():
    named = re.findall(r"(\d\d): ((?:`[a-z-]+`(?:, )?)+)", TEACHING)
    assert len(named) == 16
    for lesson, names in named:
        assert all(
            f'question("{name}")' in code(lesson) for name in names.strip("`, ").split("`, `")
        )
    plan = TEACHING.partition("<!-- made")[0]
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", plan)) <= questions().keys()


@pytest.mark.parametrize(
    "named", sorted(set(re.findall(r"(\d\d): `(\w+_explorer\(\))`", TEACHING)))
)
def test_the_explorers_of_the_plan_are_in_the_lessons_that_it_names(named):
    lesson, explorer = named
    assert explorer in code(lesson)


def code(lesson: str) -> str:
    path = min(REPOSITORY.glob(f"notebooks/{lesson}_*.ipynb"))
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def test_the_exercise_of_contributing_finds_both_mistakes():
    contributing = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code, tried = re.findall(r"```python\n(.*?)```", contributing, re.DOTALL)
    words = tomllib.loads(re.search(r"```toml\n(.*?)```", contributing, re.DOTALL)[1])
    made = {}
    exec(code + tried.rpartition("\n\n\n")[0], made)
    exercise, answer = made["WAVELENGTHS"], made["wavelengths"]
    found = diagnose(exercise, answer).misconceptions
    assert str(found) in tried and len(found) == 2
    assert diagnose(
        exercise, lambda d: [math.tau * 10_000 ** (2 * k / d) for k in range(d // 2)]
    ).solved
    assert words["exercise"].keys() == {exercise.id}
    assert words["misconception"].keys() <= {each.id for each in exercise.misconceptions}
