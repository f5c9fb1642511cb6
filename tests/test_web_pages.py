"""The first page, the lessons' layout, what a reader has done, and the course on paper."""
# ruff: noqa: F811, the fixtures of test_web are named as arguments here

import json
import re
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks import web
from private_jupyter import REPOSITORY
from test_web import Visit, build, lesson, site, visit  # noqa: F401

from course_utils import self_attention, sinusoidal_encoding
from course_utils.words.text import LANGUAGES

sys.path.append(str(REPOSITORY / "web"))
import layout
import printed
import sentence

pytest_plugins = ["checks.browser"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LESSONS = [lesson.page_name(each) for each in build.LESSONS]

SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;
}).observe({ type: 'layout-shift', buffered: true });"""

# The first page. ----------------------------------------------------------------------------------

WORDS = "[...document.querySelectorAll('.tile')].map((tile) => tile.textContent)"


def changes(page) -> list[str]:
    return page.locator(".change").all_inner_texts()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_words_that_are_dragged_change_places_and_attention_alone_does_not_notice(visit, options):
    page = visit("en/index.html", **options).page
    dog, cat = (page.locator(".tile").nth(place).bounding_box() for place in (1, 4))
    page.mouse.move(dog["x"] + 9, dog["y"] + 9)
    page.mouse.down()
    page.mouse.move(cat["x"] + 9, cat["y"] + 9, steps=5)
    page.mouse.up()
    assert page.evaluate(WORDS) == "the cat chased the dog".split()
    assert {*changes(page)} == {"0.00"}
    assert "same sentence" in page.locator(".said").inner_text()
    page.get_by_label("add positions").check()
    assert float(changes(page)[1]) > 0.5
    assert "now it notices" in page.locator(".said").inner_text()


def test_a_finger_moves_a_word_and_does_not_scroll_the_page(browser, site):
    visitor = Visit(browser, site, "es/index.html", **PHONE)
    page = visitor.page
    client = page.context.new_cdp_session(page)
    boxes = [page.locator(".tile").nth(place).bounding_box() for place in (1, 4)]
    points = [{"x": box["x"] + 20, "y": box["y"] + 20} for box in boxes]
    for kind, touched in (("Start", points[:1]), ("Move", points[1:]), ("End", [])):
        client.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touched})
    assert page.evaluate(WORDS) == "el gato persiguió al perro".split()
    assert page.evaluate("scrollY") == 0
    visitor.close()


def test_words_move_by_keys_and_a_word_keeps_the_focus(visit):
    page = visit("es/index.html").page
    page.locator(".tile").nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert page.evaluate(WORDS) == "el persiguió gato al perro".split()
    assert page.evaluate("document.activeElement.textContent") == "perro"
    page.get_by_role("button", name="Deshacer").click()
    assert page.evaluate(WORDS) == "el perro persiguió al gato".split()


@pytest.mark.parametrize("adding", [False, True])
def test_what_comes_out_is_that_of_the_package(visit, adding):
    words = "la casa azul que la abuela pintó ayer".split()
    page = visit("es/index.html").page
    out = page.evaluate(f"attended({json.dumps(words)}, {json.dumps(adding)}).out")
    vectors = np.stack([sentence.word_vector(word) for word in words])
    positions = sinusoidal_encoding(len(words), sentence.D_MODEL)
    assert np.allclose(out, self_attention(vectors + adding * positions), atol=1e-12)
    assert (vectors[0] == vectors[4]).all() and abs(vectors).max() <= 1


def test_a_reader_tries_own_words_up_to_eight(visit):
    page = visit("en/index.html").page
    page.get_by_text("Your own words").click()
    page.get_by_role("textbox").fill("One, two three four five six seven eight nine")
    page.get_by_role("button", name="Use them").click()
    assert page.evaluate(WORDS) == "one two three four five six seven eight".split()
    page.get_by_role("textbox").fill("alone")
    page.get_by_role("button", name="Use them").click()
    assert "two words" in page.locator(".said").inner_text()
    assert len(page.evaluate(WORDS)) == 8


def test_without_javascript_the_sentence_stands_there_with_its_stripes(visit):
    page = visit("en/index.html", java_script_enabled=False).page
    assert page.locator(".tile").all_inner_texts() == "the dog chased the cat".split()
    assert len({*page.locator(".strip i").evaluate_all("all => all.map((i) => i.className)")}) > 4


@pytest.mark.parametrize("words", [None, "uno dos tres cuatro cinco seis siete ocho"])
def test_on_a_phone_each_number_beside_a_word_stays_on_its_line(visit, words):
    page = visit("es/index.html", **PHONE).page
    if words:
        page.evaluate(f"begin({json.dumps(words.split())})")
    page.get_by_label("sumar posiciones").check()
    page.locator(".tile").nth(1).press("End")
    for change in page.locator(".change").all():
        assert re.fullmatch(r"\d\.\d\d", change.inner_text())
        box = change.bounding_box()
        assert box["height"] < 35
        assert change.evaluate("each => each.scrollWidth <= each.clientWidth")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_reading_down_the_first_page_nothing_jumps(visit, language, options):
    page = visit(f"{language}/index.html", SHIFTS, **options).page
    for _ in range(6):
        page.mouse.wheel(0, 300)
        page.wait_for_timeout(150)
    page.locator(".reader .course-tally b").first.wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("shifted") <= 0.05


@pytest.mark.skipif(not build.BROWSER, reason="a browser makes the picture")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shared_link_has_a_picture_of_the_first_page(site, language):
    page = site / language / "01_why_order_matters.html"
    named = web.read(page).select_one("meta[property='og:image']")["content"]
    size = struct.unpack(">II", (page.parent / named).read_bytes()[16:24])
    assert size == (1200, 630)


def test_a_shared_link_names_the_picture_by_its_whole_address_where_that_is_known(monkeypatch):
    monkeypatch.setattr(build, "SHOWN", ("es",))
    monkeypatch.setattr(build, "BROWSER", "chromium")
    there = build.Edition(Path("site"), "https://example.org/course/", False).shared()
    assert 'content="https://example.org/course/es/share.png"' in there
    monkeypatch.setattr(build, "BROWSER", None)
    assert build.Edition(Path("site"), "", False).shared() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_says_how_long_its_lesson_takes(site, language):
    page = web.read(site / language / "index.html")
    cards = {link["data-page"]: link.small.text for link in page.select(".cards > li > a")}
    assert all(re.fullmatch(r"\d+ min", said) for said in cards.values())
    assert cards["ten_minutes.html"] == "10 min"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_has_a_card_and_every_lab_stands_beneath_one(site, language):
    page = web.read(site / language / "index.html")
    cards = [link["data-page"] for link in page.select(".cards > li > a")]
    assert [*sorted(cards)] == [*sorted(LESSONS)]
    assert cards.index("07_pytorch_appendix.html") == cards.index("10_myths.html") + 1
    assert all(
        link.select_one("svg.cover > *") and link.span.text
        for link in page.select(".cards > li > a")
    )
    beneath = {
        link["data-page"]: link.find_parent("li").a["data-page"]
        for link in page.select(".cards p > a")
    }
    assert beneath.keys() == {lesson.page_name(each) for each in [*build.LABS, *build.DEEPER]}
    assert beneath["lab_07_longer_than_trained.html"] == "09_longer_than_trained.html"


def test_the_weights_of_the_model_come_when_a_reader_gets_there(visit):
    page = visit("en/index.html").page
    weights = page.locator("script[src*=weights]")
    page.wait_for_timeout(300)
    assert weights.count() == 0
    page.locator("#reader").evaluate("each => each.scrollIntoView()")
    weights.first.wait_for(state="attached")


# A lesson. ----------------------------------------------------------------------------------------


def cells_of(*sources: str, **first: object) -> list[lesson.Cell]:
    cells = [lesson.Cell(f"cell-{n}", lesson.parsed(source)) for n, source in enumerate(sources)]
    for name, value in first.items():
        setattr(cells[0], name, value)
    return cells


SPOKEN = {name.replace("-", "_"): text["en"] for name, text in build.SAID.items()}
EXPLORER = '<div data-scenes="wave_explorer"><figure></figure></div>'


def laid_out(cells: list[lesson.Cell]) -> BeautifulSoup:
    page = lesson.Page("x.html", "x", cells)
    return lesson.parsed(layout.lesson_html(page, SPOKEN, "en"))


def test_an_explorer_stands_beside_its_paragraphs_where_there_are_enough():
    for letters, kind in ((layout.LETTERS_BESIDE, "beside"), (400, "pair")):
        page = laid_out(cells_of("<h2>a</h2>", f"<p>{'x' * letters}</p>", EXPLORER, "<h2>b</h2>"))
        section = page.select_one("section.pair")
        assert section["class"][-1] == kind
        assert [each["id"] for each in section.select(".cell")] == ["cell-0", "cell-1", "cell-2"]


def test_a_value_in_the_text_becomes_a_button_of_its_explorer():
    value = {"explorer": "cell-1", "text": {"en": "20", "es": "20"}, "set": {"step": 20}}
    page = laid_out(cells_of("<p>Stop at 20, not at 200.</p>", EXPLORER, values=[value]))
    assert page.p.get_text() == "Stop at 20, not at 200."
    assert page.p.button["data-of"] == "wave_explorer"
    assert json.loads(page.p.button["data-set"]) == {"step": 20}


@pytest.mark.parametrize("wrong", [{"text": "30"}, {"explorer": "nowhere"}])
def test_a_value_that_the_text_or_the_page_lacks_is_refused(wrong):
    value = {"explorer": "cell-1", "text": "20", "set": {"step": 20}} | wrong
    with pytest.raises(ValueError, match="cell-0"):
        laid_out(cells_of("<p>Stop at 20.</p>", EXPLORER, values=[value]))


def test_a_claim_has_the_code_that_measures_it_behind_a_line_that_opens(site):
    for language in LANGUAGES:
        page = BeautifulSoup((site / language / "10_myths.html").read_text("utf-8"), "html.parser")
        measured = [each.text for each in page.select("details.measure .code")]
        assert len(measured) > 5 and all("def " in code for code in measured)


def test_neighbours_that_only_measure_are_folded_together():
    cells = cells_of("<p>text</p>", "<p>tells</p>", "<pre>1</pre>", "<p>more</p>")
    for cell in cells[1:3]:
        cell.tags = [layout.FOLDED]
    page = laid_out(cells)
    assert page.details.summary.text == SPOKEN["measure"]
    assert [each["id"] for each in page.select("details > div")] == ["cell-1", "cell-2"]


def test_values_in_a_lesson_set_its_explorer_and_show_which_is_set(visit):
    visitor = visit("en/04_sinusoidal_encodings.html")
    visitor.open_explorers()
    page = visitor.page
    first, second = page.locator('.value[data-of="hand_explorer"]').all()[:2]
    second.click()
    place = page.locator("[data-scenes=hand_explorer]")
    assert place.locator(".course-readout").inner_text().startswith("Position 24")
    assert second.get_attribute("aria-pressed") == "true"
    assert first.get_attribute("aria-pressed") == "false"


def test_a_link_keeps_the_state_of_an_explorer(visit, site):
    visitor = visit("en/04_sinusoidal_encodings.html")
    visitor.open_explorers()
    page = visitor.page
    place = page.locator("[data-scenes=hand_explorer]")
    page.locator('.value[data-of="hand_explorer"]').last.click()
    place.locator(".state").click()
    address = page.url
    assert "#explorer-clock?" in address and "position=24" in address
    again = visit("en/index.html").page
    again.goto(address)
    said = again.locator("[data-scenes=hand_explorer] .course-readout")
    said.filter(has_text="Position 24").wait_for()


@pytest.mark.parametrize(
    ("name", "options"), [("04_sinusoidal_encodings", {}), ("ten_minutes", PHONE)]
)
def test_reading_down_a_lesson_in_haste_with_a_slow_processor_nothing_jumps(visit, name, options):
    page = visit(f"en/{name}.html", SHIFTS, **options).page
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for _ in range(12):
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(60)
    page.wait_for_timeout(1000)
    assert page.evaluate("shifted") <= 0.05


@pytest.mark.parametrize("name", [*LESSONS, "index.html"])
def test_every_explorer_has_its_room_kept_until_it_is_there(site, name):
    page = BeautifulSoup((site / "es" / name).read_text("utf-8"), "html.parser")
    for place in page.select("[data-scenes]"):
        assert "--phone" in place["style"], f"run web/heights.py: {place['data-scenes']}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_explorer_stands_on_the_first_screen(visit, language):
    for name in ("01_why_order_matters", "04_sinusoidal_encodings"):
        page = visit(f"{language}/{name}.html").page
        top = page.locator(".card").first.bounding_box()["y"]
        assert top < 450


@pytest.mark.parametrize("name", LESSONS[2:])
def test_a_lesson_closes_with_a_few_lines_before_its_tick_and_the_next_card(site, name):
    for language in LANGUAGES:
        page = web.read(site / language / name)
        (closing,) = page.select("#recap .closing")
        assert 100 < len(closing.text) < 700
        end = closing.find_next(class_="end")
        assert end.find("button", class_="finish")
        assert bool(end.select_one(".next-card a")) == (name != "glossary.html")


@pytest.mark.parametrize("name", ["ten_minutes", "01_why_order_matters", "09_longer_than_trained"])
def test_without_javascript_every_explorer_is_a_picture_that_is_seen(visit, name):
    page = visit(f"en/{name}.html", java_script_enabled=False).page
    places = page.locator("[data-scenes]")
    assert places.count() > 1
    for place in places.all():
        for question in place.locator("summary").all():  # what it asks is folded with its answer
            question.click()
        picture = place.locator("img")
        picture.scroll_into_view_if_needed()
        assert picture.is_visible() and picture.bounding_box()["width"] > 300
        assert place.bounding_box()["height"] < picture.bounding_box()["height"] + 350


def test_in_forced_colours_stripes_keep_theirs_and_words_are_told_apart(visit):
    page = visit("en/index.html", forced_colors="active").page
    colors = "all => all.map((each) => getComputedStyle(each).backgroundColor)"
    assert len({*page.locator(".strip i").evaluate_all(colors)}) > 4
    one, other = (page.locator(".tile").nth(place).evaluate_all(colors) for place in (0, 1))
    assert one != other


def test_a_choice_on_a_page_sets_the_model_that_reads(visit):
    visitor = visit("es/ten_minutes.html")
    visitor.open_explorers()
    place = visitor.page.locator("[data-scenes=reading_explorer]")
    said = place.locator(".course-tally").inner_text()
    place.get_by_role("radio", name="RoPE").first.click()
    place.locator(".course-tally").filter(has_not_text=said).wait_for()


# What was found wrong once. -----------------------------------------------------------------------


def test_on_a_phone_every_row_of_the_report_card_is_seen(visit):
    page = visit("en/01_why_order_matters.html", **PHONE).page
    rows = page.locator("table.course-report-card tbody tr")
    assert rows.count() > 0
    for row in rows.all():
        assert row.bounding_box()["height"] > 20


def test_on_a_phone_rows_of_numbers_stay_whole_or_are_told_apart(visit):
    matrix = np.round(np.random.default_rng(1).uniform(-1, 1, (4, 8)), 2)
    page = visit("en/01_why_order_matters.html", **PHONE).page
    for table, whole in ((matrix, True), (np.hstack([matrix, matrix]), False)):
        shown = lesson._lines("output", np.array2string(table, max_line_width=200))
        page.evaluate("shown => (document.querySelector('main').innerHTML = shown)", shown)
        heights = page.locator("pre.output span").evaluate_all(
            "all => all.map((e) => e.offsetHeight)"
        )
        assert (max(heights) < 30) == whole
        grounds = page.locator("pre.output span").evaluate_all(
            "all => all.map((e) => getComputedStyle(e).backgroundColor)"
        )
        assert (len({*grounds}) == 1) == whole


@pytest.mark.parametrize(("language", "said"), [("en", "a row"), ("es", "una fila")])
def test_code_and_what_it_prints_speak_the_language_of_the_page(language, said):
    source = 'print("a row · una fila")\nx = 1  # one · uno'
    own = lesson._own_halves(source, language)
    assert own("a row · una fila\n[1 2]") == f"{said}\n[1 2]"
    assert own(source).splitlines()[0] == f'print("{said}")'
    assert own(source).endswith({"en": "# one", "es": "# uno"}[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_lesson_00_of_the_page_is_about_the_page(site, language):
    page = web.read(site / language / "00_start_here.html").main
    assert page.select_one("[data-scenes]")
    assert not re.search(r"Shift|Run All|JupyterLab|\[\*\]", page.get_text())


# What a reader has done. --------------------------------------------------------------------------


def test_what_was_chosen_stays_marked_in_words_and_colour_and_is_forgotten_with_a_click(
    visit, site
):
    page = visit("en/04_sinusoidal_encodings.html").page
    question = page.locator("[data-guess]").first
    wrong = question.locator("details:not(.course-right)").first
    wrong.locator("summary").click()
    told = "each => getComputedStyle(each, '::after').content"
    assert "not this one" in wrong.locator("summary").evaluate(told)
    question.locator("details.course-right summary").click()
    assert "right" in question.locator("details.course-right summary").evaluate(told)
    page.get_by_role("button", name="I have finished").click()
    page.reload()
    assert "not this one" in page.locator("details.chosen summary").first.evaluate(told)
    page.goto((site / "en" / "index.html").as_uri())
    assert page.locator("a.done").get_attribute("data-page") == "04_sinusoidal_encodings.html"
    assert page.locator(".go").inner_text().startswith("Continue: 05")
    page.get_by_role("button", name="Forget").click()
    page.wait_for_load_state()
    page.locator(".go", has_text="Start").wait_for()
    assert page.evaluate("localStorage.getItem('course-progress')") is None


# On paper. ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not build.BROWSER, reason="a browser prints the PDF")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_is_a4_and_its_contents_know_their_pages(site, language):
    pdf = (site / language / build.PDF).read_bytes()
    assert {*re.findall(rb"/MediaBox \[0 0 (\d+)\S* (\d+)", pdf)} == {(b"594", b"841")}
    pages = printed.pages_of_names(pdf)
    numbers = [pages[name] for name in LESSONS]
    assert numbers == sorted(numbers) and numbers[0] == 3
    assert pages["glossary.html"] > 40


def test_on_paper_answers_stand_at_the_end_of_their_lesson():
    choice = '<details class="course-choice{}"><summary>{}</summary><div>{}</div></details>'
    question = '<div data-guess="q">Which?' + choice.format("", "one", "No, since.")
    question += choice.format(" course-right", "two", "Yes, because.") + "</div>"
    page = lesson.Page("x.html", "x", [])
    book = lesson.parsed(printed.book_html([(page, f"{question}<p>text</p>")], SPOKEN, "claim"))
    asked = book.select_one("[data-guess]")
    assert [each.text for each in asked.select(".option")] == ["a · one", "b · two"]
    assert "because" not in asked.text
    answers = book.select_one("article > ol.answers")
    assert answers.find_previous_sibling("p").text == "text"
    assert "b ✓ Yes, because." in " ".join(answers.text.split())


# Small and low screens. ---------------------------------------------------------------------------

OVER_THE_EDGE = """() => [...document.querySelectorAll(".course-stage[style]")]
    .filter((stage) => parseFloat(stage.style.height) > stage.clientHeight + 1)
    .map((stage) => stage.closest("[data-scenes]").dataset.scenes)"""

COVERED = """() => [...document.querySelectorAll(".course-over > :not([hidden])")]
    .flatMap((over) => {
    const its = over.getBoundingClientRect();
    const marks = ".course-labels > div, .course-stage :is(circle, path), .course-map";
    return [...over.closest(".course-picture").querySelectorAll(marks)].filter((mark) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        const isAcross = left < right && its.left < right && left < its.right;
        return its.height && isAcross && its.top + 2 < bottom && top < its.bottom - 2;
    }).map((mark) => `${over.textContent} on ${mark.outerHTML}`);
})"""


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (640, 450)])
@pytest.mark.parametrize("name", ["04_sinusoidal_encodings", "05_relative_position"])
def test_an_explorer_is_painted_within_its_room_and_no_hint_covers_it(visit, name, size):
    width, height = size
    visitor = visit(f"es/{name}.html", viewport={"width": width, "height": height})
    visitor.open_explorers()
    assert visitor.page.evaluate(OVER_THE_EDGE) == []
    assert visitor.page.evaluate(COVERED) == []


@pytest.mark.parametrize("width", [360, 900, 1280])
def test_the_widest_table_needs_no_scrolling_sideways(visit, width):
    page = visit("es/08_beyond_sinusoids.html", viewport={"width": width, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_the_hint_of_the_model_that_reads_covers_no_letter(visit, options):
    page = visit("es/index.html", **options).page
    page.locator("#reader").evaluate("each => each.scrollIntoView()")
    page.locator(".course-tally b").first.wait_for()
    letters = page.locator(".course-letters").bounding_box()
    hint = page.locator(".course-drag").bounding_box()
    assert hint["y"] >= letters["y"] + letters["height"] - 4
