"""The height of each explorer on a page, to reserve its space before it loads.

``python tools/generate.py heights`` measures the explorers on a built site and writes
``heights.toml``. Run it after a height has changed; a test fails if the stored heights are wrong.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

KNOWN_HEIGHTS = Path(__file__).with_name("heights.toml")


def reserved_height(name: str, language: str) -> str:
    """Return a style with the heights of an explorer, one for each kind of screen."""
    heights = _known_heights().get(name, {})
    return ";".join(f"--{size}:{each[language]}px" for size, each in heights.items())


@cache
def _known_heights() -> dict[str, dict[str, dict[str, int]]]:
    if not KNOWN_HEIGHTS.exists():
        return {}
    return tomllib.loads(KNOWN_HEIGHTS.read_text("utf-8"))
