"""A registry of the positional schemes in the course."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from .encodings import binary_encoding, index_encoding, normalized_encoding, sinusoidal_encoding
from .frequencies import arithmetic_encoding
from .properties import Encoding
from .refusals import one_of
from .relative import alibi_bias, learned_encoding, rotate, t5_bias

__all__ = [
    "LOOK_BACK_ENCODINGS",
    "SCHEMES",
    "Scheme",
    "absolute",
    "look_back_table",
    "relative",
    "scheme_named",
]

N_LANDMARKS = 32
"""Number of first positions whose scores describe a position in a relative scheme."""

N_BUCKETS = 32
"""Number of biases that T5 learns for each head."""

MAX_LENGTH = 64
"""Number of positions for which the learned encoding has vectors."""


@dataclass(frozen=True)
class Scheme:
    """A positional scheme, defined by its vectors or by its scores.

    ``vectors`` returns a row for each position. ``scores`` returns the score that each pair of
    positions contributes, regardless of the words. The arguments of both are ``n_positions`` and
    ``d_model``. ``is_added`` is True if the vectors are added to the word vectors. ``n_learned``
    returns the number of learned parameters for ``d_model``. ``drawn`` returns the scheme with
    random parameters for a seed.
    """

    vectors: Encoding
    scores: Encoding
    is_added: bool
    n_learned: Callable[[int], int] = lambda d_model: 0
    drawn: Callable[[int], Scheme] | None = None


def absolute(encoding: Encoding, **learned: Callable) -> Scheme:
    """Create a scheme that adds vectors to the word vectors.

    Its scores are the dot products of the vectors.
    """

    def dot_products(n_positions: int, d_model: int) -> NDArray[np.floating]:
        table = encoding(n_positions, d_model)
        return table @ table.T

    return Scheme(encoding, dot_products, is_added=True, **learned)


def relative(scores: Encoding, **learned: Callable) -> Scheme:
    """Create a scheme that adds a number to the score of each pair of positions.

    The vector of a position consists of its scores with the first ``N_LANDMARKS`` positions.
    """

    def landmarks(n_positions: int, d_model: int) -> NDArray[np.floating]:
        square = scores(max(n_positions, N_LANDMARKS), d_model)
        return square[:n_positions, :N_LANDMARKS]

    return Scheme(landmarks, scores, is_added=False, **learned)


def scheme_named(name: str, *, among: tuple[str, ...] | None = None) -> Scheme:
    """Return a scheme by its key in ``SCHEMES``.

    If ``among`` is given, only these keys are allowed.
    """
    return SCHEMES[one_of("the encoding", name, SCHEMES if among is None else among)]


def look_back_table(name: str, n_positions: int, d_model: int) -> NDArray[np.floating]:
    """Return the table of one of ``LOOK_BACK_ENCODINGS``, with shape ``(n_positions, d_model)``.

    In the look-back experiment, the table of random vectors has no maximum length. Rows beyond the
    training length were never trained.
    """
    if name == "learned":
        return learned_encoding(n_positions, d_model, max_length=n_positions)
    return scheme_named(name, among=LOOK_BACK_ENCODINGS).vectors(n_positions, d_model)


def _rope_scores(n_positions: int, d_model: int) -> NDArray[np.float64]:
    """Return RoPE's scores for queries and keys that are all the same vector."""
    turned = rotate(np.ones((n_positions, d_model)), np.arange(n_positions))
    return turned @ turned.T


def _learned(seed: int) -> Scheme:
    return absolute(
        partial(learned_encoding, max_length=MAX_LENGTH, seed=seed),
        n_learned=lambda d_model: MAX_LENGTH * d_model,
        drawn=_learned,
    )


@cache
def _buckets(n_positions: int) -> NDArray[np.int64]:
    """Return the bucket of each pair of positions."""
    return t5_bias(n_positions, np.arange(N_BUCKETS)).astype(np.int64)


def _t5(seed: int) -> Scheme:
    values = np.random.default_rng(seed).uniform(-1, 1, N_BUCKETS)
    return relative(
        lambda n_positions, d_model: values[_buckets(n_positions)],
        n_learned=lambda d_model: N_BUCKETS,
        drawn=_t5,
    )


SCHEMES: dict[str, Scheme] = {
    "none": absolute(lambda n_positions, d_model: np.zeros((n_positions, d_model))),
    "index": absolute(index_encoding),
    "normalized": absolute(normalized_encoding),
    "binary": absolute(binary_encoding),
    "sinusoidal": absolute(sinusoidal_encoding),
    "arithmetic": absolute(arithmetic_encoding),
    "learned": _learned(0),
    "t5": _t5(0),
    "alibi": relative(lambda n_positions, d_model: alibi_bias(n_positions, 8)[0]),
    "rope": relative(_rope_scores),
}

LOOK_BACK_ENCODINGS = ("index", "normalized", "binary", "sinusoidal", "arithmetic", "learned")
"""Encodings compared in the look-back experiment, in which ``learned`` vectors are random."""
