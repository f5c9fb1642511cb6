"""What is said about positional encodings, and the verdict that a measurement gives."""

from __future__ import annotations

from .language import Text
from .page import Shown

__all__ = ["verdict"]

TRUE = Text("True.", "Cierto.")
WITHIN_LIMITS = Text("True within limits.", "Cierto, con matices.")
FALSE = Text("False.", "Falso.")


def verdict(*, always: bool, usually: bool, because: Text) -> Shown:
    """A verdict on a claim, from two measurements.

    Args:
        always: whether the claim holds in every case that was measured.
        usually: whether it holds in the case that people have in mind.
        because: the numbers that decide.

    Raises:
        ValueError: the claim is said to hold always, but not usually.
    """
    if always and not usually:
        raise ValueError(
            "A claim that always holds also usually holds; got always = True and usually = False."
        )
    said = TRUE if always else WITHIN_LIMITS if usually else FALSE
    text = Text(f"<b>{said.en}</b>", f"<b>{said.es}</b>") + because
    return Shown(html=text.blocks(), plain=text.lines)
