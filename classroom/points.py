"""Give points by hand, give half points for single mistakes, and apply penalties.

python -m classroom.points 03_sinusoidal "Ana Pérez" 2 1.5 "Only a sign."
python -m classroom.points 03_sinusoidal "Ana Pérez" 2 --back

Run the command in the course folder to give points by hand, with a reason for the student. You can
give points to anyone in the list of submissions. Pass the name of the exercise or its number, as in
these examples. The points are preserved when the lab is graded again. Pass --back to remove the
points. Afterwards, run classroom.evening to update the pages and tables.
"""

from __future__ import annotations

import argparse
import math
import sys
from difflib import get_close_matches
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import SaveAutoGrades
from traitlets import Bool, Float

from course_utils.labs.messages import TEXTS as FEEDBACK
from course_utils.labs.tasks import EXERCISES
from course_utils.words.text import words

from .submissions import HALF, Folders, Task, class_work, records_in

TEXTS = words(Path(__file__).with_suffix(".toml"))

SECONDS_OF_A_DAY = 86_400


class SavePoints(SaveAutoGrades):
    """Preprocessor that saves points, and gives half points for a single known mistake."""

    half_points = Bool(
        False, help="Give half of the points if a single misconception explains a wrong answer."
    ).tag(config=True)

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_score(cell, resources)
        slip = only_slip_of(cell) if self.half_points else None
        if slip:
            name = cell.metadata.nbgrader.grade_id
            place = self.notebook_id, self.assignment_id, self.student_id
            grade = self.gradebook.find_grade(name, *place)
            if grade.auto_score == 0:
                grade.auto_score = grade.max_score / 2
                comment = self.gradebook.find_comment(name.removeprefix("check-"), *place)
                comment.auto_comment = HALF + slip
                self.gradebook.db.commit()


def only_slip_of(test: dict) -> str | None:
    """Return the only misconception that reproduces the answer's output in the hidden test."""
    records = [record for record in records_in(test) if record.get("judged") == "grading"]
    record = records[-1] if records else {}
    # In exercises on fixing code, only the first fault is reported, and there may be others.
    mends = getattr(EXERCISES.get(record.get("exercise")), "given", None)
    named = [] if mends else record.get("misconceptions", [])
    return named[0] if len(named) == 1 and named[0] in FEEDBACK["misconception"] else None


class LatePenalty(LateSubmissionPlugin):
    """Penalty for each day, or part of a day, after the due date."""

    points_per_day = Float(0.0, help="Points to subtract for each started day.").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the points to subtract, which nbgrader limits to the student's score."""
        return self.points_per_day * math.ceil(total_seconds_late / SECONDS_OF_A_DAY) or None


def give(
    lab: str, student: str, exercise: str, points: float | None, reason: str, address: str
) -> None:
    """Store points given by hand and their reason in the gradebook.

    To remove the points, pass None.

    Raises:
        MissingEntry: If the lab or the exercise is not in the gradebook.
        ValueError: If the points are not between 0 and the maximum for the exercise.
    """
    with Gradebook(address) as gradebook:
        gradebook.find_assignment(lab)
        gradebook.update_or_create_student(student)
        gradebook.update_or_create_submission(lab, student)
        grade = gradebook.find_grade(f"check-{exercise}", lab, lab, student)
        if points is not None and not 0 <= points <= grade.max_score:
            raise ValueError(f"0 to {grade.max_score:g}")
        grade.manual_score = points
        grade.needs_manual_grade = False
        gradebook.find_comment(exercise, lab, lab, student).manual_comment = reason
        gradebook.db.commit()


def exercise_of(named: str, tasks: tuple[Task, ...]) -> str:
    """Return the name of an exercise, given its number or name.

    Raises:
        ValueError: If the lab has no such exercise; the message lists its exercises.
    """
    for task in tasks:
        if named in (task.id, str(task.number)):
            return task.id
    raise ValueError(", ".join(f"{task.number} ({task.id})" for task in tasks))


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("lab", "student", "exercise"):
        parser.add_argument(name)
    parser.add_argument("points", type=float, nargs="?")
    parser.add_argument("reason", nargs="?", default="")
    parser.add_argument("--back", action="store_true", help="take points by hand back")
    given = parser.parse_args()
    folders = Folders.configured()
    try:
        work = class_work(given.lab, folders)
    except FileNotFoundError as error:
        parser.error(str(error))
    students = [each.student for each in work.submissions]
    students += [row["student"] for row in work.nothing]
    if given.student not in students:
        close = ", ".join(get_close_matches(given.student, students, 5, 0.4))
        parser.error(TEXTS["nobody"].format(student=given.student, close=close or "-").one_line)
    if (given.points is None) != given.back or not (given.back or given.reason):
        parser.error(TEXTS["incomplete"].one_line)
    try:
        exercise = exercise_of(given.exercise, work.tasks)
    except ValueError as error:
        values = {"given": given.exercise, "lab": given.lab, "allowed": str(error)}
        parser.error(TEXTS["exercise"].format(**values).one_line)
    try:
        give(given.lab, given.student, exercise, given.points, given.reason, folders.gradebook)
    except MissingEntry as error:
        parser.error(TEXTS["missing"].format(error=str(error)).one_line)
    except ValueError as error:
        message = TEXTS["range"].format(given=f"{given.points:g}", allowed=str(error))
        parser.error(message.one_line)
    key = "back" if given.back else "given"
    points = "" if given.back else f"{given.points:g}"
    print(TEXTS[key].format(student=given.student, points=points, lab=given.lab).lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
