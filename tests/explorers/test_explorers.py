"""Tests of all explorers over the complete range of every control, and with readers' functions."""

import itertools
import math
import operator
import re
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from checks.controls import label_problems, scene_problems, sweep
from checks.every_explorer import EXPLORERS
from checks.labs import mistakes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.patches import Rectangle

from course_utils import explorers
from course_utils.encodings import binary_encoding, shift_matrix, sinusoidal_encoding
from course_utils.explorers.scene.explorer import STILL
from course_utils.notebook.display import PICTURES
from course_utils.pictures.on_paper import paint
from course_utils.pictures.scenes import COLORS, RAMPS, WIDTH, Cursor, Hands, as_data
from course_utils.words.text import LANGUAGES

NAMES = [f"{name}_explorer" for name in EXPLORERS if name != "own"]


@pytest.mark.parametrize("name", NAMES)
def test_no_control_breaks_explorer_at_any_value(name: str) -> None:
    assert sweep(getattr(explorers, name)()) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_panel_covers_another_on_paper_of_any_width(name: str) -> None:
    for width in (STILL, WIDTH):
        axes = paint(getattr(explorers, name)().scene, width=width).axes
        for one, other in itertools.combinations([each.get_position() for each in axes], 2):
            assert not one.padded(-1e-6).overlaps(other), width


@pytest.mark.parametrize("name", NAMES)
def test_cursor_can_be_dragged_in_one_panel(name: str) -> None:
    panels = getattr(explorers, name)().scene.panels
    if any(isinstance(each, Cursor) for panel in panels for each in panel.moving):
        assert sum(panel.track for panel in panels) == 1


def test_paper_outlines_bits_that_fell_to_0() -> None:
    explorer = explorers.binary_explorer()
    for position, fallen in ((7, 0), (8, 3)):
        bars = paint(explorer.scene, position).axes[1].patches
        outlines = [bar for bar in bars if not bar.get_fill() and bar.get_width() == 1]
        assert len(outlines) == fallen, position


@pytest.mark.parametrize("name", NAMES)
def test_controls_speak_every_language(name: str) -> None:
    assert label_problems(getattr(explorers, name)()) == []


def never_ends(n_positions: int, d_model: int) -> None:
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            pass


WRONG: dict[str, tuple[Callable, str]] = {
    "raises": (lambda n, d: {}["<b>{no}</b>"], "KeyError: &#x27;&lt;b&gt;{no}&lt;/b&gt;"),
    "never ends": (never_ends, "more than 2 seconds"),
    "leaves": (lambda n, d: sys.exit(), "SystemExit"),
    "a column too many": (lambda n, d: np.zeros((n, d + 1)), "should have shape"),
    "rows of different lengths": (lambda n, d: [[0.0], [0.0, 1.0]], "not a table of numbers"),
    "text with HTML": (lambda n, d: "<img src=x onerror=1>", "&#x27;&lt;img src=x"),
    "complex numbers": (lambda n, d: np.ones((n, d)) * 1j, "not a table of numbers"),
    "not a number": (lambda n, d: np.full((n, d), np.nan), "position 0, dimension 0, is nan"),
}
# All these explorers try a function in the same way.
TRIALS = [("sinusoidal", kind) for kind in WRONG]
TRIALS += [(name, "raises") for name in ("binary", "dot_product", "similarity")]


@pytest.mark.parametrize(("name", "kind"), TRIALS)
def test_faulty_function_gets_one_escaped_sentence(name: str, kind: str) -> None:
    function, expected = WRONG[kind]
    explorer = getattr(explorers, f"{name}_explorer")(encoding=function)
    assert scene_problems(explorer.scene) == []
    for language in LANGUAGES:
        sentence = explorer.scene.sentence(explorer.position)[language]
        assert sentence.count(". ") == 0 and sentence.endswith(".")
        assert "<img" not in sentence and "<b>" not in sentence
    assert expected in explorer.scene.sentence(0)["en"]


@pytest.mark.parametrize(
    ("name", "right"),
    [("sinusoidal_explorer", sinusoidal_encoding), ("binary_explorer", binary_encoding)],
)
def test_wrong_function_is_shown_with_its_difference(name, right):
    explorer = getattr(explorers, name)(encoding=right)
    assert "matches the correct table" in explorer.scene.sentence(0)["en"]
    *_, difference, _ = explorer.scene.panels
    assert (difference.layers[0].low, difference.layers[0].high) == (-1, 1)

    def off(n_positions: int, d_model: int) -> np.ndarray:
        table = np.array(right(n_positions, d_model), dtype=float)
        table[7, 3] += 0.125
        return table

    explorer = getattr(explorers, name)(encoding=off)
    assert "0.125, at position 7, dimension 3" in explorer.scene.sentence(0)["en"]
    *_, difference, _ = explorer.scene.panels
    assert np.argwhere(difference.layers[0].values).tolist() == [[3, 7]]


def test_match_is_stated_only_for_tried_sizes() -> None:
    """Grading uses other bases, so the message must not promise that the answer is correct."""
    base_ignored = dict(mistakes("sinusoidal-rows"))["base-ignored"]
    explorer = explorers.sinusoidal_explorer(lambda n, d: base_ignored(np.arange(n), d, 10_000))
    for d_model in (16, 32):
        explorer.apply({"d_model": d_model})
        tried = f"With 50 positions, {d_model} dimensions and base 10000, your table matches"
        assert explorer.scene.sentence(0)["en"].startswith(tried)


@pytest.mark.parametrize("name", ["dot_product_explorer", "similarity_explorer"])
def test_own_encoding_is_first_in_list(name: str) -> None:
    explorer = getattr(explorers, name)(encoding=sinusoidal_encoding)
    own = explorer.scene
    assert explorer.values["encoding"] == "yours"
    explorer.apply({"encoding": "sinusoidal"})
    assert own.sentence(3) == explorer.scene.sentence(3)


def test_dot_product_axes_do_not_move() -> None:
    explorer = explorers.dot_product_explorer("sinusoidal")
    (before,) = explorer.scene.panels
    explorer.apply({"distance": 30})
    (after,) = explorer.scene.panels
    assert (after.x, after.y) == (before.x, before.y)


@pytest.mark.parametrize("positions", [False, True])
def test_weights_follow_words_unless_positions_are_added(positions):
    vocabulary = np.random.default_rng(1).uniform(-1, 1, (4, 8)).tolist()
    waves = sinusoidal_encoding(5, 8).tolist()
    sentences = []
    for swapped, order in ((False, [0, 1, 2, 0, 3]), (True, [0, 3, 2, 0, 1])):
        explorer = explorers.attention_weights_explorer()
        explorer.apply({"swapped": swapped, "positions": positions})
        rows = [
            [word + positions * wave for word, wave in zip(vocabulary[which], at, strict=True)]
            for which, at in zip(order, waves, strict=True)
        ]
        for i, row in enumerate(explorer.scene.panels[0].layers[0].values):
            scores = [sum(map(operator.mul, rows[i], other)) / math.sqrt(8) for other in rows]
            powers = [*map(math.exp, scores)]
            assert row == pytest.approx([power / sum(powers) for power in powers])
        sentences.append(explorer.scene.sentence(0)["en"])
    assert (sentences[0] == sentences[1]) is not positions


def test_flipping_bits_have_another_colour() -> None:
    explorer = explorers.binary_explorer()
    bars = explorer.scene.panels[1].moving[0]
    for i in range(1, explorer.scene.n_positions):
        flipped = [j for j in range(6) if (i >> j & 1) != ((i - 1) >> j & 1)]
        assert np.flatnonzero(bars.changed[i]).tolist() == flipped
        assert f"since position {i - 1}: {len(flipped)}." in explorer.scene.sentence(i)["en"]
    explorer.apply({"d_model": 5})
    assert explorer.scene.n_positions == 50
    assert "32 cannot be written in 5 bits" in explorer.scene.sentence(32)["en"]


def test_flips_of_four_bits_equal_count() -> None:
    explorer = explorers.binary_explorer()
    for n_positions, d_model in itertools.product((8, 9, 128), (3, 4, 7)):
        explorer.apply({"n_positions": n_positions, "d_model": d_model})
        counted = range(1, min(n_positions, 2**d_model))
        first = next((i for i in counted if (i ^ (i - 1)).bit_count() == 4), None)
        expected = "never" if first is None else f"From {first - 1} to {first}"
        assert expected in explorer.scene.guess.truth["en"]


def test_waves_go_from_binary_to_sinusoidal_table() -> None:
    explorer = explorers.wave_explorer()

    def table(step: int) -> np.ndarray:
        explorer.apply({"step": step})
        (ribbons,) = explorer.scene.panels[0].layers
        return ribbons.values[:, np.isin(ribbons.x, range(32))].T

    start, end = table(0), table(explorer.parameters["step"].high)
    assert np.array_equal(start[:, 0::2], binary_encoding(32, 5))
    assert np.isnan(start[:, 1::2]).all()
    np.testing.assert_allclose(end, sinusoidal_encoding(32, 10), rtol=0, atol=1e-15)
    bits = 2 * binary_encoding(32, 5) - 1
    assert (np.sign(table(10)[:, 0::2]) == bits).all()
    halving = [[np.sin(i / 2**k) for k in range(5)] for i in range(32)]
    np.testing.assert_allclose(table(20)[:, 0::2], halving, rtol=0, atol=1e-12)
    between = (0.5 * 10_000**-0.2) ** 0.5  # the geometric mean of both ratios
    slowing = [[np.sin(i * between**k) for k in range(5)] for i in range(32)]
    np.testing.assert_allclose(table(25)[:, 0::2], slowing, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table(30)[:, 0::2], end[:, 0::2], rtol=0, atol=1e-15)


@pytest.mark.parametrize("base", [2, 10_000])
def test_helix_rod_has_stated_length(base: int) -> None:
    explorer = explorers.helix_explorer()
    explorer.apply({"base": base})
    for steps in range(explorer.scene.n_offsets):
        lengths = []
        for i in range(explorer.scene.n_positions):
            rows = [
                [f(p * w) for w in (1, base**-0.5) for f in (math.sin, math.cos)]
                for p in (i, i + steps)
            ]
            lengths.append((math.dist(*rows), math.dist(rows[0][:3], rows[1][:3])))
        whole, drawn = zip(*lengths, strict=True)
        assert max(whole) - min(whole) < 1e-12
        sentence = explorer.scene.sentence(0, steps)["en"]
        assert f"all four numbers of each row, its length is {whole[0]:.3f}," in sentence
        low, high = f"{min(drawn):.3f}", f"{max(drawn):.3f}"
        assert (f"its length ranges from {low} to {high}" in sentence) == (low != high)


def test_clocks_draw_table_columns() -> None:
    scene = explorers.hand_explorer().scene
    *dials, drawn, _ = scene.panels
    (table, _) = drawn.moving
    for pair, dial in enumerate(dials):
        hand = dial.moving[0]
        assert np.array_equal(table.values[2 * pair], hand.x)
        assert np.array_equal(table.values[2 * pair + 1], hand.y)


def test_every_clock_turns_clockwise_from_twelve() -> None:
    for name in ("clock", "shift", "rope", "hand"):
        for dial in getattr(explorers, f"{name}_explorer")().scene.panels:
            for hand in [each for each in dial.moving if isinstance(each, Hands)]:
                turns = hand.x[1:] * hand.y[:-1] - hand.y[1:] * hand.x[:-1]
                assert (turns > 0).all(), name
                assert name == "rope" or (hand.x[0], hand.y[0]) == (0, 1)  # RoPE shows arrows


@pytest.mark.parametrize("base", [2, 10_000])
def test_matrix_maps_row_to_shifted_row(base: int) -> None:
    explorer = explorers.matrix_explorer()
    explorer.apply({"base": base})
    heat, here, moved, _ = explorer.scene.panels
    (matrices,), (rows,), (rows_moved,) = heat.moving, here.moving, moved.moving
    for offset in range(explorer.scene.n_offsets):
        assert np.array_equal(matrices.values[offset], shift_matrix(offset, 8, base=base))
        ahead = rows_moved.values[offset : offset + explorer.scene.n_positions]
        turned = rows.values @ matrices.values[offset].T
        np.testing.assert_allclose(turned, ahead, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_waves", [0, 5, 16])
def test_bump_is_sum_of_its_slowest_waves(n_waves: int) -> None:
    explorer = explorers.bump_explorer()
    explorer.apply({"n_waves": n_waves})
    curve = explorer.scene.panels[-1].layers[-1].y
    columns = sinusoidal_encoding(64, 32)[:, 32 - 2 * n_waves :]
    np.testing.assert_allclose(curve, columns @ columns[20] / 16, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "ahead"), [(8, 9, 10), (7, 9, 11), (2, 1, 0), (2, 0, None), (38, 39, None)]
)
def test_next_step_is_prefetched(old, new, ahead):
    view = explorers.two_lengths_explorer()
    for place in (old, new):
        view.next_scene = {}
        view.at = [4, place]
    sent = view.next_scene
    if ahead is None:
        assert sent == {}
    else:
        view.at = [4, ahead]
        assert sent == view.scene_data


def test_reader_function_is_called_only_as_shown() -> None:
    calls = []

    def encoding(n_positions: int, d_model: int) -> np.ndarray:
        calls.append((n_positions, d_model))
        return sinusoidal_encoding(n_positions, d_model)

    explorer = explorers.sinusoidal_explorer(encoding)
    explorer.apply({"n_positions": explorer.values["n_positions"] + 1})
    explorer.apply({"n_positions": explorer.values["n_positions"] + 1})
    assert len(calls) == len(set(calls)) == 3


def luminance(color) -> float:
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in color[:3]]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


@pytest.mark.parametrize("dark", [0, 1])
def test_attention_numbers_are_legible_on_every_cell(dark: int) -> None:
    explorer = explorers.attention_weights_explorer()
    for swapped, positions in itertools.product([False, True], repeat=2):
        explorer.apply({"swapped": swapped, "positions": positions})
        cells, numbers, *_ = explorer.scene.panels[0].layers
        colors = numbers.colors or ("ink",) * cells.values.size
        ramp = LinearSegmentedColormap.from_list("ramp", RAMPS[cells.ramp][dark])
        for value, color in zip(cells.values.flat, colors, strict=True):
            on = luminance(ramp((value - cells.low) / (cells.high - cells.low)))
            ink = luminance(to_rgb(COLORS[color][dark]))
            assert (max(on, ink) + 0.05) / (min(on, ink) + 0.05) >= 4.5


def test_frame_marks_row_of_query() -> None:
    for explorer in (explorers.look_back_explorer(), explorers.attention_weights_explorer()):
        heat = paint(explorer.scene, position=3).axes[0]
        (frame,) = (each for each in heat.patches if isinstance(each, Rectangle))
        assert (frame.get_y(), frame.get_height()) == (2.5, 1)
        assert frame.get_width() == heat.get_xlim()[1] - heat.get_xlim()[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_have_at_most_fifty_words(language: str) -> None:
    built = {name: each.function() for name, each in explorers.REGISTERED.items()}
    texts = {name: getattr(each, "texts", None) or each.words for name, each in built.items()}
    texts |= PICTURES
    captions = {name: each["caption"] for name, each in texts.items() if "caption" in each}
    assert len(captions) >= len(built) - 1  # the animation has chapters instead
    for name, caption in captions.items():
        n_words = len(re.sub("<[^>]+>", "", as_data(caption)[language]).split())
        assert n_words <= 50, f"{name}: shorten the caption in {language}; it has {n_words} words"
