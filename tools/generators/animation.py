"""Generator for the pictures of the opening animation: stills, and GIFs for README.

``sources.toml``, next to the stills, stores checksums of the pictures and of the words, colours and
styles in them. After a change to any of these, all pictures are replaced. Otherwise, a stored
picture is kept unless the new one differs visibly, because two browsers draw the edges of lines and
letters with different pixels. After a change to the stills, execute ten_minutes.ipynb.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, ImageSequence
from playwright.sync_api import Locator, Page, sync_playwright
from private_jupyter import REPOSITORY, open_browser

from course_utils.explorers.story.story import CHAPTERS, STILLS, STYLE
from course_utils.text_model import WEIGHTS
from course_utils.words.text import SHOWN
from web import story_page
from web.sharing import TYPEFACE

from .pages import built_site

IMAGES = REPOSITORY / "images"
SOURCES = STILLS / "sources.toml"
LARGEST = 1_500_000
"""Maximum size in bytes of a GIF, which README loads before its text."""

SQUARE = 16  # side length in pixels of the squares in which pictures are compared
LARGEST_CHANGE = 8
"""Maximum mean difference (out of 255) in a square for which two pictures count as equal."""

BARE = f"""
@font-face {{ font-family: Drawn; font-weight: 400 700; src: url("{TYPEFACE.as_uri()}"); }}
.course-story {{ font-family: Drawn, sans-serif; }}
* {{ transition: none !important; }}
header, footer, .landing h1, .begin, .reader, .act, .kept {{ display: none !important; }}
.story-foot, .story-caption a {{ display: none !important; }}
.landing main {{ max-width: none; }}
"""
ALONE = """
.story-caption { display: none !important; }
.course-story { display: block; }
.story-scene { height: 100%; }
"""
MARGIN = 8  # margin around a still, in pixels
STILL_SIZE = {"width": 400, "height": 400}
"""Size of a still in CSS pixels, similar to a phone's screen, so that letters are large."""

STILL_DENSITY = 1.1  # image pixels per CSS pixel
FILM_SIZE = {"width": 760, "height": 470}
REST, STEP, N_STEPS = 1_500, 70, 9  # milliseconds per frame, and number of frames between chapters


def frozen(page: Page, t: float) -> Locator:
    """Show the animation at time t, and wait until all movement has ended."""
    page.evaluate(
        """async (t) => {
            const story = document.querySelector(".course-story").courseStory;
            // On a slow machine, the animation has reduced its resolution.
            Object.assign(story, { aim: t, t, intro: 0, extra: 0, wanted: 0, isLean: false });
            story.color();
            const later = () => new Promise((done) => setTimeout(done, 30));
            while (t > 5.5 && !story.reading.bits) await later();
            story.before = null;
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""",
        t,
    )
    return page.locator(".course-story")


def picture_at(page: Page, t: float) -> Image.Image:
    """Take a picture of the animation at time t."""
    return Image.open(io.BytesIO(frozen(page, t).screenshot())).convert("RGB")


def few_colors(pictures: list[Image.Image]) -> Image.Image:
    """Return a palette of 64 colours for several pictures of the same size."""
    width, height = pictures[0].size
    together = Image.new("RGB", (width, height * len(pictures)))
    for number, picture in enumerate(pictures):
        together.paste(picture, (0, height * number))
    return together.quantize(64, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)


def stills(page: Page, language: str) -> Iterator[tuple[Path, bytes]]:
    """Yield a path and a picture for each chapter, without the title, which is in the caption."""
    page.add_style_tag(content=ALONE)
    for number, chapter in enumerate(CHAPTERS):
        # The number line extends beyond the animation; with a margin, it does not look cut off.
        bordered = ImageOps.expand(picture_at(page, number), border=MARGIN, fill="white")
        still, file = io.BytesIO(), STILLS / f"{chapter}-{language}.png"
        bordered.quantize(20, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(
            still, "PNG", optimize=True
        )
        yield file, still.getvalue()


def times() -> Iterator[tuple[float, int]]:
    """Yield the time and the duration of each frame in the film."""
    for chapter in range(len(CHAPTERS)):
        yield chapter, REST
        if chapter < len(CHAPTERS) - 1:
            for step in range(1, N_STEPS):
                m = step / N_STEPS
                yield chapter + m * m * (3 - 2 * m), STEP


def film(page: Page) -> bytes:
    """Return all chapters and their transitions as a GIF.

    Raises:
        ValueError: If the GIF is too large for README.
    """
    palette = few_colors([picture_at(page, chapter) for chapter in range(len(CHAPTERS))])
    moments, stays = zip(*times(), strict=True)
    first, *others = (
        picture_at(page, t).quantize(palette=palette, dither=Image.Dither.NONE) for t in moments
    )
    gif = io.BytesIO()
    first.save(
        gif, "GIF", save_all=True, append_images=others, duration=stays, loop=0, optimize=True
    )
    if len(gif.getvalue()) > LARGEST:
        raise ValueError(f"the film may have {LARGEST} bytes; it has {len(gif.getvalue())}.")
    return gif.getvalue()


def files() -> dict[Path, str | bytes]:
    """Return the stills and the films, and the file with their checksums."""
    are_sources_current = is_current()
    pictures = {
        path: path.read_bytes()
        if are_sources_current and show_same(path.read_bytes(), now)
        else now
        for path, now in photographed().items()
    }
    return pictures | {SOURCES: as_toml(pictures)}


def is_current() -> bool:
    """Return True if the stored checksums of the pictures and of their sources are current.

    The drawing code is not among the sources, because most changes to it affect no picture.
    """
    stored = {path: path.read_bytes() for path in paths() if path.exists()}
    return SOURCES.exists() and SOURCES.read_text("utf-8") == as_toml(stored)


def paths() -> list[Path]:
    """Return the path of each still and film."""
    stills = [STILLS / f"{chapter}-{each}.png" for each in SHOWN for chapter in CHAPTERS]
    return stills + [IMAGES / f"scene-{each}.gif" for each in SHOWN]


def as_toml(pictures: Mapping[Path, bytes]) -> str:
    """Return the content of ``sources.toml``, with checksums of the sources and the pictures."""
    lines = ["# Written by tools/generate.py: checksums of the pictures and of what they show."]
    named = sorted((path.name, content) for path, content in pictures.items())
    for title, parts in (("sources", sources()), ("pictures", named)):
        lines += ["", f"[{title}]"]
        for name, content in parts:
            lines.append(f'"{name}" = "{hashlib.sha256(content).hexdigest()[:16]}"')
    return "\n".join(lines) + "\n"


def sources() -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all sources of the pictures except code."""
    yield "style", STYLE.encode()
    yield "typeface", TYPEFACE.read_bytes()
    yield "character model", (WEIGHTS / "rope.bin").read_bytes()
    for language in SHOWN:
        yield f"words and colours, {language}", story_page.story_html(language).encode()
    bare = BARE.replace(TYPEFACE.as_uri(), "")  # the address of a file differs between machines
    camera = (bare, ALONE, MARGIN, STILL_SIZE, STILL_DENSITY, FILM_SIZE, REST, STEP, N_STEPS)
    yield "camera", repr(camera).encode()


def photographed() -> dict[Path, bytes]:
    """Open the first page in each language, and return new stills and a new film."""
    found: dict[Path, bytes] = {}
    site = built_site()
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        for folder in sorted(path.parent for path in site.glob("*/index.html")):
            for size, density in ((STILL_SIZE, STILL_DENSITY), (FILM_SIZE, 1)):
                page = browser.new_page(
                    viewport=size, device_scale_factor=density, color_scheme="light"
                )
                page.emulate_media(reduced_motion="reduce" if size is STILL_SIZE else None)
                page.goto((folder / "index.html").as_uri())
                height = f".scene, .scene > .course-story {{ height: {size['height']}px; }}"
                page.add_style_tag(content=BARE + height)
                page.evaluate("document.fonts.ready")
                page.wait_for_timeout(2_500)
                if size is STILL_SIZE:
                    found.update(stills(page, folder.name))
                else:
                    found[IMAGES / f"scene-{folder.name}.gif"] = film(page)
                page.close()
        browser.close()
    return found


def show_same(stored: bytes, now: bytes) -> bool:
    """Return True if two pictures, or all frames of two films, look the same."""
    first, second = (
        [frame.convert("L") for frame in ImageSequence.Iterator(Image.open(io.BytesIO(each)))]
        for each in (stored, now)
    )
    if [each.size for each in first] != [each.size for each in second]:
        return False
    return all(largest_change(*pair) <= LARGEST_CHANGE for pair in zip(first, second, strict=True))


def largest_change(first: Image.Image, second: Image.Image) -> float:
    """Return the largest mean difference between the pixels of corresponding squares."""
    size = [side // SQUARE for side in first.size]
    small = [np.asarray(each.resize(size, Image.Resampling.BOX), float) for each in (first, second)]
    return float(abs(small[0] - small[1]).max())
