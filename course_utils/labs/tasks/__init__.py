"""Exercises of all labs, with one module for each lab and a TOML file for its texts.

Lab 08 has two modules, one for each of its lessons. Modules of labs do not import each other. Code
that several labs share is in shared.py.
"""

from ..exercise import Exercise
from . import (
    beyond_words,
    binary,
    frequencies_and_precision,
    into_attention,
    longer_than_trained,
    naive_encodings,
    rotation,
    sinusoidal,
    your_model,
)

__all__ = ["EXERCISES", "LABS"]

LABS: dict[str, tuple[Exercise, ...]] = {
    "01_naive_encodings": naive_encodings.EXERCISES,
    "02_binary": binary.EXERCISES,
    "03_sinusoidal": sinusoidal.EXERCISES,
    "04_rotation": rotation.EXERCISES,
    "05_frequencies_and_precision": frequencies_and_precision.EXERCISES,
    "06_into_attention": into_attention.EXERCISES,
    "07_longer_than_trained": longer_than_trained.EXERCISES,
    "08_your_model": (*your_model.EXERCISES, *beyond_words.EXERCISES),
}
"""Exercises of each lab, keyed by the name of its notebook."""

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise for exercises in LABS.values() for exercise in exercises
}
