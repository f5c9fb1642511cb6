"""Tests of the explorer of learned clocks against plain loops."""

import cmath
import math

import numpy as np
import pytest

from course_utils.explorers import learned_clocks_explorer
from course_utils.explorers.learned_clocks.hands import (
    START,
    VECTORS,
    at_even_pace,
    hands_of,
    paces,
    similarities,
    steady_hands,
)
from course_utils.learned_positions import CLEAN_ROWS, fit_clocks, learned_rows

CLEAN = CLEAN_ROWS["minilm"]


def apart(angle: float, other: float) -> float:
    """Return the smaller angle between two directions."""
    return abs(cmath.phase(cmath.exp(1j * (angle - other))))


def test_hands_turn_as_rows_of_model():
    """Angles between hands are compared with products of rows and a plane."""
    rows = learned_rows("minilm")[:, :10]
    plane = fit_clocks(rows[CLEAN]).planes[:, 1]
    tips = hands_of("minilm").tips()[:, 2:4]
    for one, other in ((0, 40), (128, 129), (200, 390), (505, 511)):
        products = [sum(a * b for a, b in zip(rows[at], plane, strict=True)) for at in (one, other)]
        directions = [math.atan2(*tips[at]) for at in (one, other)]
        turn = cmath.phase(products[1]) - cmath.phase(products[0])
        assert apart(directions[1] - directions[0], turn) < 1e-9
        lengths = [math.hypot(*tips[at]) for at in (one, other)]
        assert lengths[1] / lengths[0] == pytest.approx(abs(products[1]) / abs(products[0]))


@pytest.mark.parametrize("vectors", VECTORS)
def test_tips_are_within_their_dials(vectors):
    tips = hands_of(vectors).tips().reshape(-1, 2)
    assert np.hypot(*tips.T).max() <= 1 + 1e-9


def test_even_pace_approaches_steady_hands():
    hands = hands_of("minilm")
    even, steady = at_even_pace(hands), steady_hands(hands, "minilm")
    steps = np.diff(even.phases[CLEAN, 0])
    np.testing.assert_allclose(steps, steps.mean(), rtol=1e-9)
    for clock in range(4):
        gaps, uneven = (
            max(apart(each.phases[at, clock], steady.phases[at, clock]) for at in range(128, 506))
            for each in (even, hands)
        )
        assert gaps < 0.25 and gaps < uneven
    for end in (0, 127, 128, 505, 511):
        np.testing.assert_allclose(even.phases[end], hands.phases[end])


def test_steady_hands_equal_sinusoidal_table_of_base_243():
    steady = steady_hands(hands_of("minilm"), "minilm")
    speeds = np.diff(steady.phases, axis=0)
    np.testing.assert_allclose(speeds, np.tile(speeds[0], (511, 1)))
    wanted = [speeds[0, 0] * (3**5) ** (-2 * pair / 10) for pair in range(5)]
    np.testing.assert_allclose(speeds[0], wanted)


def test_pace_of_even_hands_is_one():
    phases = steady_hands(hands_of("whisper"), "whisper").phases
    found = paces(phases, "whisper")
    assert np.isnan(found[:12]).all() and np.isnan(found[-12:]).all()
    np.testing.assert_allclose(found[12:-12], 1)


@pytest.mark.parametrize("vectors", VECTORS)
def test_map_shows_cosines_of_rows(vectors):
    shown = similarities(vectors, START, 20)
    np.testing.assert_allclose(np.diag(shown), 1)
    if vectors == "circles":
        real = similarities("minilm", START, 20)
        assert np.abs(shown - real).max() < 0.25
        return
    rows = learned_rows(vectors)[START : START + 20]
    for i, j in ((0, 7), (3, 19), (11, 5)):
        dot = math.fsum(a * b for a, b in zip(rows[i], rows[j], strict=True))
        assert shown[i, j] == pytest.approx(
            dot / math.dist(rows[i], 0 * rows[i]) / math.dist(rows[j], 0 * rows[j])
        )


def test_unknown_vectors_are_named():
    with pytest.raises(ValueError, match="selected must be one of minilm, circles, whisper; got"):
        learned_clocks_explorer("bert")


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("vectors", VECTORS)
def test_every_position_has_sentence(vectors, even):
    scene = learned_clocks_explorer().scene_for(vectors=vectors, below="map", even=even)
    for position in range(scene.n_positions):
        assert scene.sentence(position).plain["en"] and scene.sentence(position).plain["es"]
