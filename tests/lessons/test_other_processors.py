"""The numbers in the notebooks are those of every processor: no digit hangs on the instructions.

OpenBLAS and NumPy have code for several kinds of processor and can be told to use an older one's.
"""

import os
import platform
import subprocess
import sys

import pytest
from private_jupyter import REPOSITORY

KINDS = {
    "with-avx512": ("SkylakeX", set()),
    "with-avx2": ("Haswell", {"X86_V4", "AVX512_ICL", "AVX512_SPR"}),
    "with-neither": ("Nehalem", {"X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"}),
}
NEEDED = {"SkylakeX": "X86_V4", "Haswell": "X86_V3", "Nehalem": None}


def instructions() -> set[str]:
    """What this processor has beyond the least that NumPy asks for, in NumPy's names."""
    from numpy import show_config

    return set(show_config(mode="dicts")["SIMD Extensions"].get("found", []))


@pytest.mark.slow
@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"),
    reason="this is no x86 processor, which alone can stand in for older ones",
)
@pytest.mark.parametrize("kind", KINDS)
def test_every_notebook_prints_the_same_on_a_processor(kind):
    kernels, without = KINDS[kind]
    here = instructions()
    if NEEDED[kernels] not in {None, *here}:
        pytest.skip(f"this processor cannot run what OpenBLAS has for {kernels}")
    if not without & here:
        pytest.skip("its instructions are those of this processor: the run of notebooks tests them")
    settings = {
        "OPENBLAS_CORETYPE": kernels,
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(sorted(without & here)),
    }
    command = [sys.executable, REPOSITORY / "tools" / "printed_again.py"]
    run = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
