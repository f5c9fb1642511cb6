"""Lab 02 as people get it wrong."""

import math

import numpy as np


def column(n_positions: int) -> np.ndarray:
    return np.arange(n_positions)[:, np.newaxis]


def bits(positions: np.ndarray, d_model: int) -> np.ndarray:
    return positions // 2 ** np.arange(d_model) % 2


def pairs(table: np.ndarray, distance: int) -> tuple[np.ndarray, np.ndarray]:
    return table[: len(table) - distance], table[distance:]


def flips_with_loop(table: np.ndarray, distance: int) -> int:
    for i in range(len(table) - distance):
        return (table[i] != table[i + distance]).sum()


def flips(table: np.ndarray, distance: int) -> np.ndarray:
    earlier, later = pairs(table, distance)
    return earlier != later


MISTAKES = {
    "bits-needed": (
        ("one-bit-too-few", lambda n: int(math.log2(n))),
        ("one-bit-too-few", lambda n: round(math.log2(n))),
        ("length-itself-written", lambda n: math.floor(math.log2(n)) + 1),
        ("not-rounded", lambda n: math.log2(n)),
        ("another-logarithm", lambda n: math.ceil(math.log(n))),
        ("pattern.always-too-large", lambda n: len(bin(n))),
        ("length-itself-written", lambda n: n.bit_length()),
        ("pattern.too-large", lambda n: math.ceil(math.log2(n)) + 1),
        ("pattern.always-too-large", lambda n: 2**n),
        ("doublings-not-counted", lambda n: math.ceil(math.sqrt(n))),
        ("doublings-not-counted", lambda n: n // 2),
        ("doublings-not-counted", lambda n: math.ceil(n / 2)),
        ("doublings-not-counted", lambda n: n**0.5),
        ("pattern.always-too-large", lambda n: 2 ** math.ceil(math.log2(n))),
        ("pattern.input-returned", lambda n: n),
        # Two at once: another logarithm, and cut off.
        ("one-bit-too-few another-logarithm", lambda n: int(math.log(n))),
    ),
    "positions-from-bits": (
        ("most-significant-first", lambda rows: rows[:, ::-1] @ 2 ** np.arange(rows.shape[1])),
        ("most-significant-first", lambda rows: [int("".join(map(str, row)), 2) for row in rows]),
        ("powers-from-two", lambda rows: rows @ 2 ** np.arange(1, rows.shape[1] + 1)),
        ("weights-not-doubled", lambda rows: rows @ (2 * np.arange(rows.shape[1]))),
        ("weights-not-doubled", lambda rows: rows @ np.arange(rows.shape[1]) ** 2),
        ("ones-counted", lambda rows: rows.sum(axis=1)),
        ("pattern.step-missing", lambda rows: rows * 2 ** np.arange(rows.shape[1])),
        ("pattern.step-too-far", lambda rows: (rows * 2 ** np.arange(rows.shape[1])).sum()),
        ("wrong-axis", lambda rows: (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0)),
        ("zeros-counted", lambda rows: (2 ** (rows * np.arange(rows.shape[1]))).sum(axis=1)),
        ("pattern.only-first-call-right", lambda rows: np.arange(len(rows))),
        ("pattern.only-first-returned", lambda rows: rows[0] @ 2 ** np.arange(rows.shape[1])),
        ("raised", lambda rows: rows @ 2 ** np.arange(len(rows))),
        ("read-as-decimal", lambda rows: [int("".join(map(str, row[::-1]))) for row in rows]),
        # Two at once: as on paper, and the powers from 2.
        (
            "most-significant-first powers-from-two",
            lambda rows: rows[:, ::-1] @ 2 ** np.arange(1, rows.shape[1] + 1),
        ),
    ),
    "gray-encoding": (
        ("plain-binary", lambda n, d: bits(column(n), d)),
        ("first-stripe-whole", lambda n, d: column(n) // 2 ** np.arange(1, d + 1) % 2),
        ("most-significant-first", lambda n, d: bits(column(n) ^ column(n) >> 1, d)[:, ::-1]),
        ("stripes-too-narrow", lambda n, d: bits(column(n) ^ column(n) << 1, d)),
        (
            "begins-with-ones",
            lambda n, d: (column(n) - 2 ** np.arange(d)) // 2 ** np.arange(1, d + 1) % 2,
        ),
        (
            "fractions-kept",
            lambda n, d: (column(n) + 2 ** np.arange(d)) / 2 ** np.arange(1, d + 1) % 2,
        ),
        (
            "remainder-forgotten",
            lambda n, d: (column(n) + 2 ** np.arange(d)) // 2 ** np.arange(1, d + 1),
        ),
        (
            "first-stripe-whole positions-from-one",
            lambda n, d: (column(n) + 1) // 2 ** np.arange(1, d + 1) % 2,
        ),
        ("axes-swapped", lambda n, d: bits(column(n) ^ column(n) >> 1, d).T),
        ("plain-binary", lambda n, d: column(n) % 2 ** np.arange(1, d + 1) >= 2 ** np.arange(d)),
        (
            "pattern.some-calls-right",
            lambda n, d: (column(n) + np.arange(d)) // (2 * np.arange(d) + 2) % 2,
        ),
        ("positions-from-one", lambda n, d: bits(column(n) + 1 ^ column(n) + 1 >> 1, d)),
        (
            "pattern.rows-too-few-by-one",
            lambda n, d: bits(column(n), d)[1:] != bits(column(n), d)[:-1],
        ),
        # Two at once: from 1, and the columns in the opposite order.
        (
            "most-significant-first positions-from-one",
            lambda n, d: bits(column(n) + 1 ^ column(n) + 1 >> 1, d)[:, ::-1],
        ),
    ),
    "flips-at-distance": (
        ("minus-zero", lambda table, r: (table[:-r] != table[r:]).sum(axis=1)),
        ("round-the-end", lambda table, r: (table != np.roll(table, -r, axis=0)).sum(axis=1)),
        ("round-the-end", lambda table, r: (table != np.roll(table, r, axis=0)).sum(axis=1)),
        (
            "round-the-end",
            lambda table, r: (table != np.roll(table, r, axis=0)).sum(1)[: len(table) - r],
        ),
        ("sign-kept", lambda table, r: np.subtract(*pairs(table, r)).sum(axis=1)),
        ("sign-kept", lambda table, r: abs(np.subtract(*pairs(table, r)).sum(axis=1))),
        ("flips-not-summed", lambda table, r: flips(table, r)),
        ("pattern.step-too-far", lambda table, r: flips(table, r).sum()),
        ("wrong-axis", lambda table, r: flips(table, r).sum(axis=0)),
        ("unchanged-counted", lambda table, r: (~flips(table, r)).sum(axis=1)),
        ("dot-products-taken", lambda table, r: np.multiply(*pairs(table, r)).sum(axis=1)),
        ("pattern.only-first-call-right", lambda table, r: flips(table, 1).sum(axis=1)),
        ("offset-off-by-one", lambda table, r: flips(table, r + 1).sum(axis=1)),
        ("pattern.entries-agree", lambda table, r: flips(table, r).any(axis=1)),
        (
            "pattern.some-calls-right",
            lambda table, r: [(row != table[0]).sum() for row in table[r:]],
        ),
        ("pattern.only-first-returned", flips_with_loop),
        ("", lambda table, r: (table[:r] != table[r:]).sum(axis=1)),
        # Two at once: what stays the same, down the columns.
        ("unchanged-counted wrong-axis", lambda table, r: (~flips(table, r)).sum(axis=0)),
    ),
    "their-stripes": (
        ("right-stripes", lambda n, d: bits(column(n), d)),
        ("stripes-grow-otherwise", lambda n, d: column(n) // (2 * np.arange(d) + 1) % 2),
        ("stripes-grow-otherwise", lambda n, d: column(n) // (2 * np.arange(d) + 2) % 2),
        ("stripes-grow-otherwise", lambda n, d: column(n) // np.arange(d) % 2),
        ("pattern.some-calls-right", lambda n, d: column(n) % (np.arange(d) + 1)),
        ("remainder-forgotten", lambda n, d: column(n) // (np.arange(d) + 1)),
        ("fractions-kept", lambda n, d: column(n) / (np.arange(d) + 1) % 2),
        ("begins-with-ones", lambda n, d: 1 - column(n) // (np.arange(d) + 1) % 2),
        ("most-significant-first", lambda n, d: column(n) // np.arange(d, 0, -1) % 2),
        ("axes-swapped", lambda n, d: (column(n) // (np.arange(d) + 1) % 2).T),
        ("pattern.only-first-call-right", lambda n, d: column(n) // np.arange(1, 7) % 2),
        ("positions-from-one", lambda n, d: (column(n) + 1) // (np.arange(d) + 1) % 2),
        (
            "pattern.right-for-small",
            lambda n, d: column(n) // np.arange(1, d + 1) % 2 * np.arange(1, d + 1),
        ),
        # Two at once: from 1, and twice as wide.
        (
            "stripes-grow-otherwise positions-from-one",
            lambda n, d: (column(n) + 1) // (2 * np.arange(d) + 2) % 2,
        ),
    ),
}
