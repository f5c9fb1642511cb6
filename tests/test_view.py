"""The geometry of the view, run by Node, against plain Python; and what both painters share."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from javascript import running
from matplotlib.colors import LinearSegmentedColormap

from course_utils import explorers
from course_utils.pictures import scenes
from course_utils.pictures.scenes import NARROW, RAMPS, WIDTH, Scene
from course_utils.words.text import LANGUAGES

VIEW = Path(explorers.__file__).with_name("view.js")


@pytest.fixture(scope="module")
def in_javascript() -> Iterator[Callable[[str, object], object]]:
    with running(VIEW) as ask:
        yield ask


AXES = [
    {"low": 0, "high": 10, "logarithmic": False},
    {"low": 49.5, "high": -0.5, "logarithmic": False},
    {"low": 1, "high": 10_000, "logarithmic": True},
]


@pytest.mark.parametrize("axis", AXES)
def test_the_ends_of_an_axis_are_the_ends_of_its_box_and_between_them_it_is_even(
    axis, in_javascript
) -> None:
    low, high = axis["low"], axis["high"]
    middle = math.sqrt(low * high) if axis["logarithmic"] else (low + high) / 2
    found = in_javascript(
        "given.values.map(scaleOf(given.axis, 40, 440))",
        {"axis": axis, "values": [low, middle, high]},
    )
    assert found == pytest.approx([40, 240, 440])


@pytest.mark.parametrize("ramp", RAMPS)
def test_the_screen_colours_a_value_as_paper_does(ramp: str, in_javascript) -> None:
    low, high, values = -2.0, 3.0, [-5.0, -2.0, -1.3, 0.0, 0.7, 2.999, 3.0, 8.0]
    colors = in_javascript(
        "[...colorsOf([...given.values, NaN], given.low, given.high, given.ramp)]",
        {"values": values, "low": low, "high": high, "ramp": RAMPS[ramp][0]},
    )
    paper = LinearSegmentedColormap.from_list("ramp", RAMPS[ramp][0], N=4096)
    for number, value in enumerate(values):
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        wanted = [255 * part for part in paper(share)]
        assert colors[4 * number : 4 * number + 4] == pytest.approx(wanted, abs=1)
    assert colors[-4:] == [0, 0, 0, 0]  # what is no number stays empty


def test_a_hand_between_two_positions_keeps_its_length_and_turns_the_short_way(
    in_javascript,
) -> None:
    angles = [0.3, 1.3, 2.9, 3.9]  # the last step crosses the angle at which atan2 jumps
    tips = {"x": [math.cos(a) for a in angles], "y": [math.sin(a) for a in angles]}
    places = [0.0, 0.25, 1.5, 2.5, 3.0]
    found = in_javascript(
        "given.places.map((place) => turning(given.x, given.y, place))", {**tips, "places": places}
    )
    for place, (x, y) in zip(places, found, strict=True):
        below = int(place)
        above = min(below + 1, 3)
        wanted = angles[below] + (place - below) * (angles[above] - angles[below])
        assert (x, y) == pytest.approx((math.cos(wanted), math.sin(wanted)))


def test_the_table_at_an_offset_is_the_one_that_python_has_there(in_javascript) -> None:
    (cells,) = explorers.matrix_explorer().scene.panels[0].moving
    numbers, shape = cells.values.round(6).ravel().tolist(), list(cells.values.shape)
    for place, table in [(0, 0), (5, 5), (6.4, 6), (shape[0] - 1, shape[0] - 1)]:
        found = in_javascript(
            "[...tableAt(new Float32Array(given.numbers), given.shape, given.place)]",
            {"numbers": numbers, "shape": shape, "place": place},
        )
        assert found == pytest.approx(cells.values[table].ravel().tolist(), abs=2e-6)


@given(centres=st.lists(st.floats(-5, 5), min_size=1, max_size=9), value=st.floats(-6, 6))
def test_the_nearest_position_is_the_one_under_the_pointer(
    in_javascript, centres: list, value: float
) -> None:
    found = in_javascript("nearest(given[0], given[1])", [centres, value])
    assert abs(centres[found] - value) == min(abs(each - value) for each in centres)


ALL = [name for name in explorers.__all__ if name != "Explorer"]


@cache
def scene_of(name: str) -> Scene:
    return getattr(explorers, name)().scene


@pytest.mark.parametrize("width", [280, 390, NARROW - 1, NARROW, WIDTH])
@pytest.mark.parametrize("name", ALL)
def test_no_two_panels_lie_over_each_other_at_any_width(
    name: str, width: int, in_javascript
) -> None:
    scene = scene_of(name)
    panels = [
        {"box": vars(panel.box), "dial": panel.dial, "y": scenes.as_data(panel.y)}
        for panel in scene.panels
    ]
    found = in_javascript(
        "layOut(given.scene, given.width, given.narrow)",
        {
            "scene": {"panels": panels, "height": scene.height, "narrow": scene.narrow},
            "width": width,
            "narrow": NARROW,
        },
    )
    boxes = found["boxes"]
    for number, box in enumerate(boxes):
        assert box["width"] >= 8 and box["height"] >= 20
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= found["height"]
        for other in boxes[:number]:
            assert (
                box["x"] >= other["x"] + other["width"]
                or other["x"] >= box["x"] + box["width"]
                or box["y"] >= other["y"] + other["height"]
                or other["y"] >= box["y"] + box["height"]
            )


@pytest.mark.parametrize("name", ALL)
def test_the_screen_says_what_paper_says_at_every_position_and_offset(
    name: str, in_javascript
) -> None:
    scene = scene_of(name)
    places = [(i, 0) for i in range(scene.n_positions)] + [
        (scene.n_positions - 1, k) for k in range(scene.n_offsets)
    ]
    readouts = [
        {**scenes.as_data(each), "where": None if each.where is None else list(each.where)}
        for each in scene.readouts
    ]
    said = in_javascript(
        "given.places.map(([position, offset]) => given.languages.map("
        "(language) => saidAt(given.readouts, {position, offset}, language)))",
        {"readouts": readouts, "places": places, "languages": list(LANGUAGES)},
    )
    for (position, offset), in_each in zip(places, said, strict=True):
        text = scene.said(position, offset)
        assert in_each == [text[language] for language in LANGUAGES]


def test_values_are_escaped_on_the_screen_and_texts_are_not(in_javascript) -> None:
    readout = {"template": {"en": "{a} {b}"}, "values": {"a": "<&>", "b": {"en": "<i>p</i>"}}}
    assert in_javascript("sentence(given, 0, 'en')", readout) == "&#60;&#38;&#62; <i>p</i>"


@pytest.mark.parametrize("axis", AXES)
def test_a_guess_is_the_whole_number_under_the_pointer_and_never_off_the_axis(
    axis, in_javascript
) -> None:
    low, high = axis["low"], axis["high"]
    shares = [-0.3, 0, 0.25, 0.5, 0.9, 1, 1.3]
    found = in_javascript(
        "given.shares.map(share => wholeAt(given.axis, share))", {"axis": axis, "shares": shares}
    )
    first, last = math.ceil(min(low, high)), math.floor(max(low, high))
    for share, whole in zip(shares, found, strict=True):
        logarithmic = axis["logarithmic"]
        value = low * (high / low) ** share if logarithmic else low + (high - low) * share
        assert isinstance(whole, int) and first <= whole <= last
        assert abs(whole - min(last, max(first, value))) <= 0.5
