"""JavaScript of a view as one module, because a notebook has no files to import."""

import re
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent


def script(modules: Iterable[str]) -> str:
    """Return JavaScript files of this folder, in order, as one module without imports."""
    sources = ((FOLDER / name).read_text("utf-8") for name in modules)
    return re.sub(r"^import [^;]+;\n", "", "\n".join(sources), flags=re.M)
