"""Computation of RoPE's frequencies from configurations.

The rules are taken from published configurations. ``rotated`` is the number of rotated dimensions
in a head.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..encodings import angular_frequencies
from ..refusals import quoted
from ..stretching import interpolated_frequencies

__all__ = ["RotaryRule", "rotary_rule"]

ALWAYS = ("rope_type", "type", "rope_theta", "partial_rotary_factor")
"""Keys that are allowed in every rule."""

IMAGES = ("mrope_section", "mrope_interleaved", "interleaved", "mrope_interleave")
"""Keys that divide the pairs among time, height and width (equal numbers in text)."""

YARN = """factor original_max_position_embeddings attention_factor beta_fast beta_slow mscale
    mscale_all_dim truncate max_position_embeddings llama_4_scaling_beta""".split()

LONGROPE = """short_factor long_factor original_max_position_embeddings factor attention_factor
    short_mscale long_mscale""".split()

KEYS = {
    "default": IMAGES,
    "linear": ("factor",),
    "dynamic": ("factor", "original_max_position_embeddings"),
    "yarn": (*YARN, *IMAGES),
    "longrope": tuple(LONGROPE),
    "llama3": (
        "factor",
        "low_freq_factor",
        "high_freq_factor",
        "original_max_position_embeddings",
    ),
    "proportional": ("factor",),
}
"""Additional keys of each rule."""

OTHER_NAMES = {"mrope": "default", "su": "longrope"}
"""Earlier names of rules."""


@dataclass(frozen=True)
class RotaryRule:
    """The result of a rule, with frequencies, scaling and training length."""

    rope_type: str
    base: float
    frequencies: NDArray[np.float64]
    attention_scaling: float
    score_scaling: float
    query_growth: float
    training_length: int
    mrope_section: tuple[int, ...]


def rotary_rule(
    settings: Mapping,
    head_dim: int,
    max_length: int,
    *,
    length: int | None = None,
    stated_length: int | None = None,
    where: str = "rope_parameters",
) -> RotaryRule:
    """Compute the frequencies according to a rule.

    Args:
        settings: Base, rotated proportion and keys of the rule.
        head_dim: Width of a head.
        max_length: Value of ``max_position_embeddings`` in the configuration.
        length: Length of the text, which affects two rules. None means any length up to the
            training length.
        stated_length: Value of ``original_max_position_embeddings`` outside the rule, or None.
        where: Key that contains the settings, for error messages.
    """
    rope_type = _rope_type(settings, where)
    for name, value in settings.items():
        if name not in (*ALWAYS, *KEYS[rope_type]) and value is not None:
            raise ValueError(
                f"{name} in {where} has no meaning for rope_type {rope_type!r}; got "
                f"{quoted(value)}."
            )
    read = _Numbers(settings, where)
    base = read.number("rope_theta", above=1)
    share = read.number("partial_rotary_factor", default=1.0)
    if share > 1:
        raise ValueError(f"partial_rotary_factor in {where} must be at most 1; got {share}.")
    # In p-RoPE, the exponents depend on the width of the head. In other rules, they depend on the
    # rotated part.
    rotated = head_dim if rope_type == "proportional" else int(head_dim * share)
    if rotated < 2 or rotated % 2:
        raise ValueError(
            f"partial_rotary_factor in {where} must rotate an even number of the head's {head_dim} "
            f"dimensions; {share} gives {rotated}."
        )
    trained = max_length
    if "original_max_position_embeddings" in KEYS[rope_type]:
        inside = read.number("original_max_position_embeddings", default=None)
        if inside and stated_length and inside != stated_length:
            raise ValueError(
                f"original_max_position_embeddings is {stated_length} in the configuration but "
                f"{quoted(inside)} in {where}."
            )
        trained = int(inside or stated_length or max_length)
    frequencies = angular_frequencies(rotated, base=base)
    scaling = scores = 1.0
    if rope_type == "linear":
        frequencies = interpolated_frequencies(rotated, read.factor(), base=base)
    elif rope_type == "dynamic":
        frequencies = _dynamic(rotated, base, read.factor(), max_length, length)
    elif rope_type == "yarn":
        factor = read.factor(default=max_length / trained)
        frequencies = _yarn(rotated, base, factor, trained, read)
        scaling, scores = _yarn_scalings(factor, read)
    elif rope_type == "longrope":
        factors, scaling = _longrope(rotated, max_length, trained, length, read)
        frequencies = frequencies / factors
    elif rope_type == "llama3":
        frequencies = _llama3(frequencies, trained, read)
    elif rope_type == "proportional":
        n_turned = int(share * head_dim // 2)
        frequencies = np.where(np.arange(rotated // 2) < n_turned, frequencies, 0.0)
        frequencies = frequencies / read.factor(default=1.0)
    return RotaryRule(
        rope_type,
        base,
        frequencies,
        scaling,
        scores,
        read.number("llama_4_scaling_beta", default=0.0),
        trained,
        _mrope_section(settings, len(frequencies), where),
    )


class _Numbers:
    """Checked access to the numbers of a rule."""

    def __init__(self, settings: Mapping, where: str) -> None:
        self._settings = settings
        self._where = where

    def number(self, name: str, *, default: object = ..., above: float = 0) -> float:
        value = self._settings.get(name)
        if value is None:
            if default is ...:
                raise ValueError(f"{name} is missing in {self._where}.")
            return default
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (is_number and above < value < math.inf):
            raise ValueError(
                f"{name} in {self._where} must be a number above {above}; got {quoted(value)}."
            )
        return value

    def factor(self, *, default: object = ...) -> float:
        factor = self.number("factor", default=default)
        if factor < 1:
            raise ValueError(f"factor in {self._where} must be at least 1; got {quoted(factor)}.")
        return float(factor)

    def divisors(self, name: str, n_pairs: int) -> NDArray[np.float64]:
        values = self._settings.get(name)
        if not isinstance(values, list) or len(values) != n_pairs:
            given = len(values) if isinstance(values, list) else quoted(values)
            raise ValueError(
                f"{name} in {self._where} must contain a number for each of {n_pairs} pairs; got "
                f"{given}."
            )
        if not all(isinstance(v, (int, float)) and 0 < v < math.inf for v in values):
            raise ValueError(f"{name} in {self._where} must contain only numbers above 0.")
        return np.array(values, dtype=np.float64)

    def flag(self, name: str, default: bool) -> bool:
        value = self._settings.get(name)
        if value is not None and not isinstance(value, bool):
            raise ValueError(f"{name} in {self._where} must be true or false; got {quoted(value)}.")
        return default if value is None else value


def _rope_type(settings: Mapping, where: str) -> str:
    names = [settings[key] for key in ("rope_type", "type") if settings.get(key) is not None]
    names = [OTHER_NAMES.get(name, name) if isinstance(name, str) else name for name in names]
    if len(names) == 2 and names[0] != names[1]:
        raise ValueError(f"rope_type is {names[0]!r} but type is {names[1]!r} in {where}.")
    rope_type = names[0] if names else "default"
    if not isinstance(rope_type, str) or rope_type not in KEYS:
        raise ValueError(
            f"rope_type in {where} must be one of {', '.join(KEYS)}; got {quoted(rope_type)}."
        )
    return rope_type


def _dynamic(
    rotated: int, base: float, factor: float, max_length: int, length: int | None
) -> NDArray[np.float64]:
    """Return frequencies for a base that increases if the text exceeds the training length."""
    ratio = max(length or 0, max_length) / max_length
    if rotated == 2:  # The only pair turns by 1 radian per position, regardless of the base.
        return angular_frequencies(2, base=base)
    growth = (factor * ratio - (factor - 1)) ** (rotated / (rotated - 2))
    return angular_frequencies(rotated, base=base * growth)


def _yarn(
    rotated: int, base: float, factor: float, trained: int, read: _Numbers
) -> NDArray[np.float64]:
    """Return YaRN's frequencies, blended in proportion to the index of each pair."""
    fast = read.number("beta_fast", default=32)
    slow = read.number("beta_slow", default=1)
    if fast < slow:
        raise ValueError(f"beta_fast must be at least beta_slow; got {fast} and {slow}.")

    def pair_with(turns: float) -> float:
        """Return the fractional index of the pair that makes this number of turns in training."""
        return rotated * math.log(trained / (2 * math.pi * turns)) / (2 * math.log(base))

    first, last = pair_with(fast), pair_with(slow)
    if read.flag("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, rotated - 1)
    if first == last:
        last += 0.001
    stretched = np.clip((np.arange(rotated // 2) - first) / (last - first), 0, 1)
    frequencies = angular_frequencies(rotated, base=base)
    return frequencies * (1 - stretched) + frequencies / factor * stretched


def _yarn_scalings(factor: float, read: _Numbers) -> tuple[float, float]:
    """Return the scaling of cosines and sines, and DeepSeek's scaling of scores."""

    def sharper(weight: float) -> float:
        return 0.1 * weight * math.log(factor) + 1

    weight = read.number("mscale", default=0, above=-math.inf)
    weight_of_all = read.number("mscale_all_dim", default=0, above=-math.inf)
    stated = read.number("attention_factor", default=None)
    both = weight and weight_of_all
    scaling = sharper(weight) / sharper(weight_of_all) if both else sharper(1)
    return scaling if stated is None else float(stated), sharper(weight_of_all) ** 2


def _longrope(
    rotated: int, max_length: int, trained: int, length: int | None, read: _Numbers
) -> tuple[NDArray[np.float64], float]:
    """Return LongRoPE's divisors and scaling for a text."""
    is_long = length is not None and length > trained
    short, long = (read.divisors(f"{name}_factor", rotated // 2) for name in ("short", "long"))
    factor = read.factor(default=max(max_length / trained, 1))
    scaling = math.sqrt(1 + math.log(factor) / math.log(trained))
    scaling = read.number("attention_factor", default=scaling)
    scaling = read.number("long_mscale" if is_long else "short_mscale", default=scaling)
    return (long if is_long else short), float(scaling)


def _llama3(frequencies: NDArray[np.float64], trained: int, read: _Numbers) -> NDArray[np.float64]:
    """Return Llama 3.1's frequencies, blended in proportion to the turns during training."""
    slow, fast = read.number("low_freq_factor"), read.number("high_freq_factor")
    if fast < slow:
        raise ValueError(
            f"high_freq_factor must be at least low_freq_factor; got {fast} and {slow}."
        )
    turns = frequencies * trained / (2 * math.pi)
    # With equal limits, as in Llama 4, the ramp is a step.
    kept = np.clip((turns - slow) / (fast - slow), 0, 1) if fast > slow else turns > slow
    return frequencies * kept + frequencies / read.factor() * (1 - kept)


def _mrope_section(settings: Mapping, n_pairs: int, where: str) -> tuple[int, ...]:
    section = settings.get("mrope_section")
    if section is None:
        return ()
    whole = isinstance(section, list) and all(
        isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in section
    )
    if not whole or sum(section) != n_pairs:
        raise ValueError(
            f"mrope_section in {where} must divide {n_pairs} pairs among time, height and width; "
            f"got {quoted(section)}."
        )
    return tuple(section)
