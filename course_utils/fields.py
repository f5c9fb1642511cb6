"""A small network that learns a picture from the coordinates of its pixels, in plain NumPy.

Grey levels range from 0 (white) to 1 (black). A point has coordinates ``(x, y)``, from 0 at the
left and upper edges of the picture to 1 at the right and lower edges. During training, the network
sees every second pixel, like the black squares of a chessboard. It then predicts all pixels. The
random number generator of ``training.py`` is also implemented in the browser, so a seed produces
the same network in Python and in the browser.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .refusals import finite_array, finite_number, one_of, quoted, shaped_array, whole_number
from .training import RandomNumbers

__all__ = [
    "MAX_WAVES",
    "PICTURES",
    "NeuralField",
    "drawn_picture",
    "pixel_centres",
    "seen_pixels",
    "typical_error",
    "wave_features",
    "wave_frequencies",
]

PICTURES = ("clock", "rings")
MAX_WAVES = 8
"""Maximum number of waves for each axis."""

WIDTH = 32
"""Number of units in each of the two hidden layers."""

STEP_SIZE = 0.02
KEPT, KEPT_SQUARES = 0.9, 0.99
"""Adam's decay rates for the moving averages of the gradients and of their squares."""


def pixel_centres(size: int) -> NDArray[np.float64]:
    """Return the centre of each pixel, row by row from the top.

    Returns:
        Array of shape ``(size * size, 2)`` with columns x and y.

    Example:
        >>> pixel_centres(2)
        array([[0.25, 0.25],
               [0.75, 0.25],
               [0.25, 0.75],
               [0.75, 0.75]])
    """
    middles = (np.arange(whole_number("size", size)) + 0.5) / size
    x, y = np.meshgrid(middles, middles)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def seen_pixels(size: int) -> NDArray[np.bool_]:
    """Return a mask that is True for every second pixel, in a chessboard pattern.

    Returns:
        Array of shape ``(size * size,)``, row by row.

    Example:
        >>> seen_pixels(2)
        array([ True, False, False,  True])
    """
    row, column = np.divmod(np.arange(whole_number("size", size) ** 2), size)
    return (row + column) % 2 == 0


def drawn_picture(name: str, size: int = 48) -> NDArray[np.float64]:
    """Return a picture of a clock face, or of rings that become finer towards the edge.

    Args:
        name: One of ``PICTURES``.
        size: Number of pixels along each edge.

    Returns:
        Grey levels with shape ``(size, size)``, which are multiples of 1/255 as in image files.

    Example:
        >>> drawn_picture("rings", 4).round(2)
        array([[0.69, 0.04, 0.04, 0.69],
               [0.04, 0.31, 0.31, 0.04],
               [0.04, 0.31, 0.31, 0.04],
               [0.69, 0.04, 0.04, 0.69]])
    """
    one_of("name", name, PICTURES)
    points = pixel_centres(size) - 0.5
    radius = np.hypot(*points.T)
    if name == "rings":
        return _rounded(0.5 + 0.5 * np.cos(20 * np.pi * radius**2), size)
    middle = np.zeros(2)
    strokes = [(np.abs(radius - 0.42), 0.04)]
    for hour in range(12):
        outwards = _direction(hour / 12)
        strokes.append((_distance_to_segment(points, 0.33 * outwards, 0.4 * outwards), 0.02))
    strokes.append((_distance_to_segment(points, middle, 0.31 * _direction(10 / 60)), 0.03))
    strokes.append((_distance_to_segment(points, middle, 0.2 * _direction(7.17 / 12)), 0.05))
    # A pixel that is partly covered by a stroke is grey.
    ink = [np.clip((width / 2 - distance) * size + 0.5, 0, 1) for distance, width in strokes]
    return _rounded(np.max(ink, axis=0), size)


def wave_frequencies(n_waves: int, fastest: float) -> NDArray[np.float64]:
    """Return angular frequencies from half a turn across the picture to ``fastest`` turns.

    The frequencies are geometrically spaced. If ``n_waves`` is 1, the result is the fastest wave.

    Returns:
        Array of shape ``(n_waves,)``, in radians per picture width.

    Example:
        >>> wave_frequencies(4, 4) / (2 * np.pi)
        array([0.5, 1. , 2. , 4. ])
    """
    n_waves = whole_number("n_waves", n_waves, lowest=0)
    if n_waves > MAX_WAVES:
        raise ValueError(f"n_waves must be at most {MAX_WAVES}; got {quoted(n_waves)}.")
    fastest = finite_number("fastest", fastest, above=0)
    shares = np.arange(n_waves) / max(1, n_waves - 1) if n_waves != 1 else np.ones(1)
    return 2 * np.pi * 0.5 * (2 * fastest) ** shares


def wave_features(points: ArrayLike, frequencies: ArrayLike) -> NDArray[np.float64]:
    """Return the network's inputs, which are the coordinates and their sines and cosines.

    The first columns are ``2x - 1`` and ``2y - 1``. For each frequency, four columns follow: the
    sine and cosine of the angle along x, and the sine and cosine of the angle along y. All values
    are divided by the square root of the number of columns.

    Args:
        points: Array of shape ``(n_points, 2)``.
        frequencies: Array of shape ``(n_waves,)``, in radians per picture width; it may be empty.

    Returns:
        Array of shape ``(n_points, 2 + 4 * n_waves)``.

    Example:
        >>> wave_features([[0.5, 0.25]], []).round(3)
        array([[ 0.   , -0.354]])

    Source:
        Mildenhall et al., "NeRF: Representing Scenes as Neural Radiance Fields for View Synthesis"
        (2020), arXiv:2003.08934, section 5.1.
    """
    points = shaped_array("points", points, "n_points", 2)
    frequencies = finite_array("frequencies", frequencies).ravel()
    angles = points[:, np.newaxis, :] * frequencies[:, np.newaxis]
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(points), -1)
    features = np.concatenate([2 * points - 1, waves], axis=1)
    return features / np.sqrt(features.shape[1])


def typical_error(levels: ArrayLike, answers: ArrayLike) -> float:
    """Return the root mean square error of grey levels, which is 0 for an exact picture.

    Example:
        >>> round(typical_error([0, 0, 1, 1], [0, 0, 0.5, 0.5]), 3)
        0.354
    """
    difference = np.asarray(levels, dtype=float) - np.asarray(answers, dtype=float)
    return float(np.sqrt(np.mean(difference**2)))


class NeuralField:
    """A network that predicts the grey level of a point from its coordinates.

    The network has two hidden layers of 32 units, ``max(0, x W + b)``, and a linear layer with one
    output.

    Args:
        n_waves: Number of waves for each axis, from 0 to 8.
        fastest: Number of turns of the fastest wave across the picture.
        seed: Seed of the initial weights.

    Attributes:
        weights: Dictionary of the matrices ``W_1``, ``W_2``, ``W_3`` and the vectors ``b_1``,
            ``b_2``, ``b_3``. Rows of ``W_1`` for absent waves are not used. ``n_waves`` and
            ``fastest`` can be changed at any time, even between two training steps.

    Example:
        >>> levels, seen = drawn_picture("clock").ravel(), seen_pixels(48)
        >>> field = NeuralField(n_waves=8, fastest=8)
        >>> losses = field.train(pixel_centres(48)[seen], levels[seen], 100)
        >>> bool(losses[-1] < losses[0] / 10)
        True

    Source:
        Tancik et al., "Fourier Features Let Networks Learn High Frequency Functions in Low
        Dimensional Domains" (2020), arXiv:2006.10739.
    """

    def __init__(self, n_waves: int = MAX_WAVES, fastest: float = 8.0, *, seed: int = 1) -> None:
        self.n_waves, self.fastest = n_waves, fastest
        wave_frequencies(n_waves, fastest)
        random = RandomNumbers(seed)
        n_inputs = 2 + 4 * MAX_WAVES
        # The inputs have a norm of about 1. The factor 2 compensates for the hidden units with
        # output 0, about half of them.
        spread = {"W_1": np.sqrt(2), "W_2": np.sqrt(2 / WIDTH), "W_3": np.sqrt(1 / WIDTH)}
        shapes = {"W_1": (n_inputs, WIDTH), "W_2": (WIDTH, WIDTH), "W_3": (WIDTH, 1)}
        self.weights = {
            name: np.sqrt(3) * spread[name] * (2 * random(*shape) - 1)
            for name, shape in shapes.items()
        }
        self.weights |= {"b_1": np.zeros(WIDTH), "b_2": np.zeros(WIDTH), "b_3": np.full(1, 0.5)}
        self._mean = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self._mean_square = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self.n_steps = 0

    def predict(self, points: ArrayLike) -> NDArray[np.float64]:
        """Predict the grey level of each point, with shape ``(n_points,)``."""
        return self._layers(points)[-1][:, 0]

    def loss(
        self, points: ArrayLike, levels: ArrayLike
    ) -> tuple[float, dict[str, NDArray[np.float64]]]:
        """Compute the mean squared error of the grey levels, and its gradient.

        Args:
            points: Array of shape ``(n_points, 2)``.
            levels: Grey levels of the picture at these points, with shape ``(n_points,)``.

        Returns:
            The loss, and a dictionary of its derivatives, with the keys and shapes of ``weights``.
        """
        inputs, first, second, answers = self._layers(points)
        errors = answers - shaped_array("levels", levels, len(inputs))[:, np.newaxis]
        # Backpropagate through the layers; d_x is the derivative of the loss with respect to x.
        d_answers = 2 * errors / len(errors)
        d_second = (d_answers @ self.weights["W_3"].T) * (second > 0)
        d_first = (d_second @ self.weights["W_2"].T) * (first > 0)
        gradient = {
            "W_1": np.zeros_like(self.weights["W_1"]),
            "W_2": first.T @ d_second,
            "W_3": second.T @ d_answers,
            "b_1": d_first.sum(axis=0),
            "b_2": d_second.sum(axis=0),
            "b_3": d_answers.sum(axis=0),
        }
        gradient["W_1"][: inputs.shape[1]] = inputs.T @ d_first
        return float(np.mean(errors**2)), gradient

    def step(self, gradient: dict[str, NDArray[np.float64]]) -> None:
        """Update the weights by one step of Adam.

        Source:
            Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), arXiv:1412.6980.
        """
        self.n_steps += 1
        for name, slopes in gradient.items():
            self._mean[name] += (1 - KEPT) * (slopes - self._mean[name])
            self._mean_square[name] += (1 - KEPT_SQUARES) * (slopes**2 - self._mean_square[name])
            mean = self._mean[name] / (1 - KEPT**self.n_steps)
            mean_square = self._mean_square[name] / (1 - KEPT_SQUARES**self.n_steps)
            self.weights[name] -= STEP_SIZE * mean / (np.sqrt(mean_square) + 1e-8)

    def train(self, points: ArrayLike, levels: ArrayLike, n_steps: int) -> NDArray[np.float64]:
        """Train the network for ``n_steps`` steps, each on all points.

        Returns:
            Loss before each step, with shape ``(n_steps,)``.
        """
        losses = np.empty(whole_number("n_steps", n_steps))
        for step in range(len(losses)):
            losses[step], gradient = self.loss(points, levels)
            self.step(gradient)
        return losses

    def _layers(self, points: ArrayLike) -> tuple[NDArray[np.float64], ...]:
        """Return the inputs, the activations of both hidden layers, and the outputs, row by row."""
        weights = self.weights
        inputs = wave_features(points, wave_frequencies(self.n_waves, self.fastest))
        first = np.maximum(0, inputs @ weights["W_1"][: inputs.shape[1]] + weights["b_1"])
        second = np.maximum(0, first @ weights["W_2"] + weights["b_2"])
        return inputs, first, second, second @ weights["W_3"] + weights["b_3"]


def _rounded(levels: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.round(255 * levels.reshape(size, size)) / 255


def _direction(turns: float) -> NDArray[np.float64]:
    """Return the unit vector of a clock hand, with y pointing down."""
    return np.array([np.sin(2 * np.pi * turns), -np.cos(2 * np.pi * turns)])


def _distance_to_segment(
    points: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.float64]:
    along = end - start
    share = np.clip((points - start) @ along / (along @ along), 0, 1)
    return np.linalg.norm(points - start - share[:, np.newaxis] * along, axis=1)
