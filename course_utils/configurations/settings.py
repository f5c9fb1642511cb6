"""Access to the settings in a configuration under all published names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ..refusals import quoted
from .broken_json import json_from

__all__ = ["Settings", "mapping_from", "text_part"]

NAMES = {
    "num_hidden_layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "hidden_size": ("hidden_size", "n_embd", "d_model"),
    "head_dim": ("head_dim", "attention_head_dim"),
    "max_position_embeddings": ("max_position_embeddings", "n_positions", "max_seq_len"),
    "partial_rotary_factor": ("partial_rotary_factor", "rotary_pct"),
    "rope_theta": ("rope_theta", "rotary_emb_base"),
    "sliding_window": ("sliding_window", "sliding_window_size", "local_attention"),
    "sliding_window_pattern": ("sliding_window_pattern", "_sliding_window_pattern"),
}
"""Names of each setting in published files, keyed by the most common name."""

TEXT_PARTS = ("text_config", "llm_config", "language_config")
"""Keys of the language model in a multimodal configuration."""

ABOUT_POSITIONS = re.compile(
    r"rope|rotary|position|posit|alibi|window|sliding|swa_|theta|nope|relative|yarn|ntk|chunk"
    r"|layer_types|layers_block_type|layer_pattern|hybrid|freq|pattern|local_att|global_att|context"
    r"|temperature_tuning|floor_scale|attn_scale|scaling_beta|full_att|linear_attn|attn_type"
    r"|attention_type|attention_layers|attn_layer|attn_every|compress|bias_max|axial|xpos|longformer"
    r"|time_scale|max_timescale|head_dim|kv_channels|interleaved_layers|layer_switch"
)
"""Pattern of setting names that may affect positions."""

LARGEST = {
    "num_hidden_layers": 10_000,
    "num_decoder_layers": 10_000,
    "encoder_layers": 10_000,
    "decoder_layers": 10_000,
    "hidden_size": 1_000_000,
    "head_dim": 1_000_000,
    "global_head_dim": 1_000_000,
    "qk_rope_head_dim": 1_000_000,
    "qk_nope_head_dim": 1_000_000,
}
"""Maximum sizes, above which a model would not fit in memory."""

OTHER_PART = re.compile(r"vision|image|video|audio|speech|^mtp_")
"""Pattern of setting names for input other than text, or for layers used only in training."""

UNRELATED = frozenset(
    """chunk_size_feed_forward expert_layer_period expert_layer_offset mlp_layer_types
    hybrid_moe_layer_freq moe_layer_freq activation_sparsity_pattern v_head_dim
    vocab_size_per_layer_input num_global_key_value_heads index_head_dim index_topk_freq
    indexer_rope_interleave linear_key_head_dim linear_value_head_dim rope_interleave
    qk_nope_head_dim qk_head_dim classifier_freq mamba_chunk_size""".split()
)
"""Names that match ``ABOUT_POSITIONS`` but do not affect the positions of text.

Some of them select the columns of a pair (``rope_interleave``) or the width of values. Code that
reads weights needs these settings, but they do not affect frequencies, windows or tables.
"""


def mapping_from(source: Mapping | str | Path) -> dict:
    """Convert a mapping, the path of a file, or JSON text to a dictionary."""
    if isinstance(source, Mapping):
        return dict(source)
    if not isinstance(source, (str, Path)):
        raise TypeError(
            "configuration must be a mapping, the path of a file or JSON text; got "
            f"{quoted(source)}."
        )
    text = str(source)
    if not text.lstrip().startswith("{"):
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ValueError(
                f"configuration must be JSON text or the path of a readable file; got "
                f"{quoted(source)} ({type(error).__name__})."
            ) from None
    mapping = json_from(text)
    if not isinstance(mapping, dict):
        raise ValueError(
            f"configuration must be a JSON object with names and values; got {quoted(mapping)}."
        )
    return mapping


def text_part(mapping: dict) -> dict:
    """Return the settings of the language model in a multimodal configuration.

    Positional settings outside this part must not contradict it.
    """
    parts = [name for name in TEXT_PARTS if isinstance(mapping.get(name), Mapping)]
    if not parts:
        return mapping
    if len(parts) > 1:
        raise ValueError(
            f"{parts[1]} is a second language model next to {parts[0]}; pass only one of them."
        )
    text = dict(mapping[parts[0]])
    for name, value in mapping.items():
        if not may_change_positions(name) or value in (None, False):
            continue
        if name not in text:
            text[name] = value
        elif text[name] != value:
            raise ValueError(
                f"{name} is {quoted(value)} in the configuration but {quoted(text[name])} in its "
                f"{parts[0]}."
            )
    text.setdefault("model_type", mapping.get("model_type"))
    return text


def may_change_positions(name: str) -> bool:
    """Return True if a setting with this name may affect the positions of text."""
    matches = ABOUT_POSITIONS.search(name) is not None
    return matches and name not in UNRELATED and OTHER_PART.search(name) is None


class Settings:
    """Settings of a configuration, with a record of the names that were read."""

    def __init__(self, mapping: Mapping, defaults: Mapping) -> None:
        self._given = {name: value for name, value in mapping.items() if value is not None}
        # A setting with the value null is intentionally absent, so the family's default does not
        # apply.
        self._defaults = {name: value for name, value in defaults.items() if name not in mapping}
        self._read = set(defaults)

    def get(self, name: str, default: object = None) -> object:
        """Return a setting under any of its names."""
        names = NAMES.get(name, (name,))
        self._read.update(names)
        given = {each: self._given[each] for each in names if each in self._given}
        values = list(given.values())
        if any(value != values[0] for value in values[1:]):
            stated = " but ".join(f"{each} is {quoted(value)}" for each, value in given.items())
            raise ValueError(f"{stated}, and these are two names of one setting.")
        return values[0] if values else self._defaults.get(name, default)

    def whole(self, name: str, *, lowest: int = 1, default: int | None = None) -> int | None:
        """Return an integer setting, or the default if it is absent."""
        value = self.get(name, default)
        if value is None:
            return None
        largest = LARGEST.get(name, 2**31)
        if isinstance(value, int) and value > largest:
            raise ValueError(f"{name} must be at most {largest}; got {quoted(value)}.")
        if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
            raise ValueError(
                f"{name} must be a whole number of at least {lowest}; got {quoted(value)}."
            )
        return value

    def needed(self, name: str) -> int:
        """Return a required integer setting."""
        value = self.whole(name)
        if value is None:
            raise ValueError(f"{name} is missing, and no other setting determines it.")
        return value

    def known(self, *names: str) -> None:
        """Mark settings as known without using their values."""
        for name in names:
            self._read.update(NAMES.get(name, (name,)))

    def reject_unread(self) -> None:
        """Raise ValueError if a positional setting was not read."""
        for name, value in self._given.items():
            unread = name not in self._read and may_change_positions(name)
            if unread and value is not False:
                raise ValueError(
                    f"{name} may change positions, and its meaning in this configuration is "
                    f"unknown; got {quoted(value)}."
                )
