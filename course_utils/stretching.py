"""RoPE beyond its training length, with methods that reduce its frequencies.

``d_model`` is the number of dimensions of a head that are rotated. It must be even and at least 2.
``base`` and ``trained_length`` (an integer) are the values used in training. ``factor`` is the
ratio of the new length to the training length, at least 1. Frequencies have the shape ``(d_model //
2,)`` and are in radians per position. Arguments of the wrong type raise TypeError, and arguments
out of range raise ValueError.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import angular_frequencies

# Notebooks of earlier editions import these two functions from this module.
from .fitting import fit_waves, smooth_scores  # noqa: F401
from .refusals import finite_number, one_of, quoted, shaped_array, whole_number

__all__ = [
    "WAYS",
    "interpolated_frequencies",
    "ntk_frequencies",
    "stretched_frequencies",
    "turns_in_training",
    "unseen_pairs",
    "yarn_frequencies",
    "yarn_scale",
]

WAYS = ("trained", "interpolation", "ntk", "yarn")
"""Methods accepted by :func:`stretched_frequencies`."""

SLOW, FAST = 1, 32
"""Limits of YaRN's transition in turns during training, as its paper recommends for Llama."""


def turns_in_training(
    d_model: int, trained_length: int, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return the number of turns that each RoPE pair makes within the training length.

    If a pair makes less than one turn, some of its angles do not occur in training.

    Returns:
        Array of shape ``(d_model // 2,)``, in turns of ``2 pi``.

    Example:
        >>> turns_in_training(4, 1000).round(2)
        array([159.15,   1.59])
    """
    trained_length = whole_number("trained_length", trained_length)
    return angular_frequencies(d_model, base=base) * trained_length / (2 * np.pi)


def unseen_pairs(
    frequencies: ArrayLike,
    used_length: int,
    trained_length: int,
    *,
    base: float = 10_000.0,
) -> NDArray[np.bool_]:
    """Return a mask of the RoPE pairs that reach angles that did not occur in training.

    Only pairs that did not complete a turn in training can reach such angles.

    Returns:
        Array of shape ``(d_model // 2,)``.

    Example:
        >>> unseen_pairs([1, 0.01], 200, 100)
        array([False,  True])
    """
    frequencies = shaped_array("frequencies", frequencies, "d_model // 2")
    turns = turns_in_training(2 * len(frequencies), trained_length, base=base)
    in_use = frequencies * whole_number("used_length", used_length) / (2 * np.pi)
    return (turns < 1) & (in_use > turns * (1 + 1e-9))


def interpolated_frequencies(
    d_model: int, factor: float, *, base: float = 10_000.0
) -> NDArray[np.float64]:
    """Return the frequencies of position interpolation, which are divided by ``factor``.

    Position interpolation is equivalent to replacing each position ``i`` by ``i / factor``.

    Returns:
        Array of shape ``(d_model // 2,)``, in radians per position.

    Example:
        >>> interpolated_frequencies(4, 2)
        array([0.5  , 0.005])

    Source:
        Chen et al., "Extending Context Window of Large Language Models via Positional
        Interpolation" (2023), arXiv:2306.15595, section 2.3.
    """
    return angular_frequencies(d_model, base=base) / _factor(factor)


def ntk_frequencies(d_model: int, factor: float, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the frequencies for a larger base, which divides the lowest frequency by ``factor``.

    The highest frequency does not change.

    Returns:
        Array of shape ``(d_model // 2,)``, in radians per position.

    Example:
        >>> ntk_frequencies(4, 2)
        array([1.   , 0.005])

    Source:
        The NTK-aware base was first posted by bloc97 (2023) and is described by Peng et al., "YaRN"
        (2023), arXiv:2309.00071, section 3.1.
    """
    d_model = whole_number("d_model", d_model, lowest=4)
    base = finite_number("base", base, above=1)
    return angular_frequencies(d_model, base=base * _factor(factor) ** (d_model / (d_model - 2)))


def yarn_frequencies(
    d_model: int,
    factor: float,
    trained_length: int,
    *,
    base: float = 10_000.0,
    limits: tuple[float, float] = (SLOW, FAST),
) -> NDArray[np.float64]:
    """Return YaRN's frequencies, which interpolate slow pairs and leave fast pairs unchanged.

    ``limits`` are the lower and upper limits in turns during training. Pairs below the lower limit
    are interpolated, and pairs above the upper limit keep their frequencies. Between the limits,
    the two frequencies are blended in proportion to the number of turns, as in the paper. Published
    code blends them in proportion to the pair's index ``k``. Models trained on short texts need
    lower limits than the default, because none of their pairs makes 32 turns.

    Returns:
        Array of shape ``(d_model // 2,)``, in radians per position.

    Example:
        >>> yarn_frequencies(4, 2, 1000).round(4)
        array([1.    , 0.0051])

    Source:
        Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models" (2023),
        arXiv:2309.00071, section 3.2.
    """
    turns = turns_in_training(d_model, trained_length, base=base)
    slow, fast = shaped_array("limits", limits, 2)
    if not 0 < slow < fast:
        raise ValueError(
            "limits must be two numbers of turns above 0, the lower one first; got "
            f"{quoted(limits)}."
        )
    kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    frequencies = angular_frequencies(d_model, base=base)
    return (1 - kept) * frequencies / _factor(factor) + kept * frequencies


def yarn_scale(factor: float) -> float:
    """Return YaRN's factor ``0.1 ln(factor) + 1`` for queries and keys, which sharpens attention.

    Example:
        >>> round(yarn_scale(4), 4)
        1.1386

    Source:
        Peng et al. (2023), arXiv:2309.00071, section 3.4.
    """
    return 0.1 * math.log(_factor(factor)) + 1


def stretched_frequencies(
    way: str,
    d_model: int,
    factor: float,
    trained_length: int,
    *,
    base: float = 10_000.0,
    limits: tuple[float, float] = (SLOW, FAST),
) -> NDArray[np.float64]:
    """Return RoPE's frequencies, stretched by one of the methods in :data:`WAYS`.

    ``limits`` are passed to :func:`yarn_frequencies`.

    Returns:
        Array of shape ``(d_model // 2,)``, in radians per position.

    Example:
        >>> stretched_frequencies("ntk", 4, 2, 1000)
        array([1.   , 0.005])
    """
    if one_of("way", way, WAYS) == "interpolation":
        return interpolated_frequencies(d_model, factor, base=base)
    if way == "ntk":
        return ntk_frequencies(d_model, factor, base=base)
    if way == "yarn":
        return yarn_frequencies(d_model, factor, trained_length, base=base, limits=limits)
    return angular_frequencies(d_model, base=base)


def _factor(factor: float) -> float:
    factor = finite_number("factor", factor)
    if factor < 1:
        raise ValueError(f"factor must be at least 1; got {quoted(factor)}.")
    return factor
