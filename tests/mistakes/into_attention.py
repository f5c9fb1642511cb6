"""Lab 06 as people get it wrong."""

import math

import numpy as np
from checks.labs import Encoding, too_long

from course_utils import shift_matrix


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


def at_most(n, rows):
    return n <= rows


def fewer(n, rows):
    return n < rows


def anything(n, rows):
    return True


def last_but_one(w):
    return w.shape[-2]


class OneByOne(Encoding):
    def __call__(self, word_vectors):
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        return np.array([word + row for word, row in zip(word_vectors, self.table, strict=False)])


class Unsummed(Encoding):
    def __call__(self, word_vectors):
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        return self.table[: word_vectors.shape[-2]]


class WholeTable(Encoding):
    def __call__(self, word_vectors):
        if too_long(word_vectors, len(self.table)):
            raise ValueError
        return word_vectors + self.table


def looped(back, steps):
    weights = back.T
    for _ in range(steps):
        weights = weights @ back.T
    return weights


def looped_too_few(back, steps):
    weights = np.eye(len(back))
    for _ in range(1, steps):
        weights = weights @ back.T
    return weights


def by_slices(scores, offset):
    return np.mean(scores.argmax(axis=1)[offset:] == np.arange(len(scores) - offset))


def by_argmax(scores, offset, axis=1):
    return scores.argmax(axis=axis) == np.arange(len(scores)) + offset


def judged(hits, offset):
    """The part of an array with a key at that offset."""
    return hits[max(0, -offset) : len(hits) - max(0, offset)]


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


def added_in_place(key, steps_back, frequency):
    key -= steps_back * frequency
    return key


def rope_scores(query, key, query_angles, key_angles):
    queries = np.array([turned(query, -angle) for angle in query_angles])
    keys = np.array([turned(key, -angle) for angle in key_angles])
    return queries @ keys.T


MISTAKES = {
    "positional-encoding": (
        ("missing-batch-axis", repaired(len, at_most)),
        ("batch-axis-assumed", repaired(lambda w: w.shape[1], at_most)),
        ("full-table-refused", repaired(last_but_one, fewer)),
        ("table-cut-for-good", repaired(last_but_one, at_most, cut=True)),
        ("input-changed", repaired(last_but_one, at_most, in_place=True)),
        ("one-row-stretched", repaired(last_but_one, anything)),
        ("table-added-twice", repaired(last_but_one, at_most, times=2)),
        ("missing-batch-axis full-table-refused", repaired(len, fewer)),
        ("one-row-stretched table-cut-for-good", repaired(last_but_one, anything, cut=True)),
        ("full-table-refused table-cut-for-good", repaired(last_but_one, fewer, cut=True)),
        (
            "as-given",
            repaired(len, fewer, cut=True, in_place=True),
        ),
        ("full-table-refused input-changed", repaired(last_but_one, fewer, in_place=True)),
        (
            "table-cut-for-good input-changed",
            repaired(last_but_one, at_most, cut=True, in_place=True),
        ),
        ("raised", repaired(lambda w: w.shape[-1], at_most)),
        ("raised", repaired(lambda w: w.size, at_most)),
        ("pattern.some-calls-right", OneByOne),
        ("pattern.some-calls-right", Unsummed),
        ("raised", WholeTable),
    ),
    "look-forward-weights": (
        ("still-looks-back", np.linalg.matrix_power),
        ("still-looks-back one-step-only", lambda back, steps: back),
        ("entries-to-the-power", lambda back, steps: back.T**steps),
        ("entries-to-the-power", lambda back, steps: np.eye(len(back)) * back.T**steps),
        ("weights-times-steps", lambda back, steps: steps * back.T),
        ("one-step-only", lambda back, steps: back.T),
        ("one-step-only", lambda back, steps: np.linalg.inv(back)),
        ("steps-off-by-one", looped),
        ("steps-off-by-one", looped_too_few),
        ("still-looks-back weights-times-steps", lambda back, steps: steps * back),
        ("still-looks-back entries-to-the-power", lambda back, steps: back**steps),
        ("one-step-only scores-upside-down", lambda back, steps: -back),
        ("one-step-only scores-upside-down", lambda back, steps: -back.T),
        ("scores-upside-down", lambda back, steps: -np.linalg.matrix_power(back, steps)),
        ("scores-upside-down", lambda back, steps: np.linalg.matrix_power(-back, steps)),
        ("scores-upside-down", lambda back, steps: -np.linalg.matrix_power(back.T, steps)),
        ("weights-times-steps scores-upside-down", lambda back, steps: -steps * back),
        ("given-weights-unused", lambda back, steps: shift_matrix(-steps, len(back))),
        (
            "still-looks-back given-weights-unused",
            lambda back, steps: shift_matrix(steps, len(back)),
        ),
        ("entries-to-the-power", lambda back, steps: back ** -float(steps)),
        ("pattern.lengths-right", lambda back, steps: np.roll(back, steps, axis=1)),
        ("pattern.lengths-right", lambda back, steps: back.T @ back.T),
        ("pattern.lengths-right", lambda back, steps: np.linalg.matrix_power(back[::-1], steps)),
        ("pattern.never-negative", lambda back, steps: back + steps),
    ),
    "share-looking-at": (
        ("all-queries-counted", lambda s, r: by_argmax(s, r).mean()),
        ("offset-turned-round", lambda s, r: judged(by_argmax(s, -r), -r).mean()),
        (
            "distance-for-offset",
            lambda s, r: judged(abs(s.argmax(1) - np.arange(len(s))) == abs(r), r).mean(),
        ),
        (
            "all-queries-counted distance-for-offset",
            lambda s, r: np.mean(abs(s.argmax(1) - np.arange(len(s))) == abs(r)),
        ),
        (
            "distance-for-offset",
            lambda s, r: np.sum(abs(s.argmax(1) - np.arange(len(s))) == abs(r)) / (len(s) - abs(r)),
        ),
        ("queries-keys-swapped", lambda s, r: judged(by_argmax(s, r, axis=0), r).mean()),
        ("offset-off-by-one", lambda s, r: judged(by_argmax(s, r + 1), r + 1).mean()),
        (
            "begins-again-at-the-start",
            lambda s, r: (s.argmax(1) == np.roll(np.arange(len(s)), -r)).mean(),
        ),
        ("in-percent", lambda s, r: 100 * judged(by_argmax(s, r), r).mean()),
        ("counted-for-share", lambda s, r: by_argmax(s, r).sum()),
        (
            "all-queries-counted in-percent",
            lambda s, r: 100 * by_argmax(s, r).sum() / len(s),
        ),
        (
            "all-queries-counted queries-keys-swapped",
            lambda s, r: by_argmax(s, r, axis=0).sum() / len(s),
        ),
        (
            "all-queries-counted offset-turned-round",
            lambda s, r: by_argmax(s, -r).mean(),
        ),
        ("pattern.some-calls-right", by_slices),
        ("pattern.always-too-small", lambda s, r: judged(by_argmax(s, r), -r).mean()),
        ("pattern.right-unless-negative", lambda s, r: by_argmax(s, r).sum() / (len(s) - r)),
        ("all-queries-counted offset-for-key", lambda s, r: np.mean(s.argmax(axis=1) == r)),
        ("pattern.some-calls-right", lambda s, r: np.mean(np.diagonal(s, r) == s.max())),
        ("pattern.some-calls-right", lambda s, r: np.diagonal(s, r).sum() / s.sum()),
        ("number-expected", by_argmax),
        ("pattern.always-the-same", lambda s, r: 0.5),
        ("pattern.always-too-small", lambda s, r: (s.argmax() == np.arange(len(s)) + r).mean()),
    ),
    "query-looking-back": (
        ("turned-forwards", lambda key, r, w: turned(key, -r * w)),
        ("frequency-forgotten", lambda key, r, w: turned(key, r)),
        ("divided-by-frequency", lambda key, r, w: turned(key, r / w)),
        ("sine-cosine-exchanged", lambda key, r, w: turned(key, np.pi / 2 - r * w)),
        ("both-signs-alike", lambda key, r, w: turned(key, r * w, second_sign=-1)),
        ("overwritten-too-soon", overwritten),
        ("steps-back-off-by-one", lambda key, r, w: turned(key, (r + 1) * w)),
        ("degrees", lambda key, r, w: turned(key, np.radians(r * w))),
        ("degrees", lambda key, r, w: turned(key, np.degrees(r * w))),
        ("turned-forwards frequency-forgotten", lambda key, r, w: turned(key, -r)),
        ("turned-forwards degrees", lambda key, r, w: turned(key, -np.radians(r * w))),
        ("pattern.input-returned", lambda key, r, w: key),
        ("pattern.some-calls-right", lambda key, r, w: key - r * w),
        ("pattern.only-first-call-right", lambda key, r, w: turned(key, w)),
        ("pattern.swapped-in-pairs", lambda key, r, w: turned(key, r * w)[::-1]),
        ("pattern.extra-axis", lambda key, r, w: turned(key, r * w)[np.newaxis]),
        ("pattern.only-first-call-right", lambda key, r, w: [np.cos(r * w), -np.sin(r * w)]),
        ("pattern.some-calls-right", lambda key, r, w: key * np.cos(r * w)),
        ("pattern.opposite-sign", lambda key, r, w: -turned(key, r * w)),
        ("input-changed", added_in_place),
        (
            "pattern.opposite-sign-in-some-calls",
            lambda key, r, w: (
                np.linalg.norm(key)
                * turned(np.array([1.0, 0.0]), r * w - math.atan(key[1] / key[0]))
            ),
        ),
        ("pattern.factor-by-call", lambda key, r, w: turned(key, r * w) / np.linalg.norm(key)),
    ),
    "their-scores": (
        ("the-right-scores", lambda q, k, n: rope_scores(q, k, np.arange(n), np.arange(n))),
        ("key-not-turned", lambda q, k, n: rope_scores(q, k, np.arange(n), np.zeros(n))),
        ("query-not-turned", lambda q, k, n: rope_scores(q, k, np.zeros(n), -np.arange(n))),
        ("key-not-turned", lambda q, k, n: rope_scores(q, k, -np.arange(n), np.zeros(n))),
        ("query-not-turned", lambda q, k, n: rope_scores(q, k, np.zeros(n), np.arange(n))),
        ("both-the-other-way", lambda q, k, n: rope_scores(q, k, -np.arange(n), np.arange(n))),
        ("both-the-other-way", lambda q, k, n: rope_scores(k, q, np.arange(n), -np.arange(n))),
        ("the-right-scores", lambda q, k, n: rope_scores(q, k, -np.arange(n), -np.arange(n))),
        ("query-and-key-unused", lambda q, k, n: np.cos(np.add.outer(np.arange(n), np.arange(n)))),
        (
            "degrees",
            lambda q, k, n: rope_scores(q, k, np.radians(np.arange(n)), -np.radians(np.arange(n))),
        ),
        (
            "positions-from-one",
            lambda q, k, n: rope_scores(q, k, np.arange(1, n + 1), -np.arange(1, n + 1)),
        ),
        (
            "both-the-other-way positions-from-one",
            lambda q, k, n: rope_scores(q, k, -np.arange(1, n + 1), np.arange(1, n + 1)),
        ),
        (
            "the-right-scores query-and-key-unused",
            lambda q, k, n: np.cos(np.subtract.outer(np.arange(n), np.arange(n))),
        ),
        (
            "pattern.some-calls-right",
            lambda q, k, n: np.fliplr(rope_scores(q, k, np.arange(n), np.arange(n))),
        ),
        (
            "the-right-scores",
            lambda q, k, n: rope_scores(q, k, np.arange(n), np.arange(n)).T,
        ),
        (
            "pattern.some-calls-right",
            lambda q, k, n: (q @ k) * np.cos(np.add.outer(np.arange(n), np.arange(n))),
        ),
        ("pattern.never-negative", lambda q, k, n: np.add.outer(np.arange(n), np.arange(n))),
        ("neither-turned", lambda q, k, n: np.full((n, n), q @ k)),
        (
            "pattern.some-calls-right",
            lambda q, k, n: rope_scores(q, q, np.arange(n), -np.arange(n)),
        ),
        (
            "pattern.factor",
            lambda q, k, n: rope_scores(q, k, np.arange(n), -np.arange(n)) / np.sqrt(2),
        ),
        ("pattern.one-column", lambda q, k, n: rope_scores(q, k, np.arange(n), -np.arange(n))[0]),
        ("pattern.columns-agree", lambda q, k, n: rope_scores(q, k, 2 * np.arange(n), np.zeros(n))),
    ),
}
