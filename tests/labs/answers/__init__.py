"""Correct and wrong answers to all exercises, for tests.

Each lab has a module with the same name as its module of tasks, which contains

    ANSWERS = {"the-exercise": Answers(...)}
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Answers:
    """Answers to one exercise. An answer is what somebody writes: a function, a class or a value.

    Attributes:
        second: the exercise done a second time, by plain loops and ``math``, from nothing of the
            course. It takes all arguments of a case at once, and raises an error of the same kind
            as ``Exercise.reference`` where that does.
        asked: tuples of arguments that an answer may be asked, small and large ones, the ends of
            what is allowed among them.
        right: answers of any honest form.
        wrong: what is found in an answer that the exercise does not know, as
            ``Diagnosis.finding`` says it, and the answer. Found is ``pattern.`` and the name of a
            pattern, or the key of a message such as "raised"; or "" where only a wrong number can
            be shown.
        equal_changes: changes of the solution that change nothing an answer may be asked, and why.
    """

    second: Callable[..., object]
    asked: SearchStrategy[tuple]
    right: tuple[object, ...]
    wrong: tuple[tuple[str, object], ...] = ()
    equal_changes: dict[str, str] = field(default_factory=dict)
