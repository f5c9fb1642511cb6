"""Right work is solved, in whatever honest form, and graded as right."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from net.labs import (
    Encoding,
    by_exp_and_log,
    by_loops,
    grading_accepts,
    shift_by_kron,
)

from course_utils import angular_frequencies
from course_utils.labs import check, exercises
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES


def in_float32(n_positions: int, d_model: int) -> np.ndarray:
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = np.arange(n_positions, dtype=np.float32)[:, None] / np.float32(10_000) ** exponents
    table = np.zeros((n_positions, d_model), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    assert table.dtype == np.float32
    return table


def by_complex_numbers(n_positions: int, d_model: int) -> np.ndarray:
    frequencies = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    turned = np.exp(1j * np.outer(np.arange(n_positions), frequencies))
    return np.dstack([turned.imag, turned.real]).reshape(n_positions, d_model)


def by_neighbouring_bits(n_positions: int, d_model: int) -> np.ndarray:
    bits = np.arange(n_positions)[:, None] >> np.arange(d_model + 1) & 1
    return bits[:, 1:] != bits[:, :-1]


def by_counting_up(n_positions: int) -> int:
    d_model = 0
    while 2**d_model < n_positions:
        d_model += 1
    return d_model


def shares_in_fractions(n_positions: int, d_model: int, period: int) -> list[list[Fraction]]:
    return [[Fraction(position % period, period - 1)] * d_model for position in range(n_positions)]


def first_drowned_of_a_thousand(word: np.ndarray, share: float) -> np.int64:
    lengths = np.linalg.norm(np.outer(np.arange(1000), np.ones_like(word)), axis=1)
    word_length = np.linalg.norm(word)
    return np.argmax(word_length / (word_length + lengths) < share)


def closed_form_by_table(offsets: np.ndarray, d_model: int) -> list[float]:
    start = 200
    rows = np.array(by_loops(401, d_model))
    return [rows[start + offset] @ rows[start] for offset in offsets]


def first_return_by_turns(multiples: np.ndarray, step: float) -> float:
    """The slowest hand turns until all others have made whole turns too."""
    slowest = multiples.min()
    turns = 1
    while (turns * multiples % slowest).any():
        turns += 1
    return turns * math.tau / (slowest * step)


def share_by_sums(scores: np.ndarray, offset: int) -> float:
    judged = [i for i in range(len(scores)) if 0 <= i + offset < len(scores)]
    return sum(scores[i].argmax() == i + offset for i in judged) / len(judged)


def share_by_diagonals(scores: np.ndarray, offset: int) -> float:
    is_largest = scores == scores.max(axis=1, keepdims=True)
    return np.diagonal(is_largest, offset).mean()


def query_as_complex(key: np.ndarray, steps_back: int, frequency: float) -> tuple[float, float]:
    query = complex(*key) * np.exp(-1j * steps_back * frequency)
    return query.real, query.imag


def scores_as_complex(query: np.ndarray, key: np.ndarray, n_positions: int) -> np.ndarray:
    turned = np.exp(1j * np.add.outer(np.arange(n_positions), np.arange(n_positions)))
    return (complex(*query) * turned * complex(*key).conjugate()).real


def rotate_part_as_complex(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    numbers = vectors[:, : n_turned // 2] + 1j * vectors[:, n_turned // 2 : n_turned]
    turned = numbers * np.exp(1j * np.outer(positions, angular_frequencies(n_turned)))
    return np.concatenate([turned.real, turned.imag, vectors[:, n_turned:]], axis=1)


def slopes_by_turns(n_heads: int) -> list[float]:
    """Each head that is missing has the geometric mean of two slopes that are there."""
    power = 1 << (n_heads.bit_length() - 1)
    found = [0.5 ** (8 / power * head) for head in range(1, power + 1)]
    before = [1.0, *found]
    return found + [math.sqrt(before[i] * before[i + 1]) for i in range(n_heads - power)]


def bucket_by_beginnings(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    if offset > 0:
        return both_ways * (
            n_buckets // 2 + bucket_by_beginnings(-offset, n_buckets // 2, max_distance, False)
        )
    if both_ways:
        n_buckets //= 2
    near = n_buckets // 2
    begins = [*range(near), *np.geomspace(near, max_distance, near, endpoint=False)]
    return sum(begin <= -offset for begin in begins) - 1


def mixed_by_pairs(position: int, d_model: int) -> np.ndarray:
    """Of each block, the first column turns by one angle and the second by another."""
    frequencies = [*angular_frequencies(d_model)] * 2
    matrix = np.zeros((d_model, d_model))
    for c in range(0, d_model, 2):
        one, other = position * frequencies[c], position * frequencies[c + 1]
        block = [[math.cos(one), math.sin(other)], [-math.sin(one), math.cos(other)]]
        matrix[c : c + 2, c : c + 2] = block
    return matrix


RIGHT: list[tuple[str, object]] = [
    ("row-by-hand", [0.1411, -0.9900, 0.2955, 0.9553, 0.0300, 0.9996, 0.0030, 1.0000]),
    ("row-by-hand", np.array(by_loops(4, 8))[3].astype(np.float32)),
    (
        "angular-frequencies",
        lambda d_model: [10_000 ** (-2 * k / d_model) for k in range(d_model // 2)],
    ),
    ("angular-frequencies", lambda d: np.geomspace(1, 10_000 ** (2 / d - 1), d // 2)),
    (
        "angular-frequencies",
        lambda d: 1 / np.power(10_000, np.arange(0, d, 2) / d, dtype=np.float32),
    ),
    (
        "angular-frequencies",
        lambda *sizes: tuple(1e4 ** -(j / sizes[0]) for j in range(0, sizes[0], 2)),
    ),
    ("sinusoidal-encoding", by_loops),
    ("sinusoidal-encoding", by_exp_and_log),
    ("sinusoidal-encoding", in_float32),
    ("sinusoidal-encoding", by_complex_numbers),
    ("sinusoidal-encoding", lambda n, d: np.asfortranarray(by_exp_and_log(n, d)).astype(">f8")),
    ("sinusoidal-encoding", lambda n_positions, d_model=16: by_loops(n_positions, d_model)),
    ("countdown-encoding", lambda n, d: np.indices((n, d))[0][::-1].astype(np.uint8)),
    ("countdown-encoding", lambda n, d: np.arange(n).repeat(d).reshape(n, d)[::-1]),
    (
        "first-drowned-position",
        lambda word, share: math.floor(math.hypot(*word) * (1 / share - 1) / len(word) ** 0.5) + 1,
    ),
    ("first-drowned-position", first_drowned_of_a_thousand),
    ("repeating-encoding", shares_in_fractions),
    (
        "repeating-encoding",
        lambda n, d, period: np.resize(np.linspace(0, 1, period), n)[:, None].repeat(d, axis=1),
    ),
    ("their-shares", lambda n, d: np.tile(np.linspace(1 / n, 1, n)[:, None], d)),
    ("their-shares", lambda n, d: np.full((n, d), 1 / n).cumsum(axis=0)),
    ("largest-change", lambda e, n, m, d: max(abs(e(m, d)[:n] - e(n, d)).flatten())),
    ("bits-needed", by_counting_up),
    ("bits-needed", lambda n_positions: (n_positions - 1).bit_length()),
    ("bits-needed", lambda n: float(np.ceil(np.log2(n)))),
    ("positions-from-bits", lambda rows: [int("".join(map(str, r[::-1])), 2) for r in rows]),
    ("gray-encoding", lambda n, d: [[(i ^ i >> 1) >> c & 1 for c in range(d)] for i in range(n)]),
    ("gray-encoding", by_neighbouring_bits),
    ("flips-at-distance", lambda t, r: np.abs(t[r:] - t[: len(t) - r]).sum(1)),
    ("flips-at-distance", lambda t, r: [sum(t[i] ^ t[i + r]) for i in range(len(t) - r)]),
    ("their-stripes", lambda n, d: [[i // (c + 1) & 1 for c in range(d)] for i in range(n)]),
    ("shift-matrix", shift_by_kron),
    ("shift-matrix", lambda offset, d: shift_by_kron(-offset, d).T.tolist()),
    ("dot-product-by-offset", closed_form_by_table),
    ("similarity", lambda t, p: np.array([row @ t[p] for row in t]) / np.square(t[p]).sum()),
    ("first-return", lambda multiples, step: math.tau / step / math.gcd(*multiples.tolist())),
    ("first-return", first_return_by_turns),
    (
        "most-similar-distance",
        lambda f, a, b: max(range(a, b + 1), key=lambda s: np.cos(s * f).sum()),
    ),
    ("base-for-quarter-turn", lambda n, d: (2 * (n - 1) / math.pi) ** (1 / (1 - 2 / d))),
    (
        "base-for-quarter-turn",
        lambda n, d: math.exp(math.log((4 * n - 4) / math.tau) * d / (d - 2)),
    ),
    ("their-frequencies", lambda d: 1 / np.logspace(0, 4, d // 2)),
    ("their-frequencies", lambda d: [10_000 ** (-2 * k / (d - 2)) for k in range(d // 2)]),
    ("first-lost-position", lambda n_digits: (1 << n_digits) + 1),
    ("first-lost-position", lambda n_digits: int("1" + "0" * (n_digits - 1) + "1", 2)),
    ("positional-encoding", Encoding),
    ("look-forward-weights", lambda back, n: np.linalg.matrix_power(back, -n)),
    ("look-forward-weights", lambda back, n: np.linalg.multi_dot([back.T] * (n + 1)) @ back),
    ("share-looking-at", share_by_sums),
    ("share-looking-at", share_by_diagonals),
    ("query-looking-back", query_as_complex),
    (
        "query-looking-back",
        lambda key, r, w: key @ [[np.cos(r * w), -np.sin(r * w)], [np.sin(r * w), np.cos(r * w)]],
    ),
    ("their-scores", scores_as_complex),
    ("move-keys", lambda keys, steps: keys @ shift_by_kron(steps, keys.shape[1])),
    ("rotate-part", rotate_part_as_complex),
    (
        "interpolated-angles",
        lambda n, trained, d: (
            np.linspace(0, min(n, trained), n, endpoint=False)[:, None]
            / [10_000 ** (2 * k / d) for k in range(d // 2)]
        ),
    ),
    ("slopes-for-any-heads", slopes_by_turns),
    ("bucket-of-offset", bucket_by_beginnings),
    (
        "broken-rope",
        lambda vectors, positions: [
            vector @ mixed_by_pairs(position, len(vector))
            for vector, position in zip(vectors, positions, strict=True)
        ],
    ),
    ("bits-needed", lambda n: Decimal((n - 1).bit_length())),
    ("similarity", lambda t, p: (t @ t[p] / (t.shape[1] / 2)).astype(complex)),
]


@pytest.mark.parametrize(("exercise_id", "answer"), RIGHT)
def test_right_work_in_any_honest_form_is_solved_and_graded_so(exercise_id, answer):
    feedback = check(exercise_id, answer)
    assert feedback.solved, feedback.message("en")
    assert feedback.misconceptions == ()
    assert grading_accepts(exercise_id, answer)


def test_every_exercise_is_solved_in_some_way_above():
    assert {exercise_id for exercise_id, _ in RIGHT} == set(exercises())


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_the_reference_is_its_own_solution(exercise_id):
    exercise = EXERCISES[exercise_id]
    assert diagnose(exercise, exercise.right_answer()).solved
