"""Comparison of the view's geometry, computed by Node, with plain Python."""

import itertools
import math

import numpy as np
import pytest
from checks.every_explorer import EXPLORERS, in_python
from checks.javascript import exports, in_node
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.transforms import Bbox

from course_utils import explorers, self_attention, sinusoidal_encoding
from course_utils.explorers.base import FOLDER
from course_utils.pictures import on_paper, scenes
from course_utils.pictures.scenes import NARROW, RAMPS, WIDTH
from course_utils.words.text import LANGUAGES

in_javascript = in_node(
    exports(
        *(f"scene/js/{each.name}" for each in sorted((FOLDER / "scene" / "js").glob("*.js"))),
        "shared/ramps.js",
    )
)


@pytest.mark.parametrize(("low", "high"), [(0, 10), (49.5, -0.5)])
def test_axis_fills_its_box(low, high, in_javascript) -> None:
    given = {"axis": {"low": low, "high": high}, "values": [low, (low + high) / 2, high]}
    scaled = in_javascript("given.values.map(scaleOf(given.axis, 40, 440))", given)
    assert scaled == pytest.approx([40, 240, 440])

    first, last = math.ceil(min(low, high)), math.floor(max(low, high))
    for share in (-0.3, 0, 0.27, 0.5, 0.9, 1, 1.3):  # also beyond both ends
        whole = in_javascript("wholeAt(given.axis, given.share)", given | {"share": share})
        assert isinstance(whole, int) and first <= whole <= last
        assert abs(whole - min(last, max(first, low + (high - low) * share))) <= 0.5


@pytest.mark.parametrize("ramp", RAMPS)
def test_screen_colours_match_paper(ramp: str, in_javascript) -> None:
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
    assert colors[-4:] == [0, 0, 0, 0]  # NaN stays transparent


def test_hand_between_positions_keeps_its_length(in_javascript):
    angles = [0.3, 1.3, 2.9, 3.9]  # the last step crosses the angle at which atan2 jumps
    tips = [math.cos(a) for a in angles], [math.sin(a) for a in angles]
    for place in (0.0, 0.25, 1.5, 2.5, 3.0):
        wanted = np.interp(place, range(4), angles)
        found = in_javascript("turning(...given)", [*tips, place])
        assert found == pytest.approx([math.cos(wanted), math.sin(wanted)])


def test_javascript_tables_equal_python(in_javascript) -> None:
    (cells,) = explorers.matrix_explorer().scene.panels[0].moving
    for place in (0, 5, 6.4, len(cells.values) - 1):
        given = scenes.as_data(cells.values) | {"place": place}
        found = in_javascript("[...tableAt(given.numbers, given.shape, given.place)]", given)
        below, above = cells.values[int(place)], cells.values[math.ceil(place)]
        wanted = below + (place - int(place)) * (above - below)
        assert found == pytest.approx(wanted.ravel().tolist(), abs=2e-6)


def test_pointer_is_between_neighbouring_positions(in_javascript) -> None:
    for pixels in ([30.0], [-5 + 2 * i for i in range(9)], [400 - 14.5 * i for i in range(90)]):
        last = len(pixels) - 1
        for share in (-0.5, 0, 0.3, 0.77, 1, 1.5):
            pointer = pixels[0] + share * (pixels[last] - pixels[0])
            found = in_javascript("placeAlong(given[0], given[1])", [pixels, pointer])
            assert found == pytest.approx(min(1, max(0, share)) * last, abs=1e-6)


OF_THE_COURSE = [name for name in EXPLORERS if name != "own"]

# Width of the window, maximum height of a picture, and minimum height of a panel.
SCREENS = [(280, 2000, 20), (390, 272, 16), (NARROW - 1, 352, 20), (WIDTH, 352, 20)]


@pytest.mark.parametrize("name", OF_THE_COURSE)
def test_panels_never_overlap_at_any_width(name: str, in_javascript) -> None:
    scene = in_python(name).scene
    panels = [
        {"box": vars(panel.box), "dial": panel.dial, "y": scenes.as_data(panel.y)}
        for panel in scene.panels
    ]
    given = {
        "scene": {"panels": panels, "height": scene.height, "narrow": scene.narrow},
        "page": {"narrow": NARROW, "drawnFor": WIDTH},
    }
    for width, most, lowest in SCREENS:
        found = in_javascript(
            "layOut(given.scene, given.width, given.page, given.most)",
            given | {"width": width, "most": most},
        )
        assert found["height"] <= most + 1e-6
        places = [[each[side] for side in ("x", "y", "width", "height")] for each in found["boxes"]]
        boxes = [Bbox.from_bounds(*place) for place in places]
        for box in boxes:
            assert box.width >= 8 and box.height >= lowest
            assert 0 <= box.x0 and box.x1 <= width and 0 <= box.y0 and box.y1 <= found["height"]
        for one, other in itertools.combinations(boxes, 2):
            assert not one.padded(-1e-6).overlaps(other), width


@pytest.mark.parametrize("name", OF_THE_COURSE)
def test_screen_texts_equal_paper_texts(name, in_javascript):
    scene = in_python(name).scene
    last = scene.n_positions - 1
    places = [(i, 0) for i in range(last)] + [(last, k) for k in range(scene.n_offsets)]
    readouts = [
        {**scenes.as_data(each), "where": None if each.where is None else list(each.where)}
        for each in scene.readouts
    ]
    for language in LANGUAGES:
        sentences = in_javascript(
            "given.places.map(([position, offset]) =>"
            "sentencesAt(given.readouts, { position, offset }, given.language))",
            {"readouts": readouts, "places": places, "language": language},
        )
        assert sentences == [scene.sentence(*place)[language] for place in places]


def test_values_but_not_texts_are_escaped(in_javascript) -> None:
    readout = {"template": {"en": "{a} {b}"}, "values": {"a": "<&>", "b": {"en": "<i>p</i>"}}}
    assert in_javascript("sentence(given, 0, 'en')", readout) == "&#60;&#38;&#62; <i>p</i>"


@pytest.mark.parametrize("positions", [False, True])
def test_word_order_in_javascript_equals_python(positions, in_javascript):
    (layer,) = explorers.word_order_explorer().scene.panels[0].moving
    added = sinusoidal_encoding(8, 8) * positions
    first = self_attention(layer.vectors + added[:5])
    tables = scenes.as_data({"vectors": layer.vectors, "positions": added})
    for order in itertools.islice(itertools.permutations(range(5)), 0, 120, 17):
        given = {"scene": {"words": [1, 2, 3, 4, 5], **tables}, "order": order}
        found = in_javascript("sentenceNow(given.scene, { order: given.order })", given)
        after = self_attention(layer.vectors[list(order)] + added[:5])
        for word in range(5):
            place = order.index(word)
            assert found["places"][word] == place
            assert found["out"][word] == pytest.approx(after[place].tolist(), abs=1e-5)
            change = np.linalg.norm(after[place] - first[word])
            assert found["changes"][word] == pytest.approx(change, abs=1e-5)
        assert np.sum(found["weights"], axis=1) == pytest.approx(np.ones(5))


def test_swapped_words_move_without_meeting(in_javascript) -> None:
    both_ways = "[arc([0, 50], [300, 50], share), arc([300, 50], [0, 50], share)]"
    shares = [share / 20 for share in range(21)]
    found = in_javascript(f"given.map((share) => {both_ways})", shares)
    ends = [[[0, 50], [300, 50]], [[300, 50], [0, 50]]]
    np.testing.assert_allclose([found[0], found[-1]], ends, atol=1e-9)
    assert min(math.dist(one, other) for one, other in found) > 40  # more than two lines of text


def test_each_typed_word_has_its_own_vector(in_javascript) -> None:
    found = in_javascript(
        "given.map((text) => wordsIn(text).map((word) => wordVector(word, 8)))",
        ["The cat saw the dog", "the", "el año, ¿el ano?", "a b c d e f g h i j"],
    )
    the, cat, saw, again, dog = found[0]
    assert the == again == found[1][0]
    assert len({tuple(word) for word in (the, cat, saw, dog)}) == 4
    assert all(-1 <= value <= 1 for word in found[0] for value in word)
    assert len(found[2]) == 4 and found[2][0] == found[2][2] and found[2][1] != found[2][3]
    assert len(found[3]) == 8


def test_moved_word_shifts_others(in_javascript) -> None:
    order = [3, 0, 5, 1, 4, 2]
    for word, place in itertools.product(range(6), repeat=2):
        found = in_javascript("movedTo(...given)", [order, word, place])
        assert found.index(word) == place
        assert [each for each in found if each != word] == [each for each in order if each != word]


def test_dragged_hand_follows_pointer(in_javascript):
    for step in (1.0, 0.001):
        for near, target in [(10, 11), (10, 8.75), (30, 32.25), (0, 0)]:
            angle = math.remainder(target * step, math.tau)
            given = [[i * step for i in range(64)], angle, near]
            assert in_javascript("placeOfHand(...given)", given) == pytest.approx(target, abs=1e-6)


def test_dragged_hand_may_turn_unevenly_or_backwards(in_javascript):
    angles = [0.3 * n + 0.2 * math.sin(n / 5) for n in range(64)]
    for sign, near, target in [(1, 10, 17), (1, 40, 33), (-1, 10, 17), (1, 62, 63), (-1, 30, 30)]:
        turned = [sign * math.remainder(each, math.tau) for each in angles]
        found = in_javascript("placeOfHand(...given)", [turned, turned[target], near])
        assert found == pytest.approx(target, abs=1e-6)
    still = [[0.5] * 8, 1.0, 3]
    assert in_javascript("placeOfHand(...given)", still) in (0, 7)


def test_projection_on_screen_matches_paper(in_javascript) -> None:
    points = np.random.default_rng(0).normal(size=(7, 3))
    given = scenes.as_data([points, scenes.TURN, {"width": 500, "height": 300}])
    found = in_javascript("seen(...given)", given)
    on_screen = np.array(found) * (1, -1, 1)
    np.testing.assert_allclose(on_screen, on_paper.seen(points, 500, 300), rtol=0, atol=1e-4)


SHOWN = """(({ panels: [heat, bars] }) => [heat.layers[0], bars.moving[0]]
    .map(({ values: { shape, numbers } }) => [shape, [...numbers]]))(withTables(given))"""


def test_table_of_two_panels_is_sent_once(in_javascript) -> None:
    made = explorers.sinusoidal_explorer()
    sent, (heat, bars, *_) = made.scene_data["panels"], made.scene.panels
    assert sent[0]["layers"][0]["values"]["table"] == sent[1]["moving"][0]["values"]["table"] == 0
    found = in_javascript(SHOWN, made.scene_data)
    for (shape, numbers), layer in zip(found, (*heat.layers, *bars.moving), strict=True):
        np.testing.assert_allclose(np.reshape(numbers, shape), layer.values, atol=1e-6)


CHANGES = {
    "matrix": {"base": 100},
    "sinusoidal": {"n_positions": 80, "base": 100},
    "wave": {"step": 7},
}
ON_ITS_WAY = """(() => {
  const [from, to] = given.scenes.map(withTables);
  const seen = ({ panels }) => panels.map(({ x, y, layers, moving }) => [
    x.low, x.high, y.low, y.high,
    [...layers, ...moving].map((layer) => Object.values(layer)
      .filter((value) => value?.numbers).map(({ numbers }) => [...numbers])),
  ]);
  const steady = steadyParts(from, to);
  const at = (share) => seen(sceneBetween({ from, to, steady }, share));
  return [seen(from), ...given.shares.map(at), seen(to)];
})()"""


def flat(found: object) -> list[float]:
    if isinstance(found, list):
        return [number for each in found for number in flat(each)]
    return [math.nan if found is None else found]


@pytest.mark.parametrize("name", CHANGES)
def test_moving_scene_is_between_its_ends(name: str, in_javascript) -> None:
    made = getattr(explorers, f"{name}_explorer")()
    values = made.values
    both = [made.scene_for(**values), made.scene_for(**values | CHANGES[name])]
    given = {"scenes": scenes.as_data(both), "shares": [0.1 * i for i in range(1, 11)]}
    start, *steps, end = (np.array(flat(each)) for each in in_javascript(ON_ITS_WAY, given))
    np.testing.assert_array_equal(steps[-1], end)
    for before, after in itertools.pairwise(steps):
        assert before.shape == after.shape and not np.array_equal(before, after, equal_nan=True)
        assert np.nanmax(np.abs(after - before)) <= 0.3 * max(1, np.nanmax(np.abs(end)))
    if start.shape == end.shape:
        furthest = np.nanmax(np.abs(steps[0] - start)[np.isfinite(start) & np.isfinite(end)])
        assert furthest <= 0.35 * max(1, np.nanmax(np.abs(end)))


def test_hands_keep_length_between_scenes(in_javascript) -> None:
    def with_hand_at(angle: float) -> dict[str, object]:
        hand, axis = scenes.Hands(x=np.sin([angle]), y=np.cos([angle])), {"low": 0, "high": 1}
        dial = {"dial": True, "x": axis, "y": axis, "layers": [], "moving": [hand]}
        return scenes.as_data({"tables": [], "panels": [dial]})

    both = [with_hand_at(0.3), with_hand_at(1.9)]
    _, half_way, _ = in_javascript(ON_ITS_WAY, {"scenes": both, "shares": [0.5]})
    assert flat(half_way)[-2:] == pytest.approx([math.sin(1.1), math.cos(1.1)], abs=1e-6)
