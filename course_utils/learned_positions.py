"""Learned position vectors of two released models, and the rotations found in them.

These vectors were learned in training. ``minilm`` is all-MiniLM-L6-v2, which converts sentences to
vectors (512 positions). ``whisper`` is the decoder of Whisper tiny.en, which transcribes speech
(448 positions).

The script ``experiments/real_positions.py`` reads the 384-dimensional vectors from the published
files, subtracts their mean, and stores their first 32 principal components. For the remaining
dimensions, it stores only a sum of squares. The folder ``learned_position_rows`` contains the
numbers, their sources and their licences.
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
"""Rows to which the clocks are fitted, such as rows 128 to 505 of MiniLM."""

N_DIRECTIONS = {"minilm": 10, "whisper": 15}
"""Number of directions that explain 93% of the variance."""

GEARS = (81, 27, 9, 3, 1)
"""Numbers of turns that MiniLM's five clocks make during one turn of the slowest clock."""

FOLDER = Path(__file__).with_name("learned_position_rows")


class Clocks(NamedTuple):
    """Rotations of a matrix that maps each row to the next row, from fastest to slowest.

    Args:
        matrix: Array of shape ``(n_directions, n_directions)``; ``row @ matrix`` approximates the
            next row.
        angles: Rotation angles in radians per position, with shape ``(n_clocks,)``.
        planes: Complex array of shape ``(n_directions, n_clocks)`` that defines the plane of each
            clock. ``row @ planes`` returns the clock hands at a row as complex numbers, whose
            arguments are the phases.
    """

    matrix: NDArray[np.float64]
    angles: NDArray[np.float64]
    planes: NDArray[np.complex128]


def learned_rows(model: str) -> NDArray[np.float64]:
    """Return the first 32 principal components of a model's learned position vectors.

    The subtracted mean is computed from rows 1 to 511 of MiniLM and rows 4 to 447 of Whisper,
    because the first rows differ from all others.

    Args:
        model: Either ``minilm`` or ``whisper``.

    Returns:
        Array of shape ``(512, 32)`` or ``(448, 32)``. The columns are sorted by decreasing
        variance.

    Raises:
        ValueError: If the model is unknown.

    Example:
        >>> learned_rows("minilm").shape, learned_rows("whisper").shape
        ((512, 32), (448, 32))
    """
    return _stored()[f"{one_of('model', model, MODELS)}_rows"].astype(float)


def squares_left_out(model: str) -> float:
    """Return the sum of squares of the clean rows that is not explained by the 32 components.

    Example:
        >>> round(squares_left_out("minilm"), 2)
        1.22
    """
    return float(_stored()[f"{one_of('model', model, MODELS)}_left_out"])


def fit_clocks(rows: ArrayLike) -> Clocks:
    """Fit one matrix that maps each row to the next row, and return its rotations.

    The matrix is the least-squares solution of ``rows[:-1] @ matrix = rows[1:]``. Each pair of
    conjugate eigenvalues corresponds to a rotation in a plane, whose angle is the argument of the
    eigenvalue.

    Args:
        rows: Consecutive rows, with shape ``(n_rows, n_directions)``.

    Raises:
        ValueError: If ``rows`` is not two-dimensional, or has too few rows to determine the matrix.

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
    # In each pair of conjugate eigenvalues, only one rotates forwards. Rotations by less than 0.001
    # radians are ignored because they complete less than a twelfth of a turn in 500 positions.
    forwards = np.flatnonzero((np.angle(eigenvalues) > 1e-3) & (np.angle(eigenvalues) < np.pi))
    order = forwards[np.argsort(-np.angle(eigenvalues[forwards]))]
    return Clocks(matrix, np.angle(eigenvalues[order]), eigenvectors[:, order])


def phases_of(model: str) -> NDArray[np.float64]:
    """Return the phases of a model's clocks at its clean rows, in radians.

    Returns:
        Array of shape ``(n_clean_rows, n_clocks)``, from the fastest to the slowest clock. The
        phases are unwrapped, so they do not jump by whole turns.

    Example:
        >>> phases = phases_of("minilm")
        >>> round(float(np.polyfit(phases[:, 1], phases[:, 0], 1)[0]), 2)
        3.0
    """
    clean = learned_rows(model)[CLEAN_ROWS[model], : N_DIRECTIONS[model]]
    clocks = fit_clocks(clean)
    return continuous_phases(clean @ clocks.planes, clocks.angles)


def continuous_phases(hands: ArrayLike, angles: ArrayLike) -> NDArray[np.float64]:
    """Return the unwrapped phases of clock hands.

    Each step of a phase is chosen to be as close as possible to the expected rotation of its clock.
    The direction is therefore correct even for hands that make almost half a turn per position.

    Args:
        hands: Complex array of shape ``(n_rows, n_clocks)``.
        angles: Expected rotations in radians per position, with shape ``(n_clocks,)``.

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
    """Fit circles whose angles are multiples of a single phase.

    A least-squares fit gives an ellipse for each gear. Each ellipse is replaced by a circle in the
    same plane with its mean radius. MiniLM's ellipses are nearly circular.

    Args:
        rows: Array of shape ``(n_rows, n_directions)``.
        phase: Phase of the slowest circle at each row, in radians, with shape ``(n_rows,)``.
        gears: Number of turns of each circle in one turn of the slowest circle.

    Returns:
        Array of shape ``(n_gears, 2, n_directions)`` with the points of each circle at phase 0 and
        a quarter of a turn later. The two vectors are perpendicular and have the same length.

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
    """Approximate each row by the mean row plus one point on each fitted circle.

    The arguments are the same as for :func:`circle_axes`. The result has the same shape as
    ``rows``.

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
    """Return a column of ones, followed by the cosine and sine of each circle's angle."""
    angles = np.outer(phase, gears)
    pairs = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(angles), -1)
    return np.column_stack([np.ones(len(angles)), pairs])


def share_on_circles(gears: tuple[float, ...] = GEARS) -> float:
    """Return the proportion of variance in MiniLM's rows 128 to 505 that is explained by circles.

    The common phase of all circles is the phase of the fastest clock divided by its gear. This
    phase does not increase at a constant rate.

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
