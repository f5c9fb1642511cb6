"""Tests that lesson 09's statements about ALiBi match the results of experiments/recall.py."""

import json

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS

STORED = json.loads((EXPERIMENTS / "recall.json").read_text(encoding="utf-8"))
LESSON = {"n_heads": 4, "d_model": 32, "n_layers": 1, "training": 1}
DISTANCES = np.array(STORED["distances"])
CHANCE = 1 / STORED["settings"]["n_letters"]


def accuracies(task: str, encoding: str, **change: int) -> np.ndarray:
    """Return accuracies of shape (seed, distance)."""
    wanted = {"task": task, "encoding": encoding, **LESSON, **change}
    found = [run["accuracy"] for run in STORED["runs"] if wanted.items() <= run.items()]
    assert len(found) == (1 if change else 5)
    return np.array(found)


def test_alibi_recall_by_mark_worsens_with_distance():
    alibi = accuracies("mark", "alibi").mean(axis=0)
    for encoding in ("none", "learned", "sinusoidal", "rope"):
        other = accuracies("mark", encoding).mean(axis=0)
        assert alibi.mean() > other.mean() and alibi[-1] > other[-1] - 0.03
        assert abs(other[:4].mean() - other[-3:].mean()) < 0.05
    assert 0.05 < alibi[:4].mean() - alibi[-3:].mean() < 0.15
    assert np.ptp(accuracies("mark", "alibi", training=4)) < 0.03


@pytest.mark.parametrize("change", [{}, {"n_layers": 2}])
def test_alibi_recalls_only_near_positions(change):
    alibi = accuracies("place", "alibi", **change)
    assert (alibi[:, 0] > 0.3).all()
    assert (abs(alibi[:, DISTANCES >= 12] - CHANCE) < 0.06).all()


def test_other_encodings_recall_far_positions():
    for encoding in ("learned", "sinusoidal", "rope"):
        assert accuracies("place", encoding)[:, -3:].mean() > 0.65
    assert accuracies("place", "none").max() < CHANCE + 0.06
