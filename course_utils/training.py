"""An attention head, in plain NumPy, that is trained to name a previous symbol.

The texts consist of random symbols, so the head can find the answer only by looking back. All
random numbers come from a small generator that is also implemented in
``explorers/training/learning_head.js``. A seed therefore produces the same numbers in notebooks and
on web pages.
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
"""Number of texts in each training step."""

STEP_SIZE = 0.01
KEPT, KEPT_SQUARES = 0.9, 0.99
"""Adam's decay rates for the moving averages of the gradients and of their squares."""


class RandomNumbers:
    """A generator of pseudorandom numbers in the half-open interval [0, 1).

    The numbers are ``x / (2**31 - 1)``, where each ``x`` is 48271 times the previous one, modulo
    ``2**31 - 1``. The first ``x`` is determined by ``seed``.

    Example:
        >>> RandomNumbers(seed=1)(4).round(2)
        array([0.  , 0.09, 0.6 , 0.89])

    Source:
        Park and Miller, "Random number generators: good ones are hard to find" (1988),
        Communications of the ACM 31, 1192-1201. The multiplier is from their note of 1993.
    """

    def __init__(self, seed: int) -> None:
        self._state = whole_number("seed", seed) % (2**31 - 1)

    def __call__(self, *shape: int) -> NDArray[np.float64]:
        """Return the next numbers in an array of the given shape, filled row by row."""
        numbers = np.empty(shape)
        for index in range(numbers.size):
            self._state = 48271 * self._state % (2**31 - 1)
            numbers.flat[index] = self._state / (2**31 - 1)
        return numbers


def draw_texts(random: RandomNumbers, n_texts: int, length: int) -> NDArray[np.int64]:
    """Draw symbols uniformly from 0 to 15, with shape ``(n_texts, length)``.

    Example:
        >>> draw_texts(RandomNumbers(seed=1), 2, 4)
        array([[ 0,  1,  9, 14],
               [15,  3,  8,  6]])
    """
    return (N_SYMBOLS * random(n_texts, length)).astype(np.int64)


class LearningHead:
    """An attention head that learns to name the symbol ``steps_back`` positions back.

    The attention scores are ``q_i . k_j / sqrt(d_model)``, and later positions are masked. Four
    matrices are trained. ``E`` contains a vector for each symbol, ``W_Q`` and ``W_K`` compute
    queries and keys, and ``W_V`` converts the attended vectors to a score for each symbol.

    Args:
        encoding: Positional encoding, one of ``ENCODINGS``.
        steps_back: Distance to the symbol that the head should name.
        seed: Seed of the initial weights and of the training texts.
        length: Length of the training texts.
        d_model: Number of dimensions, which must be even.

    Attributes:
        weights: Dictionary of the four matrices. ``encoding`` and ``steps_back`` can be changed at
            any time, even between two training steps.

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
        # The vectors have variance 1, and multiplication by these matrices preserves the variance.
        spread = {name: np.sqrt(3 / (1 if name == "E" else d_model)) for name in shapes}
        self.weights = {
            name: spread[name] * (2 * self._random(*shape) - 1) for name, shape in shapes.items()
        }
        self._mean = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._mean_square = {name: np.zeros(shape) for name, shape in shapes.items()}
        self.n_steps = 0

    def draw_texts(self) -> NDArray[np.int64]:
        """Draw the texts of the next training step, with shape ``(N_TEXTS, length)``."""
        return draw_texts(self._random, N_TEXTS, self.length)

    def read(self, texts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the attention of the head, and the score of each symbol as the answer.

        Args:
            texts: Symbols with shape ``(n_texts, n)``; ``n`` may exceed the training length.

        Returns:
            Attention of shape ``(n_texts, n, n)``, and scores of shape ``(n_texts, n, N_SYMBOLS)``.
        """
        _, _, _, values, attention = self._attend(_symbols(texts))
        return attention, attention @ values

    def found(self, texts: ArrayLike) -> NDArray[np.bool_]:
        """Return a mask of the correct answers.

        Returns:
            Array of shape ``(n_texts, n - steps_back)``. The first ``steps_back`` positions have no
            correct answer and are omitted.
        """
        texts = _symbols(texts)
        back = self._steps_back(texts)
        _, scores = self.read(texts)
        return scores[:, back:].argmax(axis=-1) == texts[:, :-back]

    def loss(self, texts: ArrayLike) -> tuple[float, dict[str, NDArray[np.float64]]]:
        """Compute the loss and its gradient with respect to the weights.

        Softmax converts the scores to probabilities of the symbols. The loss is the mean of
        ``-log(probability of the correct symbol)`` over all positions that have a correct symbol.

        Returns:
            The loss, and a dictionary of its derivatives, with the keys and shapes of ``weights``.
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

        # Backpropagate through the lines above; d_x is the derivative of the loss with respect to
        # x.
        d_scores = np.zeros((*texts.shape, N_SYMBOLS))
        d_scores[:, back:] = (likely - right) / n_places
        d_values = _turned(attention) @ d_scores
        d_attention = d_scores @ _turned(values)
        inside = (d_attention * attention).sum(axis=-1, keepdims=True)
        d_dots = attention * (d_attention - inside) / np.sqrt(vectors.shape[-1])
        d_queries, d_keys = d_dots @ keys, _turned(d_dots) @ queries
        if self.encoding == "rope":  # The gradients are rotated back.
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
        """Update the weights by one step of Adam.

        The step of each weight is proportional to a moving average of its gradients divided by
        their typical size.

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
        """Train the head for ``n_steps`` steps, with new texts for each step.

        Returns:
            Loss before each step, with shape ``(n_steps,)``.
        """
        losses = np.empty(whole_number("n_steps", n_steps))
        for step in range(len(losses)):
            losses[step], gradient = self.loss(self.draw_texts())
            self.step(gradient)
        return losses

    def _attend(self, texts: NDArray) -> tuple[NDArray, ...]:
        """Return the vectors of the symbols, their queries, keys and values, and the attention."""
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
    """Transpose each matrix in a stack."""
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
