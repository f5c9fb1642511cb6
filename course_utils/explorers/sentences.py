"""Explorers of words and their places: a sentence in any order, and a word beside its index."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..attention import self_attention
from ..encodings import index_encoding, sinusoidal_encoding
from ..pictures.panels import MAP_BOX, counting, map_panels, round_ticks
from ..pictures.scenes import (
    Axis,
    Bars,
    Box,
    Cursor,
    Curve,
    Dots,
    Guess,
    Labels,
    Map,
    Panel,
    Readout,
    Scene,
    ValueBars,
)
from ..properties import word_share
from ..words.text import Text, words
from .controls import NAMES, checkbox, slider
from .explorer import Explorer, Play

SAID = words(Path(__file__).with_name("sentences.toml"))
WORDS = SAID["sentence"]
SENTENCE = ("the", "dog", "chased", "the-again", "cat")
WORD_COLORS = ("slate", "word", "green", "olive", "purple")
D_MODEL = 8
TENTH = 10  # per cent
NOUNS_SWAPPED = (0, 4, 2, 3, 1)
ORDERS = [
    np.arange(len(SENTENCE)),
    np.array(NOUNS_SWAPPED),
    *(np.random.default_rng(seed).permutation(len(SENTENCE)) for seed in range(2, 21)),
]


def sentence_vectors() -> NDArray[np.float64]:
    """The words of the sentence as lesson 01 draws them; both articles have the same vector."""
    vocabulary = np.random.default_rng(seed=1).uniform(-1, 1, (4, D_MODEL))
    return vocabulary[[0, 1, 2, 0, 3]]


def word_order_explorer() -> Explorer:
    """A sentence in any order through self-attention, with and without positions."""
    said = SAID["word-order"]
    return Explorer(
        _word_order,
        said,
        parameters={
            "shuffle": slider(said["shuffle"], 0, 0, len(ORDERS) - 1),
            "positions": checkbox(said["add"]),
        },
        position=slider(said["word"], 1, 0, len(SENTENCE) - 1),
        play=Play("shuffle", per_second=0.7),
    )


def _word_order(shuffle: int, positions: bool) -> Scene:
    said = SAID["word-order"]
    order = ORDERS[shuffle]
    word_vectors = sentence_vectors()
    added = sinusoidal_encoding(len(order), D_MODEL) * positions
    before = self_attention(word_vectors + added)
    after = self_attention(word_vectors[order] + added)
    changes = np.linalg.norm(after - before[order], axis=1)
    places = np.argsort(order)  # of each word of the original sentence
    named = [WORDS[word] for word in SENTENCE]
    return Scene(
        height=466,
        narrow=400,
        panels=_word_panels(after, changes, order, places, bound=1.75 if positions else 1.0),
        alt=said["alt-with" if positions else "alt-without"].format(
            sentence=Text.join(" ", [named[i] for i in order]), largest=f"{changes.max():.3f}"
        ),
        readouts=(
            Readout(
                said["readout"],
                {
                    "word": named,
                    "place": places.tolist(),
                    "change": [f"{changes[place]:.3f}" for place in places],
                },
            ),
        ),
        n_positions=len(order),
    )


def _word_panels(
    vectors: NDArray, changes: NDArray, order: NDArray, places: NDArray, bound: float
) -> tuple[Panel, ...]:
    """The vectors as columns over their words, and how far each has changed below."""
    said = SAID["word-order"]
    heat, scale = map_panels(
        Map(vectors.T, -bound, bound),
        x=NAMES["position"],
        y=NAMES["dimension"],
        box=replace(MAP_BOX, lower=0.66, bottom=58),
        moving=[Cursor(x=places, framed=True)],
    )
    n_words = len(order)
    columns = tuple(float(place) for place in range(n_words))
    labels = Labels(
        x=columns,
        y=(D_MODEL + 0.35,) * n_words,
        texts=tuple(WORDS[SENTENCE[i]] for i in order),
        colors=tuple(WORD_COLORS[i] for i in order),
        keys=tuple(f"word {i}" for i in order),
    )
    heat = replace(heat, x=Axis(low=-0.5, high=n_words - 0.5), layers=(*heat.layers, labels))
    numbers = Labels(
        x=columns,
        y=tuple(float(change) + 0.22 for change in changes),
        texts=tuple(f"{change:.2f}" for change in changes),
    )
    below = Panel(
        box=replace(MAP_BOX, upper=0.66, top=24),
        x=counting(n_words, NAMES["position"]),
        y=Axis(low=0, high=1.9, quantity=said["change"], ticks=((0, "0"), (1, "1"))),
        layers=(Bars(changes, "grey"), numbers),
        moving=(Cursor(x=places),),
    )
    return heat, scale, below


def word_share_explorer() -> Explorer:
    """How little of a word is left once its bare index has been added to it."""
    word = np.random.default_rng(0).uniform(-1, 1, 64)
    return Explorer(
        partial(_word_share, word=word),
        SAID["word-share"],
        parameters={"n_positions": slider(SAID["word-share"]["length"], 20, 20, 600, step=20)},
        position=slider(NAMES["position"], 5, 0, 19),
    )


def _word_share(n_positions: int, *, word: NDArray) -> Scene:
    said = SAID["word-share"]
    table = index_encoding(n_positions, len(word))
    shares = 100 * np.array([word_share(word, row) for row in table])
    own = np.full(n_positions, np.linalg.norm(word))
    lengths = np.stack([own, np.linalg.norm(table, axis=1)], axis=1)
    longest = float(lengths.max())
    positions = np.arange(n_positions)
    curve = Panel(
        box=Box(right=0.62, after=16),
        x=counting(n_positions, NAMES["position"]),
        y=Axis(low=0, high=104, quantity=said["share"], unit="%", ticks=round_ticks(0, 100, 5)),
        layers=(Curve(positions, shares, "word"),),
        moving=(Cursor(x=positions), Dots(x=positions, y=shares, color="word")),
        track=True,
    )
    beside = Panel(
        box=Box(left=0.62, before=28, after=16, narrow_row=1),
        x=Axis(low=0, high=1.05 * longest, quantity=said["norm"], ticks=round_ticks(0, longest, 4)),
        y=Axis(low=1.5, high=-0.5, ticks=((0, "w"), (1, "p"))),
        moving=(ValueBars(values=lengths, colors=("word", "position")),),
    )
    first = int(np.argmax(shares < TENTH))
    truth = said["truth"].format(first=first)
    guess = Guess(question=said["guess"], truth=truth, start=n_positions // 2, answer=first)
    numbers = {
        "i": positions.tolist(),
        "word": f"{own[0]:.2f}",
        "position": [f"{length:.0f}" for length in lengths[:, 1]],
        "share": [f"{share:.2f}" for share in shares],
    }
    return Scene(
        height=340,
        panels=(curve, beside),
        alt=said["alt"].format(share=f"{shares[-1]:.2f}", last=n_positions - 1),
        readouts=(Readout(said["readout"], numbers),),
        n_positions=n_positions,
        guess=guess,
    )
