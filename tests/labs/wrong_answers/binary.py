"""Realistic wrong answers for lab 02, with the expected findings."""

import math
from collections.abc import Callable

import numpy as np
from answers.binary import (
    bits,
    by_neighbouring_bits,
    column,
    flips,
    gray,
    pairs,
    positions_from_bits,
    reading_order,
)

from course_utils import binary_encoding


def doubled_up_to(n_positions: int) -> int:
    d_model = 1
    while d_model < n_positions:
        d_model *= 2
    return d_model


def one_late(n_positions: int, d_model: int) -> np.ndarray:
    half_stripes = 2 ** np.arange(d_model)
    return (column(n_positions) + half_stripes - 1) // (2 * half_stripes) % 2


def with_next_column(n_positions: int, d_model: int) -> np.ndarray:
    table = np.array(bits(column(n_positions), d_model))
    return table ^ np.roll(table, -1, axis=1)


def changes_every_two_c(n_positions: int, d_model: int) -> np.ndarray:
    table = np.zeros((n_positions, d_model))
    for c in range(d_model):
        for change in range(2**c, n_positions, 2 * c or 2):
            table[change:, c] = 1 - table[change:, c]
    return table


def scattered(rows: np.ndarray, empty: int, all_of_them: bool) -> list[int]:
    """Put each card at its position."""
    positions = positions_from_bits(rows)
    cards = {position: card for card, position in enumerate(positions)}
    size = 2 ** rows.shape[1] if all_of_them else max(positions) + 1
    return [cards.get(position, empty) for position in range(size)]


def by_operator(change: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable:
    """Combine adjacent bits with an operator other than “exclusive or”."""

    def table(n_positions: int, d_model: int) -> np.ndarray:
        positions = np.arange(n_positions)[:, None]
        own, half = (each >> np.arange(d_model) & 1 for each in (positions, positions >> 1))
        return change(own, half)

    return table


def steps_between(table: np.ndarray, distance: int) -> list[int]:
    flips = (table[1:] != table[:-1]).sum(axis=1)
    return [flips[i : i + distance].sum() for i in range(len(table) - distance)]


def of_widths(width: Callable[[int], int]) -> Callable:
    return lambda n, d: [[i // width(c) % 2 if width(c) else 0 for c in range(d)] for i in range(n)]


def fibonacci(number: int) -> int:
    return (
        1
        if number < 0
        else number + 1
        if number < 2
        else (fibonacci(number - 1) + fibonacci(number - 2))
    )


WRONG = {
    "bits-needed": (
        ("one-bit-too-few", lambda n: int(math.log2(n))),
        ("one-bit-too-few", lambda n: (n - 2).bit_length()),
        ("one-bit-too-few", lambda n: int(np.log2(n) + 0.5)),
        ("length-itself-written", lambda n: math.floor(math.log2(n)) + 1),
        ("not-rounded", lambda n: math.log2(n)),
        ("another-logarithm", lambda n: math.ceil(math.log(n))),
        ("another-logarithm", lambda n: np.log(n)),
        ("another-logarithm", lambda n: int(np.log(n))),
        ("another-logarithm", lambda n: np.log10(n)),
        ("another-logarithm", lambda n: len(str(n - 1))),
        ("another-logarithm", lambda n: len(str(n)) - 1),
        ("doublings-not-counted", lambda n: n // 2),
        ("doublings-not-counted", lambda n: 0.5 * n),
        ("doublings-not-counted", lambda n: n - n // 2),
        ("doublings-not-counted", lambda n: n**0.5),
        ("doublings-not-counted", lambda n: math.isqrt(n - 1) + 1),
        ("doublings-not-counted", math.isqrt),
        ("power-for-exponent", doubled_up_to),
        ("logarithm-rounded", lambda n: math.ceil(np.log(np.float32(n)) / np.log(np.float32(2)))),
    ),
    "positions-from-bits": (
        ("most-significant-first", lambda rows: rows[:, ::-1] @ 2 ** np.arange(rows.shape[1])),
        ("powers-from-two", lambda rows: rows @ 2 ** np.arange(1, rows.shape[1] + 1)),
        ("weights-not-doubled", lambda rows: rows @ (2 * np.arange(rows.shape[1]))),
        ("weights-not-doubled", lambda rows: [sum(np.flatnonzero(row)) for row in rows]),
        ("weights-not-doubled", lambda rows: [sum(np.flatnonzero(row) + 1) for row in rows]),
        ("weights-not-doubled", lambda rows: [sum(np.flatnonzero(row) ** 2) for row in rows]),
        ("ones-counted", lambda rows: rows.sum(axis=1)),
        ("xor-for-power", lambda rows: [sum(b * (2 ^ c) for c, b in enumerate(r)) for r in rows]),
        ("eight-bits-alone", lambda rows: np.packbits(rows == 1, axis=1, bitorder="little")[:, 0]),
        ("pattern.repair-axis", lambda rows: (rows * 2 ** np.arange(rows.shape[1])).sum()),
        ("wrong-axis", lambda rows: (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0)),
        ("zeros-counted", lambda rows: (2 ** (rows * np.arange(rows.shape[1]))).sum(axis=1)),
        ("read-as-decimal", lambda rows: [int("".join(map(str, row[::-1]))) for row in rows]),
    ),
    "reading-order": (
        ("positions-for-order", positions_from_bits),
        ("places-for-order", lambda bits: np.argsort(np.argsort(positions_from_bits(bits)))),
        ("last-first", lambda bits: reading_order(bits)[::-1]),
        ("most-significant-first", lambda bits: np.lexsort(bits.T[::-1])),
        ("eight-bits-alone", lambda bits: np.packbits(bits == 1, 1, "little")[:, 0].argsort()),
        ("ones-counted", lambda bits: sorted(range(len(bits)), key=lambda i: sum(bits[i]))),
        ("positions-sorted", lambda bits: np.sort(positions_from_bits(bits))),
        ("ones-counted", lambda bits: np.argsort(bits @ np.ones(bits.shape[1], int))),
        ("first-column-only-sorted", lambda bits: np.argsort(bits, axis=0)[:, 0]),
        (
            "first-column-only-sorted",
            lambda bits: [*np.flatnonzero(bits[:, 0] == 0), *np.flatnonzero(bits[:, 0])],
        ),
        *(
            ("gaps-in-order", lambda bits, e=empty, a=all_of_them: scattered(bits, e, a))
            for empty in (0, -1)
            for all_of_them in (True, False)
        ),
    ),
    "gray-encoding": (
        ("plain-binary", lambda n, d: bits(column(n), d)),
        ("first-stripe-whole", lambda n, d: bits(column(n) // 2, d)),
        ("one-position-for-half-a-stripe", lambda n, d: bits((column(n) + 1) // 2, d)),
        ("one-position-late", one_late),
        ("first-column-for-neighbour", with_next_column),
        ("stripes-too-narrow", lambda n, d: bits(column(n) ^ column(n) << 1, d)),
        ("not-an-exclusive-or", by_operator(lambda own, half: own & ~half)),
        ("not-an-exclusive-or", by_operator(np.maximum)),
        ("not-an-exclusive-or", by_operator(np.minimum)),
        ("not-an-exclusive-or", by_operator(np.subtract)),
        ("not-an-exclusive-or", by_operator(np.add)),
        # n - (n >> 1) instead of n ^ (n >> 1)
        ("one-position-for-half-a-stripe", lambda n, d: bits(column(n) - (column(n) >> 1), d)),
        ("begins-with-ones", lambda n, d: 1 - np.array(gray(n, d))),
        ("gaps-not-doubled", changes_every_two_c),
        ("most-significant-first", lambda n, d: [row[::-1] for row in gray(n, d)]),
        (
            "fractions-kept",
            lambda n, d: (column(n) + 2 ** np.arange(d)) / 2 / 2 ** np.arange(d) % 2,
        ),
        (
            "remainder-forgotten",
            lambda n, d: (column(n) + 2 ** np.arange(d)) // 2 ** np.arange(1, d + 1),
        ),
        ("positions-from-one", lambda n, d: by_neighbouring_bits(n + 1, d)[1:]),
        ("axes-swapped", lambda n, d: list(zip(*gray(n, d), strict=True))),
    ),
    "flips-at-distance": (
        ("minus-zero", lambda table, r: (table[:-r] != table[r:]).sum(axis=1)),
        ("minus-zero", lambda t, r: [sum(t[i] != t[i + r]) for i in range(len(t[:-r]))]),
        ("round-the-end", lambda table, r: (table != np.roll(table, -r, axis=0)).sum(axis=1)),
        ("round-the-end", lambda t, r: [sum(t[i] != t[i - r]) for i in range(len(t))]),
        ("round-the-end", lambda t, r: [sum(t[i] != t[i - r]) for i in range(len(t) - r)]),
        ("sign-kept", lambda table, r: np.subtract(*pairs(table, r)).sum(axis=1)),
        ("sign-kept", lambda t, r: [sum(t[i + r] - t[i]) for i in range(len(t) - r)]),
        ("sign-kept", lambda t, r: [abs(sum(t[i + r] - t[i])) for i in range(len(t) - r)]),
        ("flips-not-summed", lambda table, r: flips(table, r)),
        (
            "length-of-difference",
            lambda table, r: np.linalg.norm(np.subtract(*pairs(table, r)), axis=1),
        ),
        ("wrong-axis", lambda table, r: flips(table, r).sum(axis=0)),
        ("unchanged-counted", lambda table, r: (~flips(table, r)).sum(axis=1)),
        ("dot-products-taken", lambda table, r: np.multiply(*pairs(table, r)).sum(axis=1)),
        ("offset-off-by-one", lambda table, r: flips(table, r + 1).sum(axis=1)),
        ("offset-off-by-one", lambda table, r: flips(table, r - 1).sum(axis=1)),
        ("share-for-count", lambda table, r: flips(table, r).sum(axis=1) / table.shape[1]),
        ("compared-with-row-zero", lambda t, r: [sum(row != t[0]) for row in t[r:]]),
        ("compared-with-row-zero", lambda t, r: [sum(t[0] != t[i]) for i in range(len(t) - r)]),
        ("flips-along-the-way", steps_between),
        (
            "difference-of-bytes",
            lambda t, r: np.abs(np.subtract(*pairs(t.astype("u1"), r))).sum(1),
        ),
        (
            "difference-of-bytes",
            lambda t, r: np.subtract(*reversed(pairs(t.astype("u1"), r))).sum(1),
        ),
        ("whether-for-how-many", lambda table, r: flips(table, r).any(axis=1)),
    ),
    "their-stripes": (
        ("right-stripes", lambda n, d: bits(column(n), d)),
        ("right-stripes", binary_encoding),  # rejects some of the cases
        ("stripes-grow-otherwise", lambda n, d: column(n) // (2 * np.arange(d) + 1) % 2),
        ("stripes-grow-otherwise", lambda n, d: column(n) // 2 // (np.arange(d) + 1) % 2),
        ("stripes-grow-otherwise", lambda n, d: column(n) // (np.arange(d) + 1) ** 2 % 2),
        (
            "stripes-grow-otherwise",
            lambda n, d: [[i // c % 2 if c else 0 for c in range(d)] for i in range(n)],
        ),
        ("stripes-grow-otherwise", of_widths(lambda c: (c + 1) * (c + 2) // 2)),
        ("stripes-grow-otherwise", of_widths(fibonacci)),
        ("doubled-for-power", of_widths(lambda c: 2 * c)),
        ("doubled-for-power", of_widths(lambda c: 2 * c or 1)),
        ("xor-for-power", of_widths(lambda c: 2 ^ c)),
        ("xor-for-power", of_widths(lambda c: 2 ^ c or 1)),
        ("remainder-for-stripe", lambda n, d: [[i % (c + 1) for c in range(d)] for i in range(n)]),
        ("remainder-for-stripe", lambda n, d: column(n) % (np.arange(d) + 1) < 1),
        ("remainder-for-stripe", lambda n, d: column(n) % (np.arange(d) + 1) > 0),
        ("remainder-for-stripe", lambda n, d: column(n) % (np.arange(d) + 1) & 1),
        *(
            (
                "wave-for-stripes",
                lambda n, d, w=wave, s=sign: s * w(np.pi * column(n) / (np.arange(d) + 1)) > 0,
            )
            for wave in (np.sin, np.cos)
            for sign in (1, -1)
        ),
        ("remainder-forgotten", lambda n, d: column(n) // (np.arange(d) + 1)),
        ("fractions-kept", lambda n, d: column(n) / (np.arange(d) + 1) % 2),
        ("begins-with-ones", lambda n, d: 1 - column(n) // (np.arange(d) + 1) % 2),
        ("most-significant-first", lambda n, d: column(n) // np.arange(d, 0, -1) % 2),
        ("axes-swapped", lambda n, d: (column(n) // (np.arange(d) + 1) % 2).T),
        ("positions-from-one", lambda n, d: (column(n) + 1) // (np.arange(d) + 1) % 2),
    ),
}
