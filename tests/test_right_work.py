"""Right work is solved, in whatever honest form, and graded as right."""

import cmath
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from checks.labs import (
    Encoding,
    by_exp_and_log,
    by_loops,
    grading_accepts,
    shift_by_kron,
    strange_table,
)

from course_utils import angular_frequencies
from course_utils.labs import check, exercises
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES


def rows_by_loops(positions: np.ndarray, d_model: int, base: float) -> list[list[float]]:
    return [
        [
            (math.cos if column % 2 else math.sin)(position / base ** (column // 2 * 2 / d_model))
            for column in range(d_model)
        ]
        for position in positions
    ]


def rows_in_float32(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    exponents = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = positions.astype(np.float32)[:, None] / np.float32(base) ** exponents
    table = np.zeros((len(positions), d_model), np.float32)
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d_model // 2]
    assert table.dtype == np.float32
    return table


def rows_of_a_wider_table(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """By complex numbers, with a column too many that is cut off."""
    turned = np.exp(1j * np.outer(positions, base ** (-np.arange(0, d_model, 2) / d_model)))
    return np.dstack([turned.imag, turned.real]).reshape(len(positions), -1)[:, :d_model]


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def position_by_search(row: np.ndarray, base: float) -> int:
    last = int(math.tau / slowest(row, base))
    table = np.array(rows_by_loops(np.arange(last + 1), len(row), base))
    return np.abs(table - row).max(axis=1).argmin()


def position_by_half_turns(row: np.ndarray, base: float) -> float:
    angle = math.acos(row[-1])
    return (angle if row[-2] >= 0 else math.tau - angle) / slowest(row, base)


def in_halves(table: np.ndarray) -> np.ndarray:
    return np.hstack([table[:, ::2], table[:, 1::2]])


def offset_by_two_readings(row: np.ndarray, other: np.ndarray, base: float) -> int:
    angle = math.atan2(*other[-2:]) - math.atan2(*row[-2:])
    if abs(angle) > math.pi:
        angle -= math.copysign(math.tau, angle)
    return round(angle / slowest(row, base))


def products_by_loops(n_positions: int, d_model: int) -> list[list[float]]:
    sines = [row[::2] for row in by_loops(n_positions, d_model)]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in sines] for a in sines]


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


def distance_by_table(offsets: np.ndarray, d_model: int) -> np.ndarray:
    start = 200
    rows = np.array(by_loops(401, d_model))
    return np.array([math.dist(rows[start + offset], rows[start]) for offset in offsets])


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
    ("row-by-hand", [-0.5366, 0.8439, 0.1411, -0.9900, 0.6816, 0.7317]),
    (
        "row-by-hand",
        np.float32([wave(12 / 4**k) for k in range(3) for wave in (math.sin, math.cos)]),
    ),
    ("sinusoidal-rows", rows_by_loops),
    ("sinusoidal-rows", rows_in_float32),
    ("sinusoidal-rows", rows_of_a_wider_table),
    ("sinusoidal-rows", lambda *given: np.asfortranarray(rows_by_loops(*given)).astype(">f8")),
    ("sinusoidal-rows", lambda p, d_model=16, base=100: rows_by_loops(p, d_model, base)),
    ("position-from-row", position_by_search),
    ("position-from-row", position_by_half_turns),
    (
        "position-from-row",
        lambda row, base: (
            cmath.phase(complex(-row[-1], -row[-2])) / slowest(row, base)
            + math.pi / slowest(row, base)
        ),
    ),
    ("strange-table", strange_table),
    ("strange-table", lambda n, d: strange_table(n, d).tolist()),
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
    ("shift-back", lambda r, d: in_halves(in_halves(shift_by_kron(-r, d)).T).T),
    ("shift-back", lambda r, d: in_halves(in_halves(shift_by_kron(r, d).T).T).T.tolist()),
    ("distance-by-offset", distance_by_table),
    (
        "distance-by-offset",
        lambda offsets, d: (
            2 * np.sqrt((np.sin(np.outer(offsets, angular_frequencies(d)) / 2) ** 2).sum(1))
        ),
    ),
    ("offset-between", offset_by_two_readings),
    (
        "offset-between",
        lambda a, b, base: (
            cmath.phase(complex(b[-1], b[-2]) * complex(a[-1], -a[-2])) / slowest(a, base)
        ),
    ),
    ("strange-products", products_by_loops),
    ("strange-products", lambda n, d: np.einsum("ik,jk->ij", *[by_exp_and_log(n, d)[:, ::2]] * 2)),
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
    ("distance-by-offset", lambda r, d: distance_by_table(r, d).astype(complex)),
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
