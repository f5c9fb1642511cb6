"""Tests that the numbers in notebooks do not depend on the processor.

OpenBLAS and NumPy contain code for several kinds of processors, and can be configured to use the
code for older processors. README's command runs the notebooks with the code for this processor.
``.ci/run`` must also run them without the test packages. It does so with the code for Haswell, so
that the outputs can be compared here.
"""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from checks.processors import settings
from checks.run_notebooks import output_problems
from private_jupyter import REPOSITORY, notebooks_with_outputs

pytestmark = pytest.mark.slow


@pytest.mark.skipif("COURSE_EXECUTED" not in os.environ, reason="only .ci/run runs the notebooks")
def test_notebooks_print_equal_outputs_on_haswell():
    folder = Path(os.environ["COURSE_EXECUTED"])
    for path in notebooks_with_outputs():
        if "require_torch" not in path.read_text("utf-8"):
            executed = nbformat.read(folder / path.relative_to(REPOSITORY), as_version=4)
            assert any("execution" in cell.metadata for cell in executed.cells), f"run {path}"
            assert output_problems(path, executed) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a process")
def test_notebooks_print_equal_outputs_on_nehalem():
    older = settings("Nehalem")
    if not older:
        pytest.skip("this processor has no instructions that an older one lacks")
    path = os.pathsep.join(str(REPOSITORY / folder) for folder in ("", "tests", "tools"))
    older |= {"PYTHONPATH": path, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    command = [sys.executable, "-m", "checks.run_notebooks"]
    run = subprocess.run(command, env=os.environ | older, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
