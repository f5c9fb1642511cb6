"""Tests of the class overview, on screen, on a projector and in print."""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks.class_of import (
    CLOCK,
    IDS,
    LAB,
    RIGHT,
    ROW,
    ROWS,
    STRANGE,
    UNHEARD_OF,
    Given,
    GradedClass,
    a_hundred,
    error,
    record,
    wrong,
)
from checks.labs import misconceptions_of, needs_nbgrader

from classroom.findings import Overview, Shared, hands_needed, nameless, overview_of
from classroom.overview import page_of, page_of_all, write
from classroom.projector import LARGEST_SHOWN, projector_page, riddle_of, riddles
from classroom.projector import written as on_the_wall
from classroom.submissions import Task, class_work, telling_syntax
from classroom.tomorrow import MOST_OUTPUTS, MOST_TOPICS, SHOWS, show_of, topics_of
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES
from course_utils.words.text import LANGUAGES, Text

pytest_plugins = ["checks.browser"]
pytestmark = [needs_nbgrader, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> GradedClass:
    return a_hundred(tmp_path_factory.mktemp("hundred"))


@pytest.fixture(scope="module")
def overview(hundred: GradedClass) -> Overview:
    return overview_of(class_work(LAB, hundred.folders))


@pytest.fixture(scope="module")
def topics(overview: Overview, hundred: GradedClass) -> tuple:
    return topics_of(overview, hundred.folders)


@pytest.fixture(scope="module")
def page(overview: Overview, topics: tuple) -> BeautifulSoup:
    return BeautifulSoup(page_of(overview, topics), "html.parser")


STATES = {
    ROW: [96 - 25 - 6 + 3, 25, 6, 1],
    ROWS: [96 - 40 - 3 - 6 + 2, 40 + 3, 6, 2],
    CLOCK: [96 - 10 - 10 - 6 + 2, 10, 10 + 6, 2],
    STRANGE: [96 - 6 + 3, 0, 6, 1],
}
"""Expected numbers of correct, wrong, missing and untested answers."""
MISCONCEPTIONS = {
    "degrees": 27,  # students with it in both exercises count once
    "sine-cosine-swapped": 12,
    "base-ignored": 5,
    "fastest-hand-read": 5,
    "angle-negative": 5,
    "positions-cut": 4,
    "positions-counted": 3,
}
"""Expected numbers of students with each misconception, if at least three."""


def rows_of(page: BeautifulSoup, heading: str) -> list:
    """Return the rows of the table below a heading."""
    title = next(each for each in page.find_all("h2") if heading in each.get_text())
    return title.find_next("table").tbody.find_all("tr")


def widths(row: object) -> list[float]:
    return [float(re.search(r"width:([\d.]+)%", i["style"])[1]) for i in row.select(".bar i")]


def test_exercise_bars_match_class(page):
    rows = rows_of(page, "Results by exercise")
    found = [[int(each.get_text()) for each in row.select("td")] for row in rows]
    assert found == list(STATES.values())
    assert all(sum(each) == 100 for each in found)
    for row, counts in zip(rows, found, strict=True):
        assert widths(row) == [count for count in counts if count]


def test_misconception_bars_match_class(page, overview):
    assert {each.id: each.students for each in overview.shared} == MISCONCEPTIONS
    assert overview.rare == 2
    rows = rows_of(page, "Misconceptions")
    assert [int(row.td.get_text()) for row in rows] == sorted(MISCONCEPTIONS.values(), reverse=True)
    for row, shared in zip(rows, overview.shared, strict=True):
        assert sum(widths(row)) == shared.students == int(row.td.get_text())
        assert BeautifulSoup(shared.sentence["en"], "html.parser").get_text() in row.get_text()


def test_costliest_exercise_is_asked_first(page, topics, overview):
    lost = {task.id: task.points * STATES[task.id][1] for task in overview.work.tasks}
    lost[CLOCK] += 3  # for the student whose code was stopped
    expected = sorted((id for id in lost if lost[id]), key=lambda id: -lost[id])
    assert [topic.task.id for topic in topics] == expected[:MOST_TOPICS]
    assert [topic.lost for topic in topics] == [lost[id] for id in expected]
    items = page.select("ol.ask > li")
    assert len(items) == len(topics) and f"{lost[ROWS]:g} points" in items[0].get_text()


def test_suggested_question_is_understandable_alone(page, topics):
    for item, topic in zip(page.select("ol.ask > li"), topics, strict=True):
        item_text = " ".join(item.get_text().split())
        for language in LANGUAGES:
            asked = BeautifulSoup(topic.question[language], "html.parser").get_text()
            assert " ".join(asked.split()) in item_text
            assert topic.task.asked[language][:10] in item_text
        outputs = [each.get_text() for each in item.select(".outputs pre")]
        if topic.task.id == ROW:  # the requested value is not revealed
            assert "Which row does position 12 get?" in item_text and len(outputs) == 1
        else:
            assert 2 <= len(outputs) <= MOST_OUTPUTS + 1 and len({*outputs}) == len(outputs)
            assert topic.riddle.call in item_text and outputs[-1] == topic.riddle.expected
        links = [each["href"] for each in item.select("a")]
        assert links == [f"../notebooks/{SHOWS[topic.task.id].partition('#')[0]}.ipynb"] * 2
    minutes = re.search(r"about (\d+) minutes", page.select_one(".tomorrow").get_text())
    assert int(minutes[1]) == sum(topic.minutes for topic in topics) > 0
    assert "hand_explorer()" in page.select_one(".tomorrow").get_text()


def test_names_appear_only_under_manual_review(page):
    page_text = page.get_text()
    hands = page.select_one("details.hands").extract()
    assert not hands.has_attr("open")
    by_student = {item.get_text() for item in hands.select("li")}
    assert by_student == {"breaker", "looper: 3", "copier: 1, 2, 3, 4"}
    left = page.main.get_text().replace("students", "").replace("student,", "")
    for name in ("breaker", "looper", "copier"):
        assert name in page_text and name not in left
    assert "Ana" not in page_text


def test_every_wrong_answer_is_accounted_for(tmp_path):
    made, let_pass = GradedClass(tmp_path, LAB), Given("def rows(): return 12")
    finding = record(ROWS, diagnose(EXERCISES[ROWS], RIGHT[ROWS].answer))
    swapped = diagnose(EXERCISES[ROWS], wrong(ROWS, "sine-cosine-swapped").answer)
    made.judged[ROWS, let_pass] = [finding, record(ROWS, swapped, judged="grading")], False
    answers = {
        "misconception": let_pass,  # found only in grading
        "regular": wrong(ROWS, "pattern.repair-extra"),
        "message": Given("# too short\nrows = 1", lambda positions, d_model, base: positions[99]),
        "failed": Given("def rows(", error="SyntaxError"),
        "": UNHEARD_OF,
    }
    for number, given in enumerate(answers.values()):
        for student in range(3 + number):
            made.hand_in(f"{number}{student}", RIGHT | {ROWS: given})
    made.close()
    overview = overview_of(class_work(LAB, made.folders))
    assert [(each.id, each.students) for each in overview.shared] == [("sine-cosine-swapped", 3)]
    found = {kind: [task.id for task in tasks] for kind, tasks in overview.explained.items()}
    assert found == {kind: [ROWS] * n for n, kind in enumerate(answers, 3)}
    page_text = BeautifulSoup(page_of(overview), "html.parser").get_text()
    for sentence in ("no known misconception: 4", "or a wrong shape: 5", "be examined: 6"):
        assert re.search(rf"{sentence}.*\(exercise 2", page_text), sentence
    shown = [(each.code, each.students) for each in overview.unexplained]
    assert shown == [("def answer():\n    return 'unheard of'", 7)]


def test_comments_are_removed_from_code():
    assert nameless('# by Ana\ndef f():\n    "by Ana"') == "def f():\n    pass"
    assert nameless("def f(:  # by Ana\n  return") == "def f(:  \n  return"


def test_deeply_nested_code_affects_no_other_page():
    deep = f"def f():\n    return {' + '.join(['1'] * 1_500)}"
    assert telling_syntax(deep, "") == "" and nameless(deep) == deep


def test_renamed_answer_needs_manual_review(tmp_path):
    from classroom.points import give

    made = GradedClass(tmp_path, LAB)
    value = Given(f"row = [{', '.join(f'math.sin(12 / 4 ** {k})' for k in range(9))}]")
    code = "def sinusoidal_row(a, b, c):\n" + "    a = a + b * (c - a)\n" * 9
    renamed, broken = Given(code), Given("def position_from_row(:")
    for id, given, name in (
        (ROWS, renamed, "sinusoidal_rows"),
        (CLOCK, broken, "position_from_row"),
        (ROW, value, "np"),
    ):
        made.judged[id, given] = [error("NameError", f"name '{name}' is not defined")], False
    for name in ("ana", "eva", "zoe"):
        made.hand_in(name, {ROW: value, ROWS: renamed, CLOCK: broken})
    made.close()
    work = class_work(LAB, made.folders)
    hands = [(each.key, each.numbers) for each in hands_needed(work) if each.student == "ana"]
    assert hands == [("nameless", "2"), ("alike", "2")]
    shared = re.findall(r"<li>\w+ = .*?</li>", page_of(overview_of(work)))
    assert shared == ["<li>zoe = ana = eva: 2</li>"]
    give(LAB, "ana", ROWS, 3, "Only the name.", made.folders.gradebook)
    hands = hands_needed(class_work(LAB, made.folders))
    assert [each.key for each in hands if each.student == "ana"] == ["alike"]  # nameless is settled


def test_groups_below_three_are_not_broken_down(tmp_path):
    made = GradedClass(tmp_path, LAB)
    made.hand_in("one", RIGHT | {ROW: wrong(ROW, "degrees")})
    for name, enough in (("two", False), ("three", True)):
        made.hand_in(name, RIGHT | {ROW: wrong(ROW, "degrees")})
        made.book.db.commit()
        overview = overview_of(class_work(LAB, made.folders))
        shown = page_of(overview)
        assert bool(overview.shared) == ("<table>" in shown) == ("degrees" in shown) == enough
        assert bool(riddles(overview)) == bool(topics_of(overview, made.folders)) == enough
    made.close()


def test_pages_separate_labs_without_network(page, overview):
    of_all_labs = BeautifulSoup(page_of_all([overview, overview]), "html.parser")
    assert len(of_all_labs.select("tbody tr")) == 2 * len(IDS)
    assert {each["href"] for each in of_all_labs.select("h2 a")} == {f"{LAB}.html"}
    assert "default-src 'none'" in str(page.head) and not page.find_all("script")
    assert not page.find_all(src=True)
    assert all(each["href"].startswith("../") for each in page.find_all(href=True))
    for language, heading in zip(
        LANGUAGES, ("Questions for the next lesson", "Preguntas para"), strict=True
    ):
        headings = [each.get_text() for each in page.main.select(f'h2 [lang="{language}"]')]
        assert any(heading in each for each in headings)


def test_projector_page_names_no_student(overview):
    asked = riddles(overview)
    assert len(asked) >= 3
    shown = BeautifulSoup(projector_page(overview), "html.parser")
    assert len(shown.find_all("section")) == len(asked) + 1
    page_text = shown.main.get_text().lower().replace("students", "")
    assert not shown.find_all(src=True) and "student" not in page_text
    assert any(riddle.task.id == ROW for riddle in asked)  # a value is shown below its task
    assert "which row does position 12 get?" in page_text and "¿qué fila le toca" in page_text


def test_every_exercise_has_something_to_show(hundred):
    """Some choices produce an error or correct numbers, but only one produces the shown output."""
    title = Text(*["Title"] * len(LANGUAGES))
    asked = []
    for exercise in EXERCISES.values():
        found = show_of(exercise.id, hundred.folders)
        assert found is not None and re.match(r"\d+ · \w", found.section["en"]), exercise
        task = Task(exercise.id, 1, title, title, 1, "", "", "")
        for id in misconceptions_of(exercise):
            asked.append(riddle_of(Shared(id, 3, (task,))))
    made = [riddle for riddle in asked if riddle is not None]
    assert len(made) > len(asked) / 2
    for riddle in made:
        assert riddle.given != riddle.expected and len(riddle.given.split()) <= LARGEST_SHOWN
        assert len({choice.text["en"] for choice in riddle.choices}) == len(riddle.choices)
        assert len(riddle.choices) in (3, 4) and sum(each.right for each in riddle.choices) == 1


def test_projected_numbers_have_no_needless_digits():
    assert on_the_wall(np.array([[2.0, 0.5], [1 / 3, np.nan]])) == "     2     0.5\n0.3333     nan"


# In a browser. ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(hundred: GradedClass) -> dict[bool, str]:
    """URLs of the overview page and of the page for the projector."""
    place = hundred.folders.labs.parent / "in-a-browser"
    pages = write([LAB], hundred.folders, place)
    return {page.stem.endswith("projector"): page.as_uri() for page in pages}


@pytest.fixture
def screen(browser):
    screen = browser.new_page(viewport={"width": 1280, "height": 900})
    yield screen
    screen.close()


@pytest.mark.parametrize("projector", [False, True])
def test_overview_is_accessible_on_phone(screen, written, projector):
    from axe_playwright_python.sync_playwright import Axe

    screen.goto(written[projector])
    screen.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    if projector:
        screen.click("#next")
    # A theme changes only colours.
    only_colours = {"runOnly": ["color-contrast"]}
    for scheme, shown, options in (("light", "only-es", {}), ("dark", "both", only_colours)):
        screen.emulate_media(color_scheme=scheme)
        screen.check(f"#{shown}")
        found = Axe().run(screen, options=options)
        assert found.violations_count == 0, found.generate_report()
    for width in (390, 195):
        screen.set_viewport_size({"width": width, "height": 844})
        for _ in range(4 if projector else 1):
            assert screen.evaluate("document.documentElement.scrollWidth") <= width
            screen.keyboard.press("ArrowRight")


def test_next_lesson_sheet_is_one_page_without_names(screen, written):
    screen.goto(written[False])
    screen.check("#only-es")
    screen.evaluate("document.querySelector('details.hands').open = true")
    screen.emulate_media(media="print")
    assert screen.get_by_text("copier").count() == 1
    assert not screen.get_by_text("copier").is_visible()
    printed = screen.pdf(prefer_css_page_size=True)
    back = screen.locator(".answers, .answers ~ *")
    back.evaluate_all("all => all.forEach((e) => e.remove())")
    front = screen.pdf(prefer_css_page_size=True)
    n_pages = [len(re.findall(rb"/Type /Page\b(?!s)", each)) for each in (front, printed)]
    assert n_pages[0] == 1 and n_pages[1] <= 4
    assert re.search(rb"/MediaBox \[0 0 59[456][.\d]* 84[12]", printed)


def test_arrow_keys_open_answer_first(screen, written, overview):
    screen.goto(written[True])
    n_questions = len(riddles(overview))

    def seen() -> tuple[str, int, int]:
        """Return the page number and the numbers of visible answers and marks."""
        answers, marks = screen.locator(".answer:visible"), screen.locator(".right-one")
        return screen.locator("#place").inner_text(), answers.count(), marks.count()

    assert seen()[:2] == ("", 0)
    screen.get_by_label("Español", exact=True).click()  # after a click, arrow keys turn pages
    for key, place, n_open in (("Right", 1, 0), ("Right", 1, 1), ("Right", 2, 0), ("Left", 1, 0)):
        screen.keyboard.press(f"Arrow{key}")
        assert seen() == (f"{place} / {n_questions}", n_open, n_open)
    assert screen.locator("#only-es").is_checked()
    screen.locator("#only-es").focus()
    for key, shown in (("Left", "en"), ("Right", "es")):  # the focused switch uses these keys
        screen.keyboard.press(f"Arrow{key}")
        assert screen.locator(f"#only-{shown}").is_checked()


def test_projected_question_shows_its_answer(screen, written):
    """The test uses Spanish, which needs more space."""

    def letters() -> float:
        heading = screen.locator("section:not([hidden]) h1")
        return heading.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")

    # A page that fits here also fits on a larger screen if the font grows with the screen.
    screen.set_viewport_size({"width": 1280, "height": 720})
    screen.goto(written[True])
    screen.get_by_label("Español", exact=True).click()
    current_page, last = "", "one"
    while current_page != last or not screen.locator(".answer:visible").count():
        screen.keyboard.press("ArrowRight")
        current_page, _, last = screen.locator("#place").inner_text().partition(" / ")
        width, height = screen.locator("html").evaluate("e => [e.scrollWidth, e.scrollHeight]")
        assert width <= 1280 and height <= 720, current_page
        shown = screen.locator("section:not([hidden]) pre")
        rows = shown.evaluate_all("all => all.map((e) => e.scrollWidth - e.clientWidth)")
        assert rows and not any(rows)
        assert letters() >= 720 / 45
    screen.set_viewport_size({"width": 1920, "height": 1080})
    assert letters() >= 1080 / 45
