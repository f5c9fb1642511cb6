"""The model that reads as a reader meets it: with Python as the kernel, and on the web without."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from checks.bare_page import Page, showing
from checks.lesson_pages import assert_axe_finds_nothing_serious_of_ours

from course_utils import text_model
from course_utils.explorers.reading import head_explorer, reading_explorer

try:
    from playwright.sync_api import Locator, expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser", "checks.reading_pages"]

OWN = "Ada lived by the river, and every morning she went down to the water to see the fish there."
EXPLORERS = (reading_explorer, head_explorer)
PHONE = {"width": 390, "height": 844}
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


def first_letter() -> str:
    return head_explorer().samples()["en"][0].lower()


def choose(box: "Locator", name: str) -> None:
    box.get_by_role("radio", name=name, exact=True).click()


# With a kernel. -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def all_of_them(browser) -> Iterator[Page]:
    with showing(browser, *(explorer().view for explorer in EXPLORERS)) as page:
        page.choose("en")
        expect(page.notebook.locator(".course-tally b").last).to_be_attached()
        yield page


def box_of(page: Page, explorer: Callable) -> "Locator":
    return page.notebook.locator(".course-reading").nth(EXPLORERS.index(explorer))


@pytest.fixture
def alone(browser) -> Iterator[Callable[[], "Locator"]]:
    """The explorer that reads, on a page where nobody has touched it."""
    with showing(browser, reading_explorer().view) as page:
        page.choose("en")
        box = box_of(page, reading_explorer)
        says(box, "sinusoidal", text=reading_explorer().samples()["en"])
        yield box


def test_own_text_is_read_by_the_kernel_and_kept(alone) -> None:
    alone.get_by_label("Your own text").fill(OWN)
    says(alone, "sinusoidal")
    assert len(colored(alone)) > 5
    choose(alone, "ALiBi")
    says(alone, "alibi")
    assert alone.locator(LETTERS).count() == len(OWN)
    choose(alone, "RoPE")
    choose(alone, "YaRN")
    says(alone, "rope", stretch="yarn")
    alone.get_by_role("button", name="Reset").click()
    says(alone, "sinusoidal", text=reading_explorer().samples()["en"])


def test_the_sample_is_that_of_the_language_shown(all_of_them) -> None:
    for language in ("es", "en"):
        all_of_them.choose(language)
        letters = box_of(all_of_them, reading_explorer).locator(LETTERS)
        expect(letters).to_have_text([*reading_explorer().samples()[language].lower()])


def test_heads_are_painted_by_the_kernel(all_of_them) -> None:
    box = box_of(all_of_them, head_explorer)
    expect(box.locator(".course-back")).to_have_count(1)
    box.get_by_role("slider", name="cursor in the text").press("Home")
    said = box.locator(".course-readout")
    expect(said).to_contain_text(f"Character 1, {first_letter()}, looks most at itself: 100 %")


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


def test_each_has_a_heading_and_one_place_that_is_announced(all_of_them) -> None:
    for box in all_of_them.notebook.locator(".course-reading").all():
        expect(box.get_by_role("heading", level=3)).to_have_count(1)
        announced = ":is([role=status], output, [aria-live]):not([aria-live=off])"
        assert box.locator(announced).count() == 1


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_keeps_anybody_out(all_of_them, theme) -> None:
    all_of_them.choose_theme(theme)
    assert_axe_finds_nothing_serious_of_ours(all_of_them)
    all_of_them.choose_theme("Light")


# On the web. --------------------------------------------------------------------------------------


def test_on_a_page_own_text_is_read_as_by_numpy(visit_explorer) -> None:
    box, asked = visit_explorer("reading_explorer"), []
    box.page.on("request", lambda request: asked.append(Path(request.url).name))
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


@pytest.mark.parametrize("explorer", EXPLORERS, ids=lambda each: each.__name__)
def test_text_sentence_and_main_control_share_the_screen_of_a_phone(
    visit_explorer, explorer
) -> None:
    page = visit_explorer(explorer.__name__, viewport=PHONE, has_touch=True).page
    box = page.locator(".course-reading").bounding_box()
    bar = page.locator(".course-bar").bounding_box()
    assert bar["y"] + bar["height"] - box["y"] <= PHONE["height"]
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


def test_no_word_is_in_two_rows(visit_explorer) -> None:
    box = visit_explorer("reading_explorer", viewport=PHONE)
    tops = box.locator(LETTERS).evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().top])"
    )
    rows = [{top} for _, top in tops]
    words = "".join(letter for letter, _ in tops)
    for word in re.finditer(r"\S+", words):
        assert len(set.union(*rows[word.start() : word.end()])) == 1, word[0]


def test_the_head_is_painted_from_the_page(visit_explorer) -> None:
    box = visit_explorer("head_explorer")
    text = head_explorer().samples()["en"]
    expect(box.locator(".course-back")).to_have_count(1)
    box.get_by_role("slider", name="cursor in the text").press("Home")
    said = box.locator(".course-readout")
    expect(said).to_contain_text(f"Character 1, {first_letter()}, looks most at itself: 100 %")
    reading = text_model.read(text, "rope")
    shares = text_model.shares_before(reading.attention[..., :64, :64])
    expect(said).to_contain_text(f"{shares.max():.0%}".replace("%", " %"))
