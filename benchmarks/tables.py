"""The sinusoidal table against the usual float32 code and against filling an array: time and error.

python benchmarks/tables.py
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

import numpy as np

from course_utils.encodings import angular_frequencies, sinusoidal_encoding

SIZES = [(64, 16), (512, 64), (512, 512), (5_000, 128), (20_000, 512), (100_000, 64)]
SIZES += [(100_000, 1_024)]
SECONDS, FEWEST_ROUNDS = 3.0, 5


def usual_code(n_positions: int, d_model: int) -> np.ndarray:
    """The table as it is usually computed: the angles, too, are float32 numbers."""
    positions = np.arange(n_positions, dtype=np.float32)[:, np.newaxis]
    angles = positions * angular_frequencies(d_model).astype(np.float32)
    table = np.empty((n_positions, d_model), np.float32)
    np.sin(angles, out=table[:, 0::2])
    np.cos(angles, out=table[:, 1::2])
    return table


CODES: dict[str, Callable[[int, int], np.ndarray]] = {
    "usual code, float32": usual_code,
    "course, float32": lambda *size: sinusoidal_encoding(*size, dtype=np.float32),
    "course, float64": sinusoidal_encoding,
}
FILLING: dict[str, Callable[[int, int], np.ndarray]] = {
    "filling, float32": lambda *size: np.full(size, 0.5, np.float32),
    "filling, float64": lambda *size: np.full(size, 0.5),
}


def milliseconds(n_positions: int, d_model: int) -> dict[str, float]:
    """The best round of each code, all of them taken in turn."""
    best = dict.fromkeys(CODES | FILLING, np.inf)
    end, rounds = time.perf_counter() + SECONDS, 0
    while rounds < FEWEST_ROUNDS or time.perf_counter() < end:
        for name, code in (CODES | FILLING).items():
            start = time.perf_counter()
            code(n_positions, d_model)
            best[name] = min(best[name], 1000 * (time.perf_counter() - start))
        rounds += 1
    return best


def largest_error(table: np.ndarray) -> float:
    """Against extended precision, on up to a thousand positions, the last among them."""
    n_positions, d_model = table.shape
    positions = np.unique(np.linspace(0, n_positions - 1, 1000).astype(int))
    pairs = np.arange(0, d_model, 2, dtype=np.longdouble)
    angles = np.outer(positions, np.longdouble(10_000) ** (-pairs / d_model))
    exact = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), d_model)
    return float(np.abs(table[positions] - exact).max())


def main() -> None:
    if np.finfo(np.longdouble).eps > 1e-18:
        raise SystemExit("This computer has no extended precision to compare with.")
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    for size in SIZES:
        print(f"{size[0]:,} x {size[1]:,}, best of the rounds of {SECONDS:g} seconds")
        took = milliseconds(*size)
        for name, time_taken in took.items():
            gain = took["usual code, float32"] / time_taken
            line = f"  {name:20}{time_taken:10.3f} ms {gain:7.2f}x as fast"
            if name in CODES:
                line += f"  error {largest_error(CODES[name](*size)):.0e}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
