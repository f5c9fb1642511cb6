"""The page of a graded lab that a student gets back."""

import html
import re
from pathlib import Path

from nbconvert.exporters import HTMLExporter
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output
from traitlets import Bool, Enum
from traitlets.config import Config

from ..labs.tasks import EXERCISES
from ..notebook.display import KERNEL_ONLY, PAGE_STYLE
from ..words.formulas import with_formulas
from ..words.text import LANGUAGES, Text, words
from .sheets import LEGEND
from .submissions import records_in, without_hidden_tests

FOLDER = Path(__file__).parent
SAID = words(Path(__file__).with_suffix(".toml"))
NOT_ATTEMPTED = {"not-attempted", "empty-value"}
HEADING_OF_AN_EXERCISE = re.compile(r"^## (\d+ · .+)$", re.M)


class FeedbackPage(HTMLExporter):
    """What ``nbgrader generate_feedback`` writes: sentences on each exercise, under its name.

    The page loads nothing and runs no script, whatever a student's code has written into it.
    """

    hidden_tests = Bool(False, help="Show the hidden tests and what they found.").tag(config=True)
    language = Enum(
        [*LANGUAGES, "both"], next(iter(LANGUAGES)), help="What is shown at first."
    ).tag(config=True)

    @property
    def default_config(self) -> Config:
        """The settings of this page alone; nbgrader makes other pages of nbconvert with its own."""
        config = super().default_config.copy()
        config.FeedbackPage.template_name = "page"
        config.FeedbackPage.exclude_anchor_links = True
        config.FeedbackPage.extra_template_basedirs = [str(FOLDER)]
        config.NbConvertBase.display_data_priority = ["text/html", "image/png", "text/plain"]
        return config

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict | None = None, **kwargs: object
    ) -> tuple[str, dict]:
        """The page of a notebook that was graded."""
        kept = [cell for cell in nb.cells if KERNEL_ONLY not in cell.metadata.get("tags", ())]
        made = from_dict({**nb, "cells": kept})
        headings = _name_exercises(made)
        for cell in made.cells:
            if cell.cell_type == "code":
                self._say_what_was_found(cell)
        course = {
            "said": SAID,
            "legend": LEGEND,
            "languages": LANGUAGES,
            "language": self.language,
            "css": PAGE_STYLE.read_text("utf-8"),
            "empty": _nothing_filled_in(made),
            "deleted": _deleted_tests(made, headings, _tests_of(resources)),
        }
        page, resources = super().from_notebook_node(
            made, {**(resources or {}), "course": course}, **kwargs
        )
        # A page that was sent to somebody lies beside no lesson.
        page = re.sub(r'<a href="[^"]*\.ipynb">(.*?)</a>', r"\1", page)
        return with_formulas(page), resources

    def _say_what_was_found(self, cell: NotebookNode) -> None:
        """Put sentences in the place of errors, and leave out what students are not to see."""
        all_the_same = _counts_all_the_same(cell)
        cell.outputs = [self._said(output, cell) for output in cell.get("outputs", [])]
        if all_the_same:
            cell.outputs.append(_shown(SAID["counts"].blocks()))
        if not self.hidden_tests:
            cell.source = without_hidden_tests(cell.source)

    def _said(self, output: NotebookNode, cell: NotebookNode) -> NotebookNode:
        """An output as it is; in place of an error, what to know about it."""
        if output.output_type != "error":
            return output
        said = _SENTENCES.get(output.ename) if "exercise" in cell.metadata else None
        if said == "refused":
            said = _why_refused(cell)
        words = SAID[said or "failed"].blocks()
        if output.ename == "AssertionError" and said and self.hidden_tests:
            parts = [html.escape(part) for part in output.evalue.split("\n\n", len(LANGUAGES))]
            words = Text(*parts[: len(LANGUAGES)]).map(_with_breaks).blocks()
            words += "".join(f"<pre>{code}</pre>" for code in parts[len(LANGUAGES) :])
        elif said is None:
            error = strip_ansi(output.traceback[-1]) if output.traceback else output.ename
            words += f"<pre>{html.escape(error)}</pre>"
        return _shown(words)


def _name_exercises(notebook: NotebookNode) -> dict[str, str]:
    """Write its heading into each test; the headings, by the names of the tests.

    The heading of an exercise stands above the cell that students write in.
    """
    heading, headings = None, {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = next(iter(HEADING_OF_AN_EXERCISE.findall(cell.source)), heading)
            continue
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            headings[f"check-{marks.grade_id}"] = heading
        if marks.get("grade"):
            cell.metadata.exercise = heading or _written(marks.grade_id)
            heading = None
    return headings


def _deleted_tests(
    notebook: NotebookNode, headings: dict[str, str], points: dict[str, float]
) -> list[tuple[str, float]]:
    """The heading and the points of each test that is in the gradebook and not in the notebook."""
    there = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells}
    return [
        (headings.get(name) or _written(name), each)
        for name, each in points.items()
        if name not in there
    ]


def _written(grade_id: str) -> str:
    return html.escape(grade_id.removeprefix("check-"))


_SENTENCES = {"AssertionError": "refused", "CellTimeoutError": "stopped"}


def _why_refused(cell: NotebookNode) -> str:
    """What to say of a hidden test: that it asked for more is not true of every one."""
    exercise = EXERCISES.get(cell.metadata.nbgrader.grade_id.removeprefix("check-"))
    if any(record["found"] == "stopped" for record in records_in(cell)):
        return "stopped"
    return "refused" if exercise is None or exercise.parameters else "refused-value"


def _nothing_filled_in(notebook: NotebookNode) -> bool:
    records = [record for cell in notebook.cells for record in records_in(cell)]
    return bool(records) and {record["found"] for record in records} <= NOT_ATTEMPTED


def _tests_of(resources: dict | None) -> dict[str, float]:
    """The points of each test that the gradebook has for a notebook; none without a gradebook."""
    marks = (resources or {}).get("nbgrader", {})
    if "db_url" not in marks:
        return {}
    from nbgrader.api import Gradebook

    with Gradebook(marks["db_url"]) as gradebook:
        notebook = gradebook.find_notebook(marks["notebook"], marks["assignment"])
        return {cell.name: cell.max_score for cell in notebook.grade_cells}


def _counts_all_the_same(cell: NotebookNode) -> bool:
    """Whether something before it was wrong and, with the right one in its place, this is right."""
    said = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
    refused = any(output.output_type == "error" for output in cell.outputs)
    return "exercise" in cell.metadata and 'class="course-feedback"' in said and not refused


def _shown(words: str) -> NotebookNode:
    return new_output("display_data", {"text/html": f'<div class="course-feedback">{words}</div>'})


def _with_breaks(lines: str) -> str:
    return lines.replace("\n", "<br>")
