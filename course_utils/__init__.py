"""The course's public functions: encodings, measurements, explorers, questions and the switch.

Values of the wrong type raise TypeError. Values that are out of range or too large for memory, and
unknown names, raise ValueError. The one-sentence message names the argument, the allowed values and
the value that was passed.

Each module is imported when it is first used. The language switch therefore does not need NumPy,
and the encodings do not need Matplotlib.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .words.text import Text

if TYPE_CHECKING:  # for code editors, which do not run __getattr__
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

# Modules that define the names in __all__; all other names are defined in encodings.
_HOMES = {
    "self_attention": "attention",
    "keep_guesses": "lessons.kept_guesses",
    "language_switch": "notebook.switch",
    "question": "lessons.quiz",
    "report_card": "lessons.report_card",
    "show": "notebook.display",
}


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
