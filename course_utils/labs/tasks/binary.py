"""Lab 02: conversion between positions and bits, and distances between rows of bits."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...encodings import binary_encoding
from ..exercise import Exercise, Steps
from .shared import rounded_or_not


def _positions(n_positions: int) -> NDArray[np.int64]:
    """Return the positions as a column."""
    return np.arange(n_positions)[:, np.newaxis]


def _whole_bits(n_positions: int, d_model: int) -> NDArray[np.int64]:
    return binary_encoding(n_positions, d_model).astype(np.int64)


def _typed_bits(n_positions: int, d_model: int, step: int) -> str:
    every = f"[::{step}]" if step != 1 else ""
    return f"binary_encoding({n_positions}, {d_model}){every}"


def bits_needed(n_positions: int) -> int:
    """Return the smallest d for which n_positions <= 2**d."""
    return math.ceil(math.log2(n_positions))


def _rows_by_hand(place: tuple, n_positions: int) -> Steps:
    bits, rows = 0, [1]
    while rows[-1] < n_positions:
        bits, rows = bits + 1, [*rows, 2 * rows[-1]]
    few, enough = rows[-2:]
    return {"n": n_positions, "fewer": bits - 1, "few": few, "enough": enough, "result": bits}


BITS_NEEDED = Exercise(
    id="bits-needed",
    reference=bits_needed,
    cases=((2,), (50,), (63,), (64,), (65,), (1000,), (1025,), (8192,)),
    by_hand=_rows_by_hand,
    misconceptions={
        "one-bit-too-few": [
            lambda n: math.floor(math.log2(n)),
            lambda n: math.ceil(math.log2(n - 1)),
            lambda n: round(math.log2(n)),
        ],
        "length-itself-written": lambda n: math.ceil(math.log2(n + 1)),
        "power-for-exponent": lambda n: 2 ** bits_needed(n),
        "not-rounded": [math.log2, lambda n: math.log2(n) + 1],
        "written-out-and-counted": [
            lambda n: bin(n).count("1"),
            lambda n: bin(n - 1).count("1"),
            lambda n: len(bin(n)),
            lambda n: len(bin(n - 1)),
        ],
        "whole-bytes": [
            lambda n: math.ceil(bits_needed(n) / 8) * 8,
            lambda n: math.ceil(bits_needed(n) / 8),
        ],
        "another-logarithm": [
            *rounded_or_not(math.log, math.ceil, math.floor),
            *rounded_or_not(math.log10, math.ceil, math.floor),
        ],
        "logarithm-rounded": [
            lambda n: math.ceil(np.log(np.float32(n)) / np.log(np.float32(2))),
            lambda n: math.ceil(np.float16(math.log2(n))),
        ],
        "doublings-not-counted": [
            *rounded_or_not(lambda n: n / 2, math.ceil, math.floor),
            *rounded_or_not(math.sqrt, math.ceil, math.floor),
        ],
        "length-itself-returned": [lambda n: n + 1, lambda n: n - 1],
    },
)


def positions_from_bits(bits: NDArray) -> NDArray:
    """Return the position that each row of bits encodes; the least significant bit is first."""
    return bits @ 2 ** np.arange(bits.shape[1])


def _next_xor(bits: NDArray) -> NDArray[np.int64]:
    """Return the exclusive or of each bit and the next one."""
    return bits.astype(int) ^ np.pad(bits.astype(int), ((0, 0), (0, 1)))[:, 1:]


ROWS_READ = (
    (8, 3, 1),
    (64, 6, -5),
    (2, 1, -2),
    (40, 7, 3),
    (600, 10, 599),
    (2050, 12, 683),
    (8, 3, -1),  # only the order of the rows differs from an earlier call
)


def _worths_by_hand(place: tuple, bits: NDArray) -> Steps:
    row = bits[place[0]]
    worths = [int(bit) << column for column, bit in enumerate(row)]
    terms = " + ".join(map(str, worths))
    return {"i": place[0], "row": row, "terms": terms, "result": sum(worths)}


POSITIONS_FROM_BITS = Exercise(
    id="positions-from-bits",
    reference=positions_from_bits,
    cases=tuple((_whole_bits(n, d)[::step],) for n, d, step in ROWS_READ),
    typed=tuple(_typed_bits(*read) for read in ROWS_READ),
    by_hand=_worths_by_hand,
    misconceptions={
        "most-significant-first": lambda bits: positions_from_bits(bits[:, ::-1]),
        "powers-from-two": lambda bits: bits @ 2 ** np.arange(1, bits.shape[1] + 1),
        "most-significant-first powers-from-two": lambda bits: (
            2 * positions_from_bits(bits[:, ::-1])
        ),
        "weights-not-doubled": [
            lambda bits: bits @ (2 * np.arange(bits.shape[1])),
            lambda bits: bits @ np.arange(bits.shape[1]),
            lambda bits: bits @ np.arange(1, bits.shape[1] + 1),
            lambda bits: bits @ np.arange(bits.shape[1]) ** 2,
            lambda bits: bits @ np.maximum(2 * np.arange(bits.shape[1]), 1),
            lambda bits: bits @ np.arange(1, bits.shape[1] + 1).cumprod(),
            lambda bits: bits @ 3 ** np.arange(bits.shape[1]),
            lambda bits: bits @ np.exp(np.arange(bits.shape[1])),
        ],
        "xor-for-power": lambda bits: bits @ (2 ^ np.arange(bits.shape[1])),
        "ones-counted": lambda bits: bits.sum(axis=1),
        "eight-bits-alone": lambda bits: positions_from_bits(bits[:, :8]),
        "whether-odd": [lambda bits: bits.sum(axis=1) % 2, lambda bits: bits[:, 0]],
        "one-bit-alone": [
            lambda bits: bits.argmax(axis=1),
            lambda bits: 2 ** bits.argmax(axis=1),
            lambda bits: (bits * 2 ** np.arange(bits.shape[1])).max(axis=1),
            lambda bits: bits.shape[1] - 1 - bits[:, ::-1].argmax(axis=1),
        ],
        "fractions-of-powers": [
            lambda bits: bits @ 0.5 ** np.arange(bits.shape[1]),
            lambda bits: bits @ 0.5 ** np.arange(1, bits.shape[1] + 1),
        ],
        "bytes-filled-from-the-left": [
            lambda bits: np.packbits(bits.astype(bool), axis=1)[:, 0],
            lambda bits: positions_from_bits(bits[:, ::-1]) << np.maximum(8 - bits.shape[1], 0),
        ],
        "read-as-decimal": lambda bits: bits @ 10 ** np.arange(bits.shape[1]),
        "zeros-counted": lambda bits: (2 ** (bits * np.arange(bits.shape[1]))).sum(axis=1),
        "wrong-axis": lambda bits: (bits * 2 ** np.arange(bits.shape[1])).sum(axis=0),
        "one-bit-left-out": [
            lambda bits: positions_from_bits(bits) - bits[:, 0],
            lambda bits: bits[:, :-1] @ 2 ** np.arange(bits.shape[1] - 1),
        ],
        "rows-numbered": lambda bits: np.arange(len(bits)),
        "read-as-gray": [
            lambda bits: positions_from_bits(_next_xor(bits)),
            lambda bits: positions_from_bits(
                np.bitwise_xor.accumulate(bits[:, ::-1].astype(int), axis=1)[:, ::-1]
            ),
        ],
        "last-bit-negative": lambda bits: (
            positions_from_bits(bits) - bits[:, -1] * 2 ** bits.shape[1]
        ),
    },
)


def reading_order(bits: NDArray) -> NDArray:
    """Return the order that sorts cards with rows of bits by position."""
    return positions_from_bits(bits).argsort()


def _at_positions(bits: NDArray, *, empty: int, least: int) -> NDArray:
    """Return a list with the number of each card at its position."""
    positions = positions_from_bits(bits)
    order = np.full(least ** bits.shape[1] if least else positions.max() + 1, empty)
    order[positions] = np.arange(len(positions))
    return order


SHUFFLED = (
    (2, [2, 0, 3, 1]),
    (4, [11, 4, 7, 1, 14, 8]),
    (5, [30, 17, 2, 9, 24, 0, 21, 12]),
    (6, [5]),
    (3, [5, 4, 0]),
    (6, [62, 33, 3, 40, 17, 26, 9, 51, 12, 20]),
    (10, [600, 3, 258, 40, 512, 5]),
    (2, [3, 1, 0, 2]),
)
"""Test cases with the number of bits and the positions of shuffled cards."""


def _cards_by_hand(place: tuple, bits: NDArray) -> Steps:
    positions = positions_from_bits(bits).tolist()
    wanted = sorted(positions)[place[0]]
    return dict(
        positions=positions,
        sorted=sorted(positions),
        k=place[0],
        wanted=wanted,
        result=positions.index(wanted),
    )


READING_ORDER = Exercise(
    id="reading-order",
    reference=reading_order,
    cases=tuple((_whole_bits(2**d, d)[positions],) for d, positions in SHUFFLED),
    typed=tuple(f"binary_encoding({2**d}, {d})[{positions}]" for d, positions in SHUFFLED),
    by_hand=_cards_by_hand,
    misconceptions={
        "positions-for-order": positions_from_bits,
        "positions-sorted": lambda bits: np.sort(positions_from_bits(bits)),
        "places-for-order": [
            lambda bits: reading_order(bits).argsort(),
            lambda bits: reading_order(bits).argsort() + 1,
        ],
        "last-first": lambda bits: reading_order(bits)[::-1],
        "most-significant-first": lambda bits: reading_order(bits[:, ::-1]),
        "ones-counted": [
            lambda bits: bits.sum(axis=1).argsort(kind="stable"),
            lambda bits: bits.sum(axis=1).argsort(),
        ],
        "last-column-only-sorted": lambda bits: bits[:, -1].argsort(kind="stable"),
        "sorted-as-text": lambda bits: positions_from_bits(bits).astype(str).argsort(),
        "not-sorted": lambda bits: np.arange(len(bits)),
        "sorted-within-rows": [
            lambda bits: bits.argsort(axis=1)[:, 0],
            lambda bits: bits.argsort(axis=1),
            lambda bits: bits.argsort(axis=0),
        ],
        "first-column-only-sorted": [
            lambda bits: bits[:, 0].argsort(kind="stable"),
            lambda bits: bits[:, 0].argsort(),
        ],
        "gaps-in-order": [
            partial(_at_positions, empty=empty, least=least)
            for empty in (0, -1)
            for least in (2, 0)
        ],
        "eight-bits-alone": lambda bits: reading_order(bits[:, :8]),
        "bits-sorted": [
            lambda bits: np.sort(bits, axis=0),
            lambda bits: np.sort(bits, axis=1),
        ],
        "rows-in-order": lambda bits: bits[reading_order(bits)],
    },
)


def gray_encoding(n_positions: int, d_model: int) -> NDArray:
    """Return a Gray code, in which each step flips a single bit."""
    half_stripes = 2 ** np.arange(d_model)
    return (_positions(n_positions) + half_stripes) // (2 * half_stripes) % 2


def _every_two_c(n_positions: int, d_model: int) -> NDArray:
    """Return stripes that begin correctly but change every ``2 * c`` positions."""
    columns = np.arange(d_model)
    since = _positions(n_positions) - 2**columns
    return (since // np.maximum(2 * columns, 2) + 1) * (since >= 0) % 2


def _next_bits(n_positions: int, d_model: int) -> NDArray[np.int64]:
    """Return the bits of half the position, that is, the bits shifted by one column."""
    return _whole_bits(n_positions, d_model + 1)[:, 1:]


def _changes_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    position, column = place
    changes = list(range(2**column, position + 1, 2 ** (column + 1)))
    return dict(
        i=position,
        c=column,
        first=2**column,
        step=2 ** (column + 1),
        changes=len(changes),
        result=len(changes) % 2,
    )


GRAY_ENCODING = Exercise(
    id="gray-encoding",
    reference=gray_encoding,
    cases=((8, 3), (50, 6), (2, 1), (3, 5), (1, 12), (600, 10), (8, 6)),
    by_hand=_changes_by_hand,
    misconceptions={
        "plain-binary": binary_encoding,
        "not-an-exclusive-or": [
            lambda n, d: _whole_bits(n, d) & ~_next_bits(n, d),
            lambda n, d: _whole_bits(n, d) | _next_bits(n, d),
            lambda n, d: _whole_bits(n, d) & _next_bits(n, d),
            lambda n, d: _whole_bits(n, d) - _next_bits(n, d),
            lambda n, d: _whole_bits(n, d) + _next_bits(n, d),
            lambda n, d: (_positions(n) + (_positions(n) >> 1)) >> np.arange(d) & 1,
        ],
        "gray-read-back": lambda n, d: np.bitwise_xor.accumulate(
            _whole_bits(n, d)[:, ::-1], axis=1
        )[:, ::-1],
        "two-columns-apart": lambda n, d: _whole_bits(n, d) ^ _next_bits(n, d + 1)[:, 1:],
        "one-column-for-each-position": [
            lambda n, d: _positions(n) % d == np.arange(d),
            lambda n, d: _positions(n) == np.arange(d),
            lambda n, d: _positions(n) > np.arange(d),
            lambda n, d: (_positions(n) - np.arange(1, d + 1)) % (2 * d) < d,
        ],
        "first-stripe-whole": lambda n, d: _positions(n) // 2 ** np.arange(1, d + 1) % 2,
        "one-position-for-half-a-stripe": lambda n, d: (
            (_positions(n) + 1) // 2 ** np.arange(1, d + 1) % 2
        ),
        "one-position-late": lambda n, d: gray_encoding(n, d)[np.maximum(np.arange(n) - 1, 0)],
        "gaps-not-doubled": _every_two_c,
        "first-column-for-neighbour": lambda n, d: (
            _whole_bits(n, d) ^ np.roll(_whole_bits(n, d), -1, axis=1)
        ),
        "stripes-too-narrow": lambda n, d: gray_encoding(2 * n, d)[::2],
        "begins-with-ones": lambda n, d: 1 - gray_encoding(n, d),
        "most-significant-first": lambda n, d: gray_encoding(n, d)[:, ::-1],
        "plain-binary most-significant-first": lambda n, d: binary_encoding(n, d)[:, ::-1],
        "fractions-kept": lambda n, d: (_positions(n) / 2 ** np.arange(1, d + 1) + 0.5) % 2,
        "remainder-forgotten": lambda n, d: (_positions(n) // 2 ** np.arange(d) + 1) // 2,
        "positions-from-one": lambda n, d: gray_encoding(n + 1, d)[1:],
        "axes-swapped": lambda n, d: gray_encoding(n, d).T,
        "compared-with-next-number": lambda n, d: (
            (_positions(n) ^ (_positions(n) + 1)) >> np.arange(d) & 1
        ),
        "exclusive-or-runs-on": lambda n, d: np.bitwise_xor.accumulate(_whole_bits(n, d), axis=1),
        "numbers-for-bits": [
            lambda n, d: np.arange(n) ^ (np.arange(n) >> 1),
            lambda n, d: np.tile(_positions(n) ^ (_positions(n) >> 1), d),
        ],
    },
)


def _apart(table: NDArray, distance: int) -> tuple[NDArray, NDArray]:
    """Return the rows that have a partner at the given distance, and the partners."""
    return table[: len(table) - distance], table[distance:]


def flips_at_distance(table: NDArray, distance: int) -> NDArray:
    """Count the bits that differ between each row and the row ``distance`` positions later."""
    return np.not_equal(*_apart(table, distance)).sum(axis=1)


def _numbers(table: NDArray) -> NDArray[np.int64]:
    """Return the number that each row of bits represents."""
    return table @ 2 ** np.arange(table.shape[1])


def _in_bytes(table: NDArray, distance: int, *, later: bool) -> NDArray:
    """Sum differences of uint8 values, for which 0 - 1 is 255."""
    pair = _apart(table.astype(np.uint8), distance)
    return (pair[later] - pair[not later]).sum(axis=1)


def _digits(bits: NDArray) -> str:
    """Return a row's number in binary, without leading zeros."""
    return f"{int(bits @ 2 ** np.arange(len(bits))):b}"


COMPARED = (
    (8, 3, 1, 1),
    (33, 6, 1, 2),
    (40, 6, 3, 5),
    (9, 4, 1, 0),
    (9, 4, 2, 4),
    (1, 3, 1, 0),
    (8, 3, 1, 3),
)
"""Test cases with numbers of positions and dimensions, a step between rows, and a distance."""


def _pair_by_hand(place: tuple, table: NDArray, distance: int) -> Steps:
    first, second = place[0], place[0] + distance
    unlike = [int(a != b) for a, b in zip(table[first], table[second], strict=True)]
    return dict(
        i=first, j=second, one=table[first], other=table[second], unlike=unlike, result=sum(unlike)
    )


FLIPS_AT_DISTANCE = Exercise(
    id="flips-at-distance",
    reference=flips_at_distance,
    cases=tuple((_whole_bits(n, d)[::step], distance) for n, d, step, distance in COMPARED),
    typed=tuple(f"{_typed_bits(*read)}, {distance}" for *read, distance in COMPARED),
    by_hand=_pair_by_hand,
    misconceptions={
        "offset-off-by-one": [
            lambda table, r: flips_at_distance(table, r + 1),
            lambda table, r: flips_at_distance(table, r - 1),
        ],
        "round-the-end": [
            lambda table, r: (table != np.roll(table, -r, axis=0)).sum(axis=1),
            lambda table, r: (table != np.roll(table, r, axis=0)).sum(axis=1),
            lambda table, r: (table != np.roll(table, r, axis=0)).sum(axis=1)[: len(table) - r],
        ],
        "sign-kept": [
            lambda table, r: np.subtract(*_apart(table, r)).sum(axis=1),
            lambda table, r: -np.subtract(*_apart(table, r)).sum(axis=1),
            lambda table, r: abs(np.subtract(*_apart(table, r)).sum(axis=1)),
        ],
        "whether-for-how-many": lambda table, r: np.not_equal(*_apart(table, r)).any(axis=1),
        "unchanged-counted": lambda table, r: np.equal(*_apart(table, r)).sum(axis=1),
        "dot-products-taken": lambda table, r: np.multiply(*_apart(table, r)).sum(axis=1),
        "length-of-difference": lambda table, r: np.sqrt(flips_at_distance(table, r)),
        "flips-not-summed": lambda table, r: np.not_equal(*_apart(table, r)),
        "wrong-axis": lambda table, r: np.not_equal(*_apart(table, r)).sum(axis=0),
        "compared-with-row-zero": [
            lambda table, r: (table[r:] != table[0]).sum(axis=1),
            lambda table, r: (table[: len(table) - r] != table[0]).sum(axis=1),
        ],
        "flips-along-the-way": lambda table, r: np.array(
            [np.not_equal(*_apart(table[i : i + r + 1], 1)).sum() for i in range(len(table) - r)]
        ),
        "difference-of-bytes": [partial(_in_bytes, later=later) for later in (False, True)],
        "ones-of-distance": lambda table, r: np.full(len(table) - r, r.bit_count()),
        "one-direction-counted": [
            lambda table, r: np.less(*_apart(table, r)).sum(axis=1),
            lambda table, r: np.greater(*_apart(table, r)).sum(axis=1),
        ],
        "ones-of-either-counted": [
            lambda table, r: np.maximum(*_apart(table, r)).sum(axis=1),
            lambda table, r: np.add(*_apart(table, r)).sum(axis=1),
        ],
        "differences-repeated": [
            lambda table, r: abs(np.diff(table, n=r, axis=0)).sum(axis=1),
            lambda table, r: (np.diff(table, n=r, axis=0) != 0).sum(axis=1),
        ],
        "share-for-count": lambda table, r: np.not_equal(*_apart(table, r)).mean(axis=1),
        "minus-zero": [
            lambda table, r: (table[r:] != table[:-r]).sum(axis=1),
            lambda table, r: [sum(a != b) for a, b in zip(table[r:], table[:-r], strict=False)],
        ],
        "one-column-skipped": [
            lambda table, r: flips_at_distance(table[:, 1:], r),
            lambda table, r: flips_at_distance(table[:, :-1], r),
        ],
        "counted-in-all": lambda table, r: flips_at_distance(table, r).sum(),
        "written-without-zeros": lambda table, r: [
            sum(a != b for a, b in zip(_digits(one), _digits(other), strict=False))
            for one, other in zip(*_apart(table, r), strict=True)
        ],
        "odd-or-even": lambda table, r: flips_at_distance(table, r) % 2,
        "compared-with-all-rows": lambda table, r: np.array(
            [(table != row).sum() for row in table[: len(table) - r]]
        ),
        "numbers-compared": [
            lambda table, r: np.arange(len(table) - r) ^ (np.arange(len(table) - r) + r),
            lambda table, r: np.subtract(*(_numbers(rows) for rows in _apart(table, r)[::-1])),
            lambda table, r: np.bitwise_xor(*(_numbers(rows) for rows in _apart(table, r))),
        ],
        "next-row-always": [
            lambda table, r: flips_at_distance(table, 1)[: len(table) - r],
            lambda table, r: flips_at_distance(table, 1)[max(r - 1, 0) :],
        ],
    },
)


def their_stripes(n_positions: int, d_model: int) -> NDArray:
    """Return stripes that become wider by 1 from column to column."""
    return _positions(n_positions) // np.arange(1, d_model + 1) % 2


def _fibonacci(d_model: int) -> NDArray[np.int64]:
    """Return the Fibonacci numbers 1, 2, 3, 5, 8, ..."""
    numbers = [1, 2]
    while len(numbers) < d_model:
        numbers.append(numbers[-1] + numbers[-2])
    return np.array(numbers[:d_model])


def _sign_of_wave(n_positions: int, d_model: int, *, wave: Callable, above: Callable) -> NDArray:
    """Return True wherever a wave is ``above`` 0; its sign changes at each new stripe."""
    return above(wave(np.pi * _positions(n_positions) / np.arange(1, d_model + 1)), 0)


def _stripe_by_hand(place: tuple, n_positions: int, d_model: int) -> Steps:
    position, column = place
    bits = ([0] * (column + 1) + [1] * (column + 1)) * (position + 1)
    return {"i": position, "c": column, "width": column + 1, "result": bits[position]}


THEIR_STRIPES = Exercise(
    id="their-stripes",
    reference=their_stripes,
    cases=((40, 6), (12, 3), (2, 1), (1, 9), (300, 5), (30, 9), (40, 3)),
    by_hand=_stripe_by_hand,
    misconceptions={
        "right-stripes": lambda n, d: _positions(n) // 2 ** np.arange(d) % 2,
        "stripes-grow-otherwise": [
            lambda n, d: _positions(n) // (2 * np.arange(d) + 1) % 2,
            lambda n, d: _positions(n) // (2 * np.arange(1, d + 1)) % 2,
            lambda n, d: _positions(n) // np.arange(1, d + 1) ** 2 % 2,
            lambda n, d: _positions(n) // np.arange(d) % 2,  # NumPy evaluates // 0 to 0
            lambda n, d: _positions(n) // np.arange(1, d + 1).cumsum() % 2,
            lambda n, d: _positions(n) // _fibonacci(d) % 2,
            lambda n, d: _positions(n) // np.arange(2, d + 2) % 2,
            lambda n, d: _positions(n) // np.maximum(np.arange(d), 1) % 2,
            lambda n, d: _positions(n) // (np.arange(d) ** 2 + 1) % 2,
            lambda n, d: _positions(n) // 3 ** np.arange(d) % 2,
            lambda n, d: _positions(n) // np.sqrt(np.arange(1, d + 1)).astype(int) % 2,
            lambda n, d: _positions(n) // (3 * np.arange(d) + 1) % 2,
            lambda n, d: _positions(n) // 2 ** np.arange(1, d + 1) % 2,
            lambda n, d: _positions(n) // np.arange(1, d + 1).cumprod() % 2,
            lambda n, d: _positions(n) // np.maximum(2 ** np.arange(d) - 1, 1) % 2,
            lambda n, d: _positions(n) // 10 ** np.arange(d) % 2,
            lambda n, d: _positions(n) // np.arange(3, d + 3) % 2,
        ],
        "doubled-for-power": [
            lambda n, d: _positions(n) // (2 * np.arange(d)) % 2,
            lambda n, d: _positions(n) // np.maximum(2 * np.arange(d), 1) % 2,
        ],
        "xor-for-power": [
            lambda n, d: _positions(n) // (2 ^ np.arange(d)) % 2,
            lambda n, d: _positions(n) // np.maximum(2 ^ np.arange(d), 1) % 2,
        ],
        "equal-widths": [
            lambda n, d: np.tile(_positions(n) % 2, d),
            lambda n, d: np.tile(_positions(n) // d % 2, d),
            lambda n, d: np.tile(_positions(n) // 2 % 2, d),
        ],
        "width-of-both-stripes": lambda n, d: _positions(n) * 2 // np.arange(1, d + 1) % 2,
        "first-stripe-half": lambda n, d: (
            (_positions(n) + np.arange(1, d + 1) // 2) // np.arange(1, d + 1) % 2
        ),
        "remainder-for-stripe": [
            lambda n, d: _positions(n) % np.arange(1, d + 1),
            lambda n, d: _positions(n) % np.arange(1, d + 1) == 0,
            lambda n, d: _positions(n) % np.arange(1, d + 1) != 0,
            lambda n, d: _positions(n) % np.arange(1, d + 1) % 2,
        ],
        "wave-for-stripes": [
            partial(_sign_of_wave, wave=wave, above=above)
            for wave in (np.sin, np.cos)
            for above in (np.greater, np.less)
        ],
        "begins-with-ones": lambda n, d: 1 - their_stripes(n, d),
        "most-significant-first": lambda n, d: their_stripes(n, d)[:, ::-1],
        "fractions-kept": lambda n, d: _positions(n) / np.arange(1, d + 1) % 2,
        "remainder-forgotten": lambda n, d: _positions(n) // np.arange(1, d + 1),
        "positions-from-one": lambda n, d: their_stripes(n + 1, d)[1:],
        "axes-swapped": lambda n, d: their_stripes(n, d).T,
        "right-stripes most-significant-first": lambda n, d: (
            _positions(n) // 2 ** np.arange(d)[::-1] % 2
        ),
        "right-stripes begins-with-ones": lambda n, d: 1 - _positions(n) // 2 ** np.arange(d) % 2,
        "stripe-one-too-late": lambda n, d: (
            _positions(n) % (2 * np.arange(1, d + 1)) > np.arange(1, d + 1)
        ),
        "multiplied-for-divided": lambda n, d: _positions(n) * np.arange(1, d + 1) % 2,
        "bits-of-position": [
            lambda n, d: (_positions(n) & np.arange(1, d + 1)) > 0,
            lambda n, d: (_positions(n) & np.arange(d)) > 0,
            lambda n, d: (_positions(n) ^ np.arange(1, d + 1)) % 2,
        ],
        "stripes-begin-earlier": [
            lambda n, d: (_positions(n) + np.arange(d)) // np.arange(1, d + 1) % 2,
        ],
        "ones-one-position-wide": [
            lambda n, d: _positions(n) % np.arange(2, d + 2) // np.arange(1, d + 1),
            lambda n, d: _positions(n) % np.arange(2, d + 2) == 0,
        ],
    },
    shows_wrong_output=True,
)

EXERCISES = (
    BITS_NEEDED,
    POSITIONS_FROM_BITS,
    READING_ORDER,
    GRAY_ENCODING,
    FLIPS_AT_DISTANCE,
    THEIR_STRIPES,
)
