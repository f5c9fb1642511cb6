"""Conversion of submitted files to valid notebooks.

nbformat reads only UTF-8 and validates every cell. nbgrader therefore rejects some files that
Jupyter can open. This module preserves the sources and the order of the cells, and the lab's
markings. It removes outputs, other markings and other metadata, because grading runs the cells
again.
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
"""Pattern of valid cell ids in the schema of nbformat 4.5."""

ENCODINGS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

NEW_CELL = {"code": new_code_cell, "raw": new_raw_cell}


class UnreadableError(ValueError):
    """Exception raised if a file is not a notebook.

    The message is the key of the reason.
    """


def parsed(content: bytes) -> NotebookNode:
    """Parse a file and return its cells and their markings as a notebook of version 4.5.

    Raises:
        UnreadableError: If the file is not a notebook. The message is ``"empty"``, ``"web-page"``,
            ``"merge"`` (unresolved merge conflicts), ``"cut"`` (an incomplete file), or empty for
            other reasons.
    """
    encoding = next((ENCODINGS[bom] for bom in ENCODINGS if content.startswith(bom)), "utf-8")
    text = content.decode(encoding, "replace").strip("\0 \t\r\n")
    try:
        # The end of a longer notebook may remain after a shorter notebook has overwritten its
        # beginning.
        found, _ = JSONDecoder(strict=False).raw_decode(text)
        # In version 3, cells are stored in worksheets.
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
    """Return a notebook that contains each of the lab's cells once, with its type and markings."""
    own, given = by_grade_id(released), {each.get("id"): each for each in released["cells"]}
    cells, seen = [], set()
    for cell in reversed(notebook.cells):  # The last of several copies counts, as in Python.
        name = marks(cell).get("grade_id")
        origin = own.get(name) if name else given.get(cell.id)
        is_code = bool(origin) and origin["cell_type"] == "code"
        if is_code and cell.cell_type != "code":
            cell = new_code_cell(cell.source, id=cell.id)  # Keyboard shortcuts can change the type.
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
    """Convert a cell of any notebook version, including nbgrader's markings."""
    source = cell.get("source", cell.get("input")) or ""
    text = source if isinstance(source, str) else "".join(source)
    # A program may have split an emoji, and a lone surrogate cannot be saved.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\r\n", "\n")
    given = cell.get("metadata")
    markings = marks(cell) if isinstance(given, dict) else {}
    metadata = {"nbgrader": markings} if isinstance(markings, dict) and markings else {}
    new = NEW_CELL.get(cell.get("cell_type"), new_markdown_cell)
    read = new(text, metadata=metadata)
    read.id = str(cell.get("id") or "")
    return read


def _give_valid_ids(cells: list[NotebookNode]) -> None:
    """Replace missing, invalid and duplicate ids."""
    seen, numbers = set(), count(1)
    for cell in cells:
        if not VALID_ID.fullmatch(cell.id) or cell.id in seen:
            cell.id = next(name for n in numbers if (name := f"cell-{n}") not in seen)
        seen.add(cell.id)
