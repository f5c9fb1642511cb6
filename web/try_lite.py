"""Try the JupyterLab of a site that was built with ``--lite``, and say what works.

    python web/try_lite.py site

It needs the extra ``test``, a Chromium and the network, from which the browser gets Python.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / ".ci"))
from private_jupyter import open_browser

LESSON = "en/notebooks/04_sinusoidal_encodings.ipynb"
MINUTES = 5


def run(page: Page, code: str) -> str:
    """What a new kernel answers to a line of code."""
    return page.evaluate(
        """async (given) => {
            const late = new Promise((_, tell) => setTimeout(tell, given.wait, "no answer"));
            const answer = async () => {
                const { kernels, kernelspecs } = window.jupyterapp.serviceManager;
                while (!kernelspecs.specs?.kernelspecs.python) await kernelspecs.refreshSpecs();
                window.courseKernel ??= await kernels.startNew({ name: "python" });
                const future = window.courseKernel.requestExecute({ code: given.code });
                let said = "";
                future.onIOPub = ({ content }) =>
                    (said += content.text ?? content.data?.["text/plain"] ?? content.evalue ?? "");
                await future.done;
                return said.trim();
            };
            return Promise.race([answer(), late]);
        }""",
        {"code": code, "wait": 60_000 * MINUTES},
    )


def keep_a_file(page: Page) -> str:
    """Change a lesson, open the page again and look whether the change is there."""
    save = """async (path) => {
        const { contents } = window.jupyterapp.serviceManager;
        const model = await contents.get(path);
        model.content.cells[0].source = "mine";
        await contents.save(path, model);
    }"""
    page.evaluate(save, LESSON)
    page.reload()
    page.wait_for_function("window.jupyterapp")
    load = "async (p) => (await window.jupyterapp.serviceManager.contents.get(p)).content.cells[0]"
    return page.evaluate(f"async (p) => (await ({load})(p)).source", LESSON)


STEPS: dict[str, tuple[Callable[[Page], str], str]] = {
    "the kernel starts": (partial(run, code="1 + 1"), "2"),
    "what a kernel writes into the drive is a file": (
        partial(run, code="import os; os.path.isdir('/drive')"),
        "True",
    ),
    "NumPy is there": (partial(run, code="import numpy; numpy.arange(3).sum().item()"), "3"),
    "the course is installed": (
        partial(
            run, code="%pip install -q positional-encodings-course\nimport course_utils; 'yes'"
        ),
        "'yes'",
    ),
    "an explorer is made": (
        partial(run, code="from course_utils import clock_explorer; clock_explorer().scene.height"),
        "270",
    ),
    "what a reader saves is kept": (keep_a_file, "mine"),
}


def main(site: Path) -> int:
    """Serve the site, take the steps and print what each came to."""
    handler = partial(SimpleHTTPRequestHandler, directory=site)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    handler.func.log_message = lambda *_: None
    failed = 0
    with sync_playwright() as playwright:
        page = open_browser(playwright).new_page()
        page.set_default_timeout(60_000 * MINUTES)
        page.goto(f"http://127.0.0.1:{server.server_port}/lite/lab/index.html?path={LESSON}")
        page.wait_for_function("window.jupyterapp", timeout=60_000)
        print("works: JupyterLab opens", flush=True)
        for name, (step, wanted) in STEPS.items():
            try:
                got = step(page)
            except Error as error:
                got = error.message.splitlines()[0]
            failed += got != wanted
            says = f"works: {name}" if got == wanted else f"does not work: {name} ({got[-200:]})"
            print(says, flush=True)
    server.shutdown()
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
