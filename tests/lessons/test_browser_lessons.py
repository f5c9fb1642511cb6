"""Tests of lessons and a lab in JupyterLab, in a browser.

Tests of explorers and questions that do not need JupyterLab are in test_browser_explorers,
test_browser_reading and test_waiting_answers.
"""

from checks.bare_page import showing
from checks.if_installed import expect
from checks.lesson_pages import assert_axe_finds_nothing_serious_of_ours

from course_utils import explorers, story_explorer
from course_utils.notebook.display import LIVE

pytest_plugins = ["checks.browser"]


def test_switch_shows_one_language_without_rerun(lesson):
    before = lesson.state()["counts"]
    for shown, hidden in (("es", "en"), ("en", "es")):
        lesson.choose(shown)
        assert not any(lesson.seen(hidden).values())
        assert all(lesson.seen(shown).values())
    lesson.choose("both")
    assert all(lesson.seen("en").values()) and all(lesson.seen("es").values())
    assert lesson.state()["counts"] == before


def test_formulas_typeset_while_hidden_keep_their_size(lesson):
    lesson.choose("es")
    lesson.page.evaluate(
        """() => {
            const {widgets} = window.jupyterapp.shell.currentWidget.content;
            const {node, model} = widgets.find(({model}) => model.id === 'trap');
            node.querySelectorAll('mjx-container').forEach(each => each.classList.add('replaced'));
            node.classList.add('changed');
            model.sharedModel.setSource(model.sharedModel.source + '\\n');
        }"""
    )
    expect(lesson.notebook.locator(".replaced")).to_have_count(0)
    expect(lesson.notebook.locator(".changed mjx-container").first).to_be_attached()
    lesson.choose("en")
    sizes = lesson.notebook.locator("mjx-container").evaluate_all(
        "formulas => formulas.map(formula => getComputedStyle(formula).fontSize)"
    )
    assert len(sizes) > 50 and len(set(sizes)) == 1


def test_notebook_starts_in_last_chosen_language(window, own_copy, lesson):
    lesson.choose("en")
    lesson.choose("es")
    later = own_copy("03")
    window.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    later.run("cell")
    expect(later.notebook.locator(".course-language")).to_be_visible()
    assert later.chosen() == "es"
    assert later.seen("es")["prose"] and not later.seen("en")["prose"]
    later.choose("en")
    assert later.seen("en")["prose"] and not later.seen("es")["prose"]
    lesson.activate()
    assert lesson.chosen() == "es" and not lesson.seen("en")["prose"]


def test_choices_open_by_keyboard_inside_jupyterlab(lesson):
    lesson.choose("en")
    keyboard = lesson.page.keyboard
    for place in (".course-question", ".course-report-card"):
        summaries = lesson.notebook.locator(place).first.locator("summary")
        summaries.first.focus()
        before = lesson.state()
        for choice, key in zip(summaries.all(), ["Enter", "Space"], strict=False):
            expect(choice).to_be_focused()
            disclosure = choice.locator("xpath=..")
            keyboard.press(key)
            expect(disclosure.locator("> div.course-en")).to_be_visible()
            keyboard.press(key)
            expect(disclosure).not_to_have_attribute("open", "")
            keyboard.press("Tab")
        assert lesson.state() == before


def test_shift_enter_in_box_runs_next_cell(run_cells):
    lesson = run_cells("binary_explorer()", 'question("swap-words")', "'the end'")
    last = lesson.notebook.locator(".jp-CodeCell").last.locator(".jp-OutputArea-output")
    expect(last).to_be_attached(timeout=30_000)
    boxes = (".course-language input:checked", ".course-explorer-box input", "summary")

    def focus_and_press(cell: int, *keys: str) -> None:
        focused = lesson.notebook.locator(".jp-CodeCell").nth(cell).locator(boxes[cell]).first
        focused.scroll_into_view_if_needed()
        focused.focus()
        expect(focused).to_be_focused()
        for key in keys:
            lesson.page.keyboard.press(key)

    for cell in range(len(boxes)):
        lesson.page.evaluate(
            "cell => window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell", cell
        )
        focus_and_press(cell)
        before = lesson.state()
        # If JupyterLab has the focus, these keys move to other cells or insert new ones.
        focus_and_press(cell, "j", "k", "a", "b", "ArrowDown")
        assert lesson.state() == before, boxes[cell]
        for key, ahead in (("Control+Enter", 0), ("Shift+Enter", 1)):
            count = lesson.state()["counts"][cell]
            focus_and_press(cell, key)
            lesson.page.wait_for_function(
                """([cell, count, active]) => {
                    const notebook = window.jupyterapp.shell.currentWidget.content;
                    const {executionCount} = notebook.widgets[cell].model;
                    return notebook.activeCellIndex === active && executionCount > count;
                }""",
                arg=[cell, count, cell + ahead],
            )


def test_reading_begins_at_top_after_run_all(run_cells):
    lesson = run_cells("import time" + 90 * "\n", "time.sleep(1)")
    top = f"document.querySelector('#{lesson.name} .jp-WindowedPanel-outer').scrollTop"
    lesson.page.wait_for_function(f"{top} > 500")
    lesson.page.wait_for_function(f"{top} === 0", timeout=10_000)
    lesson.run("all")
    lesson.page.wait_for_function(f"{top} > 500")
    lesson.page.keyboard.press("Shift")
    lesson.page.wait_for_function(
        "window.jupyterapp.shell.currentWidget.content.widgets.at(-1).model.executionCount > 3"
    )
    lesson.page.wait_for_timeout(1_500)
    assert lesson.page.evaluate(top) > 500


WATCH = """stage => {
    const output = stage.closest('.jp-OutputArea-output');
    const scroller = stage.closest('.jp-WindowedPanel-outer');
    const seen = window.seen = {heights: [], scrolls: [], unpainted: 0, pictures: [], stop: false};
    const look = () => {
        const map = stage.querySelector('canvas');
        const pixels = map?.getContext('2d').getImageData(0, 0, map.width, 1).data;
        if (!pixels?.some((part, i) => i % 4 === 3 && part)) seen.unpainted += 1;
        for (const [list, value] of [
            [seen.heights, output.offsetHeight],
            [seen.scrolls, scroller.scrollTop],
            [seen.pictures, map?.width],
        ]) if (!list.includes(value)) list.push(value);
        if (!seen.stop) requestAnimationFrame(look);
    };
    look();
}"""


def test_parameter_change_does_not_flicker_or_jump(lesson):
    lesson.choose("en")
    table = lesson.explorer(2)  # its picture has a position axis
    picture = table.box.locator(".course-unseen")
    table.open()
    table.box.locator(".course-n_positions input").focus()
    before = lesson.state()
    table.picture.evaluate(WATCH)
    for key, number in [("ArrowRight", 51), ("PageDown", 38), ("End", 128), ("Home", 2)]:
        table.page.keyboard.press(key)
        expect(picture).to_contain_text(f"{number} positions, the first 16 of 16 dimensions")
        # The text may be one frame ahead of the recorded picture.
        table.page.wait_for_function(f"window.seen.pictures.includes({number})", timeout=5_000)
    seen = table.page.evaluate("window.seen.stop = true, window.seen")
    assert lesson.state() == before
    assert len(seen["heights"]) == len(seen["scrolls"]) == 1, seen
    assert seen["unpainted"] == 0
    table.says("Position 1, dimensions 0 to 5: 0.841, 0.540,")

    table.box.get_by_role("button", name="50 × 16").click()
    expect(picture).to_contain_text("50 positions, the first 16 of 16 dimensions")
    expect(table.handle).to_have_attribute("max", "49")


def test_pictures_are_painted_after_scrolling_back(lesson):
    explorers = [lesson.explorer(i) for i in range(lesson.boxes.count())]
    for explorer in [*explorers, *reversed(explorers)]:
        explorer.box.scroll_into_view_if_needed()
        assert explorer.is_painted()


# Other notebooks in the window have left their widgets' style sheets in the document's head.
CORNER_WITHOUT_WIDGETS = """box => {
    const sheets = [...document.head.querySelectorAll('style')]
        .filter(({textContent}) => textContent.includes('.course-question'));
    sheets.forEach(({sheet}) => (sheet.disabled = true));
    const corner = getComputedStyle(box).borderTopLeftRadius;
    sheets.forEach(({sheet}) => (sheet.disabled = false));
    return corner;
}"""


def test_reopened_notebook_shows_stills_in_one_language(window, run_cells):
    lesson = run_cells("clock_explorer()", "keep_guesses()", 'question("one-sine")')
    still = lesson.notebook.locator(".course-still figure")
    live = lesson.notebook.locator(".course-explorer")
    expect(live).to_be_visible()
    expect(still).to_be_hidden()
    lesson.choose("es")
    expect(lesson.notebook.locator(".course-choose [value=es][checked]")).to_be_attached()
    lesson.save()
    lesson.close()
    reopened = window.show(lesson.name)
    expect(still).to_be_visible()
    errors = lesson.notebook.get_by_text("Error displaying widget")
    expect(errors).to_have_count(3)
    assert not any(error.is_visible() for error in errors.all())
    # ipywidgets logs each of these errors to the console, whatever the page shows instead.
    assert all("widget model not found" in complaint for complaint in window.complaints())
    assert reopened.seen("es")["question"] and not reopened.seen("en")["question"]
    # The buttons work without a kernel, and JupyterLab does not intercept their keys.
    before = reopened.state()
    lesson.notebook.locator(".course-choose [value=es]").press("ArrowLeft")
    assert reopened.seen("en")["question"] and not reopened.seen("es")["question"]
    assert reopened.state() == before
    assert lesson.notebook.locator(".course-question").evaluate(CORNER_WITHOUT_WIDGETS) != "0px"
    reopened.run("all")
    expect(live).to_be_visible()
    expect(still).to_be_hidden()


SCROLL_BARS = """outputs => outputs
    .filter(output => getComputedStyle(output).overflowY === 'auto')
    .map(({clientHeight, scrollHeight}) => [clientHeight, scrollHeight])
    .filter(([room, needed]) => needed > room)"""


def test_no_explorer_has_scroll_bar_of_its_own(run_cells):
    names = [name for name in explorers.__all__ if name.endswith("_explorer")]
    lesson = run_cells(*(f"{name}()" for name in names))
    with_the_switch = len(names) + 1
    expect(lesson.notebook.locator(LIVE)).to_have_count(with_the_switch, timeout=60_000)
    lesson.give_guesses()
    outputs = lesson.notebook.locator(".jp-OutputArea-output")
    assert outputs.evaluate_all(SCROLL_BARS) == []


def test_axe_finds_nothing_serious(lesson):
    assert_axe_finds_nothing_serious_of_ours(lesson)


def test_animation_follows_switch(browser):
    with showing(browser, story_explorer("blame")) as page:
        scene = page.notebook.locator(".course-story")
        numbers = scene.locator(".story-bits b")
        numbers.first.filter(has_text=".").wait_for()
        assert float(numbers.nth(0).inner_text()) < float(numbers.nth(1).inner_text())
        page.choose("es")
        scene.locator("h2").filter(has_text="reloj").wait_for()


# The row of the lab's first exercise, first with the angles mistaken for degrees.
IN_DEGREES = "[g(math.radians(12 / 4**k)) for k in range(3) for g in (math.sin, math.cos)]"
IN_RADIANS = "[g(12 / 4**k) for k in range(3) for g in (math.sin, math.cos)]"


def test_exercise_is_solved_in_spanish_from_blank(own_copy):
    lab = own_copy("03_sinusoidal")
    lab.run("all")
    feedback = lab.notebook.locator(".course-feedback").first

    def says(words: str, box=feedback) -> None:
        box.scroll_into_view_if_needed()
        expect(box).to_contain_text(words, use_inner_text=True)

    def fill_in(answer: str) -> None:
        """Enter the answer, run its cell, and run the check below it."""
        lab.notebook.locator(".jp-CodeCell", has_text="row = ").first.locator(".cm-content").click()
        lab.page.keyboard.press("ControlOrMeta+A")
        lab.page.keyboard.insert_text(f"row = {answer}")
        lab.page.keyboard.press("Shift+Enter")
        lab.page.keyboard.press("Shift+Enter")

    expect(feedback).to_be_attached()
    lab.choose("es")
    says("row todavía no contiene nada")

    fill_in(IN_DEGREES)
    says("como si estuviera en grados")
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
