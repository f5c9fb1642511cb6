"""Conversion of a notebook to one language, as the body of a page or as a notebook."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import mistune
import nbformat
from bs4 import BeautifulSoup, Tag
from bs4.dammit import EntitySubstitution
from bs4.formatter import HTMLFormatter as HTMLWriter
from mistune.plugins.math import math
from mistune.plugins.table import table
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.token import Token

from course_utils.notebook.display import KERNEL_ONLY, STILL, covered
from course_utils.notebook.switch import invitation
from course_utils.words import cells as bilingual
from course_utils.words.formulas import formula, with_formulas
from course_utils.words.text import LANGUAGES

from .explorer_calls import explorer_call
from .lab import HINT, for_reading, hints_html

FOLDED = "measure"
"""The tag of a cell that only measures; the page shows its code in a disclosure."""

KeepPicture = Callable[[str, str], str]
"""A function from a PNG file in base64 and its alternative text to an HTML tag."""


def parsed(shown: str) -> BeautifulSoup:
    """Parse HTML into a tree."""
    return BeautifulSoup(shown, "html.parser")


class _AsWritten(HTMLWriter):
    """Formatter that keeps the order of attributes, and adds no slash to void tags."""

    def __init__(self) -> None:
        super().__init__(EntitySubstitution.substitute_xml, void_element_close_prefix="")

    def attributes(self, tag: Tag) -> Iterable[tuple[str, str]]:
        return tag.attrs.items()


AS_WRITTEN = _AsWritten()


def in_one_language(shown: str, language: str) -> str:
    """Remove the parts of HTML in other languages, and the separators between languages."""
    tree = parsed(shown)
    for half in tree.select(f"[lang]:not([lang={language}]), .course-both"):
        half.decompose()
    return tree.decode(formatter=AS_WRITTEN)


def unmarked(shown: str, language: str) -> str:
    """Return HTML in one language without the attributes that a page sets elsewhere."""
    tree = parsed(in_one_language(shown, language))
    for choice in tree.select("details[style]"):
        del choice["style"]  # only for readers who have no style sheet yet
    for half in tree.select(f"[lang={language}].course-{language}"):
        del half["lang"], half["class"]
        if half.name == "span" and not half.attrs:
            half.unwrap()
    return str(tree)


def prose(source: str, language: str) -> str:
    """Return the Markdown of a cell in one language, without the tags around it.

    The picture next to a title is removed as well: it is for readers who see only the notebook.
    """
    return bilingual.in_one_language(re.sub("<img [^>]*attachment:[^>]*>", "", source), language)


def plain(shown: str) -> str:
    """Return HTML without tags, on one line."""
    return " ".join(parsed(shown).get_text().split())


LETTERS_ON_A_PHONE = 30
"""Number of letters of a formula that fits on a phone at the size of the text."""

WITH_SIGNS = re.compile(r"\(?<math(?:(?!</math>).)*</math>[.,:;)]*", re.S)


def _whole(found: re.Match[str]) -> str:
    """Return a formula with the punctuation around it, which must stay on the same line."""
    alone = found[0].startswith("<") and found[0].endswith(">")
    return found[0] if alone else f"<span class=whole>{found[0]}</span>"


class _Renderer(mistune.HTMLRenderer):
    def link(self, text: str, url: str, title: str | None = None) -> str:
        page = re.sub(r"^[^:]*\.ipynb", lambda own: page_name(Path(own[0])), url)
        return f'<a href="{html.escape(page.replace("#cell-id=", "#"))}">{text}</a>'

    def inline_math(self, text: str) -> str:
        return formula(text)

    def block_math(self, text: str) -> str:
        # Elements next to each other are stacked on a narrow page.
        parts = [formula(part, "block") for part in re.split(r"\\qquad", text)]
        longest = max(len(plain(part)) for part in parts)
        kind = "formula long" if longest > LETTERS_ON_A_PHONE else "formula"
        return f'<div class="{kind}">{"".join(parts)}</div>\n'


markdown = mistune.create_markdown(renderer=_Renderer(escape=False), plugins=[table, math])


def _folder(notebook: Path) -> str:
    """Return a notebook's folder, labs or deeper, or an empty string for a lesson."""
    return next((name for name in ("labs", "deeper") if name in notebook.parts), "")


def page_name(notebook: Path) -> str:
    """Return the file name of a page; all pages of a language are in one folder."""
    kind = {"labs": "lab_", "deeper": "deeper_"}.get(_folder(notebook), "")
    return f"{kind}{notebook.stem}.html"


@dataclass
class Cell:
    """The content of a cell, and its metadata."""

    id: str
    tree: BeautifulSoup
    tags: Sequence[str] = ()
    values: Sequence[dict[str, object]] = ()

    @property
    def heading(self) -> Tag | None:
        """The heading at the beginning of the cell, if any."""
        return self.tree.find(re.compile(r"^h[1-6]$"))

    @property
    def scenes(self) -> str:
        """The name of the explorer that the cell shows, or an empty string."""
        place = self.tree.select_one("[data-scenes]")
        return place["data-scenes"] if place else ""

    @property
    def is_text(self) -> bool:
        """True if it is only text: no code, picture, table or question."""
        return not self.tree.select_one("pre, figure, table, .course-question, [data-scenes]")

    @property
    def letters(self) -> int:
        """The number of letters, without spaces, headings, code and formulas."""
        return len(self.words.replace(" ", ""))

    @property
    def words(self) -> str:
        """The words of the cell, without headings, code and formulas."""
        return " ".join(
            " ".join(
                text
                for text in self.tree.find_all(string=True)
                if not text.find_parent(["pre", "math", re.compile(r"^h[1-6]$")])
            ).split()
        )


@dataclass
class Page:
    """The content of a page: its cells, and its duration."""

    name: str
    title: str
    cells: Sequence[Cell] = ()
    minutes: int | None = None


def read(notebook: Path, language: str, keep_picture: KeepPicture) -> Page:
    """Build the page of a notebook from its prose and its stored outputs."""
    cells = []
    stored = nbformat.read(notebook, as_version=4)
    is_lab = _folder(notebook) == "labs"
    given = _outputs_of_others(notebook) if is_lab else {}
    for cell in for_reading(stored.cells) if is_lab else stored.cells:
        if cell.id in given:
            cell.outputs = given[cell.id]
        if cell.cell_type == "markdown":
            shown = WITH_SIGNS.sub(_whole, markdown(prose(cell.source, language)))
            if question := cell.metadata.get("course", {}).get("after"):
                shown = unmarked(covered(question, shown), language)
        elif is_lab and cell.id.startswith(HINT):
            shown = hints_html(cell.id.removeprefix(HINT), language)
        else:
            shown = _code(cell, language, keep_picture)
        if not shown:
            continue
        tree = parsed(shown)
        for table_tag in tree.find_all("table"):
            _name_columns(table_tag)
        for inline in tree.select("math[display=inline]"):
            del inline["display"]  # a formula is inline without it, too
        course = cell.metadata.get("course", {})
        cells.append(Cell(cell.id, tree, cell.metadata.get("tags", ()), course.get("values", ())))
    title = plain(str(cells[0].heading))
    return Page(page_name(notebook), title, cells, _minutes(stored.cells[0], cells[0].words))


def _minutes(title: nbformat.NotebookNode, words: str) -> int | None:
    """Return the duration of a page, from the text of its first cell or from its metadata.

    The metadata ``{"course": {"minutes": 10}}`` are used for a page whose text does not state the
    minutes in figures.
    """
    found = re.search(r"(\d+) minut", words)
    return int(found[1]) if found else title.metadata.get("course", {}).get("minutes")


def _code(cell: nbformat.NotebookNode, language: str, keep_picture: KeepPicture) -> str:
    tags = cell.metadata.get("tags", ())
    if KERNEL_ONLY in tags or _is_check(cell):
        return ""
    shown = ""
    own = _own_halves(cell.source, language)
    if FOLDED in tags or not cell.metadata.get("jupyter", {}).get("source_hidden"):
        colored = highlight(own(cell.source), PythonLexer(), HtmlFormatter(nowrap=True))
        colored = re.sub(r'class="(\w+)"', r"class=\1", PLAIN_CODE.sub(r"\1", colored))
        shown = _lines("code", colored)
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:
            still = with_formulas(unmarked(data["text/html"], language))
            still = with_pictures(still, keep_picture)
            call = explorer_call(cell.source)
            shown += f'<div data-scenes="{call.name}">{waiting(still)}</div>' if call else still
        elif text := output.get("text") or data.get("text/plain"):
            shown += _lines("output", html.escape(own(text), quote=False))
    return shown


def _own_halves(source: str, language: str) -> Callable[[str], str]:
    """Remove the parts of the code's comments and strings in other languages.

    In code such as ``print("rows · filas")``, a dot separates the languages.
    """
    spoken = [
        piece
        for kind, token in PythonLexer().get_tokens(source)
        if kind in Token.Literal.String or kind in Token.Comment
        for line in token.split("\n")
        # The quotes of a docstring belong to both languages.
        for piece in [line.removeprefix('"""').removesuffix('"""')]
        if len(piece.split(" · ")) == len(LANGUAGES)
    ]
    place = [*LANGUAGES].index(language)

    def own(text: str) -> str:
        for piece in spoken:
            halves = piece.split(" · ")
            mark = re.match(r"#\s*", piece)
            half = (mark[0] if mark and place else "") + halves[place]
            text = text.replace(piece, half)
        return text

    return own


def _pictures(tree: BeautifulSoup) -> list[tuple[Tag, Tag, str]]:
    """Return the container, the tag and the text of each picture in an output.

    A picture for all languages has a second copy of its text, with the languages separated.
    """
    found = []
    for picture in tree.select('img[src^="data:image/png;base64,"]'):
        holder = picture.find_parent(role="img")
        text = plain(str(holder.div)) if holder else picture["alt"]
        found.append((holder or picture, picture, text))
    return found


def with_pictures(shown: str, keep_picture: KeepPicture) -> str:
    """Replace the pictures in HTML with files."""
    tree = parsed(shown)
    for holder, picture, text in _pictures(tree):
        encoded = picture["src"].partition("base64,")[2]
        holder.replace_with(parsed(keep_picture(encoded, html.escape(text))))
    return str(tree)


def waiting(still: str) -> str:
    """Prepare a still that an explorer replaces, so that a touch does not open the picture."""
    tree = parsed(still)
    for link in tree.select("a.picture"):
        link.name = "span"
        del link["href"], link["title"]
    return str(tree)


def _is_check(cell: nbformat.NotebookNode) -> bool:
    return cell.metadata.get("nbgrader", {}).get("grade", False)


def _outputs_of_others(lab: Path) -> dict[str, list[nbformat.NotebookNode]]:
    """Return the outputs of a lab's provided code from its solution, keyed by cell."""
    solved = nbformat.read(lab.parents[2] / "solutions" / lab.parent.name / lab.name, as_version=4)
    return {
        cell.id: cell.outputs
        for cell in solved.cells
        if cell.cell_type == "code"
        and ("wrong_output(" in cell.source or cell.metadata.get("nbgrader", {}).get("locked"))
    }


LETTERS_IN_A_ROW = 51
"""Number of characters of a printed row that fits on a phone in letters of 11 pixels."""


MAY_BREAK = re.compile(r"(?<=[(\[{])(?=[\w&(\[{<])|(?<=[\w)\]])(?=\.[A-Za-z_])|(<span.*?</span>)")
"""Positions at which a long line of code may break: after an opening bracket, before an attribute.

Strings, comments and keywords match as a whole, so that no break is inserted into them.
"""


LETTERS_ON_THE_SMALLEST_PHONE = 34
"""The number of letters in a line of code on a screen of 320 pixels."""


def _breakable(line: str) -> str:
    """Return a line of code that breaks between names if it is too long for a phone."""
    text = html.unescape(re.sub("<[^>]*>", "", line))
    indent = len(text) - len(text.lstrip()) + 2
    longest = max(map(len, text.split()), default=0)
    if indent + longest <= LETTERS_ON_THE_SMALLEST_PHONE:
        return line
    return MAY_BREAK.sub(lambda found: found[1] or "<wbr>", line)


def _lines(kind: str, text: str) -> str:
    """Put each printed line into an element, so that a wrapped line can be indented."""
    rows = text.rstrip("\n").split("\n")
    if kind == "code":
        rows = map(_breakable, rows)
    lines = "".join(f"<span>{line}\n</span>" for line in rows)
    if kind == "output":
        longest = max(len(html.unescape(row)) for row in rows)
        # Rows that do not fit are distinguished by their background.
        kind += " rows" if longest > LETTERS_IN_A_ROW and len(rows) > 1 else ""
        kind += f'" style="--letters: {longest}'
    return f'<pre class="{kind}"><code>{lines}</code></pre>\n'


PLAIN_CODE = re.compile(r'<span class="(?:n\w*|m[if]|o|p|w|s[ai])">(.*?)</span>')
"""Tokens without a colour: names, numbers, operators, brackets and string prefixes."""


def _name_columns(table: Tag) -> None:
    """Store in each cell of a table the name of its column, which a narrow page shows."""
    head, *rows = table.find_all("tr")
    names = [plain(str(cell)) for cell in head.find_all(["td", "th"])]
    if not head.find_parent("thead"):
        head["class"] = [*head.get("class", []), "head"]
    for row in rows:
        for cell, name in zip(row.find_all(["td", "th"]), names, strict=False):
            if name:
                cell["data-label"] = name


def as_notebook(notebook: Path, language: str, first_cell: str) -> nbformat.NotebookNode:
    """Return the notebook in one language, as if run where only this language is shown."""
    stored = nbformat.read(notebook, as_version=4)
    for cell in stored.cells:
        if cell.cell_type == "markdown":
            cell.source = prose(cell.source, language)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "language_switch" in cell.source:
                output = invitation()
                still = f'<div class="{STILL}">{output["text/html"]}</div>'
                data.update(output | {"text/html": still})
            elif "text/html" in data:
                tree = parsed(in_one_language(data["text/html"], language))
                for _, picture, text in _pictures(tree):
                    picture["alt"] = text
                    if "image/png" in data:
                        data["image/png"] = picture["src"].partition("base64,")[2]
                data["text/html"] = tree.decode(formatter=AS_WRITTEN)
                # The lines alternate between the languages.
                lines = data["text/plain"].split("\n")[
                    list(LANGUAGES).index(language) :: len(LANGUAGES)
                ]
                data["text/plain"] = "\n".join(lines)
    stored.cells.insert(1, nbformat.v4.new_code_cell(first_cell, id="install"))
    nbformat.validate(stored)
    return stored
