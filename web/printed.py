"""The whole course for print: a cover, contents with page numbers, lessons, and their answers."""

from __future__ import annotations

import html
import io
import string
from collections.abc import Iterable, Mapping
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from pypdf import PdfReader

from .covers import cover
from .headless import print_page
from .lesson import Page, parsed


def book_html(pages: Iterable[tuple[Page, str]], texts: Mapping[str, str], claim: str) -> str:
    """Combine all pages and their bodies into one page, after a cover and contents."""
    articles, lines = [], []
    for page, body in pages:
        articles.append(_article(page, parsed(body), texts))
        lines.append(
            f'<li><a href="#{page.name}">{html.escape(page.title)}</a>'
            f'<span class="number" data-of="{page.name}"></span></li>'
        )
    return (
        f'<section class="book-cover">{cover("04_sinusoidal_encodings")}<h1>{texts["course"]}</h1>'
        f"<p>{claim}</p><p>{texts['license']}</p></section>"
        f'<section class="book-contents"><h2>{texts["contents"]}</h2><ol>{"".join(lines)}</ol>'
        f"</section>{''.join(articles)}"
    )


def _article(page: Page, tree: BeautifulSoup, texts: Mapping[str, str]) -> str:
    """Prepare a page for print, with unique ids, all parts unfolded, and its answers at the end."""
    for tag in tree.select("[id]"):
        tag["id"] = f"{page.name}-{tag['id']}"
    for link in tree.select('a[href^="#"]'):
        link["href"] = f"#{page.name}-{link['href'][1:]}"
    for link in tree.select('a[href*=".html"]:not([href*="://"], [href^="#"])'):
        link["href"] = f"#{link['href'].replace('#', '-')}"
    for picture in tree.select("img[loading]"):
        del picture["loading"]
    for button in tree.select("button.value"):
        button.unwrap()
    for hint in tree.select(".hint"):
        hint.decompose()
    answers = "".join(
        _answer(number, question, tree)
        for number, question in enumerate(tree.select("[data-guess]"), start=1)
    )
    for details in tree.select("details"):
        details["open"] = ""
    if answers:
        answers = f'<h2>{texts["answers"]}</h2><ol class="answers">{answers}</ol>'
    return f'<article class="printed" id="{page.name}">{tree}{answers}</article>'


def _answer(number: int, question: Tag, tree: BeautifulSoup) -> str:
    """Label the choices of a question with letters, and return their explanations."""
    explained = ""
    choices = question.select("details.course-choice")
    for letter, choice in zip(string.ascii_lowercase, choices, strict=False):
        option = tree.new_tag("p", attrs={"class": "option"})
        option.append(f"{letter} · ")
        option.extend([*choice.summary.contents])
        choice.summary.extract()
        kind, mark = ("right", "✓") if "course-right" in choice["class"] else ("wrong", "✗")
        why = choice.decode_contents()
        explained += f'<div class="{kind}"><b>{letter} {mark}</b> {why}</div>'
        choice.replace_with(option)
    mark = tree.new_tag("b", attrs={"class": "question-number"})
    mark.string = str(number)
    question.insert(0, mark)
    return f"<li>{explained}</li>"


def print_book(browser: str, page: Path, target: Path) -> None:
    """Print a page as PDF twice; the second time, its contents have page numbers."""
    print_page(browser, page, target)
    numbers = pages_of_names(target.read_bytes())
    tree = parsed(page.read_text("utf-8"))
    for place in tree.select(".number[data-of]"):
        place.string = str(numbers[place["data-of"]])
    page.write_text(str(tree), "utf-8")
    print_page(browser, page, target)


def pages_of_names(pdf: bytes) -> dict[str, int]:
    """Return the page number, counted from 1, of each anchor that is linked in a PDF."""
    reader = PdfReader(io.BytesIO(pdf))
    return {
        name.removeprefix("/"): reader.get_destination_page_number(place) + 1
        for name, place in reader.named_destinations.items()
    }
