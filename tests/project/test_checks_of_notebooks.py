"""The checks of notebooks find each kind of fault, which is put into a lesson on purpose."""

import base64
import copy
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from checks.labs import REPOSITORY, cell
from checks.outputs import notebook_problems
from checks.pictures import LARGEST_DISTANCE, distance
from execute import fold
from nbformat import NotebookNode
from nbformat.v4 import new_output
from PIL import Image

from course_utils import sinusoidal_encoding
from course_utils.notebook.display import png
from course_utils.pictures import static

LESSON = nbformat.read(REPOSITORY / "notebooks" / "01_why_order_matters.ipynb", as_version=4)
PRINTS, DRAWS, FOLDED = "measure-order", "figure-sum", "switch"
"""Three of its cells."""


@pytest.fixture
def lesson() -> NotebookNode:
    """Those three and the title; they take a twentieth of the time that the lesson takes."""
    small = copy.deepcopy(LESSON)
    small.cells = [each for each in small.cells if each.id in ("title", PRINTS, DRAWS, FOLDED)]
    for number, each in enumerate(small.cells[1:], 1):
        each.execution_count = number
        for output in each.outputs:
            output.update({"execution_count": number} if "execution_count" in output else {})
    return small


def figure_data(notebook: NotebookNode) -> NotebookNode:
    return cell(notebook, DRAWS).outputs[0].data


HEATMAP = png(static.encoding_heatmap(sinusoidal_encoding(50, 16)))

# What a run finds ------------------------------------------------------------------------------


@pytest.mark.slow  # a pytest in a pytest
def test_a_run_passes_healthy_cells_and_finds_what_is_not_as_it_is_stored(tmp_path):
    lesson = copy.deepcopy(LESSON)
    last = lesson.cells.index(cell(lesson, DRAWS))
    lesson.cells = [each for each in lesson.cells[: last + 1] if each.cell_type == "code"]
    healthy = len(lesson.cells)
    printed, drawn, lacking = (copy.deepcopy(cell(lesson, x)) for x in (PRINTS, DRAWS, DRAWS))
    lesson.cells += [printed, drawn, lacking]
    printed.id, drawn.id, lacking.id = "printed", "drawn", "lacking"
    printed.outputs[0].text = "True\nFalse\n"
    drawn.outputs[0].data["image/png"] = base64.b64encode(HEATMAP).decode()
    del lacking.outputs[0].data["image/png"]
    nbformat.write(lesson, tmp_path / "broken.ipynb")
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
    said = [case.findtext("failure", "") for case in cases]
    assert said[:healthy] == [""] * healthy
    assert "mismatch 'stdout'" in said[healthy]
    assert "picture 3 is" in said[healthy + 1]
    assert "2 pictures are stored, but the cell makes 3" in said[healthy + 2]


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
    for axes in figure.axes:
        axes.tick_params(pad=axes.xaxis.get_tick_padding() + 0.72)
    assert 0 < distance(HEATMAP, png(figure)) < LARGEST_DISTANCE


# What a look at the stored notebook finds ------------------------------------------------------


Damage = Callable[[NotebookNode], object]


def in_html(old: str, new: str) -> Damage:
    """Other HTML around the figure; ``old`` is a pattern."""

    def damage(notebook: NotebookNode) -> None:
        data = figure_data(notebook)
        data["text/html"], found = re.subn(old, new, data["text/html"])
        assert found

    return damage


def with_output(kind: str, **content: object) -> Damage:
    """One output more of a cell."""
    return lambda notebook: cell(notebook, PRINTS).outputs.append(new_output(kind, **content))


def of_cell(name: str, **content: object) -> Damage:
    return lambda notebook: cell(notebook, name).update(content)


def of_metadata(name: str, **content: object) -> Damage:
    return lambda notebook: cell(notebook, name).metadata.update(content)


def cut_the_picture_off(notebook: NotebookNode) -> None:
    """As if the labels of an axis had no room."""
    data, cut = figure_data(notebook), io.BytesIO()
    whole = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    whole.crop((0, 0, whole.width, whole.height - 25)).save(cut, "png")
    data["image/png"] = base64.b64encode(cut.getvalue()).decode()


WIDGETS = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
CONTROL = "import ipywidgets\nipywidgets.IntSlider()"
FAULTS: dict[str, tuple[Damage, str]] = {
    "unexecuted cell": (of_cell(PRINTS, execution_count=None), "executed"),
    "state of widgets": (lambda n: n.metadata.update(widgets=WIDGETS), "nothing of the machine"),
    "a hash as id": (of_cell(PRINTS, id="a3f291bc"), "cell ids"),
    "an error": (with_output("error", ename="ValueError", evalue="no"), "no errors"),
    "too large": (of_metadata(PRINTS, ballast="x" * 600_000), "size"),
    "alt text in one language": (
        in_html('alt="[^"]*"', 'alt="In each of the rows there are eight numbers."'),
        "pictures",
    ),
    "picture cut off": (cut_the_picture_off, "pictures"),
    "sentence printed in English": (
        with_output("stream", text="The largest error is 0.0003\n"),
        "outputs in every language",
    ),
    "prose in one language": (of_cell("title", source="# Order"), "prose in every language"),
    "a control of its own": (of_cell(PRINTS, source=CONTROL), "widgets"),
    "a tagged cell that stands open": (of_metadata(FOLDED, jupyter={}), "folded"),
    "a folded cell without a tag": (of_metadata(PRINTS, jupyter={"source_hidden": True}), "folded"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_look_at_the_notebook_finds(fault, lesson, tmp_path):
    damage, rule = FAULTS[fault]
    nbformat.write(lesson, tmp_path / "lesson.ipynb")
    assert notebook_problems(tmp_path / "lesson.ipynb") == {}
    damage(lesson)
    nbformat.write(lesson, tmp_path / "lesson.ipynb")
    assert rule in notebook_problems(tmp_path / "lesson.ipynb")


def test_what_is_folded_is_what_the_tags_say(lesson):
    cell(lesson, PRINTS).metadata["jupyter"] = {"outputs_hidden": True, "source_hidden": True}
    del cell(lesson, FOLDED).metadata["jupyter"]
    fold(lesson)
    assert cell(lesson, PRINTS).metadata == {"jupyter": {"outputs_hidden": True}}
    assert cell(lesson, FOLDED).metadata["jupyter"] == {"source_hidden": True}
