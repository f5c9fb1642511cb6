"""The height of each explorer on a page, to reserve its space before it loads.

``python tools/generate.py heights`` measures them on a built page and writes ``heights.toml``. Run
it after a change in the height of explorers; a test fails if it is needed.
"""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
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
  const parts = ".course-explorer-box, .course-explorer-box > *, .course-explorer-box figure > *";
  const boxes = [...place.querySelectorAll(parts)]
    .filter((each) => !each.matches(".course-unseen"))
    .map((each) => each.getBoundingClientRect())
    .filter(({ height }) => height);
  const top = Math.min(...boxes.map((box) => box.top));
  return [place.dataset.scenes, Math.round(Math.max(...boxes.map((box) => box.bottom)) - top)];
}))
"""
"""A function of the page. On a phone, the parts of an explorer next to text have separate boxes."""


def kept_room(name: str, language: str) -> str:
    """Return a style with the heights of an explorer, one for each kind of screen."""
    heights = _known().get(name, {})
    return ";".join(f"--{size}:{each[language]}px" for size, each in heights.items())


@cache
def _known() -> dict[str, dict[str, dict[str, int]]]:
    return tomllib.loads(KNOWN.read_text("utf-8")) if KNOWN.exists() else {}


def as_toml(heights: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Return the text of ``heights.toml``."""
    lines = ["# Pixels, written by tools/generate.py: explorer, screen, language.\n"]
    for name, screens in sorted(heights.items()):
        lines.append(f'\n["{name}"]\n')
        for screen, each in screens.items():
            pairs = ", ".join(f"{language} = {height}" for language, height in each.items())
            lines.append(f"{screen} = {{ {pairs} }}\n")
    return "".join(lines)


def with_typeface(route: Route) -> None:
    """Delay text until its typeface has loaded, because another typeface changes heights."""
    style = Path(unquote(urlsplit(route.request.url).path)).read_text("utf-8")
    style = style.replace("font-display:optional", "font-display:block")
    route.fulfill(body=style, content_type="text/css")


def measured(site: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Return the height of each explorer in pixels, by screen and language, on its last page."""
    # The build does not need Playwright's browser.
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
