"""The sinusoidal table against the usual float32 code and against filling an array: time, error.

python benchmarks/tables.py
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

import numpy as np

from course_utils.encodings import sinusoidal_encoding

SIZES = [(64, 16), (512, 64), (512, 512), (5_000, 128), (20_000, 512), (100_000, 64)]
SIZES += [(100_000, 1_024)]
SECONDS, FEWEST_ROUNDS = 3.0, 5


def usual_code(n_positions: int, d_model: int) -> np.ndarray:
    positions = np.arange(n_positions, dtype=np.float32)[:, np.newaxis]
    omega = (10_000.0 ** (-np.arange(0, d_model, 2) / d_model)).astype(np.float32)
    angles = positions * omega
    table = np.empty((n_positions, d_model), np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def codes(n_positions: int, d_model: int) -> dict[str, Callable[[], np.ndarray]]:
    return {
        "usual32": lambda: usual_code(n_positions, d_model),
        "course32": lambda: sinusoidal_encoding(n_positions, d_model, dtype=np.float32),
        "course64": lambda: sinusoidal_encoding(n_positions, d_model),
        "fill32": lambda: np.full((n_positions, d_model), 0.5, np.float32),
        "fill64": lambda: np.full((n_positions, d_model), 0.5),
    }


def fastest(runs: dict[str, Callable[[], np.ndarray]]) -> dict[str, float]:
    """Milliseconds of the best round of each, all of them taken in turn."""
    best = dict.fromkeys(runs, np.inf)
    end, rounds = time.perf_counter() + SECONDS, 0
    while rounds < FEWEST_ROUNDS or time.perf_counter() < end:
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], 1000 * (time.perf_counter() - start))
        rounds += 1
    return best


def largest_error(table: np.ndarray) -> float:
    """Against extended precision, on up to a thousand positions, the last among them."""
    n_positions, d_model = table.shape
    positions = np.unique(np.linspace(0, n_positions - 1, 1000).astype(int))
    pairs = np.arange(0, d_model, 2, dtype=np.longdouble)
    angles = np.outer(positions, np.longdouble(10_000) ** (-pairs / d_model))
    rows = table[positions]
    return float(
        max(
            np.abs(rows[:, 0::2] - np.sin(angles)).max(),
            np.abs(rows[:, 1::2] - np.cos(angles)).max(),
        )
    )


def main() -> None:
    if np.finfo(np.longdouble).eps > 1e-18:
        raise SystemExit("This computer has no extended precision to compare with.")
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    print("Milliseconds of the best round; how many times as fast as the usual code; largest error")
    print(f"{'table':14}{'usual32':>10}{'error':>9}", end="")
    print(
        "".join(f"{f'course{bits}':>10}{'':>7}{'error':>9}{f'fill{bits}':>10}" for bits in (32, 64))
    )
    for n_positions, d_model in SIZES:
        runs = codes(n_positions, d_model)
        took = fastest(runs)
        error = {name: largest_error(runs[name]()) for name in ("usual32", "course32", "course64")}
        print(
            f"{f'{n_positions} x {d_model}':14}{took['usual32']:10.3f}{error['usual32']:9.0e}",
            end="",
        )
        for bits in (32, 64):
            course = f"course{bits}"
            gain = took["usual32"] / took[course]
            print(
                f"{took[course]:10.3f}{gain:6.1f}x{error[course]:9.0e}{took[f'fill{bits}']:10.3f}",
                end="",
            )
        print(flush=True)


if __name__ == "__main__":
    main()
