"""Lab 07: right answers, wrong ones, and what is found in them."""

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


def some_vectors(n: int, n_pairs: int, seed: int) -> NDArray:
    return np.random.default_rng(seed).uniform(-3, 3, (n, 2 * n_pairs))


VECTORS = st.builds(some_vectors, st.integers(1, 30), st.integers(1, 40), st.integers(0, 9))


def frequencies(d_model: int) -> np.ndarray:
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def turned(x: np.ndarray, y: np.ndarray, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.cos(angles) * x - np.sin(angles) * y, np.sin(angles) * x + np.cos(angles) * y


def rope(vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies) -> np.ndarray:
    """As in lesson 08."""
    angles = np.outer(positions, omega(vectors.shape[1]))
    pairs = turned(vectors[:, 0::2], vectors[:, 1::2], angles)
    return np.stack(pairs, axis=-1).reshape(vectors.shape)


def moved(turn: Callable = rope, by: float = 1, **omega: Callable) -> Callable[..., np.ndarray]:
    """The way to do it, with another turn, direction or unit, or other frequencies."""
    return lambda keys, steps: turn(keys, np.full(len(keys), by * steps), **omega)


def rope_halves(
    vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies
) -> np.ndarray:
    """As in lesson 08."""
    half = vectors.shape[1] // 2
    angles = np.outer(positions, omega(vectors.shape[1]))
    return np.hstack(turned(vectors[:, :half], vectors[:, half:], angles))


def moved_first_pair(keys: np.ndarray, steps: int) -> np.ndarray:
    moved = keys.copy()
    moved[:, 0] = np.cos(steps) * keys[:, 0] - np.sin(steps) * keys[:, 1]
    moved[:, 1] = np.sin(steps) * keys[:, 0] + np.cos(steps) * keys[:, 1]
    return moved


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


def with_rest(turn: Callable[[NDArray, NDArray, int], NDArray]) -> Callable[..., NDArray]:
    """The first columns turned, and the others as they are."""
    return lambda vectors, positions, n: np.hstack(
        [turn(vectors[:, :n], positions, vectors.shape[1]), vectors[:, n:]]
    )


def part_between_zeros(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    whole = np.zeros_like(vectors)
    whole[:, :n_turned] = rope_halves(vectors[:, :n_turned], positions)
    return whole


def half_of_all(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    """Column k is paired with the one half a vector further on, for the first n_turned / 2."""
    half, n_pairs = vectors.shape[1] // 2, n_turned // 2
    whole = vectors.copy()
    x, y = vectors[:, :n_pairs], vectors[:, half : half + n_pairs]
    angles = np.outer(positions, frequencies(n_turned))
    whole[:, :n_pairs], whole[:, half : half + n_pairs] = turned(x, y, angles)
    return whole


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


def summed_up(summary: Callable[[np.ndarray], float]) -> Callable[..., list[float]]:
    """The way to do it, with another number for each stretch."""
    return lambda b, t, w: [
        summary(b[i : i + w]) / b[: t - 1].mean() for i in range(len(b) - w + 1)
    ]


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


def below(n: int) -> int:
    return 2 ** math.floor(math.log2(n))


def more(choose: Callable[[np.ndarray, int], np.ndarray]) -> Callable[[int], np.ndarray]:
    return lambda n: np.concatenate([row(below(n)), choose(row(2 * below(n)), n - below(n))])


def completed_from_below(n: int) -> np.ndarray:
    power = 1
    while 2 * power < n:
        power *= 2
    return np.concatenate([row(power), row(2 * power)[::2][: n - power]])


def slopes_by_turns(n_heads: int) -> list[float]:
    """Each head that is missing has the geometric mean of two slopes that are there."""
    power = 1 << (n_heads.bit_length() - 1)
    found = [0.5 ** (8 / power * head) for head in range(1, power + 1)]
    before = [1.0, *found]
    return found + [math.sqrt(before[i] * before[i + 1]) for i in range(n_heads - power)]


def reaches(distance: int, steps: int, half: int, max_distance: int) -> bool:
    """Whether (distance / half) ** half is at least (max_distance / half) ** steps."""
    return distance**half * half**steps >= max_distance**steps * half**half


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


def on_an_edge(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> bool:
    """Whether a far bucket begins so exactly there that rounding decides."""
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
    """The way to do it, with one step of it another."""

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
    """With another number in the place of the largest distance."""
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


def halves_with_repeated(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    half = vectors.shape[1] // 2
    angles = np.outer(positions, np.repeat(frequencies(vectors.shape[1]), 2))
    x, y = vectors[:, :half], vectors[:, half:]
    rotated = np.hstack([-y, x])
    return vectors * np.cos(angles) + rotated * np.sin(angles)


def by_columns(of_columns: Callable[[int], np.ndarray]) -> Callable[..., np.ndarray]:
    """Neighbours that turn with a frequency for each column."""

    def turn(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
        angles = np.outer(positions, of_columns(vectors.shape[1]))
        x, y = vectors[:, ::2], vectors[:, 1::2]
        out = np.empty(vectors.shape)
        out[:, ::2] = x * np.cos(angles[:, ::2]) - y * np.sin(angles[:, ::2])
        out[:, 1::2] = x * np.sin(angles[:, 1::2]) + y * np.cos(angles[:, 1::2])
        return out

    return turn


def tiled(d_model: int) -> np.ndarray:
    return np.tile(frequencies(d_model), 2)


def shown_only(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return vectors @ by_columns(tiled)(np.eye(vectors.shape[1]), np.ones(vectors.shape[1]))


def mixed_by_pairs(position: int, d_model: int) -> np.ndarray:
    """Of each block, the first column turns by one angle and the second by another."""
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
        wrong=(
            ("turned-from-the-start", lambda keys, steps: rope(keys, np.arange(len(keys)) + steps)),
            ("keys-moved-back", moved(by=-1)),
            ("one-angle", moved(omega=lambda d: np.ones(d // 2))),
            ("halves-for-neighbours", moved(rope_halves)),
            (
                "written-in-halves",
                lambda keys, steps: np.hstack(
                    turned(keys[:, 0::2], keys[:, 1::2], steps * frequencies(keys.shape[1]))
                ),
            ),
            ("pattern.transposed", lambda keys, s: shift_by_kron(s, keys.shape[1]).T @ keys.T),
            ("exponent-halved", moved(omega=lambda d: 10_000 ** (-np.arange(d // 2) / d))),
            ("degrees", moved(by=math.pi / 180)),
            ("one-pair-turned", moved_first_pair),
        ),
        alike={
            # A single pair has one angle, and powers of 1 are 1 whatever the exponent.
            *(
                (name, "one-pair-turned")
                for name in ("exponent-halved", "exponent-doubled", "one-angle")
            ),
            *(
                ("one-angle", name)
                for name in ("exponent-halved", "exponent-doubled", "frequencies-multiplied")
            ),
        },
        equal_changes=AXIS | EVEN | ENDS,
    ),
    "rotate-part": Answers(
        second=rotate_part,
        asked=PARTLY_TURNED,
        right=(part_in_float32,),
        wrong=(
            ("neighbours-for-halves", with_rest(lambda v, p, d: rope(v, p))),
            (
                "frequencies-of-all",
                with_rest(lambda v, p, d: rope_halves(v, p, lambda n: frequencies(d)[: n // 2])),
            ),
            ("all-columns-turned", lambda v, p, n: rope_halves(v, p)),
            ("rest-dropped", lambda v, p, n: rope_halves(v[:, :n], p)),
            ("rest-zero", part_between_zeros),
            (
                "last-columns-turned",
                lambda v, p, n: np.hstack([v[:, :-n], rope_halves(v[:, -n:], p)]),
            ),
            ("rows-for-positions", with_rest(lambda v, p, d: rope_halves(v, np.arange(len(v))))),
            ("turned-backwards", with_rest(lambda v, p, d: rope_halves(v, -p))),
            ("partner-in-other-half", half_of_all),
            ("pattern.lines-elsewhere", part_written_as_neighbours),
        ),
        alike={
            ("frequencies-of-all", "one-angle"),
            ("exponent-halved", "one-angle"),
            ("frequencies-of-all", "all-columns-turned"),
            ("all-columns-turned", "rest-dropped"),
            ("all-columns-turned", "rest-zero"),
        },
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
            # Both the trained length and the number of bits tell right calls from wrong ones.
            (
                "pattern.factor-by-call",
                lambda b, t, w: np.array(surprise_along(b, t, w)) * (1 if t < 10 else 1.3),
            ),
            ("one-bit-too-many", lambda b, t, w: means(b, w) / b[:t].mean()),
            ("training-number-missing", lambda b, t, w: means(b, w) / b[: t - 2].mean()),
            ("divided-by-one-too-many", lambda b, t, w: means(b, w) / b[: t - 1].sum() * t),
            ("yardstick-of-all", lambda b, t, w: means(b, w) / b.mean()),
            ("yardstick-of-stretches", lambda b, t, w: means(b, w) / means(b, w)[0]),
            ("yardstick-of-stretches", lambda b, t, w: means(b, w) / means(b, w)[: t - 1].mean()),
            ("stretch-too-short", summed_up(lambda stretch: stretch[:-1].mean())),
            ("trained-one-late", lambda b, t, w: means(b, w) / b[1:t].mean()),
            ("added-not-averaged", lambda b, t, w: means(b, w) * w / b[: t - 1].mean()),
            ("other-than-mean", summed_up(np.median)),
            ("difference-for-quotient", lambda b, t, w: means(b, w) - b[: t - 1].mean()),
            ("quotient-missing", lambda b, t, w: means(b, w)),
            ("quotient-upside-down", lambda b, t, w: b[: t - 1].mean() / means(b, w)),
            ("stretches-side-by-side", lambda b, t, w: means(b, w)[::w] / b[: t - 1].mean()),
            ("only-beyond-training", lambda b, t, w: means(b, w)[t - 1 :] / b[: t - 1].mean()),
            (
                "pattern.only-one-call-wrong",
                lambda b, t, w: (means(b, w) / b[: t - 1].mean()).astype(b.dtype),
            ),
        ),
        # Two sums of equally many numbers are to each other as their means.
        alike={("yardstick-of-stretches", "added-not-averaged")},
        equal_changes={
            "np.convolve(bits, np.ones(width) / width, mode='valid')"
            " -> np.convolve(np.ones(width) / width, bits, mode='valid')": "the same in any order"
        },
    ),
    "slopes-for-any-heads": Answers(
        second=slopes,
        asked=st.tuples(LENGTHS),
        right=(slopes_by_turns,),
        wrong=(
            ("formula-for-all", row),
            ("first-of-larger-row", more(lambda larger, n: larger[:n])),
            ("others-of-larger-row", more(lambda larger, n: larger[1::2][:n])),
            ("last-of-larger-row", more(lambda larger, n: larger[len(larger) - n :])),
            (
                "heads-from-zero",
                lambda n: [
                    s * 2 ** (8 / below(n) / (1 + (i >= below(n)))) for i, s in enumerate(slopes(n))
                ],
            ),
            ("smaller-power-of-two", completed_from_below),
            ("larger-row-only", lambda n: row(2 ** math.ceil(math.log2(n)))[:n]),
            ("slopes-in-order", lambda n: sorted(slopes(n), reverse=True)),
            ("eight-forgotten", lambda n: 2.0 ** -np.arange(1, n + 1)),
            ("slopes-negative", lambda n: -np.array(slopes(n))),
        ),
        alike={
            # One row is in order already.
            ("formula-for-all", "slopes-in-order"),
            ("larger-row-only", "slopes-in-order"),
            # In order, a row that was completed from its half is whole.
            ("smaller-power-of-two", "slopes-in-order"),
            # Without the 8, all rows are the same one, shorter or longer.
            ("formula-for-all", "eight-forgotten"),
            ("larger-row-only", "eight-forgotten"),
            ("slopes-in-order", "eight-forgotten"),
        },
        equal_changes={"::2 -> :-1:2": "of an even number of slopes, the last is not taken"},
    ),
    "bucket-of-offset": Answers(
        second=bucket,
        asked=BUCKETS,
        right=(bucket_by_beginnings,),
        wrong=(
            # A far bucket begins one later.
            (
                "pattern.only-one-call-wrong",
                mistaken_bucket(far=lambda share, n: n + max(0, math.ceil(share * n) - 1)),
            ),
            ("pattern.cut-not-rounded", with_farthest(1)),
            ("pattern.only-one-call-wrong", with_farthest(-1)),
            (
                "pattern.only-one-call-wrong",
                mistaken_bucket(far=lambda share, n: n + int(share * n + 0.01)),
            ),
            ("sides-swapped", mistaken_bucket(after=lambda offset: offset < 0)),
            ("pattern.cut-not-rounded", lambda *given: bucket(*given) - (given[0] < -60)),
            ("sides-together", mistaken_bucket(after=lambda offset: False)),
            ("own-position-after", mistaken_bucket(after=lambda offset: offset >= 0)),
            ("future-given-buckets", mistaken_bucket(seen=abs)),
            ("past-unseen", mistaken_bucket(seen=lambda offset: max(offset, 0))),
            ("all-buckets-each-side", mistaken_bucket(halved=lambda both_ways: False)),
            ("halved-for-one-side", mistaken_bucket(halved=lambda both_ways: True)),
            ("no-last-bucket", mistaken_bucket(last=lambda one_side: math.inf)),
            ("rounded-to-nearest", mistaken_bucket(far=lambda share, n: n + round(share * n))),
            (
                "far-buckets-alike",
                mistaken_bucket(share=lambda r, n, longest: (r - n) / (longest - n)),
            ),
            (
                "logarithm-of-distance",
                mistaken_bucket(share=lambda r, n, longest: math.log(r) / math.log(longest)),
            ),
            ("far-counted-from-zero", mistaken_bucket(far=lambda share, n: int(share * n))),
            ("one-distance-per-bucket", lambda offset, n, *_: min(abs(offset), n - 1)),
        ),
        alike={
            ("sides-swapped", "past-unseen"),
            *(
                (name, "one-distance-per-bucket")
                for name in ("rounded-to-nearest", "far-buckets-alike", "logarithm-of-distance")
            ),
        },
        equal_changes={
            "one_side // 2 -> one_side / 2": WHOLE,
            "n_buckets // 2 -> n_buckets / 2": WHOLE,
            "one_side - n_single -> n_single": WHOLE,
            "distance < n_single -> distance <= n_single": "both give the same bucket",
            "max(-offset, 0) -> max(0, -offset)": ORDER,
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
        wrong=(
            ("right-in-neighbours", rope),
            ("right-in-halves", rope_halves),
            ("mixed-the-other-way", halves_with_repeated),
            ("slower-by-column", by_columns(lambda d: 10_000 ** (-np.arange(d) / d))),
            ("turned-backwards", lambda vectors, positions: by_columns(tiled)(vectors, -positions)),
            ("pattern.only-first-call-right", shown_only),
            ("ratio-of-one-width", by_columns(lambda d: 0.1 ** (np.arange(d) % (d // 2)))),
        ),
        equal_changes=AXIS | EVEN | ENDS,
    ),
}
