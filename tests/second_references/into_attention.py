"""Lab 06 a second time."""

import math

import numpy as np
from hypothesis import strategies as st

from . import Second
from .sinusoidal import table


def positional_encoding(max_length: int, d_model: int, *calls: np.ndarray) -> list:
    for word_vectors in calls:
        sentences = word_vectors if word_vectors.ndim == 3 else [word_vectors]
        batch = [with_positions(sentence, max_length, d_model) for sentence in sentences]
    return batch if word_vectors.ndim == 3 else batch[0]


def with_positions(sentence: np.ndarray, max_length: int, d_model: int) -> list[list[float]]:
    if len(sentence) > max_length:
        raise ValueError
    rows = table(max_length, d_model)
    return [
        [sentence[position][column] + rows[position][column] for column in range(d_model)]
        for position in range(len(sentence))
    ]


def look_forward_weights(back: np.ndarray, steps: int) -> list[list[float]]:
    columns = range(len(back))
    weights = [[float(row == column) for column in columns] for row in columns]
    for _ in range(steps):
        weights = [
            [sum(row[c] * back[column][c] for c in columns) for column in columns]
            for row in weights
        ]
    return weights


def share_looking_at(scores: np.ndarray, offset: int) -> float:
    hits = judged = 0
    for query, row in enumerate(scores):
        key = query + offset
        if 0 <= key < len(scores):
            judged += 1
            hits += row[key] == max(row)
    return hits / judged


def query_looking_back(key: np.ndarray, steps_back: int, frequency: float) -> list[float]:
    length = math.hypot(key[0], key[1])
    direction = math.atan2(key[1], key[0]) - steps_back * frequency
    return [length * math.cos(direction), length * math.sin(direction)]


def their_scores(query: np.ndarray, key: np.ndarray, n_positions: int) -> list[list[float]]:
    lengths = math.hypot(query[0], query[1]) * math.hypot(key[0], key[1])
    between = math.atan2(query[1], query[0]) - math.atan2(key[1], key[0])
    return [
        [lengths * math.cos(between + i + j) for j in range(n_positions)]
        for i in range(n_positions)
    ]


def normal(*shape: int) -> st.SearchStrategy[np.ndarray]:
    seeds = st.integers(0, 1000)
    return seeds.map(lambda seed: np.random.default_rng(seed).normal(size=shape))


def one_step_back(angles: list[float], order: str) -> np.ndarray:
    """Weights that turn each pair of columns by its angle; pairs are neighbours or halves."""
    columns = np.arange(2 * len(angles))
    pairs = columns.reshape(-1, 2) if order == "neighbours" else columns.reshape(2, -1).T
    back = np.zeros((len(columns), len(columns)))
    for (one, other), angle in zip(pairs, angles, strict=True):
        back[one, one] = back[other, other] = math.cos(angle)
        back[one, other], back[other, one] = math.sin(angle), -math.sin(angle)
    return back


@st.composite
def encodings(draw: st.DrawFn) -> tuple:
    d_model = 2 * draw(st.integers(1, 6))
    n_words = st.integers(1, 8)
    calls = []
    for _ in range(draw(st.integers(1, 3))):
        shape = (draw(n_words), d_model)
        calls.append(draw(normal(*draw(st.sampled_from([shape, (draw(n_words), *shape)])))))
    return draw(n_words), d_model, *calls


@st.composite
def scores_and_offset(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    n_positions = draw(st.integers(1, 30))
    offset = draw(st.integers(1 - n_positions, n_positions - 1))
    scores = draw(normal(n_positions, n_positions))
    return scores + draw(st.floats(0, 4)) * np.eye(n_positions, k=offset), offset


WEIGHTS = st.builds(
    one_step_back,
    st.lists(st.floats(0.001, 1), min_size=1, max_size=6),
    st.sampled_from(["neighbours", "halves"]),
)

SECOND = {
    "positional-encoding": Second(positional_encoding, encodings()),
    "look-forward-weights": Second(look_forward_weights, st.tuples(WEIGHTS, st.integers(1, 40))),
    "share-looking-at": Second(share_looking_at, scores_and_offset()),
    "query-looking-back": Second(
        query_looking_back, st.tuples(normal(2), st.integers(0, 1000), st.floats(0.001, 1))
    ),
    "their-scores": Second(their_scores, st.tuples(normal(2), normal(2), st.integers(1, 30))),
}
