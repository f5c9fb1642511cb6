"""Predictions and attention of the character model for a text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ..refusals import quoted, whole_number
from .characters import CHARACTERS, FURTHEST, LONGEST, TRAINED_LENGTH, indices, plain
from .forward import Turning, forward
from .stored import check_choices, header, weights

__all__ = ["Reading", "read"]


def read(
    text: str,
    encoding: str = "rope",
    stretch: str | None = None,
    *,
    factor: float | None = None,
    start: int = 0,
    held: Collection[int] = (),
    limit: int | None = None,
    window: int | None = None,
) -> Reading:
    """Read a text with the model of one encoding.

    RoPE is stretched by ``factor``, which must be at least 1. By default, ``factor`` is the ratio
    of the text's length to the training length. ``start`` is the position of the first character.

    ``held`` lists RoPE pairs whose rotation is limited. In the score of query ``i`` and key ``j``,
    a held pair ``k`` is rotated by ``min(i - j, limit) * w_k``. By default, ``limit`` is 62, the
    largest distance in training. ``window`` is the maximum number of previous characters to which a
    character attends.

    Raises:
        TypeError: If the text is not a string.
        ValueError: If the text is empty, contains only unknown characters, or is too long. For the
            learned encoding, the last position is 63. A ValueError is also raised if the encoding
            or stretch does not exist, or if the encoding has no frequencies to stretch or hold.

    Example:
        >>> reading = read("She put the key in her pocket and opened the doo")
        >>> reading.text[-2:], reading.bits.shape, reading.attention.shape
        ('oo', (47,), (2, 4, 48, 48))
        >>> reading.expected(48, top=1)[0][0]
        'r'

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762; LayerNorm precedes
        each block and has no parameters, as in Groeneveld et al., "OLMo" (2024), arXiv:2402.00838.
    """
    check_choices(encoding, stretch, factor)
    held, limit = _held(encoding, held, limit)
    start = _place("start", start, lowest=0)
    window = LONGEST if window is None else _place("window", window)
    text, left_out = _known(text, encoding, start)
    if factor is None:
        factor = max(1.0, len(text) / TRAINED_LENGTH)
    rope = Turning(stretch, factor, held, limit)
    probabilities, attention = forward(indices(text), encoding, start, window, rope)
    return Reading(text, left_out, probabilities, attention)


@dataclass(frozen=True)
class Reading:
    """The predictions and the attention of a model for a text of ``n`` characters.

    Attributes:
        text: Characters that were read.
        left_out: Characters unknown to the model, without repetition, in order of appearance.
        probabilities: Array of shape ``(n, n_known)``. Row ``i`` contains the prediction after
            character ``i``, with a column for each character in :data:`CHARACTERS`.
        attention: Array of shape ``(n_layers, n_heads, n, n)``. Row ``i`` contains the attention of
            character ``i`` to itself and to previous characters.
    """

    text: str
    left_out: tuple[str, ...]
    probabilities: NDArray[np.float64]
    attention: NDArray[np.float64]

    @property
    def bits(self) -> NDArray[np.float64]:
        """Surprise at each character except the first, in bits, with shape ``(n - 1,)``.

        A character with a predicted probability of 1/2 costs 1 bit, and one with a probability of
        1/4 costs 2 bits. Uniform guessing costs 5.9 bits per character.
        """
        came = indices(self.text[1:])
        return -np.log2(self.probabilities[np.arange(len(came)), came])

    def expected(self, position: int, top: int = 3) -> list[tuple[str, float]]:
        """Return the most probable characters at a position, with their probabilities.

        The position must be from 1 to ``n``. Position ``n`` follows the last character of the text.
        """
        position = whole_number("position", position)
        if position > len(self.text):
            raise ValueError(
                f"position must be at most {len(self.text)}, the position after the end of the "
                f"text; "
                f"got {quoted(position)}."
            )
        probabilities = self.probabilities[position - 1]
        likeliest = np.argsort(-probabilities)[: whole_number("top", top)]
        return [(CHARACTERS[index], float(probabilities[index])) for index in likeliest]


def _known(text: str, encoding: str, start: int) -> tuple[str, tuple[str, ...]]:
    """Split a text into characters that the model knows and characters that it does not know."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string; got {quoted(text)}.")
    text = plain(text)
    known = plain("".join(character for character in text if character in CHARACTERS))
    left_out = tuple(dict.fromkeys(character for character in text if character not in CHARACTERS))
    if not known:
        got = f"only unknown characters: {quoted(text)}" if text else "an empty text"
        raise ValueError(f"text must hold at least one character that the model knows; got {got}.")
    if encoding == "learned" and start >= TRAINED_LENGTH:
        raise ValueError(
            f"start must be at most {TRAINED_LENGTH - 1} for the encoding learned, because "
            f"later positions have no learned vector; got {quoted(start)}."
        )
    longest = TRAINED_LENGTH - start if encoding == "learned" else LONGEST
    if len(known) > longest:
        why = ", because later positions have no learned vector" if encoding == "learned" else ""
        where = f" from position {start} on" if start and encoding == "learned" else ""
        raise ValueError(
            f"text must have at most {longest} characters for the encoding {encoding}{where}{why}; "
            f"got {len(known)}."
        )
    return known, left_out


def _place(name: str, value: int, *, lowest: int = 1) -> int:
    """Check a position or a distance and return it."""
    if whole_number(name, value, lowest=lowest) > FURTHEST:
        raise ValueError(f"{name} must be at most {FURTHEST}; got {quoted(value)}.")
    return int(value)


def _held(encoding: str, held: Collection[int], limit: int | None) -> tuple[list[int], int]:
    """Return the sorted held pairs, and the largest distance by which they are rotated."""
    n_pairs = weights(encoding)["0.queries"].shape[1] // header(encoding)["n_heads"] // 2
    if isinstance(held, str) or not isinstance(held, Collection):
        raise TypeError(f"held must be a collection of pairs, such as (3,); got {quoted(held)}.")
    if len(held) and encoding != "rope":
        raise ValueError(
            f"held must be empty for the encoding {encoding}, because only RoPE has pairs that "
            f"turn; got {quoted(held)}."
        )
    if not all(isinstance(pair, Integral) and 0 <= pair < n_pairs for pair in held):
        raise ValueError(f"held must hold pairs from 0 to {n_pairs - 1} only; got {quoted(held)}.")
    pairs = sorted(set(held))
    if limit is None:
        return pairs, TRAINED_LENGTH - 2
    if not pairs:
        raise ValueError(f"limit must be None without held pairs; got {quoted(limit)}.")
    return pairs, _place("limit", limit, lowest=0)
