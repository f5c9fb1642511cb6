"""What the lessons use: encodings, measurements, figures, explorers, questions and the switch."""

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
from .explorers import (
    binary_explorer,
    clock_explorer,
    dot_product_explorer,
    look_back_explorer,
    rope_explorer,
    shift_explorer,
    sinusoidal_explorer,
    spacing_explorer,
    two_lengths_explorer,
    wave_explorer,
    word_order_explorer,
    word_share_explorer,
)
from .language import Text, language_switch
from .page import show
from .quiz import question
from .report_card import report_card

__all__ = [
    "Text",
    "angular_frequencies",
    "binary_encoding",
    "binary_explorer",
    "clock_explorer",
    "dot_product_by_offset",
    "dot_product_explorer",
    "index_encoding",
    "language_switch",
    "look_back_explorer",
    "normalized_encoding",
    "question",
    "report_card",
    "rope_explorer",
    "self_attention",
    "shift_explorer",
    "shift_matrix",
    "show",
    "sinusoidal_encoding",
    "sinusoidal_explorer",
    "spacing_explorer",
    "two_lengths_explorer",
    "wave_explorer",
    "word_order_explorer",
    "word_share_explorer",
]
