"""Realistic wrong answers for lab 07, with the expected findings."""

import math
from collections.abc import Callable
from statistics import fmean

import numpy as np
from answers.longer_than_trained import (
    frequencies,
    means,
    mistaken_bucket,
    moved,
    rope,
    row,
    slopes,
    turned,
)
from numpy.typing import NDArray


def rope_halves(
    vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies
) -> np.ndarray:
    """Apply RoPE in the halves layout, as in lesson 08."""
    half = vectors.shape[1] // 2
    angles = np.outer(positions, omega(vectors.shape[1]))
    return np.hstack(turned(vectors[:, :half], vectors[:, half:], angles))


def moved_first_pair(keys: np.ndarray, steps: int) -> np.ndarray:
    moved = keys.copy()
    moved[:, 0] = np.cos(steps) * keys[:, 0] - np.sin(steps) * keys[:, 1]
    moved[:, 1] = np.sin(steps) * keys[:, 0] + np.cos(steps) * keys[:, 1]
    return moved


def overwritten(vectors: np.ndarray, positions: np.ndarray, apart: int) -> np.ndarray:
    """Compute the second number of each pair from the rotated first number."""
    first = np.arange(vectors.shape[1]) // apart % 2 == 0
    angles = np.outer(positions, frequencies(vectors.shape[1]))
    whole = vectors.copy()
    whole[:, first], _ = turned(whole[:, first], whole[:, ~first], angles)
    _, whole[:, ~first] = turned(whole[:, first], whole[:, ~first], angles)
    return whole


def with_rest(turn: Callable[[NDArray, NDArray, int], NDArray]) -> Callable[..., NDArray]:
    """Rotate only the first columns."""
    return lambda vectors, positions, n: np.hstack(
        [turn(vectors[:, :n], positions, vectors.shape[1]), vectors[:, n:]]
    )


def part_between_zeros(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    whole = np.zeros_like(vectors)
    whole[:, :n_turned] = rope_halves(vectors[:, :n_turned], positions)
    return whole


def half_of_all(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    """Pair the first n_turned / 2 columns with columns half a vector away."""
    half, n_pairs = vectors.shape[1] // 2, n_turned // 2
    whole = vectors.copy()
    x, y = vectors[:, :n_pairs], vectors[:, half : half + n_pairs]
    angles = np.outer(positions, frequencies(n_turned))
    whole[:, :n_pairs], whole[:, half : half + n_pairs] = turned(x, y, angles)
    return whole


def summed_up(summary: Callable[[np.ndarray], float]) -> Callable[..., list[float]]:
    """Return a solution with a different number for each window."""
    return lambda b, t, w: [
        summary(b[i : i + w]) / b[: t - 1].mean() for i in range(len(b) - w + 1)
    ]


def past_the_ends(zeros: Callable[[int], tuple[int, int]]) -> Callable[..., list[float]]:
    """Return a solution that pads the bits with zeros."""

    def surprise(b: np.ndarray, t: int, w: int) -> list[float]:
        before, after = zeros(w)
        padded = [*np.zeros(before), *b, *np.zeros(after)]
        stretches = [padded[i : i + w] for i in range(len(padded) - w + 1)]
        return [sum(stretch) / w / b[: t - 1].mean() for stretch in stretches]

    return surprise


def below(n: int) -> int:
    return 2 ** math.floor(math.log2(n))


def more(choose: Callable[[np.ndarray, int], np.ndarray]) -> Callable[[int], np.ndarray]:
    return lambda n: np.concatenate([row(below(n)), choose(row(2 * below(n)), n - below(n))])


def completed_from_below(n: int) -> np.ndarray:
    power = 1
    while 2 * power < n:
        power *= 2
    return np.concatenate([row(power), row(2 * power)[::2][: n - power]])


def completed_from(n_of_larger: int, n: int) -> np.ndarray:
    return np.append(row(below(n)), np.resize(row(n_of_larger)[::2], n - below(n)))


def halves_with_repeated(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    half = vectors.shape[1] // 2
    angles = np.outer(positions, np.repeat(frequencies(vectors.shape[1]), 2))
    x, y = vectors[:, :half], vectors[:, half:]
    rotated = np.hstack([-y, x])
    return vectors * np.cos(angles) + rotated * np.sin(angles)


def by_columns(of_columns: Callable[[int], np.ndarray]) -> Callable[..., np.ndarray]:
    """Rotate neighbours with a frequency for each column."""

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


WRONG = {
    "move-keys": (
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
        ("exponent-halved", moved(omega=lambda d: 10_000 ** (-np.arange(d // 2) / d))),
        ("degrees", moved(by=math.pi / 180)),
        ("exponent-doubled", moved(omega=lambda d: 10_000 ** (-4 * np.arange(d // 2) / d))),
        ("frequencies-multiplied", moved(omega=lambda d: 10_000 ** (2 * np.arange(d // 2) / d))),
        ("one-pair-turned", moved_first_pair),
        *(
            ("another-base", moved(omega=lambda d, b=base: b ** (-2 * np.arange(d // 2) / d)))
            for base in (10, 500, 1000, 100_000)
        ),
        ("overwritten-too-soon", moved(overwritten, apart=1)),
    ),
    "rotate-part": (
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
        (
            "last-columns-turned",
            lambda v, p, n: np.hstack([v[:, :n], rope_halves(v[:, n:], p)]),
        ),
        ("overwritten-too-soon", with_rest(lambda v, p, d: overwritten(v, p, v.shape[1] // 2))),
        (
            "exponent-halved",
            with_rest(
                lambda v, p, d: rope_halves(v, p, lambda n: 10_000 ** (-np.arange(n // 2) / n))
            ),
        ),
        (
            "one-angle",
            with_rest(lambda v, p, d: rope_halves(v, p, lambda n: np.ones(n // 2))),
        ),
        ("rows-for-positions", with_rest(lambda v, p, d: rope_halves(v, np.arange(len(v))))),
        ("turned-backwards", with_rest(lambda v, p, d: rope_halves(v, -p))),
        ("partner-in-other-half", half_of_all),
    ),
    "surprise-along": (
        ("one-bit-too-many", lambda b, t, w: means(b, w) / b[:t].mean()),
        ("training-number-missing", lambda b, t, w: means(b, w) / b[: t - 2].mean()),
        ("training-number-missing", lambda b, t, w: means(b, w) / b[1 : t - 1].mean()),
        ("divided-by-one-too-many", lambda b, t, w: means(b, w) / b[: t - 1].sum() * t),
        ("yardstick-of-all", lambda b, t, w: means(b, w) / b.mean()),
        ("yardstick-of-stretches", lambda b, t, w: means(b, w) / means(b, w)[0]),
        ("yardstick-of-stretches", lambda b, t, w: means(b, w) / means(b, w)[: t - 1].mean()),
        (
            "yardstick-of-stretches",
            lambda b, t, w: means(b, w) / fmean(b[i : i + w].mean() for i in range(t - w)),
        ),
        ("stretch-too-short", summed_up(lambda stretch: stretch[:-1].mean())),
        ("trained-one-late", lambda b, t, w: means(b, w) / b[1:t].mean()),
        ("added-not-averaged", lambda b, t, w: means(b, w) * w / b[: t - 1].mean()),
        ("other-than-mean", summed_up(np.median)),
        ("other-than-mean", summed_up(max)),
        ("difference-for-quotient", lambda b, t, w: means(b, w) - b[: t - 1].mean()),
        ("quotient-missing", lambda b, t, w: means(b, w)),
        ("quotient-upside-down", lambda b, t, w: b[: t - 1].mean() / means(b, w)),
        ("stretches-side-by-side", lambda b, t, w: means(b, w)[::w] / b[: t - 1].mean()),
        ("stretches-past-the-ends", past_the_ends(lambda w: (w - 1, w - 1))),
        ("stretches-past-the-ends", past_the_ends(lambda w: (w // 2, (w - 1) // 2))),
        ("only-beyond-training", lambda b, t, w: means(b, w)[t - 1 :] / b[: t - 1].mean()),
    ),
    "slopes-for-any-heads": (
        ("formula-for-all", row),
        ("first-of-larger-row", more(lambda larger, n: larger[:n])),
        ("others-of-larger-row", more(lambda larger, n: larger[1::2][:n])),
        ("last-of-larger-row", more(lambda larger, n: larger[len(larger) - n :])),
        ("last-of-larger-row", more(lambda larger, n: larger[len(larger) - 2 * n :: 2])),
        (
            "heads-from-zero",
            lambda n: [
                s * 2 ** (8 / below(n) / (1 + (i >= below(n)))) for i, s in enumerate(slopes(n))
            ],
        ),
        (
            "heads-from-zero",
            lambda n: [
                *(2 ** (-8 * head / below(n)) for head in range(below(n))),
                *slopes(n)[below(n) :],
            ],
        ),
        (
            "integer-division",
            lambda n: [
                2.0 ** -(8 // heads * h)
                for heads, step, first, last in (
                    (below(n), 1, 1, below(n) + 1),
                    (2 * below(n), 2, 1, 2 * (n - below(n)) + 1),
                )
                for h in range(first, last, step)
            ],
        ),
        ("smaller-power-of-two", completed_from_below),
        ("eight-left-out", lambda n: np.array(slopes(n)) ** (1 / 8)),
        ("eight-left-out", lambda n: 2 ** (-np.arange(1, n + 1) / n)),
        ("row-of-eight-always", lambda n: completed_from(8, n)),
        ("row-of-twice-the-heads", lambda n: completed_from(2 * n, n)),
        ("larger-row-only", lambda n: row(2 ** math.ceil(math.log2(n)))[:n]),
        ("slopes-in-order", lambda n: sorted(slopes(n), reverse=True)),
        ("eight-forgotten", lambda n: 2.0 ** -np.arange(1, n + 1)),
        (
            "eight-forgotten",
            lambda n: [
                0.5**head for head in (*range(1, below(n) + 1), *range(1, 2 * (n - below(n)), 2))
            ],
        ),
        ("slopes-negative", lambda n: -np.array(slopes(n))),
    ),
    "bucket-of-offset": (
        ("sides-swapped", mistaken_bucket(after=lambda offset: offset < 0)),
        ("sides-swapped", mistaken_bucket(after=lambda offset: offset <= 0)),
        (
            "sides-swapped",
            mistaken_bucket(after=lambda offset: offset < 0, seen=lambda offset: max(offset, 0)),
        ),
        ("sides-together", mistaken_bucket(after=lambda offset: False)),
        ("own-position-after", mistaken_bucket(after=lambda offset: offset >= 0)),
        ("future-given-buckets", mistaken_bucket(seen=abs)),
        ("past-unseen", mistaken_bucket(seen=lambda offset: max(offset, 0))),
        ("all-buckets-each-side", mistaken_bucket(halved=lambda both_ways: False)),
        ("halved-for-one-side", mistaken_bucket(halved=lambda both_ways: True)),
        ("no-last-bucket", mistaken_bucket(last=lambda one_side: math.inf)),
        ("no-last-bucket", mistaken_bucket(last=lambda one_side: one_side)),
        ("rounded-to-nearest", mistaken_bucket(far=lambda share, n: n + round(share * n))),
        ("rounded-to-nearest", mistaken_bucket(far=lambda share, n: n + math.ceil(share * n))),
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
        (
            "one-distance-per-bucket",
            mistaken_bucket(share=lambda r, *_: r, far=lambda r, n: r),
        ),
    ),
    "broken-rope": (
        ("right-in-neighbours", rope),
        ("right-in-halves", rope_halves),
        ("mixed-the-other-way", halves_with_repeated),
        ("slower-by-column", by_columns(lambda d: 10_000 ** (-np.arange(d) / d))),
        ("turned-backwards", lambda vectors, positions: by_columns(tiled)(vectors, -positions)),
        (
            "exponent-halved",
            by_columns(lambda d: 10_000 ** (-(np.arange(d) % (d // 2)) / d)),
        ),
        *(
            (
                "ratio-of-one-width",
                by_columns(lambda d, r=ratio: r ** (2 * (np.arange(d) % (d // 2)))),
            )
            for ratio in (math.sqrt(0.1), 0.32, 0.316, 0.3162, 0.31623)
        ),
        ("exponent-runs-on", by_columns(lambda d: 10_000 ** (-2 * np.arange(d) / d))),
    ),
}
