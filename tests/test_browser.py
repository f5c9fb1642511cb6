"""Lessons and a lab in a real JupyterLab in a real browser, as a reader sees them."""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils import explorers

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    sync_playwright = None

ROOT = Path(__file__).parents[1]
LESSONS = {"03": "03_binary_encodings.ipynb", "04": "04_sinusoidal_encodings.ipynb"}
LATER_LESSONS = {
    "05": "05_relative_position.ipynb",
    "06": "06_frequencies_base_precision.ipynb",
    "07": "07_inside_attention.ipynb",
    "08": "08_beyond_sinusoids.ipynb",
}
COPY = "copy_of_" + LESSONS["04"]
LAB = "lab_03.ipynb"
EXPLORERS = "explorers_all.ipynb"
EXPLORER_CALLS = [f"{name}()" for name in explorers.__all__ if name.endswith("_explorer")]
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
)
# What Chromium fetches on its own account fails where there is no network.
BROWSER_ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]

as_root = hasattr(os, "geteuid") and os.geteuid() == 0


def missing(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def find_browser() -> str:
    named = os.environ.get("COURSE_BROWSER")
    for candidate in [named] if named else BROWSERS:
        if found := shutil.which(candidate):
            return found
    missing(
        f"COURSE_BROWSER is {named!r}, which is no program."
        if named
        else "No browser for the browser tests: install Chromium, Chrome or Edge, or name one in "
        "the environment variable COURSE_BROWSER."
    )


class Server:
    """A JupyterLab on copies of the lessons, with settings of its own."""

    def __init__(self, folder: Path) -> None:
        self.token = secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self.settings = folder / "settings"
        self.log = folder / "log"
        lessons = folder / "lessons"
        lessons.mkdir()
        for name in (*LESSONS.values(), *LATER_LESSONS.values()):
            shutil.copy(ROOT / "notebooks" / name, lessons)
        shutil.copy(ROOT / "notebooks" / LESSONS["04"], lessons / COPY)
        shutil.copy(ROOT / "labs" / "03_sinusoidal" / "03_sinusoidal.ipynb", lessons / LAB)
        cells = ["from course_utils import *\nlanguage_switch()", *EXPLORER_CALLS]
        notebook = new_notebook(
            cells=[new_code_cell(source) for source in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
        )
        nbformat.write(notebook, lessons / EXPLORERS)
        # A notebook saved half-way would name widgets that the next window does not have.
        self.set("docmanager-extension/plugin", autosave=False)
        self.set("apputils-extension/notification", fetchNews="false", checkForUpdates=False)
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                    f"--ServerApp.root_dir={lessons}",
                    f"--ServerApp.port={urlsplit(self.url).port}",
                    "--ServerApp.port_retries=0",
                    f"--IdentityProvider.token={self.token}",
                    "--LabApp.expose_app_in_browser=True",
                ],
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "JUPYTER_CONFIG_DIR": str(folder / "config"),
                    "JUPYTER_DATA_DIR": str(folder / "data"),
                    "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
                    "JUPYTERLAB_SETTINGS_DIR": str(self.settings),
                    "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
                    "PYTHONPATH": os.pathsep.join(
                        filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
                    ),
                },
            )

    def set(self, plugin: str, **values: object) -> None:
        file = self.settings / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))

    def wait(self) -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=5).close()
                return
            except (urllib.error.URLError, OSError):
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        raise TimeoutError(self.log.read_text())

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """A server and a browser, started side by side."""
    if sync_playwright is None:
        missing("The browser tests need playwright and axe-playwright-python: install .[test].")
    program = find_browser()
    server = Server(tmp_path_factory.mktemp("lab"))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=program,
                args=BROWSER_ARGUMENTS,
                # Chromium refuses to be root's in its own sandbox.
                chromium_sandbox=not as_root and sys.platform != "linux",
            )
            server.wait()
            yield server, browser
            browser.close()
    finally:
        server.stop()


class Window:
    """One JupyterLab in one browser window."""

    def __init__(self, server: Server, page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._check)
        self._own = (server.url, server.url.replace("http", "ws", 1), "data:", "blob:")
        page.goto(f"{server.url}/lab?token={server.token}")
        page.wait_for_function("window.jupyterapp")
        page.evaluate("window.jupyterapp.restored")

    def _note(self, message) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _check(self, request) -> None:
        if not request.url.startswith(self._own):
            self.complaints.append(f"request to {request.url}")

    def open(self, path: str) -> None:
        self.page.evaluate(
            """async path => {
                const {commands, shell} = window.jupyterapp;
                const panel = await commands.execute('docmanager:open', {path});
                await panel.context.ready;
                await panel.sessionContext.ready;
                panel.id = 'lesson-' + path.split('_')[0];
                shell.activateById(panel.id);
            }""",
            path,
        )

    def command(self, name: str) -> None:
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def lesson(self, number: str) -> Lesson:
        self.page.evaluate("id => window.jupyterapp.shell.activateById(id)", f"lesson-{number}")
        return Lesson(self.page, self.page.locator(f"#lesson-{number} .jp-Notebook"))

    def later_lesson(self, number: str) -> Lesson:
        """A lesson that is opened and run for one test only, up to its first picture."""
        self.open(LATER_LESSONS[number])
        self.command("notebook:run-all-cells")
        lesson = self.lesson(number)
        expect(lesson.notebook.locator(".course-stage img").first).to_be_attached(timeout=30_000)
        return lesson


class Lesson:
    """An open notebook."""

    def __init__(self, page, notebook) -> None:
        self.page = page
        self.notebook = notebook

    def explorer(self, number: int) -> Explorer:
        box = self.notebook.locator(".course-explorer-box").nth(number)
        box.scroll_into_view_if_needed()
        return Explorer(self.page, box)

    def choose(self, language: str) -> None:
        self.notebook.locator(f".course-language input[value={language}]").check()

    def chosen(self) -> str:
        return self.notebook.locator(".course-language input:checked").input_value()

    def seen(self, language: str) -> dict[str, int]:
        """How many halves in that language can be seen, by the kind of place they stand in."""
        return self.notebook.evaluate(
            """(notebook, [language, places]) => Object.fromEntries(
                Object.entries(places).map(([name, place]) => [
                    name,
                    [...notebook.querySelectorAll(place)].flatMap(element =>
                        [...element.querySelectorAll(`[lang=${language}], .course-${language}`)]
                    ).filter(half => half.textContent.trim() && half.checkVisibility()).length,
                ]))""",
            [language, PLACES],
        )

    def state(self) -> dict[str, object]:
        """What keys must leave alone: JupyterLab's cell, its mode, its folded headings."""
        return self.page.evaluate(
            """() => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                return {
                    cell: notebook.activeCellIndex,
                    mode: notebook.mode,
                    counts: notebook.widgets.map(cell => cell.model.executionCount ?? null),
                    folded: notebook.widgets.filter(cell => cell.headingCollapsed).length,
                };
            }"""
        )


class Explorer:
    """An explorer's controls, picture, marks and words."""

    def __init__(self, page, box) -> None:
        self.page = page
        self.box = box
        self.handle = box.get_by_role("slider").last
        self.readout = box.locator(".course-readout")
        self.mark = box.locator(".course-stage svg > *").first
        self.picture = box.locator(".course-stage img")

    def press(self, *keys: str) -> None:
        self.handle.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def mark_at(self) -> float:
        """The middle of the first mark, in pixels from the window's left edge."""
        box = self.mark.evaluate(
            "mark => { const {x, width} = mark.getBoundingClientRect(); return [x, width]; }"
        )
        return box[0] + box[1] / 2

    def says(self, text: str) -> None:
        # Words out of view are not laid out, and count as hidden.
        self.box.scroll_into_view_if_needed()
        expect(self.readout).to_contain_text(text, use_inner_text=True)

    def is_painted(self) -> bool:
        return self.picture.evaluate("picture => picture.complete && picture.naturalWidth > 0")


PLACES = {
    "prose": ".jp-RenderedMarkdown",
    "read-out": ".course-readout",
    "caption": "figcaption",
    "alternative text": ".course-unseen",
    "label": ".widget-label",
    "question": ".course-question",
    "report card": ".course-report-card",
}


@pytest.fixture(scope="module", params=["light", "dark"])
def opened(chromium, request):
    """Lessons 03 and 04, run, in each of JupyterLab's themes."""
    server, browser = chromium
    server.set("apputils-extension/themes", theme=f"JupyterLab {request.param.title()}")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    expect.set_options(timeout=5_000)
    window = Window(server, context.new_page())
    light = window.page.locator("body").get_attribute("data-jp-theme-light")
    assert light == str(request.param == "light").lower()
    for name in LESSONS.values():
        window.open(name)
        window.command("notebook:run-all-cells")
    for number in LESSONS:
        # The report card is among the last things that a lesson shows.
        card = window.lesson(number).notebook.locator(".course-report-card")
        expect(card).to_be_attached(timeout=60_000)
    yield window
    context.close()


# For what no theme can change.
light_only = pytest.mark.parametrize("opened", ["light"], indirect=True)

# What JupyterLab and ipywidgets say themselves, and why it does not matter.
IGNORED_MESSAGES = {
    "Could not send widget sync message": "ipywidgets, at each change, once the kernel is dead",
    "Could not restore the debugger state": "JupyterLab, when a kernel is shut down early",
    "[anywidget] Failed to initialize model.": "anywidget, after two seconds on a slow machine; "
    "the view comes all the same, and the tests would miss it",
}


@pytest.fixture
def window(opened):
    """The window, which must not have complained by the end of the test."""
    yield opened
    complaints = [
        text for text in opened.complaints if not any(known in text for known in IGNORED_MESSAGES)
    ]
    opened.complaints.clear()
    assert not complaints


@pytest.fixture(params=LESSONS)
def lesson(window, request):
    return window.lesson(request.param)


def position_in_bits(position: int) -> str:
    return f"{position} is {position:06b} in binary."


def position_in_waves(position: int) -> str:
    values = [
        wave(position / 10_000 ** (2 * pair / 16))
        for pair in range(3)
        for wave in (math.sin, math.cos)
    ]
    written = ", ".join(f"{value:.3f}" for value in values)
    return f"Position {position}, dimensions 0 to 5: {written}."


# In each lesson the explorer whose picture runs over positions, and what it says of one.
TABLES = {"03": (0, position_in_bits), "04": (2, position_in_waves)}


@pytest.fixture(params=TABLES)
def table(window, request):
    number, words = TABLES[request.param]
    lesson = window.lesson(request.param)
    lesson.choose("en")
    return lesson, lesson.explorer(number), words


def test_the_switch_shows_one_language_everywhere_without_a_rerun(lesson):
    before = lesson.state()["counts"]
    for shown, hidden in (("es", "en"), ("en", "es")):
        lesson.choose(shown)
        assert not any(lesson.seen(hidden).values())
        assert all(lesson.seen(shown).values())
    lesson.choose("both")
    assert all(lesson.seen("en").values()) and all(lesson.seen("es").values())
    assert lesson.state()["counts"] == before


def test_words_that_the_slider_changes_follow_the_switch(window):
    lesson = window.lesson("03")
    explorer = lesson.explorer(0)
    lesson.choose("es")
    explorer.press("Home", "ArrowRight")
    explorer.says("1 es 000001 en binario.")
    lesson.choose("en")
    explorer.says("1 is 000001 in binary.")


@light_only
def test_formulas_have_one_size_even_if_typeset_while_hidden(window):
    lesson = window.lesson("04")
    lesson.choose("es")
    lesson.notebook.evaluate(
        """notebook => {
            const {widgets} = window.jupyterapp.shell.currentWidget.content;
            const cell = widgets.find(({model}) => model.id === 'trap');
            for (const formula of cell.node.querySelectorAll('mjx-container')) {
                formula.classList.add('replaced');
            }
            cell.node.classList.add('changed');
            const {sharedModel} = cell.model;
            sharedModel.setSource(sharedModel.source + '\\n');
        }"""
    )
    expect(lesson.notebook.locator(".replaced")).to_have_count(0)
    expect(lesson.notebook.locator(".changed mjx-container").first).to_be_attached()
    lesson.choose("en")
    sizes = lesson.notebook.locator("mjx-container").evaluate_all(
        "formulas => formulas.map(formula => getComputedStyle(formula).fontSize)"
    )
    assert len(sizes) > 50 and len(set(sizes)) == 1


@light_only
def test_two_open_notebooks_may_differ(window):
    window.lesson("03").choose("es")
    window.lesson("04").choose("en")
    assert [window.lesson(number).chosen() for number in ("03", "04")] == ["es", "en"]
    assert not window.lesson("03").seen("en")["prose"]
    assert not window.lesson("04").seen("es")["prose"]


@light_only
def test_a_notebook_opened_later_starts_in_the_language_chosen_last(window):
    window.lesson("03").choose("en")
    window.lesson("03").choose("es")
    window.open(COPY)
    window.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    window.command("notebook:run-cell")
    later = window.lesson(COPY.split("_")[0])
    expect(later.notebook.locator(".course-language")).to_be_visible()
    assert later.chosen() == "es"
    assert later.seen("es")["prose"] and not later.seen("en")["prose"]
    window.page.evaluate("window.jupyterapp.shell.currentWidget.dispose()")


def test_keys_move_the_mark_and_the_read_out_and_nothing_of_jupyterlab(table):
    lesson, explorer, words = table
    explorer.press("End")
    last = explorer.mark_at()
    explorer.says(words(49))
    explorer.press("Home")
    first = explorer.mark_at()
    explorer.says(words(0))
    before = lesson.state()
    for key, position in [
        ("ArrowRight", 1),
        ("ArrowUp", 2),
        ("PageUp", 7),
        ("ArrowLeft", 6),
        ("ArrowDown", 5),
    ]:
        explorer.press(key)
        explorer.says(words(position))
        assert explorer.mark_at() == pytest.approx(first + (last - first) * position / 49, abs=1)
    assert lesson.state() == before
    expect(explorer.handle).to_be_focused()


def test_dragging_the_slider_moves_the_mark_and_the_read_out(table):
    lesson, explorer, words = table
    explorer.press("Home")
    before = explorer.mark_at()
    box = explorer.handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    explorer.page.mouse.move(x, y)
    explorer.page.mouse.down()
    explorer.page.mouse.move(x + 60, y, steps=6)
    explorer.page.mouse.up()
    position = int(float(explorer.handle.get_attribute("aria-valuenow")))
    assert position > 2
    explorer.says(words(position))
    assert explorer.mark_at() > before


def test_dragging_in_the_picture_moves_the_position_and_keys_go_on_from_there(table):
    lesson, explorer, words = table
    explorer.press("End")
    last = explorer.mark_at()
    explorer.press("Home")
    first = explorer.mark_at()
    box = explorer.picture.bounding_box()
    y = box["y"] + box["height"] / 3
    mouse = explorer.page.mouse
    mouse.move(first + (last - first) * 10 / 49, y)
    mouse.down()
    explorer.says(words(10))
    mouse.move(first + (last - first) * 40 / 49, y, steps=5)
    explorer.says(words(40))
    mouse.move(last + 2000, y)
    explorer.says(words(49))
    mouse.move(first + (last - first) * 30 / 49, y)
    mouse.up()
    mouse.move(first, y)
    explorer.says(words(30))
    expect(explorer.handle).to_have_attribute("aria-valuenow", "30.0")
    explorer.page.keyboard.press("ArrowRight")
    explorer.says(words(31))


WATCH = """picture => {
    const stage = picture.parentElement;
    const output = stage.closest('.jp-OutputArea-output');
    const scroller = stage.closest('.jp-WindowedPanel-outer');
    const seen = window.seen = {heights: [], scrolls: [], unpainted: 0, pictures: [], stop: false};
    const look = () => {
        const shown = stage.querySelector('img');
        if (!shown?.complete || !shown.naturalWidth) seen.unpainted += 1;
        for (const [list, value] of [
            [seen.heights, output.offsetHeight],
            [seen.scrolls, scroller.scrollTop],
            [seen.pictures, shown?.src],
        ]) if (!list.includes(value)) list.push(value);
        if (!seen.stop) requestAnimationFrame(look);
    };
    look();
}"""


def test_a_parameter_changes_the_picture_without_flicker_or_jump(window):
    lesson = window.lesson("04")
    lesson.choose("en")
    explorer = lesson.explorer(2)
    picture = explorer.box.locator(".course-unseen")
    positions = explorer.box.get_by_role("slider", name="positions", exact=True)
    positions.focus()
    before = lesson.state()
    explorer.picture.evaluate(WATCH)
    for key, number in [("ArrowRight", 51), ("PageDown", 46), ("End", 128), ("Home", 2)]:
        explorer.page.keyboard.press(key)
        expect(picture).to_contain_text(f"{number} positions by the first 16 of 16 dimensions")
    seen = explorer.page.evaluate("window.seen.stop = true, window.seen")
    assert lesson.state() == before
    assert len(seen["pictures"]) >= 5
    assert len(seen["heights"]) == len(seen["scrolls"]) == 1, seen
    assert seen["unpainted"] == 0
    explorer.says("Position 1, dimensions 0 to 5: 0.841, 0.540,")

    explorer.box.get_by_role("button", name="50 × 16").click()
    expect(picture).to_contain_text("50 positions by the first 16 of 16 dimensions")
    expect(explorer.handle).to_have_attribute("aria-valuemax", "49.0")


@light_only
def test_every_control_has_a_name_in_the_language_shown(lesson):
    for language, names in (
        ("en", ["position", "first position", "positions", "base", "distance"]),
        ("es", ["posición", "primera posición", "posiciones", "base", "distancia"]),
    ):
        lesson.choose(language)
        boxes = lesson.notebook.locator(".course-explorer-box")
        found = []
        for box in boxes.all():
            # What Chromium tells a screen reader, not what the attributes say.
            for line in box.aria_snapshot().splitlines():
                role, _, name = line.strip("- :").partition(" ")
                if role in ("slider", "textbox", "combobox", "checkbox"):
                    assert name.startswith('"'), line
                    assert " · " not in name.split('":')[0], line
                    found.append(name.split('"')[1])
        assert set(names) & set(found)
    handles = lesson.notebook.locator(".noUi-handle")
    assert handles.count() == lesson.notebook.get_by_role("slider").count() > 4


@light_only
def test_pictures_are_painted_after_scrolling_away_and_back(lesson):
    explorers = [lesson.explorer(i) for i in range(lesson.notebook.locator("figure").count())]
    for explorer in [*explorers, *reversed(explorers)]:
        explorer.box.scroll_into_view_if_needed()
        assert explorer.is_painted()


@light_only
@pytest.mark.parametrize("place", [".course-question", ".course-report-card"])
def test_choices_open_by_keyboard_and_jupyterlab_does_not_notice(lesson, place):
    lesson.choose("en")
    summaries = lesson.notebook.locator(place).first.locator("summary")
    summaries.first.focus()
    before = lesson.state()
    keyboard = lesson.page.keyboard
    for i, key in enumerate(["Enter", "Space"]):
        choice = summaries.nth(i)
        expect(choice).to_be_focused()
        answer = choice.locator("xpath=..").locator("> div.course-en")
        keyboard.press(key)
        expect(answer).to_be_visible()
        keyboard.press(key)
        expect(choice.locator("xpath=..")).not_to_have_attribute("open", "")
        keyboard.press("Tab")
    assert lesson.state() == before


# What axe finds in JupyterLab itself: rule, the element, why it is not ours.
OF_JUPYTERLAB = (
    ("aria-required-children", ".jp-WindowedPanel-viewport", "cells in a feed have no role"),
    ("button-name", ".jp-collapseHeadingButton", "its button for folding a heading has no name"),
)
# Parts that JupyterLab makes alone; leaving them out also saves most of the time.
NOT_LOOKED_AT = (
    ".cm-editor",  # CodeMirror: its textbox has no name
    ".jp-InputPrompt",  # the counters beside the cells
    ".jp-OutputPrompt",
)


def assert_axe_finds_nothing_serious_of_ours(lesson: Lesson) -> None:
    page = lesson.page
    lesson.choose("both")
    lesson.notebook.evaluate("n => n.querySelectorAll('details').forEach(d => d.open = true)")
    page.set_viewport_size({"width": 1280, "height": 12_000})
    try:
        panel = lesson.notebook.evaluate("n => n.closest('.jp-NotebookPanel').id")
        results = (
            Axe()
            .run(
                page,
                context={
                    "include": [[f"#{panel} .jp-Notebook"]],
                    "exclude": [[f"#{panel} {part}"] for part in NOT_LOOKED_AT],
                },
                options={"resultTypes": ["violations"], "preload": False},
            )
            .response
        )
        findings = [
            f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
            for rule in results["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
            if not any(
                rule["id"] == known
                and page.locator(node["target"][0]).evaluate("(e, s) => e.matches(s)", selector)
                for known, selector, _ in OF_JUPYTERLAB
            )
        ]
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})
        lesson.notebook.evaluate("n => n.querySelectorAll('details').forEach(d => d.open = false)")
    assert len(results["passes"]) > 10
    assert not findings, "\n".join(findings)


def test_axe_finds_nothing_serious_of_ours(lesson):
    assert_axe_finds_nothing_serious_of_ours(lesson)


@light_only
def test_axe_finds_nothing_serious_in_the_last_lesson(window):
    lesson = window.later_lesson("08")
    expect(lesson.notebook.locator(".course-report-card")).to_be_attached(timeout=30_000)
    assert_axe_finds_nothing_serious_of_ours(lesson)


CUT_OFF = """names => names.filter(name => name.scrollWidth > name.clientWidth)
    .map(name => name.innerText)"""


@light_only
def test_no_name_of_a_control_is_cut_off_or_covered_by_a_tooltip(window):
    window.open(EXPLORERS)
    window.command("notebook:run-all-cells")
    lesson = window.lesson("explorers")
    boxes = lesson.notebook.locator(".course-explorer-box")
    expect(boxes).to_have_count(len(EXPLORER_CALLS), timeout=30_000)
    for number in range(len(EXPLORER_CALLS)):
        box = lesson.explorer(number).box
        names = box.locator(".widget-label, .widget-label-basic, .widget-readout, button")
        expect(box.locator(".widget-label[title], .widget-label-basic [title]")).to_have_count(0)
        for language in ("en", "es"):
            lesson.choose(language)
            assert names.evaluate_all(CUT_OFF) == []
        assert box.evaluate("box => getComputedStyle(box).overflow") == "visible"


@light_only
def test_end_goes_to_the_last_position_also_after_there_are_more(window):
    lesson = window.lesson("04")
    lesson.choose("en")
    explorer = lesson.explorer(2)
    explorer.box.get_by_role("slider").first.focus()
    explorer.page.keyboard.press("End")
    expect(explorer.handle).to_have_attribute("aria-valuemax", "127.0")
    explorer.press("End")
    explorer.says("Position 127, dimensions 0 to 5")
    expect(explorer.handle).to_have_attribute("aria-valuenow", "127.0")
    explorer.box.get_by_role("button").first.click()
    explorer.says("Position 49, dimensions 0 to 5")


@light_only
def test_shift_enter_goes_on_from_a_control_or_an_answer(window):
    lesson = window.later_lesson("06")
    for inside in (
        ".course-language input:checked",
        ".course-question summary",
        ".course-explorer-box [role=slider]",
    ):
        control = lesson.notebook.locator(inside).first
        control.scroll_into_view_if_needed()
        control.focus()
        cell = lesson.state()["cell"]
        lesson.page.keyboard.press("Shift+Enter")
        lesson.page.wait_for_function(
            "cell => window.jupyterapp.shell.currentWidget.content.activeCellIndex === cell + 1",
            arg=cell,
        )


@light_only
def test_slider_and_switch_work_when_the_kernel_is_dead(window):
    lesson = window.lesson("03")
    lesson.choose("en")
    explorer = lesson.explorer(0)
    window.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    explorer.press("Home", "ArrowRight", "ArrowRight")
    explorer.says(position_in_bits(2))
    lesson.choose("es")
    explorer.says("2 es 000010 en binario.")
    assert not lesson.seen("en")["prose"]


def places(explorer: Explorer) -> list[str]:
    """Where each mark stands, as the browser draws it."""
    return explorer.box.locator(".course-stage svg > *").evaluate_all(
        "marks => marks.map(mark => mark.outerHTML)"
    )


def moved(before: list[str], after: list[str], color: str) -> bool:
    pairs = [pair for pair in zip(before, after, strict=True) if color in pair[0]]
    assert pairs
    return any(first != second for first, second in pairs)


DARK, ORANGE = "#222222", "#B85000"


@light_only
@pytest.mark.parametrize("number", ["05", "08"])
def test_hands_follow_position_and_offset_without_the_kernel(window, number):
    lesson = window.later_lesson(number)
    lesson.choose("en")
    explorer = lesson.explorer(0)
    expect(explorer.readout).to_contain_text("5", use_inner_text=True)
    window.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    words = {"05": "Offset {}: from dark to orange", "08": "Key {} further on"}[number]
    explorer.press("Home", "ArrowRight")
    explorer.says(words.format(5))
    start = places(explorer)
    explorer.box.get_by_role("slider", name="offset").focus()
    explorer.page.keyboard.press("ArrowRight")
    explorer.says(words.format(6))
    ahead = places(explorer)
    assert moved(start, ahead, ORANGE) and not moved(start, ahead, DARK)

    score = explorer.readout.inner_text().split(":")[-1]
    explorer.press("ArrowRight")
    explorer.says("osition 2")
    both = places(explorer)
    assert moved(ahead, both, ORANGE) and moved(ahead, both, DARK)
    assert explorer.readout.inner_text().split(":")[-1] == score


@light_only
def test_equal_steps_show_their_collision(window):
    lesson = window.later_lesson("06")
    lesson.choose("es")
    explorer = lesson.explorer(0)
    explorer.says("Distancia 50: producto escalar normalizado 0.4898.")
    explorer.box.get_by_role("combobox").select_option(label="arithmetic · aritmética")
    explorer.says("el más alto es 0.9993, a distancia 201.")
    explorer.press("Home")
    explorer.says("Distancia 0: producto escalar normalizado 1.0000.")


@light_only
def test_the_head_that_looks_back_follows_encoding_and_k(window):
    lesson = window.later_lesson("07")
    lesson.choose("en")
    explorer = lesson.explorer(0)
    explorer.says("it should look at 19. Right for 100 % of the queries.")
    explorer.box.get_by_role("combobox").first.select_option(label="binary · binaria")
    explorer.says("Right for 38 % of the queries.")
    explorer.box.get_by_role("slider", name="look back by k").focus()
    explorer.page.keyboard.press("ArrowRight")
    explorer.says("it should look at 18. Right for 39 % of the queries.")
    explorer.press("ArrowRight")
    explorer.says("Query 21 looks at")


# The same row of the lab's first exercise, with angles converted to what sine does not take.
IN_DEGREES = "[g(math.radians(3 * w)) for w in (1, 0.1, 0.01, 0.001) for g in (math.sin, math.cos)]"
IN_RADIANS = "[g(3 * w) for w in (1, 0.1, 0.01, 0.001) for g in (math.sin, math.cos)]"


@light_only
def test_an_exercise_is_answered_in_spanish_from_blank_to_solved(window):
    window.open(LAB)
    window.command("notebook:run-all-cells")
    lab = window.lesson("lab")
    feedback = lab.notebook.locator(".course-feedback").first

    def says(words: str, box=feedback) -> None:
        box.scroll_into_view_if_needed()
        expect(box).to_contain_text(words, use_inner_text=True)

    def fill_in(answer: str) -> None:
        """Type the answer, run its cell, and run the check below it."""
        lab.notebook.locator(".jp-CodeCell", has_text="row = ").first.locator(".cm-content").click()
        lab.page.keyboard.press("ControlOrMeta+A")
        lab.page.keyboard.insert_text(f"row = {answer}")
        lab.page.keyboard.press("Shift+Enter")
        lab.page.keyboard.press("Shift+Enter")

    expect(feedback).to_be_attached()
    lab.choose("es")
    says("Todavía no hay nada en row")

    fill_in(IN_DEGREES)
    says("como si fueran grados")
    says("la entrada [0] aún no es correcta; es 0.052336")
    expect(feedback).not_to_contain_text("degrees", use_inner_text=True)

    hint = lab.notebook.locator("details").first
    says("Pista 1 de 3", hint)
    hint.locator("summary").first.click()
    says("Hay cuatro agujas", hint)
    expect(hint).not_to_contain_text("Los ángulos son", use_inner_text=True)

    fill_in(IN_RADIANS)
    says("Resuelto.")
    assert not any(lab.seen("en").values())
