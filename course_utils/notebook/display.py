"""Rich output of code cells: HTML, plain text and pictures in every language."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ..colors import variables
from ..words.text import SHOWN, Text, typeset, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from IPython.display import DisplayHandle
    from ipywidgets import DOMWidget
    from matplotlib.figure import Figure

    Draw = Callable[..., Figure]

PAGE_STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
"""Style sheet for all content shown on a page."""

JUPYTER_STYLE = (
    f":root{{{variables(is_dark=False)}}}[data-jp-theme-light='false']{{{variables(is_dark=True)}}}"
    + PAGE_STYLE
    + Path(__file__).with_name("jupyter.css").read_text("utf-8")
)
"""The page style sheet with colours and additions for notebooks."""

PICTURES = words(Path(__file__).parents[1] / "pictures" / "pictures.toml")

WAITS = words(Path(__file__).with_name("waits.toml"))
WAITS_FOR = {name: question for question, names in WAITS["after"].items() for name in names}
"""Names of questions, keyed by the name of the picture or table that answers them."""

KEEPS_KEYS = "course-keeps-keys"
"""Class of elements whose keyboard events switch.js hides from JupyterLab."""

KERNEL_ONLY = "kernel-only"
"""Tag of cells about the kernel, which are omitted from editions without one."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

STILL = "course-still"
"""Class of static content that is shown when there is no live widget."""

LIVE = ", ".join(
    f".course-{name}" for name in ("explorer", "own-view", "story", "language", "kept")
)
"""Selector of the elements that a live widget creates when it is drawn."""

HIDES_STILL = (
    # The selector matches the outputs of one cell in JupyterLab, VS Code or Colab.
    f":is(.jp-OutputArea, .cell_container, #output-area):has({LIVE}) .{STILL},"
    f".jp-OutputArea:has({LIVE})>.jp-OutputArea-child:has(.{STILL}),"
    # A widget without elements displays only “Error displaying widget: model not found”.
    f".jp-OutputArea:has(.{STILL})>.jp-OutputArea-child>.jupyter-widgets:not(:has(*))"
    "{display:none}"
)
"""Style sheet that shows either a live widget or its still, and hides JupyterLab's error."""

UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap"
"""Inline style of text for screen readers."""


@dataclass(frozen=True)
class Shown:
    """The output of a cell as HTML, plain text and a picture."""

    html: str
    plain: str
    png: bytes | None = None

    def bundle(self) -> dict[str, str]:
        """Return the content in Jupyter's format, a dictionary keyed by media type."""
        representations = {"text/plain": self.plain, "text/html": self.html}
        if self.png is not None:
            representations["image/png"] = _base64(self.png)
        return representations

    def still(self) -> dict[str, str]:
        """Return the content keyed by media type.

        The HTML is hidden while a live widget exists.
        """
        html = f'<style>{HIDES_STILL}</style><div class="{STILL}">{self.html}</div>'
        return self.bundle() | {"text/html": html}

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        return self.bundle()


class WithStill:
    """A widget and its still in separate outputs, of which a page shows only one.

    If the widget and its still shared an output, JupyterLab would prefer the widget. A notebook
    that is reopened without being run would then show only the error "model not found", because the
    widget's kernel no longer exists.
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
        bundle = live[0] if isinstance(live, tuple) else live  # anywidget also returns metadata.
        display({WIDGET_VIEW: bundle[WIDGET_VIEW]}, raw=True)

    def update_still(self) -> None:
        """Update the still in the notebook to the widget's current state."""
        if self._still is not None:
            self._still.update(self.as_shown().still(), raw=True)


def show(name: str, picture: Figure | Draw, *arguments: object, **values: object) -> Shown:
    """Return a picture with its caption and its alternative text.

    Args:
        name: Key of the entry in pictures.toml that contains both texts.
        picture: Function that draws the figure in one language, called as ``picture(*arguments,
            language="en")``; its labels follow the language switch. Alternatively, a figure that is
            the same in all languages.
        arguments: Data to draw.
        values: Values of the placeholders in the caption and in the alternative text.
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
    """Return the HTML of a picture or table, in a disclosure if it answers an open question.

    The disclosure is closed until the question is answered or the reader opens it.
    """
    return covered(WAITS_FOR[name], content) if name in WAITS_FOR else content


def covered(question: str, content: str) -> str:
    """Return a disclosure that is closed until the question is answered or the reader opens it."""
    return (
        f'<details class="course-after {KEEPS_KEYS}" data-after="{question}">'
        f"<summary>{WAITS['said']['first'].inline()}</summary>{content}</details>"
    )


def drawn(draw: Draw, *arguments: object) -> dict[str, bytes]:
    """Call ``draw(*arguments, language=...)`` for each shown language, and return PNG files."""
    return {language: png(draw(*arguments, language=language)) for language in SHOWN}


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG file with a reduced palette, which halves its size.

    Maps are reduced to 256 colours, figures with shading (such as letters on colours) to 64, and
    line plots to at most 32.
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


def figure_html(picture: bytes | Mapping[str, bytes], alt: Text, above: str, caption: Text) -> str:
    """Return the HTML of a figure with its alternative text and its caption."""
    return (
        f'<figure class="course-figure">{picture_html(picture, alt)}{above}'
        f"<figcaption>{caption.blocks()}</figcaption></figure>"
    )


def disclosure(summary: Text, content: str, classes: str = "", style: str = "") -> str:
    """Return a ``<details>`` element with a summary and the content that it reveals."""
    marked = f' class="{classes}"' if classes else ""
    marked += f' style="{style}"' if style else ""
    return f"<details{marked}><summary>{summary.inline()}</summary>{content}</details>"


def picture_html(picture: bytes | Mapping[str, bytes], alt: Text) -> str:
    """Return the HTML of a picture with its alternative text.

    If each language has its own picture, its ``alt`` text is in that language. If one picture
    serves all languages, its ``alt`` text contains all shown languages, because an attribute cannot
    follow the language switch. A hidden copy of the text follows the switch. Screen readers read
    this copy instead, unless JupyterLab removes it.
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
