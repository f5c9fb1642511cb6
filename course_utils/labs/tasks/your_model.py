"""Lab 08: frequencies and YaRN from a configuration, batches, caches, and five suspects."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...configurations.comparing import BROKEN, right_scores, score_differences
from ...encodings import angular_frequencies
from ..exercise import Exercise, Steps

ROUNDED_ANGLES = 1e-4
"""A tolerance for angles of some hundred radians in float32, which is common in programs."""


def frequencies(
    head_dim: int, base: float, share: float, proportional: bool, *, over: str = "rule"
) -> NDArray[np.float64]:
    """Return the frequencies of a head of which a share turns."""
    turned = int(head_dim * share)
    widths = {"rule": head_dim if proportional else turned, "head": head_dim, "part": turned}
    found = base ** (-np.arange(0, turned, 2) / widths[over])
    return np.pad(found, (0, (head_dim - turned) // 2 if proportional else 0))


def _no_zeros(head_dim: int, base: float, share: float, proportional: bool) -> NDArray:
    return frequencies(head_dim, base, share, proportional)[: int(head_dim * share) // 2]


def _frequency_by_hand(
    place: tuple, head_dim: int, base: float, share: float, proportional: bool
) -> Steps:
    turned, pair = int(head_dim * share), place[0]
    over = head_dim if proportional else turned
    turns = 2 * pair < turned
    return dict(
        k=pair,
        turned=turned,
        pairs=turned // 2,
        over=over,
        exponent=2 * pair / over,
        result=base ** (-2 * pair / over) if turns else 0.0,
    )


FREQUENCIES_OF_SHARE = Exercise(
    id="frequencies-of-share",
    reference=frequencies,
    cases=(
        (8, 10_000, 0.5, False),
        (8, 10_000, 0.5, True),
        (16, 500_000, 0.25, False),
        (64, 1_000_000, 0.25, True),
        (80, 10_000, 0.4, False),
        (12, 100, 1.0, False),
        (12, 100, 1.0, True),
        (4, 1000, 0.5, True),
    ),
    tolerance=1e-9,
    by_hand=_frequency_by_hand,
    misconceptions={
        "exponents-over-the-head": partial(frequencies, over="head"),
        "exponents-over-the-part": partial(frequencies, over="part"),
        "no-pairs-at-rest": _no_zeros,
        "share-left-out": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, 1.0, proportional
        ),
        "base-of-habit": lambda head_dim, base, share, proportional: frequencies(
            head_dim, 10_000, share, proportional
        ),
        "always-proportional": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share, True
        ),
        "rules-exchanged": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share, not proportional
        ),
        "exponent-halved": lambda head_dim, base, share, proportional: (
            frequencies(head_dim, base, share, proportional) ** 0.5
        ),
        "frequencies-multiplied": lambda head_dim, base, share, proportional: frequencies(
            head_dim, 1 / base, share, proportional
        ),
        "rest-at-one": lambda head_dim, base, share, proportional: (
            (found := frequencies(head_dim, base, share, proportional)) + (found == 0)
        ),
        "share-counts-pairs": lambda head_dim, base, share, proportional: frequencies(
            head_dim, base, share / 2 if share < 1 else 1.0, proportional
        ),
    },
)


def yarn(
    head_dim: int,
    base: float,
    factor: float,
    trained: int,
    *,
    length: Callable[[int, float], float] = lambda trained, factor: trained,
    ramp: Callable[[NDArray], NDArray] = lambda stretched: stretched,
    rounded: bool = True,
    scaling: Callable[[float], float] = lambda factor: 0.1 * math.log(factor) + 1,
) -> NDArray[np.float64]:
    """Return YaRN's frequencies, and the attention scaling as the last number."""

    def pair_with(turns: float) -> float:
        ratio = length(trained, factor) / (2 * math.pi * turns)
        return head_dim * math.log(ratio) / (2 * math.log(base))

    first, last = pair_with(32), pair_with(1)
    if rounded:
        first, last = math.floor(first), math.ceil(last)
    pairs = np.arange(head_dim // 2)
    stretched = ramp(np.clip((pairs - first) / (last - first), 0, 1))
    plain = angular_frequencies(head_dim, base=base)
    mixed = plain * (1 - stretched) + plain / factor * stretched
    return np.append(mixed, scaling(factor))


def _scaled(head_dim: int, base: float, factor: float, trained: int) -> NDArray[np.float64]:
    *found, scaling = yarn(head_dim, base, factor, trained)
    return np.append(scaling * np.array(found), scaling)


def _larger_base(head_dim: int, base: float, factor: float, trained: int) -> NDArray[np.float64]:
    """Return the frequencies of the NTK-aware base in place of YaRN's."""
    larger = base * factor ** (head_dim / (head_dim - 2))
    return np.append(
        angular_frequencies(head_dim, base=larger), yarn(head_dim, base, factor, trained)[-1]
    )


def _yarn_by_hand(place: tuple, head_dim: int, base: float, factor: float, trained: int) -> Steps:
    pair = place[0]
    first, last = (
        head_dim * math.log(trained / (2 * math.pi * turns)) / (2 * math.log(base))
        for turns in (32, 1)
    )
    first, last = math.floor(first), math.ceil(last)
    share = min(max((pair - first) / (last - first), 0), 1)
    plain = base ** (-2 * pair / head_dim)
    scaling = 0.1 * math.log(factor) + 1
    mixed = plain * (1 - share) + plain / factor * share
    return dict(
        k=pair,
        first=first,
        last=last,
        share=share,
        plain=plain,
        slow=plain / factor,
        scaling=scaling,
        result=scaling if pair == head_dim // 2 else mixed,
    )


YARN_OF_CONFIGURATION = Exercise(
    id="yarn-of-configuration",
    reference=yarn,
    cases=(
        (8, 100, 4.0, 4096),
        (128, 10_000, 4.0, 4096),
        (64, 150_000, 32.0, 4096),
        (128, 1_000_000, 4.0, 32_768),
        (32, 10_000, 2.0, 2048),
        (128, 500_000, 8.0, 8192),
    ),
    tolerance=1e-9,
    by_hand=_yarn_by_hand,
    misconceptions={
        "stretched-length-taken": partial(yarn, length=lambda trained, factor: trained * factor),
        "ramp-turned-round": partial(yarn, ramp=lambda stretched: 1 - stretched),
        "all-pairs-slowed": partial(yarn, ramp=np.ones_like),
        "no-pair-slowed": partial(yarn, ramp=np.zeros_like),
        "scaling-left-at-one": partial(yarn, scaling=lambda factor: 1.0),
        "scaling-squared": partial(yarn, scaling=lambda factor: (0.1 * math.log(factor) + 1) ** 2),
        "ends-not-rounded": partial(yarn, rounded=False),
        "one-left-out": partial(yarn, scaling=lambda factor: 0.1 * math.log(factor)),
        "scaling-in-frequencies": _scaled,
        "base-of-habit": lambda head_dim, base, factor, trained: yarn(
            head_dim, 10_000, factor, trained
        ),
        "larger-base-for-ramp": _larger_base,
        "decimal-logarithm-in-scaling": partial(
            yarn, scaling=lambda factor: 0.1 * math.log10(factor) + 1
        ),
    },
)


def positions(documents: NDArray) -> NDArray[np.int64]:
    """Return the position of each token within its document; padding gets 0."""
    found = np.zeros(documents.shape, dtype=np.int64)
    for row, numbers in enumerate(documents):
        for column in range(1, len(numbers)):
            goes_on = numbers[column] and numbers[column] == numbers[column - 1]
            found[row, column] = found[row, column - 1] + 1 if goes_on else 0
    return found


def _columns(documents: NDArray) -> NDArray:
    return np.tile(np.arange(documents.shape[1]), (len(documents), 1))


def _real_tokens_counted(documents: NDArray) -> NDArray:
    return np.maximum(np.cumsum(documents > 0, axis=1) - 1, 0)


def _token_by_hand(place: tuple, documents: NDArray) -> Steps:
    row, column = place
    number = int(documents[row, column])
    before = int((documents[row, :column] == number).sum())
    return dict(i=row, c=column, number=number, before=before, result=before if number else 0)


POSITIONS_IN_BATCH = Exercise(
    id="positions-in-batch",
    reference=positions,
    cases=(
        (np.array([[0, 0, 1, 1]]),),
        (np.array([[1, 1, 2, 2]]),),
        (np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]),),
        (np.array([[1, 1, 1, 2, 2, 3, 0, 0], [0, 1, 1, 1, 1, 2, 2, 2]]),),
        (np.array([[1]]),),
        (np.array([[2, 2, 1, 1, 1], [9, 4, 4, 0, 0]]),),
        (np.array([[0, 0, 0], [4, 4, 4], [5, 6, 6]]),),
        (np.array([[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]]),),
    ),
    typed=("np.array([[0, 0, 1, 1]])", "np.array([[1, 1, 2, 2]])"),
    by_hand=_token_by_hand,
    misconceptions={
        "padding-counted": lambda documents: _columns(documents),
        "documents-counted-through": _real_tokens_counted,
        "tokens-from-one": lambda documents: (positions(documents) + 1) * (documents > 0),
        "padding-below-zero": lambda documents: np.where(documents > 0, positions(documents), -1),
        "padding-zeroed-only": lambda documents: _columns(documents) * (documents > 0),
        "padding-continues": lambda documents: np.cumsum(documents > 0, axis=1) - 1,
        "counted-from-the-right": lambda documents: positions(documents[:, ::-1])[:, ::-1],
        "padding-numbered": lambda documents: positions(documents + 1),
        "restart-one-late": lambda documents: np.where(
            documents > 0, np.roll(positions(documents), 1, axis=1), 0
        ),
    },
)


def shifted(
    keys: NDArray,
    old: ArrayLike,
    new: ArrayLike,
    frequencies: NDArray,
    *,
    by: Callable[[NDArray, NDArray], NDArray] = lambda old, new: new - old,
    neighbours: bool = False,
    over_head: bool = False,
) -> NDArray[np.float64]:
    """Move keys that RoPE has turned, in halves of the first columns, to new positions."""
    n_pairs = len(frequencies)
    steps = by(np.asarray(old, dtype=float), np.asarray(new, dtype=float))
    angles = np.multiply.outer(np.broadcast_to(steps, len(keys)), frequencies)
    apart = keys.shape[1] // 2 if over_head else n_pairs
    first = np.arange(n_pairs) * (2 if neighbours else 1)
    second = first + (1 if neighbours else apart)
    moved = keys.astype(float)
    x, y = keys[:, first], keys[:, second]
    moved[:, first] = x * np.cos(angles) - y * np.sin(angles)
    moved[:, second] = x * np.sin(angles) + y * np.cos(angles)
    return moved


def _key_by_hand(
    place: tuple, keys: NDArray, old: NDArray, new: NDArray, frequencies: NDArray
) -> Steps:
    row, column = place
    n_pairs = len(frequencies)
    steps = float(new[row] - old[row])
    pair = column % n_pairs if column < 2 * n_pairs else 0
    angle = steps * float(frequencies[pair])
    x, y = (float(keys[row, pair + half]) for half in (0, n_pairs))
    turned = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    stays = column >= 2 * n_pairs
    return dict(
        i=row,
        c=column,
        steps=steps,
        n=2 * n_pairs,
        pair=[pair, pair + n_pairs],
        angle=angle,
        result=float(keys[row, column]) if stays else turned[column // n_pairs],
    )


def _some(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed=11).uniform(-1, 1, shape).round(2)


SHIFTED_CACHE = Exercise(
    id="shifted-cache",
    reference=shifted,
    cases=(
        (_some(2, 4), np.array([5, 6]), np.array([0, 1]), np.array([1.0, 0.01])),
        (_some(3, 8), np.array([9, 10, 15]), np.array([2, 3, 4]), np.array([1.0, 0.1])),
        (_some(2, 4), np.array([3, 7]), np.array([3, 7]), np.array([1.0, 0.01])),
        (_some(2, 6), np.array([5, 6]), np.array([9, 2]), np.array([1.0, 0.5])),
        (_some(2, 6), np.array([8, 2]), np.array([0, 1]), np.array([1.0, 0.5])),
        (_some(4, 6), np.array([1, 2, 3, 4]), np.array([4, 3, 2, 1]), np.array([1.0, 0.3, 0.05])),
        (_some(1, 12), np.array([400]), np.array([100]), np.array([0.5, 0.02, 0.001])),
        (_some(5, 4), np.array([20, 21, 30, 31, 32]), np.arange(5), np.array([1.0])),
    ),
    tolerance=ROUNDED_ANGLES,
    by_hand=_key_by_hand,
    misconceptions={
        "turned-to-new-only": partial(shifted, by=lambda old, new: new),
        "shift-turned-round": partial(shifted, by=lambda old, new: old - new),
        "one-shift-for-all-keys": partial(shifted, by=lambda old, new: (new - old)[0]),
        "shift-without-turning": lambda keys, old, new, frequencies: keys.astype(float),
        "neighbours-in-halves": partial(shifted, neighbours=True),
        "pairs-across-the-head": partial(shifted, over_head=True),
        "turned-twice": partial(shifted, by=lambda old, new: 2 * (new - old)),
        "rest-dropped": lambda keys, old, new, frequencies: shifted(keys, old, new, frequencies)[
            :, : 2 * len(frequencies)
        ],
        "base-of-habit": lambda keys, old, new, frequencies: shifted(
            keys, old, new, angular_frequencies(2 * len(frequencies))
        ),
        "frequencies-multiplied": lambda keys, old, new, frequencies: shifted(
            keys, old, new, 1 / frequencies
        ),
        "both-positions-added": partial(shifted, by=lambda old, new: old + new),
    },
)


SUSPECTS = tuple(BROKEN[name] for name in ("precision", "base", "late", "layout", "factor"))
"""The five implementations of the last exercise."""


def suspect(number: int) -> Callable:
    """Return one of five broken implementations, from 1 to 5."""
    if number not in range(1, len(SUSPECTS) + 1):
        raise ValueError(f"number must be from 1 to {len(SUSPECTS)}; got {number!r}.")
    return SUSPECTS[number - 1]


def faults(*, given: tuple[int, ...] = (4, 1, 5, 3, 2)) -> NDArray[np.int64]:
    """Return the number of the fault of each suspect."""
    return np.array(given)


def _suspect_by_hand(place: tuple) -> Steps:
    same, near, page, far = score_differences(right_scores, SUSPECTS[place[0]]).round(3)
    found = int(faults()[place[0]])
    return dict(number=place[0] + 1, same=same, near=near, page=page, far=far, result=found)


FIVE_SUSPECTS = Exercise(
    id="five-suspects",
    reference=faults,
    cases=((),),
    by_hand=_suspect_by_hand,
    misconceptions={
        "layout-for-factor": partial(faults, given=(4, 1, 5, 2, 3)),
        "base-for-precision": partial(faults, given=(1, 4, 5, 3, 2)),
        "base-for-layout": partial(faults, given=(4, 3, 5, 1, 2)),
        "base-for-factor": partial(faults, given=(4, 2, 5, 3, 1)),
        "late-for-layout": partial(faults, given=(4, 1, 3, 5, 2)),
        "faults-from-zero": partial(faults, given=(3, 0, 4, 2, 1)),
        "suspects-by-fault": partial(faults, given=(2, 5, 4, 1, 3)),
    },
)

EXERCISES = (
    FREQUENCIES_OF_SHARE,
    YARN_OF_CONFIGURATION,
    POSITIONS_IN_BATCH,
    SHIFTED_CACHE,
    FIVE_SUSPECTS,
)
