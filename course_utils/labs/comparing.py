"""Whether two outcomes are alike, and which wrong implementation gives what an answer gave."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .exercise import Exercise, WrongImplementation
from .running import Attempt, Outcome, outcome_of

SAMPLED = 64
"""Numbers of an output by which it is told from most others."""


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
def matching_implementation(attempt: Attempt) -> WrongImplementation | None:
    """The first wrong implementation with exactly these outcomes, and not with the right ones.

    An answer that fails in every case has no output to recognise it by. One that is the same number
    throughout has too little for two misconceptions at once.
    """
    numbers = [outcome.numbers for outcome in attempt.outcomes if outcome.numbers is not None]
    if not numbers:
        return None
    every = np.concatenate([array.ravel() for array in numbers])
    is_constant = (every == every[:1]).all() or np.isnan(every).all()
    return _tried_on(attempt).first_like(attempt, most=1 if is_constant else 2)


@np.errstate(all="ignore")
def explaining_first(
    attempt: Attempt, implementation: WrongImplementation, case: int
) -> tuple[str, ...]:
    """The misconceptions of an implementation in the order in which they are told.

    Those that give the outcome of this case all alone come first: it is the case that is shown.
    """
    tried, given = _tried_on(attempt), attempt.outcomes[case]
    explaining = {
        one.misconceptions[0]
        for number, one in enumerate(tried.implementations)
        if len(one.misconceptions) == 1
        and one.choices.items() <= implementation.choices.items()
        and alike(tried.outcome(number, case), given, tried.tolerance)
    }
    return tuple(sorted(implementation.misconceptions, key=lambda name: name not in explaining))


class _Tried:
    """The wrong implementations of an exercise on some cases, and some numbers of what they give.

    The numbers of a case are computed when an answer first goes wrong in it, and stay: at most two
    megabytes an exercise. They tell most implementations from an answer; the few that are left are
    run again and compared in full.
    """

    def __init__(self, exercise: Exercise, cases: tuple[tuple, ...]) -> None:
        self.tolerance = exercise.tolerance
        self.implementations = tuple(exercise.wrong_implementations())
        self._cases = cases
        self._sampled: dict[int, dict[object, tuple[list[int], NDArray]]] = {}

    def outcome(self, number: int, case: int) -> Outcome:
        """What one of the implementations gives for one case."""
        return outcome_of(self.implementations[number].function, self._cases[case])

    def first_like(self, attempt: Attempt, most: int) -> WrongImplementation | None:
        """The first, of at most that many misconceptions, with all outcomes of an attempt.

        If there is none, the first with all its numbers, where most calls came out: code with a
        misconception may also fail, say for an odd size. That is not so where failing is asked for.
        """
        case, every = first_wrong_case(attempt), range(len(attempt.outcomes))
        compared = [every]
        came_out = [place for place in every if attempt.outcomes[place].numbers is not None]
        failing_is_asked_for = any(outcome.error for outcome in attempt.expected)
        if len(came_out) > len(every) / 2 and not failing_is_asked_for:
            compared.append(came_out)
        likely = self._like(attempt.outcomes[case], case)
        for cases in compared:
            for number in likely:
                if (
                    len(self.implementations[number].misconceptions) <= most
                    and self._gives(number, attempt.outcomes, cases)
                    and not self._gives(number, attempt.expected, every)
                ):
                    return self.implementations[number]
        return None

    def _gives(self, number: int, outcomes: tuple[Outcome, ...], cases: Sequence[int]) -> bool:
        return all(
            alike(self.outcome(number, case), outcomes[case], self.tolerance) for case in cases
        )

    def _like(self, given: Outcome, case: int) -> list[int]:
        """Those whose outcome in one case has the same shape and the same sampled numbers."""
        if case not in self._sampled:
            self._sampled[case] = self._sample(case)
        shape, numbers = _sample_of(given)
        of_shape, samples = self._sampled[case].get(shape, ([], numbers[np.newaxis]))
        same = close(samples, numbers, self.tolerance).all(axis=1)
        return [number for number, is_same in zip(of_shape, same, strict=False) if is_same]

    def _sample(self, case: int) -> dict[object, tuple[list[int], NDArray]]:
        by_shape: dict[object, list[tuple[int, NDArray]]] = {}
        for number in range(len(self.implementations)):
            shape, numbers = _sample_of(self.outcome(number, case))
            by_shape.setdefault(shape, []).append((number, numbers))
        return {
            shape: ([number for number, _ in of_shape], np.array([each for _, each in of_shape]))
            for shape, of_shape in by_shape.items()
        }


def _sample_of(outcome: Outcome) -> tuple[tuple[int, ...] | None, NDArray[np.float64]]:
    """The shape of an output and some of its numbers; of an error, None and no numbers."""
    if outcome.numbers is None:
        return None, np.zeros(0)
    step = -(-outcome.numbers.size // SAMPLED) or 1
    return outcome.numbers.shape, outcome.numbers.ravel()[::step].copy()


def _tried_on(attempt: Attempt) -> _Tried:
    """The cases of ``check`` are tried once in a session; others are those of a hidden test."""
    exercise = attempt.exercise
    own = attempt.cases is exercise.cases
    return _tried_on_own_cases(exercise) if own else _Tried(exercise, attempt.cases)


@cache
def _tried_on_own_cases(exercise: Exercise) -> _Tried:
    return _Tried(exercise, exercise.cases)


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
