"""The checks of explorers find each kind of broken scene."""

from collections.abc import Callable

import ipywidgets
import numpy as np
import pytest
from checks.controls import label_problems, scene_problems, sweep
from checks.samples import everywhere, text

from course_utils.explorers import Explorer
from course_utils.pictures.scenes import (
    Axis,
    Box,
    Cursor,
    Curve,
    Dots,
    Hands,
    Labels,
    Panel,
    Readout,
    Scene,
)


def panel(**changes: object) -> Panel:
    axis = Axis(low=0, high=6)
    return Panel(
        **{"box": Box(top=20, bottom=20, before=20, after=20), "x": axis, "y": axis} | changes
    )


def small_scene(size: int, **changes: object) -> Scene:
    places = np.arange(size)
    parts = {
        "height": 60,
        "panels": (panel(moving=(Dots(x=places, y=places),), layers=(Curve(places, places),)),),
        "alt": text("{size} rows.", "{size} filas.").format(size=size),
        "readouts": (Readout(text("Row {i}.", "Fila {i}."), {"i": places.tolist()}),),
        "n_positions": size,
    }
    return Scene(**parts | changes)


def small_explorer(scene: Callable[[int], Scene], **more: ipywidgets.ValueWidget) -> Explorer:
    def named(english: str, spanish: str) -> dict[str, str]:
        return {"description": text(english, spanish).inline()}

    return Explorer(
        scene,
        {"title": text("What is it?", "¿Qué es?"), "caption": text("Look.", "Mira.")},
        parameters={"size": ipywidgets.IntSlider(3, 2, 6, **named("size", "tamaño")), **more},
        position=ipywidgets.IntSlider(1, 0, 2, **named("position", "posición")),
        offset=ipywidgets.IntSlider(0, 0, 0, **named("offset", "desplazamiento")),
    )


def with_moving(*moving: object) -> dict[str, object]:
    return {"panels": (panel(moving=moving),)}


def with_layers(*layers: object) -> dict[str, object]:
    return {"panels": (panel(layers=layers),)}


FIVE, SIX = np.arange(5.0), np.arange(6.0)
OFF, INFINITE = np.array([0, 1, 2, 3, 4, 7.0]), np.array([0, 1, 2, 3, 4, np.inf])
FAULTS: dict[str, tuple[dict[str, object], str]] = {
    "an alt text whose languages differ": (
        {"alt": text("6 rows.", "5 filas.")},
        "numbers differ",
    ),
    "a read-out with too few values": (
        {"readouts": (Readout(everywhere("{i}"), {"i": [1] * 7}),)},
        "7 values for 6 places",
    ),
    "too few marks": (with_moving(Cursor(x=FIVE)), "Cursor has 5 places"),
    "a layer that is not finite": (with_moving(Hands(x=INFINITE, y=SIX)), "Hands is not finite"),
    "a dot outside": (with_moving(Dots(x=OFF, y=SIX)), "Dots leaves the x axis: 7.0"),
    "an axis without extent": ({"panels": (panel(x=Axis(low=2, high=2)),)}, "without extent"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_scene_is_found(fault):
    changes, complaint = FAULTS[fault]
    problems = scene_problems(small_scene(6, **changes))
    assert any(complaint in problem for problem in problems), problems


def test_a_healthy_explorer_survives_the_sweep():
    explorer = small_explorer(small_scene)
    assert sweep(explorer) == [] == label_problems(explorer)
    assert [control.value for control in explorer.controls] == [3, 0, 1]


def test_the_sweep_finds_a_scene_broken_at_one_end_of_a_slider():
    def over_the_edge_at_the_end(size: int) -> Scene:
        label = Labels(x=(6.0,), y=(3.0,), texts=("over the edge" if size == 6 else "",))
        return small_scene(size, **with_layers(label))

    problems = sweep(small_explorer(over_the_edge_at_the_end))
    assert any("cut off at its edge" in problem for problem in problems), problems


def test_a_control_in_one_language_is_found():
    control = ipywidgets.Dropdown(options=[("grid", 1)])
    explorer = small_explorer(lambda size, more: small_scene(size), more=control)
    assert label_problems(explorer) != []
