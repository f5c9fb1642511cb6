"""Add the drawing of each lesson's card to its title, as a PNG in the first cell.

    python tools/title_pictures.py

In JupyterLab the drawing is visible before anything has run. It is stored in the notebook itself,
so that a copy of the file has it too. JupyterLab does not show SVG there.
"""

from __future__ import annotations

import base64
import io
import re
import sys

import nbformat
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from private_jupyter import REPOSITORY, open_browser

sys.path.append(str(REPOSITORY / "web"))
from covers import COVERS, HEIGHT, WIDTH, cover

TAG = f'<img align="right" alt="" width="{WIDTH}" src="attachment:cover.png">'

STYLE = f"""
body {{ margin: 0 }}
svg {{ display: block; fill: none; height: {HEIGHT}px; width: {WIDTH}px;
  stroke-linecap: round; stroke-linejoin: round; stroke-width: 2.5 }}
.word {{ stroke: #2b8acb }} .position {{ stroke: #d9702a }} .sum {{ stroke: #a06cc4 }}
.soft, .line {{ stroke: #8a949d }} .yes {{ stroke: #1f9e78 }}
.thick, .dashed {{ stroke-width: 4 }} .dashed {{ stroke-dasharray: 3 9 }}
.filled {{ stroke: none }} .word.filled {{ fill: #2b8acb }} .position.filled {{ fill: #d9702a }}
.wash.filled {{ fill: #8a949d66 }}
"""
"""Colours that are visible on light and dark backgrounds, because a picture has no theme."""


def picture(page: Page, name: str) -> str:
    """Return the drawing of a lesson on a transparent background, in few colours, in base64."""
    page.set_content(f"<style>{STYLE}</style>{cover(name)}")
    drawn = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    small = io.BytesIO()
    drawn.quantize(8, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        small, "PNG", optimize=True
    )
    return base64.b64encode(small.getvalue()).decode()


def main() -> None:
    """Draw the pictures of all notebooks except the glossary, which is a table of terms."""
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        size = {"width": WIDTH, "height": HEIGHT}
        page = browser.new_page(viewport=size, device_scale_factor=1.5)
        for name in COVERS.keys() - {"glossary"}:
            path = REPOSITORY / "notebooks" / f"{name}.ipynb"
            notebook = nbformat.read(path, as_version=4)
            title = notebook.cells[0]
            title.attachments = {"cover.png": {"image/png": picture(page, name)}}
            heading, _, text = re.sub(r"<img [^>]*>\n\n", "", title.source).partition("\n")
            title.source = f"{heading}\n\n{TAG}\n{text}"
            nbformat.write(notebook, path)
        browser.close()


if __name__ == "__main__":
    main()
