"""The model that reads as a reader meets it: with Python as the kernel, and on the web without.

First what holds of everything that computes while one looks.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from checks.bare_page import Page, showing
from checks.fingers import BADLY_SIZED, straight, swipe
from checks.if_installed import Locator, expect
from checks.lesson_pages import FAINT, TWO_FRAMES, assert_axe_finds_nothing_serious_of_ours

from course_utils import explorers, text_model
from course_utils.explorers.reading import head_explorer, reading_explorer

pytest_plugins = ["checks.browser", "checks.reading_pages"]

OWN = "Ada lived by the river, and every morning she went down to the water to see the fish there."
PHONE = {"width": 390, "height": 844}
LETTERS = ".course-letters > span:not(.course-next)"

# Every explorer that computes, and the last thing that must share a phone's screen with the first.
COMPUTES = {
    "reading_explorer": ".course-bar",
    "head_explorer": ".course-bar",
    "which_clock_explorer": ".course-readout",
    "ruler_explorer": ".course-readout",
    "training_explorer": ".course-bar",
}


# Everything that computes. ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def all_of_them(browser) -> Iterator[Page]:
    with showing(browser, *(getattr(explorers, name)().view for name in COMPUTES)) as page:
        page.choose("en")
        for said in page.notebook.locator(".course-readout").all():
            expect(said.locator("[lang=en], div").last).to_be_attached()
        yield page


def test_each_has_a_heading_and_one_place_that_is_announced(all_of_them) -> None:
    boxes = all_of_them.notebook.locator(".course-keeps-keys:has(.course-readout)")
    expect(boxes).to_have_count(len(COMPUTES))
    for box in boxes.all():
        expect(box.get_by_role("heading", level=3)).to_have_count(1)
        announced = ":is([role=status], output, [aria-live]):not([aria-live=off])"
        assert box.locator(announced).count() == 1


def test_the_texts_are_those_of_the_language_shown(all_of_them) -> None:
    samples = [getattr(explorers, name)().view.samples for name in [*COMPUTES][:4]]
    readers = all_of_them.notebook.locator(".course-reading")
    for language in ("es", "en"):
        all_of_them.choose(language)
        for reader, sample in zip(readers.all(), samples, strict=True):
            is_ruler = "course-ruled" in reader.get_attribute("class")
            row = reader.locator(".course-letters").nth(1 if is_ruler else 0)
            letters = row.locator("> span:not(.course-next)")
            expect(letters).to_have_text([*sample[language].lower()])


def test_nothing_keeps_anybody_out(all_of_them) -> None:
    assert_axe_finds_nothing_serious_of_ours(all_of_them)
    for theme in ("Dark", "Light"):
        all_of_them.choose_theme(theme)
        assert all_of_them.notebook.evaluate(FAINT) == []


@pytest.mark.parametrize("name", COMPUTES)
def test_on_a_phone_what_matters_shares_the_screen_and_at_no_width_anything_is_too_small(
    visit_explorer, name: str
) -> None:
    box = visit_explorer(name, viewport=PHONE, has_touch=True)
    last = box.locator(COMPUTES[name]).bounding_box()
    assert last["y"] + last["height"] - box.bounding_box()["y"] <= PHONE["height"]
    for more in box.locator("summary").all():
        more.click()
    for width in (390, 320, 1920):
        box.page.set_viewport_size({"width": width, "height": 844})
        box.page.evaluate(TWO_FRAMES)
        assert box.page.evaluate("document.documentElement.scrollWidth") == width
        assert box.evaluate(BADLY_SIZED) == [], width


STATE = """all => all.map((each) => each.ariaChecked ?? each.ariaValueNow ?? each.value)"""
HELD_ONTO = [".course-dial svg", ".course-ruler", ".course-square", ".course-losses canvas"]
HELD_ONTO += ["[type=range]", ".course-text"]


@pytest.mark.parametrize("name", COMPUTES)
def test_a_finger_that_scrolls_past_moves_nothing(visit_explorer, name: str) -> None:
    box = visit_explorer(name, viewport={"width": 390, "height": 500}, has_touch=True)
    page, controls = box.page, box.locator("[role=switch], [role=slider], input[type=range]")
    if name == "which_clock_explorer":
        box.get_by_role("switch", name="hold clock 4").tap()
    page.wait_for_timeout(300)
    before = controls.evaluate_all(STATE)
    held_onto = [box.locator(each).first for each in HELD_ONTO if box.locator(each).count()]
    for each in held_onto:
        each.evaluate("each => each.scrollIntoView({ block: 'center', behavior: 'instant' })")
        place, scrolled = each.bounding_box(), page.evaluate("scrollY")
        x, y = place["x"] + 0.7 * place["width"], place["y"] + place["height"] / 2
        swipe(page, *straight((x, y), (x + 3, y - 60)))
        page.wait_for_timeout(100)
        assert controls.evaluate_all(STATE) == before
        assert page.evaluate("scrollY") != scrolled
    for text in box.locator(".course-text[role=slider]").all():
        text.tap(position={"x": 60, "y": 20})
        tapped = controls.evaluate_all(STATE)
        assert tapped != before
        place = text.bounding_box()
        x, y = place["x"] + 60, place["y"] + 20
        swipe(page, *straight((x, y), (x + 90, y + 3)))
        assert controls.evaluate_all(STATE) not in (before, tapped)


# The model that reads. ----------------------------------------------------------------------------


def says(box: "Locator", encoding: str, text: str = OWN, stretch: str | None = None) -> None:
    """The bits a character up to the line and beyond are those of NumPy."""
    bits = text_model.read(text, encoding, stretch, factor=4 if stretch else None).bits
    before, beyond = (f"{half.mean():.1f}" for half in np.split(bits, [63]))
    tally = box.locator(".course-tally")
    expect(tally).to_contain_text(f"{before} bits a character up to 64, {beyond} beyond")


def choose(box: "Locator", name: str) -> None:
    box.get_by_role("radio", name=name, exact=True).click()


def read_a_text(box: "Locator") -> None:
    """All that can be chosen, for a text of one's own."""
    box.get_by_label("Your own text").fill(OWN)
    says(box, "sinusoidal")
    colors = "all => all.map((each) => getComputedStyle(each).backgroundColor)"
    assert len({*box.locator(LETTERS).evaluate_all(colors)}) > 5
    choose(box, "ALiBi")
    says(box, "alibi")
    assert box.locator(LETTERS).count() == len(OWN)
    choose(box, "RoPE")
    choose(box, "YaRN")
    says(box, "rope", stretch="yarn")
    choose(box, "NTK base")
    says(box, "rope", stretch="ntk")
    choose(box, "learned")
    expect(box.locator(".course-tally")).to_contain_text("it cannot read on")
    expect(box.locator(".course-unread")).to_have_count(len(OWN) - 64)
    expect(box.locator(".course-readout")).to_contain_text("no vector was ever learned")
    box.get_by_role("button", name="Reset").click()
    says(box, "sinusoidal", text=reading_explorer().samples()["en"])


def look_at_heads(box: "Locator") -> None:
    """The picture of the heads, and the first character, which can look nowhere else."""
    expect(box.locator(".course-back")).to_have_count(1)
    text, said = head_explorer().samples()["en"], box.locator(".course-readout")
    box.get_by_role("slider", name="cursor in the text").press("Home")
    expect(said).to_contain_text(f"Character 1, {text[0].lower()}, looks most at itself: 100 %")
    reading = text_model.read(text, "rope")
    shares = text_model.shares_before(reading.attention[..., :64, :64])
    expect(said).to_contain_text(f"{shares.max():.0%}".replace("%", " %"))


@pytest.fixture
def alone(browser) -> Iterator["Locator"]:
    """The explorer that reads, on a page where nobody has touched it."""
    with showing(browser, reading_explorer().view) as page:
        page.choose("en")
        box = page.notebook.locator(".course-reading")
        says(box, "sinusoidal", text=reading_explorer().samples()["en"])
        yield box


def test_texts_are_read_and_heads_are_painted_by_the_kernel(alone, all_of_them) -> None:
    read_a_text(alone)
    look_at_heads(all_of_them.notebook.locator(".course-reading").nth(1))


def test_on_a_page_texts_are_read_without_a_kernel_and_weights_come_once(
    visit_explorer: Callable,
) -> None:
    box, asked = visit_explorer("reading_explorer"), []
    box.page.on("request", lambda request: asked.append(Path(request.url).name))
    read_a_text(box)
    assert asked == ["alibi.js", "rope.js", "learned.js"]
    look_at_heads(visit_explorer("head_explorer"))


def test_the_keys_move_cursor_length_and_choices(alone) -> None:
    alone.get_by_label("Your own text").fill(OWN)
    cursor = alone.get_by_role("slider", name="cursor in the text")
    cursor.press("Home")
    expect(alone.locator(".course-readout")).to_contain_text("At character 2 it expected")
    cursor.press("End")
    expect(alone.locator(".course-readout")).to_contain_text("The text ends here")
    length = alone.get_by_role("slider", name="length of the text")
    length.press("Home")
    expect(alone.locator(".course-later")).to_have_count(len(OWN) - 16)
    expect(cursor).to_have_attribute("aria-valuemax", "16")
    alone.get_by_role("radio", checked=True).first.press("ArrowRight")
    expect(alone.get_by_role("radio", name="ALiBi")).to_be_focused()
    expect(alone.locator(".course-later")).to_have_count(len(OWN) - 16)


def test_play_lets_the_text_grow_waits_at_the_line_and_goes_on(alone) -> None:
    length = alone.get_by_role("slider", name="length of the text")
    length.fill("60")
    alone.get_by_role("button", name="Play").click()
    expect(alone.get_by_role("button", name="Pause")).to_be_visible()
    expect(length).to_have_value("64")
    alone.page.wait_for_timeout(300)
    expect(length).to_have_value("64")
    expect(length).not_to_have_value("64", timeout=5_000)
    alone.get_by_role("button", name="Pause").click()


def test_no_word_is_in_two_rows(visit_explorer) -> None:
    box = visit_explorer("reading_explorer", viewport=PHONE)
    tops = box.locator(LETTERS).evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().top])"
    )
    words = "".join(letter for letter, _ in tops)
    for word in re.finditer(r"\S+", words):
        rows = {top for _, top in tops[word.start() : word.end()]}
        assert len(rows) == 1, word[0]
