"""Unusual submissions for lab 03, which are based on real platforms and editors.

Each submission includes a fair grade, which was determined before running any code, and a link to a
public discussion of the problem.
"""

from __future__ import annotations

import copy
import io
import json
import re
from dataclasses import dataclass
from zipfile import ZipFile

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from checks.labs import cell, read

LAB = "03_sinusoidal"
FILE = f"{LAB}.ipynb"
ROW, ROWS, CLOCK, STRANGE = "row-by-hand", "sinusoidal-rows", "position-from-row", "strange-table"
POINTS = {ROW: 1, ROWS: 3, CLOCK: 3, STRANGE: 2}
ALL = frozenset(POINTS)

ANSWERS = {
    ROW: """row = []
for hand in range(3):
    angle = 12 * 64 ** (-hand / 3)
    row.extend([math.sin(angle), math.cos(angle)])""",
    ROWS: """def sinusoidal_rows(positions, d_model, base):
    table = np.zeros((len(positions), d_model))
    for column in range(d_model):
        wave = np.cos if column % 2 else np.sin
        table[:, column] = wave(positions / base ** (2 * (column // 2) / d_model))
    return table""",
    CLOCK: """def position_from_row(row, base):
    slowest = base ** (2 / len(row) - 1)
    turned = math.atan2(row[-2], row[-1])
    return int(round((turned if turned >= 0 else turned + 2 * math.pi) / slowest))""",
    STRANGE: """def strange_table(n_positions, d_model):
    table = np.zeros((n_positions, d_model))
    for column in range(d_model):
        wave = np.cos if column % 2 else np.sin
        table[:, column] = wave(np.arange(n_positions) / 10_000 ** (column / d_model))
    return table""",
}
"""Correct answers that differ from the solution."""


@dataclass(frozen=True)
class Odd:
    """A submission with the exercises that deserve points and the cases for the teacher."""

    content: bytes
    deserved: frozenset[str] | None = ALL
    """Exercises that deserve points, or None if there is nothing to grade."""
    warnings: frozenset[str] = frozenset()
    """Expected entries under “For you to check”."""
    page: str = ""
    """Text that must appear on the student's page."""
    thread: str = ""
    file: str = FILE


def answered(**answers: str) -> NotebookNode:
    """Return the lab with correct answers, except for the given answers."""
    notebook = read("labs", LAB)
    for name, source in (
        ANSWERS | {each.replace("_", "-"): answers[each] for each in answers}
    ).items():
        cell(notebook, name).source = source
    return notebook


def raw(notebook: NotebookNode | None = None) -> dict:
    """Return the notebook as a dictionary, any part of which can be damaged."""
    return json.loads(nbformat.writes(notebook or answered()))


def dumped(notebook: dict) -> bytes:
    return json.dumps(notebook, ensure_ascii=False).encode("utf-8", "surrogatepass")


def each_cell(**changes: object) -> bytes:
    """Change keys in every cell; None removes a key."""
    notebook = raw()
    for number, each in enumerate(notebook["cells"]):
        for key, value in changes.items():
            each[key] = value(number) if callable(value) else value
            if each[key] == "remove":
                del each[key]
    return dumped(notebook)


def odd(notebook: NotebookNode | dict | bytes | None = None, *warnings: str, **more: object) -> Odd:
    if not isinstance(notebook, bytes):
        notebook = dumped(notebook if type(notebook) is dict else raw(notebook))
    return Odd(notebook, warnings=frozenset(warnings), **more)


def with_cells(notebook: NotebookNode, *added: tuple[str, str]) -> NotebookNode:
    """Add cells below the tests of exercises, or at the end."""
    for id, source in added:
        ids = [each.id for each in notebook.cells]
        index = len(ids) if id == "end" else ids.index(f"check-{id}") + 1
        notebook.cells.insert(index, new_code_cell(source))
    return notebook


def below(id: str, source: str) -> NotebookNode:
    """Add a cell below the test of an exercise, or at the end."""
    return with_cells(answered(), (id, source))


def version_three() -> dict:
    old = nbformat.convert(answered(), 3)
    return json.loads(nbformat.writes(old, version=nbformat.NO_CONVERT))


def with_headings() -> dict:
    notebook = raw() | {"nbformat_minor": 0}
    heading = {"cell_type": "heading", "level": 1, "metadata": {}, "source": ["Ana"]}
    notebook["cells"].insert(0, heading)
    for each in notebook["cells"]:
        each.pop("id", None)
    return notebook


def from_colab() -> dict:
    """Return a notebook as saved by Colab, with other ids and without nbgrader's metadata."""
    notebook = raw() | {"nbformat_minor": 0}
    for number, each in enumerate(notebook["cells"]):
        each["metadata"] = {"id": f"Colab{number}", "outputId": "x"}
        del each["id"]
    return notebook


def foreign() -> dict:
    notebook = raw()
    marks = {"grade": True, "grade_id": "cell-5d", "points": "all", "solution": True}
    own = {"cell_type": "code", "id": "own", "metadata": {"nbgrader": marks}, "source": "1 + 1"}
    notebook["cells"].insert(3, own | {"outputs": [], "execution_count": None})
    return notebook


def split() -> NotebookNode:
    """Split a cell as JupyterLab does, so that both halves have the same markings."""
    notebook = answered()
    first = cell(notebook, ROWS)
    second = copy.deepcopy(first) | {"id": "split"}
    first.source = "def one_of(column):\n    return np.cos if column % 2 else np.sin"
    second["source"] = ANSWERS[ROWS].replace("np.cos if column % 2 else np.sin", "one_of(column)")
    notebook.cells.insert(notebook.cells.index(first) + 1, NotebookNode(second))
    return notebook


def twice(name: str) -> NotebookNode:
    notebook = answered()
    first = cell(notebook, name)
    second = NotebookNode(copy.deepcopy(first) | {"id": "pasted"})
    notebook.cells.insert(notebook.cells.index(first), second)
    return notebook


def without(*ids: str) -> NotebookNode:
    notebook = answered()
    notebook.cells = [each for each in notebook.cells if each.id not in ids]
    return notebook


def as_markdown(*ids: str) -> dict:
    notebook = raw()
    for each in notebook["cells"]:
        if each["id"] in ids:
            each["cell_type"] = "markdown"
            del each["outputs"], each["execution_count"]
    return notebook


def formatted() -> NotebookNode:
    """Format the tests as a code formatter does."""
    notebook = answered()
    for each in notebook.cells:
        if each.id.startswith("check-"):
            each.source = re.sub(r'check\("(.*?)", (\w+)\)', r"check('\1',\n      \2)", each.source)
    return notebook


def first_cell(line: str, **answers: str) -> NotebookNode:
    notebook = answered(**answers)
    cell(notebook, "switch").source = f"{line}\n{cell(notebook, 'switch').source}"
    return notebook


def zipped(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"my work/{name.replace('__', '.')}", content)
    return packed.getvalue()


NBGRADER = "https://github.com/jupyter/nbgrader/issues/"
WARNS = ANSWERS[ROWS].replace(
    "    table =", "    import sys\n    print('started', file=sys.stderr)\n    table =", 1
)
TYPO = ANSWERS[ROWS].replace("sinusoidal_rows", "sinusoidal_row")
NEEDS_MODULE = "import sympy_plus\n\n" + ANSWERS[CLOCK].replace("math.atan2", "sympy_plus.atan2")

FILES = {
    "bom": odd(
        b"\xef\xbb\xbf" + dumped(raw()), thread="https://github.com/microsoft/markitdown/pull/2425"
    ),
    "utf-16": odd(
        json.dumps(raw()).encode("utf-16"), thread="https://github.com/jupyter/nbdime/pull/506"
    ),
    "other encoding": odd(
        json.dumps(raw(below("end", "# año")), ensure_ascii=False).encode("cp1252", "replace"),
        thread="https://github.com/ipython/ipython/issues/10762",
    ),
    "windows lines": odd(nbformat.writes(answered()).replace("\n", "\r\n").encode()),
    "version 3": odd(version_three()),
    "half an emoji": odd(
        json.dumps(raw(below("end", "# \ud83d"))).encode(),
        thread="https://github.com/jupyter/notebook/issues/2680",
    ),
    "no ids": odd(each_cell(id="remove"), thread="https://github.com/jupyter/nbformat/issues/335"),
    "equal ids": odd(
        each_cell(id="same"), thread="https://github.com/jupyter/notebook/issues/6091"
    ),
    "long ids": odd(
        each_cell(id=lambda number: "x" * 70 + str(number)),
        thread="https://github.com/jsboige/CoursIA/pull/16427",
    ),
    "null ids": odd(each_cell(id=None), thread="https://github.com/jsboige/CoursIA/pull/8325"),
    "foreign markings": odd(foreign(), thread="https://github.com/jupyter/nbgrader/pull/377"),
    "metadata is text": odd(raw() | {"metadata": "x"}),
    "no minor version": odd(
        {key: value for key, value in raw().items() if key != "nbformat_minor"}
    ),
    "heading cells": odd(with_headings()),
    "cell without source": odd(raw() | {"cells": [*raw()["cells"], {"cell_type": "code"}]}),
    "no outputs": odd(each_cell(outputs="remove", execution_count="remove")),
    "from Colab": odd(from_colab(), thread=f"{NBGRADER}1273"),
    "split": odd(split(), thread="https://github.com/jeflem/ananke/issues/12"),
    "pasted test": odd(twice(f"check-{ROWS}"), thread=f"{NBGRADER}108"),
    "pasted answer": odd(twice(ROWS), thread=f"{NBGRADER}1083"),
    "deleted test": odd(without(f"check-{ROWS}"), thread=f"{NBGRADER}1682"),
    "text instead of code": odd(as_markdown(STRANGE), thread=f"{NBGRADER}1941"),
    "test as text": odd(
        as_markdown(f"check-{CLOCK}"), thread="https://github.com/jupyter/nbgrader/issues/92"
    ),
    "formatted tests": odd(formatted()),
    "ending txt": odd(file=f"{FILE}.txt"),
    "in a zip": odd(zipped(lab__ipynb=dumped(raw())), file="work.zip"),
    "cut": odd(
        dumped(raw())[:3000],
        "damaged",
        deserved=None,
        page="part of it is missing",
        thread="https://github.com/scipp/scipp/issues/149",
    ),
    "nothing in it": odd(
        b"",
        "damaged",
        deserved=None,
        page="is empty",
        thread="https://github.com/jupyter/help/issues/171",
    ),
    "web page": odd(
        b"\n\n<!DOCTYPE html>\n<html>",
        "damaged",
        deserved=None,
        page="web page",
        thread="https://github.com/ageron/handson-ml/issues/580",
    ),
    "merge conflict": odd(
        dumped(raw()).replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"'),
        "damaged",
        deserved=None,
        page="merge",
        thread="https://github.com/jupyter/help/issues/67",
    ),
    "script": odd(b"row = 1", "no-notebook", deserved=None, page="not a notebook", file="lab3.py"),
    "scan": odd(b"%PDF-1.7", "no-notebook", deserved=None, page="not a notebook", file="lab3.pdf"),
}
"""Submissions with changes made by editors and platforms."""

CODE = {
    # A missing module in the first cell (https://github.com/ucbds-infra/otter-grader/issues/906)
    # and missing magics (https://github.com/astro-datalab/notebooks-latest/issues/44).
    "missing modules": odd(
        first_cell(
            "import sympy_plus",
            row_by_hand="%matplotlib widget\n%load_ext nb_black\n" + ANSWERS[ROW],
            strange_table="from sympy_plus import *\n" + ANSWERS[STRANGE],
        ),
        page="this cell was run without it",
    ),
    "missing module in use": odd(
        answered(position_from_row=NEEDS_MODULE),
        "module",
        deserved=ALL - {CLOCK},
        page="sympy_plus",
    ),
    "own names": odd(
        answered(
            row_by_hand=ANSWERS[ROW] + "\ncheck = len(row) == 6",
            sinusoidal_rows=ANSWERS[ROWS] + "\n\ndef sinusoidal_encoding(n):\n    return n",
            strange_table=ANSWERS[STRANGE] + "\ndisplay = 6",
        ),
        thread="https://github.com/ucbds-infra/otter-grader/issues/817",
    ),
    # See also https://github.com/ese-msc/introduction-to-python/issues/34.
    "names used again": odd(
        with_cells(
            answered(),
            (ROW, "row = 3"),
            (ROWS, "def sinusoidal_rows(n):\n    return n"),
            ("end", "def strange_table(n, d):\n    return None"),
        ),
        thread="https://github.com/ucbds-infra/otter-grader/issues/793",
    ),
    "answers in other cells": odd(
        with_cells(
            first_cell(
                "import math\nimport numpy as np\n" + ANSWERS[STRANGE],
                sinusoidal_rows="",
                position_from_row="# see below",
                strange_table="pass",
            ),
            ("end", ANSWERS[ROWS]),
            ("end", ANSWERS[CLOCK]),
        ),
        thread="https://github.com/sagemathinc/cocalc/issues/4916",
    ),
    "wrong first, right below": odd(
        with_cells(
            answered(
                sinusoidal_rows="def sinusoidal_rows(p, d, b):\n    return 1",
                strange_table=ANSWERS[STRANGE].replace("strange_table", "mine")
                + "\nstrange_table = lambda n, d: mine(n, d)",
            ),
            (ROWS, ANSWERS[ROWS]),
        ),
    ),
    "cell deleted, answered at the end": odd(
        {"cells": raw(without(ROWS))["cells"] + raw(below("end", ANSWERS[ROWS]))["cells"][-1:]}
        | {"metadata": {}, "nbformat": 4, "nbformat_minor": 5},
    ),
    "another name": odd(
        answered(sinusoidal_rows=TYPO), "nameless", deserved=ALL - {ROWS}, page="sinusoidal_rows"
    ),
    "unusual cells": odd(
        with_cells(
            answered(
                row_by_hand="%matplotlib inline\n!echo hi\n" + ANSWERS[ROW], sinusoidal_rows=WARNS
            ),
            (ROW, "name = input('Name? ')"),
            (ROW, "import sys\nsys.exit()"),
            (ROW, "import os\nos.chdir('/')"),
            (ROWS, "def broken(:\n  ???"),
            (ROWS, "import asyncio\nawait asyncio.sleep(0)"),
            ("end", "import matplotlib.pyplot as plt\nplt.plot(row)\nplt.show()"),
        ),
        thread="https://github.com/jupyter/nbgrader/pull/1904",
    ),
    "deletes every name": odd(below(ROW, "%reset -f")),
    "strict NumPy": odd(
        below(ROW, "np.seterr(all='raise')\nimport warnings\nwarnings.simplefilter('error')")
    ),
    "ends its kernel": odd(
        answered(row_by_hand="import os\nos._exit(1)"),
        "kernel",
        deserved=None,
        page="ended its own kernel",
        thread="https://github.com/sagemathinc/cocalc/issues/4951",
    ),
    "half done": odd(
        answered(
            strange_table=cell(read("labs", LAB), STRANGE).source,
            position_from_row="def position_from_row(row, base):\n    return 0",
        ),
        deserved=frozenset({ROW, ROWS}),
    ),
    "nothing filled in": odd(read("labs", LAB), deserved=frozenset()),
}
"""Submissions with answers written by students.

Grading a submission takes seconds, so each combines as many independent habits as possible.
"""
