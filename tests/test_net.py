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

import ipywidgets
import nbformat
import numpy as np
import pytest
from course_utils.explorers.marks import Marks
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from net.controls import label_problems, sweep
from net.glossary import terms
from net.languages import language_of
from net.outputs import html_problems, notebook_problems, plain_problems
from net.parity import prose_problems, texts_problems
from net.pictures import LARGEST_DISTANCE, distance
from PIL import Image

from course_utils import figures, sinusoidal_encoding
from course_utils.explorers import Explorer
from course_utils.explorers.explorer import Scene
from course_utils.page import png
from course_utils.text import Text

REPOSITORY = Path(__file__).resolve().parent.parent

PROSE = """\
## 2 · Dot products · Productos escalares

<div lang="en">

The dot product of rows 0 and 10 is $x_0 \\cdot x_{10} = 3$, as `table[0] @ table[10]` says
([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).

</div>

<div lang="es">

El producto escalar de las filas 0 y 10 es $x_0 \\cdot x_{10} = 3$, como dice
`table[0] @ table[10]` ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).

</div>
"""

CODE = {
    "imports": """
        from course_utils import Text, show, sinusoidal_encoding
        from course_utils.figures import encoding_heatmap
        """,
    "table": """
        table = sinusoidal_encoding(50, 16)
        print(f"{table[23, 0]:.4f}")
        """,
    "figure": """
        show(
            encoding_heatmap(table),
            Text("Heatmap of 50 positions.", "Mapa de calor de 50 posiciones."),
            Text("Each column is a position.", "Cada columna es una posición."),
        )
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
            new_markdown_cell(PROSE, id="dot-products"),
            *(new_code_cell(code(source), id=name) for name, source in CODE.items()),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
    )
    NotebookClient(notebook, record_timing=False, store_widget_state=False, timeout=60).execute()
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
    path = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "tests"), *sys.path])
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", folder, "--junit-xml", folder / "report.xml"),
            *(
                "-c",
                REPOSITORY / "pyproject.toml",
                "-n0",
                "-p",
                "conftest",
                "-p",
                "no:cacheprovider",
            ),
            "--color=no",
        ],
        env={**os.environ, "PYTHONPATH": path},
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
    "caption in one language": (drop_spanish_caption, "outputs in both languages"),
    "caption in English twice": (caption_in_english_twice, "outputs in both languages"),
    "words outside both languages": (write_beside_the_languages, "outputs in both languages"),
    "sentence printed in English": (print_a_sentence, "outputs in both languages"),
    "a control of its own": (make_a_control, "widgets"),
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


# What the comparison of the two languages finds ------------------------------------------------

ENGLISH, SPANISH = re.findall(r"<div lang=.*?</div>\n", PROSE, re.DOTALL)

DRIFTS: dict[str, tuple[str, str]] = {
    "missing language": (changed(PROSE, SPANISH, ""), "there must be one es half, not 0"),
    "wrong order": (
        changed(PROSE, ENGLISH + "\n" + SPANISH, SPANISH + "\n" + ENGLISH),
        "wrong order",
    ),
    "prose outside both": (PROSE + "\nOne more thing.\n", "prose outside both languages"),
    "formula changed": (
        changed(PROSE, SPANISH, changed(SPANISH, "x_{10} = 3", "x_{10} = 4")),
        "formulas differ",
    ),
    "number changed": (
        changed(PROSE, SPANISH, changed(SPANISH, "las filas 0 y 10", "las filas 0 y 11")),
        "numbers differ: only in the en half '10', only in the es half '11'",
    ),
    "English in the Spanish half": (
        changed(
            PROSE,
            SPANISH,
            changed(SPANISH, "\n\n</div>", "\n\nNone of this depends on the word.\n\n</div>"),
        ),
        "the es half is not in its language: 'None of this depends on the word.'",
    ),
    "Spanish in the English half": (
        changed(
            PROSE,
            ENGLISH,
            changed(ENGLISH, "\n\n</div>", "\n\nNada de esto depende de la palabra.\n\n</div>"),
        ),
        "the en half is not in its language",
    ),
    "link changed": (
        changed(PROSE, SPANISH, changed(SPANISH, "1706.03762)", "1706.03763)")),
        "links differ",
    ),
    "code span changed": (
        changed(PROSE, SPANISH, changed(SPANISH, "table[10]`", "tabla[10]`")),
        "code spans differ",
    ),
    "glossary term not used": (
        changed(PROSE, SPANISH, changed(SPANISH, "producto escalar", "producto punto")),
        "the en half says “dot product”, the es half does not say “producto escalar”",
    ),
    "glossary term not used in English": (
        changed(PROSE, ENGLISH, changed(ENGLISH, "dot product", "scalar product")),
        "the es half says “producto escalar”, the en half does not say “dot product”",
    ),
    "heading in one language": (
        changed(PROSE, "Dot products · Productos escalares", "Dot products"),
        "a heading must read “English · Español”",
    ),
    "heading with another number": (
        changed(PROSE, "Productos escalares", "Productos escalares 3"),
        "numbers differ",
    ),
    "heading inside a half": (
        changed(PROSE, SPANISH, changed(SPANISH, "El producto", "### Aparte\n\nEl producto")),
        "a heading in one language only",
    ),
    "half that is not read as Markdown": (
        changed(PROSE, '<div lang="es">\n\n', '<div lang="es">\n'),
        "needs a blank line",
    ),
    "half that does not end": (
        changed(PROSE, SPANISH, changed(SPANISH, "</div>", "")),
        "is not closed",
    ),
    "half in a third language": (
        changed(PROSE, '<div lang="es">', '<div lang="fr">'),
        "there must be one es half, not 0",
    ),
}


def test_healthy_prose_has_no_problems() -> None:
    assert prose_problems(PROSE) == []


@pytest.mark.parametrize("drift", DRIFTS)
def test_the_comparison_of_languages_finds(drift: str) -> None:
    source, complaint = DRIFTS[drift]
    problems = prose_problems(source)
    assert any(complaint in problem for problem in problems), problems


@pytest.mark.parametrize("drift", ["formula changed", "number changed", "link changed"])
def test_one_drift_makes_one_problem(drift: str) -> None:
    assert len(prose_problems(DRIFTS[drift][0])) == 1


def halves(english: str, spanish: str) -> str:
    return f'<div lang="en">\n\n{english}\n\n</div>\n\n<div lang="es">\n\n{spanish}\n\n</div>\n'


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("A head of cabbage, based on taste.", "Un repollo, a gusto de cada cual."),
        ("You have learned how it smells.", "Has aprendido a qué huele."),
        ("Pay attention to the last row.", "Fíjate en la última fila."),
        ("In practice it is the same.", "En la práctica es lo mismo."),
        ("Read “Attention Is All You Need”.", "Lee “Attention Is All You Need”."),
        (
            "Haviv et al. (2022), *Models Still Learn Positional Information*, arXiv:2203.16634.",
            "Haviv et al. (2022), *Models Still Learn Positional Information*, arXiv:2203.16634.",
        ),
        ("1. Choose.\n2. Run.", "1. Elige.\n2. Ejecuta."),
        ("| row | 1 |\n| --- | --- |\n| sum | 2 |", "| fila | 1 |\n| --- | --- |\n| suma | 2 |"),
        ("Press Shift+Enter.", "Pulsa Shift+Enter."),
        (
            "Choose Restart Kernel and Run All Cells in the menu.",
            "Elige Restart Kernel and Run All Cells en el menú.",
        ),
        ("It is $x$ if $x > 0 \\text{ and odd}$.", "Es $x$ si $x > 0 \\text{ e impar}$."),
        ("Values from −1 to 1.", "Valores de -1 a 1."),
    ],
)
def test_good_prose_is_left_alone(english: str, spanish: str) -> None:
    assert prose_problems(halves(english, spanish)) == []


def test_every_term_of_the_glossary_is_missed_when_it_is_not_used() -> None:
    for term in terms():
        for language in term.directions:
            other = {"en": "es", "es": "en"}[language]
            texts = {language: term.names[language], other: "…"}
            found = prose_problems(halves(texts["en"], texts["es"]))
            assert any(f"“{term.names[language]}”" in problem for problem in found)


def test_a_term_with_ordinary_spanish_meanings_is_checked_from_english_only() -> None:
    assert prose_problems(halves("Open the lab.", "Abre el cuaderno.")) != []
    assert prose_problems(halves("In fact it is the same.", "En la práctica es lo mismo.")) == []


def test_a_question_with_a_text_in_one_language_is_found() -> None:
    entry = {"bits": {"en": "Which one?", "es": "¿Cuál?", "choices": [{"en": "The first."}]}}
    assert list(texts_problems("q", entry)) == ["q.bits.choices[0]: only the en text is there"]


def test_a_question_with_another_number_in_one_language_is_found() -> None:
    entry = {"bits": {"en": "Which of the 4?", "es": "¿Cuál de los 5?"}}
    assert len(list(texts_problems("q", entry))) == 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Move it one step to the right.", "en"),
        ("Which row is the last one here?", "en"),
        ("Muévelo un paso a la derecha.", "es"),
        ("¿Cuál es aquí la última fila?", "es"),
        ("Softmax, RoPE", None),
        ("0.5 0.25 0.125 1 2 3", None),
    ],
)
def test_a_sentence_of_five_words_has_a_language(text: str, language: str | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "array([[0., 1.],\n       [1., 0.]], dtype=float32)",
        "np.float64(0.8414709848078965)",
        "(50, 16)",
        "True",
        "{'index': 0.5, 'd_model': 16}",
        "i = 23  sin(23) = -0.8462",
        "position i · posición i",
        "The largest value is 1.\nEl valor máximo es 1.",
    ],
)
def test_numbers_code_and_both_languages_may_be_printed(text: str) -> None:
    assert plain_problems(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "largest error: 0.0003",
        "El valor máximo es 1.",
        "El valor máximo de todos es 1.\nThe largest of all values is 1.",
        "The largest value is 1.\nThe smallest value is 0.",
        "The largest value is 1.\nEl valor máximo es 2.",
        "row 1 · fila 2",
        "the largest of all values · the largest of all values",
    ],
)
def test_one_language_may_not_be_printed(text: str) -> None:
    assert plain_problems(text) != []


@pytest.mark.parametrize(
    "html",
    [
        '<div lang="en">Yes.</div>',
        '<div lang="es">Sí.</div><div lang="en">Yes.</div>',
        '<div lang="en">Yes.</div><p></p><div lang="es">Sí.</div>',
        '<div lang="en">Row 1.</div><div lang="es">Fila 2.</div>',
        '<span title="Click here"></span>',
        "<p>Hello</p>",
        "<p>the largest of all values · the largest of all values</p>",
        "<p>row 1 · fila 2</p>",
    ],
)
def test_html_in_one_language_is_found(html: str) -> None:
    assert html_problems(html) != []


def test_what_is_worked_by_keys_that_jupyterlab_would_take_is_found() -> None:
    html = '<div class="{}"><details><summary>1</summary>2</details></div>'
    assert html_problems(html.format("course-question")) == ["does not keep its keys: summary"]
    assert html_problems(html.format("course-question course-keeps-keys")) == []


# What moving the controls finds ----------------------------------------------------------------


def small_explorer(draw: Callable[[int], Scene], label: str = "size · tamaño") -> Explorer:
    return Explorer(
        draw,
        {"size": ipywidgets.IntSlider(3, 2, 6, description=label)},
        ipywidgets.IntSlider(1, 0, 2, description="position · posición"),
        Text("Look.", "Mira."),
    )


def small_scene(size: int, **changes: object) -> Scene:
    parts = {
        "figure": FigureCanvasAgg(Figure(figsize=(1, 1))).figure,
        "alt": Text("Nothing.", "Nada."),
        "readouts": [Text(f"Row {i}.", f"Fila {i}.") for i in range(size)],
        "marks": [Marks("dot", np.zeros((size, 1, 4), np.float32), "black")],
    }
    return Scene(**{**parts, **changes})


def raise_at_the_end(size: int) -> Scene:
    if size == 6:
        raise ZeroDivisionError("no room")
    return small_scene(size)


def lose_a_mark_at_the_end(size: int) -> Scene:
    marks = np.full((size, 1, 4), np.nan if size == 2 else 0.0, np.float32)
    return small_scene(size, marks=[Marks("dot", marks, "black")])


def forget_a_mark(size: int) -> Scene:
    marks = np.zeros((min(size, 5), 1, 4), np.float32)
    return small_scene(size, marks=[Marks("dot", marks, "black")])


def write_over_the_edge_at_the_end(size: int) -> Scene:
    scene = small_scene(size)
    scene.figure.text(0.0, 0.5, "size" if size == 6 else "")
    return scene


def read_another_number_in_spanish(size: int) -> Scene:
    return small_scene(size, alt=Text(f"{size} rows.", f"{min(size, 5)} filas."))


BROKEN_CALLBACKS = {
    "that raises": (raise_at_the_end, "at 6, 1: ZeroDivisionError: no room"),
    "whose marks are not numbers": (lose_a_mark_at_the_end, "marks that are not finite"),
    "with too few marks": (forget_a_mark, "marks of shape (5, 1, 4) for 6 places"),
    "whose picture is cut off": (write_over_the_edge_at_the_end, "cut off at its edge"),
    "whose languages differ": (read_another_number_in_spanish, "numbers differ"),
}


def test_a_healthy_explorer_survives_the_sweep() -> None:
    explorer = small_explorer(small_scene)
    assert sweep(explorer) == []
    assert [control.value for control in explorer.controls] == [3, 1]


@pytest.mark.parametrize("fault", BROKEN_CALLBACKS)
def test_the_sweep_finds_a_callback_at_one_end_of_a_slider(fault: str) -> None:
    draw, complaint = BROKEN_CALLBACKS[fault]
    problems = sweep(small_explorer(draw))
    assert any(complaint in problem for problem in problems), problems


def test_a_control_in_one_language_is_found() -> None:
    assert label_problems(small_explorer(small_scene)) == []
    assert label_problems(small_explorer(small_scene, label="size")) != []
