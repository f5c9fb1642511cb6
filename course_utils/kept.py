"""A small file that outlives a kernel."""

import os
import tempfile
from pathlib import Path


def keep(path: Path, text: str) -> None:
    """Write a file whole or, with an OSError, leave what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
