"""Explorers in a real JupyterLab and browser: what moves by which key, with or without a kernel."""

import io
import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from checks.lesson_pages import (
    Explorer,
    Lesson,
    assert_axe_finds_nothing_serious_of_ours,
    light_only,
    write_notebook,
)
from PIL import Image

from course_utils import explorers, sinusoidal_encoding
from course_utils.explorers import reading
from course_utils.pictures.scenes import Scene, Sentence
from course_utils.words import text

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]

LANGUAGES = (*text.LANGUAGES, "both")
EXPLORER_CALLS = [
    *(f"{name}()" for name in explorers.__all__ if name not in ("Explorer", *reading.__all__)),
    "sinusoidal_explorer(lambda n, d: 0.9 * sinusoidal_encoding(n, d))",
]


@pytest.fixture(scope="module")
def gallery(opened, tmp_path_factory) -> Iterator[Lesson]:
    """Every explorer on one page, whose kernel has ended: what works here needs none."""
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = opened.open(write_notebook(tmp_path_factory.mktemp("all"), imports, *EXPLORER_CALLS))
    lesson.run("all")
    boxes = lesson.notebook.locator(".course-explorer-box")
    expect(boxes).to_have_count(len(EXPLORER_CALLS), timeout=60_000)
    for number in range(len(EXPLORER_CALLS)):
        lesson.explorer(number).open()
        expect(
            lesson.explorer(number).box.locator(".course-stage svg > g > *").first
        ).to_be_attached()
    lesson.give_guesses()
    lesson.end_kernel()
    yield lesson
    lesson.close()


@pytest.fixture
def page_of_all(window, gallery) -> Lesson:
    gallery.activate()
    gallery.choose("en")
    return gallery


@pytest.fixture(params=range(len(EXPLORER_CALLS)), ids=EXPLORER_CALLS)
def any_explorer(page_of_all, request) -> Explorer:
    return page_of_all.explorer(request.param)


def choose(lesson: Lesson, explorer: Explorer, language: str) -> None:
    """The language; the switch is scrolled to, and what is out of view is not laid out."""
    lesson.choose(language)
    explorer.box.scroll_into_view_if_needed()
    expect(explorer.readout).not_to_have_text("", use_inner_text=True)


@cache
def in_python(call: str) -> explorers.Explorer:
    """The same explorer, made here."""
    return eval(call, vars(explorers) | {"sinusoidal_encoding": sinusoidal_encoding})


@pytest.fixture
def scene(request) -> Scene:
    """What the explorer of the test shows."""
    return in_python(EXPLORER_CALLS[request.node.callspec.params["any_explorer"]]).scene


NAMES = ".course-asks, .course-control :is(label, output), button, summary"
CUT_OFF = """names => names.filter(name => name.scrollWidth > name.clientWidth)
    .map(name => name.innerText)"""


def in_each_language(lesson: Lesson) -> Iterator[tuple[str, str, Explorer]]:
    """Every explorer in view, in one language after the other; the language is chosen once."""
    for language in LANGUAGES:
        lesson.choose(language)
        for number, call in enumerate(EXPLORER_CALLS):
            explorer = lesson.explorer(number)
            expect(explorer.readout).not_to_have_text("", use_inner_text=True)
            yield language, call, explorer


@light_only
def test_no_name_of_a_control_is_cut_off(page_of_all):
    for language, call, explorer in in_each_language(page_of_all):
        assert explorer.box.locator(NAMES).evaluate_all(CUT_OFF) == [], (call, language)


@pytest.fixture
def narrow(gallery) -> Iterator[None]:
    page = gallery.page
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.set_viewport_size({"width": 390, "height": 900})
    yield
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("window.jupyterapp.shell.expandLeft()")


# Letters are measured, and not the boxes that they stand in.
CROWDED = """box => {
    const found = [];
    const extent = element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const within = (inner, outer) => inner.left > outer.left - 1 && inner.right < outer.right + 1
        && inner.top > outer.top - 1 && inner.bottom < outer.bottom + 1;
    const meet = (one, other) => one.left < other.right - 0.5 && other.left < one.right - 0.5
        && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5;
    const stage = box.querySelector('.course-stage');
    const labels = [...stage.querySelectorAll('.course-labels > div')]
        .map(label => [label.innerText, extent(label)]).filter(([, {width}]) => width);
    labels.forEach(([text, place], i) => {
        if (!within(place, stage.getBoundingClientRect())) found.push(`${text} is cut off`);
        for (const [other, its] of labels.slice(i + 1)) {
            if (meet(place, its)) found.push(`${text} over ${other}`);
        }
    });
    const output = box.closest('.jp-OutputArea-output');
    for (const element of [box, stage, output, ...box.querySelectorAll('figure, .course-said')]) {
        if (element.scrollWidth > element.clientWidth) found.push(`${element.className} scrolls`);
    }
    for (const element of box.querySelectorAll('*')) {
        const says = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        const size = parseFloat(getComputedStyle(element).fontSize);
        const small = says && size < 12 && element.checkVisibility();
        if (small) found.push(`${element.innerText} ${size}`);
    }
    return found;
}"""


@light_only
def test_on_a_phone_all_is_large_enough_in_its_place_and_what_matters_on_the_screen(
    page_of_all, narrow
):
    for language, call, explorer in in_each_language(page_of_all):
        where, box = (call, language), explorer.box
        expect(explorer.picture).to_have_js_property("clientWidth", NARROW_STAGE)
        assert box.evaluate(CROWDED) == [], where
        assert box.locator(NAMES).evaluate_all(CUT_OFF) == [], where
        assert box.evaluate(TOO_SMALL) == [], where
        # The question, the picture, the sentence and the main control.
        assert language == "both" or box.evaluate(ENDS_AT) <= 844, where


@light_only
def test_on_a_phone_no_picture_changes_its_height_when_it_is_moved(page_of_all, narrow):
    for number, call in enumerate(EXPLORER_CALLS):
        explorer, heights = page_of_all.explorer(number), set()
        for key in ("Home", "ArrowRight", "End"):
            explorer.press(key)
            heights.add(explorer.box.evaluate("box => box.offsetHeight"))
        assert len(heights) == 1 and explorer.is_painted(), call


ENDS_AT = """box => box.querySelector('.course-main').getBoundingClientRect().bottom
    - box.getBoundingClientRect().top"""

# A box to tick has its whole line for a target.
TOO_SMALL = """box => [...box.querySelectorAll('input, select, button, summary')]
    .map(target => target.type === 'checkbox' ? target.parentElement : target)
    .filter(target => target.checkVisibility() && target.getBoundingClientRect().height < 44)
    .map(target => target.className)"""

NARROW_STAGE = 274  # pixels that JupyterLab leaves of 390


def pixels(explorer: Explorer) -> np.ndarray:
    # Away from JupyterLab's toolbar, which casts a shadow on what is close below it.
    explorer.picture.evaluate("stage => stage.scrollIntoView({block: 'center'})")
    over = explorer.box.locator(".course-over")
    over.evaluate("over => (over.style.visibility = 'hidden')")
    picture = explorer.picture.screenshot()
    over.evaluate("over => (over.style.visibility = '')")
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def choose_theme(lesson: Lesson, theme: str) -> None:
    lesson.page.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})",
        f"JupyterLab {theme}",
    )
    expect(lesson.page.locator("body")).to_have_attribute(
        "data-jp-theme-light", str(theme == "Light").lower(), timeout=20_000
    )


BEHIND = "box => getComputedStyle(box.closest('.jp-Notebook')).backgroundColor"


@pytest.fixture(scope="module")
def in_themes(gallery) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """The picture of each explorer, and the page's colour: as it began, in the dark and again."""
    seen = {}
    gallery.activate()
    for when, theme in (("first", "Light"), ("Dark", "Dark"), ("Light", "Light")):
        choose_theme(gallery, theme)
        seen[when] = [
            (pixels(explorer), np.array(re.findall(r"\d+", explorer.box.evaluate(BEHIND))[:3], int))
            for explorer in map(gallery.explorer, range(len(EXPLORER_CALLS)))
        ]
    return seen


@light_only
@pytest.mark.parametrize("number", range(len(EXPLORER_CALLS)), ids=EXPLORER_CALLS)
def test_the_page_stays_behind_a_picture_whatever_the_theme(window, in_themes, number):
    for theme, paper in (("Light", 255), ("Dark", 0)):
        picture, page = (part.astype(int) for part in in_themes[theme][number])
        corners = picture[[2, 2, -3, -3], [2, -3, 2, -3]]
        # The shadow of JupyterLab's toolbar may reach them, which is one grey level.
        assert np.abs(corners - page).max() <= 1, theme
        assert (np.abs(picture - page).max(axis=2) < 30).mean() > 0.2
        assert (np.abs(picture - (255 - paper)).max(axis=2) < 60).mean() < 0.05
    (light, _), (first, _) = (in_themes[when][number] for when in ("Light", "first"))
    # A picture may have been scrolled by a part of a pixel.
    assert (np.abs(light.astype(int) - first).max(axis=2) > 30).mean() < 0.01


@light_only
def test_labels_follow_the_switch_and_nothing_is_painted_again(page_of_all):
    stages = page_of_all.notebook.locator(".course-stage")
    stages.evaluate_all(
        "all => all.forEach(stage => stage.querySelectorAll('*').forEach(each => each.old = true))"
    )
    for language, call, explorer in in_each_language(page_of_all):
        stage, panels = explorer.picture, in_python(call).scene.panels
        names = [axis.quantity for panel in panels for axis in (panel.x, panel.y) if axis.quantity]
        for name in names:
            wanted = name.one_line if language == "both" else name[language]
            assert wanted in stage.inner_text().splitlines()
        shown = stage.locator("[lang]").evaluate_all(
            "halves => halves.filter(half => half.checkVisibility()).map(({lang}) => lang)"
        )
        assert set(shown) <= ({"en", "es"} if language == "both" else {language})
        # Only tiles are measured again, whose words may not fit in another language.
        if not any(isinstance(each, Sentence) for panel in panels for each in panel.moving):
            all_old = "stage => [...stage.querySelectorAll('*')].every(each => each.old)"
            assert stage.evaluate(all_old), call
        assert explorer.is_painted()


def moving(explorer: Explorer) -> str:
    return explorer.picture.locator("svg").evaluate("svg => svg.outerHTML")


def same_words(text: str) -> str:
    return " ".join(text.split())


@light_only
def test_keys_and_drags_move_pictures_and_words_of_every_explorer_without_a_kernel(
    page_of_all, any_explorer, scene
):
    def says(position: int, offset: int, language: str = "en") -> None:
        wanted = scene.said(position, offset).plain[language]
        assert same_words(any_explorer.readout.inner_text()) == same_words(wanted)

    page, box = any_explorer.page, any_explorer.box
    offsets = box.locator(".course-offset input")
    last, offset = scene.n_positions - 1, int(offsets.input_value()) if offsets.count() else 0
    seen = set()
    for key, position in [("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)]:
        any_explorer.press(key)
        says(position, offset)
        seen.add(moving(any_explorer))
    assert len(seen) == 4
    if offset:
        offsets.focus()
        page.keyboard.press("ArrowRight")
        says(last - 1, offset + 1)
        assert moving(any_explorer) not in seen
        page.keyboard.press("ArrowLeft")
    choose(page_of_all, any_explorer, "es")
    says(last - 1, offset, "es")
    if any(panel.track for panel in scene.panels):
        any_explorer.picture.scroll_into_view_if_needed()
        stage = any_explorer.picture.bounding_box()
        left, middle = stage["x"] + 5, stage["y"] + stage["height"] / 2
        page.mouse.move(left, middle)
        page.mouse.down()
        at_the_left = any_explorer.handle.input_value()
        says(int(at_the_left), offset, "es")
        page.mouse.move(left + 200, middle + 60, steps=3)
        page.mouse.up()
        expect(any_explorer.handle).not_to_have_value(at_the_left)
        if offset:  # both can be dragged in the picture
            assert scene.n_offsets > 1


# Axe takes all that stands in a notebook for hidden when it comes to colours.
FAINT = """box => {
    const channels = color => color.match(/[\\d.]+/g).map(Number);
    const linear = part => part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) =>
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const behind = element => {
        const color = channels(getComputedStyle(element).backgroundColor);
        return color.length === 3 || color[3] === 1 ? color : behind(element.parentElement);
    };
    const read = box.querySelectorAll(':not(.course-unseen, .course-unseen *, option)');
    return [...read].filter(text => {
        const says = [...text.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        const both = [channels(getComputedStyle(text).color), behind(text)].map(luminance);
        return says && (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 4.5;
    }).map(text => `${text.className} ${text.textContent}`);
}"""


def test_axe_finds_nothing_serious_in_any_explorer_and_all_words_stand_out(page_of_all):
    assert_axe_finds_nothing_serious_of_ours(page_of_all)
    for number in range(len(EXPLORER_CALLS)):
        assert page_of_all.explorer(number).box.evaluate(FAINT) == []


# Of what Play moves in the browser alone: a hand, a point in space and a row of marks.
PLAYED = [EXPLORER_CALLS.index(f"{name}_explorer()") for name in ("clock", "helix", "spacing")]
FRAMES = """([stage, ms]) => new Promise(done => {
    const seen = [];
    const start = performance.now();
    const look = now => {
        seen.push(stage.querySelector('svg').outerHTML);
        if (now - start < ms) requestAnimationFrame(look);
        else done([new Set(seen).size, seen.length]);
    };
    requestAnimationFrame(look);
})"""


def pictures_and_frames(explorer: Explorer, milliseconds: int) -> tuple[int, int]:
    """How many different pictures there are to see in that time, and how many frames."""
    stage = explorer.picture.element_handle()
    return tuple(explorer.page.evaluate(FRAMES, [stage, milliseconds]))


def is_playing(explorer: Explorer) -> bool:
    return "Pause" in explorer.play.inner_text()


@light_only
@pytest.mark.parametrize("any_explorer", PLAYED, indirect=True)
def test_play_moves_at_every_frame_and_stops_when_told(page_of_all, any_explorer):
    explorer, keyboard = any_explorer, page_of_all.page.keyboard
    last = int(explorer.handle.get_attribute("max"))
    explorer.press("Home")
    before = page_of_all.state()
    explorer.play.focus()
    keyboard.press("Enter")
    pictures, frames = pictures_and_frames(explorer, 1000)
    assert pictures > 0.8 * frames > 4 and is_playing(explorer)
    keyboard.press("Space")
    assert not is_playing(explorer) and pictures_and_frames(explorer, 200)[0] == 1
    position = explorer.handle.input_value()
    assert 0 < float(position) < last

    keyboard.press("Enter")
    assert pictures_and_frames(explorer, 200)[0] > 1
    explorer.press("PageUp")
    assert not is_playing(explorer) and pictures_and_frames(explorer, 200)[0] == 1
    assert int(explorer.handle.input_value()) > int(position) + 1

    explorer.press("End", "ArrowLeft")
    explorer.play.click()
    expect(explorer.handle).to_have_value(f"{last}")
    expect(explorer.play).to_have_text("Play", use_inner_text=True)
    assert page_of_all.state() == before


@pytest.fixture
def less_motion(window) -> Iterator[None]:
    window.page.emulate_media(reduced_motion="reduce")
    yield
    window.page.emulate_media(reduced_motion="no-preference")


KEYED = ".course-labels > [data-key]"
IS_STILL = "labels => labels.every(label => label.getAnimations().length === 0)"


@light_only
def test_who_wants_less_motion_gets_no_play_button_but_chapters_as_stills(page_of_all, less_motion):
    for number, call in enumerate(EXPLORER_CALLS):
        explorer = page_of_all.explorer(number)
        for button in explorer.play.all():
            if in_python(call).view.explorer["play"]["chapters"]:
                expect(explorer.box.locator(".course-chapter")).to_be_visible()
                expect(button).to_have_text("Next", use_inner_text=True)
            else:
                expect(button).to_be_hidden()


@light_only
def test_play_goes_by_chapters_names_them_and_waits(own_copy, tmp_path):
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = own_copy(write_notebook(tmp_path, imports, "wave_explorer()"))
    lesson.run("all")
    lesson.choose("en")
    explorer = lesson.explorer(0)
    step, chapter = (
        explorer.box.locator(".course-step input"),
        explorer.box.locator(".course-chapter"),
    )
    for end, name in [("10", "Round off"), ("20", "Slow down")]:
        explorer.play.click()
        expect(explorer.play).to_have_text("Pause", use_inner_text=True)
        expect(step).to_have_value(end)
        expect(explorer.play).to_have_text("Play", use_inner_text=True)
        expect(chapter).to_have_text(name, use_inner_text=True)
        lesson.page.wait_for_timeout(500)
        expect(step).to_have_value(end)
    lesson.page.emulate_media(reduced_motion="reduce")
    try:
        explorer.play.click()
        expect(step).to_have_value("30")
        explorer.says("Factor changed: 100 %")
    finally:
        lesson.page.emulate_media(reduced_motion="no-preference")
    explorer.box.locator(".course-reset").click()
    expect(step).to_have_value("0")


@light_only
def test_words_are_dragged_typed_and_moved_by_keys_without_a_kernel(page_of_all):
    explorer = page_of_all.explorer(EXPLORER_CALLS.index("word_order_explorer()"))
    box, page = explorer.box, explorer.page
    says = explorer.says
    stage = explorer.picture.bounding_box()
    y = stage["y"] + 0.7 * stage["height"]
    page.mouse.move(stage["x"] + 0.3 * stage["width"], y)
    page.mouse.down()
    says(
        "“dog” stands at place 1: against the first order, its output vector has changed by 0.000."
    )
    page.mouse.move(stage["x"] + 0.95 * stage["width"], y, steps=5)
    page.mouse.up()
    says(
        "“dog” stands at place 4: against the first order, its output vector has changed by 0.000."
    )
    explorer.open()
    place = box.locator(".course-place input")
    place.focus()
    expect(place).to_be_focused()
    page.keyboard.press("ArrowLeft")
    says("“dog” stands at place 3")
    own = box.locator(".course-text input")
    own.fill("One two, three one")
    expect(box.locator(".course-word")).to_have_count(4)
    strips = box.locator(".course-word canvas").evaluate_all(
        "all => all.map(each => [...each.getContext('2d').getImageData(0, 0, 1, 8).data])"
    )
    assert strips[0] == strips[3] and strips[0] != strips[1]
    box.locator(".course-reset").click()
    says("“dog” stands at place 1")
    expect(own).to_have_value("")


@light_only
def test_the_place_of_a_word_is_known_before_anything_is_moved(own_copy, tmp_path):
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = own_copy(write_notebook(tmp_path, imports, "word_order_explorer()"))
    lesson.run("all")
    place = lesson.explorer(0).box.locator(".course-place input")
    expect(place).to_have_value("1")
    expect(place).to_have_attribute("max", "4")


@light_only
def test_a_helix_is_turned_and_its_rod_is_not(page_of_all):
    explorer = page_of_all.explorer(EXPLORER_CALLS.index("helix_explorer()"))
    said, before = explorer.readout.inner_text(), moving(explorer)
    box, mouse = explorer.picture.bounding_box(), explorer.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 160, box["y"] + 80, steps=3)
    mouse.up()
    assert moving(explorer) != before and explorer.readout.inner_text() == said


@light_only
def test_words_go_on_arcs_to_their_new_places_unless_less_motion_is_wanted(own_copy, tmp_path):
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    lesson = own_copy(write_notebook(tmp_path, imports, "attention_weights_explorer()"))
    lesson.run("all")
    explorer, page = lesson.explorer(0), lesson.page
    words = explorer.box.locator(KEYED)
    expect(words).to_have_count(35)
    swapped = explorer.box.locator(".course-swapped input")
    swapped.check()
    page.wait_for_function(
        f"[...document.querySelectorAll('{KEYED}')].some(word => word.getAnimations().length)"
    )
    page.wait_for_function(f"({IS_STILL})([...document.querySelectorAll('{KEYED}')])")
    alt = explorer.box.locator(".course-unseen")
    page.emulate_media(reduced_motion="reduce")
    swapped.uncheck()
    try:
        expect(alt).to_contain_text("the dog chased the cat")
        assert words.evaluate_all(IS_STILL)
    finally:
        page.emulate_media(reduced_motion="no-preference")


def places(explorer: Explorer) -> list[str]:
    """Where everything stands, as the browser draws it."""
    return explorer.box.locator(".course-stage svg > g > *").evaluate_all(
        "layers => layers.map(layer => layer.outerHTML)"
    )


def moved(before: list[str], after: list[str], color: str) -> bool:
    pairs = [pair for pair in zip(before, after, strict=True) if f"--course-{color}" in pair[0]]
    assert pairs
    return any(first != second for first, second in pairs)


TURNING = {"shift": "Offset {}: from one hand to the other", "rope": "Query {} further on"}


@light_only
@pytest.mark.parametrize("name", TURNING)
def test_hands_follow_position_and_offset_without_the_kernel(page_of_all, name):
    explorer = page_of_all.explorer(EXPLORER_CALLS.index(f"{name}_explorer()"))
    expect(explorer.readout).to_contain_text("5", use_inner_text=True)

    words = TURNING[name]
    explorer.press("Home", "ArrowRight")
    explorer.says(words.format(5))
    start = places(explorer)
    explorer.box.locator(".course-offset input").focus()
    explorer.page.keyboard.press("ArrowRight")
    explorer.says(words.format(6))
    ahead = places(explorer)
    assert moved(start, ahead, "ink") and not moved(start, ahead, "position")

    score = explorer.readout.inner_text().split(":")[-1]
    explorer.press("ArrowRight")
    explorer.says("osition 2")
    both = places(explorer)
    assert moved(ahead, both, "ink") and moved(ahead, both, "position")
    assert explorer.readout.inner_text().split(":")[-1] == score
    explorer.box.locator(".course-offset input").focus()
    explorer.page.keyboard.press("ArrowLeft")
