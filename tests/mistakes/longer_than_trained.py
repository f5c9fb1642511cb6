"""Lab 07 as people get it wrong."""

import math
from collections.abc import Callable

import numpy as np

from course_utils import shift_matrix, sinusoidal_encoding


def frequencies(d_model: int) -> np.ndarray:
    return 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)


def turned(x: np.ndarray, y: np.ndarray, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.cos(angles) * x - np.sin(angles) * y, np.sin(angles) * x + np.cos(angles) * y


def rope(vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies) -> np.ndarray:
    """As in lesson 08."""
    angles = np.outer(positions, omega(vectors.shape[1]))
    pairs = turned(vectors[:, 0::2], vectors[:, 1::2], angles)
    return np.stack(pairs, axis=-1).reshape(vectors.shape)


def rope_halves(
    vectors: np.ndarray, positions: np.ndarray, omega: Callable = frequencies
) -> np.ndarray:
    """As in lesson 08."""
    half = vectors.shape[1] // 2
    angles = np.outer(positions, omega(vectors.shape[1]))
    return np.hstack(turned(vectors[:, :half], vectors[:, half:], angles))


def all_alike(steps: int, keys: np.ndarray) -> np.ndarray:
    return np.full(len(keys), steps)


# Keys that move ----------------------------------------------------------------------------------


def moved_in_place(keys: np.ndarray, steps: int) -> np.ndarray:
    angles = steps * frequencies(keys.shape[1])
    x, y = keys[:, 0::2], keys[:, 1::2]
    keys[:, 0::2] = np.cos(angles) * x - np.sin(angles) * y
    keys[:, 1::2] = np.sin(angles) * x + np.cos(angles) * y
    return keys


def moved_without_minus(keys: np.ndarray, steps: int) -> np.ndarray:
    angles = steps * frequencies(keys.shape[1])
    x, y = keys[:, 0::2], keys[:, 1::2]
    moved = np.zeros(keys.shape)
    moved[:, 0::2] = np.cos(angles) * x + np.sin(angles) * y
    moved[:, 1::2] = np.sin(angles) * x + np.cos(angles) * y
    return moved


def moved_first_pair(keys: np.ndarray, steps: int) -> np.ndarray:
    moved = keys.copy()
    moved[:, 0] = np.cos(steps) * keys[:, 0] - np.sin(steps) * keys[:, 1]
    moved[:, 1] = np.sin(steps) * keys[:, 0] + np.cos(steps) * keys[:, 1]
    return moved


def moved_pair_by_pair(keys: np.ndarray, steps: int) -> np.ndarray:
    """The loop leaves out the last pair."""
    moved = keys.copy()
    for k in range(keys.shape[1] // 2 - 1):
        angle = steps * 10_000 ** (-2 * k / keys.shape[1])
        x, y = keys[:, 2 * k], keys[:, 2 * k + 1]
        moved[:, 2 * k], moved[:, 2 * k + 1] = turned(x, y, angle)
    return moved


def moved_with_steps_as_angle(keys: np.ndarray, steps: int) -> np.ndarray:
    angles = np.outer(np.arange(len(keys)), frequencies(keys.shape[1])) + steps
    return np.stack(turned(keys[:, 0::2], keys[:, 1::2], angles), axis=-1).reshape(keys.shape)


MOVE_KEYS = (
    ("turned-from-the-start", lambda keys, steps: rope(keys, np.arange(len(keys)) + steps)),
    ("keys-moved-back", lambda keys, steps: rope(keys, all_alike(-steps, keys))),
    (
        "one-angle",
        lambda keys, steps: rope(keys, all_alike(steps, keys), lambda d: np.ones(d // 2)),
    ),
    ("halves-for-neighbours", lambda keys, steps: rope_halves(keys, all_alike(steps, keys))),
    (
        "written-in-halves",
        lambda keys, steps: np.hstack(
            turned(keys[:, 0::2], keys[:, 1::2], steps * frequencies(keys.shape[1]))
        ),
    ),
    ("keys-moved-back", lambda keys, steps: keys @ shift_matrix(steps, keys.shape[1]).T),
    ("overwritten-too-soon input-changed", moved_in_place),
    ("pattern.some-calls-right", lambda keys, steps: np.roll(keys, steps, axis=0)),
    ("", lambda keys, steps: keys + sinusoidal_encoding(abs(steps) + 1, keys.shape[1])[steps]),
    (
        "exponent-halved",
        lambda keys, steps: rope(
            keys, all_alike(steps, keys), lambda d: 10_000 ** (-np.arange(d // 2) / d)
        ),
    ),
    ("degrees", lambda keys, steps: rope(keys, np.deg2rad(all_alike(steps, keys)))),
    ("pattern.even-columns-wrong", moved_without_minus),
    ("one-pair-turned", moved_first_pair),
    ("pattern.lengths-right", moved_pair_by_pair),
    ("pattern.lengths-right", moved_with_steps_as_angle),
    (
        "turned-from-the-start halves-for-neighbours",
        lambda keys, steps: rope_halves(keys, np.arange(len(keys)) + steps),
    ),
    (
        "frequencies-multiplied",
        lambda keys, steps: rope(keys, all_alike(steps, keys), lambda d: 1 / frequencies(d)),
    ),
    (
        "pattern.reshaped",
        lambda keys, steps: np.stack(
            turned(keys[:, 0::2], keys[:, 1::2], steps * frequencies(keys.shape[1])), axis=-1
        ),
    ),
)


# Only some columns turn --------------------------------------------------------------------------


def part_in_place(vectors: np.ndarray, positions: np.ndarray, n_turned: int) -> np.ndarray:
    half = n_turned // 2
    angles = np.outer(positions, frequencies(n_turned))
    x, y = vectors[:, :half], vectors[:, half:n_turned]
    vectors[:, :half] = np.cos(angles) * x - np.sin(angles) * y
    vectors[:, half:n_turned] = np.sin(angles) * x + np.cos(angles) * y
    return vectors


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


def with_rest(turn: Callable) -> Callable[..., np.ndarray]:
    return lambda vectors, positions, n: np.hstack(
        [turn(vectors[:, :n], positions, vectors.shape[1]), vectors[:, n:]]
    )


ROTATE_PART = (
    ("neighbours-for-halves", with_rest(lambda part, positions, d: rope(part, positions))),
    (
        "frequencies-of-all",
        with_rest(
            lambda part, positions, d: rope_halves(
                part, positions, lambda n: frequencies(d)[: n // 2]
            )
        ),
    ),
    ("all-columns-turned", lambda vectors, positions, n: rope_halves(vectors, positions)),
    ("rest-dropped", lambda vectors, positions, n: rope_halves(vectors[:, :n], positions)),
    ("rest-zero", part_between_zeros),
    (
        "last-columns-turned",
        lambda vectors, positions, n: np.hstack(
            [vectors[:, :-n], rope_halves(vectors[:, -n:], positions)]
        ),
    ),
    (
        "last-columns-turned",
        lambda vectors, positions, n: np.hstack(
            [vectors[:, :n], rope_halves(vectors[:, n:], positions)]
        ),
    ),
    (
        "rows-for-positions",
        with_rest(lambda part, positions, d: rope_halves(part, np.arange(len(part)))),
    ),
    ("turned-backwards", with_rest(lambda part, positions, d: rope_halves(part, -positions))),
    ("overwritten-too-soon input-changed", part_in_place),
    (
        "neighbours-for-halves frequencies-of-all",
        with_rest(
            lambda part, positions, d: rope(part, positions, lambda n: frequencies(d)[: n // 2])
        ),
    ),
    (
        "exponent-halved",
        with_rest(
            lambda part, positions, d: rope_halves(
                part, positions, lambda n: 10_000 ** (-np.arange(n // 2) / n)
            )
        ),
    ),
    ("partner-in-other-half", half_of_all),
    ("pattern.columns-elsewhere", part_written_as_neighbours),
    (
        "pattern.columns-elsewhere",
        lambda vectors, positions, n: np.hstack(
            [vectors[:, n:], rope_halves(vectors[:, :n], positions)]
        ),
    ),
    (
        "raised",
        lambda vectors, positions, n: np.hstack(
            turned(vectors[:, :n], vectors[:, n:], np.outer(positions, frequencies(n)))
        ),
    ),
    (
        "neighbours-for-halves all-columns-turned",
        lambda vectors, positions, n: rope(vectors, positions),
    ),
    (
        "one-angle",
        with_rest(
            lambda part, positions, d: rope_halves(part, positions, lambda n: np.ones(n // 2))
        ),
    ),
)


# Squeezed only where needed ----------------------------------------------------------------------


def angles_of(places: Callable[[int, int], np.ndarray]) -> Callable[[int, int, int], np.ndarray]:
    return lambda n, trained, d: np.outer(places(n, trained), frequencies(d))


def ntk_angles(n: int, trained: int, d: int) -> np.ndarray:
    base = 10_000 * max(1, n / trained) ** (d / (d - 2))
    return np.outer(np.arange(n), base ** (-np.arange(0, d, 2) / d))


INTERPOLATED_ANGLES = (
    ("short-texts-squeezed", angles_of(lambda n, trained: np.arange(n) * trained / n)),
    ("never-squeezed", angles_of(lambda n, trained: np.arange(n))),
    ("pulled-apart", angles_of(lambda n, trained: np.arange(n) * max(1, n / trained))),
    ("whole-factor", angles_of(lambda n, trained: np.arange(n) / max(1, n // trained))),
    ("begun-again", angles_of(lambda n, trained: np.arange(n) % trained)),
    ("kept-at-the-end", angles_of(lambda n, trained: np.minimum(np.arange(n), trained - 1))),
    (
        "last-positions-compared",
        angles_of(lambda n, trained: np.arange(n) / max(1, (n - 1) / (trained - 1))),
    ),
    ("last-positions-compared", angles_of(lambda n, trained: np.linspace(0, trained - 1, n))),
    (
        "last-positions-compared",
        angles_of(
            lambda n, trained: np.linspace(0, trained - 1, n) if n > trained else np.arange(n)
        ),
    ),
    ("pattern.only-first-of-rows-right", angles_of(lambda n, trained: np.linspace(0, trained, n))),
    (
        "beginning-not-squeezed",
        angles_of(
            lambda n, trained: np.where(
                np.arange(n) < trained, np.arange(n), np.arange(n) * trained / n
            )
        ),
    ),
    ("pattern.factor-by-call", angles_of(lambda n, trained: np.arange(n) / min(1, n / trained))),
    ("pattern.factor-by-call", angles_of(lambda n, trained: np.arange(n) / max(1, trained / n))),
    ("base-made-larger", ntk_angles),
    (
        "pattern.transposed",
        lambda n, trained, d: np.outer(frequencies(d), np.arange(n) / max(1, n / trained)),
    ),
    (
        "pattern.columns-twice-as-many",
        lambda n, trained, d: np.outer(
            np.arange(n) / max(1, n / trained), 10_000 ** (-np.arange(d) / d)
        ),
    ),
    (
        "exponent-halved",
        lambda n, trained, d: np.outer(
            np.arange(n) / max(1, n / trained), 10_000 ** (-np.arange(d // 2) / d)
        ),
    ),
    (
        "squeezed-twice",
        lambda n, trained, d: np.outer(
            np.arange(n) / max(1, n / trained), frequencies(d) / max(1, n / trained)
        ),
    ),
    ("positions-from-one", angles_of(lambda n, trained: np.arange(1, n + 1) / max(1, n / trained))),
    (
        "short-texts-squeezed positions-from-one",
        angles_of(lambda n, trained: np.arange(1, n + 1) * trained / n),
    ),
    ("pattern.right-for-small", angles_of(lambda n, trained: np.arange(min(n, trained)))),
)


# Slopes ------------------------------------------------------------------------------------------


def row(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def below(n: int) -> int:
    return 2 ** math.floor(math.log2(n))


def more(choose: Callable[[np.ndarray, int], np.ndarray]) -> Callable[[int], np.ndarray]:
    return lambda n: np.concatenate([row(below(n)), choose(row(2 * below(n)), n - below(n))])


def nearest_power(n: int) -> np.ndarray:
    """The power of two that is nearest, from below or from above."""
    power = 2 ** round(math.log2(n))
    return np.concatenate([row(power)[:n], row(2 * power)[::2][: max(0, n - power)]])


def completed_from_below(n: int) -> np.ndarray:
    power = 1
    while 2 * power < n:
        power *= 2
    return np.concatenate([row(power), row(2 * power)[::2][: n - power]])


SLOPES = (
    ("formula-for-all", row),
    ("first-of-larger-row", more(lambda larger, n: larger[:n])),
    ("others-of-larger-row", more(lambda larger, n: larger[1::2][:n])),
    ("smaller-power-of-two", completed_from_below),
    ("wrong-shape", more(lambda larger, n: larger[::2])),
    ("larger-row-only", lambda n: row(2 ** math.ceil(math.log2(n)))[:n]),
    ("wrong-shape", lambda n: row(2 ** math.ceil(math.log2(n)))[::2][:n]),
    ("slopes-in-order", lambda n: np.sort(more(lambda larger, n: larger[::2][:n])(n))[::-1]),
    ("pattern.entries-elsewhere", lambda n: np.sort(more(lambda larger, n: larger[::2][:n])(n))),
    ("eight-forgotten", lambda n: 2.0 ** -np.arange(1, n + 1)),
    ("formula-for-all heads-from-zero", lambda n: 2.0 ** (-8 * np.arange(n) / n)),
    ("slopes-negative", lambda n: -more(lambda larger, n: larger[::2][:n])(n)),
    ("wrong-shape", lambda n: row(below(n))),
    ("pattern.some-calls-right", lambda n: 2.0 ** (-8 * np.arange(1, n + 1) // n)),
    ("pattern.always-too-small", lambda n: 2**-8 * np.arange(1, n + 1) / n),
    ("larger-row-only", nearest_power),
    ("pattern.always-too-small", more(lambda larger, n: row(n))),
    ("formula-for-all slopes-negative", lambda n: -row(n)),
    ("", lambda n: 8 * np.arange(1, n + 1) / n),
    (
        "pattern.entries-elsewhere",
        lambda n: np.concatenate([row(2 * below(n))[::2][: n - below(n)], row(below(n))]),
    ),
)


# Buckets -----------------------------------------------------------------------------------------


def bucket(
    *,
    side: Callable = lambda n, both_ways: n // 2 if both_ways else n,
    first: Callable = lambda offset, n, both_ways: n // 2 if both_ways and offset > 0 else 0,
    distance: Callable = lambda offset, both_ways: abs(offset) if both_ways else max(-offset, 0),
    share: Callable = lambda r, single, longest: math.log(r / single) / math.log(longest / single),
    far: Callable = lambda share, single: single + int(share * single),
    last: Callable = lambda n, one_side: one_side - 1,
) -> Callable[[int, int, int, bool], int]:
    def bucket(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
        one_side = side(n_buckets, both_ways)
        begin = first(offset, n_buckets, both_ways)
        r = distance(offset, both_ways)
        single = one_side // 2
        if r < single:
            return begin + r
        far_bucket = far(share(r, single, max_distance), single)
        return begin + min(far_bucket, last(n_buckets, one_side))

    return bucket


def far_without_side(offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    one_side = n_buckets // 2 if both_ways else n_buckets
    r = abs(offset) if both_ways else max(-offset, 0)
    single = one_side // 2
    if r < single:
        return r + (one_side if both_ways and offset > 0 else 0)
    return min(
        single + int(math.log(r / single) / math.log(max_distance / single) * single), one_side - 1
    )


BUCKETS = (
    (
        "sides-swapped",
        bucket(first=lambda offset, n, both_ways: n // 2 if both_ways and offset < 0 else 0),
    ),
    (
        "sides-swapped",
        lambda offset, *sizes: bucket()(-offset, *sizes),
    ),
    ("sides-together", bucket(first=lambda offset, n, both_ways: 0)),
    (
        "own-position-after",
        bucket(first=lambda offset, n, both_ways: n // 2 if both_ways and offset >= 0 else 0),
    ),
    ("future-given-buckets", bucket(distance=lambda offset, both_ways: abs(offset))),
    ("all-buckets-each-side", bucket(side=lambda n, both_ways: n)),
    ("halved-for-one-side", bucket(side=lambda n, both_ways: n // 2)),
    ("no-last-bucket", bucket(last=lambda n, one_side: math.inf)),
    ("no-last-bucket", bucket(last=lambda n, one_side: n - 1)),
    ("no-last-bucket", bucket(last=lambda n, one_side: one_side)),
    ("rounded-to-nearest", bucket(far=lambda share, single: single + round(share * single))),
    (
        "far-buckets-alike",
        bucket(share=lambda r, single, longest: (r - single) / (longest - single)),
    ),
    (
        "logarithm-of-distance",
        bucket(share=lambda r, single, longest: math.log(r) / math.log(longest)),
    ),
    ("far-counted-from-zero", bucket(far=lambda share, single: int(share * single))),
    (
        "pattern.always-too-large",
        bucket(far=lambda share, single: single + int(share * 2 * single)),
    ),
    ("pattern.not-rounded", bucket(far=lambda share, single: single + share * single)),
    (
        "pattern.always-too-large",
        bucket(share=lambda r, single, longest: math.log(r - single + 1) / math.log(longest)),
    ),
    (
        "past-unseen",
        bucket(distance=lambda offset, both_ways: abs(offset) if both_ways else max(offset, 0)),
    ),
    (
        "pattern.always-too-large",
        bucket(first=lambda offset, n, both_ways: n // 2 if offset > 0 else 0),
    ),
    ("pattern.always-too-small", far_without_side),
    (
        "sides-swapped rounded-to-nearest",
        bucket(
            first=lambda offset, n, both_ways: n // 2 if both_ways and offset < 0 else 0,
            far=lambda share, single: single + round(share * single),
        ),
    ),
    (
        "one-distance-per-bucket",
        lambda offset, n_buckets, max_distance, both_ways: min(abs(offset), n_buckets - 1),
    ),
    (
        "one-distance-per-bucket",
        bucket(
            side=lambda n, both_ways: n if both_ways else 2 * n,
            last=lambda n, one_side: one_side // 2 - 1,
        ),
    ),
    ("pattern.always-too-large", bucket(share=lambda r, single, longest: math.log(r / single))),
)


# A RoPE that somebody broke ----------------------------------------------------------------------


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


def halves_with_repeated(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    half = vectors.shape[1] // 2
    angles = np.outer(positions, np.repeat(frequencies(vectors.shape[1]), 2))
    x, y = vectors[:, :half], vectors[:, half:]
    rotated = np.hstack([-y, x])
    return vectors * np.cos(angles) + rotated * np.sin(angles)


def tiled(d_model: int) -> np.ndarray:
    return np.tile(frequencies(d_model), 2)


def shown_only(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return vectors @ by_columns(tiled)(np.eye(vectors.shape[1]), np.ones(vectors.shape[1]))


def mixed_in_sines(vectors: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Only what comes from the partner turns by the other frequency."""
    angles, right = (
        np.outer(positions, each(vectors.shape[1]))
        for each in (tiled, lambda d: np.repeat(frequencies(d), 2))
    )
    partners = np.empty(vectors.shape)
    partners[:, ::2], partners[:, 1::2] = -vectors[:, 1::2], vectors[:, ::2]
    return vectors * np.cos(right) + partners * np.sin(angles)


BROKEN_ROPE = (
    ("right-in-neighbours", rope),
    ("right-in-halves", rope_halves),
    ("mixed-the-other-way", halves_with_repeated),
    ("slower-by-column", by_columns(lambda d: 10_000 ** (-np.arange(d) / d))),
    (
        "pattern.some-calls-right",
        lambda vectors, positions: rope(vectors, positions, lambda d: np.ones(d // 2)),
    ),
    ("turned-backwards", lambda vectors, positions: by_columns(tiled)(vectors, -positions)),
    ("pattern.only-first-call-right", shown_only),
    (
        "pattern.some-calls-right",
        by_columns(lambda d: np.concatenate([frequencies(d), frequencies(d)[::-1]])),
    ),
    ("pattern.some-calls-right", mixed_in_sines),
    ("pattern.some-calls-right", by_columns(lambda d: np.repeat(frequencies(d), 2)[::-1])),
    ("", by_columns(lambda d: 10_000 ** (-2 * np.arange(d) / d))),
    (
        "right-in-halves turned-backwards",
        lambda vectors, positions: rope_halves(vectors, -positions),
    ),
    ("exponent-halved", by_columns(lambda d: np.tile(10_000 ** (-np.arange(d // 2) / d), 2))),
    ("", lambda vectors, positions: vectors * np.cos(np.outer(positions, tiled(vectors.shape[1])))),
    ("raised", by_columns(lambda d: np.tile([1.0, 0.1, 0.01, 0.001], 2))),
    ("ratio-of-one-width", by_columns(lambda d: 0.1 ** (np.arange(d) % (d // 2)))),
    ("pattern.some-calls-right", by_columns(lambda d: np.tile([1.0, 0.1, 0.01, 0.001], d)[:d])),
)

MISTAKES = {
    "move-keys": MOVE_KEYS,
    "rotate-part": ROTATE_PART,
    "interpolated-angles": INTERPOLATED_ANGLES,
    "slopes-for-any-heads": SLOPES,
    "bucket-of-offset": BUCKETS,
    "broken-rope": BROKEN_ROPE,
}
