"""Kinds of layers, which differ in attention span and in the use of RoPE."""

from __future__ import annotations

from dataclasses import dataclass

from ..refusals import quoted
from .families import Family
from .settings import Settings

__all__ = ["LINEAR", "LayerKind", "layer_kinds"]

FULL, SLIDING, CHUNKED, LINEAR = (
    "full_attention",
    "sliding_attention",
    "chunked_attention",
    "linear_attention",
)

LAYER_TYPES = {
    FULL: FULL,
    "attention": FULL,
    "indexed_attention": FULL,
    SLIDING: SLIDING,
    CHUNKED: CHUNKED,
    LINEAR: LINEAR,
    "conv": LINEAR,
    "mamba": LINEAR,
    "mamba2": LINEAR,
    "recurrent": LINEAR,
    "moe": LINEAR,
    "mlp": LINEAR,
}
"""Names of layer types in published files, with their meaning for positions.

``indexed_attention`` selects keys by their content, not by their position. Linear attention,
convolutions and state spaces process the text in order, and do not receive positions. Layers that
consist only of a network for each token do not mix positions.
"""


@dataclass(frozen=True)
class LayerKind:
    """A kind of layer without its frequencies."""

    layer_type: str
    rotates: bool
    window: int | None = None
    chunk: int | None = None


def layer_kinds(settings: Settings, family: Family) -> list[LayerKind]:
    """Return the kinds of all layers, in order."""
    listed = settings.get("layers_block_type")
    if isinstance(listed, list) and listed and settings.get("num_hidden_layers") is None:
        n_layers = len(listed)
    else:
        n_layers = settings.needed("num_hidden_layers")
    types = _layer_types(settings, family, n_layers)
    rotating = _rotating(settings, family, types)
    window = _window(settings, family, types)
    chunk = settings.whole("attention_chunk_size")
    if CHUNKED in types and chunk is None:
        raise ValueError(
            "attention_chunk_size is missing, but layer_types contains chunked_attention."
        )
    return [
        LayerKind(
            layer_type,
            rotates,
            window if layer_type == SLIDING else None,
            chunk if layer_type == CHUNKED else None,
        )
        for layer_type, rotates in zip(types, rotating, strict=True)
    ]


def _layer_types(settings: Settings, family: Family, n_layers: int) -> list[str]:
    """Return the type of each layer from a list or from the family's rule."""
    listed = settings.get("layer_types", settings.get("layers_block_type"))
    by_rule = None
    if listed is None or settings.get("hybrid_override_pattern") or family.pattern != "letters":
        by_rule = _types_by_rule(settings, family, n_layers)
    attention = settings.get("attn_type_list")
    if attention is not None and attention != [1] * n_layers:
        raise ValueError(
            f"attn_type_list must contain only the value 1 for each of {n_layers} layers; got "
            f"{quoted(attention)}."
        )
    if listed is None:
        return by_rule or [FULL] * n_layers
    if not isinstance(listed, list) or len(listed) != n_layers:
        given = len(listed) if isinstance(listed, list) else quoted(listed)
        raise ValueError(
            f"layer_types must contain a name for each of {n_layers} layers; got {given}."
        )
    for name in listed:
        if name not in LAYER_TYPES:
            raise ValueError(
                f"layer_types may contain only {', '.join(LAYER_TYPES)}; got {quoted(name)}."
            )
    return [LAYER_TYPES[name] for name in listed]


def _types_by_rule(settings: Settings, family: Family, n_layers: int) -> list[str] | None:
    """Return the types of layers according to the family's rule, or None if there is no rule."""
    layers = range(n_layers)
    linear = settings.get("linear_attn_config")
    if family.pattern == "listed-linear" and linear is not None:
        return _listed_linear(linear, n_layers)
    if family.pattern == "use-window":
        if not settings.get("use_sliding_window", False):
            settings.known("sliding_window", "max_window_layers")
            return None
        first = settings.whole("max_window_layers", lowest=0, default=0)
        return [SLIDING if layer >= first else FULL for layer in layers]
    if family.pattern == "window":
        return [SLIDING] * n_layers if settings.get("sliding_window") else None
    if family.pattern == "last-of":
        order = settings.get("order_of_interleaved_layers", "local_attn_first")
        if order != "local_attn_first":
            raise ValueError(
                f"order_of_interleaved_layers must be 'local_attn_first'; got {quoted(order)}."
            )
        if family.unrotated and settings.get("sliding_window") is None:
            settings.known("sliding_window_pattern")
            return None
        period = settings.get("sliding_window_pattern")
        if isinstance(period, str) and set(period) <= set("LG") and period:
            return [SLIDING if period[layer % len(period)] == "L" else FULL for layer in layers]
        period = settings.needed("sliding_window_pattern")
        return [FULL if (layer + 1) % period == 0 else SLIDING for layer in layers]
    if family.pattern == "first-of":
        period = settings.needed("global_attn_every_n_layers")
        return [SLIDING if layer % period else FULL for layer in layers]
    if family.pattern == "linear-but-last-of":
        period = settings.needed("full_attention_interval")
        return [LINEAR if (layer + 1) % period else FULL for layer in layers]
    if family.pattern == "attention-at":
        period = settings.needed("attn_layer_period")
        offset = settings.whole("attn_layer_offset", lowest=0)
        return [FULL if layer % period == offset else LINEAR for layer in layers]
    if family.pattern == "listed-attention":
        return _listed_attention(settings, n_layers)
    if family.pattern == "state-spaces":
        return [LINEAR] * n_layers
    if family.pattern == "letters":
        return _types_by_letters(settings.get("hybrid_override_pattern"), n_layers)
    if family.pattern == "chunks-where-rotated":
        return [CHUNKED if rotates else FULL for rotates in _listed_rotating(settings, n_layers)]
    return None


def _listed_attention(settings: Settings, n_layers: int) -> list[str] | None:
    """Return the types from a list of layers with attention, numbered from 0, as in LFM2."""
    names = ("full_attn_idxs", "attn_layer_indices")
    given = {name: settings.get(name) for name in names if settings.get(name) is not None}
    if not given:
        if settings.get("layer_types") is None:
            raise ValueError(f"layer_types, {' and '.join(names)} are all missing.")
        return None
    ((name, full), *_) = given.items()
    layers = range(n_layers)
    if not isinstance(full, list) or not all(
        isinstance(layer, int) and not isinstance(layer, bool) and layer in layers for layer in full
    ):
        raise ValueError(f"{name} must list layers from 0 to {n_layers - 1}; got {quoted(full)}.")
    return [FULL if layer in full else LINEAR for layer in layers]


def _types_by_letters(letters: object, n_layers: int) -> list[str]:
    """Return the types from a string in which ``*`` represents attention, as in Nemotron-H.

    ``M`` represents a state space, and ``-`` and ``E`` represent layers that do not mix positions.
    """
    if not isinstance(letters, str) or len(letters) != n_layers or not set(letters) <= set("M*-E"):
        raise ValueError(
            f"hybrid_override_pattern must contain M, *, - or E for each of {n_layers} layers; got "
            f"{quoted(letters)}."
        )
    return [FULL if letter == "*" else LINEAR for letter in letters]


def _listed_linear(linear: object, n_layers: int) -> list[str]:
    """Return the types from two lists of layers, numbered from 1, as in Kimi Linear."""
    full = linear.get("full_attn_layers") if isinstance(linear, dict) else None
    others = linear.get("kda_layers") if isinstance(linear, dict) else None
    if not (isinstance(full, list) and isinstance(others, list)) or sorted(full + others) != list(
        range(1, n_layers + 1)
    ):
        raise ValueError(
            "linear_attn_config must list each layer from 1 to "
            f"{n_layers} once, in full_attn_layers or kda_layers."
        )
    return [FULL if layer in full else LINEAR for layer in range(1, n_layers + 1)]


def _rotating(settings: Settings, family: Family, types: list[str]) -> list[bool]:
    """Return a boolean for each layer, which is True if the layer uses RoPE."""
    if family.scheme != "rope":
        return [False] * len(types)
    rotating = [layer_type != LINEAR for layer_type in types]
    if family.unrotated_if and settings.get(family.unrotated_if):
        return [False] * len(types)
    if family.lists_rotated:
        listed = _listed_rotating(settings, len(types))
        return [a and b for a, b in zip(rotating, listed, strict=True)]
    if family.unrotated and (SLIDING in types or family.unrotated_always):
        return [rotates and t != FULL for rotates, t in zip(rotating, types, strict=True)]
    return rotating


def _listed_rotating(settings: Settings, n_layers: int) -> list[bool]:
    """Return a boolean for each layer from an interval or a list, in which 1 stands for RoPE."""
    listed = settings.get("no_rope_layers")
    interval = settings.whole("no_rope_layer_interval")
    if not listed:
        if interval is None:
            raise ValueError("no_rope_layers and no_rope_layer_interval are both missing.")
        return [(layer + 1) % interval != 0 for layer in range(n_layers)]
    if not isinstance(listed, list) or len(listed) != n_layers or not set(listed) <= {0, 1}:
        given = len(listed) if isinstance(listed, list) else quoted(listed)
        raise ValueError(
            f"no_rope_layers must contain 1 (with RoPE) or 0 for each of {n_layers} layers; got "
            f"{given} values."
        )
    return [bool(value) for value in listed]


def _window(settings: Settings, family: Family, types: list[str]) -> int | None:
    """Return the window of sliding layers, which includes the query's own position."""
    window = settings.whole("sliding_window", lowest=0)
    if SLIDING not in types:
        return None
    if not window:
        raise ValueError("sliding_window is missing, but some layers use sliding_attention.")
    return window // 2 * 2 + 1 if family.both_ways else window
