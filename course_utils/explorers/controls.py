"""The controls that stand above an explorer's picture."""

from collections.abc import Mapping
from pathlib import Path

import ipywidgets

from ..text import Text, words

NAMES = words(Path(__file__).with_name("controls.toml"))
"""What controls and axes of several explorers are called."""

BASES = (2, 10, 100, 1_000, 10_000, 100_000)


def slider(label: Text, value: int, low: int, high: int, step: int = 1) -> ipywidgets.IntSlider:
    """A slider over whole numbers, with its name in every language."""
    return ipywidgets.IntSlider(value=value, min=low, max=high, step=step, **_named(label))


def base_slider(value: int = 10_000) -> ipywidgets.SelectionSlider:
    """A slider over the bases that are worth a look."""
    return ipywidgets.SelectionSlider(options=BASES, value=value, **_named(NAMES["base"]))


def checkbox(label: Text) -> ipywidgets.Checkbox:
    """A box to tick, not ticked, with its name in every language."""
    return ipywidgets.Checkbox(value=False, **_named(label))


def dropdown(label: Text, options: Mapping[str, Text], value: str) -> ipywidgets.Dropdown:
    """A list of choices, each with its name in every language.

    Options take no HTML and cannot follow the switch, so they hold all languages on a line.
    """
    named = [(name.one_line, key) for key, name in options.items()]
    return ipywidgets.Dropdown(options=named, value=value, **_named(label))


def _named(label: Text) -> dict[str, object]:
    return {
        "description": label.inline(),
        "description_allow_html": True,
        "style": {"description_width": "14em"},
        "layout": {"width": "min(100% - 4px, 44em)"},  # with room for the margins of ipywidgets
    }
