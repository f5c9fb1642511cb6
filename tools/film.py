"""Take pictures of the animation: its stills for print, and the README's GIFs.

    python web/build.py --out site
    python tools/film.py site

It writes ``course_utils/explorers/stills`` and ``images/scene-LANGUAGE.gif``. Run it after a change
of the animation, its texts or the weights that it shows, then run ten_minutes.ipynb again. It needs
the extra ``test`` and Chromium, Chrome or Edge (COURSE_BROWSER names another program).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import Locator, Page, sync_playwright
from private_jupyter import REPOSITORY, open_browser

from course_utils.explorers.story.story import CHAPTERS, STILLS

sys.path.append(str(REPOSITORY / "web"))
from sharing import FACE

IMAGES = REPOSITORY / "images"
LARGEST = 1_500_000
"""Largest size of a GIF in bytes; README shows one before its text."""

BARE = f"""
@font-face {{ font-family: Drawn; font-weight: 400 700; src: url("{FACE}"); }}
.course-story {{ font-family: Drawn, sans-serif; }}
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
"""The size of a phone, so that a still has large letters there."""

STILL_DENSITY = 1.1  # pixels of a still for each of these
FILM_SIZE = {"width": 760, "height": 470}
REST, STEP, N_STEPS = 1_500, 70, 9  # milliseconds per frame; frames between chapters


def frozen(page: Page, t: float) -> Locator:
    """Show the animation at time t, after all movement has ended."""
    page.evaluate(
        """async (t) => {
            const story = document.querySelector(".course-story").courseStory;
            Object.assign(story, { aim: t, t, intro: 0, extra: 0, wanted: 0 });
            story.wake();
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
    """Return a palette of 64 colours for all these pictures of one size."""
    width, height = pictures[0].size
    together = Image.new("RGB", (width, height * len(pictures)))
    for number, picture in enumerate(pictures):
        together.paste(picture, (0, height * number))
    return together.quantize(64, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)


def write_stills(page: Page, language: str) -> None:
    """Write a picture of each chapter, without its title, which is in the caption."""
    page.add_style_tag(content=ALONE)
    STILLS.mkdir(exist_ok=True)
    for number, chapter in enumerate(CHAPTERS):
        # The number line continues beyond the animation, but no picture looks cut off.
        bordered = ImageOps.expand(picture_at(page, number), border=MARGIN, fill="white")
        still = bordered.quantize(
            20, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE
        )
        still.save(STILLS / f"{chapter}-{language}.png", optimize=True)


def times() -> Iterator[tuple[float, int]]:
    """Yield the times of the film's frames, and their durations."""
    for chapter in range(len(CHAPTERS)):
        yield chapter, REST
        if chapter < len(CHAPTERS) - 1:
            for step in range(1, N_STEPS):
                m = step / N_STEPS
                yield chapter + m * m * (3 - 2 * m), STEP


def write_film(page: Page, target: Path) -> None:
    """Write all chapters and their transitions as a GIF."""
    palette = few_colors([picture_at(page, chapter) for chapter in range(len(CHAPTERS))])
    moments, stays = zip(*times(), strict=True)
    first, *others = (
        picture_at(page, t).quantize(palette=palette, dither=Image.Dither.NONE) for t in moments
    )
    first.save(target, save_all=True, append_images=others, duration=stays, loop=0, optimize=True)
    if target.stat().st_size > LARGEST:
        sys.exit(f"{target.name} may have {LARGEST} bytes; it has {target.stat().st_size}.")


def main() -> None:
    """Open the first page in each language, and record it."""
    site = Path(sys.argv[1]).resolve()
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        for folder in sorted(path.parent for path in site.glob("*/index.html")):
            kinds = (STILL_SIZE, STILL_DENSITY, "stills"), (FILM_SIZE, 1, "film")
            for size, density, record in kinds:
                page = browser.new_page(
                    viewport=size, device_scale_factor=density, color_scheme="light"
                )
                page.emulate_media(reduced_motion="reduce" if record == "stills" else None)
                page.goto((folder / "index.html").as_uri())
                page.add_style_tag(
                    content=BARE
                    + f".scene, .scene > .course-story {{ height: {size['height']}px; }}"
                )
                page.evaluate("document.fonts.ready")
                page.wait_for_timeout(2_500)
                if record == "stills":
                    write_stills(page, folder.name)
                else:
                    write_film(page, IMAGES / f"scene-{folder.name}.gif")
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
