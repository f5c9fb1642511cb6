"""Lessons in JupyterLab, in a browser window."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from private_jupyter import REPOSITORY, Server

from .if_installed import Axe, ConsoleMessage, Locator, Page, Request, expect

FIRST_CELL = "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()"

# Harmless messages from JupyterLab, ipywidgets and anywidget, with their causes.
IGNORED_MESSAGES = {
    "Could not send widget sync message": "ipywidgets, at each change, once the kernel is dead",
    "Could not restore the debugger state": "JupyterLab, when a kernel is shut down early",
    "request to attachment:": "JupyterLab, before it has found the attachment of a cell",
    "net::ERR_UNKNOWN_URL_SCHEME": "the browser, of the same",
    "_ensureFocus": "JupyterLab, when a notebook is closed while the focus is on its way there",
    "[anywidget] Failed to initialize model.": "anywidget, after two seconds on a slow machine; "
    "the view comes all the same, and the tests would miss it",
}

PLACES = {
    "prose": ".jp-RenderedMarkdown",
    "read-out": ".course-readout",
    "caption": "figcaption",
    "alternative text": ".course-unseen",
    "label": ".course-control label",
    "question": ".course-question",
    "report card": ".course-report-card",
}


def notebook_path(name: str) -> Path:
    """Return the path of a lesson (by number) or of a lab (by name)."""
    pattern = f"notebooks/{name}_*.ipynb" if name.isdigit() else f"labs/{name}/{name}.ipynb"
    (path,) = (path for path in REPOSITORY.glob(pattern) if "appendix" not in path.name)
    return path


def write_notebook(folder: Path, *cells: str) -> Path:
    """Write a notebook with these cells without running them."""
    notebook = new_notebook(
        cells=[new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
    )
    nbformat.write(notebook, folder / "cells.ipynb")
    return folder / "cells.ipynb"


def complaints_of(page: Page, own: tuple[str, ...] = ("",)) -> list[str]:
    """Return a list that collects errors and requests to other servers."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(message.text)

    def check(request: Request) -> None:
        if not request.url.startswith(own):
            found.append(f"request to {request.url}")

    page.on("console", note)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", check)
    return found


class Window:
    """JupyterLab in a browser window."""

    def __init__(self, server: Server, page: Page) -> None:
        self.page = page
        self.server = server
        own = (server.url, server.url.replace("http", "ws", 1), "data:", "blob:")
        self._complaints = complaints_of(page, own)
        page.goto(f"{server.url}/lab?token={server.token}&reset", timeout=60_000)
        page.wait_for_function("window.jupyterapp", timeout=60_000)
        page.evaluate("window.jupyterapp.restored")

    def complaints(self) -> list[str]:
        """Return the errors since the last call."""
        found, self._complaints[:] = list(self._complaints), []
        return [text for text in found if not any(known in text for known in IGNORED_MESSAGES)]

    def open(self, path: Path) -> Lesson:
        """Open a separate copy of a notebook with a new kernel, without running it."""
        # An earlier window may have left kernels running under the names that it used.
        name = f"copy-{len(list(self.server.notebooks.glob('*.ipynb')))}"
        shutil.copy(path, self.server.notebooks / f"{name}.ipynb")
        return self.show(name)

    def show(self, name: str) -> Lesson:
        """Open a notebook in the server's folder without copying it."""
        self.page.evaluate(
            """async name => {
                const {commands, shell} = window.jupyterapp;
                const panel = await commands.execute('docmanager:open', {path: `${name}.ipynb`});
                await panel.context.ready;
                await panel.sessionContext.ready;
                panel.id = name;
                shell.activateById(name);
            }""",
            name,
        )
        return Lesson(self.page, name)


class Cells:
    """The content of a notebook on any kind of page."""

    def __init__(self, page: Page, selector: str) -> None:
        self.page = page
        self.selector = selector
        self.notebook = page.locator(selector)
        self.boxes = self.notebook.locator(".course-explorer-box")

    def give_guesses(self) -> None:
        """Give all guesses, so that every explorer shows its picture."""
        for button in reversed(self.notebook.locator(".course-guess button").all()):
            button.click()  # the button disappears, so click the last one first

    def explorer(self, number: int) -> Explorer:
        box = self.boxes.nth(number)
        box.scroll_into_view_if_needed()
        return Explorer(self.page, box)

    def choose(self, language: str) -> None:
        # Use the keyboard: after Run All, the page may still scroll away under the pointer.
        radio = self.notebook.locator(f".course-language input[value={language}]")
        radio.press("Space")
        expect(radio).to_be_checked()


class Lesson(Cells):
    """An open notebook."""

    def __init__(self, page: Page, name: str) -> None:
        super().__init__(page, f"#{name} .jp-Notebook")
        self.name = name

    def activate(self) -> None:
        self.page.evaluate("name => window.jupyterapp.shell.activateById(name)", self.name)

    def run(self, cells: str) -> None:
        """Run all cells, or the active cell, of the active notebook."""
        command = {"all": "notebook:run-all-cells", "cell": "notebook:run-cell"}[cells]
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", command)

    def save(self) -> None:
        self.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")

    def close(self) -> None:
        self.page.evaluate(
            """async name => {
                const panels = [...window.jupyterapp.shell.widgets('main')];
                const panel = panels.find(({id}) => id === name);
                await panel.sessionContext.shutdown();
                panel.dispose();
            }""",
            self.name,
        )

    def chosen(self) -> str:
        return self.notebook.locator(".course-language input:checked").input_value()

    def seen(self, language: str) -> dict[str, int]:
        """Count the visible parts in a language, keyed by the kind of their container."""
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
        """Return JupyterLab's state, which keys must not change."""
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
    """An explorer with its controls, picture, moving layers and texts."""

    def __init__(self, page: Page, box: Locator) -> None:
        self.page = page
        self.box = box
        self.handle = box.locator(".course-position input")
        self.readout = box.locator(".course-readout")
        self.picture = box.locator(".course-stage")
        self.play = box.locator(".course-play")

    def open(self) -> None:
        """Show the controls under More."""
        self.box.locator(".course-more").evaluate("more => (more.open = true)")

    def press(self, *keys: str) -> None:
        self.open()
        self.handle.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def says(self, text: str) -> None:
        # Text that is out of view has no layout and counts as hidden.
        self.box.scroll_into_view_if_needed()
        expect(self.readout).to_contain_text(text, use_inner_text=True)

    def is_painted(self) -> bool:
        """Return True if all maps and other pictures have been drawn."""
        return self.picture.evaluate(IS_PAINTED)


PICTURE_AT_REST = """stage => new Promise(done => {
    let before = null, same = 0;
    const look = () => {
        const now = stage.querySelector('svg').outerHTML;
        same = now === before ? same + 1 : 0;
        before = now;
        if (same < 3) requestAnimationFrame(look); else done();
    };
    look();
})"""

FRAMES_ASKED_FOR = """() => new Promise((done) => {
    let frames = 0;
    const ask = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => { frames += 1; return ask(draw); };
    setTimeout(() => { window.requestAnimationFrame = ask; done(frames); }, 300);
})"""

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

IS_PAINTED = """stage => {
    const isColored = map => map.getContext('2d').getImageData(0, 0, 1, 1).data[3] === 255;
    const maps = [...stage.querySelectorAll('canvas')];
    return maps.every(isColored) && stage.querySelector('svg > g > :is(path, rect, line)') !== null
        && stage.clientHeight > 200;
}"""

# When axe checks colours, it treats everything in a notebook as hidden.
FAINT = """box => {
    const channels = color => color.match(/[\\d.]+/g).map(Number);
    const linear = part => part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) =>
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const behind = element => {
        const color = channels(getComputedStyle(element).backgroundColor);
        return color.length === 3 || color[3] === 1 ? color : behind(element.parentElement);
    };
    const read = box.querySelectorAll(':not(.course-unseen, .course-unseen *, option)');
    return [...read].filter(text => {
        const says = [...text.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        const both = [channels(getComputedStyle(text).color), behind(text)].map(luminance);
        return says && (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 4.5;
    }).map(text => `${text.className} ${text.textContent}`);
}"""


# Parts created by JupyterLab alone; leaving them out also saves most of the time.
NOT_LOOKED_AT = (
    ".cm-editor",  # CodeMirror: its textbox has no name
    ".jp-InputPrompt",  # the execution counts next to the cells
    ".jp-OutputPrompt",
    ".jp-collapseHeadingButton",  # the button that folds a heading has no name
)
# JupyterLab's list of cells, a feed whose cells have no role.
CELLS = '<div role="feed" aria-label="Cells"'


def assert_axe_finds_nothing_serious(
    page: Page, context: dict | None = None, of_colors: bool = False
) -> None:
    """Check accessibility; by default, without colours, which FAINT checks three times as fast."""
    options = {"resultTypes": ["violations"], "preload": False}
    options["rules"] = {"color-contrast": {"enabled": of_colors}}
    results = Axe().run(page, context=context, options=options).response
    assert len(results["passes"]) >= 10
    findings = [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in results["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if rule["id"] != "aria-required-children" or not node["html"].startswith(CELLS)
    ]
    assert not findings, "\n".join(findings)


def assert_axe_finds_nothing_serious_of_ours(lesson: Cells) -> None:
    page = lesson.page
    lesson.choose("both")
    closed = lesson.notebook.locator("details:not([open])").element_handles()
    page.evaluate("all => all.forEach(each => each.open = true)", closed)
    page.set_viewport_size({"width": 1280, "height": 12_000})
    try:
        parts = [[f"{lesson.selector} {part}"] for part in NOT_LOOKED_AT]
        assert_axe_finds_nothing_serious(page, {"include": [[lesson.selector]], "exclude": parts})
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate("all => all.forEach(each => each.open = false)", closed)
