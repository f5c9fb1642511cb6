"""Submissions of a class for a lab, with points, misconceptions and irregularities.

Points are read from the gradebook, because students can forge the outputs of a notebook.
Misconceptions are read from the records that ``check`` and ``grade`` store in the graded notebook.
"""

from __future__ import annotations

import ast
import csv
import html
import json
import re
from dataclasses import astuple, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.labs.diagnosis import NUMBERS_DIFFER, STOPPED
from course_utils.labs.feedback import RECORD
from course_utils.words.cells import halves, heading
from course_utils.words.text import LANGUAGES, Text

from .putting_back import CALL, by_grade_id, imports_in, is_certain, lines, source

if TYPE_CHECKING:
    from nbgrader.api import SubmittedAssignment

FULL, WRONG, UNTRIED, NOT_JUDGED = "full", "wrong", "untried", "not-judged"
STATES = (FULL, WRONG, UNTRIED, NOT_JUDGED)

HIDDEN_TEST = "### BEGIN HIDDEN TESTS"
"""Line above the part of a test that was not handed out."""

IRREGULARITIES = ("stopped", "nameless", "module", "solution", "copied", "changed", "more")
"""Irregularities of answers on which a teacher can act, from most to least serious.

- ``nameless``: The code is valid Python, but does not define the name that its test needs.
- ``module``: The code needs a module that is not installed on the grading machine.
- ``solution``: The answer was submitted with the hidden test, which only the solution contains.
- ``changed``: The test differs from the test that was handed out.
- ``more``: The tests would give more points than the teacher gave by hand.
"""

HALF = "1/2: "
"""Prefix of a gradebook comment about half points."""

LONG_ENOUGH_TO_COPY = 35
"""Minimum number of syntax tree nodes in code that is unlikely to be equal by chance."""


@dataclass(frozen=True)
class Task:
    """An exercise of a lab, with the version that was handed out and the solution."""

    id: str
    number: int
    title: Text
    asked: Text
    """First sentence of the task."""
    points: float
    released: str
    solution: str
    test: str
    """Check cell that was handed out."""


@dataclass(frozen=True)
class Finding:
    """A finding about an answer.

    The key is empty if the message only lists numbers that differ.
    """

    misconceptions: tuple[str, ...] = ()
    pattern: str = ""
    key: str = ""


@dataclass(frozen=True)
class Points:
    """A student's points for an exercise, as stored in the gradebook."""

    score: float = 0.0
    by_hand: bool = False
    """True if a teacher gave the points."""
    comment: str = ""
    """Comment in the gradebook."""
    penalty: float = 0.0
    """Points subtracted from the student's total for late submission."""
    by_test: float | None = None
    """Points given by the tests, or None if the tests have not run."""

    @property
    def half_for(self) -> str:
        """Misconception for which the answer received half points, or an empty string."""
        halved = not self.by_hand and self.comment.startswith(HALF)
        return self.comment.removeprefix(HALF) if halved else ""


NONE = Points()


@dataclass(frozen=True)
class Answer:
    """A student's submission for one exercise."""

    state: str
    graded: Points = NONE
    code: str = ""
    visible: Finding | None = None
    """Finding of ``check``, which was visible to the student."""
    hidden: Finding | None = None
    """Finding that was made only by the hidden test."""
    irregularities: frozenset[str] = frozenset()
    """Names of irregularities, from ``IRREGULARITIES``, to report to the teacher."""
    failed: bool = False
    """True if an error occurred before the answer could be examined."""
    shared_code: str = ""
    """Syntax of the code for comparisons, or an empty string if it is uninformative."""

    @property
    def findings(self) -> list[Finding]:
        return [each for each in (self.visible, self.hidden) if each is not None]

    @property
    def stopped(self) -> bool:
        return "stopped" in self.irregularities


def graded_as(points: dict[str, Points]) -> str:
    """Return a hash of the points on a page and of the data stored with them."""
    rows = sorted((name, astuple(each)) for name, each in points.items())
    return sha256(json.dumps(rows).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Submission:
    """A student's submission for a lab.

    If the submission was not graded, ``problem`` is the reason.
    """

    student: str
    answers: dict[str, Answer]
    problem: str = ""
    listed: dict[str, str] = field(default_factory=dict)
    """Entry in the list that ``collect`` wrote."""
    points: dict[str, Points] = field(default_factory=dict)

    @property
    def by_hand(self) -> bool:
        """True if a teacher gave points for ungraded work or instead of the tests."""
        return any(each.by_hand for each in self.points.values())

    @property
    def score(self) -> float:
        """Total points before the subtraction of penalties for late submission."""
        penalty = max((each.penalty for each in self.points.values()), default=0.0)
        return max(0.0, sum(each.score for each in self.points.values()) - penalty)

    @property
    def has_score(self) -> bool:
        """True if the points are a grade, not the zeros of ungraded work."""
        return not self.problem or self.by_hand

    @property
    def empty(self) -> bool:
        """True if the student did not attempt any exercise."""
        states = {answer.state for answer in self.answers.values()}
        return not self.problem and states == {UNTRIED}


@dataclass(frozen=True)
class ClassWork:
    """A lab and the submissions of a class, one per student.

    ``nothing`` contains the rows of students in the platform's table without a submission.
    ``unknown`` contains the paths of files of unknown origin.
    """

    lab: str
    tasks: tuple[Task, ...]
    submissions: tuple[Submission, ...]
    nothing: tuple[dict[str, str], ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Folders:
    """Folders in which nbgrader stores a class, and the URL of the gradebook."""

    solutions: Path
    labs: Path
    submitted: Path
    autograded: Path
    feedback: Path
    gradebook: str
    language: str = next(iter(LANGUAGES))
    """Language of tables, and initial language of pages."""

    @classmethod
    def configured(cls) -> Folders:
        """Return the folders configured in the file ``nbgrader_config.py`` of this folder."""
        from nbgrader.apps import NbGrader
        from nbgrader.coursedir import CourseDirectory

        app = NbGrader()
        app.load_config_file()
        course = CourseDirectory(parent=app)
        root = Path(course.root)
        language = app.config.FeedbackPage.get("language")
        return cls(
            solutions=root / course.source_directory,
            labs=root / course.release_directory,
            submitted=root / course.submitted_directory,
            autograded=root / course.autograded_directory,
            feedback=root / course.feedback_directory,
            gradebook=course.db_url,
            language=language if language in LANGUAGES else next(iter(LANGUAGES)),
        )


# Labs ---------------------------------------------------------------------------------------------


def tasks_of(lab: str, folders: Folders) -> tuple[Task, ...]:
    """Return the exercises of a lab, in order."""
    released = read_notebook(folders.labs / lab / f"{lab}.ipynb")
    solution = read_notebook(folders.solutions / lab / f"{lab}.ipynb")
    if released is None or solution is None:
        raise FileNotFoundError(f"There is no lab {lab} in {folders.labs} and {folders.solutions}.")
    blank, answers = by_grade_id(released), solutions_in(solution)
    tasks, title, prose, asked = [], None, "", {}
    for cell in solution["cells"]:
        if heading := heading_of(cell):
            _, title = heading
        if cell["cell_type"] == "markdown":
            prose = source(cell)
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution"):
            asked[marks["grade_id"]] = prose
        if marks.get("grade"):
            name = marks["grade_id"]
            id = name.removeprefix("check-")
            named = title or Text(*[id] * len(LANGUAGES))
            tasks.append(
                Task(
                    id=id,
                    number=len(tasks) + 1,
                    title=named,
                    asked=first_sentence(source(blank[id]), asked.get(id, ""), named),
                    points=marks["points"],
                    released=source(blank[id]),
                    solution=answers[id],
                    test=source(blank[name]),
                )
            )
    return tuple(tasks)


def first_sentence(code: str, prose: str, title: Text) -> Text:
    """Return the first sentence of a task, from the docstring of its code or the prose above it."""
    docstring = re.search(r'"""(.*?)"""', code, re.S)
    if docstring:
        parts = [
            html.escape(" ".join(each.split()))
            for each in re.split(r"\n\s*\n| · ", docstring[1].strip())
        ]
        step = len(parts) // len(LANGUAGES)
        return Text(*(parts[n * step] for n in range(len(LANGUAGES))))
    first = {language: text.split("\n\n")[0] for language, text in halves(prose).items()}
    return Text(*(first.get(language, title[language]) for language in LANGUAGES))


def heading_of(cell: dict) -> tuple[str, Text] | None:
    """Return the number and title of the exercise or lesson section that begins in a cell."""
    found = heading(source(cell)) if source(cell).startswith("## ") else None
    if found is None or not found.number or not found.texts.keys() >= LANGUAGES.keys():
        return None
    return found.number, Text(*map(found.texts.get, LANGUAGES))


# Notebooks ----------------------------------------------------------------------------------------


def read_notebook(path: Path) -> dict | None:
    """Read a notebook from a file, or return None if this is not possible."""
    try:
        notebook = json.loads(path.read_text("utf-8-sig"))
        cells = notebook["cells"]
        is_complete = all(cell["cell_type"] and source(cell) is not None for cell in cells)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return notebook if is_complete and isinstance(cells, list) else None


def solutions_in(notebook: dict) -> dict[str, str]:
    """Return the sources of the answer cells, keyed by id."""
    cells = by_grade_id(notebook).items()
    return {
        name: source(cell) for name, cell in cells if cell["metadata"]["nbgrader"].get("solution")
    }


def records_in(test: dict) -> list[dict]:
    """Return the records of ``check`` and the hidden test from the outputs of a test."""
    records = (output.get("data", {}).get(RECORD) for output in test.get("outputs", []))
    return [record for record in records if isinstance(record, dict)]


def without_hidden_tests(code: str) -> str:
    """Remove the hidden part of a test."""
    return re.sub(rf"\n*{HIDDEN_TEST}\n.*?### END HIDDEN TESTS", "", code, flags=re.S)


def is_copied(code: str, solution: str) -> bool:
    """Return True if code equals the solution, except for comments, and is not too short.

    Shorter code could be equal by coincidence. Code outside nbgrader's markers in the solution was
    handed out to all students.
    """
    given = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "pass", solution, flags=re.S)
    syntax = telling_syntax(solution, given)
    return bool(syntax) and telling_syntax(code, given) == syntax


def telling_syntax(code: str, given: str) -> str:
    """Return the syntax of code without comments and docstrings, if it is informative.

    The result is empty if the code is not valid Python, or is not much longer than the code that
    was handed out.
    """
    written, before = _syntax(code), _syntax(given)
    long_enough = written and before and written[1] - before[1] >= LONG_ENOUGH_TO_COPY
    return written[0] if long_enough else ""


def _syntax(code: str) -> tuple[str, int] | None:
    """Return the syntax of code and its number of nodes, or None if it cannot be parsed."""
    try:
        tree = without_docstrings(ast.parse(code))
        return ast.dump(tree), len(list(ast.walk(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def without_docstrings(tree: ast.Module) -> ast.Module:
    """Remove docstrings from code, and replace them with ``pass`` where necessary."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


# Submissions --------------------------------------------------------------------------------------


def class_work(lab: str, folders: Folders) -> ClassWork:
    """Return all submissions for a lab, with points and findings.

    Raises:
        FileNotFoundError: If the lab does not exist in this folder.
    """
    tasks = tasks_of(lab, folders)
    released = read_notebook(folders.labs / lab / f"{lab}.ipynb")
    graded_points = points_in(lab, folders.gradebook)
    rows = handed_in_list(lab, folders.submitted)
    listed = {row["student"]: row for row in rows if row["state"] not in ("nothing", "unknown")}
    failures = failures_in(lab, folders)
    students = {path.parent.name for path in folders.submitted.glob(f"*/{lab}")}
    submissions = []
    for student in sorted(students | listed.keys() | graded_points.keys()):
        place, notes = folders.submitted / student / lab, listed.get(student, {})
        graded = read_notebook(folders.autograded / student / lab / f"{lab}.ipynb")
        given = read_notebook(place / f"{lab}.ipynb")
        problem = ""
        if graded is None:
            not_graded = failures.get(student, "not-graded")
            problem = not_graded if given else notes.get("state") or "damaged"
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


def failures_in(lab: str, folders: Folders) -> dict[str, str]:
    """Return the reasons why grading failed (``"kernel"`` or ``"error"``), keyed by student."""
    try:
        return json.loads((folders.autograded / f"{lab}.json").read_text("utf-8"))
    except FileNotFoundError:
        return {}


def points_in(lab: str, gradebook: str, student: str | None = None) -> dict[str, dict[str, Points]]:
    """Return points keyed by student and exercise, as in ``points["ana"]["rows"]``."""
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
                grade.auto_score,
            )
    return found


def handed_in_list(lab: str, submitted: Path) -> list[dict[str, str]]:
    """Return the entries of the list that ``collect`` wrote."""
    try:
        with open(submitted / f"{lab}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


def tables_folder(lab: str, submitted: Path) -> Path:
    """Return the folder in which ``collect`` stores the platform's tables for a lab."""
    return submitted / f"{lab}.tables"


def _answer(task: Task, graded: dict | None, given: dict | None, points: Points) -> Answer:
    """Create an answer from the graded and the submitted notebook."""
    if graded is None:
        return Answer(NOT_JUDGED, points)
    cells, before = by_grade_id(graded), by_grade_id(given) if given else {}
    name = f"check-{task.id}"
    handed_in = source(before[name]) if name in before else task.test
    solution = HIDDEN_TEST in handed_in
    written = source(cells[task.id]) if task.id in cells else ""
    test = cells.get(name, {})
    by_judge = {record.get("judged"): _finding(record) for record in reversed(records_in(test))}
    visible, hidden = by_judge.get("check"), by_judge.get("grading")
    outputs = test.get("outputs", [])
    errors = {output["ename"] for output in outputs if output["output_type"] == "error"}
    copied = not solution and is_copied(written, task.solution)
    irregularities = {
        "stopped": "CellTimeoutError" in errors or (hidden is not None and hidden.key in STOPPED),
        "nameless": any(missing_answer(task.test, each) for each in outputs)
        and _syntax(written) is not None,
        "solution": solution,
        "copied": copied,
        "changed": not solution and not is_same_code(handed_in, task.test),
        "module": points.score < task.points and bool(names_in(written) & missing_in(graded)),
        "more": points.by_hand and (points.by_test or 0) > points.score,
    }
    settled = ("stopped", "nameless", "module") if points.by_hand else ()
    if points.score >= task.points:
        state = FULL
    elif irregularities["stopped"] or name not in cells:
        state = NOT_JUDGED
    else:
        state = UNTRIED if written.strip() in ("", task.released.strip()) else WRONG
    # A value can be equal to the solution's value or to other students' values without copying.
    comparable = task.released.startswith(("def ", "class ")) and not copied and not solution
    return Answer(
        state,
        points,
        written,
        visible,
        hidden,
        irregularities=frozenset(
            each for each, is_so in irregularities.items() if is_so and each not in settled
        ),
        failed=visible is None and bool(errors - {"AssertionError"}),
        shared_code=telling_syntax(written, task.released) if comparable else "",
    )


def is_same_code(code: str, other: str) -> bool:
    """Return True if two cells differ only in spaces, quotes and comments."""
    if lines(code) == lines(other):
        return True
    syntax = _syntax(code)
    return syntax is not None and syntax == _syntax(other)


def names_in(code: str) -> set[str]:
    """Return the names used in code."""
    return set(re.findall(r"\w+", code))


def missing_in(notebook: dict) -> set[str]:
    """Return the names whose import failed because a module is missing."""
    missing, imported = set(), set()
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            missing |= {*re.findall(r"No module named '([\w.]+)'", output.get("evalue", ""))}
        for each in imports_in(source(cell)) if cell["cell_type"] == "code" else ():
            module = getattr(each, "module", None)
            for alias in each.names:
                if (module or alias.name) in missing:
                    imported.add(alias.asname or alias.name)
    return imported | missing


def missing_answer(test: str, output: dict) -> str:
    """Return the name of the answer that a test did not find, according to one of its outputs."""
    call = CALL.search(test)
    missing = call and output.get("ename") == "NameError" and f"'{call[2]}'" in output["evalue"]
    return call[2] if missing else ""


def _finding(record: dict) -> Finding:
    key = record.get("found", "")
    return Finding(
        misconceptions=tuple(record.get("misconceptions", ())),
        pattern=record.get("pattern", ""),
        key="" if key in NUMBERS_DIFFER else key,
    )
