"""Tests of the web pages' search, with its index, results and keyboard shortcuts."""

import json
import string
from collections.abc import Callable
from functools import cache

import pytest
from checks import web

from course_utils.labs.messages import TEXTS
from course_utils.words.text import LANGUAGES
from web import searching

pytest_plugins = ["checks.browser", "checks.visits"]
SEARCH = """(form, asked) => {
    const box = form.querySelector("input");
    box.value = asked;
    box.dispatchEvent(new Event("input", {bubbles: true}));
    const links = [...form.querySelectorAll("li a")].map((link) => link.getAttribute("href"));
    return [form.querySelector("[role=status]").textContent, links];
}"""
SIGNS = string.punctuation + " ¿¡«»"


@pytest.fixture(scope="module")
def search_in(long_visit) -> Callable[[str], Callable[[str], list[str]]]:
    """Function that opens the search of a language, and returns a function for its queries."""

    @cache
    def open_search(language: str) -> Callable[[str], list[str]]:
        page = long_visit(f"{language}/index.html").page
        page.keyboard.press("/")
        form = page.locator("[role=search]")
        form.get_by_role("searchbox").fill("rope")
        form.locator("li a").first.wait_for()

        def search(asked: str) -> list[str]:
            status, found = form.evaluate(SEARCH, asked)
            assert bool(status) == bool(asked.strip())
            return found

        return search

    return open_search


@pytest.fixture(params=LANGUAGES)
def searched(search_in, request) -> Callable[[str], list[str]]:
    """Function that returns the results of a query."""
    return search_in(request.param)


def test_search_takes_every_character_without_stale_results(searched):
    # The page complains at the end of the visit if a query raises an error.
    assert not any(searched(sign) for sign in SIGNS)
    assert all(searched(character) for character in "arñ1")
    # The search distinguishes only letters (with or without accents) and digits from other signs.
    for character in SIGNS + "aAáñ1":
        assert searched("rope")
        assert searched(f"zzzzz{character}zzzzz") == []


@pytest.mark.parametrize("searched", ["en", "es"], indirect=True)
@pytest.mark.parametrize(
    "asked", ["rope_theta", "fine-tune", "base=10000", "¿RoPE?", "RoPE, ALiBi", "base, 10,000"]
)
def test_search_finds_words_with_signs_between_them(searched, asked):
    assert searched(asked) or asked == "fine-tune"


@pytest.mark.parametrize(
    ("searched", "asked", "term"),
    [
        ("en", "yarn", "YaRN"),
        ("en", "KV cache", "cache"),
        ("en", "context length", "context length"),
        ("en", "the length of the context", "context length"),
        ("es", "longitud de contexto", "longitud de contexto"),
        ("es", "caché KV", "caché"),
        ("es", "matrices de rotacion", "matriz de rotación"),
    ],
    indirect=["searched"],
)
def test_search_ranks_glossary_terms_first(searched, site, asked, term):
    file, _, anchor = searched(asked)[0].partition("#")
    assert file == "glossary.html"
    rows = [web.read(site / each / file).find(id=anchor) for each in LANGUAGES]
    assert term in {row.td.get_text() for row in rows}


@pytest.mark.parametrize("searched", ["en"], indirect=True)
def test_search_ignores_stop_words(searched):
    assert searched("ALiBi vs RoPE") == searched("ALiBi RoPE")
    assert searched("ALiBi vs RoPE")[0].startswith("08_beyond_sinusoids.html")


def test_search_opens_folded_text(visit):
    page = visit("en/index.html").page
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox").fill("softmax keepdims")
    page.locator("[role=search] li a").first.click()
    page.wait_for_url("**#attention-idea-more-1")
    fold = page.locator("#attention-idea-more-1")
    assert fold.get_attribute("open") is not None
    assert 0 <= fold.bounding_box()["y"] < 400


def test_search_keys_work_except_while_typing(visit):
    page = visit("en/index.html").page
    form = page.locator("[role=search]")
    for key in ("/", "Control+k", "Meta+k"):
        page.keyboard.press(key)
        form.wait_for(state="visible")
        page.keyboard.press("Escape")
        form.wait_for(state="hidden")
    page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
    field = page.locator("main > textarea")
    field.press("/")
    assert field.input_value() == "/" and not form.is_visible()


BODY = """<div class="cell" id="one"><h2>Head</h2><p>Open <b>text</b>.</p>
<details><summary>More</summary>Folded.</details>
<div data-guess="q"><details class="course-choice"><summary>Choice</summary><div>Why</div></details>
</div><details class="hint"><summary>Hint</summary>Given away</details></div>"""


def test_index_has_no_answers_or_hints():
    page, parts = searching.searchable(BODY)
    open_text = ("one", "Head", "Open text. Choice")
    assert parts == [open_text, ("one-more-1", "", "More Folded.", "closed")]
    assert 'id="one-more-1"' in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_index_links_to_existing_anchors(site, language):
    file = site / language / "words.js"
    start = file.read_text("utf-8").index('takeWords([["') + len("takeWords(")
    pages, _ = json.JSONDecoder().raw_decode(file.read_text("utf-8"), start)
    assert web._packed(file) < 3_200 * len(pages)
    for name, _, parts in pages:
        page = web.read(site / language / name)
        ids = {tag["id"] for tag in page.select("[id]")}
        assert {anchor for anchor, *_ in parts} <= ids
    searchable = " ".join(text for *_, parts in pages for _, _, text, *_ in parts)
    hints = [hint for each in TEXTS["exercise"].values() for hint in each["hints"]]
    assert not any(hint.plain[language] in searchable for hint in hints)
