"""A notebook in one language: as HTML, or as a notebook again."""

from __future__ import annotations

import ast
import html
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import mistune
import nbformat
from latex2mathml.converter import convert
from mistune.plugins.math import math
from mistune.plugins.table import table
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

VOID = {"br", "hr", "img", "input", "wbr"}
OF_THE_KERNEL = ("language_switch", "check_installation", "progress", "hint", "check")
"""What is shown of a kernel, and means nothing on a page."""


class _OnlyOne(HTMLParser):
    """Leaves out what is in another language, and what parts the languages; keeps all else."""

    def __init__(self, language: str) -> None:
        super().__init__(convert_charrefs=False)
        self.language, self.kept, self.depth = language, [], 0

    def handle_starttag(self, tag: str, attributes: list) -> None:
        named = dict(attributes)
        other = named.get("lang", self.language) != self.language
        if self.depth or other or "course-both" == named.get("class"):
            self.depth += tag not in VOID
        else:
            self._keep(self.get_starttag_text())

    def handle_endtag(self, tag: str) -> None:
        if self.depth:
            self.depth -= 1
        else:
            self._keep(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._keep(data)

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")

    def _keep(self, text: str) -> None:
        if not self.depth:
            self.kept.append(text)


def in_one_language(source: str, language: str) -> str:
    """HTML, or Markdown with HTML in it, without what is marked as of another language."""
    blocks = re.split(r'^<div lang="(\w+)">$(.*?)^</div>$', source, flags=re.M | re.S)
    if len(blocks) == 1:
        reader = _OnlyOne(language)
        reader.feed(source)
        reader.close()
        return "".join(reader.kept)
    between, languages, said = blocks[::3], blocks[1::3], blocks[2::3]
    kept = [text if of == language else "" for of, text in zip(languages, said, strict=True)]
    outside = [in_one_language(text, language) for text in between]
    return "".join(a + b for a, b in zip(outside, [*kept, ""], strict=True)).strip()


def plain(source: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", source))


class _Renderer(mistune.HTMLRenderer):
    def __init__(self) -> None:
        super().__init__(escape=False)

    def heading(self, text: str, level: int, **_: object) -> str:
        return f"<h{level}>{text}</h{level}>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return f'<a href="{html.escape(address(url))}">{text}</a>'

    def inline_math(self, text: str) -> str:
        return convert(text)

    def block_math(self, text: str) -> str:
        return f'<div class="formula">{convert(text, display="block")}</div>\n'


def address(url: str) -> str:
    """Where the page of a notebook is; all pages of a language lie side by side."""
    name, *anchor = url.split("#")
    if "://" in url or not name.endswith(".ipynb"):
        return url
    return "#".join([page_name(Path(name)), *anchor])


def page_name(notebook: Path) -> str:
    return f"{'lab_' if 'labs' in notebook.parts else ''}{notebook.stem}.html"


markdown = mistune.create_markdown(renderer=_Renderer(), plugins=[table, math])


@dataclass
class Page:
    """What is on the page of one notebook in one language."""

    title: str
    minutes: int | None
    body: str
    first_words: str
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    """For the search: anchor, heading and words of each part."""


def read(notebook: Path, language: str, keep_picture) -> Page:
    """The page of a notebook. ``keep_picture`` takes a PNG file in base64 and gives its tag."""
    parts, sections, minutes = [], [], None
    title = heading = ""
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "markdown":
            source = in_one_language(cell.source, language)
            shown = markdown(source)
            if found := re.search(r"<h([123])>(.*?)</h\1>", shown):
                heading = plain(found[2])
            if not title:
                title = heading
                if found := re.search(r"(\d+)\s+minut", plain(shown)):
                    minutes = int(found[1])
        else:
            shown = _code(cell, language, keep_picture)
        if shown:
            parts.append(f'<div class="cell" id="{cell.id}">{_labelled_tables(shown)}</div>')
            words = re.sub(r"<pre.*?</pre>|<math.*?</math>", " ", shown, flags=re.S)
            sections.append((cell.id, heading, " ".join(plain(words).split())))
    first = re.search(r"<p>(.*?)</p>", parts[0], re.S)
    return Page(title, minutes, "\n".join(parts), first[1] if first else "", sections)


def _code(cell: nbformat.NotebookNode, language: str, keep_picture) -> str:
    called = _last_call(cell.source)
    ours = cell.metadata.get("nbgrader", {"solution": True})
    if called is not None and called.func.id in OF_THE_KERNEL or not ours["solution"]:
        return ""
    shown = ""
    if not cell.metadata.get("jupyter", {}).get("source_hidden"):
        code = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
        shown = f'<pre class="code"><code>{code}</code></pre>\n'
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:
            still = _pictures(in_one_language(data["text/html"], language), keep_picture)
            name = scenes_name(called)
            live = f'<div class="explorer" data-scenes="{name}">{still}</div>'
            shown += live if name else still
        elif text := output.get("text") or data.get("text/plain"):
            shown += f'<pre class="output">{html.escape(text)}</pre>\n'
    return shown


def _last_call(source: str) -> ast.Call | None:
    statements = ast.parse(re.sub(r"^%.*", "", source, flags=re.M)).body
    last = statements[-1] if statements else None
    if isinstance(last, ast.Try) and last.orelse:
        last = last.orelse[-1]
    last = getattr(last, "value", None)
    if isinstance(last, ast.Call) and getattr(last.func, "id", "") == "display":
        last = last.args[0]
    named = isinstance(last, ast.Call) and isinstance(last.func, ast.Name)
    return last if named else None


def scenes_name(call: ast.Call | None) -> str:
    """The explorer that a cell shows, with what it is given; empty where that is no literal."""
    if call is None or not call.func.id.endswith("_explorer") or call.keywords:
        return ""
    if not all(isinstance(each, ast.Constant) for each in call.args):
        return ""
    return "-".join([call.func.id, *(str(each.value) for each in call.args)])


PICTURE = re.compile(
    r'<div role="img"[^>]*><img alt="[^"]*" src="data:image/png;base64,([^"]*)">'
    r"<div id=[^>]*>(.*?)</div></div>",
    re.S,
)


def _pictures(shown: str, keep_picture) -> str:
    """The pictures as files, each with its alternative text in the language of the page."""
    return PICTURE.sub(lambda found: keep_picture(found[1], html.escape(plain(found[2]))), shown)


def _labelled_tables(shown: str) -> str:
    """Each cell with the name of its column, which stands beside it where the page is narrow."""
    return re.sub(r"<table.*?</table>", lambda found: _labelled(found[0]), shown, flags=re.S)


def _labelled(shown: str) -> str:
    rows = re.findall(r"<tr.*?</tr>", shown, re.S)
    names = [plain(each).strip() for each in re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", rows[0], re.S)]
    for row in rows[1:]:
        columns = iter(names)
        named = re.sub(
            r"<(td|th)\b", lambda cell: f'{cell[0]} data-label="{html.escape(next(columns))}"', row
        )
        shown = shown.replace(row, named)
    return shown
