"""The letters of formulas, and which of them the glossary has, with their subscripts."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
from private_jupyter import notebooks_with_outputs

import course_utils

from .glossary import glossary
from .parity import FORMULA

WORDS = re.compile(r"\\(?:text|mathrm|operatorname|begin|end)\*?\{[^}]*\}")
TRANSPOSED = re.compile(r"\\(?:mathsf\{?\s*T\}?|top)")
NAMES = "alpha|beta|gamma|[dD]elta|[tT]heta|lambda|mu|(?:var)?phi|psi|rho|sigma|tau|omega"
GREEK = rf"(?:{NAMES})(?![a-zA-Z])"
ATOM = re.compile(rf"(PE|\\{GREEK}|(?<![\\A-Za-z])[A-Za-z])(_(?:\{{[^}}]*\}}|\\?\w))?")
COMMAND = re.compile(rf"\\(?!{GREEK})(?:[a-zA-Z]+|.)")

# Other meanings: of k, of b, of beta; and i is a position, not the root of -1.
ELSEWHERE = re.compile(r"M\(k|b\^|\\beta(?!\s*\()|i\s*\\sin")

# r is i - j everywhere: how far the query is ahead of its key. So a key stands at i - r.
REVERSED = re.compile(r"j\s*-\s*i|i\s*\+\s*r|j\s*=\s*i\s*\+")


def letters_problems(formula: str) -> list[str]:
    """Letters that the glossary does not have, or not in this way."""
    found = [match[0] for match in ELSEWHERE.finditer(formula)]
    found += [match[0] for match in REVERSED.finditer(formula)]
    for letter, subscript in ATOM.findall(
        COMMAND.sub(" ", TRANSPOSED.sub("", WORDS.sub(" ", formula)))
    ):
        atom = letter + re.sub(r"[{}\s,]", "", subscript)
        parts = [atom, *re.findall("[A-Za-z]", subscript)]
        found += [part for part in parts if not any(known.fullmatch(part) for known in letters())]
    return found


@cache
def letters() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern)
        for symbol in glossary()["symbol"].values()
        for pattern in symbol["letters"]
    )


@cache
def formulas_of_the_course() -> dict[str, set[str]]:
    """All formulas by the file that they stand in: prose, and whatever code shows."""
    texts = {
        path.stem: "\n\n".join(
            cell.source
            for cell in nbformat.read(path, as_version=4).cells
            if cell.cell_type == "markdown"
        )
        for path in notebooks_with_outputs()
    }
    for file in sorted(Path(course_utils.__file__).parent.rglob("*.toml")):
        texts[file.name] = "\n\n".join(_strings(tomllib.loads(file.read_text("utf-8"))))
    found = {
        place: {match[1] or match[2] or match[3] for match in FORMULA.finditer(text)}
        for place, text in texts.items()
    }
    return {place: formulas for place, formulas in found.items() if formulas}


def _strings(entry: object) -> Iterator[str]:
    if isinstance(entry, dict):
        entry = list(entry.values())
    if isinstance(entry, list):
        for each in entry:
            yield from _strings(each)
    elif isinstance(entry, str):
        yield entry
