"""Explorers of the character model: a text coloured by surprise, and a head at work.

They have their own view, ``reading.js``, in which a reader can type. In a notebook, the numbers
come from ``text_model``; a page without a kernel gets them from ``text_model.js``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import traitlets
from numpy.typing import NDArray

from ... import text_model
from ...notebook.display import Shown, png
from ...pictures.scenes import as_data
from ...refusals import quoted
from ...text_model import (
    CHARACTERS,
    ENCODINGS,
    STRETCHES,
    TRAINED_LENGTH,
    Reading,
    held_out_texts,
    measured_curve,
    plain,
    read,
    shares_before,
)
from ...words.encoding_names import ENCODING_NAMES
from ...words.text import LANGUAGES, SHOWN, Text, words
from ..base import DIST, explorer, still, style, view_texts
from .text_model_explorer import STYLES, TextModelExplorer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["head_explorer", "reading_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
LONGEST = 256
"""Largest number of characters shown, four times the training length."""

FACTOR = LONGEST / TRAINED_LENGTH
"""The factor by which RoPE is stretched at any length, to make the cost of stretching visible."""

N_LIKELIEST = 3
LOOKING_BACK = {"learned": (0, 1), "sinusoidal": (0, 3), "alibi": (1, 0), "rope": (1, 1)}
"""Layer and head that ``text_model.head_looking_back`` finds; the search takes seconds.

Without positions, no head gives even a quarter of its attention to the previous character.
"""
OWN_TEXTS = "course-own-texts"
"""The class of sentences with different numbers in each language, because the texts differ."""

SAMPLE = {"reading": LONGEST, "head": 192}
"""Length of the initial text, which is shorter with a map, so that the map fits on a phone."""


class Lane(NamedTuple):
    """A model that reads a text: its encoding and, for RoPE, the stretching method."""

    encoding: str
    stretch: str | None = None


class ReadingExplorer(TextModelExplorer):
    """A text that a model reads, with the reader's options.

    Args:
        kind: "reading" or "head", as in the view.
        lanes: the models that read the text.
        text: the initial text; by default, a text that no model was trained on, in the shown
            language. A reader can type another text.
        position: the position of the cursor, counted from 0.

    The traits follow the reader's choices: ``text`` (empty for the sample), ``lanes``, ``length``
    (None for the whole text), ``position`` and ``head`` (layer and head, None for the head that
    looks back).
    """

    module = "reading"
    style = style(*STYLES)
    _esm = DIST / "reading.js"
    _css = style

    kind = traitlets.Unicode().tag(sync=True)
    lanes = traitlets.List().tag(sync=True)
    position = traitlets.Int().tag(sync=True)
    length = traitlets.Int(None, allow_none=True).tag(sync=True)
    head = traitlets.List(default_value=None, allow_none=True).tag(sync=True)
    looking_back = traitlets.Dict(LOOKING_BACK).tag(sync=True)
    means = traitlets.Dict().tag(sync=True)

    def __init__(self, kind: str, lanes: list[Lane], text: str | None, position: int) -> None:
        if text is None:
            samples = {each: sample(each, SAMPLE[kind]) for each in as_data(TEXTS["view"]["play"])}
        else:
            samples = dict.fromkeys(as_data(TEXTS["view"]["play"]), readable(text))
        first = samples[SHOWN[0]]
        super().__init__(
            kind=kind,
            lanes=[lane._asdict() for lane in lanes],
            samples=samples,
            first_answers=[answer(kind, first, *lane) for lane in lanes],
            position=position,
            longest=LONGEST,
            means=means() if kind == "reading" else {},
            words=view_texts(
                {**TEXTS, "question": TEXTS["question"][kind], "caption": TEXTS["caption"][kind]},
                encodings={each: ENCODING_NAMES[each] for each in ENCODINGS},
                stretches=TEXTS["stretches"],
            ),
        )

    @property
    def models(self) -> list[Lane]:
        """The models that currently read the text."""
        return [Lane(each["encoding"], _stretch(**each)) for each in self.lanes]

    def answer_to(self, request: dict[str, object]) -> dict[str, object]:
        """Return the answer to a request from the view."""
        return answer(self.kind, request["text"], request["encoding"], request["stretch"])

    def as_shown(self) -> Shown:
        """Return the current state of the explorer, for readers without a kernel."""
        samples = self.samples
        first = next(iter(samples.values()))
        texts = {each: self.text or samples.get(each, first) for each in LANGUAGES}
        stills = {each: self._still(text) for each, text in texts.items()}
        pictures = {each: png(stills[each][0]) for each in samples}
        sentence = Text(*(stills[each][1][each] for each in LANGUAGES))
        alt = stills[next(iter(samples))][2]
        caption = TEXTS["question"][self.kind] + TEXTS["caption"][self.kind]
        return still(pictures, alt, caption, f'<div class="{OWN_TEXTS}">{sentence.blocks()}</div>')

    def _still(self, text: str) -> tuple[Figure, Text, Text]:
        """Return a static image of what the view shows, a sentence about it, and its alt text."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures import reading_pictures

        readings = [read_for_view(text, *lane) for lane in self.models]
        if self.kind == "head":
            ((reading, _),) = readings
            layer, head = self.head or LOOKING_BACK.get(self.models[0].encoding, (0, 0))
            alt = TEXTS["stored"]["alt-head"].format(
                encoding=_name(self.models[0]), layer=layer + 1, head=head + 1
            )
            figure = reading_pictures.attention_map(reading.attention[layer, head])
            return figure, _sentence_on_head(reading, layer, head), alt
        read_texts = [(known, reading.bits) for reading, known in readings]
        sentences = [
            _sentence_on_bits(lane, bits)
            for lane, (_, bits) in zip(self.models, read_texts, strict=True)
        ]
        names = dict(zip(("encoding", "other"), map(_name, self.models), strict=False))
        alt = TEXTS["stored"][f"alt-{self.kind}"].format(**names)
        return reading_pictures.coloured_texts(read_texts), Text.join(" ", sentences), alt


@explorer(TEXTS["question"]["reading"])
def reading_explorer(
    text: str | None = None, *, encoding: str = "rope", stretch: str | None = None
) -> ReadingExplorer:
    """Show a text coloured by surprise, with a line at the training length.

    Args:
        text: the text to read; by default, a passage of the course that the models never saw.
        encoding: one of none, learned, sinusoidal, alibi and rope.
        stretch: for rope, one of interpolation, ntk and yarn.

    Raises:
        ValueError: the text has fewer than 2 characters that the models know, or more than 256; or
            the encoding or stretch does not exist.
    """
    return ReadingExplorer("reading", [_lane(encoding, stretch)], text, position=66)


@explorer(TEXTS["question"]["head"])
def head_explorer(
    text: str | None = None, *, encoding: str = "rope", stretch: str | None = None
) -> ReadingExplorer:
    """Show the attention map of a head, and what the character at the cursor attends to.

    The head that looks back was found by measurement. The arguments are the same as for
    :func:`reading_explorer`.
    """
    return ReadingExplorer("head", [_lane(encoding, stretch)], text, position=42)


def answer(kind: str, text: str, encoding: str, stretch: str | None) -> dict[str, object]:
    """Return the answer to a request from the view, as lists and bytes for ``reading.js``."""
    reading, known = read_for_view(text, encoding, stretch)
    likeliest = np.argsort(-reading.probabilities, axis=1)[:, :N_LIKELIEST]
    chances = np.take_along_axis(reading.probabilities, likeliest, axis=1)
    n_layers, n_heads, n_read, _ = reading.attention.shape
    buffers = [reading.bits.astype("<f4").tobytes(), chances.astype("<f4").tobytes()]
    if kind == "head":
        below = reading.attention[:, :, *np.tril_indices(n_read)]
        buffers.append(np.round(255 * below).astype("u1").tobytes())
    return {
        "text": known,
        "requested_text": text,
        "encoding": encoding,
        "stretch": stretch,
        "left_out": left_out(text),
        "n_read": n_read,
        "n_layers": n_layers,
        "n_heads": n_heads,
        "likeliest": "".join(CHARACTERS[index] for index in likeliest.ravel()),
        "buffers": buffers,
    }


def sample(language: str, length: int) -> str:
    """Return whole words from the start of a passage that no model was trained on.

    For a language unknown to the models, the passage is in their first language.
    """
    known = language if language in text_model.LANGUAGES else text_model.LANGUAGES[0]
    return held_out_texts(known)[0][: length + 1].rsplit(" ", 1)[0]


def read_for_view(text: str, encoding: str, stretch: str | None) -> tuple[Reading, str]:
    """Return a model's reading of a text, and the text without unknown characters.

    The learned encoding reads only the first 64 characters.
    """
    known = known_of(text)
    beginning = known[:TRAINED_LENGTH] if encoding == "learned" else known
    return read(beginning, encoding, stretch, factor=FACTOR if stretch else None), known


def known_of(text: str) -> str:
    """Return the part of a text that the models know, up to the length that is shown."""
    # Spaces around omitted characters become one space.
    return plain("".join(each for each in plain(text) if each in CHARACTERS))[:LONGEST]


def left_out(text: str) -> list[str]:
    """Return the characters of a text that the models do not know, without repetition."""
    return [each for each in dict.fromkeys(plain(text)) if each not in CHARACTERS]


def means() -> dict[str, dict[str, list[float]]]:
    """Return the mean bits per character in each block of 16 along texts of 256 characters.

    ``means()["rope"]["en"]`` holds the values for one encoding (or stretch) in one language.
    """
    curves = {}
    for encoding in ENCODINGS:
        if encoding == "learned":  # cannot read texts of 256 characters
            continue
        for stretch in (None, *(STRETCHES if encoding == "rope" else ())):
            curves[stretch or encoding] = {
                language: measured_curve(encoding, language, stretch, length=LONGEST).tolist()
                for language in text_model.LANGUAGES
            }
    return curves


def _lane(encoding: str, stretch: str | None) -> Lane:
    read("as", encoding, stretch)  # rejects unknown names
    return Lane(encoding, stretch)


def _stretch(encoding: str, stretch: str | None) -> str | None:
    """Return the stretch for RoPE, or None; the view keeps it while another encoding is chosen."""
    return stretch if encoding == "rope" and stretch != "trained" else None


def readable(text: str, longest: int = LONGEST) -> str:
    """Return the text if the models can read it and it is short enough to be shown."""
    read(text, "none")  # rejects values that are not texts or have no known characters
    n_known = sum(each in CHARACTERS for each in plain(text))
    if not 2 <= n_known <= longest:
        raise ValueError(
            f"text must have 2 to {longest} characters that the models know; got {quoted(n_known)}."
        )
    return text


def _name(lane: Lane) -> Text:
    encoding = ENCODING_NAMES[lane.encoding]
    if lane.stretch is None:
        return encoding
    return TEXTS["stored"]["stretched"].format(
        encoding=encoding, stretch=TEXTS["stretches"][lane.stretch]
    )


def _sentence_on_bits(lane: Lane, bits: NDArray[np.float64]) -> Text:
    before, beyond = np.split(bits, [TRAINED_LENGTH - 1])
    numbers = {"before": f"{before.mean():.1f}"}
    if len(beyond):
        numbers["beyond"] = f"{beyond.mean():.1f}"
    template = TEXTS["stored"]["bits" if len(beyond) else "bits-short"]
    return template.format(encoding=_name(lane), **numbers)


def _sentence_on_head(reading: Reading, layer: int, head: int) -> Text:
    attention = reading.attention[layer : layer + 1, head : head + 1]
    before = shares_before(attention[..., :TRAINED_LENGTH, :TRAINED_LENGTH]).item()
    numbers = {"before": f"{before:.0%}"}
    is_long = attention.shape[-1] > TRAINED_LENGTH
    if is_long:
        numbers["beyond"] = f"{shares_before(attention, TRAINED_LENGTH).item():.0%}"
    return TEXTS["stored"]["share" if is_long else "share-short"].format(**numbers)
