"""Tests that a wrong answer does not affect the points for other exercises."""

import pytest
from checks.labs import cell, mistakes, read

from course_utils import labs
from course_utils.labs.exercise import Exercise
from course_utils.labs.messages import TEXTS
from course_utils.labs.tasks import EXERCISES, LABS
from course_utils.words.text import LANGUAGES


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))


def lost(lab: str, wrong: Exercise, answer: object) -> set[str]:
    """Return the exercises without points if one answer is wrong and all others are correct.

    Earlier exercises are tested before the wrong answer exists.
    """
    notebook, without_points = read("solutions", lab), set()
    names = {"display": lambda *shown: None}
    exec(cell(notebook, "switch").source, names)
    for exercise in LABS[lab]:
        exec(cell(notebook, exercise.id).source, names)
        if exercise is wrong:
            del names[exercise.name]
            names.update(answer)
        try:
            if LABS[lab].index(exercise) >= LABS[lab].index(wrong):
                exec(cell(notebook, f"check-{exercise.id}").source, names)
        except (AssertionError, NameError):
            without_points.add(exercise.id)
    return without_points


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # raised by the wrong answers
@pytest.mark.parametrize("lab", LABS)
def test_wrong_answer_costs_only_its_own_points(lab):
    for exercise in LABS[lab]:
        _, mistaken = mistakes(exercise.id)[0]
        assert lost(lab, exercise, {exercise.name: mistaken}) == {exercise.id}
    assert lost(lab, exercise, {}) == {exercise.id}  # a cell that did not run


def double(n):
    return 2 * n


def quadruple(n):
    return 4 * n


ANY = EXERCISES["bits-needed"]
GIVEN = {"cases": ((3,),), "by_hand": ANY.by_hand, "misconceptions": {}}
EARLIER, LATER = Exercise("double", double, **GIVEN), Exercise("quadruple", quadruple, **GIVEN)
WRONG_DOUBLE = "def double(n, times=3): return times * n"


@pytest.fixture
def a_lab_of_two(monkeypatch):
    monkeypatch.setattr("course_utils.labs.independence.LABS", {"a lab": (EARLIER, LATER)})
    monkeypatch.setattr(labs, "EXERCISES", {"double": EARLIER, "quadruple": LATER})
    for id in ("double", "quadruple"):  # any texts will do
        monkeypatch.setitem(TEXTS["exercise"], id, TEXTS["exercise"][ANY.id])


def hand_in(*cells: str, graded: str = "quadruple") -> dict[str, object]:
    names = {"grade": labs.grade}
    exec("\n".join([*cells, f"grade('{graded}', {graded}, [(7,)])"]), names)
    return names


WRONG = pytest.mark.parametrize("earlier", [WRONG_DOUBLE, "double = None", ""])


@WRONG
def test_wrong_earlier_answer_is_restored_afterwards(earlier, a_lab_of_two):
    names = hand_in(earlier, "def quadruple(n): return double(double(n))")
    assert ("double" in names) == bool(earlier)
    names = hand_in(WRONG_DOUBLE, "def quadruple(n): return double(n, times=4)")
    assert names["double"](1) == 3


def test_answer_is_rejected_for_its_own_mistake_only(a_lab_of_two):
    with pytest.raises(AssertionError, match=r"quadruple\(3\) should be 12, but it is 13"):
        hand_in(WRONG_DOUBLE, "def quadruple(n): return double(double(n)) + 1")
    with pytest.raises(AssertionError, match="quadruple"):
        hand_in("def double(n): return quadruple(n) / 2", graded="double")


def test_stopped_answer_runs_again_only_after_change(a_lab_of_two):
    runs = []

    def endless(n: int) -> None:
        runs.append(n)
        raise KeyboardInterrupt

    labs.check("double", endless)
    with pytest.raises(AssertionError, match=r"double\(3\) was stopped"):
        labs.grade("double", endless)
    assert len(runs) == 1
    labs.grade("double", double)
    labs.check("double", lambda n: n)
    with pytest.raises(AssertionError, match=r"double\(3\) should be 6"):
        labs.grade("double", lambda n: n)


def checked(*cells: str) -> labs.Feedback:
    names = {"check": labs.check}
    exec("\n".join([*cells, "feedback = check('quadruple', quadruple)"]), names)
    return names["feedback"]


UNSOLVED = "Exercise double is not solved yet", "El ejercicio double aún no está resuelto"
RIGHT_ONE = "run with the reference solution", "se probó con la solución de referencia"


@WRONG
def test_check_tries_reference_for_unsolved_answer(earlier, a_lab_of_two):
    through_another = "def twice(n): return double(n)\ndef quadruple(n): return twice(2 * n)"
    solved = checked(earlier, through_another)
    refused = checked(earlier, "def quadruple(n): return double(double(n)) + 1")
    assert solved.solved
    assert not refused.solved and "should be 12, but it is 13" in refused.message("en")
    for feedback in (solved, refused):
        for language, *expected in zip(LANGUAGES, UNSOLVED, RIGHT_ONE, strict=True):
            assert all(each in feedback.message(language) for each in expected)


def test_check_ignores_solved_or_uncalled_answers(a_lab_of_two):
    solved = "def double(n): return n + n"
    for cells in (
        (solved, "def quadruple(n): return double(double(n))"),
        (solved, "def quadruple(n): return double(double(n)) + 1"),
        (WRONG_DOUBLE, "def quadruple(n): return 4 * n + 1"),
    ):
        message = checked(*cells).message("en")
        assert "not solved yet" not in message and "right one" not in message


def test_earlier_answer_in_another_form_is_named(a_lab_of_two):
    double = "def double(n): return [2 * n][0] if n == 3 else [2 * n]"
    feedback = checked(double, "def quadruple(n): return double(double(n))")
    assert feedback.solved and "not solved yet" not in feedback.message("en")
    assert "run with the reference solution" in feedback.message("en")


def test_endless_earlier_answer_is_replaced(a_lab_of_two, monkeypatch):
    monkeypatch.setattr("course_utils.labs.running.SECONDS", 0.3)
    search = "def quadruple(n):\n    while double(1) != 2: pass\n    return 4 * n"
    feedback = checked(WRONG_DOUBLE, search)
    assert feedback.solved and UNSOLVED[0] in feedback.message("en")
    hand_in(WRONG_DOUBLE, search)
