"""Restoration of cells that grading needs: the first cell, tests and markings.

A submitted notebook is compared with the lab that was handed out. Each restoration is recorded
under ``NOTE`` in the metadata of the test. It is then reported on the student's page and in the
teacher's tables.

A correct answer counts anywhere in the notebook. The test therefore runs after the answer's own
cell, and copies of the test run after all other cells that define the answer's name. After all
tests have run, ``choose`` keeps one of them.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass

from IPython.core.inputtransformer2 import TransformerManager

NOTE = "put_back"
"""Metadata key of a test's note, which is ``"deleted"``, ``"moved"`` or ``"lost"``."""

CALL = re.compile(r'\bcheck\(\s*"([\w-]+)",\s*(\w+)')
"""Pattern of the call in a test, with groups for the exercise and the answer's name."""

COPY = "copy_of_test"
"""Metadata key in a copied test for the exercise and the answer."""


@dataclass(frozen=True)
class ReleasedExercise:
    """An exercise that was handed out, with the name of its answer and its cells."""

    id: str
    name: str
    answer: dict
    test: dict
    given: tuple[dict, ...] = ()
    """All code cells that were handed out, which do not count as answers."""

    def is_answered_by(self, cell: dict) -> bool:
        """Return True if a cell contains a student's answer to the exercise."""
        return self.name in defined_in(source(cell)) and not any(
            _same_code(cell, given) for given in self.given
        )


def source(cell: dict) -> str:
    """Return the source of a cell, which may be stored as a string or as a list of lines."""
    return "".join(cell["source"])


def lines(code: str) -> list[str]:
    """Return the lines of code without trailing spaces, because editors may remove them."""
    return [line.rstrip() for line in code.strip().splitlines()]


def marks(cell: dict) -> dict:
    """Return nbgrader's markings of a cell, or an empty dictionary if there are none."""
    return (cell.get("metadata") or {}).get("nbgrader") or {}


def by_grade_id(notebook: dict) -> dict[str, dict]:
    """Return the cells that have nbgrader ids, keyed by these ids."""
    named = {marks(cell).get("grade_id"): cell for cell in notebook["cells"]}
    return {name: cell for name, cell in named.items() if name}


def tests_in(notebook: dict) -> set[str]:
    """Return the names of the tests in a notebook."""
    called = (CALL.search(source(cell)) for cell in _code(notebook))
    return by_grade_id(notebook).keys() | {f"check-{found[1]}" for found in called if found}


def released_exercises(released: dict) -> list[ReleasedExercise]:
    """Return the exercises of a lab that was handed out, in order."""
    cells, exercises = by_grade_id(released), []
    for test in cells.values():
        called = CALL.search(source(test))
        if marks(test).get("grade") and called and called[1] in cells:
            given = tuple(_code(released))
            exercises.append(ReleasedExercise(called[1], called[2], cells[called[1]], test, given))
    return exercises


def is_certain(notebook: dict, released: dict) -> bool:
    """Return True if every exercise can be found in a notebook, with or without markings."""
    if by_grade_id(notebook):
        return True
    made = copy.deepcopy(notebook)
    _mark_again(made, released)
    names = by_grade_id(made)
    return all(
        each.id in names or f"check-{each.id}" in names or _answers(made, each)
        for each in released_exercises(released)
    )


def answered_in(notebook: dict, released: dict) -> int:
    """Return the number of exercises with an answer."""
    return sum(bool(_answers(notebook, each)) for each in released_exercises(released))


def put_back(notebook: dict, released: dict) -> dict[str, str]:
    """Restore the markings and tests that are needed to grade a notebook.

    Returns:
        Notes about restored tests and markings, keyed by exercise.
    """
    for cell in notebook["cells"]:
        for key in (NOTE, COPY):  # Students do not write tests.
            cell.setdefault("metadata", {}).pop(key, None)
        if not marks(cell):  # nbgrader would reject duplicate cells.
            _unmark(cell)
    lost = not by_grade_id(notebook)  # for example, removed by a converter
    _mark_again(notebook, released)
    _begin_as_handed_out(notebook, released)
    notes = {}
    for each in released_exercises(released):
        deleted = _with_tests(notebook, each)
        if deleted or lost:
            notes[each.id] = "lost" if lost else "deleted"
            by_grade_id(notebook)[f"check-{each.id}"]["metadata"][NOTE] = notes[each.id]
    return notes


def choose(notebook: dict) -> None:
    """Keep one test for each exercise, preferably a test that passed.

    The original test has priority if it passed. If no test passed, the original test counts, unless
    the only answer is below it.
    """
    for test in [cell for cell in _code(notebook) if marks(cell).get("grade")]:
        name = marks(test)["grade_id"].removeprefix("check-")
        copies = [cell for cell in _code(notebook) if _copied(cell).get("exercise") == name]
        passed = [cell for cell in copies if not _failed(cell)]
        if copies and _failed(test) and (passed or _copied(copies[-1])["alone"]):
            _count_instead(notebook, test, (passed or copies)[-1], name)
        for cell in copies:
            if COPY in cell["metadata"]:
                del notebook["cells"][_index(notebook["cells"], cell)]


def _copied(cell: dict) -> dict:
    return cell["metadata"].get(COPY, {})


def _failed(test: dict) -> bool:
    return any(output["output_type"] == "error" for output in test["outputs"])


def _count_instead(notebook: dict, test: dict, copied: dict, name: str) -> None:
    """Replace the original test with a copied test, and mark the answer above the copy."""
    answer_id = copied["metadata"].pop(COPY)["answer"]
    answer = next(cell for cell in notebook["cells"] if cell["id"] == answer_id)
    marked = by_grade_id(notebook).get(name)
    if marked is not None and not marks(answer):
        _mark(answer, marked)
        _unmark(marked)
    _mark(copied, test)
    _unmark(test)
    test["metadata"].pop(NOTE, None)
    copied["metadata"][NOTE] = "moved"


def _mark_again(notebook: dict, released: dict) -> None:
    """Restore missing markings by comparing ids, code and tests."""
    exercises, existing_ids = released_exercises(released), by_grade_id(notebook).keys()
    for cell in _code(notebook):
        for given in _code(released) if not marks(cell) else ():
            if marks(given).get("grade_id") not in existing_ids and _is_or_was(cell, given):
                cell["metadata"] = copy.deepcopy(given["metadata"])
        called = CALL.search(source(cell))
        for each in exercises if called and not marks(cell) else ():
            names = defined_in(source(cell))
            is_test = called[1] == each.id and not any(other.name in names for other in exercises)
            if is_test and f"check-{each.id}" not in existing_ids:
                _mark(cell, each.test)
    counts = by_grade_id(notebook)  # The last of several equal cells counts.
    for cell in _code(notebook):
        if marks(cell) and counts[marks(cell)["grade_id"]] is not cell:
            _unmark(cell)


def _begin_as_handed_out(notebook: dict, released: dict) -> None:
    """Restore code that the tests need, such as imports."""
    given = [cell for cell in _code(released) if marks(cell).get("locked")]
    for first in [cell for cell in given if not marks(cell).get("grade")]:
        known = (cell for cell in _code(notebook) if _is_or_was(cell, first))
        theirs = by_grade_id(notebook).get(marks(first)["grade_id"]) or next(known, None)
        place = 0
        if theirs is not None and _same_code(theirs, first):
            _mark(theirs, first)
            continue
        if theirs is not None:
            place = _index(notebook["cells"], theirs)
            theirs["metadata"] = {}  # The tag would hide the cell on the page.
            theirs["id"] = f"{first['id']}-theirs"
        notebook["cells"].insert(place, _copy(first))


def _with_tests(notebook: dict, each: ReleasedExercise) -> bool:
    """Insert a test after each answer to an exercise.

    Returns:
        True if the original test was missing.
    """
    cells, answers = notebook["cells"], _answers(notebook, each)
    marked = by_grade_id(notebook).get(each.id)
    if marked is None and answers:
        marked = next((cell for cell in reversed(answers) if not marks(cell)), None)
        if marked is not None:
            _mark(marked, each.answer)
    test = by_grade_id(notebook).get(f"check-{each.id}")
    deleted = test is None
    if deleted:
        test = _copy(each.test)
        after = marked if marked is not None else answers[-1] if answers else cells[-1]
        cells.insert(_after(cells, after), test)
    is_empty = not any(_index(cells, cell) < _index(cells, test) for cell in answers)
    for number, answer in enumerate(answers):
        start, end = _index(cells, answer), _index(cells, test)
        between = cells[start + 1 : end]
        if start > end or any(
            each.name in defined_in(source(cell)) for cell in _only_code(between)
        ):
            tested = {"exercise": each.id, "answer": answer["id"], "alone": is_empty}
            again = _copy(test) | {"id": f"again-{each.id}-{number}", "metadata": {COPY: tested}}
            cells.insert(_after(cells, answer), again)
    return deleted


def _after(cells: list[dict], answer: dict) -> int:
    """Return the index after a cell and any tests that were inserted after it."""
    place = _index(cells, answer) + 1
    while place < len(cells) and {NOTE, COPY} & cells[place]["metadata"].keys():
        place += 1
    return place


def tree_of(code: str) -> ast.Module:
    """Parse a cell, which may contain magics.

    If the cell is not valid Python, the result is an empty module.
    """
    code = re.sub(r"\A\s*%%(?:time|timeit|capture)\b.*", "", code)  # The rest is Python.
    try:
        return ast.parse(TransformerManager().transform_cell(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def imports_in(code: str) -> list[ast.Import | ast.ImportFrom]:
    """Return the imports at the top level of a cell."""
    return [each for each in tree_of(code).body if isinstance(each, ast.Import | ast.ImportFrom)]


def defined_in(code: str) -> set[str]:
    """Return the names that a cell defines at its top level."""
    body, named = tree_of(code).body, set()
    while body:
        each = body.pop()
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            named.add(each.name)
        elif isinstance(each, ast.Import | ast.ImportFrom):
            named |= {(alias.asname or alias.name).partition(".")[0] for alias in each.names}
        elif isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            stored = (node for target in targets for node in ast.walk(target))
            named |= {node.id for node in stored if isinstance(node, ast.Name)}
        for part in (
            "body",
            "orelse",
            "handlers",
            "finalbody",
        ):  # if, try, with and loops
            if not isinstance(each, ast.FunctionDef | ast.ClassDef):
                body += getattr(each, part, None) or []
    return named


def _answers(notebook: dict, each: ReleasedExercise) -> list[dict]:
    """Return the cells, except tests, that define the name of an answer."""
    return [
        cell
        for cell in _code(notebook)
        if each.is_answered_by(cell) and not marks(cell).get("grade")
    ]


def _is_or_was(cell: dict, given: dict) -> bool:
    """Return True if a cell has the same id or code as a cell that was handed out."""
    return cell.get("id") == given["id"] or _same_code(cell, given)


def _same_code(cell: dict, other: dict) -> bool:
    return lines(source(cell)) == lines(source(other))


def _code(notebook: dict) -> list[dict]:
    return _only_code(notebook["cells"])


def _only_code(cells: list[dict]) -> list[dict]:
    return [cell for cell in cells if cell["cell_type"] == "code"]


def _mark(cell: dict, given: dict) -> None:
    cell.setdefault("metadata", {})["nbgrader"] = copy.deepcopy(given["metadata"]["nbgrader"])


def _unmark(cell: dict) -> None:
    cell["metadata"].pop("nbgrader", None)


def _copy(cell: dict) -> dict:
    return copy.deepcopy(cell) | {"source": source(cell), "outputs": []}


def _index(cells: list[dict], cell: dict) -> int:
    return next(index for index, each in enumerate(cells) if each is cell)
