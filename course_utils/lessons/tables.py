"""Small tables of numbers, whose labels follow the language switch."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from ..notebook.display import Shown, waiting
from ..words.text import LANGUAGES, Text, typeset, words

__all__ = ["show_table"]

TEXTS = words(Path(__file__).with_suffix(".toml"))

LARGEST = 64
"""Maximum number of values in a table."""


def show_table(name: str, rows: ArrayLike, *, decimals: int = 4) -> Shown:
    """Show numbers in a table with row names, column names and a caption.

    Args:
        name: Key of an entry in tables.toml. The entry contains a ``caption``, the names of the
            ``columns``, a heading for the row names (``corner``), and the names of the ``rows``. If
            ``rows`` is missing, the rows are numbered from 0.
        rows: At most 64 numbers, with shape ``(n_rows, n_columns)``, or ``(n_rows,)`` for a single
            column.
        decimals: Number of digits after the decimal point; columns of integers have none.

    Raises:
        ValueError: If the shape does not match the names, or if there are more than 64 numbers.
    """
    texts = TEXTS[name]
    numbers = np.asarray(rows, dtype=float)
    if numbers.ndim == 1:
        numbers = numbers[:, np.newaxis]
    heads = texts.get("rows", [str(position) for position in range(len(numbers))])
    wanted = len(heads), len(texts["columns"])
    if numbers.shape != wanted:
        raise ValueError(f"rows must have the shape {wanted} in {name!r}; got {numbers.shape}.")
    if numbers.size > LARGEST:
        raise ValueError(f"rows must hold at most {LARGEST} numbers; got {numbers.size}.")
    digits = [0 if (column % 1 == 0).all() else decimals for column in numbers.T]
    written = [[_written(*each) for each in zip(row, digits, strict=True)] for row in numbers]
    table = waiting(name, _html(texts, heads, written))
    return Shown(html=table, plain=_plain(texts, heads, written))


def _written(number: float, decimals: int) -> str:
    """Format a number with a typographic minus sign, unless it is rounded to zero."""
    return typeset(f"{number:z.{decimals}f}")


def _html(texts: dict, heads: Iterable[Text | str], written: list[list[str]]) -> str:
    columns = "".join(f'<th scope="col">{_shown(name)}</th>' for name in texts["columns"])
    rows = "".join(
        f'<tr><th scope="row">{_shown(head)}</th>'
        + "".join(f"<td>{number}</td>" for number in row)
        + "</tr>"
        for head, row in zip(heads, written, strict=True)
    )
    return (
        f'<table class="course-numbers"><caption>{texts["caption"].inline()}</caption>'
        f"<thead><tr><td>{_shown(texts.get('corner', ''))}</td>{columns}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _plain(texts: dict, heads: Iterable[Text | str], written: list[list[str]]) -> str:
    """Return the table as plain text, each line in every language."""
    rows = [
        _text(head).map(lambda name, row=row: f"{name}: {', '.join(row)}")
        for head, row in zip(heads, written, strict=True)
    ]
    return "\n".join(text.lines for text in (texts["caption"], *rows))


def _text(name: Text | str) -> Text:
    return name if isinstance(name, Text) else Text(*[html.escape(name)] * len(LANGUAGES))


def _shown(name: Text | str) -> str:
    return name.inline() if isinstance(name, Text) else name
