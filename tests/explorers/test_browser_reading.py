"""Browser tests of the character model's explorers, with and without a kernel."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from checks.bare_page import Page, showing
from checks.fingers import BADLY_SIZED, swipe
from checks.if_installed import Locator, expect
from checks.lesson_pages import TWO_FRAMES

from course_utils import text_model
from course_utils.explorers.reading.reading import head_explorer, reading_explorer
from course_utils.explorers.ruler.ruler import ruler_explorer
from course_utils.explorers.which_clock.which_clock import which_clock_explorer
from course_utils.text_model import TRAINED_LENGTH, read

pytest_plugins = ["checks.browser", "checks.reading_pages"]

OWN = "Ada lived by the river, and every morning she went down to the water to see the fish there."
PHONE = {"width": 390, "height": 844}
LETTERS = ".course-letters > span:not(.course-next)"

# Explorers that compute, and the last element that must fit on a phone's screen together with the
# first one.
COMPUTES = {
    "reading_explorer": ".course-bar",
    "head_explorer": ".course-bar",
    "which_clock_explorer": ".course-readout",
    "ruler_explorer": ".course-readout",
    "training_explorer": ".course-framed-bar",
}


READERS = [reading_explorer, head_explorer, which_clock_explorer, ruler_explorer]


@pytest.fixture(scope="module")
def with_a_kernel(browser) -> Iterator[Page]:
    with showing(browser, *(make() for make in READERS)) as page:
        page.choose("en")
        yield page


def on(page: Page, make: Callable) -> "Locator":
    return page.notebook.locator(".course-reading").nth(READERS.index(make))


@pytest.fixture
def reader(with_a_kernel) -> "Locator":
    """Reading explorer in its initial state."""
    box = on(with_a_kernel, reading_explorer)
    box.get_by_role("button", name="Reset").click()
    says(box, "rope", text=reading_explorer().samples["en"])
    return box


# All explorers that compute. ----------------------------------------------------------------------


def test_texts_follow_shown_language(with_a_kernel) -> None:
    for language in ("es", "en"):
        with_a_kernel.choose(language)
        for make in READERS:
            rows = on(with_a_kernel, make).locator(".course-letters")
            row = rows.nth(1 if make is ruler_explorer else 0)
            letters = row.locator("> span:not(.course-next)")
            expect(letters).to_have_text([*make().samples[language].lower()])


def broken_words(box: "Locator") -> list[str]:
    """Return the words that are split between two rows of a text."""
    letters = box.locator(f".course-text {LETTERS}").evaluate_all(
        "all => all.map(each => [each.textContent, each.getBoundingClientRect().top])"
    )
    words = re.finditer(r"\S+", "".join(letter for letter, _ in letters))
    return [word[0] for word in words if len({top for _, top in letters[slice(*word.span())]}) > 1]


@pytest.mark.parametrize("name", COMPUTES)
def test_reading_explorer_fits_every_width(visit_explorer, name: str) -> None:
    box = visit_explorer(name, viewport=PHONE, has_touch=True)
    last = box.locator(COMPUTES[name]).bounding_box()
    assert last["y"] + last["height"] - box.bounding_box()["y"] <= PHONE["height"]
    for more in box.locator("summary").all():
        more.click()
    for width in (390, 320, 1920):
        box.page.set_viewport_size({"width": width, "height": 844})
        box.page.evaluate(TWO_FRAMES)
        assert box.page.evaluate("document.documentElement.scrollWidth") == width
        assert box.evaluate(BADLY_SIZED) == broken_words(box) == [], width
        numbers = [each.bounding_box() for each in box.locator(".course-ruler text").all()]
        assert (len(numbers) > 2) == (name == "ruler_explorer")
        for one, other in pairwise(sorted(numbers, key=lambda each: each["x"])):
            assert one["x"] + one["width"] + 4 <= other["x"], width


STATE = """all => all.map((each) => each.ariaChecked ?? each.ariaValueNow ?? each.value)"""
HELD_ONTO = [".course-dial svg", ".course-ruler", ".course-square", ".course-framed-picture"]
HELD_ONTO += [".course-losses canvas", "[type=range]", ".course-text"]


# Skip the reading explorer: its text and slider are the same as in the head explorer.
@pytest.mark.parametrize("name", [*COMPUTES][1:])
def test_scrolling_finger_moves_nothing(visit_explorer, name: str) -> None:
    box = visit_explorer(name, viewport={"width": 390, "height": 500}, has_touch=True)
    page, controls = box.page, box.locator("[role=switch], [role=slider], input[type=range]")
    if name == "which_clock_explorer":
        box.get_by_role("switch", name="hold clock 4").tap()
    page.wait_for_timeout(300)
    before = controls.evaluate_all(STATE)
    for each in [first for held_onto in HELD_ONTO for first in box.locator(held_onto).all()[:1]]:
        each.evaluate("each => each.scrollIntoView({ block: 'center', behavior: 'instant' })")
        place, scrolled = each.bounding_box(), page.evaluate("scrollY")
        x, y = place["x"] + 0.7 * place["width"], place["y"] + place["height"] / 2
        swipe(page, x, y, 3, -60)
        page.wait_for_timeout(100)
        assert controls.evaluate_all(STATE) == before
        assert page.evaluate("scrollY") != scrolled
    for text in box.locator(".course-text[role=slider]").all():
        text.tap(position={"x": 60, "y": 20})
        tapped = controls.evaluate_all(STATE)
        assert tapped != before
        place = text.bounding_box()
        swipe(page, place["x"] + 60, place["y"] + 20, 90, 3)
        assert controls.evaluate_all(STATE) not in (before, tapped)


# The reading explorer. ----------------------------------------------------------------------------


def says(box: "Locator", encoding: str, text: str = OWN, stretch: str | None = None) -> None:
    """Check the printed bits per character, before and after the line, against NumPy."""
    bits = text_model.read(text, encoding, stretch, factor=4 if stretch else None).bits
    before, beyond = (f"{half.mean():.1f}" for half in np.split(bits, [63]))
    tally = box.locator(".course-tally")
    expect(tally).to_contain_text(f"{before} bits per character up to 64, and {beyond} beyond")


def choose(box: "Locator", name: str) -> None:
    box.get_by_role("radio", name=name, exact=True).click()


def read_a_text(box: "Locator") -> None:
    """Make all possible choices for a typed text."""
    box.get_by_label("Your own text").fill(OWN)
    says(box, "rope")
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
    expect(box.locator(".course-tally")).to_contain_text("the model cannot read any further")
    expect(box.locator(".course-unread")).to_have_count(len(OWN) - 64)
    expect(box.locator(".course-readout")).to_contain_text("no vector was learned")
    box.get_by_role("button", name="Reset").click()
    says(box, "rope", text=reading_explorer().samples["en"])


def look_at_heads(box: "Locator") -> None:
    """Check the picture of the heads, and the first character, which attends to itself."""
    expect(box.locator(".course-back")).to_have_count(1)
    text, readout = head_explorer().samples["en"], box.locator(".course-readout")
    box.get_by_role("slider", name="cursor in the text").press("Home")
    expect(readout).to_contain_text(
        f"Character 1, {text[0].lower()}, looks most at itself, with 100%"
    )
    reading = text_model.read(text, "rope")
    shares = text_model.shares_before(reading.attention[..., :64, :64])
    expect(readout).to_contain_text(f"{shares.max():.0%}")


def test_kernel_sends_predictions_with_heads(with_a_kernel, reader) -> None:
    read_a_text(reader)
    look_at_heads(on(with_a_kernel, head_explorer))


def test_page_reads_texts_without_kernel(visit_explorer):
    box, asked = visit_explorer("reading_explorer"), []
    box.page.on("request", lambda request: asked.append(Path(request.url).name))
    read_a_text(box)
    assert asked == ["alibi.js", "learned.js"]
    look_at_heads(visit_explorer("head_explorer"))


def test_keys_change_cursor_length_choices(reader) -> None:
    reader.get_by_label("Your own text").fill(OWN)
    cursor = reader.get_by_role("slider", name="cursor in the text")
    cursor.press("Home")
    expect(reader.locator(".course-readout")).to_contain_text("At character 2, the model expected")
    cursor.press("End")
    expect(reader.locator(".course-readout")).to_contain_text("The text ends here")
    length = reader.get_by_role("slider", name="length of the text")
    length.press("Home")
    expect(reader.locator(".course-later")).to_have_count(len(OWN) - 16)
    expect(cursor).to_have_attribute("aria-valuemax", "16")
    reader.get_by_role("radio", checked=True).first.press("ArrowLeft")
    expect(reader.get_by_role("radio", name="ALiBi")).to_be_focused()
    expect(reader.locator(".course-later")).to_have_count(len(OWN) - 16)


def test_playback_pauses_at_training_length(reader) -> None:
    length = reader.get_by_role("slider", name="length of the text")
    length.fill("60")
    reader.get_by_role("button", name="Play").click()
    expect(reader.get_by_role("button", name="Pause")).to_be_visible()
    expect(length).to_have_value("64")
    reader.page.wait_for_timeout(300)
    expect(length).to_have_value("64")
    expect(length).not_to_have_value("64", timeout=5_000)
    reader.get_by_role("button", name="Pause").click()


# Clocks and ruler. --------------------------------------------------------------------------------


def beyond(text: str, **how: object) -> str:
    """Return the printed bits per character beyond the training length."""
    bits = read(text, "rope", factor=4 if "stretch" in how else None, **how).bits
    return f"{bits[TRAINED_LENGTH - 1 :].mean():.1f}"


def says_of_clocks(box: "Locator", text: str = OWN, **how: object) -> None:
    readout = box.locator(".course-readout")
    expect(readout).to_contain_text(f"beyond 64, the model needs {beyond(text, **how)} bits")
    expect(readout).to_contain_text(f"with all clocks running, it needs {beyond(text)}")


def clock(box: "Locator", number: int) -> "Locator":
    return box.get_by_role("switch", name=f"hold clock {number}")


def test_clocks_work_by_keys_or_pointer_offline(visit_explorer):
    box, asked = visit_explorer("which_clock_explorer"), []
    box.page.on("request", lambda request: asked.append(Path(request.url).name))
    box.locator("summary").click()
    box.get_by_label("Your own text").fill(OWN)
    clock(box, 4).click()
    expect(clock(box, 4)).to_be_checked()
    says_of_clocks(box, held=[3])
    clock(box, 2).press("Space")
    says_of_clocks(box, held=[1, 3])
    limit = box.get_by_role("slider", name="held from")
    limit.fill("40")
    expect(limit).to_have_attribute("aria-valuetext", "40 characters")
    says_of_clocks(box, held=[1, 3], limit=40)
    box.get_by_role("button", name="Hold all").click()
    says_of_clocks(box, held=range(8), limit=40)
    box.get_by_role("button", name="Release all").click()
    expect(limit).to_be_disabled()
    box.get_by_role("checkbox", name="look no further back").check()
    says_of_clocks(box, window=62)
    box.get_by_role("checkbox", name="look no further back").uncheck()
    box.get_by_role("radio", name="YaRN").click()
    says_of_clocks(box, stretch="yarn")
    box.get_by_role("button", name="Reset").click()
    sample = which_clock_explorer().samples["en"]
    expect(box.locator(".course-readout")).to_contain_text(f"and {beyond(sample)} beyond")
    assert asked == []


def test_kernel_reads_text_with_held_clock(with_a_kernel) -> None:
    box = on(with_a_kernel, which_clock_explorer)
    clock(box, 4).click()
    says_of_clocks(box, which_clock_explorer().samples["en"], held=[3])


def costs(box: "Locator", start: int, text: str) -> None:
    for row, encoding in enumerate(("learned", "sinusoidal", "rope"), 1):
        n = max(0, TRAINED_LENGTH - start) if encoding == "learned" else TRAINED_LENGTH
        bits = read(text[:n], encoding, start=start).bits if text[:n] else []
        readout = f"{bits.mean():.1f}" if len(bits) else "–"
        expect(box.locator(".course-row").nth(row).locator(".course-number")).to_have_text(readout)


def test_ruler_works_by_drag_tap_keys(
    visit_explorer,
) -> None:
    box = visit_explorer("ruler_explorer")
    text = ruler_explorer().samples["en"]
    ruler = box.get_by_role("slider", name="position of the first letter")
    place = ruler.bounding_box()
    middle = place["y"] + place["height"] / 2
    mouse = box.page.mouse
    mouse.move(place["x"] + 16, middle)
    mouse.down()
    mouse.move(place["x"] + place["width"] - 16, middle, steps=5)
    mouse.up()
    expect(ruler).to_have_attribute("aria-valuenow", "100000")
    expect(ruler).to_be_focused()
    costs(box, 100_000, text)
    readout = box.locator(".course-readout")
    expect(readout).to_contain_text("learned has no vectors")
    expect(readout).to_contain_text("RoPE reads about as well as before")
    expect(box.locator(".course-unread")).to_have_count(len(text))
    mouse.click(place["x"] + 16, middle)
    costs(box, 0, text)
    for key in ("PageUp", "PageUp", "ArrowRight"):
        ruler.press(key)
    expect(ruler).to_have_attribute("aria-valuetext", "position 65")
    costs(box, 65, text)
    box.get_by_label("Your own sentence").fill(OWN[:40])
    costs(box, 65, OWN[:40])
    box.get_by_role("button", name="Reset").click()
    costs(box, 0, text)


def test_finger_drags_pin_of_held_clock(visit_explorer) -> None:
    box = visit_explorer("which_clock_explorer", viewport=PHONE, has_touch=True)
    clock(box, 4).tap()
    expect(clock(box, 4)).to_be_checked()
    box.page.wait_for_timeout(400)
    pin = clock(box, 4).locator(".course-pin").bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] / 2
    swipe(box.page, x, y, -60, 20)
    limit = box.get_by_role("slider", name="held from")
    expect(limit).to_be_focused()
    moved = int(limit.input_value())
    assert moved > 80
    says_of_clocks(box, which_clock_explorer().samples["en"], held=[3], limit=moved)


HANDLE_AT = """box => new Promise(done => {
    const handle = box.querySelector(".course-handle"), seen = [];
    const look = () => seen.push(+handle.getAttribute("cx")) < 10
        ? requestAnimationFrame(look) : done(seen);
    look();
})"""


def test_play_stops_when_ruler_is_touched(visit_explorer):
    box = visit_explorer("ruler_explorer")
    ruler = box.get_by_role("slider", name="position of the first letter")
    play = box.get_by_role("button", name="Play")
    play.click()
    expect(ruler).not_to_have_attribute("aria-valuenow", "0")
    between = {*box.evaluate(HANDLE_AT)}
    ruler.press("Home")
    (start,) = {*box.evaluate(HANDLE_AT)}
    ruler.press("ArrowRight")
    (second,) = {*box.evaluate(HANDLE_AT)}
    steps = [(each - start) / (second - start) for each in between]
    assert any(0.1 < step % 1 < 0.9 for step in steps)  # it glides from one position to the next
    ruler.press("Home")
    expect(play).to_be_visible()
    box.page.wait_for_timeout(300)
    expect(ruler).to_have_attribute("aria-valuenow", "0")
    box.page.emulate_media(reduced_motion="reduce")
    for position in ("16", "64", "1000"):
        play.click()
        expect(ruler).to_have_attribute("aria-valuenow", position)
