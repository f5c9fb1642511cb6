"""Explorers of tables: binary, normalised, sinusoidal, and the transition from bits to waves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...encodings import (
    angular_frequencies,
    binary_encoding,
    normalized_encoding,
    sinusoidal_encoding,
)
from ...pictures.panels import (
    counting,
    map_over_curve,
    map_with_bars,
    maps_in_a_row,
    numeral,
    round_ticks,
)
from ...pictures.scenes import (
    Axis,
    Cursor,
    Curve,
    Dots,
    Guess,
    Map,
    Panel,
    Points,
    Readout,
    Ribbons,
    Scene,
)
from ...properties import Encoding, flips_per_step
from ...words.text import Text, words
from ..base import explorer
from .controls import NAMES, base_slider, slider
from .explorer import Explorer, Play
from .trial import try_encoding

TEXTS = words(Path(__file__).with_suffix(".toml"))
LONGEST = 40
N_BITS, N_NUMBERED, POINTS_PER_POSITION, CURVE = 5, 32, 8, 2
STEPS_PER_STAGE = 10
STAGES = ("round", "slow", "ratio", "pair")

BASE = 10_000
"""The base of the table with which a reader's own table is compared."""

TOLERANCE = 1e-6
"""The largest difference for a correct table, above the rounding errors of float32."""


@explorer(TEXTS["binary"]["title"])
def binary_explorer(encoding: Encoding | None = None) -> Explorer:
    """Show binary encodings as a heatmap, with the bits of one position and the number of flips.

    Your own ``encoding``, a function from ``(n_positions, d_model)`` to a table, is shown next to
    the reference table.
    """
    parameters = {
        "n_positions": slider(TEXTS["binary"]["positions"], 50, 2, 128),
        "d_model": slider(TEXTS["binary"]["bits"], 6, 1, 8),
    }
    if encoding is not None:
        return _table_explorer("tried", partial(_compared, _reference_bits, encoding), parameters)
    return _table_explorer("binary", _binary, parameters)


def _binary(n_positions: int, d_model: int) -> Scene:
    texts = TEXTS["binary"]
    n_fit = min(n_positions, 2**d_model)
    table = np.full((n_positions, d_model), np.nan)
    table[:n_fit] = binary_encoding(n_fit, d_model)
    flips = np.append(0, flips_per_step(table[:n_fit]).astype(int))
    positions = np.arange(n_positions)
    fits = positions < n_fit
    sizes = {"d_model": d_model, "n_fit": n_fit, "n_positions": n_positions}
    four_flip = np.flatnonzero(flips == 4)
    truth, answer = texts["never"], None
    if four_flip.size:
        answer = int(four_flip[0])
        truth = texts["truth"].format(before=answer - 1, at=answer)
    guess = Guess(
        question=texts["guess"].format(d_model=d_model, last=n_positions - 1),
        truth=truth,
        start=n_positions // 2,
        answer=answer,
    )
    numbers = {
        "i": positions.tolist(),
        "before": (positions - 1).tolist(),
        "bits": [f"{i:0{d_model}b}" for i in positions],
        "flips": np.resize(flips, n_positions).tolist(),
    }
    return Scene(
        panels=_table_panels(
            Map(table.T, 0, 1, "upper half"),
            np.abs(np.nan_to_num(np.diff(table, axis=0, prepend=table[:1]))) > 0,
        ),
        alt=texts["alt"].format(n_positions=n_fit, d_model=d_model),
        readouts=(
            Readout(texts["written"], numbers, where=fits.tolist()),
            Readout(texts["flips"], numbers, where=(fits & (positions > 0)).tolist()),
            Readout(texts["unwritten"], {**numbers, **sizes}, where=(~fits).tolist()),
            Readout(texts["full"], sizes, where=[n_fit < n_positions] * n_positions),
        ),
        n_positions=n_positions,
        guess=guess,
    )


@explorer(TEXTS["sinusoidal"]["title"])
def sinusoidal_explorer(encoding: Encoding | None = None) -> Explorer:
    """Show the sinusoidal table as a heatmap; the reader can change its size and base.

    Your own ``encoding``, a function from ``(n_positions, d_model)`` to a table, is shown next to
    the reference table, whose base is 10,000. The text about the comparison applies only to this
    base and the selected size.
    """
    parameters = {
        "n_positions": slider(NAMES["positions"], 50, 2, 128),
        "d_model": slider(NAMES["d_model"], 16, 2, 128, step=2),
    }
    if encoding is not None:
        reference = partial(sinusoidal_encoding, base=BASE)
        compared = partial(_compared, reference, encoding, base=BASE)
        return _table_explorer("tried", compared, parameters)
    parameters["n_dimensions"] = slider(TEXTS["sinusoidal"]["dimensions"], 128, 2, 128, step=2)
    parameters["base"] = base_slider()
    sizes = {
        "50 × 16": (50, 16, 128),
        "64 × 32": (64, 32, 128),
        "30 × 6, d_model = 128": (30, 128, 6),
    }
    presets = {
        name: dict(zip(parameters, (*size, 10_000), strict=True)) for name, size in sizes.items()
    }
    return _table_explorer("sinusoidal", _sinusoidal, parameters, presets)


def _sinusoidal(n_positions: int, d_model: int, n_dimensions: int, base: int) -> Scene:
    texts = TEXTS["sinusoidal"]
    table = sinusoidal_encoding(n_positions, d_model, base=base)[:, :n_dimensions]
    n_shown = min(n_dimensions, d_model)
    slowest = angular_frequencies(d_model, base=base)[(n_shown - 1) // 2]
    n_read = min(6, n_shown)
    values = [", ".join(f"{value:.3f}" for value in row[:n_read]) for row in table]
    numbers = {"i": list(range(n_positions)), "last": n_read - 1, "values": values}
    return Scene(
        panels=_table_panels(Map(table.T, -1, 1)),
        alt=texts["alt"].format(
            n_positions=n_positions,
            n_shown=n_shown,
            d_model=d_model,
            base=base,
            last=n_shown - 1,
            slowest=f"{slowest:.3g}",
        ),
        readouts=(Readout(texts["readout"], numbers),),
        n_positions=n_positions,
    )


def _table_explorer(
    name: str, scene: Callable[..., Scene], parameters: dict, presets: dict | None = None
) -> Explorer:
    return Explorer(
        scene,
        TEXTS[name],
        parameters=parameters,
        position=slider(NAMES["position"], 23, 0, 49),
        presets=presets,
        prefetched=name != "tried",
    )


def _table_panels(shown: Map, changed: NDArray | None = None) -> tuple[Panel, ...]:
    """Return the map, the values at the position as bars, and the colour scale."""
    values = Axis(
        low=shown.low - 0.08 * (shown.low < 0),
        high=shown.high + 0.08,
        quantity=NAMES["value"],
        ticks=tuple((end, numeral(end)) for end in sorted({shown.low, 0, shown.high})),
    )
    x, y = NAMES["position"], NAMES["dimension"]
    return map_with_bars(shown, split=0.78, x=x, y=y, values=values, changed=changed)


def _reference_bits(n_positions: int, d_model: int) -> NDArray[np.float64]:
    return binary_encoding(min(n_positions, 2**d_model), d_model)


def _compared(
    reference: Encoding, encoding: Encoding, n_positions: int, d_model: int, base: int | None = None
) -> Scene:
    texts = TEXTS["tried"]
    expected = reference(n_positions, d_model)
    n_positions = len(expected)
    table, problem = try_encoding(encoding, n_positions, d_model)
    if problem is not None:
        return _reference_alone(expected, problem)
    difference = table - expected
    # Rounding errors have no pattern to show.
    difference[np.abs(difference) <= TOLERANCE] = 0
    off = np.abs(difference)
    i, j = np.unravel_index(off.argmax(), off.shape)
    numbers = {"difference": f"{off.max():.3g}", "tolerance": TOLERANCE, "i": i, "j": j}
    rows = {"i": list(range(n_positions)), "difference": [f"{row.max():.3g}" for row in off]}
    sizes = {"n_positions": n_positions, "d_model": d_model, "base": base}
    if off.any():
        readouts = [Readout(texts["differs"], numbers), Readout(texts["at-position"], rows)]
    else:
        equal = texts["equal" if base is None else "equal-with-base"]
        readouts = [Readout(equal, numbers | sizes)]
    return Scene(
        narrow=460,
        panels=_three_maps(table, expected, difference),
        alt=texts["alt"].format(**numbers, n_positions=n_positions, d_model=d_model),
        readouts=tuple(readouts),
        n_positions=n_positions,
    )


def _reference_alone(expected: NDArray, problem: Text) -> Scene:
    return Scene(
        panels=_table_panels(Map(expected.T, -1, 1)),
        alt=problem,
        readouts=(Readout(NAMES["whatever"], {"text": problem}),),
        n_positions=len(expected),
    )


def _three_maps(table: NDArray, expected: NDArray, difference: NDArray) -> tuple[Panel, ...]:
    """Return maps of a table, of the expected table, and of the difference on its own scale."""
    titles = [TEXTS["tried"][name] for name in ("yours", "right", "difference")]
    largest, off = (float(np.abs(each).max()) or 1.0 for each in (expected, difference))
    tables = (table, largest), (expected, largest), (difference, off)
    shown = [Map(each.T, -bound, bound) for each, bound in tables]
    cursor = Cursor(x=np.arange(len(table)), framed=True)
    return maps_in_a_row(shown, NAMES["position"], titles, [cursor])


@explorer(TEXTS["two-lengths"]["title"])
def two_lengths_explorer() -> Explorer:
    """Show the normalised encoding of one position in two sentences of different lengths."""
    texts = TEXTS["two-lengths"]
    return Explorer(
        _two_lengths,
        texts,
        parameters={
            "first_length": slider(texts["first"], 10, 1, LONGEST),
            "second_length": slider(texts["second"], 20, 1, LONGEST),
        },
        position=slider(NAMES["position"], 5, 0, LONGEST - 1),
    )


def _two_lengths(first_length: int, second_length: int) -> Scene:
    texts = TEXTS["two-lengths"]
    lengths = first_length, second_length
    longest = max(lengths)
    values = [normalized_encoding(length, 1)[:, 0] for length in lengths]
    layers: list[list[Curve | Points]] = []
    written = []
    for line, color, marker in zip(values, ("ink", "position"), ("circle", "square"), strict=True):
        x = np.arange(len(line))
        layers.append([Curve(x, line, color), Points(x, line, color, marker)])
        written.append([*(f"{v:.3f}" for v in line), *[texts["absent"]] * (longest - len(line))])
    layers.sort(key=lambda both: -len(both[0].x))  # the mark of a single word remains visible
    panel = Panel(
        x=counting(LONGEST, NAMES["position"], most=12),
        y=Axis(low=-0.08, high=1.08, quantity=NAMES["value"], ticks=round_ticks(0, 1, 4)),
        layers=tuple(sum(layers, [])),
        moving=(Cursor(x=np.arange(longest)),),
        track=True,
    )
    sizes = {"first_length": first_length, "second_length": second_length}
    numbers = {"i": list(range(longest)), "first": written[0], "second": written[1], **sizes}
    return Scene(
        height=330,
        narrow=300,
        panels=(panel,),
        alt=texts["alt"].format(first=first_length, second=second_length),
        readouts=(Readout(texts["readout"], numbers),),
        n_positions=longest,
    )


@explorer(TEXTS["wave"]["title"])
def wave_explorer() -> Explorer:
    """Show how the binary table turns into the sinusoidal table, stage by stage."""
    return Explorer(
        _waves,
        TEXTS["wave"],
        parameters={"step": slider(TEXTS["wave"]["step"], 0, 0, len(STAGES) * STEPS_PER_STAGE)},
        position=slider(NAMES["position"], 5, 0, N_NUMBERED - 1),
        play=Play("step", per_second=5),
    )


def _waves(step: int) -> Scene:
    texts = TEXTS["wave"]
    positions = np.arange(N_NUMBERED)
    fine = np.arange(-0.5, N_NUMBERED - 0.5 + 1e-9, 1 / POINTS_PER_POSITION)
    # A bit changes halfway between two positions, with a vertical edge.
    halves = positions[1:] - 0.5
    fine[[0, -1]] += (0.02, -0.02)  # at the very ends a bit is about to change
    fine = np.sort(np.concatenate([fine, halves - 0.01, halves + 0.01]))
    table, waves = table_between(positions, step), table_between(fine, step).T
    frequencies = frequencies_between(step)
    sines = table[:, 2 * CURVE]
    panels = map_over_curve(
        Map(table.T, -1, 1),
        split=0.58,
        x=counting(N_NUMBERED, NAMES["position"], most=12),
        y=(
            NAMES["dimension"],
            Axis(low=-1.15, high=1.15, quantity=texts["curve"], ticks=round_ticks(-1, 1, 3)),
        ),
        curves=[
            Curve(fine, waves[2 * CURVE]),
            Points(positions, sines, "ink"),
        ],
        dots=[Dots(x=positions, y=sines)],
        waves=Ribbons(fine, waves, -1, 1),
    )
    # At the boundary of two stages, the earlier stage is shown.
    stage = STAGES[max(0, -(-step // STEPS_PER_STAGE) - 1)]
    numbers = {
        "percent": round(100 * _share(step, stage)),
        "fastest": f"{frequencies[0]:.3g}",
        "ratio": f"{frequencies[1] / frequencies[0]:.3f}",
    }
    values = [", ".join(f"{value:.2f}" for value in row[0:6:2]) for row in table]
    return Scene(
        height=410,
        panels=panels,
        alt=texts["alt"].format(step=step, sentence=texts[stage].format(**numbers)),
        readouts=(
            Readout(texts[stage].format(**numbers)),
            Readout(texts["readout"], {"i": positions.tolist(), "values": values}),
        ),
        n_positions=N_NUMBERED,
    )


def _share(step: int, stage: str) -> float:
    """Return the completed share of a stage, from 0 to 1."""
    return float(np.clip(step / STEPS_PER_STAGE - STAGES.index(stage), 0, 1))


def frequencies_between(step: int) -> NDArray[np.float64]:
    """Return angular frequencies at one step of the transition from bits to sinusoids."""
    slow, ratio = _share(step, "slow"), _share(step, "ratio")
    pairs = np.arange(N_BITS)
    last = angular_frequencies(2 * N_BITS)
    if ratio == 1:
        return last
    return np.pi ** (1 - slow) * (0.5 ** (1 - ratio) * last[1] ** ratio) ** pairs


def table_between(positions: NDArray, step: int) -> NDArray[np.float64]:
    """Return the table at one step of the transition from bits to sinusoids, one row per position.

    Even columns hold bits at step 0 and sines from the third stage on. Odd columns are empty until
    the last stage, in which the cosines grow.
    """
    rounded, slow, pair = (_share(step, stage) for stage in ("round", "slow", "pair"))
    frequencies = frequencies_between(step)
    angles = np.outer(positions, frequencies)
    # A bit is 0 at first and changes between two positions; a sine is 0 at position 0.
    waves = np.sin(angles + (1 - slow) * (frequencies / 2 + np.pi))
    # Turn square waves into sinusoids, and the values 0 and 1 into -1 and 1.
    sharpness = 200.0 * 0.0005**rounded
    if rounded < 1:
        waves = np.tanh(sharpness * waves) / np.tanh(sharpness)
    table = np.full((len(positions), 2 * N_BITS), np.nan)
    table[:, 0::2] = (1 - rounded) * (1 + waves) / 2 + rounded * waves
    if pair:
        table[:, 1::2] = pair * np.cos(angles)
    return table
