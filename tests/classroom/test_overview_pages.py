"""The class at a glance in a browser: on a screen, a phone, a wall and paper."""

import re
from pathlib import Path

import pytest
from checks.class_of import GradedClass
from checks.hundred import LAB
from checks.labs import needs_nbgrader

from classroom.overview import write
from classroom.projector import riddles
from course_utils.words.text import LANGUAGES

pytest_plugins = ["checks.browser"]
pytestmark = [needs_nbgrader, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.fixture(scope="module")
def written(hundred: GradedClass) -> dict[bool, Path]:
    """The page, and the one to project."""
    place = hundred.folders.labs.parent / "in-a-browser"
    return {kind: write([LAB], hundred.folders, kind, place)[0] for kind in (False, True)}


@pytest.mark.parametrize("projector", [False, True])
def test_axe_finds_nothing_in_any_language_or_theme(browser, written, projector):
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(written[projector].as_uri())
    for details in page.query_selector_all("details"):
        details.evaluate("each => each.open = true")
    page.click("#next") if projector else None
    # A theme changes colours and nothing else.
    only_colours = {"runOnly": ["color-contrast"]}
    looks = [("light", f"only-{language}", {}) for language in LANGUAGES]
    for scheme, shown, options in [*looks, ("dark", "both", only_colours)]:
        page.emulate_media(color_scheme=scheme)
        page.check(f"#{shown}")
        found = Axe().run(page, options=options)
        assert found.violations_count == 0, found.generate_report()
    page.close()


def test_tomorrow_is_one_page_of_a4_with_the_answers_on_its_back_and_no_names(browser, written):
    page = browser.new_page()
    page.goto(written[False].as_uri())
    for language in LANGUAGES:
        page.check(f"#only-{language}")
        page.evaluate("document.querySelector('details.hands').open = true")
        page.emulate_media(media="print")
        assert page.get_by_text("copier").count() == 1
        assert not page.get_by_text("copier").is_visible()
        printed = page.pdf(prefer_css_page_size=True)
        page.evaluate(
            "document.querySelectorAll('.answers, .answers ~ *').forEach((e) => e.remove())"
        )
        front = page.pdf(prefer_css_page_size=True)
        n_pages = [len(re.findall(rb"/Type /Page\b(?!s)", each)) for each in (front, printed)]
        assert n_pages[0] == 1 and n_pages[1] <= 4
        page.reload()
        assert re.search(rb"/MediaBox \[0 0 59[456][.\d]* 84[12]", printed)
        page.emulate_media(media="screen")
    page.close()


@pytest.mark.parametrize("projector", [False, True])
def test_it_fits_a_phone_also_with_letters_twice_as_large(browser, written, projector):
    page = browser.new_page()
    page.goto(written[projector].as_uri())
    for width in (390, 195):
        page.set_viewport_size({"width": width, "height": 844})
        for details in page.query_selector_all("details"):
            details.evaluate("each => each.open = true")
        for _ in range(4 if projector else 1):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.keyboard.press("ArrowRight")
    page.close()


def test_arrow_keys_turn_the_questions_and_open_the_answer_first(browser, written, overview):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(written[True].as_uri())
    n_questions = len(riddles(overview))

    def seen() -> tuple[str, int, int]:
        """The place, and how many answers and marks of a right one are visible."""
        answers, marks = page.locator(".answer:visible"), page.locator(".right-one")
        return page.locator("#place").inner_text(), answers.count(), marks.count()

    assert seen()[:2] == ("", 0)
    for key, place, n_open in (("Right", 1, 0), ("Right", 1, 1), ("Right", 2, 0), ("Left", 1, 0)):
        page.keyboard.press(f"Arrow{key}")
        assert seen() == (f"{place} / {n_questions}", n_open, n_open)
    page.close()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_a_projected_question_has_its_answer_on_the_screen_and_no_wrapped_row(
    browser, written, size
):
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    page.goto(written[True].as_uri())
    for language in LANGUAGES:
        page.check(f"#only-{language}")
        page.locator("#next").focus()
        at, last = "", "one"
        while at != last or not page.locator(".answer:visible").count():
            page.keyboard.press("ArrowRight")
            sheet = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert sheet[0] <= size[0] and sheet[1] <= size[1], page.locator("#place").inner_text()
            rows = page.locator("section:not([hidden]) pre").evaluate_all(
                "all => all.map((e) => e.scrollWidth - e.clientWidth)"
            )
            assert rows and not any(rows)
            letters = page.locator("section:not([hidden]) h1").evaluate(
                "e => parseFloat(getComputedStyle(e).fontSize)"
            )
            assert letters >= size[1] / 45
            at, _, last = page.locator("#place").inner_text().partition(" / ")
        page.reload()
    page.close()


def test_who_clicks_on_a_language_goes_on_with_the_arrow_keys(browser, written, overview):
    page = browser.new_page()
    page.goto(written[True].as_uri())
    page.get_by_label("Español", exact=True).click()
    page.keyboard.press("ArrowRight")
    assert page.locator("#place").inner_text() == f"1 / {len(riddles(overview))}"
    assert page.locator("#only-es").is_checked()
    page.locator("#only-es").focus()
    page.keyboard.press("ArrowLeft")  # by keyboard the switch keeps its keys
    assert page.locator("#only-en").is_checked()
    page.close()
