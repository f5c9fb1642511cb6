"""Tests that the numbers in notebooks do not depend on the processor.

OpenBLAS and NumPy contain code for several kinds of processors, and can be configured to use the
code for older processors. README's command runs the notebooks with the code for this processor.
``.ci/run`` also has to run them without the packages for tests, which it does with the code for
Haswell, to compare the outputs here.
"""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from checks.outputs import WIDGET_VIEW
from checks.pictures import IN_HTML, picture_problems
from checks.processors import settings
from execute import forget_the_machine
from nbformat import NotebookNode
from private_jupyter import REPOSITORY, notebooks_with_outputs

pytestmark = pytest.mark.slow


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


@pytest.mark.skipif("COURSE_EXECUTED" not in os.environ, reason="only .ci/run runs the notebooks")
def test_notebooks_run_for_haswell_print_the_same():
    folder = Path(os.environ["COURSE_EXECUTED"])
    for path in notebooks_with_outputs():
        name = path.relative_to(REPOSITORY)
        if "require_torch" in path.read_text("utf-8"):
            continue
        stored, executed = (nbformat.read(each, as_version=4) for each in (path, folder / name))
        assert any("execution" in cell.metadata for cell in executed.cells), f"{name} was not run"
        forget_the_machine(executed)
        for before, now in zip(stored.cells, executed.cells, strict=True):
            if now.cell_type != "code" or "NBVAL_IGNORE_OUTPUT" in now.source:
                continue
            assert texts_in(now.outputs) == texts_in(before.outputs), f"{name}, {now.id}"
            assert picture_problems(before.outputs, now.outputs) == [], f"{name}, {now.id}"


def test_every_notebook_prints_the_same_on_nehalem():
    older = settings("Nehalem")
    if not older:
        pytest.skip("this processor has no instructions that an older one lacks")
    environment = {name: x for name, x in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-n2", "notebooks", "solutions"]
    run = subprocess.run(
        command, cwd=REPOSITORY, env=environment | older, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
