"""Check and grading refuse wrong work and accept right work, and what they say of it is true."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest
from course_utils.labs.catalogue import EXERCISES, LABS
from test_lab_notebooks import cell, read
from test_labs import RIGHT

from course_utils import angular_frequencies, sinusoidal_encoding
from course_utils.labs import check


@pytest.fixture(autouse=True)
def nothing_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")


def grading_accepts(exercise_id: str, answer: object) -> bool:
    """What the hidden test of the solution's notebook says, whatever ``check`` said before."""
    exercise = EXERCISES[exercise_id]
    lab = next(lab for lab, exercises in LABS.items() if exercise in exercises)
    notebook = read("solutions", lab)
    source = cell(notebook, f"check-{exercise_id}").source
    hidden = source.split("### BEGIN HIDDEN TESTS\n")[1].split("### END HIDDEN TESTS")[0]
    given = {exercise.name: answer}
    exec(cell(notebook, "switch").source, given)
    given[re.match(r"\w+", source)[0]] = SimpleNamespace(solved=True)
    try:
        exec(hidden, given)
    except AssertionError:
        return False
    return True


# Wrong, and right in other words -----------------------------------------------------------------


def encoding(refuses: Callable[[np.ndarray, int], bool]) -> type:
    """What is asked for, with another rule for what is refused."""

    class Encoding:
        def __init__(self, max_length: int, d_model: int) -> None:
            self.table = sinusoidal_encoding(max_length, d_model)

        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if refuses(word_vectors, len(self.table)):
                raise ValueError
            return word_vectors + self.table[: word_vectors.shape[-2]]

    return Encoding


def too_long(word_vectors: np.ndarray, n_rows: int) -> bool:
    return word_vectors.shape[-2] > n_rows


class CutsItsTable(encoding(too_long)):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        self.table = self.table[: word_vectors.shape[-2]]
        return word_vectors + self.table


class AddsIntoItsTable(encoding(too_long)):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if word_vectors.ndim == 3:
            return np.array([self(sentence) for sentence in word_vectors])
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        rows = self.table[: len(word_vectors)]
        rows += word_vectors
        return rows.copy()


def distance_between(first: int, end: int) -> Callable[[np.ndarray, int, int], int]:
    """What is asked for, with other ends of the range."""

    def distance(frequencies: np.ndarray, shortest: int, longest: int) -> int:
        distances = np.arange(shortest + first, longest + end)
        return distances[np.cos(np.outer(distances, frequencies)).sum(axis=1).argmax()]

    return distance


def change_in(rows: slice, columns: slice = slice(None)) -> Callable[..., float]:
    """The largest change in some of the rows and columns."""

    def change(encoding: Callable, n_positions: int, longer: int, d_model: int) -> float:
        longer_table = encoding(longer, d_model)[:n_positions]
        return np.abs(longer_table - encoding(n_positions, d_model))[rows, columns].max(initial=0)

    return change


def largest_change_in_four(e: Callable, n: int, longer: int, d_model: int) -> float:
    return np.abs(e(longer, 4)[:n] - e(n, 4)).max()


def dot_products(multiply: Callable) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda table, k: multiply(table[: len(table) - k], table[k:]).sum(axis=1)


def distinct(change: Callable) -> Callable[[int], int]:
    """How many numbers are left in float16 if the positions are changed before."""
    return lambda n: len(np.unique(change(np.arange(n)).astype(np.float16)))


WRONG: dict[str, tuple[str, Callable]] = {
    "sentences counted": ("positional-encoding", encoding(lambda w, rows: len(w) > rows)),
    "one row, one word": (
        "positional-encoding",
        encoding(lambda w, rows: too_long(w, rows) or w.shape[-2] == rows == 1),
    ),
    "only sentences guarded": (
        "positional-encoding",
        encoding(lambda w, rows: w.ndim == 2 and too_long(w, rows)),
    ),
    "only batches guarded": (
        "positional-encoding",
        encoding(lambda w, rows: w.ndim == 3 and too_long(w, rows)),
    ),
    "a word too many": ("positional-encoding", encoding(lambda w, rows: w.shape[-2] > rows + 1)),
    "a word too few": ("positional-encoding", encoding(lambda w, rows: w.shape[-2] >= rows)),
    "table cut": ("positional-encoding", CutsItsTable),
    "table added into": ("positional-encoding", AddsIntoItsTable),
    "shortest skipped": ("most-similar-distance", distance_between(1, 1)),
    "one distance too far": ("most-similar-distance", distance_between(0, 2)),
    "one distance too near": ("most-similar-distance", distance_between(-1, 1)),
    "longest skipped": ("most-similar-distance", distance_between(0, 0)),
    "last row": ("largest-change", change_in(slice(-1, None))),
    "first row": ("largest-change", change_in(slice(1))),
    "row 0 skipped": ("largest-change", change_in(slice(1, None))),
    "first column": ("largest-change", change_in(slice(None), slice(1))),
    "d_model ignored": ("largest-change", largest_change_in_four),
    "and": ("dot-products-at-distance", dot_products(lambda a, b: a & b)),
    "logical and": ("dot-products-at-distance", dot_products(np.logical_and)),
    "minimum": ("dot-products-at-distance", dot_products(np.minimum)),
    "divided by the length": ("distinct-positions", distinct(lambda i: i / len(i))),
    "divided by the last": ("distinct-positions", distinct(lambda i: i / max(i[-1], 1))),
    "flips of counting": (
        "flips-per-step",
        lambda table: [(i ^ (i + 1)).bit_count() for i in range(len(table) - 1)],
    ),
    "absolute value": ("similarity", lambda t, p: np.abs(t @ t[p]) / (t.shape[1] / 2)),
    "squeezed": ("index-encoding", lambda n, d: np.squeeze(np.indices((n, d))[0])),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_work_is_refused_by_check_and_by_grading(name: str) -> None:
    exercise_id, answer = WRONG[name]
    assert not check(exercise_id, answer).solved
    assert not grading_accepts(exercise_id, answer)


RIGHT_TOO: list[tuple[str, Callable]] = [
    ("positional-encoding", encoding(too_long)),
    ("most-similar-distance", distance_between(0, 1)),
    ("largest-change", change_in(slice(None))),
    ("dot-products-at-distance", dot_products(np.multiply)),
    # Half of a number has as many digits.
    ("distinct-positions", distinct(lambda i: i / 2)),
    ("bits-needed", lambda n: Decimal((n - 1).bit_length())),
    ("similarity", lambda t, p: (t @ t[p] / (t.shape[1] / 2)).astype(complex)),
]


@pytest.mark.parametrize(("exercise_id", "answer"), RIGHT + RIGHT_TOO)
def test_what_check_calls_solved_grading_accepts(exercise_id: str, answer: object) -> None:
    assert check(exercise_id, answer).solved
    assert grading_accepts(exercise_id, answer)


# What is said is true ----------------------------------------------------------------------------


def wave_table(angles: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(angles), -1)


def shift_of_the_textbook(offset: int, d_model: int) -> np.ndarray:
    matrix = np.zeros((d_model, d_model))
    for k, angle in enumerate(offset * angular_frequencies(d_model)):
        cosine, sine = np.cos(angle), np.sin(angle)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[cosine, -sine], [sine, cosine]]
    return matrix


def first_distance_returned(frequencies: np.ndarray, shortest: int, longest: int) -> int:
    for distance in range(shortest, longest + 1):
        if np.cos(distance * frequencies).sum() > -math.inf:
            return distance


def turned_backwards_in_place(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    vectors[:, 0] = vectors[:, 0] * np.cos(positions) + vectors[:, 1] * np.sin(positions)
    vectors[:, 1] = vectors[:, 1] * np.cos(positions) - vectors[:, 0] * np.sin(positions)
    return vectors


def without_source(source: str) -> Callable:
    given: dict[str, Callable] = {}
    exec(source, given)
    return given["f"]


class OwnStop(BaseException):
    pass


def stops(n_positions: int) -> int:
    raise OwnStop


SHAPES = ("shapes that do not fit", "formas que no encajan")
DEGREES = ("degrees", "grados")

UNTRUE: dict[str, tuple[str, Callable, tuple[str, ...], tuple[str, str]]] = {
    "sum without an axis": (
        "most-similar-distance",
        lambda f, a, b: a + np.cos(np.outer(np.arange(a, b + 1), f)).sum().argmax(),
        (),
        DEGREES,
    ),
    "return inside the loop": ("most-similar-distance", first_distance_returned, (), DEGREES),
    "a frequency for each k below d": (
        "angular-frequencies",
        lambda d: [10_000 ** (-2 * k / d) for k in range(d)],
        ("frequency-per-column",),
        ("exponent is doubled", "exponente está duplicado"),
    ),
    "no frequencies": (
        "sinusoidal-encoding",
        lambda n, d: wave_table(np.outer(np.arange(n), np.ones(d // 2))),
        ("one-angle",),
        ("division", "división"),
    ),
    "frequencies of one": (
        "angular-frequencies",
        lambda d: np.ones(d // 2),
        ("one-angle",),
        ("division", "división"),
    ),
    "cosines of the offsets": (
        "dot-product-by-offset",
        lambda offsets, d: np.cos(offsets),
        ("first-pair-only",),
        ("averaged", "promedian"),
    ),
    "whole exponent": (
        "base-for-length",
        lambda n, d: (n / math.tau) ** (d // (d - 2)),
        (),
        ("longest wave", "onda más larga"),
    ),
    "rounded to the nearest": (
        "bits-needed",
        lambda n: round(math.log2(n + 1)),
        (),
        ("too few", "Falta un bit"),
    ),
    "the last position gets to 1": (
        "normalized-encoding",
        lambda n, d: np.tile(np.arange(1, n + 1)[:, np.newaxis] / n, d),
        ("divided-by-length", "positions-from-one"),
        ("never gets to 1", "no llega"),
    ),
    "an error of one's own": (
        "positional-encoding",
        encoding(lambda w, rows: w.shape[-2] >= rows),
        (),
        SHAPES,
    ),
    "a whole number to a negative power": (
        "angular-frequencies",
        lambda d: 10_000 ** -np.arange(0, d, 2) / d,
        (),
        SHAPES,
    ),
    "three things": (
        "rotate-pair",
        turned_backwards_in_place,
        ("turned-backwards", "overwritten-too-soon", "input-changed"),
        ("Two things", "Dos cosas"),
    ),
    "a number that is none": ("bits-needed", lambda n: math.nan, (), ("[]", "[]")),
    "an error without a line": (
        "bits-needed",
        without_source("def f(n): return 1 / 0"),
        (),
        ("your line", "tu línea"),
    ),
    "a stop of one's own": ("bits-needed", stops, (), ("end Python", "cerrar Python")),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_nothing_is_said_that_is_not_true_of_the_answer(name: str) -> None:
    exercise_id, answer, named, (english, spanish) = UNTRUE[name]
    feedback = check(exercise_id, answer)
    assert feedback.misconceptions == named
    assert english not in feedback.message("en") and spanish not in feedback.message("es")


@pytest.mark.parametrize(
    ("exercise_id", "answer", "english", "spanish"),
    [
        ("positional-encoding", CutsItsTable, "called once before", "ya se había llamado"),
        ("shift-matrix", shift_of_the_textbook, "the cosine first", "el coseno primero"),
        (*UNTRUE["an error of one's own"][:2], "own raise", "propio raise"),
        (*UNTRUE["a whole number to a negative power"][:2], "negative power", "potencia negativa"),
        (*UNTRUE["three things"][:2], "More than one thing", "Más de una cosa"),
        (*UNTRUE["a number that is none"][:2], "should be 1 and is nan", "debería ser 1 y es nan"),
    ],
)
def test_what_it_really_is_is_said(
    exercise_id: str, answer: Callable, english: str, spanish: str
) -> None:
    feedback = check(exercise_id, answer)
    assert english in feedback.message("en") and spanish in feedback.message("es")
