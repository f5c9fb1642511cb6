"""What is said of a misconception is true, and nothing else is said."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from checks.labs import (
    CutsItsTable,
    Encoding,
    encoding,
    strange_table,
)

from course_utils.labs import check
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES


def test_a_mistake_that_is_too_small_to_count_is_not_named():
    tolerant = replace(EXERCISES["their-stripes"], tolerance=2)
    too_large = diagnose(tolerant, lambda n, d: np.indices((n, d))[0] // (np.arange(d) + 1) % 2 + 3)
    assert not too_large.solved and too_large.misconceptions == ()


@pytest.mark.parametrize("base", [1000, math.e])
def test_another_base_is_named_with_the_base(base):
    feedback = check("strange-table", partial(strange_table, base=base))
    assert feedback.misconceptions == ("another-base",)
    shown = str(base) if isinstance(base, int) else f"{base:.5g}"
    assert f"base {shown}." in feedback.message("en") and shown in feedback.message("es")


@pytest.mark.filterwarnings("error")
def test_what_an_answer_is_compared_with_warns_of_nothing():
    assert not check("sinusoidal-rows", lambda p, d, base: np.ones((len(p), d))).solved


def test_a_table_of_one_row_that_is_stretched_is_named_and_its_call_shown():
    unguarded = diagnose(EXERCISES["positional-encoding"], encoding(lambda *_: False))
    assert unguarded.key == "does-not-raise" and "(1, 8)" in unguarded.details["call"]
    assert unguarded.misconceptions == ("one-row-stretched",)


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


# What is said is true -----------------------------------------------------------------------------


def turned_forwards_in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    key[0] = key[0] * cosine - key[1] * sine
    key[1] = key[1] * cosine + key[0] * sine
    return key


class OwnStop(BaseException):
    pass


def stops(n_positions: int) -> int:
    raise OwnStop


SAID_OF: dict[str, tuple[str, Callable, tuple[str, ...], tuple[str, str], tuple[str, str]]] = {
    "an error of one's own": (
        "positional-encoding",
        encoding(lambda w, rows: w.shape[-2] >= rows),
        ("full-table-refused",),
        ("own raise", "propio raise"),
        ("shapes that do not fit", "formas que no encajan"),
    ),
    "a whole number to a negative power": (
        "sinusoidal-rows",
        lambda positions, d_model, base: base ** -np.arange(0, d_model, 2) / d_model,
        (),
        ("negative power", "potencia negativa"),
        ("shapes that do not fit", "formas que no encajan"),
    ),
    "three things": (
        "query-looking-back",
        turned_forwards_in_place,
        ("turned-forwards", "overwritten-too-soon", "input-changed"),
        ("More than one thing", "Más de una cosa"),
        ("Two things", "Dos cosas"),
    ),
    "a raise that is right": (
        "positional-encoding",
        CutsItsTable,
        ("table-cut-for-good",),
        ("called before", "ya se había llamado"),
        ("should be none", "no debería haber"),
    ),
    "a number that is none": (
        "bits-needed",
        lambda n: math.nan,
        (),
        ("should be 1 and is nan", "debería ser 1 y es nan"),
        ("[]", "[]"),
    ),
    "an error without a line": (
        "bits-needed",
        eval("lambda n: 1 / 0"),
        (),
        ("divided by zero", "divide por cero"),
        ("your line", "tu línea"),
    ),
    "a stop of one's own": (
        "bits-needed",
        stops,
        (),
        ("bits_needed(2)", "bits_needed(2)"),
        ("end Python", "cerrar Python"),
    ),
}


@pytest.mark.parametrize("name", SAID_OF)
def test_what_is_true_of_an_answer_is_said_and_nothing_else(name):
    exercise_id, answer, named, true, false = SAID_OF[name]
    feedback = check(exercise_id, answer)
    assert feedback.misconceptions == named
    for language, said, unsaid in zip(("en", "es"), true, false, strict=True):
        assert said in feedback.message(language) and unsaid not in feedback.message(language)
