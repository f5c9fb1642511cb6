"""Explorer of a sentence that three models read from any starting position on a ruler."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...notebook.display import Shown, png
from ...pictures.scenes import as_data
from ...text_model import TRAINED_LENGTH, read
from ...words.encoding_names import ENCODING_NAMES
from ...words.text import LANGUAGES, SHOWN, Text, words
from ..base import DIST, explorer, still, style
from ..reading.reading import OWN_TEXTS, known_of, left_out, readable
from ..reading.text_model_explorer import STYLES, TextModelExplorer

__all__ = ["ruler_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
ENCODINGS = ("learned", "sinusoidal", "rope")
STARTS = (0, 1000)
"""Positions of the first letter in the stored picture."""


class RulerExplorer(TextModelExplorer):
    """A sentence in three rows and the ruler below it.

    The traits follow the reader's choices: ``start``, the position of the first letter, and
    ``text`` (empty for the sample).
    """

    module = "ruler"
    style = style(*STYLES, "ruler/ruler.css")
    _esm = DIST / "ruler.js"
    _css = style

    encodings = traitlets.List([*ENCODINGS]).tag(sync=True)
    start = traitlets.Int(0).tag(sync=True)

    def __init__(self, text: str | None) -> None:
        samples = {each: text or TEXTS["sentence"][each] for each in SHOWN}
        first = {"text": samples[SHOWN[0]], "stretch": None, "start": 0}
        super().__init__(
            first_answers=[self.answer_to({**first, "encoding": each}) for each in ENCODINGS],
            samples=samples,
            longest=TRAINED_LENGTH,
            words=as_data(
                {name: text for name, text in TEXTS.items() if name not in ("sentence", "stored")}
                | {"encodings": {each: ENCODING_NAMES[each] for each in ENCODINGS}}
            ),
        )

    def answer_to(self, request: dict[str, object]) -> dict[str, object]:
        """Return the bits of a sentence that one model reads from a starting position."""
        encoding, start = request["encoding"], request["start"]
        bits = bits_from(request["text"], encoding, start)
        text = known_of(request["text"])[:TRAINED_LENGTH]
        n_read = max(0, TRAINED_LENGTH - start) if encoding == "learned" else None
        return {
            "request": {name: each for name, each in request.items() if name != "number"},
            "text": text,
            "left_out": left_out(request["text"]),
            "n_read": len(text[:n_read]),
            "buffers": [bits.astype("<f4").tobytes()],
        }

    def as_shown(self) -> Shown:
        """Return the rows at position 0 and far beyond the training length."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures.reading_pictures import texts_at_starts

        samples = self.samples
        pictures, sentences = {}, {}
        for language in LANGUAGES:
            text = self.text or samples.get(language, samples[SHOWN[0]])
            bits = {start: [bits_from(text, each, start) for each in ENCODINGS] for start in STARTS}
            names = [ENCODING_NAMES[each][language] for each in ENCODINGS]
            if language in SHOWN:
                shown = known_of(text)[:TRAINED_LENGTH]
                pictures[language] = png(texts_at_starts(names, shown, bits))
            sentences[language] = _sentence(bits)[language]
        first, second = STARTS
        alt = TEXTS["stored"]["alt"].format(first=first, second=second)
        caption = TEXTS["question"] + TEXTS["caption"]
        sentence = Text(*sentences.values()).blocks()
        return still(pictures, alt, caption, f'<div class="{OWN_TEXTS}">{sentence}</div>')


@explorer(TEXTS["question"])
def ruler_explorer(text: str | None = None) -> RulerExplorer:
    """Show a sentence that begins at any position from 0 to 100,000, as three models read it.

    Args:
        text: the sentence; by default, a plain sentence in the shown language.

    Raises:
        ValueError: the text has fewer than 2 characters that the models know, or more than 64.
    """
    return RulerExplorer(None if text is None else readable(text, TRAINED_LENGTH))


def bits_from(text: str, encoding: str, start: int) -> NDArray:
    """Return the surprise in bits at each character except the first, which is at ``start``.

    The learned encoding has no vectors beyond the training length, so it stops there.
    """
    text = known_of(text)[:TRAINED_LENGTH]
    if encoding == "learned":
        text = text[: max(0, TRAINED_LENGTH - start)]
    return read(text, encoding, start=start).bits if text else np.zeros(0)


def _sentence(bits: dict[int, list[NDArray]]) -> Text:
    first, second = STARTS
    costs = []
    for encoding, usual, now in zip(ENCODINGS, bits[first], bits[second], strict=True):
        moved = f"{now.mean():.1f}" if len(now) else TEXTS["stored"]["nothing"]
        numbers = {"usual": f"{usual.mean():.1f}", "now": moved, "name": ENCODING_NAMES[encoding]}
        costs.append(TEXTS["stored"]["costs"].format(first=first, second=second, **numbers))
    return Text.join("; ", costs).map(lambda text: f"{text}.")
