"""What is found in natural mistakes, exactly; `pytest -rP` here says how many are named."""

import pytest
from checks.labs import by_exercise, grading_accepts

from course_utils.labs.diagnosis import diagnose
from course_utils.labs.tasks import EXERCISES

MISTAKES = by_exercise("mistakes", "MISTAKES")
ATTEMPTS = 10
SHARE_NAMED = 0.8


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the mistakes themselves
@pytest.mark.parametrize("exercise_id", MISTAKES)
def test_what_is_found_in_natural_mistakes_is_what_they_are(exercise_id):
    for number, (expected, answer) in enumerate(MISTAKES[exercise_id]):
        assert (number, diagnose(EXERCISES[exercise_id], answer).finding) == (number, expected)
        assert expected != "solved"
        assert not grading_accepts(exercise_id, answer)


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_most_natural_mistakes_are_named_or_led_on(exercise_id):
    expected = [expected for expected, _ in MISTAKES.get(exercise_id, ())]
    named = [one for one in expected if one]
    print(f"{exercise_id}: {len(named)} of {len(expected)}")
    assert len(expected) >= ATTEMPTS
    assert len(named) >= SHARE_NAMED * len(expected)
