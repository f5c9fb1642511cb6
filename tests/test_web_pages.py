"""The first page, a lesson, what a reader has done, and the course on paper."""

import json
import re
import struct
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks import web
from private_jupyter import REPOSITORY

from course_utils import self_attention, sinusoidal_encoding
from course_utils.words.text import LANGUAGES

pytest.importorskip("latex2mathml", reason="The web edition needs the extra web.")
sys.path.append(str(REPOSITORY / "web"))
import build
import layout
import lesson
import printed
import sentence
import stored

pytest_plugins = ["checks.browser", "checks.visits"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LESSONS = [lesson.page_name(each) for each in build.LESSONS]
LESSON = "04_sinusoidal_encodings.html"
slow = pytest.mark.slow

# The first page. ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def english(long_visit):
    return long_visit("en/index.html")


@pytest.fixture(scope="module")
def spanish_on_a_phone(long_visit):
    return long_visit("es/index.html", **PHONE)


AS_IT_BEGAN = """(words) => {
    scrollTo(0, 0);
    adding.checked = false;
    begin(words.split(" "));
}"""


@pytest.fixture
def first_page(english):
    english.resize()
    english.page.evaluate(AS_IT_BEGAN, "the dog chased the cat")
    return english


@pytest.fixture
def phone(spanish_on_a_phone):
    spanish_on_a_phone.page.evaluate(AS_IT_BEGAN, "el perro persiguió al gato")
    return spanish_on_a_phone.page


WORDS = "[...document.querySelectorAll('.tile')].map((tile) => tile.textContent).join(' ')"


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["wide", "phone"])
def test_words_that_are_dragged_change_places_and_attention_alone_does_not_notice(first_page, size):
    first_page.resize(*size)
    page = first_page.page
    dog, cat = (page.locator(".tile").nth(place).bounding_box() for place in (1, 4))
    page.mouse.move(dog["x"] + 9, dog["y"] + 9)
    page.mouse.down()
    page.mouse.move(cat["x"] + 9, cat["y"] + 9, steps=5)
    page.mouse.up()
    assert page.evaluate(WORDS) == "the cat chased the dog"
    assert {*page.locator(".change").all_inner_texts()} == {"0.00"}
    assert "same sentence" in page.locator(".said").inner_text()
    page.get_by_label("add positions").check()
    assert float(page.locator(".change").nth(1).inner_text()) > 0.5
    assert "now it notices" in page.locator(".said").inner_text()


def test_a_finger_moves_a_word_and_does_not_scroll_the_page(phone):
    client = phone.context.new_cdp_session(phone)
    # Upwards, which would scroll the page.
    boxes = [phone.locator(".tile").nth(place).bounding_box() for place in (4, 3, 1)]
    points = [[{"x": box["x"] + 20, "y": box["y"] + 20}] for box in boxes]
    kinds = ("Start", "Move", "Move", "End")
    for kind, touched in zip(kinds, [*points, []], strict=True):
        client.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touched})
    assert phone.evaluate(WORDS) == "el gato persiguió al perro"
    assert phone.evaluate("scrollY") == 0


def test_words_move_by_keys_and_a_word_keeps_the_focus(first_page):
    page = first_page.page
    page.locator(".tile").nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert page.evaluate(WORDS) == "the chased cat the dog"
    assert page.evaluate("document.activeElement.textContent") == "dog"
    page.get_by_role("button", name="Put back").click()
    assert page.evaluate(WORDS) == "the dog chased the cat"


@pytest.mark.parametrize("adding", [False, True])
def test_what_comes_out_is_that_of_the_package(first_page, adding):
    words = "la casa azul que la abuela pintó ayer".split()
    out = first_page.page.evaluate(f"attended({json.dumps(words)}, {json.dumps(adding)}).out")
    vectors = np.stack([sentence.word_vector(word) for word in words])
    positions = sinusoidal_encoding(len(words), sentence.D_MODEL)
    assert np.allclose(out, self_attention(vectors + adding * positions), atol=1e-12)
    assert (vectors[0] == vectors[4]).all() and abs(vectors).max() <= 1


def test_a_reader_tries_own_words_up_to_eight(first_page):
    page = first_page.page
    page.get_by_text("Your own words").click()
    page.get_by_role("textbox").fill("One, two three four five six seven eight nine")
    page.get_by_role("button", name="Use them").click()
    assert page.evaluate(WORDS) == "one two three four five six seven eight"
    page.get_by_role("textbox").fill("alone")
    page.get_by_role("button", name="Use them").click()
    assert "two words" in page.locator(".said").inner_text()
    assert page.evaluate(WORDS).endswith("seven eight")
    page.get_by_text("Your own words").click()


TOO_LARGE = """() => [...document.querySelectorAll(".change")].filter((each) =>
    !/^\\d\\.\\d\\d$/.test(each.innerText) || each.offsetHeight >= 35
    || each.scrollWidth > each.clientWidth).map((each) => each.outerHTML)"""


def test_on_a_phone_each_number_beside_a_word_stays_on_its_line(phone):
    for words in ("el perro persiguió al gato", "uno dos tres cuatro cinco seis siete ocho"):
        phone.evaluate(AS_IT_BEGAN, words)
        phone.get_by_label("sumar posiciones").check()
        phone.locator(".tile").nth(1).press("End")
        assert phone.locator(".change").count() == len(words.split())
        assert phone.evaluate(TOO_LARGE) == []


def test_the_weights_of_the_model_come_when_a_reader_gets_there(visit):
    visitor = visit("en/index.html")
    visitor.resize()
    weights = visitor.page.locator("script[src*=weights]")
    assert weights.count() == 0
    visitor.page.locator("#reader").evaluate("each => each.scrollIntoView()")
    weights.first.wait_for(state="attached")


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["wide", "phone"])
def test_the_hint_of_the_model_that_reads_covers_no_letter(first_page, size):
    first_page.resize(*size)
    first_page.open_explorers()
    letters, hint = (
        first_page.page.locator(each).bounding_box() for each in (".course-letters", ".course-drag")
    )
    assert hint["y"] >= letters["y"] + letters["height"] - 4


COLORS = "all => all.map((each) => getComputedStyle(each).backgroundColor)"


def test_in_forced_colours_stripes_keep_theirs_and_words_are_told_apart(first_page):
    page = first_page.page
    page.emulate_media(forced_colors="active")
    assert len({*page.locator(".strip i").evaluate_all(COLORS)}) > 4
    assert len({*page.locator(".tile").evaluate_all(COLORS)}) > 1
    page.emulate_media(forced_colors="none")


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
def test_every_lesson_has_a_card_with_its_minutes_and_every_lab_stands_beneath_one(site, language):
    page = web.read(site / language / "index.html")
    links = {link["data-page"]: link for link in page.select(".cards > li > a")}
    assert sorted(links) == sorted(LESSONS)
    cards = [*links]
    assert cards.index("07_pytorch_appendix.html") == cards.index("10_myths.html") + 1
    for link in links.values():
        assert link.select_one("svg.cover > *") and link.span.text
        assert re.fullmatch(r"\d+ min", link.small.text)
    assert links["ten_minutes.html"].small.text == "10 min"
    beneath = {
        link["data-page"]: link.find_parent("li").a["data-page"]
        for link in page.select(".cards p > a")
    }
    assert beneath.keys() == {lesson.page_name(each) for each in [*build.LABS, *build.DEEPER]}
    assert beneath["lab_07_longer_than_trained.html"] == "09_longer_than_trained.html"


# Nothing jumps. -----------------------------------------------------------------------------------

COUNT_SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;
}).observe({ type: 'layout-shift', buffered: true });"""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Whether every explorer that was on the screen has taken the place of its picture.
ARRIVED = """() => [...document.querySelectorAll("[data-scenes]")].every((place) =>
    place.getBoundingClientRect().top > innerHeight
    || place.querySelector(".course-stage svg > g, .course-tally b"))"""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("es/index.html", PHONE),
        (f"en/{LESSON}", {}),
        pytest.param("es/index.html", {}, marks=slow),
        pytest.param("en/index.html", PHONE, marks=slow),
        pytest.param("en/index.html", {}, marks=slow),
        pytest.param("en/ten_minutes.html", PHONE, marks=slow),
    ],
)
def test_reading_down_in_haste_with_a_slow_processor_nothing_jumps(visit, name, options):
    page = visit(name, COUNT_SHIFTS, **options).page
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for _ in range(12):
        page.mouse.wheel(0, 700)
        page.evaluate(TWO_FRAMES)
    page.wait_for_function(ARRIVED)
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("scrollY") > 0
    assert page.evaluate("shifted") <= 0.05


# How a lesson is laid out. ------------------------------------------------------------------------


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


@pytest.mark.parametrize(("letters", "kind"), [(layout.LETTERS_BESIDE, "beside"), (400, "pair")])
def test_an_explorer_stands_beside_its_paragraphs_where_there_are_enough(letters, kind):
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


def test_neighbours_that_only_measure_are_folded_together():
    cells = cells_of("<p>text</p>", "<p>tells</p>", "<pre>1</pre>", "<p>more</p>")
    for cell in cells[1:3]:
        cell.tags = [layout.FOLDED]
    page = laid_out(cells)
    assert page.details.summary.text == SPOKEN["measure"]
    assert [each["id"] for each in page.select("details > div")] == ["cell-1", "cell-2"]


@pytest.mark.parametrize(("language", "said"), [("en", "a row"), ("es", "una fila")])
def test_code_and_what_it_prints_speak_the_language_of_the_page(language, said):
    source = 'print("a row · una fila")\nx = 1  # one · uno'
    own = lesson._own_halves(source, language)
    assert own("a row · una fila\n[1 2]") == f"{said}\n[1 2]"
    assert own(source).splitlines()[0] == f'print("{said}")'
    assert own(source).endswith({"en": "# one", "es": "# uno"}[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_has_the_code_that_measures_it_behind_a_line_that_opens(site, language):
    page = web.read(site / language / "10_myths.html")
    measured = [each.text for each in page.select("details.measure .code")]
    assert len(measured) > 5 and all("def " in code for code in measured)


@pytest.mark.parametrize("name", [*LESSONS, "index.html"])
def test_every_explorer_has_its_room_kept_until_it_is_there(site, name):
    for place in web.read(site / "es" / name).select("[data-scenes]"):
        assert "--phone" in place["style"], f"run web/heights.py: {place['data-scenes']}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS[2:])
def test_a_lesson_closes_with_a_few_lines_before_its_tick_and_the_next_card(site, name, language):
    (closing,) = web.read(site / language / name).select("#recap .closing")
    assert 100 < len(closing.text) < 700
    end = closing.find_next(class_="end")
    assert end.find("button", class_="finish") and end.select_one(".next-card a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_lesson_00_of_the_page_is_about_the_page(site, language):
    page = web.read(site / language / "00_start_here.html").main
    assert page.select_one("[data-scenes]")
    assert not re.search(r"Shift|Run All|JupyterLab|\[\*\]", page.get_text())


# A lesson that a reader has opened. ---------------------------------------------------------------

COUNT_WATCHING = """
    window.watching = new Set();
    const { observe, disconnect } = MutationObserver.prototype;
    MutationObserver.prototype.observe = function (place, options) {
        if (options.childList && place === document.body) watching.add(this);
        observe.call(this, place, options);
    };
    MutationObserver.prototype.disconnect = function () {
        watching.delete(this);
        disconnect.call(this);
    };"""


@pytest.fixture(scope="module")
def opened(long_visit):
    """Lesson 04 with its explorers."""
    visitor = long_visit(f"en/{LESSON}", COUNT_WATCHING)
    visitor.open_explorers()
    return visitor.page


def test_the_first_explorer_stands_on_the_first_screen(opened):
    opened.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    assert opened.locator(".card").first.bounding_box()["y"] < 450


def test_an_explorer_that_stands_on_the_page_no_longer_watches_it(opened):
    assert opened.locator(".course-explorer-box").count() > 3
    assert opened.evaluate("watching.size") == 0


def test_values_in_a_lesson_set_its_explorer_and_show_which_is_set(opened):
    first, second = opened.locator('.value[data-of="hand_explorer"]').all()[:2]
    second.click()
    said = opened.locator("[data-scenes=hand_explorer] .course-readout").inner_text()
    assert said.startswith("Position 24")
    assert second.get_attribute("aria-pressed") == "true"
    assert first.get_attribute("aria-pressed") == "false"


def test_a_link_keeps_the_state_of_an_explorer(opened, visit):
    opened.locator('.value[data-of="hand_explorer"]').nth(1).click()
    opened.locator("[data-scenes=hand_explorer] .state").click()
    address = opened.url.rpartition("/")[2]
    assert "#explorer-clock?" in address and "position=24" in address
    said = visit(f"en/{address}").page.locator("[data-scenes=hand_explorer] .course-readout")
    said.filter(has_text="Position 24").wait_for()


def test_in_print_the_stored_pictures_stand_on_white_and_answers_are_open(opened):
    opened.emulate_media(media="print", color_scheme="dark")
    assert not opened.locator(".course-explorer-box").first.is_visible()
    assert opened.locator("[data-scenes] img").first.is_visible()
    color = opened.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert color == "rgb(255, 255, 255)"
    assert opened.locator("details.course-choice > div").first.is_visible()
    opened.emulate_media(media="screen", color_scheme="light")


def test_play_goes_from_stop_to_stop_at_an_even_pace_and_can_start_again(visit):
    visitor = visit("en/08_beyond_sinusoids.html")
    visitor.page.clock.install()
    visitor.open_explorers()
    place = visitor.page.locator("[data-scenes=score_explorer]")
    output = place.locator(".course-control", has_text="both move on by").locator("output")
    visitor.page.clock.pause_at(visitor.page.evaluate("Date.now()") + 1000)
    stops = stored.STOPS["score_explorer"]["moved_on"]
    for played in (stops, stops[:2]):
        place.locator(".course-play").click()
        visitor.page.clock.run_for(100)
        for stop in played:
            assert output.inner_text() == str(stop)
            visitor.page.clock.run_for(1000)  # as in the notebook


def test_a_choice_on_a_page_sets_the_model_that_reads(visit):
    page = visit("es/ten_minutes.html").page
    place = page.locator("[data-scenes=reading_explorer]")
    place.scroll_into_view_if_needed()
    place.locator(".course-tally b").first.wait_for()
    said = place.locator(".course-tally").inner_text()
    place.get_by_role("radio", name="RoPE").first.click()
    place.locator(".course-tally").filter(has_not_text=said).wait_for()


# What every page has besides. ---------------------------------------------------------------------

FORBIDDEN = {
    "storage": "Object.defineProperty(window, 'localStorage', { get() { throw Error('no'); } });",
    "unpacking": "delete window.DecompressionStream;",
    "scenes": "HTMLHeadElement.prototype.append = () => {};",
}


@pytest.mark.parametrize("missing", FORBIDDEN)
def test_what_a_browser_forbids_takes_nothing_else_away(site, visit, missing):
    page = visit(f"es/{LESSON}", FORBIDDEN[missing]).page
    place = page.locator("[data-scenes]").first
    place.scroll_into_view_if_needed()
    live = place.locator(".course-stage canvas, .course-stage path").first
    (live if missing == "storage" else place.locator("img")).wait_for()
    assert page.get_by_role("searchbox").is_visible()
    assert "quedan" in page.locator(".minutes").inner_text()
    page.goto((site / "index.html").as_uri())
    page.locator("main").wait_for()
    page.locator("header a[hreflang=es]").click()
    page.wait_for_url("**/es/index.html")


def test_without_javascript_questions_open_and_every_explorer_is_a_picture(visit):
    page = visit(f"es/{LESSON}", java_script_enabled=False).page
    assert not page.get_by_role("search").is_visible()
    assert page.locator("math").first.is_visible()
    choice = page.locator("details.course-choice").first
    assert not choice.locator("div").first.is_visible()
    choice.locator("summary").click()
    assert choice.locator("div").first.is_visible()
    for place in page.locator("[data-scenes]").all():
        for question in place.locator("summary").all():  # what it asks is folded with its answer
            question.click()
        picture = place.locator("img")
        picture.scroll_into_view_if_needed()
        assert picture.get_attribute("alt") and picture.bounding_box()["width"] > 300
        assert place.bounding_box()["height"] < picture.bounding_box()["height"] + 350


def test_without_javascript_the_sentence_stands_there_with_its_stripes(site):
    page = web.read(site / "en" / "index.html")
    assert [each.text for each in page.select(".tile")] == "the dog chased the cat".split()
    assert len({*(" ".join(each["class"]) for each in page.select(".strip i"))}) > 4


def test_on_a_phone_a_picture_fills_the_screen_until_it_is_closed(visit):
    page = visit("es/07_inside_attention.html", **PHONE).page
    # No explorer takes the place of this one; it waits for a choice.
    page.locator("#question-sizes summary").first.click()
    link = page.locator("#picture-sizes a.picture:visible")
    shown = link.bounding_box()
    link.click()
    large = page.locator("dialog img").bounding_box()
    assert large["height"] > 2 * shown["width"] and large["x"] >= 0
    assert large["x"] + large["width"] <= 390 and large["y"] + large["height"] <= 844
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


HIDDEN = """figure => {
    const { content, backdropFilter } = getComputedStyle(figure, "::after");
    return content === '"?"' && backdropFilter !== "none";
}"""


def test_a_picture_below_its_question_is_covered_until_a_choice_was_opened(visit):
    page = visit("en/09_longer_than_trained.html").page
    below = page.locator("#picture-bits figure.course-figure")
    assert below.evaluate(HIDDEN)
    assert not page.locator("#picture-distance figure.course-figure").evaluate(HIDDEN)
    for _ in range(2):  # it is open, and then closed again
        page.locator("#question-which-stays-calm summary").first.click()
        assert not below.evaluate(HIDDEN)


LOW_ROWS = """() => [...document.querySelectorAll("table.course-report-card tbody tr")]
    .map((row) => row.offsetHeight).filter((height) => height <= 20)"""


def test_on_a_phone_every_row_of_the_report_card_is_seen(visit):
    page = visit("en/01_why_order_matters.html", **PHONE).page
    assert page.locator("table.course-report-card tbody tr").count() > 0
    assert page.evaluate(LOW_ROWS) == []


def test_on_a_phone_rows_of_numbers_stay_whole_or_are_told_apart(visit):
    matrix = np.round(np.random.default_rng(1).uniform(-1, 1, (4, 8)), 2)
    page = visit("en/01_why_order_matters.html", **PHONE).page
    for table, whole in ((matrix, True), (np.hstack([matrix, matrix]), False)):
        shown = lesson._lines("output", np.array2string(table, max_line_width=200))
        page.evaluate("shown => (document.querySelector('main').innerHTML = shown)", shown)
        rows = page.locator("pre.output span")
        heights = rows.evaluate_all("all => all.map((each) => each.offsetHeight)")
        assert (max(heights) < 30) == whole
        assert (len({*rows.evaluate_all(COLORS)}) == 1) == whole


def test_the_other_language_goes_on_at_the_same_place_and_is_kept(site, visit):
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


def test_the_search_finds_words_in_any_spelling_and_leads_there(visit):
    page = visit("es/index.html").page
    results = page.locator("[role=search] li")
    for asked, found in (("rotacion", "05"), ("bfloat16", "06"), ("ALiBi penal", "")):
        page.get_by_role("searchbox").fill(asked)
        results.first.wait_for()
        assert any(found in title for title in results.all_inner_texts())
    results.first.locator("a").click()
    page.wait_for_url("**#*")
    assert page.locator(f"[id='{page.url.split('#')[1]}']").count() == 1


# What a reader has done. --------------------------------------------------------------------------


def test_the_minutes_left_fall_to_none_and_guesses_are_counted(visit):
    page = visit("en/10_myths.html").page
    minutes = page.locator(".minutes")
    said = nbformat.read(build.FOLDER / "10_myths.ipynb", as_version=4).cells[0].source
    assert minutes.inner_text().startswith(re.search(r"\d+ (?=minutes)", said)[0])
    claims = page.locator(".course-claim")
    for claim in claims.all():
        claim.locator("details.course-right > summary").click()
        claim.locator("details:not(.course-right) > summary").first.click()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.minutes').innerText.startsWith('0 ')")
    assert page.locator(".course-count").first.text_content() == str(claims.count()) != "0"


def test_what_was_chosen_stays_marked_in_words_and_colour_and_is_forgotten_with_a_click(
    visit, site
):
    page = visit(f"en/{LESSON}").page
    page.clock.install()
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
    assert page.locator("a.done").get_attribute("data-page") == LESSON
    assert page.locator(".go").inner_text().startswith("Continue: 05")
    page.get_by_role("button", name="Forget").click()
    page.clock.fast_forward(2000)
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
