"""Tests that the numbers in notebooks do not depend on the processor.

OpenBLAS and NumPy contain code for several kinds of processors, and can be configured to use the
code for older processors.
"""

import os
import subprocess
import sys

import pytest
from numpy import show_config
from private_jupyter import REPOSITORY

WITHOUT = {
    "Haswell": {"X86_V4", "AVX512_ICL", "AVX512_SPR"},
    "Nehalem": {"X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"},
}
"""Instructions that NumPy must not use, keyed by OpenBLAS's name of the processor."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", WITHOUT)
def test_every_notebook_prints_the_same_on_a_processor(kind):
    # What this processor has beyond the least that NumPy asks for, in NumPy's names.
    found = show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    without = WITHOUT[kind] & {*found}
    if not without:
        pytest.skip("this processor has no instructions that an older one lacks")
    settings = {
        "OPENBLAS_CORETYPE": kind,
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(sorted(without)),
    }
    environment = {name: x for name, x in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-n2", "notebooks", "solutions"]
    run = subprocess.run(
        command, cwd=REPOSITORY, env=environment | settings, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
