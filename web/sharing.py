"""Pictures for shared links: one for the course, and one for each lesson."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Mapping
from pathlib import Path

from PIL import Image

from course_utils.explorers.story.story import TEXTS, still_of

from .covers import cover
from .headless import SHARED_SIZE, picture_page

WIDTH, HEIGHT = SHARED_SIZE
COURSE = "index"
"""The name of the picture of the course itself."""

CHAPTERS = {chapter["notebook"]: chapter["id"] for chapter in reversed(TEXTS["chapters"])} | {
    "ten_minutes": "wedge",
    COURSE: "clocks",
}
"""The chapter of the animation about a lesson; other lessons use the drawing of their card."""

TYPEFACE = Path(__file__).with_name("fonts") / "text.woff2"
STYLE = f"""
@font-face {{ font-family: Shared; font-weight: 400 700; src: url("{TYPEFACE.as_uri()}"); }}
body {{ font-family: Shared, sans-serif; margin: 0; max-width: none; padding: 0; }}
article {{ background: #fff; box-sizing: border-box; display: flex; flex-direction: column;
  gap: 26px; height: {HEIGHT}px; overflow: hidden; padding: 44px 60px 0; width: {WIDTH}px; }}
h2 {{ font-size: 76px; letter-spacing: -0.02em; line-height: 1.05; margin: 0;
  text-wrap: balance; }}
p {{ color: var(--soft); font-size: 34px; line-height: 1.1; margin: 0 0 8px; }}
img, .cover {{ flex: 1; height: auto; margin: 0; min-height: 0; object-fit: cover; width: 100%; }}
img {{ object-position: top; }}
"""


def write_pictures(
    browser: str, folder: Path, course: str, titles: Mapping[str, str], language: str
) -> None:
    """Draw all pictures on one page, take one screenshot with a browser, and cut it up.

    Args:
        browser: The browser program.
        folder: The folder of the pages in this language. Pictures go into its subfolder ``share``.
        course: The title of the course.
        titles: The text of each picture, keyed by the name of the notebook.
        language: The language of the pages.
    """
    shown = "".join(_drawn(name, title, course, language) for name, title in titles.items())
    style = (folder.parent / "site.css").as_uri()
    (folder / "share").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        sheet, picture = Path(scratch) / "sheet.html", Path(scratch) / "sheet.png"
        head = f'<meta charset="utf-8"><link rel="stylesheet" href="{style}"><style>{STYLE}</style>'
        sheet.write_text(f"<!doctype html>{head}{shown}", "utf-8")
        picture_page(browser, sheet, picture, n_pictures=len(titles))
        whole = Image.open(picture).convert("RGB")
    for number, name in enumerate(titles):
        box = (0, number * HEIGHT, WIDTH, (number + 1) * HEIGHT)
        few_colors = whole.crop(box).quantize(64, dither=Image.Dither.NONE)
        few_colors.save(folder / "share" / f"{name}.png", optimize=True)


def _drawn(name: str, title: str, course: str, language: str) -> str:
    if name in CHAPTERS:
        still = still_of(CHAPTERS[name], language).as_uri()
        picture = f'<img alt="" src="{still}">'
    else:
        picture = cover(name)
    above = f"<p>{course}</p>" if name != COURSE else ""
    return f"<article><div>{above}<h2>{html.escape(title)}</h2></div>{picture}</article>"
