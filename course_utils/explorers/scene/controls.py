"""Controls of an explorer: the view draws them, and Python has their values."""

from collections.abc import Mapping
from pathlib import Path

import ipywidgets

from ...words.text import Text, words

NAMES = words(Path(__file__).with_suffix(".toml"))
"""Names that controls and axes of several explorers share."""

BASES = (2, 10, 100, 1_000, 10_000, 100_000)


def slider(label: Text, value: int, low: int, high: int, step: int = 1) -> ipywidgets.IntSlider:
    """Return a slider over whole numbers, with its name in every language."""
    return ipywidgets.IntSlider(value=value, min=low, max=high, step=step, **_named(label))


def base_slider(value: int = 10_000) -> ipywidgets.SelectionSlider:
    """Return a slider over a selection of bases."""
    return ipywidgets.SelectionSlider(options=BASES, value=value, **_named(NAMES["base"]))


def checkbox(label: Text) -> ipywidgets.Checkbox:
    """Return an unticked checkbox, with its name in every language."""
    return ipywidgets.Checkbox(value=False, **_named(label))


def dropdown(label: Text, options: Mapping[str, Text], value: str) -> ipywidgets.Dropdown:
    """Return a list of choices, each with its name in every language."""
    named = [(name.shown_line, key) for key, name in options.items()]
    made = ipywidgets.Dropdown(options=named, value=value, **_named(label))
    made.names = options
    return made


def kind_of(control: ipywidgets.ValueWidget) -> str:
    """Return the kind of a control in the view: ``slider``, ``list`` or ``box`` (a checkbox)."""
    if isinstance(control, ipywidgets.Checkbox):
        return "box"
    return "list" if isinstance(control, ipywidgets.Dropdown) else "slider"


def stops_of(control: ipywidgets.ValueWidget) -> dict[object, Text | str]:
    """Return all values of a control in order, with their names."""
    if isinstance(control, ipywidgets.IntSlider):
        return {value: str(value) for value in range(control.min, control.max + 1, control.step)}
    if isinstance(control, ipywidgets.Checkbox):
        return {False: "", True: ""}
    if hasattr(control, "names"):
        return dict(control.names)
    return {value: str(name) for name, value in control._options_full}


def place_of(control: ipywidgets.ValueWidget, value: object) -> int:
    """Return the index of a value among all values of a control."""
    return list(stops_of(control)).index(value)


def _named(label: Text) -> dict[str, object]:
    return {"description": label.inline(), "description_allow_html": True}
