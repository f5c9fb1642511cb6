"""Test JupyterLab on a site that was built with ``--lite``, and report the results.

    python tools/try_lite.py site

The script needs the extra ``test`` and Chromium. The browser downloads Python, or loads it from the
site if the site was built with its own Pyodide. If that Pyodide does not include NumPy, steps that
need NumPy are skipped. The last steps reopen the page and show which of the reader's changes are
still there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
from playwright.sync_api import Error, Page, expect, sync_playwright
from private_jupyter import open_browser

FIRST = "es/notebooks/00_start_here.ipynb"
LESSON = "en/notebooks/04_sinusoidal_encodings.ipynb"
LAB = "es/labs/03_sinusoidal/03_sinusoidal.ipynb"
MINE = "mine.ipynb"
MINUTES = 5
NO_ERROR = "0 errors"

COURSE_ALONE = """%pip install -q anywidget
import piplite
await piplite.install("positional-encodings-course", deps=False)
import course_utils; 'yes'"""
SWITCH = "from course_utils import language_switch\nlanguage_switch()"
CHOSEN = "from course_utils.notebook.switch import remembered_choice; remembered_choice()"
GUESS = """from course_utils.notebook.storage import *
store_guesses_from_now_on(True); store_first_guess("one-sine", True); first_guesses()"""
GUESSED = "from course_utils.notebook.storage import first_guesses; first_guesses()"
ALL_IT_NEEDS = """%pip install -q positional-encodings-course
from course_utils.notebook.environment import missing_packages; missing_packages()"""
SOLVE = """from course_utils.labs import check, exercises
from course_utils.labs.tasks import EXERCISES
check(exercises()[0], EXERCISES[exercises()[0]].reference).solved"""
SOLVED = "from course_utils.notebook.storage import solved_exercises; len(solved_exercises()[0])"


def within_minutes(page: Page, script: str, given: str = "") -> str:
    """Return the result of a function on the page, or a message if it does not answer in time."""
    late = f"new Promise((_, tell) => setTimeout(tell, {60_000 * MINUTES}, 'no answer'))"
    return page.evaluate(f"(given) => Promise.race([({script})(given), {late}])", given)


def run(page: Page, code: str) -> str:
    """Run code in a kernel of this page, outside any notebook, and return the output."""
    script = """async (code) => {
        const { kernels, kernelspecs } = window.jupyterapp.serviceManager;
        while (!kernelspecs.specs?.kernelspecs.python) await kernelspecs.refreshSpecs();
        window.courseKernel ??= await kernels.startNew({ name: "python" });
        const future = window.courseKernel.requestExecute({ code });
        let output = "";
        future.onIOPub = ({ content }) =>
            (output += content.text ?? content.data?.["text/plain"] ?? content.evalue ?? "");
        await future.done;
        return output.trim();
    }"""
    return within_minutes(page, script, code)


def run_notebook(page: Page, path: str) -> str:
    """Open a notebook from a link, run all of its cells, and count the failed cells."""
    page.goto(page.url.split("/lite/")[0] + f"/lite/notebooks/index.html?path={path}")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context.isReady")
    script = """async () => {
        const { commands, shell } = window.jupyterapp;
        await shell.currentWidget.sessionContext.ready;
        await commands.execute("notebook:run-all-cells");
        const { cells } = shell.currentWidget.model.toJSON();
        const outputs = cells.flatMap((cell) => cell.outputs ?? []);
        const errors = outputs.filter((output) => output.output_type === "error");
        return `${errors.length} errors ${errors.map(({ evalue }) => evalue).join(" ")}`.trim();
    }"""
    return within_minutes(page, script)


def choose_spanish(page: Page) -> str:
    """Switch the notebook to Spanish."""
    cells = [nbformat.v4.new_code_cell(source) for source in (COURSE_ALONE, SWITCH)]
    save = "([path, content]) => window.jupyterapp.serviceManager.contents.save(path, "
    save += "{ type: 'notebook', format: 'json', content })"
    kernel = {"kernelspec": {"name": "python", "display_name": "Python"}}
    page.evaluate(save, [MINE, nbformat.v4.new_notebook(cells=cells, metadata=kernel)])
    if (ran := run_notebook(page, MINE)) != NO_ERROR:
        return ran
    page.locator(".course-language input[value=es]").check()
    return "es"


def move_explorer(page: Page) -> str:
    """Check that the arrow keys move each slider of an explorer and change its read-out."""
    box = page.locator(".course-explorer-box:visible").first
    read_out = box.get_by_role("status")
    sliders = box.get_by_role("slider").all()
    for slider in sliders:
        before = read_out.inner_text()
        slider.press("ArrowRight")
        expect(read_out).not_to_have_text(before, use_inner_text=True)
    return f"{len(sliders)} sliders"


def change_lesson(page: Page) -> str:
    """Save a change in a lesson."""
    save = """async (path) => {
        const { contents } = window.jupyterapp.serviceManager;
        const model = await contents.get(path, { content: true });
        model.content.cells[0].source = "mine";
        await contents.save(path, model);
        return model.content.cells[0].source;
    }"""
    return page.evaluate(save, LESSON)


def changed_lesson(page: Page) -> str:
    """Return the source of the lesson's first cell."""
    get = "(path) => window.jupyterapp.serviceManager.contents.get(path, { content: true })"
    return page.evaluate(get, LESSON)["content"]["cells"][0]["source"]


NUMPY = "NumPy and Matplotlib are there"
NEED_NUMPY = {
    "nothing that the course needs is missing",
    "a lab says that work is right",
    "lesson 00 runs in Spanish",
    "its explorer moves",
    "a lab runs in Spanish",
    "what was solved is kept",
    "lesson 04 runs in English",
}

Step = tuple[str, Callable[[Page], str], str]


def answers(name: str, code: str, wanted: str) -> Step:
    """Return a step that runs code in a kernel."""
    return name, partial(run, code=code), wanted


STEPS: list[Step] = [
    answers("the kernel starts", "1 + 1", "2"),
    answers("it writes where the files are", "import os; os.path.isdir('/drive')", "True"),
    answers("the course is installed from the site", COURSE_ALONE, "'yes'"),
    answers("a guess is written down", GUESS, "{'one-sine': True}"),
    ("a widget of the course shows, and a language is chosen", choose_spanish, "es"),
    ("a change in a lesson is saved", change_lesson, "mine"),
    answers(NUMPY, "import numpy, matplotlib; 'yes'", "'yes'"),
    answers("nothing that the course needs is missing", ALL_IT_NEEDS, "[]"),
    answers("a lab says that work is right", SOLVE, "True"),
    ("lesson 00 runs in Spanish", partial(run_notebook, path=FIRST), NO_ERROR),
    ("its explorer moves", move_explorer, "2 sliders"),
    ("a lab runs in Spanish", partial(run_notebook, path=LAB), NO_ERROR),
]
ANOTHER_DAY: list[Step] = [
    ("the changed lesson is kept", changed_lesson, "mine"),
    answers("the course is installed again", COURSE_ALONE, "'yes'"),
    answers("the language is kept", CHOSEN, "'es'"),
    answers("the guess is kept", GUESSED, "{'one-sine': True}"),
    answers("what was solved is kept", f"{ALL_IT_NEEDS}\n{SOLVED}", "1"),
    ("lesson 04 runs in English", partial(run_notebook, path=LESSON), NO_ERROR),
]


def main(site: Path) -> int:
    """Serve the site, run the steps, and print the result of each step."""
    handler = partial(SimpleHTTPRequestHandler, directory=site)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    handler.func.log_message = lambda *_: None
    server.handle_error = lambda *_: None  # Leaving a page interrupts its downloads.
    failed: list[str] = []
    with sync_playwright() as playwright:
        page = open_browser(playwright).new_page()
        page.set_default_timeout(60_000)
        for day in (STEPS, ANOTHER_DAY):
            page.goto(f"http://127.0.0.1:{server.server_port}/lite/lab/index.html?reset")
            page.wait_for_function("window.jupyterapp")
            print("works: JupyterLab opens", flush=True)
            for name, step, wanted in day:
                if NUMPY in failed and name in NEED_NUMPY:
                    print(f"not tried: {name}", flush=True)
                    continue
                try:
                    got = step(page)
                except (AssertionError, Error) as error:
                    got = str(error).splitlines()[0]
                says = f"works: {name}"
                if got != wanted:
                    failed.append(name)
                    says = f"does not work: {name} ({got[-200:]})"
                print(says, flush=True)
    server.shutdown()
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
