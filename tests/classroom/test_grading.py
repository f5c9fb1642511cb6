"""Tests of grading a class of unusual submissions with the commands from TEACHING.md."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from checks.labs import REPOSITORY, cell, needs_nbgrader, read
from checks.odd_submissions import (
    ALL,
    ANSWERS,
    CLOCK,
    CODE,
    FILES,
    LAB,
    POINTS,
    ROW,
    ROWS,
    Odd,
    answered,
    odd,
)
from nbformat import NotebookNode

from classroom.findings import hands_needed
from classroom.submissions import ClassWork, Folders, class_work

pytestmark = [needs_nbgrader, pytest.mark.slow]


def swapped() -> NotebookNode:
    swap = {"np.sin": "np.cos", "np.cos": "np.sin"}
    rows = re.sub("np.sin|np.cos", lambda found: swap[found[0]], ANSWERS[ROWS])
    return answered(sinusoidal_rows=rows)


def tampered() -> NotebookNode:
    """Return a submission without answers in which all tests are rewritten."""
    notebook = read("labs", LAB)
    cell(notebook, ROW).source = "check = lambda *asked: SimpleNamespace(solved=True)\nrow = 1"
    for name in POINTS:
        cell(notebook, f"check-{name}").source = "assert True"
    cell(notebook, "switch").source += "\nfrom types import SimpleNamespace\n"
    return notebook


LOOP = """from course_utils.labs import running
running.SECONDS = 1  # not ten, each of the times that it is tried

def position_from_row(row, base):
    while True: pass"""

FEW_FILES = ("bom", "foreign markings", "from Colab", "deleted test", "cut", "web page", "script")
"""Files to grade.

All other files become equal to a plain notebook, which ``test_cleaning.py`` checks.
"""

CLASS: dict[str, Odd] = {name: FILES[name] for name in FEW_FILES} | CODE
CLASS |= {
    "loop": odd(answered(position_from_row=LOOP), "stopped", deserved=ALL - {CLOCK}),
    "tampered": odd(tampered(), "changed", deserved=frozenset()),
    "Ana Pérez": odd(swapped(), deserved=ALL - {ROWS}, page="Sine and cosine are swapped"),
    "copier": odd(read("solutions", LAB), "solution", file="my final lab.ipynb"),
}
NUMBERS = {name: number for number, name in enumerate(CLASS, 1)}
FOLDERS = {name: f"{name}_{NUMBERS[name]}_assignsubmission_file_" for name in CLASS}


def commands() -> list[str]:
    """Return the commands in TEACHING.md and classroom/grading.md, except the installation."""
    pages = [REPOSITORY / name for name in ("TEACHING.md", "classroom/grading.md")]
    english = [page.read_text("utf-8").partition("\n## Español")[0] for page in pages]
    teaching, grading = (re.findall(r"^```\n(.*?)^```$", page, re.S | re.M) for page in english)
    lines = "".join([teaching[0], *grading[1:]]).splitlines()
    return [line for line in lines if not line.startswith("python -m pip")]


def worksheet() -> str:
    """Create Moodle's table of the class, including a student without a submission."""
    head = "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (submission)"
    time = '"Wednesday, {day} November 2026, 11:59 PM"'
    rows = [
        f'Participant {number},"{name}",s{number}@x.org,,90,{time.format(day=24 + (number == 1))}'
        for name, number in NUMBERS.items()
    ]
    return "\n".join([head, *rows, "Participant 999,Zoe,zoe@x.org,,90,-"])


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Course folder in which the commands from TEACHING.md were run."""
    folder = tmp_path_factory.mktemp("class")
    shutil.copy(REPOSITORY / "nbgrader_config.py", folder)
    shutil.copytree(REPOSITORY / "solutions" / LAB, folder / "solutions" / LAB)
    (folder / "worksheet.csv").write_text(worksheet(), "utf-8-sig")
    with ZipFile(folder / "submissions.zip", "w") as archive:
        for student, each in CLASS.items():
            archive.writestr(f"{FOLDERS[student]}/{each.file}", each.content)
    settings = {
        # nbgrader runs alembic by name, even if the environment has not been activated.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(REPOSITORY),
        "JUPYTER_DATA_DIR": str(folder / "data"),
    }
    printed, codes = [], []
    for command in commands():
        run = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            timeout=1200,
        )
        printed += [run.stdout, run.stderr]
        codes.append(run.returncode)
    # The exit code of evening reports a notebook that ended its kernel and has no grade.
    assert codes == [1, 1, 0, 0, 0, 1, 1], printed
    (folder / "printed.txt").write_text("".join(printed), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def work(graded: Path) -> ClassWork:
    names = ("solutions", "labs", "submitted", "autograded", "feedback")
    return class_work(LAB, Folders(*(graded / name for name in names), gradebook_of(graded)))


def gradebook_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'gradebook.db'}"


def test_class_gets_expected_grades(work):
    found = {each.student: each for each in work.submissions}
    assert found.keys() == CLASS.keys()
    for student, each in CLASS.items():
        points = found[student].points
        by_test = {name for name, given in points.items() if given.by_test}
        assert found[student].has_score == (each.deserved is not None), student
        assert by_test == (each.deserved or set()), student


def test_unusual_submissions_are_reported_to_teacher(work):
    reported = {student: set() for student in CLASS}
    for hand in hands_needed(work):
        reported[hand.student].add(hand.key)
    expected = {student: set(each.warnings) for student, each in CLASS.items()}
    assert reported == expected


def test_pages_explain_grades(graded):
    with ZipFile(graded / "feedback" / f"{LAB}.zip") as archive:
        for student, each in CLASS.items():
            file = Path(each.file).with_suffix(".html").name
            page = archive.read(f"{FOLDERS[student]}/{file}").decode()
            assert each.page in page, student
        assert len(archive.namelist()) == len(CLASS)
    page = graded / "feedback" / "Ana Pérez" / LAB / f"{LAB}.html"
    assert "set these points by hand. Only a sign." in page.read_text("utf-8")
    assert not list((graded / "data").glob("positional-encodings-course*"))


def test_tables_list_every_student_with_address_grade(graded):
    with open(graded / "grades.csv", encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    with open(graded / "feedback" / "worksheet.csv", encoding="utf-8-sig", newline="") as file:
        sheet = {row["Full name"]: row for row in csv.DictReader(file)}
    assert rows.keys() == sheet.keys() == {*CLASS, "Zoe"}
    for student, each in CLASS.items():
        by_hand = 2 * (student == "Ana Pérez")
        points = sum(POINTS[name] for name in each.deserved or ()) + by_hand
        # A submission that was not graded has no score.
        assert rows[student]["score"] == ("" if each.deserved is None else str(float(points)))
        assert sheet[student]["Grade"] == ("" if each.deserved is None else f"{10 * points:g}")
        assert rows[student]["email"] == f"s{NUMBERS[student]}@x.org"
        assert bool(rows[student]["late"]) == (NUMBERS[student] == 1)
    assert rows["Zoe"]["score"] == sheet["Zoe"]["Grade"] == ""
    assert rows["Zoe"]["state"] == "not handed in" and rows["nothing filled in"]["score"] == "0.0"
    assert rows["Ana Pérez"]["note"] == "exercise 2: 2 points by hand (Only a sign.)"
    assert not any(" · " in entry for row in rows.values() for entry in row.values())


def test_output_is_short_while_log_has_details(graded):
    printed = (graded / "printed.txt").read_text("utf-8")
    assert "INFO" not in printed and "Traceback" not in printed and "Warning" not in printed
    log = (graded / "grading.log").read_text("utf-8")
    assert "DeadKernelError" in log
    assert "has changed!" not in log  # nbgrader would log this even for unaltered notebooks


def test_overview_counts_everybody(graded):
    page = (graded / "overview" / f"{LAB}.html").read_text(encoding="utf-8")
    numbers = re.findall(r'<td class="n">(\d+)</td>' * 4, page.replace("\n", ""))
    assert len(numbers) == 4 and {sum(map(int, row)) for row in numbers} == {len(CLASS)}
