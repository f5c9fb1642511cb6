"""Exercises that answer at once: what is asked, how it is judged, how it is shown."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from .diagnosis import Diagnosis, diagnose
from .exercise import Exercise
from .feedback import Feedback, feedback_on, refuse
from .independence import right_ones_before
from .messages import SAID, message
from .running import is_being_judged
from .solved import progress, record
from .tasks import EXERCISES

__all__ = ["Feedback", "check", "exercises", "grade", "hint", "progress", "wrong_output"]

_stopped: dict[str, Feedback] = {}
"""What was said of the answers that did not end by themselves when they were last checked."""


def exercises() -> list[str]:
    """The ids of all exercises, in the order of the labs."""
    return list(EXERCISES)


def check(exercise_id: str, answer: object) -> Feedback:
    """Say whether an answer is right, and if not, what it is that went wrong. Never raises.

    The answer is the function or class itself, or the value asked for. It is run once on each of a
    few cases, with copies of the arguments; what it prints is shown below the feedback.
    """
    if not isinstance(exercise_id, str) or exercise_id not in EXERCISES:
        unknown = message("unknown-exercise").format(ids=", ".join(EXERCISES))
        return Feedback(solved=False, misconceptions=(), sentences=(unknown,))
    exercise = EXERCISES[exercise_id]
    diagnosis = diagnose(exercise, answer)
    feedback = feedback_on(exercise, diagnosis)
    _stopped.pop(exercise_id, None)
    if diagnosis.key == "stopped":
        _stopped[exercise_id] = feedback
    note = record(exercise_id) if feedback.solved else None
    return feedback if note is None else feedback.with_note(note)


def grade(exercise_id: str, answer: object, cases: Iterable[tuple] | None = None) -> None:
    """Judge an answer on the cases of ``check`` and on further ones, for the hidden test of a lab.

    An answer may call functions of earlier exercises of the lab. It is tried twice: with right
    functions in their place, and if that fails, with the learner's own; one success is enough.
    An answer that had to be stopped when it was checked is refused without another run.

    Raises:
        AssertionError: the answer is not right; the message says why, one language after the other.
    """
    _refuse_unknown(exercise_id)
    exercise = EXERCISES[exercise_id]
    cases = exercise.cases if cases is None else tuple(cases)
    if not cases:
        raise ValueError("cases must hold at least one tuple of arguments; got none.")
    if exercise_id in _stopped:
        refuse(_stopped[exercise_id])
    with right_ones_before(exercise, inspect.currentframe().f_back.f_globals):
        diagnosis = _diagnosis_on_all(exercise, answer, cases)
    if diagnosis.key == "stopped" or not (
        diagnosis.solved or _diagnosis_on_all(exercise, answer, cases).solved
    ):
        refuse(feedback_on(exercise, diagnosis, with_picture=False))


def _diagnosis_on_all(exercise: Exercise, answer: object, hidden: tuple[tuple, ...]) -> Diagnosis:
    """What is wrong on the cases of ``check``, or else on those that only grading has."""
    diagnosis = diagnose(exercise, answer)
    if not diagnosis.solved or hidden is exercise.cases:
        return diagnosis
    return diagnose(exercise, answer, hidden)


def wrong_output(exercise_id: str, *arguments: object) -> NDArray[np.float64]:
    """The wrong output that an exercise shows and asks the code for.

    Raises:
        ValueError: no such exercise shows a wrong output.
        RuntimeError: an answer calls it while it is judged.
    """
    if is_being_judged():
        raise RuntimeError(
            "wrong_output only shows what your code has to make. · "
            "wrong_output solo muestra lo que tu código tiene que hacer."
        )
    shown = [id for id, exercise in EXERCISES.items() if exercise.shows_wrong_output]
    if exercise_id not in shown:
        raise ValueError(f"exercise_id must be one of {', '.join(shown)}; got {exercise_id!r}.")
    return np.asarray(EXERCISES[exercise_id].reference(*arguments), dtype=np.float64)


def hint(exercise_id: str) -> Shown:
    """The hints of an exercise, each folded into the one before, from a nudge to almost there."""
    _refuse_unknown(exercise_id)
    hints = SAID["exercise"][exercise_id]["hints"]
    folded = ""
    for number in range(len(hints), 0, -1):
        label = message("hint").format(number=number, total=len(hints))
        inside = f"<div>{hints[number - 1].blocks()}{folded}</div>"
        folded = disclosure(label, inside, "course-choice")
    return Shown(
        html=f'<div class="{KEEPS_KEYS}">{folded}</div>',
        plain=message("hints-folded").format(total=len(hints)).lines,
    )


def _refuse_unknown(exercise_id: str) -> None:
    if exercise_id not in EXERCISES:
        raise ValueError(f"exercise_id must be one of {', '.join(EXERCISES)}; got {exercise_id!r}.")
