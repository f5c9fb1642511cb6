"""Wrong work is refused, by check and by grading."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from checks.labs import (
    CutsItsTable,
    Encoding,
    encoding,
    grading_accepts,
    strange_table,
    too_long,
)

from course_utils import angular_frequencies
from course_utils.labs import check, grade
from course_utils.labs.tasks import EXERCISES


class AddsIntoItsTable(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if word_vectors.ndim == 3:
            return np.array([self(sentence) for sentence in word_vectors])
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        rows = self.table[: len(word_vectors)]
        rows += word_vectors
        return rows.copy()


class RepeatsItsTable(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        return word_vectors + self.table[np.arange(word_vectors.shape[-2]) % len(self.table)]


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


def read_with(angle: Callable[[np.ndarray], float]) -> Callable[[np.ndarray, float], float]:
    return lambda row, base: angle(row) * base ** (1 - 2 / len(row))


def distance_of_clocks(row: np.ndarray, other: np.ndarray, base: float) -> float:
    return math.acos(min(1, row[-2:] @ other[-2:])) * base ** (1 - 2 / len(row))


def offset_of_clocks(whole: Callable[[float], int]) -> Callable[..., int]:
    """What is asked for, made whole otherwise."""

    def offset(row: np.ndarray, other: np.ndarray, base: float) -> int:
        first, second = (read[-1] + 1j * read[-2] for read in (row, other))
        return whole(np.angle(second * first.conj()) / base ** (2 / len(row) - 1))

    return offset


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
    "table repeated": ("positional-encoding", RepeatsItsTable),
    "shortest skipped": ("most-similar-distance", distance_between(1, 1)),
    "one distance too far": ("most-similar-distance", distance_between(0, 2)),
    "one distance too near": ("most-similar-distance", distance_between(-1, 1)),
    "longest skipped": ("most-similar-distance", distance_between(0, 0)),
    "last row": ("largest-change", change_in(slice(-1, None))),
    "first row": ("largest-change", change_in(slice(1))),
    "row 0 skipped": ("largest-change", change_in(slice(1, None))),
    "first column": ("largest-change", change_in(slice(None), slice(1))),
    "d_model ignored": ("largest-change", largest_change_in_four),
    "first divisor only": (
        "first-return",
        lambda m, step: 2 * np.pi / (step * np.gcd(m[0], m[-1])),
    ),
    "up to 4096": (
        "first-lost-position",
        lambda n: next(i for i in range(4096) if len(bin(i).rstrip("0")) > n + 2),
    ),
    "neighbours only": (
        "look-forward-weights",
        lambda back, n: np.linalg.matrix_power(np.where(np.tri(len(back), k=1), back, 0).T, n),
    ),
    "back only": (
        "share-looking-at",
        lambda s, r: np.mean(s.argmax(1)[abs(r) :] == np.arange(len(s) - abs(r))),
    ),
    "table of one number": ("their-scores", lambda q, k, n: np.full((n, n), q @ k)),
    "flips of counting": (
        "flips-at-distance",
        lambda table, r: [(i ^ (i + r)).bit_count() for i in range(len(table) - r)],
    ),
    "half of the hand": ("position-from-row", read_with(lambda row: math.acos(row[-1]))),
    "half a turn": ("position-from-row", read_with(lambda row: math.atan2(*row[-2:]))),
    "offset rounded down": ("offset-between", offset_of_clocks(math.floor)),
    "offset rounded up": ("offset-between", offset_of_clocks(math.ceil)),
    "offset cut": ("offset-between", offset_of_clocks(int)),
    "position rounded up": (
        "position-from-row",
        lambda row, base: math.ceil(
            math.atan2(row[-2], row[-1]) % math.tau / base ** (-(len(row) - 2) / len(row))
        ),
    ),
    "distances only": ("offset-between", distance_of_clocks),
    "offsets counted": (
        "distance-by-offset",
        lambda offsets, d: np.sqrt(
            d - 2 * np.cos(np.outer(np.arange(len(offsets)), angular_frequencies(d))).sum(1)
        ),
    ),
    "squeezed": ("countdown-encoding", lambda n, d: np.squeeze(np.indices((n, d))[0][::-1])),
    "rows in their order": ("positions-from-bits", lambda rows: np.arange(len(rows))),
    "one bit": ("positions-from-bits", lambda rows: rows.argmax(axis=1) + rows.any(axis=1)),
    "shorter minus longer": ("largest-change", lambda e, n, m, d: (e(n, d) - e(m, d)[:n]).max()),
    "longer minus shorter": ("largest-change", lambda e, n, m, d: (e(m, d)[:n] - e(n, d)).max()),
    "sign lost too late": (
        "largest-change",
        lambda e, n, m, d: abs((e(m, d)[:n] - e(n, d)).max()),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_work_is_refused_by_check_and_by_grading(name):
    exercise_id, answer = WRONG[name]
    assert not check(exercise_id, answer).solved
    assert not grading_accepts(exercise_id, answer)


@pytest.mark.parametrize("names", [("isclose",), ("sin", "cos")])
def test_what_an_answer_puts_in_the_place_of_numpys_functions_judges_nothing(names, monkeypatch):
    def patching(n_positions: int, d_model: int) -> np.ndarray:
        for name in names:
            monkeypatch.setattr(np, name, lambda *given, **named: np.ones(np.shape(given[0])) > 0)
        return np.ones((n_positions, d_model))

    assert not check("strange-table", patching).solved


def test_grading_uses_other_cases():
    known = {case: strange_table(*case) for case in EXERCISES["strange-table"].cases}

    def learned_by_heart(n_positions: int, d_model: int) -> object:
        return known.get((n_positions, d_model), np.zeros((n_positions, d_model)))

    assert check("strange-table", learned_by_heart).solved
    with pytest.raises(AssertionError, match=r"strange_table\(7, 10\)"):
        grade("strange-table", learned_by_heart, [(7, 10)])
    grade("strange-table", strange_table, [(7, 10)])
    with pytest.raises(ValueError, match="cases must hold at least one"):
        grade("strange-table", strange_table, [])
