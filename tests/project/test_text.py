"""Tests that texts and TOML files are complete in every language."""

import re
from pathlib import Path

import pytest
from checks.labs import REPOSITORY
from checks.parity import texts_problems, typewritten
from checks.samples import everywhere

import course_utils
from course_utils.words.formulas import with_formulas
from course_utils.words.text import BETWEEN, LANGUAGES, Text, Words, words

PACKAGE = Path(course_utils.__file__).parent
FILES = [path for path in PACKAGE.rglob("*.toml") if path.name != "languages.toml"]
FIRST, *_, LAST = LANGUAGES
ROW = everywhere("the <b>{code}</b> row")


def test_text_without_language_is_rejected():
    words = ["word"] * len(LANGUAGES)
    for last in (" \n", None):
        with pytest.raises(ValueError, match=f"words in every language; {LAST} is "):
            Text(*words[:-1], last)
    for wrong_number in (words[:-1], [*words, "word"]):
        with pytest.raises(ValueError, match=f"needs {len(words)} languages; got"):
            Text(*wrong_number)


def test_every_language_is_marked_with_its_code():
    marked = [f'lang="{x}" class="course-{x}">the <b>{x}</b> row<' for x in LANGUAGES]
    assert ROW.blocks() == "".join(f"<div {each}/div>" for each in marked)
    assert ROW.inline() == BETWEEN.join(f"<span {each}/span>" for each in marked)
    assert ROW.lines.splitlines() == [f"the {language} row" for language in LANGUAGES]
    assert ROW.one_line == " · ".join(ROW.lines.splitlines())
    assert everywhere("vector").one_line == "vector"


def test_values_in_text_are_escaped():
    filled = everywhere("{word}: {value}").format(word=everywhere("{code}"), value="<script>")
    assert filled == everywhere("{code}: &lt;script&gt;")
    assert filled.plain == everywhere("{code}: <script>")
    joined = Text.join(", ", [everywhere("one {code}"), everywhere("two {code}")])
    assert joined == everywhere("one {code}, two {code}")
    assert everywhere("one {code}") + everywhere("two") == everywhere("one {code} two")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_of_texts_agrees_in_every_language(path):
    assert list(texts_problems(path.stem, words(path))) == []


TEXTS = dict.fromkeys(LANGUAGES, "row {i}")


def loaded(folder: Path, entry: dict[str, str]) -> Words:
    lines = [f"{code} = '{words}'" for code, words in entry.items()]
    (folder / "sample.toml").write_text("\n".join(["[[group.row]]", *lines]), encoding="utf-8")
    return words(folder / "sample.toml")


def test_missing_entry_is_named(tmp_path):
    group = loaded(tmp_path, TEXTS)["group"]
    assert group["row"] == [everywhere("row {i}")]
    with pytest.raises(KeyError, match=r"sample\.toml group has no 'rows'; it has row\."):
        group["rows"]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({x: TEXTS[x] for x in [*LANGUAGES][:-1]}, f"{LAST} is missing"),
        (TEXTS | {"qq": "row {i}"}, "'qq' is not a language in languages.toml"),
        (TEXTS | {LAST: "row {j}"}, f"in every language; {LAST} has"),
        (TEXTS | {FIRST: "row {"}, "in 'row {'"),
    ],
)
def test_faulty_entry_is_rejected_by_name(entry, complaint, tmp_path):
    with pytest.raises(ValueError, match=r"^sample\.toml group row \[0\]: ") as refused:
        loaded(tmp_path, entry)
    assert complaint in str(refused.value)


def test_prose_has_typographic_signs():
    for path in REPOSITORY.glob("*.md"):
        assert typewritten(path.read_text(encoding="utf-8")) == [], path
    assert typewritten("the head's row, from -3 to i - 1") == ["head's", "-3", " - "]


def test_formulas_become_mathml():
    source = "<p>$x$ costs $5 and $ 6, or $$y$$ and <code>$z$</code></p>"
    shown = with_formulas(source)
    assert re.findall(r'<math display="(\w+)"><mi>(\w)</mi>', shown) == [
        ("inline", "x"),
        ("block", "y"),
    ]
    assert re.sub("<math.*?</math>", "…", shown) == source.replace("$x$", "…").replace("$$y$$", "…")
    signs = re.findall("<mo([^>]*)>&#x02212;", with_formulas("$-a - b = -(-c)$"))
    assert signs[1:] == ["", ' form="prefix"', ' form="prefix"']  # a browser sees the first itself
