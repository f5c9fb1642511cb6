"""The table of grades, ``grades.csv``, which says of each empty score why it is empty."""

from __future__ import annotations

import csv
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from ..words.text import words
from .submissions import ClassWork, Folders, Submission, class_work

SAID = words(Path(__file__).with_suffix(".toml"))

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "number",
    "late",
    "state",
    "note",
)
"""Those of nbgrader, and then the platform's number, whether it was late, and what became of it."""


class Grades(ExportPlugin):
    """What ``nbgrader export`` writes. A score is empty where nothing could be graded."""

    def export(self, gradebook: Gradebook) -> None:
        """Write a row for each student and each lab that was collected or graded."""
        folders = Folders.configured()
        path = Path(self.to or "grades.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS)
            table.writeheader()
            for assignment in gradebook.assignments:
                if not self.assignment or assignment.name in map(str, self.assignment):
                    for row in self._rows(gradebook, assignment, folders):
                        table.writerow(row)
        self.log.info("Exporting grades to %s", path)

    def _rows(self, gradebook: Gradebook, assignment: object, folders: Folders) -> list[dict]:
        lab = assignment.name
        try:
            work = class_work(lab, folders)
        except FileNotFoundError:  # a lab that is here no more
            work = ClassWork(lab, (), ())
        handed_in = {each.student: each for each in work.submissions}
        known = {student.id: student for student in gradebook.students}
        graded = {each.student.id: each for each in assignment.submissions}
        wanted = [str(each) for each in self.student] or sorted(known | handed_in)
        rows = []
        for name in wanted:
            student, submission = known.get(name), graded.get(name)
            state, note = state_of(handed_in.get(name))
            listed = handed_in[name].listed if name in handed_in else {}
            row = {
                "assignment": lab,
                "duedate": assignment.duedate or "",
                "timestamp": getattr(submission, "timestamp", None) or listed.get("time", ""),
                "student_id": name,
                "last_name": getattr(student, "last_name", None) or "",
                "first_name": getattr(student, "first_name", None) or "",
                "email": getattr(student, "email", None) or listed.get("address", ""),
                "max_score": assignment.max_score,
                "number": listed.get("number", ""),
                "late": SAID["late"].one_line if _is_late(submission, listed) else "",
                "state": SAID["state"][state].one_line,
                "note": note,
            }
            if submission is not None and state in ("graded", "empty"):
                penalty = submission.late_submission_penalty or 0.0
                row["raw_score"] = submission.score
                row["late_submission_penalty"] = penalty
                row["score"] = max(0.0, submission.score - penalty)
            rows.append(row)
        return rows


def state_of(submission: Submission | None) -> tuple[str, str]:
    """A student's state, such as ``"graded"``, and a note on exercises that could not be judged."""
    if submission is None:
        return "not-handed-in", ""
    notes = []
    for key in ("deleted", "stopped"):
        answers = enumerate(submission.answers.values(), 1)
        if numbers := [str(number) for number, answer in answers if getattr(answer, key)]:
            notes.append(SAID["note"][key].format(exercises=", ".join(numbers)).one_line)
    return submission.problem or ("empty" if submission.empty else "graded"), "; ".join(notes)


def _is_late(submission: object, listed: dict[str, str]) -> bool:
    late_by = getattr(submission, "total_seconds_late", 0) or 0
    return bool(listed.get("late")) or late_by > 0
