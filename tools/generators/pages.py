"""The web edition, for the steps that open it in a browser."""

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
    """Return the folder of a built site, which is COURSE_SITE if it is set.

    Otherwise, a new site is built once for all steps and deleted at the end.
    """
    built = Path(os.environ.get("COURSE_SITE", "."))
    if (built / "index.html").exists():
        return built.resolve()
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    site = Path(folder.name) / "site"
    command = [sys.executable, "-m", "web.build", "--out", site]
    subprocess.run(command, check=True, cwd=REPOSITORY)
    return site
