"""Lab 07: RoPE moved, in part and stretched, slopes and buckets, and a RoPE that somebody broke."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..exercise import Exercise, Misconception
from .shared import (
    DEGREES,
    EXPONENT_DOUBLED,
    EXPONENT_HALVED,
    FREQUENCIES_ALL_ONE,
    FREQUENCIES_MULTIPLIED,
    Powers,
    ratio_of_one_width,
)


def _pair_in_neighbours(columns: NDArray, d_model: int) -> NDArray:
    """Twice the number of the pair that each column belongs to."""
    return columns - columns % 2


def _pair_in_halves(columns: NDArray, d_model: int) -> NDArray:
    return 2 * (columns % (d_model // 2))


@dataclass(frozen=True)
class Rotary(Powers):
    """The turn of RoPE; ``numerators`` says for each column what its exponent divides by d."""

    in_halves: bool = False
    written_in_halves: bool = False
    numerators: Callable[[NDArray, int], NDArray] = _pair_in_neighbours
    direction: int = 1
    radians_per_unit: float = 1.0
    overwritten: bool = False

    def turned(
        self, vectors: NDArray, positions: NDArray, n_frequencies: int | None = None
    ) -> NDArray[np.float64]:
        """Every vector turned by its position, with the frequencies of that many columns."""
        columns = np.arange(vectors.shape[1])
        numerators = self.numerators(columns, len(columns))
        frequencies = self.powers(numerators, n_frequencies or len(columns))
        angles = self.direction * self.radians_per_unit * np.outer(positions, frequencies)
        x, y = (vectors[:, half] for half in _pairs(columns, self.in_halves))
        angles_x, angles_y = (angles[:, half] for half in _pairs(columns, self.in_halves))
        turned_x = x * np.cos(angles_x) - y * np.sin(angles_x)
        if self.overwritten:
            x = turned_x
        turned = np.empty(vectors.shape)
        first, second = _pairs(columns, self.written_in_halves)
        turned[:, first] = turned_x
        turned[:, second] = x * np.sin(angles_y) + y * np.cos(angles_y)
        return turned


def _pairs(columns: NDArray, in_halves: bool) -> tuple[NDArray, NDArray]:
    """The columns of the first and of the second numbers of all pairs."""
    half = len(columns) // 2
    return (columns[:half], columns[half:]) if in_halves else (columns[::2], columns[1::2])


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=7).uniform(-1, 1, shape).round(2)


TURNED_BACKWARDS = Misconception("turned-backwards", direction=-1)
OVERWRITTEN_TOO_SOON = Misconception("overwritten-too-soon", overwritten=True)
IN_HALVES = {"in_halves": True, "written_in_halves": True, "numerators": _pair_in_halves}

ROUNDED_ANGLES = 1e-4
"""A tolerance for angles of some hundred radians in float32, as programs have them."""


def _only_first_pair(columns: NDArray, d_model: int) -> NDArray:
    return np.where(columns < 2, 0.0, np.inf)


@dataclass(frozen=True)
class MovedKeys(Rotary):
    """Keys that are turned already, moved on to other positions."""

    from_the_start: bool = False

    def __call__(self, keys: NDArray, steps: int) -> NDArray[np.float64]:
        rows = np.arange(len(keys)) if self.from_the_start else np.zeros(len(keys))
        return self.turned(keys, rows + steps)


MOVE_KEYS = Exercise(
    id="move-keys",
    reference=MovedKeys(),
    cases=(
        (_some(2, 4), -3),
        (_some(5, 8), 2),
        (_some(1, 2), 1),
        (_some(3, 6), 0),
        (3 * _some(40, 22), -70),
    ),
    tolerance=ROUNDED_ANGLES,
    misconceptions=(
        Misconception("keys-moved-back", direction=-1),
        FREQUENCIES_ALL_ONE,
        Misconception("turned-from-the-start", from_the_start=True),
        Misconception("written-in-halves", written_in_halves=True),
        Misconception("halves-for-neighbours", **IN_HALVES),
        OVERWRITTEN_TOO_SOON,
        EXPONENT_HALVED,
        EXPONENT_DOUBLED,
        FREQUENCIES_MULTIPLIED,
        Misconception("one-pair-turned", numerators=_only_first_pair),
        DEGREES,
    ),
)


def _beginnings_of_halves(d_model: int, n_turned: int) -> NDArray:
    half = np.arange(n_turned // 2)
    return np.concatenate([half, half + d_model // 2])


@dataclass(frozen=True)
class PartlyTurned(Rotary):
    """The first columns of every vector turned, in halves; the others stay."""

    in_halves: bool = True
    written_in_halves: bool = True
    numerators: Callable[[NDArray, int], NDArray] = _pair_in_halves
    frequencies_of_all: bool = False
    part: Callable[[int, int], NDArray] = lambda d_model, n_turned: np.arange(n_turned)
    rows_for_positions: bool = False
    rest: str = "kept"

    def __call__(self, vectors: NDArray, positions: NDArray, n_turned: int) -> NDArray[np.float64]:
        d_model = vectors.shape[1]
        if self.rows_for_positions:
            positions = np.arange(len(vectors))
        part = self.part(d_model, n_turned)
        of_all = d_model if self.frequencies_of_all else None
        turned = self.turned(vectors[:, part], positions, of_all)
        if self.rest == "dropped":
            return turned
        whole = np.zeros(vectors.shape) if self.rest == "zero" else vectors.astype(np.float64)
        whole[:, part] = turned
        return whole


IN_NEIGHBOURS = {"in_halves": False, "written_in_halves": False, "numerators": _pair_in_neighbours}

ROTATE_PART = Exercise(
    id="rotate-part",
    reference=PartlyTurned(),
    cases=(
        (_some(3, 8), np.array([1, 5, 2]), 4),
        (_some(2, 6), np.array([7, 3]), 2),
        (_some(4, 12), np.array([9, 0, 4, 11]), 8),
        (_some(2, 8), np.array([3, 6]), 8),
        (_some(1, 2), np.array([1]), 2),
        (2 * _some(30, 22), 13 * np.arange(30)[::-1], 14),
    ),
    tolerance=ROUNDED_ANGLES,
    misconceptions=(
        Misconception("neighbours-for-halves", **IN_NEIGHBOURS),
        Misconception("frequencies-of-all", frequencies_of_all=True),
        Misconception("all-columns-turned", part=lambda d_model, n_turned: np.arange(d_model)),
        Misconception("rest-dropped", rest="dropped"),
        Misconception("rest-zero", rest="zero"),
        Misconception(
            "last-columns-turned",
            part=lambda d_model, n_turned: np.arange(d_model - n_turned, d_model),
        ),
        Misconception(
            "last-columns-turned", part=lambda d_model, n_turned: np.arange(n_turned, d_model)
        ),
        Misconception("partner-in-other-half", part=_beginnings_of_halves),
        Misconception("rows-for-positions", rows_for_positions=True),
        TURNED_BACKWARDS,
        OVERWRITTEN_TOO_SOON,
        EXPONENT_HALVED,
        FREQUENCIES_ALL_ONE,
    ),
)


def _mean_of_trained(bits: NDArray, means: NDArray, trained_length: int) -> float:
    return bits[: trained_length - 1].mean()


@dataclass(frozen=True)
class SurpriseAlong:
    """How surprised a model is, stretch by stretch of a text, next to what it was in training."""

    summary: Callable[..., NDArray] = np.mean
    yardstick: Callable[[NDArray, NDArray, int], float] = _mean_of_trained
    compare: Callable[[NDArray, float], NDArray] = np.divide
    side_by_side: bool = False
    only_beyond: bool = False

    def __call__(self, bits: NDArray, trained_length: int, width: int) -> NDArray[np.float64]:
        stretches = np.lib.stride_tricks.sliding_window_view(bits, width)
        surprise = self.summary(stretches, axis=1)
        along = self.compare(surprise, self.yardstick(bits, surprise, trained_length))
        first = trained_length - 1 if self.only_beyond else 0
        return along[first :: width if self.side_by_side else 1]


def _surprises(n_bits: int, trained_length: int) -> NDArray[np.float64]:
    """Bits that grow beyond what was trained."""
    bits = np.random.default_rng(seed=n_bits).uniform(0.1, 5, n_bits)
    bits[trained_length - 1 :] *= 2
    return bits.round(2)


SURPRISE_ALONG = Exercise(
    id="surprise-along",
    reference=SurpriseAlong(),
    cases=(
        (np.array([2, 4, 3, 9, 6, 12, 3]), 4, 2),
        (_surprises(40, 16), 16, 8),
        (_surprises(9, 9), 9, 3),
        (_surprises(30, 6), 6, 10),
        (_surprises(12, 5), 5, 1),
        (_surprises(63, 20), 20, 63),
        (np.array([1.5]), 2, 1),
    ),
    typed=("np.array([2, 4, 3, 9, 6, 12, 3]), 4, 2",),
    misconceptions=(
        Misconception("one-bit-too-many", yardstick=lambda bits, means, n: bits[:n].mean()),
        Misconception(
            "training-number-missing", yardstick=lambda bits, means, n: bits[: n - 2].mean()
        ),
        Misconception(
            "training-number-missing", yardstick=lambda bits, means, n: bits[1 : n - 1].mean()
        ),
        Misconception(
            "divided-by-one-too-many", yardstick=lambda bits, means, n: bits[: n - 1].sum() / n
        ),
        Misconception("trained-one-late", yardstick=lambda bits, means, n: bits[1:n].mean()),
        Misconception("yardstick-of-all", yardstick=lambda bits, means, n: bits.mean()),
        Misconception("yardstick-of-stretches", yardstick=lambda bits, means, n: means[0]),
        Misconception(
            "yardstick-of-stretches", yardstick=lambda bits, means, n: means[: n - 1].mean()
        ),
        Misconception(
            "yardstick-of-stretches",
            yardstick=lambda bits, means, n: means[: max(n - 1 - len(bits) + len(means), 0)].mean(),
        ),
        Misconception("added-not-averaged", summary=np.sum),
        Misconception("stretch-too-short", summary=lambda each, axis: each[:, :-1].mean(axis)),
        Misconception("other-than-mean", summary=np.max),
        Misconception("other-than-mean", summary=np.median),
        Misconception("difference-for-quotient", compare=np.subtract),
        Misconception(
            "quotient-missing",
            compare=lambda surprise, in_training: surprise,
            yardstick=_mean_of_trained,
        ),
        Misconception(
            "quotient-upside-down", compare=lambda surprise, in_training: in_training / surprise
        ),
        Misconception("stretches-side-by-side", side_by_side=True),
        Misconception("only-beyond-training", only_beyond=True),
    ),
)

Row = Callable[[int], NDArray]
"""The slopes that the formula gives for a number of heads."""


def _power_of_two_up_to(n_heads: int) -> int:
    return 1 << (n_heads.bit_length() - 1)


def _completed_by(more: Callable[[NDArray, int], NDArray]) -> Callable[[Row, int], NDArray]:
    """The row of a power of two, and so many more of the next power's row."""

    def choose(row: Row, n_heads: int) -> NDArray:
        power_of_two = _power_of_two_up_to(n_heads)
        missing = n_heads - power_of_two
        slopes = row(power_of_two)
        return np.append(slopes, more(row(2 * power_of_two), missing)) if missing else slopes

    return choose


def _one_row(row: Row, n_heads: int) -> NDArray:
    return row(n_heads)


def _completed_from_below(row: Row, n_heads: int) -> NDArray:
    """Completed even where the number is a power of two: from the half of it."""
    power_of_two = _power_of_two_up_to(max(1, n_heads - 1))
    larger = row(2 * power_of_two)
    return np.append(row(power_of_two), larger[::2][: n_heads - power_of_two])


def _cut_from_larger_row(row: Row, n_heads: int) -> NDArray:
    power_of_two = _power_of_two_up_to(n_heads)
    return row(n_heads if n_heads == power_of_two else 2 * power_of_two)[:n_heads]


@dataclass(frozen=True)
class Slopes:
    """ALiBi's slopes: those of a power of two, and some of those of the next one."""

    choose: Callable[[Row, int], NDArray] = _completed_by(lambda larger, n: larger[::2][:n])
    first_head: int = 1
    octaves: int | None = 8
    in_order: bool = False
    sign: int = 1

    def __call__(self, n_heads: int) -> NDArray[np.float64]:
        slopes = self.choose(self._row, n_heads)
        return self.sign * (np.sort(slopes)[::-1] if self.in_order else slopes)

    def _row(self, n_heads: int) -> NDArray[np.float64]:
        heads = np.arange(n_heads) + self.first_head
        return 2.0 ** (-heads * (self.octaves or n_heads) / n_heads)


SLOPES_FOR_ANY_HEADS = Exercise(
    id="slopes-for-any-heads",
    named="slopes",
    reference=Slopes(),
    cases=((4,), (6,), (1,), (12,), (3,), (7,), (16,), (25,), (31,)),
    misconceptions=(
        Misconception("formula-for-all", choose=_one_row),
        Misconception("first-of-larger-row", choose=_completed_by(lambda larger, n: larger[:n])),
        Misconception(
            "others-of-larger-row", choose=_completed_by(lambda larger, n: larger[1::2][:n])
        ),
        Misconception("last-of-larger-row", choose=_completed_by(lambda larger, n: larger[-n:])),
        Misconception(
            "last-of-larger-row", choose=_completed_by(lambda larger, n: larger[::2][-n:])
        ),
        Misconception("smaller-power-of-two", choose=_completed_from_below),
        Misconception("larger-row-only", choose=_cut_from_larger_row),
        Misconception("slopes-in-order", in_order=True),
        Misconception("heads-from-zero", first_head=0),
        Misconception("eight-forgotten", octaves=None),
        Misconception("eight-forgotten", octaves=None, choose=_one_row),
        Misconception("slopes-negative", sign=-1),
    ),
    tolerance=1e-9,
)


@dataclass(frozen=True)
class Bucket:
    """T5's bucket of an offset."""

    in_second_half: Callable[[int], bool] = lambda offset: offset > 0
    single_share: float = 0.5
    halved: bool | None = None
    unseen: Callable[[int], bool] = lambda offset: offset > 0
    last: Callable[[int, int], float] = lambda n_buckets, one_side: one_side - 1
    whole: Callable[[float], int] = math.floor
    share: Callable[[float, float], float] = lambda far, farthest: (
        math.log(far) / math.log(farthest)
    )
    first_far: int | None = None
    in_singles: bool = True

    def __call__(self, offset: int, n_buckets: int, max_distance: int, both_ways: bool) -> int:
        halved = both_ways if self.halved is None else self.halved
        one_side = n_buckets // 2 if halved else n_buckets
        n_single = int(one_side * self.single_share)
        distance = 0 if not both_ways and self.unseen(offset) else abs(offset)
        second = both_ways and self.in_second_half(offset)
        first_bucket = n_buckets // 2 if second else 0
        if distance < n_single:
            return first_bucket + distance
        unit = n_single if self.in_singles else 1
        share = self.share(distance / unit, max_distance / unit)
        # Rounded first: logarithms fall short of a whole number by a bit, and would lose a bucket.
        steps = self.whole(round(share * (one_side - n_single), 9))
        bucket = steps + (n_single if self.first_far is None else self.first_far)
        return first_bucket + min(bucket, self.last(n_buckets, one_side))


BUCKET_OF_OFFSET = Exercise(
    id="bucket-of-offset",
    named="bucket",
    reference=Bucket(),
    cases=(
        *((offset, 32, 128, True) for offset in (-3, 5, -20, 20, 0, -8, 8, 16, -70, 50_000)),
        *(
            (offset, 32, 128, False)
            for offset in (-3, 5, -20, -50, 0, -16, -67, -99, -100, 40, -50_000)
        ),
        *((offset, 8, 20, True) for offset in (-1, 1, -2, 3, 7, -40)),
        *((offset, 12, 50, False) for offset in (-5, -7, 1, -30, -35, -60)),
        *((offset, 12, 50, True) for offset in (-9, 20)),
        *((offset, 4, 3, True) for offset in (-2, 1, 0, -40)),
    ),
    misconceptions=(
        Misconception("sides-swapped", in_second_half=lambda offset: offset < 0),
        Misconception(
            "sides-swapped",
            in_second_half=lambda offset: offset < 0,
            unseen=lambda offset: offset < 0,
        ),
        Misconception("sides-swapped", in_second_half=lambda offset: offset <= 0),
        Misconception("sides-together", in_second_half=lambda offset: False),
        Misconception("own-position-after", in_second_half=lambda offset: offset >= 0),
        Misconception("future-given-buckets", unseen=lambda offset: False),
        Misconception("past-unseen", unseen=lambda offset: offset < 0),
        Misconception("all-buckets-each-side", halved=False),
        Misconception("halved-for-one-side", halved=True),
        Misconception("no-last-bucket", last=lambda n_buckets, one_side: math.inf),
        Misconception("no-last-bucket", last=lambda n_buckets, one_side: one_side),
        Misconception("rounded-to-nearest", whole=round),
        Misconception("rounded-to-nearest", whole=math.ceil),
        Misconception("far-buckets-alike", share=lambda far, farthest: (far - 1) / (farthest - 1)),
        Misconception("far-counted-from-zero", first_far=0),
        Misconception("logarithm-of-distance", in_singles=False),
        Misconception("one-distance-per-bucket", single_share=1),
        Misconception(
            "one-distance-per-bucket",
            single_share=1,
            halved=False,
            unseen=lambda offset: False,
            in_second_half=lambda offset: False,
        ),
    ),
)


@dataclass(frozen=True)
class MixedLayouts(Rotary):
    """Pairs of neighbours that turn with frequencies in the order of halves."""

    numerators: Callable[[NDArray, int], NDArray] = _pair_in_halves

    def __call__(self, vectors: NDArray, positions: NDArray) -> NDArray[np.float64]:
        return self.turned(vectors, positions)


BROKEN_ROPE = Exercise(
    id="broken-rope",
    reference=MixedLayouts(),
    shows_wrong_output=True,
    cases=(
        (np.eye(8), np.ones(8)),
        (_some(3, 8), np.array([4, 1, 7])),
        (_some(2, 4), np.array([3, 2])),
        (_some(1, 2), np.array([5])),
        (2 * _some(30, 22), 13 * np.arange(30)[::-1]),
    ),
    typed=("np.eye(8), np.ones(8)",),
    tolerance=ROUNDED_ANGLES,
    misconceptions=(
        Misconception("right-in-neighbours", numerators=_pair_in_neighbours),
        Misconception("right-in-halves", **IN_HALVES),
        Misconception("mixed-the-other-way", **(IN_HALVES | {"numerators": _pair_in_neighbours})),
        Misconception("slower-by-column", numerators=lambda columns, d_model: columns),
        TURNED_BACKWARDS,
        EXPONENT_HALVED,
        *ratio_of_one_width(10_000 ** (-1 / 8), factor=1.0),
    ),
)

EXERCISES = (
    MOVE_KEYS,
    ROTATE_PART,
    SURPRISE_ALONG,
    BROKEN_ROPE,
    SLOPES_FOR_ANY_HEADS,
    BUCKET_OF_OFFSET,
)
