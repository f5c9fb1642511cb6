"""Generator for the glossary notebook from course_utils/words/glossary.toml."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import nbformat
from execute import executed
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from private_jupyter import REPOSITORY

from course_utils.words.text import BETWEEN, LANGUAGES, Text, Words, words

NOTEBOOK = REPOSITORY / "notebooks" / "glossary.ipynb"
DATA = words(REPOSITORY / "course_utils" / "words" / "glossary.toml")
PAGE = DATA["page"]
SWITCH = """\
# Choose a language · Elige un idioma
from course_utils import language_switch

language_switch()"""


def files() -> dict[Path, str]:
    """Return the executed notebook."""
    return {NOTEBOOK: executed(glossary(), NOTEBOOK.parent)}


def glossary() -> nbformat.NotebookNode:
    """Build the notebook without outputs."""
    terms, symbols = DATA["term"].values(), DATA["symbol"].values()
    return new_notebook(
        cells=[
            _prose("title", "#", PAGE["title"], lambda language: PAGE["intro"][language]),
            new_code_cell(SWITCH, id="language", metadata={"tags": ["hide-input", "kernel-only"]}),
            _prose("words", "##", PAGE["words"], lambda language: _words(terms, language)),
            _prose("symbols", "##", PAGE["symbols"], lambda language: _symbols(symbols, language)),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}},
    )


def _prose(
    name: str, level: str, heading: Text, text_in: Callable[[str], str]
) -> nbformat.NotebookNode:
    spans = BETWEEN.join(f'<span lang="{x}">{heading[x]}</span>' for x in LANGUAGES)
    parts = [f'<div lang="{x}">\n\n{text_in(x)}\n\n</div>' for x in LANGUAGES]
    return new_markdown_cell("\n\n".join([f"{level} {spans}", *parts]), id=name)


def _words(terms: list[Words], language: str) -> str:
    """Build a table sorted by the terms in one language, with the terms in the other languages."""
    others = [other for other in LANGUAGES if other != language]
    rows = [[PAGE["word"][language], *(LANGUAGES[x] for x in others)]]
    rows[0] += [PAGE["meaning"][language], PAGE["lesson"][language]]
    for term in sorted(terms, key=lambda term: _without_accents(term["name"][language])):
        meaning = " ".join(filter(None, [term["meaning"][language], term.get("formula")]))
        names = [f"**{term['name'][language]}**", *(term["name"][x] for x in others)]
        rows.append([*names, meaning, _link(term["lesson"], language)])
    return _table(rows)


def _symbols(symbols: list[Words], language: str) -> str:
    rows = [[PAGE[column][language] for column in ("symbol", "meaning", "lesson")]]
    rows += [
        [each["formula"], each["meaning"][language], _link(each["lesson"], language)]
        for each in symbols
    ]
    return _table(rows)


def _table(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "| --- " * len(rows[0]) + "|", *lines[1:]])


def _link(lesson: str, language: str) -> str:
    if lesson == "appendix":
        (path,) = NOTEBOOK.parent.glob("*_appendix.ipynb")
        return f"[{PAGE['appendix'][language]}]({path.name})"
    (path,) = (
        each for each in NOTEBOOK.parent.glob(f"{lesson}_*.ipynb") if "appendix" not in each.name
    )
    return f"[{lesson}]({path.name})"


def _without_accents(word: str) -> str:
    return unicodedata.normalize("NFD", word.lower()).encode("ascii", "ignore").decode()
