"""Moving every control of an explorer over its whole range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import ipywidgets
import numpy as np

from .languages import halves_of_line, words
from .outputs import html_problems
from .parity import compare

__all__ = ["label_problems", "sweep", "values_of"]


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


def sweep(explorer: object) -> list[str]:
    """What goes wrong while each control takes each of its values, and all of them their ends.

    Each control moves alone, the others at their first setting; then come all combinations of the
    lowest and highest values.
    """
    controls = explorer.controls
    start = [control.value for control in controls]
    problems = _scene_problems(explorer, "as it starts", thorough=True)
    for settings in _settings(controls, start):
        problems += _moved_problems(explorer, controls, settings)
        if len(problems) > 20:
            break
    _move(controls, start)
    return problems


def label_problems(explorer: object) -> list[str]:
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


def _settings(controls: Sequence, start: list) -> Iterator[list]:
    for place, control in enumerate(controls):
        for value in values_of(control):
            yield [*start[:place], value, *start[place + 1 :]]
    ends = [dict.fromkeys((values_of(c)[0], values_of(c)[-1])) for c in controls[:-1]]
    for corner in product(*ends):
        # The position's range follows the others, so its ends are known once they are set.
        yield [*corner, "first"]
        yield [*corner, "last"]


def _moved_problems(explorer: object, controls: Sequence, settings: list) -> list[str]:
    shown = ", ".join(map(str, settings))
    try:
        _move(controls, settings)
    except Exception as error:
        return [f"at ({shown}): {type(error).__name__}: {error}"]
    return _scene_problems(explorer, f"at ({shown})")


def _move(controls: Sequence, settings: list) -> None:
    *parameters, position = controls
    for control, value in zip(parameters, settings, strict=False):
        if control.value != value:
            control.value = value
    ends = {"first": position.min, "last": position.max}
    position.value = ends.get(settings[-1], settings[-1])


def _scene_problems(explorer: object, where: str, *, thorough: bool = False) -> list[str]:
    scene = explorer.scene
    n_positions = explorer.position.max + 1
    problems = []
    if len(scene.readouts) != n_positions:
        problems.append(f"{len(scene.readouts)} read-outs for {n_positions} positions")
    texts = [scene.alt, *scene.readouts]
    if not all(text.en.strip() and text.es.strip() for text in texts):
        problems.append("an empty text")
    judged = texts if thorough else [scene.alt, scene.readouts[0], scene.readouts[-1]]
    for text in judged:
        problems += compare(text.as_dict())
    for marks in scene.marks:
        if marks.geometry.ndim != 3 or marks.geometry.shape[::2] != (n_positions, 4):
            problems.append(f"marks of shape {marks.geometry.shape} for {n_positions} positions")
        if not np.isfinite(marks.geometry).all():
            problems.append("marks that are not finite")
    if len(explorer.view.scene.get("readouts", ())) != len(scene.readouts):
        problems.append("the browser was sent another scene")
    return [f"{where}: {problem}" for problem in problems]


def _descendants(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _descendants(child)
