"""The positions of a model, as its configuration states them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["LayerPositions", "ModelPositions"]

SCHEMES = ("none", "sinusoidal", "learned", "t5", "alibi", "rope")
"""The schemes that a layer can have."""


@dataclass(frozen=True, eq=False)
class LayerPositions:
    """The positions in all layers of one kind.

    Attributes:
        layer_type: the name of the kind, such as ``"full_attention"`` or ``"encoder"``.
        layers: the numbers of the layers of this kind, from 0.
        scheme: one of ``SCHEMES``.
        head_dim: the width of a head, in dimensions; 0 for layers of a model without heads.
        frequencies: angular frequencies in radians per position, one for each pair; empty unless
            the scheme is ``"rope"`` or ``"sinusoidal"``. A frequency of 0 belongs to a pair that
            does not turn.
        attention_scaling: the factor by which RoPE's cosines and sines are multiplied.
        score_scaling: a factor on all scores in addition, as in DeepSeek-V3.
        query_growth: the factor of the logarithm by which queries grow with their position, as in
            Llama 4's layers without positions; 0 if they do not.
        query_growth_length: the number of positions between two steps of that growth, or None.
        base: the base of the frequencies, or None.
        rope_type: the rule for the frequencies, such as ``"yarn"``, or ``""``.
        training_length: the number of positions before any stretching, or None if unknown. It is
            the original length that a stretching rule states, else
            ``max_position_embeddings``. Some models, such as Gemma 3, saw this length only in the
            last part of their training.
        window: the number of last positions that a query sees, itself included, or None for all.
        chunk: the length of the chunks that do not see each other, or None.
        mrope_section: the pairs that count time, height and width in images, or ``()``.
        offset: the row of a learned table that position 0 uses.
        n_buckets: the number of T5's buckets, or None.
        max_distance: the distance at which T5's last bucket begins, or None.
        alibi_max_bias: the number whose negative is the exponent of ALiBi's smallest slope, or
            None.
    """

    layer_type: str
    layers: tuple[int, ...]
    scheme: str
    head_dim: int
    frequencies: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    attention_scaling: float = 1.0
    score_scaling: float = 1.0
    query_growth: float = 0.0
    query_growth_length: int | None = None
    base: float | None = None
    rope_type: str = ""
    training_length: int | None = None
    window: int | None = None
    chunk: int | None = None
    mrope_section: tuple[int, ...] = ()
    offset: int = 0
    n_buckets: int | None = None
    max_distance: int | None = None
    alibi_max_bias: float | None = None

    def __post_init__(self) -> None:
        self.frequencies.flags.writeable = False

    @property
    def n_layers(self) -> int:
        """The number of layers of this kind."""
        return len(self.layers)

    @property
    def rotated_dimensions(self) -> int:
        """The number of a head's dimensions that RoPE turns."""
        return 2 * int((self.frequencies > 0).sum()) if self.scheme == "rope" else 0

    @property
    def turns(self) -> NDArray[np.float64]:
        """The full turns of each pair within the training length, of shape ``(n_pairs,)``."""
        if self.training_length is None:
            raise ValueError("turns need a training length, and the configuration states none.")
        return self.frequencies * self.training_length / (2 * np.pi)


@dataclass(frozen=True)
class ModelPositions:
    """The positions of a whole model: one entry for each kind of layer, in order of appearance."""

    model_type: str
    max_length: int | None
    kinds: tuple[LayerPositions, ...]

    @property
    def n_layers(self) -> int:
        """The number of layers of all kinds."""
        return sum(kind.n_layers for kind in self.kinds)

    def of_layer(self, layer: int) -> LayerPositions:
        """Return the positions of a layer, counted from 0; a decoder follows its encoder."""
        for kind in self.kinds:
            if layer in kind.layers:
                return kind
        raise ValueError(f"layer must be from 0 to {self.n_layers - 1}; got {layer!r}.")
