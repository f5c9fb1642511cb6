"""A made-up class of a hundred, graded: whoever looks at its overview shares one."""

from functools import cache
from pathlib import Path

import numpy as np

from course_utils.labs.tasks import EXERCISES, LABS

from .class_of import Given, GradedClass
from .labs import REPOSITORY, cell, mistakes, read

LAB = "03_sinusoidal"
IDS = [exercise.id for exercise in LABS[LAB]]
ROW, ROWS, CLOCK, STRANGE = IDS
MISTAKES = {id: mistakes(id) for id in IDS}
RIGHT = {
    id: Given(f"# right\nright_{id.replace('-', '_')} = 1", EXERCISES[id].right_answer())
    for id in IDS
}


@cache
def wrong(id: str, number: int) -> Given:
    """A natural mistake of this exercise, with code of its own."""
    code = f'def answer():\n    """Of Ana."""\n    return {number}  # Ana Pérez'
    return Given(code, MISTAKES[id][number][1])


def first(id: str, found: str) -> Given:
    """The first natural mistake in which this is found."""
    return wrong(id, [each for each, _ in MISTAKES[id]].index(found))


def unheard_of(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """Right but for what no misconception and no pattern says."""
    table = np.array(EXERCISES[ROWS].reference(positions, d_model, base))
    return table + 0.3 * np.sin(1 + np.arange(table.size) ** 2).reshape(table.shape)


UNHEARD_OF = Given("def answer():  # by Ana Pérez\n    return 'unheard of'", unheard_of)


def in_rows(number: int) -> int:
    """The mistake of one of forty: each natural mistake twice, then the first five over again."""
    n_mistakes = len(MISTAKES[ROWS])
    return number % (n_mistakes if number < 2 * n_mistakes else 5)


def a_hundred(place: Path) -> GradedClass:
    """Ninety-seven who were graded, and three with whom something is amiss."""
    made = GradedClass(place, LAB)
    for number in range(96):
        answers = dict(RIGHT)
        if number < 40:
            answers[ROWS] = wrong(ROWS, in_rows(number))
        if 30 <= number < 55:
            answers[ROW] = first(ROW, "degrees")
        if 50 <= number < 60:
            del answers[CLOCK]
        if 60 <= number < 70:
            answers[CLOCK] = first(CLOCK, "fastest-hand-read" if number < 65 else "angle-negative")
        if 70 <= number < 73:
            answers[ROWS] = UNHEARD_OF
        made.hand_in(f"student{number:02}", answers if number < 90 else {})
    made.hand_in("deleter", RIGHT, deleted=(f"check-{ROWS}",))
    made.hand_in("looper", RIGHT | {CLOCK: Given("while True: pass", error="CellTimeoutError")})
    solution = read("solutions", LAB)
    copied = {id: Given(cell(solution, id).source, EXERCISES[id].right_answer()) for id in IDS}
    made.hand_in("copier", copied)
    (place / "notebooks").symlink_to(REPOSITORY / "notebooks")
    made.write(made.folders.submitted, "breaker", '{"cells": [{')
    made.close()
    return made
