"""What the lessons use: encodings, measurements, explorers, questions and the switch.

Bad input is refused by all of it alike, in one sentence that names the argument, what it must be
and what was given: TypeError for what is of the wrong kind; ValueError for what is out of range,
too large for memory, or a name that nothing has.

A module is loaded when one of its names is asked for, so that the numbers alone need no widgets.
"""

from __future__ import annotations

from importlib import import_module

_NAMES_OF = {
    "attention": ["self_attention"],
    "encodings": [
        "angular_frequencies",
        "binary_encoding",
        "dot_product_by_offset",
        "index_encoding",
        "normalized_encoding",
        "shift_matrix",
        "sinusoidal_encoding",
    ],
    "explorers": [
        "attention_weights_explorer",
        "binary_explorer",
        "bump_explorer",
        "clock_explorer",
        "dot_product_explorer",
        "look_back_explorer",
        "matrix_explorer",
        "rope_explorer",
        "score_explorer",
        "shift_explorer",
        "similarity_explorer",
        "sinusoidal_explorer",
        "spacing_explorer",
        "stretched_explorer",
        "two_lengths_explorer",
        "wave_explorer",
        "word_order_explorer",
        "word_share_explorer",
    ],
    "guessed": ["keep_guesses"],
    "page": ["show"],
    "quiz": ["question"],
    "report": ["report_card"],
    "switch": ["language_switch"],
    "text": ["Text"],
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name in _NAMES_OF:
        return import_module(f".{name}", __name__)
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
