"""Measure when trained look-back heads also work beyond their training positions.

    python experiments/look_back.py                       all runs that are not stored yet
    python experiments/look_back.py --smallest --to FILE  the smallest of them, in seconds

Lesson 07 draws and evaluates the results. Each run is stored when it ends, so the script can be
stopped and restarted. All runs together take about ten minutes on one core.
"""

from __future__ import annotations

import argparse
import csv
import platform
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_utils import angular_frequencies, shift_matrix
from course_utils.attention import look_back_accuracy, look_back_loss, train_look_back
from course_utils.schemes import LOOK_BACK_ENCODINGS, look_back_table

STORED = Path(__file__).with_suffix(".csv")
FAR = 1000
"""First of the distant positions at which a head is tested."""
ADAM_RATE = 0.01
D_MODELS = (8, 16, 32, 64, 128, 256)
LENGTHS = (16, 24, 32, 48, 64, 96, 128)
SOME_LENGTHS = (16, 32, 64, 128)
SEEDS = range(5)


class Run(NamedTuple):
    """Settings of a training run.

    ``training`` is "convex" (as in the lesson), "adam", or "by hand" for the rotation matrix.
    ``start`` is the standard deviation of the entries of W before training. ``words`` is the
    standard deviation of the random words that are added to the positions of each of the
    ``sentences``. Only these random numbers depend on the seed.
    """

    encoding: str = "sinusoidal"
    d_model: int = 32
    length: int = 64
    steps_back: int = 1
    training: str = "convex"
    n_steps: int = 300
    start: float = 0.0
    words: float = 0.0
    sentences: int = 1
    seed: int = 0


class Result(NamedTuple):
    """Loss after training, and accuracy on several ranges of positions.

    ``trained`` is measured on the first training sentence, and ``reworded`` on the same positions
    with different words. The other ranges also have different words. ``turning`` is like ``twice``,
    but uses only the weights between pairs that make at least one turn in training.
    """

    loss: float
    trained: float
    reworded: float
    twice: float
    far: float
    turning: float


def all_runs() -> Iterator[Run]:
    """Yield the settings of all runs without repetition."""
    for length, d_model, steps_back in product(LENGTHS, D_MODELS, (1, 2, 4, 8)):
        size = {"d_model": d_model, "length": length, "steps_back": steps_back}
        yield Run(**size)
        yield Run(**size, training="by hand", n_steps=0)
    for length, d_model in product(SOME_LENGTHS, D_MODELS):
        size = {"d_model": d_model, "length": length}
        for encoding in LOOK_BACK_ENCODINGS:
            if encoding != "sinusoidal" and not (encoding == "binary" and d_model == 8):
                yield Run(encoding, **size)
        yield Run(**size, n_steps=3000)
        for seed in SEEDS:
            yield Run(**size, training="adam", n_steps=1000, start=0.01, seed=seed)
            for scale in (0.01, 0.1, 0.3, 1.0):
                yield Run(**size, start=scale, seed=seed)
            for scale in (0.03, 0.1, 0.3, 1.0):
                yield Run(**size, words=scale, seed=seed)
    for d_model, scale, seed in product(D_MODELS, (0.1, 0.3, 1.0), SEEDS[:3]):
        adam = {"training": "adam", "n_steps": 500, "start": 0.01}
        yield Run(d_model=d_model, **adam, words=scale, sentences=16, seed=seed)
        yield Run(d_model=d_model, training="by hand", n_steps=0, words=scale, seed=seed)


def measured(run: Run) -> Result:
    """Train and test one head."""
    chance = np.random.default_rng(run.seed)
    start = run.start * chance.standard_normal((run.d_model, run.d_model))

    def sentence(first: int, n_positions: int) -> NDArray[np.float64]:
        table = look_back_table(run.encoding, first + n_positions, run.d_model)[first:]
        return table + run.words * chance.standard_normal(table.shape)

    seen = [sentence(0, run.length) for _ in range(run.sentences)]
    weights = _weights(run, seen, start)
    unseen = ((0, run.length), (0, 2 * run.length), (FAR, run.length))
    tried = [seen[0], *(sentence(*stretch) for stretch in unseen)]
    loss = float(np.mean([look_back_loss(weights, table, run.steps_back)[0] for table in seen]))
    right = [look_back_accuracy(table, weights, run.steps_back) for table in tried]
    turning = weights * turning_pairs(run.d_model, run.length)
    return Result(loss, *right, look_back_accuracy(tried[2], turning, run.steps_back))


def turning_pairs(d_model: int, length: int) -> NDArray[np.bool_]:
    """Return a mask of the weights between pairs that make at least one turn in training."""
    turns = angular_frequencies(d_model) * (length - 1) / (2 * np.pi)
    turning = np.repeat(turns >= 1, 2)
    return np.outer(turning, turning)


def _weights(run: Run, tables: list[NDArray], start: NDArray) -> NDArray[np.float64]:
    if run.training == "by hand":
        return shift_matrix(run.steps_back, run.d_model)
    if run.training == "adam":
        return train_with_adam(tables, run.steps_back, run.n_steps, start)
    return train_look_back(tables[0], run.steps_back, n_steps=run.n_steps, start=start)


def train_with_adam(
    tables: list[NDArray], steps_back: int, n_steps: int, start: NDArray
) -> NDArray[np.float64]:
    """Minimise the same loss with Adam (Kingma and Ba, 2015, arXiv:1412.6980, algorithm 1)."""
    weights = start.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, n_steps + 1):
        gradient = np.mean([look_back_loss(weights, each, steps_back)[1] for each in tables], 0)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        unbiased = mean / (1 - 0.9**step), square / (1 - 0.999**step)
        weights -= ADAM_RATE * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return weights


def main() -> None:
    """Run all experiments that are not stored yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--smallest", action="store_true", help="8 dimensions, 16 positions")
    parser.add_argument("--to", type=Path, default=STORED, help="default: %(default)s")
    arguments = parser.parse_args()
    done = _stored(arguments.to)
    with arguments.to.open("a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if not done:
            file.write(f"# Python {platform.python_version()}, NumPy {np.__version__}\n")
            rows.writerow(Run._fields + Result._fields)
        for run in all_runs():
            is_small = (run.d_model, run.length) == (8, 16)
            key = tuple(map(str, run))
            if key in done or (arguments.smallest and not is_small):
                continue
            rows.writerow(run + tuple(f"{number:.4f}" for number in measured(run)))
            file.flush()


def _stored(path: Path) -> set[tuple[str, ...]]:
    if not path.exists():
        return set()
    lines = path.read_text(encoding="utf-8").splitlines()[2:]
    return {tuple(row[: len(Run._fields)]) for row in csv.reader(lines)}


if __name__ == "__main__":
    main()
