"""The clocks and the ruler as a reader meets them: with Python as the kernel, and on the web."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from checks.bare_page import Page, showing
from checks.fingers import straight, swipe
from checks.if_installed import Locator, expect

from course_utils.explorers.ruler import ruler_explorer
from course_utils.explorers.which_clock import which_clock_explorer
from course_utils.text_model import TRAINED_LENGTH, read

pytest_plugins = ["checks.browser", "checks.reading_pages"]

CLOCKS, RULER = "which_clock_explorer", "ruler_explorer"
OWN = "Ada lived by the river, and every morning she went down to the water to see the fish there."
PHONE = {"width": 390, "height": 844}


def beyond(text: str, **how: object) -> str:
    """Bits a character beyond the trained length, as they are printed."""
    bits = read(text, "rope", factor=4 if "stretch" in how else None, **how).bits
    return f"{bits[TRAINED_LENGTH - 1 :].mean():.1f}"


def says_of_clocks(box: "Locator", text: str = OWN, **how: object) -> None:
    said = box.locator(".course-readout")
    expect(said).to_contain_text(f"beyond 64 a character costs {beyond(text, **how)} bits")
    expect(said).to_contain_text(f"with all clocks going, {beyond(text)}")


def clock(box: "Locator", number: int) -> "Locator":
    return box.get_by_role("switch", name=f"hold clock {number}")


def use_the_clocks(box: "Locator") -> None:
    """All that can be done with them, by keys and by pointer."""
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
    box.get_by_role("button", name="Let all go").click()
    expect(limit).to_be_disabled()
    box.get_by_role("checkbox", name="look no further back").check()
    says_of_clocks(box, window=62)
    box.get_by_role("checkbox", name="look no further back").uncheck()
    box.get_by_role("radio", name="YaRN").click()
    says_of_clocks(box, stretch="yarn")
    box.get_by_role("button", name="Reset").click()
    sample = which_clock_explorer().view.samples["en"]
    expect(box.locator(".course-readout")).to_contain_text(f"and {beyond(sample)} beyond")


def costs(box: "Locator", start: int, text: str) -> None:
    for row, encoding in enumerate(("learned", "sinusoidal", "rope"), 1):
        n = max(0, TRAINED_LENGTH - start) if encoding == "learned" else TRAINED_LENGTH
        bits = read(text[:n], encoding, start=start).bits if text[:n] else []
        said = f"{bits.mean():.1f}" if len(bits) else "–"
        expect(box.locator(".course-row").nth(row).locator(".course-number")).to_have_text(said)


# With a kernel. -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both(browser) -> Iterator[Page]:
    with showing(browser, which_clock_explorer().view, ruler_explorer().view) as page:
        page.choose("en")
        expect(page.notebook.locator(".course-readout div").last).to_be_attached()
        yield page


def test_the_clocks_are_worked_with_a_kernel(both) -> None:
    use_the_clocks(both.notebook.locator(".course-which-clock"))


def test_the_ruler_is_worked_with_a_kernel(both) -> None:
    box = both.notebook.locator(".course-ruled")
    text = ruler_explorer().view.samples["en"]
    costs(box, 0, text)
    ruler = box.get_by_role("slider", name="position of the first letter")
    for _ in range(2):
        ruler.press("PageUp")
    ruler.press("ArrowRight")
    expect(ruler).to_have_attribute("aria-valuetext", "position 65")
    costs(box, 65, text)
    box.get_by_label("Your own sentence").fill(OWN[:40])
    costs(box, 65, OWN[:40])
    box.get_by_role("button", name="Reset").click()
    costs(box, 0, text)


# On the web. --------------------------------------------------------------------------------------


def test_on_a_page_the_clocks_are_worked_without_a_kernel_or_the_network(visit_explorer) -> None:
    box, asked = visit_explorer(CLOCKS), []
    box.page.on("request", lambda request: asked.append(Path(request.url).name))
    use_the_clocks(box)
    assert asked == []


def test_on_a_page_the_ruler_is_dragged_and_tapped(visit_explorer) -> None:
    box = visit_explorer(RULER)
    text = ruler_explorer().view.samples["en"]
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
    said = box.locator(".course-readout")
    expect(said).to_contain_text("learned has nothing")
    expect(said).to_contain_text("RoPE reads about as before")
    expect(box.locator(".course-unread")).to_have_count(len(text))
    mouse.click(place["x"] + 16, middle)
    costs(box, 0, text)


def test_a_finger_drags_the_pin_of_a_held_clock_and_taps_a_switch(visit_explorer) -> None:
    box = visit_explorer(CLOCKS, viewport=PHONE, has_touch=True)
    clock(box, 4).tap()
    expect(clock(box, 4)).to_be_checked()
    box.page.wait_for_timeout(400)
    pin = clock(box, 4).locator(".course-pin").bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] / 2
    swipe(box.page, *straight((x, y), (x - 60, y + 20)))
    limit = box.get_by_role("slider", name="held from")
    expect(limit).to_be_focused()
    moved = int(limit.input_value())
    assert moved > 80
    says_of_clocks(box, which_clock_explorer().view.samples["en"], held=[3], limit=moved)


NUMBERS_OF_THE_RULER = """width => {
    const ruler = document.querySelector(".course-ruler");
    ruler.closest(".course-reading").style.width = `${width}px`;
    return new Promise((done) => setTimeout(() => done([...ruler.querySelectorAll("text")]
        .map((each) => [each.textContent, each.getBoundingClientRect()])
        .map(([name, { left, right }]) => [name, left, right])
        .sort((a, b) => a[1] - b[1])), 400));
}"""


def test_no_number_of_the_ruler_touches_another(visit_explorer) -> None:
    box = visit_explorer(RULER)
    box.get_by_role("slider", name="position of the first letter").press("End")
    for width in (220, 700):
        seen = box.page.evaluate(NUMBERS_OF_THE_RULER, width)
        assert {"0", "64", "100\u202f000"} <= {name for name, *_ in seen}
        assert all(one[2] + 4 <= other[1] for one, other in pairwise(seen)), width
    box.page.evaluate(NUMBERS_OF_THE_RULER, 20)  # no room at all


def test_play_goes_on_until_the_ruler_is_touched_and_by_stops_without_motion(
    visit_explorer,
) -> None:
    box = visit_explorer(RULER)
    ruler = box.get_by_role("slider", name="position of the first letter")
    play = box.get_by_role("button", name="Play")
    play.click()
    expect(ruler).not_to_have_attribute("aria-valuenow", "0")
    ruler.press("Home")
    expect(play).to_be_visible()
    box.page.wait_for_timeout(300)
    expect(ruler).to_have_attribute("aria-valuenow", "0")
    box.page.emulate_media(reduced_motion="reduce")
    for position in ("16", "64", "1000"):
        play.click()
        expect(ruler).to_have_attribute("aria-valuenow", position)
