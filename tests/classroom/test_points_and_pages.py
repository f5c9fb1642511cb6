"""Tests of manual points, half points, late penalties and returned pages."""

import csv
import shutil
from datetime import datetime

import nbformat
import pytest
from checks.class_of import CLOCK, LAB, RIGHT, ROW, ROWS, UNHEARD_OF, GradedClass, wrong
from checks.labs import REPOSITORY, needs_nbgrader
from traitlets.config import PyFileConfigLoader

from course_utils.labs.feedback import RECORD

pytestmark = [needs_nbgrader, pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def test_empty_score_differs_from_empty_lab():
    from classroom.grades import state_of
    from classroom.submissions import UNTRIED, WRONG, Answer, Submission

    tried = {"one": Answer(UNTRIED), "two": Answer(WRONG)}
    assert state_of(None, "en") == ("not-handed-in", "")
    assert state_of(Submission("ana", {"one": Answer(UNTRIED)}), "en") == ("empty", "")
    assert state_of(Submission("bo", tried), "en") == ("graded", "")
    assert state_of(Submission("cai", {}, problem="damaged"), "en") == ("damaged", "")


def test_late_penalty_never_makes_points_negative(tmp_path, monkeypatch):
    from nbgrader.apps import NbGrader

    from classroom.grades import Grades

    made = GradedClass(tmp_path, LAB)
    made.book.update_or_create_assignment(LAB, duedate="2026-11-20 12:00:00 UTC")
    times = {"ana": "12:00:00", "ben": "12:00:01", "cai": "13:00:00"}
    for (name, time), penalty in zip(times.items(), (None, 0.25, 4.0), strict=True):
        made.hand_in(name, {ROW: RIGHT[ROW]})
        submission = made.book.find_submission(LAB, name)
        submission.timestamp = datetime.fromisoformat(f"2026-11-20 {time}")
        submission.notebooks[0].late_submission_penalty = penalty
    made.book.add_student("dan", first_name="Dan", email="dan@example.org")
    made.book.db.commit()
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    Grades(parent=NbGrader()).export(made.book)
    with open("grades.csv", encoding="utf-8", newline="") as file:
        ana, ben, cai, dan = csv.DictReader(file)
    made.close()
    columns = ("raw_score", "late_submission_penalty", "score", "max_score")
    assert [[row[name] for name in columns] for row in (ana, ben, cai, dan)] == [
        ["", "", "1.0", "9.0"],
        ["1.0", "0.25", "0.75", "9.0"],
        ["1.0", "4.0", "0.0", "9.0"],
        ["", "", "", "9.0"],
    ]
    assert [bool(row["late"]) for row in (ana, ben, cai, dan)] == [False, True, True, False]
    assert ana["duedate"] == "2026-11-20 12:00:00" and ben["timestamp"] == "2026-11-20 12:00:01"
    assert (dan["first_name"], dan["email"]) == ("Dan", "dan@example.org")
    assert dan["state"].startswith("not handed in")


def test_outdated_page_is_named(tmp_path):
    from classroom.give_back import outdated, pages, path_back
    from classroom.points import give
    from classroom.submissions import class_work, graded_as, points_in

    made = GradedClass(tmp_path, LAB)
    for name in ("ana", "ben"):
        made.hand_in(name, {ROW: RIGHT[ROW]})
    made.write(made.folders.submitted, "dan", "{")
    made.close()
    address, feedback = made.folders.gradebook, made.folders.feedback
    graded = points_in(LAB, address)
    for name in ("ana", "ben"):
        page = feedback / name / LAB / f"{LAB}.html"
        page.parent.mkdir(parents=True)
        page.write_text(f'<meta content="{graded_as(graded[name])}" name="graded"/>', "utf-8")

    def old() -> list[str]:
        work = class_work(LAB, made.folders)
        found = pages(work, feedback)
        by_path = {path_back(given, LAB): page.read_text() for given, page in found}
        assert by_path.keys() == {f"{name}/{LAB}.html" for name in ("ana", "ben", "dan")}
        assert "cannot be read as a notebook" in by_path[f"dan/{LAB}.html"]
        return outdated(work, feedback)

    assert old() == []
    with pytest.raises(ValueError, match="0 to 3"):
        give(LAB, "ben", ROWS, 4, "too many", address)
    assert old() == []
    for points, reason in ((0, "A copy."), (2, "Only a sign.")):
        give(LAB, "ben", ROWS, points, reason, address)
    assert old() == ["ben"]
    given = points_in(LAB, address)["ben"][ROWS]
    assert (given.score, given.by_hand, given.comment) == (2, True, "Only a sign.")


def test_half_points_need_exactly_one_known_mistake():
    from classroom.points import only_slip_of

    def record(judged: str, misconceptions: list[str]) -> dict:
        made = {"judged": judged, "misconceptions": misconceptions, "exercise": ROW}
        return {"output_type": "display_data", "data": {RECORD: made}}

    needed = record("check", ["degrees"])
    slips = {"degrees": "degrees", "degrees another-base": None, "nothing-that-is-known": None}
    for found, slip in slips.items():
        assert only_slip_of({"outputs": [needed, record("grading", found.split())]}) == slip
    assert only_slip_of({"outputs": [needed]}) is None  # accepted in the end


@pytest.mark.parametrize("half_points", [False, True])
def test_known_mistake_can_get_half_points(tmp_path, half_points):
    from classroom.points import SavePoints
    from classroom.submissions import points_in

    made = GradedClass(tmp_path, LAB)
    made.hand_in("ana", {ROW: wrong(ROW, "degrees"), ROWS: RIGHT[ROWS], CLOCK: UNHEARD_OF})
    made.close()
    address, place = made.folders.gradebook, f"ana/{LAB}/{LAB}.ipynb"
    graded = nbformat.read(made.folders.autograded / place, as_version=4)
    names = {"notebook": LAB, "assignment": LAB, "student": "ana", "db_url": address}
    SavePoints(half_points=half_points).preprocess(graded, {"nbgrader": names})
    points = points_in(LAB, address)["ana"]
    expected = (made.points[ROW] / 2, "degrees") if half_points else (0, "")
    assert (points[ROW].score, points[ROW].half_for) == expected
    others = [points[ROWS].score, points[CLOCK].score]
    assert others == [made.points[ROWS], 0] and not points[CLOCK].half_for


def test_each_late_day_costs_set_points():
    from classroom.points import LatePenalty

    late = LatePenalty(points_per_day=0.5)
    taken = [late.late_submission_penalty("ana", 9, seconds) for seconds in (1, 86_400, 86_401)]
    assert taken == [0.5, 0.5, 1.0]
    assert LatePenalty().late_submission_penalty("ana", 9, 86_401) is None


@pytest.mark.slow
def test_truncated_submission_replaces_no_complete_one(tmp_path):
    from nbgrader.apps import NbGraderAPI

    config = PyFileConfigLoader("nbgrader_config.py", str(REPOSITORY)).load_config()
    config.CourseDirectory.root = str(tmp_path)
    config.Exchange.root = str(tmp_path / "exchange")
    inbound = tmp_path / "exchange" / config.CourseDirectory.course_id / "inbound"

    def collected() -> dict[str, str]:
        result = NbGraderAPI(config=config).collect(LAB, update=True)
        assert result["success"], result
        found = tmp_path.glob(f"submitted/*/{LAB}/{LAB}.ipynb")
        return {path.parent.parent.name: path.read_text() for path in found}

    def hand_in(minute: int, text: str, **secrets: str | None) -> None:
        """Create a submission as nbgrader does, with the secret written last."""
        time = f"2026-11-22 10:0{minute}:00 UTC"
        for student, secret in secrets.items():
            folder = inbound / f"{student}+{LAB}+{time}+random"
            folder.mkdir(parents=True)
            (folder / f"{LAB}.ipynb").write_text(text)
            if secret is not None:
                (folder / "timestamp.txt").write_text(time)
                (folder / "submission_secret.txt").write_text(secret)

    hand_in(1, "old", ana="known")
    hand_in(2, "newer", ana="known", ben="known")
    hand_in(4, "cut", ana=None, ben="", cai=None, dan="")
    assert collected() == {"ana": "newer", "ben": "newer", "cai": "cut", "dan": "cut"}
    hand_in(5, "newest", ana="known", cai="known")
    assert collected() == {"ana": "newest", "ben": "newer", "cai": "newest", "dan": "cut"}


def test_manual_points_reach_ungraded_work(tmp_path):
    from classroom.findings import hands_needed
    from classroom.give_back import outdated, pages
    from classroom.grades import state_of
    from classroom.points import exercise_of, give
    from classroom.submissions import class_work

    made = GradedClass(tmp_path, LAB)
    made.hand_in("ana", {ROW: RIGHT[ROW]})
    made.write(made.folders.submitted, "dan", "{")
    made.close()
    address = made.folders.gradebook

    def dan() -> tuple:
        work = class_work(LAB, made.folders)
        found = next(each for each in work.submissions if each.student == "dan")
        page = dict((each.student, page) for each, page in pages(work, made.folders.feedback))
        needed = {hand.key for hand in hands_needed(work) if hand.student == "dan"}
        return found, page["dan"].read_text("utf-8"), needed

    found, page, needed = dan()
    assert not found.has_score and "no points for this lab yet" in page and needed == {"damaged"}
    tasks = class_work(LAB, made.folders).tasks
    assert exercise_of("2", tasks) == exercise_of(ROWS, tasks) == ROWS
    with pytest.raises(ValueError, match="1 .row-by-hand., 2 .sinusoidal-rows."):
        exercise_of("5", tasks)
    give(LAB, "dan", ROWS, 2, "On <paper>.", address)
    found, page, needed = dan()
    assert found.has_score and found.score == 2 and needed == set()
    assert "2 of 9" in page and "2 / 3. On &lt;paper&gt;." in page
    assert state_of(found, "en")[1] == "exercise 2: 2 points by hand (On <paper>.)"
    give(LAB, "dan", ROWS, None, "", address)
    assert not dan()[0].has_score
    give(LAB, "ana", ROW, 0.5, "Late.", address)
    hands = [
        (hand.key, hand.student, hand.numbers)
        for hand in hands_needed(class_work(LAB, made.folders))
    ]
    assert ("more", "ana", "1") in hands
    assert outdated(class_work(LAB, made.folders), made.folders.feedback) == ["ana"]


def test_equal_code_is_reported_only_in_small_groups(tmp_path):
    from classroom.findings import MOST_ALIKE, shared_code
    from classroom.submissions import class_work

    made = GradedClass(tmp_path, LAB)
    code = wrong(ROWS, "degrees")
    long = type(code)(
        "def sinusoidal_rows(a, b, c):\n    return " + " + ".join("abc" * 8), code.answer
    )
    for number in range(MOST_ALIKE + 1):
        if number == MOST_ALIKE:
            assert len(shared_code(class_work(LAB, made.folders))) == 1
        made.hand_in(f"s{number}", {ROWS: long})
        made.book.db.commit()
    assert shared_code(class_work(LAB, made.folders)) == {}
    made.close()
