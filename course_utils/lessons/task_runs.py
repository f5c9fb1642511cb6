"""Runs of ``experiments/small_model.py`` for lesson 09.

``results`` is the list with this name in ``experiments/small_model.json``. It has one entry for
each task, encoding and seed, with the accuracy at each length, or None if the accuracy was not
measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..words.text import Text, words

__all__ = ["TASKS", "accuracies", "medians"]

TEXTS = words(Path(__file__).with_suffix(".toml"))
TASKS = TEXTS["tasks"]
LENGTHS = ("L = 32", "L = 64", "L = 128")


def accuracies(results: Sequence[dict], task: str) -> dict[str, dict[Text, list[float]]]:
    """Return the accuracy of every run, grouped by length and then by encoding."""
    runs = [each for each in results if each["task"] == task]
    return {
        length: {
            name: [
                each["accuracy"][column]
                for each in runs
                if each["encoding"] == encoding and each["accuracy"][column] is not None
            ]
            for encoding, name in TEXTS["encodings"].items()
        }
        for column, length in enumerate(LENGTHS)
    }


def medians(results: Sequence[dict], task: str) -> Text:
    """Describe the median accuracy over seeds, in per cent, of each encoding at each length."""
    by_length = accuracies(results, task)
    return Text.join(
        "; ",
        [
            TEXTS["median"].format(
                name=name,
                shares=", ".join(
                    f"{100 * np.median(by_name[name]):.0f}"
                    for by_name in by_length.values()
                    if by_name[name]
                ),
            )
            for name in TEXTS["encodings"].values()
        ],
    )
