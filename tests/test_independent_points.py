"""Each exercise counts on its own: one wrong answer costs its points and no others."""

import pytest
from checks.labs import cell, read
from nbformat import NotebookNode

from course_utils import labs
from course_utils.labs.exercise import Exercise
from course_utils.labs.tasks import LABS


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))


def lost(lab: str, wrong: Exercise, answer: object) -> set[str]:
    """The exercises without points if one is answered like this, and all others are solved."""
    notebook = read("solutions", lab)
    given = {"display": lambda *shown: None}
    without_points = set()

    def run(code: NotebookNode) -> None:
        exec(compile(code.source, code.id, "exec"), given)

    run(cell(notebook, "switch"))
    for exercise in LABS[lab]:
        run(cell(notebook, exercise.id))
        if exercise is wrong:
            given.pop(exercise.name)
            given.update(answer)
        try:
            run(cell(notebook, f"check-{exercise.id}"))
        except (AssertionError, NameError):
            without_points.add(exercise.id)
    return without_points


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the wrong ways themselves
@pytest.mark.parametrize(
    ("lab", "exercise"),
    [
        pytest.param(lab, exercise, id=exercise.id)
        for lab, exercises in LABS.items()
        for exercise in exercises
    ],
)
def test_a_wrong_answer_costs_its_own_points_only(lab, exercise):
    mistaken = exercise.as_answer(next(exercise.wrong_implementations()).function)
    assert lost(lab, exercise, {exercise.name: mistaken}) == {exercise.id}
    assert lost(lab, exercise, {}) == {exercise.id}  # a cell that did not run


EARLIER, LATER = (
    Exercise(id, reference=lambda n, *, times=times: times * n, cases=((3,),), misconceptions=())
    for id, times in (("double", 2), ("quadruple", 4))
)
WRONG_DOUBLE = "def double(n, times=3): return times * n"


@pytest.fixture
def a_lab_of_two(monkeypatch):
    monkeypatch.setattr("course_utils.labs.independence.LABS", {"a lab": (EARLIER, LATER)})
    monkeypatch.setattr(labs, "EXERCISES", {"double": EARLIER, "quadruple": LATER})


def hand_in(*cells: str, graded: str = "quadruple") -> dict[str, object]:
    names = {"grade": labs.grade}
    for source in (*cells, f"grade('{graded}', {graded}, [(7,)])"):
        exec(source, names)
    return names


@pytest.mark.parametrize("earlier", [WRONG_DOUBLE, "def double(n): return", "double = None", ""])
def test_an_earlier_answer_may_be_called_right_or_wrong(earlier, a_lab_of_two):
    names = hand_in(earlier, "def quadruple(n): return double(double(n))")
    assert ("double" in names) == bool(earlier)
    if earlier == WRONG_DOUBLE:
        assert names["double"](1) == 3  # the learner's again


def test_an_earlier_answer_may_have_a_parameter_of_its_own(a_lab_of_two):
    hand_in(WRONG_DOUBLE, "def quadruple(n): return double(n, times=4)")


def test_a_wrong_answer_is_refused_for_its_own_mistake_only(a_lab_of_two):
    with pytest.raises(AssertionError, match=r"quadruple\(3\) should be 12 and is 13"):
        hand_in(WRONG_DOUBLE, "def quadruple(n): return double(double(n)) + 1")


def test_no_exercise_is_answered_by_the_right_answer_to_a_later_one(a_lab_of_two):
    with pytest.raises(AssertionError, match="quadruple"):
        hand_in("def double(n): return quadruple(n) / 2", graded="double")


def test_what_was_stopped_when_it_was_checked_is_not_run_again(a_lab_of_two):
    runs = []

    def endless(n: int) -> None:
        runs.append(n)
        raise KeyboardInterrupt

    labs.check("double", endless)
    with pytest.raises(AssertionError, match=r"double\(3\) was stopped"):
        labs.grade("double", endless)
    assert len(runs) == 1
    labs.check("double", lambda n: n)
    with pytest.raises(AssertionError, match=r"double\(3\) should be 6"):
        labs.grade("double", lambda n: n)
