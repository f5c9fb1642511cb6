"""Tests of finding moved answers and tests, and of restoring markings."""

import copy
import re

import numpy as np
import pytest
from checks.labs import cell, read
from nbformat.v4 import new_code_cell

from classroom.putting_back import (
    COPY,
    NOTE,
    answered_in,
    by_grade_id,
    choose,
    defined_in,
    is_certain,
    marks,
    put_back,
)

ROW, ROWS, CLOCK, STRANGE = "row-by-hand", "sinusoidal-rows", "position-from-row", "strange-table"
ANSWERS = {
    ROW: "row = [1, 2]",
    ROWS: "def sinusoidal_rows(positions, d_model, base):\n    return 'hers'",
    CLOCK: "def position_from_row(row, base):\n    return 'hers'",
    STRANGE: "def strange_table(n_positions, d_model):\n    return 'hers'",
}
RELEASED = read("labs", "03_sinusoidal")


def answered(*wanted: str) -> dict:
    """Return the lab with answers to these exercises, or to all exercises."""
    notebook = copy.deepcopy(RELEASED)
    for id in wanted or ANSWERS:
        cell(notebook, id).source = ANSWERS[id]
    return notebook


def answer_values(notebook: dict) -> dict[str, object]:
    """Return the answer that each test would receive if all cells ran in order."""
    seen, names = {}, {"np": np}
    for each in notebook["cells"]:
        name = each.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
        if name.startswith("check-"):
            id = name.removeprefix("check-")
            called = "row" if id == ROW else ANSWERS[id].split("def ")[-1].split("(")[0]
            answer = names.get(called)
            seen[id] = answer.__code__.co_consts[-1] if callable(answer) else answer
        elif each["cell_type"] == "code" and re.search("hers|row =|pass", each["source"]):
            exec(each["source"], names)
    return seen


RIGHT = {ROW: [1, 2], ROWS: "hers", CLOCK: "hers", STRANGE: "hers"}


def test_released_notebook_stays_unchanged():
    notebook = answered()
    before = copy.deepcopy(notebook)
    cell(notebook, f"check-{ROWS}").metadata[NOTE] = "moved"
    assert put_back(notebook, RELEASED) == {} and notebook == before
    assert answer_values(notebook) == RIGHT


@pytest.mark.parametrize("with_ids", [True, False])
def test_lost_metadata_is_restored_by_id_or_code(with_ids):
    notebook = answered()
    for each in notebook.cells:
        each.metadata = {}
        if not with_ids:
            del each["id"]
    assert not by_grade_id(notebook) and is_certain(notebook, RELEASED)
    assert put_back(notebook, RELEASED) == dict.fromkeys(ANSWERS, "lost")
    marks = {name: each["metadata"]["nbgrader"] for name, each in by_grade_id(notebook).items()}
    assert marks.keys() >= {*ANSWERS, *(f"check-{id}" for id in ANSWERS)}
    assert marks[f"check-{ROWS}"]["points"] == 3 and answer_values(notebook) == RIGHT
    hints = [each for each in notebook["cells"] if each["source"].startswith("hint(")]
    assert hints and all(each["metadata"]["tags"] == ["kernel-only"] for each in hints)


def test_unmarked_notebook_without_exercise_is_uncertain():
    notebook = answered()
    notebook.cells = [each for each in notebook.cells if CLOCK not in each.id]
    assert is_certain(notebook, RELEASED)  # deleted by hand: the other cells are still marked
    for each in notebook.cells:
        each.metadata = {}
    assert not is_certain(notebook, RELEASED)


@pytest.mark.parametrize("marked", [True, False])
def test_first_cell_is_restored_with_additions(marked):
    given = cell(RELEASED, "switch").source
    for theirs in (None, given + "\nfrom math import tau", "import numpy as np"):
        notebook = answered()
        if theirs is None:
            notebook.cells.remove(cell(notebook, "switch"))
        else:
            cell(notebook, "switch").source = theirs
        for each in notebook.cells if not marked else ():
            each.metadata = {}
        notes = put_back(notebook, RELEASED)
        sources = [each["source"] for each in notebook["cells"] if each["cell_type"] == "code"]
        assert sources[0] == given and (theirs is None or theirs in sources)
        assert by_grade_id(notebook)["switch"]["source"] == given
        ids = [each["id"] for each in notebook["cells"]]
        assert len(ids) == len({*ids})
        assert notes == ({} if marked else dict.fromkeys(ANSWERS, "lost"))


def test_answers_in_one_cell_are_graded_in_lab_order():
    notebook = {"cells": [new_code_cell("\n\n".join(ANSWERS.values()))]}
    assert is_certain(notebook, RELEASED) and put_back(notebook, RELEASED)
    assert list(answer_values(notebook)) == list(ANSWERS) and answer_values(notebook) == RIGHT


@pytest.mark.parametrize("deleted", [(ROW, STRANGE), tuple(ANSWERS)])
def test_deleted_test_is_restored_after_its_answer(deleted):
    notebook = answered()
    gone = {f"check-{id}" for id in deleted}
    notebook.cells = [each for each in notebook.cells if each.id not in gone]
    assert put_back(notebook, RELEASED) == dict.fromkeys(deleted, "deleted")
    assert answer_values(notebook) == RIGHT
    assert by_grade_id(notebook)[f"check-{deleted[0]}"]["metadata"][NOTE] == "deleted"


def below_its_test(notebook: dict, id: str) -> int:
    return notebook.cells.index(cell(notebook, f"check-{id}")) + 1


def judged(notebook: dict) -> dict[str, str]:
    """Run all tests, choose one for each exercise, and return their notes."""
    names = {}
    for each in notebook["cells"]:
        id = each["metadata"].get(COPY, {}).get("exercise")
        if marks(each).get("grade"):
            id = marks(each)["grade_id"].removeprefix("check-")
        if id:
            answer = names.get("row" if id == ROW else ANSWERS[id].split("def ")[-1].split("(")[0])
            given = answer.__code__.co_consts[-1] if callable(answer) else answer
            each["outputs"] = [] if given == RIGHT[id] else [{"output_type": "error"}]
        elif re.search("hers|row =|pass", each["source"]) and each["cell_type"] == "code":
            exec(each["source"], names)
    choose(notebook)
    assert not any(COPY in each["metadata"] for each in notebook["cells"])
    tests = {name: each for name, each in by_grade_id(notebook).items() if name.startswith("check")}
    assert len(tests) == len(ANSWERS) and not any(each["outputs"] for each in tests.values())
    notes = {
        name.removeprefix("check-"): each["metadata"].get(NOTE) for name, each in tests.items()
    }
    return {name: note for name, note in notes.items() if note}


@pytest.mark.parametrize("id", [ROW, STRANGE])
@pytest.mark.parametrize("place", ["below", "top"])
def test_answer_in_another_cell_counts(id, place):
    notebook = answered(*(ANSWERS.keys() - {id}))
    index = below_its_test(notebook, id) if place == "below" else 2
    notebook.cells.insert(index, new_code_cell(ANSWERS[id], id="own"))
    assert put_back(notebook, RELEASED) == {}
    # The released cell would overwrite a value or function that is defined above it.
    assert judged(notebook) == {id: "moved"}
    assert by_grade_id(notebook)[id]["source"] == ANSWERS[id]


@pytest.mark.parametrize(
    "stub", ["", "# below", "def sinusoidal_rows(a):\n    return 'an attempt'"]
)
def test_right_answer_below_wrong_one_counts(stub):
    notebook = answered()
    cell(notebook, ROWS).source = stub
    notebook.cells.append(new_code_cell(ANSWERS[ROWS], id="own"))
    put_back(notebook, RELEASED)
    assert judged(notebook) == {ROWS: "moved"}
    assert by_grade_id(notebook)[ROWS]["id"] == "own"


def test_test_stays_in_place_after_wrong_answers():
    notebook = answered()
    cell(notebook, ROWS).source = "def sinusoidal_rows(a):\n    return 'one attempt'"
    notebook.cells.append(new_code_cell("def sinusoidal_rows(a):\n    return 'another'", id="own"))
    put_back(notebook, RELEASED)
    for each in notebook["cells"]:
        each["outputs"] = [{"output_type": "error"}]
    choose(notebook)
    assert by_grade_id(notebook)[ROWS]["id"] == ROWS
    assert by_grade_id(notebook)[f"check-{ROWS}"]["id"] == f"check-{ROWS}"


def test_reused_name_costs_no_points():
    notebook = answered()
    notebook.cells.append(new_code_cell("row = [0]\ndef sinusoidal_rows(x):\n    'hers, no more'"))
    cell(notebook, CLOCK).source += "\nrow = [5]"
    notebook.cells.insert(below_its_test(notebook, ROW), new_code_cell("row = [9]"))
    assert put_back(notebook, RELEASED) == {} and judged(notebook) == {}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("a, (b, *c) = 1, (2, 3)\nd: int = 4\nd += 1", set("abcd")),
        ("if x:\n    def f(): inner = 1\nelse:\n    class g: h = 1", {"f", "g"}),
        ("try:\n    import a.b, c as d\nexcept E:\n    from e import f as g", {"a", "d", "g"}),
        ("%matplotlib inline\nx = !ls\n?help", {"x"}),
        ("%%time\nx = 1", {"x"}),
        ("def broken(:", set()),
    ],
)
def test_names_bound_by_cell_are_found(code, names):
    assert defined_in(code) == names


def test_released_cell_is_not_answer():
    released = copy.deepcopy(RELEASED)
    cell(released, "message").source = "row = [1, 2]"  # uses the answer's name for something else
    notebook = copy.deepcopy(released)
    assert answered_in(notebook, released) == 0
    assert put_back(notebook, released) == {}
    assert not any(COPY in each["metadata"] for each in notebook["cells"])
    cell(notebook, ROW).source = "row = [3, 4]"
    assert answered_in(notebook, released) == 1
