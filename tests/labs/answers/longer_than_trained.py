"""Correct and wrong answers for lab 07, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from checks.labs import shift_by_kron
from hypothesis import strategies as st
from numpy.typing import NDArray

from course_utils import angular_frequencies

from . import Answers

Table = list[list[float]]


def frequency(pair: int, d_model: int) -> float:
    return 10_000 ** (-2 * pair / d_model)


def turn(row: list[float], first: int, second: int, angle: float, other: float) -> None:
    """Rotate two numbers of a row in place, optionally by different angles."""
    x, y = row[first], row[second]
    row[first] = math.cos(angle) * x - math.sin(angle) * y
    row[second] = math.sin(other) * x + math.cos(other) * y


def move_keys(keys: NDArray, steps: int) -> Table:
    moved = keys.tolist()
    for row in moved:
        for pair in range(len(row) // 2):
            angle = steps * frequency(pair, len(row))
            turn(row, 2 * pair, 2 * pair + 1, angle, angle)
    return moved


def some_vectors(n: int, n_pairs: int, seed: int) -> NDArray:
    return np.random.default_rng(seed).uniform(-3, 3, (n, 2 * n_pairs))


VECTORS = st.builds(some_vectors, st.integers(1, 30), st.integers(1, 40), st.integers(0, 9))


def frequencies(d_model: int) -> np.ndarray:
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def turned(x: np.ndarray, y: np.ndarray, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.cos(angles) * x - np.sin(angles) * y, np.sin(angles) * x + np.cos(angles) * y


def rope(vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies) -> np.ndarray:
    """Rotate vectors as in lesson 08."""
    angles = np.outer(positions, omega(vectors.shape[1]))
    pairs = turned(vectors[:, 0::2], vectors[:, 1::2], angles)
    return np.stack(pairs, axis=-1).reshape(vectors.shape)


def moved(turn: Callable = rope, by: float = 1, **omega: Callable) -> Callable[..., np.ndarray]:
    """Return a solution with a different rotation, direction, unit or frequencies."""
    return lambda keys, steps: turn(keys, np.full(len(keys), by * steps), **omega)


AXIS = {"1 -> -1": "axis 1 is the last"}


EVEN = {"0::2 -> 0:-1:2": "of an even number of columns, the last is not taken"}


ENDS = {"d_model -> d_model - 1": "the last column begins no pair"}


def rotate_part(vectors: NDArray, positions: NDArray, n_turned: int) -> Table:
    rows = vectors.tolist()
    for row, position in zip(rows, positions.tolist(), strict=True):
        for pair in range(n_turned // 2):
            angle = position * frequency(pair, n_turned)
            turn(row, pair, pair + n_turned // 2, angle, angle)
    return rows


def with_positions(vectors: NDArray) -> st.SearchStrategy[tuple[NDArray, NDArray]]:
    positions = st.lists(st.integers(0, 2000), min_size=len(vectors), max_size=len(vectors))
    return st.tuples(st.just(vectors), positions.map(np.array))


TURNED = VECTORS.flatmap(with_positions)


PARTLY_TURNED = TURNED.flatmap(
    lambda given: st.tuples(
        *map(st.just, given), st.integers(1, given[0].shape[1] // 2).map(lambda half: 2 * half)
    )
)


def part_written_as_neighbours(
    vectors: np.ndarray, positions: np.ndarray, n_turned: int
) -> np.ndarray:
    half = n_turned // 2
    angles = np.outer(positions, frequencies(n_turned))
    pairs = turned(vectors[:, :half], vectors[:, half:n_turned], angles)
    whole = vectors.copy()
    whole[:, :n_turned] = np.stack(pairs, axis=-1).reshape(len(vectors), n_turned)
    return whole


def surprise_along(bits: np.ndarray, trained_length: int, width: int) -> list[float]:
    in_training = math.fsum(bits[: trained_length - 1]) / (trained_length - 1)
    along = []
    for first in range(len(bits) - width + 1):
        along.append(math.fsum(bits[first : first + width]) / width / in_training)
    return along


def means(bits: np.ndarray, width: int) -> np.ndarray:
    return np.convolve(bits, np.ones(width) / width, mode="valid")


def texts_with_bits(n_bits: int) -> st.SearchStrategy[tuple[np.ndarray, int, int]]:
    bits = st.lists(st.integers(1, 60).map(lambda n: n / 8), min_size=n_bits, max_size=n_bits)
    return st.tuples(bits.map(np.array), st.integers(2, n_bits + 1), st.integers(1, n_bits))


LENGTHS = st.integers(1, 120)


ORDER = "the larger of two numbers is the same in any order"


def slopes(n_heads: int) -> list[float]:
    power_of_two = 1
    while 2 * power_of_two <= n_heads:
        power_of_two *= 2
    found = [2 ** (-8 * head / power_of_two) for head in range(1, power_of_two + 1)]
    for head in range(1, 2 * power_of_two, 2):
        if len(found) < n_heads:
            found.append(2 ** (-4 * head / power_of_two))
    return found


def row(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def slopes_by_turns(n_heads: int) -> list[float]:
    """Compute missing slopes as geometric means of two existing slopes."""
    power = 1 << (n_heads.bit_length() - 1)
    found = [0.5 ** (8 / power * head) for head in range(1, power + 1)]
    before = [1.0, *found]
    return found + [math.sqrt(before[i] * before[i + 1]) for i in range(n_heads - power)]


def reaches(distance: int, steps: int, half: int, max_distance: int) -> bool:
    """Return True if (distance / half) ** half is at least (max_distance / half) ** steps."""
    return distance**half * half**steps >= max_distance**steps * half**half


def bucket(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    """Compute the bucket in integers, without logarithms."""
    if not both_ways and offset > 0:
        return 0
    half = n_buckets // 4 if both_ways else n_buckets // 2
    found = distance = abs(offset)
    if distance >= half:
        found = half
        while found < 2 * half - 1 and reaches(distance, found + 1 - half, half, max_distance):
            found += 1
    return found + 2 * half * (both_ways and offset > 0)


def on_an_edge(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> bool:
    """Return True if a far bucket begins exactly at this distance, so that rounding decides."""
    half = n_buckets // 4 if both_ways else n_buckets // 2
    if not half < abs(offset) < max_distance:
        return False
    steps = half * math.log(abs(offset) / half) / math.log(max_distance / half)
    return abs(steps - round(steps)) < 1e-9


BUCKETS = (
    st.integers(1, 16)
    .flatmap(
        lambda quarter: st.tuples(
            st.integers(-300, 300) | st.integers(-10_000, 10_000),
            st.just(4 * quarter),
            st.integers(2 * quarter + 1, 1000),
            st.booleans(),
        )
    )
    .filter(lambda given: not on_an_edge(*given))
)


def mistaken_bucket(
    *,
    halved: Callable = lambda both_ways: both_ways,
    after: Callable = lambda offset: offset > 0,
    seen: Callable = lambda offset: max(-offset, 0),
    share: Callable = lambda r, single, longest: math.log(r / single) / math.log(longest / single),
    far: Callable = lambda share, single: single + int(share * single),
    last: Callable = lambda one_side: one_side - 1,
) -> Callable[[int, int, int, bool], int]:
    """Return a solution with one changed step."""

    def bucket(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
        one_side = n_buckets // 2 if halved(both_ways) else n_buckets
        begin = n_buckets // 2 if both_ways and after(offset) else 0
        r = abs(offset) if both_ways else seen(offset)
        single = one_side // 2
        if r < single:
            return begin + r
        return begin + min(far(share(r, single, max_distance), single), last(one_side))

    return bucket


def with_farthest(change: int) -> Callable[[int, int, int, bool], int]:
    """Return a solution with a different largest distance."""
    return mistaken_bucket(share=lambda r, n, far: math.log(r / n) / math.log((far + change) / n))


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


WHOLE = "what is halved is even"


def broken_rope(vectors: NDArray, positions: NDArray) -> Table:
    rows = vectors.tolist()
    for row, position in zip(rows, positions.tolist(), strict=True):
        n_pairs = len(row) // 2
        listed = [position * frequency(pair, len(row)) for pair in range(n_pairs)] * 2
        for pair in range(n_pairs):
            turn(row, 2 * pair, 2 * pair + 1, listed[2 * pair], listed[2 * pair + 1])
    return rows


def mixed_by_pairs(position: int, d_model: int) -> np.ndarray:
    """Rotate the two columns of each block by different angles."""
    frequencies = [*angular_frequencies(d_model)] * 2
    matrix = np.zeros((d_model, d_model))
    for c in range(0, d_model, 2):
        one, other = position * frequencies[c], position * frequencies[c + 1]
        block = [[math.cos(one), math.sin(other)], [-math.sin(one), math.cos(other)]]
        matrix[c : c + 2, c : c + 2] = block
    return matrix


def rope_in_float32(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    exponents = np.arange(0, vectors.shape[1], 2, dtype=np.float32) / np.float32(vectors.shape[1])
    angles = np.outer(np.float32(positions), np.float32(1) / np.float32(10_000) ** exponents)
    x, y = np.float32(vectors[:, ::2]), np.float32(vectors[:, 1::2])
    pairs = x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)
    return np.stack(pairs, axis=2).reshape(vectors.shape)


def part_in_float32(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    halves = np.arange(n_turned).reshape(2, -1).T.ravel()
    turned = np.float32(vectors)
    turned[:, halves] = rope_in_float32(vectors[:, halves], positions)
    return turned


ANSWERS = {
    "move-keys": Answers(
        second=move_keys,
        asked=st.tuples(VECTORS, st.integers(-2000, 2000)),
        right=(lambda keys, steps: rope_in_float32(keys, np.full(len(keys), steps)),),
        wrong=(("pattern.transposed", lambda keys, s: shift_by_kron(s, keys.shape[1]).T @ keys.T),),
        equal_changes=AXIS | EVEN | ENDS,
    ),
    "rotate-part": Answers(
        second=rotate_part,
        asked=PARTLY_TURNED,
        right=(part_in_float32,),
        wrong=(("pattern.repair-sign", part_written_as_neighbours),),
    ),
    "surprise-along": Answers(
        second=surprise_along,
        asked=st.integers(1, 60).flatmap(texts_with_bits),
        right=(
            lambda b, t, w: (
                np.lib.stride_tricks.sliding_window_view(b, w).mean(1) / np.mean(b[: t - 1])
            ),
            lambda b, t, w: [float(x) for x in surprise_along(b.astype(np.float32), t, w)],
        ),
        wrong=(
            # Both the training length and the number of bits separate right calls from wrong ones.
            (
                "pattern.repair-extra",
                lambda b, t, w: np.array(surprise_along(b, t, w)) * (1 if t < 10 else 1.3),
            ),
            (
                "pattern.repair-extra",
                lambda b, t, w: (means(b, w) / b[: t - 1].mean()).astype(b.dtype),
            ),
        ),
        # Two sums of equally many numbers have the same ratio as their means.
        equal_changes={
            "np.convolve(bits, np.ones(width) / width, mode='valid')"
            " -> np.convolve(np.ones(width) / width, bits, mode='valid')": "the same in any order"
        },
    ),
    "slopes-for-any-heads": Answers(
        second=slopes,
        asked=st.tuples(LENGTHS),
        right=(slopes_by_turns,),
        equal_changes={"::2 -> :-1:2": "of an even number of slopes, the last is not taken"},
    ),
    "bucket-of-offset": Answers(
        second=bucket,
        asked=BUCKETS,
        right=(bucket_by_beginnings,),
        wrong=(
            # Far buckets begin one offset later.
            (
                "pattern.only-one-call-wrong",
                mistaken_bucket(far=lambda share, n: n + max(0, math.ceil(share * n) - 1)),
            ),
            ("max-distance-off-by-one", with_farthest(1)),
            ("max-distance-off-by-one", with_farthest(-1)),
            (
                "pattern.repair-extra",
                mistaken_bucket(far=lambda share, n: n + int(share * n + 0.01)),
            ),
            ("pattern.repair-extra", lambda *given: bucket(*given) - (given[0] < -60)),
        ),
        equal_changes={
            "one_side // 2 -> one_side / 2": WHOLE,
            "n_buckets // 2 -> n_buckets / 2": WHOLE,
            "one_side - n_single -> n_single": WHOLE,
            "distance < n_single -> distance <= n_single": "both give the same bucket",
            "max(-steps, 0) -> max(0, -steps)": ORDER,
            "min(far, one_side - 1) -> min(one_side - 1, far)": ORDER,
        },
    ),
    "broken-rope": Answers(
        second=broken_rope,
        asked=TURNED,
        right=(
            lambda vectors, positions: [
                vector @ mixed_by_pairs(position, len(vector))
                for vector, position in zip(vectors, positions, strict=True)
            ],
        ),
        equal_changes=AXIS | EVEN | ENDS,
    ),
}
