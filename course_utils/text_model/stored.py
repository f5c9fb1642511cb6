"""Stored weights, held-out texts and measurements of the character models.

The folder ``weights`` contains two files for each encoding. The binary file (such as ``rope.bin``)
contains the concatenated matrices, row by row, as little-endian int16. The header (such as
``rope.json``) contains their names, shapes and scales in the same order. Each weight is the int16
value multiplied by the scale.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..refusals import one_of, quoted
from .characters import ENCODINGS, LANGUAGES, STRETCHES

__all__ = ["held_out_texts", "measured_bits", "measured_curve", "weights"]

WEIGHTS = Path(__file__).with_name("weights")


@cache
def header(encoding: str) -> dict:
    """Return the names, shapes and scales of an encoding's matrices."""
    return json.loads((WEIGHTS / f"{encoding}.json").read_text(encoding="utf-8"))


@cache
def weights(encoding: str) -> dict[str, NDArray[np.float64]]:
    """Return a dictionary of trained matrices, to be used as ``row @ matrix``.

    ``characters`` has a row for each character, and ``positions`` (only for the learned encoding)
    has a row for each position. The names of other matrices begin with their layer, as in
    ``0.queries``. The vector of the last of the 64 positions was not trained, because the last
    character of a training text was predicted but never read.

    Example:
        >>> weights("rope")["characters"].shape, weights("rope")["1.up"].shape
        ((61, 64), (64, 256))
    """
    check_choices(encoding)
    numbers = np.frombuffer((WEIGHTS / f"{encoding}.bin").read_bytes(), dtype="<i2")
    matrices, start = {}, 0
    for each in header(encoding)["matrices"]:
        end = start + int(np.prod(each["shape"]))
        matrix = each["scale"] * numbers[start:end].reshape(each["shape"])
        matrix.flags.writeable = False  # All callers share this array.
        matrices[each["name"]] = matrix
        start = end
    return matrices


def held_out_texts(language: str) -> tuple[str, ...]:
    """Return passages of 512 characters that the models were not trained on.

    Three passages are everyday stories, which differ between the languages. Three are prose from
    this course, with the same content in both languages. ``language`` must be "en" or "es". Capital
    letters are preserved.

    Example:
        >>> {len(text) for text in held_out_texts("es")}
        {512}
    """
    return tuple(_stored("held_out.json")[one_of("language", language, LANGUAGES)])


def measured_bits(
    encoding: str, language: str, stretch: str | None = None
) -> dict[int, list[float]]:
    """Return the bits per character on held-out texts for five seeds, keyed by length.

    Only the second half of each text counts, so that all lengths are measured on the same
    characters. RoPE is stretched by the ratio of the text's length to the training length.

    Example:
        >>> list(measured_bits("learned", "en")), len(measured_bits("rope", "en")[256])
        ([32, 64], 5)
    """
    by_length = _measured(encoding, language, stretch)["bits"]
    return {int(length): list(seeds) for length, seeds in by_length.items()}


def measured_curve(
    encoding: str, language: str, stretch: str | None = None, *, length: int = 256
) -> NDArray[np.float64]:
    """Return the bits per character along a text, averaged over blocks of 16 characters.

    The values are also averaged over many held-out texts and all seeds. ``length`` must be 256 or
    512.

    Returns:
        Array of shape ``(length // 16,)``.

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
    check_choices(encoding, stretch)
    numbers = _stored("measured.json")[stretch or encoding]
    return numbers[one_of("language", language, LANGUAGES)]


@cache
def _stored(name: str) -> dict:
    return json.loads((WEIGHTS / name).read_text(encoding="utf-8"))


def check_choices(encoding: str, stretch: str | None = None, factor: float | None = None) -> None:
    """Check the names of an encoding and a stretch, and reject a factor without a stretch."""
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
