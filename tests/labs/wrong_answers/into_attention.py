"""Realistic wrong answers for lab 06, with the expected findings."""

import math
import operator
from collections.abc import Callable

import numpy as np
from answers.into_attention import (
    judged,
    last_but_one,
    overwritten,
    repaired,
    turned,
    turned_in_place,
)
from checks.labs import Encoding, encoding

from course_utils import shift_matrix


def by_argmax(scores, offset, axis=1):
    return scores.argmax(axis=axis) == np.arange(len(scores)) + offset


def written_into(query, key, angle):
    query[0], query[1] = turned(key, angle)
    return query


def rope_scores(query_turn: float, key_turn: float, first: int = 0) -> Callable[..., np.ndarray]:
    """Return scores of a query and a key that are rotated by given angles per position."""

    def scores(query: np.ndarray, key: np.ndarray, n_positions: int) -> np.ndarray:
        positions = np.arange(n_positions) + first
        queries = np.array([turned(query, -query_turn * position) for position in positions])
        keys = np.array([turned(key, -key_turn * position) for position in positions])
        return queries @ keys.T

    return scores


class SentencesOnly(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        n_words, _ = word_vectors.shape
        return super().__call__(word_vectors)


class OneLongSentence(Encoding):
    def __call__(self, word_vectors: np.ndarray) -> np.ndarray:
        if word_vectors.shape[-2] > len(self.table):
            raise ValueError
        positions = np.arange(word_vectors[..., 0].size) % len(self.table)
        return word_vectors + self.table[positions].reshape(word_vectors.shape)


WRONG = {
    "positional-encoding": (
        ("missing-batch-axis", repaired(len, operator.le)),
        ("batch-axis-assumed", repaired(lambda w: w.shape[1], operator.le)),
        ("full-table-refused", repaired(last_but_one, operator.lt)),
        ("table-cut-for-good", repaired(last_but_one, operator.le, cut=True)),
        ("one-row-stretched", encoding(lambda *_: False)),
        ("table-added-twice", repaired(last_but_one, operator.le, times=2)),
        ("sentences-counted-on", OneLongSentence),
        ("missing-batch-axis table-cut-for-good", repaired(len, operator.le, cut=True)),
        ("full-table-refused table-cut-for-good", repaired(last_but_one, operator.lt, cut=True)),
        (
            "missing-batch-axis full-table-refused table-cut-for-good",
            repaired(len, operator.lt, cut=True),
        ),
        ("missing-batch-axis one-row-stretched", repaired(len, lambda *_: True)),
        (
            "batch-axis-assumed one-row-stretched",
            repaired(lambda w: w.shape[1], lambda *_: True),
        ),
        (
            "table-added-twice one-row-stretched",
            repaired(last_but_one, lambda *_: True, times=2),
        ),
        ("raised", SentencesOnly),
    ),
    "look-forward-weights": (
        ("still-looks-back", np.linalg.matrix_power),
        ("entries-to-the-power", lambda back, steps: back.T**steps),
        ("entries-to-the-power", lambda back, steps: 1 / back**steps),
        ("entries-to-the-power", lambda back, steps: np.diag(np.diag(back) ** steps)),
        (
            "still-looks-back entries-to-the-power",
            lambda back, steps: np.prod([back] * steps, axis=0),
        ),
        ("weights-times-steps", lambda back, steps: steps * back.T),
        ("one-step-only", lambda back, steps: back.T),
        ("steps-off-by-one", lambda back, steps: np.linalg.matrix_power(back.T, steps + 1)),
        ("steps-off-by-one", lambda back, steps: np.linalg.matrix_power(back, 1 - steps)),
        ("scores-upside-down", lambda back, steps: -np.linalg.matrix_power(back, steps)),
        ("scores-upside-down", lambda back, steps: -np.linalg.matrix_power(back, -steps)),
        (
            "scores-upside-down",
            lambda back, steps: (-1) ** steps * np.linalg.matrix_power(back, steps),
        ),
        ("given-weights-unused", lambda back, steps: shift_matrix(-steps, len(back))),
        (
            "still-looks-back given-weights-unused",
            lambda back, steps: np.linalg.matrix_power(shift_matrix(1, len(back)), steps),
        ),
    ),
    "share-looking-at": (
        ("all-queries-counted", lambda s, r: by_argmax(s, r).mean()),
        ("offset-turned-round", lambda s, r: judged(by_argmax(s, -r), -r).mean()),
        (
            "distance-for-offset",
            lambda s, r: judged(abs(s.argmax(1) - np.arange(len(s))) == abs(r), r).mean(),
        ),
        (
            "distance-for-offset",
            lambda s, r: (
                judged(by_argmax(s, r), r).mean()
                + (judged(by_argmax(s, -r), -r).mean() if r else 0)
            ),
        ),
        ("queries-keys-swapped", lambda s, r: judged(by_argmax(s, r, axis=0), r).mean()),
        ("offset-off-by-one", lambda s, r: judged(by_argmax(s, r + 1), r + 1).mean()),
        ("offset-off-by-one", lambda s, r: judged(by_argmax(s, r - 1), r - 1).mean()),
        (
            "begins-again-at-the-start",
            lambda s, r: (s.argmax(1) == np.roll(np.arange(len(s)), -r)).mean(),
        ),
        ("last-queries-left-out", lambda s, r: by_argmax(s, r)[: len(s) - abs(r)].mean()),
        ("in-percent", lambda s, r: 100 * judged(by_argmax(s, r), r).mean()),
        ("counted-for-share", lambda s, r: by_argmax(s, r).sum()),
        ("scores-averaged", lambda s, r: np.trace(s, r) / (len(s) - abs(r))),
    ),
    "query-looking-back": (
        ("turned-forwards", lambda key, r, w: turned(key, -r * w)),
        ("frequency-forgotten", lambda key, r, w: turned(key, r)),
        ("divided-by-frequency", lambda key, r, w: turned(key, r / w)),
        ("sine-cosine-exchanged", lambda key, r, w: turned(key, np.pi / 2 - r * w)),
        ("both-signs-alike", lambda key, r, w: turned(key, r * w, second_sign=-1)),
        ("both-signs-alike", lambda key, r, w: turned(key, -r * w, second_sign=-1)),
        ("overwritten-too-soon", overwritten),
        ("turned-forwards overwritten-too-soon", lambda key, r, w: overwritten(key, -r, w)),
        ("turned-forwards overwritten-too-soon", lambda key, r, w: turned_in_place(+key, -r, w)),
        ("cut-like-input", lambda key, r, w: written_into(np.zeros_like(key), key, r * w)),
        ("turned-forwards cut-like-input", lambda key, r, w: written_into(+key, key, -r * w)),
        ("steps-back-off-by-one", lambda key, r, w: turned(key, (r + 1) * w)),
        ("steps-back-off-by-one", lambda key, r, w: turned(key, (r - 1) * w)),
        ("degrees", lambda key, r, w: turned(key, np.radians(r * w))),
    ),
    "their-scores": (
        ("the-right-scores", rope_scores(1, 1)),
        ("the-right-scores", rope_scores(-1, -1)),
        ("key-not-turned", rope_scores(1, 0)),
        ("key-not-turned", rope_scores(-1, 0)),
        (
            "cut-like-input",
            lambda q, k, n: [
                [written_into(+q, q, -i) @ written_into(+k, k, j) for j in range(n)]
                for i in range(n)
            ],
        ),
        ("query-not-turned", rope_scores(0, -1)),
        ("query-not-turned", rope_scores(0, 1)),
        ("both-the-other-way", rope_scores(-1, 1)),
        ("query-and-key-unused", lambda q, k, n: rope_scores(1, -1)([1, 0], [1, 0], n)),
        ("degrees", rope_scores(math.pi / 180, -math.pi / 180)),
        ("positions-from-one", rope_scores(1, -1, first=1)),
        ("neither-turned", lambda q, k, n: np.full((n, n), q @ k)),
    ),
    "share-before": (
        ("first-row-ignored", lambda a, first: np.diagonal(a, -1).mean()),
        ("first-row-ignored", lambda a, first: np.mean([row[i - 1] for i, row in enumerate(a)])),
        (
            "one-row-late",
            lambda a, first: np.diagonal(a, -1)[first:].sum() / (len(a) - first - 1),
        ),
        (
            "one-row-late",
            lambda a, first: np.diagonal(a, -1)[first:].sum() / max(len(a) - first - 1, 1),
        ),
        (
            "one-row-early",
            lambda a, first: np.mean([a[i, i - 1] for i in range(first - 1, len(a))]),
        ),
        ("summed-for-mean", lambda a, first: np.diagonal(a, -1)[first - 1 :].sum()),
        (
            "divided-by-all-rows",
            lambda a, first: np.diagonal(a, -1)[first - 1 :].sum() / len(a),
        ),
        (
            "all-before-added",
            lambda a, first: np.mean([a[i, :i].sum() for i in range(first, len(a))]),
        ),
        (
            "all-before-added",
            lambda a, first: np.mean([a[i, :i].sum() for i in range(1, len(a))]),
        ),
        (
            "rows-counted-for-weights",
            lambda a, first: np.mean([a[i].argmax() == i - 1 for i in range(first, len(a))]),
        ),
        (
            "rows-counted-for-weights",
            lambda a, first: np.mean([a[i].argmax() == i - 1 for i in range(1, len(a))]),
        ),
        ("looks-at-itself", lambda a, first: np.diagonal(a)[first:].mean()),
        ("looks-at-itself", lambda a, first: np.diagonal(a)[first - 1 :].mean()),
        ("character-after", lambda a, first: np.diagonal(a, 1)[first:].mean()),
        ("queries-keys-swapped", lambda a, first: np.diagonal(a, 1)[first - 1 :].mean()),
        ("number-expected", lambda a, first: np.diagonal(a, -1)[first - 1 :]),
        (
            "zeros-left-out",
            lambda w, first: (lambda x: x[x > 0].mean())(np.diagonal(w, -1)[first - 1 :]),
        ),
        (
            "softmax-twice",
            lambda a, first: np.diagonal(np.exp(a) / np.exp(a).sum(1)[:, None], -1)[
                first - 1 :
            ].mean(),
        ),
    ),
}
