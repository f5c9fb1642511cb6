"""What is said about positional encodings: the reader's guess, and the verdict of a measurement."""

from __future__ import annotations

from pathlib import Path

from ..notebook.display import KEEPS_KEYS, Shown, disclosure
from ..words.text import words
from .quiz import choice_html

__all__ = ["right_guesses", "verdict"]

CLAIMS = words(Path(__file__).with_name("claims.toml"))
VERDICTS = words(Path(__file__).with_name("verdicts.toml"))
POSSIBLE = ("true", "nuances", "false")


def verdict(claim: str, *, always: bool, usually: bool, **numbers: object) -> Shown:
    """The three possible verdicts on a claim, closed; each says when opened which one is right.

    The first that a reader opens is the guess. ``right_guesses`` counts them.

    Args:
        claim: its name in claims.toml, which holds the sentence that the numbers go into.
        always: whether the claim holds in every case that was measured.
        usually: whether it holds in the case that people have in mind.
        numbers: the numbers that decide.

    Raises:
        KeyError: there is no claim of that name.
        ValueError: the claim is said to hold always, but not usually.
    """
    if always and not usually:
        raise ValueError("What holds always holds usually; got always = True and usually = False.")
    found = "true" if always else "nuances" if usually else "false"
    because = CLAIMS[claim].format(**numbers)
    said = VERDICTS["verdict"].format(verdict=VERDICTS[found].map(str.lower))
    choices = ""
    for possible in POSSIBLE:
        right = possible == found
        answer = (VERDICTS["yes" if right else "no"] + said).map("<b>{}</b>".format) + because
        choices += choice_html(VERDICTS[possible], answer, right=right)
    return Shown(
        html=f'<div class="course-question course-claim {KEEPS_KEYS}" data-guess="{claim}">'
        f"{VERDICTS['guess'].blocks()}{choices}</div>",
        plain=(said + because).lines,
    )


def right_guesses() -> Shown:
    """How many claims the reader guessed right; switch.js counts."""
    summary, count = VERDICTS["right-guesses"], VERDICTS["count"]
    number = '<b class="course-count">?</b>'
    counted = count.map(lambda said: said.format(right=number, all=len(CLAIMS)))
    return Shown(
        html=f'<div class="course-question {KEEPS_KEYS}">'
        f"{disclosure(summary, counted.blocks(), 'course-choice')}</div>",
        plain=summary.lines,
    )
