"""The characters that the model knows, its encodings, and its lengths."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
from numpy.typing import NDArray

from ..refusals import quoted

__all__ = ["CHARACTERS", "ENCODINGS", "LONGEST", "STRETCHES", "TRAINED_LENGTH", "indices"]

ENCODINGS = ("none", "learned", "sinusoidal", "alibi", "rope")
STRETCHES = ("interpolation", "ntk", "yarn")
LANGUAGES = ("en", "es")

CHARACTERS = " abcdefghijklmnopqrstuvwxyzáéíóúüñ0123456789.,;:!?¡¿'\"()-/=+%"
"""The characters known to the model: letters of both languages, digits and common signs."""

TRAINED_LENGTH = 64
"""Length of the training texts: 63 characters were read, and all but the first predicted."""

LONGEST = 512
"""Length of the longest text that can be read, eight times the training length."""

FURTHEST = 1_000_000
"""Largest start of a text, limit and window, by choice."""

YARN_LIMITS = (0.25, 4.0)
"""Limits between which YaRN mixes, in turns during training.

The paper's limits, 1 and 32, are for models trained on thousands of positions. In 64 positions the
fastest pair turns 10.2 times, so those limits would slow down even the pairs that distinguish
neighbouring positions.
"""

PLAIN = str.maketrans("“”«»‘’–—−", '""""\'\'---')


def indices(text: str) -> NDArray[np.int64]:
    """Return the index of each character in :data:`CHARACTERS`; the model must know all of them.

    Returns:
        Shape ``(n,)``.

    Example:
        >>> indices("A cab")
        array([1, 0, 3, 1, 2])
    """
    text = plain(text)
    numbers = {character: number for number, character in enumerate(CHARACTERS)}
    unknown = [character for character in text if character not in numbers]
    if unknown:
        raise ValueError(f"text must hold only known characters; got {quoted(unknown[0])}.")
    return np.array([numbers[character] for character in text], dtype=np.int64)


def plain(text: str) -> str:
    """Return the text in small letters, with plain quotes and dashes and single spaces."""
    # A letter and its accent become one code point, whichever way they were typed.
    text = unicodedata.normalize("NFC", text).lower().translate(PLAIN)
    return re.sub(r"\s+", " ", text)
