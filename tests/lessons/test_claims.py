"""Tests that verdicts follow from measurements and are hidden until the reader has guessed."""

from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks.samples import everywhere

from course_utils.lessons import verdicts
from course_utils.lessons.verdicts import CLAIMS, POSSIBLE, VERDICTS, verdict
from course_utils.text_model import LANGUAGES as LANGUAGES_READ
from course_utils.text_model import TRAINED_LENGTH, held_out_texts
from course_utils.words.text import LANGUAGES, Text


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> Text:
    """A single sample claim."""
    text = everywhere("The error is {error}, {code}.")
    monkeypatch.setattr(verdicts, "CLAIMS", {"sample": text})
    return text.format(error=3)


@pytest.mark.parametrize(
    ("holds", "name"),
    [([True, True], "true"), ([False, True], "nuances"), ([False], "false")],
)
def test_verdict_follows_measurements_in_every_choice(
    holds: list[bool], name: str, sample: Text
) -> None:
    shown = verdict("sample", holds=holds, error=3)
    announcement = VERDICTS["verdict"].format(verdict=VERDICTS[name].map(str.lower))
    assert shown.plain == (announcement + sample).lines
    box = BeautifulSoup(shown.html, "html.parser").find(attrs={"data-guess": "sample"})
    assert [choice.summary.span.text for choice in box("details")] == [
        VERDICTS[possible][next(iter(LANGUAGES))] for possible in POSSIBLE
    ]
    for choice, possible in zip(box("details"), POSSIBLE, strict=True):
        right = possible == name
        assert ("course-right" in choice["class"]) == right
        answer = VERDICTS["yes" if right else "no"] + announcement + sample
        assert [block.text for block in choice("div")] == [*answer.as_dict().values()]
        choice.extract()
    assert not any(words in box.text for words in sample.as_dict().values())


def test_unknown_or_empty_claim_is_rejected() -> None:
    with pytest.raises(KeyError, match=r"claims.toml has no 'simple'; it has unique, .*halves"):
        verdict("simple", holds=[True])
    with pytest.raises(ValueError, match="an entry for each case"):
        verdict("bfloat16", holds=[])


LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "10_myths.ipynb"
CELLS = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells}


def test_lesson_measures_every_claim_in_order() -> None:
    measured = [name.removeprefix("verdict-") for name in CELLS if name.startswith("verdict-")]
    assert measured == list(CLAIMS)
    for number, name in enumerate(measured, start=1):
        assert CELLS[f"claim-{name}"].startswith(f"## {number} · ")


@pytest.fixture(scope="module")
def measure() -> SimpleNamespace:
    """Functions with which the lesson measures."""
    defined: dict[str, Callable] = {}
    for name, source in CELLS.items():
        if name == "imports" or name.startswith("measure-"):
            exec(compile(source, name, "exec"), defined)
    return SimpleNamespace(**defined)


WIDTHS, BASES, SEEDS = (4, 32, 256), (100, 500_000), range(2)


def at(function: Callable, *choices: Iterable) -> np.ndarray:
    """Return the results of a function for all combinations of its arguments."""
    return np.array([function(*each) for each in product(*choices)])


def halves_differ(f: SimpleNamespace, columns: Callable[[int], np.ndarray]) -> np.ndarray:
    def difference(d_model: int, base: float, seed: int) -> float:
        neighbours = f.scores(f.rotate, np.arange(d_model), base, seed)
        other = f.scores(f.rotate_halves, columns(d_model), base, seed)
        return np.abs(other - neighbours).max()

    return at(difference, WIDTHS, BASES, SEEDS) > 1e-9


def pieces(*lengths: int) -> list[str]:
    """Return the beginnings of held-out texts in both languages."""
    texts = [text for language in LANGUAGES_READ for text in held_out_texts(language)]
    return [text[:length] for text in texts for length in lengths]


# Measurements behind the verdicts. The outcome is the same for all sizes, bases and seeds that the
# lesson leaves open.
HOLDS: dict[str, Callable[[SimpleNamespace], np.ndarray]] = {
    "unique": lambda f: at(f.all_different, (9, 3000), (2, 64), BASES),
    "sines": lambda f: at(lambda *n: f.nearest_rows(*n).min(), (9, 700), (64, 256), BASES) > 0.01,
    "harmless, scaled": lambda f: (
        at(lambda d, seed: f.growth(np.sqrt(d), d, seed), WIDTHS, SEEDS) < 2
    ),
    "causal, one layer": lambda f: at(f.change_by_a_swap, [1], (3, 500), WIDTHS, SEEDS) < 1e-9,
    "rope-decays, unrelated": lambda f: (
        abs(at(f.share_that_falls, (32, 128), BASES, SEEDS) - 0.5) < 0.1
    ),
    "rope-decays, equal": lambda f: at(f.share_that_falls, (64, 128), BASES[1:], SEEDS, [1]) > 0.9,
    "bfloat16, finished sines": lambda f: at(f.sine_errors, [1024], WIDTHS, BASES)[:, 1] < 0.01,
    "halves, as they are": lambda f: halves_differ(f, np.arange),
}
FAILS: dict[str, Callable[[SimpleNamespace], np.ndarray]] = {
    "distance-only, untrained": lambda f: (
        at(f.scores_along, WIDTHS, SEEDS, (False, True), BASES).std(axis=-1) < 0.1
    ),
    "distance-only, trained": lambda f: at(f.attention_moved, pieces(32), (1, 15, 32)) < 0.01,
    "harmless, of length 1": lambda f: at(f.growth, [1], WIDTHS[1:], SEEDS) < 2,
    "causal, two layers": lambda f: at(f.change_by_a_swap, (2, 6), (3, 500), WIDTHS, SEEDS) < 1e-9,
    "causal, trained": lambda f: (
        abs(at(f.worse_by_a_shuffle, pieces(16, TRAINED_LENGTH), SEEDS)) < 1e-9
    ),
    "rope-decays, opposite": lambda f: (
        at(f.share_that_falls, (64, 128), BASES[1:], SEEDS, [-1]) > 0.1
    ),
    "bfloat16, angles": lambda f: at(f.sine_errors, (1024, 4096), WIDTHS, BASES)[:, 0] < 0.01,
    "bfloat16, exact positions": lambda f: at(f.sine_errors, [257], WIDTHS[1:], BASES)[:, 0] < 0.01,
    "halves, in order": lambda f: halves_differ(f, lambda d: np.r_[0:d:2, 1:d:2]),
}


@pytest.mark.parametrize("claim", [*HOLDS, *FAILS])
def test_verdict_holds_at_other_sizes_bases_seeds(claim: str, measure: SimpleNamespace) -> None:
    assert claim.split(",")[0] in CLAIMS
    outcomes = (HOLDS | FAILS)[claim](measure)
    assert {*outcomes.tolist()} == {claim in HOLDS}
