"""Tests of dragging and pressing keys in Firefox."""

import shutil
from collections.abc import Iterator

import pytest
from checks.browser import missing
from checks.firefox import Firefox, firefox

pytest_plugins = ["checks.visits"]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def window() -> Iterator[Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        missing("Firefox is missing.")
    with firefox(program) as window:
        yield window


def show_explorer(window: Firefox, name: str) -> str:
    """Return the position of an explorer after it has become active."""
    place = f"[data-scenes={name}]"
    window.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", place)
    window.wait(f"document.querySelector('{place} .course-labels > div')")
    return place


def test_words_on_first_page_can_be_dragged(window, site):
    window.open(site / "en" / "index.html")
    window.wait("document.querySelector('.course-story').courseStory.intro === 0")
    x, y = window.middle(".story-words li:nth-child(2) button")
    window.drag((x, y), (x - 60, y + 60))
    assert "as thick as before" in window.text(".story-caption")
    window.click(".story-next")
    window.wait("document.querySelector('.course-story').courseStory.t === 1")


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_firefox_explorer_follows_pointer_keys_values(window, site, kind):
    window.open(site / "en" / "04_sinusoidal_encodings.html")
    place = show_explorer(window, "wave_explorer")
    x, y = window.middle(f"{place} .course-stage")
    readout = window.text(f"{place} .course-readout")
    window.drag((x - 60, y - 60), (x + 60, y - 60), kind)
    assert window.text(f"{place} .course-readout") != readout
    window.type(f"{place} .course-main input", "\ue014\ue014\ue014")  # right arrow key
    assert "30%" in window.text(f"{place} .course-readout")
    place = show_explorer(window, "hand_explorer")
    window.click(".value[data-of=hand_explorer]:last-of-type")
    window.wait(f"document.querySelector('{place} .course-readout').innerText.includes('24')")
