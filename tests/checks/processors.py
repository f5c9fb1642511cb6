"""Settings with which NumPy and OpenBLAS use their code for older processors.

``python tests/checks/processors.py Haswell jupyter execute notebook.ipynb`` runs a command with
these settings.
"""

import os
import subprocess
import sys

from numpy import show_config

WITHOUT = {
    "Haswell": {"X86_V4", "AVX512_ICL", "AVX512_SPR"},
    "Nehalem": {"X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"},
}
"""Instructions that NumPy must not use, keyed by OpenBLAS's name of the processor."""


def settings(kind: str) -> dict[str, str]:
    """Return environment variables, or an empty dictionary if they would change nothing."""
    # Features of this processor beyond NumPy's baseline, as NumPy names them.
    found = show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    without = WITHOUT[kind] & {*found}
    if not without:
        return {}
    return {
        "OPENBLAS_CORETYPE": kind,
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(sorted(without)),
    }


if __name__ == "__main__":
    kind, *command = sys.argv[1:]
    sys.exit(subprocess.run(command, env=os.environ | settings(kind)).returncode)
