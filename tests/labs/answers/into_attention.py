"""Correct and wrong answers for lab 06, with the expected findings."""

import math
import operator

import numpy as np
from checks.labs import Encoding, by_loops, encoding, too_long
from hypothesis import strategies as st

from . import Answers


def with_positions(sentence: np.ndarray, max_length: int, d_model: int) -> list[list[float]]:
    if len(sentence) > max_length:
        raise ValueError
    rows = by_loops(max_length, d_model)
    return [
        [sentence[position][column] + rows[position][column] for column in range(d_model)]
        for position in range(len(sentence))
    ]


def positional_encoding(max_length: int, d_model: int, *calls: np.ndarray) -> list:
    for word_vectors in calls:
        sentences = word_vectors if word_vectors.ndim == 3 else [word_vectors]
        batch = [with_positions(sentence, max_length, d_model) for sentence in sentences]
    return batch if word_vectors.ndim == 3 else batch[0]


def normal(*shape: int) -> st.SearchStrategy[np.ndarray]:
    seeds = st.integers(0, 1000)
    return seeds.map(lambda seed: np.random.default_rng(seed).normal(size=shape))


PAIRS = normal(2) | st.builds(np.array, st.lists(st.integers(-9, 9), min_size=2, max_size=2))


@st.composite
def encodings(draw: st.DrawFn) -> tuple:
    d_model = 2 * draw(st.integers(1, 6))
    n_words = st.integers(1, 8)
    calls = []
    for _ in range(draw(st.integers(1, 3))):
        shape = (draw(n_words), d_model)
        calls.append(draw(normal(*draw(st.sampled_from([shape, (draw(n_words), *shape)])))))
    return draw(n_words), d_model, *calls


def repaired(n_words, fits, cut=False, in_place=False, times=1):
    """Return the broken class with some of its faults."""

    class Repaired(Encoding):
        def __call__(self, word_vectors):
            n = n_words(word_vectors)
            if not fits(n, len(self.table)):
                raise ValueError("too many words")
            rows = times * self.table[:n]
            if cut:
                self.table = self.table[:n]
            if in_place:
                word_vectors += rows
                return word_vectors
            return word_vectors + rows

    return Repaired


def last_but_one(w):
    return w.shape[-2]


class AddsIntoItsTable(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if word_vectors.ndim == 3:
            return np.array([self(sentence) for sentence in word_vectors])
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        rows = self.table[: len(word_vectors)]
        rows += word_vectors
        return rows.copy()


def look_forward_weights(back: np.ndarray, steps: int) -> list[list[float]]:
    columns = range(len(back))
    weights = [[float(row == column) for column in columns] for row in columns]
    for _ in range(steps):
        weights = [
            [sum(row[c] * back[column][c] for c in columns) for column in columns]
            for row in weights
        ]
    return weights


def one_step_back(angles: list[float], order: str) -> np.ndarray:
    """Return weights that rotate pairs of neighbours or halves by one step."""
    columns = np.arange(2 * len(angles))
    pairs = columns.reshape(-1, 2) if order == "neighbours" else columns.reshape(2, -1).T
    back = np.zeros((len(columns), len(columns)))
    for (one, other), angle in zip(pairs, angles, strict=True):
        back[one, one] = back[other, other] = math.cos(angle)
        back[one, other], back[other, one] = math.sin(angle), -math.sin(angle)
    return back


WEIGHTS = st.builds(
    one_step_back,
    st.lists(st.floats(0.001, 1), min_size=1, max_size=6),
    st.sampled_from(["neighbours", "halves"]),
)


def share_looking_at(scores: np.ndarray, offset: int) -> float:
    hits = judged = 0
    for query, row in enumerate(scores):
        key = query + offset
        if 0 <= key < len(scores):
            judged += 1
            hits += row[key] == max(row)
    return hits / judged


@st.composite
def scores_and_offset(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    n_positions = draw(st.integers(1, 30))
    offset = draw(st.integers(1 - n_positions, n_positions - 1))
    scores = draw(normal(n_positions, n_positions))
    return scores + draw(st.floats(0, 4)) * np.eye(n_positions, k=offset), offset


def judged(hits, offset):
    """Return the part of an array that has a key at an offset."""
    return hits[max(0, -offset) : len(hits) - max(0, offset)]


def by_slices(scores, offset):
    return np.mean(scores.argmax(axis=1)[offset:] == np.arange(len(scores) - offset))


AXIS = {"1 -> -1": "axis 1 is the last"}


def query_looking_back(key: np.ndarray, steps_back: int, frequency: float) -> list[float]:
    length = math.hypot(key[0], key[1])
    direction = math.atan2(key[1], key[0]) - steps_back * frequency
    return [length * math.cos(direction), length * math.sin(direction)]


def turned(key, angle, second_sign=1):
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array(
        [key[0] * cosine + key[1] * sine, key[1] * cosine - second_sign * key[0] * sine]
    )


def overwritten(key, steps_back, frequency):
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    x, y = key
    x = x * cosine + y * sine
    y = y * cosine - x * sine
    return x, y


def turned_in_place(key, steps_back, frequency):
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    key[0] = key[0] * cosine + key[1] * sine
    key[1] = key[1] * cosine - key[0] * sine
    return key


def added_in_place(key, steps_back, frequency):
    key -= steps_back * frequency
    return key


def query_as_complex(key: np.ndarray, steps_back: int, frequency: float) -> tuple[float, float]:
    query = complex(*key) * np.exp(-1j * steps_back * frequency)
    return query.real, query.imag


def their_scores(query: np.ndarray, key: np.ndarray, n_positions: int) -> list[list[float]]:
    lengths = math.hypot(query[0], query[1]) * math.hypot(key[0], key[1])
    between = math.atan2(query[1], query[0]) - math.atan2(key[1], key[0])
    return [
        [lengths * math.cos(between + i + j) for j in range(n_positions)]
        for i in range(n_positions)
    ]


def scores_as_complex(query: np.ndarray, key: np.ndarray, n_positions: int) -> np.ndarray:
    turned = np.exp(1j * np.add.outer(np.arange(n_positions), np.arange(n_positions)))
    return (complex(*query) * turned * complex(*key).conjugate()).real


@st.composite
def attention_and_first(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    n_positions = draw(st.integers(2, 30))
    weights = np.exp(draw(normal(n_positions, n_positions)))
    weights = np.tril(weights) if draw(st.booleans()) else weights
    return weights / weights.sum(axis=1, keepdims=True), draw(st.integers(1, n_positions - 1))


def share_before(attention: np.ndarray, first: int) -> float:
    rows = attention.tolist()
    given = [row[i - 1] for i, row in enumerate(rows) if i >= first]
    return math.fsum(given) / len(given)


ANSWERS = {
    "positional-encoding": Answers(
        second=positional_encoding,
        asked=encodings(),
        right=(Encoding,),
        wrong=(
            (  # the given code, but the table is not cut
                "missing-batch-axis full-table-refused input-changed",
                repaired(len, operator.lt, in_place=True),
            ),
            ("input-changed", repaired(last_but_one, operator.le, in_place=True)),
            ("as-given", repaired(len, operator.lt, cut=True, in_place=True)),
            ("raised", encoding(lambda w, rows: too_long(w, rows) or w.shape[-2] == rows == 1)),
            ("does-not-raise", encoding(lambda w, rows: w.ndim == 2 and too_long(w, rows))),
            ("does-not-raise", encoding(lambda w, rows: w.ndim == 3 and too_long(w, rows))),
            ("does-not-raise", encoding(lambda w, rows: w.shape[-2] > rows + 1)),
            ("pattern.repair-extra", AddsIntoItsTable),
        ),
    ),
    "look-forward-weights": Answers(
        second=look_forward_weights,
        asked=st.tuples(WEIGHTS, st.integers(1, 40)),
        right=(lambda back, n: np.linalg.matrix_power(back, -n),),
        wrong=(
            (
                "pattern.repair-extra",
                lambda back, n: np.linalg.matrix_power(
                    np.where(np.tri(len(back), k=1), back, 0).T, n
                ),
            ),
        ),
    ),
    "share-looking-at": Answers(
        second=share_looking_at,
        asked=scores_and_offset(),
        right=(lambda s, r: np.diagonal(s == s.max(axis=1, keepdims=True), r).mean(),),
        wrong=(
            # The search for the maximum starts at 0.
            ("pattern.repair-extra", lambda s, r: share_looking_at(np.maximum(s, 0), r)),
            ("", by_slices),
            (
                "pattern.repair-extra",
                lambda s, r: share_looking_at(s, r) * (len(s) - abs(r)) / (len(s) - r),
            ),
        ),
        equal_changes=AXIS,
    ),
    "query-looking-back": Answers(
        second=query_looking_back,
        asked=st.tuples(PAIRS, st.integers(0, 1000), st.floats(0.001, 1)),
        right=(
            query_as_complex,
            lambda key, r, w: (
                key @ [[np.cos(r * w), -np.sin(r * w)], [np.sin(r * w), np.cos(r * w)]]
            ),
        ),
        wrong=(
            ("pattern.repair-extra", lambda key, r, w: turned(key, r * w + 0.3)),
            (
                "pattern.repair-extra",
                lambda key, r, w: turned(key, r * w + np.pi / 2),
            ),
            ("overwritten-too-soon input-changed", turned_in_place),
            ("pattern.input-returned", lambda key, r, w: key),
            ("pattern.repair-extra", lambda key, r, w: turned(key, r * w)[::-1]),
            ("pattern.extra-axis", lambda key, r, w: turned(key, r * w)[np.newaxis]),
            ("pattern.opposite-sign", lambda key, r, w: -turned(key, r * w)),
            ("angle-subtracted-from-numbers input-changed", added_in_place),
            (
                "pattern.repair-extra",
                lambda key, r, w: turned(key, r * w) / np.linalg.norm(key),
            ),
        ),
        equal_changes={
            "np.array([x * cosine + y * sine, y * cosine - x * sine])"
            " -> [x * cosine + y * sine, y * cosine - x * sine]": "a list is an answer too"
        },
    ),
    "their-scores": Answers(
        second=their_scores,
        asked=st.tuples(PAIRS, PAIRS, st.integers(1, 30)),
        right=(scores_as_complex,),
        wrong=(),
        equal_changes=AXIS
        | {"x * cosines - y * sines -> y * sines - x * cosines": "both change the sign"},
    ),
    "share-before": Answers(
        second=share_before,
        asked=attention_and_first(),
        right=(lambda a, first: np.diagonal(a, -1)[first - 1 :].mean(),),
    ),
}
