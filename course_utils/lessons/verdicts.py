"""Claims about positional encodings, which readers judge before a measurement settles them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from numpy.typing import ArrayLike

from ..notebook.display import KEEPS_KEYS, Shown, disclosure, show
from ..pictures.verdict_path import verdict_path
from ..words.text import words
from .quiz import choice_html

__all__ = ["right_guesses", "verdict"]

CLAIMS = words(Path(__file__).with_name("claims.toml"))
VERDICTS = words(Path(__file__).with_suffix(".toml"))
POSSIBLE = ("true", "nuances", "false")


def verdict(
    claim: str,
    *,
    holds: Sequence[bool],
    path: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    **numbers: object,
) -> Shown:
    """Return the HTML of a claim with three possible verdicts.

    The first verdict that the reader opens counts as the guess. A claim is true if it holds in all
    announced cases, and false if it does not hold in any of them. Otherwise, it has nuances.

    Args:
        claim: Key of the claim in claims.toml.
        holds: Boolean results, one for each case that the lesson announces before the guess.
        path: Arrays ``x``, ``y`` and ``holds`` of ``verdict_path``, which draws the measurement.
            The picture is initially hidden.
        numbers: Measured numbers that are inserted into the explanation.

    Raises:
        KeyError: If there is no claim with this name.
        ValueError: If no case was measured.
    """
    if not len(holds):
        raise ValueError("holds must have an entry for each case that was measured; got none.")
    found = "true" if all(holds) else "nuances" if any(holds) else "false"
    because = CLAIMS[claim].format(**numbers)
    announcement = VERDICTS["verdict"].format(verdict=VERDICTS[found].map(str.lower))
    choices = ""
    for possible in POSSIBLE:
        right = possible == found
        answer = (VERDICTS["yes" if right else "no"] + announcement).map(
            "<b>{}</b>".format
        ) + because
        choices += choice_html(VERDICTS[possible], answer, right=right)
    return Shown(
        html=f'<div class="course-question course-claim {KEEPS_KEYS}" data-guess="{claim}">'
        f"{VERDICTS['guess'].blocks()}{choices}</div>{_picture(claim, path)}",
        plain=(announcement + because).lines,
    )


def _picture(claim: str, path: tuple[ArrayLike, ArrayLike, ArrayLike] | None) -> str:
    """Return a disclosure with the picture of the measurement."""
    if path is None:
        return ""
    shown = show(f"path-{claim}", partial(verdict_path, claim), *path)
    return f'<div class="{KEEPS_KEYS}">{disclosure(VERDICTS["picture"], shown.html)}</div>'


def right_guesses() -> Shown:
    """Return the number of correct guesses, which is counted by switch.js."""
    summary, count = VERDICTS["right-guesses"], VERDICTS["count"]
    number = '<b class="course-count">?</b>'
    counted = count.map(lambda announcement: announcement.format(right=number, all=len(CLAIMS)))
    return Shown(
        html=f'<div class="course-question {KEEPS_KEYS}">'
        f"{disclosure(summary, counted.blocks(), 'course-choice')}</div>",
        plain=summary.lines,
    )
