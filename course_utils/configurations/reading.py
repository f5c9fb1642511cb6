"""Reader for the positional settings in a model's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..encodings import angular_frequencies
from ..refusals import quoted, whole_number
from .families import FAMILIES, Family
from .layers import LayerKind, layer_kinds
from .positions import LayerPositions, ModelPositions
from .rope import RotaryRule, rotary_rule
from .settings import Settings, mapping_from, text_part

__all__ = ["read_configuration"]


def read_configuration(
    configuration: Mapping | str | Path,
    *,
    length: int | None = None,
    read_as: str | None = None,
) -> ModelPositions:
    """Read the positional settings in a configuration.

    The function reads the language model and ignores encoders of images or sound. If a key about
    positions is unknown or missing, or contradicts another key, the function raises ValueError with
    a sentence that names the key.

    Args:
        configuration: A mapping, the path of a ``config.json`` file, or its text.
        length: Length of the text, in tokens. It matters only for the rules ``"dynamic"`` and
            ``"longrope"``, whose frequencies change beyond the training length.
        read_as: Known ``model_type`` to use instead of the stated one, for a model with the layers
            of another family.

    Example:
        >>> settings = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 8}
        >>> settings |= {"num_attention_heads": 2, "max_position_embeddings": 2048}
        >>> read_configuration(settings).kinds[0].frequencies
        array([1.  , 0.01])

    Source:
        The keys and rules follow the configuration classes and ``modeling_rope_utils.py`` of the
        transformers library, repository huggingface/transformers.
    """
    length = None if length is None else whole_number("length", length)
    mapping = text_part(mapping_from(configuration))
    model_type = read_as or mapping.get("model_type")
    if model_type is None and mapping.get("pos") == "timing":
        model_type = "transformer"  # Tensor2Tensor's own files have no model_type.
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        name = "model_type" if read_as is None else "read_as"
        raise ValueError(
            f"{name} must be a family that the course knows, such as 'llama', because the family "
            f"decides what absent keys mean; got {quoted(model_type)}."
        )
    family = FAMILIES[model_type]
    settings = Settings(mapping, family.defaults)
    max_length, kinds = _READERS[_scheme(settings, family)](settings, family, length)
    settings.reject_unread()
    return ModelPositions(model_type, max_length, tuple(kinds))


def _scheme(settings: Settings, family: Family) -> str:
    """Return the scheme, which determines the other settings."""
    stated = settings.get("position_embedding_type", "absolute")
    if stated not in ("absolute", "rope", "rope_gptj"):
        raise ValueError(
            "position_embedding_type must be 'absolute', 'rope' or 'rope_gptj'; got "
            f"{quoted(stated)}."
        )
    if family.scheme == "mpt":
        attention = settings.get("attn_config") or {}
        if not isinstance(attention, Mapping):
            raise ValueError(f"attn_config must contain names and values; got {quoted(attention)}.")
        for name in ("rope", "prefix_lm"):
            if attention.get(name):
                raise ValueError(f"{name} in attn_config is not known; got {attention[name]!r}.")
        return "mpt" if attention.get("alibi", True) else "learned"
    if family.scheme == "rope" and settings.get("alibi", False):
        return "alibi"
    return "whisper" if family.spacing and family.scheme == "learned" else family.scheme


def _head_dim(settings: Settings) -> int:
    """Return the stated width of a head, or the hidden size divided by the number of heads."""
    stated = settings.whole("head_dim")
    if stated is not None:
        settings.known("hidden_size", "num_attention_heads")
        return stated
    hidden_size, n_heads = settings.needed("hidden_size"), settings.needed("num_attention_heads")
    if hidden_size % n_heads:
        raise ValueError(
            f"head_dim is missing, and hidden_size {hidden_size} is not a multiple of "
            f"num_attention_heads {n_heads}."
        )
    return hidden_size // n_heads


def _read_rope(settings: Settings, family: Family, length: int | None):
    kinds = layer_kinds(settings, family)
    max_length = settings.whole("max_position_embeddings") or settings.whole("n_positions")
    settings.known("n_ctx", "seq_length", "initial_context_length")
    rules = {
        kind: _rule_of(settings, family, kind, kinds, max_length, length)
        for kind in dict.fromkeys(kinds)
        if kind.rotates
    }
    if not rules:
        settings.known(*ROPE_NAMES, family.unrotated_if)
        for name in ("head_dim", "qk_rope_head_dim", "global_head_dim"):
            settings.known(name)
    growth = _query_growth(settings)
    positions = []
    for kind in dict.fromkeys(kinds):
        layers = tuple(layer for layer, each in enumerate(kinds) if each == kind)
        rule = rules.get(kind)
        if rule is None:
            positions.append(
                LayerPositions(
                    kind.layer_type,
                    layers,
                    "none",
                    _width(settings, kind),
                    query_growth=growth[0] if kind.layer_type == "full_attention" else 0.0,
                    query_growth_length=growth[1] if kind.layer_type == "full_attention" else None,
                    training_length=max_length,
                    window=kind.window,
                    chunk=kind.chunk,
                )
            )
            continue
        grows = rule.query_growth > 0
        positions.append(
            LayerPositions(
                kind.layer_type,
                layers,
                "rope",
                _width(settings, kind),
                rule.frequencies,
                rule.attention_scaling,
                rule.score_scaling if "qk_rope_head_dim" in family.defaults else 1.0,
                rule.query_growth,
                rule.training_length if grows else None,
                rule.base,
                rule.rope_type,
                rule.training_length,
                kind.window,
                kind.chunk,
                rule.mrope_section,
            )
        )
    return max_length, positions


ROPE_NAMES = (
    "rope_theta",
    "rope_scaling",
    "rope_parameters",
    "partial_rotary_factor",
    "rotary_dim",
    "original_max_position_embeddings",
)


def _query_growth(settings: Settings) -> tuple[float, int | None]:
    """Return the growth of queries in layers without positions, as in Llama 4."""
    scale, floor = settings.get("attn_scale", 0.0), settings.whole("floor_scale")
    return (scale, floor) if settings.get("attn_temperature_tuning", False) else (0.0, None)


def _width(settings: Settings, kind: LayerKind) -> int:
    """Return the width of a head in this kind of layer."""
    unrotated, rotated = settings.whole("qk_nope_head_dim"), settings.whole("qk_rope_head_dim")
    if rotated is not None and unrotated is not None:
        return unrotated + rotated
    own = settings.whole("global_head_dim")
    if own is not None and kind.layer_type == "full_attention":
        return own
    return _head_dim(settings)


def _turning_width(settings: Settings, kind: LayerKind) -> int:
    """Return the width of the part of a head to which the rotated proportion applies."""
    own = settings.whole("qk_rope_head_dim")
    if own is not None:
        settings.known("head_dim", "hidden_size", "num_attention_heads")
        return own
    return _width(settings, kind)


def _rule_of(
    settings: Settings,
    family: Family,
    kind: LayerKind,
    kinds: list[LayerKind],
    max_length: int | None,
    length: int | None,
) -> RotaryRule:
    """Return the rule for a kind of layer, whichever published names a file uses."""
    if max_length is None:
        raise ValueError("max_position_embeddings is missing, and no other setting determines it.")
    rule, where = _rule_settings(settings, family, kind, kinds)
    width = _turning_width(settings, kind)
    rotary_dim = settings.whole("rotary_dim")
    if rotary_dim is not None:
        rule["partial_rotary_factor"] = rotary_dim / width
    return rotary_rule(
        rule,
        width,
        max_length,
        length=length,
        stated_length=settings.whole("original_max_position_embeddings"),
        where=where,
    )


def _rule_settings(
    settings: Settings, family: Family, kind: LayerKind, kinds: list[LayerKind]
) -> tuple[dict, str]:
    """Return the settings of the rule for a kind of layer, and their key."""
    stated = {name: settings.get(name) for name in ("rope_parameters", "rope_scaling")}
    for name, value in stated.items():
        if value is not None and not isinstance(value, Mapping):
            raise ValueError(f"{name} must contain names and values; got {quoted(value)}.")
    new, old = (dict(value) if value else {} for value in stated.values())
    if new and old and new != old:
        raise ValueError(
            "rope_parameters and rope_scaling both define how RoPE rotates, but they differ."
        )
    where = "rope_parameters" if new or not old else "rope_scaling"
    rule = new or old
    by_type = [name for name, value in rule.items() if isinstance(value, Mapping)]
    if by_type:
        rule = _own_settings(rule, by_type, kind, kinds, where)
        where = f"{where}.{kind.layer_type}"
    near = kind.layer_type == "sliding_attention"
    if not by_type and family.scaled and kind.layer_type not in family.scaled:
        rule = {}
    base_name = (family.near_base if near else family.far_base) or "rope_theta"
    settings.known("rope_theta", family.near_base, family.far_base)
    outside = {
        "rope_theta": settings.get(base_name),
        "partial_rotary_factor": settings.get("partial_rotary_factor"),
    }
    for name, value in outside.items():
        if value is None:
            continue
        is_default = value == family.defaults.get(base_name if name == "rope_theta" else name)
        inside = rule.setdefault(name, value)
        if inside != value and not is_default:
            stated_name = base_name if name == "rope_theta" else name
            raise ValueError(
                f"{stated_name} is {quoted(value)} in the configuration but {quoted(inside)} in "
                f"{where}."
            )
    return rule, where


def _own_settings(
    rule: dict, by_type: list[str], kind: LayerKind, kinds: list[LayerKind], where: str
) -> dict:
    """Return one layer type's settings from a rule that states them by layer type."""
    loose = [name for name in rule if name not in by_type and rule[name] is not None]
    if loose:
        raise ValueError(
            f"{loose[0]} in {where} is next to settings for each layer type; move it into "
            "those settings."
        )
    known = {"full_attention", "sliding_attention", "chunked_attention"}
    unknown = [name for name in by_type if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]} in {where} is not a layer type that the course knows.")
    if kind.layer_type not in by_type:
        raise ValueError(
            f"{where} has no entry for {kind.layer_type}, which {sum(k == kind for k in kinds)} "
            "layers use."
        )
    return dict(rule[kind.layer_type])


def _whole_model(
    settings: Settings, scheme: str, length: int | None, **rest: object
) -> tuple[int | None, list[LayerPositions]]:
    layers = tuple(range(settings.needed("num_hidden_layers")))
    return length, [
        LayerPositions(
            "full_attention",
            layers,
            scheme,
            _head_dim(settings),
            training_length=length,
            **rest,
        )
    ]


def _encoder_and_decoder(settings: Settings) -> dict[str, tuple[int, ...]]:
    """Return the layer numbers of the encoder and the decoder."""
    n_encoder = settings.whole("encoder_layers") or settings.needed("num_hidden_layers")
    n_decoder = (
        settings.whole("decoder_layers")
        or settings.whole("num_decoder_layers")
        or settings.needed("num_hidden_layers")
    )
    return {
        "encoder": tuple(range(n_encoder)),
        "decoder": tuple(range(n_encoder, n_encoder + n_decoder)),
    }


def _read_learned(settings: Settings, family: Family, length: int | None):
    rows = settings.needed("max_position_embeddings")
    settings.known("n_ctx")
    max_length = rows - family.offset if family.table_has_offset else rows
    if settings.whole("encoder_layers") is None:
        return _whole_model(settings, "learned", max_length, offset=family.offset)
    return max_length, _halves(settings, family, "learned", max_length)


def _halves(
    settings: Settings, family: Family, scheme: str, max_length: int
) -> list[LayerPositions]:
    d_model = settings.needed("hidden_size")
    kinds = []
    for name, layers in _encoder_and_decoder(settings).items():
        n_heads = settings.whole(f"{name}_attention_heads") or settings.needed(
            "num_attention_heads"
        )
        kinds.append(
            LayerPositions(
                name,
                layers,
                scheme,
                d_model // n_heads,
                _sinusoids(d_model, family) if scheme == "sinusoidal" else np.zeros(0),
                base=10_000.0 if scheme == "sinusoidal" else None,
                training_length=max_length,
                offset=family.offset if scheme == "learned" else 0,
            )
        )
    return kinds


def _sinusoids(d_model: int, family: Family) -> np.ndarray:
    """Return the frequencies of a sinusoidal encoding.

    Tensor2Tensor and Whisper divide the logarithm of 10000 by one less than the number of pairs, so
    that the lowest frequency is exactly 1/10000.
    """
    if d_model < 4 or d_model % 2:
        raise ValueError(f"hidden_size must be even and at least 4; got {d_model}.")
    if family.spacing == "endpoints":
        n_pairs = d_model // 2
        return 10_000.0 ** (-np.arange(n_pairs) / (n_pairs - 1))
    return angular_frequencies(d_model)


def _read_sinusoidal(settings: Settings, family: Family, length: int | None):
    if settings.get("pos", "timing") != "timing":
        raise ValueError(f"pos must be 'timing'; got {quoted(settings.get('pos'))}.")
    if settings.get("static_position_embeddings", True) is not True:
        raise ValueError("static_position_embeddings must be true for this family.")
    max_length = settings.whole("max_position_embeddings") or settings.whole("max_length")
    return max_length, _halves(settings, family, "sinusoidal", max_length)


def _read_whisper(settings: Settings, family: Family, length: int | None):
    """Read the settings of Whisper.

    Whisper adds sinusoids to its encoder and learned vectors to its decoder.
    """
    encoder, decoder = _encoder_and_decoder(settings).values()
    d_model = settings.needed("hidden_size")
    source, target = (settings.needed(f"max_{name}_positions") for name in ("source", "target"))
    settings.known("num_hidden_layers", "num_attention_heads")
    encoder_heads = settings.needed("encoder_attention_heads")
    decoder_heads = settings.needed("decoder_attention_heads")
    return target, [
        LayerPositions(
            "encoder",
            encoder,
            "sinusoidal",
            d_model // encoder_heads,
            _sinusoids(d_model, family),
            base=10_000.0,
            training_length=source,
        ),
        LayerPositions(
            "decoder", decoder, "learned", d_model // decoder_heads, training_length=target
        ),
    ]


def _read_t5(settings: Settings, family: Family, length: int | None):
    head_dim = settings.whole("d_kv") or _head_dim(settings)
    settings.known("hidden_size", "num_attention_heads", "n_positions")
    kinds = [
        LayerPositions(
            name,
            layers,
            "t5",
            head_dim,
            n_buckets=settings.needed("relative_attention_num_buckets"),
            max_distance=settings.needed("relative_attention_max_distance"),
        )
        for name, layers in _encoder_and_decoder(settings).items()
    ]
    return None, kinds


def _read_alibi(settings: Settings, family: Family, length: int | None):
    length = settings.whole("max_position_embeddings") or settings.whole("seq_length")
    settings.known(*ROPE_NAMES, "alibi")
    return _whole_model(settings, "alibi", length, alibi_max_bias=8.0)


def _read_mpt(settings: Settings, family: Family, length: int | None):
    attention = settings.get("attn_config") or {}
    bias = float(attention.get("alibi_bias_max", 8))
    return _whole_model(
        settings, "alibi", settings.whole("max_position_embeddings"), alibi_max_bias=bias
    )


def _read_none(settings: Settings, family: Family, length: int | None):
    length = settings.whole("max_position_embeddings")
    kinds = layer_kinds(settings, family)
    # Such files contain an unused base or window, and unused sizes of state spaces.
    settings.known("chunk_size", "mamba_head_dim", "sliding_window", *ROPE_NAMES)
    head_dim = 0 if family.pattern == "state-spaces" else _head_dim(settings)
    positions = [
        LayerPositions(
            kind.layer_type,
            tuple(layer for layer, each in enumerate(kinds) if each == kind),
            "none",
            head_dim,
            training_length=length,
        )
        for kind in dict.fromkeys(kinds)
    ]
    return length, positions


_READERS = {
    "rope": _read_rope,
    "learned": _read_learned,
    "sinusoidal": _read_sinusoidal,
    "whisper": _read_whisper,
    "t5": _read_t5,
    "alibi": _read_alibi,
    "mpt": _read_mpt,
    "none": _read_none,
}
