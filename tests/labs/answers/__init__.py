"""Correct and wrong answers to all exercises, for tests.

Each lab has a module with the same name as its module of tasks, which contains

    ANSWERS = {"the-exercise": Answers(...)}
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Answers:
    """Answers to an exercise, which are functions, classes or values.

    Attributes:
        second: Independent solution with plain loops and ``math``. It accepts all arguments of a
            case at once, and raises the same kind of errors as ``Exercise.reference``.
        asked: Tuples of small and large arguments, including the limits of the allowed range.
        right: Correct answers in various forms.
        wrong: Answers that the exercise does not define, with the expected ``Diagnosis.finding``.
            The finding is ``pattern.`` followed by the name of a pattern, the key of a message such
            as "raised", or "" if only a wrong number can be shown.
        equal_changes: Changes to the solution that have no effect, with the reasons.
    """

    second: Callable[..., object]
    asked: SearchStrategy[tuple]
    right: tuple[object, ...]
    wrong: tuple[tuple[str, object], ...] = ()
    equal_changes: dict[str, str] = field(default_factory=dict)
