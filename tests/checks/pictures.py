"""Comparison of stored pictures that ignores differences between versions of Matplotlib."""

import base64
import io
import re
from collections.abc import Iterable, Mapping

import matplotlib
import numpy as np
from PIL import Image, ImageChops
from private_jupyter import REPOSITORY

LARGEST_DISTANCE = 1.9
"""Of 255. A new Matplotlib makes 1.1 to 1.5; a changed label 4.5; a frequency 2 % off, 11."""

LARGEST_CHANGE = 10
"""Of 255, in a square of 12 pixels, with the Matplotlib that drew what is stored."""

IN_HTML = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")


def pictures_of(outputs: Iterable[Mapping]) -> list[bytes]:
    """The PNG files in the outputs of a cell: those in HTML, then those beside it."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        encoded = IN_HTML.findall(data.get("text/html", ""))
        if "image/png" in data:
            encoded.append(data["image/png"])
        found += [base64.b64decode(picture) for picture in encoded]
    return found


def picture_problems(stored: Iterable[Mapping], computed: Iterable[Mapping]) -> list[str]:
    """How the pictures in two lists of outputs differ."""
    stored, computed = pictures_of(stored), pictures_of(computed)
    if len(stored) != len(computed):
        return [f"{len(stored)} pictures are stored, but the cell makes {len(computed)}"]
    measures = {"distance": (distance, LARGEST_DISTANCE)}
    constraints = (REPOSITORY / "constraints.txt").read_text("utf-8")
    if f"\nmatplotlib=={matplotlib.__version__}\n" in constraints:
        measures["change"] = (largest_change, LARGEST_CHANGE)
    return [
        f"picture {number} has a {name} of {measure(*both):.1f} to the stored one (allowed: {most})"
        for number, both in enumerate(zip(stored, computed, strict=True), start=1)
        for name, (measure, most) in measures.items()
        if measure(*both) > most
    ]


def distance(first: bytes, second: bytes) -> float:
    """The root mean square between two PNG files scaled down; infinite if their sizes differ."""
    pictures = [_opened(each, "RGB") for each in (first, second)]
    if pictures[0].size != pictures[1].size:
        return float("inf")
    one, other = (np.asarray(_scaled_down(each), dtype=float) for each in pictures)
    return float(np.sqrt(np.mean((one - other) ** 2)))


def largest_change(first: bytes, second: bytes) -> float:
    """The mean difference between the pixels of two squares, where it is largest."""
    difference = ImageChops.difference(_opened(first, "L"), _opened(second, "L"))
    return float(np.asarray(_scaled_down(difference)).max())


def _opened(picture: bytes, mode: str) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert(mode)


def _scaled_down(picture: Image.Image) -> Image.Image:
    """At a twelfth of its size, where the shapes of letters are gone."""
    return picture.resize([max(1, side // 12) for side in picture.size], Image.Resampling.BOX)


def touches_an_edge(picture: bytes) -> bool:
    """Whether a PNG file is drawn up to its edge, where Matplotlib cuts a text off in silence."""
    is_drawn = np.asarray(_opened(picture, "L")) < 250
    return bool(is_drawn.sum() > is_drawn[3:-3, 3:-3].sum())
