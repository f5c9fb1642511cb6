"""The course's colours, for pictures, style sheets and scripts.

``colors.toml`` is their only source. Python reads ``COLORS``, scripts receive the colours with an
explorer's settings, and style sheets use variables such as ``--c-word`` (in lessons and on pages)
and ``--course-word`` (in explorers).
"""

from __future__ import annotations

import tomllib
from pathlib import Path

COLORS, RAMPS, PAGE_COLORS = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
).values()
"""Colours of pictures, ramps and text on pages, keyed by name, for light and dark backgrounds."""

# Tables without negative numbers use the colours that signed tables use for positive numbers.
RAMPS["upper half"] = [colors[len(colors) // 2 :] for colors in RAMPS["diverging"]]


def on_light(name: str) -> str:
    """Return a picture colour for light backgrounds."""
    return COLORS[name][0]


def on_both(name: str) -> str:
    """Return a colour between the light and the dark version, visible on both backgrounds."""
    light, dark = (bytes.fromhex(color.removeprefix("#")) for color in COLORS[name])
    middle = ((one + other) // 2 for one, other in zip(light, dark, strict=True))
    return f"#{bytes(middle).hex()}"


def variables(is_dark: bool) -> str:
    """Return declarations of CSS variables, such as ``--c-word``, for the picture colours."""
    return "".join(f"--c-{name}:{pair[is_dark]};" for name, pair in COLORS.items())
