"""Wrong answers adapted from public bugs and threads, with their sources."""

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from checks.labs import by_loops, too_long
from numpy.linalg import norm

from course_utils import angular_frequencies, sinusoidal_encoding
from course_utils.encodings import normalized_encoding
from course_utils.labs.tasks import EXERCISES

R = {id: exercise.reference for id, exercise in EXERCISES.items()}


def column(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.tile(np.asarray(numbers, float)[:, None], d_model)


def bits_of(numbers: np.ndarray, d_model: int) -> np.ndarray:
    return np.asarray(numbers)[:, None] >> np.arange(d_model) & 1


def frequencies(d_model: int, base: float = 10_000.0) -> np.ndarray:
    return float(base) ** (-2 * np.arange((d_model + 1) // 2) / d_model)


def interleaved(angles: np.ndarray, d_model: int) -> np.ndarray:
    table = np.zeros((len(angles), d_model))
    table[:, ::2] = np.sin(angles)[:, : (d_model + 1) // 2]
    table[:, 1::2] = np.cos(angles)[:, : d_model // 2]
    return table


def table(n_positions: int, d_model: int, base: float = 10_000.0) -> np.ndarray:
    return interleaved(np.outer(range(n_positions), frequencies(d_model, base)), d_model)


def bfloat16(numbers: np.ndarray) -> np.ndarray:
    mantissas, exponents = np.frexp(np.asarray(numbers, float))
    return np.ldexp(np.round(mantissas * 2**8), exponents - 8)


# Labs 1 to 4 --------------------------------------------------------------------------------------


def exposing(differ: Callable[[np.ndarray, np.ndarray], bool]) -> Callable:
    def calls(attempt: Callable, longest: int, widest: int) -> list[list[bool]]:
        sizes = range(1, longest + 1), range(1, widest + 1)
        return [
            [differ(normalized_encoding(n, d), attempt(n, d)) for d in sizes[1]] for n in sizes[0]
        ]

    return calls


def broadcast(right: np.ndarray, theirs: np.ndarray) -> bool:
    try:
        return not np.allclose(right, theirs)
    except ValueError:
        return True


def asserted(right: np.ndarray, theirs: np.ndarray) -> bool:
    try:
        np.testing.assert_allclose(theirs, right, rtol=1e-7, atol=1e-9)
    except AssertionError:
        return True
    return False


def row_by_row(right: np.ndarray, theirs: np.ndarray) -> bool:
    pairs = zip(right, np.atleast_1d(theirs), strict=False)
    return any(not np.allclose(one, other) for one, other in pairs)


def until_last(last: int) -> Callable[[np.ndarray, float], int]:
    def position(word: np.ndarray, share: float) -> int:
        length = norm(word)
        for i in range(last):
            if length / (length + i * len(word) ** 0.5) < share:
                return i
        return last

    return position


def by_spread(word: np.ndarray, share: float) -> int:
    i = 0
    while i == 0 or word.std() / (word.std() + i) >= share:
        i += 1
    return i


def shifted_in(bits: np.ndarray) -> list[int]:
    positions = []
    for row in bits:
        position = 0
        for bit in row:
            position = position << 1 | int(bit)
        positions.append(position)
    return positions


def as_text(row: np.ndarray) -> str:
    return bin(sum(int(bit) << c for c, bit in enumerate(row)))[2:]


def texts_differ(bits: np.ndarray, distance: int) -> list[int]:
    pairs = ((as_text(bits[i]), as_text(bits[i + distance])) for i in range(len(bits) - distance))
    return [sum(a != b for a, b in zip(one, other, strict=False)) for one, other in pairs]


def strange(n_positions: int, d_model: int, scale: float = 1) -> np.ndarray:
    angles = np.outer(scale * np.arange(n_positions), 10_000.0 ** (-np.arange(d_model) / d_model))
    return np.where(np.arange(d_model) % 2, np.cos(angles), np.sin(angles))


def strange_halves(n_positions: int, d_model: int) -> np.ndarray:
    angles = np.outer(range(n_positions), 10_000.0 ** (-np.arange(d_model // 2) / d_model))
    return np.hstack([np.cos(angles), np.sin(angles)])


def padded(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    half = d_model // 2
    angles = np.outer(positions, np.exp(-math.log(base) * np.arange(half) / max(half, 1)))
    zeros = np.zeros((len(angles), d_model % 2))
    return np.concatenate([np.cos(angles), np.sin(angles), zeros], axis=1)


def rows(positions: np.ndarray, d_model: int, base: float) -> np.ndarray:
    return interleaved(np.outer(positions, frequencies(d_model, base)), d_model)


FACTORS = (
    ("huggingface/diffusers#11958", 1000),
    ("ml-explore/mlx-lm#1553", 2),
    ("NVlabs/tiny-cuda-nn#298", math.pi),
    ("sihyun-yu/REPA#40", 0.001),
)
"""Projects that multiply positions, with their factors."""


def hand(row: np.ndarray) -> float:
    return math.atan2(row[-2], row[-1])


def slowest(row: np.ndarray, base: float) -> float:
    return base ** (2 / len(row) - 1)


def unwrapped(row: np.ndarray, base: float) -> float:
    return np.unwrap(np.arctan2(row[::2], row[1::2]))[-1] / slowest(row, base)


def sines(n_positions: int, d_model: int) -> np.ndarray:
    return sinusoidal_encoding(n_positions, d_model)[:, ::2]


def norms(n_positions: int, d_model: int) -> np.ndarray:
    return np.maximum(norm(sines(n_positions, d_model), axis=1), 1e-9)


def products(offsets: np.ndarray, d_model: int) -> np.ndarray:
    return np.cos(np.outer(offsets, angular_frequencies(d_model))).sum(axis=1)


def wrapped_in_pieces(turn: float) -> float:
    if turn > math.pi:
        return math.tau - turn
    return -math.tau - turn if turn < -math.pi else turn


# Lab 5 --------------------------------------------------------------------------------------------


def nearly_up(least: float) -> Callable[[np.ndarray, float], int]:
    def position(multiples: np.ndarray, step: float) -> int:
        for n in range(1, 20_000):
            if (np.cos(n * multiples * step) > least).all():
                return n
        return 1

    return position


def sums(w: np.ndarray, shortest: int, longest: int) -> list[float]:
    return [float(np.cos(r * w).sum()) for r in range(shortest, longest + 1)]


def first_peak(w: np.ndarray, shortest: int, longest: int) -> int:
    s = sums(w, shortest, longest)
    peaks = [i for i in range(1, len(s) - 1) if s[i - 1] < s[i] > s[i + 1]]
    return shortest + (peaks[0] if peaks else 0)


def first_above(w: np.ndarray, shortest: int, longest: int) -> int:
    for r in range(shortest, longest + 1):
        if np.cos(r * w).mean() > 0.9:
            return r
    return -1


def on_a_parabola(w: np.ndarray, shortest: int, longest: int) -> float:
    s = sums(w, shortest, longest)
    k = int(np.argmax(s))
    if k in (0, len(s) - 1):
        return shortest + k
    a, b, c = s[k - 1 : k + 2]
    return shortest + k + 0.5 * (a - c) / (a - 2 * b + c)


def quarter(n_positions: int, d_model: int, turn: float = math.pi / 2) -> float:
    return ((n_positions - 1) / turn) ** (d_model / (d_model - 2))


def whole_base(n_positions: int, d_model: int) -> int:
    base = 1
    while (n_positions - 1) * base ** (2 / d_model - 1) > math.pi / 2:
        base += 1
    return base


def hands(row: np.ndarray) -> np.ndarray:
    return row[..., 1::2] + 1j * row[..., ::2]


def angles_apart(row: np.ndarray, n_positions: int, base: float) -> np.ndarray:
    turned = np.angle(hands(table(n_positions, len(row), base))) - np.angle(hands(row))
    return abs((turned + math.pi) % math.tau - math.pi)


def normalised(row: np.ndarray, n_positions: int, base: float) -> int:
    pairs = row.reshape(-1, 2) / norm(row.reshape(-1, 2), axis=1, keepdims=True)
    return norm(table(n_positions, len(row), base) - pairs.ravel(), axis=1).argmin()


def voted(row: np.ndarray, n_positions: int, base: float) -> int:
    found = table(n_positions, len(row), base)
    votes = [0] * n_positions
    for c in range(0, len(row), 2):
        votes[int(norm(found[:, c : c + 2] - row[c : c + 2], axis=1).argmin())] += 1
    return votes.index(max(votes))


def near_counted(near: float) -> Callable[[np.ndarray, int, float], int]:
    return lambda row, n, base: (
        np.isclose(table(n, len(row), base), row, rtol=0, atol=near).sum(axis=1).argmax()
    )


def halves_compared(row: np.ndarray, n_positions: int, base: float) -> int:
    found = table(n_positions, len(row), base)
    found = np.concatenate([found[:, 0::2], found[:, 1::2]], axis=1)
    return norm(found - row, axis=1).argmin()


# Lab 6 --------------------------------------------------------------------------------------------


class Rejecting:
    def __init__(self, max_length: int, d_model: int) -> None:
        self.pe = np.array(by_loops(max_length, d_model))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if too_long(x, len(self.pe)):
            raise ValueError
        return self.forward(x)


class NotAssigned(Rejecting):
    def forward(self, x):
        x + self.pe[: x.shape[-2]]
        return x


class Scaled(Rejecting):
    def forward(self, x):
        return x * x.shape[-1] ** 0.5 + self.pe[: x.shape[-2]]


class Multiplied(Rejecting):
    def forward(self, x):
        return x * self.pe[: x.shape[-2]]


class ColonMissing(Rejecting):
    def forward(self, x):
        return x + self.pe[x.shape[-2]]


class LastRow(Rejecting):
    def forward(self, x):
        return x + self.pe[: x.shape[-2]][-1]


class FirstOfBatch(Rejecting):
    def forward(self, x):
        return (x + self.pe[: x.shape[-2]])[:1] if x.ndim == 3 else x + self.pe[: len(x)]


class RowPerSentence(Rejecting):
    def forward(self, x):
        return x + self.pe[: len(x), None] if x.ndim == 3 else x + self.pe[: len(x)]


class BatchForWords(RowPerSentence):
    def __call__(self, x):
        if len(x) > len(self.pe):
            raise ValueError
        return self.forward(x)


class InALoop(Rejecting):
    def forward(self, x):
        if x.ndim == 2:
            return x + self.pe[: len(x)]
        sums = np.zeros(x.shape)
        for i in range(len(x)):
            sums[i] = x[i] + self.pe[i]
        return sums


class FromTheEnd(Rejecting):
    def forward(self, x):
        return x + self.pe[-x.shape[-2] :]


class GoesOn(Rejecting):
    seen = 0

    def forward(self, x):
        first, self.seen = self.seen, self.seen + x.shape[-2]
        return x + np.array(by_loops(self.seen, x.shape[-1]))[first:]


def starting_at(first: int) -> type:
    class Shifted(Rejecting):
        def __init__(self, max_length, d_model):
            self.pe = np.array(by_loops(max_length + first, d_model))[first:]

        def forward(self, x):
            return x + self.pe[: x.shape[-2]]

    return Shifted


def power(matrix: np.ndarray, n: int) -> np.ndarray:
    return np.linalg.matrix_power(matrix, n)


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def looking(scores: np.ndarray, steps: int) -> float:
    able = [i for i in range(len(scores)) if 0 <= i + steps < len(scores)]
    return np.mean([scores[i].argmax() == i + steps for i in able])


def causal(scores: np.ndarray, diagonal: int = 0) -> np.ndarray:
    masked = scores.copy()
    masked[np.triu_indices(len(scores), 1 + diagonal)] = -np.inf
    return masked


def before(attention: np.ndarray, first: int) -> np.ndarray:
    return np.array([attention[i, i - 1] for i in range(first, len(attention))])


def turned(pair: np.ndarray, angle: float) -> np.ndarray:
    point = complex(*pair) * np.exp(1j * np.asarray(angle))
    return np.array([point.real, point.imag])


def in_whole_degrees(key: np.ndarray, steps_back: int, frequency: float) -> list[float]:
    degrees = round(math.degrees(math.atan2(key[1], key[0]) - steps_back * frequency))
    directions = [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]
    return [math.hypot(*key) * each for each in directions]


def scored(query: np.ndarray, key: np.ndarray, n: int, of_query: int = 1, of_key: int = -1):
    positions = np.arange(n)
    return turned(query, of_query * positions).T @ turned(key, of_key * positions)


# Lab 7 --------------------------------------------------------------------------------------------


def halves(x: np.ndarray) -> np.ndarray:
    half = x.shape[1] // 2
    return np.concatenate([-x[:, half:], x[:, :half]], axis=1)


def neighbours(x: np.ndarray) -> np.ndarray:
    swapped = x[:, np.arange(x.shape[1]) ^ 1]
    return swapped * np.where(np.arange(x.shape[1]) % 2, 1, -1)


def listed(x: np.ndarray) -> np.ndarray:
    return np.concatenate([-x[:, 1::2], x[:, 0::2]], axis=1)


def rope(
    x: np.ndarray, positions: object, partner: Callable = neighbours, list_twice: Callable = None
) -> np.ndarray:
    twice = list_twice or (lambda w: np.repeat(w, 2))
    angles = np.broadcast_to(positions, (len(x), 1)) * twice(angular_frequencies(x.shape[1]))
    return x * np.cos(angles) + partner(x) * np.sin(angles)


def tiled(w: np.ndarray) -> np.ndarray:
    return np.concatenate([w, w])


def plus(partner: Callable) -> Callable:
    """Return the partners without the minus."""
    return lambda x: partner(x) * partner(np.ones(x.shape))


def part(x: np.ndarray, positions: np.ndarray, n: int, **otherwise: Callable) -> np.ndarray:
    kept = {"partner": halves, "list_twice": tiled} | otherwise
    return np.hstack([rope(x[:, :n], positions[:, None], **kept), x[:, n:]])


def part_of_a_part(x: np.ndarray, positions: np.ndarray, n: int) -> np.ndarray:
    share = n / x.shape[1]
    columns = int(n * share) // 2 * 2
    return part(x, positions, columns) if columns else x * 1.0


def over_both_halves(x: np.ndarray, positions: np.ndarray, n: int) -> np.ndarray:
    moved, half = x.astype(float), x.shape[1] // 2
    for i, k in product(range(len(x)), range(n // 2)):
        angle = positions[i] * 10_000.0 ** (-2 * k / x.shape[1])
        moved[i, [k, k + half]] = turned(x[i, [k, k + half]], angle)
    return moved


def first_shifted(x: np.ndarray, steps: int) -> np.ndarray:
    moved = x.astype(float)
    for k in range(x.shape[1] // 2):
        columns = [2 * k, 2 * k + 1]
        angle = steps * 10_000.0 ** (-2 * (k - 1) / x.shape[1])
        moved[:, columns] = turned_rows(x[:, columns], angle)
    return moved


def turned_rows(pairs: np.ndarray, angle: float) -> np.ndarray:
    return np.array([turned(pair, angle) for pair in pairs])


def with_base(base: float) -> Callable[[np.ndarray, int], np.ndarray]:
    def moved(x: np.ndarray, steps: int) -> np.ndarray:
        w = base ** (-2 * np.arange(x.shape[1] // 2) / x.shape[1])
        angles = steps * np.repeat(w, 2)
        return x * np.cos(angles) + neighbours(x) * np.sin(angles)

    return moved


def means(bits: np.ndarray, width: int) -> np.ndarray:
    return np.array([bits[i : i + width].mean() for i in range(len(bits) - width + 1)])


def trailing(bits: np.ndarray, width: int, least: int) -> np.ndarray:
    """Return means like pandas' rolling(width, min_periods=least).mean()."""
    ends = range(1, len(bits) + 1)
    return np.array([bits[max(0, e - width) : e].mean() if e >= least else np.nan for e in ends])


def power_below(n: int) -> int:
    return 2 ** math.floor(math.log2(n))


def row(n: int) -> list[float]:
    return [2 ** (-8 * h / n) for h in range(1, n + 1)]


def two_bases(n_heads: int) -> list[float]:
    n = power_below(n_heads)
    m0, m1 = 2 ** (-8 / n), 2 ** (-8 / 2 / n)
    return [m0 ** (h + 1) if h < n else m1 ** (2 * h + 1) for h in range(n_heads)]


def taken_apart(n_heads: int) -> list[float]:
    n = 2 ** math.ceil(math.log2(n_heads))
    return row(n) if n == n_heads else [*row(n)[::2], *row(n)[1::2]][:n_heads]


def heads_from_zero(n_heads: int) -> list[float]:
    n = power_below(n_heads)
    zero = lambda n: [2 ** (-8 * h / n) for h in range(n)]  # noqa: E731
    return zero(n) + zero(2 * n)[::2][: n_heads - n]


def t5(
    r: int,
    n: int,
    most: int,
    both: bool,
    near_of: Callable[[int, int], int] = lambda all_buckets, here: here // 2,
    clamp: Callable[[int], int] = lambda r: max(-r, 0),
    one_more: int = 0,
    last: bool = True,
    quotient: Callable[[int, int], float] = lambda r, near: r / near,
) -> int:
    """Return T5's bucket as in public ports, with one changed step."""
    all_buckets, first = n, 0
    if both:
        n //= 2
        first = n if r > 0 else 0
        r = abs(r)
    else:
        r = clamp(r)
    near = near_of(all_buckets, n)
    if r < near + one_more:
        return first + r
    near += one_more
    steps = math.log(quotient(r, near)) / math.log(most / near) * (n - near)
    far = near + math.floor(round(steps, 9))
    return first + (min(far, n - 1) if last else far)


def deberta(r: int, n: int, most: int, both: bool) -> int:
    mid = n // 2
    if abs(r) <= mid:
        return r
    far = math.ceil(math.log(abs(r) / mid) / math.log((most - 1) / mid) * (mid - 1)) + mid
    return far if r > 0 else -far


def coreference(r: int, n: int, most: int, both: bool) -> int:
    one_side = n // 2 if both else n
    distance = abs(r) if both else max(-r, 0)
    number = distance if distance <= 4 else math.floor(math.log2(distance)) + 3
    return min(number, one_side - 1) + (one_side if both and r > 0 else 0)


BUGS: dict[str, tuple[tuple[str, str, object], ...]] = {
    "repeating-encoding": (
        (
            "falls-within-period",
            "analogdevicesinc/libsmu#74",
            lambda n, d, p: column(1 - np.arange(n) % p / p, d),
        ),
        (
            "falls-within-period",
            "the same with both ends",
            lambda n, d, p: column(1 - np.arange(n) % p / (p - 1), d),
        ),
        (
            "goes-down-again",
            "FastLED/FastLED#1404",
            lambda n, d, p: column(
                2 * np.minimum(np.arange(n) % p / p, 1 - np.arange(n) % p / p), d
            ),
        ),
        (
            "goes-below-zero",
            "scipy/scipy#5015",
            lambda n, d, p: column(2 * (np.arange(n) % p) / p - 1, d),
        ),
        (
            "goes-below-zero",
            "the same with both ends",
            lambda n, d, p: column(2 * (np.arange(n) % p) / (p - 1) - 1, d),
        ),
    ),
    "row-by-hand": (
        *(
            ("positions-multiplied", where, rows(np.array([12 * by]), 6, 64)[0])
            for where, by in FACTORS
            if by != 2
        ),
        (
            "position-in-the-power",
            "stackoverflow.com/questions/46452020",
            [(math.sin if c % 2 else math.cos)((12 / 64) ** (2 * c / 6)) for c in range(6)],
        ),
    ),
    "exchangeable-words": (
        (
            "rows-rounded",
            "np.round before the comparison",
            lambda t: (np.rint(t)[:, None] == np.rint(t)).all(axis=-1),
        ),
        (
            "rows-rounded",
            "np.allclose with large tolerances",
            lambda t: [[np.allclose(a, b, rtol=0.1, atol=0.1) for b in t] for a in t],
        ),
        (
            "numbers-in-any-order",
            "dipy/dipy#236",
            lambda t: [[sorted(a.tolist()) == sorted(b.tolist()) for b in t] for a in t],
        ),
        (
            "integer-division",
            "pmgbergen/porepy#123",
            lambda t: (t.astype(np.int64)[:, None] == t.astype(np.int64)).all(axis=-1),
        ),
        (
            "second-root",
            "PaddlePaddle/FastDeploy#648",
            lambda t: np.isclose(t @ t.T / np.sqrt(norm(t, axis=1)[:, None] * norm(t, axis=1)), 1),
        ),
    ),
    "first-drowned-position": (
        ("spread-for-norm", "scale by std", by_spread),
        *(
            (
                "search-ends-too-soon",
                "a table of 5000 rows, as in KasperGroesLudvigsen/influenza_transformer#9",
                until_last(n),
            )
            for n in (5000, 4999, 1000, 999)
        ),
    ),
    "exposing-calls": (
        (
            "order-ignored",
            "sorted before compared",
            exposing(
                lambda r, t: (
                    r.size != np.size(t) or not np.allclose(sorted(r.ravel()), sorted(np.ravel(t)))
                )
            ),
        ),
        ("stretched-before-compared", "ImperialCollegeLondon/pyrealm#380", exposing(broadcast)),
        ("stretched-before-compared", "numpy/numpy#21578", exposing(asserted)),
        ("other-shape-passes", "zip stops at the shorter", exposing(row_by_row)),
    ),
    "their-shares": (
        (
            "from-minus-one",
            "anibali/dsntnn#22",
            lambda n, d: column((2 * np.arange(n) - (n - 1)) / n, d),
        ),
        (
            "positions-of-ranks",
            "Blom's plotting positions, as in statsmodels",
            lambda n, d: column((np.arange(1, n + 1) - 3 / 8) / (n + 1 / 4), d),
        ),
    ),
    "positions-from-bits": (
        (
            "bytes-filled-from-the-left",
            "Tribler/py-ipv8#912",
            lambda b: [int("".join(map(str, r)).ljust(8, "0"), 2) for r in b.tolist()],
        ),
        ("most-significant-first", "ilanschnell/bitarray#86", shifted_in),
        (
            "eight-bits-alone",
            "numpy/numpy#12962",
            lambda b: np.packbits(b.astype(np.uint8), axis=1, bitorder="little")[:, 0],
        ),
    ),
    "reading-order": (
        (
            "places-for-order",
            "scipy.stats.rankdata",
            lambda b: [1 + sorted(shifted_in(b[:, ::-1])).index(i) for i in shifted_in(b[:, ::-1])],
        ),
        (
            "most-significant-first",
            "rougier/numpy-100#68",
            lambda b: np.unique(b, axis=0, return_index=True)[1],
        ),
        ("bits-sorted", "numpy/numpy#2871", lambda b: np.sort(b, axis=0)),
        ("bits-sorted", "the same in rows", lambda b: [sorted(each) for each in b.tolist()]),
    ),
    "gray-encoding": (
        (
            "compared-with-next-number",
            "HarshCasper/NeoAlgo#5912",
            lambda n, d: bits_of(np.arange(n) ^ np.arange(1, n + 1), d),
        ),
        (
            "exclusive-or-runs-on",
            "makesmatheasy/makesmatheasy#1905",
            lambda n, d: np.cumsum(bits_of(np.arange(n), d), axis=1) % 2,
        ),
    ),
    "flips-at-distance": (
        (
            "odd-or-even",
            "boazbk/tcs#630",
            lambda t, r: np.bitwise_xor.reduce(t[r:] ^ t[: len(t) - r], axis=1),
        ),
        (
            "one-column-skipped",
            "mathnet/mathnet-numerics#220",
            lambda t, r: (t[r:, 1:] != t[: len(t) - r, 1:]).sum(axis=1),
        ),
        (
            "one-column-skipped",
            "the same at the end",
            lambda t, r: (t[r:] != t[: len(t) - r])[:, :-1].sum(axis=1),
        ),
        (
            "counted-in-all",
            "np.count_nonzero without an axis",
            lambda t, r: np.count_nonzero(t[r:] != t[: len(t) - r]),
        ),
        ("written-without-zeros", "LeetCode-Feedback/LeetCode-Feedback#22061", texts_differ),
    ),
    "their-stripes": (
        (
            "right-stripes most-significant-first",
            "Thumuss/truthfy#19",
            lambda n, d: bits_of(np.arange(n), d)[:, ::-1],
        ),
        (
            "right-stripes begins-with-ones",
            "chicolucio/truth-table-generator#1",
            lambda n, d: bits_of(np.arange(n), d) == 0,
        ),
        (
            "stripe-one-too-late",
            "a square wave that compares with >",
            lambda n, d: [[i % (2 * c) > c for c in range(1, d + 1)] for i in range(n)],
        ),
        (
            "multiplied-for-divided",
            "frequencies for widths",
            lambda n, d: np.outer(range(n), range(1, d + 1)) % 2,
        ),
    ),
    "sinusoidal-rows": (
        (
            "ends-at-base halves-concatenated positions-from-two",
            "fairseq, without a division by 0",
            lambda p, d, b: np.hstack(
                [
                    wave(np.outer(p + 2, float(b) ** (-np.arange(d // 2) / max(d // 2 - 1, 1))))
                    for wave in (np.sin, np.cos)
                ]
            ),
        ),
        (
            "positions-multiplied",
            "NVlabs/tiny-cuda-nn#298",
            lambda p, d, b: rows(math.pi * p, d, b),
        ),
        (
            "position-in-the-power",
            "stackoverflow.com/questions/46452020",
            lambda p, d, b: [
                [(math.sin if c % 2 else math.cos)((x / b) ** (2 * c / d)) for c in range(d)]
                for x in p
            ],
        ),
        (
            "position-in-the-power",
            "the same for pairs, sines first",
            lambda p, d, b: [
                [(math.cos if c % 2 else math.sin)((x / b) ** (2 * (c // 2) / d)) for c in range(d)]
                for x in p
            ],
        ),
        (
            "positions-multiplied",
            "huggingface/diffusers#11958",
            lambda p, d, b: rows(1000 * p, d, b),
        ),
        ("positions-multiplied", "ml-explore/mlx-lm#1553", lambda p, d, b: rows(2 * p, d, b)),
        ("positions-multiplied", "sihyun-yu/REPA#40", lambda p, d, b: rows(p / 1000, d, b)),
        (
            "sine-cosine-swapped halves-concatenated zeros-in-last-column",
            "xiaohu2015/nngen#1",
            padded,
        ),
        (
            "one-row-for-all",
            "DiffPoseTalk/DiffPoseTalk#20",
            lambda p, d, b: rows(np.full(len(p), len(p)), d, b),
        ),
        (
            "one-row-for-all",
            "the same with the last position",
            lambda p, d, b: rows(np.full(len(p), p[-1]), d, b),
        ),
    ),
    "position-from-row": (
        (
            "quarter-turn-added",
            "SignalK/signalk-derived-data#217",
            lambda r, b: round((hand(r) + math.pi / 2 * (hand(r) < 0)) / slowest(r, b)),
        ),
        (
            "quarter-turn-added",
            "the same, not rounded",
            lambda r, b: (hand(r) + math.pi / 2 * (hand(r) < 0)) / slowest(r, b),
        ),
        ("turns-counted-across-hands", "numpy.unwrap along the columns", unwrapped),
        ("turns-counted-across-hands", "the same, rounded", lambda r, b: round(unwrapped(r, b))),
        (
            "angle-negative",
            "battlecode/battlecode-server-2017#329",
            lambda r, b: math.fmod(hand(r), math.tau) / slowest(r, b),
        ),
    ),
    "strange-table": (
        ("positions-multiplied", "NVlabs/tiny-cuda-nn#298", lambda n, d: strange(n, d, math.pi)),
        (
            "position-in-the-power",
            "stackoverflow.com/questions/46452020",
            lambda n, d: [
                [(math.cos if c % 2 else math.sin)((i / 1e4) ** (c / d)) for c in range(d)]
                for i in range(n)
            ],
        ),
        (
            "pattern.half-precision",
            "Modalities/modalities#462",
            lambda n, d: bfloat16(strange(n, d)),
        ),
        *(
            ("positions-multiplied", where, lambda n, d, by=by: strange(n, d, by))
            for where, by in (
                ("huggingface/diffusers#11958", 1000),
                ("ml-explore/mlx-lm#1553", 2),
                ("sihyun-yu/REPA#40", 0.001),
            )
        ),
        ("halves-of-first-columns", "xiaohu2015/nngen#1", strange_halves),
        (
            "halves-of-first-columns",
            "the same, sines first",
            lambda n, d: np.hstack(np.split(strange_halves(n, d), 2, axis=1)[::-1]),
        ),
    ),
    "distance-by-offset": (
        (
            "angle-for-distance",
            "an angular distance from 0 to 1",
            lambda r, d: np.arccos(np.clip(2 * products(r, d) / d, -1, 1)) / np.pi,
        ),
        ("one-minus-product", "nmslib/nmslib#536", lambda r, d: 1 - products(r, d)),
        (
            "second-root",
            "PaddlePaddle/FastDeploy#648",
            lambda r, d: np.maximum(d - 2 * products(r, d), 0) ** 0.25,
        ),
    ),
    "offset-between": (
        (
            "pattern.signs",
            "SBG-Systems/sbg_ros2_driver#64",
            lambda a, o, b: round(wrapped_in_pieces(hand(o) - hand(a)) / slowest(a, b)),
        ),
        (
            "direction-lost",
            "j-c-m/Slither.io-bot#23",
            lambda a, o, b: round(
                min(abs(hand(o) - hand(a)), math.tau - abs(hand(o) - hand(a))) / slowest(a, b)
            ),
        ),
    ),
    "strange-products": (
        (
            "divided-by-one-norm",
            "facebookresearch/fastText#791",
            lambda n, d: sines(n, d) @ sines(n, d).T / norms(n, d)[:, None],
        ),
        (
            "divided-by-one-norm",
            "the same, by the other",
            lambda n, d: sines(n, d) @ sines(n, d).T / norms(n, d),
        ),
        (
            "second-root",
            "PaddlePaddle/FastDeploy#648",
            lambda n, d: sines(n, d) @ sines(n, d).T / (norms(n, d)[:, None] * norms(n, d)) ** 0.5,
        ),
        (
            "columns-with-columns",
            "mlfoundations/open_lm#4",
            lambda n, d: np.einsum("ik,il->kl", sines(n, d), sines(n, d)),
        ),
    ),
    "first-return": (
        (
            "periods-rounded-first",
            "hyperperiods of schedulers",
            lambda m, s: math.lcm(*[max(round(math.tau / (k * s)), 1) for k in m.tolist()]),
        ),
        (
            "periods-multiplied",
            "Qalculate/libqalculate#577",
            lambda m, s: math.prod(math.tau / (k * s) for k in m.tolist()),
        ),
        (
            "periods-added",
            "the same, added",
            lambda m, s: sum(math.tau / (k * s) for k in m.tolist()),
        ),
        (
            "right-for-two-hands",
            "a * b // gcd(a, b) for more than two",
            lambda m, s: math.tau / (math.prod(m.tolist()) / math.lcm(*m.tolist()) * s),
        ),
        ("nearly-up-suffices", "a search over whole positions", nearly_up(0.99)),
        ("nearly-up-suffices", "the same, nearer", nearly_up(0.999)),
    ),
    "most-similar-distance": (
        (
            "distance-off-by-one",
            "Katarina-Poole/Spatial-Audio-Metrics#6",
            lambda w, a, z: a - 1 + int(np.argmax(sums(w, a, z))),
        ),
        (
            "distance-off-by-one",
            "the same, later",
            lambda w, a, z: a + 1 + int(np.argmax(sums(w, a, z))),
        ),
        (
            "sums-over-distances",
            "sum(axis=0)",
            lambda w, a, z: (
                a + int(np.argmax([np.cos(np.arange(a, z + 1) * each).sum() for each in w]))
            ),
        ),
        (
            "frequencies-added-first",
            "the cosine of a sum",
            lambda w, a, z: max(range(a, z + 1), key=lambda r: math.cos(r * sum(w))),
        ),
        (
            "cosines-multiplied",
            "prod for sum",
            lambda w, a, z: max(range(a, z + 1), key=lambda r: math.prod(np.cos(r * w))),
        ),
        ("first-peak-for-highest", "scipy.signal.find_peaks(...)[0][0]", first_peak),
        ("first-similar-distance", "cwilso/PitchDetect#23", first_above),
        ("between-two-distances", "librosa/librosa#1425", on_a_parabola),
    ),
    "base-for-quarter-turn": (
        ("width-for-number-of-positions", "ml-explore/mlx-lm#1553", lambda n, d: quarter(d, d)),
        ("half-of-a-quarter", "ml-explore/mlx-lm#1553", lambda n, d: quarter(n, d, math.pi / 4)),
        ("usual-base-multiplied", "vllm-project/vllm#41236", lambda n, d: 10_000 * quarter(n, d)),
        ("whole-base", "Zymrael/vortex#73", lambda n, d: round(quarter(n, d))),
        ("whole-base", "a search over whole bases", whole_base),
        (
            "exponent-of-one-column",
            "an exponent without its last column",
            lambda n, d: ((n - 1) * 2 / math.pi) ** (d / (d - 1)),
        ),
    ),
    "their-frequencies": (
        (
            "logarithm-missing",
            "np.exp with the decimal logarithm",
            lambda d: np.exp(-math.log10(10_000) * np.arange(d // 2) / (d // 2 - 1)),
        ),
        (
            "first-hand-other",
            "tensorflow/tensor2tensor#1923",
            lambda d: 0.5 * 5000 ** (-np.arange(d // 2) / (d // 2 - 1)),
        ),
        (
            "first-hand-other",
            "the same, upside down",
            lambda d: 2 * 10_000 ** (-np.arange(d // 2) / (d // 2 - 1)),
        ),
        (
            "subtracted-from-quotient",
            "parentheses of half_dim - 1",
            lambda d: [math.exp(-k * (math.log(10_000) / (d // 2) - 1)) for k in range(d // 2)],
        ),
        (
            "subtracted-from-quotient",
            "the same, outside",
            lambda d: [math.exp(k * -math.log(10_000) / (d // 2) - 1) for k in range(d // 2)],
        ),
        (
            "halved-from-hand-to-hand",
            "octaves, as for coordinates",
            lambda d: [0.5**k for k in range(d // 2)],
        ),
    ),
    "first-lost-position": (
        (
            "largest-finite-number",
            "huggingface/hub-docs#1425",
            lambda n: float(np.finfo(np.float16).max),
        ),
        ("sign-takes-a-digit", "numpy/numpy#25568", lambda n: (1 << n - 1) - 1),
        (
            "one-digit-more all-digits-one",
            "JuliaMath/BFloat16s.jl#60",
            lambda n: sum(1 << k for k in range(n + 1)),
        ),
        ("still-there", "JuliaMath/BFloat16s.jl#60", lambda n: 1 << n),
    ),
    "position-from-noisy-row": (
        (
            "slowest-hand-alone",
            "np.searchsorted in the last sines",
            lambda r, n, b: np.searchsorted(table(n, len(r), b)[:, -2], r[-2]),
        ),
        (
            "positions-beyond",
            "a table of 5000 rows",
            lambda r, n, b: int(norm(table(5000, len(r), b) - r, axis=1).argmin()),
        ),
        (
            "sign-of-product-lost",
            "chroma-core/chroma#1269",
            lambda r, n, b: abs(table(n, len(r), b) @ r).argmax(),
        ),
        ("hands-normalised-first", "each hand to length 1", normalised),
        (
            "angles-compared",
            "angles of all hands",
            lambda r, n, b: angles_apart(r, n, b).mean(axis=1).argmin(),
        ),
        (
            "angles-compared",
            "the same, squared",
            lambda r, n, b: norm(angles_apart(r, n, b), axis=1).argmin(),
        ),
        ("hands-vote", "a vote of the hands", voted),
        *(
            ("near-numbers-counted", "numpy/numpy#9988", near_counted(near))
            for near in (0.1, 0.15, 0.2)
        ),
        ("row-read-in-halves", "tensor2tensor's layout", halves_compared),
    ),
    "positional-encoding": (
        ("row-of-the-sentence", "a loop over the first axis", InALoop),
        ("last-rows-added", "table[-n:]", FromTheEnd),
        ("nothing-added", "Lightning-AI/pytorch-lightning#19138", NotAssigned),
        ("words-scaled", "SamLynnEvans/Transformer", Scaled),
        ("multiplied-for-added", "* for +", Multiplied),
        ("one-row-for-all", "DiffPoseTalk/DiffPoseTalk#20", ColonMissing),
        ("one-row-for-all", "the same, with the last row", LastRow),
        ("positions-from-two", "an offset of 2, as for padding", starting_at(2)),
        ("positions-from-one", "an offset of 1", starting_at(1)),
        ("row-of-the-sentence", "NeuracoreAI/neuracore#154", RowPerSentence),
        (
            "missing-batch-axis row-of-the-sentence",
            "KasperGroesLudvigsen/influenza_transformer#9",
            BatchForWords,
        ),
        ("positions-go-on", "self.offset += n", GoesOn),
        ("first-sentence-only", "tatp22/multidim-positional-encoding#2", FirstOfBatch),
    ),
    "look-forward-weights": (
        ("entries-inverted", "numpy/numpy#7893", lambda k, s: power(k, s) ** -1.0),
        (
            "two-steps-more",
            "the look back undone first",
            lambda k, s: power(np.linalg.inv(k), s + 2),
        ),
        ("flipped-for-inverse", "np.flipud", lambda k, s: power(np.flipud(k), s)),
        ("flipped-for-inverse", "np.fliplr", lambda k, s: power(np.fliplr(k), s)),
        ("flipped-for-inverse", "np.flip", lambda k, s: power(np.flip(k), s)),
        (
            "angles-of-entries",
            "arccos of each number",
            lambda k, s: np.cos(np.arccos(np.clip(k.T, -1, 1)) * s),
        ),
        *(
            ("weights-rolled", "np.roll", lambda k, s, a=a, by=by: np.roll(k, by * s, axis=a))
            for a, by in ((0, 1), (1, 1), (0, -1))
        ),
        ("still-looks-back", "recp/cglm#1", lambda k, s: power(np.linalg.inv(k).T, s)),
    ),
    "share-looking-at": (
        (
            "smallest-for-largest",
            "argmin for argmax",
            lambda x, r: np.mean(
                [x[i].argmin() == i + r for i in range(len(x)) if 0 <= i + r < len(x)]
            ),
        ),
        (
            "weights-averaged",
            "TransformerLensOrg/TransformerLens#235",
            lambda x, r: softmax(x).diagonal(r).mean(),
        ),
        (
            "more-than-half-sought",
            "Sudharsanselvaraj/Token-Print#16",
            lambda x, r: np.mean(np.diag(softmax(x), r) > 1 / 2),
        ),
        ("zeros-for-mask", "a mask that multiplies", lambda x, r: looking(x * np.tri(len(x)), r)),
        ("later-keys-masked", "a causal mask", lambda x, r: looking(causal(x), r)),
        (
            "own-key-masked",
            "TransformerLensOrg/TransformerLens#284",
            lambda x, r: looking(causal(x, -1), r),
        ),
        (
            "one-maximum-for-all",
            "argmax without an axis",
            lambda x, r: np.mean(np.diag(x, r) == np.max(x)),
        ),
        (
            "share-of-scores",
            "TransformerLensOrg/TransformerLens#255",
            lambda x, r: (x * np.eye(len(x), k=r)).sum() / x.sum(),
        ),
    ),
    "share-before": (
        (
            "later-weights-removed",
            "abisee/pointer-generator#88",
            lambda a, f: np.mean([a[i, i - 1] / a[i, : i + 1].sum() for i in range(f, len(a))]),
        ),
        (
            "first-position-looked-at",
            "attention sinks",
            lambda a, f: np.mean([row[0] for row in a[f:]]),
        ),
        (
            "offset-first-for-one",
            "TransformerLensOrg/TransformerLens#235",
            lambda a, f: a[f:].diagonal().mean(),
        ),
        (
            "shared-out-anew",
            "normalised over earlier keys",
            lambda a, f: np.mean([a[i, i - 1] / a[i, :i].sum() for i in range(f, len(a))]),
        ),
        ("other-than-mean-weight", "np.median", lambda a, f: np.median(before(a, f))),
        ("other-than-mean-weight", "max", lambda a, f: max(before(a, f))),
        ("all-entries-averaged", "goodfire-ai/spd#450", lambda a, f: np.tril(a, -1)[f:].mean()),
        ("all-entries-averaged", "the same without a mask", lambda a, f: a[f:].mean()),
    ),
    "query-looking-back": (
        ("turned-twice", "ml-explore/mlx-lm#1553", lambda k, s, w: turned(k, -2 * s * w)),
        (
            "frequency-in-turns",
            "a frequency in hertz",
            lambda k, s, w: turned(k, -2 * math.pi * s * w),
        ),
        (
            "angle-rounded",
            "EleutherAI/gpt-neox#1003",
            lambda k, s, w: turned(k, -float(np.float16(s * w))),
        ),
        (
            "angle-rounded",
            "whole degrees",
            lambda k, s, w: turned(k, -math.radians(round(math.degrees(s * w)))),
        ),
        ("direction-in-whole-degrees", "a search over 360 directions", in_whole_degrees),
        ("pattern.input-returned", "Blaizzy/mlx-vlm#1983", lambda k, s, w: turned(k, 0 * s * w)),
    ),
    "their-scores": (
        ("turned-twice", "NeuraLegion/shainet#110", lambda q, k, n: scored(q, k, n, 1, -2)),
        ("turned-twice", "both turned twice", lambda q, k, n: scored(q, k, n, 2, -2)),
        ("turned-twice", "the same, one way", lambda q, k, n: scored(q, k, n, 2, 2)),
        (
            "conjugate-missing",
            "a complex product without conjugate",
            lambda q, k, n: np.real(
                np.outer(
                    complex(*q) * np.exp(1j * np.arange(n)), complex(*k) * np.exp(1j * np.arange(n))
                )
            ),
        ),
        ("later-keys-removed", "octo-models/octo#75", lambda q, k, n: scored(q, k, n) * np.tri(n)),
        ("softmax-applied", "weights for scores", lambda q, k, n: softmax(scored(q, k, n))),
    ),
    "move-keys": (
        (
            "angles-in-low-precision",
            "Modalities/modalities#462",
            lambda x, s: rope(x, s, list_twice=lambda w: np.repeat(bfloat16(w), 2)),
        ),
        (
            "angles-in-low-precision",
            "the same in float16",
            lambda x, s: rope(x, s, list_twice=lambda w: np.repeat(np.float64(np.float16(w)), 2)),
        ),
        (
            "both-signs-alike",
            "a rotate_half without its minus",
            lambda x, s: rope(x, s, plus(neighbours)),
        ),
        ("turned-twice", "ml-explore/mlx-lm#1553", lambda x, s: rope(rope(x, s), s)),
        ("another-base", "Llama 3's base", with_base(500_000)),
        ("first-exponent-not-zero", "bkitano/llama-from-scratch#8", first_shifted),
        ("layouts-mixed", "facebookresearch/vjepa2#15", lambda x, s: rope(x, s, neighbours, tiled)),
        ("layouts-mixed", "raiyanyahya/how-to-train-your-gpt#6", lambda x, s: rope(x, s, halves)),
        ("layouts-mixed", "naver/croco#3", lambda x, s: rope(x, s, listed)),
        ("layouts-mixed", "Tongjilibo/bert4torch#1", lambda x, s: rope(x, s, listed, tiled)),
        ("rows-rolled", "np.roll", lambda x, s: np.roll(x, s, axis=0)),
        ("rows-rolled", "np.roll, backwards", lambda x, s: np.roll(x, -s, axis=0)),
        ("halves-for-neighbours", "vllm-project/vllm#941", lambda x, s: rope(x, s, halves, tiled)),
    ),
    "rotate-part": (
        ("first-position-for-all", "jundot/omlx#2363", lambda x, p, n: part(x, 0 * p + p[0], n)),
        (
            "one-position-further",
            "fla-org/flash-linear-attention#766",
            lambda x, p, n: part(x, p + 1, n),
        ),
        (
            "rows-for-positions",
            "NVIDIA/Megatron-LM#453",
            lambda x, p, n: part(x, np.arange(len(x)), n),
        ),
        (
            "both-signs-alike",
            "a rotate_half without its minus",
            lambda x, p, n: part(x, p, n, partner=plus(halves)),
        ),
        ("turned-twice", "ml-explore/mlx-lm#1553", lambda x, p, n: part(x, 2 * p, n)),
        (
            "layouts-mixed",
            "raiyanyahya/how-to-train-your-gpt#6",
            lambda x, p, n: part(x, p, n, list_twice=None),
        ),
        (
            "layouts-mixed",
            "facebookresearch/vjepa2#15",
            lambda x, p, n: part(x, p, n, partner=neighbours),
        ),
        ("pairs-for-columns", "n_turned pairs", lambda x, p, n: part(x, p, min(2 * n, x.shape[1]))),
        ("share-taken-twice", "vllm-project/vllm#30384", part_of_a_part),
        ("partner-in-other-half frequencies-of-all", "pie-project/pie#602", over_both_halves),
        (
            "rest-changed",
            "the rest added twice",
            lambda x, p, n: np.hstack([part(x, p, n)[:, :n], 2 * x[:, n:]]),
        ),
        ("all-columns-turned", "vllm-project/vllm#43770", lambda x, p, n: part(x, p, x.shape[1])),
    ),
    "surprise-along": (
        (
            "exponential-of-difference",
            "exp(nll) / exp(nll)",
            lambda b, n, w: np.exp(means(b, w)) / math.exp(b[: n - 1].mean()),
        ),
        (
            "perplexities-compared",
            "2 ** bits",
            lambda b, n, w: 2 ** (means(b, w) - b[: n - 1].mean()),
        ),
        (
            "perplexities-compared",
            "perplexities averaged",
            lambda b, n, w: means(2.0**b, w) / np.mean(2.0 ** b[: n - 1]),
        ),
        ("integer-division", "// for /", lambda b, n, w: means(b, w) // b[: n - 1].mean()),
        (
            "integer-division",
            "whole means",
            lambda b, n, w: [
                sum(b[i : i + w]) // w / b[: n - 1].mean() for i in range(len(b) - w + 1)
            ],
        ),
        (
            "shorter-stretches-first",
            "rolling(min_periods=1)",
            lambda b, n, w: trailing(b, w, 1) / b[: n - 1].mean(),
        ),
        (
            "nan-at-the-beginning",
            "rolling(w)",
            lambda b, n, w: trailing(b, w, w) / b[: n - 1].mean(),
        ),
        (
            "divided-by-one-too-few",
            "icbi-lab/infercnvpy#51",
            lambda b, n, w: means(b, w) * w / max(w - 1, 1) / b[: n - 1].mean(),
        ),
        (
            "pattern.repair-extra",
            "arogozhnikov/arogozhnikov.github.io#5",
            lambda b, n, w: means(b, w)[:-1] / b[: n - 1].mean(),
        ),
    ),
    "slopes-for-any-heads": (
        ("heads-from-zero", "paiml/aprender#2143", heads_from_zero),
        ("eight-over-head", "8 / h", lambda n: [2 ** (-8 / h) for h in range(1, n + 1)]),
        (
            "eight-over-head",
            "8 / (h + 1)",
            lambda n: [2 ** (-8 / (h + 1)) for h in range(1, n + 1)],
        ),
        ("odd-heads-first", "mosaicml/examples#307", taken_apart),
        ("second-row-runs-on", "EricLBuehler/mistral.rs#1382", two_bases),
    ),
    "bucket-of-offset": (
        (
            "quotient-rounded-down",
            "// for /",
            lambda *given: t5(*given, quotient=lambda r, near: r // near),
        ),
        ("always-both-ways", "CPM-Ant and MB-STR", lambda r, n, m, both: t5(r, n, m, True)),
        (
            "never-both-ways",
            "a port of the decoder alone",
            lambda r, n, m, both: t5(r, n, m, False),
        ),
        (
            "ways-exchanged",
            "huggingface/transformers#8518",
            lambda r, n, m, both: t5(r, n, m, not both),
        ),
        (
            "negative-distance",
            "no max(-r, 0)",
            lambda r, n, m, both: t5(r, n, m, both, clamp=lambda r: -r),
        ),
        (
            "near-before-halving",
            "max_exact before num_buckets //= 2",
            lambda *given: t5(*given, near_of=lambda every, here: every // 2),
        ),
        ("one-near-bucket-more", "is_small with <=", lambda *given: t5(*given, one_more=1)),
        ("powers-of-two-for-logarithm", "buckets for coreference", coreference),
        (
            "clipped-offset",
            "Shaw et al.",
            lambda r, n, m, both: max(-(n // 2), min(r, n // 2)) + n // 2,
        ),
        (
            "clipped-offset",
            "the same up to max_distance",
            lambda r, n, m, both: max(-m, min(r, m)) + m,
        ),
        ("sign-for-side", "huggingface/transformers#32620", deberta),
        ("no-last-bucket", "huggingface/candle#1312", lambda *given: t5(*given, last=False)),
    ),
    "broken-rope": (
        (
            "one-position-further",
            "fla-org/flash-linear-attention#766",
            lambda x, p: rope(x, p[:, None] + 1, neighbours, tiled),
        ),
        ("partners-written-in-halves", "naver/croco#3", lambda x, p: rope(x, p[:, None], listed)),
        (
            "partners-written-in-halves",
            "Tongjilibo/bert4torch#1",
            lambda x, p: rope(x, p[:, None], listed, tiled),
        ),
        (
            "written-in-halves",
            "vllm-project/vllm-metal#44",
            lambda x, p: rope(x, p[:, None])[:, np.arange(x.shape[1]).reshape(-1, 2).T.ravel()],
        ),
        (
            "rows-for-positions",
            "Blaizzy/mlx-vlm#1983",
            lambda x, p: rope(x, np.arange(len(x))[:, None], neighbours, tiled),
        ),
        (
            "both-signs-alike",
            "a rotate_half without its minus",
            lambda x, p: rope(x, p[:, None], plus(neighbours), tiled),
        ),
        (
            "turned-twice",
            "ml-explore/mlx-lm#1553",
            lambda x, p: rope(x, 2 * p[:, None], neighbours, tiled),
        ),
    ),
}
"""Mistakes, sources and answers for each exercise."""

WRONG = {id: tuple((found, answer) for found, _, answer in bugs) for id, bugs in BUGS.items()}
