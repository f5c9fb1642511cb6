"""The controls that stand above an explorer's picture."""

from __future__ import annotations

from collections.abc import Mapping

import ipywidgets

from ..language import Text

__all__ = ["base_slider", "checkbox", "dropdown", "slider"]


LABEL_WIDTH = "14em"
CONTROL_WIDTH = "min(100% - 4px, 44em)"  # with room for the margins of ipywidgets


def slider(label: Text, value: int, low: int, high: int, step: int = 1) -> ipywidgets.IntSlider:
    """A slider over whole numbers, with its name in both languages."""
    return ipywidgets.IntSlider(
        value=value,
        min=low,
        max=high,
        step=step,
        description=label.inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def base_slider(value: int) -> ipywidgets.SelectionSlider:
    """A slider over the bases that are worth a look."""
    return ipywidgets.SelectionSlider(
        options=[2, 10, 100, 1_000, 10_000, 100_000],
        value=value,
        description=Text("base", "base").inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def checkbox(label: Text) -> ipywidgets.Checkbox:
    """A box to tick, not ticked, with its name in both languages."""
    return ipywidgets.Checkbox(
        value=False,
        description=label.inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def dropdown(label: Text, options: Mapping[str, Text], value: str) -> ipywidgets.Dropdown:
    """A list of choices, each with its name in both languages."""
    return ipywidgets.Dropdown(
        options=[(_on_one_line(name), key) for key, name in options.items()],
        value=value,
        description=label.inline(),
        description_allow_html=True,
        style={"description_width": LABEL_WIDTH},
        layout={"width": CONTROL_WIDTH},
    )


def _on_one_line(name: Text) -> str:
    """Options take no HTML and cannot follow the switch, so they hold both languages."""
    return " · ".join(dict.fromkeys((name.plain.en, name.plain.es)))
