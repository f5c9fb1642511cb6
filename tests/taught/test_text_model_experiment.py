"""Tests of the character model's texts and stored results."""

import json
from itertools import pairwise

import numpy as np
import pytest
from checks.experiment_scripts import EXPERIMENTS

from course_utils import text_model

RUNS = json.loads((EXPERIMENTS / "text_model.json").read_text(encoding="utf-8"))["runs"]


def main_runs(encoding: str) -> list[dict]:
    """Return the five runs of an encoding, sorted by seed."""
    usual = {"text": "both", "held_out": 9, "trained_length": 64, "d_head": 16}
    runs = [each for each in RUNS if each["encoding"] == encoding]
    return [each for each in runs if usual.items() <= each.items()]


def mean_bits(result: dict, length: int) -> float:
    """Return the mean bits over both languages."""
    return float(np.mean([by_length[str(length)] for by_length in result["bits"].values()]))


# The text. ----------------------------------------------------------------------------------------


def test_training_texts_name_their_license():
    n_paragraphs = set()
    for name in ("text_model_en", "text_model_es", "stories_en", "stories_es"):
        text = (EXPERIMENTS / f"{name}.txt").read_text(encoding="utf-8")
        head = [line for line in text.splitlines() if line.startswith("#")]
        assert "creativecommons.org/licenses/by/4.0/" in " ".join(head)
        if name.startswith("text_model"):
            n_paragraphs.add(len(text.splitlines()) - len(head))
    assert len(n_paragraphs) == 1


# The stored runs. ---------------------------------------------------------------------------------


def test_package_numbers_match_runs():
    for encoding in text_model.ENCODINGS:
        runs = main_runs(encoding)
        assert [run["seed"] for run in runs] == [0, 1, 2, 3, 4]
        results = {None: runs}
        for stretch in text_model.STRETCHES if encoding == "rope" else ():
            results[stretch] = [run["stretched"][stretch] for run in runs]
        for stretch, of_seeds in results.items():
            for language in ("en", "es"):
                bits = text_model.measured_bits(encoding, language, stretch)
                by_length = of_seeds[0]["bits"][language]
                assert list(bits) == list(map(int, by_length))
                for length, seeds in bits.items():
                    assert seeds == [each["bits"][language][str(length)] for each in of_seeds]
                for length in (256, 512) if encoding != "learned" else ():
                    curve = text_model.measured_curve(encoding, language, stretch, length=length)
                    curves = [each["curves"][language][str(length)] for each in of_seeds]
                    np.testing.assert_allclose(curve, np.mean(curves, axis=0), atol=1e-3)


# Statements based on the numbers. -----------------------------------------------------------------


def test_course_sentences_hold_for_other_seeds_and_texts():
    for run in RUNS:
        if run["encoding"] != "rope" or (run["trained_length"], run["d_head"]) == (64, 16):
            wrong = [sentence for sentence, true in run["holds"].items() if not true]
            is_slip = run["encoding"] == "rope" and run["seed"] in (1, 4)
            assert wrong == ["50 steps leave RoPE as trained much to lose at 4 L"] * is_slip


@pytest.mark.parametrize(
    ("length", "order"),
    [
        *((64, ["rope", each, "none"]) for each in ("alibi", "learned", "sinusoidal")),
        (128, ["alibi", "rope", "none", "sinusoidal"]),
        (256, ["alibi", "none", "rope"]),
        (512, ["alibi", "none", "sinusoidal", "rope"]),
    ],
)
def test_rope_is_best_up_to_training_length(length, order):
    """This holds for every seed. A model without positions does not fail, but is never good."""
    bits = [[mean_bits(run, length) for run in main_runs(each)] for each in order]
    for better, worse in pairwise(bits):
        assert max(better) < min(worse)
