"""Whether two stored pictures show the same, whatever version of Matplotlib wrote their texts."""

import base64
import io
import re
from collections.abc import Iterable, Mapping

import numpy as np
from PIL import Image

SCALE = 12
"""Pictures are compared at a twelfth of their size, where the shapes of letters are gone."""

LARGEST_DISTANCE = 1.9
"""Of 255. A new Matplotlib makes 1.1 to 1.5; a changed label 4.5; a frequency 2 % off, 11."""

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
    distances = [distance(old, new) for old, new in zip(stored, computed, strict=True)]
    return [
        f"picture {number} is {apart:.1f} away from the stored one (allowed: {LARGEST_DISTANCE})"
        for number, apart in enumerate(distances, start=1)
        if apart > LARGEST_DISTANCE
    ]


def distance(first: bytes, second: bytes) -> float:
    """The root mean square between two PNG files scaled down; infinite if their sizes differ."""
    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in (first, second)]
    if images[0].size != images[1].size:
        return float("inf")
    target = [max(1, side // SCALE) for side in images[0].size]
    small = [np.asarray(each.resize(target, Image.Resampling.BOX), dtype=float) for each in images]
    return float(np.sqrt(np.mean((small[0] - small[1]) ** 2)))


def touches_an_edge(picture: bytes) -> bool:
    """Whether a PNG file is drawn up to its edge, where Matplotlib cuts a text off in silence."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("L"))
    inside = pixels[SMALLEST_MARGIN:-SMALLEST_MARGIN, SMALLEST_MARGIN:-SMALLEST_MARGIN]
    return bool((pixels < 250).sum() > (inside < 250).sum())
