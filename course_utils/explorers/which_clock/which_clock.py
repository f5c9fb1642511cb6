"""RoPE's clocks with switches, to find the clock that causes the failure on long texts.

A clock is a pair of RoPE's dimensions. The view, ``which_clock.js``, counts them from 1.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...notebook.display import KEEPS_KEYS, Shown, disclosure, png
from ...pictures.scenes import as_data
from ...stretching import stretched_frequencies
from ...text_model import TRAINED_LENGTH, YARN_LIMITS, header, read, weights
from ...words.text import LANGUAGES, SHOWN, Text, words
from ..base import DIST, explorer, still, style
from ..reading.reading import FACTOR, LONGEST, OWN_TEXTS, known_of, left_out, readable, sample
from ..reading.text_model_explorer import STYLES, TextModelExplorer

__all__ = ["which_clock_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
FURTHEST = TRAINED_LENGTH - 2
"""The largest distance in training, at which clocks are initially held."""


class WhichClockExplorer(TextModelExplorer):
    """The clocks of the character model with RoPE, and a text.

    The traits follow the reader's choices: ``held`` (pairs, counted from 0), ``limit`` (the
    distance at which they are held), ``window``, ``stretch`` and ``text`` (empty for the sample).
    With ``window``, the model ignores keys more than 62 characters back.
    """

    module = "which_clock"
    style = style(*STYLES, "which_clock/which_clock.css")
    _esm = DIST / "which_clock.js"
    _css = style

    encodings = traitlets.List(["rope"]).tag(sync=True)
    held = traitlets.List().tag(sync=True)
    limit = traitlets.Int(FURTHEST).tag(sync=True)
    window = traitlets.Bool(False).tag(sync=True)
    stretch = traitlets.Unicode("trained").tag(sync=True)
    turning = traitlets.Dict().tag(sync=True)

    def __init__(self, text: str | None) -> None:
        samples = {each: text or sample(each, LONGEST) for each in SHOWN}
        usual = {"text": samples[SHOWN[0]], "stretch": None, "held": [], "limit": None}
        super().__init__(
            first_answers=[self.answer_to({**usual, "window": None})],
            samples=samples,
            longest=LONGEST,
            turning={way: turning(way).tolist() for way in as_data(TEXTS["stretches"])},
            words=as_data({name: text for name, text in TEXTS.items() if name != "stored"}),
        )

    def answer_to(self, request: dict[str, object]) -> dict[str, object]:
        """Return the bits of a text that the model reads with some clocks held."""
        text = known_of(request["text"])
        how = {name: request[name] for name in ("stretch", "held", "limit", "window")}
        bits = read(text, "rope", factor=FACTOR if how["stretch"] else None, **how).bits
        return {
            "request": {name: each for name, each in request.items() if name != "number"},
            "text": text,
            "left_out": left_out(request["text"]),
            "n_read": len(text),
            "buffers": [bits.astype("<f4").tobytes()],
        }

    def as_shown(self) -> Shown:
        """Return the text, the clocks as trained, and a disclosure about held clocks."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures.reading_pictures import clocks_above_text

        samples = self.samples
        texts = {
            each: known_of(self.text or samples.get(each, samples[SHOWN[0]])) for each in LANGUAGES
        }
        bits = {each: read(text, "rope").bits for each, text in texts.items()}
        clocks = turning("trained")
        pictures = {each: png(clocks_above_text(clocks, texts[each], bits[each])) for each in SHOWN}
        sentence = Text(*(_sentence(bits[each])[each] for each in LANGUAGES))
        folded = ""
        if min(map(len, texts.values())) > TRAINED_LENGTH:
            alone = Text(*(_sentence_on_each_clock(texts[each])[each] for each in LANGUAGES))
            folded = disclosure(TEXTS["stored"]["each"], alone.blocks(), KEEPS_KEYS)
        shown = f'<div class="{OWN_TEXTS}">{sentence.blocks()}{folded}</div>'
        caption = TEXTS["question"] + TEXTS["caption"]
        alt = TEXTS["stored"]["alt"]
        return still(pictures, alt, caption, shown)


@explorer(TEXTS["question"])
def which_clock_explorer(text: str | None = None) -> WhichClockExplorer:
    """Show the character model's clocks; hold one to see if the model reads beyond 64 characters.

    Args:
        text: the text to read; by default, a passage the model never saw.

    Raises:
        ValueError: the text has fewer than 2 characters that the model knows, or more than 256.
    """
    return WhichClockExplorer(None if text is None else readable(text))


def turning(way: str) -> NDArray[np.float64]:
    """Return the angle of each clock from one character to the next, in radians.

    ``way`` is "trained" or one of ``text_model.STRETCHES``.
    """
    d_head = weights("rope")["0.queries"].shape[1] // header("rope")["n_heads"]
    return stretched_frequencies(way, d_head, FACTOR, TRAINED_LENGTH, limits=YARN_LIMITS)


def _sentence(bits: NDArray) -> Text:
    """Return a sentence about the bits of a text with all clocks turning."""
    inside, beyond = np.split(bits, [TRAINED_LENGTH - 1])
    if not len(beyond):
        return TEXTS["readouts"]["short"].format(inside=f"{inside.mean():.1f}")
    numbers = {"inside": f"{inside.mean():.1f}", "before": f"{beyond.mean():.1f}"}
    return TEXTS["readouts"]["usual"].format(**numbers)


def _sentence_on_each_clock(text: str) -> Text:
    """Return a sentence about the bits beyond the training length with each clock held alone."""
    bits_of_clocks = [
        read(text, "rope", held=(pair,)).bits[TRAINED_LENGTH - 1 :].mean()
        for pair in range(len(turning("trained")))
    ]
    return Text.join(
        "; ",
        [
            TEXTS["stored"]["alone"].format(number=number, bits=f"{bits:.1f}")
            for number, bits in enumerate(bits_of_clocks, 1)
        ],
    )
