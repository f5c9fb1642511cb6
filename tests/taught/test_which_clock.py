"""Tests of the stored results about the clock that causes the failure."""

import json

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS

from course_utils.pictures.clock_to_blame import added_to_scores, share_undone

RUNS = json.loads((EXPERIMENTS / "which_clock.json").read_text(encoding="utf-8"))["runs"]
THE_SLIP = {"seed": 1, "trained_length": 32, "d_head": 18}
"""The only model whose fastest clock does more harm than the partly seen clock."""


def name(run: dict) -> str:
    return f"{run['trained_length']}-{run['d_head']}-{run['seed']}"


def part_seen(run: dict) -> int:
    """Return the slowest clock that made more than a quarter of a turn in training."""
    return max(np.flatnonzero(np.array(run["turns"]) > 0.25))


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_blamed_clock_trained_on_partial_turn(run):
    is_the_slip, undone = THE_SLIP.items() <= run.items(), share_undone(run)
    assert run["blamed"] == (0 if is_the_slip else part_seen(run))
    assert 0.3 < run["turns"][part_seen(run)] < 0.65
    assert undone[part_seen(run) + 1 :].max() < 0.15
    if run["trained_length"] == 64:
        assert undone[run["blamed"]] > 0.85 and np.delete(undone, run["blamed"]).max() < 0.5
    bits = run["bits"]
    assert abs(bits["all"] - bits["window"]) < 0.15 < 2 < bits["beyond"] - bits["window"]


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_heads_use_blamed_clock_as_distance(run):
    """The test uses the mean over all heads."""
    length, pair = run["trained_length"], part_seen(run)
    distances = np.arange(4 * length)
    added = added_to_scores(run, pair, distances).mean(axis=0)
    lowest = added[: 2 * length].argmin()
    assert added[1] > 0 and added[lowest] < -5
    assert added[length:].max() > added[: length - 1].max()
