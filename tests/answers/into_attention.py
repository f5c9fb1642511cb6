"""Lab 06: right answers, wrong ones, and what is found in them."""

import math
import operator
from collections.abc import Callable

import numpy as np
from checks.labs import Encoding, by_loops, encoding, too_long
from hypothesis import strategies as st

from course_utils import shift_matrix

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
    """The broken class, with some of its faults still in it."""

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
    """Weights that turn each pair of columns by its angle; pairs are neighbours or halves."""
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


def by_argmax(scores, offset, axis=1):
    return scores.argmax(axis=axis) == np.arange(len(scores)) + offset


def judged(hits, offset):
    """The part of an array with a key at that offset."""
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


def written_into(query, key, angle):
    query[0], query[1] = turned(key, angle)
    return query


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


def rope_scores(query_turn: float, key_turn: float, first: int = 0) -> Callable[..., np.ndarray]:
    """The scores of a query and a key, which turn by some angles from position to position."""

    def scores(query: np.ndarray, key: np.ndarray, n_positions: int) -> np.ndarray:
        positions = np.arange(n_positions) + first
        queries = np.array([turned(query, -query_turn * position) for position in positions])
        keys = np.array([turned(key, -key_turn * position) for position in positions])
        return queries @ keys.T

    return scores


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
            (  # as it is given, but the table stays whole
                "missing-batch-axis full-table-refused input-changed",
                repaired(len, operator.lt, in_place=True),
            ),
            ("missing-batch-axis", repaired(len, operator.le)),
            ("batch-axis-assumed", repaired(lambda w: w.shape[1], operator.le)),
            ("full-table-refused", repaired(last_but_one, operator.lt)),
            ("table-cut-for-good", repaired(last_but_one, operator.le, cut=True)),
            ("input-changed", repaired(last_but_one, operator.le, in_place=True)),
            ("one-row-stretched", encoding(lambda *_: False)),
            ("table-added-twice", repaired(last_but_one, operator.le, times=2)),
            ("as-given", repaired(len, operator.lt, cut=True, in_place=True)),
            ("raised", encoding(lambda w, rows: too_long(w, rows) or w.shape[-2] == rows == 1)),
            ("does-not-raise", encoding(lambda w, rows: w.ndim == 2 and too_long(w, rows))),
            ("does-not-raise", encoding(lambda w, rows: w.ndim == 3 and too_long(w, rows))),
            ("does-not-raise", encoding(lambda w, rows: w.shape[-2] > rows + 1)),
            ("pattern.some-calls-right", AddsIntoItsTable),
        ),
        alike={
            # A single sentence is already too much for it when the table is still whole.
            ("batch-axis-assumed", "table-cut-for-good"),
            # What is not guarded refuses nothing.
            ("full-table-refused", "one-row-stretched"),
        },
    ),
    "look-forward-weights": Answers(
        second=look_forward_weights,
        asked=st.tuples(WEIGHTS, st.integers(1, 40)),
        right=(lambda back, n: np.linalg.matrix_power(back, -n),),
        wrong=(
            ("still-looks-back", np.linalg.matrix_power),
            ("entries-to-the-power", lambda back, steps: back.T**steps),
            ("weights-times-steps", lambda back, steps: steps * back.T),
            ("one-step-only", lambda back, steps: back.T),
            ("steps-off-by-one", lambda back, steps: np.linalg.matrix_power(back.T, steps + 1)),
            ("scores-upside-down", lambda back, steps: -np.linalg.matrix_power(back, steps)),
            ("given-weights-unused", lambda back, steps: shift_matrix(-steps, len(back))),
            (
                "pattern.only-one-call-wrong",
                lambda back, n: np.linalg.matrix_power(
                    np.where(np.tri(len(back), k=1), back, 0).T, n
                ),
            ),
        ),
        alike={
            ("one-step-only", "steps-off-by-one"),
            # The diagonal of a matrix is that of its transpose.
            ("still-looks-back", "entries-to-the-power"),
            # With a minus for the transpose, the head still looks back.
            ("still-looks-back", "scores-upside-down"),
        },
    ),
    "share-looking-at": Answers(
        second=share_looking_at,
        asked=scores_and_offset(),
        right=(lambda s, r: np.diagonal(s == s.max(axis=1, keepdims=True), r).mean(),),
        wrong=(
            # The search for the largest begins at 0.
            ("pattern.only-one-call-wrong", lambda s, r: share_looking_at(np.maximum(s, 0), r)),
            ("all-queries-counted", lambda s, r: by_argmax(s, r).mean()),
            ("offset-turned-round", lambda s, r: judged(by_argmax(s, -r), -r).mean()),
            (
                "distance-for-offset",
                lambda s, r: judged(abs(s.argmax(1) - np.arange(len(s))) == abs(r), r).mean(),
            ),
            ("queries-keys-swapped", lambda s, r: judged(by_argmax(s, r, axis=0), r).mean()),
            ("offset-off-by-one", lambda s, r: judged(by_argmax(s, r + 1), r + 1).mean()),
            (
                "begins-again-at-the-start",
                lambda s, r: (s.argmax(1) == np.roll(np.arange(len(s)), -r)).mean(),
            ),
            ("last-queries-left-out", lambda s, r: by_argmax(s, r)[: len(s) - abs(r)].mean()),
            ("in-percent", lambda s, r: 100 * judged(by_argmax(s, r), r).mean()),
            ("counted-for-share", lambda s, r: by_argmax(s, r).sum()),
            ("pattern.some-calls-right", by_slices),
            ("pattern.right-unless-negative", lambda s, r: by_argmax(s, r).sum() / (len(s) - r)),
            (
                "pattern.right-for-small",
                lambda s, r: np.mean(s.argmax(1)[abs(r) :] == np.arange(len(s) - abs(r))),
            ),
        ),
        alike={
            # Going round the end, every query is counted; and a count is divided by nothing.
            ("all-queries-counted", "begins-again-at-the-start"),
            ("all-queries-counted", "counted-for-share"),
        },
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
            ("pattern.lengths-right", lambda key, r, w: turned(key, r * w + np.pi / 2)),
            ("turned-forwards", lambda key, r, w: turned(key, -r * w)),
            ("frequency-forgotten", lambda key, r, w: turned(key, r)),
            ("divided-by-frequency", lambda key, r, w: turned(key, r / w)),
            ("sine-cosine-exchanged", lambda key, r, w: turned(key, np.pi / 2 - r * w)),
            ("both-signs-alike", lambda key, r, w: turned(key, r * w, second_sign=-1)),
            ("overwritten-too-soon", overwritten),
            ("overwritten-too-soon input-changed", turned_in_place),
            ("cut-like-input", lambda key, r, w: written_into(np.zeros_like(key), key, r * w)),
            ("turned-forwards cut-like-input", lambda key, r, w: written_into(+key, key, -r * w)),
            ("steps-back-off-by-one", lambda key, r, w: turned(key, (r + 1) * w)),
            ("degrees", lambda key, r, w: turned(key, np.radians(r * w))),
            ("pattern.input-returned", lambda key, r, w: key),
            ("pattern.only-first-call-right", lambda key, r, w: turned(key, w)),
            ("pattern.lines-elsewhere", lambda key, r, w: turned(key, r * w)[::-1]),
            ("pattern.extra-axis", lambda key, r, w: turned(key, r * w)[np.newaxis]),
            ("pattern.opposite-sign", lambda key, r, w: -turned(key, r * w)),
            ("input-changed", added_in_place),
            (
                "pattern.opposite-sign-in-some-calls",
                lambda k, r, w: math.hypot(*k) * turned([1, 0], r * w - math.atan(k[1] / k[0])),
            ),
            ("pattern.factor-by-call", lambda key, r, w: turned(key, r * w) / np.linalg.norm(key)),
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
        wrong=(
            ("the-right-scores", rope_scores(1, 1)),
            ("key-not-turned", rope_scores(1, 0)),
            (
                "cut-like-input",
                lambda q, k, n: [
                    [written_into(+q, q, -i) @ written_into(+k, k, j) for j in range(n)]
                    for i in range(n)
                ],
            ),
            ("query-not-turned", rope_scores(0, -1)),
            ("both-the-other-way", rope_scores(-1, 1)),
            ("query-and-key-unused", lambda q, k, n: rope_scores(1, -1)([1, 0], [1, 0], n)),
            ("degrees", rope_scores(math.pi / 180, -math.pi / 180)),
            ("positions-from-one", rope_scores(1, -1, first=1)),
            ("pattern.never-negative", lambda q, k, n: np.add.outer(np.arange(n), np.arange(n))),
            ("neither-turned", lambda q, k, n: np.full((n, n), q @ k)),
        ),
        alike={
            # Only the difference of the positions counts, wherever the counting begins.
            ("the-right-scores", "positions-from-one"),
            # What does not turn has no direction and no position.
            ("the-right-scores", "key-not-turned"),
            ("the-right-scores", "query-not-turned"),
            ("key-not-turned", "query-not-turned"),
            ("neither-turned", "degrees"),
            ("neither-turned", "positions-from-one"),
            # A key of whole numbers that is not turned stays as it is.
            ("key-not-turned", "cut-like-input"),
            ("neither-turned", "cut-like-input"),
            # A cosine has no sign.
            ("both-the-other-way", "query-and-key-unused"),
        },
        equal_changes=AXIS
        | {"x * cosines - y * sines -> y * sines - x * cosines": "both change the sign"},
    ),
    "share-before": Answers(
        second=share_before,
        asked=attention_and_first(),
        right=(lambda a, first: np.diagonal(a, -1)[first - 1 :].mean(),),
        wrong=(
            ("first-row-ignored", lambda a, first: np.diagonal(a, -1).mean()),
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
                "rows-counted-for-weights",
                lambda a, first: np.mean([a[i].argmax() == i - 1 for i in range(first, len(a))]),
            ),
            ("looks-at-itself", lambda a, first: np.diagonal(a)[first:].mean()),
            ("looks-at-itself", lambda a, first: np.diagonal(a)[first - 1 :].mean()),
            ("character-after", lambda a, first: np.diagonal(a, 1)[first:].mean()),
            ("queries-keys-swapped", lambda a, first: np.diagonal(a, 1)[first - 1 :].mean()),
            ("pattern.step-missing", lambda a, first: np.diagonal(a, -1)[first - 1 :]),
        ),
        alike={
            # It is one of the ways to look at itself; one row early, the one after is the column.
            ("one-row-early", "looks-at-itself"),
            ("one-row-early", "character-after"),
            # The diagonal of a matrix is that of its transpose.
            ("looks-at-itself", "queries-keys-swapped"),
            # What keys give to queries lies on the other side of it.
            ("one-row-late", "queries-keys-swapped"),
            ("character-after", "queries-keys-swapped"),
        },
    ),
}
