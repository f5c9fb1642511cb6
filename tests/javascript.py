"""Functions of the package's JavaScript, run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["in_javascript", "needs_node"]

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is missing: install nodejs")


def in_javascript(file: Path, calls: str, given: object) -> object:
    """What ``calls`` makes of ``given``, with the functions of the file."""
    program = (
        f"{file.read_text(encoding='utf-8')}\n"
        "let text = ''; for await (const part of process.stdin) text += part;\n"
        f"const given = JSON.parse(text);\nconsole.log(JSON.stringify({calls}));"
    )
    command = [NODE, "--input-type=module", "--eval", program]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
