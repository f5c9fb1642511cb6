"""What code puts on a page: HTML in both languages, the same as plain text, and a picture."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from .figures import DOTS_PER_INCH
from .language import LANGUAGES, Text

__all__ = ["KEEPS_KEYS", "Shown", "picture_html", "pixels", "png", "show"]

KEEPS_KEYS = "course-keeps-keys"
"""The class of whatever is worked by keys: language_switch.js keeps them from JupyterLab."""

UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap"
"""For screen readers only. A style and no class: it also holds before any style sheet is there."""


@dataclass(frozen=True)
class Shown:
    """Something to leave as the last value of a cell: the same content for every kind of reader."""

    html: str
    plain: str
    png: bytes | None = None

    def bundle(self) -> dict[str, str]:
        """The content by media type, as Jupyter stores it."""
        representations = {"text/plain": self.plain, "text/html": self.html}
        if self.png is not None:
            representations["image/png"] = _base64(self.png)
        return representations

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        return self.bundle()


def show(figure: Figure, alt: Text, caption: Text) -> Shown:
    """A figure with its caption, and in words what it shows to those who cannot see it."""
    picture = png(figure)
    return Shown(
        html=f'<figure class="course-figure">{picture_html(picture, alt)}'
        f"<figcaption>{caption.blocks()}</figcaption></figure>",
        plain=f"{alt.lines}\n{caption.lines}",
        png=picture,
    )


def pixels(figure: Figure) -> tuple[int, int]:
    """Width and height of the figure's picture."""
    width, height = np.rint(figure.get_size_inches() * DOTS_PER_INCH)
    return int(width), int(height)


def png(figure: Figure, *, compress_level: int = 9) -> bytes:
    """The figure as a PNG file; a lower ``compress_level`` makes a larger file in less time."""
    figure.set_dpi(DOTS_PER_INCH)
    figure.canvas.draw()
    picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    buffer = io.BytesIO()
    picture.save(buffer, format="png", compress_level=compress_level)
    return buffer.getvalue()


def picture_html(picture: bytes, alt: Text) -> str:
    """The picture with its alternative text.

    ``alt`` is one string and cannot follow the language switch, so it holds both halves. Where
    JupyterLab keeps the page as it is, a screen reader takes the line beside the image instead,
    whose halves do follow.
    """
    both = " · ".join(getattr(alt.plain, language) for language in LANGUAGES)
    name = f"course-{sha256(both.encode()).hexdigest()[:8]}"
    return (
        f'<div role="img" aria-labelledby="{name}"><img alt="{html.escape(both)}" '
        f'src="data:image/png;base64,{_base64(picture)}">'
        f'<div id="{name}" style="{UNSEEN}">{alt.inline()}</div></div>'
    )


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
