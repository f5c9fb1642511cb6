"""Positional settings of a model and its layers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["LayerPositions", "ModelPositions"]

SCHEMES = ("none", "sinusoidal", "learned", "t5", "alibi", "rope")
"""Positional schemes of layers."""


@dataclass(frozen=True, eq=False)
class LayerPositions:
    """Positional settings of all layers of one kind.

    Attributes:
        layer_type: Name of the kind, such as ``"full_attention"`` or ``"encoder"``.
        layers: Numbers of the layers of this kind, from 0.
        scheme: One of ``SCHEMES``.
        head_dim: Width of a head, or 0 in a model without heads.
        frequencies: Angular frequency of each pair, in radians per position. The array is empty
            unless the scheme is ``"rope"`` or ``"sinusoidal"``. Pairs with frequency 0 are not
            rotated.
        attention_scaling: Factor by which RoPE's cosines and sines are multiplied.
        score_scaling: Additional factor for all scores, as in DeepSeek-V3.
        query_growth: Factor of the logarithmic growth of queries with their position, as in Llama
            4's layers without RoPE, or 0.
        query_growth_length: Number of positions between two steps of this growth, or None.
        base: Base of the frequencies, or None.
        rope_type: Rule for the frequencies, such as ``"yarn"``, or ``""``.
        training_length: Number of positions before any stretching, or None if unknown. It is the
            original length stated by a stretching rule or, by default, ``max_position_embeddings``.
            Some models, such as Gemma 3, used this length only in the last part of their training.
        window: Number of positions that a query sees, including its own position, or None for all.
        chunk: Length of the chunks that do not see each other, or None.
        mrope_section: Numbers of pairs for time, height and width in images, or ``()``.
        offset: Row for position 0 in a learned table.
        n_buckets: Number of T5's buckets, or None.
        max_distance: Distance at which T5's last bucket begins, or None.
        alibi_max_bias: Number ``b`` in ALiBi's smallest slope ``2 ** -b``, or None.
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
        """Number of layers of this kind."""
        return len(self.layers)

    @property
    def rotated_dimensions(self) -> int:
        """Number of dimensions in a head that RoPE rotates."""
        return 2 * int((self.frequencies > 0).sum()) if self.scheme == "rope" else 0

    @property
    def turns(self) -> NDArray[np.float64]:
        """Turns of each pair within the training length, with shape ``(n_pairs,)``."""
        if self.training_length is None:
            raise ValueError("turns need a training length, and the configuration states none.")
        return self.frequencies * self.training_length / (2 * np.pi)


@dataclass(frozen=True)
class ModelPositions:
    """Positional settings of a model, with an entry for each kind of layer."""

    model_type: str
    max_length: int | None
    kinds: tuple[LayerPositions, ...]

    @property
    def n_layers(self) -> int:
        """Total number of layers."""
        return sum(kind.n_layers for kind in self.kinds)

    def of_layer(self, layer: int) -> LayerPositions:
        """Return a layer's positional settings; layers are numbered from 0, encoder first."""
        for kind in self.kinds:
            if layer in kind.layers:
                return kind
        raise ValueError(f"layer must be from 0 to {self.n_layers - 1}; got {layer!r}.")
