"""Tests that labs do not reveal solutions, and that demonstrations accept all correct answers."""

import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from checks.labs import cell, path_of, read

from course_utils.labs.messages import FILES
from course_utils.labs.tasks import LABS


def between(source: str, begin: str, end: str) -> Iterator[str]:
    for part in source.split(begin)[1:]:
        yield from (line.strip() for line in part.split(end)[0].splitlines() if line.strip())


@pytest.mark.parametrize("lab", LABS)
def test_labs_contain_no_solution(lab):
    solution = "\n".join(cell.source for cell in read("solutions", lab).cells)
    solved = {*between(solution, "### BEGIN SOLUTION\n", "### END SOLUTION")}
    hidden = {*between(solution, "### BEGIN HIDDEN TESTS\n", "### END HIDDEN TESTS")}
    secret = {line for line in solved | hidden if len(line) > 5}
    assert len(secret) > 3 * len(LABS[lab])
    cells = read("labs", lab).cells
    assert not secret & {line.strip() for cell in cells for line in cell.source.splitlines()}
    text = path_of("labs", lab).read_text(encoding="utf-8")
    assert "BEGIN" not in text and "grade(" not in text
    texts = "".join(file.read_text("utf-8") for file in FILES)
    usual = ("for ", "if ", "raise ")
    telling = [line for line in solved if len(line) > 25 and not line.startswith(usual)]
    assert telling and [line for line in telling if line in texts] == []


@pytest.mark.parametrize("lab", LABS)
def test_exercise_has_task_check_hint_grade(lab):
    notebook = read("solutions", lab)
    for exercise in LABS[lab]:
        asked, checked = cell(notebook, exercise.id), cell(notebook, f"check-{exercise.id}")
        assert len([*between(asked.source, "### BEGIN SOLUTION\n", "### END SOLUTION")]) <= 10
        if exercise.parameters:
            kind = "class" if exercise.called_with else "def"
            assert f"{kind} {exercise.name}" in asked.source
            assert f"{', '.join(exercise.parameters)})" in asked.source
            assert f"{exercise.called_with})" in asked.source
        assert f'check("{exercise.id}", {exercise.name})' in checked.source
        assert re.search(rf'grade\(\s*"{exercise.id}",\s+{exercise.name}\b', checked.source)
        assert cell(notebook, f"hint-{exercise.id}").source == f'hint("{exercise.id}")'
        assert asked.metadata.nbgrader.solution and checked.metadata.nbgrader.locked
        assert checked.metadata.nbgrader.points >= 1
    graded = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert len(graded) == len(LABS[lab])


@pytest.mark.parametrize("lab", LABS)
def test_links_of_lab_lead_to_files(lab):
    text = "\n".join(c.source for c in read("labs", lab).cells if c.cell_type == "markdown")
    links = re.findall(r"\]\((?!https:)([^)]+)\)", text)
    assert any("../../notebooks/" in link for link in links)
    missing = {link for link in links if not (path_of("labs", lab).parent / link).exists()}
    assert not missing


def in_another_form(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that returns lists, and single numbers as arrays."""

    def answer(*arguments: object) -> object:
        value = np.asarray(function(*arguments))
        return value.tolist() if value.ndim else value

    return answer


@pytest.mark.parametrize("lab", LABS)
def test_demonstrations_accept_other_forms_of_answers(lab, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    functions = [e.name for e in LABS[lab] if e.parameters and not e.called_with]
    given = {"display": lambda *shown: None}
    for cell_ in read("solutions", lab).cells:
        if cell_.cell_type != "code":
            continue
        around = given
        if "nbgrader" not in cell_.metadata:
            lists = {name: in_another_form(given[name]) for name in functions if name in given}
            around = {**given, **lists}
        exec(compile(cell_.source, cell_.id, "exec"), around)
        streams = [output.text for output in cell_.outputs if output.output_type == "stream"]
        assert capsys.readouterr().out == "".join(streams)
