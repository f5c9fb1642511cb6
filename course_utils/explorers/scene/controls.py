"""Controls of an explorer: the view draws them, and the explorer stores their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...words.text import Text, words

NAMES = words(Path(__file__).with_suffix(".toml"))
"""Names that controls and axes of several explorers share."""

BASES = (2, 10, 100, 1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Range:
    """A slider over whole numbers: its name, the value it starts with, and its ends."""

    label: Text
    start: int
    low: int
    high: int
    step: int = 1

    kind = "slider"

    @property
    def stops(self) -> dict[object, Text | str]:
        """All values in order, with their names."""
        return {value: str(value) for value in range(self.low, self.high + 1, self.step)}


@dataclass(frozen=True)
class Choice:
    """A list of values, a checkbox, or a slider over a selection of values.

    Attributes:
        label: the name of the control.
        start: the value it starts with.
        stops: all values in order, with their names.
        kind: ``list``, ``box`` (a checkbox) or ``slider``.
    """

    label: Text
    start: object
    stops: Mapping[object, Text | str]
    kind: str = "list"


Control = Range | Choice


def slider(label: Text, value: int, low: int, high: int, step: int = 1) -> Range:
    """Return a slider over whole numbers, with its name in every language."""
    return Range(label, value, low, high, step)


def base_slider(value: int = 10_000) -> Choice:
    """Return a slider over a selection of bases."""
    return Choice(NAMES["base"], value, {base: str(base) for base in BASES}, "slider")


def checkbox(label: Text) -> Choice:
    """Return an unticked checkbox, with its name in every language."""
    return Choice(label, False, {False: "", True: ""}, "box")


def dropdown(label: Text, options: Mapping[str, Text], value: str) -> Choice:
    """Return a list of choices, each with its name in every language."""
    return Choice(label, value, dict(options))


def values_at(controls: Mapping[str, Control], at: Sequence[int]) -> dict[str, object]:
    """Return the value of each control, given the index of its stop."""
    named = zip(controls.items(), at, strict=True)
    return {name: [*control.stops][index] for (name, control), index in named}


def indices_of(controls: Mapping[str, Control], values: Mapping[str, object]) -> list[int]:
    """Return the index of each control's value among its stops.

    Raises:
        ValueError: a control does not have the value.
    """
    indices = []
    for name, control in controls.items():
        stops = [*control.stops]
        if values[name] not in stops:
            allowed = ", ".join(
                map(repr, stops if len(stops) < 12 else (stops[0], "...", stops[-1]))
            )
            raise ValueError(f"{name} must be one of {allowed}; got {values[name]!r}.")
        indices.append(stops.index(values[name]))
    return indices
