"""How bad input must be refused, for the tests of every module that takes numbers."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import course_utils

PACKAGE = Path(course_utils.__file__).parent

# What is no size: the value, the error, and how the message quotes it.
NO_SIZES = [
    (0, ValueError, "got 0."),
    (-1, ValueError, "got -1."),
    (-(10**5000), ValueError, "too long to write out"),
    (True, TypeError, "got True."),
    (False, TypeError, "got False."),
    (np.True_, TypeError, "True"),
    (4.0, TypeError, "got 4.0."),
    (math.nan, TypeError, "got nan."),
    (math.inf, TypeError, "got inf."),
    (np.float64(4), TypeError, "4.0"),
    ("4", TypeError, "got '4'."),
    (b"4", TypeError, "got b'4'."),
    ("4" * 1000, TypeError, "..."),
    (None, TypeError, "got None."),
    (4j, TypeError, "got 4j."),
    ([4], TypeError, "got [4]."),
    (np.array(4), TypeError, "array(4)"),
    (np.array([4]), TypeError, "array([4])"),
    (np.zeros((50, 50)), TypeError, "array("),
    (Fraction(4), TypeError, "Fraction(4, 1)"),
    (int, TypeError, "int"),
]

NO_BASES = [
    (1, ValueError, "got 1."),
    (0, ValueError, "got 0."),
    (-2, ValueError, "got -2."),
    (0.5, ValueError, "got 0.5."),
    (math.inf, ValueError, "got inf."),
    (-math.inf, ValueError, "got -inf."),
    (math.nan, ValueError, "got nan."),
    (np.float64("nan"), ValueError, "nan"),
    (10**400, ValueError, "got 1000"),
    (10**5000, ValueError, "too long to write out"),
    ("10000", TypeError, "got '10000'."),
    (None, TypeError, "got None."),
    (True, TypeError, "got True."),
    (np.True_, TypeError, "True"),
    (2 + 0j, TypeError, "got (2+0j)."),
    (Decimal(10_000), TypeError, "Decimal"),
    ([10_000], TypeError, "got [10000]."),
    (np.array(10_000.0), TypeError, "array(10000.)"),
]

# What no array of numbers can be made of.
NO_NUMBERS = [
    *("a", None, True, 1j, {1: 2}, object()),
    *([["a"], ["b"]], [[True], [False]], [[1j], [1]], [[None], [1]], [[1, 2], [3]]),
    np.array([["2026-11-21"]], dtype="M8[D]"),
]


def assert_refused(call: Callable[[], object], *said: str) -> Exception:
    """The call raises TypeError or ValueError, from the package itself, in one sentence.

    The sentence holds every one of the words in ``said``.
    """
    with pytest.raises((TypeError, ValueError)) as refused:
        call()
    error = refused.value
    assert type(error) in (TypeError, ValueError)
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    assert Path(innermost.filename).parent == PACKAGE, f"raised inside {innermost.filename}"
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__, "a second traceback is shown"
    sentence = str(error)
    assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 250, sentence
    assert " must " in sentence or " too large " in sentence or " not fit " in sentence, sentence
    for words in said:
        assert words in sentence, f"{words!r} is not in {sentence!r}"
    return error


def named(cases):
    return [pytest.param(*case, id=f"{index}-{case[2]}") for index, case in enumerate(cases)]
