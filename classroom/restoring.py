"""Restoration of changed or deleted tests before grading, with warnings for the teacher.

nbgrader compares each cell with the solution, whose tests contain a hidden part that was not handed
out. It therefore warns about every honest notebook, and does not warn if a student submitted the
solution.
"""

from __future__ import annotations

from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import OverwriteCells

from course_utils.words.text import words

from .cleaning import cleaned
from .putting_back import COPY, by_grade_id, lines, put_back
from .submissions import HIDDEN_TEST, is_copied, read_notebook, solutions_in, without_hidden_tests

SAID = words(Path(__file__).with_suffix(".toml"))


class RestoreTests(OverwriteCells):
    """Preprocessor that restores tests and warns if they were changed."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Restore the tests in a notebook."""
        self.student = resources["nbgrader"]["student"]
        lab = resources["nbgrader"]["assignment"]
        released = self._notebook_of(lab, "release_directory")
        if released is not None:
            nb = cleaned(nb, released)
            for exercise, note in put_back(nb, released).items():
                self._warn(note, cell=exercise)
            nb = from_dict(nb)
        cells, solution = by_grade_id(nb), self._notebook_of(lab, "source_directory")
        right = solutions_in(solution).items() if solution else ()
        copied = [
            name for name, code in right if name in cells and is_copied(cells[name].source, code)
        ]
        hidden = [name for name, cell in cells.items() if HIDDEN_TEST in cell.source]
        for key, names in {"copied": copied, "solution": hidden}.items():
            if names:
                self._warn(key, cell=", ".join(names))
        nb, resources = super().preprocess(nb, resources)
        tests = by_grade_id(nb)  # now including the hidden parts
        for cell in nb.cells:
            if COPY in cell.metadata:
                cell.source = tests[f"check-{cell.metadata[COPY]['exercise']}"].source
        return nb, resources

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Restore one cell."""
        self.handed_in = cell.source
        return super().preprocess_cell(cell, resources, cell_index)

    def report_change(self, name: str, attr: str, old: object, new: object) -> None:
        """Warn about changes other than the missing hidden test."""
        if attr == "checksum":
            cell = self.gradebook.find_source_cell(name, self.notebook_id, self.assignment_id)
            if lines(self.handed_in) == lines(without_hidden_tests(cell.source)):
                return
        self._warn("changed", cell=name)

    def _notebook_of(self, lab: str, directory: str) -> dict | None:
        """Return the notebook of a lab from one of the course's directories."""
        course = getattr(getattr(self.parent, "parent", None), "coursedir", None)
        if course is None:
            return None
        folder = Path(course.format_path(getattr(course, directory), ".", lab))
        return read_notebook(folder / f"{lab}.ipynb")

    def _warn(self, key: str, **values: object) -> None:
        self.log.warning(SAID[key].format(student=self.student, **values).one_line)
