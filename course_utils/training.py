"""A head that learns by training which symbol stood some places before, in plain NumPy.

Its texts are symbols drawn at random, so that only looking back can tell. All that is random comes
from one small generator, which ``explorers/training.js`` has as well: the same seed gives the same
numbers in a notebook and in a page.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .encodings import sinusoidal_encoding
from .refusals import one_of, refuse_oversize, whole_number
from .relative import rotate

__all__ = [
    "ENCODINGS",
    "N_SYMBOLS",
    "N_TEXTS",
    "LearningHead",
    "RandomNumbers",
    "draw_texts",
]

ENCODINGS = ("none", "sinusoidal", "rope")
N_SYMBOLS = 16
N_TEXTS = 6
"""Texts in a step of training."""

STEP_SIZE = 0.01
KEPT, KEPT_SQUARES = 0.9, 0.99
"""Shares of the gradients before that a step keeps, and of their squares."""


class RandomNumbers:
    """Numbers at least 0 and below 1 that look random and follow from ``seed`` alone.

    Each is ``x / (2**31 - 1)``, where ``x`` is the one before times 48271, modulo 2**31 - 1.

    Example:
        >>> RandomNumbers(seed=1)(4).round(2)
        array([0.  , 0.09, 0.6 , 0.89])

    Source:
        Park and Miller, "Random number generators: good ones are hard to find" (1988),
        Communications of the ACM 31, 1192-1201; with the multiplier of their note of 1993.
    """

    def __init__(self, seed: int) -> None:
        self._state = whole_number("seed", seed) % (2**31 - 1)

    def __call__(self, *shape: int) -> NDArray[np.float64]:
        """The next numbers, row by row."""
        numbers = np.empty(shape)
        for index in range(numbers.size):
            self._state = 48271 * self._state % (2**31 - 1)
            numbers.flat[index] = self._state / (2**31 - 1)
        return numbers


def draw_texts(random: RandomNumbers, n_texts: int, length: int) -> NDArray[np.int64]:
    """Symbols from 0 to 15, all equally likely; shape ``(n_texts, length)``.

    Example:
        >>> draw_texts(RandomNumbers(seed=1), 2, 4)
        array([[ 0,  1,  9, 14],
               [15,  3,  8,  6]])
    """
    return (N_SYMBOLS * random(n_texts, length)).astype(np.int64)


class LearningHead:
    """One attention head: it reads a text and says at each place which symbol stood before.

    Its scores of keys are ``q_i . k_j / sqrt(d_model)``, and nobody looks ahead. Training changes
    four matrices: ``E`` has a vector for each symbol, ``W_Q`` and ``W_K`` make queries and keys,
    and ``W_V`` makes of what is looked at a score for each symbol, the likelier the higher.

    Args:
        encoding: how it gets positions, one of ``ENCODINGS``.
        steps_back: how far back the symbol stood that it is asked for.
        seed: of the weights that it starts with and of the texts that it is trained on.
        length: of these texts.
        d_model: numbers in a vector; even.

    Attributes:
        weights: the four matrices by name. ``encoding`` and ``steps_back`` may be set at any time,
            also between two steps of training.

    Example:
        >>> head = LearningHead("rope")
        >>> round(float(head.train(100)[-1]), 1)
        0.0
    """

    def __init__(
        self,
        encoding: str = "rope",
        *,
        steps_back: int = 1,
        seed: int = 1,
        length: int = 32,
        d_model: int = 32,
    ) -> None:
        self.encoding = one_of("encoding", encoding, ENCODINGS)
        self.steps_back = whole_number("steps_back", steps_back)
        self.length = whole_number("length", length, lowest=2)
        d_model = whole_number("d_model", d_model)
        if d_model % 2:
            raise ValueError(f"d_model must be even; got {d_model}.")
        refuse_oversize("d_model x d_model", d_model, d_model)
        self._random = RandomNumbers(seed)
        shapes = {
            "E": (N_SYMBOLS, d_model),
            "W_Q": (d_model, d_model),
            "W_K": (d_model, d_model),
            "W_V": (d_model, N_SYMBOLS),
        }
        # Of variance 1 in each vector, and so that multiplying by a matrix keeps it.
        spread = {name: np.sqrt(3 / (1 if name == "E" else d_model)) for name in shapes}
        self.weights = {
            name: spread[name] * (2 * self._random(*shape) - 1) for name, shape in shapes.items()
        }
        self._mean = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._mean_square = {name: np.zeros(shape) for name, shape in shapes.items()}
        self.n_steps = 0

    def draw_texts(self) -> NDArray[np.int64]:
        """The texts of the next step, of shape ``(N_TEXTS, length)``."""
        return draw_texts(self._random, N_TEXTS, self.length)

    def read(self, texts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the head looks, and how it scores each symbol as its answer.

        Args:
            texts: symbols, of shape ``(n_texts, n)``; ``n`` may be beyond the trained length.

        Returns:
            Attention of shape ``(n_texts, n, n)``, scores of shape ``(n_texts, n, N_SYMBOLS)``.
        """
        _, _, _, values, attention = self._attend(_symbols(texts))
        return attention, attention @ values

    def found(self, texts: ArrayLike) -> NDArray[np.bool_]:
        """Whether the answer is right at each place that has a symbol ``steps_back`` before it.

        Returns:
            Shape ``(n_texts, n - steps_back)``.
        """
        texts = _symbols(texts)
        back = self._steps_back(texts)
        _, scores = self.read(texts)
        return scores[:, back:].argmax(axis=-1) == texts[:, :-back]

    def loss(self, texts: ArrayLike) -> tuple[float, dict[str, NDArray[np.float64]]]:
        """How wrong the answers are, and in which direction of the weights that grows.

        Softmax makes of the scores a probability for each symbol. The loss is the mean of
        ``-log(probability of the right one)`` over all places that have one, and its gradient says
        how the loss changes with each of the weights.

        Returns:
            The loss, and its gradient by name, in the shapes of ``weights``.
        """
        texts = _symbols(texts)
        back = self._steps_back(texts)
        vectors, queries, keys, values, attention = self._attend(texts)
        scores = (attention @ values)[:, back:]
        right = np.eye(N_SYMBOLS)[texts[:, :-back]]
        likely = _softmax(scores)
        n_places = right.shape[0] * right.shape[1]
        highest = scores.max(axis=-1)
        total = np.exp(scores - highest[..., np.newaxis]).sum(axis=-1)
        loss = np.sum(highest + np.log(total) - (scores * right).sum(axis=-1)) / n_places

        # Backwards through the same lines; d_x stands for the change of the loss with x.
        d_scores = np.zeros((*texts.shape, N_SYMBOLS))
        d_scores[:, back:] = (likely - right) / n_places
        d_values = _turned(attention) @ d_scores
        d_attention = d_scores @ _turned(values)
        inside = (d_attention * attention).sum(axis=-1, keepdims=True)
        d_dots = attention * (d_attention - inside) / np.sqrt(vectors.shape[-1])
        d_queries, d_keys = d_dots @ keys, _turned(d_dots) @ queries
        if self.encoding == "rope":  # a turn is undone by turning back
            places = -np.arange(texts.shape[1])
            d_queries, d_keys = rotate(d_queries, places), rotate(d_keys, places)
        made = {"W_Q": d_queries, "W_K": d_keys, "W_V": d_values}
        gradient = {
            name: np.tensordot(vectors, each, ([0, 1], [0, 1])) for name, each in made.items()
        }
        d_vectors = sum(each @ self.weights[name].T for name, each in made.items())
        gradient["E"] = np.zeros_like(self.weights["E"])
        np.add.at(gradient["E"], texts, d_vectors)
        return float(loss), gradient

    def step(self, gradient: dict[str, NDArray[np.float64]]) -> None:
        """Move each weight a little to where the loss gets smaller.

        The direction is a mean of the latest gradients, and how far a weight moves is measured by
        how large its own gradients were: Adam.

        Source:
            Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), arXiv:1412.6980.
        """
        self.n_steps += 1
        for name, its in gradient.items():
            self._mean[name] += (1 - KEPT) * (its - self._mean[name])
            self._mean_square[name] += (1 - KEPT_SQUARES) * (its**2 - self._mean_square[name])
            mean = self._mean[name] / (1 - KEPT**self.n_steps)
            mean_square = self._mean_square[name] / (1 - KEPT_SQUARES**self.n_steps)
            self.weights[name] -= STEP_SIZE * mean / (np.sqrt(mean_square) + 1e-8)

    def train(self, n_steps: int) -> NDArray[np.float64]:
        """The loop of training: draw texts, ask for the loss and its gradient, take a step.

        Returns:
            The loss before each step, of shape ``(n_steps,)``.
        """
        losses = np.empty(whole_number("n_steps", n_steps))
        for step in range(len(losses)):
            losses[step], gradient = self.loss(self.draw_texts())
            self.step(gradient)
        return losses

    def _attend(self, texts: NDArray) -> tuple[NDArray, ...]:
        """The vectors of the symbols, their queries, keys and values, and the attention."""
        n = texts.shape[1]
        vectors = self.weights["E"][texts]
        if one_of("encoding", self.encoding, ENCODINGS) == "sinusoidal":
            vectors = vectors + sinusoidal_encoding(n, vectors.shape[-1])
        queries, keys, values = (vectors @ self.weights[name] for name in ("W_Q", "W_K", "W_V"))
        if self.encoding == "rope":
            queries, keys = rotate(queries, np.arange(n)), rotate(keys, np.arange(n))
        dots = queries @ _turned(keys) / np.sqrt(vectors.shape[-1])
        attention = _softmax(np.where(np.tri(n, dtype=bool), dots, -np.inf))
        return vectors, queries, keys, values, attention

    def _steps_back(self, texts: NDArray) -> int:
        back, n = whole_number("steps_back", self.steps_back), texts.shape[1]
        if back >= n:
            raise ValueError(f"steps_back must be below the length of the texts, {n}; got {back}.")
        return back


def _softmax(scores: NDArray) -> NDArray[np.float64]:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def _turned(stack: NDArray) -> NDArray:
    """Each matrix of a stack, with rows and columns exchanged."""
    return stack.swapaxes(-1, -2)


def _symbols(texts: ArrayLike) -> NDArray[np.int64]:
    symbols = np.asarray(texts)
    if symbols.ndim != 2 or symbols.size == 0 or symbols.dtype.kind not in "iu":
        raise ValueError(
            "texts must hold whole numbers in the shape (n_texts, n) and not be empty; got "
            f"{symbols.dtype} in shape {symbols.shape}."
        )
    if symbols.min() < 0 or symbols.max() >= N_SYMBOLS:
        raise ValueError(
            f"texts must hold symbols from 0 to {N_SYMBOLS - 1}; got {symbols.min()} to "
            f"{symbols.max()}."
        )
    refuse_oversize("texts: n_texts x n x n", *symbols.shape, symbols.shape[1])
    return symbols
