"""The clocks and the ruler as a reader meets them: with Python as the kernel, and on the web."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from checks.bare_page import Page, showing
from checks.lesson_pages import assert_axe_finds_nothing_serious_of_ours

from course_utils.explorers.ruler import ruler_explorer
from course_utils.explorers.which_clock import which_clock_explorer
from course_utils.text_model import TRAINED_LENGTH, read

try:
    from playwright.sync_api import Locator, expect
except ImportError:
    expect = None

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


def test_the_texts_are_those_of_the_language_shown(both) -> None:
    for language in ("es", "en"):
        both.choose(language)
        for explorer, place in ((which_clock_explorer, "which-clock"), (ruler_explorer, "ruled")):
            rows = both.notebook.locator(f".course-{place} .course-letters")
            letters = rows.nth(1 if place == "ruled" else 0).locator("> span:not(.course-next)")
            expect(letters).to_have_text([*explorer().view.samples[language].lower()])


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_keeps_anybody_out(both, theme) -> None:
    both.choose_theme(theme)
    assert_axe_finds_nothing_serious_of_ours(both)
    both.choose_theme("Light")


def test_each_has_a_heading_and_one_place_that_is_announced(both) -> None:
    for name in ("which-clock", "ruled"):
        box = both.notebook.locator(f".course-{name}")
        expect(box.get_by_role("heading", level=3)).to_have_count(1)
        assert box.locator("[role=status], [aria-live]:not([aria-live=off])").count() == 1


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
    expect(said).to_contain_text("RoPE reads as before")
    expect(box.locator(".course-unread")).to_have_count(len(text))
    mouse.click(place["x"] + 16, middle)
    costs(box, 0, text)


def touch(page, kind: str, x: float, y: float) -> None:
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    send = page.context.new_cdp_session(page).send if not hasattr(page, "cdp") else page.cdp
    page.cdp = send
    send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def swipe(page, x: float, y: float, *, aside: float = 0, down: float = 0) -> None:
    touch(page, "touchStart", x, y)
    for part in range(1, 11):
        touch(page, "touchMove", x + aside * part / 10, y + down * part / 10)
    touch(page, "touchEnd", 0, 0)


def state(box: "Locator") -> list[str | None]:
    return box.locator("[role=switch], [role=slider], input[type=range]").evaluate_all(
        "all => all.map(e => e.ariaChecked ?? e.ariaValueNow ?? e.value)"
    )


@pytest.mark.parametrize("name", [CLOCKS, RULER])
def test_a_finger_that_scrolls_past_moves_nothing(visit_explorer, name: str) -> None:
    box = visit_explorer(name, viewport={"width": 390, "height": 500}, has_touch=True)
    page = box.page
    if name == CLOCKS:
        clock(box, 4).tap()
    page.wait_for_timeout(300)
    before = state(box)
    for each in box.locator(".course-dial svg, .course-ruler, input[type=range]").all():
        each.evaluate("each => each.scrollIntoView({block: 'center'})")
        place, scrolled = each.bounding_box(), page.evaluate("scrollY")
        x, y = place["x"] + 0.7 * place["width"], place["y"] + place["height"] / 2
        swipe(page, x, y, aside=3, down=-60)
        page.wait_for_timeout(100)
        assert state(box) == before
        assert page.evaluate("scrollY") != scrolled or page.evaluate("scrollY") == 0


def test_a_finger_drags_the_pin_of_a_held_clock_and_taps_a_switch(visit_explorer) -> None:
    box = visit_explorer(CLOCKS, viewport=PHONE, has_touch=True)
    clock(box, 4).tap()
    expect(clock(box, 4)).to_be_checked()
    box.page.wait_for_timeout(400)
    pin = clock(box, 4).locator(".course-pin").bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] / 2
    swipe(box.page, x, y, aside=-60, down=20)
    limit = box.get_by_role("slider", name="held from")
    expect(limit).to_be_focused()
    moved = int(limit.input_value())
    assert moved > 80
    expect(clock(box, 4)).to_be_checked()
    says_of_clocks(box, which_clock_explorer().view.samples["en"], held=[3], limit=moved)


@pytest.mark.parametrize("name", [CLOCKS, RULER])
@pytest.mark.parametrize("width", [320, 390, 1920])
def test_nothing_is_cut_too_small_or_beside_the_page(visit_explorer, name: str, width: int) -> None:
    box = visit_explorer(name, viewport={"width": width, "height": 844}, has_touch=width < 500)
    for more in box.locator("summary").all():
        more.click()
    page = box.page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    small = box.locator(":is(button, input, textarea, summary):visible").evaluate_all(
        """all => all.map(e => e.type === "checkbox" ? e.parentElement : e)
            .map(e => [e.innerText, e.getBoundingClientRect()])
            .filter(([, {width, height}]) => width < 44 || height < 44).map(([text]) => text)"""
    )
    assert small == []
    cut = box.locator("button").evaluate_all(
        "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"
    )
    assert cut == []
    texts = box.locator("*").evaluate_all(
        """all => all.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())
            && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.textContent)"""
    )
    assert texts == []


NUMBERS_OF_THE_RULER = """width => {
    const ruler = document.querySelector(".course-ruler");
    ruler.closest(".course-reading").style.width = `${width}px`;
    return new Promise((done) => setTimeout(() => {
        const its = ruler.getBoundingClientRect(), boxes = [...ruler.querySelectorAll("text")]
            .map((e) => [e.textContent, e.getBoundingClientRect()])
            .sort((a, b) => a[1].left - b[1].left);
        const tape = document.querySelector(".course-tape > .course-letters");
        const out = [...tape.children].some((e) => e.scrollWidth > e.clientWidth + 1);
        const touch = boxes.some(([, { right }], i) => right + 4 > boxes[i + 1]?.[1].left);
        const past = boxes.some(([, { left, right }]) => left < its.left || right > its.right);
        done({ names: boxes.map(([name]) => name), touch, past, out });
    }, 400));
}"""


@pytest.mark.parametrize("width", [220, 250, 320, 390, 700])
def test_no_number_of_the_ruler_touches_another_or_sticks_out(visit_explorer, width: int) -> None:
    box = visit_explorer(RULER)
    box.get_by_role("slider", name="position of the first letter").press("End")
    seen = box.page.evaluate(NUMBERS_OF_THE_RULER, width)
    assert {"0", "64", "100\u202f000"} <= {*seen.pop("names")}
    assert seen == {"touch": False, "past": False, "out": False}


def test_a_ruler_with_no_room_draws_nothing_wrong(visit_explorer) -> None:
    page = visit_explorer(RULER).page
    wrong = []
    page.on("console", lambda said: wrong.append(said.text))
    page.evaluate(NUMBERS_OF_THE_RULER, 20)
    assert wrong == []


@pytest.mark.parametrize("name", [CLOCKS, RULER])
def test_picture_and_sentence_share_the_screen_of_a_phone(visit_explorer, name: str) -> None:
    box = visit_explorer(name, viewport=PHONE, has_touch=True)
    said = box.locator(".course-readout").bounding_box()
    assert said["y"] + said["height"] - box.bounding_box()["y"] <= PHONE["height"]


def test_play_slides_the_sentence_to_the_end_and_waits_for_nobody_who_touches_it(
    visit_explorer,
) -> None:
    box = visit_explorer(RULER)
    ruler = box.get_by_role("slider", name="position of the first letter")
    box.get_by_role("button", name="Play").click()
    expect(ruler).not_to_have_attribute("aria-valuenow", "0")
    ruler.press("Home")
    expect(box.get_by_role("button", name="Play")).to_be_visible()
    box.page.wait_for_timeout(300)
    expect(ruler).to_have_attribute("aria-valuenow", "0")


def test_who_wants_no_motion_gets_stops(visit_explorer) -> None:
    box = visit_explorer(RULER, reduced_motion="reduce")
    ruler = box.get_by_role("slider", name="position of the first letter")
    for position in ("16", "64", "1000"):
        box.get_by_role("button", name="Play").click()
        expect(ruler).to_have_attribute("aria-valuenow", position)


WORKED = """(act) => new Promise((resolve) => {
    const changed = new MutationObserver(resolve);
    const what = { subtree: true, attributeFilter: ["class"] };
    for (const each of document.querySelectorAll(".course-letters")) changed.observe(each, what);
    if (act < 0) document.querySelector(".course-ruler").dispatchEvent(
        new KeyboardEvent("keydown", { key: "PageUp", bubbles: true }));
    else document.querySelectorAll(".course-dial")[act].click();
}).then(() => null)"""


@pytest.mark.parametrize(("name", "acts"), [(CLOCKS, (3, 0, 5, 2, 6)), (RULER, (-1, -1, -1))])
def test_the_text_answers_within_100_ms_on_a_processor_four_times_slower(
    visit_explorer, name, acts
) -> None:
    """By the time that the page works; the least of several, so that a busy machine says little."""
    page = visit_explorer(name).page
    page.wait_for_timeout(500)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = cdp.send("Performance.getMetrics")["metrics"]
        return next(1000 * each["value"] for each in metrics if each["name"] == "TaskDuration")

    def cost(act: int) -> float:
        before = worked()
        page.evaluate(WORKED, act)
        after = worked()
        page.wait_for_timeout(500)
        return after - before

    assert 4 * min(map(cost, acts)) < 100
