"""Train small character-level Transformers, and test them beyond their training length.

    python experiments/text_model.py                            all runs not stored yet: an hour
    python experiments/text_model.py --encoding rope --seed 0   one of them, in a minute or two
    python experiments/text_model.py --smallest --to FOLDER     a run of each kind, in seconds

The model predicts the next character of English and Spanish texts. It is trained on the course's
own prose (text_model_en.txt and text_model_es.txt) and on everyday stories that were written for
this purpose (stories_en.txt and stories_es.txt). All training texts have 64 characters, of which
the model reads the first 63 and predicts the last 63. Character 65 of a longer text is therefore
the first that it was not trained to predict. Position 63, counted from 0, is the first position at
which it did not read a character in training.

Results are stored in text_model.json when a run ends. For seed 0 of each encoding, the weights are
also stored for course_utils.text_model.

The script needs PyTorch::

    python -m pip install -c constraints.txt -e ".[torch]"
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from course_utils.text_model import CHARACTERS, WEIGHTS, indices

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "es")
ENCODINGS = ("none", "learned", "sinusoidal", "alibi", "rope")
WAYS = ("trained", "interpolation", "ntk", "yarn")
SEEDS = range(5)
SETTINGS = {
    "d_model": 64,
    "n_heads": 4,
    "n_layers": 2,
    "base": 10_000,
    "steps": 1800,
    "characters_a_step": 2048,
    "learning_rate": 0.01,
    "warm_up": 100,
    "weight_decay": 0.05,
    "lengths": [32, 64, 128, 256, 512],
    "yarn_turns": [0.25, 4],
    "tuning_steps": [0, 10, 50, 200],
    "tuning_learning_rate": 0.001,
    "tuning_factor": 4,
    "curve_block": 16,
}
SMALLEST = SETTINGS | {"steps": 3, "lengths": [32, 64, 256], "tuning_steps": [0, 1]}
FIRST = 3  # number of losses that are stored for a test


class Run(NamedTuple):
    """Settings of a training run.

    ``text`` is "both" or a language. ``held_out`` is a number from 0 to 9 that selects the held-out
    tenth of the text. The seed determines all random numbers.
    """

    encoding: str
    seed: int = 0
    text: str = "both"
    held_out: int = 9
    trained_length: int = 64
    d_head: int = 16


def main_runs() -> Iterator[Run]:
    """Yield the runs for five encodings with five seeds each."""
    for seed in SEEDS:
        for encoding in ENCODINGS:
            yield Run(encoding, seed)


def variations() -> Iterator[Run]:
    """Yield additional runs that check the lessons' statements."""
    varied = (
        {"text": "en"},
        {"text": "es"},
        {"held_out": 4},
        {"trained_length": 32},
        {"trained_length": 128},
        {"d_head": 14},
        {"d_head": 18},
    )
    for change in varied:
        yield Run("rope", **change)
        if "trained_length" in change:
            yield Run("sinusoidal", **change)
            yield Run("alibi", **change)


# The text. ----------------------------------------------------------------------------------------


TEXTS = ("prose", "stories")
Trial = dict[str, dict[str, Tensor]]
"""Held-out characters, keyed by text and then by language."""


def pieces(text: str, language: str) -> list[str]:
    """Return the paragraphs of the prose, or the stories, in order.

    The paragraphs of the prose correspond to each other in both languages. The stories do not
    correspond to each other and are separated by blank lines.
    """
    name = {"prose": "text_model", "stories": "stories"}[text]
    lines = (HERE / f"{name}_{language}.txt").read_text(encoding="utf-8").splitlines()
    body = "\n".join(line for line in lines if not line.startswith("#")).strip()
    if text == "prose":
        return body.splitlines()
    return [" ".join(story.splitlines()) for story in body.split("\n\n")]


def is_held_out(text: str, all_pieces: list[list[str]], held_out: int) -> list[bool]:
    """Return a mask of the pieces in the held-out part, which is one of ten parts of the text.

    Each part of the prose is contiguous, because its paragraphs belong together. Each part of the
    stories contains every tenth story.
    """
    n_pieces = max(map(len, all_pieces))
    if text == "stories":
        return [place % 10 == held_out for place in range(n_pieces)]
    ends = np.cumsum([sum(map(len, same)) for same in zip(*all_pieces, strict=True)])
    return [tenth == held_out for tenth in np.minimum(10 * ends // ends[-1], 9)]


def split_text(language: str, held_out: int) -> tuple[Tensor, Trial]:
    """Split a text into training characters and held-out characters.

    ``language`` is "both" or a single language. For "both", the languages alternate in training.
    """
    languages = LANGUAGES if language == "both" else (language,)
    training: list[str] = []
    trial: dict[str, dict[str, Tensor]] = {}
    for text in TEXTS:
        both = [pieces(text, each) for each in LANGUAGES]
        away = is_held_out(text, both, held_out)
        chosen = {each: both[LANGUAGES.index(each)] for each in languages}
        for place, is_away in enumerate(away):
            training += [
                each[place] for each in chosen.values() if not is_away and place < len(each)
            ]
        trial[text] = {
            name: tensor_of(piece for piece, is_away in zip(each, away, strict=False) if is_away)
            for name, each in chosen.items()
        }
    return tensor_of(training), trial


def tensor_of(texts: Iterable[str]) -> Tensor:
    """Return the concatenated indices of the characters in all texts."""
    return torch.tensor(indices(" ".join(texts)))


# The model. It uses no code from course_utils, so that tests can compare the two. -----------------


def frequencies(way: str, d_head: int, factor: float, trained_length: int) -> Tensor:
    """Return the frequencies of the RoPE pairs, in radians per position, in float64.

    YaRN does not change pairs that make more than 4 turns in training, and it interpolates pairs
    that make less than 1/4 of a turn. The paper's limits, 32 and 1, are intended for models trained
    on thousands of positions. In 64 positions, even the fastest pair makes only 10.2 turns, so they
    would slow down all pairs.
    """
    exponents = torch.arange(0, d_head, 2, dtype=torch.float64) / d_head
    base = SETTINGS["base"]
    if way == "ntk":
        base = base * factor ** (d_head / (d_head - 2))
    turning = base**-exponents
    if way == "interpolation":
        turning = turning / factor
    if way == "yarn":
        slow, fast = SETTINGS["yarn_turns"]
        turns = trained_length * turning / (2 * math.pi)
        share = ((turns - slow) / (fast - slow)).clamp(0, 1)
        turning = turning * (share + (1 - share) / factor)
    return turning


class Layer(nn.Module):
    """A causal Transformer layer whose LayerNorm has no parameters."""

    def __init__(self, d_model: int, inside: int) -> None:
        super().__init__()
        self.project = nn.Linear(d_model, 3 * inside, bias=False)
        self.out = nn.Linear(inside, d_model, bias=False)
        self.up = nn.Linear(d_model, 4 * d_model, bias=False)
        self.down = nn.Linear(4 * d_model, d_model, bias=False)


class Model(nn.Module):
    """A model that computes a score for each possible next character."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.d_model, self.n_heads = SETTINGS["d_model"], SETTINGS["n_heads"]
        self.characters = nn.Parameter(0.1 * torch.randn(len(CHARACTERS), self.d_model))
        if run.encoding == "learned":
            self.positions = nn.Parameter(0.02 * torch.randn(run.trained_length, self.d_model))
        inside = self.n_heads * run.d_head
        self.layers = nn.ModuleList(
            [Layer(self.d_model, inside) for _ in range(SETTINGS["n_layers"])]
        )
        self.prepared: dict[tuple, Tensor] = {}

    def forward(
        self,
        indices: Tensor,
        way: str = "trained",
        factor: float = 1,
        held: tuple[int, ...] = (),
        limit: int = 0,
        window: int | None = None,
        attention: list[Tensor] | None = None,
    ) -> Tensor:
        """Return scores of shape (batch, position, character).

        The RoPE pairs in ``held`` turn with the distance only up to ``limit``. Keys further back
        than ``window`` are masked. The attention of each layer is appended to ``attention``.
        """
        n_texts, length = indices.shape
        x = self.characters[indices] * math.sqrt(self.d_model)
        if self.run.encoding == "learned":
            x = x + self.positions[:length]
        if self.run.encoding == "sinusoidal":
            x = x + self.cached(self.waves, length)
        bias = self.cached(self.bias, length, window)
        for layer in self.layers:
            split = layer.project(self.norm(x)).view(n_texts, length, 3, self.n_heads, -1)
            products = self.products(split[:, :, :2], way, factor)
            if held:
                far = self.products(split[:, :, :2], way, factor, held, limit)
                is_far = self.cached(self.steps_back, length) > limit
                products = torch.where(is_far, far, products)
            values = split[:, :, 2].transpose(1, 2)
            weights = (products / math.sqrt(self.run.d_head) + bias).softmax(dim=-1)
            if attention is not None:
                attention.append(weights)
            x = x + layer.out((weights @ values).transpose(1, 2).flatten(2))
            x = x + layer.down(functional.gelu(layer.up(self.norm(x)), approximate="tanh"))
        return self.norm(x) @ self.characters.T

    def norm(self, x: Tensor) -> Tensor:
        return functional.layer_norm(x, (self.d_model,))

    def cached(self, compute: object, *arguments: object) -> Tensor:
        """Cache a value that does not depend on the weights."""
        key = (compute.__name__, *arguments)
        if key not in self.prepared:
            self.prepared[key] = compute(*arguments)
        return self.prepared[key]

    def waves(self, length: int) -> Tensor:
        d_model = self.d_model
        turning = SETTINGS["base"] ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angles = torch.arange(length)[:, None] * turning
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()

    def steps_back(self, length: int) -> Tensor:
        return torch.arange(length)[:, None] - torch.arange(length)

    def bias(self, length: int, window: int | None) -> Tensor:
        """Return the attention bias, which is minus infinity for masked keys."""
        steps_back = self.steps_back(length)
        mask = torch.zeros(length, length).masked_fill(steps_back < 0, -math.inf)
        if window is not None:
            mask = mask.masked_fill(steps_back > window, -math.inf)
        if self.run.encoding != "alibi":
            return mask
        slopes = 2.0 ** (-8 * torch.arange(1, self.n_heads + 1) / self.n_heads)
        return mask - slopes[:, None, None] * steps_back.clamp(min=0)

    def products(
        self,
        vectors: Tensor,
        way: str,
        factor: float,
        held: tuple[int, ...] = (),
        limit: int = 0,
    ) -> Tensor:
        """Return the dot products of queries and keys, which RoPE rotates by their positions.

        ``vectors`` has the shape (batch, position, query or key, head, d_head). The pairs in
        ``held`` are rotated as if every query were ``limit`` positions after every key.
        """
        if self.run.encoding == "rope":
            turns = self.cached(self.turns, vectors.shape[1], way, factor, held, limit)
            pairs = torch.view_as_complex(vectors.unflatten(-1, (-1, 2)))
            vectors = torch.view_as_real(pairs * turns).flatten(-2)
            vectors = vectors * (0.1 * math.log(factor) + 1 if way == "yarn" else 1.0)
        queries, keys = vectors.permute(2, 0, 3, 1, 4)
        return queries @ keys.transpose(-1, -2)

    def turns(
        self, length: int, way: str, factor: float, held: tuple[int, ...], limit: int
    ) -> Tensor:
        """Return rotations of neighbouring dimensions.

        The shape is (position, query or key, 1, pair).
        """
        turning = frequencies(way, self.run.d_head, factor, self.run.trained_length)
        angles = (torch.arange(length)[:, None, None] * turning).repeat(1, 2, 1)
        for pair in held:
            angles[:, 0, pair] = limit * turning[pair]
            angles[:, 1, pair] = 0
        turns = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
        return turns[:, :, None]

    def matrices(self) -> dict[str, Tensor]:
        """Return a dictionary of the matrices in storage order, to be used as ``x @ matrix``."""
        named = {"characters": self.characters}
        if self.run.encoding == "learned":
            named["positions"] = self.positions
        for number, layer in enumerate(self.layers):
            parts = zip(("queries", "keys", "values"), layer.project.weight.chunk(3), strict=True)
            named |= {f"{number}.{part}": weight.T for part, weight in parts}
            for part in ("out", "up", "down"):
                named[f"{number}.{part}"] = getattr(layer, part).weight.T
        return {name: weight.detach() for name, weight in named.items()}


# Training. ----------------------------------------------------------------------------------------


def step(
    model: Model,
    optimizer: torch.optim.Optimizer,
    text: Tensor,
    starts: Tensor,
    length: int,
    **stretch: object,
) -> float:
    """Take one training step and return the loss in nats per character."""
    texts = text[starts[:, None] + torch.arange(length)]
    scores = model(texts[:, :-1], **stretch)
    loss = functional.cross_entropy(scores.flatten(0, 1), texts[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def optimizer_of(model: Model, rate: float) -> torch.optim.Optimizer:
    """Return an AdamW optimiser."""
    return torch.optim.AdamW(
        model.parameters(), lr=rate, weight_decay=SETTINGS["weight_decay"], fused=True
    )


def train(run: Run, text: Tensor, n_steps: int, stop: int | None = None) -> tuple[Model, list]:
    """Return a trained model and its losses.

    If ``stop`` is given, training ends early without changing the schedule.
    """
    torch.manual_seed(run.seed)
    model = Model(run)
    optimizer = optimizer_of(model, SETTINGS["learning_rate"])
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda i: (
            min(1, (i + 1) / SETTINGS["warm_up"])
            * (0.05 + 0.95 * (1 + math.cos(math.pi * min(1, i / n_steps))) / 2)
        ),
    )
    generator = torch.Generator().manual_seed(run.seed)
    length = run.trained_length
    n_texts = SETTINGS["characters_a_step"] // length
    losses = []
    for _ in range(n_steps if stop is None else stop):
        starts = torch.randint(0, len(text) - length + 1, (n_texts,), generator=generator)
        losses.append(step(model, optimizer, text, starts, length))
        schedule.step()
    return model, losses


# Test. --------------------------------------------------------------------------------------------


def windows(text: Tensor, length: int, longest: int) -> Tensor:
    """Return texts of one length whose second halves cover the held-out text.

    Each text starts half a length after the previous text. The same characters are predicted at
    every length: all except the first ``longest / 2`` and a remainder at the end.
    """
    half = length // 2
    n_judged = (len(text) - longest // 2) // (longest // 2) * (longest // 2)
    starts = torch.arange(0, n_judged, half) + longest // 2 - half
    return text[starts[:, None] + torch.arange(length)]


def windows_of_both(trial: Trial, language: str, length: int, longest: int) -> Tensor:
    """Return the windows of the prose, followed by the windows of the stories."""
    return torch.cat([windows(each[language], length, longest) for each in trial.values()])


@torch.no_grad()
def judged(model: Model, texts: Tensor, **stretch: object) -> tuple[Tensor, Tensor]:
    """Return the bits of each prediction, and each head's attention to the previous character.

    The bits have the shape (text, length - 1). The attention has the shape (layer, head) and is the
    mean over the characters in the second half. The last character is predicted but not read.
    """
    bits, shares = [], []
    for some in texts.split(max(1, 2**10 // texts.shape[1])):
        attention: list[Tensor] = []
        scores = model(some[:, :-1], attention=attention, **stretch)
        lost = functional.cross_entropy(
            scores.flatten(0, 1), some[:, 1:].flatten(), reduction="none"
        )
        bits.append(lost.view(len(some), -1) / math.log(2))
        half = texts.shape[1] // 2
        before = [a.diagonal(-1, dim1=-2, dim2=-1)[..., half - 1 :].mean(-1) for a in attention]
        shares.append(torch.stack(before, dim=1))
    return torch.cat(bits), torch.cat(shares).mean(0)


def mean_bits(bits: Tensor) -> float:
    """Return the mean bits per character in the second halves of texts."""
    return round(bits[:, bits.shape[1] // 2 :].mean().item(), 4)


def tried(model: Model, trial: Trial, settings: dict, way: str, curves: bool) -> dict:
    """Return bits per character by length and language, and each head's attention.

    Prose and stories are weighted by their numbers of characters. ``by_text`` contains separate
    results, which are averaged over the languages. RoPE is stretched by the ratio of the text's
    length to the training length. A curve contains the mean of each block of characters in texts of
    one length.
    """
    result = {"bits": {}, "by_text": {text: {} for text in trial}, "look_back": {}}
    if curves:
        result["curves"] = {}
    trained = model.run.trained_length
    for length in settings["lengths"]:
        if model.run.encoding == "learned" and length > trained:
            continue
        shares = []
        parts: dict[str, list[Tensor]] = {text: [] for text in trial}
        for language in trial["prose"]:
            for text, by_language in trial.items():
                texts = windows(by_language[language], length, settings["lengths"][-1])
                bits, share = judged(model, texts, way=way, factor=max(1, length / trained))
                shares.append(share)
                parts[text].append(bits)
            bits = torch.cat([each[-1] for each in parts.values()])
            result["bits"].setdefault(language, {})[length] = mean_bits(bits)
            if curves and length >= 256:
                padded = functional.pad(bits, (1, 0), value=math.nan)
                blocks = padded.view(len(bits), -1, settings["curve_block"]).nanmean((0, 2))
                by_length = result["curves"].setdefault(language, {})
                by_length[length] = [round(each, 3) for each in blocks.tolist()]
        for text, by_language in parts.items():
            means = [mean_bits(bits) for bits in by_language]
            result["by_text"][text][length] = round(float(np.mean(means)), 4)
        if length >= trained:
            mean = torch.stack(shares).mean(0)
            result["look_back"][length] = [[round(s, 3) for s in row] for row in mean.tolist()]
    return result


def tuned(model: Model, text: Tensor, trial: Trial, settings: dict, way: str) -> dict:
    """Return the bits per character of stretched RoPE at both lengths after further training."""
    run, factor = model.run, settings["tuning_factor"]
    new, old = factor * run.trained_length, run.trained_length
    stretch = {"way": way, "factor": factor}
    model = copy.deepcopy(model)
    optimizer = optimizer_of(model, SETTINGS["tuning_learning_rate"])
    generator = torch.Generator().manual_seed(1000 + run.seed)
    result = {}
    for done in range(settings["tuning_steps"][-1] + 1):
        if done in settings["tuning_steps"]:
            result[done] = {language: {} for language in trial["prose"]}
            for language, by_length in result[done].items():
                for length in (new, old):
                    texts = windows_of_both(trial, language, length, settings["lengths"][-1])
                    by_length[length] = mean_bits(judged(model, texts, **stretch)[0])
        n_texts = SETTINGS["characters_a_step"] // new
        starts = torch.randint(0, len(text) - new + 1, (n_texts,), generator=generator)
        step(model, optimizer, text, starts, new, **stretch)
    return result


def measured(run: Run, settings: dict) -> tuple[dict, Model]:
    """Train a model and test it at every length.

    RoPE models are also stretched and trained further.
    """
    text, trial = split_text(run.text, run.held_out)
    if settings is SMALLEST:
        trial = {
            text: {language: characters[:512] for language, characters in by_language.items()}
            for text, by_language in trial.items()
        }
    model, losses = train(run, text, settings["steps"])
    result = run._asdict() | {
        "steps": settings["steps"],
        "first_losses": [round(loss, 4) for loss in losses[:FIRST]],
        "last_loss": round(float(np.mean(losses[-100:])), 4),
    }
    model.eval()
    is_main = run == Run(run.encoding, run.seed)
    result |= tried(model, trial, settings, "trained", is_main)
    if run.encoding == "rope":
        result["stretched"] = {
            way: tried(model, trial, settings, way, is_main) for way in WAYS if way != "trained"
        }
        # Variations only check that a few steps are sufficient.
        fewer = settings if is_main else settings | {"tuning_steps": settings["tuning_steps"][:3]}
        result["tuned"] = {way: tuned(model, text, trial, fewer, way) for way in WAYS}
    if settings is SETTINGS:
        result["holds"] = checked_statements(result)
    return result, model


# Statements of the course about the numbers. ------------------------------------------------------

LITTLE, MUCH = 0.25, 1.0
"""Differences in bits that we call small and large."""


def checked_statements(result: dict) -> dict[str, bool]:
    """Check the course's statements about a run."""
    trained = result["trained_length"]

    def bits(length: int, of: dict = result) -> float:
        by_language = of["bits"].values()
        return float(np.mean([by_length[length] for by_length in by_language]))

    def lost(length: int, of: dict = result) -> float:
        return bits(length, of) - bits(trained)

    if result["encoding"] == "alibi":
        beyond = [length for length in SETTINGS["lengths"] if length > trained]
        return {"stays calm at every length": all(lost(length) < LITTLE for length in beyond)}
    if result["encoding"] == "sinusoidal":
        return {"loses much at 2 L": lost(2 * trained) > MUCH}
    if result["encoding"] != "rope":
        return {}
    stretched, new = result["stretched"], SETTINGS["tuning_factor"] * trained
    after = {
        way: {
            steps: {
                length: bits(length, {"bits": bits_by_language}) - bits(trained)
                for length in (new, trained)
            }
            for steps, bits_by_language in by_steps.items()
        }
        for way, by_steps in result["tuned"].items()
    }
    looks_back = {length: np.array(shares) for length, shares in result["look_back"].items()}
    head = np.unravel_index(looks_back[trained].argmax(), looks_back[trained].shape)
    share, far = looks_back[trained][head], looks_back[new][head]
    with_yarn = np.array(stretched["yarn"]["look_back"][new])[head]
    at_new = {"trained": lost(new)} | {way: lost(new, each) for way, each in stretched.items()}
    sentences = {
        "loses less than much at 2 L": lost(2 * trained) < MUCH,
        "loses much at 4 L": at_new["trained"] > MUCH,
        "NTK loses little at 2 L": lost(2 * trained, stretched["ntk"]) < LITTLE,
        "YaRN loses little at 2 L": lost(2 * trained, stretched["yarn"]) < LITTLE,
        "interpolation makes 2 L worse": lost(2 * trained, stretched["interpolation"])
        > lost(2 * trained),
        "at 4 L NTK and YaRN lose less than the other two": max(at_new["ntk"], at_new["yarn"])
        < min(at_new["trained"], at_new["interpolation"]),
        "at 4 L YaRN loses least": at_new["yarn"] == min(at_new.values()),
        "stretched by 4, interpolation ruins texts of L": after["interpolation"][0][trained] > MUCH,
        "10 steps leave YaRN little to lose at 4 L": after["yarn"][10][new] < LITTLE,
        "50 steps leave RoPE as trained much to lose at 4 L": after["trained"][50][new] > MUCH,
        "a head gives 40 % to the character before": share > 0.4,
        "that head gives less than half of it at 4 L": far < share / 2,
        "and with YaRN more than half of it": with_yarn > share / 2,
    }
    return {sentence: bool(true) for sentence, true in sentences.items()}


# Stored data. -------------------------------------------------------------------------------------


def store_weights(model: Model, folder: Path) -> None:
    """Write the concatenated matrices as int16, and a header for reading them.

    The matrices are stored row by row in little-endian order. Each weight is the int16 value
    multiplied by the scale of its matrix.
    """
    header = {
        "encoding": model.run.encoding,
        "seed": model.run.seed,
        "characters": CHARACTERS,
        "trained_length": model.run.trained_length,
        "n_layers": len(model.layers),
        "n_heads": model.n_heads,
        "matrices": [],
    }
    numbers = b""
    for name, weight in model.matrices().items():
        weight = weight.double().numpy()
        scale = float(f"{np.abs(weight).max() / 32767:.6g}")
        rounded = np.clip(np.round(weight / scale), -32767, 32767).astype("<i2")
        header["matrices"].append({"name": name, "shape": list(weight.shape), "scale": scale})
        numbers += rounded.tobytes()
    folder.mkdir(exist_ok=True)
    (folder / f"{model.run.encoding}.bin").write_bytes(numbers)
    rows = ",\n    ".join(json.dumps(each) for each in header.pop("matrices"))
    head = json.dumps(header, indent=2, ensure_ascii=False).removesuffix("\n}")
    text = f'{head},\n  "matrices": [\n    {rows}\n  ]\n}}\n'
    (folder / f"{model.run.encoding}.json").write_text(text, encoding="utf-8")


def stored_runs(path: Path) -> list[dict]:
    """Return the stored runs, or an empty list if the file does not exist."""
    return json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else []


def store(runs: Sequence[dict], settings: dict, path: Path, order: Sequence[Run]) -> None:
    """Write one line for each run, sorted as in ``order``."""
    runs = sorted(runs, key=lambda each: order.index(key_of(each)))
    versions = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }
    head = json.dumps({"settings": settings, "versions": versions}, indent=2).removesuffix("\n}")
    rows = ",\n    ".join(json.dumps(each) for each in runs)
    path.write_text(f'{head},\n  "runs": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")


def store_measured(runs: Sequence[dict], path: Path) -> None:
    """Write the results that the course shows next to a text.

    The results are keyed by encoding (or, for RoPE, by stretch) and then by language. There is one
    result for each seed, but curves are averaged over all seeds.
    """
    by_name: dict[str, list[dict]] = {}
    for run in runs:
        if key_of(run) == Run(run["encoding"], run["seed"]):
            for name, result in {run["encoding"]: run, **run.get("stretched", {})}.items():
                by_name.setdefault(name, []).append(result)
    measured = {
        name: {
            language: {
                "bits": {
                    length: [each["bits"][language][length] for each in results]
                    for length in results[0]["bits"][language]
                },
                "curves": {
                    length: np.mean([each["curves"][language][length] for each in results], 0)
                    .round(3)
                    .tolist()
                    for length in results[0]["curves"].get(language, ())
                },
            }
            for language in LANGUAGES
        }
        for name, results in by_name.items()
    }
    rows = ",\n  ".join(
        f"{json.dumps(name)}: {json.dumps(each)}" for name, each in measured.items()
    )
    path.write_text(f"{{\n  {rows}\n}}\n", encoding="utf-8")


def key_of(run: dict) -> Run:
    """Return the settings of a stored run."""
    return Run(**{name: run[name] for name in Run._fields})


def main() -> None:
    """Run all experiments that are not stored yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--encoding", choices=ENCODINGS, help="run only this one, without variations"
    )
    parser.add_argument(
        "--seed", type=int, choices=SEEDS, help="run only this one, without variations"
    )
    parser.add_argument("--variations", action="store_true", help="run only the variations")
    parser.add_argument("--smallest", action="store_true", help="train for a few steps each")
    parser.add_argument(
        "--to", type=Path, help="folder for numbers and weights, other than the default"
    )
    arguments = parser.parse_args()
    if arguments.smallest and not arguments.to:
        parser.error("--smallest needs --to, so that it cannot overwrite stored results")
    numbers = (arguments.to or HERE) / "text_model.json"
    weights = arguments.to / "weights" if arguments.to else WEIGHTS
    settings = SMALLEST if arguments.smallest else SETTINGS
    numbers.parent.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    if arguments.smallest:
        runs = [Run(encoding) for encoding in ENCODINGS]
    elif arguments.variations:
        runs = list(variations())
    elif arguments.encoding or arguments.seed is not None:
        runs = list(main_runs())
    else:
        runs = [*main_runs(), *variations()]
    for run in runs:
        if arguments.encoding not in (None, run.encoding) or arguments.seed not in (None, run.seed):
            continue
        if run in map(key_of, stored_runs(numbers)):
            continue
        result, model = measured(run, settings)
        print(*run, flush=True)
        # Another process may have stored a run in the meantime.
        store([*stored_runs(numbers), result], settings, numbers, [*main_runs(), *variations()])
        if run == Run(run.encoding):
            store_weights(model, weights)
    store_measured(stored_runs(numbers), weights / "measured.json")


if __name__ == "__main__":
    main()
