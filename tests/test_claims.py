"""A verdict follows from what was measured, and stays closed until the reader has guessed."""

import ast
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from javascript import running
from samples import everywhere

from course_utils.lessons import verdicts
from course_utils.lessons.verdicts import CLAIMS, POSSIBLE, VERDICTS, right_guesses, verdict
from course_utils.notebook import switch
from course_utils.words.text import LANGUAGES, Text


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> Text:
    """The one claim there is."""
    text = everywhere("The error is {error}, {code}.")
    monkeypatch.setattr(verdicts, "CLAIMS", {"sample": text})
    return text.format(error=3)


@pytest.mark.parametrize(
    ("always", "usually", "name"),
    [(True, True, "true"), (False, True, "nuances"), (False, False, "false")],
)
def test_the_verdict_follows_the_measurements_and_stands_in_every_choice(
    always: bool, usually: bool, name: str, sample: Text
) -> None:
    shown = verdict("sample", always=always, usually=usually, error=3)
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


def test_what_holds_always_must_hold_usually(sample: Text) -> None:
    with pytest.raises(ValueError, match="always holds usually"):
        verdict("sample", always=True, usually=False, error=3)


def test_an_unknown_claim_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(KeyError, match=r"claims.toml has no 'simple'; it has unique, .*halves"):
        verdict("simple", always=True, usually=True)


def test_the_first_guess_on_a_claim_counts_and_no_other() -> None:
    opened = [["a", False], ["a", True], ["b", True], ["b", False], [None, True], ["c", True]]
    with running(switch.FOLDER / "switch.js") as ask:
        counts = "(guesses => given.map(each => countGuess(guesses, ...each)))(new Map())"
        assert ask(counts, opened) == [0, 0, 1, 1, 1, 2]
    assert f"of {len(CLAIMS)}." in right_guesses().html


# The verdicts of lesson 10 -----------------------------------------------------------------------

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "10_myths.ipynb"
CELLS = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells}
MEASURED = {
    name.removeprefix("verdict-"): source
    for name, source in CELLS.items()
    if name.startswith("verdict-")
}
OTHER_NUMBERS = [-1.0, 0.0, 0.5, 1.0, 1e12]


def asked(source: str) -> dict[str, ast.expr]:
    """The two comparisons of a claim's cell, by name."""
    call = ast.parse(source).body[-1].value
    return {
        keyword.arg: keyword.value
        for keyword in call.keywords
        if keyword.arg in ("usually", "always")
    }


def names_in(comparison: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(comparison) if isinstance(node, ast.Name)} - {"max", "min"}


def answer(comparison: ast.expr, values: dict[str, object]) -> bool:
    return bool(eval(compile(ast.Expression(comparison), "claim", "eval"), dict(values)))


def test_every_claim_with_words_is_measured_in_the_lesson_and_no_other() -> None:
    assert list(MEASURED) == list(CLAIMS)
    for number, name in enumerate(MEASURED, start=1):
        assert CELLS[f"claim-{name}"].startswith(f"## {number} · ")


@pytest.mark.parametrize("claim", MEASURED)
def test_other_numbers_would_give_another_verdict(claim: str) -> None:
    comparisons = asked(MEASURED[claim])
    names = sorted(set().union(*map(names_in, comparisons.values())) - {"all"})
    verdicts = set()
    for numbers in product(OTHER_NUMBERS, repeat=len(names)):
        values: dict[str, object] = dict(zip(names, numbers, strict=True))
        values |= {"shares": {512: values.get("shares")}} if "shares" in names else {}
        values |= {"narrow": [values["narrow"]]} if claim == "unique" else {}
        verdicts.add(tuple(answer(each, values) for each in comparisons.values()))
    assert len(verdicts) > 1


@pytest.fixture(scope="module")
def measure() -> dict[str, Callable]:
    """The functions that the lesson measures with."""
    defined: dict[str, Callable] = {}
    for name, source in CELLS.items():
        if name == "imports" or name.startswith("measure-"):
            exec(compile(source, name, "exec"), defined)
    return defined


WIDTHS, BASES, SEEDS = (4, 32, 256), (100, 10_000, 500_000), range(3)
USED = [*product((16, 64, 256), (32, 512), (1000, 10_000, 500_000))]
"""d_model, trained length and base, as heads of attention have them."""


def halves_differ(measure: dict, columns: Callable[[int], np.ndarray]) -> Iterable[bool]:
    for d_model, base, seed in product(WIDTHS, BASES, SEEDS):
        neighbours = measure["scores"](measure["rotate"], np.arange(d_model), base, seed)
        other = measure["scores"](measure["rotate_halves"], columns(d_model), base, seed)
        yield np.abs(other - neighbours).max() > 1e-9


# What each verdict rests on: whether it comes out the same wherever the lesson does not say more.
SETTINGS: dict[str, tuple[bool, Callable[[dict], Iterable[bool]]]] = {
    "unique": (
        True,
        lambda f: (f["all_different"](n, *s) for n in (9, 3000) for s in product((2, 64), BASES)),
    ),
    "sines": (
        True,
        lambda f: (
            f["nearest_rows"](n, *s) > 1e-9 for n in (9, 1500) for s in product((2, 64), BASES)
        ),
    ),
    "longest": (
        False,
        lambda f: (f["share_of_claimed"](*s) > 0.999 for s in product((2, *WIDTHS, 8192), BASES)),
    ),
    "shift": (
        True,
        lambda f: (f["largest_shift_error"](*s) < 1e-9 for s in product(WIDTHS, BASES, (103, 250))),
    ),
    "distance-only": (
        True,
        lambda f: (f["spread"](*s) < 1e-9 for s in product(WIDTHS, BASES, (50, 250))),
    ),
    "harmless, scaled": (
        True,
        lambda f: (f["growth"](np.sqrt(d), d, seed) < 2 for d in WIDTHS for seed in SEEDS),
    ),
    "harmless, of length 1": (
        False,
        lambda f: (f["growth"](1, d, seed) < 2 for d in WIDTHS[1:] for seed in SEEDS),
    ),
    "causal, two layers": (
        True,
        lambda f: (f["notices_a_swap"](2, *s) for s in product((3, 500), WIDTHS, SEEDS)),
    ),
    "causal, one layer": (
        False,
        lambda f: (f["notices_a_swap"](1, *s) for s in product((3, 500), WIDTHS, SEEDS)),
    ),
    "rope-extrapolates, its own curve": (
        True,
        lambda f: (
            max(f["errors_of_fit"](penalty, d, length, base, base, own=True)) < 0.05
            for penalty in (0, 1e-6, 1e-3, 1)
            for d, length, base in USED
        ),
    ),
    "rope-extrapolates, a dying curve": (
        False,
        lambda f: (
            max(f["errors_of_fit"](penalty, d, length, base, base)) < 0.05
            for penalty in (0, 1e-6, 1e-3, 1)
            for d, length, base in USED
        ),
    ),
    "rope-decays": (
        False,
        lambda f: (f["share_that_falls"](*s) > 0.75 for s in product((2, *WIDTHS), BASES, SEEDS)),
    ),
    "rope-decays, a correlation of 0.2": (
        True,
        lambda f: (0.7 < f["share_that_falls"](64, 10_000, seed, 0.2) < 0.8 for seed in range(9)),
    ),
    "base, reach": (
        True,
        lambda f: (
            f["reach"](d, low) < f["reach"](d, high)
            for d in (16, 64, 128)
            for low, high in ((100, 1000), (1000, 10_000), (10_000, 500_000))
        ),
    ),
    "base, only the number": (
        False,
        lambda f: (
            f["errors_of_fit"](1e-3, d, length, base, 10 * base)[0] < 0.05
            for d, length, base in USED
        ),
    ),
    "bfloat16, angles": (
        False,
        lambda f: (
            f["sine_errors"](n, *s)[0] < 0.01 for n in (1024, 4096) for s in product(WIDTHS, BASES)
        ),
    ),
    "bfloat16, where every whole number exists": (
        False,
        lambda f: (f["sine_errors"](257, *s)[0] < 0.01 for s in product(WIDTHS[1:], BASES)),
    ),
    "bfloat16, finished sines": (
        True,
        lambda f: (f["sine_errors"](1024, *s)[1] < 0.01 for s in product(WIDTHS, BASES)),
    ),
    "halves, in order": (
        False,
        lambda f: halves_differ(f, lambda d: np.r_[0:d:2, 1:d:2]),
    ),
    "halves, as they are": (True, lambda f: halves_differ(f, np.arange)),
}


@pytest.mark.parametrize("claim", SETTINGS)
def test_a_verdict_is_the_same_at_other_sizes_bases_and_seeds(claim: str, measure: dict) -> None:
    holds, outcomes = SETTINGS[claim]
    assert claim.split(",")[0] in CLAIMS
    assert set(map(bool, outcomes(measure))) == {holds}
