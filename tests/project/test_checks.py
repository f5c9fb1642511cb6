"""Tests that the checks of explorers, languages and notebooks find errors.

The course itself shows that the checks do not report errors in correct files.
"""

import base64
import io
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from checks.controls import label_problems, scene_problems, sweep
from checks.labs import REPOSITORY, cell
from checks.outputs import html_problems, notebook_problems, plain_problems
from checks.parity import prose_problems, texts_problems
from checks.pictures import LARGEST_CHANGE, LARGEST_DISTANCE, distance, largest_change
from checks.samples import changed, everywhere, prose, text
from execute import fold
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbval.plugin import IPyNbCell
from PIL import Image

from course_utils import sinusoidal_encoding
from course_utils.explorers import Explorer
from course_utils.explorers.scene.controls import slider
from course_utils.notebook.display import png
from course_utils.pictures import static
from course_utils.pictures.scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Hands,
    Labels,
    Panel,
    Readout,
    Scene,
)
from course_utils.words.text import BETWEEN, LANGUAGES

# Explorers. ---------------------------------------------------------------------------------------

AXIS, SIX = Axis(low=0, high=6), np.arange(6.0)
BOX = Box(top=20, bottom=20, before=20, after=20)
PANEL = Panel(box=BOX, x=AXIS, y=AXIS, layers=(Curve(SIX, SIX),))


def small_scene(size: int = 6, panel: Panel = PANEL, **changes: object) -> Scene:
    texts = {"alt": everywhere("Rows."), "readouts": (Readout(everywhere("A row."), {}),)}
    return Scene(height=60, panels=(panel,), n_positions=size, **texts | changes)


def small_explorer(scene: Callable[[int], Scene]) -> Explorer:
    name = everywhere("name")
    return Explorer(
        scene,
        {"title": everywhere("What is it?"), "caption": everywhere("Look.")},
        parameters={"size": slider(name, 3, 2, 6)},
        position=slider(name, 1, 0, 2),
        offset=slider(name, 0, 0, 0),
    )


def with_moving(*moving: object) -> Scene:
    return small_scene(panel=replace(PANEL, moving=moving))


BROKEN_SCENES = {
    "numbers differ": small_scene(alt=text("6 rows.", "5 filas.")),
    "7 values for 6 places": small_scene(readouts=(Readout(everywhere("{i}"), {"i": [1] * 7}),)),
    "Cursor has 5 places": with_moving(Cursor(x=SIX[:5])),
    "Hands is not finite": with_moving(Hands(x=np.append(SIX[:5], np.inf), y=SIX)),
    "Dots leaves the x axis: 7.0": with_moving(Dots(x=np.append(SIX[:5], 7), y=SIX)),
    "an axis without extent": small_scene(panel=replace(PANEL, x=Axis(low=2, high=2))),
}


@pytest.mark.parametrize("complaint", BROKEN_SCENES)
def test_faulty_scene_is_found(complaint):
    assert complaint in "\n".join(scene_problems(BROKEN_SCENES[complaint]))


def test_sweep_finds_scene_broken_at_slider_end():
    def over_the_edge(size: int) -> Scene:
        label = Labels(x=(6.0,), y=(3.0,), texts=("over the edge" if size == 6 else "",))
        return small_scene(size, panel=replace(PANEL, layers=(label,)))

    assert sweep(small_explorer(small_scene)) == []
    assert "cut off at its edge" in "\n".join(sweep(small_explorer(over_the_edge)))


def test_control_in_one_language_is_found():
    control = {"label": everywhere("name").inline(), "names": ["grid"]}
    described = {"controls": [control], "moving": {}}
    assert label_problems(SimpleNamespace(described=lambda: described)) != []


# Languages. ---------------------------------------------------------------------------------------

HEADING = {"en": "Dot products", "es": "Productos escalares"}
TEXTS = {
    "en": "The dot product of rows 0 and 10 is $x_0 \\cdot x_{10} = 3$, as `table[0] @ table[10]` "
    "says ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).",
    "es": "El producto escalar de las filas 0 y 10 es $x_0 \\cdot x_{10} = 3$, como dice "
    "`table[0] @ table[10]` ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).",
}
PROSE = prose(HEADING, TEXTS)
SPANISH = f'<div lang="es">\n\n{TEXTS["es"]}\n\n</div>\n'
DRIFTS = [
    ("x_{10} = 3$, como", "x_{10} = 4$, como", "formulas differ"),
    ("filas 0 y 10", "filas 0 y 11", "only in en '10', only in es '11'"),
    ("dice `table[0]", "dice `tabla[0]", "code spans differ"),
    (SPANISH, f"{SPANISH[:-8]}\n\nNone of this depends on it.\n\n</div>\n", "not in its language"),
    ("producto escalar", "producto punto", "es does not say “producto escalar”"),
    (SPANISH, "", "the languages are"),
    (SPANISH, SPANISH + "\nMore.\n", "not as it must be"),
    (SPANISH, SPANISH.replace("El ", "# Uno\n\nEl "), "one language only"),
    (BETWEEN, " · ", "a heading must read"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), DRIFTS)
def test_differing_translations_are_found(old, new, complaint):
    assert complaint in "\n".join(prose_problems(changed(PROSE, old, new)))


def test_differing_text_is_found_at_any_depth():
    prompt, choice = "Which of the 4?", text("Which of the 4?", "¿Cuál de los 5?")
    entries = {"bits": {"prompt": text(prompt, "¿Cuál de los 4?"), "choices": [choice]}}
    assert list(texts_problems("questions", entries)) == [
        "questions.bits.choices[0]: numbers differ: only in en '4', only in es '5'"
    ]


YES = {x: f'<div lang="{x}">Row 1.</div>' for x in LANGUAGES}
BLOCKS = "".join(YES.values())


@pytest.mark.parametrize(
    "html",
    [
        changed(BLOCKS, YES["es"], ""),
        changed(BLOCKS, YES["es"], YES["es"].replace("1", "2")),
        "".join(f'<p lang="{x}"><b>{"Yes." if x != "es" else ""}</b></p>' for x in LANGUAGES),
        '<span title="Click here"></span>',
        f"<p>{' · '.join(text('row 1', 'fila 2').as_dict().values())}</p>",
        '<div class="course-question"><details><summary>1</summary>2</details></div>',
    ],
)
def test_incomplete_html_is_found(html):
    assert html_problems(html) != []


def test_only_numbers_of_own_texts_may_differ():
    own = f'<div class="course-own-texts">{BLOCKS}</div>'
    assert html_problems(changed(own, YES["es"], YES["es"].replace("1", "2.1"))) == []
    assert html_problems(changed(own, YES["es"], YES["es"].replace("1", "1 and 2"))) != []


def test_printed_languages_agree():
    assert plain_problems(text("The largest value is 1.", "El valor máximo es 2.").lines) != []


# Pictures. ----------------------------------------------------------------------------------------

HEATMAP = png(static.encoding_heatmap(sinusoidal_encoding(50, 16)))


def test_picture_comparison_sees_frequency_not_text_shift():
    positions = np.arange(50)[:, np.newaxis]
    right, wrong = (
        static.encoding_heatmap(np.sin(positions * factor * np.geomspace(1, 1e-3, 16)))
        for factor in (1, 1.02)
    )
    assert distance(png(right), png(wrong)) > LARGEST_DISTANCE
    figure = static.encoding_heatmap(sinusoidal_encoding(50, 16))
    for axes in figure.axes:  # shift labels by a pixel, as a new Matplotlib does
        axes.tick_params(pad=axes.xaxis.get_tick_padding() + 0.72)
    assert 0 < distance(HEATMAP, png(figure)) < LARGEST_DISTANCE


def test_one_changed_digit_changes_picture():
    figure = static.encoding_heatmap(sinusoidal_encoding(50, 16))
    pictures = []
    for labels in (("0", "12"), ("0", "13")):
        figure.axes[0].set_xticks([0, 12], labels=labels)
        pictures.append(png(figure))
    before, after = pictures
    assert largest_change(before, before) == 0
    assert distance(before, after) < LARGEST_DISTANCE
    assert largest_change(before, after) > LARGEST_CHANGE


def test_notebook_runs_compare_pictures_with_texts(monkeypatch):
    ours = IPyNbCell.compare_outputs
    monkeypatch.setitem(ours.__globals__, "compare_texts", lambda *given, **options: True)
    stored, other = (
        [{"data": {"image/png": base64.b64encode(picture).decode()}}]
        for picture in (HEATMAP, png(static.encoding_heatmap(np.eye(16))))
    )
    run = SimpleNamespace(comparison_traceback=[])
    assert ours(run, stored, stored) and not ours(run, other, stored) and not ours(run, [], stored)
    assert "picture 1 has a distance of" in run.comparison_traceback[0]
    assert "1 pictures are stored, but the cell makes 0" in run.comparison_traceback[-1]


# Stored notebooks. --------------------------------------------------------------------------------

PRINTS, DRAWS, FOLDED = "measure-order", "figure-sum", "switch"
"""Names of three cells in a lesson."""


@pytest.fixture
def lesson() -> NotebookNode:
    """Notebook with the title and three cells, which runs twenty times faster than the lesson."""
    path = REPOSITORY / "notebooks" / "01_why_order_matters.ipynb"
    small = nbformat.read(path, as_version=4)
    small.cells = [each for each in small.cells if each.id in ("title", PRINTS, DRAWS, FOLDED)]
    for number, each in enumerate(small.cells[1:], 1):
        each.execution_count = number
    return small


Damage = Callable[[NotebookNode], object]


def of_cell(name: str, **content: object) -> Damage:
    return lambda notebook: cell(notebook, name).update(content)


def with_output(kind: str, **content: object) -> Damage:
    return of_cell(PRINTS, outputs=[new_output(kind, **content)])


def with_widgets(notebook: NotebookNode) -> None:
    notebook.metadata["widgets"] = {}


def say_it_in_english(notebook: NotebookNode) -> None:
    data = cell(notebook, DRAWS).outputs[0].data
    english = 'alt="In each of the rows there are eight numbers."'
    data["text/html"] = re.sub('alt="[^"]*"', english, data["text/html"])


def cut_the_picture_off(notebook: NotebookNode) -> None:
    """Simulate labels that do not fit in a picture."""
    data, cut = cell(notebook, DRAWS).outputs[0].data, io.BytesIO()
    whole = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    whole.crop((0, 0, whole.width, whole.height - 25)).save(cut, "png")
    data["image/png"] = base64.b64encode(cut.getvalue()).decode()


VIEW = {"application/vnd.jupyter.widget-view+json": {}}
ENGLISH = "The largest error is 0.0003\n"
FAULTS: dict[str, tuple[Damage, str]] = {
    "unexecuted cell": (of_cell(PRINTS, execution_count=None), "executed"),
    "state of widgets": (with_widgets, "nothing of the machine"),
    "a hash as id": (of_cell(PRINTS, id="a3f291bc"), "cell ids"),
    "an error": (with_output("error", ename="ValueError", evalue="no"), "no errors"),
    "too large": (of_cell(PRINTS, source="#" * 600_000), "size"),
    "alt text in one language": (say_it_in_english, "pictures"),
    "picture cut off": (cut_the_picture_off, "pictures"),
    "printed in English": (with_output("stream", text=ENGLISH), "outputs in every language"),
    "prose in one language": (of_cell("title", source="# Order"), "prose in every language"),
    "a widget alone": (with_output("display_data", data=VIEW), "widgets"),
    "a tagged cell that stands open": (of_cell(FOLDED, metadata={"tags": ["measure"]}), "folded"),
}


@pytest.mark.parametrize(("damage", "rule"), FAULTS.values(), ids=FAULTS)
def test_notebook_check_finds_faults(damage, rule, lesson, tmp_path):
    damage(lesson)
    nbformat.write(lesson, tmp_path / "lesson.ipynb")
    assert rule in notebook_problems(tmp_path / "lesson.ipynb")


def test_folded_cells_match_their_tags(lesson):
    cell(lesson, PRINTS).metadata["jupyter"] = {"outputs_hidden": True, "source_hidden": True}
    del cell(lesson, FOLDED).metadata["jupyter"]
    fold(lesson)
    assert cell(lesson, PRINTS).metadata == {"jupyter": {"outputs_hidden": True}}
    assert cell(lesson, FOLDED).metadata["jupyter"] == {"source_hidden": True}
