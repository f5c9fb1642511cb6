"""A browser and a JupyterLab server, which all tests in a process share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from private_jupyter import MissingBrowserError, Server, open_browser

from course_utils.notebook import storage

from .if_installed import Browser, expect, sync_playwright
from .lesson_pages import FIRST_CELL, Lesson, Window, notebook_path, write_notebook


def missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Browser for all tests in a process, because only one Playwright can run at a time."""
    if sync_playwright is None:
        missing("The browser tests need playwright and axe-playwright-python: install .[test].")
    with sync_playwright() as playwright:
        try:
            browser = open_browser(playwright)
        except MissingBrowserError as error:
            missing(str(error))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def opened(browser, tmp_path_factory) -> Iterator[Window]:
    """JupyterLab window with default settings."""
    server = Server(tmp_path_factory.mktemp("lab"))
    try:
        server.wait()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(30_000)
        expect.set_options(timeout=20_000)
        yield Window(server, context.new_page())
        context.close()
    finally:
        server.stop()


@pytest.fixture
def window(opened: Window) -> Iterator[Window]:
    """JupyterLab window in which no errors may occur during the test."""
    yield opened
    assert not opened.complaints()


@pytest.fixture
def own_copy(window: Window) -> Iterator[Callable[[str | Path], Lesson]]:
    """Function that opens a separate copy of a notebook, without a stored language."""
    (window.server.configuration / f"{storage.NAME}.json").unlink(missing_ok=True)
    copies = []

    def open_copy(of: str | Path) -> Lesson:
        copies.append(window.open(of if isinstance(of, Path) else notebook_path(of)))
        return copies[-1]

    yield open_copy
    for lesson in copies:
        lesson.close()


@pytest.fixture
def run_cells(own_copy, tmp_path) -> Callable[..., Lesson]:
    """Function that opens and runs a notebook with these cells after the usual first cell."""

    def run(*cells: str) -> Lesson:
        lesson = own_copy(write_notebook(tmp_path, FIRST_CELL, *cells))
        lesson.run("all")
        return lesson

    return run


@pytest.fixture(scope="session")
def whole_lesson(opened: Window) -> Lesson:
    """Lesson 04, with explorers, questions, a report card and formulas, after running all cells."""
    lesson = opened.open(notebook_path("04"))
    lesson.run("all")
    # The report card is among the last outputs of a lesson.
    expect(lesson.notebook.locator(".course-report-card").last).to_be_attached(timeout=60_000)
    lesson.give_guesses()
    return lesson


@pytest.fixture
def lesson(window: Window, whole_lesson: Lesson) -> Lesson:
    """Shared lesson, whose kernel is running and whose controls may have been moved."""
    whole_lesson.activate()
    return whole_lesson
