"""The explorer of RoPE beyond its training length: fitted scores, and their continuation."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import angular_frequencies
from ...fitting import fit_waves, smooth_scores
from ...frequencies import wave_encoding
from ...pictures.panels import round_ticks
from ...pictures.scenes import Axis, Cursor, Curve, Dots, Labels, Panel, Points, Readout, Scene
from ...stretching import WAYS, stretched_frequencies, unseen_pairs
from ...words.text import words
from ..base import explorer
from .controls import NAMES, checkbox, dropdown, slider
from .explorer import Explorer

TEXTS = words(Path(__file__).with_suffix(".toml"))
D_MODEL, HIGHEST = 64, 3.0
FREE, PENALISED = 1e-12, 1.0


@explorer(TEXTS["title"])
def stretched_explorer() -> Explorer:
    """Show RoPE's scores against distance, fitted to the training distances and extrapolated.

    The reader chooses the length, a method for stretching the frequencies, and a penalty for large
    weights in the fit.
    """
    return Explorer(
        _stretched,
        TEXTS,
        parameters={
            "way": dropdown(TEXTS["way"], {way: TEXTS["ways"][way] for way in WAYS}, "trained"),
            "trained_length": slider(TEXTS["trained-length"], 64, 32, 256, step=32),
            "factor": slider(TEXTS["factor"], 2, 1, 4),
            "seed": slider(TEXTS["seed"], 0, 0, 9),
            "small": checkbox(TEXTS["small"]),
        },
        position=slider(NAMES["distance"], 48, 0, 127),
    )


@lru_cache(256)
def _fitted(trained_length: int, seed: int, small: bool) -> tuple[NDArray, NDArray]:
    """Return scores at the training distances, and the weights of waves fitted to them."""
    wanted = smooth_scores(trained_length, seed)
    trained = wave_encoding(trained_length, angular_frequencies(D_MODEL))
    return wanted, fit_waves(trained, wanted, PENALISED if small else FREE)


def _stretched(way: str, trained_length: int, factor: int, seed: int, small: bool) -> Scene:
    wanted, weights = _fitted(trained_length, seed, small)
    frequencies = stretched_frequencies(way, D_MODEL, factor, trained_length)
    used_length = factor * trained_length
    scores = wave_encoding(used_length, frequencies) @ weights
    n_unseen = int(unseen_pairs(frequencies, used_length, trained_length).sum())

    distances = np.arange(used_length)
    shown = np.where(np.abs(scores) <= HIGHEST, scores, np.nan)
    some = distances[: trained_length : trained_length // 16]
    edge = trained_length - 0.5
    panel = Panel(
        x=Axis(
            low=-0.5,
            high=used_length - 0.5,
            quantity=NAMES["distance"],
            ticks=round_ticks(0, used_length - 1),
        ),
        y=Axis(
            low=-HIGHEST,
            high=HIGHEST,
            quantity=TEXTS["score"],
            ticks=round_ticks(-HIGHEST, HIGHEST),
        ),
        layers=(
            Curve(distances[[0, -1]], np.zeros(2), "faint"),
            Curve(np.full(2, edge), np.array([-HIGHEST, HIGHEST]), "word"),
            Labels(
                x=(edge / 2,),
                y=(-0.9 * HIGHEST,),
                texts=(TEXTS["trained"],),
                colors=("word",),
            ),
            Curve(distances, shown),
            Points(some, wanted[some], "word"),
        ),
        moving=(Cursor(x=distances), Dots(x=distances, y=shown)),
        track=True,
    )
    numbers = {
        "distance": distances.tolist(),
        "score": [f"{score:.2f}" for score in scores],
    }
    facts = {
        "n_unseen": n_unseen,
        "n_pairs": D_MODEL // 2,
        "largest": f"{np.abs(scores).max():.2f}",
        "last": used_length - 1,
    }
    return Scene(
        height=360,
        narrow=310,
        panels=(panel,),
        alt=TEXTS["alt"].format(way=TEXTS["ways"][way], trained_length=trained_length, **facts),
        readouts=(Readout(TEXTS["here"], numbers), Readout(TEXTS["facts"], facts)),
        n_positions=used_length,
    )
