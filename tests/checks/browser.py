"""A browser for the tests of pages, and a JupyterLab in it: one for all that run in a process."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from private_jupyter import MissingBrowserError, Server, open_browser

from course_utils.notebook import storage

from .lesson_pages import Lesson, Window, notebook_path

try:
    from playwright.sync_api import Browser, expect, sync_playwright
except ImportError:
    sync_playwright = None


def missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One for all tests of a process: Playwright runs once at a time in it."""
    if sync_playwright is None:
        missing("The browser tests need playwright and axe-playwright-python: install .[test].")
    with sync_playwright() as playwright:
        try:
            browser = open_browser(playwright)
        except MissingBrowserError as error:
            missing(str(error))
        yield browser
        browser.close()


@pytest.fixture(scope="session", params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def opened(browser, tmp_path_factory, request):
    """A window of a JupyterLab in each of its themes."""
    server = Server(tmp_path_factory.mktemp("lab"))
    try:
        server.set("apputils-extension/themes", theme=f"JupyterLab {request.param.title()}")
        server.wait()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(30_000)
        expect.set_options(timeout=20_000)
        window = Window(server, context.new_page())
        light = str(request.param == "light").lower()
        expect(window.page.locator("body")).to_have_attribute("data-jp-theme-light", light)
        yield window
        context.close()
    finally:
        server.stop()


@pytest.fixture
def window(opened: Window) -> Iterator[Window]:
    """The window, which must not have complained by the end of the test."""
    yield opened
    assert not opened.complaints()


@pytest.fixture
def own_copy(window: Window) -> Iterator[Callable[[str | Path], Lesson]]:
    """Opens a copy of a notebook for this test alone, which may even end its kernel.

    No language was chosen before.
    """
    (window.server.configuration / f"{storage.NAME}.json").unlink(missing_ok=True)
    copies = []

    def open_copy(of: str | Path) -> Lesson:
        copies.append(window.open(of if isinstance(of, Path) else notebook_path(of)))
        return copies[-1]

    yield open_copy
    for lesson in copies:
        lesson.close()


@pytest.fixture
def later_lesson(own_copy) -> Callable[[str], Lesson]:
    """Runs a lesson for this test alone, up to its first picture."""

    def run(number: str) -> Lesson:
        lesson = own_copy(number)
        lesson.run("all")
        expect(lesson.notebook.locator(".course-stage").first).to_be_attached(timeout=30_000)
        lesson.give_guesses()
        return lesson

    return run


@pytest.fixture(params=["03", "04"])
def lesson(window: Window, request) -> Lesson:
    return window.shared_lesson(request.param)
