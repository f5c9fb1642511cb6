"""The controls of an explorer. The view draws them; Python has their values."""

from collections.abc import Mapping
from pathlib import Path

import ipywidgets

from ..words.text import Text, words

NAMES = words(Path(__file__).with_suffix(".toml"))
"""Names that controls and axes of several explorers share."""

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
    """A list of choices, each with its name in every language."""
    named = [(name.shown_line, key) for key, name in options.items()]
    made = ipywidgets.Dropdown(options=named, value=value, **_named(label))
    made.names = options
    return made


def kind_of(control: ipywidgets.ValueWidget) -> str:
    """How the view draws a control: as a ``slider``, a ``list`` or a ``box`` to tick."""
    if isinstance(control, ipywidgets.Checkbox):
        return "box"
    return "list" if isinstance(control, ipywidgets.Dropdown) else "slider"


def stops_of(control: ipywidgets.ValueWidget) -> dict[object, Text | str]:
    """Every value that a control can have, in order, with its name."""
    if isinstance(control, ipywidgets.IntSlider):
        return {value: str(value) for value in range(control.min, control.max + 1, control.step)}
    if isinstance(control, ipywidgets.Checkbox):
        return {False: "", True: ""}
    if hasattr(control, "names"):
        return dict(control.names)
    return {value: str(name) for name, value in control._options_full}


def place_of(control: ipywidgets.ValueWidget, value: object) -> int:
    """The index of a value among all that the control can have."""
    return list(stops_of(control)).index(value)


def _named(label: Text) -> dict[str, object]:
    return {"description": label.inline(), "description_allow_html": True}
