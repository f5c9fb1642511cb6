"""Make the README's moving pictures: words that change places on the first page of a built site.

    python web/build.py --out site
    python web/animate.py site

It writes images/sentence-LANGUAGE.gif, each smaller than 600 kB. It needs the extra ``test`` and
Chromium, Chrome or Edge (COURSE_BROWSER names another program).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
from private_jupyter import open_browser

IMAGES = Path(__file__).resolve().parent.parent / "images"
LARGEST = 600_000
SIZE = {"width": 820, "height": 640}
REST, STEP = 1_400, 70  # milliseconds that a frame stays


def frames(page: Page) -> Iterator[tuple[bytes, int]]:
    """Drag one word onto another without positions, then add positions."""
    hero = page.locator(".hero")

    def shot(stays: int) -> tuple[bytes, int]:
        return hero.screenshot(), stays

    yield shot(REST)  # which brings it onto the screen
    start, end = (page.locator(".tile").nth(place).bounding_box() for place in (1, 4))
    page.mouse.move(start["x"] + 30, start["y"] + 20)
    page.mouse.down()
    for number in range(1, 15):
        x = start["x"] + (end["x"] - start["x"]) * number / 14
        page.mouse.move(x + 30, end["y"] + 20)
        yield shot(STEP)
    page.mouse.up()
    page.wait_for_timeout(300)
    yield shot(2 * REST)
    page.locator(".add input").check()
    yield shot(3 * REST)


def write(page: Page, target: Path) -> None:
    """Write the frames as a GIF with the colours of all of them."""
    pictures, stays = zip(*frames(page), strict=True)
    pictures = [Image.open(io.BytesIO(each)).convert("RGB") for each in pictures]
    palette = pictures[-1].quantize(64, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    first, *others = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures)
    first.save(target, save_all=True, append_images=others, duration=stays, loop=0, optimize=True)
    if target.stat().st_size > LARGEST:
        sys.exit(f"{target.name} is larger than {LARGEST} bytes.")


def main() -> None:
    """Open the first page in each language and record it."""
    site = Path(sys.argv[1]).resolve()
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        for folder in sorted(path.parent for path in site.glob("*/index.html")):
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto((folder / "index.html").as_uri())
            write(page, IMAGES / f"sentence-{folder.name}.gif")
        browser.close()


if __name__ == "__main__":
    main()
