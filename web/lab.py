"""Web pages of labs, on which no code runs: exercises, given results and folded hints.

Ids of cells follow these rules. The cell ``hint-NAME`` shows the hints of the exercise ``NAME``.
The text ``NAME-text`` describes the result of the code cell ``NAME`` below it. A text whose id ends
in ``-answer`` discusses the result of the code cell above it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from nbformat import NotebookNode

from course_utils.labs.messages import TEXTS, message

HINT = "hint-"


def for_reading(cells: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return the cells that are useful where no code runs.

    Cells that check or use an answer are left out, with the texts about their results. The result
    of ``wrong_output`` is shown without the call, because a page has no such function.
    """
    cells = list(cells)
    left_out, names = set(), set()
    latest = ""
    for cell in cells:
        if cell.cell_type != "code":
            if cell.id.endswith("-answer") and latest in left_out:
                left_out.add(cell.id)
            continue
        task = cell.metadata.get("nbgrader", {})
        bound, used = _names(cell.source)
        if task.get("grade") or used & names:
            left_out.add(cell.id)
        if task.get("solution") or cell.id in left_out:
            names |= bound
        if "wrong_output" in used:
            cell.metadata.setdefault("jupyter", {})["source_hidden"] = True
        latest = cell.id
    texts = {f"{name}-text" for name in left_out}
    return [cell for cell in cells if cell.id not in left_out | texts]


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that code binds, and the names that it uses without binding them."""
    bound, used = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
    return bound, used - bound


def hints_html(exercise: str, language: str) -> str:
    """Return the hints of an exercise; each appears when the hint before it is open."""
    hints: Sequence = TEXTS["exercise"][exercise]["hints"]
    folded = "<details class=hint><summary>{}</summary><div>{}</div></details>"
    return "".join(
        folded.format(message("hint").format(number=number, total=len(hints))[language], hint)
        for number, hint in enumerate((each[language] for each in hints), start=1)
    )
