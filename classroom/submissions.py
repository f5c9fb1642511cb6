"""What a class handed in for a lab, and what grading found: points, misconceptions, irregularities.

Points come from the gradebook, because a student can forge the outputs of a notebook. What was
wrong comes from the records that ``check`` and ``grade`` leave in the graded notebook.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from dataclasses import astuple, dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from course_utils.labs.diagnosis import NUMBERS_DIFFER, STOPPED
from course_utils.labs.feedback import RECORD
from course_utils.words.text import LANGUAGES, Text

from .putting_back import CALL, NOTE, by_grade_id, is_certain, lines, source

FULL, WRONG, UNTRIED, NOT_JUDGED = "full", "wrong", "untried", "not-judged"
STATES = (FULL, WRONG, UNTRIED, NOT_JUDGED)

HIDDEN_TEST = "### BEGIN HIDDEN TESTS"
"""What nobody was given stands below this line."""

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
class Answer:
    """What one student handed in for one exercise."""

    state: str
    points: float = 0
    code: str = ""
    told: Finding | None = None
    """What ``check`` found, which the student could read."""
    hidden: Finding | None = None
    """What only the hidden test found."""
    stopped: bool = False
    deleted: bool = False
    """Its test was missing, and was put back."""
    changed: bool = False
    lost: bool = False
    """Its cells were known by their code alone, since their markings were gone."""
    moved: bool = False
    """It was written in another cell than the one for it."""
    solution: bool = False
    """Handed in with the hidden test, which stands only in the notebook of the solution."""
    copied: bool = False
    failed: bool = False
    nameless: bool = False
    """It is Python, and nothing had the name that its test asks for."""
    by_hand: bool = False
    """Whether a teacher gave its points."""
    comment: str = ""
    """What the gradebook says beside them."""

    @property
    def half_for(self) -> str:
        """The slip for which it got half of its points."""
        halved = not self.by_hand and self.comment.startswith(HALF)
        return self.comment.removeprefix(HALF) if halved else ""


@dataclass(frozen=True)
class Points:
    """What the gradebook has for an exercise of a student."""

    score: float = 0.0
    by_hand: bool = False
    comment: str = ""
    penalty: float = 0.0
    """Taken off all of the student's points, for handing in late."""


NONE = Points()


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
    alike: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Who handed in the same code, and for which exercises."""

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
    solved, blank = by_grade_id(solution), by_grade_id(released)
    titles, tasks = _titles(solution), []
    for name, cell in solved.items():
        if name.startswith("check-") and cell["metadata"]["nbgrader"].get("grade"):
            id = name.removeprefix("check-")
            tasks.append(
                Task(
                    id=id,
                    number=len(tasks) + 1,
                    title=titles.get(id, Text(*[id] * len(LANGUAGES))),
                    points=cell["metadata"]["nbgrader"]["points"],
                    released=source(blank[id]),
                    solution=source(solved[id]),
                    test=source(blank[name]),
                )
            )
    return tuple(tasks)


def _titles(notebook: dict) -> dict[str, Text]:
    """The heading above each cell that students write in."""
    titles, heading = {}, None
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            line = re.match(r"## \d+ · (.+)", source(cell))
            said = dict(re.findall(r'<span lang="(\w+)">(.*?)</span>', line[1])) if line else {}
            if said.keys() >= LANGUAGES.keys():
                heading = Text(*(said[language] for language in LANGUAGES))
        elif heading and cell["metadata"].get("nbgrader", {}).get("solution"):
            titles[cell["metadata"]["nbgrader"]["grade_id"]] = heading
    return titles


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
    right, given, written = (_syntax(each) for each in (solution, given, code))
    if right is None or given is None or written is None:
        return False
    n_written = len(list(ast.walk(right))) - len(list(ast.walk(given)))
    return n_written >= LONG_ENOUGH_TO_COPY and ast.dump(written) == ast.dump(right)


def _syntax(code: str) -> ast.Module | None:
    """The code without comments and docstrings; None if it is no Python."""
    try:
        return without_docstrings(ast.parse(code))
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
        tuple(with_alike(submissions, tasks)),
        nothing=tuple(row for row in rows if row["state"] == "nothing"),
        unknown=tuple(row["file"] for row in rows if row["state"] == "unknown"),
    )


def with_alike(submissions: list[Submission], tasks: tuple[Task, ...]) -> list[Submission]:
    """The submissions, each with those whose code is the same, comments aside, and long enough.

    What is the solution's is not compared: it is named as that. Nor is a value that was asked for:
    many write the same line for it.
    """
    alike: dict[str, dict[str, list[str]]] = {each.student: {} for each in submissions}
    for task in (each for each in tasks if each.released.startswith(("def ", "class "))):
        groups: dict[str, list[str]] = {}
        for each in submissions:
            answer = each.answers[task.id]
            written = None if answer.copied or answer.solution else _syntax(answer.code)
            if written is not None and _nodes(written) - _nodes(_syntax(task.released)) >= (
                LONG_ENOUGH_TO_COPY
            ):
                groups.setdefault(ast.dump(written), []).append(each.student)
        for students in groups.values():
            for student in students:
                for other in students:
                    if other != student:
                        alike[student].setdefault(other, []).append(task.id)
    return [
        replace(each, alike=tuple((name, tuple(ids)) for name, ids in alike[each.student].items()))
        for each in submissions
    ]


def _nodes(tree: ast.Module | None) -> int:
    return 0 if tree is None else sum(1 for _ in ast.walk(tree))


def points_in(lab: str, gradebook: str) -> dict[str, dict[str, Points]]:
    """The points of each student who was graded, by exercise: ``points["ana"]["rows"]``."""
    from nbgrader import api

    found: dict[str, dict[str, Points]] = {}
    with api.Gradebook(gradebook) as book:
        rows = _of_lab(book, lab, api.Grade, api.GradeCell)
        comments = {
            (student, cell): comment.comment or ""
            for student, cell, _, comment in _of_lab(book, lab, api.Comment, api.SolutionCell)
        }
        for student, cell, penalty, grade in rows:
            exercise = cell.removeprefix("check-")
            found.setdefault(student, {})[exercise] = Points(
                grade.score,
                grade.manual_score is not None,
                comments.get((student, exercise), ""),
                penalty or 0.0,
            )
    return found


def _of_lab(book: object, lab: str, kind: type, cell: type) -> list[tuple]:
    """Student, cell, penalty and entry of all grades, or comments, of a lab."""
    from nbgrader import api

    return (
        book.db.query(
            api.SubmittedAssignment.student_id,
            cell.name,
            api.SubmittedNotebook.late_submission_penalty,
            kind,
        )
        .select_from(kind)
        .join(api.SubmittedNotebook, kind.notebook_id == api.SubmittedNotebook.id)
        .join(
            api.SubmittedAssignment,
            api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id,
        )
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .join(cell, kind.cell_id == cell.id)
        .filter(api.Assignment.name == lab)
        .all()
    )


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
    stopped = "CellTimeoutError" in errors or (hidden is not None and hidden.key in STOPPED)
    note = test["metadata"].get(NOTE, "")
    if points.score >= task.points:
        state = FULL
    elif stopped or name not in cells:
        state = NOT_JUDGED
    else:
        state = UNTRIED if written.strip() in ("", task.released.strip()) else WRONG
    return Answer(
        state,
        points.score,
        written,
        told,
        hidden,
        stopped=stopped,
        deleted=note == "deleted",
        changed=not solution and lines(handed_in) != lines(task.test),
        lost=note == "lost",
        moved=note == "moved",
        solution=solution,
        copied=not solution and is_copied(written, task.solution),
        failed=told is None and bool(errors - {"AssertionError"}),
        nameless=_is_missing(task, outputs) and _syntax(written) is not None,
        by_hand=points.by_hand,
        comment=points.comment,
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
