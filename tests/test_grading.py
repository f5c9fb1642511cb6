"""A class is graded with the commands of TEACHING.md, and gets what it deserves."""

import csv
import os
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from checks.class_of import Given, GradedClass
from checks.labs import REPOSITORY, cell, needs_nbgrader, read
from nbformat import NotebookNode
from traitlets.config import PyFileConfigLoader

from course_utils.labs.feedback import RECORD
from course_utils.labs.tasks import EXERCISES, LABS

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
    slowest = base ** (2 / len(row) - 1)
    near = round(np.arctan2(row[-2], row[-1]) % math.tau / slowest)
    candidates = np.arange(max(near - 3, 0), near + 4)
    off = np.abs(sinusoidal_rows(candidates, len(row), base) - row).sum(axis=1)
    return int(candidates[off.argmin()])
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


OWN = {
    ROW: "row = [math.sin(12), math.cos(12), math.sin(3), math.cos(3), 0.6816388, 0.7316889]",
    ROWS: "def sinusoidal_rows(positions, d_model:\n    return",
}
"""What somebody wrote alone, for two of the exercises; the second is no Python."""


def honest() -> NotebookNode:
    """With the ends of lines and spaces that an editor on Windows leaves."""
    notebook = read("labs", LAB)
    for name, source in OWN.items():
        cell(notebook, name).source = source
    test = cell(notebook, f"check-{ROW}")
    test.source = test.source.replace("\n", "  \r\n") + "\n"
    return notebook


CLASS = {
    "right": (solved(), {ROW, ROWS, CLOCK, STRANGE}),
    "empty": (read("labs", LAB), set()),
    "honest": (honest(), {ROW}),
    # For its own points, it searches in the right rows.
    "exponent": (wrong_rows_and_a_search_in_them(), {ROW, CLOCK, STRANGE}),
    "swapped": (swapped(), {ROW, CLOCK, STRANGE}),
    "loop": (
        rewritten(CLOCK, "def position_from_row(row, base):\n    while True: pass"),
        {ROW, ROWS, STRANGE},
    ),
    "kernel": (rewritten(ROW, "import os\nos._exit(1)"), set()),
    "tampered": (tampered(), set()),
    "deleted": (with_deleted_cells(), {ROW, CLOCK, STRANGE}),
    "copier": (read("solutions", LAB), {ROW, ROWS, CLOCK, STRANGE}),
}
"""What ten students hand in, and the exercises for which they should get the points."""

FILES = {name: f"{name}_{n}_assignsubmission_file_/{LAB}.ipynb" for n, name in enumerate(CLASS)}
FILES |= {
    "copier": "copier_99_assignsubmission_file_/my final lab.ipynb",
    "damaged": f"damaged_98_assignsubmission_file_/{LAB}.ipynb",
}
"""Where each notebook lies in the archive from the platform."""


def commands() -> list[str]:
    """What TEACHING.md says to type, after the installation."""
    block = re.findall(r"^```\n(.*?)\n```$", TEACHING, re.DOTALL | re.MULTILINE)[0]
    return [line for line in block.splitlines() if not line.startswith("python -m pip")]


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


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a course in which the commands of TEACHING.md were run."""
    folder = tmp_path_factory.mktemp("class")
    config = (REPOSITORY / "nbgrader_config.py").read_text(encoding="utf-8")
    config += "\nc.Execute.timeout = 5\n"  # a loop without end need not cost the tests ten
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    shutil.copytree(REPOSITORY / "solutions" / LAB, folder / "solutions" / LAB)
    with ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr(FILES["damaged"], '{"cells": [')
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
        timeout=600,
        check=True,
    )
    # Collecting says by its exit code that one could not be read, and autograding that one ended
    # its kernel.
    codes = re.findall(r"^exit code (\d)$", run.stdout, re.MULTILINE)
    assert codes == ["0", "1", "1", "0", "0", "0", "0"], run.stderr[-2000:]
    (folder / "said.txt").write_text(run.stderr, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def grades(graded: Path) -> dict[str, dict[str, float | None]]:
    """The points for each exercise, by student."""
    return points_in(f"sqlite:///{graded / 'gradebook.db'}")


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
@pytest.mark.slow
@pytest.mark.parametrize("student", CLASS)
def test_a_class_of_ten_gets_the_grades_it_deserves(student, grades):
    assert {name: points or 0 for name, points in grades[student].items()} == deserved(student)


@needs_nbgrader
def test_the_configuration_names_a_postgresql_that_only_needs_its_comment_taken_away(tmp_path):
    """tests/test_hub.py grades a class with an address of this form."""
    pytest.importorskip("psycopg", reason='psycopg is missing: install ".[hub]"')
    from sqlalchemy import make_url

    config = (REPOSITORY / "nbgrader_config.py").read_text(encoding="utf-8")
    (tmp_path / "config.py").write_text(
        config.replace("# c.CourseDirectory.db", "c.CourseDirectory.db")
    )
    loaded = PyFileConfigLoader("config.py", str(tmp_path)).load_config()
    address = make_url(loaded.CourseDirectory.db_url)
    assert address.get_dialect().import_dbapi().__name__ == "psycopg"
    assert (address.username, address.database) == ("user", "gradebook")


@needs_nbgrader
@pytest.mark.slow
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
def test_an_empty_score_is_told_from_a_lab_that_was_not_filled_in():
    from course_utils.teaching.grades import state_of
    from course_utils.teaching.submissions import UNTRIED, WRONG, Answer, Submission

    tried = {"one": Answer(UNTRIED), "two": Answer(WRONG, stopped=True)}
    assert state_of(None) == ("not-handed-in", "")
    assert state_of(Submission("ana", {"one": Answer(UNTRIED)})) == ("empty", "")
    assert state_of(Submission("bo", tried)) == ("graded", "stopped: 2 · detenido: 2")
    assert state_of(Submission("cai", {}, problem="damaged")) == ("damaged", "")


@needs_nbgrader
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_late_penalty_is_taken_off_the_points_and_never_leaves_less_than_none(
    tmp_path, monkeypatch
):
    from nbgrader.apps import NbGrader

    from course_utils.teaching.grades import Grades

    made = GradedClass(tmp_path, LAB)
    made.book.update_or_create_assignment(LAB, duedate="2026-11-20 12:00:00 UTC")
    right = {ROW: Given("row = 12", EXERCISES[ROW].right_answer())}
    times = {"ana": "12:00:00", "ben": "12:00:01", "cai": "13:00:00"}
    for (name, time), penalty in zip(times.items(), (None, 0.25, 4.0), strict=True):
        made.hand_in(name, right)
        submission = made.book.find_submission(LAB, name)
        submission.timestamp = datetime.fromisoformat(f"2026-11-20 {time}")
        submission.notebooks[0].late_submission_penalty = penalty
    made.book.add_student("dan", first_name="Dan", email="dan@example.org")
    made.book.db.commit()
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    Grades(parent=NbGrader()).export(made.book)
    with open("grades.csv", encoding="utf-8", newline="") as file:
        ana, ben, cai, dan = csv.DictReader(file)
    made.close()
    columns = ("raw_score", "late_submission_penalty", "score", "max_score")
    assert [[row[name] for name in columns] for row in (ana, ben, cai, dan)] == [
        ["1.0", "0.0", "1.0", "9.0"],
        ["1.0", "0.25", "0.75", "9.0"],
        ["1.0", "4.0", "0.0", "9.0"],
        ["", "", "", "9.0"],
    ]
    assert [bool(row["late"]) for row in (ana, ben, cai, dan)] == [False, True, True, False]
    assert ana["duedate"] == "2026-11-20 12:00:00" and ben["timestamp"] == "2026-11-20 12:00:01"
    assert (dan["first_name"], dan["email"]) == ("Dan", "dan@example.org")
    assert dan["state"].startswith("not handed in")


@needs_nbgrader
@pytest.mark.slow
def test_grades_and_pages_come_out_as_teaching_says(graded):
    with open(graded / "grades.csv", encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert rows.keys() == FILES.keys()
    for student, (_, right) in CLASS.items():
        points = sum(POINTS[name] for name in right)
        # Nothing that was not judged has a number.
        assert rows[student]["score"] == ("" if student == "kernel" else str(float(points)))
    states = {student: row["state"].split(" · ")[0] for student, row in rows.items()}
    assert {student: state for student, state in states.items() if state != "graded"} == {
        "empty": "nothing filled in",
        "damaged": "cannot be read",
        "kernel": "not graded",
    }
    assert rows["damaged"]["score"] == "" and rows["empty"]["score"] == "0.0"
    assert rows["deleted"]["note"].startswith("test deleted: 2 ·")
    assert rows["loop"]["note"].startswith("stopped: 3 ·")
    assert rows["swapped"]["number"] == "4" and rows["copier"]["number"] == "99"


@needs_nbgrader
@pytest.mark.slow
def test_pages_say_what_happened_and_are_packed_under_the_names_of_the_platform(graded):
    def page(student: str) -> str:
        return (graded / "feedback" / student / LAB / f"{LAB}.html").read_text(encoding="utf-8")

    with ZipFile(graded / "feedback" / f"{LAB}.zip") as archive:
        back = [file.replace(".ipynb", ".html") for file in FILES.values()]
        assert sorted(archive.namelist()) == sorted(back)
    assert "Sine and cosine have changed places" in page("swapped")
    assert "El seno y el coseno están intercambiados" in page("swapped")
    assert page("exponent").count("right answers in place") == 1
    assert "no notebook that can be read" in page("damaged")
    assert "ended before it could be graded" in page("kernel")
    assert "Nothing was filled in" in page("empty") and "Nothing was filled in" not in page("loop")
    assert re.search(r"Any rows</span>.*: .*the test was deleted.*0 / 3", page("deleted"))
    assert "ran for too long" in page("loop") and "other numbers too" not in page("loop")
    assert not list((graded / "data").glob("positional-encodings-course*"))


@needs_nbgrader
@pytest.mark.slow
def test_only_a_copy_of_the_solution_and_changed_tests_are_warned_of(graded):
    said = (graded / "said.txt").read_text(encoding="utf-8")
    assert said.count("Traceback (most") == 1  # nbgrader's own, of the one that ended its kernel
    warned = re.findall(r"WARNING\] (\w+): the (code|cell)", said)
    solutions = {student for student, kind in warned if kind == "code"}
    assert solutions == CLASS.keys() - {"empty", "honest", "tampered"}  # made from the solutions
    assert {student for student, kind in warned if kind == "cell"} == {"tampered", "copier"}
    assert "copier: the cells check-row-by-hand, check-sinusoidal-rows," in said
    assert "tampered: the cell check-row-by-hand was changed by hand" in said
    assert "checksum" not in said and "SAWarning" not in said
    assert "honest" not in "".join(line for line in said.splitlines() if "WARN" in line)


@needs_nbgrader
@pytest.mark.slow
def test_the_class_at_a_glance_names_who_needs_a_hand(graded):
    page = (graded / "overview" / f"{LAB}.html").read_text(encoding="utf-8")
    hands = page.partition('<details class="hands">')[2].partition("</details>")[0]
    named = re.findall(r"<li>(.*?)</li>", hands)
    assert {"damaged", "kernel", "empty", "loop: 3", "deleted: 2", "copier: 1, 2, 3, 4"} <= {*named}
    assert "tampered: 1, 2, 3, 4" in named and "honest" not in named
    assert named.count("copier: 1, 2, 3, 4") == 1  # and not for changed tests as well
    numbers = re.findall(r'<td class="n">(\d+)</td>' * 4, page.replace("\n", ""))
    assert len(numbers) == 4 and {sum(map(int, row)) for row in numbers} == {11}


@needs_nbgrader
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_who_could_not_be_graded_gets_a_page_however_often_one_gives_back(tmp_path):
    from course_utils.teaching.give_back import pages
    from course_utils.teaching.submissions import class_work

    made = GradedClass(tmp_path, LAB)
    made.hand_in("ana", {})  # whose page was not made yet
    made.close()
    damaged = made.folders.submitted / "ben" / LAB
    damaged.mkdir(parents=True)
    (damaged / f"{LAB}.ipynb").write_text("{")
    for _ in range(2):
        ((path, page),) = pages(class_work(LAB, made.folders), made.folders.feedback).items()
        assert path == f"ben/{LAB}.html" and "no notebook that can be read" in page.read_text()


def hand_in(inbound: Path, student: str, minute: int, text: str, secret: str | None) -> None:
    """A folder as nbgrader's submit leaves it; the secret is what it writes last."""
    folder = inbound / f"{student}+{LAB}+2026-11-22 10:{minute:02}:00 UTC+random"
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_text(text)
    if secret is not None:
        (folder / "timestamp.txt").write_text(f"2026-11-22 10:{minute:02}:00 UTC")
        (folder / "submission_secret.txt").write_text(secret)


@pytest.mark.slow
@needs_nbgrader
def test_a_submission_that_a_full_disk_cut_short_replaces_no_whole_one(tmp_path):
    from nbgrader.apps import NbGraderAPI

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
    for student, secret in (("ana", None), ("ben", ""), ("cai", None), ("dan", "")):
        hand_in(inbound, student, 4, "cut", secret)
    assert collected() == {"ana": "newer", "ben": "whole", "cai": "cut", "dan": "cut"}
    hand_in(inbound, "ana", 5, "newest", "known")
    hand_in(inbound, "cai", 5, "again", "known")
    assert collected() == {"ana": "newest", "ben": "whole", "cai": "again", "dan": "cut"}
