"""What answers a question waits for the guess: every question of the course, by hand."""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from checks.bare_page import showing

from course_utils import explorers, question, show
from course_utils.lessons.quiz import questions
from course_utils.notebook.display import WAITS, WAITS_FOR
from course_utils.pictures.static import dot_product_curve

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]

REPOSITORY = Path(__file__).resolve().parents[2]

NOTHING_BESIDE = {
    "which-clock",
    "which-head-learns",
    "add-positions",
    "why-not-read-rows",
    "even-and-odd",
    "place-only",
    "more-dimensions",
    "normalized-fault",
    "flips-127-128",
    "bits-needed",
    "binary-faults",
    "smooth-waves",
    "one-sine",
    "doubled-exponent",
    "shift-back",
    "equal-steps",
    "longest-wave",
    "digits-of-an-angle",
    "one-beat-for-all",
    "mended-too-late",
    "batch-shape",
    "found-up-to-512",
    "who-looks-back",
    "which-head-goes-on",
    "rescaled-table",
    "half-at-double",
    "beside-or-added",
    "buffer-or-parameter",
    "cost-of-learning",
    "same-score-elsewhere",
    "same-perplexity",
    "which-may-be-rounded",
    "carry-weights",
    "first-new-position",
    "no-whole-turn",
    "price-of-interpolation",
    "base-and-turns",
    "mask-alone",
    "dropped-first",
    "what-was-tested",
    "why-yarn-spares",
}
"""Questions that no picture, table or sentence beside them answers: it takes a text or a cell."""

SENTENCES = {
    "swap-words": "word_order_explorer",
    "normalized-length": "two_lengths_explorer",
    "binary-dot": "dot_product_explorer",
    "same-turn": "shift_explorer",
    "matrix-of-where": "matrix_explorer",
    "both-move-on": "similarity_explorer",
    "rope-moves-on": "rope_explorer",
    "beyond-the-line": "stretched_explorer",
}
"""By question, the explorer below it whose sentence answers it."""


def test_of_every_question_it_is_known_what_answers_it():
    assert {*questions()} == {*WAITS["after"]} | {*SENTENCES} | NOTHING_BESIDE
    assert not NOTHING_BESIDE & ({*WAITS["after"]} | {*SENTENCES})


@cache
def cells() -> list[tuple[str, str, str]]:
    """Notebook, source and HTML of every cell of the lessons that shows something."""
    return [
        (path.name, cell.source, output.data["text/html"])
        for path in sorted(REPOSITORY.glob("notebooks/**/*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]


@pytest.mark.parametrize("name", WAITS_FOR)
def test_a_picture_or_table_that_answers_a_question_below_it_is_folded(name):
    shows = re.compile(rf'(?<!question\()"{name}"').search
    found = [(lesson, html) for lesson, source, html in cells() if shows(source)]
    asks = f'question("{WAITS_FOR[name]}")'
    assert found
    for lesson, html in found:
        its = [source for other, source, _ in cells() if other == lesson]
        place = next(i for i, source in enumerate(its) if shows(source))
        assert any(asks in source for source in its[:place]), "it is asked before it is answered"
        tree = BeautifulSoup(html, "html.parser")
        cover = tree.select_one(f'details.course-after[data-after="{WAITS_FOR[name]}"]')
        assert cover and not cover.has_attr("open") and cover.summary.get_text().strip()
        cover.extract()
        assert not tree.select("img, table, figcaption")


@pytest.mark.parametrize("asked", SENTENCES)
def test_the_sentence_of_an_explorer_waits_for_the_question_before_it(asked):
    name = SENTENCES[asked]
    assert getattr(explorers, name)().view.explorer["waits"] == asked
    lessons = [lesson for lesson, source, _ in cells() if f'question("{asked}")' in source]
    assert lessons
    for lesson in lessons:
        its = [source for other, source, _ in cells() if other == lesson]
        place = next(i for i, source in enumerate(its) if f"{name}(" in source)
        assert any(f'question("{asked}")' in source for source in its[:place])


def test_a_sentence_that_answers_is_covered_until_a_choice_or_a_click(browser):
    for opens in (".course-choice summary", ".course-cover"):
        with showing(browser, question("rope-moves-on"), explorers.rope_explorer().view) as page:
            page.choose("en")
            cover = page.notebook.locator(".course-cover")
            said = page.notebook.locator(".course-readout")
            expect(cover).to_contain_text("First choose an answer")
            assert said.evaluate("each => getComputedStyle(each).visibility") == "hidden"
            page.notebook.locator(opens).first.click()
            expect(cover).to_be_hidden()
            assert said.evaluate("each => getComputedStyle(each).visibility") == "visible"


def test_without_the_question_on_the_page_nothing_is_covered(browser):
    with showing(browser, explorers.rope_explorer().view) as page:
        expect(page.notebook.locator(".course-cover")).to_be_hidden()
        expect(page.notebook.locator(".course-readout")).to_be_visible()


def test_a_picture_that_answers_opens_by_a_click(browser):
    drawn = show("hands-by-base", dot_product_curve([0, 1], [1.0, 0.5]), low=1, middle=2, high=3)
    with showing(browser, drawn) as page:
        picture = page.notebook.locator("figure.course-figure")
        expect(picture).to_be_hidden()
        page.notebook.locator(".course-after > summary").click()
        expect(picture).to_be_visible()
