"""The explorer of a picture cut into squares; the browser computes the similarity of all squares.

``grid.js`` computes the same vectors as :func:`patch_vectors`, which is used for the picture stored
in a notebook.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...coordinates import grid_encoding, resized_table, rotate_on_grid
from ...notebook.display import Shown, drawn
from ...refusals import one_of
from ...training import RandomNumbers
from ...words.text import Text, words
from ..base import DIST, FRAMED, ExplorerWidget, explorer, still, style, view_texts

__all__ = ["patches_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
ENCODINGS = ("added", "rope", "learned")
D_MODEL = 32
TRAINED, LARGER = (6, 9), (10, 15)
"""Rows and columns of the picture during training, and of a larger picture."""

SEED = 7
"""The seed of the content that RoPE rotates, and of the table that represents a learned table."""


class PatchesExplorer(ExplorerWidget):
    """A picture cut into squares, and the encoding of their positions."""

    module = "patches"
    style = style(*FRAMED, "patches/patches.css")
    _esm = DIST / "patches.js"
    _css = style

    encoding = traitlets.Unicode("added").tag(sync=True)
    larger = traitlets.Bool(False).tag(sync=True)
    exchanged = traitlets.Bool(False).tag(sync=True)
    row = traitlets.Int(2).tag(sync=True)
    column = traitlets.Int(3).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, encoding: str, exchanged: bool) -> None:
        super().__init__(
            encoding=encoding,
            exchanged=exchanged,
            words=view_texts(TEXTS),
        )

    def as_shown(self) -> Shown:
        """Return the similarity with the chosen square, for readers without a kernel."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures import beyond_pictures

        rows, columns = grid = LARGER if self.larger else TRAINED
        row, column = min(self.row, rows - 1), min(self.column, columns - 1)
        vectors = patch_vectors(self.encoding, grid, self.exchanged)
        similar = (vectors @ vectors[row * columns + column]).reshape(grid)
        readout = _sentence(similar, row, column)
        alt = TEXTS["stored"]["alt"].format(
            rows=rows, columns=columns, row=row, column=column, readout=readout
        )
        low = float((vectors @ vectors.T).min())
        pictures = drawn(beyond_pictures.squares, similar, low, (row, column))
        caption = TEXTS["question"] + TEXTS["caption"]
        return still(pictures, alt, caption, readout.blocks())


@explorer(TEXTS["question"])
def patches_explorer(encoding: str = "added", *, exchanged: bool = False) -> PatchesExplorer:
    """Show how similar each square's position vector is to the vector of a chosen square.

    Args:
        encoding: ``added`` for sines and cosines, ``rope`` for RoPE on two axes, or ``learned``
            for a table of random vectors, like a learned table before training.
        exchanged: True to list the positions down the columns, while the squares are still counted
            along the rows.
    """
    return PatchesExplorer(one_of("encoding", encoding, ENCODINGS), bool(exchanged))


def patch_vectors(encoding: str, grid: tuple[int, int], exchanged: bool) -> NDArray[np.float64]:
    """Return the unit vector of each square, counted along the rows.

    Args:
        encoding: one of ``ENCODINGS``.
        grid: the numbers of rows and columns.
        exchanged: True if the positions are listed down the columns, which is the classic bug.

    Returns:
        An array of shape ``(n_rows * n_columns, 32)``.
    """
    rows, columns = grid
    if encoding == "added":
        table = grid_encoding(rows, columns, D_MODEL)
    elif encoding == "rope":
        content = np.broadcast_to(2 * RandomNumbers(SEED)(D_MODEL) - 1, (rows, columns, D_MODEL))
        table = rotate_on_grid(content, np.arange(rows)[:, np.newaxis], np.arange(columns))
    else:
        table = resized_table(2 * RandomNumbers(SEED)(*TRAINED, D_MODEL) - 1, rows, columns)
    listed = (table.swapaxes(0, 1) if exchanged else table).reshape(-1, D_MODEL)
    return listed / np.linalg.norm(listed, axis=1, keepdims=True)


def _sentence(similar: NDArray[np.float64], row: int, column: int) -> Text:
    """Return the sentence about the neighbours of a square and the most similar square."""
    texts, (rows, columns) = TEXTS["view"], similar.shape
    across, down = (1 if column + 1 < columns else -1), (1 if row + 1 < rows else -1)
    places = np.argwhere(np.ones_like(similar))
    distances = np.hypot(*(places - [row, column]).T)
    # Choose the nearest of equally similar squares; differences below 1e-9 are rounding errors.
    order = np.lexsort([distances, -similar.ravel().round(9)])
    best = next(number for number in order if distances[number])
    return texts["readout"].format(
        row=row,
        column=column,
        side=texts["right" if across > 0 else "left"],
        beside=f"{similar[row, column + across]:.2f}",
        below=texts["below" if down > 0 else "above"],
        under=f"{similar[row + down, column]:.2f}",
        best_row=places[best][0],
        best_column=places[best][1],
        best=f"{similar.flat[best]:.2f}",
    )
