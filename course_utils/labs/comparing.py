"""Whether two outcomes are alike, and which known wrong answer gives what an answer gave."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .exercise import WrongAnswer
from .running import Attempt, Outcome, outcome_of, quiet


def first_wrong_case(attempt: Attempt) -> int | None:
    """The first case in which the answer does not give what is expected."""
    tolerance = attempt.exercise.tolerance
    for case, (wanted, given) in enumerate(zip(attempt.expected, attempt.outcomes, strict=True)):
        if not alike(wanted, given, tolerance):
            return case
    return None


@quiet()
def is_as_given(attempt: Attempt) -> bool:
    """Whether an answer does, in every case, what the broken code does that is to be mended."""
    exercise = attempt.exercise
    if exercise.given is None:
        return False
    return all(
        alike(before, now, exercise.tolerance) and before.input_changed == now.input_changed
        for arguments, now in zip(attempt.cases, attempt.outcomes, strict=True)
        for before in [outcome_of(exercise, exercise.given, arguments)]
    )


@quiet()
def known_answer(attempt: Attempt) -> WrongAnswer | None:
    """The first known wrong answer with these outcomes, and not with the right ones.

    Where most calls came out, their numbers decide: code with a misconception may also fail, say
    for an odd size. That is not so where failing is asked for. An answer that fails in every case
    has no output to recognise it by.
    """
    exercise, outcomes = attempt.exercise, attempt.outcomes
    first, every = first_wrong_case(attempt), range(len(outcomes))
    came_out = [case for case in every if outcomes[case].numbers is not None]
    failing_is_asked_for = any(outcome.error for outcome in attempt.expected)
    decide = every if failing_is_asked_for or 2 * len(came_out) <= len(every) else came_out

    def gives(known: WrongAnswer, wanted: tuple[Outcome, ...], cases: Iterable[int]) -> bool:
        made = (outcome_of(exercise, known.answer, attempt.cases[case]) for case in cases)
        return all(
            alike(each, wanted[case], exercise.tolerance)
            for case, each in zip(cases, made, strict=True)
        )

    for known in exercise.wrong_answers() if came_out else ():
        if gives(known, outcomes, (first, *decide)) and not gives(known, attempt.expected, every):
            return known
    return None


@np.errstate(all="ignore")
def close(wanted: NDArray, given: NDArray, tolerance: float) -> NDArray[np.bool_]:
    """Which numbers are as near to those wanted as an exercise asks; a NaN is like another.

    Operators alone judge, because an answer can put something else in the place of a function of
    NumPy.
    """
    allowed = tolerance + 1e-5 * abs(wanted)
    near = (abs(given - wanted) <= allowed) & (allowed < math.inf)
    return near | (given == wanted) | ((given != given) & (wanted != wanted))


def alike(wanted: Outcome, given: Outcome, tolerance: float) -> bool:
    """Whether two outcomes are the same: numbers within the tolerance, or one kind of error."""
    if wanted.error is not None:
        return isinstance(given.error, type(wanted.error))
    if wanted.numbers is None or given.numbers is None:
        return False
    return wanted.numbers.shape == given.numbers.shape and bool(
        close(wanted.numbers, given.numbers, tolerance).all()
    )
