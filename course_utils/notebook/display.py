"""What code puts on a page: HTML in every language, the same as plain text, and a picture."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ..words.text import SHOWN, Text, typeset, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from IPython.display import DisplayHandle
    from ipywidgets import DOMWidget
    from matplotlib.figure import Figure

    Draw = Callable[..., Figure]

PAGE_STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
"""The style sheet of everything that is shown on a page."""

JUPYTER_STYLE = PAGE_STYLE + Path(__file__).with_name("jupyter.css").read_text("utf-8")
"""The same with what a notebook needs beside it."""

PICTURES = words(Path(__file__).parents[1] / "pictures" / "pictures.toml")

WAITS = words(Path(__file__).with_name("waits.toml"))
WAITS_FOR = {name: question for question, names in WAITS["after"].items() for name in names}
"""Of pictures and tables that answer a question of a lesson, the question."""

KEEPS_KEYS = "course-keeps-keys"
"""The class of elements that need the keyboard: switch.js keeps their keys from JupyterLab."""

KERNEL_ONLY = "kernel-only"
"""The tag of cells that show something about the reader's own kernel: left out where none runs."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

STILL = "course-still"
"""The class of what is shown while no live widget is there."""

LIVE = ", ".join(
    f".course-{name}" for name in ("explorer", "reading", "training", "story", "language", "kept")
)
"""The elements of live widgets, which are there once the widget has been drawn."""

HIDES_STILL = (
    # The outputs of one cell in JupyterLab, in VS Code and in Colab.
    f":is(.jp-OutputArea, .cell_container, #output-area):has({LIVE}) .{STILL},"
    f".jp-OutputArea:has({LIVE})>.jp-OutputArea-child:has(.{STILL}),"
    # “Error displaying widget: model not found”, the only output of a widget without elements.
    f".jp-OutputArea:has(.{STILL})>.jp-OutputArea-child>.jupyter-widgets:not(:has(*))"
    "{display:none}"
)
"""The style sheet that shows the still or the live widget, and never JupyterLab's error."""

UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap"
"""For screen readers only. A style and no class: it also holds before any style sheet is there."""


@dataclass(frozen=True)
class Shown:
    """The last value of a cell: the same content as HTML, plain text and picture."""

    html: str
    plain: str
    png: bytes | None = None

    def bundle(self) -> dict[str, str]:
        """The content by media type, as Jupyter stores it."""
        representations = {"text/plain": self.plain, "text/html": self.html}
        if self.png is not None:
            representations["image/png"] = _base64(self.png)
        return representations

    def still(self) -> dict[str, str]:
        """Return the content by media type; its HTML is hidden while a live widget is there."""
        html = f'<style>{HIDES_STILL}</style><div class="{STILL}">{self.html}</div>'
        return self.bundle() | {"text/html": html}

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        return self.bundle()


class WithStill:
    """A widget and its still, each in an output of its own, of which a page shows one.

    In a shared output JupyterLab prefers the widget. In a notebook that is opened again without
    being run, the kernel that knew the widget is gone, and "model not found" is all that is left.
    """

    widget: DOMWidget
    _still: DisplayHandle | None = None

    def as_shown(self) -> Shown:
        """Return the widget in its current state, for readers without a kernel."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        from IPython.display import display

        self._still = display(self.as_shown().still(), raw=True, display_id=True)
        live = self.widget._repr_mimebundle_()
        bundle = live[0] if isinstance(live, tuple) else live  # anywidget adds metadata
        display({WIDGET_VIEW: bundle[WIDGET_VIEW]}, raw=True)

    def update_still(self) -> None:
        """Store the widget's current state in the notebook where it was displayed last."""
        if self._still is not None:
            self._still.update(self.as_shown().still(), raw=True)


def show(name: str, picture: Figure | Draw, *arguments: object, **values: object) -> Shown:
    """A picture with its caption and, for those who cannot see it, a description.

    Args:
        name: where both stand in pictures.toml.
        picture: draws the figure in one language, as ``picture(*arguments, language="en")``, so
            that its axes follow the switch; or a ready figure, which is the same in all languages.
        arguments: what is to be drawn.
        values: what goes into the placeholders of caption and description.
    """
    written = {each: typeset(value) for each, value in values.items()}
    alt, caption = (PICTURES[name][part].format(**written) for part in ("alt", "caption"))
    pictures = drawn(picture, *arguments) if callable(picture) else png(picture)
    return Shown(
        html=waiting(name, figure_html(pictures, alt, "", caption)),
        plain=f"{alt.lines}\n{caption.lines}",
        png=pictures if isinstance(pictures, bytes) else pictures[SHOWN[0]],
    )


def waiting(name: str, content: str) -> str:
    """The HTML of a picture or table; if it answers a question, behind a line that opens.

    The line opens by click or key, and by itself once an answer to the question is chosen.
    """
    if name not in WAITS_FOR:
        return content
    return (
        f'<details class="course-after {KEEPS_KEYS}" data-after="{WAITS_FOR[name]}">'
        f"<summary>{WAITS['said']['first'].inline()}</summary>{content}</details>"
    )


def drawn(draw: Draw, *arguments: object) -> dict[str, bytes]:
    """The PNG file of ``draw(*arguments, language=...)`` for each language that is shown."""
    return {language: png(draw(*arguments, language=language)) for language in SHOWN}


def png(figure: Figure) -> bytes:
    """The figure as a PNG file of few colours, which look the same in less than half the bytes.

    Maps get 256 of them; what is shaded, such as letters on colours, 64; lines no more than 32.
    """
    from matplotlib import style
    from PIL import Image

    buffer = io.BytesIO()
    with style.context("default"):
        figure.savefig(buffer, format="png", metadata={"Software": None})
    painted = Image.open(buffer).convert("RGB")
    shaded = [each for axes in figure.axes for each in (*axes.images, *axes.collections)]
    has_map = any(each.get_array() is not None for each in shaded)
    n_colors = 256 if has_map else 64 if shaded else 32
    few_colors = painted.quantize(n_colors, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small = io.BytesIO()
    few_colors.save(small, format="png", optimize=True)
    return small.getvalue()


def figure_html(picture: bytes | Mapping[str, bytes], alt: Text, said: str, caption: Text) -> str:
    """A figure: its picture, or one for each language; what is said of it, as HTML; its caption."""
    return (
        f'<figure class="course-figure">{picture_html(picture, alt)}{said}'
        f"<figcaption>{caption.blocks()}</figcaption></figure>"
    )


def disclosure(summary: Text, content: str, classes: str = "", style: str = "") -> str:
    """A line that opens, by click or key, and the HTML that it hides."""
    marked = f' class="{classes}"' if classes else ""
    marked += f' style="{style}"' if style else ""
    return f"<details{marked}><summary>{summary.inline()}</summary>{content}</details>"


def picture_html(picture: bytes | Mapping[str, bytes], alt: Text) -> str:
    """The picture with its alternative text.

    Where each language has its picture, the picture has the text in that language. A picture for
    all has one ``alt`` text, a string that cannot follow the language switch, and so holds all
    languages that are shown. Beside it stands the same text with a part for each language, which
    does follow; a screen reader reads that instead, if JupyterLab left the page as it is.
    """
    if not isinstance(picture, bytes):
        return "".join(
            f'<div lang="{language}" class="course-{language}">'
            f"{_img(file, alt.plain[language])}</div>"
            for language, file in picture.items()
        )
    name = f"course-{sha256(alt.one_line.encode()).hexdigest()[:8]}"
    return (
        f'<div role="img" aria-labelledby="{name}">{_img(picture, alt.shown_line)}'
        f'<div id="{name}" style="{UNSEEN}">{alt.inline()}</div></div>'
    )


def _img(picture: bytes, alt: str) -> str:
    return f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{_base64(picture)}">'


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
