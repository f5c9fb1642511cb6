"""RoPE beyond its trained length: frequencies against plain loops, and what the lesson says."""

import json
import math

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS, script

from course_utils import angular_frequencies
from course_utils.frequencies import wave_encoding
from course_utils.stretching import (
    WAYS,
    fit_waves,
    smooth_scores,
    stretched_frequencies,
    turns_in_training,
    unseen_pairs,
)

RUN = ("task", "encoding", "seed")
SIZES = [(4, 64, 2, 10_000), (16, 32, 4, 10_000), (128, 8192, 8, 500_000)]


@pytest.mark.parametrize(("d_model", "length", "factor", "base"), SIZES)
def test_frequencies_are_those_of_the_papers_and_leave_so_many_new_angles(
    d_model, length, factor, base
):
    for k in range(d_model // 2):
        omega = base ** (-2 * k / d_model)
        turns = length / (2 * math.pi / omega)
        kept = min(1, max(0, (turns - 1) / 31))
        larger = base * factor ** (d_model / (d_model - 2))
        expected = {
            "trained": omega,
            "interpolation": omega / factor,
            "ntk": larger ** (-2 * k / d_model),
            "yarn": (1 - kept) * omega / factor + kept * omega,
        }
        got = {way: stretched_frequencies(way, d_model, factor, length, base=base) for way in WAYS}
        assert {way: got[way][k] for way in WAYS} == pytest.approx(expected, rel=1e-12)
        assert turns_in_training(d_model, length, base=base)[k] == pytest.approx(turns)
    # Angles that are new: none where interpolated, those of all slow pairs but the last with NTK.
    slow = (turns_in_training(d_model, length, base=base) < 1).sum()
    for way, n_new in zip(WAYS, (slow, 0, max(0, slow - 1), 0), strict=True):
        assert unseen_pairs(got[way], factor * length, length, base=base).sum() == n_new


@pytest.mark.parametrize(("d_model", "length"), [(32, 32), (128, 512)])
def test_a_free_fit_leaves_the_trained_size_and_a_penalised_one_does_not(d_model, length):
    """What the lesson prints at two lengths, at four, and the verdicts that its text draws."""
    table = wave_encoding(length, angular_frequencies(d_model))
    frequencies = [stretched_frequencies(way, d_model, 4, length) for way in WAYS]
    stretched = [wave_encoding(4 * length, each) for each in frequencies]
    wanted = [smooth_scores(length, seed) for seed in range(10)]
    peaks = {}
    for penalty in (1e-12, 1.0):
        weights = np.array([fit_waves(table, each, penalty) for each in wanted])
        assert np.abs(weights @ table.T - wanted).max() < (1e-4 if penalty < 1 else 0.7)
        peaks[penalty] = [np.abs(each @ weights.T).max() for each in stretched]
    as_trained, interpolation, ntk, yarn = peaks[1e-12]
    assert as_trained > 9 and ntk > 5 and interpolation < 1.5 and yarn < 4
    assert max(peaks[1.0]) < 2.6


# The small model ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_model():
    return script("small_model")


@pytest.fixture(scope="module")
def stored():
    return json.loads((EXPERIMENTS / "small_model.json").read_text())


@pytest.mark.slow
def test_every_run_is_stored_once_and_the_first_steps_are_the_stored_ones(small_model, stored):
    assert stored["settings"] == small_model.SETTINGS
    encodings = [*small_model.TRAINED, *list(small_model.ROPE)[1:]]
    wanted = [(t, e, s) for s in small_model.SEEDS for t in small_model.TASKS for e in encodings]
    runs = [tuple(each[name] for name in RUN) for each in stored["results"]]
    assert sorted(runs) == sorted(wanted)
    trained = [each for each in stored["results"] if "first_losses" in each]
    for each in trained[::11]:  # of all tasks, and all encodings
        n_steps = len(each["first_losses"])
        _, losses = small_model.train(each["task"], each["encoding"], each["seed"], n_steps)
        assert losses == pytest.approx(each["first_losses"], abs=2e-3), each


@pytest.mark.slow
def test_the_script_makes_the_run_that_is_missing_as_it_was(
    small_model, stored, tmp_path, monkeypatch
):
    """The shortest of them; other processors round otherwise, so a few answers may differ."""
    (before,) = (r for r in stored["results"] if [r[k] for k in RUN] == ["which-first", "none", 0])
    others = [each for each in stored["results"] if each != before]
    monkeypatch.setattr(small_model, "STORED", tmp_path / "small_model.json")
    small_model.write(stored | {"results": others})
    small_model.main()
    made = json.loads(small_model.STORED.read_text())["results"]
    (again,) = (each for each in made if each not in others)
    assert len(made) == len(others) + 1
    assert again["accuracy"] == pytest.approx(before["accuracy"], abs=0.05)
