"""Put back into a notebook what grading needs: the first cell, tests, lost markings.

A notebook that was handed in is compared with the lab as it was handed out. What was put back is
noted in the metadata of the test, under ``NOTE``, and the page and the tables of a teacher say so.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass

NOTE = "put_back"
"""The key, in a test's metadata, of what became of it: ``"deleted"``, ``"moved"``, ``"lost"``."""

CALL = re.compile(r'\bcheck\(\s*"([\w-]+)",\s*(\w+)')
"""How a test asks for an answer: the exercise and the name that its answer has."""

MAGIC = re.compile(r"^[%!].*$", re.M)
"""Lines of a cell that are Jupyter's and not Python's."""


@dataclass(frozen=True)
class Asked:
    """An exercise as it was handed out: its answer's name, and the cells of answer and test."""

    id: str
    name: str
    answer: dict
    test: dict


def source(cell: dict) -> str:
    """What stands in a cell; a notebook may hold it as one string or as lines."""
    return "".join(cell["source"])


def lines(code: str) -> list[str]:
    """The lines of code without the spaces at their ends, which editors and platforms change."""
    return [line.rstrip() for line in code.strip().splitlines()]


def by_grade_id(notebook: dict) -> dict[str, dict]:
    """The cells that nbgrader knows, by their names."""
    named = {_marks(cell).get("grade_id"): cell for cell in notebook["cells"]}
    return {name: cell for name, cell in named.items() if name}


def has_lost_its_markings(notebook: dict) -> bool:
    """Whether a converter, or a program like it, took away what nbgrader knows the cells by."""
    return not by_grade_id(notebook)


def tests_in(notebook: dict) -> set[str]:
    """The names of the tests in a notebook, marked or known by what they call."""
    called = (CALL.search(source(cell)) for cell in _code(notebook))
    return by_grade_id(notebook).keys() | {f"check-{found[1]}" for found in called if found}


def asked_in(released: dict) -> list[Asked]:
    """The exercises of a lab as it was handed out, in its order."""
    cells, asked = by_grade_id(released), []
    for test in cells.values():
        called = CALL.search(source(test))
        if _marks(test).get("grade") and called and called[1] in cells:
            asked.append(Asked(called[1], called[2], cells[called[1]], test))
    return asked


def is_certain(notebook: dict, released: dict) -> bool:
    """Whether each exercise can be found in a notebook, marked or not."""
    if not has_lost_its_markings(notebook):
        return True
    made = copy.deepcopy(notebook)
    _mark_again(made, asked_in(released))
    names = by_grade_id(made)
    handed_out = _sources(released)
    return all(
        each.id in names or f"check-{each.id}" in names or _answers(made, each, handed_out)
        for each in asked_in(released)
    )


def put_back(notebook: dict, released: dict) -> dict[str, str]:
    """Change a notebook so that each answer is marked and its test comes after it.

    An answer is looked for by its name. The last cell that defines a function or class counts, as
    it does in Python; a value that was asked for counts where it was asked for, and elsewhere only
    if nothing was written there.

    Returns:
        What became of each test that is not where and as it was: its exercise, and the note.
    """
    for cell in notebook["cells"]:
        cell.setdefault("metadata", {}).pop(NOTE, None)  # no student writes one
        if not _marks(cell):  # of a cell that was pasted twice; nbgrader would stop at it
            _unmark(cell)
    asked, handed_out = asked_in(released), _sources(released)
    lost = has_lost_its_markings(notebook)
    if lost:
        _mark_again(notebook, asked)
        _tag_again(notebook, released)
    _begin_as_handed_out(notebook, released)
    notes = {}
    for each in asked:
        note = _in_order(notebook, each, handed_out)
        if note or lost:
            notes[each.id] = "lost" if lost and note != "moved" else note
            by_grade_id(notebook)[f"check-{each.id}"]["metadata"][NOTE] = notes[each.id]
    return notes


def _mark_again(notebook: dict, asked: list[Asked]) -> None:
    """Give cells their markings by their ids, by their code, and by the exercise they check."""
    for cell in _code(notebook):
        called = CALL.search(source(cell))
        for each in asked:
            for given in (each.answer, each.test):
                same = lines(source(cell)) == lines(source(given))
                if same or cell.get("id") == given["id"]:
                    _mark(cell, given)
            if not _marks(cell) and called and called[1] == each.id:
                if not any(other.name in _defined(cell) for other in asked):
                    _mark(cell, each.test)
    seen: dict[str, dict] = {}
    for cell in _code(notebook):  # of two that are alike, the last one
        name = _marks(cell).get("grade_id")
        if name in seen:
            _unmark(seen[name])
        if name:
            seen[name] = cell


def _tag_again(notebook: dict, released: dict) -> None:
    """Give unchanged cells their tags, such as that of hints, which no page shows."""
    tags = {tuple(lines(source(cell))): cell["metadata"].get("tags") for cell in _code(released)}
    for cell in _code(notebook):
        if given := tags.get(tuple(lines(source(cell)))):
            cell["metadata"]["tags"] = [*given]


def _begin_as_handed_out(notebook: dict, released: dict) -> None:
    """Put back what the tests need to run, such as imports, and keep behind it what replaced it."""
    given = [cell for cell in _code(released) if _marks(cell).get("locked")]
    for first in [cell for cell in given if not _marks(cell).get("grade")]:
        same = [cell for cell in _code(notebook) if lines(source(cell)) == lines(source(first))]
        known = [cell for cell in _code(notebook) if cell.get("id") == first["id"]] or same
        theirs = by_grade_id(notebook).get(_marks(first)["grade_id"]) or next(iter(known), None)
        if theirs in same:
            _mark(theirs, first)
            continue
        place = 0
        if theirs is not None:
            place = _index(notebook["cells"], theirs)
            _unmark(theirs)
            theirs["id"] = f"{first['id']}-theirs"
        notebook["cells"].insert(place, _copy(first))


def _in_order(notebook: dict, each: Asked, handed_out: set[str]) -> str:
    """Mark the cell that answers an exercise, and have its test after it; the note on the test."""
    cells, named = notebook["cells"], by_grade_id(notebook)
    marked, test = named.get(each.id), named.get(f"check-{each.id}")
    answer = _answer(notebook, each, marked, test, handed_out)
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
    # The cells of the lab that come after the test ask what it found, so a copy stays behind.
    stays = copy.deepcopy(test)
    _unmark(stays)
    stays.pop("id", None)
    stays["id"] = f"{test.get('id', 'test')}-first"[:64]
    cells[end] = stays
    cells.insert(_index(cells, answer) + 1, test)
    return "moved"


def _answer(
    notebook: dict, each: Asked, marked: dict | None, test: dict | None, handed_out: set[str]
) -> dict | None:
    """The cell that answers an exercise; the marked one, or None, if it was written nowhere."""
    answers = _answers(notebook, each, handed_out)
    written = marked is not None and "\n".join(lines(source(marked))) not in handed_out
    is_value = not source(each.answer).lstrip().startswith(("def ", "class "))
    if not answers or (written and is_value):
        return marked
    near = [cell for cell in _section(notebook, marked, test) if any(cell is a for a in answers)]
    if near or written:
        return near[-1] if near else marked
    own = [cell for cell in answers if not _marks(cell)] or answers
    return own[0] if is_value else own[-1]


def _section(notebook: dict, marked: dict | None, test: dict | None) -> list[dict]:
    """The cells from that of an answer, or its test, to the next one of the lab."""
    cells = notebook["cells"]
    first = marked if marked is not None else test
    section = []
    for cell in [] if first is None else cells[_index(cells, first) :]:
        if _marks(cell) and cell is not marked and cell is not test:
            break
        section.append(cell)
    return section


def _answers(notebook: dict, each: Asked, handed_out: set[str]) -> list[dict]:
    """The cells that define the name of an answer and that are not as they were handed out."""
    return [
        cell
        for cell in _code(notebook)
        if each.name in _defined(cell) and "\n".join(lines(source(cell))) not in handed_out
    ]


def _defined(cell: dict) -> set[str]:
    """The functions, classes and values that the code of a cell gives a name to."""
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


def _sources(released: dict) -> set[str]:
    return {"\n".join(lines(source(cell))) for cell in _code(released)}


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
