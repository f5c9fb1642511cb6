"""A class of ten is graded with the commands of TEACHING.md, and gets what it deserves."""

import csv
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from checks.labs import REPOSITORY, cell, needs_nbgrader, read
from nbformat import NotebookNode

from course_utils.labs.feedback import RECORD
from course_utils.labs.tasks import LABS

TEACHING = (REPOSITORY / "TEACHING.md").read_text(encoding="utf-8")
LAB = "03_sinusoidal"
ROW, ROWS, CLOCK, STRANGE = (exercise.id for exercise in LABS[LAB])
POINTS = {ROW: 1, ROWS: 3, CLOCK: 3, STRANGE: 2}


def solved(**changes: tuple[str, str]) -> NotebookNode:
    """The lab with its solutions filled in, and parts of them replaced."""
    notebook = read("labs", LAB)
    for name in POINTS:
        cell(notebook, name).source = cell(read("solutions", LAB), name).source
    for name, (old, new) in changes.items():
        source = cell(notebook, name.replace("_", "-")).source
        assert old in source
        cell(notebook, name.replace("_", "-")).source = source.replace(old, new)
    return notebook


def rewritten(name: str, source: str) -> NotebookNode:
    notebook = solved()
    cell(notebook, name).source = source
    return notebook


def swapped() -> NotebookNode:
    notebook = solved(sinusoidal_rows=("np.sin", "np.wave"))
    source = cell(notebook, ROWS).source.replace("np.cos", "np.sin").replace("np.wave", "np.cos")
    cell(notebook, ROWS).source = source
    return notebook


SEARCH = """
def position_from_row(row, base):
    table = sinusoidal_rows(np.arange(7000), len(row), base)
    return np.abs(table - row).sum(axis=1).argmin()
"""


def wrong_rows_and_a_search_in_them() -> NotebookNode:
    notebook = solved(sinusoidal_rows=("np.arange(0, d_model, 2)", "2 * np.arange(0, d_model, 2)"))
    cell(notebook, CLOCK).source = SEARCH
    return notebook


def tampered() -> NotebookNode:
    """Nothing solved, and every cell that could notice rewritten."""
    notebook = read("labs", LAB)
    for name in POINTS:
        cell(notebook, f"check-{name}").source = "assert True"
    cell(notebook, "switch").source += "\nfrom types import SimpleNamespace\n"
    cell(notebook, ROW).source = "check = lambda *asked: SimpleNamespace(solved=True)\nrow = 1"
    return notebook


def with_deleted_cells() -> NotebookNode:
    notebook = solved()
    deleted = {"title", "row", f"check-{ROWS}", f"hint-{CLOCK}"}
    notebook.cells = [cell for cell in notebook.cells if cell.id not in deleted]
    return notebook


CLASS = {
    "right": (solved(), {ROW, ROWS, CLOCK, STRANGE}),
    "empty": (read("labs", LAB), set()),
    "degrees": (
        solved(row_by_hand=("12 * frequency", "math.radians(12 * frequency)")),
        {ROWS, CLOCK, STRANGE},
    ),
    # For its own points, it searches in the right rows.
    "exponent": (wrong_rows_and_a_search_in_them(), {ROW, CLOCK, STRANGE}),
    "swapped": (swapped(), {ROW, CLOCK, STRANGE}),
    "syntax": (
        rewritten(ROWS, "def sinusoidal_rows(positions, d_model:\n    return"),
        {ROW, CLOCK, STRANGE},
    ),
    "loop": (
        rewritten(CLOCK, "def position_from_row(row, base):\n    while True: pass"),
        {ROW, ROWS, STRANGE},
    ),
    "kernel": (rewritten(ROW, "import os\nos._exit(1)"), set()),
    "tampered": (tampered(), set()),
    "deleted": (with_deleted_cells(), {ROW, CLOCK, STRANGE}),
}
"""What ten students hand in, and the exercises for which they should get the points."""


def commands() -> list[str]:
    """What TEACHING.md says to type."""
    return re.findall(r"^```\n(.*?)\n```$", TEACHING, re.DOTALL | re.MULTILINE)[0].splitlines()


# nbgrader takes seconds to start; here its commands share one start.
COMMAND_LINE = """
import runpy
import shlex
import sys
from nbgrader.apps import NbGraderApp

for command in sys.argv[1:]:
    sys.argv = shlex.split(command)
    code = 0
    try:
        if sys.argv[:2] == ["python", "-m"]:
            sys.argv = sys.argv[2:]
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            NbGraderApp.launch_instance(sys.argv[1:])
    except SystemExit as end:
        code = end.code
    NbGraderApp.clear_instance()
    print("exit code", code)
"""

# What stands in nbgrader_config.py for a PostgreSQL of one's own, as a comment.
EXAMPLE = '# c.CourseDirectory.db_url = "postgresql+psycopg://{}"'
EXAMPLE_ADDRESS = "user:password@host:5432/gradebook"


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow) for name in ("SQLite", "PostgreSQL")],
)
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The address of a PostgreSQL database, or None for the file that is used otherwise."""
    if request.param == "SQLite":
        yield None
        return
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip('psycopg is missing: python -m pip install -c constraints.txt -e ".[hub]"')
    from checks import postgresql

    program = postgresql.find_server()
    if program is None:
        pytest.skip("PostgreSQL is missing: install the server (Debian's package postgresql).")
    with postgresql.running(program) as address:
        yield address


@pytest.fixture(scope="module")
def graded(database: str | None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a course in which the commands of TEACHING.md were run."""
    folder = tmp_path_factory.mktemp("class")
    config = (REPOSITORY / "nbgrader_config.py").read_text(encoding="utf-8")
    assert EXAMPLE.format(EXAMPLE_ADDRESS) in config
    if database is not None:
        line = EXAMPLE.format(database).removeprefix("# ")
        config = config.replace(EXAMPLE.format(EXAMPLE_ADDRESS), line)
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    shutil.copytree(REPOSITORY / "solutions" / LAB, folder / "solutions" / LAB)
    with ZipFile(folder / "submissions.zip", "w") as archive:
        for number, (student, (notebook, _)) in enumerate(CLASS.items()):
            place = f"{student}_{number}_assignsubmission_file_/{LAB}.ipynb"
            archive.writestr(place, nbformat.writes(notebook))
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
        timeout=600,
        check=True,
    )
    # Autograding says by its exit code that one submission ended its kernel.
    codes = re.findall(r"^exit code (\d)$", run.stdout, re.MULTILINE)
    assert codes == ["0", "0", "1", "0", "0"], run.stderr[-2000:]
    return folder


@pytest.fixture(scope="module")
def grades(graded: Path, database: str | None) -> dict[str, dict[str, float | None]]:
    """The points for each exercise, by student."""
    assert (graded / "gradebook.db").exists() == (database is None)
    file = f"sqlite:///{graded / 'gradebook.db'}"
    return points_in(file if database is None else f"postgresql+psycopg://{database}")


def points_in(address: str) -> dict[str, dict[str, float | None]]:
    """The points for each exercise in that gradebook, by student."""
    from nbgrader.api import Gradebook

    with Gradebook(address) as gradebook:
        return {
            submission.student.id: {
                grade.name.removeprefix("check-"): grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(LAB)
        }


def deserved(student: str) -> dict[str, int]:
    return {name: POINTS[name] if name in CLASS[student][1] else 0 for name in POINTS}


@needs_nbgrader
@pytest.mark.parametrize("student", CLASS)
def test_a_class_of_ten_gets_the_grades_it_deserves(student, grades):
    assert {name: points or 0 for name, points in grades[student].items()} == deserved(student)


@needs_nbgrader
def test_the_records_of_check_and_of_the_hidden_test_lie_in_the_graded_notebooks(graded):
    def judged(student: str, exercise_id: str) -> dict[str, object]:
        path = graded / "autograded" / student / LAB / f"{LAB}.ipynb"
        outputs = cell(nbformat.read(path, as_version=4), f"check-{exercise_id}").outputs
        records = [output.data[RECORD] for output in outputs if RECORD in output.get("data", {})]
        return {record["judged"]: record for record in records}

    both = judged("swapped", ROWS)
    assert both.keys() == {"check", "grading"}
    for record in both.values():
        assert record["misconceptions"] == ["sine-cosine-swapped"] and not record["solved"]
    assert judged("swapped", ROW).keys() == {"check"} and judged("swapped", ROW)["check"]["solved"]


@needs_nbgrader
def test_grades_and_pages_come_out_as_teaching_says(graded):
    with open(graded / "grades.csv", encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {
        student: sum(POINTS[name] for name in right) for student, (_, right) in CLASS.items()
    }
    pages = {path.parent.parent.name for path in (graded / "feedback").rglob("*.html")}
    assert pages == set(CLASS) - {"kernel"}
    page = (graded / "feedback" / "swapped" / LAB / f"{LAB}.html").read_text(encoding="utf-8")
    assert "Sine and cosine have changed places" in page
    assert "El seno y el coseno están intercambiados" in page
    page = (graded / "feedback" / "exponent" / LAB / f"{LAB}.html").read_text(encoding="utf-8")
    assert page.count("right answers in place") == 1
    assert not list((graded / "data").glob("positional-encodings-course*"))


def test_teaching_says_the_same_in_both_languages():
    english, spanish = TEACHING.split("\n## English\n")[1].split("\n## Español\n")
    for pattern in (r"^```\n(.*?)\n```$", r"`([^`\n]+)`", r"\]\(([^)]+)\)", r"^(#+) ", r"\d+"):
        found = [re.findall(pattern, half, re.DOTALL | re.MULTILINE) for half in (english, spanish)]
        assert found[0] == found[1]
    assert len(commands()) == 5


def hand_in(inbound: Path, student: str, minute: int, text: str, secret: str | None) -> None:
    """A folder as nbgrader's submit leaves it; the secret is what it writes last."""
    folder = inbound / f"{student}+{LAB}+2026-11-22 10:{minute:02}:00 UTC+random"
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_text(text)
    if secret is not None:
        (folder / "timestamp.txt").write_text(f"2026-11-22 10:{minute:02}:00 UTC")
        (folder / "submission_secret.txt").write_text(secret)


@needs_nbgrader
@pytest.mark.parametrize("secret", [None, ""], ids=["no secret", "an empty one"])
def test_a_submission_that_a_full_disk_cut_short_replaces_no_whole_one(tmp_path, secret):
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", str(REPOSITORY)).load_config()
    config.CourseDirectory.root = str(tmp_path)
    config.Exchange.root = str(tmp_path / "exchange")
    inbound = tmp_path / "exchange" / config.CourseDirectory.course_id / "inbound"

    def collected() -> dict[str, str]:
        result = NbGraderAPI(config=config).collect(LAB, update=True)
        assert result["success"], result
        found = tmp_path.glob(f"submitted/*/{LAB}/{LAB}.ipynb")
        return {path.parent.parent.name: path.read_text() for path in found}

    for student, minute, text in (("ana", 1, "old"), ("ana", 2, "newer"), ("ben", 3, "whole")):
        hand_in(inbound, student, minute, text, "known")
    for student in ("ana", "ben", "cai"):
        hand_in(inbound, student, 4, "cut", secret)
    assert collected() == {"ana": "newer", "ben": "whole", "cai": "cut"}
    hand_in(inbound, "ana", 5, "newest", "known")
    hand_in(inbound, "cai", 5, "again", "known")
    assert collected() == {"ana": "newest", "ben": "whole", "cai": "again"}
