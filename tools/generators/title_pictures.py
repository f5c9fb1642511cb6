"""Generator for the pictures in the lessons' first cells.

Each picture shows the drawing on the lesson's card, and JupyterLab displays it before any cell has
run. The picture is stored in the notebook, so that copies of the file contain it. It is a PNG file
because JupyterLab does not display SVG files there. It is drawn by resvg, whose results are the
same on every machine. Stored pictures that look the same are kept.
"""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import nbformat
import numpy as np
from PIL import Image
from private_jupyter import REPOSITORY

from course_utils.colors import on_both
from web.covers import HEIGHT, WIDTH, cover

TAG = f'<img align="right" alt="" width="{WIDTH}" src="attachment:cover.png">'

STROKES = {
    ".word": "word",
    ".position": "position",
    ".sum": "sum",
    ".soft, .line": "grey",
    ".yes": "green",
}
"""Colours of lines, keyed by selector."""

STYLE = "".join(
    (
        "svg { fill: none; stroke-linecap: round; stroke-linejoin: round; stroke-width: 2.5 }",
        *(f"{lines} {{ stroke: {on_both(name)} }}" for lines, name in STROKES.items()),
        ".thick, .dashed { stroke-width: 4 } .dashed { stroke-dasharray: 3 9 }",
        ".filled { stroke: none }",
        *(f".{name}.filled {{ fill: {on_both(name)} }}" for name in ("word", "position")),
        f".wash.filled {{ fill: {on_both('grey')}66 }}",
    )
)
"""Style with colours that are visible on light and dark backgrounds."""

DENSITY = 1.5  # image pixels per SVG unit

LARGEST_CHANGE = 20
"""Maximum mean difference (out of 255) between two pictures that count as equal."""


def files() -> dict[Path, str]:
    """Return the lessons, except the glossary, with their pictures."""
    return {
        path: with_picture(nbformat.read(path, as_version=4), path.stem)
        for path in sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
        if path.stem != "glossary"
    }


def with_picture(notebook: nbformat.NotebookNode, name: str) -> str:
    """Return the content of a notebook with the lesson's picture in the first cell."""
    title, drawn = notebook.cells[0], picture(name)
    stored = title.get("attachments", {}).get("cover.png", {}).get("image/png")
    if not (stored and looks_like(base64.b64decode(stored), drawn)):
        title.attachments = {"cover.png": {"image/png": base64.b64encode(drawn).decode()}}
    heading, _, text = re.sub(r"<img [^>]*>\n\n", "", title.source).partition("\n")
    title.source = f"{heading}\n\n{TAG}\n{text}"
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def picture(name: str) -> bytes:
    """Return a lesson's drawing as a PNG file with a transparent background and few colours."""
    # The import is here so that other steps work without this package.
    import resvg_py

    head, shapes = cover(name).split(">", 1)
    svg = f'{head} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style>{shapes}'
    width, height = round(DENSITY * WIDTH), round(DENSITY * HEIGHT)
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height)
    drawn = Image.open(io.BytesIO(bytes(png)))
    small = io.BytesIO()
    drawn.quantize(8, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        small, "PNG", optimize=True
    )
    return small.getvalue()


def looks_like(stored: bytes, drawn: bytes) -> bool:
    """Return True if two pictures look the same, except at the edges of lines."""
    first, second = (on_white(Image.open(io.BytesIO(each))) for each in (stored, drawn))
    if first.size != second.size:
        return False
    size = [side // 12 for side in first.size]
    first, second = (
        np.asarray(each.resize(size, Image.Resampling.BOX), float) for each in (first, second)
    )
    return float(abs(first - second).max()) <= LARGEST_CHANGE


def on_white(picture: Image.Image) -> Image.Image:
    """Replace the transparent background of a picture with white."""
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture.convert("RGBA"))
    return white.convert("RGB")
