"""The net over the notebooks catches: each kind of fault, put in on purpose, is found."""

from __future__ import annotations

import base64
import io
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from folding import Fold, fold, fold_of
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from net.outputs import notebook_problems
from net.pictures import LARGEST_DISTANCE, distance
from PIL import Image
from samples import prose, text

from course_utils import figures, sinusoidal_encoding
from course_utils.page import png

REPOSITORY = Path(__file__).resolve().parent.parent

PROSE = prose(
    {"en": "Waves", "es": "Ondas"},
    {"en": "The sine of 23 radians.", "es": "El seno de 23 radianes."},
)
CAPTION = text("Each column is a position.", "Cada columna es una posición.")
CODE = {
    "imports": """
        from course_utils import Text, sinusoidal_encoding
        from course_utils.figures import encoding_heatmap
        from course_utils.page import Shown, figure_html, png
        """,
    "table": """
        table = sinusoidal_encoding(50, 16)
        print(f"{table[23, 0]:.4f}")
        """,
    "figure": f"""
        picture = png(encoding_heatmap(table))
        alt = {text("Heatmap of 50 positions.", "Mapa de calor de 50 posiciones.")!r}
        caption = {CAPTION!r}
        Shown(figure_html(picture, alt, "", caption), alt.lines, picture)
        """,
}


def code(source: str) -> str:
    return textwrap.dedent(source).strip()


def changed(source: str, old: str, new: str) -> str:
    """The source with a part replaced that must be there."""
    assert old in source
    return source.replace(old, new)


@pytest.fixture(scope="module")
def executed() -> str:
    """A small notebook with nothing wrong, run once, as its file's text."""
    notebook = new_notebook(
        cells=[
            new_markdown_cell(PROSE, id="waves"),
            *(new_code_cell(code(source), id=name) for name, source in CODE.items()),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
    )
    NotebookClient(notebook, record_timing=False, store_widget_state=False, timeout=60).execute()
    fold(notebook)
    return nbformat.writes(notebook)


@pytest.fixture
def healthy(executed: str) -> NotebookNode:
    return nbformat.reads(executed, as_version=4)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == name)


def figure_data(notebook: NotebookNode) -> NotebookNode:
    return cell(notebook, "figure").outputs[0].data


# What a run finds ------------------------------------------------------------------------------


def change_number(notebook: NotebookNode) -> None:
    output = cell(notebook, "table").outputs[0]
    output.text = changed(output.text, "-0.8462", "-0.8463")


def change_frequency(notebook: NotebookNode) -> None:
    """The code now draws frequencies that are 2 % higher than those of the stored picture."""
    cell(notebook, "figure").source = changed(
        cell(notebook, "figure").source,
        "encoding_heatmap(table)",
        "encoding_heatmap(sinusoidal_encoding(50, 16, base=10_000 / 1.18))",
    )


def remove_picture(notebook: NotebookNode) -> None:
    del figure_data(notebook)["image/png"]


def remove_figure(notebook: NotebookNode) -> None:
    cell(notebook, "figure").outputs = []


def change_caption(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = changed(data["text/html"], "Each column", "Each row")


def break_code(notebook: NotebookNode) -> None:
    cell(notebook, "table").source = "table = sinusoidal_encoding(50, 15)"


FOUND_BY_RUNNING: dict[str, tuple[Callable[[NotebookNode], None], str]] = {
    "changed_number": (change_number, "mismatch 'stdout'"),
    "changed_figure": (change_frequency, "picture 1 is"),
    "removed_picture": (remove_picture, "1 pictures are stored, but the cell makes 2"),
    "removed_figure": (remove_figure, "Unexpected output fields"),
    "changed_caption": (change_caption, "mismatch 'text/html'"),
    "broken_code": (break_code, "d_model must be even"),
}


@pytest.fixture(scope="module")
def reports(executed: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What one run of pytest says about each notebook of a folder that does not pass."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "healthy.ipynb").write_text(executed, encoding="utf-8")
    for name, (damage, _) in FOUND_BY_RUNNING.items():
        notebook = nbformat.reads(executed, as_version=4)
        damage(notebook)
        nbformat.write(notebook, folder / f"{name}.ipynb")
    # These notebooks lie outside, so the conftest.py of the repository is named, and found first.
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", folder, "--junit-xml", folder / "report.xml"),
            *("-c", REPOSITORY / "pyproject.toml", "-o", "pythonpath=. tests .ci"),
            *("-p", "conftest", "-p", "no:cacheprovider", "-n0", "--color=no"),
            *("-p", "no:randomly"),  # where it is installed, it would shuffle cells
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout + run.stderr
    assert (folder / "report.xml").exists()
    return failures_by_notebook((folder / "report.xml").read_text(encoding="utf-8"))


def failures_by_notebook(report: str) -> dict[str, str]:
    failures: dict[str, str] = {}
    for case in ElementTree.fromstring(report).iter("testcase"):
        name = re.search(r"(\w+)(?:\.ipynb)?$", case.get("classname", ""))[1]
        for element in (*case.iter("failure"), *case.iter("error")):
            failures[name] = failures.get(name, "") + (element.text or "")
    return failures


def test_a_healthy_notebook_passes_the_run(reports: dict[str, str]) -> None:
    assert set(reports) == set(FOUND_BY_RUNNING)


@pytest.mark.parametrize("name", FOUND_BY_RUNNING)
def test_the_run_finds(name: str, reports: dict[str, str]) -> None:
    assert FOUND_BY_RUNNING[name][1] in reports[name]


def test_a_picture_with_a_frequency_off_by_two_percent_is_another_picture() -> None:
    positions = np.arange(50)[:, np.newaxis]
    right, wrong = (
        figures.encoding_heatmap(np.sin(positions * factor * np.geomspace(1, 1e-3, 16)))
        for factor in (1, 1.02)
    )
    assert distance(png(right), png(wrong)) > LARGEST_DISTANCE


def test_a_picture_with_its_texts_one_pixel_off_is_the_same_picture() -> None:
    """As a new version of Matplotlib writes them."""
    figure = figures.encoding_heatmap(sinusoidal_encoding(50, 16))
    before = png(figure)
    for axes in figure.axes:
        axes.tick_params(pad=axes.xaxis.get_tick_padding() + 0.72)
    after = png(figure)
    assert 0 < distance(before, after) < LARGEST_DISTANCE


# What a look at the stored notebook finds ------------------------------------------------------


def forget_execution(notebook: NotebookNode) -> None:
    cell(notebook, "table").execution_count = None
    cell(notebook, "table").outputs = []


def run_out_of_order(notebook: NotebookNode) -> None:
    cell(notebook, "table").execution_count = 7


def store_widgets(notebook: NotebookNode) -> None:
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def store_timing(notebook: NotebookNode) -> None:
    cell(notebook, "table").metadata["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00"}


def take_a_kernel_of_ones_own(notebook: NotebookNode) -> None:
    notebook.metadata.kernelspec["name"] = "my-env"


def take_a_hash_as_id(notebook: NotebookNode) -> None:
    cell(notebook, "table").id = "a3f291bc"


def store_an_error(notebook: NotebookNode) -> None:
    cell(notebook, "table").outputs = [new_output("error", ename="ValueError", evalue="no")]


def store_a_warning(notebook: NotebookNode) -> None:
    warning = new_output("stream", name="stderr", text="DeprecationWarning: …")
    cell(notebook, "table").outputs.append(warning)


def grow(notebook: NotebookNode) -> None:
    cell(notebook, "table").metadata["ballast"] = "x" * 300_000


def remove_alt_text(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = re.sub(r'alt="[^"]*"', "", data["text/html"])


def leave_alt_text_in_english(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = re.sub(r'alt="[^"]*"', 'alt="Heatmap of 50 positions."', data["text/html"])


def store_a_bare_picture(notebook: NotebookNode) -> None:
    del figure_data(notebook)["text/html"]


def cut_the_picture_off(notebook: NotebookNode) -> None:
    """As if the labels of an axis had no room."""
    data = figure_data(notebook)
    whole = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    cut = io.BytesIO()
    whole.crop((0, 0, whole.width, whole.height - 25)).save(cut, "png")
    data["image/png"] = base64.b64encode(cut.getvalue()).decode()


def drop_spanish_caption(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = changed(data["text/html"], "Cada columna es una posición.", "")


def caption_in_english_twice(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = changed(
        data["text/html"], "Cada columna es una posición.", "Each column is a position."
    )


def write_beside_the_languages(notebook: NotebookNode) -> None:
    data = figure_data(notebook)
    data["text/html"] = changed(data["text/html"], "</figure>", "<p>Look closely.</p></figure>")


def print_a_sentence(notebook: NotebookNode) -> None:
    cell(notebook, "table").outputs[0].text = "The largest error is 0.0003\n"


def make_a_control(notebook: NotebookNode) -> None:
    cell(notebook, "table").source += "\nipywidgets.IntSlider().observe(draw)"


def open_the_imports(notebook: NotebookNode) -> None:
    del cell(notebook, "imports").metadata["jupyter"]


def fold_what_teaches(notebook: NotebookNode) -> None:
    cell(notebook, "table").metadata["jupyter"] = {"source_hidden": True}


FOUND_BY_LOOKING: dict[str, tuple[Callable[[NotebookNode], None], str]] = {
    "unexecuted cell": (forget_execution, "executed"),
    "cells run out of order": (run_out_of_order, "executed"),
    "state of widgets": (store_widgets, "nothing of the machine"),
    "timing": (store_timing, "nothing of the machine"),
    "another kernel": (take_a_kernel_of_ones_own, "nothing of the machine"),
    "a hash as id": (take_a_hash_as_id, "cell ids"),
    "an error": (store_an_error, "no errors"),
    "a warning": (store_a_warning, "no errors"),
    "too large": (grow, "size"),
    "missing alt text": (remove_alt_text, "pictures"),
    "alt text in one language": (leave_alt_text_in_english, "pictures"),
    "picture without HTML": (store_a_bare_picture, "pictures"),
    "picture cut off": (cut_the_picture_off, "pictures"),
    "caption in one language": (drop_spanish_caption, "outputs in every language"),
    "caption in English twice": (caption_in_english_twice, "outputs in every language"),
    "words outside all languages": (write_beside_the_languages, "outputs in every language"),
    "sentence printed in English": (print_a_sentence, "outputs in every language"),
    "a control of its own": (make_a_control, "widgets"),
    "imports that stand open": (open_the_imports, "folded"),
    "folded code that teaches": (fold_what_teaches, "folded"),
}


def problems_of(notebook: NotebookNode, folder: Path) -> dict[str, list[str]]:
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    return notebook_problems(path)


def test_a_healthy_notebook_breaks_no_rule(healthy: NotebookNode, tmp_path: Path) -> None:
    assert problems_of(healthy, tmp_path) == {}


@pytest.mark.parametrize("fault", FOUND_BY_LOOKING)
def test_a_look_at_the_notebook_finds(fault: str, healthy: NotebookNode, tmp_path: Path) -> None:
    damage, rule = FOUND_BY_LOOKING[fault]
    damage(healthy)
    assert rule in problems_of(healthy, tmp_path)


@pytest.mark.parametrize(
    ("source", "fold"),
    [
        ("import numpy as np\nfrom course_utils import question", Fold.FOLDED),
        ("from course_utils import language_switch\n\nlanguage_switch()", Fold.FOLDED),
        ('question("swap-words")', Fold.FOLDED),
        ('dot_product_explorer("binary")', Fold.FOLDED),
        ('report_card(["none", "index"], requirements=["bounded"])', Fold.FOLDED),
        ("sinusoidal_explorer(encoding=of_the_reader)", Fold.EITHER),
        ('from course_utils import show\nshow("waves", waves(50))', Fold.EITHER),
        ("from course_utils import index_encoding\n\nindex_encoding(5, 4)", Fold.OPEN),
        ("n = 5\nbinary_explorer()", Fold.OPEN),
        ('words = 3\nshow("waves", waves(words))', Fold.OPEN),
    ],
)
def test_only_cells_without_code_to_learn_from_are_folded(source: str, fold: Fold) -> None:
    assert fold_of(source) is fold


def test_folding_leaves_what_it_is_not_about(healthy: NotebookNode) -> None:
    cell(healthy, "imports").metadata["jupyter"] = {"outputs_hidden": True}
    fold(healthy)
    assert cell(healthy, "imports").metadata == {
        "jupyter": {"outputs_hidden": True, "source_hidden": True}
    }
    cell(healthy, "imports").metadata["nbgrader"] = {}
    cell(healthy, "table").metadata["jupyter"] = {"source_hidden": True}
    fold(healthy)
    assert cell(healthy, "table").metadata["jupyter"] == {"source_hidden": True}
