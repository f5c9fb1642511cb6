"""Check that the texts in all languages have the same numbers, formulas, code and links."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from course_utils.words.cells import HALF
from course_utils.words.text import BETWEEN, LANGUAGES, Text

from .glossary import glossary_problems
from .languages import FIRST, OTHERS, SEPARATOR, fits, language_of, sentences

HEADINGS = re.compile(r"(?:#{1,6} .*\n*)*")
HEADING = re.compile(r"^#{1,6} +(.*)", re.MULTILINE)
HEADING_PARTS = re.compile(
    rf"(?:[\d.]+{SEPARATOR})?"
    + BETWEEN.join(rf'<span lang="{language}">((?:(?!</?span).)*)</span>' for language in LANGUAGES)
)
BLANK_LINES = re.compile(r"\n[^\n].*[^\n]\n\n\Z|\n[^\n]\n\n\Z", re.DOTALL)
"""Pattern of a text with blank lines around it."""

WORDLESS = re.compile(r'<img [^>]*\balt=""[^>]*>')
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|<code>(.*?)</code>", re.DOTALL)
FORMULA = re.compile(
    r"(?<!\\)\$\$(.+?)\$\$|(?<!\\)\$(?!\s)([^$]+?)(?<![\s\\])\$"
    r"|(\\begin\{(?P<env>\w+\*?)\}.*?\\end\{(?P=env)\})",
    re.DOTALL,
)
WORDS_IN_FORMULA = re.compile(r"\\(?:text|mathrm)\{[^}]*[^\W\d_]{3,}[^}]*\}")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
CITED = re.compile(r"<cite>.*?</cite>|“[^”]*”|«[^»]*»|\"[^\"\n]*\"", re.DOTALL)
LIST_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)]|>)\s+", re.MULTILINE)
TABLE_ROW = re.compile(r"^\s*\|(.*)\|\s*$", re.MULTILINE)
IDENTIFIER = re.compile(r"\b(?:arXiv|doi|ISBN)\b", re.IGNORECASE)
TAG = re.compile(r"<[^>]+>")
TYPEWRITTEN = re.compile(r"\S*'\S*|(?<![\w-])-\d\S*|(?<=[\w)]) - (?=[\w(])")
DIGIT_GROUPS = re.compile(r"(?<=\d)\u202f(?=\d{3})")
"""Pattern of the thin space in Spanish numbers of five digits or more."""
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?")


def prose_problems(source: str) -> list[str]:
    """Return the problems with the languages in a Markdown cell."""
    text = HEADINGS.sub("", source, count=1)
    headings = HEADING.findall(source.removesuffix(text))
    parts = [(language, part) for language, part in HALF.findall(text) if BLANK_LINES.match(part)]
    languages = [language for language, _ in parts]
    problems = [problem for heading in headings for problem in _heading_problems(heading)]
    if outside := WORDLESS.sub("", HALF.sub(_unless_well_formed, text)).strip():
        problems.append(f"not as it must be, in a <div> with blank lines: {outside[:60]!r}")
    if any(HEADING.search(CODE.sub("", part)) for _, part in parts):
        problems.append("a heading in one language only")
    if languages == list(LANGUAGES):
        problems += compare(dict(parts)) + _typewritten(dict(parts))
    elif languages or not headings:
        problems.append(f"the languages are {languages}, not {[*LANGUAGES]}")
    return problems


def _unless_well_formed(part: re.Match[str]) -> str:
    return "" if BLANK_LINES.match(part[2]) else part[0]


def typewritten(text: str) -> list[str]:
    """Return each ' and - in prose that should be ’ or −."""
    return [sign for item in _parts(text)["items"] for sign in TYPEWRITTEN.findall(item)]


def compare(texts: dict[str, str]) -> list[str]:
    """Return the differences between the languages of a text in Markdown or HTML."""
    problems = []
    parts = {language: _parts(texts[language]) for language in LANGUAGES}
    for kind in ("code spans", "formulas", "links", "numbers"):
        first, *others = (Counter(parts[language][kind]) for language in LANGUAGES)
        problems += [
            f"{kind} differ: only in {FIRST} {_listed(first - other)}, "
            f"only in {language} {_listed(other - first)}"
            for language, other in zip(OTHERS, others, strict=True)
            if first != other
        ]
    for language in LANGUAGES:
        if not texts[language].strip():
            problems.append(f"{language} is empty")
        problems += _language_problems(parts[language]["items"], language)
    problems += glossary_problems({x: "\n\n".join(parts[x]["items"]) for x in LANGUAGES})
    return problems


def texts_problems(name: str, entry: object) -> Iterator[str]:
    """Return the problems of all texts in a TOML file."""
    if isinstance(entry, Text):
        texts = entry.as_dict()
        yield from (f"{name}: {problem}" for problem in compare(texts) + _typewritten(texts))
    elif isinstance(entry, list):
        for number, item in enumerate(entry):
            yield from texts_problems(f"{name}[{number}]", item)
    elif isinstance(entry, dict):
        for key, value in entry.items():
            yield from texts_problems(f"{name}.{key}", value)


def _typewritten(texts: dict[str, str]) -> list[str]:
    return [
        f"in {language}, ’ or − should stand in {sign!r}"
        for language in LANGUAGES
        for sign in typewritten(texts[language])
    ]


def _heading_problems(heading: str) -> list[str]:
    parts = HEADING_PARTS.fullmatch(heading)
    if parts is None:
        return [f"a heading must read as in CONTRIBUTING.md, not {heading!r}"]
    texts = dict(zip(LANGUAGES, parts.groups(), strict=True))
    return [f"heading {heading!r}: {problem}" for problem in compare(texts) + _typewritten(texts)]


def _parts(text: str) -> dict[str, list[str]]:
    """Split a text into the parts that must be equal in all languages, and the other words."""
    code = [(match[2] or match[3] or "").strip() for match in CODE.finditer(text)]
    text = CODE.sub(" ", text)
    # Words in a formula depend on the language.
    formulas = ["".join(WORDS_IN_FORMULA.sub("", m[0]).split()) for m in FORMULA.finditer(text)]
    text = FORMULA.sub(" ", text)
    links = [f"{match[1]}{match[3]}" for match in LINK.finditer(text)]
    items = [_without_works(item) for item in _items(text)]
    text = unescape(TAG.sub(" ", LINK.sub(r" \2 ", text)))
    numbers = NUMBER.findall(DIGIT_GROUPS.sub("", text).replace("−", "-"))
    shared_parts = {"code spans": code, "formulas": formulas, "links": links, "numbers": numbers}
    return shared_parts | {"items": items}


def _items(text: str) -> list[str]:
    """Split a text into paragraphs, list items and table cells."""
    text = LIST_MARK.sub("\n\n", text)
    text = TABLE_ROW.sub(lambda row: row[1].replace("|", "\n\n"), text)
    return [item for item in re.split(r"\n\s*\n", text) if item.strip()]


def _without_works(item: str) -> str:
    """Remove titles and quotations, which are not translated."""
    is_reference = IDENTIFIER.search(item) is not None
    item = LINK.sub(" " if is_reference else r" \2 ", CITED.sub(" ", item))
    return unescape(TAG.sub(" ", item))


def _language_problems(items: list[str], language: str) -> list[str]:
    judged = []
    for line in (" ".join(item.split()) for item in items):
        parts = sentences(line)
        judged += parts if any(map(language_of, parts)) else [line]
    return [
        f"{language} is not in its language: {part[:80]!r}"
        for part in judged
        if not fits(part, language)
    ]


def _listed(counter: Counter[str]) -> str:
    return ", ".join(repr(element) for element in sorted(counter.elements())) or "nothing"
