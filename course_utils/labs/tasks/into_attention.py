"""Lab 06: positions in batches, heads that look forward or back, and RoPE from the query's side."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...encodings import shift_matrix, sinusoidal_encoding
from ..exercise import Exercise, Misconception
from .shared import DEGREES, POSITIONS_FROM_ONE, in_the_place_of


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=6).uniform(-1, 1, shape).round(2)


QUERIES_KEYS_SWAPPED = Misconception("queries-keys-swapped", keys_ask=True)


@dataclass(frozen=True)
class Addition:
    """Word vectors plus the rows of a table, sentence by sentence."""

    counted_axis: int = -2
    times: int = 1
    guarded: bool = True
    full_refused: bool = False
    table_cut: bool = False
    in_place: bool = False

    def __call__(self, max_length: int, d_model: int, *calls: NDArray) -> NDArray[np.float64]:
        table = sinusoidal_encoding(max_length, d_model) * self.times
        for word_vectors in calls:
            n_words = word_vectors.shape[self.counted_axis]
            if self.guarded and n_words + self.full_refused > len(table):
                raise ValueError("more words than positions")
            added = word_vectors + table[:n_words]
            if self.in_place:
                word_vectors[...] = added
            if self.table_cut:
                table = table[:n_words]
        return added


POSITIONAL_ENCODING = Exercise(
    id="positional-encoding",
    named="PositionalEncoding",
    called_with="word_vectors",
    reference=Addition(),
    given={"counted_axis": 0, "full_refused": True, "table_cut": True, "in_place": True},
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
    misconceptions=(
        Misconception("missing-batch-axis", counted_axis=0),
        Misconception("batch-axis-assumed", counted_axis=1),
        Misconception("full-table-refused", full_refused=True),
        Misconception("table-cut-for-good", table_cut=True),
        Misconception("one-row-stretched", guarded=False),
        Misconception("table-added-twice", times=2),
    ),
)


@dataclass(frozen=True)
class LookForward:
    """Weights that look some steps forward, made of those that look one step back."""

    turned: Callable[[NDArray], NDArray] = np.transpose
    repeat: Callable[[NDArray, int], NDArray] = np.linalg.matrix_power
    extra: int = 0
    sign: int = 1
    given_used: bool = True

    def __call__(self, back: NDArray, steps: int) -> NDArray[np.float64]:
        given = back if self.given_used else shift_matrix(1, len(back))
        return self.sign * self.repeat(self.turned(given), steps + self.extra)


IN_HALVES = np.arange(6).reshape(3, 2).T.ravel()
"""The columns of a table of 6 with all sines first."""

LOOK_FORWARD_WEIGHTS = Exercise(
    id="look-forward-weights",
    reference=LookForward(),
    cases=(
        (shift_matrix(1, 8), 3),
        (shift_matrix(1, 4, base=50.0), 1),
        (shift_matrix(1, 6, base=300.0)[np.ix_(IN_HALVES, IN_HALVES)], 5),
        (shift_matrix(1, 2), 2),
        (shift_matrix(1, 20), 40),
    ),
    typed=("shift_matrix(1, 8), 3",),
    misconceptions=(
        Misconception("still-looks-back", turned=lambda back: back),
        Misconception("entries-to-the-power", repeat=np.power),
        Misconception(
            "entries-to-the-power",
            turned=np.positive,
            repeat=lambda weights, n: weights ** -float(n),
        ),
        Misconception(
            "entries-to-the-power", repeat=lambda weights, n: np.eye(len(weights)) * weights**n
        ),
        Misconception("weights-times-steps", repeat=lambda weights, n: n * weights),
        Misconception("one-step-only", repeat=lambda weights, n: weights),
        Misconception("steps-off-by-one", extra=-1),
        Misconception("steps-off-by-one", extra=1),
        Misconception("scores-upside-down", turned=np.negative),
        Misconception("scores-upside-down", turned=np.positive, sign=-1),
        Misconception("scores-upside-down", sign=-1),
        Misconception("given-weights-unused", given_used=False),
    ),
)


@dataclass(frozen=True)
class ShareLookingAt:
    """The share of queries, of those that can, whose largest score is at one offset."""

    direction: int = 1
    extra: int = 0
    side_ignored: bool = False
    all_counted: bool = False
    wrapped: bool = False
    last_left_out: bool = False
    keys_ask: bool = False
    divided: bool = True
    in_percent: bool = False

    def __call__(self, scores: NDArray, offset: int) -> float:
        queries = np.arange(len(scores))
        offset = self.direction * (offset + self.extra)
        most_attended = (scores.T if self.keys_ask else scores).argmax(axis=1)
        targets = queries + offset
        there = (targets >= 0) & (targets < len(scores))
        if self.wrapped:
            targets, there = targets % len(scores), np.full(len(scores), True)
        right = most_attended == targets
        if self.side_ignored:
            right = np.abs(most_attended - queries) == abs(offset)
        if self.last_left_out:
            there = queries < len(scores) - abs(offset)
        if self.all_counted:
            there = np.full(len(scores), True)
        hits = (right & there).sum()
        share = hits / there.sum() if self.divided else hits
        return float(100 * share if self.in_percent else share)


def _one_key_sought(n_positions: int, key: int) -> NDArray[np.float64]:
    """Scores of a head whose every third query looks at the same key."""
    scores = _mostly_at(n_positions, key)
    scores[::3, key] = 3
    return scores


def _mostly_at(n_positions: int, offset: int) -> NDArray[np.float64]:
    """Scores of a head that mostly looks at one offset, and at times elsewhere."""
    scores = _some(n_positions, n_positions)
    steps = np.random.default_rng(seed=abs(offset)).choice(
        [offset, offset - 1, offset + 1, -offset, -offset - 1],
        n_positions,
        p=[0.5, 0.2, 0.1, 0.15, 0.05],
    )
    queries = np.arange(n_positions)
    scores[queries, (queries + steps) % n_positions] = 2
    return scores


SHARE_LOOKING_AT = Exercise(
    id="share-looking-at",
    reference=ShareLookingAt(),
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
    misconceptions=(
        Misconception("all-queries-counted", all_counted=True),
        Misconception("offset-turned-round", direction=-1),
        Misconception("distance-for-offset", side_ignored=True, wrapped=False),
        Misconception("last-queries-left-out", **in_the_place_of(ShareLookingAt, "last_left_out")),
        QUERIES_KEYS_SWAPPED,
        Misconception("offset-off-by-one", extra=1),
        Misconception("offset-off-by-one", extra=-1),
        Misconception("begins-again-at-the-start", wrapped=True),
        Misconception("in-percent", in_percent=True),
        Misconception("counted-for-share", divided=False),
    ),
)


@dataclass(frozen=True)
class QueryLookingBack:
    """The query that suits a key best, once RoPE has turned both, from some steps further on."""

    direction: int = -1
    radians_per_unit: float = 1.0
    extra: int = 0
    frequency_power: int = 1
    waves: tuple[Callable, Callable] = (np.cos, np.sin)
    second_sign: int = 1
    overwritten: bool = False
    cut_like_input: bool = False

    def __call__(self, key: NDArray, steps_back: int, frequency: float) -> NDArray[np.float64]:
        angle = (steps_back + self.extra) * frequency**self.frequency_power * self.radians_per_unit
        cosine, sine = (wave(angle) for wave in self.waves)
        sine *= self.direction
        kept = key.dtype.type if self.cut_like_input else np.float64
        x = kept(key[0] * cosine - key[1] * sine)
        y = (x if self.overwritten else key[0]) * sine * self.second_sign + key[1] * cosine
        return np.array([x, kept(y)])


QUERY_LOOKING_BACK = Exercise(
    id="query-looking-back",
    reference=QueryLookingBack(),
    cases=(
        (np.array([1.0, 0.0]), 1, 0.5),
        (np.array([0.2, 0.9]), 4, 0.3),
        (np.array([-1.5, 0.4]), 7, 1.0),
        (np.array([0.3, -2.0]), 100, 0.01),
        (np.array([0.5, 0.7]), 0, 0.1),
        (np.array([3, -4]), 2, 0.25),
    ),
    misconceptions=(
        Misconception("turned-forwards", direction=1),
        Misconception("frequency-forgotten", frequency_power=0),
        Misconception("divided-by-frequency", frequency_power=-1),
        # The direction keeps its value, so that nothing is said of it as well.
        Misconception("sine-cosine-exchanged", waves=(np.sin, np.cos), direction=-1),
        Misconception("both-signs-alike", second_sign=-1),
        Misconception("overwritten-too-soon", overwritten=True),
        # Written into a key of whole numbers, what is used too soon has been cut as well.
        Misconception("overwritten-too-soon", overwritten=True, cut_like_input=True),
        Misconception("cut-like-input", cut_like_input=True, overwritten=False),
        Misconception("steps-back-off-by-one", extra=1),
        Misconception("steps-back-off-by-one", extra=-1),
        DEGREES,
    ),
)


@dataclass(frozen=True)
class TheirScores:
    """Scores of one query and one key, each at every position, with the key turned backwards."""

    query_direction: int = 1
    key_direction: int = -1
    radians_per_unit: float = 1.0
    first_position: int = 0
    lengths_used: bool = True
    cut_like_input: bool = False

    def __call__(self, query: NDArray, key: NDArray, n_positions: int) -> NDArray[np.float64]:
        positions = np.arange(n_positions) + self.first_position
        angles = positions * self.radians_per_unit
        queries = self._turned(query, angles * self.query_direction)
        keys = self._turned(key, angles * self.key_direction)
        return (queries[:, np.newaxis] * keys.conj()).real

    def _turned(self, pair: NDArray, angles: NDArray) -> NDArray[np.complex128]:
        """The pair as a complex number, at each angle."""
        number = pair[0] + 1j * pair[1] if self.lengths_used else 1.0
        turned = number * np.exp(1j * angles)
        if self.cut_like_input and pair.dtype.kind == "i":
            turned = np.trunc(turned.real) + 1j * np.trunc(turned.imag)
        return turned


QUERY, KEY = np.array([0.6, -0.3]), np.array([0.2, 0.9])

THEIR_SCORES = Exercise(
    id="their-scores",
    reference=TheirScores(),
    cases=((QUERY, KEY, 5), (KEY, QUERY, 4), (_some(2), np.array([1, 2]), 30), (KEY, KEY, 1)),
    shows_wrong_output=True,
    misconceptions=(
        Misconception("the-right-scores", key_direction=1),
        Misconception("the-right-scores", query_direction=-1),
        Misconception("key-not-turned", key_direction=0),
        Misconception("key-not-turned", key_direction=0, query_direction=-1),
        Misconception("query-not-turned", query_direction=0),
        Misconception("query-not-turned", query_direction=0, key_direction=1),
        Misconception("neither-turned", key_direction=0, query_direction=0),
        Misconception("both-the-other-way", query_direction=-1, key_direction=1),
        Misconception("query-and-key-unused", lengths_used=False),
        Misconception("cut-like-input", cut_like_input=True, lengths_used=True),
        DEGREES,
        POSITIONS_FROM_ONE,
    ),
)


@dataclass(frozen=True)
class ShareBefore:
    """The mean weight that rows of attention give to the position before, from one row on."""

    offset: int = -1
    keys_ask: bool = False
    first_used: bool = True
    extra: int = 0
    divided_by: str = "rows"
    of_each_row: Callable[[NDArray], NDArray] | None = None

    def __call__(self, attention: NDArray, first: int) -> float:
        n_positions = len(attention)
        first = (first if self.first_used else 1) + self.extra
        rows = np.arange(first, n_positions - max(self.offset, 0))
        weights = (attention.T if self.keys_ask else attention)[rows, rows + self.offset]
        if self.of_each_row is not None:
            weights = self.of_each_row(attention)[rows]
        divisor = {
            "rows": len(rows),
            "rows, at least one": max(len(rows), 1),
            "all": n_positions,
            "nothing": 1,
        }[self.divided_by]
        return float(weights.sum() / divisor) if divisor else math.nan


def _attention(n_positions: int, looks_ahead: bool = False) -> NDArray[np.float64]:
    """Weights of a head with rows that add up to 1."""
    weights = np.exp(2 * _some(n_positions, n_positions))
    if not looks_ahead:
        weights = np.tril(weights)
    return weights / weights.sum(axis=1, keepdims=True)


def _all_before(attention: NDArray) -> NDArray[np.float64]:
    """How much each row gives to all earlier positions together."""
    return np.tril(attention, -1).sum(axis=1)


def _largest_just_before(attention: NDArray) -> NDArray[np.bool_]:
    """Whether the largest weight of each row is that for the position just before."""
    return attention.argmax(axis=1) == np.arange(len(attention)) - 1


SHARE_BEFORE = Exercise(
    id="share-before",
    reference=ShareBefore(),
    cases=(
        (np.eye(5, k=-1), 2),
        (_attention(6, looks_ahead=True), 1),
        (_attention(9, looks_ahead=True), 4),
        (_attention(16), 8),
        (_attention(7), 6),
        (np.array([[1.0, 0.0], [0.25, 0.75]]), 1),
    ),
    typed=("np.eye(5, k=-1), 2",),
    misconceptions=(
        Misconception("first-row-ignored", first_used=False),
        Misconception("one-row-late", extra=1),
        Misconception("one-row-late", extra=1, divided_by="rows, at least one"),
        Misconception("one-row-early", extra=-1),
        Misconception("summed-for-mean", divided_by="nothing"),
        Misconception("divided-by-all-rows", divided_by="all"),
        *(
            Misconception(
                id, **in_the_place_of(ShareBefore, of_each_row=measure, first_used=first_used)
            )
            for id, measure in (
                ("all-before-added", _all_before),
                ("rows-counted-for-weights", _largest_just_before),
            )
            for first_used in (True, False)
        ),
        Misconception("looks-at-itself", offset=0),
        Misconception("looks-at-itself", offset=0, extra=-1),
        Misconception("character-after", offset=1),
        QUERIES_KEYS_SWAPPED,
    ),
)

EXERCISES = (
    POSITIONAL_ENCODING,
    LOOK_FORWARD_WEIGHTS,
    SHARE_LOOKING_AT,
    SHARE_BEFORE,
    QUERY_LOOKING_BACK,
    THEIR_SCORES,
)
