"""Tests of the parser for bilingual cells."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from checks.samples import in_every_language, prose
from private_jupyter import notebooks_with_outputs

from course_utils.words.cells import halves, heading, in_one_language
from course_utils.words.text import LANGUAGES

HEADING = in_every_language({"en": "Waves", "es": "Ondas"})
TEXTS = in_every_language({"en": "A wave.\n\n- one", "es": "Una onda.\n\n- una"})
SOURCE = prose(HEADING, TEXTS)


def test_cell_has_heading_in_two_languages():
    assert halves(SOURCE) == TEXTS
    found = heading(SOURCE)
    assert (found.level, found.number, found.texts) == (2, "2", HEADING)
    assert found.line("es") == "2 · Ondas"


def test_cell_without_heading_or_languages():
    assert heading('<div lang="en">\n\n# Not bilingual\n\n</div>') is None
    assert halves("Plain text") == {}


def test_parts_in_one_language_are_joined():
    assert halves('<div lang="en">\n\nOne\n\n</div>\n\n<div lang="en">\nTwo\n</div>') == {
        "en": "One\n\nTwo"
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_language_has_heading_with_text(language):
    words = f"## 2 · {HEADING[language]} {TEXTS[language]}".split()
    assert in_one_language(SOURCE, language).split() == words


@pytest.mark.parametrize("path", notebooks_with_outputs(), ids=lambda path: path.stem)
def test_html_parser_finds_same_parts(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "markdown":
            continue
        tree = BeautifulSoup(cell.source, "html.parser")
        for language in LANGUAGES:
            texts = [div.decode_contents() for div in tree.select(f'div[lang="{language}"]')]
            expected = BeautifulSoup(" ".join(texts), "html.parser").get_text().split()
            found = BeautifulSoup(halves(cell.source).get(language, ""), "html.parser")
            assert found.get_text().split() == expected, cell.id
        if found := heading(cell.source):
            spans = tree.select("span[lang]")[: len(LANGUAGES)]
            assert found.texts == {span["lang"]: span.decode_contents() for span in spans}, cell.id
