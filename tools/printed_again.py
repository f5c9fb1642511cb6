"""Compare the stored outputs of notebooks with the outputs on this machine.

    python tools/printed_again.py                      all of notebooks/ and solutions/
    python tools/printed_again.py notebooks/05_*.ipynb these

All notebooks run in this process, without kernels, and no picture is drawn, so that an emulated
processor can do it as well. The script prints each cell whose output differs, and their number.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure
from PIL import Image
from private_jupyter import (
    ONLY_FOR_REOPENING,
    REPOSITORY,
    leave_personal_settings,
    notebooks_with_outputs,
)
from traitlets.config import Config

TEXTS = ("text/plain", "text/html")
PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]*")
IGNORED = "# NBVAL_IGNORE_OUTPUT"
NEEDS_TORCH = "07_pytorch_appendix.ipynb"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in both folders")
    chosen = parser.parse_args().notebooks or notebooks_with_outputs()
    Figure.savefig = lambda self, file, **_: Image.new("RGB", (8, 8)).save(file, "png")
    paths = [path.resolve() for path in chosen if path.name != NEEDS_TORCH]
    sys.path.insert(0, str(REPOSITORY))
    differing = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        leave_personal_settings(Path(folder))
        for path in paths:
            # One notebook shows which exercises are solved, so nothing may be solved here.
            os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(dir=folder)
            for cell, stored, printed in differing_cells(path):
                differing += 1
                print(path.stem, cell, f"stored: {stored}", f"here: {printed}", sep="\n")
        os.chdir(REPOSITORY)
    print(f"{differing} cells of {len(paths)} notebooks print something else here.")
    return 1 if differing else 0


def differing_cells(path: Path) -> list[tuple[str, list[str], list[str]]]:
    """Return the cells whose output differs: id, stored output, new output."""
    os.chdir(path.parent)
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        stored, printed = texts_of(cell.outputs), run(shell, cell.source)
        if stored != printed and IGNORED not in cell.source:
            only = [text for text in stored if text not in printed]
            found.append((cell.id, only, [text for text in printed if text not in stored]))
    return found


def texts_of(outputs: list[nbformat.NotebookNode]) -> list[str]:
    """Return the texts of outputs, in any order, without pictures."""
    said = []
    for output in outputs:
        if output.output_type == "stream":
            said.append(output.text)
        elif output.output_type == "error":
            said.append(f"{output.ename}: {output.evalue}")
        else:
            said += [output.data[kind] for kind in TEXTS if kind in output.data]
    return _sorted_without_pictures(said)


def run(shell: InteractiveShell, source: str) -> list[str]:
    """Return the texts of a cell that runs now."""
    with capture_output() as captured:
        shell.display_trap.hook = CapturingDisplayHook(shell, captured._outputs)
        result = shell.run_cell(source, store_history=True)
    said = [captured.stdout] if captured.stdout else []
    for output in captured.outputs:
        said += [output.data[kind] for kind in TEXTS if kind in output.data]
    if error := result.error_before_exec or result.error_in_exec:
        said.append(f"{type(error).__name__}: {error}")
    return _sorted_without_pictures(said)


def _sorted_without_pictures(said: list[str]) -> list[str]:
    stored = (ONLY_FOR_REOPENING.sub("", text) for text in said)
    return sorted(PICTURE.sub("picture", text).strip() for text in stored)


if __name__ == "__main__":
    sys.exit(main())
