"""The model that reads as a reader meets it: in a notebook with a kernel, on a page without."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from checks.lesson_pages import (
    Lesson,
    assert_axe_finds_nothing_serious_of_ours,
    light_only,
    write_notebook,
)
from private_jupyter import REPOSITORY

from course_utils import text_model
from course_utils.explorers.reading import duel_explorer, head_explorer, reading_explorer

try:
    from playwright.sync_api import Browser, Locator, Page, expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]

OWN = "Ada lived by the river, and every morning she went down to the water to see the fish there."
NAMES = ("reading_explorer", "head_explorer", "duel_explorer")
LETTERS = ".course-letters > span:not(.course-next)"


def two_numbers(encoding: str, text: str = OWN, stretch: str | None = None) -> tuple[str, str]:
    """Bits a character up to the line and beyond, as they are printed."""
    bits = text_model.read(text, encoding, stretch, factor=4 if stretch else None).bits
    return tuple(f"{half.mean():.1f}" for half in np.split(bits, [63]))


def says(box: "Locator", encoding: str, **given: str) -> None:
    before, beyond = two_numbers(encoding, **given)
    tally = box.locator(".course-tally")
    expect(tally).to_contain_text(f"{before} bits a character up to 64, {beyond} beyond")


def colored(box: "Locator") -> set[str]:
    return set(
        box.locator(LETTERS).evaluate_all(
            "all => all.map(e => getComputedStyle(e).backgroundColor)"
        )
    )


def choose(box: "Locator", name: str) -> None:
    box.get_by_role("radio", name=name, exact=True).click()


# In a notebook. -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def notebook(opened, tmp_path_factory) -> Iterator[Lesson]:
    imports = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"
    cells = [f"{name}()" for name in NAMES]
    lesson = opened.open(write_notebook(tmp_path_factory.mktemp("reading"), imports, *cells))
    lesson.run("all")
    boxes = lesson.notebook.locator(".course-explorer-box")
    expect(boxes).to_have_count(len(NAMES), timeout=60_000)
    lesson.choose("en")
    yield lesson
    lesson.close()


@light_only
def test_in_a_notebook_own_text_is_read_by_the_kernel_and_kept(notebook: Lesson) -> None:
    box = notebook.explorer(0).box
    says(box, "sinusoidal", text=reading_explorer().samples()["en"])
    box.get_by_label("Your own text").press_sequentially(OWN)
    says(box, "sinusoidal")
    assert len(colored(box)) > 5
    choose(box, "ALiBi")
    says(box, "alibi")
    assert box.locator(LETTERS).count() == len(OWN)
    choose(box, "RoPE")
    choose(box, "YaRN")
    says(box, "rope", stretch="yarn")
    box.get_by_role("button", name="Reset").click()
    says(box, "sinusoidal", text=reading_explorer().samples()["en"])
    notebook.choose("es")
    text = reading_explorer().samples()["es"]
    expect(box.locator(LETTERS)).to_have_count(len(text))
    notebook.choose("en")


@light_only
def test_in_a_notebook_heads_and_duels_are_painted_by_the_kernel(notebook: Lesson) -> None:
    box = notebook.explorer(1).box
    expect(box.locator(".course-back")).to_have_count(1)
    cursor = box.get_by_role("slider", name="cursor in the text")
    cursor.press("Home")
    expect(box.locator(".course-readout")).to_contain_text(
        "Character 1, a, looks most at itself: 100 %"
    )
    duel = notebook.explorer(2).box
    expect(duel.locator(".course-text")).to_have_count(2)
    assert len(colored(duel)) > 5


@light_only
def test_nothing_in_a_notebook_keeps_anybody_out(notebook: Lesson) -> None:
    assert_axe_finds_nothing_serious_of_ours(notebook)


# On a page. ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A page for each explorer in each language, from a folder on disk."""
    pytest.importorskip("latex2mathml", reason="The web edition needs the extra web.")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, REPOSITORY / "web" / "try_reading.py", "--out", folder]
    subprocess.run(command, check=True, timeout=120)
    return folder


@pytest.fixture(autouse=True)
def no_page_stays_open(browser: "Browser") -> Iterator[None]:
    others = {*browser.contexts}
    yield
    for context in {*browser.contexts} - others:
        context.close()


def visit(browser: "Browser", site: Path, name: str, **options: object) -> "Page":
    options = {"viewport": {"width": 1280, "height": 900}} | options
    page = browser.new_context(**options).new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto((site / "en" / f"{name}.html").as_uri())
    expect(page.locator(".course-readout")).not_to_have_text("", timeout=20_000)
    return page


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}


def test_on_a_page_own_text_is_read_as_by_numpy(browser, site) -> None:
    page = visit(browser, site, "reading_explorer")
    asked = []
    page.on("request", lambda request: asked.append(Path(request.url).name))
    box = page.locator(".course-explorer-box")
    box.get_by_label("Your own text").fill(OWN)
    says(box, "sinusoidal")
    choose(box, "ALiBi")
    says(box, "alibi")
    choose(box, "RoPE")
    choose(box, "NTK base")
    says(box, "rope", stretch="ntk")
    choose(box, "learned")
    expect(box.locator(".course-tally")).to_contain_text("it cannot read on")
    expect(box.locator(".course-unread")).to_have_count(len(OWN) - 64)
    expect(box.locator(".course-readout")).to_contain_text("no vector was ever learned")
    # Weights come when they are asked for, once.
    assert asked == ["alibi.js", "rope.js", "learned.js"]
    assert page.complaints == []


def test_on_a_page_the_keys_move_cursor_length_and_choices(browser, site) -> None:
    page = visit(browser, site, "reading_explorer")
    box = page.locator(".course-explorer-box")
    box.get_by_label("Your own text").fill(OWN)
    cursor = box.get_by_role("slider", name="cursor in the text")
    cursor.press("Home")
    expect(box.locator(".course-readout")).to_contain_text("At character 2 it expected")
    cursor.press("End")
    expect(box.locator(".course-readout")).to_contain_text("The text ends here")
    length = box.get_by_role("slider", name="length of the text")
    length.press("Home")
    expect(box.locator(".course-later")).to_have_count(len(OWN) - 16)
    expect(cursor).to_have_attribute("aria-valuemax", "16")
    box.get_by_role("radio", checked=True).first.press("ArrowRight")
    expect(box.get_by_role("radio", name="ALiBi")).to_be_focused()
    expect(box.locator(".course-later")).to_have_count(len(OWN) - 16)
    assert page.complaints == []


def test_play_lets_the_text_grow_waits_at_the_line_and_goes_on(browser, site) -> None:
    page = visit(browser, site, "reading_explorer")
    box = page.locator(".course-explorer-box")
    length = box.get_by_role("slider", name="length of the text")
    length.fill("60")
    box.get_by_role("button", name="Play").click()
    expect(box.get_by_role("button", name="Pause")).to_be_visible()
    expect(length).to_have_value("64")
    page.wait_for_timeout(300)
    expect(length).to_have_value("64")
    expect(length).not_to_have_value("64", timeout=5_000)
    box.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize("name", NAMES)
def test_text_sentence_and_main_control_share_the_screen_of_a_phone(browser, site, name) -> None:
    page = visit(browser, site, name, **PHONE)
    box = page.locator(".course-reading").bounding_box()
    bar = page.locator(".course-bar").bounding_box()
    assert bar["y"] + bar["height"] - box["y"] <= PHONE["viewport"]["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.locator(".course-reading :is(button, input, textarea)").evaluate_all(
        """all => all.filter(e => e.checkVisibility())
            .map(e => [e.innerText, e.getBoundingClientRect()])
            .filter(([, {width, height}]) => width < 44 || height < 44).map(([text]) => text)"""
    )
    assert small == []
    cut = page.locator(".course-reading button").evaluate_all(
        "all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"
    )
    assert cut == []
    texts = page.locator(".course-reading *").evaluate_all(
        """all => all.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())
            && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.textContent)"""
    )
    assert texts == []


def test_no_word_is_in_two_rows(browser, site) -> None:
    page = visit(browser, site, "reading_explorer", **PHONE)
    tops = page.locator(LETTERS).evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().top])"
    )
    rows = [{top} for _, top in tops]
    words = "".join(letter for letter, _ in tops)
    for word in re.finditer(r"\S+", words):
        assert len(set.union(*rows[word.start() : word.end()])) == 1, word[0]


def test_the_head_and_the_duel_are_painted_from_the_page(browser, site) -> None:
    page = visit(browser, site, "head_explorer")
    box = page.locator(".course-explorer-box")
    text = head_explorer().samples()["en"]
    expect(box.locator(".course-back")).to_have_count(1)
    box.get_by_role("slider", name="cursor in the text").press("Home")
    said = box.locator(".course-readout")
    expect(said).to_contain_text("Character 1, a, looks most at itself: 100 %")
    reading = text_model.read(text, "rope")
    shares = text_model.shares_before(reading.attention[..., :64, :64])
    expect(said).to_contain_text(f"{shares.max():.0%}".replace("%", " %"))
    duel = visit(browser, site, "duel_explorer").locator(".course-explorer-box")
    expect(duel.locator(".course-tally")).to_have_count(2)
    for number, encoding in enumerate(("rope", "alibi")):
        before, beyond = two_numbers(encoding, duel_explorer().samples()["en"])
        tally = duel.locator(".course-tally").nth(number)
        expect(tally).to_contain_text(f"{before} bits a character up to 64, {beyond} beyond")
