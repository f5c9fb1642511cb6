"""Tests that all choices are explained, and that closed choices do not reveal the answer."""

import math
import re
from pathlib import Path

import pytest
from checks.samples import everywhere

from course_utils.lessons.quiz import VERDICTS, question, question_of, questions
from course_utils.words.text import LANGUAGES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.mark.parametrize("name", questions())
def test_choice_opens_to_verdict_with_its_own_reason(name: str) -> None:
    choices, html = questions()[name].choices, question(name).html
    disclosures = re.findall(r"<details[^>]*><summary>(.*?)</summary>(.*?)</details>", html, re.S)
    for language in LANGUAGES:
        assert len({choice.why[language] for choice in choices}) == len(choices)
        for choice, (summary, opened) in zip(choices, disclosures, strict=True):
            assert choice.text[language] in summary and choice.why[language] not in summary
            verdict = VERDICTS["yes" if choice.right else "no"][language]
            assert f"<b>{verdict}</b> {choice.why[language]}" in opened


def test_correct_choices_are_spread_over_positions() -> None:
    right = [[choice.right for choice in asked.choices] for asked in questions().values()]
    n_first, n_last = sum(each[0] for each in right), sum(each[-1] for each in right)
    n_middle = len(right) - n_first - n_last
    assert min(n_first, n_middle, n_last) >= len(right) / 4, (n_first, n_middle, n_last)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("extreme", [min, max], ids=["shortest", "longest"])
def test_correct_choices_are_not_longest(language: str, extreme) -> None:
    """The longest choice must not be correct much more often than by chance."""
    found, by_chance, variance = 0, 0.0, 0.0
    for asked in questions().values():
        lengths = [len(choice.text.plain[language]) for choice in asked.choices]
        right = lengths[[choice.right for choice in asked.choices].index(True)]
        found += right == extreme(lengths) and lengths.count(right) == 1
        by_chance += 1 / len(lengths)
        variance += (1 - 1 / len(lengths)) / len(lengths)
    assert found <= by_chance + 1.5 * math.sqrt(variance)


def test_plain_text_hides_correct_choice() -> None:
    plain = question("bits-needed").plain
    for choice in questions()["bits-needed"].choices:
        for language in LANGUAGES:
            assert choice.text.plain[language] in plain
            assert choice.why.plain[language] not in plain
    assert not any(verdict in plain for verdict in VERDICTS["yes"].as_dict().values())


def test_every_question_is_asked_in_lesson() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in NOTEBOOKS.glob("**/*.ipynb"))
    asked = set(re.findall(r'question\(\\"([^"]+)\\"\)', sources))
    assert asked == set(questions()), (
        f"questions.toml lacks {sorted(asked - set(questions()))}; no notebook shows "
        f"{sorted(set(questions()) - asked)} with question(...): add it, and execute the notebook"
    )
    with pytest.raises(ValueError, match="name must be one of .*swap-words.*; got 'swap'"):
        question("swap")


def test_faulty_question_gets_sentence() -> None:
    letter = everywhere("a")
    wrong = {"text": letter, "why": letter}
    right = wrong | {"right": True}
    for choices, refusal in (
        ([right, wrong], "must be at least 3"),
        ([right, {"text": letter}, wrong], "choice 2 of 'so-and-so' has no why"),
        ([wrong, wrong, wrong], "exactly one right choice"),
        ([right, right, wrong], "exactly one right choice"),
    ):
        with pytest.raises(ValueError, match=refusal):
            question_of("so-and-so", {"prompt": letter, "choices": choices})
