"""Comparison of the character model in JavaScript and in NumPy on random texts."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from checks.javascript import exports, in_node

from course_utils import text_model
from course_utils.text_model import CHARACTERS, ENCODINGS, STRETCHES, TRAINED_LENGTH, WEIGHTS

WAYS = [
    *((encoding, {}) for encoding in ENCODINGS),
    *(("rope", {"stretch": stretch, "factor": 4}) for stretch in STRETCHES),
    ("sinusoidal", {"start": 4321}),
    ("learned", {"start": 20}),
    ("alibi", {"window": 9}),
    ("rope", {"held": [0, 5], "limit": 7, "start": 100}),
    ("rope", {"held": [3], "limit": 0, "window": 50, "stretch": "yarn", "factor": 2.5}),
    ("rope", {"held": [*range(8)], "stretch": "ntk", "factor": 4}),
]
READ = """(() => {
    const model = models[given.encoding];
    const reading = read(model, given.text, given.how);
    const heads = reading.layers.map(({attention}) => attention.map(each => [...each]));
    const {likeliest, chances} = expected(model, reading, 3);
    return {bits: [...reading.bits], heads, likeliest, chances: [...chances]};
})()"""
READ_ON = """(() => {
    const model = models[given.encoding], how = given.how;
    const before = read(model, given.before, how);
    const [on, anew] = [read(model, given.text, {...how, before}), read(model, given.text, how)];
    const heads = ({layers}) => layers.flatMap(({attention}) => attention);
    const attention = reading => heads(reading).flatMap(each => [...each]);
    return [on, anew].map(each => [...each.bits, ...each.probabilities, ...attention(each)]);
})()"""


module = in_node(exports("shared/text_model.js"))


@pytest.fixture(scope="module")
def page(module):
    """Module with the weights of every encoding in ``models``."""
    for encoding in ENCODINGS:
        header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
        model = "modelOf(given[1], new Int16Array(given[2].buffer))"
        module(
            f"((globalThis.models ??= {{}})[given[0]] = {model}) && 0",
            [encoding, header, (WEIGHTS / f"{encoding}.bin").read_bytes()],
        )
    return module


def texts(encoding: str, start: int) -> Iterator[str]:
    """Random characters and a random passage."""
    longest = TRAINED_LENGTH - start if encoding == "learned" else 160
    generator = np.random.default_rng(0)
    yield text_model.plain("".join(generator.choice([*CHARACTERS], longest)))
    length, source = generator.integers(longest // 2, longest), text_model.held_out_texts("es")[1]
    begins = generator.integers(len(source) - length)
    yield text_model.read(source[begins : begins + length], "none").text


@pytest.mark.parametrize(("encoding", "how"), WAYS, ids=str)
def test_javascript_predictions_match_numpy(page, encoding: str, how: dict) -> None:
    for text in texts(encoding, how.get("start", 0)):
        ours = text_model.read(text, encoding, **how)
        theirs = page(READ, {"encoding": encoding, "how": how, "text": text})
        np.testing.assert_allclose(theirs["bits"], ours.bits, atol=1e-3)  # a page shows one digit
        below = ours.attention[:, :, *np.tril_indices(len(text))]
        np.testing.assert_allclose(theirs["heads"], below, atol=1e-5)
        chances = np.array(theirs["chances"]).reshape(-1, 3)
        rows = np.arange(len(text))[:, None]
        likeliest = np.array(list(map(CHARACTERS.index, theirs["likeliest"]))).reshape(-1, 3)
        np.testing.assert_allclose(ours.probabilities[rows, likeliest], chances, atol=1e-5)
        np.testing.assert_allclose(np.sort(-ours.probabilities, axis=1)[:, :3], -chances, atol=1e-5)


@pytest.mark.parametrize(("encoding", "how"), WAYS[-4:], ids=str)
def test_reading_continues_from_cache(page, encoding, how) -> None:
    before = "once upon a time there was a table of numbers"
    for text in (f"{before}.", before[:-1], f"¿{before}", before.replace("time", "night")):
        given = {"encoding": encoding, "how": how, "before": before, "text": text}
        on, anew = page(READ_ON, given)
        assert on == anew, text


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué  ESPERA\n\tÉl, «ahí» — o “allí”?",
        "e\u0301l nin\u0303o",  # combining accents, as some keyboards send them
        "a\u00a0b 日本 🙂 c",
        "’tis “so” – −1 ‘a’",
        " ",
    ],
)
def test_javascript_leaves_out_same_characters(page, text: str) -> None:
    ours = text_model.read(text, "none")
    theirs = page("known(given.text, given.characters)", {"text": text, "characters": CHARACTERS})
    assert theirs == {"text": text_model.plain(ours.text), "leftOut": list(ours.left_out)}
