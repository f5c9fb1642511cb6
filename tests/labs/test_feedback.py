"""What feedback and hints say and show: the learner's own numbers, lines and prints."""

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest
from checks.labs import (
    Encoding,
    cell,
    last_number,
    off,
    read,
    right_output,
    strange_table,
)
from checks.outputs import html_problems, plain_problems

import course_utils.labs
from course_utils import sinusoidal_encoding
from course_utils.labs import Feedback, check, grade
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.exercise import Exercise
from course_utils.labs.feedback import RECORD, feedback_on
from course_utils.labs.messages import SAID
from course_utils.labs.tasks import EXERCISES


def test_an_answer_is_run_once_for_each_case():
    calls = []

    def counted(n_positions: int, d_model: int) -> object:
        calls.append((n_positions, d_model))
        return strange_table(n_positions, d_model)

    check("strange-table", counted)
    assert tuple(calls) == EXERCISES["strange-table"].cases


def test_a_mistake_that_nobody_foresaw_shows_where_it_parts():
    def off(n_positions: int, d_model: int) -> np.ndarray:
        table = strange_table(n_positions, d_model)
        table[2:, 3] += 0.5
        return table

    feedback = check("strange-table", off)
    assert not feedback.solved and feedback.misconceptions == ()
    for language in ("en", "es"):
        for shown in ("strange_table(5, 4)", "[2, 3]", " 1 ", "1.5"):
            assert shown in feedback.message(language)
    shown = feedback.shown()
    assert shown.png is not None and 'alt="' in shown.html
    assert html_problems(shown.html) == [] and plain_problems(shown.plain) == []


def test_a_call_is_written_out_so_that_it_can_be_repeated():
    feedback = check("first-drowned-position", lambda word, share: 0.5)
    assert "first_drowned_position(np.array([3.0, 4.0]), 0.5)" in feedback.message("en")
    feedback = check("flips-at-distance", lambda table, distance: table[1:, 0])
    assert "flips_at_distance(binary_encoding(8, 3), 1)" in feedback.message("en")
    feedback = check("share-looking-at", lambda scores, offset: scores if len(scores) > 5 else 1)
    assert "Aquí scores es un array de forma (20, 20)" in feedback.message("es")


@pytest.mark.parametrize("exercise_id", [name for name, one in EXERCISES.items() if one.typed])
def test_a_call_as_it_is_shown_gives_the_arguments_that_were_tried(exercise_id):
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


def test_the_row_by_hand_is_not_given_away():
    feedback = check("row-by-hand", [0.5] * 6)
    assert feedback.message("en").startswith("In row, entry [0] is not right yet; it is 0.5.\n")
    assert "-0.5366" not in feedback.shown().html and feedback.picture is None


def test_numbers_typed_by_hand_are_counted():
    feedback = check("row-by-hand", [0.5] * 8)
    assert feedback.message("en").startswith("row should hold 6 numbers, and 8 came.\nWhat does")
    assert feedback.message("es").startswith("row debería tener 6 números, y llegaron 8.\n¿A qué")


def test_an_error_in_a_later_call_hides_no_right_one():
    feedback = check("bits-needed", lambda n: 1 if n == 2 else 1 / 0)
    assert "that was tried, bits_needed(2), came out right." in feedback.message("en")
    feedback = check("bits-needed", lambda n: 1 / 0)
    assert "came out right" not in feedback.message("en")


def test_printing_without_returning_is_told_apart_from_nothing():
    def printing(n_positions: int, d_model: int) -> None:
        print(strange_table(n_positions, d_model))

    def warning(n_positions: int, d_model: int) -> None:
        print("careful", file=sys.stderr)

    assert diagnose(EXERCISES["strange-table"], printing).key == "prints-only"
    assert diagnose(EXERCISES["strange-table"], warning).key == "nothing"
    assert diagnose(EXERCISES["row-by-hand"], None).key == "empty-value"
    assert diagnose(EXERCISES["positional-encoding"], Encoding(10, 8)).key == "not-a-class"


def case_of(exercise: Exercise, call: str) -> tuple:
    return next(case for case in exercise.cases if exercise.typed_call(case) == call)


WRONG_NUMBERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "at the end": lambda right: right + 0.37 * last_number(right),
    "slightly": lambda right: right * (1 + 2e-5) + 1e-3,
}


@pytest.mark.parametrize("exercise_id", EXERCISES)
@pytest.mark.parametrize("name", WRONG_NUMBERS)
def test_the_numbers_in_a_sentence_are_those_that_came(exercise_id, name):
    exercise = replace(EXERCISES[exercise_id], misconceptions={})
    diagnosis = diagnose(exercise, off(exercise, WRONG_NUMBERS[name]))
    details = diagnosis.details
    right = right_output(exercise, *case_of(exercise, details["call"]))
    place = tuple(ast.literal_eval(details["entry"]))
    assert float(details["got"]) == pytest.approx(WRONG_NUMBERS[name](right)[place], rel=1e-4)
    if exercise.parameters:
        assert float(details["expected"]) == pytest.approx(right[place], rel=1e-4, abs=1e-12)
        assert details["expected"] != details["got"]
        # No more digits than it takes, so that the right number is not handed over.
        assert len(Decimal(details["expected"]).as_tuple().digits) <= 7
    feedback = feedback_on(exercise, diagnosis)
    for language, question in (("en", "?"), ("es", "¿")):
        said = feedback.message(language)
        assert "[]" not in said and said.count(question) == 1 and details["call"] in said


WRONG_SHAPES: dict[str, Callable[[np.ndarray], object]] = {
    "around it": lambda right: [right],
    "one number": lambda right: np.zeros(() if right.ndim else (4, 3)),
    "flat": lambda right: [*right.ravel(), 7.0],
}


@pytest.mark.parametrize("exercise_id", EXERCISES)
@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_a_wrong_shape_is_told_as_it_is_and_asked_about(exercise_id, name):
    exercise = replace(EXERCISES[exercise_id], misconceptions={})
    diagnosis = diagnose(exercise, off(exercise, WRONG_SHAPES[name]))
    right = right_output(exercise, *case_of(exercise, diagnosis.details["call"]))
    assert diagnosis.details["expected"] == right.shape
    assert diagnosis.details["got"] == np.shape(WRONG_SHAPES[name](right))
    feedback = feedback_on(exercise, diagnosis)
    assert feedback.message("en").count("?") == feedback.message("es").count("¿") == 1


@pytest.mark.parametrize("pattern", SAID["pattern"])
def test_a_pattern_asks_one_question(pattern):
    text = SAID["pattern"][pattern].plain
    assert text["en"].count("?") == text["es"].count("?") == text["es"].count("¿") == 1


def test_nothing_is_announced_that_was_not_printed():
    feedback = check("bits-needed", lambda n: print())
    assert "Below" not in feedback.message("en") and feedback.code == ""


def test_an_input_changed_beside_a_mistake_that_nobody_foresaw_is_told_too():
    def in_place(key: np.ndarray, steps_back: int, frequency: float) -> np.ndarray:
        key *= 1.37
        return key + steps_back * frequency

    feedback = check("query-looking-back", in_place)
    assert feedback.misconceptions == ("input-changed",) and feedback.picture
    assert "should be" in feedback.message("en") and "debería" in feedback.message("es")


def test_a_single_number_and_an_array_are_told_apart():
    feedback = check("first-drowned-position", lambda word, share: word)
    assert "should be a single number, and its shape is (2,)" in feedback.message("en")


def test_another_exception_than_the_one_asked_for_is_named():
    class Asserting(Encoding):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            assert word_vectors.shape[-2] <= len(self.table)
            return word_vectors + self.table[: word_vectors.shape[-2]]

    feedback = check("positional-encoding", Asserting)
    assert "should raise ValueError, and raises AssertionError" in feedback.message("en")
    assert "assert word_vectors" in feedback.code


def broken_class() -> type:
    """The class that lab 06 gives to be mended."""
    names = {"np": np, "sinusoidal_encoding": sinusoidal_encoding}
    exec(cell(read("labs", "06_into_attention"), "broken").source, names)
    return names["BrokenEncoding"]


def test_code_that_is_still_broken_as_it_was_given_leads_to_a_look():
    feedback = check("positional-encoding", broken_class())
    assert not feedback.solved and feedback.misconceptions == () and feedback.picture is None
    for language, surprise in (("en", "Which call surprises you?"), ("es", "te sorprende?")):
        assert feedback.message(language).endswith(surprise)
        said = feedback.message(language)
        assert not any(of["is"].plain[language] in said for of in SAID["misconception"].values())
        assert SAID["message"]["one-at-a-time"].plain[language] not in said


def test_of_code_to_be_mended_one_thing_is_said_at_a_time():
    class HalfMended(broken_class()):
        def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
            n_words = word_vectors.shape[-2]
            if n_words >= len(self.table):
                raise ValueError
            word_vectors += self.table[:n_words]
            return word_vectors

    feedback = check("positional-encoding", HalfMended)
    assert feedback.misconceptions == ("full-table-refused", "input-changed")
    assert "There is more to mend than this one thing" in feedback.message("en")
    assert "input is changed" not in feedback.message("en")
    assert "entrada queda cambiada" not in feedback.message("es")


# The record for who counts a class ---------------------------------------------------------------


def recorded(feedback: Feedback) -> dict[str, object]:
    return json.loads(json.dumps(feedback._repr_mimebundle_()[RECORD]))


def test_a_record_says_what_was_found_in_the_words_of_the_course_alone():
    assert recorded(check("bits-needed", lambda n: (n - 1).bit_length())) == {
        "version": 1,
        "exercise": "bits-needed",
        "judged": "check",
        "solved": True,
        "found": "solved",
        "misconceptions": [],
        "pattern": "",
    }
    named = recorded(check("strange-table", lambda n, d: strange_table(n + 1, d)[1:]))
    assert named["misconceptions"] == ["positions-from-one"] and not named["solved"]
    assert recorded(check("strange-table", strange_table(5, 4)))["found"] == "not-a-function"
    assert recorded(check("strange-table", None))["found"] == "not-attempted"
    known = recorded(check("strange-table", lambda n, d: -np.array(strange_table(n, d))))
    assert known["pattern"] == "opposite-sign"
    assert RECORD not in check("no-such-exercise", None)._repr_mimebundle_()


def test_a_hidden_test_leaves_a_record_of_its_own_where_it_refuses(monkeypatch):
    published = []
    shell = SimpleNamespace(display_pub=SimpleNamespace(publish=published.append))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    with pytest.raises(AssertionError, match="should be 6"):
        grade("bits-needed", lambda n: 1, [(730,)])
    grade("bits-needed", lambda n: (n - 1).bit_length(), [(730,)])
    (output,) = published
    assert output["text/plain"] == ""
    assert output[RECORD]["judged"] == "grading" and output[RECORD]["found"] == "value-differs"
    assert output[RECORD]["exercise"] == "bits-needed"
