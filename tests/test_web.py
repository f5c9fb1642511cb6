"""The web edition: what every page must and must not hold, and what its explorers say."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
import numpy as np
import pytest
from checks import web
from private_jupyter import REPOSITORY

from course_utils.pictures.scenes import as_data
from course_utils.words.text import LANGUAGES

pytest.importorskip("latex2mathml", reason="The web edition needs the extra web.")
sys.path.append(str(REPOSITORY / "web"))
import build
import lesson
import stored

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Browser, Page
except ImportError:
    Axe = None

pytest_plugins = ["checks.browser"]

NOTEBOOKS = {lesson.page_name(each): each for each in build.NOTEBOOKS}
PAGES = [f"{language}/{name}" for language in LANGUAGES for name in [*NOTEBOOKS, "index.html"]]
OTHER = {"en": "es", "es": "en"}


def slow_but(some: str, names: Iterable[str]) -> list:
    """All are tried by .ci/run, and those whose name has one of these parts each time."""
    return [
        name if re.search(some, name) else pytest.param(name, marks=pytest.mark.slow)
        for name in names
    ]


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder in COURSE_SITE, or else one that is built now."""
    if folder := os.environ.get("COURSE_SITE"):
        return Path(folder).resolve()
    folder = tmp_path_factory.mktemp("web") / "site"
    command = [sys.executable, REPOSITORY / "web" / "build.py", "--out", folder]
    subprocess.run(command, check=True, timeout=600)
    return folder


SHOW = """place => (place.querySelector(".course-stage") ?? place.firstElementChild)
    .scrollIntoView({ block: "center", behavior: "instant" })"""

PAINTED = ".course-stage svg > g, .course-letters > span:not(.course-next)"


class Visit:
    """A page that a reader has opened from the folder on disk, and what went wrong on it."""

    def __init__(
        self, browser: "Browser", site: Path, name: str, before: str = "", **options: object
    ) -> None:
        self.complaints: list[str] = []
        options = {"viewport": {"width": 1280, "height": 900}} | options
        self.page: Page = browser.new_context(**options).new_page()
        self.page.add_init_script(before)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._check)
        self.page.goto((site / name).as_uri())

    def _note(self, message) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _check(self, request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.complaints.append(f"request to {request.url}")

    def open_explorers(self) -> None:
        for place in self.page.locator("main [data-scenes]:not(.reader *)").all():
            place.evaluate(SHOW)
            place.locator(PAINTED).first.wait_for(state="attached")
            for button in place.locator(".course-guess button").all():
                button.click()

    def close(self) -> None:
        self.page.context.close()
        assert self.complaints == []


@pytest.fixture
def visit(browser, site) -> Iterator:
    visits = []

    def go(name: str, before: str = "", **options: object) -> Visit:
        visits.append(Visit(browser, site, name, before, **options))
        return visits[-1]

    yield go
    for each in visits:
        each.close()


# What is written. ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_light_in_one_language_and_asks_no_other_server(site, name) -> None:
    page = site / name
    assert web.asked_of_others(page) == []
    assert web.dead_links(page) == []
    assert web.in_other_languages(page) == []
    assert max(web.weights(page)) < web.HEAVIEST_PAGE
    cells = [len(web.read(site / each / page.name).select(".cell")) for each in LANGUAGES]
    assert len({*cells}) == 1


OF_A_NOTEBOOK = [name for name in NOTEBOOKS if name != lesson.page_name(build.FIRST)]


@pytest.mark.parametrize("name", OF_A_NOTEBOOK)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_formula_is_converted(site, name, language) -> None:
    cells = nbformat.read(NOTEBOOKS[name], as_version=4).cells
    sources = [lesson.prose(c.source, language) for c in cells if c.cell_type == "markdown"]
    shown = [
        out.get("data", {}).get("text/html", "") for c in cells for out in c.get("outputs", [])
    ]
    sources += [
        re.sub('base64,[^"]*', "", lesson.in_one_language(each, language)) for each in shown
    ]
    assert web.wrong_formulas(site / language / name, sources) == []


def test_the_scenes_of_an_explorer_are_light(site) -> None:
    scripts = sorted(site.glob("*/scenes/*.js"))
    assert len(scripts) >= 2 * 19
    heavy = [each for each in scripts if each.stat().st_size > web.HEAVIEST_EXPLORER]
    assert heavy == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_notebooks_speak_one_language_and_install_the_course(site, language) -> None:
    for source in NOTEBOOKS.values():
        file = site / language / "files" / source.relative_to(REPOSITORY)
        made = nbformat.read(file, as_version=4)
        nbformat.validate(made)
        assert len(made.cells) == 1 + len(nbformat.read(source, as_version=4).cells)
        assert f'os.environ["COURSE_LANGUAGE"] = "{language}"' in made.cells[1].source
        assert f'lang="{OTHER[language]}"' not in file.read_text("utf-8").replace("\\", "")
        (wheel,) = re.findall(r"%pip install -q (\S+)", made.cells[1].source)
        assert (file.parent / wheel).resolve().is_file()


# What moves. --------------------------------------------------------------------------------------

SAID = """async ([name, sampled]) => {
    const [spec, packed] = await new Promise((resolve) => {
        // The page may be loading an explorer of its own at the same time.
        window.takeScenes = (which, ...given) => which === name && resolve(given);
        loadScript(`scenes/${name}.js`);
    });
    const { scene } = await unpacked(packed);
    const count = spec.explorer.controls.reduce((all, { names }) => all * names.length, 1);
    const tables = (value) => value?.numbers ? [[...value.numbers]]
        : value && typeof value === "object" ? Object.values(value).flatMap(tables) : [];
    const all = { said: [], tables: {} };
    for (let at = 0; at < count; at++) {
        const { readouts, n_positions, n_offsets, ...rest } = scene(at);
        const places = Array.from({ length: Math.max(n_positions, n_offsets) }, (_, i) =>
            ({ position: Math.min(i, n_positions - 1), offset: Math.min(i, n_offsets - 1) }));
        all.said.push(places.map((each) => view.saidAt(readouts, each, language)).join("\\n"));
        if (at % sampled === 0) all.tables[at] = tables(rest);
    }
    return all;
}"""


def numbers_in(value: object) -> list:
    if isinstance(value, dict):
        if "numbers" in value:
            return [value]
        value = list(value.values())
    return sum(map(numbers_in, value), []) if isinstance(value, list) else []


def explorer_names(site: Path) -> list[str]:
    names = sorted({each.stem for each in site.glob("*/scenes/*.js")})
    return [name for name in names if not name.startswith(build.READERS)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_read_out_of_every_stop_is_that_of_python(site, visit, language) -> None:
    page = visit(f"{language}/04_sinusoidal_encodings.html").page
    for name in explorer_names(site):
        function, *given = name.split("-")
        explorer = getattr(build.explorers, function)(*given)
        stops = stored.stops_of(explorer, function)
        found = page.evaluate(SAID, [name, 37])
        scenes = list(stored.scenes_of(explorer, stops))
        assert len(found["said"]) == len(scenes)
        for at, scene in enumerate(scenes):
            ends = scene.n_positions - 1, scene.n_offsets - 1
            places = [(min(i, ends[0]), min(i, ends[1])) for i in range(max(ends) + 1)]
            said = "\n".join(scene.said(*place)[language] for place in places)
            assert found["said"][at] == said, (name, at)
            if at % 37:
                continue
            tables = zip(numbers_in(as_data(scene)), found["tables"][str(at)], strict=True)
            for wanted, shown in tables:
                table = np.frombuffer(wanted["numbers"], "<f4")
                within = float(np.nanmax(np.abs(table), initial=1)) / 2_000
                assert shown == pytest.approx(table.tolist(), abs=within, nan_ok=True)


LOOK = """box => [...box.querySelectorAll('canvas')].map((map) => map.toDataURL()).join('')
    + box.querySelector('.course-stage > svg').outerHTML.replace(/course-[a-z0-9]{6,}/g, '')
    + ['.course-labels', '.course-readout'].map((each) => box.querySelector(each).innerHTML)"""
KEYS = {
    "range": ["Home", "ArrowRight", "End"],
    "checkbox": ["Space"],
    "select": ["End", "Home"],
    "text": ["w", "e", "Space", "s"],
}


@pytest.mark.parametrize(
    "name", slow_but("es/04|en/09", [each for each in PAGES if each[3].isdigit()])
)
def test_every_control_that_can_be_moved_changes_the_picture(visit, name) -> None:
    """By key alone. None is there that can never be moved."""
    visitor = visit(name)
    visitor.open_explorers()
    # The model that reads has keys of its own: test_browser_reading.
    for box in visitor.page.locator(".course-explorer-box:has(.course-stage)").all():
        box.locator(".course-more").evaluate_all("all => all.forEach((each) => (each.open = true))")
        controls = box.locator(".course-control :is(input, select)")
        moved = set()
        for choice in range(3):  # what waits for another choice can be moved with one of these
            for number, control in enumerate(controls.all()):
                assert control.evaluate("each => each.labels[0].innerText.trim()")
                if control.is_disabled():
                    continue
                control.focus()
                looks = {box.evaluate(LOOK)}
                kind = control.get_attribute("type") or "select"
                for key in KEYS[kind] + ["ArrowDown"] * choice * (kind == "select"):
                    visitor.page.keyboard.press(key)
                    looks.add(box.evaluate(LOOK))
                assert len(looks) > 1, (name, number)
                moved.add(number)
        assert len(moved) == controls.count() > 0


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


def test_an_explorer_that_stands_on_the_page_no_longer_watches_it(visit) -> None:
    visitor = visit("en/04_sinusoidal_encodings.html", COUNT_WATCHING)
    visitor.open_explorers()
    assert visitor.page.locator(".course-explorer-box").count() > 3
    assert visitor.page.evaluate("watching.size") == 0


PLAYED = """async (button, most) => {
    const seen = [];
    const box = button.closest(".course-explorer-box");
    const controls = [...box.querySelectorAll(".course-control")];
    const control = controls.find((each) => each.innerText.startsWith("both move on by"));
    const output = control.querySelector("output");
    button.click();
    while (seen.length < most && button.classList.contains("course-to-pause") || !seen.length) {
        await new Promise(requestAnimationFrame);
        if (seen.at(-1)?.[0] !== output.value) seen.push([output.value, performance.now()]);
    }
    return seen;
}"""


def test_play_goes_from_stop_to_stop_at_an_even_pace_and_can_start_again(visit) -> None:
    visitor = visit("en/08_beyond_sinusoids.html")
    visitor.open_explorers()
    button = visitor.page.locator("[data-scenes=score_explorer] .course-play")
    stops = stored.STOPS["score_explorer"]["moved_on"]
    for most in (len(stops) + 1, 2):
        values, times = zip(*button.evaluate(PLAYED, most), strict=True)
        assert [*map(int, values)] == stops[:most]
        # As fast as in the notebook; a busy machine may be late for one of them.
        assert np.median(np.diff(times)) == pytest.approx(1000, abs=300)


FORBIDDEN = {
    "storage": "Object.defineProperty(window, 'localStorage', { get() { throw Error('no'); } });",
    "unpacking": "delete window.DecompressionStream;",
    "scenes": "HTMLHeadElement.prototype.append = () => {};",
}


@pytest.mark.parametrize("missing", FORBIDDEN)
def test_what_a_browser_forbids_takes_nothing_else_away(site, visit, missing) -> None:
    page = visit("es/04_sinusoidal_encodings.html", FORBIDDEN[missing]).page
    place = page.locator("[data-scenes]").first
    place.scroll_into_view_if_needed()
    live = place.locator(".course-stage canvas, .course-stage path").first
    (live if missing == "storage" else place.locator("img")).wait_for()
    assert page.get_by_role("searchbox").is_visible()
    page.locator(".minutes", has_text="quedan").wait_for()
    page.goto((site / "index.html").as_uri())
    page.locator("main").wait_for()
    page.locator("header a[hreflang=es]").click()
    page.wait_for_url("**/es/index.html")


def test_the_words_of_each_question_open_without_javascript(visit) -> None:
    page = visit("es/04_sinusoidal_encodings.html", java_script_enabled=False).page
    assert not page.get_by_role("search").is_visible()
    assert page.locator("math").first.is_visible()
    choices = page.locator("details.course-choice")
    assert choices.count() > 10
    for choice in choices.all():
        answer = choice.locator("div").first
        assert not answer.is_visible()
        choice.locator("summary").click()
        assert answer.is_visible()
    for picture in page.locator("main img").all():
        picture.scroll_into_view_if_needed()
        assert picture.get_attribute("alt") and picture.bounding_box()["width"] > 300


NARROW = """() => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page scrolls to ${page.scrollWidth}`);
    for (const each of document.querySelectorAll("main *")) {
        const style = getComputedStyle(each);
        const isWide = each.scrollWidth > each.clientWidth + 1;
        const scrolls = /auto|scroll/.test(style.overflowX) && !each.matches(".picture");
        if (isWide && scrolls) found.push(`${each.className} scrolls`);
        const says = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const small = says && parseFloat(style.fontSize) < 11 && !each.closest("math");
        if (small && each.checkVisibility()) found.push(`${each.textContent} ${style.fontSize}`);
    }
    return found;
}"""


# What lies over a picture and does not keep within it.
STICKS_OUT = """() => [...document.querySelectorAll(".course-over > *")].filter((each) => {
    const [{ left, right, width }, stage] = [each, each.closest(".course-picture").firstChild].map(
        (element) => element.getBoundingClientRect());
    return width && (left < stage.left - 1 || right > stage.right + 1);
}).map((each) => each.innerText)"""


CUT_OFF = """() => [...document.querySelectorAll("main button")]
    .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.innerText)"""

# Letters of stored pictures that are smaller than 12 pixels; the smallest have 9.5 points of 1/72
# inch, at 100 pixels an inch. Of an explorer the still picture is there for a moment only.
SMALL_LETTERS = """() => [...document.querySelectorAll("main .picture:not([data-scenes] *) img")]
    .map((image) => [image.clientWidth / image.getAttribute("width") * 9.5 / 72 * 100, image.alt])
    .filter(([size, alt]) => size < 12)"""


@pytest.mark.parametrize("name", slow_but("es/(0[48]|10|lab_07|glossary|index)|en/04", PAGES))
def test_on_a_narrow_page_nothing_scrolls_sideways_and_all_can_be_read(visit, name) -> None:
    visitor = visit(name, viewport={"width": 390, "height": 844}, has_touch=True)
    visitor.open_explorers()
    visitor.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert visitor.page.evaluate(NARROW) == []
    assert visitor.page.evaluate(STICKS_OUT) == []
    assert visitor.page.evaluate(SMALL_LETTERS) == []
    assert visitor.page.evaluate(CUT_OFF) == []


def test_on_a_phone_a_picture_fills_the_screen_until_it_is_closed(visit) -> None:
    page = visit("es/07_inside_attention.html", viewport={"width": 390, "height": 844}).page
    # No explorer takes the place of this one.
    link = page.locator("#picture-sizes a.picture:visible")
    shown = link.bounding_box()
    link.click()
    large = page.locator("dialog img").bounding_box()
    assert large["height"] > 2 * shown["width"] and large["x"] >= 0
    assert large["x"] + large["width"] <= 390 and large["y"] + large["height"] <= 844
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


@pytest.mark.parametrize(
    "name",
    ["en/index", "es/04_sinusoidal_encodings", "en/08_beyond_sinusoids", "es/lab_03_sinusoidal"],
)
def test_a_phone_with_letters_twice_as_large_scrolls_only_down(visit, name) -> None:
    visitor = visit(f"{name}.html", viewport={"width": 195, "height": 422})
    visitor.open_explorers()
    visitor.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 195


SPACED = """* { letter-spacing: 0.12em !important; line-height: 1.5 !important;
    word-spacing: 0.16em !important; }"""


@pytest.mark.parametrize(
    "name",
    ["index", "01_why_order_matters", "04_sinusoidal_encodings", "09_longer_than_trained"]
    + ["10_myths", "glossary"],
)
def test_twice_as_large_and_with_more_space_nothing_scrolls_sideways(visit, name) -> None:
    visitor = visit(f"es/{name}.html", viewport={"width": 640, "height": 450})
    visitor.open_explorers()
    visitor.page.add_style_tag(content=SPACED)
    assert [each for each in visitor.page.evaluate(NARROW) if "px" not in each] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    slow_but("/(0[149]|10|ten|index|lab_07)", [each for each in PAGES if each.startswith("es/")]),
)
def test_axe_finds_nothing_serious(visit, name, theme) -> None:
    visitor = visit(name, color_scheme=theme)
    visitor.open_explorers()
    visitor.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    result = Axe().run(visitor.page, options={"resultTypes": ["violations"], "preload": False})
    assert len(result.response["passes"]) > 10
    assert [
        f"{rule['id']} {node['html'][:200]} {node['failureSummary']}"
        for rule in result.response["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ] == []


def test_the_other_language_goes_on_at_the_same_place_and_is_kept(site, visit) -> None:
    page = visit("en/04_sinusoidal_encodings.html").page
    page.locator("#clock").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#clock').scrollIntoView()")
    # Playwright's click would scroll the page first.
    page.evaluate("document.querySelector('header a[hreflang=es]').click()")
    page.wait_for_url("**/es/04_sinusoidal_encodings.html#clock")
    assert page.locator("html").get_attribute("lang") == "es"
    top = page.locator("#clock").evaluate("each => each.getBoundingClientRect().top")
    assert abs(top) < 200
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/es/index.html")


@pytest.mark.parametrize(
    ("asked", "found"), [("rotacion", "05"), ("bfloat16", "06"), ("ALiBi penal", "")]
)
def test_the_search_finds_words_in_any_spelling_and_leads_there(visit, asked, found) -> None:
    page = visit("es/index.html").page
    page.get_by_role("searchbox").fill(asked)
    results = page.locator("[role=search] li")
    results.first.wait_for()
    titles = results.all_inner_texts()
    assert any(found in title for title in titles)
    results.first.locator("a").click()
    page.wait_for_url("**#*")
    assert page.locator(f"[id='{page.url.split('#')[1]}']").count() == 1


def test_the_minutes_left_fall_to_none_and_guesses_are_counted(visit) -> None:
    page = visit("en/10_myths.html").page
    minutes = page.locator(".minutes")
    said = nbformat.read(NOTEBOOKS["10_myths.html"], as_version=4).cells[0].source
    assert minutes.inner_text().startswith(re.search(r"\d+ (?=minutes)", said)[0])
    for claim in page.locator(".course-claim").all():
        claim.locator("details.course-right > summary").click()
        claim.locator("details:not(.course-right) > summary").first.click()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.minutes').innerText.startsWith('0 ')")
    count = page.locator(".course-claim").count()
    assert page.locator(".course-count").first.text_content() == str(count) != "0"


def test_in_print_the_stored_pictures_stand_on_white_and_answers_are_open(visit) -> None:
    visitor = visit("en/04_sinusoidal_encodings.html", color_scheme="dark")
    visitor.open_explorers()
    page = visitor.page
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator(".course-explorer-box").first.is_visible()
    assert page.locator("[data-scenes] img").first.is_visible()
    colors = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colors == "rgb(255, 255, 255)"
    assert page.locator("details.course-choice > div").first.is_visible()
