"""The first page: the animation, an explorer below it, and a card for each lesson."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from course_utils.words.text import words

from .covers import cover
from .lesson import Page
from .story_page import story_html

TEXTS = words(Path(__file__).with_name("landing.toml"))
SPOKEN_BY_SCRIPT = ("go-on", "go-next", "done", "forgotten")


BEFORE_THE_LESSONS = ("ten_minutes", "00_start_here")
"""Pages that the Start button skips, because the animation above it covers the first page."""


def landing_html(
    lessons: Mapping[str, Page],
    beneath: Mapping[str, Sequence[tuple[str, Page]]],
    takes: Callable[[Page], str],
    reader: str,
    language: str,
) -> str:
    """Return the body of the first page.

    Args:
        lessons: The lessons' pages in order, keyed by the name of the notebook.
        beneath: The kinds and pages of the links below each lesson's card.
        takes: Function that returns the duration of a page in words.
        reader: The HTML of the character model's explorer, or an empty string.
        language: The language of the page.
    """
    texts = {name: text[language] for name, text in TEXTS.items() if hasattr(text, "as_dict")}
    cards = {
        name: _card(name, page, beneath.get(name, ()), takes, language)
        for name, page in lessons.items()
    }
    numbered = [page for name, page in lessons.items() if name not in BEFORE_THE_LESSONS]
    first = numbered[0]
    labs = [page for pages in beneath.values() for kind, page in pages if kind == "lab"]
    about = texts["about"].format(
        lessons=len(numbered), hours=_hours(numbered), labs=len(labs), lab_hours=_hours(labs)
    )
    start = html.escape(texts["start"].format(title=first.title))
    spoken = {name: texts[name] for name in SPOKEN_BY_SCRIPT}
    return (
        f"<h1>{texts['claim']}</h1>\n{story_html(language, links=True)}"
        f'<p class="begin" data-texts="{html.escape(json.dumps(spoken, ensure_ascii=False))}">'
        f'<a class="go" href="{first.name}">{start}</a></p>\n'
        f'<p class="about">{about}</p>\n'
        f"{reader}{_acts(cards, language)}"
        f'<p class="kept">{texts["kept-here"]} '
        f'<button type="button" class="forget" hidden>{texts["forget"]}</button></p>\n'
    )


def _hours(pages: Iterable[Page]) -> int:
    """Return how many hours the pages take, to the nearest hour."""
    return round(sum(page.minutes for page in pages) / 60)


def _acts(cards: Mapping[str, str], language: str) -> str:
    """Return the cards of each act; a lesson that no act lists goes into the last act."""
    named = {name for act in TEXTS["acts"] for name in act["lessons"]}
    shown = ""
    for act in TEXTS["acts"]:
        lessons = [name for name in act["lessons"] if name in cards]
        if act is TEXTS["acts"][-1]:
            lessons += [name for name in cards if name not in named]
        if lessons:
            shown += (
                f'<section class="act"><h2>{act["name"][language]}</h2>'
                f"<p>{act['about'][language]}</p>"
                f'<ul class="cards">{"".join(map(cards.get, lessons))}</ul></section>\n'
            )
    return shown


def promise(name: str, language: str) -> str:
    """Return the one-sentence promise of a lesson, or an empty string if landing.toml has none."""
    text = TEXTS["promises"].get(name)
    return text[language] if text else ""


def link_to(name: str, page: Page, takes: str, language: str) -> str:
    """Return a card's link: picture, title, promise, minutes, and a mark if the page is done."""
    return (
        f'<a href="{page.name}" data-page="{page.name}">{cover(name)}<b>{page.title}</b>'
        f"<span>{promise(name, language)}</span><small>{takes}</small></a>"
    )


def _card(
    name: str,
    page: Page,
    beneath: Sequence[tuple[str, Page]],
    takes: Callable[[Page], str],
    language: str,
) -> str:
    lines = "".join(
        f'<p>{TEXTS[kind][language]}: <a href="{each.name}" data-page="{each.name}">{each.title}'
        "</a></p>"
        for kind, each in beneath
    )
    return f"<li>{link_to(name, page, takes(page), language)}{lines}</li>\n"
