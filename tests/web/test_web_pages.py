"""Tests of the landing page, a lesson, the reader's progress, and the printed course."""

import json
import re
import struct

import pytest
from bs4 import BeautifulSoup
from checks import web
from checks.lesson_pages import TWO_FRAMES

from course_utils.explorers.ruler.ruler import TEXTS
from course_utils.words.text import LANGUAGES
from web import build, layout, lesson, stored

pytest_plugins = ["checks.browser", "checks.visits"]
web.read_calls(build.NOTEBOOKS)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LESSONS = [lesson.page_name(each) for each in build.LESSONS]
LESSON = "04_sinusoidal_encodings.html"
slow = pytest.mark.slow


def test_model_weights_load_when_scrolled_into_view(visit):
    visitor = visit("en/index.html")
    visitor.resize()
    weights = visitor.page.locator("script[src*=weights]")
    assert weights.count() == 0
    visitor.page.locator("#reader").evaluate("each => each.scrollIntoView()")
    weights.first.wait_for(state="attached")


def test_phone_hint_of_character_model_covers_no_letter(visit):
    page = visit("es/09_longer_than_trained.html", **PHONE).page
    place = page.locator("[data-scenes=reading_explorer]")
    place.scroll_into_view_if_needed()
    place.locator(".course-tally b").first.wait_for()
    letters, hint = (
        place.locator(each).bounding_box() for each in (".course-letters", ".course-drag")
    )
    assert hint["y"] >= letters["y"] + letters["height"] - 4


def test_missing_output_folder_is_reported(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["build.py"])
    with pytest.raises(SystemExit):
        build.main()
    assert "required: --out" in capsys.readouterr().err


def shared(page: BeautifulSoup) -> str:
    return page.select_one("meta[property='og:image']")["content"]


@pytest.mark.skipif(not build.BROWSER, reason="a browser draws the pictures")
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_lesson_has_its_own_share_picture(site, language):
    descriptions, pictures = set(), set()
    for name in (*LESSONS, "index.html"):
        page = web.read(site / language / name)
        descriptions.add(page.select_one("meta[name=description]")["content"])
        picture = (site / language / shared(page)).read_bytes()
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
        assert len(picture) < 120_000
        pictures.add(picture)
    assert len(descriptions) == len(pictures) == len(LESSONS) + 1
    lab, entrance = web.read(site / language / "lab_02_binary.html"), web.read(site / "index.html")
    assert shared(lab).endswith("03_binary_encodings.png")
    assert (site / shared(entrance)).is_file()
    in_each = entrance.select_one("meta[name=description]")["content"]
    assert "free" in in_each and "gratis" in in_each


def test_shared_link_has_full_picture_address(monkeypatch):
    site_address = "https://example.org/course/"
    monkeypatch.setattr(build, "BROWSER", "chromium")
    tags = build.sharing_tags(site_address, "es", "10_myths.html")
    assert f'content="{site_address}es/share/10_myths.png"' in tags
    assert f'content="{site_address}es/10_myths.html"' in tags
    assert f'content="{site_address}en/share/index.png"' in build.entrance(site_address)
    monkeypatch.setattr(build, "BROWSER", None)
    assert "og:image" not in build.sharing_tags("", "es", "10_myths.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_landing_has_card_for_every_lesson(site, language):
    page = web.read(site / language / "index.html")
    links = {link["data-page"]: link for link in page.select(".cards > li > a")}
    appendix = lesson.page_name(build.APPENDIX)
    assert sorted([*links, appendix]) == sorted(LESSONS)
    for link in links.values():
        assert link.select_one("svg.cover > *") and link.span.text
        assert re.fullmatch(r"\d+ min", link.small.text)
    assert links["ten_minutes.html"].small.text == "10 min"
    beneath = {
        link["data-page"]: link.find_parent("li").a["data-page"]
        for link in page.select(".cards p > a")
    }
    further = [*build.LABS, *build.DEEPER, build.APPENDIX]
    assert beneath.keys() == {lesson.page_name(each) for each in further}
    assert beneath["lab_07_longer_than_trained.html"] == "09_longer_than_trained.html"


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_page_states_hours_of_its_lessons(site, language):
    page = web.read(site / language / "index.html")
    cards = page.select(".cards > li > a")
    minutes = [int(card.small.text.split()[0]) for card in cards if card.b.text[:2] not in ("00",)]
    lessons = sum(minutes) - 10  # without "The idea in ten minutes"
    numbers = [int(each) for each in re.findall(r"\d+", page.select_one(".about").text)]
    labs = [web.read(site / language / link["href"]) for link in page.select(".cards p > a")]
    labs = [each.select_one(".minutes") for each in labs if each.body["data-page"][:4] == "lab_"]
    lab_minutes = sum(int(each["data-minutes"]) for each in labs)
    assert numbers == [len(cards) - 2, round(lessons / 60), len(labs), round(lab_minutes / 60)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_page_repeats_no_sentence_or_picture(site, language):
    page = web.read(site / language / "index.html")
    start = page.select_one(".begin .go")
    assert start["href"] == "01_why_order_matters.html"
    # Text that the explorer's script adds is not in this page.
    elements = page.main.find_all(["h1", "h2", "p", "b", "span"])
    sentences = [each.get_text().strip() for each in elements if len(each.get_text()) > 25]
    sentences = [part for each in sentences for part in re.split(r"(?<=[.?!]) ", each)]
    assert len(sentences) == len({*sentences})
    ruler = TEXTS["question"][language].casefold()
    assert page.select_one("#reader h2").text.casefold() not in ruler
    assert not {*re.findall(r"\w{5,}", ruler)} & {
        *re.findall(r"\w{5,}", page.select_one("#reader > p").text.casefold())
    }
    covers_shown = [str(each) for each in page.select(".cards svg.cover")]
    assert len(covers_shown) == len({*covers_shown}) >= 12


COUNT_SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) shifted += each.value;
}).observe({ type: 'layout-shift', buffered: true });"""

# True if every explorer that was on the screen has replaced its picture.
ARRIVED = """() => [...document.querySelectorAll("[data-scenes]")].every((place) =>
    place.getBoundingClientRect().top > innerHeight
    || place.querySelector(".course-stage svg > g, .course-own-view .course-readout > *"))"""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("es/index.html", PHONE),
        (f"en/{LESSON}", {}),
        pytest.param("en/index.html", {}, marks=slow),
        pytest.param("en/ten_minutes.html", PHONE, marks=slow),
    ],
)
def test_layout_is_stable_while_scrolling_fast(visit, name, options):
    page = visit(name, COUNT_SHIFTS, **options).page
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    for _ in range(12):
        page.mouse.wheel(0, 700)
        page.evaluate(TWO_FRAMES)
    page.wait_for_function(ARRIVED)
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("scrollY") > 0
    assert page.evaluate("shifted") <= 0.05


SPOKEN = {name.replace("-", "_"): text["en"] for name, text in build.TEXTS.items()}


def laid_out(value: dict) -> BeautifulSoup:
    """Return a paragraph with this value, and its explorer."""
    sources = ("<p>Stop at 20, not at 200.</p>", '<div data-scenes="wave_explorer"></div>')
    cells = [lesson.Cell(f"cell-{n}", lesson.parsed(source)) for n, source in enumerate(sources)]
    cells[0].values = [value]
    return lesson.parsed(layout.lesson_html(lesson.Page("x.html", "x", cells), SPOKEN, "en"))


VALUE = {"explorer": "cell-1", "text": "20", "set": {"step": 20}}


def test_link_to_notebook_cell_leads_to_its_anchor():
    address = "../notebooks/deeper/07_any.ipynb#cell-id=recap"
    linked = lesson.parsed(lesson.markdown(f"[any]({address})"))
    assert linked.a["href"] == "deeper_07_any.html#recap"


def test_value_in_text_becomes_button():
    page = laid_out(VALUE | {"text": {"en": "20", "es": "veinte"}})
    assert page.p.get_text() == "Stop at 20, not at 200."
    assert page.p.button["data-of"] == "wave_explorer"
    assert json.loads(page.p.button["data-set"]) == {"step": 20}


@pytest.mark.parametrize("wrong", [{"text": "30"}, {"explorer": "nowhere"}])
def test_value_missing_from_page_is_rejected(wrong):
    with pytest.raises(ValueError, match="cell-0"):
        laid_out(VALUE | wrong)


def test_explorers_have_text_beside_them(site):
    pages = [web.read(site / "en" / name) for name in LESSONS[2:]]
    sections = [each for page in pages for each in page.select("section.pair")]
    assert {"beside" in each["class"] for each in sections} == {True, False}
    folded = [each for page in pages for each in page.select("details.measure")]
    # The results are visible unless they would answer a question next to them.
    for each in folded:
        before = each.find_previous(lambda tag: tag.name[0] == "h" or "data-guess" in tag.attrs)
        asked = "data-guess" in before.attrs
        assert each.summary.text == SPOKEN["measure_asked" if asked else "measure"]
        assert bool(each.select("pre.output, table, figure")) == asked


@pytest.mark.parametrize(("language", "printed"), [("en", "a row"), ("es", "una fila")])
def test_code_with_output_uses_page_language(language, printed):
    source = 'print("a row · una fila")\n"""A row · Una fila"""\nx = 1  # one · uno'
    own = lesson._own_halves(source, language)
    assert own("a row · una fila\n[1 2]") == f"{printed}\n[1 2]"
    shown = [f'print("{printed}")', f'"""{printed.capitalize()}"""']
    assert own(source).splitlines()[:2] == shown
    assert own(source).endswith({"en": "# one", "es": "# uno"}[language])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS[2:])
def test_lesson_reserves_space_ends_with_next_card(site, name, language):
    page = web.read(site / language / name)
    for place in page.select("[data-scenes]"):
        assert "--phone" in place["style"], (
            f"run python tools/generate.py heights: {place['data-scenes']}"
        )
    (closing,) = page.select("#recap .closing")
    assert 100 < len(closing.text) < 700
    end = closing.find_next(class_="end")
    assert end.find("button", class_="finish") and end.select_one(".next-card a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_lesson_00_on_page_describes_page(site, language):
    page = web.read(site / language / "00_start_here.html").main
    assert page.select_one("[data-scenes]")
    assert not re.search(r"Shift|Run All|JupyterLab|\[\*\]", page.get_text())


@pytest.fixture(scope="module")
def opened(long_visit):
    """Lesson 04 with its explorers."""
    visitor = long_visit(f"en/{LESSON}")
    visitor.open_explorers()
    return visitor.page


def test_values_in_text_set_explorer(opened, visit):
    first, second = opened.locator('.value[data-of="hand_explorer"]').all()[:2]
    second.click()
    readout = opened.locator("[data-scenes=hand_explorer] .course-readout").inner_text()
    assert readout.startswith("Position 24")
    assert second.get_attribute("aria-pressed") == "true"
    assert first.get_attribute("aria-pressed") == "false"
    opened.locator("[data-scenes=hand_explorer] .state").click()
    address = opened.url.rpartition("/")[2]
    assert "#explorer-clock?" in address and "position=24" in address
    readout = visit(f"en/{address}").page.locator("[data-scenes=hand_explorer] .course-readout")
    readout.filter(has_text="Position 24").wait_for()


def test_print_has_white_pictures_open_answers(opened):
    opened.emulate_media(media="print", color_scheme="dark")
    assert not opened.locator(".course-explorer-box").first.is_visible()
    assert opened.locator("[data-scenes] img").first.is_visible()
    color = opened.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert color == "rgb(255, 255, 255)"
    assert opened.locator("details.course-choice > div").first.is_visible()
    opened.emulate_media(media="screen", color_scheme="light")


@slow
def test_play_moves_at_even_pace_between_stops(visit):
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


# Move everything in an explorer that a reader can move, and return its links and its states before
# and after.
STATE = "box => JSON.stringify(box.courseExplorer.state)"
LINKS = """async ([name, share]) => {
    const box = document.querySelector(name);
    box.querySelector('.course-guess button')?.click();
    box.querySelector('.course-more').open = true;
    const links = [];
    const keep = () => {
        box.querySelector('a.state').click();
        links.push([location.hash, JSON.stringify(box.courseExplorer.state)]);
    };
    const tell = (input, event) => input.dispatchEvent(new Event(event, {bubbles: true}));
    keep();
    for (const input of box.querySelectorAll('.course-control :is(input, select)')) {
        if (input.type === 'range') {
            const steps = Math.round((input.max - (input.min || 0)) / (input.step || 1));
            input.value = Number(input.min || 0) + Math.round(steps * share) * (input.step || 1);
            tell(input, 'input');
        } else if (input.type === 'checkbox') input.click();
        else if (input.type === 'text') (input.value = 'ñu, a+b & c = 3'), tell(input, 'input');
        else {
            input.selectedIndex = Math.round((input.options.length - 1) * share);
            tell(input, 'change');
        }
        await new Promise(requestAnimationFrame);
    }
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowUp']) {
        box.querySelector('.course-stage').dispatchEvent(new KeyboardEvent('keydown', {key}));
        await new Promise(requestAnimationFrame);
    }
    keep();
    return links;
}"""


@slow
@pytest.mark.parametrize("name", LESSONS)
def test_links_keep_every_state_of_explorer(visit, site, name):
    shown = [place["data-scenes"] for place in web.read(site / "en" / name).select("[data-scenes]")]
    first, second = (visit(f"en/{name}").page for _ in range(2))
    for explorer in shown:
        if not isinstance(build.explorer_named(explorer), build.Explorer):
            continue
        box = f'[data-scenes="{explorer}"] .course-explorer'
        first.locator(f'[data-scenes="{explorer}"]').evaluate("place => place.scrollIntoView()")
        first.locator(box).wait_for()
        links = [link for share in (0.4, 1) for link in first.evaluate(LINKS, [box, share])]
        for address, state in dict(links).items():
            second.goto("about:blank")
            second.goto(f"{site.as_uri()}/en/{name}{address}")
            second.locator(box).wait_for()
            assert second.locator(box).evaluate(STATE) == state, address


OVERLAPPING = """place => {
    const all = [...place.querySelectorAll(".course-lanes-title, .course-lanes text")];
    const meet = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const boxes = all.map((each) => each.getBoundingClientRect());
    return all.flatMap((each, i) => boxes.slice(i + 1).some((box) => meet(boxes[i], box))
        ? [each.textContent] : []);
}"""

CHANGED = {
    ("your-model.html", "model_clocks_explorer"): {
        "chosen": "gemma-3-4b", "second": "gpt-neox-20b", "length": "5000000", "way": "yarn",
    },
    ("09_longer_than_trained.html", "which_clock_explorer"): {
        "held": "3", "limit": "40", "window": "true", "stretch": "ntk", "text": "the cat sat",
    },
    ("12_beyond_words.html", "patches_explorer"): {
        "encoding": "rope", "larger": "true", "exchanged": "true", "row": "9", "column": "2",
    },
    ("12_beyond_words.html", "time_explorer"): {"positions": 2, "base": "100", "position": 9},
}  # fmt: skip


@pytest.mark.parametrize(("name", "explorer"), CHANGED)
def test_switching_languages_keeps_state(visit, name, explorer):
    page, state = visit(f"en/{name}").page, CHANGED[name, explorer]
    place = page.locator(f'[data-scenes="{explorer}"]')
    read = "place => place.querySelector('.course-explorer-box').courseExplorer.state"

    def opened() -> None:
        place.scroll_into_view_if_needed()
        place.locator(".course-readout:not(:empty)").wait_for(state="attached")

    opened()
    place.evaluate(f"(place, state) => ({read.removeprefix('place => ')} = state)", state)
    assert place.evaluate(read) == state
    for language in ("es", "en"):
        page.locator(f"a[hreflang={language}]").first.click()
        page.wait_for_url(f"**/{language}/{name}*")
        opened()
        assert place.evaluate(read) == state
    page.reload()
    opened()
    assert place.evaluate(read) != state  # only the language switch keeps it


@pytest.mark.parametrize("language", LANGUAGES)
def test_pasted_configuration_is_read(visit, language):
    page = visit(f"{language}/your-model.html", **PHONE).page
    place = page.locator("[data-scenes]")
    place.scroll_into_view_if_needed()
    readout = place.locator(".course-readout")
    readout.get_by_text("Llama 3.1 8B").first.wait_for()
    assert place.evaluate(OVERLAPPING) == []
    place.locator(".course-paste summary").click()
    box = place.locator("textarea")
    box.fill('{"model_type": "llama", "num_hidden_layers": 4, "head_dim": 64,')
    assert "JSON" in place.locator(".course-problem").inner_text()
    config = {"model_type": "llama", "num_hidden_layers": 4, "head_dim": 64}
    box.fill(json.dumps(config | {"max_position_embeddings": 2048, "rope_theta": 10_000}))
    place.locator("[data-value=yarn]").click()
    length = place.locator("input[type=range]")
    length.focus()
    length.press("End")
    readout.get_by_text('"factor": 4883.0').wait_for()
    place.locator(".state").click()
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.locator(".course-readout").get_by_text('"factor": 4883.0').wait_for()
