"""Questions for the projector about outputs of common misconceptions."""

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

TEXTS = words(Path(__file__).with_suffix(".toml"))

MOST_QUESTIONS = 6
MOST_CHOICES = 4
LARGEST_SHOWN = 24


@dataclass(frozen=True)
class Choice:
    """A misconception that is offered as an explanation of an output."""

    text: Text
    right: bool


@dataclass(frozen=True)
class Riddle:
    """A question that shows an output and offers several misconceptions as explanations."""

    task: Task
    call: str
    given: str
    expected: str
    """Correct output, or an empty string if a lab asks for this value."""
    choices: tuple[Choice, ...]
    shared: Shared
    outputs: dict[str, str]
    """Outputs of the misconceptions for the same call, if they are small enough to read."""


def riddles(overview: Overview) -> tuple[Riddle, ...]:
    """Return a question for each common misconception that has a distinctive output.

    Questions are sorted by the number of lost points, largest first.
    """
    costly = sorted(overview.shared, key=lambda each: -each.lost)
    return tuple(filter(None, map(riddle_of, costly)))[:MOST_QUESTIONS]


def riddle_of(shared: Shared) -> Riddle | None:
    """Return a question about a case in which only one of the misconceptions produces the output.

    The choices are the most common misconceptions in the same exercise. If two of them produced the
    same output, the question would have two correct answers.
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
    """Return True if an output is numeric and small enough to read from the back of a room."""
    return outcome.numbers is not None and outcome.numbers.size <= LARGEST_SHOWN


@cache
def _outcomes(exercise: Exercise) -> dict[str, list[list[Outcome]]]:
    """Return the outputs of each misconception: a list for each variant, with an entry per case."""
    found: dict[str, list[list[Outcome]]] = {}
    with quiet():
        for known in exercise.wrong_answers():
            if len(known.misconceptions) == 1:
                outcomes = [outcome_of(exercise, known.answer, each) for each in exercise.cases]
                found.setdefault(known.misconceptions[0], []).append(outcomes)
    return found


def written(numbers: NDArray[np.float64]) -> str:
    """Format numbers with one row per line and three decimals."""
    rows = np.atleast_2d(numbers) if numbers.ndim < 2 else numbers.reshape(-1, numbers.shape[-1])
    cells = [[_short(number) for number in row] for row in rows]
    width = max((len(cell) for row in cells for cell in row), default=0)
    return "\n".join("  ".join(cell.rjust(width) for cell in row) for row in cells)


def _short(number: float) -> str:
    if not math.isfinite(number):
        return str(number)
    return f"{number:.0f}" if number == round(number) else f"{number:.4g}"


def projector_page(overview: Overview) -> str:
    """Return the page for the projector, which is controlled with the arrow keys."""
    return sheets.page(
        "projector", texts=TEXTS, overview=overview, riddles=riddles(overview), filled=filled
    )
