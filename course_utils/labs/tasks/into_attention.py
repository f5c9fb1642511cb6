"""Lab 06: positions in batches, heads that look ahead or back, and RoPE for queries."""

import math
from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...encodings import shift_matrix, sinusoidal_encoding
from ..exercise import Answer, Exercise, Steps
from .shared import waves


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=6).uniform(-1, 1, shape).round(2)


class PositionalEncoding:
    """A class that adds the rows of a table to the word vectors of each sentence."""

    def __init__(self, max_length: int, d_model: int) -> None:
        self.table = sinusoidal_encoding(max_length, d_model)

    def __call__(self, word_vectors: NDArray) -> NDArray:
        n_words = word_vectors.shape[-2]
        if n_words > len(self.table):
            raise ValueError("more words than positions")
        return word_vectors + self.table[:n_words]


class _InSteps(PositionalEncoding):
    """The class ``PositionalEncoding``, divided into steps that subclasses can override."""

    def __call__(self, word_vectors: NDArray) -> NDArray:
        n_words = self.n_words(word_vectors)
        if self.are_too_many(n_words):
            raise ValueError("more words than positions")
        return self.added(word_vectors, self.rows(n_words))

    def n_words(self, word_vectors: NDArray) -> int:
        return word_vectors.shape[-2]

    def are_too_many(self, n_words: int) -> bool:
        return n_words > len(self.table)

    def rows(self, n_words: int) -> NDArray:
        return self.table[:n_words]

    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors + rows


class _BatchAxisCounted(_InSteps):
    def n_words(self, word_vectors: NDArray) -> int:
        return len(word_vectors)


class _BatchAxisAssumed(_InSteps):
    def n_words(self, word_vectors: NDArray) -> int:
        return word_vectors.shape[1]


class _FullTableRefused(_InSteps):
    def are_too_many(self, n_words: int) -> bool:
        return n_words >= len(self.table)


class _NothingRefused(_InSteps):
    def are_too_many(self, n_words: int) -> bool:
        return False


class _TableCut(_InSteps):
    def rows(self, n_words: int) -> NDArray:
        self.table = self.table[:n_words]
        return self.table


class _AddedTwice(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors + 2 * rows


class _SentencesCountedOn(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors + np.resize(self.table, word_vectors.shape)


class _NothingAdded(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors.copy()


class _WordsScaled(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors * math.sqrt(word_vectors.shape[-1]) + rows


class _WordsDoubled(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return 2 * word_vectors + rows


class _Multiplied(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors * rows


class _OneRow(_InSteps):
    """A faulty class that adds the same row of the table to all words."""

    def rows(self, n_words: int) -> NDArray:
        return self.table[n_words - 1]


class _NextRow(_InSteps):
    def rows(self, n_words: int) -> NDArray:
        return self.table[n_words]


class _FirstRow(_InSteps):
    def rows(self, n_words: int) -> NDArray:
        return self.table[0]


class _FromTwo(_InSteps):
    def __init__(self, max_length: int, d_model: int) -> None:
        self.table = sinusoidal_encoding(max_length + 2, d_model)[2:]


class _FromOne(_InSteps):
    def __init__(self, max_length: int, d_model: int) -> None:
        self.table = sinusoidal_encoding(max_length + 1, d_model)[1:]


class _SentenceNumbered(_InSteps):
    """A faulty class that adds the row with the sentence's number to each sentence."""

    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        if word_vectors.ndim == 2:
            return word_vectors + rows
        return word_vectors + self.table[: len(word_vectors), np.newaxis]


class _SentenceByIndex(_SentenceNumbered):
    """A faulty class with a loop, which fails if there are more sentences than rows."""

    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        if len(word_vectors) > len(self.table):
            raise IndexError
        return super().added(word_vectors, rows)


class _SentenceWrapped(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        if word_vectors.ndim == 2:
            return word_vectors + rows
        sentences = np.arange(len(word_vectors)) % len(self.table)
        return word_vectors + self.table[sentences][:, np.newaxis]


class _SentencesRefused(_SentenceNumbered):
    """A faulty class with a check, which rejects batches with more sentences than rows."""

    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        if word_vectors.ndim == 3 and len(word_vectors) > len(self.table):
            raise ValueError
        return super().added(word_vectors, rows)


class _LastRows(_InSteps):
    def rows(self, n_words: int) -> NDArray:
        return self.table[-n_words:]


class _CountsOnInNextCall(_InSteps):
    """A faulty class in which positions continue from call to call, as in a cache of keys."""

    n_seen = 0

    def rows(self, n_words: int) -> NDArray:
        first, self.n_seen = self.n_seen, self.n_seen + n_words
        return sinusoidal_encoding(self.n_seen, self.table.shape[1])[first:]


class _FirstSentence(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        sums = word_vectors + rows
        return sums[:1] if sums.ndim == 3 else sums


class _Concatenated(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        rows = np.broadcast_to(rows, word_vectors.shape)
        return np.concatenate([word_vectors, rows], axis=-1)


class _WordsLeftOut(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return rows


class _RowsScaled(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors + rows * math.sqrt(word_vectors.shape[-1])


class _RowsSubtracted(_InSteps):
    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        return word_vectors - rows


class _LastRowFirst(_InSteps):
    def rows(self, n_words: int) -> NDArray:
        return self.table[:n_words][::-1]


TABLES: dict[str, Callable[[int, int], NDArray]] = {
    "halves-concatenated": lambda n, d: sinusoidal_encoding(n, d)[:, np.r_[0:d:2, 1:d:2]],
    "sine-cosine-swapped": lambda n, d: sinusoidal_encoding(n, d)[:, np.arange(d) ^ 1],
    "cosine-own-frequency": lambda n, d: waves(range(n), 10_000.0 ** (-np.arange(d) / d)),
    "exponent-doubled": lambda n, d: sinusoidal_encoding(n, d, base=10_000**2),
    "exponent-halved": lambda n, d: sinusoidal_encoding(n, d, base=100),
    "column-for-pair": lambda n, d: waves(range(n), 10_000.0 ** (-2 * np.arange(d) / d)),
}
"""Wrong tables of classes that compute the table themselves."""


def _with_table(table: Callable[[int, int], NDArray]) -> type:
    def __init__(self: PositionalEncoding, max_length: int, d_model: int) -> None:
        self.table = table(max_length, d_model)

    return type("_WithTable", (PositionalEncoding,), {"__init__": __init__})


class _Given(_BatchAxisCounted, _FullTableRefused, _TableCut):
    """The faulty class in the lab."""

    def added(self, word_vectors: NDArray, rows: NDArray) -> NDArray:
        word_vectors += rows
        return word_vectors


FAULTS = {
    "missing-batch-axis": _BatchAxisCounted,
    "batch-axis-assumed": _BatchAxisAssumed,
    "full-table-refused": _FullTableRefused,
    "table-cut-for-good": _TableCut,
    "one-row-stretched": _NothingRefused,
    "table-added-twice": _AddedTwice,
    "sentences-counted-on": _SentencesCountedOn,
}

FURTHER = {
    "nothing-added": _NothingAdded,
    "words-scaled": [_WordsScaled, _WordsDoubled],
    "multiplied-for-added": _Multiplied,
    "one-row-for-all": [_OneRow, _NextRow, _FirstRow],
    "positions-from-two": _FromTwo,
    "positions-from-one": _FromOne,
    "row-of-the-sentence": [
        _SentenceNumbered,
        _SentenceByIndex,
        _SentenceWrapped,
        _SentencesRefused,
    ],
    "last-rows-added": _LastRows,
    "positions-go-on": _CountsOnInNextCall,
    "first-sentence-only": _FirstSentence,
    "concatenated-for-added": _Concatenated,
    "words-left-out": _WordsLeftOut,
    "rows-scaled": _RowsScaled,
    "rows-subtracted": _RowsSubtracted,
    "last-row-first": _LastRowFirst,
    **{id: _with_table(table) for id, table in TABLES.items()},
    "missing-batch-axis row-of-the-sentence": type(
        "_BatchCounted", (_BatchAxisCounted, _SentenceNumbered), {}
    ),
}
"""Faults of classes written from scratch, which do not occur in the lab's class."""

TOGETHER = (
    *combinations(("missing-batch-axis", "full-table-refused", "table-cut-for-good"), 2),
    ("missing-batch-axis", "full-table-refused", "table-cut-for-good"),
    ("missing-batch-axis", "one-row-stretched"),
    ("batch-axis-assumed", "one-row-stretched"),
    ("table-added-twice", "one-row-stretched"),
)
"""Combinations of faults in partly corrected versions of the lab's class."""


def _with(*faults: str) -> type:
    return type("_Faulty", tuple(FAULTS[fault] for fault in faults), {})


def _sum_by_hand(place: tuple, max_length: int, d_model: int, *called_with: NDArray) -> Steps:
    *_, word, column = place
    given = called_with[-1][place]
    angle = word / 10_000 ** ((column - column % 2) / d_model)
    added = float(np.cos(angle) if column % 2 else np.sin(angle))
    steps = {"word": word, "column": column, "given": given, "added": added}
    return steps | {"result": given + added}


POSITIONAL_ENCODING = Exercise(
    id="positional-encoding",
    reference=PositionalEncoding,
    given=_Given,
    cases=(
        *((10, 8, _some(*shape)) for shape in ((5, 8), (1, 5, 8), (3, 5, 8))),
        *((max_length, 8, _some(5, 8)) for max_length in (5, 4)),
        (1, 8, _some(6, 8)),
        (7, 10, _some(20, 4, 10)),
        (4, 8, _some(2, 5, 8)),
        (1, 8, _some(3, 2, 8)),
        (1, 4, _some(1, 6, 4)),
        (1, 2, _some(1, 2)),
        (1, 2, _some(6, 1, 2)),
        (9, 6, _some(1, 6)),
        (60, 10, _some(3, 10), _some(60, 10)),
        (10, 8, _some(3, 8), _some(5, 8)),
        (8, 4, _some(2, 3, 4), _some(6, 4), _some(5, 7, 4)),
    ),
    by_hand=_sum_by_hand,
    misconceptions=(FAULTS | {" ".join(faults): _with(*faults) for faults in TOGETHER} | FURTHER),
)


def look_forward_weights(back: NDArray, steps: int) -> NDArray:
    """Return weights that look some steps ahead, given weights that look one step back."""
    return np.linalg.matrix_power(back.T, steps)


IN_HALVES = np.arange(6).reshape(3, 2).T.ravel()
"""Columns of a table with six dimensions and all sines first."""


def _steps_by_hand(place: tuple, back: NDArray, steps: int) -> Steps:
    forward = np.linalg.inv(back)
    weights = forward
    for _ in range(steps - 1):
        weights = weights @ forward
    once = forward[place]
    return {"back": back[place], "once": once, "steps": steps, "result": weights[place]}


LOOK_FORWARD_WEIGHTS = Exercise(
    id="look-forward-weights",
    reference=look_forward_weights,
    cases=(
        (shift_matrix(1, 8), 3),
        (shift_matrix(1, 4, base=50.0), 1),
        (shift_matrix(1, 6, base=300.0)[np.ix_(IN_HALVES, IN_HALVES)], 5),
        (shift_matrix(1, 2), 2),
        (shift_matrix(1, 20), 40),
        (shift_matrix(1, 8), 2),
    ),
    typed=("shift_matrix(1, 8), 3",),
    by_hand=_steps_by_hand,
    misconceptions={
        "still-looks-back": np.linalg.matrix_power,
        "entries-to-the-power": [
            lambda back, steps: back.T**steps,
            lambda back, steps: back ** -float(steps),
            lambda back, steps: np.eye(len(back)) * back.T**steps,
        ],
        "still-looks-back entries-to-the-power": lambda back, steps: back**steps,
        "weights-times-steps": lambda back, steps: steps * back.T,
        "one-step-only": lambda back, steps: back.T,
        "steps-off-by-one": [
            lambda back, steps: look_forward_weights(back, steps - 1),
            lambda back, steps: look_forward_weights(back, steps + 1),
        ],
        "scores-upside-down": [
            lambda back, steps: np.linalg.matrix_power(-back, steps),
            lambda back, steps: -np.linalg.matrix_power(back, steps),
            lambda back, steps: -look_forward_weights(back, steps),
        ],
        "given-weights-unused": lambda back, steps: shift_matrix(-steps, len(back)),
        "still-looks-back given-weights-unused": lambda back, steps: shift_matrix(steps, len(back)),
        "two-steps-more": lambda back, steps: look_forward_weights(back, steps + 2),
        "flipped-for-inverse": [
            lambda back, steps: np.linalg.matrix_power(back[::-1], steps),
            lambda back, steps: np.linalg.matrix_power(back[:, ::-1], steps),
            lambda back, steps: np.linalg.matrix_power(back[::-1, ::-1], steps),
        ],
        "angles-of-entries": lambda back, steps: np.cos(steps * np.arccos(np.clip(back.T, -1, 1))),
        "weights-rolled": [
            lambda back, steps: np.roll(back, steps, axis=0),
            lambda back, steps: np.roll(back, steps, axis=1),
            lambda back, steps: np.roll(back, -steps, axis=0),
        ],
        "entries-inverted": lambda back, steps: 1 / np.linalg.matrix_power(back, steps),
    },
)


def _looks_at(scores: NDArray, steps: int) -> tuple[NDArray, NDArray]:
    """Return masks of the queries that look ``steps`` ahead and of the queries that can do so."""
    targets = np.arange(len(scores)) + steps
    return scores.argmax(axis=1) == targets, (targets >= 0) & (targets < len(scores))


def share_looking_at(scores: NDArray, steps: int) -> float:
    """Return the proportion of eligible queries whose largest score is ``steps`` ahead."""
    looks, can = _looks_at(scores, steps)
    return looks[can].mean()


def _on_either_side(scores: NDArray, steps: int) -> float:
    distances = abs(scores.argmax(axis=1) - np.arange(len(scores)))
    return (distances == abs(steps))[_looks_at(scores, steps)[1]].mean()


def _beyond(scores: NDArray, steps: int, compare: Callable) -> float:
    """Return the share of eligible queries that look at least, or at most, ``steps`` ahead."""
    found = compare(scores.argmax(axis=1) - np.arange(len(scores)), steps)
    return found[_looks_at(scores, steps)[1]].mean()


def _last_left_out(scores: NDArray, steps: int) -> float:
    return _looks_at(scores, steps)[0][: len(scores) - abs(steps)].mean()


def _begins_again(scores: NDArray, steps: int) -> float:
    targets = (np.arange(len(scores)) + steps) % len(scores)
    return (scores.argmax(axis=1) == targets).mean()


def _one_key_sought(n_positions: int, key: int) -> NDArray[np.float64]:
    """Return scores of a head in which every third query looks at the same key."""
    scores = _mostly_at(n_positions, key)
    scores[::3, key] = 3
    return scores


def _mostly_at(n_positions: int, offset: int) -> NDArray[np.float64]:
    """Return scores of a head that usually looks at the given offset."""
    scores = _some(n_positions, n_positions)
    steps = np.random.default_rng(seed=abs(offset)).choice(
        [offset, offset - 1, offset + 1, -offset, -offset - 1],
        n_positions,
        p=[0.5, 0.2, 0.1, 0.15, 0.05],
    )
    queries = np.arange(n_positions)
    scores[queries, (queries + steps) % n_positions] = 2
    return scores


def _queries_by_hand(place: tuple, scores: NDArray, offset: int) -> Steps:
    able = [i for i in range(len(scores)) if 0 <= i + offset < len(scores)]
    offsets = [int(scores[i].argmax()) - i for i in able]
    steps = {"offset": offset, "able": len(able), "n": len(scores), "offsets": offsets}
    looking = offsets.count(offset)
    return steps | {"looking": looking, "result": looking / len(able)}


def _softmax(scores: NDArray) -> NDArray[np.float64]:
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


def _masked(scores: NDArray, diagonal: int, value: float) -> NDArray[np.float64]:
    """Replace the scores of later keys, and of the query's own key if ``diagonal`` is -1."""
    return np.where(np.tri(len(scores), k=diagonal, dtype=bool), scores, value)


def _of_weights(summary: Callable[[NDArray], NDArray]) -> Answer:
    """Create an answer that averages a function of the attention weights at the offset."""
    return lambda scores, steps: summary(_softmax(scores).diagonal(steps)).mean()


SHARE_LOOKING_AT = Exercise(
    id="share-looking-at",
    reference=share_looking_at,
    cases=(
        (np.eye(5, k=-1), -1),
        *((_mostly_at(n, r), r) for n, r in ((20, -3), (47, 5), (31, -1), (60, 9), (25, 0))),
        (_mostly_at(40, 4), -4),
        (_one_key_sought(30, 2), 2),
        (_mostly_at(12, -2) - 4, -2),
        (np.array([[0.5, 0.2], [0.3, 0.1]]), -1),
        (np.array([[0.5, 0.2], [0.3, 0.1]]), 1),
        (np.array([[0.4]]), 0),
    ),
    typed=("np.eye(5, k=-1), -1",),
    by_hand=_queries_by_hand,
    misconceptions={
        "all-queries-counted": lambda scores, steps: _looks_at(scores, steps)[0].mean(),
        "offset-turned-round": [
            lambda scores, steps: share_looking_at(scores, -steps),
            lambda scores, steps: _looks_at(scores, -steps)[0][_looks_at(scores, steps)[1]].mean(),
        ],
        "distance-for-offset": [
            _on_either_side,
            lambda scores, steps: sum(share_looking_at(scores, r) for r in {steps, -steps}),
        ],
        "last-queries-left-out": _last_left_out,
        "queries-keys-swapped": lambda scores, steps: share_looking_at(scores.T, steps),
        "offset-off-by-one": [
            lambda scores, steps: share_looking_at(scores, steps + 1),
            lambda scores, steps: share_looking_at(scores, steps - 1),
            lambda scores, steps: _looks_at(scores, steps + 1)[0][
                _looks_at(scores, steps)[1]
            ].mean(),
            lambda scores, steps: _looks_at(scores, steps - 1)[0][
                _looks_at(scores, steps)[1]
            ].mean(),
        ],
        "begins-again-at-the-start": [
            _begins_again,
            lambda scores, steps: np.mean(
                [row[(i + steps) % len(row)] == row.max() for i, row in enumerate(scores)]
            ),
        ],
        "in-percent": lambda scores, steps: 100 * share_looking_at(scores, steps),
        "counted-for-share": lambda scores, steps: _looks_at(scores, steps)[0].sum(),
        "scores-averaged": lambda scores, steps: scores.diagonal(steps).mean(),
        "weights-averaged": _of_weights(np.asarray),
        "more-than-half-sought": _of_weights(lambda weights: weights > 0.5),
        "zeros-for-mask": lambda scores, steps: share_looking_at(_masked(scores, 0, 0), steps),
        "later-keys-masked": lambda scores, steps: share_looking_at(
            _masked(scores, 0, -np.inf), steps
        ),
        "own-key-masked": lambda scores, steps: share_looking_at(
            _masked(scores, -1, -np.inf), steps
        ),
        "one-maximum-for-all": lambda scores, steps: (
            (scores == scores.max()).diagonal(steps).mean()
        ),
        "share-of-scores": lambda scores, steps: scores.diagonal(steps).sum() / scores.sum(),
        "smallest-for-largest": lambda scores, steps: share_looking_at(-scores, steps),
        "threshold-for-largest": [
            lambda scores, steps: (scores.diagonal(steps) > 0).mean(),
            lambda scores, steps: (scores.diagonal(steps) > 0.5).mean(),
            lambda scores, steps: (scores.diagonal(steps) > scores.mean()).mean(),
        ],
        "among-the-two-largest": lambda scores, steps: np.mean(
            [
                (row > row[i + steps]).sum() < 2
                for i, row in enumerate(scores)
                if 0 <= i + steps < len(scores)
            ]
        ),
        "distance-for-offset all-queries-counted": [
            lambda scores, steps: (
                abs(scores.argmax(axis=1) - np.arange(len(scores))) == abs(steps)
            ).mean(),
        ],
        "queries-keys-swapped all-queries-counted": lambda scores, steps: _looks_at(
            scores.T, steps
        )[0].mean(),
        "at-least-for-exactly": [
            lambda scores, steps: _beyond(scores, steps, np.greater_equal),
            lambda scores, steps: _beyond(scores, steps, np.less_equal),
            lambda scores, steps: _beyond(scores, steps, np.greater),
        ],
    },
)


def _turned(pair: NDArray, angle: float | NDArray, dtype: type = float) -> NDArray:
    """Rotate a pair of numbers anticlockwise."""
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = [pair[0] * cosine - pair[1] * sine, pair[0] * sine + pair[1] * cosine]
    return np.array(turned).astype(dtype)


def query_looking_back(key: NDArray, steps_back: int, frequency: float) -> NDArray:
    """Return the query that best matches an earlier key after RoPE."""
    return _turned(key, -steps_back * frequency)


def _overwritten(key: NDArray, angle: float, dtype: type = float) -> NDArray:
    query = key.astype(dtype)
    query[0] = query[0] * np.cos(angle) - query[1] * np.sin(angle)
    query[1] = query[0] * np.sin(angle) + query[1] * np.cos(angle)
    return query


def _both_signs_alike(key: NDArray, steps_back: int, frequency: float) -> list[float]:
    cosine, sine = np.cos(steps_back * frequency), np.sin(steps_back * frequency)
    return [key[0] * cosine + key[1] * sine, key[0] * sine + key[1] * cosine]


def _angles_by_hand(place: tuple, key: NDArray, steps_back: int, frequency: float) -> Steps:
    length, of_key, turn = math.hypot(*key), math.atan2(*key[::-1]), steps_back * frequency
    point = math.cos(of_key - turn), math.sin(of_key - turn)
    steps = {"length": length, "key": of_key, "turn": turn, "query": of_key - turn}
    return steps | {"entry": place[0], "steps": steps_back, "result": length * point[place[0]]}


QUERY_LOOKING_BACK = Exercise(
    id="query-looking-back",
    reference=query_looking_back,
    cases=(
        (np.array([1.0, 0.0]), 1, 0.5),
        (np.array([0.2, 0.9]), 4, 0.3),
        (np.array([-1.5, 0.4]), 7, 1.0),
        (np.array([0.3, -2.0]), 100, 0.01),
        (np.array([0.5, 0.7]), 0, 0.1),
        (np.array([3, -4]), 2, 0.25),
        (np.array([0.7, -0.6]), 4, 1.1),
        (np.array([-0.4, 0.3]), 0, 2.0),
        (np.array([1.0, 0.0]), 3, 0.5),
    ),
    by_hand=_angles_by_hand,
    misconceptions={
        "turned-forwards": lambda key, back, w: _turned(key, back * w),
        "frequency-forgotten": lambda key, back, w: _turned(key, -back),
        "divided-by-frequency": lambda key, back, w: _turned(key, -back / w),
        "sine-cosine-exchanged": lambda key, back, w: _turned(key, back * w - np.pi / 2),
        "both-signs-alike": [
            _both_signs_alike,
            lambda key, back, w: _both_signs_alike(key, -back, w),
        ],
        "overwritten-too-soon": [
            lambda key, back, w: _overwritten(key, -back * w),
            lambda key, back, w: _overwritten(key, -back * w, key.dtype),
        ],
        "cut-like-input": lambda key, back, w: _turned(key, -back * w, key.dtype),
        "turned-forwards overwritten-too-soon": [
            lambda key, back, w: _overwritten(key, back * w),
            lambda key, back, w: _overwritten(key, back * w, key.dtype),
        ],
        "turned-forwards cut-like-input": lambda key, back, w: _turned(key, back * w, key.dtype),
        "steps-back-off-by-one": [
            lambda key, back, w: _turned(key, -(back + 1) * w),
            lambda key, back, w: _turned(key, -(back - 1) * w),
        ],
        "degrees": lambda key, back, w: _turned(key, np.radians(-back * w)),
        "turned-twice": lambda key, back, w: _turned(key, -2 * back * w),
        "frequency-in-turns": lambda key, back, w: _turned(key, -math.tau * back * w),
        "angle-rounded": [
            lambda key, back, w: _turned(key, -np.float64(np.float16(back * w))),
            lambda key, back, w: _turned(key, -np.radians(round(np.degrees(back * w)))),
        ],
        "direction-in-whole-degrees": lambda key, back, w: (
            np.linalg.norm(key)
            * _turned((1, 0), np.radians(round(np.degrees(np.arctan2(key[1], key[0]) - back * w))))
        ),
        "angle-subtracted-from-numbers": [
            lambda key, back, w: key - back * w,
            lambda key, back, w: key + back * w,
        ],
        "one-component-alone": [
            lambda key, back, w: _turned(key, -back * w) * (1, 0),
            lambda key, back, w: np.repeat(_turned(key, -back * w)[0], 2),
        ],
        "direction-of-key-ignored": [
            lambda key, back, w: np.linalg.norm(key) * _turned((1, 0), -back * w),
            lambda key, back, w: np.linalg.norm(key) * _turned((1, 0), back * w),
        ],
    },
)


def their_scores(query: NDArray, key: NDArray, n_positions: int) -> NDArray:
    """Return the scores of a query and a key at all positions, with the key rotated backwards."""
    positions = np.arange(n_positions)
    return _turned(query, positions).T @ _turned(key, -positions)


def _turned_by(of_query: float, of_key: float, first_position: int = 0) -> Answer:
    """Create an answer with incorrect angles per position."""

    def scores(query: NDArray, key: NDArray, n_positions: int) -> NDArray:
        positions = np.arange(n_positions) + first_position
        return _turned(query, of_query * positions).T @ _turned(key, of_key * positions)

    return scores


def _cut_like_input(query: NDArray, key: NDArray, n_positions: int) -> NDArray:
    positions = np.arange(n_positions)
    return _turned(query, positions, query.dtype).T @ _turned(key, -positions, key.dtype)


def _conjugate_missing(query: NDArray, key: NDArray, n_positions: int) -> NDArray:
    """Multiply query and key as complex numbers, which adds their angles."""
    turns = np.exp(1j * np.arange(n_positions))
    return (complex(*query) * turns[:, np.newaxis] * complex(*key) * turns).real


QUERY, KEY = np.array([0.6, -0.3]), np.array([0.2, 0.9])


def _theirs_by_hand(place: tuple, query: NDArray, key: NDArray, n_positions: int) -> Steps:
    i, j = place
    right, theirs = (_turned(query, turn) @ key for turn in (i - j, i + j))
    return {"i": i, "j": j, "sum": i + j, "right": right, "result": theirs}


THEIR_SCORES = Exercise(
    id="their-scores",
    reference=their_scores,
    cases=(
        (QUERY, KEY, 5),
        (KEY, QUERY, 4),
        (_some(2), np.array([1, 2]), 30),
        (KEY, KEY, 1),
        (KEY, KEY, 5),
    ),
    shows_wrong_output=True,
    by_hand=_theirs_by_hand,
    misconceptions={
        "the-right-scores": [_turned_by(1, 1), _turned_by(-1, -1)],
        "key-not-turned": [_turned_by(1, 0), _turned_by(-1, 0)],
        "query-not-turned": [_turned_by(0, -1), _turned_by(0, 1)],
        "neither-turned": _turned_by(0, 0),
        "both-the-other-way": _turned_by(-1, 1),
        "query-and-key-unused": lambda query, key, n: their_scores((1, 0), (1, 0), n),
        "cut-like-input": _cut_like_input,
        "degrees": _turned_by(np.pi / 180, -np.pi / 180),
        "positions-from-one": _turned_by(1, -1, first_position=1),
        "turned-twice": [_turned_by(1, -2), _turned_by(2, -2), _turned_by(2, 2)],
        "conjugate-missing": _conjugate_missing,
        "later-keys-removed": lambda query, key, n: np.tril(their_scores(query, key, n)),
        "softmax-applied": lambda query, key, n: _softmax(their_scores(query, key, n)),
        "norms-without-angles": [
            lambda query, key, n: (
                np.dot(query, key) * np.cos(np.subtract.outer(range(n), range(n)))
            ),
            lambda query, key, n: np.dot(query, key) * np.cos(np.add.outer(range(n), range(n))),
        ],
        "one-side-from-one": [
            lambda query, key, n: _turned(query, np.arange(n)).T @ _turned(key, -np.arange(n) - 1),
            lambda query, key, n: _turned(query, np.arange(n)).T @ _turned(key, 1 - np.arange(n)),
        ],
        "half-angles": [_turned_by(0.5, -0.5), _turned_by(0.5, 0.5)],
    },
)


def _just_before(attention: NDArray) -> NDArray:
    """Return the weight that each row gives to the previous position (row 0: the last position)."""
    rows = np.arange(len(attention))
    return attention[rows, rows - 1]


def share_before(attention: NDArray, first: int) -> float:
    """Return the mean weight that rows give to the previous position, starting with a given row."""
    return _just_before(attention)[first:].mean()


def _from_row(of_each_row: Callable[[NDArray], NDArray], later: int = 0) -> Answer:
    """Create an answer that averages a different number from each row."""
    return lambda attention, first: of_each_row(attention)[first + later :].mean()


def _all_before(attention: NDArray) -> NDArray:
    return np.tril(attention, -1).sum(axis=1)


def _largest_just_before(attention: NDArray) -> NDArray:
    return attention.argmax(axis=1) == np.arange(len(attention)) - 1


def _attention(n_positions: int, looks_ahead: bool = False) -> NDArray[np.float64]:
    """Return attention weights whose rows sum to 1."""
    weights = np.exp(2 * _some(n_positions, n_positions))
    if not looks_ahead:
        weights = np.tril(weights)
    return weights / weights.sum(axis=1, keepdims=True)


def _weights_by_hand(place: tuple, attention: NDArray, first: int) -> Steps:
    weights = [attention[row, row - 1] for row in range(first, len(attention))]
    steps = {"first": first, "last": len(attention) - 1, "weights": weights}
    return steps | {"result": sum(weights) / len(weights)}


SHARE_BEFORE = Exercise(
    id="share-before",
    reference=share_before,
    cases=(
        (np.eye(5, k=-1), 2),
        (_attention(6, looks_ahead=True), 1),
        (_attention(9, looks_ahead=True), 4),
        (_attention(16), 8),
        (_attention(7), 6),
        (_attention(9, looks_ahead=True), 2),
        (np.array([[1.0, 0.0], [0.25, 0.75]]), 1),
        (np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.0, 0.8]]), 1),
    ),
    typed=("np.eye(5, k=-1), 2",),
    by_hand=_weights_by_hand,
    misconceptions={
        "first-row-ignored": [
            lambda attention, first: share_before(attention, 1),
            lambda attention, first: share_before(attention, 0),
        ],
        "one-row-late": [
            _from_row(_just_before, later=1),
            lambda attention, first: (
                _just_before(attention)[first + 1 :].sum() / max(len(attention) - first - 1, 1)
            ),
        ],
        "one-row-early": _from_row(_just_before, later=-1),
        "one-column-for-all-rows": lambda attention, first: attention[first:, first - 1].mean(),
        "zeros-left-out": lambda attention, first: (
            _just_before(attention)[first:].sum()
            / max(np.count_nonzero(_just_before(attention)[first:]), 1)
        ),
        "summed-for-mean": lambda attention, first: _just_before(attention)[first:].sum(),
        "divided-by-all-rows": lambda attention, first: (
            _just_before(attention)[first:].sum() / len(attention)
        ),
        "all-before-added": [
            _from_row(_all_before),
            lambda attention, first: _all_before(attention)[1:].mean(),
        ],
        "rows-counted-for-weights": [
            _from_row(_largest_just_before),
            lambda attention, first: _largest_just_before(attention)[1:].mean(),
        ],
        "looks-at-itself": [_from_row(np.diagonal), _from_row(np.diagonal, later=-1)],
        "character-after": _from_row(partial(np.diagonal, offset=1)),
        "queries-keys-swapped": lambda attention, first: share_before(attention.T, first),
        "softmax-twice": lambda attention, first: share_before(_softmax(attention), first),
        "first-position-looked-at": _from_row(lambda attention: attention[:, 0]),
        "offset-first-for-one": lambda attention, first: attention.diagonal(-first).mean(),
        "shared-out-anew": lambda attention, first: (
            _just_before(attention)[first:] / _all_before(attention)[first:]
        ).mean(),
        "other-than-mean-weight": [
            lambda attention, first: np.median(_just_before(attention)[first:]),
            lambda attention, first: _just_before(attention)[first:].max(),
            lambda attention, first: _just_before(attention)[first:].min(),
            lambda attention, first: np.sqrt((_just_before(attention)[first:] ** 2).mean()),
        ],
        "all-entries-averaged": [
            lambda attention, first: np.tril(attention, -1)[first:].mean(),
            lambda attention, first: attention[first:].mean(),
        ],
        "later-weights-removed": lambda attention, first: share_before(
            np.tril(attention) / np.tril(attention).sum(axis=1, keepdims=True), first
        ),
        "single-row": [
            lambda attention, first: attention[-1, -2],
            lambda attention, first: attention[first, first - 1],
        ],
        "rows-miscounted": [
            lambda attention, first: (
                _just_before(attention)[first:].sum() / (len(attention) - first + 1)
            ),
            lambda attention, first: (
                _just_before(attention)[first:].sum() / max(len(attention) - first - 1, 1)
            ),
        ],
        "last-row-left-out": lambda attention, first: (
            _just_before(attention)[first:-1].sum() / max(len(attention) - 1 - first, 1)
        ),
    },
)

EXERCISES = (
    POSITIONAL_ENCODING,
    LOOK_FORWARD_WEIGHTS,
    SHARE_LOOKING_AT,
    SHARE_BEFORE,
    QUERY_LOOKING_BACK,
    THEIR_SCORES,
)
