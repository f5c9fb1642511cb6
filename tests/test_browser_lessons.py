"""Lessons and a lab in a real JupyterLab in a real browser, as a reader sees them."""

import re

import pytest
from checks.lesson_pages import assert_axe_finds_nothing_serious_of_ours, light_only, write_notebook

try:
    from playwright.sync_api import expect
except ImportError:
    expect = None

pytest_plugins = ["checks.browser"]


def test_the_switch_shows_one_language_everywhere_without_a_rerun(lesson):
    before = lesson.state()["counts"]
    for shown, hidden in (("es", "en"), ("en", "es")):
        lesson.choose(shown)
        assert not any(lesson.seen(hidden).values())
        assert all(lesson.seen(shown).values())
    lesson.choose("both")
    assert all(lesson.seen("en").values()) and all(lesson.seen("es").values())
    assert lesson.state()["counts"] == before


@light_only
def test_formulas_have_one_size_even_if_typeset_while_hidden(window):
    lesson = window.shared_lesson("04")
    lesson.choose("es")
    lesson.notebook.evaluate(
        """notebook => {
            const {widgets} = window.jupyterapp.shell.currentWidget.content;
            const cell = widgets.find(({model}) => model.id === 'trap');
            for (const formula of cell.node.querySelectorAll('mjx-container')) {
                formula.classList.add('replaced');
            }
            cell.node.classList.add('changed');
            const {sharedModel} = cell.model;
            sharedModel.setSource(sharedModel.source + '\\n');
        }"""
    )
    expect(lesson.notebook.locator(".replaced")).to_have_count(0)
    expect(lesson.notebook.locator(".changed mjx-container").first).to_be_attached()
    lesson.choose("en")
    sizes = lesson.notebook.locator("mjx-container").evaluate_all(
        "formulas => formulas.map(formula => getComputedStyle(formula).fontSize)"
    )
    assert len(sizes) > 50 and len(set(sizes)) == 1


@light_only
def test_two_open_notebooks_may_differ(window):
    window.shared_lesson("03").choose("es")
    window.shared_lesson("04").choose("en")
    assert [window.shared_lesson(number).chosen() for number in ("03", "04")] == ["es", "en"]
    assert not window.shared_lesson("03").seen("en")["prose"]
    assert not window.shared_lesson("04").seen("es")["prose"]


@light_only
def test_a_notebook_opened_later_starts_in_the_language_chosen_last(window, own_copy):
    window.shared_lesson("03").choose("en")
    window.shared_lesson("03").choose("es")
    later = own_copy("04")
    window.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    later.run("cell")
    expect(later.notebook.locator(".course-language")).to_be_visible()
    assert later.chosen() == "es"
    assert later.seen("es")["prose"] and not later.seen("en")["prose"]


@light_only
@pytest.mark.parametrize("place", [".course-question", ".course-report-card"])
def test_choices_open_by_keyboard_and_jupyterlab_does_not_notice(lesson, place):
    lesson.choose("en")
    summaries = lesson.notebook.locator(place).first.locator("summary")
    summaries.first.focus()
    before = lesson.state()
    keyboard = lesson.page.keyboard
    for i, key in enumerate(["Enter", "Space"]):
        choice = summaries.nth(i)
        expect(choice).to_be_focused()
        answer = choice.locator("xpath=..").locator("> div.course-en")
        keyboard.press(key)
        expect(answer).to_be_visible()
        keyboard.press(key)
        expect(choice.locator("xpath=..")).not_to_have_attribute("open", "")
        keyboard.press("Tab")
    assert lesson.state() == before


# One of everything that takes keys, and where the focus stands in it.
BOXES = {
    "language_switch()": ".course-language input:checked",
    'question("swap-words")': ".course-question summary",
    "right_guesses()": ".course-question summary",
    'report_card("index")': ".course-report-card summary",
    "binary_explorer()": ".course-explorer-box input",
    'hint("row-by-hand")': "summary",
}


@light_only
def test_keys_stay_in_a_box_and_shift_enter_goes_on_from_it(own_copy, tmp_path):
    imports = "from course_utils import *\nfrom course_utils.explorers import *\n"
    imports += "from course_utils.lessons.verdicts import *\n"
    imports += "from course_utils.labs import *"
    path = write_notebook(tmp_path, imports, *BOXES, "'the end'")
    lesson = own_copy(path)
    lesson.run("all")
    expect(lesson.notebook.locator(".course-stage").first).to_be_attached(timeout=30_000)
    for cell, inside in enumerate(BOXES.values(), start=1):
        lesson.page.evaluate(
            "cell => window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell", cell
        )

        def focus_and_press(*keys: str, cell: int = cell, inside: str = inside) -> None:
            focused = lesson.notebook.locator(".jp-CodeCell").nth(cell).locator(inside).first
            focused.scroll_into_view_if_needed()
            focused.focus()
            expect(focused).to_be_focused()
            for key in keys:
                lesson.page.keyboard.press(key)

        focus_and_press()
        before = lesson.state()
        # Keys that move to other cells and make new ones, wherever JupyterLab finds the focus.
        focus_and_press("j", "k", "a", "b", "ArrowDown")
        assert lesson.state() == before, inside
        for key, ahead in (("Control+Enter", 0), ("Shift+Enter", 1)):
            count = lesson.state()["counts"][cell]
            focus_and_press(key)
            lesson.page.wait_for_function(
                """([cell, count, active]) => {
                    const notebook = window.jupyterapp.shell.currentWidget.content;
                    const {executionCount} = notebook.widgets[cell].model;
                    return notebook.activeCellIndex === active && executionCount > count;
                }""",
                arg=[cell, count, cell + ahead],
            )


@light_only
def test_of_each_claim_the_first_choice_that_is_opened_is_counted(own_copy, tmp_path):
    cells = (
        "from course_utils import language_switch\nlanguage_switch()",
        "from course_utils.lessons.verdicts import right_guesses, verdict",
        'verdict("unique", holds=[True, True], closest=1)',
        'verdict("sines", holds=[True, True], wide=0, narrow=0, error=0)',
        "right_guesses()",
    )
    lesson = own_copy(write_notebook(tmp_path, *cells))
    lesson.run("all")
    boxes = lesson.notebook.locator(".course-question")
    expect(boxes).to_have_count(3, timeout=30_000)
    *claims, score = boxes.all()
    lesson.choose("en")
    score.locator("summary").click()
    nuances_wrong, then_right, right = (claims[0], 1), (claims[0], 0), (claims[1], 0)
    for (claim, choice), count in ((nuances_wrong, 0), (then_right, 0), (right, 1)):
        answer = claim.locator("div.course-en", has_text="The verdict: true").nth(choice)
        expect(answer).to_be_hidden()
        claim.locator("summary").nth(choice).click()
        expect(answer).to_be_visible()
        expect(score).to_contain_text(f"You guessed {count} of 10.", use_inner_text=True)


@light_only
def test_the_first_choice_of_a_question_is_kept_once_the_box_is_ticked(own_copy, tmp_path):
    cells = (
        f"import os\nos.environ['JUPYTER_DATA_DIR'] = {str(tmp_path / 'data')!r}",
        "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()",
        "question('swap-words')",
        "question('add-positions')",
        "keep_guesses()",
    )
    lesson = own_copy(write_notebook(tmp_path, *cells))
    lesson.run("all")
    box = lesson.notebook.get_by_role("checkbox")
    expect(box).not_to_be_checked(timeout=30_000)
    lesson.choose("es")
    swap, add = lesson.notebook.locator(".course-question").all()
    swap.locator(".course-right summary").click()  # before the box is ticked: not kept
    box.check()
    swap.locator(":not(.course-right) > summary").first.click()
    add.locator(".course-right summary").click()
    add.locator(":not(.course-right) > summary").first.click()
    lesson.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex = 4")
    lesson.run("cell")
    said = "Predicciones guardadas hasta ahora: 2. Acertadas a la primera: 1."
    expect(lesson.notebook.get_by_text(said)).to_be_visible()
    expect(box).to_be_checked()


@light_only
def test_every_control_has_a_name_in_the_language_shown(lesson):
    lesson.notebook.locator(".course-more").evaluate_all("all => all.forEach(m => m.open = true)")
    for language, names in (
        ("en", ["position", "first position", "positions", "base", "distance"]),
        ("es", ["posición", "primera posición", "posiciones", "base", "distancia"]),
    ):
        lesson.choose(language)
        boxes = lesson.notebook.locator(".course-explorer-box")
        found = []
        for box in boxes.all():
            # What Chromium tells a screen reader, not what the attributes say.
            for line in box.aria_snapshot().splitlines():
                role, _, name = line.strip("- :").partition(" ")
                if role in ("slider", "textbox", "combobox", "checkbox"):
                    assert name.startswith('"'), line
                    assert " · " not in name.split('":')[0], line
                    found.append(name.split('"')[1])
        assert set(names) & set(found)
    sliders = lesson.notebook.locator("[type=range]")
    assert sliders.count() == lesson.notebook.get_by_role("slider").count() > 4


def test_the_entries_of_a_list_are_in_the_language_shown(window):
    lesson = window.shared_lesson("03")
    lesson.notebook.locator(".course-more").evaluate_all(
        "all => all.forEach((each) => (each.open = true))"
    )
    entries = lesson.notebook.get_by_role("combobox").first.locator("option")
    for language, expected in (
        ("es", ["índice", "binaria"]),
        ("both", ["index · índice", "binary · binaria"]),
        ("en", ["index", "binary"]),
    ):
        lesson.choose(language)
        for entry in expected:
            expect(entries.filter(has_text=re.compile(f"^{entry}$"))).to_have_count(1)


def test_axe_finds_nothing_serious_of_ours(lesson):
    assert_axe_finds_nothing_serious_of_ours(lesson)


@light_only
def test_axe_finds_nothing_serious_in_the_last_lesson(later_lesson):
    lesson = later_lesson("08")
    expect(lesson.notebook.locator(".course-report-card")).to_be_attached(timeout=30_000)
    assert_axe_finds_nothing_serious_of_ours(lesson)


# The row of the lab's first exercise, first with angles converted to what sine does not take.
IN_DEGREES = "[g(math.radians(12 / 4**k)) for k in range(3) for g in (math.sin, math.cos)]"
IN_RADIANS = "[g(12 / 4**k) for k in range(3) for g in (math.sin, math.cos)]"


@light_only
def test_an_exercise_is_answered_in_spanish_from_blank_to_solved(own_copy):
    lab = own_copy("03_sinusoidal")
    lab.run("all")
    feedback = lab.notebook.locator(".course-feedback").first

    def says(words: str, box=feedback) -> None:
        box.scroll_into_view_if_needed()
        expect(box).to_contain_text(words, use_inner_text=True)

    def fill_in(answer: str) -> None:
        """Type the answer, run its cell, and run the check below it."""
        lab.notebook.locator(".jp-CodeCell", has_text="row = ").first.locator(".cm-content").click()
        lab.page.keyboard.press("ControlOrMeta+A")
        lab.page.keyboard.insert_text(f"row = {answer}")
        lab.page.keyboard.press("Shift+Enter")
        lab.page.keyboard.press("Shift+Enter")

    expect(feedback).to_be_attached()
    lab.choose("es")
    says("Todavía no hay nada en row")

    fill_in(IN_DEGREES)
    says("como si fueran grados")
    says("la entrada [0] aún no es correcta; es 0.20791")
    expect(feedback).not_to_contain_text("degrees", use_inner_text=True)

    hint = lab.notebook.locator("details").first
    says("Pista 1 de 3", hint)
    hint.locator("summary").first.click()
    says("¿Cuántas agujas hay", hint)
    expect(hint).not_to_contain_text("un tercio", use_inner_text=True)

    fill_in(IN_RADIANS)
    says("Resuelto.")
    assert not any(lab.seen("en").values())


def test_pictures_on_white_paper_are_turned_over_in_the_dark_theme(own_copy, tmp_path):
    cells = (
        "from course_utils import *\nfrom course_utils.explorers import *\nlanguage_switch()",
        "from course_utils import show\nfrom course_utils.pictures.static import dot_product_curve",
        "show('around-position-10', dot_product_curve([0, 1], [1.0, 0.5]), value='0.5')",
    )
    lesson = own_copy(write_notebook(tmp_path, *cells))
    lesson.run("all")
    picture = lesson.notebook.locator("figure.course-figure img")
    expect(picture).to_be_attached(timeout=30_000)
    light = lesson.page.locator("body").get_attribute("data-jp-theme-light") == "true"
    turned = picture.evaluate("picture => getComputedStyle(picture).filter")
    assert (turned == "none") is light
