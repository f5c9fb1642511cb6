"""Solutions with one small change are refused, by the cases of check and of the hidden test."""

import random

import mutants
import pytest
from checks.labs import by_exercise
from mutants import tally

from course_utils.labs.tasks import EXERCISES

SECOND = by_exercise("second_references", "SECOND")

AXIS = {"1 -> -1": "axis 1 is the last"}
EVEN = {"0::2 -> 0:-1:2": "of an even number of columns, the last is not taken"}
ENDS = {"d_model -> d_model - 1": "the last column begins no pair"}
ONES = "all columns are times 1"
WHOLE = "what is halved is even"
ORDER = "the larger of two numbers is the same in any order"
TOLERANCE = "an angle read off is whole, but for rounding"

EQUAL = {
    "countdown-encoding": {
        "still_to_come[:, np.newaxis] * np.ones(d_model)"
        " -> still_to_come[:, np.newaxis] / np.ones(d_model)": ONES,
    },
    "first-drowned-position": {"0 -> 1": "at position 0 no word drowns"},
    "repeating-encoding": {
        "shares[:, np.newaxis] * np.ones(d_model)"
        " -> shares[:, np.newaxis] / np.ones(d_model)": ONES,
    },
    "largest-change": {
        "long_table[:n_positions] - short_table"
        " -> short_table - long_table[:n_positions]": "the sign is dropped",
    },
    "positions-from-bits": AXIS,
    "flips-at-distance": AXIS,
    "row-by-hand": {"12 -> -12": "a cosine has no sign"},
    "position-from-row": {"round(angle / slowest) -> angle / slowest": TOLERANCE},
    "strange-table": {
        "columns % 2 == 0 -> columns % 2 <= 0": "no remainder is negative",
        "2 -> -2": "a remainder is 0 or not, whatever its sign",
    },
    "distance-by-offset": AXIS,
    "offset-between": {
        "round(np.arctan2(sine, cosine) / slowest)"
        " -> np.arctan2(sine, cosine) / slowest": TOLERANCE,
        "row -> other": "both rows have d_model numbers",
    },
    "strange-products": EVEN,
    "most-similar-distance": AXIS
    | {
        "np.cos(np.outer(distances, frequencies)).sum"
        " -> np.cos(np.outer(distances, frequencies)).mean": "the largest sum has the largest mean",
    },
    "share-looking-at": AXIS,
    "query-looking-back": {
        "np.array([x * cosine + y * sine, y * cosine - x * sine])"
        " -> [x * cosine + y * sine, y * cosine - x * sine]": "a list is an answer too",
    },
    "their-scores": AXIS
    | {"x * cosines - y * sines -> y * sines - x * cosines": "query and key both change the sign"},
    "move-keys": AXIS | EVEN | ENDS,
    "interpolated-angles": ENDS
    | {"max(1, n_positions / trained_length) -> max(n_positions / trained_length, 1)": ORDER},
    "slopes-for-any-heads": {"::2 -> :-1:2": "of an even number of slopes, the last is not taken"},
    "bucket-of-offset": {
        "one_side // 2 -> one_side / 2": WHOLE,
        "n_buckets // 2 -> n_buckets / 2": WHOLE,
        "one_side - n_single -> n_single": WHOLE,
        "distance < n_single -> distance <= n_single": "the logarithm begins with the same bucket",
        "max(-offset, 0) -> max(0, -offset)": ORDER,
        "min(far, one_side - 1) -> min(one_side - 1, far)": ORDER,
    },
    "broken-rope": AXIS | EVEN | ENDS,
}
"""The changes that change nothing that an answer may be asked, and why."""

A_FEW = 12


def a_few(of_all: list) -> list:
    return random.Random(1).sample(of_all, min(A_FEW, len(of_all)))


@pytest.mark.parametrize("exercise_id", sorted({*SECOND, *EQUAL}))
def test_some_mutants_of_each_solution_are_refused(exercise_id, monkeypatch):
    monkeypatch.setattr(mutants, "N_SAMPLES", 40)
    found = tally(EXERCISES[exercise_id], a_few)
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) <= EQUAL.get(exercise_id, {}).keys()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the mutants themselves
@pytest.mark.parametrize("exercise_id", sorted({*SECOND, *EQUAL}))
def test_all_mutants_of_each_solution_are_refused(exercise_id):
    found = tally(EXERCISES[exercise_id])
    assert found.refused > A_FEW
    assert not found.check_accepts and not found.grading_accepts
    assert set(found.equal) == EQUAL.get(exercise_id, {}).keys()
