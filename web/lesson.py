"""A notebook in one language: as the body of a page, or as a notebook again."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import mistune
import nbformat
from mistune.plugins.math import math
from mistune.plugins.table import table
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course_utils.notebook.display import OF_THE_KERNEL, last_call
from course_utils.notebook.switch import invitation
from course_utils.words.formulas import formula, with_formulas
from course_utils.words.text import LANGUAGES

KeepPicture = Callable[[str, str], str]
"""Takes a PNG file in base64 and its alternative text, and gives its tag."""


def in_one_language(shown: str, language: str) -> str:
    """HTML without what is marked as of another language, and what parts the languages."""
    half = re.compile(r'<(div|span) lang="(\w+)"[^>]*>.*?</\1>', re.S)
    kept = half.sub(lambda found: found[0] if found[2] == language else "", shown)
    return re.sub(r'<span class="course-both">.*?</span>', "", kept)


def prose(source: str, language: str) -> str:
    """The Markdown of a cell in one language, without the marks around it."""
    marks = r'<div lang="\w+">\n|\n</div>(?=\s|$)|</?span[^>]*>'
    return re.sub(marks, "", in_one_language(source, language)).strip()


def plain(shown: str) -> str:
    """HTML without tags, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split())


LETTERS_ON_A_PHONE = 33
"""In a formula that fits there in the size of the text."""

WITH_SIGNS = re.compile(r"\(?<math(?:(?!</math>).)*</math>[.,:;)]*", re.S)


def _whole(found: re.Match[str]) -> str:
    """A formula with the signs around it: no line ends between them."""
    alone = found[0].startswith("<") and found[0].endswith(">")
    return found[0] if alone else f'<span class="whole">{found[0]}</span>'


class _Renderer(mistune.HTMLRenderer):
    def link(self, text: str, url: str, title: str | None = None) -> str:
        own = "://" not in url and url.endswith(".ipynb")
        return f'<a href="{page_name(Path(url)) if own else html.escape(url)}">{text}</a>'

    def inline_math(self, text: str) -> str:
        return formula(text)

    def block_math(self, text: str) -> str:
        # What stands side by side goes below each other where the page is narrow.
        parts = [formula(part, "block") for part in re.split(r"\\qquad", text)]
        longest = max(len(plain(part)) for part in parts)
        kind = "formula long" if longest > LETTERS_ON_A_PHONE else "formula"
        return f'<div class="{kind}">{"".join(parts)}</div>\n'


markdown = mistune.create_markdown(renderer=_Renderer(escape=False), plugins=[table, math])


def page_name(notebook: Path) -> str:
    """All pages of a language lie side by side."""
    return f"{'lab_' if 'labs' in notebook.parts else ''}{notebook.stem}.html"


@dataclass
class Page:
    """What is on a page, and for the search the anchor, heading and words of each cell."""

    name: str
    title: str
    body: str
    minutes: int | None = None
    parts: Sequence[tuple[str, str, str]] = ()


def read(notebook: Path, language: str, keep_picture: KeepPicture) -> Page:
    """The page of a notebook, made of its prose and its stored outputs."""
    body, parts, heading = "", [], ""
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "markdown":
            shown = markdown(prose(cell.source, language))
            shown = WITH_SIGNS.sub(_whole, shown)
        else:
            shown = _code(cell, language, keep_picture)
        if found := re.search(r"<h\d>(.*?)</h\d>", shown):
            heading = plain(found[1])
        if shown:
            shown = re.sub(r"<table.*?</table>", _with_names_of_columns, shown, flags=re.S)
            body += f'<div class="cell" id="{cell.id}">{shown}</div>\n'
            words = re.sub(r"<(pre|math).*?</\1>|<h\d.*?</h\d>", " ", shown, flags=re.S)
            parts.append((cell.id, heading, plain(words)))
    minutes = re.search(r"(\d+) minut", parts[0][2])
    minutes = int(minutes[1]) if minutes else None
    return Page(page_name(notebook), parts[0][1], body, minutes, parts)


def _code(cell: nbformat.NotebookNode, language: str, keep_picture: KeepPicture) -> str:
    called = last_call(cell.source)
    if called[0] in OF_THE_KERNEL or _is_check(cell):
        return ""
    shown = ""
    if not cell.metadata.get("jupyter", {}).get("source_hidden"):
        colored = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
        shown = _lines("code", PLAIN_CODE.sub(r"\1", colored))
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:
            still = in_one_language(data["text/html"], language)
            still = with_formulas(still)
            still = PICTURE.sub(
                lambda has: keep_picture(has[2], html.escape(plain(has[3] or has[1]))), still
            )
            name = scenes_name(called)
            shown += f'<div data-scenes="{name}">{still}</div>' if name else still
        elif text := output.get("text") or data.get("text/plain"):
            shown += _lines("output", html.escape(text, quote=False))
    return shown


def _is_check(cell: nbformat.NotebookNode) -> bool:
    return not cell.metadata.get("nbgrader", {"solution": True})["solution"]


def _lines(kind: str, text: str) -> str:
    """Each line by itself, so that what goes on below is set in where the page is narrow."""
    lines = "".join(f"<span>{line}\n</span>" for line in text.rstrip("\n").split("\n"))
    return f'<pre class="{kind}"><code>{lines}</code></pre>\n'


def scenes_name(called: tuple[str, str]) -> str:
    """The explorer that a cell shows, with what it is given; empty where that is no literal."""
    function, given = called
    literals = [re.fullmatch(r'(\w+=)?"(\w+)"', each) for each in given.split(", ") if each]
    if not function.endswith("_explorer") or not all(literals):
        return ""
    return "-".join([function, *(f"{each[1] or ''}{each[2]}" for each in literals)])


PLAIN_CODE = re.compile(r'<span class="(?:n\w*|o|p|w)">(.*?)</span>')
"""Names, operators and brackets, which have no colour."""

PICTURE = re.compile(
    r'(?:<div role="img"[^>]*>)?<img alt="([^"]*)" src="data:image/png;base64,([^"]*)">'
    r"(?:<div id=[^>]*>(.*?)</div></div>)?",
    re.S,
)
"""One for all languages, which has its text once more beside it, or one of this language."""


def _with_names_of_columns(found: re.Match[str]) -> str:
    """A table whose cells know their column, which stands beside them on a narrow page."""
    head, *rows = re.split(r"(?=<tr)", found[0])[1:]
    names = cycle([plain(name) for name in re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", head, re.S)])
    cell = re.compile(r"<t[dh]\b(?=[ >])")
    named = [
        cell.sub(lambda has: f'{has[0]} data-label="{html.escape(next(names))}"', row)
        for row in rows
    ]
    return found[0][: found[0].index("<tr")] + "".join([head, *named])


def as_notebook(notebook: Path, language: str, first_cell: str) -> nbformat.NotebookNode:
    """The notebook in one language, as if run where only that one is shown."""
    made = nbformat.read(notebook, as_version=4)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = prose(cell.source, language)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "language_switch" in cell.source:
                data.update(invitation())
            elif "text/html" in data:
                shown = in_one_language(data["text/html"], language)
                data["text/html"] = ALT.sub(lambda has: html.escape(plain(has[1])), shown)
                if "image/png" in data and (picture := PICTURE.search(shown)):
                    data["image/png"] = picture[2]
                # Each language has a line of its own, in turn.
                lines = data["text/plain"].split("\n")[
                    list(LANGUAGES).index(language) :: len(LANGUAGES)
                ]
                data["text/plain"] = "\n".join(lines)
    made.cells.insert(1, nbformat.v4.new_code_cell(first_cell, id="install"))
    nbformat.validate(made)
    return made


ALT = re.compile(r'(?<=<img alt=")[^"]*(?=" src="[^"]*"><div id=[^>]*>(.*?)</div>)', re.S)
"""The alternative text of a picture, followed by the same with its languages apart."""
