"""Checks for pages of the web edition, which return descriptions of the problems."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup

from web.explorer_calls import explorer_call

HEAVIEST_PAGE, HEAVIEST_EXPLORER = 150_000, 1_000_000
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


@cache
def read(page: Path) -> BeautifulSoup:
    """Parse a page to a shared tree, which must not be modified."""
    return BeautifulSoup(page.read_text("utf-8"), "html.parser")


@cache
def _packed(file: Path) -> int:
    return len(gzip.compress(file.read_bytes()))


def asked_of_others(page: Path) -> list[str]:
    """Return the resources that a page would load from other servers."""
    soup = read(page)
    loaded = [tag[name] for kind, name in LOADED.items() for tag in soup.select(f"{kind}[{name}]")]
    text = page.read_text("utf-8") + "".join(
        (page.parent / name).read_text("utf-8")
        for name in loaded
        if name.endswith((".css", ".js")) and "//" not in name
    )
    called = re.findall(
        r"""(?:@import|url\(|fetch\(|import\()\s*["']?(?:https?:)?//[^"')]*""", text
    )
    return [name for name in loaded if re.match(r"(https?:)?//", name)] + called


def dead_links(page: Path) -> list[str]:
    """Return links to files or anchors that do not exist."""
    found = []
    named = "a[href], link[href], img[src], script[src], meta[property='og:image']"
    for tag in read(page).select(named):
        address = tag.get("href") or tag.get("src") or tag["content"]
        file, _, place = address.partition("#")
        if "://" in file:
            continue
        target = (page.parent / file.split("?")[0]).resolve() if file else page
        if not target.is_file() or place and not read(target).find(id=place):
            found.append(f"{file}#{place}")
    return found


def wrong_formulas(page: Path, sources: list[str]) -> list[str]:
    """Return missing formulas of the notebook, and TeX code on the page."""
    main = read(page).main
    text = "\n".join(re.sub(r"`[^`\n]*`", "", each) for each in sources)
    found = re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", text, re.S)
    wanted = len(found) + sum(each.count("qquad") for each in found)
    shown = main.select("math")
    found = [] if len(shown) == wanted else [f"{len(shown)} formulas of {wanted}"]
    found += [str(each) for each in shown if {"\\", "&"} & {*each.text} or each.find("merror")]
    visible = "".join(
        each for each in main.strings if not each.find_parent(["pre", "code", "math"])
    )
    return found + re.findall(r"\$[^ ].*|\\[a-z]+\b.*", visible)


def weights(page: Path) -> tuple[int, int]:
    """Return two sizes in bytes of a page and everything that it loads, except scenes.

    The first size is compressed and includes all pictures. The second size is uncompressed and does
    not include pictures, which are loaded on demand.
    """
    soup = read(page)
    loaded = [tag["src"] for tag in soup.select("img[src], script[src]")]
    loaded += [tag["href"] for tag in soup.select("link[rel=stylesheet]")]
    files = {page, *((page.parent / name).resolve() for name in loaded)}
    pictures = {each for each in files if each.suffix == ".webp"}
    seen = sum(each.stat().st_size for each in pictures)
    on_disk = sum(each.stat().st_size for each in files - pictures)
    return seen + sum(map(_packed, files - pictures)), on_disk


def in_other_languages(page: Path) -> list[str]:
    """Return text in other languages, except in links to other languages."""
    soup = read(page)
    own = soup.html["lang"]
    outside = ":not(a[hreflang], a[hreflang] *)"
    marked = soup.select(f"[lang]:not([lang={own}]){outside}, .course-both{outside}")
    return [str(each)[:80] for each in marked]


def read_calls(notebooks: Iterable[Path]) -> None:
    """Read the explorer calls in notebooks as a build does, so that their names are known."""
    for notebook in notebooks:
        for cell in nbformat.read(notebook, as_version=4).cells:
            if cell.cell_type == "code":
                explorer_call(cell.source)
