"""Movement of every control in an explorer over its complete range."""

import io
from collections.abc import Iterator
from itertools import product

import numpy as np

from course_utils.explorers import Explorer
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


def sweep(explorer: Explorer) -> list[str]:
    """Return the errors that occur while the controls of an explorer are moved.

    Each parameter is moved separately, with the others at their initial values. Then all
    combinations of the lowest and highest values are tested. A scene is computed for every setting.
    Texts are read and pictures are drawn only if all parameters have their lowest or highest
    values, because the lessons store the initial state. Scenes are not computed in advance, which a
    separate test covers.
    """
    explorer.prefetched = False
    start = explorer.values
    ranges = {name: [*control.stops] for name, control in explorer.parameters.items()}
    alone = [start | {name: value} for name, values in ranges.items() for value in values]
    corners = [*product(*((values[0], values[-1]) for values in ranges.values()))]
    problems = []
    for setting in dict.fromkeys([*(tuple(each.values()) for each in alone), *corners]):
        explorer.apply(dict(zip(ranges, setting, strict=True)))
        found = _explorer_problems(explorer, is_read=setting in (corners[0], corners[-1]))
        problems += [f"at {setting}: {problem}" for problem in found]
    return problems


def label_problems(explorer: Explorer) -> list[str]:
    """Return the controls without labels in every language."""
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
    """Return problems in the texts, layers and axes of a scene."""
    problems = compare(scene.alt.as_dict())
    for place in {0, scene.n_positions - 1}:
        for offset in {0, scene.n_offsets - 1}:
            problems += compare(scene.sentence(place, offset).as_dict())
    return problems + _layer_problems(scene)


def _layer_problems(scene: Scene) -> list[str]:
    problems = []
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
        if isinstance(layer, Sentence):  # its words have their own positions
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


def _explorer_problems(explorer: Explorer, is_read: bool) -> list[str]:
    scene = explorer.scene
    problems = scene_problems(scene) if is_read else _layer_problems(scene)
    if explorer.position >= scene.n_positions:
        problems.append(f"position {explorer.position} of {scene.n_positions}")
    offset = explorer.moving.get("offset")
    if offset is not None and offset.high != scene.n_offsets - 1:
        problems.append(f"offsets to {offset.high} for {scene.n_offsets}")
    if explorer.scene_data["alt"] != as_data(scene.alt):
        problems.append("the browser was sent another scene")
    if is_read and not problems:
        picture = io.BytesIO()
        paint(scene, scene.n_positions - 1, scene.n_offsets - 1).savefig(picture)
        if touches_an_edge(picture.getvalue()):
            problems.append("a picture that is cut off at its edge")
    return problems
