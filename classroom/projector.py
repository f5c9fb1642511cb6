"""Questions to put on the wall, made from what a class got wrong: which idea gives this output?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from course_utils.labs.exercise import Exercise
from course_utils.labs.running import Outcome, alike, outcome_of, quiet
from course_utils.labs.tasks import EXERCISES
from course_utils.words.text import Text, words

from . import sheets
from .findings import Overview, Shared, filled, title_of
from .submissions import Task

SAID = words(Path(__file__).with_suffix(".toml"))

MOST_QUESTIONS = 6
MOST_CHOICES = 4
LARGEST_SHOWN = 24


@dataclass(frozen=True)
class Choice:
    """One misconception that could be behind an output, and whether it is."""

    text: Text
    right: bool


@dataclass(frozen=True)
class Riddle:
    """An output that a misconception gives, and which of several it could be."""

    task: Task
    call: str
    given: str
    expected: str
    """Empty where a lab asks for this value, which is not given away."""
    choices: tuple[Choice, ...]
    shared: Shared
    outputs: dict[str, str]
    """What each misconception gives for the same call, where that is not too large to be read."""


def riddles(overview: Overview) -> tuple[Riddle, ...]:
    """A question for each common misconception, where its output tells it from the others.

    The one that cost most points comes first.
    """
    costly = sorted(overview.shared, key=lambda each: -each.lost)
    return tuple(filter(None, map(riddle_of, costly)))[:MOST_QUESTIONS]


def riddle_of(shared: Shared) -> Riddle | None:
    """A question about a case in which this misconception alone, of the choices, gives the output.

    The choices come from the same exercise, its commonest misconceptions first; an output that
    another of them gives as well would make a question with two right answers.
    """
    exercise = EXERCISES.get(shared.tasks[0].id)
    outcomes = _outcomes(exercise) if exercise else {}
    for case in range(len(exercise.cases)) if shared.id in outcomes else ():
        right = outcome_of(exercise, exercise.reference, exercise.cases[case])
        shown = outcomes[shared.id][0][case]
        others = [
            name
            for name, ways in outcomes.items()
            if name != shared.id and not any(alike(way[case], shown, 1e-5) for way in ways)
        ]
        readable = _is_readable(shown) and _is_readable(right)
        if readable and not alike(right, shown, 1e-5) and len(others) >= 2:
            names = [shared.id, *others[: MOST_CHOICES - 1]]
            random.Random(shared.id).shuffle(names)
            given = {name: ways[0][case] for name, ways in outcomes.items()}
            return Riddle(
                task=shared.tasks[0],
                call=exercise.typed_call(exercise.cases[case]),
                given=written(shown.numbers),
                expected=written(right.numbers) if exercise.parameters else "",
                choices=tuple(Choice(title_of(name), name == shared.id) for name in names),
                shared=shared,
                outputs={
                    name: written(outcome.numbers)
                    for name, outcome in given.items()
                    if _is_readable(outcome) and not alike(right, outcome, 1e-5)
                },
            )
    return None


def _is_readable(outcome: Outcome) -> bool:
    """Whether it is of numbers, and of no more than can be read from the last row of a room."""
    return outcome.numbers is not None and outcome.numbers.size <= LARGEST_SHOWN


@cache
def _outcomes(exercise: Exercise) -> dict[str, list[list[Outcome]]]:
    """What each misconception alone gives in each case; there is a list for each of its forms."""
    found: dict[str, list[list[Outcome]]] = {}
    with quiet():
        for known in exercise.wrong_answers():
            if len(known.misconceptions) == 1:
                outcomes = [outcome_of(exercise, known.answer, each) for each in exercise.cases]
                found.setdefault(known.misconceptions[0], []).append(outcomes)
    return found


def written(numbers: NDArray[np.float64]) -> str:
    """Numbers as one reads them on a wall: a row in a line, three digits after the point."""
    rows = np.atleast_2d(numbers) if numbers.ndim < 2 else numbers.reshape(-1, numbers.shape[-1])
    cells = [[_short(number) for number in row] for row in rows]
    width = max((len(cell) for row in cells for cell in row), default=0)
    return "\n".join("  ".join(cell.rjust(width) for cell in row) for row in cells)


def _short(number: float) -> str:
    if not math.isfinite(number):
        return str(number)
    return f"{number:.0f}" if number == round(number) else f"{number:.4g}"


def projector_page(overview: Overview) -> str:
    """The page to project: one question after the other, turned with the arrow keys."""
    return sheets.page(
        "projector", said=SAID, overview=overview, riddles=riddles(overview), filled=filled
    )
