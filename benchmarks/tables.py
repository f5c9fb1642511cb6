"""The sinusoidal table against the usual float32 code: time and error, in one run.

python benchmarks/tables.py
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from course_utils.encodings import sinusoidal_encoding

N_POSITIONS, D_MODEL, ROUNDS = 20_000, 512, 15


def usual_code(n_positions: int, d_model: int) -> np.ndarray:
    positions = np.arange(n_positions, dtype=np.float32)[:, np.newaxis]
    omega = (10_000.0 ** (-np.arange(0, d_model, 2) / d_model)).astype(np.float32)
    angles = positions * omega
    table = np.empty((n_positions, d_model), np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def in_extended_precision(n_positions: int, d_model: int) -> np.ndarray:
    if np.finfo(np.longdouble).eps > 1e-18:
        raise SystemExit("This computer has no extended precision to compare with.")
    pairs = np.arange(0, d_model, 2, dtype=np.longdouble)
    omega = np.longdouble(10_000) ** (-pairs / d_model)
    table = np.empty((n_positions, d_model))
    for position in range(n_positions):
        table[position, 0::2] = np.sin(position * omega)
        table[position, 1::2] = np.cos(position * omega)
    return table


CODES: dict[str, Callable[[], np.ndarray]] = {
    "usual code, float32": lambda: usual_code(N_POSITIONS, D_MODEL),
    "course, float32": lambda: sinusoidal_encoding(N_POSITIONS, D_MODEL, dtype=np.float32),
    "course, float64": lambda: sinusoidal_encoding(N_POSITIONS, D_MODEL),
}


def main() -> None:
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    print(f"{N_POSITIONS} x {D_MODEL}, median of {ROUNDS} rounds, taken in turn")
    seconds: dict[str, list[float]] = {name: [] for name in CODES}
    for _ in range(ROUNDS):
        for name, code in CODES.items():
            start = time.perf_counter()
            code()
            seconds[name].append(time.perf_counter() - start)
    reference = in_extended_precision(N_POSITIONS, D_MODEL)
    usual = median(seconds["usual code, float32"])
    for name, code in CODES.items():
        took = median(seconds[name])
        error = np.abs(code() - reference).max()
        print(f"{name:22} {1000 * took:6.1f} ms  {usual / took:5.2f}x as fast  error {error:.1e}")


if __name__ == "__main__":
    main()
