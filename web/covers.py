"""A small picture for the card of each lesson, drawn from what the lesson computes, as SVG.

Each is 240 by 110 units. Colours are classes of site.css: word, position, sum, soft, line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from course_utils import (
    angular_frequencies,
    binary_encoding,
    index_encoding,
    normalized_encoding,
    sinusoidal_encoding,
)
from course_utils.relative import alibi_bias

WIDTH, HEIGHT = 240, 110


def cover(name: str) -> str:
    """The picture of a lesson by the name of its notebook; a clock where it has none of its own."""
    draw = COVERS.get(name, _clock)
    view = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg class="cover" {view} aria-hidden="true">{draw()}</svg>'


def _path(points: Iterable[tuple[float, float]], kind: str) -> str:
    line = " ".join(f"{x:.0f} {y:.0f}" for x, y in points)
    return f'<polyline class="{kind}" points="{line}"/>'


def _cells(filled: Iterable[tuple[float, float]], width: float, height: float, kind: str) -> str:
    """Rectangles of one size in one path, by their upper left corners."""
    marks = ""
    for x, right in said:
        kind, mark = ("yes", yes.format(x - 10)) if right else ("position", no.format(x - 8))
        marks += f'<path class="{kind} thick" d="{mark}"/>'
    return boxes + marks


def _code() -> str:
    lines = [(24, 90), (40, 130), (40, 100), (40, 150), (24, 60)]
    return "".join(
        _path([(x, 18 + 19 * i), (x + w, 18 + 19 * i)], "word thick" if i % 2 else "soft thick")
        for i, (x, w) in enumerate(lines)
    )


def _terms() -> str:
    return "".join(
        _path([(24, y), (70, y)], "position thick")
        + _path([(84, y), (216 - 30 * (i % 2), y)], "soft thick")
        for i, y in enumerate((24, 45, 66, 87))
    )


COVERS: dict[str, Callable[[], str]] = {
    "00_start_here": _slider,
    "01_why_order_matters": _sentence,
    "02_naive_encodings": _counting,
    "03_binary_encodings": _bits,
    "04_sinusoidal_encodings": _waves,
    "05_relative_position": _turn,
    "06_frequencies_base_precision": _spacing,
    "07_inside_attention": _look_back,
    "07_pytorch_appendix": _code,
    "08_beyond_sinusoids": _fading,
    "09_longer_than_trained": _longer,
    "10_myths": _verdicts,
    "glossary": _terms,
}
