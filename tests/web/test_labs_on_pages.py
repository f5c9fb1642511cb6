"""Tests of labs on web pages."""

import ast
import re

import nbformat
import pytest
from checks import web
from private_jupyter import REPOSITORY
from test_web_pages import PHONE

from course_utils.labs.messages import TEXTS
from course_utils.words.text import LANGUAGES
from web import build, lab, lesson

pytest_plugins = ["checks.browser", "checks.visits"]
LABS = {lesson.page_name(each): each for each in build.LABS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LABS)
def test_lab_page_shows_code_that_needs_no_answer(site, name, language):
    page = web.read(site / language / name)
    code = [each.get_text() for each in page.select("pre.code")]
    assert len(code) >= 4
    assert not re.search(r"_feedback|wrong_output|\b(check|hint)\(", "".join(code))
    defined = set()
    for source in code:
        bound, _ = lab._names(source)
        defined |= bound if "# Your code here" in source else set()
    others = [source for source in code if "# Your code here" not in source]
    assert not any(lab._names(source)[1] & defined for source in others)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LABS)
def test_lab_page_has_hints_below_each_exercise(site, name, language):
    page = web.read(site / language / name)
    cells = nbformat.read(LABS[name], as_version=4).cells
    exercises = [c.id.removeprefix("hint-") for c in cells if c.id.startswith("hint-")]
    assert len(exercises) >= 4
    for exercise in exercises:
        hints = page.find(id=f"hint-{exercise}").select("details.hint > div")
        expected = [hint.plain[language] for hint in TEXTS["exercise"][exercise]["hints"]]
        assert [hint.get_text() for hint in hints] == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LABS)
def test_lab_page_leads_to_places_that_run_it(site, name, language):
    notebook = LABS[name].relative_to(REPOSITORY).as_posix()
    note = web.read(site / language / name).select_one("#title .note")
    assert f"jupyter lab --notebook-dir=. {notebook}" in note.get_text()
    assert note.find("a", href=f"files/{notebook}")
    last = note.find_all("p")[-1].get_text()
    assert last.startswith(build.TEXTS["lab-notebook"][language]) and len(last) > 150


def test_lab_page_links_to_jupyterlite_if_it_is_built(monkeypatch):
    monkeypatch.setattr(build, "SHOWN", ["es"])
    notebook = build.LABS[2]
    title = lesson.Cell("title", lesson.parsed("<h1>Any</h1><p>One</p><p>Two</p>"))
    page = lesson.Page("any.html", "Any", [title])
    build.Edition(REPOSITORY, "", lite=True).say_where(notebook, page)
    (link, _) = title.tree.select(".note a")
    assert link["href"].endswith("?path=es/labs/03_sinusoidal/03_sinusoidal.ipynb")


CELLS = {
    "task": ("def mine(x):\n    pass", {"nbgrader": {"solution": True}}),
    "check-task": ("found = check('task', mine)", {"nbgrader": {"grade": True}}),
    "hint-task": ("hint('task')", {}),
    "use": ("if found.solved:\n    print(mine(3))", {}),
    "given": ("print(wrong_output('task'))", {}),
    "own": ("mine_too = 3\nprint(mine_too)", {}),
}


def test_cells_that_need_answer_are_left_out():
    cells = [
        nbformat.v4.new_code_cell(source, id=id, metadata=metadata)
        for id, (source, metadata) in CELLS.items()
    ]
    texts = [nbformat.v4.new_markdown_cell("any", id=id) for id in ("use-text", "any-answer")]
    cells[3:4] = [texts[0], cells[3], texts[1]]
    kept = lab.for_reading(cells)
    assert [cell.id for cell in kept] == ["task", "hint-task", "given", "own"]
    assert [cell.id for cell in kept if cell.metadata.get("jupyter")] == ["given"]


def test_hints_unfold_in_order(visit):
    page = visit("es/lab_03_sinusoidal.html", **PHONE).page
    hints = page.locator("#hint-row-by-hand .hint")
    assert [hint.is_visible() for hint in hints.all()] == [True, False, False]
    hints.nth(0).locator("summary").click()
    hints.nth(1).locator("summary").click()
    hints.nth(0).locator("summary").click()
    assert [hint.is_visible() for hint in hints.all()] == [True, True, True]
    assert "64" in hints.nth(1).inner_text()


# Names that are split across lines in displayed code.
BROKEN_NAMES = r"""() => [...document.querySelectorAll("main code")].flatMap((code) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: name, index } of node.data.matchAll(/\w+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + name.length);
            const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
            if (new Set(tops).size > 1) found.push(name);
        }
    }
    return found;
})"""


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", ["lab_03_sinusoidal", "lab_07_longer_than_trained"])
def test_code_on_phone_breaks_between_names(visit, name, width):
    page = visit(f"en/{name}.html", viewport={"width": width, "height": 844}).page
    assert page.evaluate(BROKEN_NAMES) == []


def test_line_of_code_gets_breaks_outside_its_strings():
    line = "print(<span class=s1>'a(b.c'</span>.join(words[first(number).real]), length_of_it)"
    shown = lesson._breakable(line)
    assert shown.replace("<wbr>", "") == line
    assert (
        "(<wbr><span class=s1>'a(b.c'</span>.join(<wbr>words[<wbr>first(<wbr>number)<wbr>.real"
        in (shown)
    )
    assert lesson._breakable("print(words.real)") == "print(words.real)"
    assert ast.parse(re.sub("<[^>]*>", "", shown))
