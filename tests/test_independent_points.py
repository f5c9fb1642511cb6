"""Each exercise counts on its own: one wrong answer costs its points and no others."""

import numpy as np
import pytest
from nbformat import NotebookNode
from net.labs import cell, read

from course_utils.labs import check, grade
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
    mistaken = exercise.as_answer(next(exercise.wrong_ways()).function)
    assert lost(lab, exercise, {exercise.name: mistaken}) == {exercise.id}
    assert lost(lab, exercise, {}) == {exercise.id}  # a cell that did not run


FREQUENCIES = """
def angular_frequencies(d_model, base=100.0):
    return base ** -(np.arange(0, d_model, 2) / d_model)
"""
TABLE = """
def sinusoidal_encoding(n_positions, d_model):
    angles = np.outer(np.arange(n_positions), angular_frequencies(d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n_positions, d_model)
"""
GRADE = 'grade("sinusoidal-encoding", sinusoidal_encoding, [(7, 10)])'


def hand_in(*sources: str, grading: str = GRADE) -> dict[str, object]:
    given = {"np": np, "grade": grade}
    for source in (*sources, grading):
        exec(source, given)
    return given


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        TABLE.replace("(d_model))", "(d_model, base=10_000.0))"),  # a parameter of one's own
    ],
)
def test_an_earlier_answer_may_be_called_right_or_wrong(table):
    given = hand_in(FREQUENCIES, table)
    assert given["angular_frequencies"](4).tolist() == [1, 0.1]  # the learner's again


def test_a_wrong_answer_is_refused_for_its_own_mistake_only():
    with pytest.raises(AssertionError) as refused:
        hand_in(FREQUENCIES, TABLE.replace("[np.sin(angles), np.cos", "[np.cos(angles), np.sin"))
    assert "Sine and cosine have changed places" in str(refused.value)
    assert "base" not in str(refused.value)


def test_no_exercise_is_answered_by_the_right_answer_to_a_later_one():
    arcs = "def angular_frequencies(d): return np.arcsin(sinusoidal_encoding(2, d)[1, ::2])"
    with pytest.raises(AssertionError):
        hand_in(arcs, grading='grade("angular-frequencies", angular_frequencies)')


def test_what_was_stopped_when_it_was_checked_is_not_run_again():
    runs = []

    def endless(n_positions: int) -> None:
        runs.append(n_positions)
        raise KeyboardInterrupt

    check("bits-needed", endless)
    with pytest.raises(AssertionError, match=r"bits_needed\(2\) was stopped"):
        grade("bits-needed", endless)
    assert len(runs) == 1
    check("bits-needed", lambda n: n)
    with pytest.raises(AssertionError, match=r"bits_needed\(2\) should be"):
        grade("bits-needed", lambda n: n)
