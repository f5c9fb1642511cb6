"""Tests of the content of all web pages and their explorers."""

import re
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest
from checks import web
from checks.lesson_pages import FAINT, PICTURE_AT_REST, assert_axe_finds_nothing_serious
from private_jupyter import REPOSITORY

from course_utils.explorers.scene.explorer import STILL
from course_utils.pictures.drawing import WIDTH
from course_utils.pictures.on_paper import TICK_SIZE
from course_utils.pictures.scenes import as_data
from course_utils.words.text import LANGUAGES
from web import build, lab, lesson, stored

pytest_plugins = ["checks.browser", "checks.visits"]
web.read_calls(build.NOTEBOOKS)

NOTEBOOKS = {lesson.page_name(each): each for each in build.NOTEBOOKS}
FIRST = lesson.page_name(build.FIRST)
PAGES = [*NOTEBOOKS, "index.html"]
OTHER = {"en": "es", "es": "en"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_page_is_complete_small_monolingual_offline(site, name, language):
    page = site / language / name
    assert web.asked_of_others(page) == []
    assert web.dead_links(page) == []
    assert web.in_other_languages(page) == []
    assert max(web.weights(page)) < web.HEAVIEST_PAGE
    assert len({len(web.read(site / each / name).select(".cell")) for each in LANGUAGES}) == 1
    address_label = f"{build.TEXTS['run'][language]}: "
    assert (address_label in web.read(page).footer.get_text()) == (name in NOTEBOOKS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [each for each in NOTEBOOKS if each != FIRST])
def test_every_formula_is_converted(site, name, language) -> None:
    cells = nbformat.read(NOTEBOOKS[name], as_version=4).cells
    cells = lab.for_reading(cells) if name.startswith("lab_") else cells
    sources = [lesson.prose(c.source, language) for c in cells if c.cell_type == "markdown"]
    for output in (each for cell in cells for each in cell.get("outputs", [])):
        shown = re.sub('base64,[^"]*', "", output.get("data", {}).get("text/html", ""))
        sources += [lesson.in_one_language(shown, language)] if "$" in shown else []
    assert web.wrong_formulas(site / language / name, sources) == []


def test_stored_scenes_are_small(site) -> None:
    sizes = [each.stat().st_size for each in site.glob("*/scenes/*.js")]
    assert len(sizes) >= 2 * 19 and max(sizes) < web.HEAVIEST_EXPLORER


def outputs_of(cells: list) -> list[dict]:
    outputs = (output for cell in cells for output in cell.get("outputs", []))
    return [output.get("data", {}) for output in outputs]


@pytest.mark.parametrize("language", LANGUAGES)
def test_downloaded_notebooks_install_course(site, language) -> None:
    for source in NOTEBOOKS.values():
        file = site / language / "files" / source.relative_to(REPOSITORY)
        made, course = (nbformat.read(each, as_version=4).cells for each in (file, source))
        first = made.pop(1).source
        assert f'os.environ["COURSE_LANGUAGE"] = "{language}"' in first
        (wheel,) = re.findall(r"%pip install -q (\S+)", first)
        assert (file.parent / wheel).resolve().is_file()
        assert [each.cell_type for each in made] == [each.cell_type for each in course]
        code = [[e.source for e in cells if e.cell_type == "code"] for cells in (made, course)]
        assert code[0] == code[1]
        for data, before in zip(outputs_of(made), outputs_of(course), strict=True):
            assert data.keys() == before.keys()
            assert data.get("image/png", "") in data.get("text/html", "")
        text = file.read_text("utf-8").replace("\\", "")
        assert f'lang="{OTHER[language]}"' not in text
        for numbers in re.findall(r"(?:\.\./)+experiments/[\w.]+", text):
            assert (file.parent / numbers).is_file()


TYPICAL = ("04_", "index")
WHOLE = [
    name if name.startswith(TYPICAL) else pytest.param(name, marks=pytest.mark.slow)
    for name in PAGES
]


@pytest.fixture(scope="module", params=WHOLE)
def whole(long_visit, request):
    """Open a page in Spanish, which needs more space, with all explorers and disclosures."""
    visitor = long_visit(f"es/{request.param}", has_touch=True)
    visitor.open_explorers()
    visitor.unfold()
    yield visitor
    visitor.close()


# Anything wider than its container: the page, elements that would scroll, and button labels.
WIDER = """() => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page scrolls to ${page.scrollWidth}`);
    for (const each of document.querySelectorAll("main *")) {
        if (!each.clientWidth || each.scrollWidth <= each.clientWidth + 1) continue;
        const { overflowX } = getComputedStyle(each);
        const scrolls = /auto|scroll/.test(overflowX) && !each.matches(".picture");
        if (scrolls || each.matches("button")) found.push(each.outerHTML);
    }
    return found;
}"""

# Elements over a picture that extend beyond its sides.
STICKS_OUT = """() => [...document.querySelectorAll(".course-over > *")].filter((each) => {
    const [{ left, right, width }, stage] = [each, each.closest(".course-picture").firstChild].map(
        (element) => element.getBoundingClientRect());
    return width && (left < stage.left - 1 || right > stage.right + 1);
}).map((each) => each.innerText)"""

# Size in pixels of the smallest letters in a stored picture, by width, at 100 pixels per inch.
SMALLEST = {str(WIDTH): 12.1 * 100 / 72, str(STILL): TICK_SIZE * 100 / 72}

# An explorer's still picture is visible only for a moment, so it is not checked.
SMALL_LETTERS = """(sizes) => [
    ...[...document.querySelectorAll("main :not(math *)")].filter((each) =>
        [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
        && parseFloat(getComputedStyle(each).fontSize) < 11 && each.checkVisibility()),
    ...[...document.querySelectorAll("main .picture:not([data-scenes] *) img")].filter((image) =>
        image.checkVisibility() && !(image.clientWidth / image.getAttribute("width")
            * sizes[image.getAttribute("width")] >= 12)),
].map((each) => each.outerHTML)"""

PAINTED_OVER_THE_EDGE = """() => [...document.querySelectorAll(".course-stage[style]")]
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

SPACED = """* { letter-spacing: 0.12em !important; line-height: 1.5 !important;
    word-spacing: 0.16em !important; }"""


def test_nothing_overflows_on_any_screen(whole) -> None:
    for size in ((390, 844), (640, 450), (1280, 720)):
        whole.resize(*size)
        for problems in (WIDER, PAINTED_OVER_THE_EDGE, STICKS_OUT, COVERED):
            assert whole.page.evaluate(problems) == [], size


def test_phone_text_is_legible_at_double_size(whole) -> None:
    whole.resize(390, 844)
    assert whole.page.evaluate(SMALL_LETTERS, SMALLEST) == []
    whole.resize(195, 422)
    assert whole.page.evaluate("document.documentElement.scrollWidth") <= 195
    whole.resize(640, 450)
    style = whole.page.add_style_tag(content=SPACED)
    assert whole.page.evaluate(WIDER) == []
    style.evaluate("style => style.remove()")


def test_axe_finds_nothing_serious_in_either_theme(whole) -> None:
    whole.resize()
    for theme in ("dark", "light"):
        whole.page.emulate_media(color_scheme=theme)
        whole.page.locator(f"[data-theme={theme}]").wait_for()
        assert whole.page.locator("body").evaluate(FAINT) == []
    is_typical = Path(whole.page.url).name.startswith(TYPICAL)
    assert_axe_finds_nothing_serious(whole.page, of_colors=is_typical)


LOOK = """box => [...box.querySelectorAll('canvas')].map((map) => map.toDataURL()).join('')
    + box.querySelector('.course-stage > svg').outerHTML.replace(/course-[a-z0-9]{6,}/g, '')
    + ['.course-labels', '.course-readout'].map((each) => box.querySelector(each).innerHTML)"""
KEYS = {
    "range": ["ArrowRight", "Home", "End"],
    "checkbox": ["Space"],
    "select-one": ["End", "Home"],
    "text": ["w", "e", "Space", "s"],
}


def test_every_control_changes_picture(whole) -> None:
    """The test uses only keys. No control may be permanently disabled."""
    whole.resize()

    def changes(box, control, keys: list[str]) -> bool:
        box.locator(".course-stage").evaluate(PICTURE_AT_REST)
        before = box.evaluate(LOOK)
        control.focus()
        return any(whole.page.keyboard.press(key) or box.evaluate(LOOK) != before for key in keys)

    # The reading explorer has its own keys, which test_browser_reading tests.
    for box in whole.page.locator(".course-explorer-box:has(.course-stage)").all():
        controls = box.locator(".course-control :is(input, select)")
        assert controls.evaluate_all("all => all.every((each) => each.labels[0].innerText.trim())")
        waiting = {*range(controls.count())}
        assert waiting
        for choice in range(3):  # some controls are enabled by one of these choices
            for number, control in enumerate(controls.all() if waiting else []):
                if control.is_disabled():
                    continue
                kind = control.evaluate("each => each.type")
                keys = KEYS[kind] + ["ArrowDown"] * choice * (kind == "select-one")
                assert changes(box, control, keys), number
                waiting.discard(number)
        assert not waiting


STORED = """async ([name, every]) => {
    const [traits, stored] = await new Promise((resolve) => {
        // The page may be loading an explorer of its own at the same time.
        window.takeExplorer = (which, _, ...given) => which === name && resolve(given);
        loadScript(`scenes/${name}.js`);
    });
    const { module } = await moduleOf("scene"), model = new Model(traits);
    await module.withoutKernel({ model, data: bytesOf(stored) });
    const stops = traits.explorer.controls.map(({ names }) => names.length);
    const count = stops.reduce((all, length) => all * length, 1);
    const setting = (number) => stops.map((length, i) =>
        Math.floor(number / stops.slice(i + 1).reduce((all, each) => all * each, 1)) % length);
    const tables = (value) => value?.numbers ? [[...value.numbers]]
        : value && typeof value === "object" ? Object.values(value).flatMap(tables) : [];
    const all = [];
    for (let at = 0; at < count; at += every) {
        model.set("at", setting(at));
        const { readouts, ...rest } = model.get("scene_data");
        const sentences = module.sentencesAt(readouts, { position: 0, offset: 0 }, language);
        all.push({ sentences, tables: tables(rest) });
    }
    return all;
}"""


def numbers_in(value: object) -> list:
    if isinstance(value, dict):
        if "numbers" in value:
            return [value]
        value = list(value.values())
    return sum(map(numbers_in, value), []) if isinstance(value, list) else []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_stored_scenes_match_python(site, visit, language) -> None:
    """The test uses a few settings of each explorer; tests/explorers cover all positions."""
    page = visit(f"{language}/04_sinusoidal_encodings.html").page
    for path in sorted(site.glob(f"{language}/scenes/*.js")):
        if not isinstance(build.explorer_named(path.stem), build.Explorer):
            continue
        explorer = build.explorer_named(path.stem)
        stops = stored.stops_of(explorer, path.stem.partition("-")[0])
        settings = [dict(zip(stops, values, strict=True)) for values in product(*stops.values())]
        every = len(settings) // 5 + 1
        shown = page.evaluate(STORED, [path.stem, every])
        for values, found in zip(settings[::every], shown, strict=True):
            scene = explorer.scene_for(**values)
            assert found["sentences"] == scene.sentence(0, 0)[language], (path.stem, values)
            for wanted, table in zip(numbers_in(as_data(scene)), found["tables"], strict=True):
                numbers = np.frombuffer(wanted["numbers"], "<f4")
                within = float(np.nanmax(np.abs(numbers), initial=1)) / 2_000
                assert np.allclose(table, numbers, rtol=0, atol=within, equal_nan=True)
