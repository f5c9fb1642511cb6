"""The model that reads in JavaScript against the one in NumPy, on texts that nobody chose."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from javascript import running

from course_utils import explorers, text_model
from course_utils.text_model import CHARACTERS, ENCODINGS, STRETCHES, TRAINED_LENGTH, WEIGHTS

MODULE = Path(explorers.__file__).with_name("text_model.js")
BITS = 1e-3
"""How far the two may be apart; a page shows one digit after the point."""

WAYS = [*((encoding, None) for encoding in ENCODINGS), *(("rope", each) for each in STRETCHES)]
READ = """(() => {
    const model = models[given.encoding];
    const reading = read(model, given.text, {stretch: given.stretch, factor: given.factor});
    const heads = reading.layers.map(({attention}) => attention.map(each => [...each]));
    const {likeliest, chances} = expected(model, reading, 3);
    return {bits: [...reading.bits], heads, likeliest, chances: [...chances]};
})()"""
READ_ON = """(() => {
    const model = models[given.encoding], how = {stretch: given.stretch, factor: 4};
    const before = read(model, given.before, how);
    const [on, anew] = [read(model, given.text, {...how, before}), read(model, given.text, how)];
    const heads = ({layers}) => layers.flatMap(({attention}) => attention);
    const attention = reading => heads(reading).flatMap(each => [...each]);
    return [on, anew].map(each => [...each.bits, ...each.probabilities, ...attention(each)]);
})()"""


@pytest.fixture(scope="module")
def page() -> Iterator[Callable[[str, object], object]]:
    """The module with the weights of every encoding in ``models``."""
    with running(MODULE.read_text(encoding="utf-8")) as ask:
        for encoding in ENCODINGS:
            header = json.loads((WEIGHTS / f"{encoding}.json").read_text("utf-8"))
            numbers = np.frombuffer((WEIGHTS / f"{encoding}.bin").read_bytes(), "<i2").tolist()
            keep = (
                "((globalThis.models ??= {})[given.name] = modelOf(given.header, given.numbers), 1)"
            )
            ask(keep, {"name": encoding, "header": header, "numbers": numbers})
        yield ask


def texts(encoding: str) -> Iterator[str]:
    """A passage of each language, and characters at random, of random lengths."""
    longest = TRAINED_LENGTH if encoding == "learned" else 256
    generator = np.random.default_rng(0)
    for source in (*(text_model.held_out_texts(each)[1] for each in ("en", "es")), None):
        length = int(generator.integers(longest // 2, longest + 1))
        if source is None:
            yield text_model.plain("".join(generator.choice([*CHARACTERS], length)))
        else:
            start = int(generator.integers(0, len(source) - length))
            yield text_model.read(source[start : start + length], "none").text


@pytest.mark.parametrize(("encoding", "stretch"), WAYS)
def test_the_page_reads_as_numpy_does(page, encoding: str, stretch: str | None) -> None:
    factor = 4 if stretch else 1
    for text in texts(encoding):
        ours = text_model.read(text, encoding, stretch, factor=factor if stretch else None)
        given = {"encoding": encoding, "stretch": stretch, "factor": factor, "text": text}
        theirs = page(READ, given)
        np.testing.assert_allclose(theirs["bits"], ours.bits, atol=BITS)
        below = ours.attention[:, :, *np.tril_indices(len(text))]
        np.testing.assert_allclose(theirs["heads"], below, atol=1e-5)
        chances = np.array(theirs["chances"]).reshape(-1, 3)
        rows = np.arange(len(text))[:, None]
        likeliest = np.array(list(map(CHARACTERS.index, theirs["likeliest"]))).reshape(-1, 3)
        np.testing.assert_allclose(ours.probabilities[rows, likeliest], chances, atol=1e-5)
        np.testing.assert_allclose(np.sort(-ours.probabilities, axis=1)[:, :3], -chances, atol=1e-5)


@pytest.mark.parametrize(("encoding", "stretch"), [("alibi", None), ("rope", "yarn")])
@pytest.mark.parametrize("change", ["a letter more", "a letter fewer", "another start", "a middle"])
def test_what_was_read_before_can_be_gone_on_from(page, encoding, stretch, change: str) -> None:
    before = "once upon a time there was a table of numbers"
    text = {
        "a letter more": f"{before}.",
        "a letter fewer": before[:-1],
        "another start": f"¿{before}",
        "a middle": before.replace("time", "night"),
    }[change]
    given = {"encoding": encoding, "stretch": stretch, "before": before, "text": text}
    on, anew = page(READ_ON, given)
    assert on == anew


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué  ESPERA\n\tÉl, «ahí» — o “allí”?",
        "e\u0301l nin\u0303o",  # accents of their own, as some keyboards send them
        "a\u00a0b 日本 🙂 c",
        "’tis “so” – −1 ‘a’",
        " ",
    ],
)
def test_the_page_leaves_out_what_numpy_leaves_out(page, text: str) -> None:
    ours = text_model.read(text, "none")
    theirs = page("known(given.text, given.characters)", {"text": text, "characters": CHARACTERS})
    assert theirs == {"text": text_model.plain(ours.text), "leftOut": list(ours.left_out)}
