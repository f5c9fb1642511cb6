"""The web edition, for the steps that look at it in a browser."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from private_jupyter import REPOSITORY


@cache
def built_site() -> Path:
    """Return the folder of a built site: the one that COURSE_SITE names, or a new one.

    A new one is built once for all steps, and deleted at the end.
    """
    built = Path(os.environ.get("COURSE_SITE", "."))
    if (built / "index.html").exists():
        return built.resolve()
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    site = Path(folder.name) / "site"
    command = [sys.executable, REPOSITORY / "web" / "build.py", "--out", site]
    subprocess.run(command, check=True, cwd=REPOSITORY)
    return site
