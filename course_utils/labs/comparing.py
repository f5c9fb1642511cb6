"""Whether two outcomes are alike, and which of the known wrong ways gives what an answer gave."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .exercise import WrongWay
from .running import Attempt, Outcome, outcome_of


def first_wrong_case(attempt: Attempt) -> int | None:
    """The first case in which the answer does not give what is expected."""
    tolerance = attempt.exercise.tolerance
    for case, (wanted, given) in enumerate(zip(attempt.expected, attempt.outcomes, strict=True)):
        if not alike(wanted, given, tolerance):
            return case
    return None


@np.errstate(all="ignore")
def is_as_given(attempt: Attempt) -> bool:
    """Whether an answer does, in every case, what the broken code does that is to be mended."""
    exercise = attempt.exercise
    if not exercise.given:
        return False
    broken = replace(exercise.reference, **exercise.given)
    return all(
        alike(before, now, exercise.tolerance) and before.input_changed == now.input_changed
        for arguments, now in zip(attempt.cases, attempt.outcomes, strict=True)
        for before in [outcome_of(broken, arguments)]
    )


@np.errstate(all="ignore")
def matching_wrong_way(attempt: Attempt) -> WrongWay | None:
    """The first wrong way with exactly these outcomes, and not with the right ones.

    An answer that fails in every case has no output to recognise it by, and one that is the same
    number throughout has too little for two mistakes at once.
    """
    numbers = [outcome.numbers for outcome in attempt.outcomes if outcome.numbers is not None]
    if not numbers:
        return None
    every = np.concatenate([array.ravel() for array in numbers])
    is_constant = (every == every[:1]).all() or np.isnan(every).all()

    def gives(function: Callable[..., object], outcomes: tuple[Outcome, ...]) -> bool:
        return all(
            alike(outcome_of(function, arguments), outcome, attempt.exercise.tolerance)
            for arguments, outcome in zip(attempt.cases, outcomes, strict=True)
        )

    for way in attempt.exercise.wrong_ways():
        if (
            len(way.misconceptions) <= (1 if is_constant else 2)
            and gives(way.function, attempt.outcomes)
            and not gives(way.function, attempt.expected)
        ):
            return way
    return None


@np.errstate(all="ignore")
def explaining_first(attempt: Attempt, way: WrongWay, case: int) -> tuple[str, ...]:
    """The misconceptions of a wrong way; first those that give the outcome of a case alone."""
    exercise, given = attempt.exercise, attempt.outcomes[case]
    explaining = {
        one.misconceptions[0]
        for one in exercise.wrong_ways()
        if len(one.misconceptions) == 1
        and one.choices.items() <= way.choices.items()
        and alike(outcome_of(one.function, attempt.cases[case]), given, exercise.tolerance)
    }
    return tuple(sorted(way.misconceptions, key=lambda name: name not in explaining))


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
    """Whether the same numbers came, as near as that, or an error of the same kind."""
    if wanted.error is not None:
        return isinstance(given.error, type(wanted.error))
    if wanted.numbers is None or given.numbers is None:
        return False
    return wanted.numbers.shape == given.numbers.shape and bool(
        close(wanted.numbers, given.numbers, tolerance).all()
    )
