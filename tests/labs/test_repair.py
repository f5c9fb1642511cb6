"""Tests of the search for the one line of a learner's code that needs a change."""

import math
import sys
import textwrap
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from checks.labs import by_loops, run_cell
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import binary_encoding, sinusoidal_encoding
from course_utils.labs import check
from course_utils.labs.diagnosis import Diagnosis, diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.feedback import feedback_on
from course_utils.labs.repair import Repair
from course_utils.labs.tasks import EXERCISES


def notebook(source: str, **names: object) -> dict[str, object]:
    """Return the names that a cell defines."""
    names |= {"np": np, "math": math, "sinusoidal_encoding": sinusoidal_encoding}
    run_cell(source, names)
    return names


def written(exercise_id: str, source: str, **names: object) -> object:
    return notebook(source, **names)[EXERCISES[exercise_id].name]


def repaired(exercise: Exercise, answer: object) -> Repair | None:
    return diagnose(exercise, answer).repair


# Mistakes that are found --------------------------------------------------------------------------

AVERAGE = Exercise(
    id="average",
    reference=lambda n: 3 * n * n + 2,
    cases=((1,), (2,), (5,), (9,)),
    by_hand=lambda place, n: {"result": 3 * n * n + 2},
    misconceptions={},
)
"""A formula with several constants and operators."""

LINES = {
    "three = 3": ("three = 4", "number", "4"),
    "square = n * n": ("square = n + n", "operator", "+"),
    "total = three * square": ("total = three // square", "operator", "//"),
    "return total + 2": ("return total * 2", "operator", "*"),
    "pass": ("square = math.sqrt(square)", "extra", "math.sqrt(square)"),
}
"""Lines of the formula, with a wrong line, the kind of the mistake and the part in question."""


@pytest.mark.parametrize("line", LINES)
def test_wrong_line_is_named(line):
    lines = ["three = 3", "square = n * n", "pass", "total = three * square", "return total + 2"]
    wrong, kind, part = LINES[line]
    number = lines.index(line)
    lines[number] = wrong
    source = "def average(n):\n" + textwrap.indent("\n".join(lines), "    ")
    found = repaired(AVERAGE, notebook(source)["average"])
    assert (found.kind, found.line, found.part) == (kind, number + 2, part)
    assert found.shown == f"{number + 2}: {wrong}" and found.code in wrong


@settings(max_examples=40, deadline=None)
@given(st.integers(-4, 9), st.integers(-4, 9))
def test_only_single_mistakes_are_repaired(factor, constant):
    source = f"def average(n):\n    square = n * n * {factor}\n    return square + {constant}"
    found = repaired(AVERAGE, notebook(source)["average"])
    if (factor, constant) == (3, 2):
        assert diagnose(AVERAGE, notebook(source)["average"]).solved
    elif factor == 3 and constant != 2:
        # An answer that is off by a constant matches a pattern, and patterns come first.
        assert found is None
    elif constant == 2 and factor in (2, 4, 6, -3):
        assert (found.line, found.kind) == (2, "sign" if factor == -3 else "number")
    elif factor in (5, 7, -2) and constant != 2:
        assert found is None


CELLS = {
    "sinusoidal-rows": (
        """
        def sinusoidal_rows(positions, d_model, base):
            table = np.zeros((len(positions), d_model))
            for row in range(len(positions)):
                for column in range(d_model):
                    angle = row / base ** (2 * (column // 2) / d_model)
                    table[row, column] = math.cos(angle) if column % 2 else math.sin(angle)
            return table
        """,
        ("name", 5, "row / base ** (2 * (column // 2) / d_model)"),
        "positions[row]",
    ),
    "exposing-calls": (
        """
        def exposing_calls(attempt, longest, widest):
            found = np.zeros((longest, widest))
            for n in range(1, longest + 1):
                for d in range(1, widest + 1):
                    right = np.repeat(np.arange(n)[:, None], d, axis=1) / max(n - 1, 1)
                    given = attempt(n, d)
                    same = given.shape == right.shape and np.allclose(given, right)
                    found[n - 1, d - 1] = not same
                return found
        """,
        ("return", 9, "return found"),
        "    return found",
    ),
    "share-before": (
        """
        def share_before(attention, first):
            previous = np.diagonal(attention, -1)
            return previous[first:].mean()
        """,
        ("bound", 3, "previous[first:]"),
        "first - 1",
    ),
    "query-looking-back": (
        """
        def query_looking_back(key, steps_back, frequency):
            angle = steps_back * frequency
            x = key[0] * np.cos(angle) - key[1] * np.sin(angle)
            y = key[1] * np.cos(angle) - key[0] * np.sin(angle)
            return np.array([x, y])
        """,
        ("sign", 3, "key[1] * np.sin(angle)"),
        "key[0] * np.cos(angle) + key[1] * np.sin(angle)",
    ),
    "position-from-noisy-row": (
        """
        def position_from_noisy_row(row, n_positions, base):
            frequencies = base ** (-np.arange(0, len(row), 2) / len(row))
            angles = np.outer(np.arange(n_positions), frequencies)
            table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)
            return np.argmin(np.linalg.norm(table - row))
        """,
        ("axis", 5, "np.linalg.norm(table - row)"),
        "axis=1",
    ),
}
"""Answers with the kind, the line and the quotation of the repair, and what must not be shown."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("exercise_id", CELLS)
def test_line_is_named_but_not_change(exercise_id):
    source, (kind, line, code), change = CELLS[exercise_id]
    exercise, answer = EXERCISES[exercise_id], written(exercise_id, source)
    diagnosis = diagnosis_of_unknown(exercise, answer)
    found = diagnosis.repair
    assert (found.kind, found.line, found.code) == (kind, line, code)
    feedback = feedback_on(exercise, diagnosis)
    for language, where in (("en", f"in line {line}"), ("es", f"en la línea {line}")):
        assert where in feedback.message(language) and code in feedback.message(language)
        if change.strip() not in source:
            assert change not in feedback.message(language)
    assert feedback.code.startswith(f"{line}: ")
    assert feedback.record["pattern"] == f"repair-{kind}"


def diagnosis_of_unknown(exercise: Exercise, answer: object) -> Diagnosis:
    """Diagnose an answer as if no misconception were known."""
    return diagnose(replace(exercise, misconceptions={}), answer)


def test_function_that_answer_calls_is_repaired():
    source = """
    def width_of(column):
        return column + 2

    def their_stripes(n_positions, d_model):
        columns = [np.arange(n_positions) // width_of(c) % 2 for c in range(d_model)]
        return np.stack(columns, axis=1)
    """
    answer = written("their-stripes", source)
    found = diagnosis_of_unknown(EXERCISES["their-stripes"], answer).repair
    assert (found.line, found.code, found.part) == (2, "column + 2", "2")


def test_answer_to_earlier_exercise_is_not_repaired():
    source = """
    def positions_from_bits(bits):
        return bits @ 2 ** np.arange(1, bits.shape[1])

    def reading_order(bits):
        return np.argsort(positions_from_bits(bits[:, 1:]))
    """
    answer = written("reading-order", source)
    found = repaired(EXERCISES["reading-order"], answer)
    assert found is None or found.line > 3


def test_class_is_repaired():
    source = """
    class PositionalEncoding:
        def __init__(self, max_length, d_model):
            self.table = sinusoidal_encoding(max_length, d_model)

        def __call__(self, word_vectors):
            n_words = word_vectors.shape[-2]
            if n_words > len(self.table):
                raise ValueError
            return word_vectors + np.floor(self.table[:n_words])
    """
    answer = written("positional-encoding", source)
    diagnosis = diagnosis_of_unknown(EXERCISES["positional-encoding"], answer)
    assert (diagnosis.repair.kind, diagnosis.repair.line) == ("extra", 9)
    assert answer(4, 8)(np.zeros((4, 8))).sum() == np.floor(by_loops(4, 8)).sum()


def test_code_without_source_is_not_repaired():
    names = {}
    exec("def average(n):\n    return 4 * n * n + 2", names)
    assert repaired(AVERAGE, names["average"]) is None


def test_two_lambdas_in_one_line_are_distinguished():
    source = "both = [lambda n: 3 * n * n + 2, lambda n: 4 * n * n + 2]"
    right, wrong = notebook(source)["both"]
    assert diagnose(AVERAGE, right).solved
    assert repaired(AVERAGE, wrong).code == "4 * n"


# Side effects of the search -----------------------------------------------------------------------


def test_variants_leave_no_state():
    source = """
    calls = 0
    seen = []
    cache = {}

    def average(n, results=[]):
        global calls
        calls += 1
        seen.append(n)
        results.append(n)
        print("called with", n)
        cache[n] = 4 * n * n
        return cache[n] + 2
    """
    names = notebook(source)
    traced = sys.gettrace()
    diagnosis = diagnose(AVERAGE, names["average"])
    assert diagnosis.repair.line == 11
    asked = [n for (n,) in AVERAGE.cases]
    assert names["calls"] == len(asked) and names["seen"] == asked
    assert [*names["cache"]] == asked and names["average"].__defaults__ == (asked,)
    assert diagnosis.printed.count("called with") == len(asked)
    assert sys.gettrace() is traced


def test_values_that_cannot_be_copied_are_kept():
    source = """
    locks = [threading.Lock()]

    def average(n):
        with locks[0]:
            return 4 * n * n + 2
    """
    found = repaired(AVERAGE, notebook(source, threading=threading)["average"])
    assert (found.line, found.part) == (5, "4")


def test_endless_variants_are_stopped():
    source = """
    def average(n):
        total = step = 0
        while step != n:
            total += n
            step += 1
        return 4 * total + 2
    """
    begun = time.process_time()
    found = repaired(AVERAGE, notebook(source)["average"])
    assert (found.line, found.part) == (6, "4")
    assert time.process_time() - begun < 5


def test_search_is_deterministic():
    answer = written("gray-encoding", GRAY, binary_encoding=binary_encoding)
    found = [repaired(EXERCISES["gray-encoding"], answer) for _ in range(2)]
    assert found[0] == found[1] is not None


GRAY = """
def gray_encoding(n_positions, d_model):
    i = np.arange(n_positions)[:, None]
    c = np.arange(d_model)
    return i >> c ^ i >> c + 1 & 1
"""


def test_correct_answer_is_not_searched(monkeypatch):
    monkeypatch.setattr("course_utils.labs.repair.Edits", None)
    assert check("gray-encoding", EXERCISES["gray-encoding"].reference).solved
