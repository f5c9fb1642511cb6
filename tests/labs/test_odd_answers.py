"""Tests that all kinds of answers receive feedback in every language without errors."""

import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from threading import Timer

import numpy as np
import pytest
from checks.labs import Encoding, filled, strange_table
from checks.outputs import html_problems
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_dtypes, array_shapes, arrays, scalar_dtypes
from jupyter_client.manager import start_new_kernel

from course_utils.labs import check, grade, hint
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES
from course_utils.sandbox import ERROR_KINDS, Printed, sentence_on


class Refusing:
    """An object that raises an error in every operation."""

    def __init__(self, error: type[BaseException] = RuntimeError) -> None:
        self.error = error

    def _refuse(self, *args: object, **kwargs: object) -> None:
        raise self.error

    __eq__ = __len__ = __iter__ = __array__ = __float__ = __bool__ = __repr__ = __str__ = _refuse
    __hash__ = __getitem__ = __class_getitem__ = __index__ = __getattr__ = _refuse


class WordlessError(Exception):
    def __str__(self) -> str:
        raise SystemExit


def throwing(error: type[BaseException]) -> Callable[..., None]:
    """Return an answer in which a library raises an error."""
    return lambda *arguments: (_ for _ in ()).throw(error)


def recurse(n: int, d: int) -> object:
    return recurse(n, d)


def endless(n: int, d: int) -> Iterator[int]:
    while True:
        yield n


def prints_at_times(n: int, d: int) -> object:
    return print(n) if n < 9 else [[0.0] * d] * n


ANYTHING: dict[str, tuple[object, str]] = {
    "nothing": (None, "not-attempted"),
    "an ellipsis": (..., "not-attempted"),
    "a function that returns nothing": (lambda n, d: None, "not-attempted"),
    "a function for later": (throwing(NotImplementedError), "not-attempted"),
    "a table": (strange_table(5, 4), "not-a-function"),
    "an object that leaves, for a function": (Refusing(SystemExit), "not-a-function"),
    "one parameter": (lambda n: n, "wrong-parameters"),
    "only keywords": (lambda *, n_positions, d_model: 1, "wrong-parameters"),
    "prints without a return": (lambda n, d: print(strange_table(n, d)), "prints-only"),
    "a warning without a return": (lambda n, d: print("careful", file=sys.stderr), "nothing"),
    "sometimes nothing": (lambda n, d: strange_table(n, d) if n < 50 else None, "nothing"),
    "prints and at times returns": (prints_at_times, "nothing"),
    "words": (lambda n, d: "sin", "text"),
    "a generator": (endless, "generator"),
    "ragged rows": (lambda n, d: [[0.0] * i for i in range(n)], "ragged"),
    "a dictionary": (lambda n, d: {0: 1}, "not-numbers"),
    "complex numbers": (filled(1j), "not-numbers"),
    "complex numbers on the real line": (filled(1 + 0j), "differs"),
    "dates": (lambda n, d: np.zeros((n, d), "datetime64[s]"), "not-numbers"),
    "too large an integer": (lambda n, d: [[10**400] * d] * n, "not-numbers"),
    "numbers without a type": (lambda n, d: [[Decimal(1), Fraction(1, 2)]] * n, "wrong-shape"),
    "objects that raise": (lambda n, d: [[Refusing()] * d] * n, "not-numbers"),
    "an object that leaves": (lambda n, d: Refusing(SystemExit), "exits"),
    "an object that presses Stop": (lambda n, d: [Refusing(KeyboardInterrupt)], "stopped"),
    "4 GB": (lambda n, d: np.zeros(500_000_000), "too-large"),
    "many rows of uneven lengths": (lambda n, d: [[0.0] * 4] * 30_000 + [[0.0]], "too-large"),
    "a long range": (lambda n, d: range(10**12), "too-large"),
    "a batch of one": (lambda n, d: [strange_table(n, d)], "wrong-shape"),
    "NaN": (filled(np.nan), "not-finite"),
    "an error": (lambda n, d: 1 / 0, "raised"),
    "an error whose words leave": (throwing(WordlessError), "raised"),
    "input": (lambda n, d: np.full((n, d), int(input("?"))), "raised"),
    "a check of itself": (lambda n, d: check("strange-table", strange_table), "raised"),
    "a recursion": (recurse, "raised"),
    "an exit": (lambda n, d: sys.exit(), "exits"),
    "the Stop button": (throwing(KeyboardInterrupt), "stopped"),
}


@pytest.mark.parametrize("name", ANYTHING)
def test_any_output_gets_sentence_in_both_languages(name):
    answer, key = ANYTHING[name]
    assert diagnose(EXERCISES["strange-table"], answer).key == key
    feedback = check("strange-table", answer)
    assert not feedback.solved
    assert feedback.message("en").strip() and feedback.message("es").strip()
    assert html_problems(feedback.shown().html) == []


numbers = st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers()
simple = numbers | st.text(max_size=5) | st.binary(max_size=5)
nested = simple | st.lists(simple) | st.lists(st.lists(simple)) | st.dictionaries(st.text(), simple)
an_array = arrays(scalar_dtypes() | array_dtypes(max_size=2), array_shapes(min_dims=0, max_dims=3))


@settings(max_examples=20)
@given(answer=nested | an_array | st.builds(Refusing))
def test_check_never_raises(answer):
    for exercise_id in ("row-by-hand", "positional-encoding"):
        assert check(exercise_id, answer).message("en")
    for exercise_id in ("strange-table", "bits-needed"):
        assert check(exercise_id, lambda *arguments: answer).message("es")


def test_answer_may_change_its_arguments():
    for change in (("dtype", "V8"), ("shape", -1)):
        feedback = check("flips-at-distance", lambda table, _, to=change: setattr(table, *to))
        assert feedback.misconceptions == ("input-changed",) and feedback.message("es")


def test_input_or_check_within_answer_is_rejected():
    asked = check("bits-needed", lambda n: int(input("how many? ")))
    assert asked.message("en").startswith("input() waits")
    assert asked.message("es").startswith("input() espera")
    itself = check("strange-table", ANYTHING["a check of itself"][0]).shown().plain
    assert "Your code calls check while" in itself and "Tu código llama a check mientras" in itself


def test_excessive_prints_are_cut_with_note():
    def floods(n_positions: int) -> int:
        for number in range(50_000):
            print(number)
        return (n_positions - 1).bit_length()

    feedback = check("bits-needed", floods)
    assert feedback.solved and len(feedback.code) <= 10_000
    assert "more than 10000 characters" in feedback.message("en")
    assert "más de 10000 caracteres" in feedback.message("es")
    printed = Printed()  # keeps no more than it shows
    for _ in range(3):
        printed.write("x" * 9_000)
    assert len(printed.getvalue()) == 10_000


def test_long_error_message_is_cut():
    def fails(n_positions: int) -> int:
        raise ValueError("x" * 400)

    text = check("bits-needed", fails).shown().plain
    assert "x" * 299 + "…" in text and "x" * 300 not in text


def test_changes_to_numpy_are_undone():
    sine, errors = np.sin, np.geterr()

    def patches(n_positions: int, d_model: int) -> np.ndarray:
        np.sin, np.pi = np.cos, 3
        np.isclose = np.allclose = lambda *given, **named: np.array(True)
        math.sin = math.cos
        np.seterr(all="raise")
        return np.ones((n_positions, d_model))

    assert not check("strange-table", patches).solved
    assert (np.sin, np.pi, math.sin(0), np.geterr()) == (sine, math.pi, 0, errors)


CAUSED: tuple[tuple[str, Callable[[int], object]], ...] = (
    ("negative-power", lambda n: 10 ** -np.arange(n)),
    ("broadcast", lambda n: np.zeros(n) + np.zeros(n + 1)),
    ("product", lambda n: np.zeros((n, 3)) @ np.zeros((n, 3))),
    ("product", lambda n: np.dot(np.zeros(3), np.zeros(4))),
    ("product-with-number", lambda n: np.zeros((n, 3)) @ 2),
    ("many-indices", lambda n: np.zeros(n)[0, 0]),
    ("IndexError", lambda n: np.zeros(n)[n]),
    ("list-of-lists", lambda n: list("ab")[0, 0]),
    ("not-whole", lambda n: np.zeros(n)[n / 2]),
    ("not-whole", lambda n: [1.0][n / 2]),
    ("not-whole", lambda n: np.zeros(n / 2)),
    ("arguments", lambda n: strange_table(n)),
    ("arguments", lambda n: strange_table(n, d=4)),
    ("not-callable", lambda n: 2 * n(n)),
    ("one-number", lambda n: math.sin(np.arange(n))),
    ("ragged", lambda n: np.array([[1.0], [1.0, 2.0]])),
    ("array-for-number", lambda n: np.zeros(n).__setitem__(0, [1.0, 2.0])),
    ("truth-of-array", lambda n: 1 if np.arange(n) else 0),
    ("no-value", lambda n: math.sqrt(-n)),
    ("none", lambda n: [1.0].append(n)[0]),
    ("list-computed", lambda n: range(n) / n),
    ("list-computed", lambda n: [1.0] * 0.5),
    ("own", lambda n: exec("raise IndexError")),
    ("own", lambda n: exec("assert False")),
    ("NameError", lambda n: exec("raise ValueError(no_such_name)")),
    ("ZeroDivisionError", lambda n: exec("raise ValueError(1 / 0)")),
    *((kind.__name__, throwing(kind)) for kind in ERROR_KINDS),
    ("other", throwing(AssertionError)),
)
"""Functions that cause errors, with the expected sentences."""


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("cause", "answer"), CAUSED)
def test_error_is_explained_by_its_cause(cause, answer):
    feedback = check("bits-needed", lambda n: 1 if n == 2 else answer(n))
    sentence = sentence_on(cause).plain
    assert feedback.message("en").startswith(sentence["en"])
    assert feedback.message("es").startswith(sentence["es"])


@pytest.mark.parametrize("written", ["gray_encoding", "Gray-Encoding", "gray-encodin"])
def test_misspelt_exercise_suggests_nearest_name(written):
    feedback = check(written, strange_table)
    assert "gray-encoding" in feedback.message("en") and "bits-needed" not in feedback.message("en")
    for ask in (hint, partial(grade, answer=strange_table)):
        with pytest.raises(ValueError, match="Did you mean gray-encoding.* ¿Será gray-encoding?"):
            ask(written)
    for unknown in ("", [], Refusing()):
        assert "strange-table" in check(unknown, strange_table).message("es")


def test_wrong_kind_of_answer_is_named():
    assert diagnose(EXERCISES["row-by-hand"], strange_table).key == "not-a-value"
    assert diagnose(EXERCISES["row-by-hand"], None).key == "empty-value"
    assert diagnose(EXERCISES["positional-encoding"], Encoding(10, 8)).key == "not-a-class"
    assert diagnose(EXERCISES["row-by-hand"], [0.0] * 6).key == "entry-differs"
    assert diagnose(EXERCISES["row-by-hand"], Refusing()).key == "not-numbers"
    assert diagnose(EXERCISES["row-by-hand"], Refusing(KeyboardInterrupt)).key == "stopped"


# Answers that never end ---------------------------------------------------------------------------

ENDLESS = """
import numpy as np
from course_utils.labs import check, progress

kept = [1, 2, 3]

def computes(n_positions):
    while True:
        np.sin(np.arange(1000.0)).sum()

def calls_itself(n_positions):
    try:
        return calls_itself(n_positions + 1)
    except RecursionError:
        return calls_itself(n_positions)
"""


@pytest.fixture
def displayed(tmp_path):
    """Function that returns the text output of a cell, which is stopped soon after its start."""
    environment = {**os.environ, "JUPYTER_DATA_DIR": str(tmp_path)}
    manager, client = start_new_kernel(kernel_name="python3", env=environment)

    def run(code: str) -> str:
        shown = []

        def keep(message: dict) -> None:
            content = message["content"]
            shown.append(content.get("data", {}).get("text/plain", ""))
            if content.get("text") == "begun\n":
                Timer(0.3, manager.interrupt_kernel).start()

        reply = client.execute_interactive(code, timeout=30, output_hook=keep)
        assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(shown)

    run(ENDLESS)
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_endless_answer_is_stopped(displayed):
    solve = 'check("bits-needed", lambda n: int(np.ceil(np.log2(n)))).solved'
    assert displayed(solve) == "True"
    output = displayed('print("begun"); check("bits-needed", computes)')
    assert "was stopped before it finished" in output and "se detuvo antes de terminar" in output
    assert displayed("kept, int(1 / 0.5)") == "([1, 2, 3], 2)"
    assert ": 1 " in displayed("progress()")
    limit = "from course_utils.labs import running; running.SECONDS = 1"
    output = displayed(f'{limit}; check("bits-needed", calls_itself)')
    assert "had not finished after" in output and "no había terminado" in output


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["a long call", "a caught stop", "two caught stops", "a retry"])
def test_answer_that_catches_everything_is_stopped(name, monkeypatch):
    monkeypatch.setattr("course_utils.labs.running.SECONDS", 0.05)
    end = time.monotonic() + 20  # if it is not stopped, the test still ends

    def catches(n_positions: int) -> None:
        while time.monotonic() < end:
            try:
                max(range(400_000))
            except BaseException:
                pass

    def catches_twice(n_positions: int) -> None:
        while time.monotonic() < end:
            try:
                catches(n_positions)
            except BaseException:
                pass

    def tries_again(n_positions: int) -> object:
        try:
            return time.sleep(20)
        except BaseException:
            return tries_again(n_positions)

    answers = {
        "a long call": lambda n: max(range(60_000_000)),
        "a caught stop": catches,
        "two caught stops": catches_twice,
        "a retry": tries_again,
    }
    assert diagnose(EXERCISES["bits-needed"], answers[name]).key == "too-slow"
    assert no_timer_is_armed() and time.monotonic() < end


@pytest.mark.slow
def test_time_limit_never_escapes(monkeypatch):
    monkeypatch.setattr("course_utils.labs.repair.SECONDS", 0.01)
    monkeypatch.setattr("course_utils.labs.repair.SECONDS_OF_A_CALL", 0.002)
    for seconds, n_steps in ((0.001, 400_000), (0.002, 200_000), (0.004, 300_000)):
        monkeypatch.setattr("course_utils.labs.running.SECONDS", seconds)
        for _ in range(200):
            feedback = check("bits-needed", lambda n, n_steps=n_steps: max(range(n_steps)))
            assert not feedback.solved and no_timer_is_armed()


def no_timer_is_armed() -> bool:
    timers = (signal.getitimer(timer) for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL))
    handlers = {signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)}
    return {*timers} == {(0.0, 0.0)} and handlers <= {signal.SIG_DFL, signal.SIG_IGN, None}
