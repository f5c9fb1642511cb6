"""The report card says what is measured: change the encoding, and its verdicts change."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_utils import report_card as make_card
from course_utils import sinusoidal_encoding
from course_utils.report import (
    REQUIREMENTS,
    measure_beyond,
    measure_bounded,
    measure_consistent,
    measure_cost,
    measure_distance_aware,
    measure_smooth,
    measure_unique,
)
from course_utils.schemes import SCHEMES, absolute
from course_utils.text import LANGUAGES

EXPECTED = {
    #              unique consistent bounded distance smooth beyond cheap
    "none":        "no     yes        yes     no       no     yes    yes",
    "index":       "yes    yes        no      no       yes    yes    yes",
    "normalized":  "yes    no         yes     no       yes    no     yes",
    "binary":      "yes    yes        yes     no       no     no     yes",
    "sinusoidal":  "yes    yes        yes     yes      yes    yes    yes",
    "learned":     "yes    yes        yes     no       no     no     no",
    "t5":          "yes    yes        yes     yes      yes    yes    no",
    "alibi":       "yes    yes        no      yes      yes    yes    yes",
    "rope":        "yes    yes        yes     yes      yes    yes    yes",
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts_are_those_that_the_lessons_teach(name: str) -> None:
    scheme = SCHEMES[name]
    measured = ["yes" if measure(scheme).met else "no" for measure in REQUIREMENTS.values()]
    assert measured == EXPECTED[name].split()


def repeating(n: int, d: int) -> np.ndarray:
    return sinusoidal_encoding(n, d)[np.arange(n) % 50]


def stretched(n: int, d: int) -> np.ndarray:
    return sinusoidal_encoding(n, d) * n


def weighted(n: int, d: int) -> np.ndarray:
    return sinusoidal_encoding(n, d) * np.linspace(1, 2, n)[:, np.newaxis]


def alternating(n: int, d: int) -> np.ndarray:
    return sinusoidal_encoding(n, d) * np.where(np.arange(n) % 2, -1, 1)[:, np.newaxis]


def random(n: int, d: int) -> np.ndarray:
    return np.random.default_rng().uniform(-1, 1, (n, d))


def ending(n: int, d: int) -> np.ndarray:
    if n > 64:
        raise ValueError("no such position")
    return sinusoidal_encoding(n, d)


@pytest.mark.parametrize(
    ("measure", "broken"),
    [
        (measure_unique, repeating),
        (measure_consistent, stretched),
        (measure_bounded, stretched),
        (measure_distance_aware, weighted),
        (measure_smooth, alternating),
        (measure_beyond, ending),
        (measure_beyond, stretched),
        (measure_cost, random),
    ],
)
def test_breaking_a_property_turns_its_cell(measure, broken) -> None:
    assert measure(absolute("sinusoidal", sinusoidal_encoding)).met
    assert not measure(absolute("sinusoidal", broken)).met


def test_numbers_to_learn_turn_the_cost() -> None:
    assert not measure_cost(absolute("sinusoidal", sinusoidal_encoding, learned=np.ones(3))).met


def test_each_cell_opens_to_its_numbers_in_every_language() -> None:
    card = make_card("index", "binary")
    cells = re.findall(r"<td class=.*?</td>", card.html, re.S)
    assert len(cells) == 2 * len(REQUIREMENTS)
    for cell in cells:
        assert re.search(r"\d", cell)
        assert all(cell.count(f'lang="{language}"') == 2 for language in LANGUAGES)


@pytest.mark.parametrize("names", [(), ("alibis",), ("index", "alibis")])
def test_an_unknown_encoding_is_refused_with_the_names_that_exist(names: tuple) -> None:
    with pytest.raises(ValueError, match="none, index, normalized, binary, sinusoidal"):
        make_card(*names)
