"""Tests of all explorers in a browser, on a page without JupyterLab.

Tests in JupyterLab are in test_browser_lessons.
"""

import numpy as np
import pytest
from checks.every_explorer import (
    COMPUTING,
    EXPLORERS,
    in_languages,
    in_python,
    moving,
    named,
    pictures,
    wait_until_idle,
)
from checks.fingers import BADLY_SIZED, swipe
from checks.lesson_pages import FAINT, TWO_FRAMES, expect

from course_utils.explorers.scene.controls import BASES
from course_utils.notebook.display import LIVE
from course_utils.pictures.scenes import Sentence

pytest_plugins = ["checks.browser"]

# Appearance. --------------------------------------------------------------------------------------

# Measure the letters, not the boxes around them.
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
    const output = box.closest('.jp-OutputArea-output, .output');
    const inside = box.querySelectorAll('figure, .course-readout-box');
    for (const element of [box, stage, output, ...inside]) {
        if (element.scrollWidth > element.clientWidth) found.push(`${element.className} scrolls`);
    }
    return found;
}"""

ENDS_AT = """box => box.querySelector('.course-main').getBoundingClientRect().bottom
    - box.getBoundingClientRect().top"""

HEIGHTS_WHILE_MOVED = """box => {
    const slider = box.querySelector(".course-position input");
    return [0, 1, Number(slider.max)].map((place) => {
        slider.value = place;
        slider.dispatchEvent(new Event("input"));
        return box.offsetHeight;
    });
}"""


def test_names_fit_on_phone(gallery):
    for _, name, explorer in in_languages(gallery, "both"):
        assert explorer.box.evaluate(BADLY_SIZED) == [], name
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    gallery.page.evaluate(TWO_FRAMES)
    for language, name, explorer in in_languages(gallery, "es", "both"):
        assert explorer.box.evaluate(CROWDED) + explorer.box.evaluate(BADLY_SIZED) == [], name
        # The question, the picture, the sentence and the main control fit on one screen.
        assert language == "both" or explorer.box.evaluate(ENDS_AT) <= 844, name
    for name in EXPLORERS:
        assert len({*named(gallery, name).box.evaluate(HEIGHTS_WHILE_MOVED)}) == 1, name


TOO_WIDE = "box => [box, ...box.querySelectorAll('.course-readout')].filter(" + (
    "(each) => each.scrollWidth > each.clientWidth).map((each) => each.className)"
)


def test_special_views_fit_on_phone(gallery):
    views = gallery.notebook.locator(".course-own-view")
    expect(views).to_have_count(len(COMPUTING))
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    gallery.page.evaluate(TWO_FRAMES)
    for language in ("en", "es"):
        gallery.choose(language)
        for box in views.all():
            name = box.get_attribute("class")
            assert box.evaluate(BADLY_SIZED) + box.evaluate(TOO_WIDE) == [], (language, name)


def test_dark_theme_inverts_white_pictures(gallery):
    gallery.page.set_viewport_size({"width": 390, "height": 844})
    drawn = gallery.notebook.locator("figure.course-figure img")
    paper_turned = "picture => getComputedStyle(picture).filter"
    assert drawn.evaluate(paper_turned) == "none"
    gallery.choose_theme("Dark")
    assert drawn.evaluate(paper_turned) != "none"
    for name, picture in zip(EXPLORERS, pictures(gallery), strict=True):
        corners = picture[[2, 2, -3, -3], [2, -3, 2, -3]]
        assert (corners == 17).all(), name
        assert (np.abs(picture - 17).max(axis=2) < 30).mean() > 0.2, name
        assert (np.abs(picture - 255).max(axis=2) < 60).mean() < 0.05, name
    gallery.choose_theme("Light")


def test_every_text_has_contrast_in_every_theme(gallery):
    gallery.choose("both")
    for theme in ("Dark", "Light"):
        gallery.choose_theme(theme)
        assert gallery.notebook.evaluate(FAINT) == []


def test_labels_follow_switch_without_repainting(gallery):
    gallery.notebook.locator(".course-stage").evaluate_all(
        "all => all.forEach(stage => stage.querySelectorAll('*').forEach(each => each.old = true))"
    )
    for language, which, explorer in in_languages(gallery, "es", "both"):
        stage, panels = explorer.picture, in_python(which).scene.panels
        names = [axis.quantity for panel in panels for axis in (panel.x, panel.y) if axis.quantity]
        for name in names:
            wanted = name.one_line if language == "both" else name[language]
            assert wanted in stage.inner_text().splitlines()
        shown = stage.locator("[lang]").evaluate_all(
            "halves => halves.filter(half => half.checkVisibility()).map(({lang}) => lang)"
        )
        assert set(shown) <= ({"en", "es"} if language == "both" else {language})
        # Only word tiles are measured again, since words may not fit in another language.
        if not any(isinstance(each, Sentence) for panel in panels for each in panel.moving):
            all_old = "stage => [...stage.querySelectorAll('*')].every(each => each.old)"
            assert stage.evaluate(all_old), which
        assert explorer.is_painted()


def test_axis_labels_are_at_their_values(gallery):
    heights = gallery.page.locator(".course-labels > :is(.course-before, .course-after)")
    off = heights.evaluate_all(
        """labels => labels.filter(({hidden}) => !hidden).map(label => {
            const {top, height} = label.getBoundingClientRect();
            const stated = parseFloat(label.style.getPropertyValue("--y"));
            return top + height / 2 - label.parentElement.getBoundingClientRect().top - stated;
        })"""
    )
    assert len(off) > 40 and max(map(abs, off)) < 1


def test_every_control_has_name_in_language_shown(gallery):
    for language, names in (
        ("en", {"position", "first position", "base", "distance", "binary", "Head 1", "none"}),
        ("es", {"posición", "primera posición", "base", "distancia", "binaria", "Cabeza 1"}),
    ):
        gallery.choose(language)
        found = set()
        # Check what Chromium reports to a screen reader, not the attributes.
        for line in gallery.notebook.aria_snapshot().splitlines():
            role, _, name = line.strip("- :").partition(" ")
            if role in ("slider", "textbox", "combobox", "checkbox", "option"):
                assert name.startswith('"') and " · " not in name.split('":')[0], line
                found.add(name.split('"')[1])
        assert names <= found
    # A picture acts as a slider if the slider of its moving part is folded away.
    sliders = gallery.notebook.locator("[type=range], [role=slider]")
    assert sliders.count() == gallery.notebook.get_by_role("slider").count() > len(EXPLORERS)


def test_every_live_view_hides_its_still(gallery):
    views = gallery.notebook.locator(f".output:has({LIVE})")
    expect(views).to_have_count(1 + len(EXPLORERS) + len(COMPUTING))  # and the language switch


# Ways to move a picture. --------------------------------------------------------------------------

STATE = "box => JSON.stringify(box.courseExplorer.state)"


def same_words(text: str) -> str:
    return " ".join(text.split())


# Together, these have every kind of moving layer, every kind of handle, and the longest range.
OF_EVERY_KIND = "spacing hand helix matrix rope wave word_order binary attention_weights".split()


@pytest.mark.parametrize("name", OF_EVERY_KIND)
def test_controls_work_without_kernel(gallery, name):
    explorer, scene = named(gallery, name), in_python(name).scene
    offsets = explorer.box.locator(".course-offset input")
    last, offset = scene.n_positions - 1, int(offsets.input_value()) if offsets.count() else 0
    seen = set()

    def moved(position: int, offset: int) -> None:
        wanted = scene.sentence(position, offset).plain["en"]
        assert same_words(explorer.readout.inner_text()) == same_words(wanted)
        wait_until_idle(explorer)
        assert moving(explorer) not in seen
        seen.add(moving(explorer))

    for key, position in (("Home", 0), ("End", last)):
        explorer.press(key)
        moved(position, offset)
    if offset:
        offsets.press("ArrowRight")
        moved(last, offset + 1)
        offsets.press("ArrowLeft")
    if any(panel.track for panel in scene.panels):
        explorer.picture.scroll_into_view_if_needed()
        stage, mouse = explorer.picture.bounding_box(), gallery.page.mouse
        left, middle = stage["x"] + 5, stage["y"] + stage["height"] / 2
        mouse.move(left, middle)
        mouse.down()
        at_the_left = explorer.handle.input_value()
        mouse.move(left + 200, middle + 60, steps=3)
        mouse.up()
        expect(explorer.handle).not_to_have_value(at_the_left)
        dragged = explorer.box.evaluate(STATE)
        gallery.page.keyboard.press("ArrowLeft")  # keys continue where the pointer stopped
        assert explorer.box.evaluate(STATE) != dragged


def test_words_can_be_dragged_or_moved_by_keys(alone):
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
    unchanged = "Compared with the original order, its output vector has changed by 0.000."
    says(f"“dog” is at position 1. {unchanged}")
    page.mouse.move(stage["x"] + 0.95 * stage["width"], y, steps=5)
    page.mouse.up()
    says(f"“dog” is at position 4. {unchanged}")
    explorer.open()
    place.press("ArrowLeft")
    says("“dog” is at position 3")
    own = box.locator(".course-text input")
    own.fill("One two, three one")
    expect(box.locator(".course-word")).to_have_count(4)
    strips = box.locator(".course-word canvas").evaluate_all(
        "all => all.map(each => [...each.getContext('2d').getImageData(0, 0, 1, 8).data])"
    )
    assert strips[0] == strips[3] and strips[0] != strips[1]
    box.locator(".course-reset").click()
    says("“dog” is at position 1")
    expect(own).to_have_value("")
    place.press("End")
    wait_until_idle(explorer)
    explorer.lesson.has_kernel = True  # the kernel adds positions to the words
    box.get_by_role("checkbox").first.check()
    below = box.locator(".course-word", has_text="dog").locator("> span")
    expect(below).not_to_have_text("0.00")
    wait_until_idle(explorer)
    says(f"changed by {float(below.inner_text()):.2f}")


def touch(on, along: float, down: float, *way: float) -> None:
    """Move a finger by a number of pixels, starting at a relative position in an element."""
    on.scroll_into_view_if_needed()
    box = on.bounding_box()
    swipe(on.page, box["x"] + along * box["width"], box["y"] + down * box["height"], *way)


@pytest.mark.parametrize("name", ["spacing", "helix", "word_order"])
def test_vertical_swipe_moves_nothing(gallery, name):
    explorer = named(gallery, name)
    explorer.press("Home")  # so that a swipe could move something
    wait_until_idle(explorer)
    before = explorer.box.evaluate(STATE), moving(explorer)
    touch(explorer.picture, 0.66, 0.3, 5, -120)
    for slider in explorer.box.locator("input[type=range]:visible").all():
        touch(slider, 0.2, 0.5, 3, -90)
    wait_until_idle(explorer)
    assert (explorer.box.evaluate(STATE), moving(explorer)) == before
    touch(explorer.picture, 0.66, 0.3, 90, 4)
    wait_until_idle(explorer)
    sideways = explorer.box.evaluate(STATE), moving(explorer)
    assert sideways != before
    if name == "spacing":
        touch(explorer.picture, 0.3, 0.3)
        tapped = explorer.box.evaluate(STATE)
        assert tapped != sideways[0]
        touch(explorer.picture, 0.66, 0.3, 5, -120)  # nothing is held after a tap
        assert explorer.box.evaluate(STATE) == tapped


SPEAKING = """box => [...box.querySelectorAll("[role=status], [aria-live], output")]
    .filter((each) => each.ariaLive !== "off" && each.checkVisibility()).length"""


def test_explorer_has_one_live_region(gallery):
    computing = gallery.notebook.locator(".course-own-view")
    expect(computing).to_have_count(len(COMPUTING))
    for box in computing.all():
        expect(box.get_by_role("heading", level=3)).to_have_count(1)
        assert box.evaluate(SPEAKING) == 1
    for name in EXPLORERS:
        explorer = named(gallery, name)
        read = explorer.box.aria_snapshot()
        title = in_python(name).texts["title"].plain["en"]
        assert f'heading "{title}" [level=3]' in read, name
        alt = same_words(in_python(name).scene.alt.plain["en"])
        assert same_words(read.replace('"', "")).count(alt[:60].replace('"', "")) == 1, name
        spoken = 1 + explorer.box.locator(".course-guess[role=status]").count()
        assert explorer.box.evaluate(SPEAKING) == spoken, name
        sliders = explorer.box.locator("[type=range]").evaluate_all(
            "all => all.map(each => [each.ariaValueText, each.value, each.max])"
        )
        for text, value, most in sliders:
            if text.isdigit() and int(most) + 1 != len(BASES):  # the bases are not evenly spaced
                assert text == value, (name, text, value)


def test_reduced_motion_replaces_play_by_stills(gallery):
    gallery.page.emulate_media(reduced_motion="reduce")
    for name in EXPLORERS:
        explorer = named(gallery, name)
        for button in explorer.play.all():
            if in_python(name).explorer["play"]["chapters"]:
                expect(explorer.box.locator(".course-chapter")).to_be_visible()
                expect(button).to_have_text("Next", use_inner_text=True)
            else:
                expect(button).to_be_hidden()
    gallery.page.emulate_media(reduced_motion="no-preference")


# For screen readers. ------------------------------------------------------------------------------

FOLD_MORE = "(all, folded) => all.forEach((more) => (more.open = !folded))"


def test_every_folded_slider_has_name(gallery):
    folds = gallery.notebook.locator(".course-more")
    folds.evaluate_all(FOLD_MORE, True)
    session = gallery.page.context.new_cdp_session(gallery.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    folds.evaluate_all(FOLD_MORE, False)
    sliders = [node for node in nodes if node.get("role", {}).get("value") == "slider"]
    assert len(sliders) > len(EXPLORERS)
    assert [node for node in sliders if not node["name"]["value"].strip()] == []


def test_every_slider_announces_its_value(gallery):
    sliders = gallery.notebook.locator("[role=slider], input[type=range]").evaluate_all(
        "all => all.map((slider) => [slider.outerHTML, slider.ariaValueText])"
    )
    assert [slider for slider, value in sliders if not value] == []


def test_spoken_values_have_units(gallery):
    gallery.choose("es")
    spoken = {
        ("sinusoidal", "n_positions"): "{} posiciones",
        ("shift", "offset"): "{} pasos",
        ("score", "position"): "{} pasos atrás",
        ("spacing", "position"): "distancia {}",
    }
    for (name, control), words in spoken.items():
        slider = named(gallery, name).box.locator(f".course-{control} input")
        slider.press("Home")
        slider.press("PageUp")
        words = words.format(slider.input_value())
        assert slider.get_attribute("aria-valuetext") == words, name


def test_page_keys_move_picture_by_tenth(gallery):
    explorer = named(gallery, "score")
    explorer.box.locator(".course-reset").click()
    explorer.picture.focus()
    before = int(explorer.picture.get_attribute("aria-valuenow"))
    tenth = round(int(explorer.picture.get_attribute("aria-valuemax")) / 10)
    gallery.page.keyboard.press("PageUp")
    expect(explorer.picture).to_have_attribute("aria-valuenow", str(before + tenth))
    gallery.page.keyboard.press("PageDown")
    expect(explorer.picture).to_have_attribute("aria-valuenow", str(before))
