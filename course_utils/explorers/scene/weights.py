"""An explorer of attention weights: how much each word in a sentence attends to every word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...attention import softmax
from ...encodings import sinusoidal_encoding
from ...pictures.scenes import Axis, Box, Cursor, Labels, Map, Panel, Readout, Scene
from ...words.text import Text, words
from ..base import explorer
from .controls import checkbox, slider
from .explorer import Explorer
from .sentences import D_MODEL, NOUNS_SWAPPED, SENTENCE, WORDS, sentence_vectors

TEXTS = words(Path(__file__).with_suffix(".toml"))
N_WORDS = len(SENTENCE)
SPOKEN = tuple(WORDS[word] for word in SENTENCE)
DARKEST = 1.4
"""The value with the darkest colour: twice the largest weight, to keep all numbers readable."""


@explorer(TEXTS["title"])
def attention_weights_explorer() -> Explorer:
    """Show attention weights as a table; the reader swaps nouns and adds positions."""
    return Explorer(
        _attention_weights,
        TEXTS,
        parameters={"swapped": checkbox(TEXTS["swap"]), "positions": checkbox(TEXTS["add"])},
        position=slider(TEXTS["word"], 1, 0, N_WORDS - 1),
    )


def _attention_weights(swapped: bool, positions: bool) -> Scene:
    order = np.array(NOUNS_SWAPPED) if swapped else np.arange(N_WORDS)
    places = np.argsort(order)  # the position of each word of the original sentence
    vectors = sentence_vectors()[order] + positions * sinusoidal_encoding(N_WORDS, D_MODEL)
    weights = softmax(vectors @ vectors.T / np.sqrt(D_MODEL))
    named = [WORDS[word] for word in SENTENCE]
    by_word = [_listed(named, row) for row in weights[np.ix_(places, places)]]
    return Scene(
        height=414,
        narrow=360,
        panels=(_table(weights, order, places),),
        alt=TEXTS["alt-with" if positions else "alt-without"].format(
            sentence=Text.join(" ", [named[i] for i in order]),
            low=f"{weights.min():.2f}",
            high=f"{weights.max():.2f}",
        ),
        readouts=(
            Readout(
                TEXTS["readout"], {"word": named, "place": places.tolist(), "weights": by_word}
            ),
        ),
        n_positions=N_WORDS,
    )


def _listed(named: list[Text], weights: NDArray) -> Text:
    """List each word with its weight, always in the original order of the words."""
    pairs = zip(named, weights, strict=True)
    return Text.join(", ", [name.map(lambda text, w=w: f"{text} {w:.2f}") for name, w in pairs])


def _table(weights: NDArray, order: NDArray, places: NDArray) -> Panel:
    """Return a panel with a row of weights for each query word, and a frame around one row."""
    named = tuple(WORDS[SENTENCE[i]] for i in order)
    whole = tuple(float(place) for place in range(N_WORDS))
    numbers = Labels(
        x=whole * N_WORDS,
        y=tuple(float(row) for row in np.repeat(range(N_WORDS), N_WORDS)),
        texts=tuple(f"{weight:.2f}" for weight in weights.flat),
        keys=tuple(f"weight {i} {j}" for i in order for j in order),
    )
    looking = Labels(
        x=(-0.53,) * N_WORDS,
        y=whole,
        texts=named,
        colors=("word",) * N_WORDS,
        keys=tuple(f"looks {i}" for i in order),
        before=True,
    )
    looked_at = Labels(
        x=whole,
        y=(N_WORDS + 0.02,) * N_WORDS,
        texts=named,
        colors=("word",) * N_WORDS,
        keys=tuple(f"word {i}" for i in order),
    )
    ends = {"low": -0.5, "high": N_WORDS - 0.5}
    return Panel(
        box=Box(right=0.78, bottom=66, before=72, after=12),
        x=Axis(**ends, quantity=TEXTS["looked-at"]),
        y=Axis(
            low=ends["high"],
            high=ends["low"],
            quantity=TEXTS["looks"],
        ),
        layers=(Map(weights, 0, DARKEST, "from zero"), numbers, looking, looked_at),
        moving=(Cursor(x=places, framed=True, lying=True, names=SPOKEN),),
        track=True,
    )
