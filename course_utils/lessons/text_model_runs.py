"""What ``experiments/text_model.py`` stored of further training, as the pictures take it."""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["tuned_bits"]


def tuned_bits(
    experiment: Path | str, language: str = "en"
) -> dict[int, dict[str, dict[int, list[float]]]]:
    """Bits a character after further steps on longer texts: at the new length and at the old one.

    Args:
        experiment: the file ``text_model.json``.
        language: of the held out text, "en" or "es".

    Returns:
        By length of the texts (the new one first), by stretch ("trained" for none), by the number
        of further steps: a number for each seed.
    """
    stored = json.loads(Path(experiment).read_text(encoding="utf-8"))
    usual = {"text": "both", "held_out": 9, "trained_length": 64, "d_head": 16}
    runs = [run for run in stored["runs"] if "tuned" in run and usual.items() <= run.items()]
    bits: dict[int, dict[str, dict[int, list[float]]]] = {}
    for run in sorted(runs, key=lambda run: run["seed"]):
        for way, by_steps in run["tuned"].items():
            for steps, by_language in by_steps.items():
                for length, value in by_language[language].items():
                    by_way = bits.setdefault(int(length), {})
                    by_way.setdefault(way, {}).setdefault(int(steps), []).append(value)
    return dict(sorted(bits.items(), reverse=True))
