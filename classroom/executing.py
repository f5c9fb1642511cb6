"""Execution of submissions such that unrelated code does not affect the points.

nbgrader runs the cells unchanged. A redefined name, a missing module or a warning on the error
stream can then cost points. ``tests/classroom/test_executing.py`` cites discussions of these
problems.
"""

from __future__ import annotations

import ast
import builtins
import re

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute

from .putting_back import COPY, choose, imports_in, marks, tree_of

PREFIX = "_course_"

SETTINGS = """import numpy as _course_numpy
import warnings as _course_warnings
_course_numpy.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
_course_warnings.filterwarnings("default")
"""
"""Code that resets settings of NumPy and Python that a student may have made stricter."""


class ExecuteFairly(Execute):
    """Preprocessor that runs a notebook, with the course's names and settings in its tests."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict, *args: object, **options: object
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Run all cells, and keep one test for each exercise."""
        first = [cell.source for cell in nb.cells if is_locked_code(cell)]
        self.imports = [each for source in first for each in imports_in(source)]
        nb, resources = super().preprocess(nb, resources, *args, **options)
        choose(nb)
        return nb, resources

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Run a cell, and run it again if a module or magic is missing."""
        source, is_test = cell.source, marks(cell).get("grade") or COPY in cell.metadata
        cell.source = with_course_names(source, self.imports) if is_test else source
        try:
            cell, resources = super().preprocess_cell(cell, resources, index)
            if not is_test and any(map(is_missing, cell.get("outputs", ()))):
                cell.source = with_imports_last(source)
                cell, resources = super().preprocess_cell(cell, resources, index)
        finally:
            cell.source = source
        if is_test:  # nbgrader gives no points if a test writes to the error stream.
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]
        return cell, resources


MISSING = ("ModuleNotFoundError", "ImportError")
"""Names of the errors raised if a module is missing."""


def is_missing(output: NotebookNode) -> bool:
    """Return True if a cell failed because a module or one of Jupyter's magics is missing."""
    text = "".join(output.get("traceback", ())) + str(output.get("text", ""))
    return output.get("ename") in MISSING or bool(re.search("run_line_magic|UsageError", text))


def is_locked_code(cell: NotebookNode) -> bool:
    """Return True if a cell is locked and is not a test."""
    return bool(marks(cell).get("locked")) and not marks(cell).get("grade")


def with_course_names(test: str, imports: list[ast.Import | ast.ImportFrom]) -> str:
    """Add a unique prefix to all imported and built-in names in a test."""
    tree = tree_of(test)
    if not tree.body:
        return test
    own = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    tree.body = [each for each in tree.body if each not in own]
    renamed, lines = {}, []
    for each in [*imports, *own]:
        origin = f"from {each.module} " if isinstance(each, ast.ImportFrom) else ""
        for alias in each.names:
            name = alias.asname or alias.name
            renamed[name] = PREFIX + name.replace(".", "_")
            lines.append(f"{origin}import {alias.name} as {renamed[name]}")
            if each in imports:
                given = f"{origin}import {alias.name}" + f" as {alias.asname}" * bool(alias.asname)
                lines.append(RESTORED.format(name=name.partition(".")[0], code=given))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in names:
        if node.id not in own:
            if node.id in renamed:
                node.id = renamed[node.id]
            elif hasattr(builtins, node.id) or node.id == "display":
                home = HOME.get(node.id, "builtins")
                lines.append(f"from {home} import {node.id} as {PREFIX}{node.id}")
                node.id = f"{PREFIX}{node.id}"
    return "\n".join([SETTINGS, *dict.fromkeys(lines), ast.unparse(tree)])


RESTORED = """try:
    {name}
except NameError:
    {code}"""
"""Import that restores a name that a student has deleted, for example with ``%reset``."""

HOME = {"display": "IPython.display"}
"""Modules from which IPython takes the names that it adds to the built-in names."""


def with_imports_last(source: str) -> str:
    """Change a cell so that it reports failed imports and magics only at its end."""
    first, body = [], []
    for each in tree_of(source).body:
        if getattr(each, "module", None) == "__future__":
            first.append(ast.unparse(each))
        elif isinstance(each, ast.Import | ast.ImportFrom):
            for alias in each.names:
                each.names = [alias]
                body.append(TRIED.format(code=ast.unparse(each)))
        elif isinstance(each, ast.Expr) and "run_line_magic(" in ast.unparse(each):
            body.append(TRIED.format(code=ast.unparse(each)))
        else:
            body.append(ast.unparse(each))
    return "\n".join([*first, f"{PREFIX}missing = []", *body, REPORT])


TRIED = f"""try:
    {{code}}
except Exception as {PREFIX}error:
    {PREFIX}missing.append({PREFIX}error)"""

REPORT = f"""if {PREFIX}missing:
    raise {PREFIX}missing[0] from None"""
