"""A figure, its controls and the live marks over it: one function for each explorer."""

from .explorer import Explorer
from .heads import look_back_explorer, rope_explorer
from .naive import two_lengths_explorer, word_order_explorer, word_share_explorer
from .tables import binary_explorer, dot_product_explorer, sinusoidal_explorer
from .waves import clock_explorer, shift_explorer, spacing_explorer, wave_explorer

__all__ = [
    "Explorer",
    "binary_explorer",
    "clock_explorer",
    "dot_product_explorer",
    "look_back_explorer",
    "rope_explorer",
    "shift_explorer",
    "sinusoidal_explorer",
    "spacing_explorer",
    "two_lengths_explorer",
    "wave_explorer",
    "word_order_explorer",
    "word_share_explorer",
]
