"""Explorers of words and their positions: a sentence in any order, and a word with its index."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import index_encoding, sinusoidal_encoding
from ...pictures.panels import counting, round_ticks
from ...pictures.scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Guess,
    Panel,
    Readout,
    Scene,
    Sentence,
    ValueBars,
)
from ...properties import word_share
from ...words.text import Text, words
from ..base import explorer
from .controls import NAMES, checkbox, slider
from .explorer import Explorer

TEXTS = words(Path(__file__).with_suffix(".toml"))
WORDS = TEXTS["sentence"]
SENTENCE = ("the", "dog", "bit", "the-again", "man")
D_MODEL, MOST_WORDS = 8, 8
TENTH = 10
"""Remaining percentage of a word below which the word counts as drowned."""

NOUNS_SWAPPED = (0, 4, 2, 3, 1)


def sentence_vectors() -> NDArray[np.float64]:
    """Return the word vectors of the sentence in lesson 01; both articles have the same vector."""
    vocabulary = np.random.default_rng(seed=1).uniform(-1, 1, (4, D_MODEL))
    return vocabulary[[0, 1, 2, 0, 3]]


@explorer(TEXTS["word-order"]["title"])
def word_order_explorer() -> Explorer:
    """Show a sentence whose words the reader moves, and its vectors after attention.

    The reader chooses whether positions are added.
    """
    texts = TEXTS["word-order"]
    return Explorer(
        _word_order,
        texts,
        parameters={"positions": checkbox(texts["add"])},
        position=slider(texts["word"], 1, 0, len(SENTENCE) - 1),
        own={"order": [], "text": ""},
    )


def _word_order(positions: bool) -> Scene:
    texts = TEXTS["word-order"]
    named = tuple(WORDS[word] for word in SENTENCE)
    sentence = Sentence(
        words=named,
        vectors=sentence_vectors(),
        positions=sinusoidal_encoding(MOST_WORDS, D_MODEL) * positions,
        bound=1.75 if positions else 1.0,
    )
    panel = Panel(
        box=Box(top=8, bottom=8, before=8, after=8),
        x=Axis(low=-0.5, high=len(named) - 0.5),
        y=Axis(low=0, high=1),
        moving=(sentence,),
        frame=False,
    )
    numbers = {"word": list(named), "place": list(range(len(named))), "change": "0.000"}
    with_or_without = "with" if positions else "without"
    return Scene(
        height=330,
        narrow=300,
        panels=(panel,),
        alt=texts[f"alt-{with_or_without}"].format(sentence=Text.join(" ", list(named))),
        readouts=(Readout(texts["readout"], numbers), Readout(texts[with_or_without])),
        n_positions=len(named),
    )


@explorer(TEXTS["word-share"]["title"])
def word_share_explorer() -> Explorer:
    """Show how little of a word is left after its index has been added."""
    word = np.random.default_rng(0).uniform(-1, 1, 64)
    return Explorer(
        partial(_word_share, word=word),
        TEXTS["word-share"],
        parameters={"n_positions": slider(TEXTS["word-share"]["length"], 20, 20, 600, step=20)},
        position=slider(NAMES["position"], 5, 0, 19),
    )


def _word_share(n_positions: int, *, word: NDArray) -> Scene:
    texts = TEXTS["word-share"]
    table = index_encoding(n_positions, len(word))
    shares = 100 * np.array([word_share(word, row) for row in table])
    own = np.full(n_positions, np.linalg.norm(word))
    lengths = np.stack([own, np.linalg.norm(table, axis=1)], axis=1)
    longest = float(lengths.max())
    positions = np.arange(n_positions)
    curve = Panel(
        box=Box(right=0.62, after=16),
        x=counting(n_positions, NAMES["position"]),
        y=Axis(low=0, high=104, quantity=texts["share"], ticks=round_ticks(0, 100, 5)),
        layers=(Curve(positions, shares, "word"),),
        moving=(Cursor(x=positions), Dots(x=positions, y=shares, color="word")),
        track=True,
    )
    beside = Panel(
        box=Box(left=0.62, before=28, after=16, narrow_row=1),
        x=Axis(
            low=0, high=1.05 * longest, quantity=texts["norm"], ticks=round_ticks(0, longest, 4)
        ),
        y=Axis(low=1.5, high=-0.5, ticks=((0, "w"), (1, "p"))),
        moving=(ValueBars(values=lengths, colors=("word", "position")),),
    )
    first = int(np.argmax(shares < TENTH))
    truth = texts["truth"].format(first=first)
    asked = texts["guess"].format(norm=f"{own[0]:.1f}")
    guess = Guess(question=asked, truth=truth, start=n_positions // 2, answer=first)
    numbers = {
        "i": positions.tolist(),
        "word": f"{own[0]:.2f}",
        "position": [f"{length:.0f}" for length in lengths[:, 1]],
        "share": [f"{share:.2f}" for share in shares],
    }
    return Scene(
        height=340,
        panels=(curve, beside),
        alt=texts["alt"].format(share=f"{shares[-1]:.2f}", last=n_positions - 1),
        readouts=(Readout(texts["readout"], numbers),),
        n_positions=n_positions,
        guess=guess,
    )
