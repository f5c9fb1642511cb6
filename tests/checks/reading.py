"""What a lesson asks of its reader: minutes, code to read, printed outputs, and how it begins."""

import re

import nbformat

from .outputs import is_folded
from .parity import FORMULA

WORDS_A_MINUTE = 130
READ_TWICE = 0.1
"""The share of the words that two readers, one in each language, had to read again."""
CODE_LINES_A_MINUTE = 8
MINUTES_A_STOP = 2
MINUTES_A_PICTURE = 0.5

STOP = re.compile(r"\bquestion\(|\w_explorer\(|\bverdict\(")
TAKEN_HOLD_OF = re.compile(r"\w_explorer\(|\bverdict\(")
PICTURE = re.compile(r"\bshow\(")
LINK_TARGET = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")


def minutes(notebook: nbformat.NotebookNode, language: str = "es") -> float:
    """How long readers took, as measured: words, stops to think or explore, code and pictures."""
    sources = [cell.source for cell in _cells(notebook, "code")]
    n_stops = sum(len(STOP.findall(source)) for source in sources)
    n_pictures = sum(len(PICTURE.findall(source)) for source in sources)
    return (
        n_words(notebook, language) * (1 + READ_TWICE) / WORDS_A_MINUTE
        + n_stops * MINUTES_A_STOP
        + len(code_lines(notebook)) / CODE_LINES_A_MINUTE
        + n_pictures * MINUTES_A_PICTURE
    )


def n_words(notebook: nbformat.NotebookNode, language: str) -> int:
    """The words of the prose in one language, without formulas."""
    return sum(len(prose(cell, language)) for cell in _cells(notebook, "markdown"))


def prose(cell: nbformat.NotebookNode, language: str) -> list[str]:
    """The words of a prose cell in one language; headings, which hold all languages, are left."""
    said = re.findall(rf'<div lang="{language}">\n(.*?)\n</div>', cell.source, re.DOTALL)
    return WORD.findall(LINK_TARGET.sub("]", FORMULA.sub(" ", " ".join(said))))


def first_paragraph(cell: nbformat.NotebookNode, language: str) -> list[str]:
    """The words of the first paragraph of a prose cell in one language."""
    cut = re.sub(r"(<div[^>]*>\n\n.*?\n)\n.*?(?=</div>)", r"\1", cell.source, flags=re.DOTALL)
    return prose(nbformat.from_dict({**cell, "source": cut}), language)


def code_lines(notebook: nbformat.NotebookNode) -> list[str]:
    """The lines that stand open and have something to read: no imports, no empty ones."""
    return [
        line
        for cell in _cells(notebook, "code")
        if not is_folded(cell)
        for line in cell.source.splitlines()
        if line.strip() and not re.match(r"import\b|from\b", line)
    ]


def printing_cells(notebook: nbformat.NotebookNode) -> list[str]:
    """The cells that leave plain text, not a picture, a table or anything else that is shown."""
    return [
        cell.id
        for cell in _cells(notebook, "code")
        if any(
            output.output_type == "stream" or "text/html" not in output.get("data", {})
            for output in cell.outputs
        )
    ]


def printed_in_every_language(notebook: nbformat.NotebookNode) -> list[str]:
    """The cells that print words, which cannot follow the switch, or are written so as to."""
    return [
        cell.id
        for cell in _cells(notebook, "code")
        if re.search("^[^#]* · ", cell.source, re.MULTILINE)
        or any(
            WORD.sub("", output.text) != output.text
            and not re.fullmatch(r"(?:True|False|\s|[\W\d])*", output.text)
            for output in cell.outputs
            if output.output_type == "stream"
        )
    ]


def words_before_the_first_explorer(notebook: nbformat.NotebookNode, language: str) -> int | None:
    """How much there is to read before something moves; None where nothing does."""
    read = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            read += len(prose(cell, language))
        elif TAKEN_HOLD_OF.search(cell.source):
            return read
    return None


def _cells(notebook: nbformat.NotebookNode, kind: str) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == kind]
