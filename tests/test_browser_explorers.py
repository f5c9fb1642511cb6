"""Every explorer in a browser, on a page without JupyterLab: what it looks like and what moves it.

What JupyterLab adds to it is in test_browser_lessons.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import numpy as np
import pytest
from checks.bare_page import Page, showing
from checks.lesson_pages import (
    FAINT,
    Explorer,
    assert_axe_finds_nothing_serious_of_ours,
    phone_problems,
)
from PIL import Image

from course_utils import explorers, show, sinusoidal_encoding
from course_utils.explorers import reading
from course_utils.pictures.scenes import Sentence
from course_utils.pictures.static import dot_product_curve
from course_utils.words import text

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]

LANGUAGES = (*text.LANGUAGES, "both")
EXPLORERS = {
    name.removesuffix("_explorer"): getattr(explorers, name)
    for name in explorers.__all__
    if name not in ("Explorer", *reading.__all__)
} | {"own": lambda: explorers.sinusoidal_explorer(lambda n, d: 0.9 * sinusoidal_encoding(n, d))}


@cache
def in_python(name: str) -> explorers.Explorer:
    """The explorer as Python has it."""
    return EXPLORERS[name]()


OPEN_MORE = """notebook => notebook.querySelectorAll(".course-more")
    .forEach(more => (more.open = true))"""


@pytest.fixture(scope="module")
def all_of_them(browser) -> Iterator[Page]:
    """Every explorer on one page, whose kernel has ended: what works here needs none."""
    with showing(browser, *(in_python(name).view for name in EXPLORERS)) as page:
        page.give_guesses()
        page.notebook.evaluate(OPEN_MORE)
        page.has_kernel = False
        yield page


@pytest.fixture
def gallery(all_of_them) -> Iterator[Page]:
    all_of_them.choose("en")
    yield all_of_them
    all_of_them.page.set_viewport_size({"width": 1280, "height": 900})
    assert all_of_them.complaints() == []


@pytest.fixture
def alone(browser) -> Iterator[Callable[[explorers.Explorer], Explorer]]:
    """Shows an explorer on a page of its own, where Python follows it as a kernel does."""
    with ExitStack() as pages:

        def show(explorer: explorers.Explorer) -> Explorer:
            page = pages.enter_context(showing(browser, explorer.view))
            page.choose("en")
            shown = page.explorer(0)
            shown.lesson = page
            return shown

        yield show


def named(gallery: Page, name: str) -> Explorer:
    return gallery.explorer([*EXPLORERS].index(name))


def in_each_language(gallery: Page) -> Iterator[tuple[str, str, Explorer]]:
    """Every explorer in one language after the other; the language is chosen once."""
    for language in LANGUAGES:
        gallery.choose(language)
        for name, box in zip(EXPLORERS, gallery.boxes.all(), strict=True):
            yield language, name, Explorer(gallery.page, box)


# What it looks like. ------------------------------------------------------------------------------


def test_no_name_of_a_control_is_cut_off(gallery):
    for language, name, explorer in in_each_language(gallery):
        assert explorer.cut_off() == [], (name, language)


def test_on_a_phone_all_is_large_enough_in_its_place_and_what_matters_on_the_screen(gallery):
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    for language, name, explorer in in_each_language(gallery):
        assert phone_problems(explorer, both=language == "both") == [], (name, language)


MOVED = """box => {
    const slider = box.querySelector(".course-position input");
    return [0, 1, Number(slider.max)].map((place) => {
        slider.value = place;
        slider.dispatchEvent(new Event("input"));
        return box.offsetHeight;
    });
}"""


def test_on_a_phone_no_picture_changes_its_height_when_it_is_moved(gallery):
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    for name in EXPLORERS:
        explorer = named(gallery, name)
        assert len(set(explorer.box.evaluate(MOVED))) == 1 and explorer.is_painted(), name


def pictures(gallery: Page) -> list[np.ndarray]:
    """Each explorer as it is seen, without what stands over the picture."""
    page = gallery.page
    hidden = page.add_style_tag(content=".course-over { visibility: hidden }")
    seen = page.screenshot(full_page=True)
    hidden.evaluate("style => style.remove()")
    pixels = np.asarray(Image.open(io.BytesIO(seen)).convert("RGB"), dtype=np.int16)
    places = page.locator(".course-stage").evaluate_all(
        """all => all.map(each => each.getBoundingClientRect())
            .map(({x, y, width, height}) => [x + scrollX, y + scrollY, width, height])"""
    )
    return [
        pixels[round(y) : round(y + height), round(x) : round(x + width)]
        for x, y, width, height in places
    ]


def test_the_page_stays_behind_a_picture_whatever_the_theme(gallery):
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    first = pictures(gallery)
    gallery.choose_theme("Dark")
    dark = pictures(gallery)
    gallery.choose_theme("Light")
    light = pictures(gallery)
    for name, *seen in zip(EXPLORERS, light, dark, strict=True):
        for picture, paper, ink in zip(seen, (255, 17), (0, 255), strict=True):
            corners = picture[[2, 2, -3, -3], [2, -3, 2, -3]]
            assert (corners == paper).all(), name
            assert (np.abs(picture - paper).max(axis=2) < 30).mean() > 0.2, name
            assert (np.abs(picture - ink).max(axis=2) < 60).mean() < 0.05, name
    for name, before, after in zip(EXPLORERS, first, light, strict=True):
        assert (np.abs(after - before).max(axis=2) > 30).mean() < 0.01, name


def test_pictures_on_white_paper_are_turned_over_in_the_dark_theme(browser):
    drawn = show("around-position-10", dot_product_curve([0, 1], [1.0, 0.5]), value="0.5")
    with showing(browser, drawn) as page:
        picture = page.notebook.locator("figure.course-figure img")
        filters = []
        for theme in ("Light", "Dark"):
            page.choose_theme(theme)
            filters.append(picture.evaluate("picture => getComputedStyle(picture).filter"))
        assert filters[0] == "none" != filters[1]


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_axe_finds_nothing_serious_in_any_explorer_and_all_words_stand_out(gallery, theme):
    gallery.choose_theme(theme)
    try:
        assert_axe_finds_nothing_serious_of_ours(gallery)
        assert gallery.notebook.evaluate(FAINT) == []
    finally:
        gallery.choose_theme("Light")


def test_labels_follow_the_switch_and_nothing_is_painted_again(gallery):
    gallery.notebook.locator(".course-stage").evaluate_all(
        "all => all.forEach(stage => stage.querySelectorAll('*').forEach(each => each.old = true))"
    )
    for language, which, explorer in in_each_language(gallery):
        stage, panels = explorer.picture, in_python(which).scene.panels
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
            assert stage.evaluate(all_old), which
        assert explorer.is_painted()


def test_every_control_has_a_name_in_the_language_shown(gallery):
    for language, names in (
        ("en", {"position", "first position", "positions", "base", "distance"}),
        ("es", {"posición", "primera posición", "posiciones", "base", "distancia"}),
    ):
        gallery.choose(language)
        found = set()
        # What Chromium tells a screen reader, not what the attributes say.
        for line in gallery.notebook.aria_snapshot().splitlines():
            role, _, name = line.strip("- :").partition(" ")
            if role in ("slider", "textbox", "combobox", "checkbox"):
                assert name.startswith('"') and " · " not in name.split('":')[0], line
                found.add(name.split('"')[1])
        assert names <= found
    sliders = gallery.notebook.locator("[type=range]")
    assert sliders.count() == gallery.notebook.get_by_role("slider").count() > len(EXPLORERS)


def test_the_entries_of_a_list_are_in_the_language_shown(gallery):
    entries = named(gallery, "dot_product").box.get_by_role("combobox").locator("option")
    for language, expected in (
        ("es", {"índice", "binaria"}),
        ("both", {"index · índice", "binary · binaria"}),
        ("en", {"index", "binary"}),
    ):
        gallery.choose(language)
        assert expected <= {*entries.all_inner_texts()}


# What moves it. -----------------------------------------------------------------------------------


def moving(explorer: Explorer) -> str:
    return explorer.picture.locator("svg").evaluate("svg => svg.outerHTML")


def same_words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", EXPLORERS)
def test_keys_and_drags_move_pictures_and_words_of_every_explorer_without_a_kernel(gallery, name):
    explorer, scene = named(gallery, name), in_python(name).scene

    def says(position: int, offset: int, language: str = "en") -> None:
        wanted = scene.said(position, offset).plain[language]
        assert same_words(explorer.readout.inner_text()) == same_words(wanted)

    page, offsets = gallery.page, explorer.box.locator(".course-offset input")
    last, offset = scene.n_positions - 1, int(offsets.input_value()) if offsets.count() else 0
    seen = set()
    for key, position in [("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)]:
        explorer.press(key)
        says(position, offset)
        seen.add(moving(explorer))
    assert len(seen) == 4
    if offset:
        offsets.press("ArrowRight")
        says(last - 1, offset + 1)
        assert moving(explorer) not in seen
        offsets.press("ArrowLeft")
    gallery.choose("es")
    says(last - 1, offset, "es")
    if any(panel.track for panel in scene.panels):
        explorer.picture.scroll_into_view_if_needed()
        stage = explorer.picture.bounding_box()
        left, middle = stage["x"] + 5, stage["y"] + stage["height"] / 2
        page.mouse.move(left, middle)
        page.mouse.down()
        at_the_left = explorer.handle.input_value()
        says(int(at_the_left), offset, "es")
        page.mouse.move(left + 200, middle + 60, steps=3)
        page.mouse.up()
        expect(explorer.handle).not_to_have_value(at_the_left)
        if offset:  # both can be dragged in the picture
            assert scene.n_offsets > 1


def test_dragging_the_slider_moves_the_mark_and_the_read_out(gallery):
    explorer, mouse = named(gallery, "sinusoidal"), gallery.page.mouse
    explorer.press("Home")
    before = explorer.mark_at()
    box = explorer.handle.bounding_box()
    x, y = box["x"] + 8, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 90, y, steps=6)
    mouse.up()
    position = int(explorer.handle.input_value())
    assert position > 2 and explorer.mark_at() > before
    explorer.says(f"Position {position}, dimensions 0 to 5")


def test_a_helix_is_turned_and_its_rod_is_not(gallery):
    explorer = named(gallery, "helix")
    said, before = explorer.readout.inner_text(), moving(explorer)
    box, mouse = explorer.picture.bounding_box(), explorer.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 160, box["y"] + 80, steps=3)
    mouse.up()
    assert moving(explorer) != before and explorer.readout.inner_text() == said


def test_words_are_dragged_typed_and_moved_by_keys(alone):
    explorer = alone(EXPLORERS["word_order"]())
    explorer.lesson.has_kernel = False
    box, page, says = explorer.box, explorer.page, explorer.says
    place = box.locator(".course-place input")
    expect(place).to_have_value("1")  # before anything is moved
    expect(place).to_have_attribute("max", "4")
    stage = explorer.picture.bounding_box()
    y = stage["y"] + 0.7 * stage["height"]
    page.mouse.move(stage["x"] + 0.3 * stage["width"], y)
    page.mouse.down()
    unchanged = "against the first order, its output vector has changed by 0.000."
    says(f"“dog” stands at place 1: {unchanged}")
    page.mouse.move(stage["x"] + 0.95 * stage["width"], y, steps=5)
    page.mouse.up()
    says(f"“dog” stands at place 4: {unchanged}")
    explorer.open()
    place.press("ArrowLeft")
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


# Play, and motion. --------------------------------------------------------------------------------

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


# Of what Play moves in the browser alone: a hand, a point in space and a row of marks.
@pytest.mark.parametrize("name", ["clock", "helix", "spacing"])
def test_play_moves_at_every_frame_and_stops_when_told(gallery, name):
    explorer, keyboard = named(gallery, name), gallery.page.keyboard
    last = int(explorer.handle.get_attribute("max"))
    explorer.press("Home")
    explorer.play.press("Enter")
    pictures, frames = pictures_and_frames(explorer, 500)
    assert pictures > 0.8 * frames > 4 and is_playing(explorer)
    keyboard.press("Space")
    assert not is_playing(explorer) and pictures_and_frames(explorer, 100)[0] == 1
    position = explorer.handle.input_value()
    assert 0 < float(position) < last

    keyboard.press("Enter")
    assert pictures_and_frames(explorer, 100)[0] > 1
    explorer.press("PageUp")
    assert not is_playing(explorer) and pictures_and_frames(explorer, 100)[0] == 1
    assert int(explorer.handle.input_value()) > int(position) + 1

    explorer.press("End", "ArrowLeft")
    explorer.play.click()
    expect(explorer.handle).to_have_value(f"{last}")
    expect(explorer.play).to_have_text("Play", use_inner_text=True)


def test_who_wants_less_motion_gets_no_play_button_but_chapters_as_stills(gallery):
    gallery.page.emulate_media(reduced_motion="reduce")
    for name in EXPLORERS:
        explorer = named(gallery, name)
        for button in explorer.play.all():
            if in_python(name).view.explorer["play"]["chapters"]:
                expect(explorer.box.locator(".course-chapter")).to_be_visible()
                expect(button).to_have_text("Next", use_inner_text=True)
            else:
                expect(button).to_be_hidden()
    gallery.page.emulate_media(reduced_motion="no-preference")


def test_play_goes_by_chapters_names_them_and_waits(alone):
    waves = EXPLORERS["wave"]()
    play = waves.view.explorer["play"]
    waves.view.explorer = waves.view.explorer | {"play": play | {"per_second": 40}}
    explorer = alone(waves)
    box = explorer.box
    step, chapter = box.locator(".course-step input"), box.locator(".course-chapter")
    for end, name in [("10", "Round off"), ("20", "Slow down")]:
        explorer.play.click()
        expect(explorer.play).to_have_text("Pause", use_inner_text=True)
        expect(step).to_have_value(end)
        expect(explorer.play).to_have_text("Play", use_inner_text=True)
        expect(chapter).to_have_text(name, use_inner_text=True)
        explorer.page.wait_for_timeout(100)
        expect(step).to_have_value(end)
    explorer.page.emulate_media(reduced_motion="reduce")
    explorer.play.click()
    expect(step).to_have_value("30")
    explorer.says("Factor changed: 100 %")
    box.locator(".course-reset").click()
    expect(step).to_have_value("0")


KEYED = ".course-labels > [data-key]"
IS_STILL = "labels => labels.every(label => label.getAnimations().length === 0)"


def test_words_go_on_arcs_to_their_new_places_unless_less_motion_is_wanted(alone):
    explorer = alone(EXPLORERS["attention_weights"]())
    page, words = explorer.page, explorer.box.locator(KEYED)
    expect(words).to_have_count(35)
    swapped = explorer.box.locator(".course-swapped input")
    swapped.check()
    page.wait_for_function(
        f"[...document.querySelectorAll('{KEYED}')].some(word => word.getAnimations().length)"
    )
    page.wait_for_function(f"({IS_STILL})([...document.querySelectorAll('{KEYED}')])")
    page.emulate_media(reduced_motion="reduce")
    swapped.uncheck()
    expect(explorer.box.locator(".course-unseen")).to_contain_text("the dog chased the cat")
    assert words.evaluate_all(IS_STILL)


# Scenes from the kernel. --------------------------------------------------------------------------


def test_scenes_seen_before_and_the_next_one_ahead_are_shown_without_the_kernel(alone):
    explorer, python = alone(EXPLORERS["wave"]()), EXPLORERS["wave"]()
    alt, step = explorer.box.locator(".course-unseen"), explorer.box.get_by_role("slider").first

    def shows(place: int) -> None:
        python.parameters["step"].value = place
        expect(alt).to_contain_text(python.scene.alt["en"])

    shows(0)
    for place in (1, 2):
        step.press("ArrowRight")
        shows(place)
    explorer.lesson.has_kernel = False
    for key, place in [("ArrowRight", 3), *(("ArrowLeft", place) for place in (2, 1, 0))]:
        step.press(key)
        shows(place)


def test_end_goes_to_the_last_position_also_after_there_are_more(alone):
    explorer = alone(EXPLORERS["sinusoidal"]())
    explorer.open()
    explorer.box.locator(".course-n_positions input").press("End")
    expect(explorer.handle).to_have_attribute("max", "127")
    explorer.press("End")
    explorer.says("Position 127, dimensions 0 to 5")
    expect(explorer.handle).to_have_value("127")
    explorer.box.locator(".course-presets button").first.click()
    explorer.says("Position 49, dimensions 0 to 5")


# A guess before the answer shows. -----------------------------------------------------------------


def line_at(explorer: Explorer) -> float:
    return float(explorer.box.locator("line[stroke-dasharray]").get_attribute("x1"))


def what_it_shows(explorer: Explorer) -> str:
    return explorer.box.locator("figure").inner_html()


def test_nothing_tells_until_a_guess_is_given_by_keys_alone(alone):
    python = EXPLORERS["word_share"]()
    scene, explorer = python.scene, alone(python)
    box, keyboard = explorer.box, explorer.page.keyboard
    covered = what_it_shows(explorer)
    assert scene.said(5)["en"] not in covered and scene.alt["en"] not in covered
    assert "<path" not in covered and "<circle" not in covered
    slider = box.get_by_role("slider", name="At which position does the word’s length")
    before = line_at(explorer)
    slider.press("ArrowLeft")
    expect(slider).to_have_value(str(scene.guess.start - 1))
    assert line_at(explorer) < before
    keyboard.press("Tab")
    keyboard.press("Enter")
    told = box.locator(".course-guess")
    expect(told).to_contain_text(f"You said {scene.guess.start - 1}.")
    expect(told).to_be_focused()
    explorer.says(scene.said(scene.guess.answer)["en"])
    shown = what_it_shows(explorer)
    assert "<path" in shown and scene.alt["en"] in shown
    assert line_at(explorer) < before


def test_a_pointer_in_the_picture_sets_the_guess_and_afterwards_the_position(alone):
    python = EXPLORERS["word_share"]()
    explorer = alone(python)
    box = explorer.picture.bounding_box()
    explorer.picture.click(position={"x": box["width"] * 0.1, "y": box["height"] / 2})
    guessed = int(explorer.box.locator(".course-guess input").input_value())
    assert guessed < python.scene.guess.start
    explorer.box.locator(".course-guess button").click()
    explorer.picture.click(position={"x": box["width"] * 0.4, "y": box["height"] / 2})
    expect(explorer.box.locator(".course-guess")).to_contain_text(f"You said {guessed}.")
    assert int(explorer.handle.input_value()) > guessed


def test_the_question_is_that_of_the_parameters_as_they_are(alone):
    python = EXPLORERS["binary"]()
    explorer, asked = alone(python), []
    for d_model in (6, 7):
        explorer.box.evaluate("(box, d) => (box.courseExplorer.state = { d_model: d })", d_model)
        expect(explorer.box.locator(".course-d_model output")).to_have_text(str(d_model))
        asked.append(python.scene.guess.question["en"])
        expect(explorer.box.locator(".course-guess label")).to_contain_text(asked[-1])
    assert asked[0] != asked[1]
