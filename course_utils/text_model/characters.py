"""Constants of the character model: its characters, encodings and lengths."""

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
"""Characters known to the model: the letters of both languages, digits and common symbols."""

TRAINED_LENGTH = 64
"""Length of the training texts, of which all characters except the last were read."""

LONGEST = 512
"""Maximum length of a text, eight times the training length."""

FURTHEST = 1_000_000
"""Maximum of the starting position, the limit and the window, chosen arbitrarily."""

YARN_LIMITS = (0.25, 4.0)
"""Limits of YaRN's transition, in turns during training.

The paper's limits, 1 and 32, are intended for models trained on thousands of positions. In 64
positions, the fastest pair makes only 10.2 turns. With the paper's limits, even the pairs that
distinguish neighbouring positions would be slowed down.
"""

PLAIN = str.maketrans("“”«»‘’–—−", '""""\'\'---')


def indices(text: str) -> NDArray[np.int64]:
    """Return the index of each character in :data:`CHARACTERS`.

    The model must know all characters in the text.

    Returns:
        Array of shape ``(n,)``.

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
    """Convert a text to lower case, with plain quotes, plain dashes and single spaces."""
    # NFC normalisation combines a letter and its accent into one code point.
    text = unicodedata.normalize("NFC", text).lower().translate(PLAIN)
    return re.sub(r"\s+", " ", text)
