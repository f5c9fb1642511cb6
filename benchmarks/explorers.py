"""From the key to the picture: how fast explorers follow their sliders, next to ``interact``.

    python benchmarks/explorers.py

Needs the extra ``test`` and Chromium, Chrome or Edge (COURSE_BROWSER names another program).
Starts a JupyterLab of its own on notebooks with one explorer and one cell that draws the same
picture with ``interact`` and ``plt.show``, presses arrow keys on their sliders in turn, and prints
the milliseconds from each keyboard event to the second animation frame after the picture or its
marks changed. On a busy machine only the ratios mean something: both columns come from one run.
"""

from __future__ import annotations

import argparse
import contextlib
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles

import nbformat
from playwright.sync_api import Locator, Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / ".ci"))
from private_jupyter import MissingBrowserError, Server, open_browser

IN_THE_BROWSER = ("position", "offset")
TARGETS = {True: "10x, median 25 ms", False: "2.5x"}

EXPLORER = """
from course_utils.explorers import {name}
explorer = {name}()
explorer.apply({settings})
explorer
"""

INTERACT = """
%matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact
{draw}
def twin(control):
    names = filter(control.has_trait, ("options", "min", "max", "step", "value"))
    return type(control)(**{{name: getattr(control, name) for name in names}})

names = [*explorer.parameters, *(["offset"] if explorer.offset else []), "position"]
interact(draw, **{{name: twin(control) for name, control in zip(names, explorer.controls)}});
"""

HEATMAP = """
from course_utils.encodings import binary_encoding, sinusoidal_encoding

def draw(**values):
    table = {table}
    position = min(values["position"], len(table) - 1)
    figure, (heatmap, bars) = plt.subplots(1, 2, figsize=(9, 3.7), width_ratios=(4, 1))
    image = heatmap.imshow(table.T, aspect="auto", cmap="RdBu_r", vmin=-1, vmax=1)
    heatmap.axvline(position, color="black")
    heatmap.set(xlabel="position", ylabel="dimension")
    bars.barh(np.arange(table.shape[1]), table[position])
    bars.set(xlabel="value", xlim=(-1.1, 1.1), ylim=(table.shape[1] - 0.5, -0.5))
    figure.colorbar(image)
    plt.show()
"""

DIALS = """
from course_utils.encodings import angular_frequencies

def draw(base, offset, position):
    figure, dials = plt.subplots(1, 4, figsize=(9, 2.7))
    for dial, frequency in zip(dials, angular_frequencies(8, base=base)):
        dial.add_patch(plt.Circle((0, 0), 1, fill=False))
        for place, color in ((position, "black"), (position + offset, "tab:orange")):
            angle = place * frequency
            dial.plot([0, np.sin(angle)], [0, np.cos(angle)], color=color, marker="o")
        dial.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal", xlabel=f"{frequency:.3g}")
    plt.show()
"""

CURVE = """
from course_utils.encodings import angular_frequencies
from course_utils.frequencies import arithmetic_frequencies, normalized_dot_product

def draw(spacing, base, d_model, position):
    geometric = spacing == "geometric"
    frequencies = (
        angular_frequencies(d_model, base=base) if geometric else arithmetic_frequencies(d_model)
    )
    figure, axes = plt.subplots(figsize=(9, 3.4))
    axes.plot(normalized_dot_product(np.arange(501), frequencies))
    axes.axvline(position, color="black")
    axes.set(xlabel="distance", ylabel="normalised dot product")
    plt.show()
"""

ATTENTION = """
from functools import cache
from course_utils.attention import look_back_scores, softmax, train_look_back
from course_utils.schemes import look_back_table

trained = cache(lambda encoding, k: train_look_back(look_back_table(encoding, 64, 32), k))

def draw(encoding, k, stretch, position):
    table = look_back_table(encoding, 64, 32)
    attention = softmax(look_back_scores(table, trained(encoding, k)))
    figure, (grid, bars) = plt.subplots(1, 2, figsize=(9, 4.2), width_ratios=(4, 1))
    image = grid.imshow(attention.T, aspect="auto", cmap="Blues", vmin=0, vmax=1)
    grid.axvline(position, color="black")
    grid.set(xlabel="query", ylabel="key")
    bars.barh(np.arange(64), attention[position])
    bars.set(xlabel="attention", ylim=(63.5, -0.5))
    figure.colorbar(image)
    plt.show()
"""

CASES = {
    "binary_explorer": {
        "settings": {"n_positions": 64, "d_model": 7},
        "draw": HEATMAP.format(
            table='binary_encoding(min(values["n_positions"], 2 ** values["d_model"]), '
            'values["d_model"])'
        ),
    },
    "sinusoidal_explorer": {
        "settings": {"n_positions": 64, "d_model": 64, "n_dimensions": 32},
        "draw": HEATMAP.format(
            table='sinusoidal_encoding(values["n_positions"], values["d_model"], '
            'base=values["base"])[:, : values["n_dimensions"]]'
        ),
    },
    "shift_explorer": {"settings": {}, "draw": DIALS},
    "spacing_explorer": {"settings": {}, "draw": CURVE},
    "look_back_explorer": {"settings": {"k": 4}, "draw": ATTENTION},
    "rope_explorer": {"settings": {}, "draw": DIALS},
}

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
  document.addEventListener("keydown", (event) => (start = event.timeStamp), true);
  const frames = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))));
  // What is being looked at, as a string that changes when it changes.
  const sights = {
    marks: (area) => area.querySelector(".course-stage svg")?.outerHTML,
    picture: (area) => [...area.querySelectorAll("img")].map((image) => image.src).join(),
  };
  window.watch = (area, sight) => {
    const before = sights[sight](area);
    start = null;
    window.watched = new Promise((done) => {
      const observer = new MutationObserver(async () => {
        const now = sights[sight](area);
        if (start === null || !now || now === before) return;
        observer.disconnect();
        await Promise.all([...area.querySelectorAll("img")].map((image) =>
          image.complete || new Promise((loaded) => (image.onload = loaded))));
        const end = await frames();
        done(end - start);
      });
      observer.observe(area, {subtree: true, childList: true, attributes: true});
      setTimeout(() => { observer.disconnect(); done(null); }, 10_000);
    });
  };
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", default=list(CASES), metavar="EXPLORER")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--keys", type=int, default=8, help="keys for each slider in each round")
    options = parser.parse_args()

    print(
        f"Python {platform.python_version()}, "
        + ", ".join(
            f"{name} {version(name)}"
            for name in ("jupyterlab", "ipywidgets", "anywidget", "matplotlib", "numpy")
        )
    )
    print("milliseconds to the second animation frame after the change: median (95th percentile)")
    print(f"{'explorer':20} {'slider':24} {'explorer':>15} {'interact':>15} {'ratio':>7}  target")
    with tempfile.TemporaryDirectory() as folder:
        with laboratory(Path(folder)) as server, chromium() as page:
            for name in options.explorers:
                write_notebook(server.notebooks / f"{name}.ipynb", name)
                # Afresh each time: JupyterLab asks before it closes a notebook that has run.
                page.goto(f"{server.url}/lab?token={server.token}&reset")
                page.wait_for_function("window.jupyterapp?.restored", timeout=60_000)
                page.evaluate("window.jupyterapp.restored.then(() => null)")
                page.evaluate(STOPWATCH)
                open_and_run(page, f"{name}.ipynb")
                for row in measure(page, options.rounds, options.keys):
                    print(f"{name:20} {row}", flush=True)


def write_notebook(path: Path, name: str) -> None:
    cells = (template.format(name=name, **CASES[name]) for template in (EXPLORER, INTERACT))
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, path)


@contextlib.contextmanager
def laboratory(folder: Path) -> Iterator[Server]:
    """A JupyterLab of its own, stopped at the end."""
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
    page.wait_for_selector(".jp-Notebook:visible .course-stage img[src]")
    page.wait_for_selector(".jp-Notebook:visible .widget-interact img[src]")
    page.wait_for_timeout(1000)


def measure(page: Page, rounds: int, keys: int) -> Iterator[str]:
    # Both cells have the same sliders in the same order.
    cells = page.locator(".jp-CodeCell:visible").all()
    explorer, interact = (cell.locator("[role=slider]") for cell in cells)
    labels = cells[1].locator(".widget-slider .widget-label").all_inner_texts()
    for index, label in reversed(list(enumerate(labels))):
        stays_in_the_browser = label in IN_THE_BROWSER
        times: tuple[list[float], list[float]] = [], []
        for _ in range(rounds):
            for column, sliders in enumerate((explorer, interact)):
                sight = "marks" if stays_in_the_browser and column == 0 else "picture"
                times[column].extend(press(page, sliders.nth(index), sight, keys))
        medians = [median(column) for column in times]
        shown = [f"{median(column):5.1f} ({quantiles(column, n=20)[-1]:5.1f})" for column in times]
        target = TARGETS[stays_in_the_browser]
        yield (
            f"{label:24} {shown[0]:>15} {shown[1]:>15} {medians[1] / medians[0]:6.1f}x  {target}"
        )


def press(page: Page, slider: Locator, sight: str, times: int) -> list[float]:
    """One step back and one forth, ``times`` in all, each after the one before has been seen."""
    slider.scroll_into_view_if_needed()
    slider.focus()
    area = slider.locator("xpath=ancestor::*[contains(@class, 'jp-Cell-outputWrapper')]")
    measured = []
    for turn in range(times):
        area.evaluate("(area, sight) => window.watch(area, sight)", sight)
        page.keyboard.press(("ArrowLeft", "ArrowRight")[turn % 2])
        took = page.evaluate("window.watched")
        if took is None:
            sys.exit("A key changed nothing on the page within 10 seconds.")
        measured.append(took)
        page.wait_for_timeout(60)
    return measured


if __name__ == "__main__":
    main()
