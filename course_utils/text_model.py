"""A small Transformer that reads text: its forward pass in NumPy, and measurements of it.

The model predicts each next character of an English or Spanish text. Five models were trained that
differ only in their positional encoding. The script ``experiments/text_model.py`` trained them with
PyTorch on the prose of this course and on everyday stories, and documents how. All training texts
had 64 characters, so character 65 is the first that the models were not trained to predict.

A text has ``n`` characters, from 1 to 512; characters unknown to the model are left out. Capitals
become small letters, typographic quotes and dashes become plain ones, and any white space becomes
one space. ``encoding`` is one of :data:`ENCODINGS`. ``stretch``, for RoPE alone, is one of
:data:`STRETCHES`, or None to use the frequencies of training. Pairs of RoPE count from 0.

The weights are in ``text_model_weights``. For each encoding, a binary file (``rope.bin``) holds all
matrices as little-endian int16, one after the other and row by row, and a header (``rope.json``)
holds their names, shapes and scales in the same order. A weight is its int16 times the scale.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from numbers import Integral
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .attention import softmax
from .encodings import angular_frequencies
from .refusals import one_of, quoted, whole_number
from .relative import alibi_bias, rotate
from .stretching import stretched_frequencies, yarn_scale

__all__ = [
    "CHARACTERS",
    "ENCODINGS",
    "LONGEST",
    "STRETCHES",
    "TRAINED_LENGTH",
    "Reading",
    "head_looking_back",
    "held_out_texts",
    "indices",
    "look_back_shares",
    "measured_bits",
    "measured_curve",
    "read",
    "shares_before",
    "weights",
]

ENCODINGS = ("none", "learned", "sinusoidal", "alibi", "rope")
STRETCHES = ("interpolation", "ntk", "yarn")
LANGUAGES = ("en", "es")

CHARACTERS = " abcdefghijklmnopqrstuvwxyzáéíóúüñ0123456789.,;:!?¡¿'\"()-/=+%"
"""The characters known to the model: letters of both languages, digits and common signs."""

TRAINED_LENGTH = 64
"""Length of the training texts: 63 characters were read, and all but the first predicted."""

LONGEST = 512
"""Length of the longest text that can be read, eight times the training length."""

FURTHEST = 1_000_000
"""Largest start of a text, limit and window, by choice."""

YARN_LIMITS = (0.25, 4.0)
"""Limits between which YaRN mixes, in turns during training.

The paper's limits, 1 and 32, are for models trained on thousands of positions. In 64 positions the
fastest pair turns 10.2 times, so those limits would slow down even the pairs that distinguish
neighbouring positions.
"""

WEIGHTS = Path(__file__).with_name("text_model_weights")
PLAIN = str.maketrans("“”«»‘’–—−", '""""\'\'---')
MASKED = -1e9
"""Score of a masked key; softmax turns it into an exact 0."""


@dataclass(frozen=True)
class Reading:
    """The predictions and the attention of a model for a text of ``n`` characters.

    Attributes:
        text: the characters that were read.
        left_out: the characters unknown to the model, each once, in order of appearance.
        probabilities: shape ``(n, n_known)``; row ``i`` is the prediction after character ``i``,
            with a column for each of :data:`CHARACTERS`.
        attention: shape ``(n_layers, n_heads, n, n)``; row ``i`` is the attention of character
            ``i`` to the characters up to itself.
    """

    text: str
    left_out: tuple[str, ...]
    probabilities: NDArray[np.float64]
    attention: NDArray[np.float64]

    @property
    def bits(self) -> NDArray[np.float64]:
        """The surprise at each character but the first, in bits, shape ``(n - 1,)``.

        A character with a predicted probability of 1/2 costs 1 bit, and with a probability of 1/4
        it costs 2 bits. Guessing uniformly among all characters costs 5.9 bits each.
        """
        came = indices(self.text[1:])
        return -np.log2(self.probabilities[np.arange(len(came)), came])

    def expected(self, position: int, top: int = 3) -> list[tuple[str, float]]:
        """Return the likeliest characters at a position from 1 to ``n``, with their probabilities.

        Position ``n`` is the position after the end of the text.
        """
        position = whole_number("position", position)
        if position > len(self.text):
            raise ValueError(
                f"position must be at most {len(self.text)}, the position after the end of the "
                f"text; "
                f"got {quoted(position)}."
            )
        probabilities = self.probabilities[position - 1]
        likeliest = np.argsort(-probabilities)[: whole_number("top", top)]
        return [(CHARACTERS[index], float(probabilities[index])) for index in likeliest]


def read(
    text: str,
    encoding: str = "rope",
    stretch: str | None = None,
    *,
    factor: float | None = None,
    start: int = 0,
    held: Collection[int] = (),
    limit: int | None = None,
    window: int | None = None,
) -> Reading:
    """Read a text with the model of one encoding.

    ``factor`` stretches RoPE by this much, at least 1; by default, by the ratio of the text's
    length to the training length. ``start`` is the position of the first character.

    ``held`` lists pairs of RoPE's dimensions, counted from 0, that turn with the distance up to
    ``limit`` and no further: in the score of query ``i`` and key ``j``, pair ``k`` is turned by
    ``min(i - j, limit) * w_k``. By default, ``limit`` is 62, the largest distance in training. With
    a ``window``, a character attends to at most so many previous characters.

    Raises:
        TypeError: the text is not a string.
        ValueError: the text is empty, has only unknown characters, or is too long (for the learned
            encoding, beyond position 63). The encoding or stretch does not exist, or the encoding
            has no frequencies to stretch or hold.

    Example:
        >>> reading = read("She put the key in her pocket and opened the doo")
        >>> reading.text[-2:], reading.bits.shape, reading.attention.shape
        ('oo', (47,), (2, 4, 48, 48))
        >>> reading.expected(48, top=1)[0][0]
        'r'

    Source:
        Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762; LayerNorm comes before
        each part and has no parameters, as in Groeneveld et al., "OLMo" (2024), arXiv:2402.00838.
    """
    _check_choices(encoding, stretch, factor)
    held, limit = _held(encoding, held, limit)
    start = _place("start", start, lowest=0)
    window = LONGEST if window is None else _place("window", window)
    text, left_out = _known(text, encoding, start)
    if factor is None:
        factor = max(1.0, len(text) / TRAINED_LENGTH)
    rope = Turning(stretch, factor, held, limit)
    probabilities, attention = forward(indices(text), encoding, start, window, rope)
    return Reading(text, left_out, probabilities, attention)


class Turning(NamedTuple):
    """The way in which RoPE rotates queries and keys: see :func:`read`."""

    stretch: str | None
    factor: float
    held: list[int]
    limit: int


def forward(
    characters: NDArray[np.int64], encoding: str, start: int, window: int, rope: Turning
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Run the forward pass, from ``n`` characters as numbers to the prediction after each.

    Returns:
        The probabilities and the attention of a :class:`Reading`.
    """
    matrix = weights(encoding)
    n, (_, d_model) = len(characters), matrix["characters"].shape
    positions = start + np.arange(n)
    steps_back = positions[:, np.newaxis] - positions

    # If the encoding is a table, the row of each position is added to the vector of the character.
    x = matrix["characters"][characters] * np.sqrt(d_model)
    if encoding == "learned":
        x = x + matrix["positions"][positions]
    if encoding == "sinusoidal":
        angles = np.outer(positions, angular_frequencies(d_model))
        x = x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)

    # Added to the scores, this masks later keys and keys before the window.
    n_layers, n_heads = header(encoding)["n_layers"], header(encoding)["n_heads"]
    bias = np.where((steps_back < 0) | (steps_back > window), MASKED, 0.0)
    if encoding == "alibi":
        bias = bias + alibi_bias(n, n_heads)

    attention = []
    for layer in range(n_layers):
        normal = normalized(x)
        queries, keys, values = (
            heads(normal @ matrix[f"{layer}.{part}"], n_heads)
            for part in ("queries", "keys", "values")
        )
        if encoding == "rope":
            scores = rope_products(queries, keys, positions, rope)
        else:
            scores = queries @ keys.swapaxes(1, 2)
        looked_at = softmax(scores / np.sqrt(queries.shape[-1]) + bias)
        attention.append(looked_at)
        x = x + side_by_side(looked_at @ values) @ matrix[f"{layer}.out"]
        x = x + gelu(normalized(x) @ matrix[f"{layer}.up"]) @ matrix[f"{layer}.down"]

    # The next character is the one whose vector is most closely aligned.
    return softmax(normalized(x) @ matrix["characters"].T), np.stack(attention)


def normalized(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shift and scale each row to mean 0 and variance 1: LayerNorm."""
    x = x - x.mean(axis=1, keepdims=True)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)


def heads(x: NDArray[np.float64], n_heads: int) -> NDArray[np.float64]:
    """Divide columns among the heads: ``(n, n_heads * d_head)`` to ``(n_heads, n, d_head)``."""
    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)


def side_by_side(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Concatenate the outputs of all heads, one row per character: the inverse of :func:`heads`."""
    return x.swapaxes(0, 1).reshape(x.shape[1], -1)


def rope_products(
    queries: NDArray[np.float64],
    keys: NDArray[np.float64],
    positions: NDArray[np.int64],
    rope: Turning,
) -> NDArray[np.float64]:
    """Return the products of all queries and keys, rotated by their positions.

    At distances beyond the limit, the held pairs are rotated by the limit instead.

    Returns:
        Shape ``(n_heads, n, n)``.
    """
    frequencies = stretched_frequencies(
        rope.stretch or "trained",
        queries.shape[-1],
        rope.factor,
        TRAINED_LENGTH,
        limits=YARN_LIMITS,
    )
    products = rotate(queries, positions, frequencies=frequencies) @ np.swapaxes(
        rotate(keys, positions, frequencies=frequencies), 1, 2
    )
    if rope.held:
        going_on = frequencies.copy()
        going_on[rope.held] = 0
        far_queries = rotate(
            rotate(queries, positions, frequencies=going_on),
            rope.limit,
            frequencies=frequencies - going_on,
        )
        far_keys = rotate(keys, positions, frequencies=going_on)
        is_far = positions[:, np.newaxis] - positions > rope.limit
        products = np.where(is_far, far_queries @ far_keys.swapaxes(1, 2), products)
    return products * yarn_scale(rope.factor) ** 2 if rope.stretch == "yarn" else products


def gelu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply the GELU activation: about 0 for negative numbers, about ``x`` for positive numbers."""
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x * x * x)))


def indices(text: str) -> NDArray[np.int64]:
    """Return the index of each character in :data:`CHARACTERS`; the model must know all of them.

    Returns:
        Shape ``(n,)``.

    Example:
        >>> indices("A cab")
        array([1, 0, 3, 1, 2])
    """
    text = plain(text)
    numbers = {character: number for number, character in enumerate(CHARACTERS)}
    unknown = [character for character in text if character not in numbers]
    if unknown:
        raise ValueError(f"text must hold only known characters; got {quoted(unknown[0])}.")
    return np.array([numbers[character] for character in text], dtype=np.int64)


def plain(text: str) -> str:
    """Return the text in small letters, with plain quotes and dashes and single spaces."""
    # A letter and its accent become one code point, whichever way they were typed.
    text = unicodedata.normalize("NFC", text).lower().translate(PLAIN)
    return re.sub(r"\s+", " ", text)


# Heads. -------------------------------------------------------------------------------------------


def shares_before(attention: ArrayLike, first: int = 1) -> NDArray[np.float64]:
    """Return the mean attention that each head gives to the previous character.

    ``attention`` has the shape ``(n_layers, n_heads, n, n)``. The mean is over the characters from
    position ``first``, which is from 1 to ``n - 1``.

    Returns:
        Shape ``(n_layers, n_heads)``, from 0 to 1.

    Example:
        >>> shares_before([[[[1, 0], [0.25, 0.75]]]])
        array([[0.25]])
    """
    attention = np.asarray(attention)
    n = attention.shape[-1]
    if whole_number("first", first) >= n:
        raise ValueError(f"first must be at most n - 1 = {n - 1}; got {quoted(first)}.")
    return np.diagonal(attention, offset=-1, axis1=-2, axis2=-1)[..., first - 1 :].mean(axis=-1)


@cache
def look_back_shares(
    encoding: str = "rope", length: int = TRAINED_LENGTH, stretch: str | None = None
) -> NDArray[np.float64]:
    """Return the mean attention of each head to the previous character in held-out texts.

    It is the mean of :func:`shares_before` over the second halves of texts of one length.

    Returns:
        Shape ``(n_layers, n_heads)``.

    Example:
        >>> look_back_shares("rope").shape
        (2, 4)
    """
    length = whole_number("length", length, lowest=4)
    texts = [text for language in LANGUAGES for text in held_out_texts(language)]
    parts = [
        text[start : start + length]
        for text in texts
        for start in range(0, len(text) - length + 1, length)
    ]
    if not parts:
        longest = max(map(len, texts))
        raise ValueError(f"length must be at most {longest}; got {quoted(length)}.")
    readings = [read(part, encoding, stretch) for part in parts]
    # In training, the last character of a text was only predicted and never read.
    shares = [shares_before(each.attention[..., :-1, :-1], length // 2) for each in readings]
    mean = np.mean(shares, axis=0)
    mean.flags.writeable = False  # all callers share this array
    return mean


def head_looking_back(encoding: str = "rope") -> tuple[int, int]:
    """Return the layer and number, from 0, of the head that attends most to the previous character.

    It is found on texts as long as those used in training.

    Example:
        >>> layer, head = head_looking_back("rope")
        >>> look_back_shares("rope")[layer, head] == look_back_shares("rope").max()
        np.True_
    """
    shares = look_back_shares(encoding)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer), int(head)


# Stored data. -------------------------------------------------------------------------------------


@cache
def header(encoding: str) -> dict:
    """Return the header of one encoding's weights: names, shapes and scales of its matrices."""
    return json.loads((WEIGHTS / f"{encoding}.json").read_text(encoding="utf-8"))


@cache
def weights(encoding: str) -> dict[str, NDArray[np.float64]]:
    """Return the trained matrices by name; a row vector is multiplied as ``row @ matrix``.

    ``characters`` has a row for each character, and ``positions`` (learned only) has a row for each
    position; ``0.queries`` is a matrix of layer 0. The last of the 64 positions still has its
    random initialisation: in training, character 64 was predicted but never read.

    Example:
        >>> weights("rope")["characters"].shape, weights("rope")["1.up"].shape
        ((61, 64), (64, 256))
    """
    _check_choices(encoding)
    numbers = np.frombuffer((WEIGHTS / f"{encoding}.bin").read_bytes(), dtype="<i2")
    matrices, start = {}, 0
    for each in header(encoding)["matrices"]:
        end = start + int(np.prod(each["shape"]))
        matrix = each["scale"] * numbers[start:end].reshape(each["shape"])
        matrix.flags.writeable = False  # all callers share this array
        matrices[each["name"]] = matrix
        start = end
    return matrices


def held_out_texts(language: str) -> tuple[str, ...]:
    """Return passages that the models were not trained on, 512 characters each.

    Three are everyday stories, which differ between the languages; three are prose of the course,
    with the same content in both. ``language`` is "en" or "es"; capitals are kept.

    Example:
        >>> {len(text) for text in held_out_texts("es")}
        {512}
    """
    return tuple(_stored("held_out.json")[one_of("language", language, LANGUAGES)])


def measured_bits(
    encoding: str, language: str, stretch: str | None = None
) -> dict[int, list[float]]:
    """Return the bits per character on held-out text, by length, for each of the five seeds.

    Only the second half of each text counts, so that all lengths are measured on the same
    characters. A stretch has as its factor the ratio of the text's length to the training length.

    Example:
        >>> list(measured_bits("learned", "en")), len(measured_bits("rope", "en")[256])
        ([32, 64], 5)
    """
    by_length = _measured(encoding, language, stretch)["bits"]
    return {int(length): list(seeds) for length, seeds in by_length.items()}


def measured_curve(
    encoding: str, language: str, stretch: str | None = None, *, length: int = 256
) -> NDArray[np.float64]:
    """Return the bits per character along a text of 256 or 512 characters, in means of 16.

    The means are also over many held-out texts and all seeds.

    Returns:
        Shape ``(length // 16,)``.

    Example:
        >>> measured_curve("alibi", "es").shape
        (16,)
    """
    if encoding == "learned":
        others = ", ".join(each for each in ENCODINGS if each != "learned")
        raise ValueError(
            f"encoding must be one of {others}, which go beyond 64 characters; got "
            f"{quoted(encoding)}."
        )
    curves = _measured(encoding, language, stretch)["curves"]
    return np.array(curves[str(one_of("length", length, map(int, curves)))])


def _measured(encoding: str, language: str, stretch: str | None) -> dict:
    _check_choices(encoding, stretch)
    numbers = _stored("measured.json")[stretch or encoding]
    return numbers[one_of("language", language, LANGUAGES)]


@cache
def _stored(name: str) -> dict:
    return json.loads((WEIGHTS / name).read_text(encoding="utf-8"))


# Checks of arguments. -----------------------------------------------------------------------------


def _known(text: str, encoding: str, start: int) -> tuple[str, tuple[str, ...]]:
    """Split a text into the characters known to the model and those unknown to it."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string; got {quoted(text)}.")
    text = plain(text)
    known = plain("".join(character for character in text if character in CHARACTERS))
    left_out = tuple(dict.fromkeys(character for character in text if character not in CHARACTERS))
    if not known:
        got = f"only unknown characters: {quoted(text)}" if text else "an empty text"
        raise ValueError(f"text must hold at least one character that the model knows; got {got}.")
    if encoding == "learned" and start >= TRAINED_LENGTH:
        raise ValueError(
            f"start must be at most {TRAINED_LENGTH - 1} for the encoding learned, because "
            f"later positions have no learned vector; got {quoted(start)}."
        )
    longest = TRAINED_LENGTH - start if encoding == "learned" else LONGEST
    if len(known) > longest:
        why = ", because later positions have no learned vector" if encoding == "learned" else ""
        where = f" from position {start} on" if start and encoding == "learned" else ""
        raise ValueError(
            f"text must have at most {longest} characters for the encoding {encoding}{where}{why}; "
            f"got {len(known)}."
        )
    return known, left_out


def _place(name: str, value: int, *, lowest: int = 1) -> int:
    """Check and return a position or a distance."""
    if whole_number(name, value, lowest=lowest) > FURTHEST:
        raise ValueError(f"{name} must be at most {FURTHEST}; got {quoted(value)}.")
    return int(value)


def _held(encoding: str, held: Collection[int], limit: int | None) -> tuple[list[int], int]:
    """Return the held pairs, in order, and the distance beyond which they stop turning."""
    n_pairs = weights(encoding)["0.queries"].shape[1] // header(encoding)["n_heads"] // 2
    if isinstance(held, str) or not isinstance(held, Collection):
        raise TypeError(f"held must be a collection of pairs, such as (3,); got {quoted(held)}.")
    if len(held) and encoding != "rope":
        raise ValueError(
            f"held must be empty for the encoding {encoding}, because only RoPE has pairs that "
            f"turn; got {quoted(held)}."
        )
    if not all(isinstance(pair, Integral) and 0 <= pair < n_pairs for pair in held):
        raise ValueError(f"held must hold pairs from 0 to {n_pairs - 1} only; got {quoted(held)}.")
    pairs = sorted(set(held))
    if limit is None:
        return pairs, TRAINED_LENGTH - 2
    if not pairs:
        raise ValueError(f"limit must be None without held pairs; got {quoted(limit)}.")
    return pairs, _place("limit", limit, lowest=0)


def _check_choices(encoding: str, stretch: str | None = None, factor: float | None = None) -> None:
    one_of("encoding", encoding, ENCODINGS)
    if stretch is not None:
        one_of("stretch", stretch, STRETCHES)
        if encoding != "rope":
            raise ValueError(
                f"stretch must be None for the encoding {encoding}, because only RoPE has "
                f"frequencies to stretch; got {quoted(stretch)}."
            )
    if stretch is None and factor is not None:
        raise ValueError(f"factor must be None without a stretch; got {quoted(factor)}.")
