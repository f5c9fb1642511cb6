"""Whether two stored pictures show the same, whatever version of Matplotlib wrote their texts."""

import base64
import io
import re
from collections.abc import Iterable, Mapping

import matplotlib
import numpy as np
from PIL import Image, ImageChops
from private_jupyter import REPOSITORY

CONSTRAINTS = REPOSITORY / "constraints.txt"
SCALE = 12
"""Pictures are compared at a twelfth of their size, where the shapes of letters are gone."""

LARGEST_DISTANCE = 1.9
"""Of 255. A new Matplotlib makes 1.1 to 1.5; a changed label 4.5; a frequency 2 % off, 11."""

LARGEST_CHANGE = 10
"""Of 255, in a square of 12 pixels, with the Matplotlib that drew what is stored."""

SMALLEST_MARGIN = 3
"""In pixels."""

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
    if f"\nmatplotlib=={matplotlib.__version__}\n" in CONSTRAINTS.read_text("utf-8"):
        measures["change"] = (largest_change, LARGEST_CHANGE)
    return [
        f"picture {number} has a {name} of {measure(*both):.1f} to the stored one (allowed: {most})"
        for number, both in enumerate(zip(stored, computed, strict=True), start=1)
        for name, (measure, most) in measures.items()
        if measure(*both) > most
    ]


def distance(first: bytes, second: bytes) -> float:
    """The root mean square between two PNG files scaled down; infinite if their sizes differ."""
    one, other = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (first, second))
    if one.size != other.size:
        return float("inf")
    small = [np.asarray(_scaled_down(each), dtype=float) for each in (one, other)]
    return float(np.sqrt(np.mean((small[0] - small[1]) ** 2)))


def largest_change(first: bytes, second: bytes) -> float:
    """The mean difference between the pixels of two squares, where it is largest."""
    one, other = (Image.open(io.BytesIO(picture)).convert("L") for picture in (first, second))
    if one.size != other.size:
        return float("inf")
    return float(np.asarray(_scaled_down(ImageChops.difference(one, other))).max())


def _scaled_down(picture: Image.Image) -> Image.Image:
    target = [max(1, side // SCALE) for side in picture.size]
    return picture.resize(target, Image.Resampling.BOX)


def touches_an_edge(picture: bytes) -> bool:
    """Whether a PNG file is drawn up to its edge, where Matplotlib cuts a text off in silence."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("L"))
    inside = pixels[SMALLEST_MARGIN:-SMALLEST_MARGIN, SMALLEST_MARGIN:-SMALLEST_MARGIN]
    return bool((pixels < 250).sum() > (inside < 250).sum())
