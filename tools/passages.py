"""Extraction of prose from files, with its language and line numbers."""

from __future__ import annotations

import ast
import inspect
import io
import json
import re
import tokenize
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from course_utils.words.text import LANGUAGES

MARKUP = {
    re.compile(r"(`+)(?!`).+?\1|<code>.+?</code>"): "`x`",
    re.compile(r"\$\$?[^$]+\$\$?"): "$x$",
    re.compile(r"!?\[([^\]]*)\]\([^)]*\)"): r"\1",
    re.compile(r"\{[^{}]*\}"): "{x}",
    re.compile(r"<[^>]*>|\*\*?"): "",
}
"""Patterns of code, formulas, placeholders, links and tags, with their replacements."""

SENTENCE_END = re.compile(
    r"(?<=[.!?])(?:[)”»\"*]|</\w+>)*\s+(?=(?:[“«¿¡(\[*]|<\w+[^>]*>)*[`$A-ZÁÉÍÓÚÑ0-9])"
)
PARAGRAPH_END = re.compile(r"\s*(?:#|[-*>] |\d+\. |\||<|$)")
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
TOML_TOKEN = re.compile(
    r'(?P<key>[\w.-]+|"[^"\n]*")[ ]*=|(?P<header>^\[.*\])|(?P<comment>\#.*)'
    rf'|(?P<text>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|{STRING})',
    re.MULTILINE,
)
SCRIPT_TOKEN = re.compile(
    rf"{STRING}|`(?:\\.|[^`\\])*`|(?P<comment>/\*[\s\S]*?\*/|(?<!:)//.*(?:\n\s*//.*)*)"
)

Lines = list[tuple[int, str]]
"""Pairs of a line number and a line."""


class Passage(NamedTuple):
    """A group of lines.

    ``opening`` is True if a docstring or the description of an argument begins here.
    """

    kind: str
    language: str | None
    lines: Lines
    opening: bool = False


def numbered(text: str, first: int = 1) -> Lines:
    return list(enumerate(text.splitlines(), first))


def markdown(lines: Lines, kind: str = "documents", language: str | None = None):
    """Yield the paragraphs, headings, list items and table cells, with their languages."""
    marked, is_code, passage = language, False, []
    for number, line in [*lines, (0, "")]:
        fence = re.match(r"\s*(```|~~~)", line)
        is_code = is_code != bool(fence)
        if passage and (is_code or fence or PARAGRAPH_END.match(line)):
            yield Passage(kind, marked, passage)
            passage = []
        if is_code or fence or (line.startswith("    ") and not passage):
            continue
        if division := re.match(r'\s*<div lang="(\w+)"', line):
            marked = division[1]
        elif "</div>" in line:
            marked = language
        elif spans := re.findall(r'<span lang="(\w+)">(.*?)</span>', line):
            yield from (Passage(kind, code, [(number, text)]) for code, text in spans)
        elif line.lstrip().startswith(("|", "#")):
            yield from (Passage(kind, marked, [(number, cell)]) for cell in re.split(r"\||#", line))
        elif line.strip():
            passage.append((number, re.sub(r"^\s*(?:[-*>]|\d+\.) ", "", line)))
            if line.endswith("  "):  # Markdown's line break
                yield Passage(kind, marked, passage)
                passage = []


def notebook(lines: Lines) -> Iterator[Passage]:
    """Yield the passages in Markdown cells, with line numbers in the notebook's file."""
    cell_type, source = "", None
    for number, line in lines:
        if line.startswith('   "cell_type": "'):
            cell_type = line.split('"')[3]
        elif line.startswith('   "source": ['):
            source = []
        elif source is not None and line.startswith("   ]"):
            yield from markdown(source, "notebooks") if cell_type == "markdown" else ()
            source = None
        elif source is not None:
            source.append((number, json.loads(line.strip().rstrip(",")).rstrip("\n")))


def toml(lines: Lines) -> Iterator[Passage]:
    """Yield comments, and texts whose keys end with a language code."""
    source, language = "\n".join(line for _, line in lines), None
    for token in TOML_TOKEN.finditer(source):
        first = source.count("\n", 0, token.start()) + 1
        if key := token["key"] or token["header"]:
            language = key.split(".")[-1]
        elif token["comment"]:
            yield Passage("comments", "en", [(first, token["comment"].lstrip("# "))])
        elif language in LANGUAGES:
            text = tomllib.loads(f"text = {token['text']}")["text"]
            yield from markdown(numbered(text, first), "texts", language)


def script(lines: Lines) -> Iterator[Passage]:
    """Yield the comments in JavaScript or CSS."""
    source = "\n".join(line for _, line in lines)
    for token in SCRIPT_TOKEN.finditer(source):
        if token["comment"]:
            comment = numbered(token["comment"], source.count("\n", 0, token.start()) + 1)
            plain = [(number, line.strip(" /*")) for number, line in comment]
            yield from markdown(plain, "comments", "en")


def python(lines: Lines) -> Iterator[Passage]:
    """Yield the docstrings, the comments and the names of tests."""
    source = "\n".join(line for _, line in lines) + "\n"
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from docstring(numbered(inspect.cleandoc(text), node.lineno))
            case ast.FunctionDef(name=name, lineno=number) if name.startswith("test_"):
                yield Passage("tests", None, [(number, name)])
    comment: Lines = []
    place = (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.ENDMARKER):
            if comment and token.start != (place[0] + 1, place[1]):
                yield Passage("comments", "en", comment)
                comment = []
            place = token.start
            comment.append((place[0], token.string.lstrip("#! ")))


def docstring(lines: Lines) -> Iterator[Passage]:
    """Yield the paragraphs and the descriptions of arguments, without code examples."""
    in_section, opening, passage = False, True, []
    for number, line in [*lines, (0, "")]:
        if line[:1].strip():
            in_section = re.fullmatch(r"[A-Z][a-z]+:", line) is not None
        argument = re.match(r" {4}\*{0,2}\w[\w, *]*: ", line) if in_section else None
        if passage and (argument or not line.strip() or line.startswith("- ")):
            yield Passage("docstrings", "en", passage, opening)
            opening, passage = False, []
        if argument:
            opening, passage = True, [(number, line[argument.end() :])]
        elif line.strip() and (in_section or passage or not line.startswith("    ")):
            passage.append((number, line))


READERS = {
    ".md": markdown,
    ".ipynb": notebook,
    ".toml": toml,
    ".py": python,
    ".js": script,
    ".css": script,
}


def sentences(lines: Lines) -> Iterator[tuple[range, str]]:
    """Yield each sentence without markup, with its line numbers."""
    text, number_of = "", []
    for number, line in lines:
        text += line.strip() + " "
        number_of += [number] * (len(text) - len(number_of))
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        sentence = text[start:end].strip()
        for pattern, replacement in MARKUP.items():
            sentence = pattern.sub(replacement, sentence)
        if sentence:
            yield range(number_of[start], number_of[end - 1] + 1), sentence
        start = end
