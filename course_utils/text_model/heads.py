"""Measurements of the attention that heads pay to the previous character."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..refusals import quoted, whole_number
from .characters import LANGUAGES, TRAINED_LENGTH
from .reading import read
from .stored import held_out_texts

__all__ = ["head_looking_back", "look_back_shares", "shares_before"]


def shares_before(attention: ArrayLike, first: int = 1) -> NDArray[np.float64]:
    """Return each head's mean attention to the previous character.

    ``attention`` must have the shape ``(n_layers, n_heads, n, n)``. The mean is computed over the
    characters from position ``first`` on; ``first`` must be between 1 and ``n - 1``.

    Returns:
        Array of shape ``(n_layers, n_heads)`` with values from 0 to 1.

    Example:
        >>> shares_before([[[[1, 0], [0.25, 0.75]]]])
        array([[0.25]])
    """
    attention = np.asarray(attention)
    n = attention.shape[-1]
    if whole_number("first", first) >= n:
        raise ValueError(f"first must be at most n - 1 = {n - 1}; got {quoted(first)}.")
    return np.diagonal(attention, offset=-1, axis1=-2, axis2=-1)[..., first - 1 :].mean(axis=-1)


@cache
def look_back_shares(
    encoding: str = "rope", length: int = TRAINED_LENGTH, stretch: str | None = None
) -> NDArray[np.float64]:
    """Return each head's mean attention to the previous character in held-out texts.

    The mean of :func:`shares_before` is computed over the second halves of texts of the given
    length.

    Returns:
        Array of shape ``(n_layers, n_heads)``.

    Example:
        >>> look_back_shares("rope").shape
        (2, 4)
    """
    length = whole_number("length", length, lowest=4)
    texts = [text for language in LANGUAGES for text in held_out_texts(language)]
    parts = [
        text[start : start + length]
        for text in texts
        for start in range(0, len(text) - length + 1, length)
    ]
    if not parts:
        longest = max(map(len, texts))
        raise ValueError(f"length must be at most {longest}; got {quoted(length)}.")
    readings = [read(part, encoding, stretch) for part in parts]
    # In training, the last character of a text was predicted but never read.
    shares = [shares_before(each.attention[..., :-1, :-1], length // 2) for each in readings]
    mean = np.mean(shares, axis=0)
    mean.flags.writeable = False  # All callers share this array.
    return mean


def head_looking_back(encoding: str = "rope") -> tuple[int, int]:
    """Return the indices (layer, head) of the head that attends most to the previous character.

    Attention is measured on texts with the training length.

    Example:
        >>> layer, head = head_looking_back("rope")
        >>> look_back_shares("rope")[layer, head] == look_back_shares("rope").max()
        np.True_
    """
    shares = look_back_shares(encoding)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer), int(head)
