"""A graded class with a gradebook and notebooks, created without running nbgrader.

The labs compute the outputs of ``check`` and the hidden test without a kernel, which would need
several seconds for each student.
"""

from __future__ import annotations

import copy
import json
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output

from checks.labs import REPOSITORY, WithoutSource, cell, hidden_cases, mistakes, read
from classroom.submissions import Folders
from course_utils.labs.diagnosis import Diagnosis, diagnose
from course_utils.labs.feedback import RECORD, feedback_on
from course_utils.labs.tasks import EXERCISES, LABS


@dataclass(frozen=True, eq=False)
class Given:
    """A submitted answer, with the code in the cell and the object that it defines."""

    code: str
    answer: object = None
    error: str = ""


NOTHING = Given("")  # leaves an exercise as it was handed out


class GradedClass:
    """A course folder in which a lab is graded."""

    def __init__(self, root: Path, lab: str) -> None:
        from nbgrader import api
        from sqlalchemy import text

        names = ("solutions", "labs", "submitted", "autograded", "feedback")
        address = f"sqlite:///{root / 'gradebook.db'}"
        self.folders, self.lab = Folders(*(root / name for name in names), address), lab
        for folder in ("solutions", "labs"):
            shutil.copytree(REPOSITORY / folder / lab, root / folder / lab)
        self.released = read("labs", lab)
        self.points: dict[str, float] = {}
        self.judged: dict[tuple[str, Given], tuple[list[NotebookNode], bool]] = {}
        # nbgrader would start a program to look up its database version, which takes seconds.
        with patch.object(api, "get_alembic_version", return_value="newest"):
            self.book = api.Gradebook(address)
        self.book.db.execute(text("PRAGMA synchronous = OFF"))  # the database is deleted afterwards
        self.book.db().expire_on_commit = False  # no other process writes to it
        self.book.add_assignment(lab)
        self.book.add_notebook(lab, lab)
        for exercise in LABS[lab]:
            id, name = exercise.id, f"check-{exercise.id}"
            self.points[id] = cell(self.released, name).metadata.nbgrader.points
            self.book.add_grade_cell(name, lab, lab, max_score=self.points[id], cell_type="code")
            self.book.add_solution_cell(id, lab, lab)

    def close(self) -> None:
        self.book.db.commit()
        self.book.close()

    def hand_in(self, student: str, answers: dict[str, Given], deleted: str = "") -> None:
        """Grade a student; exercises without an answer remain unchanged."""
        notebook = copy.deepcopy(self.released)
        self.book.add_student(student)
        (graded,) = self.book.add_submission(self.lab, student).notebooks
        grades = {grade.name: grade for grade in graded.grades}
        for id, points in self.points.items():
            given, test = answers.get(id, NOTHING), cell(notebook, f"check-{id}")
            cell(notebook, id).source = given.code or cell(notebook, id).source
            if (id, given) not in self.judged:
                self.judged[id, given] = judged(id, given)
            test.outputs, right = self.judged[id, given]
            if test.id != deleted:
                grades[test.id].auto_score = points * right
        notebook.cells = [each for each in notebook.cells if each.id != deleted]
        for folder in (self.folders.submitted, self.folders.autograded):
            self.write(folder, student, json.dumps(notebook))

    def write(self, folder: Path, student: str, text: str) -> None:
        """Write a file with the same name as the lab's notebook."""
        place = folder / student / self.lab / f"{self.lab}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(text, encoding="utf-8")


def judged(exercise_id: str, given: Given) -> tuple[list[NotebookNode], bool]:
    """Return the records of a check cell, and True if the answer receives its points."""
    if given.error:
        return [error(given.error)], False
    exercise = EXERCISES[exercise_id]
    outputs = [record(exercise_id, diagnose(exercise, given.answer))]
    hidden = diagnose(exercise, given.answer, hidden_cases(exercise_id))
    if not hidden.solved:
        outputs += record(exercise_id, hidden, judged="grading"), error("AssertionError")
    return outputs, hidden.solved


def error(name: str, value: str = "") -> NotebookNode:
    details = {"evalue": value, "traceback": ["Traceback", f"{name}: {value}"]}
    return new_output("error", ename=name, **details)


def record(exercise_id: str, diagnosis: Diagnosis, **changes: str) -> NotebookNode:
    """Return the record in the output of a check."""
    found = feedback_on(EXERCISES[exercise_id], diagnosis).record | changes
    return new_output("display_data", {RECORD: found, "text/plain": ""})


# A class of one hundred students with known findings ----------------------------------------------

LAB = "03_sinusoidal"
IDS = [exercise.id for exercise in LABS[LAB]]
ROW, ROWS, CLOCK, STRANGE = IDS
RIGHT = {id: Given(f"# right\nright = {id!r}", EXERCISES[id].right_answer()) for id in IDS}
HAS = (
    (ROWS, "base-ignored", range(5)),
    (ROWS, "positions-counted", range(5, 8)),
    (ROWS, "positions-cut", range(8, 12)),
    (ROWS, "sine-cosine-swapped", range(12, 24)),
    (ROWS, "exponent-doubled", range(24, 26)),
    (ROWS, "exponent-halved", range(26, 28)),
    (ROWS, "degrees", range(28, 36)),
    (ROWS, "pattern.repair-extra", range(36, 40)),
    (ROW, "degrees", range(30, 55)),
    (CLOCK, "fastest-hand-read", range(60, 65)),
    (CLOCK, "angle-negative", range(65, 70)),
)
"""Findings, with the students in whose answers they occur."""


@cache
def wrong(id: str, found: str) -> Given:
    """Return the first realistic mistake with this finding, and its code."""
    known = mistakes(id)
    number = [each for each, _ in known].index(found)
    code = f'def answer():\n    """Of Ana."""\n    return {number}  # Ana Pérez'
    return Given(code, known[number][1])


def unheard_of(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """Return an answer with an error that no misconception or pattern describes."""
    table = np.array(EXERCISES[ROWS].reference(positions, d_model, base))
    return table + 0.3 * np.sin(1 + np.arange(table.size) ** 2).reshape(table.shape)


UNHEARD_OF = Given(
    "def answer():  # by Ana Pérez\n    return 'unheard of'", WithoutSource(unheard_of)
)


def a_hundred(place: Path) -> GradedClass:
    """Create a class with 97 graded students and three unusual cases."""
    made = GradedClass(place, LAB)
    for number in range(96):
        answers = dict(RIGHT) if number < 90 else {}
        for id, found, who in HAS:
            if number in who:
                answers[id] = wrong(id, found)
        if 50 <= number < 60:
            del answers[CLOCK]
        if 70 <= number < 73:
            answers[ROWS] = UNHEARD_OF
        made.hand_in(f"student{number:02}", answers)
    made.hand_in("deleter", RIGHT, deleted=f"check-{ROWS}")
    made.hand_in("looper", RIGHT | {CLOCK: Given("while True: pass", error="CellTimeoutError")})
    solution = read("solutions", LAB)
    copied = {id: Given(cell(solution, id).source, EXERCISES[id].right_answer()) for id in IDS}
    made.hand_in("copier", copied)
    (place / "notebooks").symlink_to(REPOSITORY / "notebooks")
    made.write(made.folders.submitted, "breaker", '{"cells": [{')
    made.close()
    return made
