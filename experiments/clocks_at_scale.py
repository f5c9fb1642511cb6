"""Find the RoPE clocks that cause failure beyond the training length, in heads with 32 clocks.

    python experiments/clocks_at_scale.py                         all runs not stored yet: an hour
    python experiments/clocks_at_scale.py --smallest --to FOLDER  one of each kind, in seconds

The models are the RoPE models of text_model.py, with larger heads of 64 dimensions, which
have 32 clocks. There are two kinds of runs:

- Reading: The model is trained on the text of text_model.py in pieces of L characters. It then
  reads L, 4 L and 8 L characters of held-out text in several ways: unchanged, with clocks held,
  with a window, and with YaRN.
- Recall: The model is trained to name the letter with a given mark, as in recall.py, in texts of L
  symbols. If a mark occurs twice, the nearer letter is correct. The model is tested on up to 8 L
  symbols.

A held clock turns with the distance only up to a limit, as in which_clock.py. The limit is L - 2,
the largest distance in training, or half of it. The band that is held by rule consists of the
clocks that make 0.2 to 1 turn in L - 2 steps. This rule was fixed before the models were trained.

The losses of the reading runs are stored for every text, so that methods can be compared text by
text. The results of the recall runs are stored as counts. The file also contains the means of three
larger models, which were trained earlier on a GPU and are not trained again by this script.

The script needs PyTorch::

    python -m pip install -c constraints.txt -e ".[torch]"
"""

from __future__ import annotations

import argparse
import json
import math
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from text_model import SETTINGS as READING
from text_model import TEXTS, Model, Run, frequencies, split_text, train
from torch import Tensor
from torch.nn import functional
from which_clock import mean_products

HERE = Path(__file__).resolve().parent
BAND = (0.2, 1.0)
"""Range of turns in training of the clocks that are held by rule."""
SHARES = (0.25, 0.375, 0.5, 0.625, 0.75, 1, 1.25)
"""Distances at which clocks are held, as fractions of L - 2."""
SETTINGS = {
    "reading": READING,
    "n_texts": 64,
    "factors": [1, 4, 8],
    "recall": {
        "n_letters": 10,
        "n_marks": 4,
        "steps": 400,
        "texts_a_step": 64,
        "learning_rate": 0.005,
        "warm_up": 50,
        "tested_texts": 80,
    },
}
SMALLEST = SETTINGS | {
    "reading": READING | {"steps": 3},
    "n_texts": 4,
    "recall": SETTINGS["recall"] | {"steps": 3, "tested_texts": 4},
}
RECALL_WAYS = ("free", "window", "all at half", "band at half", "yarn")
FIRST = 3  # number of losses that are stored for a test
N_LETTERS, N_MARKS = SETTINGS["recall"]["n_letters"], SETTINGS["recall"]["n_marks"]


def reading_runs() -> list[Run]:
    """Return runs with three seeds and the same length and base."""
    return [Run("rope", seed, d_head=64) for seed in range(3)]


def recall_runs() -> list[Run]:
    """Return runs with three seeds and the same heads."""
    return reading_runs()


# Clocks and ways to read. -------------------------------------------------------------------------


def turns_in_training(run: Run) -> np.ndarray:
    """Return how many turns each clock makes in L - 2 steps, from the fastest to the slowest."""
    turning = frequencies("trained", run.d_head, 1, run.trained_length).numpy()
    return turning * (run.trained_length - 2) / (2 * math.pi)


def clocks_between(run: Run, least: float, most: float) -> tuple[int, ...]:
    """Return the clocks that make at least ``least`` and fewer than ``most`` turns."""
    turns = turns_in_training(run)
    return tuple(np.flatnonzero((turns >= least) & (turns < most)).tolist())


def ways(run: Run, factor: int) -> dict[str, dict]:
    """Return the arguments of ``Model.forward`` for each way to read ``factor * L`` characters.

    YaRN stretches the clocks by ``factor``. Texts of L characters are also read with the clocks
    stretched for 4 L and 8 L, which measures the cost of YaRN at the training length.
    """
    largest = run.trained_length - 2
    half = largest // 2
    every = clocks_between(run, 0, math.inf)
    band = clocks_between(run, *BAND)
    stretched = {"yarn": 4, "yarn for 8 L": 8} if factor == 1 else {"yarn": factor}
    return {
        "free": {},
        "window": {"window": largest},
        "all": {"held": every, "limit": largest},
        "all at half": {"held": every, "limit": half},
        "band": {"held": band, "limit": largest},
        "band at half": {"held": band, "limit": half},
        "slower at half": {"held": clocks_between(run, 0, BAND[0]), "limit": half},
        "faster at half": {"held": clocks_between(run, BAND[1], math.inf), "limit": half},
        **{name: {"way": "yarn", "factor": each} for name, each in stretched.items()},
    }


# Reading. -----------------------------------------------------------------------------------------


def texts_of(run: Run, n_texts: int) -> tuple[Tensor, Tensor]:
    """Return the training characters, and non-overlapping test texts of 8 L characters.

    There are ``n_texts`` test texts if L is 64, and fewer if L is larger, so that all runs are
    tested on about the same number of characters.
    """
    training, trial = split_text(run.text, run.held_out)
    length = max(SETTINGS["factors"]) * run.trained_length
    n_texts = n_texts * 64 // run.trained_length
    pieces = [
        characters[: len(characters) // length * length].view(-1, length)
        for text in TEXTS
        for characters in trial[text].values()
    ]
    every = torch.cat(pieces)
    chosen = np.linspace(0, len(every) - 1, min(n_texts, len(every))).round().astype(int)
    return training, every[chosen]


@torch.no_grad()
def bits_by_text(model: Model, texts: Tensor, **how: object) -> list[float]:
    """Return mean bits per character of each text, or of its second half if it is longer than L."""
    bits = []
    for some in texts.split(max(1, 2**11 // texts.shape[1])):
        scores = model(some[:, :-1], **how).transpose(1, 2)
        lost = functional.cross_entropy(scores, some[:, 1:], reduction="none") / math.log(2)
        is_long = texts.shape[1] > model.run.trained_length
        bits.append(lost[:, lost.shape[1] // 2 if is_long else 0 :].mean(dim=1))
    return [round(each, 4) for each in torch.cat(bits).tolist()]


def read(run: Run, settings: dict) -> dict:
    """Train a model, and measure its losses for all ways of reading.

    Texts of 4 L characters are also read with each clock, band and limit.
    """
    n_steps, length = settings["reading"]["steps"], run.trained_length
    training, texts = texts_of(run, settings["n_texts"])
    model, losses = train(run, training, n_steps)
    model.eval()
    largest = length - 2
    band = clocks_between(run, *BAND)
    clocks = range(run.d_head // 2)
    every = tuple(clocks)
    if settings is SMALLEST:
        clocks = clocks[:2]

    def bits(held: tuple[int, ...], limit: int) -> list[float]:
        return bits_by_text(model, texts[:, : 4 * length], held=held, limit=limit)

    return run._asdict() | {
        "steps": n_steps,
        "first_losses": [round(loss, 4) for loss in losses[:FIRST]],
        "last_loss": round(float(np.mean(losses[-100:])), 4),
        "turns": turns_in_training(run).round(4).tolist(),
        "band": band,
        "bits": {
            factor: {
                way: bits_by_text(model, texts[:, : factor * length], **how)
                for way, how in ways(run, factor).items()
            }
            for factor in settings["factors"]
        },
        "singles at half": [bits((clock,), largest // 2) for clock in clocks],
        "neighbours at half": [
            bits(every[first : first + len(band)], largest // 2)
            for first in clocks
            if first + len(band) <= len(every)
        ],
        "limits": {
            share: {
                "band": bits(band, round(share * largest)),
                "all": bits(every, round(share * largest)),
            }
            for share in SHARES
        },
        "mean_products": mean_products(model, texts[:, :length]),
    }


# Recall. ------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A length of texts, with a range of distances between the question and its mark.

    The nearest occurrence of the mark is ``least`` to ``most`` steps back. If ``other`` is given,
    the mark also occurs at a larger distance in that range, and the letter there is a wrong answer.
    """

    length: int
    least: int
    most: int
    other: tuple[int, int] | None = None


def cases(trained_length: int) -> list[Case]:
    """Return test cases with near and far marks, which occur once or twice."""
    largest = trained_length - 2
    half, new, newest = largest // 2, 4 * trained_length, 8 * trained_length
    return [
        Case(trained_length, 1, largest),
        Case(trained_length, 1, half, (half + 1, largest)),
        Case(new, 1, largest),
        Case(new, largest + 1, 2 * largest),
        Case(new, 2 * largest + 1, 4 * largest),
        Case(new, 1, half, (half + 1, largest)),
        Case(new, 1, largest, (largest + 1, 4 * largest)),
        Case(new, largest + 1, 2 * largest, (2 * largest + 1, 4 * largest)),
        Case(newest, 4 * largest + 1, 8 * largest),
    ]


class Questions(NamedTuple):
    """Symbols of shape (text, position), the correct letters, and the letters further back."""

    symbols: Tensor
    answers: Tensor
    others: Tensor


def marked(length: int, nearest: Tensor, further: Tensor, generator: torch.Generator) -> Questions:
    """Draw texts of random letters; each text ends with a mark, which is the question.

    Symbols 0 to 9 are letters, followed by marked letters and the marks themselves. For each text,
    ``nearest`` contains the distance back to the mark in the question, and ``further`` contains the
    distance back to the same mark on another letter, or 0. Each of the other marks occurs on one
    letter.
    """
    n_texts, rows = len(nearest), torch.arange(len(nearest))
    letters = torch.randint(0, N_LETTERS, (n_texts, length), generator=generator)
    marks = torch.rand(n_texts, N_MARKS, generator=generator).argsort(dim=1)
    order = torch.rand(n_texts, length - 1, generator=generator)
    near, far, has_two = length - 1 - nearest, length - 1 - further, further > 0
    order[rows, near] = 2
    order[rows[has_two], far[has_two]] = 2
    symbols = letters.clone()
    unasked = order.argsort(dim=1)[:, : N_MARKS - 1]
    symbols.scatter_(1, unasked, letters.gather(1, unasked) + N_LETTERS * (1 + marks[:, 1:]))
    for places, some in ((near, rows), (far, rows[has_two])):
        symbols[some, places[some]] = letters[some, places[some]] + N_LETTERS * (1 + marks[some, 0])
    symbols[:, -1] = N_LETTERS * (1 + N_MARKS) + marks[:, 0]
    return Questions(symbols, letters[rows, near], letters[rows, far])


def drawn(n_texts: int, length: int, generator: torch.Generator) -> Questions:
    """Draw training texts.

    In half of the texts, the mark in the question occurs at two distances.
    """
    both = torch.rand(n_texts, length - 1, generator=generator).argsort(dim=1)[:, :2] + 1
    has_two = torch.rand(n_texts, generator=generator) < 0.5
    nearest = torch.where(has_two, both.min(dim=1).values, both[:, 0])
    further = torch.where(has_two, both.max(dim=1).values, 0)
    return marked(length, nearest, further, generator)


def questions_for(case: Case, n_texts: int, generator: torch.Generator) -> Questions:
    """Draw the texts for one test case."""
    nearest = torch.randint(case.least, case.most + 1, (n_texts,), generator=generator)
    further = torch.zeros_like(nearest)
    if case.other:
        least, most = case.other
        further = torch.randint(least, most + 1, (n_texts,), generator=generator)
    return marked(case.length, nearest, further, generator)


def train_to_recall(run: Run, settings: dict, stop: int | None = None) -> tuple[Model, list[float]]:
    """Return a trained model and its losses.

    If ``stop`` is given, training ends early without changing the schedule.
    """
    torch.manual_seed(run.seed)
    model = Model(run)
    optimizer = torch.optim.Adam(model.parameters(), settings["learning_rate"], fused=True)
    n_steps, warm_up = settings["steps"], settings["warm_up"]
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda i: min(1, (i + 1) / warm_up) * (1 - i / n_steps)
    )
    generator = torch.Generator().manual_seed(run.seed)
    losses = []
    for _ in range(n_steps if stop is None else stop):
        texts = drawn(settings["texts_a_step"], run.trained_length, generator)
        loss = functional.cross_entropy(model(texts.symbols)[:, -1], texts.answers)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return model, losses


@torch.no_grad()
def answers_of(model: Model, symbols: Tensor, **how: object) -> Tensor:
    """Return the model's answer for each text."""
    parts = symbols.split(max(1, 2**11 // symbols.shape[1]))
    return torch.cat([model(some, **how)[:, -1, :N_LETTERS].argmax(dim=-1) for some in parts])


def recalled(run: Run, settings: dict) -> dict:
    """Train a model, and count how often it names the nearer or the further letter in each case."""
    model, losses = train_to_recall(run, settings["recall"])
    model.eval()
    results = []
    for number, case in enumerate(cases(run.trained_length)):
        generator = torch.Generator().manual_seed(1000 * (1 + run.seed) + number)
        texts = questions_for(case, settings["recall"]["tested_texts"], generator)
        counts = {}
        for way, how in ways(run, case.length // run.trained_length).items():
            if way not in RECALL_WAYS:
                continue
            named = answers_of(model, texts.symbols, **how)
            counts[way] = [int((named == each).sum()) for each in (texts.answers, texts.others)]
            if case.other is None:
                del counts[way][1]
        results.append(case._asdict() | {"n_texts": len(texts.answers), "counts": counts})
    return run._asdict() | {
        "steps": settings["recall"]["steps"],
        "first_losses": [round(loss, 4) for loss in losses[:FIRST]],
        "last_loss": round(float(np.mean(losses[-50:])), 4),
        "cases": results,
    }


# Stored data. -------------------------------------------------------------------------------------


def key_of(run: dict) -> Run:
    """Return the settings of a stored run."""
    return Run(**{name: run[name] for name in Run._fields})


def stored(path: Path) -> dict[str, list[dict]]:
    """Return the stored runs, keyed by kind.

    The lists are empty if the file does not exist.
    """
    if not path.exists():
        return {"reading": [], "recall": [], "earlier": []}
    contents = json.loads(path.read_text(encoding="utf-8"))
    return {kind: contents[kind] for kind in ("reading", "recall", "earlier")}


def store(runs: dict[str, Sequence[dict]], settings: dict, path: Path) -> None:
    """Write the runs to a file, one line per run."""
    versions = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }
    head = json.dumps({"settings": settings, "versions": versions}, indent=2).removesuffix("\n}")
    kinds = [
        f'  "{kind}": [\n    ' + ",\n    ".join(json.dumps(each) for each in some) + "\n  ]"
        for kind, some in runs.items()
    ]
    path.write_text(head + ",\n" + ",\n".join(kinds) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Run all experiments that are not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="one run of each kind, few steps")
    parser.add_argument("--to", type=Path, help="folder for the numbers, other than the default")
    arguments = parser.parse_args()
    if arguments.smallest and not arguments.to:
        parser.error("--smallest needs --to, so that it cannot overwrite stored results")
    path = (arguments.to or HERE) / "clocks_at_scale.json"
    path.parent.mkdir(exist_ok=True)
    settings = SMALLEST if arguments.smallest else SETTINGS
    torch.set_num_threads(1)
    for kind, runs, measure in (
        ("reading", reading_runs(), read),
        ("recall", recall_runs(), recalled),
    ):
        for run in runs[:1] if arguments.smallest else runs:
            stored_results = stored(path)
            if run in map(key_of, stored_results[kind]):
                continue
            stored_results[kind].append(measure(run, settings))
            store(stored_results, settings, path)
            print(kind, *run, flush=True)


if __name__ == "__main__":
    main()
