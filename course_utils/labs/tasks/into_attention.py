"""Lab 06: positions in batches, a head that looks back, and RoPE on one pair."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .binary import OFFSET_OFF_BY_ONE
from .naive_encodings import POSITIONS_FROM_ONE
from .rotation import ONE_ANGLE, Shift
from .sinusoidal import DEGREES, Sinusoids


@dataclass(frozen=True)
class Addition:
    """Word vectors plus the rows of a table, sentence by sentence."""

    counted_axis: int = -2
    per_sentence: bool = False
    times: int = 1
    first_position: int = 0
    guarded: bool = True

    def __call__(self, max_length: int, d_model: int, *calls: NDArray) -> NDArray[np.float64]:
        word_vectors = calls[-1]
        table = Sinusoids()(max_length, d_model) * self.times
        if self.per_sentence:
            table = table[:, np.newaxis]
        n_words = word_vectors.shape[0 if self.per_sentence else self.counted_axis]
        if self.guarded and n_words > max_length:
            raise ValueError("more words than positions")
        return word_vectors + table[self.first_position : n_words + self.first_position]


@dataclass(frozen=True)
class Scores:
    """How well each query suits each key."""

    keys_ask: bool = False
    weights_used: bool = True

    def __call__(self, table: NDArray, weights: NDArray) -> NDArray[np.float64]:
        weights = weights if self.weights_used else np.eye(len(weights))
        scores = table @ weights @ table.T
        return scores.T if self.keys_ask else scores


@dataclass(frozen=True)
class ShareLookingBack:
    """The share of positions whose largest score is ``k`` positions back."""

    direction: int = 1
    extra: int = 0
    first_counted: bool = False
    keys_ask: bool = False
    in_percent: bool = False

    def __call__(self, scores: NDArray, k: int) -> float:
        n_positions = len(scores)
        most_attended = (scores.T if self.keys_ask else scores).argmax(axis=1)
        targets = np.arange(n_positions) - self.direction * (k + self.extra)
        there = (targets >= 0) & (targets < n_positions)
        hits = (most_attended == targets)[there].sum()
        share = hits / (n_positions if self.first_counted else there.sum())
        return float(100 * share if self.in_percent else share)


@dataclass(frozen=True)
class Rotation:
    """Each pair of numbers turned by its position, counter-clockwise."""

    direction: int = 1
    radians_per_unit: float = 1.0
    first_position: int = 0
    one_angle: bool = False
    overwritten: bool = False

    def __call__(self, vectors: NDArray, positions: NDArray) -> NDArray[np.float64]:
        positions = positions + self.first_position
        if self.one_angle:
            positions = np.ones_like(positions)
        angles = positions * self.radians_per_unit * self.direction
        x, y = vectors.T
        turned = x * np.cos(angles) - y * np.sin(angles)
        if self.overwritten:
            x = turned
        return np.stack([turned, x * np.sin(angles) + y * np.cos(angles)], axis=1)


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=6).uniform(-1, 1, shape).round(2)


def _mostly_back(n_positions: int, k: int) -> NDArray[np.float64]:
    """Scores of a head that mostly looks back by ``k``, and at times elsewhere."""
    scores = _some(n_positions, n_positions)
    steps = np.random.default_rng(seed=k).choice(
        [-k, -k - 1, 1 - k, k], n_positions, p=[0.55, 0.25, 0.1, 0.1]
    )
    queries = np.arange(n_positions)
    scores[queries, (queries + steps) % n_positions] = 2
    return scores


QUERIES_KEYS_SWAPPED = Misconception("queries-keys-swapped", {"keys_ask": True})

EXERCISES = (
    Exercise(
        id="positional-encoding",
        named="PositionalEncoding",
        parameters=("max_length", "d_model"),
        called_with="word_vectors",
        reference=Addition(),
        cases=(
            *((10, 8, _some(*shape)) for shape in ((5, 8), (1, 5, 8), (3, 5, 8))),
            *((max_length, 8, _some(5, 8)) for max_length in (5, 4)),
            (1, 8, _some(6, 8)),
            (7, 10, _some(20, 4, 10)),
            (4, 8, _some(2, 5, 8)),
            (1, 8, _some(3, 2, 8)),
            (1, 2, _some(1, 2)),
            (1, 2, _some(6, 1, 2)),
            (9, 6, _some(1, 6)),
            (60, 10, _some(3, 10), _some(60, 10)),
        ),
        misconceptions=(
            Misconception("missing-batch-axis", {"counted_axis": 0}, {"per_sentence": True}),
            Misconception("batch-axis-assumed", {"counted_axis": 1}),
            Misconception("table-added-twice", {"times": 2}),
            Misconception("one-row-stretched", {"guarded": False}),
            POSITIONS_FROM_ONE,
        ),
    ),
    Exercise(
        id="look-back-scores",
        parameters=("table", "weights"),
        reference=Scores(),
        cases=tuple((Sinusoids()(n, d), _some(d, d)) for n, d in ((6, 4), (3, 8), (1, 6), (60, 2))),
        misconceptions=(
            QUERIES_KEYS_SWAPPED,
            Misconception("weights-unused", {"weights_used": False}),
        ),
    ),
    Exercise(
        id="look-back-weights",
        parameters=("k", "d_model"),
        reference=Shift(),
        cases=((1, 4), (3, 8), (5, 6), (0, 2), (40, 22)),
        misconceptions=(
            Misconception("weights-look-ahead", {"direction": -1}),
            OFFSET_OFF_BY_ONE,
            ONE_ANGLE,
            DEGREES,
        ),
    ),
    Exercise(
        id="share-looking-back",
        parameters=("scores", "k"),
        reference=ShareLookingBack(),
        cases=(
            *((_mostly_back(n, k), k) for n, k in ((20, 3), (47, 5), (61, 2), (31, 1), (60, 9))),
            (np.array([[0.5, 0.2], [0.3, 0.1]]), 1),
        ),
        misconceptions=(
            Misconception("first-rows-counted", {"first_counted": True}),
            Misconception("compared-ahead", {"direction": -1}),
            OFFSET_OFF_BY_ONE,
            QUERIES_KEYS_SWAPPED,
            Misconception("in-percent", {"in_percent": True}),
        ),
    ),
    Exercise(
        id="rotate-pair",
        named="rotate",
        parameters=("vectors", "positions"),
        reference=Rotation(),
        cases=(
            (_some(4, 2), np.arange(4)),
            (_some(3, 2), np.array([7, 2, 11])),
            (3 * _some(60, 2), np.arange(60)[::-1] * 17),
            (_some(1, 2), np.array([2])),
        ),
        misconceptions=(
            Misconception("turned-backwards", {"direction": -1}),
            Misconception("overwritten-too-soon", {"overwritten": True}),
            Misconception("position-ignored", {"one_angle": True}),
            DEGREES,
            POSITIONS_FROM_ONE,
        ),
    ),
)
