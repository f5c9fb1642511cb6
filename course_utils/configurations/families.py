"""Default positional settings of model families.

Each entry describes the reference implementation of a ``model_type`` in the configuration classes
and models of the transformers library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["FAMILIES", "Family"]


@dataclass(frozen=True)
class Family:
    """Defaults of a model family.

    Attributes:
        scheme: Scheme of a layer, or ``"rope"`` if RoPE's settings determine the scheme.
        defaults: Default values of settings.
        pattern: Rule that determines the types of layers if a file has no ``layer_types``.
        unrotated: True if full layers do not use RoPE when other layers have a window.
        unrotated_always: True if full layers never use RoPE.
        unrotated_if: Setting that disables RoPE in all layers, or ``""``.
        lists_rotated: True if ``no_rope_layers`` or its interval selects the layers with RoPE.
        scaled: Layer types to which ``rope_scaling`` applies, or empty for all types.
        near_base: Setting that contains the base of sliding layers, or ``""``.
        far_base: Setting that contains the base of full layers, or ``""``.
        both_ways: True if the window extends in both directions, as in an encoder.
        offset: Row for position 0 in a learned table.
        table_has_offset: True if ``max_position_embeddings`` includes the rows before ``offset``.
        spacing: Rule for sinusoidal frequencies.
    """

    scheme: str = "rope"
    defaults: Mapping[str, object] = field(default_factory=dict)
    pattern: str = ""
    unrotated: bool = False
    unrotated_always: bool = False
    unrotated_if: str = ""
    lists_rotated: bool = False
    scaled: tuple[str, ...] = ()
    near_base: str = ""
    far_base: str = ""
    both_ways: bool = False
    offset: int = 0
    table_has_offset: bool = False
    spacing: str = ""


def _rope(base: float = 10_000.0, share: float = 1.0, **rest: object) -> Family:
    """Create a family with RoPE from its default base and rotated proportion."""
    names = Family.__dataclass_fields__
    defaults = {name: value for name, value in rest.items() if name not in names}
    assumed = {name: value for name, value in rest.items() if name in names}
    defaults |= {"rope_theta": base, "partial_rotary_factor": share}
    return Family(defaults=defaults, **assumed)


_GEMMA3 = dict(
    pattern="last-of",
    scaled=("full_attention",),
    near_base="rope_local_base_freq",
    rope_local_base_freq=10_000.0,
    head_dim=256,
)
_DEEPSEEK = dict(qk_rope_head_dim=64, qk_nope_head_dim=128)
_GLM = dict(qk_rope_head_dim=64, qk_nope_head_dim=192)
_WINDOWED_QWEN = dict(pattern="use-window")
_NEXT = dict(pattern="linear-but-last-of", full_attention_interval=4, head_dim=256)

FAMILIES: dict[str, Family] = {
    # Sinusoidal
    "transformer": Family("sinusoidal", spacing="endpoints"),
    "marian": Family("sinusoidal", {"max_position_embeddings": 1024}),
    "pegasus": Family("sinusoidal", {"max_position_embeddings": 1024}),
    "m2m_100": Family("sinusoidal", {"max_position_embeddings": 1024}, spacing="endpoints"),
    # Learned tables
    "bert": Family("learned", {"max_position_embeddings": 512}),
    "electra": Family("learned", {"max_position_embeddings": 512}),
    "gpt2": Family("learned", {"n_positions": 1024}),
    "openai-gpt": Family("learned", {"n_positions": 512}),
    "gpt_bigcode": Family("learned", {"n_positions": 1024}),
    "roberta": Family("learned", offset=2, table_has_offset=True),
    "xlm-roberta": Family("learned", offset=2, table_has_offset=True),
    "opt": Family("learned", {"max_position_embeddings": 2048}, offset=2),
    "bart": Family("learned", {"max_position_embeddings": 1024}, offset=2),
    "whisper": Family(
        "learned",
        {"max_source_positions": 1500, "max_target_positions": 448},
        spacing="endpoints",
    ),
    # Biases
    "t5": Family(
        "t5", {"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}
    ),
    "mt5": Family(
        "t5", {"relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}
    ),
    "bloom": Family("alibi"),
    "mpt": Family("mpt"),
    "falcon": _rope(alibi=False),
    # No positions
    "jamba": Family("none", pattern="attention-at"),
    "mamba": Family("none", pattern="state-spaces"),
    "falcon_mamba": Family("none", pattern="state-spaces"),
    "nemotron_h": Family("none", pattern="letters"),
    # RoPE in all layers
    "llama": _rope(),
    "gemma": _rope(head_dim=256),
    "olmo": _rope(),
    "olmo2": _rope(),
    "olmoe": _rope(),
    "internlm2": _rope(),
    "exaone": _rope(500_000.0),
    "falcon_h1": _rope(),
    "granite": _rope(),
    "cohere": _rope(500_000.0),
    "qwen3_moe": _rope(**_WINDOWED_QWEN),
    "qwen2": _rope(**_WINDOWED_QWEN),
    "qwen2_moe": _rope(**_WINDOWED_QWEN),
    "qwen3": _rope(head_dim=128, **_WINDOWED_QWEN),
    "qwen2_vl": _rope(1_000_000.0, **_WINDOWED_QWEN),
    "qwen2_vl_text": _rope(1_000_000.0, **_WINDOWED_QWEN),
    "qwen2_5_vl": _rope(1_000_000.0, **_WINDOWED_QWEN),
    "qwen2_5_vl_text": _rope(1_000_000.0, **_WINDOWED_QWEN),
    "mimo": _rope(**_WINDOWED_QWEN),
    "qwen3_vl_text": _rope(500_000.0, head_dim=128),
    "qwen3_vl_moe_text": _rope(500_000.0),
    "arcee": _rope(),
    "seed_oss": _rope(head_dim=128),
    "minimax_m2": _rope(5_000_000.0, head_dim=128),
    "ernie4_5": _rope(500_000.0, head_dim=128),
    "apertus": _rope(12_000_000.0),
    "mistral": _rope(pattern="window", sliding_window=4096),
    "mixtral": _rope(1_000_000.0, pattern="window"),
    "phi3": _rope(pattern="window"),
    "starcoder2": _rope(pattern="window"),
    "phimoe": _rope(1_000_000.0, pattern="window"),
    "ministral3": _rope(1_000_000.0, pattern="window", head_dim=128),
    # RoPE on part of each head
    "phi": _rope(share=0.5),
    "glm": _rope(share=0.5, head_dim=128),
    "glm4": _rope(share=0.5, head_dim=128),
    "glm4_moe": _rope(share=0.5),
    "gpt_neox": _rope(share=0.25),
    "gptj": _rope(rotary_dim=64, n_positions=2048),
    "codegen": _rope(rotary_dim=64, n_positions=2048),
    "stablelm": _rope(share=0.25),
    "nemotron": _rope(share=0.5),
    "persimmon": _rope(share=0.5),
    "bamba": _rope(share=0.5, pattern="listed-attention"),
    # RoPE on separate dimensions, next to dimensions without positions
    "deepseek_v2": _rope(**_DEEPSEEK),
    "deepseek_v3": _rope(**_DEEPSEEK),
    "kimi_k2": _rope(**_DEEPSEEK),
    "deepseek_v32": _rope(**_DEEPSEEK),
    "glm_moe_dsa": _rope(**_GLM),
    "minicpm3": _rope(qk_rope_head_dim=32, qk_nope_head_dim=64),
    "glm4_moe_lite": _rope(**_GLM),
    # Near and far layers
    "gemma2": _rope(pattern="last-of", sliding_window_pattern=2, sliding_window=4096, head_dim=256),
    "gemma3_text": _rope(1_000_000.0, sliding_window=4096, sliding_window_pattern=6, **_GEMMA3),
    "gemma3n_text": _rope(1_000_000.0, sliding_window=512, sliding_window_pattern=5, **_GEMMA3),
    "gemma4_text": Family(),
    "gpt_oss": _rope(
        150_000.0, pattern="last-of", sliding_window_pattern=2, sliding_window=128, head_dim=64
    ),
    "olmo3": _rope(
        500_000.0,
        pattern="last-of",
        sliding_window_pattern=4,
        sliding_window=4096,
        scaled=("full_attention",),
    ),
    "modernbert": Family(
        defaults={
            "global_rope_theta": 160_000.0,
            "local_rope_theta": 10_000.0,
            "global_attn_every_n_layers": 3,
            "sliding_window": 128,
        },
        pattern="first-of",
        near_base="local_rope_theta",
        far_base="global_rope_theta",
        both_ways=True,
    ),
    "lfm2": _rope(1_000_000.0, pattern="listed-attention"),
    # Layers without positions
    "cohere2": _rope(
        pattern="last-of",
        sliding_window_pattern=4,
        sliding_window=4096,
        unrotated=True,
        unrotated_always=True,
    ),
    "exaone4": _rope(
        pattern="last-of", sliding_window_pattern=4, sliding_window=4096, unrotated=True
    ),
    "smollm3": _rope(
        2_000_000.0, pattern="use-window", lists_rotated=True, no_rope_layer_interval=4
    ),
    "llama4_text": _rope(
        500_000.0,
        pattern="chunks-where-rotated",
        lists_rotated=True,
        no_rope_layer_interval=4,
        attention_chunk_size=8192,
        head_dim=128,
        attn_temperature_tuning=True,
        floor_scale=8192,
        attn_scale=0.1,
    ),
    "qwen3_next": _rope(share=0.25, **_NEXT),
    "qwen3_5_text": _rope(share=0.25, **_NEXT),
    "qwen3_5_moe_text": _rope(share=0.25, **_NEXT),
    "kimi_linear": _rope(
        pattern="listed-linear", unrotated_if="mla_use_nope", mla_use_nope=True, **_DEEPSEEK
    ),
}
"""Model families, keyed by ``model_type``."""
