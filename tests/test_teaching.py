"""TEACHING.md says what the notebooks say, and what CONTRIBUTING.md works through runs."""

import math
import re
import tomllib

import make_teaching
import nbformat
import pytest
from checks.labs import REPOSITORY

from course_utils.labs.diagnosis import diagnose
from course_utils.lessons.quiz import questions

TEACHING = (REPOSITORY / "TEACHING.md").read_text(encoding="utf-8")
PLAN = TEACHING.partition("<!-- made")[0]


def test_minutes_points_objectives_and_mistakes_are_those_of_the_notebooks():
    assert make_teaching.with_tables(TEACHING) == TEACHING, "run python tools/make_teaching.py"
    assert TEACHING.count("<!-- made: ") == 2 and TEACHING.count("`row-by-hand`") == 2


def test_the_questions_of_the_plan_are_in_the_lessons_that_it_names():
    named = re.findall(r"(\d\d): ((?:`[a-z-]+`(?:, )?)+)", PLAN)
    assert len(named) == 8
    for lesson, names in named:
        (path,) = REPOSITORY.glob(f"notebooks/{lesson}_[!p]*.ipynb")
        assert all(
            f'question("{name}")' in _code(path) for name in names.strip("`, ").split("`, `")
        )
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", PLAN)) <= questions().keys()


@pytest.mark.parametrize("named", re.findall(r"(\d\d) §(\d): `(\w+_explorer\(\))`", PLAN))
def test_the_explorers_of_the_plan_are_in_the_sections_that_it_names(named):
    lesson, section, explorer = named
    (path,) = REPOSITORY.glob(f"notebooks/{lesson}_[!p]*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    headings = [re.match(r"## (\d+)", cell.source) for cell in cells]
    place = next(i for i, cell in enumerate(cells) if explorer in cell.source)
    assert [found[1] for found in headings[:place] if found][-1] == section


def _code(path) -> str:
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
