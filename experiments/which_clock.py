"""Find the RoPE clock that causes failure beyond the training length.

    python experiments/which_clock.py                         all runs not stored yet: an hour
    python experiments/which_clock.py --smallest --to FOLDER  the smallest of them, in seconds

RoPE models like those in text_model.py are trained on texts of L characters. They then read texts
of four times this length while single pairs of dimensions, or clocks, are held. In the score of
query i and key j, a held pair is rotated by min(i - j, L - 2) positions instead of i - j. The
largest distance in training is L - 2. Holding the clock that causes the failure improves reading
most.

Lesson 09 uses the results. Each run is stored in which_clock.json when it ends.

The script needs PyTorch::

    python -m pip install -c constraints.txt -e ".[torch]"
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from text_model import (
    SEEDS,
    SETTINGS,
    SMALLEST,
    TEXTS,
    Model,
    Run,
    frequencies,
    judged,
    key_of,
    mean_bits,
    split_text,
    store,
    stored_runs,
    train,
    windows,
)
from torch import Tensor

HERE = Path(__file__).resolve().parent
LENGTHS = (64, 32, 128)
WIDTHS = (16, 18)
FACTOR = 4
LIMITS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3)
"""Distances at which the responsible pair is held, as multiples of L - 2."""
N_TEXTS = 64
"""Number of test texts, each with 4 L characters, from both languages and sources."""


def runs() -> Iterator[Run]:
    """Yield the runs for all seeds, lengths and widths of heads."""
    for d_head in WIDTHS:
        for trained_length in LENGTHS:
            for seed in SEEDS:
                yield Run("rope", seed, trained_length=trained_length, d_head=d_head)


def texts_of(run: Run, n_texts: int) -> tuple[Tensor, Tensor]:
    """Return the training characters, and held-out texts of 4 L characters."""
    training, trial = split_text(run.text, run.held_out)
    length = FACTOR * run.trained_length
    all_texts = torch.cat(
        [windows(each, length, length) for text in TEXTS for each in trial[text].values()]
    )
    chosen = np.linspace(0, len(all_texts) - 1, n_texts).round().astype(int)
    return training, all_texts[chosen]


def measured(run: Run, settings: dict) -> dict:
    """Train a model, and test it with several sets of held pairs and with a window."""
    smallest = settings is SMALLEST
    training, texts = texts_of(run, 2 if smallest else N_TEXTS)
    model, losses = train(run, training, settings["steps"])
    model.eval()
    largest = run.trained_length - 2
    pairs = tuple(range(run.d_head // 2))

    def bits(held: tuple[int, ...] = (), limit: int = largest, **how: object) -> float:
        """Return the bits per character in the second half of the texts."""
        return mean_bits(judged(model, texts, held=held, limit=limit, **how)[0])

    within = texts[:, : run.trained_length]
    held = [bits((pair,)) for pair in pairs]
    blamed = int(np.argmin(held))
    limits = [round(multiple * largest) for multiple in (LIMITS[::4] if smallest else LIMITS)]
    turning = frequencies("trained", run.d_head, 1, run.trained_length).numpy()
    return run._asdict() | {
        "steps": settings["steps"],
        "first_losses": [round(loss, 4) for loss in losses[:3]],
        "turns": [round(float(w * largest / (2 * math.pi)), 4) for w in turning],
        "bits": {
            "within": mean_bits(judged(model, within)[0]),
            "beyond": bits(),
            "held": held,
            "free": [bits(tuple(other for other in pairs if other != pair)) for pair in pairs],
            "all": bits(pairs),
            "window": bits(window=largest),
            "ntk": bits(way="ntk", factor=FACTOR),
            "yarn": bits(way="yarn", factor=FACTOR),
        },
        "blamed": blamed,
        "limits": {limit: bits((blamed,), limit) for limit in limits},
        "mean_products": mean_products(model, within),
    }


@torch.no_grad()
def mean_products(model: Model, texts: Tensor) -> list[list[list[tuple[float, float]]]]:
    """Return the mean query-key product of each pair in each head before RoPE's rotation.

    Pairs are treated as complex numbers, and the product is ``q * conj(k) / sqrt(d_head)``. If the
    mean product is ``z``, and if queries and keys do not depend on the distance ``r``, pair ``k``
    contributes ``(z * exp(1j * r * w_k)).real`` on average to the score of a key ``r`` steps back.

    Returns:
        Real and imaginary parts, with shape (layer, head, pair, 2).
    """
    projected: list[Tensor] = []
    hooks = [
        layer.project.register_forward_hook(lambda *call: projected.append(call[-1]))
        for layer in model.layers
    ]
    model(texts[:, :-1])
    for hook in hooks:
        hook.remove()
    result = []
    for each in projected:
        split = each.unflatten(-1, (3, model.n_heads, -1, 2))[:, :, :2].contiguous()
        queries, keys = torch.view_as_complex(split).unbind(dim=2)
        earlier = keys.cumsum(dim=1) - keys
        total = (queries * earlier.conj()).sum(dim=(0, 1))
        n_products = len(each) * math.comb(each.shape[1], 2)
        mean = total / n_products / math.sqrt(model.run.d_head)
        result.append(torch.view_as_real(mean).double().numpy().round(2).tolist())
    return result


def main() -> None:
    """Run all experiments that are not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="one run with a few steps")
    parser.add_argument("--to", type=Path, help="folder for the numbers, other than the default")
    arguments = parser.parse_args()
    if arguments.smallest and not arguments.to:
        parser.error("--smallest needs --to, so that it cannot overwrite stored results")
    numbers = (arguments.to or HERE) / "which_clock.json"
    numbers.parent.mkdir(exist_ok=True)
    settings = SMALLEST if arguments.smallest else SETTINGS
    torch.set_num_threads(1)
    order = list(runs())
    for run in order[:1] if arguments.smallest else order:
        if run in map(key_of, stored_runs(numbers)):
            continue
        result = measured(run, settings)
        print(*run, flush=True)
        store([*stored_runs(numbers), result], settings, numbers, order)


if __name__ == "__main__":
    main()
