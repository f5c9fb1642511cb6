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
"""Maximum distance out of 255.

A new version of Matplotlib causes 1.1 to 1.5, a changed label causes 4.5, and a frequency error of
2% causes 11.
"""

LARGEST_CHANGE = 10
"""Maximum change out of 255 in a square of 12 pixels, with the same version of Matplotlib."""

IN_HTML = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")


def pictures_of(outputs: Iterable[Mapping]) -> list[bytes]:
    """Return the PNG files in a cell's outputs, beginning with those in HTML."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        encoded = IN_HTML.findall(data.get("text/html", ""))
        if "image/png" in data:
            encoded.append(data["image/png"])
        found += [base64.b64decode(picture) for picture in encoded]
    return found


def picture_problems(stored: Iterable[Mapping], computed: Iterable[Mapping]) -> list[str]:
    """Return the differences between the pictures in two lists of outputs."""
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
    """Return the root mean square difference of two reduced PNG files, or infinity."""
    pictures = [_opened(each, "RGB") for each in (first, second)]
    if pictures[0].size != pictures[1].size:
        return float("inf")
    one, other = (np.asarray(_scaled_down(each), dtype=float) for each in pictures)
    return float(np.sqrt(np.mean((one - other) ** 2)))


def largest_change(first: bytes, second: bytes) -> float:
    """Return the largest mean difference between corresponding squares."""
    difference = ImageChops.difference(_opened(first, "L"), _opened(second, "L"))
    return float(np.asarray(_scaled_down(difference)).max())


def _opened(picture: bytes, mode: str) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert(mode)


def _scaled_down(picture: Image.Image) -> Image.Image:
    """Reduce a picture to a twelfth of its size, so that the shapes of letters vanish."""
    return picture.resize([max(1, side // 12) for side in picture.size], Image.Resampling.BOX)


def touches_an_edge(picture: bytes) -> bool:
    """Return True if a PNG file is not blank at its edge, where text may be cut off."""
    is_drawn = np.asarray(_opened(picture, "L")) < 250
    return bool(is_drawn.sum() > is_drawn[3:-3, 3:-3].sum())
