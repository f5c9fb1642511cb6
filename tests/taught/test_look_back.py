"""Tests of lesson 07's statements about look-back heads, in other settings.

The tests vary sizes, seeds and bases that a statement does not mention, in runs stored by
experiments/look_back.py and in new runs. If the result depends on a setting, the statement mentions
this setting.
"""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from checks.experiment_scripts import script

from course_utils import shift_matrix, sinusoidal_encoding
from course_utils.attention import look_back_accuracy, train_look_back
from course_utils.lessons.look_back_runs import (
    D_MODELS,
    LENGTHS,
    LookBackRuns,
    seen_directions,
    unseen_numbers,
)

look_back = script("look_back", needs_pytorch=False)
SETTINGS, MEASURED = look_back.Run._fields, look_back.Result._fields


def stored(path: Path) -> dict[tuple[str, ...], dict[str, float]]:
    """Stored measurements, keyed by the settings of the run."""
    with path.open(encoding="utf-8", newline="") as file:
        assert file.readline().startswith("# Python 3.")
        rows = csv.DictReader(file)
        return {
            tuple(row[name] for name in SETTINGS): {name: float(row[name]) for name in MEASURED}
            for row in rows
        }


STORED = stored(look_back.STORED)
RUNS = {run: STORED[tuple(map(str, run))] for run in look_back.all_runs()}


def shares(measured: str, /, **setting: object) -> list[float]:
    """Return the proportions of all runs with a setting."""
    found = [
        result[measured]
        for run, result in RUNS.items()
        if all(getattr(run, name) == value for name, value in setting.items())
    ]
    assert found
    return found


LESSON = {"training": "convex", "start": 0, "words": 0, "encoding": "sinusoidal"}


# The script


def test_runs_are_stored_once_smallest_form_matches(tmp_path, monkeypatch):
    lines = look_back.STORED.read_text(encoding="utf-8").splitlines()
    assert len(RUNS) == len(STORED) == len(list(look_back.all_runs())) == len(lines) - 2
    file = tmp_path / "smallest.csv"
    monkeypatch.setattr("sys.argv", ["look_back.py", "--smallest", "--to", str(file)])
    for _ in range(2):  # the second time, nothing is left to do
        look_back.main()
        made = stored(file)
        assert len(made) == len(file.read_text(encoding="utf-8").splitlines()) - 2 > 50
    for setting, measured in made.items():
        assert measured == pytest.approx(STORED[setting], abs=2e-3), setting


# Rotation and training, within and beyond the training length


@pytest.mark.parametrize(("d_model", "length"), [(6, 20), (256, 16)])
def test_rotation_back_is_correct_at_every_size(d_model, length):
    for base, r, first in product((10, 500_000), (1, 13), (0, 777)):
        table = sinusoidal_encoding(first + 2 * length, d_model, base=base)[first:]
        turn_back = shift_matrix(-r, d_model, base=base).T
        assert look_back_accuracy(table, turn_back, r) == 1


def test_trained_head_fails_beyond_training_length():
    assert set(shares("trained", **LESSON)) == {1}
    sizes = []
    for r in (1, 2, 4, 8):
        before, after = (
            np.mean(np.equal(shares(name, **LESSON, steps_back=r, n_steps=300), 1))
            for name in ("twice", "turning")
        )
        assert before < 0.5 < after
        sizes.append(before)
    assert sizes == sorted(sizes, reverse=True)
    assert np.mean(shares("twice", **LESSON, d_model=256)) < 0.8


# Parts of the matrix that the data do not determine


@pytest.mark.parametrize(("d_model", "length"), [(8, 64), (64, 32)])
def test_untrained_part_matters_only_beyond_training(d_model, length):
    table = sinusoidal_encoding(2 * length, d_model)
    seen = seen_directions(table[:length])
    outside = np.eye(d_model) - seen.T @ seen
    weights = train_look_back(table[:length], 1)
    size = np.linalg.norm(weights)
    start = 0.3 * np.random.default_rng(0).standard_normal((d_model, d_model))
    moved = train_look_back(table[:length], 1, start=start) - start
    assert np.linalg.norm(outside @ moved @ outside) < 1e-3 * np.linalg.norm(start)
    changed = weights + unseen_numbers(seen, 3 * size, seed=1)
    assert np.linalg.norm(changed - weights) == pytest.approx(3 * size)
    assert look_back_accuracy(table[:length], changed, 1) == 1
    before, after = (look_back_accuracy(table, each, 1) for each in (weights, changed))
    assert after < before or d_model == 8


# Runs and numbers in the lesson


def test_run_is_found_by_its_settings():
    runs = LookBackRuns(look_back.STORED)
    for setting in ({}, {"d_model": 8, "training": "adam", "n_steps": 1000, "start": 0.01}):
        wanted = {**LESSON, "length": 64, "steps_back": 1, "n_steps": 300, "sentences": 1} | setting
        assert runs.find("twice", **setting).tolist() == shares("twice", **wanted)
    over_sizes = runs.over_sizes("turning", steps_back=8)
    for (row, d_model), (column, length) in product(enumerate(D_MODELS), enumerate(LENGTHS)):
        at = {"d_model": d_model, "length": length, "steps_back": 8, "n_steps": 300}
        assert [over_sizes[row, column]] == shares("turning", **LESSON, **at)
