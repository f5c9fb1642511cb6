"""Small SVG pictures for the lessons' cards, drawn from the lessons' computations.

Each is 240 by 110 units. Colours are classes in site.css: word, position, sum, soft, line.
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
    """Return the picture for the notebook with this name, or three clocks if it has none."""
    draw = COVERS.get(name, _clock)
    view = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg class="cover" {view} aria-hidden="true">{draw()}</svg>'


def _path(points: Iterable[tuple[float, float]], kind: str) -> str:
    line = " ".join(f"{x:.0f} {y:.1f}" for x, y in points)
    return f'<polyline class="{kind}" points="{line}"/>'


def _cells(filled: Iterable[tuple[float, float]], width: float, height: float, kind: str) -> str:
    """Draw rectangles of equal size as one path, given their upper left corners."""
    marks = "".join(f"M{x:.0f} {y:.0f}h{width:.0f}v{height:.0f}h-{width:.0f}z" for x, y in filled)
    return f'<path class="{kind} filled" d="{marks}"/>'


def _dial(x: float, y: float, radius: float, angle: float, kind: str) -> str:
    """Draw a dial; its hand is turned anticlockwise from three o'clock by the given angle."""
    tip = x + radius * np.cos(angle), y - radius * np.sin(angle)
    circle = f'<circle class="line" cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}"/>'
    dot = f'<circle class="{kind} filled" cx="{tip[0]:.0f}" cy="{tip[1]:.0f}" r="5"/>'
    return circle + _path([(x, y), tip], f"{kind} thick") + dot


def _clock() -> str:
    places = zip((46, 120, 194), angular_frequencies(6, base=30), strict=True)
    return "".join(_dial(x, 55, 34, 5 * each, "position") for x, each in places)


def _slider() -> str:
    track = _path([(30, 78), (210, 78)], "line thick") + _path(
        [(30, 78), (128, 78)], "position thick"
    )
    knob = '<circle class="position filled" cx="128" cy="78" r="10"/>'
    wave = sinusoidal_encoding(37, 8)[:, 2]
    return _path(((30 + 5 * i, 38 - 20 * y) for i, y in enumerate(wave)), "word") + track + knob


def _sentence() -> str:
    """Draw two words that have changed positions, and arcs between all words."""
    places = [24, 72, 120, 168, 216]
    kinds = ["word", "position", "word", "word", "position"]
    boxes = "".join(_cells([(x - 19, 78)], 38, 18, kinds[i]) for i, x in enumerate(places))
    arcs = "".join(
        f'<path class="soft" d="M72 74Q{(72 + x) / 2:.0f} {74 - abs(x - 72) * 0.8:.0f} {x} 74"/>'
        for x in places
        if x != 72
    )
    return arcs + boxes


def _chapters() -> str:
    """Draw bars, bits, a wave and a clock hand, as in the chapters of the animation."""
    bars = "".join(
        _cells([(14 + 13 * i, 81 - 17 * i)], 9, 17 * (i + 1), "position") for i in range(3)
    )
    table = binary_encoding(4, 3)
    bits = _cells(((74 + 13 * i, 30 + 24 * j) for i, j in np.argwhere(table)), 11, 20, "word")
    wave = sinusoidal_encoding(23, 8, base=100)[:, 2]
    wave = _path(((136 + 2 * i, 55 - 26 * y) for i, y in enumerate(wave)), "word thick")
    return bars + bits + wave + _dial(208, 55, 24, 0.9, "position")


def _counting() -> str:
    counted = index_encoding(23, 1)[:, 0] / 22
    shared = (normalized_encoding(n, 1)[:, 0] for n in (8, 23))
    lines = [_path(((20 + 9 * i, 98 - 88 * y) for i, y in enumerate(counted)), "word thick")]
    lines += [
        _path(((20 + 9 * i, 98 - 44 * y) for i, y in enumerate(y)), "position") for y in shared
    ]
    return _path([(20, 8), (20, 98), (228, 98)], "line") + "".join(lines)


def _bits() -> str:
    table = binary_encoding(32, 5)
    return _cells(((8 + 7 * i, 8 + 19 * j) for i, j in np.argwhere(table)), 7, 16, "word")


def _waves() -> str:
    table = sinusoidal_encoding(45, 8, base=100)
    return "".join(
        _path(
            ((10 + 5 * i, 17 + 25 * k - 10 * y) for i, y in enumerate(table[:, 2 * k])),
            "word thick",
        )
        for k in range(4)
    )


def _turn() -> str:
    """Draw a hand, and the same hand after a turn by the marked angle."""
    angles = np.linspace(0.3, 1.9, 16)
    arc = [(170 + 24 * np.cos(angle), 55 - 24 * np.sin(angle)) for angle in angles]
    dials = _dial(70, 55, 44, angles[0], "word") + _dial(170, 55, 44, angles[-1], "position")
    return dials + _path([(170, 55), arc[0]], "soft") + _path(arc, "sum thick")


def _spacing() -> str:
    """Draw the frequencies for three bases, from fast on the left to slow on the right."""
    shown = ""
    for y, base in ((22, 10), (55, 100), (88, 10_000)):
        shown += _path([(15, y), (230, y)], "line")
        for x in 225 + 50 * np.log10(angular_frequencies(16, base=base)):
            shown += f'<circle class="position filled" cx="{x:.0f}" cy="{y}" r="5"/>'
    return shown


def _look_back() -> str:
    """Draw queries that look at the previous key."""
    size, places = 12, range(8)
    frame = _cells(
        ((72 + size * j, 7 + size * i) for i in places for j in range(i + 1)), 11, 11, "wash"
    )
    return frame + _cells(((72 + size * (i - 1), 7 + size * i) for i in places[1:]), 11, 11, "word")


def _fading() -> str:
    """Draw ALiBi's penalties against distance for four heads."""
    bias = alibi_bias(24, 4)[:, -1, ::-1]
    lines = [
        _path(((20 + 9 * i, min(98, 12 - 30 * y)) for i, y in enumerate(head)), "sum thick")
        for head in bias
    ]
    return _path([(20, 8), (20, 98), (228, 98)], "line") + "".join(lines)


def _longer() -> str:
    """Draw two slow waves, within the training length and beyond it."""
    table = sinusoidal_encoding(45, 4, base=150)
    lines = []
    for k, y in ((0, 32), (1, 80)):
        points = [(10 + 5 * i, y - 20 * each) for i, each in enumerate(table[:, 2 * k])]
        lines += [_path(points[:20], "word thick"), _path(points[19:], "position dashed")]
    return "".join(lines) + _path([(105, 6), (105, 104)], "soft")


def _verdicts() -> str:
    verdicts = [(40, True), (93, False), (147, False), (200, True)]
    shown = ""
    for x, right in verdicts:
        shown += f'<rect class="line" x="{x - 21}" y="28" width="42" height="54" rx="6"/>'
        kind, mark = "position", f"M{x - 8} 48l16 16m0-16l-16 16"
        if right:
            kind, mark = "yes", f"M{x - 10} 56l7 8 13-18"
        shown += f'<path class="{kind} thick" d="{mark}"/>'
    return shown


def _configured() -> str:
    """Draw the clocks of three kinds of layers, as marks on a scale of turns."""
    rows = ((22, range(20, 220, 14)), (55, range(62, 220, 11)), (88, range(118, 220, 8)))
    marks = _path([(84, 8), (84, 102)], "soft") + _path([(118, 8), (118, 102)], "soft")
    for y, starts in rows:
        for x in starts:
            kind = "word" if 84 <= x < 118 else "position"
            marks += _path([(x, y - 7), (x, y + 7)], f"{kind} thick")
    return marks


def _squares() -> str:
    """Draw the squares of a picture, with the row and the column of one square marked."""
    here, places = (2, 4), [(row, column) for row in range(5) for column in range(9)]
    kinds = ["wash", "word", "position"]
    return "".join(
        _cells(
            [(16 + 23 * column, 6 + 20 * row)],
            20,
            17,
            kinds[(row == here[0]) + (column == here[1])],
        )
        for row, column in places
    )


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
    "11_your_model": _configured,
    "12_beyond_words": _squares,
    "glossary": _terms,
    "ten_minutes": _chapters,
}
