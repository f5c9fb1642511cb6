"""Tests of the network that learns a picture, against PyTorch and the claims in lesson 12."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from checks.experiment_scripts import pytorch
from checks.javascript import running
from checks.refusals import assert_refused
from hypothesis import given
from hypothesis import strategies as st

import course_utils
from course_utils.fields import (
    MAX_WAVES,
    PICTURES,
    WIDTH,
    NeuralField,
    drawn_picture,
    pixel_centres,
    seen_pixels,
    typical_error,
    wave_features,
    wave_frequencies,
)

with_waves = pytest.mark.parametrize(("n_waves", "fastest"), [(0, 1), (1, 3), (5, 4), (8, 16)])


def some_points(n_points: int = 40) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(3)
    return generator.uniform(size=(n_points, 2)), generator.uniform(size=n_points)


def layers(field: NeuralField, point: np.ndarray) -> float:
    """Compute an output in plain loops."""
    turns = [
        0.5 * (2 * field.fastest) ** (k / (field.n_waves - 1))
        if field.n_waves > 1
        else field.fastest
        for k in range(field.n_waves)
    ]
    units = [2 * point[0] - 1, 2 * point[1] - 1]
    for turn in turns:
        for place in point:
            units += [wave(2 * math.pi * turn * place) for wave in (math.sin, math.cos)]
    units = [unit / math.sqrt(len(units)) for unit in units]
    for layer in (1, 2, 3):
        matrix, bias = field.weights[f"W_{layer}"], field.weights[f"b_{layer}"]
        sums = [
            math.fsum(unit * row[j] for unit, row in zip(units, matrix, strict=False)) + bias[j]
            for j in range(len(bias))
        ]
        units = sums if layer == 3 else [max(0, total) for total in sums]
    return units[0]


# Pictures and points


@given(st.integers(1, 12))
def test_training_uses_every_second_pixel(size):
    seen, points = seen_pixels(size), pixel_centres(size)
    for number, (x, y) in enumerate(points):
        row, column = divmod(number, size)
        assert (x, y) == ((column + 0.5) / size, (row + 0.5) / size)
        assert seen[number] == ((row + column) % 2 == 0)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_hold_grey_levels_at_any_size(name):
    small, large = (drawn_picture(name, size) for size in (24, 96))
    assert small.shape == (24, 24) and 0 <= large.min() < 0.05 and 0.95 < large.max() <= 1
    # Each pixel of the smaller picture covers 4 × 4 pixels of the larger one.
    means = large.reshape(24, 4, 24, 4).mean(axis=(1, 3))
    assert np.abs(means - small).mean() < 0.1


def test_drawn_pictures_are_upright_with_rings():
    clock, rings = drawn_picture("clock", 96), drawn_picture("rings", 96)
    assert clock[8, 48] == 1  # the rim, at twelve
    assert clock[48 - 10, 48 + 17] > 0.5 > clock[48 + 10, 48 + 17]  # the long hand, at ten past
    middle = rings[48, 48:] > 0.5
    changes = np.flatnonzero(middle[1:] != middle[:-1])
    assert len(changes) >= 5 and (np.diff(np.diff(changes)) <= 1).all()


@given(st.integers(2, MAX_WAVES), st.floats(0.6, 64))
def test_waves_range_from_half_turn_to_fastest(n_waves, fastest):
    turns = wave_frequencies(n_waves, fastest) / (2 * math.pi)
    np.testing.assert_allclose(turns, np.geomspace(0.5, fastest, n_waves))
    np.testing.assert_allclose(wave_frequencies(1, fastest), 2 * math.pi * fastest)


def test_wave_features_of_one_point():
    x, y, w, v = 0.3, 0.8, 2.0, 5.0
    expected = [2 * x - 1, 2 * y - 1]
    for frequency in (w, v):
        expected += [f(frequency * place) for place in (x, y) for f in (math.sin, math.cos)]
    features = wave_features([[x, y]], [w, v])
    np.testing.assert_allclose(features[0] * math.sqrt(10), expected)


# The network


@with_waves
def test_answers_against_loops(n_waves, fastest):
    field, (points, levels) = NeuralField(n_waves, fastest, seed=5), some_points()
    field.train(points, levels, 3)
    expected = [layers(field, point) for point in points[:5]]
    np.testing.assert_allclose(field.predict(points[:5]), expected, atol=1e-12)


@with_waves
def test_gradient_against_finite_differences(n_waves, fastest):
    field, (points, levels) = NeuralField(n_waves, fastest, seed=4), some_points()
    field.train(points, levels, 3)
    _, gradient = field.loss(points, levels)
    generator, step = np.random.default_rng(0), 1e-6
    for name, weights in field.weights.items():
        for number in generator.integers(weights.size, size=min(weights.size, 60)):
            kept, losses = weights.flat[number], []
            for change in (step, -step):
                weights.flat[number] = kept + change
                losses.append(field.loss(points, levels)[0])
            weights.flat[number] = kept
            measured = (losses[0] - losses[1]) / (2 * step)
            assert gradient[name].flat[number] == pytest.approx(measured, abs=1e-8)
        assert np.abs(gradient[name]).max() > 1e-4


def test_training_against_pytorch():
    torch = pytorch()
    field, (points, levels) = NeuralField(6, 8, seed=2), some_points(200)
    inputs = torch.from_numpy(wave_features(points, wave_frequencies(6, 8)))
    weights = {name: torch.tensor(each, requires_grad=True) for name, each in field.weights.items()}
    adam = torch.optim.Adam(weights.values(), lr=0.02, betas=(0.9, 0.99), eps=1e-8)
    expected = []
    for _ in range(40):
        units = inputs
        for layer in (1, 2, 3):
            matrix = weights[f"W_{layer}"][: units.shape[1]]
            units = units @ matrix + weights[f"b_{layer}"]
            if layer < 3:
                units = torch.relu(units)
        loss = torch.nn.functional.mse_loss(units[:, 0], torch.from_numpy(levels))
        adam.zero_grad()
        loss.backward()
        adam.step()
        expected.append(loss.item())
    np.testing.assert_allclose(field.train(points, levels, 40), expected, rtol=1e-7)


def test_waves_may_change_between_two_steps():
    field, (points, levels) = NeuralField(2, 4), some_points()
    field.train(points, levels, 5)
    unused = field.weights["W_1"][10:].copy()
    field.n_waves, field.fastest = 8, 16
    assert np.array_equal(field.weights["W_1"][10:], unused)
    losses = field.train(points, levels, 100)
    assert losses[-1] < losses[0] / 4 and field.n_steps == 105


# The claims of lesson 12, for each picture and for other seeds


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_waves_determine_blur_or_noise(name, seed):
    levels, seen = drawn_picture(name).ravel(), seen_pixels(48)
    points, errors = pixel_centres(48), {}
    for n_waves, fastest in ((0, 8), (8, 4), (8, 32)):
        field = NeuralField(n_waves, fastest, seed=seed)
        field.train(points[seen], levels[seen], 300)
        answers = field.predict(points)
        errors[n_waves, fastest] = [
            typical_error(levels[each], answers[each]) for each in (seen, ~seen)
        ]
    blurred, sharp, noisy = errors.values()
    # Blurred: the errors are equal at the training pixels and between them.
    assert min(blurred) > 0.22 and abs(blurred[0] - blurred[1]) < 0.01
    assert max(sharp) < 0.16
    # Noisy: the answers are right at the training pixels and wrong between them.
    assert noisy[0] < 0.12 and noisy[1] > 0.25


# The JavaScript version

NETWORK = Path(course_utils.__file__).parent / "explorers" / "fields" / "network.js"
LEARN = """(kept = new network.NeuralField(given.field),
    kept.inputs = network.waveFeatures(Float64Array.from(given.points), kept.frequencies),
    Array.from({ length: given.steps }, () => kept.learn(kept.inputs, given.levels)))"""


@pytest.fixture(scope="module")
def network() -> Iterator[Callable[[str, object], object]]:
    """Module of the explorer, with a network in ``kept``."""
    with running(f'import * as network from "{NETWORK.as_uri()}";\nlet kept;\n') as ask:
        yield ask


def test_both_languages_have_equal_settings(network):
    assert network("[network.MOST_WAVES, network.WIDTH]", None) == [MAX_WAVES, WIDTH]
    points = network("Array.from(network.pixelCentres(given))", 7)
    np.testing.assert_allclose(np.reshape(points, (-1, 2)), pixel_centres(7))
    seen = network("Array.from({ length: 49 }, (_, i) => network.isSeen(i, 7))", None)
    assert np.array_equal(seen, seen_pixels(7))


@with_waves
def test_javascript_training_matches_numpy(network, n_waves, fastest):
    seen, levels = seen_pixels(24), drawn_picture("clock", 24).ravel()
    points, levels = pixel_centres(24)[seen], levels[seen]
    field = NeuralField(n_waves, fastest, seed=6)
    expected = field.train(points, levels, 60)
    how = {"waves": n_waves, "fastest": fastest, "seed": 6}
    given = {"field": how, "points": [*points.ravel()], "levels": [*levels], "steps": 60}
    np.testing.assert_allclose(network(LEARN, given), expected, rtol=1e-7)
    predict = "Array.from(kept.predict(network.pixelCentres(given)))"
    answers = field.predict(pixel_centres(11))
    np.testing.assert_allclose(network(predict, 11), answers, atol=1e-6)
    weights = network(
        "Object.fromEntries(Object.entries(kept.weights).map(([n, w]) => [n, [...w]]))", 0
    )
    for name, each in field.weights.items():
        np.testing.assert_allclose(weights[name], each.ravel(), atol=1e-6)
    # Change the waves halfway through training.
    change = """(kept.change({ waves: 3, fastest: 5 }),
        kept.inputs = network.waveFeatures(Float64Array.from(given.points), kept.frequencies),
        Array.from({ length: 20 }, () => kept.learn(kept.inputs, given.levels)))"""
    field.n_waves, field.fastest = 3, 5
    np.testing.assert_allclose(network(change, given), field.train(points, levels, 20), rtol=1e-5)


def test_explorer_run_takes_seconds(network):
    """A run of 300 steps may take 6 s, so that the test also passes on a busy machine."""
    seen = seen_pixels(48)
    given = {
        "field": {"waves": MAX_WAVES, "fastest": 8, "seed": 1},
        "points": [*pixel_centres(48)[seen].ravel()],
        "levels": [*drawn_picture("clock").ravel()[seen]],
        "steps": 300,
    }
    processor = f"(given.since = process.cpuUsage(), {LEARN}, process.cpuUsage(given.since).user)"
    assert network(processor, given) < 6e6  # microseconds


# Bad input


def test_invalid_fields_are_rejected_in_one_sentence():
    assert_refused(lambda: NeuralField(9), "n_waves", "at most 8", "9")
    assert_refused(lambda: NeuralField(-1), "n_waves", "-1")
    assert_refused(lambda: NeuralField(4, 0), "fastest", "above 0")
    assert_refused(lambda: NeuralField(4, 4, seed=0), "seed", "0")
    assert_refused(lambda: drawn_picture("cat"), "name", "clock, rings", "'cat'")
    assert_refused(lambda: pixel_centres(0), "size", "0")
    assert_refused(lambda: NeuralField().predict([[0, 0, 0]]), "points", "(1, 3)")
    assert_refused(lambda: NeuralField().loss([[0, 0]], [1, 2]), "levels", "(2,)")
