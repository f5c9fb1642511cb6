"""A class that was graded, as nbgrader leaves it: gradebook and notebooks, without running it.

What ``check`` and the hidden test say of an answer is asked of the labs themselves, as the cells of
a notebook would; only the kernel, which takes seconds for each student, is left out.
"""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_output

from checks.labs import REPOSITORY, cell, hidden_cases, read
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.feedback import RECORD, feedback_on
from course_utils.labs.tasks import EXERCISES, LABS
from course_utils.teaching.submissions import Folders


@dataclass(frozen=True)
class Given:
    """What somebody hands in for an exercise: code for the cell, and what it makes."""

    code: str
    answer: object = None
    error: str = ""


def folders(root: Path) -> Folders:
    return Folders(
        solutions=root / "solutions",
        labs=root / "labs",
        submitted=root / "submitted",
        autograded=root / "autograded",
        feedback=root / "feedback",
        gradebook=f"sqlite:///{root / 'gradebook.db'}",
    )


class GradedClass:
    """A folder of a course in which labs are graded."""

    def __init__(self, root: Path, lab: str) -> None:
        from nbgrader.api import Gradebook

        self.folders, self.lab = folders(root), lab
        for folder in ("solutions", "labs"):
            shutil.copytree(REPOSITORY / folder / lab, root / folder / lab)
        self.released = read("labs", lab)
        self.points = {
            exercise.id: cell(self.released, f"check-{exercise.id}").metadata.nbgrader.points
            for exercise in LABS[lab]
        }
        self.judged: dict[tuple[str, int], tuple[list[NotebookNode], bool]] = {}
        (root / "gradebook.db").write_bytes(empty_gradebook())
        self.book = Gradebook(self.folders.gradebook)
        self.book.add_assignment(lab)
        self.book.add_notebook(lab, lab)
        for id, points in self.points.items():
            name = f"check-{id}"
            self.book.add_grade_cell(name, lab, lab, max_score=points, cell_type="code")

    def close(self) -> None:
        self.book.db.commit()
        self.book.close()

    def hand_in(
        self, student: str, answers: dict[str, Given], deleted: tuple[str, ...] = ()
    ) -> None:
        """Grade somebody; exercises without an answer stay as they were handed out."""
        notebook = copy.deepcopy(self.released)
        scores = {}
        for id in self.points:
            given = answers.get(id)
            if given is not None:
                cell(notebook, id).source = given.code
            outputs, right = self._outputs(id, given)
            cell(notebook, f"check-{id}").outputs = outputs
            scores[f"check-{id}"] = self.points[id] * right
        notebook.cells = [each for each in notebook.cells if each.id not in deleted]
        for folder in (self.folders.submitted, self.folders.autograded):
            place = folder / student / self.lab
            place.mkdir(parents=True)
            (place / f"{self.lab}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        self.book.add_student(student)
        self.book.add_submission(self.lab, student)
        for name, score in scores.items():
            if name not in deleted:
                self.book.find_grade(name, self.lab, self.lab, student).auto_score = score

    def _outputs(self, id: str, given: Given | None) -> tuple[list[NotebookNode], bool]:
        if given is not None and given.error:
            return [new_output("error", ename=given.error, evalue="", traceback=[])], False
        answer = None if given is None else given.answer
        if (id, builtin_id(answer)) not in self.judged:
            self.judged[id, builtin_id(answer)] = judged(id, answer)
        return self.judged[id, builtin_id(answer)]


builtin_id = id


@cache
def empty_gradebook() -> bytes:
    """A new gradebook; nbgrader starts a program to make one, so it is made once."""
    from nbgrader.api import Gradebook

    with tempfile.TemporaryDirectory() as folder:
        Gradebook(f"sqlite:///{folder}/gradebook.db").close()
        return Path(folder, "gradebook.db").read_bytes()


def judged(exercise_id: str, answer: object) -> tuple[list[NotebookNode], bool]:
    """The outputs of a check cell, without its picture, and whether the answer earns its points."""
    exercise = EXERCISES[exercise_id]
    said = feedback_on(exercise, diagnose(exercise, answer))
    outputs = [new_output("display_data", {RECORD: said.record, "text/html": said.shown().html})]
    hidden = diagnose(exercise, answer, hidden_cases(exercise_id))
    if not hidden.solved:
        record = feedback_on(exercise, hidden).record | {"judged": "grading"}
        outputs.append(new_output("display_data", {RECORD: record, "text/plain": ""}))
        error = {"ename": "AssertionError", "evalue": "not right", "traceback": []}
        outputs.append(new_output("error", **error))
    return outputs, hidden.solved
