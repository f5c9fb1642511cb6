"""Tests that updates of the course preserve learners' work."""

import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from checks.labs import REPOSITORY, cell

from course_utils.labs import __main__ as copying

LAB = "03_sinusoidal"
NOTEBOOK = f"labs/{LAB}/{LAB}.ipynb"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, timeout=60
    )


@pytest.fixture
def course(tmp_path: Path) -> tuple[Path, Path]:
    """Small published copy of the course and a learner's clone."""
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    published, clone = tmp_path / "published", tmp_path / "clone"
    shutil.copytree(REPOSITORY / "labs" / LAB, published / "labs" / LAB)
    shutil.copy(REPOSITORY / ".gitignore", published)
    git(published, "init", "-q", "-b", "main")
    git(published, "add", "-A")
    git(published, "commit", "-q", "-m", "First edition")
    git(tmp_path, "clone", "-q", str(published), str(clone))
    return published, clone


def edit(path: Path, name: str, words: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    cell(notebook, name).source += words
    nbformat.write(notebook, path)


def write_an_answer_and_publish_a_new_edition(lab: Path, published: Path) -> None:
    edit(lab, "row-by-hand", "\nrow = [1, 2, 3]  # what Ana wrote")
    edit(published / NOTEBOOK, "title", "\n\n<!-- second edition -->")
    git(published, "commit", "-q", "-a", "-m", "Second edition")


def holds(path: Path, words: str) -> bool:
    return words in path.read_text(encoding="utf-8")


def test_update_keeps_copied_lab(course, monkeypatch, capsys):
    published, clone = course
    assert copying.COURSE == REPOSITORY
    monkeypatch.setattr(copying, "COURSE", clone)
    monkeypatch.setattr("sys.argv", ["course_utils.labs", LAB])
    assert copying.main() == 0
    copy = clone / "my_labs" / LAB / f"{LAB}.ipynb"
    write_an_answer_and_publish_a_new_edition(copy, published)
    git(clone, "pull", "-q", "--ff-only")
    assert holds(clone / NOTEBOOK, "second edition")
    assert holds(copy, "what Ana wrote") and not holds(copy, "second edition")

    assert copying.main() == 1 and "stays as it is" in capsys.readouterr().out
    assert holds(copy, "what Ana wrote")

    shutil.rmtree(clone / "my_labs")
    (clone / "my_labs").touch()
    assert copying.main() == 1 and "Not copied" in capsys.readouterr().out


# Like nbgitpuller: the learner's changes are committed and take precedence in conflicts.
NBGITPULLER = "commit -q -a -m Automatic", "fetch -q", "merge -q -Xours origin/main"
# As README.md describes for learners who cloned the course.
STASH = "stash", "pull -q --ff-only", "stash pop"


@pytest.mark.parametrize("commands", [NBGITPULLER, STASH], ids=["nbgitpuller", "stash"])
def test_update_keeps_edited_lab(course, commands):
    published, clone = course
    write_an_answer_and_publish_a_new_edition(clone / NOTEBOOK, published)
    for command in commands:
        git(clone, *command.split())
    assert holds(clone / NOTEBOOK, "what Ana wrote")
    assert holds(clone / NOTEBOOK, "second edition")
