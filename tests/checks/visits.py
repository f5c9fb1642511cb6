"""Pages of the web edition, opened from a folder on disk."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from private_jupyter import REPOSITORY

from .if_installed import Browser, Page
from .lesson_pages import TWO_FRAMES, complaints_of

LONGEST_BUILD = 600
WIDE = {"width": 1280, "height": 900}

SHOW = """place => (place.querySelector(".course-stage") ?? place.firstElementChild)
    .scrollIntoView({ block: "center", behavior: "instant" })"""

PAINTED = ".course-stage svg > g, .course-own-view .course-readout > *"


class Visit:
    """A page with its errors."""

    def __init__(
        self, browser: Browser, site: Path, name: str, before: str = "", **options: object
    ) -> None:
        """Open the page with this name, after ``before`` has run on it."""
        options = {"viewport": WIDE} | options
        self.page: Page = browser.new_context(**options).new_page()
        self.page.add_init_script(before)
        self.complaints = complaints_of(self.page, own=("file:", "data:", "blob:"))
        self.page.goto(f"{site.as_uri()}/{name}")

    def open_explorers(self) -> None:
        """Wait for all explorers and give their guesses."""
        for place in self.page.locator("main [data-scenes]").all():
            place.evaluate(SHOW)
            place.locator(PAINTED).first.wait_for(state="attached")
            place.locator(".course-guess button").evaluate_all("all => all.map((e) => e.click())")

    def unfold(self) -> None:
        self.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")

    def resize(self, width: int = WIDE["width"], height: int = WIDE["height"]) -> None:
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(TWO_FRAMES)

    def close(self) -> None:
        self.page.context.close()
        assert self.complaints == [], self.complaints


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of a test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def built_once(folder: Path, shared: Path, build: Callable[[Path], object]) -> Path:
    """Build a folder in the first process that needs it, and return its path."""
    begun, failed = (shared / f"{folder.name}-{how}" for how in ("begun", "failed"))
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        end = time.monotonic() + LONGEST_BUILD
        while not folder.exists():  # the folder gets this name once it is complete
            assert time.monotonic() < end and not failed.exists(), "it could not be built"
            time.sleep(0.2)
        return folder
    if not folder.exists():
        unfinished = folder.with_name(f"{folder.name}-unfinished")
        try:
            build(unfinished)
        except subprocess.SubprocessError:
            failed.touch()
            raise
        unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """Built site, which is COURSE_SITE if it is set."""
    shared = shared_folder(tmp_path_factory)
    folder = Path(os.environ.get("COURSE_SITE") or shared / "site").resolve()

    def build(to: Path) -> None:
        command = [sys.executable, "-m", "web.build", "--out", to]
        subprocess.run(command, check=True, timeout=LONGEST_BUILD, cwd=REPOSITORY)

    return built_once(folder, shared, build)


@contextmanager
def visits(browser: Browser, site: Path) -> Iterator[Callable[..., Visit]]:
    """Function that opens pages, on which no errors may occur."""
    opened = []

    def go(name: str, before: str = "", **options: object) -> Visit:
        opened.append(Visit(browser, site, name, before, **options))
        return opened[-1]

    yield go
    for each in opened:
        each.close()


@pytest.fixture
def visit(browser: Browser, site: Path) -> Iterator[Callable[..., Visit]]:
    with visits(browser, site) as go:
        yield go


@pytest.fixture(scope="module")
def long_visit(browser: Browser, site: Path) -> Iterator[Callable[..., Visit]]:
    """Function that opens pages shared by several tests."""
    with visits(browser, site) as go:
        yield go
