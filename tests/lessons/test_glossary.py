"""Tests that lessons link to the glossary and that it contains the symbols of all formulas."""

import re
from pathlib import Path

import nbformat
import pytest
from checks.glossary import glossary as entries
from checks.parity import FORMULA
from generators.glossary import NOTEBOOK
from private_jupyter import REPOSITORY, notebooks_with_outputs

from course_utils.words.text import LANGUAGES


def test_every_lesson_links_to_glossary() -> None:
    for lesson in NOTEBOOK.parent.glob("[0-9]*.ipynb"):
        assert lesson.read_text("utf-8").count("](glossary.ipynb)") >= len(LANGUAGES), lesson


# Letters with their subscripts in formulas, both in prose and in the output of code.

WORDS = re.compile(r"\\(?:text|mathrm|operatorname|begin|end)\*?\{[^}]*\}")
TRANSPOSED = re.compile(r"\\(?:mathsf\{?\s*T\}?|top)")
NAMES = "alpha|beta|gamma|[dD]elta|[tT]heta|lambda|mu|(?:var)?phi|psi|rho|sigma|tau|omega"
GREEK = rf"(?:{NAMES})(?![a-zA-Z])"
ATOM = re.compile(rf"(PE|\\{GREEK}|(?<![\\A-Za-z])[A-Za-z])(_(?:\{{[^}}]*\}}|\\?\w))?")
COMMAND = re.compile(rf"\\(?!{GREEK})(?:[a-zA-Z]+|.)")
LETTERS = [
    re.compile(pattern) for symbol in entries()["symbol"].values() for pattern in symbol["letters"]
]

# Other meanings of k, b and beta; i is always a position, never the square root of -1.
ELSEWHERE = re.compile(r"M\(k|b\^|\\beta(?!\s*\()|i\s*\\sin")

# Everywhere, r = i - j is how far the query is ahead of its key, so the key is at i - r.
REVERSED = re.compile(r"j\s*-\s*i|i\s*\+\s*r|j\s*=\s*i\s*\+")
R_REVERSED = {"04_rotation", "06_into_attention", "07_longer_than_trained"}
"""Notebooks in which r is still the distance from the query to the key."""


def letters_problems(formula: str) -> list[str]:
    """Return symbols that are missing from the glossary."""
    found = [match[0] for match in ELSEWHERE.finditer(formula)]
    letters = COMMAND.sub(" ", TRANSPOSED.sub("", WORDS.sub(" ", formula)))
    for letter, subscript in ATOM.findall(letters):
        parts = [letter + re.sub(r"[{}\s,]", "", subscript), *re.findall("[A-Za-z]", subscript)]
        found += [part for part in parts if not any(known.fullmatch(part) for known in LETTERS)]
    return found


def text_of(path: Path) -> str:
    if path.suffix == ".toml":
        return path.read_text("utf-8").replace("\\\\", "\\")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


TEXTS = [*notebooks_with_outputs(), *sorted(REPOSITORY.glob("course_utils/**/*.toml"))]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_symbols_have_meaning_in_glossary(path: Path) -> None:
    for formula in {match[0] for match in FORMULA.finditer(text_of(path))}:
        assert letters_problems(formula) == [], formula
        assert path.stem in R_REVERSED or not REVERSED.search(formula), formula


def test_symbol_with_another_meaning_is_found() -> None:
    assert letters_problems(r"PE_{p,\,2k}") == ["p"]
    assert letters_problems(r"\cos\alpha + i \sin\alpha") == [r"i \sin"]
    assert REVERSED.search(r"PE_{i+r} = M(r)\,PE_i")
