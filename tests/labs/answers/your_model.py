"""Correct and wrong answers for lab 08, with the expected findings."""

import math

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from . import Answers


def frequencies(head_dim: int, base: float, share: float, proportional: bool) -> list[float]:
    found = []
    for pair in range(head_dim // 2):
        turns = 2 * pair < head_dim * share
        if turns:
            width = head_dim if proportional else head_dim * share
            found.append(math.exp(-2 * pair / width * math.log(base)))
        elif proportional:
            found.append(0.0)
    return found


def yarn(head_dim: int, base: float, factor: float, trained: int) -> list[float]:
    def pair(turns: float) -> float:
        return math.log(trained / turns / (2 * math.pi), base) * head_dim / 2

    first, last = math.floor(pair(32)), math.ceil(pair(1))
    found = []
    for k in range(head_dim // 2):
        plain = base ** (-2 * k / head_dim)
        share = 0 if k <= first else 1 if k >= last else (k - first) / (last - first)
        found.append(plain + (plain / factor - plain) * share)
    return [*found, 1 + math.log(factor) / 10]


def positions(documents: NDArray) -> list[list[int]]:
    return [
        [row[:c].count(number) if number else 0 for c, number in enumerate(row)]
        for row in documents.tolist()
    ]


def shifted(keys: NDArray, old: NDArray, new: NDArray, omega: NDArray) -> list[list[float]]:
    rows, n = keys.tolist(), len(omega)
    for row, before, after in zip(rows, old.tolist(), new.tolist(), strict=True):
        for k in range(n):
            turned = complex(row[k], row[k + n]) * np.exp(1j * (after - before) * omega[k])
            row[k], row[k + n] = turned.real, turned.imag
    return rows


SHARES = st.sampled_from([0.25, 0.5, 0.75, 1.0])
HEADS = st.integers(1, 32).map(lambda n: 8 * n)
BASES = st.integers(10, 10**7)


def documents_of(lengths: list[list[int]], padding: int) -> NDArray:
    rows = [
        [0] * padding + [n for n, length in enumerate(row, 1) for _ in range(length)]
        for row in lengths
    ]
    longest = max(map(len, rows))
    return np.array([row + [0] * (longest - len(row)) for row in rows])


BATCHES = st.builds(
    documents_of,
    st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=4), min_size=1, max_size=4),
    st.integers(0, 5),
)


def some_cache(n_keys: int, n_pairs: int, n_rest: int, seed: int) -> tuple:
    generator = np.random.default_rng(seed)
    keys = generator.uniform(-2, 2, (n_keys, 2 * n_pairs + n_rest))
    old, new = generator.integers(0, 2000, (2, n_keys))
    return keys, old, new, generator.uniform(0.0001, 1, n_pairs)


CACHES = st.builds(
    some_cache, st.integers(1, 12), st.integers(1, 8), st.integers(0, 6), st.integers(0, 99)
)


ANSWERS = {
    "frequencies-of-share": Answers(
        second=frequencies,
        asked=st.tuples(HEADS, BASES, SHARES, st.booleans()),
        right=(
            frequencies,
            lambda d, b, share, p: (
                np.array([b ** (-2 * k / d) * (2 * k < d * share) for k in range(d // 2)])
                if p
                else 1 / float(b) ** (np.arange(int(d * share) // 2) * 2 / (d * share))
            ),
        ),
        equal_changes={"turned -> turned - 1": "of an even number, the last begins no pair"},
    ),
    "yarn-of-configuration": Answers(
        second=yarn,
        asked=st.tuples(
            st.sampled_from([64, 96, 128, 256]),
            st.integers(1000, 10**6),
            st.integers(2, 64).map(float),
            st.sampled_from([2048, 4096, 8192, 32_768]),
        ),
        right=(yarn, lambda *given: np.array(yarn(*given), dtype=np.float64)),
        equal_changes={
            "head_dim // 2 -> head_dim / 2": "the width is even",
            "np.clip((pairs - begin) / (end - begin), 0, 1)"
            " -> np.clip(0, (pairs - begin) / (end - begin), 1)": "the middle of three numbers",
        },
    ),
    "positions-in-batch": Answers(
        second=positions,
        asked=st.tuples(BATCHES),
        right=(
            positions,
            lambda documents: np.array(positions(documents), dtype=float),
        ),
    ),
    "shifted-cache": Answers(
        second=shifted,
        asked=CACHES,
        right=(shifted,),
    ),
    "five-suspects": Answers(
        second=lambda: [4, 1, 5, 3, 2],
        asked=st.just(()),
        right=([4, 1, 5, 3, 2], (4, 1, 5, 3, 2), np.array([4.0, 1.0, 5.0, 3.0, 2.0])),
    ),
}
