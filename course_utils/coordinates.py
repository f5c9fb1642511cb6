"""Sinusoidal encodings of coordinates other than text positions, such as times, rows and columns.

``d_model`` must be even, or a multiple of 4 if two axes share the columns. ``base`` must be finite
and greater than 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies
from .refusals import finite_array, quoted, refuse_oversize, shaped_array, whole_number
from .relative import positions_of, rotate

__all__ = ["encoding_at", "grid_encoding", "resized_table", "rotate_on_grid"]


def encoding_at(
    positions: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return sinusoidal vectors for any real positions.

    At positions 0, 1, 2, ..., the result equals the table returned by
    :func:`~course_utils.encodings.sinusoidal_encoding`.

    Returns:
        Array of shape ``(*positions.shape, d_model)``.

    Example:
        >>> encoding_at([0, 0.5, 1], 4).round(3)
        array([[0.   , 1.   , 0.   , 1.   ],
               [0.479, 0.878, 0.005, 1.   ],
               [0.841, 0.54 , 0.01 , 1.   ]])
    """
    positions = finite_array("positions", positions)
    frequencies = angular_frequencies(d_model, base=base)
    refuse_oversize("positions x d_model", positions.size, 2 * len(frequencies))
    angles = positions[..., np.newaxis] * frequencies
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*positions.shape, 2 * len(frequencies))


def grid_encoding(
    n_rows: int, n_columns: int, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return a vector that encodes the row and the column of each cell in a grid.

    The first ``d_model / 2`` values are the sinusoidal vector of the row, and the remaining values
    are the sinusoidal vector of the column. Both are computed by :func:`encoding_at`.

    Returns:
        Array of shape ``(n_rows, n_columns, d_model)``. ``table.reshape(-1, d_model)`` lists the
        cells row by row.

    Example:
        >>> grid_encoding(2, 3, 4)[1, 2].round(3)
        array([ 0.841,  0.54 ,  0.909, -0.416])

    Source:
        He et al., "Masked Autoencoders Are Scalable Vision Learners" (2021), arXiv:2111.06377;
        their code puts the sines of an axis before its cosines, and the column in the first half.
    """
    n_rows = whole_number("n_rows", n_rows)
    n_columns = whole_number("n_columns", n_columns)
    d_model = _for_two_axes(d_model)
    refuse_oversize("n_rows x n_columns x d_model", n_rows, n_columns, d_model)
    table = np.empty((n_rows, n_columns, d_model))
    table[:, :, : d_model // 2] = encoding_at(np.arange(n_rows), d_model // 2, base=base)[:, None]
    table[:, :, d_model // 2 :] = encoding_at(np.arange(n_columns), d_model // 2, base=base)
    return table


def rotate_on_grid(
    vectors: ArrayLike, rows: ArrayLike, columns: ArrayLike, *, base: float = 100.0
) -> NDArray[np.float64]:
    """Rotate the first half of each vector by its row and the second half by its column.

    Each half is rotated by :func:`~course_utils.relative.rotate`. The score of a rotated query and
    a rotated key depends only on the differences between their rows and columns.

    Args:
        vectors: Queries or keys of shape ``(..., d_model)``.
        rows: Row of each vector; the shape must broadcast to ``vectors.shape[:-1]``.
        columns: Column of each vector, with the same condition on the shape.
        base: Base of the frequencies. The default is small because images have few rows and
            columns.

    Returns:
        Array with the same shape as ``vectors``. The norm of each vector is preserved.

    Example:
        >>> rotate_on_grid([1, 0, 1, 0], rows=np.pi / 2, columns=0).round(4)
        array([0., 1., 1., 0.])

    Source:
        Heo et al., "Rotary Position Embedding for Vision Transformer" (2024), arXiv:2403.13298,
        section 3, which calls this method axial and uses a base of 100.
    """
    vectors = finite_array("vectors", vectors)
    if vectors.ndim == 0 or vectors.size == 0 or vectors.shape[-1] % 4:
        raise ValueError(
            "vectors must have the shape (..., d_model), with d_model a multiple of 4; got shape "
            f"{vectors.shape}."
        )
    by_row, by_column = np.split(vectors, 2, axis=-1)
    return np.concatenate(
        [
            rotate(by_row, positions_of("rows", rows, vectors), base=base),
            rotate(by_column, positions_of("columns", columns, vectors), base=base),
        ],
        axis=-1,
    )


def resized_table(table: ArrayLike, n_rows: int, n_columns: int) -> NDArray[np.float64]:
    """Interpolate a grid of learned vectors to another size.

    Both grids cover the same area. Bilinear interpolation computes the vector of each new cell from
    the four old cells nearest to its centre.

    Args:
        table: Array of shape ``(rows, columns, d_model)``.
        n_rows: Number of rows in the new grid.
        n_columns: Number of columns in the new grid.

    Returns:
        Array of shape ``(n_rows, n_columns, d_model)``.

    Example:
        >>> resized_table([[[0], [4]]], 1, 4).ravel()
        array([0., 1., 3., 4.])

    Source:
        Dosovitskiy et al., "An Image is Worth 16x16 Words" (2020), arXiv:2010.11929, section 3.2.
    """
    table = shaped_array("table", table, "rows", "columns", "d_model")
    sizes = whole_number("n_rows", n_rows), whole_number("n_columns", n_columns)
    refuse_oversize("n_rows x n_columns x d_model", *sizes, table.shape[-1])
    for axis, size in enumerate(sizes):
        old = table.shape[axis]
        centres = np.clip((np.arange(size) + 0.5) * old / size - 0.5, 0, old - 1)
        before = np.floor(centres).astype(int)
        after = np.minimum(before + 1, old - 1)
        share = np.expand_dims(centres - before, tuple({0, 1, 2} - {axis}))
        table = table.take(before, axis) * (1 - share) + table.take(after, axis) * share
    return table


def _for_two_axes(d_model: int) -> int:
    d_model = whole_number("d_model", d_model)
    if d_model % 4:
        raise ValueError(
            "d_model must be a multiple of 4, because each axis has sines and cosines in pairs; "
            f"got {quoted(d_model)}."
        )
    return d_model
