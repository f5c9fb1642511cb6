"""Restoration of changed or deleted tests before grading.

nbgrader compares each cell with the solution, whose tests contain a hidden part that was not handed
out. It would therefore warn about every honest notebook. The class overview lists changed tests.
"""

from __future__ import annotations

from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode, from_dict
from nbgrader.preprocessors import OverwriteCells

from .cleaning import cleaned
from .putting_back import COPY, by_grade_id, put_back
from .submissions import read_notebook


class RestoreTests(OverwriteCells):
    """Preprocessor that restores the cells and tests of a lab."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Restore the tests in a notebook."""
        released = self._released(resources["nbgrader"]["assignment"])
        if released is not None:
            nb = cleaned(nb, released)
            put_back(nb, released)
            nb = from_dict(nb)
        nb, resources = super().preprocess(nb, resources)
        tests = by_grade_id(nb)  # now including the hidden parts
        for cell in nb.cells:
            if COPY in cell.metadata:
                cell.source = tests[f"check-{cell.metadata[COPY]['exercise']}"].source
        return nb, resources

    def report_change(self, name: str, attr: str, old: object, new: object) -> None:
        """Do nothing, because every honest notebook lacks the hidden tests."""

    def _released(self, lab: str) -> dict | None:
        """Return the lab that was handed out, or None if it is not in the course folder."""
        course = getattr(getattr(self.parent, "parent", None), "coursedir", None)
        if course is None:
            return None
        folder = Path(course.format_path(course.release_directory, ".", lab))
        return read_notebook(folder / f"{lab}.ipynb")
