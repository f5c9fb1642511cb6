"""Exercises with immediate feedback."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from ..words.text import Text
from .diagnosis import STOPPED, Diagnosis, diagnose
from .exercise import Exercise
from .feedback import Feedback, feedback_on, refuse
from .independence import earlier_called, namespace_of, right_ones_before
from .messages import TEXTS, message
from .running import is_being_judged
from .solved import progress, record
from .tasks import EXERCISES

__all__ = ["Feedback", "check", "exercises", "grade", "hint", "progress", "wrong_output"]

_stopped: dict[str, tuple[object, Diagnosis]] = {}
"""Answers stopped in their last check, with their diagnoses, keyed by exercise id."""


def exercises() -> list[str]:
    """Return the ids of all exercises, in the order of the labs."""
    return list(EXERCISES)


def check(exercise_id: str, answer: object) -> Feedback:
    """Check an answer and return feedback.

    Wrong answers do not raise errors. The answer is the function or class itself, or the requested
    value. It is run once on each of a few cases, with copies of the arguments, and its output is
    shown below the feedback. If an answer fails and calls functions from earlier exercises in the
    lab, it is run again with the reference solutions of these exercises.

    Raises:
        RuntimeError: If an answer calls this function while it is being judged.
    """
    _refuse_while_judging("check")
    unknown = _why_unknown(exercise_id)
    if unknown is not None:
        return Feedback(solved=False, misconceptions=(), sentences=(unknown,))
    exercise = EXERCISES[exercise_id]
    diagnosis, notes = _diagnosis_as_grading(exercise, answer)
    _stopped.pop(exercise_id, None)
    if diagnosis.key in STOPPED:
        _stopped[exercise_id] = answer, diagnosis
    if diagnosis.solved:
        notes += record(exercise_id)
    return feedback_on(exercise, diagnosis, notes)


def _diagnosis_as_grading(exercise: Exercise, answer: object) -> tuple[Diagnosis, list[Text]]:
    """Diagnose an answer; if it fails, try again with reference solutions of earlier exercises."""
    namespace = namespace_of(answer)
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
    """Run a lab's hidden test, which uses the cases of ``check`` and additional cases.

    An answer may call functions from earlier exercises in the lab. It is run with the reference
    solutions of these exercises and, if it fails, with the learner's own functions. One success is
    sufficient. If an answer was stopped when it was checked, it fails without being run again.

    Raises:
        AssertionError: If the answer is wrong. The message explains why, in all languages.
        ValueError: If the exercise does not exist, or if there are no cases.
        RuntimeError: If an answer calls this function while it is being judged.
    """
    _refuse_while_judging("grade")
    exercise = _known(exercise_id)
    cases = exercise.cases if cases is None else tuple(cases)
    if not cases:
        raise ValueError("cases must hold at least one tuple of arguments; got none.")
    stopped, diagnosis = _stopped.get(exercise_id, (None, None))
    if diagnosis is None or stopped is not answer:
        with right_ones_before(exercise, namespace_of(answer)):
            diagnosis = _diagnosis_on_all(exercise, answer, cases)
    if diagnosis.key in STOPPED or not (
        diagnosis.solved or _diagnosis_on_all(exercise, answer, cases).solved
    ):
        refuse(feedback_on(exercise, diagnosis))


def _diagnosis_on_all(exercise: Exercise, answer: object, hidden: tuple[tuple, ...]) -> Diagnosis:
    """Diagnose an answer on the cases of ``check`` and, if it passes, on the additional cases."""
    diagnosis = diagnose(exercise, answer)
    if not diagnosis.solved or hidden is exercise.cases:
        return diagnosis
    return diagnose(exercise, answer, hidden)


def wrong_output(exercise_id: str, *arguments: object) -> NDArray[np.float64]:
    """Return the wrong output that the exercise asks learners to reproduce.

    Raises:
        ValueError: If no exercise with this id shows a wrong output.
        RuntimeError: If an answer calls this function while it is being judged.
    """
    if is_being_judged():
        raise RuntimeError(message("only-shows").one_line)
    shown = [id for id, exercise in EXERCISES.items() if exercise.shows_wrong_output]
    if exercise_id not in shown:
        refusal = message("shows-nothing").format(ids=", ".join(shown), given=exercise_id)
        raise ValueError(refusal.one_line)
    return np.asarray(EXERCISES[exercise_id].reference(*arguments), dtype=np.float64)


def hint(exercise_id: str) -> Shown:
    """Return the hints for an exercise, each folded inside the previous hint."""
    _known(exercise_id)
    hints = TEXTS["exercise"][exercise_id]["hints"]
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
    """Return a message about an unknown exercise id, or None if the id is known."""
    if isinstance(exercise_id, str) and exercise_id in EXERCISES:
        return None
    written = exercise_id.lower().replace("_", "-") if isinstance(exercise_id, str) else ""
    ids = {exercise.name.replace("_", "-"): id for id, exercise in EXERCISES.items()}
    ids |= {id: id for id in EXERCISES}
    nearest = get_close_matches(written, ids, 1)
    if not nearest:
        return message("unknown-exercise").format(ids=", ".join(EXERCISES))
    return message("exercise-misspelt").format(given=exercise_id, nearest=ids[nearest[0]])
