"""Tests of rules for stored notebooks that nbval does not check.

nbval runs lessons and solutions. A lab has the same cells as its solution, but with blanks and
without outputs. A test runs each lab, without a kernel, to check that blanks do not stop other
cells.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from checks.outputs import notebook_problems
from private_jupyter import REPOSITORY, notebooks_with_outputs

LABS = sorted(REPOSITORY.glob("labs/*/*.ipynb"))


@pytest.mark.parametrize("path", notebooks_with_outputs(), ids=lambda path: path.stem)
def test_notebook_is_executed_in_every_language(path: Path) -> None:
    assert notebook_problems(path) == {}


def shown(value: object) -> object:
    """Return the representations that Jupyter requests for a value."""
    return getattr(value, "_repr_mimebundle_", value.__repr__)()


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_delivered_lab_runs_from_top_to_bottom(path, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "displayhook", shown)
    names = {"display": lambda *values: [shown(value) for value in values]}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert cell.execution_count is None and cell.outputs == []
            statements = ast.Interactive(ast.parse(cell.source).body)
            exec(compile(statements, f"{path.stem} {cell.id}", "single"), names)


ROW = re.compile(r"^\| \[(.+?)\]\(([\w./]+\.ipynb)\) \| .+ \| (\d+) \|$", re.MULTILINE)
START = REPOSITORY / "notebooks" / "00_start_here.ipynb"
LESSONS = [path for path in START.parent.glob("[0-9]*.ipynb") if path != START]
TEN_MINUTES = START.with_name("ten_minutes.ipynb")
TAKES = [r"(?:Time: |about )(\d+) minutes", r"(?:Tiempo: |unos )(\d+) minutos"]


def test_map_lists_every_notebook_with_minutes() -> None:
    source = "\n".join(cell.source for cell in nbformat.read(START, as_version=4).cells)
    rows = [(name, (START.parent / file).resolve(), n) for name, file, n in ROW.findall(source)]
    wanted, listed = Counter(2 * [*LESSONS, TEN_MINUTES, *LABS]), Counter(p for _, p, _ in rows)
    assert wanted == listed, (
        f"the map in lesson 00 needs a row in each language for {[*(wanted - listed)]}, "
        f"and no row for {[*(listed - wanted)]}"
    )
    for name, path, minutes in rows:
        if path != TEN_MINUTES:  # its title states the time
            title = nbformat.read(path, as_version=4).cells[0].source
            assert [minutes] * len(TAKES) == [re.search(takes, title)[1] for takes in TAKES], path
            assert path in LABS or re.fullmatch(r"\D+", name) or name.split(" · ")[1] in title


def test_unrun_lesson_shows_picture_without_import() -> None:
    for path in (START, *LESSONS, TEN_MINUTES):
        title, *cells = nbformat.read(path, as_version=4).cells
        pictures = re.findall(r'<img [^>]*src="attachment:([^"]+)">', title.source)
        assert pictures == ["cover.png"], f"{path.name}: run python tools/generate.py"
        assert "image/png" in title.attachments["cover.png"], path
        folded = next(cell for cell in cells if cell.cell_type == "code")
        assert not re.match("import|from", folded.source), path
