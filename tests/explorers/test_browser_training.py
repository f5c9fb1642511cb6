"""Browser tests of the training explorer, on a page and with a kernel."""

import re
from collections.abc import Iterator

import pytest
from checks.bare_page import Page, showing
from checks.if_installed import Locator, expect

from course_utils import training_explorer
from course_utils.explorers.training.training import N_TEST_TEXTS, RUN, TEST_SEED
from course_utils.training import LearningHead, RandomNumbers, draw_texts

pytest_plugins = ["checks.browser", "checks.reading_pages"]

LONGEST_WAIT = 120_000  # milliseconds; other tests may be using the processor
SAYS = ".course-readout [lang=en]"
NAMES = {"none": "none", "sinusoidal": "sinusoidal", "RoPE": "rope"}


def found_by_numpy(encoding: str) -> tuple[str, str]:
    """Return a head's accuracy in per cent, up to symbol 32 and from there to 80."""
    head = LearningHead(encoding, steps_back=2)
    head.train(RUN)
    texts = draw_texts(RandomNumbers(TEST_SEED), N_TEST_TEXTS, 128)[:, :80]
    found = head.found(texts)
    return tuple(f"{part.mean():.0%}" for part in (found[:, :30], found[:, 30:]))


def press(box: "Locator", name: str) -> None:
    box.get_by_role("button", name=name, exact=True).click()


COUNT_PICTURES = """() => {
    window.pictures = 0;
    const put = CanvasRenderingContext2D.prototype.putImageData;
    CanvasRenderingContext2D.prototype.putImageData = function (...given) {
        window.pictures++;
        return put.apply(this, given);
    };
}"""


@pytest.fixture(scope="module")
def with_a_kernel(browser) -> Iterator[Page]:
    with showing(browser, training_explorer()) as page:
        page.choose("en")
        yield page


@pytest.fixture
def heads(with_a_kernel) -> "Locator":
    """Training explorer with untrained heads."""
    box = with_a_kernel.notebook.locator(".course-training")
    press(box, "Start over")
    expect(box.locator(SAYS)).to_contain_text("No head has practised yet")
    return box


def test_training_run_matches_numpy(visit_explorer) -> None:
    """For readers who have requested reduced motion, the explorer also draws fewer pictures."""
    box = visit_explorer("training_explorer", reduced_motion="reduce")
    box.get_by_role("radio", name="2").click()
    box.page.evaluate(COUNT_PICTURES)
    status = box.get_by_role("status")
    expect(status).to_have_text("")
    press(box, "Start")
    expect(box.get_by_role("button", name="Pause")).to_be_visible()
    expect(status).to_have_text("")
    expect(status).to_contain_text(f"After {RUN} steps", timeout=LONGEST_WAIT)
    assert 0 < box.page.evaluate("pictures") <= 3 * 6
    expect(box.get_by_role("button", name="Start", exact=True)).to_be_visible()
    found = [(name, *found_by_numpy(encoding)) for name, encoding in NAMES.items()]
    inside = ", ".join(f"{name} {share}" for name, share, _ in found)
    beyond = ", ".join(f"{name} {share}" for name, _, share in found)
    expect(box.locator(SAYS)).to_contain_text(f"new texts of 32 symbols are {inside}.")
    box.get_by_role("slider").fill("80")
    expect(box.locator(SAYS)).to_contain_text(f"correct answers beyond symbol 32 are {beyond}.")
    expect(box.locator(".course-answer.course-right")).not_to_have_count(3)
    # The status is not announced again for every length.
    expect(status).to_contain_text(f"After {RUN} steps")


def test_pause_keeps_learned_weights(heads) -> None:
    for step in (1, 2, 3):
        press(heads, "One step")
        expect(heads.locator(SAYS)).to_contain_text(f"After {step} steps")
    press(heads, "Start")
    going_on = re.compile(r"^Step (?!3 )\d+ …$")
    expect(heads.locator(SAYS)).to_have_text(going_on, timeout=LONGEST_WAIT)
    press(heads, "Pause")
    expect(heads.locator(SAYS)).to_contain_text("After ")
    (n_steps,) = re.findall(r"After (\d+) steps", heads.locator(SAYS).inner_text())
    assert 3 < int(n_steps) < RUN
    expect(heads.get_by_role("status")).to_have_text("")
    press(heads, "Start over")
    expect(heads.locator(SAYS)).to_contain_text("No head has practised yet")


def test_training_heads_work_by_keyboard(heads) -> None:
    start = heads.get_by_role("button", name="Start", exact=True)
    start.focus()
    start.press("Space")
    expect(heads.get_by_role("button", name="Pause")).to_be_focused()
    heads.get_by_role("button", name="Pause").press("Enter")
    chosen = heads.get_by_role("radio", checked=True)
    chosen.press("ArrowRight")
    expect(heads.get_by_role("radio", name="2")).to_be_focused()
    expect(heads.get_by_role("radio", name="2")).to_be_checked()
    heads.get_by_role("radio", name="2").press("ArrowLeft")
    expect(heads.get_by_role("radio", name="1")).to_be_checked()
    length = heads.get_by_role("slider", name="length of the text")
    length.press("ArrowRight")
    expect(length).to_have_attribute("aria-valuetext", "33 symbols")
    expect(heads.locator(".course-asking b:visible")).to_have_text(
        chr(65 + draw_texts(RandomNumbers(TEST_SEED), 1, 33)[0, 31])
    )


def test_forced_colours_mark_chosen_number(with_a_kernel, heads) -> None:
    with_a_kernel.page.emulate_media(forced_colors="active")
    chosen, other = (
        heads.get_by_role("radio", name=name).evaluate("e => getComputedStyle(e).backgroundColor")
        for name in ("1", "2")
    )
    with_a_kernel.page.emulate_media(forced_colors="none")
    assert chosen != other


def test_python_follows_settings_changed_in_training(with_a_kernel, heads) -> None:
    press(heads, "Start")
    expect(heads.locator(SAYS)).to_contain_text("Step", timeout=LONGEST_WAIT)
    heads.get_by_role("combobox", name="Head 1").select_option("rope")
    heads.get_by_role("radio", name="2").click()
    expect(heads.get_by_role("button", name="Pause")).to_be_visible()
    expect(heads.locator(".course-asking")).to_contain_text("two symbols before me")
    with_a_kernel.settle()
    view = with_a_kernel._cells[-1]
    assert (view.encodings, view.steps_back) == (["rope", "sinusoidal", "rope"], 2)
    press(heads, "Pause")
