"""The clocks and the ruler of the model that reads: what they send, say, store and refuse."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from checks.javascript import running

from course_utils.explorers.asking import SHARED
from course_utils.explorers.explorer import script
from course_utils.explorers.ruler import ruler_explorer
from course_utils.explorers.which_clock import which_clock_explorer
from course_utils.pictures.reading_pictures import places_in_rows
from course_utils.text_model import TRAINED_LENGTH, read
from course_utils.words.text import SHOWN

OWN = "The cat that lived by the river went down to the water every morning to see the fish."


@pytest.fixture(scope="module")
def clocks_view() -> Iterator[Callable[[str, object], object]]:
    with running(script((*SHARED, "which_clock.js"))) as ask:
        yield ask


@pytest.fixture(scope="module")
def ruler_view() -> Iterator[Callable[[str, object], object]]:
    with running(script((*SHARED, "ruler.js"))) as ask:
        yield ask


# Clocks. ------------------------------------------------------------------------------------------


def test_a_clock_is_held_from_the_character_that_is_asked_for() -> None:
    held = {"held": [0, 4, 7], "limit": 20}
    asked = {"text": OWN, "encoding": "rope", "stretch": None, "window": None, **held}
    bits = np.frombuffer(which_clock_explorer().answered(asked)["buffers"][0], "<f4")
    np.testing.assert_allclose(bits, read(OWN, "rope", **held).bits, rtol=1e-6)


def test_what_each_clock_does_alone_is_measured_and_not_told_beside_the_question() -> None:
    explorer = which_clock_explorer()
    shown = explorer.as_shown().html
    told, folded = shown.partition("<details")[::2]
    text = explorer.view.samples["en"]
    for pair in range(8):
        bits = read(text, "rope", held=[pair]).bits[TRAINED_LENGTH - 1 :].mean()
        said = f"clock {pair + 1}: {bits:.1f} bits"
        assert said in folded and said not in told


@pytest.mark.parametrize(
    ("given", "distance"),
    [
        ({"isHeld": False, "limit": 62, "window": False}, 199),
        ({"isHeld": True, "limit": 62, "window": False}, 62),
        ({"isHeld": True, "limit": 90, "window": False}, 90),
        ({"isHeld": True, "limit": 90, "window": True}, 62),
        ({"isHeld": True, "limit": 20, "window": True}, 20),
        ({"isHeld": True, "limit": 250, "window": False}, 199),
    ],
)
def test_a_dial_shows_how_far_its_clock_is_asked_to_turn(clocks_view, given, distance) -> None:
    assert clocks_view("asked(200, given)", given) == distance


def test_what_training_showed_ends_at_62_and_at_a_whole_round(clocks_view) -> None:
    fast, slow = (clocks_view("angles(given, given / 4, 255)", each) for each in (1.0, 0.01))
    assert fast == pytest.approx({"seen": 2 * np.pi, "reach": 2 * np.pi, "hand": 255 / 4})
    assert slow == pytest.approx({"seen": 0.62, "reach": 255 * 0.0025, "hand": 255 * 0.0025})


def test_hands_go_clockwise_from_twelve_as_fast_as_those_of_the_model(clocks_view) -> None:
    trained = which_clock_explorer().view.turning["trained"]
    assert trained == pytest.approx(10_000.0 ** (-np.arange(0, 16, 2) / 16))
    assert clocks_view("place(given, 1)", 0) == pytest.approx([0, -1])
    assert clocks_view("place(given, 1)", np.pi / 2) == pytest.approx([1, 0])


def test_a_pin_is_dragged_the_short_way_round_and_no_further_than_the_text(clocks_view) -> None:
    dragged = "draggedTo(...given)"
    assert clocks_view(dragged, [62, 1.0, 1.5, 0.01, 255]) == pytest.approx(112)
    assert clocks_view(dragged, [62, 3.1, -3.1, 0.01, 255]) == pytest.approx(62 + 8.3185, abs=1e-3)
    assert clocks_view(dragged, [62, 0.0, 3.0, 0.001, 255]) == 255
    assert clocks_view(dragged, [62, 0.0, -3.0, 0.001, 255]) == 1


# The ruler. ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [20, 64])
@pytest.mark.parametrize("encoding", ["learned", "rope"])
def test_a_row_is_read_as_far_as_its_model_reads(encoding: str, start: int) -> None:
    asked = {"text": OWN, "encoding": encoding, "stretch": None, "start": start}
    answer = ruler_explorer().answered(asked)
    n = max(0, 64 - start) if encoding == "learned" else 64
    assert (answer["text"], answer["n_read"]) == (OWN.lower()[:64], n)


def test_a_sentence_of_each_language_fits_into_what_was_trained() -> None:
    samples = ruler_explorer().view.samples
    assert [*samples] == SHOWN and len(set(samples.values())) == len(SHOWN)
    for sentence in samples.values():
        assert read(sentence, "none").left_out == ()
        assert len(sentence) <= TRAINED_LENGTH


def test_every_position_up_to_64_has_its_place_on_the_ruler_and_so_has_100000(ruler_view) -> None:
    places = [*range(65), *np.geomspace(65, 100_000, 40).round().astype(int).tolist()]
    along = ruler_view("given.map(along)", places)
    assert along[0] == 0 and along[-1] == 1 and np.all(np.diff(along) > 0)
    np.testing.assert_allclose(np.diff(along[:65]), along[1], rtol=1e-9)
    ratio = np.diff(ruler_view("given.map(along)", [100, 1000, 10_000, 100_000]))
    np.testing.assert_allclose(ratio, ratio[0])
    assert ruler_view("given.map(along).map(positionAt)", places) == places


def test_keys_go_one_by_one_at_first_and_never_off_the_ruler(ruler_view) -> None:
    for (position, way), found in {
        (0, 1): 1, (0, -1): 0, (64, 1): 65, (10_000, 1): 10_200, (99_999, 1): 100_000,
    }.items():  # fmt: skip
        assert ruler_view("stepped(...given)", [position, way]) == found
    for (position, way), found in {(0, 1): 16, (64, 1): 1000, (1000, -1): 64, (0, -1): 0}.items():
        assert ruler_view("stopAfter(...given)", [position, way]) == found


def test_letters_stand_in_rows_as_on_paper(ruler_view) -> None:
    for text, columns in product((OWN.lower()[:64], "ab  cd", "a bee"), (7, 16, 37, 64)):
        ours = places_in_rows(text, columns).tolist()
        assert ruler_view("placesInRows(...given)", [text, columns]) == ours
    long = ruler_view("placesInRows(...given)", ["a" * 9, 4])
    assert long == [[i // 4, i % 4] for i in range(9)]


@pytest.mark.parametrize(
    ("bits", "n_read", "said"),
    [
        ([], 0, "undefined"),
        ([], 1, "ends"),
        ([2.0, 2.0], 3, "ends"),
        ([2.1, 2.3, 2.0], 4, "same"),
        ([2.9, 2.9, 2.9], 4, "worse"),
        ([4.0, 4.0, 4.0], 4, "lost"),
    ],
)
def test_a_row_is_judged_by_how_it_read_at_the_start(ruler_view, bits, n_read, said) -> None:
    assert ruler_view("outcome(...given)", [bits, [2.0, 2.0, 2.0], n_read, 4]) == said
