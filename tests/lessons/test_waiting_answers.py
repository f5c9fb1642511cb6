"""Tests that answers are hidden until the reader guesses, and that the first guess is stored."""

import re
from functools import cache

import nbformat
import pytest
from bs4 import BeautifulSoup
from checks.bare_page import showing
from checks.if_installed import expect
from private_jupyter import REPOSITORY

from course_utils import explorers, question, show
from course_utils.lessons.quiz import questions
from course_utils.lessons.verdicts import CLAIMS, right_guesses, verdict
from course_utils.notebook.display import WAITS, WAITS_FOR
from course_utils.notebook.storage import first_guesses, store_guesses_from_now_on
from course_utils.pictures.static import dot_product_curve

pytest_plugins = ["checks.browser"]

SENTENCES = {
    question
    for path in (REPOSITORY / "course_utils" / "explorers").rglob("*.toml")
    for question in re.findall('^waits = "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
}
"""Questions that are answered by the sentence of an explorer."""


@pytest.mark.parametrize("name", questions())
def test_question_names_its_answering_figure(name):
    answered, unanswered = name in {*WAITS["after"], *SENTENCES}, questions()[name].unanswered
    assert answered or unanswered, (
        f"{name}: name the figure or table that answers it in course_utils/notebook/waits.toml, "
        f'write waits = "{name}" into the texts of the explorer that answers it, or write '
        "unanswered = true into course_utils/lessons/questions.toml."
    )
    assert not (answered and unanswered), f"{name}: delete unanswered = true in questions.toml"


def test_only_questions_wait_for_answer():
    assert {*WAITS["after"], *SENTENCES} <= {*questions()}


@cache
def cells() -> list[tuple[str, str, str]]:
    """Yield the notebook, source and HTML of every cell with output."""
    return [
        (path.name, cell.source, output.data["text/html"])
        for path in sorted(REPOSITORY.glob("notebooks/**/*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]


@pytest.mark.parametrize("name", WAITS_FOR)
def test_figure_that_answers_question_is_folded(name):
    shows = re.compile(rf'(?<!question\()"{name}"').search
    asks = f'question("{WAITS_FOR[name]}")'
    shown = [place for place, (_, source, _) in enumerate(cells()) if shows(source)]
    assert shown
    for place in shown:
        lesson, _, html = cells()[place]
        before = [source for other, source, _ in cells()[:place] if other == lesson]
        assert any(asks in source for source in before), "it is asked before it is answered"
        tree = BeautifulSoup(html, "html.parser")
        cover = tree.select_one(f'details.course-after[data-after="{WAITS_FOR[name]}"]')
        assert cover and not cover.has_attr("open") and cover.summary.get_text().strip()
        cover.extract()
        assert not tree.select("img, table, figcaption")


@pytest.mark.parametrize("asked", sorted(SENTENCES))
def test_explorer_that_answers_is_below_its_question(asked):
    (lesson, *_) = (lesson for lesson, source, _ in cells() if f'question("{asked}")' in source)
    sources = "\n".join(source for other, source, _ in cells() if other == lesson)
    below = sources.partition(f'question("{asked}")')[2]
    names = dict.fromkeys(re.findall(r"^(\w+_explorer)\(", below, re.MULTILINE))
    views = (getattr(explorers, name)() for name in names)
    assert any(getattr(view, "explorer", {}).get("waits") == asked for view in views), (
        f"{lesson} shows no explorer below question({asked!r}) that waits for it"
    )


def test_answering_sentence_is_covered_until_choice(browser):
    for opens in (".course-choice summary", ".course-cover"):
        with showing(browser, question("rope-moves-on"), explorers.rope_explorer()) as page:
            page.choose("en")
            cover = page.notebook.locator(".course-cover")
            readout = page.notebook.locator(".course-readout")
            expect(cover).to_contain_text("First choose an answer")
            assert readout.evaluate("each => getComputedStyle(each).visibility") == "hidden"
            page.notebook.locator(opens).first.click()
            expect(cover).to_be_hidden()
            assert readout.evaluate("each => getComputedStyle(each).visibility") == "visible"


def test_nothing_is_covered_without_its_question(
    browser,
):
    drawn = show("hands-by-base", dot_product_curve([0, 1], [1.0, 0.5]), low=1, middle=2, high=3)
    with showing(browser, explorers.rope_explorer(), drawn) as page:
        expect(page.notebook.locator(".course-cover")).to_be_hidden()
        expect(page.notebook.locator(".course-readout")).to_be_visible()
        picture = page.notebook.locator("figure.course-figure:has(img)")
        expect(picture).to_be_hidden()
        page.notebook.locator(".course-after > summary").click()
        expect(picture).to_be_visible()


def test_first_opened_choice_of_claim_counts(browser):
    unique = verdict("unique", holds=[True], nearest=1)
    sines = verdict("sines", holds=[True], wide=0, narrow=0)
    with showing(browser, unique, sines, right_guesses()) as page:
        page.choose("en")
        *claims, score = page.notebook.locator(".course-question").all()
        score.locator("summary").click()
        nuances_wrong, then_right, right = (claims[0], 1), (claims[0], 0), (claims[1], 0)
        for (claim, choice), count in ((nuances_wrong, 0), (then_right, 0), (right, 1)):
            answer = claim.locator("div.course-en", has_text="The verdict: true").nth(choice)
            expect(answer).to_be_hidden()
            claim.locator("summary").nth(choice).click()
            expect(answer).to_be_visible()
            counted = f"You guessed {count} of {len(CLAIMS)}."
            expect(score).to_contain_text(counted, use_inner_text=True)


def test_first_guesses_are_stored_if_wanted(browser, tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    with showing(browser, question("swap-words"), question("add-positions")) as page:
        page.choose("es")
        swap, add = page.notebook.locator(".course-question").all()
        swap.locator(".course-right summary").click()  # before storing is enabled: not kept
        page.settle()
        store_guesses_from_now_on(True)
        swap.locator(":not(.course-right) > summary").first.click()
        add.locator(".course-right summary").click()
        add.locator(":not(.course-right) > summary").first.click()
        page.settle()
    assert first_guesses() == {"swap-words": False, "add-positions": True}
