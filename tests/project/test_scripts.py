"""Tests of scripts in their smallest form, and of the stored weights.

If you add a script, add its smallest form to this file or to another test.
"""

import os
import re
import subprocess
import sys

import pytest
from private_jupyter import REPOSITORY

pytest_plugins = ["checks.browser", "checks.visits"]

BENCHMARKS = REPOSITORY / "benchmarks"
LESSON = "03_binary_encodings"


def test_every_benchmark_or_experiment_has_test():
    tests = "".join(path.read_text("utf-8") for path in REPOSITORY.glob("tests/*/test_*.py"))
    tried = set(re.findall(r'(?:^from |\bscript\("|\brun\(")(\w+)', tests, re.MULTILINE))
    scripts = [*BENCHMARKS.glob("*.py"), *REPOSITORY.glob("experiments/*.py")]
    assert scripts and {script.stem for script in scripts} <= tried


def run(script: str, *arguments: object) -> str:
    """Return the output of a benchmark."""
    command = [sys.executable, BENCHMARKS / script, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.slow
def test_lessons_py_compares_lesson_with_bare_kernel():
    lesson = REPOSITORY / "notebooks" / "02_naive_encodings.ipynb"
    rows = run("lessons.py", lesson, "--rounds", "1").splitlines()[2:]
    assert [row.split()[0] for row in rows] == ["bare", lesson.stem]
    assert all(float(number) > 0 for row in rows for number in re.findall(r"[\d.]+(?=x?$)", row))


@pytest.mark.slow
def test_page_benchmark_measures_loading_reading_steps(site, browser):
    output = run("page.py", site, "--rounds", "1", "--slower", "1", "--lesson", "03")
    table = output.partition("|---|---|\n")[2]
    rows = dict(line.strip("| ").split(" | ") for line in table.splitlines())
    for what in ("landing: packed", "lesson: first explorer", "letter typed", "step of a position"):
        assert [row for row in rows if row.startswith(what) and rows[row] != "–"], output
