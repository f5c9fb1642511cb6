"""Tests of readers' actions on web pages, on screen, on a projector and in print."""

import re

import nbformat
import numpy as np
import pytest
from test_web_pages import LESSON, LESSONS, PHONE, SPOKEN, slow

from course_utils.words.text import LANGUAGES
from web import build, lesson, printed

pytest_plugins = ["checks.browser", "checks.visits"]

FORBIDDEN = {
    "storage": "Object.defineProperty(window, 'localStorage', { get() { throw Error('no'); } });",
    "unpacking": "delete window.DecompressionStream;",
    "scenes": "HTMLHeadElement.prototype.append = () => {};",
}


@pytest.mark.parametrize("missing", FORBIDDEN)
def test_forbidden_storage_disables_nothing_else(site, visit, missing):
    page = visit(f"es/{LESSON}", FORBIDDEN[missing]).page
    place = page.locator("[data-scenes]").first
    place.scroll_into_view_if_needed()
    live = place.locator(".course-stage canvas, .course-stage path").first
    (live if missing == "storage" else place.locator("img")).wait_for()
    assert page.get_by_role("button", name="Buscar").is_visible()
    assert "quedan" in page.locator(".minutes").inner_text()
    page.goto((site / "index.html").as_uri())
    page.locator("main").wait_for()
    page.locator("header a[hreflang=es]").click()
    page.wait_for_url("**/es/index.html")


def test_explorer_waits_for_its_view_on_slow_networks(visit):
    page = visit(f"en/{LESSON}").page
    held = []
    page.route("**/explorers/scene.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.locator("[data-scenes] img").first.wait_for()
    page.wait_for_timeout(1000)  # long enough to load the explorer's own file
    held[0].continue_()
    page.locator("[data-scenes] .course-labels > div").first.wait_for()


def test_page_works_without_javascript(visit):
    page = visit(f"es/{LESSON}", java_script_enabled=False).page
    assert not page.get_by_role("button", name="Buscar").is_visible()
    assert page.locator("math").first.is_visible()
    choice = page.locator("details.course-choice").first
    assert not choice.locator("div").first.is_visible()
    choice.locator("summary").click()
    assert choice.locator("div").first.is_visible()
    for place in page.locator("[data-scenes]").all():
        for question in place.locator("summary").all():  # the question is folded with its answer
            question.click()
        picture = place.locator("img")
        picture.scroll_into_view_if_needed()
        assert picture.get_attribute("alt") and picture.bounding_box()["width"] > 300
        assert place.bounding_box()["height"] < picture.bounding_box()["height"] + 350


def test_phone_picture_fills_screen_until_closed(visit):
    page = visit("es/07_inside_attention.html", **PHONE).page
    # No explorer replaces this picture, which waits for a choice.
    page.locator("#question-sizes summary").first.click()
    link = page.locator("#picture-sizes a.picture:visible")
    shown = link.bounding_box()
    link.click()
    large = page.locator("dialog img").bounding_box()
    assert large["height"] > 2 * shown["width"] and large["x"] >= 0
    assert large["x"] + large["width"] <= 390 and large["y"] + large["height"] <= 844
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_answering_figure_waits_for_choice(visit):
    page = visit("en/06_frequencies_base_precision.html").page
    answers = page.locator("[data-after=idle-hands]")
    assert answers.count() == 2
    figure = page.locator("#figure-hands figure.course-figure")
    assert not figure.is_visible()
    assert "First answer the question" in answers.first.locator("summary").inner_text()
    page.locator("#question-base summary").first.click()
    figure.wait_for(state="visible")
    assert answers.evaluate_all("all => all.every((each) => each.open)")
    assert not any(each.is_visible() for each in answers.locator("> summary").all())


HEIGHTS = "all => all.map((each) => each.offsetHeight)"
COLORS = "all => all.map((each) => getComputedStyle(each).backgroundColor)"


def test_phone_shows_every_table_row(visit):
    page = visit("en/01_why_order_matters.html", **PHONE).page
    heights = page.locator("table.course-report-card tbody tr").evaluate_all(HEIGHTS)
    assert min(heights) > 20
    matrix = np.round(np.random.default_rng(1).uniform(-1, 1, (4, 8)), 2)
    for table, whole in ((matrix, True), (np.hstack([matrix, matrix]), False)):
        shown = lesson._lines("output", np.array2string(table, max_line_width=200))
        page.evaluate("shown => (document.querySelector('main').innerHTML = shown)", shown)
        rows = page.locator("pre.output span")
        heights = rows.evaluate_all(HEIGHTS)
        assert (max(heights) < 30) == whole
        assert (len({*rows.evaluate_all(COLORS)}) == 1) == whole


def test_other_language_opens_at_same_section(site, visit):
    page = visit(f"en/{LESSON}").page
    page.evaluate("document.querySelector('#clock').scrollIntoView()")
    # Playwright's click would scroll the page first.
    page.evaluate("document.querySelector('header a[hreflang=es]').click()")
    page.wait_for_url(f"**/es/{LESSON}#clock")
    assert page.locator("html").get_attribute("lang") == "es"
    top = page.locator("#clock").evaluate("each => each.getBoundingClientRect().top")
    assert abs(top) < 200
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/es/index.html")


def test_search_finds_words_in_any_spelling(visit):
    page = visit("es/index.html").page
    page.get_by_role("button", name="Buscar").click()
    results = page.locator("[role=search] li")
    for asked, found in (("rotacion", "05"), ("bfloat16", "06"), ("ALiBi penal", "")):
        page.get_by_role("searchbox").fill(asked)
        results.first.wait_for()
        assert any(found in title for title in results.all_inner_texts())
    results.first.locator("a").click()
    page.wait_for_url("**#*")
    assert page.locator(f"[id='{page.url.split('#')[1]}']").count() == 1


def test_remaining_minutes_fall_to_zero(visit):
    page = visit("en/10_myths.html").page
    minutes = page.locator(".minutes")
    first_cell = nbformat.read(build.FOLDER / "10_myths.ipynb", as_version=4).cells[0].source
    assert minutes.inner_text().startswith(re.search(r"\d+ (?=minutes)", first_cell)[0])
    claims = page.locator(".course-claim")
    for claim in claims.all():
        claim.locator("details.course-right > summary").click()
        claim.locator("details:not(.course-right) > summary").first.click()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.minutes').innerText.startsWith('0 ')")
    assert page.locator(".course-count").first.text_content() == str(claims.count()) != "0"


def test_choices_stay_marked_until_forgotten(visit, site):
    page = visit(f"en/{LESSON}").page
    page.clock.install()
    question = page.locator("[data-guess]").first
    wrong = question.locator("details:not(.course-right)").first
    wrong.locator("summary").click()
    spoken_mark = "each => getComputedStyle(each, '::after').content"
    assert "not this one" in wrong.locator("summary").evaluate(spoken_mark)
    question.locator("details.course-right summary").click()
    assert "right" in question.locator("details.course-right summary").evaluate(spoken_mark)
    page.get_by_role("button", name="I have finished").click()
    page.reload()
    assert "not this one" in page.locator("details.chosen summary").first.evaluate(spoken_mark)
    page.goto((site / "en" / "index.html").as_uri())
    assert page.locator("a.done").get_attribute("data-page") == LESSON
    assert page.locator(".go").inner_text().startswith("Continue: 05")
    page.get_by_role("button", name="Delete my progress").click()
    page.clock.fast_forward(2000)
    page.locator(".go", has_text="Start").wait_for()
    assert page.evaluate("localStorage.getItem('course-progress')") is None


MOVED = """summary => {
    summary.scrollIntoView({ block: "center", behavior: "instant" });
    const top = () => summary.getBoundingClientRect().top, before = top();
    summary.click();
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
        setTimeout(() => resolve(Math.abs(top() - before)), 50))));
}"""


@pytest.mark.parametrize(
    "name", ["01_why_order_matters.html", pytest.param("10_myths.html", marks=slow)]
)
def test_tapped_choice_stays_under_finger(visit, name):
    page = visit(f"es/{name}", **PHONE).page
    for question in page.locator("[data-guess]:has(details.course-choice)").all():
        choices = question.locator("details.course-choice")
        for choice in (*choices.all(), choices.first):
            assert choice.locator("summary").evaluate(MOVED) <= 2
            assert choice.get_attribute("open") is not None
            assert question.locator("details[open]").count() == 1


def test_choice_at_top_of_page_stays_in_position(visit):
    page = visit("en/01_why_order_matters.html").page
    question = page.locator("[data-guess]").first
    question.evaluate("each => document.body.prepend(each)")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    stay = MOVED.replace("summary.scrollIntoView", "(() => {})")
    for summary in question.locator("summary").all():
        assert summary.evaluate(stay) <= 2


# True if text is shown in the fallback font, that is, if both have the same width.
FALLBACK = """() => {
    const text = document.createElement("span");
    text.style.cssText = "position: absolute; white-space: nowrap; font-size: 40px";
    text.textContent = "Illegible 10g quartz 0O1l";
    document.body.append(text);
    const { width } = text.getBoundingClientRect();
    text.style.fontFamily = "system-ui, sans-serif";
    const found = Math.abs(text.getBoundingClientRect().width - width) < 1;
    text.remove();
    return found;
}"""


def test_fonts_from_folder_come_before_text(visit):
    pages = [visit(f"en/{name}").page for name in (LESSON, "index.html") * 2]
    assert not any(page.evaluate(FALLBACK) for page in pages)


WALL = """question => {
    const all = [...question.querySelectorAll("details")];
    const beside = [...document.body.querySelectorAll("*")].filter((each) =>
        !question.contains(each) && !each.contains(question) && each.getClientRects().length);
    return [all.filter((each) => each.open).length, beside.length, question.scrollHeight];
}"""


def test_projected_question_opens_by_keys(visit, site):
    lesson = "es/01_why_order_matters.html"
    page = visit(f"{lesson}#swap-words", viewport={"width": 1920, "height": 1080}).page
    page.locator("[data-guess=swap-words] .course-right summary").click()  # choose an answer first
    page.goto(f"{(site / lesson).as_uri()}#swap-words&projected")
    question = page.locator("[data-guess=swap-words]")
    page.wait_for_function("document.documentElement.classList.contains('projected')")
    opened, beside, height = question.evaluate(WALL)
    assert (opened, beside) == (0, 0) and height <= 1080
    assert question.locator(".chosen").count() == 0  # nothing reveals the right answer
    open_one = question.locator("details[open]")
    n_choices = question.locator("details").count()
    for number in range(n_choices):
        page.keyboard.press("ArrowRight")
        assert open_one.count() == 1
        right = "course-right" in open_one.get_attribute("class")
        assert right == (number == n_choices - 1)
    page.keyboard.press("1")
    assert question.locator("details").first.get_attribute("open") is not None
    page.keyboard.press("Escape")
    page.wait_for_function("!document.documentElement.classList.contains('projected')")
    assert page.locator("main p").first.is_visible()


@pytest.mark.parametrize(
    "name", [pytest.param("01_why_order_matters.html", marks=slow), "10_myths.html"]
)
def test_every_projected_question_fits_screen(visit, site, name):
    page = visit(f"es/{name}", viewport={"width": 1280, "height": 720}).page
    asked = "all => all.map((each) => each.dataset.guess)"
    names = page.locator("[data-guess]:has(details.course-choice)").evaluate_all(asked)
    assert len(names) >= 4
    for each in names:
        page.goto("about:blank")
        page.goto(f"{(site / 'es' / name).as_uri()}#{each}&projected")
        question = page.locator(".alone")
        for _ in range(question.locator("details").count()):
            page.keyboard.press("ArrowRight")
            assert question.evaluate("each => each.scrollHeight") <= 720, each
        letters = "each => parseFloat(getComputedStyle(each).fontSize)"
        assert question.locator("summary").first.evaluate(letters) >= 16, each


@pytest.mark.skipif(not build.BROWSER, reason="a browser prints the PDF")
@pytest.mark.parametrize("language", LANGUAGES)
def test_pdf_contents_list_right_pages(site, language):
    pdf = (site / language / build.PDF).read_bytes()
    assert {*re.findall(rb"/MediaBox \[0 0 (\d+)\S* (\d+)", pdf)} == {(b"594", b"841")}
    pages = printed.pages_of_names(pdf)
    numbers = [pages[name] for name in LESSONS]
    assert numbers == sorted(numbers) and numbers[0] == 3
    assert pages["glossary.html"] > 40


def test_printed_links_stay_inside_book():
    addresses = ["#here", "y.html", "y.html#there", "https://other.org/z.html#part"]
    links = "".join(f'<a href="{address}">any</a>' for address in addresses)
    page = lesson.Page("x.html", "x", [])
    book = lesson.parsed(printed.book_html([(page, links)], SPOKEN, "claim"))
    found = [link["href"] for link in book.select("article a")]
    assert found == ["#x.html-here", "#y.html", "#y.html-there", addresses[-1]]


def test_printed_answers_follow_their_lesson():
    choice = '<details class="course-choice{}"><summary>{}</summary><div>{}</div></details>'
    question = '<div data-guess="q">Which?' + choice.format("", "one", "No, since.")
    question += choice.format(" course-right", "two", "Yes, because.") + "</div>"
    page = lesson.Page("x.html", "x", [])
    book = lesson.parsed(printed.book_html([(page, f"{question}<p>text</p>")], SPOKEN, "claim"))
    asked = book.select_one("[data-guess]")
    assert next(asked.children).text == "1"
    assert [each.text for each in asked.select(".option")] == ["a · one", "b · two"]
    assert "because" not in asked.text
    answers = book.select_one("article > ol.answers")
    assert answers.find_previous_sibling("p").text == "text"
    assert "b ✓ Yes, because." in " ".join(answers.text.split())
