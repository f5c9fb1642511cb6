"""Whatever is handed in gets a sentence in each language, and nothing raises."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from checks.labs import filled, last_number, off, strange_table
from checks.outputs import html_problems

from course_utils.labs import check, grade, hint
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES
from course_utils.notebook.readers_function import ERROR_KINDS, sentence_on


class Quarrelsome:
    """Raises whatever one does with it."""

    def _refuse(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError("leave me alone")

    __eq__ = __len__ = __iter__ = __array__ = __float__ = __bool__ = __repr__ = __str__ = _refuse
    __hash__ = __getitem__ = __class_getitem__ = __index__ = __getattr__ = _refuse


class QuarrelsomeError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Leaving:
    """Raises what is no Exception, whatever one does with it."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def _leave(self, *args: object, **kwargs: object) -> None:
        raise self.error

    __len__ = __iter__ = __array__ = __float__ = __repr__ = __str__ = __getitem__ = _leave


class LeavingError(Exception):
    def __str__(self) -> str:
        raise SystemExit


class NamelessKind(type):
    @property
    def __name__(cls) -> str:
        raise RuntimeError("no name")


class NamelessError(Exception, metaclass=NamelessKind):
    """Its class does not say what it is called."""


def raise_nameless(n: int, d: int) -> None:
    raise NamelessError


def in_a_file_without_a_name(n: int, d: int) -> None:
    exec(compile("1 / 0", "\0", "exec"))


def raise_leaving(n: int, d: int) -> None:
    raise LeavingError


def close_stdout(n: int, d: int) -> object:
    print("closed next")
    sys.stdout.close()
    sys.stderr.close()
    return strange_table(n, d)[::-1]


def raise_quarrel(n: int, d: int) -> None:
    raise QuarrelsomeError


def recurse(n: int, d: int) -> object:
    return recurse(n, d)


def stop(n: int, d: int) -> None:
    raise KeyboardInterrupt


def endless(n: int, d: int) -> Iterator[int]:
    while True:
        yield n


ANYTHING: dict[str, tuple[object, str]] = {
    "nothing": (None, "not-attempted"),
    "an ellipsis": (..., "not-attempted"),
    "a function that returns nothing": (lambda n, d: None, "not-attempted"),
    "a function for later": (
        lambda n, d: (_ for _ in ()).throw(NotImplementedError),
        "not-attempted",
    ),
    "a table": (strange_table(5, 4), "not-a-function"),
    "text": ("sinusoidal_encoding", "not-a-function"),
    "a quarrelsome object": (Quarrelsome(), "not-a-function"),
    "one parameter": (lambda n: n, "wrong-parameters"),
    "only keywords": (lambda *, n_positions, d_model: 1, "wrong-parameters"),
    "a search that finds nothing": (lambda n, d: next((i for i in ()), None), "nothing"),
    "sometimes nothing": (lambda n, d: strange_table(n, d) if n < 50 else None, "nothing"),
    "words": (lambda n, d: "sin", "text"),
    "bytes": (lambda n, d: b"sin", "text"),
    "numbers as text": (lambda n, d: [["0"] * d] * n, "text"),
    "a generator": (endless, "generator"),
    "ragged rows": (lambda n, d: [[0.0] * i for i in range(n)], "ragged"),
    "a dictionary": (lambda n, d: {0: 1}, "not-numbers"),
    "complex numbers": (filled(1j), "not-numbers"),
    "dates": (lambda n, d: np.zeros((n, d), "datetime64[s]"), "not-numbers"),
    "an object that raises": (lambda n, d: Quarrelsome(), "not-numbers"),
    "objects that raise": (lambda n, d: [[Quarrelsome()] * d] * n, "not-numbers"),
    "an object that leaves": (lambda n, d: Leaving(SystemExit), "exits"),
    "an object that presses Stop": (lambda n, d: [Leaving(KeyboardInterrupt)], "stopped"),
    "an object for a function": (Leaving(SystemExit), "not-a-function"),
    "one long row of many": (lambda n, d: [[0.0] * 3000, *([[0.0]] * 300)], "ragged"),
    "numbers without a type": (lambda n, d: [[Decimal(1), Fraction(1, 2)]] * n, "wrong-shape"),
    "complex numbers on the real line": (filled(1 + 0j), "differs"),
    "prints and at times returns": (lambda n, d: print(n) if n < 9 else [[0.0] * d] * n, "nothing"),
    "the end of all printing": (close_stdout, "differs"),
    "4 GB": (lambda n, d: np.zeros(500_000_000), "too-large"),
    "a list of ten million": (lambda n, d: [0.0] * 9_999_999, "too-large"),
    "a long range": (lambda n, d: range(10**12), "too-large"),
    "a batch of one": (lambda n, d: [strange_table(n, d)], "wrong-shape"),
    "NaN": (filled(np.nan), "not-finite"),
    "integers": (lambda n, d: np.array(strange_table(n, d)).astype(int), "differs"),
    "too large an integer": (lambda n, d: [[10**400] * d] * n, "not-numbers"),
    "an error": (lambda n, d: 1 / 0, "raised"),
    "an error without words": (raise_quarrel, "raised"),
    "an error whose words leave": (raise_leaving, "raised"),
    "an error without a name": (raise_nameless, "raised"),
    "an error in a file without a name": (in_a_file_without_a_name, "raised"),
    "input": (lambda n, d: np.full((n, d), int(input("?"))), "raised"),
    "a check of itself": (lambda n, d: check("strange-table", strange_table), "raised"),
    "a recursion": (recurse, "raised"),
    "an exit": (lambda n, d: sys.exit(), "exits"),
    "the Stop button": (stop, "stopped"),
}


@pytest.mark.parametrize("name", ANYTHING)
def test_whatever_comes_back_gets_a_sentence_in_both_languages(name):
    answer, key = ANYTHING[name]
    assert diagnose(EXERCISES["strange-table"], answer).key == key
    feedback = check("strange-table", answer)
    assert not feedback.solved
    assert feedback.message("en").strip() and feedback.message("es").strip()
    assert html_problems(feedback.shown().html) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda table: setattr(table, "dtype", "V8"),
        lambda table: table.resize((0,), refcheck=False),
        lambda table: setattr(table, "shape", -1),
    ],
)
def test_an_answer_may_do_anything_to_what_it_is_given(change):
    feedback = check("flips-at-distance", lambda table, distance: change(table))
    assert feedback.misconceptions == ("input-changed",) and feedback.message("es")


def test_input_is_refused_by_name_and_a_check_within_an_answer_too():
    asked = check("bits-needed", lambda n: int(input("how many? ")))
    assert asked.message("en").startswith("input() waits") and "input() espera" in asked.message(
        "es"
    )
    itself = check("strange-table", ANYTHING["a check of itself"][0]).shown().plain
    assert "Your code calls check while" in itself and "Tu código llama a check mientras" in itself


def test_a_flood_of_prints_is_cut_and_that_is_said():
    def floods(n_positions: int) -> int:
        for number in range(50_000):
            print(number)
        return (n_positions - 1).bit_length()

    begun = time.process_time()
    feedback = check("bits-needed", floods)
    assert feedback.solved and time.process_time() - begun < 3
    assert len(feedback.code) <= 10_000
    assert "more than 10000 characters" in feedback.message("en")
    assert "más de 10000 caracteres" in feedback.message("es")


def test_what_an_answer_changes_in_numpy_is_as_it_was_afterwards():
    sine, errors = np.sin, np.geterr()

    def patches(n_positions: int, d_model: int) -> np.ndarray:
        np.sin, np.pi = np.cos, 3
        math.sin = math.cos
        np.seterr(all="raise")
        return np.ones((n_positions, d_model))

    check("strange-table", patches)
    assert (np.sin, np.pi, math.sin(0), np.geterr()) == (sine, math.pi, 0, errors)


def test_an_error_that_fails_to_say_what_it_is_is_shown_with_dots_for_its_words():
    assert "QuarrelsomeError: …" in check("strange-table", raise_quarrel).shown().plain


@pytest.mark.parametrize("kind", [*ERROR_KINDS, AssertionError])
def test_every_kind_of_error_gets_its_own_sentence(kind):
    def failing(n_positions: int, d_model: int) -> object:
        if n_positions < 50:
            return strange_table(n_positions, d_model)
        return (_ for _ in ()).throw(kind)  # as a library does; an own raise is another matter

    said = sentence_on(kind.__name__ if kind in ERROR_KINDS else "other")
    feedback = check("strange-table", failing)
    for language in ("en", "es"):
        assert feedback.message(language).startswith(said.plain[language])


CAUSED: tuple[tuple[str, Callable[[int], object]], ...] = (
    ("negative-power", lambda n: 10 ** -np.arange(n)),
    ("broadcast", lambda n: np.zeros(n) + np.zeros(n + 1)),
    ("broadcast", lambda n: np.zeros((n, n)).__setitem__(0, np.zeros(n + 1))),
    ("product", lambda n: np.zeros((n, 3)) @ np.zeros((n, 3))),
    ("product", lambda n: np.dot(np.zeros(3), np.zeros(4))),
    ("product-with-number", lambda n: np.zeros((n, 3)) @ 2),
    ("many-indices", lambda n: np.zeros(n)[0, 0]),
    ("IndexError", lambda n: np.zeros(n)[n]),
    ("list-of-lists", lambda n: list("ab")[0, 0]),
    ("not-whole", lambda n: np.zeros(n)[n / 2]),
    ("not-whole", lambda n: [1.0][n / 2]),
    ("not-whole", lambda n: range(n / 2)),
    ("not-whole", lambda n: np.zeros(n / 2)),
    ("arguments", lambda n: np.linalg.norm()),
    ("arguments", lambda n: strange_table(n)),
    ("arguments", lambda n: strange_table(n, d=4)),
    ("not-callable", lambda n: 2 * n(n)),
    ("one-number", lambda n: math.sin(np.arange(n))),
    ("one-number", lambda n: range(np.arange(n))),
    ("ragged", lambda n: np.array([[1.0], [1.0, 2.0]])),
    ("array-for-number", lambda n: np.zeros(n).__setitem__(0, [1.0, 2.0])),
    ("truth-of-array", lambda n: 1 if np.arange(n) else 0),
    ("no-value", lambda n: math.sqrt(-n)),
    ("none", lambda n: 1 + print(n)),
    ("none", lambda n: [1.0].append(n)[0]),
    ("list-computed", lambda n: range(n) / n),
    ("list-computed", lambda n: [1.0] * 0.5),
    ("own", lambda n: exec("raise IndexError")),
    ("own", lambda n: exec("assert False")),
    ("NameError", lambda n: exec("raise ValueError(no_such_name)")),
    ("ZeroDivisionError", lambda n: exec("raise ValueError(1 / 0)")),
)
"""Errors as they come about, and the sentence that is true of each."""


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("cause", "answer"), CAUSED)
def test_an_error_is_explained_by_what_really_caused_it(cause, answer):
    said = sentence_on(cause).plain["en"]
    assert check("bits-needed", answer).message("en").startswith(said)


@pytest.mark.parametrize("written", ["gray_encoding", "Gray-Encoding", "gray-encodin"])
def test_a_misspelt_exercise_is_answered_with_the_nearest(written):
    feedback = check(written, strange_table)
    assert "gray-encoding" in feedback.message("en") and "bits-needed" not in feedback.message("en")
    for ask in (hint, partial(grade, answer=strange_table)):
        with pytest.raises(ValueError, match="Is gray-encoding meant.* ¿Será gray-encoding?"):
            ask(written)


@pytest.mark.parametrize("make_id", [type(None), int, str, list, Quarrelsome])
def test_an_unknown_exercise_is_answered_with_the_names_that_exist(make_id):
    exercise_id = make_id()
    feedback = check(exercise_id, strange_table)
    assert not feedback.solved
    assert "strange-table" in feedback.message("es")


def test_a_value_is_asked_for_where_a_function_comes():
    assert diagnose(EXERCISES["row-by-hand"], strange_table).key == "not-a-value"
    assert diagnose(EXERCISES["row-by-hand"], [0.0] * 6).key == "entry-differs"
    assert diagnose(EXERCISES["row-by-hand"], Quarrelsome()).key == "not-numbers"
    assert diagnose(EXERCISES["row-by-hand"], Leaving(KeyboardInterrupt)).key == "stopped"
    assert diagnose(EXERCISES["bits-needed"], lambda n: 77).key == "value-differs"


# How long it takes --------------------------------------------------------------------------------


def assert_quick(exercise_id: str, answer: object, seconds: float, drawn: bool) -> None:
    taken = []
    while len(taken) < 3 and min(taken, default=math.inf) >= seconds:  # another job may interrupt
        begun = time.process_time()
        feedback = check(exercise_id, answer)
        assert not feedback.solved and bool(drawn and feedback.shown().png) == drawn
        taken.append(time.process_time() - begun)
    assert min(taken) < seconds


def off_at_the_end(right: np.ndarray) -> np.ndarray:
    return right + 0.37 * last_number(right)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_an_answer_is_compared_with_all_misconceptions_within_a_fifth_of_a_second(exercise_id):
    assert_quick(exercise_id, off(EXERCISES[exercise_id], off_at_the_end), 0.2, drawn=False)


@pytest.mark.parametrize("rows", [[[0.5] * 9] * 11_111, [0.5] * 1_000_000])
def test_as_many_numbers_as_are_read_and_more_are_refused_within_half_a_second(rows):
    assert_quick("row-by-hand", rows, 0.5, drawn=False)


@pytest.mark.parametrize("exercise_id", ["strange-table", "surprise-along"])  # maps, and curves
def test_check_answers_within_half_a_second_with_its_picture(exercise_id):
    check("strange-table", filled(0.5)).shown()  # which loads Matplotlib, once in a session
    assert_quick(exercise_id, off(EXERCISES[exercise_id], off_at_the_end), 0.5, drawn=True)
