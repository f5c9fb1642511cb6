"""A scene, its controls and the view that paints it: one function for each explorer."""

from .clocks import clock_explorer, matrix_explorer, rope_explorer, shift_explorer
from .explorer import Explorer
from .heads import look_back_explorer
from .scores import score_explorer
from .sentences import word_order_explorer, word_share_explorer
from .similarity import bump_explorer, dot_product_explorer, similarity_explorer, spacing_explorer
from .stretched import stretched_explorer
from .tables import binary_explorer, sinusoidal_explorer, two_lengths_explorer, wave_explorer
from .weights import attention_weights_explorer

__all__ = [
    "Explorer",
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
]
