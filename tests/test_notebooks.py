"""The rules that nbval does not know, for every notebook as it is stored."""

import re
from pathlib import Path

import nbformat
import pytest
from checks.outputs import notebook_problems

REPOSITORY = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(
    path
    for folder in ("notebooks", "labs", "solutions")
    for path in (REPOSITORY / folder).rglob("*.ipynb")
    if not any(part.startswith(".") for part in path.relative_to(REPOSITORY).parts)
)
LABS = [path for path in NOTEBOOKS if path.is_relative_to(REPOSITORY / "labs")]


@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if path not in LABS], ids=lambda path: path.stem
)
def test_notebook_is_run_and_says_everything_in_every_language(path: Path) -> None:
    assert notebook_problems(path) == {}


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_lab_is_not_run_and_says_everything_in_every_language(path: Path) -> None:
    assert set(notebook_problems(path)) == {"executed"}


MAP_ROW = re.compile(r"^\| \[(.+?)\]\((\w+\.ipynb)\) \| .+ \| (\d+) \|$", re.MULTILINE)
TAKES = {"en": r"(\d+) minutes", "es": r"(\d+) minutos"}


def test_the_map_names_each_lesson_and_its_minutes_as_the_lesson_does() -> None:
    start = nbformat.read(REPOSITORY / "notebooks" / "00_start_here.ipynb", as_version=4)
    rows = [row for cell in start.cells for row in MAP_ROW.findall(cell.source)]
    lessons = sorted(path.name for path in REPOSITORY.glob("notebooks/[01]*.ipynb"))
    named = {file for _, file, _ in rows} | {"00_start_here.ipynb"}
    assert sorted(named) == [*lessons, "ten_minutes.ipynb"]
    for name, file, minutes in rows:
        if file == "ten_minutes.ipynb":
            continue  # its title says it
        title = nbformat.read(REPOSITORY / "notebooks" / file, as_version=4).cells[0].source
        assert [minutes] * len(TAKES) == [re.search(TAKES[x], title)[1] for x in TAKES], file
        assert re.fullmatch(r"\D+", name) or name.split(" · ")[1] in title


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
