"""Measure the cost of ALiBi's penalty in a task that requires distant letters.

    python experiments/recall.py                            all runs not stored yet
    python experiments/recall.py --smallest --to FOLDER     a run of each kind, in seconds

Each text has 62 random letters and ends with a question. The answer is one of the letters, 1 to 60
positions before the question. There are two kinds of questions:

- By mark: Some letters have different marks, and the question is one of these marks.
- By place: The question is the number of positions to count back.

By default, the model has one layer of attention. When a run ends, its accuracy at each distance is
stored in recall.json.

The script needs PyTorch::

    python -m pip install -c constraints.txt -e ".[torch]"
"""

from __future__ import annotations

import argparse
import json
import math
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

HERE = Path(__file__).resolve().parent
ENCODINGS = ("none", "learned", "sinusoidal", "alibi", "rope")
TASKS = ("mark", "place")
SEEDS = range(5)
DISTANCES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60)
"""Distances from the question to the answer, which are equally frequent."""
SETTINGS = {
    "n_read": 63,
    "n_letters": 16,
    "n_marks": 4,
    "base": 10_000,
    "steps": {"mark": 200, "place": 400},
    "texts_a_step": 64,
    "learning_rate": 0.01,
    "tested_texts": 6000,
}
SMALLEST = SETTINGS | {"steps": {"mark": 3, "place": 3}, "tested_texts": 600}
N_READ = SETTINGS["n_read"]
N_SYMBOLS = SETTINGS["n_letters"] * (1 + SETTINGS["n_marks"]) + SETTINGS["n_marks"] + len(DISTANCES)
FIRST = 3  # number of losses that are stored for a test


class Run(NamedTuple):
    """Settings of a training run.

    ``training`` is a multiple of the usual number of steps. All random numbers are determined by
    the seed.
    """

    task: str
    encoding: str
    seed: int = 0
    n_heads: int = 4
    d_model: int = 32
    n_layers: int = 1
    training: int = 1


def main_runs() -> Iterator[Run]:
    """Yield the runs for both kinds of questions and five encodings, with four seeds each."""
    for seed in SEEDS:
        for task in TASKS:
            for encoding in ENCODINGS:
                yield Run(task, encoding, seed)


def variations() -> Iterator[Run]:
    """Yield additional runs that check the lesson's statement about ALiBi."""
    yield Run("place", "alibi", n_heads=8)
    yield Run("mark", "alibi", n_heads=8)
    yield Run("place", "alibi", n_layers=2)
    yield Run("mark", "alibi", training=4)
    yield Run("place", "alibi", d_model=64)
    yield Run("mark", "alibi", d_model=64)


# The task. ----------------------------------------------------------------------------------------


class Texts(NamedTuple):
    """Symbols of shape (text, position), with the answer and its distance for each text."""

    symbols: Tensor
    answers: Tensor
    distances: Tensor


def drawn(task: str, n_texts: int, generator: torch.Generator) -> Texts:
    """Draw texts with their answers.

    Symbols 0 to 15 are letters, followed by marked letters, marks and numbers.
    """
    n_letters, n_marks = SETTINGS["n_letters"], SETTINGS["n_marks"]
    letters = torch.randint(0, n_letters, (n_texts, N_READ), generator=generator)
    choices = torch.randint(0, len(DISTANCES), (n_texts,), generator=generator)
    distances = torch.tensor(DISTANCES)[choices]
    rows, places = torch.arange(n_texts), N_READ - 1 - distances
    answers = letters[rows, places]
    symbols = letters.clone()
    questions = n_letters * (1 + n_marks)
    if task == "place":
        symbols[:, -1] = questions + n_marks + choices
        return Texts(symbols, answers, distances)
    # One mark is on the answer; the other marks are at random positions.
    order = torch.rand(n_texts, N_READ - 1, generator=generator)
    order[rows, places] = -1
    marked = order.argsort(dim=1)[:, :n_marks]
    marks = torch.rand(n_texts, n_marks, generator=generator).argsort(dim=1)
    symbols.scatter_(1, marked, letters.gather(1, marked) + n_letters * (1 + marks))
    symbols[:, -1] = questions + marks[:, 0]
    return Texts(symbols, answers, distances)


# The model. ---------------------------------------------------------------------------------------


class Layer(nn.Module):
    """A Transformer layer whose LayerNorm has no parameters."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        d_model = run.d_model
        self.run = run
        self.query, self.key, self.value, self.out = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.turns = torch.polar(torch.ones(()), angles(d_model // run.n_heads))
        steps_back = torch.arange(N_READ)[:, None] - torch.arange(N_READ)
        self.bias = torch.zeros(N_READ, N_READ).masked_fill(steps_back < 0, -math.inf)
        if run.encoding == "alibi":
            slopes = 2.0 ** (-8 * torch.arange(1, run.n_heads + 1) / run.n_heads)
            self.bias = self.bias - slopes[:, None, None] * steps_back.clamp(min=0)

    def forward(self, x: Tensor, n_asking: int) -> Tensor:
        """Return the output at the last ``n_asking`` positions, with shape (text, position, d)."""
        read, x = norm(x), x[:, -n_asking:]
        queries = self.heads(self.query(read[:, -n_asking:]))
        keys, values = self.heads(self.key(read)), self.heads(self.value(read))
        if self.run.encoding == "rope":
            queries, keys = turned(queries, self.turns[-n_asking:]), turned(keys, self.turns)
        products = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
        weights = (products + self.bias[..., -n_asking:, :]).softmax(dim=-1)
        x = x + self.out((weights @ values).transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(norm(x))))

    def heads(self, vectors: Tensor) -> Tensor:
        """Reshape (text, position, d) to (text, head, position, d_head)."""
        return vectors.unflatten(-1, (self.run.n_heads, -1)).transpose(1, 2)


class Model(nn.Module):
    """A model that computes a score for each letter from symbols."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.symbols = nn.Parameter(torch.randn(N_SYMBOLS, run.d_model))
        self.positions: Tensor | None = None
        if run.encoding == "learned":
            self.positions = nn.Parameter(0.1 * torch.randn(N_READ, run.d_model))
        if run.encoding == "sinusoidal":
            waves = angles(run.d_model)
            self.positions = torch.stack([waves.sin(), waves.cos()], dim=-1).flatten(1)
        self.layers = nn.ModuleList([Layer(run) for _ in range(run.n_layers)])
        self.letters = nn.Linear(run.d_model, SETTINGS["n_letters"])

    def forward(self, symbols: Tensor) -> Tensor:
        """Return the scores of all letters for each text, with shape (text, letter)."""
        x = functional.embedding(symbols, self.symbols)
        if self.positions is not None:
            x = x + self.positions
        for layer in self.layers[:-1]:
            x = layer(x, N_READ)
        return self.letters(norm(self.layers[-1](x, 1)[:, 0]))


def norm(x: Tensor) -> Tensor:
    """Apply LayerNorm without parameters."""
    return functional.layer_norm(x, x.shape[-1:])


def angles(width: int) -> Tensor:
    """Return the angle of each pair at each position, with shape (position, pair)."""
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width
    return (torch.arange(N_READ)[:, None] * SETTINGS["base"] ** -exponents).float()


def turned(vectors: Tensor, turns: Tensor) -> Tensor:
    """Rotate each pair of neighbouring dimensions by the angle for its position."""
    pairs = torch.view_as_complex(vectors.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2)


# Training and test. -------------------------------------------------------------------------------


def train(run: Run, n_steps: int, stop: int | None = None) -> tuple[Model, list[float]]:
    """Return a trained model and its losses.

    If ``stop`` is given, training ends early without changing the schedule.
    """
    torch.manual_seed(run.seed)
    model = Model(run)
    generator = torch.Generator().manual_seed(run.seed)
    optimizer = torch.optim.Adam(model.parameters(), SETTINGS["learning_rate"], fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / n_steps)
    losses = []
    for _ in range(n_steps if stop is None else stop):
        texts = drawn(run.task, SETTINGS["texts_a_step"], generator)
        loss = functional.cross_entropy(model(texts.symbols), texts.answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return model, losses


@torch.no_grad()
def accuracy(model: Model, run: Run, n_texts: int) -> list[float]:
    """Return the accuracy at each distance."""
    texts = drawn(run.task, n_texts, torch.Generator().manual_seed(1000 + run.seed))
    right = (model(texts.symbols).argmax(dim=-1) == texts.answers).float()
    return [round(right[texts.distances == each].mean().item(), 4) for each in DISTANCES]


def measured(run: Run, settings: dict) -> dict:
    """Train a model and test it at every distance."""
    n_steps = settings["steps"][run.task] * run.training
    model, losses = train(run, n_steps)
    return run._asdict() | {
        "steps": n_steps,
        "first_losses": [round(loss, 4) for loss in losses[:FIRST]],
        "accuracy": accuracy(model, run, settings["tested_texts"]),
    }


# Stored data. -------------------------------------------------------------------------------------


def key_of(run: dict) -> Run:
    """Return the settings of a stored run."""
    return Run(**{name: run[name] for name in Run._fields})


def store(runs: Sequence[dict], settings: dict, path: Path) -> None:
    """Write the runs to a file, one line per run."""
    versions = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }
    head = {"settings": settings, "distances": DISTANCES, "versions": versions}
    rows = ",\n    ".join(json.dumps(each) for each in runs)
    text = json.dumps(head, indent=2).removesuffix("\n}")
    path.write_text(f'{text},\n  "runs": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")


def main() -> None:
    """Run all experiments that are not stored yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--smallest", action="store_true", help="train for a few steps each")
    parser.add_argument("--to", type=Path, help="folder for the numbers, other than the default")
    arguments = parser.parse_args()
    if arguments.smallest and not arguments.to:
        parser.error("--smallest needs --to, so that it cannot overwrite stored results")
    path = (arguments.to or HERE) / "recall.json"
    path.parent.mkdir(exist_ok=True)
    settings = SMALLEST if arguments.smallest else SETTINGS
    torch.set_num_threads(1)
    stored_runs = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else []
    smallest = [run for run in main_runs() if run.seed == 0]
    for run in smallest if arguments.smallest else [*main_runs(), *variations()]:
        if run in map(key_of, stored_runs):
            continue
        stored_runs.append(measured(run, settings))
        store(stored_runs, settings, path)
        print(*run, *stored_runs[-1]["accuracy"], flush=True)


if __name__ == "__main__":
    main()
