"""What is said about positional encodings, and the verdict that a measurement gives."""

from __future__ import annotations

from .page import MODULE_FOLDER, Shown
from .text import words

__all__ = ["verdict"]

VERDICTS = words(MODULE_FOLDER / "verdicts.toml")


def verdict(claim: str, *, always: bool, usually: bool, **numbers: object) -> Shown:
    """A verdict on a claim, from two measurements.

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
        raise ValueError(
            "A claim that always holds also usually holds; got always = True and usually = False."
        )
    said = VERDICTS["true" if always else "within-limits" if usually else "false"]
    because = words(MODULE_FOLDER / "claims.toml")[claim].format(**numbers)
    text = said.map("<b>{}</b>".format) + because
    return Shown(html=text.blocks(), plain=text.lines)
