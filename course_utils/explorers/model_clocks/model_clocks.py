"""The explorer of a model's clocks: a released model, or a configuration that the reader pastes.

``configuration.js`` and ``rotary_rules.js`` follow the rules of ``course_utils/configurations``
and receive its families and names. No data are sent over the network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
import traitlets
from numpy.typing import NDArray

from ...configurations import LayerPositions, read_configuration, released_model, released_models
from ...configurations.families import FAMILIES, Family
from ...configurations.layers import LAYER_TYPES
from ...configurations.rope import ALWAYS, KEYS, OTHER_NAMES
from ...configurations.settings import (
    ABOUT_POSITIONS,
    LARGEST,
    NAMES,
    OTHER_PART,
    TEXT_PARTS,
    UNRELATED,
    mapping_from,
)
from ...encodings import angular_frequencies
from ...notebook.display import Shown, drawn
from ...pictures.scenes import as_data
from ...refusals import one_of, quoted, whole_number
from ...text_model import TRAINED_LENGTH, held_out_texts, read
from ...words.text import LANGUAGES, Text, words
from ..base import DIST, ExplorerWidget, explorer, still, style
from ..reading.text_model_explorer import STYLES

__all__ = ["model_clocks_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
LENGTHS = (1000, 10_000_000)
"""The shortest and the longest text, in tokens."""

WAYS = tuple(TEXTS["ways"])
"""The ways of reading a long text, one for each button."""

PASTED = "pasted"


class ModelClocksExplorer(ExplorerWidget):
    """The clocks of a model, and the turns that they make in a text of the chosen length.

    The traits follow the reader's choices: ``chosen`` and ``second`` (each the id of a released
    model or ``"pasted"``; ``second`` may also be ``""``), ``length`` in tokens, ``way`` and
    ``pasted`` (JSON).
    """

    module = "model_clocks"
    style = style(*STYLES, "model_clocks/model_clocks.css")
    _esm = DIST / "model_clocks.js"
    _css = style

    chosen = traitlets.Unicode("llama-3.1-8b").tag(sync=True)
    second = traitlets.Unicode("").tag(sync=True)
    length = traitlets.Int(32_000).tag(sync=True)
    way = traitlets.Unicode("configured").tag(sync=True)
    pasted = traitlets.Unicode("").tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, **chosen: object) -> None:
        texts = as_data({name: text for name, text in TEXTS.items() if name != "stored"})
        super().__init__(words=texts, **chosen)

    @classmethod
    def shared_settings(cls) -> dict[str, object]:
        """Return the settings, including the released models, known names and measured costs."""
        models = [
            {
                "id": model.id,
                "name": model.name,
                "year": model.year,
                "configuration": dict(model.configuration),
            }
            for model in released_models()
        ]
        return super().shared_settings() | {
            "models": models,
            "known": known_names(),
            "prices": prices(),
        }

    def as_shown(self) -> Shown:
        """Return the clocks of the chosen models, for readers without a kernel."""
        # Only stills need Matplotlib, so a live explorer starts without importing it.
        from ...pictures.model_clocks_pictures import clocks_of_models

        shown = [
            (model.name, _turning_kind(model.configuration))
            for model in map(released_model, filter(None, (self.chosen, self.second)))
            if self.chosen != PASTED
        ]
        shown = [(name, kind) for name, kind in shown if kind is not None]
        sentences = Text.join(" ", [_sentence_on(name, kind, self.length) for name, kind in shown])
        alt = TEXTS["stored"]["alt"].format(sentences=sentences) if shown else sentences
        caption = TEXTS["question"] + TEXTS["caption"]
        clocks = [(name, *clocks_at(kind, self.length)) for name, kind in shown]
        pictures = drawn(clocks_of_models, clocks)
        return still(pictures, alt, caption, sentences.blocks())


@explorer(TEXTS["question"])
def model_clocks_explorer(
    chosen: str | Mapping | Path = "llama-3.1-8b",
    second: str = "",
    *,
    length: int = 32_000,
    way: str = "configured",
) -> ModelClocksExplorer:
    """Show how far the clocks of a model turn, in training and in a longer text.

    Args:
        chosen: the id of a released model, such as ``"gemma-3-4b"``, or a configuration: a mapping
            or the path of a ``config.json``.
        second: the id of a model to show next to it, or ``""``.
        length: the length of the text, from 1,000 to 10 million tokens.
        way: the way to read this text: "configured", "none", "linear", "ntk", "yarn" or "hold".

    Raises:
        ValueError: a model, the length or the way is unknown, or the configuration cannot be read.
    """
    ids = [model.id for model in released_models()]
    pasted = ""
    if not isinstance(chosen, str):
        mapping = mapping_from(chosen)
        read_configuration(mapping)
        chosen, pasted = PASTED, json.dumps(mapping)
    elif chosen not in ids:
        one_of("chosen", chosen, ids)
    if second:
        one_of("second", second, ids)
    one_of("way", way, WAYS)
    if not LENGTHS[0] <= whole_number("length", length) <= LENGTHS[1]:
        raise ValueError(
            f"length must be from {LENGTHS[0]} to {LENGTHS[1]} tokens; got {quoted(length)}."
        )
    return ModelClocksExplorer(chosen=chosen, second=second, length=length, way=way, pasted=pasted)


def known_names() -> dict[str, object]:
    """Return the data about published configurations that ``configuration.js`` needs."""
    usual = Family()
    families = {
        model_type: {
            field.name: value
            for field in fields(family)
            if (value := getattr(family, field.name)) != getattr(usual, field.name)
        }
        for model_type, family in FAMILIES.items()
    }
    return {
        "families": families,
        "names": NAMES,
        "text_parts": TEXT_PARTS,
        "about_positions": ABOUT_POSITIONS.pattern,
        "other_input": OTHER_PART.pattern,
        "unrelated": sorted(UNRELATED),
        "largest": LARGEST,
        "layer_types": LAYER_TYPES,
        "every_rule": ALWAYS,
        "rule_keys": KEYS,
        "other_names": OTHER_NAMES,
    }


@cache
def prices() -> dict[str, str]:
    """Return the cost of each stretching method, in bits per character, within the training length.

    The costs are means over the held-out texts of the character model, which are cut to its
    training length and read as if every text were four times as long. Lesson 11 prints the same
    number for YaRN.
    """
    texts = [text[:TRAINED_LENGTH] for language in LANGUAGES for text in held_out_texts(language)]

    def bits(stretch: str | None, factor: float | None) -> float:
        return float(np.mean([read(text, "rope", stretch, factor=factor).bits for text in texts]))

    plain = bits(None, None)
    stretches = {"linear": "interpolation", "ntk": "ntk", "yarn": "yarn"}
    return {way: f"{bits(stretch, 4) - plain:.2f}" for way, stretch in stretches.items()}


def clocks_at(kind: LayerPositions, length: int) -> tuple[NDArray, NDArray]:
    """Return how many turns each clock makes in training, and in a text read as configured.

    Both arrays, of shape ``(n_clocks,)``, count the turns at the largest distance that a layer of
    this kind compares. The turns in training are computed without stretching.
    """
    furthest = min(kind.window or np.inf, kind.chunk or np.inf)
    plain = angular_frequencies(2 * len(kind.frequencies), base=kind.base)
    is_clock = kind.frequencies > 0
    turns = plain * min(kind.training_length, furthest) / (2 * np.pi)
    reach = kind.frequencies * min(length, furthest) / (2 * np.pi)
    return turns[is_clock], reach[is_clock]


def _turning_kind(configuration: Mapping) -> LayerPositions | None:
    """Return the kind of layer with clocks that looks furthest back, or None if there is none."""
    kinds = [kind for kind in read_configuration(configuration).kinds if kind.rotated_dimensions]
    return max(kinds, key=lambda kind: kind.window or kind.chunk or np.inf, default=None)


def _sentence_on(name: str, kind: LayerPositions, length: int) -> Text:
    turns, reach = clocks_at(kind, length)
    new = (turns < 1) & (reach > turns * (1 + 1e-9))
    return TEXTS["stored"]["new"].format(
        name=name, new=int(new.sum()), n=len(turns), trained=kind.training_length
    )
