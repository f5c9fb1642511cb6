"""Tests of cleaning notebooks that editors, platforms and programs have changed."""

import nbformat
import pytest
from checks.labs import read
from checks.odd_submissions import ANSWERS, FILES, LAB, ROWS, answered

from classroom.cleaning import UnreadableError, cleaned, parsed
from classroom.putting_back import by_grade_id, marks, put_back

RELEASED = read("labs", LAB)
READABLE = {name: each for name, each in FILES.items() if each.deserved}


@pytest.mark.parametrize("name", sorted(READABLE.keys() - {"in a zip"}))
def test_cleaned_notebook_is_lab_with_answers(name):
    notebook = cleaned(parsed(READABLE[name].content), RELEASED)
    nbformat.validate(notebook)
    text = nbformat.writes(notebook)
    assert nbformat.writes(cleaned(parsed(text.encode()), RELEASED)) == text
    put_back(notebook, RELEASED)
    cells = by_grade_id(notebook)
    assert cells.keys() == by_grade_id(RELEASED).keys()
    for id, answer in ANSWERS.items():
        if (name, id) != ("split", ROWS):
            assert cells[id]["source"] == answer
    for id, cell in by_grade_id(RELEASED).items():
        assert marks(cells[id]) == marks(cell) and cells[id]["cell_type"] == cell["cell_type"]


def test_other_code_with_tags_is_kept():
    notebook = answered()
    notebook.cells.append(nbformat.v4.new_code_cell("mine = 1", metadata={"tags": ["x"]}))
    again = cleaned(parsed(nbformat.writes(notebook).encode()), RELEASED)
    assert [each.source for each in again.cells] == [each.source for each in notebook.cells]
    assert [each.id for each in again.cells] == [each.id for each in notebook.cells]
    tags = [each.metadata.get("tags") for each in again.cells]
    assert tags == [each.metadata.get("tags") for each in RELEASED.cells] + [None]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b" \n", "empty"),
        (b"<html></html>", "web-page"),
        (b'{\n<<<<<<< HEAD\n"cells": []}', "merge"),
        (b'{"cells": [', "cut"),
        (b"\0" * 4000, "empty"),  # as after a crash: github.com/nullptrlabs/pgmodeler/issues/766
        (b"[1]", ""),
        (b'{"cells": 3}', ""),
        (b'{"cells": [3]}', ""),
        (b'{"worksheets": []}', ""),
        (b"[" * 100_000, ""),
        (bytes(range(256)), ""),
        (b"version https://git-lfs.github.com/spec/v1", ""),
    ],
)
def test_unreadable_file_is_listed_with_reason(content, reason):
    with pytest.raises(UnreadableError) as error:
        parsed(content)
    assert str(error.value) == reason
