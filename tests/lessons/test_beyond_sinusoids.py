"""Tests of the code and figures in lesson 08."""

import math
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course_utils.explorers import score_explorer
from course_utils.explorers.scene import scores
from course_utils.relative import alibi_bias, rotate

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "08_beyond_sinusoids.ipynb"


def test_lesson_code_for_rope_alibi_matches_package():
    cells = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells}
    page = {"np": np}
    exec(cells["write-rope"] + "\n" + cells["write-alibi"], page)
    vectors = np.random.default_rng(0).normal(size=(7, 6))
    for first, base in ((0, 10_000), (5000, 10)):
        here = np.arange(first, first + 7)
        of_package = rotate(vectors, here, base=base)
        np.testing.assert_allclose(page["rope"](vectors, here, base), of_package, atol=1e-9)
    for length, n_heads in ((1, 2), (30, 1), (30, 16)):
        assert np.array_equal(page["alibi"](length, n_heads), alibi_bias(length, n_heads))


def slow_scores(scheme: str, query: int, head: int, base: float) -> list[float]:
    """Compute the scores of keys one by one, with the same random numbers."""
    d_model = scores.D_MODEL
    numbers, words, between = (
        np.random.default_rng(head).normal(size=size)
        for size in (scores.N_BUCKETS, (2, d_model), (2, d_model, d_model))
    )
    frequencies = [base ** (-2 * k / d_model) for k in range(d_model // 2)]

    def row(position: int) -> list[float]:
        return [wave(position * w) for w in frequencies for wave in (math.sin, math.cos)]

    def score(key: int) -> float:
        back = query - key
        if scheme == "alibi":
            return -back * 2.0**-head
        if scheme == "t5-encoder":
            return numbers[sum(back >= at for at in [*range(1, 9), 12, 16, 23, 32, 46, 64, 91])]
        if scheme == "t5-decoder":
            return numbers[min(back, 16) if back < 19 else 31 if back >= 113 else -1]
        if scheme == "rope":
            pairs = words[:, 0::2] + 1j * words[:, 1::2]
            angles = [back * w for w in frequencies]
            turned = pairs[0] * np.conj(pairs[1]) * np.exp(1j * np.array(angles))
            return turned.real.sum() / math.sqrt(d_model)
        first, second = row(query), row(key)
        if scheme == "sinusoidal-projected":
            first, second = first @ between[0], second @ between[1] * 2 / d_model
        return sum(a * b for a, b in zip(first, second, strict=True)) / math.sqrt(d_model)

    return [score(query - back) for back in (0, 1, 7, 18, 113, 160)]


@pytest.mark.parametrize("scheme", scores.SCHEMES)
def test_scores_follow_formula(scheme):
    for head, base in product((1, 4, 8), (2, 10_000)):
        of_all = [scores.scores_back(scheme, i, head=head, base=base) for i in (160, 300, 1111)]
        for query, back in zip((160, 300, 1111), of_all, strict=True):
            chosen = back[[0, 1, 7, 18, 113, 160]]
            np.testing.assert_allclose(chosen, slow_scores(scheme, query, head, base), atol=1e-9)
        stands_still = np.ptp(of_all, axis=0).max() < 1e-9
        assert stands_still is np.bool_(scheme != "sinusoidal-projected")


def test_score_axes_are_fixed_unknown_scheme_rejected():
    with pytest.raises(ValueError, match="selected must be one of sinusoidal, .*; got 'rop'"):
        score_explorer("rop")
    explorer = score_explorer()
    (first,) = explorer.scene.panels
    for scheme in scores.SCHEMES:
        explorer.apply({"scheme": scheme, "head": 1, "base": 2})
        (panel,) = explorer.scene.panels
        assert (panel.x, panel.y) == (first.x, first.y)
