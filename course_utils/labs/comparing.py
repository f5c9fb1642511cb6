"""Which known wrong answer gives what an answer gave."""

from collections.abc import Iterable

from .exercise import WrongAnswer
from .running import Attempt, Outcome, alike, outcome_of, quiet


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
    first, every = attempt.right.index(False), range(len(outcomes))
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
