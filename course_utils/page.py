"""What code puts on a page: HTML in both languages, with the same as plain text and as a picture."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping
from dataclasses import dataclass

from matplotlib.figure import Figure

from .language import LANGUAGES, Text

__all__ = ["Shown", "picture_html", "png", "show"]

DOTS_PER_INCH = 100


@dataclass(frozen=True)
class Shown:
    """Something to leave as the last value of a cell."""

    html: str
    plain: str
    png: bytes | None = None

    def bundle(self) -> dict[str, str]:
        """The same content for every kind of reader: browser, plain text, image viewer."""
        representations = {"text/plain": self.plain, "text/html": self.html}
        if self.png is not None:
            representations["image/png"] = base64.b64encode(self.png).decode("ascii")
        return representations

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Mapping:
        return self.bundle()


def show(figure: Figure, alt: Text, caption: Text) -> Shown:
    """A figure with what it shows in words (for those who cannot see it) and its caption."""
    picture = png(figure)
    return Shown(
        html=f"<figure>{picture_html(picture, alt)}<figcaption>{caption.blocks()}</figcaption></figure>",
        plain=f"{alt.lines}\n{caption.lines}",
        png=picture,
    )


def png(figure: Figure) -> bytes:
    """The figure as a PNG file, a hundred pixels to the inch."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH, pil_kwargs={"compress_level": 6})
    return buffer.getvalue()


def picture_html(picture: bytes, alt: Text) -> str:
    """The picture with both alternative texts, of which a screen reader reads the visible one.

    ``alt`` is one string and cannot follow the language switch, so it holds both; the label that
    takes precedence over it is a hidden line whose halves do follow.
    """
    both = " · ".join(getattr(alt.plain, language) for language in LANGUAGES)
    source = base64.b64encode(picture).decode("ascii")
    return f'<img alt="{html.escape(both)}" src="data:image/png;base64,{source}">'
