"""What the encodings are called in every language."""

from pathlib import Path

from .text import words

ENCODING_NAMES = words(Path(__file__).with_suffix(".toml"))
"""By the name of a scheme; ``random`` is the untrained stand-in for ``learned``."""
