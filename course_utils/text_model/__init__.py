"""A small character-level Transformer in NumPy, with its trained weights and measurements.

The model predicts the next character of English and Spanish texts. There are five trained models,
which differ only in their positional encoding. The script ``experiments/text_model.py`` trained
them in PyTorch on the prose of this course and on everyday stories. All training texts had 64
characters, so character 65 is the first that the models were not trained to predict.

A text has ``n`` characters, from 1 to 512. Characters that the model does not know are removed. The
text is converted to lower case, with plain quotes, plain dashes and single spaces. ``encoding``
must be one of :data:`ENCODINGS`. ``stretch``, which applies only to RoPE, must be one of
:data:`STRETCHES`, or None to use the frequencies of training. RoPE pairs are numbered from 0.

Read ``forward.py`` first, because it contains the complete model. ``reading.py`` checks the
arguments and returns the result, ``heads.py`` measures attention heads, and ``stored.py`` loads the
weights and the measurements.
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
