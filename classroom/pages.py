"""Exporter for students' feedback pages."""

import html
import re
from pathlib import Path

from nbconvert.exporters import HTMLExporter
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output
from pygments.formatters import HtmlFormatter
from traitlets import Bool, Enum
from traitlets.config import Config

from course_utils.labs.diagnosis import STOPPED
from course_utils.labs.tasks import EXERCISES
from course_utils.notebook.display import JUPYTER_STYLE, KERNEL_ONLY
from course_utils.words.formulas import with_formulas
from course_utils.words.text import LANGUAGES, Text, words

from .executing import MISSING
from .findings import title_of
from .putting_back import CALL, NOTE
from .sheets import LEGEND
from .submissions import (
    NONE,
    Points,
    graded_as,
    missing_answer,
    points_in,
    records_in,
    without_hidden_tests,
)

FOLDER = Path(__file__).parent
TEXTS = words(Path(__file__).with_suffix(".toml"))
NOT_ATTEMPTED = {"not-attempted", "empty-value"}
NO_RESPONSE = "No response."
"""Text that nbgrader writes next to a cell without an answer."""
STOPPED_BY_NBGRADER = "CellTimeoutError"
DARK_CODE = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
HEADING_OF_AN_EXERCISE = re.compile(r"^## (\d+ · .+)$", re.M)


class FeedbackPage(HTMLExporter):
    """Exporter for ``nbgrader generate_feedback`` that writes sentences about each exercise.

    The page does not load resources or run scripts, even if a student's code has added them.
    """

    hidden_tests = Bool(False, help="Show the hidden tests and what they found.").tag(config=True)
    language = Enum(
        [*LANGUAGES, "both"], next(iter(LANGUAGES)), help="The language shown first."
    ).tag(config=True)

    @property
    def default_config(self) -> Config:
        """Settings of this page, separate from nbgrader's settings for other nbconvert pages."""
        config = super().default_config.copy()
        config.FeedbackPage.template_name = "page"
        config.FeedbackPage.exclude_anchor_links = True
        config.FeedbackPage.extra_template_basedirs = [str(FOLDER)]
        config.NbConvertBase.display_data_priority = ["text/html", "image/png", "text/plain"]
        return config

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict | None = None, **kwargs: object
    ) -> tuple[str, dict]:
        """Return the feedback page for a graded notebook."""
        visible_cells = [
            cell for cell in nb.cells if KERNEL_ONLY not in cell.metadata.get("tags", ())
        ]
        page_notebook = from_dict({**nb, "cells": visible_cells})
        _name_exercises(page_notebook)
        points = _points_of(resources)
        for cell in page_notebook.cells:
            if cell.cell_type == "code":
                self._say_what_was_found(cell, points)
        course = {
            "texts": TEXTS,
            "legend": LEGEND,
            "languages": LANGUAGES,
            "language": self.language,
            "css": JUPYTER_STYLE,
            "dark_code": DARK_CODE,
            "empty": _nothing_filled_in(page_notebook),
            "lost": any(cell.metadata.get(NOTE) == "lost" for cell in page_notebook.cells),
            "graded": graded_as(points),
        }
        page, resources = super().from_notebook_node(
            page_notebook, {**(resources or {}), "course": course}, **kwargs
        )
        # Relative links to lessons do not work on a page that was sent to a student.
        page = re.sub(r'<a href="[^"]*\.ipynb">(.*?)</a>', r"\1", page)
        return with_formulas(page), resources

    def _say_what_was_found(self, cell: NotebookNode, points: dict[str, Points]) -> None:
        """Replace errors with sentences, and remove outputs that students should not see."""
        all_the_same = _counts_all_the_same(cell)
        cell.outputs = [self._said(output, cell) for output in _told(cell)]
        exercise = cell.metadata.get("nbgrader", {}).get("grade_id", "").removeprefix("check-")
        given = points.get(exercise, NONE)
        if "exercise" in cell.metadata:
            note = cell.metadata.get(NOTE)
            if note in ("deleted", "moved"):
                cell.outputs.insert(0, _shown(TEXTS[note]))
            if all_the_same:
                cell.outputs.append(_shown(TEXTS["counts"]))
            if given.by_hand:
                cell.outputs.append(_shown(TEXTS["by-hand"].format(reason=given.comment)))
            elif given.half_for:
                cell.outputs.append(_shown(TEXTS["half"].format(slip=title_of(given.half_for))))
        else:  # nbgrader adds comments below. Its own comments are in English.
            own = not given.half_for and given.comment != NO_RESPONSE
            cell.metadata.comment_below = given.by_hand or not own
        if not self.hidden_tests:
            cell.source = without_hidden_tests(cell.source)

    def _said(self, output: NotebookNode, cell: NotebookNode) -> NotebookNode:
        """Replace an error output with an explanation."""
        if output.output_type != "error":
            return output
        name = missing_answer(cell.source, output) if "exercise" in cell.metadata else ""
        if name:
            return _shown(TEXTS["nameless"].format(name=name))
        if output.ename == STOPPED_BY_NBGRADER:
            return _shown(TEXTS["stopped"])
        if output.ename == "AssertionError" and "exercise" in cell.metadata:
            return self._refused(output, cell)
        error = strip_ansi(output.traceback[-1]) if output.traceback else output.ename
        is_import = output.ename in MISSING and "exercise" not in cell.metadata
        text = TEXTS["missing" if is_import else "failed"]
        return _shown(text, f"<pre>{html.escape(error)}</pre>")

    def _refused(self, output: NotebookNode, cell: NotebookNode) -> NotebookNode:
        """Return the output of a hidden test, or only the reason for rejecting the answer."""
        if not self.hidden_tests:
            return _shown(TEXTS[_why_refused(cell)])
        parts = [html.escape(part) for part in output.evalue.split("\n\n", len(LANGUAGES))]
        sentences = Text(*(part.replace("\n", "<br>") for part in parts[: len(LANGUAGES)]))
        return _shown(sentences, "".join(f"<pre>{code}</pre>" for code in parts[len(LANGUAGES) :]))


def _name_exercises(notebook: NotebookNode) -> None:
    """Insert the heading of each exercise into its test.

    The heading precedes the answer cell or the first cell that checks the answer. A test may have
    been moved to an answer further down.
    """
    heading, headings = None, {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = next(iter(HEADING_OF_AN_EXERCISE.findall(cell.source)), heading)
            continue
        marks, called = cell.metadata.get("nbgrader", {}), CALL.search(cell.source)
        if marks.get("solution"):
            headings.setdefault(marks.grade_id, heading)
        elif called:
            headings.setdefault(called[1], heading)
        if marks.get("grade"):
            name = marks.grade_id.removeprefix("check-")
            cell.metadata.exercise = headings.get(name, heading) or html.escape(name)
            heading = None


def _told(cell: NotebookNode) -> list[NotebookNode]:
    """Return a cell's outputs without errors that repeat other messages.

    If a cell is stopped, both nbgrader and the interrupted code report an error. A measuring cell
    depends on the result of a test, and the test has already reported that it could not run.
    """
    outputs = cell.get("outputs", [])
    stopped = any(output.get("ename") == STOPPED_BY_NBGRADER for output in outputs)
    repeated = ["KeyboardInterrupt"] * stopped
    return [
        output
        for output in outputs
        if output.get("ename") not in repeated
        and not output.get("evalue", "").endswith("feedback' is not defined")
    ]


def _why_refused(cell: NotebookNode) -> str:
    """Return the text about a hidden test."""
    exercise = EXERCISES.get(cell.metadata.nbgrader.grade_id.removeprefix("check-"))
    found = {record["found"] for record in records_in(cell) if record["judged"] == "grading"}
    if found.intersection(STOPPED):
        return "stopped"
    if found & NOT_ATTEMPTED:
        return "untried"
    return "refused" if exercise is None or exercise.parameters else "refused-value"


def _nothing_filled_in(notebook: NotebookNode) -> bool:
    tests = [cell for cell in notebook.cells if "exercise" in cell.metadata]
    found = [{record["found"] for record in records_in(test)} for test in tests]
    return bool(found) and all(each and each <= NOT_ATTEMPTED for each in found)


def _points_of(resources: dict | None) -> dict[str, Points]:
    """Return a student's points, or an empty dictionary if there is no gradebook."""
    marks = (resources or {}).get("nbgrader", {})
    if "db_url" not in marks:
        return {}
    student = marks["student"]
    return points_in(marks["assignment"], marks["db_url"], student).get(student, {})


def _counts_all_the_same(cell: NotebookNode) -> bool:
    """Return True if an answer is correct once a reference solution replaces an earlier answer."""
    html_output = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
    refused = any(output.output_type == "error" for output in cell.outputs)
    return "exercise" in cell.metadata and 'class="course-feedback"' in html_output and not refused


def _shown(text: Text, below: str = "") -> NotebookNode:
    words = f'<div class="course-feedback">{text.blocks()}{below}</div>'
    return new_output("display_data", {"text/html": words})
