"""All labs and their exercises, in the order of the course."""

from __future__ import annotations

from . import bits, frequencies, heads, naive, rotations, sinusoids
from .exercise import Exercise

__all__ = ["EXERCISES", "LABS"]

LABS: dict[str, tuple[Exercise, ...]] = {
    "01_naive_encodings": naive.EXERCISES,
    "02_binary": bits.EXERCISES,
    "03_sinusoidal": sinusoids.EXERCISES,
    "04_rotation": rotations.EXERCISES,
    "05_frequencies_and_precision": frequencies.EXERCISES,
    "06_into_attention": heads.EXERCISES,
}
"""The exercises of each lab, by the name of its notebook."""

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise for exercises in LABS.values() for exercise in exercises
}
