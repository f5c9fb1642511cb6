"""The class at a glance: for a made-up class of a hundred, every bar is as it must be."""

import re
from collections import Counter

import numpy as np
import pytest
from bs4 import BeautifulSoup
from checks.class_of import Given, GradedClass, record
from checks.hundred import (
    CLOCK,
    IDS,
    LAB,
    MISTAKES,
    RIGHT,
    ROW,
    ROWS,
    STRANGE,
    UNHEARD_OF,
    in_rows,
    mistake,
    wrong,
)
from checks.labs import misconceptions_of, needs_nbgrader
from nbformat.v4 import new_output

from classroom.findings import FEWEST, Overview, Shared, hands_needed, nameless, overview_of
from classroom.overview import page_of, page_of_all
from classroom.projector import LARGEST_SHOWN, projector_page, riddle_of, riddles
from classroom.projector import written as on_the_wall
from classroom.submissions import Task, class_work
from classroom.tomorrow import MOST_OUTPUTS, MOST_TOPICS, SHOWS, show_of
from course_utils.labs.diagnosis import diagnose
from course_utils.labs.messages import SAID as LABS_SAID
from course_utils.labs.tasks import EXERCISES
from course_utils.words.text import LANGUAGES, Text

pytest_plugins = ["checks.browser"]
pytestmark = [needs_nbgrader, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.fixture(scope="module")
def page(overview: Overview, topics: tuple) -> BeautifulSoup:
    return BeautifulSoup(page_of(overview, topics), "html.parser")


def expected_states() -> dict[str, list[int]]:
    """Full, wrong, not tried, not judged; by hand, from how the class was made."""
    return {
        ROW: [96 - 25 - 6 + 3, 25, 6, 1],
        ROWS: [96 - 40 - 3 - 6 + 2, 40 + 3, 6, 2],
        CLOCK: [96 - 10 - 10 - 6 + 2, 10, 10 + 6, 2],
        STRANGE: [96 - 6 + 3, 0, 6, 1],
    }


def expected_misconceptions() -> dict[str, int]:
    """How many have each, from what the natural mistakes are said to be."""
    found = {number: {*MISTAKES[ROWS][in_rows(number)][0].split()} for number in range(40)}
    for number in range(30, 55):  # who has it in both exercises counts once
        found.setdefault(number, set()).add("degrees")
    students = Counter(id for each in found.values() for id in each)
    students.update({"fastest-hand-read": 5, "angle-negative": 5})
    known = LABS_SAID["misconception"].keys()
    return {id: n for id, n in students.items() if n >= FEWEST and id in known}


def rows_of(page: BeautifulSoup, heading: str) -> list:
    """The rows of the table below a heading."""
    title = next(each for each in page.find_all("h2") if heading in each.get_text())
    return title.find_next("table").tbody.find_all("tr")


def widths(row: object) -> list[float]:
    return [float(re.search(r"width:([\d.]+)%", i["style"])[1]) for i in row.select(".bar i")]


def test_every_bar_of_the_exercises_is_as_high_as_the_class_was_made(page):
    rows = rows_of(page, "Whom each exercise stopped")
    found = [[int(each.get_text()) for each in row.select("td")] for row in rows]
    assert found == list(expected_states().values())
    assert all(sum(each) == 100 for each in found)
    for row, counts in zip(rows, found, strict=True):
        assert widths(row) == [count for count in counts if count]


def test_every_bar_of_the_misconceptions_is_as_high_as_the_class_was_made(page, overview):
    expected = expected_misconceptions()
    assert len(expected) >= 5
    assert {each.id: each.students for each in overview.shared} == expected
    rows = rows_of(page, "Misconceptions")
    found = [int(row.td.get_text()) for row in rows]
    assert found == sorted(expected.values(), reverse=True)
    for row, count in zip(rows, found, strict=True):
        assert sum(widths(row)) == count
    for row, shared in zip(rows, overview.shared, strict=True):
        assert BeautifulSoup(shared.sentence["en"], "html.parser").get_text() in row.get_text()


def test_what_to_ask_begins_with_the_exercise_that_cost_most_points(page, topics, overview):
    lost = {task.id: task.points * expected_states()[task.id][1] for task in overview.work.tasks}
    lost[CLOCK] += 3  # of the one whose code was stopped
    expected = sorted((id for id in lost if lost[id]), key=lambda id: -lost[id])
    assert [topic.task.id for topic in topics] == expected[:MOST_TOPICS]
    assert [topic.lost for topic in topics] == [lost[id] for id in expected]
    items = page.select("ol.ask > li")
    assert len(items) == len(topics) and f"{lost[ROWS]:g} points" in items[0].get_text()


def test_what_to_ask_can_be_understood_by_itself(page, topics):
    for item, topic in zip(page.select("ol.ask > li"), topics, strict=True):
        said = " ".join(item.get_text().split())
        for language in LANGUAGES:
            asked = BeautifulSoup(topic.question[language], "html.parser").get_text()
            assert " ".join(asked.split()) in said
            assert topic.asked[language][:10] in topic.asked[language]
        outputs = [each.get_text() for each in item.select(".outputs pre")]
        if topic.task.id != ROW:  # a value that is asked for is not given away
            assert 2 <= len(outputs) <= MOST_OUTPUTS + 1 and len({*outputs}) == len(outputs)
            assert topic.riddle.call in said and outputs[-1] == topic.riddle.expected
        links = [each["href"] for each in item.select("a")]
        assert links == [f"../notebooks/{SHOWS[topic.task.id].partition('#')[0]}.ipynb"] * 2
    minutes = re.search(r"about (\d+) minutes", page.select_one(".tomorrow").get_text())
    assert int(minutes[1]) == sum(topic.minutes for topic in topics) > 0
    assert "hand_explorer()" in page.select_one(".tomorrow").get_text()


def test_names_stand_only_where_a_hand_is_needed_and_that_is_closed(page):
    whole = page.get_text()
    hands = page.select_one("details.hands").extract()
    assert not hands.has_attr("open")
    by_student = {item.get_text() for item in hands.select("li")}
    amiss = {"breaker", "deleter: 2", "looper: 3", "copier: 1, 2, 3, 4"}
    assert by_student == amiss | {f"student{number}" for number in range(90, 96)}
    left = page.main.get_text().replace("students", "").replace("student,", "")
    for name in ("breaker", "looper", "copier", "deleter", "student"):
        assert name in whole and name not in left
    assert "Ana" not in whole


def seen_in_grading_only(made: GradedClass) -> Given:
    """An answer that check let pass, which has a misconception all the same."""
    given = Given("def rows(): return 12")
    told = record(ROWS, diagnose(EXERCISES[ROWS], EXERCISES[ROWS].right_answer()))
    swapped = diagnose(EXERCISES[ROWS], MISTAKES[ROWS][mistake(ROWS, "sine-cosine-swapped")][1])
    made.judged[ROWS, given] = [told, record(ROWS, swapped, judged="grading")], False
    return given


def test_every_wrong_answer_is_accounted_for(tmp_path):
    made = GradedClass(tmp_path, LAB)
    answers = {
        "misconception": seen_in_grading_only(made),
        "regular": wrong(ROWS, mistake(ROWS, "pattern.right-when")),
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
    said = BeautifulSoup(page_of(overview), "html.parser").get_text()
    for sentence in ("no misconception: 4", "or a wrong shape: 5", "be looked at: 6"):
        assert re.search(rf"{sentence}.*\(exercise 2", said), sentence
    shown = [(each.code, each.students) for each in overview.unexplained]
    assert shown == [("def answer():\n    return 'unheard of'", 7)]


def test_no_comment_or_text_is_left_of_code():
    assert nameless('# by Ana\ndef f():\n    "by Ana"') == "def f():\n    pass"
    assert nameless("def f(:  # by Ana\n  return") == "def f(:  \n  return"


def test_an_answer_under_another_name_needs_a_hand_and_the_same_value_does_not(tmp_path):
    made = GradedClass(tmp_path, LAB)
    value = Given(f"row = [{', '.join(f'math.sin(12 / 4 ** {k})' for k in range(9))}]")
    code = "def sinusoidal_row(a, b, c):\n" + "    a = a + b * (c - a)\n" * 9
    renamed, broken = Given(code), Given("def position_from_row(:")
    for id, given, name in (
        (ROWS, renamed, "sinusoidal_rows"),
        (CLOCK, broken, "position_from_row"),
        (ROW, value, "np"),
    ):
        said = {"ename": "NameError", "evalue": f"name '{name}' is not defined", "traceback": []}
        made.judged[id, given] = [new_output("error", **said)], False
    for name in ("ana", "eva", "zoe"):
        made.hand_in(name, {ROW: value, ROWS: renamed, CLOCK: broken})
    made.close()
    work = class_work(LAB, made.folders)
    hands = [(each.key, each.numbers) for each in hands_needed(work) if each.student == "ana"]
    assert hands == [("nameless", "2"), ("alike", "2")]
    shared = re.findall(r"<li>\w+ = .*?</li>", page_of(overview_of(work)))
    assert shared == ["<li>zoe = ana = eva: 2</li>"]


@pytest.mark.parametrize("n_students", [2, 3])
def test_groups_below_three_are_not_broken_down(tmp_path, n_students):
    made = GradedClass(tmp_path, LAB)
    for number in range(n_students):
        made.hand_in(f"s{number}", RIGHT | {ROW: wrong(ROW, mistake(ROW, "degrees"))})
    made.close()
    overview = overview_of(class_work(LAB, made.folders))
    shown = page_of(overview)
    enough = n_students >= FEWEST
    assert bool(overview.shared) == ("<table>" in shown) == ("degrees" in shown) == enough
    assert enough or riddles(overview) == ()


def test_pages_load_nothing_and_keep_languages_and_labs_apart(page, overview):
    of_all_labs = BeautifulSoup(page_of_all([overview, overview]), "html.parser")
    assert len(of_all_labs.select("tbody tr")) == 2 * len(IDS)
    assert {each["href"] for each in of_all_labs.select("h2 a")} == {f"{LAB}.html"}
    assert "default-src 'none'" in str(page.head) and not page.find_all("script")
    assert not page.find_all(src=True)
    assert all(each["href"].startswith("../") for each in page.find_all(href=True))
    for language, heading in zip(LANGUAGES, ("What to ask tomorrow", "Qué preguntar"), strict=True):
        headings = [each.get_text() for each in page.main.select(f'h2 [lang="{language}"]')]
        assert any(heading in each for each in headings)


def test_each_question_to_project_has_one_choice_that_gives_its_output(overview):
    asked = riddles(overview)
    assert len(asked) >= 3
    for riddle in asked:
        assert sum(choice.right for choice in riddle.choices) == 1
        assert len({choice.text["en"] for choice in riddle.choices}) == len(riddle.choices)
        assert len(riddle.choices) in (3, 4)
        assert riddle.given != riddle.expected
    shown = BeautifulSoup(projector_page(overview), "html.parser")
    assert len(shown.find_all("section")) == len(asked) + 1
    said = shown.main.get_text().lower().replace("students", "")
    assert not shown.find_all(src=True) and "student" not in said


def test_every_exercise_has_something_to_show_and_its_misconceptions_a_question_or_none(hundred):
    """Some give no numbers but an error, and some the right numbers in the first cases."""
    title = Text(*["Title"] * len(LANGUAGES))
    asked = []
    for exercise in EXERCISES.values():
        found = show_of(exercise.id, hundred.folders)
        assert found is not None and re.match(r"\d+ · \w", found.section["en"]), exercise
        task = Task(exercise.id, 1, title, 1, "", "", "")
        for id in misconceptions_of(exercise):
            asked.append(riddle_of(Shared(id, 3, (task,))))
    made = [riddle for riddle in asked if riddle is not None]
    assert len(made) > len(asked) / 2 and {len(riddle.choices) for riddle in made} <= {3, 4}
    for riddle in made:
        assert riddle.given != riddle.expected and len(riddle.given.split()) <= LARGEST_SHOWN


def test_numbers_on_the_wall_have_no_needless_digits():
    assert on_the_wall(np.array([[2.0, 0.5], [1 / 3, np.nan]])) == "     2     0.5\n0.3333     nan"
