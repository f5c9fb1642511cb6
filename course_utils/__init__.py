"""What the lessons use: encodings, measurements, explorers, questions and the switch.

Bad input raises an error of one sentence that names the argument, what it must be and what was
given: TypeError for the wrong kind of value; ValueError for a value out of range, too large for
memory, or an unknown name.

Everything is loaded when it is first used: the language switch needs no NumPy, and the numbers need
nothing else.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from .words.text import Text

if TYPE_CHECKING:  # for editors, which do not run __getattr__
    from .attention import self_attention
    from .encodings import (
        angular_frequencies,
        binary_encoding,
        dot_product_by_offset,
        index_encoding,
        normalized_encoding,
        shift_matrix,
        sinusoidal_encoding,
    )
    from .explorers import *  # noqa: F403
    from .lessons.kept_guesses import keep_guesses
    from .lessons.quiz import question
    from .lessons.report_card import report_card
    from .notebook.display import show
    from .notebook.switch import language_switch

__all__ = [
    "Text",
    "angular_frequencies",
    "binary_encoding",
    "dot_product_by_offset",
    "index_encoding",
    "keep_guesses",
    "language_switch",
    "normalized_encoding",
    "question",
    "report_card",
    "self_attention",
    "shift_matrix",
    "show",
    "sinusoidal_encoding",
]

# Where a name of __all__ is to be found; the others are in encodings.
_HOMES = {
    "self_attention": "attention",
    "keep_guesses": "lessons.kept_guesses",
    "language_switch": "notebook.switch",
    "question": "lessons.quiz",
    "report_card": "lessons.report_card",
    "show": "notebook.display",
}

# Notebooks of earlier editions import some modules by names that only this folder still has.
__path__.append(str(Path(__file__).with_name("earlier_names")))  # noqa: F405


def __getattr__(name: str) -> object:
    if name.endswith("_explorer"):
        module = "explorers"
    elif name in __all__:
        module = _HOMES.get(name, "encodings")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{module}", __name__), name)


def __dir__() -> list[str]:
    from .explorers import __all__ as explorers

    shown = (name for name in explorers if name.endswith("_explorer"))
    return sorted([*globals(), *__all__, *shown])
