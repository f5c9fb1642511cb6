"""A verdict follows from what was measured, and from nothing else."""

from __future__ import annotations

import ast
import tomllib
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course_utils.claims import verdict

REPOSITORY = Path(__file__).resolve().parent.parent
NUMBERS = {"sines": "1.1", "pairs": "0.0"}


@pytest.mark.parametrize(
    ("always", "usually", "english", "spanish"),
    [
        (True, True, "True.", "Cierto."),
        (False, True, "True within limits.", "Cierto, con matices."),
        (False, False, "False.", "Falso."),
    ],
)
def test_the_verdict_follows_the_measurements(always, usually, english, spanish):
    shown = verdict("sines", always=always, usually=usually, **NUMBERS)
    because = "Con 32 senos el error llega a 1.1; con sus cosenos es 0.0."
    assert shown.plain.startswith(f"{english} With 32 sines the error reaches 1.1; ")
    assert shown.plain.endswith(f"\n{spanish} {because}")
    assert f'<div lang="es" class="course-es"><b>{spanish}</b> {because}</div>' in shown.html


def test_what_holds_always_must_hold_usually():
    with pytest.raises(ValueError, match="also usually holds"):
        verdict("sines", always=True, usually=False, **NUMBERS)


# The verdicts of lesson 08 -----------------------------------------------------------------------

LESSON = REPOSITORY / "notebooks" / "08_beyond_sinusoids.ipynb"
CLAIMS = {
    cell.id: cell.source
    for cell in nbformat.read(LESSON, as_version=4).cells
    if cell.id.startswith("verdict-")
}
OTHER_NUMBERS = [np.full(10_001, value) for value in (-1.0, 0.0, 0.5, 1.0, 1e12)]
OTHER_NUMBERS += [np.linspace(1, -0.1, 10_001), np.linspace(1, 0, 10_001) ** 8]


def questions_asked(source: str) -> dict[str, ast.expr]:
    """The two comparisons of a claim's cell, by name."""
    call = ast.parse(source).body[-1].value
    assert call.func.id == "verdict"
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


def test_seventeen_claims_are_checked_and_each_has_its_sentence():
    said = tomllib.loads((REPOSITORY / "course_utils" / "claims.toml").read_text(encoding="utf-8"))
    assert [name.removeprefix("verdict-") for name in CLAIMS] == list(said)
    assert len(said) == 17


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
