"""Comparison of an answer with known wrong answers."""

from collections.abc import Iterable

from .exercise import WrongAnswer
from .running import Attempt, Outcome, alike, quiet


@quiet()
def is_as_given(attempt: Attempt) -> bool:
    """Return True if an answer is equivalent to the lab's broken code in every case."""
    exercise = attempt.exercise
    if exercise.given is None:
        return False
    return all(
        alike(before, now, exercise.tolerance) and before.input_changed == now.input_changed
        for case, now in enumerate(attempt.outcomes)
        for before in [attempt.outcome(exercise.given, case)]
    )


@quiet()
def known_answer(attempt: Attempt) -> WrongAnswer | None:
    """Return the first known wrong answer with the same outcomes that fails in at least one case.

    If most calls returned numbers, only these calls are compared, because code with a misconception
    may also fail, for example for an odd size. All calls are compared if the exercise asks for an
    error. Answers that fail in every case cannot be recognised.
    """
    exercise, outcomes = attempt.exercise, attempt.outcomes
    first, every = attempt.right.index(False), range(len(outcomes))
    came_out = [case for case in every if outcomes[case].numbers is not None]
    failing_is_asked_for = any(outcome.error for outcome in attempt.expected)
    decide = every if failing_is_asked_for or 2 * len(came_out) <= len(every) else came_out
    # Small outputs of small arguments are compared first, because most known answers differ in
    # them.
    decide = sorted({first, *decide}, key=attempt.rank)

    def gives(known: WrongAnswer, wanted: tuple[Outcome, ...], cases: Iterable[int]) -> bool:
        made = (attempt.outcome(known.answer, case) for case in cases)
        return all(
            alike(each, wanted[case], exercise.tolerance)
            for case, each in zip(cases, made, strict=True)
        )

    for known in exercise.wrong_answers() if came_out else ():
        if gives(known, outcomes, decide) and not gives(known, attempt.expected, every):
            return known
    return None
