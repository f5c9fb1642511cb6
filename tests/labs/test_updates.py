"""What a learner wrote in a lab outlives the updates of the course."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from checks.labs import REPOSITORY, cell

LAB = "03_sinusoidal"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, timeout=60
    )


@pytest.fixture
def course(tmp_path: Path) -> tuple[Path, Path]:
    """A small copy of the course where it is published, and a learner's clone of it."""
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    published, clone = tmp_path / "published", tmp_path / "clone"
    published.mkdir()
    for part in ("course_utils", f"labs/{LAB}"):
        shutil.copytree(
            REPOSITORY / part, published / part, ignore=shutil.ignore_patterns("__pycache__")
        )
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
    edit(published / "labs" / LAB / f"{LAB}.ipynb", "title", "\n\n<!-- second edition -->")
    git(published, "commit", "-q", "-a", "-m", "Second edition")


def holds(path: Path, words: str) -> bool:
    return words in path.read_text(encoding="utf-8")


def make_a_copy(clone: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "course_utils.labs", LAB]
    environment = {**os.environ, "PYTHONPATH": str(clone)}
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, env=environment)


def test_an_update_leaves_a_copy_of_a_lab_alone(course):
    published, clone = course
    assert make_a_copy(clone).returncode == 0
    copy = clone / "my_labs" / LAB / f"{LAB}.ipynb"
    write_an_answer_and_publish_a_new_edition(copy, published)
    git(clone, "pull", "-q", "--ff-only")
    assert holds(clone / "labs" / LAB / f"{LAB}.ipynb", "second edition")
    assert holds(copy, "what Ana wrote") and not holds(copy, "second edition")

    again = make_a_copy(clone)
    assert again.returncode == 1 and "stays as it is" in again.stdout
    assert holds(copy, "what Ana wrote")

    shutil.rmtree(clone / "my_labs")
    (clone / "my_labs").touch()
    nowhere = make_a_copy(clone)
    assert nowhere.returncode == 1 and "Not copied" in nowhere.stdout


# As nbgitpuller does it: what the learner wrote is committed, and wins where both changed.
NBGITPULLER = "commit -q -a -m Automatic", "fetch -q", "merge -q -Xours origin/main"
# As README.md says for those who cloned the course.
STASH = "stash", "pull -q --ff-only", "stash pop"


@pytest.mark.parametrize("commands", [NBGITPULLER, STASH], ids=["nbgitpuller", "stash"])
def test_an_update_over_an_edited_lab_keeps_the_learners_text(course, commands):
    published, clone = course
    lab = clone / "labs" / LAB / f"{LAB}.ipynb"
    write_an_answer_and_publish_a_new_edition(lab, published)
    for command in commands:
        git(clone, *command.split())
    assert holds(lab, "what Ana wrote") and holds(lab, "second edition")
