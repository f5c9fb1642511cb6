"""A made-up class of a hundred, graded: whoever looks at its overview shares one."""

from functools import cache
from pathlib import Path

import numpy as np

from course_utils.labs.tasks import EXERCISES, LABS

from .class_of import Given, GradedClass
from .labs import REPOSITORY, cell, mistakes, read

LAB = "03_sinusoidal"
MISTAKES = {id: mistakes(id) for id in EXERCISES}
IDS = [exercise.id for exercise in LABS[LAB]]
ROW, ROWS, CLOCK, STRANGE = IDS
SOLUTIONS = {id: cell(read("solutions", LAB), id).source for id in IDS}

RIGHT = {
    id: Given(f"# right\nright_{id.replace('-', '_')} = 1", EXERCISES[id].right_answer())
    for id in IDS
}


@cache
def wrong(id: str, number: int) -> Given:
    """A natural mistake of this exercise, with code of its own."""
    found, answer = MISTAKES[id][number]
    return Given(f'def answer():\n    """Of Ana."""\n    return {number}  # Ana Pérez', answer)


def unheard_of(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """Right but for what no misconception and no pattern says."""
    table = np.array(EXERCISES[ROWS].reference(positions, d_model, base))
    return table + 0.3 * np.sin(1 + np.arange(table.size) ** 2).reshape(table.shape)


UNHEARD_OF = Given("def answer():  # by Ana Pérez\n    return 'unheard of'", unheard_of)


def mistake(id: str, found: str) -> int:
    """The first natural mistake in which this is found."""
    return next(n for n, (each, _) in enumerate(MISTAKES[id]) if each == found)


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
            answers[ROW] = wrong(ROW, mistake(ROW, "degrees"))
        if 50 <= number < 60:
            del answers[CLOCK]
        if 60 <= number < 70:
            read = "fastest-hand-read" if number < 65 else "angle-negative"
            answers[CLOCK] = wrong(CLOCK, mistake(CLOCK, read))
        if 70 <= number < 73:
            answers[ROWS] = UNHEARD_OF
        if number >= 90:
            answers = {}
        made.hand_in(f"student{number:02}", answers)
    made.hand_in("deleter", RIGHT, deleted=(f"check-{ROWS}",))
    made.hand_in("looper", RIGHT | {CLOCK: Given("while True: pass", error="CellTimeoutError")})
    copied = {id: Given(SOLUTIONS[id], EXERCISES[id].right_answer()) for id in IDS}
    made.hand_in("copier", copied)
    (place / "notebooks").symlink_to(REPOSITORY / "notebooks")
    folder = made.folders.submitted / "breaker" / LAB
    folder.mkdir(parents=True)
    (folder / f"{LAB}.ipynb").write_text('{"cells": [{')
    made.close()
    return made
