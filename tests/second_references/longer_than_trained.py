"""Lab 07 a second time."""

import math

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from . import Second

Table = list[list[float]]


def frequency(pair: int, d_model: int) -> float:
    return 10_000 ** (-2 * pair / d_model)


def turn(row: list[float], first: int, second: int, angle: float, other: float) -> None:
    """Turn two numbers of a row in place; the second one by another angle, if somebody likes."""
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


def rotate_part(vectors: NDArray, positions: NDArray, n_turned: int) -> Table:
    rows = vectors.tolist()
    for row, position in zip(rows, positions.tolist(), strict=True):
        for pair in range(n_turned // 2):
            angle = position * frequency(pair, n_turned)
            turn(row, pair, pair + n_turned // 2, angle, angle)
    return rows


def interpolated_angles(n_positions: int, trained_length: int, d_model: int) -> Table:
    longer = n_positions > trained_length
    return [
        [
            frequency(pair, d_model)
            * (position * trained_length / n_positions if longer else position)
            for pair in range(d_model // 2)
        ]
        for position in range(n_positions)
    ]


def slopes(n_heads: int) -> list[float]:
    power_of_two = 1
    while 2 * power_of_two <= n_heads:
        power_of_two *= 2
    found = [2 ** (-8 * head / power_of_two) for head in range(1, power_of_two + 1)]
    for head in range(1, 2 * power_of_two, 2):
        if len(found) < n_heads:
            found.append(2 ** (-4 * head / power_of_two))
    return found


def bucket(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    """Without logarithms, in whole numbers."""
    if not both_ways and offset > 0:
        return 0
    half = n_buckets // 4 if both_ways else n_buckets // 2
    found = distance = abs(offset)
    if distance >= half:
        found = half
        while found < 2 * half - 1 and reaches(distance, found + 1 - half, half, max_distance):
            found += 1
    return found + 2 * half * (both_ways and offset > 0)


def reaches(distance: int, steps: int, half: int, max_distance: int) -> bool:
    """Whether (distance / half) ** half is at least (max_distance / half) ** steps."""
    return distance**half * half**steps >= max_distance**steps * half**half


def on_an_edge(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> bool:
    """Whether a far bucket begins so exactly there that rounding decides."""
    half = n_buckets // 4 if both_ways else n_buckets // 2
    if not half < abs(offset) < max_distance:
        return False
    steps = half * math.log(abs(offset) / half) / math.log(max_distance / half)
    return abs(steps - round(steps)) < 1e-9


def broken_rope(vectors: NDArray, positions: NDArray) -> Table:
    rows = vectors.tolist()
    for row, position in zip(rows, positions.tolist(), strict=True):
        n_pairs = len(row) // 2
        listed = [position * frequency(pair, len(row)) for pair in range(n_pairs)] * 2
        for pair in range(n_pairs):
            turn(row, 2 * pair, 2 * pair + 1, listed[2 * pair], listed[2 * pair + 1])
    return rows


def some_vectors(n: int, n_pairs: int, seed: int) -> NDArray:
    return np.random.default_rng(seed).uniform(-3, 3, (n, 2 * n_pairs))


VECTORS = st.builds(some_vectors, st.integers(1, 30), st.integers(1, 40), st.integers(0, 9))


def with_positions(vectors: NDArray) -> st.SearchStrategy[tuple[NDArray, NDArray]]:
    positions = st.lists(st.integers(0, 2000), min_size=len(vectors), max_size=len(vectors))
    return st.tuples(st.just(vectors), positions.map(np.array))


TURNED = VECTORS.flatmap(with_positions)
PARTLY_TURNED = TURNED.flatmap(
    lambda given: st.tuples(
        *map(st.just, given), st.integers(1, given[0].shape[1] // 2).map(lambda half: 2 * half)
    )
)
EVEN = st.integers(1, 40).map(lambda n_pairs: 2 * n_pairs)
LENGTHS = st.integers(1, 120)
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

SECOND = {
    "move-keys": Second(move_keys, st.tuples(VECTORS, st.integers(-2000, 2000))),
    "rotate-part": Second(rotate_part, PARTLY_TURNED),
    "interpolated-angles": Second(interpolated_angles, st.tuples(LENGTHS, LENGTHS, EVEN)),
    "slopes-for-any-heads": Second(slopes, st.tuples(LENGTHS)),
    "bucket-of-offset": Second(bucket, BUCKETS),
    "broken-rope": Second(broken_rope, TURNED),
}
