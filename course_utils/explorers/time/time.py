"""The explorer of moments: hands that read a diffusion step, or uneven time stamps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...coordinates import encoding_at
from ...encodings import angular_frequencies
from ...pictures.panels import MAP_BOX, dials, map_panels
from ...pictures.scenes import Cursor, Map, Readout, Scene
from ...words.text import words
from ..base import explorer
from ..scene.controls import base_slider, dropdown, slider
from ..scene.explorer import Explorer, Play

__all__ = ["time_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
D_MODEL = 8
N_MOMENTS = 31

HOURS = np.concatenate([np.arange(6) + start for start in (0, 24, 48, 96, 120)] + [[168]])
"""Hours of measurements: groups of six consecutive hours, and a last hour after a week."""

MOMENTS: dict[str, NDArray[np.float64]] = {
    "unit": np.linspace(0, 1, N_MOMENTS),
    "thousand": np.linspace(0, 1000, N_MOMENTS),
    "stamps": HOURS,
    "numbers": np.arange(N_MOMENTS),
}
"""The positions of the moments, keyed by their unit."""


@explorer(TEXTS["title"])
def time_explorer(positions: str = "unit") -> Explorer:
    """Show the hands of clocks at moments that need not be whole numbers, with the similarity map.

    Args:
        positions: ``unit`` for diffusion steps from 0 to 1, ``thousand`` for steps from 0 to 1000,
            ``stamps`` for uneven hours, or ``numbers`` for the row numbers of these hours.
    """
    return Explorer(
        _time,
        TEXTS,
        parameters={
            "positions": dropdown(TEXTS["positions"], TEXTS["choices"], positions),
            "base": base_slider(),
        },
        position=slider(TEXTS["moment"], 6, 0, N_MOMENTS - 1),
        play=Play("position", per_second=4),
    )


def _time(positions: str, base: int) -> Scene:
    places = MOMENTS[positions]
    table = encoding_at(places, D_MODEL, base=base)
    frequencies = angular_frequencies(D_MODEL, base=base)
    similar = 2 * (table @ table.T) / D_MODEL
    names = [f"ω{chr(ord('₀') + pair)} = {w:.1g}" for pair, w in enumerate(frequencies)]
    # The dials share the left half of the picture; on a narrow page, they are above the map.
    hands = []
    for dial in dials(names, table):
        left, right = (0.01 + share / 2 for share in (dial.box.left, dial.box.right))
        half = {"left": left, "right": right, "narrow_row": 0}
        hands.append(replace(dial, box=replace(dial.box, **half, upper=0.15, lower=0.85)))
    heat, scale = map_panels(
        Map(similar, -1, 1),
        x=TEXTS["moment"],
        y=TEXTS["other"],
        box=replace(MAP_BOX, left=0.52, narrow_row=1),
        moving=[Cursor(x=np.arange(N_MOMENTS), framed=True)],
    )
    angles = np.outer(places, frequencies)
    numbers = {
        "i": list(range(N_MOMENTS)),
        "t": [_short(place) for place in places],
        "turned": [", ".join(f"{angle:.3g}" for angle in row) for row in angles],
        "first": [f"{value:.2f}" for value in similar[0]],
        "last": [f"{value:.2f}" for value in similar[-1]],
    }
    quantity = "hours" if positions == "stamps" else "plain"
    return Scene(
        height=380,
        narrow=620,
        panels=(*hands, heat, scale),
        alt=TEXTS["alt"].format(
            positions=TEXTS["choices"][positions],
            n_moments=N_MOMENTS,
            low=f"{similar.min():.2f}",
            ends=f"{similar[0, -1]:.2f}",
        ),
        readouts=(
            Readout(TEXTS[quantity], numbers),
            Readout(TEXTS["similar"], numbers),
        ),
        n_positions=N_MOMENTS,
    )


def _short(place: float) -> str:
    return f"{place:.4g}"
