"""Realistic wrong answers for lab 03, with the expected findings."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from answers.sinusoidal import (
    right_angle,
    row_with,
    rows,
    rows_by,
    rows_in_halves,
    slowest,
    table_by,
    turned,
)

RIGHT_ROW = row_with((1, 1 / 4, 1 / 16))
EIGHTHS = 12 / 8.0 ** np.arange(3)


def row_of_columns(exponents: list[float]) -> list[float]:
    waves = (math.sin, math.cos)
    return [waves[c % 2](12 / 64**exponent) for c, exponent in enumerate(exponents)]


def rows_without_the_last(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    table = np.array(rows(positions, d_model, base))
    table[:, d_model // 2 * 2 :] = 0
    return table


def sines_then_cosines(
    positions: np.ndarray, d_model: int, base: float, n_hands: int
) -> np.ndarray:
    angles = np.outer(positions, base ** (-2 * np.arange(n_hands) / d_model))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def by_columns(exponent: Callable[[int, int], float], base: float | None = None) -> Callable:
    """Return rows with the given exponents for each column."""
    return rows_by(lambda p, c, d, given: p / float(base or given) ** exponent(c, d))


def by_hands(
    exponents: Callable[[np.ndarray, int], np.ndarray], halves: bool = False, more: float = 0
) -> Callable:
    """Return rows that are computed hand by hand, as in PyTorch code."""

    def table(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        hands = np.arange((d_model + 1) // 2)
        angles = np.outer(positions + more, np.exp(-math.log(base) * exponents(hands, d_model)))
        if halves:
            return np.hstack([np.sin(angles), np.cos(angles)[:, : d_model // 2]])
        both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        return both.reshape(len(positions), -1)[:, :d_model]

    return table


def timing_signal(
    positions: np.ndarray, d_model: int, base: float, first: int = 0, least: int = -9
) -> np.ndarray:
    """Return rows with all sines first, and d/2 - 1 steps from 1 to 1/base (tensor2tensor)."""
    n = d_model // 2
    scales = np.exp(np.arange(n) * -(math.log(base) / np.float64(max(n - 1, least))))
    angles = np.outer(positions + first, scales)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def by_ends_with_last_sine(least: int) -> Callable:
    """Return a solution like ``timing_signal``, with an additional sine for odd widths."""

    def table(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        parts = []
        for n, wave in (((d_model + 1) // 2, np.sin), (d_model // 2, np.cos)):
            scales = base ** -(np.arange(n) / np.float64(max(n - 1, least)))
            parts.append(wave(np.outer(positions, scales)))
        return np.concatenate(parts, axis=1)

    return table


def rows_in_float16(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """Compute rows in half precision, as after ``.half()`` (EleutherAI/gpt-neox#1003)."""
    inverse = (1.0 / base ** (np.arange(0, d_model, 2) / d_model)).astype(np.float16)
    angles = np.outer(positions.astype(np.float16), inverse)
    made = np.zeros((len(positions), d_model), np.float16)
    made[:, 0::2], made[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d_model // 2]
    return made


def mass_encoder(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    """Return rows with wavelengths up to the base (Noble-Lab/casanovo#145)."""
    n_sines, n_cosines = d_model // 2, d_model - d_model // 2
    scale = base / math.tau
    lengths = [scale ** (np.arange(n) / np.float64(n - 1)) for n in (n_sines, n_cosines)]
    angles = [positions[:, None] / length for length in lengths]
    return np.concatenate([np.sin(angles[0]), np.cos(angles[1])], axis=1)


def bfloat16(numbers: np.ndarray) -> np.ndarray:
    """Round to bfloat16, with ties to even."""
    words = np.asarray(numbers, np.float32).view(np.uint32).astype(np.uint64)
    kept = (words + 0x7FFF + (words >> 16 & 1)) & 0xFFFF0000
    return kept.astype(np.uint32).view(np.float32).astype(float)


def float16(numbers: np.ndarray) -> np.ndarray:
    return np.float16(numbers).astype(float)


def exactly(numbers: np.ndarray) -> np.ndarray:
    return numbers


def in_precision(p_as: Callable, w_as: Callable, angle_as: Callable) -> Callable:
    """Compute rows with positions, frequencies and angles in a given type."""

    def table(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
        inverse = w_as(1.0 / base ** (np.arange(0, d_model, 2) / d_model))
        angles = angle_as(np.outer(p_as(positions), inverse))
        made = np.empty((len(positions), d_model))
        made[:, 0::2], made[:, 1::2] = np.sin(angles), np.cos(angles)[:, : d_model // 2]
        return made

    return table


def without(is_empty: Callable[[int, float], bool]) -> Callable:
    return lambda positions, d, base: [
        [0] * d if is_empty(i, p) else row
        for i, (p, row) in enumerate(zip(positions, rows(positions, d, base), strict=True))
    ]


def towers(k: float, d: int) -> tuple[float, float, float]:
    return 2 ** (2 * k / d), 2 ** (k / d), 2**k / d


Reading = Callable[[np.ndarray, float], float]
"""Type of functions that return a position for a row and a base."""


def by_angle(angle: Callable[[np.ndarray], float]) -> Reading:
    """Return an answer that reads a given angle as the slowest hand's angle."""
    return lambda row, base: angle(row) / slowest(row, base)


def atan_of_sine_by_cosine(row: np.ndarray) -> float:
    return math.atan(row[-2] / row[-1])


def with_half_a_turn_below_zero(row: np.ndarray) -> float:
    angle = math.atan2(row[-2], row[-1])
    return angle if angle >= 0 else angle + math.pi


READINGS = (
    ("fastest-hand-read", lambda row, base: math.atan2(row[0], row[1]) % math.tau),
    ("fastest-hand-read", lambda row, base: math.asin(row[0])),
    ("angle-not-unique", by_angle(lambda row: math.asin(row[-2]))),
    ("angle-not-unique", by_angle(lambda row: math.asin(row[-2]) % math.tau)),
    ("angle-not-unique", by_angle(lambda row: math.acos(row[-1]))),
    ("angle-not-unique", by_angle(atan_of_sine_by_cosine)),
    ("angle-not-unique", by_angle(lambda row: atan_of_sine_by_cosine(row) % math.tau)),
    ("angle-negative", by_angle(lambda row: math.atan2(row[-2], row[-1]))),
    ("half-turn-added", by_angle(lambda row: math.atan2(row[-2], row[-1]) + math.pi)),
    ("half-turn-added", by_angle(with_half_a_turn_below_zero)),
    ("angle-for-position", lambda row, base: turned(row)),
    ("arctangent-swapped", by_angle(lambda row: math.atan2(row[-1], row[-2]) % math.tau)),
    ("angle-in-degrees", by_angle(lambda row: math.degrees(turned(row)))),
    ("base-ignored", lambda row, base: turned(row) / slowest(row, 10_000)),
    ("frequency-of-another-hand", lambda row, base: turned(row) * base),
    ("frequency-of-another-hand", lambda row, base: turned(row) * base ** (1 - 1 / len(row))),
    ("exponent-doubled", lambda row, base: turned(row) * base ** (2 - 4 / len(row))),
    ("exponent-halved", lambda row, base: turned(row) * base ** (1 / 2 - 1 / len(row))),
    ("multiplied-by-frequency", lambda row, base: turned(row) * slowest(row, base)),
    (
        "halves-read",
        by_angle(lambda row: math.atan2(row[len(row) // 2 - 1], row[-1]) % math.tau),
    ),
    ("share-of-turn-times-base", lambda row, base: turned(row) / math.tau * base),
)
"""Wrong positions before rounding."""


def rounded(reading: Reading) -> Reading:
    return lambda row, base: round(reading(row, base))


def one_by_one(c: int, d: int) -> float:
    return c / d


def pair_by_pair(c: int, d: int) -> float:
    return (c - c % 2) / d


def tables_with(exponent: Callable[[int, int], float]) -> list[tuple[str, Callable]]:
    """Yield tables with the given exponents and one additional fault."""

    def angle(i: float, c: int, d: int, base: float = 10_000) -> float:
        return i / base ** exponent(c, d)

    def in_halves(n: int, d: int) -> list[list[float]]:
        return [row[::2] + row[1::2] for row in table_by(angle)(n, d)]

    def with_base(base: float) -> Callable:
        return table_by(lambda i, c, d: angle(i, c, d, base))

    bases = (2, math.e, 10, 500, 1_000, 2_000, 5_000, 20_000, 50_000, 100_000, 500_000, 1_000_000)
    return [
        ("sines-everywhere", table_by(angle, math.sin, math.sin)),
        ("sine-cosine-swapped", table_by(angle, math.cos, math.sin)),
        ("positions-from-one", table_by(lambda i, c, d: angle(i + 1, c, d))),
        ("degrees", table_by(lambda i, c, d: math.radians(angle(i, c, d)))),
        ("halves-concatenated", in_halves),
        ("frequencies-multiplied", table_by(lambda i, c, d: i * 10_000 ** exponent(c, d))),
        ("another-exponent", table_by(lambda i, c, d: i / 10_000 ** (2 * exponent(c, d)))),
        ("another-exponent", table_by(lambda i, c, d: i / 100 ** exponent(c, d))),
        *(("another-base", with_base(base)) for base in bases),
    ]


RATIOS = (0.1, 10**-0.5, 0.32, 0.316, 0.3162, 0.31623, 10**-0.25, 0.56, 0.562, 0.5623, 0.56234)
"""Ratios of adjacent columns for widths 4, 8 and 16, exact and rounded."""


def table_with_ratio(ratio: float) -> Callable:
    return table_by(lambda i, c, d: i * ratio**c)


right_table = table_by(lambda i, c, d: right_angle(i, c, d, 10_000))


def timing_table(n_positions: int, d_model: int, least: int) -> np.ndarray:
    spaced = by_hands(lambda k, d: k / np.float64(max(len(k) - 1, least)))
    return spaced(np.arange(n_positions), d_model, 10_000)


WRONG = {
    "row-by-hand": (
        ("degrees", row_with((math.pi / 180, math.pi / 720, math.pi / 2880))),
        *(
            ("another-base", row_with((1, base ** (-1 / 3), base ** (-2 / 3))))
            for base in (6, 100, 10_000)
        ),
        *(("neighbouring-position", row_with((1, 1 / 4, 1 / 16), i)) for i in (11, 13)),
        ("ends-at-base", row_with((1, 1 / 8, 1 / 64))),
        ("pairs-from-one", row_with((1 / 4, 1 / 16, 1 / 64))),
        ("exponent-halved", row_with((1, 1 / 2, 1 / 4))),
        ("exponent-doubled", row_with((1, 1 / 16, 1 / 256))),
        ("frequencies-multiplied", row_with((1, 4, 16))),
        ("sine-cosine-swapped", np.reshape(RIGHT_ROW, (3, 2))[:, ::-1].ravel()),
        ("halves-concatenated", RIGHT_ROW[0::2] + RIGHT_ROW[1::2]),
        *(("too-few-digits", [round(x, digits) for x in RIGHT_ROW]) for digits in (1, 2, 3)),
        ("exponent-is-the-pair", row_with((1, 1 / 64, 1 / 4096))),
        *(  # bkitano/llama-from-scratch#8, and stanford-cs336/assignment1-basics#22
            ("first-exponent-not-zero", row_with(tuple(64 ** -((2 * k + s) / 6) for k in range(3))))
            for s in (-2, -1, 1)
        ),
        ("column-for-pair", row_of_columns([2 * c / 6 for c in range(6)])),
        ("cosine-own-frequency", row_of_columns([c / 6 for c in range(6)])),
        ("one-angle", row_with((1, 1, 1))),
        ("integer-division", row_of_columns([2 * c // 6 for c in range(6)])),  # Kyubyong#81
        ("integer-division", row_of_columns([-(-2 * c // 6) for c in range(6)])),
        *(  # speedyspeech#23
            ("power-tower", row_with(tuple(64 ** -towers(k, 6)[way] for k in range(3))))
            for way in range(3)
        ),
        # tensor2tensor#1423
        ("ends-at-base halves-concatenated", [*np.sin(EIGHTHS), *np.cos(EIGHTHS)]),
        ("whole-turns", row_with((math.tau, math.tau / 4, math.tau / 16))),
        ("sines-everywhere", [math.sin(12 / 4**k) for k in (0, 0, 1, 1, 2, 2)]),
        ("pattern.half-precision", np.float16(RIGHT_ROW)),  # EleutherAI/gpt-neox#1003
    ),
    "sinusoidal-rows": (
        ("base-ignored", lambda p, d, base: rows(p, d, 10_000)),
        ("positions-counted", lambda p, d, base: rows(range(len(p)), d, base)),
        ("positions-cut", lambda p, d, base: rows(p.astype(int), d, base)),
        ("rounded-up-to-even", lambda p, d, b: np.array(rows(p, d + d % 2, b))[:, :d]),
        ("last-sine-missing", rows_without_the_last),
        ("last-column-missing", lambda p, d, b: [row[: d - d % 2] for row in rows(p, d, b)]),
        ("exponent-doubled", rows_by(lambda p, c, d, base: p / base ** (c // 2 * 4 / d))),
        ("exponent-halved", rows_by(lambda p, c, d, base: p / base ** (c // 2 / d))),
        ("integer-division", rows_by(lambda p, c, d, base: p * base ** (-(c // 2) * 2 // d))),
        ("degrees", rows_by(lambda *given: math.radians(right_angle(*given)))),
        ("one-angle", rows_by(lambda p, c, d, base: p)),
        ("sine-cosine-swapped", rows_by(right_angle, math.cos, math.sin)),
        ("sines-everywhere", rows_by(right_angle, math.sin, math.sin)),
        ("halves-concatenated", rows_in_halves),
        ("halves-concatenated", lambda p, d, b: sines_then_cosines(p, d, b, (d + 1) // 2)),
        (
            "halves-concatenated last-column-missing",
            lambda p, d, b: sines_then_cosines(p, d, b, d // 2),
        ),
        ("cosine-own-frequency", rows_by(lambda p, c, d, base: p / base ** (c / d))),
        ("cosine-own-frequency", by_columns(lambda c, d: (c + c % 2) / d)),
        # Kyubyong/transformer#38, jadore801120#32, DeepCTR#379, SamLynnEvans/Transformer#25
        ("column-for-pair", by_columns(lambda c, d: 2 * c / d)),
        ("column-for-pair fixed-base", by_columns(lambda c, d: 2 * c / d, 10_000)),
        ("cosine-own-frequency fixed-base", by_columns(lambda c, d: c / d, 10_000)),
        # maxjcohen/transformer#62
        ("cosine-own-frequency fixed-base", by_columns(lambda c, d: c / d, 1_000)),
        *(
            ("fixed-base", by_columns(lambda c, d: (c - c % 2) / d, base))
            for base in (100, 1_000, 500_000)
        ),
        # hojonathanho/diffusion#15
        ("ends-at-base", by_hands(lambda k, d: k / np.float64(len(k) - 1))),
        ("ends-at-base", by_hands(lambda k, d: k / max(len(k) - 1, 1))),
        ("ends-at-base", by_hands(lambda k, d: k / np.float64(d / 2 - 1))),
        ("ends-at-base halves-concatenated", timing_signal),  # huggingface/blog#2183
        ("ends-at-base halves-concatenated", partial(timing_signal, least=1)),
        ("ends-at-base halves-concatenated", by_ends_with_last_sine(-9)),
        ("ends-at-base halves-concatenated", by_ends_with_last_sine(1)),
        (  # fairseq's sinusoidal_positional_embedding.py
            "ends-at-base halves-concatenated positions-from-two",
            partial(timing_signal, first=2),
        ),
        ("turns-once-in-base halves-concatenated", mass_encoder),
        ("pairs-from-one", by_hands(lambda k, d: 2 * (k + 1) / d)),
        *(
            ("first-exponent-not-zero", by_hands(lambda k, d, s=s: (2 * k + s) / d))
            for s in (-2, -1, 1)
        ),
        ("exponent-is-the-pair", by_hands(lambda k, d: k)),
        *(
            ("power-tower", by_hands(lambda k, d, way=way: towers(k * 1.0, d)[way]))
            for way in range(3)
        ),
        ("frequencies-multiplied", by_hands(lambda k, d: -2 * k / d)),
        ("frequencies-multiplied column-for-pair", by_columns(lambda c, d: -2 * c / d)),
        ("frequencies-multiplied cosine-own-frequency", by_columns(lambda c, d: -c / d)),
        ("positions-from-one", by_hands(lambda k, d: 2 * k / d, more=1)),
        ("positions-from-two", by_hands(lambda k, d: 2 * k / d, more=2)),
        # facebookresearch/detr, position_encoding.py
        ("whole-turns", rows_by(lambda *given: math.tau * right_angle(*given))),
        ("whole-turns", rows_by(lambda *given: right_angle(*given) / math.tau)),
        *(  # huggingface/candle#3520 in bfloat16, EleutherAI/gpt-neox#1003 in float16
            ("angles-in-low-precision", in_precision(*kept))
            for low in (float16, bfloat16)
            for kept in (
                *((low, low, low), (exactly, low, exactly)),
                *((exactly, exactly, low), (low, low, exactly)),
            )
        ),
        ("pattern.half-precision", rows_in_float16),
        ("zeros-for-position-zero", without(lambda i, p: p == 0)),  # jadore801120
        ("zeros-for-position-zero", without(lambda i, p: i == 0)),
        (
            "sine-cosine-swapped halves-concatenated",
            lambda p, d, b: (
                np.hstack([np.array(rows(p, d, b))[:, 1::2], np.array(rows(p, d, b))[:, ::2]])
                if d % 2 == 0
                else None
            ),
        ),
        ("integer-division", by_columns(lambda c, d: 2 * c // d)),
        (  # codertimo/BERT-pytorch#18
            "integer-division",
            rows_by(lambda p, c, d, b: p * math.exp(int((c - c % 2) * -(math.log(b) / d)))),
        ),
        (
            "integer-division",
            rows_by(lambda p, c, d, b: p * math.exp((c - c % 2) * -int(math.log(b) / d))),
        ),
    ),
    "position-from-row": (
        *READINGS,
        *((found, rounded(reading)) for found, reading in READINGS),
        ("position-cut", lambda row, base: int(turned(row) / slowest(row, base))),
    ),
    "strange-table": (
        ("the-right-table", table_by(lambda i, c, d: right_angle(i, c, d, 10_000))),
        *(("another-wrong-table", table) for _, table in tables_with(pair_by_pair)),
        ("another-wrong-table", table_by(lambda i, c, d: i)),
        ("another-wrong-table", table_by(lambda i, c, d: i / 10_000 ** ((c // 2 + 1) * 2 / d))),
        ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c + c % 2) / d))),
        ("another-cosine-frequency", table_by(lambda i, c, d: i / 1e4 ** ((c - c % 2 * 2) / d))),
        ("another-wrong-table", lambda n, d: np.sqrt(d) * np.array(right_table(n, d))),
        ("another-wrong-table", table_by(lambda i, c, d: math.tau * right_angle(i, c, d, 1e4))),
        *(
            ("another-wrong-table", table_by(lambda i, c, d, s=s: i / 1e4 ** ((c - c % 2 + s) / d)))
            for s in (-2, -1, 1)
        ),
        *(
            ("another-wrong-table", table_by(lambda i, c, d, w=w: i / 1e4 ** towers(c // 2, d)[w]))
            for w in range(3)
        ),
        *(
            (
                "another-wrong-table",
                lambda n, d, least=least: timing_table(n, d, least),
            )
            for least in (-9, 1)
        ),
        *tables_with(one_by_one),
        ("last-column-at-base", table_by(lambda i, c, d: i / 10_000 ** (c / (d - 1)))),
        ("axes-swapped", lambda n, d: np.transpose(table_with_ratio(10_000 ** (-1 / d))(n, d))),
        ("integer-division", table_by(lambda i, c, d: i / 10_000 if c else i)),
        *(("ratio-of-one-width", table_with_ratio(ratio)) for ratio in RATIOS),
    ),
}
