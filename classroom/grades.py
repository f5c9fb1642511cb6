"""Exporter for the table of grades, ``grades.csv``."""

from __future__ import annotations

import csv
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from course_utils.words.text import words

from .findings import title_of
from .submissions import ClassWork, Folders, Submission, class_work

TEXTS = words(Path(__file__).with_suffix(".toml"))

COLUMNS = (
    "assignment duedate timestamp student_id last_name first_name email raw_score"
    " late_submission_penalty score max_score number late state note"
).split()
"""Columns of the table of grades.

nbgrader's columns come first, and columns without entries are omitted. The additional columns
contain the platform's number, lateness, state, and a note about points that do not come from tests
alone.
"""


class Grades(ExportPlugin):
    """Exporter for ``nbgrader export``.

    The score is empty if nothing could be graded.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write one row for each student and each lab that was collected or graded."""
        folders = Folders.configured()
        path = Path(self.to or "grades.csv")
        rows = []
        for assignment in gradebook.assignments:
            if not self.assignment or assignment.name in map(str, self.assignment):
                rows += self._rows(gradebook, assignment, folders)
        used = [name for name in COLUMNS if any(row.get(name, "") != "" for row in rows)]
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, used or COLUMNS, extrasaction="ignore")
            table.writeheader()
            table.writerows(rows)
        self.log.info("Exporting grades to %s", path)

    def _rows(self, gradebook: Gradebook, assignment: object, folders: Folders) -> list[dict]:
        lab = assignment.name
        try:
            work = class_work(lab, folders)
        except FileNotFoundError:  # The lab no longer exists.
            work = ClassWork(lab, (), ())
        handed_in = {each.student: each for each in work.submissions}
        nothing = {row["student"]: row for row in work.nothing}
        known = {student.id: student for student in gradebook.students}
        graded = {each.student.id: each for each in assignment.submissions}
        rows = []
        for name in map(str, self.student or sorted(known | handed_in | nothing)):
            student, submission = known.get(name), graded.get(name)
            work_of_one = handed_in.get(name)
            state, note = state_of(work_of_one, folders.language)
            listed = handed_in[name].listed if name in handed_in else nothing.get(name, {})
            late = listed.get("late") or getattr(submission, "total_seconds_late", 0)
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
                "late": TEXTS["late"][folders.language] if late else "",
                "state": TEXTS["state"][state].plain[folders.language],
                "note": note,
            }
            if submission is not None and work_of_one is not None and work_of_one.has_score:
                penalty = submission.late_submission_penalty or 0.0
                if penalty:
                    row["raw_score"], row["late_submission_penalty"] = submission.score, penalty
                row["score"] = max(0.0, submission.score - penalty)
            rows.append(row)
        unknown = {"assignment": lab, "state": TEXTS["state"]["unknown"][folders.language]}
        return rows + [unknown | {"note": path} for path in work.unknown if not self.student]


def write_grades(folders: Folders) -> Path:
    """Write ``grades.csv`` in the same way as ``nbgrader export``."""
    with Gradebook(folders.gradebook) as gradebook:
        Grades().export(gradebook)
    return Path("grades.csv")


def state_of(submission: Submission | None, language: str) -> tuple[str, str]:
    """Return a student's state, such as ``"graded"``, and a note about additional points."""
    if submission is None:
        return "not-handed-in", ""
    notes = []
    for number, answer in enumerate(submission.answers.values(), 1):
        given = answer.graded
        values = {"number": number, "points": f"{given.score:g}"}
        if given.by_hand:
            notes.append(TEXTS["note"]["by-hand"].format(**values, reason=given.comment or "-"))
        elif given.half_for:
            notes.append(TEXTS["note"]["half"].format(**values, slip=title_of(given.half_for)))
    state = submission.problem or ("empty" if submission.empty else "graded")
    return state, "; ".join(note.plain[language] for note in notes)
