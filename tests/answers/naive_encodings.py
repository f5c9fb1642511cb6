"""Lab 01: right answers, wrong ones, and what is found in them."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count

import numpy as np
from hypothesis import strategies as st
from numpy.linalg import norm

from . import Answers

SIZE = st.integers(1, 80)


def countdown(n_positions: int, d_model: int) -> list[list[int]]:
    table = []
    for following in range(n_positions - 1, -1, -1):
        table.append([following] * d_model)
    return table


def column(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.asarray(numbers)[:, np.newaxis] * np.ones(d_model)


ONES = "all columns are times 1"


def part_of_the_lengths(word: np.ndarray, position: int) -> float:
    word_length = math.sqrt(math.fsum(x * x for x in word))
    return word_length / (word_length + math.sqrt(len(word) * position**2))


def first_drowned(word: np.ndarray, share: float) -> int:
    position = 0
    while part_of_the_lengths(word, position) >= share:
        position += 1
    return position


def is_told_by_rounding(arguments: tuple[np.ndarray, float]) -> bool:
    """Whether the share is met at a position up to the last digits, in which sums may differ."""
    word, share = arguments
    first = first_drowned(word, share)
    return any(
        0 < abs(part_of_the_lengths(word, position) - share) < 1e-9
        for position in range(max(first - 1, 0), first + 2)
    )


WORDS = st.lists(st.integers(-8, 8).map(lambda x: x / 4), min_size=1, max_size=70).filter(any)


SHARES = st.integers(2, 99).map(lambda percent: percent / 100) | st.sampled_from((0.25, 0.5, 0.75))


def first(holds: Callable[[int], bool]) -> int:
    """The first position at which something holds."""
    return next(i for i in count() if holds(i))


def full(word: np.ndarray, i: int) -> np.ndarray:
    return np.full(len(word), i)


def share(word: np.ndarray, position: np.ndarray) -> float:
    return norm(word) / (norm(word) + norm(position))


def squared_share(word: np.ndarray, i: int) -> float:
    return (word**2).sum() / ((word**2).sum() + (full(word, i) ** 2).sum())


def first_drowned_of_many(word: np.ndarray, share: float) -> np.int64:
    lengths = np.linalg.norm(np.outer(np.arange(9999), np.ones_like(word)), axis=1)
    word_length = np.linalg.norm(word)
    return np.argmax(word_length / (word_length + lengths) < share)


def repeating(n_positions: int, d_model: int, period: int) -> list[list[float]]:
    table, step = [], 0
    for _ in range(n_positions):
        table.append([step / (period - 1)] * d_model)
        step = 0 if step == period - 1 else step + 1
    return table


def triangle(i: np.ndarray, period: int) -> np.ndarray:
    return 1 - np.abs(i % (2 * (period - 1)) / (period - 1) - 1)


def shares_in_fractions(n_positions: int, d_model: int, period: int) -> list[list[Fraction]]:
    return [[Fraction(position % period, period - 1)] * d_model for position in range(n_positions)]


def largest_change(encoding: Callable, n_positions: int, longer: int, d_model: int) -> float:
    shorter_table, longer_table = encoding(n_positions, d_model), encoding(longer, d_model)
    largest = 0.0
    for row in range(n_positions):
        for column in range(d_model):
            change = abs(float(longer_table[row][column]) - float(shorter_table[row][column]))
            largest = max(largest, change)
    return largest


def made_up_encoding(seed: int) -> Callable[[int, int], np.ndarray]:
    """Other numbers for each length and each number of dimensions."""

    def encoding(n_positions: int, d_model: int) -> np.ndarray:
        random = np.random.default_rng((seed, n_positions, d_model))
        return random.normal(size=(n_positions, d_model))

    return encoding


LENGTHS = st.tuples(SIZE, SIZE).map(lambda sizes: (sizes[0], sum(sizes)))


def change(e: Callable, n: int, longer: int, d: int) -> np.ndarray:
    return e(longer, d)[:n] - e(n, d)


def change_in(rows: slice, columns: slice = slice(None)) -> Callable[..., float]:
    """The largest change in some of the rows and columns."""

    def change(encoding: Callable, n_positions: int, longer: int, d_model: int) -> float:
        longer_table = encoding(longer, d_model)[:n_positions]
        return np.abs(longer_table - encoding(n_positions, d_model))[rows, columns].max(initial=0)

    return change


def largest_change_in_four(e: Callable, n: int, longer: int, d_model: int) -> float:
    return np.abs(e(longer, 4)[:n] - e(n, 4)).max()


def counted_from_one(n_positions: int, d_model: int) -> list[list[float]]:
    return [[number / n_positions] * d_model for number in range(1, n_positions + 1)]


def shares_by_remainders_of_floats(n: int, d: int, period: int) -> np.ndarray:
    return column(np.arange(n) / (period - 1) % (period / (period - 1)), d)


def shares_in_a_table_of_integers(n: int, d: int, period: int) -> np.ndarray:
    table = np.zeros((n, d), dtype=int)
    for i in range(n):
        table[i] = i % period / (period - 1)
    return table


def first_drowned_of_a_few(word: np.ndarray, least: float) -> int | None:
    return next((i for i in range(1000) if share(word, full(word, i)) < least), None)


ANSWERS = {
    "countdown-encoding": Answers(
        second=countdown,
        asked=st.tuples(SIZE, SIZE),
        right=(
            lambda n, d: np.indices((n, d))[0][::-1].astype(np.uint8),
            lambda n, d: np.arange(n).repeat(d).reshape(n, d)[::-1],
        ),
        wrong=(
            ("word-itself-counted", lambda n, d: column(n - np.arange(n), d)),
            ("counted-up", lambda n, d: column(np.arange(n), d)),
            ("pattern.one-column", lambda n, d: np.arange(n)[::-1]),
            ("raised", lambda n, d: np.arange(n)[::-1] * np.ones(d)),
            ("axes-swapped", lambda n, d: np.arange(n)[::-1] * np.ones((d, 1))),
            ("pattern.too-small", lambda n, d: column(n - 1 - np.arange(1, n + 1), d)),
            ("pattern.opposite-sign", lambda n, d: column(np.arange(n) - n + 1, d)),
            ("pattern.some-calls-right", lambda n, d: np.arange(n)[::-1, np.newaxis]),
            ("dimensions-counted-down", lambda n, d: np.tile(np.arange(d)[::-1], (n, 1))),
            ("pattern.lines-too-few-by-one", lambda n, d: column(np.arange(n - 1, 0, -1), d)),
            ("", lambda n, d: column(np.arange(n)[::-1] / (n - 1), d)),
            ("pattern.reshaped", lambda n, d: np.squeeze(np.indices((n, d))[0][::-1])),
        ),
        alike={("counted-up", "dimensions-counted-down")},
        equal_changes={
            "still_to_come[:, np.newaxis] * np.ones(d_model)"
            " -> still_to_come[:, np.newaxis] / np.ones(d_model)": ONES,
        },
    ),
    "first-drowned-position": Answers(
        second=first_drowned,
        asked=st.tuples(WORDS.map(np.array), SHARES).filter(
            lambda asked: not is_told_by_rounding(asked)
        ),
        right=(
            lambda word, share: (
                math.floor(math.hypot(*word) * (1 / share - 1) / len(word) ** 0.5) + 1
            ),
            first_drowned_of_many,
        ),
        wrong=(
            ("nothing", first_drowned_of_a_few),
            ("columns-added", lambda w, s: first(lambda i: norm(w) / (norm(w) + i * len(w)) < s)),
            ("last-above", lambda w, s: first(lambda i: share(w, full(w, i)) < s) - 1),
            ("equal-is-below", lambda w, s: first(lambda i: share(w, full(w, i)) <= s)),
            ("one-column", lambda w, s: first(lambda i: share(w, [i]) < s)),
            ("length-squared", lambda w, s: first(lambda i: squared_share(w, i) < s)),
            (
                "length-squared columns-added",
                lambda w, s: first(lambda i: norm(w) ** 2 / (norm(w) ** 2 + (i * len(w)) ** 2) < s),
            ),
            ("length-of-sum", lambda w, s: first(lambda i: norm(w) / norm(w + full(w, i)) < s)),
            (
                "over-position-only",
                lambda w, s: first(lambda i: i and norm(w) / norm(full(w, i)) < s),
            ),
            ("ends-at-zero", lambda w, s: first(lambda i: norm(full(w, i)) / (norm(w) + i) < s)),
            ("pattern.always-too-small", lambda w, s: norm(w) * (1 / s - 1) / np.sqrt(len(w))),
            ("columns-added", lambda w, s: int(norm(w) * (1 / s - 1) / len(w)) + 1),
            ("raised", lambda w, s: [i for i in range(100) if share(w, full(w, i)) < s][0]),
            (
                "number-expected",
                lambda w, s: np.array([share(w, full(w, i)) < s for i in range(100)]),
            ),
            ("pattern.wrong-ones-zero", lambda w, s: share(w, full(w, 1)) < s),
            (
                "pattern.always-too-small",
                lambda w, s: first(lambda i: sum(w) / (sum(w) + sum(full(w, i))) < s),
            ),
        ),
        alike={("one-column", "length-of-sum")},
        equal_changes={"0 -> 1": "at position 0 no word drowns"},
    ),
    "repeating-encoding": Answers(
        second=repeating,
        asked=st.tuples(SIZE, SIZE, st.integers(2, 90)),
        right=(
            shares_by_remainders_of_floats,
            shares_in_fractions,
            lambda n, d, period: np.resize(np.linspace(0, 1, period), n)[:, None].repeat(d, axis=1),
        ),
        wrong=(
            ("integer-division", shares_in_a_table_of_integers),
            ("divided-by-period", lambda n, d, period: column(np.arange(n) % period / period, d)),
            ("never-begins-again", lambda n, d, period: column(np.arange(n) / (period - 1), d)),
            (
                "period-too-short",
                lambda n, d, period: column(np.arange(n) % (period - 1) / (period - 1), d),
            ),
            ("count-not-divided", lambda n, d, period: column(np.arange(n) % period, d)),
            ("length-for-period", lambda n, d, period: column(np.arange(n) % period / (n - 1), d)),
            (
                "pattern.some-calls-right",
                lambda n, d, period: column(triangle(np.arange(n), period), d),
            ),
            (
                "wrong-shape",
                lambda n, d, period: np.tile(np.linspace(0, 1, period), n // period)[:, None],
            ),
            ("pattern.one-column", lambda n, d, period: np.arange(n) % period / (period - 1)),
            (
                "integer-division",
                lambda n, d, period: column(np.arange(n) % period // (period - 1), d),
            ),
        ),
        alike={
            # The count is whole before it is divided.
            ("count-not-divided", "integer-division"),
            # What never begins again has no period, and within a whole sequence nothing does.
            ("period-too-short", "never-begins-again"),
            ("never-begins-again", "length-for-period"),
        },
        equal_changes={
            "shares[:, np.newaxis] * np.ones(d_model)"
            " -> shares[:, np.newaxis] / np.ones(d_model)": ONES,
        },
    ),
    "largest-change": Answers(
        second=largest_change,
        asked=st.tuples(st.integers(0, 9).map(made_up_encoding), LENGTHS, SIZE).map(
            lambda drawn: (drawn[0], *drawn[1], drawn[2])
        ),
        right=(lambda e, n, m, d: max(abs(e(m, d)[:n] - e(n, d)).flatten()),),
        wrong=(
            ("sign-kept-in-maximum", lambda e, n, longer, d: change(e, n, longer, d).max()),
            ("raised", lambda e, n, longer, d: np.abs(e(longer, d) - e(n, d)).max()),
            ("last-rows", lambda e, n, longer, d: np.abs(e(longer, d)[-n:] - e(n, d)).max()),
            ("pattern.step-missing", lambda e, n, longer, d: np.abs(change(e, n, longer, d))),
            (
                "pattern.step-missing",
                lambda e, n, longer, d: np.abs(change(e, n, longer, d)).max(axis=0),
            ),
            ("not-the-largest", lambda e, n, longer, d: np.abs(change(e, n, longer, d)).mean()),
            (
                "pattern.some-calls-right",
                lambda e, n, longer, d: np.abs(change(e, n, longer, d))[-1].max(),
            ),
            (
                "pattern.some-calls-right",
                lambda e, n, longer, d: np.abs(e(longer, d)).max() - np.abs(e(n, d)).max(),
            ),
            (
                "rows-as-vectors",
                lambda e, n, longer, d: norm(change(e, n, longer, d), axis=1).max(),
            ),
            ("pattern.square", lambda e, n, longer, d: np.square(change(e, n, longer, d)).max()),
            ("pattern.some-calls-right", change_in(slice(-1, None))),
            ("pattern.wrong-ones-zero", change_in(slice(1))),
            ("pattern.always-too-small", change_in(slice(1, None))),
            ("pattern.some-calls-right", change_in(slice(None), slice(1))),
            ("pattern.some-calls-right", largest_change_in_four),
            ("sign-kept-in-maximum", lambda e, n, m, d: (e(n, d) - e(m, d)[:n]).max()),
            ("sign-kept-in-maximum", lambda e, n, m, d: (e(m, d)[:n] - e(n, d)).max()),
            ("sign-kept-in-maximum", lambda e, n, m, d: abs((e(m, d)[:n] - e(n, d)).max())),
        ),
        equal_changes={
            "long_table[:n_positions] - short_table"
            " -> short_table - long_table[:n_positions]": "the sign is dropped",
        },
    ),
    "their-shares": Answers(
        second=counted_from_one,
        asked=st.tuples(SIZE, SIZE),
        right=(
            lambda n, d: np.tile(np.linspace(1 / n, 1, n)[:, None], d),
            lambda n, d: np.full((n, d), 1 / n).cumsum(axis=0),
        ),
        wrong=(
            ("right-shares", lambda n, d: column(np.arange(n) / max(n - 1, 1), d)),
            ("zero-not-in-theirs", lambda n, d: column(np.arange(n) / n, d)),
            ("beyond-one", lambda n, d: column(np.arange(1, n + 1) / max(n - 1, 1), d)),
            ("short-of-one", lambda n, d: column(np.arange(1, n + 1) / (n + 1), d)),
            ("length-in-picture", lambda n, d: column(np.arange(1, n + 1) / 5, d)),
            ("pattern.one-column", lambda n, d: np.arange(1, n + 1) / n),
            ("pattern.lines-too-few-by-one", lambda n, d: column(np.arange(1, n) / n, d)),
            ("pattern.only-first-call-right", lambda n, d: column(np.linspace(1 / 5, 1, n), d)),
            ("columns-counted", lambda n, d: np.tile(np.arange(1, d + 1) / d, (n, 1))),
            ("axes-swapped", lambda n, d: np.tile(np.arange(1, n + 1) / n, (d, 1))),
            ("integer-division", lambda n, d: column(np.arange(1, n + 1) // n, d)),
        ),
        alike={("zero-not-in-theirs", "beyond-one")},
    ),
}
