"""The explorer of a network that learns a picture; the browser computes everything.

``network.js`` is a port of ``course_utils/fields.py``, which computes the picture stored in a
notebook.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...fields import (
    MAX_WAVES,
    PICTURES,
    NeuralField,
    drawn_picture,
    pixel_centres,
    seen_pixels,
    typical_error,
    wave_frequencies,
)
from ...notebook.display import Shown, drawn
from ...refusals import one_of, whole_number
from ...words.text import Text, words
from ..base import DIST, FRAMED, ExplorerWidget, explorer, still, style, view_texts

__all__ = ["fields_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
SIZE = 48
"""Pixels along each edge of a picture."""

RUN = 300
"""Number of steps after which the explorer stops, also used for the stored picture."""

SPEEDS = (1, 2, 4, 8, 16, 32)
"""Turns of the fastest wave across the picture."""

STORED = ((0, 8), (MAX_WAVES, 4), (MAX_WAVES, 32))
"""Number of waves and fastest wave for each stored picture: blurred, sharp and noisy."""


class FieldsExplorer(ExplorerWidget):
    """A widget in which a small network learns a picture from coordinates."""

    module = "fields"
    style = style(*FRAMED, "fields/fields.css")
    _esm = DIST / "fields.js"
    _css = style

    waves = traitlets.Int(0).tag(sync=True)
    fastest = traitlets.Int(8).tag(sync=True)
    picture = traitlets.Unicode("clock").tag(sync=True)
    # The grey levels of the reader's drawing in hexadecimal; empty for a blank page.
    drawing = traitlets.Unicode("").tag(sync=True)
    seed = traitlets.Int(1).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, waves: int, fastest: int, picture: str, seed: int) -> None:
        super().__init__(
            waves=waves,
            fastest=fastest,
            picture=picture,
            seed=seed,
            words=view_texts(TEXTS),
        )

    @classmethod
    def shared_settings(cls) -> dict[str, object]:
        """Return the settings, including the pictures as grey levels."""
        pictures = {name: _hexadecimal(drawn_picture(name, SIZE)) for name in PICTURES}
        return super().shared_settings() | {"pictures": pictures}

    def as_shown(self) -> Shown:
        """Return a blurred, a sharp and a noisy picture, for readers without a kernel."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures import beyond_pictures

        name = self.picture if self.picture in PICTURES else PICTURES[0]
        painted, errors = _painted(name, self.seed)
        blurred, sharp, noisy = (f"{error:.0%}" for error in errors)
        alt = TEXTS["stored"]["alt"].format(
            picture=TEXTS["view"]["pictures"][name],
            steps=RUN,
            blurred=blurred,
            sharp=sharp,
            noisy=noisy,
            sharp_turns=STORED[1][1],
            noisy_turns=STORED[2][1],
        )
        pictures = drawn(beyond_pictures.painted, _names(), [drawn_picture(name, SIZE), *painted])
        caption = TEXTS["question"] + TEXTS["caption"]
        return still(pictures, alt, caption)


@explorer(TEXTS["question"])
def fields_explorer(
    waves: int = 0, fastest: int = 8, *, picture: str = "clock", seed: int = 1
) -> FieldsExplorer:
    """Let a small network learn a picture from coordinates, with or without waves.

    Args:
        waves: the initial number of waves for each axis, from 0 to 8.
        fastest: the number of turns of the fastest wave across the picture: 1, 2, 4, 8, 16 or 32.
        picture: ``clock`` or ``rings``; the reader can also draw one.
        seed: the seed of the initial weights.
    """
    one_of("fastest", fastest, SPEEDS)
    wave_frequencies(waves, fastest)
    one_of("picture", picture, PICTURES)
    return FieldsExplorer(waves, fastest, picture, whole_number("seed", seed))


def _hexadecimal(picture: NDArray[np.float64]) -> str:
    """Return grey levels as two hexadecimal digits each, row by row."""
    return np.round(255 * picture).astype(np.uint8).tobytes().hex()


def _names() -> list[Text]:
    texts = TEXTS["stored"]
    waves = [
        texts["up_to"].format(turns=fastest) if n else texts["without"] for n, fastest in STORED
    ]
    return [TEXTS["view"]["target"], *waves]


@cache
def _painted(name: str, seed: int) -> tuple[list[NDArray[np.float64]], list[float]]:
    """Return the networks' pictures for each stored setting, and their errors at unseen pixels."""
    levels = drawn_picture(name, SIZE).ravel()
    points, seen = pixel_centres(SIZE), seen_pixels(SIZE)
    painted, errors = [], []
    for waves, fastest in STORED:
        field = NeuralField(waves, fastest, seed=seed)
        field.train(points[seen], levels[seen], RUN)
        answers = field.predict(points)
        painted.append(answers.reshape(SIZE, SIZE))
        errors.append(typical_error(levels[~seen], answers[~seen]))
    return painted, errors
