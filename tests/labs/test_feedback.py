"""Tests that feedback makes only true statements about the learner's numbers and calls."""

import ast
import math
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial

import numpy as np
import pytest
from checks.labs import (
    CutsItsTable,
    Encoding,
    cell,
    encoding,
    last_number,
    off,
    read,
    right_output,
    strange_table,
)

import course_utils.labs
from course_utils import sinusoidal_encoding
from course_utils.labs import check
from course_utils.labs.diagnosis import WrongShape, diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.feedback import feedback_on
from course_utils.labs.independence import namespace_of
from course_utils.labs.messages import TEXTS
from course_utils.labs.tasks import EXERCISES


def test_answer_runs_once_per_case():
    calls = []

    def counted(n_positions: int, d_model: int) -> object:
        calls.append((n_positions, d_model))
        return strange_table(n_positions, d_model)

    check("strange-table", counted)
    assert tuple(calls) == EXERCISES["strange-table"].cases


def test_shown_call_can_be_repeated():
    feedback = check("first-drowned-position", lambda word, share: 0.5)
    assert "first_drowned_position(np.array([3.0, 4.0]), 0.5)" in feedback.message("en")
    feedback = check("flips-at-distance", lambda table, distance: table[1:, 0])
    assert "flips_at_distance(binary_encoding(8, 3), 1)" in feedback.message("en")
    feedback = check("share-looking-at", lambda scores, offset: scores if len(scores) > 5 else 1)
    assert "Aquí scores es un array de forma (20, 20)" in feedback.message("es")


@pytest.mark.parametrize("exercise_id", [name for name, one in EXERCISES.items() if one.typed])
def test_shown_call_gives_tried_arguments(exercise_id):
    exercise = EXERCISES[exercise_id]
    answers = {one.name: one.right_answer() for one in EXERCISES.values() if one.parameters}
    public = {name: getattr(course_utils, name) for name in course_utils.__all__}
    names = {**public, **answers, "np": np}
    for typed, case in zip(exercise.typed, exercise.cases, strict=False):
        given = eval(f"({typed},)", names)
        for shown, tried in zip(given, case[: len(exercise.parameters)], strict=True):
            if callable(tried):
                shown, tried = shown(6, 4), tried(6, 4)
            np.testing.assert_allclose(shown, tried, rtol=1e-12)


def test_later_error_does_not_hide_right_calls():
    feedback = check("bits-needed", lambda n: 1 if n == 2 else 1 / 0)
    assert "that was tried, bits_needed(2), gave the right result." in feedback.message("en")
    feedback = check("bits-needed", lambda n: 1 / 0)
    assert "gave the right result" not in feedback.message("en")
    reference = EXERCISES["position-from-noisy-row"].reference
    unseen = lambda row, n, base: reference(row, n, base) if n == 60 else 1 / 0  # noqa: E731
    assert "gave the right result" not in check("position-from-noisy-row", unseen).message("en")


def case_of(exercise: Exercise, call: str) -> tuple:
    return next(case for case in exercise.cases if exercise.typed_call(case) == call)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_sentence_quotes_returned_numbers(exercise_id):
    def wrong_at_the_end(right: np.ndarray) -> np.ndarray:
        return right + 0.37 * last_number(right)

    exercise = replace(EXERCISES[exercise_id], misconceptions={})
    diagnosis = diagnose(exercise, off(exercise, wrong_at_the_end))
    call, number = diagnosis.call.typed, diagnosis.difference
    right = right_output(exercise, *case_of(exercise, call))
    place = tuple(ast.literal_eval(number.entry))
    assert float(number.got) == pytest.approx(wrong_at_the_end(right)[place], rel=1e-4)
    assert bool(number.expected) == bool(exercise.parameters)
    if exercise.parameters:
        assert float(number.expected) == pytest.approx(right[place], rel=1e-4, abs=1e-12)
        assert number.expected != number.got
        # Show no more digits than necessary, so that the right number is not given away.
        assert len(Decimal(number.expected).as_tuple().digits) <= 7
    feedback = feedback_on(exercise, diagnosis)
    for language, question in (("en", "?"), ("es", "¿")):
        message = feedback.message(language)
        assert "[]" not in message and message.count(question) == 1 and call in message


@pytest.mark.parametrize(
    "change",
    [
        lambda right: [right],
        lambda right: np.zeros(() if right.ndim else (4, 3)),
        lambda right: [*right.ravel(), 7.0],
    ],
)
@pytest.mark.parametrize("exercise_id", ["strange-table", "bits-needed", "surprise-along"])
def test_wrong_shape_is_reported_with_question(exercise_id, change):
    exercise = replace(EXERCISES[exercise_id], misconceptions={})
    diagnosis = diagnose(exercise, off(exercise, change))
    right = right_output(exercise, *case_of(exercise, diagnosis.call.typed))
    assert diagnosis.difference == WrongShape(right.shape, np.shape(change(right)))
    feedback = feedback_on(exercise, diagnosis)
    assert feedback.message("en").count("?") == feedback.message("es").count("¿") == 1


def test_pattern_asks_one_question():
    for text in (pattern.plain for pattern in TEXTS["pattern"].values()):
        assert text["en"].count("?") == text["es"].count("?") == text["es"].count("¿") == 1


# Feedback makes only true statements --------------------------------------------------------------


class InPlaceWithoutReturn(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> None:
        word_vectors += super().__call__(word_vectors) - word_vectors


class InPlace(InPlaceWithoutReturn):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        super().__call__(word_vectors)
        return word_vectors


class Asserting(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        assert word_vectors.shape[-2] <= len(self.table)
        return word_vectors + self.table[: word_vectors.shape[-2]]


def turned_forwards_in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    key[0] = key[0] * cosine - key[1] * sine
    key[1] = key[1] * cosine + key[0] * sine
    return key


def scaled_in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
    key *= 1.37
    return key + steps_back * frequency


FEEDBACK_OF: dict[str, tuple[str, object, str, str, str]] = {
    "another base": (
        *("strange-table", partial(strange_table, base=1000), "another-base"),
        *("base 1000. · base 1000", ""),
    ),
    "a value by hand, not given away": (
        *("row-by-hand", [0.5] * 6, ""),
        "In row, entry [0] is not right yet; it is 0.5.\n · En row",
        "-0.5366 · heatmaps",
    ),
    "an error of one's own": (
        *("positional-encoding", encoding(lambda w, n: w.shape[-2] >= n), "full-table-refused"),
        *("own raise · propio raise", "shapes of two arrays · formas de dos arrays"),
    ),
    "a whole number to a negative power": (
        *("sinusoidal-rows", lambda p, d, base: base ** -np.arange(0, d, 2) / d, ""),
        *("negative power · potencia negativa", "shapes of two arrays · formas de dos arrays"),
    ),
    "a table of one row that is stretched": (
        *("positional-encoding", encoding(lambda *_: False), "one-row-stretched"),
        "should raise ValueError · debería lanzar ValueError",
        "already been called · Ya se había llamado",
    ),
    "another exception than the one asked for": (
        *("positional-encoding", Asserting, ""),
        *("raises AssertionError · lanza AssertionError", ""),
    ),
    "a raise that is right": (
        *("positional-encoding", CutsItsTable, "table-cut-for-good"),
        *("already been called · Ya se había llamado", "should be none · no debería haber"),
    ),
    "three things": (
        *("query-looking-back", turned_forwards_in_place),
        "turned-forwards overwritten-too-soon input-changed",
        *("More than one thing is wrong · Hay más de una cosa mal", "Two things · Dos cosas"),
    ),
    "an input changed, and nothing returned": (
        *("positional-encoding", InPlaceWithoutReturn, "input-changed"),
        *("a += b · a += b", "in the result are right · del resultado son correctos"),
    ),
    "an input changed beside a mistake that nobody foresaw": (
        *("query-looking-back", scaled_in_place, "input-changed"),
        *("should be · debería", "in the result are right · del resultado son correctos"),
    ),
    "a number that is none": (
        *("bits-needed", lambda n: math.nan, ""),
        *("should be 1, but it is nan · debería ser 1, pero es nan", "[]"),
    ),
    "an error without a line": (
        *("bits-needed", eval("lambda n: 1 / 0"), ""),
        *("divided by zero · divide un número entre cero", "your line · tu línea"),
    ),
}
"""Exercises, answers and misconceptions, with expected and forbidden text in each language."""


@pytest.mark.parametrize("name", FEEDBACK_OF)
def test_feedback_states_only_true_facts(name):
    exercise_id, answer, misconceptions, expected, unexpected = FEEDBACK_OF[name]
    feedback = check(exercise_id, answer)
    assert not feedback.solved and feedback.misconceptions == tuple(misconceptions.split())
    for language, words in zip(("en", "es"), expected.split(" · "), strict=True):
        assert words in feedback.message(language)
        assert not any(
            each in feedback.message(language) for each in unexpected.split(" · ") if each
        )


def test_negligible_mistake_is_not_named():
    tolerant = replace(EXERCISES["their-stripes"], tolerance=2)
    too_large = diagnose(tolerant, lambda n, d: np.indices((n, d))[0] // (np.arange(d) + 1) % 2 + 3)
    assert not too_large.solved and too_large.misconceptions == ()


@pytest.mark.filterwarnings("error")
def test_known_wrong_answers_raise_no_warning():
    assert not check("sinusoidal-rows", lambda p, d, base: np.ones((len(p), d))).solved


def test_unchanged_broken_code_is_recognised():
    names = {"np": np, "sinusoidal_encoding": sinusoidal_encoding}
    exec(cell(read("labs", "06_into_attention"), "broken").source, names)
    feedback = check("positional-encoding", names["BrokenEncoding"])
    assert not feedback.solved and feedback.misconceptions == () and feedback.picture is None
    for language, surprise in (("en", "Which call surprises you?"), ("es", "te sorprende?")):
        assert feedback.message(language).endswith(surprise)
        message = feedback.message(language)
        assert not any(
            of["is"].plain[language] in message for of in TEXTS["misconception"].values()
        )
        assert TEXTS["message"]["one-at-a-time"].plain[language] not in message


def test_given_code_gets_one_hint_at_time():
    class HalfMended(InPlace):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            if word_vectors.shape[-2] == len(self.table):
                raise ValueError
            return super().__call__(word_vectors)

    feedback = check("positional-encoding", HalfMended)
    assert feedback.misconceptions == ("full-table-refused", "input-changed")
    assert "There is more to fix than this one thing" in feedback.message("en")
    assert "changes the array" not in feedback.message("en")
    assert "modifica el array" not in feedback.message("es")
    alone = check("positional-encoding", InPlace)
    assert alone.misconceptions == ("input-changed",)
    assert "There is more to fix" not in alone.message("en")


class Answer:
    """A class as an answer."""

    def read(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    "answer",
    [
        solve := lambda: None,
        partial(solve),
        cache(solve),
        np.vectorize(solve),
        Answer,
    ],
)
def test_answer_uses_names_of_its_notebook(answer):
    assert namespace_of(answer) is globals()


@pytest.mark.parametrize("answer", [3, None, max, np.add, np.zeros(2), int])
def test_value_has_no_namespace(answer):
    assert namespace_of(answer) == {}
