"""Run notebooks from top to bottom and store their outputs.

    python tools/execute.py                      all of notebooks/ and solutions/
    python tools/execute.py notebooks/03_*.ipynb these

Each notebook runs in a new kernel, in its own folder, without personal settings. The file is
written only if all cells have run without errors. Values that depend on the machine or the time are
removed, so that running a notebook again does not change the file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from private_jupyter import (
    ONLY_FOR_REOPENING,
    REPOSITORY,
    leave_personal_settings,
    notebooks_with_outputs,
)

from course_utils.notebook.display import WIDGET_VIEW

SECONDS_PER_CELL = 60

FAILURES = (CellExecutionError, CellTimeoutError, DeadKernelError, OSError, ValueError)
FOLDED_TAGS = {"hide-input", "measure"}
"""Tags of cells whose source is folded because readers do not need to see it."""

MOMENTARY_CELL_METADATA = ("execution", "ExecuteTime", "collapsed", "scrolled")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in both folders")
    chosen = parser.parse_args().notebooks or notebooks_with_outputs()
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        leave_personal_settings(Path(folder))
        for path in chosen:
            print(path, end=" ", flush=True)
            try:
                execute(path)
            except FAILURES as error:
                failed += 1
                print(f"FAILED, not written\n{error}", flush=True)
            else:
                print("done", flush=True)
    return 1 if failed else 0


def execute(path: Path) -> None:
    """Run a notebook and write its file, unless an error occurs."""
    text = executed(nbformat.read(path, as_version=4), path.resolve().parent)
    path.write_text(text, encoding="utf-8", newline="\n")


def executed(notebook: nbformat.NotebookNode, folder: Path) -> str:
    """Run a notebook in a folder, and return the content of its file with all outputs.

    Raises:
        ValueError: If an output depends on this machine.
    """
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    forget_the_machine(notebook)
    fold(notebook)
    nbformat.validate(notebook)
    text = nbformat.writes(notebook).rstrip("\n") + "\n"
    for trace in (str(REPOSITORY), sys.prefix, "ipykernel_"):
        if trace in text:
            raise ValueError(f"outputs must not depend on this machine; got {trace!r}.")
    return text


def _is_widget_alone(output: nbformat.NotebookNode) -> bool:
    data = output.get("data", {})
    return WIDGET_VIEW in data and "text/html" not in data


def forget_the_machine(notebook: nbformat.NotebookNode) -> None:
    """Remove values that depend on the machine or the time."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        for key in MOMENTARY_CELL_METADATA:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            # A widget's view refers to a kernel that no longer exists.
            cell.outputs = [each for each in cell.outputs if not _is_widget_alone(each)]
            for output in cell.outputs:
                data = output.get("data", {})
                if "text/html" in data:
                    data["text/html"] = ONLY_FOR_REOPENING.sub("", data["text/html"])


def fold(notebook: nbformat.NotebookNode) -> None:
    """Fold only the tagged code cells, using JupyterLab's metadata."""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        jupyter = cell.metadata.pop("jupyter", {})
        jupyter.pop("source_hidden", None)
        if FOLDED_TAGS.intersection(cell.metadata.get("tags", ())):
            jupyter["source_hidden"] = True
        if jupyter:
            cell.metadata["jupyter"] = jupyter


if __name__ == "__main__":
    sys.exit(main())
