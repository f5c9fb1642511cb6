"""The checks of languages find differences: in prose cells, in HTML and in plain text.

What they must leave alone stands in the notebooks of the course, which have no problems.
"""

import pytest
from checks.glossary import terms
from checks.outputs import html_problems, plain_problems
from checks.parity import prose_problems, texts_problems
from checks.samples import changed, prose, text

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


DRIFTS: dict[str, tuple[str, str, str, str]] = {
    "formula": ("es", "x_{10} = 3", "x_{10} = 4", "formulas differ"),
    "number": ("es", "filas 0 y 10", "filas 0 y 11", "only in en '10', only in es '11'"),
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
    "missing language": (SPANISH, "", "the languages are"),
    "prose outside all languages": (SPANISH, SPANISH + "\nMore.\n", "not as it must be"),
    "heading inside a part": (SPANISH, SPANISH.replace("El ", "# Uno\n\nEl "), "one language only"),
    "heading without its separator": (BETWEEN, " · ", "a heading must read"),
}


@pytest.mark.parametrize("fault", FORMS)
def test_a_cell_in_another_form_is_found(fault):
    old, new, complaint = FORMS[fault]
    problems = prose_problems(changed(PROSE, old, new))
    assert any(complaint in problem for problem in problems), problems


def test_every_term_of_the_glossary_is_missed_when_it_is_not_used():
    for term in terms():
        for language in term.checked_from:
            said = dict.fromkeys(LANGUAGES, "…") | {language: term.names[language]}
            found = prose_problems(prose(dict.fromkeys(LANGUAGES, "A"), said))
            assert any(f"{language} says “{term.names[language]}”" in x for x in found)


def test_a_text_in_a_file_of_words_that_differs_is_found_wherever_it_stands():
    prompt, choice = "Which of the 4?", text("Which of the 4?", "¿Cuál de los 5?")
    entries = {"bits": {"prompt": text(prompt, "¿Cuál de los 4?"), "choices": [choice]}}
    assert list(texts_problems("questions", entries)) == [
        "questions.bits.choices[0]: numbers differ: only in en '4', only in es '5'"
    ]


def on_one_line(english: str, spanish: str) -> str:
    return " · ".join(text(english, spanish).as_dict().values())


@pytest.mark.parametrize(
    ("printed", "is_said_in_every_language"),
    [
        ("array([[0., 1.],\n       [1., 0.]], dtype=float32)", True),
        (on_one_line("position i", "posición i"), True),
        (text("The largest value is 1.", "El valor máximo es 1.").lines, True),
        (text("The largest value is 1.", "El valor máximo es 2.").lines, False),
    ],
)
def test_what_is_printed_is_code_or_says_every_language(printed, is_said_in_every_language):
    assert (plain_problems(printed) == []) == is_said_in_every_language


YES = {x: f'<div lang="{x}">Row 1.</div>' for x in LANGUAGES}
BLOCKS = "".join(YES.values())


@pytest.mark.parametrize(
    "html",
    [
        changed(BLOCKS, YES["es"], ""),
        changed(BLOCKS, YES["es"], YES["es"].replace("1", "2")),
        "".join(f'<p lang="{x}"><b>{"Yes." if x != "es" else ""}</b></p>' for x in LANGUAGES),
        '<span title="Click here"></span>',
        f"<p>{on_one_line('row 1', 'fila 2')}</p>",
    ],
)
def test_html_in_one_language_is_found(html):
    assert html_problems(html) != []


def test_what_is_worked_by_keys_that_jupyterlab_would_take_is_found():
    html = '<div class="course-question"><details><summary>1</summary>2</details></div>'
    assert html_problems(html) == ["does not keep its keys: summary"]


def test_numbers_of_each_languages_own_text_may_differ_and_nothing_else_may():
    def spanish(number: str) -> str:
        return changed(BLOCKS, YES["es"], YES["es"].replace("1", number))

    own = '<div class="course-own-texts">{}</div>'
    assert html_problems(spanish("2.1")) != []
    assert html_problems(own.format(spanish("2.1"))) == []
    assert html_problems(own.format(spanish("1 and 2"))) != []
    assert html_problems(own.format(spanish("one"))) != []
