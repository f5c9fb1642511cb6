"""The class at a glance in a browser: on a screen, a phone, a wall and paper."""

import re

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
def written(hundred: GradedClass) -> dict[bool, str]:
    """The addresses of the page, and of the one to project."""
    place = hundred.folders.labs.parent / "in-a-browser"
    return {kind: write([LAB], hundred.folders, kind, place)[0].as_uri() for kind in (False, True)}


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def open_all(page) -> None:
    for details in page.query_selector_all("details"):
        details.evaluate("each => each.open = true")


@pytest.mark.parametrize("projector", [False, True])
def test_axe_finds_nothing_in_any_language_or_theme(page, written, projector):
    from axe_playwright_python.sync_playwright import Axe

    page.goto(written[projector])
    open_all(page)
    page.click("#next") if projector else None
    # A theme changes colours and nothing else.
    only_colours = {"runOnly": ["color-contrast"]}
    looks = [("light", f"only-{language}", {}) for language in LANGUAGES]
    for scheme, shown, options in [*looks, ("dark", "both", only_colours)]:
        page.emulate_media(color_scheme=scheme)
        page.check(f"#{shown}")
        found = Axe().run(page, options=options)
        assert found.violations_count == 0, found.generate_report()


def test_tomorrow_is_one_page_of_a4_with_the_answers_on_its_back_and_no_names(page, written):
    page.goto(written[False])
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


@pytest.mark.parametrize("projector", [False, True])
def test_it_fits_a_phone_also_with_letters_twice_as_large(page, written, projector):
    page.goto(written[projector])
    for width in (390, 195):
        page.set_viewport_size({"width": width, "height": 844})
        open_all(page)
        for _ in range(4 if projector else 1):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.keyboard.press("ArrowRight")


def test_arrow_keys_turn_the_questions_and_open_the_answer_first(page, written, overview):
    page.goto(written[True])
    n_questions = len(riddles(overview))

    def seen() -> tuple[str, int, int]:
        """The place, and how many answers and marks of a right one are visible."""
        answers, marks = page.locator(".answer:visible"), page.locator(".right-one")
        return page.locator("#place").inner_text(), answers.count(), marks.count()

    assert seen()[:2] == ("", 0)
    for key, place, n_open in (("Right", 1, 0), ("Right", 1, 1), ("Right", 2, 0), ("Left", 1, 0)):
        page.keyboard.press(f"Arrow{key}")
        assert seen() == (f"{place} / {n_questions}", n_open, n_open)


def test_a_projected_question_has_its_answer_on_the_screen_and_no_wrapped_row(page, written):
    def letters() -> float:
        heading = page.locator("section:not([hidden]) h1")
        return heading.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")

    small = {"width": 1280, "height": 720}  # what fits fits on a larger wall, if letters grow, too
    page.set_viewport_size(small)
    page.goto(written[True])
    for language in LANGUAGES:
        page.check(f"#only-{language}")
        page.locator("#next").focus()
        at, last = "", "one"
        while at != last or not page.locator(".answer:visible").count():
            page.keyboard.press("ArrowRight")
            sheet = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert sheet[0] <= 1280 and sheet[1] <= 720, page.locator("#place").inner_text()
            rows = page.locator("section:not([hidden]) pre").evaluate_all(
                "all => all.map((e) => e.scrollWidth - e.clientWidth)"
            )
            assert rows and not any(rows)
            assert letters() >= 720 / 45
            at, _, last = page.locator("#place").inner_text().partition(" / ")
        page.set_viewport_size({"width": 1920, "height": 1080})
        assert letters() >= 1080 / 45
        page.set_viewport_size(small)
        page.reload()


def test_who_clicks_on_a_language_goes_on_with_the_arrow_keys(page, written, overview):
    page.goto(written[True])
    page.get_by_label("Español", exact=True).click()
    page.keyboard.press("ArrowRight")
    assert page.locator("#place").inner_text() == f"1 / {len(riddles(overview))}"
    assert page.locator("#only-es").is_checked()
    page.locator("#only-es").focus()
    page.keyboard.press("ArrowLeft")  # by keyboard the switch keeps its keys
    assert page.locator("#only-en").is_checked()
