"""Train a small causal Transformer on tasks that depend on order, and test it on longer sequences.

    python experiments/small_model.py        all runs, about 40 minutes on one processor core

Each run is stored in small_model.json when it ends. Stored runs are skipped.

The script needs PyTorch::

    python -m pip install -c constraints.txt -e ".[torch]"
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from course_utils.encodings import sinusoidal_encoding
from course_utils.relative import alibi_slopes
from course_utils.stretching import stretched_frequencies, yarn_scale

STORED = Path(__file__).with_suffix(".json")
SETTINGS = {
    "trained_length": 32,
    "tested_lengths": [32, 64, 128],
    "d_model": 64,
    "n_heads": 4,
    "n_layers": 2,
    "n_symbols": 64,
    "steps": {"look-back": 1000, "repeat": 1500, "which-first": 300},
    "tuning_steps": 50,
    "batch": 32,
    "learning_rate": 0.003,
    "steps_back": 1,
    "tested_sequences": 256,
}
SEEDS = range(5)
FIRST = 5  # number of losses that are stored for a test
TRAINED_LENGTH, D_HEAD = SETTINGS["trained_length"], SETTINGS["d_model"] // SETTINGS["n_heads"]
N_SYMBOLS = SETTINGS["n_symbols"]
SEPARATOR = N_SYMBOLS
IGNORED = -100  # target ignored by cross_entropy

# Tasks: symbols, and the answer at each position or IGNORED. --------------------------------------


def look_back(n_sequences: int, length: int, generator: np.random.Generator) -> tuple:
    """Return a task in which the model names the symbol a few positions back."""
    symbols = generator.integers(0, N_SYMBOLS, (n_sequences, length))
    back = SETTINGS["steps_back"]
    answers = np.full_like(symbols, IGNORED)
    answers[:, back:] = symbols[:, :-back]
    return symbols, answers


def repeat(n_sequences: int, length: int, generator: np.random.Generator) -> tuple:
    """Return a task in which the model repeats a sequence of distinct symbols after a separator."""
    half = length // 2
    once = np.argsort(generator.random((n_sequences, N_SYMBOLS)), axis=1)[:, :half]
    separator = np.full((n_sequences, 1), SEPARATOR)
    symbols = np.hstack([once, separator, once[:, :-1]])
    return symbols, np.hstack([np.full_like(once, IGNORED), once])


def which_first(n_sequences: int, length: int, generator: np.random.Generator) -> tuple:
    """Return a task in which the model decides which of symbols 0 and 1 came first."""
    symbols = generator.integers(2, N_SYMBOLS, (n_sequences, length))
    places = np.argsort(generator.random((n_sequences, length - 1)), axis=1)[:, :2]
    rows = np.arange(n_sequences)
    symbols[rows, places[:, 0]], symbols[rows, places[:, 1]] = 0, 1
    symbols[:, -1] = SEPARATOR
    answers = np.full_like(symbols, IGNORED)
    answers[:, -1] = places[:, 1] < places[:, 0]
    return symbols, answers


TASKS: dict[str, Callable] = {
    "look-back": look_back,
    "repeat": repeat,
    "which-first": which_first,
}

# Model. -------------------------------------------------------------------------------------------

TRAINED = ("none", "learned", "sinusoidal", "alibi", "rope")
ROPE = {
    "rope": "trained",
    "rope-interpolated": "interpolation",
    "rope-ntk": "ntk",
    "rope-yarn": "yarn",
}


def factor_for(length: int) -> float:
    """Return the ratio of a length to the training length, but at least 1."""
    return max(1, length / TRAINED_LENGTH)


def turned(vectors: Tensor, encoding: str) -> Tensor:
    """Rotate queries or keys of shape (batch, head, position, d_head) by their positions."""
    length = vectors.shape[-2]
    way = ROPE[encoding]
    frequencies = stretched_frequencies(way, D_HEAD, factor_for(length), TRAINED_LENGTH)
    angles = np.outer(np.arange(length), frequencies)
    cos, sin = torch.tensor(np.cos(angles)).float(), torch.tensor(np.sin(angles)).float()
    even, odd = vectors[..., 0::2], vectors[..., 1::2]
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
    return pairs * yarn_scale(factor_for(length)) if way == "yarn" else pairs


class Layer(nn.Module):
    """A Transformer layer with causal self-attention and a LayerNorm before each block."""

    def __init__(self) -> None:
        super().__init__()
        d_model = SETTINGS["d_model"]
        self.norms = nn.ModuleList([nn.LayerNorm(d_model), nn.LayerNorm(d_model)])
        self.project = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.network = nn.Sequential(
            nn.Linear(d_model, 2 * d_model), nn.ReLU(), nn.Linear(2 * d_model, d_model)
        )

    def forward(self, x: Tensor, encoding: str, mask: Tensor) -> Tensor:
        batch, length, d_model = x.shape
        split = self.project(self.norms[0](x)).view(batch, length, 3, SETTINGS["n_heads"], D_HEAD)
        queries, keys, values = split.permute(2, 0, 3, 1, 4)
        if encoding in ROPE:
            queries, keys = turned(queries, encoding), turned(keys, encoding)
        weights = (queries @ keys.transpose(-1, -2) / math.sqrt(D_HEAD) + mask).softmax(dim=-1)
        x = x + self.out((weights @ values).transpose(1, 2).reshape(batch, length, d_model))
        return x + self.network(self.norms[1](x))


class Model(nn.Module):
    """A model that computes scores for the answers.

    Each call selects the positional encoding.
    """

    def __init__(self) -> None:
        super().__init__()
        d_model = SETTINGS["d_model"]
        self.words = nn.Embedding(N_SYMBOLS + 1, d_model)
        self.positions = nn.Embedding(TRAINED_LENGTH, d_model)
        self.layers = nn.ModuleList([Layer() for _ in range(SETTINGS["n_layers"])])
        self.norm = nn.LayerNorm(d_model)
        self.answers = nn.Linear(d_model, N_SYMBOLS + 1)

    def forward(self, symbols: Tensor, encoding: str) -> Tensor:
        length = symbols.shape[1]
        x = self.words(symbols)
        if encoding == "learned":
            x = x + self.positions.weight[:length]
        if encoding == "sinusoidal":
            x = x + torch.tensor(sinusoidal_encoding(length, SETTINGS["d_model"])).float()
        mask = torch.full((length, length), -math.inf).triu(1)
        if encoding == "alibi":
            positions = torch.arange(length)
            distance = (positions[:, None] - positions).clamp(min=0)
            mask = mask - torch.tensor(alibi_slopes(SETTINGS["n_heads"]))[:, None, None] * distance
            mask = mask.float()
        for layer in self.layers:
            x = layer(x, encoding, mask)
        return self.answers(self.norm(x))


# Runs. --------------------------------------------------------------------------------------------


def batch_of(task: str, length: int, n_sequences: int, generator: np.random.Generator) -> tuple:
    """Return symbols and answers as tensors."""
    return tuple(map(torch.tensor, TASKS[task](n_sequences, length, generator)))


def learn(model: Model, task: str, encoding: str, lengths: Iterable[int], seed: int) -> list[float]:
    """Take one training step on new sequences for each length, and return the losses."""
    generator = np.random.default_rng(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=SETTINGS["learning_rate"], fused=True)
    losses = []
    for length in lengths:
        symbols, answers = batch_of(task, length, SETTINGS["batch"], generator)
        loss = functional.cross_entropy(model(symbols, encoding).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(task: str, encoding: str, seed: int, steps: int) -> tuple[Model, list[float]]:
    """Train a model on even lengths up to the training length, and return it with its losses."""
    torch.manual_seed(seed)
    lengths = 2 * np.random.default_rng(seed).integers(4, TRAINED_LENGTH // 2 + 1, steps)
    model = Model()
    return model, learn(model, task, encoding, lengths.tolist(), seed)


@torch.no_grad()
def accuracy(model: Model, task: str, encoding: str, length: int, seed: int) -> float | None:
    """Return the accuracy in the second half of new sequences.

    The result is None if the encoding has no vectors for this length.
    """
    if encoding == "learned" and length > TRAINED_LENGTH:
        return None
    generator = np.random.default_rng([seed, length])
    symbols, answers = batch_of(task, length, SETTINGS["tested_sequences"], generator)
    answers[:, : length // 2] = IGNORED
    is_scored = answers != IGNORED
    right = model(symbols, encoding).argmax(dim=-1)[is_scored] == answers[is_scored]
    return round(right.float().mean().item(), 4)


def run(task: str, encoding: str, seed: int) -> list[dict]:
    """Train a model and test it at every length.

    RoPE models are also stretched and trained further. ``tuned`` is the accuracy at the largest
    length after ``tuning_steps`` steps at that length.
    """
    model, losses = train(task, encoding, seed, SETTINGS["steps"][task])
    longest = SETTINGS["tested_lengths"][-1]
    results = []
    for way in ROPE if encoding == "rope" else (encoding,):
        result = {"task": task, "encoding": way, "seed": seed}
        if way == encoding:
            result["first_losses"] = [round(loss, 4) for loss in losses[:FIRST]]
        lengths = SETTINGS["tested_lengths"]
        result["accuracy"] = [accuracy(model, task, way, length, seed) for length in lengths]
        if encoding == "rope":
            tuned = copy.deepcopy(model)
            learn(tuned, task, way, [longest] * SETTINGS["tuning_steps"], seed + 1000)
            result["tuned"] = accuracy(tuned, task, way, longest, seed)
        results.append(result)
    return results


def main() -> None:
    """Run all experiments that are not stored yet."""
    torch.set_num_threads(1)
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"results": []}
    stored["settings"] = SETTINGS
    stored["versions"] = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }
    done = {(each["task"], each["encoding"], each["seed"]) for each in stored["results"]}
    for seed, task, encoding in itertools.product(SEEDS, TASKS, TRAINED):
        if (task, encoding, seed) not in done:
            results = run(task, encoding, seed)
            stored["results"] += results
            write(stored)
            for each in results:
                print(*each.values(), flush=True)


def write(stored: dict) -> None:
    """Write one line for each result, sorted by task, encoding and seed."""
    order = [*TASKS, *TRAINED[:-1], *ROPE]
    stored["results"].sort(
        key=lambda each: (order.index(each["task"]), order.index(each["encoding"]), each["seed"])
    )
    head = {name: stored[name] for name in ("settings", "versions")}
    rows = ",\n    ".join(json.dumps(each) for each in stored["results"])
    text = json.dumps(head, indent=2).removesuffix("\n}")
    STORED.write_text(f'{text},\n  "results": [\n    {rows}\n  ]\n}}\n')


if __name__ == "__main__":
    main()
