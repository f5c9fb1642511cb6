"""Solutions make the labs, labs give nothing away, a class is graded, and work outlives updates."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import numpy as np
import pytest
from course_utils.labs.catalogue import EXERCISES, LABS
from nbformat import NotebookNode

REPOSITORY = Path(__file__).resolve().parent.parent
TEXTS = (REPOSITORY / "course_utils" / "labs" / "texts.toml").read_text(encoding="utf-8")
TEACHING = (REPOSITORY / "TEACHING.md").read_text(encoding="utf-8")

needs_nbgrader = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None,
    reason='nbgrader is missing: python -m pip install -c constraints.txt -e ".[teach]"',
)


def path_of(folder: str, lab: str) -> Path:
    return REPOSITORY / folder / lab / f"{lab}.ipynb"


def read(folder: str, lab: str) -> NotebookNode:
    return nbformat.read(path_of(folder, lab), as_version=4)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == name)


# From solutions to labs --------------------------------------------------------------------------


@needs_nbgrader
def test_labs_are_what_the_solutions_make(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, REPOSITORY / ".ci" / "make_labs.py", tmp_path],
        check=True,
        capture_output=True,
    )
    made, stored = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.ipynb")}
        for folder in (tmp_path, REPOSITORY / "labs")
    )
    assert made.keys() == stored.keys() == {f"{lab}/{lab}.ipynb" for lab in LABS}
    changed = [name for name in made if made[name] != stored[name]]
    assert not changed, "run python .ci/make_labs.py"


def between(source: str, begin: str, end: str) -> Iterator[str]:
    for part in source.split(begin)[1:]:
        yield from (line.strip() for line in part.split(end)[0].splitlines() if line.strip())


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_has_no_solution_no_hidden_test_and_no_output(lab: str) -> None:
    solution = "\n".join(cell.source for cell in read("solutions", lab).cells)
    secret = {
        line
        for kind in ("SOLUTION", "HIDDEN TESTS")
        for line in between(solution, f"### BEGIN {kind}\n", f"### END {kind}")
        if len(line) > 5
    }
    assert len(secret) > 3 * len(LABS[lab])
    text = path_of("labs", lab).read_text(encoding="utf-8")
    notebook = read("labs", lab)
    lines = {line.strip() for cell in notebook.cells for line in cell.source.splitlines()}
    assert not secret & lines
    assert "BEGIN" not in text and "grade(" not in text
    for cell_ in notebook.cells:
        assert not cell_.get("outputs") and cell_.get("execution_count") is None


@pytest.mark.parametrize("lab", LABS)
def test_no_line_of_a_solution_is_in_a_hint_or_another_text(lab: str) -> None:
    solution = "\n".join(cell.source for cell in read("solutions", lab).cells)
    telling = [
        line
        for line in between(solution, "### BEGIN SOLUTION\n", "### END SOLUTION")
        if len(line) > 25 and not line.startswith(("for ", "if ", "raise "))
    ]
    assert telling
    assert [line for line in telling if line in TEXTS] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_exercise_of_a_lab_is_asked_checked_hinted_and_graded(lab: str) -> None:
    notebook = read("solutions", lab)
    points = {}
    for exercise in LABS[lab]:
        asked = cell(notebook, exercise.id)
        if exercise.parameters:
            kind = "class" if exercise.called_with else "def"
            assert f"{kind} {exercise.name}" in asked.source
            for parameters in (exercise.parameters, exercise.called_with):
                assert f"{', '.join(parameters)})" in asked.source
        checked = cell(notebook, f"check-{exercise.id}")
        assert f'check("{exercise.id}", {exercise.name})' in checked.source
        assert f'grade("{exercise.id}", {exercise.name}' in checked.source.replace(
            "grade(\n    ", "grade("
        ).replace(",\n    ", ", ")
        assert cell(notebook, f"hint-{exercise.id}").source == f'hint("{exercise.id}")'
        assert asked.metadata.nbgrader.solution and checked.metadata.nbgrader.locked
        points[exercise.id] = checked.metadata.nbgrader.points
    graded = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert len(graded) == len(points) and all(value >= 1 for value in points.values())


@pytest.mark.parametrize("lab", LABS)
def test_an_exercise_takes_about_ten_lines(lab: str) -> None:
    notebook = read("solutions", lab)
    for exercise in LABS[lab]:
        source = cell(notebook, exercise.id).source
        assert len(list(between(source, "### BEGIN SOLUTION\n", "### END SOLUTION"))) <= 10


@pytest.mark.parametrize("lab", LABS)
def test_links_of_a_lab_lead_to_files(lab: str) -> None:
    text = "\n".join(c.source for c in read("labs", lab).cells if c.cell_type == "markdown")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert any("../../notebooks/" in link for link in links)
    missing = {link for link in links if not (path_of("labs", lab).parent / link).exists()}
    assert not missing


# A class of ten ----------------------------------------------------------------------------------

LAB = "03_sinusoidal"
ROW, FREQUENCIES, TABLE = (exercise.id for exercise in LABS[LAB])
POINTS = {ROW: 1, FREQUENCIES: 2, TABLE: 3}


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
    notebook = solved(sinusoidal_encoding=("np.sin", "np.wave"))
    source = cell(notebook, TABLE).source.replace("np.cos", "np.sin").replace("np.wave", "np.cos")
    cell(notebook, TABLE).source = source
    return notebook


def an_endless_loop() -> NotebookNode:
    """One exercise never ends; the next does not call it."""
    notebook = solved(
        sinusoidal_encoding=(
            "angular_frequencies(d_model)",
            "10_000.0 ** (-np.arange(0, d_model, 2) / d_model)",
        )
    )
    cell(notebook, FREQUENCIES).source = "def angular_frequencies(d_model):\n    while True: pass"
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
    deleted = {"title", "row", f"check-{FREQUENCIES}", f"hint-{TABLE}"}
    notebook.cells = [cell for cell in notebook.cells if cell.id not in deleted]
    return notebook


CLASS = {
    "right": (solved(), {ROW, FREQUENCIES, TABLE}),
    "empty": (read("labs", LAB), set()),
    "degrees": (
        solved(row_by_hand=("3 * frequency", "math.radians(3 * frequency)")),
        {FREQUENCIES, TABLE},
    ),
    "exponent": (
        # The table is made from these frequencies, so it is wrong with them.
        solved(angular_frequencies=("np.arange(0, d_model, 2)", "2 * np.arange(0, d_model, 2)")),
        {ROW},
    ),
    "swapped": (swapped(), {ROW, FREQUENCIES}),
    "syntax": (rewritten(FREQUENCIES, "def angular_frequencies(d_model:\n    return"), {ROW}),
    "loop": (an_endless_loop(), {ROW, TABLE}),
    "kernel": (rewritten(ROW, "import os\nos._exit(1)"), set()),
    "tampered": (tampered(), set()),
    "deleted": (with_deleted_cells(), {ROW, TABLE}),
}
"""What ten students hand in, and the exercises for which they should get the points."""


def commands() -> list[str]:
    """What TEACHING.md says to type."""
    return re.findall(r"^```\n(.*?)\n```$", TEACHING, re.DOTALL | re.MULTILINE)[0].splitlines()


# nbgrader takes seconds to start; here its commands share one start.
COMMAND_LINE = """
import sys
from nbgrader.apps import NbGraderApp

for command in sys.argv[1:]:
    code = 0
    try:
        NbGraderApp.launch_instance(command.split()[1:])
    except SystemExit as end:
        code = end.code
    NbGraderApp.clear_instance()
    print(code)
"""


# What stands in nbgrader_config.py for a PostgreSQL of one's own, as a comment.
EXAMPLE = '# c.CourseDirectory.db_url = "postgresql+psycopg://{}"'
EXAMPLE_ADDRESS = "user:password@host:5432/gradebook"


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The address of a PostgreSQL database, or None for the file that is used otherwise."""
    if request.param == "SQLite":
        yield None
        return
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip('psycopg is missing: python -m pip install -c constraints.txt -e ".[hub]"')
    from net import postgresql

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
    archive = folder / "downloaded" / LAB / "archive"
    archive.mkdir(parents=True)
    for student, (notebook, _) in CLASS.items():
        nbformat.write(notebook, archive / f"{student}__{LAB}.ipynb")
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
    assert run.stdout.split() == ["0", "0", "1", "0", "0"], run.stderr[-2000:]
    return folder


@pytest.fixture(scope="module")
def grades(graded: Path, database: str | None) -> dict[str, dict[str, float | None]]:
    """The points for each exercise, by student."""
    from nbgrader.api import Gradebook

    assert (graded / "gradebook.db").exists() == (database is None)
    file = f"sqlite:///{graded / 'gradebook.db'}"
    with Gradebook(file if database is None else f"postgresql+psycopg://{database}") as gradebook:
        return {
            submission.student.id: {
                grade.name.removeprefix("check-"): grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(LAB)
        }


@needs_nbgrader
@pytest.mark.parametrize("student", CLASS)
def test_a_class_of_ten_gets_the_grades_it_deserves(
    student: str, grades: dict[str, dict[str, float | None]]
) -> None:
    deserved = {name: POINTS[name] if name in CLASS[student][1] else 0 for name in POINTS}
    assert {name: points or 0 for name, points in grades[student].items()} == deserved


@needs_nbgrader
def test_grades_and_pages_come_out_as_teaching_says(graded: Path) -> None:
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
    assert not list((graded / "data").glob("positional-encodings-course*"))


def test_teaching_says_the_same_in_both_languages() -> None:
    english, spanish = TEACHING.split("\n## English\n")[1].split("\n## Español\n")
    for pattern in (r"^```\n(.*?)\n```$", r"`([^`\n]+)`", r"\]\(([^)]+)\)", r"^(#+) "):
        found = [re.findall(pattern, half, re.DOTALL | re.MULTILINE) for half in (english, spanish)]
        assert found[0] == found[1]
    assert len(commands()) == 5
    assert json.dumps(re.findall(r"^\| \d .*$", english, re.MULTILINE)).count("(") == len(
        re.findall(r"\(\d+\)|\(\d+ min", spanish)
    )


# Work is kept ------------------------------------------------------------------------------------


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


def publish_a_new_edition(published: Path) -> None:
    path = published / "labs" / LAB / f"{LAB}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell(notebook, "title").source += "\n\n<!-- second edition -->"
    nbformat.write(notebook, path)
    git(published, "commit", "-q", "-a", "-m", "Second edition")


def write_an_answer(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cell(notebook, ROW).source = "row = [1, 2, 3]  # what Ana wrote"
    nbformat.write(notebook, path)


def holds(path: Path, words: str) -> bool:
    return words in path.read_text(encoding="utf-8")


def make_a_copy(clone: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "course_utils.labs", LAB],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(clone)},
    )


def test_an_update_leaves_a_copy_of_a_lab_alone(course: tuple[Path, Path]) -> None:
    published, clone = course
    assert make_a_copy(clone).returncode == 0
    copy = clone / "my_labs" / LAB / f"{LAB}.ipynb"
    write_an_answer(copy)
    publish_a_new_edition(published)
    git(clone, "pull", "-q", "--ff-only")
    assert holds(clone / "labs" / LAB / f"{LAB}.ipynb", "second edition")
    assert holds(copy, "what Ana wrote") and not holds(copy, "second edition")

    again = make_a_copy(clone)
    assert again.returncode == 1 and "stays as it is" in again.stdout
    assert holds(copy, "what Ana wrote")


def test_an_update_over_an_edited_lab_keeps_the_learners_text(course: tuple[Path, Path]) -> None:
    """As nbgitpuller does it: what the learner wrote is committed, and wins where both changed."""
    published, clone = course
    lab = clone / "labs" / LAB / f"{LAB}.ipynb"
    write_an_answer(lab)
    publish_a_new_edition(published)
    git(clone, "commit", "-q", "-a", "-m", "Automatic commit")
    git(clone, "fetch", "-q")
    git(clone, "merge", "-q", "-Xours", "origin/main")
    assert holds(lab, "what Ana wrote") and holds(lab, "second edition")


def test_a_stash_brings_the_learners_text_back(course: tuple[Path, Path]) -> None:
    """As README.md says for those who cloned the course."""
    published, clone = course
    lab = clone / "labs" / LAB / f"{LAB}.ipynb"
    write_an_answer(lab)
    publish_a_new_edition(published)
    git(clone, "stash")
    git(clone, "pull", "-q", "--ff-only")
    git(clone, "stash", "pop")
    assert holds(lab, "what Ana wrote") and holds(lab, "second edition")


def test_every_lab_can_be_copied_under_its_name() -> None:
    assert {path.parent.name for path in (REPOSITORY / "labs").rglob("*.ipynb")} == set(LABS)
    assert len(EXERCISES) == sum(map(len, LABS.values()))


# Demonstrations ----------------------------------------------------------------------------------


def giving_lists(function: Callable[..., object]) -> Callable[..., object]:
    """The same function for somebody who writes lists and Python's own numbers."""

    def plain(*arguments: object) -> object:
        value = function(*arguments)
        return value.tolist() if isinstance(value, np.ndarray | np.generic) else value

    return plain


@pytest.mark.parametrize("lab", LABS)
def test_demonstrations_show_the_same_for_answers_that_are_lists(
    lab: str, capsys: pytest.CaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    functions = [e.name for e in LABS[lab] if e.parameters and not e.called_with]
    given = {"display": lambda *shown: None}
    for cell_ in read("solutions", lab).cells:
        if cell_.cell_type != "code":
            continue
        around = given
        if "nbgrader" not in cell_.metadata:
            lists = {name: giving_lists(given[name]) for name in functions if name in given}
            around = {**given, **lists}
        exec(compile(cell_.source, cell_.id, "exec"), around)
        streams = [output.text for output in cell_.outputs if output.output_type == "stream"]
        assert capsys.readouterr().out == "".join(streams)
