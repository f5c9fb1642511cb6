"""The web edition, for the steps that look at it in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from private_jupyter import REPOSITORY


@contextmanager
def built_site() -> Iterator[Path]:
    """Yield the folder of a built site: the one that COURSE_SITE names, or a new one."""
    built = Path(os.environ.get("COURSE_SITE", "."))
    if (built / "index.html").exists():
        yield built.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        command = [sys.executable, REPOSITORY / "web" / "build.py", "--out", site]
        subprocess.run(command, check=True, cwd=REPOSITORY)
        yield site
