"""Tests of the report card and of small tables.

Their numbers and texts are stored in the lessons and compared by nbval.
"""

import math
import re
from itertools import product

import numpy as np
import pytest

from course_utils import report_card as make_card
from course_utils import sinusoidal_encoding
from course_utils.lessons import report_card as cards
from course_utils.lessons.report_card import REQUIREMENTS, judge
from course_utils.lessons.tables import show_table
from course_utils.schemes import SCHEMES, absolute
from course_utils.words.text import LANGUAGES

EXPECTED = {
    #              unique bounded consistent cheap beyond smooth distance-aware
    "none":        "no     yes     yes        yes   yes    n/a    no",
    "index":       "yes    no      yes        yes   yes    yes    no",
    "normalized":  "yes    yes     no         no    yes    yes    no",
    "binary":      "yes    yes     yes        yes   ±      no     no",
    "sinusoidal":  "yes    yes     yes        yes   yes    yes    yes",
    "arithmetic":  "yes    yes     yes        yes   yes    yes    yes",
    "learned":     "yes    yes     yes        no    no     no     no",
    "t5":          "±      n/a     yes        yes   yes    ±      yes",
    "alibi":       "yes    n/a     yes        yes   yes    yes    yes",
    "rope":        "yes    n/a     yes        yes   yes    yes    yes",
}  # fmt: skip
SHORT = {"met": "yes", "unmet": "no", "depends": "±", "inapplicable": "n/a"}
OTHER_SIZES = [(16, 4), (128, 128), (300, 2)]
OTHER_SEEDS = range(1000, 1004)


@pytest.mark.parametrize("name", SCHEMES)
def test_report_card_verdicts_hold_at_other_sizes_seeds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts that depend on the conditions must occur in both forms."""
    monkeypatch.setattr(cards, "N_TABLES", 5)
    scheme = SCHEMES[name]
    drawn = [scheme] if scheme.drawn is None else [scheme.drawn(seed) for seed in OTHER_SEEDS]
    for requirement, verdict in zip(REQUIREMENTS, EXPECTED[name].split(), strict=True):
        assert SHORT[judge(scheme, requirement).state] == verdict, requirement
        found = set()
        for size, table in product(OTHER_SIZES, drawn):
            try:
                found.add(REQUIREMENTS[requirement](table, *size).met)
            except ValueError:  # Measure an encoding with a maximum length only within it.
                assert name in ("binary", "learned")
        wanted = {"yes": {True}, "no": {False}, "±": {True, False}, "n/a": {None}}[verdict]
        assert found == wanted, requirement


def test_report_card_thresholds() -> None:
    """The norm of an average word is sqrt(d / 3), and each row is ``length`` times as long."""
    for n_learned, length, state in ((100, 2.99, "met"), (101, 3.01, "unmet")):
        scheme = absolute(sinusoidal_encoding, n_learned=lambda d_model, n=n_learned: n)
        cheap = judge(scheme, "cheap")
        assert cheap.state == state and "at most 100." in cheap.how["en"]
        scheme = absolute(lambda n, d, length=length: np.full((n, d), length / math.sqrt(3)))
        bounded = judge(scheme, "bounded")
        assert bounded.state == state and "at least 25% is required." in bounded.how["en"]


def test_scores_are_compared_at_every_distance() -> None:
    growing = absolute(
        lambda n, d: np.arange(1, n + 1)[:, np.newaxis] * np.eye(2)[np.arange(n) % 2]
    )
    assert judge(growing, "distance-aware").state == "unmet"


def test_report_card_cell_opens_to_its_reason() -> None:
    card = make_card("index", "binary", "alibi", requirements=["smooth", "beyond"])
    cells = re.findall(r"<td class=.*?</td>", card.html, re.S)
    assert len(cells) == 3 * 2
    for cell in cells:
        assert re.search(r"\d|<details>", cell)
        assert all(cell.count(f'lang="{language}"') == 2 for language in LANGUAGES)
    headers = re.findall(r'scope="row"><details><summary><span lang="en"[^>]*>([^<]*)', card.html)
    assert headers == ["smooth", "defined beyond the last position"]
    assert make_card("index").html.count("<td class=") == len(REQUIREMENTS)


@pytest.mark.parametrize("wrong", [[], ["pretty"], "smooth"])
def test_unknown_encoding_or_requirement_is_rejected(wrong) -> None:
    for names in ((), ("index", "alibis")):
        with pytest.raises(ValueError, match="none, index, normalized, binary, sinusoidal"):
            make_card(*names)
    with pytest.raises(ValueError, match="unique, bounded, consistent, cheap"):
        make_card("index", requirements=wrong)


def test_table_numbers_are_rounded_with_true_minus() -> None:
    numbers = np.reshape(np.arange(20) / -7, (5, 4))
    numbers[:, 3] = 3
    html = show_table("five-by-four", numbers, decimals=2).html
    written = [f"−{-number:.2f}" if number < 0 else "3" for number in numbers.ravel()]
    assert re.findall(r"<td>([^<]+)</td>", html) == ["0.00", *written[1:]]


def test_list_is_one_column_oversize_tables_are_rejected() -> None:
    column = [[0.1], [0.2], [0.3]]
    assert show_table("at-distance-ten", column) == show_table("at-distance-ten", np.ravel(column))
    with pytest.raises(ValueError, match=r"rows must have the shape \(2, 2\) in 'two-lengths'"):
        show_table("two-lengths", np.ones((2, 3)))
    with pytest.raises(ValueError, match="at most 64 numbers"):
        show_table("five-by-four", np.ones((20, 4)))
