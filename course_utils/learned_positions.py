"""Learned position vectors of two released models, and the clocks found in them.

No formula made these vectors: each is a row of numbers that training changed. ``minilm`` is
all-MiniLM-L6-v2, which turns a sentence into a vector (512 positions). ``whisper`` is the decoder
of Whisper tiny.en, which writes down speech (448 positions).

The script ``experiments/real_positions.py`` reads the vectors of 384 numbers from the published
files, subtracts their mean, and stores their coordinates in the 32 orthogonal directions in which
they vary most. A rotation to other axes changes no length and no angle. What is outside the 32
directions is stored as a sum of squares. ``learned_position_rows`` holds the numbers, their sources
and their licences.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .refusals import one_of

__all__ = [
    "CLEAN_ROWS",
    "GEARS",
    "MODELS",
    "N_DIRECTIONS",
    "Clocks",
    "circle_axes",
    "circles_of",
    "continuous_phases",
    "fit_clocks",
    "learned_rows",
    "phases_of",
    "share_on_circles",
    "squares_left_out",
]

MODELS = ("minilm", "whisper")

CLEAN_ROWS = {"minilm": slice(128, 506), "whisper": slice(4, 448)}
"""The rows from which the clocks are fitted; in MiniLM, rows 128 to 505."""

N_DIRECTIONS = {"minilm": 10, "whisper": 15}
"""The number of directions that hold 93% of the variance, after which little is left."""

GEARS = (81, 27, 9, 3, 1)
"""The turns of MiniLM's five clocks in one turn of the slowest."""

FOLDER = Path(__file__).with_name("learned_position_rows")


class Clocks(NamedTuple):
    """Rotations of a matrix that moves each row to the next, the fastest first.

    Args:
        matrix: the matrix, shape ``(n_directions, n_directions)``; ``row @ matrix`` is nearly the
            next row.
        angles: the rotations in radians per position, shape ``(n_clocks,)``.
        planes: the plane of each clock, complex, shape ``(n_directions, n_clocks)``. The hands of
            all clocks at a row are ``row @ planes``, complex numbers whose angles are the phases.
    """

    matrix: NDArray[np.float64]
    angles: NDArray[np.float64]
    planes: NDArray[np.complex128]


def learned_rows(model: str) -> NDArray[np.float64]:
    """Return the learned vectors of a model, without their mean, in 32 directions.

    The mean is the mean of rows 1 to 511 of MiniLM and rows 4 to 447 of Whisper; the first rows
    are unlike all others.

    Args:
        model: ``minilm`` or ``whisper``.

    Returns:
        One row per position and one column per direction, that of the largest variance first:
        shape ``(512, 32)`` or ``(448, 32)``.

    Raises:
        ValueError: the model is unknown.

    Example:
        >>> learned_rows("minilm").shape, learned_rows("whisper").shape
        ((512, 32), (448, 32))
    """
    return _stored()[f"{one_of('model', model, MODELS)}_rows"].astype(float)


def squares_left_out(model: str) -> float:
    """Return the sum of squares of the clean rows outside the 32 directions, about its mean.

    Example:
        >>> round(squares_left_out("minilm"), 2)
        1.22
    """
    return float(_stored()[f"{one_of('model', model, MODELS)}_left_out"])


def fit_clocks(rows: ArrayLike) -> Clocks:
    """Fit one matrix that moves each row to the next, and return its rotations.

    The matrix is the least-squares solution of ``rows[:-1] @ matrix = rows[1:]``. Each pair of
    complex eigenvalues is a rotation in a plane; its angle is the angle of the eigenvalue.

    Args:
        rows: consecutive rows, shape ``(n_rows, n_directions)``.

    Raises:
        ValueError: there are not two axes, or too few rows to determine the matrix.

    Example:
        >>> angles = 0.5 * np.arange(20)
        >>> fit_clocks(np.column_stack([np.cos(angles), np.sin(angles)])).angles.round(6)
        array([0.5])
    """
    rows = np.asarray(rows, dtype=float)
    if rows.ndim != 2 or len(rows) <= rows.shape[1]:
        raise ValueError(
            "rows must have two axes and more rows than columns, to determine a matrix; "
            f"got the shape {rows.shape}."
        )
    matrix = np.linalg.lstsq(rows[:-1], rows[1:])[0]
    eigenvalues, eigenvectors = np.linalg.eig(matrix)
    # Of each pair of conjugate eigenvalues, one turns forwards. A rotation by less than 1/1000 of
    # a radian makes less than a twelfth of a turn in 500 positions.
    forwards = np.flatnonzero((np.angle(eigenvalues) > 1e-3) & (np.angle(eigenvalues) < np.pi))
    order = forwards[np.argsort(-np.angle(eigenvalues[forwards]))]
    return Clocks(matrix, np.angle(eigenvalues[order]), eigenvectors[:, order])


def phases_of(model: str) -> NDArray[np.float64]:
    """Return the phases of a model's clocks at its clean rows, in radians.

    Returns:
        Continuous phases without jumps of whole turns, shape ``(n_clean_rows, n_clocks)``, the
        fastest clock first.

    Example:
        >>> phases = phases_of("minilm")
        >>> round(float(np.polyfit(phases[:, 1], phases[:, 0], 1)[0]), 2)
        3.0
    """
    clean = learned_rows(model)[CLEAN_ROWS[model], : N_DIRECTIONS[model]]
    clocks = fit_clocks(clean)
    return continuous_phases(clean @ clocks.planes, clocks.angles)


def continuous_phases(hands: ArrayLike, angles: ArrayLike) -> NDArray[np.float64]:
    """Return the angles of hands without jumps of whole turns.

    A step is taken to be the one nearest to the expected rotation of its clock, so hands that turn
    by almost half a turn per position are followed in the right direction.

    Args:
        hands: complex numbers, shape ``(n_rows, n_clocks)``.
        angles: the expected rotations in radians per position, shape ``(n_clocks,)``.

    Example:
        >>> angles = np.array([3.0])
        >>> hands = np.exp(1j * np.outer(np.arange(4), [3.2]))
        >>> continuous_phases(hands, angles).ravel().round(6)
        array([0. , 3.2, 6.4, 9.6])
    """
    expected = np.outer(np.arange(len(hands)), angles)
    return np.unwrap(np.angle(np.asarray(hands) * np.exp(-1j * expected)), axis=0) + expected


def circle_axes(
    rows: ArrayLike, phase: ArrayLike, gears: tuple[float, ...] = GEARS
) -> NDArray[np.float64]:
    """Fit circles that one phase drives, all at once.

    Least squares give an ellipse per gear. MiniLM's are nearly round; each becomes a circle of
    their mean radius in the same plane.

    Args:
        rows: shape ``(n_rows, n_directions)``.
        phase: the phase of the slowest circle at each row, in radians, shape ``(n_rows,)``.
        gears: the turns of each circle in one turn of the slowest.

    Returns:
        For each circle the points at phase 0 and a quarter of a turn later, perpendicular and of
        one length: shape ``(n_gears, 2, n_directions)``.

    Example:
        >>> phase = np.linspace(0, 6, 50)
        >>> rows = np.column_stack([2 * np.sin(phase), 2 * np.cos(phase)])
        >>> circle_axes(rows, phase, gears=(1,)).round(6) + 0.0
        array([[[0., 2.],
                [2., 0.]]])
    """
    waves = _waves(phase, gears)
    fitted = np.linalg.lstsq(waves, np.asarray(rows, dtype=float))[0][1:]
    left, radii, right = np.linalg.svd(fitted.reshape(len(gears), 2, -1), full_matrices=False)
    return radii.mean(axis=1)[:, np.newaxis, np.newaxis] * (left @ right)


def circles_of(
    rows: ArrayLike, phase: ArrayLike, gears: tuple[float, ...] = GEARS
) -> NDArray[np.float64]:
    """Replace rows by a mean plus a point on each circle, at one phase: the shape of ``rows``.

    The arguments are the same as for :func:`circle_axes`.

    Example:
        >>> phase = np.linspace(0, 6, 50)
        >>> rows = np.column_stack([3 + np.cos(phase), np.sin(phase)])
        >>> bool(np.allclose(circles_of(rows, phase, gears=(1,)), rows))
        True
    """
    axes = circle_axes(rows, phase, gears)
    turning = _waves(phase, gears)[:, 1:] @ axes.reshape(2 * len(gears), -1)
    return turning + (np.asarray(rows) - turning).mean(axis=0)


def _waves(phase: ArrayLike, gears: tuple[float, ...]) -> NDArray[np.float64]:
    """Return a column of ones, then the cosine and the sine of each circle's angle."""
    angles = np.outer(phase, gears)
    pairs = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(angles), -1)
    return np.column_stack([np.ones(len(angles)), pairs])


def share_on_circles(gears: tuple[float, ...] = GEARS) -> float:
    """Return the share of the variance of MiniLM's rows 128 to 505 that lies on circles.

    The phase is the phase of the fastest clock divided by its gear, so one uneven pace drives all
    circles.

    Example:
        >>> f"{share_on_circles():.1%}"
        '97.4%'
    """
    clean = learned_rows("minilm")[CLEAN_ROWS["minilm"]]
    phase = phases_of("minilm")[:, 0] / gears[0]
    off = clean - circles_of(clean, phase, gears)
    left_out = squares_left_out("minilm")
    about_mean = clean - clean.mean(axis=0)
    return float(1 - (np.sum(off**2) + left_out) / (np.sum(about_mean**2) + left_out))


@cache
def _stored() -> dict[str, NDArray]:
    with np.load(FOLDER / "rows.npz") as stored:
        return dict(stored)
