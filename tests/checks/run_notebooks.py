"""Comparison of the outputs of notebooks with new outputs, which are computed without kernels.

``python -m checks.run_notebooks`` runs every notebook in a fork of a process that has imported the
course, which takes half as long as starting a new kernel for each notebook.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import matplotlib.pyplot  # noqa: F401  all notebooks use it
import nbformat
from execute import forget_the_machine
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode
from nbformat.v4 import new_output
from private_jupyter import REPOSITORY, notebooks_with_outputs

import course_utils.labs  # noqa: F401

from .outputs import WIDGET_VIEW
from .pictures import IN_HTML, picture_problems


def texts_in(outputs: Iterable[NotebookNode]) -> dict[str, str]:
    """Return the texts in a cell's outputs, keyed by stream or by type."""
    found: dict[str, str] = defaultdict(str)
    for output in outputs:
        if output.output_type == "stream":
            found[output.name] += output.text
        for kind, text in output.get("data", {}).items():
            if kind not in (WIDGET_VIEW, "image/png"):
                found[kind] += IN_HTML.sub("PICTURE", str(text))
    return found


def output_problems(path: Path, executed: NotebookNode) -> list[str]:
    """Return the differences between a stored notebook and the same notebook with new outputs."""
    found, name = [], path.relative_to(REPOSITORY)
    stored = nbformat.read(path, as_version=4)
    forget_the_machine(executed)
    for before, now in zip(stored.cells, executed.cells, strict=True):
        if now.cell_type != "code" or "NBVAL_IGNORE_OUTPUT" in now.source:
            continue
        wanted, printed = texts_in(before.outputs), texts_in(now.outputs)
        found += [
            f"{name}, {now.id}: {kind} must be {wanted[kind]!r}; got {printed[kind]!r}"
            for kind in sorted(wanted.keys() | printed.keys())
            if wanted[kind] != printed[kind]
        ]
        changed = picture_problems(before.outputs, now.outputs)
        found += [f"{name}, {now.id}: {problem}" for problem in changed]
    return found


class Results(DisplayHook):
    """Display hook that keeps the values of the cells' last expressions, and prints nothing."""

    kept: list[dict] = []

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        self.kept.append(format_dict)

    def finish_displayhook(self) -> None:
        pass


def executed(path: Path) -> NotebookNode:
    """Run a notebook in this process, in its own folder, and return it with new outputs."""
    os.chdir(path.parent)
    os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(dir=os.environ.get("JUPYTER_DATA_DIR"))
    shell = InteractiveShell.instance(displayhook_class=Results)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            Results.kept.clear()
            with capture_output() as shown:
                shell.run_cell(cell.source, store_history=True)
            data = [each.data for each in shown.outputs] + Results.kept
            cell.outputs = [new_output("display_data", data=each) for each in data]
            for name in ("stdout", "stderr"):
                if text := getattr(shown, name):
                    cell.outputs.append(new_output("stream", name=name, text=text))
    return nbformat.reads(nbformat.writes(notebook), as_version=4)


def report(path: Path) -> None:
    """Run a notebook, print the differences, and end this process."""
    problems = output_problems(path, executed(path))
    print(*problems, sep="\n", end="\n" * bool(problems))
    sys.exit(bool(problems))


def main() -> int:
    has_torch, failed = find_spec("torch") is not None, False
    for path in notebooks_with_outputs():
        if has_torch or "require_torch" not in path.read_text("utf-8"):
            process = get_context("fork").Process(target=report, args=(path,))
            process.start()
            process.join()
            failed |= process.exitcode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
