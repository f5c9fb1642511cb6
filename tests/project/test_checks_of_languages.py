"""The checks of languages find differences: in prose cells, in HTML and in plain text."""

import pytest
from checks.glossary import terms
from checks.languages import language_of
from checks.outputs import html_problems, plain_problems
from checks.parity import prose_problems, texts_problems
from checks.samples import changed, in_every_language, prose, text

from course_utils.words.text import BETWEEN, LANGUAGES

HEADING = {"en": "Dot products", "es": "Productos escalares"}
SAID = {
    "en": "The dot product of rows 0 and 10 is $x_0 \\cdot x_{10} = 3$, as `table[0] @ table[10]` "
    "says ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).",
    "es": "El producto escalar de las filas 0 y 10 es $x_0 \\cdot x_{10} = 3$, como dice "
    "`table[0] @ table[10]` ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)).",
}
PROSE = prose(HEADING, SAID)
SPANISH = f'<div lang="es">\n\n{SAID["es"]}\n\n</div>\n'


def test_healthy_prose_has_no_problems():
    assert prose_problems(PROSE) == []


DRIFTS: dict[str, tuple[str, str, str, str]] = {
    "formula": ("es", "x_{10} = 3", "x_{10} = 4", "formulas differ"),
    "number": ("es", "filas 0 y 10", "filas 0 y 11", "only in en '10', only in es '11'"),
    "link": ("es", "1706.03762)", "1706.03763)", "links differ"),
    "code": ("es", "table[10]`", "tabla[10]`", "code spans differ"),
    "English in Spanish": (
        *("es", ")).", ")).\n\nNone of this depends on the word."),
        "es is not in its language: 'None of this depends on the word.'",
    ),
    "term not used": (
        *("es", "producto escalar", "producto punto"),
        "en says “dot product”, es does not say “producto escalar”",
    ),
}


@pytest.mark.parametrize("drift", DRIFTS)
def test_what_one_language_says_otherwise_is_found(drift):
    language, old, new, complaint = DRIFTS[drift]
    problems = prose_problems(prose(HEADING, {**SAID, language: changed(SAID[language], old, new)}))
    assert any(complaint in problem for problem in problems), problems


FORMS: dict[str, tuple[str, str, str]] = {
    "missing language": (SPANISH, "", "there must be one es part, not 0"),
    "prose outside all languages": (PROSE, PROSE + "\nMore.\n", "prose outside all languages"),
    "unknown language": ('<div lang="es">', '<div lang="qq">', "no language of the course: 'qq'"),
    "part that is not Markdown": ('<div lang="es">\n\n', '<div lang="es">\n', "a blank line"),
    "part that does not end": (SPANISH, SPANISH.replace("</div>", ""), "is not closed"),
    "heading inside a part": (SPANISH, SPANISH.replace("El ", "# Uno\n\nEl "), "one language only"),
    "heading without its separator": (BETWEEN, " · ", "a heading must read"),
    "heading with an empty part": (HEADING["es"] + "<", "<", "es is empty"),
    "heading with another number": (HEADING["es"], "3 productos escalares", "numbers differ"),
}


@pytest.mark.parametrize("fault", FORMS)
def test_a_cell_in_another_form_is_found(fault):
    old, new, complaint = FORMS[fault]
    problems = prose_problems(changed(PROSE, old, new))
    assert any(complaint in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("You have learned how it smells.", "Has aprendido a qué huele."),
        ("In practice it is the same.", "En la práctica es lo mismo."),
        ("Read “Attention Is All You Need”.", "Lee “Attention Is All You Need”."),
        (
            "Haviv et al. (2022), *Models Still Learn Positional Information*, arXiv:2203.16634.",
            "Haviv et al. (2022), *Models Still Learn Positional Information*, arXiv:2203.16634.",
        ),
        ("1. Choose.\n2. Run.", "1. Elige.\n2. Ejecuta."),
        ("| row | 1 |\n| --- | --- |\n| sum | 2 |", "| fila | 1 |\n| --- | --- |\n| suma | 2 |"),
        (
            "Choose Restart Kernel and Run All Cells in the menu.",
            "Elige Restart Kernel and Run All Cells en el menú.",
        ),
        ("It is $x$ if $x > 0 \\text{ and odd}$.", "Es $x$ si $x > 0 \\text{ e impar}$."),
        ("Values from −1 to 1.", "Valores de −1 a 1."),
    ],
)
def test_good_prose_is_left_alone(english, spanish):
    said = {"en": english, "es": spanish}
    assert prose_problems(prose({"en": "A", "es": "A"}, said)) == []


def test_every_term_of_the_glossary_is_missed_when_it_is_not_used():
    for term in terms():
        for language in term.checked_from:
            said = dict.fromkeys(LANGUAGES, "…") | {language: term.names[language]}
            found = prose_problems(prose(dict.fromkeys(LANGUAGES, "A"), said))
            assert any(f"{language} says “{term.names[language]}”" in x for x in found)


def test_an_entry_of_words_that_lacks_a_language_or_differs_is_found():
    whole = in_every_language({"en": "Which of the 4?", "es": "¿Cuál de los 4?"})
    assert list(texts_problems("q", {"bits": {"prompt": whole, "choices": [whole]}})) == []
    without = {language: said for language, said in whole.items() if language != "es"}
    for broken, complaint in (
        (without, "es is missing"),
        ({**whole, "es": "¿Cuál de los 5?"}, "numbers differ: only in en '4', only in es '5'"),
    ):
        found = list(texts_problems("q", {"bits": {"prompt": whole, "choices": [broken]}}))
        assert found == [f"q.bits.choices[0]: {complaint}"]


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Move it one step to the right.", "en"),
        ("¿Cuál es aquí la última fila?", "es"),
        ("Softmax, RoPE", None),
    ],
)
def test_a_sentence_of_five_words_has_a_language(sentence, language):
    assert language_of(sentence) == language


def on_one_line(english: str, spanish: str) -> str:
    return " · ".join(text(english, spanish).as_dict().values())


@pytest.mark.parametrize(
    "printed",
    [
        "array([[0., 1.],\n       [1., 0.]], dtype=float32)",
        "i = 23  sin(23) = -0.8462",
        on_one_line("position i", "posición i"),
        text("The largest value is 1.", "El valor máximo es 1.").lines,
    ],
)
def test_numbers_code_and_every_language_may_be_printed(printed):
    assert plain_problems(printed) == []


@pytest.mark.parametrize(
    "printed",
    [
        "El valor máximo es 1.",
        text("The largest value is 1.", "El valor máximo es 2.").lines,
        on_one_line("row 1", "fila 2"),
    ],
)
def test_one_language_may_not_be_printed(printed):
    assert plain_problems(printed) != []


YES = {x: f'<div lang="{x}">Row 1.</div>' for x in LANGUAGES}
BLOCKS = "".join(YES.values())


@pytest.mark.parametrize(
    "html",
    [
        changed(BLOCKS, YES["es"], ""),
        changed(BLOCKS, YES["en"], YES["en"] + "<p></p>"),
        changed(BLOCKS, YES["es"], YES["es"].replace("1", "2")),
        "".join(reversed(YES.values())),
        "".join(f'<p lang="{x}"><b>{"Yes." if x != "es" else ""}</b></p>' for x in LANGUAGES),
        '<span title="Click here"></span>',
        "<p>Hello</p>",
        f"<p>{on_one_line('row 1', 'fila 2')}</p>",
    ],
)
def test_html_in_one_language_is_found(html):
    assert html_problems(html) != []


def test_what_is_worked_by_keys_that_jupyterlab_would_take_is_found():
    html = '<div class="{}"><details><summary>1</summary>2</details></div>'
    assert html_problems(html.format("course-question")) == ["does not keep its keys: summary"]
    assert html_problems(html.format("course-question course-keeps-keys")) == []


def test_numbers_of_each_languages_own_text_may_differ_and_nothing_else_may():
    def spanish(number: str) -> str:
        return changed(BLOCKS, YES["es"], YES["es"].replace("1", number))

    own = '<div class="course-own-texts">{}</div>'
    assert html_problems(spanish("2.1")) != []
    assert html_problems(own.format(spanish("2.1"))) == []
    assert html_problems(own.format(spanish("1 and 2"))) != []
    assert html_problems(own.format(spanish("one"))) != []
