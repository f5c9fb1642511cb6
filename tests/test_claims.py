"""A verdict follows from what was measured, and from nothing else."""

import ast
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest
from samples import everywhere

from course_utils import claims
from course_utils.claims import verdict
from course_utils.text import Text, words


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Text:
    """The one claim of a file of its own."""
    text = everywhere("The error is {error}, {code}.")
    lines = [f'{language} = "{words}"' for language, words in text.as_dict().items()]
    (tmp_path / "claims.toml").write_text("\n".join(["[sample]", *lines]), encoding="utf-8")
    monkeypatch.setattr(claims, "MODULE_FOLDER", tmp_path)
    return text.format(error=3)


@pytest.mark.parametrize(
    ("always", "usually", "name"),
    [(True, True, "true"), (False, True, "within-limits"), (False, False, "false")],
)
def test_the_verdict_follows_the_measurements(always, usually, name, sample):
    shown = verdict("sample", always=always, usually=usually, error=3)
    said = claims.VERDICTS[name]
    assert shown.plain == (said + sample).lines
    assert shown.html == (said.map("<b>{}</b>".format) + sample).blocks()


def test_what_holds_always_must_hold_usually(sample):
    with pytest.raises(ValueError, match="also usually holds"):
        verdict("sample", always=True, usually=False, error=3)


def test_an_unknown_claim_is_refused_with_the_names_that_exist(sample):
    with pytest.raises(KeyError, match="claims.toml has no 'simple'; it has sample"):
        verdict("simple", always=True, usually=True)


# The verdicts of lesson 08 -----------------------------------------------------------------------

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "08_beyond_sinusoids.ipynb"
CLAIMS = {
    cell.id: cell.source
    for cell in nbformat.read(LESSON, as_version=4).cells
    if cell.id.startswith("verdict-")
}
OTHER_NUMBERS = [np.full(10_001, value) for value in (-1.0, 0.0, 0.5, 1.0, 1e12)]
OTHER_NUMBERS += [np.linspace(1, -0.1, 10_001), np.linspace(1, 0, 10_001) ** 8]


def call_of(source: str) -> ast.Call:
    """The call of ``verdict`` that ends a claim's cell."""
    call = ast.parse(source).body[-1].value
    assert call.func.id == "verdict"
    return call


def questions_asked(source: str) -> dict[str, ast.expr]:
    """The two comparisons of a claim's cell, by name."""
    call = call_of(source)
    return {
        keyword.arg: keyword.value
        for keyword in call.keywords
        if keyword.arg in ("usually", "always")
    }


def names_in(question: ast.expr) -> set[str]:
    names = {node.id for node in ast.walk(question) if isinstance(node, ast.Name)}
    return names - {"abs", "max", "min"}


def answers(questions: dict[str, ast.expr], values: dict[str, object]) -> tuple[bool, bool]:
    return tuple(
        bool(eval(compile(ast.Expression(questions[name]), "claim", "eval"), dict(values)))
        for name in ("usually", "always")
    )


def test_every_claim_with_words_is_checked_in_the_lesson_and_every_one_checked_has_words():
    named = [call_of(source).args[0].value for source in CLAIMS.values()]
    assert len(named) == 17
    assert sorted(named) == sorted(words(claims.MODULE_FOLDER / "claims.toml"))


@pytest.mark.parametrize("claim", CLAIMS)
def test_other_numbers_would_give_another_verdict(claim):
    questions = questions_asked(CLAIMS[claim])
    names = sorted(set().union(*map(names_in, questions.values())))
    indexed = {
        node.value.id
        for question in questions.values()
        for node in ast.walk(question)
        if isinstance(node, ast.Subscript)
    } | ({"shares"} & set(names))
    verdicts = set()
    for numbers in product(OTHER_NUMBERS, repeat=len(names)):
        values = {
            name: array if name in indexed else float(array[0])
            for name, array in zip(names, numbers, strict=True)
        }
        verdicts.add(answers(questions, values))
    assert len(verdicts) > 1


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_verdict_rests_on_numbers_that_were_computed(claim):
    """Nothing in the comparisons was typed in as a number."""
    source = "\n".join(CLAIMS.values())
    assigned_constants = {
        target.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    changed_later = {"refused", "worst"}
    for question in questions_asked(CLAIMS[claim]).values():
        names = names_in(question)
        assert names and not names & (assigned_constants - changed_later)
