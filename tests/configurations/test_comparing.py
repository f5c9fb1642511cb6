"""Tests of comparing correct and faulty implementations of RoPE."""

import cmath
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.configurations import released_model
from course_utils.configurations.comparing import (
    BROKEN,
    POSITIONS,
    right_scores,
    score_differences,
    scores_of,
)


def by_complex_numbers(queries, keys, position):
    """Compute the correct scores pair by pair with complex numbers."""
    scores = []
    for query, key in zip(queries.tolist(), keys.tolist(), strict=True):
        half = len(query) // 2
        score = 0.0
        for k in range(half):
            angle = position / 8 * 500_000 ** (-k / half)
            turned = complex(query[k], query[k + half]) * cmath.exp(1j * angle)
            score += (turned * complex(key[k], -key[k + half])).real
        scores.append(score)
    return scores


def turned_both(queries, keys, position):
    """Compute scores at other positions with the same distance."""
    half = queries.shape[1] // 2
    omega = 500_000.0 ** (-np.arange(half) / half) / 8

    def turn(vectors, at):
        x, y = vectors[:, :half], vectors[:, half:]
        c, s = np.cos(at * omega), np.sin(at * omega)
        return np.hstack([x * c - y * s, x * s + y * c])

    return (turn(queries, position + 777) * turn(keys, 777)).sum(axis=1)


@pytest.mark.parametrize("other", [by_complex_numbers, turned_both, right_scores])
def test_correct_implementations_agree(other):
    assert score_differences(right_scores, other).max() < 1e-9


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_fault_is_visible_at_distance(name):
    differences = score_differences(right_scores, BROKEN[name])
    assert differences.shape == (len(POSITIONS),)
    assert differences[-1] > 0.02


def test_position_zero_hides_four_faults():
    at_zero = {name: score_differences(right_scores, broken)[0] for name, broken in BROKEN.items()}
    assert [name for name, difference in at_zero.items() if difference > 1e-9] == ["late"]


def test_patterns_match_lesson():
    base, factor, layout, precision, late = (
        score_differences(right_scores, BROKEN[name])
        for name in ("base", "factor", "layout", "precision", "late")
    )
    assert base[1] < 0.02 < layout[1] < factor[1]
    assert min(base[2], factor[2], layout[2]) > 0.5
    assert precision[2] < 0.001 < precision[3]
    assert np.ptp(late) < 0.01


def bfloat16(number):
    """Round a number to bfloat16."""
    mantissa, exponent = math.frexp(number)
    return math.ldexp(round(mantissa * 2**8), exponent - 8)


def by_changed_positions(change):
    """Return an implementation that rotates queries and keys by changed positions."""

    def scores(queries, keys, position, key_position=0):
        return right_scores(queries, keys, change(position), change(key_position))

    return scores


WRONG_FAR_OUT = {
    "positions in bfloat16": by_changed_positions(bfloat16),
    "table of 8192 rows, clipped": by_changed_positions(lambda position: min(position, 8191)),
    "table of 16050 rows, begun again": by_changed_positions(lambda position: position % 16_050),
    "positions in steps of 8 from 4096 on": by_changed_positions(
        lambda position: position // 8 * 8 if position > 4096 else position
    ),
}
"""Implementations that are correct only near the beginning of a text."""


@pytest.mark.parametrize("name", WRONG_FAR_OUT)
def test_fault_at_large_positions_needs_start(name):
    other, positions = WRONG_FAR_OUT[name], (0, 1, 100)
    assert score_differences(right_scores, other, positions=positions).max() < 1e-9
    assert score_differences(right_scores, other, positions=positions, start=16_001).max() > 0.02


@pytest.mark.parametrize("start", [1, 16_000, 10**6])
@pytest.mark.parametrize("model", ["llama-3.1-8b", "gpt-oss-20b"])
def test_start_keeps_correct_scores(start, model):
    (*_, kind) = released_model(model).positions().kinds
    given_ = {"head_dim": kind.head_dim, "start": start}
    scores = scores_of(kind)
    assert score_differences(scores, scores, **given_).max() == 0
    assert score_differences(right_scores, by_changed_positions(float), start=start).max() < 1e-6
    near = scores(np.eye(kind.head_dim), np.ones((kind.head_dim, kind.head_dim)), 5)
    far = scores(np.eye(kind.head_dim), np.ones((kind.head_dim, kind.head_dim)), 5 + start, start)
    np.testing.assert_allclose(near, far, rtol=0, atol=1e-9)


@pytest.mark.parametrize("start", [-1, 1.5, True])
def test_start_is_checked(start):
    with pytest.raises((ValueError, TypeError), match="start must be"):
        score_differences(right_scores, right_scores, start=start)


@settings(max_examples=25, deadline=None)
@given(half=st.integers(2, 64), seed=st.integers(0, 99), distance=st.integers(1, 10**5))
def test_scores_agree_for_any_width(half, seed, distance):
    given_ = {"head_dim": 2 * half, "positions": (distance,), "seed": seed}
    assert score_differences(right_scores, by_complex_numbers, **given_)[0] < 1e-6


def test_unrelated_scores_differ_as_much_as_scores():
    (difference,) = score_differences(
        right_scores, lambda queries, keys, position: -right_scores(queries, keys, position),
        positions=(5,),
    )  # fmt: skip
    assert difference == pytest.approx(2)
    assert math.isfinite(difference)


@pytest.mark.parametrize("head_dim", [0, 2.5, True])
def test_width_is_checked(head_dim):
    with pytest.raises((ValueError, TypeError), match="head_dim must be"):
        score_differences(right_scores, right_scores, head_dim=head_dim)


@pytest.mark.parametrize("model", ["llama-3.1-8b", "gpt-neox-20b", "gemma-4-26b", "gpt-oss-20b"])
@pytest.mark.parametrize("neighbours", [False, True])
def test_scores_of_model_by_loop_over_pairs(model, neighbours):
    kind = released_model(model).positions().kinds[-1]
    half = len(kind.frequencies)

    def by_hand(queries, keys, position):
        scores = np.zeros(len(queries))
        for row, (query, key) in enumerate(zip(queries, keys, strict=True)):
            score = query[2 * half :] @ key[2 * half :]
            for k, frequency in enumerate(kind.frequencies):
                i, j = (2 * k, 2 * k + 1) if neighbours else (k, k + half)
                turned = complex(query[i], query[j]) * cmath.exp(1j * position * frequency)
                score += (turned * complex(key[i], -key[j])).real
            scores[row] = score * kind.attention_scaling**2
        return scores

    given = scores_of(kind, neighbours=neighbours)
    assert score_differences(given, by_hand, head_dim=kind.head_dim).max() < 1e-9
    other = scores_of(kind, neighbours=not neighbours)
    assert score_differences(given, other, head_dim=kind.head_dim)[-1] > 0.02


def test_scores_of_layers_without_rope_are_rejected():
    kind = released_model("bert-base").positions().kinds[0]
    with pytest.raises(ValueError, match="kind must be a kind of layer with RoPE"):
        scores_of(kind)
