"""Small files that outlive a kernel: what a reader chose, what a learner solved."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["keep"]


def keep(path: Path, text: str) -> bool:
    """Write a file whole or not at all; False when its folder cannot be written."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        return False
    return True
