"""Lab 03 as people get it wrong."""

import numpy as np

MISTAKES = {
    "angular-frequencies": (
        ("exponent-halved", lambda d: 10_000.0 ** (-np.arange(d // 2) / d)),
        ("frequency-per-column", lambda d: 10_000.0 ** (-2 * np.arange(d) / d)),
        ("raised", lambda d: 10_000 ** (-2 * range(d // 2) / d)),
    ),
}
