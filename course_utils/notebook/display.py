"""Output of code on a page: HTML in every language, the same as plain text, and a picture."""

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
"""The style sheet for everything that is shown on a page."""

JUPYTER_STYLE = PAGE_STYLE + Path(__file__).with_name("jupyter.css").read_text("utf-8")
"""The same style sheet with additions for notebooks."""

PICTURES = words(Path(__file__).parents[1] / "pictures" / "pictures.toml")

WAITS = words(Path(__file__).with_name("waits.toml"))
WAITS_FOR = {name: question for question, names in WAITS["after"].items() for name in names}
"""The question that a picture or table answers, by name."""

KEEPS_KEYS = "course-keeps-keys"
"""The class of elements that need the keyboard: switch.js keeps their keys from JupyterLab."""

KERNEL_ONLY = "kernel-only"
"""The tag of cells about the reader's own kernel, which are left out where none runs."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

STILL = "course-still"
"""The class of content that is shown while no live widget exists."""

LIVE = ", ".join(
    f".course-{name}" for name in ("explorer", "reading", "training", "story", "language", "kept")
)
"""The elements of live widgets, which exist once the widget has been drawn."""

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
"""A style for screen readers only; unlike a class, it works before any style sheet is loaded."""


@dataclass(frozen=True)
class Shown:
    """The last value of a cell: the same content as HTML, plain text and picture."""

    html: str
    plain: str
    png: bytes | None = None

    def bundle(self) -> dict[str, str]:
        """Return the content by media type, as Jupyter stores it."""
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
    """A widget and its still in separate outputs, of which a page shows one.

    If both shared an output, JupyterLab would prefer the widget. When a notebook is reopened
    without being run, the kernel of the widget is gone, and only "model not found" would remain.
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
    """Return a picture with its caption and, for readers who cannot see it, a description.

    Args:
        name: the entry of both texts in pictures.toml.
        picture: a function that draws the figure in one language, as
            ``picture(*arguments, language="en")``, so that its axes follow the switch; or a
            finished figure, which is the same in all languages.
        arguments: the data to draw.
        values: the values of the placeholders in caption and description.
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
    """Return the HTML of a picture or table, inside a disclosure if it answers a question.

    The disclosure opens by click or key, and by itself once an answer to the question is chosen.
    """
    return covered(WAITS_FOR[name], content) if name in WAITS_FOR else content


def covered(question: str, content: str) -> str:
    """Return HTML that stays closed until the question is answered, or until it is clicked."""
    return (
        f'<details class="course-after {KEEPS_KEYS}" data-after="{question}">'
        f"<summary>{WAITS['said']['first'].inline()}</summary>{content}</details>"
    )


def drawn(draw: Draw, *arguments: object) -> dict[str, bytes]:
    """Draw ``draw(*arguments, language=...)`` as a PNG file for each shown language."""
    return {language: png(draw(*arguments, language=language)) for language in SHOWN}


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG with a reduced palette, which looks the same at half the size.

    Maps get 256 colours, figures with shading (such as letters on colours) get 64, and lines at
    most 32.
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
    """Return a figure as HTML: one picture or one per language, a text, and a caption."""
    return (
        f'<figure class="course-figure">{picture_html(picture, alt)}{said}'
        f"<figcaption>{caption.blocks()}</figcaption></figure>"
    )


def disclosure(summary: Text, content: str, classes: str = "", style: str = "") -> str:
    """Return a line that opens by click or key, and the HTML that it hides."""
    marked = f' class="{classes}"' if classes else ""
    marked += f' style="{style}"' if style else ""
    return f"<details{marked}><summary>{summary.inline()}</summary>{content}</details>"


def picture_html(picture: bytes | Mapping[str, bytes], alt: Text) -> str:
    """Return the picture with its alternative text.

    If each language has its own picture, the picture has the text in that language. A picture for
    all languages has one ``alt`` text, a string that cannot follow the language switch and
    therefore holds all shown languages. A second copy of the text, with a part for each language,
    does follow the switch; a screen reader reads it instead, unless JupyterLab changed the page.
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
