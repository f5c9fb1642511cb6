"""Small tables of numbers say their names in every language and refuse what does not fit."""

import re

import numpy as np
import pytest
from checks.outputs import html_problems, plain_problems

from course_utils.lessons.tables import SAID, show_table
from course_utils.words.text import LANGUAGES


@pytest.mark.parametrize("name", SAID)
def test_every_table_speaks_every_language(name: str) -> None:
    n_rows = len(SAID[name].get("rows", range(5)))
    shown = show_table(name, np.ones((n_rows, len(SAID[name]["columns"]))))
    assert html_problems(shown.html) + plain_problems(shown.plain) == []
    for language in LANGUAGES:
        assert SAID[name]["caption"][language] in shown.html


def test_numbers_are_rounded_and_have_a_true_minus() -> None:
    numbers = np.arange(20) / -7
    html = show_table("five-by-four", numbers.reshape(5, 4), decimals=2).html
    found = re.findall(r"<td>([^<]+)</td>", html)
    assert found == ["0.00", *(f"−{-number:.2f}" for number in numbers[1:])]


def test_a_list_of_numbers_is_one_column_and_what_does_not_fit_or_is_too_much_is_refused() -> None:
    column = [[0.1], [0.2], [0.3]]
    assert show_table("at-distance-ten", column) == show_table("at-distance-ten", np.ravel(column))
    with pytest.raises(ValueError, match=r"rows must have the shape \(2, 2\) in 'two-lengths'"):
        show_table("two-lengths", np.ones((2, 3)))
    with pytest.raises(ValueError, match="at most 64 numbers"):
        show_table("five-by-four", np.ones((20, 4)))
