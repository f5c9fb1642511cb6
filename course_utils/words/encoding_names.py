"""Names of the encodings in every language."""

from pathlib import Path

from .text import words

ENCODING_NAMES = words(Path(__file__).with_suffix(".toml"))
"""Names of the encodings, keyed by scheme.

The scheme ``random`` is the untrained substitute for ``learned``.
"""
