"""Moving every control of an explorer over its whole range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import product
from unittest import mock

import ipywidgets
import numpy as np

from course_utils.explorers import Explorer
from course_utils.explorers import explorer as drawing

from .languages import halves_of_line, words
from .outputs import html_problems
from .parity import compare
from .pictures import touches_an_edge

__all__ = ["label_problems", "sweep", "values_of"]

FIRST, LAST = "first", "last"


def values_of(control: ipywidgets.ValueWidget) -> list:
    """Every value that a reader can give the control, in the order of the control."""
    if isinstance(control, ipywidgets.IntSlider):
        return list(range(control.min, control.max + 1, control.step))
    if isinstance(control, ipywidgets.FloatSlider):
        steps = round((control.max - control.min) / control.step)
        return [min(control.min + i * control.step, control.max) for i in range(steps + 1)]
    if isinstance(control, ipywidgets.Checkbox):
        return [False, True]
    if isinstance(
        control, (ipywidgets.Dropdown, ipywidgets.ToggleButtons, ipywidgets.SelectionSlider)
    ):
        return [value for _, value in control._options_full]
    raise TypeError(f"no rule for the values of a {type(control).__name__}.")


def sweep(explorer: Explorer) -> list[str]:
    """What goes wrong while each control takes each of its values, and all of them their ends.

    Each control moves alone, the others at their first setting; then come all combinations of the
    lowest and highest values. Figures are made for every value, and painted at the ends: painting
    takes as long as all the rest, and what it paints are the same axes with other numbers.
    """
    start = [control.value for control in explorer.controls]
    problems = _scene_problems(explorer, "as it starts", thorough=True)
    for settings, at_an_end in _settings(explorer.controls):
        with nullcontext() if at_an_end else mock.patch.object(drawing, "png", _unpainted):
            problems += _moved_problems(explorer, settings)
        if len(problems) > 20:
            break
    _move(explorer.controls, start)
    return problems


def label_problems(explorer: Explorer) -> list[str]:
    """Controls that speak one language only."""
    problems = []
    for widget in _descendants(explorer.widget):
        texts = [getattr(widget, "description", ""), getattr(widget, "tooltip", None) or ""]
        if isinstance(widget, (ipywidgets.HTML, ipywidgets.Label)):
            texts.append(widget.value)
        for text in texts:
            problems += [f"{text!r}: {problem}" for problem in html_problems(text)]
        for label, _ in getattr(widget, "_options_full", ()):
            if words(label) and halves_of_line(label) is None:
                problems.append(f"an option in one language only: {label!r}")
    return problems


def _unpainted(figure: object, **options: object) -> bytes:
    return b""


def _settings(controls: Sequence) -> Iterator[tuple[list, bool]]:
    """Values for all controls, and whether all those that move are at an end of their range."""
    start = [control.value for control in controls]
    ranges = [values_of(control) for control in controls]
    for place, values in enumerate(ranges):
        for value in values:
            at_an_end = value in (values[0], values[-1])
            yield [*start[:place], value, *start[place + 1 :]], at_an_end
    for corner in product(*(dict.fromkeys((values[0], values[-1])) for values in ranges[:-1])):
        # The position's range follows the others, so its ends are known once they are set.
        yield [*corner, FIRST], True
        yield [*corner, LAST], True


def _moved_problems(explorer: Explorer, settings: list) -> list[str]:
    where = "at " + ", ".join(map(str, settings))
    before = explorer.scene
    try:
        _move(explorer.controls, settings)
    except Exception as error:
        return [f"{where}: {type(error).__name__}: {error}"]
    if explorer.scene is before and explorer.position.value < len(before.readouts):
        return []
    return _scene_problems(explorer, where)


def _move(controls: Sequence, settings: list) -> None:
    *parameters, position = controls
    for control, value in zip(parameters, settings[:-1], strict=True):
        control.value = value
    ends = {FIRST: position.min, LAST: position.max}
    position.value = ends.get(settings[-1], settings[-1])


def _scene_problems(explorer: Explorer, where: str, *, thorough: bool = False) -> list[str]:
    scene = explorer.scene
    n_positions = explorer.position.max + 1
    problems = []
    if len(scene.readouts) != n_positions:
        problems.append(f"{len(scene.readouts)} read-outs for {n_positions} positions")
    n_offsets = explorer.offset.max + 1 if explorer.offset is not None else 0
    if len(scene.offset_readouts) != n_offsets:
        problems.append(f"{len(scene.offset_readouts)} read-outs for {n_offsets} offsets")
    notes = [] if scene.note is None else [scene.note]
    texts = [scene.alt, *scene.readouts, *scene.offset_readouts, *notes]
    if not all(text.en.strip() and text.es.strip() for text in texts):
        problems.append("an empty text")
    judged = texts if thorough else [scene.alt, scene.readouts[0], scene.readouts[-1]]
    for text in judged:
        problems += compare(text.as_dict())
    for marks in scene.marks:
        n_places = n_positions + (n_offsets - 1 if marks.follows == "moved" else 0)
        if marks.geometry.ndim != 3 or marks.geometry.shape[::2] != (n_places, 4):
            problems.append(f"marks of shape {marks.geometry.shape} for {n_places} places")
        if not np.isfinite(marks.geometry).all():
            problems.append("marks that are not finite")
    if len(explorer.view.scene.get("readouts", ())) != len(scene.readouts):
        problems.append("the browser was sent another scene")
    picture = explorer.view.scene.get("picture")
    if picture and touches_an_edge(picture):
        problems.append("a picture that is cut off at its edge")
    return [f"{where}: {problem}" for problem in problems]


def _descendants(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _descendants(child)
