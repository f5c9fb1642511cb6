"""Generator for the heights of explorers, for which pages reserve space.

Heights depend on line breaks in the browser, so a stored height is kept if it is nearly correct.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Route, sync_playwright
from private_jupyter import open_browser

from web.heights import KNOWN_HEIGHTS

from .pages import built_site

TOLERANCE = 12  # pixels, about half a line of text
SCREENS = {"wide": (1280, 900), "phone": (390, 844)}
"""Width and height of each kind of screen in pixels."""

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
"""JavaScript function for a page. On a phone, parts of some explorers have separate boxes."""


def files() -> dict[Path, str]:
    """Return the file of heights, which are keyed by explorer, screen and language."""
    heights = measured(built_site())
    stored = tomllib.loads(KNOWN_HEIGHTS.read_text("utf-8")) if KNOWN_HEIGHTS.exists() else {}
    for name, screens in heights.items():
        for screen, languages in screens.items():
            for language, height in languages.items():
                before = stored.get(name, {}).get(screen, {}).get(language, -1_000)
                if abs(before - height) <= TOLERANCE:
                    languages[language] = before
    return {KNOWN_HEIGHTS: as_toml(heights)}


def measured(site: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Return the height of each explorer on its last page in pixels, by screen and language."""
    heights: dict = defaultdict(lambda: defaultdict(dict))
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        page = browser.new_page()
        page.route("**/site.css", with_typeface)
        for path in sorted(site.glob("*/*.html")):
            if "data-scenes" not in path.read_text("utf-8"):
                continue
            page.goto(path.as_uri())
            for screen, (width, height) in SCREENS.items():
                page.set_viewport_size({"width": width, "height": height})
                for place in page.locator("[data-scenes]").all():
                    place.locator("> *").first.evaluate("each => each.scrollIntoView()")
                    place.locator(".course-explorer-box .course-readout").wait_for(state="attached")
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(300)
                for name, each in page.evaluate(HEIGHTS).items():
                    heights[name][screen][path.parent.name] = each
        browser.close()
    return heights


def with_typeface(route: Route) -> None:
    """Delay text until its typeface has loaded, because another typeface changes heights."""
    style = Path(unquote(urlsplit(route.request.url).path)).read_text("utf-8")
    style = style.replace("font-display:optional", "font-display:block")
    route.fulfill(body=style, content_type="text/css")


def as_toml(heights: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Return the text of ``heights.toml``."""
    lines = ["# Pixels, written by tools/generate.py: explorer, screen, language.\n"]
    for name, screens in sorted(heights.items()):
        lines.append(f'\n["{name}"]\n')
        for screen, each in screens.items():
            pairs = ", ".join(f"{language} = {height}" for language, height in each.items())
            lines.append(f"{screen} = {{ {pairs} }}\n")
    return "".join(lines)
