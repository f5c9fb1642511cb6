"""Generator for the heights of explorers, for which pages reserve space.

Heights depend on line breaks in the browser, so a stored height is kept if it is nearly correct.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from private_jupyter import REPOSITORY

from .pages import built_site

sys.path.append(str(REPOSITORY / "web"))
from heights import KNOWN, as_toml, measured

TOLERANCE = 12  # pixels, about half a line of text


def files() -> dict[Path, str]:
    """Return the file of heights, which are keyed by explorer, screen and language."""
    heights = measured(built_site())
    stored = tomllib.loads(KNOWN.read_text("utf-8")) if KNOWN.exists() else {}
    for name, screens in heights.items():
        for screen, languages in screens.items():
            for language, height in languages.items():
                before = stored.get(name, {}).get(screen, {}).get(language, -1_000)
                if abs(before - height) <= TOLERANCE:
                    languages[language] = before
    return {KNOWN: as_toml(heights)}
