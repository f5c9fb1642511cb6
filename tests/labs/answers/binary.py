"""Correct and wrong answers for lab 02, with the expected findings."""

import math
from decimal import Decimal

import numpy as np
from hypothesis import strategies as st

from . import Answers


def bits_needed(n_positions: int) -> int:
    d_model, positions = 0, 1
    while positions < n_positions:
        d_model, positions = d_model + 1, 2 * positions
    return d_model


def positions_from_bits(bits: np.ndarray) -> list[int]:
    positions = []
    for row in bits:
        position, worth = 0, 1
        for bit in row:
            position += worth * int(bit)
            worth *= 2
        positions.append(position)
    return positions


def tables_of_bits(size: tuple[int, int]) -> st.SearchStrategy[np.ndarray]:
    n_rows, d_model = size
    row = st.lists(st.integers(0, 1), min_size=d_model, max_size=d_model)
    return st.lists(row, min_size=n_rows, max_size=n_rows).map(np.array)


TABLES = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(tables_of_bits)
AXIS = {"1 -> -1": "axis 1 is the last"}


def reflected(d_model: int) -> list[list[int]]:
    """Compute a Gray code by reflection."""
    rows = [[]]
    for _ in range(d_model):
        rows = [row + [0] for row in rows] + [row + [1] for row in reversed(rows)]
    return rows


def gray(n_positions: int, d_model: int) -> list[list[int]]:
    n_bits = min(d_model, bits_needed(max(n_positions, 2)))
    return [row + [0] * (d_model - n_bits) for row in reflected(n_bits)[:n_positions]]


def as_many_as_fit(d_model: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, min(2**d_model, 300)), st.just(d_model))


def column(n_positions: int) -> np.ndarray:
    return np.arange(n_positions)[:, np.newaxis]


def bits(positions: np.ndarray, d_model: int) -> np.ndarray:
    return positions // 2 ** np.arange(d_model) % 2


def by_neighbouring_bits(n_positions: int, d_model: int) -> np.ndarray:
    bits = np.arange(n_positions)[:, None] >> np.arange(d_model + 1) & 1
    return bits[:, 1:] != bits[:, :-1]


def flips_at_distance(table: np.ndarray, distance: int) -> list[int]:
    flips = []
    for earlier, later in zip(table, table[distance:], strict=False):
        flips.append(sum(int(one != other) for one, other in zip(earlier, later, strict=True)))
    return flips


def with_a_distance(table: np.ndarray) -> st.SearchStrategy[tuple[np.ndarray, int]]:
    return st.tuples(st.just(table), st.integers(0, len(table) - 1))


def pairs(table: np.ndarray, distance: int) -> tuple[np.ndarray, np.ndarray]:
    return table[: len(table) - distance], table[distance:]


def flips(table: np.ndarray, distance: int) -> np.ndarray:
    earlier, later = pairs(table, distance)
    return earlier != later


def flips_with_loop(table: np.ndarray, distance: int) -> int:
    for i in range(len(table) - distance):
        return (table[i] != table[i + distance]).sum()


def stripes_one_wider(n_positions: int, d_model: int) -> list[list[int]]:
    columns = []
    for width in range(1, d_model + 1):
        column, bit = [], 0
        while len(column) < n_positions:
            column += [bit] * width
            bit = 1 - bit
        columns.append(column[:n_positions])
    return [[column[position] for column in columns] for position in range(n_positions)]


def reading_order(bits: np.ndarray) -> list[int]:
    left, order = dict(enumerate(positions_from_bits(bits))), []
    while left:
        card = min(left, key=lambda each: left[each])
        order.append(card)
        del left[card]
    return order


def shuffled_rows(d_model: int) -> st.SearchStrategy[tuple[np.ndarray]]:
    positions = st.lists(st.integers(0, 2**d_model - 1), min_size=1, max_size=12, unique=True)
    return positions.map(lambda given: (np.array(given)[:, None] >> np.arange(d_model) & 1,))


ANSWERS = {
    "bits-needed": Answers(
        second=bits_needed,
        asked=st.tuples(st.integers(2, 1_000_000)),
        right=(
            lambda n: float(np.ceil(np.log2(n))),
            lambda n: Decimal((n - 1).bit_length()),
            lambda n: math.ceil(math.log(n) / math.log(2)),
        ),
        wrong=(
            ("logarithm-rounded", lambda n: np.ceil(np.log2(np.float16(n)))),
            ("pattern.too-small", lambda n: math.floor(math.log2(n - 1))),
            ("", lambda n: round(math.log2(n + 1))),
        ),
    ),
    "positions-from-bits": Answers(
        second=positions_from_bits,
        asked=st.tuples(TABLES),
        right=(lambda rows: [int("".join(map(str, r[::-1])), 2) for r in rows],),
        wrong=(
            (
                "pattern.wrapped",
                lambda bits: bits.astype("i1") @ 2 ** np.arange(bits.shape[1], dtype="i1"),
            ),
            ("pattern.half-precision", lambda bits: np.float16(positions_from_bits(bits))),
        ),
        equal_changes=AXIS,
    ),
    "reading-order": Answers(
        second=reading_order,
        asked=st.integers(1, 8).flatmap(shuffled_rows),
        right=(lambda bits: np.lexsort(bits.T).astype(np.uint8),),
        wrong=(("pattern.too-large", lambda bits: np.array(reading_order(bits)) + 1),),
        # In a base larger than 2, the rows represent other numbers in the same order.
        equal_changes=AXIS | {"2 -> 3": "the same order", "2 -> 4": "the same order"},
    ),
    "gray-encoding": Answers(
        second=gray,
        asked=st.integers(1, 16).flatmap(as_many_as_fit),
        right=(by_neighbouring_bits,),
        wrong=(
            ("pattern.lines-too-few-by-one", lambda n, d: np.diff(bits(column(n), d), axis=0) != 0),
            ("pattern.argument-ignored", lambda n, d: reflected(d)),
            ("pattern.shape-in-arguments", lambda n, d: bits(column(n), d + 2)),
        ),
    ),
    "flips-at-distance": Answers(
        second=flips_at_distance,
        asked=TABLES.flatmap(with_a_distance),
        right=(
            lambda t, r: np.abs(t[r:] - t[: len(t) - r]).sum(1),
            lambda t, r: [sum(t[i] ^ t[i + r]) for i in range(len(t) - r)],
        ),
        wrong=(
            ("pattern.repair-extra", lambda t, r: np.minimum(flips_at_distance(t, r), 2)),
            ("pattern.only-first-returned", flips_with_loop),
            (
                "pattern.only-one-call-wrong",
                lambda table, r: [(i ^ (i + r)).bit_count() for i in range(len(table) - r)],
            ),
        ),
        equal_changes=AXIS,
    ),
    "their-stripes": Answers(
        second=stripes_one_wider,
        asked=st.tuples(st.integers(1, 200), st.integers(1, 40)),
        right=(lambda n, d: [[i // (c + 1) & 1 for c in range(d)] for i in range(n)],),
        wrong=(
            (
                "pattern.repair-extra",
                lambda n, d: np.arange(n + 1)[:, None] // np.arange(1, d + 1) % 2,
            ),
        ),
    ),
}
