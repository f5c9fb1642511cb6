"""Tests of the character model's explorers in Python."""

import json
from itertools import product

import numpy as np
import pytest
from checks.javascript import exports, in_node
from checks.outputs import problems_of_stored
from hypothesis import given
from hypothesis import strategies as st
from private_jupyter import REPOSITORY

from course_utils import text_model
from course_utils.explorers.reading import reading
from course_utils.explorers.reading.reading import head_explorer, reading_explorer
from course_utils.explorers.ruler.ruler import ruler_explorer
from course_utils.explorers.which_clock.which_clock import which_clock_explorer
from course_utils.pictures.reading_pictures import places_in_rows
from course_utils.text_model import ENCODINGS, STRETCHES, TRAINED_LENGTH, read
from course_utils.words.text import LANGUAGES, SHOWN

OWN = "The cat that lived by the river went down to the water every morning to see the fish."


view = in_node(
    exports("reading/surprise.js", "reading/letters.js", "reading/heads.js", "reading/reader.js")
)
clocks_view = in_node(exports("which_clock/which_clock.js"))
ruler_view = in_node(exports("ruler/ruler.js"))

# The other explorers are stored in the lessons, where they are tested in the same way.
STORED_NOWHERE = {
    "learned": lambda: reading_explorer(encoding="learned"),
    "stretched": lambda: reading_explorer(encoding="rope", stretch="yarn"),
    "heads of a short text": lambda: head_explorer("A short text.", encoding="alibi"),
    "clocks of a short text": lambda: which_clock_explorer("A short text."),
    "ruler of a short text": lambda: ruler_explorer("A short text."),
}


@pytest.mark.parametrize("name", STORED_NOWHERE)
def test_stored_explorer_has_every_language(name: str) -> None:
    assert problems_of_stored(STORED_NOWHERE[name]()) == []


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda: reading_explorer("a"), ValueError, "2 to 256 characters"),
        (lambda: which_clock_explorer("a" * 257), ValueError, "got 257"),
        (lambda: ruler_explorer("a" * 65), ValueError, "2 to 64 characters"),
        (lambda: head_explorer("日本"), ValueError, "that the model knows"),
        (lambda: ruler_explorer(3), TypeError, "text must be a string"),
        (lambda: reading_explorer(encoding="rop"), ValueError, "encoding must be one of"),
        (lambda: reading_explorer(encoding="alibi", stretch="ntk"), ValueError, "stretch must be"),
    ],
)
def test_unreadable_text_is_rejected_in_one_sentence(make, error, expected: str) -> None:
    with pytest.raises(error) as refused:
        make()
    assert expected in str(refused.value) and str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    ("encoding", "stretch"), [("learned", None), ("alibi", None), ("rope", "yarn")]
)
def test_browser_gets_model_numbers_with_text(encoding, stretch):
    factor = reading.FACTOR if stretch else None
    n_read = TRAINED_LENGTH if encoding == "learned" else len(OWN)
    model = read(OWN[:n_read], encoding, stretch, factor=factor)
    answer = reading.answer("head", OWN, encoding, stretch)
    assert (answer["text"], answer["n_read"]) == (OWN.lower(), n_read)
    bits, chances, attention = answer["buffers"]
    np.testing.assert_allclose(np.frombuffer(bits, "<f4"), model.bits, rtol=1e-6)
    for place in range(1, n_read + 1):
        expected = dict(model.expected(place, top=3))
        letters = answer["likeliest"][3 * place - 3 : 3 * place]
        top_chances = np.frombuffer(chances, "<f4")[3 * place - 3 : 3 * place]
        assert dict(zip(letters, top_chances, strict=True)) == pytest.approx(expected, rel=1e-6)
    rows = np.split(np.frombuffer(attention, "u1"), 8)[5]  # layer 1, head 1
    below = model.attention[1, 1][np.tril_indices(n_read)]
    np.testing.assert_allclose(rows / 255, below, atol=0.5 / 255)


def test_unknown_characters_are_left_out_with_note() -> None:
    answer = reading.answer("reading", "a 日 b 日 🙂 c", "rope", None)
    assert (answer["text"], answer["left_out"]) == ("a b c", ["日", "🙂"])
    assert len(np.frombuffer(answer["buffers"][0], "<f4")) == len("a b c") - 1


def test_first_text_is_held_out() -> None:
    for explorer, language in product((reading_explorer(), head_explorer()), LANGUAGES):
        text = explorer.samples[language]
        assert text_model.held_out_texts(language)[0].startswith(text)
        assert TRAINED_LENGTH < len(text) <= reading.LONGEST


def test_head_explorer_begins_where_its_head_looks_back() -> None:
    view = head_explorer()
    (lane,), at = view.lanes, view.position
    layer, head = reading.LOOKING_BACK[lane["encoding"]]
    for text in head_explorer().samples.values():
        assert read(text, lane["encoding"]).attention[layer, head, at, at - 1] > 0.9


def test_sentence_describes_only_its_head() -> None:
    model = read(OWN[:TRAINED_LENGTH], "rope")
    for layer, head in np.ndindex(model.attention.shape[:2]):
        looked = model.attention[layer, head]
        share = np.mean([looked[i, i - 1] for i in range(1, len(looked))])
        assert f"{share:.0%}" in reading._sentence_on_head(model, layer, head)["en"]


def test_own_text_survives_change_of_encoding() -> None:
    explorer = reading_explorer()
    explorer.text = OWN
    explorer.lanes = [{"encoding": "alibi", "stretch": "ntk"}]  # NTK is only for RoPE
    assert explorer.models == [("alibi", None)] and explorer.text == OWN
    bits = read(OWN, "alibi").bits
    before, beyond = bits[: TRAINED_LENGTH - 1].mean(), bits[TRAINED_LENGTH - 1 :].mean()
    sentence = f"{before:.1f} bits per character up to 64 and {beyond:.1f} beyond"
    assert sentence in explorer.as_shown().html


def test_means_next_to_text_are_measured() -> None:
    means = reading_explorer().means
    assert means.keys() == {*ENCODINGS, *STRETCHES} - {"learned"}
    for name, by_language in means.items():
        way = ("rope", name) if name in STRETCHES else (name, None)
        for language in LANGUAGES:
            measured = text_model.measured_curve(way[0], language, way[1], length=256)
            assert by_language[language] == pytest.approx(measured.tolist())


# The view. ----------------------------------------------------------------------------------------


def test_bits_per_side_equal_python(view) -> None:
    bits = read(OWN, "rope").bits
    for length in (20, 65, len(OWN)):
        ours = [*np.split(bits[: length - 1], [TRAINED_LENGTH - 1])]
        theirs = view("tally(given[0], given[1])", [bits.tolist(), length])
        for half, mean in zip(ours, theirs, strict=True):
            assert mean == (pytest.approx(half.mean()) if half.size else None)  # JSON has no NaN


def test_attention_to_previous_character_equals_python(view) -> None:
    model = read(OWN, "rope")
    below = model.attention[:, :, *np.tril_indices(len(OWN))]
    shares = np.array(view("sharesBefore(given[0], given[1])", [below.tolist(), len(OWN)]))
    trained = model.attention[..., :TRAINED_LENGTH, :TRAINED_LENGTH]
    np.testing.assert_allclose(shares[..., 0], text_model.shares_before(trained), rtol=1e-6)
    beyond = text_model.shares_before(model.attention, TRAINED_LENGTH)
    np.testing.assert_allclose(shares[..., 1], beyond, rtol=1e-6)


def test_marked_heads_look_back_most() -> None:
    stored = json.loads((REPOSITORY / "experiments" / "text_model.json").read_text("utf-8"))
    usual = {"seed": 0, "text": "both", "held_out": 9, "trained_length": 64, "d_head": 16}
    runs = [run for run in stored["runs"] if usual.items() <= run.items()]
    assert len(runs) == len(ENCODINGS)
    for run in runs:
        shares = np.array(run["look_back"]["64"])
        head = np.unravel_index(shares.argmax(), shares.shape)
        marked = reading.LOOKING_BACK.get(run["encoding"])
        assert marked == (head if shares.max() >= 0.25 else None), run["encoding"]


def test_verdict_uses_both_sides_of_line(view) -> None:
    for means, expected in {
        (1.8, 5.6): "lost", (1.8, 2.9): "worse", (1.8, 1.9): "fine", (4.8, 4.9): "poor",
    }.items():  # fmt: skip
        assert view("verdict(given, 200)", means) == expected
    assert view("verdict(given, 66)", (1.8, 5.6)) == "short"


def test_pointer_or_keys_find_character(view) -> None:
    boxes = [
        {"left": 10 * i, "right": 10 * i + 10, "top": 30 * row, "bottom": 30 * row + 20}
        for row, n in enumerate((5, 3, 4))
        for i in range(n)
    ]
    for (x, y), found in {(12, 5): 1, (500, 8): 4, (500, 40): 7, (-9, 70): 8, (12, 23): 1}.items():
        assert view("nearest(given[0], given[1], given[2])", [boxes, x, y]) == found
    for (at, down), found in {(1, True): 6, (4, True): 7, (6, False): 1, (2, False): 0}.items():
        assert view("inNextRow(given[0], given[1], given[2])", [boxes, at, down]) == found


@given(text=st.text("ab ", min_size=1, max_size=80), n_columns=st.integers(3, 20))
def test_words_do_not_break_across_rows(text: str, n_columns: int) -> None:
    places = places_in_rows(text, n_columns)
    assert len({tuple(place) for place in places}) == len(text)
    start = 0
    for word in text.split(" "):
        rows = set(places[start : start + len(word), 0])
        assert len(rows) <= 1 or len(word) > n_columns
        start += len(word) + 1
    visible = [column for letter, (_, column) in zip(text, places, strict=True) if letter != " "]
    assert max(visible, default=0) <= n_columns


# Clocks. ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", [{"held": [0, 4, 7], "limit": 20}, {"window": 9}, {"stretch": "yarn", "factor": 4}]
)
def test_requested_clocks_are_held(how) -> None:
    request = {"text": OWN, "held": [], "limit": None, "stretch": None, "window": None} | how
    bits = np.frombuffer(which_clock_explorer().answer_to(request)["buffers"][0], "<f4")
    np.testing.assert_allclose(bits, read(OWN, "rope", **how).bits, rtol=1e-6)


def test_effect_of_each_clock_is_measured() -> None:
    explorer = which_clock_explorer()
    shown = explorer.as_shown().html
    visible, folded = shown.partition("<details")[::2]
    text = explorer.samples["en"]
    for pair in range(8):
        bits = read(text, "rope", held=[pair]).bits[TRAINED_LENGTH - 1 :].mean()
        expected = f"clock {pair + 1}: {bits:.1f} bits"
        assert expected in folded and expected not in visible


def test_dial_shows_turn_of_its_clock(clocks_view) -> None:
    given = {"isHeld": False, "limit": 62, "window": False}
    assert clocks_view("largestDistance(200, given)", given) == 199
    for (limit, window), distance in {
        (90, False): 90, (250, False): 199, (90, True): 62, (20, True): 20,
    }.items():  # fmt: skip
        given = {"isHeld": True, "limit": limit, "window": window}
        assert clocks_view("largestDistance(200, given)", given) == distance


def test_trained_arc_ends_at_62_or_full_turn(clocks_view) -> None:
    fast, slow = (clocks_view("angles(given, given / 4, 255)", each) for each in (1.0, 0.01))
    assert fast == pytest.approx({"seen": 2 * np.pi, "reach": 2 * np.pi, "hand": 255 / 4})
    assert slow == pytest.approx({"seen": 0.62, "reach": 255 * 0.0025, "hand": 255 * 0.0025})


def test_hands_turn_clockwise_at_model_speeds(clocks_view) -> None:
    trained = which_clock_explorer().turning["trained"]
    assert trained == pytest.approx(10_000.0 ** (-np.arange(0, 16, 2) / 16))
    assert clocks_view("place(given, 1)", 0) == pytest.approx([0, -1])
    assert clocks_view("place(given, 1)", np.pi / 2) == pytest.approx([1, 0])


def test_pin_is_dragged_along_shorter_arc(clocks_view) -> None:
    dragged = "draggedTo(...given)"
    assert clocks_view(dragged, [62, 1.0, 1.5, 0.01, 255]) == pytest.approx(112)
    assert clocks_view(dragged, [62, 3.1, -3.1, 0.01, 255]) == pytest.approx(62 + 8.3185, abs=1e-3)
    assert clocks_view(dragged, [62, 0.0, 3.0, 0.001, 255]) == 255
    assert clocks_view(dragged, [62, 0.0, -3.0, 0.001, 255]) == 1


# The ruler. ---------------------------------------------------------------------------------------


def test_row_ends_at_limit_of_its_model() -> None:
    for start, encoding, n in ((20, "learned", 44), (64, "learned", 0), (64, "rope", 64)):
        request = {"text": OWN, "encoding": encoding, "stretch": None, "start": start}
        answer = ruler_explorer().answer_to(request)
        assert (answer["text"], answer["n_read"]) == (OWN.lower()[:64], n)


def test_first_sentences_fit_training_length() -> None:
    samples = ruler_explorer().samples
    assert [*samples] == SHOWN and len(set(samples.values())) == len(SHOWN)
    for sentence in samples.values():
        assert read(sentence, "none").left_out == ()
        assert len(sentence) <= TRAINED_LENGTH


def test_ruler_has_every_position_to_64_with_100000(ruler_view) -> None:
    places = [*range(65), *np.geomspace(65, 100_000, 40).round().astype(int).tolist()]
    along = ruler_view("given.map(along)", places)
    assert along[0] == 0 and along[-1] == 1 and np.all(np.diff(along) > 0)
    np.testing.assert_allclose(np.diff(along[:65]), along[1], rtol=1e-9)
    ratio = np.diff(ruler_view("given.map(along)", [100, 1000, 10_000, 100_000]))
    np.testing.assert_allclose(ratio, ratio[0])
    assert ruler_view("given.map(along).map(positionAt)", places) == places


def test_keys_stay_on_ruler(ruler_view) -> None:
    for (position, way), found in {
        (0, 1): 1, (0, -1): 0, (64, 1): 65, (10_000, 1): 10_200, (99_999, 1): 100_000,
    }.items():  # fmt: skip
        assert ruler_view("stepped(...given)", [position, way]) == found
    for (position, way), found in {(0, 1): 16, (64, 1): 1000, (1000, -1): 64, (0, -1): 0}.items():
        assert ruler_view("stopAfter(...given)", [position, way]) == found


def test_letters_are_in_rows_as_on_paper(ruler_view) -> None:
    for text, columns in product((OWN.lower()[:64], "ab  cd", "a bee"), (7, 16, 37, 64)):
        ours = places_in_rows(text, columns).tolist()
        assert ruler_view("placesInRows(...given)", [text, columns]) == ours
    long = ruler_view("placesInRows(...given)", ["a" * 9, 4])
    assert long == [[i // 4, i % 4] for i in range(9)]


def test_row_is_compared_with_its_start(ruler_view) -> None:
    for bits, expected in {
        (2.1, 2.3, 2.0): "same",
        (2.9,) * 3: "worse",
        (4.0,) * 3: "lost",
    }.items():
        assert ruler_view("outcome(...given)", [bits, [2.0, 2.0, 2.0], 4, 4]) == expected
    for n_read, expected in {0: "undefined", 1: "ends", 3: "ends"}.items():
        few = [2.0] * max(0, n_read - 1)
        assert ruler_view("outcome(...given)", [few, [2.0, 2.0, 2.0], n_read, 4]) == expected
