"""A class is graded with the commands of TEACHING.md, and gets what it deserves."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from checks.class_of import CLOCK, IDS, LAB, ROW, ROWS, STRANGE
from checks.labs import REPOSITORY, cell, needs_nbgrader, read
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from classroom.submissions import Points, points_in

pytestmark = [needs_nbgrader, pytest.mark.slow]

POINTS = {ROW: 1, ROWS: 3, CLOCK: 3, STRANGE: 2}


def lab(**answers: str) -> NotebookNode:
    """The lab as it was handed out, and what somebody wrote in some of its cells."""
    notebook = read("labs", LAB)
    for name, source in answers.items():
        cell(notebook, name.replace("_", "-")).source = source
    return notebook


def solved(**answers: str) -> NotebookNode:
    """The lab with its solutions filled in, but for these answers."""
    return lab(**{name.replace("-", "_"): right(name) for name in POINTS} | answers)


def right(name: str) -> str:
    return cell(read("solutions", LAB), name).source


def swapped() -> NotebookNode:
    swap = {"np.sin": "np.cos", "np.cos": "np.sin"}
    rows = re.sub("np.sin|np.cos", lambda found: swap[found[0]], right(ROWS))
    return solved(sinusoidal_rows=rows)


def tampered() -> NotebookNode:
    """Nothing solved, and every cell that could notice rewritten."""
    notebook = lab(row_by_hand="check = lambda *asked: SimpleNamespace(solved=True)\nrow = 1")
    for name in POINTS:
        cell(notebook, f"check-{name}").source = "assert True"
    cell(notebook, "switch").source += "\nfrom types import SimpleNamespace\n"
    return notebook


def without_markings() -> NotebookNode:
    """As a converter leaves it."""
    notebook = solved()
    for each in notebook.cells:
        each.metadata = {}
        del each["id"]
    notebook.nbformat_minor = 4
    return notebook


def with_cells_deleted_and_added() -> NotebookNode:
    """One test is gone, and a right answer stands below its test, where somebody tried it."""
    notebook = solved(position_from_row=cell(read("labs", LAB), CLOCK).source)
    at = notebook.cells.index(cell(notebook, f"check-{CLOCK}")) + 1
    notebook.cells.insert(at, new_code_cell(right(CLOCK), id="own"))
    deleted = {"title", "row", f"check-{ROWS}", f"hint-{CLOCK}"}
    notebook.cells = [cell for cell in notebook.cells if cell.id not in deleted]
    return notebook


def honest() -> NotebookNode:
    """Two answers, one of them no Python, and ends of lines as an editor on Windows leaves them."""
    row = "row = [math.sin(12), math.cos(12), math.sin(3), math.cos(3), 0.6816388, 0.7316889]"
    rows = "def sinusoidal_rows(positions, d_model:\n    return"
    notebook = lab(row_by_hand=row, sinusoidal_rows=rows)
    test = cell(notebook, f"check-{ROW}")
    test.source = test.source.replace("\n", "  \r\n") + "\n"
    return notebook


LOOP = """from course_utils.labs import running
running.SECONDS = 1  # not ten, each of the times that it is tried

def position_from_row(row, base):
    while True: pass"""
ALL = {*IDS}
CLASS = {
    "empty": (lab(), set()),
    "honest": (honest(), {ROW}),
    "loop": (solved(position_from_row=LOOP), ALL - {CLOCK}),
    "kernel": (solved(row_by_hand="import os\nos._exit(1)"), set()),
    "tampered": (tampered(), set()),
    # A test that is missing is put back, and accuses nobody.
    "deleted": (with_cells_deleted_and_added(), ALL),
    "converted": (without_markings(), ALL),
    "Ana Pérez": (swapped(), ALL - {ROWS}),
    "copier": (read("solutions", LAB), ALL),
}
"""What a class hands in, and the exercises for which they should get the points."""

FILES = {name: f"{name}_{n}_assignsubmission_file_/{LAB}.ipynb" for n, name in enumerate(CLASS)}
FILES |= {
    "copier": "copier_99_assignsubmission_file_/my final lab.ipynb",
    "damaged": f"damaged_98_assignsubmission_file_/{LAB}.ipynb",
    "script": "script_97_assignsubmission_file_/lab3.py",
}
"""Where each notebook lies in the archive from the platform."""


def commands() -> list[str]:
    """What TEACHING.md says to type, after the installation, and what classroom/grading.md adds."""
    pages = [REPOSITORY / name for name in ("TEACHING.md", "classroom/grading.md")]
    english = [page.read_text("utf-8").partition("\n## Español")[0] for page in pages]
    teaching, grading = (re.findall(r"^```\n(.*?)^```$", page, re.S | re.M) for page in english)
    lines = "".join([teaching[0], *grading[1:]]).splitlines()
    return [line for line in lines if not line.startswith("python -m pip")]


# nbgrader takes seconds to start; here its commands share one start.
COMMAND_LINE = """
import runpy
import shlex
import sys
from nbgrader.apps import NbGraderApp

for command in sys.argv[1:]:
    sys.argv = shlex.split(command.removeprefix("python -m "))
    code = 0
    try:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    NbGraderApp.clear_instance()
    print("exit code", code)
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a course in which the commands of TEACHING.md were run."""
    folder = tmp_path_factory.mktemp("class")
    shutil.copy(REPOSITORY / "nbgrader_config.py", folder)
    shutil.copytree(REPOSITORY / "solutions" / LAB, folder / "solutions" / LAB)
    with ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr(FILES["damaged"], '{"cells": [')
        archive.writestr(FILES["script"], "row = 1")
        for student, (notebook, _) in CLASS.items():
            archive.writestr(FILES[student], nbformat.writes(notebook))
    run = subprocess.run(
        [sys.executable, "-c", COMMAND_LINE, *commands()],
        cwd=folder,
        env={
            **os.environ,
            # nbgrader calls alembic by its name, also where nobody activated the environment.
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(REPOSITORY),
            "JUPYTER_DATA_DIR": str(folder / "data"),
        },
        capture_output=True,
        text=True,
        timeout=1200,
        check=True,
    )
    # Collecting says by its exit code that one could not be read, and autograding that one ended
    # its kernel.
    codes = re.findall(r"^exit code (\d)$", run.stdout, re.MULTILINE)
    first, appeals = ["0", "1", "1", "0", "0", "0", "0"], ["0"] * 3 + ["0"] * 4 + ["1"]
    assert codes == first + appeals, run.stderr[-2000:]
    (folder / "said.txt").write_text(run.stderr, encoding="utf-8")
    return folder


def earned(by_exercise: dict[str, Points]) -> set[str]:
    """The exercises whose tests gave all of their points, if the others gave none."""
    by_test = {name: points.score for name, points in by_exercise.items() if not points.by_hand}
    assert all(score in (POINTS[name], 0) for name, score in by_test.items())
    return {name for name, score in by_test.items() if score}


def test_a_class_gets_the_grades_it_deserves(graded):
    grades = points_in(LAB, f"sqlite:///{graded / 'gradebook.db'}")
    for student, (_, deserved) in CLASS.items():
        assert earned(grades[student]) == deserved, student


def test_grades_and_pages_come_out_as_teaching_says(graded):
    with open(graded / "grades.csv", encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == FILES.keys()
    for student, (_, right) in CLASS.items():
        points = sum(POINTS[name] for name in right) + 2 * (student == "Ana Pérez")  # by hand
        # Nothing that was not judged has a number.
        assert rows[student]["score"] == ("" if student == "kernel" else str(float(points)))
    states = {student: row["state"].split(" · ")[0] for student, row in rows.items()}
    assert {student: state for student, state in states.items() if state != "graded"} == {
        "empty": "nothing filled in",
        "damaged": "cannot be read",
        "script": "no notebook",
        "kernel": "not graded",
    }
    assert rows["damaged"]["score"] == "" and rows["empty"]["score"] == "0.0"
    for student, told in (
        ("deleted", "test missing, restored: 2"),
        ("deleted", "another cell: 3"),
        ("loop", "stopped: 3"),
        ("converted", "cell ids missing, restored: 1, 2, 3, 4"),
        ("tampered", "test changed, restored: 1, 2, 3, 4"),
        ("copier", "submitted with hidden tests: 1, 2, 3, 4"),
        ("Ana Pérez", "same code as the solution: 1, 3"),
    ):
        assert told in rows[student]["hand"]
    assert "exercise 2: 2 points by hand (Only a sign.)" in rows["Ana Pérez"]["note"]
    assert rows["copier"]["hand"].count(": 1") == 2  # in two languages; not for changed tests, too
    assert rows["honest"]["hand"] == rows["honest"]["note"] == ""
    assert rows["honest"]["number"] == "1" and rows["copier"]["number"] == "99"


def test_pages_say_what_happened_and_are_packed_under_the_names_of_the_platform(graded):
    def page(student: str) -> str:
        return (graded / "feedback" / student / LAB / f"{LAB}.html").read_text(encoding="utf-8")

    with ZipFile(graded / "feedback" / f"{LAB}.zip") as archive:
        back = [re.sub(r"\.\w+$", ".html", file) for file in FILES.values()]
        assert sorted(archive.namelist()) == sorted(back)
    for student, told in (
        ("Ana Pérez", "Sine and cosine are swapped"),
        ("Ana Pérez", "set these points by hand. Only a sign."),
        ("script", "not a notebook, so your code"),
        ("converted", "identified by their code"),
        ("damaged", "cannot be read as a notebook"),
        ("kernel", "stopped before it could be graded"),
        ("deleted", "was missing from your file"),
    ):
        assert told in page(student), (student, told)
    assert not list((graded / "data").glob("positional-encodings-course*"))


def test_only_a_copy_of_the_solution_and_changed_tests_are_warned_of(graded):
    said = (graded / "said.txt").read_text(encoding="utf-8")
    assert said.count("Traceback (most") == 1  # nbgrader's own, of the one that ended its kernel
    warned = re.findall(r"WARNING\] ([\w ]+): the (code|cell)", said)
    solutions = {student for student, kind in warned if kind == "code"}
    assert solutions == CLASS.keys() - {"empty", "honest", "tampered"}  # made from the solutions
    assert {student for student, kind in warned if kind == "cell"} == {"tampered", "copier"}
    assert "copier: the cells check-row-by-hand, check-sinusoidal-rows," in said
    assert "tampered: the cell check-row-by-hand was changed by hand" in said
    assert "checksum" not in said and "SAWarning" not in said
    assert "honest" not in "".join(line for line in said.splitlines() if "WARN" in line)


def test_the_class_at_a_glance_counts_everybody(graded):
    page = (graded / "overview" / f"{LAB}.html").read_text(encoding="utf-8")
    assert "<li>deleted: 2</li>" in page
    numbers = re.findall(r'<td class="n">(\d+)</td>' * 4, page.replace("\n", ""))
    assert len(numbers) == 4 and {sum(map(int, row)) for row in numbers} == {len(FILES)}
