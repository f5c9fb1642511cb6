"""Tests of the content and the languages of students' feedback pages."""

import html
import re

import pytest
from checks.class_of import error
from checks.labs import needs_nbgrader
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.labs import grade
from course_utils.labs.feedback import RECORD
from course_utils.words.text import LANGUAGES

pytestmark = needs_nbgrader
HIDDEN = """feedback = check("bits-needed", bits_needed)
display(feedback)
### BEGIN HIDDEN TESTS
grade("bits-needed", bits_needed, [(730,)])
### END HIDDEN TESTS"""


def refused() -> str:
    """Return grading's error message for an answer that is wrong only for 730 positions."""
    with pytest.raises(AssertionError) as error:
        grade("bits-needed", lambda n: 1 if n == 730 else (n - 1).bit_length(), [(730,)])
    return str(error.value)


def graded(*outputs: NotebookNode, score: float = 0, name: str = "check-a") -> NotebookNode:
    """Return a graded lab with one exercise."""
    about_the_kernel = {"tags": ["kernel-only"]}
    marks = {"grade": True, "solution": False, "grade_id": name, "points": 2, "score": score}
    task = (
        '## 2 · <span lang="en">Waves</span><span class="course-both"> · </span>'
        '<span lang="es">Ondas</span>\n\n<div lang="en">\n\nWhat is $\\omega_k < 1$, in '
        "[lesson 04](../../notebooks/04.ipynb)?\n\n$$\\tfrac{1}{2}$$\n\n</div>"
    )
    return new_notebook(
        cells=[
            new_markdown_cell("# <span lang='en'>Lab</span> and `a $x$ b`"),
            new_code_cell("language_switch()", metadata=about_the_kernel),
            new_markdown_cell(task),
            new_code_cell("import os"),
            new_code_cell(HIDDEN, metadata={"nbgrader": marks}, outputs=list(outputs)),
            new_code_cell('hint("bits-needed")', metadata=about_the_kernel),
        ]
    )


def page(notebook: NotebookNode, **settings: object) -> str:
    from classroom.pages import FeedbackPage

    marks = {"student": "ana <b>", "notebook": "03", "score": 0, "max_score": 2, "late_penalty": 0}
    resources = {"nbgrader": marks, "inlining": {"css": []}}
    full_page = FeedbackPage(**settings).from_notebook_node(notebook, resources)[0]
    return re.sub("<style.*?</style>", "", full_page, flags=re.S)


def text(page: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", page))


def recorded(found: str, judged: str = "check") -> NotebookNode:
    """Return the record in the output of a check or a hidden test."""
    record = {"found": found, "judged": judged, "misconceptions": [], "pattern": ""}
    return new_output("display_data", {RECORD: record, "text/plain": ""})


def in_language(shown: str, language: str) -> str:
    """Return the part of a page that is visible in one language."""
    others = "|".join(set(LANGUAGES) - {language})
    return re.sub(rf'<(div|span)[^>]* lang="(?:{others})".*?</\1>', "", shown, flags=re.S)


def test_feedback_page_has_points_no_script_no_network():
    shown = page(graded(score=1.5))
    row = '<tr><td><a href="#check-a">2 · <span lang="en">Waves</span>'
    assert row in shown and shown.count("1.5 / 2") == 2
    assert "ana &lt;b&gt;" in shown and "language_switch" not in shown and "hint(" not in shown
    assert len(re.findall(r"<math\b", shown)) == 2 and "\\omega" not in shown
    assert "<code>a $x$ b</code>" in shown
    assert "default-src 'none'" in shown and "<script" not in shown
    assert re.findall(r"""(?:href|src)=["'](?!#|data:)[^"']*""", shown) == []


def test_hidden_tests_are_shown_only_on_request():
    notebook = graded(recorded("differs", "grading"), error("AssertionError", refused()))
    kept, shown = text(page(notebook)), text(page(notebook, hidden_tests=True))
    assert "730" in refused()
    for secret in ("HIDDEN", "730", "AssertionError", "Traceback", "judged", "application/"):
        assert secret not in kept
    assert "Grading also tests" in kept and "La calificación también" in kept
    assert "[(730,)]" in shown and "bits_needed(730)" in shown


def test_feedback_page_has_one_language():
    shown = page(graded(error("AssertionError", refused())), hidden_tests=True)
    below = shown.split("</h1>", 1)[1]
    english, spanish = (text(in_language(below, each)) for each in ("en", "es"))
    assert "should" in english and "Waves" in english
    assert not re.search("Al calificar|debería|Ejercicio|Ondas", english)
    assert not re.search("graded|should|Exercise|Waves", spanish)


def test_stopped_cell_is_reported_once():
    notebook = graded()
    notebook.cells[3].outputs = [error("KeyboardInterrupt"), error("CellTimeoutError", "No reply")]
    shown = text(in_language(page(notebook), "en"))
    assert shown.count("ran for too long") == 1
    assert "KeyboardInterrupt" not in shown and "No reply" not in shown


def test_manual_cell_does_not_repeat_error():
    notebook = graded(error("SyntaxError", "invalid syntax"))
    for name, times in (("rows_feedback", 1), ("rows", 2)):
        notebook.cells[3].outputs = [error("NameError", f"name '{name}' is not defined")]
        shown = text(in_language(page(notebook), "en"))
        assert shown.count("stopped with an error") == times


def test_missing_name_differs_from_other_errors():
    shown = page(graded(error("NameError", "name 'bits_needed' is not defined")))
    assert "nothing was named bits_needed" in text(shown) and "NameError" not in shown
    shown = html.unescape(page(graded(error("NameError", "name 'np' is not defined"))))
    assert "nothing was named" not in text(shown)
    assert "<pre>NameError: name 'np' is not defined" in shown and "Traceback" not in shown


def test_missing_module_costs_no_points():
    notebook = graded()
    notebook.cells[3].outputs = [error("ModuleNotFoundError", "No module named 'sympy_plus'")]
    assert "was run without it" in page(notebook) and "No module named" in page(notebook)
    assert "was run without it" not in page(graded(error("ImportError")))


def test_points_after_wrong_answer_are_explained():
    found = new_output("display_data", {"text/html": '<div class="course-feedback">No.</div>'})
    assert "correct answers in place of" in page(graded(found))
    assert "correct answers in place of" not in page(graded(found, error("AssertionError")))
    found.data["text/html"] = found.data["text/html"].replace("back", "back course-solved")
    assert "correct answers in place of" not in page(graded(found))


@pytest.mark.parametrize("language", ["es", "both"])
def test_feedback_opens_in_chosen_language(language):
    opened = re.findall(r"<input[^>]*checked[^>]*>", page(graded(), language=language))
    assert len(opened) == 1 and (f'id="only-{language}"' in opened[0]) == (language != "both")


@pytest.mark.parametrize(
    ("name", "found", "expected", "unexpected"),
    [
        ("check-bits-needed", "value-differs", "with other inputs", "this value was"),
        ("check-row-by-hand", "entry-differs", "this value was wrong", "other inputs"),
        ("check-bits-needed", "stopped", "ran for too long", "other inputs"),
        ("check-bits-needed", "not-attempted", "no other cell contains an answer", "was wrong"),
    ],
)
def test_rejection_describes_only_its_exercise(name, found, expected, unexpected):
    outputs = [recorded(found), recorded(found, "grading"), error("AssertionError", "no")]
    shown = text(page(graded(*outputs, name=name)))
    assert expected in shown and unexpected not in shown


def test_empty_lab_differs_from_wrong_one():
    empty = graded(recorded("not-attempted"))
    assert "Nothing was filled in" in page(empty)
    empty.cells += graded(error("NameError"), name="check-b").cells
    for notebook in (graded(recorded("value-differs")), graded(error("NameError")), empty):
        assert "Nothing was filled in" not in page(notebook)


def test_restored_tests_are_mentioned_without_penalty():
    """The other notes are tested in tests/classroom/test_grading.py."""
    notebook, expected = graded(), "in a different cell from the one below its task"
    notebook.cells[4].metadata["put_back"] = "moved"
    assert expected in text(page(notebook)) and expected not in text(page(graded()))


def test_exercise_is_named_after_its_task():
    notebook = graded(score=2)
    stays = new_code_cell('feedback = check("a", answer)')
    notebook.cells[4].source = 'feedback = check("a", answer)'
    other = new_markdown_cell("## 3 · Other")
    notebook.cells[4:5] = [stays, other, new_code_cell("a = 1"), notebook.cells[4]]
    shown = page(notebook)
    assert '<a href="#check-a">2 · <span lang="en">Waves</span>' in shown
    assert shown.count("<tr><td>") == 1


def test_exercise_without_heading_uses_its_test_name():
    notebook = graded(name="check-row-2")
    del notebook.cells[2]
    assert '<a href="#check-row-2">row-2</a>' in page(notebook)


def test_manual_or_half_points_have_reason(monkeypatch):
    from classroom import pages
    from classroom.submissions import HALF, Points

    def shown(points: Points) -> str:
        monkeypatch.setattr(pages, "_points_of", lambda resources: {"a": points})
        notebook = graded()
        marks = {"solution": True, "grade_id": "a", "comment": points.comment}
        notebook.cells[3].metadata["nbgrader"] = marks
        return page(notebook)

    by_hand = shown(Points(1, True, "A <sign> only."))
    assert (
        "set these points by hand. A &lt;sign&gt; only." in by_hand
        and "estos puntos a mano" in by_hand
    )
    half = shown(Points(1, False, HALF + "sine-cosine-swapped"))
    assert "half of the points" in half and "El seno y el coseno" in half and HALF not in half
    untouched = shown(Points(0, False, "No response."))
    assert "No response" not in untouched and "Comment" not in untouched
