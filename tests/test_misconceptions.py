"""Misconceptions are named, alone and in pairs, and nothing is said that is not true."""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from checks.labs import (
    CutsItsTable,
    Encoding,
    by_exercise,
    encoding,
    strange_table,
)

from course_utils import normalized_encoding
from course_utils.labs import check
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import Exercise, Misconception, WrongImplementation
from course_utils.labs.tasks import EXERCISES

ANSWERS = by_exercise("answers", "ANSWERS")


def tried_ways(exercise: Exercise) -> Iterator[WrongImplementation]:
    """All wrong ways, but of the many other bases only the first."""
    for way in exercise.wrong_implementations():
        if way.choices.get("base", 1e3) in (1e3, 1e4):
            yield way


def gives_one_number(exercise: Exercise, way: WrongImplementation) -> bool:
    """Whether all that comes out, in all cases, is the same number."""
    numbers = []
    for arguments in exercise.cases:
        with contextlib.suppress(ValueError, IndexError, ZeroDivisionError):
            numbers.append(np.ravel(way.function(*arguments)))
    return np.unique(np.concatenate(numbers)).size <= 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong ways themselves
@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_each_misconception_is_named_alone_and_with_each_other_one(exercise_id):
    exercise = EXERCISES[exercise_id]
    taken_for_others = {}
    for way in tried_ways(exercise):
        diagnosis = diagnose(exercise, exercise.as_answer(way.function))
        if len(way.misconceptions) > 1 and gives_one_number(exercise, way):
            assert len(diagnosis.misconceptions) <= 1
            continue
        assert diagnosis.misconceptions, f"{way.misconceptions} is not named"
        if set(diagnosis.misconceptions) != set(way.misconceptions):
            taken_for_others[way.misconceptions] = diagnosis.misconceptions
    assert set(taken_for_others) == ANSWERS[exercise_id].alike
    for names, named in taken_for_others.items():
        assert len(named) < len(names)


def test_a_misconception_is_composed_with_others_and_not_written_out():
    mistakes = Misconception("a", first_position=1), Misconception("b", transposed=True)
    exercise = replace(EXERCISES["gray-encoding"], misconceptions=mistakes)
    ways = {
        way.misconceptions: way.function(2, 3).tolist() for way in exercise.wrong_implementations()
    }
    assert ways[("a", "b")] == [[1, 1], [0, 1], [0, 0]]


def test_a_mistake_that_is_too_small_to_count_is_not_named():
    tolerant = replace(EXERCISES["their-stripes"], tolerance=2)
    too_large = diagnose(tolerant, lambda n, d: np.indices((n, d))[0] // (np.arange(d) + 1) % 2 + 3)
    assert not too_large.solved and too_large.misconceptions == ()


@pytest.mark.parametrize("base", [1000, 10, math.e, 1_000_000])
def test_another_base_is_named_with_the_base(base):
    feedback = check("strange-table", partial(strange_table, base=base))
    assert feedback.misconceptions == ("another-base",)
    shown = str(base) if isinstance(base, int) else f"{base:.5g}"
    assert f"base {shown}." in feedback.message("en") and shown in feedback.message("es")


def rows_of(frequencies: Callable[[int, float], np.ndarray]) -> Callable:
    def rows(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        angles = np.outer(positions, frequencies(d_model, base))
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=2)
        return waves.reshape(len(positions), -1)[:, :d_model]

    return rows


NAMED: list[tuple[str, Callable, str]] = [
    ("most-similar-distance", lambda f, a, b: 0, "begins-at-zero"),
    (
        "sinusoidal-rows",
        rows_of(lambda d, base: float(base) ** (-np.arange(0, d, 2) // d)),
        "integer-division",
    ),
    (
        "flips-at-distance",
        lambda t, r: [sum(a != b) for a, b in zip(t[:-r], t[r:], strict=False)],
        "minus-zero",
    ),
]


@pytest.mark.filterwarnings("error")  # the wrong ways it is compared with warn of nothing
@pytest.mark.parametrize(("exercise_id", "answer", "named"), NAMED)
def test_what_learners_wrote_is_named_for_what_it_is(exercise_id, answer, named):
    assert check(exercise_id, answer).misconceptions == (named,)


def test_a_table_of_one_row_that_is_stretched_is_named_and_its_call_shown():
    unguarded = diagnose(EXERCISES["positional-encoding"], encoding(lambda *_: False))
    assert unguarded.key == "does-not-raise" and "(1, 8)" in unguarded.details["call"]
    assert unguarded.misconceptions == ("one-row-stretched",)


@pytest.mark.parametrize(
    ("exercise_id", "answer"),
    [
        ("share-looking-at", lambda scores, offset: 0),
        ("repeating-encoding", lambda n, d, period: np.zeros((n, d))),
        ("first-lost-position", lambda n_digits: 2),
        ("bits-needed", lambda n: 7),
    ],
)
def test_two_mistakes_are_not_read_into_a_single_number(exercise_id, answer):
    assert len(check(exercise_id, answer).misconceptions) <= 1


def test_an_answer_that_changes_its_input_is_told_so_and_harms_no_later_check():
    class InPlace(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if word_vectors.shape[-2] > len(self.table):
                raise ValueError
            word_vectors += self.table[: word_vectors.shape[-2]]
            return word_vectors

    for _ in range(2):
        feedback = check("positional-encoding", InPlace)
        assert feedback.misconceptions == ("input-changed",)
        assert "a += b" in feedback.message("en") and "a += b" in feedback.message("es")
    assert check("positional-encoding", Encoding).solved


def test_an_input_changed_and_nothing_returned_is_named_too():
    class InPlace(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> None:
            word_vectors += self.table[: word_vectors.shape[-2]]

    feedback = check("positional-encoding", InPlace)
    assert feedback.misconceptions == ("input-changed",) and not feedback.solved


def test_an_input_changed_beside_another_mistake_names_both():
    def in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
        cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
        key[0] = key[0] * cosine + key[1] * sine
        key[1] = key[1] * cosine - key[0] * sine
        return key

    feedback = check("query-looking-back", in_place)
    assert feedback.misconceptions == ("overwritten-too-soon", "input-changed")


# What is said is true -----------------------------------------------------------------------------


def first_distance_returned(frequencies: np.ndarray, shortest: int, longest: int) -> int:
    for distance in range(shortest, longest + 1):
        if np.cos(distance * frequencies).sum() > -math.inf:
            return distance


def turned_forwards_in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    key[0] = key[0] * cosine - key[1] * sine
    key[1] = key[1] * cosine + key[0] * sine
    return key


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
        ("first-stays",),
        DEGREES,
    ),
    "return inside the loop": (
        "most-similar-distance",
        first_distance_returned,
        ("first-stays",),
        DEGREES,
    ),
    "no frequencies": (
        "sinusoidal-rows",
        rows_of(lambda d, base: np.ones((d + 1) // 2)),
        ("one-angle",),
        ("division", "división"),
    ),
    "cosines of the offsets": (
        "distance-by-offset",
        lambda offsets, d: np.sqrt(d - 2 * np.cos(offsets)),
        ("first-pair-only",),
        ("averaged", "promedian"),
    ),
    "whole exponent": (
        "base-for-quarter-turn",
        lambda n, d: ((n - 1) * 2 / math.pi) ** (d // (d - 2)),
        ("whole-exponent",),
        ("longest wave", "onda más larga"),
    ),
    "rounded to the nearest": (
        "bits-needed",
        lambda n: round(math.log2(n + 1)),
        (),
        ("too few", "Falta un bit"),
    ),
    "an error of one's own": (
        "positional-encoding",
        encoding(lambda w, rows: w.shape[-2] >= rows),
        ("full-table-refused",),
        SHAPES,
    ),
    "a whole number to a negative power": (
        "sinusoidal-rows",
        rows_of(lambda d, base: base ** -np.arange(0, d, 2) / d),
        (),
        SHAPES,
    ),
    "three things": (
        "query-looking-back",
        turned_forwards_in_place,
        ("turned-forwards", "overwritten-too-soon", "input-changed"),
        ("Two things", "Dos cosas"),
    ),
    "half a stripe of column 0": (
        "gray-encoding",
        lambda n, d: (np.arange(n)[:, np.newaxis] + 1) // 2 ** np.arange(1, d + 1) % 2,
        ("one-position-for-half-a-stripe",),
        ("first word", "primera palabra"),
    ),
    "the right table on its side": (
        "their-shares",
        lambda n, d: normalized_encoding(n, d).T,
        ("right-shares", "axes-swapped"),
        ("This is the right table", "Esta es la tabla correcta"),
    ),
    "halves of the frequencies of somebody else": (
        "their-frequencies",
        lambda d: 10_000.0 ** (-np.arange(d // 2) / d),
        ("last-hand-other",),
        ("2k/d", "2k/d"),
    ),
    "a raise that is right": (
        "positional-encoding",
        CutsItsTable,
        ("table-cut-for-good",),
        ("should be none", "no debería haber"),
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
def test_nothing_is_said_that_is_not_true_of_the_answer(name):
    exercise_id, answer, named, (english, spanish) = UNTRUE[name]
    feedback = check(exercise_id, answer)
    assert feedback.misconceptions == named
    assert english not in feedback.message("en") and spanish not in feedback.message("es")


@pytest.mark.parametrize(
    ("exercise_id", "answer", "english", "spanish"),
    [
        ("positional-encoding", CutsItsTable, "called before", "ya se había llamado"),
        (*UNTRUE["an error of one's own"][:2], "own raise", "propio raise"),
        (*UNTRUE["a whole number to a negative power"][:2], "negative power", "potencia negativa"),
        (*UNTRUE["three things"][:2], "More than one thing", "Más de una cosa"),
        (*UNTRUE["a number that is none"][:2], "should be 1 and is nan", "debería ser 1 y es nan"),
    ],
)
def test_what_it_really_is_is_said(exercise_id, answer, english, spanish):
    feedback = check(exercise_id, answer)
    assert english in feedback.message("en") and spanish in feedback.message("es")
