"""Three heads that learn as a reader meets them: in a notebook, and on a page without a kernel."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from checks.bare_page import Page, showing
from checks.lesson_pages import assert_axe_finds_nothing_serious_of_ours

from course_utils import training_explorer
from course_utils.explorers.three_heads import RUN, TRIED, TRIED_SEED
from course_utils.training import ENCODINGS, LearningHead, RandomNumbers, draw_texts

try:
    from playwright.sync_api import Browser, Locator, expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser", "checks.reading_pages"]

PHONE = {"width": 390, "height": 844}
LONGEST_WAIT = 120_000  # milliseconds; other tests may use the processor as well
SAYS = ".course-readout [lang=en]"


@cache
def found_by_numpy(encoding: str, steps_back: int = 1) -> tuple[str, str]:
    """In per cent what a head finds after a run, up to symbol 32 and from there to 80."""
    head = LearningHead(encoding, steps_back=steps_back)
    head.train(RUN)
    texts = draw_texts(RandomNumbers(TRIED_SEED), TRIED, 128)[:, :80]
    found = head.found(texts)
    inside = 32 - steps_back
    return tuple(f"{100 * part.mean():.0f} %" for part in (found[:, :inside], found[:, inside:]))


def press(box: "Locator", name: str) -> None:
    box.get_by_role("button", name=name, exact=True).click()


def wait_for_the_end(box: "Locator", steps: int = RUN) -> None:
    said = box.get_by_role("status").locator("[lang=en]")
    expect(said).to_contain_text(f"After {steps} steps", timeout=LONGEST_WAIT)


@pytest.fixture
def notebook(browser) -> Iterator[Page]:
    with showing(browser, training_explorer().view) as page:
        page.choose("en")
        expect(page.notebook.locator(SAYS)).to_contain_text("Nobody has practised yet")
        yield page


@pytest.fixture
def box(notebook) -> "Locator":
    return notebook.notebook.locator(".course-training")


def test_a_run_ends_by_itself_with_what_numpy_finds_and_says_so_once(notebook, box) -> None:
    status = box.get_by_role("status")
    expect(status).to_have_text("")
    press(box, "Start")
    expect(box.get_by_role("button", name="Pause")).to_be_visible()
    expect(status).to_have_text("")
    wait_for_the_end(box)
    expect(box.get_by_role("button", name="Start")).to_be_visible()
    found = [found_by_numpy(encoding) for encoding in ENCODINGS]
    names = ("none", "sinusoidal", "RoPE")
    inside, beyond = (
        ", ".join(f"{name} {its[part]}" for name, its in zip(names, found, strict=True))
        for part in (0, 1)
    )
    expect(box.locator(SAYS)).to_contain_text(f"new texts of 32 symbols: {inside}.")
    box.get_by_role("slider").fill("80")
    expect(box.locator(SAYS)).to_contain_text(f"found beyond symbol 32: {beyond}.")
    expect(box.locator(".course-answer.course-right")).not_to_have_count(3)
    wait_for_the_end(box)  # what was said is not said again for every length


def test_a_step_is_one_and_pause_keeps_what_was_learned(box) -> None:
    for step in (1, 2, 3):
        press(box, "One step")
        expect(box.locator(SAYS)).to_contain_text(f"After {step} steps")
    press(box, "Start")
    going_on = re.compile(r"^Step (?!3 )\d+ …$")
    expect(box.locator(SAYS)).to_have_text(going_on, timeout=LONGEST_WAIT)
    press(box, "Pause")
    expect(box.locator(SAYS)).to_contain_text("After ")
    (n_steps,) = re.findall(r"After (\d+) steps", box.locator(SAYS).inner_text())
    assert 3 < int(n_steps) < RUN
    expect(box.get_by_role("status")).to_have_text("")
    press(box, "From scratch")
    expect(box.locator(SAYS)).to_contain_text("Nobody has practised yet")


def test_encodings_and_task_change_on_the_way_and_python_follows(notebook, box) -> None:
    press(box, "Start")
    expect(box.locator(SAYS)).to_contain_text("Step", timeout=LONGEST_WAIT)
    box.get_by_role("combobox", name="Head 1").select_option("rope")
    box.get_by_role("radio", name="2").click()
    expect(box.get_by_role("button", name="Pause")).to_be_visible()
    expect(box.locator(".course-asking")).to_contain_text("two before me")
    notebook.settle()
    view = notebook._cells[1]
    assert (view.encodings, view.steps_back) == (["rope", "sinusoidal", "rope"], 2)
    press(box, "Pause")


def test_it_is_worked_by_keys_alone(notebook, box) -> None:
    start = box.get_by_role("button", name="Start")
    start.focus()
    start.press("Space")
    expect(box.get_by_role("button", name="Pause")).to_be_focused()
    box.get_by_role("button", name="Pause").press("Enter")
    chosen = box.get_by_role("radio", checked=True)
    chosen.press("ArrowRight")
    expect(box.get_by_role("radio", name="2")).to_be_focused()
    expect(box.get_by_role("radio", name="2")).to_be_checked()
    box.get_by_role("radio", name="2").press("ArrowLeft")
    expect(box.get_by_role("radio", name="1")).to_be_checked()
    length = box.get_by_role("slider", name="length of the text")
    length.press("ArrowRight")
    expect(length).to_have_attribute("aria-valuetext", "33 symbols")
    expect(box.locator(".course-asking b:visible")).to_have_text(
        chr(65 + draw_texts(RandomNumbers(TRIED_SEED), 1, 33)[0, 31])
    )


def test_it_speaks_the_language_that_is_chosen(notebook, box) -> None:
    notebook.choose("es")
    expect(box.get_by_role("button", name="Empezar")).to_be_visible()
    expect(box.get_by_role("combobox", name="Cabeza 1").locator("option").first).to_have_text(
        "ninguna"
    )
    named = "Atención de la cabeza 1, posiciones: ninguna, en un texto de 32 símbolos"
    expect(box.get_by_role("img", name=named)).to_have_count(1)
    assert "found" not in box.inner_text()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_keeps_anybody_out(notebook, theme) -> None:
    notebook.choose_theme(theme)
    assert_axe_finds_nothing_serious_of_ours(notebook)


# On the web. --------------------------------------------------------------------------------------


@pytest.fixture
def visit(browser: "Browser", explorer_pages: Path) -> Iterator[Callable]:
    contexts, complaints = ExitStack(), []

    def go(**options: object) -> "Locator":
        options = {"viewport": {"width": 1280, "height": 900}} | options
        page = contexts.enter_context(browser.new_context(**options)).new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((explorer_pages / "en" / "training_explorer.html").as_uri())
        expect(page.locator(SAYS)).not_to_have_text("", timeout=LONGEST_WAIT)
        return page.locator(".course-training")

    with contexts:
        yield go
    assert complaints == []


def test_on_a_page_a_run_takes_little_of_the_processor_and_finds_what_numpy_finds(visit) -> None:
    box = visit(viewport=PHONE)
    box.get_by_role("radio", name="2").click()
    devtools = box.page.context.new_cdp_session(box.page)
    devtools.send("Performance.enable")

    def processor_seconds() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "ThreadTime")

    before = processor_seconds()
    press(box, "Start")
    wait_for_the_end(box)
    # On a telephone four times as much, of the five seconds that a reader waits. Where others use
    # the processor as well, they push its caches aside, and seconds say nothing.
    if os.getloadavg()[0] <= os.cpu_count():
        assert processor_seconds() - before < 5 / 4
    for name, encoding in {"none": "none", "sinusoidal": "sinusoidal", "RoPE": "rope"}.items():
        expect(box.locator(SAYS)).to_contain_text(f"{name} {found_by_numpy(encoding, 2)[0]}")


@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_it_fits_its_card_at_every_width(visit, width: int) -> None:
    box = visit(viewport={"width": width, "height": 900})
    page = box.page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    outside = box.evaluate(
        """box => { const { left, right } = box.getBoundingClientRect();
            return [...box.querySelectorAll(':not(.course-unseen, .course-unseen *)')]
                .filter(e => e.checkVisibility()).map(e => [e.className, e.getBoundingClientRect()])
                .filter(([, its]) => its.left < left - 1 || its.right > right + 1)
                .map(([name]) => name) }"""
    )
    assert outside == []
    small = box.locator(":is(button, input, select)").evaluate_all(
        """all => all.map(e => [e.textContent, e.getBoundingClientRect()])
            .filter(([, {width, height}]) => width < 44 || height < 44).map(([text]) => text)"""
    )
    assert small == []
    texts = box.locator("*").evaluate_all(
        """all => all.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())
            && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.textContent)"""
    )
    assert texts == []
    heads = box.locator(".course-heads").bounding_box()
    assert heads["width"] > 0.95 * box.bounding_box()["width"]


def test_picture_and_buttons_share_the_screen_of_a_phone_and_scrolling_past_moves_nothing(
    visit,
) -> None:
    box = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    bar, whole = (
        box.page.locator(each).bounding_box() for each in (".course-bar", ".course-training")
    )
    assert bar["y"] + bar["height"] - whole["y"] <= PHONE["height"]
    before = box.locator(SAYS).inner_text(), box.get_by_role("slider").input_value()
    devtools = box.page.context.new_cdp_session(box.page)
    for place in (".course-square", ".course-losses canvas", "input[type=range]"):
        spot = box.locator(place).first.bounding_box()
        at = {"x": spot["x"] + 0.7 * spot["width"], "y": spot["y"] + spot["height"] / 2}
        gesture = {**at, "yDistance": -60, "gestureSourceType": "touch", "speed": 800}
        devtools.send("Input.synthesizeScrollGesture", gesture)
    assert (box.locator(SAYS).inner_text(), box.get_by_role("slider").input_value()) == before


def test_who_wants_no_motion_gets_few_pictures(visit) -> None:
    box = visit(reduced_motion="reduce")
    box.page.evaluate(
        """() => { window.pictures = 0; const put = CanvasRenderingContext2D.prototype.putImageData;
            CanvasRenderingContext2D.prototype.putImageData = function (...all) {
                window.pictures++; return put.apply(this, all) } }"""
    )
    press(box, "Start")
    wait_for_the_end(box)
    assert 0 < box.page.evaluate("pictures") <= 3 * 6


def test_in_forced_colours_the_chosen_number_still_stands_out(visit) -> None:
    box = visit(forced_colors="active")
    chosen, other = (
        box.get_by_role("radio", name=name).evaluate("e => getComputedStyle(e).backgroundColor")
        for name in ("1", "2")
    )
    assert chosen != other
