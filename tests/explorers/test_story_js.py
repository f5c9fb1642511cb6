"""Comparison of the opening animation's numbers, computed by Node, with the package."""

import itertools
import json

import numpy as np
import pytest
from checks.javascript import exports, in_node

from course_utils import angular_frequencies, binary_encoding, sinusoidal_encoding
from course_utils.attention import softmax
from course_utils.explorers import story_explorer
from course_utils.explorers.base import FOLDER
from course_utils.explorers.story import story
from course_utils.relative import rotate
from course_utils.text_model import CHARACTERS, TRAINED_LENGTH, WEIGHTS, read

N_BITS, BASE = 6, 64
"""Number of hands and base, for which each hand is half as fast as the previous hand."""

SENTENCE = story.story_words()["en"]["words"].split()
TEXTS = {
    language: f"{words['words']}. {words['text']}".lower()[:256]
    for language, words in story.story_words().items()
}
PLACES = (0, 4, 500)
WORDS = "given.words.map((text, i) => ({ text, slot: given.slots?.[i] ?? i, ...arrows(text) }))"
PAGE = "globalThis.matchMedia = () => ({ matches: false });\n"

MODULES = sorted((FOLDER / "story").glob("*.js"))

scene = in_node(PAGE + exports("shared/text_model.js", *(f"story/{each.name}" for each in MODULES)))


@pytest.fixture(scope="module")
def reader(scene):
    header = json.loads((WEIGHTS / "rope.json").read_text("utf-8"))
    keep = "(globalThis.model = modelOf(given[0], new Int16Array(given[1].buffer))) && 0"
    scene(keep, [header, (WEIGHTS / "rope.bin").read_bytes()])
    return scene


def vectors(arrows: list[dict[str, float]]) -> np.ndarray:
    """Return a word's arrows as a vector with two numbers per dial."""
    parts = [(a["size"] * np.cos(a["angle"]), a["size"] * np.sin(a["angle"])) for a in arrows]
    return np.array(parts).ravel()


def arrows_of(scene, words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    made = scene("given.map(arrows)", words)
    return tuple(np.stack([vectors(each[part]) for each in made]) for part in ("query", "key"))


def test_attention_lines_ignore_order_in_bag(scene):
    lines_of = "(all) => all.map((word) => looks(word, all, 1, given.first))"
    arrows = arrows_of(scene, SENTENCE)
    for first, slots in itertools.product((None, 27), (range(10), range(9, -1, -1))):
        queries, keys = (
            each if first is None else rotate(each, first + np.array(slots), base=BASE)
            for each in arrows
        )
        lines = scene(
            f"({lines_of})({WORDS})", {"words": SENTENCE, "slots": [*slots], "first": first}
        )
        for i, row in enumerate(lines):
            others = np.delete(np.arange(10), i)
            wanted = softmax(keys[others] @ queries[i])
            assert np.array(row)[others] == pytest.approx(wanted, abs=1e-12)
            assert row[i] == 0


def test_parts_of_number_are_its_bits(scene):
    places, bits = range(64), range(N_BITS)
    pieces = scene("given.map((n) => OMEGA.map((_, k) => isOn(k, n)))", [*places])
    table = binary_encoding(64, N_BITS)
    assert np.array_equal(pieces, table)
    flipping = scene("given.map((n) => OMEGA.map((_, k) => flips(k, n)))", [*range(63)])
    assert np.array_equal(flipping, table[1:] != table[:-1])
    assert sum(flipping[31]) == len(bits)


def test_waves_change_from_bits_to_cosines_of_hands(scene):
    heights = "given.map((n) => OMEGA.map((_, k) => heightOf(phase(k, n, {}), {})))"
    first, last = (np.array(scene(heights.format(*at), [*range(64)])) for at in ((0, 60), (1, 0)))
    assert np.array_equal(first > 0, binary_encoding(64, N_BITS))
    cosines = sinusoidal_encoding(64, 2 * N_BITS, base=BASE)[:, 1::2]
    assert last == pytest.approx(cosines, abs=1e-12)


def test_hands_point_to_rows_of_encoding(scene):
    speeds = angular_frequencies(2 * N_BITS, base=BASE)
    assert scene("OMEGA", 0) == pytest.approx(speeds.tolist(), rel=1e-12)
    ask = "OMEGA.map((omega) => handOf({ size: 1, angle: 0 }, 0, given * omega))"
    for place in PLACES:
        hands = scene(ask, place)
        tips = [(h["size"] * np.sin(h["angle"]), h["size"] * np.cos(h["angle"])) for h in hands]
        row = sinusoidal_encoding(place + 1, 2 * N_BITS, base=BASE)[place]
        assert np.ravel(tips) == pytest.approx(row, abs=1e-12)


PRODUCTS = f"""(() => {{
    const words = {WORDS}, [one, two] = given.pair.map((i) => words[i]);
    return products(two, one, given.own, given.first);
}})()"""


@pytest.mark.parametrize("first", PLACES)
def test_bars_are_dot_products_of_rows(scene, first):
    rows = sinusoidal_encoding(first + len(SENTENCE), 2 * N_BITS, base=BASE)[first:]
    turned = [
        rotate(each, first + np.arange(len(SENTENCE)), base=BASE)
        for each in arrows_of(scene, SENTENCE)
    ]
    for own, (queries, keys) in enumerate([(rows, rows), turned]):
        for one, two in itertools.permutations((0, 1, 4, 9), 2):
            given = {"words": SENTENCE, "pair": [one, two], "own": own, "first": first}
            parts = (queries[two] * keys[one]).reshape(N_BITS, 2).sum(axis=1)
            assert scene(PRODUCTS, given) == pytest.approx(parts, abs=1e-11)


@pytest.mark.parametrize("language", TEXTS)
def test_story_predictions_match_numpy(reader, language):
    text = TEXTS[language]
    assert {*text} <= {*CHARACTERS} and 250 < len(text) <= 256
    ask = "[...read(model, given.text, { held: given.held, limit: 62 }).bits]"
    held = [[k] for k in range(8)] + [[]]
    all_bits = [reader(ask, {"text": text, "held": each}) for each in held]
    assert all_bits[-1] == pytest.approx(read(text, "rope").bits, abs=1e-3)
    inside = np.mean(all_bits[-1][: TRAINED_LENGTH - 1])
    beyond = [np.mean(each[TRAINED_LENGTH - 1 :]) for each in all_bits]
    assert reader("meansOf(given, 64)", all_bits[-1]) == pytest.approx([inside, beyond[-1]])
    found = reader("toBlame(given, 64)", all_bits)
    assert found["clock"] == np.argmin(beyond[:-1])
    assert [found["left"], found["before"]] == pytest.approx([min(beyond[:-1]), beyond[-1]])
    left = np.sort(beyond[:-1])[:2] - inside
    assert left[0] < 0.2 * (beyond[-1] - inside) and left[1] > 0.6 * (beyond[-1] - inside)
    speeds = angular_frequencies(16)
    assert reader("THETA", 0) == pytest.approx(speeds.tolist(), rel=1e-12)
    share = reader("seenOf(given, 64)", found["clock"])
    assert share == pytest.approx(62 * speeds[found["clock"]] / (2 * np.pi))


def test_unknown_chapter_is_rejected_with_list():
    with pytest.raises(ValueError, match="chapter must be one of bag, number.*got 'bags'"):
        story_explorer("bags")


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("shortest", [32, 64])
def test_rows_break_no_word(scene, language, shortest):
    text = TEXTS[language]
    rows = scene(
        "rowsOf(given.text, given.trained, given.shortest)",
        {
            "text": text,
            "trained": TRAINED_LENGTH,
            "shortest": shortest,
        },
    )
    starts, across = rows["starts"], rows["across"]
    assert starts[0] == 0 and TRAINED_LENGTH in starts
    assert all(text[start - 1] == " " for start in starts[1:])
    assert max(np.diff([*starts, len(text)])) <= across <= 1.2 * shortest
    assert len(starts) <= 256 // shortest


def test_rows_break_at_training_length_within_words(scene):
    rows = scene("rowsOf(given, 6, 6)", "one two three four five")
    assert rows["starts"][:2] == [0, 6]
