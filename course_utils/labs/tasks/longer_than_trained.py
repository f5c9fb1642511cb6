"""Lab 07: shifted and partial RoPE, surprise, slopes and buckets, and a broken RoPE."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...encodings import angular_frequencies
from ..exercise import Answer, Exercise, Steps
from .shared import in_bfloat16, in_half_precision, ratios_read_off


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=7).uniform(-1, 1, shape).round(2)


ROUNDED_ANGLES = 1e-4
"""Tolerance for angles of several hundred radians in float32, which many programs use."""

Pairs = Callable[[int], NDArray]
"""Type of functions that return the columns of the first and second numbers in all pairs."""


def _neighbours(d_model: int) -> NDArray:
    return np.arange(d_model).reshape(-1, 2).T


def _halves(d_model: int) -> NDArray:
    return np.arange(d_model).reshape(2, -1)


def _rotated(
    vectors: NDArray,
    positions: ArrayLike,
    frequencies: Callable[[int], NDArray] = angular_frequencies,
    pairs: Pairs = _neighbours,
    written: Pairs | None = None,
    overwritten: bool = False,
) -> NDArray[np.float64]:
    """Rotate each vector by its position, with pairs in the given columns."""
    d_model = vectors.shape[1]
    angles = np.multiply.outer(np.broadcast_to(positions, len(vectors)), frequencies(d_model))
    x, y = (vectors[:, columns] for columns in pairs(d_model))
    first, second = (written or pairs)(d_model)
    turned = np.empty(vectors.shape)
    turned[:, first] = x * np.cos(angles) - y * np.sin(angles)
    x = turned[:, first] if overwritten else x
    turned[:, second] = x * np.sin(angles) + y * np.cos(angles)
    return turned


def _numbers_in_halves(vectors: NDArray) -> NDArray:
    """Return the partners of neighbours, ordered as in the halves layout: ``[-x2, x1]``."""
    return np.concatenate([-vectors[:, 1::2], vectors[:, ::2]], axis=1)


def _partners_in_halves(vectors: NDArray) -> NDArray:
    first, second = np.split(vectors, 2, axis=1)
    return np.concatenate([-second, first], axis=1)


def _partners(vectors: NDArray) -> NDArray:
    """Return each number's partner, signed as in a quarter turn, in the neighbours layout."""
    return np.stack([-vectors[:, 1::2], vectors[:, 0::2]], axis=2).reshape(vectors.shape)


def _for_neighbours(d_model: int) -> NDArray:
    return np.repeat(angular_frequencies(d_model), 2)


def _for_halves(d_model: int) -> NDArray:
    return np.tile(angular_frequencies(d_model), 2)


def _combined(
    vectors: NDArray,
    positions: ArrayLike,
    partners: Callable[[NDArray], NDArray],
    frequencies: Callable[[int], NDArray],
) -> NDArray[np.float64]:
    """Return ``x cos + partner sin``, with one angle for each column."""
    angles = np.multiply.outer(
        np.broadcast_to(positions, len(vectors)), frequencies(vectors.shape[1])
    )
    return vectors * np.cos(angles) + partners(vectors) * np.sin(angles)


LAYOUTS_MIXED = (
    (_partners, _for_halves),
    (_partners_in_halves, _for_neighbours),
    (_numbers_in_halves, _for_neighbours),
    (_numbers_in_halves, _for_halves),
)
"""Combinations of partners and frequencies from different layouts."""


def _signs_alike(
    vectors: NDArray, positions: ArrayLike, pairs: Pairs = _neighbours
) -> NDArray[np.float64]:
    """Rotate vectors with a plus sign where the formula has a minus sign."""
    columns = np.concatenate(pairs(vectors.shape[1]))
    halves = vectors[:, columns]
    mixed = np.empty(vectors.shape)
    mixed[:, columns] = _combined(
        halves, positions, lambda given: np.roll(given, given.shape[1] // 2, axis=1), _for_halves
    )
    return mixed


def _of_two_layouts(
    vectors: NDArray,
    positions: ArrayLike,
    cosines: Callable[[int], NDArray],
    sines: Callable[[int], NDArray],
) -> NDArray[np.float64]:
    """Return ``x cos + partner sin``, with frequencies of different layouts in cos and sin."""
    d_model, turns = vectors.shape[1], np.broadcast_to(positions, len(vectors))
    by_cosine, by_sine = (np.multiply.outer(turns, each(d_model)) for each in (cosines, sines))
    return vectors * np.cos(by_cosine) + _partners(vectors) * np.sin(by_sine)


def _cosines_alone(
    vectors: NDArray, positions: ArrayLike, frequencies: Callable[[int], NDArray]
) -> NDArray[np.float64]:
    """Return ``x cos`` alone, without the partners."""
    return _combined(vectors, positions, np.zeros_like, frequencies)


OTHER_FREQUENCIES = {
    "one-angle": lambda d_model: np.ones(d_model // 2),
    "exponent-halved": lambda d_model: angular_frequencies(d_model) ** (1 / 2),
    "exponent-doubled": lambda d_model: angular_frequencies(d_model) ** 2,
    "frequencies-multiplied": lambda d_model: 1 / angular_frequencies(d_model),
    "one-pair-turned": lambda d_model: np.arange(d_model // 2) == 0,
    "degrees": lambda d_model: np.radians(angular_frequencies(d_model)),
}


def move_keys(keys: NDArray, steps: int) -> NDArray:
    """Move rotated keys to other positions."""
    return _rotated(keys, steps)


def _pair_by_hand(place: tuple, keys: NDArray, steps: int) -> Steps:
    pair, second = divmod(place[1], 2)
    x, y = keys[place[0], 2 * pair : 2 * pair + 2]
    angle = steps / 10_000 ** (2 * pair / keys.shape[1])
    to = math.atan2(y, x) + angle
    return dict(
        i=place[0],
        c=place[1],
        columns=[2 * pair, 2 * pair + 1],
        pair=[x, y],
        length=math.hypot(x, y),
        start=math.atan2(y, x),
        to=to,
        angle=angle,
        result=math.hypot(x, y) * (math.sin(to) if second else math.cos(to)),
    )


MOVE_KEYS = Exercise(
    id="move-keys",
    reference=move_keys,
    cases=(
        (_some(2, 4), -3),
        (_some(5, 8), 2),
        (_some(1, 2), 1),
        (_some(3, 6), 0),
        (3 * _some(40, 22), -70),
        (_some(2, 8), 0),
        (_some(4, 2), 3),
        (_some(1, 6), 2),
        (_some(2, 4), 5),
    ),
    tolerance=ROUNDED_ANGLES,
    by_hand=_pair_by_hand,
    misconceptions={
        "keys-moved-back": lambda keys, steps: _rotated(keys, -steps),
        "one-angle": partial(_rotated, frequencies=OTHER_FREQUENCIES["one-angle"]),
        "turned-from-the-start": [
            lambda keys, steps: _rotated(keys, np.arange(len(keys)) + steps),
            lambda keys, steps: _rotated(keys, np.arange(len(keys))),
            lambda keys, steps: _rotated(keys, np.arange(len(keys)) * steps),
            lambda keys, steps: _rotated(keys, np.arange(1, len(keys) + 1) + steps),
        ],
        **{id: partial(_rotated, frequencies=other) for id, other in OTHER_FREQUENCIES.items()},
        "another-base": [
            partial(
                lambda keys, steps, base: _rotated(
                    keys, steps, frequencies=lambda d: angular_frequencies(d, base=base)
                ),
                base=base,
            )
            for base in (10, 500, 1000, 100_000, 500_000)
        ],
        "written-in-halves": partial(_rotated, written=_halves),
        "halves-for-neighbours": partial(_rotated, pairs=_halves),
        "overwritten-too-soon": partial(_rotated, overwritten=True),
        "both-signs-alike": _signs_alike,
        "turned-twice": lambda keys, steps: _rotated(keys, 2 * steps),
        "first-exponent-not-zero": partial(
            lambda keys, steps, shift: _rotated(
                keys,
                steps,
                frequencies=lambda d: angular_frequencies(d) * 10_000 ** (-shift / d),
            ),
            shift=-2,
        ),
        "layouts-mixed": [
            partial(_combined, partners=partners, frequencies=frequencies)
            for partners, frequencies in LAYOUTS_MIXED
        ],
        "rows-rolled": [
            lambda keys, steps: np.roll(keys, steps, axis=0),
            lambda keys, steps: np.roll(keys, -steps, axis=0),
        ],
        "angles-in-low-precision": [
            partial(
                lambda keys, steps, low: _rotated(
                    keys, steps, frequencies=lambda d: low(angular_frequencies(d))
                ),
                low=low,
            )
            for low in (in_half_precision, in_bfloat16)
        ],
        "one-step-alone": [
            lambda keys, steps: _rotated(keys, np.sign(steps)),
            lambda keys, steps: _rotated(keys, 1),
        ],
        "sine-cosine-layouts-mixed": [
            partial(_of_two_layouts, cosines=_for_neighbours, sines=_for_halves),
            partial(_of_two_layouts, cosines=_for_halves, sines=_for_neighbours),
        ],
        "partners-left-out": lambda keys, steps: _cosines_alone(keys, steps, _for_neighbours),
        "hands-reversed": partial(_rotated, frequencies=lambda d: angular_frequencies(d)[::-1]),
        "first-key-alone": lambda keys, steps: np.vstack([_rotated(keys, steps)[:1], keys[1:]]),
    },
)


def _turned_in(
    vectors: NDArray,
    positions: NDArray,
    columns: Sequence[int],
    pairs: Pairs = _halves,
    **otherwise: object,
) -> NDArray[np.float64]:
    """Rotate some columns of each vector."""
    whole = vectors.astype(float)
    if len(columns):
        whole[:, columns] = _rotated(vectors[:, columns], positions, pairs=pairs, **otherwise)
    return whole


def rotate_part(vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray:
    """Rotate the first columns of each vector in the halves layout."""
    return _turned_in(vectors, positions, range(n_turned))


def _part(**otherwise: object) -> Answer:
    """Create an answer that rotates the first columns incorrectly."""
    return lambda vectors, positions, n: _turned_in(vectors, positions, range(n), **otherwise)


def _frequencies_of_all(vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray:
    of_all = angular_frequencies(vectors.shape[1])
    return _part(frequencies=lambda d: of_all[: d // 2])(vectors, positions, n_turned)


def _rest_zero(vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray:
    kept = np.arange(vectors.shape[1]) < n_turned
    return rotate_part(vectors, positions, n_turned) * kept


def _from_both_halves(vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray:
    half = np.arange(n_turned // 2)
    return _turned_in(vectors, positions, [*half, *half + vectors.shape[1] // 2])


def _from_both_halves_of_all(vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray:
    half, of_all = np.arange(n_turned // 2), angular_frequencies(vectors.shape[1])
    return _turned_in(
        vectors,
        positions,
        [*half, *half + vectors.shape[1] // 2],
        frequencies=lambda d: of_all[: d // 2],
    )


def _part_by_hand(place: tuple, vectors: NDArray, positions: NDArray, n_turned: int) -> Steps:
    vector, position, column = vectors[place[0]], positions[place[0]], place[1]
    angles = position / 10_000 ** (np.arange(0, n_turned, 2) / n_turned)
    points = (vector[: n_turned // 2] + 1j * vector[n_turned // 2 : n_turned]) * np.exp(1j * angles)
    turned = [*points.real, *points.imag, *vector[n_turned:]]
    return dict(
        i=place[0],
        position=position,
        n=n_turned,
        half=n_turned // 2,
        c=column,
        angles=angles,
        before=vector[column],
        result=turned[column],
    )


ROTATE_PART = Exercise(
    id="rotate-part",
    reference=rotate_part,
    cases=(
        (_some(3, 8), np.array([1, 5, 2]), 4),
        (_some(2, 6), np.array([7, 3]), 2),
        (_some(4, 12), np.array([9, 0, 4, 11]), 8),
        (_some(2, 8), np.array([3, 6]), 8),
        (_some(1, 2), np.array([1]), 2),
        (2 * _some(30, 22), 13 * np.arange(30)[::-1], 14),
        (_some(3, 8), np.array([1, 5, 2]), 6),
    ),
    tolerance=ROUNDED_ANGLES,
    by_hand=_part_by_hand,
    misconceptions={
        "neighbours-for-halves": _part(pairs=_neighbours),
        "frequencies-of-all": _frequencies_of_all,
        "all-columns-turned": lambda vectors, positions, n: _rotated(
            vectors, positions, pairs=_halves
        ),
        "rest-dropped": lambda vectors, positions, n: rotate_part(vectors, positions, n)[:, :n],
        "rest-zero": _rest_zero,
        "last-columns-turned": [
            lambda vectors, positions, n: _turned_in(
                vectors, positions, range(vectors.shape[1])[-n:]
            ),
            lambda vectors, positions, n: _turned_in(
                vectors, positions, range(vectors.shape[1])[n:]
            ),
        ],
        "partner-in-other-half": _from_both_halves,
        "rows-for-positions": lambda vectors, positions, n: rotate_part(
            vectors, np.arange(len(vectors)), n
        ),
        "turned-backwards": lambda vectors, positions, n: rotate_part(vectors, -positions, n),
        "overwritten-too-soon": _part(overwritten=True),
        "exponent-halved": _part(frequencies=OTHER_FREQUENCIES["exponent-halved"]),
        "one-angle": _part(frequencies=OTHER_FREQUENCIES["one-angle"]),
        "both-signs-alike": lambda vectors, positions, n: np.hstack(
            [_signs_alike(vectors[:, :n], positions, _halves), vectors[:, n:]]
        ),
        "turned-twice": lambda vectors, positions, n: rotate_part(vectors, 2 * positions, n),
        "layouts-mixed": [
            partial(
                lambda vectors, positions, n, partners, frequencies: np.hstack(
                    [
                        _combined(vectors[:, :n], positions, partners, frequencies),
                        vectors[:, n:],
                    ]
                ),
                partners=partners,
                frequencies=frequencies,
            )
            for partners, frequencies in LAYOUTS_MIXED[:2]
        ],
        "pairs-for-columns": lambda vectors, positions, n: rotate_part(
            vectors, positions, min(2 * n, vectors.shape[1])
        ),
        "share-taken-twice": lambda vectors, positions, n: rotate_part(
            vectors, positions, n * n // vectors.shape[1] // 2 * 2
        ),
        "partner-in-other-half frequencies-of-all": _from_both_halves_of_all,
        "rest-changed": lambda vectors, positions, n: (
            rotate_part(vectors, positions, n) * np.repeat([1, 2], [n, vectors.shape[1] - n])
        ),
        "first-position-for-all": lambda vectors, positions, n: rotate_part(
            vectors, np.full(len(vectors), positions[0]), n
        ),
        "one-position-further": lambda vectors, positions, n: rotate_part(
            vectors, positions + 1, n
        ),
        "last-columns-turned neighbours-for-halves": [
            lambda vectors, positions, n: _turned_in(
                vectors, positions, range(vectors.shape[1])[-n:], pairs=_neighbours
            ),
        ],
        "all-columns-turned neighbours-for-halves": lambda vectors, positions, n: _rotated(
            vectors, positions
        ),
        "frequencies-of-all neighbours-for-halves": lambda vectors, positions, n: _turned_in(
            vectors,
            positions,
            range(n),
            pairs=_neighbours,
            frequencies=lambda d: angular_frequencies(vectors.shape[1])[: d // 2],
        ),
        "neighbours-for-halves turned-backwards": lambda vectors, positions, n: _turned_in(
            vectors, -positions, range(n), pairs=_neighbours
        ),
        "hands-reversed": _part(frequencies=lambda d: angular_frequencies(d)[::-1]),
        "added-to-the-original": lambda vectors, positions, n: (
            rotate_part(vectors, positions, n) + vectors * (np.arange(vectors.shape[1]) < n)
        ),
        "positions-halved": [
            lambda vectors, positions, n: rotate_part(vectors, positions // 2, n),
            lambda vectors, positions, n: rotate_part(vectors, positions / 2, n),
        ],
    },
)


def _means(bits: NDArray, width: int, summary: Callable = np.mean) -> NDArray:
    """Return the mean, or another summary, of each window in a text."""
    return summary(np.lib.stride_tricks.sliding_window_view(bits, width), axis=1)


def surprise_along(bits: NDArray, trained_length: int, width: int) -> NDArray:
    """Return the surprise in each window, relative to the mean within the training length."""
    return _means(bits, width) / bits[: trained_length - 1].mean()


def _by_yardstick(yardstick: Callable[..., float]) -> Answer:
    """Create an answer that divides by an incorrect number."""
    return lambda bits, n, width: _means(bits, width) / yardstick(bits, n, _means(bits, width))


def _with_summary(summary: Callable) -> Answer:
    return lambda bits, n, width: _means(bits, width, summary) / bits[: n - 1].mean()


def _with_beginning(first: Callable[[NDArray, int], float]) -> Answer:
    """Create an answer that also returns numbers for incomplete windows."""

    def surprise(bits: NDArray, trained_length: int, width: int) -> NDArray:
        beginning = [first(bits, last) for last in range(width - 1)]
        return np.append(beginning, _means(bits, width)) / bits[: trained_length - 1].mean()

    return surprise


def _surprises(n_bits: int, trained_length: int) -> NDArray[np.float64]:
    """Return random bits that are doubled beyond the training length."""
    bits = np.random.default_rng(seed=n_bits).uniform(0.1, 5, n_bits)
    bits[trained_length - 1 :] *= 2
    return bits.round(2)


def _stretch_by_hand(place: tuple, bits: NDArray, trained_length: int, width: int) -> Steps:
    stretch = bits[place[0] : place[0] + width].tolist()
    trained = [bit for position, bit in enumerate(bits.tolist(), 1) if position < trained_length]
    mean, yardstick = sum(stretch) / len(stretch), sum(trained) / len(trained)
    steps = {"i": place[0], "stretch": stretch, "trained": trained}
    return steps | {"mean": mean, "yardstick": yardstick, "result": mean / yardstick}


SURPRISE_ALONG = Exercise(
    id="surprise-along",
    reference=surprise_along,
    cases=(
        (np.array([2, 4, 3, 9, 6, 12, 3]), 4, 2),
        (_surprises(40, 16), 16, 8),
        (_surprises(9, 9), 9, 3),
        (_surprises(30, 6), 6, 10),
        (_surprises(12, 5), 5, 1),
        (_surprises(63, 20), 20, 63),
        (np.array([1.5]), 2, 1),
        (_surprises(7, 2), 2, 3),
        (np.array([2, 4, 3, 9, 6, 12, 3]), 4, 3),
    ),
    typed=("np.array([2, 4, 3, 9, 6, 12, 3]), 4, 2",),
    by_hand=_stretch_by_hand,
    misconceptions={
        "one-bit-too-many": _by_yardstick(lambda bits, n, means: bits[:n].mean()),
        "training-number-missing": [
            _by_yardstick(lambda bits, n, means: bits[: n - 2].mean()),
            _by_yardstick(lambda bits, n, means: bits[1 : n - 1].mean()),
        ],
        "divided-by-one-too-many": _by_yardstick(lambda bits, n, means: bits[: n - 1].sum() / n),
        "trained-one-late": _by_yardstick(lambda bits, n, means: bits[1:n].mean()),
        "yardstick-of-all": _by_yardstick(lambda bits, n, means: bits.mean()),
        "yardstick-of-stretches": [
            _by_yardstick(lambda bits, n, means: means[0]),
            _by_yardstick(lambda bits, n, means: means[: n - 1].mean()),
            lambda bits, n, width: _means(bits, width) / _means(bits[: n - 1], width).mean(),
        ],
        "added-not-averaged": _with_summary(np.sum),
        "stretches-past-the-ends": [
            lambda bits, n, width, mode=mode: (
                np.convolve(bits, np.full(width, 1 / width), mode) / bits[: n - 1].mean()
            )
            for mode in ("same", "full")
        ],
        "stretch-too-short": _with_summary(lambda stretches, axis: stretches[:, :-1].mean(axis)),
        "other-than-mean": [
            _with_summary(np.max),
            _with_summary(np.median),
            _with_summary(lambda stretches, axis: np.exp(np.log(stretches).mean(axis))),
        ],
        "difference-for-quotient": lambda bits, n, width: (
            _means(bits, width) - bits[: n - 1].mean()
        ),
        "quotient-missing": lambda bits, n, width: _means(bits, width),
        "quotient-upside-down": lambda bits, n, width: 1 / surprise_along(bits, n, width),
        "stretches-side-by-side": lambda bits, n, width: surprise_along(bits, n, width)[::width],
        "only-beyond-training": lambda bits, n, width: surprise_along(bits, n, width)[n - 1 :],
        "exponential-of-difference": lambda bits, n, width: np.exp(
            _means(bits, width) - bits[: n - 1].mean()
        ),
        "perplexities-compared": [
            lambda bits, n, width: 2 ** _means(bits, width) / 2 ** bits[: n - 1].mean(),
            lambda bits, n, width: _means(2.0**bits, width) / (2.0**bits)[: n - 1].mean(),
        ],
        "integer-division": [
            lambda bits, n, width: _means(bits, width) // bits[: n - 1].mean(),
            lambda bits, n, width: np.floor(_means(bits, width)) / bits[: n - 1].mean(),
        ],
        "shorter-stretches-first": _with_beginning(lambda bits, last: bits[: last + 1].mean()),
        "nan-at-the-beginning": _with_beginning(lambda bits, last: np.nan),
        "divided-by-one-too-few": lambda bits, n, width: (
            surprise_along(bits, n, width) * width / max(width - 1, 1)
        ),
    },
)


def _formula(n_heads: int, octaves: float = 8, first_head: int = 1) -> NDArray[np.float64]:
    """Return ALiBi's slopes for a power of two."""
    return 2.0 ** (-(np.arange(n_heads) + first_head) * octaves / n_heads)


def _power_of_two_up_to(n_heads: int) -> int:
    return 1 << (n_heads.bit_length() - 1)


def slopes(n_heads: int) -> NDArray:
    """Return ALiBi's slopes for any number of heads."""
    power = _power_of_two_up_to(n_heads)
    return np.append(_formula(power), _formula(2 * power)[::2][: n_heads - power])


def _completed(
    more: Callable[[NDArray, int], NDArray] = lambda larger, missing: larger[::2][:missing],
    formula: Callable[[int], NDArray] = _formula,
) -> Answer:
    """Create an answer with incorrect slopes for the missing heads or for all heads."""

    def slopes_of(n_heads: int) -> NDArray:
        power = _power_of_two_up_to(n_heads)
        row = formula(power)
        return (
            row if power == n_heads else np.append(row, more(formula(2 * power), n_heads - power))
        )

    return slopes_of


def _from_power_below(n_heads: int) -> NDArray:
    power = _power_of_two_up_to(max(1, n_heads - 1))
    return np.append(_formula(power), _formula(2 * power)[::2][: n_heads - power])


def _cut_from_larger_row(n_heads: int) -> NDArray:
    power = _power_of_two_up_to(n_heads)
    return _formula(n_heads if n_heads == power else 2 * power)[:n_heads]


def _exchanged(n_heads: int) -> NDArray:
    """Return the slopes for the larger power of two, beginning with every second slope."""
    power = _power_of_two_up_to(n_heads)
    if n_heads == power:
        return _formula(power)
    larger = _formula(2 * power)
    return np.append(larger[::2], larger[1::2])[:n_heads]


def _heads_by_hand(place: tuple, n_heads: int) -> Steps:
    power = max(2**e for e in range(n_heads) if 2**e <= n_heads)
    row, larger = ([2 ** (-8 * h / n) for h in range(1, n + 1)] for n in (power, 2 * power))
    between = [slope for slope in larger if slope not in row]
    return dict(
        h=place[0],
        n=n_heads,
        power=power,
        twice=2 * power,
        row=row,
        between=between,
        result=[*row, *between][place[0]],
    )


SLOPES_FOR_ANY_HEADS = Exercise(
    id="slopes-for-any-heads",
    reference=slopes,
    cases=((4,), (6,), (1,), (12,), (3,), (7,), (16,), (25,), (31,), (40,)),
    by_hand=_heads_by_hand,
    misconceptions={
        "formula-for-all": _formula,
        "first-of-larger-row": _completed(lambda larger, n: larger[:n]),
        "others-of-larger-row": _completed(lambda larger, n: larger[1::2][:n]),
        "last-of-larger-row": [
            _completed(lambda larger, n: larger[-n:]),
            _completed(lambda larger, n: larger[::2][-n:]),
        ],
        "smaller-power-of-two": _from_power_below,
        "larger-row-only": _cut_from_larger_row,
        "slopes-in-order": lambda n: np.sort(slopes(n))[::-1],
        "heads-from-zero": [
            *(
                _completed(larger, partial(_formula, first_head=0))
                for larger in (
                    lambda larger, n: larger[::2][:n],
                    lambda larger, n: larger[1::2][:n],
                )
            ),
            lambda n: slopes(n) * 2.0 ** (8 / _power_of_two_up_to(n)),
        ],
        "integer-division": _completed(formula=lambda n: 2.0 ** (-(8 // n) * np.arange(1, n + 1))),
        "eight-forgotten": [
            _completed(formula=lambda n: _formula(n, octaves=n)),
            lambda n: _formula(n, octaves=n),
        ],
        "eight-left-out": [
            _completed(formula=partial(_formula, octaves=1)),
            partial(_formula, octaves=1),
        ],
        "row-of-eight-always": lambda n: np.append(
            _formula(_power_of_two_up_to(n)),
            np.resize(_formula(8)[::2], n - _power_of_two_up_to(n)),
        ),
        "row-of-twice-the-heads": lambda n: np.append(
            _formula(_power_of_two_up_to(n)),
            _formula(2 * n)[::2][: n - _power_of_two_up_to(n)],
        ),
        "slopes-negative": lambda n: -slopes(n),
        "eight-over-head": [
            lambda n: 2.0 ** (-8 / np.arange(1, n + 1)),
            lambda n: 2.0 ** (-8 / (np.arange(1, n + 1) + 1)),
        ],
        "odd-heads-first": _exchanged,
        "second-row-runs-on": lambda n: np.append(
            _formula(_power_of_two_up_to(n)),
            2.0 ** (-4 / _power_of_two_up_to(n) * (2 * np.arange(_power_of_two_up_to(n), n) + 1)),
        ),
        "missing-heads-filled": [
            lambda n: np.append(
                _formula(_power_of_two_up_to(n)), np.zeros(n - _power_of_two_up_to(n))
            ),
            lambda n: np.append(
                _formula(_power_of_two_up_to(n)),
                np.full(n - _power_of_two_up_to(n), 2.0**-8),
            ),
        ],
    },
    tolerance=1e-9,
)


def _far_steps(distance: float, n_near: int, n_buckets: int, max_distance: float) -> float:
    """Return the fractional number of far buckets that begin before the given distance."""
    share = math.log(distance / n_near) / math.log(max_distance / n_near)
    # Without rounding, a logarithm slightly below an integer would fall into the previous bucket.
    return round(share * (n_buckets - n_near), 9)


def _wider_and_wider(distance: int, n_near: int, n_buckets: int, max_distance: int) -> int:
    steps = math.floor(_far_steps(distance, n_near, n_buckets, max_distance))
    return min(n_near + steps, n_buckets - 1)


def _on_one_side(
    distance: int, n_buckets: int, max_distance: int, far: Answer = _wider_and_wider
) -> float:
    """Return the bucket on one side, where half of the buckets contain a single distance each."""
    n_near = n_buckets // 2
    return distance if distance < n_near else far(distance, n_near, n_buckets, max_distance)


def _on_both_sides(
    side: Answer, steps: int, n_buckets: int, max_distance: int, both_ways: bool
) -> float:
    if not both_ways:
        return side(max(0, -steps), n_buckets, max_distance)
    half = n_buckets // 2
    return side(abs(steps), half, max_distance) + (half if steps > 0 else 0)


def bucket(steps: int, n_buckets: int, max_distance: int, both_ways: bool) -> float:
    """Return T5's bucket for a number of steps from query to key."""
    return _on_both_sides(_on_one_side, steps, n_buckets, max_distance, both_ways)


def _far(far: Answer) -> Answer:
    """Create an answer with incorrect far buckets."""
    return partial(_on_both_sides, partial(_on_one_side, far=far))


def _near_before_halving(steps: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    """Compute the number of near buckets before dividing the buckets between both sides."""

    def side(distance: int, n_here: int, farthest: int) -> int:
        near = n_buckets // 2
        return (
            distance
            if distance < near
            else min(near + math.floor(_far_steps(distance, near, n_here, farthest)), n_here - 1)
        )

    return _on_both_sides(side, steps, n_buckets, max_distance, both_ways)


def _with_sign(steps: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
    """Return DeBERTa's bucket, which has the sign of the offset."""
    middle = n_buckets // 2
    if abs(steps) <= middle:
        return steps
    far = math.log(abs(steps) / middle) / math.log((max_distance - 1) / middle) * (middle - 1)
    return (math.ceil(far) + middle) * (1 if steps > 0 else -1)


def _not_halved(steps: int, n_buckets: int, max_distance: int, both_ways: bool) -> float:
    """Give each side the full number of buckets, and put the second side after the first."""
    side = _on_one_side(abs(steps) if both_ways else max(0, -steps), n_buckets, max_distance)
    return side + (n_buckets if both_ways and steps > 0 else 0)


def _all_on_each_side(steps: int, n_buckets: int, max_distance: int, both_ways: bool) -> float:
    after = n_buckets // 2 if both_ways and steps > 0 else 0
    return bucket(-abs(steps) if both_ways else steps, n_buckets, max_distance, False) + after


def _side_by_hand(
    place: tuple, offset: int, n_buckets: int, max_distance: int, both_ways: bool
) -> Steps:
    n_here = n_buckets // 2 if both_ways else n_buckets
    before = n_here if both_ways and offset > 0 else 0
    distance = abs(offset) if both_ways else max(0, -offset)
    near = n_here // 2
    far = [
        near * (max_distance / near) ** (number / (n_here - near))
        for number in range(n_here - near)
    ]
    begins = [*range(near), *far]
    number = max(i for i, begin in enumerate(begins) if begin <= distance + 1e-9)
    return dict(
        n=n_here,
        distance=distance,
        near=near,
        first=before,
        number=number,
        begin=begins[number],
        next=[*begins, "∞"][number + 1],
        result=before + number,
    )


BUCKET_OF_OFFSET = Exercise(
    id="bucket-of-offset",
    reference=bucket,
    cases=(
        *((steps, 32, 128, True) for steps in (-3, 5, -20, 20, 0, -8, 8, 16, -70, 50_000)),
        *(
            (steps, 32, 128, False)
            for steps in (-3, 5, -20, -50, 0, -16, -67, -99, -100, 40, -50_000)
        ),
        *((steps, 8, 20, True) for steps in (-1, 1, -2, 3, 7, -40)),
        *((steps, 12, 50, False) for steps in (-5, -7, 1, -30, -35, -60)),
        *((steps, 12, 50, True) for steps in (-9, 20)),
        (-19, 32, 20, False),
        *((steps, 4, 3, True) for steps in (-2, 1, 0, -40)),
    ),
    by_hand=_side_by_hand,
    misconceptions={
        "sides-swapped": [
            lambda r, n, most, both: bucket(-r if both else r, n, most, both),
            lambda r, n, most, both: bucket(-r, n, most, both),
            lambda r, n, most, both: (
                n // 2 if both and r == 0 else bucket(-r if both else r, n, most, both)
            ),
        ],
        "sides-together": lambda r, n, most, both: bucket(-abs(r) if both else r, n, most, both),
        "own-position-after": lambda r, n, most, both: (
            n // 2 if both and r == 0 else bucket(r, n, most, both)
        ),
        "future-given-buckets": lambda r, n, most, both: bucket(
            r if both else -abs(r), n, most, both
        ),
        "past-unseen": lambda r, n, most, both: bucket(r if both else -r, n, most, both),
        "all-buckets-each-side": _all_on_each_side,
        "halved-for-one-side": lambda r, n, most, both: bucket(
            r, n if both else n // 2, most, both
        ),
        "no-last-bucket": [
            _far(lambda r, near, n, most: near + math.floor(_far_steps(r, near, n, most))),
            _far(lambda r, near, n, most: min(near + math.floor(_far_steps(r, near, n, most)), n)),
        ],
        "rounded-to-nearest": [
            _far(lambda r, near, n, most: min(near + round(_far_steps(r, near, n, most)), n - 1)),
            _far(
                lambda r, near, n, most: min(near + math.ceil(_far_steps(r, near, n, most)), n - 1)
            ),
        ],
        "far-buckets-alike": _far(
            lambda r, near, n, most: min(near + (r - near) * (n - near) // (most - near), n - 1)
        ),
        "far-counted-from-zero": _far(
            lambda r, near, n, most: min(math.floor(_far_steps(r, near, n, most)), n - 1)
        ),
        "logarithm-of-distance": _far(
            lambda r, near, n, most: min(
                near + math.floor(math.log(r) / math.log(most) * (n - near)), n - 1
            )
        ),
        "max-distance-off-by-one": [
            lambda r, n, most, both: bucket(r, n, most + 1, both),
            lambda r, n, most, both: bucket(r, n, most - 1, both),
        ],
        "one-distance-per-bucket": [
            partial(_on_both_sides, lambda distance, n, most: min(distance, n - 1)),
            lambda r, n, most, both: min(abs(r), n - 1),
        ],
        "always-both-ways": lambda r, n, most, both: bucket(r, n, most, True),
        "never-both-ways": lambda r, n, most, both: bucket(r, n, most, False),
        "ways-exchanged": lambda r, n, most, both: bucket(r, n, most, not both),
        "negative-distance": lambda r, n, most, both: (
            -r if not both and r > 0 else bucket(r, n, most, both)
        ),
        "near-before-halving": _near_before_halving,
        "one-near-bucket-more": partial(
            _on_both_sides,
            lambda distance, n, most: (
                distance if distance <= n // 2 else _wider_and_wider(distance, n // 2 + 1, n, most)
            ),
        ),
        "powers-of-two-for-logarithm": partial(
            _on_both_sides,
            lambda distance, n, most: min(
                distance if distance < 5 else math.floor(math.log2(distance)) + 3, n - 1
            ),
        ),
        "clipped-offset": [
            lambda r, n, most, both: int(np.clip(r, -(n // 2), n // 2)) + n // 2,
            lambda r, n, most, both: int(np.clip(r, -most, most)) + most,
        ],
        "sign-for-side": _with_sign,
        "quotient-rounded-down": _far(
            lambda r, near, n, most: min(
                near + math.floor(_far_steps(r // near, 1, n - near + 1, most / near)), n - 1
            )
        ),
        "one-far-bucket": _far(lambda r, near, n, most: near),
        "not-halved": _not_halved,
        "logarithms-mixed": [
            _far(
                partial(
                    lambda r, near, n, most, factor: min(
                        near + math.floor(round(factor * _far_steps(r, near, n, most), 9)), n - 1
                    ),
                    factor=factor,
                )
            )
            for factor in (1 / math.log(2), math.log(2), 1 / math.log(10), math.log(10))
        ],
        "one-far-bucket-fewer": _far(
            lambda r, near, n, most: min(
                near + math.floor(_far_steps(r, near, n, most) * (1 - 1 / (n - near)) + 1e-9),
                n - 1,
            )
        ),
        "one-far-bucket-fewer rounded-to-nearest": _far(
            lambda r, near, n, most: min(
                near + math.ceil(_far_steps(r, near, n, most - 1) * (1 - 1 / (n - near)) - 1e-9),
                n - 1,
            )
        ),
    },
)


def broken_rope(
    vectors: NDArray,
    positions: NDArray,
    *,
    partners: Callable[[NDArray], NDArray] = _partners,
    frequencies: Callable[[int], NDArray] = _for_halves,
) -> NDArray:
    """Rotate pairs of neighbours by frequencies ordered as in the halves layout."""
    return _combined(vectors, positions, partners, frequencies)


def _theirs_by_hand(place: tuple, vectors: NDArray, positions: NDArray) -> Steps:
    vector, d_model, column = vectors[place[0]], vectors.shape[1], place[1]
    theirs, right = (
        positions[place[0]] / 10_000 ** (2 * pair / d_model)
        for pair in (column % (d_model // 2), column // 2)
    )
    other = column - 1 if column % 2 else column + 1
    across = vector[other] * (1 if column % 2 else -1)
    return dict(
        i=place[0],
        c=column,
        other=other,
        x=vector[column],
        y=vector[other],
        theirs=theirs,
        right=right,
        result=vector[column] * math.cos(theirs) + across * math.sin(theirs),
    )


BROKEN_ROPE = Exercise(
    id="broken-rope",
    reference=broken_rope,
    shows_wrong_output=True,
    cases=(
        (np.eye(8), np.ones(8)),
        (_some(3, 8), np.array([4, 1, 7])),
        (_some(2, 4), np.array([3, 2])),
        (_some(1, 2), np.array([5])),
        (_some(3, 2), np.array([2, 9, 4])),
        (_some(1, 6), np.array([3])),
        (_some(3, 2), np.array([4, 1, 7])),
        (2 * _some(30, 22), 13 * np.arange(30)[::-1]),
    ),
    typed=("np.eye(8), np.ones(8)",),
    tolerance=ROUNDED_ANGLES,
    by_hand=_theirs_by_hand,
    misconceptions={
        "right-in-neighbours": partial(broken_rope, frequencies=_for_neighbours),
        "right-in-halves": partial(broken_rope, partners=_partners_in_halves),
        "mixed-the-other-way": partial(
            broken_rope, frequencies=_for_neighbours, partners=_partners_in_halves
        ),
        "slower-by-column": partial(
            broken_rope, frequencies=lambda d: 10_000.0 ** (-np.arange(d) / d)
        ),
        "exponent-runs-on": partial(
            broken_rope, frequencies=lambda d: 10_000.0 ** (-2 * np.arange(d) / d)
        ),
        "turned-backwards": lambda vectors, positions: broken_rope(vectors, -positions),
        "exponent-halved": partial(
            broken_rope, frequencies=lambda d: np.tile(angular_frequencies(d) ** (1 / 2), 2)
        ),
        "ratio-of-one-width": [
            partial(
                broken_rope,
                frequencies=lambda d, ratio=ratio: np.tile(ratio ** np.arange(0, d, 2), 2),
            )
            for ratio in ratios_read_off(10_000 ** (-1 / 8))
        ],
        "partners-written-in-halves": [
            partial(broken_rope, partners=_numbers_in_halves, frequencies=frequencies)
            for frequencies in (_for_neighbours, _for_halves)
        ],
        "written-in-halves": partial(_rotated, written=_halves),
        "rows-for-positions": lambda vectors, positions: broken_rope(
            vectors, np.arange(len(vectors))
        ),
        "both-signs-alike": partial(
            broken_rope,
            partners=lambda vectors: vectors[:, np.arange(vectors.shape[1]) ^ 1],
        ),
        "turned-twice": lambda vectors, positions: broken_rope(vectors, 2 * positions),
        "one-position-further": lambda vectors, positions: broken_rope(vectors, positions + 1),
        "sine-cosine-layouts-mixed": [
            partial(_of_two_layouts, cosines=_for_neighbours, sines=_for_halves),
            partial(_of_two_layouts, cosines=_for_halves, sines=_for_neighbours),
        ],
        "partners-left-out": lambda vectors, positions: _cosines_alone(
            vectors, positions, _for_halves
        ),
        "right-in-neighbours hands-reversed": partial(
            _rotated, frequencies=lambda d: angular_frequencies(d)[::-1]
        ),
        "hands-reversed": partial(
            broken_rope, frequencies=lambda d: np.tile(angular_frequencies(d)[::-1], 2)
        ),
    },
)

EXERCISES = (
    MOVE_KEYS,
    ROTATE_PART,
    SURPRISE_ALONG,
    BROKEN_ROPE,
    SLOPES_FOR_ANY_HEADS,
    BUCKET_OF_OFFSET,
)
