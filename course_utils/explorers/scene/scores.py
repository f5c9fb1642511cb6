"""The explorer of scores against the distance to the key, for one scheme at a time."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import sinusoidal_encoding
from ...pictures.panels import one_curve, round_ticks
from ...pictures.scenes import Axis, Cursor, Curve, Dots, Panel, Readout, Scene
from ...refusals import one_of
from ...relative import alibi_slopes, rotate, t5_buckets
from ...words.text import Text, words
from ..base import explorer
from .controls import base_slider, dropdown, slider
from .explorer import Explorer, Play

TEXTS = words(Path(__file__).with_suffix(".toml"))
D_MODEL, N_HEADS, N_BUCKETS = 64, 8, 32
FARTHEST = 160
FARTHEST_ON, FAINT_STEP = 60, 10
"""Largest distance by which the query can move on, and step between faint curves."""

LOWEST, HIGHEST = -8, 5
"""Limits of the axis; a key whose score is lower by 8 gets 1/3000 of the attention."""

SCHEMES = {
    name: TEXTS[name]
    for name in ("sinusoidal", "sinusoidal-projected", "t5-encoder", "t5-decoder", "alibi", "rope")
}
TURN_WITH_THE_BASE = {"sinusoidal", "sinusoidal-projected", "rope"}


@explorer(TEXTS["title"])
def score_explorer(selected: str = "sinusoidal-projected") -> Explorer:
    """Show the score of a key against its distance in steps back, for one scheme at a time.

    Args:
        selected: the scheme shown first, a key of ``SCHEMES``.

    Raises:
        ValueError: there is no scheme with this name.
    """
    one_of("selected", selected, SCHEMES)
    return Explorer(
        _scores,
        TEXTS,
        parameters={
            "scheme": dropdown(TEXTS["scheme"], SCHEMES, selected),
            "head": slider(TEXTS["head"], 2, 1, N_HEADS),
            "base": base_slider(),
            "moved_on": slider(TEXTS["moved-on"], 0, 0, FARTHEST_ON),
        },
        position=slider(TEXTS["back"], 20, 0, FARTHEST),
        play=Play("moved_on", per_second=10),
    )


@lru_cache(1024)
def scores_back(scheme: str, query: int, *, head: int, base: float) -> NDArray[np.float64]:
    """Return the scores of a query for the keys 0, 1, 2 ... ``FARTHEST`` steps back.

    All words are equal, so that only positions matter. Learned numbers are random, as before
    training; a head always has the same numbers.

    Args:
        scheme: a key of ``SCHEMES``.
        query: the query's position, at least ``FARTHEST``.
        head: the head's number, from 1 to ``N_HEADS``.
        base: a finite number above 1.
    """
    back = np.arange(FARTHEST + 1)
    rng = np.random.default_rng(head)
    if scheme == "alibi":
        return -alibi_slopes(N_HEADS)[head - 1] * back
    if scheme.startswith("t5"):
        both_ways = scheme == "t5-encoder"
        buckets = t5_buckets(-back, n_buckets=N_BUCKETS, bidirectional=both_ways)
        return rng.normal(size=N_BUCKETS)[buckets]
    if scheme == "rope":
        vectors = rng.normal(size=(2, D_MODEL))
        queries = rotate(vectors[0], query, base=base)
        keys = rotate(np.tile(vectors[1], (len(back), 1)), query - back, base=base)
    else:
        table = sinusoidal_encoding(query + 1, D_MODEL, base=base)
        queries, keys = table[query], table[query - back]
        if scheme == "sinusoidal-projected":
            # This scale makes the numbers of queries and keys about 1, as for RoPE.
            w_q, w_k = rng.normal(scale=(2 / D_MODEL) ** 0.5, size=(2, D_MODEL, D_MODEL))
            queries, keys = queries @ w_q, keys @ w_k
    return keys @ queries / np.sqrt(D_MODEL)


def _scores(scheme: str, head: int, base: int, moved_on: int) -> Scene:
    query, back = FARTHEST + moved_on, np.arange(FARTHEST + 1)
    queries = range(FARTHEST, FARTHEST + FARTHEST_ON + 1)
    of_all = np.stack([scores_back(scheme, each, head=head, base=base) for each in queries])
    drawn = np.where(of_all < LOWEST, np.nan, of_all)
    own, others = drawn[moved_on], drawn[::FAINT_STEP]
    panel = Panel(
        x=Axis(
            low=-0.5, high=FARTHEST + 0.5, quantity=TEXTS["back"], ticks=round_ticks(0, FARTHEST, 9)
        ),
        y=Axis(low=LOWEST, high=HIGHEST, quantity=TEXTS["score"], ticks=round_ticks(-8, 4)),
        layers=(
            Curve(back[[0, -1]], np.zeros(2), "grey"),
            one_curve(others),
            Curve(back, own),
        ),
        moving=(Cursor(x=back), Dots(x=back, y=own)),
        track=True,
    )
    differs = np.ptp(of_all, axis=0)
    alike = (differs < 1e-9).tolist()
    numbers = {
        "i": query,
        "j": (query - back).tolist(),
        "r": back.tolist(),
        "score": [f"{score:.3f}" for score in of_all[moved_on]],
        "low": [f"{score:.3f}" for score in of_all.min(axis=0)],
        "high": [f"{score:.3f}" for score in of_all.max(axis=0)],
    }
    widest = f"{differs.max():.3f}" if differs.max() > 1e-9 else "0"
    return Scene(
        height=360,
        narrow=310,
        panels=(panel,),
        alt=TEXTS["alt"].format(scheme=SCHEMES[scheme], farthest=FARTHEST, widest=widest),
        readouts=(
            Readout(TEXTS["readout"], numbers),
            Readout(TEXTS["alike"], numbers, where=alike),
            Readout(TEXTS["between"], numbers, where=[not each for each in alike]),
            *map(Readout, _notes(scheme)),
        ),
        n_positions=len(back),
    )


def _notes(scheme: str) -> list[Text]:
    """Return notes on the controls that have no effect in this scheme."""
    notes = [] if scheme in TURN_WITH_THE_BASE else [TEXTS["no-base"]]
    return notes + ([TEXTS["no-head"]] if scheme == "sinusoidal" else [])
