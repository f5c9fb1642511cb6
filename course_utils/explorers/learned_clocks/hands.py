"""The hands of clocks in learned position vectors: phases, lengths and paces at every position."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...learned_positions import (
    CLEAN_ROWS,
    GEARS,
    N_DIRECTIONS,
    circles_of,
    continuous_phases,
    fit_clocks,
    learned_rows,
    phases_of,
)

VECTORS = ("minilm", "circles", "whisper")
"""The rows of MiniLM, exact circles in place of its rows 128 to 505, and the rows of Whisper."""

START = 128
"""The position from which turns are counted; most hands of MiniLM are near twelve there."""

AVERAGED = 24
"""The number of steps over which a pace is averaged."""


class Hands(NamedTuple):
    """The hands of all clocks, with the fastest first.

    Args:
        phases: continuous angles in radians from twelve o'clock, shape ``(n_positions, n_clocks)``.
        lengths: the hands' lengths, at most 1, with the same shape; 0 where there is no hand.
    """

    phases: NDArray[np.float64]
    lengths: NDArray[np.float64]

    def tips(self) -> NDArray[np.float64]:
        """Return the tips' coordinates (right, up), with shape ``(n_positions, 2 * n_clocks)``."""
        pair = np.stack([np.sin(self.phases), np.cos(self.phases)], axis=2)
        return (self.lengths[:, :, np.newaxis] * pair).reshape(len(self.phases), -1)

    def turns(self) -> NDArray[np.float64]:
        """Return how many turns each hand has made since position 128."""
        return (self.phases - self.phases[START]) / (2 * np.pi)


@cache
def hands_of(vectors: str) -> Hands:
    """Return the hands of the clocks of a model, or of exact circles.

    A fitted clock has no natural twelve o'clock. MiniLM's clocks are set so that each phase is,
    on average, three times the phase of the next slower clock. All clocks of Whisper show twelve
    at position 128.
    """
    model = "whisper" if vectors == "whisper" else "minilm"
    clean = CLEAN_ROWS[model]
    rows = learned_rows(model)[:, : N_DIRECTIONS[model]]
    clocks = fit_clocks(rows[clean])
    complex_hands = rows @ clocks.planes
    phases = continuous_phases(complex_hands, clocks.angles)
    phases -= phases[START]
    lengths = np.abs(complex_hands)
    if vectors == "whisper":
        return Hands(phases, lengths / lengths.max(axis=0))
    geared = np.outer(phases[:, 0], np.array(GEARS) / GEARS[0])
    middle = np.angle(np.exp(1j * (phases - geared)[clean]).mean(axis=0))
    phases -= middle
    lengths /= lengths.max(axis=0)
    if vectors == "minilm":
        return Hands(phases, lengths)
    inside = np.zeros(len(rows), dtype=bool)
    inside[clean] = True
    exact = np.where(inside[:, np.newaxis], geared, phases)
    return Hands(exact, np.where(inside[:, np.newaxis], lengths[clean].mean(axis=0), 0))


def steady_hands(hands: Hands, vectors: str) -> Hands:
    """Return hands of constant speed: rows of a sinusoidal table with one pair per hand.

    MiniLM's hands are geared three to one, and the fastest hand has its mean speed in the model.
    They are rows of a table with 10 columns and the base ``3**5``, at positions multiplied by
    this speed. Whisper's hands have the mean speeds of its clocks. At position 128,
    all hands agree with the model's hands.
    """
    clean = CLEAN_ROWS["whisper" if vectors == "whisper" else "minilm"]
    last = clean.stop - 1
    speeds = (hands.phases[last] - hands.phases[START]) / (last - START)
    if vectors != "whisper":
        speeds = speeds[0] * np.array(GEARS) / GEARS[0]
    steps = np.arange(len(hands.phases)) - START
    phases = np.outer(steps, speeds) + (0 if vectors != "whisper" else hands.phases[START])
    return Hands(phases, np.full(phases.shape, 0.72))


def at_even_pace(hands: Hands) -> Hands:
    """Divide out the common pace, so that the fastest hand turns evenly from position 128 to 505.

    The phases of the fastest hand become evenly spaced. At each position, all hands are
    interpolated linearly between the two rows where the fastest hand reaches its new phase.
    """
    clean = CLEAN_ROWS["minilm"]
    rows = np.arange(clean.start, clean.stop)
    leader = hands.phases[clean, 0]
    even = np.linspace(leader[0], leader[-1], len(rows))
    at = np.interp(even, leader, rows)

    def moved(values: NDArray) -> NDArray:
        result = values.copy()
        for column, known in zip(result.T, values[clean].T, strict=True):
            column[clean] = np.interp(at, rows, known)
        return result

    return Hands(moved(hands.phases), moved(hands.lengths))


def paces(phases: NDArray[np.float64], vectors: str) -> NDArray[np.float64]:
    """Return the speed of each hand around a position, relative to its mean over the clean rows.

    The speed is averaged over 24 steps, and is NaN where these steps extend beyond the table. The
    result has the shape of the phases.
    """
    clean = CLEAN_ROWS["whisper" if vectors == "whisper" else "minilm"]
    half = AVERAGED // 2
    result = np.full(phases.shape, np.nan)
    result[half:-half] = (phases[AVERAGED:] - phases[:-AVERAGED]) / AVERAGED
    mean = (phases[clean.stop - 1] - phases[clean.start]) / (clean.stop - 1 - clean.start)
    if vectors == "circles":
        result[: clean.start + half] = result[clean.stop - half :] = np.nan
    return result / mean


def similarities(vectors: str, first: int, count: int) -> NDArray[np.float64]:
    """Return the cosine similarities of all pairs of ``count`` rows, beginning at row ``first``."""
    model = "whisper" if vectors == "whisper" else "minilm"
    rows = learned_rows(model)
    if vectors == "circles":
        phase = phases_of("minilm")[:, 0] / GEARS[0]
        clean = rows[CLEAN_ROWS["minilm"]]
        rows = rows.copy()
        rows[CLEAN_ROWS["minilm"]] = circles_of(clean, phase)
    chosen = rows[first : first + count]
    chosen = chosen / np.linalg.norm(chosen, axis=1, keepdims=True)
    return chosen @ chosen.T
