"""The controls that stand above an explorer's picture."""

from collections.abc import Mapping
from pathlib import Path

import ipywidgets

from ..words.text import Text, words

NAMES = words(Path(__file__).with_name("controls.toml"))
"""What controls and axes of several explorers are called."""

CHOICE = ipywidgets.Dropdown | ipywidgets.SelectionSlider
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

    Options take no HTML, so they hold all languages on a line; the browser hides what is not shown.
    """
    named = [(name.shown_line, key) for key, name in options.items()]
    return ipywidgets.Dropdown(options=named, value=value, **_named(label))


def state(control: ipywidgets.ValueWidget, value: object) -> object:
    """What the browser has for that value of a control: its place where there is a list of them."""
    return _choices(control).index(value) if isinstance(control, CHOICE) else value


def value_ahead(control: ipywidgets.ValueWidget, old: object, new: object) -> object | None:
    """The value one more step of the same size and direction leads to; None if there is none."""
    if isinstance(control, CHOICE):
        choices = _choices(control)
        ahead = 2 * choices.index(new) - choices.index(old)
        return choices[ahead] if 0 <= ahead < len(choices) else None
    if isinstance(control, ipywidgets.IntSlider):
        ahead = 2 * new - old
        return ahead if control.min <= ahead <= control.max else None
    return None


def _choices(control: CHOICE) -> list[object]:
    return [each[1] if isinstance(each, tuple) else each for each in control.options]


def _named(label: Text) -> dict[str, object]:
    return {
        "description": label.inline(),
        "description_allow_html": True,
        "style": {"description_width": "14em"},
        "layout": {"width": "min(100% - 4px, 44em)"},  # with room for the margins of ipywidgets
    }
