"""Every choice of every question explains itself, and none gives the answer away unopened."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from course_utils import question
from course_utils.quiz import Choice, Question, questions
from course_utils.text import Text

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


@pytest.mark.parametrize("name", questions())
def test_every_choice_has_an_explanation_of_its_own(name: str) -> None:
    choices = questions()[name].choices
    assert len(choices) >= 3
    for language in ("en", "es"):
        explanations = {getattr(choice.why, language) for choice in choices}
        assert len(explanations) == len(choices)


@pytest.mark.parametrize("name", questions())
def test_a_verdict_stands_inside_the_disclosure_of_its_choice(name: str) -> None:
    html = question(name).html
    disclosures = re.findall(r"<details[^>]*><summary>(.*?)</summary>(.*?)</details>", html, re.S)
    assert len(disclosures) == len(questions()[name].choices)
    for choice, (summary, opened) in zip(questions()[name].choices, disclosures, strict=True):
        assert choice.text.en in summary and choice.text.es in summary
        assert choice.why.en in opened and choice.why.es in opened
        assert ("<b>Sí.</b>" in opened) == choice.right
        assert choice.why.en not in summary


def test_the_plain_text_does_not_tell_which_choice_is_right() -> None:
    asked = questions()["bits-needed"]
    for choice in asked.choices:
        assert choice.why.plain.en not in question("bits-needed").plain


def test_every_question_is_asked_in_a_lesson_and_every_one_asked_exists() -> None:
    sources = "\n".join(
        cell.source
        for path in NOTEBOOKS.glob("*.ipynb")
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
    )
    assert set(re.findall(r'question\("([^"]+)"\)', sources)) == set(questions())


def test_an_unknown_question_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match="name must be one of .*swap-words.*; got 'swap'"):
        question("swap")


@pytest.mark.parametrize("n_right", [0, 2])
def test_a_question_has_exactly_one_right_choice(n_right: int) -> None:
    text = Text("a", "a")
    choices = tuple(Choice(text, i < n_right, text) for i in range(3))
    with pytest.raises(ValueError, match="exactly one right choice"):
        Question(text, choices)
