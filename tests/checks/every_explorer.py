"""Pages with all explorers or with a single explorer, for browser tests."""

import io
from collections.abc import Iterator
from functools import cache

import numpy as np
from PIL import Image

from course_utils import explorers, sinusoidal_encoding

from .bare_page import Page
from .lesson_pages import PICTURE_AT_REST, Explorer


def returning(*classes: str) -> list[str]:
    """Return the names of explorers whose functions return certain classes."""
    return [
        name
        for name, each in sorted(explorers.REGISTERED.items())
        if each.function.__annotations__["return"] in classes
    ]


EXPLORERS = {
    name.removesuffix("_explorer"): getattr(explorers, name) for name in returning("Explorer")
} | {"own": lambda: explorers.sinusoidal_explorer(lambda n, d: 0.9 * sinusoidal_encoding(n, d))}

COMPUTING = [
    each.function
    for name, each in sorted(explorers.REGISTERED.items())
    if name not in (*returning("Explorer"), "story_explorer")
]


@cache
def in_python(name: str) -> explorers.Explorer:
    """Return the Python object of an explorer."""
    return EXPLORERS[name]()


def named(gallery: Page, name: str) -> Explorer:
    return gallery.explorer([*EXPLORERS].index(name))


def in_languages(gallery: Page, *languages: str) -> Iterator[tuple[str, str, Explorer]]:
    """Yield every explorer, first in one language and then in the next."""
    for language in languages:
        gallery.choose(language)
        for name, box in zip(EXPLORERS, gallery.boxes.all(), strict=True):
            yield language, name, Explorer(gallery.page, box)


def pictures(gallery: Page) -> list[np.ndarray]:
    """Return screenshots of the explorers without overlays."""
    page = gallery.page
    seen = page.screenshot(full_page=True, style=".course-over { visibility: hidden }")
    pixels = np.asarray(Image.open(io.BytesIO(seen)).convert("RGB"), dtype=np.int16)
    places = page.locator(".course-stage").evaluate_all(
        """all => all.map(each => each.getBoundingClientRect())
            .map(({x, y, width, height}) => [x + scrollX, y + scrollY, width, height])"""
    )
    return [
        pixels[round(y) : round(y + height), round(x) : round(x + width)]
        for x, y, width, height in places
    ]


def moving(explorer: Explorer) -> str:
    return explorer.picture.locator("svg").evaluate("svg => svg.outerHTML")


def wait_until_idle(explorer: Explorer) -> None:
    """Wait until all animations have ended."""
    explorer.picture.evaluate(PICTURE_AT_REST)
