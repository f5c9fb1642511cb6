"""The sentence on the first page before anybody has touched it; landing.js moves it."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

from course_utils import self_attention

D_MODEL = 8
COLORS = 11
"""In the scale from blue to red; site.css calls them r0 to r10."""


def word_vector(word: str) -> NDArray[np.float64]:
    """Numbers from -1 to 1 that depend on the letters alone, so the same word has the same.

    FNV-1a of the letters, then mulberry32; landing.js computes the same numbers.
    """
    state = 2166136261
    for letter in word:
        state = (state ^ ord(letter)) * 16777619 % 2**32
    numbers = []
    for _ in range(D_MODEL):
        state = (state + 0x6D2B79F5) % 2**32
        mixed = (state ^ state >> 15) * (state | 1) % 2**32
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) % 2**32
        numbers.append((mixed ^ mixed >> 14) / 2**31 - 1)
    return np.array(numbers)


def color_of(value: float, largest: float) -> str:
    """The CSS class of a number's colour, on a scale that ends at the largest number."""
    return f"r{int((value / largest + 1) * (COLORS // 2) + 0.5)}"


def sentence_html(sentence: str, move: str) -> str:
    """A list of words to drag, each with what comes out of attention for it, at first and now.

    ``move`` says, with the placeholders word and place, what the button of a word does.
    """
    words = sentence.split()
    out = self_attention(np.stack([word_vector(word) for word in words]))
    largest = np.abs(out).max()
    items = ""
    for place, (word, row) in enumerate(zip(words, out, strict=True)):
        cells = "".join(f'<i class="{color_of(value, largest)}"></i>' * 2 for value in row)
        label = html.escape(move.format(word=word, place=place))
        items += (
            f'<li class="word"><button type="button" class="tile" aria-label="{label}">{word}'
            f'</button><span class="strip" aria-hidden="true">{cells}</span>'
            '<span class="change">0.00</span></li>'
        )
    return f'<ol class="sentence">{items}</ol>'
