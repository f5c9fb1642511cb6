"""Notebooks, correct answers and a grading function, which all tests of labs share."""

import importlib.util
import itertools
import linecache
import math
import textwrap
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from unittest.mock import patch

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode

from course_utils import labs
from course_utils.labs.exercise import Exercise
from course_utils.labs.tasks import EXERCISES, LABS

from .extras import missing

REPOSITORY = Path(__file__).resolve().parents[2]

needs_nbgrader = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None,
    reason=missing("nbgrader", "teach"),
)


def path_of(folder: str, lab: str) -> Path:
    return REPOSITORY / folder / lab / f"{lab}.ipynb"


def read(folder: str, lab: str) -> NotebookNode:
    return nbformat.read(path_of(folder, lab), as_version=4)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == name)


def lab_of(exercise: Exercise) -> str:
    return next(lab for lab, exercises in LABS.items() if exercise in exercises)


def grading_accepts(exercise_id: str, answer: object) -> bool:
    """Return True if the hidden test in the solution accepts an answer."""
    try:
        labs.grade(exercise_id, answer, hidden_cases(exercise_id))
    except AssertionError:
        return False
    return True


@cache
def hidden_cases(exercise_id: str) -> tuple[tuple, ...]:
    """Return the cases of the hidden test, or the cases of the exercise if it has none."""
    exercise = EXERCISES[exercise_id]
    notebook = read("solutions", lab_of(exercise))
    source = cell(notebook, f"check-{exercise_id}").source
    hidden = source.split("### BEGIN HIDDEN TESTS\n")[1].split("### END HIDDEN TESTS")[0]
    given = {exercise.name: None}
    exec(cell(notebook, "switch").source, given)
    with patch.object(labs, "grade") as grade:
        exec(hidden, given)
    _, _, *cases = grade.call_args.args
    return tuple(cases[0]) if cases else exercise.cases


def by_exercise(folder: str, name: str) -> dict[str, object]:
    """Collect the dictionaries with a given name from the modules in a folder."""
    package = import_module(folder)
    modules = [import_module(f"{folder}.{found.name}") for found in iter_modules(package.__path__)]
    entries: dict[str, object] = {}
    for module in modules:
        for id, entry in getattr(module, name).items():
            entries[id] = entries[id] + entry if id in entries else entry
    return entries


# Right answers without code from the course -----------------------------------------------------


def by_loops(n_positions: int, d_model: int) -> list[list[float]]:
    divisors = [10_000 ** (2 * k / d_model) for k in range(d_model // 2)]
    return [
        [wave(position / each) for each in divisors for wave in (math.sin, math.cos)]
        for position in range(n_positions)
    ]


def by_exp_and_log(n_positions: int, d_model: int) -> np.ndarray:
    frequencies = np.exp(-math.log(10_000) * np.arange(0, d_model, 2) / d_model)
    angles = np.arange(n_positions)[:, None] * frequencies
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)


def strange_table(n_positions: int, d_model: int, base: float = 10_000) -> np.ndarray:
    """Return the faulty table in lab 03, in which every column has a different frequency."""
    columns = np.arange(d_model)
    angles = np.outer(np.arange(n_positions), base ** (-columns / d_model))
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


def shift_by_kron(offset: int, d_model: int) -> np.ndarray:
    matrix = np.zeros((d_model, d_model))
    for k in range(d_model // 2):
        angle = offset * 10_000 ** (-2 * k / d_model)
        place = np.diag(np.eye(d_model // 2)[k])
        rotation = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        matrix += np.kron(place, rotation)
    return matrix


def encoding(refuses: Callable[[np.ndarray, int], bool]) -> type:
    """Return a correct encoding that rejects its arguments if ``refuses`` returns True."""

    class Encoding:
        def __init__(self, max_length: int, d_model: int) -> None:
            self.table = np.array(by_loops(max_length, d_model))

        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if refuses(word_vectors, len(self.table)):
                raise ValueError
            return word_vectors + self.table[: word_vectors.shape[-2]]

    return Encoding


def too_long(word_vectors: np.ndarray, n_rows: int) -> bool:
    return word_vectors.shape[-2] > n_rows


Encoding = encoding(too_long)


class CutsItsTable(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        self.table = self.table[: word_vectors.shape[-2]]
        return word_vectors + self.table


def filled(value: object) -> Callable:
    return lambda n, d: np.full((n, d), value)


# Wrong answers to every exercise ----------------------------------------------------------------


def mistakes(exercise_id: str) -> list[tuple[str, object]]:
    """Return known and other wrong answers with the expected findings."""
    exercise = EXERCISES[exercise_id]
    known = [(" ".join(each.misconceptions), each.answer) for each in exercise.wrong_answers()]
    if not exercise.parameters:
        known = [(found, value()) for found, value in known]
    return [*known, *by_exercise("answers", "ANSWERS")[exercise_id].wrong]


def misconceptions_of(exercise: Exercise) -> set[str]:
    return {id for known in exercise.wrong_answers() for id in known.misconceptions}


def as_answer(exercise: Exercise, function: Callable[..., object]) -> object:
    """Convert a function of all arguments to an answer, which is a function, class or value."""
    if not exercise.parameters:
        return function()
    if not exercise.called_with:
        return function

    class Made:
        def __init__(self, *given: object) -> None:
            self.given = given

        def __call__(self, argument: object) -> object:
            self.given = (*self.given, argument)
            return function(*self.given)

    return Made


class WithoutSource:
    """A function whose source the feedback cannot read."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __call__(self, *given: object) -> object:
        return self.function(*given)


_n_cells = itertools.count()


def run_cell(source: str, names: dict[str, object]) -> None:
    """Run a cell as Jupyter does, and store the source where Python looks for it."""
    file, source = f"<cell {next(_n_cells)}>", textwrap.dedent(source).lstrip("\n")
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), names)


def answer_in_cell(exercise_id: str, source: str) -> object:
    """Return the answer that a cell defines after the first cell of its lab."""
    exercise = EXERCISES[exercise_id]
    names = {"np": np, "math": math, "__name__": "__main__"}
    exec(_imports(lab_of(exercise)), names)
    run_cell(source, names)
    return names[exercise.name]


@cache
def _imports(lab: str) -> str:
    lines = cell(read("solutions", lab), "switch").source.splitlines()
    return "\n".join(line for line in lines if line.startswith(("import ", "from ")))


def off(exercise: Exercise, change: Callable[[np.ndarray], object]) -> object:
    """Return an answer that applies a change to the correct outputs."""
    return as_answer(exercise, WithoutSource(lambda *given: change(right_output(exercise, *given))))


def right_output(exercise: Exercise, *arguments: object) -> np.ndarray:
    return np.asarray(exercise.call(exercise.reference, *arguments), dtype=float)


def last_number(array: np.ndarray) -> np.ndarray:
    """Return an array that is 1 at the last number and 0 otherwise."""
    return (np.arange(array.size) == array.size - 1).reshape(array.shape)
