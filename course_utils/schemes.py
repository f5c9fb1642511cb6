"""Every way of telling positions apart that the course knows, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .encodings import binary_encoding, index_encoding, normalized_encoding, sinusoidal_encoding
from .frequencies import arithmetic_encoding
from .properties import Encoding
from .refusals import quoted
from .relative import alibi_bias, learned_encoding, rotate, t5_bias
from .text import Text, words

__all__ = [
    "LOOK_BACK_ENCODINGS",
    "SCHEMES",
    "Scheme",
    "absolute",
    "look_back_table",
    "relative",
    "scheme_named",
]

SAID = words(Path(__file__).with_name("schemes.toml"))

N_LANDMARKS = 32
"""Relative schemes know a position by its scores with this many positions at the start."""

NOTHING = np.empty(0)


@dataclass(frozen=True)
class Scheme:
    """One way of telling positions apart, seen from outside.

    ``vectors`` gives a row for each position, ``scores`` the number that each pair of positions
    gets whatever the words are; both take ``(n_positions, d_model)``. ``learned`` holds the
    numbers that training has to find.
    """

    name: Text
    vectors: Encoding
    scores: Encoding
    scores_name: Text
    learned: NDArray[np.floating] = field(default_factory=lambda: NOTHING)


def absolute(name: str, encoding: Encoding, learned: NDArray = NOTHING) -> Scheme:
    """A vector for each position; two positions are compared by their dot product."""

    def dot_products(n_positions: int, d_model: int) -> NDArray[np.floating]:
        table = encoding(n_positions, d_model)
        return table @ table.T

    return Scheme(
        SAID["name"][name], encoding, dot_products, SAID["scores"]["dot-products"], learned
    )


def relative(
    name: str, scores: Callable[[int, int], NDArray[np.floating]], learned: NDArray = NOTHING
) -> Scheme:
    """A number for each pair of positions; a position is known by its scores with the first."""

    def landmarks(n_positions: int, d_model: int) -> NDArray[np.floating]:
        square = scores(max(n_positions, N_LANDMARKS), d_model)
        return square[:n_positions, :N_LANDMARKS]

    return Scheme(SAID["name"][name], landmarks, scores, SAID["scores"]["scores"], learned)


def scheme_named(name: str, *, among: tuple[str, ...] | None = None) -> Scheme:
    """The scheme of that name.

    Args:
        name: a key of ``SCHEMES``.
        among: the keys that are allowed here; all of them when it is not said.

    Raises:
        ValueError: there is no scheme of that name, or it is not allowed here.
    """
    known = tuple(SCHEMES) if among is None else among
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"the encoding must be one of {', '.join(known)}; got {quoted(name)}.")
    return SCHEMES[name]


def look_back_table(name: str, n_positions: int, d_model: int) -> NDArray[np.floating]:
    """The table of one of the encodings of the look-back experiment.

    Args:
        name: a key of ``LOOK_BACK_ENCODINGS``.
        n_positions: number of positions, at least 1. The random vectors have no last position:
            what lies beyond the trained length was never trained.
        d_model: number of dimensions, even, at least 2.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: there is no encoding of that name, or it refuses a size.
    """
    if name == "learned":
        return learned_encoding(n_positions, d_model, max_length=n_positions)
    return scheme_named(name, among=tuple(LOOK_BACK_ENCODINGS)).vectors(n_positions, d_model)


def _no_encoding(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Every position gets the zero vector: what a model without positions works with."""
    return np.zeros((n_positions, d_model))


def _rope_scores(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """One and the same vector as every query and key, turned by each position."""
    turned = rotate(np.ones((n_positions, d_model)), np.arange(n_positions))
    return turned @ turned.T


_BUCKET_VALUES = np.random.default_rng(0).uniform(-1, 1, 32)

SCHEMES: dict[str, Scheme] = {
    "none": absolute("none", _no_encoding),
    "index": absolute("index", index_encoding),
    "normalized": absolute("normalized", normalized_encoding),
    "binary": absolute("binary", binary_encoding),
    "sinusoidal": absolute("sinusoidal", sinusoidal_encoding),
    "arithmetic": absolute("arithmetic", arithmetic_encoding),
    "learned": absolute("learned", learned_encoding, learned=learned_encoding(64, 6)),
    "t5": relative(
        "t5",
        lambda n_positions, d_model: t5_bias(n_positions, _BUCKET_VALUES),
        learned=_BUCKET_VALUES,
    ),
    "alibi": relative("alibi", lambda n_positions, d_model: alibi_bias(n_positions, 8)[0]),
    "rope": relative("rope", _rope_scores),
}

LOOK_BACK_ENCODINGS = {
    name: SCHEMES[name].name
    for name in ("index", "normalized", "binary", "sinusoidal", "arithmetic", "learned")
} | {"learned": SAID["name"]["random"]}
