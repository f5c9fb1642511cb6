"""Restoration of cells that grading needs: the first cell, tests, lost markings.

A submitted notebook is compared with the lab as it was handed out. Restorations are noted in the
metadata of the test, under ``NOTE``, and reported on the page and in the tables of a teacher.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass

NOTE = "put_back"
"""The key of the note in a test's metadata: ``"deleted"``, ``"moved"`` or ``"lost"``."""

CALL = re.compile(r'\bcheck\(\s*"([\w-]+)",\s*(\w+)')
"""A test's reference to an answer: the exercise and the name of its answer."""

MAGIC = re.compile(r"^[%!].*$", re.M)
"""Lines of a cell in Jupyter's syntax, which is not Python."""


@dataclass(frozen=True)
class Asked:
    """An exercise as it was handed out: its answer's name, and the cells of answer and test."""

    id: str
    name: str
    answer: dict
    test: dict

    @property
    def is_value(self) -> bool:
        """True if the answer is a value and not a function or class."""
        return not source(self.answer).lstrip().startswith(("def ", "class "))

    def is_answered_by(self, cell: dict) -> bool:
        """Return True if a cell binds the answer's name to something that was not handed out."""
        return self.name in _defined(cell) and not _same_code(cell, self.answer)


def source(cell: dict) -> str:
    """Return the source of a cell, which a notebook may store as one string or as lines."""
    return "".join(cell["source"])


def lines(code: str) -> list[str]:
    """Return the lines of code without trailing spaces, which editors and platforms change."""
    return [line.rstrip() for line in code.strip().splitlines()]


def by_grade_id(notebook: dict) -> dict[str, dict]:
    """Return the cells with nbgrader ids, by id."""
    named = {_marks(cell).get("grade_id"): cell for cell in notebook["cells"]}
    return {name: cell for name, cell in named.items() if name}


def tests_in(notebook: dict) -> set[str]:
    """Return the names of the tests in a notebook, found by their marking or their calls."""
    called = (CALL.search(source(cell)) for cell in _code(notebook))
    return by_grade_id(notebook).keys() | {f"check-{found[1]}" for found in called if found}


def asked_in(released: dict) -> list[Asked]:
    """Return the exercises of a lab as it was handed out, in order."""
    cells, asked = by_grade_id(released), []
    for test in cells.values():
        called = CALL.search(source(test))
        if _marks(test).get("grade") and called and called[1] in cells:
            asked.append(Asked(called[1], called[2], cells[called[1]], test))
    return asked


def is_certain(notebook: dict, released: dict) -> bool:
    """Return True if each exercise can be found in a notebook, marked or not."""
    if by_grade_id(notebook):
        return True
    made = copy.deepcopy(notebook)
    _mark_again(made, released)
    names = by_grade_id(made)
    return all(
        each.id in names or f"check-{each.id}" in names or _answers(made, each)
        for each in asked_in(released)
    )


def put_back(notebook: dict, released: dict) -> dict[str, str]:
    """Change a notebook so that each answer is marked and its test comes after it.

    An answer is found by its name. The last cell that defines a function or class counts, as in
    Python. A value counts in the cell for it, and elsewhere only if nothing was written there.

    Returns:
        A note for each test that was changed or moved, by exercise.
    """
    for cell in notebook["cells"]:
        cell.setdefault("metadata", {}).pop(NOTE, None)  # students do not write tests
        if not _marks(cell):  # from a cell that was pasted twice, which would stop nbgrader
            _unmark(cell)
    lost = not by_grade_id(notebook)  # a converter or a similar program removed them
    if lost:
        _mark_again(notebook, released)
    _begin_as_handed_out(notebook, released)
    notes = {}
    for each in asked_in(released):
        note = _in_order(notebook, each)
        if note or lost:
            notes[each.id] = "lost" if lost and note != "moved" else note
            by_grade_id(notebook)[f"check-{each.id}"]["metadata"][NOTE] = notes[each.id]
    return notes


def _mark_again(notebook: dict, released: dict) -> None:
    """Restore the markings of cells: by their ids, by their code, and by what they check."""
    asked = asked_in(released)
    for cell in _code(notebook):
        for given in _code(released):
            if _is_or_was(cell, given):
                cell["metadata"] = copy.deepcopy(given["metadata"])
        called = CALL.search(source(cell))
        for each in asked if called and not _marks(cell) else ():
            if called[1] == each.id and not any(other.name in _defined(cell) for other in asked):
                _mark(cell, each.test)
    counts = by_grade_id(notebook)  # of two equal cells, the last
    for cell in _code(notebook):
        if _marks(cell) and counts[_marks(cell)["grade_id"]] is not cell:
            _unmark(cell)


def _begin_as_handed_out(notebook: dict, released: dict) -> None:
    """Restore what the tests need to run, such as imports, and keep the replaced code after it."""
    given = [cell for cell in _code(released) if _marks(cell).get("locked")]
    for first in [cell for cell in given if not _marks(cell).get("grade")]:
        known = (cell for cell in _code(notebook) if _is_or_was(cell, first))
        theirs = by_grade_id(notebook).get(_marks(first)["grade_id"]) or next(known, None)
        place = 0
        if theirs is not None and _same_code(theirs, first):
            _mark(theirs, first)
            continue
        if theirs is not None:
            place = _index(notebook["cells"], theirs)
            _unmark(theirs)
            theirs["id"] = f"{first['id']}-theirs"
        notebook["cells"].insert(place, _copy(first))


def _in_order(notebook: dict, each: Asked) -> str:
    """Mark the cell that answers an exercise, move its test after it, and return the note."""
    cells, named = notebook["cells"], by_grade_id(notebook)
    marked, test = named.get(each.id), named.get(f"check-{each.id}")
    answer = _answer(notebook, each, marked, test)
    if answer is not None and answer is not marked and not _marks(answer):
        if marked is not None:
            _unmark(marked)
        _mark(answer, each.answer)
    if test is None:
        after = answer if answer is not None else marked
        place = len(cells) if after is None else _index(cells, after) + 1
        while place < len(cells) and NOTE in cells[place]["metadata"]:
            place += 1  # of another answer in the same cell
        cells.insert(place, _copy(each.test))
        return "deleted"
    if answer is None or answer is marked:
        return ""
    start, end = _index(cells, answer), _index(cells, test)
    between = cells[start + 1 : end]
    if start < end and not any(each.name in _defined(cell) for cell in between):
        return ""
    # Later cells of the lab use the result of the test, so a copy is kept here.
    stays = copy.deepcopy(test)
    _unmark(stays)
    stays.pop("id", None)
    stays["id"] = f"{test.get('id', 'test')}-first"[:64]
    cells[end] = stays
    cells.insert(_index(cells, answer) + 1, test)
    return "moved"


def _answer(notebook: dict, each: Asked, marked: dict | None, test: dict | None) -> dict | None:
    """Return the cell that answers an exercise; otherwise the marked cell, or None."""
    answers = _answers(notebook, each)
    written = marked is not None and not _same_code(marked, each.answer)
    if not answers or (written and each.is_value):
        return marked
    near = [cell for cell in _section(notebook, marked, test) if each.is_answered_by(cell)]
    if near or written:
        return near[-1] if near else marked
    own = [cell for cell in answers if not _marks(cell)] or answers
    return own[0] if each.is_value else own[-1]


def _section(notebook: dict, marked: dict | None, test: dict | None) -> list[dict]:
    """Return the cells from an answer, or its test, to the next section of the lab."""
    cells = notebook["cells"]
    first = marked if marked is not None else test
    section = []
    for cell in [] if first is None else cells[_index(cells, first) :]:
        if _marks(cell) and cell is not marked and cell is not test:
            break
        section.append(cell)
    return section


def _answers(notebook: dict, each: Asked) -> list[dict]:
    return [cell for cell in _code(notebook) if each.is_answered_by(cell)]


def _defined(cell: dict) -> set[str]:
    """Return the functions, classes and values that the code of a cell defines."""
    try:
        body = ast.parse(MAGIC.sub("pass", source(cell))).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    named = {each.name for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    for each in body:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                named |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    return named


def _is_or_was(cell: dict, given: dict) -> bool:
    """Return True if a cell has the id or the code of a cell that was handed out."""
    return cell.get("id") == given["id"] or _same_code(cell, given)


def _same_code(cell: dict, other: dict) -> bool:
    return lines(source(cell)) == lines(source(other))


def _code(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _marks(cell: dict) -> dict:
    return (cell.get("metadata") or {}).get("nbgrader") or {}


def _mark(cell: dict, given: dict) -> None:
    cell.setdefault("metadata", {})["nbgrader"] = copy.deepcopy(given["metadata"]["nbgrader"])


def _unmark(cell: dict) -> None:
    cell["metadata"].pop("nbgrader", None)


def _copy(cell: dict) -> dict:
    return copy.deepcopy(cell) | {"source": source(cell), "outputs": []}


def _index(cells: list[dict], cell: dict) -> int:
    return next(index for index, each in enumerate(cells) if each is cell)
