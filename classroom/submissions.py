"""What a class handed in for a lab, and what grading found: points, misconceptions, irregularities.

Points come from the gradebook, because a student can forge the outputs of a notebook. What was
wrong comes from the records that ``check`` and ``grade`` leave in the graded notebook.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from dataclasses import astuple, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.labs.diagnosis import NUMBERS_DIFFER, STOPPED
from course_utils.labs.feedback import RECORD
from course_utils.words.text import LANGUAGES, Text

from .putting_back import CALL, NOTE, by_grade_id, is_certain, lines, source

if TYPE_CHECKING:
    from nbgrader.api import SubmittedAssignment

FULL, WRONG, UNTRIED, NOT_JUDGED = "full", "wrong", "untried", "not-judged"
STATES = (FULL, WRONG, UNTRIED, NOT_JUDGED)

HIDDEN_TEST = "### BEGIN HIDDEN TESTS"
"""What nobody was given stands below this line."""

AMISS = ("stopped", "nameless", "solution", "copied", "deleted", "changed", "lost", "moved")
"""What may be amiss with an answer, the gravest first.

``nameless``: it is Python, and nothing had the name that its test asks for. ``solution``: handed in
with the hidden test, which stands only in the notebook of the solution. ``deleted``, ``lost`` and
``moved`` are the notes of ``put_back``; ``changed`` is a test that was not as handed out.
"""

HALF = "1/2: "
"""What a comment in the gradebook begins with where points are halved; the slip comes after it."""

LONG_ENOUGH_TO_COPY = 35
"""Nodes of Python's syntax: two people hardly write so much code alike by chance."""


@dataclass(frozen=True)
class Task:
    """An exercise of a lab as it was handed out, and as the solution has it."""

    id: str
    number: int
    title: Text
    points: float
    released: str
    solution: str
    test: str
    """The check cell as it was handed out."""


@dataclass(frozen=True)
class Finding:
    """What was found about an answer: misconceptions, a pattern, and the key of a message.

    The key is empty where there is no more to say than which numbers differ.
    """

    misconceptions: tuple[str, ...] = ()
    pattern: str = ""
    key: str = ""


@dataclass(frozen=True)
class Points:
    """What the gradebook has for an exercise of a student."""

    score: float = 0.0
    by_hand: bool = False
    """Whether a teacher gave it."""
    comment: str = ""
    """What the gradebook says beside it."""
    penalty: float = 0.0
    """Taken off all of the student's points, for handing in late."""

    @property
    def half_for(self) -> str:
        """The slip for which it got half of its points."""
        halved = not self.by_hand and self.comment.startswith(HALF)
        return self.comment.removeprefix(HALF) if halved else ""


NONE = Points()


@dataclass(frozen=True)
class Answer:
    """What one student handed in for one exercise."""

    state: str
    graded: Points = NONE
    code: str = ""
    told: Finding | None = None
    """What ``check`` found, which the student could read."""
    hidden: Finding | None = None
    """What only the hidden test found."""
    amiss: frozenset[str] = frozenset()
    """What a teacher is told of it: see ``AMISS``."""
    failed: bool = False
    """It ended in an error before anything could be found."""
    shared_code: str = ""
    """Its syntax, by which the same code is known, where two hardly write it alike by chance."""

    @property
    def findings(self) -> list[Finding]:
        return [each for each in (self.told, self.hidden) if each is not None]

    @property
    def stopped(self) -> bool:
        return "stopped" in self.amiss


def graded_as(points: dict[str, Points]) -> str:
    """A word that is another one as soon as anything that a page says of points is."""
    said = sorted((name, astuple(each)) for name, each in points.items())
    return sha256(json.dumps(said).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Submission:
    """What one student handed in for a lab; ``problem`` says why all of it went ungraded."""

    student: str
    answers: dict[str, Answer]
    problem: str = ""
    listed: dict[str, str] = field(default_factory=dict)
    """What ``collect`` noted: the platform's number, address, time, and whether it was late."""
    points: dict[str, Points] = field(default_factory=dict)

    @property
    def late(self) -> bool:
        return self.listed.get("late", "") == "late"

    @property
    def empty(self) -> bool:
        """Whether the student tried no exercise at all."""
        states = {answer.state for answer in self.answers.values()}
        return not self.problem and states == {UNTRIED}


@dataclass(frozen=True)
class ClassWork:
    """A lab and what the class handed in for it, by name of the student.

    ``nothing`` are the rows of those who are in the platform's table and sent nothing, ``unknown``
    the paths of files of which nobody knows whose they are.
    """

    lab: str
    tasks: tuple[Task, ...]
    submissions: tuple[Submission, ...]
    nothing: tuple[dict[str, str], ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folders:
    """Where nbgrader keeps a class, and the address of its gradebook."""

    solutions: Path
    labs: Path
    submitted: Path
    autograded: Path
    feedback: Path
    gradebook: str

    @classmethod
    def configured(cls) -> Folders:
        """The folders that ``nbgrader_config.py`` in this folder names."""
        from nbgrader.apps import NbGrader
        from nbgrader.coursedir import CourseDirectory

        app = NbGrader()
        app.load_config_file()
        course = CourseDirectory(parent=app)
        root = Path(course.root)
        return cls(
            solutions=root / course.source_directory,
            labs=root / course.release_directory,
            submitted=root / course.submitted_directory,
            autograded=root / course.autograded_directory,
            feedback=root / course.feedback_directory,
            gradebook=course.db_url,
        )


# A lab --------------------------------------------------------------------------------------------


def tasks_of(lab: str, folders: Folders) -> tuple[Task, ...]:
    """The exercises of a lab, in its order."""
    released = read_notebook(folders.labs / lab / f"{lab}.ipynb")
    solution = read_notebook(folders.solutions / lab / f"{lab}.ipynb")
    if released is None or solution is None:
        raise FileNotFoundError(f"There is no lab {lab} in {folders.labs} and {folders.solutions}.")
    blank, answers = by_grade_id(released), solutions_in(solution)
    tasks, title = [], None
    for cell in solution["cells"]:
        if heading := heading_of(cell):
            _, title = heading
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("grade"):
            name = marks["grade_id"]
            id = name.removeprefix("check-")
            tasks.append(
                Task(
                    id=id,
                    number=len(tasks) + 1,
                    title=title or Text(*[id] * len(LANGUAGES)),
                    points=marks["points"],
                    released=source(blank[id]),
                    solution=answers[id],
                    test=source(blank[name]),
                )
            )
    return tuple(tasks)


def heading_of(cell: dict) -> tuple[str, Text] | None:
    """Number and title of the exercise, or the section of a lesson, that begins in a cell."""
    line = re.match(r"## (\d+) · (.+)", source(cell))
    said = dict(re.findall(r'<span lang="(\w+)">(.*?)</span>', line[2])) if line else {}
    return (line[1], Text(*map(said.get, LANGUAGES))) if said.keys() >= LANGUAGES.keys() else None


# Notebooks ----------------------------------------------------------------------------------------


def parsed_notebook(content: bytes) -> dict | None:
    """A notebook from the bytes of a file; None if they are no notebook that can be read."""
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
        cells = notebook["cells"]
        whole = all(cell["cell_type"] and source(cell) is not None for cell in cells)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return notebook if whole and isinstance(cells, list) else None


def read_notebook(path: Path) -> dict | None:
    """The notebook in a file; None if there is none that can be read."""
    try:
        return parsed_notebook(path.read_bytes())
    except OSError:
        return None


def solutions_in(notebook: dict) -> dict[str, str]:
    """What stands in each cell that students write in."""
    cells = by_grade_id(notebook).items()
    return {
        name: source(cell) for name, cell in cells if cell["metadata"]["nbgrader"].get("solution")
    }


def records_in(test: dict) -> list[dict]:
    """What ``check`` and the hidden test noted of an answer, in the outputs of a check cell."""
    records = (output.get("data", {}).get(RECORD) for output in test.get("outputs", []))
    return [record for record in records if isinstance(record, dict)]


def without_hidden_tests(code: str) -> str:
    """A test as students got it."""
    return re.sub(rf"\n*{HIDDEN_TEST}\n.*?### END HIDDEN TESTS", "", code, flags=re.S)


def is_copied(code: str, solution: str) -> bool:
    """Whether code is the solution, comments aside, and too long for two people to write alike.

    The solution has nbgrader's marks; what stands outside of them was given to everybody.
    """
    given = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "pass", solution, flags=re.S)
    syntax = telling_syntax(solution, given)
    return bool(syntax) and telling_syntax(code, given) == syntax


def telling_syntax(code: str, given: str) -> str:
    """The syntax of code, comments and docstrings aside; empty if it tells nothing.

    That is where it is no Python, or hardly longer than what was given to everybody.
    """
    written, before = _syntax(code), _syntax(given)
    long_enough = written and before and written[1] - before[1] >= LONG_ENOUGH_TO_COPY
    return written[0] if long_enough else ""


def _syntax(code: str) -> tuple[str, int] | None:
    """The syntax of code, and its nodes; None if it is no Python, or nested too deep."""
    try:
        tree = without_docstrings(ast.parse(code))
        return ast.dump(tree), len(list(ast.walk(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def without_docstrings(tree: ast.Module) -> ast.Module:
    """The same code; a function with nothing but a docstring gets ``pass``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


# What was handed in -------------------------------------------------------------------------------


def class_work(lab: str, folders: Folders) -> ClassWork:
    """All that was handed in for a lab, with its points and what was found.

    Raises:
        FileNotFoundError: there is no such lab here.
    """
    tasks = tasks_of(lab, folders)
    released = read_notebook(folders.labs / lab / f"{lab}.ipynb")
    graded_points = points_in(lab, folders.gradebook)
    rows = handed_in_list(lab, folders.submitted)
    listed = {row["student"]: row for row in rows if row["state"] not in ("nothing", "unknown")}
    students = {path.parent.name for path in folders.submitted.glob(f"*/{lab}")}
    submissions = []
    for student in sorted(students | listed.keys() | graded_points.keys()):
        place, notes = folders.submitted / student / lab, listed.get(student, {})
        graded = read_notebook(folders.autograded / student / lab / f"{lab}.ipynb")
        given = read_notebook(place / f"{lab}.ipynb")
        problem = "" if graded else "not-graded" if given else notes.get("state") or "damaged"
        if given and not is_certain(given, released):
            problem = "markings"
        points = graded_points.get(student, {})
        answers = {
            task.id: _answer(task, None if problem else graded, given, points.get(task.id, NONE))
            for task in tasks
        }
        submissions.append(Submission(student, answers, problem, notes, points))
    return ClassWork(
        lab,
        tasks,
        tuple(submissions),
        nothing=tuple(row for row in rows if row["state"] == "nothing"),
        unknown=tuple(row["file"] for row in rows if row["state"] == "unknown"),
    )


def points_in(lab: str, gradebook: str, student: str | None = None) -> dict[str, dict[str, Points]]:
    """The points of each student who was graded, by exercise: ``points["ana"]["rows"]``."""
    from nbgrader.api import Gradebook

    with Gradebook(gradebook) as book:
        return {
            submission.student_id: _points_of(submission)
            for submission in book.assignment_submissions(lab)
            if student in (None, submission.student_id)
        }


def _points_of(submission: SubmittedAssignment) -> dict[str, Points]:
    found = {}
    for notebook in submission.notebooks:
        comments = {each.name: each.comment or "" for each in notebook.comments}
        for grade in notebook.grades:
            exercise = grade.name.removeprefix("check-")
            found[exercise] = Points(
                grade.score,
                grade.manual_score is not None,
                comments.get(exercise, ""),
                notebook.late_submission_penalty or 0.0,
            )
    return found


def handed_in_list(lab: str, submitted: Path) -> list[dict[str, str]]:
    """What ``collect`` noted of each student: number, address, time, late, and the file taken."""
    try:
        with open(submitted / f"{lab}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


def _answer(task: Task, graded: dict | None, given: dict | None, points: Points) -> Answer:
    """An answer from the notebook as it was graded and, for its test, as it was handed in."""
    if graded is None:
        return Answer(NOT_JUDGED)
    cells, before = by_grade_id(graded), by_grade_id(given) if given else {}
    name = f"check-{task.id}"
    handed_in = source(before[name]) if name in before else task.test
    solution = HIDDEN_TEST in handed_in
    written = source(cells[task.id]) if task.id in cells else ""
    test = cells.get(name, {"metadata": {NOTE: "deleted"}})
    by_judge = {record.get("judged"): _finding(record) for record in reversed(records_in(test))}
    told, hidden = by_judge.get("check"), by_judge.get("grading")
    outputs = test.get("outputs", [])
    errors = {output["ename"] for output in outputs if output["output_type"] == "error"}
    copied = not solution and is_copied(written, task.solution)
    amiss = {
        test["metadata"].get(NOTE): True,
        "stopped": "CellTimeoutError" in errors or (hidden is not None and hidden.key in STOPPED),
        "nameless": _is_missing(task, outputs) and _syntax(written) is not None,
        "solution": solution,
        "copied": copied,
        "changed": not solution and lines(handed_in) != lines(task.test),
    }
    if points.score >= task.points:
        state = FULL
    elif amiss["stopped"] or name not in cells:
        state = NOT_JUDGED
    else:
        state = UNTRIED if written.strip() in ("", task.released.strip()) else WRONG
    # A value that was asked for is written alike by many, and the solution is named as that.
    comparable = task.released.startswith(("def ", "class ")) and not copied and not solution
    return Answer(
        state,
        points,
        written,
        told,
        hidden,
        amiss=frozenset(each for each, is_so in amiss.items() if each and is_so),
        failed=told is None and bool(errors - {"AssertionError"}),
        shared_code=telling_syntax(written, task.released) if comparable else "",
    )


def _is_missing(task: Task, outputs: list[dict]) -> bool:
    """Whether a test found nothing under the name that it asks for."""
    called = CALL.search(task.test)
    said = [each.get("evalue", "") for each in outputs if each.get("ename") == "NameError"]
    return bool(called) and any(f"'{called[2]}'" in each for each in said)


def _finding(record: dict) -> Finding:
    key = record.get("found", "")
    return Finding(
        misconceptions=tuple(record.get("misconceptions", ())),
        pattern=record.get("pattern", ""),
        key="" if key in NUMBERS_DIFFER else key,
    )
