"""Moving every control of an explorer over its whole range."""

from collections.abc import Iterator, Sequence
from itertools import product

import ipywidgets
import numpy as np

from course_utils.explorers import Explorer
from course_utils.notebook.display import png
from course_utils.pictures.on_paper import paint
from course_utils.pictures.scenes import (
    Curve,
    Dots,
    Drawn,
    Map,
    Panel,
    Points,
    Readout,
    Scene,
    Sentence,
    as_data,
)

from .languages import words
from .outputs import html_problems
from .parity import compare
from .pictures import touches_an_edge

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
    lowest and highest values. Scenes are made for every value, and painted at the ends. None is
    made ahead, which has a test of its own.
    """
    explorer.prefetched = False
    start = [control.value for control in explorer.controls]
    problems = _explorer_problems(explorer, "as it starts", at_an_end=True)
    for settings, at_an_end in _settings(explorer.controls):
        problems += _moved_problems(explorer, settings, at_an_end)
        if len(problems) > 20:
            break
    _move(explorer.controls, start)
    return problems


def label_problems(explorer: Explorer) -> list[str]:
    """Controls that do not speak every language."""
    problems = []
    described = explorer.described()
    for control in [*described["controls"], *described["moving"].values()]:
        label = control["label"]
        problems += [f"{label!r}: {problem}" for problem in html_problems(label)]
        for name in control.get("names", ()):
            if isinstance(name, str) and words(name):
                problems.append(f"an option that is not in every language: {name!r}")
    return problems


def scene_problems(scene: Scene) -> list[str]:
    """What is wrong with a scene in itself: its words, its layers, what lies outside its axes."""
    problems = compare(scene.alt.as_dict())
    for place in {0, scene.n_positions - 1}:
        for offset in {0, scene.n_offsets - 1}:
            problems += compare(scene.said(place, offset).as_dict())
    for readout in scene.readouts:
        problems += _readout_problems(readout, scene)
    for number, panel in enumerate(scene.panels):
        problems += [f"panel {number}: {problem}" for problem in _panel_problems(panel, scene)]
    return problems


def _readout_problems(readout: Readout, scene: Scene) -> Iterator[str]:
    count = scene.n_positions if readout.follows == "position" else scene.n_offsets
    lists = [value for value in readout.values.values() if isinstance(value, list)]
    for values in [*lists, *([] if readout.where is None else [readout.where])]:
        if len(values) != count:
            yield f"{len(values)} values for {count} places of {readout.template!r}"


def _panel_problems(panel: Panel, scene: Scene) -> Iterator[str]:
    for axis in (panel.x, panel.y):
        if axis.low == axis.high:
            yield "an axis without extent"
    for layer in panel.layers:
        if isinstance(layer, (Curve, Points)):
            yield from _outside(panel, layer)
        elif isinstance(layer, Map) and not layer.low < layer.high:
            yield "a map without a scale"
    for layer in panel.moving:
        places = {
            "position": scene.n_positions,
            "moved": scene.n_positions + scene.n_offsets - 1,
            "offset": scene.n_offsets,
        }[layer.follows]
        if isinstance(layer, Sentence):  # its words are at places of their own
            continue
        arrays = [value for value in vars(layer).values() if isinstance(value, np.ndarray)]
        arrays = [value.T if isinstance(layer, Drawn) else value for value in arrays]
        for array in arrays:
            if len(array) != places:
                yield f"{type(layer).__name__} has {len(array)} places"
            if not isinstance(layer, Dots) and np.isinf(array).any():
                yield f"{type(layer).__name__} is not finite"
        if isinstance(layer, Dots):
            yield from _outside(panel, layer)


def _outside(panel: Panel, layer: Curve | Points | Dots) -> Iterator[str]:
    for name, values, axis in (("x", layer.x, panel.x), ("y", layer.y, panel.y)):
        low, high = sorted((axis.low, axis.high))
        inside = (values >= low - 1e-9) & (values <= high + 1e-9) | np.isnan(values)
        if not inside.all():
            yield f"{type(layer).__name__} leaves the {name} axis: {values[~inside][0]}"


def _settings(controls: Sequence) -> Iterator[tuple[list, bool]]:
    """Values for all controls, and whether they are at ends that are worth a picture."""
    start = [control.value for control in controls]
    ranges = [values_of(control) for control in controls]
    for place, values in enumerate(ranges):
        for value in values:
            at_an_end = value in (values[0], values[-1])
            yield [*start[:place], value, *start[place + 1 :]], at_an_end
    for corner in product(*(dict.fromkeys((values[0], values[-1])) for values in ranges[:-1])):
        # The position's range follows the others, so its ends are known once they are set.
        yield [*corner, FIRST], False
        yield [*corner, LAST], True


def _moved_problems(explorer: Explorer, settings: list, at_an_end: bool) -> list[str]:
    where = "at " + ", ".join(map(str, settings))
    before = explorer.scene
    try:
        _move(explorer.controls, settings)
    except Exception as error:
        return [f"{where}: {type(error).__name__}: {error}"]
    if explorer.scene is before and explorer.position.value < before.n_positions:
        return []
    return _explorer_problems(explorer, where, at_an_end)


def _move(controls: Sequence, settings: list) -> None:
    *parameters, position = controls
    for control, value in zip(parameters, settings[:-1], strict=True):
        control.value = value
    ends = {FIRST: position.min, LAST: position.max}
    position.value = ends.get(settings[-1], settings[-1])


def _explorer_problems(explorer: Explorer, where: str, at_an_end: bool) -> list[str]:
    scene = explorer.scene
    problems = scene_problems(scene)
    if explorer.position.max != scene.n_positions - 1:
        problems.append(f"positions to {explorer.position.max} for {scene.n_positions}")
    if explorer.offset is not None and explorer.offset.max != scene.n_offsets - 1:
        problems.append(f"offsets to {explorer.offset.max} for {scene.n_offsets}")
    if explorer.view.scene["alt"] != as_data(scene.alt):
        problems.append("the browser was sent another scene")
    if at_an_end:
        offset = 0 if explorer.offset is None else explorer.offset.value
        if touches_an_edge(png(paint(scene, explorer.position.value, offset))):
            problems.append("a picture that is cut off at its edge")
    return [f"{where}: {problem}" for problem in problems]
