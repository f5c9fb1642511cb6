"""Reading of submitted files: a valid notebook, or the reason why there is none.

nbformat reads only UTF-8 and validates every cell; nbgrader therefore gives up on files that
Jupyter itself opens. Here whatever can be understood is kept: the sources of the cells, in their
order, and the markings of the lab. Outputs, foreign markings and other metadata are dropped,
because grading runs the cells again.
"""

from __future__ import annotations

import codecs
import re
from itertools import count
from json import JSONDecoder

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from .putting_back import by_grade_id, marks

VALID_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
"""Ids of cells, as the schema of nbformat 4.5 requires them."""

ENCODINGS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

NEW_CELL = {"code": new_code_cell, "raw": new_raw_cell}


class UnreadableError(ValueError):
    """A file that is not a notebook; the message is the key of the reason."""


def parsed(content: bytes) -> NotebookNode:
    """Return the cells of a file as a notebook of version 4.5, with the markings that they have.

    Raises:
        UnreadableError: the file is empty (``"empty"``), a web page (``"web-page"``), has the
            marks of a merge (``"merge"``), ends too early (``"cut"``), or is none of these.
    """
    encoding = next((ENCODINGS[bom] for bom in ENCODINGS if content.startswith(bom)), "utf-8")
    text = content.decode(encoding, "replace").strip("\0 \t\r\n")
    try:
        # A shorter notebook may have been written over a longer one, whose end is still there.
        found, _ = JSONDecoder(strict=False).raw_decode(text)
        # Version 3 keeps its cells in worksheets.
        cells = found["cells"] if "cells" in found else found["worksheets"][0]["cells"]
        read = [_cell(each) for each in cells]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        reasons = {
            "empty": not text,
            "web-page": text.startswith("<"),
            "merge": "<<<<<<<" in text,
            "cut": text.startswith("{") and not text.endswith("}"),
        }
        raise UnreadableError(next((each for each in reasons if reasons[each]), "")) from None
    _give_valid_ids(read)
    return new_notebook(cells=read)


def cleaned(notebook: NotebookNode, released: dict) -> NotebookNode:
    """Return a notebook in which the lab's cells have their type and markings, each one once."""
    own, given = by_grade_id(released), {each.get("id"): each for each in released["cells"]}
    cells, seen = [], set()
    for cell in reversed(notebook.cells):  # of pasted cells, the last counts, as in Python
        name = marks(cell).get("grade_id")
        origin = own.get(name) if name else given.get(cell.id)
        is_code = bool(origin) and origin["cell_type"] == "code"
        if is_code and cell.cell_type != "code":
            cell = new_code_cell(cell.source, id=cell.id)  # JupyterLab's keys Y, M and R change it
        cell.metadata = {}
        if name in own and name not in seen:
            cell.metadata = {"nbgrader": own[name]["metadata"]["nbgrader"]}
            seen.add(name)
        if origin and "tags" in origin["metadata"]:
            cell.metadata["tags"] = origin["metadata"]["tags"]
        cells.append(cell)
    metadata = released.get("metadata") or {}
    return new_notebook(cells=cells[::-1], metadata=metadata)


def _cell(cell: dict) -> NotebookNode:
    """Return a cell of any version with its type, source, id and nbgrader's markings."""
    source = cell.get("source", cell.get("input")) or ""
    text = source if isinstance(source, str) else "".join(source)
    # A program may have cut an emoji in two, and half of it cannot be saved.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\r\n", "\n")
    given = cell.get("metadata")
    kept = marks(cell) if isinstance(given, dict) else {}
    metadata = {"nbgrader": kept} if isinstance(kept, dict) and kept else {}
    new = NEW_CELL.get(cell.get("cell_type"), new_markdown_cell)
    read = new(text, metadata=metadata)
    read.id = str(cell.get("id") or "")
    return read


def _give_valid_ids(cells: list[NotebookNode]) -> None:
    """Replace ids that are missing, too long, or used twice; the first cell keeps an id."""
    seen, numbers = set(), count(1)
    for cell in cells:
        if not VALID_ID.fullmatch(cell.id) or cell.id in seen:
            cell.id = next(name for n in numbers if (name := f"cell-{n}") not in seen)
        seen.add(cell.id)
