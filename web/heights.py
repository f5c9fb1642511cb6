"""How high each explorer stands on a built page, so that its place can be kept before it is there.

    python web/build.py --out site
    python web/heights.py site
    python web/build.py --out site

Run it after a change that makes explorers higher or lower; a test says when. Needs the extra
``test`` and Chromium, Chrome or Edge. Writes ``heights.toml``.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Route

HERE = Path(__file__).resolve().parent
KNOWN = HERE / "heights.toml"
SIZES = {"wide": (1280, 900), "phone": (390, 844)}

HEIGHTS = """
() => Object.fromEntries([...document.querySelectorAll("[data-scenes]")].map((place) => {
  const boxes = [...place.querySelectorAll(".course-explorer-box, .course-explorer-box figure > *")]
    .filter((each) => !each.matches(".course-unseen"))
    .map((each) => each.getBoundingClientRect())
    .filter(({ height }) => height);
  const top = Math.min(...boxes.map((box) => box.top));
  return [place.dataset.scenes, Math.round(Math.max(...boxes.map((box) => box.bottom)) - top)];
}))
"""
"""On a phone an explorer has no box of its own where it stands beside its text; its parts do."""


def kept_room(name: str, language: str) -> str:
    """A style with the heights of an explorer's place, one for each kind of screen."""
    heights = _known().get(name, {})
    return ";".join(f"--{size}:{each[language]}px" for size, each in heights.items())


@cache
def _known() -> dict[str, dict[str, dict[str, int]]]:
    return tomllib.loads(KNOWN.read_text("utf-8")) if KNOWN.exists() else {}


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", type=Path)
    site = parser.parse_args().site.resolve()
    lines = ["# Pixels, written by heights.py: explorer, screen, language.\n"]
    for name, heights in sorted(measured(site).items()):
        lines.append(f'\n["{name}"]\n')
        for size, each in heights.items():
            pairs = ", ".join(f"{language} = {height}" for language, height in each.items())
            lines.append(f"{size} = {{ {pairs} }}\n")
    KNOWN.write_text("".join(lines), "utf-8")


def with_typeface(route: Route) -> None:
    """Have letters wait for their typeface: a page shows another where it comes late."""
    style = Path(unquote(urlsplit(route.request.url).path)).read_text("utf-8")
    style = style.replace("font-display:optional", "font-display:block")
    route.fulfill(body=style, content_type="text/css")


def measured(site: Path) -> dict[str, dict[str, dict[str, int]]]:
    """By explorer, screen and language its height in pixels, on the last page that shows it."""
    # Building needs no browser of Playwright's.
    from playwright.sync_api import sync_playwright

    sys.path.append(str(HERE.parent / "tools"))
    from private_jupyter import open_browser

    found: dict = defaultdict(lambda: defaultdict(dict))
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        for size, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.route("**/site.css", with_typeface)
            for path in sorted(site.glob("*/*.html")):
                if "data-scenes" not in path.read_text("utf-8"):
                    continue
                page.goto(path.as_uri())
                for place in page.locator("[data-scenes]").all():
                    place.locator("> *").first.evaluate("each => each.scrollIntoView()")
                    place.locator(".course-explorer-box .course-readout").wait_for(state="attached")
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(300)
                for name, each in page.evaluate(HEIGHTS).items():
                    found[name][size][path.parent.name] = each
        browser.close()
    return found


if __name__ == "__main__":
    main()
