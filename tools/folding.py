"""Which code cells of a lesson are folded: those from which there is nothing to learn.

A cell that only imports, asks a question, or shows an explorer or a card is folded: JupyterLab
shows three dots in place of its source. A cell with any other code teaches and stays open. One
that shows a picture, or an explorer of what the reader wrote, is folded where its author says so.
A cell with the tag ``measure`` only measures, and is folded, too.
"""

from __future__ import annotations

import ast
from enum import Enum

from nbformat import NotebookNode

__all__ = ["Fold", "fold", "fold_of", "fold_of_cell", "is_folded"]

SHOWN = (
    *("check_installation", "keep_guesses", "language_switch", "progress", "question"),
    *("report_card", "right_guesses"),
)
AS_THE_AUTHOR_SAYS = ("show", "verdict")


class Fold(Enum):
    """What becomes of a cell's source."""

    FOLDED = "folded"
    OPEN = "open"
    EITHER = "either"


def fold_of(source: str) -> Fold:
    """Whether a code cell with this source is to be folded."""
    folds = {_fold_of_statement(statement) for statement in ast.parse(source).body}
    if Fold.OPEN in folds or not folds:
        return Fold.OPEN
    return Fold.EITHER if Fold.EITHER in folds else Fold.FOLDED


def fold_of_cell(cell: NotebookNode) -> Fold:
    """Whether a code cell is to be folded: as its tag says, or else its source."""
    return Fold.FOLDED if "measure" in cell.metadata.get("tags", []) else fold_of(cell.source)


def is_folded(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden", False))


def fold(notebook: NotebookNode) -> None:
    """Fold and open the code cells of a lesson; a lab, which people write in, stays open."""
    if any("nbgrader" in cell.metadata for cell in notebook.cells):
        return
    for cell in notebook.cells:
        if cell.cell_type != "code" or (wanted := fold_of_cell(cell)) is Fold.EITHER:
            continue
        jupyter = cell.metadata.pop("jupyter", {})
        jupyter.pop("source_hidden", None)
        if wanted is Fold.FOLDED:
            jupyter["source_hidden"] = True
        if jupyter:
            cell.metadata["jupyter"] = jupyter


def _fold_of_statement(statement: ast.stmt) -> Fold:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return Fold.FOLDED
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return Fold.OPEN
    call = statement.value
    name = ast.unparse(call.func)
    if name in AS_THE_AUTHOR_SAYS:
        return Fold.EITHER
    if name not in SHOWN and not name.endswith("_explorer"):
        return Fold.OPEN
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return Fold.FOLDED if all(map(_is_literal, given)) else Fold.EITHER


def _is_literal(argument: ast.expr) -> bool:
    try:
        ast.literal_eval(argument)
    except ValueError:
        return False
    return True
