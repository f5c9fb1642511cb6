"""The explorer of three heads that learn live; the browser computes everything.

``learning_head.js`` is a port of ``course_utils/training.py``, which computes the picture stored in
a notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...notebook.display import Shown, drawn
from ...refusals import quoted, whole_number
from ...training import ENCODINGS, LearningHead, RandomNumbers, draw_texts
from ...words.encoding_names import ENCODING_NAMES
from ...words.text import LANGUAGES, Text, words
from ..base import DIST, FRAMED, ExplorerWidget, explorer, still, style, view_texts

__all__ = ["training_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
STYLE = style(*FRAMED, "training/training.css")
RUN = 200
"""Number of steps after which the explorer stops, also used for the stored picture."""

MAX_STEPS_BACK = 3
N_TEST_TEXTS, TEST_SEED = 8, 2**20
"""Number and seed of the test texts, on which no head is trained."""


class TrainingExplorer(ExplorerWidget):
    """Three heads, their encodings, and how far back they look."""

    module = "training"
    style = STYLE
    _esm = DIST / "training.js"
    _css = style

    encodings = traitlets.List().tag(sync=True)
    steps_back = traitlets.Int(1).tag(sync=True)
    seed = traitlets.Int(1).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, encodings: Sequence[str], steps_back: int, seed: int) -> None:
        super().__init__(
            encodings=[*encodings],
            steps_back=steps_back,
            seed=seed,
            words=view_texts(TEXTS, encodings={each: ENCODING_NAMES[each] for each in ENCODINGS}),
        )

    def as_shown(self) -> Shown:
        """Return the three heads after a run, for readers without a kernel."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures import training_pictures

        losses, attention, shares = _run(tuple(self.encodings), self.steps_back, self.seed)
        names = [ENCODING_NAMES[each] for each in self.encodings]
        shares_by_name = [
            Text.join(" ", [name, Text(*[f"{share:.0%}"] * len(LANGUAGES))])
            for name, share in zip(names, shares, strict=True)
        ]
        alt = TEXTS["stored"]["alt"].format(steps=RUN, shares=Text.join(", ", shares_by_name))
        pictures = drawn(training_pictures.three_heads, names, attention, losses)
        caption = TEXTS["question"] + TEXTS["caption"]
        return still(pictures, alt, caption)


@explorer(TEXTS["question"])
def training_explorer(*encodings: str, steps_back: int = 1, seed: int = 1) -> TrainingExplorer:
    """Let three heads learn to name an earlier symbol, and try them on longer texts.

    Args:
        encodings: three of none, sinusoidal and rope; by default, one of each.
        steps_back: the distance to this earlier symbol, from 1 to 3.
        seed: the seed of the initial weights and of the texts.

    Raises:
        ValueError: there are not three encodings, an encoding does not exist, or the number of
            steps is out of range.
    """
    encodings = encodings or ENCODINGS
    if len(encodings) != 3 or not {*encodings} <= {*ENCODINGS}:
        raise ValueError(
            f"encodings must be three of {', '.join(ENCODINGS)}; got {quoted(encodings)}."
        )
    if whole_number("steps_back", steps_back) > MAX_STEPS_BACK:
        raise ValueError(f"steps_back must be at most {MAX_STEPS_BACK}; got {quoted(steps_back)}.")
    return TrainingExplorer(encodings, steps_back, whole_number("seed", seed))


@cache
def _run(
    encodings: tuple[str, ...], steps_back: int, seed: int
) -> tuple[NDArray, NDArray, NDArray]:
    """Return the losses of each head, its attention on the first text, and its accuracy."""
    heads = [LearningHead(each, steps_back=steps_back, seed=seed) for each in encodings]
    losses = np.array([head.train(RUN) for head in heads])
    # The view also reads longer texts, of which these are the first positions.
    texts = draw_texts(RandomNumbers(TEST_SEED), N_TEST_TEXTS, 128)[:, : heads[0].length]
    attention = np.array([head.read(texts[:1])[0][0] for head in heads])
    return losses, attention, np.array([head.found(texts).mean() for head in heads])
