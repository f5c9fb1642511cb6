"""The explorer of clocks in learned position vectors of two released models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...learned_positions import CLEAN_ROWS, share_on_circles
from ...pictures.panels import MAP_BOX, counting, map_panels, round_ticks
from ...pictures.scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Hands,
    Map,
    Panel,
    Readout,
    Scene,
)
from ...words.text import Text, words
from ..base import explorer
from ..scene.controls import NAMES, checkbox, dropdown, slider
from ..scene.explorer import Explorer, Play
from .hands import START, VECTORS, at_even_pace, hands_of, paces, similarities, steady_hands

__all__ = ["learned_clocks_explorer"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
N_IN_MAP = 128
"""The number of rows in the similarity map, from position 128 on."""

N_PACES = 3
"""The number of clocks whose paces are drawn, starting with the fastest."""

PACE_COLORS = ("position", "word", "sum")
LOWEST_PACE, HIGHEST_PACE = 0.8, 1.3
BELOW = ("gears", "map")
"""The figures below the dials: paces and gears, or similarities of vectors."""

NARROW = {"gears": 520, "map": 640}
"""Height in pixels on a narrow page; a map needs more height than curves."""

EARLY = 90
"""The last of the early rows, which have circles but no gears."""


@explorer(TEXTS["title"])
def learned_clocks_explorer(selected: str = "minilm") -> Explorer:
    """Show clocks whose hands are the learned position vectors of a released model.

    Args:
        selected: the vectors shown first: ``minilm``, ``circles`` or ``whisper``.

    Raises:
        ValueError: the vectors are unknown.
    """
    if selected not in VECTORS:
        raise ValueError(f"selected must be one of {', '.join(VECTORS)}; got {selected!r}.")
    options = {name: TEXTS[name] for name in VECTORS}
    return Explorer(
        _learned_clocks,
        TEXTS,
        parameters={
            "vectors": dropdown(TEXTS["vectors"], options, selected),
            "below": dropdown(TEXTS["below"], {name: TEXTS[name] for name in BELOW}, "gears"),
            "even": checkbox(TEXTS["even"]),
        },
        position=slider(NAMES["position"], 200, 0, 511),
        play=Play("position", per_second=6),
    )


def _learned_clocks(vectors: str, below: str, even: bool) -> Scene:
    hands = hands_of(vectors)
    steady = steady_hands(hands, vectors)
    has_common_pace = vectors != "whisper"
    shown = at_even_pace(hands) if even and has_common_pace else hands
    turns = hands.turns()
    clean = CLEAN_ROWS["minilm" if has_common_pace else "whisper"]
    total = turns[clean.stop - 1] - turns[max(clean.start, START)]
    names = [f"{each:.1f}" for each in total]
    positions = np.arange(len(turns))
    pace = paces(shown.phases, vectors)
    numbers = {
        "i": positions.tolist(),
        "turns": [", ".join(f"{abs(each):.1f}" for each in row) for row in shown.turns()],
        "pace": ["" if np.isnan(each) else f"{100 * each:.0f}" for each in pace[:, 0]],
        "share": f"{100 * share_on_circles():.1f}",
        "rest": f"{100 * (1 - share_on_circles()):.1f}",
    }
    return Scene(
        height=430,
        narrow=NARROW[below],
        panels=(
            *_dials(names, shown.tips(), steady.tips()),
            *(
                _map_panels(similarities(vectors, START, N_IN_MAP), positions)
                if below == "map"
                else (_pace_panel(pace), _gear_panel(turns, clean))
            ),
        ),
        alt=TEXTS["alt"].format(
            n_clocks=len(total),
            vectors=TEXTS[vectors],
            turns=", ".join(f"{each:.1f}" for each in total),
            below=TEXTS[f"alt-{vectors}"] if below == "gears" else TEXTS["alt-map"],
        ),
        readouts=tuple(
            Readout(TEXTS[name], _used(TEXTS[name], numbers), where=where.tolist())
            for name, where in _sentences(vectors, even, positions, clean)
        ),
        n_positions=len(positions),
    )


def _used(sentence: Text, numbers: dict[str, object]) -> dict[str, object]:
    """Return the values for which a sentence has placeholders."""
    return {name: each for name, each in numbers.items() if f"{{{name}}}" in sentence.one_line}


def _sentences(
    vectors: str, even: bool, positions: NDArray, clean: slice
) -> list[tuple[str, NDArray]]:
    """Return the names of the sentences, and the positions at which each is shown."""
    always = np.full(len(positions), True)
    is_clean = (clean.start <= positions) & (positions < clean.stop)
    if vectors == "whisper":
        return [
            ("turned", positions >= START),
            ("before", (positions < START) & (positions >= clean.start)),
            ("first-tokens", positions < clean.start),
            ("whisper-even" if even else "whisper-ratios", always),
        ]
    if vectors == "circles":
        return [("turned", is_clean), ("circles-hold", is_clean), ("no-circles", ~is_clean)]
    paced = is_clean & (positions >= clean.start + 12) & (positions < clean.stop - 12)
    return [
        ("turned", is_clean),
        ("minilm-even" if even else "pace", is_clean if even else paced),
        ("first-token", positions == 0),
        ("early", (positions > 0) & (positions <= EARLY)),
        ("between", (positions > EARLY) & (positions < clean.start)),
        ("last", positions >= clean.stop),
    ]


def _dials(names: list[str], tips: NDArray, steady: NDArray) -> list[Panel]:
    """Return a dial per clock, with the model's hand and a grey hand of constant speed."""
    room = Axis(low=-1.1, high=1.1)
    panels = []
    for clock, name in enumerate(names):
        x, y = tips[:, 2 * clock], tips[:, 2 * clock + 1]
        far_x, far_y = steady[:, 2 * clock], steady[:, 2 * clock + 1]
        ends = {"left": clock / len(names), "right": (clock + 1) / len(names)}
        panels.append(
            Panel(
                box=Box(**ends, lower=0.42, top=4, bottom=26, before=4, after=4),
                x=room,
                y=room,
                moving=(
                    Hands(x=far_x, y=far_y, color="grey"),
                    Dots(x=far_x, y=far_y, color="grey", filled=False),
                    Hands(x=x, y=y),
                    Dots(x=x, y=y),
                ),
                dial=True,
                title=name,
            )
        )
    return panels


def _pace_panel(paces_of_clocks: NDArray) -> Panel:
    positions = np.arange(len(paces_of_clocks))
    low, high = LOWEST_PACE, HIGHEST_PACE
    curves = [
        Curve(positions, np.where((low <= pace) & (pace <= high), pace, np.nan), color)
        for pace, color in zip(paces_of_clocks.T[:N_PACES], PACE_COLORS, strict=True)
    ]
    return Panel(
        box=Box(upper=0.42, right=0.54, top=28, bottom=48, before=52, after=16, narrow_row=1),
        x=counting(len(positions), NAMES["position"], most=6),
        y=Axis(
            low=low,
            high=high,
            quantity=TEXTS["pace-axis"],
            ticks=tuple((share / 100, f"{share}") for share in (80, 100, 120)),
        ),
        layers=(Curve(positions[[0, -1]], np.array([1.0, 1.0]), "faint"), *reversed(curves)),
        moving=(Cursor(x=positions),),
        track=True,
    )


def _gear_panel(turns: NDArray, clean: slice) -> Panel:
    """Return a plot of the two fastest hands' turns against each other, with a line of slope 3."""
    faster, slower = turns[:, 0], turns[:, 1]
    first, last = max(clean.start, START), clean.stop
    ends = np.array([slower.min(), slower.max()])
    low, high = min(faster.min(), 3 * ends[0]), max(faster.max(), 3 * ends[1])
    margin = 0.04 * (high - low)
    return Panel(
        box=Box(upper=0.42, left=0.54, top=28, bottom=48, before=52, after=16, narrow_row=2),
        x=Axis(
            low=ends[0] - margin / 3,
            high=ends[1] + margin / 3,
            quantity=TEXTS["slower"],
            ticks=round_ticks(*ends, 5),
        ),
        y=Axis(
            low=low - margin,
            high=high + margin,
            quantity=TEXTS["faster"],
            ticks=round_ticks(low, high, 5),
        ),
        layers=(
            Curve(ends, 3 * ends, "faint"),
            Curve(slower[: first + 1], faster[: first + 1], "grey"),
            Curve(slower[last - 1 :], faster[last - 1 :], "grey"),
            Curve(slower[first:last], faster[first:last], "position"),
        ),
        moving=(Dots(x=slower, y=faster),),
    )


def _map_panels(shown: NDArray, positions: NDArray) -> tuple[Panel, Panel]:
    """Return the similarity map of rows 128 to 255, with a dot on its diagonal."""
    on_map = (positions >= START) & (positions < START + N_IN_MAP)
    diagonal = np.where(on_map, positions - START, np.nan)
    heat, scale = map_panels(
        Map(shown, -1, 1),
        x=NAMES["position"],
        y=NAMES["position"],
        # On a wide page, the map is in the middle and about twice as wide as high.
        box=replace(MAP_BOX, left=0.2, right=0.8, upper=0.42, top=28, bottom=48, narrow_row=1),
        first=START,
        moving=[Dots(x=diagonal, y=diagonal)],
    )
    # A phone has room for few numbers.
    axes = {
        "x": counting(N_IN_MAP, NAMES["position"], first=START, most=4),
        "y": counting(N_IN_MAP, NAMES["position"], first=START, down=True, most=4),
    }
    return replace(heat, track=False, **axes), scale
