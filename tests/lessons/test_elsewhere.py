"""Tests that all languages are visible without style sheets, scripts or a kernel."""

import base64
import os
from string import Template
from unittest.mock import Mock

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from private_jupyter import REPOSITORY, notebooks_with_outputs

from course_utils.notebook import switch

pytest_plugins = ["checks.browser"]


@pytest.fixture(scope="module")
def page(browser):
    with browser.new_page() as page:
        yield page


# The relevant parts of a page in VS Code 1.139.
VSCODE = """<!doctype html><html lang="en"><body data-vscode-theme-kind="vscode-light">
<div id="container"><div class="output"><div id="switch"></div></div>
<div class="output"><div lang="en">said en</div><div lang="es">said es</div></div></div>
<script type="module">
window.addCell = () => {
  const cell = document.createElement("div");
  cell.className = "preview";
  document.querySelector("#container").append(cell);
  // As there: the words come after the cell itself.
  setTimeout(() => {
    cell.attachShadow({ mode: "open" }).innerHTML = '<h2><span lang="en">en</span>'
      + '<span class="course-both"> · </span><span lang="es">es</span></h2>';
  }, 50);
};
addCell();
const { default: widget } = await import(SOURCE);
const state = { languages: { en: "English", es: "Español" }, choice: "es", legend: "?" };
const listeners = [];
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; for (const each of listeners) each(); },
  on: (_, listener) => listeners.push(listener),
  off: () => {}, save_changes: () => {}, send: () => {},
};
const leave = widget.render({ model, el: document.querySelector("#switch") });
window.choose = (choice) => model.set("choice", choice);
window.leave = () => { leave(); document.querySelector("#switch").remove(); };
</script></body></html>"""
VISIBLE = """() => [...document.querySelectorAll(".output:not(:has(#switch)) *"),
  ...[...document.querySelectorAll(".preview")].flatMap((cell) =>
    [...(cell.shadowRoot?.querySelectorAll("span") ?? [])])]
  .filter((each) => each.checkVisibility()).map((each) => each.textContent.trim()).join(" ")"""


def test_switch_hides_in_shadow_roots_of_vscode(page):
    source = base64.b64encode((switch.FOLDER / "switch.js").read_bytes()).decode()
    page.set_content(VSCODE.replace("SOURCE", f'"data:text/javascript;base64,{source}"'))

    def shows(words: str) -> None:
        page.wait_for_function(f"words => ({VISIBLE})() === words", arg=words, timeout=5_000)

    shows("said es es")
    for act, words in {
        "choose('en')": "said en en",
        "addCell()": "said en en en",
        "choose('both')": "said en said es en · es en · es",
        "choose('es')": "said es es es",
        "leave()": "said en said es en · es en · es",
    }.items():
        page.evaluate(act)
        shows(words)


# Put each output into its own shadow tree, which the page's style sheets do not reach.
SHOW = """async (outputs) => {
    document.body.replaceChildren(...outputs.map((output) => {
        const place = document.createElement("div");
        place.attachShadow({ mode: "open" }).innerHTML = output;
        return place;
    }));
    const trees = [...document.body.children].map((place) => place.shadowRoot);
    const all = (names) => trees.flatMap((tree) => [...tree.querySelectorAll(names)]);
    await Promise.all(all("img").map((image) => image.decode().catch(() => {})));
    const unseen = all("[lang], summary, img, svg, table").filter((each) =>
        !each.closest("details:not([open]) > :not(summary)")
        && (!each.checkVisibility() || each.naturalWidth === 0));
    const says = (each) => each.innerText?.trim();
    const silent = trees.filter((tree) => ![...tree.children].some(says));
    return [...unseen, ...silent].map((each) => each.outerHTML ?? each.innerHTML);
}"""


@pytest.mark.parametrize("notebook", notebooks_with_outputs(), ids=lambda path: path.stem)
def test_output_in_frame_shows_every_language(notebook, page):
    """Outputs are in separate frames in Colab."""
    cells = nbformat.read(notebook, as_version=4).cells
    made = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    outputs = [data["text/html"] for data in made if "text/html" in data]
    page.set_content("")
    assert outputs and page.evaluate(SHOW, outputs) == []


def test_first_cell_stops_if_installation_fails(monkeypatch):
    wheel = "nowhere/course-1-py3-none-any.whl"
    names = {"installing": "x", "language": "es", "not_installed": "It is not installed:"}
    template = Template((REPOSITORY / "web" / "install.txt").read_text("utf-8"))
    cell = TransformerManager().transform_cell(template.substitute(names, wheel=wheel))
    monkeypatch.setenv("COURSE_LANGUAGE", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    notebook = Mock()
    with pytest.raises(ImportError, match=f"^It is not installed: {wheel}$"):
        exec(cell, {"get_ipython": lambda: notebook})
    notebook.run_line_magic.assert_called_once_with("pip", f"install -q {wheel}")
    assert os.environ["COURSE_LANGUAGE"] == "es"
