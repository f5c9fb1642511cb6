"""Correct answers for lab 08, after lesson 12."""

import math

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from course_utils.coordinates import grid_encoding
from course_utils.labs.tasks.sinusoidal import sinusoidal_rows

from . import Answers


def turned(positions: list[float], width: int) -> list[list[float]]:
    return [
        [
            wave(position / 10_000 ** (2 * pair / width))
            for pair in range(width // 2)
            for wave in (math.sin, math.cos)
        ]
        for position in positions
    ]


def square_vectors(
    squares: NDArray, n_rows: int, n_columns: int, d_model: int
) -> list[list[float]]:
    places = [(row, column) for row in range(n_rows) for column in range(n_columns)]
    rows, columns = zip(*(places[square] for square in squares), strict=True)
    halves = turned(rows, d_model // 2), turned(columns, d_model // 2)
    return [row + column for row, column in zip(*halves, strict=True)]


def vectors_at(hours: NDArray, per_hour: float, d_model: int) -> list[list[list[float]]]:
    return [turned([(hour - row[0]) * per_hour for hour in row], d_model) for row in hours.tolist()]


def interleaved(angles: NDArray) -> NDArray:
    found = np.empty((*angles.shape[:-1], 2 * angles.shape[-1]))
    found[..., ::2], found[..., 1::2] = np.sin(angles), np.cos(angles)
    return found


def from_grid(squares: NDArray, n_rows: int, n_columns: int, d_model: int) -> NDArray:
    omega = np.exp(-math.log(10_000) * np.arange(d_model // 4) / (d_model // 4))
    rows, columns = np.meshgrid(np.arange(n_rows), np.arange(n_columns), indexing="ij")
    halves = [interleaved(axis.reshape(-1, 1) * omega) for axis in (rows, columns)]
    return np.concatenate(halves, axis=1)[squares]


def in_blocks(squares: NDArray, n_rows: int, n_columns: int, d_model: int) -> NDArray:
    """Return the squares in blocks of 2 × 2, like Qwen2-VL, if both sides are even."""
    numbers = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    if n_rows % 2 == n_columns % 2 == 0:
        blocks = numbers.reshape(n_rows // 2, 2, n_columns // 2, 2).swapaxes(1, 2)
        numbers = blocks.reshape(n_rows, n_columns)
    return np.array(square_vectors(numbers.ravel()[squares], n_rows, n_columns, d_model))


def there_and_back(squares: NDArray, n_rows: int, n_columns: int, d_model: int) -> NDArray:
    """Number every second row from right to left."""
    numbers = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    numbers[1::2] = numbers[1::2, ::-1]
    return np.array(square_vectors(numbers.ravel()[squares], n_rows, n_columns, d_model))


def some_squares(n_rows: int, n_columns: int, n_pairs: int, seed: int) -> tuple:
    generator = np.random.default_rng(seed)
    squares = generator.integers(0, n_rows * n_columns, size=generator.integers(1, 9))
    return squares, n_rows, n_columns, 4 * n_pairs


def some_hours(n_rows: int, n_readings: int, per_hour: float, n_pairs: int, seed: int) -> tuple:
    pauses = np.random.default_rng(seed).integers(1, 400, (n_rows, n_readings)) / 4
    return pauses.cumsum(axis=1), per_hour, 2 * n_pairs


SIDES = st.integers(1, 12)
SEEDS = st.integers(0, 99)
PICTURES = st.builds(some_squares, SIDES, SIDES, SIDES, SEEDS)
SERIES = st.builds(
    some_hours, st.integers(1, 5), st.integers(1, 8), st.sampled_from([0.5, 1, 4, 60]), SIDES, SEEDS
)


ANSWERS = {
    "visible-squares": Answers(
        second=square_vectors,
        asked=PICTURES,
        right=(
            square_vectors,
            from_grid,
            lambda squares, n_rows, n_columns, d_model: grid_encoding(
                n_rows, n_columns, d_model
            ).reshape(-1, d_model)[squares],
        ),
        wrong=(
            ("pattern.repair-extra", in_blocks),
            ("pattern.repair-extra", there_and_back),
            (
                "pattern.shape-in-arguments",
                lambda squares, n_rows, n_columns, d_model: np.divmod(squares, n_columns),
            ),
            (
                "pattern.half-precision",
                lambda *given: np.array(square_vectors(*given)).astype(np.float16),
            ),
        ),
    ),
    "uneven-hours": Answers(
        second=vectors_at,
        asked=SERIES,
        right=(
            vectors_at,
            lambda hours, per_hour, d_model: np.stack(
                [sinusoidal_rows((row - row.min()) * per_hour, d_model, 1e4) for row in hours]
            ),
            lambda hours, per_hour, d_model: interleaved(
                np.cumsum(np.diff(hours, axis=1, prepend=hours[:, :1]), axis=1)[:, :, None]
                * (per_hour * 1e-4 ** (np.arange(d_model // 2) * 2 / d_model))
            ),
        ),
        wrong=(
            ("raised", lambda hours, per_hour, d: vectors_at(hours - hours[:, 0], per_hour, d)),
            (
                "pattern.reshaped",
                lambda hours, per_hour, d: np.concatenate(vectors_at(hours, per_hour, d)),
            ),
            ("pattern.shape-in-arguments", lambda hours, per_hour, d: hours * per_hour),
            (
                "pattern.only-first-returned",
                lambda hours, per_hour, d: vectors_at(hours, per_hour, d)[0],
            ),
            (
                "pattern.repair-order",
                lambda hours, per_hour, d: vectors_at(hours, -per_hour, d),
            ),
        ),
    ),
}
