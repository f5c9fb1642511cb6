"""The scene's numbers, chapter by chapter, run by Node, against the package's."""

import base64
import itertools
import json
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from checks.javascript import running

from course_utils import (
    angular_frequencies,
    binary_encoding,
    dot_product_by_offset,
    sinusoidal_encoding,
)
from course_utils.attention import softmax
from course_utils.explorers import explorer, story, story_explorer
from course_utils.relative import rotate
from course_utils.text_model import CHARACTERS, TRAINED_LENGTH, WEIGHTS, read

N_BITS, BASE = 6, 64
"""Six hands, each half as fast as the one before: those of twelve dimensions with the base 2**6."""

SENTENCES = {language: said["words"] for language, said in story.story_words().items()}
TEXTS = {
    language: f"{said['words']}. {said['text']}".lower()[:256]
    for language, said in story.story_words().items()
}
PLACES = (0, 4, 500)
WORDS = "given.words.map((text, i) => ({ text, slot: given.slots?.[i] ?? i, ...arrows(text) }))"
PAGE = "globalThis.matchMedia = () => ({ matches: false });\n"


@pytest.fixture(scope="module")
def scene() -> Iterator[Callable[[str, object], object]]:
    """All of its modules as they are put together for a notebook, without a page."""
    with running(PAGE + explorer.script(story.MODULES)) as ask:
        yield ask


@pytest.fixture(scope="module")
def reader(scene) -> Callable[[str, object], object]:
    header = json.loads((WEIGHTS / "rope.json").read_text("utf-8"))
    packed = base64.b64encode((WEIGHTS / "rope.bin").read_bytes()).decode()
    numbers = "new Int16Array(Uint8Array.from(atob(given[1]), (e) => e.charCodeAt(0)).buffer)"
    scene(f"(globalThis.model = modelOf(given[0], {numbers})) && 0", [header, packed])
    return scene


def vectors(arrows: list[dict[str, float]]) -> np.ndarray:
    """The arrows of a word as one vector: two numbers for each dial."""
    parts = [(a["size"] * np.cos(a["angle"]), a["size"] * np.sin(a["angle"])) for a in arrows]
    return np.array(parts).ravel()


def arrows_of(scene, words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    made = scene("given.map(arrows)", words)
    return tuple(np.stack([vectors(each[part]) for each in made]) for part in ("query", "key"))


@pytest.mark.parametrize("language", SENTENCES)
def test_in_the_bag_lines_are_a_softmax_and_no_order_changes_them(scene, language):
    words = SENTENCES[language].split()
    queries, keys = arrows_of(scene, words)
    ask = f"(() => {{ const all = {WORDS}; return all.map((w) => looks(w, all, 1, null)); }})()"
    lines = np.array(scene(ask, {"words": words}))
    for i, row in enumerate(lines):
        others = np.delete(np.arange(len(words)), i)
        assert row[others] == pytest.approx(softmax(keys[others] @ queries[i]), abs=1e-12)
        assert row[i] == 0
    turned = scene(ask, {"words": words, "slots": [*range(len(words))][::-1]})
    assert np.array_equal(turned, lines)


def test_with_places_the_lines_change(scene):
    ask = f"(() => {{ const all = {WORDS}; return looks(all[4], all, 1, 0); }})()"
    words = SENTENCES["en"].split()
    here, there = (scene(ask, {"words": words, "slots": slots}) for slots in (
        [*range(10)], [1, 0, *range(2, 10)]))  # fmt: skip
    assert np.abs(np.subtract(here, there)).max() > 0.01


def test_the_pieces_of_a_number_are_its_bits_and_the_lines_count_those_that_flip(scene):
    places, bits = range(64), range(N_BITS)
    pieces = scene("given.map((n) => OMEGA.map((_, k) => isOn(k, n)))", [*places])
    table = binary_encoding(64, N_BITS)
    assert np.array_equal(pieces, table)
    flipping = scene("given.map((n) => OMEGA.map((_, k) => flips(k, n)))", [*range(63)])
    assert np.array_equal(flipping, table[1:] != table[:-1])
    assert sum(flipping[31]) == len(bits)


def test_waves_begin_as_bits_and_end_as_cosines_of_the_hands(scene):
    def heights(places: np.ndarray, slowed: float, sharp: float) -> np.ndarray:
        ask = "given.places.map((n) => OMEGA.map((_, k) => heightOf(phase(k, n, {}), {})))"
        return np.array(scene(ask.format(slowed, sharp), {"places": places.tolist()}))

    places = np.arange(64.0)
    assert np.array_equal(heights(places, 0, 60) > 0, binary_encoding(64, N_BITS))
    assert heights(places, 1, 0) == pytest.approx(
        sinusoidal_encoding(64, 2 * N_BITS, base=BASE)[:, 1::2], abs=1e-12
    )


@pytest.mark.parametrize("place", PLACES)
def test_hands_point_to_the_rows_of_the_encoding(scene, place):
    speeds = angular_frequencies(2 * N_BITS, base=BASE)
    assert scene("OMEGA", 0) == pytest.approx(speeds.tolist(), rel=1e-12)
    ask = "OMEGA.map((omega) => handOf({ size: 1, angle: 0 }, 0, given * omega))"
    tips = [
        (h["size"] * np.sin(h["angle"]), h["size"] * np.cos(h["angle"])) for h in scene(ask, place)
    ]
    row = sinusoidal_encoding(place + 1, 2 * N_BITS, base=BASE)[place]
    assert np.ravel(tips) == pytest.approx(row, abs=1e-12)


PRODUCTS = f"""(() => {{
    const words = {WORDS}, [one, two] = given.pair.map((i) => words[i]);
    return products(two, one, given.own, given.first);
}})()"""


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("first", PLACES)
def test_bars_are_products_of_two_rows_and_their_sum_knows_the_distance_alone(
    scene, language, first
):
    words = SENTENCES[language].split()
    table = sinusoidal_encoding(first + len(words), 2 * N_BITS, base=BASE)
    for one, two in ((1, 4), (7, 2)):
        given = {"words": words, "pair": [one, two], "own": 0, "first": first}
        bars = scene(PRODUCTS, given)
        rows = table[[first + one, first + two]].reshape(2, N_BITS, 2)
        assert bars == pytest.approx((rows[0] * rows[1]).sum(axis=1), abs=1e-12)
        apart = dot_product_by_offset(two - one, 2 * N_BITS, base=BASE)
        assert sum(bars) == pytest.approx(float(np.squeeze(apart)), abs=1e-12)


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("first", PLACES)
def test_arrows_turned_by_the_same_hands_are_rope(scene, language, first):
    words = SENTENCES[language].split()
    queries, keys = (
        rotate(each, first + np.arange(len(words)), base=BASE) for each in arrows_of(scene, words)
    )
    for one, two in itertools.permutations((0, 1, 4, 9), 2):
        given = {"words": words, "pair": [one, two], "own": 1, "first": first}
        parts = (queries[two] * keys[one]).reshape(N_BITS, 2).sum(axis=1)
        assert scene(PRODUCTS, given) == pytest.approx(parts, abs=1e-11)


@pytest.mark.parametrize("language", TEXTS)
def test_the_text_is_one_that_the_model_knows_and_as_surprising_as_in_numpy(reader, language):
    text = TEXTS[language]
    assert {*text} <= {*CHARACTERS} and 250 < len(text) <= 256
    bits = reader("[...read(model, given).bits]", text)
    assert bits == pytest.approx(read(text, "rope").bits, abs=1e-3)
    assert reader("THETA", 0) == pytest.approx(angular_frequencies(16).tolist(), rel=1e-12)
    means = reader("meansOf(given, 64)", bits)
    inside, beyond = np.split(np.array(bits), [TRAINED_LENGTH - 1])
    assert means == pytest.approx([inside.mean(), beyond.mean()])


@pytest.mark.parametrize("language", TEXTS)
def test_the_clock_to_blame_is_the_one_whose_rest_helps_most(reader, language):
    ask = "[...read(model, given.text, { held: given.held, limit: 62 }).bits]"
    held = [[k] for k in range(8)] + [[]]
    all_bits = [reader(ask, {"text": TEXTS[language], "held": each}) for each in held]
    beyond = [np.mean(each[TRAINED_LENGTH - 1 :]) for each in all_bits]
    found = reader("toBlame(given, 64)", all_bits)
    assert found["clock"] == np.argmin(beyond[:-1])
    assert [found["left"], found["before"]] == pytest.approx([min(beyond[:-1]), beyond[-1]])
    inside = np.mean(all_bits[-1][: TRAINED_LENGTH - 1])
    left = np.sort(beyond[:-1])[:2] - inside
    assert left[0] < 0.2 * (beyond[-1] - inside) and left[1] > 0.6 * (beyond[-1] - inside)
    share = reader("seenOf(given, 64)", found["clock"])
    assert share == pytest.approx(62 * angular_frequencies(16)[found["clock"]] / (2 * np.pi))


def test_an_unknown_chapter_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="chapter must be one of bag, number.*got 'bags'"):
        story_explorer("bags")
