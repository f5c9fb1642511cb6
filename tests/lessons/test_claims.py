"""A verdict follows from what was measured, and stays closed until the reader has guessed."""

import ast
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

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
    """The one claim there is."""
    text = everywhere("The error is {error}, {code}.")
    monkeypatch.setattr(verdicts, "CLAIMS", {"sample": text})
    return text.format(error=3)


@pytest.mark.parametrize(
    ("holds", "name"),
    [([True, True], "true"), ([False, True], "nuances"), ([False], "false")],
)
def test_the_verdict_follows_the_measurements_and_stands_in_every_choice(
    holds: list[bool], name: str, sample: Text
) -> None:
    shown = verdict("sample", holds=holds, error=3)
    said = VERDICTS["verdict"].format(verdict=VERDICTS[name].map(str.lower))
    assert shown.plain == (said + sample).lines
    box = BeautifulSoup(shown.html, "html.parser").find(attrs={"data-guess": "sample"})
    assert [choice.summary.span.text for choice in box("details")] == [
        VERDICTS[possible][next(iter(LANGUAGES))] for possible in POSSIBLE
    ]
    for choice, possible in zip(box("details"), POSSIBLE, strict=True):
        right = possible == name
        assert ("course-right" in choice["class"]) == right
        answer = VERDICTS["yes" if right else "no"] + said + sample
        assert [block.text for block in choice("div")] == [*answer.as_dict().values()]
        choice.extract()
    assert not any(words in box.text for words in sample.as_dict().values())


def test_a_claim_that_does_not_exist_or_has_no_case_is_refused() -> None:
    with pytest.raises(KeyError, match=r"claims.toml has no 'simple'; it has unique, .*halves"):
        verdict("simple", holds=[True])
    with pytest.raises(ValueError, match="an entry for each case"):
        verdict("bfloat16", holds=[])


# The verdicts of lesson 10 -----------------------------------------------------------------------

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "10_myths.ipynb"
CELLS = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells}
MEASURED = {
    name.removeprefix("verdict-"): source
    for name, source in CELLS.items()
    if name.startswith("verdict-")
}


def test_every_claim_with_words_is_measured_in_the_lesson_and_no_other() -> None:
    assert list(MEASURED) == list(CLAIMS)
    for number, name in enumerate(MEASURED, start=1):
        assert CELLS[f"claim-{name}"].startswith(f"## {number} · ")


@pytest.mark.parametrize("claim", MEASURED)
def test_other_numbers_would_give_another_verdict(claim: str) -> None:
    call = ast.parse(MEASURED[claim]).body[-1].value
    holds = next(keyword.value for keyword in call.keywords if keyword.arg == "holds")
    if isinstance(holds, ast.Name):  # a list of cases, made in the cell
        return
    names = sorted({node.id for node in ast.walk(holds) if isinstance(node, ast.Name)})
    code = compile(ast.Expression(holds), claim, "eval")
    verdicts = {
        tuple(eval(code, dict(zip(names, numbers, strict=True))))
        for numbers in product([-1.0, 0.0, 0.5, 1.0, 1e12], repeat=len(names))
    }
    assert len(verdicts) > 1


@pytest.fixture(scope="module")
def measure() -> dict[str, Callable]:
    """The functions that the lesson measures with."""
    defined: dict[str, Callable] = {}
    for name, source in CELLS.items():
        if name == "imports" or name.startswith("measure-"):
            exec(compile(source, name, "exec"), defined)
    return defined


WIDTHS, BASES, SEEDS = (4, 32, 256), (100, 500_000), range(2)


def at(function: Callable, *choices: Iterable) -> np.ndarray:
    """What the function gives for all choices of its arguments."""
    return np.array([function(*each) for each in product(*choices)])


def halves_differ(measure: dict, columns: Callable[[int], np.ndarray]) -> np.ndarray:
    def difference(d_model: int, base: float, seed: int) -> float:
        neighbours = measure["scores"](measure["rotate"], np.arange(d_model), base, seed)
        other = measure["scores"](measure["rotate_halves"], columns(d_model), base, seed)
        return np.abs(other - neighbours).max()

    return at(difference, WIDTHS, BASES, SEEDS) > 1e-9


def pieces(*lengths: int) -> list[str]:
    """Texts in both languages, from their beginnings, that no model was trained on."""
    texts = [text for language in LANGUAGES_READ for text in held_out_texts(language)]
    return [text[:length] for text in texts for length in lengths]


# What each verdict rests on: whether it comes out the same wherever the lesson does not say more.
SETTINGS: dict[str, tuple[bool, Callable[[dict], np.ndarray]]] = {
    "unique": (True, lambda f: at(f["all_different"], (9, 3000), (2, 64), BASES)),
    "sines": (
        True,
        lambda f: (
            at(lambda *sizes: f["nearest_rows"](*sizes).min(), (9, 700), (64, 256), BASES) > 0.01
        ),
    ),
    "distance-only, untrained": (
        False,
        lambda f: at(f["scores_along"], WIDTHS, SEEDS, (False, True), BASES).std(axis=-1) < 0.1,
    ),
    "distance-only, trained": (
        False,
        lambda f: at(f["attention_moved"], pieces(16, 32), (1, 15, 32)) < 0.01,
    ),
    "harmless, scaled": (
        True,
        lambda f: at(lambda d, seed: f["growth"](np.sqrt(d), d, seed), WIDTHS, SEEDS) < 2,
    ),
    "harmless, of length 1": (False, lambda f: at(f["growth"], [1], WIDTHS[1:], SEEDS) < 2),
    "causal, two layers": (
        False,
        lambda f: at(f["change_by_a_swap"], [2, 3, 6], (3, 500), WIDTHS, SEEDS) < 1e-9,
    ),
    "causal, one layer": (
        True,
        lambda f: at(f["change_by_a_swap"], [1], (3, 500), WIDTHS, SEEDS) < 1e-9,
    ),
    "causal, trained": (
        False,
        lambda f: abs(at(f["worse_by_a_shuffle"], pieces(16, TRAINED_LENGTH), SEEDS)) < 1e-9,
    ),
    "rope-decays, unrelated": (
        True,
        lambda f: abs(at(f["share_that_falls"], (32, 128), BASES, SEEDS) - 0.5) < 0.1,
    ),
    "rope-decays, equal": (
        True,
        lambda f: at(f["share_that_falls"], (64, 128), BASES[1:], SEEDS, [1]) > 0.9,
    ),
    "rope-decays, opposite": (
        False,
        lambda f: at(f["share_that_falls"], (64, 128), BASES[1:], SEEDS, [-1]) > 0.1,
    ),
    "bfloat16, angles": (
        False,
        lambda f: at(f["sine_errors"], (1024, 4096), WIDTHS, BASES)[:, 0] < 0.01,
    ),
    "bfloat16, where every whole number exists": (
        False,
        lambda f: at(f["sine_errors"], [257], WIDTHS[1:], BASES)[:, 0] < 0.01,
    ),
    "bfloat16, finished sines": (
        True,
        lambda f: at(f["sine_errors"], [1024], WIDTHS, BASES)[:, 1] < 0.01,
    ),
    "halves, in order": (False, lambda f: halves_differ(f, lambda d: np.r_[0:d:2, 1:d:2])),
    "halves, as they are": (True, lambda f: halves_differ(f, np.arange)),
}


@pytest.mark.parametrize("claim", SETTINGS)
def test_a_verdict_is_the_same_at_other_sizes_bases_and_seeds(claim: str, measure: dict) -> None:
    holds, outcomes = SETTINGS[claim]
    assert claim.split(",")[0] in CLAIMS
    assert set(map(bool, outcomes(measure))) == {holds}
