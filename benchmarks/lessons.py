"""Measure the time and memory that lessons need in addition to a kernel with the same imports.

python benchmarks/lessons.py                      all of them
python benchmarks/lessons.py notebooks/04_*.ipynb these
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import nbformat
import psutil
from nbclient import NotebookClient
from nbformat import NotebookNode

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
from private_jupyter import REPOSITORY, leave_personal_settings

LESSONS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
IMPORTS = "import matplotlib.pyplot, numpy, ipywidgets, anywidget"


def run(notebook: NotebookNode) -> tuple[float, float]:
    """Return the seconds until the last cell has finished, and the kernel's final memory in MiB."""
    memory = 0.0

    def weigh(**_: object) -> None:
        nonlocal memory
        memory = psutil.Process(client.km.provisioner.process.pid).memory_info().rss / 2**20

    client = NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(LESSONS[0].parent)}}
    )
    client.on_cell_executed = weigh
    start = time.perf_counter()
    client.execute()
    return time.perf_counter() - start, memory


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, default=LESSONS)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    python = f"Python {platform.python_version()}, {platform.system()}"
    print(f"{python}, median of {options.rounds} rounds")
    print(f"{'':28} {'seconds':>8} {'beyond':>8} {'MiB':>7} {'ratio':>6}")
    bare = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(IMPORTS)])
    notebooks = {"bare kernel, same imports": bare} | {
        path.stem: nbformat.read(path, as_version=4) for path in options.notebooks
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        leave_personal_settings(Path(folder))
        rounds = [
            {name: run(notebook) for name, notebook in notebooks.items()}
            for _ in range(options.rounds)
        ]
    medians = {
        name: [median(each[name][column] for each in rounds) for column in (0, 1)]
        for name in notebooks
    }
    bare_seconds, bare_memory = next(iter(medians.values()))
    for name, (seconds, memory) in medians.items():
        print(
            f"{name:28} {seconds:8.2f} {seconds - bare_seconds:8.2f} {memory:7.0f} "
            f"{memory / bare_memory:5.2f}x"
        )


if __name__ == "__main__":
    main()
