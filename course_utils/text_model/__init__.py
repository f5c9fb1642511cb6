"""A small Transformer that reads text: its forward pass in NumPy, and measurements of it.

The model predicts each next character of an English or Spanish text. Five models were trained that
differ only in their positional encoding. The script ``experiments/text_model.py`` trained them with
PyTorch on the prose of this course and on everyday stories, and documents how. All training texts
had 64 characters, so character 65 is the first that the models were not trained to predict.

A text has ``n`` characters, from 1 to 512; characters unknown to the model are left out. Capitals
become small letters, typographic quotes and dashes become plain ones, and any white space becomes
one space. ``encoding`` is one of :data:`ENCODINGS`. ``stretch``, for RoPE alone, is one of
:data:`STRETCHES`, or None to use the frequencies of training. Pairs of RoPE count from 0.

Read ``forward.py`` first, because it is the whole model. ``reading.py`` checks the arguments and
returns the result, ``heads.py`` measures attention heads, and ``stored.py`` loads the weights and
the measurements.
"""

from .characters import (
    CHARACTERS,
    ENCODINGS,
    FURTHEST,
    LANGUAGES,
    LONGEST,
    STRETCHES,
    TRAINED_LENGTH,
    YARN_LIMITS,
    indices,
    plain,
)
from .heads import head_looking_back, look_back_shares, shares_before
from .reading import Reading, read
from .stored import (
    WEIGHTS,
    header,
    held_out_texts,
    measured_bits,
    measured_curve,
    weights,
)

__all__ = [
    "CHARACTERS",
    "ENCODINGS",
    "FURTHEST",
    "LANGUAGES",
    "LONGEST",
    "STRETCHES",
    "TRAINED_LENGTH",
    "WEIGHTS",
    "YARN_LIMITS",
    "Reading",
    "head_looking_back",
    "header",
    "held_out_texts",
    "indices",
    "look_back_shares",
    "measured_bits",
    "measured_curve",
    "plain",
    "read",
    "shares_before",
    "weights",
]
