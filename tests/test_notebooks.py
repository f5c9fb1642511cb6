"""The rules that nbval does not know, for every notebook as it is stored."""

from pathlib import Path

import pytest
from net.outputs import notebook_problems

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


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
