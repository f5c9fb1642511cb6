"""The checks of notebooks find each kind of fault, which is put in on purpose."""

import base64
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from checks.outputs import notebook_problems
from checks.pictures import LARGEST_DISTANCE, distance
from checks.samples import changed, prose, text
from execute import fold
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from course_utils import sinusoidal_encoding
from course_utils.notebook.display import Shown, figure_html, png
from course_utils.pictures import static

REPOSITORY = Path(__file__).resolve().parents[2]

PROSE = prose(
    {"en": "Waves", "es": "Ondas"},
    {"en": "The sine of 23 radians.", "es": "El seno de 23 radianes."},
)
ALT = text("Heatmap of 50 positions.", "Mapa de calor de 50 posiciones.")
CAPTION = text("Each column is a position.", "Cada columna es una posición.")
CODE = {
    "imports": """\
from course_utils import Text, sinusoidal_encoding
from course_utils.pictures.static import encoding_heatmap
from course_utils.notebook.display import Shown, figure_html, png""",
    "table": """\
table = sinusoidal_encoding(50, 16)
print(f"{table[23, 0]:.4f}")""",
    "figure": f"""\
picture = png(encoding_heatmap(table))
alt, caption = {ALT!r}, {CAPTION!r}
Shown(figure_html(picture, alt, "", caption), alt.lines, picture)""",
}


@pytest.fixture(scope="module")
def executed() -> str:
    """A small notebook with nothing wrong, as its file's text."""
    picture = png(static.encoding_heatmap(sinusoidal_encoding(50, 16)))
    figure = Shown(figure_html(picture, ALT, "", CAPTION), ALT.lines, picture).bundle()
    outputs = {
        "table": [new_output("stream", text="-0.8462\n")],
        "figure": [new_output("execute_result", figure, execution_count=3)],
    }
    cells = [
        new_code_cell(source, id=name, execution_count=number, outputs=outputs.get(name, []))
        for number, (name, source) in enumerate(CODE.items(), start=1)
    ]
    cells[0].metadata["tags"] = ["hide-input"]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
    notebook = new_notebook(
        cells=[new_markdown_cell(PROSE, id="waves"), *cells], metadata={"kernelspec": kernel}
    )
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


Damage = Callable[[NotebookNode], object]


def in_source(name: str, old: str, new: str) -> Damage:
    """Another source of a cell."""

    def damage(notebook: NotebookNode) -> None:
        cell(notebook, name).source = changed(cell(notebook, name).source, old, new)

    return damage


def in_html(old: str, new: str) -> Damage:
    """Other HTML around the figure; ``old`` is a pattern."""

    def damage(notebook: NotebookNode) -> None:
        data = figure_data(notebook)
        data["text/html"], found = re.subn(old, new, data["text/html"])
        assert found

    return damage


def change_number(notebook: NotebookNode) -> None:
    output = cell(notebook, "table").outputs[0]
    output.text = changed(output.text, "-0.8462", "-0.8463")


# The code now draws frequencies that are 2 % higher than those of the stored picture.
OTHER_FREQUENCIES = "encoding_heatmap(sinusoidal_encoding(50, 16, base=10_000 / 1.18))"
CHANGE_FREQUENCY = in_source("figure", "encoding_heatmap(table)", OTHER_FREQUENCIES)

FOUND_BY_RUNNING: dict[str, tuple[str, Damage, str]] = {
    "changed-number": ("table", change_number, "mismatch 'stdout'"),
    "changed-figure": ("figure", CHANGE_FREQUENCY, "picture 1 is"),
    "removed-picture": (
        "figure",
        lambda notebook: figure_data(notebook).pop("image/png"),
        "1 pictures are stored, but the cell makes 2",
    ),
}


@pytest.mark.slow  # a pytest in a pytest
def test_a_run_passes_healthy_cells_and_finds_what_is_not_as_it_is_stored(executed, tmp_path):
    notebook = nbformat.reads(executed, as_version=4)
    names = [cell.id for cell in notebook.cells if cell.cell_type == "code"]
    for name, (damaged, damage, _) in FOUND_BY_RUNNING.items():
        other = nbformat.reads(executed, as_version=4)
        damage(other)
        broken = cell(other, damaged)
        broken.id = name
        notebook.cells.append(broken)
        names.append(name)
    nbformat.write(notebook, tmp_path / "broken.ipynb")
    # The notebook lies outside, so the conftest.py of the repository is named, and found first.
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", tmp_path, "--junit-xml", tmp_path / "report.xml"),
            *("-c", REPOSITORY / "pyproject.toml", "-o", "pythonpath=. tests tools"),
            *("-p", "conftest", "-p", "no:cacheprovider", "-n0", "--color=no"),
            *("-p", "no:randomly"),  # where it is installed, it would shuffle cells
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout + run.stderr
    cases = ElementTree.parse(tmp_path / "report.xml").iter("testcase")
    said = {
        name: case.findtext("failure", "") + case.findtext("error", "")
        for name, case in zip(names, cases, strict=True)
    }
    assert {name for name in names if said[name]} == set(FOUND_BY_RUNNING)
    for name, (_, _, complaint) in FOUND_BY_RUNNING.items():
        assert complaint in said[name]


def test_a_picture_with_a_frequency_off_by_two_percent_is_another_picture():
    positions = np.arange(50)[:, np.newaxis]
    right, wrong = (
        static.encoding_heatmap(np.sin(positions * factor * np.geomspace(1, 1e-3, 16)))
        for factor in (1, 1.02)
    )
    assert distance(png(right), png(wrong)) > LARGEST_DISTANCE


def test_a_picture_with_its_texts_one_pixel_off_is_the_same_picture():
    """As a new version of Matplotlib writes them."""
    figure = static.encoding_heatmap(sinusoidal_encoding(50, 16))
    before = png(figure)
    for axes in figure.axes:
        axes.tick_params(pad=axes.xaxis.get_tick_padding() + 0.72)
    after = png(figure)
    assert 0 < distance(before, after) < LARGEST_DISTANCE


# What a look at the stored notebook finds ------------------------------------------------------


def with_output(kind: str, **content: object) -> Damage:
    """One output more of the table's cell."""
    return lambda notebook: cell(notebook, "table").outputs.append(new_output(kind, **content))


def cut_the_picture_off(notebook: NotebookNode) -> None:
    """As if the labels of an axis had no room."""
    data = figure_data(notebook)
    whole = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    cut = io.BytesIO()
    whole.crop((0, 0, whole.width, whole.height - 25)).save(cut, "png")
    data["image/png"] = base64.b64encode(cut.getvalue()).decode()


def print_a_sentence(notebook: NotebookNode) -> None:
    cell(notebook, "table").outputs[0].text = "The largest error is 0.0003\n"


WIDGETS = {"application/vnd.jupyter.widget-state+json": {"state": {}}}

FOUND_BY_LOOKING: dict[str, tuple[Damage, str]] = {
    "unexecuted cell": (lambda n: cell(n, "table").update(execution_count=None), "executed"),
    "state of widgets": (lambda n: n.metadata.update(widgets=WIDGETS), "nothing of the machine"),
    "a hash as id": (lambda n: cell(n, "table").update(id="a3f291bc"), "cell ids"),
    "an error": (with_output("error", ename="ValueError", evalue="no"), "no errors"),
    "too large": (lambda n: cell(n, "table").metadata.update(ballast="x" * 600_000), "size"),
    "missing alt text": (in_html('alt="[^"]*"', ""), "pictures"),
    "alt text in one language": (in_html('alt="[^"]*"', 'alt="Heatmap of positions."'), "pictures"),
    "picture without HTML": (lambda n: figure_data(n).pop("text/html"), "pictures"),
    "picture cut off": (cut_the_picture_off, "pictures"),
    "caption in one language": (in_html(CAPTION["es"], ""), "outputs in every language"),
    "sentence printed in English": (print_a_sentence, "outputs in every language"),
    "a control of its own": (
        in_source("table", "table = ", "ipywidgets.IntSlider()\ntable = "),
        "widgets",
    ),
    "a tagged cell that stands open": (
        lambda n: cell(n, "imports").metadata.pop("jupyter"),
        "folded",
    ),
    "a folded cell without a tag": (
        lambda n: cell(n, "table").metadata.update(jupyter={"source_hidden": True}),
        "folded",
    ),
}


def problems_of(notebook: NotebookNode, folder: Path) -> dict[str, list[str]]:
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    return notebook_problems(path)


def test_a_healthy_notebook_breaks_no_rule(healthy, tmp_path):
    assert problems_of(healthy, tmp_path) == {}


@pytest.mark.parametrize("fault", FOUND_BY_LOOKING)
def test_a_look_at_the_notebook_finds(fault, healthy, tmp_path):
    damage, rule = FOUND_BY_LOOKING[fault]
    damage(healthy)
    assert rule in problems_of(healthy, tmp_path)


def test_what_is_folded_is_what_the_tags_say(healthy):
    cell(healthy, "table").metadata["jupyter"] = {"outputs_hidden": True, "source_hidden": True}
    fold(healthy)
    assert cell(healthy, "table").metadata == {"jupyter": {"outputs_hidden": True}}
    assert cell(healthy, "imports").metadata["jupyter"] == {"source_hidden": True}
