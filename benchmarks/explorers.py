"""From the key to the picture: how fast explorers follow their sliders, next to ``interact``.

    python benchmarks/explorers.py

Needs the extra ``test`` and Chromium, Chrome or Edge (COURSE_BROWSER names another program).
Starts a JupyterLab of its own on notebooks with one explorer and one cell that draws the same
picture with ``interact`` and ``plt.show`` (twins.py), works their controls by key in turn, and
prints the milliseconds from each keyboard event to the second animation frame after the picture or
what moves in it changed. On a busy machine only the ratios mean something: both columns come from
one run.
Each control is pressed unmeasured first, so that what is kept, such as a trained head, is there.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles

import nbformat
from playwright.sync_api import Locator, Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
from private_jupyter import MissingBrowserError, Server, open_browser

from course_utils import explorers

HERE = Path(__file__).resolve().parent
EXPLORERS = [name for name in explorers.__all__ if name.endswith("_explorer")]
IN_THE_BROWSER = {"position", "offset"}
TARGETS = {True: (25, 10), False: (60, 6)}
"""Milliseconds at most and times faster at least: in the browser, and with a new picture."""

EXPLORER = """
from course_utils import language_switch
from course_utils.explorers import {name}
display(language_switch())
explorer = {name}()
explorer.apply({settings})
explorer.prefetched = {prepared}
explorer
"""

INTERACT = """
%matplotlib inline
from ipywidgets import interact
import twins

def twin(control):
    names = filter(control.has_trait, ("options", "min", "max", "step", "value"))
    return type(control)(**{{name: getattr(control, name) for name in names}})

names = [*explorer.parameters, *(["offset"] if explorer.offset else []), "position"]
controls = zip(names, explorer.controls)
interact(twins.{twin}, **{{name: twin(control) for name, control in controls}});
"""

SETTINGS = {
    "binary_explorer": {"n_positions": 64, "d_model": 7},
    "sinusoidal_explorer": {"n_positions": 64, "d_model": 64, "n_dimensions": 32},
    "look_back_explorer": {"steps_back": 4},
    "word_share_explorer": {"n_positions": 100},
    "score_explorer": {"scheme": "sinusoidal-projected"},
}
"""Where an explorer opens with little to draw, more; with controls that change nothing, others."""

OPEN_AND_RUN = """
async (path) => {
  const {commands, shell} = window.jupyterapp;
  const panel = await commands.execute("docmanager:open", {path, factory: "Notebook"});
  await panel.revealed;
  await panel.sessionContext.ready;
  shell.activateById(panel.id);
  return await commands.execute("notebook:run-all-cells");
}
"""

STOPWATCH = """
() => {
  let start = null;
  for (const kind of ["keydown", "click", "input"]) {
    document.addEventListener(kind, (event) => (start ??= event.timeStamp), true);
  }
  const frames = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))));
  // What is being looked at; it is seen anew when the value changes.
  const sights = {
    moving: (area) => area.querySelector(".course-stage svg").outerHTML,
    painting: (area) => area.querySelector(".course-stage svg").firstChild,
    picture: (area) => area.querySelector("img")?.src,
  };
  window.watch = (area, sight) => {
    const before = sights[sight](area);
    start = null;
    window.watched = new Promise((done) => {
      const observer = new MutationObserver(async () => {
        const now = sights[sight](area);
        if (start === null || !now || now === before) return;
        observer.disconnect();
        await Promise.all([...area.querySelectorAll("img")].map((image) => image.decode()));
        const end = await frames();
        done(end - start);
      });
      observer.observe(area, {subtree: true, childList: true, attributes: true});
      setTimeout(() => { observer.disconnect(); done(null); }, 60_000);
    });
  };
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", default=EXPLORERS, metavar="EXPLORER")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--keys", type=int, default=8, help="keys for each slider in each round")
    parser.add_argument(
        "--unprepared", action="store_true", help="no scene is sent ahead or shown again"
    )
    options = parser.parse_args()

    print(
        f"Python {platform.python_version()}, "
        + ", ".join(
            f"{name} {version(name)}"
            for name in ("jupyterlab", "ipywidgets", "anywidget", "matplotlib", "numpy")
        )
    )
    print("milliseconds to the second animation frame after the change: median (95th percentile)")
    print(f"{'explorer':21} {'control':15} {'explorer':>15} {'interact':>15} {'ratio':>7}  missed")
    with tempfile.TemporaryDirectory() as folder:
        with laboratory(Path(folder)) as server, chromium() as page:
            for name in options.explorers:
                write_notebook(server.notebooks / f"{name}.ipynb", name, not options.unprepared)
                # Afresh each time: JupyterLab asks before it closes a notebook that has run.
                page.goto(f"{server.url}/lab?token={server.token}&reset")
                page.wait_for_function("window.jupyterapp?.restored", timeout=60_000)
                page.evaluate("window.jupyterapp.restored.then(() => null)")
                page.evaluate(STOPWATCH)
                open_and_run(page, f"{name}.ipynb")
                for row in measure(page, options.rounds, options.keys):
                    print(f"{name:21} {row}", flush=True)


def write_notebook(path: Path, name: str, prepared: bool) -> None:
    values = {"name": name, "twin": name.removesuffix("_explorer")}
    values |= {"settings": SETTINGS.get(name, {}), "prepared": prepared}
    cells = (template.format(**values) for template in (EXPLORER, INTERACT))
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, path)


@contextlib.contextmanager
def laboratory(folder: Path) -> Iterator[Server]:
    """A JupyterLab of its own, stopped at the end."""
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(HERE), os.environ.get("PYTHONPATH")])
    )
    server = Server(folder)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def chromium() -> Iterator[Page]:
    with sync_playwright() as playwright:
        try:
            browser = open_browser(playwright)
        except MissingBrowserError as error:
            sys.exit(str(error))
        yield browser.new_page(viewport={"width": 1280, "height": 900})
        browser.close()


def open_and_run(page: Page, notebook: str) -> None:
    if not page.evaluate(OPEN_AND_RUN, notebook):
        sys.exit(
            f"A cell of {notebook} failed:\n{page.locator('.jp-OutputArea').all_inner_texts()}"
        )
    page.wait_for_selector(".jp-Notebook:visible .course-labels > div")
    page.wait_for_selector(".jp-Notebook:visible .widget-interact img[src]")
    for button in reversed(page.locator(".jp-Notebook:visible .course-guess button").all()):
        button.click()
    page.locator(".course-more:visible").evaluate_all(
        "all => all.forEach(more => more.open = true)"
    )
    page.wait_for_timeout(1000)


CONTROLS = "[role=slider], select, input[type=checkbox]"


def measure(page: Page, rounds: int, keys: int) -> Iterator[str]:
    # Both cells have the same controls.
    cells = page.locator(".jp-CodeCell:visible").all()
    interact = cells[1].locator(CONTROLS)
    names = cells[1].locator(".widget-interact .widget-inline-hbox").all_inner_texts()
    for index, text in reversed(list(enumerate(names))):
        name = text.strip("\u200b \n").splitlines()[0]  # ticked boxes have an empty name as well
        in_the_browser = name in IN_THE_BROWSER
        sights = ("moving" if in_the_browser else "painting", "picture")
        times: tuple[list[float], list[float]] = [], []
        for round_ in range(rounds + 1):
            own = cells[0].locator(f".course-{name} :is(input, select)")
            for column, control in enumerate((own, interact.nth(index))):
                measured = press(page, control, sights[column], keys if round_ else 2)
                times[column].extend(measured if round_ else [])
        medians = [median(column) for column in times]
        shown = [f"{median(column):5.1f} ({quantiles(column, n=20)[-1]:5.1f})" for column in times]
        ratio = medians[1] / medians[0]
        slowest, fastest = TARGETS[in_the_browser]
        missed = [f"{slowest} ms"] if medians[0] > slowest else []
        missed += [f"{fastest}x"] if ratio < fastest else []
        yield f"{name:15} {shown[0]:>15} {shown[1]:>15} {ratio:6.1f}x  {', '.join(missed)}"


def work(page: Page, control: Locator, key: str) -> None:
    """A slider by the arrow key, a list by its next choice or the one before, a box by a tick."""
    kind = control.evaluate("control => control.type")
    if kind == "checkbox":
        control.click()
    elif kind == "select-one":
        chosen = control.evaluate("control => control.selectedIndex")
        control.select_option(index=chosen + (1 if key == "ArrowRight" else -1))
    else:
        page.keyboard.press(key)


AT_AN_END = {
    key: f"""control => control.matches("select")
        ? control.selectedIndex === {place}
        : control.ariaValueNow ? control.ariaValueNow === control.aria{value}
        : control.type === "range" && control.value === (control.{end} || "0")"""
    for key, place, value, end in [
        ("ArrowRight", "control.options.length - 1", "ValueMax", "max"),
        ("ArrowLeft", "0", "ValueMin", "min"),
    ]
}


def press(page: Page, control: Locator, sight: str, times: int) -> list[float]:
    """Steps of the control, each after the one before has been seen."""
    control.scroll_into_view_if_needed()
    control.focus()
    area = control.locator("xpath=ancestor::*[contains(@class, 'jp-Cell-outputWrapper')]")
    key = "ArrowRight"
    measured = []
    for turn in range(times):
        # There and back again, and round at an end.
        if turn == times // 2 or control.evaluate(AT_AN_END[key]):
            key = "ArrowLeft" if key == "ArrowRight" else "ArrowRight"
        area.evaluate("(area, sight) => window.watch(area, sight)", sight)
        work(page, control, key)
        took = page.evaluate("window.watched")
        if took is None:
            sys.exit("Nothing changed on the page within a minute.")
        measured.append(took)
        page.wait_for_timeout(60)
    return measured


if __name__ == "__main__":
    main()
