"""Exercises that answer at once: what is asked, how it is judged, how it is shown."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from ..words.text import Text
from .diagnosis import STOPPED, Diagnosis, diagnose
from .exercise import Exercise
from .feedback import Feedback, feedback_on, refuse
from .independence import earlier_called, right_ones_before
from .messages import SAID, message
from .running import is_being_judged
from .solved import progress, record
from .tasks import EXERCISES

__all__ = ["Feedback", "check", "exercises", "grade", "hint", "progress", "wrong_output"]

_stopped: dict[str, tuple[object, Diagnosis]] = {}
"""Answers that did not end by themselves when they were last checked, and what was found."""


def exercises() -> list[str]:
    """The ids of all exercises, in the order of the labs."""
    return list(EXERCISES)


def check(exercise_id: str, answer: object) -> Feedback:
    """Say whether an answer is right, and if not, what it is that went wrong. Never raises.

    The answer is the function or class itself, or the value asked for. It is run once on each of a
    few cases, with copies of the arguments; what it prints is shown below the feedback. If it calls
    functions of earlier exercises of the lab and does not come out, it is tried with right ones.

    Raises:
        RuntimeError: an answer calls it while it is judged; whoever judges it says so.
    """
    _refuse_while_judging("check")
    unknown = _why_unknown(exercise_id)
    if unknown is not None:
        return Feedback(solved=False, misconceptions=(), sentences=(unknown,))
    exercise = EXERCISES[exercise_id]
    namespace = inspect.currentframe().f_back.f_globals
    diagnosis, notes = _diagnosis_as_grading(exercise, answer, namespace)
    _stopped.pop(exercise_id, None)
    if diagnosis.key in STOPPED:
        _stopped[exercise_id] = answer, diagnosis
    if diagnosis.solved:
        notes += record(exercise_id)
    return feedback_on(exercise, diagnosis, notes)


def _diagnosis_as_grading(
    exercise: Exercise, answer: object, namespace: dict[str, object]
) -> tuple[Diagnosis, list[Text]]:
    """What is found with the learner's own earlier answers, or else with right ones."""
    diagnosis = diagnose(exercise, answer)
    called = [] if diagnosis.solved else earlier_called(exercise, answer, namespace)
    if not called:
        return diagnosis, []
    unsolved = [each for each in called if not diagnose(each, namespace.get(each.name)).solved]
    with right_ones_before(exercise, namespace):
        with_right_ones = diagnose(exercise, answer)
    if not unsolved and not with_right_ones.solved:
        return diagnosis, []
    names = ", ".join(each.name for each in unsolved or called)
    notes = [message("with-the-right-one").format(earlier=names)]
    notes += [message("earlier-unsolved").format(id=each.id) for each in unsolved]
    return with_right_ones, notes


def grade(exercise_id: str, answer: object, cases: Iterable[tuple] | None = None) -> None:
    """Judge an answer on the cases of ``check`` and on further ones, for the hidden test of a lab.

    An answer may call functions of earlier exercises of the lab. It is tried twice: with right
    functions in their place, and if that fails, with the learner's own; one success is enough.
    An answer that had to be stopped when it was checked is refused without another run.

    Raises:
        AssertionError: the answer is not right; the message says why, one language after the other.
        ValueError: there is no such exercise, or no case.
        RuntimeError: an answer calls it while it is judged.
    """
    _refuse_while_judging("grade")
    exercise = _known(exercise_id)
    cases = exercise.cases if cases is None else tuple(cases)
    if not cases:
        raise ValueError("cases must hold at least one tuple of arguments; got none.")
    stopped, diagnosis = _stopped.get(exercise_id, (None, None))
    if diagnosis is None or stopped is not answer:
        with right_ones_before(exercise, inspect.currentframe().f_back.f_globals):
            diagnosis = _diagnosis_on_all(exercise, answer, cases)
    if diagnosis.key in STOPPED or not (
        diagnosis.solved or _diagnosis_on_all(exercise, answer, cases).solved
    ):
        refuse(feedback_on(exercise, diagnosis))


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
        raise RuntimeError(message("only-shows").one_line)
    shown = [id for id, exercise in EXERCISES.items() if exercise.shows_wrong_output]
    if exercise_id not in shown:
        refusal = message("shows-nothing").format(ids=", ".join(shown), given=exercise_id)
        raise ValueError(refusal.one_line)
    return np.asarray(EXERCISES[exercise_id].reference(*arguments), dtype=np.float64)


def hint(exercise_id: str) -> Shown:
    """The hints of an exercise, each folded into the one before, from a nudge to almost there."""
    _known(exercise_id)
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


def _refuse_while_judging(called: str) -> None:
    if is_being_judged():
        raise RuntimeError(message("checks-itself").format(called=called).one_line)


def _known(exercise_id: object) -> Exercise:
    unknown = _why_unknown(exercise_id)
    if unknown is not None:
        raise ValueError(unknown.one_line)
    return EXERCISES[exercise_id]


def _why_unknown(exercise_id: object) -> Text | None:
    """What is said of an id that no exercise has, with the nearest one."""
    if isinstance(exercise_id, str) and exercise_id in EXERCISES:
        return None
    written = exercise_id.lower().replace("_", "-") if isinstance(exercise_id, str) else ""
    ids = {exercise.name.replace("_", "-"): id for id, exercise in EXERCISES.items()}
    ids |= {id: id for id in EXERCISES}
    nearest = get_close_matches(written, ids, 1)
    if not nearest:
        return message("unknown-exercise").format(ids=", ".join(EXERCISES))
    return message("exercise-misspelt").format(given=exercise_id, nearest=ids[nearest[0]])
