"""Every exercise done a second time: by plain loops and ``math``, from nothing of the course.

There is a module for each lab, named like its module of tasks, with

    SECOND = {"the-exercise": Second(function, strategy)}
"""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Second:
    """A second reference, and what an answer to the exercise may be asked.

    Attributes:
        function: takes all arguments of a case at once, as ``Exercise.reference`` does, and raises
            an error of the same kind where that does. If a value is asked for, too: it is a
            function of the arguments in ``Exercise.cases``.
        strategy: tuples of such arguments, small and large ones, the ends of what is allowed
            among them; all that is allowed may come, nothing else.
    """

    function: Callable[..., object]
    strategy: SearchStrategy[tuple]
