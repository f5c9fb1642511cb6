"""Layout of cells on a page, with explorers next to their paragraphs, and folded parts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from bs4 import BeautifulSoup, NavigableString, Tag

from course_utils.explorers.scene.controls import NAMES

from .heights import reserved_height
from .lesson import FOLDED, Cell, Page, parsed, plain
from .story_page import STORY, story_html

LETTERS_BESIDE = 1_200
"""Least number of letters that fill the height of an explorer next to the text."""

RECAP = "recap"
"""The cell whose first paragraph summarises the lesson in a few lines."""


def lesson_html(page: Page, texts: Mapping[str, str], language: str) -> str:
    """Return the cells of a page in sections: explorers with their paragraphs."""
    scenes = {cell.id: cell.scenes for cell in page.cells if cell.scenes}
    for cell in page.cells:
        _join_choices(cell.tree)
        _make_buttons(cell, scenes, texts, language)
        if cell.scenes:
            cell.tree.select_one("[data-scenes]")["style"] = reserved_height(cell.scenes, language)
        if cell.id == RECAP and cell.tree.p:
            cell.tree.p["class"] = "closing"
    cells = [*_folded(page.cells, texts)]
    chapters = [number for number, cell in enumerate(cells) if cell.scenes.startswith(STORY)]
    if chapters:
        before, last = _chapter_start(cells, chapters[0]), chapters[-1] + 1
        beside = _story(cells[before:last], language)
        return _text(cells[:before]) + beside + _text(cells[last:])
    groups = _groups(cells)
    body, done = "", 0
    for first, here, last in groups:
        body += _text(cells[done:first])
        body += _section(cells[first:here], cells[here], cells[here + 1 : last])
        done = last
    return body + _text(cells[done:])


def contents_of(page: Page) -> list[tuple[str, str]]:
    """Return the anchor and the text of each second-level heading."""
    return [
        (cell.id, plain(str(cell.heading)))
        for cell in page.cells
        if cell.heading and cell.heading.name == "h2"
    ]


# The animation next to its paragraphs. ------------------------------------------------------------


def _chapter_start(cells: Sequence[Cell], place: int) -> int:
    """Return the number of the first cell of the paragraph above a chapter's cell."""
    return max(n for n in range(place) if cells[n].heading)


def _story(cells: Sequence[Cell], language: str) -> str:
    """Return one animation for all chapters, next to their paragraphs, with stills for print."""
    shown, paragraphs = "", []
    for cell in cells:
        if not cell.scenes.startswith(STORY):
            paragraphs.append(cell)
            continue
        place = cell.tree.select_one("[data-scenes]")
        del place["data-scenes"]
        place["class"] = "still"
        shown += f"<section data-chapter>\n{_run([*paragraphs, cell], 'text')}</section>\n"
        paragraphs = []
    story = story_html(language)
    return f'<div class="chaptered">\n{story}<div class="chapters">\n{shown}</div></div>\n'


# Values in the text. ------------------------------------------------------------------------------


def _make_buttons(
    cell: Cell, scenes: Mapping[str, str], texts: Mapping[str, str], language: str
) -> None:
    """Turn the values listed in a cell's metadata into buttons that set an explorer.

    ``{"course": {"values": [{"explorer": "explorer-waves", "text": "10", "set": {"step": 10}}]}}``:
    ``explorer`` is the id of the explorer's cell, ``text`` is one string or a string for each
    language, and ``set`` contains the controls' values. The texts are searched for in order.
    """
    start = 0
    for value in cell.values:
        text = value["text"]
        text = text if isinstance(text, str) else text[language]
        if value["explorer"] not in scenes:
            raise ValueError(f"{cell.id}: explorer must be on the page; got {value['explorer']!r}.")
        button = cell.tree.new_tag("button", attrs={"type": "button", "class": "value"})
        button["aria-label"] = _spoken(text, value["set"], texts["set"], language)
        button["data-of"] = scenes[value["explorer"]]
        button["data-set"] = json.dumps(value["set"])
        if value.get("play"):
            button["data-play"] = ""
        button.string = text
        start = _put_button(cell, button, start)


def _spoken(text: str, values: Mapping[str, object], sentence: str, language: str) -> str:
    """Return the text of a button and its effect, as in "31: set position 31"."""
    counted = [
        forms[language].split(" | ")[0 if value == 1 else -1].format(value=value)
        for name, value in values.items()
        if (forms := NAMES["counted"].get(name))
    ]
    return sentence.format(text=text, counted=", ".join(counted)) if counted else text


def _put_button(cell: Cell, button: Tag, start: int) -> int:
    """Replace the first occurrence of a button's text, from piece ``start`` on, with the button."""
    words = re.compile(rf"(?<!\w){re.escape(button.string)}(?!\w)")
    pieces = [
        each
        for each in cell.tree.find_all(string=True)
        if not each.find_parent(["math", "code", "a", "button", "h1", "h2", "h3"])
    ]
    for number, piece in enumerate(pieces[start:], start=start):
        if found := words.search(piece):
            before, after = piece[: found.start()], piece[found.end() :]
            piece.replace_with(NavigableString(before), button, NavigableString(after))
            return number + 1
    raise ValueError(
        f"{cell.id}: the text must contain {button.string!r} after the previous value."
    )


# Questions. ---------------------------------------------------------------------------------------


def _join_choices(tree: BeautifulSoup) -> None:
    """Make each choice, when opened, close the other choices for its question."""
    for question in tree.select("[data-guess]"):
        for choice in question.select(".course-choice"):
            choice["name"] = f"guess-{question['data-guess']}"


# Folded parts. ------------------------------------------------------------------------------------


def _folded(cells: Iterable[Cell], texts: Mapping[str, str]) -> Iterable[Cell]:
    """Return cells as HTML, with the code of adjacent cells that only measure folded together.

    Their outputs are below the fold; after a question, they are inside it.
    """
    held: list[Cell] = []
    asked = False
    for cell in [*cells, None]:
        if cell and FOLDED in cell.tags:
            held.append(cell)
            continue
        if held:
            yield _measured(held, texts["measure_asked" if asked else "measure"], asked)
            held = []
        if cell:
            asked = bool(cell.tree.select_one("[data-guess]")) or asked and not cell.heading
            yield cell


def _measured(cells: Sequence[Cell], summary: str, holds_results: bool) -> Cell:
    inside = found = ""
    for cell in cells:
        folded = cell.tree if holds_results else cell.tree.select_one("pre.code").extract()
        inside += f'<div id="{cell.id}">{folded}</div>'
        found += "" if holds_results else str(cell.tree)
    shown = f'<details class="measure"><summary>{summary}</summary>{inside}</details>{found}'
    return Cell(f"{cells[0].id}-folded", parsed(shown))


# Explorers next to their paragraphs. --------------------------------------------------------------


def _groups(cells: Sequence[Cell]) -> list[tuple[int, int, int]]:
    """Return the cell numbers of each group: its first paragraph, its explorer, and its end."""
    groups: list[tuple[int, int, int]] = []
    places = [number for number, cell in enumerate(cells) if cell.scenes]
    for place, following in zip(places, [*places[1:], len(cells)], strict=False):
        first = place
        floor = groups[-1][2] if groups else 0
        # The first explorer is loaded from the beginning.
        if not groups and not any(_shows(cell) for cell in cells[:place]):
            first = 0
        while first > floor and cells[first - 1].is_text:
            first -= 1
            if cells[first].heading:
                break
        last = place + 1
        while last < following and cells[last].is_text and not cells[last].heading:
            last += 1
        groups.append((first, place, last))
    return groups


def _shows(cell: Cell) -> bool:
    """Return True if a cell shows more than words and questions."""
    return bool(cell.tree.select_one("pre, figure, table"))


def _section(before: Sequence[Cell], explorer: Cell, after: Sequence[Cell]) -> str:
    letters = sum(cell.letters for cell in [*before, *after])
    kind = "pair beside" if letters >= LETTERS_BESIDE else "pair"
    kind += " start" if before and before[0].heading and before[0].heading.name == "h1" else ""
    return (
        f'<section class="{kind}">\n{_run(before, "text before")}'
        f'<div class="cell card" id="{explorer.id}">{explorer.tree}</div>\n'
        f"{_run(after, 'text after')}</section>\n"
    )


def _text(cells: Sequence[Cell]) -> str:
    return _run(cells, "text") if cells else ""


def _run(cells: Sequence[Cell], kind: str) -> str:
    shown = "".join(f'<div class="cell" id="{cell.id}">{cell.tree}</div>\n' for cell in cells)
    return f'<div class="{kind}">\n{shown}</div>\n'


def contents_html(page: Page, title: str) -> str:
    """Return a lesson's table of contents, for the margin or the menu."""
    lines = "".join(
        f'<li><a href="#{anchor}">{html.escape(words)}</a></li>'
        for anchor, words in contents_of(page)
    )
    if not lines:
        return ""
    return (
        f'<details class="toc"><summary>{title}</summary>'
        f'<nav aria-label="{title}"><ol>{lines}</ol></nav></details>'
    )
