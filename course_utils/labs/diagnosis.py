"""Language-independent diagnosis of answers."""

import dis
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from types import FunctionType

import numpy as np
from numpy.typing import NDArray

from ..refusals import quoted
from ..sandbox import (
    MOST_PRINTED,
    TooSlow,
    kind_of,
    line_and_words_of,
    name_of,
    own_line,
)
from ..words.text import Text
from .comparing import is_as_given, known_answer
from .exercise import Exercise, Steps
from .patterns import pattern_in
from .repair import Repair
from .running import SECONDS, Attempt, close, run

INPUT_CHANGED = "input-changed"

STOPPED = ("stopped", "too-slow")
NUMBERS_DIFFER = ("differs", "value-differs", "entry-differs", "value-not-right")
SHOWN_DIGITS = 5
LONGEST_ROW = 8
SHAPES_DIFFER = ("wrong-shape", "wrong-count", "number-expected", "number-given")

EMPTY = ("RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE")
"""Bytecode instructions of a function that only returns a constant, such as None."""


Values = Mapping[str, str | Text]
"""Type of the values for placeholders in sentences."""


@dataclass(frozen=True)
class Call:
    """A call as a learner would type it, and the shapes that it does not show.

    ``unseen`` contains the shapes of values that are shown only by name. ``earlier`` contains the
    shapes of the arguments in earlier calls to the same object.
    """

    typed: str
    unseen: Mapping[str, tuple[int, ...] | None] = field(default_factory=dict)
    earlier: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class WrongNumber:
    """The first wrong number in an output, and the count of wrong numbers.

    ``expected`` is empty if the exercise asks for a value, which must not be revealed.
    """

    place: tuple[int, ...]
    expected: str
    got: str
    n_wrong: int
    n_numbers: int

    @property
    def entry(self) -> str:
        return f"[{', '.join(map(str, self.place))}]"


@dataclass(frozen=True)
class WrongShape:
    """The expected and the actual shape of an output."""

    expected: tuple[int, ...]
    got: tuple[int, ...]


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of an answer, with the key of a message.

    Each of the ``misconceptions`` produces exactly the answer's output. If there are none,
    ``pattern`` names a regularity in the output, or the kind of the ``repair`` that would make
    every call right. ``call`` is the call that the message is about, with its ``difference`` or
    the key of its ``error``. ``first_right`` is the first call if its result was right although
    ``call`` raised an error. ``steps`` are the values of the calculation by hand, and ``values``
    the values for all other placeholders. If ``stops_early`` is True, the answer's number is one of
    the values before the last step. ``expected`` and ``got`` are the outputs of the call if they
    can be drawn.
    """

    key: str
    misconceptions: tuple[str, ...] = ()
    pattern: str = ""
    repair: Repair | None = None
    call: Call | None = None
    difference: WrongNumber | WrongShape | None = None
    error: str = ""
    first_right: str = ""
    steps: Values = field(default_factory=dict)
    stops_early: bool = False
    values: Values = field(default_factory=dict)
    expected: NDArray | None = None
    got: NDArray | None = None
    traceback: str = ""
    printed: str = ""

    @property
    def solved(self) -> bool:
        return self.key == "solved"

    @property
    def finding(self) -> str:
        """Misconceptions, pattern or message key that summarises the diagnosis.

        The string is empty if the message only lists numbers that differ.
        """
        pattern = (f"pattern.{self.pattern}",) if self.pattern else ()
        key = "" if self.key in NUMBERS_DIFFER else self.key
        return " ".join(self.misconceptions + pattern) or key


def diagnose(exercise: Exercise, answer: object, cases: Iterable[tuple] | None = None) -> Diagnosis:
    """Run an answer once on each case and diagnose it without raising errors."""
    unfit = _why_it_cannot_be_run(exercise, answer)
    if unfit is not None:
        return unfit
    attempt = run(exercise, answer, exercise.cases if cases is None else tuple(cases))
    diagnosis = _diagnosis_of(attempt)
    if diagnosis.key == "not-attempted" and attempt.printed.strip():
        diagnosis = replace(diagnosis, key="prints-only")
    elif diagnosis.key == "not-attempted" and attempt.outcomes[0].nothing:
        diagnosis = _evidence(attempt, 0) if _is_written(exercise, answer) else diagnosis
    return replace(diagnosis, printed=(attempt.printed + attempt.warned)[:MOST_PRINTED])


# Before the run ----------------------------------------------------------------------------------


def _why_it_cannot_be_run(exercise: Exercise, answer: object) -> Diagnosis | None:
    if answer is None or answer is ...:
        return Diagnosis("not-attempted" if exercise.parameters else "empty-value")
    if not exercise.parameters:
        return Diagnosis("not-a-value") if callable(answer) else None
    if callable(answer) and _takes(answer, len(exercise.parameters)):
        return None
    if callable(answer) and (isinstance(answer, type) or not exercise.called_with):
        call = Call(f"{exercise.name}({', '.join(exercise.parameters)})")
        return Diagnosis("wrong-parameters", call=call)
    if exercise.called_with:
        return Diagnosis("not-a-class", values={"given": type(answer).__name__})
    return Diagnosis("not-a-function", values={"given": _quoted(answer)})


def _takes(answer: Callable[..., object], n_arguments: int) -> bool:
    """Return True unless an answer is known to reject this number of arguments."""
    try:
        signature = inspect.signature(answer)
    except BaseException:  # A function may have no signature, and an object may raise any error.
        return True
    try:
        signature.bind(*range(n_arguments))
    except TypeError:
        return False
    return True


def _is_written(exercise: Exercise, answer: Callable[..., object]) -> bool:
    """Return True if a function contains more than its first line and its docstring."""
    function = answer
    if exercise.called_with:
        function = inspect.getattr_static(answer, "__call__", None)
    return type(function) is FunctionType and any(
        step.opname not in EMPTY for step in dis.get_instructions(function)
    )


def _quoted(value: object) -> str:
    try:
        return f"array {value.shape}" if isinstance(value, np.ndarray) else quoted(value)
    except BaseException:  # includes SystemExit
        return type(value).__name__


# After the run -----------------------------------------------------------------------------------


def _diagnosis_of(attempt: Attempt) -> Diagnosis:
    outcomes = attempt.outcomes
    if outcomes[-1].last:
        return _evidence(attempt, len(outcomes) - 1)
    if all(outcome.not_attempted for outcome in outcomes):
        return Diagnosis("not-attempted")
    case = None if all(attempt.right) else attempt.right.index(False)
    if case is not None and is_as_given(attempt):
        return Diagnosis("as-given")
    known = None if case is None else known_answer(attempt)
    names = known.misconceptions if known else ()
    names += (INPUT_CHANGED,) * any(outcome.input_changed for outcome in outcomes)
    if case is None:
        return Diagnosis("right-but" if names else "solved", names)
    diagnosis = replace(_evidence(attempt, case), misconceptions=names)
    values = dict(known.choices) if known else {}
    if known is None and diagnosis.key in NUMBERS_DIFFER + SHAPES_DIFFER:
        found = pattern_in(attempt)
        if found is not None:
            values |= found.values
            diagnosis = replace(diagnosis, pattern=found.pattern, repair=found.repair)
        elif diagnosis.key in NUMBERS_DIFFER:
            diagnosis = replace(_worked_by_hand(attempt), misconceptions=names)
    values = {name: _choice(value) for name, value in values.items()}
    diagnosis = replace(diagnosis, values=values | diagnosis.values)
    first = attempt.exercise.typed_call(attempt.cases[0])
    unseen = attempt.exercise.unseen_shapes(attempt.cases[0])
    if diagnosis.error and first != diagnosis.call.typed and not unseen:
        diagnosis = replace(diagnosis, first_right=first)
    return diagnosis


def _worked_by_hand(attempt: Attempt) -> Diagnosis:
    """Select the smallest wrong call, and work out its first wrong number step by step."""
    exercise = attempt.exercise
    wrong = [
        (_size(exercise, arguments), case)
        for case, arguments in enumerate(attempt.cases)
        if not attempt.right[case]
    ]
    found = ((_evidence(attempt, case), case) for _, case in sorted(wrong))
    evidence, case = next(each for each in found if each[0].key in NUMBERS_DIFFER)
    place = evidence.difference.place
    steps = exercise.by_hand(place, *attempt.cases[case])
    stops_early = _is_intermediate(float(attempt.outcomes[case].numbers[place]), steps)
    written = {key: _choice(value) for key, value in steps.items()}
    return replace(evidence, steps=written, stops_early=stops_early)


def _is_intermediate(number: float, steps: Steps) -> bool:
    """Return True if a number is a step's value and has decimals, so a coincidence is unlikely."""
    values = [value for key, value in steps.items() if key != "result" and np.ndim(value) == 0]
    return number % 1 != 0 and any(
        isinstance(value, Real) and math.isclose(number, value, rel_tol=1e-6) for value in values
    )


def _size(exercise: Exercise, arguments: tuple) -> tuple[float, ...]:
    """Return a sort key that puts short calls with small numbers first."""
    given = [each for each in arguments if not callable(each)]
    return (
        len(exercise.unseen_shapes(arguments)) + len(exercise.earlier_shapes(arguments)),
        sum(float(np.size(each) if np.ndim(each) else abs(each)) for each in given),
    )


def _evidence(attempt: Attempt, case: int) -> Diagnosis:
    """Describe the difference between the output of a case and the expected output."""
    exercise, arguments = attempt.exercise, attempt.cases[case]
    typed, unseen = exercise.typed_call(arguments), exercise.unseen_shapes(arguments)
    call = Call(typed, unseen, exercise.earlier_shapes(arguments))
    expected, given = attempt.expected[case], attempt.outcomes[case]
    if given.error is not None and (expected.error is None or given.last):
        return _raised(call, given.error)
    if expected.error is not None:
        values = {"error": type(expected.error).__name__}
        if given.error is None:
            return Diagnosis("does-not-raise", call=call, values=values)
        values["raised"] = name_of(given.error)
        traceback = line_and_words_of(given.error)
        return Diagnosis("raises-other", call=call, values=values, traceback=traceback)
    if given.numbers is None:
        return Diagnosis(given.not_numbers, call=call)
    shapes = WrongShape(expected.numbers.shape, given.numbers.shape)
    if shapes.expected != shapes.got:
        key = {shapes.expected: "number-expected", shapes.got: "number-given"}.get((), "")
        if not exercise.parameters and len(shapes.expected) == len(shapes.got) == 1:
            key = "wrong-count"
        return Diagnosis(key or "wrong-shape", call=call, difference=shapes)
    return _first_wrong_entry(exercise, call, expected.numbers, given.numbers)


def _raised(call: Call, error: BaseException) -> Diagnosis:
    """Describe an unexpected error."""
    if isinstance(error, TooSlow):
        return Diagnosis("too-slow", call=call, values={"seconds": str(SECONDS)})
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return Diagnosis("stopped" if isinstance(error, KeyboardInterrupt) else "exits", call=call)
    key = "raised" if own_line(error) else "raised-somewhere"
    return Diagnosis(key, call=call, error=kind_of(error), traceback=line_and_words_of(error))


def _first_wrong_entry(
    exercise: Exercise, call: Call, expected: NDArray, got: NDArray
) -> Diagnosis:
    wrong = ~close(expected, got, exercise.tolerance)
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    numbers = _told_apart(expected[index], got[index])
    # A requested value is the same for all learners and must not be revealed.
    if not exercise.parameters:
        numbers = "", _short(got[index])
    difference = WrongNumber(index, *numbers, int(wrong.sum()), wrong.size)
    if not exercise.parameters:
        key = "entry-differs" if index else "value-not-right"
        return Diagnosis(key, call=call, difference=difference)
    key = "differs" if np.isfinite(got[index]) else "not-finite"
    key = key if index else f"value-{key}"
    return Diagnosis(key, call=call, difference=difference, expected=expected, got=got)


def _told_apart(expected: float, got: float) -> tuple[str, str]:
    """Format two numbers with enough digits to show that they differ."""
    written = ((f"{expected:.{n}g}", f"{got:.{n}g}") for n in range(SHOWN_DIGITS, 18))
    return next(pair for pair in written if pair[0] != pair[1])


def _choice(value: object) -> str | Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, list | np.ndarray):
        shown = [_choice(each) for each in value[:LONGEST_ROW]]
        return f"[{', '.join([*shown, '…'] if len(value) > LONGEST_ROW else shown)}]"
    whole = isinstance(value, Real) and np.isfinite(value) and value == int(value)
    return str(int(value)) if whole else _short(value)


def _short(value: object) -> str:
    return f"{value:.{SHOWN_DIGITS}g}" if isinstance(value, Real) else str(value)
